// The passes between rows and their parts, played on the host by teams that run every thread of every block.
#include "sims/schrodinger2d/propagation/part_passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/plane_testing.h"

namespace simscope::schrodinger2d {
namespace {

using RowValues = std::vector<Complex<double>>;
constexpr int kRows = 3;

RowValues rowNoise(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  RowValues values(n);
  for (auto& z : values) z = {normal(generator), normal(generator)};
  return values;
}

template <int W, int Q>
struct PlayedRows {
  using Block = compute::PlaneBlock<W, double, compute::Lines::Rows, Q>;
  compute::BlockTables<double> tables = compute::makeBlockTables<W, double>();
  RowValues turns, parts = RowValues(std::size_t{W} * Q * kRows);

  PlayedRows() {
    for (int a = 0; a < W * Q; ++a) {
      const double angle = -2 * std::numbers::pi * a / (W * Q);
      turns.push_back({std::cos(angle), std::sin(angle)});
    }
  }
  template <RowPass pass>
  void play(RowValues& psi, const RowValues& half) {
    const auto twiddles = compute::PlaneTwiddles<double>::of<W>(tables.outer.data(), tables.middle.data());
    PartArguments<double, Q> a{psi.data(), half.data(), {}, {}, turns.data(), twiddles};
    RowValues written(parts.size());  // what goes to another rank's memory leaves one's own as it is
    for (std::size_t f = 0; f < Q; ++f) {
      a.parts[f] = parts.data() + f * W * kRows;
      a.there[f] = written.data() + f * W * kRows;
    }
    compute::testing::onEveryBlock<W, compute::Lines::Rows, Q>(
        twiddles, [&](auto& team) { partPass<W, Q, double, pass, Block::kPitch>(team, a); }, kRows);
    if (pass != RowPass::End) parts = written;
  }
  // Number of the row, by frequency.
  Complex<double>& at(int row, int frequency) {
    const auto place = std::find(tables.frequency.begin(), tables.frequency.end(), frequency / Q);
    return parts[static_cast<std::size_t>((frequency % Q * kRows + row) * W + (place - tables.frequency.begin()))];
  }
};

double differenceOfRows(const RowValues& a, const RowValues& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += norm2(a[i] - b[i]), size += norm2(b[i]);
  return std::sqrt(difference / size);
}

// Begin, a factor for each frequency, between, the same again, end: all beside the library's transforms.
template <int W, int Q>
void expectLibraryRows() {
  constexpr int kRowLength = W * Q;
  RowValues psi = rowNoise(std::size_t{kRowLength} * kRows, 1);
  const RowValues half = rowNoise(psi.size(), 2), factors = rowNoise(kRowLength, 3);
  RowValues expected = psi;
  const compute::DevicePtr cpu = compute::Device::open("cpu", 1);
  PlayedRows<W, Q> played;
  const auto multiplied = [&] {
    for (int row = 0; row < kRows; ++row) {
      for (int k = 0; k < kRowLength; ++k) {
        played.at(row, k) = (1.0 / kRowLength) * (played.at(row, k) * factors[static_cast<std::size_t>(k)]);
      }
    }
  };
  played.template play<RowPass::Begin>(psi, half);
  multiplied();
  played.template play<RowPass::Between>(psi, half);
  multiplied();
  played.template play<RowPass::End>(psi, half);
  cpu->run([&] {
    const compute::Fft<double> fft(cpu, {.dimensions = {kRowLength}, .batch = kRows});
    for (int step = 0; step < 2; ++step) {
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = expected[i] * half[i];
      fft.forward(expected.data());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = (1.0 / kRowLength) * (expected[i] * factors[i % kRowLength]);
      }
      fft.inverse(expected.data());
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = expected[i] * half[i];
    }
  });
  EXPECT_LT(differenceOfRows(psi, expected), 1e-12) << Q << " parts of " << W;
}

TEST(PartPasses, AreTheRowsOfTheLibraryTransforms) {
  expectLibraryRows<64, 8>();
  expectLibraryRows<256, 8>();
  expectLibraryRows<512, 16>();
}

}  // namespace
}  // namespace simscope::schrodinger2d
