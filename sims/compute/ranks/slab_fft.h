// Fourier transforms of a square field whose rows ranks hold in slabs: rows are transformed in place, then all ranks
// exchange their parts, so that each has whole columns. N, a power of two, is the length of a row and of a column: the
// field's, or a multiple of it, where the field lies in the corner of a larger plane of zeros.
//
// A row is cut into Q parts, each of the frequencies with the same remainder modulo Q (decimation in frequency). The
// part of remainder f is the transform of length w = N/Q of
//     y_f[j] = exp(-2πi jf/N) Σ_t exp(-2πi tf/Q) x[j + wt],   j < w,   and has the frequencies Qm + f, m < w.
// Each part is contiguous over all rows, so that a message to another rank is one block of memory and is used as it
// arrives, without packing. Rank r has the pieces of its remainders: each is N rows of w numbers, whose column m is the
// frequency k_x = Qm + rest(i). On CUDA devices a piece is sent while the next one is computed. Neither direction is
// normalised: forward and back multiplies by N².
// Source: W. M. Gentleman, G. Sande, AFIPS 29 (1966) 563 (decimation in frequency).
//
// A single process has one slab of all rows and exchanges nothing. Results of different numbers of ranks differ by
// rounding, because Q depends on that number.
//
// Owner: pieces and workspace, on the device. All ranks of the device make the calls that compute, in the same order.
// Thread: inside Device::run; enqueued. Errors: UsageError (N, too many ranks), and as Device::exchange.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/ranks/rows_there.h"
#include "sims/compute/ranks/slab.h"

namespace simscope::compute {

inline constexpr int kMostRests = 64;
// The most ranks among which rows of `length` can be divided, with parts of at least 8 frequencies.
int mostTransformRanks(int length);
// Q for `ranks` ranks: several pieces for each, so that they can be computed and exchanged at the same time.
int restsFor(int length, int ranks);

template <class T>  // float or double
class SlabFft {
 public:
  // N = padding·slab.n
  explicit SlabFft(DevicePtr device, const Slab& slab, int padding = 1);
  // Bytes of device memory at most, without cuFFT's workspace for one piece.
  static double bytes(int n, int ranks, int padding = 1);

  int length() const noexcept { return length_; }          // N
  int rests() const noexcept { return rests_; }            // Q
  int width() const noexcept { return length_ / rests_; }  // w
  int pieces() const noexcept { return own_.count; }       // of this rank
  int rest(int piece) const noexcept { return own_.first + piece; }
  Complex<T>* piece(int i) const { return at(columns_, static_cast<std::size_t>(i) * pieceElements()); }
  const DevicePtr& device() const noexcept { return device_; }
  const Complex<T>* turns() const noexcept { return turns_.data(); }  // exp(-2πi a/N), a < N

  // The passes over this rank's rows, for device sources (slab_fft_rows.h). x < N, y a row of the field.
  //   begin      load(x, y) → Complex<T>          before the forward transform
  //   between    change(x, y, z) → Complex<T>     after a way back, before the next forward transform
  //   end        store(x, y, z)                   after a way back
  //   endParts   store(k, y, z)                   after a way back of pieces as they are; k: of the frequencies of x
  template <class Load>
  void begin(const Load& load);
  template <class Change>
  void between(const Change& change);
  template <class Store>
  void end(const Store& store);
  template <class Store>
  void endParts(const Store& store);

  enum class Back { No, Transformed, AsItIs };
  using There = Back;
  // After begin() or between(): transforms along x, and calls work(i) for each piece when it has arrived. work(i)
  // enqueues the operations on the piece, transforms along y included; before, the rows of a piece from the field's n
  // on are zero. The piece's rows of the field then go back, transformed along x or as they are, or stay.
  void turn(const std::function<void(int)>& work, Back back) { cross(work, There::Transformed, back); }
  // The same for parts that already hold frequencies of x, and come back as such. before(first, count) enqueues the
  // computation of `count` of this rank's rows of all parts, from row `first` on. It is called for all rows, from the
  // first to the last, so that some are sent while others are computed. Rows also come back in blocks: a following turn
  // calls before() with the rows that have arrived; everything else that reads parts calls arrive() first.
  using Rows = std::function<void(int first, int count)>;
  void turnTransformed(const Rows& before, const std::function<void(int)>& work);
  void arrive();
  // The same where kernels reach the memory of all ranks: their results are sent while they compute. before() enqueues
  // the computation of all rows and writes each part to partThere(); work(i) writes the rows of a piece to
  // rowsThere(i). All ranks meet between the two and after them.
  bool reaches() const noexcept { return !columns_there_.empty(); }
  void turnWritten(const std::function<void()>& before, const std::function<void(int)>& work);
  Complex<T>* partThere(int rest) const;    // of this rank's rows
  RowsThere<T> rowsThere(int piece) const;  // in place if they are copied from there
  // The way back only: work(i) makes a new piece, with all of its rows.
  void comeBack(const std::function<void(int)>& work, Back back) { cross(work, There::No, back); }
  // This rank's rows of the part of a remainder: slab.count rows of w.
  Complex<T>* part(int rest) const { return parts_[static_cast<std::size_t>(rest)]; }
  // Sends pieces one after the other, each while the next is computed, or all at once. The bits are the same.
  void setInRounds(bool in_rounds) noexcept { in_rounds_ = in_rounds; }
  // A piece's columns.
  void alongY(int piece, bool inverse) const;

 private:
  static Complex<T>* at(const Buffer<Complex<T>>& buffer, std::size_t element) {
    return const_cast<Complex<T>*>(buffer.data()) + element;
  }
  std::size_t pieceElements() const { return static_cast<std::size_t>(length_) * static_cast<std::size_t>(width()); }
  std::size_t elementsOf(int rows) const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width()); }
  Cut restsOf(int rank) const;
  void alongX(int round, bool inverse) const;
  Device::Exchange exchange(Cut there, Cut back, Device::Order order) { return exchange(there, back, 0, 1, order); }
  Device::Exchange exchange(Cut there, Cut back, int block, int blocks, Device::Order order);
  Complex<T>* rowsAt(int piece, int rank) const;
  void workOn(int piece, const std::function<void(int)>& work, bool arrived) const;
  void cross(const std::function<void(int)>& work, There there, Back back);
  void crossInRounds(const std::function<void(int)>& work, There there, Back back);
  template <template <class, int, class> class Pass, class F>
  void overRows(const F& f);

  DevicePtr device_;
  Slab slab_;
  int length_, ranks_, rank_, rests_;
  int rounds_;  // pieces of the rank that has the most
  bool in_rounds_;
  Cut own_;                       // rests
  Buffer<Complex<T>> columns_;    // the pieces
  Buffer<Complex<T>> workspace_;  // this rank's rows of the parts that others transform further
  Buffer<Complex<T>> turns_;      // exp(-2πi a/N), a < N
  bool met_ = false;              // whether turnWritten() was the last to use whole pieces
  std::vector<Complex<T>*> columns_there_, workspaces_there_;  // of all ranks; empty where they cannot be reached
  std::vector<Complex<T>*> parts_;  // this rank's rows of each rest: in its piece, or in the workspace
  Fft<T> across_, down_;
  std::vector<Device::Exchange> arriving_;  // of each block of rows, the last that brings parts
};

extern template class SlabFft<float>;
extern template class SlabFft<double>;

}  // namespace simscope::compute
