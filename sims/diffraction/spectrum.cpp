#include "sims/diffraction/spectrum.h"

#include <algorithm>
#include <cmath>

namespace simscope::diffraction {
namespace {

Rgb linearRgb(const std::array<double, 3>& xyz) {
  const auto [x, y, z] = xyz;
  return {3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z,
          0.0557 * x - 0.2040 * y + 1.0570 * z};
}

SpectralLine single(double wavelength) {
  const auto xyz = colourMatching(wavelength);
  if (xyz[0] + xyz[1] + xyz[2] < 3e-3) return {wavelength, {0.8, 0.8, 0.8}};
  Rgb rgb = linearRgb(xyz);
  for (double& each : rgb) each = std::max(each, 0.0);
  const double most = *std::max_element(rgb.begin(), rgb.end());
  for (double& each : rgb) each /= most;
  return {wavelength, rgb};
}

}  // namespace

std::array<double, 3> colourMatching(double wavelength) {
  const double nm = wavelength * 1e9;
  const auto lobe = [nm](double middle, double below, double above) {
    const double away = (nm - middle) / (nm < middle ? below : above);
    return std::exp(-0.5 * away * away);
  };
  return {1.056 * lobe(599.8, 37.9, 31.0) + 0.362 * lobe(442.0, 16.0, 26.7) - 0.065 * lobe(501.1, 20.4, 26.2),
          0.821 * lobe(568.8, 46.9, 40.5) + 0.286 * lobe(530.9, 16.3, 31.1),
          1.217 * lobe(437.0, 11.8, 36.0) + 0.681 * lobe(459.0, 26.0, 13.8)};
}

std::vector<SpectralLine> spectralLines(const Parameters& p) {
  if (p.spectrum == Spectrum::Monochromatic) return {single(p.wavelength)};
  std::vector<SpectralLine> lines;
  if (p.spectrum == Spectrum::Rgb) {
    for (const double wavelength : {630e-9, 532e-9, 465e-9}) lines.push_back({wavelength, {}});
  } else {
    for (int k = 0; k < kWhiteLines; ++k) lines.push_back({(400 + 300 * (k + 0.5) / kWhiteLines) * 1e-9, {}});
  }
  Rgb sum{};
  for (SpectralLine& line : lines) {
    line.weight = linearRgb(colourMatching(line.wavelength));
    for (std::size_t c = 0; c < 3; ++c) sum[c] += line.weight[c];
  }
  for (SpectralLine& line : lines) {
    for (std::size_t c = 0; c < 3; ++c) line.weight[c] /= sum[c];
  }
  return lines;
}

}  // namespace simscope::diffraction
