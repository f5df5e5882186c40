// Helpers of the tests of the alternating direction implicit scheme: one line or one step after the other on the host,
// by Thomas's algorithm in double, and in windows with the arithmetic of CUDA's kernels.
#pragma once

#include <array>
#include <vector>

#include "sims/heat/adi/adi.h"

namespace simscope::heat::tests {

inline std::vector<double> solvedByThomas(const AdiFactors& f, std::vector<double> d) {
  const std::size_t n = d.size();
  for (std::size_t i = 0; i < n; ++i) d[i] = (d[i] + (i ? f.h * d[i - 1] : 0)) * f.scale[i];
  for (std::size_t i = n - 1; i-- > 0;) d[i] += f.back[i] * d[i + 1];
  if (f.closed) {
    const double share = (d.front() + f.tail * d.back()) * f.denominator;
    for (std::size_t i = 0; i < n; ++i) d[i] -= share * f.q[i];
  }
  return d;
}

struct Chunk {
  float v[kChunk];
};

template <Way kWay>
void runWindow(std::vector<Chunk>& window, const AdiWindows& s) {
  const std::size_t count = window.size();
  const auto chunk = [&](std::size_t i) -> float(&)[kChunk] { return window[kWay == Way::To ? i : count - 1 - i].v; };
  std::vector<float> first, last;
  for (std::size_t i = 0; i < count; ++i) {
    runAlong<kWay>(chunk(i), s.rho);
    first.push_back(chunk(i)[along<kWay>(0)]);
    last.push_back(chunk(i)[along<kWay>(kChunk - 1)]);
  }
  for (std::size_t i = 1; i < count; ++i) {
    putRight<kWay>(chunk(i), arriving(first[i - 1], last[i - 1], i > 1 ? last[i - 2] : first[0], s.powers), s.powers);
  }
}

inline std::vector<float> solvedInWindows(const AdiWindows& s, const std::vector<float>& d) {
  std::vector<float> x(d.size());
  std::vector<Chunk> window(static_cast<std::size_t>(s.chunks));
  for (int w = 0; w < s.count; ++w) {
    const auto at = [&](int cell) -> float& {
      const int i = cell - s.start(w);
      return window[static_cast<std::size_t>(i / kChunk)].v[i % kChunk];
    };
    for (int cell = s.start(w); cell < s.start(w) + s.chunks * kChunk; ++cell) {
      const AdiSource source = s.source(cell);
      at(cell) = source.factor * d[static_cast<std::size_t>(source.cell)];
    }
    runWindow<Way::To>(window, s);
    runWindow<Way::Fro>(window, s);
    for (int cell = s.ownedFrom(w); cell < s.ownedTo(w); ++cell) {
      x[static_cast<std::size_t>(cell)] = s.isWall(cell) ? 0.0f : at(cell);
    }
  }
  return x;
}

// One step of the field u, whose lines `solved` solves.
template <class T, class Solved>
void adiStep(std::vector<T>& u, const AdiWindows& s, T h, const Solved& solved) {
  const auto n = static_cast<std::size_t>(s.n);
  const auto row = [&](int y) { return &u[static_cast<std::size_t>(s.rowAt(y)) * n]; };
  std::vector<T> second(u.size()), d(n);
  for (int y = 0; y < s.n; ++y) {
    for (std::size_t x = 0; x < n; ++x) {
      const T own = row(y)[x], up = row(y - 1)[x], down = row(y + 1)[x];
      d[x] = s.isWall(y) || s.isWall(static_cast<int>(x)) ? T{0} : std::fma(h, (up - own) + (down - own), own);
    }
    const std::vector<T> star = solved(d);
    for (std::size_t x = 0; x < n; ++x) second[static_cast<std::size_t>(y) * n + x] = 2 * star[x] - d[x];
  }
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t y = 0; y < n; ++y) d[y] = second[y * n + x];
    const std::vector<T> next = solved(d);
    for (std::size_t y = 0; y < n; ++y) u[y * n + x] = next[y];
  }
}

inline void adiStepInWindows(std::vector<float>& u, const AdiWindows& s) {
  adiStep(u, s, s.h, [&](const std::vector<float>& d) { return solvedInWindows(s, d); });
}

}  // namespace simscope::heat::tests
