// The ranks that execute a command together after mpirun or srun has started the program several times: which rank
// prints, their checks before the start, and their end.
//
// Only rank 0 prints and writes. Another rank prints its error if rank 0 does not print it. Thread:
// main. Errors: as compute::Ranks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "sims/compute/ranks/launch.h"

namespace simscope::cli {

// The preparation failed on some rank, and all ranks know: they end in order, with this status. what(): for rank 0.
class Refused : public Error {
 public:
  Refused(const std::string& message, int status) : Error(message), status_(status) {}
  int status() const noexcept { return status_; }

 private:
  int status_;
};

class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // For commands that use ranks, call first: becomes a rank, and takes its share of the cores. Does nothing if the
  // program was started alone; copies of one step of Slurm that cannot find each other are noted by the first. Refused
  // where the ranks' commands differ.
  void join(const std::string& command);
  compute::Ranks* ranks() const noexcept { return ranks_.get(); }
  const std::shared_ptr<compute::Ranks>& sharedRanks() const noexcept { return ranks_; }
  bool first() const noexcept { return !ranks_ || ranks_->first(); }  // true also for a program started alone

  // The words that were typed, for prepare(). Each rank may have a --device and --threads of its own.
  void typed(const std::vector<std::string>& words);
  // Executes `prepare` (makes the scene, on rank 0 also opens files). It returns a text that must be equal on all
  // ranks. If it throws on any rank, or the texts, the typed words, or the programs differ, all ranks throw Refused.
  void prepare(const std::string& command, const std::function<std::string()>& prepare);
  // UsageError, naming the divisible simulations, if a run of this scene is not divided among ranks.
  void requireDivided(const Scene& scene) const;
  // Whether ranks compute the diagnostics of such a run together;
  bool looksTogether(const Scene& scene) const;
  // and whether each also holds a part of its state: then all ranks take part in whatever reads it.
  bool sharesState(const Scene& scene) const;
  // The devices of the ranks for runs of this scene: each its own CUDA device if all have one and such runs can be
  // divided there, or the one that the user names; otherwise the CPU, with their share of its cores unless the user
  // sets the number. UsageError otherwise.
  DeviceChoice choice(DeviceChoice asked, const Scene& scene) const;
  // The same for runs that are not divided among ranks.
  DeviceChoice choiceForWholeRuns(DeviceChoice asked) const;
  // Throws if the command must stop; signals to the other ranks that this one is alive.
  void beat() const;
  // What must be the same on all ranks of a divided run, for prepare(); the words that were typed are in it already.
  // Empty for a program started alone.
  std::string alike(const Scene& scene, const std::optional<State>& state, const DeviceChoice& choice) const;
  // The device of every rank: a table, or a JSON array. Empty on ranks other than 0.
  std::string map(bool as_json) const;
  // The orderly end, on all ranks.
  void finish();

 private:
  std::shared_ptr<compute::Ranks> ranks_;
  DeviceChoice choice(DeviceChoice asked, const std::string& why_not_cuda) const;
  void lookForDevices();

  std::string typed_;  // a word a line
  compute::CoreShare share_;
  // On this machine, and which is this rank's; whether all ranks have one each.
  int cuda_devices_ = 0, cuda_device_ = 0;
  bool cuda_own_ = false;
};

}  // namespace simscope::cli
