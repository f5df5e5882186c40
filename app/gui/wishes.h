// Changes of parameters that the run was asked for and has not answered yet: which of them a refusal means, and what is
// left to ask for then. The run answers later and in its own time; a change is settled once the run has its value.
//
// Plain data; one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/parameters.h"

namespace simscope::gui {

class Wishes {
 public:
  // Parameters changed together; a refusal takes all of them back. The first is the one that the user meant.
  void ask(std::vector<std::size_t> indices);
  // Forgets those that the run has now; returns the first of each.
  std::vector<std::size_t> settle(const ParameterSet& wanted, const ParameterSet& run);
  // The run refused `wanted`: the parameter that the message names (else the newest change) is set back to the run's
  // value, with those that came with it, and forgotten. Returns it; nothing where nothing was asked for.
  std::optional<std::size_t> takeBack(const std::string& message, ParameterSet& wanted, const ParameterSet& run);
  void clear() { asked_.clear(); }
  bool empty() const noexcept { return asked_.empty(); }

 private:
  std::vector<std::vector<std::size_t>> asked_;  // oldest first
};

// Whether the text holds the word, with neither letter, digit, nor underscore beside it.
bool namesWord(const std::string& text, const std::string& word);

}  // namespace simscope::gui
