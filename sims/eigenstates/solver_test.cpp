#include "sims/eigenstates/solver.h"

#include <gtest/gtest.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/compute/test_devices.h"
#include "sims/eigenstates/sturm.h"
#include "sims/eigenstates/testing.h"

namespace simscope::eigenstates {
namespace {

using tests::Changes;
using tests::Solution;
using tests::solved;

class SolverOnBackend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(SolverOnBackend);

const std::vector<Changes>& manyProblems() {
  static const std::vector<Changes> all = {
      {{"potential", "box"}, {"grid_points", "64"}, {"states", "64"}},  // all there are
      {{"potential", "harmonic"}, {"grid_points", "500"}, {"states", "33"}},
      {{"potential", "hydrogen"}, {"length", "40"}, {"grid_points", "700"}, {"angular_momentum", "1"}},
      {{"potential", "double_well"}, {"depth", "40"}, {"width", "6"}, {"length", "12"}, {"grid_points", "601"}},
      {{"potential", "kronig_penney"}, {"depth", "60"}, {"length", "20"}, {"grid_points", "800"}, {"states", "40"}},
      {{"potential", "morse"}, {"tilt", "0.3"}, {"grid_points", "400"}},
      {{"potential", "formula"}, {"formula", "5*sin(7*x) + x^2"}, {"grid_points", "333"}, {"states", "20"}}};
  return all;
}

// All eigenvalues, and the vectors where asked for, of LAPACK's dstevr.
struct Reference {
  std::vector<double> energies, vectors;
};
Reference lapack(const Solution& s) {
  const auto n = static_cast<lapack_int>(s.v.size());
  const double square = 1 / (s.grid.h * s.grid.h);
  std::vector<double> d, e(s.v.size(), -0.5 * square);
  for (const double v : s.v) d.push_back(v + square);
  Reference found{std::vector<double>(s.v.size()), std::vector<double>(s.v.size() * s.v.size())};
  lapack_int count = 0;
  std::vector<lapack_int> support(2 * s.v.size());
  EXPECT_EQ(LAPACKE_dstevr(LAPACK_COL_MAJOR, 'V', 'A', n, d.data(), e.data(), 0, 0, 0, 0, 0, &count,
                           found.energies.data(), found.vectors.data(), n, support.data()),
            0);
  return found;
}

TEST_P(SolverOnBackend, EigenvaluesAreLapacksToTwelveDigitsOfTheMatrix) {
  for (const Changes& changes : manyProblems()) {
    const Solution s = solved(changes, device_);
    const Reference reference = lapack(s);
    const double norm = 2 / (s.grid.h * s.grid.h) + *std::max_element(s.v.begin(), s.v.end());
    for (std::size_t n = 0; n < s.energies.size(); ++n) {
      EXPECT_NEAR(s.energies[n], reference.energies[n], 1e-12 * std::max(1.0, 0.01 * norm)) << changes[0].second << n;
    }
  }
}

TEST_P(SolverOnBackend, VectorsAreLapacksUpToTheirSignWhereLevelsAreApart) {
  for (const Changes& changes : manyProblems()) {
    const Solution s = solved(changes, device_);
    const Reference reference = lapack(s);
    for (std::size_t n = 0; n < s.energies.size(); ++n) {
      const double below = n > 0 ? s.energies[n] - s.energies[n - 1] : 1;
      const double above = n + 1 < reference.energies.size() ? reference.energies[n + 1] - s.energies[n] : 1;
      if (std::min(below, above) < 1e-2) continue;
      double overlap = 0;
      for (std::size_t i = 0; i < s.v.size(); ++i) overlap += s.state(n)[i] * reference.vectors[n * s.v.size() + i];
      EXPECT_NEAR(std::abs(overlap) * std::sqrt(s.grid.h), 1, 1e-12) << changes[0].second << n;
    }
  }
}

TEST_P(SolverOnBackend, StatesAreOrthonormalAndSolveTheEquation) {
  for (const Changes& changes : manyProblems()) {
    const Solution s = solved(changes, device_);
    EXPECT_LT(s.orthonormality, 1e-12) << changes[0].second;
    const double norm = 2 / (s.grid.h * s.grid.h) + *std::max_element(s.v.begin(), s.v.end());
    for (const double residual : s.residuals) EXPECT_LT(residual, 4e-15 * norm) << changes[0].second;
  }
}

TEST_P(SolverOnBackend, BothBackendsGiveTheSameBits) {
  for (const Changes& changes : manyProblems()) {
    const Solution here = solved(changes, device_), reference = solved(changes, simscope::tests::cpu(1));
    EXPECT_TRUE(simscope::tests::sameBits(here.energies, reference.energies)) << changes[0].second;
    EXPECT_TRUE(simscope::tests::sameBits(here.phi, reference.phi)) << changes[0].second;
  }
}

TEST_P(SolverOnBackend, StateNHasNNodes) {
  for (const Changes& changes : manyProblems()) {
    const Solution s = solved(changes, device_);
    for (std::size_t n = 0; n < s.energies.size(); ++n) EXPECT_EQ(tests::nodesOf(s, n), n) << changes[0].second;
  }
}

// Its splitting is far below rounding; the states are even and odd all the same, and orthogonal.
TEST_P(SolverOnBackend, PairsOfADeepDoubleWellComeOutEvenAndOdd) {
  const Solution s = solved({{"potential", "double_well"},
                             {"depth", "200"},
                             {"width", "8"},
                             {"length", "14"},
                             {"grid_points", "1000"},
                             {"states", "8"}},
                            device_);
  EXPECT_LT(s.energies[1] - s.energies[0], 1e-10);
  EXPECT_GT(s.energies[2] - s.energies[1], 1);
  EXPECT_LT(s.orthonormality, 1e-12);
  for (std::size_t n = 0; n < 8; ++n) {
    double share = 0, off = 0;
    for (std::size_t i = 0; i < s.v.size(); ++i) {
      const double mirrored = s.state(n)[s.v.size() - 1 - i];
      off = std::max(off, std::abs(s.state(n)[i] - (n % 2 == 0 ? 1 : -1) * mirrored));
      if (i < s.v.size() / 2) share += s.grid.h * s.state(n)[i] * s.state(n)[i];
    }
    EXPECT_LT(off, 1e-12) << n;
    EXPECT_NEAR(share, 0.5, 1e-12) << n;
  }
}

TEST_P(SolverOnBackend, PairsOfFullMatricesComeOutEvenAndOdd) {
  for (const char* basis : {"three_point", "five_point", "sine"}) {
    const Solution s = solved({{"potential", "double_well"},
                               {"depth", "200"},
                               {"width", "8"},
                               {"length", "14"},
                               {"grid_points", "200"},
                               {"states", "6"},
                               {"method", "dense"},
                               {"basis", basis}},
                              device_);
    EXPECT_LT(s.orthonormality, 1e-11) << basis;
    for (std::size_t n = 0; n < 6; ++n) {
      for (std::size_t i = 0; i < s.v.size(); ++i) {
        const double mirrored = s.state(n)[s.v.size() - 1 - i];
        ASSERT_NEAR(s.state(n)[i], (n % 2 == 0 ? 1 : -1) * mirrored, 1e-9) << basis << n;
      }
    }
  }
}

TEST_P(SolverOnBackend, FullMatricesGiveTheSameLevelsAndStates) {
  for (const Changes& changes :
       {Changes{{"potential", "harmonic"}}, Changes{{"potential", "morse"}}, Changes{{"potential", "finite_well"}}}) {
    const Changes small = changes.with({{"grid_points", "300"}, {"states", "20"}});
    const Solution one = solved(small, device_), other = solved(small.with({{"method", "dense"}}), device_);
    for (std::size_t n = 0; n < 20; ++n) EXPECT_NEAR(one.energies[n], other.energies[n], 2e-11) << n;
    EXPECT_LT(simscope::tests::relativeDifference(one.phi, other.phi), 1e-10);
    EXPECT_LT(other.orthonormality, 1e-12);
  }
}

TEST_P(SolverOnBackend, VirialTheoremHoldsInTheOscillator) {
  const Solution s = solved({{"potential", "harmonic"}, {"grid_points", "4000"}, {"states", "12"}}, device_);
  for (std::size_t n = 0; n < 12; ++n) {
    double potential = 0;
    for (std::size_t i = 0; i < s.v.size(); ++i) potential += s.grid.h * s.v[i] * s.state(n)[i] * s.state(n)[i];
    EXPECT_NEAR(2 * potential / s.energies[n], 1, 2e-4) << "2⟨V⟩ = ⟨T⟩ + ⟨V⟩, to h²";
  }
}

TEST(Sturm, CountIsTheNumberOfEigenvaluesBelow) {
  constexpr int kN = 100;
  const std::vector<double> diagonal(kN, 2.0);
  for (int k = 0; k <= kN; ++k) {
    // Eigenvalues 2 - 2 cos(jπ/(N+1)); between the k-th and the next.
    const double lambda = 2 - 2 * std::cos((k + 0.5) * std::numbers::pi / (kN + 1));
    EXPECT_EQ(countBelow(diagonal.data(), kN, 1, lambda), k);
  }
  EXPECT_EQ(countBelow(diagonal.data(), kN, 1, 2), kN / 2) << "a pivot of 0 on the way";
}

TEST(Sturm, DoublesKeepTheirOrderAsIntegers) {
  const double ascending[] = {-HUGE_VAL, -1e300, -1, -1e-310, -0.0, 0.0, 1e-310, 1, 2, 1e300, HUGE_VAL};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    EXPECT_EQ(fromOrder(orderOf(ascending[i])), ascending[i]);
    if (i > 0) {
      EXPECT_LT(orderOf(ascending[i - 1]), orderOf(ascending[i]));
    }
  }
  EXPECT_EQ(orderOf(std::nextafter(1.0, 2.0)), orderOf(1.0) + 1);
}

// The answer's definition, and so the reason for equal bits.
TEST_P(SolverOnBackend, EigenvaluesAreTheSmallestDoublesThatCount) {
  const Solution s = solved(manyProblems()[4], device_);
  const double square = 1 / (s.grid.h * s.grid.h), off = -0.5 * square;
  std::vector<double> diagonal;
  for (const double v : s.v) diagonal.push_back(v + square);
  for (std::size_t n = 0; n < s.energies.size(); ++n) {
    const int points = static_cast<int>(diagonal.size()), wanted = static_cast<int>(n);
    EXPECT_GT(countBelow(diagonal.data(), points, off * off, s.energies[n]), wanted);
    EXPECT_LE(countBelow(diagonal.data(), points, off * off, std::nextafter(s.energies[n], -1e9)), wanted);
  }
}

}  // namespace
}  // namespace simscope::eigenstates
