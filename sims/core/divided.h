// A run that several devices of one process make together (compute::Device::crew): its user sees an ordinary
// simulation. Each device has a simulation of its own, which finds the others in Device::ranks() and its part by
// Description::decomposition. Every call of this one is forwarded to all of them, each on its thread.
//
// Frames are those of rank 0, in the first device's memory; the work of all devices is ordered as if it were enqueued
// on device()->stream(): after the work enqueued before a call, and before the work enqueued after it.
//
// Thread: as Simulation. Errors: as Simulation, where all devices report the same one; a failure of one device names
// it. If that leaves them in different states, all later calls throw compute::DeviceLost, and the run continues from a
// copy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/compute/ranks/crew.h"
#include "sims/core/simulation.h"

namespace simscope {

// Description::create on this device, or on all of its crew. UsageError of whyNotDivided().
std::unique_ptr<Simulation> makeSimulation(const Description& description, const compute::DevicePtr& device,
                                           const ParameterSet& parameters);

// Why a run with these parameters cannot be made by this number of devices of that kind together, as a clause: "a run
// of lorentz cannot be divided among devices". Empty where it can.
std::string whyNotDivided(const Description& description, const ParameterSet& parameters, int devices,
                          compute::Backend backend);

class DividedSimulation final : public Simulation {
 public:
  DividedSimulation(const Description& description, compute::DevicePtr device, const ParameterSet& parameters);
  ~DividedSimulation() override;

  double time() const override { return first().time(); }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void completeStep() override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override { return first().likelyCauseOfNaN(); }
  State save() override;
  State saveOwn() override { return save(); }
  void load(const State& state) override;
  void keep(KeptState& former) override;
  void resume(const KeptState& kept) override;
  std::size_t stateBytes() override { return first().stateBytes(); }
  std::vector<StateEntry> stateEntries() override { return first().stateEntries(); }
  std::vector<double> observers() const override { return first().observers(); }
  void setObservers(std::span<const double> placed) override;
  Throughput throughput() const override { return first().throughput(); }
  std::string method() const override;

 private:
  struct Part {
    std::unique_ptr<Simulation> simulation;
    Frame frame;           // of ranks other than 0; never shown
    compute::Fence ended;  // after its device's work of the last call
  };
  enum class Effect { Reads, Changes };

  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

  Simulation& first() const { return *parts_.front().simulation; }
  template <class Work>
  void all(Effect effect, const Work& work) const;
  void follow();

  // Whether all ranks or only rank 0 make the calls that read the state.
  bool looks_together_, saves_together_;
  mutable std::vector<Part> parts_;
  mutable compute::Fence begun_;
  mutable compute::Counters counted_;
  mutable std::string lost_;
};

}  // namespace simscope
