#include "app/lab/timekeeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace simscope::lab {
namespace {

constexpr double kShort = 0.6;  // of the time: from here on it runs short
constexpr int kFew = 3;
thread_local Timekeeper* keeping = nullptr;

}  // namespace

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Timekeeper::Timekeeper(const Allowance& allowance, std::function<double()> now)
    : allowance_(allowance), now_(std::move(now)), start_(now_()), outer_(keeping) {
  keeping = this;
}

Timekeeper::~Timekeeper() {
  keeping = outer_;
}

Timekeeper* Timekeeper::current() noexcept {
  return keeping;
}

double Timekeeper::seconds() const {
  return now_() - start_;
}

int Timekeeper::repeats(int usual) {
  ++measured_;
  const double taken = seconds();
  if (taken < kShort * allowance_.suits) return usual;
  ++hurried_;
  return taken < allowance_.suits ? std::min(kFew, usual) : 1;
}

void Timekeeper::require() const {
  if (seconds() < allowance_.most) return;
  throw OutOfTime(
      fmt::format("not measured: stopped after {:.2g} s; run this lesson alone to measure all sizes", allowance_.most));
}

void Timekeeper::note(double value, double share) {
  if (std::isfinite(value) && std::isfinite(share)) known_.push_back({value, share});
}

void Timekeeper::carry(double derived, double from) {
  note(derived, shareOf(from));
}

// Of equal values the one that varies more.
double Timekeeper::shareOf(double value) const {
  double share = std::numeric_limits<double>::quiet_NaN();
  for (const Known& each : known_) {
    if (each.value == value && !(each.share <= share)) share = each.share;
  }
  return share;
}

double Timekeeper::spreadOf(double value) const {
  return std::abs(value) * shareOf(value);
}

double carried(double derived, double from) {
  if (keeping) keeping->carry(derived, from);
  return derived;
}

}  // namespace simscope::lab
