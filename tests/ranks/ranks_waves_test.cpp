// Runs whose transforms ranks make together: what they make is what one process makes, within rounding.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <fstream>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using cli_test::contentOf;
using cli_test::told;

class Waves : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Waves, testing::Values(2, 3, 4));

void expectFine(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_NE(outcome.out.find(": fine"), std::string::npos) << told(outcome);
}

TEST_P(Waves, AreTransformedAsTheWholePlaneIs) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  expectFine(mpirun(folder, GetParam(), {"transforms"}, SIMSCOPE_WAVES_PROBE));
}

// A grey disc with a grain, on white.
std::string pictureIn(const Folder& folder) {
  std::ofstream picture(folder / "p.pgm", std::ios::binary);
  picture << "P5\n40 24\n255\n";
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 40; ++x) {
      const bool grey = (x - 20) * (x - 20) + (y - 12) * (y - 12) < 80;
      picture.put(static_cast<char>(grey ? (7 * x + 13 * y) % 256 : 255));
    }
  }
  return (folder / "p.pgm").string();
}

// Every preset, small, every tool and shape, live changes, and a potential that is a picture, which one rank reads.
TEST_P(Waves, GiveTheDiagnosticsFramesAndStatesOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  expectFine(mpirun(folder, GetParam(), {"runs", pictureIn(folder)}, SIMSCOPE_WAVES_PROBE));
}

// Where there are fewer devices than ranks they share them. Coarse: rows that kernels of our own transform.
TEST_P(Waves, GiveThemOnCudaToo) {
  SIMSCOPE_NEEDS_MPI();
  SIMSCOPE_NEEDS_CUDA();
  const Folder folder;
  for (const char* const what : {"transforms", "runs", "patterns", "coarse"}) {
    expectFine(mpirun(folder, GetParam(), {what, pictureIn(folder), "cuda"}, SIMSCOPE_WAVES_PROBE));
  }
}

// The same of diffraction: near and far, drawn on, in colours.
TEST_P(Waves, GiveThePatternsOfOneProcess) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  expectFine(mpirun(folder, GetParam(), {"patterns", pictureIn(folder)}, SIMSCOPE_WAVES_PROBE));
}

TEST_P(Waves, RefuseTogetherWhatOneRankCannotTake) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  expectFine(mpirun(folder, GetParam(), {"refusals"}, SIMSCOPE_WAVES_PROBE));
}

// The numbers of a .npy of single precision (complex ones are two).
std::vector<float> numbersIn(const std::filesystem::path& file) {
  const std::string bytes = contentOf(file);
  if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0) return {};
  std::uint16_t header = 0;
  std::memcpy(&header, bytes.data() + 8, sizeof header);
  std::vector<float> numbers((bytes.size() - 10 - header) / sizeof(float));
  std::memcpy(numbers.data(), bytes.data() + 10 + header, numbers.size() * sizeof(float));
  return numbers;
}
double differenceOf(const std::filesystem::path& one, const std::filesystem::path& other) {
  const std::vector<float> a = numbersIn(one), b = numbersIn(other);
  if (a.empty() || a.size() != b.size()) return NAN;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    norm += std::pow(static_cast<double>(a[i]), 2);
  }
  return std::sqrt(difference / norm);
}

constexpr double kRounding = 1e-5;  // in single precision, of ψ after tens of steps, or of a pattern

// What `simscope run` and `render` are told of a run, and how to film it.
struct Told {
  const char* name;
  Arguments run;
  std::string view;
};
void PrintTo(const Told& run, std::ostream* to) {
  *to << run.name;
}
class WaveRuns : public testing::TestWithParam<Told> {
 protected:
  // Strokes before step 37 and after, across the slabs' edges; a distance on its way.
  WaveRuns() {
    std::ofstream(folder / "drawn.json") << R"({"simscope": 1, "simulation": "diffraction", "parameters":
      {"grid_points": 128, "half_width": 0.001, "propagation": "angular_spectrum", "zoom": 1, "aperture_radius": 0.1},
      "strokes": [{"tool": "draw", "radius": 1e-4, "events": [{"step": 3, "x": 2e-4, "y": -6e-4},
                                                    {"step": 5, "x": 4e-4, "dx": 2e-4, "y": 6e-4, "dy": 12e-4}]},
                  {"tool": "erase", "radius": 1e-4, "events": [{"step": 20, "x": 3e-4}]},
                  {"tool": "draw", "radius": 2e-4, "events": [{"step": 40, "x": -5e-4, "y": 4e-4}]}],
      "keyframes": [{"parameter": "distance", "points": [[0, 0.01], [1, 0.08]]}]})";
  }
  Folder folder;
};
INSTANTIATE_TEST_SUITE_P(
    Of, WaveRuns,
    testing::Values(
        Told{"schrodinger2d", {"schrodinger2d", "--set", "grid_points=128"}, "overview"},
        Told{"far", {"diffraction", "--preset", "airy", "--set", "grid_points=128"}, "overview"},
        Told{"near", {"diffraction", "--preset", "pinhole", "--set", "grid_points=128"}, "overview"},
        Told{"colours", {"diffraction", "--preset", "letter", "--set", "grid_points=128"}, "overview_colour"},
        Told{"drawn", {"drawn.json"}, "overview"}),
    [](const auto& made) { return std::string(made.param.name); });

TEST_P(WaveRuns, WriteReportsStatesAndSnapshotsThatAnyNumberOfRanksOpens) {
  SIMSCOPE_NEEDS_MPI();
  const auto files = [](const std::string& name) {
    return Arguments{"--device", "cpu",         "--report",        name + ".json",
                     "--save",   name + ".npy", "--save-snapshot", name + ".npz"};
  };
  const auto run = [](const char* steps) { return Arguments{"run"} + GetParam().run + Arguments{"--steps", steps}; };
  const Outcome one = alone(folder, run("37") + files("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome three = mpirun(folder, 3, run("37") + files("three"));
  ASSERT_EQ(three.status, 0) << told(three);
  EXPECT_LT(differenceOf(folder / "one.npy", folder / "three.npy"), kRounding);
  const auto report = [&](const std::string& name) { return nlohmann::json::parse(contentOf(folder / name)); };
  const auto of_one = report("one.json").at("diagnostics"), of_three = report("three.json").at("diagnostics");
  ASSERT_EQ(of_one.size(), of_three.size());
  // What three wrote two go on with, and one, alike; and it is the run of one that was never broken off.
  const auto on = [&](const std::string& name) { return Arguments{"run", "three.npz", "--steps", "18"} + files(name); };
  const Outcome two = mpirun(folder, 2, on("two_on"));
  ASSERT_EQ(two.status, 0) << told(two);
  const Outcome lone = alone(folder, on("one_on"));
  ASSERT_EQ(lone.status, 0) << told(lone);
  EXPECT_LT(differenceOf(folder / "one_on.npy", folder / "two_on.npy"), kRounding);
  const Outcome whole = alone(folder, run("55") + files("whole"));
  ASSERT_EQ(whole.status, 0) << told(whole);
  EXPECT_LT(differenceOf(folder / "whole.npy", folder / "two_on.npy"), kRounding);
  EXPECT_GT(differenceOf(folder / "one.npy", folder / "whole.npy"), 0.01);
  const Outcome joined_in = mpirun(folder, 3, Arguments{"run", "one.npz", "--steps", "18"} + files("three_on"));
  ASSERT_EQ(joined_in.status, 0) << told(joined_in);
  EXPECT_LT(differenceOf(folder / "whole.npy", folder / "three_on.npy"), kRounding);
}

// Any step in a run of its own has the same bits, and so have two starts.
TEST_P(WaveRuns, OfSoManyRanksAreTheSameToTheBit) {
  SIMSCOPE_NEEDS_MPI();
  const auto run = [](const std::string& name, const char* steps) {
    return Arguments{"run"} + GetParam().run +
           Arguments{"--steps", steps, "--device", "cpu", "--save", name + ".npy", "--save-snapshot", name + ".npz"};
  };
  for (const char* const each : {"a", "b"}) {
    const Outcome outcome = mpirun(folder, 3, run(each, "20"));
    ASSERT_EQ(outcome.status, 0) << told(outcome);
  }
  EXPECT_EQ(contentOf(folder / "a.npy"), contentOf(folder / "b.npy"));
  ASSERT_EQ(mpirun(folder, 3, run("c", "7")).status, 0);
  ASSERT_EQ(mpirun(folder, 3, {"run", "c.npz", "--steps", "13", "--device", "cpu", "--save", "d.npy"}).status, 0);
  EXPECT_EQ(contentOf(folder / "d.npy"), contentOf(folder / "a.npy"));
}

// The field that is filmed, and the pixels: one process renders what the file holds again.
TEST_P(WaveRuns, AreFilmedAsOneProcessFilmsThem) {
  SIMSCOPE_NEEDS_MPI();
  const auto film = [](const std::string& name) {
    return Arguments{"render"} + GetParam().run +
           Arguments{"--view",  GetParam().view, "--frames", "4",     "--steps-per-frame", "9",     "--size",
                     "320x240", "--device",      "cpu",      "--out", name + ".gif",       "--out", name + ".npy"};
  };
  const Outcome one = alone(folder, film("one"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome three = mpirun(folder, 3, film("three"));
  ASSERT_EQ(three.status, 0) << told(three);
  constexpr double kChannel = 5e-5;  // logarithms of what is nearly dark
  EXPECT_LT(differenceOf(folder / "one.npy", folder / "three.npy"), kChannel);
  const Outcome verified = alone(folder, {"verify", "three.gif", "--device", "cpu"});
  EXPECT_EQ(verified.status, 0) << told(verified);
}

class WavesRefuse : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, WavesRefuse, testing::Values("schrodinger2d", "diffraction"));

TEST_P(WavesRefuse, MoreRanksThanThereArePartsOfARow) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome =
      mpirun(folder, 9, {"run", GetParam(), "--set", "grid_points=64", "--steps", "1", "--save", "s.npy"});
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_EQ(occurrences(outcome.err, "grid_points = 64 can be divided among at most 8 ranks, not among 9"), 1)
      << told(outcome);
  EXPECT_NE(outcome.err.find("or give it grid_points = 128 or more"), std::string::npos) << told(outcome);
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace simscope::ranks_test
