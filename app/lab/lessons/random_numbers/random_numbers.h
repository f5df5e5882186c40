// The generators of the lesson of random numbers, and the tests that find a bad one.
//
// Thread: uniform() and normal() inside Device::run of the generator's device. Errors: as Device; Error for a library
// that is missing or refuses.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab::random_numbers {

struct Generator {
  std::string title;  // where it runs, and what it is
  std::string name;   // in the chart
  compute::DevicePtr device;
  // Fill n numbers in the device's memory; n is a multiple of 4. Each call of the house's own begins anew.
  std::function<void(float*to, std::size_t n)> uniform = {}, normal = {};
  std::function<double(std::size_t i)> expected =
      {};  // number i of `uniform` by a plain loop's arithmetic; may be none
};

void addOwn(std::vector<Generator>& all, const Bench& bench);
// cuRAND's, where it answers.
void addCurand(std::vector<Generator>& all, const Bench& bench, std::vector<std::string>& notes);

// How far a test's result is from what chance gives, in its standard deviations: beyond kMostByChance it is no chance
// (once in 10⁹ tests).
inline constexpr double kMostByChance = 6;
struct Deviations {
  double bits = 0;       // ones among the first 16 bits of each number
  double cells = 0;      // χ² of 1024 equal parts
  double triples = 0;    // χ² of 32³ cells, for three numbers after each other
  double birthdays = 0;  // equal distances between days of a year that triples choose
  double worst() const;
};
// Of at least 3·2¹⁵ uniform numbers.
Deviations deviationsOf(std::span<const float> uniform);
// The worst of mean, variance, and fourth moment of normal numbers.
double normalDeviation(std::span<const float> normal);
// On how many planes all triples lie that RANDU's rule would put there; 0: on no few.
int planesOf(std::span<const float> uniform);

}  // namespace simscope::lab::random_numbers
