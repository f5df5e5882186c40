// What the host machine has: processor name, cores, memory. Read from /proc and /sys (Linux), limits of containers
// (control groups) included. Thread: any. Errors: none; what cannot be read falls back to a plain value.
#pragma once

#include <cstddef>
#include <string>

namespace simscope::compute {

struct HostMemory {
  std::size_t total = 0;      // bytes installed, or the container's limit where that is lower
  std::size_t available = 0;  // bytes that can be taken without swapping or being killed
};

std::string processorName();
// Its clock rate in hertz, the highest or, where the system does not tell that, the present one; 0: it tells none.
double processorClock();
// Cores this process may use: its affinity, and the container's share of processor time rounded up.
int usableCores();
HostMemory hostMemory();

}  // namespace simscope::compute
