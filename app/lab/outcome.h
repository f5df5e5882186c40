// The outcome of measuring a lesson: its result, or the reason why there is none. Nothing else keeps results, so a
// lesson with a wrong result has no number anywhere: not in a table, a chart, or a file.
//
// Thread: the measuring one, which may wait. Errors: exceptions of Bench::check, which are no simscope::Error.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab {

// Time of all lessons together with their default knobs: below a minute on a machine with a GPU.
inline constexpr double kAllSeconds = 54;

struct Outcome {
  const Lesson* lesson = nullptr;
  ParameterSet parameters;
  std::optional<Result> result;
  std::string failure;                                       // why there is no result
  double seconds = 0;                                        // its duration
  enum class Lack { None, Time, Memory } lack = Lack::None;  // of a resource of which smaller sizes need less
};

Outcome outcomeOf(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance = {});

// The same within the lesson's share of the time of all lessons: measures its smallest sizes, then larger ones up to
// those of `parameters`, as long as they are expected to end in time (Climb). The outcome is that of the largest size,
// with its parameters; a note says what was left out, and why.
Outcome outcomeWithin(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance);

// Divides time among lessons: each gets an equal share of the time that is left, and passes on what it does not use.
// Half of an equal share is reserved for each later lesson.
class Budget {
 public:
  // seconds: for all lessons; infinity: no limit.
  Budget(double seconds, std::size_t lessons);
  Allowance next() const;
  void spend(double seconds);
  // For a lesson that is still to come.
  void spendOnTrial(double seconds);

 private:
  double left_, kept_;
  std::size_t lessons_;
};

struct Request {
  const Lesson* lesson = nullptr;
  ParameterSet parameters;
};
// One for every lesson, with its initial parameters.
std::vector<Request> allRequests();

// Measures one after the other and reports each outcome at once, with the reason if a lesson could not be measured. A
// lesson without time for its smallest sizes is measured again after the others: by then a library that its first share
// loaded from disk (cuBLAS takes seconds after a start of the machine) is in memory.
void measureAll(const std::vector<Request>& requests, Bench& bench, double seconds,
                const std::function<void(const Request&)>& begun, const std::function<void(Outcome)>& done);

}  // namespace simscope::lab
