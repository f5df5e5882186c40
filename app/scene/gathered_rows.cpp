#include "app/scene/gathered_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace simscope {

namespace {

constexpr std::uint64_t kChunk = std::uint64_t{16} << 20;

}  // namespace

GatheredRows::GatheredRows(const StateArray& array, compute::Ranks* ranks)
    : array_(array), ranks_(array.part ? ranks : nullptr), bytes_(array.bytes.size()) {
  if (!ranks_) return;
  const std::uint64_t rows = array.shape.front();
  const auto [first, count] = ranks_->share(rows);
  if (array.part->first != first || array.part->count != count || count == 0 || array.bytes.size() % count != 0) {
    throw Error(fmt::format("rank {} has the rows from {} to before {} of '{}', not its share", ranks_->rank(),
                            array.part->first, array.part->first + array.part->count, array.name));
  }
  row_ = array.bytes.size() / count;
  bytes_ = rows * row_;
}

std::uint64_t GatheredRows::bytesOf(int rank) const {
  return compute::Ranks::shareOf(array_.shape.front(), rank, ranks_->size()).second * row_;
}

std::span<const std::byte> GatheredRows::next() {
  if (!ranks_) {
    const std::span<const std::byte> all = array_.bytes;
    return all.subspan(std::exchange(at_, bytes_));
  }
  if (from_ == 0) {
    ++from_;
    return array_.bytes;
  }
  while (from_ < ranks_->size() && at_ == bytesOf(from_)) ++from_, at_ = 0;
  if (from_ == ranks_->size()) return {};
  const std::uint64_t count = std::min(kChunk, bytesOf(from_) - at_);
  chunk_.resize(count);
  const compute::RankMessage message{from_, chunk_.data(), count};
  ranks_->exchange({}, {&message, 1});
  at_ += count;
  return chunk_;
}

// Every exchange is one of all ranks.
void GatheredRows::send() {
  if (!ranks_) return;
  for (int rank = 1; rank < ranks_->size(); ++rank) {
    for (std::uint64_t at = 0; at < bytesOf(rank); at += kChunk) {
      const std::uint64_t count = std::min(kChunk, bytesOf(rank) - at);
      // Only read from: a message has one type for both ways.
      auto* const data = const_cast<std::byte*>(array_.bytes.data()) + at;
      const compute::RankMessage message{0, data, count};
      const bool own = rank == ranks_->rank();
      ranks_->exchange({&message, own ? std::size_t{1} : 0}, {});
    }
  }
}

}  // namespace simscope
