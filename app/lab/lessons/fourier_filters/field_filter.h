// Filters a simulation's field frame by frame while it runs: shows the field, the filtered field, and its waves, in a
// figure of three panels. All data stays on the device of the frame; the run's frame is only read.
//
// Owner: the FieldFilter owns its own device (another stream of the same GPU, or threads of the CPU), its plan, and its
// frame. Thread: one, the reader of the run's frames. Errors: UsageError for a filter or a field that cannot be used,
// after which the last picture stays; OutOfMemory, Error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope::lab::fourier_filters {

inline constexpr std::size_t kMostCells = std::size_t{1} << 22;  // of a filter: its formula is evaluated at each

// A formula of k, kx, ky (cycles a cell), and c.
struct FilterFormula {
  std::string formula;
  double c = 0.05;
  bool operator==(const FilterFormula&) const = default;
};
// From the lesson's parameters; and whether they choose the running simulation's field.
FilterFormula filterFormulaOf(const ParameterSet& parameters);
bool filtersField(const ParameterSet& parameters);

// The filter's factor for each wave, in the transform's order. UsageError if a factor is not a usable number.
std::vector<float> factorsOf(const FilterFormula& filter, int width, int height);

// The field shown by a figure of this view: the view itself, or the first of its panels that is a field. Null: none.
const View* shownField(const Description& description, const std::string& view);

class FieldFilter {
 public:
  explicit FieldFilter(int threads = 0);
  ~FieldFilter();
  FieldFilter(const FieldFilter&) = delete;
  FieldFilter& operator=(const FieldFilter&) = delete;

  // Filters the field that `view` shows of the frame. False: this was done already, and nothing is computed. Returns
  // only after the device has read the frame.
  bool follow(const Description& of, const View& view, const Frame& frame, const FilterFormula& filter);

  // The description for render::Figure; valid after the first follow().
  const Description& description() const noexcept;
  const Frame& frame() const noexcept;
  std::uint64_t transforms() const noexcept;  // filtered frames
  const compute::DevicePtr& device() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

inline constexpr const char *kOriginal = "original", *kFiltered = "filtered", *kSpectrum = "spectrum";

}  // namespace simscope::lab::fourier_filters
