// The content of the lab's page, without drawing: the lessons with the knobs that the user has set, their results, and
// another run beside them.
//
// Owner: the measurer. Thread: one; nothing here waits for a measurement. Errors: UsageError of files and values; what
// cannot be measured is its lesson's outcome.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/measurer.h"
#include "app/lab/stored_run.h"

namespace simscope::lab {

class Notebook {
 public:
  explicit Notebook(std::string device = "auto", int threads = 0);

  const Lesson& lesson() const noexcept { return *lesson_; }
  void choose(const Lesson& lesson) { lesson_ = &lesson; }
  ParameterSet& parameters() { return parameters_.at(lesson_); }
  const ParameterSet& parameters() const { return parameters_.at(lesson_); }
  // Of the lesson at hand, in this session; null: not measured yet.
  const Outcome* outcome() const { return outcomeOf(*lesson_); }
  const Outcome* outcomeOf(const Lesson& lesson) const;

  // The lesson at hand as its knobs say; every lesson, each as its knobs say, within a minute. Nothing while measuring.
  void measure();
  void measureAll();
  void cancel() { measurer_.cancel(); }
  bool measuring() const { return measurer_.state().busy; }
  Measurer::State state() const { return measurer_.state(); }
  // Takes what was measured since. True where something has changed that can be seen.
  bool poll();

  // Another run beside this one's results.
  void open(const std::filesystem::path& file) { beside_ = readRun(file); }
  void putAway() { beside_.reset(); }
  const StoredRun* beside() const noexcept { return beside_ ? &*beside_ : nullptr; }
  // Of the lesson at hand; null: it is not in there, or was not measured there.
  const StoredLesson* besides() const;

  // The result at hand with the other run's curves, faint; the other's alone where this lesson was not measured here;
  // nothing where neither is there.
  std::optional<Result> shown() const;
  // Whether what is shown is the other run's alone.
  bool showsOther() const;
  // For a table: the cells of what is shown; below each row one of the other run ("> name"), where there is one, with
  // the ratio to the value above.
  std::vector<std::vector<std::string>> cells() const;
  // The same for a spreadsheet: tabs between cells.
  std::string tabbed() const;
  // Describes the other run: "Beside: run.json (NVIDIA H100)", and knobs that had other values there.
  std::string besideText() const;

  // By the file's ending: .csv of the result at hand, .json of everything that was measured. UsageError: another
  // ending, or there is nothing.
  void write(const std::filesystem::path& file, bool overwrite) const;
  // Counts the outcomes that poll() has taken.
  std::uint64_t version() const noexcept { return version_; }

 private:
  Measurer measurer_;
  const Lesson* lesson_;
  std::map<const Lesson*, ParameterSet> parameters_;
  std::map<const Lesson*, Outcome> outcomes_;
  std::optional<StoredRun> beside_;
  Measurer::State seen_;
  std::uint64_t version_ = 0;
};

}  // namespace simscope::lab
