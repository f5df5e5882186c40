// Many tunneling runs side by side (sims/core/batch.h): on a CUDA device a block of threads each, in one launch; on the
// CPU a thread each.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sims/core/batch.h"
#include "sims/tunneling/simulation.h"

namespace simscope::tunneling {

// The function description().batch.create. On a CUDA device null if a run does not fit on one multiprocessor.
std::unique_ptr<Batch> createBatch(compute::DevicePtr device, std::span<const ParameterSet> runs, std::uint64_t seed);

}  // namespace simscope::tunneling
