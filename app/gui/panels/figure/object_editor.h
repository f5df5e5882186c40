// Edits the values of one object on the figure, with a tool of Gesture::Edit: a click selects a body, the tip of its
// arrow is dragged, the wheel over it changes its mass, and a card beside it takes exact numbers. The logic without
// drawing is in app/session/object_edit.h.
//
// Owner: the figure's panel owns it. Thread: the UI's, with its GL context current (a click finds a body on the
// device).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/panels/figure/pixel_places.h"
#include "app/gui/panels/parameters/parameter_field.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/object_edit.h"
#include "app/session/session.h"

namespace simscope::gui {

class MouseTools;

class ObjectEditor {
 public:
  struct Mouse {
    PixelPlace at;  // in the figure
    bool hovered = false;
    int panel = -1;
  };
  // True if it uses the mouse: a tip is dragged, or the wheel changes a number. Called before ViewMouse.
  bool followMouse(Session& session, const Ui& ui, render::Figure& figure, const MouseTools& tools, const Mouse& mouse);
  // Beside the object, over the figure; drawn before the figure's item, so that it gets the mouse. `place`: the
  // figure's.
  void drawCard(Session& session, Ui& ui, std::span<const PanelArea> panels, const Rect& place);
  // Ring and arrow.
  void draw(const Session& session, Ui& ui, ImDrawList& list, std::span<const PanelArea> panels,
            const Rect& place) const;
  // Reads from the frame that the figure has drawn.
  void read(const Session& session, render::Figure& figure);
  // For keys: selects the next object, or the previous one.
  void step(const Session& session, const MouseTools& tools, render::Figure& figure, int by);
  // Esc: false if there was nothing to cancel.
  bool escape();
  // The change belongs to the present step of undo: the wheel is still being turned.
  bool inHand() const;

  bool dragging() const noexcept { return dragged_.has_value(); }
  const ObjectEdit& edit() const noexcept { return edit_; }
  std::vector<std::string> channels() const { return edit_.channels(); }
  const std::string& refusal() const noexcept { return refused_.why; }

 private:
  struct Refused {
    const ToolInfo* tool = nullptr;
    std::size_t component = 0;
    std::string typed, why;
    std::optional<ObjectValue> offer;
  };
  const PanelArea* panelOf(const Session& session, std::span<const PanelArea> panels) const;
  std::optional<PixelPlace> pixel(const PanelArea& panel) const;
  std::optional<PixelPlace> tipPixel(const Session& session, const PanelArea& panel) const;
  const ObjectEdit::Known* vector() const;
  const ObjectEdit::Known* number() const;
  void select(const Session& session, render::Figure& figure, const ToolInfo& tool, std::int64_t object);
  void forget();
  void send(Session& session, const ToolInfo& tool, const ObjectValue& value, bool begins = true);
  bool turn(Session& session, const ObjectEdit::Known& known, float notches);
  void drawValue(Session& session, Ui& ui, const ObjectEdit::Known& known, float width);
  void drawSummary(const Ui& ui, const ObjectEdit::Known& known, float width) const;
  bool folded() const noexcept { return folded_.value_or(small_plot_); }
  void drawField(Session& session, Ui& ui, const ObjectEdit::Known& known, std::size_t component, float width);
  void drawRefusal(Session& session, Ui& ui, float width);
  void placeCard(const Session& session, const Ui& ui, const PanelArea& panel, const Rect& place);

  ObjectEdit edit_;
  std::string name_;                          // the object's name; may be empty
  const Description* description_ = nullptr;  // whose object is selected, and in which preset
  std::string preset_;
  std::optional<std::int64_t> pressed_;  // the object under the press of the button; −1: none
  std::optional<ObjectValue> dragged_;   // the dragged vector's present value
  bool called_off_ = false;              // until the button is released
  double turned_at_ = -1;                // time of the last turn of the wheel, and what it changed
  const ToolInfo* turned_ = nullptr;
  ParameterField field_;
  Refused refused_;
  Rect card_;               // in the window; zero width: not placed yet
  bool card_held_ = false;  // the mouse is on it, or the user types
  std::uint64_t card_frame_ = 0;
  bool small_plot_ = false;     // barely larger than the card with its fields
  std::optional<bool> folded_;  // the user's choice: the values without their fields
};

}  // namespace simscope::gui
