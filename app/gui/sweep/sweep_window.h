// Sweeps of the open scene (Ctrl+Shift+W): the form, the progress of the runs, and the result.
//
// The runs have their own thread and device (sweep::Job): the window never waits, and closing it cancels them. Owner:
// of the job and its result. Thread: the UI's, with the GL context current.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/dialogs/file_dialog.h"
#include "app/gui/sweep/sweep_form_view.h"
#include "app/gui/sweep/sweep_result_view.h"
#include "app/session/session.h"
#include "app/sweep/estimate.h"
#include "app/sweep/job.h"
#include "app/sweep/writing.h"

namespace simscope::gui {

// For tests.
struct SweepReport {
  bool running = false;
  std::size_t runs = 0, done = 0;  // of the job under way
  int pictures = 0;                // of its figures, so far
  std::size_t made = 0;            // runs of the displayed result
  std::string measure, failure;    // its diagnostic; why the last job gave no result
  std::vector<double> measured;
  std::vector<std::string> errors;  // of the form
  bool figures = false;             // the form asks for live figures
  std::size_t chosen = 0;           // index among the displayed runs
};

class SweepWindow {
 public:
  void toggle() { shown_ ? close() : open(); }
  void open() noexcept { shown_ = true; }
  void close();
  bool isOpen() const noexcept { return shown_; }
  bool running() const noexcept { return job_ != nullptr; }
  // Takes the job's results; true if the window must be drawn.
  bool poll();
  // Once per picture, shown or not. `files` asks for names.
  void draw(Session& session, Ui& ui, FileDialog& files);
  SweepReport report() const;

 private:
  void follow(const Session& session);
  void take(Session& session);
  void finish(Session& session);
  void drawForm(Session& session, Ui& ui, FileDialog& files);
  void drawProgress(Ui& ui);
  void start(const Session& session, const Ui& ui);
  void order(const Session& session, sweep::Order wanted);
  void cancel();
  void save(const Session& session, FileDialog& files, const std::string& ending);
  void write(const Session& session, const std::filesystem::path& file, bool overwrite);
  std::string estimateText(const Session& session) const;

  bool shown_ = false;
  SweepFormView form_view_;
  SweepResultView view_;
  sweep::Form form_;
  std::map<const Description*, sweep::Form> left_;  // the forms of simulations that were open before
  std::optional<sweep::Form> filled_form_;          // the form for which filled_ was made
  Scene filled_scene_;
  sweep::FilledForm filled_;
  std::string unfit_;  // why the simulation has no sweep
  std::unique_ptr<sweep::Job> job_;
  std::optional<sweep::Plan> job_plan_;              // the job's plan, with the scene's figure
  std::vector<std::unique_ptr<sweep::Job>> ending_;  // cancelled, but not ended yet
  std::unique_ptr<sweep::Writing> writing_;
  std::optional<sweep::FormerSweep> former_;
  std::unique_ptr<render::Figure> figure_;  // for live figures, and for pictures to be saved
  std::string failure_;
  std::string file_ending_;  // of the requested file
  double seen_share_ = -1;
  Rect result_place_;  // in the last picture
};

}  // namespace simscope::gui
