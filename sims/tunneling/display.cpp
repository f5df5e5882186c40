#include "sims/tunneling/display.h"

#include <algorithm>
#include <cmath>

#include "sims/tunneling/exact.h"
#include "sims/tunneling/packets.h"
#include "sims/tunneling/physics.h"

namespace simscope::tunneling {

namespace {

// How far |ψ|² rises between two barriers. On resonance a plane wave stands there with (1 + √R₁)²/T₁ of its density
// outside, T₁ one barrier's; a packet that passes with the mean probability T fills the gap to about three quarters of
// T times that before its end has arrived.
double resonantRise(const Parameters& p, double transmission) {
  Parameters single = p;
  single.potential = Potential::Barrier;
  const double t1 = planeWaveTransmission(single, std::fabs(p.packet_momentum));
  if (!(t1 > 0.0)) return 1.0;
  const double standing = 1.0 + std::sqrt(std::clamp(1.0 - t1, 0.0, 1.0));
  return std::min(8.0, 0.75 * transmission * standing * standing / t1);
}

// |ψ|² where the packets lie one upon the other, all in phase. In the oscillator one that is wider than the ground
// state is narrower by as much a quarter of a period later.
double highestPeak(const Parameters& p) {
  const auto peakOf = [&](double width) {
    const bool squeezed = p.potential == Potential::Harmonic && width > p.packet_width;
    const double least = squeezed ? p.packet_width * p.packet_width / width : width;
    return 1.0 / (least * std::sqrt(2.0 * kPi));
  };
  if (!p.second_packet) return peakOf(p.packet_width);
  const Packets packets = packetsOf(p);
  double sum = 0.0;
  for (int i = 0; i < packets.count; ++i) sum += std::sqrt(norm2(packets.weight[i]) * peakOf(packets.each[i].width));
  return sum * sum;
}

// The next of 1, 2, 5, 10, 20, ...
double roundAbove(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)));
  for (const double each : {1.0, 2.0, 5.0}) {
    if (value <= each * unit) return each * unit;
  }
  return 10.0 * unit;
}

}  // namespace

DisplayRange densityRange(const Parameters& p, double transmission_exact) {
  const double peak = highestPeak(p);
  if (p.potential == Potential::None || p.potential == Potential::Harmonic) return {0.0, 1.15 * peak};
  if (!std::isfinite(transmission_exact)) return {0.0, 4.0 * peak};
  if (p.second_packet) return {0.0, 2.0 * peak};  // what meets, and what is thrown back
  const bool from_right = std::remainder(p.packet_center, p.domain_length) > 0.0;
  const double reflected = std::clamp(from_right ? transmission_exact : 1.0 - transmission_exact, 0.0, 1.0);
  const double rise = 1.0 + std::sqrt(reflected);
  const double inside = p.potential == Potential::DoubleBarrier ? resonantRise(p, 1.0 - reflected) : 1.0;
  return {0.0, peak * std::max({1.15, rise * rise, inside})};
}

DisplayRange amplitudeRange(const Parameters& p, double transmission_exact) {
  const double reach = std::sqrt(densityRange(p, transmission_exact).high);
  return {-reach, reach};
}

DisplayRange potentialRange(const Parameters& p, const TypedPotential* typed) {
  constexpr double kHeadroom = 2.0;
  if (typed) {
    constexpr double kMost = 10.0, kRoom = 1.1;
    const double from = typed->at(p.packet_center), own = packetEnergy(p), energy = from + kHeadroom * own;
    const auto shown = [&](double v) { return kRoom * std::clamp(v, from - kMost * own, from + kMost * own); };
    const double high = std::max(energy, shown(typed->highest)), low = shown(std::min(typed->lowest, from));
    return {low < 0.0 ? -roundAbove(-low) : 0.0, high > 0.0 ? roundAbove(high) : 0.0};
  }
  if (p.potential == Potential::Harmonic) {
    // The packet turns where V is its energy; outside a classical turning point the parabola leaves the figure.
    const double omega = oscillatorFrequency(p);
    double highest = 0.0;
    const auto include = [&](const Packet& packet) {
      const double x = std::remainder(packet.center, p.domain_length), k = packet.momentum;
      highest = std::max(highest, 0.5 * (k * k + omega * omega * x * x) + 0.5 * omega);
    };
    include(packetOf(p, kFirstPacket));
    if (p.second_packet) include(packetOf(p, kSecondPacket));
    return {0.0, kHeadroom * highest};
  }
  const double energy = kHeadroom * packetEnergy(p), height = 1.1 * p.barrier_height;
  const double high = roundAbove(p.potential == Potential::None ? energy : std::max(energy, height));
  return {p.potential == Potential::Well ? -high : 0.0, high};
}

}  // namespace simscope::tunneling
