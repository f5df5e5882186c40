// Which parameters a panel lists: those that a search finds, and those that differ from a preset. Plain functions; any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sims/core/description.h"
#include "sims/core/timeline/timeline.h"

namespace simscope {

// Whether every word occurs in the parameter's title, key, unit, help, group, or the titles of its choices. Upper and
// lower case are equivalent, and so are blank and underscore.
bool isFound(const ParameterSet& parameters, std::size_t index, std::string_view words);

// The preset's values; the defaults if `key` is empty.
ParameterSet valuesOf(const Description& description, const std::string& key);
// Indices of the parameters that differ from `reference`. Those with keyframes have no single value and are left out.
std::vector<std::size_t> differing(const ParameterSet& parameters, const ParameterSet& reference,
                                   const Timeline& timeline);

// The groups, in the order of their first parameter.
std::vector<std::string> groupsOf(std::span<const ParameterInfo> infos);

}  // namespace simscope
