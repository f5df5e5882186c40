#include "app/lab/climb.h"

#include <algorithm>
#include <cmath>

namespace simscope::lab {
namespace {

constexpr double kLeastStep = 4;  // a smaller one tells nothing new for the time that it takes
constexpr double kRoom = 1.2;     // of the last time: a larger size takes more
constexpr int kMostLate = 2;      // larger sizes that are begun and not ended

}  // namespace

Climb::Climb(const ParameterInfo& knob, double wanted, double share)
    : least_(std::min(knob.minimum, wanted)), wanted_(wanted), share_(share), power_of_two_(knob.power_of_two) {}

void Climb::took(double size, double seconds) {
  used_ += seconds;
  reached_ = size;
  last_seconds_ = seconds;
}

void Climb::wasLate(double size, double seconds) {
  used_ += seconds;
  late_at_ = size;
  ++late_;
}

double Climb::usable(double size) const {
  if (power_of_two_) return std::exp2(std::floor(std::log2(size)));
  const double unit = std::max(1.0, std::pow(10, std::floor(std::log10(size)) - 1));  // two digits
  return std::floor(size / unit) * unit;
}

std::optional<double> Climb::next() const {
  if (reached_ == 0) return late_ == 0 ? std::optional(least_) : std::nullopt;
  if (reached_ >= wanted_ || late_ >= kMostLate || left() < kRoom * last_seconds_) return std::nullopt;
  if (late_ == 0) return wanted_;
  const double between = usable(std::sqrt(reached_ * late_at_));
  return between >= kLeastStep * reached_ ? std::optional(between) : std::nullopt;
}

}  // namespace simscope::lab
