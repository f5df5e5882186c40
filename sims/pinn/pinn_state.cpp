// The table of the state, and what follows from it.
#include "sims/core/archive.h"
#include "sims/pinn/pinn.h"

namespace simscope::pinn {

void Pinn::visit(Archive& archive) {
  const auto count = static_cast<std::size_t>(net_.weights());
  constexpr double kMost = 1e6;  // within it no step is beyond a float
  archive.buffer("weights", "of each network: each layer's W row by row, then b; the output's w and b",
                 {networks(), count}, weights_, device_, {});
  archive.buffer("mean", "Adam's running mean of the gradient", {networks(), count}, mean_, device_, {-kMost, kMost},
                 WhenMissing::Zero);
  archive.buffer("variance", "Adam's running mean of the gradient's squares", {networks(), count}, variance_, device_,
                 {0, kMost * kMost}, WhenMissing::Zero);
  archive.buffer<float, Score>("start",
                               "loss's parts (equation, initial, boundary), loss, relative L2 error, largest error of "
                               "each network at first",
                               {networks(), kScoreNumbers}, start_, device_, {}, WhenMissing::Zero);
  archive.buffer<float, Score>("history", "the same after 10^(r/20) iterations, rounded, for r from 0 on",
                               {kRecords, networks(), kScoreNumbers}, history_, device_, {}, WhenMissing::Zero);
}

void Pinn::loaded(const State&) {
  takeLive();
}

}  // namespace simscope::pinn
