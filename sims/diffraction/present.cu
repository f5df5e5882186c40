#include "sims/diffraction/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/boxes.h"
#include "sims/compute/loops/parallel.h"
#include "sims/diffraction/sampled_region.h"
#include "sims/diffraction/sampling.h"

namespace simscope::diffraction {
namespace functors {

using Complexf = compute::Complex<float>;

struct Shown {
  Display display;
  float high;
  const float* unit;
  float low;  // the lowest decade that is told apart

  SIMSCOPE_HD float scale() const { return unit ? (*unit > 0 ? 1 / *unit : 0) : 1; }
  SIMSCOPE_HD float operator()(float intensity) const {
    if (display == Display::Linear) return intensity;
    if (display == Display::Gamma) return sqrtf(intensity);
    const float decade = intensity > 0 ? log10f(intensity) : low;
    return decade > low ? decade : low;
  }
  static constexpr float kDecades = 6;
};

struct Grey {
  Element element;
  Shown shown;
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    out[i] = shown(shown.scale() * element.at<6>(x, y, 1));
  }
};

struct Lines {
  int count;
  float weight[kWhiteLines][3];
  double ratio[kWhiteLines];
};

// Linear light, brought to the display's brightness by one factor for all three colours.
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
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    float rgb[3] = {0, 0, 0};
    for (int k = 0; k < lines.count; ++k) {
      const float intensity = shown.scale() * element.at<4>(x, y, lines.ratio[k]);
      for (int c = 0; c < 3; ++c) rgb[c] += lines.weight[k][c] * intensity;
    }
    toned(shown, rgb);
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

// A ring around the probe, as an outline where it crosses ½.
struct Ring {
  double x, y, radius;  // elements
  float* out;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const double off_x = column + 0.5 - x, off_y = row + 0.5 - y;
    const double away = sqrt(off_x * off_x + off_y * off_y) - radius;
    out[i] = away > 1 ? 1.0f : away < -1 ? 0.0f : static_cast<float>(0.5 + 0.5 * away);
  }
};

struct Transmission {
  const float* transmission;
  compute::Boxes boxes;
  float* out;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    out[i] = boxes.mean<float>(column, row, [&](std::size_t cell) { return transmission[cell]; });
  }
};

struct Wave {
  const Complexf* field;  // or null: the pattern's root, without a phase
  int field_pitch;
  const float* pattern;
  Shown shown;
  Region region;
  float* out;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const int first = (region.n - region.bins) / 2;
    const int x = first + column * region.reduce, y = first + row * region.reduce;
    const std::size_t from = static_cast<std::size_t>(y) * (field ? field_pitch : region.n) + x;
    out[2 * i] = field ? field[from].re : sqrtf(shown.scale() * pattern[from]);
    out[2 * i + 1] = field ? field[from].im : 0;
  }
};

struct Cut {
  Sampler sampler;
  Shown shown;
  ExactPattern exact;
  Region region;
  double pitch, y;  // [m]
  float unknown;    // below the axis, where there is no formula
  float* cut;
  float* expected;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double u = -0.5 * region.bins + static_cast<double>(i) / region.refine;
    if (cut) cut[i] = shown(shown.scale() * sampler.at<6>(u, y / pitch));
    if (expected) expected[i] = exact.known ? shown(static_cast<float>(exact.at(u * pitch, y))) : unknown;
  }
};

}  // namespace functors

namespace {

constexpr int kLeastShown = 1024, kMostShown = 2048, kColourShown = 512, kWaveShown = 512, kApertureShown = 1024;
constexpr int kRingShown = 256;
constexpr std::size_t kCostly = 1024;  // an element is some dozens of operations

std::size_t area(int size, int components = 1) {
  return static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * static_cast<std::size_t>(components);
}

// Bins lie in the middles of cells as wide as they are apart.
void setExtent(Channel& channel, const Region& region, double pitch) {
  channel.x_min = channel.y_min = -(0.5 * region.bins + 0.5) * pitch;
  channel.x_max = channel.y_max = (0.5 * region.bins - 0.5) * pitch;
}

functors::Lines linesOf(const Parameters& p) {
  functors::Lines lines{};
  for (const SpectralLine& line : spectralLines(p)) {
    const int k = lines.count++;
    for (std::size_t c = 0; c < 3; ++c) lines.weight[k][c] = static_cast<float>(line.weight[c]);
    lines.ratio[k] = p.wavelength / line.wavelength;
  }
  return lines;
}

void presentColour(Frame& frame, const Parameters& p, const Presented& what, const functors::Shown& shown,
                   double pitch) {
  if (!frame.wants("colour")) return;
  const Region region = colourRegion(p);
  Channel& colour = frame.channel("colour", region.size(), region.size(), 3);
  setExtent(colour, region, pitch);
  float* const out = colour.data.data();
  if (what.light) {
    compute::parallelFor(frame.device, area(region.size()), functors::ColourOfLight{what.light, shown, out}, kCostly);
    return;
  }
  const Element element{{what.pattern, p.grid_points}, region};
  compute::parallelFor2d(frame.device, region.size(), region.size(),
                         functors::ColourOfPattern{element, shown, linesOf(p), out}, kCostly);
}

void presentAperture(Frame& frame, const Parameters& p, const float* transmission) {
  if (!frame.wants("aperture")) return;
  const compute::Boxes boxes = compute::boxesFor(p.grid_points, kApertureShown);
  const int size = boxes.side();
  Channel& aperture = frame.channel("aperture", size, size);
  aperture.x_min = aperture.y_min = -p.half_width - 0.5 * p.cell();
  aperture.x_max = aperture.y_max = p.half_width - 0.5 * p.cell();
  compute::parallelFor2d(frame.device, size, size, functors::Transmission{transmission, boxes, aperture.data.data()},
                         kCostly);
}

void presentCut(Frame& frame, const Parameters& p, const Presented& what, const functors::Shown& shown, double pitch) {
  Region region = regionOf(p, kLeastShown, p.grid_points);
  const int size = region.size();
  const Tone tone = toneOf(p);
  const auto curve = [&](const char* key) -> float* {
    if (!frame.wants(key)) return nullptr;
    Channel& channel = frame.channel(key, size);
    channel.x_min = -0.5 * region.bins * pitch;
    channel.x_max = 0.5 * region.bins * pitch;
    channel.low = tone.low();
    channel.high = tone.top();
    channel.form = static_cast<int>(tone.display);
    return channel.data.data();
  };
  float* const cut = curve("cut");
  float* const exact = curve("cut_exact");
  if (!cut && !exact) return;
  const functors::Cut along{{what.pattern, p.grid_points},
                            shown,
                            what.exact,
                            region,
                            pitch,
                            what.probe_y,
                            static_cast<float>(2 * tone.low() - tone.top()),
                            cut,
                            exact};
  constexpr std::size_t kSomeBessel = 64;
  compute::parallelFor(frame.device, static_cast<std::size_t>(size), along, kSomeBessel);
}

}  // namespace

Region regionOf(const Parameters& p, int least, int most) {
  constexpr int kFewestBins = 16;
  Region region;
  region.n = p.grid_points;
  const int wanted = std::max(p.grid_points / p.zoom, kFewestBins);
  region.reduce = (wanted + most - 1) / most;
  region.bins = wanted / (2 * region.reduce) * 2 * region.reduce;  // as many to the left as to the right
  region.refine = std::max(1, least / region.bins);
  return region;
}

Region colourRegion(const Parameters& p) {
  return regionOf(p, kColourShown, kColourShown);
}

double Tone::low() const {
  return display == Display::Log ? std::log10(high) - static_cast<double>(functors::Shown::kDecades) : 0;
}
double Tone::top() const {
  return display == Display::Log ? std::log10(high) : display == Display::Gamma ? std::sqrt(high) : high;
}

Tone toneOf(const Parameters& p) {
  // The far field is relative to its centre. In the near field the wave grows up to twice the incident one on the axis
  // of a disc, and the open zones of a plate all add up in its focus.
  if (p.propagation == Propagation::Fraunhofer) return {p.display, 1};
  const double focus = static_cast<double>(p.zones) * p.zones;
  return {p.display, p.aperture == Aperture::ZonePlate ? std::max(focus, 4.0) : 4.0};
}

void presentPattern(Frame& frame, const Parameters& p, const Presented& what) {
  compute::Device& device = *frame.device;
  const double pitch = patternPitch(p);
  const Tone tone = toneOf(p);
  const auto high = static_cast<float>(tone.high);
  const functors::Shown shown{tone.display, high, what.unit, log10f(high) - functors::Shown::kDecades};

  const Region region = regionOf(p, kLeastShown, kMostShown);
  if (frame.wants("pattern")) {
    Channel& pattern = frame.channel("pattern", region.size(), region.size());
    setExtent(pattern, region, pitch);
    pattern.low = tone.low();
    pattern.high = tone.top();
    pattern.form = static_cast<int>(tone.display);
    const Element element{{what.pattern, p.grid_points}, region};
    if (device.info().backend == compute::Backend::Cpu && region.reduce == 1) {
      const float scale = shown.scale();
      sampleRegion(static_cast<compute::CpuDevice&>(device), element.sampler, region, pattern.data.data(),
                   [&](float* row, std::size_t elements) {
                     if (shown.display == Display::Log) return decadesOf(row, elements, scale, shown.low);
                     for (std::size_t i = 0; i < elements; ++i) row[i] = shown(scale * row[i]);
                   });
    } else {
      compute::parallelFor2d(device, region.size(), region.size(), functors::Grey{element, shown, pattern.data.data()},
                             kCostly);
    }
  }
  if (frame.wants("probe")) {
    Channel& ring = frame.channel("probe", kRingShown, kRingShown);
    setExtent(ring, region, pitch);
    const double elements = kRingShown / (ring.x_max - ring.x_min), radius = what.probed ? 4 : -4;
    compute::parallelFor2d(device, kRingShown, kRingShown,
                           functors::Ring{(what.probe_x - ring.x_min) * elements,
                                          (what.probe_y - ring.y_min) * elements, radius, ring.data.data()});
  }

  presentColour(frame, p, what, shown, pitch);
  presentAperture(frame, p, what.transmission);

  if (frame.wants("wave")) {
    const Region coarse = regionOf(p, 1, kWaveShown);
    Channel& wave = frame.channel("wave", coarse.size(), coarse.size(), 2);
    setExtent(wave, coarse, pitch);
    wave.high = std::sqrt(tone.high);
    compute::parallelFor2d(device, coarse.size(), coarse.size(),
                           functors::Wave{what.field, what.field_pitch, what.pattern, shown, coarse, wave.data.data()});
  }
  presentCut(frame, p, what, shown, pitch);
}

void addLight(compute::Device& device, const Parameters& p, const float* intensity, double pitch, const Rgb& weight,
              bool first, float* light) {
  const Region region = colourRegion(p);
  const functors::AddLight add{
      {{intensity, p.grid_points}, region},
      patternPitch(p) / pitch,
      {static_cast<float>(weight[0]), static_cast<float>(weight[1]), static_cast<float>(weight[2])},
      first,
      light};
  compute::parallelFor2d(device, region.size(), region.size(), add, kCostly);
}

double frameBytes(const Parameters& p) {
  const auto floats = [](int size, int components) { return static_cast<double>(area(size, components)); };
  const double all = floats(regionOf(p, kLeastShown, kMostShown).size(), 1) + floats(kRingShown, 1) +
                     floats(colourRegion(p).size(), 3) + floats(std::min(p.grid_points, kApertureShown), 1) +
                     floats(kWaveShown, 2) + 2.0 * regionOf(p, kLeastShown, p.grid_points).size();
  return all * sizeof(float);
}

}  // namespace simscope::diffraction
