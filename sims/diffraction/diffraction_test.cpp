#include "sims/diffraction/diffraction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "sims/core/timeline/stepper.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using testing::HasSubstr;
using tests::Changes;
using tests::hasFinding;
using tests::sameBits;
using tests::Session;

const std::vector<Changes>& variants() {
  static const std::vector<Changes> all = {
      {{"grid_points", "128"}},
      {{"grid_points", "128"}, {"propagation", "angular_spectrum"}, {"distance", "0.01"}},
      {{"grid_points", "64"}, {"propagation", "fresnel"}, {"spectrum", "rgb"}},
      {{"grid_points", "128"}, {"aperture", "double_slit"}, {"spectrum", "white"}},
  };
  return all;
}

TEST(Diffraction, DescriptionIsConsistent) {
  const Description& d = description();
  EXPECT_EQ(d.id, "diffraction");
  EXPECT_EQ(d.diagnostics.size(), static_cast<std::size_t>(kDiagnosticCount));
  EXPECT_EQ(d.diagnostics[kFirstDarkRingExact].key, "first_dark_ring_exact");
  EXPECT_EQ(d.diagnostics[kProbeIntensity].key, "probe_intensity");
  EXPECT_EQ(d.view("").key, "overview");
  for (const Preset& preset : d.presets) EXPECT_NO_THROW(requireUsable(binding().read(d.preset(preset.key))));
}

TEST(Diffraction, PresetsWarnOfNothingOnTheirWay) {
  for (const Preset& preset : description().presets) {
    Timeline timeline;
    timeline.tracks = preset.tracks;
    ASSERT_NO_THROW(timeline.check(description()));
    const ParameterSet base = description().preset(preset.key);
    EXPECT_EQ(timeline.parametersAt(base, 0), base) << preset.key << " begins as its parameters say";
    EXPECT_EQ(timeline.parametersAt(base, 1), base) << preset.key << " ends where it began";
    for (int step = 0; step <= kSweep; step += 2) {
      const Parameters now = binding().read(timeline.parametersAt(base, static_cast<double>(step) / kSweep));
      for (const Finding& finding : findingsFor(now, reachOf(now))) {
        EXPECT_EQ(finding.level, Finding::Level::Note) << preset.key << ", step " << step << ": " << finding.message;
      }
    }
  }
}

// Pattern, curves, and measured values belong to the parameters in force, as the texts do.
TEST(Diffraction, KeyframesMoveThePatternAndWhatIsToldOfIt) {
  Stepper stepper(description(), tests::cpu(), description().preset("pinhole"), 1);
  Timeline timeline;
  timeline.tracks = description().presetInfo("pinhole").tracks;
  stepper.setTimeline(timeline);
  Frame frame;
  stepper.present(frame);
  const std::vector<float> first = tests::channelOf(frame, "cut").data.toHost();
  stepper.step(kSweep / 2);
  stepper.present(frame);
  EXPECT_DOUBLE_EQ(stepper.simulation().time(), 0.5);
  EXPECT_DOUBLE_EQ(frame.parameters.real("distance"), 0.2);
  EXPECT_EQ(frame.followed, (std::vector<std::size_t>{frame.parameters.find("distance")}));
  EXPECT_GT(tests::relativeDifference(tests::channelOf(frame, "cut").data.toHost(), first), 0.1);
  const Parameters p = binding().read(frame.parameters);
  EXPECT_DOUBLE_EQ(stepper.diagnostics()[kFresnelNumber], std::pow(p.metres(0.25), 2) / (p.wavelength * 0.2));

  Session still(
      {{"grid_points", "512"}, {"half_width", "0.001"}, {"propagation", "angular_spectrum"}, {"distance", "0.2"}});
  EXPECT_TRUE(sameBits(still.pattern(), valuesOf<float>(*stepper.save().find("pattern"))));
}

// Keyframes come after a step; what it costs is still the step's, not that of whoever looks at it first.
TEST(Diffraction, AStepOfARunMakesItsPattern) {
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  ParameterSet parameters = description().preset("pinhole");
  parameters.setText("grid_points", "64");
  Stepper stepper(description(), device, parameters, 1);
  Timeline timeline;
  timeline.tracks = description().presetInfo("pinhole").tracks;
  stepper.setTimeline(timeline);
  const auto launchesOf = [&](const auto& work) {
    const std::uint64_t before = device->counters().launches;
    device->run(work);
    return device->counters().launches - before;
  };
  stepper.step(3);
  EXPECT_EQ(launchesOf([&] { stepper.simulation().completeStep(); }), 0u);
  device->run([&] { stepper.simulation().step(1); });
  EXPECT_GT(launchesOf([&] { stepper.simulation().completeStep(); }), 0u) << "otherwise this test says nothing";
}

TEST(Diffraction, EveryViewHasATitleOfItsOwn) {
  std::set<std::string> titles;
  for (const View& view : description().views) EXPECT_TRUE(titles.insert(view.title).second) << view.title;
}

TEST(Diffraction, StepsTogetherAreStepsOneByOneAndAlsoAnotherRun) {
  for (const Changes& changes : variants()) {
    Session together(changes), apart(changes), again(changes);
    const Changes change{{"aperture_radius", "0.2"}, {"slit_separation", "0.25"}, {"distance", "0.012"}};
    for (Session* run : {&together, &again, &apart}) run->change(change);
    together.step(7);
    again.step(7);
    for (int i = 0; i < 7; ++i) {
      apart.step(1);
      apart.diagnostics();
    }
    EXPECT_TRUE(sameBits(together.pattern(), apart.pattern()));
    EXPECT_TRUE(sameBits(together.pattern(), again.pattern()));
  }
}

TEST(Diffraction, ApertureThatShrinksLeavesNothingBehind) {
  for (const char* const kind : {"circle", "grating", "letter"}) {
    const Changes small{
        {"grid_points", "128"}, {"aperture", kind}, {"aperture_radius", "0.1"}, {"slit_separation", "0.1"}};
    Session fresh(small), shrunk(small.with({{"aperture_radius", "0.8"}, {"slit_separation", "0.4"}}));
    shrunk.step(1);
    shrunk.change(small);
    EXPECT_TRUE(sameBits(shrunk.pattern(), fresh.pattern())) << kind;
  }
}

TEST(Diffraction, SavedStateContinuesBitForBit) {
  for (const Changes& changes : variants()) {
    Session whole(changes), first(changes), second(changes);
    for (Session* run : {&whole, &first}) {
      run->poke({.tool = "draw", .x = 1e-4, .y = -2e-4, .radius = 3e-5});
      run->poke({.tool = "erase", .x = 0, .y = 0, .radius = 2e-5});
      run->poke({.tool = "probe", .x = 1e-3, .y = 2e-3});
      run->step(5);
    }
    second.poke({.tool = "draw", .x = -3e-4, .y = 3e-4, .radius = 5e-5});
    second.load(first.save());
    EXPECT_TRUE(sameBits(second.pattern(), first.pattern())) << "as loaded";
    EXPECT_EQ(second.run().time(), first.run().time());
    Frame loaded, shown;
    second.present(loaded);
    first.present(shown);
    for (const Channel& channel : shown.channels) {
      EXPECT_LT(tests::relativeDifference(tests::channelOf(loaded, channel.key).data.toHost(), channel.data.toHost()),
                1e-5)
          << channel.key;
    }
    whole.step(6);
    second.step(6);
    EXPECT_TRUE(sameBits(whole.pattern(), second.pattern()));
    EXPECT_EQ(whole.run().time(), second.run().time());
    const std::vector<double> a = whole.diagnostics(), b = second.diagnostics();
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << description().diagnostics[i].key;
    }
  }
}

TEST(Diffraction, StateThatDoesNotFitIsRefusedAndChangesNothing) {
  Session run({{"grid_points", "64"}}), other({{"grid_points", "128"}});
  run.step(2);
  const std::vector<float> before = run.pattern();
  const State wrong_size = other.save();
  State wrong_type = run.save(), empty = run.save(), foreign = run.save();
  wrong_type.arrays[0].dtype = "<f8";
  empty.arrays.clear();
  foreign.simulation = "heat";
  for (const State& state : {wrong_size, wrong_type, empty, foreign}) EXPECT_THROW(run.load(state), UsageError);
  EXPECT_TRUE(sameBits(run.pattern(), before));
  EXPECT_EQ(run.run().steps(), 2);
}

TEST(Diffraction, LoadedNumbersThatAreNoneAreRefused) {
  Session run({{"grid_points", "64"}});
  const std::vector<float> before = run.pattern();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -1.0f}) {
    State state = run.save();
    std::memcpy(state.arrays[0].bytes.data() + 4000, &bad, sizeof bad);
    EXPECT_THROW(run.load(state), UsageError);
  }
  EXPECT_TRUE(sameBits(run.pattern(), before));
}

// The edges of the box that the mouse has opened: a NaN among them was cast to an index.
TEST(Diffraction, ADrawnBoxOutsideTheGridIsRefused) {
  Session run({{"grid_points", "64"}});
  ASSERT_TRUE(run.poke({.tool = "draw", .x = 1e-5, .y = 0, .radius = 1e-5}));
  const State state = run.save();
  for (std::size_t edge = 3; edge < 7; ++edge) {
    for (const double bad : {std::nan(""), -1.0, 65.0, 1e300, 3.5}) {
      std::vector<double> numbers = valuesOf<double>(*state.find("run"));
      numbers[edge] = bad;
      EXPECT_THROW(run.setValues("run", numbers), UsageError) << edge << ": " << bad;
    }
  }
  EXPECT_TRUE(tests::sameBits(run.save(), state));
}

TEST(Diffraction, ParametersThatNeedAResetAreNotAppliedLive) {
  Session run({{"grid_points", "64"}});
  EXPECT_THROW(run.change({{"grid_points", "128"}}), UsageError);
  EXPECT_EQ(run.run().parameters().integer("grid_points"), 64);
}

TEST(Diffraction, PropagationChangesLiveAndComesBack) {
  Session run({{"grid_points", "128"}});
  const std::vector<float> far = run.pattern();
  for (const char* const propagation : {"angular_spectrum", "fresnel"}) {
    run.change({{"propagation", propagation}});
    EXPECT_GT(tests::relativeDifference(run.pattern(), far), 1e-3);
  }
  run.change({{"propagation", "fraunhofer"}});
  EXPECT_TRUE(sameBits(run.pattern(), far));
}

TEST(Diffraction, FindingsNameTheTroubleAndValuesThatCureIt) {
  const std::vector<Changes> troubled = {
      {{"distance", "0.05"}},
      {{"aperture_radius", "0.8"}, {"distance", "100"}},
      {{"aperture", "grating"}, {"slits", "9"}, {"distance", "100"}},
      {{"aperture", "grating"}, {"slits", "30"}, {"distance", "1000"}},
      {{"aperture", "double_slit"}, {"slit_width", "0.3"}},
      {{"aperture", "slit"}, {"slit_width", "0.004"}, {"grid_points", "256"}},
      {{"propagation", "angular_spectrum"}, {"distance", "3"}},
      {{"propagation", "angular_spectrum"}, {"distance", "0.1"}, {"grid_points", "8192"}},
      {{"propagation", "angular_spectrum"},
       {"distance", "0.0033"},
       {"half_width", "1e-3"},
       {"aperture_radius", "0.6"},
       {"grid_points", "1024"}},
      {{"propagation", "angular_spectrum"},
       {"distance", "1e-4"},
       {"half_width", "1e-2"},
       {"grid_points", "1024"},
       {"aperture", "hexagon"}},
      {{"propagation", "fresnel"}, {"distance", "0.0005"}},
      {{"wavelength", "1e-4"}},
  };
  std::set<std::string> seen;
  for (const Changes& changes : troubled) {
    const ParameterSet set = tests::with(changes);
    const Parameters p = binding().read(set);
    const std::vector<Finding> findings = findingsFor(p, reachOf(p));
    ASSERT_FALSE(findings.empty());
    for (const Finding& finding : findings) {
      seen.insert(finding.code);
      ASSERT_FALSE(finding.key.empty()) << finding.message;
      ParameterSet cured = set;
      cured.setText(finding.key, finding.value);
      const Parameters better = binding().read(cured);
      EXPECT_FALSE(hasFinding(findingsFor(better, reachOf(better)), finding.code))
          << finding.message << " " << finding.key << " = " << finding.value;
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"not_far", "undersampled", "clipped", "slits_overlap", "unresolved",
                                         "not_paraxial", "angles_unresolved", "wide_angles"}));
  EXPECT_TRUE(findingsFor(Parameters{}, reachOf(Parameters{})).empty());
}

TEST(Diffraction, ValuesWithoutMeaningAreNone) {
  int without = 0;
  for (const char* const propagation : {"fraunhofer", "angular_spectrum", "fresnel"}) {
    Session run({{"grid_points", "64"}, {"propagation", propagation}});
    for (const char* const aperture : {"circle", "square", "slit", "double_slit", "grating", "hexagon", "annulus",
                                       "telescope", "zone_plate", "letter"}) {
      run.change({{"aperture", aperture}});
      const std::vector<double> values = run.diagnostics();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const DiagnosticInfo& info = description().diagnostics[i];
        if (info.relevant.holds(run.run().parameters())) continue;
        ++without;
        EXPECT_TRUE(std::isnan(values[i])) << aperture << ", " << propagation << ": " << info.key;
      }
    }
  }
  EXPECT_GT(without, 30);
}

TEST(Diffraction, UndersamplingNamesTheDistanceThatSuffices) {
  const Parameters p = tests::parametersWith({{"propagation", "angular_spectrum"}, {"distance", "3"}});
  const std::vector<Finding> findings = findingsFor(p, reachOf(p));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].key, "distance");
  // Four Fresnel zones between the disc's rim and the edge of what the padded plane holds.
  EXPECT_NEAR(std::stod(findings[0].value), std::pow(1e-3 - 1.25e-4, 2) / (4 * 633e-9), 2e-3);
}

TEST(Diffraction, MemoryGrowsWithTheGridAndCoversWhatIsTaken) {
  for (const char* const propagation : {"fraunhofer", "angular_spectrum"}) {
    const ParameterSet small = tests::with({{"grid_points", "512"}, {"propagation", propagation}});
    const ParameterSet large = tests::with({{"grid_points", "4096"}, {"propagation", propagation}});
    for (const compute::Backend backend : {compute::Backend::Cpu, compute::Backend::Cuda}) {
      const double bytes = memoryBytes(large, backend);
      EXPECT_GT(bytes, memoryBytes(small, backend));
      EXPECT_GT(bytes, 3 * 4.0 * 4096 * 4096);
      EXPECT_LT(bytes, 100.0 * 4096 * 4096);
    }
  }
}

}  // namespace
}  // namespace simscope::diffraction
