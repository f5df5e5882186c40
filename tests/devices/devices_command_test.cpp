// --device cpu+cpu: reports, snapshots, pictures, and tables are those of one device; what cannot be divided is
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace simscope::devices_test {
namespace {

using cli_test::Arguments;
using cli_test::contentOf;
using cli_test::Folder;
using cli_test::Outcome;
using cli_test::operator+;
using cli_test::simscope;
using cli_test::told;
using testing::HasSubstr;

// Without what depends on the device.
nlohmann::json reportOf(const std::filesystem::path& file) {
  auto report = cli_test::reportIn(file);
  for (const char* const key : {"device", "device_name"}) report.erase(key);
  return report;
}

struct Case {
  const char* name;
  Arguments run;
};
const Case kCases[] = {
    {"heat", {"heat", "--set", "grid_points=203", "--set", "boundary=insulated", "--set", "initial=random"}},
    {"adi",
     {"heat", "--set", "grid_points=97", "--set", "scheme=adi", "--set", "time_step_fraction=3", "--set",
      "boundary=insulated"}},
    {"maze", {"reaction_diffusion", "--preset", "maze", "--set", "grid_points=64"}},
    {"all_pairs", {"nbody", "--preset", "plummer", "--set", "bodies=1003"}},
    {"tree", {"nbody", "--preset", "galaxies_million", "--set", "bodies=3001"}},
    {"darts", {"monte_carlo_pi", "--set", "chains=5", "--set", "darts_per_step=7001"}},
};
class Together : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Together, testing::ValuesIn(kCases),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(Together, WriteTheFilesOfOneDevice) {
  const Folder folder;
  const auto files = [](const std::string& name) {
    return Arguments{"--report", name + ".json", "--save-snapshot", name + ".npz"};
  };
  const Arguments run = Arguments{"run"} + GetParam().run + Arguments{"--steps", "7", "--seed", "11"};
  const Outcome one = simscope(folder, run + Arguments{"--device", "cpu"} + files("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  for (const char* const spec : {"cpu+cpu", "cpu+cpu+cpu"}) {
    SCOPED_TRACE(spec);
    const Outcome many = simscope(folder, run + Arguments{"--device", spec} + files(spec));
    ASSERT_EQ(many.status, 0) << told(many);
    EXPECT_EQ(reportOf(folder / (std::string(spec) + ".json")), reportOf(folder / "one.json"));
    EXPECT_TRUE(contentOf(folder / (std::string(spec) + ".npz")) == contentOf(folder / "one.npz"));
    const auto report = nlohmann::json::parse(contentOf(folder / (std::string(spec) + ".json")));
    EXPECT_EQ(report["timing"]["ranks"], std::count(spec, spec + std::string_view(spec).size(), '+') + 1);
    EXPECT_EQ(report["timing"]["link"], "host memory");
  }
  // What one device wrote several go on with, and the other way round.
  const auto on = [&](const char* file, const char* device, const char* to) {
    const Outcome outcome = simscope(folder, {"run", file, "--steps", "3", "--device", device, "--save-snapshot", to});
    EXPECT_EQ(outcome.status, 0) << told(outcome);
    return contentOf(folder / to);
  };
  EXPECT_TRUE(on("one.npz", "cpu+cpu", "a.npz") == on("cpu+cpu+cpu.npz", "cpu", "b.npz"));
}

TEST(TogetherRender, PicturesAreThoseOfOneDeviceToThePixel) {
  const Folder folder;
  const Arguments runs[] = {
      {"heat", "--preset", "house", "--set", "grid_points=300"},
      {"nbody", "--preset", "two_galaxies", "--set", "bodies=397"},
      {"monte_carlo_pi", "--set", "chains=40", "--set", "darts_per_step=2000"},
  };
  int number = 0;
  for (const Arguments& run : runs) {
    const auto film = [&](const char* device, const std::string& name) {
      const Outcome outcome =
          simscope(folder, Arguments{"render"} + run +
                               Arguments{"--frames", "4", "--steps-per-frame", "5", "--size", "320x240", "--seed", "5",
                                         "--device", device, "--out", name + ".gif", "--out", name + ".csv"});
      EXPECT_EQ(outcome.status, 0) << told(outcome);
      return contentOf(folder / (name + ".gif")) + contentOf(folder / (name + ".csv"));
    };
    const std::string name = std::to_string(number++);
    EXPECT_TRUE(film("cpu", "one" + name) == film("cpu+cpu", "two" + name)) << run[0];
  }
}

// The run is made more than once, by all of them.
TEST(TogetherRender, ABoundedGifIsThatOfOneDevice) {
  const Folder folder;
  const auto film = [&](const char* device, const char* name) {
    const Outcome outcome = simscope(folder, {"render", "heat", "--set", "grid_points=129", "--frames", "12", "--size",
                                              "480x300", "--device", device, "--out", name, "--max-bytes", "40K"});
    EXPECT_EQ(outcome.status, 0) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("to stay within")) << "it takes a second pass";
    return contentOf(folder / name);
  };
  EXPECT_TRUE(film("cpu", "one.gif") == film("cpu+cpu", "two.gif"));
}

// Each device makes some of the runs: of any simulation, side by side in batches or one by one.
TEST(TogetherSweep, TablesAreThoseOfOneDevice) {
  const Folder folder;
  const Arguments sweeps[] = {
      {"tunneling", "--param", "packet_momentum=1:2:7", "--measure", "transmission", "--steps", "20"},
      {"heat", "--set", "grid_points=65", "--param", "diffusivity=1:2:5", "--measure", "center", "--steps", "9"},
      {"reaction_diffusion", "--set", "grid_points=64", "--param", "diffusion_u=0.1:0.2:3", "--measure", "mean_u",
       "--steps", "5"},
  };
  int number = 0;
  for (const Arguments& sweep : sweeps) {
    const auto table = [&](const char* device, const std::string& name, const Arguments& more = {}) {
      return simscope(folder,
                      Arguments{"sweep"} + sweep + Arguments{"--device", device, "--out", name + ".csv"} + more);
    };
    const std::string name = std::to_string(number++);
    const Outcome one = table("cpu", "one" + name);
    ASSERT_EQ(one.status, 0) << told(one);
    for (const Arguments& more : {Arguments{}, Arguments{"--one-by-one"}}) {
      const Outcome two = table("cpu+cpu", "two" + name, more + Arguments{"--force"});
      ASSERT_EQ(two.status, 0) << told(two);
      EXPECT_EQ(contentOf(folder / ("two" + name + ".csv")), contentOf(folder / ("one" + name + ".csv"))) << sweep[0];
    }
  }
}

TEST(TogetherRefused, OnceWithTheListOfThoseThatCan) {
  const Folder folder;
  const Outcome outcome =
      simscope(folder, {"run", "lorentz", "--steps", "1", "--device", "cpu+cpu", "--report", "r.json"});
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  for (const char* const each : {"--device: a run of lorentz cannot be divided among devices", "heat", "nbody",
                                 "maxwell_boltzmann (with model=", "simscope sweep", "device for this: cpu"}) {
    EXPECT_THAT(outcome.err, HasSubstr(each)) << told(outcome);
  }
  const Outcome small = simscope(folder, {"run", "heat", "--set", "grid_points=64", "--steps", "1", "--device",
                                          "cpu+cpu+cpu+cpu+cpu", "--report", "r.json"});
  EXPECT_EQ(small.status, 2) << told(small);
  EXPECT_THAT(small.err, HasSubstr("can be divided among at most 4 devices, not among 5: take fewer, or give it"))
      << told(small);
  const Outcome lab = simscope(folder, {"lab", "field", "--device", "cuda:0+1"});
  EXPECT_EQ(lab.status, 2) << told(lab);
  EXPECT_TRUE(folder.names().empty());
}

TEST(TogetherRefused, WrongNamesGetTheNearest) {
  const Folder folder;
  const auto asked = [&](const char* spec) {
    const Outcome outcome = simscope(folder, {"run", "heat", "--steps", "1", "--device", spec});
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    return outcome.err;
  };
  EXPECT_THAT(asked("cpu+cup"), HasSubstr("did you mean 'cpu+cpu'?"));
  EXPECT_THAT(asked("cuda:0+x"), HasSubstr("did you mean 'cuda:0+1'?"));
  EXPECT_THAT(asked("cuda:al"), HasSubstr("did you mean 'cuda:all'?"));
  EXPECT_THAT(asked("cuda+cuda"), HasSubstr("cuda:0+1, cuda:all, cpu+cpu"));
  EXPECT_THAT(simscope(folder, {"devices"}).out, HasSubstr("--device cpu+cpu"));
}

// One device fails in the middle of a command: said once, and nothing is left behind.
TEST(TogetherFailure, EndsTheCommandOnceAndLeavesNothing) {
  const Folder folder;
  for (const char* const fault : {"rank:9", "rank_memory:9"}) {
    cli_test::Settings settings;
    settings.environment["SIMSCOPE_FAULT"] = fault;
    const Outcome outcome =
        simscope(folder, {"run", "heat", "--steps", "100000", "--device", "cpu+cpu", "--report", "r.json"}, settings);
    EXPECT_EQ(outcome.status, 1) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("cpu: ")) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("for a test")) << told(outcome);
    EXPECT_TRUE(folder.names().empty());
  }
}

}  // namespace
}  // namespace simscope::devices_test
