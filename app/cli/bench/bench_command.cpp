// bench: the cost of a time step, and the least time that the device needs for its memory traffic or arithmetic.
#include "app/cli/bench/batches.h"
#include "app/cli/bench/bench.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "app/cli/bench/live_measure.h"
#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/report.h"
#include "app/cli/report_file.h"
#include "sims/core/machine_limit.h"
#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Measurement {
  const Description* description = nullptr;
  compute::DeviceInfo device;
  std::string method;
  std::string preset;  // empty: none
  ParameterSet parameters;
  Throughput throughput;
  std::int64_t steps = 0;  // measured
  double step_us = 0;      // median over batches
  // The same from the end of the preset on, if that is later than these steps and soon reached: a step may take longer
  // when bodies have clustered.
  std::optional<double> late_us;
  std::int64_t late_from = 0;  // step
  // Lower limits of a step: a copy of as many bytes as it must move, and as many lane instructions as it must make.
  std::optional<double> copy_us, lanes_us;
  double copy_bytes_per_second = 0, lane_operations_per_second = 0;
  std::optional<LiveMeasurement> live;

  std::optional<double> limitUs() const {
    return std::max(copy_us, lanes_us);
  }  // nullopt compares less than any number
  const char* limit() const { return lanes_us > copy_us ? "arithmetic" : "memory"; }
};

// The size of the simulation; nullopt if it has none.
std::optional<std::int64_t> sizeOf(const Measurement& m) {
  for (const std::string& key : {m.description->size_key, std::string("grid_points"), std::string("bodies")}) {
    for (const ParameterInfo& info : *m.description->parameters) {
      if (info.key == key && info.kind == Kind::Integer) return m.parameters.integer(key);
    }
  }
  return std::nullopt;
}

double elapsedMs(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

// The step that ends the preset's animation; 0 where the scene has no preset.
std::int64_t lastStepOf(const Scene& scene) {
  for (const Preset& each : scene.description->presets) {
    if (each.key == scene.preset) return std::int64_t{each.frames} * each.steps_per_frame;
  }
  return 0;
}

Measurement measure(const Scene& scene, const compute::DevicePtr& device) {
  constexpr double kBatch = 0.025, kTotal = 0.5, kMostReplayMs = 10'000;
  constexpr std::int64_t kMostInBatch = 1'000'000;
  Measurement result;
  result.description = scene.description;
  result.device = device->info();
  result.preset = scene.preset;
  result.parameters = scene.parameters;
  device->run([&] {
    Stepper stepper(*scene.description, device, result.parameters, 1);
    const Throughput told = stepper.simulation().throughput();
    const bool apart = told.only_last_step_costs;
    // The step at which measured runs end; 0: they do not end.
    const std::int64_t rest = told.comes_to_rest ? lastStepOf(scene) : 0;
    const auto batchMs = [&](std::int64_t n) {
      throwIfStopped();
      if (rest > 0 && stepper.simulation().steps() + n > rest) stepper.reset(1);
      return device->timed([&] {
        if (!apart) return stepper.step(static_cast<int>(n));
        for (std::int64_t i = 0; i < n; ++i) stepper.step(1);
      });
    };
    const auto timed = [&](std::int64_t n) { return 1e-3 * batchMs(n); };
    const std::int64_t batch = fullBatch(kBatch, 1, rest > 0 ? std::min(kMostInBatch, rest) : kMostInBatch, timed);
    stepper.verify();
    stepper.reset(1);
    std::int64_t steps = 0;
    const auto stepUs = [&] {
      const StepCost cost = costOfBatches(batch, kTotal, timed);
      steps += cost.steps;
      stepper.verify();
      return 1e6 * cost.seconds;
    };
    result.step_us = stepUs();
    result.steps = steps;
    result.late_from = lastStepOf(scene);
    if (rest > 0) steps = result.late_from + 1;  // no late time if whole runs are measured
    const Clock::time_point start = Clock::now();
    while (steps < result.late_from && elapsedMs(start) < kMostReplayMs) {
      const std::int64_t left = result.late_from - steps;
      if (static_cast<double>(left) * result.step_us * 1e-3 > kMostReplayMs) break;
      const std::int64_t some = std::min(batch, left);
      batchMs(some);
      steps += some;
    }
    if (steps == result.late_from) result.late_us = stepUs();
    result.method = stepper.simulation().method();
    result.throughput = stepper.simulation().throughput();
  });
  const MachineLimit limit = measureLimit(device, result.throughput, throwIfStopped);
  result.copy_bytes_per_second = limit.copy_bytes_per_second;
  result.lane_operations_per_second = limit.lane_operations_per_second;
  result.copy_us = limit.copyUs(result.throughput);
  result.lanes_us = limit.lanesUs(result.throughput);
  return result;
}

double workPerSecond(const Measurement& m) {
  return m.throughput.work_per_step / (m.step_us * 1e-6);
}

Json liveJson(const LiveMeasurement& live) {
  return {{"step_us", number(live.step_us)},
          {"steps", live.steps},
          {"pictures_per_second", number(live.pictures_per_second)},
          {"picture_ms", number(live.picture_ms)},
          {"diagnostics_ms", number(live.diagnostics_ms)},
          {"watch_ms", number(live.watch_ms)}};
}

Json measurementJson(const Measurement& m) {
  Json parameters = Json::object();
  for (std::size_t i = 0; i < m.parameters.size(); ++i) {
    parameters[m.parameters.infos()[i].key] = toText(m.parameters[i]);
  }
  const std::optional<double> limit_us = m.limitUs();
  const std::optional<std::int64_t> size = sizeOf(m);
  const auto orNull = [](bool known, double value) { return known ? number(value) : Json(nullptr); };
  return {{"simulation", m.description->id},
          {"device", m.device.id},
          {"device_name", m.device.name},
          {"threads", m.device.threads},
          {"preset", m.preset},
          {"method", m.method},
          {"size", size ? Json(*size) : Json(nullptr)},
          {"parameters", parameters},
          {"steps", m.steps},
          {"step_us", number(m.step_us)},
          {"late_step_us", orNull(m.late_us.has_value(), m.late_us.value_or(0))},
          {"late_from_step", m.late_us ? Json(m.late_from) : Json(nullptr)},
          {"throughput", number(workPerSecond(m))},
          {"throughput_unit", m.throughput.unit},
          {"bytes_per_step", number(m.throughput.bytes_per_step)},
          {"flops_per_step", number(m.throughput.flops_per_step)},
          {"lane_operations_per_step", number(m.throughput.lane_operations_per_step)},
          {"copy_bytes_per_second", orNull(m.copy_us.has_value(), m.copy_bytes_per_second)},
          {"lane_operations_per_second", orNull(m.lanes_us.has_value(), m.lane_operations_per_second)},
          {"limit", limit_us ? Json(m.limit()) : Json(nullptr)},
          {"limit_us", orNull(limit_us.has_value(), limit_us.value_or(0))},
          {"ratio", orNull(limit_us.has_value(), m.step_us / limit_us.value_or(1))},
          {"live", m.live ? liveJson(*m.live) : Json(nullptr)}};
}

std::string liveText(const std::vector<Measurement>& all) {
  Table table;
  table.row({"SIMULATION", "PRESET", "SIZE", "STEP", "LIVE", "RATIO", "PICTURES", "A PICTURE", "DIAGNOSTICS", "WATCH"});
  bool any = false;
  for (const Measurement& m : all) {
    if (!m.live) continue;
    any = true;
    const std::optional<std::int64_t> size = sizeOf(m);
    table.row({m.description->id, m.preset.empty() ? "–" : m.preset, size ? std::to_string(*size) : "–",
               fmt::format("{:.4g} µs", m.step_us), fmt::format("{:.4g} µs", m.live->step_us),
               fmt::format("{:.2f}", m.live->step_us / m.step_us), fmt::format("{:.1f}/s", m.live->pictures_per_second),
               fmt::format("{:.2f} ms", m.live->picture_ms), fmt::format("{:.3g} ms", m.live->diagnostics_ms),
               fmt::format("{:.3g} ms", m.live->watch_ms)});
  }
  if (!any) return {};
  return "\n" + table.text() +
         "\nLIVE is the time of a step while the run plays at its preset's pace, with at most 60 pictures of 1280×800 "
         "a "
         "second.\nA PICTURE is the time to draw one. DIAGNOSTICS and WATCH (the search for NaN) together may use a "
         "tenth of the time.\n";
}

std::string measurementsText(const std::vector<Measurement>& all) {
  Table table;
  table.row({"SIMULATION", "SIZE", "METHOD", "STEP", "LATE", "THROUGHPUT", "LIMIT", "RATIO"});
  for (const Measurement& m : all) {
    const std::optional<double> limit_us = m.limitUs();
    const std::optional<std::int64_t> size = sizeOf(m);
    table.row({m.description->id, size ? std::to_string(*size) : "–", m.method, fmt::format("{:.4g} µs", m.step_us),
               m.late_us ? fmt::format("{:.4g} µs", *m.late_us) : "–", rateText(workPerSecond(m), m.throughput.unit),
               limit_us ? fmt::format("{:.3g} µs ({})", *limit_us, m.limit()) : "– (on chip)",
               limit_us ? fmt::format("{:.2f}", m.step_us / *limit_us) : "–"});
  }
  std::string out =
      fmt::format("{} ({}, {} {})\n\n{}", all.front().device.id, all.front().device.name, all.front().device.threads,
                  all.front().device.backend == compute::Backend::Cuda ? "multiprocessors" : "threads", table.text());
  out +=
      "\nSTEP is the median of batches over half a second, with each simulation's first preset unless another is "
      "chosen.\n"
      "LATE is the same at the preset's end, if that comes after those steps and can be reached within ten seconds.\n"
      "LIMIT is the longer of two times measured in this run: the time to copy as many bytes as a step must move\n"
      "through memory, and the time of as many multiply-adds as a step has instructions.\n";
  return out + liveText(all);
}

// Refuses two modes at once.
void requireOneWay(const BenchRequest& request) {
  std::vector<std::string> ways;
  if (request.start) ways.push_back("--start");
  if (request.live) ways.push_back("--live");
  if (request.devices) ways.push_back("--devices");
  if (ways.size() > 1) throw UsageError(fmt::format("{} and {} do not go together", ways[0], ways[1]));
}

void bench(const BenchRequest& request, Program& program) {
  requireOwnFiles({}, {request.json}, request.force);
  if (request.devices) program.team.join("bench");
  requireOneWay(request);
  if (request.start) return benchStart(request, program.device);
  if (request.devices) return benchDevices(request, program);
  const std::vector<Scene> scenes = benchScenes(request);
  requireOneDevice(program.device.spec, "simscope bench");
  ReportFile report(request.json, request.force);

  const compute::DevicePtr device = openDevice(program.device);
  std::vector<Measurement> all;
  for (const Scene& scene : scenes) {
    all.push_back(measure(scene, device));
    if (request.live) all.back().live = measureLive(scene, device->info().id, program.device.threads);
  }

  Json entries = Json::array();
  for (const Measurement& each : all) entries.push_back(measurementJson(each));
  report.finish(entries, measurementsText(all));
}

}  // namespace

void addBench(Program& program) {
  auto [options, request] = program.add("bench", "Measures the cost of a time step", bench);
  options.app.add_option("SIM", request.simulations, "Simulations [all]")->type_name("");
  options.text("--preset", "NAME", request.preset, "Parameters to start from; needs exactly one SIM");
  options.repeated("--set", "KEY=VALUE", request.set, "Changes one parameter of SIM; may be repeated");
  options.repeated("--size", "N", request.sizes, "Measures SIM at this size; may be repeated");
  options.flag("--live", request.live,
               "Also plays each run as the window does, with pictures, and measures the step there");
  options.flag("--start", request.start, R"(Instead: measures the time from the start of the program to the window's
first picture, and to the first moving picture, on the present display)");
  options.flag("--devices", request.devices, R"(Instead, under mpirun: measures the link between the ranks' devices,
and steps on one device and on all)");
  const auto moved = [](const std::vector<std::string>&) {
    throw UsageError("bench --model is now a script of the sources: python3 docs/scaling.py FILE [--chart FILE.svg]");
  };
  options.app.add_option_function<std::vector<std::string>>("--model", moved)->group("");  // not listed
  options.device();
  options.text("--json", "FILE", request.json, "Writes the measurements as JSON; - for standard output");
  options.force(request.force);
}

}  // namespace simscope::cli
