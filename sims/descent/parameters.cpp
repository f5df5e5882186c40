#include "sims/descent/parameters.h"

#include <cmath>

#include <fmt/format.h>

#include "sims/descent/formula.h"
#include "sims/formula/formula.h"

namespace simscope::descent {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;

Relevance methodIs(std::vector<std::string> methods) {
  return when("method", std::move(methods));
}

// That there are numbers where the starts are.
void requireNumbers(const Program& program, const Parameters& p) {
  constexpr int kPlaces = 65;
  int numbers = 0;
  for (int j = 0; j < kPlaces; ++j) {
    for (int i = 0; i < kPlaces; ++i) {
      const double x = p.left() + 2 * p.half_edge * (i + 0.5) / kPlaces;
      const double y = p.bottom() + 2 * p.half_edge * (j + 0.5) / kPlaces;
      if (std::isfinite(evaluate(program, x, y))) ++numbers;
    }
  }
  if (numbers > 0) return;
  throw UsageError(fmt::format("formula = {}: the value is nowhere finite in x = {:g} to {:g}, y = {:g} to {:g}",
                               p.formula.substr(0, 200), p.left(), p.left() + 2 * p.half_edge, p.bottom(),
                               p.bottom() + 2 * p.half_edge));
}

}  // namespace

SurfaceData Parameters::surfaceData() const {
  SurfaceData data;
  data.kind = surface;
  if (is(Surface::Bowl)) {
    const double angle = tilt * (kTwoPi / 360);
    data.bowl = {condition, compute::cosine(angle), compute::sine(angle)};
  }
  if (is(Surface::Formula)) {
    forParameter("formula", [&] {
      data.program = compile(formula);
      requireNumbers(data.program, *this);
    });
  }
  return data;
}

Rule Parameters::rule(std::uint64_t seed) const {
  return {method, learning_rate, momentum, beta1, beta2, noisy() ? noise : 0, seed};
}

const Binding<Parameters>& binding() {
  using P = Parameters;
  static const Binding<P> bound = [] {
    Binding<P> b;
    b.choice(&P::surface, "surface", {"Surface f", kReset, "Surface", "The function to minimise"},
             {{"bowl", "Quadratic bowl"},
              {"rosenbrock", "Rosenbrock's valley"},
              {"himmelblau", "Himmelblau's function"},
              {"rastrigin", "Rastrigin's lattice"},
              {"beale", "Beale's plateau"},
              {"ackley", "Ackley's funnel"},
              {"formula", "Formula"}});
    b.text(&P::formula, "formula",
           {.title = "f(x, y)",
            .applies = kReset,
            .group = "Surface",
            .help = "f as a function of x and y. " + formula::grammar(),
            .text_use = TextUse::Formula})
        .relevant(when("surface", {"formula"}));
    b.real(&P::condition, "condition",
           {"Condition number κ", "", 1, 1e6, kReset, kLog, "Surface",
            "Largest curvature divided by the smallest, which is 1"})
        .relevant(when("surface", {"bowl"}));
    b.real(&P::tilt, "tilt",
           {"Tilt", "degrees", -90, 90, kReset, kLinear, "Surface", "Angle between the bowl's long axis and x"})
        .relevant(when("surface", {"bowl"}));
    b.choice(&P::shown, "shown", {"Shown as", kLive, "Surface", "Values shown by the colours and contours of f"},
             {{"logarithm", "Logarithm over the minimum"}, {"plain", "Values"}});
    b.choice(&P::method, "method", {"Method", kLive, "Method", "A change discards the memory of the previous method"},
             {{"plain", "Gradient descent"},
              {"momentum", "Momentum (heavy ball)"},
              {"nesterov", "Nesterov's momentum"},
              {"adam", "Adam"},
              {"bfgs", "BFGS with line search"}});
    b.real(&P::learning_rate, "learning_rate",
           {"Learning rate η", "", 1e-6, 10, kLive, kLog, "Method",
            "Plain descent needs η below 2/λ, where λ is the largest curvature"})
        .relevant(unless("method", {"bfgs"}));
    b.real(&P::momentum, "momentum",
           {"Momentum μ", "", 0, 0.9999, kLive, kLinear, "Method", "Share of the last step that is kept"})
        .relevant(methodIs({"momentum", "nesterov"}));
    b.real(&P::beta1, "beta1", {"Decay β₁", "", 0, 0.9999, kLive, kLinear, "Method", "Decay of the mean gradient"})
        .relevant(methodIs({"adam"}));
    b.real(&P::beta2, "beta2",
           {"Decay β₂", "", 0, 0.99999, kLive, kLinear, "Method", "Decay of the mean squared gradient"})
        .relevant(methodIs({"adam"}));
    b.real(&P::noise, "noise",
           {"Noise of the gradient σ", "", 0, 1e4, kLive, kLinear, "Method",
            "Standard deviation of the noise added to each component of the gradient: stochastic descent"})
        .relevant(unless("method", {"bfgs"}));
    b.real(&P::center_x, "center_x",
           {"Centre x", "", -1e3, 1e3, kReset, kLinear, "Starts", "Centre of the square of starts"});
    b.real(&P::center_y, "center_y",
           {"Centre y", "", -1e3, 1e3, kReset, kLinear, "Starts", "Centre of the square of starts"});
    b.real(&P::half_edge, "half_edge",
           {"Half edge", "", 0.01, 1e3, kReset, kLog, "Starts",
            "Half the edge of the square of starts, which the pictures show"});
    b.integer(&P::starts, "starts",
              {"Starts per side", "", 16, 8192, kReset, kLog, "Starts", "The total number is its square"});
    b.choice(&P::layout, "layout", {"Layout", kReset, "Starts", "At the centre of each cell, or at random within it"},
             {{"grid", "Grid"}, {"jittered", "At random within each cell"}});
    b.real(&P::first_x, "first_x",
           {"Watched start x", "", -1e3, 1e3, kReset, kLinear, "Starts", "Start of the path that is drawn to its end"});
    b.real(&P::first_y, "first_y",
           {"Watched start y", "", -1e3, 1e3, kReset, kLinear, "Starts", "Start of the path that is drawn to its end"});
    b.real(&P::tolerance, "tolerance",
           {"Tolerance", "", 1e-9, 10, kReset, kLog, "Starts", "A start has arrived at this distance from a minimum"});
    b.integer(&P::horizon, "horizon",
              {"Iterations shown", "", 8, 65536, kLive, kLog, "Pictures",
               "Range of the loss axis and of the arrival colours"});
    return b;
  }();
  return bound;
}

}  // namespace simscope::descent
