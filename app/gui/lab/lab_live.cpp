#include "app/gui/lab/lab_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/prose.h"
#include "sims/compute/error.h"

namespace simscope::gui {

namespace filters = lab::fourier_filters;

bool LabLive::isWanted(const std::string& lesson, const ParameterSet& knobs) {
  return lesson == "fourier_filters" && filters::filtersField(knobs);
}

void LabLive::draw(Session& session, Ui& ui, const ParameterSet& knobs, render::Theme theme, Rect room) {
  const UiColours& p = ui.colours();
  const bool playing = session.playing();
  if (iconButton(ui, "lab_live_play", playing ? Icon::Pause : Icon::Play, playing ? "Pause" : "Play",
                 "Plays or pauses the run whose field is filtered. A paused run computes nothing", Emphasis::Accent)) {
    session.togglePlay();
  }
  ImGui::SameLine(0, ui.px(12));
  ImGui::AlignTextToFramePadding();
  clippedText(fmt::format("{}, step {}", session.scene.description->title, session.frame ? session.frame->steps : 0),
              ImGui::GetContentRegionAvail().x, p.dim);
  ImGui::Dummy({0, ui.px(4)});

  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const Rect place{std::round(cursor.x), std::round(cursor.y), std::floor(room.width), std::floor(room.height)};
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::Dummy({place.width, place.height});
  ui.mark("lab_live", false);
  render::FigureOptions look;
  look.theme = theme;
  look.width = static_cast<int>(std::lround(place.width * ui.pixel_ratio));
  look.height = static_cast<int>(std::lround(place.height * ui.pixel_ratio));
  look.scale = std::clamp(std::round(4 * ui.scale * ui.pixel_ratio) / 4, 0.75f, 8.0f);
  follow(session, knobs, look);
  if (drawn_) {
    ImGui::GetWindowDrawList()->AddImage((ImTextureID)(intptr_t)figure_->texture(), {place.x, place.y},
                                         {place.right(), place.bottom()}, {0, 1}, {1, 0});
  }
  if (!failure_.empty()) {
    const Card card(ui, p.error);
    drawProse(ui, failure_, room.width - ui.px(30), p.text);
    ui.mark("lab_live_failure", false);
  }
}

void LabLive::follow(Session& session, const ParameterSet& knobs, const render::FigureOptions& look) {
  const Frame* const frame = session.frame;
  const Description* const of = session.status.description;
  if (!frame || !of || of != session.scene.description) return;  // the last picture stands
  try {
    const View* const view = filters::shownField(*of, session.scene.figure.view);
    if (!view) {
      throw UsageError(
          "The present view shows no field in the plane. Choose a view with a field, or another simulation.");
    }
    std::vector<std::string> needed = render::neededChannels(*of, session.scene.figure);
    const std::string& channel = view->as<FieldView>()->channel;
    if (std::find(needed.begin(), needed.end(), channel) == needed.end()) needed.push_back(channel);
    session.showChannels(needed);
    if (!frame->wants(channel)) return;
    if (!filter_) filter_ = std::make_unique<filters::FieldFilter>(threads_);
    const bool fresh = filter_->follow(*of, *view, *frame, filters::filterFormulaOf(knobs));
    failure_.clear();
    if (!fresh && drawn_ && *drawn_ == look) return;
    if (!figure_) figure_ = std::make_unique<render::Figure>();
    figure_->draw(filter_->description(), filter_->frame().parameters, filter_->frame(), look);
    drawn_ = look;
    redrawn_ = true;
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

WindowPicture::Figure LabLive::takePicture() {
  return {figure_ && drawn_ ? figure_->texture() : 0, std::exchange(redrawn_, false)};
}

void LabLive::forget() {
  drawn_.reset();
  figure_.reset();
  filter_.reset();
  failure_.clear();
}

LabLiveState LabLive::state() const {
  LabLiveState state;
  state.shown = drawn_.has_value();
  state.transforms = filter_ ? filter_->transforms() : 0;
  state.steps = filter_ ? filter_->frame().steps : 0;
  state.failure = failure_;
  return state;
}

}  // namespace simscope::gui
