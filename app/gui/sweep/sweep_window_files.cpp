// The files of the displayed sweep, and the report for tests.
#include <fmt/format.h>

#include <utility>

#include "app/gui/sweep/sweep_window.h"
#include "app/sweep/picture.h"

namespace simscope::gui {

void SweepWindow::save(const Session& session, FileDialog& files, const std::string& ending) {
  const std::string base = view_.plan().description().id + "-sweep";
  std::filesystem::path proposal = base + ending;
  std::error_code unknown;
  for (int i = 2; std::filesystem::exists(proposal, unknown); ++i) proposal = fmt::format("{}-{}{}", base, i, ending);
  const char* help = "The sweep's picture (.png)";
  if (ending == ".csv") help = "The sweep's table (.csv), as simscope sweep writes it";
  if (ending == ".npy") help = "The sweep's table as a NumPy array (.npy)";
  if (ending == ".gif") help = "The runs' figures side by side over time (.gif); the runs are computed again";
  file_ending_ = ending;
  files.ask({.title = "Save",
             .action = "Save",
             .help = help,
             .endings = {file_ending_},
             .opens = false,
             .carry_out = [this, &session](const std::filesystem::path& file,
                                           bool overwrite) { write(session, file, overwrite); }},
            proposal);
}

// Called by the file dialog.
void SweepWindow::write(const Session& session, const std::filesystem::path& file, bool overwrite) {
  if (view_.empty()) throw UsageError("There is no sweep to save.");
  if (job_ || writing_) throw UsageError("A sweep is running: wait until it ends, then save.");
  sweep::Plan plan = view_.plan();
  render::FigureOptions& look = plan.scene.figure;
  look.theme = session.scene.figure.theme;
  const std::string ending = file.extension().string();
  if (ending == ".gif") {
    if (plan.runs() > sweep::kMostFigures) {
      throw UsageError(fmt::format("{} figures are too many side by side; range 1 to {}: sweep fewer values",
                                   plan.runs(), sweep::kMostFigures));
    }
    const sweep::Room room = sweep::roomFor(plan, look.width, look.height);
    look.width = room.width;
    look.height = room.height;
    return order(session, {.plan = std::move(plan), .figures = true, .files = {file}, .overwrite = overwrite});
  }
  std::vector<std::uint8_t> picture;
  const bool figures = ending == ".png" && view_.showsFigures();
  if (figures) {
    look.width = view_.figuresWidth();
    look.height = view_.figuresHeight();
    picture = view_.figurePixels();
  } else if (ending == ".png") {
    const sweep::Picture drawn = sweep::pictureOf(plan, *view_.result(), look);
    if (!figure_) figure_ = std::make_unique<render::Figure>();
    figure_->draw(drawn.description, drawn.parameters, drawn.frame, drawn.options);
    picture = figure_->read();
  }
  writing_ = std::make_unique<sweep::Writing>(std::move(plan), view_.result(), file, overwrite, picture, figures);
}

SweepReport SweepWindow::report() const {
  SweepReport report;
  report.running = job_ != nullptr;
  if (job_) {
    report.runs = job_->progress().runs;
    report.done = job_->progress().runs_done;
    report.pictures = job_->pictures();
  }
  report.failure = failure_;
  report.figures = form_.figures;
  report.chosen = view_.chosen();
  for (const sweep::FormError& each : filled_.errors) report.errors.push_back(each.text);
  if (view_.empty()) return report;
  const sweep::Plan& plan = view_.plan();
  report.made = plan.runs();
  report.measure = plan.description().diagnostics[plan.measures.front()].key;
  for (const sweep::RunResult& run : view_.result()->runs) {
    report.measured.push_back(run.diagnostics[plan.measures.front()]);
  }
  return report;
}

}  // namespace simscope::gui
