// The Hamiltonian H = -½ d²/dx² + V on the grid's points, ψ = 0 at the walls, in three bases:
//   three points   (-φ_{i-1} + 2φ_i - φ_{i+1})/(2h²); symmetric and tridiagonal, errors ∝ h²
//   five points    (φ_{i-2} - 16φ_{i-1} + 30φ_i - 16φ_{i+1} + φ_{i+2})/(24h²), φ odd about the walls; errors ∝ h⁴
//   sine waves     the N lowest of the box, φ known by its values (D. T. Colbert, W. H. Miller, J. Chem. Phys. 96
//   (1992)
//                  1982, their equation for (a, b)); a full matrix
// By value to kernels; the pointers are of device memory.
#pragma once

#include "sims/compute/host_device.h"
#include "sims/eigenstates/parameters.h"

namespace simscope::eigenstates {

struct Operator {
  Basis basis = Basis::ThreePoint;
  int n = 0;
  double scale = 0;  // 1/h²; sine waves: π²/(4L²), half of the paper's ħ²/2m (π²/2L²)
  const double* potential = nullptr;
  const double* table = nullptr;  // sine waves: (-1)^j / sin²(πj/(2(N+1))) for j in [0, 2N+2), 0 for j = 0

  SIMSCOPE_HD double element(int i, int j) const {
    const int apart = i < j ? j - i : i - j;
    const double v = apart == 0 ? potential[i] : 0;
    switch (basis) {
      case Basis::ThreePoint:
        return apart == 0 ? scale + v : apart == 1 ? -0.5 * scale : 0;
      case Basis::FivePoint:
        if (apart == 0) return (i == 0 || i == n - 1 ? 29.0 : 30.0) / 24.0 * scale + v;
        return apart == 1 ? -16.0 / 24.0 * scale : apart == 2 ? scale / 24.0 : 0;
      default: {
        const double points = n + 1.0, mirror = table[i + j + 2];
        if (apart == 0) return scale * ((2 * points * points + 1) / 3 - mirror) + v;
        return scale * (table[apart] - mirror);
      }
    }
  }

  // (Hφ)_i; φ: any type that gives its values by index
  template <class Phi>
  SIMSCOPE_HD double apply(const Phi& phi, int i) const {
    const int reach = basis == Basis::ThreePoint ? 1 : basis == Basis::FivePoint ? 2 : n;
    const int from = i > reach ? i - reach : 0, to = i + reach < n ? i + reach : n - 1;
    double sum = 0;
    for (int j = from; j <= to; ++j) sum += element(i, j) * phi[j];
    return sum;
  }
};

}  // namespace simscope::eigenstates
