#include "sims/tunneling/validity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sims/tunneling/absorption.h"
#include "sims/tunneling/advisor.h"
#include "sims/tunneling/physics.h"

namespace simscope::tunneling {
namespace {

// Four standard deviations hold all but 6e-5 of a Gaussian's probability, five all but 6e-7.
constexpr double kTail = 4.0;
constexpr double kMomentumTail = 5.0;
constexpr double kEdgeProbability = 1e-3;
constexpr double kFullTurn = 2.0 * kPi;
constexpr double kVisibleDrift = 0.01;  // of the energy

bool hasJumps(const Parameters& p, const TypedPotential* typed) {
  if (typed) return typed->jumps;
  return p.potential != Potential::None && p.potential != Potential::Harmonic && p.barrier_height > 0.0;
}
// Something that reflects or transmits, with edges.
bool hasObstacle(const Parameters& p, const TypedPotential* typed) {
  return typed ? typed->flat && typed->highest > typed->lowest : hasJumps(p, nullptr);
}

std::vector<PacketKeys> packetsIn(const Parameters& p) {
  std::vector<PacketKeys> all = {kFirstPacket};
  if (p.second_packet) all.push_back(kSecondPacket);
  return all;
}

// How far from 0 a packet's centre comes: in the oscillator it swings to √(x₀² + (k₀/ω)²).
double centerReach(const Parameters& p, const Packet& packet) {
  if (p.potential != Potential::Harmonic) return std::fabs(packet.center);
  return std::hypot(packet.center, packet.momentum / oscillatorFrequency(p));
}
bool outsideDomain(const Parameters& p, const PacketKeys& which) {
  const Packet packet = packetOf(p, which);
  return !(centerReach(p, packet) + kTail * packet.width <= openReach(p));
}

bool touchesPotential(const Parameters& p, const PacketKeys& which, const TypedPotential* typed) {
  if (!hasObstacle(p, typed)) return false;
  const Edges edges = edgesOf(p, typed);
  const Packet packet = packetOf(p, which);
  const double away = std::max(edges.left - packet.center, packet.center - edges.right);
  return !(away >= kTail * packet.width);
}

// Where a packet in a typed potential comes, of the energies there: as far to either side as its energy, with momenta
// to `tail` standard deviations, carries it, and under V until ten decay lengths have left nothing of it.
struct TypedReach {
  double energy, lowest, highest;
};
TypedReach reachIn(const TypedPotential& typed, const Packet& packet, double tail) {
  constexpr double kDecay = 10.0;
  const Grid& grid = typed.grid;
  const double start = typed.at(packet.center);
  const double k = std::fabs(packet.momentum) + tail * packet.momentumWidth();
  TypedReach reach{start + 0.5 * k * k, start, start};
  const double center = std::remainder(packet.center, grid.length);
  const int first = std::clamp(static_cast<int>((center + 0.5 * grid.length) / grid.dx), 0, grid.points - 1);
  for (const int way : {-1, 1}) {
    double decay = 0.0;
    for (int i = first; i >= 0 && i < grid.points && decay < kDecay; i += way) {
      const double v = typed.samples[static_cast<std::size_t>(i)];
      reach.lowest = std::min(reach.lowest, v);
      reach.highest = std::max(reach.highest, v);
      if (v > reach.energy) decay += std::sqrt(2.0 * (v - reach.energy)) * grid.dx;
    }
  }
  return reach;
}

// What moves: after a kick the state's momenta, with nothing beyond the fastest.
std::vector<Packet> moversIn(const Parameters& p, const Observed& seen) {
  constexpr double kWide = 1e9;
  if (seen.kicked) return {Packet{seen.kicked->position, kWide, seen.kicked->fastest}};
  std::vector<Packet> all;
  for (const PacketKeys& which : packetsIn(p)) all.push_back(packetOf(p, which));
  return all;
}

// The largest momentum that a packet will have: what falls into a well, or down a step, gains.
double largestMomentum(const Parameters& p, const Packet& packet, double tail, const TypedPotential* typed) {
  const double spread = tail * packet.momentumWidth();
  if (p.potential == Potential::Harmonic) return oscillatorFrequency(p) * centerReach(p, packet) + spread;
  if (typed) {
    const TypedReach reach = reachIn(*typed, packet, tail);
    return std::sqrt(2.0 * (reach.energy - reach.lowest));
  }
  const double k = std::fabs(packet.momentum) + spread;
  const bool falls = p.potential == Potential::Well || (p.potential == Potential::Step && packet.center > 0.0);
  return falls ? std::sqrt(k * k + 2.0 * p.barrier_height) : k;
}
double largestMomentum(const Parameters& p, double tail, const Observed& seen, const TypedPotential* typed) {
  double largest = 0.0;
  for (const Packet& each : moversIn(p, seen)) largest = std::max(largest, largestMomentum(p, each, tail, typed));
  return largest;
}

// The narrowest barrier, well, gap, or ripple.
double narrowestFeature(const Parameters& p, const TypedPotential* typed) {
  if (typed) return typed->narrowest;
  if (!hasJumps(p, nullptr) || p.potential == Potential::Step) return p.domain_length;
  if (p.potential == Potential::DoubleBarrier && p.barrier_gap > 0.0) return std::min(p.barrier_width, p.barrier_gap);
  return p.barrier_width;
}

// The largest |V| where the packet goes; of a typed V the range, for a constant turns all of ψ alike.
double largestPotential(const Parameters& p, const Observed& seen, const TypedPotential* typed) {
  if (p.potential == Potential::Harmonic) return 0.5 * std::pow(largestMomentum(p, 3.0, seen, nullptr), 2.0);
  if (typed) {
    double largest = 0.0;
    for (const Packet& each : moversIn(p, seen)) {
      const TypedReach reach = reachIn(*typed, each, 3.0);
      largest = std::max(largest, reach.highest - reach.lowest);
    }
    return largest;
  }
  return hasJumps(p, nullptr) ? p.barrier_height : 0.0;
}

void considerSpace(Advisor& advisor, const Parameters& p, const PacketKeys& which, const TypedPotential* typed) {
  const Packet packet = packetOf(p, which);
  const double half = 0.5 * p.domain_length, open = openReach(p), tail = kTail * packet.width;
  const double room = open - tail, reach = centerReach(p, packet);
  const double sign = packet.center < 0.0 ? -1.0 : 1.0;
  const double swing = p.potential == Potential::Harmonic ? packet.momentum / oscillatorFrequency(p) : 0.0;
  const double center = room > std::fabs(swing) ? std::sqrt(room * room - swing * swing) : 0.0;
  const std::string the_packet = std::string("The ") + which.name;
  advisor.consider(
      Finding::Level::Warning, "packet_outside_domain", [&](const Parameters& q) { return outsideDomain(q, which); },
      the_packet + " reaches |x| = " + shortText(reach + tail) +
          (p.absorbing_edges
               ? ", inside the absorbing edges, which begin at ±" + shortText(open) +
                     ": that part is absorbed from the start."
               : ", beyond the edges at ±" + shortText(half) + ": the part beyond enters at the other side."),
      {center > 0.0 ? advisor.to(which.center_key, which.center, sign * roundedDown(center)) : std::nullopt,
       advisor.to("domain_length", &Parameters::domain_length, roundedUp((reach + tail) * p.domain_length / open)),
       advisor.to(which.width_key, which.width, roundedDown((open - reach) / kTail)),
       advisor.to(which.momentum_key, which.momentum, 0.0)});

  const Edges edges = edgesOf(p, typed);
  // The rounding leads away from the potential, on whichever side of 0 that is.
  double nearer = roundedAway(edges.left - tail, false), other = roundedAway(edges.right + tail, true);
  if (packet.center > 0.5 * (edges.left + edges.right)) std::swap(nearer, other);
  const auto touches = [&](const Parameters& q) {
    return touchesPotential(q, which, typed) ||
           (outsideDomain(q, which) && !outsideDomain(p, which));  // the cure must not make another ailment
  };
  advisor.consider(
      Finding::Level::Note, "packet_touches_potential", touches,
      the_packet +
          " starts on the potential or close to it: reflection and transmission differ from those of an incoming wave.",
      {advisor.to(which.center_key, which.center, nearer),
       advisor.to(which.width_key, which.width,
                  roundedDown(std::max(edges.left - packet.center, packet.center - edges.right) / kTail)),
       advisor.to(which.center_key, which.center, other)});
}

void considerPotentialInDomain(Advisor& advisor, const Parameters& p, const TypedPotential* typed) {
  const double open = openReach(p);
  advisor.consider(
      Finding::Level::Warning, "potential_outside_domain",
      [typed](const Parameters& q) { return !typed && hasJumps(q, nullptr) && !(edgesOf(q).right < openReach(q)); },
      "The potential reaches |x| = " + shortText(edgesOf(p).right) + ", beyond the edges at ±" + shortText(open) +
          ": no room is left outside it.",
      {advisor.to("domain_length", &Parameters::domain_length, roundedUp(4.0 * edgesOf(p).right)),
       advisor.to("barrier_gap", &Parameters::barrier_gap, roundedDown(open - p.barrier_width)),
       advisor.to("barrier_width", &Parameters::barrier_width, roundedDown(0.25 * p.domain_length))});
}

void considerMomenta(Advisor& advisor, const Parameters& p, const PacketKeys& which, const TypedPotential* typed) {
  const Grid grid = gridOf(p);
  const Packet packet = packetOf(p, which);
  const auto beyondNyquist = [&](const Parameters& q) {
    return !(largestMomentum(q, packetOf(q, which), kMomentumTail, typed) <= gridOf(q).nyquist());
  };
  const double needed = largestMomentum(p, packet, kMomentumTail, typed);
  const double sign = packet.momentum < 0.0 ? -1.0 : 1.0;
  const double left_for_center = grid.nyquist() - kMomentumTail * packet.momentumWidth();
  advisor.consider(Finding::Level::Warning, "momentum_beyond_nyquist", beyondNyquist,
                   std::string("The ") + which.name + " has momenta up to " + shortText(needed) +
                       ", but the grid resolves only up to " + shortText(grid.nyquist()) +
                       " (π/dx): higher momenta move the wrong way.",
                   {advisor.toPoints(needed * p.domain_length / kPi, true),
                    advisor.to(which.momentum_key, which.momentum, sign * roundedDown(0.9 * left_for_center)),
                    advisor.to(which.width_key, which.width,
                               roundedUp(kMomentumTail / (grid.nyquist() - std::fabs(packet.momentum)))),
                    advisor.to(which.center_key, which.center, 0.0),
                    advisor.to("domain_length", &Parameters::domain_length,
                               roundedDown(p.domain_length * grid.nyquist() / needed))});
}

void considerPotentialOnGrid(Advisor& advisor, const Parameters& p, const TypedPotential* typed) {
  const Grid grid = gridOf(p);
  constexpr double kSamples = 4.0;
  const double narrowest = narrowestFeature(p, typed);
  advisor.consider(Finding::Level::Note, "potential_unresolved",
                   [typed](const Parameters& q) { return !(narrowestFeature(q, typed) >= kSamples * gridOf(q).dx); },
                   (typed ? "V changes within a distance of " + shortText(narrowest) + ", fewer than "
                          : "A barrier or gap of width " + shortText(narrowest) + " spans fewer than ") +
                       shortText(kSamples) + " samples (dx = " + shortText(grid.dx) +
                       (typed ? "): the grid does not resolve the formula."
                              : "): the grid does not resolve it; reflection and transmission may be off."),
                   {advisor.toPoints(kSamples * p.domain_length / narrowest, true),
                    advisor.to("barrier_width", &Parameters::barrier_width, roundedUp(kSamples * grid.dx)),
                    advisor.to("barrier_gap", &Parameters::barrier_gap, roundedUp(kSamples * grid.dx))});
}

void considerTimeStep(Advisor& advisor, const Parameters& p, const Observed& seen, const TypedPotential* typed) {
  const double energy_drift = seen.energy_drift;
  constexpr double kPotentialPhase = kPi / 4.0;
  const auto shorter = [&](double limit) {
    return advisor.to("time_step", &Parameters::time_step, roundedDown(limit));
  };
  const double v = largestPotential(p, seen, typed);
  advisor.consider(
      Finding::Level::Warning, "time_step_potential",
      [&](const Parameters& q) { return !(largestPotential(q, seen, typed) * q.time_step <= kPotentialPhase); },
      "The potential turns ψ by " + shortText(v * p.time_step) +
          " rad in one step; above π/4 the splitting error is visible in reflection and transmission.",
      {shorter(kPotentialPhase / v)});

  // Without a potential the kinetic steps are exact, however long.
  const double k = largestMomentum(p, 3.0, seen, typed);
  advisor.consider(Finding::Level::Warning, "time_step_kinetic",
                   [&](const Parameters& q) {
                     const double largest = largestMomentum(q, 3.0, seen, typed);
                     return largestPotential(q, seen, typed) > 0.0 && !(0.5 * largest * largest * q.time_step <= kPi);
                   },
                   "The packet's own kinetic phase is " + shortText(0.5 * k * k * p.time_step) +
                       " rad per step; above π its energy is ambiguous and the potential couples it to false momenta.",
                   {shorter(2.0 * kPi / (k * k))});

  const double nyquist = gridOf(p).nyquist();
  const bool climbs = std::fabs(energy_drift) > kVisibleDrift * packetEnergy(p);
  const std::string so_far = std::isnan(energy_drift)
                                 ? "the energy can no longer be compared with its value at the start."
                             : energy_drift == 0 ? "the energy has not changed so far."
                             : climbs ? "the energy has changed by " + shortText(energy_drift) + " since the start."
                                      : "so far the energy has changed by only " + shortText(energy_drift) + ".";
  advisor.consider(
      climbs ? Finding::Level::Warning : Finding::Level::Note, "splitting_feeds_high_momenta",
      [typed](const Parameters& q) {
        const double largest = gridOf(q).nyquist();
        return hasJumps(q, typed) && !(0.5 * largest * largest * q.time_step <= kFullTurn);
      },
      "The grid's highest kinetic phase, Δt·k_max²/2 = " + shortText(0.5 * nyquist * nyquist * p.time_step) +
          " rad per step, exceeds 2π, and the jumps of V couple the packet to momenta whose phase is a full turn "
          "ahead: " +
          so_far,
      {shorter(2.0 * kFullTurn / (nyquist * nyquist)),
       advisor.toPoints(p.domain_length / kPi * std::sqrt(2.0 * kFullTurn / p.time_step), false)});
}

PotentialAt potentialOf(const Parameters& p, const TypedPotential* typed) {
  return [&p, typed](double x) { return typed ? typed->at(x) : potentialAt(p, x); };
}

double missedBy(const Parameters& p, const Kicked* kicked, const TypedPotential* typed) {
  if (!p.absorbing_edges) return 0.0;
  const PotentialAt potential = potentialOf(p, typed);
  const std::vector<StartingWaves> waves =
      kicked ? std::vector<StartingWaves>{{kicked->waves, kicked->height}} : startingWaves(p, potential);
  return missedAtEdges(p, layerOf(p, potential), edgeWaves(p, waves, potential));
}

constexpr double kMissed = 1e-3, kMuchMissed = 1e-2;

void considerEdges(Advisor& advisor, const Parameters& p, const Observed& seen, const TypedPotential* typed) {
  const EdgeAdvice advice = seen.edges ? *seen.edges : edgeAdvice(p, seen.kicked ? &*seen.kicked : nullptr, typed);
  advisor.consider(advice.missed > kMuchMissed ? Finding::Level::Warning : Finding::Level::Note, "edges_reflect",
                   [&](const Parameters& q) {
                     return q.domain_length == p.domain_length
                                ? !(advice.missed < kMissed)
                                : !(advice.length > 0.0 && q.domain_length >= advice.length);
                   },
                   "The absorbing edges reflect or let through " + shortText(advice.missed) +
                       " of the waves that come to them: layers of " + shortText(kAbsorbingShare * p.domain_length) +
                       " are too short for these waves. Reflection and transmission are wrong by up to as much.",
                   {advisor.to("domain_length", &Parameters::domain_length, roundedUp(advice.length))});
}

void considerState(Advisor& advisor, const Parameters& p, const Observed& seen, const TypedPotential* typed) {
  const double nyquist = gridOf(p).nyquist();
  const bool fed = hasJumps(p, typed) && 0.5 * nyquist * nyquist * p.time_step > kFullTurn;  // that has its own finding
  constexpr double kSeen = 1e-3;
  advisor.consider(Finding::Level::Warning, "momentum_beyond_nyquist",
                   [&](const Parameters& q) {
                     return q.grid_points < 2 * p.grid_points && (seen.kicked || !fed) &&
                            !(seen.next_to_nyquist <= kSeen);
                   },
                   std::string(seen.kicked ? "A kick has brought " : "The wave has ") +
                       shortText(seen.next_to_nyquist) + " of its momenta next to or beyond " + shortText(nyquist) +
                       ", the largest that the grid resolves (π/dx): higher momenta move the wrong way.",
                   {advisor.toPoints(2.0 * p.grid_points, true)});
  constexpr double kNormDrift = 5e-4;
  advisor.consider(
      Finding::Level::Warning, "norm_drifts",
      [&](const Parameters& q) { return q.precision == Precision::Float32 && std::fabs(seen.norm_drift) > kNormDrift; },
      "The rounding of single precision has changed the norm by " + shortText(seen.norm_drift) +
          " in all steps so far; reflection and transmission are wrong by up to as much.",
      {advisor.toDoublePrecision()});
  const double scale = packetEnergy(p);
  advisor.consider(
      Finding::Level::Warning, "energy_changed",
      [&](const Parameters&) { return !fed && std::fabs(seen.energy_drift) > kVisibleDrift * scale; },
      "The energy has changed by " + shortText(seen.energy_drift) +
          " since the start: an earlier time step was too long, and the wave keeps what it did. Reset the run.",
      {});
  advisor.consider(
      Finding::Level::Note, "met_another_potential", [&](const Parameters&) { return seen.met_another_potential; },
      "The potential changed after the packet had met it: the exact transmission is that of a packet that meets the "
      "present potential alone. Reset the run to compare.",
      {});
  advisor.consider(
      Finding::Level::Note, "exact_takes_too_long",
      [&](const Parameters& q) {
        return seen.exact_excess > 1.0 && q.packet_width < p.packet_width * seen.exact_excess;
      },
      "The exact transmission has no value: V is so wide, and the packet has so many momenta, that its integral would "
      "take " +
          shortText(seen.exact_excess) + " times too long.",
      {advisor.to("packet_width", &Parameters::packet_width, roundedUp(1.1 * p.packet_width * seen.exact_excess))});
}

// Both errors fall with the square: the grid's, where V jumps, and the step's.
void considerTransmission(Advisor& advisor, const Parameters& p, const Observed& seen, const TypedPotential* typed) {
  const bool jumps = hasJumps(p, typed);
  const double finer = std::sqrt(1.5 * std::fabs(seen.transmission_off) / kTransmissionError);
  advisor.consider(Finding::Level::Warning, "transmission_off",
                   [&](const Parameters& q) {
                     return std::fabs(seen.transmission_off) > kTransmissionError &&
                            (jumps ? q.grid_points < finer * p.grid_points : q.time_step > p.time_step / finer);
                   },
                   "The transmission is off its exact value by " + shortText(seen.transmission_off) + ": " +
                       (jumps ? "cells of " + shortText(gridOf(p).dx) + " are too wide where V jumps."
                              : "steps of " + shortText(p.time_step) + " are too long."),
                   {jumps ? advisor.toPoints(finer * p.grid_points, true)
                          : advisor.to("time_step", &Parameters::time_step, roundedDown(p.time_step / finer))});
}

}  // namespace

bool haveMet(const Parameters& p, double time, const TypedPotential* typed) {
  constexpr double kSpread = 3.0;  // standard deviations of the momenta
  const Edges edges = edgesOf(p, typed);
  const double middle = 0.5 * (edges.left + edges.right), half = 0.5 * (edges.right - edges.left);
  return std::ranges::all_of(packetsIn(p), [&](const PacketKeys& which) {
    const Packet packet = packetOf(p, which);
    const double from = std::fabs(packet.center - middle), k = std::fabs(packet.momentum);
    const double spread = kSpread * packet.momentumWidth(), way = from + half + kTail * packet.width;
    const bool around = !p.absorbing_edges && (k + spread) * time > from + 0.5 * p.domain_length - kTail * packet.width;
    return (k - spread) * time > way && !around;
  });
}

EdgeAdvice edgeAdvice(const Parameters& p, const Kicked* kicked, const TypedPotential* typed) {
  EdgeAdvice advice{missedBy(p, kicked, typed), 0.0};
  if (advice.missed < kMissed) return advice;
  Parameters longer = p;
  for (const double times : {1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0}) {
    longer.domain_length = times * p.domain_length;
    if (!(missedBy(longer, kicked, typed) < kMissed)) continue;
    advice.length = longer.domain_length;
    break;
  }
  return advice;
}

std::vector<Finding> findingsFor(const Parameters& p, const Observed& seen, const TypedPotential* typed) {
  Advisor advisor(p);
  for (const PacketKeys& which : packetsIn(p)) considerSpace(advisor, p, which, typed);
  considerPotentialInDomain(advisor, p, typed);
  for (const PacketKeys& which : packetsIn(p)) considerMomenta(advisor, p, which, typed);
  considerPotentialOnGrid(advisor, p, typed);
  considerTimeStep(advisor, p, seen, typed);
  considerEdges(advisor, p, seen, typed);
  considerState(advisor, p, seen, typed);
  advisor.consider(
      Finding::Level::Warning, "wrap_around",
      [&](const Parameters& q) { return !q.absorbing_edges && !(seen.edge_probability <= kEdgeProbability); },
      "Probability " + shortText(seen.edge_probability) +
          " is at the edges, which do not absorb: it leaves on one side and enters on the other.",
      {advisor.to("absorbing_edges", &Parameters::absorbing_edges, true)});
  if (advisor.silent()) considerTransmission(advisor, p, seen, typed);
  return advisor.take();
}

}  // namespace simscope::tunneling
