// Sweeps of the scene that is open (Ctrl+Shift+W): what is filled in, how far the runs are, and what they have given.
//
// The runs have a thread and a device of their own (sweep::Job): the window waits for nothing, and closing it cancels
// them. Owner: the job and what it gave. Thread: the UI's, with the GL context current.
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

// What tests ask for.
struct SweepReport {
  bool running = false;
  std::size_t runs = 0, done = 0;  // of the job under way
  int pictures = 0;                // of its figures, so far
  std::size_t made = 0;            // runs of the result that is shown
  std::string measure, failure;    // of it; why the last one gave none
  std::vector<double> measured;
  std::vector<std::string> errors;  // of what is filled in
  bool figures = false;             // are to be shown live, as it is filled in
  std::size_t chosen = 0;           // of the runs that are shown
};

class SweepWindow {
 public:
  void toggle() { shown_ ? close() : open(); }
  void open() noexcept { shown_ = true; }
  void close();
  bool isOpen() const noexcept { return shown_; }
  bool running() const noexcept { return job_ != nullptr; }
  // Takes what the job has done; true where the window is to be drawn.
  bool poll();
  // Once a picture, shown or not. `files` asks for names.
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
  std::map<const Description*, sweep::Form> left_;  // what was filled in for simulations that were open before
  std::optional<sweep::Form> filled_form_;          // that filled_ is of, with what follows
  Scene filled_scene_;
  sweep::FilledForm filled_;
  std::string unfit_;  // why the simulation has no sweep
  std::unique_ptr<sweep::Job> job_;
  std::optional<sweep::Plan> job_plan_;              // its plan as the scene has the figure
  std::vector<std::unique_ptr<sweep::Job>> ending_;  // cancelled: they end when they can
  std::unique_ptr<sweep::Writing> writing_;
  std::optional<sweep::FormerSweep> former_;
  std::unique_ptr<render::Figure> figure_;  // of live figures, and of pictures to be saved
  std::string failure_;
  std::string file_ending_;  // of the file that is asked for
  double seen_share_ = -1;
  Rect result_place_;  // in the last picture
};

}  // namespace simscope::gui
