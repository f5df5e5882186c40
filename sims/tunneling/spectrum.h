// What the momentum spectrum of a state says that the parameters do not, after kicks. Plain host functions, any thread.
#pragma once

#include <span>
#include <vector>

#include "sims/absorbing/absorbing_layer.h"
#include "sims/tunneling/physics.h"

namespace simscope::tunneling {

// From this share of π/dx on, a momentum is next to what the grid cannot resolve. One kick adds at most a quarter of
// π/dx: a wave below this share that is kicked beyond π/dx appears above it, on the other side.
inline constexpr double kNextToNyquist = 0.875;

// After the last kick.
struct Kicked {
  std::vector<absorbing::Wave> waves;  // of equal shares
  double fastest = 0;                  // all but 0.135 % have a smaller |k|, as within three standard deviations
  double position = 0, height = 0;     // ⟨x⟩ and ⟨V⟩
};
// `density`: |φ|² in FFT order.
Kicked kickedOf(std::span<const double> density, const Grid& grid);

}  // namespace simscope::tunneling
