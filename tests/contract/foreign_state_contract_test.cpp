// A state may come from a stranger's file: whatever its numbers are, it is refused with their place, or it runs.
#include "sims/core/state_reader.h"
#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ForeignStateContract : public testing::TestWithParam<const Description*> {
 protected:
  // Small, with everything in its state that the mouse can leave there.
  ForeignStateContract() : stepper_(*GetParam(), compute::Device::open("cpu", 2), modest(), 11) {
    for (const ToolInfo& tool : GetParam()->tools) {
      stepper_.poke({.tool = tool.key, .x = 1e-4, .y = 1e-4, .dx = 1e-5, .radius = 1e-3, .begins = true});
    }
    stepper_.step(3);
    state_ = stepper_.save();
  }
  static ParameterSet modest() { return smallDefaults(*GetParam()); }
  // What load() says; empty where it took the state.
  std::string refusal(const State& state) {
    try {
      stepper_.load(state);
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  }

  Stepper stepper_;
  State state_;
};
INSTANTIATE_TEST_SUITE_P(Every, ForeignStateContract, testing::ValuesIn(everySimulation()), testName);

template <class T>
void put(StateArray& array, std::size_t index, T value) {
  std::memcpy(array.bytes.data() + index * sizeof(T), &value, sizeof(T));
}
// Number `index` of an array of real or complex numbers.
void putNumber(StateArray& array, std::size_t index, double value) {
  if (array.dtype == "<f8" || array.dtype == "<c16") put(array, index, value);
  if (array.dtype == "<f4" || array.dtype == "<c8") put(array, index, static_cast<float>(value));
  if (array.dtype == "<i4") {  // what is no number: the least one
    put(array, index,
        std::isfinite(value) ? static_cast<std::int32_t>(value) : std::numeric_limits<std::int32_t>::min());
  }
}

TEST_P(ForeignStateContract, ANumberThatIsNoneIsRefusedByNameAndIndexAndChangesNothing) {
  for (std::size_t which = 0; which < state_.arrays.size(); ++which) {
    const StateArray& array = state_.arrays[which];
    if (array.dtype == "<i4") continue;
    const std::size_t count = numbers(array).size(), stride = std::max<std::size_t>(1, count / 7);
    for (std::size_t index = 0; index < count; index += stride) {
      for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        State state = state_;
        putNumber(state.arrays[which], index, bad);
        const std::size_t last = array.shape.back(), component = array.dtype[1] == 'c' ? index / 2 : index;
        EXPECT_THAT(refusal(state), AllOf(HasSubstr(GetParam()->id), HasSubstr("'" + array.name + "'"),
                                          HasSubstr(std::to_string(component % last) + "]")));
      }
    }
  }
  EXPECT_EQ(difference(stepper_.save(), state_), "");
}

TEST_P(ForeignStateContract, ANumberOfAnySizeIsRefusedOrRuns) {
  for (std::size_t which = 0; which < state_.arrays.size(); ++which) {
    const bool run = state_.arrays[which].name == "run";
    const std::size_t count = numbers(state_.arrays[which]).size();
    const std::size_t stride = run ? 1 : std::max<std::size_t>(1, count / 2);
    for (std::size_t index = 0; index < count; index += stride) {
      for (const double odd : {-1.0, -0.001, -5.0, 0.0, 0.5, 4e9, -1e19, 1e38, -1e38, 1e300}) {
        const bool single = state_.arrays[which].dtype == "<f4" || state_.arrays[which].dtype == "<c8";
        if ((single && odd > 1e38) || (state_.arrays[which].dtype == "<i4" && std::abs(odd) > 1e9)) continue;
        State state = state_;
        putNumber(state.arrays[which], index, odd);
        SCOPED_TRACE(state.arrays[which].name + "[" + std::to_string(index) + "] = " + std::to_string(odd));
        if (!refusal(state).empty()) continue;
        Frame frame;
        stepper_.present(frame);
        (void)stepper_.findings();
        stepper_.step(2);
        stepper_.present(frame);
        (void)stepper_.findings();
      }
    }
  }
  ASSERT_EQ(refusal(state_), "");
}

TEST_P(ForeignStateContract, AStateWhoseParametersSayAnotherSizeIsRefused) {
  State other = state_;
  const ParameterInfo& size = other.parameters.infos()[other.parameters.find(GetParam()->size_key)];
  other.parameters.set(size.key, 2 * other.parameters.integer(size.key));
  const bool grid = GetParam()->id != "nbody";  // where the state itself says how many
  EXPECT_EQ(refusal(other).empty(), !grid);
  if (grid) {
    EXPECT_EQ(difference(stepper_.save(), state_), "");
  }
}

TEST_P(ForeignStateContract, ARefusalAfterALiveChangeLeavesTheBitsOfTheRun) {
  State bad = state_;
  const ParameterSet& now = bad.parameters;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const ParameterInfo& info = now.infos()[i];
    if (info.applies != Applies::Live || info.kind != Kind::Real) continue;
    const double value = std::get<double>(now[i]);
    bad.parameters.set(i, std::clamp(value * 0.75, info.minimum, info.maximum));
  }
  putNumber(bad.arrays[0], 0, std::nan(""));
  EXPECT_NE(refusal(bad), "");
  EXPECT_EQ(difference(stepper_.save(), state_), "");
  Stepper same(*GetParam(), compute::Device::open("cpu", 2), modest(), 11);
  same.load(state_);
  same.step(4);
  stepper_.step(4);
  EXPECT_EQ(difference(stepper_.save(), same.save()), "");
}

}  // namespace
}  // namespace simscope::contract
