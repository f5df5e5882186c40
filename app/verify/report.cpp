#include "app/verify/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::verify {
namespace {

constexpr std::size_t kMostTold = 20;  // frames, one a line

std::string rendered(const Report& report) {
  return fmt::format("{}, {}x{}, rendered again on {}", counted(report.compared, "picture"), report.width,
                     report.height, report.device);
}

std::string pixelsOf(const FrameDifference& each, int tolerance) {
  const Comparison& c = each.comparison;
  std::string line = fmt::format("frame {}: {} {}, by up to {} of 255 levels", each.frame, counted(c.pixels(), "pixel"),
                                 c.pixels() == 1 ? "differs" : "differ", c.largest);
  if (c.beyond > 0 && c.within > 0) {
    line += fmt::format(", {} of them beyond the tolerance of {}", c.beyond, tolerance);
  } else {
    line += fmt::format(", {} the tolerance of {}", c.beyond > 0 ? "beyond" : "within", tolerance);
  }
  return line + fmt::format(" (the first at {},{})", c.x, c.y);
}

const char* key(Verdict verdict) {
  switch (verdict) {
    case Verdict::Identical:
      return "identical";
    case Verdict::Within:
      return "within_tolerance";
    default:
      return "different";
  }
}

}  // namespace

std::string text(const Report& report, const std::string& name) {
  std::string out = name + ": ";
  if (report.verdict == Verdict::Identical) {
    out += "identical: " + rendered(report) + "\n";
  } else if (report.verdict == Verdict::Within) {
    out += fmt::format("within the tolerance of {} of 255 levels: {}\n", report.tolerance, rendered(report));
  } else {
    out += "different" + (report.compared > 0 ? ": " + rendered(report) : std::string()) + "\n";
  }
  if (report.of_numbered) {
    out += fmt::format(
        "  it shows frame {} of the scene's frames {} to {}: one of a numbered sequence, or a film that became a still "
        "picture\n",
        *report.of_numbered, report.scene.first_frame, report.scene.first_frame + report.scene.frames - 1);
  }
  for (const std::string& each : report.others) out += "  " + each + "\n";
  for (const int each : report.missing) out += fmt::format("  frame {} is missing\n", each);
  const std::size_t told = std::min(report.differences.size(), kMostTold);
  for (std::size_t i = 0; i < told; ++i) out += "  " + pixelsOf(report.differences[i], report.tolerance) + "\n";
  if (told < report.differences.size()) {
    out += fmt::format("  and {} more frames, {} in total\n", report.differences.size() - told,
                       counted(report.pixels(), "pixel"));
  }
  for (const std::string& each : report.ignored) out += "  note: ignored " + each + "\n";
  if (!report.marked.empty()) out += "  marked in " + foreign::shownFile(report.marked) + "\n";
  return out;
}

nlohmann::ordered_json json(const Report& report, const std::string& name) {
  nlohmann::ordered_json out;
  out["file"] = name;
  out["verdict"] = key(report.verdict);
  out["format"] = report.format;
  out["simulation"] = report.scene.description->id;
  out["width"] = report.width;
  out["height"] = report.height;
  out["pictures"] = report.pictures;
  out["frames"] = report.scene.frames;
  out["compared"] = report.compared;
  out["tolerance"] = report.tolerance;
  out["device"] = report.device;
  out["numbered_frame"] = nullptr;
  if (report.of_numbered) out["numbered_frame"] = *report.of_numbered;
  out["pixels"] = report.pixels();
  out["differences"] = nlohmann::ordered_json::array();
  for (const FrameDifference& each : report.differences) {
    const Comparison& c = each.comparison;
    out["differences"].push_back({{"frame", each.frame},
                                  {"pixels", c.pixels()},
                                  {"beyond", c.beyond},
                                  {"largest", c.largest},
                                  {"x", c.x},
                                  {"y", c.y}});
  }
  out["missing"] = report.missing;
  out["others"] = report.others;
  out["ignored"] = report.ignored;
  out["marked"] = report.marked.string();
  return out;
}

}  // namespace simscope::verify
