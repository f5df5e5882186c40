// The steps that run on one multiprocessor, their phases executed on the host by a team that plays all threads.
#include "sims/tunneling/block_steps.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "sims/tunneling/testing.h"

namespace simscope::tunneling {
namespace {

using tests::relativeDifference;

template <int N, class T>
struct HostLane {
  using Shape = BlockShape<N>;
  int t = 0;
  Complex<T> z[16] = {};
  Tally<T> left{0, 0}, right{0, 0};
  const BlockTables<T>* tables = nullptr;
  const std::vector<Complex<T>>*kinetic_ = nullptr, *half = nullptr;

  Complex<T> outer(int q) const { return tables->outer[q * Shape::kThreads + t]; }
  Complex<T> middle(int q) const { return tables->middle[q * 16 + t % 16]; }
  Complex<T> kinetic(int q) const { return (*kinetic_)[Shape::frequency(t, q)]; }
  Complex<T> potential(int q) const { return (*half)[Shape::natural(t, q)]; }
};

// Runs each phase for every thread in turn. Threads run backwards, so that a phase that relied on another thread's
// values of the same phase would show.
template <int N, class T>
struct HostTeam {
  std::vector<HostLane<N, T>> lanes{BlockShape<N>::kThreads};
  std::vector<Complex<T>> memory{BlockShape<N>::kSharedElements};

  Complex<T>* shared(const HostLane<N, T>&) { return memory.data(); }

  template <class Phase>
  void each(const Phase& phase) {
    for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane) phase(*lane);
  }
  void blockBarrier() {}
  void warpBarrier() {}
};

// `tallies`, where the edges absorb: as in absorbed.h.
template <int N, class T>
std::vector<Complex<double>> propagateOnHost(const std::vector<Complex<T>>& psi, const Factors<T>& f, int steps,
                                             std::vector<T>* tallies = nullptr) {
  using Shape = BlockShape<N>;
  const BlockTables<T> tables = makeBlockTables<N, T>();
  HostTeam<N, T> team;
  for (int t = 0; t < Shape::kThreads; ++t) {
    auto& lane = team.lanes[t];
    lane.t = t;
    lane.tables = &tables;
    lane.kinetic_ = &f.kinetic;
    lane.half = &f.half;
    for (int q = 0; q < 16; ++q) lane.z[q] = psi[Shape::natural(t, q)];
    scaleAndTally(
        lane.z, [&](int q) { return lane.potential(q); }, lane.left, lane.right);
  }
  propagate<N, T>(team, steps, tallies != nullptr);
  for (const auto& lane : team.lanes) {
    if (!tallies) break;
    keepTally(tallies->data(), Shape::kThreads, lane.t, false, lane.left);
    keepTally(tallies->data(), Shape::kThreads, lane.t, true, lane.right);
  }
  std::vector<Complex<double>> out(N);
  for (const auto& lane : team.lanes) {
    for (int q = 0; q < 16; ++q) out[Shape::natural(lane.t, q)] = {lane.z[q].re, lane.z[q].im};
  }
  return out;
}

std::vector<Complex<double>> randomValues(int n) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::vector<Complex<double>> values(n);
  for (auto& z : values) z = {normal(generator), normal(generator)};
  return values;
}

// One step by the definition of the discrete Fourier transform; factors are kept less 1.
std::vector<Complex<double>> stepByDefinition(const std::vector<Complex<double>>& psi, const Factors<double>& f) {
  const int n = static_cast<int>(psi.size());
  std::vector<Complex<double>> root(n), in(n), middle(n), out(n);
  for (int i = 0; i < n; ++i) root[i] = {std::cos(2 * kPi * i / n), -std::sin(2 * kPi * i / n)};
  for (int i = 0; i < n; ++i) in[i] = psi[i] + psi[i] * f.half[i];
  for (int k = 0; k < n; ++k) {
    Complex<double> sum{0, 0};
    for (int i = 0; i < n; ++i) sum = sum + in[i] * root[static_cast<std::int64_t>(i) * k % n];
    middle[k] = (1.0 / n) * (sum + sum * f.kinetic[k]);
  }
  for (int i = 0; i < n; ++i) {
    Complex<double> sum{0, 0};
    for (int k = 0; k < n; ++k) sum = sum + middle[k] * conj(root[static_cast<std::int64_t>(i) * k % n]);
    out[i] = sum + sum * f.half[i];
  }
  return out;
}

Factors<double> randomFactors(int n) {
  // Any factors at all, so that a frequency taken for another cannot go unnoticed.
  Factors<double> f;
  f.kinetic = randomValues(n);
  f.half = randomValues(n);
  return f;
}

template <int N>
void expectStepByDefinition() {
  const auto psi = randomValues(N);
  const Factors<double> f = randomFactors(N);
  EXPECT_LT(relativeDifference(propagateOnHost<N, double>(psi, f, 1), stepByDefinition(psi, f)), 1e-12) << "N = " << N;
}

TEST(BlockSteps, AStepOfEverySizeIsTheStepByDefinition) {
  expectStepByDefinition<64>();
  expectStepByDefinition<128>();
  expectStepByDefinition<256>();
  expectStepByDefinition<512>();
  expectStepByDefinition<1024>();
  expectStepByDefinition<2048>();
  expectStepByDefinition<4096>();
}

TEST(BlockSteps, ABatchAgreesWithTheLibraryRoute) {
  for (const char* const absorbing : {"off", "on"}) {
    const Parameters p = tests::parametersWith(
        {{"grid_points", "2048"}, {"precision", "double"}, {"packet_center", "80"}, {"absorbing_edges", absorbing}});
    const auto psi = makePacket<double>(p);
    const auto factors = makeFactors<double>(p);
    const auto library = makePropagator<double>(tests::cpu(), 2048);
    library->setFactors(factors);
    compute::Buffer<Complex<double>> buffer(tests::cpu(), std::span<const Complex<double>>(psi));
    std::vector<double> by_library(4 * 128), by_block(4 * 128);
    tests::cpu()->run([&] { library->advance(buffer.data(), by_library.data(), 40); });
    const auto block = propagateOnHost<2048, double>(psi, factors, 40, factors.absorbing ? &by_block : nullptr);
    EXPECT_LT(relativeDifference(block, buffer.toHost()), 1e-12);
    double taken = 0;
    for (int column = 0; column < 128; ++column) {
      for (const bool right : {false, true}) {
        const auto a = tallyOf(by_library.data(), 128, column, right), b = tallyOf(by_block.data(), 128, column, right);
        ASSERT_NEAR(a.sum - a.lost, b.sum - b.lost, 1e-12) << column;
        taken += (a.sum - a.lost) * gridOf(p).dx;
      }
    }
    EXPECT_EQ(taken > 0.01, factors.absorbing) << taken;
  }
}

TEST(BlockSteps, SinglePrecisionStaysWithinItsRounding) {
  const Parameters p = binding().read(tests::documented({}));
  const auto exact = propagateOnHost<4096, double>(makePacket<double>(p), makeFactors<double>(p), 10);
  const auto single = propagateOnHost<4096, float>(makePacket<float>(p), makeFactors<float>(p), 10);
  EXPECT_LT(relativeDifference(single, exact), 3e-6);
}

}  // namespace
}  // namespace simscope::tunneling
