// Names of several devices that make runs together: "cuda:0+1", "cuda:all", "cpu+cpu" (Device::open).
#pragma once

#include <string>
#include <string_view>

namespace simscope::compute {

// Of several the first; any other name as it is. For what one device makes beside such runs. Pure.
std::string firstOfSeveral(std::string_view spec);

}  // namespace simscope::compute
