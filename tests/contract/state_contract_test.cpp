// Parameters and seed decide the state; a saved state continues the run.
#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

class StateContract : public testing::TestWithParam<PresetCase> {
 protected:
  Stepper make(compute::DevicePtr device, std::uint64_t seed = 11) const {
    return Stepper(*GetParam().description, std::move(device), GetParam().modest(), seed);
  }
};
INSTANTIATE_TEST_SUITE_P(First, StateContract, testing::ValuesIn(presets(true)), presetTestName);
INSTANTIATE_TEST_SUITE_P(Other, StateContract, testing::ValuesIn(presets(false)), presetTestName);

TEST_P(StateContract, PresetRunsWithoutNaN) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    const int batch = std::max(1, affordableSteps(stepper, 100) / 4);
    for (int i = 0; i < 4; ++i) {
      stepper.step(batch);
      ASSERT_NO_THROW(stepper.verify());
    }
    EXPECT_EQ(stepper.simulation().steps(), 4 * batch);
    EXPECT_GT(stepper.simulation().time(), 0);
  }
}

// NaN equals nothing, itself included: a state that holds one cannot be compared between backends.
TEST_P(StateContract, SavedStateHoldsNumbersOnly) {
  Stepper stepper = make(compute::Device::open("cpu"));
  const State state = stepper.save();
  for (const StateArray& array : state.arrays) EXPECT_EQ(relativeDifference(array, array), 0) << array.name;
}

// The size that the table tells is that of what it saves, and each array says what it is.
TEST_P(StateContract, TheTableTellsWhatIsSaved) {
  Stepper stepper = make(compute::Device::open("cpu"));
  stepper.step(3);
  const State state = stepper.save();
  EXPECT_EQ(stepper.simulation().stateBytes(), state.bytes());
  const std::vector<Simulation::StateEntry> entries = stepper.simulation().stateEntries();
  ASSERT_EQ(entries.size(), state.arrays.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].name, state.arrays[i].name);
    EXPECT_EQ(entries[i].dtype, state.arrays[i].dtype);
    EXPECT_EQ(entries[i].shape, state.arrays[i].shape);
    EXPECT_FALSE(entries[i].what.empty());
  }
}

TEST_P(StateContract, MemoryThatIsForeseenHoldsTheStateAndThreeFrames) {
  const Description& d = *GetParam().description;
  if (!d.memory) return;
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    stepper.step(1);
    Frame frame;
    stepper.present(frame);
    double taken = static_cast<double>(stepper.save().bytes());
    for (const Channel& channel : frame.channels) taken += 3.0 * static_cast<double>(channel.data.bytes());
    const double foreseen = d.memory(GetParam().modest(), device->info().backend);
    EXPECT_TRUE(std::isfinite(foreseen));
    EXPECT_GE(foreseen, taken);
  }
}

TEST_P(StateContract, SameSeedGivesTheSameStateForAnyNumberOfThreads) {
  const auto run = [&](int threads) {
    Stepper stepper = make(compute::Device::open("cpu", threads));
    stepper.step(affordableSteps(stepper, 20));
    return stepper.save();
  };
  const State first = run(1);
  EXPECT_EQ(difference(run(1), first), "");
  EXPECT_EQ(difference(run(2), first), "");
}

TEST_P(StateContract, ResetReturnsToTheStart) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    const State start = stepper.save();
    EXPECT_EQ(start.steps, 0);
    EXPECT_EQ(start.time, 0);
    EXPECT_EQ(start.seed, 11u);
    EXPECT_NE(start.find(GetParam().description->state_array), nullptr);
    stepper.step(5);
    EXPECT_NE(difference(stepper.save(), start), "");
    stepper.reset(11);
    EXPECT_EQ(difference(stepper.save(), start), "");
  }
}

TEST_P(StateContract, SaveLoadAndContinueIsTheUninterruptedRun) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper whole = make(device);
    const int half = affordableSteps(whole, 30) / 2;
    whole.step(half);
    const State saved = whole.save();
    whole.step(half);

    Stepper continued = make(device, 12);
    continued.step(3);
    continued.load(saved);
    EXPECT_EQ(difference(continued.save(), saved), "") << "as loaded";
    continued.step(half);
    EXPECT_EQ(difference(continued.save(), whole.save()), "") << "as continued";
  }
}

TEST_P(StateContract, BatchesChangeNoBit) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper whole = make(device), parts = make(device);
    const int steps = affordableSteps(whole, 30);
    whole.step(steps);
    int left = steps;
    for (int batch = 1; left > 0; batch *= 3) {
      const int next = std::min(batch, left);
      parts.step(next);
      left -= next;
    }
    EXPECT_EQ(difference(parts.save(), whole.save()), "");
  }
}

TEST_P(StateContract, StateThatDoesNotFitIsRefusedAndChangesNothing) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    stepper.step(2);
    const State before = stepper.save();
    State shorter = before, empty = before, foreign = before;
    for (StateArray& array : shorter.arrays) array.bytes.resize(array.bytes.size() / 2);
    for (StateArray& array : shorter.arrays) array.shape = {array.shape[0] / 2};
    empty.arrays.clear();
    foreign.simulation = "another";
    for (const State* state : {&shorter, &empty, &foreign}) EXPECT_THROW(stepper.load(*state), UsageError);
    EXPECT_EQ(difference(stepper.save(), before), "");
  }
}

}  // namespace
}  // namespace simscope::contract
