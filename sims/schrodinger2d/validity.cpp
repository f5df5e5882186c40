#include "sims/schrodinger2d/validity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sims/schrodinger2d/advisor.h"

namespace simscope::schrodinger2d {

namespace {

using P = Parameters;

// Four standard deviations hold all but 6e-5 of a Gaussian's probability, five all but 6e-7.
constexpr double kTail = 4.0;
constexpr double kMomentumTail = 5.0;
constexpr double kEdgeProbability = 1e-3;
constexpr double kPotentialPhase = kPi / 4.0;
constexpr double kSamples = 4.0;  // that a feature should span

// Walls across the whole plane, that vary along x alone.
bool straight(const P& p) {
  return p.potential == Potential::Barrier || p.potential == Potential::Step;
}
bool isWall(const P& p) {
  return straight(p) || hasSlits(p);
}
bool sharp(const P& p, const Measured& m) {
  return hasJumps(p) || m.walls || p.potential == Potential::Image;
}

std::vector<PacketKeys> packetsIn(const P& p) {
  std::vector<PacketKeys> all = {kFirstPacket};
  if (p.second_packet) all.push_back(kSecondPacket);
  return all;
}

// How far from 0 a packet's centre comes along an axis: in the oscillator it swings to √(x₀² + (k₀/ω)²).
double reach(const P& p, double x, double k) {
  return p.potential == Potential::Harmonic ? std::hypot(x, k / p.omega) : std::fabs(x);
}
double largestReach(const P& p, const PacketKeys& which) {
  const Packet packet = packetOf(p, which);
  return std::max(reach(p, packet.x, packet.kx), reach(p, packet.y, packet.ky));
}
bool outsideDomain(const P& p, const PacketKeys& which) {
  return !(largestReach(p, which) + kTail * p.*which.width <= 0.5 * p.domain_length);
}

bool touchesPotential(const P& p, const PacketKeys& which) {
  if (!hasJumps(p)) return false;
  const Packet packet = packetOf(p, which);
  const double away = isWall(p) ? std::fabs(packet.x) : std::hypot(packet.x, packet.y);
  return !(away >= edgesOf(p).right + kTail * packet.width);
}

double startPotential(const Measured& m, const PacketKeys& which) {
  return which.x == kSecondPacket.x ? m.second_potential : m.start_potential;
}

// The largest momentum that a packet will have: what falls into a well gains.
double largestMomentum(const P& p, const PacketKeys& which, const Measured& m, double tail) {
  const Packet packet = packetOf(p, which);
  const double gain = 2.0 * std::max(0.0, startPotential(m, which) - m.potential.lowest);
  const double spread = tail * packet.momentumWidth();
  if (p.potential == Potential::None && !m.walls) return std::max(std::fabs(packet.kx), std::fabs(packet.ky)) + spread;
  return std::sqrt(packet.momentum() * packet.momentum() + gain) + spread;
}
double largestMomentum(const P& p, const Measured& m, double tail) {
  double largest = 0.0;
  for (const PacketKeys& which : packetsIn(p)) largest = std::max(largest, largestMomentum(p, which, m, tail));
  return largest;
}

// The largest energy that a packet starts with.
double largestEnergy(const P& p, const Measured& m) {
  double largest = 0.0;
  for (const PacketKeys& which : packetsIn(p)) {
    largest = std::max(largest, startPotential(m, which) + packetOf(p, which).kineticEnergy());
  }
  return largest;
}

// The largest |V| where the packet goes: everywhere in walls, up to about its turning line in smooth potentials.
double largestPotential(const P& p, const Measured& m) {
  double highest = m.potential.highest;
  if (!sharp(p, m)) highest = std::min(highest, 2.0 * largestEnergy(p, m));
  return std::max(highest, -m.potential.lowest);
}

// The finest thing in the potential, and the parameter that makes it wider.
struct Feature {
  double width = std::numeric_limits<double>::infinity();
  const char* key = "";
  double Numbers::*member = nullptr;
};
Feature finestFeature(const P& p) {
  Feature finest;
  const auto add = [&](double width, const char* key, double Numbers::*member) {
    if (width < finest.width) finest = {width, key, member};
  };
  if (p.potential == Potential::Coulomb) add(p.softening, "softening", &Numbers::softening);
  if (!hasJumps(p)) return finest;
  if (p.potential == Potential::Barrier || hasSlits(p)) add(p.barrier_width, "barrier_width", &Numbers::barrier_width);
  if (hasSlits(p)) add(p.slit_width, "slit_width", &Numbers::slit_width);
  if (p.potential == Potential::CircularWell) add(p.well_radius, "well_radius", &Numbers::well_radius);
  return finest;
}

// How far from 0 the potential reaches, along the axis in which it must fit.
struct Extent {
  double reach = 0;
  const char* key = "";
  double Numbers::*member = nullptr;
};
Extent extentOf(const P& p) {
  switch (p.potential) {
    case Potential::Barrier:
      return {0.5 * p.barrier_width, "barrier_width", &Numbers::barrier_width};
    case Potential::SingleSlit:
      return {0.5 * p.slit_width, "slit_width", &Numbers::slit_width};
    case Potential::DoubleSlit:
      return {0.5 * (p.slit_separation + p.slit_width), "slit_separation", &Numbers::slit_separation};
    case Potential::CircularWell:
      return {p.well_radius, "well_radius", &Numbers::well_radius};
    case Potential::DoubleWell:
      return {0.5 * p.well_separation, "well_separation", &Numbers::well_separation};
    default:
      return {};
  }
}

using Advice = Advisor<P>;

void considerPlace(Advice& advice, const P& p, const PacketKeys& which) {
  const Packet packet = packetOf(p, which);
  const double half = 0.5 * p.domain_length, tail = kTail * packet.width, far = largestReach(p, which);
  const auto inward = [&](double at) { return std::copysign(roundedDown(half - tail), at); };
  const std::string the_packet = std::string("The ") + which.name;
  const auto outside = [&](const P& q) { return outsideDomain(q, which); };
  advice.consider(Finding::Level::Warning, "packet_outside_domain", outside,
                  the_packet + " reaches " + shortText(far + tail) + " from the centre, beyond the edges at ±" +
                      shortText(half) + ": the part beyond enters at the other side.",
                  {advice.to(which.x_key, which.x, inward(packet.x)), advice.to(which.y_key, which.y, inward(packet.y)),
                   advice.to("domain_length", &P::domain_length, roundedUp(2.0 * (far + tail))),
                   advice.to(which.width_key, which.width, roundedDown((half - far) / kTail)),
                   advice.to("omega", &P::omega, roundedUp(2.0 * packet.momentum() / (half - tail)))});

  const auto touches = [&](const P& q) {
    return touchesPotential(q, which) || (outside(q) && !outside(p));  // the cure must not make another ailment
  };
  const double free = roundedUp(edgesOf(p).right + tail);
  advice.consider(
      Finding::Level::Note, "packet_touches_potential", touches,
      the_packet +
          " starts on the potential or close to it: reflection and transmission differ from those of an incoming wave.",
      {advice.to(which.x_key, which.x, packet.x > 0.0 ? free : -free),
       advice.to(which.width_key, which.width, roundedDown((std::fabs(packet.x) - edgesOf(p).right) / kTail))});
}

void considerSpace(Advice& advice, const P& p) {
  for (const PacketKeys& which : packetsIn(p)) considerPlace(advice, p, which);
  const double half = 0.5 * p.domain_length;
  const Extent extent = extentOf(p);
  if (extent.member) {
    const double shrink = 0.25 * p.domain_length / extent.reach;
    advice.consider(Finding::Level::Warning, "potential_outside_domain",
                    [](const P& q) { return !(extentOf(q).reach < 0.5 * q.domain_length); },
                    "The potential reaches " + shortText(extent.reach) + " from the centre, beyond the edges at ±" +
                        shortText(half) + ": no room is left outside it.",
                    {advice.to("domain_length", &P::domain_length, roundedUp(4.0 * extent.reach)),
                     advice.to(extent.key, extent.member, roundedDown(shrink * (p.*extent.member))),
                     advice.to("slit_width", &P::slit_width, roundedDown(0.25 * p.domain_length))});
  }
  advice.consider(
      Finding::Level::Note, "screen_outside_domain",
      [](const P& q) { return !(std::fabs(q.screen_x) <= 0.5 * q.domain_length); },
      "The screen at x = " + shortText(p.screen_x) + " is beyond the edges at ±" + shortText(half) +
          "; the last line before the edge is shown instead.",
      {advice.to("screen_x", &P::screen_x, std::copysign(roundedDown(0.25 * p.domain_length), p.screen_x))});
}

void considerMomenta(Advice& advice, const P& p, const PacketKeys& which, const Measured& m) {
  const Grid grid = gridOf(p);
  const Packet packet = packetOf(p, which);
  const double needed = largestMomentum(p, which, m, kMomentumTail);
  const auto beyond = [&](const P& q) { return !(largestMomentum(q, which, m, kMomentumTail) <= gridOf(q).nyquist()); };
  const auto points =
      static_cast<int>(std::min<std::int64_t>(powerOfTwoAbove(needed * p.domain_length / kPi), 1 << 30));
  const double left = 0.9 * (grid.nyquist() - kMomentumTail * packet.momentumWidth());
  advice.consider(
      Finding::Level::Warning, "momentum_beyond_nyquist", beyond,
      std::string("The ") + which.name + " has momenta up to " + shortText(needed) +
          ", but the grid resolves only up to " + shortText(grid.nyquist()) +
          " (π/dx): higher momenta move the wrong way.",
      {advice.to("grid_points", &P::grid_points, points),
       advice.to(which.momentum_x_key, which.momentum_x, std::copysign(roundedDown(0.7 * left), packet.kx)),
       advice.to(which.momentum_y_key, which.momentum_y, std::copysign(roundedDown(0.7 * left), packet.ky)),
       advice.to(which.width_key, which.width, roundedUp(kMomentumTail / (grid.nyquist() - packet.momentum()))),
       advice.to("domain_length", &P::domain_length, roundedDown(0.5 * p.domain_length * grid.nyquist() / needed))});
}

void considerSampling(Advice& advice, const P& p, const Measured& m) {
  for (const PacketKeys& which : packetsIn(p)) considerMomenta(advice, p, which, m);
  const Grid grid = gridOf(p);
  const Feature finest = finestFeature(p);
  if (!finest.member) return;
  const auto finer =
      static_cast<int>(std::min<std::int64_t>(powerOfTwoAbove(kSamples * p.domain_length / finest.width), 1 << 30));
  advice.consider(
      Finding::Level::Note, "potential_unresolved",
      [](const P& q) { return !(finestFeature(q).width >= kSamples * gridOf(q).dx * (1 - 1e-12)); },
      std::string(finest.key) + " = " + shortText(finest.width) + " spans fewer than " + shortText(kSamples) +
          " samples (dx = " + shortText(grid.dx) + "): its edges are blurred over one sample.",
      {advice.to("grid_points", &P::grid_points, finer),
       advice.to(finest.key, finest.member, roundedUp(kSamples * grid.dx)),
       advice.to("domain_length", &P::domain_length, roundedDown(finest.width * p.grid_points / kSamples))});
}

void considerTimeStep(Advice& advice, const P& p, const Measured& m) {
  const auto shorter = [&](double limit) { return advice.to("time_step", &P::time_step, roundedDown(limit)); };
  const double v = largestPotential(p, m);
  advice.consider(Finding::Level::Warning, "time_step_potential",
                  [&m](const P& q) { return !(largestPotential(q, m) * q.time_step <= kPotentialPhase); },
                  "The potential turns ψ by " + shortText(v * p.time_step) +
                      " rad in one step; above π/4 the splitting error is visible in reflection and transmission.",
                  {shorter(kPotentialPhase / v)});

  const double k = largestMomentum(p, m, 3.0);
  advice.consider(Finding::Level::Warning, "time_step_kinetic",
                  [&m](const P& q) {
                    const double largest = largestMomentum(q, m, 3.0);
                    // Without a potential the kinetic steps are exact, however long.
                    return largestPotential(q, m) > 0.0 && !(0.5 * largest * largest * q.time_step <= kPi);
                  },
                  "The packet's own kinetic phase is " + shortText(0.5 * k * k * p.time_step) +
                      " rad per step; above π its energy is ambiguous and the potential couples it to false momenta.",
                  {shorter(2.0 * kPi / (k * k))});

  // Potentials that vary along x alone leave the momentum along y as it is.
  const auto phase = [&m](const P& q) {
    const double nyquist = gridOf(q).nyquist();
    return (straight(q) && !m.walls ? 0.5 : 1.0) * nyquist * nyquist * q.time_step;
  };
  advice.consider(Finding::Level::Note, "splitting_feeds_high_momenta",
                  [&](const P& q) { return sharp(q, m) && !(phase(q) <= kPi); },
                  "The grid's highest kinetic phase is " + shortText(phase(p)) +
                      " rad per step; above π the jumps of V excite the highest momenta, and the energy rises.",
                  {shorter(kPi * p.time_step / phase(p))});
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, const Measured& measured) {
  Advice advice(p, *binding().infos());
  considerSpace(advice, p);
  considerSampling(advice, p, measured);
  considerTimeStep(advice, p, measured);
  const double edge = measured.edge_probability;
  advice.consider(Finding::Level::Warning, "wrap_around",
                  [edge](const P& q) { return !q.absorbing_edges && !(edge <= kEdgeProbability); },
                  "Probability " + shortText(edge) +
                      " is at the edges, which do not absorb: it leaves on one side and enters on the other.",
                  {advice.to("absorbing_edges", &P::absorbing_edges, true)});
  return advice.take();
}

}  // namespace simscope::schrodinger2d
