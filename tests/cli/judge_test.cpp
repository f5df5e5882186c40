// judge: results of plain loops that are independent of the program, and the program's own.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <numbers>
#include <span>

#include "app/export/npy.h"
#include "sims/foreign/npy.h"
#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Wave = std::vector<std::complex<double>>;

constexpr int kNotKept = 3;
constexpr double kPi = std::numbers::pi;

// Radix 2, as the textbooks have it; without a factor.
void transform(Wave& a, bool back) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  Wave roots(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    roots[i] = std::polar(1.0, (back ? 2 : -2) * kPi * static_cast<double>(i) / static_cast<double>(n));
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    for (std::size_t i = 0; i < n; i += length) {
      for (std::size_t k = 0; k < length / 2; ++k) {
        const std::complex<double> even = a[i + k], odd = a[i + k + length / 2] * roots[k * (n / length)];
        a[i + k] = even + odd;
        a[i + k + length / 2] = even - odd;
      }
    }
  }
}

// The documents' program: a packet of momentum 2 meets a barrier of height 1.5 and width 10, up to t = 40.
Wave scattered(std::size_t points, double step) {
  const double length = 200, dx = length / static_cast<double>(points), sigma = 5, start = -60, momentum = 2;
  Wave psi(points), half(points), kinetic(points);
  for (std::size_t i = 0; i < points; ++i) {
    const double x = -length / 2 + dx * static_cast<double>(i);
    const double wave = i < points / 2 ? static_cast<double>(i) : static_cast<double>(i) - static_cast<double>(points);
    const double k = 2 * kPi / length * wave, u = x - start;
    psi[i] = std::pow(2 * kPi * sigma * sigma, -0.25) * std::exp(-u * u / (4 * sigma * sigma)) *
             std::polar(1.0, momentum * x);
    half[i] = std::polar(1.0, -0.5 * step * (std::abs(x) < 5 ? 1.5 : 0.0));
    kinetic[i] = std::polar(1.0 / static_cast<double>(points), -0.5 * step * k * k);
  }
  const int steps = static_cast<int>(std::lround(40 / step));
  for (int n = 0; n < steps; ++n) {
    for (std::size_t i = 0; i < points; ++i) psi[i] *= half[i];
    transform(psi, false);
    for (std::size_t i = 0; i < points; ++i) psi[i] *= kinetic[i];
    transform(psi, true);
    for (std::size_t i = 0; i < points; ++i) psi[i] *= half[i];
  }
  return psi;
}

template <class T>
void save(const Folder& folder, const std::string& name, const std::string& dtype, std::vector<std::size_t> shape,
          const std::vector<T>& values) {
  exporting::writeNpy(folder / name, dtype, shape, std::as_bytes(std::span(values)), true);
}

Outcome judge(const Folder& folder, const std::string& file, const std::string& scene,
              const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"judge", file, "--scene", scene, "--device", "cpu"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return simscope(folder, arguments);
}

nlohmann::json lineOf(const nlohmann::json& report, const std::string& key) {
  for (const nlohmann::json& each : report.at("lines")) {
    if (each.at("key") == key) return each;
  }
  ADD_FAILURE() << "no " << key << " in " << report;
  return {};
}

TEST(Judge, TheDocumentsTimeStepFailsOnEnergy) {
  const Folder folder;
  const Wave wave = scattered(4096, 0.05);
  save(folder, "psi.npy", "<c8", {4096}, std::vector<std::complex<float>>(wave.begin(), wave.end()));
  const Outcome outcome = judge(folder, "psi.npy", "tunneling:document");
  EXPECT_EQ(outcome.status, kNotKept) << told(outcome);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("complex64 (4096,) as psi of tunneling:document, at t = 40"),
                                 HasSubstr("not passed: 1 of 3"), HasSubstr("energy_drift) is 1.5"),
                                 HasSubstr("The scene's own run fails this requirement too")));
  const nlohmann::json report = jsonOf(judge(folder, "psi.npy", "tunneling:document", {"--json"}));
  EXPECT_NEAR(lineOf(report, "energy").at("yours"), 3.5, 0.1);
  EXPECT_LT(lineOf(report, "difference").at("yours"), 1e-3) << "it is the same method, with the same step";
}

TEST(Judge, AProperTimeStepPassesWhereTheDocumentsFails) {
  const Folder folder;
  const std::vector<std::string> scene = {"--set", "grid_points=2048", "--set", "barrier_width=10.05859375",
                                          "--set", "time_step=0.01",   "--at",  "40",
                                          "--json"};
  save(folder, "long.npy", "<c16", {2048}, scattered(2048, 0.05));
  save(folder, "proper.npy", "<c16", {2048, 1}, scattered(2048, 0.01));
  const Outcome failed = judge(folder, "long.npy", "tunneling:document", scene);
  EXPECT_EQ(failed.status, kNotKept) << told(failed);
  const nlohmann::json energy = lineOf(jsonOf(failed), "energy_drift");
  EXPECT_FALSE(energy.at("kept").get<bool>()) << energy;
  EXPECT_TRUE(energy.at("own_keeps").get<bool>());
  EXPECT_GT(std::abs(energy.at("yours").get<double>()), 0.1);
  EXPECT_TRUE(lineOf(jsonOf(failed), "norm_drift").at("kept").get<bool>()) << "the norm alone shows nothing";

  const Outcome passed = judge(folder, "proper.npy", "tunneling:document", scene);
  EXPECT_EQ(passed.status, 0) << told(passed);
  EXPECT_LT(lineOf(jsonOf(passed), "difference").at("yours"), 1e-2);
}

TEST(Judge, AnotherPhysicsFailsThoughItConservesAll) {
  const Folder folder;
  // A packet that did not meet the barrier keeps its norm and its energy.
  ASSERT_EQ(simscope(folder, {"run", "tunneling", "--preset", "document", "--set", "time_step=0.002", "--set",
                              "barrier_height=0", "--steps", "15000", "--save", "free.npy", "--device", "cpu"})
                .status,
            0);
  const Outcome outcome = judge(folder, "free.npy", "tunneling:document",
                                {"--set", "time_step=0.002", "--at", "30", "--json", "--require", "energy_drift<=1"});
  EXPECT_EQ(outcome.status, kNotKept) << told(outcome);
  EXPECT_FALSE(lineOf(jsonOf(outcome), "difference").at("kept").get<bool>());
}

// Patches of 32 on a plate of 512, up to t = 208. Another scheme is as right as the own one; heat that spreads half as
// fast, or nine tenths as fast, is not.
TEST(Judge, TheBoundOfTheDifferenceFollowsFromTheRunsOwnError) {
  const Folder folder;
  const std::vector<std::string> grid = {"--set", "grid_points=128", "--set", "spacing=4"};
  const auto difference = [&](const std::vector<std::string>& changes, const char* steps, int status) {
    std::vector<std::string> run = {"run",    "heat",  "--preset", "random_insulated", "--steps", steps,
                                    "--save", "u.npy", "--force",  "--device",         "cpu"};
    run.insert(run.end(), grid.begin(), grid.end());
    for (const std::string& each : changes) run.insert(run.end(), {"--set", each});
    EXPECT_EQ(simscope(folder, run).status, 0);
    std::vector<std::string> more = {"--at", "208", "--json"};
    more.insert(more.end(), grid.begin(), grid.end());
    const Outcome outcome = judge(folder, "u.npy", "heat:random_insulated", more);
    EXPECT_EQ(outcome.status, status) << told(outcome);
    return lineOf(jsonOf(outcome), "difference");
  };
  const nlohmann::json right = difference({"scheme=adi", "time_step_fraction=1"}, "52", 0);
  EXPECT_GT(right.at("yours"), 0);
  EXPECT_TRUE(right.at("kept").get<bool>());
  EXPECT_NEAR(right.at("most").get<double>(), 5 * right.at("ours").get<double>(), 1e-12);
  const nlohmann::json half = difference({"diffusivity=0.5", "time_step_fraction=0.25"}, "104", kNotKept);
  EXPECT_LT(half.at("yours"), 0.1) << "one bound for all runs would let it pass";
  EXPECT_FALSE(half.at("kept").get<bool>());
  EXPECT_TRUE(half.at("own_keeps").get<bool>());
  EXPECT_FALSE(difference({"diffusivity=0.9", "time_step_fraction=0.45"}, "104", kNotKept).at("kept").get<bool>());
}

// Explicit steps of a plate of n × n cells between walls: its means over the cells, α = dx = 1.
std::vector<float> heated(int n, int steps, double r, double diffusivity, bool cold) {
  const auto place = [n](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
  };
  std::vector<double> u(place(0, n)), next(u.size());
  const double middle = 0.5 * (n - 1), sigma = 8;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double r2 = (x - middle) * (x - middle) + (y - middle) * (y - middle);
      const bool wall = cold && (x == 0 || y == 0 || x == n - 1 || y == n - 1);
      u[place(x, y)] = wall ? 0 : std::exp(-r2 / (2 * sigma * sigma));
    }
  }
  for (int i = 0; i < steps; ++i) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const double here = u[place(x, y)];
        const auto at = [&](int ax, int ay) {
          return ax < 0 || ay < 0 || ax >= n || ay >= n ? here : u[place(ax, ay)];
        };
        const bool wall = cold && (x == 0 || y == 0 || x == n - 1 || y == n - 1);
        const double flow = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * here;
        next[place(x, y)] = wall ? 0 : here + r * diffusivity * flow;
      }
    }
    std::swap(u, next);
  }
  return {u.begin(), u.end()};
}

TEST(Judge, SmallGridsKnowTheirErrorAndRightLossesAreNoErrors) {
  const Folder folder;
  const auto judged = [&](int n, const char* edges, double diffusivity) {
    const std::string points = std::to_string(n);
    const auto size = static_cast<std::size_t>(n);
    save(folder, "u.npy", "<f4", {size, size}, heated(n, 256, 0.125, diffusivity, std::string(edges) == "fixed"));
    return judge(folder, "u.npy", "heat:square",
                 {"--set", "grid_points=" + points, "--set", "initial=gaussian", "--set", "spot_size=16", "--set",
                  std::string("boundary=") + edges, "--set", "time_step_fraction=0.5", "--at", "32", "--json"});
  };
  // Half of it is below the range, or no number of cells.
  for (const auto& [n, edges] : {std::pair{64, "fixed"}, std::pair{97, "insulated"}}) {
    const Outcome honest = judged(n, edges, 1);
    EXPECT_EQ(honest.status, 0) << edges << told(honest);
    const nlohmann::json report = jsonOf(honest), difference = lineOf(report, "difference");
    EXPECT_GT(difference.at("ours"), 1e-4) << edges;
    EXPECT_LT(difference.at("most"), 0.02) << edges;
    EXPECT_EQ(lineOf(report, "heat_drift").at("compared").get<bool>(), edges == std::string("insulated"));
    const Outcome wrong = judged(n, edges, 0.9);
    EXPECT_EQ(wrong.status, kNotKept) << edges << told(wrong);
  }
}

TEST(Judge, AFarFieldKnowsItsError) {
  const Folder folder;
  constexpr std::size_t kN = 256;
  const std::vector<std::string> scene = {"--set", "grid_points=256", "--set", "aperture_radius=0.2371", "--frame",
                                          "0",     "--json"};
  const double wavelength = 633e-9, distance = 1, half = 5e-4, pitch = wavelength * distance / (2 * half);
  const auto pattern = [&](double radius) {
    std::vector<float> values;
    for (std::size_t i = 0; i < kN * kN; ++i) {
      const double x = pitch * (static_cast<double>(i % kN) - kN / 2),
                   y = pitch * (static_cast<double>(i / kN) - kN / 2);
      const double v = 2 * kPi * radius * half * std::hypot(x, y) / (wavelength * distance);
      const double amplitude = v == 0 ? 1 : 2 * ::j1(v) / v;
      values.push_back(static_cast<float>(amplitude * amplitude));
    }
    return values;
  };
  save(folder, "honest.npy", "<f4", {kN, kN}, pattern(0.2371));
  const Outcome honest = judge(folder, "honest.npy", "diffraction:document", scene);
  EXPECT_EQ(honest.status, 0) << told(honest);
  EXPECT_LT(lineOf(jsonOf(honest), "difference").at("most"), 0.02);
  save(folder, "wide.npy", "<f4", {kN, kN}, pattern(0.2371 / 1.05));
  const Outcome wide = judge(folder, "wide.npy", "diffraction:document", scene);
  EXPECT_EQ(wide.status, kNotKept) << told(wide);
  EXPECT_FALSE(lineOf(jsonOf(wide), "difference").at("kept").get<bool>());
}

TEST(Judge, EverySimulationsOwnResultPasses) {
  const Folder folder;
  for (const nlohmann::json& each : jsonOf(simscope(folder, {"list", "--json"}))) {
    const std::string id = each.at("id");
    const nlohmann::json preset = jsonOf(simscope(folder, {"describe", id, "--json"})).at("presets")[0];
    const std::string steps = std::to_string(preset.at("steps_per_frame").get<int>());
    const Outcome run =
        simscope(folder, {"run", id, "--steps", steps, "--save", id + ".npy", "--device", "cpu", "--threads", "2"});
    ASSERT_EQ(run.status, 0) << told(run);
    const Outcome outcome = judge(folder, id + ".npy", id + ":" + preset.at("key").get<std::string>(),
                                  {"--frame", "1", "--json", "--threads", "2"});
    EXPECT_EQ(outcome.status, 0) << id << told(outcome);
    EXPECT_EQ(lineOf(jsonOf(outcome), "difference").at("yours"), 0.0) << id;
  }
}

// Two bodies, a row each: places, then velocities.
TEST(Judge, BodiesAreRowsOfPlacesAndVelocities) {
  const Folder folder;
  const Outcome run = simscope(folder, {"run", "nbody", "--preset", "kepler", "--steps", "100", "--save-snapshot",
                                        "run.npz", "--save", "places.npy", "--device", "cpu"});
  ASSERT_EQ(run.status, 0) << told(run);
  // At wrong places, with arbitrary velocities.
  std::vector<double> rows = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
  save(folder, "bodies.npy", "<f8", {2, 6}, rows);
  const Outcome wrong = judge(folder, "bodies.npy", "nbody:kepler", {"--at", "0.5", "--json"});
  EXPECT_EQ(wrong.status, kNotKept) << told(wrong);
  const nlohmann::json report = jsonOf(wrong);
  EXPECT_EQ(report.at("stands_for"), nlohmann::json({"position", "velocity"}));
  EXPECT_EQ(report.at("step"), 100);
  EXPECT_FALSE(lineOf(report, "orbit_error").at("kept").get<bool>());
  EXPECT_EQ(lineOf(report, "bodies").at("yours"), 2);

  const Outcome right = judge(folder, "places.npy", "nbody:kepler", {"--at", "0.5", "--json"});
  EXPECT_EQ(right.status, 0) << told(right);
  EXPECT_EQ(lineOf(jsonOf(right), "orbit_error").at("exact"), nullptr);

  rows.resize(8);
  save(folder, "plane.npy", "<f8", {2, 4}, rows);
  const Outcome plane = judge(folder, "plane.npy", "nbody:kepler");
  EXPECT_EQ(plane.status, 2);
  EXPECT_THAT(plane.err, HasSubstr("its shape is (2, 4); this scene takes (2, 3): position; (2, 6): position, "
                                   "velocity; (2, 7): position, velocity, mass"));
}

TEST(Judge, FieldsMayLieInFortransOrderAndInEitherByteOrder) {
  const Folder folder;
  constexpr std::size_t kSide = 64;
  const std::vector<std::string> size = {"--set", "grid_points=64", "--frame", "1", "--json"};
  ASSERT_EQ(
      simscope(folder, {"run", "heat", "--set", "grid_points=64", "--steps", "1", "--save", "u.npy", "--device", "cpu"})
          .status,
      0);
  const std::string file = contentOf(folder / "u.npy"), data = file.substr(file.size() - kSide * kSide * 4);
  const std::string steps = std::to_string(
      jsonOf(simscope(folder, {"describe", "heat", "--json"})).at("presets")[0].at("steps_per_frame").get<int>());
  ASSERT_EQ(simscope(folder, {"run", "heat", "--set", "grid_points=64", "--steps", steps, "--save", "own.npy",
                              "--device", "cpu"})
                .status,
            0);
  const std::string own = contentOf(folder / "own.npy");
  const std::string cells = own.substr(own.size() - kSide * kSide * 4);
  std::string turned(cells.size(), '\0');
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      for (std::size_t b = 0; b < 4; ++b) turned[4 * (x * kSide + y) + 3 - b] = cells[4 * (y * kSide + x) + b];
    }
  }
  std::string header = "{'descr': '>f4', 'fortran_order': True, 'shape': (64, 64), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream(folder / "turned.npy", std::ios::binary)
      << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << turned;
  const Outcome outcome = judge(folder, "turned.npy", "heat", size);
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_EQ(lineOf(jsonOf(outcome), "difference").at("yours"), 0.0);
  // The field of another time differs.
  EXPECT_NE(data, cells);
  EXPECT_GT(lineOf(jsonOf(judge(folder, "u.npy", "heat", size)), "difference").at("yours"), 0.0);
}

TEST(Judge, WhatDoesNotFitIsToldWithWhatDoes) {
  const Folder folder;
  const auto refusal = [&](const std::string& scene, const std::vector<std::string>& more = {}) {
    const Outcome outcome = judge(folder, "a.npy", scene, more);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    return outcome.err;
  };
  save(folder, "a.npy", "<c16", {4096}, Wave(4096));
  EXPECT_THAT(refusal("tunneling"), AllOf(HasSubstr("'a.npy': its shape is (4096,); this scene takes (2048,)"),
                                          HasSubstr("--set grid_points=4096")));
  save(folder, "a.npy", "<f8", {2048}, std::vector<double>(2048));
  EXPECT_THAT(refusal("tunneling"), HasSubstr("holds float64, but psi is complex: save the wave itself"));
  save(folder, "a.npy", "<c8", {512, 512}, std::vector<std::complex<float>>(512 * 512));
  EXPECT_THAT(refusal("heat"), HasSubstr("holds complex64, but temperature is real"));
  Wave broken(2048);
  broken[17] = std::numeric_limits<double>::quiet_NaN();
  save(folder, "a.npy", "<c16", {2048}, broken);
  EXPECT_THAT(refusal("tunneling"), HasSubstr("1 of its 4096 numbers are not finite, the first at [17]"));
  std::ofstream(folder / "a.npy") << "no array";
  EXPECT_THAT(refusal("tunneling"), HasSubstr("is not a NumPy array"));
  std::ofstream(folder / "a.npy") << "PK\x03\x04";
  EXPECT_THAT(refusal("tunneling"), HasSubstr("is an archive of arrays (np.savez); save the array itself: np.save("));
  std::ofstream(folder / "a.npy", std::ios::binary)
      << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << "{'descr': '<c8', 'fortran_order': False, 'shape': (2048,), }"
      << std::string(58, ' ');
  EXPECT_THAT(refusal("tunneling"), HasSubstr("has 0 bytes; its shape takes 16384"));
  save(folder, "a.npy", "<c16", {2048}, Wave(2048));
  EXPECT_THAT(refusal("tunneling:tunnling"), HasSubstr("did you mean 'tunnelling'?"));
  EXPECT_THAT(refusal("tunneling", {"--frame", "1", "--require", "energy_drif<=1"}),
              HasSubstr("did you mean 'energy_drift'?"));
  EXPECT_THAT(refusal("tunneling", {"--require", "energy"}), HasSubstr("write KEY<=VALUE or KEY>=VALUE"));
  EXPECT_THAT(refusal("tunneling", {"--at", "1", "--frame", "1"}), HasSubstr("do not go together"));
  EXPECT_EQ(judge(folder, "nowhere.npy", "tunneling", {"--frame", "0"}).status, 2);
}

TEST(Judge, NoCureIsRefusedAgain) {
  const Folder folder;
  const auto refusal = [&](std::vector<std::size_t> shape, const std::string& dtype, const std::string& scene) {
    std::size_t bytes = foreign::npyElementBytes(dtype);
    for (const std::size_t each : shape) bytes *= each;
    save(folder, "a.npy", dtype, shape, std::vector<char>(bytes));
    return judge(folder, "a.npy", scene, {"--frame", "0"}).err;
  };
  const auto cure = HasSubstr("--set ");
  EXPECT_THAT(refusal({128}, "<f4", "heat"), Not(cure)) << "a column is no field";
  EXPECT_THAT(refusal({128, 1}, "<f4", "heat"), Not(cure));
  EXPECT_THAT(refusal({128, 64}, "<f4", "heat"), Not(cure));
  EXPECT_THAT(refusal({60, 60}, "<f4", "heat"), Not(cure)) << "fewer cells than there may be";
  EXPECT_THAT(refusal({4096}, "<f8", "tunneling"), Not(cure)) << "no wave on any grid";
  EXPECT_THAT(refusal({100, 4}, "<f8", "nbody"), Not(cure)) << "columns of no body";
  EXPECT_THAT(refusal({96, 96}, "<f4", "heat"), HasSubstr("--set grid_points=96"));
  EXPECT_EQ(judge(folder, "a.npy", "heat", {"--frame", "0", "--set", "grid_points=96"}).status, kNotKept);
  EXPECT_THAT(refusal({300, 6}, "<f8", "nbody:plummer"), HasSubstr("--set bodies=300"));
  EXPECT_NE(judge(folder, "a.npy", "nbody:plummer", {"--frame", "0", "--set", "bodies=300"}).status, 2);
}

TEST(Judge, RequirementsReplaceTheDescriptionsBounds) {
  const Folder folder;
  ASSERT_EQ(simscope(folder, {"run", "tunneling", "--steps", "30", "--save", "a.npy", "--device", "cpu"}).status, 0);
  const auto status = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"--frame", "1"};
    for (const std::string& each : more) all.insert(all.end(), {"--require", each});
    return judge(folder, "a.npy", "tunneling", all).status;
  };
  EXPECT_EQ(status({}), 0);
  EXPECT_EQ(status({"norm>=0.999", "norm<=1.001", "energy>=1.9"}), 0);
  EXPECT_EQ(status({"energy>=2.5"}), kNotKept);
  EXPECT_EQ(status({"mean_position<=1"}), kNotKept) << "a magnitude";
  EXPECT_EQ(status({"norm_drift<=0"}), kNotKept);
  EXPECT_EQ(status({"norm_drift<=inf"}), 0);
}

}  // namespace
}  // namespace simscope::cli_test
