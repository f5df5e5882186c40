// The command palette (Ctrl+P): an input line with the matches below it, the best first. Up and Down select, Enter
// executes, Esc closes. "name value" sets a parameter; its name alone leads to its control.
//
// Thread: the UI's. PaletteItems finds the matches and executes them.
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
  // While it is open it receives all keys.
  void take(const Key& key);

  struct Choice {
    PaletteItem item;
    PaletteHit hit;
  };
  // The item just chosen. The caller executes it and closes the palette, or refuses with a reason.
  std::optional<Choice> draw(const Session& session, Ui& ui, const std::vector<Command>& commands);
  void refuse(const std::string& why) { refusal_ = why; }

  // For tests: "kind:key" of the first hits.
  std::vector<std::string> firstHits() const;
  const std::string& query() const noexcept { return query_; }

 private:
  void search(const Session& session, const std::vector<Command>& commands);
  bool drawRow(Ui& ui, std::size_t row, float width);
  void drawHits(Ui& ui, float width, std::optional<Choice>& choice);
  std::size_t page() const { return rows_shown_ > 1 ? rows_shown_ - 1 : 1; }

  bool wanted_ = false, closing_ = false, open_ = false, focus_ = false, entered_ = false, moved_ = false;
  std::string query_, searched_, refusal_;
  bool searched_once_ = false;
  std::vector<PaletteItem> items_;
  std::vector<PaletteHit> hits_;
  std::size_t chosen_ = 0, rows_shown_ = 10;
};

}  // namespace simscope::gui
