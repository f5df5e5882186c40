// Collects advice on parameters: each problem, and the first change of one parameter that removes it.
//
// P: a parameter struct with a binding() like this folder's. Plain host code, any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sims/core/describe.h"
#include "sims/core/description.h"
#include "sims/core/words.h"

namespace simscope::schrodinger2d {

// The power of two at or above `least`.
std::int64_t powerOfTwoAbove(double least);

template <class P>
class Advisor {
 public:
  Advisor(const P& parameters, const std::vector<ParameterInfo>& infos) : p_(parameters), infos_(infos) {}

  using Doubtful = std::function<bool(const P&)>;

  // One parameter changed.
  struct Change {
    std::string key;
    Value value;
    P result;
  };

  // The change to `value`, if that is valid for the parameter.
  template <class Member, class Owner>
  std::optional<Change> to(const char* key, Member Owner::*member, Member value) const {
    for (const ParameterInfo& info : infos_) {
      if (info.key != key) continue;
      if constexpr (!std::is_same_v<Member, bool>) {
        const auto number = static_cast<double>(value);
        if (!(number >= info.minimum) || !(number <= info.maximum)) return std::nullopt;
      }
    }
    Change change{key, {}, p_};
    if constexpr (std::is_integral_v<Member> && !std::is_same_v<Member, bool>) {
      change.value = static_cast<std::int64_t>(value);
    } else {
      change.value = value;
    }
    change.result.*member = value;
    return change;
  }

  // Adds a finding where `doubtful` holds, with the first of the changes that makes it false; no finding twice.
  void consider(Finding::Level level, const char* code, const Doubtful& doubtful, std::string message,
                const std::vector<std::optional<Change>>& changes) {
    const auto same = [code](const Finding& each) { return each.code == code; };
    if (!doubtful(p_) || std::any_of(findings_.begin(), findings_.end(), same)) return;
    Finding finding{.level = level, .code = code, .message = std::move(message), .key = {}, .value = {}};
    for (const std::optional<Change>& each : changes) {
      if (!each || doubtful(each->result)) continue;
      finding.key = each->key;
      finding.value = toText(each->value);
      break;
    }
    findings_.push_back(std::move(finding));
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  P p_;
  const std::vector<ParameterInfo>& infos_;
  std::vector<Finding> findings_;
};

}  // namespace simscope::schrodinger2d
