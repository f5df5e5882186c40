// The content of the lab's page, without drawing: the lessons with the user's parameters, their results, and another
// run beside them.
//
// Owner: of the measurer. Thread: one; nothing here waits for a measurement. Errors: UsageError for files and values; a
// lesson that cannot be measured has the reason in its outcome.
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
  // Of the present lesson, in this session; null: not measured yet.
  const Outcome* outcome() const { return outcomeOf(*lesson_); }
  const Outcome* outcomeOf(const Lesson& lesson) const;

  // Measures the present lesson with its parameters; or every lesson with its parameters, within a minute. Does nothing
  // while measuring.
  void measure();
  void measureAll();
  void cancel() { measurer_.cancel(); }
  bool measuring() const { return measurer_.state().busy; }
  Measurer::State state() const { return measurer_.state(); }
  // Takes the new outcomes. True if something visible has changed.
  bool poll();

  // Shows another run beside this one's results.
  void open(const std::filesystem::path& file) { beside_ = readRun(file); }
  void putAway() { beside_.reset(); }
  const StoredRun* beside() const noexcept { return beside_ ? &*beside_ : nullptr; }
  // Of the present lesson; null: the other run does not contain it.
  const StoredLesson* besides() const;

  // The present result with the other run's curves, faint; only the other's if this lesson was not measured here;
  // nothing if there is neither.
  std::optional<Result> shown() const;
  // Whether only the other run is shown.
  bool showsOther() const;
  // For a table: the cells of the shown result; below each row the other run's row ("> name"), if there is one, with
  // the ratio to the value above.
  std::vector<std::vector<std::string>> cells() const;
  // The same for a spreadsheet: tabs between cells.
  std::string tabbed() const;
  // Describes the other run: "Beside: run.json (NVIDIA H100)", and parameters that had other values there.
  std::string besideText() const;

  // By the file's ending: .csv for the present result, .json for all results. UsageError: another ending, or there is
  // no result.
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
