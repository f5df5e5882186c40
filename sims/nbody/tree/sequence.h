// The steps of a tree in their order. Backend runs them:
//   each(n, f, grain)   f(i) for i in [0, n), as parallelFor;
//   bounds(a), sortBodies(a), sumCells(a), sortCells(a)   see primitives.h;
//   knows()   whether the host may read results. If not, loops run over upper bounds.
#pragma once

#include "sims/nbody/tree/moments.h"

namespace simscope::nbody::tree {

template <class Backend>
void buildInOrder(Backend& backend, Arrays& a, float opening_angle) {
  constexpr std::size_t kGrain = 2048, kGrainOfCells = 256;
  const std::size_t n = static_cast<std::size_t>(a.n);
  backend.bounds(a);
  backend.each(1, MakeFrame{a, opening_angle}, 1);
  backend.each(n, MakeKeys{a}, kGrain);
  backend.sortBodies(a);
  backend.each(n, GatherBodies{a}, kGrain);

  backend.each(n, FindCrowds{a}, kGrain);
  backend.each(n, CountCells{a}, kGrain);
  backend.sumCells(a);
  backend.each(1, LimitCells{a}, 1);
  if (!backend.knows() || a.frame->leaf_bodies != kLeafBodies) {
    backend.each(n, FindCrowdsAgain{a}, kGrain);
    backend.each(n, CountCellsAgain{a}, kGrain);
    backend.sumCells(a);
  }
  backend.each(n, ListCells{a}, kGrain);
  const std::size_t cells = backend.knows() ? a.frame->cells : a.capacity;
  backend.each(cells, NumberCells{a}, kGrain);
  backend.sortCells(a);
  backend.each(cells + 1, PlaceCells{a}, kGrain);
  backend.each(cells, LinkCells{a}, kGrain);

  for (int level = kLevels; level >= 0; --level) {
    constexpr std::uint32_t kAtATime = 1u << 17;
    const std::uint32_t stride = !backend.knows() ? (a.capacity < kAtATime ? a.capacity : kAtATime)
                                                  : a.frame->level_start[level + 1] - a.frame->level_start[level];
    backend.each(stride, MakeMoments{a, reachOf(opening_angle), level, stride}, kGrainOfCells);
  }
}

}  // namespace simscope::nbody::tree
