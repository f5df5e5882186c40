#include "app/session/readings/truth.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/session/readings/plot_model.h"
#include "app/session/readings/plot_sources.h"

namespace simscope {

std::vector<Truth> truthsOf(const Description& description, const ParameterSet& parameters,
                            const std::vector<double>& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kAlike = 0.5;  // a relative error
  std::vector<Truth> truths;
  for (std::size_t i = 0; i < description.diagnostics.size() && i < values.size(); ++i) {
    const DiagnosticInfo& info = description.diagnostics[i];
    if (!info.exact_of.empty() || !info.relevant.holds(parameters)) continue;
    Truth truth{.diagnostic = i, .value = values[i], .exact_value = kNone, .error = kNone};
    if (info.bound > 0 && std::isfinite(values[i])) {
      truth.share = std::abs(values[i]) / info.bound;
      truth.verdict = truth.share <= 1 ? Verdict::Kept : Verdict::Exceeded;
    }
    const auto exact = exactPartner(description, i);
    if (exact && *exact < values.size() && description.diagnostics[*exact].relevant.holds(parameters)) {
      truth.exact = exact;
      truth.exact_value = values[*exact];
      truth.error = relativeError(values[i], values[*exact]);
      truth.tolerance = description.diagnostics[*exact].tolerance;
      // An exact value below the tolerance would be met by nothing at all.
      if (truth.exact_value != 0 && std::isfinite(truth.exact_value)) {
        truth.tolerance = std::min(truth.tolerance, kAlike * std::abs(truth.exact_value));
      }
      const double apart = std::abs(values[i] - values[*exact]);
      if (truth.tolerance > 0 && std::isfinite(apart) && truth.verdict == Verdict::None) {
        truth.verdict = apart <= truth.tolerance ? Verdict::Kept : Verdict::Apart;
      }
    }
    truths.push_back(truth);
  }
  return truths;
}

}  // namespace simscope
