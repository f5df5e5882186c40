// The one bound of memory for readers of untrusted files. Plain data; any thread.
#pragma once

#include <cstdint>

namespace simscope::foreign {

// What a file makes a command take, all of it together: its bytes, what they unpack to, and the pictures that it is
// compared with. A reader refuses more before it takes it.
inline constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30;

}  // namespace simscope::foreign
