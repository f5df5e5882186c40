#include <cmath>

#include "app/lab/lessons/just_in_time/just_in_time_program.h"

namespace simscope::lab::just_in_time {
namespace {

constexpr unsigned kTurnsBetween = 64;  // turns of a loop between checks of the clock

// Walks through the program with the variables of one element.
class Walker {
 public:
  Walker(const Program& program, const Inputs& inputs, std::size_t i, Watch& watch)
      : program_(program), watch_(watch), turns_(0) {
    for (std::size_t k = 0; k < kInputs; ++k) values_[k] = program.reads[k] ? inputs.arrays[k][i] : 0;
    values_[kPlace] = static_cast<double>(i);
    values_[kCount] = static_cast<double>(inputs.n);
    values_[kPi] = 3.14159265358979323846;
    for (std::size_t k = 0; k < static_cast<std::size_t>(program.variables); ++k) {
      if (k >= kOut) values_[k] = 0;
      places_[k] = &values_[k];
    }
  }

  double result() { return run(program_.body) ? values_[kOut] : std::nan(""); }
  double operations() const { return operations_; }

 private:
  double at(std::size_t expression) {
    const Expression& each = program_.expressions[expression];
    operations_ += each.operations;
    return each.evaluation.at(places_.data(), stack_.data());
  }

  // False: the watch has ended it.
  bool goesOn(int line) {
    if (++turns_ % kTurnsBetween != 0) return true;
    if (watch_.line.load(std::memory_order_relaxed) != 0) return false;
    if (std::chrono::steady_clock::now() < watch_.deadline) return true;
    int none = 0;
    watch_.line.compare_exchange_strong(none, line);
    return false;
  }

  bool run(const std::vector<Statement>& all) {
    for (const Statement& each : all) {
      switch (each.kind) {
        case Statement::Kind::Assign:
          values_[static_cast<std::size_t>(each.variable)] = at(each.expression);
          break;
        case Statement::Kind::If:
          if (!run(at(each.expression) != 0 ? each.body : each.otherwise)) return false;
          break;
        case Statement::Kind::While:
          while (at(each.expression) != 0) {
            if (!goesOn(each.line) || !run(each.body)) return false;
          }
          break;
        case Statement::Kind::Repeat: {
          const double times = at(each.expression);
          for (double k = 0; k < times; k += 1) {
            if (!goesOn(each.line) || !run(each.body)) return false;
          }
          break;
        }
      }
    }
    return true;
  }

  const Program& program_;
  Watch& watch_;
  unsigned turns_;
  double operations_ = 0;
  // Those that the program has.
  std::array<double, kMostVariables> values_;
  std::array<const double*, kMostVariables> places_;
  std::array<double, kMostNodes> stack_;
};

}  // namespace

double interpret(const Program& program, const Inputs& inputs, std::size_t i, Watch& watch, double* operations) {
  Walker walker(program, inputs, i, watch);
  const double result = walker.result();
  if (operations) *operations += walker.operations();
  return result;
}

}  // namespace simscope::lab::just_in_time
