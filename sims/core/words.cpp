#include "sims/core/words.h"

#include <fmt/format.h>

#include "sims/core/parameters.h"

namespace simscope {

std::string didYouMean(std::string_view name, std::span<const std::string> names, std::string_view otherwise) {
  const std::string close = closestName(name, names);
  return close.empty() ? std::string(otherwise) : fmt::format("; did you mean '{}'?", close);
}

}  // namespace simscope
