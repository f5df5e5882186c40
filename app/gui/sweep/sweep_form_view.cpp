#include "app/gui/sweep/sweep_form_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/panels/parameters/parameter_words.h"

namespace simscope::gui {

namespace {

using sweep::FilledForm;
using sweep::Form;
using sweep::FormField;

void sweepLabel(Ui& ui, const std::string& text) {
  const ScopedFont font(ui.fonts.small);
  clippedText(text, ImGui::GetContentRegionAvail().x, ui.colours().dim);
}

std::string titleWithUnit(const std::string& title, const std::string& unit) {
  return unit.empty() ? title : title + " [" + unit + "]";
}

std::string inUnit(const sweep::TypedAxis& axis) {
  return axis.unit.empty() ? std::string() : fmt::format("  [{}]", axis.unit);
}

}  // namespace

void SweepFormView::draw(Ui& ui, const Scene& scene, Form& form, const FilledForm& filled) {
  for (std::size_t i = 0; i < form.axes.size(); ++i) drawAxis(ui, scene, form, i, filled);
  if (form.axes.size() < sweep::kMostAxes && sweep::sweptParameters(scene.parameters).size() > 1 &&
      iconButton(ui, "sweep_second", Icon::Plus, "Second parameter", "A phase diagram instead of a curve")) {
    sweep::addSecondAxis(form, scene);
  }
  ImGui::Dummy({0, ui.px(2)});
  drawMeasure(ui, scene, form);
  ImGui::Dummy({0, ui.px(2)});
  sweepLabel(ui, "Steps of each run");
  const std::int64_t usual = scene.beginsAt() + static_cast<std::int64_t>(scene.frames) * scene.steps_per_frame;
  drawField(ui, "sweep_steps", fmt::format("{} (to the scene's end)", usual).c_str(), form.steps,
            ImGui::GetContentRegionAvail().x, filled.find(FormField::Steps) != nullptr);
  drawError(ui, filled, FormField::Steps, 0, "sweep_steps");
  ImGui::Dummy({0, ui.px(2)});
  drawShown(ui, form, filled);
}

void SweepFormView::drawAxis(Ui& ui, const Scene& scene, Form& form, std::size_t number, const FilledForm& filled) {
  sweep::TypedAxis& axis = form.axes[number];
  const ParameterSet& parameters = scene.parameters;
  const auto named = [&](const char* what) { return fmt::format("sweep_{}:{}", what, number); };
  const auto wrong = [&](FormField field) { return filled.find(field, number) != nullptr; };
  const ScopedId id(number);
  sweepLabel(ui, number == 0 ? "Parameter" : "Second parameter");
  const float full = ImGui::GetContentRegionAvail().x, gap = ui.px(6), square = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(number == 0 ? full : full - square - gap);
  const std::string& title = parameters.title(axis.parameter);
  const bool list = beginCombo(ui, "##parameter", kLabelBeside, title.c_str());
  ui.mark(named("parameter"));
  if (list) {
    bool matters = true;
    for (const std::size_t i : sweep::sweptParameters(parameters)) {
      if (matters && !parameters.matters(i)) {
        matters = false;
        ImGui::Separator();
        ImGui::TextDisabled("not used here");
      }
      const ScopedId choice(i);
      const bool chosen =
          ImGui::Selectable(titleWithUnit(parameters.title(i), parameters.unit(i)).c_str(), i == axis.parameter);
      ui.mark(fmt::format("sweep_choice:{}:{}", number, parameters.infos()[i].key));
      tooltip(ui, parameterHelp(parameters, i));
      if (!chosen || i == axis.parameter) continue;
      axis = sweep::proposedAxis(scene, i, form.axes.size() > 1 ? 12 : 24);
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, parameterHelp(parameters, axis.parameter));
  }
  bool gone = false;
  if (number > 0) {
    ImGui::SameLine(0, gap);
    gone = iconButton(ui, "sweep_alone", Icon::Cross, "", "Remove the second parameter", Emphasis::Quiet, square);
  }
  drawError(ui, filled, FormField::Parameter, number, named("parameter"));

  drawListed(ui, parameters, axis, number);
  if (axis.listed) {
    sweepLabel(ui, "Values, with commas between them" + inUnit(axis));
    drawField(ui, named("values"), "1, 2, 5", axis.values, full, wrong(FormField::Values));
    drawError(ui, filled, FormField::Values, number, named("values"));
  } else {
    drawRange(ui, axis, number, parameters.infos()[axis.parameter].power_of_two, filled);
  }
  ImGui::Dummy({0, ui.px(4)});
  if (gone) form.axes.pop_back();
}

// How the values are given. A list begins with the values of the range.
void SweepFormView::drawListed(Ui& ui, const ParameterSet& parameters, sweep::TypedAxis& axis, std::size_t number) {
  const auto choice = [&](const char* label, bool listed, const char* mark, const char* help) {
    if (ImGui::RadioButton(label, axis.listed == listed)) {
      if (listed && axis.values.empty()) axis.values = sweep::listedText(axis, parameters);
      axis.listed = listed;
    }
    ui.mark(fmt::format("{}:{}", mark, number));
    tooltip(ui, help);
  };
  choice("Range", false, "sweep_range", "From one value to another");
  ImGui::SameLine(0, ui.px(12));
  choice("List", true, "sweep_list", "Each value by itself");
}

void SweepFormView::drawRange(Ui& ui, sweep::TypedAxis& axis, std::size_t number, bool powers,
                              const FilledForm& filled) {
  const auto named = [&](const char* what) { return fmt::format("sweep_{}:{}", what, number); };
  const auto wrong = [&](FormField field) { return filled.find(field, number) != nullptr; };
  sweepLabel(ui, "From, to" + inUnit(axis));
  const float gap = ui.px(6), half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  drawField(ui, named("from"), "from", axis.from, half, wrong(FormField::From));
  ImGui::SameLine(0, gap);
  drawField(ui, named("to"), "to", axis.to, half, wrong(FormField::To));
  drawError(ui, filled, FormField::From, number, named("from"));
  drawError(ui, filled, FormField::To, number, named("to"));

  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ui.colours().dim, "Values");
  ImGui::SameLine(0, gap);
  drawField(ui, named("count"), "count", axis.count, ui.px(64), wrong(FormField::Count));
  ImGui::SameLine(0, ui.px(12));
  bool log = axis.log || powers;
  if (const ScopedDisabled fixed(powers); ImGui::Checkbox("Equal factors", &log)) axis.log = log;
  ui.mark(named("log"));
  tooltip(ui, powers ? "Powers of two"
                     : "Each value is a fixed factor times the previous one. Otherwise the distances are equal");
  drawError(ui, filled, FormField::Count, number, named("count"));
  drawError(ui, filled, FormField::Spacing, number, named("log"));
}

void SweepFormView::drawMeasure(Ui& ui, const Scene& scene, Form& form) {
  const Description& description = *scene.description;
  sweepLabel(ui, "Measured at the end of each run");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const DiagnosticInfo& now = description.diagnostics[form.measure];
  const bool list = beginCombo(ui, "##measure", kLabelBeside, now.title.c_str());
  ui.mark("sweep_measure");
  if (list) {
    bool meant = true;
    for (const std::size_t i : sweep::measuresOf(description, scene.parameters)) {
      const DiagnosticInfo& info = description.diagnostics[i];
      if (meant && !info.relevant.holds(scene.parameters)) {
        meant = false;
        ImGui::Separator();
        ImGui::TextDisabled("not defined here");
      }
      const ScopedId choice(i);
      std::string text = titleWithUnit(info.title, info.unit);
      if (sweep::exactOf(description, i)) text += "  with the exact value";
      if (ImGui::Selectable(text.c_str(), i == form.measure)) form.measure = i;
      ui.mark("sweep_measure:" + info.key);
      tooltip(ui, info.help);
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, now.help);
  }
}

void SweepFormView::drawShown(Ui& ui, Form& form, const FilledForm& filled) {
  sweepLabel(ui, "Shown as");
  const auto choice = [&](const char* id, const char* label, bool figures, const char* help) {
    if (ImGui::RadioButton(label, form.figures == figures)) form.figures = figures;
    ui.mark(id);
    tooltip(ui, help);
  };
  if (form.axes.size() == 1) {
    choice("sweep_values", "Curve", false, "With the exact curve over it");
  } else {
    choice("sweep_values", "Phase diagram", false, "One colour for each run, with the exact values beside it");
  }
  ImGui::SameLine(0, ui.px(12));
  choice("sweep_figures", "Live figures", true,
         "All runs side by side while they compute, and the values at their end");
  drawError(ui, filled, FormField::Shown, 0, "sweep_figures");
}

bool SweepFormView::drawField(Ui& ui, const std::string& mark, const char* hint, std::string& text, float width,
                              bool wrong) {
  const RefusedFrame frame(ui, wrong);
  ImGui::SetNextItemWidth(width);
  const bool edited = textLine(("##" + mark).c_str(), hint, text, ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemActive()) {
    typing_ = mark;
  } else if (typing_ == mark) {
    typing_.clear();
  }
  ui.mark(mark);
  return edited;
}

void SweepFormView::drawError(Ui& ui, const FilledForm& filled, FormField field, std::size_t axis,
                              const std::string& mark) {
  const sweep::FormError* const error = filled.find(field, axis);
  if (!error || typing_ == mark) return;
  smallLine(ui, error->text, ui.colours().error);
  ui.mark("error:" + mark, false);
}

}  // namespace simscope::gui
