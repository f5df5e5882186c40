// The description is complete and its parameters mean what they say.
#include <limits>
#include <set>

#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

class DescriptionContract : public testing::TestWithParam<const Description*> {
 protected:
  const Description& description() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Every, DescriptionContract, testing::ValuesIn(everySimulation()), testName);

bool isKey(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_'; });
}

// Cells that a simulation would have to hold: the product of its sizes, the integers that apply on reset.
double cells(const ParameterSet& set) {
  double product = 1;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const ParameterInfo& info = set.infos()[i];
    if (info.kind == Kind::Integer && info.applies == Applies::OnReset) {
      product *= std::max(1.0, static_cast<double>(std::get<std::int64_t>(set[i])));
    }
  }
  return product;
}
constexpr double kAffordableCells = 1 << 20;

// Every valid extreme of a parameter: its bounds, or all that it can be.
std::vector<Value> extremes(const ParameterInfo& info) {
  switch (info.kind) {
    case Kind::Flag:
      return {true, false};
    case Kind::Integer:
      return {static_cast<std::int64_t>(info.minimum), static_cast<std::int64_t>(info.maximum)};
    case Kind::Real:
      return {info.minimum, info.maximum};
    case Kind::Choice:
      return {info.choices.begin(), info.choices.end()};
    case Kind::Text:
      return {info.initial};
  }
  return {};
}

// One step beyond each bound, as typed.
std::vector<std::string> beyond(const ParameterInfo& info) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto low = static_cast<std::int64_t>(info.minimum), high = static_cast<std::int64_t>(info.maximum);
  switch (info.kind) {
    case Kind::Flag:
      return {"maybe"};
    case Kind::Integer:
      if (info.power_of_two) return {toText(low / 2), toText(low + 1), toText(high - 1), toText(high * 2)};
      return {toText(low - 1), toText(high + 1)};
    case Kind::Real:
      return {toText(std::nextafter(info.minimum, -kInfinity)), toText(std::nextafter(info.maximum, kInfinity)), "nan"};
    case Kind::Choice:
      return {"no_such_choice", ""};
    case Kind::Text:
      return {};
  }
  return {};
}

TEST_P(DescriptionContract, TextsAreThereAndKeysAreUnique) {
  const Description& d = description();
  EXPECT_TRUE(isKey(d.id)) << d.id;
  for (const std::string& text : {d.title, d.summary, d.equation, d.state_array}) EXPECT_FALSE(text.empty());
  EXPECT_EQ(&simulationById(d.id), &d);
  ASSERT_TRUE(d.parameters);
  ASSERT_NE(d.create, nullptr);

  std::set<std::string> keys;
  for (const ParameterInfo& info : *d.parameters) {
    EXPECT_TRUE(isKey(info.key)) << info.key;
    EXPECT_TRUE(keys.insert(info.key).second) << info.key << " twice";
    EXPECT_FALSE(info.title.empty() || info.help.empty() || info.group.empty()) << info.key;
    EXPECT_EQ(info.kind == Kind::Choice, !info.choices.empty()) << info.key;
    if (info.kind == Kind::Real || info.kind == Kind::Integer) {
      EXPECT_LT(info.minimum, info.maximum) << info.key;
      if (info.scale == Scale::Log) {
        EXPECT_GT(info.minimum, 0) << info.key << ": a logarithm of 0";
      }
    }
  }
  keys.clear();
  EXPECT_FALSE(d.diagnostics.empty());
  for (const DiagnosticInfo& info : d.diagnostics) {
    EXPECT_TRUE(isKey(info.key)) << info.key;
    EXPECT_TRUE(keys.insert(info.key).second) << info.key << " twice";
    EXPECT_FALSE(info.title.empty() || info.help.empty()) << info.key;
    if (!info.exact_of.empty()) {
      EXPECT_NO_THROW(d.diagnosticIndex(info.exact_of)) << info.key;
    }
  }
}

TEST_P(DescriptionContract, ViewsAndToolsAreComplete) {
  const Description& d = description();
  EXPECT_GT(d.views.size() + d.fields.size() + d.points.size(), 0u);
  std::set<std::string> keys;
  const auto expectKey = [&](const std::string& key, const std::string& title) {
    EXPECT_TRUE(isKey(key)) << key;
    EXPECT_TRUE(keys.insert(key).second) << key << " twice";
    EXPECT_FALSE(title.empty()) << key;
  };
  for (const CurveView& view : d.views) {
    expectKey(view.key, view.title);
    EXPECT_FALSE(view.x.title.empty() || view.y.title.empty()) << view.key;
    EXPECT_FALSE(view.traces.empty()) << view.key;
  }
  for (const FieldView& view : d.fields) {
    expectKey(view.key, view.title);
    EXPECT_FALSE(view.x.title.empty() || view.y.title.empty() || view.colormap.empty()) << view.key;
  }
  for (const PointView& view : d.points) {
    expectKey(view.key, view.title);
    EXPECT_FALSE(view.value.title.empty() || view.colormap.empty()) << view.key;
  }
  keys.clear();
  for (const ToolInfo& tool : d.tools) expectKey(tool.key, tool.title);
}

TEST_P(DescriptionContract, PresetsAreValidAndComplete) {
  const Description& d = description();
  ASSERT_FALSE(d.presets.empty());
  EXPECT_NO_THROW(d.presetInfo(d.demo_preset));
  std::set<std::string> keys;
  for (const Preset& preset : d.presets) {
    EXPECT_TRUE(isKey(preset.key) && keys.insert(preset.key).second) << preset.key;
    EXPECT_FALSE(preset.title.empty() || preset.summary.empty()) << preset.key;
    EXPECT_GE(preset.steps_per_frame, 1) << preset.key;
    EXPECT_GE(preset.frames, 1) << preset.key;
    EXPECT_NO_THROW(d.preset(preset.key)) << preset.key;
  }
}

TEST_P(DescriptionContract, BoundsAreAcceptedByTheSetAndTheSimulation) {
  const compute::DevicePtr device = compute::Device::open("cpu", 2);
  for (const ParameterInfo& info : *description().parameters) {
    for (const Value& value : extremes(info)) {
      SCOPED_TRACE(info.key + " = " + toText(value));
      ParameterSet set = description().defaults();
      ASSERT_NO_THROW(set.set(info.key, value));
      ASSERT_NO_THROW(set.setText(info.key, toText(value)));
      EXPECT_EQ(set.get(info.key), value) << "the printed text reads back the same";
      if (cells(set) > kAffordableCells) continue;
      try {
        Stepper stepper(description(), device, set, 1);
        EXPECT_EQ(stepper.simulation().parameters(), set);
        EXPECT_TRUE(stepper.simulation().finite());
        stepper.step(1);
        EXPECT_EQ(stepper.simulation().steps(), 1);
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(info.key)) << "a combination may be refused, but by name";
      }
    }
  }
}

TEST_P(DescriptionContract, OneStepBeyondABoundIsRefusedByName) {
  for (const ParameterInfo& info : *description().parameters) {
    for (const std::string& text : beyond(info)) {
      ParameterSet set = description().defaults();
      const ParameterSet before = set;
      try {
        set.setText(info.key, text);
        ADD_FAILURE() << info.key << " = " << text << " was accepted";
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(info.key));
        EXPECT_THAT(error.what(), testing::HasSubstr(rangeText(info)));
      }
      EXPECT_EQ(set, before);
    }
  }
}

TEST_P(DescriptionContract, LiveParametersApplyBetweenStepsAndOthersDoNot) {
  const compute::DevicePtr device = compute::Device::open("cpu", 2);
  for (const ParameterInfo& info : *description().parameters) {
    Stepper stepper(description(), device, description().defaults(), 1);
    stepper.step(2);
    for (const Value& value : extremes(info)) {
      SCOPED_TRACE(info.key + " = " + toText(value));
      ParameterSet set = description().defaults();
      set.set(info.key, value);
      if (cells(set) > kAffordableCells) continue;
      Simulation& simulation = stepper.simulation();
      const ParameterSet before = simulation.parameters();
      const std::int64_t steps = simulation.steps();
      const auto apply = [&] { device->run([&] { simulation.apply(set); }); };
      if (set.needsReset(before)) {
        EXPECT_THROW(apply(), UsageError);
        EXPECT_EQ(simulation.parameters(), before);
        continue;
      }
      try {
        apply();
        EXPECT_EQ(simulation.parameters(), set);
        EXPECT_EQ(simulation.steps(), steps);
        stepper.step(1);
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(info.key));
        EXPECT_EQ(simulation.parameters(), before);
      }
    }
  }
}

TEST_P(DescriptionContract, SimulationSaysHowItWorksAndWhatItCosts) {
  for (const compute::DevicePtr& device : devices()) {
    const Stepper stepper(description(), device, description().defaults(), 1);
    const Simulation& simulation = stepper.simulation();
    EXPECT_FALSE(simulation.likelyCauseOfNaN().empty());
    EXPECT_FALSE(simulation.method().empty());
    EXPECT_FALSE(simulation.throughput().unit.empty());
    EXPECT_GT(simulation.throughput().work_per_step, 0);
    EXPECT_EQ(&simulation.description(), &description());
  }
}

}  // namespace
}  // namespace simscope::contract
