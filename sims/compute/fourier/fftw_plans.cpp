#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sims/compute/fourier/detail/fftw_plans.h"

namespace simscope::compute::detail {

namespace {

// Below this many elements a transform is done before other threads have woken up.
constexpr std::size_t kParallelElements = std::size_t{1} << 15;
// A row this long is worth several threads of its own.
constexpr int kThreadedRow = 1 << 17;
// Elements of one chunk of rows: fits the second-level cache, and is long enough to hide the handing out.
constexpr std::size_t kChunkElements = 8192;
// Bytes of one row of a tile: two cache lines, which processors fetch in pairs.
constexpr std::size_t kTileBytes = 128;
// Plans kept for reuse. A program uses a handful; a sweep over sizes must not accumulate plans.
constexpr std::size_t kKeptPlans = 64;

// FFTW's parallel loop on the arena that the caller is in, so that there is one pool of threads and not two.
void loopOnTbb(void* (*work)(char*), char* jobs, std::size_t size, int count, void*) {
  tbb::parallel_for(
      0, count, [&](int job) { work(jobs + size * static_cast<std::size_t>(job)); }, tbb::simple_partitioner());
}

template <class T>
using Plans = std::map<std::tuple<LineSpec, Direction, bool>, std::shared_ptr<LinePlan<T>>>;

// Guarded by the planner's lock. Never destroyed: a static Fft elsewhere may outlive every static object here.
struct PlanCache {
  std::tuple<Plans<float>, Plans<double>> plans;

  static PlanCache& instance() {
    static PlanCache* const cache = new PlanCache;
    return *cache;
  }
};

// `count` lines in portions of `most`: the portion, and what the last one has where it is smaller (else no lines).
void cut(std::size_t count, std::size_t most, LineSpec& each, LineSpec& last, std::size_t& portions) {
  each.lines = static_cast<int>(std::min(count, most));
  last = each;
  last.lines = static_cast<int>(count % static_cast<std::size_t>(each.lines));
  portions = (count + most - 1) / most;
}

}  // namespace

std::unique_lock<std::mutex> lockPlanner() {
  static std::mutex* const mutex = [] {
    Fftw<float>::initThreads(loopOnTbb);
    Fftw<double>::initThreads(loopOnTbb);
    return new std::mutex;  // never destroyed, as the plans
  }();
  return std::unique_lock(*mutex);
}

template <class T>
std::shared_ptr<LinePlan<T>> linePlan(const LineSpec& spec, Direction direction, bool aligned) {
  Plans<T> dropped;  // destroying a plan takes the lock, so the ones that make room go after it is open again
  const auto lock = lockPlanner();
  PlanCache& cache = PlanCache::instance();
  auto& plans = std::get<Plans<T>>(cache.plans);
  const std::tuple key{spec, direction, aligned};
  if (const auto found = plans.find(key); found != plans.end()) return found->second;
  // An estimate looks at an array's address only.
  alignas(64) static Complex<T> place[64 / sizeof(Complex<T>)];
  const unsigned alignment = aligned ? 0u : FFTW_UNALIGNED;
  const int sign = fftwSign(direction);
  const typename Fftw<T>::Plan made = Fftw<T>::plan(spec, place, sign, FFTW_ESTIMATE | alignment);
  if (!made) {
    throw Error(fmt::format("FFTW has no plan for {} line(s) of {} in {} precision; choose another size", spec.lines,
                            spec.n, Fftw<T>::kName));
  }
  auto shared = std::make_shared<LinePlan<T>>(made);
  if (plans.size() >= kKeptPlans) plans.swap(dropped);
  plans.emplace(key, shared);
  return shared;
}

template std::shared_ptr<LinePlan<float>> linePlan<float>(const LineSpec&, Direction, bool);
template std::shared_ptr<LinePlan<double>> linePlan<double>(const LineSpec&, Direction, bool);

FftLayout layoutOf(const FftShape& shape, std::size_t element_bytes, int threads) {
  FftLayout layout;
  layout.elements = checkedElements(shape);
  layout.columns = shape.side_by_side ? 1 : static_cast<std::size_t>(shape.dimensions.back());
  layout.parallel = threads > 1 && layout.elements >= kParallelElements;
  if (layout.columns > 1) {
    layout.chunk.n = static_cast<int>(layout.columns);
    layout.chunk.distance = layout.chunk.n;
    if (layout.chunk.n >= kThreadedRow) layout.chunk.threads = threads;
    cut(layout.elements / layout.columns, std::max<std::size_t>(1, kChunkElements / layout.columns), layout.chunk,
        layout.last_chunk, layout.chunks);
  }
  // Planes are the rows of a picture whose columns are all that a plane has; so are transforms side by side.
  std::size_t columns = shape.side_by_side ? static_cast<std::size_t>(shape.batch) : layout.columns;
  for (std::size_t axis = shape.dimensions.size() - (shape.side_by_side ? 0 : 1); axis-- > 0;) {
    const auto rows = static_cast<std::size_t>(shape.dimensions[axis]);
    if (rows > 1) {
      FftLayout::Columns& down = layout.down.emplace_back();
      down.rows = rows;
      down.columns = columns;
      down.pictures = layout.elements / (rows * columns);
      const std::size_t width = std::min(columns, kTileBytes / element_bytes);
      down.tile.n = static_cast<int>(rows);
      down.tile.stride = static_cast<std::ptrdiff_t>(width);
      cut(columns, width, down.tile, down.last_tile, down.tiles);
    }
    columns *= rows;
  }
  return layout;
}

}  // namespace simscope::compute::detail
