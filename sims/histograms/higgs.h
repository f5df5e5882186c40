// The masses of the two Z in H → ZZ, one or both of them far from their pole. Plain functions; any thread.
//   d²Γ/dm₁² dm₂² ∝ BW(m₁²) BW(m₂²) β (β² + 12 m₁² m₂²/m_H⁴)
// with Breit and Wigner's resonances and β = √λ(m_H², m₁², m₂²)/m_H² (W.-Y. Keung, W. J. Marciano, Phys. Rev. D 30
// (1984) 248; R. N. Cahn, Rep. Prog. Phys. 52 (1989) 389). Both masses are above kLightest.
#pragma once

#include <vector>

#include "sims/histograms/event.h"

namespace simscope::histograms {

inline constexpr double kLightest = 1;  // GeV

// HiggsTable::kSize numbers, for a Z of this mass and width: quantiles of the heavier mass, then of the lighter one in
// each of the rows, between which the generator interpolates.
std::vector<float> higgsTable(double higgs_mass, double mass, double width);

}  // namespace simscope::histograms
