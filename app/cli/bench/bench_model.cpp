#include "app/cli/bench/bench_model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "app/cli/bench/scaling_chart.h"
#include "app/cli/bench/scaling_model.h"
#include "app/cli/output.h"
#include "app/export/files.h"
#include "sims/core/registry.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"

namespace simscope::cli {
namespace {

constexpr std::size_t kMostFileBytes = 16u << 20;
constexpr int kMostRanks = 1 << 20;

struct Asked {
  std::vector<int> ranks;
  std::vector<std::int64_t> sizes;  // empty: the measured ones
  Network network;
};

// "25e9,5e-6": bytes a second of one device each way, and seconds.
void readNetwork(const std::string& text, Network& network) {
  const auto comma = text.find(',');
  if (comma == std::string::npos) {
    throw UsageError("--network: give the rate of one device each way and the latency: 50e9,5e-6 (bytes/s, s)");
  }
  network.bandwidth = readReal("--network, rate", text.substr(0, comma), 1, 1e15);
  network.latency = readReal("--network, latency", text.substr(comma + 1), 0, 10);
}

Asked askedOf(const BenchArguments& arguments) {
  Asked asked;
  for (const std::string& each : arguments.ranks) {
    asked.ranks.push_back(static_cast<int>(readInteger("--ranks", each, 1, kMostRanks)));
  }
  if (asked.ranks.empty()) asked.ranks = {1, 2, 4, 8, 64, 1024, 16384};
  std::sort(asked.ranks.begin(), asked.ranks.end());
  for (const std::string& each : arguments.sizes) {
    asked.sizes.push_back(readInteger("--size", each, 1, 1'000'000'000'000));
  }
  // Eight devices of a machine, each with a network card of 400 Gbit/s.
  asked.network = {.devices = 8, .latency = 5e-6, .bandwidth = 50e9};
  if (arguments.machine_devices) {
    asked.network.devices =
        static_cast<int>(readInteger("--machine-devices", *arguments.machine_devices, 1, kMostRanks));
  }
  if (arguments.network) readNetwork(*arguments.network, asked.network);
  return asked;
}

// The largest number of parts of such a run; nullopt: any number, or a size that the simulation does not accept.
std::optional<int> mostParts(const Description& description, std::int64_t size) {
  if (!description.decomposition.most_ranks) return std::nullopt;
  ParameterSet parameters = description.preset(description.presets.front().key);
  try {
    parameters.set(description.size_key, Value(size));
  } catch (const ParameterError&) {
    return std::nullopt;
  }
  return description.decomposition.most_ranks(parameters);
}

struct Line {
  std::int64_t size = 0;
  int ranks = 1;
  Estimate estimate;
  double speed_up = 1;
  double weak = 1;        // efficiency where each device keeps the work that one has of this size
  bool too_many = false;  // parts
};

// The largest part of a step.
const char* limitOf(const ScalingModel& model, const Estimate& e) {
  if (e.computing >= e.link && e.computing >= model.start() + model.share()) return "computing";
  return e.link >= model.start() + model.share() ? "the link" : "fixed cost";
}

std::vector<Line> linesOf(const ScalingModel& model, const Description& description, std::int64_t size,
                          const std::vector<int>& ranks, const Network& network) {
  std::vector<Line> lines;
  const double alone = model.at(size, 1).seconds;
  const std::optional<int> most = mostParts(description, size);
  for (const int each : ranks) {
    Line line{.size = size, .ranks = each, .estimate = model.at(size, each, network)};
    line.speed_up = alone / line.estimate.seconds;
    line.weak = alone / model.at(model.sizeFor(size, each), each, network).seconds;
    line.too_many = most && each > *most;
    lines.push_back(line);
  }
  return lines;
}

// "more devices make it slower from 512 on": of the powers of two.
std::string whereItStops(const ScalingModel& model, const Description& description, std::int64_t size,
                         const Network& network) {
  const double alone = model.at(size, 1).seconds;
  const std::optional<int> most = mostParts(description, size);
  int half = 0, fastest = 1;
  double least = alone;
  int last = 1;
  for (int ranks = 2; ranks <= kMostRanks && (!most || ranks <= *most); ranks *= 2) {
    const double seconds = model.at(size, ranks, network).seconds;
    last = ranks;
    if (half == 0 && alone / seconds < 0.5 * ranks) half = ranks;
    if (seconds < least * 0.999) least = seconds, fastest = ranks;
  }
  std::string text = half > 0 ? fmt::format("less than half of each device is used from {} devices on", half)
                              : std::string("each device is at least half used");
  if (fastest < last) {
    text += fmt::format(", more than {} devices are no faster", fastest);
  } else if (most && last * 2 > *most) {
    text += fmt::format(", and the run has at most {} parts", *most);
  }
  return text;
}

std::vector<std::int64_t> sizesOf(const std::vector<ScalingPoint>& series, const Asked& asked) {
  if (!asked.sizes.empty()) return asked.sizes;
  std::vector<std::int64_t> sizes;
  for (const ScalingPoint& each : series) {
    if (each.ranks > 1) sizes.push_back(each.size);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string nameOf(const std::vector<ScalingPoint>& series) {
  const ScalingPoint& one = series.front();
  return one.simulation + (one.series.empty() ? "" : " (" + one.series + ")");
}

std::string patternText(Pattern pattern) {
  switch (pattern) {
    case Pattern::Halo:
      return "its edge rows to two neighbours";
    case Pattern::Transpose:
      return "its part of the transposes to all others";
    case Pattern::Gather:
      return "its bodies to all others";
    case Pattern::Counts:
      return "counts";
  }
  return "";
}

std::string text(const std::vector<ScalingPoint>& series, const ScalingModel& model, const Asked& asked) {
  const Description& description = simulationById(series.front().simulation);
  std::string out = fmt::format(
      "{}\n  fitted: {} to start a step, {} on one device, {} for the division, {:.0f} % of the link hidden; each "
      "device "
      "sends {}\n",
      nameOf(series), fmt::format("{:.3g} µs", 1e6 * model.start()), rateText(model.rate(), series.front().work_unit),
      fmt::format("{:.3g} µs", 1e6 * model.share()), 100 * model.hidden(), patternText(model.pattern()));
  Table measured;
  measured.row({"SIZE", "DEVICES", "MEASURED", "MODEL", "RESIDUAL"});
  for (const Residual& each : model.residuals()) {
    measured.row({std::to_string(each.point.size), std::to_string(each.point.ranks), stepText(each.point.seconds),
                  stepText(each.model), fmt::format("{:+.1f} %", 100 * each.relative())});
  }
  out += measured.text("  ");
  if (!model.judged())
    out += "  As many parameters as points: the residuals do not test the model. Measure more sizes.\n";
  out += "\n";
  Table computed;
  computed.row({"SIZE", "DEVICES", "COMPUTED", "SPEED-UP", "EFFICIENCY", "WEAK", "LARGEST PART"});
  std::string stops;
  for (const std::int64_t size : sizesOf(series, asked)) {
    for (const Line& each : linesOf(model, description, size, asked.ranks, asked.network)) {
      const std::string weak = fmt::format("{:.0f} %", 100 * each.weak);
      if (each.too_many) {
        computed.row({std::to_string(size), std::to_string(each.ranks), "–", "–", "–", weak, "too few parts"});
        continue;
      }
      computed.row({std::to_string(size), std::to_string(each.ranks), stepText(each.estimate.seconds),
                    fmt::format("{:.4g}", each.speed_up), fmt::format("{:.0f} %", 100 * each.speed_up / each.ranks),
                    weak, limitOf(model, each.estimate)});
    }
    stops += fmt::format("  {}: {}.\n", size, whereItStops(model, description, size, asked.network));
  }
  return out + computed.text("  ") + stops;
}

Json json(const std::vector<ScalingPoint>& series, const ScalingModel& model, const Asked& asked) {
  const Description& description = simulationById(series.front().simulation);
  Json residuals = Json::array(), computed = Json::array();
  for (const Residual& each : model.residuals()) {
    residuals.push_back({{"size", each.point.size},
                         {"devices", each.point.ranks},
                         {"measured_s", number(each.point.seconds)},
                         {"model_s", number(each.model)},
                         {"relative", number(each.relative())}});
  }
  for (const std::int64_t size : sizesOf(series, asked)) {
    for (const Line& each : linesOf(model, description, size, asked.ranks, asked.network)) {
      computed.push_back({{"size", size},
                          {"devices", each.ranks},
                          {"possible", !each.too_many},
                          {"step_s", number(each.estimate.seconds)},
                          {"computing_s", number(each.estimate.computing)},
                          {"link_s", number(each.estimate.link)},
                          {"speed_up", number(each.speed_up)},
                          {"weak_efficiency", number(each.weak)}});
    }
  }
  return {{"simulation", description.id},
          {"series", series.front().series},
          {"start_s", number(model.start())},
          {"work_per_second", number(model.rate())},
          {"work_unit", series.front().work_unit},
          {"divided_s", number(model.share())},
          {"hidden", number(model.hidden())},
          {"judged", model.judged()},
          {"worst_residual", number(model.worstResidual())},
          {"residuals", residuals},
          {"computed", computed}};
}

// With what was changed of its preset: "heat 16384, scheme=adi".
std::string curveNameOf(const ScalingPoint& point, std::int64_t size) {
  const std::size_t changed = point.series.find(", ");
  return fmt::format("{} {}{}", point.simulation, size,
                     changed == std::string::npos ? "" : point.series.substr(changed));
}

}  // namespace

void benchModel(const BenchArguments& arguments) {
  const Asked asked = askedOf(arguments);
  const bool to_stdout = arguments.json && *arguments.json == "-";
  if (arguments.chart) requireChartName(*arguments.chart);
  std::optional<exporting::PendingFile> file;
  if (arguments.json && !to_stdout) file.emplace(*arguments.json, arguments.force);
  std::vector<ScalingSet> sets;
  for (const std::string& each : arguments.model) {
    sets.push_back(scalingSetOf(foreign::readFile(each, kMostFileBytes), each));
    if (sets.back().device == sets.front().device) continue;
    throw UsageError(fmt::format("{} was measured on {}, {} on {}: a model needs one kind of device",
                                 foreign::quotedFile(arguments.model.front()), sets.front().device,
                                 foreign::quotedFile(each), sets.back().device));
  }
  const auto link = std::max_element(sets.begin(), sets.end(), [](const ScalingSet& a, const ScalingSet& b) {
                      return a.link.points.size() < b.link.points.size();
                    })->link;

  std::string told = fmt::format(
      "Computed, not measured: a model of {}, linked by {} ({} and {}/s each way, both measured), fitted to the points "
      "below.\n"
      "Up to {} devices are in one machine. Between machines, {}/s per device and {} are assumed (--network, "
      "--machine-devices).\n"
      "WEAK: the efficiency of a run that grows with the number of devices, so that each device keeps the work of this "
      "size.\n\n",
      sets.front().device, link.name, stepText(link.latency()), bytesText(link.bandwidth()), asked.network.devices,
      bytesText(asked.network.bandwidth), stepText(asked.network.latency));
  Json models = Json::array();
  std::vector<ScalingCurve> curves;
  for (const std::vector<ScalingPoint>& series : seriesOf(sets)) {
    const bool wanted =
        arguments.simulations.empty() || std::find(arguments.simulations.begin(), arguments.simulations.end(),
                                                   series.front().simulation) != arguments.simulations.end();
    if (!wanted) continue;
    const ScalingModel model(series, link);
    told += text(series, model, asked) + "\n";
    models.push_back(json(series, model, asked));
    const Description& description = simulationById(series.front().simulation);
    const std::vector<std::int64_t> sizes = sizesOf(series, asked);
    for (const std::int64_t size : sizes) {
      ScalingCurve curve{.name = curveNameOf(series.front(), size),
                         .largest = size == *std::max_element(sizes.begin(), sizes.end())};
      std::vector<int> ranks;
      for (int each = 1; each <= asked.ranks.back(); each *= 2) ranks.push_back(each);
      for (const Line& each : linesOf(model, description, size, ranks, asked.network)) {
        if (!each.too_many) curve.speed_up.push_back(each.speed_up);
      }
      curves.push_back(std::move(curve));
    }
  }
  if (models.empty()) throw UsageError("none of these files has points of the named simulations");
  // The legend has room for six: draw only the largest size of each series.
  constexpr std::size_t kMostCurves = 6;
  if (curves.size() > kMostCurves) std::erase_if(curves, [](const ScalingCurve& each) { return !each.largest; });
  if (arguments.chart) writeScalingChart(curves, sets.front().device, *arguments.chart, arguments.force);
  const Json document = {
      {"device", sets.front().device},
      {"link", {{"name", link.name}, {"latency_s", number(link.latency())}, {"bandwidth", number(link.bandwidth())}}},
      {"assumed",
       {{"machine_devices", asked.network.devices},
        {"latency_s", number(asked.network.latency)},
        {"bandwidth", number(asked.network.bandwidth)}}},
      {"models", models}};
  if (file) {
    const std::string pretty_text = pretty(document);
    file->write(pretty_text.data(), pretty_text.size());
    file->commit();
  }
  print(to_stdout ? pretty(document) : told);
}

}  // namespace simscope::cli
