#include "app/session/changes/staged_changes.h"

#include <algorithm>
#include <utility>

namespace simscope {

void StagedChanges::put(std::size_t index, const Value& value, const ParameterSet& scene) {
  if (scene[index] == value) {
    waiting_.erase(index);
  } else {
    waiting_[index] = value;
  }
}

const Value* StagedChanges::find(std::size_t index) const {
  const auto found = waiting_.find(index);
  return found == waiting_.end() ? nullptr : &found->second;
}

void StagedChanges::clear() {
  waiting_.clear();
  applied_.clear();
}

ParameterSet StagedChanges::over(ParameterSet scene) const {
  for (const auto& [index, value] : waiting_) scene.set(index, value);
  return scene;
}

void StagedChanges::apply(Session& session) {
  const ParameterSet wanted = over(session.scene.parameters);
  applied_ = std::exchange(waiting_, {});
  session.setTogether(wanted);
}

void StagedChanges::hear(const Session& session) {
  const ParameterSet& scene = session.scene.parameters;
  const bool refused = std::any_of(applied_.begin(), applied_.end(), [&](const auto& each) {
    const auto refusal = session.refusals.find(each.first);
    return refusal != session.refusals.end() && refusal->second.value == each.second;
  });
  if (refused) {
    for (const auto& [index, value] : std::exchange(applied_, {})) waiting_.emplace(index, value);
  }
  const ParameterSet& run = session.status.parameters;
  const bool taken =
      run.infos().data() == scene.infos().data() &&
      std::all_of(applied_.begin(), applied_.end(), [&](const auto& each) { return run[each.first] == each.second; });
  if (taken) applied_.clear();
  std::erase_if(waiting_, [&](const auto& each) { return scene[each.first] == each.second; });
}

}  // namespace simscope
