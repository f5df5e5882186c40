// How the program becomes one of several ranks: it looks whether mpirun or srun has started it, and only then loads the
// module that knows MPI, which lies beside the program or in ../lib/simscope.
//
// Thread: main, before any other is started that computes. Errors: UsageError where the program was started as one of
// several and cannot be (built without MPI, module not there); Error where MPI does not start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// Whether Open MPI, PMIx, or a process manager of MPICH's kind (srun --mpi=pmi2) has started this process. How many
// there are is known from the environment of some alone: 0 where it is not.
struct Launch {
  bool launched = false;
  int size = 0;
};
Launch launchOf(char** environment);  // as `environ`
Launch launch();                      // this process's own

// Null where this process was started alone, or is the only rank.
std::shared_ptr<Ranks> joinRanks(Ranks::Options options);

// The processor's cores by their numbers that a rank takes as its own.
struct CoreShare {
  std::vector<int> cores;
  int threads = 1;  // that compute there
};
// Of ranks on one machine that may use the same `cores`, this is number `index` of `count`: blocks of neighbours, one
// at least, so that more ranks than cores share them. `usable`: as usableCores() has it of them all, for containers
// that have fewer processors than cores.
CoreShare coreShareOf(const std::vector<int>& cores, int usable, int index, int count);
// Binds this process to its share of the cores that it and the other ranks of its machine may use. All ranks do.
CoreShare bindToCores(Ranks& ranks);

// "0-3,8".
std::string coresText(const std::vector<int>& cores);

}  // namespace simscope::compute
