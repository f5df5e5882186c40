// Collects advice on parameters: each problem, and the first change of one parameter that removes it. Plain host code,
// any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sims/core/description.h"
#include "sims/core/words.h"
#include "sims/tunneling/parameters.h"

namespace simscope::tunneling {

// Rounded to a larger or to a smaller value.
inline double roundedAway(double value, bool up) {
  if (value < 0.0) return -roundedAway(-value, !up);
  return up ? roundedUp(value) : roundedDown(value);
}

// A change of one parameter, if the value is valid for it.
struct Change {
  std::string key;
  Value value;
  Parameters result;
};

class Advisor {
 public:
  explicit Advisor(const Parameters& p) : p_(p) {}

  using Doubtful = std::function<bool(const Parameters&)>;

  // Adds a finding where `doubtful` holds, with the first of the changes that makes it false; no finding twice.
  void consider(Finding::Level level, const char* code, const Doubtful& doubtful, const std::string& message,
                const std::vector<std::optional<Change>>& changes) {
    if (!doubtful(p_) || said(code)) return;
    Finding finding{.level = level, .code = code, .message = message, .key = {}, .value = {}};
    for (const std::optional<Change>& each : changes) {
      if (!each || doubtful(each->result)) continue;
      finding.key = each->key;
      finding.value = toText(each->value);
      break;
    }
    findings_.push_back(std::move(finding));
  }

  std::optional<Change> to(const char* key, double Parameters::*member, double value) const {
    return changed(key, member, value, Value(value));
  }
  std::optional<Change> to(const char* key, bool Parameters::*member, bool value) const {
    return changed(key, member, value, Value(value));
  }
  // The power of two at or above `least` (or at or below it).
  std::optional<Change> toPoints(double bound, bool up) const {
    std::int64_t points = 1;
    while (points < (std::int64_t{1} << 40) && (up ? points < bound : 2.0 * points <= bound)) points *= 2;
    if (points > 1 << 30) return std::nullopt;
    return changed("grid_points", &Parameters::grid_points, static_cast<int>(points), Value(points));
  }

  std::optional<Change> toDoublePrecision() const {
    return changed("precision", &Parameters::precision, Precision::Float64, Value(std::string("double")));
  }

  bool silent() const { return findings_.empty(); }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  bool said(const std::string& code) const {
    return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& each) { return each.code == code; });
  }
  template <class Member>
  std::optional<Change> changed(const char* key, Member Parameters::*member, Member number, const Value& value) const {
    for (const ParameterInfo& info : *binding().infos()) {
      if (info.key != key) continue;
      if constexpr (std::is_arithmetic_v<Member> && !std::is_same_v<Member, bool>) {
        const auto v = static_cast<double>(number);
        if (!(v >= info.minimum) || !(v <= info.maximum)) return std::nullopt;
      }
    }
    Change change{key, value, p_};
    change.result.*member = number;
    return change;
  }

  Parameters p_;
  std::vector<Finding> findings_;
};

}  // namespace simscope::tunneling
