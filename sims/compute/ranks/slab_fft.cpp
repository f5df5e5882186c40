#include "sims/compute/ranks/slab_fft.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

namespace {

constexpr int kLeastWidth = 8, kLeastRests = 8;

Cut share(int count, int rank, int ranks) {
  const auto [first, number] = Ranks::shareOf(static_cast<std::uint64_t>(count), rank, ranks);
  return {static_cast<int>(first), static_cast<int>(number)};
}

int sizeOf(const Device& device) {
  return device.ranks() ? device.ranks()->size() : 1;
}

int requireLength(int length, int ranks) {
  if (length < kLeastRests * kLeastWidth || !std::has_single_bit(static_cast<unsigned>(length))) {
    throw UsageError(fmt::format("SlabFft: rows of {} elements; expected a power of two of at least {}", length,
                                 kLeastRests * kLeastWidth));
  }
  if (ranks > mostTransformRanks(length)) {
    throw UsageError(fmt::format("transforms of {} rows can be divided among at most {} ranks, not {}", length,
                                 mostTransformRanks(length), ranks));
  }
  return length;
}

template <class T>
std::vector<Complex<T>> turnsOf(int length) {
  std::vector<Complex<T>> turns;
  for (int a = 0; a < length; ++a) {
    const double angle = -2.0 * std::numbers::pi * a / length;
    turns.push_back({static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))});
  }
  return turns;
}

template <class T>
std::vector<Complex<T>*> reachedBy(const Device& device, const Buffer<Complex<T>>& buffer) {
  std::vector<Complex<T>*> all;
  for (void* const each : device.reached(buffer.data())) all.push_back(static_cast<Complex<T>*>(each));
  return all;
}

}  // namespace

int mostTransformRanks(int length) {
  return std::min(kMostRests, length / kLeastWidth);
}

int restsFor(int length, int ranks) {
  const auto whole = static_cast<int>(std::bit_ceil(static_cast<unsigned>(ranks)));
  return std::clamp(4 * whole, kLeastRests, mostTransformRanks(length));
}

template <class T>
SlabFft<T>::SlabFft(DevicePtr device, const Slab& slab, int padding)
    : device_(std::move(device)),
      slab_(slab),
      length_(requireLength(padding * slab.n, sizeOf(*device_))),
      ranks_(sizeOf(*device_)),
      rank_(device_->ranks() ? device_->ranks()->rank() : 0),
      rests_(restsFor(length_, ranks_)),
      rounds_((rests_ + ranks_ - 1) / ranks_),
      in_rounds_(device_->isCuda()),
      own_(share(rests_, rank_, ranks_)),
      columns_(Buffer<Complex<T>>::forMessages(device_, pieceElements() * static_cast<std::size_t>(own_.count))),
      workspace_(Buffer<Complex<T>>::forMessages(
          device_, elementsOf(slab.count) * static_cast<std::size_t>(rests_ - own_.count))),
      turns_(device_, std::span<const Complex<T>>(turnsOf<T>(length_))),
      across_(device_, {.dimensions = {width()}, .batch = slab.count}),
      down_(device_, {.dimensions = {length_}, .batch = width(), .side_by_side = true}) {
  std::size_t used = 0;
  for (int rest = 0; rest < rests_; ++rest) {
    const int i = rest - own_.first;
    if (i >= 0 && i < own_.count) {
      parts_.push_back(piece(i) + elementsOf(slab_.first));
    } else {
      parts_.push_back(at(workspace_, used));
      used += elementsOf(slab_.count);
    }
  }
  if (ranks_ == 1 || ranks_ > RowsThere<T>::kMostRanks) return;
  columns_there_ = reachedBy(*device_, columns_);
  workspaces_there_ = reachedBy(*device_, workspace_);
  if (columns_there_.empty() || workspaces_there_.empty()) columns_there_ = workspaces_there_ = {};
}

template <class T>
double SlabFft<T>::bytes(int n, int ranks, int padding) {
  const double length = static_cast<double>(padding) * n, element = sizeof(Complex<T>);
  const int rests = restsFor(padding * n, ranks), most = (rests + ranks - 1) / ranks;
  const double width = length / rests;
  return element * (length * width * most + largestSlab(n, ranks) * width * (rests - rests / ranks) + length);
}

template <class T>
Cut SlabFft<T>::restsOf(int rank) const {
  return share(rests_, rank, ranks_);
}

template <class T>
void SlabFft<T>::alongY(int i, bool inverse) const {
  inverse ? down_.inverse(piece(i)) : down_.forward(piece(i));
}

// Of each rank the part that is its piece of this round.
template <class T>
void SlabFft<T>::alongX(int round, bool inverse) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    const Cut rests = restsOf(rank);
    if (round >= rests.count) continue;
    Complex<T>* const part = parts_[static_cast<std::size_t>(rests.first + round)];
    inverse ? across_.inverse(part) : across_.forward(part);
  }
}

// Parts become pieces of the rounds `there`, pieces of the rounds `back` become parts: of the rows of each rank, that
// block of so many.
template <class T>
Device::Exchange SlabFft<T>::exchange(Cut there, Cut back, int block, int blocks, Device::Order order) {
  std::vector<RankMessage> sent, received;
  const auto add = [](std::vector<RankMessage>& to, int rank, Complex<T>* data, std::size_t elements) {
    to.push_back({rank, data, elements * sizeof(Complex<T>)});
  };
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank == rank_) continue;
    const Cut rests = restsOf(rank), rows = share(slab_.n, rank, ranks_);
    const Cut mine = share(slab_.count, block, blocks), theirs = share(rows.count, block, blocks);
    const auto partOf = [&](int round) {
      return parts_[static_cast<std::size_t>(rests.first + round)] + elementsOf(mine.first);
    };
    const auto rowsIn = [&](int round) { return piece(round) + elementsOf(rows.first + theirs.first); };
    for (int round = there.first; round < there.first + there.count; ++round) {
      if (round < rests.count) add(sent, rank, partOf(round), elementsOf(mine.count));
      if (round < own_.count) add(received, rank, rowsIn(round), elementsOf(theirs.count));
    }
    for (int round = back.first; round < back.first + back.count; ++round) {
      if (round < own_.count) add(sent, rank, rowsIn(round), elementsOf(theirs.count));
      if (round < rests.count) add(received, rank, partOf(round), elementsOf(mine.count));
    }
  }
  if (order == Device::Order::Aside) device_->mark();
  return device_->exchange(sent, received, order);
}

template <class T>
void SlabFft<T>::workOn(int i, const std::function<void(int)>& work, bool arrived) const {
  if (i < 0 || i >= own_.count) return;
  if (arrived && length_ > slab_.n) {
    device_->zero(piece(i) + elementsOf(slab_.n), elementsOf(length_ - slab_.n) * sizeof(Complex<T>));
  }
  work(i);
}

template <class T>
void SlabFft<T>::cross(const std::function<void(int)>& work, There there, Back back) {
  met_ = false;
  if (in_rounds_ && ranks_ > 1) return crossInRounds(work, there, back);
  const Cut none{0, 0}, all{0, rounds_};
  for (int round = 0; there == There::Transformed && round < rounds_; ++round) alongX(round, false);
  if (ranks_ > 1 && there != There::No) exchange(all, none, Device::Order::Stream);
  for (int i = 0; i < own_.count; ++i) workOn(i, work, there != There::No);
  if (ranks_ > 1 && back != Back::No) exchange(none, all, Device::Order::Stream);
  for (int round = 0; back == Back::Transformed && round < rounds_; ++round) alongX(round, true);
}

// Each round k: what is worked on came in round k - 2, and goes back with the messages of this round; those of round k
// - 1 are under way meanwhile. So a piece comes back in round k + 2, and has been waited for two rounds later.
template <class T>
void SlabFft<T>::crossInRounds(const std::function<void(int)>& work, There there, Back back) {
  bool under_way = false;
  for (int round = 0; round < rounds_ + 4; ++round) {
    const int worked = round - 2, returned = round - 4;
    workOn(worked, work, there != There::No);
    if (there == There::Transformed && round < rounds_) alongX(round, false);
    if (back == Back::Transformed && returned >= 0) alongX(returned, true);
    if (under_way) device_->awaitExchange();
    const bool goes = there != There::No && round < rounds_,
               comes = back != Back::No && worked >= 0 && worked < rounds_;
    under_way = goes || comes;
    if (under_way) exchange({round, goes ? 1 : 0}, {worked, comes ? 1 : 0}, Device::Order::Aside);
  }
}

// The link is busy from the first rows that are made to the last that come back: the first pieces go by blocks of rows
// while further rows are made, all others at once; each comes back when it is done, and the last by blocks of rows, the
// first of which are taken further meanwhile.
template <class T>
void SlabFft<T>::turnTransformed(const Rows& before, const std::function<void(int)>& work) {
  if (!in_rounds_ || ranks_ == 1) {
    before(0, slab_.count);
    return cross(work, There::AsItIs, Back::AsItIs);
  }
  met_ = false;
  constexpr int kBlocks = 4;
  constexpr auto kAside = Device::Order::Aside;
  const int ahead = std::min(2, rounds_);
  std::vector<Device::Exchange> come(static_cast<std::size_t>(rounds_));
  for (int block = 0; block < kBlocks; ++block) {
    const Cut rows = share(slab_.count, block, kBlocks);
    if (!arriving_.empty()) device_->awaitExchange(arriving_[static_cast<std::size_t>(block)]);
    before(rows.first, rows.count);
    const Device::Exchange made = exchange({0, ahead}, {0, 0}, block, kBlocks, kAside);
    std::fill_n(come.begin(), ahead, made);
  }
  for (int round = ahead; round < rounds_; ++round) {
    come[static_cast<std::size_t>(round)] = exchange({round, 1}, {0, 0}, kAside);
  }
  arriving_.clear();
  for (int round = 0; round < rounds_; ++round) {
    device_->awaitExchange(come[static_cast<std::size_t>(round)]);
    workOn(round, work, true);
    const int blocks = round == rounds_ - 1 ? kBlocks : 1;
    for (int block = 0; block < blocks; ++block) {
      const Device::Exchange made = exchange({0, 0}, {round, 1}, block, blocks, kAside);
      if (blocks > 1) arriving_.push_back(made);
    }
  }
}

template <class T>
void SlabFft<T>::arrive() {
  if (!arriving_.empty()) device_->awaitExchange(arriving_.back());
  arriving_.clear();
}

template <class T>
Complex<T>* SlabFft<T>::partThere(int rest) const {
  if (!reaches()) return part(rest);
  int rank = 0;
  while (rest >= restsOf(rank).first + restsOf(rank).count) ++rank;
  return columns_there_[static_cast<std::size_t>(rank)] +
         static_cast<std::size_t>(rest - restsOf(rank).first) * pieceElements() + elementsOf(slab_.first);
}

// Counted from row 0 of the piece, wherever the rank's rows begin. In the workspace of another rank its rows of the
// rests that it does not have lie one after the other.
template <class T>
Complex<T>* SlabFft<T>::rowsAt(int i, int rank) const {
  if (rank == rank_) return piece(i);
  const Cut rows = share(slab_.n, rank, ranks_);
  const int before = rank < rank_ ? rest(i) - restsOf(rank).count : rest(i);
  const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(before) * rows.count - rows.first;
  return workspaces_there_[static_cast<std::size_t>(rank)] + begin * width();
}

template <class T>
RowsThere<T> SlabFft<T>::rowsThere(int i) const {
  if (!reaches() || i < own_.count - 1) return RowsThere<T>::inPlace(piece(i));
  RowsThere<T> there;
  there.ranks = ranks_;
  for (int rank = 0; rank < ranks_; ++rank) {
    const Cut rows = share(slab_.n, rank, ranks_);
    there.end[rank] = rows.first + rows.count;
    there.base[rank] = rowsAt(i, rank);
  }
  return there;
}

// What makes the rows computes for as long as the link takes to carry what it writes. What joins a piece at the end is
// twice as quick as the link: copies take its place, which no kernel makes, while the next piece is computed; the last
// one is written, for there is nothing beside it.
template <class T>
void SlabFft<T>::turnWritten(const std::function<void()>& before, const std::function<void(int)>& work) {
  arrive();
  // A piece may hold what its rank still looks at, such as momenta, until that has met the others.
  if (!met_) device_->meet();
  met_ = true;
  before();
  device_->meet();
  for (int i = 0; i < own_.count; ++i) {
    workOn(i, work, true);
    if (rowsThere(i).ranks > 1) continue;
    device_->mark();
    for (int rank = 0; rank < ranks_; ++rank) {
      const Cut rows = share(slab_.n, rank, ranks_);
      const std::size_t first = elementsOf(rows.first), bytes = elementsOf(rows.count) * sizeof(Complex<T>);
      if (rank != rank_) device_->copyAside(rowsAt(i, rank) + first, piece(i) + first, bytes);
    }
  }
  device_->awaitExchange();
  device_->meet();
  // What the kernels have carried, as messages would.
  std::vector<RankMessage> sent;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank == rank_) continue;
    const auto of = [&](int rows, int rests) { return elementsOf(rows) * static_cast<std::size_t>(rests); };
    const std::size_t there = of(slab_.count, restsOf(rank).count),
                      back = of(share(slab_.n, rank, ranks_).count, own_.count);
    sent.push_back({rank, nullptr, (there + back) * sizeof(Complex<T>)});
  }
  device_->ranks()->countExchange(sent);
}

template class SlabFft<float>;
template class SlabFft<double>;

}  // namespace simscope::compute
