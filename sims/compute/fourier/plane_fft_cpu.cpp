#include "sims/compute/fourier/plane_fft_cpu.h"

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstddef>

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/detail/complex_kernels.h"
#include "sims/compute/fourier/detail/fftw_plans.h"
#include "sims/compute/loops/detail/cpu_blocks.h"

namespace simscope::compute {

namespace {

using detail::Direction;
using detail::LineSpec;

// Elements of one portion of rows: stays in the first-level cache between the transforms.
constexpr std::size_t kChunkElements = 4096;
// Bytes of a row of a tile, where the tile is no larger than kLargestTile: it must stay in the second-level cache.
constexpr std::size_t kTileBytes = 256;
constexpr std::size_t kLargestTile = std::size_t{576} << 10;
constexpr std::size_t kCacheLine = 64;

}  // namespace

template <class T>
struct PlaneFftCpu<T>::Plan {
  using Line = std::shared_ptr<detail::LinePlan<T>>;

  Plan(DevicePtr on, int row_count, int column_count)
      : device(std::move(on)),
        rows(static_cast<std::size_t>(row_count)),
        columns(static_cast<std::size_t>(column_count)) {
    // Every line of a tile begins at a cache line of its own, and at another place of the first-level cache.
    constexpr std::size_t kLineElements = kCacheLine / sizeof(Complex<T>);
    pitch = (rows + kLineElements - 1) / kLineElements * kLineElements + kLineElements;
    width = kTileBytes / sizeof(Complex<T>);
    while (width > kLineElements && width * pitch * sizeof(Complex<T>) > kLargestTile) width /= 2;
    width = std::min(width, columns);
    chunk_rows = std::clamp<std::size_t>(kChunkElements / columns, 1, rows);
    for (const Direction direction : {Direction::Forward, Direction::Inverse}) {
      row_plans[static_cast<int>(direction)] = plansOf({.n = column_count, .stride = 1, .distance = column_count}, rows,
                                                       chunk_rows, direction, columns % kLineElements == 0);
      column_plans[static_cast<int>(direction)] =
          plansOf({.n = row_count, .stride = 1, .distance = static_cast<std::ptrdiff_t>(pitch)}, columns, width,
                  direction, true);
    }
  }

  struct Pair {
    Line each;
    Line last;  // of what is left over; null where nothing is
    const Line& of(std::size_t count, std::size_t most) const { return count == most ? each : last; }
  };

  static Pair plansOf(LineSpec spec, std::size_t lines, std::size_t most, Direction direction, bool aligned) {
    Pair pair;
    spec.lines = static_cast<int>(most);
    pair.each = detail::linePlan<T>(spec, direction, aligned);
    spec.lines = static_cast<int>(lines % most);
    if (spec.lines > 0) pair.last = detail::linePlan<T>(spec, direction, aligned);
    return pair;
  }

  DevicePtr device;
  std::size_t rows, columns;
  std::size_t chunk_rows;
  std::size_t width, pitch;  // of a tile: columns, and elements from one to the next
  Pair row_plans[2], column_plans[2];
  mutable tbb::enumerable_thread_specific<Buffer<Complex<T>>> scratch{
      [this] { return Buffer<Complex<T>>(device, width * pitch); }};

  // What one call of alongRows or downColumns works on.
  struct Work {
    const Plan& plan;
    Complex<T>* data;
    bool inverse, forward;
    const Complex<T>* factor;
    int times;
    const Complex<T>*across, *down;
  };

  static void rowChunk(const void* context, std::size_t index) {
    const Work& work = *static_cast<const Work*>(context);
    const Plan& plan = work.plan;
    const std::size_t first = index * plan.chunk_rows, count = std::min(plan.chunk_rows, plan.rows - first);
    const std::size_t at = first * plan.columns;
    Complex<T>* const values = work.data + at;
    const auto transform = [&](Direction direction) {
      plan.row_plans[static_cast<int>(direction)].of(count, plan.chunk_rows)->execute(values);
    };
    if (work.inverse) transform(Direction::Inverse);
    for (int i = 0; i < work.times; ++i) detail::multiply(values, work.factor + at, count * plan.columns);
    if (work.forward) transform(Direction::Forward);
  }

  static void tile(const void* context, std::size_t index) {
    const Work& work = *static_cast<const Work*>(context);
    const Plan& plan = work.plan;
    const std::size_t first = index * plan.width, count = std::min(plan.width, plan.columns - first);
    Complex<T>* const corner = work.data + first;
    Complex<T>* const lines = plan.scratch.local().data();
    detail::transpose(corner, plan.columns, lines, plan.pitch, plan.rows, count);
    plan.column_plans[static_cast<int>(Direction::Forward)].of(count, plan.width)->execute(lines);
    for (std::size_t k = 0; k < count; ++k) {
      detail::multiply(lines + k * plan.pitch, work.across[first + k], work.down, plan.rows);
    }
    plan.column_plans[static_cast<int>(Direction::Inverse)].of(count, plan.width)->execute(lines);
    detail::transpose(lines, plan.pitch, corner, plan.columns, count, plan.rows);
  }
};

template <class T>
PlaneFftCpu<T>::PlaneFftCpu(DevicePtr device, int rows, int columns) {
  if (!device || device->isCuda()) throw UsageError("PlaneFftCpu: the device must be the CPU");
  if (rows < 1 || columns < 1) {
    throw UsageError(fmt::format("PlaneFftCpu: {} rows of {}; the least is 1 of 1", rows, columns));
  }
  plan_ = std::make_unique<Plan>(std::move(device), rows, columns);
}

template <class T>
PlaneFftCpu<T>::~PlaneFftCpu() = default;
template <class T>
PlaneFftCpu<T>::PlaneFftCpu(PlaneFftCpu&&) noexcept = default;
template <class T>
PlaneFftCpu<T>& PlaneFftCpu<T>::operator=(PlaneFftCpu&&) noexcept = default;

template <class T>
void PlaneFftCpu<T>::alongRows(Complex<T>* data, bool inverse, const Complex<T>* factor, int times,
                               bool forward) const {
  const typename Plan::Work work{*plan_, data, inverse, forward, factor, times, nullptr, nullptr};
  detail::runBlocks(*plan_->device, (plan_->rows + plan_->chunk_rows - 1) / plan_->chunk_rows, &Plan::rowChunk, &work);
  plan_->device->countLaunches();
}

template <class T>
void PlaneFftCpu<T>::downColumns(Complex<T>* data, const Complex<T>* across, const Complex<T>* down) const {
  const typename Plan::Work work{*plan_, data, false, false, nullptr, 0, across, down};
  detail::runBlocks(*plan_->device, (plan_->columns + plan_->width - 1) / plan_->width, &Plan::tile, &work);
  plan_->device->countLaunches();
}

template class PlaneFftCpu<float>;
template class PlaneFftCpu<double>;

}  // namespace simscope::compute
