// The set itself, against what is known of it exactly.
#include "sims/mandelbrot/mandelbrot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sims/mandelbrot/colours.h"
#include "sims/mandelbrot/testing.h"

namespace simscope::mandelbrot {
namespace {

const Changes kSmooth{{"colouring", "smooth"}};

// Sampling at 960 × 540 pixels is good to 1e-3; what has not escaped after n iterations exceeds the set by about 4/n.
TEST(Area, ByCountingComesDownToWhatIsKnownAsIterationsGrow) {
  const auto area = [](const char* most) {
    Stepper run = runOf(kSmooth.with({{"max_iterations", most}}));
    return diagnostic(run, "area");
  };
  const double coarse = area("100"), fine = area("1000"), finest = area("10000");
  EXPECT_GT(coarse, fine);
  EXPECT_GE(fine, finest);
  EXPECT_NEAR(coarse, kArea, 0.08);
  EXPECT_NEAR(fine, kArea, 0.012);
  EXPECT_NEAR(finest, kArea, 0.004);
}

// c whose orbits are known: 0 and -1 and the centre of period 3 never leave; 1/4 and -2 are boundary points; for others
// the counts follow from the definition in whole numbers and fractions.
TEST(Counts, OfPointsWhoseOrbitsAreKnown) {
  const auto countAt = [](const char* x, const char* y, const char* arithmetic) {
    // An odd number of pixels: one of them is the centre.
    Stepper run = runOf(kSmooth.with({{"centre_x", x},
                                      {"centre_y", y},
                                      {"zoom", "1"},
                                      {"grid_points", "33"},
                                      {"aspect", "square"},
                                      {"arithmetic", arithmetic}}));
    return countsOf(run)[16 * 33 + 16];
  };
  for (const char* const arithmetic : {"single", "double", "perturbation"}) {
    SCOPED_TRACE(arithmetic);
    for (const auto& [x, y] : {std::pair{"0", "0"},
                               {"-1", "0"},
                               {"-2", "0"},
                               {"0.25", "0"},
                               {"0", "1"},
                               {"-0.122561166876654", "0.744861766619744"}}) {
      EXPECT_LE(countAt(x, y, arithmetic), 0) << x << ", " << y;
    }
    EXPECT_EQ(countAt("1", "0", arithmetic), 5);   // 1, 2, 5, 26, 677: the fifth is beyond 256
    EXPECT_EQ(countAt("2", "0", arithmetic), 4);   // 2, 6, 38, 1446
    EXPECT_EQ(countAt("-3", "0", arithmetic), 4);  // -3, 6, 33, 1086
    EXPECT_EQ(countAt("0", "2", arithmetic), 4);   // 2i, -4+2i, 12-14i, -52-334i
  }
}

TEST(Pixels, AboveAndBelowTheRealAxisMirrorEachOtherToTheBit) {
  for (const char* const arithmetic : {"single", "double", "perturbation"}) {
    Stepper run = runOf({{"arithmetic", arithmetic}, {"grid_points", "240"}, {"max_iterations", "300"}});
    const State state = run.save();
    const std::vector<int> count = valuesOf<int>(*state.find("count"));
    const std::vector<double> z = valuesOf<double>(*state.find("z"));
    const std::size_t w = 240, h = 135, n = w * h;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t mirrored = (h - 1 - i / w) * w + i % w;
      ASSERT_EQ(count[i], count[mirrored]) << arithmetic << i;
      ASSERT_EQ(z[i], z[mirrored]) << arithmetic << i;
      ASSERT_EQ(z[n + i], -z[n + mirrored]) << arithmetic << i;
    }
  }
}

// On either side of a band's edge: the same ν but for the part 2/R² that c has in |z² + c|.
TEST(SmoothCount, HasNoStepWhereTheCountHasOne) {
  // Along a line, by bisection, where the count changes.
  const auto orbit = [](double cx, double cy) {
    double x = 0, y = 0;
    int n = 0;
    do {
      iterate(x, y, cx, cy);
      ++n;
    } while (x * x + y * y <= kEscape * kEscape);
    return std::pair{n, static_cast<double>(smoothCount(x, y, n))};
  };
  int edges = 0;
  for (const double cy : {0.05, 0.3, 0.7, 1.1}) {
    for (double cx = 0.5; cx < 1.9; cx += 0.05) {
      double low = cx, high = cx + 0.05;
      const int count = orbit(low, cy).first;
      if (count == orbit(high, cy).first) continue;
      while (high - low > 1e-14) {
        const double middle = (low + high) / 2;
        (orbit(middle, cy).first == count ? low : high) = middle;
      }
      EXPECT_EQ(std::abs(orbit(low, cy).first - orbit(high, cy).first), 1);
      EXPECT_NEAR(orbit(low, cy).second, orbit(high, cy).second, 5e-5);
      ++edges;
    }
  }
  EXPECT_GT(edges, 10);
}

// The Julia set of 0 is the unit circle.
TEST(JuliaSet, OfZeroIsTheUnitCircle) {
  Stepper run = runOf({{"julia_x", "0"},
                       {"julia_y", "0"},
                       {"grid_points", "711"},
                       {"colouring", "smooth"},
                       {"max_iterations", "2000"}});
  Frame frame;
  frame.wanted = std::vector<std::string>{"julia"};
  run.present(frame);
  const Channel& julia = tests::channelOf(frame, "julia");
  const std::vector<float> light = julia.data.toHost();
  const double edge = (julia.x_max - julia.x_min) / julia.width;
  int inside = 0;
  for (int row = 0; row < julia.height; ++row) {
    for (int column = 0; column < julia.width; ++column) {
      const double x = julia.x_min + column * edge, y = julia.y_min + row * edge;
      const auto at = 3 * static_cast<std::size_t>(row * julia.width + column);
      const bool dark = light[at] < 0.002f && light[at + 2] < 0.003f;
      ASSERT_EQ(dark, x * x + y * y <= 1) << x << ", " << y;
      inside += dark;
    }
  }
  EXPECT_NEAR(inside * edge * edge, std::numbers::pi, 0.03);
}

TEST(JuliaSet, FollowsTheToolAndTheParameters) {
  Stepper run = runOf({{"grid_points", "64"}, {"julia_x", "0.1"}});
  const auto picture = [&] {
    Frame frame;
    run.present(frame);
    return tests::channelOf(frame, "julia").data.toHost();
  };
  const std::vector<float> before = picture();
  ASSERT_TRUE(run.poke({.tool = "julia_point", .x = -1.2, .y = 0.3, .begins = true}));
  const std::vector<float> there = picture();
  EXPECT_NE(before, there);
  run.reset(1);
  EXPECT_EQ(picture(), there) << "the stroke belongs to the run";
  run.configure(with({{"grid_points", "64"}, {"julia_x", "0.2"}}));
  EXPECT_NE(picture(), there);
  run.configure(with({{"grid_points", "64"}, {"julia_x", "-1.2"}, {"julia_y", "0.3"}}));
  EXPECT_EQ(picture(), there);
}

// By Koebe's theorem |z| ln|z| / |dz/dc| lies between half of the distance and twice it.
double estimateAt(double x, double y) {
  Stepper run = runOf({{"centre_x", toText(x)},
                       {"centre_y", toText(y)},
                       {"zoom", "4"},
                       {"grid_points", "33"},
                       {"aspect", "square"},
                       {"arithmetic", "double"},
                       {"max_iterations", "100000"}});
  const State state = run.save();
  const std::vector<double> z = valuesOf<double>(*state.find("z")), d = valuesOf<double>(*state.find("derivative"));
  const std::size_t i = 16 * 33 + 16, n = 33 * 33;
  return static_cast<double>(distanceInPixels(z[i], z[n + i], d[i], d[n + i])) * 4e-4 / 33;
}

// The tip at -2 is the nearest point of the set for all c to the left of it.
TEST(Distance, EstimateIsWithinAFactorOfTwoOfTheExactDistanceFromTheTip) {
  for (const double distance : {1e-4, 1e-3, 0.01, 0.1, 1.0}) {
    const double estimate = estimateAt(-2 - distance, 0);
    EXPECT_GT(estimate, 0.5 * distance) << distance;
    EXPECT_LT(estimate, 2 * distance) << distance;
  }
}

// The set is no farther than the main cardioid, and where no bulb is near not much nearer: to the right of its cusp.
TEST(Distance, EstimateIsAtMostTwiceTheExactDistanceFromTheCardioid) {
  const auto exact = [](double x, double y) {
    double least = 10;
    for (int i = 0; i < 200000; ++i) {
      const double a = 2 * std::numbers::pi * i / 200000;
      least = std::min(
          least, std::hypot(x - std::cos(a) / 2 + std::cos(2 * a) / 4, y - std::sin(a) / 2 + std::sin(2 * a) / 4));
    }
    return least;
  };
  for (const double distance : {3e-3, 0.01, 0.1, 0.5}) {
    const double x = 0.25 + distance, estimate = estimateAt(x, 0);
    EXPECT_LT(estimate, 2 * exact(x, 0)) << distance;
    EXPECT_GT(estimate, 0.25 * exact(x, 0)) << distance;
  }
}

TEST(Steps, FillInWhatAWholePictureHas) {
  const Changes place{{"grid_points", "160"},
                      {"max_iterations", "200"},
                      {"centre_x", "-0.7445"},
                      {"centre_y", "0.1215"},
                      {"zoom", "2.3"}};
  Stepper whole = runOf(place);
  Stepper filled = runOf(place.with({{"drawing", "fill_in"}, {"iterations_per_step", "10"}}));
  const std::vector<int> all = countsOf(whole);
  for (int step = 0; step <= 20; ++step) {
    const std::vector<int> some = countsOf(filled);
    const int done = std::min(10 * (step + 1), 200);
    EXPECT_EQ(diagnostic(filled, "iterations"), done);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(std::max(some[i], 0), all[i] > 0 && all[i] <= done ? all[i] : 0) << step << ": " << i;
    }
    filled.step(1);
  }
}

TEST(Steps, AChangeOfTheWindowIsSeenAtOnceWithAllIterations) {
  Stepper run = runOf({{"grid_points", "96"}, {"drawing", "fill_in"}, {"iterations_per_step", "7"}});
  run.step(20);
  const Changes there{{"grid_points", "96"}, {"drawing", "fill_in"},  {"iterations_per_step", "7"},
                      {"zoom", "2.5"},       {"centre_x", "-0.7445"}, {"centre_y", "0.1215"}};
  run.configure(with(there));
  Stepper fresh = runOf(there);
  fresh.step(20);
  EXPECT_TRUE(tests::sameBits(run.save(), fresh.save()));
}

TEST(Advice, APictureFromWhichNothingEscapesIsNotTakenForTheSet) {
  // Around a point that needs some 60 iterations, and within the discs of period 2, 3, and the cardioid.
  const Changes valley{
      {"grid_points", "64"}, {"centre_x", "-0.7445"}, {"centre_y", "0.1215"}, {"zoom", "8"}, {"max_iterations", "40"}};
  Stepper run = runOf(valley);
  ASSERT_EQ(diagnostic(run, "inside"), 1);
  std::string value = "40";
  for (int i = 0; i < 8 && value != ""; ++i) {
    Stepper longer = runOf(valley.with({{"max_iterations", value}}));
    const std::vector<Finding> findings = longer.findings();
    EXPECT_EQ(tests::hasFinding(findings, "nothing_escaped"), diagnostic(longer, "deepest") == 0) << value;
    value = findings.empty() ? "" : findings.front().value;
  }
  EXPECT_EQ(value, "") << "the cure leads to an end";
  for (const auto& [x, y] : {std::pair{"-1", "0"}, {"-0.1", "0.1"}, {"-0.122561166876654", "0.744861766619744"}}) {
    Stepper inside = runOf({{"grid_points", "64"}, {"centre_x", x}, {"centre_y", y}, {"zoom", "4"}});
    ASSERT_EQ(diagnostic(inside, "inside"), 1);
    EXPECT_TRUE(inside.findings().empty()) << x << ", " << y;
  }
}

TEST(Advice, NamesTooFewIterationsAndTheCureHolds) {
  const Changes place{{"grid_points", "240"}, {"max_iterations", "10"}};
  Stepper few = runOf(place);
  ASSERT_TRUE(tests::hasFinding(few.findings(), "too_few_iterations"));
  std::string value = "10";
  for (int i = 0; i < 8; ++i) {
    Stepper run = runOf(place.with({{"max_iterations", value}}));
    const std::vector<Finding> findings = run.findings();
    if (findings.empty()) break;
    value = findings.front().value;
  }
  Stepper enough = runOf(place.with({{"max_iterations", value}}));
  EXPECT_TRUE(enough.findings().empty()) << value;
  EXPECT_LT(std::stoi(value), 2000);
}

}  // namespace
}  // namespace simscope::mandelbrot
