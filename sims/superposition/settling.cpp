#include "sims/superposition/settling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace simscope::superposition {

int halfOf(int points) {
  const int half = points / 2;
  return half + (half + points) % 2;
}

std::optional<Unsettled> unsettledOf(std::span<const double> energies, std::size_t count, double bottom, int points,
                                     std::span<const Coarser> coarser) {
  constexpr double kWrong = 0.01, kMoves = 3e-3, kSettles = 0.6;
  if (coarser.size() < 2) return std::nullopt;
  const Coarser &half = coarser[0], &quarter = coarser[1];
  double worst = 0, order = 2;  // of the error in h
  std::size_t which = 0;
  bool settles = true;
  for (std::size_t n = 0; n < std::min({count, half.energies.size(), quarter.energies.size()}); ++n) {
    const double last = energies[n] - half.energies[n], before = half.energies[n] - quarter.energies[n];
    const double next = n + 1 < energies.size() ? energies[n + 1] - energies[n] : 0;
    const double scale = std::max(std::abs(energies[n] - bottom), next);
    const double share = std::abs(last) < std::abs(before) ? std::abs(last / before) : 1;
    const bool falls = share < kSettles;
    const double wrong = (falls ? std::abs(last) * share / (1 - share) : std::abs(last)) / scale;
    if (!(wrong > (falls ? kWrong : kMoves)) || !(wrong > worst)) continue;
    worst = wrong, which = n, settles = falls;
    order = std::min(2.0, -std::log2(share));
  }
  if (worst == 0) return std::nullopt;
  Unsettled unsettled{
      {Finding::Level::Warning, "level_unsettled",
       fmt::format("Level {} is {:.5g} with {} points, {:.5g} with {}, and {:.5g} with {}: ", which, energies[which],
                   points, half.energies[which], half.points, quarter.energies[which], quarter.points)},
      std::nullopt};
  if (settles) {
    const double enough = std::ceil(points * std::pow(worst / (0.8 * kWrong), 1 / order));
    unsettled.points = enough + std::fmod(enough + points, 2);  // as even or odd: see halfOf()
    unsettled.finding.message += fmt::format("it is still wrong by about {:.3g} per cent. {:g} points are enough.",
                                             100 * worst, *unsettled.points);
  } else {
    unsettled.finding.message +=
        "it does not settle as the grid gets finer. V may have a pole that binds without a limit: soften it, as in "
        "1/sqrt(x^2 + 0.01).";
  }
  return unsettled;
}

}  // namespace simscope::superposition
