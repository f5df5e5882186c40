// The host machine's processor name, cores, and memory. Read from /proc and /sys (Linux), limits of containers (control
// groups) included. Thread: any. Errors: none; an unreadable value falls back to a plain one.
#pragma once

#include <cstddef>
#include <string>

namespace simscope::compute {

struct HostMemory {
  std::size_t total = 0;      // bytes installed, or the container's limit where that is lower
  std::size_t available = 0;  // bytes that can be taken without swapping or being killed
};

std::string processorName();
// Its clock rate in hertz, the highest or, if the system does not report that, the present one; 0: unknown.
double processorClock();
// Cores this process may use: its affinity, and the container's share of processor time rounded up.
int usableCores();
HostMemory hostMemory();
// Whether the process may have so many bytes more, by its own limits (ulimit -v); takes none.
bool mayTake(std::size_t bytes);

}  // namespace simscope::compute
