// Perturbation against arbitrary precision, and the places that the presets show.
#include <gtest/gtest.h>

#include "sims/mandelbrot/decimal.h"
#include "sims/mandelbrot/testing.h"

namespace simscope::mandelbrot {
namespace {

struct Place {
  const char* preset;
  double zoom;
  int most;
  double beside = 0;  // how far from the preset's centre, as a share of the picture
};

// A grid of the picture's pixels, their counts each by MPFR with 80 bits more than a pixel needs.
void expectPreciseCounts(const Place& place, const char* arithmetic, int allowed) {
  const ParameterSet preset = description().preset(place.preset);
  const double wide = 4 * std::pow(10.0, -place.zoom);
  const std::string x = moved(preset.text("centre_x"), place.beside * wide, 130), y = preset.text("centre_y");
  Stepper run = runOf({{"centre_x", x},
                       {"centre_y", y},
                       {"zoom", toText(place.zoom)},
                       {"grid_points", "33"},
                       {"arithmetic", arithmetic},
                       {"colouring", "smooth"},
                       {"max_iterations", std::to_string(place.most)}});
  const std::vector<int> counts = countsOf(run);
  const double spacing = wide / 33;
  const int height = 33 * 9 / 16, bits = bitsFor(spacing) + 80;
  int wrong = 0, escaped = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < 33; ++column) {
      const double dx = (column - 16) * spacing, dy = (row - 0.5 * (height - 1)) * spacing;
      const int expected = preciseOrbit(x, y, dx, dy, bits, place.most).count;
      const int found = std::max(counts[static_cast<std::size_t>(row * 33 + column)], 0);
      wrong += found != expected;
      escaped += expected > 0;
    }
  }
  EXPECT_LE(wrong, allowed) << place.preset << " at 1e-" << place.zoom << " by " << arithmetic;
  EXPECT_GT(escaped, 200) << "there is something to compare";
}

TEST(Perturbation, CountsAreThoseOfArbitraryPrecisionAtEveryDepth) {
  expectPreciseCounts({"seahorse_valley", 2.3, 1000}, "perturbation", 0);
  expectPreciseCounts({"minibrot", 5, 2000}, "perturbation", 0);
  expectPreciseCounts({"minibrot", 12.3, 4000}, "perturbation", 0);
  expectPreciseCounts({"deep_30", 14, 1500}, "perturbation", 0);
  expectPreciseCounts({"deep_30", 29.6, 1500}, "perturbation", 0);
  expectPreciseCounts({"deep_100", 60, 1500}, "perturbation", 0);
  expectPreciseCounts({"deep_100", 99.5, 1500}, "perturbation", 0);
}

// The reference escapes early, and the minibrot's surroundings come nearer to 0 than it does.
TEST(Perturbation, CountsAreThoseOfArbitraryPrecisionWhateverTheReference) {
  expectPreciseCounts({"minibrot", 12, 4000, 0.2}, "perturbation", 0);
  expectPreciseCounts({"deep_30", 29.6, 1500, 0.3}, "perturbation", 0);
  expectPreciseCounts({"deep_100", 99.5, 1500, -0.35}, "perturbation", 0);
}

TEST(Perturbation, DirectArithmeticCountsTheSameWhereItResolvesThePixels) {
  expectPreciseCounts({"seahorse_valley", 0, 500}, "double", 0);
  expectPreciseCounts({"seahorse_valley", 2.3, 1000}, "double", 0);
  expectPreciseCounts({"minibrot", 8, 2000}, "double", 8);  // of 594: beside the boundary
  expectPreciseCounts({"whole_set", 0, 200}, "single", 2);
}

TEST(Perturbation, GlitchesLeftInAreCountedAndRebasingMendsThem) {
  const ParameterSet deep = description().preset("deep_30");
  const Changes place{{"centre_x", moved(deep.text("centre_x"), 3e-30, 60)},
                      {"centre_y", deep.text("centre_y")},
                      {"zoom", "29.6"},
                      {"grid_points", "96"},
                      {"max_iterations", "1500"}};
  Stepper rebased = runOf(place), marked = runOf(place.with({{"glitches", "mark"}}));
  EXPECT_GT(diagnostic(marked, "glitched"), 20);
  EXPECT_TRUE(tests::hasFinding(marked.findings(), "glitches"));
  EXPECT_FALSE(tests::hasFinding(rebased.findings(), "glitches"));
  const std::vector<int> right = countsOf(rebased), left_in = countsOf(marked);
  int differ = 0;
  for (std::size_t i = 0; i < right.size(); ++i) differ += right[i] != left_in[i];
  EXPECT_GT(differ, 10) << "left in, they are wrong";
}

TEST(Presets, DeepOnesLookAtNucleiOfTheirPeriods) {
  const std::pair<const char*, int> all[] = {{"minibrot", 441}, {"deep_30", 119}, {"deep_100", 135}};
  for (const auto& [key, period] : all) {
    const ParameterSet preset = description().preset(key);
    const double zoom = preset.real("zoom");
    const std::string x = preset.text("centre_x"), y = preset.text("centre_y");
    // One step of Newton's method, |z/(dz/dc)|, is the distance from the nucleus.
    const Precise at = preciseOrbit(x, y, 0, 0, 900, period);
    EXPECT_LT(at.magnitude / at.derivative, 1e-3 * std::pow(10.0, -zoom)) << key;
    for (int divisor = 1; divisor < period; ++divisor) {
      if (period % divisor != 0) continue;
      EXPECT_GT(preciseOrbit(x, y, 0, 0, 900, divisor).magnitude, 1e-6) << key << ": of period " << divisor;
    }
  }
}

// Pixelation: neighbours that float32 cannot tell apart have the same count, and the advice says so.
TEST(Arithmetic, TooCoarseForThePixelsIsSeenAndWarnedOf) {
  const Changes place{{"centre_x", "-0.743643887"},
                      {"centre_y", "0.131825904"},
                      {"zoom", "6"},
                      {"grid_points", "256"},
                      {"max_iterations", "3000"}};
  const auto runsOfEqualCounts = [&](const char* arithmetic) {
    Stepper run = runOf(place.with({{"arithmetic", arithmetic}}));
    const std::vector<int> counts = countsOf(run);
    int equal = 0;
    for (std::size_t i = 1; i < counts.size(); ++i) equal += counts[i] == counts[i - 1] && counts[i] > 0;
    const bool warned = tests::hasFinding(run.findings(), "pixelation");
    return std::pair{static_cast<double>(equal) / static_cast<double>(counts.size()), warned};
  };
  const auto coarse = runsOfEqualCounts("single"), fine = runsOfEqualCounts("double"), own = runsOfEqualCounts("auto");
  EXPECT_TRUE(coarse.second);
  EXPECT_FALSE(fine.second || own.second);
  EXPECT_GT(coarse.first, fine.first + 0.2);
  EXPECT_EQ(fine.first, own.first);
}

TEST(Arithmetic, IsChosenByTheSizeOfAPixelAndTheNumberOfIterations) {
  EXPECT_EQ(chosen(Arithmetic::Auto, 4e-3, kFewIterations), Arithmetic::Float32);
  EXPECT_EQ(chosen(Arithmetic::Auto, 4e-3, kFewIterations + 1), Arithmetic::Float64);
  EXPECT_EQ(chosen(Arithmetic::Auto, 1e-4, 20), Arithmetic::Float64);
  EXPECT_EQ(chosen(Arithmetic::Auto, 1e-12, 20), Arithmetic::Float64);
  EXPECT_EQ(chosen(Arithmetic::Auto, 1e-13, 20), Arithmetic::Perturbation);
  EXPECT_EQ(chosen(Arithmetic::Float32, 1e-50, 1000), Arithmetic::Float32);
}

// Deep enough that double precision moves c by a noticeable part of a pixel. No arithmetic has all counts: some change
// within any shift.
TEST(Arithmetic, OfPerturbationIsRightWhereDoublePrecisionIsNot) {
  const Changes deep{{"grid_points", "120"},
                     {"centre_x", "-0.743643887"},
                     {"centre_y", "0.131825904"},
                     {"zoom", "7"},
                     {"max_iterations", "3000"}};
  Stepper own = runOf(deep.with({{"arithmetic", "double"}})),
          exact = runOf(deep.with({{"arithmetic", "perturbation"}}));
  const std::vector<int> counts = countsOf(own), perturbed = countsOf(exact);
  const Parameters p = binding().read(own.simulation().parameters());
  const int width = p.grid_points, height = p.height();
  int differing = 0, right = 0;
  for (int i = 0; i < width * height && differing < 20; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (std::max(counts[at], 0) == std::max(perturbed[at], 0)) continue;
    const double x = (i % width - 0.5 * (width - 1)) * p.spacing(), y = (i / width - 0.5 * (height - 1)) * p.spacing();
    right += preciseOrbit(p.centre_x, p.centre_y, x, y, 300, p.max_iterations).count == std::max(perturbed[at], 0);
    ++differing;
  }
  EXPECT_EQ(differing, 20);
  EXPECT_GE(right, 18);
}

// Beside perturbation, at the opening.
TEST(Arithmetic, ChosenForThePictureHasTheCountsOfTheExactOrbits) {
  struct Differing {
    double all = 0, late = 0, falsely_inside = 0;
  };
  const auto differing = [](const Changes& changes) {
    Stepper run = runOf(changes), exact = runOf(changes.with({{"arithmetic", "perturbation"}}));
    const std::vector<int> counts = countsOf(run), right = countsOf(exact);
    Differing found;
    double late = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const bool differs = right[i] > 0 && counts[i] != right[i];
      found.all += differs, found.late += differs && right[i] > 50, late += right[i] > 50;
      found.falsely_inside += right[i] > 0 && counts[i] <= 0;
    }
    found.all /= static_cast<double>(counts.size()), found.late /= std::max(late, 1.0);
    return found;
  };
  const Changes opening{{"grid_points", "480"}};
  const Differing single = differing(opening.with({{"arithmetic", "single"}})), own = differing(opening);
  EXPECT_GT(single.late, 0.1) << "what float32 makes of later counts";
  EXPECT_LT(own.late, 0.01);
  EXPECT_LT(own.all, 1e-4);
  EXPECT_EQ(own.falsely_inside, 0);
  const Differing few = differing(opening.with({{"max_iterations", "32"}}));
  EXPECT_LT(few.all, 1e-4) << "in single precision";
  EXPECT_EQ(few.falsely_inside, 0);
}

}  // namespace
}  // namespace simscope::mandelbrot
