#include "sims/compute/ranks/launch.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sims/compute/host_info.h"
#include "sims/compute/ranks/transport_module.h"

namespace simscope::compute {

namespace {

using SimscopeTransport = const TransportTable*();

const TransportTable& loadedTransport() {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  std::string why = "no such file";
  for (const fs::path& each : {folder / SIMSCOPE_MPI_MODULE, folder / SIMSCOPE_MPI_FOLDER / SIMSCOPE_MPI_MODULE}) {
    if (!fs::exists(each, failed)) continue;
    // Global: Open MPI loads parts of itself later, which look for its names.
    void* const module = dlopen(each.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!module) {
      why = dlerror();
      continue;
    }
    auto* const entry = reinterpret_cast<SimscopeTransport*>(dlsym(module, "simscope_transport"));
    const TransportTable* const transport = entry ? entry() : nullptr;
    if (transport && transport->interface == kTransportInterface) return *transport;
    throw UsageError(fmt::format("{} belongs to another version of simscope; install both together", each.string()));
  }
  throw UsageError(
      fmt::format("several copies were started to make one run, but {} cannot be loaded beside {} ({}): build simscope "
                  "with MPI (install libopenmpi-dev, then ./dev build), or start it without mpirun",
                  SIMSCOPE_MPI_MODULE, folder.string(), why));
}

std::vector<int> coresOf(const cpu_set_t& set) {
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace

Launch launchOf(char** environment) {
  Launch found;
  int slurm = 0;  // tasks of a step; set for those that are no ranks, too
  for (char** each = environment; each && *each; ++each) {
    const auto value = [&](const char* name) -> const char* {
      const std::size_t length = std::strlen(name);
      return std::strncmp(*each, name, length) == 0 && (*each)[length] == '=' ? *each + length + 1 : nullptr;
    };
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
      if (const char* size = value(name)) found = {true, std::max(std::atoi(size), found.size)};
    }
    for (const char* name : {"PMIX_RANK", "PMI_RANK"}) {
      if (value(name)) found.launched = true;
    }
    if (const char* tasks = value("SLURM_STEP_NUM_TASKS")) slurm = std::atoi(tasks);
  }
  if (found.launched && found.size == 0) found.size = std::max(slurm, 0);
  return found;
}

Launch launch() {
  return launchOf(environ);
}

std::shared_ptr<Ranks> joinRanks(Ranks::Options options) {
  const Launch found = launch();
  if (!found.launched || found.size == 1) return nullptr;
#if SIMSCOPE_HAVE_MPI
  auto ranks = std::make_shared<Ranks>(std::make_unique<TransportOfModule>(loadedTransport()), std::move(options));
  if (ranks->size() > 1) return ranks;
  ranks->finish();
  return nullptr;
#else
  (void)options;
  (void)loadedTransport;
  throw UsageError(
      "several copies were started to make one run, but this simscope was built without MPI: install libopenmpi-dev "
      "and build it again (./dev build), or start it without mpirun");
#endif
}

CoreShare coreShareOf(const std::vector<int>& cores, int usable, int index, int count) {
  const auto all = static_cast<std::uint64_t>(cores.size());
  if (all == 0) return {};
  CoreShare share;
  if (count >= static_cast<int>(all)) {
    share.cores = {cores[static_cast<std::size_t>(index) % cores.size()]};
  } else {
    const auto [first, number] = Ranks::shareOf(all, index, count);
    share.cores.assign(cores.begin() + static_cast<std::ptrdiff_t>(first),
                       cores.begin() + static_cast<std::ptrdiff_t>(first + number));
  }
  const auto processors = static_cast<int>(Ranks::shareOf(static_cast<std::uint64_t>(usable), index, count).second);
  share.threads = std::clamp(processors, 1, static_cast<int>(share.cores.size()));
  return share;
}

CoreShare bindToCores(Ranks& ranks) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
  const std::vector<int> cores = known ? coresOf(set) : std::vector<int>{};
  const int usable = usableCores();
  const std::string own = fmt::format("{} {}", ranks.machine(), coresText(cores));
  const std::vector<std::string> all = ranks.gatherToAll(own);
  const auto here = all.begin() + ranks.rank();
  const auto index = static_cast<int>(std::count(all.begin(), here, own));
  const auto count = static_cast<int>(std::count(all.begin(), all.end(), own));
  CoreShare share = coreShareOf(cores, usable, index, count);
  cpu_set_t bound;
  CPU_ZERO(&bound);
  for (const int core : share.cores) CPU_SET(core, &bound);
  // Where the system does not allow it, the threads are as many, and run where they may.
  if (!share.cores.empty() && sched_setaffinity(0, sizeof bound, &bound) != 0) share.cores = cores;
  return share;
}

std::string coresText(const std::vector<int>& cores) {
  std::string text;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t last = i;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    text += text.empty() ? "" : ",";
    text += last == i ? fmt::format("{}", cores[i]) : fmt::format("{}-{}", cores[i], cores[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace simscope::compute
