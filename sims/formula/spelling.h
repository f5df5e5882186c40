// Typed formulas as people write them, in the spelling of the readers: x**2, x², 2x, π·x, −x, "and", if(c, a, b). What
// has one meaning is translated; what has several, or none here, is a fault with what to write instead.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::formula {

struct Spelled {
  std::string text;  // in ASCII
  std::vector<std::size_t>
      from;                  // for each byte of `text`, and for its end: the byte of the typed text that it stands for
  std::size_t fault_at = 0;  // byte of the typed text
  std::string fault = {};    // for a message; empty where there is none
};

// The readers find all faults but those of the spelling.
Spelled spelled(std::string_view typed);

}  // namespace simscope::formula
