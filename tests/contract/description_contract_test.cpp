// The description is complete and its parameters mean what they say.
#include <limits>
#include <set>

#include "sims/core/testing/testing.h"
#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

class DescriptionContract : public testing::TestWithParam<const Description*> {
 protected:
  const Description& description() const { return *GetParam(); }
  // The defaults at a size that costs little.
  ParameterSet small() const { return smallDefaults(description()); }
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
// Largest planes are of a gigabyte, which the sanitizers' tests have no time for.
bool affordable(const Description& description, const ParameterSet& set) {
  constexpr double kCells = 1 << 20, kBytes = SIMSCOPE_SANITIZE ? 64e6 : 4e9;
  return cells(set) <= kCells && (!description.memory || description.memory(set, compute::Backend::Cpu) <= kBytes);
}

std::vector<Value> keysOf(const ParameterInfo& info) {
  std::vector<Value> keys;
  for (const Choice& choice : info.choices) keys.push_back(choice.key);
  return keys;
}

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
      return keysOf(info);
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

// Keys are unique within a list, and so are titles: a user chooses by them.
class KeyList {
 public:
  void add(const std::string& key, const std::string& title) {
    EXPECT_TRUE(isKey(key)) << key;
    EXPECT_TRUE(known_.insert(key).second) << key << " twice";
    EXPECT_FALSE(title.empty()) << key;
    EXPECT_TRUE(titles_.insert(title).second) << key << ": another one is called \"" << title << "\", too";
  }
  bool has(const std::string& key) const { return known_.contains(key); }

 private:
  std::set<std::string> known_, titles_;
};

KeyList singleViews(const Description& d) {
  KeyList keys;
  for (const View& view : d.views) {
    if (!view.as<LinkedView>()) keys.add(view.key, view.title);
  }
  return keys;
}

void expectComplete(const std::string& key, const CurveView& view) {
  EXPECT_FALSE(view.x.title.empty() || view.y.title.empty()) << key;
  EXPECT_FALSE(view.traces.empty()) << key;
}
void expectComplete(const std::string& key, const FieldView& view) {
  EXPECT_FALSE(view.channel.empty() || view.x.title.empty() || view.y.title.empty() || view.colormap.empty()) << key;
  EXPECT_EQ(view.arrow_channel.empty(), view.arrow.title.empty()) << key << ": what the arrows are";
}
void expectComplete(const std::string& key, const PointView& view) {
  EXPECT_FALSE(view.channel.empty() || view.value_channel.empty()) << key;
  EXPECT_FALSE(view.value.title.empty() || view.colormap.empty()) << key;
}
void expectComplete(const std::string& key, const ScatterView& view) {
  EXPECT_FALSE(view.channel.empty() || view.x.title.empty() || view.y.title.empty()) << key;
  EXPECT_EQ(view.value_channel.empty(), view.value.title.empty()) << key << ": what the colours are";
}
void expectComplete(const std::string& key, const LinkedView& view) {
  EXPECT_GE(view.panels.size(), 2u) << key;
  for (const Panel& panel : view.panels) {
    EXPECT_TRUE(panel.width > 0 && panel.height > 0 && panel.left >= 0 && panel.top >= 0) << panel.view;
    EXPECT_LE(panel.left + panel.width, 1 + 1e-9) << panel.view;
    EXPECT_LE(panel.top + panel.height, 1 + 1e-9) << panel.view;
  }
}

void expectComplete(const std::vector<PathInfo>& paths) {
  for (const PathInfo& path : paths) {
    EXPECT_FALSE(path.channel.empty());
    EXPECT_FALSE(path.title.empty()) << path.channel << ": the legend's name";
    EXPECT_GE(path.colour, 0) << path.channel;
  }
}

TEST_P(DescriptionContract, ViewsAreCompleteAndLinkedOnesStayWithinTheFigure) {
  const Description& d = description();
  KeyList keys;
  for (const View& view : d.views) {
    keys.add(view.key, view.title);
    std::visit([&](const auto& kind) { expectComplete(view.key, kind); }, view.kind);
    expectComplete(pathsOf(view));
    EXPECT_NO_THROW(d.panelsOf(view)) << view.key;
  }
  ASSERT_FALSE(d.views.empty());
}

TEST_P(DescriptionContract, ToolsActOnViewsThatExist) {
  const KeyList views = singleViews(description());
  KeyList tools;
  for (const ToolInfo& tool : description().tools) {
    tools.add(tool.key, tool.title);
    if (!tool.view.empty()) {
      EXPECT_TRUE(views.has(tool.view)) << tool.key << " acts on " << tool.view;
    }
  }
}

TEST_P(DescriptionContract, PresetsAreValidAndComplete) {
  const Description& d = description();
  ASSERT_FALSE(d.presets.empty());
  KeyList keys;
  for (const Preset& preset : d.presets) {
    keys.add(preset.key, preset.title);
    EXPECT_FALSE(preset.summary.empty()) << preset.key;
    EXPECT_GE(preset.steps_per_frame, 1) << preset.key;
    EXPECT_GE(preset.frames, 1) << preset.key;
    EXPECT_NO_THROW(d.requireValid(d.preset(preset.key))) << preset.key;
    const std::vector<std::string> views = d.viewKeys();
    if (!preset.view.empty()) {
      EXPECT_THAT(views, testing::Contains(preset.view)) << preset.key;
    }
    if (preset.camera) {
      EXPECT_TRUE(std::any_of(d.views.begin(), d.views.end(), [](const View& view) { return view.as<PointView>(); }))
          << preset.key << ": a camera looks at points";
      EXPECT_LE(std::abs(preset.camera->elevation), 90) << preset.key;
      EXPECT_GT(preset.camera->zoom, 0) << preset.key;
    }
  }
}

TEST_P(DescriptionContract, MemoryIsKnownForEverySizeAndGrowsWithIt) {
  const Description& d = description();
  if (!d.memory) return;
  ASSERT_FALSE(d.size_key.empty()) << "what is made smaller to fit";
  ParameterSet set = d.defaults();
  const ParameterInfo& size = set.infos()[set.find(d.size_key)];
  EXPECT_EQ(size.kind, Kind::Integer);
  EXPECT_EQ(size.applies, Applies::OnReset);
  for (const compute::Backend backend : {compute::Backend::Cpu, compute::Backend::Cuda}) {
    double smallest = 0;
    for (const Value& value : extremes(size)) {
      set.set(d.size_key, value);
      const double bytes = d.memory(set, backend);
      EXPECT_TRUE(std::isfinite(bytes)) << toText(value);
      EXPECT_GT(bytes, smallest) << toText(value);
      smallest = bytes;
    }
  }
}

TEST_P(DescriptionContract, BoundsAreAcceptedByTheSetAndTheSimulation) {
  const compute::DevicePtr device = compute::Device::open("cpu", 2);
  for (const ParameterInfo& info : *description().parameters) {
    for (const Value& value : extremes(info)) {
      SCOPED_TRACE(info.key + " = " + toText(value));
      ParameterSet set = small();
      ASSERT_NO_THROW(set.set(info.key, value));
      ASSERT_NO_THROW(set.setText(info.key, toText(value)));
      EXPECT_EQ(set.get(info.key), value) << "the printed text reads back the same";
      if (!affordable(description(), set)) continue;
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

// Wherever a formula matters, a text that is none is refused before there is a run, and by its key.
TEST_P(DescriptionContract, WhatIsNoFormulaIsRefusedByTheDescription) {
  bool any = false;
  const ParameterSet base = small();
  for (std::size_t index = 0; index < base.size(); ++index) {
    const ParameterInfo& info = base.infos()[index];
    if (info.text_use != TextUse::Formula) continue;
    for (std::size_t chooser = 0; chooser < base.size(); ++chooser) {
      for (const Choice& choice : base.infos()[chooser].choices) {
        ParameterSet set = base;
        set.set(chooser, choice.key);
        if (!set.matters(index)) continue;
        any = true;
        EXPECT_NO_THROW(description().requireValid(set)) << choice.key;
        set.set(index, std::string("x +* y"));
        EXPECT_EQ(tests::refusedParameter([&] { description().requireValid(set); }), info.key) << choice.key;
      }
    }
  }
  if (!any) GTEST_SKIP() << "takes no formula";
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
    Stepper stepper(description(), device, small(), 1);
    stepper.step(2);
    for (const Value& value : extremes(info)) {
      SCOPED_TRACE(info.key + " = " + toText(value));
      ParameterSet set = small();
      set.set(info.key, value);
      if (!affordable(description(), set)) continue;
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
