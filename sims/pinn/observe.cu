#include "sims/pinn/observe.h"

#include <cmath>

#include "sims/compute/loops/histogram.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"
#include "sims/pinn/jets.h"

namespace simscope::pinn {

// The last stream of the random numbers; those before are the networks' initial weights (pinn.cpp).
struct DrawPlace {
  std::uint64_t seed;
  std::int64_t first;
  std::uint64_t each;
  bool plane;
  Place<float>* places;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::uint64_t iteration = static_cast<std::uint64_t>(first) + i / each, point = i % each;
    const compute::Uniform4 u = compute::uniform4(seed, 0xFFFFFFFFu, iteration << 16 | point);
    places[i].xi = static_cast<float>(2 * u.u[0] - 1);
    places[i].tau = plane ? static_cast<float>(2 * u.u[1] - 1) : 0.0f;
  }
};

struct ScoreNetwork {
  Scoring s;
  Score* scores;
  SIMSCOPE_HD void operator()(std::size_t network) const {
    Score score;
    for (int part = 0; part < kParts; ++part) {
      score.parts[part] = s.parts[network * kParts + part];
      score.loss = madd(s.weight[part], score.parts[part], score.loss);
    }
    const float* const values = s.values + network * static_cast<std::size_t>(s.count);
    float sum = 0, farthest = 0;
    for (int i = 0; i < s.count; ++i) {
      const float off = values[i] - s.exact[i], size = magnitude(off);
      sum = madd(off, off, sum);
      farthest = size > farthest ? size : farthest;
    }
    score.error = std::sqrt(sum / s.norm);
    score.farthest = farthest;
    // A value that is not finite counts as the largest one, because a state must be finite.
    float* const all = &score.parts[0];
    for (int i = 0; i < kParts; ++i) all[i] = all[i] < 1e30f ? all[i] : 1e30f;
    score.loss = score.loss < 1e30f ? score.loss : 1e30f;
    score.error = score.error < 1e30f ? score.error : 1e30f;
    score.farthest = score.farthest < 1e30f ? score.farthest : 1e30f;
    scores[network] = score;
  }
};

struct Candidate {
  float loss = 2e30f;
  int network = 0;
};
struct CandidateOf {
  const Score* scores;
  SIMSCOPE_HD Candidate operator()(std::size_t network) const {
    return {scores[network].loss, static_cast<int>(network)};
  }
};
struct BetterOf {
  SIMSCOPE_HD Candidate operator()(const Candidate& a, const Candidate& b) const {
    if (a.loss != b.loss) return a.loss < b.loss ? a : b;
    return a.network < b.network ? a : b;
  }
};

struct RecordScore {
  const Score* scores;
  Score* history;
  std::size_t networks;
  int rows;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    for (int row = 0; row < rows; ++row) history[static_cast<std::size_t>(row) * networks + i] = scores[i];
  }
};

struct NumberOf {
  Number number;
  SIMSCOPE_HD float operator()(const Score& score) const {
    if (number == Number::Loss) return score.loss;
    if (number == Number::Error) return score.error;
    return number == Number::Equation ? score.parts[0] : score.parts[1] + score.parts[2];
  }
};
struct ReadHistory {
  const Score* history;
  const int* best;
  std::size_t networks;
  NumberOf number;
  float low;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t row) const {
    const float value = number(history[row * networks + static_cast<std::size_t>(*best)]);
    values[row] = value > 0 ? std::log10(value) : low;
  }
};
struct ReadScore {
  const Score* scores;
  const int* only;
  NumberOf number;
  float low, high;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float value = number(scores[only ? static_cast<std::size_t>(*only) : i]);
    const float size = value > 0 ? std::log10(value) : low;
    values[i] = size < high ? size : high;
  }
};

struct BinOfError {
  const Score* scores;
  float low, high;
  int bins;
  SIMSCOPE_HD int operator()(std::size_t network) const {
    const float error = scores[network].error, at = error > 0 ? std::log10(error) : low;
    const float bin = (at - low) / (high - low) * static_cast<float>(bins);
    if (!(bin > 0)) return 0;
    return bin < static_cast<float>(bins) ? static_cast<int>(bin) : bins - 1;
  }
};
struct CountAsNumber {
  const std::uint32_t* counts;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = static_cast<float>(counts[i]); }
};

struct ReadJet {
  const float* jets;
  Equation<float> equation;
  const float* exact;
  Shown shown;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    float u[kJet];
    for (int c = 0; c < kJet; ++c) u[c] = jets[kJet * i + static_cast<std::size_t>(c)];
    float value = u[0];
    if (shown == Shown::Residual) value = residualOf<kJet>(equation, u);
    if (shown == Shown::Error) value = u[0] - exact[i];
    values[i] = value < 1e30f ? value > -1e30f ? value : -1e30f : 1e30f;  // NaN, too
  }
};

struct ReadWeight {
  const float* weights;
  std::size_t each;
  const int* best;
  const int* map;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int from = map[i];
    const std::size_t row = static_cast<std::size_t>(*best) * each;
    values[i] = from < 0 ? std::nanf("") : weights[row + static_cast<std::size_t>(from)];
  }
};

struct NotANumber {
  const float* values;
  SIMSCOPE_HD int operator()(std::size_t i) const { return std::isfinite(values[i]) ? 0 : 1; }
};
struct EitherOf {
  SIMSCOPE_HD int operator()(int a, int b) const { return a | b; }
};

void drawPlaces(std::uint64_t seed, std::int64_t first, int rows, int each, bool plane,
                compute::Buffer<Place<float>>& places) {
  compute::parallelFor(places.device(), static_cast<std::size_t>(rows) * static_cast<std::size_t>(each),
                       DrawPlace{seed, first, static_cast<std::uint64_t>(each), plane, places.data()}, 2048);
}

void scoreAll(const Scoring& scoring, compute::Buffer<Score>& scores) {
  compute::parallelFor(scores.device(), scores.size(), ScoreNetwork{scoring, scores.data()}, 64);
}

void findBest(const compute::Buffer<Score>& scores, compute::Buffer<int>& best) {
  // best: two numbers, the loss's bits and the network.
  compute::reduceInto(scores.device(), scores.size(), Candidate{}, CandidateOf{scores.data()}, BetterOf{},
                      reinterpret_cast<Candidate*>(best.data()));
}

void recordScores(const compute::Buffer<Score>& scores, int first, int end, compute::Buffer<Score>& history) {
  const std::size_t networks = scores.size();
  compute::parallelFor(
      scores.device(), networks,
      RecordScore{scores.data(), history.data() + static_cast<std::size_t>(first) * networks, networks, end - first});
}

void readHistory(const compute::Buffer<Score>& history, const compute::Buffer<int>& best, std::size_t networks,
                 Number number, float low, compute::Buffer<float>& values) {
  compute::parallelFor(values.device(), values.size(),
                       ReadHistory{history.data(), best.data() + 1, networks, {number}, low, values.data()});
}
void readScores(const compute::Buffer<Score>& scores, const int* only, Number number, float low, float high,
                compute::Buffer<float>& values) {
  compute::parallelFor(values.device(), values.size(),
                       ReadScore{scores.data(), only, {number}, low, high, values.data()});
}

void countErrors(const compute::Buffer<Score>& scores, float low, float high, compute::Buffer<std::uint32_t>& counts,
                 compute::Buffer<float>& values) {
  const int bins = static_cast<int>(counts.size());
  compute::histogram(scores.device(), scores.size(), BinOfError{scores.data(), low, high, bins}, counts.data(), bins);
  compute::parallelFor(values.device(), values.size(), CountAsNumber{counts.data(), values.data()});
}

void readJets(const float* jets, const Equation<float>& equation, const float* exact, Shown shown,
              compute::Buffer<float>& values) {
  compute::parallelFor(values.device(), values.size(), ReadJet{jets, equation, exact, shown, values.data()});
}

void readWeights(const float* weights, int each, const compute::Buffer<int>& best, const compute::Buffer<int>& map,
                 compute::Buffer<float>& values) {
  compute::parallelFor(values.device(), values.size(),
                       ReadWeight{weights, static_cast<std::size_t>(each), best.data() + 1, map.data(), values.data()});
}

bool allFinite(const compute::Buffer<float>& values) {
  return compute::reduce(values.device(), values.size(), 0, NotANumber{values.data()}, EitherOf{}) == 0;
}

}  // namespace simscope::pinn
