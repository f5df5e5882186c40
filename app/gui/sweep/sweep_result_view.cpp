#include "app/gui/sweep/sweep_result_view.h"

#include <algorithm>
#include <cmath>

#include "app/session/opened_run.h"
#include "app/sweep/picture.h"

namespace simscope::gui {

namespace {

constexpr double kDiagramLetters = 0.85;
constexpr float kSmallestSideOfResult = 150;

void openFrom(Session& session, const sweep::Plan& plan, std::size_t run) {
  try {
    openRun(session, plan, run);
  } catch (const UsageError& error) {
    session.say(Message::Level::Warning, error.what());
  }
}

}  // namespace

void SweepResultView::show(sweep::Plan plan, std::shared_ptr<const sweep::Result> result, bool figures) {
  plan_ = std::move(plan);
  result_ = std::move(result);
  const std::size_t row = plan_->values.front().size();
  chosen_ = plan_->runs() / row / 2 * row + row / 2;  // in the middle
  pointed_.reset();
  by_figures_ = figures;
  if (!figures) figures_.clear();
  measure(plan_->measures.front());
}

void SweepResultView::showFigures(const std::vector<std::uint8_t>& picture, int width, int height) {
  pixels_ = picture;
  figures_.show(picture, width, height);
  by_figures_ = true;
}

void SweepResultView::measure(std::size_t diagnostic) {
  plan_->measures = {diagnostic};
  if (plan_->axes.size() == 1) curve_ = sweep::curveOf(*plan_, *result_);
  plot_.emplace();
  plot_->pin();
  plot_->begin(plan_->axes.front().log, false);
  drawn_.reset();
}

std::string SweepResultView::draw(Session& session, Ui& ui, const sweep::Plan* running, bool busy) {
  std::string format;
  const bool live = running && !figures_.empty();
  if (!live && empty()) {
    smallLine(ui,
              "Choose a parameter and press Run. Each of its values makes one run; the values measured at the ends of "
              "the runs become a curve. Two parameters make a phase diagram.",
              ui.colours().dim);
    return format;
  }
  if (!live) {
    format = drawHeader(session, ui, busy);
    drawReading(session, ui);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Rect place{at.x, at.y, std::max(room.x, ui.px(kSmallestSideOfResult)),
                   std::max(room.y, ui.px(kSmallestSideOfResult))};
  const sweep::Plan& plan = live ? *running : *plan_;
  Cursor cursor;
  if (live || showsFigures()) {
    cursor = drawFigures(ui, plan, place);
  } else if (plan.axes.size() == 1) {
    cursor = drawCurve(session, ui, place);
  } else {
    cursor = drawDiagram(session, ui, place);
  }
  if (ui.probing) ui.probes["sweep_result"] = place;
  pointed_ = cursor.pointed;
  if (cursor.picked && !session.recording()) {
    if (!live) chosen_ = *cursor.picked;
    openFrom(session, plan, *cursor.picked);
  }
  return format;
}

std::string SweepResultView::drawHeader(Session& session, Ui& ui, bool busy) {
  std::string format;
  const bool other = &plan_->description() != session.scene.description;
  const DiagnosticInfo& info = plan_->description().diagnostics[plan_->measures.front()];
  smallLine(ui, (other ? plan_->description().title + ": " : "") + sweep::summaryOf(*plan_, *result_),
            ui.colours().dim);
  ui.mark("sweep_summary", false);
  for (const std::string& each : sweep::troublesOf(*plan_, *result_)) {
    const ScopedFont font(ui.fonts.small);
    clippedText(each, ImGui::GetContentRegionAvail().x, ui.colours().warning);
    tooltip(ui, each);
  }
  struct Saved {
    const char *ending, *label, *help;
  };
  static constexpr Saved kSaved[] = {
      {".csv", "CSV", "The table: a row for each run, with the exact values"},
      {".npy", "NPY", "The same as a NumPy array"},
      {".png", "PNG", "The picture shown, in the size of the scene's recordings"},
      {".gif", "GIF", "The runs' figures side by side over time; the runs are computed again"}};
  ImGui::AlignTextToFramePadding();
  clippedText("Save " + info.title + " as", ImGui::GetContentRegionAvail().x * 0.36f, ui.colours().dim);
  for (const Saved& each : kSaved) {
    const ScopedDisabled disabled(busy);
    ImGui::SameLine(0, ui.px(6));
    if (iconButton(ui, (std::string("sweep_save:") + each.label).c_str(), Icon::None, each.label, each.help)) {
      format = each.ending;
    }
  }
  if (!figures_.empty()) {
    ImGui::SameLine(0, ui.px(14));
    const char* const values = plan_->axes.size() == 1 ? "Show the curve" : "Show the diagram";
    const char* const label = by_figures_ ? values : "Show the figures";
    if (iconButton(ui, "sweep_other", Icon::None, label, "")) by_figures_ = !by_figures_;
  }
  return format;
}

// What the mouse does, for the keyboard.
void SweepResultView::drawReading(Session& session, Ui& ui) {
  const std::size_t runs = plan_->runs(), shown = pointed_.value_or(chosen_);
  const float square = ImGui::GetFrameHeight();
  if (iconButton(ui, "sweep_before", Icon::StepBack, "", "The previous run", Emphasis::Quiet, square)) {
    chosen_ = (chosen_ + runs - 1) % runs;
  }
  ImGui::SameLine(0, ui.px(2));
  if (iconButton(ui, "sweep_next", Icon::Step, "", "The next run", Emphasis::Quiet, square)) {
    chosen_ = (chosen_ + 1) % runs;
  }
  ImGui::SameLine(0, ui.px(6));
  if (const ScopedDisabled recording(session.recording()); iconButton(
          ui, "sweep_open", Icon::Play, "Open", "Plays this run in the window. Ctrl+Z restores the former run.")) {
    openFrom(session, *plan_, chosen_);
  }
  ImGui::SameLine(0, ui.px(8));
  std::string text;
  for (const std::string& line : sweep::readingOf(*plan_, *result_, shown)) text += (text.empty() ? "" : "   ") + line;
  ImGui::AlignTextToFramePadding();
  clippedText(text, ImGui::GetContentRegionAvail().x, ui.colours().text);
  ui.mark("sweep_reading", false);
  tooltip(ui, text);
}

SweepResultView::Cursor SweepResultView::drawCurve(Session& session, Ui& ui, const Rect& place) {
  const Description& description = plan_->description();
  const std::size_t measure = plan_->measures.front(), parameter = plan_->axes.front().parameter;
  const DiagnosticInfo& info = description.diagnostics[measure];
  Plot plot{.key = "sweep", .title = info.title, .x = {}, .y = {"", info.unit}, .series = {}};
  plot.x = {plan_->scene.parameters.title(parameter), plan_->scene.parameters.unit(parameter)};
  plot.series.push_back({.key = info.key, .title = info.title, .unit = info.unit, .x = curve_.x, .y = curve_.measured});
  if (const auto exact = sweep::exactOf(description, measure)) {
    const DiagnosticInfo& own = description.diagnostics[*exact];
    plot.series.push_back({.key = own.key,
                           .title = own.title,
                           .unit = own.unit,
                           .x = curve_.x,
                           .y = curve_.exact,
                           .style = PlotSeries::Style::Dashed,
                           .colour = 1,
                           .exact = true});
  }
  const PlotView::Response response = plot_->draw(session, ui, plot, place, false, {});
  const auto runOf = [&](const std::optional<double>& x) -> std::optional<std::size_t> {
    if (!x) return std::nullopt;
    return sweep::runAt(*plan_, plan_->axes.front().log ? std::log10(*x) : *x, 0);
  };
  return {runOf(response.pointed), runOf(response.picked)};
}

void SweepResultView::makeDiagram(const Session& session, const Ui& ui, const Rect& place) {
  DiagramLook look{plan_->measures.front(), plan_->scene.figure};
  look.options.width = std::max(kSmallestSide, static_cast<int>(std::lround(place.width * ui.pixel_ratio)));
  look.options.height = std::max(kSmallestSide, static_cast<int>(std::lround(place.height * ui.pixel_ratio)));
  look.options.scale = scaleOnScreen(kDiagramLetters, ui.scale * ui.pixel_ratio);
  look.options.supersampling = 1;
  look.options.theme = session.scene.figure.theme;
  const bool still = wanted_ == look;  // a window that is being resized waits until it is not
  wanted_ = look;
  if (drawn_ == look || (drawn_ && !still)) return;
  const sweep::Picture picture = sweep::pictureOf(*plan_, *result_, look.options);
  if (!figure_) figure_ = std::make_unique<render::Figure>();
  figure_->draw(picture.description, picture.parameters, picture.frame, picture.options);
  panels_ = figure_->panels();
  diagram_.show(figure_->read(), look.options.width, look.options.height);
  drawn_ = look;
}

SweepResultView::Cursor SweepResultView::drawDiagram(const Session& session, Ui& ui, const Rect& place) {
  makeDiagram(session, ui, place);
  ImGui::SetCursorScreenPos({place.x, place.y});
  const bool pressed = ImGui::InvisibleButton("sweep_diagram", {place.width, place.height});
  if (ui.probing) ui.probes["sweep_diagram"] = place;
  ImGui::GetWindowDrawList()->AddImage(diagram_.id(), {place.x, place.y}, {place.right(), place.bottom()});
  outline(ui, place, chosen_);
  if (!ImGui::IsItemHovered()) return {};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double x = (mouse.x - place.x) / place.width * diagram_.width();
  const double y = (mouse.y - place.y) / place.height * diagram_.height();
  for (const auto& panel : panels_) {
    const render::PlotArea& area = panel.area;
    if (x < area.left || x > area.left + area.width || y < area.top || y > area.top + area.height) continue;
    const auto run = sweep::runAt(*plan_, area.xAt(x), area.yAt(y));
    if (!run) break;
    outline(ui, place, *run);
    tell(ui, *plan_, result_.get(), *run);
    return {run, pressed ? run : std::nullopt};
  }
  return {};
}

// The run's cell, in each panel.
void SweepResultView::outline(const Ui& ui, const Rect& place, std::size_t run) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float across = place.width / static_cast<float>(diagram_.width());
  const float down = place.height / static_cast<float>(diagram_.height());
  const auto cellOf = [&](std::size_t axis) {
    const sweep::Places places = sweep::placesOf(*plan_, axis);
    const auto own = std::find(places.value.begin(), places.value.end(), plan_->valueIndex(run, axis));
    return places.cell(static_cast<std::size_t>(own - places.value.begin()));
  };
  const render::Limits across_cell = cellOf(0), up_cell = cellOf(1);
  for (const auto& panel : panels_) {
    const render::PlotArea& a = panel.area;
    const auto x = [&](double value) {
      return place.x + across * static_cast<float>(a.left + (value - a.x.low) / (a.x.high - a.x.low) * a.width);
    };
    const auto y = [&](double value) {
      return place.y + down * static_cast<float>(a.top + (a.y.high - value) / (a.y.high - a.y.low) * a.height);
    };
    const ImVec2 low(x(across_cell.low), y(up_cell.high)), high(x(across_cell.high), y(up_cell.low));
    list.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, IM_COL32(0, 0, 0, 160), 0, 0, ui.px(3));
    list.AddRect(low, high, IM_COL32_WHITE, 0, 0, std::max(1.0f, ui.px(1)));
  }
}

SweepResultView::Cursor SweepResultView::drawFigures(Ui& ui, const sweep::Plan& plan, const Rect& place) {
  Cursor cursor;
  const auto width = static_cast<float>(figures_.width()), height = static_cast<float>(figures_.height());
  // In their own pixels where they do not fit: smaller ones could not be read.
  const float own = 1 / ui.pixel_ratio, fit = std::min(place.width / width, place.height / height);
  const float shown = fit >= 0.85f * own ? std::min(fit, 1.25f * own) : own;
  ImGui::BeginChild("sweep_pictures", {place.width, place.height}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton("sweep_picture", {width * shown, height * shown});
  ImGui::GetWindowDrawList()->AddImage(figures_.id(), at, {at.x + width * shown, at.y + height * shown});
  if (ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const sweep::Tiles tiles = sweep::tilesFor(plan, figures_.width(), figures_.height());
    cursor.pointed = tiles.runAt((mouse.x - at.x) / shown, (mouse.y - at.y) / shown, plan.runs());
    if (cursor.pointed) {
      const float left = at.x + shown * static_cast<float>(tiles.left(*cursor.pointed));
      const float top = at.y + shown * static_cast<float>(tiles.top(*cursor.pointed));
      ImGui::GetWindowDrawList()->AddRect(
          {left, top}, {left + shown * static_cast<float>(tiles.width), top + shown * static_cast<float>(tiles.height)},
          toU32(ui.colours().accent), 0, 0, std::max(1.0f, ui.px(2)));
      tell(ui, plan, plan_ && &plan == &*plan_ ? result_.get() : nullptr, *cursor.pointed);
      if (pressed) cursor.picked = cursor.pointed;
    }
  }
  ImGui::EndChild();
  return cursor;
}

void SweepResultView::tell(Ui& ui, const sweep::Plan& plan, const sweep::Result* result, std::size_t run) const {
  const ScopedStyle padding(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(8)});
  const ScopedTooltip window;
  const ScopedFont font(ui.fonts.small);
  if (result) {
    for (const std::string& line : sweep::readingOf(plan, *result, run)) ImGui::TextUnformatted(line.c_str());
  } else {
    ImGui::TextUnformatted(plan.label(run).c_str());
  }
  ui.mark("sweep_reading:" + plan.label(run), false);
  ImGui::TextDisabled("A click opens this run");
}

}  // namespace simscope::gui
