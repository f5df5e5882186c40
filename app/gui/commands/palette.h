// The command palette (Ctrl+P): a line to type in, and below it what fits, the best first. Up and Down choose, Enter
// does it, Esc closes. "name value" sets a parameter; its name alone leads to its control.
//
// Thread: the UI's. What is found, and what it does, is PaletteItems'.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/commands/palette_items.h"
#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

class CommandPalette {
 public:
  void open() { wanted_ = true; }
  void close() { closing_ = true; }
  bool isOpen() const noexcept { return open_ || wanted_; }
  // While it is open all keys are its own.
  void take(const Key& key);

  struct Choice {
    PaletteItem item;
    PaletteHit hit;
  };
  // The item that was chosen just now. The caller carries it out and closes the palette, or refuses with a reason.
  std::optional<Choice> draw(const Session& session, Ui& ui, const std::vector<Command>& commands);
  void refuse(const std::string& why) { refusal_ = why; }

  // For tests: "kind:key" of the first hits.
  std::vector<std::string> firstHits() const;
  const std::string& query() const noexcept { return query_; }

 private:
  void search(const Session& session, const std::vector<Command>& commands);
  bool drawRow(Ui& ui, std::size_t row, float width);
  std::size_t page() const { return rows_shown_ > 1 ? rows_shown_ - 1 : 1; }

  bool wanted_ = false, closing_ = false, open_ = false, focus_ = false, entered_ = false, moved_ = false;
  std::string query_, searched_, refusal_;
  bool searched_once_ = false;
  std::vector<PaletteItem> items_;
  std::vector<PaletteHit> hits_;
  std::size_t chosen_ = 0, rows_shown_ = 10;
};

}  // namespace simscope::gui
