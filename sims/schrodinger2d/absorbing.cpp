#include "sims/schrodinger2d/absorbing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/schrodinger2d/physics.h"
#include "sims/schrodinger2d/validity.h"

namespace simscope::schrodinger2d {
namespace {

constexpr double kNarrowest = 0.1, kWidest = 0.2;  // of the domain
constexpr double kLittle = 1e-4;                   // of a packet, that may be missed before a layer is fitted further

// How wide the layers may be, so that every packet begins before them, to four standard deviations, and shapes end
// there.
double widestLayer(const Numbers& p, const std::vector<Begun>& begun) {
  double reach = p.potential == Potential::CircularWell ? p.well_radius : 0.0;
  if (hasSlits(p)) reach = 0.5 * (p.slit_width + (p.potential == Potential::DoubleSlit ? p.slit_separation : 0.0));
  for (const Begun& each : begun) {
    const Packet& packet = each.packet;
    reach = std::max(reach, std::max(std::fabs(packet.x), std::fabs(packet.y)) + 4.0 * packet.width);
  }
  return std::min(0.5 * p.domain_length - reach, kWidest * p.domain_length);
}

}  // namespace

double absorptionAt(const absorbing::Layer& layer, double x, double length) {
  return layer.width > 0.0 ? layer.rateAt(std::fabs(x) - (0.5 * length - layer.width)) : 0.0;
}

double missedOf(const absorbing::Layer& layer, const std::vector<Outgoing>& outgoing, double enough) {
  double most = 0.0;
  for (const Outgoing& each : outgoing) {
    double missed = 0.0;
    for (const absorbing::Wave& wave : each) {
      missed += wave.share * absorbing::missedBy(layer, wave.k).sum();
      if (!(missed <= enough)) return missed;
    }
    most = std::max(most, missed);
  }
  return most;
}

absorbing::Layer layerFor(const Numbers& p, const std::vector<Begun>& begun, const std::vector<Outgoing>& outgoing) {
  if (!p.absorbing_edges) return {0.0, 0.0};
  double fastest = 0.0, slowest = 0.0;
  for (const Begun& each : begun) {
    fastest = std::max({fastest, each.packet.momentum(), 1.0 / each.packet.width});
  }
  absorbing::Layer layer{kNarrowest * p.domain_length, fastest};
  double least = missedOf(layer, outgoing);
  if (least <= kLittle) return layer;

  for (const Outgoing& each : outgoing) {
    for (const absorbing::Wave& wave : each) {
      slowest = slowest > 0.0 ? std::min(slowest, wave.k) : wave.k;
      fastest = std::max(fastest, wave.k);
    }
  }
  if (!std::isfinite(fastest)) return layer;
  constexpr double kWider = 1.18, kSlower = 1.25, kMostSlower = 64.0;
  slowest = std::max(slowest, fastest / kMostSlower);
  const double widest = std::max(layer.width, widestLayer(p, begun));
  for (double width = layer.width; least > kLittle && width <= widest; width *= kWider) {
    for (double k = fastest; k >= slowest; k /= kSlower) {
      const absorbing::Layer other{width, k};
      const double missed = missedOf(other, outgoing, least);
      if (missed < least) least = missed, layer = other;
    }
  }
  return layer;
}

double lengthThatAbsorbs(Numbers p, const std::vector<Begun>& begun, const std::vector<Outgoing>& outgoing) {
  constexpr double kLonger = 1.25, kMost = 10.0;
  const double longest = kMost * p.domain_length;
  while (p.domain_length <= longest) {
    p.domain_length *= kLonger;
    if (missedOf(layerFor(p, begun, outgoing), outgoing, kMostMissed) <= kMostMissed) return p.domain_length;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace simscope::schrodinger2d
