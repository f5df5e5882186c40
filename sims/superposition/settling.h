// Whether levels have a limit as the grid gets finer: those of two coarser grids tell. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sims/core/description.h"

namespace simscope::superposition {

// The lowest levels on a grid with so many points along an axis.
struct Coarser {
  int points = 0;
  std::vector<double> energies;
};
// A grid with about half of the points, as even or odd as this one: no point comes to lie on a pole that this grid goes
// around.
int halfOf(int points);

// Each halving of h takes the same share off a level's error, three quarters where V is smooth. The finding
// "level_unsettled" names the worst of the `count` lowest levels that is wrong by more than one per cent of its height
// above `bottom`, or of its distance to the next one: with `points` as what is enough, or none where halving takes off
// too little for a limit to be in sight. coarser: half and a quarter of the points; nothing without both.
struct Unsettled {
  Finding finding;
  std::optional<double> points;
};
std::optional<Unsettled> unsettledOf(std::span<const double> energies, std::size_t count, double bottom, int points,
                                     std::span<const Coarser> coarser);

}  // namespace simscope::superposition
