#include "app/lab/lessons/linear_algebra/linear_algebra.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"

namespace simscope::lab::linear_algebra {
namespace {

constexpr double kSmallest = 32, kTolerance = 1e-12;
// Calls that would take longer are left out: each is the median of nine.
constexpr double kLongest = 0.12;

using Parameters = knobs::Sizes<2048, 3>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Largest matrix",
                                .minimum = 64,
                                .maximum = 8192,
                                .help = "Rows and columns; slow questions stop at smaller sizes"});
  return all;
}

const char* nameOf(Question question) {
  switch (question) {
    case Question::Eigen:
      return "eigenvalues and vectors";
    case Question::Svd:
      return "singular values and vectors";
    case Question::Solve:
      return "solution of a system";
    case Question::Inverse:
      return "inverse";
    case Question::Determinant:
      return "determinant";
  }
  return "";
}

// Of factorisations by elimination, whose operations have one number; none otherwise.
double operations(Question question, double n) {
  if (question == Question::Eigen || question == Question::Svd) return std::nan("");
  return (question == Question::Inverse ? 2 : 2.0 / 3) * n * n * n;
}

// residual_found: receives the residual of each answer.
Way wayOf(Question question, const compute::DevicePtr& device, double& residual_found) {
  const std::string title = std::string(device->isCuda() ? "GPU, " : "CPU, ") + nameOf(question);
  const auto prepare = [question, device, title, &residual_found](std::size_t rows) {
    const int n = static_cast<int>(rows);
    const auto asked = std::make_shared<Problem>(problem(question, n));
    const auto answer = std::make_shared<Answer>();
    const std::shared_ptr<Solver> solver = device->isCuda() ? makeCusolver(device, n) : makeLapack();
    const auto check = [=, &residual_found] {
      residual_found = residual(*asked, *answer);
      requireRight(residual_found <= kTolerance,
                   fmt::format("{}: the answer is wrong (n = {}, residual {:.2g})", title, n, residual_found));
    };
    return Task{.run = [=] { solver->solve(*asked, *answer); }, .check = check};
  };
  return {.title = title, .device = device, .prepare = prepare, .longest = kLongest, .timed_by = TimedBy::Host};
}

std::string findingOf(const Sweep& sweep) {
  constexpr std::size_t kSolve = 2, kInverse = 3, kEigen = 0;
  const std::vector<Way>& ways = sweep.ways;
  // At the largest size that all of them reached.
  const std::size_t at = std::min({ways[kSolve].last(), ways[kInverse].last(), ways[kEigen].last()});
  const auto against = [&](std::size_t way) { return ways[way].seconds[at] / ways[kSolve].seconds[at]; };
  std::string text = fmt::format(
      "On this machine's CPU the inverse of a matrix of {:.0f} rows takes {} as a solution, and its eigenvalues with "
      "their vectors {}",
      sweep.sizes[at], timesAs(against(kInverse), "long"), timesAs(against(kEigen), "long"));
  if (ways.size() <= kQuestions.size()) return text + ".";
  text += "; the GPU, to which the matrix must be sent, pays";
  for (const std::size_t question : {kSolve, kEigen}) {
    const Way &cpu = ways[question], &gpu = ways[question + kQuestions.size()];
    std::vector<double> x, a, b;
    for (std::size_t k = 0; k < sweep.sizes.size(); ++k) {
      if (!std::isfinite(cpu.seconds[k]) || !std::isfinite(gpu.seconds[k])) continue;
      x.push_back(sweep.sizes[k]);
      a.push_back(gpu.seconds[k]);
      b.push_back(cpu.seconds[k]);
    }
    const auto from = crossing(x, a, b);
    text += question == kEigen ? " and for eigenvalues " : " for solutions ";
    text += from ? fmt::format("from {} rows on", sizeText(*from)) : std::string("at none of the sizes timed on both");
  }
  return text + ".";
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Result result;
  result.noteLackOfCuda(bench);
  std::vector<compute::DevicePtr> devices = {bench.cpu};
  if (bench.cuda && usable(result.notes, "No cuSOLVER", [&] { (void)makeCusolver(bench.cuda, 2); })) {
    devices.push_back(bench.cuda);
  }
  Sweep sweep{.sizes = sizesBetween(kSmallest, p.largest, p.per_decade), .power = 3};
  std::vector<double> residuals(kQuestions.size() * devices.size());
  for (const compute::DevicePtr& device : devices) {
    for (const Question question : kQuestions) {
      sweep.ways.push_back(wayOf(question, device, residuals[sweep.ways.size()]));
    }
  }
  sweep.time(bench);

  result.columns = {{"Largest"}, {"Time", "s"}, {"Rate", "FLOP/s"}, limitShare("Of the float64 limit"), {"Residual"}};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const std::size_t index = sweep.indexOf(way);
    const double rate = carried(operations(kQuestions[index % kQuestions.size()], n) / seconds, seconds);
    return Row{way.title, {n, seconds, rate, rate / bench.arithmeticOf(way.device, Format::Float64), residuals[index]}};
  });
  sweep.drawTimes(result.chart, "Time over the matrix's size", {.title = "rows"});
  result.finding = findingOf(sweep);
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
