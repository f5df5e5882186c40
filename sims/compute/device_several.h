// Names of several devices that make runs together: "cuda:0+1", "cuda:all", "cpu+cpu" (Device::open).
#pragma once

#include <string>
#include <string_view>

namespace simscope::compute {

// The first of several; any other name unchanged. For work of a single device beside such runs. Pure.
std::string firstOfSeveral(std::string_view spec);

}  // namespace simscope::compute
