#include "sims/superposition/superposition.h"

#include <algorithm>
#include <cmath>

namespace simscope::superposition {

namespace {

constexpr Applies kLive = Applies::Live;
constexpr Scale kLinear = Scale::Linear;
const char* const kGroup = "Superposition";

}  // namespace

double Superposition::dial(int n) const {
  const double dials[] = {dial_0, dial_1, dial_2, dial_3, dial_4, dial_5};
  return dials[n];
}

void normalise(Coefficients& c) {
  double sum = 0;
  for (const compute::Complex<double>& each : c) sum += norm2(each);
  if (!(sum > 1e-12)) {
    std::fill(c.begin(), c.end(), compute::Complex<double>{});
    c[0] = {1, 0};
    return;
  }
  for (compute::Complex<double>& each : c) each = (1 / std::sqrt(sum)) * each;
}

Coefficients coefficientsOf(const Superposition& made_of, int states) {
  Coefficients c(static_cast<std::size_t>(states));
  const auto put = [&](int n, double value) { c[static_cast<std::size_t>(std::min(n, states - 1))].re += value; };
  switch (made_of.superposition) {
    case Kind::Packet:
      return c;
    case Kind::Single:
      put(made_of.state, 1);
      break;
    case Kind::Two:
      put(made_of.state, 1);
      put(made_of.partner, 1);
      break;
    case Kind::Equal:
      for (int n = 0; n < std::min(made_of.equal_states, states); ++n) put(n, 1);
      break;
    case Kind::Dials:
      for (int n = 0; n < std::min(kDials, states); ++n) put(n, made_of.dial(n));
      break;
  }
  normalise(c);
  return c;
}

Taken take(Coefficients& c, std::size_t n, bool alone) {
  double largest = 0, others = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    largest = std::max(largest, std::sqrt(norm2(c[k])));
    if (k != n) others += norm2(c[k]);
  }
  const bool there = norm2(c[n]) > 1e-9, leaves = !alone && there && others > 1e-9;
  if (alone) c.assign(c.size(), {});
  if (!alone && there && !leaves) n = n + 1 < c.size() ? n + 1 : n - 1;
  c[n] = {leaves ? 0.0 : alone || !(largest > 0) ? 1.0 : largest, 0};
  normalise(c);
  return {n, leaves};
}

std::vector<std::string> keys() {
  std::vector<std::string> all = {"superposition", "partner", "equal_states"};
  for (int n = 0; n < kDials; ++n) all.push_back("dial_" + std::to_string(n));
  return all;
}

PlainNotes kindNotes() {
  return {"Superposition", kLive, kGroup, "States that ψ consists of at t = 0. The tools take and add levels by hand"};
}
std::vector<Choice> kinds() {
  return {{"packet", "Gaussian packet"},
          {"single", "One state"},
          {"two", "Two states"},
          {"equal", "The lowest, equally"},
          {"dials", "Dials"}};
}
ParameterNotes stateNotes(const char* what) {
  return {"State n", "",
          0,         kMostStates - 1,
          kLive,     kLinear,
          kGroup,    what + std::string(", and the first state of ψ for one or two states; at most K - 1")};
}
ParameterNotes partnerNotes() {
  ParameterNotes notes{"Partner m", "", 0, kMostStates - 1, kLive, kLinear, kGroup, "The second of two states"};
  notes.relevant = when("superposition", {"two"});
  return notes;
}
ParameterNotes equalStatesNotes() {
  ParameterNotes notes{"States in it", "",      2,      kMostStates,
                       kLive,          kLinear, kGroup, "Number of lowest states, with equal amplitudes"};
  notes.relevant = when("superposition", {"equal"});
  return notes;
}
ParameterNotes dialNotes(int n) {
  const char* const titles[] = {"c₀", "c₁", "c₂", "c₃", "c₄", "c₅"};
  ParameterNotes notes{
      titles[n],
      "",
      -1,
      1,
      kLive,
      kLinear,
      kGroup,
      "Amplitude of state " + std::to_string(n) + " at t = 0, before normalisation. If all are 0, ψ is state 0"};
  notes.relevant = when("superposition", {"dials"});
  return notes;
}

}  // namespace simscope::superposition
