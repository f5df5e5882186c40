#include <algorithm>

#include "sims/core/timeline/stepper.h"
#include "sims/pinn/pinn.h"

namespace simscope::pinn {
namespace {

Relevance of(const char* problem) {
  return when("problem", {problem});
}
Relevance ofPlane() {
  return when("problem", {"heat", "burgers"});
}
Relevance ofLine() {
  return when("problem", {"decay", "oscillator"});
}
Relevance ofMany() {
  return whenAbove("networks", 1);
}
Relevance ofSweeps() {
  return ofMany() && when("varies", {"rate"});
}

double memory(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double state = 3.0 * p.net().weights() * sizeof(float) + (kRecords + 1.0) * sizeof(Score);
  const double work = (p.net().weights() + 561.0) * sizeof(float) + sizeof(Score);
  const double places = (kStepsOfALaunch * p.points + 128 * 128 * 8.0) * sizeof(Place<float>);
  const double pictures = 3 * (4.0 * p.networks + 5 * 128 * 128) * sizeof(float);
  const double all = p.networks * state, watched = std::min(all, static_cast<double>(Stepper::kWatchedBytes));
  const double host = backend == compute::Backend::Cpu ? all + watched : 0;
  return all + p.networks * work + places + pictures + host;
}

std::vector<DiagnosticInfo> diagnostics() {
  return {
      {"loss", "Loss", "", "Loss of the best network: the weighted sum of its parts", kPlotted},
      {"loss_equation", "Loss, equation", "", "Mean square of the residual"},
      {"loss_initial", "Loss, initial", "", "Mean square of the deviation from the initial conditions"},
      {"loss_boundary", "Loss, boundary", "", "Mean square of the deviation from the boundary values", kListed,
       ofPlane()},
      {"loss_start", "Loss at first", "", "Loss before the first iteration"},
      {"error", "Relative error", "", "Relative L2 norm of the network minus the exact solution", kPlotted},
      {"error_exact", "Relative error, exact solution", "", "Value that training approaches", kListed,
       exactOf("error", 0.1)},
      {"error_max", "Largest error", "", "Largest difference between the network and the exact solution"},
      {"value", "u at the probe", "", "u at the end of the interval; for heat at x = ½, for Burgers at x = −½",
       kPlotted},
      {"value_exact", "u at the probe, exact", "", "u of the exact solution at the probe", kPlotted,
       exactOf("value", 0.1)},
      {"gradient", "Gradient", "", "Norm of the loss's gradient"},
      {"best_rate", "Best learning rate", "", "Learning rate of the network with the smallest loss, before decay",
       kListed, ofMany()},
      {"diverged", "Diverged", "", "Networks whose loss is ten times the first loss, and above 10", kListed, ofMany()}};
}

std::vector<View> views() {
  const AxisInfo iterations{.title = "iterations", .decades = true}, rate{.title = "learning rate", .decades = true};
  const AxisInfo scores{.title = "loss", .decades = true};
  const TraceInfo exact{"exact", "exact", "", TraceStyle::Line, "", true, 1};
  const TraceInfo network{"solution", "network", "", TraceStyle::Line};
  const TraceInfo start{"start", "at t = 0", "", TraceStyle::Ghost, "", true, 3, {}, ofPlane()};
  const TraceInfo residual{"residual", "residual", "", TraceStyle::Line};
  const TraceInfo zero{"zero", "zero", "", TraceStyle::Ghost, "", true, 3};
  const TraceInfo error{"error", "network − exact", "", TraceStyle::Line};
  const TraceInfo no_error{"no_error", "zero", "", TraceStyle::Ghost, "", true, 3};
  const TraceInfo loss{"loss", "loss", "", TraceStyle::Line};
  const TraceInfo equation{"loss_equation", "equation", "", TraceStyle::Line, "", true, 1};
  const TraceInfo conditions{"loss_conditions", "conditions", "", TraceStyle::Line, "", true, 2};
  const TraceInfo deviation{"loss_error", "relative error", "", TraceStyle::Line, "", true, 3};
  const AxisInfo x{"x"}, t{"t"}, u{"u"};
  FieldView field{.x = x, .y = t, .value = u, .channel = "field", .colormap = "coolwarm"};
  FieldView field_exact = field, field_error = field, field_residual = field;
  field_exact.channel = "field_exact";
  field_error.channel = "field_error", field_error.value = {"u − exact"}, field_error.symmetric = true;
  field_residual.channel = "field_residual", field_residual.value = {"residual"}, field_residual.symmetric = true;
  FieldView weights{.x = {"layers side by side"}, .y = {"unit"}, .value = {"weight"}, .channel = "weights"};
  weights.colormap = "coolwarm", weights.symmetric = true, weights.absent = "none";
  return {
      {"overview", "Solution, loss, and residual",
       LinkedView{{{"solution", 0, 0, 0.55, 1}, {"loss", 0.55, 0, 0.45, 0.55}, {"residual", 0.55, 0.55, 0.45, 0.45}}}},
      {"fields", "Field, error, and loss",
       LinkedView{{{"field", 0, 0, 0.5, 0.5},
                   {"field_exact", 0.5, 0, 0.5, 0.5},
                   {"field_error", 0, 0.5, 0.5, 0.5},
                   {"loss", 0.5, 0.5, 0.5, 0.5}}}},
      {"squares", "Fields, loss, and solution",
       LinkedView{{{"field", 0, 0, 0.333, 0.5},
                   {"field_exact", 0.333, 0, 0.333, 0.5},
                   {"field_error", 0.666, 0, 0.334, 0.5},
                   {"loss", 0, 0.5, 0.5, 0.5},
                   {"solution", 0.5, 0.5, 0.5, 0.5}}}},
      {"sweep_overview", "Sweep and best solution",
       LinkedView{{{"sweep", 0, 0, 0.55, 1}, {"solution", 0.55, 0, 0.45, 0.5}, {"loss", 0.55, 0.5, 0.45, 0.5}}}},
      {"seeds_overview", "Networks and best solution",
       LinkedView{{{"networks", 0, 0, 0.55, 1}, {"solution", 0.55, 0, 0.45, 0.5}, {"loss", 0.55, 0.5, 0.45, 0.5}}}},
      {"inside", "Weights, solution, and loss",
       LinkedView{{{"weights", 0, 0, 0.5, 1}, {"solution", 0.5, 0, 0.5, 0.5}, {"loss", 0.5, 0.5, 0.5, 0.5}}}},
      {"solution", "Solution", CurveView{x, u, {}, {exact, network, start}}},
      {"loss", "Loss over iterations", CurveView{iterations, scores, {}, {loss, equation, conditions, deviation}}},
      {"residual", "Residual of the equation", CurveView{x, {"residual"}, {}, {residual, zero}}},
      {"error", "Error", CurveView{x, {"error"}, {}, {error, no_error}}},
      {"field", "u(x, t) of the network", field},
      {"field_exact", "Exact u(x, t)", field_exact},
      {"field_error", "Error over x and t", field_error},
      {"field_residual", "Residual over x and t", field_residual},
      {"sweep", "Loss against learning rate",
       CurveView{rate,
                 scores,
                 {},
                 {{"sweep_loss", "loss", "", TraceStyle::Line},
                  {"sweep_error", "relative error", "", TraceStyle::Line, "", true, 3}}}},
      {"networks", "Errors of the networks",
       CurveView{{.title = "relative error", .decades = true},
                 {"networks"},
                 {},
                 {{"errors", "now", "", TraceStyle::Bars},
                  {"errors_start", "at first", "", TraceStyle::Ghost, "", true, 3}}}},
      {"weights", "Weights", weights}};
}

std::string equationOf(const ParameterSet& parameters) {
  const std::string& problem = parameters.text("problem");
  if (problem == "oscillator") return "y'' = −ω² y,  y(0) = 1,  y'(0) = 0";
  if (problem == "heat") return "u_t = α u_xx,  u(x, 0) = sin πx,  u(0, t) = u(1, t) = 0";
  if (problem == "burgers") return "u_t + u u_x = ν u_xx,  u(x, 0) = −sin πx,  u(±1, t) = 0";
  return "y' = −k y,  y(0) = 1";
}

void bindProblem(Binding<Parameters>& b) {
  using P = Parameters;
  constexpr Applies kReset = Applies::OnReset;
  const char* const group = "Problem";
  b.choice(&P::problem, "problem", {"Problem", kReset, group, "The differential equation to learn"},
           {{"decay", "Decay"}, {"oscillator", "Oscillator"}, {"heat", "Heat"}, {"burgers", "Burgers"}});
  b.real(&P::rate, "rate", {"Rate k", "1/x", 0.1, 10, kReset, Scale::Log, group, "Rate in y' = −k y"})
      .relevant(of("decay"));
  b.real(&P::frequency, "frequency",
         {"Frequency ω", "1/x", 0.5, 10, kReset, Scale::Log, group, "Frequency in y'' = −ω² y"})
      .relevant(of("oscillator"));
  b.real(&P::length, "length",
         {"Length", "x", 0.5, 10, kReset, Scale::Linear, group, "End of the interval, which begins at 0"})
      .relevant(ofLine());
  b.real(&P::diffusivity, "diffusivity",
         {"Diffusivity α", "x²/t", 0.01, 0.5, kReset, Scale::Log, group, "Diffusivity in u_t = α u_xx"})
      .relevant(of("heat"));
  b.real(&P::viscosity, "viscosity",
         {"Viscosity ν", "x²/t", 0.003, 0.5, kReset, Scale::Log, group, "The front is about 4ν wide"})
      .relevant(of("burgers"));
  b.real(&P::slice, "slice",
         {"Time of the slice", "t", 0, 1, Applies::Live, Scale::Linear, group,
          "Time for which the curves over x are shown"})
      .relevant(ofPlane());
}

void bindNetwork(Binding<Parameters>& b) {
  using P = Parameters;
  constexpr Applies kReset = Applies::OnReset;
  b.integer(&P::layers, "layers",
            {"Hidden layers", "", 1, kMostLayers, kReset, Scale::Linear, "Network",
             "Number of layers between the inputs x (and t) and the output u"});
  b.integer(
      &P::units, "units",
      {"Units", "", 1, kMostUnits, kReset, Scale::Linear, "Network", "Number of tanh units in each hidden layer"});
  b.real(&P::initial_scale, "initial_scale",
         {"Initial weights", "", 0.01, 3, kReset, Scale::Log, "Network",
          "Size of the initial weights, in units of Glorot's"});
  b.integer(&P::networks, "networks",
            {"Networks", "", 1, 65536, kReset, Scale::Log, "Network",
             "Number of networks that train side by side; the best one is shown"});
  b.choice(&P::varies, "varies",
           {"They differ in", kReset, "Network",
            "Their initial weights; or their learning rate, with equal initial weights"},
           {{"weights", "Initial weights"}, {"rate", "Learning rate"}})
      .relevant(ofMany());
}

void bindTraining(Binding<Parameters>& b) {
  using P = Parameters;
  constexpr Applies kReset = Applies::OnReset;
  const char* const group = "Training";
  b.choice(&P::optimizer, "optimizer",
           {"Optimiser", kReset, group, "Steps against the gradient, or Adam, which scales the step of each weight"},
           {{"adam", "Adam"}, {"descent", "Gradient descent"}});
  b.real(&P::learning_rate, "learning_rate",
         {.title = "Learning rate η",
          .minimum = 1e-6,
          .maximum = 10,
          .scale = Scale::Log,
          .group = group,
          .help = "Factor of the gradient in a step; with Adam, about the length of a step",
          .aliases = {{ofSweeps(), "Learning rate η, first"}}});
  b.real(&P::highest_rate, "highest_rate",
         {"Learning rate η, last", "", 1e-6, 10, Applies::Live, Scale::Log, group,
          "The rates between first and last differ by equal factors"})
      .relevant(ofSweeps());
  b.real(&P::decay, "decay",
         {"Decay of η", "1/1000 iterations", 0, 10, Applies::Live, Scale::Linear, group,
          "η falls as exp(−decay · iterations/1000)"});
  b.integer(
      &P::points, "points",
      {"Points", "", 4, kMostPoints, kReset, Scale::Log, group,
       "Points at which the equation is evaluated: a grid of at most this many, or random points in each iteration"});
  b.choice(&P::sampling, "sampling", {"Points are", kReset, group, "The same in all iterations, or random in each"},
           {{"grid", "On a grid"}, {"random", "Drawn each time"}});
  b.real(&P::condition_weight, "condition_weight",
         {"Weight of conditions λ", "", 0.01, 1000, Applies::Live, Scale::Log, group,
          "Weight of initial and boundary conditions in the loss; the equation has the weight 1"});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = [] {
    Binding<Parameters> b;
    bindProblem(b);
    bindNetwork(b);
    bindTraining(b);
    return b;
  }();
  return bound;
}

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "pinn";
    d.title = "Physics-informed network";
    d.summary =
        "Small neural networks learn to satisfy a differential equation; results are compared with its exact solution.";
    d.equation = "min over weights of ⟨r²⟩ + λ ⟨(u − u₀)²⟩,  r the residual of the equation";
    d.equation_of = equationOf;
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnostics();
    d.views = views();
    d.state_array = "weights";
    d.time_step = [](const ParameterSet&) { return 1.0; };
    d.clock = {"n", "iterations", true};
    d.parity_tolerance = 0;
    d.parity_steps = 100;
    d.memory = memory;
    d.size_key = "networks";
    d.create = create;
    return d;
  }();
  return described;
}

}  // namespace simscope::pinn
