#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/compute/elementary.h"
#include "sims/eigenstates/eigenstates.h"

namespace simscope::eigenstates {

using compute::Complex;

std::vector<Complex<double>> packetOn(const Parameters& p, const Grid& grid) {
  std::vector<Complex<double>> g;
  const double peak = 1 / std::sqrt(std::sqrt(2 * std::numbers::pi * p.packet_width * p.packet_width));
  for (int i = 0; i < grid.points; ++i) {
    const double x = grid.x(i) - p.packet_x, away = x / (2 * p.packet_width);
    const double size = peak * compute::exponential(-away * away);
    const compute::SineAndCosine wave = compute::sineAndCosine(p.packet_k * x);
    g.push_back({size * wave.cosine, size * wave.sine});
  }
  return g;
}

double boxRevival(double length) {
  return 4 * length * length / std::numbers::pi;
}

double carpetTime(const Parameters& p, std::span<const Complex<double>> c, std::span<const double> energies) {
  constexpr double kTwoPi = 2 * std::numbers::pi;
  if (p.potential == Potential::Box && p.tilt == 0) return boxRevival(p.length);
  if (p.potential == Potential::Harmonic && p.tilt == 0) return kTwoPi / p.omega;
  // Of the two strongest states, the beat; of a single one, its own turn.
  std::size_t first = 0, second = 0;
  double most = -1, next = -1;
  for (std::size_t n = 0; n < c.size(); ++n) {
    const double weight = norm2(c[n]);
    if (weight > most) {
      second = first, next = most;
      first = n, most = weight;
    } else if (weight > next) {
      second = n, next = weight;
    }
  }
  double gap = next > 1e-6 ? std::abs(energies[first] - energies[second]) : std::abs(energies[first]);
  gap = std::clamp(gap, 1e-9, 1e12);
  return kTwoPi / gap;
}

}  // namespace simscope::eigenstates
