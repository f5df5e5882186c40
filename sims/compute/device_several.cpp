// Several devices that make runs together: what names them, and the one that stands for all.
#include "sims/compute/device_several.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "sims/compute/cpu_device.h"
#include "sims/compute/detail/device_spec.h"
#include "sims/compute/ranks/crew.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

namespace {

constexpr int kMostMembers = 64;

// "cuda:0+1" as "cuda:0", "cuda:1"; "cuda:all" as all that there are.
std::vector<std::string> membersOf(std::string_view spec) {
  std::vector<std::string> all;
  if (spec == kAllCuda) {
    for (const DeviceInfo& each : Device::available()) {
      if (each.backend == Backend::Cuda) all.push_back(each.id);
    }
    if (all.empty()) {
      throw Error(fmt::format("device '{}' cannot be used: {}; choose --device cpu to compute without it", spec,
                              Device::whyNoCuda()));
    }
    return all;
  }
  const bool cuda = spec.rfind("cuda:", 0) == 0;
  std::string_view rest = cuda ? spec.substr(5) : spec;
  while (true) {
    const std::size_t plus = rest.find('+');
    const std::string_view each = rest.substr(0, plus);
    if (cuda) {
      int index = -1;
      const auto [end, error] = std::from_chars(each.data(), each.data() + each.size(), index);
      if (error != std::errc{} || end != each.data() + each.size() || index < 0) throwBadSpec(spec);
      all.push_back(fmt::format("cuda:{}", index));
    } else {
      if (each != "cpu") throwBadSpec(spec);
      all.emplace_back(each);
    }
    if (plus == std::string_view::npos) break;
    rest = rest.substr(plus + 1);
  }
  if (all.size() > kMostMembers) {
    throw UsageError(
        fmt::format("device '{}': at most {} devices can share a run, not {}", spec, kMostMembers, all.size()));
  }
  return all;
}

std::string idOf(const std::vector<DeviceInfo>& members) {
  std::string id = members.front().id;
  for (std::size_t i = 1; i < members.size(); ++i) {
    id += members[i].backend == Backend::Cuda ? fmt::format("+{}", members[i].index) : "+" + members[i].id;
  }
  return id;
}

}  // namespace

std::string firstOfSeveral(std::string_view spec) {
  return spec == kAllCuda ? "cuda:0" : std::string(spec.substr(0, spec.find('+')));
}

DevicePtr Device::openSeveral(std::string_view spec, int threads) {
  const std::vector<std::string> specs = membersOf(spec);
  if (specs.size() == 1) return open(specs.front(), threads);
  // First, so that what is wrong with one of them is said as of that one.
  const DevicePtr front = open(specs.front(), threads);
  const int share = front->isCuda() ? threads : std::max(1, front->info().threads / static_cast<int>(specs.size()));
  front->crew_ = std::make_shared<Crew>(specs, share);
  DeviceInfo& all = front->info_;
  for (int rank = 0; rank < front->crew_->size(); ++rank) all.members.push_back(front->crew_->device(rank)->info());
  all.link = front->crew_->link();
  all.id = idOf(all.members);
  if (all.backend == Backend::Cpu) return front;
  std::vector<int> own;  // a device that is named twice has its memory once
  all.memory = 0, all.threads = 0;
  bool same_name = true;
  for (const DeviceInfo& each : all.members) {
    same_name = same_name && each.name == all.members.front().name;
    if (std::find(own.begin(), own.end(), each.index) != own.end()) continue;
    own.push_back(each.index);
    all.memory += each.memory;
    all.threads += each.threads;
  }
  if (!same_name) {
    all.name.clear();
    for (const DeviceInfo& each : all.members) all.name += (all.name.empty() ? "" : ", ") + each.name;
  } else if (own.size() > 1) {
    all.name = fmt::format("{} × {}", own.size(), all.name);
  }
  return front;
}

}  // namespace simscope::compute
