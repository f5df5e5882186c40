// Derivatives: of the network by its inputs, and of the loss by all weights, in double precision; and kernels that
// agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sims/compute/random/random.h"
#include "sims/pinn/kernels.h"
#include "sims/pinn/pass.h"
#include "sims/pinn/pinn.h"
#include "sims/pinn/scalar.h"

namespace simscope::pinn {
namespace {

using Wide = Scalar<double>;

std::vector<double> randomWeights(const Architecture& net, std::uint64_t seed) {
  std::vector<double> weights;
  for (int i = 0; i < net.weights(); ++i) {
    const compute::Uniform4 u = compute::uniform4(seed, 7, static_cast<std::uint64_t>(i));
    weights.push_back(1.6 * (u.u[0] - 0.5));
  }
  return weights;
}
std::vector<Place<double>> randomPlaces(int count, bool plane, std::uint64_t seed) {
  std::vector<Place<double>> places;
  for (int i = 0; i < count; ++i) {
    const compute::Uniform4 u = compute::uniform4(seed, 8, static_cast<std::uint64_t>(i));
    places.push_back({2 * u.u[0] - 1, plane ? 2 * u.u[1] - 1 : 0});
  }
  return places;
}

template <int C>
double lossAt(const Architecture& net, const Loss<double>& loss, const std::vector<double>& weights,
              const std::vector<Place<double>>& places, const std::vector<ConditionAt<double>>& conditions,
              std::vector<double>* gradient = nullptr) {
  Pass<Wide, C> pass(net);
  pass.take(weights.data());
  double sums[kParts];
  pass.run(loss, places.data(), conditions.data(), sums);
  if (gradient) {
    gradient->resize(weights.size());
    pass.giveGradient(gradient->data());
  }
  return lossOf(loss, sums);
}

// The largest deviation from a difference quotient of fourth order, over all weights, each relative to its own size (or
// a hundredth of the largest).
template <int C>
double worstOf(const Architecture& net, const Physics& physics, const double (&weight)[kParts], std::uint64_t seed) {
  constexpr int kPoints = 11;
  Loss<double> loss = lossFor<double>(physics, 1, kPoints);
  std::copy(weight, weight + kParts, loss.weight);
  const auto places = randomPlaces(kPoints, net.inputs == 2, seed);
  const auto conditions = conditionsFor<double>(physics);
  std::vector<double> weights = randomWeights(net, seed), gradient;
  lossAt<C>(net, loss, weights, places, conditions, &gradient);
  double largest = 0, worst = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  EXPECT_GT(largest, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    constexpr double kStep = 1e-3;
    const double kept = weights[i];
    const auto at = [&](double by) {
      weights[i] = kept + by;
      return lossAt<C>(net, loss, weights, places, conditions);
    };
    const double quotient = (8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
    weights[i] = kept;
    worst = std::max(worst, std::abs(gradient[i] - quotient) / std::max(std::abs(quotient), 0.01 * largest));
  }
  return worst;
}

double worst(const Architecture& net, const Physics& physics, const double (&weight)[kParts], std::uint64_t seed) {
  if (physics.components() == 2) return worstOf<2>(net, physics, weight, seed);
  if (physics.components() == 3) return worstOf<3>(net, physics, weight, seed);
  return worstOf<4>(net, physics, weight, seed);
}

TEST(Gradient, OfEachTermOfTheLossIsTheDifferenceQuotientForAllWeights) {
  for (const Problem problem : {Problem::Decay, Problem::Oscillator, Problem::Heat, Problem::Burgers}) {
    const Physics physics{.problem = problem};
    for (int part = 0; part < (physics.partial() ? 3 : 2); ++part) {
      double weight[kParts] = {};
      weight[part] = 1;
      for (int layers = 1; layers <= 3; ++layers) {
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
          const Architecture net{physics.partial() ? 2 : 1, layers, 5};
          EXPECT_LT(worst(net, physics, weight, seed), 1e-6)
              << "problem " << static_cast<int>(problem) << ", part " << part << ", layers " << layers;
        }
      }
    }
  }
}

TEST(Gradient, OfTheWholeLossIsTheDifferenceQuotientForAWideNetwork) {
  const double weight[kParts] = {1, 10, 3};
  EXPECT_LT(worst({2, 2, 11}, {.problem = Problem::Burgers}, weight, 5), 1e-6);
  EXPECT_LT(worst({1, 1, 32}, {.problem = Problem::Decay}, weight, 5), 1e-6);
}

// u = p tanh(c tanh(a ξ + b τ + d) + e) + q, by the chain rule.
TEST(Jets, AreTheDerivativesOfTanhInTanh) {
  const Architecture net{2, 2, 1};
  const double a = 0.7, b = -0.4, d = 0.2, c = 1.3, e = -0.3, p = 1.9, q = 0.25, sx = 1.5, st = 2;
  const double weights[] = {a, b, d, c, e, p, q};
  Pass<Wide, 4> pass(net);
  pass.take(weights);
  for (double xi = -1; xi <= 1; xi += 0.25) {
    for (const double tau : {-0.8, 0.1, 0.9}) {
      double u[4];
      pass.forward({xi, tau}, sx, st, u);
      const double inner = std::tanh(a * xi + b * tau + d), i1 = 1 - inner * inner, i2 = -2 * inner * i1;
      const double outer = std::tanh(c * inner + e), o1 = 1 - outer * outer, o2 = -2 * outer * o1;
      EXPECT_NEAR(u[0], p * outer + q, 1e-14);
      EXPECT_NEAR(u[1], p * o1 * c * i1 * a * sx, 1e-13);
      EXPECT_NEAR(u[2], p * (o2 * c * i1 * c * i1 + o1 * c * i2) * a * sx * a * sx, 1e-13);
      EXPECT_NEAR(u[3], p * o1 * c * i1 * b * st, 1e-13);
    }
  }
}

TEST(Jets, AreTheDifferenceQuotientsOfADeepNetwork) {
  const Architecture net{2, 3, 13};
  Pass<Wide, 4> pass(net);
  pass.take(randomWeights(net, 3).data());
  constexpr double kStep = 1e-4;
  const auto at = [&](double xi, double tau) {
    double u[4];
    pass.forward({xi, tau}, 1, 1, u);
    return u[0];
  };
  for (double xi = -0.9; xi < 1; xi += 0.3) {
    double u[4];
    pass.forward({xi, 0.3}, 1, 1, u);
    const double up = at(xi + kStep, 0.3), down = at(xi - kStep, 0.3), here = at(xi, 0.3);
    EXPECT_NEAR(u[1], (up - down) / (2 * kStep), 1e-7);
    EXPECT_NEAR(u[2], (up - 2 * here + down) / (kStep * kStep), 1e-6);
    EXPECT_NEAR(u[3], (at(xi, 0.3 + kStep) - at(xi, 0.3 - kStep)) / (2 * kStep), 1e-7);
  }
}

TEST(HyperbolicTangent, IsWithinTwoUnitsOfTheLastPlaceAndKeepsNaN) {
  double worst = 0;
  for (float x = -12; x < 12; x += 0.00037f) {
    const double exact = std::tanh(static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(hyperbolicTangent(x)) - exact) / std::abs(exact));
  }
  for (float x = 1e-30f; x < 1; x *= 1.1f) {
    const double exact = std::tanh(static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(hyperbolicTangent(-x)) + exact) / exact);
  }
  EXPECT_LT(worst, 2.4e-7);
  EXPECT_EQ(hyperbolicTangent(0.0f), 0.0f);
  EXPECT_EQ(hyperbolicTangent(1e30f), hyperbolicTangent(20.0f));
  EXPECT_LE(hyperbolicTangent(20.0f), 1.0f);
  EXPECT_TRUE(std::isnan(hyperbolicTangent(std::nanf(""))));
}

// Of any size: whole vectors, parts of them, groups of vectors.
TEST(Kernels, OfAllInstructionsGiveTheSameBits) {
  const compute::KernelList<Kernels>& list = supportedKernels();
  for (const Problem problem : {Problem::Decay, Problem::Oscillator, Problem::Heat, Problem::Burgers}) {
    const Physics physics{.problem = problem};
    for (const auto& [layers, units] : {std::pair(1, 1), {1, 16}, {2, 13}, {3, 24}, {2, 32}}) {
      const Architecture net{physics.partial() ? 2 : 1, layers, units};
      const auto count = static_cast<std::size_t>(net.weights());
      const std::vector<float> start = initialWeights(net, 1, 3, 0);
      const std::vector<Place<float>> places = gridFor(physics, 40);
      const auto conditions = conditionsFor<float>(physics);
      const float rate = 0.01f;
      std::vector<float> first;
      for (int set = list.count - 1; set >= 0; --set) {
        std::vector<float> all(4 * count);
        std::copy(start.begin(), start.end(), all.begin());
        float parts[kParts];
        Training<float> job{};
        job.net = net, job.loss = lossFor<float>(physics, 10, static_cast<int>(places.size()));
        job.places = places.data(), job.conditions = conditions.data(), job.rates = &rate;
        job.weights = all.data(), job.mean = all.data() + count, job.variance = all.data() + 2 * count;
        job.gradient = all.data() + 3 * count, job.parts = parts, job.steps = 5;
        for (auto& each : job.iterations) each = {1, 2, 3};
        list.sets[set].train(job, physics.components(), 0);
        job.steps = 0;
        list.sets[set].train(job, physics.components(), 0);
        const Evaluation many{net,        1,       2,    places.data(), static_cast<int>(places.size()),
                              all.data(), nullptr, kJet, nullptr};
        std::vector<float> values(places.size() * kJet);
        Evaluation evaluation = many;
        evaluation.values = values.data();
        list.sets[set].evaluate(evaluation, 0, 0, 0, evaluation.count);
        all.insert(all.end(), parts, parts + kParts);
        all.insert(all.end(), values.begin(), values.end());
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << list.sets[set].name << ", units " << units;
      }
    }
  }
}

}  // namespace
}  // namespace simscope::pinn
