#include "sims/schrodinger2d/validity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "sims/schrodinger2d/advisor.h"

namespace simscope::schrodinger2d {

namespace {

using P = Parameters;

// Four standard deviations hold all but 6e-5 of a Gaussian's probability, five all but 6e-7.
constexpr double kTail = 4.0;
constexpr double kMomentumTail = 5.0;
constexpr double kEdgeProbability = 1e-3;
constexpr double kPotentialPhase = kPi / 4.0;
constexpr double kSamples = 4.0;      // that a feature should span
constexpr double kSeenSamples = 3.8;  // the same, where its width is read from samples, to 0.2 of their distance
constexpr double kNearLimit = 1e-3;   // probability

// Walls across the whole plane, that vary along x alone.
bool straight(const P& p) {
  return p.potential == Potential::Barrier || p.potential == Potential::Step;
}
bool isWall(const P& p) {
  return straight(p) || hasSlits(p);
}
bool sharp(const P& p, const Measured& m) {
  return hasJumps(p) || m.walls || p.potential == Potential::Image || (p.potential == Potential::Formula && m.jumps);
}

// As it begins with parameters that may have been changed.
Packet packetNow(const P& p, const Begun& begun) {
  return begun.keys ? packetOf(p, *begun.keys) : begun.packet;
}
std::string nameOf(const Begun& begun) {
  return begun.keys ? begun.keys->name : "packet";
}

// How far from 0 a packet's centre comes along an axis: in the oscillator it swings to √(x₀² + (k₀/ω)²).
double reach(const P& p, double x, double k) {
  return p.potential == Potential::Harmonic ? std::hypot(x, k / p.omega) : std::fabs(x);
}
double largestReach(const P& p, const Begun& begun) {
  const Packet packet = packetNow(p, begun);
  return std::max(reach(p, packet.x, packet.kx), reach(p, packet.y, packet.ky));
}
bool outsideDomain(const P& p, const Begun& begun) {
  return !(largestReach(p, begun) + kTail * packetNow(p, begun).width <= 0.5 * p.domain_length);
}

bool touchesShape(const P& p, const Begun& begun) {
  if (!hasJumps(p)) return false;
  const Packet packet = packetNow(p, begun);
  const double away = isWall(p) ? std::fabs(packet.x) : std::hypot(packet.x, packet.y);
  return !(away >= edgesOf(p).right + kTail * packet.width);
}

// The largest momentum that a packet will have: what falls into a well gains.
double largestMomentum(const P& p, const Begun& begun, const Measured& m, double tail) {
  const Packet packet = packetNow(p, begun);
  const double gain = 2.0 * std::max(0.0, begun.potential - m.potential.lowest);
  const double spread = tail * packet.momentumWidth();
  if (p.potential == Potential::None && !m.walls) return std::max(std::fabs(packet.kx), std::fabs(packet.ky)) + spread;
  return std::sqrt(packet.momentum() * packet.momentum() + gain) + spread;
}
double largestMomentum(const P& p, const Measured& m, double tail) {
  double largest = m.fastest;
  for (const Begun& each : m.begun) largest = std::max(largest, largestMomentum(p, each, m, tail));
  return largest;
}

// The largest energy that a packet starts with.
double largestEnergy(const P& p, const Measured& m) {
  double largest = 0.0;
  for (const Begun& each : m.begun) {
    largest = std::max(largest, each.potential + packetNow(p, each).kineticEnergy());
  }
  return largest;
}

// The largest |V| where the packet goes: everywhere in walls, up to about its turning line in smooth potentials.
double largestPotential(const P& p, const Measured& m) {
  double highest = m.potential.highest;
  if (!sharp(p, m) && !m.begun.empty()) highest = std::min(highest, 2.0 * largestEnergy(p, m));
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

void considerPlace(Advice& advice, const P& p, const Begun& begun) {
  const Packet packet = packetNow(p, begun);
  const double half = 0.5 * p.domain_length, tail = kTail * packet.width, far = largestReach(p, begun);
  const auto inward = [&](double at) { return std::copysign(roundedDown(half - tail), at); };
  const std::string the_packet = "The " + nameOf(begun);
  const auto outside = [&](const P& q) { return outsideDomain(q, begun); };
  std::vector<std::optional<Advice::Change>> cures;
  if (begun.keys) {
    cures = {advice.to(begun.keys->x_key, begun.keys->x, inward(packet.x)),
             advice.to(begun.keys->y_key, begun.keys->y, inward(packet.y))};
  }
  cures.push_back(advice.to("domain_length", &P::domain_length, roundedUp(2.0 * (far + tail))));
  if (begun.keys) {
    cures.push_back(advice.to(begun.keys->width_key, begun.keys->width, roundedDown((half - far) / kTail)));
  }
  cures.push_back(advice.to("omega", &P::omega, roundedUp(2.0 * packet.momentum() / (half - tail))));
  advice.consider(Finding::Level::Warning, "packet_outside_domain", outside,
                  the_packet + " reaches " + shortText(far + tail) + " from the centre, beyond the edges at ±" +
                      shortText(half) + ": the part beyond enters at the other side.",
                  cures);

  const auto touches = [&](const P& q) {
    return touchesShape(q, begun) || (outside(q) && !outside(p));  // the cure must not make another ailment
  };
  const double free = roundedUp(edgesOf(p).right + tail);
  cures.clear();
  if (begun.keys) {
    cures = {advice.to(begun.keys->x_key, begun.keys->x, packet.x > 0.0 ? free : -free),
             advice.to(begun.keys->width_key, begun.keys->width,
                       roundedDown((std::fabs(packet.x) - edgesOf(p).right) / kTail))};
  }
  advice.consider(
      Finding::Level::Note, "packet_touches_potential", touches,
      the_packet +
          " starts on the potential or close to it: reflection and transmission differ from those of an incoming wave.",
      cures);
}

// What typed, pictured, and drawn walls do to the wave is seen on the grid, when either of them is new.
void considerTouching(Advice& advice, const P& p, const Measured& m) {
  const double tail = std::exp(-0.5 * kTail * kTail);  // of a packet's density, four standard deviations away
  const double ratio = std::log(m.touching) / -0.5;    // squared distance, in standard deviations
  std::vector<std::optional<Advice::Change>> cures;
  if (m.begun.size() == 1 && m.begun[0].keys && ratio > 0.0) {
    const PacketKeys& keys = *m.begun[0].keys;
    cures = {advice.to(keys.width_key, keys.width, roundedDown(p.*keys.width * std::sqrt(ratio) / kTail))};
  }
  const auto touches = [&](const P& q) {
    if (!(isTable(q.potential) || m.walls) || m.begun.empty()) return false;
    const Begun& begun = m.begun[0];
    const double wider = packetNow(q, begun).width / packetNow(p, begun).width;
    return !(std::pow(m.touching, 1.0 / (wider * wider)) <= tail);
  };
  advice.consider(Finding::Level::Note, "packet_touches_potential", touches,
                  "The wave is on a jump of the potential, or close to one, from the start: reflection and "
                  "transmission differ from those of an incoming wave.",
                  cures);
}

void considerSpace(Advice& advice, const P& p, const Measured& m) {
  for (const Begun& each : m.begun) considerPlace(advice, p, each);
  considerTouching(advice, p, m);
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

void considerMomenta(Advice& advice, const P& p, const Begun& begun, const Measured& m) {
  const Grid grid = gridOf(p);
  const Packet packet = packetNow(p, begun);
  const double needed = largestMomentum(p, begun, m, kMomentumTail);
  const auto beyond = [&](const P& q) { return !(largestMomentum(q, begun, m, kMomentumTail) <= gridOf(q).nyquist()); };
  const auto points =
      static_cast<int>(std::min<std::int64_t>(powerOfTwoAbove(needed * p.domain_length / kPi), 1 << 30));
  const double left = 0.9 * (grid.nyquist() - kMomentumTail * packet.momentumWidth());
  std::vector<std::optional<Advice::Change>> cures = {advice.to("grid_points", &P::grid_points, points)};
  if (begun.keys) {
    const PacketKeys& keys = *begun.keys;
    cures.push_back(advice.to(keys.momentum_x_key, keys.momentum_x, std::copysign(roundedDown(0.7 * left), packet.kx)));
    cures.push_back(advice.to(keys.momentum_y_key, keys.momentum_y, std::copysign(roundedDown(0.7 * left), packet.ky)));
    cures.push_back(
        advice.to(keys.width_key, keys.width, roundedUp(kMomentumTail / (grid.nyquist() - packet.momentum()))));
  }
  cures.push_back(
      advice.to("domain_length", &P::domain_length, roundedDown(0.5 * p.domain_length * grid.nyquist() / needed)));
  advice.consider(Finding::Level::Warning, "momentum_beyond_nyquist", beyond,
                  "The " + nameOf(begun) + " has momenta up to " + shortText(needed) +
                      ", but the grid resolves only up to " + shortText(grid.nyquist()) +
                      " (π/dx): higher momenta move the wrong way.",
                  cures);
}

// Whatever has brought ψ there: walls, wells, launched packets, time steps that are too long.
void considerSpectrum(Advice& advice, const P& p, const Measured& m) {
  const double limit = gridOf(p).nyquist();
  advice.consider(Finding::Level::Warning, "momentum_beyond_nyquist",
                  [&](const P& q) { return gridOf(q).nyquist() < 1.5 * limit && !(m.near_limit <= kNearLimit); },
                  "Probability " + shortText(m.near_limit) +
                      " has momenta within a tenth of the largest that the grid resolves, " + shortText(limit) +
                      " (π/dx): higher momenta move the wrong way.",
                  {advice.to("grid_points", &P::grid_points, 2 * p.grid_points),
                   advice.to("domain_length", &P::domain_length, roundedDown(0.5 * p.domain_length))});
}

void considerFeatures(Advice& advice, const P& p, const Measured& m) {
  const Grid grid = gridOf(p);
  const auto pointsFor = [&](double width) {
    const std::int64_t points = powerOfTwoAbove(kSamples * p.domain_length / width);
    return advice.to("grid_points", &P::grid_points, static_cast<int>(std::min<std::int64_t>(points, 1 << 30)));
  };
  const Feature finest = finestFeature(p);
  if (finest.member) {
    advice.consider(
        Finding::Level::Note, "potential_unresolved",
        [](const P& q) { return !(finestFeature(q).width >= kSamples * gridOf(q).dx * (1 - 1e-12)); },
        std::string(finest.key) + " = " + shortText(finest.width) + " spans fewer than " + shortText(kSamples) +
            " samples (dx = " + shortText(grid.dx) + "): its edges are blurred over one sample.",
        {pointsFor(finest.width), advice.to(finest.key, finest.member, roundedUp(kSamples * grid.dx)),
         advice.to("domain_length", &P::domain_length, roundedDown(finest.width * p.grid_points / kSamples))});
  }
  if (!(isTable(p.potential) || m.walls)) return;
  const char* const what = p.potential == Potential::Image     ? "A wall or a gap of the picture"
                           : p.potential == Potential::Formula ? "A wall, a gap, or a ripple of the formula"
                                                               : "A drawn wall, or a gap beside it,";
  advice.consider(Finding::Level::Note, "potential_unresolved",
                  [&](const P& q) { return m.narrowest < kSeenSamples * gridOf(q).dx; },
                  std::string(what) + " is some " + shortText(m.narrowest) + " wide and spans fewer than " +
                      shortText(kSamples) + " samples (dx = " + shortText(grid.dx) +
                      "): each sample has the mean of V over its cell, and what is finer is lost.",
                  {pointsFor(m.narrowest)});
}

void considerSampling(Advice& advice, const P& p, const Measured& m) {
  for (const Begun& each : m.begun) considerMomenta(advice, p, each, m);
  considerSpectrum(advice, p, m);
  considerFeatures(advice, p, m);
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

void considerEdges(Advice& advice, const P& p, const Measured& m) {
  const double edge = m.edge_probability;
  advice.consider(Finding::Level::Warning, "wrap_around",
                  [edge](const P& q) { return !q.absorbing_edges && !(edge <= kEdgeProbability); },
                  "Probability " + shortText(edge) +
                      " is at the edges, which do not absorb: it leaves on one side and enters on the other.",
                  {advice.to("absorbing_edges", &P::absorbing_edges, true)});

  const auto coarse = [&m](const P& q) { return !(largestMomentum(q, m, kMomentumTail) <= gridOf(q).nyquist()); };
  const auto reflects = [&](const P& q) {
    if (!q.absorbing_edges || m.missed <= kMostMissed) return false;
    return q.domain_length < m.absorbing_length || (coarse(q) && !coarse(p));  // no other ailment instead
  };
  advice.consider(Finding::Level::Warning, "absorbing_edges_reflect", reflects,
                  "The absorbing edges, " + shortText(m.layer) + " wide, do not take " + shortText(100.0 * m.missed) +
                      " % of the packet, whose waves are long beside them: it comes back into the domain, and what is "
                      "transmitted and reflected is wrong by about as much.",
                  {advice.to("domain_length", &P::domain_length, roundedUp(m.absorbing_length))});
}

}  // namespace

std::vector<Begun> begunBy(const Numbers& p) {
  std::vector<Begun> all = {{packetOf(p, kFirstPacket), &kFirstPacket}};
  if (p.second_packet) all.push_back({packetOf(p, kSecondPacket), &kSecondPacket});
  return all;
}

std::vector<Begun> begunAs(const Numbers& p, const Packets& packets) {
  const std::vector<Begun> own = begunBy(p);
  std::vector<Begun> all;
  for (int i = 0; i < packets.count; ++i) {
    const auto which = static_cast<std::size_t>(i);
    const Packet& packet = packets.each[which].start;
    const bool is_own = which < own.size() && own[which].packet == packet;
    all.push_back({packet, is_own ? own[which].keys : nullptr});
  }
  return all;
}

double leastEnergy(const std::vector<Begun>& begun) {
  double least = 0.0;
  for (const Begun& each : begun) {
    const double energy = each.packet.kineticEnergy();
    least = least > 0.0 ? std::min(least, energy) : energy;
  }
  return least;
}

std::vector<Finding> findingsFor(const Parameters& p, const Measured& measured) {
  Advice advice(p, *binding().infos());
  considerSpace(advice, p, measured);
  considerSampling(advice, p, measured);
  considerTimeStep(advice, p, measured);
  considerEdges(advice, p, measured);
  return advice.take();
}

}  // namespace simscope::schrodinger2d
