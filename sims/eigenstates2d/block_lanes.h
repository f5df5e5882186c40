// A block's arithmetic, common to both backends, and the processor's loops over it: rows and tiles in vector registers,
// on the threads of oneTBB. block_lanes.cpp is compiled for any x86-64 or ARM, block_lanes_wide.cpp for registers of
// twice the width; one is chosen at run time, with the same bits.
#pragma once

#include <cstddef>

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/eigenstates2d/block.h"

namespace simscope::eigenstates2d {

inline constexpr double kInside = 1e299;  // larger values on the diagonal are outside

static SIMSCOPE_HD inline double neighbours(double near, double far, double left, double right, double below,
                                            double above, double left2, double right2, double below2, double above2) {
  return near * ((left + right) + (below + above)) + far * ((left2 + right2) + (below2 + above2));
}
static SIMSCOPE_HD inline double termAt(double diagonal, double centre, double scale, double back, double y, double sum,
                                        double x) {
  const double value = scale * ((diagonal - centre) * y + sum) - back * x;
  return diagonal < kInside ? value : 0.0;
}

// A row of n points; y2 to y6 are the rows two below, one below, its own, one above, two above.
struct RowTerm {
  int n;
  double near, far, scale, centre, back;
  const double *diagonal, *below2, *below, *own, *above, *above2, *x;
  double* out;
};
// A tile of the Gram matrix in one segment: kTile rows of f, and of g; sums: for each lane kTile × kTile.
struct TileSum {
  const double *f[kTile], *g[kTile];
  std::size_t from, to;  // points
  double* sums;          // sums[lane · apart + 4a + b]
  std::size_t apart;
};
// to_b[i] for i in [from, to): `columns` ≤ kTile of them from b on.
struct Rotation {
  const double *from_states, *q;
  std::size_t points;
  int count, b, columns;
  std::size_t from, to;
  double* out;
};

struct LaneKernels {
  void (*row)(const RowTerm&);
  void (*tile)(const TileSum&);
  void (*rotate)(const Rotation&);
};
LaneKernels plainLanes();
LaneKernels avx2Lanes(compute::Avx2);
const compute::KernelList<LaneKernels>& supportedLanes();

void applyTermByLanes(compute::Device& device, const Operator& h, int count, const Term& term, const double* y,
                      const double* x, double* out);
// State by state, so that each stays in a processor's cache through all terms.
void applyTermsByLanes(compute::Device& device, const Operator& h, int count, std::span<const Term> terms, double* one,
                       double* other);
// partials: of chunk c and tile t at (c · tiles + t) · 16.
void gramByLanes(const Chunks& chunks, int count, const double* f, const double* g, double* partials);
void rotateByLanes(std::size_t points, int count, const double* from, const double* q, double* to);

}  // namespace simscope::eigenstates2d
