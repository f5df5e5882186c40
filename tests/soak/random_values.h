// Values for parameters as nobody would choose them: near the preset's, at the ends of their range, and beyond.
// Plain host data; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope::soak {

// Numbers that are the same with every compiler and library: std::uniform_int_distribution's are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(engine_() % n); }
  int from(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1)); }
  double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // [0, 1)
  bool chance(double p) { return share() < p; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937_64 engine_;
};

// In range, and no run that takes minutes a step or much memory: whole numbers stay near those of `usual`.
Value valueWithin(const ParameterInfo& info, const Value& usual, Random& random);
// Outside its range, or of another kind: never to be taken. Texts can be anything and have none.
Value valueBeyond(const ParameterInfo& info, Random& random);
// What people type into fields, right and wrong.
std::string typed(Random& random);
// A run of these parameters is small enough for a test.
bool small(const Description& description, const ParameterSet& parameters);

}  // namespace simscope::soak
