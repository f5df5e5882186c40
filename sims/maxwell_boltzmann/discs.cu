#include "sims/maxwell_boltzmann/discs.h"

#include <algorithm>
#include <atomic>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/scan_sort.h"
#include "sims/maxwell_boltzmann/flight.h"

namespace simscope::maxwell_boltzmann {
namespace functors {

constexpr int kRounds = 10;
constexpr int kNobody = -1, kWallX = -2, kWallY = -3;
constexpr double kOverlap = 1e-9;  // of the diameter squared: more than rounding

template <class Count>
SIMSCOPE_HD inline Count fetchAdd(Count& to, Count value) {
#if defined(__CUDA_ARCH__)
  using Word = std::conditional_t<sizeof(Count) == 4, unsigned, unsigned long long>;
  return static_cast<Count>(atomicAdd(reinterpret_cast<Word*>(&to), static_cast<Word>(value)));
#else
  return std::atomic_ref(to).fetch_add(value, std::memory_order_relaxed);
#endif
}
// Several threads may write the same.
SIMSCOPE_HD inline void put(std::uint32_t& to, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  to = value;
#else
  std::atomic_ref(to).store(value, std::memory_order_relaxed);
#endif
}

struct CountIntoCells {
  Window window;
  const Disc* discs;
  std::uint32_t *counts, *cell, *rank;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const auto own = static_cast<std::uint32_t>(window.cellOf(discs[i]));
    cell[i] = own;
    rank[i] = fetchAdd(counts[own], 1u);
  }
};

struct Sorted {
  Disc* flights;
  double *since, *when;
  int* partner;
  std::uint32_t *number, *cell_of;
};
struct SortIntoCells {
  const Disc* discs;
  const std::uint32_t *begins, *cell, *rank;
  Sorted to;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::uint32_t place = begins[cell[i]] + rank[i];
    to.flights[place] = discs[i];
    to.since[place] = 0;
    to.number[place] = static_cast<std::uint32_t>(i);
    to.cell_of[place] = cell[i];
  }
};

struct Round {
  Window window;
  Sorted all;
  const std::uint32_t* begins;
  std::uint32_t *changed, *happened;
  std::uint32_t serial;  // of this round; `changed` holds it for cells near a change in the last round
  int round;
  SIMSCOPE_HD bool over() const { return round > 0 && happened[round - 1] == 0; }

  // visit(j) for all discs in the cell and those around it.
  template <class Visit>
  SIMSCOPE_HD void eachNear(std::uint32_t cell, const Visit& visit) const {
    const int cells = window.cells, column = static_cast<int>(cell) % cells, row = static_cast<int>(cell) / cells;
    const auto look = [&](int y, int from, int to) {
      const std::uint32_t end = begins[y * cells + to + 1];
      for (std::uint32_t j = begins[y * cells + from]; j < end; ++j) visit(j);
    };
    for (int dy = -1; dy <= 1; ++dy) {
      int y = row + dy;
      if (y < 0 || y >= cells) {
        if (window.walls) continue;
        y += y < 0 ? cells : -cells;
      }
      look(y, column > 0 ? column - 1 : 0, column + 1 < cells ? column + 1 : column);
      if (window.walls) continue;
      if (column == 0) look(y, cells - 1, cells - 1);
      if (column == cells - 1) look(y, 0, 0);
    }
  }
};

struct FindFirst {
  Round r;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    if (r.over() || (r.round > 0 && r.changed[r.all.cell_of[i]] != r.serial)) return;
    const Window& w = r.window;
    const Disc own = r.all.flights[i];
    const double since = r.all.since[i];
    const auto self = static_cast<std::uint32_t>(i);
    int first = kNobody;
    double when = w.dt;
    if (w.walls) {
      const double tx = wallTime(w, own.x, own.vx, since), ty = wallTime(w, own.y, own.vy, since);
      if (tx < when) first = kWallX, when = tx;
      if (ty < when) first = kWallY, when = ty;
    }
    std::uint64_t best = 0;  // the numbers of the first pair, where two touch at the same time
    r.eachNear(r.all.cell_of[i], [&](std::uint32_t j) {
      if (j == self) return;
      const double other_since = r.all.since[j];
      double time;
      if (!contact(w, own, r.all.flights[j], since > other_since ? since : other_since, time) || time > when) return;
      const std::uint64_t a = r.all.number[i], b = r.all.number[j];
      const std::uint64_t pair = a < b ? a << 32 | b : b << 32 | a;
      if (time == when && (first < kNobody || pair > best)) return;
      first = static_cast<int>(j);
      when = time;
      best = pair;
    });
    r.all.partner[i] = first;
    r.all.when[i] = when;
  }
};

struct Meet {
  Round r;
  Totals* sums;

  SIMSCOPE_HD void change(std::uint32_t cell) const {
    const int cells = r.window.cells, column = static_cast<int>(cell) % cells, row = static_cast<int>(cell) / cells;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        // Beyond a wall this gives cells of the other side, which is harmless.
        const int x = (column + dx + cells) % cells, y = (row + dy + cells) % cells;
        put(r.changed[y * cells + x], r.serial + 1);
      }
    }
  }
  // Whether an earlier event happens nearby, to a disc that might then come between. The collision must wait for it.
  SIMSCOPE_HD bool tooSoon(std::uint32_t cell, double at) const {
    bool waits = false;
    r.eachNear(cell, [&](std::uint32_t k) { waits = waits || (r.all.partner[k] != kNobody && r.all.when[k] < at); });
    return waits;
  }
  SIMSCOPE_HD static std::uint64_t impulse(double value) {
    constexpr double kMost = 1e12;
    const double units = value / kImpulse;
    return static_cast<std::uint64_t>(units < kMost ? units + 0.5 : kMost);
  }

  SIMSCOPE_HD void operator()(std::size_t i) const {
    if (r.over()) return;
    const int other = r.all.partner[i];
    if (other == kNobody) return;
    const auto j = static_cast<std::size_t>(other);
    if (other > kNobody && (i > j || r.all.partner[j] != static_cast<int>(i))) return;
    const double at = r.all.when[i];
    if (tooSoon(r.all.cell_of[i], at) || (other > kNobody && tooSoon(r.all.cell_of[j], at))) return;
    Disc own = r.all.flights[i];
    Totals& to = sums[i % kPartialSums];
    if (other < kNobody) {
      // It continues from here; the next round finds what it meets.
      if (other == kWallX) {
        fetchAdd(to.walls, impulse(2 * std::abs(own.vx)));
        turn(own.x, own.vx, -own.vx, at);
      } else {
        fetchAdd(to.walls, impulse(2 * std::abs(own.vy)));
        turn(own.y, own.vy, -own.vy, at);
      }
    } else {
      Disc partner = r.all.flights[j];
      const Apart d = apart(r.window, own, partner, at);
      const double size = r.window.diameter * r.window.diameter;
      if ((d.x * d.x + d.y * d.y) - size < -kOverlap * size) fetchAdd(to.late, std::uint64_t{1});
      fetchAdd(to.collisions, std::uint64_t{1});
      fetchAdd(to.virial, impulse(collide(r.window, own, partner, at) / r.window.diameter));
      r.all.flights[j] = partner;
      r.all.since[j] = at;
      change(r.all.cell_of[j]);
    }
    r.all.flights[i] = own;
    r.all.since[i] = at;
    change(r.all.cell_of[i]);
    put(r.happened[r.round], 1);
  }
};

struct FlyOn {
  Window window;
  Sorted all;
  Disc* discs;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    Disc disc = all.flights[i];
    disc.x = window.nearest(disc.x + disc.vx * window.dt);
    disc.y = window.nearest(disc.y + disc.vy * window.dt);
    discs[all.number[i]] = disc;
  }
};

}  // namespace functors

namespace {

constexpr std::size_t kFindGrain = 512;  // discs that a thread of the CPU takes at a time, to look for their partners

int cellsAlong(const Parameters& p) {
  // At least as large as the discs' reach, and at most about one for every disc.
  const double edge = std::max(p.reach(), 0.8 * p.spacing());
  return std::max(3, static_cast<int>(p.boxLength() / edge));
}
int mostCellsAlong(const Parameters& p) {
  return std::max(3, static_cast<int>(p.boxLength() / std::max(p.diameter, 0.8 * p.spacing())));
}
std::size_t squared(int cells) {
  return static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells);
}

}  // namespace

double discBytes(const Parameters& p, compute::Backend backend) {
  const double n = p.molecules, cells = static_cast<double>(squared(mostCellsAlong(p))) + 1;
  const double each = 2 * sizeof(Disc) + 2 * sizeof(double) + 5 * sizeof(std::uint32_t);
  return n * each + cells * 2 * sizeof(std::uint32_t) +
         static_cast<double>(compute::scanScratchBytes<std::uint32_t>(backend, static_cast<std::size_t>(cells))) +
         kRecords * sizeof(Record) + 64e3;
}

DiscBox::DiscBox(compute::DevicePtr device, const Parameters& p)
    : device_(std::move(device)),
      n_(static_cast<std::size_t>(p.molecules)),
      length_(p.boxLength()),
      diameter_(p.diameter),
      walls_(p.walls()),
      most_cells_(mostCellsAlong(p)) {
  const std::size_t cells = squared(most_cells_) + 1;
  discs_ = {device_, n_};
  flights_ = {device_, n_};
  since_ = {device_, n_};
  when_ = {device_, n_};
  partner_ = {device_, n_};
  number_ = {device_, n_};
  cell_of_ = {device_, n_};
  own_cell_ = {device_, n_};
  rank_ = {device_, n_};
  begins_ = {device_, cells};
  changed_ = {device_, cells};
  changed_.zero();
  happened_ = {device_, functors::kRounds};
  sums_ = {device_, kPartialSums};
  notes_ = {device_, 2};
  records_ = {device_, kRecords};
  squares_ = {device_, squared(VelocityGrid::kCells)};
  scratch_ = {device_, compute::scanScratchBytes<std::uint32_t>(*device_, cells)};
  take(p);
}

void DiscBox::take(const Parameters& p) {
  dt_ = p.step();
  cells_ = std::min(cellsAlong(p), most_cells_);
}

void DiscBox::put(const std::vector<Disc>& discs) {
  discs_.upload(discs);
  sums_.zero();
  notes_.zero();
  records_.zero();
}

void DiscBox::step() {
  const Window window{length_, diameter_, dt_, 0.5 * (length_ - diameter_), walls_, cells_};
  const functors::Sorted sorted{flights_.data(), since_.data(),  when_.data(),
                                partner_.data(), number_.data(), cell_of_.data()};
  const std::size_t cells = squared(cells_) + 1;
  compute::Device& device = *device_;
  device.zero(begins_.data(), cells * sizeof(std::uint32_t));
  compute::parallelFor(device, n_,
                       functors::CountIntoCells{window, discs_.data(), begins_.data(), own_cell_.data(), rank_.data()});
  compute::exclusiveScan(device, begins_.data(), begins_.data(), cells, {scratch_.data(), scratch_.bytes()});
  compute::parallelFor(device, n_,
                       functors::SortIntoCells{discs_.data(), begins_.data(), own_cell_.data(), rank_.data(), sorted});
  happened_.zero();
  for (int round = 0; round < functors::kRounds; ++round) {
    const functors::Round r{window, sorted, begins_.data(), changed_.data(), happened_.data(), ++serial_, round};
    compute::parallelFor(device, n_, functors::FindFirst{r}, round == 0 ? kFindGrain : compute::kParallelGrain);
    compute::parallelFor(device, n_, functors::Meet{r, sums_.data()});
    // The remaining rounds would do nothing; on CUDA they return at once, and the host does not check.
    if (!device.isCuda() && happened_.data()[round] == 0) break;
  }
  ++serial_;  // changes of the last round do not count in the next window
  compute::parallelFor(device, n_, functors::FlyOn{window, sorted, discs_.data()});
}

}  // namespace simscope::maxwell_boltzmann
