// Counts of events on the device: spectra, planes, and tallies, all in one pass over the events. Whole numbers, the
// same on both backends and for any number of threads. Thread and errors: as compute::Device; enqueued.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/buffer.h"
#include "sims/histograms/event.h"
#include "sims/histograms/pair.h"
#include "sims/histograms/parameters.h"

namespace simscope::histograms {

// The layout of the array of counts, which does not depend on the parameters.
namespace place {
inline constexpr int kMostBins = 400, kBins = 100, kCells = 64;  // of masses; of pt, η, and φ; along a side of a plane
inline constexpr int kMass = 0, kSameSign = kMass + kMostBins, kMadeMass = kSameSign + kMostBins;
inline constexpr int kPt = kMadeMass + kMostBins, kMadePt = kPt + kBins, kEta = kMadePt + kBins;
inline constexpr int kMadeEta = kEta + kBins, kPhi = kMadeEta + kBins;
inline constexpr int kMomenta = kPhi + kBins, kMap = kMomenta + kCells * kCells;  // pt of both; η and φ of leptons
inline constexpr int kOpposite = kMap + kCells * kCells, kEqual = kOpposite + 1;  // tallies of pairs ...
inline constexpr int kWithMore = kEqual + 1;  // ... events of three leptons or more, and pairs of opposite charges
inline constexpr int kBelow = kWithMore + 1, kPlaces = kBelow + 1;  // whose mass lies below the axis
}  // namespace place
static_assert(place::kPlaces * sizeof(std::uint32_t) <= 48 * 1024, "what a block of threads may have");

// An axis of bins, in one precision: bin = floor((value - low) · scale).
struct Bins {
  float low = 0, scale = 1;
  int count = 1;
  SIMSCOPE_HD int operator()(float value) const {
    const float at = (value - low) * scale;
    return at >= 0 && at < static_cast<float>(count) ? static_cast<int>(at) : -1;
  }
};
struct Selection {
  Cuts cuts;
  Bins mass, pt, eta, phi, pt_cell, eta_cell, phi_cell;
};
Selection selectionOf(const Parameters& parameters);
Generator generatorOf(const Parameters& parameters, std::uint64_t seed, const float* higgs_table);

// Events from a file, as columns: event i has the leptons from first[i] to first[i + 1].
struct Recorded {
  const std::uint32_t* first = nullptr;
  const float *pt = nullptr, *eta = nullptr, *phi = nullptr;
  const std::int8_t* charge = nullptr;
};
struct Source {
  Process process = Process::Resonance;
  bool more = false;  // up to four leptons
  Generator generator;
  Recorded recorded;
};

using Counts = compute::Buffer<std::uint64_t>;  // place::kPlaces
// Adds events [first, first + count) to the counts.
void addEvents(Counts& counts, const Source& source, const Selection& selection, std::uint64_t first,
               std::uint64_t count);

// The pairs of events `first` + i · `every`, i below count: points (η, φ, 0, size) of both leptons, and their pt.
// Points of an event without a pair have size 0.
void showEvents(const compute::DevicePtr& device, const Source& source, const Selection& selection, std::uint64_t first,
                std::uint64_t every, std::size_t count, float* points, float* values);

}  // namespace simscope::histograms
