// Evaluation of trained networks on the device: their scores, the best one, and the views' channels.
#pragma once

#include <cstdint>

#include "sims/compute/buffer.h"
#include "sims/pinn/network.h"

namespace simscope::pinn {

// The score of one network at one iteration. The loss's parts are means of squares; error: relative L2; farthest:
// largest error.
struct Score {
  float parts[kParts] = {};
  float loss = 0, error = 0, farthest = 0;
};
inline constexpr int kScoreNumbers = sizeof(Score) / sizeof(float);

// Random places for iterations [first, first + rows) of `each` points: pure functions of (seed, iteration, point).
void drawPlaces(std::uint64_t seed, std::int64_t first, int rows, int each, bool plane,
                compute::Buffer<Place<float>>& places);

struct Scoring {
  const float* parts;   // kParts a network
  const float* values;  // `count` a network
  const float* exact;   // `count`
  int count;
  float norm;  // Σ exact²
  float weight[kParts];
};
void scoreAll(const Scoring& scoring, compute::Buffer<Score>& scores);
// Writes the network with the smallest finite loss (the first of several; 0 where there is none) to *best.
void findBest(const compute::Buffer<Score>& scores, compute::Buffer<int>& best);

// Copies scores to rows [first, end) of the history.
void recordScores(const compute::Buffer<Score>& scores, int first, int end, compute::Buffer<Score>& history);

// log₁₀ of one number of the scores: of the best network over the history's rows, or over networks.
enum class Number { Loss, Equation, Conditions, Error };
void readHistory(const compute::Buffer<Score>& history, const compute::Buffer<int>& best, std::size_t networks,
                 Number number, float low, compute::Buffer<float>& values);
// The number of networks with an error in each bin; the bins have equal width in decades from `low` to `high`, and the
// first and the last include errors beyond. `counts` and `values` have one element a bin.
void countErrors(const compute::Buffer<Score>& scores, float low, float high, compute::Buffer<std::uint32_t>& counts,
                 compute::Buffer<float>& values);
// `only`: null, or the one network to which all values belong.
void readScores(const compute::Buffer<Score>& scores, const int* only, Number number, float low, float high,
                compute::Buffer<float>& values);

// From jets (kJet a place): u, its residual, or u minus the exact values.
enum class Shown { Solution, Residual, Error };
void readJets(const float* jets, const Equation<float>& equation, const float* exact, Shown shown,
              compute::Buffer<float>& values);

// The weights of the best network as a picture of `width` × units: cell i shows weight map[i], none where that is −1.
void readWeights(const float* weights, int each, const compute::Buffer<int>& best, const compute::Buffer<int>& map,
                 compute::Buffer<float>& values);

bool allFinite(const compute::Buffer<float>& values);

}  // namespace simscope::pinn
