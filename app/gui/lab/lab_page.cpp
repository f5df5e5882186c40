#include "app/gui/lab/lab_page.h"

#include <utility>

#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

constexpr double kLabNews = 0.25;  // seconds: drawing more often would be measured, too

}  // namespace

void LabPage::close() {
  shown_ = false;
  leave_ = false;
  live_.forget();
  notebook_.cancel();
}

bool LabPage::live() const {
  return shown_ && !notebook_.measuring() && LabLive::isWanted(notebook_.lesson().id, notebook_.parameters());
}

bool LabPage::poll(double now) {
  if (now - polled_ < kLabNews && !film_) return false;
  polled_ = now;
  const bool news = notebook_.poll();
  return shown_ && (news || film_);
}

void LabPage::escape(Ui& ui) {
  if (notebook_.measuring()) {
    notebook_.cancel();
  } else if (ui.focus.shown()) {
    ui.focus.hide();
  } else {
    leave_ = true;
  }
}

void LabPage::choose(const lab::Lesson& lesson) {
  if (&lesson == &notebook_.lesson()) return;
  notebook_.choose(lesson);
  knobs_.forget();
  said_.clear();
  top_ = true;
}

WindowPicture::Figure LabPage::takePicture() {
  if (live()) return live_.takePicture();
  return {figure_ && drawn_ ? figure_->texture() : 0, std::exchange(redrawn_, false)};
}

void LabPage::openRun() {
  dialog_.ask({.title = "Open a run of the lab",
               .action = "Open",
               .help = "Measurements (.json) saved here or by simscope lab --json, to show beside this machine's",
               .endings = {".json"},
               .opens = true,
               .carry_out =
                   [this](const std::filesystem::path& file, bool) {
                     notebook_.open(file);
                     ++beside_;
                   }},
              "lab.json");
}

void LabPage::save(const char* ending) {
  const bool all = ending == std::string(".json");
  dialog_.ask({.title = all ? "Save all measurements" : "Save the lesson",
               .action = "Save",
               .help = all ? "All measured lessons (.json), to open beside another run"
                           : "The numbers (.csv), the chart (.png), or the chart as an animation (.gif)",
               .endings = {ending},
               .opens = false,
               .carry_out = [this](const std::filesystem::path& file, bool overwrite) { write(file, overwrite); }},
              (all ? std::string("lab") : notebook_.lesson().id) + ending);
}

void LabPage::write(const std::filesystem::path& file, bool overwrite) {
  const std::string ending = file.extension().string();
  if (ending != ".png" && ending != ".gif") {
    notebook_.write(file, overwrite);
    said_ = "Saved: " + foreign::shownFile(file);
    return;
  }
  if (!chart_ || !result_) throw UsageError("this lesson is not measured yet");
  // A film keeps its own chart: another lesson may be chosen before it is written.
  filmed_ = makeChart();
  render::FigureOptions options = look_;
  options.width = 960;
  options.height = 540;
  options.scale = 1;
  options.supersampling = 2;
  options.marker_x.reset();
  film_ = std::make_unique<lab::ChartWriter>(*filmed_, options, file, overwrite);
  film_file_ = file;
  said_ = "Writing " + foreign::shownFile(file);
}

LabState LabPage::state() const {
  LabState state;
  state.shown = shown_;
  const lab::Measurer::State now = notebook_.state();
  state.measuring = now.busy;
  state.done = now.done;
  state.wanted = now.wanted;
  state.lesson = notebook_.lesson().id;
  if (const lab::StoredRun* const beside = notebook_.beside()) state.beside = beside->name;
  state.rows = result_ ? result_->rows.size() : 0;
  state.cells = cells_.size();
  for (const lab::Lesson* each : lab::lessons()) {
    const lab::Outcome* const outcome = notebook_.outcomeOf(*each);
    if (outcome && outcome->result) state.measured.push_back(each->id);
  }
  if (const lab::Outcome* const outcome = notebook_.outcome()) state.failure = outcome->failure;
  if (result_) state.finding = result_->finding;
  state.said = said_;
  state.live = live_.state();
  const ParameterSet& knobs = notebook_.parameters();
  for (std::size_t i = 0; i < knobs.size(); ++i) state.knobs[knobs.infos()[i].key] = toText(knobs[i]);
  return state;
}

// What is drawn follows what was measured, and what lies beside it.
void LabPage::followShown() {
  const Shown now{&notebook_.lesson(), notebook_.version(), beside_};
  if (made_ && *made_ == now) return;
  made_ = now;
  result_ = notebook_.shown();
  cells_ = notebook_.cells();
  chart_.reset();
  drawn_.reset();
  failure_.clear();
  if (result_ && !result_->chart.curves.empty()) chart_ = makeChart();
}

std::unique_ptr<lab::LessonFigure> LabPage::makeChart() {
  if (!host_) host_ = compute::Device::open("cpu", 1);
  const lab::Outcome* const own = notebook_.outcome();
  const bool other = notebook_.showsOther();
  ParameterSet parameters = other || !own ? notebook_.lesson().defaults() : own->parameters;
  if (other) {
    for (const auto& [key, value] : notebook_.besides()->parameters) {
      try {
        parameters.setText(key, value);
      } catch (const UsageError&) {
        // Of another version: its knobs are not this one's.
      }
    }
  }
  return std::make_unique<lab::LessonFigure>(notebook_.lesson(), *result_, parameters, host_,
                                             other ? notebook_.beside()->machine : notebook_.state().machine);
}

void LabPage::advanceFilm() {
  if (!film_) return;
  try {
    if (film_->advance()) return;
    said_ = "Saved: " + foreign::shownFile(film_file_);
  } catch (const std::exception& error) {
    said_ = error.what();
  }
  film_.reset();
  filmed_.reset();
}

}  // namespace simscope::gui
