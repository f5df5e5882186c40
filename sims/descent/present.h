// What pictures show of the starts, and curves of the witnesses' losses. Thread: inside Device::run; enqueued. All
// memory is device memory that the caller owns; arrays that nobody wants are null.
#pragma once

#include "sims/descent/advance.h"

namespace simscope::descent {

enum Curve { kBestCurve, kMedianCurve, kMeanCurve, kCurves };
inline constexpr float kLeastLogLoss = -37;  // what stands for a loss of 0

// Decimal logarithms of the least, the median, and the mean loss of samples `from` to `to`: curve c at
// summary[c · kSamples + k].
void summarise(compute::Device& device, const History& history, int from, int to, float* summary);
// One of them, `width` samples long; what is not there yet is a gap.
void copyCurve(compute::Device& device, const float* curve, int samples, int width, float* values);
// The places of the tracers, kSamples of each and where they are now, x and y.
void tracePaths(compute::Device& device, const Advance& what, int samples, float* points);

// Of every `every`th start along each side.
struct StartPictures {
  int starts, every;
  float *basins, *iterations;  // of the minimum it is at, of the iteration it came: gaps where it is at none
  float *cloud, *loss;         // x, y, 0, size; log of f − f*
  float size;
};
void showStarts(compute::Device& device, const Advance& what, const StartPictures& to);

}  // namespace simscope::descent
