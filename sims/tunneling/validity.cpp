#include "sims/tunneling/validity.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sims/tunneling/physics.h"

namespace simscope::tunneling {
namespace {

// Four standard deviations hold all but 6e-5 of a Gaussian's probability, five all but 6e-7.
constexpr double kTail = 4.0;
constexpr double kMomentumTail = 5.0;
constexpr double kEdgeProbability = 1e-3;
constexpr double kFullTurn = 2.0 * kPi;
constexpr double kVisibleDrift = 0.01;  // of the energy

// To two significant digits, downwards or upwards: what a person would type. Values on such a number stay.
double rounded(double value, bool up) {
  if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  const double count = value / unit;
  const double whole = up ? std::ceil(count - 1e-9) : std::floor(count + 1e-9);
  // Dividing by a power of ten gives the double nearest to the decimal number; multiplying by 0.0001 would not.
  return unit < 1.0 ? whole / std::round(1.0 / unit) : whole * unit;
}
double roundedDown(double value) {
  return rounded(value, false);
}
double roundedUp(double value) {
  return rounded(value, true);
}
// To larger values, or to smaller ones.
double roundedAway(double value, bool up) {
  return value < 0.0 ? -rounded(-value, !up) : rounded(value, up);
}

std::string shortText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// One parameter changed, if the value is one that it takes.
struct Change {
  std::string key;
  Value value;
  Parameters result;
};

class Advisor {
 public:
  explicit Advisor(const Parameters& p) : p_(p) {}

  using Doubtful = std::function<bool(const Parameters&)>;

  // Adds a finding where `doubtful` holds, with the first of the changes that makes it false.
  void consider(Finding::Level level, const char* code, const Doubtful& doubtful, const std::string& message,
                const std::vector<std::optional<Change>>& changes) {
    if (!doubtful(p_)) return;
    Finding finding{.level = level, .code = code, .message = message, .key = {}, .value = {}};
    for (const std::optional<Change>& each : changes) {
      if (!each || doubtful(each->result)) continue;
      finding.key = each->key;
      finding.value = toText(each->value);
      break;
    }
    findings_.push_back(std::move(finding));
  }

  std::optional<Change> to(const char* key, double Parameters::*member, double value) const {
    return changed(key, member, value, Value(value));
  }
  std::optional<Change> to(const char* key, bool Parameters::*member, bool value) const {
    return changed(key, member, value, Value(value));
  }
  // The power of two at or above `least` (or at or below it).
  std::optional<Change> toPoints(double bound, bool up) const {
    std::int64_t points = 1;
    while (points < (std::int64_t{1} << 40) && (up ? points < bound : 2.0 * points <= bound)) points *= 2;
    if (points > 1 << 30) return std::nullopt;
    return changed("grid_points", &Parameters::grid_points, static_cast<int>(points), Value(points));
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  template <class Member>
  std::optional<Change> changed(const char* key, Member Parameters::*member, Member number, const Value& value) const {
    for (const ParameterInfo& info : *binding().infos()) {
      if (info.key != key) continue;
      if constexpr (!std::is_same_v<Member, bool>) {
        const auto v = static_cast<double>(number);
        if (!(v >= info.minimum) || !(v <= info.maximum)) return std::nullopt;
      }
    }
    Change change{key, value, p_};
    change.result.*member = number;
    return change;
  }

  Parameters p_;
  std::vector<Finding> findings_;
};

bool hasJumps(const Parameters& p, const TypedPotential* typed) {
  if (typed) return typed->jumps;
  return p.potential != Potential::None && p.potential != Potential::Harmonic && p.barrier_height > 0.0;
}
// Something that reflects or transmits, with edges.
bool hasObstacle(const Parameters& p, const TypedPotential* typed) {
  return typed ? typed->flat && typed->highest > typed->lowest : hasJumps(p, nullptr);
}

// How far from 0 the packet's centre comes: in the oscillator it swings to √(x₀² + (k₀/ω)²).
double centerReach(const Parameters& p) {
  if (p.potential != Potential::Harmonic) return std::fabs(p.packet_center);
  return std::hypot(p.packet_center, p.packet_momentum / oscillatorFrequency(p));
}
bool outsideDomain(const Parameters& p) {
  return !(centerReach(p) + kTail * p.packet_width <= openReach(p));
}

bool touchesPotential(const Parameters& p, const TypedPotential* typed) {
  if (!hasObstacle(p, typed)) return false;
  const Edges edges = edgesOf(p, typed);
  const double away = std::max(edges.left - p.packet_center, p.packet_center - edges.right);
  return !(away >= kTail * p.packet_width);
}

// Where a packet in a typed potential comes, of the energies there: as far to either side as its energy, with momenta
// to `tail` standard deviations, carries it, and under V until ten decay lengths have left nothing of it.
struct TypedReach {
  double energy, lowest, highest;
};
TypedReach reachIn(const TypedPotential& typed, const Parameters& p, double tail) {
  constexpr double kDecay = 10.0;
  const Grid& grid = typed.grid;
  const double start = typed.at(p.packet_center);
  const double k = std::fabs(p.packet_momentum) + tail * momentumWidth(p);
  TypedReach reach{start + 0.5 * k * k, start, start};
  const double center = std::remainder(p.packet_center, grid.length);
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

// The largest momentum that the packet will have: what falls into a well, or down a step, gains.
double largestMomentum(const Parameters& p, double tail, const TypedPotential* typed) {
  const double spread = tail * momentumWidth(p);
  if (p.potential == Potential::Harmonic) return oscillatorFrequency(p) * centerReach(p) + spread;
  if (typed) {
    const TypedReach reach = reachIn(*typed, p, tail);
    return std::sqrt(2.0 * (reach.energy - reach.lowest));
  }
  const double k = std::fabs(p.packet_momentum) + spread;
  const bool falls = p.potential == Potential::Well || (p.potential == Potential::Step && p.packet_center > 0.0);
  return falls ? std::sqrt(k * k + 2.0 * p.barrier_height) : k;
}

// The narrowest barrier, well, gap, or ripple.
double narrowestFeature(const Parameters& p, const TypedPotential* typed) {
  if (typed) return typed->narrowest;
  if (!hasJumps(p, nullptr) || p.potential == Potential::Step) return p.domain_length;
  if (p.potential == Potential::DoubleBarrier && p.barrier_gap > 0.0) return std::min(p.barrier_width, p.barrier_gap);
  return p.barrier_width;
}

// The largest |V| where the packet goes; of a typed V the range, for a constant turns all of ψ alike.
double largestPotential(const Parameters& p, const TypedPotential* typed) {
  if (p.potential == Potential::Harmonic) return 0.5 * std::pow(largestMomentum(p, 3.0, nullptr), 2.0);
  if (typed) {
    const TypedReach reach = reachIn(*typed, p, 3.0);
    return reach.highest - reach.lowest;
  }
  return hasJumps(p, nullptr) ? p.barrier_height : 0.0;
}

void considerSpace(Advisor& advisor, const Parameters& p, const TypedPotential* typed) {
  const double half = 0.5 * p.domain_length, open = openReach(p);
  const double room = open - kTail * p.packet_width;
  const double sign = p.packet_center < 0.0 ? -1.0 : 1.0;
  const double swing = p.potential == Potential::Harmonic ? p.packet_momentum / oscillatorFrequency(p) : 0.0;
  const double center = room > std::fabs(swing) ? std::sqrt(room * room - swing * swing) : 0.0;
  advisor.consider(Finding::Level::Warning, "packet_outside_domain", outsideDomain,
                   "The packet reaches |x| = " + shortText(centerReach(p) + kTail * p.packet_width) +
                       (p.absorbing_edges ? ", into the edges, which absorb from ±" + shortText(open) +
                                                " on: what is there is lost from the start."
                                          : ", beyond the edges at ±" + shortText(half) +
                                                ": what is cut off there comes in at the other side."),
                   {center > 0.0 ? advisor.to("packet_center", &Parameters::packet_center, sign * roundedDown(center))
                                 : std::nullopt,
                    advisor.to("domain_length", &Parameters::domain_length,
                               roundedUp((centerReach(p) + kTail * p.packet_width) * p.domain_length / open)),
                    advisor.to("packet_width", &Parameters::packet_width, roundedDown((open - centerReach(p)) / kTail)),
                    advisor.to("packet_momentum", &Parameters::packet_momentum, 0.0)});

  const Edges edges = edgesOf(p, typed);
  const double room_wanted = kTail * p.packet_width;
  // The rounding leads away from the potential, on whichever side of 0 that is.
  double nearer = roundedAway(edges.left - room_wanted, false), other = roundedAway(edges.right + room_wanted, true);
  if (p.packet_center > 0.5 * (edges.left + edges.right)) std::swap(nearer, other);
  const auto touches = [&p, typed](const Parameters& q) {
    return touchesPotential(q, typed) ||
           (outsideDomain(q) && !outsideDomain(p));  // the cure must not make another ailment
  };
  advisor.consider(
      Finding::Level::Note, "packet_touches_potential", touches,
      "The packet starts on the potential or close to it: reflection and transmission are not those of an "
      "incoming wave.",
      {advisor.to("packet_center", &Parameters::packet_center, nearer),
       advisor.to("packet_width", &Parameters::packet_width,
                  roundedDown(std::max(edges.left - p.packet_center, p.packet_center - edges.right) / kTail)),
       advisor.to("packet_center", &Parameters::packet_center, other)});

  advisor.consider(
      Finding::Level::Warning, "potential_outside_domain",
      [typed](const Parameters& q) { return !typed && hasJumps(q, nullptr) && !(edgesOf(q).right < openReach(q)); },
      "The potential reaches |x| = " + shortText(edgesOf(p).right) + ", beyond the edges at ±" + shortText(open) +
          ": there is no outside left.",
      {advisor.to("domain_length", &Parameters::domain_length, roundedUp(4.0 * edgesOf(p).right)),
       advisor.to("barrier_gap", &Parameters::barrier_gap, roundedDown(open - p.barrier_width)),
       advisor.to("barrier_width", &Parameters::barrier_width, roundedDown(0.25 * p.domain_length))});
}

void considerSampling(Advisor& advisor, const Parameters& p, const TypedPotential* typed) {
  const Grid grid = gridOf(p);
  const auto beyondNyquist = [typed](const Parameters& q) {
    return !(largestMomentum(q, kMomentumTail, typed) <= gridOf(q).nyquist());
  };
  const double needed = largestMomentum(p, kMomentumTail, typed);
  const double sign = p.packet_momentum < 0.0 ? -1.0 : 1.0;
  const double left_for_center = grid.nyquist() - kMomentumTail * momentumWidth(p);
  advisor.consider(
      Finding::Level::Warning, "momentum_beyond_nyquist", beyondNyquist,
      "The packet has momenta up to " + shortText(needed) + ", the grid resolves " + shortText(grid.nyquist()) +
          " (π/dx): what lies beyond moves the wrong way.",
      {advisor.toPoints(needed * p.domain_length / kPi, true),
       advisor.to("packet_momentum", &Parameters::packet_momentum, sign * roundedDown(0.9 * left_for_center)),
       advisor.to("packet_width", &Parameters::packet_width,
                  roundedUp(kMomentumTail / (grid.nyquist() - std::fabs(p.packet_momentum)))),
       advisor.to("packet_center", &Parameters::packet_center, 0.0),
       advisor.to("domain_length", &Parameters::domain_length,
                  roundedDown(p.domain_length * grid.nyquist() / needed))});

  constexpr double kSamples = 4.0;
  const double narrowest = narrowestFeature(p, typed);
  advisor.consider(Finding::Level::Note, "potential_unresolved",
                   [typed](const Parameters& q) { return !(narrowestFeature(q, typed) >= kSamples * gridOf(q).dx); },
                   (typed ? "V changes within " + shortText(narrowest) + ", which is fewer than "
                          : "A barrier or gap of width " + shortText(narrowest) + " spans fewer than ") +
                       shortText(kSamples) + " samples (dx = " + shortText(grid.dx) +
                       (typed ? "): the grid does not have what was typed." : "): its width is known to dx only."),
                   {advisor.toPoints(kSamples * p.domain_length / narrowest, true),
                    advisor.to("barrier_width", &Parameters::barrier_width, roundedUp(kSamples * grid.dx)),
                    advisor.to("barrier_gap", &Parameters::barrier_gap, roundedUp(kSamples * grid.dx))});
}

void considerTimeStep(Advisor& advisor, const Parameters& p, double energy_drift, const TypedPotential* typed) {
  constexpr double kPotentialPhase = kPi / 4.0;
  const auto shorter = [&](double limit) {
    return advisor.to("time_step", &Parameters::time_step, roundedDown(limit));
  };
  const double v = largestPotential(p, typed);
  advisor.consider(
      Finding::Level::Warning, "time_step_potential",
      [typed](const Parameters& q) { return !(largestPotential(q, typed) * q.time_step <= kPotentialPhase); },
      "The potential turns ψ by " + shortText(v * p.time_step) +
          " rad in one step; beyond π/4 the splitting error shows in reflection and transmission.",
      {shorter(kPotentialPhase / v)});

  // Without a potential the kinetic steps are exact, however long.
  const double k = largestMomentum(p, 3.0, typed);
  advisor.consider(Finding::Level::Warning, "time_step_kinetic",
                   [typed](const Parameters& q) {
                     const double largest = largestMomentum(q, 3.0, typed);
                     return largestPotential(q, typed) > 0.0 && !(0.5 * largest * largest * q.time_step <= kPi);
                   },
                   "The packet's own kinetic phase is " + shortText(0.5 * k * k * p.time_step) +
                       " rad a step; beyond π its energy is ambiguous and the potential couples it to false momenta.",
                   {shorter(2.0 * kPi / (k * k))});

  const double nyquist = gridOf(p).nyquist();
  const bool climbs = std::fabs(energy_drift) > kVisibleDrift * packetEnergy(p);
  const std::string seen = std::isnan(energy_drift) ? "the energy cannot be compared with that of the start any more."
                           : climbs ? "the energy has changed by " + shortText(energy_drift) + " since the start."
                                    : "so far the energy has changed by " + shortText(energy_drift) + " only.";
  advisor.consider(
      climbs ? Finding::Level::Warning : Finding::Level::Note, "splitting_feeds_high_momenta",
      [typed](const Parameters& q) {
        const double largest = gridOf(q).nyquist();
        return hasJumps(q, typed) && !(0.5 * largest * largest * q.time_step <= kFullTurn);
      },
      "The grid's highest kinetic phase, Δt·k_max²/2 = " + shortText(0.5 * nyquist * nyquist * p.time_step) +
          " rad a step, exceeds 2π, and the jumps of V couple the packet to momenta a full turn ahead: " + seen,
      {shorter(2.0 * kFullTurn / (nyquist * nyquist)),
       advisor.toPoints(p.domain_length / kPi * std::sqrt(2.0 * kFullTurn / p.time_step), false)});
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, double edge_probability, double energy_drift,
                                 const TypedPotential* typed) {
  Advisor advisor(p);
  considerSpace(advisor, p, typed);
  considerSampling(advisor, p, typed);
  considerTimeStep(advisor, p, energy_drift, typed);
  advisor.consider(
      Finding::Level::Warning, "wrap_around",
      [edge_probability](const Parameters& q) { return !q.absorbing_edges && !(edge_probability <= kEdgeProbability); },
      "Probability " + shortText(edge_probability) +
          " is at the edges, which do not absorb: it leaves on one side and comes in on the other.",
      {advisor.to("absorbing_edges", &Parameters::absorbing_edges, true)});
  return advisor.take();
}

}  // namespace simscope::tunneling
