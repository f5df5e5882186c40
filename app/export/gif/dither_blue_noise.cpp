// Void and cluster: points are ranked one by one, each placed in the largest void between the earlier ones. The density
// at a place is a sum of Gaussians around the points, on a torus, so that the square repeats without seams.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/export/gif/dither.h"

namespace simscope::exporting {
namespace {

constexpr unsigned kSide = BlueNoise::kSide, kPlaces = kSide * kSide;
constexpr int kReach = 8;  // where the Gaussian ends

class Crowd {
 public:
  Crowd() : density_(kPlaces), occupied_(kPlaces) {
    constexpr double kWidth = 1.5;  // Ulichney's choice
    for (int dy = -kReach; dy <= kReach; ++dy) {
      for (int dx = -kReach; dx <= kReach; ++dx) {
        kernel_.push_back(static_cast<float>(std::exp(-(dx * dx + dy * dy) / (2 * kWidth * kWidth))));
      }
    }
  }
  bool occupied(unsigned place) const { return occupied_[place] != 0; }
  void set(unsigned place, bool point) {
    occupied_[place] = point;
    const float sign = point ? 1.0f : -1.0f;
    const unsigned x0 = place % kSide, y0 = place / kSide;
    for (unsigned k = 0, dy = 0; dy <= 2 * kReach; ++dy) {
      const unsigned y = (y0 + dy + kSide - kReach) % kSide;
      for (unsigned dx = 0; dx <= 2 * kReach; ++dx, ++k) {
        density_[y * kSide + (x0 + dx + kSide - kReach) % kSide] += sign * kernel_[k];
      }
    }
  }
  unsigned tightestCluster() const {
    return find(true, [](float a, float b) { return a > b; });
  }
  unsigned largestVoid() const {
    return find(false, [](float a, float b) { return a < b; });
  }

 private:
  template <typename Better>
  unsigned find(bool among_points, Better better) const {
    unsigned best = kPlaces;
    for (unsigned place = 0; place < kPlaces; ++place) {
      if (occupied(place) == among_points && (best == kPlaces || better(density_[place], density_[best]))) {
        best = place;
      }
    }
    return best;
  }
  std::vector<float> kernel_, density_;
  std::vector<char> occupied_;
};

}  // namespace

const BlueNoise& blueNoise() {
  static const BlueNoise noise = [] {
    // A tenth of the places, scattered by a linear congruence of full period, then moved from clusters into voids until
    // the tightest cluster's point would go back where it came from.
    constexpr unsigned kFirst = kPlaces / 10;
    Crowd crowd;
    for (unsigned i = 0, place = 0; i < kFirst; ++i) {
      place = (place * 1229 + 2531) % kPlaces;
      crowd.set(place, true);
    }
    for (;;) {
      const unsigned from = crowd.tightestCluster();
      crowd.set(from, false);
      const unsigned to = crowd.largestVoid();
      crowd.set(to, true);
      if (from == to) {
        break;
      }
    }
    BlueNoise result{};
    const auto rank = [&](unsigned place, unsigned r) {
      result.values[place] = static_cast<std::uint8_t>(r * 256 / kPlaces);
    };
    Crowd thinning = crowd;
    for (unsigned r = kFirst; r > 0; --r) {
      const unsigned place = thinning.tightestCluster();
      thinning.set(place, false);
      rank(place, r - 1);
    }
    for (unsigned r = kFirst; r < kPlaces; ++r) {
      const unsigned place = crowd.largestVoid();
      crowd.set(place, true);
      rank(place, r);
    }
    return result;
  }();
  return noise;
}

}  // namespace simscope::exporting
