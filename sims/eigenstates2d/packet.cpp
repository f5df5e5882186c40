#include "sims/eigenstates2d/packet.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::eigenstates2d {

using compute::Complex;

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
