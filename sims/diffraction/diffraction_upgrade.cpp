// Scenes of former versions: there a parameter was scanned between two factors of its value, on a logarithmic scale, to
// and fro in scan_frames steps, or once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "sims/core/parameters.h"
#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {
namespace {

constexpr int kMostPeriods = 40;  // to and fro, again and again: so often

struct Scan {
  std::string key = "none";
  double from = 0.5, to = 2;
  int steps = 120;
  bool once = false;
};

// The preset's own scan is the track that it has now.
Scan usualScan(const std::string& preset) {
  Scan scan;
  if (preset.empty()) return scan;
  const std::vector<Track>& tracks = description().presetInfo(preset).tracks;
  if (tracks.empty()) return scan;
  const std::vector<Keyframe>& points = tracks.front().keyframes;
  const double value = description().preset(preset).real(tracks.front().key);
  scan.key = tracks.front().key;
  scan.from = points.front().value / value;
  scan.to = points[points.size() / 2].value / value;
  return scan;
}

std::optional<std::string> taken(std::map<std::string, std::string>& former, const char* key) {
  const auto found = former.find(key);
  if (found == former.end()) return std::nullopt;
  std::string value = std::move(found->second);
  former.erase(found);
  return value;
}

double number(const char* key, const std::string& text, double low, double high) {
  const ParameterInfo info{.key = key, .title = key, .minimum = low, .maximum = high};
  return std::get<double>(parseValue(info, text));
}

std::string oneOf(const char* key, const std::string& text, const std::vector<std::string>& keys) {
  ParameterInfo info{.key = key, .title = key, .kind = Kind::Choice};
  for (const std::string& each : keys) info.choices.push_back({each, each});
  return std::get<std::string>(parseValue(info, text));
}

Track trackOf(const Scan& scan, const ParameterSet& parameters) {
  constexpr int kWays = 12;  // of a period, or of the one way
  const ParameterInfo& info = parameters.infos()[parameters.find(scan.key)];
  const double value = parameters.real(scan.key), period = static_cast<double>(scan.steps) / kSweep;
  Track track{scan.key, {}};
  const int ways = scan.once ? kWays : kWays * kMostPeriods;
  for (int i = 0; i <= ways; ++i) {
    const double turn = static_cast<double>(i) / kWays;
    const double share = scan.once ? turn : 0.5 * (1 - std::cos(2 * std::numbers::pi * turn));
    const double wanted = value * scan.from * std::pow(scan.to / scan.from, share);
    const double held = std::clamp(wanted, info.minimum, info.maximum);
    if (std::abs(held - wanted) > 1e-9 * wanted) {
      throw UsageError(fmt::format("a scan of {0} from {1} to {2} times {3} leaves its range {4}{5}{6}", scan.key,
                                   scan.from, scan.to, value, rangeText(info), info.unit.empty() ? "" : " ",
                                   info.unit));
    }
    track.keyframes.push_back({turn * period, held});
  }
  return track;
}

}  // namespace

void upgradeScan(std::map<std::string, std::string>& former, const std::string& preset, const ParameterSet& parameters,
                 std::vector<Track>& tracks) {
  Scan scan = usualScan(preset);
  const std::string usual = scan.key;
  bool told = false;
  const auto take = [&](const char* key, auto&& use) {
    const auto text = taken(former, key);
    if (text) use(*text);
    told = told || text;
  };
  take("scan", [&](const std::string& text) {
    scan.key = oneOf("scan", text, {"none", "distance", "aperture_radius", "slit_separation", "wavelength"});
  });
  take("scan_from", [&](const std::string& text) { scan.from = number("scan_from", text, 1e-3, 1e3); });
  take("scan_to", [&](const std::string& text) { scan.to = number("scan_to", text, 1e-3, 1e3); });
  take("scan_frames",
       [&](const std::string& text) { scan.steps = static_cast<int>(number("scan_frames", text, 2, 100000)); });
  take("scan_path", [&](const std::string& text) {
    scan.once = oneOf("scan_path", text, {"to_and_fro", "once"}) == "once";
  });
  if (!told) return;
  // Time counted the scan's own periods; it counts sweeps now. The preset's own keyframes do already.
  const double stretch = static_cast<double>(scan.steps) / kSweep;
  std::erase_if(tracks, [&](const Track& track) { return track.key == scan.key || track.key == usual; });
  for (Track& track : tracks) {
    for (Keyframe& each : track.keyframes) each.time *= stretch;
  }
  if (scan.key != "none") tracks.push_back(trackOf(scan, parameters));
}

}  // namespace simscope::diffraction
