// How the program becomes one of several ranks: it checks whether mpirun or srun has started it, and only then loads
// the MPI module, which lies beside the program or in ../lib/simscope.
//
// Thread: main, before any computing thread is started. Errors: UsageError where the program was started as one of
// several ranks and cannot be one (built without MPI, module missing, another MPI's launcher); Error where MPI does not
// start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// Whether Open MPI, PMIx, or a process manager of MPICH's kind (mpiexec.hydra, srun --mpi=pmi2) has started this
// process. The number of ranks is 0 where the environment does not give it; the innermost launcher's counts, Open MPI's
// before those that it may run under.
struct Launch {
  bool launched = false;
  int size = 0;
  // Where srun has started copies that cannot find each other: their number, and which this one is.
  int tasks = 1, task = 0;
};
Launch launchOf(char** environment);  // as `environ`
Launch launch();                      // this process's own

// Null where this process was started alone, or is the only rank. UsageError where the launcher has started several and
// MPI knows of one: each would make the whole run. Ends the process where the others do not start MPI within
// `start_patience` seconds; after ten, standard error is told.
std::shared_ptr<Ranks> joinRanks(Ranks::Options options, double start_patience = 60);

// The numbers of the processor's cores that a rank uses.
struct CoreShare {
  std::vector<int> cores;
  int threads = 1;  // that compute there
};
// Of ranks on one machine that may use the same `cores`, this is number `index` of `count`: blocks of neighbours, at
// least one core each, so that more ranks than cores share them. `usable`: usableCores() of all of them, for containers
// that have fewer processors than cores.
CoreShare coreShareOf(const std::vector<int>& cores, int usable, int index, int count);
// Binds this process to its share of the cores that it and the other ranks of its machine may use. All ranks call it.
CoreShare bindToCores(Ranks& ranks);

// "0-3,8".
std::string coresText(const std::vector<int>& cores);

}  // namespace simscope::compute
