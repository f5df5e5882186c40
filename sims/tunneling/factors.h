// The phase factors of one split-operator step, tabulated on the host in double and rounded once to T, so that both
// backends multiply by the same bits. Plain host functions, any thread.
//
//   half    exp(-(iV + W) Δt/2)      natural order
//   kinetic exp(-i k² Δt/2)·gain/N   FFT order; 1/N undoes the unnormalised pair of transforms
#pragma once

#include <span>
#include <vector>

#include "sims/tunneling/packets.h"
#include "sims/tunneling/physics.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {

template <class T>
struct Factors {
  std::vector<Complex<T>> half, kinetic;
  bool absorbing = false;  // the edges take from ψ
};

// `potential`: V at the samples (potentialTable).
template <class T>
Factors<T> makeFactors(const Parameters& p, std::span<const double> potential, double gain = 1) {
  const Grid grid = gridOf(p);
  const auto polar = [](double magnitude, double phase) {
    return Complex<T>{static_cast<T>(magnitude * std::cos(phase)), static_cast<T>(magnitude * std::sin(phase))};
  };
  Factors<T> f;
  f.absorbing = p.absorbing_edges;
  for (std::vector<Complex<T>>* each : {&f.half, &f.kinetic}) each->reserve(grid.points);
  for (int i = 0; i < grid.points; ++i) {
    const double v = potential[static_cast<std::size_t>(i)], w = absorptionAt(p, grid.x(i));
    f.half.push_back(polar(std::exp(-0.5 * w * p.time_step), -0.5 * v * p.time_step));
    const double k = grid.k(i);
    f.kinetic.push_back(polar(gain / grid.points, -0.5 * k * k * p.time_step));
  }
  return f;
}
// Of a potential that is not typed.
template <class T>
Factors<T> makeFactors(const Parameters& p) {
  return makeFactors<T>(p, potentialTable(p, nullptr));
}

// A packet with Σ|ψ|² dx = 1.
inline std::vector<Complex<double>> gaussianOn(const Grid& grid, const Packet& packet) {
  double nearest = grid.length;
  for (int i = 0; i < grid.points; ++i) {
    nearest = std::fmin(nearest, std::fabs(packet.distance(grid.x(i), grid.length)));
  }
  std::vector<Complex<double>> psi;
  psi.reserve(static_cast<std::size_t>(grid.points));
  double sum = 0.0;
  for (int i = 0; i < grid.points; ++i) {
    psi.push_back(packet.at(grid.x(i), grid.length, nearest));
    sum += norm2(psi.back());
  }
  const double scale = 1.0 / std::sqrt(sum * grid.dx);
  for (Complex<double>& z : psi) z = scale * z;
  return psi;
}

// ψ(x, 0), normalised so that Σ|ψ|² dx = 1 in double.
template <class T>
std::vector<Complex<T>> makePacket(const Parameters& p) {
  const Grid grid = gridOf(p);
  std::vector<Complex<double>> packet = gaussianOn(grid, packetOf(p, kFirstPacket));
  if (p.second_packet) {
    const Packets packets = packetsOf(p);
    const std::vector<Complex<double>> second = gaussianOn(grid, packets.each[1]);
    for (std::size_t i = 0; i < packet.size(); ++i) {
      packet[i] = packets.weight[0] * packet[i] + packets.weight[1] * second[i];
    }
  }
  std::vector<Complex<T>> psi;
  psi.reserve(packet.size());
  for (const Complex<double>& z : packet) psi.push_back({static_cast<T>(z.re), static_cast<T>(z.im)});
  return psi;
}

}  // namespace simscope::tunneling
