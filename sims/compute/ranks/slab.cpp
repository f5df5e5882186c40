#include "sims/compute/ranks/slab.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

namespace {

int firstRowOf(int n, int rank, int size) {
  return static_cast<int>(Ranks::shareOf(static_cast<std::uint64_t>(n), rank, size).first);
}

std::span<std::byte> bytesAt(void* data, std::size_t from, std::size_t bytes) {
  return {static_cast<std::byte*>(data) + from, bytes};
}

}  // namespace

Slab slabOf(const Device& device, int n, int halo) {
  const Ranks* const ranks = device.ranks();
  if (!ranks) return wholeSlab(n);
  if (ranks->size() > mostSlabs(n, halo)) {
    throw UsageError(fmt::format("{} rows can be divided among at most {} ranks, not {}: each needs {} or more", n,
                                 mostSlabs(n, halo), ranks->size(), halo));
  }
  const auto [first, count] = ranks->share(static_cast<std::uint64_t>(n));
  return {n, static_cast<int>(first), static_cast<int>(count), halo};
}

std::vector<int> cutsOf(const Device& device, int n, int from, int to, int every) {
  const int size = device.ranks() ? device.ranks()->size() : 1;
  to = std::max(from, to);
  std::vector<int> cuts;
  for (int rank = 0; rank <= size; ++rank) {
    const int row = rank == size ? n : firstRowOf(n, rank, size);
    cuts.push_back((std::clamp(row, from, to) - from + every - 1) / every);
  }
  return cuts;
}

Cut ownCut(const Device& device, std::span<const int> cuts) {
  const auto rank = static_cast<std::size_t>(device.ranks() ? device.ranks()->rank() : 0);
  return {cuts[rank], cuts[rank + 1] - cuts[rank]};
}

void exchangeHalo(Device& device, const Slab& slab, void* data, std::size_t cell_bytes, int depth, bool joined,
                  Device::Order order) {
  Ranks* const ranks = device.ranks();
  if (!ranks || depth <= 0) return;
  const int me = ranks->rank(), size = ranks->size();
  const std::size_t row = static_cast<std::size_t>(slab.n) * cell_bytes, bytes = static_cast<std::size_t>(depth) * row;
  const auto rows = [&](int y) {
    return static_cast<std::byte*>(data) + static_cast<std::size_t>(y - slab.first + slab.halo) * row;
  };
  const bool before = me > 0 || joined, after = me < size - 1 || joined;
  // Messages of one pair are matched in order. Of two ranks with joined edges each is before and after the other: both
  // send their first rows first, which are the other's halo at the far end.
  std::vector<Ranks::Message> sent, received;
  if (before) sent.push_back({(me + size - 1) % size, rows(slab.first), bytes});
  if (after) received.push_back({(me + 1) % size, rows(slab.end()), bytes});
  if (after) sent.push_back({(me + 1) % size, rows(slab.end() - depth), bytes});
  if (before) received.push_back({(me + size - 1) % size, rows(slab.first - depth), bytes});
  device.exchange(sent, received, order);
}

namespace {

// What rank 0 receives, and what the others send, for it to have all rows.
struct Gathering {
  std::vector<RankMessage> sent, received;
};
Gathering gathering(const Ranks* ranks, std::span<const int> cuts, void* data, std::size_t row_bytes) {
  auto [sent, received] = Gathering{};
  const auto bytesOf = [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return static_cast<std::size_t>(cuts[r + 1] - cuts[r]) * row_bytes;
  };
  if (!ranks->first()) {
    sent.push_back({0, data, bytesOf(ranks->rank())});
  } else {
    for (int each = 1; each < ranks->size(); ++each) {
      const auto at = static_cast<std::size_t>(cuts[static_cast<std::size_t>(each)]) * row_bytes;
      received.push_back({each, static_cast<std::byte*>(data) + at, bytesOf(each)});
    }
  }
  return {sent, received};
}

}  // namespace

void gatherRows(Device& device, std::span<const int> cuts, void* data, std::size_t row_bytes) {
  if (!device.ranks()) return;
  const Gathering messages = gathering(device.ranks(), cuts, data, row_bytes);
  device.ranks()->exchange(messages.sent, messages.received);
}

void gatherRowsOnDevice(Device& device, std::span<const int> cuts, void* data, std::size_t row_bytes) {
  if (!device.ranks()) return;
  const Gathering messages = gathering(device.ranks(), cuts, data, row_bytes);
  device.exchange(messages.sent, messages.received);
}

void shareRows(Device& device, std::span<const int> cuts, void* data, std::size_t row_bytes) {
  Ranks* const ranks = device.ranks();
  if (!ranks) return;
  for (int each = 0; each < ranks->size(); ++each) {
    const auto first = static_cast<std::size_t>(cuts[static_cast<std::size_t>(each)]);
    const auto end = static_cast<std::size_t>(cuts[static_cast<std::size_t>(each) + 1]);
    if (end > first) ranks->broadcast(bytesAt(data, first * row_bytes, (end - first) * row_bytes), each);
  }
}

namespace {

// The parts of all ranks lie one after the other: in `packed`, of this rank's rows those columns that a rank has; in
// columns, of this rank's columns those rows. to_columns: the first to the second, otherwise back.
void turn(Ranks& ranks, const Slab& slab, std::byte* packed, std::byte* columns, std::size_t cell, bool to_columns) {
  std::vector<Ranks::Message> sent, received;
  for (int each = 0; each < ranks.size(); ++each) {
    const auto [first, count] = Ranks::shareOf(static_cast<std::uint64_t>(slab.n), each, ranks.size());
    const std::size_t own = static_cast<std::size_t>(slab.count) * cell;
    std::byte* const in_packed = packed + first * own;
    std::byte* const in_columns = columns + first * own;
    const std::size_t bytes = count * own;
    if (each == ranks.rank()) {
      to_columns ? std::memcpy(in_columns, in_packed, bytes) : std::memcpy(in_packed, in_columns, bytes);
    } else {
      sent.push_back({each, to_columns ? in_packed : in_columns, bytes});
      received.push_back({each, to_columns ? in_columns : in_packed, bytes});
    }
  }
  ranks.exchange(sent, received);
}

// visit(place in rows, place in packed, bytes) for the runs of cells that lie together in both.
template <class Visit>
void eachRun(const Ranks& ranks, const Slab& slab, std::size_t cell, const Visit& visit) {
  const std::size_t row = static_cast<std::size_t>(slab.n) * cell;
  std::size_t at = 0;
  for (int each = 0; each < ranks.size(); ++each) {
    const auto [first, count] = Ranks::shareOf(static_cast<std::uint64_t>(slab.n), each, ranks.size());
    for (int y = 0; y < slab.count; ++y, at += count * cell) {
      visit(static_cast<std::size_t>(y) * row + first * cell, at, count * cell);
    }
  }
}

}  // namespace

void turnToColumns(Device& device, const Slab& slab, const void* rows, void* columns, std::size_t cell_bytes) {
  const std::size_t bytes = static_cast<std::size_t>(slab.count) * static_cast<std::size_t>(slab.n) * cell_bytes;
  Ranks* const ranks = device.ranks();
  if (!ranks) {
    std::memcpy(columns, rows, bytes);
    return;
  }
  std::vector<std::byte> packed(bytes);
  const auto* const from = static_cast<const std::byte*>(rows);
  eachRun(*ranks, slab, cell_bytes, [&](std::size_t in_rows, std::size_t in_packed, std::size_t length) {
    std::memcpy(packed.data() + in_packed, from + in_rows, length);
  });
  turn(*ranks, slab, packed.data(), static_cast<std::byte*>(columns), cell_bytes, true);
}

void turnToRows(Device& device, const Slab& slab, const void* columns, void* rows, std::size_t cell_bytes) {
  const std::size_t bytes = static_cast<std::size_t>(slab.count) * static_cast<std::size_t>(slab.n) * cell_bytes;
  Ranks* const ranks = device.ranks();
  if (!ranks) {
    std::memcpy(rows, columns, bytes);
    return;
  }
  std::vector<std::byte> packed(bytes);
  // Only read from: a message has one type for both ways.
  auto* const from = static_cast<std::byte*>(const_cast<void*>(columns));
  turn(*ranks, slab, packed.data(), from, cell_bytes, false);
  auto* const to = static_cast<std::byte*>(rows);
  eachRun(*ranks, slab, cell_bytes, [&](std::size_t in_rows, std::size_t in_packed, std::size_t length) {
    std::memcpy(to + in_rows, packed.data() + in_packed, length);
  });
}

void shareFromRow(Device& device, int n, int y, void* data, std::size_t bytes) {
  Ranks* const ranks = device.ranks();
  if (!ranks) return;
  int owner = ranks->size() - 1;
  while (firstRowOf(n, owner, ranks->size()) > y) --owner;
  ranks->broadcast(bytesAt(data, 0, bytes), owner);
}

void shareFromFirst(Device& device, void* data, std::size_t bytes) {
  if (Ranks* const ranks = device.ranks()) ranks->broadcast(bytesAt(data, 0, bytes));
}

void shareValues(Device& device, std::span<float> values) {
  if (!device.ranks()) return;
  std::vector<std::uint64_t> bits;
  for (const float each : values) bits.push_back(std::bit_cast<std::uint32_t>(each));
  device.ranks()->sum(std::span(bits));
  for (std::size_t i = 0; i < bits.size(); ++i) values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]));
}

bool trueOnAll(const Device& device, bool here) {
  if (!device.ranks()) return here;
  double least = here ? 1 : 0;
  device.ranks()->minimum({&least, 1});
  return least > 0;
}

std::vector<std::vector<std::byte>> bytesFromAll(const Device& device, std::span<const std::byte> own) {
  if (!device.ranks()) return {{own.begin(), own.end()}};
  std::vector<std::vector<std::byte>> all;
  const auto* const text = reinterpret_cast<const char*>(own.data());
  for (const std::string& each : device.ranks()->gatherToAll({text, own.size()})) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(each.data(), each.size()));
    all.emplace_back(bytes.begin(), bytes.end());
  }
  return all;
}

}  // namespace simscope::compute
