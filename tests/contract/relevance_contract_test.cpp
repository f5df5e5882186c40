// What a description says to be irrelevant is so: whatever its value, the run, its picture, its diagnostics, and its
// advice are the same to the bit. And what has a condition matters somewhere.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

constexpr int kFirstSteps = 3, kMoreSteps = 2;

// All that can be seen of a run: by what it is, as bytes.
using Seen = std::map<std::string, std::string>;

template <class T>
std::string bytesOf(const T* values, std::size_t count) {
  return std::string(reinterpret_cast<const char*>(values), count * sizeof(T));
}

Seen seenOf(Stepper& stepper, bool picture) {
  Seen seen;
  const State state = stepper.save();
  for (const StateArray& array : state.arrays) {
    seen["state " + array.name] = bytesOf(array.bytes.data(), array.bytes.size());
  }
  seen["time"] = bytesOf(&state.time, 1);
  const std::vector<double>& values = stepper.diagnostics();
  const auto& infos = stepper.simulation().description().diagnostics;
  for (std::size_t i = 0; i < values.size(); ++i) {
    seen["diagnostic " + infos[i].key] = std::isnan(values[i]) ? "none" : bytesOf(&values[i], 1);
  }
  std::string advice;
  for (const Finding& each : stepper.findings()) advice += each.code + each.message + each.key + each.value + "\n";
  seen["advice"] = advice;
  if (!picture) return seen;
  Frame frame;
  stepper.present(frame);
  frame.device->run([&] {
    for (const Channel& channel : frame.channels) {
      const std::vector<float> data = channel.data.toHost();
      const double numbers[] = {channel.x_min, channel.x_max, channel.y_min,       channel.y_max,
                                channel.low,   channel.high,  double(channel.form)};
      seen["channel " + channel.key] = bytesOf(data.data(), data.size()) + bytesOf(numbers, std::size(numbers));
    }
  });
  return seen;
}

// The first thing that differs; empty: none.
std::string firstDifference(const Seen& a, const Seen& b) {
  if (a.size() != b.size()) return "what there is to see";
  for (const auto& [what, bytes] : a) {
    const auto other = b.find(what);
    if (other == b.end() || other->second != bytes) return what;
  }
  return {};
}

compute::DevicePtr processor() {
  static const compute::DevicePtr device = compute::Device::open("cpu", 2);
  return device;
}

struct Look {
  std::uint64_t seed = 1;
  bool picture = false;  // which costs most
};

// After some steps, in whose midst live parameters may become those of `later`.
Seen runOf(const Description& description, const ParameterSet& set, const ParameterSet& later, Look look = {}) {
  Stepper stepper(description, processor(), set, look.seed);
  stepper.step(kFirstSteps);
  if (!(later == set)) stepper.configure(later);
  stepper.step(kMoreSteps);
  return seenOf(stepper, look.picture);
}
Seen runOf(const Description& description, const ParameterSet& set, Look look = {}) {
  return runOf(description, set, set, look);
}

// A picture for those that take one: half of it bright. Its name is this process's own, for tests run side by side.
const std::string& pictureFile() {
  struct File {
    std::string name = testing::TempDir() + "relevance_contract_" + std::to_string(getpid()) + ".pgm";
    File() {
      std::ofstream(name, std::ios::binary) << "P5\n4 2\n255\n" << std::string(3, '\x7f') << "\xff\xff\x01\x01\x40";
    }
    ~File() { std::remove(name.c_str()); }
  };
  static const File file;
  return file.name;
}

// A table for those that take one: events with a pair of leptons each.
const std::string& tableFile() {
  struct File {
    std::string name = testing::TempDir() + "relevance_contract_" + std::to_string(getpid()) + ".csv";
    File() {
      std::ofstream file(name);
      file << "pt1,eta1,phi1,charge1,pt2,eta2,phi2,charge2\n";
      for (int i = 0; i < 700; ++i) {
        file << 40 + i % 13 << ',' << 0.1 * (i % 7) << ",0.1,-1," << 45 + i % 5 << ',' << 0.1 * (i % 3) << ",3,1\n";
      }
    }
    ~File() { std::remove(name.c_str()); }
  };
  static const File file;
  return file.name;
}

// Other values than the present one: extremes, other choices, texts that nothing can be made of.
std::vector<Value> othersThan(const ParameterInfo& info, const Value& present) {
  std::vector<Value> values;
  switch (info.kind) {
    case Kind::Flag:
      values = {true, false};
      break;
    case Kind::Integer:
      values = {static_cast<std::int64_t>(info.minimum), static_cast<std::int64_t>(info.maximum)};
      break;
    case Kind::Real:
      values = {info.minimum, info.maximum};
      break;
    case Kind::Choice:
      values = {info.choices.front().key, info.choices.back().key};
      break;
    case Kind::Text:
      values = {std::string("/no such file or formula ("), std::string()};
      break;
  }
  std::erase(values, present);
  return values;
}

std::vector<std::size_t> irrelevantOf(const ParameterSet& set) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!set.matters(i)) indices.push_back(i);
  }
  return indices;
}

ParameterSet shrunk(const Description& description, ParameterSet set) {
  shrink(description, set, smallSize(description, 128));
  return set;
}

struct Case {
  const Description* description;
  std::string name;
  ParameterSet set;
};

// The presets, and the defaults with each of their choices, at sizes that cost little.
std::vector<Case> casesOf(const Description& d) {
  std::vector<Case> cases;
  for (const Preset& preset : d.presets) cases.push_back({&d, preset.key, shrunk(d, d.preset(preset.key))});
  for (const ParameterInfo& info : *d.parameters) {
    for (const Choice& choice : info.choices) {
      ParameterSet set = shrunk(d, d.defaults());
      set.set(info.key, choice.key);
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (set.infos()[i].text_use == TextUse::ImageFile && set.matters(i)) set.set(i, pictureFile());
        if (set.infos()[i].text_use == TextUse::DataFile && set.matters(i)) set.set(i, tableFile());
      }
      cases.push_back({&d, info.key + "=" + choice.key, std::move(set)});
    }
    if (info.kind != Kind::Flag) continue;
    ParameterSet set = shrunk(d, d.defaults());
    set.set(info.key, !set.flag(info.key));
    cases.push_back({&d, info.key + "=" + toText(set.get(info.key)), std::move(set)});
  }
  return cases;
}

class RelevanceContract : public testing::TestWithParam<const Description*> {
 protected:
  const Description& description() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Every, RelevanceContract, testing::ValuesIn(everySimulation()), testName);

// The run is compared at once with all that is irrelevant at other values; where that differs, with each of them.
void expectNothingChanges(const Case& each, const std::vector<std::size_t>& indices, bool picture) {
  const Description& d = *each.description;
  const Seen plain = runOf(d, each.set), drawn = picture ? runOf(d, each.set, {.picture = true}) : plain;
  for (const bool last : {false, true}) {
    const auto changed = [&](const std::vector<std::size_t>& which, bool live) {
      ParameterSet set = each.set;
      for (const std::size_t i : which) {
        const std::vector<Value> others = othersThan(set.infos()[i], set[i]);
        if (others.empty() || (live && set.infos()[i].applies == Applies::OnReset)) continue;
        set.set(i, last ? others.back() : others.front());
      }
      return set;
    };
    const auto difference = [&](const std::vector<std::size_t>& which, bool live) {
      const ParameterSet set = changed(which, live);
      if (live) return firstDifference(plain, runOf(d, each.set, set));
      const Look look{.picture = picture && last};
      return firstDifference(look.picture ? drawn : plain, runOf(d, set, look));
    };
    for (const bool live : {false, true}) {
      const std::string together = difference(indices, live);
      if (together.empty()) continue;
      ADD_FAILURE() << together << " differs" << (live ? ", set while the run went on" : "");
      for (const std::size_t i : indices) {
        EXPECT_EQ(difference({i}, live), "") << each.set.infos()[i].key << " = " << toText(changed({i}, live)[i])
                                             << (live ? ", set while the run went on" : "");
      }
    }
  }
}

TEST_P(RelevanceContract, WhatIsIrrelevantChangesNothing) {
  int tried = 0;
  std::set<std::vector<std::size_t>> drawn;
  for (const Case& each : casesOf(description())) {
    SCOPED_TRACE(each.name);
    const std::vector<std::size_t> indices = irrelevantOf(each.set);
    if (indices.empty()) continue;
    expectNothingChanges(each, indices, drawn.insert(indices).second);
    ++tried;
  }
  const auto& infos = *description().parameters;
  const auto conditional = [](const ParameterInfo& info) { return !info.relevant.always(); };
  if (std::any_of(infos.begin(), infos.end(), conditional)) {
    EXPECT_GT(tried, 0);
  }
}

TEST_P(RelevanceContract, WhatIsConditionalMattersSomewhere) {
  const std::vector<Case> cases = casesOf(description());
  for (const ParameterInfo& info : *description().parameters) {
    if (info.relevant.always()) continue;
    bool changes = false;
    for (const Case& each : cases) {
      const std::size_t index = each.set.find(info.key);
      if (changes || !each.set.matters(index)) continue;
      try {
        const Seen plain = runOf(description(), each.set);
        for (const Value& other : othersThan(info, each.set[index])) {
          ParameterSet set = each.set;
          set.set(index, other);
          const bool large = description().memory && description().memory(set, compute::Backend::Cpu) > 64e6;
          if (!large) changes = changes || !firstDifference(plain, runOf(description(), set)).empty();
          // What only colours changes nothing but the picture.
          if (large || changes) continue;
          const Look look{.picture = true};
          changes = !firstDifference(runOf(description(), each.set, look), runOf(description(), set, look)).empty();
        }
      } catch (const ParameterError& error) {
        changes = changes || error.key() == info.key;
      }
    }
    EXPECT_TRUE(changes) << info.key << " (with " << typedText(info.relevant) << ") changes nothing anywhere";
  }
}

TEST_P(RelevanceContract, TheSeedMattersWhereItIsSaidToAndNowhereElse) {
  for (const Case& each : casesOf(description())) {
    SCOPED_TRACE(each.name);
    const Seen one = runOf(description(), each.set), other = runOf(description(), each.set, {.seed = 2});
    const std::string differs = firstDifference(one, other);
    EXPECT_EQ(description().random.holds(each.set), !differs.empty()) << differs;
  }
}

TEST_P(RelevanceContract, IrrelevantExactValuesAndErrorsAreNone) {
  for (const Preset& preset : description().presets) {
    const ParameterSet set = shrunk(description(), description().preset(preset.key));
    Stepper stepper(description(), processor(), set, 1);
    stepper.step(kFirstSteps);
    const std::vector<double>& values = stepper.diagnostics();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const DiagnosticInfo& info = description().diagnostics[i];
      if (info.relevant.holds(set)) continue;
      const bool judges = !info.exact_of.empty() || info.bound > 0;
      EXPECT_TRUE(!judges || std::isnan(values[i])) << preset.key << ": " << info.key << " = " << values[i];
    }
  }
}

TEST_P(RelevanceContract, TimeGoesOnByTheTimeStep) {
  ASSERT_NE(description().time_step, nullptr);
  for (const Case& each : casesOf(description())) {
    SCOPED_TRACE(each.name);
    Stepper stepper(description(), processor(), each.set, 1);
    stepper.step(1);
    const double before = stepper.simulation().time(), step = stepper.simulation().timeStep();
    EXPECT_GT(step, 0);
    stepper.step(kFirstSteps);
    EXPECT_NEAR(stepper.simulation().time() - before, kFirstSteps * step, 1e-9 * kFirstSteps * step);
  }
  Stepper stepper(description(), processor(), shrunk(description(), description().defaults()), 1);
  Frame frame;
  stepper.present(frame);
  EXPECT_EQ(frame.time_step, stepper.simulation().timeStep());
}

// Of everything that has a condition: what it is, and the condition.
std::vector<std::pair<std::string, const Relevance*>> conditionsOf(const Description& d) {
  std::vector<std::pair<std::string, const Relevance*>> all{{"the seed", &d.random}};
  for (const ParameterInfo& info : *d.parameters) {
    all.emplace_back(info.key, &info.relevant);
    for (const Alias& alias : info.aliases) all.emplace_back(info.key + "'s name", &alias.when);
  }
  for (const DiagnosticInfo& info : d.diagnostics) all.emplace_back(info.key, &info.relevant);
  for (const ToolInfo& tool : d.tools) all.emplace_back(tool.key, &tool.relevant);
  for (const View& view : d.views) {
    for (const PathInfo& path : pathsOf(view)) all.emplace_back(path.channel, &path.relevant);
    const auto* curves = view.as<CurveView>();
    if (!curves) continue;
    for (const TraceInfo& trace : curves->traces) all.emplace_back(trace.channel, &trace.relevant);
  }
  return all;
}

TEST_P(RelevanceContract, ConditionsNameParametersAndValuesThatThereAre) {
  const ParameterSet set = description().defaults();
  for (const auto& [what, relevance] : conditionsOf(description())) {
    for (const auto& way : relevance->ways) {
      for (const Condition& condition : way) {
        SCOPED_TRACE(what + ": " + condition.key);
        ASSERT_NO_THROW(set.find(condition.key));
        const ParameterInfo& info = set.infos()[set.find(condition.key)];
        if (condition.values.empty()) {
          EXPECT_TRUE(info.kind == Kind::Integer || info.kind == Kind::Real);
          EXPECT_GE(condition.above, info.minimum);
          EXPECT_LT(condition.above, info.maximum);
        }
        for (const std::string& value : condition.values) {
          ASSERT_NO_THROW(parseValue(info, value)) << value;
          EXPECT_EQ(toText(parseValue(info, value)), value) << "as it is written";
        }
      }
    }
    EXPECT_NO_THROW(relevance->holds(set)) << what;
  }
}

// Whether the way from `key` along conditions comes back to a parameter on it.
bool goesInACircle(const ParameterSet& set, const std::string& key, std::set<std::string> on_the_way) {
  if (!on_the_way.insert(key).second) return true;
  for (const auto& way : set.infos()[set.find(key)].relevant.ways) {
    for (const Condition& condition : way) {
      if (goesInACircle(set, condition.key, on_the_way)) return true;
    }
  }
  return false;
}

TEST_P(RelevanceContract, ConditionsGoInNoCircle) {
  const ParameterSet set = description().defaults();
  for (const ParameterInfo& info : set.infos()) EXPECT_FALSE(goesInACircle(set, info.key, {})) << info.key;
}

TEST_P(RelevanceContract, ChoicesHaveKeysForScriptsAndTitlesForPeople) {
  for (const ParameterInfo& info : *description().parameters) {
    std::set<std::string> keys, titles;
    for (const Choice& choice : info.choices) {
      EXPECT_TRUE(keys.insert(choice.key).second) << info.key << ": " << choice.key << " twice";
      EXPECT_TRUE(titles.insert(choice.title).second) << info.key << ": \"" << choice.title << "\" twice";
      ASSERT_FALSE(choice.title.empty()) << choice.key;
      EXPECT_FALSE(std::islower(static_cast<unsigned char>(choice.title[0]))) << choice.title;
      EXPECT_EQ(choice.title.find('_'), std::string::npos) << choice.title;
    }
    for (const Alias& alias : info.aliases) EXPECT_FALSE(alias.title.empty()) << info.key;
  }
}

TEST_P(RelevanceContract, EveryPresetHasAnEquation) {
  for (const Case& each : casesOf(description())) EXPECT_FALSE(description().equationOf(each.set).empty()) << each.name;
}

}  // namespace
}  // namespace simscope::contract
