#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_text.h"
#include "app/lab/lessons/just_in_time/just_in_time_examples.h"
#include "app/lab/lessons/just_in_time/just_in_time_ways.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timing.h"
#include "sims/core/describe.h"

namespace simscope::lab::just_in_time {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kLongest = 0.08;  // runs that would take longer are left out: about nine are made
constexpr std::size_t kWindow = 300;

struct Parameters {
  std::string kernel = "quadratic";
  int largest = 10'000'000;
  int per_decade = 2;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      Binding<Parameters>()
          .text(
              &Parameters::kernel, "kernel",
              {.title = "Kernel",
               .help =
                   "The new value of an element, from its numbers a, b, c, its index i, and the number n of elements: "
                   "an expression, or statements with ';' between them: x = a*a; repeat (20) { x = (x + b/x) / 2 } out "
                   "= x; also if, else, while. Or the name of an example: quadratic, saxpy, mandelbrot, endless"})
          .integer(&Parameters::largest, "largest",
                   {.title = "Most elements",
                    .minimum = 10'000,
                    .maximum = 300'000'000,
                    .scale = Scale::Log,
                    .help = "Fewer if the memory is too small; slow ways stop at smaller sizes"})
          .integer(&Parameters::per_decade, "per_decade",
                   {.title = "Sizes a decade", .minimum = 1, .maximum = 10, .help = "How many sizes are measured"});
  return all;
}

std::shared_ptr<const Work> workOf(const std::string& kernel, std::size_t n) {
  const auto work = std::make_shared<Work>();
  work->text = textOf(kernel);
  const auto start = std::chrono::steady_clock::now();
  work->program = parse(work->text);
  work->parsing = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // Spaces and remarks apart, the same text is the same source.
  for (std::size_t k = 0; k < kExamples.size() && work->example < 0; ++k) {
    if (cudaSource(parse(kExamples[k].text)) == cudaSource(work->program)) work->example = static_cast<int>(k);
  }
  if (work->example == static_cast<int>(kExamples.size()) - 1) work->example = -1;  // the endless one is not compiled
  // Evenly spread and all different: coefficients of quadratic equations with two roots.
  const auto spread = [&](std::vector<double>& into, double first, double wide, double step) {
    into.resize(n);
    for (std::size_t i = 0; i < n; ++i) into[i] = first + wide * std::fmod(static_cast<double>(i) * step, 1.0);
  };
  spread(work->a, 1, 7, 0.6180339887498949);
  spread(work->b, 10, 100, 0.7548776662466927);
  spread(work->c, -1, -12, 0.5698402909980532);
  return work;
}

// The results of a plain interpreter at the beginning, in the middle, and at the end.
struct Expected {
  std::vector<std::size_t> from;
  std::vector<std::vector<double>> values;
  int line = 0;           // of a loop that was stopped
  double operations = 0;  // of an element, on average
};

Expected expectedOf(const Work& work, std::size_t n) {
  Expected all;
  Watch watch(kLoopSeconds);
  const std::size_t window = std::min(n, kWindow);
  for (const std::size_t from : {std::size_t{0}, (n - window) / 2, n - window}) {
    all.from.push_back(from);
    std::vector<double>& values = all.values.emplace_back();
    for (std::size_t i = from; i < from + window && watch.line == 0; ++i) {
      values.push_back(interpret(work.program, work.inputs(n), i, watch, &all.operations));
    }
  }
  all.line = watch.line;
  all.operations /= 3.0 * static_cast<double>(window);
  return all;
}

// One in two hundred may differ if rounding decides a branch; none otherwise.
void requireElements(const Executor& way, const Work& work, const Expected& expected) {
  std::size_t wrong = 0, looked = 0;
  std::string first;
  for (std::size_t w = 0; w < expected.from.size(); ++w) {
    const std::vector<double>& wanted = expected.values[w];
    std::vector<double> got(wanted.size());
    way.fetch(got.data(), expected.from[w], got.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      ++looked;
      const bool same = got[k] == wanted[k] || (std::isnan(got[k]) && std::isnan(wanted[k]));
      if (same || std::abs(got[k] - wanted[k]) <= 1e-9 * std::max(1.0, std::abs(wanted[k]))) continue;
      if (wrong++ == 0) first = fmt::format("{} at {}, not {}", got[k], expected.from[w] + k, wanted[k]);
    }
  }
  const double allowed = work.program.branches ? static_cast<double>(looked) / 200 : 0;
  const std::string what = wrong == 0 ? way.title : fmt::format("{} ({}), counting what is wrong,", way.title, first);
  requireValue(what, static_cast<double>(wrong), 0, allowed);
}

struct Measured {
  Curve curve;
  double n = 0, seconds = 0;  // at the most elements that it reached
  double one = std::nan("");  // seconds of a single element
  std::string note = {};
};

void measureWay(const Bench& bench, const Executor& way, const Work& work, const Expected& expected, std::size_t n,
                Measured& into) {
  const double none = std::nan(""), count = static_cast<double>(n);
  if (!into.note.empty() || (into.n > 0 && into.seconds / into.n * count > kLongest)) {
    into.curve.values.push_back(none);
    return;
  }
  bench.check();
  way.device->run([&] {
    if (const int line = way.watched(n); line != 0) {
      into.note = fmt::format("stopped with {} elements: the loop of line {} took more than {} s", sizeText(count),
                              std::max(line, 1), kLoopSeconds);
      into.curve.values.push_back(none);
      return;
    }
    requireElements(way, work, expected);
    into.seconds = secondsOf(*way.device, bench.check, [&] { way.run(n); });
    into.n = count;
    into.curve.values.push_back(into.seconds);
  });
}

// A kernel whose loops do not end: how long it took until each way was stopped.
Result stopped(const Bench& bench, const std::vector<Executor>& ways, Result result) {
  using Clock = std::chrono::steady_clock;
  result.columns = {{"Ready after", "s"}, {"Stopped after", "s"}, {"In line"}};
  Curve curve{"stopped after", {}};
  double longest = 0;
  for (const Executor& way : ways) {
    if (way.compiled) continue;
    bench.check();
    way.device->run([&] {
      const auto start = Clock::now();
      const int line = way.watched(static_cast<std::size_t>(kSmallest));
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      longest = std::max(longest, seconds);
      result.rows.push_back({way.title, {way.ready, seconds, line > 0 ? 1.0 * line : std::nan("")}});
      result.chart.names.push_back(way.title);
      curve.values.push_back(seconds);
    });
  }
  result.chart.title = "Time until the loop was stopped";
  result.chart.y = {.title = "time", .unit = "s"};
  result.chart.curves = {curve};
  result.finding = fmt::format(
      "The kernel's loop does not end: each way of running it was stopped, the last after {}, and the machine works as "
      "before.",
      valueText(rounded(longest), "s"));
  return result;
}

std::string findingOf(const std::vector<Executor>& ways, const std::vector<Measured>& measured, const Work& work) {
  const auto each = [&](std::size_t w) { return measured[w].seconds / measured[w].n; };
  const auto placeOf = [&](const auto& which) {
    for (std::size_t w = ways.size(); w > 0; --w) {  // of one thread and all threads, the latter
      if (which(ways[w - 1]) && measured[w - 1].n > 0) return w - 1;
    }
    return ways.size();
  };
  const std::size_t none = ways.size();
  const std::size_t interpreted = placeOf([](const Executor& way) { return way.interpreted; });
  const std::size_t here = placeOf([](const Executor& way) { return way.compiled && !way.device->isCuda(); });
  const std::size_t before = placeOf([](const Executor& way) { return way.compiled && way.device->isCuda(); });
  const std::size_t typed = placeOf([](const Executor& way) { return way.just_in_time; });
  if (interpreted == none) return "On this machine every way of running this kernel was stopped.";
  if (typed == none) {
    std::string text =
        fmt::format("All threads of this machine's CPU interpret {} elements of the typed kernel a second",
                    sizeText(1 / each(interpreted)));
    return text + (here == none
                       ? std::string(".")
                       : fmt::format("; compiled, they are {}.", timesAs(each(interpreted) / each(here), "fast")));
  }
  std::string text =
      fmt::format("On this machine a typed kernel is ready after {}", valueText(rounded(ways[typed].ready), "s"));
  if (before != none) {
    text += fmt::format(", and then takes {} as the one compiled with the program",
                        timesAs(each(typed) / each(before), "long"));
  }
  text += fmt::format("; it is {} as interpreting the same text on all threads of the CPU",
                      timesAs(each(interpreted) / each(typed), "fast"));
  const double gained = each(interpreted) - each(typed);
  if (gained > 0) {
    text += fmt::format(", so compiling pays from {} elements on", sizeText(ways[typed].ready / gained));
  }
  return text + (work.program.loops ? "; its loops are watched." : ".");
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  constexpr double kHeld = 4 * 8;  // bytes an element in each device's memory, twice on the CPU's
  const double largest = fitting(bench, p.largest, {.host = 6 * kHeld, .gpu = 2 * kHeld});
  const std::vector<double> sizes = sizesBetween(kSmallest, std::max(largest, 2 * kSmallest), p.per_decade);
  const std::shared_ptr<const Work> work = workOf(p.kernel, static_cast<std::size_t>(sizes.back()));

  Result result;
  std::vector<Executor> ways;
  addInterpreters(ways, bench, work);
  addKernels(ways, bench, work, result.notes);
  Expected expected = expectedOf(*work, static_cast<std::size_t>(kSmallest));
  if (expected.line != 0) return stopped(bench, ways, std::move(result));

  std::vector<Measured> measured;
  for (const Executor& way : ways) {
    Measured& one = measured.emplace_back();
    one.curve.title = way.title;
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto n = static_cast<std::size_t>(sizes[k]);
    if (expected.line == 0) expected = expectedOf(*work, n);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (expected.line != 0) {
        measured[w].note =
            fmt::format("with {} elements the loop of line {} is stopped", sizeText(sizes[k]), expected.line);
      }
      measureWay(bench, ways[w], *work, expected, n, measured[w]);
    }
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  result.columns = {{"Ready after", "s"}, {"One element", "s"},   {"Elements"},
                    {"Time", "s"},        {"Rate", "elements/s"}, limitShare("Share of the roof")};
  const double arrays =
      1.0 + static_cast<double>(std::count(work->program.reads.begin(), work->program.reads.begin() + kInputs, true));
  for (std::size_t w = 0; w < ways.size(); ++w) {
    Measured& one = measured[w];
    const Limits& limits = bench.limitsOf(ways[w].device);
    const double roof = std::max(8 * arrays / limits.bytes_per_second, expected.operations / limits.twice());
    const double none = std::nan("");
    if (one.n == 0) {
      result.rows.push_back({ways[w].title, {ways[w].ready, none, none, none, none, none}, one.note});
      continue;
    }
    ways[w].device->run([&] { one.one = secondsOf(*ways[w].device, bench.check, [&] { ways[w].run(1); }); });
    result.rows.push_back(
        {ways[w].title,
         {ways[w].ready, one.one, one.n, one.seconds, one.n / one.seconds, roof * one.n / one.seconds},
         one.note});
    if (8 * arrays / limits.bytes_per_second > expected.operations / limits.twice()) {
      result.rows.back().headroom = headroomOf(ways[w].device, 8 * arrays * one.n);
    }
    result.chart.curves.push_back(one.curve);
  }
  result.chart.title = "Time of the typed kernel over its elements";
  result.chart.setDecades({.title = "elements"}, sizes.front(), sizes.back(), {.title = "time", .unit = "s"});
  if (work->example < 0) {
    result.notes.push_back(
        "This kernel was not compiled in advance; quadratic, saxpy, and mandelbrot were, for comparison.");
  }
  result.finding = findingOf(ways, measured, *work);
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "just_in_time",
      .title = "Compiled just in time",
      .text =
          "A typed formula can be interpreted for each element, which costs more than the arithmetic, or compiled "
          "once, while the program runs: NVRTC turns source into a kernel for this GPU, which is then as fast as one "
          "compiled with the program. Compiling takes a moment, so it pays from some number of elements on. Code from "
          "others must not do harm. The language here is small: it has only numbers, and is translated before it is "
          "compiled. It has no pointers and no indices, reaches only its own element of its own arrays, and its loops "
          "check a clock: an endless loop is stopped.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::just_in_time
