#include "sims/eigenstates2d/solver.h"

#include <gtest/gtest.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/compute/test_devices.h"
#include "sims/eigenstates2d/ritz.h"
#include "sims/eigenstates2d/testing.h"

namespace simscope::eigenstates2d {
namespace {

using tests::Changes;
using tests::largestError;
using tests::Solution;
using tests::solved;

class PlaneSolver : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(PlaneSolver);

// Sines are the stencils' own states, with levels in closed form.
TEST_P(PlaneSolver, BoxHasTheLevelsOfItsStencilToRounding) {
  for (const char* stencil : {"nine", "five"}) {
    const Solution s = solved(
        {{"potential", "box"}, {"stencil", stencil}, {"grid_points", "40"}, {"states", "12"}, {"tolerance", "1e-10"}},
        device_);
    ASSERT_TRUE(s.converged);
    const double h = s.landscape.grid.h;
    const auto kinetic = [&](int i) {
      const double angle = i * std::numbers::pi / 41;
      return s.p.fourthOrder() ? (15 - 16 * std::cos(angle) + std::cos(2 * angle)) / (12 * h * h)
                               : (1 - std::cos(angle)) / (h * h);
    };
    std::vector<double> levels;
    for (int i = 1; i < 12; ++i) {
      for (int j = 1; j < 12; ++j) levels.push_back(kinetic(i) + kinetic(j));
    }
    std::sort(levels.begin(), levels.end());
    for (std::size_t n = 0; n < 12; ++n) EXPECT_NEAR(s.energies[n], levels[n], 1e-11) << stencil << ' ' << n;
  }
}

double orderOf(const Changes& changes, const char* coarse, const char* fine, const compute::DevicePtr& device) {
  const double one = largestError(solved(changes.with({{"grid_points", coarse}}), device));
  const double other = largestError(solved(changes.with({{"grid_points", fine}}), device));
  const double ratio = (std::stod(fine) + 1) / (std::stod(coarse) + 1);
  return std::log(one / other) / std::log(ratio);
}

TEST_P(PlaneSolver, ErrorsFallAsTheStencilsOrder) {
  const Changes bowl{{"potential", "harmonic"}, {"omega_y", "1.3"}, {"length", "13"}, {"states", "8"}};
  EXPECT_NEAR(orderOf(bowl.with({{"stencil", "nine"}}), "47", "71", device_), 4, 0.15);
  EXPECT_NEAR(orderOf(bowl.with({{"stencil", "five"}}), "47", "71", device_), 2, 0.1);
  const Changes box{{"potential", "box"}, {"states", "8"}};
  EXPECT_NEAR(orderOf(box.with({{"stencil", "nine"}}), "35", "53", device_), 4, 0.15);
}

// The wall cuts the grid anywhere: a staircase would be of order 1, and wrong by some percent.
TEST_P(PlaneSolver, CurvedWallsAreOfSecondOrder) {
  for (const char* potential : {"circle", "annulus"}) {
    const Changes drum{{"potential", potential}, {"states", "10"}, {"hole", "0.4"}};
    std::vector<double> errors, steps;
    for (const char* points : {"40", "57", "80", "113"}) {
      const Solution s = solved(drum.with({{"grid_points", points}}), device_);
      double error = 0;
      for (std::size_t n = 0; n < 10; ++n) error += std::abs(s.energies[n] / s.exact[n] - 1) / 10;
      errors.push_back(std::log(error)), steps.push_back(std::log(s.landscape.grid.h));
    }
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    for (std::size_t i = 0; i < 4; ++i) mean_x += steps[i] / 4, mean_y += errors[i] / 4;
    for (std::size_t i = 0; i < 4; ++i) {
      xy += (steps[i] - mean_x) * (errors[i] - mean_y);
      xx += (steps[i] - mean_x) * (steps[i] - mean_x);
    }
    EXPECT_NEAR(xy / xx, 2, 0.35) << potential;
    EXPECT_LT(std::exp(errors.back()), 2e-3) << potential;
  }
}

Changes typed(const std::string& formula, const char* length, const char* points, const char* states) {
  return {
      {"potential", "formula"}, {"formula", formula}, {"length", length}, {"grid_points", points}, {"states", states}};
}

// A low wall raises the lowest level by its height times |φ|² over its area.
TEST_P(PlaneSolver, TypedWallsBetweenThePointsCountWithTheirArea) {
  const double pi = std::numbers::pi, box = pi * pi / 16;
  for (const char* formula : {"abs(x-0.13)<0.002 ? 10 : 0", "y > 0.128 && y < 0.132 ? 10 : 0"}) {
    const Solution s = solved(typed(formula, "4", "33", "2"), device_);
    EXPECT_NEAR((s.energies[0] - box) / (0.04 * 0.5 * std::pow(std::cos(pi * 0.13 / 4), 2)), 1, 0.03) << formula;
    EXPECT_NEAR(s.landscape.thin, 0.004, 1e-5) << formula;
  }
}

// A typed wall is fitted like a named one.
TEST_P(PlaneSolver, TypedCirclesHaveTheLevelsOfTheDrum) {
  for (const char* points : {"40", "81"}) {
    const Solution s = solved(typed("x^2 + y^2 < 25 ? 0 : 1000000", "11", points, "10"), device_);
    const Solution named = solved({{"potential", "circle"}, {"grid_points", points}, {"states", "10"}}, device_);
    const double h = s.landscape.grid.h;
    EXPECT_FALSE(s.landscape.nine);
    for (std::size_t n = 0; n < 10; ++n) {
      EXPECT_NEAR(s.energies[n] / named.exact[n], 1, 0.3 * h * h) << points << ' ' << n;
    }
  }
}

// Squares of side 1, three of them: B. Fox, P. Henrici, C. Moler, SIAM J. Numer. Anal. 4 (1967) 89; L. N. Trefethen, T.
// Betcke, Contemp. Math. 412 (2006) 297. The third is 2π². On staircases they are wrong by 5, 2.6, and 1.3 per cent.
TEST_P(PlaneSolver, TypedLShapesConvergeToTheKnownLevels) {
  const double levels[] = {9.6397238440219, 15.197251926454, 19.739208802179, 29.521481114144};
  for (const auto& [points, within] : {std::pair{"63", 0.01}, {"64", 0.01}, {"127", 0.005}}) {
    const Solution s = solved(typed("(x>0 && y>0) ? 1000000 : 0", "2", points, "4"), device_);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(2 * s.energies[n] / levels[n], 1, within) << points << ' ' << n;
  }
}

TEST_P(PlaneSolver, TypedValuesBeyondABillionAreLimited) {
  const Solution huge = solved(typed("abs(x)<1 && abs(y)<1 ? 0 : 1e300", "4", "32", "2"), device_);
  const Solution limit = solved(typed("abs(x)<1 && abs(y)<1 ? 0 : 1e9", "4", "32", "2"), device_);
  EXPECT_TRUE(std::isfinite(huge.energies[0]));
  EXPECT_EQ(huge.energies[0], limit.energies[0]);
}

TEST_P(PlaneSolver, TypedWallsMayBeSlanted) {
  // A square of side 5, turned by atan(3/4).
  const Solution s =
      solved(typed("abs(0.8*x + 0.6*y) < 2.5 && abs(0.8*y - 0.6*x) < 2.5 ? 0 : 1000000", "8", "79", "6"), device_);
  const double unit = std::numbers::pi * std::numbers::pi / 50;
  const double sums[] = {2, 5, 5, 8, 10, 10};
  for (std::size_t n = 0; n < 6; ++n) EXPECT_NEAR(s.energies[n] / (unit * sums[n]), 1, 0.012) << n;
}

// κJ₁(k)… of a round well of any depth, at its lowest level: k J₁(kR)/J₀(kR) = κ K₁(κR)/K₀(κR).
double lowestOfRoundWell(double depth, double radius) {
  double low = 1e-6, high = std::min(2.404825557695773 / radius, std::sqrt(2 * depth)) * (1 - 1e-12);
  for (int i = 0; i < 100; ++i) {
    const double k = 0.5 * (low + high), kappa = std::sqrt(2 * depth - k * k);
    const double inside = k * std::cyl_bessel_j(1.0, k * radius) / std::cyl_bessel_j(0.0, k * radius);
    const double beyond = std::min(kappa * radius, 300.0);  // K₁/K₀ is 1 + 1/2z there
    const double outside = kappa * std::cyl_bessel_k(1.0, beyond) / std::cyl_bessel_k(0.0, beyond);
    (inside < outside ? low : high) = k;
  }
  return 0.5 * low * low;
}

// From means over the cell, where φ reaches far beyond the jump, to walls.
TEST_P(PlaneSolver, TypedWellsOfAnyDepthAreRightWithinAPerCent) {
  for (const double depth : {1.0, 8.0, 20.0, 40.0, 80.0, 200.0, 1000.0, 1e5}) {
    const Solution s = solved(typed("x^2 + y^2 < 9.5 ? " + toText(-depth) + " : 0", "11", "60", "2"), device_);
    const double level = lowestOfRoundWell(depth, std::sqrt(9.5));
    EXPECT_NEAR((s.energies[0] + depth) / level, 1, 0.01) << depth;
  }
}

TEST_P(PlaneSolver, StatesAreOrthonormalAndWithinTheTolerance) {
  for (const char* potential : {"harmonic", "circle", "stadium", "henon_heiles", "corral", "hydrogen", "formula"}) {
    const Solution s =
        solved({{"potential", potential}, {"grid_points", "64"}, {"length", "14"}, {"states", "20"}}, device_);
    EXPECT_TRUE(s.converged) << potential;
    EXPECT_LT(s.orthonormality, 1e-12) << potential;
    EXPECT_LE(*std::max_element(s.residuals.begin(), s.residuals.end()), 1e-8) << potential;
    EXPECT_TRUE(std::is_sorted(s.energies.begin(), s.energies.end())) << potential;
    EXPECT_LT(s.iterations, 30) << potential;
  }
}

// The same matrix, all of it.
TEST_P(PlaneSolver, AgreesWithLapackOnTheFullMatrix) {
  for (const char* potential : {"formula", "stadium"}) {
    const Solution s =
        solved({{"potential", potential}, {"grid_points", "32"}, {"states", "30"}, {"tolerance", "1e-9"}}, device_);
    const int n = 32;
    std::vector<int> place(s.landscape.diagonal.size(), -1);
    int size = 0;
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (s.landscape.diagonal[i] < kOutside) place[i] = size++;
    }
    std::vector<double> matrix(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const int row = place[static_cast<std::size_t>(y * n + x)];
        if (row < 0) continue;
        const auto put = [&](int to_x, int to_y, double value) {
          if (to_x < 0 || to_y < 0 || to_x >= n || to_y >= n) return;
          const int column = place[static_cast<std::size_t>(to_y * n + to_x)];
          if (column >= 0)
            matrix[static_cast<std::size_t>(row) * static_cast<std::size_t>(size) + static_cast<std::size_t>(column)] =
                value;
        };
        put(x, y, s.landscape.diagonal[static_cast<std::size_t>(y * n + x)]);
        for (const int sign : {-1, 1}) {
          put(x + sign, y, s.landscape.near), put(x, y + sign, s.landscape.near);
          put(x + 2 * sign, y, s.landscape.far), put(x, y + 2 * sign, s.landscape.far);
        }
      }
    }
    std::vector<double> levels(static_cast<std::size_t>(size));
    ASSERT_EQ(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', size, matrix.data(), size, levels.data()), 0);
    for (std::size_t k = 0; k < 30; ++k) EXPECT_NEAR(s.energies[k], levels[k], 1e-10) << potential << ' ' << k;
    EXPECT_LE(levels.back(), s.landscape.bound) << potential;
  }
}

// The same Hamiltonian in the basis of the oscillator's states, by LAPACK: nothing of the grid is in that.
std::vector<double> henonHeilesInOscillatorBasis(double coupling, std::size_t most) {
  constexpr std::size_t kSize = 60, kTop = 34;  // powers of x are made with room, so that none is cut short
  using Matrix = std::vector<double>;
  Matrix x(kSize * kSize), square(kSize * kSize), cube(kSize * kSize);
  for (std::size_t i = 0; i + 1 < kSize; ++i) {
    x[i * kSize + i + 1] = x[(i + 1) * kSize + i] = std::sqrt((static_cast<double>(i) + 1) / 2);
  }
  const auto product = [&](const Matrix& a, const Matrix& b, Matrix& out) {
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j < kSize; ++j) {
        for (std::size_t k = 0; k < kSize; ++k) out[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
      }
    }
  };
  product(x, x, square);
  product(square, x, cube);
  std::vector<std::pair<std::size_t, std::size_t>> basis;
  for (std::size_t i = 0; i < kTop; ++i) {
    for (std::size_t j = 0; i + j < kTop; ++j) basis.emplace_back(i, j);
  }
  Matrix h(basis.size() * basis.size());
  for (std::size_t a = 0; a < basis.size(); ++a) {
    for (std::size_t b = 0; b < basis.size(); ++b) {
      const std::size_t across = basis[a].first * kSize + basis[b].first;
      const std::size_t down = basis[a].second * kSize + basis[b].second;
      double value = a == b ? static_cast<double>(basis[a].first + basis[a].second) + 1 : 0;
      value += coupling * square[across] * x[down];
      if (basis[a].first == basis[b].first) value -= coupling / 3 * cube[down];
      h[a * basis.size() + b] = value;
    }
  }
  std::vector<double> levels(basis.size());
  const auto n = static_cast<lapack_int>(basis.size());
  EXPECT_EQ(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', n, h.data(), n, levels.data()), 0);
  levels.resize(most);
  return levels;
}

TEST_P(PlaneSolver, HenonHeilesAgreesWithAnExpansionInOscillatorStates) {
  const Changes changes{{"potential", "henon_heiles"}, {"length", "14"}, {"states", "12"}};
  const Solution coarse = solved(changes.with({{"grid_points", "64"}}), device_);
  const Solution fine = solved(changes.with({{"grid_points", "96"}}), device_);
  const std::vector<double> levels = henonHeilesInOscillatorBasis(fine.p.coupling, 12);
  EXPECT_NEAR(levels[0], 0.9986, 5e-5);
  for (std::size_t n = 0; n < 12; ++n) {
    EXPECT_NEAR(fine.energies[n], levels[n], 2e-3) << n;
    // Of fourth order, and so the two together know it better than either.
    const double weight = std::pow(97.0 / 65, 4),
                 better = (weight * fine.energies[n] - coarse.energies[n]) / (weight - 1);
    EXPECT_NEAR(better, levels[n], 1e-4) << n;
  }
}

// In its plane a degenerate pair is any mixture: here the one of definite parity, on both backends.
TEST_P(PlaneSolver, DegenerateStatesHaveParities) {
  for (const char* potential : {"circle", "harmonic", "box"}) {
    const Solution s = solved(
        {{"potential", potential}, {"grid_points", "49"}, {"length", "12"}, {"states", "15"}, {"tolerance", "1e-9"}},
        device_);
    for (std::size_t n = 0; n < 15; ++n) {
      double across = 0, down = 0;
      for (int y = 0; y < 49; ++y) {
        for (int x = 0; x < 49; ++x) {
          across += s.at(n, x, y) * s.at(n, 48 - x, y);
          down += s.at(n, x, y) * s.at(n, x, 48 - y);
        }
      }
      EXPECT_NEAR(std::abs(across), 1, 1e-6) << potential << ' ' << n;
      EXPECT_NEAR(std::abs(down), 1, 1e-6) << potential << ' ' << n;
    }
  }
}

TEST_P(PlaneSolver, AnotherSeedFindsTheSameStates) {
  const Changes changes{{"potential", "stadium"}, {"grid_points", "64"}, {"states", "12"}, {"tolerance", "1e-10"}};
  const Solution one = solved(changes, device_, 1), other = solved(changes, device_, 2);
  const std::size_t all = 12u * 64u * 64u;
  for (std::size_t n = 0; n < 12; ++n) EXPECT_NEAR(one.energies[n], other.energies[n], 1e-11);
  for (std::size_t i = 0; i < all; ++i) ASSERT_NEAR(one.states[i], other.states[i], 1e-8);
}

TEST(PlaneSolverBackends, GiveTheSameBits) {
  if (const std::string why = compute::Device::whyNoCuda(); !why.empty()) GTEST_SKIP() << why;
  for (const char* potential : {"circle", "harmonic", "formula"}) {
    const Changes changes{{"potential", potential}, {"grid_points", "64"}};
    const Solution one = solved(changes, compute::Device::open("cpu")),
                   other = solved(changes, compute::Device::open("cuda"));
    EXPECT_TRUE(simscope::tests::sameBits(one.energies, other.energies)) << potential;
    EXPECT_TRUE(simscope::tests::sameBits(one.states, other.states)) << potential;
  }
}

// A state of one symmetry alone would never find the others of a potential with less.
TEST_P(PlaneSolver, AnotherPotentialIsSolvedFromThePresentStates) {
  const Parameters p =
      tests::parametersWith({{"potential", "harmonic"}, {"grid_points", "64"}, {"length", "13"}, {"states", "10"}});
  device_->run([&] {
    Solver solver(device_, p);
    solver.start(3);
    while (!solver.converged()) solver.iterate();
    Parameters other = p;
    EXPECT_FALSE(solver.pose(other)) << "nothing has changed";
    EXPECT_TRUE(solver.converged());
    other.omega_x = 1.21, other.omega_y = 0.83;
    EXPECT_TRUE(solver.pose(other));
    EXPECT_FALSE(solver.converged());
    for (int i = 0; i < 40 && !solver.converged(); ++i) solver.iterate();
    const std::vector<double> levels = exactLevels(other, 10);
    for (std::size_t n = 0; n < 10; ++n) EXPECT_NEAR(solver.energies()[n], levels[n], 2e-3) << n;
  });
}

TEST_P(PlaneSolver, StatesThatDependOnOthersAreReplaced) {
  const Parameters p = tests::parametersWith({{"potential", "box"}, {"grid_points", "48"}, {"states", "8"}});
  device_->run([&] {
    Solver solver(device_, p);
    solver.start(5);
    for (int i = 0; i < 3; ++i) solver.iterate();
    std::vector<double> states = solver.states().toHost();
    const std::size_t points = 48 * 48;
    std::copy_n(states.begin(), points, states.begin() + static_cast<std::ptrdiff_t>(2 * points));
    std::fill_n(states.begin() + static_cast<std::ptrdiff_t>(4 * points), points, 0.0);
    solver.states().upload(states);
    for (int i = 0; i < 40 && !solver.converged(); ++i) solver.iterate();
    EXPECT_TRUE(solver.converged());
    EXPECT_LT(solver.orthonormality(), 1e-12);
    const std::vector<double> levels = exactLevels(p, 8);
    for (std::size_t n = 0; n < 8; ++n) EXPECT_NEAR(solver.energies()[n], levels[n], 1e-3);
  });
}

TEST(RitzProblem, HasTheLevelsOfLapackAndOrthonormalStates) {
  constexpr int kCount = 40;
  constexpr std::size_t n = kCount;
  std::vector<double> a(n * n), b(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto x = static_cast<double>(i), y = static_cast<double>(j);
      a[i * n + j] = a[j * n + i] = std::sin(x * y + x + y) + (i == j ? std::floor(x / 3) : 0);  // groups of three
      b[i * n + j] = b[j * n + i] = (i == j ? 1 + x : 0.3 / (1 + x + y));
    }
  }
  const Ritz ritz = ritzOf(a, b, kCount);
  std::vector<double> vectors = a, overlaps = b, levels(n);
  ASSERT_EQ(LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'N', 'L', kCount, vectors.data(), kCount, overlaps.data(), kCount,
                           levels.data()),
            0);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(ritz.energies[k], levels[k], 1e-13 * std::abs(levels.back()) + 1e-13) << k;
    for (std::size_t l = 0; l < n; ++l) {
      double overlap = 0, energy = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          overlap += ritz.rotation[k * n + i] * b[i * n + j] * ritz.rotation[l * n + j];
          energy += ritz.rotation[k * n + i] * a[i * n + j] * ritz.rotation[l * n + j];
        }
      }
      ASSERT_NEAR(overlap, k == l, 1e-12);
      ASSERT_NEAR(energy, k == l ? ritz.energies[k] : 0, 1e-12);
    }
  }
}

TEST(RitzProblem, NamesWhatDependsAndSolvesTheRest) {
  const std::vector<double> a = {2, 0, 0, 3}, whole = {1, 0, 0, 1}, twice = {1, 2, 2, 4};
  const Ritz sound = ritzOf(a, whole, 2);
  EXPECT_TRUE(sound.dependent.empty());
  EXPECT_DOUBLE_EQ(sound.energies[0], 2);
  EXPECT_DOUBLE_EQ(sound.energies[1], 3);
  EXPECT_EQ(ritzOf(a, twice, 2).dependent, std::vector<int>{1});
}

}  // namespace
}  // namespace simscope::eigenstates2d
