// Pictures of the starts, and curves of the witnesses' losses. Thread: inside Device::run; enqueued. All memory is
// device memory that the caller owns; arrays that are not wanted are null.
#pragma once

#include "sims/descent/advance.h"

namespace simscope::descent {

enum Curve { kBestCurve, kMedianCurve, kMeanCurve, kCurves };
inline constexpr float kLeastLogLoss = -37;  // stands for a loss of 0

// Decimal logarithms of the least, the median, and the mean loss of samples `from` to `to`: curve c at
// summary[c · kSamples + k].
void summarise(compute::Device& device, const History& history, int from, int to, float* summary);
// One of them, `width` samples long; future samples are gaps.
void copyCurve(compute::Device& device, const float* curve, int samples, int width, float* values);
// The places of the tracers, kSamples of each and the present one, x and y.
void tracePaths(compute::Device& device, const Advance& what, int samples, float* points);

// Pictures of every `every`th start along each side.
struct StartPictures {
  int starts, every;
  float *basins, *iterations;  // number of its minimum, and iteration of arrival: gaps without a minimum
  float *cloud, *loss;         // x, y, 0, size; log of f − f*
  float size;
};
void showStarts(compute::Device& device, const Advance& what, const StartPictures& to);

}  // namespace simscope::descent
