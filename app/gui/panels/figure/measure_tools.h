// The mouse and the keys that set down, move, and take away probes, line cuts, and rulers on views of fields, and what
// they show there. They only observe: available in every view of a field.
//
// Owner: the figure's panel. Thread: the UI's. The marks are the scene's.
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
  // The button that offers them; nothing where no field is shown.
  void drawButton(Session& session, Ui& ui, std::span<const PanelArea> panels, bool labelled);
  float buttonWidth(const Session& session, const Ui& ui, std::span<const PanelArea> panels, bool labelled) const;

  // What the next press sets down; nothing: the mouse has other work.
  const std::optional<FieldMark::Kind>& taken() const noexcept { return taken_; }
  void put() noexcept { taken_.reset(); }

  struct Mouse {
    PixelPlace at;                         // in the figure
    bool hovered = false, active = false;  // the figure's item
    int panel = -1;
  };
  // True where the mouse is its own.
  bool followMouse(Session& session, const Ui& ui, std::span<const PanelArea> panels, const Mouse& mouse);
  bool holdsMouse() const noexcept { return held_.has_value(); }

  // M takes one tool after the other, Enter sets it down in the middle, arrows move what is selected, Delete takes it
  // away. False: no key of theirs.
  bool key(Session& session, const Key& key, std::span<const PanelArea> panels);
  // Esc: false where there was nothing to put down.
  bool escape();

  // `place`: of the figure in the window.
  void draw(const Session& session, Ui& ui, ImDrawList& list, std::span<const PanelArea> panels, const Rect& place,
            const FieldReadings& readings) const;
  // Of the scene's marks; nothing: none.
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
    bool fresh = false;  // just set down: a press alone leaves a line of no length, which is taken away
  };
  std::optional<Held> held_;
};

}  // namespace simscope::gui
