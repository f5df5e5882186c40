// The lab (F4): lessons of GPU computing, measured on this machine, over the whole window. The run pauses meanwhile,
// because it would disturb the measurement; its state is not changed. It plays while the page filters its field.
//
// Owner: of the notebook with its thread, and of the chart's figure. Thread: the UI's, with its GL context current. If
// a file cannot be opened or written, the file dialog shows the reason.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/dialogs/file_dialog.h"
#include "app/gui/lab/knobs.h"
#include "app/gui/lab/lab_live.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/window_picture.h"
#include "app/lab/lesson_figure.h"
#include "app/lab/notebook.h"
#include "app/session/session.h"

namespace simscope::gui {

// For tests that drive the window.
struct LabState {
  bool shown = false, measuring = false;
  std::string lesson, beside, failure;  // of the present lesson
  std::size_t done = 0, wanted = 0, rows = 0, cells = 0;
  std::vector<std::string> measured;  // ids
  std::string finding, said;
  std::map<std::string, std::string> knobs;
  LabLiveState live;
};

class LabPage {
 public:
  LabPage(std::string device, int threads) : notebook_(std::move(device), threads), live_(threads) {}

  bool shown() const noexcept { return shown_; }
  void open() noexcept { shown_ = true; }
  // Ends the measurement under way, between two measurements; earlier results are kept.
  void close();
  bool measuring() const { return notebook_.measuring(); }
  // It shows the running simulation's field, so that the run may play.
  bool live() const;
  // Called at this time in seconds for what happens without input. True if the window must be drawn.
  bool poll(double now);
  // Esc: ends the measurement under way, or else asks to leave.
  void escape(Ui& ui);

  struct Actions {
    bool back = false, toggle_theme = false;
  };
  Actions draw(Session& session, Ui& ui);

  const FileDialog& dialog() const noexcept { return dialog_; }
  WindowPicture::Figure takePicture();
  LabState state() const;

 private:
  // lab_page_draw.cpp
  void drawHeader(Ui& ui, Actions& actions);
  void drawLessons(Ui& ui);
  void drawLesson(Session& session, Ui& ui);
  void drawMeasuring(Ui& ui, float width);
  void drawFound(Ui& ui, float width);
  void drawChart(Ui& ui, float width, float height);
  void drawTable(Ui& ui, float width);
  void drawSaving(Ui& ui);

  void choose(const lab::Lesson& lesson);
  void openRun();
  void save(const char* ending);
  void write(const std::filesystem::path& file, bool overwrite);
  void followShown();
  std::unique_ptr<lab::LessonFigure> makeChart();
  void advanceFilm();

  lab::Notebook notebook_;
  Knobs knobs_;
  LabLive live_;
  FileDialog dialog_;
  bool shown_ = false, leave_ = false;
  double polled_ = -1;
  bool top_ = false;  // scroll to the top of a lesson just chosen
  std::string said_;  // the result of reading or writing a file

  // The chart. Its device is the host, because it draws only a few numbers.
  struct Shown {
    const lab::Lesson* lesson = nullptr;
    std::uint64_t version = 0, beside = 0;
    bool operator==(const Shown&) const = default;
  };
  std::uint64_t beside_ = 0;  // counts the stored runs opened and closed
  compute::DevicePtr host_;
  std::unique_ptr<render::Figure> figure_;
  std::optional<Shown> made_;
  std::optional<lab::Result> result_;
  std::vector<std::vector<std::string>> cells_;
  std::unique_ptr<lab::LessonFigure> chart_;
  std::optional<render::FigureOptions> drawn_;
  bool redrawn_ = false;
  std::string failure_;         // of the drawing
  render::FigureOptions look_;  // of the chart on the page
  // A film being written, with one picture for each of the window's.
  std::unique_ptr<lab::LessonFigure> filmed_;
  std::unique_ptr<lab::ChartWriter> film_;
  std::filesystem::path film_file_;
};

}  // namespace simscope::gui
