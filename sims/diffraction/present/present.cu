#include "sims/diffraction/present/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/whole.h"
#include "sims/compute/ranks/sum_on_first.h"
#include "sims/core/slab_picture.h"
#include "sims/diffraction/present/sampled_region.h"
#include "sims/diffraction/present/shown.h"

namespace simscope::diffraction {
namespace functors {

using Complexf = compute::Complex<float>;

struct Grey {
  Element element;
  Shown shown;
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    out[i] = shown(shown.scale() * element.at<6>(x, y, 1));
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
  compute::Slab slab;
  compute::Boxes boxes;
  float* out;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    out[i] = boxes.mean<float>(column, row, [&](std::size_t cell) { return transmission[slab.local(cell)]; });
  }
};

struct Wave {
  const Complexf* field;  // or null: the pattern's root, without a phase
  int field_pitch;
  const float* pattern;
  compute::Slab slab;
  Shown shown;
  Region region;
  float* out;
  SIMSCOPE_HD std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y - slab.first + slab.halo) * field_pitch + x;
  }
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const int first = (region.n - region.bins) / 2;
    const int x = first + column * region.reduce, y = first + row * region.reduce;
    const Complexf* const at = field ? field + place(x, y) : nullptr;
    out[2 * i] = at ? at->re : sqrtf(shown.scale() * pattern[slab.at(x, y)]);
    out[2 * i + 1] = at ? at->im : 0;
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

constexpr int kLeastShown = 1024, kMostShown = 2048, kColourShown = 512, kWaveShown = 512;
constexpr int kRingShown = 256;

std::size_t area(int size, int components = 1) {
  return static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * static_cast<std::size_t>(components);
}

void presentAperture(Frame& frame, const Parameters& p, const Presented& what) {
  if (!frame.wants("aperture")) return;
  compute::Device& device = *frame.device;
  const SlabPicture picture(device, p.grid_points, kApertureShown);
  const compute::Boxes& boxes = picture.boxes;
  Channel& aperture = picture.channel(frame, "aperture");
  aperture.x_min = aperture.y_min = -p.half_width - 0.5 * p.cell();
  aperture.x_max = aperture.y_max = p.half_width - 0.5 * p.cell();
  compute::exchangeHalo(device, what.slab, what.transmission, sizeof *what.transmission, boxes.factor - 1, false);
  compute::forRows(device, boxes.side(), picture.own.first, picture.own.count,
                   functors::Transmission{what.transmission, what.slab, boxes, aperture.data.data()}, kCostly);
  picture.gather(device, &aperture);
}

// The rank that has the row of the probe makes the cut; the halo is up to date.
void presentCut(Frame& frame, const Parameters& p, const Presented& what, const functors::Shown& shown, double pitch) {
  compute::Device& device = *frame.device;
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
  const int row = compute::wholeWithin(std::floor(what.probe_y / pitch) + p.grid_points / 2, 0, p.grid_points - 1);
  const bool here = what.slab.owns(row);
  const functors::Cut along{{what.pattern, what.slab},
                            shown,
                            what.exact,
                            region,
                            pitch,
                            what.probe_y,
                            static_cast<float>(2 * tone.low() - tone.top()),
                            here ? cut : nullptr,
                            what.slab.first == 0 ? exact : nullptr};
  constexpr std::size_t kSomeBessel = 64;
  compute::parallelFor(device, static_cast<std::size_t>(size), along, kSomeBessel);
  if (!cut) return;
  if (!here) device.zero(cut, static_cast<std::size_t>(size) * sizeof(float));
  compute::sumOnFirst(device, cut, static_cast<std::size_t>(size));
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
  // The far field is relative to its centre. In the near field the wave has up to twice the incident amplitude on the
  // axis of a disc, and the open zones of a plate add up in its focus.
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
  // How many rows beside a rank's own ones pictures and the cut read.
  const int depth = std::max(kTapReach, region.reduce - 1);
  compute::exchangeHalo(device, what.slab, what.pattern, sizeof *what.pattern, std::min(depth, what.slab.halo), false);
  if (frame.wants("pattern")) {
    const RegionPicture picture(device, region, what.slab);
    Channel& pattern = picture.channel(frame, "pattern");
    setExtent(pattern, region, pitch);
    pattern.low = tone.low();
    pattern.high = tone.top();
    pattern.form = static_cast<int>(tone.display);
    const Element element{{what.pattern, what.slab}, region};
    if (device.info().backend == compute::Backend::Cpu && region.reduce == 1) {
      const float scale = shown.scale();
      sampleRegion(static_cast<compute::CpuDevice&>(device), element.sampler, region, picture.own, pattern.data.data(),
                   [&](float* row, std::size_t elements) {
                     if (shown.display == Display::Log) return decadesOf(row, elements, scale, shown.low);
                     for (std::size_t i = 0; i < elements; ++i) row[i] = shown(scale * row[i]);
                   });
    } else {
      compute::forRows(device, region.size(), picture.own.first, picture.own.count,
                       functors::Grey{element, shown, pattern.data.data()}, kCostly);
    }
    picture.gather(device, pattern);
  }
  if (frame.wants("probe")) {
    Channel& ring = frame.channel("probe", kRingShown, kRingShown);
    setExtent(ring, region, pitch);
    const double elements = kRingShown / (ring.x_max - ring.x_min), radius = what.probed ? 4 : -4;
    compute::parallelFor2d(device, kRingShown, kRingShown,
                           functors::Ring{(what.probe_x - ring.x_min) * elements,
                                          (what.probe_y - ring.y_min) * elements, radius, ring.data.data()});
  }

  presentColour(frame, p, what, shown);
  presentAperture(frame, p, what);

  if (frame.wants("wave")) {
    const Region coarse = regionOf(p, 1, kWaveShown);
    const RegionPicture picture(device, coarse, what.slab);
    Channel& wave = picture.channel(frame, "wave", 2);
    setExtent(wave, coarse, pitch);
    wave.high = std::sqrt(tone.high);
    compute::forRows(
        device, coarse.size(), picture.own.first, picture.own.count,
        functors::Wave{what.field, what.field_pitch, what.pattern, what.slab, shown, coarse, wave.data.data()});
    picture.gather(device, wave);
  }
  presentCut(frame, p, what, shown, pitch);
}

double frameBytes(const Parameters& p) {
  const auto floats = [](int size, int components) { return static_cast<double>(area(size, components)); };
  const double all = floats(regionOf(p, kLeastShown, kMostShown).size(), 1) + floats(kRingShown, 1) +
                     floats(colourRegion(p).size(), 3) + floats(std::min(p.grid_points, kApertureShown), 1) +
                     floats(kWaveShown, 2) + 2.0 * regionOf(p, kLeastShown, p.grid_points).size();
  return all * sizeof(float);
}

}  // namespace simscope::diffraction
