#include "sims/compute/ranks/launch.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

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

#if SIMSCOPE_HAVE_MPI
constexpr double kToldSeconds = 10;

// MPI_Init waits for all ranks, without an end. While this object exists, standard error is told that they do not come,
// and the process ends when its patience does.
class StartWatch {
 public:
  StartWatch(int size, double patience) : size_(size), patience_(patience) {}
  ~StartWatch() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;

 private:
  void watch() {
    const double first = std::min(kToldSeconds, patience_);
    if (endsWithin(first)) return;
    tell(first, first < patience_ ? "still waiting" : "the run ends");
    if (endsWithin(patience_ - first)) return;
    if (first < patience_) tell(patience_, "the run ends");
    std::_Exit(1);
  }
  bool endsWithin(double seconds) {
    std::unique_lock lock(mutex_);
    return wake_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return ended_; });
  }
  void tell(double seconds, const char* what) const {
    const std::string who = size_ > 0 ? fmt::format("{} ranks", size_) : std::string("the ranks");
    const std::string text = fmt::format(
        "simscope: not all of {} have come to their first meeting within {:.0f} s: {}. Each of them must be "
        "started with the same command\n",
        who, seconds, what);
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
  }

  const int size_;
  const double patience_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread thread_{[this] { watch(); }};
};
#endif

std::vector<int> coresOf(const cpu_set_t& set) {
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace

Launch launchOf(char** environment) {
  const auto number = [&](std::string_view name) -> std::optional<int> {
    for (char** each = environment; each && *each; ++each) {
      const std::string_view entry = *each;
      if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=') {
        return std::atoi(entry.substr(name.size() + 1).data());
      }
    }
    return std::nullopt;
  };
  Launch found;
  // Hydra gives the last one beside PMI_SIZE; it counts the copies of one machine.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "MPI_LOCALNRANKS"}) {
    const std::optional<int> size = number(name);
    if (!size) continue;
    found.launched = true;
    if (found.size == 0) found.size = *size;
  }
  for (const char* name : {"PMIX_RANK", "PMI_RANK"}) found.launched = found.launched || number(name);
  // Tasks of a step; set for those that are no ranks, too.
  const int tasks = std::max(number("SLURM_STEP_NUM_TASKS").value_or(0), 0);
  if (found.launched && found.size == 0) found.size = tasks;
  if (!found.launched && tasks > 1) found.tasks = tasks, found.task = number("SLURM_PROCID").value_or(0);
  return found;
}

Launch launch() {
  return launchOf(environ);
}

std::shared_ptr<Ranks> joinRanks(Ranks::Options options, double start_patience) {
  const Launch found = launch();
  if (!found.launched || found.size == 1) return nullptr;
#if SIMSCOPE_HAVE_MPI
  std::shared_ptr<Ranks> ranks;
  {
    const TransportTable& transport = loadedTransport();
    const StartWatch watch(found.size, start_patience);
    ranks = std::make_shared<Ranks>(std::make_unique<TransportOfModule>(transport), std::move(options));
  }
  if (ranks->size() > 1) return ranks;
  ranks->finish();
  if (found.size < 2) return nullptr;
  throw UsageError(fmt::format(
      "{} copies were started together, but {} knows of this one alone: each copy would make the whole run and write "
      "the "
      "same files. Start them with that library's own mpirun, or with srun --mpi=pmix (Debian's srun needs the package "
      "libpmix-dev). For runs that have nothing to do with each other: srun --mpi=none, or env -u PMI_SIZE -u PMI_RANK "
      "before simscope",
      found.size, ranks->library()));
#else
  (void)options;
  (void)start_patience;
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
