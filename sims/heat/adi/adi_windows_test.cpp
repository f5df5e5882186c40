#include "sims/heat/adi/adi_windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sims/compute/error.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/heat/adi/adi_testing.h"

namespace simscope::heat {
namespace {

using tests::solvedInWindows;

constexpr Boundary kBoundaries[] = {Boundary::Fixed, Boundary::Insulated, Boundary::Periodic};
const double kLargest = 50 / 4.0;  // α dt/dx² of the largest time step

std::vector<float> rough(int n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(std::sin(1.0 + i * i));
  return values;
}

TEST(AdiWindows, EveryCellBelongsToOneWindowWithItsHalo) {
  for (int n = 2; n <= 32768; n += 1 + n / 7) {
    for (const double r : {2.5e-4, 0.025, 0.25, 2.0, 10.0, kLargest}) {
      const AdiWindows w = adiWindows(n, Boundary::Fixed, r);
      EXPECT_EQ(w.ownedTo(w.count - 1), n);
      for (int i = 0; i < w.count; ++i) {
        EXPECT_LT(w.ownedFrom(i), w.ownedTo(i)) << n << ", " << r;
        EXPECT_GE(w.ownedFrom(i) - w.start(i), w.halo);
        EXPECT_GE(w.start(i) + w.chunks * kChunk - w.ownedTo(i), w.halo) << n << ", " << r;
        EXPECT_EQ(w.ownedFrom(i), i > 0 ? w.ownedTo(i - 1) : 0);
      }
      EXPECT_LE(w.chunks, kMostChunks);
      EXPECT_LE(w.halo, kMostHalo);
    }
  }
}

TEST(AdiWindows, SolveLinesAsThomasDoes) {
  for (const Boundary boundary : kBoundaries) {
    for (const int n : {3, 17, 64, 65, 101, 700}) {
      for (const double r : {2.5e-4, 0.025, 0.25, 2.0, kLargest}) {
        std::vector<float> d = rough(n);
        if (boundary == Boundary::Fixed) d.front() = d.back() = 7;  // counts for nothing
        const std::vector<double> exact = tests::solvedByThomas(adiFactors(n, boundary, r), {d.begin(), d.end()});
        const std::vector<float> x = solvedInWindows(adiWindows(n, boundary, r), d);
        for (std::size_t i = 0; i < x.size(); ++i) {
          ASSERT_NEAR(x[i], exact[i], 2.5e-7) << n << ", " << r << ", cell " << i;
        }
      }
    }
  }
}

TEST(AdiWindows, EvenTemperatureStaysTheSameToTheBit) {
  for (const Boundary boundary : {Boundary::Insulated, Boundary::Periodic}) {
    for (const double r : {2.5e-4, 0.25, kLargest}) {
      const std::vector<float> even(200, 0.7f);
      EXPECT_EQ(solvedInWindows(adiWindows(200, boundary, r), even), even) << r;
    }
  }
}

TEST(AdiWindows, StepsAreThoseOfDoublePrecisionButForRounding) {
  const int n = 75;
  for (const Boundary boundary : kBoundaries) {
    for (const double r : {0.025, 2.0, kLargest}) {
      const AdiWindows windows = adiWindows(n, boundary, r);
      const AdiFactors factors = adiFactors(n, boundary, r);
      std::vector<float> u = rough(n * n);
      std::vector<double> exact(u.begin(), u.end());
      for (int step = 0; step < 12; ++step) {
        tests::adiStepInWindows(u, windows);
        tests::adiStep(exact, windows, factors.h,
                       [&](const std::vector<double>& d) { return tests::solvedByThomas(factors, d); });
      }
      double heat = 0, exact_heat = 0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        ASSERT_NEAR(u[i], exact[i], 1e-6) << r;
        heat += static_cast<double>(u[i]);
        exact_heat += exact[i];
      }
      EXPECT_NEAR(heat, exact_heat, 2e-7 * n * n) << "rounding must not add up";
    }
  }
}

TEST(AdiWindows, StepsThatReachTooFarAreRefused) {
  EXPECT_THROW(adiWindows(512, Boundary::Fixed, 30.0), Error);
}

// A column, of which the rows that a slab reads are known and the others are no numbers.
TEST(AdiSpan, HasAllThatASlabReads) {
  for (const Boundary boundary : kBoundaries) {
    for (const double r : {2.5e-4, 0.25, kLargest}) {
      for (const int ranks : {2, 3}) {
        const int n = 1301;
        const AdiWindows w = adiWindows(n, boundary, r);
        const std::vector<float> d = rough(n), whole = solvedInWindows(w, d);
        const int depth = adiDepth(w, ranks);
        EXPECT_LE(depth, kAdiReach);
        for (int rank = 0; rank < ranks; ++rank) {
          const auto [begin, count] = compute::Ranks::shareOf(static_cast<std::uint64_t>(n), rank, ranks);
          const int first = static_cast<int>(begin), end = first + static_cast<int>(count);
          const AdiSpan span = adiSpan(w, first, end);
          EXPECT_LE(first - span.low, depth - 1);
          EXPECT_LE(span.high - end, depth - 1);
          if (boundary != Boundary::Periodic) {
            EXPECT_GE(span.low, 0);
            EXPECT_LE(span.high, n);
          }
          std::vector<float> held(d.size(), std::nanf(""));
          for (int row = span.low; row < span.high; ++row) {
            const auto at = static_cast<std::size_t>((row + n) % n);
            held[at] = d[at];
          }
          const std::vector<float> part = solvedInWindows(w, held);
          for (int row = first; row < end; ++row) {
            const auto at = static_cast<std::size_t>(row);
            ASSERT_EQ(part[at], whole[at]) << "row " << row << " of rank " << rank << " of " << ranks << ", " << r;
          }
          EXPECT_EQ(span.window, first / w.owned);
          EXPECT_GE(w.ownedTo(span.window_end - 1), end);
        }
      }
    }
  }
}

}  // namespace
}  // namespace simscope::heat
