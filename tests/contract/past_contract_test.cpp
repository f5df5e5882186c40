// Every simulation goes back to what it was, from copies on its device, and on from there to the same bits.
#include <chrono>
#include <thread>

#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

class PastContract : public testing::TestWithParam<const Description*> {};
INSTANTIATE_TEST_SUITE_P(Every, PastContract, testing::ValuesIn(everySimulation()), testName);

TEST_P(PastContract, BackAndForthIsTheRunThatNeverWentBack) {
  const Description& description = *GetParam();
  for (const compute::DevicePtr& device : devices()) {
    const ParameterSet set = smallDefaults(description);
    ParameterSet changed = set;
    for (const ParameterInfo& info : *description.parameters) {
      if (info.kind != Kind::Real || info.applies != Applies::Live) continue;
      const double from = std::get<double>(info.initial), way = 0.01 * (info.maximum - info.minimum);
      changed.set(info.key, from + way <= info.maximum ? from + way : from - way);
      break;
    }
    Stepper stepper(description, device, set, 11);
    stepper.keepPast(0);
    State early, late;
    for (int i = 1; i <= 5; ++i) {
      stepper.step(4);
      if (i == 3) stepper.configure(changed);
      // Copies are made by the clock, the rarer the longer one takes; the third is one at least on a slow machine, too.
      const std::size_t kept = stepper.keptStates();
      for (int tries = 0; tries < (i == 3 ? 100 : 1) && (tries == 0 || stepper.keptStates() == kept); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(45));
        stepper.verify();
      }
      if (i == 2) early = stepper.save();
    }
    stepper.step(3);
    late = stepper.save();
    const auto travel = [&](std::int64_t step) {
      stepper.goTo(step);
      while (stepper.advanceReplay()) {
      }
    };
    EXPECT_GE(stepper.keptStates(), 2u);
    for (const std::int64_t step : {22, 8, 0, 17, 8}) travel(step);
    EXPECT_EQ(difference(stepper.save(), early), "") << "step 8, from a copy";
    stepper.step(15);
    EXPECT_EQ(difference(stepper.save(), late), "") << "through what has been";
    travel(5);
    travel(23);
    EXPECT_EQ(difference(stepper.save(), late), "") << "the present's own copy";
    stepper.forgetCopies();
    travel(8);
    EXPECT_EQ(difference(stepper.save(), early), "") << "from the reset";
  }
}

}  // namespace
}  // namespace simscope::contract
