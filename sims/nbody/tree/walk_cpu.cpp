// A list of interactions for each group of bodies, evaluated for all of them by vectors of sources.
#include <time.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/nbody/tree/kernels.h"
#include "sims/nbody/tree/steps.h"
#include "sims/nbody/tree/walk.h"

namespace simscope::nbody::tree {
namespace {

BoundingBox boxOf(const Vec4* bodies, std::uint32_t begin, std::uint32_t end) {
  BoundingBox box;
  for (std::uint32_t i = begin; i < end; ++i) box.add(bodies[i]);
  return box;
}

class Group {
 public:
  Group(const Arrays& a, const TreeKernels& kernels, float eps2) : a_(a), kernels_(kernels), eps2_(eps2) {}

  // Targets [begin, end) of the curve.
  void walk(std::uint32_t begin, std::uint32_t end, const BoundingBox& box) {
    begin_ = begin;
    end_ = end;
    targets_.count = static_cast<int>(end - begin);
    bodies_.count = 0;
    cells_.count = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Vec4& v = a_.bodies[i];
      const std::uint32_t t = i - begin;
      targets_.x[t] = v.x, targets_.y[t] = v.y, targets_.z[t] = v.z;
      for (float& value : targets_.field[t]) value = 0;
      add(v);
    }
    fillUp(bodies_);
    kernels_.own(bodies_, eps2_, targets_);
    bodies_.count = 0;
    counted_.bodies += static_cast<std::uint64_t>(targets_.count) * (targets_.count - 1);

    const Opening opening = openingOf(box);
    // Ranges of siblings yet to be looked at: fewer than eight on each level.
    Link stack[8 * (kLevels + 1)];
    int height = 0;
    stack[height++] = {0, 1};
    while (height > 0) {
      const Link siblings = stack[--height];
      // All are looked at before any is used, so that the processor can wait for their memory together.
      std::uint32_t closed = 0;
      for (std::uint32_t k = 0; k < siblings.count; ++k) {
        closed |= static_cast<std::uint32_t>(staysClosed(box, a_.cells[siblings.first + k], opening)) << k;
      }
      for (std::uint32_t k = 0; k < siblings.count; ++k) {
        const std::uint32_t cell = siblings.first + k;
        if (closed >> k & 1u) {
          add(cell);
        } else if (a_.link[cell].count & kLeafBit) {
          addLeaf(a_.link[cell].first, a_.link[cell].count & ~kLeafBit);
        } else {
          const Link children = stack[height++] = a_.link[cell];
          for (std::uint32_t c = 0; c < children.count; ++c) __builtin_prefetch(&a_.cells[children.first + c]);
        }
      }
    }
    evaluateBodies();
    evaluateCells();
  }

  void write(Vec4* field) const {
    for (std::uint32_t i = begin_; i < end_; ++i) {
      const auto& f = targets_.field[i - begin_];
      field[a_.index[i]] = {f[0], f[1], f[2], f[3]};
    }
  }
  const Interactions& counted() const { return counted_; }

 private:
  Opening openingOf(const BoundingBox& box) const {
    if (a_.frame->mixed) return openingFor(*a_.frame, 0);
    const Vec4 middle = box.middle();
    Vec4 g;
    Link stack[8 * (kLevels + 1)];
    int height = 0;
    stack[height++] = {0, 1};
    while (height > 0) {
      const Link siblings = stack[--height];
      for (std::uint32_t cell = siblings.first; cell < siblings.first + siblings.count; ++cell) {
        if (addCoarse(a_.cells[cell], middle, eps2_, g)) continue;
        if (!(a_.link[cell].count & kLeafBit)) stack[height++] = a_.link[cell];
      }
    }
    return openingFor(*a_.frame, g.x * g.x + g.y * g.y + g.z * g.z);
  }

  void add(const Vec4& body) {
    const int at = bodies_.count++;
    bodies_.x[at] = body.x, bodies_.y[at] = body.y, bodies_.z[at] = body.z, bodies_.s[at] = body.w;
  }

  void addLeaf(std::uint32_t first, std::uint32_t count) {
    const OtherBodies others(first, count, begin_, end_);
    for (std::uint32_t k = 0; k < others.count; ++k) {
      add(a_.bodies[others(k)]);
      if (bodies_.count == BodyList::kCapacity) evaluateBodies();
    }
  }

  void add(std::uint32_t cell) {
    const int at = cells_.count++;
    const auto& [c, m, q, p] = a_.cells[cell];
    const float values[CellList::kValues] = {c.x, c.y, c.z, m.x, m.y, m.z, m.w, q.x, q.y, q.z, q.w, p.x, p.y, p.z};
    for (int k = 0; k < CellList::kValues; ++k) cells_.value[k][at] = values[k];
    if (cells_.count == CellList::kCapacity) evaluateCells();
  }

  static void fillUp(BodyList& list) {
    for (int at = list.count; at < BodyList::kCapacity && at % kListLanes != 0; ++at) {
      list.x[at] = list.x[0], list.y[at] = list.y[0], list.z[at] = list.z[0], list.s[at] = 0;
    }
  }

  void evaluateBodies() {
    if (bodies_.count == 0) return;
    fillUp(bodies_);
    kernels_.bodies(bodies_, eps2_, targets_);
    counted_.bodies += static_cast<std::uint64_t>(targets_.count) * bodies_.count;
    bodies_.count = 0;
  }

  void evaluateCells() {
    if (cells_.count == 0) return;
    for (int at = cells_.count; at < CellList::kCapacity && at % kListLanes != 0; ++at) {
      for (int k = 0; k < CellList::kValues; ++k) cells_.value[k][at] = k < 3 ? cells_.value[k][0] : 0;
    }
    (a_.frame->mixed ? kernels_.dipole_cells : kernels_.cells)(cells_, eps2_, targets_);
    counted_.cells += static_cast<std::uint64_t>(targets_.count) * cells_.count;
    cells_.count = 0;
  }

  const Arrays& a_;
  const TreeKernels& kernels_;
  float eps2_;
  std::uint32_t begin_ = 0, end_ = 0;
  Interactions counted_{};
  TargetList targets_;
  BodyList bodies_;
  CellList cells_;
};

// The end of the group that begins a stretch [begin, end).
std::uint32_t groupEnd(const Vec4* bodies, std::uint32_t begin, std::uint32_t end, BoundingBox& box) {
  for (;;) {
    box = boxOf(bodies, begin, end);
    float widest = 0;
    std::uint32_t cut = end;
    for (std::uint32_t i = begin + 1; i < end; ++i) {
      const float gap = distance2(bodies[i - 1], bodies[i]);
      if (gap > widest) widest = gap, cut = i;
    }
    if (cut == end) return end;
    const BoundingBox left = boxOf(bodies, begin, cut);
    if (!isLoose(left.edge(), boxOf(bodies, cut, end).edge(), box.edge())) return end;
    end = cut;
  }
}

// Whether the leaves that reach into the box hold more than kCrowd bodies.
bool isCrowded(const Arrays& a, const BoundingBox& box) {
  const float margin = kMargin * box.edge();
  Link stack[8 * (kLevels + 1)];
  int height = 0;
  std::uint32_t bodies = 0;
  stack[height++] = {0, 1};
  while (height > 0) {
    const Link siblings = stack[--height];
    for (std::uint32_t cell = siblings.first; cell < siblings.first + siblings.count; ++cell) {
      if (!reaches(a, cell, box, margin)) continue;
      const Link link = a.link[cell];
      if (link.count & kLeafBit) {
        bodies += link.count & ~kLeafBit;
        if (bodies > kCrowd) return true;
      } else {
        stack[height++] = link;
      }
    }
  }
  return false;
}

// Calls use(begin, end, box) for each group of a stretch.
template <class Use>
void forGroups(const Arrays& a, std::uint32_t begin, std::uint32_t last, const Use& use) {
  if (shareSmallCell(a, begin, last - 1)) return use(begin, last, boxOf(a.bodies, begin, last));
  while (begin < last) {
    BoundingBox box;
    const std::uint32_t end = groupEnd(a.bodies, begin, last, box);
    if (!shareSmallCell(a, begin, end - 1) && isCrowded(a, box)) {
      for (std::uint32_t i = begin + 1; i < end; ++i) {
        if (shareSmallCell(a, i - 1, i)) continue;
        use(begin, i, boxOf(a.bodies, begin, i));
        begin = i;
      }
      box = boxOf(a.bodies, begin, end);
    }
    use(begin, end, box);
    begin = end;
  }
}

// What this thread has computed so far, without the time in which others had the core [ns].
std::uint64_t threadNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

struct Walk {
  const Arrays& a;
  const TreeKernels& kernels;
  float eps2;
  Vec4* field;
  WalkPart part;

  static void run(const void* context, std::size_t index) {
    const Walk& self = *static_cast<const Walk*>(context);
    const std::uint64_t block = self.part.first + index;
    const std::uint64_t start = self.part.costs ? threadNanoseconds() : 0;
    self.walk(block);
    if (!self.part.costs) return;
    const std::uint64_t cost = threadNanoseconds() - start;
    self.part.costs[block] = static_cast<std::uint32_t>(std::min<std::uint64_t>(cost, UINT32_MAX));
  }

  void walk(std::uint64_t block) const {
    const std::uint32_t n = static_cast<std::uint32_t>(a.n);
    const std::uint32_t begin = static_cast<std::uint32_t>(block) * kGroupBodies;
    const std::uint32_t last = n - begin < kGroupBodies ? n : begin + kGroupBodies;
    Group group(a, kernels, eps2);
    forGroups(a, begin, last, [&](std::uint32_t from, std::uint32_t to, const BoundingBox& box) {
      group.walk(from, to, box);
      group.write(field);
    });
    std::atomic_ref(a.interactions->bodies).fetch_add(group.counted().bodies, std::memory_order_relaxed);
    std::atomic_ref(a.interactions->cells).fetch_add(group.counted().cells, std::memory_order_relaxed);
  }
};

}  // namespace

std::uint64_t walkBlocks(int n) {
  return (static_cast<std::uint64_t>(n) + kGroupBodies - 1) / kGroupBodies;
}

void walkOnCpu(compute::Device& device, const Arrays& a, float softening, Vec4* field, const WalkPart& part) {
  if (!a.frame->finite) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    for (int i = 0; i < a.n; ++i) field[i] = {kNone, kNone, kNone, kNone};
    return;
  }
  const Walk walk{a, supportedTreeKernels().widest(), softening * softening, field, part};
  const std::uint64_t last = std::min(part.last, walkBlocks(a.n));
  device.countLaunches();
  compute::detail::runBlocks(device, last - std::min(part.first, last), &Walk::run, &walk);
}

}  // namespace simscope::nbody::tree
