#include "sims/heat/present.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sims/compute/loops/boxes.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/rows.h"
#include "sims/compute/loops/whole.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace functors {

using compute::Boxes;
using compute::Slab;

// Whether an insulator lies in the box. Such a box has neither temperature nor flux (NaN), so that no contour and no
// arrow crosses a wall that is thinner than a box.
SIMSCOPE_HD inline bool isInsulated(const Boxes& boxes, const Slab& slab, const float* material, int column, int row) {
  if (!material) return false;
  for (int j = boxes.begin(row); j < boxes.end(row); ++j) {
    for (int i = boxes.begin(column); i < boxes.end(column); ++i) {
      if (material[slab.at(i, j)] == kInsulator) return true;
    }
  }
  return false;
}

struct Temperature {
  Boxes boxes;
  Slab slab;
  const float* u;
  const float* material;
  float levels;        // isotherms a unit of temperature
  float* temperature;  // or null, likewise
  float* isotherms;

  SIMSCOPE_HD void operator()(int x, int y, std::size_t to) const {
    if (isInsulated(boxes, slab, material, x, y)) {
      if (temperature) temperature[to] = NAN;
      if (isotherms) isotherms[to] = NAN;
      return;
    }
    const float mean = boxes.factor == 1
                           ? u[slab.at(x, y)]
                           : boxes.mean<float>(x, y, [&](std::size_t cell) { return u[slab.local(cell)]; });
    if (temperature) temperature[to] = mean;
    if (!isotherms) return;
    // A triangle wave of the temperature, which crosses ½ on every isotherm; there are none far outside the range.
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
  Slab slab;
  const float* material;
  float* outline;

  SIMSCOPE_HD void operator()(int x, int y, std::size_t to) const {
    outline[to] =
        boxes.mean<float>(x, y, [&](std::size_t cell) { return material[slab.local(cell)] == kPlain ? 1.0f : 0.0f; });
  }
};

struct Level {
  float* out;
  float value;
  SIMSCOPE_HD void operator()(std::size_t i) const { out[i] = value; }
};

// A disc of 0 around (x, y), the position of a thermometer. Called for the box of elements around it.
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
  Slab slab;
  const float* material;
  float* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t to) const {
    out[to] = boxes.mean<float>(x, y, [&](std::size_t cell) {
      const float factor = material ? material[slab.local(cell)] : kPlain;
      return factor < 0 ? kPlain : factor;
    });
  }
};

// q = -α ∇u at the middle cell of each box: the mean of the fluxes through the cell's opposite faces, so that none
// comes out of an insulator. In plain material these are central differences.
struct Flux {
  Boxes boxes;
  Slab slab;
  const float* u;
  const float* material;
  Boundary boundary;
  float scale;  // α/(2 dx)
  float* out;   // pairs

  // The flux through the face between two cells, against the difference of their temperatures.
  SIMSCOPE_HD float through(std::size_t from, std::size_t to) const {
    const float a = material[from] < 0 ? kPlain : material[from], b = material[to] < 0 ? kPlain : material[to];
    return faceFactor(a, b) * (u[to] - u[from]);
  }
  SIMSCOPE_HD bool isBeyond(int there) const { return there < 0 || there >= boxes.n; }
  SIMSCOPE_HD int columnBeside(int x, int by) const {
    if (!isBeyond(x + by)) return x + by;
    return boundary == Boundary::Periodic ? (x + by + boxes.n) % boxes.n : x;
  }
  SIMSCOPE_HD int rowBeside(int y, int by) const {
    if (!isBeyond(y + by)) return y + by;
    return boundary == Boundary::Periodic ? slab.joined(y + by) : y;
  }
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const int x = (boxes.begin(column) + boxes.end(column)) / 2, y = (boxes.begin(row) + boxes.end(row)) / 2;
    float* const to = out + 2 * i;
    const std::size_t west = slab.at(columnBeside(x, -1), y), east = slab.at(columnBeside(x, 1), y);
    const std::size_t south = slab.at(x, rowBeside(y, -1)), north = slab.at(x, rowBeside(y, 1));
    if (!material) {
      to[0] = -scale * (u[east] - u[west]);
      to[1] = -scale * (u[north] - u[south]);
    } else if (isInsulated(boxes, slab, material, column, row)) {
      to[0] = to[1] = NAN;
    } else {
      const std::size_t own = slab.at(x, y);
      to[0] = -scale * (through(own, east) + through(west, own));
      to[1] = -scale * (through(own, north) + through(south, own));
    }
  }
};

// Along the middle of the field: the middle row, or the mean of the two middle rows.
struct Profile {
  const float* lower;  // the middle rows of u, and of the material, or null
  const float* upper;
  const float* material_lower;
  const float* material_upper;
  const double* exact;
  float expected;
  int n;
  float* profile;
  float* profile_exact;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t below = static_cast<std::size_t>((n - 1) / 2), above = static_cast<std::size_t>(n / 2);
    const auto count = static_cast<std::size_t>(n);
    const bool insulated = material_lower && (material_lower[i] == kInsulator || material_upper[i] == kInsulator);
    if (profile) profile[i] = insulated ? NAN : 0.5f * (lower[i] + upper[i]);
    if (!profile_exact) return;
    profile_exact[i] =
        exact ? static_cast<float>(0.5 * exact[i] * (exact[count + below] + exact[count + above])) : expected;
  }
};

}  // namespace functors

namespace {

// A plane of boxes over the field, and the rows of it that this rank makes: those whose boxes begin in its own rows.
struct Plane {
  compute::Boxes boxes;
  std::vector<int> cuts;
  compute::Cut own;
  bool first;  // rank 0, or alone

  Plane(const compute::Device& device, int n, int most)
      : boxes(compute::boxesFor(n, most)),
        cuts(compute::cutsOf(device, n, 0, n, boxes.factor)),
        own(compute::ownCut(device, cuts)),
        first(!device.ranks() || device.ranks()->first()) {}

  template <class F>
  void each(compute::Device& device, const F& f) const {
    compute::forRows(device, boxes.side(), own.first, own.count, f);
  }
  void gather(compute::Device& device, Channel* channel) const {
    if (!channel) return;
    const auto values = static_cast<std::size_t>(channel->width) * static_cast<std::size_t>(channel->components);
    compute::gatherRowsOnDevice(device, cuts, channel->data.data(), values * sizeof(float));
  }
};

// A channel over the field, one element a box; null if not wanted.
Channel* fieldChannel(Frame& frame, const char* key, const Parameters& p, const Plane& plane, double low, double high,
                      int components = 1) {
  if (!frame.wants(key)) return nullptr;
  const int size = plane.boxes.side();
  Channel& channel = frame.channel(key, size, plane.first ? size : std::max(plane.own.count, 1), components);
  channel.x_min = channel.y_min = -p.length() / 2;
  channel.x_max = channel.y_max = channel.x_min + size * plane.boxes.factor * p.spacing;
  channel.low = low;
  channel.high = high;
  return &channel;
}

float* dataOf(Channel* channel) {
  return channel ? channel->data.data() : nullptr;
}

void presentOutline(compute::Device& device, const Presented& what, const Plane& plane, Channel& outline) {
  const int size = outline.width;
  float* const out = outline.data.data();
  if (what.material) {
    plane.each(device, functors::Outline{plane.boxes, what.slab, what.material, out});
    plane.gather(device, &outline);
  } else {
    compute::parallelFor(device, outline.data.size(), functors::Level{out, 1});
  }
  if (!plane.first) return;
  const double radius = 0.006 * size;
  for (int k = 0; k < kThermometers; ++k) {
    if (!(what.thermometer_x[k] >= 0)) continue;
    const double x = what.thermometer_x[k] / plane.boxes.factor, y = what.thermometer_y[k] / plane.boxes.factor;
    const auto from = [&](double at) { return compute::wholeWithin(at - radius, 0, size); };
    const auto to = [&](double at) { return std::min(size, compute::wholeWithin(at + radius, -2, size) + 2); };
    compute::parallelFor2d(device, to(x) - from(x), to(y) - from(y),
                           functors::Disc{x, y, radius, from(x), from(y), size, out});
  }
}

// Row y of a field: where it lies, or a copy from the rank that has it.
const float* rowOf(compute::Device& device, const float* field, const compute::Slab& slab, int y,
                   compute::Buffer<float>& copy) {
  if (!field || !device.ranks()) return field ? field + slab.at(0, y) : nullptr;
  std::vector<float> row(static_cast<std::size_t>(slab.n));
  if (slab.owns(y)) device.download(row.data(), field + slab.at(0, y), row.size() * sizeof(float));
  compute::shareFromRow(device, slab.n, y, row.data(), row.size() * sizeof(float));
  copy = compute::Buffer<float>(device.shared_from_this(), row);
  return copy.data();
}

void presentProfile(Frame& frame, const Parameters& p, const Presented& what) {
  compute::Device& device = *frame.device;
  const int n = p.grid_points;
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
  compute::Buffer<float> copies[4];
  const int lower = (n - 1) / 2, upper = n / 2;
  compute::parallelFor(device, static_cast<std::size_t>(n),
                       functors::Profile{rowOf(device, what.u, what.slab, lower, copies[0]),
                                         rowOf(device, what.u, what.slab, upper, copies[1]),
                                         rowOf(device, what.material, what.slab, lower, copies[2]),
                                         rowOf(device, what.material, what.slab, upper, copies[3]), what.exact,
                                         static_cast<float>(what.expected), n, profile, exact});
}

}  // namespace

int presentedReach(int n) {
  return compute::boxesFor(n, std::min({kPresented, kPresentedMaterial, kPresentedFlux})).factor;
}

void presentField(Frame& frame, const Parameters& p, const Presented& what) {
  compute::Device& device = *frame.device;
  const int n = p.grid_points;

  const Plane fine(device, n, kPresented);
  Channel* const temperature = fieldChannel(frame, "temperature", p, fine, what.low, what.high);
  Channel* const isotherms = fieldChannel(frame, "isotherms", p, fine, 0, 1);
  if (temperature || isotherms) {
    fine.each(device, functors::Temperature{fine.boxes, what.slab, what.u, what.material,
                                            static_cast<float>(kIsotherms / p.spot_temperature), dataOf(temperature),
                                            dataOf(isotherms)});
    fine.gather(device, temperature);
    fine.gather(device, isotherms);
  }
  if (Channel* const outline = fieldChannel(frame, "outline", p, fine, 0, 1)) {
    presentOutline(device, what, fine, *outline);
  }

  const Plane coarse(device, n, kPresentedMaterial);
  if (Channel* const material = fieldChannel(frame, "material", p, coarse, 0, static_cast<double>(kConductor))) {
    coarse.each(device, functors::Material{coarse.boxes, what.slab, what.material, material->data.data()});
    coarse.gather(device, material);
  }

  const Plane coarser(device, n, kPresentedFlux);
  // The parameters of a blank field do not say where it will be warm.
  const double usual_length = p.initial == Initial::Blank ? p.length() / 4 : p.spot_size;
  const double most = p.diffusivity * p.spot_temperature / usual_length;
  if (Channel* const flux = fieldChannel(frame, "flux", p, coarser, 0, most, 2)) {
    coarser.each(device, functors::Flux{coarser.boxes, what.slab, what.u, what.material, p.boundary,
                                        static_cast<float>(p.diffusivity / (2 * p.spacing)), flux->data.data()});
    coarser.gather(device, flux);
  }
  presentProfile(frame, p, what);
}

}  // namespace simscope::heat
