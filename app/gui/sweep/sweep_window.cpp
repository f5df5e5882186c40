#include "app/gui/sweep/sweep_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

constexpr float kSweepWidth = 1000, kSweepHeight = 640, kFormWidth = 300, kNarrow = 620;
constexpr float kHeaderHeight = 92;    // of what stands above figures once they are there
constexpr double kDrawBudget = 0.008;  // seconds of a turn, for live figures

std::string sweepTime(double seconds) {
  if (seconds < 0.95) return fmt::format("{:.0f} ms", std::max(1.0, 1e3 * seconds));
  if (seconds < 9.5) return fmt::format("{:.1f} s", seconds);
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} hours", seconds / 3600);
}

// What a plan is made of, and what its estimate rests on.
bool sameForSweep(const Scene& a, const Scene& b) {
  return a.description == b.description && a.parameters == b.parameters && a.preset == b.preset && a.seed == b.seed &&
         a.steps_per_frame == b.steps_per_frame && a.frames == b.frames && a.figure == b.figure &&
         a.timeline.strokes == b.timeline.strokes && a.timeline.tracks == b.timeline.tracks;
}

}  // namespace

void SweepWindow::close() {
  shown_ = false;
  cancel();
}

void SweepWindow::cancel() {
  if (!job_) return;
  job_->cancel();
  ending_.push_back(std::move(job_));
  view_.forgetFigures();
}

bool SweepWindow::poll() {
  std::erase_if(ending_, [](const auto& each) { return each->finished(); });
  if (writing_ && writing_->finished()) return true;
  if (!job_) return false;
  bool changed = false;
  if (job_->order().figures) {
    if (!figure_) figure_ = std::make_unique<render::Figure>();
    if (job_->draw(*figure_, kDrawBudget)) {
      const render::FigureOptions& look = job_->plan().scene.figure;
      view_.showFigures(job_->picture(), look.width, look.height);
      changed = true;
    }
  }
  const double share = job_->progress().share;
  changed = changed || job_->finished() || share != seen_share_;
  seen_share_ = share;
  return changed;
}

// What is filled in is the open simulation's; numbers that were typed come back with it.
void SweepWindow::follow(const Session& session) {
  const Scene& scene = session.scene;
  if (filled_scene_.description != scene.description) {
    if (filled_scene_.description && unfit_.empty()) left_[filled_scene_.description] = form_;
    filled_form_.reset();
    unfit_.clear();
    const auto left = left_.find(scene.description);
    try {
      form_ = left != left_.end() ? left->second : sweep::proposedForm(scene);
    } catch (const UsageError& error) {
      unfit_ = error.what();
    }
  }
  if (filled_form_ == form_ && sameForSweep(filled_scene_, scene)) return;
  filled_form_ = form_;
  filled_scene_ = scene;
  filled_ = unfit_.empty() ? sweep::filled(form_, scene) : sweep::FilledForm{};
  // Another diagnostic of the runs that there are needs no new ones.
  if (!view_.empty() && &view_.plan().description() == scene.description &&
      view_.plan().measures.front() != form_.measure) {
    view_.measure(form_.measure);
  }
}

void SweepWindow::take(Session& session) {
  if (job_ && job_->finished()) finish(session);
  if (!writing_ || !writing_->finished()) return;
  const std::unique_ptr<sweep::Writing> done = std::exchange(writing_, nullptr);
  try {
    for (const std::string& line : done->take()) session.say(Message::Level::Info, "Wrote " + foreign::harmless(line));
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void SweepWindow::finish(Session& session) {
  const std::unique_ptr<sweep::Job> done = std::exchange(job_, nullptr);
  failure_ = done->failure();
  if (!done->result()) {
    view_.forgetFigures();
    return;
  }
  for (const std::string& line : done->wrote()) session.say(Message::Level::Info, "Wrote " + foreign::harmless(line));
  if (!done->order().files.empty()) return;  // the result is there already
  auto result = std::make_shared<sweep::Result>(*done->result());
  // The time includes the drawing of the live figures.
  if (done->order().figures) result->seconds = done->seconds();
  former_ = sweep::formerOf(done->plan(), *result, done->order().figures);
  sweep::Plan plan = *std::exchange(job_plan_, std::nullopt);
  // What is filled in may be another simulation's by now.
  if (&plan.description() == filled_scene_.description) plan.measures = {form_.measure};
  view_.show(std::move(plan), std::move(result), done->order().figures);
}

void SweepWindow::draw(Session& session, Ui& ui, FileDialog& files) {
  take(session);
  if (!shown_) return;
  follow(session);
  ui.popups.emplace_back("sweep");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 most(screen.x * 0.98f, screen.y * 0.97f);
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(kSweepWidth), most.x), std::min(ui.px(kSweepHeight), most.y)},
                           ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({std::min(ui.px(320), most.x), std::min(ui.px(240), most.y)}, most);
  const std::string title = "Sweep: " + session.scene.description->title + "###sweep";
  if (ImGui::Begin(title.c_str(), &shown_, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (ui.probing) ui.probes["sweep_window"] = {at.x, at.y, size.x, size.y};
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool beside = room.x >= ui.px(kNarrow);
    if (beside) {
      ImGui::BeginChild("sweep_form", {ui.px(kFormWidth), 0}, false);
      drawForm(session, ui, files);
      ImGui::EndChild();
      ImGui::SameLine(0, ui.px(14));
    } else {
      drawForm(session, ui, files);
      ImGui::Dummy({0, ui.px(6)});
    }
    const float height = beside ? 0 : std::max(ui.px(320), room.y * 0.9f);
    ImGui::BeginChild("sweep_result", {0, height}, false, ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), inner = ImGui::GetContentRegionAvail();
    result_place_ = {corner.x, corner.y, inner.x, inner.y};
    const bool live = job_ && job_->order().figures && job_->pictures() > 0;
    const std::string ending =
        view_.draw(session, ui, live ? &job_->plan() : nullptr, job_ != nullptr || writing_ != nullptr);
    ImGui::EndChild();
    if (!ending.empty()) save(session, files, ending);
  }
  ImGui::End();
  if (!shown_) close();
}

void SweepWindow::drawForm(Session& session, Ui& ui, FileDialog&) {
  const UiColours& p = ui.colours();
  if (!unfit_.empty()) return smallLine(ui, unfit_, p.dim);
  {
    const ScopedDisabled running(job_ != nullptr);
    form_view_.draw(ui, session.scene, form_, filled_);
  }
  follow(session);
  ImGui::Dummy({0, ui.px(4)});
  if (job_) return drawProgress(ui);
  for (const std::string& note : filled_.notes) smallLine(ui, note, p.warning);
  if (filled_.plan) {
    smallLine(ui, estimateText(session), p.dim);
    ui.mark("sweep_estimate", false);
  }
  const bool ready = filled_.plan && !session.status.device.id.empty();
  if (const ScopedDisabled disabled(!ready);
      iconButton(ui, "sweep_run", Icon::Play, "Run", "Computes the runs beside the run in the window, which goes on.",
                 Emphasis::Accent)) {
    start(session, ui);
  }
  if (failure_.empty()) return;
  messageCard(ui, failure_, p.error);
  ui.mark("sweep_failure", false);
}

void SweepWindow::drawProgress(Ui& ui) {
  const UiColours& p = ui.colours();
  const sweep::Progress progress = job_->progress();
  const double share = std::clamp(progress.share, 0.0, 1.0), seconds = job_->seconds();
  std::string text =
      fmt::format("{} of {}", progress.runs_done, counted(static_cast<std::int64_t>(progress.runs), "run"));
  if (job_->order().figures) text = fmt::format("{:.0f} %", 100 * share);
  if (!job_->order().files.empty()) {
    text += ", " + foreign::shownFile(job_->order().files.front().filename());
  }
  if (share > 0.02 && seconds > 0.5) text += fmt::format(", {} left", sweepTime(seconds * (1 - share) / share));
  smallLine(ui, text, p.text);
  ui.mark("sweep_progress", false);
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.raised), height / 2);
  const float filled = width * static_cast<float>(share);
  if (filled > 1) list.AddRectFilled(at, {at.x + filled, at.y + height}, toU32(p.accent), height / 2);
  ImGui::Dummy({0, ui.px(2)});
  if (iconButton(ui, "sweep_cancel", Icon::Cross, "Cancel", "Stops the runs; their results are lost")) cancel();
}

std::string SweepWindow::estimateText(const Session& session) const {
  const RunnerStatus& run = session.status;
  const sweep::Plan& plan = *filled_.plan;
  // The run may be another simulation's still, for a moment.
  const Description& description = plan.description();
  const bool own = run.description == &description && run.parameters.infos().data() == description.parameters->data();
  const sweep::KnownCost known{own ? run.parameters : plan.scene.parameters, own ? run.step_us * 1e-6 : 0, run.device};
  const sweep::Estimate estimate = sweep::estimateOf(plan, known, former_, form_.figures);
  std::string text = fmt::format("{} of {} on {}", counted(static_cast<std::int64_t>(plan.runs()), "run"),
                                 counted(plan.steps, "step"), run.device.id);
  if (estimate.seconds) {
    text += fmt::format(": {} {}", estimate.at_most ? "at most about" : "about", sweepTime(*estimate.seconds));
  }
  if (estimate.bytes > 0) {
    text += fmt::format(", {} for {} at a time", bytesText(estimate.bytes),
                        counted(static_cast<std::int64_t>(estimate.at_a_time), "run"));
  }
  return text + (estimate.seconds ? "." : ". Play the run for a moment to get an estimate of the time.");
}

void SweepWindow::order(const Session& session, sweep::Order wanted) {
  const compute::DeviceInfo& device = session.status.device;
  wanted.device = device.id;
  // On the processor the window keeps a core.
  if (device.backend == compute::Backend::Cpu) wanted.threads = std::max(1, device.threads - 1);
  failure_.clear();
  seen_share_ = -1;
  job_ = std::make_unique<sweep::Job>(std::move(wanted));
}

void SweepWindow::start(const Session& session, const Ui& ui) {
  sweep::Order wanted{.plan = *filled_.plan, .figures = form_.figures};
  job_plan_ = wanted.plan;
  if (form_.figures) {
    render::FigureOptions& figure = wanted.plan.scene.figure;
    const sweep::Room room =
        sweep::roomFor(wanted.plan, std::max(320, static_cast<int>(result_place_.width * ui.pixel_ratio)),
                       std::max(240, static_cast<int>((result_place_.height - ui.px(kHeaderHeight)) * ui.pixel_ratio)));
    figure.width = room.width;
    figure.height = room.height;
    figure.supersampling = 1;
  }
  view_.forgetFigures();
  order(session, std::move(wanted));
}

}  // namespace simscope::gui
