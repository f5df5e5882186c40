// The field of a list of bodies or cells at a group of targets, compiled for the instruction sets of x86-64 and chosen
// at run time (sims/compute/lanes/instruction_sets.h).
#pragma once

#include "sims/compute/lanes/instruction_sets.h"

namespace simscope::nbody::tree {

inline constexpr int kListLanes = 16;  // the widest vector: lists are padded to a multiple of it

// Padding entries have strength 0 and the place of some source.
struct BodyList {
  static constexpr int kCapacity = 1024;
  alignas(64) float x[kCapacity], y[kCapacity], z[kCapacity], s[kCapacity];
  int count;
};

struct CellList {
  static constexpr int kCapacity = 256;
  // x, y, z of the centre; M, Qxx, Qxy, Qxz, Qyy, Qyz, Qzz, ½ tr Q; the dipole.
  static constexpr int kValues = 14;
  alignas(64) float value[kValues][kCapacity];
  int count;
};

struct TargetList {
  static constexpr int kCapacity = 64;
  float x[kCapacity], y[kCapacity], z[kCapacity];
  float field[kCapacity][4];
  int count;
};

struct TreeKernels {
  // Adds the field of the list.
  void (*bodies)(const BodyList& list, float eps2, TargetList& targets);
  void (*cells)(const CellList& list, float eps2, TargetList& targets);         // that have no dipole
  void (*dipole_cells)(const CellList& list, float eps2, TargetList& targets);  // that may have one
  // Adds the field of the targets at each other: source i of the list is target i.
  void (*own)(BodyList& list, float eps2, TargetList& targets);
  const char* name;
};

TreeKernels wideTreeKernels(compute::Avx2);
TreeKernels wideTreeKernels(compute::Avx512);

const compute::KernelList<TreeKernels>& supportedTreeKernels();

}  // namespace simscope::nbody::tree
