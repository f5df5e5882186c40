#include "sims/heat/explicit_cpu.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "sims/compute/lanes/flush_denormals.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/heat/row_kernels.h"

namespace simscope::heat {
namespace {

constexpr int kLanes = kRowMargin;
constexpr int kStrip = 416;                     // columns that a task owns
constexpr int kLocal = kStrip + 2 * kCpuSteps;  // with the halo: a multiple of kLanes
constexpr int kPitch = kLocal + kLanes;         // one row's right margin is the next one's left margin
constexpr int kRing = 4;
static_assert(kLocal % kLanes == 0 && kStrip % kLanes == 0);

class Task {
 public:
  Task(const ExplicitPass& pass, const compute::Slab& slab, int x0, int y0, int width, int height)
      : p_(pass), slab_(slab), kernels_(rowKernels()), x0_(x0), y0_(y0), width_(width), height_(height) {
    const int needed = width + 2 * pass.steps;
    count_ = (needed + kLanes - 1) / kLanes * kLanes;
    if (pass.boundary != Boundary::Periodic) {
      left_wall_ = localIfHere(0);
      right_wall_ = localIfHere(pass.n - 1);
    }
    std::memset(rings_, 0, sizeof rings_);
  }

  void run() {
    for (int read = y0_ - p_.steps; read < y0_ + height_ + p_.steps; read += 2) {
      load(read);
      load(read + 1);
      for (int level = 1; level <= p_.steps; ++level) {
        const int y = read - level;
        if (y + 1 < y0_ - (p_.steps - level)) break;  // not needed yet, and later levels less so
        pair(level, y);
      }
    }
  }

 private:
  float* row(int level, int y) { return rings_ + (level * kRing + (y & (kRing - 1))) * kPitch + kLanes; }
  int localIfHere(int x) const {
    const int at = x - (x0_ - p_.steps);
    return at >= 0 && at < count_ ? at : -1;
  }
  bool outside(int y) const { return p_.boundary != Boundary::Periodic && (y < 0 || y >= p_.n); }
  bool atWall(int y) const { return p_.boundary != Boundary::Periodic && (y <= 0 || y >= p_.n - 1); }

  // Time level 0 of row y: a copy, wrapped round for the periodic boundary.
  void load(int y) {
    if (outside(y) || (slab_.halo > 0 && y >= slab_.end() + slab_.halo)) return;  // the last pair may be half needed
    const int n = p_.n;
    float* const to = row(0, y);
    const float* const from = p_.from + slab_.at(0, slab_.joined(y));
    const int first = x0_ - p_.steps;
    if (p_.boundary == Boundary::Periodic) {
      int x = (first + n) % n;
      for (int at = 0; at < count_;) {
        const int run = std::min(count_ - at, n - x);
        std::copy_n(from + x, run, to + at);
        at += run;
        x = 0;
      }
    } else {
      const int low = std::max(first, 0), high = std::min(first + count_, n);
      std::copy(from + low, from + high, to + (low - first));
      finish(to);
    }
  }

  // What the edge of the field asks of a finished row of a ring.
  void finish(float* to) const {
    if (p_.boundary == Boundary::Fixed) {
      if (left_wall_ >= 0) to[left_wall_] = 0;
      if (right_wall_ >= 0) to[right_wall_] = 0;
    } else if (p_.boundary == Boundary::Insulated) {
      if (left_wall_ >= 0) to[left_wall_ - 1] = to[left_wall_];
      if (right_wall_ >= 0) to[right_wall_ + 1] = to[right_wall_];
    }
  }

  // Rows y and y + 1 of a time level, from rows y - 1 to y + 2 of the level before.
  void pair(int level, int y) {
    const bool last = level == p_.steps;
    if (atWall(y) || atWall(y + 1) || (last && (y < y0_ || y + 1 >= y0_ + height_))) {
      single(level, y);
      single(level, y + 1);
      return;
    }
    const float* const up = row(level - 1, y - 1);
    const float* const first = row(level - 1, y);
    const float* const second = row(level - 1, y + 1);
    const float* const down = row(level - 1, y + 2);
    if (last) {
      const int at = p_.steps;
      float* const to = target(y);
      kernels_.pair(up + at, first + at, second + at, down + at, to, to + p_.n, width_, p_.r);
      finishTarget(to);
      finishTarget(to + p_.n);
    } else {
      kernels_.pair(up, first, second, down, row(level, y), row(level, y + 1), count_, p_.r);
      finish(row(level, y));
      finish(row(level, y + 1));
    }
  }

  void single(int level, int y) {
    const bool last = level == p_.steps;
    if (outside(y) || (last && (y < y0_ || y >= y0_ + height_))) return;
    float* const to = last ? target(y) : row(level, y);
    const int count = last ? width_ : count_, at = last ? p_.steps : 0;
    const bool wall = atWall(y);
    if (wall && p_.boundary == Boundary::Fixed) {
      std::fill_n(to, count, 0.0f);
      return;
    }
    const float* const own = row(level - 1, y) + at;
    const float* const up = wall && y == 0 ? own : row(level - 1, y - 1) + at;
    const float* const down = wall && y == p_.n - 1 ? own : row(level - 1, y + 1) + at;
    kernels_.row(up, own, down, to, count, p_.r);
    last ? finishTarget(to) : finish(to);
  }

  float* target(int y) const { return p_.to + slab_.at(x0_, y); }
  void finishTarget(float* to) const {
    if (p_.boundary != Boundary::Fixed) return;
    if (x0_ == 0) to[0] = 0;
    if (x0_ + width_ == p_.n) to[width_ - 1] = 0;
  }

  const ExplicitPass& p_;
  const compute::Slab& slab_;
  const RowKernels& kernels_;
  int x0_, y0_, width_, height_;
  int count_ = 0;  // columns of a ring's rows that are computed
  int left_wall_ = -1, right_wall_ = -1;
  alignas(64) float rings_[kCpuSteps * kRing * kPitch + kLanes];
};

struct Tiling {
  ExplicitPass pass;
  compute::Slab slab;
  int strips, bands, band_height;

  static void run(const void* context, std::size_t block) {
    const Tiling& self = *static_cast<const Tiling*>(context);
    const compute::FlushDenormals guard;
    const int x0 = static_cast<int>(block) % self.strips * kStrip;
    const int y0 = static_cast<int>(block) / self.strips * self.band_height;
    Task task(self.pass, self.slab, x0, self.slab.first + y0, std::min(kStrip, self.pass.n - x0),
              std::min(self.band_height, self.slab.count - y0));
    task.run();
  }
};

}  // namespace

void advanceOnCpu(compute::Device& device, const ExplicitPass& pass, const compute::Slab& slab) {
  // Bands low enough to feed every core evenly, high enough that their halo is a small part.
  const int strips = (pass.n + kStrip - 1) / kStrip;
  const int height = std::clamp(slab.count * strips / (8 * device.info().threads), 64, 512);
  const Tiling tiling{pass, slab, strips, (slab.count + height - 1) / height, height};
  device.countLaunches();
  compute::detail::runBlocks(device, static_cast<std::size_t>(tiling.strips) * tiling.bands, &Tiling::run, &tiling);
}

const char* rowInstructions() {
  return rowKernels().name;
}

}  // namespace simscope::heat
