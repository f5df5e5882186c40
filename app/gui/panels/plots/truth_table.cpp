#include "app/gui/panels/plots/truth_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/parameters/parameter_words.h"
#include "app/gui/widgets/plot_drawing.h"

namespace simscope::gui {

namespace {

// At a scale of 1.
constexpr float kDotRoom = 13, kLeastSpark = 24, kColumnGap = 8;

// Before the end of a preset a value may still be on its way to the exact one.
ImVec4 colourOf(const UiColours& p, Verdict verdict, bool at_end) {
  switch (verdict) {
    case Verdict::Kept:
      return p.good;
    case Verdict::Exceeded:
      return p.error;
    case Verdict::Apart:
      return at_end ? p.warning : p.dim;
    case Verdict::None:
      break;
  }
  return p.dim;
}

std::string errorText(double error, bool relative) {
  if (!std::isfinite(error)) return "";
  if (!relative) return fmt::format("{:.1e}", std::abs(error));
  const double percent = 100 * std::abs(error);
  if (percent == 0) return "0 %";
  if (percent >= 10'000) return fmt::format("{:.0e}", std::abs(error));
  if (percent >= 10) return fmt::format("{:.0f} %", percent);
  return percent >= 0.01 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0e}", std::abs(error));
}

// "Time step Δt = 0.012 m·length²/ħ"; empty: there is no cure, or the scene is on the way to another simulation.
std::string cureText(const ParameterSet& parameters, const Finding& finding) {
  if (finding.key.empty()) return "";
  try {
    const std::size_t index = parameters.find(finding.key);
    return parameters.title(index) + " = " +
           valueText(parameters, index, parseValue(parameters.infos()[index], finding.value));
  } catch (const UsageError&) {
    return "";
  }
}

// In words, for the tooltip.
std::string verdictText(const Truth& truth, const Description& description) {
  const DiagnosticInfo& info = description.diagnostics[truth.diagnostic];
  std::string text;
  if (info.bound > 0) {
    text += fmt::format("\nBound {}: {}", shortNumber(info.bound),
                        truth.verdict == Verdict::Exceeded ? "exceeded" : "kept");
  }
  if (!truth.exact) return text;
  const DiagnosticInfo& exact = description.diagnostics[*truth.exact];
  text += "\nExact: " + valueText(truth.exact_value, exact.unit);
  if (std::isfinite(truth.error)) {
    text += truth.exact_value == 0 ? fmt::format(", difference {:.2e}", truth.error)
                                   : fmt::format(", relative error {:.2e}", truth.error);
  }
  if (truth.tolerance > 0) {
    text += fmt::format("\nAt the end of a preset they agree within {}", shortNumber(truth.tolerance));
    if (truth.verdict == Verdict::Apart) text += "; now they do not";
  }
  if (!exact.help.empty()) text += "\n" + exact.help;
  return text;
}

// The bound or exact value, then the error. If `width` has no room for both, the error alone. width 0: both.
std::string heldText(const Truth& truth, const DiagnosticInfo& info, float width) {
  std::string held;
  if (info.bound > 0) {
    held = (truth.verdict == Verdict::Exceeded ? "> " : "≤ ") + labelNumber(info.bound);
  } else if (truth.exact && std::isfinite(truth.exact_value)) {
    held = "exact " + shortNumber(truth.exact_value);
  }
  if (!truth.exact || !std::isfinite(truth.error)) return held;
  const std::string error = "Δ " + errorText(truth.error, truth.exact_value != 0);
  const std::string both = held.empty() ? error : held + "  " + error;
  return width <= 0 || ImGui::CalcTextSize(both.c_str()).x <= width ? both : error;
}

float widthOf(const std::string& text) {
  return ImGui::CalcTextSize(text.c_str()).x;
}

}  // namespace

// Columns are as wide as their texts; the sparklines get the rest. A column never gets narrower, so that changing
// numbers do not move the others.
void TruthTable::arrange(const Session& session, const Ui& ui, const std::vector<Truth>& truths) {
  const Description& description = *session.status.description;
  if (std::exchange(arranged_for_, &description) != &description || std::exchange(arranged_at_, ui.scale) != ui.scale) {
    columns_ = {};
  }
  const auto grown = [&](float& width, const std::string& text) { width = std::max(width, std::ceil(widthOf(text))); };
  for (const Truth& truth : truths) {
    const DiagnosticInfo& info = description.diagnostics[truth.diagnostic];
    grown(columns_.title, info.title);
    grown(columns_.value, valueText(truth.value, info.unit));
    grown(columns_.against, heldText(truth, info, 0));
  }
}

float TruthTable::wished(const Ui& ui) const {
  const float texts = columns_.title + columns_.value + columns_.against;
  return texts > 0 ? ui.px(kDotRoom + kLeastSpark + 3 * kColumnGap) + texts + ImGui::GetStyle().ScrollbarSize : 0;
}

void TruthTable::draw(Session& session, Ui& ui) {
  ImGui::BeginChild("truth_rows", {0, 0}, false);
  const RunnerStatus& status = session.status;
  if (status.description && status.parameters.infos().data() == status.description->parameters->data()) {
    for (const Finding& finding : status.findings) drawFinding(session, ui, finding);
    const ScopedFont font(ui.fonts.small);
    const std::vector<Truth> truths = truthsOf(*status.description, status.parameters, status.diagnostics);
    arrange(session, ui, truths);
    for (const Truth& truth : truths) {
      const std::string& key = status.description->diagnostics[truth.diagnostic].key;
      const bool ever =
          truth.diagnostic < session.history.diagnostics() &&
          std::any_of(session.history.series(truth.diagnostic).begin(), session.history.series(truth.diagnostic).end(),
                      [](double v) { return std::isfinite(v); });
      if (!std::isfinite(truth.value) && !ever) continue;  // no value yet, such as of a thermometer that is not placed
      const ScopedId id(key);
      drawRow(session, ui, truth);
    }
  }
  ImGui::EndChild();
}

void TruthTable::drawFinding(Session& session, Ui& ui, const Finding& finding) {
  const UiColours& p = ui.colours();
  const ImVec4& colour = finding.level == Finding::Level::Warning ? p.warning : p.note;
  const float height = ImGui::GetFrameHeight(), width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string label = cureText(session.scene.parameters, finding);
  const float button = label.empty() ? 0 : std::min(iconButtonWidth(ui, Icon::None, label.c_str()), width * 0.5f);
  const float room = width - button - ui.px(16);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + ui.px(3), at.y + height}, toU32(colour), ui.px(2));
  ImGui::SetCursorScreenPos({at.x + ui.px(10), at.y + ImGui::GetStyle().FramePadding.y});
  const std::string message = finding.told(session.status.steps);
  clippedText(message, std::max(room, 1.0f), p.text);
  ui.mark("truth_finding:" + finding.code);
  tooltip(ui, message);
  if (!label.empty()) {
    ImGui::SetCursorScreenPos({at.x + width - button, at.y});
    const ScopedDisabled recording(session.recording());
    const std::string help = fmt::format("Fixes it: {} = {}", finding.key, finding.value);
    const std::string id = "truth_cure:" + finding.code;
    if (iconButton(ui, id.c_str(), Icon::None, fitted(label, button - ui.px(8)).c_str(), help.c_str(), Emphasis::Plain,
                   button)) {
      try {
        const std::size_t index = session.scene.parameters.find(finding.key);
        session.setParameter(index, parseValue(session.scene.parameters.infos()[index], finding.value));
      } catch (const UsageError& error) {
        session.say(Message::Level::Error, error.what());
      }
    }
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + ui.px(3)});
  ImGui::Dummy({0, 0});
}

void TruthTable::drawRow(const Session& session, Ui& ui, const Truth& truth) {
  const Description& description = *session.status.description;
  const DiagnosticInfo& info = description.diagnostics[truth.diagnostic];
  const UiColours& p = ui.colours();
  const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight(), height = line + ui.px(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("row", {std::max(width, 1.0f), height});
  const bool hovered = ImGui::IsItemHovered();
  ui.mark("truth:" + info.key);
  std::string help = info.title + (info.unit.empty() ? "" : " [" + info.unit + "]");
  if (!info.help.empty()) help += "\n" + info.help;
  tooltip(ui, help + verdictText(truth, description));

  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hovered) list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.hovered, 0.5f), ui.px(3));
  const float top = std::round(at.y + ui.px(2)), middle = at.y + height / 2;
  const std::optional<RunEnd> end = session.runEnd();
  const bool at_end = session.status.at_end || (end && session.status.steps >= end->step);
  const ImVec4 colour = colourOf(p, truth.verdict, at_end);
  const ImVec2 dot(at.x + ui.px(5), middle);
  if (truth.verdict == Verdict::Apart && !at_end) {
    list.AddCircle(dot, ui.px(3), toU32(colour), 14, std::max(1.0f, ui.scale));
  } else if (truth.verdict != Verdict::None) {
    list.AddCircleFilled(dot, ui.px(3), toU32(colour), 14);
  }
  // From the left: the title, the sparkline, the value, and what it is held against. In a narrow panel the sparkline
  // gives way first, then what both values are beside their difference, then the ends of titles.
  const float gap = ui.px(kColumnGap), title_left = at.x + ui.px(kDotRoom), all = width - ui.px(kDotRoom);
  const float least_spark = std::min(ui.px(kLeastSpark), all * 0.1f);
  const float free = all - columns_.title - columns_.against - least_spark - 3 * gap;
  const float value = std::min(columns_.value, std::max(all * 0.4f, free));
  const float beside = all - value - least_spark - 3 * gap;
  float against = columns_.against;
  if (columns_.title + against > beside) against = std::min(against, std::max(beside - columns_.title, all * 0.18f));
  const float spark = std::clamp(beside - columns_.title - against + least_spark, least_spark, all * 0.2f);
  const float against_left = at.x + width - against;
  const float value_left = against_left - (against > 0 ? gap : 0) - value;
  const float spark_left = value_left - gap - spark;
  const auto text = [&](float left, float room, const std::string& words, const ImVec4& ink, bool to_right) {
    const std::string shown = fitted(words, room);
    const float x = to_right ? left + room - ImGui::CalcTextSize(shown.c_str()).x : left;
    list.AddText({std::round(x), top}, toU32(ink), shown.c_str());
  };
  text(title_left, spark_left - title_left - ui.px(6), info.title, p.dim, false);
  if (truth.diagnostic < session.history.diagnostics()) {
    PlotSeries series;
    series.x = session.history.times();
    series.y = session.history.series(truth.diagnostic);
    drawSparkline(ui, list, series, {spark_left, at.y + ui.px(4), spark, height - ui.px(8)});
  }
  text(value_left, value, valueText(truth.value, info.unit), p.text, true);
  text(against_left, against, heldText(truth, info, against), info.bound > 0 || truth.exact ? colour : p.dim, true);
}

}  // namespace simscope::gui
