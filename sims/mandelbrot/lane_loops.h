// The loops over a tile's pixels, several vectors at a time; included only by the files of the instruction sets, each
// of which has its own copies of the functions. Escaped pixels are removed after each pass, so that few lanes idle.
//
// Lanes: T, the vector V of kLanes of them (with + - *), kTogether vectors in flight; beyond(), less(), equal() return
// a bit for each lane; pairs() gathers two numbers for each.
#pragma once

#include "sims/mandelbrot/iteration.h"
#include "sims/mandelbrot/lane_kernels.h"
#include "sims/mandelbrot/lane_tile.h"

namespace simscope::mandelbrot {
namespace {

template <class L>
void load(typename L::V& to, const typename L::T* from) {
  __builtin_memcpy(&to, from, sizeof to);
}
template <class L>
void store(typename L::T* to, const typename L::V& from) {
  __builtin_memcpy(to, &from, sizeof from);
}
template <class L>
typename L::V all(typename L::T value) {
  return typename L::V{} + value;
}

// Some lanes of a vector, as numbers. It is a copy, because a vector whose lanes are indexed would have to be in
// memory.
template <class L>
struct Numbered {
  alignas(64) typename L::T lanes[L::kLanes];
  explicit Numbered(const typename L::V& from) { store<L>(lanes, from); }
  typename L::T& operator[](int i) { return lanes[i]; }
  void to(typename L::V& vector) const { load<L>(vector, lanes); }
};

template <class L>
void holdDownLanes(typename L::V& dx, typename L::V& dy) {
  using T = typename L::T;
  Numbered<L> re(dx), im(dy);
  bool any = false;
  for (int i = 0; i < L::kLanes; ++i) any |= magnitude(re[i], im[i]) > Most<T>::kDerivative;
  if (!any) return;
  for (int i = 0; i < L::kLanes; ++i) holdDown(re[i], im[i]);
  re.to(dx), im.to(dy);
}

// A pixel that has escaped within the chunk from n on, repeated from its state at n.
template <class T, bool kDerivative>
int escape(Going<T>& going, int i, int n, T seed) {
  constexpr T kBound = static_cast<T>(kEscape * kEscape);
  do {
    if (kDerivative) derive(going.dx[i], going.dy[i], going.x[i], going.y[i], seed);
    iterate(going.x[i], going.y[i], going.cx[i], going.cy[i]);
    ++n;
  } while (going.x[i] * going.x[i] + going.y[i] * going.y[i] <= kBound);
  return n;
}

// A pass from n to stop over the lanes from `first` on; returns the lanes that continue, a bit each.
template <class L, bool kDerivative>
unsigned long directPass(const Iteration& t, Going<typename L::T>& going, int first, int n, int stop) {
  using T = typename L::T;
  using V = typename L::V;
  constexpr int kVectors = L::kTogether, kLanes = L::kLanes;
  constexpr T kBound = static_cast<T>(kEscape * kEscape);
  const T seed = t.julia ? T(0) : static_cast<T>(t.spacing);
  const V seeds = all<L>(seed);
  V x[kVectors], y[kVectors], dx[kVectors], dy[kVectors], cx[kVectors], cy[kVectors], first_x[kVectors],
      first_y[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const int at = first + v * kLanes;
    load<L>(x[v], going.x + at), load<L>(y[v], going.y + at), load<L>(cx[v], going.cx + at),
        load<L>(cy[v], going.cy + at);
    if (kDerivative) load<L>(dx[v], going.dx + at), load<L>(dy[v], going.dy + at);
    first_x[v] = x[v], first_y[v] = y[v];
  }
  const int present = going.count - first;
  unsigned long alive = present >= kVectors * kLanes ? ~0UL >> (64 - kVectors * kLanes) : (1UL << present) - 1;
  while (n < stop && alive) {
    const int count = stop - n > kChunk ? kChunk : stop - n;
    V old_x[kVectors], old_y[kVectors], old_dx[kVectors], old_dy[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      old_x[v] = x[v], old_y[v] = y[v];
      if (kDerivative) old_dx[v] = dx[v], old_dy[v] = dy[v];
    }
    for (int i = 0; i < count; ++i) {
      for (int v = 0; v < kVectors; ++v) {
        if (kDerivative) derive(dx[v], dy[v], x[v], y[v], seeds);
        iterate(x[v], y[v], cx[v], cy[v]);
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      unsigned out = L::beyond(x[v] * x[v] + y[v] * y[v], kBound);
      unsigned same = L::equal(x[v], first_x[v]) & L::equal(y[v], first_y[v]) & ~out;
      const auto mine = static_cast<unsigned>(alive >> (v * kLanes)) & ((1u << kLanes) - 1);
      out &= mine, same &= mine;
      if (kDerivative && mine & ~out) holdDownLanes<L>(dx[v], dy[v]);
      if (!(out | same)) continue;
      Numbered<L> now_x(x[v]), now_y(y[v]), now_dx(kDerivative ? dx[v] : x[v]), now_dy(kDerivative ? dy[v] : y[v]);
      Numbered<L> then_x(old_x[v]), then_y(old_y[v]), then_dx(kDerivative ? old_dx[v] : x[v]);
      Numbered<L> then_dy(kDerivative ? old_dy[v] : y[v]), now_cx(cx[v]), now_cy(cy[v]);
      for (int i = 0; i < kLanes; ++i) {
        if (!((out | same) >> i & 1)) continue;
        const int at = first + v * kLanes + i;
        const bool escaped = out >> i & 1;
        going.x[at] = escaped ? then_x[i] : now_x[i];
        going.y[at] = escaped ? then_y[i] : now_y[i];
        if (kDerivative) {
          going.dx[at] = escaped ? then_dx[i] : now_dx[i];
          going.dy[at] = escaped ? then_dy[i] : now_dy[i];
        }
        leave(t, going, at, escaped ? escape<T, kDerivative>(going, at, n, seed) : kInside);
        now_x[i] = now_y[i] = now_cx[i] = now_cy[i] = now_dx[i] = now_dy[i] = 0;
        alive &= ~(1UL << (v * kLanes + i));
      }
      now_x.to(x[v]), now_y.to(y[v]), now_cx.to(cx[v]), now_cy.to(cy[v]);
      if (kDerivative) now_dx.to(dx[v]), now_dy.to(dy[v]);
    }
    n += count;
  }
  for (int v = 0; v < kVectors; ++v) {
    const int at = first + v * kLanes;
    store<L>(going.x + at, x[v]), store<L>(going.y + at, y[v]);
    if (kDerivative) store<L>(going.dx + at, dx[v]), store<L>(going.dy + at, dy[v]);
  }
  return alive;
}

template <class L, bool kDerivative>
unsigned long perturbedPass(const Iteration& t, Going<double>& going, int first, int n, int stop) {
  using V = typename L::V;
  constexpr int kLanes = L::kLanes;
  const V seeds = all<L>(t.spacing), glitch = all<L>(kGlitch);
  const double* const last = t.orbit + 2 * static_cast<long>(t.last);
  V x, y, dx{}, dy{}, cx, cy, zx, zy;
  load<L>(x, going.x + first), load<L>(y, going.y + first), load<L>(cx, going.cx + first),
      load<L>(cy, going.cy + first);
  if (kDerivative) load<L>(dx, going.dx + first), load<L>(dy, going.dy + first);
  const double* at[kLanes];
  int soonest = t.last;  // iterations until the first lane reaches the reference's end
  for (int i = 0; i < kLanes; ++i) {
    at[i] = t.orbit + 2 * static_cast<long>(going.index[first + i]);
    if (t.last - going.index[first + i] < soonest) soonest = t.last - going.index[first + i];
  }
  L::pairs(at, zx, zy);
  const int present = going.count - first;
  unsigned alive = present >= kLanes ? (1u << kLanes) - 1 : (1u << present) - 1;
  for (; n < stop && alive; ++n) {
    if (kDerivative) {
      derive(dx, dy, zx + x, zy + y, seeds);
      if (n % kChunk == kChunk - 1) holdDownLanes<L>(dx, dy);
    }
    perturb(x, y, zx, zy, cx, cy);
    for (int i = 0; i < kLanes; ++i) at[i] += 2;
    L::pairs(at, zx, zy);
    const V full_x = zx + x, full_y = zy + y;
    const unsigned out = L::beyond(full_x * full_x + full_y * full_y, kEscape * kEscape);
    const V full = L::absolute(full_x) + L::absolute(full_y);
    const unsigned less = L::less(full, L::absolute(x) + L::absolute(y));
    const bool ends = --soonest <= 0;
    if (!((out | less) || ends)) continue;
    const unsigned glitched = less & L::less(full, glitch * (L::absolute(zx) + L::absolute(zy)));
    soonest = t.last;
    Numbered<L> now_x(x), now_y(y), now_cx(cx), now_cy(cy), now_zx(zx), now_zy(zy), now_dx(dx), now_dy(dy);
    Numbered<L> whole_x(full_x), whole_y(full_y);
    for (int i = 0; i < kLanes; ++i) {
      const int cell = first + i;
      if (!(alive >> i & 1)) {
        at[i] = t.orbit;  // stays there and adds nothing
      } else if (out >> i & 1) {
        going.x[cell] = whole_x[i], going.y[cell] = whole_y[i];
        if (kDerivative) going.dx[cell] = now_dx[i], going.dy[cell] = now_dy[i];
        going.index[cell] = static_cast<int>((at[i] - t.orbit) / 2);
        leave(t, going, cell, n + 1);
        alive &= ~(1u << i);
        now_x[i] = now_y[i] = now_cx[i] = now_cy[i] = now_zx[i] = now_zy[i] = now_dx[i] = now_dy[i] = 0;
        at[i] = t.orbit;
      } else {
        going.glitches[cell] += static_cast<int>(glitched >> i & 1);
        if ((t.rebase && (less >> i & 1)) || at[i] == last) {
          now_x[i] = whole_x[i], now_y[i] = whole_y[i];
          now_zx[i] = now_zy[i] = 0;
          at[i] = t.orbit;
        }
      }
      const int left = static_cast<int>((last - at[i]) / 2);
      if (left < soonest) soonest = left;
    }
    now_x.to(x), now_y.to(y), now_cx.to(cx), now_cy.to(cy), now_zx.to(zx), now_zy.to(zy);
    if (kDerivative) now_dx.to(dx), now_dy.to(dy);
  }
  store<L>(going.x + first, x), store<L>(going.y + first, y);
  if (kDerivative) store<L>(going.dx + first, dx), store<L>(going.dy + first, dy);
  for (int i = 0; i < kLanes; ++i) going.index[first + i] = static_cast<int>((at[i] - t.orbit) / 2);
  return alive;
}

// All passes of the tile: `pass` takes `lanes` pixels at a time.
template <class T, class Pass>
void passes(const Iteration& t, int lanes, int x0, int x1, int y0, int y1, const Pass& pass) {
  Going<T> going;
  enter(t, going, x0, x1, y0, y1);
  for (int n = t.from; n < t.to && going.count > 0;) {
    const int step_end = stepEnd(n, t.to, t.every);
    for (int length = kFirstPass; n < step_end && going.count > 0;) {
      const int stop = passEnd(n, step_end, length);
      going.pad(lanes);
      int kept = 0;
      for (int first = 0; first < going.count; first += lanes) {
        unsigned long alive = pass(going, first, n, stop);
        for (; alive; alive &= alive - 1) going.move(kept++, first + __builtin_ctzl(alive));
      }
      going.count = kept;
      n = stop;
    }
  }
  for (int i = 0; i < going.count; ++i) leave(t, going, i, 0);
}

template <class L, bool kDerivative>
void directTile(const Iteration& t, int x0, int x1, int y0, int y1) {
  using T = typename L::T;
  passes<T>(t, L::kLanes * L::kTogether, x0, x1, y0, y1, [&](Going<T>& going, int first, int n, int stop) {
    return directPass<L, kDerivative>(t, going, first, n, stop);
  });
}
template <class L>
void directTile(const Iteration& t, int x0, int x1, int y0, int y1) {
  t.derivative ? directTile<L, true>(t, x0, x1, y0, y1) : directTile<L, false>(t, x0, x1, y0, y1);
}
template <class L>
void perturbedTile(const Iteration& t, int x0, int x1, int y0, int y1) {
  passes<double>(t, L::kLanes, x0, x1, y0, y1, [&](Going<double>& going, int first, int n, int stop) -> unsigned long {
    return t.derivative ? perturbedPass<L, true>(t, going, first, n, stop)
                        : perturbedPass<L, false>(t, going, first, n, stop);
  });
}

template <class Floats, class Doubles>
void iterateTile(const Iteration& t, int x0, int x1, int y0, int y1) {
  if (t.numbers == Numbers::Float32) {
    directTile<Floats>(t, x0, x1, y0, y1);
  } else if (t.numbers == Numbers::Float64) {
    directTile<Doubles>(t, x0, x1, y0, y1);
  } else {
    perturbedTile<Doubles>(t, x0, x1, y0, y1);
  }
}

}  // namespace
}  // namespace simscope::mandelbrot
