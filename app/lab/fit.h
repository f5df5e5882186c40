// Quantities that lessons compute from their measurements. Plain functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace simscope::lab {

// Whole numbers from `low` to `high`, about `per_decade` per decade, in about equal factors, each once, ascending;
// rounded to even ones above 16.
std::vector<double> sizesBetween(double low, double high, int per_decade);

// t = latency + bytes / bandwidth, fitted to measured times by least squares of the relative errors.
struct TransferLaw {
  double latency = 0;    // seconds
  double bandwidth = 0;  // bytes a second
};
TransferLaw transferLaw(std::span<const double> bytes, std::span<const double> seconds);

// The x beyond which `a` stays below `b` (a is faster), for ascending `x`, interpolated in logarithms. nullopt: never;
// the first x if always.
std::optional<double> crossing(std::span<const double> x, std::span<const double> a, std::span<const double> b);

// Amdahl's law fitted to measured speed-ups: the serial fraction of the work, by least squares of the times; between 0
// and 1. At least one count must differ from 1.
double serialShare(std::span<const double> threads, std::span<const double> faster);

// A size as text: "4,500" below ten thousand, "2.7·10⁵" above.
std::string sizeText(double value);

}  // namespace simscope::lab
