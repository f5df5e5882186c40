// libFuzzer's entry for one of the targets: SIMSCOPE_FUZZ_TARGET, a function of targets.h.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  simscope::fuzzing::SIMSCOPE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
