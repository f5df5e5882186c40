#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::lab::launches {

struct Count {
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] += 1; }
};

namespace {

constexpr double kSmallest = 32;
constexpr std::size_t kTasks = 64;

using Parameters = knobs::Sizes<1 << 18, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>(
      {.title = "Largest task", .minimum = 1024, .maximum = 1 << 22, .help = "Elements of each of 64 tasks"});
  return all;
}

#if SIMSCOPE_HAVE_CUDA

// The recorded work of a stream, started as a whole.
class Graph {
 public:
  Graph(compute::Device& device, const std::function<void()>& work) {
    const auto stream = static_cast<cudaStream_t>(device.stream());
    SIMSCOPE_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = nullptr;
    try {
      work();
    } catch (...) {
      if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph) (void)cudaGraphDestroy(graph);
      throw;
    }
    SIMSCOPE_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    const cudaError_t status = cudaGraphInstantiateWithFlags(&started_, graph, 0);
    (void)cudaGraphDestroy(graph);
    SIMSCOPE_CUDA_CHECK(status);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { (void)cudaGraphExecDestroy(started_); }
  void launch(compute::Device& device) const {
    SIMSCOPE_CUDA_CHECK(cudaGraphLaunch(started_, static_cast<cudaStream_t>(device.stream())));
  }

 private:
  cudaGraphExec_t started_ = nullptr;
};

#endif

// Where the tasks count: each in n elements of its own.
struct Counted {
  compute::DevicePtr device;
  compute::Buffer<float> values;

  void each(std::size_t n, bool wait) {
    for (std::size_t t = 0; t < kTasks; ++t) {
      compute::parallelFor(*device, n, Count{values.data() + t * n}, std::max<std::size_t>(n / 16, 1));
      if (wait) device->synchronize();
    }
  }
  void atOnce(std::size_t n) { compute::parallelFor(*device, kTasks * n, Count{values.data()}); }
  void requireOnce(const std::string& title, std::size_t n) const {
    const std::vector<float> counted = values.toHost();
    const auto end = counted.begin() + static_cast<std::ptrdiff_t>(kTasks * n);
    requireRight(std::all_of(counted.begin(), end, [](float v) { return v == 1; }) &&
                     std::all_of(end, counted.end(), [](float v) { return v == 0; }),
                 title + ": an element was not counted once");
  }
};

void addWays(std::vector<Way>& ways, Counted& counted) {
  // Runs all tasks once, each of n elements.
  const auto way = [&](const char* title, const std::function<std::function<void()>(std::size_t n)>& prepare) {
    ways.push_back({.title = title,
                    .device = counted.device,
                    .prepare =
                        [&counted, title, prepare](std::size_t n) {
                          return Task{.run = prepare(n),
                                      .check = [&counted, title, n] { counted.requireOnce(title, n); }};
                        },
                    .clear = [&counted] { counted.values.zero(); }});
  };
  if (!counted.device->isCuda()) {
    way("CPU, plain loops", [&](std::size_t n) {
      return [&counted, n] {
        for (std::size_t i = 0; i < kTasks * n; ++i) Count{counted.values.data()}(i);
      };
    });
    way("CPU, a parallel loop each", [&](std::size_t n) { return [&counted, n] { counted.each(n, false); }; });
    way("CPU, one parallel loop", [&](std::size_t n) { return [&counted, n] { counted.atOnce(n); }; });
    return;
  }
#if SIMSCOPE_HAVE_CUDA
  way("GPU, a launch each, waited for", [&](std::size_t n) { return [&counted, n] { counted.each(n, true); }; });
  way("GPU, a launch each", [&](std::size_t n) { return [&counted, n] { counted.each(n, false); }; });
  way("GPU, a graph of launches", [&](std::size_t n) {
    const auto graph = std::make_shared<Graph>(*counted.device, [&] { counted.each(n, false); });
    return [&counted, graph] { graph->launch(*counted.device); };
  });
  way("GPU, one launch for all", [&](std::size_t n) { return [&counted, n] { counted.atOnce(n); }; });
#endif
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Sweep sweep{.sizes = sizesBetween(kSmallest, p.largest, p.per_decade)};
  std::vector<Counted> counted;
  for (const compute::DevicePtr& device : bench.devices()) {
    counted.push_back({device, {device, kTasks * static_cast<std::size_t>(sweep.sizes.back())}});
  }
  for (Counted& each : counted) addWays(sweep.ways, each);
  sweep.time(bench);
  for (Way& way : sweep.ways) {  // from all tasks to one
    for (double& seconds : way.seconds) seconds = carried(seconds / static_cast<double>(kTasks), seconds);
  }

  Result result;
  result.columns = {
      {"Smallest task", "s"}, {"Largest task", "s"}, {"Moved at the largest", "B/s"}, limitShare("Of the limit")};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const double rate = carried(2 * sizeof(float) * n / seconds, seconds);
    return Row{.name = way.title,
               .values = {way.atSmallest(), seconds, rate, bench.memoryShare(way.device, rate)},
               .headroom = headroomOf(way.device, static_cast<double>(kTasks) * sizeof(float) * n)};
  });
  sweep.drawTimes(result.chart, "Time of a task over its size", {.title = "elements of a task"});
  result.noteLackOfCuda(bench, "so no launches and no graphs");
  const auto smallest = [&](std::size_t way) { return valueText(rounded(sweep.ways[way].atSmallest()), "s"); };
  if (bench.cuda) {
    result.finding = fmt::format(
        "On this machine's GPU a small task takes {} if the program waits for each launch, {} if launches follow each "
        "other, {} in a graph, and {} if one launch does all tasks.",
        smallest(3), smallest(4), smallest(5), smallest(6));
    return result;
  }
  const auto pays = crossing(sweep.sizes, sweep.ways[1].seconds, sweep.ways[0].seconds);
  result.finding = fmt::format("On this machine a parallel loop over a small task takes {}, a plain loop {}; it pays ",
                               smallest(1), smallest(0));
  result.finding += pays ? fmt::format("from tasks of {} elements on.", sizeText(*pays)) : "at none of these sizes.";
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "launches",
      .title = "Launches, batches, graphs",
      .text =
          "The start of a kernel takes some microseconds, however little the kernel does. If the program waits for "
          "each kernel before the next, it pays for the way to the GPU and back every time. Launches without waiting "
          "overlap with the work before them. A CUDA graph records a series of launches once and starts them all with "
          "one call. A batch makes one launch of many small independent tasks. Here 64 tasks each add 1 to their own "
          "numbers, in each of these ways. The CPU's parallel loops also take time to start, because their threads "
          "must be woken.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::launches
