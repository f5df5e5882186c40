// Runs side by side are the runs one by one.
#include "sims/tunneling/batch.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sims/core/testing/testing.h"
#include "sims/tunneling/testing.h"

namespace simscope::tunneling::tests {
namespace {

std::vector<ParameterSet> over(const char* key, double from, double to, int count, const Changes& changes) {
  std::vector<ParameterSet> runs;
  for (int i = 0; i < count; ++i) {
    ParameterSet run = with(changes);
    run.set(key, from + (to - from) * i / (count - 1));
    runs.push_back(std::move(run));
  }
  return runs;
}
std::vector<ParameterSet> overMomentum(double from, double to, int count, const Changes& changes) {
  return over("packet_momentum", from, to, count, changes);
}
// What makes the factors of runs differ: the potential, the steps, the grid, or the packet alone.
const std::vector<std::vector<ParameterSet>>& everyAxis() {
  static const Changes kSmall{{"grid_points", "256"}, {"absorbing_edges", "off"}};
  static const std::vector<std::vector<ParameterSet>> axes{
      over("barrier_height", 0.5, 2, 3, kSmall), over("time_step", 0.004, 0.01, 3, kSmall),
      over("domain_length", 160, 200, 3, kSmall), over("packet_center", -60, -40, 3, kSmall)};
  return axes;
}

std::vector<std::string> codesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> codes;
  for (const Finding& each : findings) codes.push_back(each.code);
  return codes;
}

struct BatchOutcome {
  std::vector<std::vector<std::byte>> states;
  std::vector<double> values;
  std::vector<double> times;
  std::vector<std::vector<std::string>> findings;  // their codes
};

BatchOutcome batchOutcome(const compute::DevicePtr& device, const std::vector<ParameterSet>& runs,
                          const std::vector<int>& steps) {
  BatchOutcome outcome;
  device->run([&] {
    const auto batch = createBatch(device, runs, 1);
    ASSERT_NE(batch, nullptr);
    ASSERT_EQ(batch->runs(), runs.size());
    for (const int n : steps) batch->step(n);
    outcome.values.resize(runs.size() * description().diagnostics.size());
    batch->diagnostics(outcome.values);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      outcome.states.push_back(batch->stateArray(i));
      outcome.times.push_back(batch->time(i));
      outcome.findings.push_back(codesOf(batch->check(i)));
    }
    EXPECT_THAT(batch->finite(), testing::Each(true));
  });
  return outcome;
}

// States to the bit; diagnostics within `tolerance`.
void expectSameAsSingle(const compute::DevicePtr& device, const std::vector<ParameterSet>& runs, int steps,
                        double tolerance) {
  const BatchOutcome batch = batchOutcome(device, runs, {steps - 17, 17});
  const std::size_t count = description().diagnostics.size();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Stepper single = start(runs[i], device);
    single.step(steps);
    const State state = single.save();
    const StateArray& psi = *state.find("psi");
    ASSERT_EQ(psi.bytes.size(), batch.states[i].size());
    EXPECT_EQ(std::memcmp(psi.bytes.data(), batch.states[i].data(), psi.bytes.size()), 0) << "run " << i;
    EXPECT_EQ(single.simulation().time(), batch.times[i]);
    EXPECT_EQ(codesOf(single.findings()), batch.findings[i]);
    const std::vector<double>& values = single.diagnostics();
    for (std::size_t d = 0; d < count; ++d) {
      const double measured = batch.values[i * count + d];
      if (std::isnan(values[d])) {
        EXPECT_TRUE(std::isnan(measured)) << description().diagnostics[d].key;
      } else {
        EXPECT_NEAR(measured, values[d], tolerance) << description().diagnostics[d].key << ", run " << i;
      }
    }
  }
}

TEST(Batch, OnTheCpuGivesTheBitsAndNumbersOfSingleRuns) {
  const auto device = simscope::tests::cpu(3);
  expectSameAsSingle(device, overMomentum(0.8, 2.6, 5, {{"grid_points", "512"}}), 300, 0);
  expectSameAsSingle(device, overMomentum(1, 2, 2, {{"grid_points", "256"}, {"precision", "double"}}), 100, 0);
  for (const std::vector<ParameterSet>& axis : everyAxis()) expectSameAsSingle(device, axis, 100, 0);
}

// Sums over momenta are by a transform of many at once, whose rounding may differ.
TEST(Batch, OnCudaGivesTheBitsOfSingleRuns) {
  const std::string why = compute::Device::whyNoCuda();
  if (!why.empty()) GTEST_SKIP() << "no CUDA device: " << why;
  const auto device = compute::Device::open("cuda");
  for (const char* points : {"64", "512", "2048", "4096"}) {
    expectSameAsSingle(device, overMomentum(0.8, 2.6, 5, {{"grid_points", points}}), 300, 1e-5);
  }
  expectSameAsSingle(device, overMomentum(1, 2, 3, {{"precision", "double"}}), 100, 1e-10);
  for (const std::vector<ParameterSet>& axis : everyAxis()) expectSameAsSingle(device, axis, 100, 1e-5);
  const std::vector<ParameterSet> large = overMomentum(1, 2, 2, {{"grid_points", "8192"}});
  device->run([&] { EXPECT_EQ(createBatch(device, large, 1), nullptr); });
}

TEST(Batch, GivesTheSameForAnyNumberOfThreadsAndAnyOrderOfRuns) {
  std::vector<ParameterSet> runs = overMomentum(0.8, 2.6, 7, {{"grid_points", "256"}});
  const BatchOutcome one = batchOutcome(simscope::tests::cpu(1), runs, {200});
  const BatchOutcome four = batchOutcome(simscope::tests::cpu(4), runs, {150, 50});
  EXPECT_EQ(one.states, four.states);
  std::reverse(runs.begin(), runs.end());
  BatchOutcome reversed = batchOutcome(simscope::tests::cpu(4), runs, {200});
  std::reverse(reversed.states.begin(), reversed.states.end());
  EXPECT_EQ(one.states, reversed.states);
}

TEST(Batch, RefusesRunsOfAnotherShapeByTheirParameter) {
  for (const auto& [key, value] :
       Changes{{"grid_points", "256"}, {"precision", "double"}, {"absorbing_edges", "off"}}) {
    std::vector<ParameterSet> runs(3, with({{"grid_points", "512"}}));
    runs.back().setText(key, value);
    EXPECT_EQ(simscope::tests::refusedParameter([&] { createBatch(cpu(), runs, 1); }), key);
  }
  EXPECT_THROW(createBatch(cpu(), {}, 1), UsageError);
}

// A barrier of height 1 and width 2, at energies below and above it; the momenta spread by 1/2σ = 0.05. Finer grids
// would come nearer: what the jumps of V cost falls as the square of the spacing.
TEST(Batch, TransmissionOverEnergyIsTheExactCurveForPacketsNarrowInMomentum) {
  const std::vector<ParameterSet> runs = overMomentum(0.9, 2, 4,
                                                      {{"grid_points", "4096"},
                                                       {"domain_length", "240"},
                                                       {"packet_width", "10"},
                                                       {"packet_center", "-47"},
                                                       {"barrier_height", "1"},
                                                       {"barrier_width", "2"},
                                                       {"time_step", "0.008"},
                                                       {"precision", "double"}});
  const BatchOutcome outcome = batchOutcome(simscope::tests::cpu(0), runs, {16'000});
  const std::size_t count = description().diagnostics.size();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double* values = outcome.values.data() + i * count;
    EXPECT_NEAR(values[kTransmission], values[kTransmissionExact], 1e-3) << runs[i].real("packet_momentum");
    EXPECT_NEAR(values[kTransmission] + values[kReflection], 1, 1e-6);
    EXPECT_LT(values[kInside], 1e-6);
  }
  EXPECT_LT(outcome.values[kTransmission], 0.06);
  EXPECT_GT(outcome.values[(runs.size() - 1) * count + kTransmission], 0.95);
}

}  // namespace
}  // namespace simscope::tunneling::tests
