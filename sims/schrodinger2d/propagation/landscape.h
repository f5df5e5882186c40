// What V with its walls looks like to the grid: its narrowest features, and whether ψ is on one of its jumps.
//
// A cell belongs to a jump where V bends by more than `least` from one sample to the next. Thread and ranks: as
// operations.h; ranks take memory for V of their rows meanwhile, and send each other a dozen of them.
#pragma once

#include "sims/schrodinger2d/propagation/operations.h"

namespace simscope::schrodinger2d {

// The width, at half of its height, of the narrowest wall or gap that is higher than `least` and narrower than some
// five cells, along an axis [length]; infinite where there is none. Walls that touch a sample in part are taken for
// what they are: each sample has the mean of V over its cell, so that a width is right to 0.2 dx. The tip of something
// wide does not count.
template <class T>
double narrowestFeature(compute::Device& device, const T* potential, const float* walls, const Numbers& p, double least,
                        const Slab& slab);

// The largest |ψ|² on a jump of V in a box, by the largest of all.
template <class T>
double densityOnJumps(compute::Device& device, const Complex<T>* psi, const T* potential, const float* walls,
                      const Numbers& p, double least, const CellRange& box, const Slab& slab);

}  // namespace simscope::schrodinger2d
