#include "app/lab/outcome.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace simscope::lab {
namespace {

constexpr double kMostShares = 3;  // that one lesson can take: a slow one is not to cost all others
constexpr double kLeast = 0.2;     // seconds that a lesson is begun with
constexpr double kKept = 0.25;     // of a share: what no lesson may take of those that come after it

}  // namespace

Outcome outcomeOf(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance) {
  Outcome outcome{.lesson = &lesson, .parameters = parameters, .result = std::nullopt, .failure = {}};
  const Timekeeper clock;
  try {
    if (allowance.most < kLeast) throw OutOfTime("not measured: the time of all lessons is over");
    outcome.result = measure(lesson, bench, parameters, allowance);
  } catch (const Error& error) {  // OutOfMemory, OutOfTime, and a result that was wrong
    outcome.failure = error.what();
  } catch (const UsageError& error) {
    outcome.failure = error.what();
  } catch (const std::bad_alloc&) {
    outcome.failure = "the host's memory does not suffice";
  }
  outcome.seconds = clock.seconds();
  return outcome;
}

Allowance Budget::next() const {
  const double lessons = static_cast<double>(std::max<std::size_t>(lessons_, 1));
  const double share = left_ / lessons;
  return {share, std::isfinite(left_) ? std::min(left_ - kKept * share * (lessons - 1), kMostShares * share) : left_};
}

void Budget::spend(double seconds) {
  left_ = std::max(left_ - seconds, 0.0);
  if (lessons_ > 0) --lessons_;
}

std::vector<Wish> allWishes() {
  std::vector<Wish> all;
  for (const Lesson* each : lessons()) all.push_back({each, each->defaults()});
  return all;
}

void measureAll(const std::vector<Wish>& wishes, Bench& bench, double seconds,
                const std::function<void(const Wish&)>& begun, const std::function<void(Outcome)>& done) {
  Budget budget(seconds, wishes.size());
  for (const Wish& wish : wishes) {
    begun(wish);
    Outcome outcome = outcomeOf(*wish.lesson, bench, wish.parameters, budget.next());
    budget.spend(outcome.seconds);
    done(std::move(outcome));
  }
}

}  // namespace simscope::lab
