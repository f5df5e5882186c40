// The panel at the right: every parameter of the simulation, made from its description, and below them what the
// simulation objects to, with the change that cures it. Thread: the UI's.
//
// A text has a line of its own (TextLine). A number has a field (click, type, Enter; checked as on the command line)
// and a slider. Live parameters apply while the slider moves; those that restart the run apply when it is let go. A
// value that the field or the run refused is explained under it.
// Parameters that do not matter under the present ones are folded away; they keep their values and keyframes.
// Live numbers can follow keyframes (KeyframeStrip): field and slider then show what the run has, and set the keyframe
// at the present time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/gui/panels/keyframe_strip.h"
#include "app/gui/widgets/text_line.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class ParametersPanel {
 public:
  void draw(Session& session, Ui& ui);
  // Key of the parameter whose field is being typed in; empty otherwise.
  const std::string& typing() const noexcept { return typing_; }
  // What fields said no to, by the parameter's index.
  const std::map<std::size_t, std::string>& refused() const noexcept { return refused_; }

 private:
  // `wanted`: the values, with those that were refused.
  void drawGroup(Session& session, Ui& ui, const std::string& group, const ParameterSet& wanted);
  void drawRow(Session& session, Ui& ui, std::size_t index);
  void drawSlider(Session& session, Ui& ui, std::size_t index, float width);
  void drawText(Session& session, Ui& ui, std::size_t index);
  bool isRefused(const Session& session, std::size_t index) const;
  void drawRefusal(const Session& session, Ui& ui, std::size_t index);
  void drawChoice(Session& session, Ui& ui, std::size_t index, float width);
  void drawStrip(Session& session, Ui& ui, std::size_t index);
  void drawField(Session& session, Ui& ui, std::size_t index, float width);
  void drawSeed(Session& session, Ui& ui);
  void drawFindings(Session& session, Ui& ui);
  void apply(Session& session, std::size_t index, const Value& value);
  void applyTrack(Session& session, std::size_t index, Track wanted);
  Value present(const Session& session, std::size_t index) const;

  const Description* description_ = nullptr;
  std::string typing_;
  std::map<std::size_t, Value> held_;           // by a slider, not applied yet
  std::map<std::size_t, double> places_;        // of sliders in the hand
  std::map<std::size_t, std::string> refused_;  // what a field said no to
  std::array<char, 96> text_{};                 // of the field being typed in
  std::size_t text_index_ = SIZE_MAX;
  TextLine line_;
  KeyframeStrip strip_;
  std::set<std::string> unfolded_;  // groups whose parameters that do not matter are shown, too
  float findings_height_ = 0;
};

}  // namespace simscope::gui
