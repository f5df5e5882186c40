#include <cstdio>
#include <vector>

#include "sims/compute/ranks/blocks.h"
#include "tests/ranks/ranks_probe.h"

namespace simscope::ranks_probe {
namespace {

struct Pair {
  std::uint64_t place, rank;
  bool operator==(const Pair&) const = default;
};

template <class T, class Make>
int wrongAfterGathering(compute::Ranks& ranks, const compute::Cuts& cuts, const T& nothing, const Make& make) {
  const auto rankOf = [&](std::uint64_t i) {
    std::uint64_t rank = 0;
    while (cuts[rank + 1] <= i) ++rank;
    return rank;
  };
  std::vector<T> all(cuts.back(), nothing);
  const auto me = static_cast<std::size_t>(ranks.rank());
  for (std::uint64_t i = cuts[me]; i < cuts[me + 1]; ++i) all[i] = make(i, me);
  compute::gatherBlocks(ranks, all.data(), cuts);
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    if (all[i] == make(i, rankOf(i))) continue;
    std::fprintf(stderr, "wrong: element %llu of %zu on rank %zu\n", static_cast<unsigned long long>(i), all.size(),
                 me);
    return 1;
  }
  return 0;
}

}  // namespace

int wrongBlocks(compute::Ranks& ranks) {
  const int size = ranks.size();
  int wrong = 0;
  // Fewer elements than ranks, about as many, and more bytes than MPI passes on in one piece of its own.
  for (const std::uint64_t count : {0u, 1u, 2u, 3u, 4u, 5u, 1001u, 700'001u}) {
    wrong +=
        wrongAfterGathering(ranks, compute::equalCuts(count, size), Pair{}, [](std::uint64_t i, std::uint64_t rank) {
          return Pair{i + 1, rank};
        });
  }
  // One rank has all, each of them in turn; and each has one element more than the one before, the first has none.
  compute::Cuts growing{0};
  for (int rank = 0; rank < size; ++rank) {
    compute::Cuts cuts(static_cast<std::size_t>(size) + 1, 0);
    for (std::size_t i = static_cast<std::size_t>(rank) + 1; i < cuts.size(); ++i) cuts[i] = 77;
    const auto make = [](std::uint64_t i, std::uint64_t by) { return static_cast<std::uint32_t>(100 * by + i + 1); };
    wrong += wrongAfterGathering(ranks, cuts, std::uint32_t{0}, make);
    growing.push_back(growing.back() + static_cast<std::uint64_t>(rank));
  }
  wrong += wrongAfterGathering(ranks, growing, 0.5f, [](std::uint64_t i, std::uint64_t by) {
    return static_cast<float>(i) + 1000 * static_cast<float>(by);
  });
  return wrong;
}

}  // namespace simscope::ranks_probe
