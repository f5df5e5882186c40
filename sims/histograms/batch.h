// Events of a resonance in batches, column by column for the processor's vectors, with the same bits as
// resonanceEvent<2>() of sims/histograms/event.h. Host; any thread.
#pragma once

#include <cstdint>

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/histograms/event.h"

namespace simscope::histograms {

struct PairBatch {
  static constexpr int kSize = 256;
  float mass[kSize];                                 // of the boson
  float made_pt[2][kSize], made_eta[2][kSize];       // of each lepton
  float pt[2][kSize], eta[2][kSize], phi[2][kSize];  // as measured
  std::int32_t charge[2][kSize];
  float pair[kSize];  // the measured mass of the pair
};

struct PairMaker {
  // Events [first, first + kSize); none of two uncorrelated leptons.
  void (*make)(const Generator& g, std::uint64_t first, PairBatch& batch);
  const char* name;
};
const compute::KernelList<PairMaker>& pairMakers();

}  // namespace simscope::histograms
