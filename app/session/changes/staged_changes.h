// Changes of parameters that wait to be applied together, so that the run restarts once. They are the user's intent, no
// part of the scene: undo, files, and the run know nothing of them until they are applied.
//
// A refused set comes back, so that one of its values can be mended and all be tried again. Plain data; one thread.
#pragma once

#include <cstddef>
#include <map>

#include "app/session/session.h"
#include "sims/core/parameters.h"

namespace simscope {

class StagedChanges {
 public:
  // A value that the scene has already waits for nothing.
  void put(std::size_t index, const Value& value, const ParameterSet& scene);
  const Value* find(std::size_t index) const;
  void drop(std::size_t index) { waiting_.erase(index); }
  // Nothing waits, and nothing comes back.
  void clear();
  bool empty() const noexcept { return waiting_.empty(); }
  std::size_t size() const noexcept { return waiting_.size(); }
  // The scene's parameters with the waiting changes. Of the same description.
  ParameterSet over(ParameterSet scene) const;

  // All of it as one change of the session's.
  void apply(Session& session);
  // Called once a frame: what the scene has come to have by other means waits no more, and what the run has refused of
  // the applied ones waits again.
  void hear(const Session& session);

 private:
  std::map<std::size_t, Value> waiting_, applied_;
};

}  // namespace simscope
