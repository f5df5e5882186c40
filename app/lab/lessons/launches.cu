#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
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

struct Parameters {
  int largest = 1 << 18;
  int per_decade = 2;
};

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

// Runs all tasks once, each of n elements, on `values`.
struct Way {
  std::string title;
  compute::DevicePtr device;
  std::function<std::function<void()>(float* values, std::size_t n)> prepare;
  std::vector<double> seconds = {};  // per task
};

std::vector<Way> ways(const Bench& bench) {
  using Call = std::function<void()>;
  const auto each = [](compute::Device& device, float* values, std::size_t n, bool wait) {
    for (std::size_t t = 0; t < kTasks; ++t) {
      compute::parallelFor(device, n, Count{values + t * n}, std::max<std::size_t>(n / 16, 1));
      if (wait) device.synchronize();
    }
  };
  const compute::DevicePtr cpu = bench.cpu, gpu = bench.cuda;
  std::vector<Way> all;
  all.push_back({"CPU, plain loops", cpu, [](float* values, std::size_t n) -> Call {
                   return [values, n] {
                     for (std::size_t i = 0; i < kTasks * n; ++i) Count{values}(i);
                   };
                 }});
  all.push_back({"CPU, a parallel loop each", cpu,
                 [each, cpu](float* values, std::size_t n) -> Call { return [=] { each(*cpu, values, n, false); }; }});
  all.push_back({"CPU, one parallel loop", cpu, [cpu](float* values, std::size_t n) -> Call {
                   return [=] { compute::parallelFor(*cpu, kTasks * n, Count{values}); };
                 }});
#if SIMSCOPE_HAVE_CUDA
  if (gpu) {
    all.push_back({"GPU, a launch each, waited for", gpu,
                   [each, gpu](float* values, std::size_t n) -> Call { return [=] { each(*gpu, values, n, true); }; }});
    all.push_back({"GPU, a launch each", gpu, [each, gpu](float* values, std::size_t n) -> Call {
                     return [=] { each(*gpu, values, n, false); };
                   }});
    all.push_back({"GPU, a graph of launches", gpu, [each, gpu](float* values, std::size_t n) -> Call {
                     const auto graph = std::make_shared<Graph>(*gpu, [&] { each(*gpu, values, n, false); });
                     return [=] { graph->launch(*gpu); };
                   }});
    all.push_back({"GPU, one launch for all", gpu, [gpu](float* values, std::size_t n) -> Call {
                     return [=] { compute::parallelFor(*gpu, kTasks * n, Count{values}); };
                   }});
  }
#endif
  return all;
}

void measureWay(const Bench& bench, Way& way, compute::Buffer<float>& values, std::size_t n) {
  way.device->run([&] {
    values.zero();
    const std::function<void()> tasks = way.prepare(values.data(), n);
    tasks();
    const std::vector<float> counted = values.toHost();
    const auto end = counted.begin() + static_cast<std::ptrdiff_t>(kTasks * n);
    requireRight(std::all_of(counted.begin(), end, [](float v) { return v == 1; }) &&
                     std::all_of(end, counted.end(), [](float v) { return v == 0; }),
                 way.title + ": an element was not counted once");
    const double all = secondsOf(*way.device, bench.check, tasks);
    way.seconds.push_back(carried(all / static_cast<double>(kTasks), all));
  });
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const std::vector<double> sizes = sizesBetween(kSmallest, p.largest, p.per_decade);
  const auto most = static_cast<std::size_t>(sizes.back());
  std::vector<Way> all = ways(bench);
  compute::Buffer<float> host(bench.cpu, kTasks * most), device;
  if (bench.cuda) device = compute::Buffer<float>(bench.cuda, kTasks * most);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (Way& way : all) {
      measureWay(bench, way, way.device->isCuda() ? device : host, static_cast<std::size_t>(sizes[k]));
    }
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  Result result;
  result.columns = {
      {"Smallest task", "s"}, {"Largest task", "s"}, {"Moved at the largest", "B/s"}, {"Of the limit", "%", true}};
  for (const Way& way : all) {
    const double last = way.seconds.back(), rate = carried(2 * sizeof(float) * sizes.back() / last, last);
    result.rows.push_back(
        {way.title, {way.seconds.front(), last, rate, rate / bench.limitsOf(way.device).bytes_per_second}});
    result.rows.back().headroom = headroomOf(way.device, static_cast<double>(kTasks) * sizeof(float) * sizes.back());
    result.chart.curves.push_back({way.title, way.seconds});
  }
  result.chart.title = "Time of a task over its size";
  result.chart.x = {.title = "elements of a task", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  const auto each = [&](std::size_t way) { return valueText(rounded(all[way].seconds.front()), "s"); };
  if (!bench.cuda) {
    result.notes.push_back("No CUDA device, so no launches and no graphs: " + bench.no_cuda);
    const auto pays = crossing(sizes, all[1].seconds, all[0].seconds);
    result.finding =
        fmt::format("On this machine a parallel loop over a small task takes {}, a plain loop {}", each(1), each(0)) +
        (pays ? fmt::format("; it pays from tasks of {} elements on.", sizeText(*pays))
              : std::string("; it pays at none of these sizes."));
    return result;
  }
  result.finding = fmt::format(
      "On this machine's GPU a small task takes {} if the program waits for each launch, {} if launches follow each "
      "other, {} in a graph, and {} if one launch does all tasks.",
      each(3), each(4), each(5), each(6));
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
