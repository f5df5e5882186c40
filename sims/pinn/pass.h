// One network on one thread of the CPU: its weights laid out for lanes of units, the gradient of the loss, and
// training.
//
// V: a vector of V::kLanes numbers V::Real (scalar.h, and the kernels_*.cpp of the instruction sets); units are padded
// to kMostUnits with zeros, whose output is 0. A weight's gradient is summed over points one by one, and within a point
// over components: CUDA has the same order.
#pragma once

#include <cstring>

#include "sims/pinn/jets.h"

namespace simscope::pinn {

template <class V, int C>
class Pass {
 public:
  using Real = typename V::Real;
  static constexpr int kLanes = V::kLanes;

  explicit Pass(const Architecture& net) : net_(net), ends_((net.units + kLanes - 1) / kLanes * kLanes) {
    std::memset(static_cast<void*>(&weights_), 0, sizeof weights_);
    std::memset(static_cast<void*>(&gradient_), 0, sizeof gradient_);
  }

  void take(const Real* flat) {
    eachWeight(weights_, [&](Real& each, int at) { each = flat[at]; });
    for (int l = 1; l < net_.layers; ++l) {
      for (int i = 0; i < net_.units; ++i) {
        for (int j = 0; j < net_.units; ++j) across_[l][j][i] = weights_.w[l][i][j];
      }
    }
    for (int i = 0; i < net_.units; ++i) {
      for (int j = 0; j < net_.inputs; ++j) across_[0][j][i] = weights_.first[j][i];
    }
  }
  void giveGradient(Real* flat) {
    eachWeight(gradient_, [&](const Real& each, int at) { flat[at] = each; });
  }

  // u with its derivatives.
  void forward(const Place<Real>& at, Real xi_x, Real tau_t, Real (&u)[C]) {
    for (int j = 0; j < net_.inputs; ++j) {
      Real jet[C];
      inputJet<C>(at, j, xi_x, tau_t, jet);
      for (int c = 0; c < C; ++c) input_[c][j] = jet[c];
    }
    for (int l = 0; l < net_.layers; ++l) {
      const Real(&from)[C][kMostUnits] = l == 0 ? input_ : a_[l - 1];
      layer(l, net_.inputsOf(l), from);
    }
    const Real(&last)[C][kMostUnits] = a_[net_.layers - 1];
    for (int c = 0; c < C; ++c) {
      Real s[8] = {};
      for (int j = 0; j < net_.units; j += 8) {
        for (int k = 0; k < 8; ++k) s[k] = madd(weights_.out[j + k], last[c][j + k], s[k]);
      }
      u[c] = sumOfEight(s);
    }
    u[0] = u[0] + weights_.out_bias;
  }

  // Gradient and sums of squares over all points.
  void run(const Loss<Real>& loss, const Place<Real>* places, const ConditionAt<Real>* conditions,
           Real (&sums)[kParts]) {
    std::memset(static_cast<void*>(&gradient_), 0, sizeof gradient_);
    for (Real& each : sums) each = 0;
    for (int n = 0; n < loss.points + loss.conditions; ++n) {
      const bool inside = n < loss.points;
      const ConditionAt<Real>* const condition = inside ? nullptr : conditions + (n - loss.points);
      Real u[C], bar[C];
      forward(inside ? places[n] : condition->at, loss.xi_x, loss.tau_t, u);
      const Real square = inside ? seedAtPoint<C>(loss, u, bar) : seedAtCondition<C>(loss, *condition, u, bar);
      Real& sum = sums[inside ? 0 : condition->part];
      sum = sum + square;
      backward(bar);
    }
  }

 private:
  struct alignas(64) Weights {
    Real first[kMostInputs][kMostUnits];          // by input: the lanes are units
    Real w[kMostLayers][kMostUnits][kMostUnits];  // of layers from 1 on, row by row
    Real b[kMostLayers][kMostUnits];
    Real out[kMostUnits];
    Real out_bias;
  };

  template <class Kind, class Work>
  void eachWeight(Kind& weights, const Work& work) {
    int at = 0;
    for (int l = 0; l < net_.layers; ++l) {
      for (int i = 0; i < net_.units; ++i) {
        for (int j = 0; j < net_.inputsOf(l); ++j) work(l == 0 ? weights.first[j][i] : weights.w[l][i][j], at++);
      }
      for (int i = 0; i < net_.units; ++i) work(weights.b[l][i], at++);
    }
    for (int i = 0; i < net_.units; ++i) work(weights.out[i], at++);
    work(weights.out_bias, at);
  }

  // Independent chains of fused operations in flight: kGroup vectors of units, C components each.
  static constexpr int kGroup = kMostUnits >= 2 * kLanes ? 2 : 1;

  template <int G, class Done>
  static void products(const Real (*rows)[kMostUnits], int inputs, const Real (&from)[C][kMostUnits], int i,
                       V (&acc)[C][G], const Done& done) {
    for (int j = 0; j < inputs; ++j) {
      V w[G];
      for (int g = 0; g < G; ++g) w[g] = V::load(&rows[j][i + g * kLanes]);
      for (int c = 0; c < C; ++c) {
        const V each(from[c][j]);
        for (int g = 0; g < G; ++g) acc[c][g] = madd(w[g], each, acc[c][g]);
      }
    }
    for (int g = 0; g < G; ++g) {
      V bar[C];
      for (int c = 0; c < C; ++c) bar[c] = acc[c][g];
      done(bar, i + g * kLanes);
    }
  }
  // Σ_j rows[j][i] from[c][j] + start for all units i, in vectors of them; done(sums, first unit).
  template <class Done>
  void eachSum(const Real (*rows)[kMostUnits], int inputs, const Real (&from)[C][kMostUnits], const Real* start,
               const Done& done) const {
    int i = 0;
    for (; i + kGroup * kLanes <= ends_; i += kGroup * kLanes) {
      V acc[C][kGroup];
      for (int g = 0; g < kGroup; ++g) {
        acc[0][g] = start ? V::load(start + i + g * kLanes) : V(Real(0));
        for (int c = 1; c < C; ++c) acc[c][g] = V(Real(0));
      }
      products<kGroup>(rows, inputs, from, i, acc, done);
    }
    for (; i < ends_; i += kLanes) {
      V acc[C][1];
      acc[0][0] = start ? V::load(start + i) : V(Real(0));
      for (int c = 1; c < C; ++c) acc[c][0] = V(Real(0));
      products<1>(rows, inputs, from, i, acc, done);
    }
  }

  void layer(int l, int inputs, const Real (&from)[C][kMostUnits]) {
    eachSum(across_[l], inputs, from, weights_.b[l], [&](const V(&z)[C], int i) {
      V a[C];
      activate<C>(z, a);
      for (int c = 0; c < C; ++c) a[c].store(&a_[l][c][i]);
      for (int c = 1; c < C; ++c) z[c].store(&z_[l][c][i]);
    });
  }

  void pull(int l, V (&bar)[C], int i) {
    V z[C];
    for (int c = 1; c < C; ++c) z[c] = V::load(&z_[l][c][i]);
    pullBack<C>(V::load(&a_[l][0][i]), z, bar);
    V b = V::load(&gradient_.b[l][i]);
    (b + bar[0]).store(&gradient_.b[l][i]);
  }

  void backward(const Real (&seed)[C]) {
    const int last = net_.layers - 1;
    for (int i = 0; i < ends_; i += kLanes) {
      V g = V::load(&gradient_.out[i]), bar[C];
      const V w = V::load(&weights_.out[i]);
      for (int c = 0; c < C; ++c) {
        const V each(seed[c]);
        g = madd(each, V::load(&a_[last][c][i]), g);
        bar[c] = w * each;
      }
      g.store(&gradient_.out[i]);
      pull(last, bar, i);
      for (int c = 0; c < C; ++c) bar[c].store(&bar_[c][i]);
    }
    gradient_.out_bias = gradient_.out_bias + seed[0];
    for (int l = last; l > 0; --l) {
      for (int j = 0; j < ends_; j += kLanes) {
        V a[C];
        for (int c = 0; c < C; ++c) a[c] = V::load(&a_[l - 1][c][j]);
        for (int i = 0; i < net_.units; ++i) {
          V g = V::load(&gradient_.w[l][i][j]);
          for (int c = 0; c < C; ++c) g = madd(V(bar_[c][i]), a[c], g);
          g.store(&gradient_.w[l][i][j]);
        }
      }
      eachSum(weights_.w[l], net_.units, bar_, nullptr, [&](const V(&sums)[C], int j) {
        V bar[C];
        for (int c = 0; c < C; ++c) bar[c] = sums[c];
        pull(l - 1, bar, j);
        for (int c = 0; c < C; ++c) bar[c].store(&next_[c][j]);
      });
      std::memcpy(bar_, next_, sizeof bar_);
    }
    for (int j = 0; j < net_.inputs; ++j) {
      for (int i = 0; i < ends_; i += kLanes) {
        V g = V::load(&gradient_.first[j][i]);
        for (int c = 0; c < C; ++c) g = madd(V::load(&bar_[c][i]), V(input_[c][j]), g);
        g.store(&gradient_.first[j][i]);
      }
    }
  }

  Architecture net_;
  int ends_;  // units, padded to whole vectors
  Weights weights_, gradient_;
  alignas(64) Real across_[kMostLayers][kMostUnits][kMostUnits] = {};  // [layer][input][unit]
  alignas(64) Real a_[kMostLayers][C][kMostUnits] = {};
  alignas(64) Real z_[kMostLayers][C][kMostUnits] = {};
  alignas(64) Real bar_[C][kMostUnits] = {};
  alignas(64) Real next_[C][kMostUnits] = {};
  alignas(64) Real input_[C][kMostUnits] = {};
};

// Iterations of one network, or its gradient and loss (Training::steps = 0).
template <class V, int C, class Real = typename V::Real>
void trainNetwork(const Training<Real>& job, std::size_t network) {
  const auto count = static_cast<std::size_t>(job.net.weights());
  Real* __restrict const weights = job.weights + network * count;
  Pass<V, C> pass(job.net);
  pass.take(weights);
  Real sums[kParts];
  if (job.steps == 0) {
    pass.run(job.loss, job.places, job.conditions, sums);
    pass.giveGradient(job.gradient + network * count);
    for (int part = 0; part < kParts; ++part) job.parts[network * kParts + part] = job.loss.mean[part] * sums[part];
    return;
  }
  Real* __restrict const mean = job.mean + network * count;
  Real* __restrict const variance = job.variance + network * count;
  Real g[kMostWeights];
  for (int step = 0; step < job.steps; ++step) {
    pass.run(job.loss, job.places + static_cast<std::size_t>(step) * job.stride, job.conditions, sums);
    if (!(lossOf(job.loss, sums) < Real(kDiverged))) continue;
    pass.giveGradient(g);
    const Iteration<Real> n = job.iterations[step];
    const Real rate = job.rates[network] * n.rate;
    if (job.optimizer == Optimizer::Adam) {
      for (std::size_t i = 0; i < count; ++i) adam(weights[i], mean[i], variance[i], g[i], rate, n);
    } else {
      for (std::size_t i = 0; i < count; ++i) weights[i] = madd(-rate, g[i], weights[i]);
    }
    pass.take(weights);
  }
}

// A range of places for one network: `row` of the values.
template <class V>
void evaluateNetwork(const Evaluation& job, std::size_t network, std::size_t row, int first, int end) {
  Pass<V, kJet> pass(job.net);
  pass.take(job.weights + network * static_cast<std::size_t>(job.net.weights()));
  float* to = job.values + (row * static_cast<std::size_t>(job.count) + static_cast<std::size_t>(first)) *
                               static_cast<std::size_t>(job.components);
  for (int n = first; n < end; ++n) {
    float u[kJet];
    pass.forward(job.places[n], job.xi_x, job.tau_t, u);
    for (int c = 0; c < job.components; ++c) *to++ = u[c];
  }
}

}  // namespace simscope::pinn
