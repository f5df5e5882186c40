// The fused passes, played on the host by teams that run every thread of every block.
#include "sims/schrodinger2d/propagation/fused_passes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/plane_testing.h"

namespace simscope::schrodinger2d {
namespace {

using compute::Lines;
using compute::testing::onEveryBlock;
using Plane = std::vector<Complex<double>>;

Plane randomValues(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Plane values(n);
  for (auto& z : values) z = {normal(generator), normal(generator)};
  return values;
}

struct Factors {
  Plane half, along_x, along_y;
};

template <int N, int kRows, int kColumns>
Plane fusedSteps(Plane psi, const Factors& f, int steps) {
  const auto tables = compute::makeBlockTables<N, double>();
  const auto twiddles = compute::PlaneTwiddles<double>::of<N>(tables.outer.data(), tables.middle.data());
  Plane x(N), y(N);
  for (int i = 0; i < N; ++i) {
    x[i] = f.along_x[tables.frequency[i]];
    y[i] = f.along_y[tables.frequency[i]];
  }
  const RowArguments<double> rows{psi.data(), f.half.data(), twiddles};
  const ColumnArguments<double> columns{psi.data(), x.data(), y.data(), twiddles};
  onEveryBlock<N, Lines::Rows, kRows>(twiddles, [&](auto& team) { rowPass<N, double, RowPass::Begin>(team, rows); });
  for (int step = 0; step < steps; ++step) {
    if (step > 0) {
      onEveryBlock<N, Lines::Rows, kRows>(twiddles,
                                          [&](auto& team) { rowPass<N, double, RowPass::Between>(team, rows); });
    }
    onEveryBlock<N, Lines::Columns, kColumns>(twiddles, [&](auto& team) { columnPass<N, double>(team, columns); });
  }
  onEveryBlock<N, Lines::Rows, kRows>(twiddles, [&](auto& team) { rowPass<N, double, RowPass::End>(team, rows); });
  return psi;
}

Plane librarySteps(Plane psi, const Factors& f, int n, int steps) {
  const compute::DevicePtr cpu = compute::Device::open("cpu", 1);
  const auto multiply = [&](const Plane& factors) {
    for (std::size_t i = 0; i < psi.size(); ++i) psi[i] = psi[i] * factors[i];
  };
  cpu->run([&] {
    const compute::Fft<double> fft(cpu, {.dimensions = {n, n}});
    for (int step = 0; step < steps; ++step) {
      multiply(f.half);
      fft.forward(psi.data());
      for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) psi[y * n + x] = psi[y * n + x] * (f.along_x[x] * f.along_y[y]);
      }
      fft.inverse(psi.data());
      multiply(f.half);
    }
  });
  return psi;
}

// Any factors at all, so that a place taken for another cannot go unnoticed.
template <int N, int kRows, int kColumns>
void expectLibrarySteps(int steps) {
  const Plane psi = randomValues(std::size_t{N} * N, 1);
  Factors f{randomValues(psi.size(), 2), randomValues(N, 4), randomValues(N, 5)};
  for (auto& z : f.along_x) z = (1.0 / (double{N} * N)) * z;
  const Plane fused = fusedSteps<N, kRows, kColumns>(psi, f, steps), library = librarySteps(psi, f, N, steps);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < psi.size(); ++i) {
    difference += norm2(fused[i] - library[i]);
    size += norm2(library[i]);
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-12) << "N = " << N;
}

TEST(FusedPasses, StepsAreThoseOfTheLibraryTransforms) {
  expectLibrarySteps<64, 4, 8>(3);
  expectLibrarySteps<256, 16, 16>(2);
  expectLibrarySteps<512, 8, 8>(1);
}

TEST(FusedPasses, ThreadsOfAHalfWarpWorkOnDifferentBanks) {
  using Block = compute::PlaneBlock<4096, float, Lines::Columns, 4>;
  using Shape = compute::BlockShape<4096>;
  std::vector<Complex<float>> memory(Block::kPitch * 4);
  for (int first = 0; first < Block::kThreads; first += 16) {
    unsigned outer = 0, middle = 0, last = 0;
    for (int thread = first; thread < first + 16; ++thread) {
      const auto lane = Block::lane(thread, 0, memory.data(), {});
      const auto bank = [&](int base) { return 1u << ((lane.memory - memory.data() + base) % 16); };
      outer |= bank(Shape::outerBase(lane.t));
      middle |= bank(Shape::middleBase(lane.t));
      last |= bank(Shape::lastBase(lane.t));
    }
    ASSERT_EQ(outer & middle & last, 0xffffu) << "thread " << first;
  }
}

}  // namespace
}  // namespace simscope::schrodinger2d
