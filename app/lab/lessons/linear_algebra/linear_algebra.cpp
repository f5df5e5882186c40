#include "app/lab/lessons/linear_algebra/linear_algebra.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/device_lost.h"

namespace simscope::lab::linear_algebra {
namespace {

constexpr double kSmallest = 32, kTolerance = 1e-12;
// Calls that would take longer are left out: each is the median of nine.
constexpr double kLongest = 0.12;

struct Parameters {
  int largest = 2048;
  int per_decade = 3;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Largest matrix",
                                .minimum = 64,
                                .maximum = 8192,
                                .help = "Rows and columns; slow questions stop at smaller sizes"});
  return all;
}

const char* nameOf(Task task) {
  switch (task) {
    case Task::Eigen:
      return "eigenvalues and vectors";
    case Task::Svd:
      return "singular values and vectors";
    case Task::Solve:
      return "solution of a system";
    case Task::Inverse:
      return "inverse";
    case Task::Determinant:
      return "determinant";
  }
  return "";
}

// Of factorisations by elimination, whose operations have one number; none otherwise.
double operations(Task task, double n) {
  if (task == Task::Eigen || task == Task::Svd) return std::nan("");
  return (task == Task::Inverse ? 2 : 2.0 / 3) * n * n * n;
}

struct Way {
  Task task;
  compute::DevicePtr device;
  std::string title;
  std::vector<double> seconds = {};
  double n = 0, last = 0, error = 0;  // at the largest size that it reached
  double fastest =
      std::numeric_limits<double>::infinity();  // seconds over n³, of all sizes: a single time may be disturbed
};

void measureWay(const Bench& bench, Way& way, Solver& solver, int n) {
  const double cubed = std::pow(n, 3);
  if (way.n > 0 && way.fastest * cubed > kLongest) {
    way.seconds.push_back(std::nan(""));
    return;
  }
  const Problem p = problem(way.task, n);
  Answer answer;
  way.last = hostSecondsOf(bench.check, [&] { solver.solve(p, answer); });
  way.error = residual(p, answer);
  requireRight(way.error <= kTolerance,
               fmt::format("{}: the answer is wrong (n = {}, residual {:.2g})", way.title, n, way.error));
  way.n = n;
  way.fastest = std::min(way.fastest, way.last / cubed);
  way.seconds.push_back(way.last);
}

std::string found(const std::vector<Way>& ways, const std::vector<double>& sizes, bool gpu) {
  constexpr std::size_t kSolve = 2, kInverse = 3, kEigen = 0;
  // At the largest size that all of them reached.
  const double n = std::min({ways[kSolve].n, ways[kInverse].n, ways[kEigen].n});
  const auto at = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), n) - sizes.begin());
  const auto against = [&](std::size_t way) { return ways[way].seconds[at] / ways[kSolve].seconds[at]; };
  std::string text = fmt::format(
      "On this machine's CPU the inverse of a matrix of {:.0f} rows takes {} as a solution, and its eigenvalues with "
      "their vectors {}",
      n, timesAs(against(kInverse), "long"), timesAs(against(kEigen), "long"));
  if (!gpu || ways.size() <= kTasks.size()) return text + ".";
  text += "; the GPU, to which the matrix must be sent, pays";
  for (const std::size_t task : {kSolve, kEigen}) {
    const Way &cpu = ways[task], &there = ways[task + kTasks.size()];
    std::vector<double> x, a, b;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (!std::isfinite(cpu.seconds[k]) || !std::isfinite(there.seconds[k])) continue;
      x.push_back(sizes[k]);
      a.push_back(there.seconds[k]);
      b.push_back(cpu.seconds[k]);
    }
    const auto from = crossing(x, a, b);
    text += task == kEigen ? " and for " : " for ";
    text += task == kEigen ? "eigenvalues " : "solutions ";
    text += from ? fmt::format("from {} rows on", sizeText(*from)) : std::string("at none of the sizes timed on both");
  }
  return text + ".";
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const std::vector<double> sizes = sizesBetween(kSmallest, p.largest, p.per_decade);
  Result result;
  std::vector<Way> ways;
  for (const Task task : kTasks) ways.push_back({task, bench.cpu, std::string("CPU, ") + nameOf(task)});
  bool gpu = bench.cuda != nullptr;
  if (gpu) {
    try {
      (void)makeCusolver(bench.cuda, 2);
    } catch (const compute::DeviceLost&) {
      throw;
    } catch (const Error& error) {
      gpu = false;
      result.notes.push_back(std::string("No cuSOLVER: ") + error.what());
    }
  } else {
    result.notes.push_back("No CUDA device: " + bench.no_cuda);
  }
  if (gpu) {
    for (const Task task : kTasks) ways.push_back({task, bench.cuda, std::string("GPU, ") + nameOf(task)});
  }
  const std::unique_ptr<Solver> lapack = makeLapack();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const int n = static_cast<int>(sizes[k]);
    const std::unique_ptr<Solver> cusolver = gpu ? makeCusolver(bench.cuda, n) : nullptr;
    for (Way& way : ways) measureWay(bench, way, way.device->isCuda() ? *cusolver : *lapack, n);
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  result.columns = {{"Largest"}, {"Time", "s"}, {"Rate", "FLOP/s"}, {"Of the float64 limit", "%", true}, {"Residual"}};
  for (const Way& way : ways) {
    const double rate = carried(operations(way.task, way.n) / way.last, way.last);
    const double limit = bench.arithmeticOf(way.device, Format::Float64);
    result.rows.push_back({way.title, {way.n, way.last, rate, rate / limit, way.error}});
    result.chart.curves.push_back({way.title, way.seconds});
  }
  result.chart.title = "Time over the matrix's size";
  result.chart.x = {.title = "rows", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  result.finding = found(ways, sizes, gpu);
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "linear_algebra",
      .title = "Linear algebra",
      .text =
          "Five questions about a matrix of n rows: all take about n³ operations, but their times differ widely. "
          "Systems of equations, determinants, and inverses come from an elimination, which is mostly products of "
          "blocks and uses a processor well. Eigenvalues and singular values first need the matrix in a narrow form, "
          "which takes products with vectors: these wait for memory. The solution of a system does not need the "
          "inverse. LAPACK runs on the CPU, cuSOLVER on the GPU, both in float64, with matrix and result in the host's "
          "memory. Each answer is inserted into its question: the residual is the difference.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::linear_algebra
