// The small dense problem within a block of states: A q = E B q for A = ⟨f_a|H|f_b⟩ and B = ⟨f_a|f_b⟩, on the host, for
// any device, by Cholesky's factor and Jacobi's rotations. Not by LAPACK: its bits depend on its threads and on the
// kind of the processor, and the mixture of the states of a degenerate level depends on its bits. Any thread.
#pragma once

#include <vector>

namespace simscope::eigenstates2d {

struct Ritz {
  std::vector<double> energies;  // ascending
  std::vector<double> rotation;  // columns of B's orthonormal vectors, one a state, its largest element positive
  // States that depend linearly on those before them, or contain NaN: there is no rotation until they are replaced.
  std::vector<int> dependent;
};
// Both count × count, symmetric. Error for numbers that are not finite.
Ritz ritzOf(const std::vector<double>& a, const std::vector<double>& b, int count);

// Eigenvectors of a symmetric matrix in columns, that of the largest eigenvalue first.
std::vector<double> symmetricVectors(std::vector<double> matrix, int count);

}  // namespace simscope::eigenstates2d
