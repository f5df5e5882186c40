// Ranks on CUDA devices: the bits of one device. Where there are as many devices as ranks each has its own, linked by
// NCCL; otherwise they share the first, and what they exchange goes through the host. Without a GPU all are skipped.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

using cli_test::contentOf;
using cli_test::told;

struct CudaCase {
  const char* name;
  Arguments run;
  int steps = 43;  // of several passes, the last of them shorter
};
class RanksOnCuda : public testing::TestWithParam<CudaCase> {};
const CudaCase kCudaCases[] = {
    {"fixed", {"heat", "--set", "grid_points=1024", "--set", "initial=random", "--set", "boundary=fixed"}},
    {"insulated", {"heat", "--set", "grid_points=1024", "--set", "initial=random", "--set", "boundary=insulated"}},
    {"periodic", {"heat", "--set", "grid_points=1000", "--set", "initial=random", "--set", "boundary=periodic"}},
    // No block of a pass fits, or not on all ranks.
    {"odd", {"heat", "--set", "grid_points=203", "--set", "initial=random", "--set", "boundary=periodic"}},
    {"small", {"heat", "--set", "grid_points=240", "--set", "initial=random", "--set", "boundary=insulated"}},
    {"material", {"heat", "--preset", "house", "--set", "grid_points=256"}},
    {"adi_fixed",
     {"heat", "--set", "scheme=adi", "--set", "grid_points=1301", "--set", "initial=random", "--set",
      "boundary=fixed"}},
    {"adi_insulated",
     {"heat", "--set", "scheme=adi", "--set", "grid_points=1408", "--set", "initial=random", "--set",
      "boundary=insulated", "--set", "time_step_fraction=50"}},
    {"adi_periodic",
     {"heat", "--set", "scheme=adi", "--set", "grid_points=1300", "--set", "initial=random", "--set",
      "boundary=periodic", "--set", "time_step_fraction=7"}},
    {"spots", {"reaction_diffusion", "--set", "grid_points=512"}},
    {"few_rows", {"reaction_diffusion", "--preset", "maze", "--set", "grid_points=64"}},
    {"pairs", {"nbody", "--set", "initial=plummer", "--set", "method=direct", "--set", "bodies=5000"}, 7},
    {"tree", {"nbody", "--set", "initial=plummer", "--set", "method=tree", "--set", "bodies=20011"}, 7},
    {"large_tree", {"nbody", "--set", "initial=two_galaxies", "--set", "method=tree", "--set", "bodies=200000"}, 3},
    {"darts", {"monte_carlo_pi", "--set", "chains=5", "--set", "darts_per_step=7001"}, 5},
    {"events", {"histograms", "--set", "events_per_step=20011"}, 5},
    {"gas", {"maxwell_boltzmann", "--set", "molecules=10007"}, 5},
};
INSTANTIATE_TEST_SUITE_P(All, RanksOnCuda, testing::ValuesIn(kCudaCases),
                         [](const auto& made) { return std::string(made.param.name); });

// Numbers of a report: sums over devices are added in another order.
void expectAlike(const nlohmann::json& a, const nlohmann::json& b, const std::string& where = "") {
  if (a.is_number_float() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    EXPECT_NEAR(x, y, 1e-9 + 1e-6 * std::abs(x)) << where;
  } else if (a.is_structured() && a.size() == b.size() && a.type() == b.type()) {
    for (const auto& [key, value] : a.items()) {
      const nlohmann::json& other = a.is_array() ? b.at(std::stoul(key)) : b.at(key);
      expectAlike(value, other, where + "/" + key);
    }
  } else {
    EXPECT_EQ(a, b) << where;
  }
}

TEST_P(RanksOnCuda, MakeTheBitsOfOneDevice) {
  SIMSCOPE_NEEDS_CUDA();
  const Folder folder;
  const auto run = [&](const std::string& device, const std::string& name) {
    return Arguments{"run"} + GetParam().run + Arguments{"--steps",         std::to_string(GetParam().steps),
                                                         "--seed",          "11",
                                                         "--device",        device,
                                                         "--report",        name + ".json",
                                                         "--save",          name + ".npy",
                                                         "--save-snapshot", name + ".npz"};
  };
  const Outcome one = alone(folder, run("cuda:0", "one"));
  ASSERT_EQ(one.status, 0) << told(one);
  const auto report = [&](const std::string& name) { return cli_test::reportIn(folder / (name + ".json")); };
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const std::string name = "n" + std::to_string(ranks);
    const Outcome many = mpirun(folder, ranks, run(deviceFor(ranks), name));
    ASSERT_EQ(many.status, 0) << told(many);
    EXPECT_EQ(contentOf(folder / (name + ".npy")), contentOf(folder / "one.npy"));
    expectAlike(report("one"), report(name));
  }
  // What devices wrote, the CPU's ranks open.
  const Outcome on = mpirun(folder, 2, {"run", "n2.npz", "--steps", "2", "--device", "cpu", "--save", "on.npy"});
  EXPECT_EQ(on.status, 0) << told(on);
}

class RanksRenderOnCuda : public testing::TestWithParam<CudaCase> {};
const CudaCase kCudaFilms[] = {
    {"heat", {"heat", "--preset", "rooms", "--set", "grid_points=512", "--view", "isotherms"}},
    {"reaction", {"reaction_diffusion", "--set", "grid_points=256"}},
};
INSTANTIATE_TEST_SUITE_P(All, RanksRenderOnCuda, testing::ValuesIn(kCudaFilms),
                         [](const auto& made) { return std::string(made.param.name); });

TEST_P(RanksRenderOnCuda, TheFilmOfOneDevice) {
  SIMSCOPE_NEEDS_CUDA();
  const Folder folder;
  const auto film = [](const std::string& device, const std::string& name) {
    return Arguments{"render"} + GetParam().run +
           Arguments{"--frames", "5", "--steps-per-frame", "9", "--size", "320x240", "--device", device, "--out", name};
  };
  const Outcome one = alone(folder, film("cuda:0", "one.gif"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome two = mpirun(folder, 2, film(deviceFor(2), "two.gif"));
  ASSERT_EQ(two.status, 0) << told(two);
  EXPECT_EQ(contentOf(folder / "two.gif"), contentOf(folder / "one.gif"));
}

TEST(RanksOnCudaTest, ASweepIsThatOfOneDevice) {
  SIMSCOPE_NEEDS_CUDA();
  const Folder folder;
  const auto sweep = [](const std::string& device, const std::string& name) {
    return Arguments{"sweep",     "tunneling",
                     "--set",     "grid_points=512",
                     "--param",   "packet_momentum=0.5:3:9",
                     "--measure", "transmission",
                     "--steps",   "20",
                     "--device",  device,
                     "--out",     name};
  };
  const Outcome one = alone(folder, sweep("cuda:0", "one.npy"));
  ASSERT_EQ(one.status, 0) << told(one);
  const Outcome two = mpirun(folder, 2, sweep(deviceFor(2), "two.npy"));
  ASSERT_EQ(two.status, 0) << told(two);
  EXPECT_EQ(contentOf(folder / "two.npy"), contentOf(folder / "one.npy"));
}

TEST(RanksOnCudaTest, WhatIsNotDividedThereSaysSo) {
  SIMSCOPE_NEEDS_CUDA();
  const Folder folder;
  const Outcome adi =
      mpirun(folder, 2,
             {"run", "heat", "--set", "scheme=adi", "--set", "grid_points=512", "--steps", "2", "--device", "cuda:0"});
  EXPECT_EQ(adi.status, 2) << told(adi);
  EXPECT_NE(adi.err.find("scheme=explicit; or grid_points above 833"), std::string::npos) << told(adi);
  EXPECT_EQ(occurrences(adi.err, "simscope:"), 1) << told(adi);
  const Outcome unasked =
      mpirun(folder, 2,
             {"run", "heat", "--set", "scheme=adi", "--set", "grid_points=64", "--steps", "2", "--report", "r.json"});
  EXPECT_EQ(unasked.status, 0) << "the CPU is used\n" << told(unasked);
  const int many = cudaDevices() + 1;
  const Outcome crowd = mpirun(folder, many, {"run", "heat", "--steps", "2", "--device", "cuda"});
  EXPECT_EQ(crowd.status, 2) << told(crowd);
  EXPECT_NE(crowd.err.find("start one rank per device"), std::string::npos) << told(crowd);
}

}  // namespace
}  // namespace simscope::ranks_test
