#include "app/session/changes/pending_changes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace simscope {

void PendingChanges::add(CommandId command, std::vector<std::size_t> indices) {
  commands_.insert(command);
  if (indices.empty()) return;
  std::erase_if(changes_, [&](const Change& each) {
    if (each.indices.front() != indices.front()) return false;
    // What came with the older one was not answered either.
    for (const std::size_t index : each.indices) {
      if (std::find(indices.begin(), indices.end(), index) == indices.end()) indices.push_back(index);
    }
    return true;
  });
  changes_.push_back({command, command, std::move(indices)});
}

std::vector<PendingChanges::Accepted> PendingChanges::accept(CommandId handled) {
  std::vector<Accepted> accepted;
  std::erase_if(changes_, [&](const Change& each) {
    const bool now = each.command <= handled;
    if (now) accepted.push_back({each.indices.front(), each.asked});
    return now;
  });
  commands_.erase(commands_.begin(), commands_.upper_bound(handled));
  return accepted;
}

bool PendingChanges::carries(const RefusedCommand& refused) const {
  return commands_.contains(refused.id);
}

std::optional<PendingChanges::Refused> PendingChanges::refuse(const RefusedCommand& refused,
                                                              const ParameterSet& parameters) {
  const auto asked = [&](const Change& each) { return each.command >= refused.first && each.command <= refused.id; };
  const auto infos = parameters.infos();
  const auto named =
      std::find_if(infos.begin(), infos.end(), [&](const auto& info) { return info.key == refused.parameter; });
  const auto parameter = static_cast<std::size_t>(named - infos.begin());
  const auto holds = [&](const Change& each, std::size_t index) {
    return std::find(each.indices.begin(), each.indices.end(), index) != each.indices.end();
  };
  auto guilty = std::find_if(changes_.rbegin(), changes_.rend(),
                             [&](const Change& each) { return asked(each) && holds(each, parameter); });
  const bool found = guilty != changes_.rend();
  if (!found) guilty = std::find_if(changes_.rbegin(), changes_.rend(), asked);
  if (guilty == changes_.rend()) return std::nullopt;
  const Change change = std::move(*guilty);
  changes_.erase(std::next(guilty).base());

  Refused taken_back{found ? parameter : change.indices.front(), change.indices};
  // A newer change of one of them stands.
  std::erase_if(taken_back.changed, [&](std::size_t index) {
    return std::any_of(changes_.begin(), changes_.end(),
                       [&](const Change& each) { return each.command > change.command && holds(each, index); });
  });
  return taken_back;
}

void PendingChanges::askedAgain(CommandId command) {
  commands_.insert(command);
  for (Change& each : changes_) each.command = command;
}

}  // namespace simscope
