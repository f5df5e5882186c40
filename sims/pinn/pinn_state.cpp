// The table of the state, and what follows from it.
#include "sims/core/archive.h"
#include "sims/pinn/pinn.h"

namespace simscope::pinn {

void Pinn::visit(Archive& archive) {
  const auto count = static_cast<std::size_t>(net_.weights());
  constexpr double kMost = 1e6;  // within it no step is beyond a float
  archive.buffer("weights", "for each network: W of each layer row by row, then b; w and b of the output",
                 {networks(), count}, weights_, device_, {});
  archive.buffer("mean", "Adam's running mean of the gradient", {networks(), count}, mean_, device_, {-kMost, kMost},
                 WhenMissing::Zero);
  archive.buffer("variance", "Adam's running mean of the squared gradient", {networks(), count}, variance_, device_,
                 {0, kMost * kMost}, WhenMissing::Zero);
  archive.buffer<float, Score>("start",
                               "parts of the loss (equation, initial, boundary), loss, relative L2 error, and largest "
                               "error of each network before training",
                               {networks(), kScoreNumbers}, start_, device_, {}, WhenMissing::Zero);
  archive.buffer<float, Score>("history", "the same values after 10^(r/20) iterations, rounded, for r = 0, 1, 2, ...",
                               {kRecords, networks(), kScoreNumbers}, history_, device_, {}, WhenMissing::Zero);
}

void Pinn::loaded(const State&) {
  takeLive();
}

}  // namespace simscope::pinn
