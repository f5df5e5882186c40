// The mouse and the keys that place, move, and remove probes, line cuts, and rulers on views of fields, and how they
// are drawn there. They only observe: available in every view of a field.
//
// Owner: the figure's panel owns it. Thread: the UI's. The marks are the scene's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/panels/figure/pixel_places.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/window.h"
#include "app/session/readings/field_marks.h"
#include "app/session/readings/field_readings.h"
#include "app/session/session.h"

namespace simscope::gui {

class MeasureTools {
 public:
  // The button that offers them; not drawn if no field is shown.
  void drawButton(Session& session, Ui& ui, std::span<const PanelArea> panels, bool labelled);
  float buttonWidth(const Session& session, const Ui& ui, std::span<const PanelArea> panels, bool labelled) const;

  // The mark that the next press places; nothing: the mouse has another use.
  const std::optional<FieldMark::Kind>& taken() const noexcept { return taken_; }
  void put() noexcept { taken_.reset(); }

  struct Mouse {
    PixelPlace at;                         // in the figure
    bool hovered = false, active = false;  // the figure's item
    int panel = -1;
  };
  // True if it uses the mouse.
  bool followMouse(Session& session, const Ui& ui, std::span<const PanelArea> panels, const Mouse& mouse);
  bool holdsMouse() const noexcept { return held_.has_value(); }

  // M selects the tools in turn, Enter places a mark in the middle, arrows move the selected mark, Delete removes it.
  // False: it does not use the key.
  bool key(Session& session, const Key& key, std::span<const PanelArea> panels);
  // Esc: false if there was no tool to put down.
  bool escape();

  // `place`: the figure's, in the window.
  void draw(const Session& session, Ui& ui, ImDrawList& list, std::span<const PanelArea> panels, const Rect& place,
            const FieldReadings& readings) const;
  // Index of the selected mark of the scene; nothing: none.
  std::optional<std::size_t> selected(const Session& session) const;

 private:
  void setDown(Session& session, const PanelArea& panel, const Spot& from, const Spot& to);
  static bool isField(const Session& session, const PanelArea& panel);
  static const PanelArea* firstField(const Session& session, std::span<const PanelArea> panels);

  std::optional<FieldMark::Kind> taken_;
  std::string selected_;  // its name
  struct Held {
    MarkHit hit;
    std::string view;
    Spot last;
    bool fresh = false;  // just placed: a press without a drag leaves a line of no length, which is removed
  };
  std::optional<Held> held_;
};

}  // namespace simscope::gui
