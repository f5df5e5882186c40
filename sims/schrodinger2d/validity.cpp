#include "sims/schrodinger2d/validity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sims/schrodinger2d/advisor.h"

namespace simscope::schrodinger2d {

namespace {

double rounded(double value, bool up) {
  if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  const double count = value / unit;
  const double whole = up ? std::ceil(count - 1e-9) : std::floor(count + 1e-9);
  // Dividing by a power of ten gives the double nearest to the decimal number; multiplying by 0.0001 would not.
  return unit < 1.0 ? whole / std::round(1.0 / unit) : whole * unit;
}

}  // namespace

double roundedDown(double value) {
  return rounded(value, false);
}
double roundedUp(double value) {
  return rounded(value, true);
}
std::int64_t powerOfTwoAbove(double least) {
  std::int64_t power = 1;
  while (static_cast<double>(power) < least && power < (std::int64_t{1} << 40)) power *= 2;
  return power;
}
std::string shortText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

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

// How far from 0 the packet's centre comes along an axis: in the oscillator it swings to √(x₀² + (k₀/ω)²).
double reach(const P& p, double x, double k) {
  return p.potential == Potential::Harmonic ? std::hypot(x, k / p.omega) : std::fabs(x);
}
double largestReach(const P& p) {
  return std::max(reach(p, p.packet_x, p.momentum_x), reach(p, p.packet_y, p.momentum_y));
}
bool outsideDomain(const P& p) {
  return !(largestReach(p) + kTail * p.packet_width <= 0.5 * p.domain_length);
}

bool touchesPotential(const P& p) {
  if (!hasJumps(p)) return false;
  const double away = isWall(p) ? std::fabs(p.packet_x) : std::hypot(p.packet_x, p.packet_y);
  return !(away >= edgesOf(p).right + kTail * p.packet_width);
}

double kineticEnergy(const P& p) {
  return packetOf(p).kineticEnergy();
}

// The largest momentum that the packet will have: what falls into a well gains.
double largestMomentum(const P& p, const Measured& m, double tail) {
  const Packet packet = packetOf(p);
  const double gain = 2.0 * std::max(0.0, m.start_potential - m.potential.lowest);
  const double spread = tail * packet.momentumWidth();
  if (p.potential == Potential::None && !m.walls)
    return std::max(std::fabs(p.momentum_x), std::fabs(p.momentum_y)) + spread;
  return std::sqrt(packet.momentum() * packet.momentum() + gain) + spread;
}

// The largest |V| where the packet goes: everywhere in walls, up to about its turning line in smooth potentials.
double largestPotential(const P& p, const Measured& m) {
  double highest = m.potential.highest;
  if (!sharp(p, m)) highest = std::min(highest, 2.0 * std::max(0.0, m.start_potential + kineticEnergy(p)));
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

void considerSpace(Advice& advice, const P& p) {
  const double half = 0.5 * p.domain_length, tail = kTail * p.packet_width;
  const auto inward = [&](double at) { return std::copysign(roundedDown(half - tail), at); };
  advice.consider(
      Finding::Level::Warning, "packet_outside_domain", outsideDomain,
      "The packet reaches " + shortText(largestReach(p) + tail) + " from the middle, beyond the edges at ±" +
          shortText(half) + ": what is cut off there comes in at the other side.",
      {advice.to("packet_x", &P::packet_x, inward(p.packet_x)), advice.to("packet_y", &P::packet_y, inward(p.packet_y)),
       advice.to("domain_length", &P::domain_length, roundedUp(2.0 * (largestReach(p) + tail))),
       advice.to("packet_width", &P::packet_width, roundedDown((half - largestReach(p)) / kTail)),
       advice.to("omega", &P::omega, roundedUp(2.0 * packetOf(p).momentum() / (half - tail)))});

  const auto touches = [&p](const P& q) {
    return touchesPotential(q) || (outsideDomain(q) && !outsideDomain(p));  // the cure must not make another ailment
  };
  const double free = roundedUp(edgesOf(p).right + tail);
  advice.consider(
      Finding::Level::Note, "packet_touches_potential", touches,
      "The packet starts on the potential or close to it: what is reflected and transmitted is not that of "
      "an incoming wave.",
      {advice.to("packet_x", &P::packet_x, p.packet_x > 0.0 ? free : -free),
       advice.to("packet_width", &P::packet_width, roundedDown((std::fabs(p.packet_x) - edgesOf(p).right) / kTail))});

  const Extent extent = extentOf(p);
  if (extent.member) {
    const double shrink = 0.25 * p.domain_length / extent.reach;
    advice.consider(Finding::Level::Warning, "potential_outside_domain",
                    [](const P& q) { return !(extentOf(q).reach < 0.5 * q.domain_length); },
                    "The potential reaches " + shortText(extent.reach) + " from the middle, beyond the edges at ±" +
                        shortText(half) + ": there is no outside left.",
                    {advice.to("domain_length", &P::domain_length, roundedUp(4.0 * extent.reach)),
                     advice.to(extent.key, extent.member, roundedDown(shrink * (p.*extent.member))),
                     advice.to("slit_width", &P::slit_width, roundedDown(0.25 * p.domain_length))});
  }
  advice.consider(
      Finding::Level::Note, "screen_outside_domain",
      [](const P& q) { return !(std::fabs(q.screen_x) <= 0.5 * q.domain_length); },
      "The screen at x = " + shortText(p.screen_x) + " is beyond the edges at ±" + shortText(half) +
          ": the last line before the edge is shown.",
      {advice.to("screen_x", &P::screen_x, std::copysign(roundedDown(0.25 * p.domain_length), p.screen_x))});
}

void considerSampling(Advice& advice, const P& p, const Measured& m) {
  const Grid grid = gridOf(p);
  const double needed = largestMomentum(p, m, kMomentumTail);
  const auto beyond = [&m](const P& q) { return !(largestMomentum(q, m, kMomentumTail) <= gridOf(q).nyquist()); };
  const auto points =
      static_cast<int>(std::min<std::int64_t>(powerOfTwoAbove(needed * p.domain_length / kPi), 1 << 30));
  const double left = 0.9 * (grid.nyquist() - kMomentumTail * packetOf(p).momentumWidth());
  advice.consider(
      Finding::Level::Warning, "momentum_beyond_nyquist", beyond,
      "The packet has momenta up to " + shortText(needed) + ", the grid resolves " + shortText(grid.nyquist()) +
          " (π/dx): what lies beyond moves the wrong way.",
      {advice.to("grid_points", &P::grid_points, points),
       advice.to("momentum_x", &P::momentum_x, std::copysign(roundedDown(0.7 * left), p.momentum_x)),
       advice.to("momentum_y", &P::momentum_y, std::copysign(roundedDown(0.7 * left), p.momentum_y)),
       advice.to("packet_width", &P::packet_width,
                 roundedUp(kMomentumTail / (grid.nyquist() - packetOf(p).momentum()))),
       advice.to("domain_length", &P::domain_length, roundedDown(0.5 * p.domain_length * grid.nyquist() / needed))});

  const Feature finest = finestFeature(p);
  if (!finest.member) return;
  const auto finer =
      static_cast<int>(std::min<std::int64_t>(powerOfTwoAbove(kSamples * p.domain_length / finest.width), 1 << 30));
  advice.consider(
      Finding::Level::Note, "potential_unresolved",
      [](const P& q) { return !(finestFeature(q).width >= kSamples * gridOf(q).dx * (1 - 1e-12)); },
      std::string(finest.key) + " = " + shortText(finest.width) + " spans fewer than " + shortText(kSamples) +
          " samples (dx = " + shortText(grid.dx) + "): its edges are blurred over one.",
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
                      " rad in one step; beyond π/4 the splitting error shows in what is reflected and transmitted.",
                  {shorter(kPotentialPhase / v)});

  const double k = largestMomentum(p, m, 3.0);
  advice.consider(Finding::Level::Warning, "time_step_kinetic",
                  [&m](const P& q) {
                    const double largest = largestMomentum(q, m, 3.0);
                    // Without a potential the kinetic steps are exact, however long.
                    return largestPotential(q, m) > 0.0 && !(0.5 * largest * largest * q.time_step <= kPi);
                  },
                  "The packet's own kinetic phase is " + shortText(0.5 * k * k * p.time_step) +
                      " rad a step; beyond π its energy is ambiguous and the potential couples it to false momenta.",
                  {shorter(2.0 * kPi / (k * k))});

  // Potentials that vary along x alone leave the momentum along y as it is.
  const auto phase = [&m](const P& q) {
    const double nyquist = gridOf(q).nyquist();
    return (straight(q) && !m.walls ? 0.5 : 1.0) * nyquist * nyquist * q.time_step;
  };
  advice.consider(Finding::Level::Note, "splitting_feeds_high_momenta",
                  [&](const P& q) { return sharp(q, m) && !(phase(q) <= kPi); },
                  "The grid's highest kinetic phase is " + shortText(phase(p)) +
                      " rad a step; beyond π the jumps of V feed the highest momenta, and the energy climbs.",
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
                      " is at the edges, which do not absorb: it leaves on one side and comes in on the other.",
                  {advice.to("absorbing_edges", &P::absorbing_edges, true)});
  return advice.take();
}

}  // namespace simscope::schrodinger2d
