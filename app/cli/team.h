// The ranks that carry out a command together after mpirun or srun has started the program several times: which rank
// prints, what they check before they begin, and how they end.
//
// Only rank 0 prints and writes. Another rank prints its error if rank 0 does not print it. Thread:
// main. Errors: as compute::Ranks.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/cli/options.h"
#include "sims/compute/ranks/launch.h"

namespace simscope::cli {

// The preparation has failed somewhere, and all ranks know: they end in order, with this status. what(): for rank 0.
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

  // For commands that use ranks, before anything else of them: becomes one, and takes its share of the cores. Does
  // nothing where the program was started alone.
  void join();
  compute::Ranks* ranks() const noexcept { return ranks_.get(); }
  const std::shared_ptr<compute::Ranks>& sharedRanks() const noexcept { return ranks_; }
  bool first() const noexcept { return !ranks_ || ranks_->first(); }  // alone, too

  // Carries out `prepare` (reading what was asked for, on rank 0 also opening files). It returns what all ranks must
  // have alike, besides the program itself. Where it throws on any rank, or they differ, all get Refused.
  void prepare(const std::string& command, const std::function<std::string()>& prepare);
  // UsageError, with those that are, where a run of this scene is not divided among ranks.
  void requireDivided(const Scene& scene) const;
  // Whether there are ranks that find the diagnostics of such a run together;
  bool looksTogether(const Scene& scene) const;
  // and, more than that, hold a part of its state each: all that reads it is done by all of them.
  bool sharesState(const Scene& scene) const;
  // As ranks can have it for runs of this description with these parameters: each its own CUDA device where all have
  // one and such runs can be divided there, or one that the user names; otherwise the CPU, with their share of its
  // cores where the user does not say. UsageError otherwise.
  DeviceChoice choice(DeviceChoice asked, const Scene& scene) const;
  // The same for runs that no two ranks make together.
  DeviceChoice choiceForWholeRuns(DeviceChoice asked) const;
  // Throws if the command shall stop; tells the other ranks that this one is alive.
  void beat() const;
  // The device of every rank: a table, or a JSON array. Empty where this is not rank 0.
  std::string map(bool as_json) const;
  // The orderly end, on all ranks.
  void finish();

 private:
  std::shared_ptr<compute::Ranks> ranks_;
  DeviceChoice choice(DeviceChoice asked, const std::string& why_not_cuda) const;
  void lookForDevices();

  compute::CoreShare share_;
  // Of this machine, and which of them is this rank's; whether all ranks have one each.
  int cuda_devices_ = 0, cuda_device_ = 0;
  bool cuda_own_ = false;
};

// A hash of all bytes of a state, to compare between ranks; empty without a state.
std::string digest(const std::optional<State>& state);

}  // namespace simscope::cli
