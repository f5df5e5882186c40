// Bounds of a typed formula over a box, by interval arithmetic, and whether it may jump there: whether a comparison, a
// condition, or a rounding within it has more than one outcome in the box. What has one outcome has no jump, so a
// search by halving finds all of them, however narrow.
//
// A Bounds is never changed; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sims/formula/interval.h"
#include "sims/formula/reader.h"

namespace simscope::formula {

class Bounds {
 public:
  // text: as it is typed. Precondition: it is a sound formula of these variables.
  Bounds(const std::string& text, const std::vector<std::string>& names);

  // Without comparisons and the like there are no jumps. False, too, where the formula is nested too deep to be read.
  bool hasSteps() const { return steps_; }
  // One interval a variable; `may_jump` is set where f may jump, and else left as it is.
  Interval over(std::span<const Interval> box, bool& may_jump) const;
  bool mayJump(std::span<const Interval> box) const {
    bool may = false;
    over(box, may);
    return may;
  }

 private:
  Interval of(std::size_t node, std::span<const Interval> box, bool& may_jump) const;

  Tree tree_;
  bool steps_ = false;
};

}  // namespace simscope::formula
