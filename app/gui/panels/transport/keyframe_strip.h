// The strip below a parameter's slider: its value over the time of the animation, with keyframes to drag, and the
// diamond that sets one. Thread: the UI's, between NewFrame and Render.
//
// Drag a keyframe (Shift: along one axis), double click to add one, right click for the menu. The curve follows the
// mouse; the track is returned at the release, so that a drag is one edit.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/gui/panels/transport/keyframe_edit.h"
#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

// The run's time and the animation's end, in simulation time.
struct StripTimes {
  double now = 0;
  double end = 0;  // 0: not known
};

// Its members return the track that the user wants, if it changed; an empty track has no keyframes.
class KeyframeStrip {
 public:
  // `value` is the parameter's present value.
  std::optional<Track> drawDiamond(Ui& ui, const ParameterInfo& info, const Track* track, double now, double value,
                                   float width);
  std::optional<Track> drawStrip(Ui& ui, const ParameterInfo& info, const Track& track, StripTimes times, float width);

 private:
  // A keyframe between press and release.
  struct Hand {
    std::string key;
    std::size_t keyframe = 0;
    Track before, track;
    StripRange range;
    ImVec2 pressed;
  };
  // The strip of the frame being made.
  struct Strip {
    Rect place;  // the curve's rectangle
    StripRange range;
    std::optional<std::size_t> near;  // the keyframe being dragged or under the mouse
  };
  bool holds(const ParameterInfo& info) const { return hand_ && hand_->key == info.key; }
  void drag(const ParameterInfo& info, const Rect& place);
  std::optional<Track> handle(Ui& ui, const ParameterInfo& info, const Track& given, const Strip& strip);
  static void drawTrack(Ui& ui, const ParameterInfo& info, const Track& track, const Strip& strip, double now);
  static void drawCaption(Ui& ui, const ParameterInfo& info, const Track& track, const Strip& strip, float width);
  std::optional<Track> drawNumbers(Ui& ui, const ParameterInfo& info, const Track& track);
  std::optional<Track> drawMenu(Ui& ui, const ParameterInfo& info, const Track& track);

  std::optional<Hand> hand_;
  std::size_t chosen_ = 0;  // of the open menu
  std::array<char, 48> time_{}, value_{};
  std::string refused_;
};

}  // namespace simscope::gui
