// The explicit scheme on CUDA, blocked in time: a block of threads carries a tile through up to kCudaSteps steps in
// its registers.
//
// A warp holds a stripe of 128 columns and R rows: each lane four columns of it. Neighbours above and below are in the
// lane's own registers, those at the sides come by shuffles, and the stripes of a block exchange their outer rows
// through shared memory, once a step. The tile is read with a halo of kCudaSteps cells, of which each step makes one
// layer invalid. Tiles are placed so that the walls of the field lie at the same registers in every tile that has them;
// cells that two tiles own get the same value from both.
// The arithmetic of a cell is that of the CPU, to the bit (numbers below 1.2e-38 are zero on both).
// Fields whose width is not a multiple of four, and a few small sizes that the tiles do not fit, are advanced step by
// step.
#pragma once

#if SIMSCOPE_HAVE_CUDA

#include "sims/compute/device.h"
#include "sims/heat/explicit_cpu.h"

namespace simscope::heat {

// The rows of the slab, whose halo must be up to date to a depth of the pass's steps. Enqueued. pass.steps: 1, or where
// blockedOnCuda() an even number up to kCudaSteps. marks: the rows that other ranks wait for are made first, then
// Device::mark() is called.
void advanceOnCuda(compute::Device& device, const ExplicitPass& pass, const compute::Slab& slab, bool marks = false);
// Whether every one of `ranks` ranks can use blocked passes, each with its part of the rows.
bool blockedOnCuda(int n, int ranks = 1);
// One step by the plain kernel, for any size.
void stepOnCuda(compute::Device& device, const ExplicitPass& pass, const compute::Slab& slab);

}  // namespace simscope::heat

#endif
