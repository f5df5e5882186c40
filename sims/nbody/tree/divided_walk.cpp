#include "sims/nbody/tree/divided_walk.h"

#include <algorithm>

#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/ranks/blocks.h"
#include "sims/nbody/tree/steps.h"

namespace simscope::nbody::tree {
namespace {

// Bodies [begin, end) of the curve, a piece at a time.
struct AlongCurve {
  const Arrays& a;
  Vec4* field;
  std::uint64_t begin, end;
  bool gathers;  // from the field; else back to it
  static constexpr std::uint64_t kPiece = 4096;

  static void run(const void* context, std::size_t piece) {
    const AlongCurve& self = *static_cast<const AlongCurve*>(context);
    const std::uint64_t first = self.begin + piece * kPiece, last = std::min(self.end, first + kPiece);
    for (std::uint64_t i = first; i < last; ++i) {
      Vec4& there = self.field[self.a.index[i]];
      if (self.gathers) {
        self.a.bodies[i] = there;
      } else {
        there = self.a.bodies[i];
      }
    }
  }
  void run(compute::Device& device) const {
    if (begin < end) compute::detail::runBlocks(device, (end - begin - 1) / kPiece + 1, &AlongCurve::run, this);
  }
};

}  // namespace

void DividedWalk::walk(compute::Device& device, compute::Ranks& ranks, const Arrays& a, float softening, Vec4* field) {
  const std::size_t blocks = walkBlocks(a.n);
  const compute::Cuts cuts =
      costs_.size() == blocks ? compute::cutsByCost(costs_, ranks.size()) : compute::equalCuts(blocks, ranks.size());
  costs_.resize(blocks);
  const auto me = static_cast<std::size_t>(ranks.rank());
  walkOnCpu(device, a, softening, field, {cuts[me], cuts[me + 1], costs_.data()});
  compute::gatherBlocks(ranks, costs_.data(), cuts);

  const auto n = static_cast<std::uint64_t>(a.n);
  compute::Cuts bodies;
  for (const std::uint64_t cut : cuts) bodies.push_back(std::min(n, cut * kGroupBodies));
  AlongCurve{a, field, bodies[me], bodies[me + 1], true}.run(device);
  compute::gatherBlocks(ranks, a.bodies, bodies);
  AlongCurve{a, field, 0, bodies[me], false}.run(device);
  AlongCurve{a, field, bodies[me + 1], n, false}.run(device);
}

}  // namespace simscope::nbody::tree
