// Names of devices for Device::open. Private to the compute layer.
#pragma once

#include <string_view>

namespace simscope::compute {

inline constexpr std::string_view kAllCuda = "cuda:all";

// UsageError, with the choices and the nearest of them.
[[noreturn]] void throwBadSpec(std::string_view spec);

}  // namespace simscope::compute
