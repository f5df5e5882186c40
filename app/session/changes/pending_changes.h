// Changes of parameters that the run was asked for and has not answered yet, each with the command that asked: which of
// them a refusal takes back, and what is to be asked for again.
//
// A command carries the whole set of parameters. So where one is refused, those that were given after it and before the
// refusal was known asked for the refused value, too: what is left is asked for again, and the answers to those count
// no more.
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
    std::size_t index = 0;  // the one that the user meant
    CommandId asked = 0;    // the command that asked for it first
    bool operator==(const Accepted&) const = default;
  };
  struct Refused {
    std::size_t index = 0;             // the one that the reason belongs to
    std::vector<std::size_t> changed;  // what goes back to the run's values
    bool operator==(const Refused&) const = default;
  };

  // Parameters changed together; a refusal takes all of them back. The first is the one that the user meant: a newer
  // change of the same takes the place of the older one.
  void add(CommandId command, std::vector<std::size_t> indices);
  // All commands up to this one were carried out, but for those that refuse() was told of. Returns what they changed.
  std::vector<Accepted> accept(CommandId handled);
  // The change of the refused parameter is taken back, else the newest one that the refused command asked for. Nothing
  // where the command was one of these, but its answer counts no more.
  std::optional<Refused> refuse(const RefusedCommand& refused, const ParameterSet& parameters);
  // Whether the answer to the command is one to a change, or to one that counts no more.
  bool carries(const RefusedCommand& refused) const;
  // What is left was asked for again.
  void askedAgain(CommandId command);
  void clear() { changes_.clear(); }  // the answers to what was asked for count no more
  bool empty() const noexcept { return changes_.empty(); }

 private:
  struct Change {
    CommandId command = 0, asked = 0;
    std::vector<std::size_t> indices;
  };
  std::vector<Change> changes_;   // oldest first
  std::set<CommandId> commands_;  // that were not answered yet
};

}  // namespace simscope
