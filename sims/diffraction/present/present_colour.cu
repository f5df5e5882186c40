// Patterns in colours: the lines of a spectrum, each with its own pattern, added up. Where ranks hold slabs, a line's
// sample belongs to the rank that has its row, so that each rank has partial sums, which rank 0 adds.
#include "sims/compute/ranks/sum_on_first.h"
#include "sims/diffraction/present/shown.h"

namespace simscope::diffraction {
namespace functors {

struct Lines {
  int count;
  float weight[kWhiteLines][3];
  double ratio[kWhiteLines];
};

// Linear light, scaled to the display's brightness by one factor for all three colours.
SIMSCOPE_HD inline void toned(const Shown& shown, float* rgb) {
  float most = 0;
  for (int c = 0; c < 3; ++c) {
    rgb[c] = rgb[c] > 0 ? rgb[c] : 0;
    most = rgb[c] > most ? rgb[c] : most;
  }
  if (most == 0) return;
  const float share = most / shown.high;
  float bright = share;
  if (shown.display == Display::Gamma) bright = sqrtf(share);
  if (shown.display == Display::Log) bright = 1 + log10f(share) / Shown::kDecades;
  bright = bright > 0 ? bright : 0;
  for (int c = 0; c < 3; ++c) rgb[c] *= bright / most;
}

struct ColourOfPattern {
  Element element;
  Shown shown;
  Lines lines;
  bool whole;  // not a rank's part, which is still linear light
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    float rgb[3] = {0, 0, 0};
    for (int k = 0; k < lines.count; ++k) {
      const float intensity = shown.scale() * element.at<4>(x, y, lines.ratio[k]);
      for (int c = 0; c < 3; ++c) rgb[c] += lines.weight[k][c] * intensity;
    }
    if (whole) toned(shown, rgb);
    for (int c = 0; c < 3; ++c) out[3 * i + static_cast<std::size_t>(c)] = rgb[c];
  }
};

struct AddLight {
  Element element;
  double ratio;
  float weight[3];
  bool first;
  float* light;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    const float intensity = element.at<4>(x, y, ratio);
    for (int c = 0; c < 3; ++c) {
      float& sum = light[3 * i + static_cast<std::size_t>(c)];
      sum = (first ? 0 : sum) + weight[c] * intensity;
    }
  }
};

struct ColourOfLight {
  const float* light;
  Shown shown;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    float rgb[3] = {light[3 * i], light[3 * i + 1], light[3 * i + 2]};
    toned(shown, rgb);
    for (int c = 0; c < 3; ++c) out[3 * i + static_cast<std::size_t>(c)] = rgb[c];
  }
};

}  // namespace functors

namespace {

functors::Lines linesOf(const Parameters& p) {
  functors::Lines lines{};
  for (const SpectralLine& line : spectralLines(p)) {
    const int k = lines.count++;
    for (std::size_t c = 0; c < 3; ++c) lines.weight[k][c] = static_cast<float>(line.weight[c]);
    lines.ratio[k] = p.wavelength / line.wavelength;
  }
  return lines;
}

}  // namespace

void presentColour(Frame& frame, const Parameters& p, const Presented& what, const functors::Shown& shown) {
  if (!frame.wants("colour")) return;
  compute::Device& device = *frame.device;
  const bool alone = !device.ranks();
  const Region region = colourRegion(p);
  Channel& colour = frame.channel("colour", region.size(), region.size(), 3);
  setExtent(colour, region, patternPitch(p));
  float* const out = colour.data.data();
  const std::size_t elements = colour.data.size() / 3;
  const float* light = what.light;
  if (!light) {
    const Element element{{what.pattern, what.slab, !alone}, region};
    compute::parallelFor2d(device, region.size(), region.size(),
                           functors::ColourOfPattern{element, shown, linesOf(p), alone, out}, kCostly);
    if (alone) return;
  } else if (!alone) {
    device.copy(out, light, colour.data.bytes());
  }
  if (!alone) {
    compute::sumOnFirst(device, out, colour.data.size());
    light = out;
  }
  compute::parallelFor(device, elements, functors::ColourOfLight{light, shown, out}, kCostly);
}

void addLight(compute::Device& device, const Parameters& p, const compute::Slab& slab, float* intensity, double pitch,
              const Rgb& weight, bool first, float* light) {
  const Region region = colourRegion(p);
  compute::exchangeHalo(device, slab, intensity, sizeof *intensity, std::min(kTapReach, slab.halo), false);
  const functors::AddLight add{
      {{intensity, slab, device.ranks() != nullptr}, region},
      patternPitch(p) / pitch,
      {static_cast<float>(weight[0]), static_cast<float>(weight[1]), static_cast<float>(weight[2])},
      first,
      light};
  compute::parallelFor2d(device, region.size(), region.size(), add, kCostly);
}

}  // namespace simscope::diffraction
