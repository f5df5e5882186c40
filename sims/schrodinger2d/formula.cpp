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
std::vector<T> formulaPotential(const std::string& text, const Grid& grid, const compute::Slab& slab,
                                const compute::Device* device) {
  const std::vector<std::string> names = {"x", "y"};
  formula::requireSound(text, names);

  const auto n = static_cast<std::size_t>(grid.points), count = static_cast<std::size_t>(slab.count);
  std::vector<T> values(count * n);
  // Of each row, the first point without a finite value, or n: which one is told does not depend on the threads.
  std::vector<std::size_t> faults(count, n);
  constexpr std::size_t kRows = 8;  // that are worth a reader
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kRows), [&](const auto& rows) {
    formula::Formula reader(text, names);
    for (std::size_t j = rows.begin(); j < rows.end(); ++j) {
      const double y = grid.x(slab.first + static_cast<int>(j));
      for (std::size_t i = 0; i < n; ++i) {
        const T value = static_cast<T>(reader.at({grid.x(static_cast<int>(i)), y}));
        values[j * n + i] = value;
        if (!std::isfinite(value)) faults[j] = std::min(faults[j], i);
      }
    }
  });
  // All ranks refuse what one of them cannot take, with the first of its points.
  struct Fault {
    bool there;
    double x, y, value;
  } fault{};
  for (std::size_t j = 0; j < count && !fault.there; ++j) {
    if (faults[j] == n) continue;
    fault = {true, grid.x(static_cast<int>(faults[j])), grid.x(slab.first + static_cast<int>(j)),
             static_cast<double>(values[j * n + faults[j]])};
  }
  for (const Fault& each : device ? compute::fromAll(*device, fault) : std::vector<Fault>{fault}) {
    if (!each.there) continue;
    throw UsageError(
        fmt::format("formula = {}: the value at x = {:g}, y = {:g} is {}; expected a finite number at every point of "
                    "the domain (to soften a pole, write 1/sqrt(x^2 + y^2 + 0.01))",
                    formula::shown(text), each.x, each.y, each.value));
  }
  return values;
}

template std::vector<float> formulaPotential<float>(const std::string&, const Grid&, const compute::Slab&,
                                                    const compute::Device*);
template std::vector<double> formulaPotential<double>(const std::string&, const Grid&, const compute::Slab&,
                                                      const compute::Device*);

}  // namespace simscope::schrodinger2d
