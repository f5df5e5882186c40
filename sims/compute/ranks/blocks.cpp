#include "sims/compute/ranks/blocks.h"

#include <algorithm>
#include <numeric>

namespace simscope::compute {

Cuts equalCuts(std::uint64_t count, int ranks, std::uint64_t unit) {
  const std::uint64_t units = count / unit + (count % unit ? 1 : 0);
  Cuts cuts;
  for (int rank = 0; rank < ranks; ++rank) {
    cuts.push_back(std::min(count, Ranks::shareOf(units, rank, ranks).first * unit));
  }
  cuts.push_back(count);
  return cuts;
}

Cuts cutsByCost(std::span<const std::uint32_t> costs, int ranks) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const std::uint64_t all = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
  if (all == 0) return equalCuts(costs.size(), ranks);
  Cuts cuts{0};
  std::uint64_t before = 0, at = 0;
  for (std::uint64_t part = 1; part < parts; ++part) {
    // all · part / parts, where the product has no room.
    const std::uint64_t due = all / parts * part + all % parts * part / parts;
    // An element goes to that side of the cut on which more than half of it lies.
    while (at < costs.size() && before + costs[at] / 2 < due) before += costs[at++];
    cuts.push_back(at);
  }
  cuts.push_back(costs.size());
  return cuts;
}

// In a ring of blocks, a rank has those from its own on, so many; each round doubles them.
void gatherBlocks(Ranks& ranks, std::byte* all, std::size_t bytes_of_element, std::span<const std::uint64_t> cuts) {
  const int me = ranks.rank(), size = ranks.size();
  for (int have = 1; have < size; have *= 2) {
    const int more = std::min(have, size - have);
    const int before = (me + size - have) % size, behind = (me + have) % size;
    // Blocks first, first + 1, … of the ring: one piece, or two where they go past the end.
    const auto blocks = [&](int partner, int first) {
      std::vector<Ranks::Message> pieces;
      const auto piece = [&](int begin, int end) {
        const std::uint64_t from = cuts[static_cast<std::size_t>(begin)], to = cuts[static_cast<std::size_t>(end)];
        if (to > from) pieces.push_back({partner, all + from * bytes_of_element, (to - from) * bytes_of_element});
      };
      piece(first, std::min(first + more, size));
      if (first + more > size) piece(0, first + more - size);
      return pieces;
    };
    ranks.exchange(blocks(before, me), blocks(behind, behind));
  }
}

void gatherBlocksOnDevice(Device& device, void* all, std::size_t bytes_of_element,
                          std::span<const std::uint64_t> cuts) {
  const Ranks& ranks = *device.ranks();
  std::vector<RankMessage> sent, received;
  const auto block = [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return RankMessage{0, static_cast<std::byte*>(all) + cuts[r] * bytes_of_element,
                       (cuts[r + 1] - cuts[r]) * bytes_of_element};
  };
  for (int each = 0; each < ranks.size(); ++each) {
    if (each == ranks.rank()) continue;
    sent.push_back(block(ranks.rank()));
    sent.back().rank = each;
    received.push_back(block(each));
    received.back().rank = each;
  }
  device.exchange(sent, received);
}

}  // namespace simscope::compute
