// Operations on a block of states: products with H, inner products, rotations. A block is `count` planes of n × n
// doubles, one after the other. On the device, inside Device::run; enqueued, except calls that return numbers.
//
// Both backends give the same bits: nothing is fused (CMakeLists.txt), and every sum has one order on all devices. Sums
// over points are made in chunks: kLanes chunks run side by side through each segment of the plane, lane l taking every
// kLanes-th point, so that both a warp of CUDA and the processor's registers read neighbouring words; partial sums are
// added in the order of the chunks. CUDA runs the functors of block.cu and block_products.cu; the processor has lanes
// (block_lanes.h), which the tests compare with them bit for bit.
//
// cuBLAS and BLAS are not used: their sums have different orders, and the states of a degenerate level, whose mixture
// depends on rounding, would differ between the backends. The filter is the cost of a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"

namespace simscope::eigenstates2d {

using compute::Complex;

// H on the plane's points: its diagonal (potential.h's kOutside where ψ = 0), and its elements for neighbours one and
// two points away along x and y. By value to kernels; diagonal is device memory.
struct Operator {
  int n = 0;
  double near = 0, far = 0;
  const double* diagonal = nullptr;
};

// Numbers of two states, or of two tiles of states.
struct Pair {
  int first = 0, second = 0;
};

// out = scale (H - centre) y - back x, for `count` states; centres (device memory, one each) replace centre where they
// are given. out may be x, but not y.
struct Term {
  double scale = 1, centre = 0, back = 0;
  const double* centres = nullptr;
};
// plain: the processor, too, uses the functor of CUDA, for the tests.
void applyTerm(compute::Device& device, const Operator& h, int count, const Term& term, const double* y,
               const double* x, double* out, bool plain = false);
// One term after the other: the first of `one` into `other`, and on from there, each over the states of the last but
// one. The last result is in `other` after an odd number of terms, else in `one`.
void applyTerms(compute::Device& device, const Operator& h, int count, std::span<const Term> terms, double* one,
                double* other, bool plain = false);

// count × count inner products Σ f_a g_b, symmetric: those with a ≤ b, and their mirror image. Waits.
std::vector<double> gramOf(const compute::DevicePtr& device, std::size_t points, int count, const double* f,
                           const double* g, bool plain = false);
// to_b = Σ_a from_a q[b·count + a]: columns of q, one after the other, as LAPACK leaves them.
void rotate(const compute::DevicePtr& device, std::size_t points, int count, const double* from,
            std::span<const double> q, double* to, bool plain = false);

// Σ f_a² of each of `count` states. Waits.
std::vector<double> squaresOf(const compute::DevicePtr& device, std::size_t points, int count, const double* f);
// max |f_a| of each. Waits.
std::vector<double> largestOf(const compute::DevicePtr& device, std::size_t points, int count, const double* f);
// Σ f_a(x, y) column(x) row(y) of each: lines = n of x, then n of y (device memory). Waits.
std::vector<Complex<double>> overlapsOf(const compute::DevicePtr& device, int n, int count, const double* f,
                                        const Complex<double>* lines);
// Of the pairs (a, b): Σ f_a A f_b with A = M_x + √3 M_y + T_x/h² c, from the mirror images in x and y and the kinetic
// energy along x. A separates the states of a degenerate level by parity, and then by their motion along x. Waits.
std::vector<double> distinctions(const compute::DevicePtr& device, int n, std::span<const Pair> pairs, const double* f,
                                 double kinetic);

// Random numbers between -1 and 1 (Philox) inside the potential, for the states from `first` to `count`.
void fillRandom(compute::Device& device, const Operator& h, int first, int count, std::uint64_t seed,
                std::uint32_t stream, double* out);

// Chunks of a sum over points.
inline constexpr std::size_t kLanes = 32, kMostSegments = 32, kShortest = 64;
struct Chunks {
  std::size_t points = 0, rounds = 0, segments = 0;  // rounds: additions a lane makes in a segment

  explicit Chunks(std::size_t all) : points(all) {
    const std::size_t whole = (all + kLanes * kMostSegments - 1) / (kLanes * kMostSegments);
    rounds = whole > kShortest ? whole : kShortest;
    segments = (all + kLanes * rounds - 1) / (kLanes * rounds);
  }
  SIMSCOPE_HD std::size_t count() const { return segments * kLanes; }
  // The first point of a chunk, and the end of its segment; the points are kLanes apart.
  SIMSCOPE_HD std::size_t first(std::size_t chunk) const { return chunk / kLanes * (kLanes * rounds) + chunk % kLanes; }
  SIMSCOPE_HD std::size_t end(std::size_t chunk) const {
    const std::size_t last = (chunk / kLanes + 1) * (kLanes * rounds);
    return last < points ? last : points;
  }
};
inline constexpr int kTile = 4;  // states by states, of a Gram matrix's tile
// Pairs of tiles with a ≤ b, row by row.
std::vector<Pair> tilesOf(int count);

}  // namespace simscope::eigenstates2d
