// The table of the state, what follows from it, and what the mouse does.
#include "sims/core/archive.h"
#include "sims/descent/descent.h"

namespace simscope::descent {

void Descent::visit(Archive& archive) {
  const std::size_t n = all();
  const StateRange places{-kFar, kFar};
  archive.buffer("x", "x of the starts of the grid, row by row, then of the witnesses", {n}, x_, device_, places);
  archive.buffer("y", "y, in the same order", {n}, y_, device_, places);
  archive.buffer("memory", "memory of the method for each start, number by number over all starts", {kMemories, n},
                 memory_, device_, {}, WhenMissing::Zero);
  archive.buffer("since", "iteration at which each start reached its minimum; -1: not yet, -2: diverged", {n}, since_,
                 device_, {kDiverged, 2e9}, WhenMissing::Leave);
  archive.buffer("losses", "f minus its lowest value, for the witnesses, by sample", {kSamples, kWitnesses}, losses_,
                 device_, {0, 1.1e37}, WhenMissing::Leave);
  archive.buffer("places", "x and y of the tracers, by sample", {kTracers, kSamples, 2}, places_, device_, {},
                 WhenMissing::Leave);
  archive.number("began", began_, {0, static_cast<double>(archive.steps(steps_))});
  archive.number("watched_x", watched_x_, places);
  archive.number("watched_y", watched_y_, places);
  archive.number("exact", exact_);
}

void Descent::loaded(const State& state) {
  stride_ = 1;
  while (steps_ >= kSamples * stride_) stride_ *= 2;
  watched_ = {};
  summarised_ = 0;
  takeModes(p_.is(Surface::Bowl) ? startPlaces() : std::vector<double>());
  if (state.find("run") && state.find("since") && state.find("losses") && state.find("places")) return;
  // Starts from elsewhere: as far as is known they have always been here.
  memory_.zero();
  began_ = steps_;
  exact_ = false;
  for (int k = 0; k < samples(); ++k) {
    Advance sample = work();
    sample.now = k * stride_;
    begin(*device_, sample, true);
  }
}

bool Descent::stroke(const Brush& brush) {
  if (brush.tool != "start") return false;
  placeWatched(brush.x, brush.y);
  return true;
}

}  // namespace simscope::descent
