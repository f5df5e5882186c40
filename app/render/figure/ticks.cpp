#include "app/render/figure/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace simscope::render {
namespace {

constexpr const char* kMinus = "−";

std::string withTrueMinus(std::string text) {
  if (!text.empty() && text.front() == '-') {
    if (text.find_first_of("123456789") == std::string::npos) return text.substr(1);
    return kMinus + text.substr(1);
  }
  return text;
}

// mantissa·10^exponent, rounded once: dividing by an exact power of ten beats multiplying by an inexact one.
double scaled(double mantissa, int exponent) {
  return exponent < 0 ? mantissa / std::pow(10.0, -exponent) : mantissa * std::pow(10.0, exponent);
}

struct RoundStep {
  int mantissa = 1;  // 1, 2, or 5
  int exponent = 0;
  double value() const { return scaled(mantissa, exponent); }
  RoundStep next() const {
    if (mantissa == 1) return {2, exponent};
    if (mantissa == 2) return {5, exponent};
    return {1, exponent + 1};
  }
};

int decimalsFor(double step) {
  if (!(step > 0) || !std::isfinite(step)) return 0;
  return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 15);
}

}  // namespace

std::string powerOfTen(int exponent) {
  static constexpr std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string tickLabel(double value, double step) {
  return withTrueMinus(fmt::format("{:.{}f}", value, decimalsFor(step)));
}

std::string numberText(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (exponent >= -4 && exponent < 6) {
    return withTrueMinus(fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent)));
  }
  const std::string scientific = fmt::format("{:.{}e}", value, std::max(0, digits - 1));
  const std::size_t e = scientific.find('e');
  return withTrueMinus(scientific.substr(0, e)) + "×" + powerOfTen(std::atoi(scientific.c_str() + e + 1));
}

// Source: the BIPM's SI brochure, ninth edition, tables 2 to 4 and 7.
bool takesPrefix(const std::string& unit) {
  static constexpr std::array<std::string_view, 16> kUnits = {"m",  "s",  "A", "K", "N", "J", "W",   "Pa",
                                                              "Hz", "eV", "V", "C", "T", "g", "rad", "mol"};
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

std::string scaledUnit(const std::string& unit, int exponent) {
  static constexpr std::array<const char*, 17> kPrefixes = {"y", "z", "a", "f", "p", "n", "µ", "m", "",
                                                            "k", "M", "G", "T", "P", "E", "Z", "Y"};
  if (exponent == 0) return unit;
  if (takesPrefix(unit) && exponent % 3 == 0 && std::abs(exponent) <= 24) {
    return kPrefixes[static_cast<std::size_t>(exponent / 3 + 8)] + unit;
  }
  return unit.empty() ? powerOfTen(exponent) : powerOfTen(exponent) + " " + unit;
}

std::string countText(std::int64_t count) {
  const std::string digits = std::to_string(std::abs(count));
  std::string text = count < 0 ? kMinus : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

AxisTicks namedTicks(const std::vector<std::string>& names, double low, double high) {
  AxisTicks ticks;
  ticks.step = 1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double place = static_cast<double>(i) + 0.5;
    if (place < low || place > high) continue;
    ticks.major.push_back(place);
    ticks.labels.push_back(names[i]);
  }
  return ticks;
}

std::string clockText(const ClockInfo& clock, double time, double time_step) {
  return clockText(clock, time, timeText(time, time_step));
}

std::string clockText(const ClockInfo& clock, double time, const std::string& number) {
  if (clock.symbol.empty()) return clock.unit;
  const bool whole = clock.counts && std::abs(time) < 1e15;
  return clock.symbol + " = " + (whole ? countText(std::llround(time)) : number) +
         (clock.unit.empty() ? "" : " " + clock.unit);
}

std::string timeText(double time, double time_step) {
  int decimals = 2;
  if (time_step > 0 && std::isfinite(time_step)) {
    decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(time_step) - 1e-9)), 2, 6);
  }
  if (!(std::abs(time) < 1e9)) return numberText(time, 6);
  return withTrueMinus(fmt::format("{:.{}f}", time, decimals));
}

AxisTicks axisTicks(double low, double high, int most) {
  AxisTicks ticks;
  if (!(high > low) || !std::isfinite(high - low)) return ticks;
  const double magnitude = std::max(std::abs(low), std::abs(high));
  // Below this, neighbouring ticks would be the same double.
  if (!((high - low) > 1e-13 * magnitude) || magnitude < 1e-290) return ticks;

  // Ticks that the range's end misses by rounding alone belong to it.
  const double slack = 1e-9 * (high - low);
  RoundStep step{1, static_cast<int>(std::floor(std::log10((high - low) / std::max(1, most)))) - 1};
  double first = 0, last = 0;
  for (;; step = step.next()) {
    first = std::ceil((low - slack) / step.value());
    last = std::floor((high + slack) / step.value());
    if (last - first + 1 <= std::max(1, most)) break;
  }
  ticks.step = step.value();

  const int decade = static_cast<int>(std::floor(std::log10(magnitude)));
  if (decade >= 5 || decade <= -4) ticks.exponent = 3 * static_cast<int>(std::floor(decade / 3.0));
  const double label_step = scaled(step.mantissa, step.exponent - ticks.exponent);
  for (double k = first; k <= last; ++k) {
    ticks.major.push_back(scaled(k * step.mantissa, step.exponent));
    ticks.labels.push_back(tickLabel(scaled(k * step.mantissa, step.exponent - ticks.exponent), label_step));
  }

  const int parts = step.mantissa == 2 ? 4 : 5;
  const double minor_step = ticks.step / parts;
  const double minor_first = std::ceil((low - slack) / minor_step),
               minor_last = std::floor((high + slack) / minor_step);
  for (double k = minor_first; k <= minor_last; ++k) {
    if (std::fmod(k, parts) != 0) ticks.minor.push_back(k * minor_step);
  }
  return ticks;
}

AxisTicks decadeTicks(double low, double high, int most) {
  constexpr double kFarthest = 290;  // powers of ten that doubles hold
  if (!(high > low) || low < -kFarthest || high > kFarthest) return axisTicks(low, high, most);
  most = std::max(most, 2);
  const double slack = 1e-9 * (high - low);
  const auto within = [&](double place) { return place >= low - slack && place <= high + slack; };
  const auto powerLabel = [](int k) { return k == 0 ? "1" : k == 1 ? "10" : powerOfTen(k); };
  AxisTicks ticks;
  const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::ceil(high));

  const int decades = static_cast<int>(std::floor(high + slack) - std::ceil(low - slack)) + 1;
  if (decades >= 3) {
    const int hop = (decades + most - 1) / most;
    ticks.step = hop;
    for (int k = first; k <= last; ++k) {
      const bool major = (k % hop + hop) % hop == 0;
      if (within(k) && major) {
        ticks.major.push_back(k);
        ticks.labels.push_back(powerLabel(k));
      } else if (within(k)) {
        ticks.minor.push_back(k);
      }
      for (int m = 2; m <= 9 && hop == 1; ++m) {
        if (const double place = k + std::log10(m); within(place)) ticks.minor.push_back(place);
      }
    }
    return ticks;
  }
  // The most of them that have room.
  struct Multiples {
    std::array<bool, 10> labelled;
    double step;  // the shortest way between two
  };
  constexpr Multiples kFewDecades[] = {{{0, 1, 1, 0, 0, 1}, 0.3}, {{0, 1, 0, 1}, 0.47}, {{0, 1}, 1}};
  for (const Multiples& each : kFewDecades) {
    ticks = {};
    ticks.step = each.step;
    for (int k = first; k <= last; ++k) {
      for (int m = 1; m <= 9; ++m) {
        const double place = k + std::log10(m);
        if (!within(place)) continue;
        if (each.labelled[static_cast<std::size_t>(m)]) {
          ticks.major.push_back(place);
          ticks.labels.push_back(each.labelled[3] || each.labelled[5] ? numberText(scaled(m, k), 1) : powerLabel(k));
        } else {
          ticks.minor.push_back(place);
        }
      }
    }
    if (ticks.major.size() >= 2 && ticks.major.size() <= static_cast<std::size_t>(most)) return ticks;
  }

  AxisTicks round = axisTicks(std::pow(10, low), std::pow(10, high), most);
  ticks = {};
  for (std::size_t i = 0; i < round.major.size(); ++i) {
    if (!(round.major[i] > 0)) continue;
    ticks.major.push_back(std::log10(round.major[i]));
    ticks.labels.push_back(round.labels[i]);
  }
  for (const double value : round.minor) {
    if (value > 0) ticks.minor.push_back(std::log10(value));
  }
  ticks.step = round.step;
  ticks.exponent = round.exponent;
  return ticks;
}

}  // namespace simscope::render
