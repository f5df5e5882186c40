#include "app/gui/dialogs/explanation_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/explanation/experiment.h"
#include "app/gui/widgets/equation_view.h"
#include "app/gui/widgets/prose.h"

namespace simscope::gui {

namespace {

constexpr float kPageWidth = 460;

// "Transmission 0.32 (now 0.3207)".
std::string expectationText(const Session& session, const Experiment& experiment, const Expectation& expected,
                            bool now) {
  const Description& description = *session.scene.description;
  const std::size_t index = description.diagnosticIndex(expected.key);
  const DiagnosticInfo& info = description.diagnostics[index];
  std::string text = fmt::format("{} {}", info.title, labelNumber(expected.value));
  if (!info.unit.empty()) text += " " + info.unit;
  const RunnerStatus& run = session.status;
  if (now && index < run.diagnostics.size() && run.diagnostics_steps > 0) {
    const bool there = run.diagnostics_steps >= experiment.steps;
    text += (there ? ", measured " : ", now ") + shortNumber(run.diagnostics[index]);
  }
  return text;
}

}  // namespace

void ExplanationWindow::draw(Session& session, Ui& ui) {
  if (!shown_) return;
  ui.popups.emplace_back("explanation");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(kPageWidth), screen.x * 0.94f);
  const ImVec2 most(screen.x * 0.96f, screen.y * 0.96f);
  ImGui::SetNextWindowPos({ui.px(6), ui.px(6)}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSize({width, std::max(screen.y * 0.7f, std::min(ui.px(300), most.y))}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({std::min(ui.px(300), most.x), std::min(ui.px(200), most.y)}, most);
  const Description& description = *session.scene.description;
  const std::string title = description.title + "###explanation";
  if (ImGui::Begin(title.c_str(), &shown_, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    if (description_ != &description) {
      description_ = &description;
      running_ = nullptr;
      ImGui::SetScrollY(0);
    }
    if (running_ && session.scene.parameters != *running_with_) running_ = nullptr;  // undone, or changed since
    if (const Page* page = pageOf(description.id)) {
      drawPage(session, ui, *page);
    } else {
      drawProse(ui, "This simulation has no page.", ImGui::GetContentRegionAvail().x, ui.colours().dim);
    }
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (ui.probing) ui.probes["explanation"] = {at.x, at.y, size.x, size.y};
  }
  ImGui::End();
}

void ExplanationWindow::drawPage(Session& session, Ui& ui, const Page& page) {
  const UiColours& p = ui.colours();
  const float width = ImGui::GetContentRegionAvail().x - ui.px(4);
  const ParameterSet& parameters = session.scene.parameters;
  drawProse(ui, session.scene.description->summary, width, p.dim);
  ImGui::Dummy({0, ui.px(4)});
  drawEquation(ui, session.scene.description->equationOf(parameters), parameters, width);
  ui.mark("explanation_equation");
  ImGui::Dummy({0, ui.px(4)});
  heading(ui, "The physics", width);
  for (const PageBlock& block : page.physics) {
    if (block.equation) {
      drawEquation(ui, block.text, parameters, width);
    } else {
      drawProse(ui, block.text, width, p.text);
    }
    ImGui::Dummy({0, ui.px(4)});
  }
  heading(ui, "Try", width);
  for (std::size_t i = 0; i < page.experiments.size(); ++i) drawExperiment(session, ui, page.experiments[i], i);
  if (!page.sources.empty()) {
    heading(ui, "Sources", width);
    const ScopedFont font(ui.fonts.small);
    for (const std::string& source : page.sources) drawProse(ui, source, width, p.dim);
  }
}

void ExplanationWindow::drawExperiment(Session& session, Ui& ui, const Experiment& experiment, std::size_t index) {
  const UiColours& p = ui.colours();
  const ScopedId scope(index);
  const bool running = running_ == &experiment;
  const Card card(ui, running ? p.accent : p.line);
  const float width = ImGui::GetContentRegionAvail().x - ui.px(14);
  {
    const ScopedFont font(ui.fonts.bold);
    drawProse(ui, experiment.title, width, p.text);
  }
  for (const std::string& paragraph : experiment.paragraphs) drawProse(ui, paragraph, width, p.text);
  for (const Expectation& expected : experiment.expected) {
    const std::string when =
        experiment.steps == 1 ? "After 1 step: " : fmt::format("After {} steps: ", experiment.steps);
    const ScopedFont font(ui.fonts.small);
    drawProse(ui, when + expectationText(session, experiment, expected, running), width, running ? p.text : p.dim);
  }
  const ScopedDisabled recording(session.recording());
  const std::string id = fmt::format("experiment:{}", index);
  if (iconButton(ui, id.c_str(), Icon::Play, running ? "Again" : "Set it up",
                 (experiment.command + "\n\nCtrl+Z undoes it.").c_str(),
                 running ? Emphasis::Plain : Emphasis::Accent)) {
    try {
      Scene wanted = sceneOf(experiment, *session.scene.description);
      wanted.seed = session.scene.seed;
      session.setUp(std::move(wanted), experiment.title);
      running_ = &experiment;
      running_with_ = session.scene.parameters;
    } catch (const UsageError& error) {
      session.say(Message::Level::Error, error.what());
    }
  }
}

}  // namespace simscope::gui
