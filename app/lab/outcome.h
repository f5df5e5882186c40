// What became of measuring a lesson: its result, or why there is none. Nothing else keeps results, so that a lesson
// whose result was wrong has no number anywhere: not in a table, a chart, or a file.
//
// Thread: of measuring, one that may wait. Errors: whatever Bench::check throws, which is no simscope::Error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab {

// What all lessons together may take, with the values they open with: below a minute on a machine with a GPU.
inline constexpr double kAllSeconds = 54;

struct Outcome {
  const Lesson* lesson = nullptr;
  ParameterSet parameters;
  std::optional<Result> result;
  std::string failure;                                       // why there is no result
  double seconds = 0;                                        // that it took
  enum class Lack { None, Time, Memory } lack = Lack::None;  // of what smaller sizes take less
};

Outcome outcomeOf(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance = {});

// The same within its share of the time of all lessons: measured with its smallest sizes, then with larger ones, up to
// those of `parameters`, as far as what was measured says that they are over in time (Climb). The outcome is that of
// the largest, with its parameters; a note says what was left out, and why.
Outcome outcomeWithin(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance);

// Shares time out among lessons: each gets as much as all that are left, what it leaves is theirs. Half of an equal
// share is kept for each lesson to come, whatever those before it take.
class Budget {
 public:
  // seconds: of all; infinity: there is no end.
  Budget(double seconds, std::size_t lessons);
  Allowance next() const;
  void spend(double seconds);
  // On a lesson that is still to come.
  void spendTrying(double seconds);

 private:
  double left_, kept_;
  std::size_t lessons_;
};

struct Request {
  const Lesson* lesson = nullptr;
  ParameterSet parameters;
};
// Of every lesson, as it opens.
std::vector<Request> allRequests();

// One after the other; each is told as soon as it is there. What a lesson cannot be measured for is its outcome's. One
// that had no time for its smallest sizes comes once more after the others: a library that was read from the disk in
// its first share (cuBLAS takes seconds where nobody has used it since the machine was started) is there by then.
void measureAll(const std::vector<Request>& requests, Bench& bench, double seconds,
                const std::function<void(const Request&)>& begun, const std::function<void(Outcome)>& done);

}  // namespace simscope::lab
