#include "app/lab/outcome.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "app/lab/climb.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson_text.h"

namespace simscope::lab {
namespace {

constexpr double kMostShares = 3;  // that one lesson can take, so that a slow lesson leaves time for the others
constexpr double kLeast = 0.1;     // seconds that a lesson is begun with
constexpr double kKept = 0.5;      // of an equal share, reserved for each later lesson
constexpr double kFirstUse =
    0.5;                        // of a share: time of the smallest sizes beyond it counts as the cost of the first use
constexpr double kSuits = 0.5;  // of the time left: after it measurements are made once, so that larger sizes end
constexpr double kScarce = 1;   // seconds: with a smaller share a lesson begins with as few sizes as possible

std::optional<std::size_t> knobOf(const ParameterSet& set, std::string_view key) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set.infos()[i].key == key) return i;
  }
  return std::nullopt;
}

void setSize(ParameterSet& set, std::size_t knob, double size) {
  set.set(knob, Value(static_cast<std::int64_t>(std::llround(size))));
}

// The progress in the window advances through all sizes without going back.
class ScaledProgress {
 public:
  explicit ScaledProgress(Bench& bench) : bench_(bench), whole_(bench.progress) {
    bench.progress = [this](double share) {
      at_ = std::max(at_, std::min(from_ + (to_ - from_) * share, 0.99));
      whole_(at_);
    };
  }
  ~ScaledProgress() { bench_.progress = whole_; }
  ScaledProgress(const ScaledProgress&) = delete;
  ScaledProgress& operator=(const ScaledProgress&) = delete;
  void range(double from, double to) {
    from_ = std::clamp(from, 0.0, 1.0);
    to_ = std::clamp(to, from_, 1.0);
  }
  void end() { whole_(1); }

 private:
  Bench& bench_;
  std::function<void(double)> whole_;
  double from_ = 0, to_ = 1, at_ = 0;
};

std::string leftOut(const ParameterInfo& knob, double reached, const Climb& climb, bool late, double share) {
  const auto text = [&](double size) { return sizeText(size) + (knob.unit.empty() ? "" : " " + knob.unit); };
  const char* const why = late ? "larger sizes ran out of time or memory" : "the smallest sizes took most of them";
  return fmt::format(
      "{}: measured up to {} of {}. Larger sizes are left out: this lesson has {:.2g} s among all, and {}. Run this "
      "lesson alone to measure all sizes.",
      knob.title, text(reached), text(climb.wanted()), share, why);
}

}  // namespace

Outcome outcomeOf(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance) {
  Outcome outcome{.lesson = &lesson, .parameters = parameters, .result = std::nullopt, .failure = {}};
  const double start = bench.now();
  try {
    if (allowance.most < kLeast) throw OutOfTime("not measured: no time is left, even for the smallest sizes");
    outcome.result = measure(lesson, bench, parameters, allowance);
  } catch (const OutOfTime& error) {
    outcome.failure = error.what();
    outcome.lack = Outcome::Lack::Time;
  } catch (const OutOfMemory& error) {
    outcome.failure = error.what();
    outcome.lack = Outcome::Lack::Memory;
  } catch (const Error& error) {  // a wrong result, a lost device
    outcome.failure = error.what();
  } catch (const UsageError& error) {
    outcome.failure = error.what();
  } catch (const std::bad_alloc&) {
    outcome.failure = "the host's memory is too small";
    outcome.lack = Outcome::Lack::Memory;
  }
  outcome.seconds = bench.now() - start;
  return outcome;
}

Outcome outcomeWithin(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance) {
  const std::optional<std::size_t> knob = knobOf(parameters, knobs::kLargest);
  if (!knob || !std::isfinite(allowance.suits)) return outcomeOf(lesson, bench, parameters, allowance);
  const ParameterInfo& info = parameters.infos()[*knob];
  Climb climb(info, static_cast<double>(std::get<std::int64_t>(parameters[*knob])), allowance.suits);
  ScaledProgress progress(bench);
  std::optional<Outcome> best;
  double used = 0, reached = 0;
  bool late = false;
  while (const std::optional<double> size = climb.next()) {
    ParameterSet set = parameters;
    setSize(set, *knob, *size);
    Allowance here{kSuits * climb.left(), allowance.most - used};
    if (best) {
      here.most = std::min(here.most, climb.leftForNext());
      progress.range(late ? 0.7 : 0.2, late ? 1.0 : 0.7);
    } else {
      progress.range(0, 0.2);
      // Larger sizes follow; they decide.
      if (climb.wanted() > *size) here.suits = 0;
      const std::optional<std::size_t> sizes = knobOf(set, knobs::kPerDecade);
      if (sizes && allowance.suits < kScarce) setSize(set, *sizes, set.infos()[*sizes].minimum);
    }
    Outcome now = outcomeOf(lesson, bench, set, here);
    used += now.seconds;
    if (!now.result) {
      // A wrong result is a failure at any size. Without time or memory for this size, the last result stays.
      const bool lacked = best && now.lack != Outcome::Lack::None;
      if (!lacked) {
        best = std::move(now);
        break;
      }
      late = true;
      climb.recordLate(*size, now.seconds);
      continue;
    }
    climb.recordTime(*size, now.seconds);
    // The larger sizes do not pay for the first use, if the time of all lessons allows it.
    const double first_use = now.seconds - kFirstUse * allowance.suits;
    if (!best && first_use > 0)
      climb.addTime(std::clamp(first_use, 0.0, std::max(0.0, allowance.most - allowance.suits)));
    reached = *size;
    best = std::move(now);
  }
  best->seconds = used;
  if (best->result && reached < climb.wanted()) {
    best->result->notes.push_back(leftOut(info, reached, climb, late, allowance.suits));
  } else if (best->lack == Outcome::Lack::Time && used > 0) {
    best->failure = fmt::format(
        "not measured: even the smallest sizes take longer than the {:.2g} s of this lesson among all; run this lesson "
        "alone to measure it",
        allowance.most);
  }
  progress.end();
  return *std::move(best);
}

Budget::Budget(double seconds, std::size_t lessons)
    : left_(seconds),
      kept_(std::isfinite(seconds) ? kKept * seconds / static_cast<double>(std::max<std::size_t>(lessons, 1)) : 0),
      lessons_(lessons) {}

Allowance Budget::next() const {
  const double lessons = static_cast<double>(std::max<std::size_t>(lessons_, 1));
  const double share = left_ / lessons;
  if (!std::isfinite(left_)) return {left_, left_};
  return {share, std::clamp(left_ - kept_ * (lessons - 1), share, kMostShares * share)};
}

void Budget::spendOnTrial(double seconds) {
  left_ = std::max(left_ - seconds, 0.0);
}

void Budget::spend(double seconds) {
  spendOnTrial(seconds);
  if (lessons_ > 0) --lessons_;
}

std::vector<Request> allRequests() {
  std::vector<Request> all;
  for (const Lesson* each : lessons()) all.push_back({each, each->defaults()});
  return all;
}

void measureAll(const std::vector<Request>& requests, Bench& bench, double seconds,
                const std::function<void(const Request&)>& begun, const std::function<void(Outcome)>& done) {
  Budget budget(seconds, requests.size());
  struct Turn {
    const Request* request;
    double tried;  // seconds, before
  };
  std::deque<Turn> turns;
  for (const Request& request : requests) turns.push_back({&request, 0});
  for (; !turns.empty(); turns.pop_front()) {
    const auto [request, tried] = turns.front();
    begun(*request);
    const double start = bench.now();
    Outcome outcome = outcomeWithin(*request->lesson, bench, request->parameters, budget.next());
    const double took = bench.now() - start;
    if (tried == 0 && outcome.lack == Outcome::Lack::Time) {
      budget.spendOnTrial(took);
      turns.push_back({request, took});
      continue;
    }
    budget.spend(took);
    outcome.seconds += tried;
    done(std::move(outcome));
  }
}

}  // namespace simscope::lab
