#include "sims/diffraction/present/sampled_region.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace simscope::diffraction {
namespace {

constexpr int kTaps = 6, kRowsAtATime = 32;

// Where an element lies between the bins, along one side.
struct Between {
  bool within = false;
  int first = 0;  // of its bins, which may lie outside
  float weights[kTaps] = {};
};

std::vector<Between> placesOf(const Element& element) {
  std::vector<Between> places(static_cast<std::size_t>(element.region.size()));
  const int n = element.sampler.slab.n;
  for (int i = 0; i < element.region.size(); ++i) {
    Between& each = places[static_cast<std::size_t>(i)];
    const double at = element.middle(i, 0) + n / 2;
    each.within = at >= 0 && at <= n - 1;
    if (!each.within) continue;
    const int bin = static_cast<int>(at);
    lagrange(static_cast<float>(at - bin), each.weights);
    each.first = bin + 1 - kTaps / 2;
  }
  return places;
}

// The last rows of bins that were added up along x.
class Rows {
 public:
  Rows(const Sampler& sampler, const std::vector<Between>& places) : sampler_(sampler), places_(places) {
    for (auto& each : parts_) each.resize(places.size());
    held_.fill(-1);
  }

  const float* at(int row) {
    const auto slot = static_cast<std::size_t>(row % kTaps);
    std::vector<float>& parts = parts_[slot];
    if (held_[slot] == row) return parts.data();
    held_[slot] = row;
    const float* const line = sampler_.line(row);
    for (std::size_t x = 0; x < places_.size(); ++x) {
      const Between& place = places_[x];
      float part = 0;
      if (place.first >= 0 && place.first + kTaps <= sampler_.slab.n) {
        for (int i = 0; i < kTaps; ++i) part += place.weights[i] * line[place.first + i];
      } else {
        for (int i = 0; i < kTaps; ++i) part += place.weights[i] * line[sampler_.within(place.first + i)];
      }
      parts[x] = place.within ? part : 0;
    }
    return parts.data();
  }

 private:
  const Sampler& sampler_;
  const std::vector<Between>& places_;
  std::array<std::vector<float>, kTaps> parts_;
  std::array<int, kTaps> held_{};
};

}  // namespace

void sampleRegion(compute::CpuDevice& device, const Sampler& sampler, const Region& region, const compute::Cut& made,
                  float* out, const RowWork& finish) {
  const std::vector<Between> places = placesOf({sampler, region});
  const int size = region.size();
  const auto width = static_cast<std::size_t>(size);
  device.arena().execute([&] {
    tbb::parallel_for(0, (made.count + kRowsAtATime - 1) / kRowsAtATime, [&](int block) {
      Rows rows(sampler, places);
      const int last = std::min(made.count, (block + 1) * kRowsAtATime);
      for (int y = block * kRowsAtATime; y < last; ++y) {
        float* const to = out + static_cast<std::size_t>(y) * width;
        const Between& place = places[static_cast<std::size_t>(made.first + y)];
        std::fill(to, to + width, 0.0f);
        for (int j = 0; place.within && j < kTaps; ++j) {
          const float* const parts = rows.at(sampler.within(place.first + j));
          const float weight = place.weights[j];
          for (std::size_t x = 0; x < width; ++x) to[x] += weight * parts[x];
        }
        for (std::size_t x = 0; x < width; ++x) to[x] = to[x] > 0 ? to[x] : 0;
        if (finish) finish(to, width);
      }
    });
  });
  device.countLaunches();
}

// ln(m) on √½ ≤ m < √2 by the series of 2 artanh(s), s = (m − 1)/(m + 1), |s| < 0.172: the next term is below 1e-9.
// Without a branch, so that compilers make vectors of it.
void decadesOf(float* values, std::size_t count, float scale, float low) {
  constexpr std::uint32_t kRootOfHalf = 0x3f3504f3, kOne = 0x3f800000;
  constexpr float kDecade = 0.30103f, kTwoPerLn10 = 0.868588964f;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(scale * values[i]) + (kOne - kRootOfHalf);
    const auto exponent = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - 127);
    const auto m = std::bit_cast<float>((bits & 0x007fffffu) + kRootOfHalf);
    const float s = (m - 1) / (m + 1), q = s * s;
    const float series = s * (1 + q * (1.0f / 3 + q * (0.2f + q * (1.0f / 7 + q * (1.0f / 9)))));
    const float decades = kDecade * exponent + kTwoPerLn10 * series;
    values[i] = decades > low ? decades : low;
  }
}

}  // namespace simscope::diffraction
