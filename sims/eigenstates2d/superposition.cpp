#include "sims/eigenstates2d/superposition.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::eigenstates2d {

void makeWhole(std::vector<Complex<double>>& c) {
  double sum = 0;
  for (const Complex<double>& each : c) sum += norm2(each);
  if (!(sum > 1e-12)) {
    std::fill(c.begin(), c.end(), Complex<double>{});
    c[0] = {1, 0};
    return;
  }
  for (Complex<double>& each : c) each = (1 / std::sqrt(sum)) * each;
}

std::vector<Complex<double>> coefficientsOf(const Parameters& p, int states) {
  std::vector<Complex<double>> c(static_cast<std::size_t>(states));
  const auto put = [&](int n, double value) { c[static_cast<std::size_t>(std::min(n, states - 1))].re += value; };
  switch (p.superposition) {
    case Superposition::Packet:
      return c;
    case Superposition::Single:
      put(p.state, 1);
      break;
    case Superposition::Two:
      put(p.state, 1);
      put(p.partner, 1);
      break;
    case Superposition::Equal:
      for (int n = 0; n < std::min(p.equal_states, states); ++n) put(n, 1);
      break;
    case Superposition::Dials:
      for (int n = 0; n < std::min(kDials, states); ++n) put(n, p.dial(n));
      break;
  }
  makeWhole(c);
  return c;
}

std::vector<Complex<double>> packetLines(const Parameters& p, const Grid& grid) {
  std::vector<Complex<double>> lines;
  const double peak = std::pow(2 * std::numbers::pi * p.packet_width * p.packet_width, -0.25) * std::sqrt(grid.h);
  const auto line = [&](double centre, double k) {
    for (int i = 0; i < grid.points; ++i) {
      const double away = grid.x(i) - centre, u = away / (2 * p.packet_width);
      const double size = peak * std::exp(-u * u), phase = k * away;
      lines.push_back({size * std::cos(phase), size * std::sin(phase)});
    }
  };
  line(p.packet_x, p.packet_kx);
  line(p.packet_y, p.packet_ky);
  return lines;
}

}  // namespace simscope::eigenstates2d
