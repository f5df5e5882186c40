// The bars above and below the list of parameters: the search, the difference from a preset, and the changes that wait
// to be applied together. Thread: the UI's, between NewFrame and Render.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/gui/widgets/widgets.h"
#include "sims/core/description.h"

namespace simscope::gui {

class ParameterBar {
 public:
  struct Actions {
    bool reset_all = false;
    bool first = false;  // go to the first parameter found
  };
  // `preset`: the scene's; `changed`: how many parameters differ from the reference; `restarting`: whether any
  // parameter restarts the run.
  Actions draw(Ui& ui, const Description& description, const std::string& preset, std::size_t changed, bool restarting);

  enum class Waiting { Stay, Apply, Revert };
  // The user's choice for `count` waiting changes. Draws nothing if there are none.
  Waiting drawWaiting(Ui& ui, std::size_t count);

  // Moves the keyboard focus to the search.
  void search() { focus_ = true; }
  bool typing() const noexcept { return typing_; }
  const std::string& words() const noexcept { return words_; }
  bool changedOnly() const noexcept { return changed_only_; }
  bool together() const noexcept { return together_; }
  // Key of the preset used as reference; empty: the defaults.
  const std::string& reference(const std::string& preset) const { return compared_ ? *compared_ : preset; }
  // Clears search and comparison for another simulation.
  void forget();

 private:
  void drawSearch(Ui& ui, Actions& actions);
  void drawCompared(Ui& ui, const Description& description, const std::string& preset);

  std::string words_;
  bool focus_ = false, typing_ = false;
  bool changed_only_ = false, together_ = false;
  std::optional<std::string> compared_;  // nothing: the scene's preset
};

}  // namespace simscope::gui
