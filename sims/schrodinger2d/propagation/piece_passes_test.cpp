// The passes down the columns of a piece, played on the host by teams that run every thread of every block.
#include "sims/schrodinger2d/propagation/piece_passes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/plane_testing.h"

namespace simscope::schrodinger2d {
namespace {

using compute::Lines;
using ColumnValues = std::vector<Complex<double>>;
constexpr int kWidth = 16, kLines = 8;

ColumnValues noise(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  ColumnValues values(n);
  for (auto& z : values) z = {normal(generator), normal(generator)};
  return values;
}

template <template <class, int> class Pass, int N, int R>
void overSections(const SectionArguments<double>& arguments) {
  if constexpr (R > 1) {
    const Pass<double, R> pass{arguments};
    for (int i = N * kWidth; i-- > 0;) pass(i % kWidth, i / kWidth, static_cast<std::size_t>(i));
  }
}

// The rows of three ranks, uneven, each in memory of its own, of which the second's is the piece itself.
struct ThreeRanks {
  explicit ThreeRanks(ColumnValues& piece) : others(3, ColumnValues(piece.size())) {
    const int rows = static_cast<int>(piece.size()) / kWidth;
    there.ranks = 3;
    const int ends[] = {rows / 3, rows / 2 + 1, rows};
    for (int rank = 0; rank < 3; ++rank) {
      there.end[rank] = ends[rank];
      there.base[rank] = rank == 1 ? piece.data() : others[static_cast<std::size_t>(rank)].data();
    }
  }
  // All, from where they were written to.
  ColumnValues gathered() const {
    ColumnValues all;
    for (std::size_t i = 0; i < others[0].size(); ++i) all.push_back(there.of(static_cast<int>(i) / kWidth)[i]);
    return all;
  }
  std::vector<ColumnValues> others;
  compute::RowsThere<double> there;
};

template <int N, int R>
ColumnValues onChip(ColumnValues piece, const ColumnValues& across, const ColumnValues& down, bool away) {
  const auto tables = compute::makeBlockTables<N, double>();
  const auto twiddles = compute::PlaneTwiddles<double>::of<N>(tables.outer.data(), tables.middle.data());
  const ColumnValues ordered = orderedForSections<N, double>(down, tables.frequency);
  ColumnValues turns;
  for (int a = 0; a < N * R; ++a) {
    const double angle = -2 * std::numbers::pi * a / (N * R);
    turns.push_back({std::cos(angle), std::sin(angle)});
  }
  const ThreeRanks ranks(piece);
  const auto in_place = compute::RowsThere<double>::inPlace(piece.data());
  const auto& there = away ? ranks.there : in_place;
  const SectionArguments<double> sections{piece.data(), turns.data(), N, std::size_t{N} * kWidth, there};
  overSections<SplitColumns, N, R>(sections);
  const PieceArguments<double> arguments{piece.data(), across.data(), ordered.data(),
                                         twiddles,     kWidth,        R == 1 ? there : in_place};
  for (int section = 0; section < R; ++section) {
    compute::testing::onEveryBlock<N, Lines::Columns, kLines>(
        twiddles, [&](auto& team) { piecePass<N, double>(team, arguments, section); }, kWidth / kLines);
  }
  overSections<JoinColumns, N, R>(sections);
  return away ? ranks.gathered() : piece;
}

ColumnValues byLibrary(ColumnValues piece, const ColumnValues& across, const ColumnValues& down) {
  const compute::DevicePtr cpu = compute::Device::open("cpu", 1);
  const int rows = static_cast<int>(down.size());
  cpu->run([&] {
    const compute::Fft<double> fft(cpu, {.dimensions = {rows}, .batch = kWidth, .side_by_side = true});
    fft.forward(piece.data());
    for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = piece[i] * (across[i % kWidth] * down[i / kWidth]);
    fft.inverse(piece.data());
  });
  return piece;
}

// Any factors at all, so that a frequency taken for another cannot go unnoticed.
template <int N, int R>
void expectLibrarySteps() {
  const ColumnValues piece = noise(std::size_t{N} * R * kWidth, 1), across = noise(kWidth, 2),
                     down = noise(std::size_t{N} * R, 3);
  const ColumnValues library = byLibrary(piece, across, down);
  for (const bool away : {false, true}) {
    const ColumnValues ours = onChip<N, R>(piece, across, down, away);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      difference += norm2(ours[i] - library[i]);
      size += norm2(library[i]);
    }
    EXPECT_LT(std::sqrt(difference / size), 1e-13) << R << " sections of " << N << (away ? ", to other ranks" : "");
  }
}

TEST(PiecePasses, AreTheStepOfTheLibraryTransforms) {
  expectLibrarySteps<256, 1>();
  expectLibrarySteps<256, 2>();
  expectLibrarySteps<512, 4>();
  expectLibrarySteps<256, 8>();
  expectLibrarySteps<256, 16>();
}

}  // namespace
}  // namespace simscope::schrodinger2d
