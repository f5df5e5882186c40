#include "sims/core/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sims/core/testing/fake_device.h"
#include "sims/core/testing/fake_simulation.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// 16 bytes a cell: 32 cells fit, the next power of two does not.
constexpr std::size_t kRoomFor32Cells = 1000;

ParameterSet cells(int count) {
  ParameterSet set = fake::description().defaults();
  set.set("cells", std::int64_t{count});
  return set;
}

// The refusal's message; empty where the simulation fits.
std::string refusal(const Description& description, const ParameterSet& parameters, std::size_t free) {
  try {
    requireMemory(description, parameters, *fake::deviceWithFree(free));
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.key(), description.size_key);
    return error.what();
  } catch (const UsageError& error) {
    EXPECT_EQ(description.size_key, "");
    return error.what();
  }
  return {};
}

TEST(Memory, SizeThatDoesNotFitIsRefusedWithTheNumbersAndTheLargestThatDoes) {
  EXPECT_EQ(refusal(fake::description(), cells(32), kRoomFor32Cells), "");
  EXPECT_THAT(refusal(fake::description(), cells(64), 1024), "") << "to the last byte";
  EXPECT_THAT(refusal(fake::description(), cells(64), 1023),
              AllOf(HasSubstr("row: cells = 64 takes 1.0 KiB"), HasSubstr("cpu has 1.0 KiB free"),
                    HasSubstr("nearest that fits: 32")));
  EXPECT_THAT(refusal(fake::description(), cells(1 << 26), std::size_t{600} << 20),
              AllOf(HasSubstr("1.00 GiB"), HasSubstr("600.0 MiB"), HasSubstr("nearest that fits: 33554432")));
  EXPECT_THAT(refusal(fake::description(), cells(64), 20), HasSubstr("no cells fits"));
  EXPECT_THAT(refusal(fake::description(), cells(2), 20), HasSubstr("no cells fits"));
}

TEST(Memory, AnySizeBetweenTheBoundsIsSearchedWhereItNeedNotBeAPowerOfTwo) {
  Description bodies = fake::description();
  ParameterInfo info = (*bodies.parameters)[0];
  info.key = bodies.size_key = "bodies";
  info.power_of_two = false;
  bodies.parameters = std::make_shared<const std::vector<ParameterInfo>>(std::vector{info});
  bodies.memory = [](const ParameterSet& set, compute::Backend) { return 10.0 * set.real("bodies") + 7; };
  ParameterSet set = bodies.defaults();
  set.set("bodies", std::int64_t{1 << 20});
  EXPECT_THAT(refusal(bodies, set, 5006), HasSubstr("nearest that fits: 499"));
  EXPECT_THAT(refusal(bodies, set, 5007), HasSubstr("nearest that fits: 500"));
  EXPECT_THAT(refusal(bodies, set, 27), HasSubstr("nearest that fits: 2"));
  EXPECT_THAT(refusal(bodies, set, 26), HasSubstr("no bodies fits"));
}

TEST(Memory, WithoutAFunctionEverythingFitsAndWithoutASizeTheMessageStandsAlone) {
  Description row = fake::description();
  row.size_key.clear();
  EXPECT_THAT(refusal(row, cells(64), 10), AllOf(HasSubstr("row takes"), HasSubstr("smaller problem")));
  row.memory = nullptr;
  EXPECT_EQ(refusal(row, cells(64), 0), "");
  row.memory = [](const ParameterSet&, compute::Backend) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_NE(refusal(row, cells(64), std::numeric_limits<std::size_t>::max()), "") << "no number fits nowhere";
}

TEST(Memory, StepperRefusesBeforeItMakesAnythingAndGoesOnAsItWas) {
  const compute::DevicePtr device = fake::deviceWithFree(kRoomFor32Cells);
  const int before = fake::counts().alive;
  EXPECT_THROW(Stepper(fake::description(), device, cells(64), 1), UsageError);
  EXPECT_EQ(fake::counts().alive, before);

  Stepper stepper(fake::description(), device, cells(32), 1);
  stepper.step(3);
  const State state = stepper.save();
  EXPECT_THAT([&] { stepper.configure(cells(128)); }, ThrowsMessage<UsageError>(HasSubstr("nearest that fits: 32")));
  EXPECT_THROW(stepper.moveTo(fake::deviceWithFree(100)), UsageError);
  Stepper larger(fake::description(), compute::Device::open("cpu", 1), cells(64), 1);
  EXPECT_THROW(stepper.load(larger.save()), UsageError);
  EXPECT_EQ(stepper.simulation().device(), device);
  EXPECT_EQ(stepper.simulation().steps(), 3);
  EXPECT_EQ(stepper.simulation().parameters(), cells(32));
  EXPECT_EQ(stepper.save().arrays[0].bytes, state.arrays[0].bytes);
  // A state that needs no new simulation takes no memory.
  stepper.load(state);
}

}  // namespace
}  // namespace simscope
