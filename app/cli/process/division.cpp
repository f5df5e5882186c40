#include "app/cli/process/division.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sims/compute/device_several.h"
#include "sims/compute/ranks/crew.h"
#include "sims/core/divided.h"
#include "sims/core/registry.h"

namespace simscope::cli {

bool namesSeveralDevices(const std::string& spec) {
  if (spec == "cuda:all") return true;
  const bool cuda = spec.rfind("cuda:", 0) == 0;
  std::string_view rest = std::string_view(spec).substr(cuda ? 5 : 0);
  int parts = 0;
  while (true) {
    const std::size_t plus = rest.find('+');
    const std::string_view each = rest.substr(0, plus);
    const bool index =
        !each.empty() && each.size() <= 4 && each.find_first_not_of("0123456789") == std::string_view::npos;
    if (cuda ? !index : each != "cpu") return false;
    ++parts;
    if (plus == std::string_view::npos) return parts > 1;
    rest.remove_prefix(plus + 1);
  }
}

std::string dividedSimulations() {
  std::string all;
  for (const Description* each : simulations()) {
    if (each->decomposition.kind == Decomposition::None) continue;
    const std::string condition = typedText(each->decomposition.applies);
    all += (all.empty() ? "" : ", ") + each->id + (condition.empty() ? "" : fmt::format(" (with {})", condition));
  }
  return all;
}

std::optional<std::int64_t> sizeFor(const Scene& scene, int ranks) {
  const DecompositionInfo& info = scene.description->decomposition;
  const std::string& key = scene.description->size_key;
  ParameterSet set = scene.parameters;
  const auto fits = [&](std::int64_t size) {
    set.set(key, Value(size));
    return info.most_ranks(set) >= ranks;
  };
  const auto& known = scene.parameters.infos();
  const auto size =
      std::find_if(known.begin(), known.end(), [&](const ParameterInfo& each) { return each.key == key; });
  const auto most = static_cast<std::int64_t>(size->maximum);
  std::int64_t little = scene.parameters.integer(key), enough = most;
  if (size->power_of_two) {
    for (enough = little; enough <= most; enough *= 2) {
      if (fits(enough)) return enough;
    }
    return std::nullopt;
  }
  if (!fits(most)) return std::nullopt;
  while (enough - little > 1) {
    const std::int64_t middle = little + (enough - little) / 2;
    (fits(middle) ? enough : little) = middle;
  }
  return enough;
}

void requireDivided(const Scene& scene, const compute::Device& device) {
  if (!device.crew()) return;
  const Description& description = *scene.description;
  const int devices = device.crew()->size();
  const std::string why = whyNotDivided(description, scene.parameters, devices, device.info().backend);
  if (why.empty()) return;
  const DecompositionInfo& info = description.decomposition;
  const std::string& one = device.info().members.front().id;
  if (info.kind != Decomposition::None && info.most_ranks && devices > info.most_ranks(scene.parameters)) {
    const std::optional<std::int64_t> enough = sizeFor(scene, devices);
    throw UsageError(fmt::format(
        "--device: {}: take fewer{}", why,
        enough ? fmt::format(", or give it {} = {} or more", description.size_key, *enough) : std::string()));
  }
  throw UsageError(
      fmt::format("--device: {}. Simulations that can be divided: {}. simscope sweep divides the runs of any "
                  "simulation. Choose one device for this: {}",
                  why, dividedSimulations(), one));
}

void requireOneDevice(const std::string& spec, const std::string& command) {
  if (!namesSeveralDevices(spec)) return;
  throw UsageError(fmt::format("--device: {} takes one device, not {}; the nearest is {}", command, spec,
                               compute::firstOfSeveral(spec)));
}

}  // namespace simscope::cli
