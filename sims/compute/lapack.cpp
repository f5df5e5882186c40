#include "sims/compute/lapack.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

#include "sims/compute/error.h"
#include "sims/compute/host_info.h"

namespace simscope::compute {
namespace {

// Of OpenBLAS: its code and that of LAPACK; and a thread's buffer (BUFFER_SIZE of its param.h), stack, and heap.
constexpr std::size_t kLibraries = std::size_t{64} << 20, kThread = std::size_t{128 + 8 + 64} << 20;

std::atomic<bool> has_memory{false};

// As it reads them: the first that is positive, up to the cores of the affinity. Debian builds it for 64 at most.
int threadsOfBlas() {
  constexpr int kMost = 64;
  cpu_set_t own;
  CPU_ZERO(&own);
  const int cores = sched_getaffinity(0, sizeof own, &own) == 0 ? std::clamp(CPU_COUNT(&own), 1, kMost) : kMost;
  for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const char* const value = std::getenv(name);
    const int wanted = value != nullptr ? std::atoi(value) : 0;
    if (wanted > 0) return std::min(wanted, cores);
  }
  return cores;
}

void requireThreads(int count) {
  std::latch gate(1);
  std::vector<std::jthread> started;
  started.reserve(static_cast<std::size_t>(count));
  struct Opening {  // before the threads are waited for
    std::latch& latch;
    ~Opening() { latch.count_down(); }
  } const opening{gate};
  try {
    for (int i = 0; i < count; ++i) started.emplace_back([&gate] { gate.wait(); });
  } catch (const std::system_error& error) {
    throw Error(
        fmt::format("OpenBLAS needs {} more thread{}, and {} can be started ({}): set OPENBLAS_NUM_THREADS=1, or "
                    "raise the limit (ulimit -u)",
                    count, count == 1 ? "" : "s", started.size(), error.code().message()));
  }
}

void* loaded(const char* file, int scope) {
  // The loader counts how often a library is loaded: it stays for good.
  void* const library = dlopen(file, RTLD_NOW | scope);
  if (library != nullptr) return library;
  const char* const why = dlerror();
  throw Error(
      fmt::format("LAPACK is needed here and could not be loaded ({}): install the packages liblapacke and "
                  "libopenblas0-pthread",
                  why != nullptr ? why : file));
}

}  // namespace

void requireLapackMemory(std::size_t work_bytes) {
  const int threads = threadsOfBlas();
  const std::size_t own = has_memory ? 0 : kLibraries + static_cast<std::size_t>(threads) * kThread;
  constexpr double kMiB = 1 << 20;
  if (own + work_bytes > 0 && !mayTake(own + work_bytes)) {
    throw OutOfMemory(
        fmt::format("LAPACK needs {:.0f} MiB of memory here: {:.0f} for its work, {:.0f} for OpenBLAS and its {} "
                    "thread{}. This process may not take so much: raise its limit (ulimit -v), choose a smaller "
                    "problem, or set OPENBLAS_NUM_THREADS=1",
                    static_cast<double>(own + work_bytes) / kMiB, static_cast<double>(work_bytes) / kMiB,
                    static_cast<double>(own) / kMiB, threads, threads == 1 ? "" : "s"),
        own + work_bytes);
  }
  if (has_memory) return;
  requireThreads(threads - 1);  // the caller's is there
  has_memory = true;
}

void* lapackFunction(const char* name) {
  requireLapackMemory(0);
  // In this order, and the first one for all: LAPACKE then calls OpenBLAS's LAPACK, whichever the system prefers.
  void* const openblas = loaded("libopenblas.so.0", RTLD_GLOBAL);
  void* const lapacke = loaded("liblapacke.so.3", RTLD_LOCAL);
  void* found = dlsym(openblas, name);
  if (found == nullptr) found = dlsym(lapacke, name);
  if (found == nullptr) throw Error(fmt::format("LAPACK has no function {}", name));
  return found;
}

}  // namespace simscope::compute
