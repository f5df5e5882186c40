// An array of a state that ranks hold in parts (StateArray::part), as one stream of bytes on rank 0: its own rows, then
// those of the others, chunk by chunk, so that no rank ever holds more than its own rows and a chunk.
//
// All ranks make one for the same array, in the same order; rank 0 calls next() to the end, the others send(). Arrays
// that rank 0 holds completely are one piece, for which nothing is sent. Owner: the array and the ranks must outlive
// it. Thread and errors: as Ranks; Error if the rows are not those expected from such a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sims/compute/ranks/ranks.h"
#include "sims/core/state.h"

namespace simscope {

class GatheredRows {
 public:
  // ranks: null for an array that is whole.
  GatheredRows(const StateArray& array, compute::Ranks* ranks);
  std::uint64_t bytes() const noexcept { return bytes_; }  // of all rows
  // On rank 0. Valid until the next call; empty at the end.
  std::span<const std::byte> next();
  // On the others.
  void send();

 private:
  std::uint64_t bytesOf(int rank) const;

  const StateArray& array_;
  compute::Ranks* ranks_;
  std::uint64_t row_ = 0, bytes_ = 0;
  int from_ = 0;  // the rank whose rows come next, and the offset
  std::uint64_t at_ = 0;
  std::vector<std::byte> chunk_;
};

}  // namespace simscope
