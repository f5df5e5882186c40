#include "app/cli/process/team.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/report.h"
#include "sims/compute/host_info.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

constexpr int kDifferent = 2;  // exit status: bad usage

// FNV-1a over eight bytes at a time, and over those that are left.
std::uint64_t hashed(std::string_view bytes, std::uint64_t hash = 14695981039346656037u) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 29;
  }
  for (const char each : bytes) hash = (hash ^ static_cast<unsigned char>(each)) * kPrime;
  return hash;
}

std::string ownBuild() {
  std::ifstream file("/proc/self/exe", std::ios::binary | std::ios::ate);
  std::string bytes(static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0)), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return fmt::format("{} bytes, {:016x}", bytes.size(), hashed(bytes));
}

// The result of a rank's preparation.
struct Prepared {
  int status = 0;
  std::string build, wanted, message;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prepared, status, build, wanted, message)

// As ranks send it to each other.
std::string packed(const nlohmann::json& told) {
  return told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The common result of all preparations, on rank 0; status 0: the command goes on.
Prepared verdict(const compute::Ranks& ranks, const std::vector<std::string>& told) {
  std::vector<Prepared> all;
  for (const std::string& each : told) all.push_back(nlohmann::json::parse(each));
  Prepared result;
  std::string builds, wishes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = ranks.name(static_cast<int>(i));
    if (all[i].build != all[0].build) builds += (builds.empty() ? "" : ", ") + name;
    if (all[i].status == 0 && all[0].status == 0 && all[i].wanted != all[0].wanted) {
      wishes += (wishes.empty() ? "" : ", ") + name;
    }
  }
  if (!builds.empty()) {
    result.status = kDifferent;
    result.message = fmt::format("the build of {} differs from that of {}. Install the same build on all machines",
                                 ranks.name(0), builds);
    return result;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].status == 0) continue;
    // An error on rank 0 occurs on the others too.
    result.status = all[i].status;
    result.message = i == 0 ? all[i].message : ranks.name(static_cast<int>(i)) + ": " + all[i].message;
    return result;
  }
  if (!wishes.empty()) {
    result.status = kDifferent;
    result.message = fmt::format(
        "the run of {} differs from that of {}. Start all ranks with the same command and access to the same files",
        ranks.name(0), wishes);
  }
  return result;
}

void requireOneCommand(const compute::Ranks& ranks, const std::vector<std::string>& commands) {
  for (std::size_t i = 1; i < commands.size(); ++i) {
    if (commands[i] == commands[0]) continue;
    throw Refused(fmt::format("{} was started with simscope {}, but {} with simscope {}. Start all ranks with the same "
                              "command",
                              ranks.name(0), commands[0], ranks.name(static_cast<int>(i)), commands[i]),
                  kDifferent);
  }
}

// A hash of all bytes of a state; empty without a state.
std::string digest(const std::optional<State>& state) {
  if (!state) return "";
  std::uint64_t hash = hashed(fmt::format("{} {}", state->seed, state->steps));
  for (const StateArray& each : state->arrays) {
    hash = hashed(each.name, hash);
    hash = each.source ? hashed(each.source->digest(), hash)
                       : hashed({reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size()}, hash);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

void Team::join(const std::string& command) {
  if (ranks_) return;
  ranks_ = compute::joinRanks({.between = throwIfStopped});
  if (!ranks_) return noteTasks();
  speakAs(ranks_->rank());
  requireOneCommand(*ranks_, ranks_->gatherToAll(command));
  if (ranks_->first()) endEarly();
  share_ = compute::bindToCores(*ranks_);
  lookForDevices();
}

// Ranks of a machine take its CUDA devices in turn. A rank to which the launcher shows a single device takes that one.
void Team::lookForDevices() {
  for (const compute::DeviceInfo& each : compute::Device::available()) {
    if (each.backend == compute::Backend::Cuda) ++cuda_devices_;
  }
  std::string own;
  if (cuda_devices_ > 0) {
    cuda_device_ = ranks_->localRank() % cuda_devices_;
    own = compute::Device::identityOfCuda(cuda_device_);
  }
  std::vector<std::string> all = ranks_->gatherToAll(own);
  std::sort(all.begin(), all.end());
  cuda_own_ = !all[0].empty() && std::adjacent_find(all.begin(), all.end()) == all.end();
}

void Team::typed(const std::vector<std::string>& words) {
  typed_.clear();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    if (name == "--device" || name == "--threads") {
      if (name == words[i]) ++i;  // its value
      continue;
    }
    typed_ += words[i] + "\n";
  }
}

void Team::prepare(const std::string& command, const std::function<std::string()>& prepare) {
  if (!ranks_) {
    prepare();
    return;
  }
  Prepared own;
  own.build = ownBuild();
  try {
    // Only rank 0 writes: what another rank alone is asked to write would be lost.
    own.wanted = command + " " + typed_ + prepare();
  } catch (const Interrupted&) {
    throw;
  } catch (const UsageError& error) {
    own.status = 2, own.message = error.what();
  } catch (const std::exception& error) {
    own.status = 1, own.message = error.what();
  }
  const std::vector<std::string> all = ranks_->gather(packed(own));
  Prepared result;
  if (ranks_->first()) result = verdict(*ranks_, all);
  std::string told = packed(result);
  ranks_->broadcast(told);
  result = nlohmann::json::parse(told);
  if (result.status != 0) throw Refused(result.message, result.status);
}

void Team::requireDivided(const Scene& scene) const {
  const DecompositionInfo& info = scene.description->decomposition;
  if (!ranks_) return;
  if (info.kind != Decomposition::None && info.applies.holds(scene.parameters)) {
    const int most = info.most_ranks ? info.most_ranks(scene.parameters) : ranks_->size();
    if (ranks_->size() <= most) return;
    const std::string& key = scene.description->size_key;
    const std::optional<std::int64_t> enough = sizeFor(scene, ranks_->size());
    throw UsageError(
        fmt::format("a run of {} with {} = {} can be divided among at most {} ranks, not among {}: start fewer ranks{}",
                    scene.description->id, key, toText(scene.parameters.get(key)), most, ranks_->size(),
                    enough ? fmt::format(", or give it {} = {} or more", key, *enough) : std::string()));
  }
  throw UsageError(fmt::format(
      "a run of {} {}cannot be divided among ranks. Simulations that can be divided: {}. simscope sweep divides the "
      "runs of any simulation. Start this one without mpirun",
      scene.description->id, info.kind == Decomposition::None ? "" : "with these parameters ", dividedSimulations()));
}

bool Team::looksTogether(const Scene& scene) const {
  return sharesState(scene) || (ranks_ && scene.description->decomposition.kind == Decomposition::Bodies);
}

bool Team::sharesState(const Scene& scene) const {
  return ranks_ && scene.description->decomposition.kind == Decomposition::Slabs;
}

DeviceChoice Team::choice(DeviceChoice asked, const Scene& scene) const {
  const DecompositionInfo& info = scene.description->decomposition;
  std::string why;
  if (!info.on_cuda.holds(scene.parameters)) {
    why = fmt::format("a run of {} is divided among CUDA devices only with {}", scene.description->id,
                      typedText(info.on_cuda));
  }
  return choice(std::move(asked), why);
}

DeviceChoice Team::choiceForWholeRuns(DeviceChoice asked) const {
  return choice(std::move(asked), "");
}

DeviceChoice Team::choice(DeviceChoice asked, const std::string& why_not_cuda) const {
  if (!ranks_) return asked;
  if (namesSeveralDevices(asked.spec)) {
    throw UsageError(
        fmt::format("--device: {} names several devices of one process; each rank takes one: cpu or cuda", asked.spec));
  }
  if (asked.spec.rfind("cuda", 0) == 0) {
    if (!why_not_cuda.empty()) throw UsageError(fmt::format("--device: {}; cpu can be used", why_not_cuda));
    if (cuda_devices_ == 0) {
      throw UsageError(
          fmt::format("--device: {} cannot be used: {}; cpu can be used", asked.spec, compute::Device::whyNoCuda()));
    }
    if (asked.spec != "cuda") return asked;  // by its number: several ranks may have it
    if (!cuda_own_) {
      throw UsageError(fmt::format(
          "--device: {} ranks on {} have {} CUDA device{}: start one rank per device, or let all ranks share "
          "one with --device cuda:0",
          ranks_->localSize(), ranks_->machineName(ranks_->rank()), cuda_devices_, cuda_devices_ == 1 ? "" : "s"));
    }
  }
  if (asked.spec == "cuda" || (asked.spec == "auto" && cuda_own_ && why_not_cuda.empty())) {
    asked.spec = fmt::format("cuda:{}", cuda_device_);
    return asked;
  }
  asked.spec = "cpu";
  if (asked.threads == 0) asked.threads = share_.threads;
  return asked;
}

std::string Team::alike(const Scene& scene, const std::optional<State>& state, const DeviceChoice& choice) const {
  if (!ranks_) return "";
  return toJson(scene) + digest(state) + (choice.spec.starts_with("cuda") ? "cuda" : "cpu");
}

void Team::beat() const {
  throwIfStopped();
  if (ranks_) ranks_->alive();
}

std::string Team::map(bool as_json) const {
  const compute::HostMemory memory = compute::hostMemory();
  const nlohmann::json own = {{"machine", ranks_->machineName(ranks_->rank())},
                              {"local_rank", ranks_->localRank()},
                              {"local_size", ranks_->localSize()},
                              {"cores", share_.cores},
                              {"threads", share_.threads},
                              {"cuda", cuda_devices_ > 0 ? fmt::format("cuda:{}", cuda_device_) : ""},
                              {"processor", compute::processorName()},
                              {"memory_bytes", memory.available / static_cast<std::size_t>(ranks_->localSize())}};
  const std::vector<std::string> told = ranks_->gather(packed(own));
  Json entries = Json::array();
  Table table;
  table.row({"rank", "machine", "local rank", "cores", "threads", "CUDA", "memory free", "processor"});
  for (std::size_t i = 0; i < told.size(); ++i) {
    const auto each = nlohmann::json::parse(told[i]);
    Json entry = {{"rank", i}};
    for (const char* key :
         {"machine", "local_rank", "local_size", "cores", "threads", "cuda", "processor", "memory_bytes"}) {
      entry[key] = each.at(key);
    }
    entries.push_back(entry);
    table.row({std::to_string(i), each.at("machine"),
               fmt::format("{} of {}", each.at("local_rank").get<int>(), each.at("local_size").get<int>()),
               compute::coresText(each.at("cores")), std::to_string(each.at("threads").get<int>()),
               each.at("cuda").get<std::string>().empty() ? "–" : each.at("cuda").get<std::string>(),
               bytesText(each.at("memory_bytes").get<double>()), each.at("processor")});
  }
  if (as_json) return pretty(entries);
  return table.text() + fmt::format("\n{} ranks by {}; memory is each rank's share of its machine's free memory.\n",
                                    ranks_->size(), ranks_->library());
}

void Team::finish() {
  if (ranks_) ranks_->finish();
}

}  // namespace simscope::cli
