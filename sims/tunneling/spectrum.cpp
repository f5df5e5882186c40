#include "sims/tunneling/spectrum.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace simscope::tunneling {

Kicked kickedOf(std::span<const double> density, const Grid& grid) {
  constexpr double kWaves = 24, kBeyond = 1.35e-3;
  const double all = std::accumulate(density.begin(), density.end(), 0.0);
  const int half = grid.points / 2;
  Kicked kicked;
  double share = 0.0, momentum = 0.0;
  for (int i = 0; i < grid.points; ++i) {
    const int j = (i + half) % grid.points;  // from the most negative k on
    share += density[static_cast<std::size_t>(j)] / all;
    momentum += grid.k(j) * density[static_cast<std::size_t>(j)] / all;
    if (!(share * kWaves >= 1.0) && i + 1 < grid.points) continue;
    if (share > 0.0) kicked.waves.push_back({momentum / share, share});
    share = momentum = 0.0;
  }
  double beyond = density[static_cast<std::size_t>(half)];  // the only one without a partner of the other sign
  kicked.fastest = grid.nyquist();
  for (int j = half - 1; j > 0 && beyond <= kBeyond * all; --j) {
    kicked.fastest = grid.k(j + 1) < 0 ? grid.nyquist() : grid.k(j + 1);
    beyond += density[static_cast<std::size_t>(j)] + density[static_cast<std::size_t>(grid.points - j)];
  }
  return kicked;
}

}  // namespace simscope::tunneling
