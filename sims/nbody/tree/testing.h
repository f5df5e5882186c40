// Helpers of the tree's tests: distributions of sources, their exact field, and how far another one is from it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/nbody/tree/tree.h"

namespace simscope::nbody::tests {

using Sources = std::vector<Vec4>;

class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}
  // std::uniform_real_distribution differs between libraries; this does not. Each draw is a separate statement, because
  // compilers differ in the order of arguments.
  double operator()() { return (generator_() + 0.5) / 4294967296.0; }

 private:
  std::mt19937 generator_;
};

inline Vec4 pointAt(double x, double y, double z, double s) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(s)};
}

inline Vec4 plummerBody(Draw& draw, double s) {
  const double r = 1 / std::sqrt(std::pow(draw(), -2.0 / 3) - 1);
  const double c = 2 * draw() - 1, angle = 2 * M_PI * draw(), q = r * std::sqrt(1 - c * c);
  return pointAt(q * std::cos(angle), q * std::sin(angle), r * c, s);
}

// "plummer", "uniform", "two clusters", "disc", "mixed charges", "line", "plane", "tight clusters", "outlier", "all
// scales", "encounter": two dense nuclei in a thin halo, and some escaped bodies, as after an encounter of galaxies
inline Sources sources(const std::string& kind, int n, unsigned seed = 1) {
  Draw draw(seed);
  Sources v;
  for (int i = 0; i < n; ++i) {
    const double s = 1.0 / n;
    if (kind == "plummer" || kind == "outlier" || kind == "two clusters") {
      v.push_back(plummerBody(draw, s));
      if (kind == "outlier" && i == n / 3) v.back().x = 1e7f;
      if (kind == "two clusters") v.back().x += i % 2 ? 20.0f : -20.0f;
    } else if (kind == "disc") {
      const double r = -std::log(draw()), angle = 2 * M_PI * draw();
      v.push_back(pointAt(r * std::cos(angle), r * std::sin(angle), 0.02 * (draw() - 0.5), s));
    } else if (kind == "line") {
      v.push_back(pointAt(draw(), 0.25, -3, s));
    } else if (kind == "plane") {
      const double z = draw(), x = draw();
      v.push_back(pointAt(x, 0.25, z, s));
    } else if (kind == "all scales") {
      const double r = std::exp2(-18 * draw());
      const double z = draw(), y = draw(), x = draw();
      v.push_back(pointAt(r * (x - 0.5), r * (y - 0.5), r * (z - 0.5), s));
    } else if (kind == "encounter") {
      Vec4 body = plummerBody(draw, s);
      const float scale = i % 10 ? 0.1f : i % 100 ? 3.0f : 300.0f;
      body = {scale * body.x + (i % 3 ? 0.5f : -1.0f), scale * body.y, scale * body.z, body.w};
      v.push_back(body);
    } else if (kind == "tight clusters") {
      // Seventeen bodies do not fit a leaf: their cells are divided down to the level that separates the cluster.
      Draw where(1000u + static_cast<unsigned>(i) / 17u);
      const double x = where(), y = where(), z = where();
      const double off_z = draw(), off_y = draw(), off_x = draw();
      v.push_back(pointAt(x + 1e-5 * off_x, y + 1e-5 * off_y, z + 1e-5 * off_z, s));
    } else {
      const double x = draw(), y = draw(), z = draw();
      v.push_back(pointAt(x, y, z, kind == "mixed charges" && i % 2 ? -s : s));
    }
  }
  return v;
}

using Field = std::array<double, 4>;

// The field at source i, in double precision by definition.
inline Field exactField(const Sources& v, std::size_t i, double softening) {
  Field f{};
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (j == i) continue;
    const double x = static_cast<double>(v[j].x) - v[i].x, y = static_cast<double>(v[j].y) - v[i].y,
                 z = static_cast<double>(v[j].z) - v[i].z;
    const double u = 1 / std::sqrt(x * x + y * y + z * z + softening * softening);
    const double weight = v[j].w * u * u * u;
    f[0] += weight * x;
    f[1] += weight * y;
    f[2] += weight * z;
    f[3] -= v[j].w * u;
  }
  return f;
}

struct Errors {
  double force, potential;  // rms over a sample, relative to the rms of the exact field
};

inline Errors errorsOf(const Sources& v, const std::vector<Vec4>& found, double softening, std::size_t samples = 250) {
  double force = 0, forces = 0, potential = 0, potentials = 0;
  samples = std::min(samples, v.size());
  for (std::size_t k = 0; k < samples; ++k) {
    const std::size_t i = k * v.size() / samples;
    const Field f = exactField(v, i, softening);
    const double x = found[i].x - f[0], y = found[i].y - f[1], z = found[i].z - f[2], p = found[i].w - f[3];
    force += x * x + y * y + z * z;
    forces += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    potential += p * p;
    potentials += f[3] * f[3];
  }
  return {std::sqrt(force / forces), std::sqrt(potential / potentials)};
}

inline std::vector<Vec4> fieldOf(FieldSolver& solver, const compute::DevicePtr& device, const Sources& v,
                                 double softening) {
  const compute::Buffer<Vec4> in(device, std::span<const Vec4>(v));
  compute::Buffer<Vec4> out(device, v.size());
  solver.field(in.data(), static_cast<int>(v.size()), softening, out.data());
  return out.toHost();
}

inline std::vector<Vec4> treeField(const compute::DevicePtr& device, const Sources& v, double softening, double angle) {
  return fieldOf(*makeTree(device, angle), device, v, softening);
}

}  // namespace simscope::nbody::tests
