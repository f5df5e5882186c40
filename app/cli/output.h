// Text for users and scripts: checked writing to standard output, aligned tables, numbers and sizes as text.
//
// Thread: the main thread. Errors: Error if standard output cannot be written; PipeClosed if its reader has ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::cli {

// The reader of standard output has ended (`simscope list | head -1`): the program ends without a message, with
// status 1.
class PipeClosed : public Error {
 public:
  PipeClosed() : Error("standard output was closed by its reader") {}
};

// Writes all of `text` to standard output before it returns.
void print(std::string_view text);
// Writes to standard error; failures there are ignored.
void note(std::string_view text) noexcept;
// A line each, as "simscope: note: …".
void noteAll(const std::vector<std::string>& notes);

// Of several ranks only number 0 prints: on the other ranks print() and note() do nothing from now on.
void speakAs(int rank) noexcept;
// As note(), on any rank.
void noteFromAny(std::string_view text) noexcept;

// The columns that a terminal uses for UTF-8 text (combining marks use none).
std::size_t displayWidth(std::string_view text) noexcept;

// Rows of cells, aligned in columns of the same width; the last column is not padded. Two spaces between columns.
class Table {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text(std::string_view indent = "") const;
  // The same as a Markdown table; the first row is its head.
  std::string markdown() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// A line on standard error that overwrites itself, ten times a second at most; silent where that is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due();  // for the next text
  void show(const std::string& text);
  void clear() noexcept;
  double seconds() const;  // since the line was made

 private:
  using Clock = std::chrono::steady_clock;
  const bool shown_;
  bool drawn_ = false;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

std::string barText(double share);                                 // "[######........................]"
std::string rateText(double per_second, const std::string& unit);  // 8.1e8, "points/s" -> "810 M points/s"

}  // namespace simscope::cli
