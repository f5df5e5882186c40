#include "sims/schrodinger2d/formula.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sims/formula/formula.h"

namespace simscope::schrodinger2d {

template <class T>
std::vector<T> formulaPotential(const std::string& text, const Grid& grid) {
  const std::vector<std::string> names = {"x", "y"};
  formula::requireSound(text, names);

  const auto n = static_cast<std::size_t>(grid.points);
  std::vector<T> values(grid.size());
  // Of each row, the first point without a finite value, or n: which one is told does not depend on the threads.
  std::vector<std::size_t> faults(n, n);
  constexpr std::size_t kRows = 8;  // that are worth a reader
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, kRows), [&](const auto& rows) {
    formula::Formula reader(text, names);
    for (std::size_t j = rows.begin(); j < rows.end(); ++j) {
      const double y = grid.x(static_cast<int>(j));
      for (std::size_t i = 0; i < n; ++i) {
        const T value = static_cast<T>(reader.at({grid.x(static_cast<int>(i)), y}));
        values[j * n + i] = value;
        if (!std::isfinite(value)) faults[j] = std::min(faults[j], i);
      }
    }
  });
  for (std::size_t j = 0; j < n; ++j) {
    if (faults[j] == n) continue;
    const double x = grid.x(static_cast<int>(faults[j])), y = grid.x(static_cast<int>(j));
    throw UsageError(
        fmt::format("formula = {}: no finite value at x = {:g}, y = {:g} but {}; expected a number at every "
                    "point of the domain (to soften a pole, write 1/sqrt(x^2 + y^2 + 0.01))",
                    formula::shown(text), x, y, static_cast<double>(values[j * n + faults[j]])));
  }
  return values;
}

template std::vector<float> formulaPotential<float>(const std::string&, const Grid&);
template std::vector<double> formulaPotential<double>(const std::string&, const Grid&);

}  // namespace simscope::schrodinger2d
