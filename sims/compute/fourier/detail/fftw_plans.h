// FFTW's two precisions under one name, and the process's shared objects: the planner (one thread at a time) and the
// plans.
//
// Every transform of this program is cut into lines: 1D transforms of equal length, several in one plan. FFTW's own
// plans for two dimensions are ten times slower where they are estimated and not measured (512², measured here),
// because they walk along the columns of the whole picture.
#pragma once

#include <fftw3.h>

#include <compare>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sims/compute/fourier/detail/fft_backend.h"

namespace simscope::compute::detail {

// `lines` transforms of length n, in place: element i of line k lies at i·stride + k·distance.
struct LineSpec {
  int n = 1;
  int lines = 0;
  std::ptrdiff_t stride = 1;
  std::ptrdiff_t distance = 1;
  int threads = 1;
  auto operator<=>(const LineSpec&) const = default;
  // Elements from the first to the last.
  std::size_t extent() const { return static_cast<std::size_t>((n - 1) * stride + (lines - 1) * distance + 1); }
};

using ParallelLoop = void (*)(void* (*work)(char*), char* jobs, std::size_t size, int count, void* data);

template <class T>
struct Fftw;

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  static constexpr const char* kName = "float";
  static void initThreads(ParallelLoop loop) {
    fftwf_init_threads();
    fftwf_threads_set_callback(loop, nullptr);
  }
  static Plan plan(const LineSpec& spec, Complex<float>* data, int sign, unsigned flags) {
    auto* const values = reinterpret_cast<fftwf_complex*>(data);
    const fftw_iodim64 n = {spec.n, spec.stride, spec.stride};
    const fftw_iodim64 lines = {spec.lines, spec.distance, spec.distance};
    fftwf_plan_with_nthreads(spec.threads);
    return fftwf_plan_guru64_dft(1, &n, 1, &lines, values, values, sign, flags);
  }
  static void execute(Plan plan, Complex<float>* data) {
    fftwf_execute_dft(plan, reinterpret_cast<fftwf_complex*>(data), reinterpret_cast<fftwf_complex*>(data));
  }
  static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
  static bool aligned(Complex<float>* data) { return fftwf_alignment_of(reinterpret_cast<float*>(data)) == 0; }
};

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  static constexpr const char* kName = "double";
  static void initThreads(ParallelLoop loop) {
    fftw_init_threads();
    fftw_threads_set_callback(loop, nullptr);
  }
  static Plan plan(const LineSpec& spec, Complex<double>* data, int sign, unsigned flags) {
    auto* const values = reinterpret_cast<fftw_complex*>(data);
    const fftw_iodim64 n = {spec.n, spec.stride, spec.stride};
    const fftw_iodim64 lines = {spec.lines, spec.distance, spec.distance};
    fftw_plan_with_nthreads(spec.threads);
    return fftw_plan_guru64_dft(1, &n, 1, &lines, values, values, sign, flags);
  }
  static void execute(Plan plan, Complex<double>* data) {
    fftw_execute_dft(plan, reinterpret_cast<fftw_complex*>(data), reinterpret_cast<fftw_complex*>(data));
  }
  static void destroy(Plan plan) { fftw_destroy_plan(plan); }
  static bool aligned(Complex<double>* data) { return fftw_alignment_of(reinterpret_cast<double*>(data)) == 0; }
};

inline int fftwSign(Direction direction) {
  return direction == Direction::Forward ? FFTW_FORWARD : FFTW_BACKWARD;
}

// Hold it around every call of FFTW except execute. The first lock initialises FFTW's threads.
std::unique_lock<std::mutex> lockPlanner();

// A plan of FFTW, ready for any array laid out as its spec says. Thread: execute from any, on different data.
template <class T>
class LinePlan {
 public:
  explicit LinePlan(typename Fftw<T>::Plan plan) : plan_(plan) {}
  ~LinePlan() {
    const auto lock = lockPlanner();
    Fftw<T>::destroy(plan_);
  }
  LinePlan(const LinePlan&) = delete;
  LinePlan& operator=(const LinePlan&) = delete;
  void execute(Complex<T>* data) const { Fftw<T>::execute(plan_, data); }

 private:
  typename Fftw<T>::Plan plan_;
};

// From the process's cache, or created with FFTW's estimate. aligned: the data is aligned as
// Device::allocate aligns it (up to what FFTW's vector instructions need). Throws Error where FFTW has no plan.
template <class T>
std::shared_ptr<LinePlan<T>> linePlan(const LineSpec& spec, Direction direction, bool aligned);

// How a shape is cut into lines: along the rows in chunks, then down the columns in tiles that are copied to a small
// scratch array. A transform has the same bits for any number of threads, except for single rows long enough to be
// divided.
struct FftLayout {
  std::size_t elements = 0;
  bool parallel = false;  // chunks and tiles go to the device's threads

  LineSpec chunk;  // rows; no lines if a row has one element
  LineSpec last_chunk;
  std::size_t chunks = 0;

  // The transforms along the columns of consecutive pictures.
  struct Columns {
    LineSpec tile;  // in scratch: element i of column k at i·width + k
    LineSpec last_tile;
    std::size_t tiles = 0;  // a picture
    std::size_t rows = 1, columns = 1, pictures = 1;
  };
  std::size_t columns = 1;    // of a row
  std::vector<Columns> down;  // rows within planes, then planes within a box; empty if there is one row
};

// UsageError for a bad shape.
FftLayout layoutOf(const FftShape& shape, std::size_t element_bytes, int threads);

}  // namespace simscope::compute::detail
