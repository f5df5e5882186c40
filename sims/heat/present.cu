#include "sims/heat/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/boxes.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/whole.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace functors {

using compute::Boxes;

// Whether an insulator lies in the box. Such a box has neither temperature nor flux (NaN), so that no contour and no
// arrow gets over a wall that is thinner than a box.
SIMSCOPE_HD inline bool isInsulated(const Boxes& boxes, const float* material, int column, int row) {
  if (!material) return false;
  for (int j = boxes.begin(row); j < boxes.end(row); ++j) {
    for (int i = boxes.begin(column); i < boxes.end(column); ++i) {
      if (material[boxes.at(i, j)] == kInsulator) return true;
    }
  }
  return false;
}

struct Temperature {
  Boxes boxes;
  const float* u;
  const float* material;
  float levels;        // isotherms a unit of temperature
  float* temperature;  // or null, likewise
  float* isotherms;

  SIMSCOPE_HD void operator()(int x, int y, std::size_t to) const {
    if (isInsulated(boxes, material, x, y)) {
      if (temperature) temperature[to] = NAN;
      if (isotherms) isotherms[to] = NAN;
      return;
    }
    const float mean = boxes.factor == 1 ? u[to] : boxes.mean<float>(x, y, [&](std::size_t cell) { return u[cell]; });
    if (temperature) temperature[to] = mean;
    if (!isotherms) return;
    // A triangle wave of the temperature, which crosses ½ on every isotherm; far beyond them all there is none.
    const float half = mean * levels * 0.5f;
    float whole = half > -1e6f && half < 1e6f ? static_cast<float>(static_cast<int>(half)) : half;
    if (whole > half) whole -= 1;
    const float within = 2 * (half - whole) - 1;
    isotherms[to] = within < 0 ? -within : within;
  }
};

// 1 in plain material, 0 in painted material, the share of plain cells in mixed boxes.
struct Outline {
  Boxes boxes;
  const float* material;
  float* outline;

  SIMSCOPE_HD void operator()(int x, int y, std::size_t to) const {
    outline[to] = boxes.mean<float>(x, y, [&](std::size_t cell) { return material[cell] == kPlain ? 1.0f : 0.0f; });
  }
};

struct Level {
  float* out;
  float value;
  SIMSCOPE_HD void operator()(std::size_t i) const { out[i] = value; }
};

// A disc of 0 around (x, y): where a thermometer stands. Called for the box of elements around it.
struct Disc {
  double x, y, radius;
  int left, top, width;
  float* out;
  SIMSCOPE_HD void operator()(int column, int row) const {
    const double off_x = left + column - x, off_y = top + row - y;
    if (off_x * off_x + off_y * off_y <= radius * radius) {
      out[static_cast<std::size_t>(top + row) * width + left + column] = 0;
    }
  }
};

struct Material {
  Boxes boxes;
  const float* material;
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t to) const {
    out[to] = boxes.mean<float>(x, y, [&](std::size_t cell) {
      const float factor = material ? material[cell] : kPlain;
      return factor < 0 ? kPlain : factor;
    });
  }
};

// q = -α ∇u at the middle cell of each box: the mean of what flows through the cell's opposite faces, so that nothing
// comes out of an insulator. In plain material these are central differences.
struct Flux {
  Boxes boxes;
  const float* u;
  const float* material;
  Boundary boundary;
  float scale;  // α/(2 dx)
  float* out;   // pairs

  // Through the face between two cells, against the difference of their temperatures.
  SIMSCOPE_HD float through(std::size_t from, std::size_t to) const {
    const float a = material[from] < 0 ? kPlain : material[from], b = material[to] < 0 ? kPlain : material[to];
    return faceFactor(a, b) * (u[to] - u[from]);
  }
  SIMSCOPE_HD int beside(int at, int by) const {
    const int there = at + by;
    if (there >= 0 && there < boxes.n) return there;
    return boundary == Boundary::Periodic ? (there + boxes.n) % boxes.n : at;
  }
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const int x = (boxes.begin(column) + boxes.end(column)) / 2, y = (boxes.begin(row) + boxes.end(row)) / 2;
    float* const to = out + 2 * i;
    const std::size_t west = boxes.at(beside(x, -1), y), east = boxes.at(beside(x, 1), y);
    const std::size_t south = boxes.at(x, beside(y, -1)), north = boxes.at(x, beside(y, 1));
    if (!material) {
      to[0] = -scale * (u[east] - u[west]);
      to[1] = -scale * (u[north] - u[south]);
    } else if (isInsulated(boxes, material, column, row)) {
      to[0] = to[1] = NAN;
    } else {
      const std::size_t own = boxes.at(x, y);
      to[0] = -scale * (through(own, east) + through(west, own));
      to[1] = -scale * (through(own, north) + through(south, own));
    }
  }
};

// Along the middle of the field: the middle row, or the mean of the two middle rows.
struct Profile {
  const float* u;
  const float* material;
  const double* exact;
  float expected;
  int n;
  float* profile;
  float* profile_exact;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t below = static_cast<std::size_t>((n - 1) / 2), above = static_cast<std::size_t>(n / 2);
    const auto count = static_cast<std::size_t>(n);
    const std::size_t lower = below * count + i, upper = above * count + i;
    const bool insulated = material && (material[lower] == kInsulator || material[upper] == kInsulator);
    if (profile) profile[i] = insulated ? NAN : 0.5f * (u[lower] + u[upper]);
    if (!profile_exact) return;
    profile_exact[i] =
        exact ? static_cast<float>(0.5 * exact[i] * (exact[count + below] + exact[count + above])) : expected;
  }
};

}  // namespace functors

namespace {

// A channel over the field, one element a box; null where nobody wants it.
Channel* fieldChannel(Frame& frame, const char* key, const Parameters& p, const compute::Boxes& boxes, double low,
                      double high, int components = 1) {
  if (!frame.wants(key)) return nullptr;
  const int size = boxes.side();
  Channel& channel = frame.channel(key, size, size, components);
  channel.x_min = channel.y_min = -p.length() / 2;
  channel.x_max = channel.y_max = channel.x_min + size * boxes.factor * p.spacing;
  channel.low = low;
  channel.high = high;
  return &channel;
}

float* dataOf(Channel* channel) {
  return channel ? channel->data.data() : nullptr;
}

void presentOutline(compute::Device& device, const Presented& what, const compute::Boxes& boxes, Channel& outline) {
  const int size = outline.width;
  float* const out = outline.data.data();
  if (what.material) {
    compute::parallelFor2d(device, size, size, functors::Outline{boxes, what.material, out});
  } else {
    compute::parallelFor(device, outline.data.size(), functors::Level{out, 1});
  }
  const double radius = 0.006 * size;
  for (int k = 0; k < kThermometers; ++k) {
    if (!(what.thermometer_x[k] >= 0)) continue;
    const double x = what.thermometer_x[k] / boxes.factor, y = what.thermometer_y[k] / boxes.factor;
    const auto from = [&](double at) { return compute::wholeWithin(at - radius, 0, size); };
    const auto to = [&](double at) { return std::min(size, compute::wholeWithin(at + radius, -2, size) + 2); };
    compute::parallelFor2d(device, to(x) - from(x), to(y) - from(y),
                           functors::Disc{x, y, radius, from(x), from(y), size, out});
  }
}

}  // namespace

void presentField(Frame& frame, const Parameters& p, const Presented& what) {
  compute::Device& device = *frame.device;
  const int n = p.grid_points;

  const compute::Boxes boxes = compute::boxesFor(n, kPresented);
  Channel* const temperature = fieldChannel(frame, "temperature", p, boxes, what.low, what.high);
  Channel* const isotherms = fieldChannel(frame, "isotherms", p, boxes, 0, 1);
  if (temperature || isotherms) {
    compute::parallelFor2d(
        device, boxes.side(), boxes.side(),
        functors::Temperature{boxes, what.u, what.material, static_cast<float>(kIsotherms / p.spot_temperature),
                              dataOf(temperature), dataOf(isotherms)});
  }
  if (Channel* const outline = fieldChannel(frame, "outline", p, boxes, 0, 1)) {
    presentOutline(device, what, boxes, *outline);
  }

  const compute::Boxes coarse = compute::boxesFor(n, kPresentedMaterial);
  if (Channel* const material = fieldChannel(frame, "material", p, coarse, 0, static_cast<double>(kConductor))) {
    compute::parallelFor2d(device, material->width, material->height,
                           functors::Material{coarse, what.material, material->data.data()});
  }

  const compute::Boxes coarser = compute::boxesFor(n, kPresentedFlux);
  // Of a blank field nothing tells where it will be warm.
  const double usual_length = p.initial == Initial::Blank ? p.length() / 4 : p.spot_size;
  const double most = p.diffusivity * p.spot_temperature / usual_length;
  if (Channel* const flux = fieldChannel(frame, "flux", p, coarser, 0, most, 2)) {
    compute::parallelFor2d(device, flux->width, flux->height,
                           functors::Flux{coarser, what.u, what.material, p.boundary,
                                          static_cast<float>(p.diffusivity / (2 * p.spacing)), flux->data.data()});
  }

  const auto curve = [&](const char* key, int form) -> float* {
    if (!frame.wants(key)) return nullptr;
    Channel& channel = frame.channel(key, n);
    channel.x_min = p.positionOf(0);
    channel.x_max = p.positionOf(n);
    channel.low = what.low;
    channel.high = what.high;
    channel.form = form;
    return channel.data.data();
  };
  float* const profile = curve("profile", 0);
  float* const exact = curve("profile_exact", what.exact ? 0 : what.material ? 2 : 1);
  if (!profile && !exact) return;
  compute::parallelFor(
      device, static_cast<std::size_t>(n),
      functors::Profile{what.u, what.material, what.exact, static_cast<float>(what.expected), n, profile, exact});
}

}  // namespace simscope::heat
