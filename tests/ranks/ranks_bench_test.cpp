// bench --devices as ranks, what it writes, and the model that docs/scaling.py makes of it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/ranks/mpirun.h"

namespace simscope::ranks_test {
namespace {

TEST(BenchDevices, TellsWhatIsSentAndAModelReadsIt) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const std::string file = (folder.path() / "points.json").string();
  const Outcome measured = mpirun(folder, 2,
                                  {"bench", "--devices", "reaction_diffusion", "--size", "128", "--size", "256",
                                   "--device", "cpu", "--json", file});
  ASSERT_EQ(measured.status, 0) << cli_test::told(measured);
  EXPECT_NE(measured.out.find("2 ranks on 1 machine"), std::string::npos) << measured.out;
  EXPECT_NE(measured.out.find("SPEED-UP"), std::string::npos) << measured.out;
  std::ifstream in(file);
  const auto document = nlohmann::json::parse(in);
  EXPECT_EQ(document.at("ranks"), 2);
  EXPECT_GE(document.at("link").at("points").size(), 4u);
  double together = 0, alone = 0, of_128 = 0, of_256 = 0;
  for (const auto& point : document.at("points")) {
    EXPECT_GT(point.at("step_s").get<double>(), 0);
    if (point.at("ranks") == 1) {
      ++alone;
      EXPECT_EQ(point.at("bytes"), 0);
      continue;
    }
    ++together;
    EXPECT_EQ(point.at("work"), std::pow(point.at("size").get<double>(), 2));
    // With joined edges both ends of a slab go to the other rank, as one exchange.
    EXPECT_NEAR(point.at("messages").get<double>(), 2 * point.at("exchanges").get<double>(), 1e-9);
    (point.at("size") == 128 ? of_128 : of_256) = point.at("bytes").get<double>();
  }
  EXPECT_EQ(together, 2);
  EXPECT_GE(alone, 2);
  // Two values of four bytes a cell, each way, as many rows in all as steps are made.
  EXPECT_NEAR(of_128, 128 * 2 * 4 * 2, 1e-6);
  EXPECT_NEAR(of_256, 2 * of_128, 1e-6);

  cli_test::Settings python;
  python.program = "/usr/bin/python3";
  if (!std::filesystem::exists(python.program)) GTEST_SKIP() << "there is no /usr/bin/python3: install python3";
  const Outcome computed =
      cli_test::simscope(folder, {SIMSCOPE_SCALING, file, "--ranks", "4", "--ranks", "16384", "--json", "-"}, python);
  if (computed.err.find("NumPy is missing") != std::string::npos) GTEST_SKIP() << computed.err;
  ASSERT_EQ(computed.status, 0) << cli_test::told(computed);
  const auto models = nlohmann::json::parse(computed.out).at("models");
  ASSERT_EQ(models.size(), 1u);
  ASSERT_EQ(models[0].at("computed").size(), 4u);
  EXPECT_TRUE(models[0].at("computed")[0].at("possible").get<bool>());
  EXPECT_FALSE(models[0].at("computed")[1].at("possible").get<bool>()) << "128 rows in 16384 parts";
  EXPECT_GT(models[0].at("computed")[0].at("speed_up").get<double>(), 0);
}

TEST(BenchDevices, WithoutRanksSaysHowToStartThem) {
  const Folder folder;
  const Outcome outcome = alone(folder, {"bench", "--devices", "heat"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("mpirun -n 2 simscope bench --devices"), std::string::npos) << outcome.err;
  EXPECT_EQ(alone(folder, {"bench", "--devices", "--live"}).status, 2);
}

TEST(BenchDevices, ASimulationThatIsNotDividedIsRefusedWithThoseThatAre) {
  SIMSCOPE_NEEDS_MPI();
  const Folder folder;
  const Outcome outcome = mpirun(folder, 2, {"bench", "--devices", "mandelbrot"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("Simulations that can be divided: "), std::string::npos) << outcome.err;
}

TEST(BenchModel, SaysWhereItWent) {
  const Folder folder;
  const Outcome outcome = alone(folder, {"bench", "--model", "two.json", "--ranks", "4"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("docs/scaling.py"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace simscope::ranks_test
