// The lab's filter lesson applied to the running simulation: the field, the filtered field, and the waves of it,
// redrawn with each frame of the run, and only then.
//
// Owner: of the filter with its device, and of the figure. Thread: the UI's, with its GL context current; the session's
// frame is read between two polls and never written. If a field cannot be filtered, the reason is shown in the
// picture's place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/gui/widgets/widgets.h"
#include "app/gui/window/window_picture.h"
#include "app/lab/lessons/fourier_filters/field_filter.h"
#include "app/render/figure/figure.h"
#include "app/session/session.h"

namespace simscope::gui {

// For tests that drive the window.
struct LabLiveState {
  bool shown = false;
  std::uint64_t transforms = 0;
  std::int64_t steps = 0;  // the run's step at the frame filtered last
  std::string failure;
};

class LabLive {
 public:
  explicit LabLive(int threads) : threads_(threads) {}

  // Whether the page shows the running field for this lesson with these parameters.
  static bool isWanted(const std::string& lesson, const ParameterSet& knobs);

  // A button that plays and pauses the run, and the picture below it.
  void draw(Session& session, Ui& ui, const ParameterSet& knobs, render::Theme theme, Rect room);
  WindowPicture::Figure takePicture();
  // Releases its resources.
  void forget();
  LabLiveState state() const;

 private:
  void follow(Session& session, const ParameterSet& knobs, const render::FigureOptions& look);

  int threads_;
  std::unique_ptr<lab::fourier_filters::FieldFilter> filter_;
  std::unique_ptr<render::Figure> figure_;
  std::optional<render::FigureOptions> drawn_;
  bool redrawn_ = false;
  std::string failure_;
};

}  // namespace simscope::gui
