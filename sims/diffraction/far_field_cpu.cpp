#include <oneapi/tbb/cache_aligned_allocator.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/cpu_device.h"
#include "sims/compute/fourier/detail/fftw_plans.h"
#include "sims/diffraction/far_field.h"

namespace simscope::diffraction {
namespace {

using compute::Complex;
using compute::detail::Direction;
using compute::detail::LineSpec;
using Complexf = Complex<float>;
// Aligned as FFTW's plans for aligned data ask.
using Scratch = std::vector<Complexf, tbb::cache_aligned_allocator<Complexf>>;
using Plan = std::shared_ptr<compute::detail::LinePlan<float>>;

constexpr int kTile = 16;          // columns at a time: one cache line of intensities, two of spectra
constexpr int kShortestLine = 64;  // of a pruned transform

// Rows: two real ones make one complex transform, whose even and odd parts are theirs.
// Columns: with h ≤ N/P rows that are not zero, output P q + r is element q of the transform of length N/P of
// x[m] exp(-2πi r m/N), so that P short transforms do for a long one, and the zeros are never touched. Where the rows
// begin turns the phase only, which an intensity does not see.
class CpuFarField final : public FarField {
 public:
  CpuFarField(const compute::DevicePtr& device, int n)
      : device_(device),
        cpu_(static_cast<compute::CpuDevice&>(*device)),
        n_(n),
        pitch_(static_cast<std::size_t>(n / 2 + kTile)),
        row_plan_(compute::detail::linePlan<float>({.n = n, .lines = 1, .distance = n}, Direction::Forward, true)),
        twiddles_(static_cast<std::size_t>(n)),
        scratch_([n] { return Scratch(std::size_t{kTile} * static_cast<std::size_t>(n)); }) {
    for (int k = 0; k < n; ++k) {
      const double angle = -2 * std::numbers::pi * k / n;
      twiddles_[static_cast<std::size_t>(k)] = {static_cast<float>(std::cos(angle)),
                                                static_cast<float>(std::sin(angle))};
    }
  }

  void intensity(const float* aperture, const CellRange& box, float* intensity) override {
    const int rows = std::max(0, box.y_last - box.y_first);
    const std::size_t needed = static_cast<std::size_t>(rows + rows % 2) * pitch_;
    if (spectra_.size() < needed) {
      spectra_ = {};
      spectra_ = compute::Buffer<Complexf>(device_, needed);
    }
    const float* const from = aperture + static_cast<std::size_t>(box.y_first) * static_cast<std::size_t>(n_);
    forEach(rows + 1, 2, [&](int row) { transformRows(from, row, rows); });

    int parts = 1;
    while (n_ / (2 * parts) >= std::max(rows, kShortestLine)) parts *= 2;
    const LineSpec tile{.n = n_ / parts, .lines = kTile, .stride = kTile, .distance = 1};
    const Plan plan = compute::detail::linePlan<float>(tile, Direction::Forward, true);
    forEach(n_ / 2 + 1, kTile, [&](int column) { transformColumns(*plan, column, rows, parts, intensity); });
  }

  std::string method() const override { return "FFTW, the aperture's rows and half of the columns"; }

 private:
  // body(i) for i = 0, step, 2 step, … below `end`.
  template <class Body>
  void forEach(int end, int step, const Body& body) {
    cpu_.arena().execute([&] { tbb::parallel_for(0, end, step, body); });
    device_->countLaunches();
  }

  void transformRows(const float* from, int row, int rows) {
    if (row >= rows) return;
    const auto n = static_cast<std::size_t>(n_), half = n / 2;
    const float* const a = from + static_cast<std::size_t>(row) * n;
    Complexf* const z = scratch_.local().data();
    if (row + 1 < rows) {
      for (std::size_t i = 0; i < n; ++i) z[i] = {a[i], a[n + i]};
    } else {
      for (std::size_t i = 0; i < n; ++i) z[i] = {a[i], 0};
    }
    row_plan_->execute(z);
    Complexf* const even = spectra_.data() + static_cast<std::size_t>(row) * pitch_;
    Complexf* const odd = even + pitch_;
    even[0] = {z[0].re, 0};
    odd[0] = {z[0].im, 0};
    for (std::size_t k = 1; k <= half; ++k) {
      const Complexf p = z[k], q = z[n - k];
      even[k] = {0.5f * (p.re + q.re), 0.5f * (p.im - q.im)};
      odd[k] = {0.5f * (p.im + q.im), 0.5f * (q.re - p.re)};
    }
    std::fill(even + half + 1, even + pitch_, Complexf{0, 0});
    std::fill(odd + half + 1, odd + pitch_, Complexf{0, 0});
  }

  void transformColumns(const compute::detail::LinePlan<float>& plan, int column, int rows, int parts,
                        float* intensity) {
    const int length = n_ / parts;
    Complexf* const z = scratch_.local().data();
    for (int part = 0; part < parts; ++part) {
      for (int m = 0; m < rows; ++m) {
        const Complexf* const from = spectra_.data() + static_cast<std::size_t>(m) * pitch_ + column;
        Complexf* const to = z + m * kTile;
        const Complexf w = twiddles_[static_cast<std::size_t>((static_cast<long>(part) * m) % n_)];
        for (int c = 0; c < kTile; ++c) to[c] = w * from[c];
      }
      std::fill(z + rows * kTile, z + length * kTile, Complexf{0, 0});
      plan.execute(z);
      for (int q = 0; q < length; ++q) store(z + q * kTile, q * parts + part, column, intensity);
    }
  }

  // The intensities of frequency k of a tile of columns, and of their mirror images.
  void store(const Complexf* z, int k, int column, float* intensity) const {
    const int half = n_ / 2;
    const auto row = [&](int frequency) {
      return intensity + static_cast<std::size_t>((frequency + half) % n_) * static_cast<std::size_t>(n_);
    };
    if (column == half) {
      row(k)[0] = norm2(z[0]);
      return;
    }
    float values[kTile];
    for (int c = 0; c < kTile; ++c) values[c] = norm2(z[c]);
    std::memcpy(row(k) + half + column, values, sizeof values);
    float* const mirror = row(n_ - k) + half - column;
    for (int c = column == 0 ? 1 : 0; c < kTile; ++c) mirror[-c] = values[c];
  }

  compute::DevicePtr device_;
  compute::CpuDevice& cpu_;
  int n_;
  std::size_t pitch_;  // of the spectra: frequencies 0 to N/2, and zeros up to a whole tile
  Plan row_plan_;
  std::vector<Complexf> twiddles_;
  compute::Buffer<Complexf> spectra_;
  tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace

std::unique_ptr<FarField> makeCpuFarField(const compute::DevicePtr& device, int n) {
  return std::make_unique<CpuFarField>(device, n);
}

}  // namespace simscope::diffraction
