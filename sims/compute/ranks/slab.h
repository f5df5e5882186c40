// A square field that ranks divide into slabs: each holds some whole rows, and copies of the rows beside them (the
// halo), which the next steps read. Rows keep their numbers in the field, so that the arithmetic of a cell does not
// depend on the rank. A single process holds all rows and has no halo.
//
// Slab is plain data, for host and device. All ranks of a device (Device::ranks) call the functions, in the same order;
// without ranks they do nothing. Memory is the host's, or the device's where stated. Errors: as Ranks, and UsageError
// where the field cannot be divided among that many ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/device.h"
#include "sims/compute/host_device.h"

namespace simscope::compute {

struct Slab {
  int n = 0;                 // rows of the field, and cells of a row
  int first = 0, count = 0;  // the rows that this rank owns
  int halo = 0;              // further rows that it holds on either side; 0: it owns all rows

  SIMSCOPE_HD int end() const { return first + count; }
  SIMSCOPE_HD bool owns(int y) const { return y >= first && y < end(); }
  // Where a cell lies in the rank's memory, by its column and row, or by its place in the field (row-major). Rows of
  // the halo beyond the field's edge have numbers below 0 and from n on: with joined edges they are the other end's.
  SIMSCOPE_HD std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y - first + halo) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
  }
  SIMSCOPE_HD std::size_t local(std::size_t place) const {
    return place + static_cast<std::size_t>(halo - first) * static_cast<std::size_t>(n);
  }
  // With joined edges, the row that stands for row y, which may lie beyond the edge.
  SIMSCOPE_HD int joined(int y) const { return halo > 0 ? y : y < 0 ? y + n : y >= n ? y - n : y; }
  SIMSCOPE_HD std::size_t cells() const {  // in memory
    return static_cast<std::size_t>(count + 2 * halo) * static_cast<std::size_t>(n);
  }
};

inline Slab wholeSlab(int n) {
  return {n, 0, n, 0};
}
// The most ranks that n rows can be divided among, where each takes at least as many rows as the halo is deep, so that
// a halo comes from one neighbour.
inline int mostSlabs(int n, int halo) {
  return n > halo ? n / halo : 1;
}
// This rank's part. UsageError, naming mostSlabs(), where there are more ranks.
Slab slabOf(const Device& device, int n, int halo);
// The rows of the largest of `ranks` parts.
inline int largestSlab(int n, int ranks) {
  return (n + ranks - 1) / ranks;
}

// How the rows [from, to), or every `every`-th of them from `from` on, are divided among the ranks: rank r has those of
// numbers [cuts[r], cuts[r + 1]), counted from `from`. A single process: {0, their number}.
std::vector<int> cutsOf(const Device& device, int n, int from, int to, int every = 1);
// This rank's part of these.
struct Cut {
  int first, count;
};
Cut ownCut(const Device& device, std::span<const int> cuts);

// Brings `depth` rows of the halo (at most all) up to date, from the neighbours' own rows. data: slab.cells() cells, on
// the device, in stream order. joined: the first and the last rank are neighbours, too; otherwise the halo beyond the
// edge is left unchanged. Order: Device::exchange.
void exchangeHalo(Device& device, const Slab& slab, void* data, std::size_t cell_bytes, int depth, bool joined,
                  Device::Order order = Device::Order::Stream);
// Rank 0 gets all rows: there `data` has room for them and holds its own first; elsewhere it holds only the rank's own.
void gatherRows(Device& device, std::span<const int> cuts, void* data, std::size_t row_bytes);
// The same on the device, in stream order.
void gatherRowsOnDevice(Device& device, std::span<const int> cuts, void* data, std::size_t row_bytes);
// The same for all ranks: `data` has room for all rows on each, and holds its own in their place.
void shareRows(Device& device, std::span<const int> cuts, void* data, std::size_t row_bytes);
// Gives this rank's columns of all rows: those with the numbers of its own rows. rows: its own whole rows; columns: n
// rows of slab.count cells, in order. turnToRows() is the inverse.
void turnToColumns(Device& device, const Slab& slab, const void* rows, void* columns, std::size_t cell_bytes);
void turnToRows(Device& device, const Slab& slab, const void* columns, void* rows, std::size_t cell_bytes);
// The rank that has row y sends a piece of data of that row to the others.
void shareFromRow(Device& device, int n, int y, void* data, std::size_t bytes);
// Rank 0 sends a value to all others.
void shareFromFirst(Device& device, void* data, std::size_t bytes);
// Numbers of which exactly one rank each has the value, and the others 0.
void shareValues(Device& device, std::span<float> values);
// Whether `here` is true on all ranks.
bool trueOnAll(const Device& device, bool here);

// The bytes of each rank, in their order; a single process gets its own.
std::vector<std::vector<std::byte>> bytesFromAll(const Device& device, std::span<const std::byte> own);
template <class T>
std::vector<T> fromAll(const Device& device, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all;
  for (const std::vector<std::byte>& each : bytesFromAll(device, std::as_bytes(std::span(&own, 1)))) {
    all.push_back(own);
    std::copy(each.begin(), each.end(), reinterpret_cast<std::byte*>(&all.back()));
  }
  return all;
}

// The rank's own rows in host memory; with `all`, which must be equal on all ranks, rank 0 gets the whole field. held:
// slab.cells().
template <class T>
std::vector<std::byte> fieldBytes(const Buffer<T>& held, const Slab& slab, bool all) {
  Device& device = *held.device();
  const std::size_t row = static_cast<std::size_t>(slab.n) * sizeof(T),
                    own = static_cast<std::size_t>(slab.count) * row;
  const bool gathers = all && slab.halo > 0;
  std::vector<std::byte> rows(gathers && slab.first == 0 ? static_cast<std::size_t>(slab.n) * row : own);
  device.download(rows.data(), held.data() + slab.at(0, slab.first), own);
  if (gathers) gatherRows(device, cutsOf(device, slab.n, 0, slab.n), rows.data(), row);
  return rows;
}
// Sets the rank's own rows. The halo is out of date after that.
template <class T>
void takeRows(Buffer<T>& held, const Slab& slab, std::span<const std::byte> rows) {
  held.device()->upload(held.data() + slab.at(0, slab.first), rows.data(), rows.size());
}

}  // namespace simscope::compute
