// Changes of parameters that the run has not answered yet, each with its command: which of them a refusal reverts, and
// what has to be sent again.
//
// A command carries the whole set of parameters. So the commands sent after a refused one, before the refusal was
// known, contain the refused value, too: the remaining changes are sent again, and the answers to those commands are
// ignored.
// Plain data; one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sims/core/parameters.h"
#include "sims/core/run/runner.h"

namespace simscope {

class PendingChanges {
 public:
  struct Accepted {
    std::size_t index = 0;  // the parameter that the user changed
    CommandId asked = 0;    // the command that sent it first
    bool operator==(const Accepted&) const = default;
  };
  struct Refused {
    std::size_t index = 0;             // the parameter that the reason belongs to
    std::vector<std::size_t> changed;  // parameters that return to the run's values
    bool operator==(const Refused&) const = default;
  };

  // Parameters changed together; a refusal reverts all of them. The first is the one that the user changed: a newer
  // change of the same parameter replaces the older one.
  void add(CommandId command, std::vector<std::size_t> indices);
  // All commands up to this one were carried out, except those passed to refuse(). Returns what they changed.
  std::vector<Accepted> accept(CommandId handled);
  // Reverts the change of the refused parameter, or else the newest change in the refused command. Nothing where the
  // command is one of these, but its answer is ignored.
  std::optional<Refused> refuse(const RefusedCommand& refused, const ParameterSet& parameters);
  // Whether the command is one of these, including those whose answers are ignored.
  bool carries(const RefusedCommand& refused) const;
  // The remaining changes were sent again with this command.
  void askedAgain(CommandId command);
  void clear() { changes_.clear(); }  // answers to earlier commands are ignored
  bool empty() const noexcept { return changes_.empty(); }

 private:
  struct Change {
    CommandId command = 0, asked = 0;
    std::vector<std::size_t> indices;
  };
  std::vector<Change> changes_;   // oldest first
  std::set<CommandId> commands_;  // not answered yet
};

}  // namespace simscope
