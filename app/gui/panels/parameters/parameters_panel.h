// The panel at the right: every parameter of the simulation, made from its description, and below them the simulation's
// objections, each with a change that resolves it. Thread: the UI's.
//
// A text has its own line (TextLine). A number has a field (ParameterField: arithmetic and units as on the command
// line) and a slider; its title can be dragged, too. Live parameters apply while the slider moves; those that restart
// the run apply at the release, or wait to be applied together (StagedChanges). If the field or the run refuses a
// value, the reason is shown under it, with the nearest valid value; the refused text stays in its field.
// Differences from the preset are marked, and can be reset one by one, by group, or all at once, as one step of undo.
// Parameters that do not matter under the present ones are folded away; they keep their values and keyframes.
// Live numbers can follow keyframes (KeyframeStrip): field and slider then show the run's value, and set the keyframe
// at the present time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/panels/parameters/parameter_bar.h"
#include "app/gui/panels/parameters/parameter_field.h"
#include "app/gui/panels/transport/keyframe_strip.h"
#include "app/gui/widgets/text_line.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/changes/staged_changes.h"
#include "app/session/session.h"

namespace simscope::gui {

// A value that a field refused.
struct FieldRefusal {
  std::string typed, unit;  // the unit of numbers without one
  std::string why;
  std::vector<Value> offers;  // valid values, the nearest first
};

class ParametersPanel {
 public:
  void draw(Session& session, Ui& ui);
  // Moves the keyboard focus to the search.
  void search() { bar_.search(); }
  // Applies the waiting changes, including text being entered.
  void applyWaiting() noexcept { apply_waiting_ = true; }
  // Key of the parameter whose field has the keyboard, or "search"; empty otherwise.
  const std::string& typing() const noexcept { return typing_; }
  // By the parameter's index.
  const std::map<std::size_t, FieldRefusal>& refused() const noexcept { return refused_; }
  // Numbers as shown, by key: "633 nm". Of the frame being made, if controls are marked for tests.
  const std::map<std::string, std::string>& shown() const noexcept { return shown_; }
  std::size_t waiting() const noexcept { return staged_.size(); }

 private:
  // The data from which a frame's rows are drawn.
  struct Listing {
    ParameterSet reference;         // the compared preset
    ParameterSet wanted;            // the scene's, with waiting and refused changes
    std::set<std::size_t> differs;  // from the reference
    bool searching = false;
  };
  // Of a slider or a title, by the mouse.
  struct Drag {
    std::size_t index = 0;
    double place = 0;                // of the slider
    bool fine = false;               // Alt
    std::optional<Value> held = {};  // applied only at the release
  };
  Listing listingOf(const Session& session);
  void meet(const Session& session);
  bool isListed(const Session& session, const Listing& listing, std::size_t index) const;

  void drawBar(Session& session, Ui& ui, const Listing& listing);
  void drawWaiting(Session& session, Ui& ui);
  void drawList(Session& session, Ui& ui, const Listing& listing);
  void drawGroup(Session& session, Ui& ui, const std::string& group, const Listing& listing);
  void drawGroupReset(Session& session, Ui& ui, const std::string& group, const Listing& listing, ImVec2 heading_at);
  void drawRow(Session& session, Ui& ui, std::size_t index, const Listing& listing);
  void drawTitle(Session& session, Ui& ui, std::size_t index, float room, const ImVec4& colour);
  void drawMark(Session& session, Ui& ui, std::size_t index, float width);
  void drawTakeBack(Session& session, Ui& ui, std::size_t index, const Listing& listing, float width);
  void drawCaption(Session& session, Ui& ui, std::size_t index, float width);
  void drawSlider(Session& session, Ui& ui, std::size_t index, double usual, float width);
  void drawText(Session& session, Ui& ui, std::size_t index);
  struct Answer {
    std::optional<Value> chosen;
    bool kept = false;  // the old value
  };
  Answer drawRefusalCard(const Session& session, Ui& ui, std::size_t index, const std::string& why);
  void drawRefusal(Session& session, Ui& ui, std::size_t index, float row_top);
  void drawChoice(Session& session, Ui& ui, std::size_t index, float width);
  void helpTip(const Session& session, Ui& ui, std::size_t index) const;
  void drawStrip(Session& session, Ui& ui, std::size_t index);
  void drawField(Session& session, Ui& ui, std::size_t index, float width);
  void drawSeed(Session& session, Ui& ui);
  void drawFindings(Session& session, Ui& ui);
  void drawCure(Session& session, Ui& ui, const Finding& finding);

  static const Track* trackOf(const Session& session, std::size_t index);
  bool isRefused(const Session& session, std::size_t index) const;
  // Takes the text typed into the field; refuses it if it is not a value.
  void enter(Session& session, std::size_t index, const std::string& typed);
  void apply(Session& session, std::size_t index, const Value& value);
  void applyTrack(Session& session, std::size_t index, Track wanted);
  void reset(Session& session, const std::vector<std::size_t>& indices, const ParameterSet& reference);
  void drag(Session& session, std::size_t index, double place);
  void release(Session& session, std::size_t index);
  bool waits(const ParameterInfo& info) const;
  Value present(const Session& session, std::size_t index) const;
  const Drag* dragOf(std::size_t index) const noexcept;
  double sliderAt(const Session& session, std::size_t index) const;

  const Description* description_ = nullptr;
  std::string preset_;
  std::string typing_;
  std::optional<Drag> drag_;
  std::map<std::size_t, FieldRefusal> refused_;
  std::map<std::size_t, std::string> told_;  // refusals that were scrolled into view
  std::map<std::string, std::string> shown_;
  StagedChanges staged_;
  bool apply_waiting_ = false;
  ParameterBar bar_;
  ParameterField field_;
  TextLine line_;
  KeyframeStrip strip_;
  std::set<std::string> unfolded_;  // groups that also show the parameters that do not matter
  float findings_height_ = 0, waiting_height_ = 0;
};

}  // namespace simscope::gui
