#include "sims/descent/present.h"

#include <bit>
#include <cmath>

#include "sims/compute/loops/parallel.h"

namespace simscope::descent {
namespace functors {

SIMSCOPE_HD inline float logOfLoss(double loss) {
  if (!(loss < 1e37)) return -kLeastLogLoss;
  return loss > 1e-37 ? static_cast<float>(std::log10(loss)) : kLeastLogLoss;
}

// Losses are not negative: their bits have the same order, and the median's bits are found from the highest on.
struct Summarise {
  History history;
  int from;
  float* summary;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t k = static_cast<std::size_t>(from) + i;
    const float* const losses = history.losses + k * kWitnesses;
    float best = losses[0];
    double sum = 0;
    for (int w = 0; w < kWitnesses; ++w) {
      best = fminf(best, losses[w]);
      sum += static_cast<double>(losses[w]);
    }
    std::uint32_t median = 0;
    for (int bit = 30; bit >= 0; --bit) {
      const std::uint32_t trial = median | (1u << bit);
      const float bound = std::bit_cast<float>(trial);
      int below = 0;
      if (!(bound < 3e38f)) continue;
      for (int w = 0; w < kWitnesses; ++w) below += losses[w] < bound ? 1 : 0;
      if (below <= kWitnesses / 2) median = trial;
    }
    summary[kBestCurve * kSamples + k] = logOfLoss(static_cast<double>(best));
    summary[kMedianCurve * kSamples + k] = logOfLoss(static_cast<double>(std::bit_cast<float>(median)));
    summary[kMeanCurve * kSamples + k] = logOfLoss(sum / kWitnesses);
  }
};

struct CopyCurve {
  const float* curve;
  std::size_t samples;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t k) const { values[k] = k < samples ? curve[k] : nanf(""); }
};

struct Trace {
  const float* places;
  const double *x, *y;  // of the tracers now
  int samples;
  float* points;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t width = kSamples + 1, tracer = i / width, k = i % width;
    const float* const from = places + 2 * (tracer * kSamples + k);
    const bool last = k == kSamples, there = k < static_cast<std::size_t>(samples);
    // Future samples are the present place, so that the line continues to it without a gap.
    points[2 * i] = there && !last ? from[0] : static_cast<float>(x[tracer]);
    points[2 * i + 1] = there && !last ? from[1] : static_cast<float>(y[tracer]);
  }
};

template <class F>
struct ShowStarts {
  F f;
  Starts all;
  Nearest nearest;
  double lowest;
  StartPictures to;

  SIMSCOPE_HD void operator()(int column, int row, std::size_t shown) const {
    const std::size_t i =
        static_cast<std::size_t>(row) * to.every * to.starts + static_cast<std::size_t>(column) * to.every;
    const double x = all.x[i], y = all.y[i];
    const int since = all.since[i];
    if (to.basins) to.basins[shown] = since >= 0 ? static_cast<float>(nearest.at(x, y)) : nanf("");
    if (to.iterations) to.iterations[shown] = since >= 0 ? static_cast<float>(since) : nanf("");
    if (to.cloud) {
      to.cloud[4 * shown] = static_cast<float>(x);
      to.cloud[4 * shown + 1] = static_cast<float>(y);
      to.cloud[4 * shown + 2] = 0;
      to.cloud[4 * shown + 3] = to.size;
    }
    if (to.loss) to.loss[shown] = logOfLoss(f(x, y) - lowest);
  }
};

}  // namespace functors

void summarise(compute::Device& device, const History& history, int from, int to, float* summary) {
  if (to <= from) return;
  compute::parallelFor(device, static_cast<std::size_t>(to - from), functors::Summarise{history, from, summary}, 32);
}

void copyCurve(compute::Device& device, const float* curve, int samples, int width, float* values) {
  compute::parallelFor(device, static_cast<std::size_t>(width),
                       functors::CopyCurve{curve, static_cast<std::size_t>(samples), values});
}

void tracePaths(compute::Device& device, const Advance& what, int samples, float* points) {
  const std::int64_t first = what.starts.n - kWitnesses;
  compute::parallelFor(
      device, std::size_t{kSamples + 1} * kTracers,
      functors::Trace{what.history.places, what.starts.x + first, what.starts.y + first, samples, points});
}

void showStarts(compute::Device& device, const Advance& what, const StartPictures& to) {
  const int side = (to.starts + to.every - 1) / to.every;
  withSurface(what.surface, [&](const auto& f) {
    using F = std::decay_t<decltype(f)>;
    compute::parallelFor2d(device, side, side, functors::ShowStarts<F>{f, what.starts, what.nearest, what.lowest, to},
                           2048);
  });
}

}  // namespace simscope::descent
