#include "sims/reaction_diffusion/reaction_diffusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/compute/test_devices.h"
#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::reaction_diffusion {
namespace {

using tests::Changes;

constexpr bool kSlow = SIMSCOPE_SANITIZE;

ParameterSet with(const Changes& changes) {
  return tests::changed(description().defaults(), changes);
}
Parameters parametersWith(const Changes& changes) {
  return binding().read(with(changes));
}
Stepper runOf(const Changes& changes, compute::DevicePtr device = tests::cpu(), std::uint64_t seed = 3) {
  return Stepper(description(), std::move(device), with(changes), seed);
}
std::vector<Cell> cellsOf(Stepper& run) {
  return valuesOf<Cell>(*run.save().find("uv"));
}
double diagnostic(Stepper& run, const char* key) {
  return run.diagnostics()[description().diagnosticIndex(key)];
}

const Changes kTuring{{"feed", "0.06"}, {"kill", "0.062"}, {"diffusion_v", "0.08"}, {"start", "mode"}};
const Changes kFisher{{"model", "fisher"}, {"start", "seed"}, {"diffusion_u", "1"}};

// One step as the equations say it, in double precision and without any blocking.
std::vector<std::array<double, 2>> plainStep(const std::vector<std::array<double, 2>>& from, const Parameters& p) {
  const int n = p.grid_points;
  std::vector<std::array<double, 2>> to(from.size());
  const auto at = [&](int x, int y, int f) {
    return from[static_cast<std::size_t>((y + n) % n * n + (x + n) % n)][static_cast<std::size_t>(f)];
  };
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double u = at(x, y, 0), v = at(x, y, 1), area = p.spacing * p.spacing;
      const auto laplacian = [&](int f) {
        return (at(x - 1, y, f) + at(x + 1, y, f) + at(x, y - 1, f) + at(x, y + 1, f) - 4 * at(x, y, f)) / area;
      };
      const double change_u = p.fisher() ? u * (1 - u) : p.feed * (1 - u) - u * v * v;
      const double change_v = p.fisher() ? 0 : u * v * v - (p.feed + p.kill) * v + p.diffusion_v * laplacian(1);
      to[static_cast<std::size_t>(y * n + x)] = {u + p.time_step * (p.diffusion_u * laplacian(0) + change_u),
                                                 v + p.time_step * change_v};
    }
  }
  return to;
}

class Backend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

// Less than a tile, one, several; noise shows every misplaced cell.
std::vector<Changes> someRuns() {
  std::vector<Changes> runs;
  for (const char* const points : {"64", "128", "256", kSlow ? "128" : "512", kSlow ? "256" : "1024"}) {
    runs.push_back(kTuring.with({{"grid_points", points}, {"start", "noise"}}));
    runs.push_back(Changes{{"grid_points", points}});
  }
  runs.push_back(kFisher.with({{"grid_points", "128"}, {"spacing", "0.5"}, {"time_step", "0.01"}}));
  runs.push_back(kFisher.with({{"grid_points", "64"}, {"start", "patches"}, {"time_step", "0.1"}}));
  return runs;
}

TEST_P(Backend, StepsAreThoseOfAPlainLoop) {
  for (const Changes& changes : someRuns()) {
    const Parameters p = parametersWith(changes);
    if (p.grid_points > 256) continue;
    SCOPED_TRACE(p.grid_points);
    Stepper run = runOf(changes, device_);
    std::vector<std::array<double, 2>> expected;
    for (const Cell& cell : cellsOf(run)) expected.push_back({cell.u, cell.v});
    run.step(27);
    for (int i = 0; i < 27; ++i) expected = plainStep(expected, p);
    const std::vector<Cell> cells = cellsOf(run);
    double worst = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      worst = std::max({worst, std::abs(cells[i].u - expected[i][0]), std::abs(cells[i].v - expected[i][1])});
    }
    EXPECT_LT(worst, 5e-6);
  }
}

TEST_P(Backend, BlockingChangesNoBit) {
  for (const Changes& changes : someRuns()) {
    Stepper together = runOf(changes, device_), apart = runOf(changes, device_);
    together.step(13);
    for (int i = 0; i < 13; ++i) apart.step(1);
    EXPECT_TRUE(tests::sameBits(together.save(), apart.save())) << changes[0].second;
  }
}

TEST_P(Backend, StepsAreThoseOfTheCpuToTheBit) {
  for (const Changes& changes : someRuns()) {
    Stepper here = runOf(changes, device_), reference = runOf(changes, tests::cpu(1));
    here.step(27);
    reference.step(27);
    EXPECT_TRUE(tests::sameBits(here.save(), reference.save())) << changes[0].second;
  }
}

TEST_P(Backend, FisherFrontIsTheExactOneToSecondOrder) {
  const auto errors = [&](const char* points, const char* spacing, const char* time_step, int steps) {
    const Changes changes = kFisher.with({{"grid_points", points}, {"spacing", spacing}, {"time_step", time_step}});
    Stepper run = runOf(changes, device_);
    run.step(steps);
    const Parameters p = parametersWith(changes);
    const std::vector<Cell> cells = cellsOf(run);
    double profile = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.grid_points); ++i) {
      const double x = p.positionOf(i);
      // The middle of the band, where the two fronts' tails meet, is not part of either.
      if (std::abs(x) > 8) profile = std::max(profile, std::abs(cells[i].u - p.frontAt(x, 4)));
    }
    return std::pair{profile, std::abs(diagnostic(run, "front") - diagnostic(run, "front_exact"))};
  };
  const auto [coarse, coarse_position] = errors("256", "0.5", "0.02", 200);
  const auto [fine, fine_position] = errors("512", "0.25", "0.005", 800);
  EXPECT_LT(fine, 0.004);
  EXPECT_LT(fine_position, 0.03);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);
  EXPECT_NEAR(std::log2(coarse_position / fine_position), 2, 0.4);
}

TEST_P(Backend, WavesGrowAtTheLargerEigenvalueToSecondOrder) {
  // Beside the fastest wave, where the rate depends on the wavelength. Over the second half of the way, when what the
  // grid's own eigenvector lacks has died out.
  const auto error = [&](const char* points, const char* spacing, const char* time_step, int steps) {
    const Changes changes =
        kTuring.with({{"grid_points", points}, {"spacing", spacing}, {"time_step", time_step}, {"mode", "7"}});
    Stepper run = runOf(changes, device_);
    run.step(steps / 2);
    const double half = diagnostic(run, "growth") * run.simulation().time();
    run.step(steps / 2);
    const double whole = diagnostic(run, "growth") * run.simulation().time();
    return (whole - half) / (run.simulation().time() / 2) - linearised(parametersWith(changes)).rate;
  };
  const double coarse = error("64", "1", "0.4", 600), fine = error("128", "0.5", "0.1", 2400);
  EXPECT_LT(std::abs(fine), 3e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

TEST_P(Backend, TheBrushSowsAndErasesWhereItPasses) {
  Stepper run = runOf({{"grid_points", "128"}, {"spacing", "0.5"}, {"start", "seed"}}, device_);
  const Parameters p = parametersWith({{"grid_points", "128"}, {"spacing", "0.5"}});
  const std::vector<Cell> before = cellsOf(run);
  ASSERT_TRUE(run.poke({.tool = "seed", .x = 20, .y = 15, .dx = 8, .dy = 6, .radius = 2}));
  const std::vector<Cell> sown = cellsOf(run);
  int touched = 0;
  for (std::size_t i = 0; i < sown.size(); ++i) {
    const double x = p.positionOf(i % 128), y = p.positionOf(i / 128);
    // The way from (12, 9) to (20, 15): along it, and away from it.
    const double along = std::clamp(((x - 12) * 8 + (y - 9) * 6) / 10, 0.0, 10.0);
    const bool inside = std::hypot(x - 12 - 0.8 * along, y - 9 - 0.6 * along) <= 2;
    const Cell expected = inside ? Cell{0.5f, 0.25f} : before[i];
    ASSERT_TRUE(sown[i].u == expected.u && sown[i].v == expected.v) << x << ", " << y;
    touched += inside;
  }
  EXPECT_NEAR(touched * 0.25, 4 * 10 + std::numbers::pi * 4, 2);  // 10 long, 4 wide, round ends
  ASSERT_TRUE(run.poke({.tool = "eraser", .radius = 100}));
  for (const Cell& cell : cellsOf(run)) ASSERT_TRUE(cell.u == 1 && cell.v == 0);
  // A wide brush sows a ninth of what it covers, in squares.
  ASSERT_TRUE(run.poke({.tool = "seed", .radius = 25}));
  const std::vector<Cell> squares = cellsOf(run);
  const auto sowed = std::count_if(squares.begin(), squares.end(), [](const Cell& cell) { return cell.v > 0; });
  EXPECT_NEAR(static_cast<double>(sowed), std::numbers::pi * 50 * 50 / 9, 150);
  ASSERT_TRUE(run.poke({.tool = "seed", .x = 1e9, .y = -1e9, .dx = 1, .radius = 3})) << "far off the field";
  EXPECT_FALSE(run.poke({.tool = "seed", .x = NAN, .radius = 3}));
}

TEST(ReactionDiffusion, SteadyStateStandsStillAndItsWavesAreEigenvectors) {
  const Changes fine = kTuring.with({{"spacing", "0.5"}});
  for (const Changes& changes :
       {fine, fine.with({{"mode", "31"}}), fine.with({{"feed", "0.05"}, {"kill", "0.0605"}}), kFisher, Changes{}}) {
    const Parameters p = parametersWith(changes);
    const Linear at = linearised(p);
    // What happens to u and v in one place, per unit of time.
    const auto reaction = [&](double u, double v) -> std::pair<double, double> {
      if (p.fisher()) return {u * (1 - u), 0};
      return {-u * v * v + p.feed * (1 - u), u * v * v - (p.feed + p.kill) * v};
    };
    const auto [still_u, still_v] = reaction(at.u, at.v);
    EXPECT_NEAR(still_u, 0, 1e-12);
    EXPECT_NEAR(still_v, 0, 1e-12);
    constexpr double kStep = 1e-5;
    const auto [more_u, more_v] = reaction(at.u + kStep * at.du, at.v + kStep * at.dv);
    const auto [less_u, less_v] = reaction(at.u - kStep * at.du, at.v - kStep * at.dv);
    const double q2 = at.q * at.q;
    EXPECT_NEAR((more_u - less_u) / (2 * kStep) - p.diffusion_u * q2 * at.du, at.rate * at.du, 1e-9);
    EXPECT_NEAR((more_v - less_v) / (2 * kStep) - p.diffusion_v * q2 * at.dv, at.rate * at.dv, 1e-9);
    EXPECT_NEAR(std::hypot(at.du, at.dv), 1, 1e-12);
  }
}

// Turing's condition: what does not grow where it is mixed grows as a wave, and none much shorter.
TEST(ReactionDiffusion, PresetOfTuringIsUnstableByDiffusionAlone) {
  const ParameterSet preset = description().preset("turing_growth");
  Parameters p = binding().read(preset);
  const double fastest = linearised(p).rate;
  EXPECT_GT(fastest, 0.012);
  for (int waves = 0; waves <= 64; ++waves) {
    p.mode = waves;
    const double rate = linearised(p).rate;
    EXPECT_FALSE(rate > 1.001 * fastest) << waves << " waves grow faster";
    if (waves == 0 || waves > 40) {
      EXPECT_FALSE(rate > 0) << waves;
    }
  }
  EXPECT_TRUE(std::isnan(linearised(p).rate) || linearised(p).rate < 0);
}

TEST(ReactionDiffusion, ClosedFormsLieOnTheCutUntilTheMouseComes) {
  for (const char* const key : {"fisher_front", "turing_growth"}) {
    Stepper run(description(), tests::cpu(), tests::changed(description().preset(key), {}), 1);
    run.step(400);
    Frame frame;
    run.present(frame);
    const std::vector<float> cut = tests::channelOf(frame, "cut").data.toHost();
    const std::vector<float> exact = tests::channelOf(frame, "exact").data.toHost();
    EXPECT_EQ(tests::channelOf(frame, "exact").form, 0);
    const auto [low, high] = std::minmax_element(exact.begin(), exact.end());
    ASSERT_GT(*high - *low, 1e-3) << key << ": there is something to compare";
    for (std::size_t i = 0; i < cut.size(); ++i) ASSERT_NEAR(cut[i], exact[i], 0.02 * (*high - *low)) << key << i;
    run.poke({.tool = "eraser", .radius = 1});
    run.present(frame);
    EXPECT_EQ(tests::channelOf(frame, "exact").form, 1);
    EXPECT_TRUE(std::isnan(diagnostic(run, "front_exact")));
    EXPECT_TRUE(std::isnan(diagnostic(run, "growth_exact")));
  }
}

// A chessboard of 10⁻⁶ about the steady state: what so many steps of this length leave of it, in double precision.
double chessboardAfter(Parameters p, double time_step) {
  p.grid_points = 2, p.time_step = time_step;
  const Linear at = linearised(p);
  std::vector<std::array<double, 2>> cells;
  for (const double sign : {1.0, -1.0, -1.0, 1.0})
    cells.push_back({at.u + 1e-6 * sign, at.v + (p.fisher() ? 0 : 1e-6 * sign)});
  for (int i = 0; i < 400; ++i) cells = plainStep(cells, p);
  return std::hypot(cells[0][0] - cells[1][0], cells[0][1] - cells[1][1]) / 2e-6;
}

TEST(ReactionDiffusion, ChessboardFadesUpToTheLimitInTheWholeRangeOfTheParameters) {
  int stiff = 0;
  for (const double feed : {0.001, 0.01, 0.03, 0.06, 0.08, 0.1}) {
    for (const double kill : {0.0, 0.01, 0.02, 0.04, 0.06}) {
      for (const auto& [diffusion_u, diffusion_v] : {std::pair{0.2, 0.1}, {0.2, 0.25}, {0.05, 0.3}}) {
        Parameters p = parametersWith({});
        p.feed = feed, p.kill = kill, p.diffusion_u = diffusion_u, p.diffusion_v = diffusion_v;
        const double v = linearised(p).v, limit = longestStep(p);
        if (v == 0) continue;
        EXPECT_LT(chessboardAfter(p, 0.98 * limit), 1) << feed << ", " << kill << ", " << diffusion_v;
        stiff += v * v > 0.25;
      }
    }
  }
  EXPECT_GT(stiff, 20) << "v² is above 1/4";
  Parameters p = parametersWith({{"feed", "0.08"}, {"kill", "0.02"}});
  EXPECT_LT(longestStep(p), 0.95);
  EXPECT_GT(chessboardAfter(p, 1.05 * longestStep(p)), 10);
  p = parametersWith(kFisher);
  EXPECT_LT(chessboardAfter(p, 0.98 * longestStep(p)), 1);
  EXPECT_GT(chessboardAfter(p, 1.05 * longestStep(p)), 10);
}

TEST_P(Backend, AChessboardAtTheDefaultStepIsWarnedOfAndTheCureFindsTheSteadyState) {
  const Changes rich{{"feed", "0.08"}, {"kill", "0.02"}, {"grid_points", "64"}, {"start", "noise"}};
  Stepper bad = runOf(rich, device_);
  const auto warning = [](const std::vector<Finding>& all) {
    const auto found = std::find_if(all.begin(), all.end(), [](const Finding& f) { return f.code == "unstable"; });
    return found == all.end() ? Finding{} : *found;
  };
  const Finding at_start = warning(bad.findings());
  ASSERT_EQ(at_start.key, "time_step");
  bad.step(400);
  EXPECT_GT(std::abs(diagnostic(bad, "mean_v") - 0.68284), 0.02) << "a chessboard";
  Stepper cured = runOf(rich.with({{"time_step", at_start.value}}), device_);
  cured.step(400);
  EXPECT_NEAR(diagnostic(cured, "mean_v"), 0.68284, 1e-4);  // F (1 + √(1 - 4 (F + k)²/F))/(2 (F + k))
  EXPECT_EQ(warning(cured.findings()).code, "");
  EXPECT_NEAR(diagnostic(cured, "time_step_limit"), 2 / (1.6 + 0.08 + 0.68284 * 0.68284), 1e-3);
}

// Without a steady state only the field itself tells: v rises to 0.8 where it spreads into fresh u.
TEST_P(Backend, AFieldThatComesToALargerVIsWarnedOfWhenItDoes) {
  const Changes changes{{"feed", "0.001"}, {"kill", "0.017"}, {"grid_points", "64"}, {"start", "seed"}};
  ASSERT_EQ(linearised(parametersWith(changes)).v, 0);
  Stepper run = runOf(changes, device_);
  EXPECT_FALSE(tests::hasFinding(run.findings(), "unstable"));
  bool warned = false;
  for (int i = 0; i < 40; ++i) {
    run.step(10);
    double most = 0;
    for (const Cell& cell : cellsOf(run)) most = std::max(most, static_cast<double>(cell.v));
    EXPECT_NEAR(diagnostic(run, "time_step_limit"), 2 / std::max(1.6 + 0.001 + most * most, 0.8 + 0.018), 1e-6);
    const bool now = tests::holds(run, "unstable");
    EXPECT_EQ(now, most * most > 0.4 - 0.001);
    warned = warned || now;
  }
  EXPECT_TRUE(warned);
}

TEST(ReactionDiffusion, GrowthOfACoarseWaveIsWarnedOfAndTheCureKeepsThePromise) {
  int warned = 0, quiet = 0;
  for (const char* const spacing : {"0.25", "0.5", "1"}) {
    for (const char* const mode : {"1", "2", "3", "7", "12", "30"}) {
      Changes changes =
          kTuring.with({{"grid_points", "64"}, {"spacing", spacing}, {"time_step", "0.1"}, {"mode", mode}});
      if (std::isnan(linearised(parametersWith(changes)).rate)) continue;
      const auto error = [](Stepper& run) {
        double most = 0;
        for (int i = 0; i < 4; ++i) {
          run.step(1 + 30 * i);
          most = std::fmax(most, std::abs(diagnostic(run, "growth_error")));
        }
        return most;
      };
      Stepper run = runOf(changes);
      const std::vector<Finding> findings = run.findings();
      const auto coarse = std::find_if(findings.begin(), findings.end(),
                                       [](const Finding& each) { return each.code == "coarse_wave"; });
      if (error(run) > kGrowthError) {
        EXPECT_NE(coarse, findings.end()) << spacing << ", " << mode;
      }
      ++(coarse == findings.end() ? quiet : warned);
      if (coarse == findings.end() || coarse->key.empty()) continue;
      Stepper cured = runOf(changes.with({{coarse->key, coarse->value}}));
      EXPECT_FALSE(tests::hasFinding(cured.findings(), "coarse_wave")) << spacing << ", " << mode;
      EXPECT_LE(error(cured), 1.05 * kGrowthError) << spacing << ", " << mode;
    }
  }
  EXPECT_GT(warned, 3);
  EXPECT_GT(quiet, 1);
}

TEST(ReactionDiffusion, AFrontThatGridAndStepMoveIsWarnedOfAndTheCureKeepsThePromise) {
  int warned = 0, quiet = 0, cured = 0;
  const struct {
    const char *diffusion, *spacing, *time_step;
    double time;
  } cases[] = {{"4", "1", "0.05", 6},     {"4", "1", "0.06", 3},     {"1", "1", "0.06", 6},   {"1", "0.5", "0.0125", 6},
               {"0.3", "0.5", "0.06", 3}, {"0.3", "0.5", "0.02", 6}, {"4", "1", "0.0125", 6}, {"1", "2", "0.02", 10}};
  for (const auto& each : cases) {
    const Changes changes = kFisher.with({{"grid_points", "128"},
                                          {"diffusion_u", each.diffusion},
                                          {"spacing", each.spacing},
                                          {"time_step", each.time_step}});
    const auto ended = [&](const Changes& with) {
      Stepper run = runOf(with);
      run.step(static_cast<int>(std::lround(each.time / parametersWith(with).time_step)));
      return run;
    };
    const auto error = [](Stepper& run) { return diagnostic(run, "front") - diagnostic(run, "front_exact"); };
    Stepper run = ended(changes);
    const double off = error(run);
    const std::vector<Finding> findings = run.findings();
    const auto coarse = std::find_if(findings.begin(), findings.end(),
                                     [](const Finding& found) { return found.code == "coarse_front"; });
    EXPECT_EQ(coarse != findings.end(), std::abs(off) > kFrontError) << each.diffusion << ", " << each.spacing;
    ++(coarse == findings.end() ? quiet : warned);
    if (coarse == findings.end() || coarse->key.empty()) continue;
    Stepper better = ended(changes.with({{coarse->key, coarse->value}}));
    EXPECT_LE(std::abs(error(better)), kFrontError) << each.diffusion << ", " << each.spacing;
    ++cured;
  }
  EXPECT_GE(warned, 3);
  EXPECT_GE(cured, 2);
  EXPECT_GE(quiet, 3);
}

TEST(ReactionDiffusion, TheExactFrontEndsWhereItMeetsTheOther) {
  Stepper run = runOf(kFisher.with({{"grid_points", "64"}, {"spacing", "0.5"}, {"time_step", "0.02"}}));
  run.step(100);
  EXPECT_FALSE(std::isnan(diagnostic(run, "front_exact")));
  run.step(200);  // at 16.2, 0.2 beyond the edge
  EXPECT_TRUE(std::isnan(diagnostic(run, "front_exact")));
  EXPECT_TRUE(run.findings().empty());
}

TEST(ReactionDiffusion, AWaveOfComplexEigenvaluesSaysWhyItHasNoGrowthAndTheCureHasOne) {
  const auto waves = [](const std::string& mode) {
    return kTuring.with({{"grid_points", "128"}, {"spacing", "0.5"}, {"time_step", "0.1"}, {"mode", mode}});
  };
  Stepper run = runOf(waves("1"));
  run.step(10);
  EXPECT_TRUE(std::isnan(diagnostic(run, "growth")) && std::isnan(diagnostic(run, "growth_exact")));
  const std::vector<Finding> findings = run.findings();
  const auto found = std::ranges::find(findings, "complex_wave", &Finding::code);
  ASSERT_NE(found, findings.end());
  ASSERT_EQ(found->key, "mode");
  Stepper cured = runOf(waves(found->value));
  cured.step(10);
  EXPECT_FALSE(tests::hasFinding(cured.findings(), "complex_wave"));
  EXPECT_FALSE(std::isnan(diagnostic(cured, "growth")) || std::isnan(diagnostic(cured, "growth_exact")));
}

TEST(ReactionDiffusion, GrowthThatRoundingHidesIsWarnedOf) {
  Stepper run =
      runOf(kTuring.with({{"grid_points", "128"}, {"spacing", "0.5"}, {"mode", "6"}, {"time_step", "0.0001"}}));
  EXPECT_TRUE(run.findings().empty());
  run.step(20);
  EXPECT_GT(std::abs(diagnostic(run, "growth_error")), kGrowthError);
  EXPECT_TRUE(tests::hasFinding(run.findings(), "growth_rounded"));
}

TEST(ReactionDiffusion, StepsBeyondTheLimitAreWarnedOfAndTheCureHolds) {
  const auto ends = [](const char* time_step) {
    Stepper run = runOf({{"grid_points", "64"}, {"time_step", time_step}});
    const bool warned = tests::hasFinding(run.findings(), "unstable");
    bool finite = true;
    try {
      for (int i = 0; i < 10; ++i) {
        run.step(200);
        run.verify();
      }
    } catch (const Error&) {
      finite = false;
    }
    return std::pair{warned, finite};
  };
  EXPECT_EQ(ends("1"), (std::pair{false, true}));
  EXPECT_EQ(ends("1.3"), (std::pair{true, false}));
  Stepper bad = runOf({{"grid_points", "64"}, {"time_step", "1.3"}});
  const std::vector<Finding> findings = bad.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].key, "time_step");
  EXPECT_EQ(ends(findings[0].value.c_str()), (std::pair{false, true}));
}

}  // namespace
}  // namespace simscope::reaction_diffusion
