// Numbers with the counted noun, for texts that people read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simscope {

// "1 frame", "0 frames", "12 frames"; `many` where it is not `one` with an s: "3 boxes".
inline std::string counted(std::int64_t count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + " ";
  if (count == 1 || many.empty()) text += one;
  if (count != 1) text += many.empty() ? std::string_view("s") : many;
  return text;
}

}  // namespace simscope
