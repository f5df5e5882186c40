// The CPU and a CUDA device run the same physics, and a run may move between them.
#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

class ParityContract : public testing::TestWithParam<PresetCase> {
 protected:
  void SetUp() override {
    const std::string why = compute::Device::whyNoCuda();
    if (!why.empty()) GTEST_SKIP() << "no CUDA device to compare with: " << why;
  }
  Stepper make(const char* device) const {
    return Stepper(*GetParam().description, compute::Device::open(device), GetParam().parameters(), 11);
  }
  void expectClose(const State& one, const State& other) const {
    ASSERT_EQ(one.arrays.size(), other.arrays.size());
    EXPECT_EQ(one.steps, other.steps);
    for (const StateArray& array : one.arrays) {
      const StateArray* same = other.find(array.name);
      ASSERT_NE(same, nullptr) << array.name;
      EXPECT_EQ(array.dtype, same->dtype) << array.name;
      EXPECT_EQ(array.shape, same->shape) << array.name;
      const double difference = relativeDifference(array, *same);
      EXPECT_TRUE(difference <= GetParam().description->parity_tolerance) << array.name << " differs by " << difference;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(First, ParityContract, testing::ValuesIn(presets(true)), presetTestName);
INSTANTIATE_TEST_SUITE_P(Other, ParityContract, testing::ValuesIn(presets(false)), presetTestName);

TEST_P(ParityContract, CpuAndCudaAgree) {
  Stepper cpu = make("cpu"), cuda = make("cuda");
  expectClose(cuda.save(), cpu.save());
  const int steps = GetParam().description->parity_steps;
  cpu.step(steps);
  cuda.step(steps);
  expectClose(cuda.save(), cpu.save());
}

TEST_P(ParityContract, RunMovesToCudaAndBackFromTheSameState) {
  Stepper moving = make("cpu"), staying = make("cpu");
  const int half = std::max(1, GetParam().description->parity_steps / 2);
  moving.step(half);
  staying.step(half);
  const State before = moving.save();
  moving.moveTo(compute::Device::open("cuda"));
  EXPECT_TRUE(moving.simulation().device()->isCuda());
  EXPECT_EQ(difference(moving.save(), before), "") << "nothing is lost on the way";
  moving.step(half);
  moving.moveTo(compute::Device::open("cpu"));
  staying.step(half);
  expectClose(moving.save(), staying.save());
}

}  // namespace
}  // namespace simscope::contract
