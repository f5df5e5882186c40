#include "sims/compute/parallel.h"
#include "sims/nbody/tree/primitives.h"
#include "sims/nbody/tree/sequence.h"
#include "sims/nbody/tree/steps.h"

namespace simscope::nbody::tree {
namespace {

struct Loops {
  compute::Device& device;

  template <class F>
  void each(std::size_t n, const F& f, std::size_t grain) const {
    compute::parallelFor(device, n, f, grain);
  }
};

struct OnCpu : Loops {
  void bounds(const Arrays& a) const {
    const std::size_t n = static_cast<std::size_t>(a.n);
    *a.bounds = compute::reduce(device, n, kNoBounds, BoundsOf{a.sources}, MergeBounds{});
    *a.spread = compute::reduce(device, n, Spread{}, SpreadOf{a.sources, a.bounds, a.n}, MergeSpread{});
  }
  void sortBodies(Arrays& a) const { sortBodiesOnCpu(device, a); }
  void sumCells(const Arrays& a) const { sumCellsOnCpu(a); }
  void sortCells(const Arrays& a) const { sortCellsOnCpu(a); }
  bool knows() const { return true; }
};

#if SIMSCOPE_HAVE_CUDA
struct OnCuda : Loops {
  void bounds(const Arrays& a) const {
    boundsOnCuda(device, a);
    spreadOnCuda(device, a);
  }
  void sortBodies(Arrays& a) const { sortBodiesOnCuda(device, a); }
  void sumCells(const Arrays& a) const { sumCellsOnCuda(device, a); }
  void sortCells(const Arrays& a) const { sortCellsOnCuda(device, a); }
  bool knows() const { return false; }
};
#endif

}  // namespace

void buildTree(compute::Device& device, Arrays& a, float opening_angle) {
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    OnCuda backend{{device}};
    buildInOrder(backend, a, opening_angle);
    return;
  }
#endif
  OnCpu backend{{device}};
  buildInOrder(backend, a, opening_angle);
}

}  // namespace simscope::nbody::tree
