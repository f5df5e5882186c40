#include "sims/histograms/higgs.h"

#include <algorithm>
#include <cmath>

namespace simscope::histograms {
namespace {

// Where a running sum over equal cells from `low` to `high` reaches each of `count` + 1 equal shares of its end.
void addQuantiles(std::vector<float>& to, const std::vector<double>& sums, double low, double high, int count) {
  const double total = sums.back(), cell = (high - low) / static_cast<double>(sums.size());
  std::size_t i = 0;
  for (int k = 0; k <= count; ++k) {
    const double wanted = total * k / count;
    while (i + 1 < sums.size() && sums[i] < wanted) ++i;
    const double before = i > 0 ? sums[i - 1] : 0, here = sums[i] - before;
    const double share = here > 0 ? std::clamp((wanted - before) / here, 0.0, 1.0) : 0;
    to.push_back(static_cast<float>(low + cell * (static_cast<double>(i) + share)));
  }
}

}  // namespace

std::vector<float> higgsTable(double higgs_mass, double mass, double width) {
  constexpr int kHeavy = 512, kLight = 1024;  // cells of the integrals
  const double h2 = higgs_mass * higgs_mass;
  const auto angle = [&](double m) { return std::atan((m * m - mass * mass) / (mass * width)); };
  const auto massAt = [&](double a) { return std::sqrt(mass * mass + mass * width * std::tan(a)); };
  const auto coupling = [&](double a, double b) {
    const double x = a * a / h2, y = b * b / h2, square = (1 - x - y) * (1 - x - y) - 4 * x * y;
    return square > 0 ? std::sqrt(square) * (square + 12 * x * y) : 0;
  };
  // Over the lighter mass at a given heavier one, in cells of equal mass; Breit and Wigner's share of each is exact.
  const auto sumsAt = [&](double heavy, double& high) {
    high = std::max(std::min(heavy, higgs_mass - heavy), 1.001 * kLightest);
    std::vector<double> sums(kLight);
    double sum = 0;
    for (int i = 0; i < kLight; ++i) {
      const double from = kLightest + (high - kLightest) * i / kLight, to = from + (high - kLightest) / kLight;
      sum += (angle(to) - angle(from)) * coupling(heavy, 0.5 * (from + to));
      sums[static_cast<std::size_t>(i)] = sum;
    }
    return sums;
  };
  // The heavier one in cells of equal angle, in which Breit and Wigner's resonance is even.
  const double low = angle(kLightest), high = angle(higgs_mass - kLightest);
  std::vector<double> sums(kHeavy);
  double sum = 0, unused = 0;
  for (int i = 0; i < kHeavy; ++i) {
    sum += sumsAt(massAt(low + (high - low) * (i + 0.5) / kHeavy), unused).back();
    sums[static_cast<std::size_t>(i)] = sum;
  }
  std::vector<float> angles, table;
  addQuantiles(angles, sums, low, high, HiggsTable::kHeavier);
  for (const float a : angles) table.push_back(static_cast<float>(massAt(static_cast<double>(a))));
  for (int row = 0; row < HiggsTable::kRows; ++row) {
    const auto middle = static_cast<std::size_t>((row + 0.5) * HiggsTable::kHeavier / HiggsTable::kRows);
    double most = 0;
    const std::vector<double> lighter = sumsAt(static_cast<double>(table[middle]), most);
    addQuantiles(table, lighter, kLightest, most, HiggsTable::kLighter);
  }
  return table;
}

}  // namespace simscope::histograms
