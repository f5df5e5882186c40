#include "app/cli/bench/scaling.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "sims/core/registry.h"
#include "sims/foreign/nesting.h"
#include "sims/foreign/words.h"

namespace simscope::cli {
namespace {

constexpr const char* kForm = "simscope scaling 1";

// Reads a document's values; errors name the place.
class Reader {
 public:
  Reader(const Json& object, std::string file, std::string where)
      : object_(object), file_(std::move(file)), where_(std::move(where)) {
    if (!object_.is_object()) fail("is not an object");
  }
  double number(const char* key, double low, double high) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_number()) fail(fmt::format("has no number {}", key));
    const double value = found->get<double>();
    if (!(value >= low && value <= high)) {
      fail(fmt::format("has {} = {}, outside the range {} to {}", key, value, low, high));
    }
    return value;
  }
  std::string text(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_string() || found->get_ref<const std::string&>().size() > 1000) {
      fail(fmt::format("has no text {}", key));
    }
    return foreign::harmless(found->get<std::string>());
  }
  const Json& array(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_array()) fail(fmt::format("has no list {}", key));
    if (found->size() > kMostPoints) fail(fmt::format("has more than {} {}", kMostPoints, key));
    return *found;
  }
  const Json& object(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_object()) fail(fmt::format("has no object {}", key));
    return *found;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}: {} {}; give files that simscope bench --devices --json FILE wrote",
                                 foreign::quotedFile(file_), where_, what));
  }

 private:
  const Json& object_;
  std::string file_, where_;
};

}  // namespace

double LinkMeasurement::latency() const {
  double least = points.empty() ? 0 : points.front().seconds;
  for (const Point& each : points) least = std::min(least, each.seconds);
  return least;
}
double LinkMeasurement::bandwidth() const {
  if (points.empty() || points.back().seconds <= 0) return 0;
  return points.back().bytes / points.back().seconds;
}

std::string stepText(double seconds) {
  return seconds > 0 ? fmt::format("{:.4g} µs", 1e6 * seconds) : "–";
}

Json json(const ScalingSet& set) {
  Json link = Json::array(), points = Json::array();
  for (const LinkMeasurement::Point& each : set.link.points) {
    link.push_back({{"bytes", number(each.bytes)}, {"seconds", number(each.seconds)}});
  }
  for (const ScalingPoint& each : set.points) {
    points.push_back({{"simulation", each.simulation},
                      {"series", each.series},
                      {"size", each.size},
                      {"ranks", each.ranks},
                      {"step_s", number(each.seconds)},
                      {"work", number(each.work)},
                      {"work_unit", each.work_unit},
                      {"exchanges", number(each.exchanges)},
                      {"messages", number(each.messages)},
                      {"bytes", number(each.bytes)},
                      {"collectives", number(each.collectives)}});
  }
  return {{"form", kForm},
          {"ranks", set.ranks},
          {"machines", set.machines},
          {"device", set.device},
          {"memory_bytes", number(set.memory_bytes)},
          {"link", {{"name", set.link.name}, {"points", link}}},
          {"points", points}};
}

ScalingSet scalingSetOf(const std::string& text, const std::string& file) {
  constexpr double kMostRanks = 1e6, kHuge = 1e30;
  const auto document = foreign::parsedJson<Json>(text);
  const Reader all(document, file, "the document");
  if (all.text("form") != kForm) all.fail(fmt::format("is not of the form \"{}\"", kForm));
  ScalingSet set;
  set.ranks = static_cast<int>(all.number("ranks", 1, kMostRanks));
  set.machines = static_cast<int>(all.number("machines", 1, kMostRanks));
  set.device = all.text("device");
  set.memory_bytes = all.number("memory_bytes", 0, kHuge);
  const Reader link(all.object("link"), file, "the link");
  set.link.name = link.text("name");
  for (const Json& each : link.array("points")) {
    const Reader point(each, file, "a point of the link");
    set.link.points.push_back({point.number("bytes", 0, kHuge), point.number("seconds", 1e-12, kHuge)});
  }
  for (const Json& each : all.array("points")) {
    const Reader point(each, file, "a point");
    set.points.push_back({.simulation = simulationById(point.text("simulation")).id,
                          .series = point.text("series"),
                          .size = static_cast<std::int64_t>(point.number("size", 1, 1e15)),
                          .ranks = static_cast<int>(point.number("ranks", 1, kMostRanks)),
                          .seconds = point.number("step_s", 1e-12, kHuge),
                          .work = point.number("work", 1e-30, kHuge),
                          .work_unit = point.text("work_unit"),
                          .exchanges = point.number("exchanges", 0, kHuge),
                          .messages = point.number("messages", 0, kHuge),
                          .bytes = point.number("bytes", 0, kHuge),
                          .collectives = point.number("collectives", 0, kHuge)});
  }
  return set;
}

}  // namespace simscope::cli
