// The mean of a formula over cells against areas in closed form, its cost, and what is left as it is.
#include "sims/formula/cell_mean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "sims/formula/formula.h"

namespace simscope::formula {
namespace {

std::vector<double> places(int count, double step) {
  std::vector<double> x;
  for (int i = 0; i < count; ++i) x.push_back((i - 0.5 * (count - 1)) * step);
  return x;
}

TEST(CellMeans, LeaveSmoothFormulasAndPolesAsTheyAreAtTheCostOfTheirSamples) {
  const std::vector<double> x = places(200, 0.1), few = places(60, 0.2);
  for (const char* text : {"0", "3*x - 1", "x^2 - 2*x^4", "sin(3*x)", "exp(-x^2)", "abs(x)", "tanh(3*x)",
                           "1/sqrt(x^2 + 0.01)", "-1/abs(x)", "1/x", "abs(x)^(-0.5)*sign(x)", "log(abs(x))"}) {
    Formula formula(text, {"x"});
    int calls = 0;
    const auto f = [&](double at) { return ++calls, formula.at({at}); };
    const CellMeans means = cellMeans(f, x);
    EXPECT_LT(calls, 320) << text;
    EXPECT_TRUE(means.jumps.empty()) << text;
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(means.values[i], formula.at({x[i]})) << text << ' ' << x[i];
  }
  for (const char* text : {"x*y", "x^2 + 3*y^2 + x*y^2", "cos(2*x)*cos(2*y)", "1/sqrt(x^2 + y^2)", "x/(x^2 + y^2)"}) {
    Formula formula(text, {"x", "y"});
    int calls = 0;
    const auto f = [&](double at, double y) { return ++calls, formula.at({at, y}); };
    const CellMeans means = cellMeans(f, few, few, 0, few.size());
    EXPECT_LT(calls, 1.7 * 3600) << text;
    for (std::size_t i = 0; i < means.values.size(); ++i) {
      ASSERT_EQ(means.values[i], formula.at({few[i % 60], few[i / 60]})) << text << ' ' << i;
    }
  }
}

TEST(CellMeans, OfAStepOnALineAreItsShareToSixDigitsWhereverItIs) {
  const std::vector<double> x = places(64, 0.1);
  for (int k = 0; k < 97; ++k) {
    const double edge = 0.3 + 0.1 * k / 97, width = 0.07 + 0.01 * k;
    const auto f = [&](double at) { return at > edge && at < edge + width ? 40 - 1.0 : at < edge ? -1.0 : -1.0; };
    const CellMeans means = cellMeans(f, x);
    EXPECT_EQ(means.unresolved, 0);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double share =
          std::clamp((std::min(x[i] + 0.05, edge + width) - std::max(x[i] - 0.05, edge)) / 0.1, 0.0, 1.0);
      ASSERT_NEAR(means.values[i], 40 * share - 1, 40e-6) << edge << ' ' << width << ' ' << x[i];
      sum += (means.values[i] + 1) * 0.1;
    }
    EXPECT_NEAR(sum, 40 * width, 1e-5);
    if (width < 0.1) continue;
    ASSERT_EQ(means.jumps.size(), 2u) << edge << ' ' << width;
    EXPECT_NEAR(means.jumps[0].at, edge, 1e-8);
    EXPECT_EQ(means.jumps[0].before, -1);
    EXPECT_EQ(means.jumps[0].after, 39);
    EXPECT_LE(x[means.jumps[1].from], edge + width);
  }
}

TEST(CellMeans, OfWhatIsSteeperThanTheGridAreMeansToo) {
  const std::vector<double> x = places(100, 0.1);
  const double sharp = 0.002, at = 0.537;
  const CellMeans means = cellMeans([&](double u) { return 0.2 * u + std::tanh((u - at) / sharp); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto whole = [&](double u) { return 0.1 * u * u + sharp * std::log(2 * std::cosh((u - at) / sharp)); };
    const double mean = std::abs(x[i] - at) < 1 ? (whole(x[i] + 0.05) - whole(x[i] - 0.05)) / 0.1 : means.values[i];
    EXPECT_NEAR(means.values[i], mean, 1e-3) << x[i];
  }
}

// What stands between two samples, or between two of the places that a halving looks at.
TEST(CellMeans, OfWallsThinnerThanACellAreTheirShareWhereverTheyStand) {
  const std::vector<double> x = places(64, 0.1);
  for (const double width : {0.08, 0.02, 1e-3, 1e-6}) {
    for (int k = 0; k < 23; ++k) {
      const double at = 0.3 + 0.2 * k / 23;
      const std::string text = "abs(x-" + std::to_string(at) + ")<0.5*" + std::to_string(width) + " ? 7 : 1";
      Formula formula(text, {"x"});
      const Bounds bounds(text, {"x"});
      int calls = 0;
      const CellMeans means = cellMeans([&](double u) { return ++calls, formula.at({u}); }, x, &bounds);
      EXPECT_LT(calls, 800);
      ASSERT_EQ(means.jumps.size(), 2u) << text;
      EXPECT_NEAR(means.jumps[1].at - means.jumps[0].at, width, 1e-8) << text;
      EXPECT_EQ(means.unresolved, 0u);
      double sum = 0;
      for (const double each : means.values) sum += (each - 1) * 0.1;
      EXPECT_NEAR(sum, 6 * width, 1e-7 + 1e-5 * width) << text;
    }
  }
}

TEST(CellMeans, OfWhatIsThinnerThanACellInThePlaneAddUpToItsArea) {
  const std::vector<double> x = places(40, 0.25);
  const auto areaOf = [&](const std::string& text) {
    Formula formula(text, {"x", "y"});
    const Bounds bounds(text, {"x", "y"});
    const Suspects suspects(bounds, x, x);
    const CellMeans means = cellMeans([&](double u, double v) { return formula.at({u, v}); }, x, x, 0, 40, &suspects);
    EXPECT_EQ(means.unresolved, 0u) << text;
    EXPECT_GT(means.thin_share, 0) << text;
    double sum = 0;
    for (const double each : means.values) sum += each / 16;
    return sum;
  };
  EXPECT_NEAR(areaOf("abs(x-0.27)<0.01 && abs(y)<3 ? 1 : 0"), 0.12, 0.12e-2);
  EXPECT_NEAR(areaOf("abs(y-0.27)<0.001 && abs(x)<3 ? 1 : 0"), 0.012, 0.012e-2);
  EXPECT_NEAR(areaOf("abs(x-0.6*y-0.1)<0.02 && abs(y)<3 ? 1 : 0"), 0.24, 0.24e-2);
  EXPECT_NEAR(areaOf("abs(sqrt(x^2+y^2)-3.03)<0.01 ? 1 : 0"), 4 * std::numbers::pi * 3.03 * 0.01, 4e-3);
  EXPECT_NEAR(areaOf("(x-0.26)^2+(y-0.51)^2<0.05^2 ? 1 : 0"), std::numbers::pi * 0.0025, 4e-4) << "a dot";
}

TEST(CellMeans, WithBoundsLeaveWhatHasKinksAloneAsItIs) {
  const std::vector<double> x = places(61, 0.1);
  for (const char* text : {"x<0.03 ? 0 : x - 0.03", "abs(x)<1.01 ? 1.0201 - x^2 : 0", "x == 0.123 ? 5 : 1", "x^2 < 0",
                           "x > 0.04 ? sqrt(x-0.04) : 0"}) {
    const Bounds bounds(text, {"x"}), plane(text, {"x", "y"});
    Formula formula(text, {"x"});
    const CellMeans means = cellMeans([&](double u) { return formula.at({u}); }, x, &bounds);
    EXPECT_TRUE(means.jumps.empty()) << text;
    const Suspects suspects(plane, x, x);
    const CellMeans both = cellMeans([&](double u, double) { return formula.at({u}); }, x, x, 0, x.size(), &suspects);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(means.values[i], formula.at({x[i]})) << text;
      ASSERT_EQ(both.values[30 * 61 + i], formula.at({x[i]})) << text;
    }
  }
}

// What is left of the square around (0, 0) of side 1 where a x + b y < c, by cutting its corners off.
double areaBelow(double a, double b, double c) {
  const double corners[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  std::vector<std::pair<double, double>> kept;
  for (int i = 0; i < 4; ++i) {
    const auto [x, y] = corners[i];
    const auto [u, v] = corners[(i + 1) % 4];
    const double here = a * x + b * y - c, there = a * u + b * v - c;
    if (here < 0) kept.emplace_back(x, y);
    if ((here < 0) != (there < 0))
      kept.emplace_back(x + (u - x) * here / (here - there), y + (v - y) * here / (here - there));
  }
  double area = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto [x, y] = kept[i];
    const auto [u, v] = kept[(i + 1) % kept.size()];
    area += 0.5 * (x * v - u * y);
  }
  return area;
}

TEST(CellMeans, OfAWallAtAnyAngleAreItsAreaToAThousandth) {
  constexpr int kSide = 24;
  const std::vector<double> x = places(kSide, 1);
  for (int k = 0; k < 40; ++k) {
    const double angle = 0.05 * std::numbers::pi * k + (k % 3 ? 0.01 * k : 0), c = 0.37 * k - 7;
    const double a = std::cos(angle), b = std::sin(angle);
    int calls = 0;
    const auto f = [&](double u, double v) { return ++calls, a * u + b * v < c ? -5.0 : 1.0; };
    const CellMeans means = cellMeans(f, x, x, 0, kSide);
    EXPECT_LT(calls, kSide * kSide + 500 * 3 * kSide);
    for (std::size_t j = 1; j < kSide - 1; ++j) {
      for (std::size_t i = 1; i < kSide - 1; ++i) {
        const double area = areaBelow(a, b, c - a * x[i] - b * x[j]);
        ASSERT_NEAR(means.values[j * kSide + i], 1 - 6 * area, 6e-3) << angle << ' ' << c << ' ' << i << ' ' << j;
      }
    }
  }
}

TEST(CellMeans, OfCornersAreTheProductsOfTheirSides) {
  constexpr int kSide = 16;
  const std::vector<double> x = places(kSide, 1);
  for (int k = 0; k < 25; ++k) {
    const double across = 0.04 * k, up = 0.36 * k - 4;
    const CellMeans means =
        cellMeans([&](double u, double v) { return u > across && v > up ? 1e6 : 0.0; }, x, x, 0, kSide);
    for (std::size_t j = 0; j < kSide; ++j) {
      for (std::size_t i = 0; i < kSide; ++i) {
        const double area = std::clamp(x[i] + 0.5 - across, 0.0, 1.0) * std::clamp(x[j] + 0.5 - up, 0.0, 1.0);
        ASSERT_NEAR(means.values[j * kSide + i], 1e6 * area, 1e3) << k << ' ' << i << ' ' << j;
      }
    }
  }
}

// A disc's area by its cells, where samples alone are off by a hundredth.
TEST(CellMeans, OfADiscAddUpToItsArea) {
  const std::vector<double> x = places(40, 0.25);
  const auto disc = [](double u, double v) { return u * u + v * v < 9.7 ? 1.0 : 0.0; };
  double sum = 0;
  for (const double each : cellMeans(disc, x, x, 0, x.size()).values) sum += each / 16;
  EXPECT_NEAR(sum / (9.7 * std::numbers::pi), 1, 1e-4);
}

TEST(CellMeans, DoNotDependOnHowThePlaneIsDividedAndMirrorToTheBit) {
  const std::vector<double> x = places(41, 0.21), y = places(33, 0.17);
  const auto f = [](double u, double v) {
    return (std::abs(u) + 0.6 * std::abs(v) < 2.3 ? std::cos(u) * std::cos(v) : 7.0) + (std::abs(v) > 2.1 ? 2 : 0);
  };
  const CellMeans whole = cellMeans(f, x, y, 0, 33);
  std::vector<double> parts;
  std::size_t jumps = 0;
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 12}, {13, 2}, {15, 18}}) {
    const CellMeans part = cellMeans(f, x, y, first, count);
    parts.insert(parts.end(), part.values.begin(), part.values.end());
    jumps += part.jumps.size();
  }
  EXPECT_EQ(parts, whole.values);
  EXPECT_EQ(jumps, whole.jumps.size());
  for (std::size_t j = 0; j < 33; ++j) {
    for (std::size_t i = 0; i < 41; ++i) {
      ASSERT_EQ(whole.values[j * 41 + i], whole.values[j * 41 + 40 - i]);
      ASSERT_EQ(whole.values[j * 41 + i], whole.values[(32 - j) * 41 + i]);
    }
  }
  const auto even = [](double u, double v) { return std::abs(u) + std::abs(v) < 2.3 && u * v < 0.7 ? 1.0 : 0.0; };
  const CellMeans square = cellMeans(even, x, x, 0, 41);
  for (std::size_t j = 0; j < 41; ++j) {
    for (std::size_t i = 0; i < 41; ++i)
      ASSERT_EQ(square.values[j * 41 + i], square.values[i * 41 + j]) << i << ' ' << j;
  }
}

TEST(CellMeans, OfNoiseKeepTheirSamplesAtABoundedCost) {
  const auto noise = [](double u, double v) {
    auto bits = static_cast<std::uint64_t>(1e9 * (u + 50)) * 0x9E3779B97F4A7C15u +
                static_cast<std::uint64_t>(1e9 * (v + 50)) * 0xC2B2AE3D27D4EB4Fu;
    bits ^= bits >> 29;
    return static_cast<double>((bits * 0xBF58476D1CE4E5B9u) >> 40);
  };
  const std::vector<double> x = places(64, 0.1);
  int calls = 0;
  const CellMeans means = cellMeans([&](double u, double v) { return ++calls, noise(u, v); }, x, x, 0, 64);
  EXPECT_GT(means.unresolved, 2000u);
  EXPECT_LT(calls, 64 * 64 * 250);
}

TEST(CellMeans, KeepValuesThatAreNotFinite) {
  const std::vector<double> x = places(9, 1);
  const CellMeans means = cellMeans([](double u) { return u > 1.5 ? NAN : u < -1.5 ? 1.0 : 1 / u; }, x);
  EXPECT_TRUE(std::isnan(means.values[8]));
  EXPECT_TRUE(std::isinf(means.values[4]));
  EXPECT_EQ(means.values[0], 1);
  const std::vector<double> one = {0.5};
  EXPECT_EQ(cellMeans([](double) { return 3.0; }, one).values, std::vector<double>{3});
  EXPECT_EQ(cellMeans([](double, double) { return 3.0; }, one, one, 0, 1).values, std::vector<double>{3});
}

}  // namespace
}  // namespace simscope::formula
