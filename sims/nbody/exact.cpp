#include "sims/nbody/exact.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "sims/nbody/few/fixed_systems.h"
#include "sims/nbody/initial.h"
#include "sims/nbody/system.h"

namespace simscope::nbody {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFigureEightPeriod = 6.32591398292621;  // for G = 1

// One period of the figure-eight for G = 1 at equal distances in time, by Yoshida's scheme in small steps.
class FigureEight {
 public:
  static constexpr int kNodes = 2048, kStepsPerNode = 8;
  struct Node {
    double x[9], v[9];
  };

  FigureEight() {
    Node now{};
    std::array<double, 3> mass{};
    int body = 0;
    for (const BodyState& b : fixedSystem({.initial = Initial::FigureEight})) {
      for (int k = 0; k < 3; ++k) {
        now.x[3 * body + k] = b.x[k];
        now.v[3 * body + k] = b.v[k];
      }
      mass[static_cast<std::size_t>(body++)] = b.mass;
    }
    const double step = kFigureEightPeriod / (kNodes * kStepsPerNode);
    for (int i = 0; i <= kNodes; ++i) {
      nodes_.push_back(now);
      for (int s = 0; s < kStepsPerNode; ++s) {
        for (const double share : substepsOf(Integrator::Yoshida4)) {
          for (int k = 0; k < 9; ++k) now.x[k] += share * step / 2 * now.v[k];
          kick(now, mass, share * step);
          for (int k = 0; k < 9; ++k) now.x[k] += share * step / 2 * now.v[k];
        }
      }
    }
  }

  // Cubic between two nodes.
  std::array<Place, 3> at(double time) const {
    const double spacing = kFigureEightPeriod / kNodes, position = time / spacing;
    const int node = std::min(static_cast<int>(position), kNodes - 1);
    const double t = position - node, s = 1 - t;
    const Node &a = nodes_[static_cast<std::size_t>(node)], &b = nodes_[static_cast<std::size_t>(node) + 1];
    std::array<Place, 3> places{};
    for (int k = 0; k < 9; ++k) {
      places[static_cast<std::size_t>(k / 3)][static_cast<std::size_t>(k % 3)] =
          s * s * (1 + 2 * t) * a.x[k] + t * t * (1 + 2 * s) * b.x[k] + spacing * s * t * (s * a.v[k] - t * b.v[k]);
    }
    return places;
  }

 private:
  static void kick(Node& node, const std::array<double, 3>& mass, double duration) {
    for (int i = 0; i < 3; ++i) {
      const Pull pull = pullOfFew(node.x, mass.data(), 3, i, 0x1p-200);
      node.v[3 * i] += duration * pull.x;
      node.v[3 * i + 1] += duration * pull.y;
      node.v[3 * i + 2] += duration * pull.z;
    }
  }

  std::vector<Node> nodes_;
};

// M with M + ½ sin 2M = y (falling), or M + ½ sinh 2M = y (flying apart), by bisection and Newton's method.
double cycloid(double y, bool falls) {
  double low = 0, high = falls ? kPi / 2 : std::max(1.0, y);
  double m = (low + high) / 2;
  for (int i = 0; i < 80; ++i) {
    const double value = m + 0.5 * (falls ? std::sin(2 * m) : std::sinh(2 * m)) - y;
    (value > 0 ? high : low) = m;
    m = (low + high) / 2;
  }
  return m;
}

}  // namespace

double keplerPeriod(double gravitational_constant) {
  return 2 * kPi / std::sqrt(gravitational_constant * (kKeplerMasses[0] + kKeplerMasses[1]));
}

std::array<Place, 2> keplerPlaces(double gravitational_constant, double time) {
  const double e = kEccentricity, period = keplerPeriod(gravitational_constant);
  const double mean = 2 * kPi * (std::remainder(time, period) / period);
  // Newton's method on E − e sin E = M; from π sgn M it converges for any e < 1.
  double anomaly = mean < 0 ? -kPi : kPi;
  for (int i = 0; i < 60; ++i) anomaly -= (anomaly - e * std::sin(anomaly) - mean) / (1 - e * std::cos(anomaly));
  const double x = std::cos(anomaly) - e, y = std::sqrt(1 - e * e) * std::sin(anomaly);
  const double total = kKeplerMasses[0] + kKeplerMasses[1];
  const double first = -kKeplerMasses[1] / total, second = kKeplerMasses[0] / total;
  return {Place{first * x, first * y, 0}, Place{second * x, second * y, 0}};
}

double figureEightPeriod(double gravitational_constant) {
  return kFigureEightPeriod / std::sqrt(gravitational_constant);
}

std::array<Place, 3> figureEightPlaces(double gravitational_constant, double time) {
  static const FigureEight orbit;
  return orbit.at(std::fmod(time * std::sqrt(gravitational_constant), kFigureEightPeriod));
}

double ExactProfile::halfMassRadius() const {
  return kind == Kind::Plummer ? scale / std::sqrt(std::cbrt(4.0) - 1) : scale * std::cbrt(0.5);
}

std::optional<ExactProfile> exactProfile(const Parameters& p, double time) {
  if (p.initial == Initial::Plummer && p.force == Force::Gravity) {
    return ExactProfile{ExactProfile::Kind::Plummer, kPlummerRadius};
  }
  if (p.initial != Initial::ColdSphere) return std::nullopt;
  // R = R₀ cos² ξ with ξ + ½ sin 2ξ = t √(2GM/R₀³); for charges, R₀ cosh² η with η + ½ sinh 2η = …
  const double y = time * std::sqrt(2 * p.gravitational_constant / (kSphereRadius * kSphereRadius * kSphereRadius));
  const bool falls = p.force == Force::Gravity;
  constexpr double kNearlyFallen = 0.9;
  if (falls && y > kNearlyFallen * kPi / 2) return std::nullopt;
  const double m = cycloid(y, falls), root = falls ? std::cos(m) : std::cosh(m);
  return ExactProfile{ExactProfile::Kind::Sphere, kSphereRadius * root * root};
}

}  // namespace simscope::nbody
