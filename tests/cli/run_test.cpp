// run and bench: the report, the numbers, and the saved state.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Run, ReportHoldsEveryKeyAndNothingElseIsPrinted) {
  const Folder folder;
  const Outcome outcome = simscope(
      folder, {"run", "tunneling", "--preset", "document", "--steps", "800", "--device", "cpu", "--report", "-"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.err, IsEmpty());
  const nlohmann::json report = jsonOf(outcome);
  EXPECT_EQ(report.at("simulation"), "tunneling");
  EXPECT_EQ(report.at("device"), "cpu");
  EXPECT_THAT(report.at("device_name").get<std::string>(), Not(IsEmpty()));
  EXPECT_EQ(report.at("steps"), 800);
  EXPECT_NEAR(report.at("time").get<double>(), 40.0, 1e-9);
  EXPECT_EQ(report.at("seed"), 1);
  EXPECT_EQ(report.at("parameters").at("grid_points"), 4096);
  EXPECT_EQ(report.at("parameters").at("potential"), "barrier");
  EXPECT_EQ(report.at("parameters").at("absorbing_edges"), false);
  EXPECT_GT(report.at("timing").at("total_ms"), 0);
  EXPECT_NEAR(report.at("timing").at("step_us").get<double>(),
              report.at("timing").at("total_ms").get<double>() * 1e3 / 800, 1e-9);
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Run, IsOnTheCpuWhereALibraryOfTheGpuIsMissingAndNobodyAskedForTheGpu) {
  const Folder folder;
  Settings settings;
  settings.environment["SIMSCOPE_FAULT"] = "library:1";
  const std::vector<std::string> words = {"run", "schrodinger2d", "--steps", "1", "--report", "-"};
  const Outcome outcome = simscope(folder, words, settings);
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_EQ(jsonOf(outcome).at("device"), "cpu");
  EXPECT_THAT(outcome.err, testing::AllOf(HasSubstr("a library is missing"), HasSubstr("The CPU is used instead")));

  std::vector<std::string> asked = words;
  asked.insert(asked.end(), {"--device", "cpu"});
  const Outcome refused = simscope(folder, asked, settings);
  EXPECT_EQ(refused.status, 1) << "somebody wants this device: " << told(refused);
  EXPECT_THAT(refused.err, HasSubstr("a library is missing"));
  settings.environment["SIMSCOPE_DEVICE"] = "cpu";
  EXPECT_EQ(simscope(folder, words, settings).status, 1);
}

TEST(Run, DefaultBarrierReflectsAndTransmitsWhatTheDocumentsSay) {
  const Folder folder;
  const nlohmann::json d = jsonOf(simscope(folder, {"run", "tunneling", "--preset", "document", "--steps", "800",
                                                    "--device", "cpu", "--report", "-"}))
                               .at("diagnostics");
  EXPECT_NEAR(d.at("reflection").get<double>(), 0.1349, 5e-4);
  EXPECT_NEAR(d.at("transmission").get<double>(), 0.5602, 5e-4);
  EXPECT_NEAR(d.at("inside").get<double>(), 0.3048, 5e-4);
  EXPECT_LT(std::abs(d.at("norm").get<double>() - 1), 1e-4);
}

TEST(Run, AnimationPresetEndsAsTheDocumentsSay) {
  const Folder folder;
  const nlohmann::json report = jsonOf(simscope(folder, {"run", "tunneling", "--preset", "document_animation",
                                                         "--steps", "1400", "--device", "cpu", "--report", "-"}));
  EXPECT_NEAR(report.at("diagnostics").at("reflection").get<double>(), 0.2180, 5e-4);
  EXPECT_NEAR(report.at("diagnostics").at("transmission").get<double>(), 0.7662, 5e-4);
  EXPECT_EQ(report.at("preset"), "document_animation");
  EXPECT_EQ(report.at("parameters").at("grid_points"), 2048);
}

TEST(Run, WarningsNameTheCure) {
  const Folder folder;
  const std::vector<std::string> arguments = {"run",     "tunneling", "--preset", "document",
                                              "--steps", "10",        "--device", "cpu"};
  std::vector<std::string> with_report = arguments;
  with_report.insert(with_report.end(), {"--report", "-"});
  const nlohmann::json warnings = jsonOf(simscope(folder, with_report)).at("warnings");
  ASSERT_FALSE(warnings.empty());  // the document's time step lets the energy climb
  for (const auto& each : warnings) {
    EXPECT_TRUE(each.at("level") == "note" || each.at("level") == "warning");
    EXPECT_THAT(each.at("code").get<std::string>(), Not(IsEmpty()));
    EXPECT_THAT(each.at("message").get<std::string>(), Not(IsEmpty()));
    EXPECT_TRUE(each.contains("key") && each.contains("value"));
  }
  const Outcome people = simscope(folder, arguments);
  ASSERT_EQ(people.status, 0) << told(people);
  for (const char* text : {"transmission", "reflection", "norm_drift", "Cure: --set time_step="}) {
    EXPECT_THAT(people.out, HasSubstr(text));
  }
}

// The step is far too long between t = 5 and 15; the run ends later.
TEST(Run, WarnsOfWhatHeldOnlyOnTheWay) {
  const Folder folder;
  std::ofstream(folder / "steps.json") << R"({"simscope": 1, "simulation": "tunneling",
    "parameters": {"potential": "well", "grid_points": 512, "domain_length": 100, "packet_center": -18,
                   "packet_momentum": 1, "packet_width": 3, "barrier_height": 1, "barrier_width": 4, "time_step": 0.01},
    "keyframes": [{"parameter": "time_step",
                   "points": [[0, 0.01], [5, 0.01], [5.1, 0.6], [15, 0.6], [15.1, 0.01]]}]})";
  const Outcome outcome =
      simscope(folder, {"run", "steps.json", "--steps", "1500", "--device", "cpu", "--report", "-"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json warnings = jsonOf(outcome).at("warnings");
  const auto splitting = std::find_if(warnings.begin(), warnings.end(), [](const nlohmann::json& each) {
    return each.at("code") == "splitting_feeds_high_momenta";
  });
  ASSERT_NE(splitting, warnings.end()) << warnings;
  EXPECT_GE(splitting->at("first_step"), 500);
  EXPECT_LT(splitting->at("last_step"), 545);
  EXPECT_THAT(splitting->at("message").get<std::string>(), testing::StartsWith("From step 5"));
  const Outcome told_to_people = simscope(folder, {"run", "steps.json", "--steps", "1500", "--device", "cpu"});
  EXPECT_THAT(told_to_people.out, HasSubstr("note: From step 5"));
}

TEST(Run, ValuesWithoutMeaningAreNull) {
  const Folder folder;
  const nlohmann::json report = jsonOf(simscope(
      folder, {"run", "tunneling", "--preset", "coherent_state", "--steps", "1", "--device", "cpu", "--report", "-"}));
  EXPECT_TRUE(report.at("diagnostics").at("transmission_exact").is_null());
}

TEST(Run, SetAndSeedAreUsedAndReported) {
  const Folder folder;
  const nlohmann::json report =
      jsonOf(simscope(folder, {"run", "tunneling", "--set", "barrier_height=2.5", "--set", "grid_points=1024",
                               "--set=precision=float64", "--seed", "18446744073709551615", "--threads", "1", "--steps",
                               "3", "--device", "cpu", "--report", "-"}));
  EXPECT_EQ(report.at("parameters").at("barrier_height"), 2.5);
  EXPECT_EQ(report.at("parameters").at("grid_points"), 1024);
  EXPECT_EQ(report.at("parameters").at("precision"), "double") << "written under its own name";
  EXPECT_EQ(report.at("seed"), std::uint64_t{18446744073709551615u});
}

TEST(Run, WhatDoesNothingIsSaidWithWhatItWouldMatterFor) {
  const Folder folder;
  const auto noted = [&](std::vector<std::string> changes) {
    changes.insert(changes.begin(), {"run", "diffraction", "--set", "grid_points=64"});
    changes.insert(changes.end(), {"--steps", "1", "--device", "cpu"});
    const Outcome outcome = simscope(folder, changes);
    EXPECT_EQ(outcome.status, 0) << told(outcome);
    return outcome.err;
  };
  EXPECT_EQ(noted({"--set", "slit_width=0.1", "--set", "aperture=circle"}),
            "simscope: note: slit_width does nothing here; it matters with aperture=slit, double_slit, or grating\n");
  EXPECT_THAT(noted({"--set", "slit_width=0.1", "--set", "aperture=slit"}), IsEmpty()) << "in any order";
  EXPECT_THAT(noted({"--set", "aperture_radius=0.1"}), IsEmpty());
  EXPECT_THAT(noted({"--seed", "3"}), HasSubstr("nothing in diffraction is drawn at random"));
  const Outcome heat = simscope(folder, {"run", "heat", "--preset", "house", "--set", "grid_points=64", "--seed", "2",
                                         "--steps", "1", "--device", "cpu"});
  EXPECT_EQ(heat.status, 0) << told(heat);
  EXPECT_THAT(heat.err, HasSubstr("the seed does nothing here; it matters with initial=random; or material=maze"));
}

TEST(Run, TheSummaryHasWhatMattersAndTheReportHasAll) {
  const Folder folder;
  const std::vector<std::string> arguments = {"run",     "tunneling", "--preset", "coherent_state",
                                              "--steps", "1",         "--device", "cpu"};
  const Outcome people = simscope(folder, arguments);
  ASSERT_EQ(people.status, 0) << told(people);
  EXPECT_THAT(people.out, HasSubstr("energy"));
  for (const char* none : {"reflection", "transmission", "inside"}) EXPECT_THAT(people.out, Not(HasSubstr(none)));
  std::vector<std::string> with_report = arguments;
  with_report.insert(with_report.end(), {"--report", "-"});
  const nlohmann::json diagnostics = jsonOf(simscope(folder, with_report)).at("diagnostics");
  for (const char* all : {"reflection", "transmission", "inside"}) EXPECT_TRUE(diagnostics.contains(all));
}

TEST(Run, SceneFilesRunToo) {
  const Folder folder;
  const nlohmann::json report = jsonOf(simscope(
      folder, {"run", SIMSCOPE_SCENES "/coherent_state.json", "--steps", "2", "--device", "cpu", "--report", "-"}));
  EXPECT_EQ(report.at("preset"), "coherent_state");
  EXPECT_EQ(report.at("parameters").at("potential"), "harmonic");
}

// A scene with what a mouse did, and a parameter on its way.
const char* const kDrawn = R"({"simscope": 1, "simulation": "heat", "parameters": {"grid_points": 64}, "seed": 5,
  "strokes": [{"tool": "insulator", "radius": 2, "events": [{"step": 3, "x": 1}, {"step": 5, "x": 4, "dx": 3}]},
              {"tool": "heat", "radius": 5, "events": [{"step": 12, "y": -9}]}],
  "keyframes": [{"parameter": "diffusivity", "points": [[0, 1], [2, 3, "smooth"]]}],
  "recorder": {"frames": 4, "steps_per_frame": 4}})";

TEST(Run, SnapshotGoesOnAsTheUninterruptedRun) {
  const Folder folder;
  std::ofstream(folder / "drawn.json") << kDrawn;
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--device", "cpu", "--report", "-"});
    return jsonOf(simscope(folder, arguments));
  };
  const nlohmann::json whole = run({"drawn.json", "--steps", "16", "--save", "whole.npy"});
  run({"drawn.json", "--steps", "8", "--save-snapshot", "middle.npz"});
  const nlohmann::json report = run({"middle.npz", "--steps", "8", "--save", "continued.npy"});
  EXPECT_EQ(report.at("steps"), 16);
  EXPECT_EQ(report.at("seed"), 5);
  EXPECT_EQ(report.at("time"), whole.at("time"));
  EXPECT_TRUE(contentOf(folder / "continued.npy") == contentOf(folder / "whole.npy"));
  // The time step follows the diffusivity.
  const nlohmann::json held = run({"drawn.json", "--steps", "16", "--set", "diffusivity=1"});
  EXPECT_GT(held.at("time"), whole.at("time")) << "a value instead of the keyframes";
}

TEST(Run, ReportHasTheValuesInForce) {
  const Folder folder;
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "diffraction", "--preset", "pinhole", "--set", "grid_points=64",
                                         "--steps", "60", "--device", "cpu"});
    return simscope(folder, arguments);
  };
  EXPECT_EQ(jsonOf(run({"--report", "-"})).at("parameters").at("distance"), 0.2)
      << "half of the way and back from 0.02";
  EXPECT_THAT(run({}).out, testing::ContainsRegex("distance +0\\.2 m"));
  EXPECT_EQ(jsonOf(run({"--set", "distance=0.03", "--report", "-"})).at("parameters").at("distance"), 0.03);
}

TEST(Run, WhatASnapshotCannotDoIsSaid) {
  const Folder folder;
  ASSERT_EQ(simscope(folder, {"run", "heat", "--set", "grid_points=64", "--steps", "2", "--device", "cpu",
                              "--save-snapshot", "a.npz"})
                .status,
            0);
  const auto refusal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "a.npz", "--steps", "1", "--device", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = simscope(folder, arguments);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    return outcome.err;
  };
  EXPECT_THAT(refusal({"--seed", "3"}), HasSubstr("--seed"));
  EXPECT_THAT(refusal({"--preset", "two_spots"}), HasSubstr("--preset"));
  EXPECT_THAT(refusal({"--set", "grid_points=128"}), HasSubstr("live"));
  EXPECT_THAT(refusal({"--save-snapshot", "b.zip"}), HasSubstr(".npz"));
  EXPECT_THAT(refusal({"--save-snapshot", "a.npz"}), HasSubstr("a.npz"));
  EXPECT_THAT(refusal({"--save-snapshot", "b.npz", "--save", "b.npz"}), HasSubstr("same file"));
  std::filesystem::resize_file(folder / "a.npz", std::filesystem::file_size(folder / "a.npz") / 2);
  EXPECT_THAT(refusal({}), HasSubstr("a.npz"));
  EXPECT_THAT(folder.names(), ElementsAre("a.npz"));
}

TEST(Run, DeviceComesFromTheEnvironmentUnlessGiven) {
  const Folder folder;
  const std::vector<std::string> arguments = {"run", "tunneling", "--steps", "1", "--report", "-"};
  Settings settings;
  settings.environment["SIMSCOPE_DEVICE"] = "cpu";
  EXPECT_EQ(jsonOf(simscope(folder, arguments, settings)).at("device"), "cpu");
  settings.environment["SIMSCOPE_DEVICE"] = "abacus";
  const Outcome bad = simscope(folder, arguments, settings);
  EXPECT_EQ(bad.status, 2) << told(bad);
  EXPECT_THAT(bad.err, HasSubstr("SIMSCOPE_DEVICE"));
}

// The header of a .npy file (version 1.0) as text, and the data behind it.
std::pair<std::string, std::string> npy(const std::string& content) {
  if (content.size() < 10 || content.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) return {};
  const std::size_t length = static_cast<unsigned char>(content[8]) + 256u * static_cast<unsigned char>(content[9]);
  return {content.substr(10, length), content.substr(10 + length)};
}

TEST(Run, SavesThePacketAsANumPyArray) {
  const Folder folder;
  const Outcome single = simscope(folder, {"run", "tunneling", "--steps", "5", "--device", "cpu", "--save", "psi.npy"});
  ASSERT_EQ(single.status, 0) << told(single);
  const auto [header, data] = npy(contentOf(folder / "psi.npy"));
  EXPECT_THAT(header, HasSubstr("'descr': '<c8'"));
  EXPECT_THAT(header, HasSubstr("'fortran_order': False"));
  EXPECT_THAT(header, HasSubstr("(2048,)"));
  ASSERT_EQ(data.size(), 2048u * 8);
  std::vector<float> psi(2 * 2048);
  std::memcpy(psi.data(), data.data(), data.size());
  double norm = 0;
  for (const float part : psi) norm += double(part) * part;
  EXPECT_NEAR(norm * 200.0 / 2048, 1.0, 1e-4);

  const Outcome both = simscope(folder, {"run", "tunneling", "--set", "precision=double", "--steps", "5", "--device",
                                         "cpu", "--save", "psi64.npy", "--report", "report.json"});
  ASSERT_EQ(both.status, 0) << told(both);
  EXPECT_THAT(npy(contentOf(folder / "psi64.npy")).first, HasSubstr("'descr': '<c16'"));
  EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "report.json")).at("steps"), 5);
  EXPECT_THAT(folder.names(), ElementsAre("psi.npy", "psi64.npy", "report.json"));
}

TEST(Run, TheSameCommandGivesTheSameState) {
  const Folder folder;
  for (const char* file : {"a.npy", "b.npy"}) {
    const Outcome outcome = simscope(folder, {"run", "tunneling", "--steps", "100", "--device", "cpu", "--save", file});
    ASSERT_EQ(outcome.status, 0) << told(outcome);
  }
  EXPECT_TRUE(contentOf(folder / "a.npy") == contentOf(folder / "b.npy"));
}

TEST(Run, OfNoStepsGivesTheInitialState) {
  const Folder folder;
  const std::vector<std::string> all = {"run",    "tunneling", "--set",           "grid_points=256", "--steps",  "0",
                                        "--save", "psi.npy",   "--save-snapshot", "psi.npz",         "--report", "-"};
  const nlohmann::json report = jsonOf(simscope(folder, all));
  EXPECT_EQ(report.at("steps"), 0);
  EXPECT_EQ(report.at("time"), 0.0);
  EXPECT_NEAR(report.at("diagnostics").at("norm"), 1, 1e-6);
  EXPECT_NEAR(report.at("diagnostics").at("mean_position"), report.at("parameters").at("packet_center"), 1e-3);
  EXPECT_TRUE(report.at("timing").at("step_us").is_null());
  EXPECT_THAT(folder.names(), testing::ElementsAre("psi.npy", "psi.npz"));
  // The snapshot of the start goes on as a run from it does.
  const auto after = [&](const std::string& what, const std::vector<std::string>& more) {
    std::vector<std::string> one = {"run", what, "--steps", "3", "--report", "-"};
    one.insert(one.end(), more.begin(), more.end());
    return jsonOf(simscope(folder, one)).at("diagnostics");
  };
  EXPECT_EQ(after("psi.npz", {}), after("tunneling", {"--set", "grid_points=256"}));
  const Outcome people = simscope(folder, {"run", "tunneling", "--steps", "0"});
  EXPECT_THAT(people.out, testing::Not(testing::HasSubstr("a step")));
}

// Two names of one file: by spelling, by a link to it, by a link to its folder.
TEST(Files, TwoNamesOfOneFileAreRefusedBeforeAnythingIsComputed) {
  const Folder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder / "d");
  fs::create_directory_symlink("d", folder / "e");
  std::ofstream(folder / "d" / "there") << "mine";
  fs::create_symlink("d/there", folder / "link");
  const std::vector<std::string> sweep = {"sweep",     "tunneling",      "--param", "packet_momentum=1:2:2",
                                          "--measure", "norm",           "--steps", "1",
                                          "--set",     "grid_points=256"};
  const std::vector<std::string> lab = {"lab", "vector_addition", "--set", "largest=1e4", "--set", "per_decade=1"};
  const std::vector<std::string> field = {"lab", "fourier_filters", "--field", "heat", "--steps", "0"};
  const std::vector<std::string> run = {"run", "tunneling", "--set", "grid_points=256", "--steps", "1"};
  const std::vector<std::string> film = {"render", "tunneling", "--set", "grid_points=256", "--frames", "2"};
  const std::pair<std::vector<std::string>, std::vector<std::string>> cases[] = {
      {sweep, {"--out", "./t.csv", "--report", "t.csv"}},
      {sweep, {"--out", "d/t.csv", "--report", "e/t.csv"}},
      {sweep, {"--out", "d/t.csv", "--out", "e/../d/t.csv"}},
      {lab, {"--out", "d/../t.csv", "--json", "t.csv"}},
      {lab, {"--out", "t.csv", "--out", "./t.csv"}},
      {field, {"--out", "e/t.png", "--out", "d/t.png"}},
      {run, {"--save", "link", "--report", "e/there"}},
      {run, {"--save-snapshot", "d/t.npz", "--save", "e/t.npz"}},
      {film, {"--out", "d/t.gif", "--out", "e/t.gif"}}};
  for (const auto& [command, files] : cases) {
    std::vector<std::string> all = command;
    all.insert(all.end(), files.begin(), files.end());
    all.push_back("--force");
    const Outcome outcome = simscope(folder, all);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_THAT(outcome.err,
                testing::AnyOf(testing::HasSubstr("name the same file"), testing::HasSubstr("written twice")));
    EXPECT_THAT(folder.names(), testing::ElementsAre("d", "e", "link"));
    EXPECT_EQ(contentOf(folder / "d" / "there"), "mine");
  }
  // What goes nowhere may go there twice.
  std::vector<std::string> nowhere = run;
  for (const char* each : {"--save", "/dev/null", "--report", "/dev/null"}) nowhere.emplace_back(each);
  EXPECT_EQ(simscope(folder, nowhere).status, 0);
}

TEST(Bench, MeasuresEachSimulation) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"bench", "tunneling", "--device", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json entries = jsonOf(outcome);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].at("simulation"), "tunneling");
  EXPECT_EQ(entries[0].at("device"), "cpu");
  EXPECT_GT(entries[0].at("step_us"), 0);
  EXPECT_GT(entries[0].at("throughput"), 0);
  EXPECT_GT(entries[0].at("steps"), 0);
  for (const char* key : {"method", "throughput_unit", "bytes_per_step", "limit_us", "ratio", "parameters"}) {
    EXPECT_TRUE(entries[0].contains(key)) << key;
  }
  EXPECT_EQ(entries[0].at("size"), 2048);
}

TEST(Bench, MeasuresTheEndOfAPresetThatIsSoonReached) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"bench", "nbody", "--preset", "two_galaxies", "--set", "method=tree",
                                            "--set", "bodies=2000", "--device", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json entry = jsonOf(outcome).at(0);
  // A busy machine may take too long, a fast one may have passed the end.
  if (entry.at("late_step_us").is_null()) GTEST_SKIP() << "the end is too far, or past";
  EXPECT_GT(entry.at("late_step_us"), 0);
  EXPECT_GT(entry.at("late_from_step"), entry.at("steps"));
}

TEST(Bench, LiveMeasuresTheStepWhilePicturesAreDrawn) {
  const Folder folder;
  const Outcome outcome =
      simscope(folder, {"bench", "heat", "--size", "64", "--live", "--device", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json live = jsonOf(outcome).at(0).at("live");
  EXPECT_GT(live.at("step_us"), 0);
  EXPECT_GT(live.at("steps"), 0);
  EXPECT_GT(live.at("pictures_per_second"), 0);
  EXPECT_GT(live.at("picture_ms"), 0);
}

// For simulations that are bound by memory and, where there are such, by arithmetic.
TEST(Bench, LimitIsTheLongerOfCopyingAndOfArithmetic) {
  const Folder folder;
  std::vector<std::pair<std::string, std::string>> sizes = {{"tunneling", "grid_points"}, {"nbody", "bodies"}};
  for (const auto& each : jsonOf(simscope(folder, {"list", "--json"}))) {
    const auto size = std::find_if(sizes.begin(), sizes.end(),
                                   [&](auto& known) { return known.first == each.at("id").get<std::string>(); });
    if (size == sizes.end()) continue;
    SCOPED_TRACE(size->first);
    const Outcome outcome =
        simscope(folder, {"bench", size->first, "--set", size->second + "=512", "--device", "cpu", "--json", "-"});
    ASSERT_EQ(outcome.status, 0) << told(outcome);
    const nlohmann::json entry = jsonOf(outcome).at(0);
    EXPECT_EQ(entry.at("size"), 512);
    const auto us = [&](const char* work, const char* rate) {
      const double done = entry.at(work);
      return done > 0 ? done / entry.at(rate).get<double>() * 1e6 : 0.0;
    };
    const double copy = us("bytes_per_step", "copy_bytes_per_second");
    const double lanes = us("lane_operations_per_step", "lane_operations_per_second");
    ASSERT_GT(std::max(copy, lanes), 0);
    EXPECT_EQ(entry.at("limit").get<std::string>(), lanes > copy ? "arithmetic" : "memory");
    EXPECT_DOUBLE_EQ(entry.at("limit_us"), std::max(copy, lanes));
    EXPECT_DOUBLE_EQ(entry.at("ratio"), entry.at("step_us").get<double>() / std::max(copy, lanes));
  }
}

TEST(Bench, MeasuresTheParametersAskedForAtEachSize) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"bench", "tunneling", "--preset", "animation", "--set", "barrier_width=3",
                                            "--size", "512", "--size", "256", "--device", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json entries = jsonOf(outcome);
  ASSERT_EQ(entries.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(entries[i].at("size"), i == 0 ? 512 : 256);
    EXPECT_EQ(entries[i].at("parameters").at("packet_center"), "-70");
    EXPECT_EQ(entries[i].at("parameters").at("barrier_width"), "3");
  }
}

TEST(Run, SaysThatItsFilesAreCompleteWhereTheReportCannotBeWritten) {
  const Folder folder;
  Settings settings;
  settings.program = "/bin/sh";
  const Outcome outcome =
      Program(folder.path(), {"-c", SIMSCOPE_PROGRAM " run tunneling --device cpu --steps 1 --save a.npy > /dev/full"},
              settings)
          .wait();
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, testing::HasSubstr("standard output cannot be written: No space left on device. The files "
                                              "of the command are complete."));
  EXPECT_TRUE(std::filesystem::exists(folder / "a.npy"));
}

}  // namespace
}  // namespace simscope::cli_test
