// Changes of parameters that wait to be applied together, so that the run restarts once. They are not part of the
// scene: undo, files, and the run do not see them until they are applied.
//
// A refused set returns to the waiting changes, so that the user can correct one value and try again. Plain data; one
// thread.
#pragma once

#include <cstddef>
#include <map>

#include "app/session/session.h"
#include "sims/core/parameters.h"

namespace simscope {

class StagedChanges {
 public:
  // A value equal to the scene's is not kept waiting.
  void put(std::size_t index, const Value& value, const ParameterSet& scene);
  const Value* find(std::size_t index) const;
  // Discards all waiting changes, also those that a refusal would return.
  void clear();
  bool empty() const noexcept { return waiting_.empty(); }
  std::size_t size() const noexcept { return waiting_.size(); }
  // The scene's parameters with the waiting changes applied. `scene` must be of the same description.
  ParameterSet over(ParameterSet scene) const;

  // Applies all waiting changes as one change of the session.
  void apply(Session& session);
  // Called once a frame. Drops waiting changes that the scene already has; applied changes that the run refused wait
  // again.
  void hear(const Session& session);

 private:
  std::map<std::size_t, Value> waiting_, applied_;
};

}  // namespace simscope
