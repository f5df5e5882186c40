#include "sims/pinn/problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::pinn {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kInitial = 32, kSides = 16;

// u = −∫ sin π(x−s) f(x−s) G(s) ds / ∫ f(x−s) G(s) ds,  f(y) = exp(−cos πy / 2πν),  G(s) = exp(−s²/4νt). With s =
// √(4νt) z the integrand is smooth on the scale of z = 0.35 whatever ν and t, and gone where z² exceeds 1/(πν) by much.
double burgers(double viscosity, double x, double t) {
  if (t <= 0) return -std::sin(kPi * x);
  constexpr double kStep = 0.1;
  const double reach = std::sqrt(1 / (kPi * viscosity)) + 6.5, scale = std::sqrt(4 * viscosity * t);
  const int steps = static_cast<int>(std::ceil(reach / kStep));
  const double most = 1 / (2 * kPi * viscosity);
  double above = 0, below = 0;
  for (int i = -steps; i <= steps; ++i) {
    const double z = i * kStep, y = kPi * (x - scale * z);
    const double weight = std::exp(-std::cos(y) / (2 * kPi * viscosity) - most - z * z + std::min(most, 300.0));
    above -= std::sin(y) * weight;
    below += weight;
  }
  return above / below;
}

template <class Real>
Real real(double value) {
  return static_cast<Real>(value);
}

std::vector<Place<float>> rectangle(int across, int along) {
  std::vector<Place<float>> places;
  const auto at = [](int i, int count) { return static_cast<float>(2.0 * i / (count - 1) - 1); };
  for (int j = 0; j < along; ++j) {
    for (int i = 0; i < across; ++i) places.push_back({at(i, across), along > 1 ? at(j, along) : 0.0f});
  }
  return places;
}

}  // namespace

double xOf(const Physics& physics, double xi) {
  return physics.middle() + (physics.last() - physics.first()) / 2 * xi;
}
double timeOf(double tau) {
  return (tau + 1) / 2;
}

double exactAt(const Physics& p, double x, double t) {
  switch (p.problem) {
    case Problem::Decay:
      return std::exp(-p.rate * x);
    case Problem::Oscillator:
      return std::cos(p.frequency * x);
    case Problem::Heat:
      return std::exp(-p.diffusivity * kPi * kPi * t) * std::sin(kPi * x);
    case Problem::Burgers:
      return burgers(p.viscosity, x, t);
  }
  return 0;
}

template <class Real>
Loss<Real> lossFor(const Physics& p, double condition_weight, int points) {
  Loss<Real> loss{};
  Equation<Real>& e = loss.equation;
  const double w2 = p.frequency * p.frequency;
  switch (p.problem) {
    case Problem::Decay:
      e.u = 1, e.x = real<Real>(1 / p.rate);
      break;
    case Problem::Oscillator:
      e.u = 1, e.xx = real<Real>(1 / w2);
      break;
    case Problem::Heat:
      e.t = 1, e.xx = real<Real>(-p.diffusivity);
      break;
    case Problem::Burgers:
      e.t = 1, e.product = 1, e.xx = real<Real>(-p.viscosity);
      break;
  }
  loss.xi_x = real<Real>(2 / (p.last() - p.first()));
  loss.tau_t = 2;
  loss.mean[0] = real<Real>(1.0 / points);
  loss.mean[1] = real<Real>(p.partial() ? 1.0 / kInitial : 1.0);
  loss.mean[2] = real<Real>(p.partial() ? 1.0 / (2 * kSides) : 0.0);
  loss.weight[0] = 1;
  loss.weight[1] = loss.weight[2] = real<Real>(condition_weight);
  loss.points = points;
  loss.conditions = p.partial() ? kInitial + 2 * kSides : 1;
  return loss;
}
template Loss<float> lossFor(const Physics&, double, int);
template Loss<double> lossFor(const Physics&, double, int);

template <class Real>
std::vector<ConditionAt<Real>> conditionsFor(const Physics& p) {
  if (!p.partial()) {
    const double slope = p.problem == Problem::Oscillator ? 1 / p.frequency : 0;
    return {{{Real(-1), Real(0)}, Real(1), real<Real>(slope), 1}};
  }
  std::vector<ConditionAt<Real>> all;
  for (int i = 0; i < kInitial; ++i) {
    const double xi = 2.0 * i / (kInitial - 1) - 1;
    all.push_back({{real<Real>(xi), Real(-1)}, real<Real>(exactAt(p, xOf(p, xi), 0)), Real(0), 1});
  }
  for (const double xi : {-1.0, 1.0}) {
    for (int i = 0; i < kSides; ++i) {
      all.push_back({{real<Real>(xi), real<Real>(2.0 * i / (kSides - 1) - 1)}, Real(0), Real(0), 2});
    }
  }
  return all;
}
template std::vector<ConditionAt<float>> conditionsFor(const Physics&);
template std::vector<ConditionAt<double>> conditionsFor(const Physics&);

std::vector<Place<float>> gridFor(const Physics& p, int points) {
  if (!p.partial()) return rectangle(std::max(points, 2), 1);
  const int across = std::max(2, static_cast<int>(std::sqrt(points + 0.5)));
  return rectangle(across, std::max(2, points / across));
}

std::vector<Place<float>> measuringGrid(const Physics& p) {
  return p.partial() ? rectangle(33, 17) : rectangle(129, 1);
}

}  // namespace simscope::pinn
