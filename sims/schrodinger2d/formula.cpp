#include "sims/schrodinger2d/formula.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>

#include "sims/formula/cell_mean.h"
#include "sims/formula/formula.h"

namespace simscope::schrodinger2d {

template <class T>
std::vector<T> formulaPotential(const std::string& text, const Grid& grid, const compute::Slab& slab,
                                const compute::Device* device, TableNotes* notes) {
  const std::vector<std::string> names = {"x", "y"};
  formula::requireSound(text, names);

  const auto n = static_cast<std::size_t>(grid.points), count = static_cast<std::size_t>(slab.count);
  std::vector<double> places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = grid.x(static_cast<int>(i));
  std::vector<T> values(count * n);
  // Of each row, the first point without a finite value, or n: which one is told does not depend on the threads.
  std::vector<std::size_t> faults(count, n);
  std::atomic<bool> jumps{false}, lost{false};
  const formula::Bounds bounds(text, names);
  const formula::Suspects suspects(bounds, places, places);
  constexpr std::size_t kRows = 32;  // that are worth a reader, and the rows beside them that means need
  const std::size_t blocks = (count + kRows - 1) / kRows;
  std::vector<double> thin(blocks + 1);
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
    formula::Formula reader(text, names);
    const std::size_t first = block * kRows, rows = std::min(kRows, count - first);
    const formula::CellMeans means = formula::cellMeans(
        [&reader](double x, double y) {
          return reader.at({x, y});
        },
        places, places, static_cast<std::size_t>(slab.first) + first, rows, &suspects);
    if (!means.jumps.empty()) jumps = true;
    if (means.unresolved > 0) lost = true;
    thin[block] = means.thin_share;
    for (std::size_t i = 0; i < rows * n; ++i) {
      const T value = static_cast<T>(means.values[i]);
      values[first * n + i] = value;
      std::size_t& fault = faults[first + i / n];
      if (!std::isfinite(value)) fault = std::min(fault, i % n);
    }
  });
  if (notes) {
    const auto anywhere = [device](bool here) { return device ? !compute::trueOnAll(*device, !here) : here; };
    notes->jumps = anywhere(jumps);
    if (anywhere(lost)) notes->narrowest = grid.dx;
    double share = *std::max_element(thin.begin(), thin.end());
    if (device) {
      for (const double each : compute::fromAll(*device, share)) share = std::max(share, each);
    }
    if (share > 0) notes->narrowest = std::min(notes->narrowest, share * grid.dx);
  }
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
                                                    const compute::Device*, TableNotes*);
template std::vector<double> formulaPotential<double>(const std::string&, const Grid&, const compute::Slab&,
                                                      const compute::Device*, TableNotes*);

}  // namespace simscope::schrodinger2d
