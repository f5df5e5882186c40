#include "app/lab/climb.h"

#include <algorithm>
#include <cmath>

namespace simscope::lab {
namespace {

constexpr double kLeastStep = 4;  // a smaller step is not worth its time
constexpr double kRoom = 1.2;     // of the last time: a larger size takes more
constexpr double kHurried = 3;    // how much longer the smallest size takes with the usual repeats
constexpr int kMostLate = 2;      // larger sizes that may end without a result

}  // namespace

Climb::Climb(const ParameterInfo& knob, double wanted, double share)
    : least_(std::min(knob.minimum, wanted)), wanted_(wanted), share_(share), power_of_two_(knob.power_of_two) {}

void Climb::recordTime(double size, double seconds) {
  used_ += seconds;
  before_ = reached_;
  before_seconds_ = last_seconds_;
  reached_ = size;
  last_seconds_ = seconds;
}

void Climb::recordLate(double size, double seconds) {
  used_ += seconds;
  late_at_ = size;
  ++late_;
}

double Climb::usable(double size) const {
  if (power_of_two_) return std::exp2(std::floor(std::log2(size)));
  const double unit = std::max(1.0, std::pow(10, std::floor(std::log10(size)) - 1));  // two digits
  return std::floor(size / unit) * unit;
}

// As a power of the size, through the last two; no less than the last.
double Climb::expected(double size) const {
  const double before = (before_ == least_ ? kHurried : 1) * before_seconds_;
  const double growth = std::log(std::max(last_seconds_ / before, 1.0)) / std::log(reached_ / before_);
  return last_seconds_ * std::pow(size / reached_, growth);
}

std::optional<double> Climb::next() const {
  if (reached_ == 0) return late_ == 0 ? std::optional(least_) : std::nullopt;
  if (reached_ >= wanted_ || late_ >= kMostLate || left() <= 0) return std::nullopt;
  const bool known = before_ > 0 && before_seconds_ > 0;
  if (late_ == 0 && known && kRoom * expected(wanted_) <= leftForNext()) return wanted_;
  const double between = usable(std::sqrt(reached_ * (late_ > 0 ? late_at_ : wanted_)));
  if (between < kLeastStep * reached_) {
    return late_ == 0 && !known && kRoom * last_seconds_ <= left() ? std::optional(wanted_) : std::nullopt;
  }
  const double least = known ? expected(between) : last_seconds_;
  return kRoom * least <= left() ? std::optional(between) : std::nullopt;
}

}  // namespace simscope::lab
