// Direct summation on either backend, behind makeDirect; see field.h.
//
// CPU: vectors of bodies against all sources, with the widest instructions of the processor. CUDA: a block of eight
// warps takes 128 bodies, four a lane; each warp sums over a part of the sources, read through its own part of shared
// memory, and the warps' sums are added in order at the end. Where there are too few bodies to fill the device, the
// sources are also divided among several blocks; the last one to finish adds the parts, in order. Sums are in a fixed
// order: the same bits in every run, for any number of threads. Ranks (on the CPU) sum for a block of bodies each,
// against all sources, and exchange the results.
#pragma once

#include "sims/nbody/field.h"

namespace simscope::nbody {

// How the sources of n bodies are divided among blocks of a CUDA device.
struct DirectSplit {
  int tiles = 1;      // of kDirectTile bodies
  int splits = 1;     // blocks that share a tile
  int per_split = 0;  // sources of a block; the last one may have fewer
};
inline constexpr int kDirectTile = 128;
inline constexpr int kDirectWarps = 8;
inline constexpr int kDirectUnroll = 8;  // a warp's part of the sources is a multiple of this
// The most partial sums kept at a time: splits times bodies.
inline constexpr int kMostDirectParts = 1 << 21;
DirectSplit splitFor(int n, int multiprocessors);

#if SIMSCOPE_HAVE_CUDA
std::unique_ptr<FieldSolver> makeDirectOnCuda(compute::DevicePtr device);
#endif

}  // namespace simscope::nbody
