// The generators of the lesson of random numbers, and the tests that detect a bad one.
//
// Thread: uniform() and normal() inside Device::run of the generator's device. Errors: as Device; Error for a library
// that is missing or fails.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::random_numbers {

struct Generator {
  std::string title;  // the device and the generator
  std::string name;   // in the chart
  compute::DevicePtr device;
  // Fill n numbers in the device's memory; n is a multiple of 4. The project's own generators start anew at each call.
  std::function<void(float*to, std::size_t n)> uniform = {}, normal = {};
  std::function<double(std::size_t i)> expected =
      {};  // number i of `uniform` by a plain loop's arithmetic; may be none
};

void addOwn(std::vector<Generator>& all, const Bench& bench);
// cuRAND's generators, if it is available.
void addCurand(std::vector<Generator>& all, const Bench& bench, std::vector<std::string>& notes);

// A test's deviation from the expected value, in standard deviations: above kMostByChance it is not chance (once in 10⁹
// tests).
inline constexpr double kMostByChance = 6;
struct Deviations {
  double bits = 0;       // ones among the first 16 bits of each number
  double cells = 0;      // χ² of 1024 equal intervals
  double triples = 0;    // χ² of 32³ cells, for three successive numbers
  double birthdays = 0;  // equal spacings between days of a year chosen by triples
  double worst() const;
};
// Of at least 3·2¹⁵ uniform numbers.
Deviations deviationsOf(std::span<const float> uniform);
// The worst of mean, variance, and fourth moment of normal numbers.
double normalDeviation(std::span<const float> normal);
// The number of planes, by RANDU's relation, that contain all triples; 0: there are not few.
int planesOf(std::span<const float> uniform);

}  // namespace simscope::lab::random_numbers
