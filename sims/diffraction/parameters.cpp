#include "sims/diffraction/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace simscope::diffraction {
namespace {

double* scannedMember(Parameters& p) {
  switch (p.scan) {
    case Scan::None:
      return nullptr;
    case Scan::Distance:
      return &p.distance;
    case Scan::ApertureRadius:
      return &p.aperture_radius;
    case Scan::SlitSeparation:
      return &p.slit_separation;
    case Scan::Wavelength:
      return &p.wavelength;
  }
  return nullptr;
}

const char* scannedKey(Scan scan) {
  constexpr const char* kKeys[] = {"", "distance", "aperture_radius", "slit_separation", "wavelength"};
  return kKeys[static_cast<int>(scan)];
}

}  // namespace

double scanPosition(const Parameters& p, std::int64_t step) {
  const double turns = static_cast<double>(step) / p.scan_frames;
  if (p.scan_path == ScanPath::Once) return std::min(turns, 1.0);
  return 0.5 * (1 - std::cos(2 * std::numbers::pi * (turns - std::floor(turns))));
}

Parameters scanned(const Parameters& parameters, std::int64_t step) {
  Parameters p = parameters;
  if (double* const member = scannedMember(p)) {
    *member *= p.scan_from * std::pow(p.scan_to / p.scan_from, scanPosition(p, step));
  }
  return p;
}

double scannedValue(const Parameters& parameters, std::int64_t step) {
  Parameters p = scanned(parameters, step);
  const double* const member = scannedMember(p);
  return member ? *member : std::numeric_limits<double>::quiet_NaN();
}

void requireUsable(const Parameters& parameters) {
  if (parameters.aperture == Aperture::Image && parameters.image_file.empty()) {
    throw UsageError(
        "aperture = image needs a picture: set image_file to a PNG, JPEG, BMP, PGM, or PPM file first, or choose "
        "another "
        "aperture, e.g. circle");
  }
  Parameters p = parameters;
  const double* const member = scannedMember(p);
  if (!member) return;
  const char* const key = scannedKey(p.scan);
  for (const ParameterInfo& info : *binding().infos()) {
    if (info.key != key) continue;
    for (const auto& [end, factor] : {std::pair{"scan_from", p.scan_from}, std::pair{"scan_to", p.scan_to}}) {
      const double value = *member * factor;
      if (value >= info.minimum && value <= info.maximum) continue;
      const double nearest = std::clamp(value, info.minimum, info.maximum) / *member;
      throw UsageError(
          fmt::format("scan = {0}: {1} = {2} times {0} = {3} is {4}, out of its range {5}; the nearest "
                      "{1} is {6:.6g}",
                      key, end, factor, *member, value, rangeText(info), nearest));
    }
  }
}

Reach reachOf(const Parameters& p) {
  const double r = p.aperture_radius;
  switch (p.aperture) {
    case Aperture::Slit:
      return {p.slit_width / 2, r};
    case Aperture::DoubleSlit:
      return {(p.slit_separation + p.slit_width) / 2, r};
    case Aperture::Grating:
      return {((p.slits - 1) * p.slit_separation + p.slit_width) / 2, r};
    default:
      return {r, r};
  }
}

double criticalDistance(const Parameters& p) {
  return 2 * p.half_width * p.cell() / p.wavelength;
}

bool keepsWindow(const Parameters& p) {
  return p.propagation == Propagation::AngularSpectrum ||
         (p.propagation == Propagation::Fresnel && p.distance <= criticalDistance(p));
}

double patternPitch(const Parameters& p) {
  return keepsWindow(p) ? p.cell() : p.wavelength * p.distance / (2 * p.half_width);
}

}  // namespace simscope::diffraction
