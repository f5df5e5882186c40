// nbody, whose forces the ranks divide: reports, snapshots, tables, and pictures are those of one process to the bit.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test::bodies {
namespace {

using cli_test::contentOf;
using cli_test::reportIn;
using cli_test::told;

const Arguments kCpu{"--device", "cpu"};

Arguments filesOf(const std::string& name) {
  return {"--report", name + ".json", "--save-snapshot", name + ".npz"};
}

void expectSameFiles(const Folder& folder, const std::string& many, const std::string& one) {
  EXPECT_EQ(reportIn(folder / (many + ".json")), reportIn(folder / (one + ".json")));
  // Not EXPECT_EQ, which would print all bytes.
  EXPECT_TRUE(contentOf(folder / (many + ".npz")) == contentOf(folder / (one + ".npz"))) << many << ".npz";
}

struct Case {
  const char* name;
  Arguments changes;  // of nbody
  std::vector<int> ranks;
  const char* steps = "4";
};

Arguments preset(const char* key, const Arguments& changes = {}) {
  Arguments all{"--preset", key};
  for (const std::string& each : changes) all = all + Arguments{"--set", each};
  return all;
}

// Every preset, with numbers of bodies that neither ranks, nor threads, nor vectors divide.
const Case kCases[] = {
    {"all_pairs", preset("plummer", {"bodies=1003"}), {2, 3, 4}},
    {"tree", preset("galaxies_million", {"bodies=3001"}), {2, 3, 4}},
    {"two_galaxies", preset("two_galaxies", {"bodies=397"}), {4}},
    {"cold_sphere", preset("cold_sphere", {"bodies=203"}), {3}},
    {"ring", preset("ring", {"bodies=131", "method=tree", "opening_angle=0.9"}), {2}},
    {"random", preset("random", {"bodies=501", "integrator=yoshida4"}), {3}},
    {"plasma", preset("plasma", {"bodies=601", "method=tree"}), {4}},
    {"coulomb_explosion", preset("coulomb_explosion", {"bodies=301"}), {2}},
    // Blocks of 32 or 64 bodies: some ranks have none.
    {"fewer_blocks_than_ranks", preset("plummer", {"bodies=65"}), {4}},
    {"fewer_groups_than_ranks", preset("plummer", {"bodies=65", "method=tree"}), {4}},
    // A few are computed by every rank alike.
    {"kepler", preset("kepler"), {3}, "400"},
    {"figure_eight", preset("figure_eight"), {4}, "400"},
    {"solar_system", preset("solar_system"), {2}, "400"},
    {"inner_planets", preset("inner_planets"), {2}, "400"},
};
class RanksBodies : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, RanksBodies, testing::ValuesIn(kCases),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(RanksBodies, GiveTheSameForAnyNumberOfRanks) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Arguments run = Arguments{"run", "nbody"} + GetParam().changes + Arguments{"--steps", GetParam().steps} + kCpu;
  const Outcome one = alone(folder, run + filesOf("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  for (const int ranks : GetParam().ranks) {
    SCOPED_TRACE(ranks);
    const std::string name = "n" + std::to_string(ranks);
    const Outcome many = mpirun(folder, ranks, run + filesOf(name));
    ASSERT_EQ(many.status, 0) << told(many);
    expectSameFiles(folder, name, "one");
  }
}

TEST(RanksBodiesSnapshot, IsOpenedByAnyNumberOfRanks) {
  SIMSCOPE_NEEDS_MPI();
  for (const char* const method : {"method=direct", "method=tree"}) {
    SCOPED_TRACE(method);
    const Folder folder;
    const Arguments begin = Arguments{"run", "nbody"} + preset("two_galaxies", {"bodies=701", method}) + kCpu;
    const Arguments on{"--steps", "3", "--device", "cpu"};
    const auto good = [](const Outcome& outcome) { ASSERT_EQ(outcome.status, 0) << told(outcome); };
    good(alone(folder, begin + Arguments{"--steps", "6"} + filesOf("whole")));
    good(mpirun(folder, 3, begin + Arguments{"--steps", "3"} + filesOf("half")));
    good(alone(folder, Arguments{"run", "half.npz"} + on + filesOf("by_one")));
    good(mpirun(folder, 2, Arguments{"run", "half.npz"} + on + filesOf("by_two")));
    EXPECT_TRUE(contentOf(folder / "by_one.npz") == contentOf(folder / "whole.npz"));
    expectSameFiles(folder, "by_two", "by_one");
  }
}

// Sixty-four are a few, the launched one makes them many; then the heavy ones, the edits, and live parameters.
const char* const kScene = R"({
  "simscope": 1, "simulation": "nbody", "preset": "plummer",
  "parameters": {"bodies": 64, "time_step": 0.01},
  "keyframes": [{"parameter": "softening", "points": [[0.08, 0.01], [0.1, 0.05]]}],
  "strokes": [{"tool": "launch", "events": [{"step": 2, "x": 0.5, "y": 0.25, "dx": 0.2}]},
              {"tool": "star", "events": [{"step": 3, "x": -0.5, "dy": 0.1}, {"step": 3, "x": 0.5, "y": -1}]},
              {"tool": "velocity", "events": [{"step": 5, "object": 7, "dx": 0.3, "dy": -1.2}]},
              {"tool": "mass", "events": [{"step": 6, "object": 64, "strength": 0.5}]}]
})";

TEST(RanksBodiesStrokes, LaunchedAndEditedBodiesAndKeyframesAreThoseOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  std::ofstream(folder / "scene.json") << kScene;
  const Arguments run = Arguments{"run", "scene.json", "--steps", "14"} + kCpu;
  const Outcome one = alone(folder, run + filesOf("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  ASSERT_EQ(one.err, "");
  EXPECT_EQ(reportIn(folder / "one.json").at("diagnostics").at("bodies"), 67);
  for (const int ranks : {2, 3}) {
    const std::string name = "n" + std::to_string(ranks);
    const Outcome many = mpirun(folder, ranks, run + filesOf(name));
    ASSERT_EQ(many.status, 0) << told(many);
    expectSameFiles(folder, name, "one");
  }
}

// The table asks for the potential at every frame, which steps of all pairs leave out, and all ranks find it.
TEST(RanksBodiesRender, PicturesAndTablesAreThoseOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const auto film = [](const std::string& name, const char* method) {
    return Arguments{"render", "nbody"} + preset("two_galaxies", {"bodies=1201", method}) +
           Arguments{"--view", "acceleration", "--frames", "3",           "--steps-per-frame",
                     "2",      "--size",       "320x240",  "--device",    "cpu",
                     "--out",  name + ".gif",  "--out",    name + ".csv", "--first-frame",
                     "1"};
  };
  for (const char* const method : {"method=direct", "method=tree"}) {
    SCOPED_TRACE(method);
    const Outcome one = alone(folder, film(std::string("one_") + method, method));
    ASSERT_EQ(one.status, 0) << told(one);
    const Outcome three = mpirun(folder, 3, film(std::string("three_") + method, method));
    ASSERT_EQ(three.status, 0) << told(three);
    for (const char* const ending : {".gif", ".csv"}) {
      EXPECT_TRUE(contentOf(folder / (std::string("three_") + method + ending)) ==
                  contentOf(folder / (std::string("one_") + method + ending)))
          << ending;
    }
  }
}

}  // namespace
}  // namespace simscope::ranks_test::bodies
