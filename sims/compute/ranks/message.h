// A message that one rank sends to another, or receives from it.
#pragma once

#include <cstddef>

namespace simscope::compute {

struct RankMessage {
  int rank;  // the other one
  void* data;
  std::size_t bytes;
};

}  // namespace simscope::compute
