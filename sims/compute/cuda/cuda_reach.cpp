#include "sims/compute/cuda/cuda_reach.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

namespace simscope::compute {

namespace {

// A number that no other process has, whatever separates their numbers of processes.
std::array<std::uint32_t, 4> thisProcess() {
  static const std::array<std::uint32_t, 4> number = [] {
    std::random_device random;
    return std::array<std::uint32_t, 4>{random(), random(), random(), random()};
  }();
  return number;
}

struct Told {
  std::array<std::uint32_t, 4> process;
  void* address;
  std::size_t bytes;
};

}  // namespace

std::vector<CudaSharedMemory> reachAll(Ranks& ranks, int device, const CudaSharedMemory& own) {
  const Told told{thisProcess(), own.get(), own.size()};
  std::vector<Told> all;
  bool one_process = true;
  for (const std::string& each : ranks.gatherToAll(std::string(reinterpret_cast<const char*>(&told), sizeof told))) {
    std::memcpy(&all.emplace_back(), each.data(), sizeof told);
    one_process = one_process && all.back().process == all.front().process;
  }
  std::vector<UniqueFile> files;
  if (!one_process) files = swapFiles(ranks, own.file());
  std::vector<CudaSharedMemory> reached(all.size());
  double every = one_process || !files.empty() ? 1 : 0;
  for (int rank = 0; every > 0 && rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    const auto r = static_cast<std::size_t>(rank);
    reached[r] = all[r].process == told.process ? CudaSharedMemory::ofAddress(all[r].address, all[r].bytes, device)
                                                : CudaSharedMemory::ofFile(files[r].get(), all[r].bytes, device);
    if (!reached[r].get()) every = 0;
  }
  // Nobody lets go of its own before all have mapped it.
  ranks.minimum({&every, 1});
  if (every == 0) reached.clear();
  return reached;
}

}  // namespace simscope::compute
