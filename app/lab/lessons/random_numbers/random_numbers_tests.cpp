#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "app/lab/lessons/random_numbers/random_numbers.h"

namespace simscope::lab::random_numbers {
namespace {

constexpr std::size_t kParts = 1024, kSide = 32;
constexpr std::size_t kBirthdays = 1024;
constexpr int kDayBits = 9;  // of each number of a triple: 2²⁷ days

std::uint32_t partOf(float u, std::uint32_t parts) {
  return std::min(static_cast<std::uint32_t>(static_cast<double>(u) * parts), parts - 1);  // cuRAND draws 1, too
}

// χ² of counts that should be equal, less its mean, over its standard deviation.
double chiSquared(const std::vector<std::uint32_t>& counts, std::size_t n) {
  const double expected = static_cast<double>(n) / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::uint32_t each : counts) sum += (each - expected) * (each - expected) / expected;
  const double freedom = static_cast<double>(counts.size() - 1);
  return (sum - freedom) / std::sqrt(2 * freedom);
}

double ofBits(std::span<const float> u) {
  constexpr int kBits = 16;
  std::int64_t ones = 0;
  for (const float each : u) {
    for (std::uint32_t word = partOf(each, 1u << kBits); word != 0; word &= word - 1) ++ones;
  }
  const double n = static_cast<double>(u.size()) * kBits;
  return (2 * static_cast<double>(ones) - n) / std::sqrt(n);
}

double ofCells(std::span<const float> u) {
  std::vector<std::uint32_t> counts(kParts);
  for (const float each : u) ++counts[partOf(each, kParts)];
  return chiSquared(counts, u.size());
}

double ofTriples(std::span<const float> u) {
  std::vector<std::uint32_t> counts(kSide * kSide * kSide);
  for (std::size_t i = 0; i + 3 <= u.size(); i += 3) {
    ++counts[(partOf(u[i], kSide) * kSide + partOf(u[i + 1], kSide)) * kSide + partOf(u[i + 2], kSide)];
  }
  return chiSquared(counts, u.size() / 3);
}

// G. Marsaglia's birthday spacings: among m days of n, about m³/4n distances are equal to another one (Poisson).
double ofBirthdays(std::span<const float> u) {
  constexpr std::uint32_t kOfEach = 1u << kDayBits;
  std::vector<std::uint32_t> days(kBirthdays);
  double equal = 0, expected = 0;
  for (std::size_t from = 0; from + 3 * kBirthdays <= u.size(); from += 3 * kBirthdays) {
    for (std::size_t i = 0; i < kBirthdays; ++i) {
      const float* const triple = u.data() + from + 3 * i;
      days[i] = (partOf(triple[0], kOfEach) << 2 * kDayBits) + (partOf(triple[1], kOfEach) << kDayBits) +
                partOf(triple[2], kOfEach);
    }
    std::sort(days.begin(), days.end());
    for (std::size_t i = kBirthdays - 1; i > 0; --i) days[i] -= days[i - 1];
    std::sort(days.begin(), days.end());
    for (std::size_t i = 1; i < kBirthdays; ++i) equal += days[i] == days[i - 1] ? 1 : 0;
    expected += std::pow(static_cast<double>(kBirthdays), 3) / (4.0 * (1u << (3 * kDayBits)));
  }
  return (equal - expected) / std::sqrt(expected);
}

}  // namespace

double Deviations::worst() const {
  return std::max({std::abs(bits), std::abs(cells), std::abs(triples), std::abs(birthdays)});
}

Deviations deviationsOf(std::span<const float> uniform) {
  return {ofBits(uniform), ofCells(uniform), ofTriples(uniform), ofBirthdays(uniform)};
}

double normalDeviation(std::span<const float> normal) {
  double sum = 0, squares = 0, fourth = 0;
  for (const float each : normal) {
    const double z = each, square = z * z;
    sum += z;
    squares += square;
    fourth += square * square;
  }
  // Variances of z, z², and z⁴: 1, 2, and 105 - 9.
  const double n = static_cast<double>(normal.size()), root = std::sqrt(n);
  return std::max({std::abs(sum / root), std::abs((squares - n) / (root * std::sqrt(2.0))),
                   std::abs((fourth - 3 * n) / (root * std::sqrt(96.0)))});
}

int planesOf(std::span<const float> uniform) {
  constexpr double kNear = 1e-4;  // numbers of 23 bits, by up to 9
  std::set<long> planes;
  for (std::size_t i = 0; i + 3 <= uniform.size(); i += 3) {
    const double place = 9.0 * static_cast<double>(uniform[i]) - 6.0 * static_cast<double>(uniform[i + 1]) +
                         static_cast<double>(uniform[i + 2]);
    const long plane = std::lround(place);
    if (std::abs(place - static_cast<double>(plane)) > kNear) return 0;
    planes.insert(plane);
  }
  return static_cast<int>(planes.size());
}

}  // namespace simscope::lab::random_numbers
