// CUDA's training, for nvcc only. A block of threads holds a network in shared memory for all iterations of a launch. A
// thread has a point of a tile and up to kEach units, and for the gradient up to four weights of two columns. Sums are
// made in the order of pass.h, each by one thread, so that the bits are the CPU's and do not depend on the tile.
#pragma once

#include "sims/pinn/jets.h"

namespace simscope::pinn {

// Shared memory, in floats: `pad` points are a tile and one, so that columns of it are in different banks.
template <int C, int tile>
struct Layout {
  static constexpr int kPad = tile + 1;
  int units, stored, weights, gradient, answers, inputs, bars, places, outputs, seeds, squares, total;

  SIMSCOPE_HD explicit Layout(const Architecture& net) {
    units = net.units;
    stored = (units + 7) / 8 * 8;  // the output's sum goes over whole eights
    const int count = net.weights(), plane = stored * kPad;
    weights = 0;
    gradient = weights + count;
    answers = gradient + count;                 // a and z of each layer
    inputs = answers + net.layers * C * plane;  // the input of a layer
    bars = inputs + C * plane;                  // ∂L/∂z of a layer
    places = bars + C * plane;                  // ξ, τ
    outputs = places + 2 * kPad;
    seeds = outputs + C * kPad;
    squares = seeds + C * kPad;
    total = squares + kPad + kParts + 1;
  }
};

namespace kernels {

constexpr int kEach = 4;  // units of a thread

template <int C, int tile>
__global__ void __launch_bounds__(256) trainAll(const __grid_constant__ Training<float> job) {
  extern __shared__ float shared[];
  const Layout<C, tile> at(job.net);
  constexpr int kPad = Layout<C, tile>::kPad;
  const int units = job.net.units, layers = job.net.layers, thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x), groups = threads / tile, n = thread % tile, group = thread / tile;
  const int count = job.net.weights(), plane = at.stored * kPad, all = job.loss.points + job.loss.conditions;
  const std::size_t network = blockIdx.x, row = network * static_cast<std::size_t>(count);
  float* const w = shared + at.weights;
  float* const g = shared + at.gradient;
  float* const in = shared + at.inputs;
  float* const bars = shared + at.bars;
  float* const seeds = shared + at.seeds;
  float* const sums = shared + at.squares + kPad;
  const auto cell = [&](float* base, int c, int unit) -> float& { return base[c * plane + unit * kPad + n]; };

  for (int i = thread; i < count; i += threads) w[i] = job.weights[row + i];
  for (int i = thread; i < C * plane; i += threads) in[i] = 0;  // units beyond the last have output 0
  for (int step = 0; step < max(job.steps, 1); ++step) {
    __syncthreads();
    for (int i = thread; i < count; i += threads) g[i] = 0;
    if (thread < kParts) sums[thread] = 0;
    const Place<float>* const places = job.places + static_cast<std::size_t>(step) * job.stride;
    for (int first = 0; first < all; first += tile) {
      const int here = min(tile, all - first), point = first + n;
      const bool real = n < here;
      Place<float> place{0, 0};
      if (real) place = point < job.loss.points ? places[point] : job.conditions[point - job.loss.points].at;
      if (thread < tile) shared[at.places + n] = place.xi, shared[at.places + kPad + n] = place.tau;
      // Forwards.
      for (int l = 0; l < layers; ++l) {
        const int inputs = job.net.inputsOf(l);
        const float* const rows = w + job.net.begin(l);
        float z[kEach][C];
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
          const int i = group + k * groups;
          z[k][0] = i < units ? rows[units * inputs + i] : 0.0f;
#pragma unroll
          for (int c = 1; c < C; ++c) z[k][c] = 0;
        }
        for (int j = 0; j < inputs; ++j) {
          float a[C];
          if (l == 0) inputJet<C>(place, j, job.loss.xi_x, job.loss.tau_t, a);
#pragma unroll
          for (int c = 0; c < C && l > 0; ++c) a[c] = cell(in, c, j);
#pragma unroll
          for (int k = 0; k < kEach; ++k) {
            const int i = group + k * groups;
            const float each = i < units ? rows[i * inputs + j] : 0.0f;
#pragma unroll
            for (int c = 0; c < C; ++c) z[k][c] = madd(each, a[c], z[k][c]);
          }
        }
        __syncthreads();
        float* const answers = shared + at.answers + l * C * plane;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
          const int i = group + k * groups;
          if (i >= units) continue;
          float a[C];
          activate<C>(z[k], a);
          cell(answers, 0, i) = a[0];
#pragma unroll
          for (int c = 0; c < C; ++c) {
            cell(in, c, i) = a[c];
            if (c > 0) cell(answers, c, i) = z[k][c];
          }
        }
        __syncthreads();
      }
      // The output, one component a thread.
      const float* const out = w + job.net.begin(layers);
      for (int c = group; c < C; c += groups) {
        float s[8] = {};
        for (int j = 0; j < at.stored; j += 8) {
#pragma unroll
          for (int k = 0; k < 8; ++k) {
            const float each = j + k < units ? out[j + k] : 0.0f;
            s[k] = madd(each, cell(in, c, j + k), s[k]);
          }
        }
        const float u = sumOfEight(s);
        shared[at.outputs + c * kPad + n] = c == 0 ? u + out[units] : u;
      }
      __syncthreads();
      if (thread < tile) {
        float u[C], bar[C], square = 0;
#pragma unroll
        for (int c = 0; c < C; ++c) u[c] = shared[at.outputs + c * kPad + n], bar[c] = 0;
        if (real) {
          square = point < job.loss.points
                       ? seedAtPoint<C>(job.loss, u, bar)
                       : seedAtCondition<C>(job.loss, job.conditions[point - job.loss.points], u, bar);
        }
        shared[at.squares + n] = square;
#pragma unroll
        for (int c = 0; c < C; ++c) seeds[c * kPad + n] = bar[c];
      }
      __syncthreads();
      if (thread == threads - 1) {  // in order; the other threads continue
        for (int m = 0; m < here; ++m) {
          const int which = first + m;
          const int part = which < job.loss.points ? 0 : job.conditions[which - job.loss.points].part;
          sums[part] = sums[part] + shared[at.squares + m];
        }
      }
      // The output's weights, and ∂L/∂z of the last layer.
      float* const g_out = g + job.net.begin(layers);
      if (thread <= units) {
        float sum = g_out[thread];
        for (int m = 0; m < here; ++m) {
          if (thread == units) {
            sum = sum + seeds[m];
            continue;
          }
#pragma unroll
          for (int c = 0; c < C; ++c) sum = madd(seeds[c * kPad + m], in[c * plane + thread * kPad + m], sum);
        }
        g_out[thread] = sum;
      }
#pragma unroll
      for (int k = 0; k < kEach; ++k) {
        const int i = group + k * groups;
        if (i >= units) continue;
        float* const answers = shared + at.answers + (layers - 1) * C * plane;
        float bar[C], z[C] = {};
#pragma unroll
        for (int c = 0; c < C; ++c) {
          bar[c] = out[i] * seeds[c * kPad + n];
          if (c > 0) z[c] = cell(answers, c, i);
        }
        pullBack<C>(answers[i * kPad + n], z, bar);
#pragma unroll
        for (int c = 0; c < C; ++c) cell(bars, c, i) = bar[c];
      }
      __syncthreads();
      for (int l = layers - 1; l >= 0; --l) {
        const int inputs = job.net.inputsOf(l);
        const float* const rows = w + job.net.begin(l);
        float* const g_rows = g + job.net.begin(l);
        const float* const below = shared + at.answers + (l - 1) * C * plane;
        // The layer's input, again.
        if (l > 0) {
#pragma unroll
          for (int k = 0; k < kEach; ++k) {
            const int i = group + k * groups;
            if (i >= units) continue;
            float z[C] = {}, a[C];
#pragma unroll
            for (int c = 1; c < C; ++c) z[c] = below[c * plane + i * kPad + n];
            answerOf<C>(below[i * kPad + n], z, a);
#pragma unroll
            for (int c = 0; c < C; ++c) cell(in, c, i) = a[c];
          }
          __syncthreads();
        }
        // Gradients: up to four weights of two columns, and the biases. At most half of the threads have some; the
        // others already continue with the next part.
        const int fours = (units + 3) / 4, half = (inputs + 1) / 2;
        for (int item = thread; item < fours * half; item += threads) {
          const int left = item % half, right = left + half, i = item / half * 4;
          const bool both = right < inputs;
          float sum[2][4];
#pragma unroll
          for (int k = 0; k < 4; ++k) {
            sum[0][k] = i + k < units ? g_rows[(i + k) * inputs + left] : 0.0f;
            sum[1][k] = i + k < units && both ? g_rows[(i + k) * inputs + right] : 0.0f;
          }
          for (int m = 0; m < here; ++m) {
            float a[2][C];
            if (l == 0) {
              const Place<float> there{shared[at.places + m], shared[at.places + kPad + m]};
              inputJet<C>(there, left, job.loss.xi_x, job.loss.tau_t, a[0]);
              inputJet<C>(there, right, job.loss.xi_x, job.loss.tau_t, a[1]);
            } else {
#pragma unroll
              for (int c = 0; c < C; ++c) {
                a[0][c] = in[c * plane + left * kPad + m];
                a[1][c] = both ? in[c * plane + right * kPad + m] : 0.0f;
              }
            }
#pragma unroll
            for (int k = 0; k < 4; ++k) {
              if (i + k >= units) continue;
#pragma unroll
              for (int c = 0; c < C; ++c) {
                const float bar = bars[c * plane + (i + k) * kPad + m];
                sum[0][k] = madd(bar, a[0][c], sum[0][k]);
                sum[1][k] = madd(bar, a[1][c], sum[1][k]);
              }
            }
          }
#pragma unroll
          for (int k = 0; k < 4; ++k) {
            if (i + k < units) g_rows[(i + k) * inputs + left] = sum[0][k];
            if (i + k < units && both) g_rows[(i + k) * inputs + right] = sum[1][k];
          }
        }
        if (thread < units) {
          float sum = g_rows[units * inputs + thread];
          for (int m = 0; m < here; ++m) sum = sum + bars[thread * kPad + m];
          g_rows[units * inputs + thread] = sum;
        }
        // ∂L/∂z of the layer below.
        float bar[kEach][C] = {};
        if (l > 0) {
          for (int i = 0; i < units; ++i) {
            float each[C];
#pragma unroll
            for (int c = 0; c < C; ++c) each[c] = cell(bars, c, i);
#pragma unroll
            for (int k = 0; k < kEach; ++k) {
              const int j = group + k * groups;
              const float weight = j < units ? rows[i * inputs + j] : 0.0f;
#pragma unroll
              for (int c = 0; c < C; ++c) bar[k][c] = madd(weight, each[c], bar[k][c]);
            }
          }
        }
        __syncthreads();
        if (l == 0) continue;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
          const int j = group + k * groups;
          if (j >= units) continue;
          float z[C] = {};
#pragma unroll
          for (int c = 1; c < C; ++c) z[c] = below[c * plane + j * kPad + n];
          pullBack<C>(below[j * kPad + n], z, bar[k]);
#pragma unroll
          for (int c = 0; c < C; ++c) cell(bars, c, j) = bar[k][c];
        }
        __syncthreads();
      }
    }
    __syncthreads();
    const float all_sums[kParts] = {sums[0], sums[1], sums[2]};
    if (job.steps == 0) {
      for (int i = thread; i < count; i += threads) job.gradient[row + i] = g[i];
      if (thread < kParts) job.parts[network * kParts + thread] = job.loss.mean[thread] * all_sums[thread];
      return;
    }
    if (!(lossOf(job.loss, all_sums) < static_cast<float>(kDiverged))) continue;
    const Iteration<float> now = job.iterations[step];
    const float rate = job.rates[network] * now.rate;
    for (int i = thread; i < count; i += threads) {
      if (job.optimizer == Optimizer::Adam) {
        adam(w[i], job.mean[row + i], job.variance[row + i], g[i], rate, now);
      } else {
        w[i] = madd(-rate, g[i], w[i]);
      }
    }
  }
  __syncthreads();
  for (int i = thread; i < count; i += threads) job.weights[row + i] = w[i];
}

}  // namespace kernels

}  // namespace simscope::pinn
