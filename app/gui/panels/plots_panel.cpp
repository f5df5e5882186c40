#include "app/gui/panels/plots_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace simscope::gui {

namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return !(low <= high); }
};

// A conserved quantity is drawn flat: its noise is the business of the drift that the simulation also reports.
Range widened(Range range) {
  const double middle = (range.low + range.high) / 2;
  const double least = std::max(std::abs(middle) * 2e-3, 1e-12);
  if (range.high - range.low < least) return {middle - least / 2, middle + least / 2};
  const double pad = (range.high - range.low) * 0.06;
  return {range.low - pad, range.high + pad};
}

// What is nothing beside the other end of the range is written as 0.
std::string rangeLabel(double value, const Range& range) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  return labelNumber(std::abs(value) < 1e-6 * largest ? 0 : value);
}

std::optional<std::size_t> exactPartner(const Description& description, std::size_t diagnostic) {
  for (std::size_t i = 0; i < description.diagnostics.size(); ++i) {
    if (description.diagnostics[i].exact_of == description.diagnostics[diagnostic].key) return i;
  }
  return std::nullopt;
}

struct Map {
  Rect place;
  double t0, t1;
  Range y;
  ImVec2 at(double t, double v) const {
    const double x = t1 > t0 ? (t - t0) / (t1 - t0) : 0;
    return {place.x + static_cast<float>(x) * place.width,
            place.bottom() - static_cast<float>((v - y.low) / (y.high - y.low)) * place.height};
  }
};

// The curve, at most two points a pixel column: its lowest and its highest there.
std::vector<ImVec2> curve(const Map& map, std::span<const double> times, std::span<const double> values) {
  std::vector<ImVec2> points;
  const std::size_t columns = static_cast<std::size_t>(std::max(map.place.width, 8.0f));
  const std::size_t bucket = std::max<std::size_t>(1, times.size() / columns);
  for (std::size_t begin = 0; begin < times.size(); begin += bucket) {
    const std::size_t end = std::min(begin + bucket, times.size());
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
      if (std::isfinite(values[i])) points.push_back(map.at(times[i], values[i]));
    }
  }
  return points;
}

void dashedLine(ImDrawList& list, const std::vector<ImVec2>& points, ImU32 colour, float thickness, float dash) {
  bool drawing = true;
  float left = dash;
  for (std::size_t i = 1; i < points.size(); ++i) {
    ImVec2 from = points[i - 1];
    float dx = points[i].x - from.x, dy = points[i].y - from.y;
    float length = std::hypot(dx, dy);
    if (!(length > 0)) continue;
    dx /= length;
    dy /= length;
    while (length > 0) {
      const float part = std::min(left, length);
      const ImVec2 to(from.x + dx * part, from.y + dy * part);
      if (drawing) list.AddLine(from, to, colour, thickness);
      from = to;
      length -= part;
      left -= part;
      if (left <= 0) {
        drawing = !drawing;
        left = dash;
      }
    }
  }
}

// Some have no meaning for what the run has come to. Before the first sample nobody knows.
bool hasValues(const History& history, std::size_t diagnostic) {
  if (history.diagnostics() <= diagnostic || history.samples() == 0) return true;
  const std::span<const double> values = history.series(diagnostic);
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::size_t nearestSample(std::span<const double> times, double t) {
  const auto after = std::lower_bound(times.begin(), times.end(), t);
  if (after == times.begin()) return 0;
  if (after == times.end()) return times.size() - 1;
  return static_cast<std::size_t>(after - times.begin()) - (t - *(after - 1) < *after - t ? 1 : 0);
}

}  // namespace

bool PlotsPanel::matters(const Session& session, std::size_t diagnostic) const {
  const ParameterSet& run = session.status.parameters;
  const bool answered = run.infos().data() == description_->parameters->data();  // and not of another simulation yet
  return !answered || description_->diagnostics[diagnostic].relevant.holds(run);
}

void PlotsPanel::draw(Session& session, Ui& ui) {
  if (!session.status.description) return;
  if (description_ != session.status.description) {
    description_ = session.status.description;
    chosen_.clear();
    for (const DiagnosticInfo& each : description_->diagnostics)
      chosen_.push_back(each.plotted && each.exact_of.empty() ? Choice::WithValues : Choice::Hidden);
  }
  drawHeader(session, ui);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const bool wanted = chosen_[i] == Choice::WithValues ? hasValues(session.history, i) : chosen_[i] == Choice::Shown;
    if (wanted && matters(session, i)) shown.push_back(i);
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (shown.empty()) {
    ImGui::TextDisabled("No plots chosen.");
    return;
  }
  const float gap = ui.px(12);
  const float least = ui.px(132);
  const float count = static_cast<float>(shown.size());
  const float width = std::max(std::floor((room.x - gap * (count - 1)) / count), least);
  // More than fit side by side scroll.
  ImGui::BeginChild("plots_row", room, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0) {
    ImGui::SetScrollX(ImGui::GetScrollX() - ImGui::GetIO().MouseWheel * least / 2);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetContentRegionAvail().y;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    drawPlot(session, ui, shown[i], {at.x + static_cast<float>(i) * (width + gap), at.y, width, height});
  }
  ImGui::EndChild();
}

void PlotsPanel::drawHeader(Session& session, Ui& ui) {
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  pushFont(ui.fonts.bold);
  ImGui::TextUnformatted("Over time");
  ImGui::PopFont();
  const std::span<const double> times = session.history.times();
  if (times.size() > 1) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colours().dim);
    ImGui::Text("%s = %s to %s", session.scene.description->clock.symbol.c_str(), labelNumber(times.front()).c_str(),
                shortNumber(times.back()).c_str());
    // Costly diagnostics are computed less often than pictures are drawn.
    if (const std::int64_t age = session.status.steps - session.status.diagnostics_steps; age > 0) {
      ImGui::SameLine();
      ImGui::Text("%s", fmt::format("({} {} ago)", age, age == 1 ? "step" : "steps").c_str());
      tooltip(ui, fmt::format("Computing them takes {:.3g} ms. While the run plays, they and the search for NaN get at "
                              "most a tenth of the time.",
                              session.status.diagnostics_ms));
    }
    ImGui::PopStyleColor();
  }
  ImGui::SameLine();
  const float width = iconButtonWidth(ui, Icon::None, "Choose...");
  ImGui::SetCursorPosX(right - width);
  if (iconButton(ui, "choose_plots", Icon::None, "Choose...", "Which diagnostics are plotted")) {
    ImGui::OpenPopup("plots");
  }
  if (ImGui::BeginPopup("plots")) {
    ui.popups.push_back("plots");
    if (ui.escape) ImGui::CloseCurrentPopup();
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      // A thermometer that nobody has set down is not offered, nor is an exact value where there is none.
      if (!matters(session, i) || (chosen_[i] != Choice::Shown && !hasValues(session.history, i))) continue;
      bool on = chosen_[i] != Choice::Hidden;
      const DiagnosticInfo& info = description_->diagnostics[i];
      if (ImGui::Checkbox(info.title.c_str(), &on)) chosen_[i] = on ? Choice::Shown : Choice::Hidden;
      ui.mark("plot:" + info.key);
      tooltip(ui, info.help);
    }
    ImGui::EndPopup();
  }
}

void PlotsPanel::drawPlot(const Session& session, Ui& ui, std::size_t diagnostic, const Rect& place) {
  const UiColours& p = ui.colours();
  const DiagnosticInfo& info = description_->diagnostics[diagnostic];
  const History& history = session.history;
  if (history.diagnostics() <= diagnostic) return;
  const std::span<const double> times = history.times(), values = history.series(diagnostic);
  const std::optional<std::size_t> partner = exactPartner(*description_, diagnostic);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thin = std::max(1.0f, ui.scale);

  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::InvisibleButton(("plot_" + info.key).c_str(), {std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  const bool hovered = ImGui::IsItemHovered();

  const float line = ImGui::GetTextLineHeight();
  float right = place.right();
  const auto headline = [&](const std::string& text, ImU32 colour) {
    right -= ImGui::CalcTextSize(text.c_str()).x;
    list.AddText({right, place.y}, colour, text.c_str());
    right -= ui.px(8);
  };
  if (!values.empty()) {
    headline(shortNumber(values.back()), toU32(p.text));
    const double exact = partner ? history.series(*partner).back() : std::numeric_limits<double>::quiet_NaN();
    const std::string text = "exact " + shortNumber(exact);
    const float title = ImGui::CalcTextSize(info.title.c_str()).x;
    if (std::isfinite(exact) && title + ImGui::CalcTextSize(text.c_str()).x + ui.px(16) < right - place.x) {
      headline(text, toU32(p.exact));
    }
  }
  list.AddText({place.x, place.y}, toU32(p.dim), fitted(info.title, right - place.x).c_str());

  const Rect box{place.x, place.y + line + ui.px(3), place.width, place.height - line - ui.px(3)};
  list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, toU32(p.background), ui.px(3));
  if (values.empty() || box.height < ui.px(16)) return;

  Range range;
  for (const double v : values) range.include(v);
  if (partner) {
    for (const double v : history.series(*partner)) range.include(v);
  }
  if (range.empty()) return;
  pushFont(ui.fonts.small);
  const std::string top = rangeLabel(range.high, range), bottom = rangeLabel(range.low, range);
  const float gutter = std::max(ImGui::CalcTextSize(top.c_str()).x, ImGui::CalcTextSize(bottom.c_str()).x) + ui.px(8);
  const Rect inner{box.x + gutter, box.y + ui.px(5), std::max(box.width - gutter - ui.px(6), 1.0f),
                   box.height - ui.px(10)};
  const Map map{inner, times.front(), times.back(), widened(range)};
  list.PushClipRect({box.x, box.y}, {box.right(), box.bottom()}, true);
  const auto label = [&](const std::string& text, double value) {
    const float height = ImGui::GetTextLineHeight();
    const float y = std::clamp(map.at(0, value).y - height / 2, box.y + ui.px(2), box.bottom() - height - ui.px(2));
    list.AddText({inner.x - ui.px(4) - ImGui::CalcTextSize(text.c_str()).x, std::round(y)}, toU32(p.dim), text.c_str());
  };
  label(top, range.high);
  const bool apart = map.at(0, range.low).y - map.at(0, range.high).y > 1.2f * ImGui::GetTextLineHeight();
  if (top != bottom && apart) label(bottom, range.low);
  list.AddLine({inner.x, inner.bottom()}, {inner.right(), inner.bottom()}, toU32(p.line), thin);
  if (partner) {
    dashedLine(list, curve(map, times, history.series(*partner)), toU32(p.exact), 1.2f * thin, ui.px(4));
  }
  const std::vector<ImVec2> points = curve(map, times, values);
  list.AddPolyline(points.data(), static_cast<int>(points.size()), toU32(p.accent), 0, 1.4f * thin);
  if (!points.empty()) list.AddCircleFilled(points.back(), ui.px(2.6f), toU32(p.accent), 12);

  std::string text;
  if (hovered) {
    const double t =
        times.front() + (ImGui::GetIO().MousePos.x - inner.x) / inner.width * (times.back() - times.front());
    const std::size_t i = nearestSample(times, t);
    const ImVec2 mark = map.at(times[i], values[i]);
    list.AddLine({mark.x, box.y}, {mark.x, box.bottom()}, toU32(p.dim, 0.6f), thin);
    list.AddCircleFilled(mark, ui.px(3), toU32(p.text), 12);
    text = fmt::format("{}\n{} = {}:  {}", info.title, session.scene.description->clock.symbol, shortNumber(times[i]),
                       shortNumber(values[i]));
    if (!info.unit.empty()) text += " " + info.unit;
    if (partner && std::isfinite(history.series(*partner)[i]))
      text += fmt::format("\nexact:  {}", shortNumber(history.series(*partner)[i]));
    if (!info.help.empty()) text += "\n" + info.help;
  }
  ImGui::PopFont();
  list.PopClipRect();
  if (hovered) tooltip(ui, text);
}

}  // namespace simscope::gui
