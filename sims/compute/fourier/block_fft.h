// A Fourier transform of N = R·16^s points (64 … 4096) by N/16 threads with 16 points each in registers. Host and
// device: tests run the same stages on the host.
//
// Forward is decimation in frequency: an outer stage of radix R (1 … 16), then one or two stages of radix 16, each in
// place, so that frequencies come out in digit-reversed order. Inverse is its mirror image (decimation in time) and
// takes that order back to the natural one. Multiplying by a table in digit-reversed order between the two makes any
// reordering pass unnecessary. Neither direction is normalised.
//
// Between stages the threads exchange points through shared memory. Element i lies at i + i/16: the gap after every 16
// keeps the accesses of each stage free of bank conflicts, and makes every address a base per thread plus a constant.
// A thread stores where it has just loaded, so one barrier per exchange is enough; only the exchange next to the outer
// stage crosses warps.
// Source: W. M. Gentleman, G. Sande, AFIPS 29 (1966) 563 (decimation in frequency); the in-place pairing of the two
// directions is the classical one for convolutions.
#pragma once

#include <cmath>
#include <vector>

#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"
#include "sims/compute/loops/unroll.h"

namespace simscope::compute {

// z·exp(∓iπ/2): forward turns by -90°.
template <bool Inverse, class T>
SIMSCOPE_HD inline Complex<T> quarterTurn(Complex<T> z) {
  if constexpr (Inverse) return {-z.im, z.re};
  return {z.im, -z.re};
}

// z·w for forward, z·conj(w) for inverse.
template <bool Inverse, class T>
SIMSCOPE_HD inline Complex<T> twiddle(Complex<T> z, Complex<T> w) {
  if constexpr (Inverse) return {z.re * w.re + z.im * w.im, z.im * w.re - z.re * w.im};
  return {z.re * w.re - z.im * w.im, z.im * w.re + z.re * w.im};
}

// z·exp(∓2πi M/16), M < 16.
template <int M, bool Inverse, class T>
SIMSCOPE_HD inline Complex<T> sixteenthTurn(Complex<T> z) {
  constexpr T kHalf = static_cast<T>(0.70710678118654752440);  // cos π/4
  constexpr T kCos = static_cast<T>(0.92387953251128675613);   // cos π/8
  constexpr T kSin = static_cast<T>(0.38268343236508977173);   // sin π/8
  if constexpr (M >= 8) {
    const Complex<T> r = sixteenthTurn<M - 8, Inverse>(z);
    return {-r.re, -r.im};
  } else if constexpr (M >= 4) {
    return quarterTurn<Inverse>(sixteenthTurn<M - 4, Inverse>(z));
  } else if constexpr (M == 0) {
    return z;
  } else if constexpr (M == 2) {
    const Complex<T> turned = quarterTurn<Inverse>(z);
    return {kHalf * (z.re + turned.re), kHalf * (z.im + turned.im)};
  } else {
    return twiddle<Inverse>(z, Complex<T>{M == 1 ? kCos : kSin, M == 1 ? -kSin : -kCos});
  }
}

template <bool Inverse, class T>
SIMSCOPE_HD inline void dft2(Complex<T>& a, Complex<T>& b) {
  const Complex<T> difference = a - b;
  a = a + b;
  b = difference;
}

// The discrete transforms of 4, 8, and 16 values leave frequency q at place q.
template <bool Inverse, class T>
SIMSCOPE_HD inline void dft4(Complex<T>& a, Complex<T>& b, Complex<T>& c, Complex<T>& d) {
  dft2<Inverse>(a, c);
  dft2<Inverse>(b, d);
  d = quarterTurn<Inverse>(d);
  dft2<Inverse>(a, b);
  dft2<Inverse>(c, d);
  const Complex<T> second = c;
  c = b;
  b = second;
}

template <bool Inverse, class T>
SIMSCOPE_HD inline void dft8(Complex<T>& a, Complex<T>& b, Complex<T>& c, Complex<T>& d, Complex<T>& e, Complex<T>& f,
                             Complex<T>& g, Complex<T>& h) {
  dft2<Inverse>(a, e);
  dft2<Inverse>(b, f);
  dft2<Inverse>(c, g);
  dft2<Inverse>(d, h);
  f = sixteenthTurn<2, Inverse>(f);
  g = sixteenthTurn<4, Inverse>(g);
  h = sixteenthTurn<6, Inverse>(h);
  dft4<Inverse>(a, b, c, d);
  dft4<Inverse>(e, f, g, h);
  // The sums hold the even frequencies, the differences the odd ones.
  const Complex<T> f2 = b, f4 = c, f6 = d, f1 = e, f3 = f, f5 = g;
  b = f1, c = f2, d = f3, e = f4, f = f5, g = f6;
}

template <bool Inverse, class T>
SIMSCOPE_HD inline void dft16(Complex<T> (&z)[16]) {
  SIMSCOPE_UNROLL
  for (int n = 0; n < 4; ++n) dft4<Inverse>(z[n], z[n + 4], z[n + 8], z[n + 12]);
  z[5] = sixteenthTurn<1, Inverse>(z[5]);
  z[6] = sixteenthTurn<2, Inverse>(z[6]);
  z[7] = sixteenthTurn<3, Inverse>(z[7]);
  z[9] = sixteenthTurn<2, Inverse>(z[9]);
  z[10] = sixteenthTurn<4, Inverse>(z[10]);
  z[11] = sixteenthTurn<6, Inverse>(z[11]);
  z[13] = sixteenthTurn<3, Inverse>(z[13]);
  z[14] = sixteenthTurn<6, Inverse>(z[14]);
  z[15] = sixteenthTurn<9, Inverse>(z[15]);
  SIMSCOPE_UNROLL
  for (int k = 0; k < 4; ++k) dft4<Inverse>(z[4 * k], z[4 * k + 1], z[4 * k + 2], z[4 * k + 3]);
  // z[4k + l] holds frequency k + 4l: transpose (names of registers, once unrolled).
  SIMSCOPE_UNROLL
  for (int k = 0; k < 4; ++k) {
    SIMSCOPE_UNROLL
    for (int l = k + 1; l < 4; ++l) {
      const Complex<T> other = z[4 * k + l];
      z[4 * k + l] = z[4 * l + k];
      z[4 * l + k] = other;
    }
  }
}

// Of R = 2, 4, 8, or 16 values.
template <bool Inverse, int R, class T>
SIMSCOPE_HD inline void smallDft(Complex<T> (&z)[R]) {
  if constexpr (R == 2) {
    dft2<Inverse>(z[0], z[1]);
  } else if constexpr (R == 4) {
    dft4<Inverse>(z[0], z[1], z[2], z[3]);
  } else if constexpr (R == 8) {
    dft8<Inverse>(z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7]);
  } else {
    static_assert(R == 16);
    dft16<Inverse>(z);
  }
}

// How N points are shared out.
template <int N>
struct BlockShape {
  static_assert(N >= 64 && N <= 4096 && (N & (N - 1)) == 0);
  static constexpr int kPoints = 16;  // a thread's
  static constexpr int kThreads = N / kPoints;
  static constexpr bool kTwoInner = N >= 256;                // stages of radix 16 after the outer one
  static constexpr int kOuter = N / (kTwoInner ? 256 : 16);  // radix of the outer stage
  static constexpr int kApart = kPoints / kOuter;            // distance of a butterfly's points, in registers
  static constexpr int kSharedElements = N + N / 16;

  // Element that register q of thread t holds in natural order: t + q·kThreads. In digit-reversed order: 16t + q.
  SIMSCOPE_HD static constexpr int natural(int t, int q) { return t + q * kThreads; }

  // Places in shared memory: base(t) + offset(q) at the outer stage, ...
  SIMSCOPE_HD static constexpr int outerBase(int t) { return t + t / 16; }
  SIMSCOPE_HD static constexpr int outerOffset(int q) { return q * kThreads + q * kThreads / 16; }
  // ... the first of two inner stages (blocks of 256, stride 16), ...
  SIMSCOPE_HD static constexpr int middleBase(int t) { return (t / 16) * 272 + t % 16; }
  SIMSCOPE_HD static constexpr int middleOffset(int q) { return 17 * q; }
  // ... and the last (blocks of 16, stride 1).
  SIMSCOPE_HD static constexpr int lastBase(int t) { return 17 * t; }
  SIMSCOPE_HD static constexpr int lastOffset(int q) { return q; }

  // The frequency (FFT order) of register q of thread t after the forward transform.
  SIMSCOPE_HD static constexpr int frequency(int t, int q) {
    const int place = 16 * t + q;
    const int outer = place / (N / kOuter), rest = place % (N / kOuter);
    return kTwoInner ? outer + kOuter * (rest / 16) + 16 * kOuter * (rest % 16) : outer + kOuter * rest;
  }

  // Twiddles exp(-2πi·turn) of register q after the outer and after the middle stage (before them, inverse).
  static constexpr double outerTurn(int t, int q) {
    return static_cast<double>(t + (q % kApart) * kThreads) * (q / kApart) / N;
  }
  static constexpr double middleTurn(int t, int q) { return static_cast<double>((t % 16) * q) / 256; }
};

// The outer stage's butterflies, twiddles included. `twiddles(q)` gives register q's.
template <int N, bool Inverse, class T, class Twiddles>
SIMSCOPE_HD inline void outerStage(Complex<T> (&z)[16], const Twiddles& twiddles) {
  using Shape = BlockShape<N>;
  constexpr int kApart = Shape::kApart;
  if constexpr (Inverse) {
    SIMSCOPE_UNROLL
    for (int q = kApart; q < 16; ++q) z[q] = twiddle<true>(z[q], twiddles(q));
  }
  if constexpr (Shape::kOuter == 2) {
    SIMSCOPE_UNROLL
    for (int h = 0; h < 8; ++h) dft2<Inverse>(z[h], z[h + 8]);
  } else if constexpr (Shape::kOuter == 4) {
    SIMSCOPE_UNROLL
    for (int h = 0; h < 4; ++h) dft4<Inverse>(z[h], z[h + 4], z[h + 8], z[h + 12]);
  } else if constexpr (Shape::kOuter == 8) {
    SIMSCOPE_UNROLL
    for (int h = 0; h < 2; ++h) {
      dft8<Inverse>(z[h], z[h + 2], z[h + 4], z[h + 6], z[h + 8], z[h + 10], z[h + 12], z[h + 14]);
    }
  } else if constexpr (Shape::kOuter == 16) {
    dft16<Inverse>(z);
  }
  if constexpr (!Inverse) {
    SIMSCOPE_UNROLL
    for (int q = kApart; q < 16; ++q) z[q] = twiddle<false>(z[q], twiddles(q));
  }
}

// The first of two inner stages, twiddles included.
template <bool Inverse, class T, class Twiddles>
SIMSCOPE_HD inline void middleStage(Complex<T> (&z)[16], const Twiddles& twiddles) {
  if constexpr (Inverse) {
    SIMSCOPE_UNROLL
    for (int q = 1; q < 16; ++q) z[q] = twiddle<true>(z[q], twiddles(q));
  }
  dft16<Inverse>(z);
  if constexpr (!Inverse) {
    SIMSCOPE_UNROLL
    for (int q = 1; q < 16; ++q) z[q] = twiddle<false>(z[q], twiddles(q));
  }
}

// z[q]·factor(q).
template <class T, class Factor>
SIMSCOPE_HD inline void scaleEach(Complex<T> (&z)[16], const Factor& factor) {
  SIMSCOPE_UNROLL
  for (int q = 0; q < 16; ++q) z[q] = z[q] * factor(q);
}

// The same with two factors, each product rounded.
template <class T, class Factor>
SIMSCOPE_HD inline void scaleTwice(Complex<T> (&z)[16], const Factor& factor) {
  SIMSCOPE_UNROLL
  for (int q = 0; q < 16; ++q) {
    const Complex<T> f = factor(q);
    z[q] = (z[q] * f) * f;
  }
}

// z[q] = value(q).
template <class T, class Value>
SIMSCOPE_HD inline void fillEach(Complex<T> (&z)[16], const Value& value) {
  SIMSCOPE_UNROLL
  for (int q = 0; q < 16; ++q) z[q] = value(q);
}

// take(q, z[q]).
template <class T, class Take>
SIMSCOPE_HD inline void takeEach(const Complex<T> (&z)[16], const Take& take) {
  SIMSCOPE_UNROLL
  for (int q = 0; q < 16; ++q) take(q, z[q]);
}

// A transform is run by a team of threads: `team.each` runs a phase for every thread's lane, `team.blockBarrier` and
// `team.warpBarrier` separate phases (the latter those that exchange within 16 consecutive t), and `team.shared(lane)`
// is the lane's line in shared memory, kSharedElements long. A lane has its index t, its points z[16], and
//   lane.outer(q), lane.middle(q)    the twiddles of register q, from BlockTables
// On the device every loop over q must unroll.

// From natural(t, q) to frequency(t, q). The shared line must be free where the thread writes first (its places of the
// outer exchange): the thread itself was the last to read them, or a block barrier has passed.
template <int N, class T, class Team>
SIMSCOPE_HD inline void transformForward(Team& team) {
  using Shape = BlockShape<N>;
  if constexpr (Shape::kOuter > 1) {
    team.each([&](auto& lane) {
      outerStage<N, false>(lane.z, [&](int q) { return lane.outer(q); });
      Complex<T>* const mine = team.shared(lane) + Shape::outerBase(lane.t);
      SIMSCOPE_UNROLL
      for (int q = 0; q < 16; ++q) mine[Shape::outerOffset(q)] = lane.z[q];
    });
    team.blockBarrier();
  }
  if constexpr (Shape::kTwoInner) {
    team.each([&](auto& lane) {
      Complex<T>* const mine = team.shared(lane) + Shape::middleBase(lane.t);
      if constexpr (Shape::kOuter > 1) {
        SIMSCOPE_UNROLL
        for (int q = 0; q < 16; ++q) lane.z[q] = mine[Shape::middleOffset(q)];
      }
      middleStage<false>(lane.z, [&](int q) { return lane.middle(q); });
      SIMSCOPE_UNROLL
      for (int q = 0; q < 16; ++q) mine[Shape::middleOffset(q)] = lane.z[q];
    });
    team.warpBarrier();
  }
  team.each([&](auto& lane) {
    const Complex<T>* const mine = team.shared(lane) + Shape::lastBase(lane.t);
    SIMSCOPE_UNROLL
    for (int q = 0; q < 16; ++q) lane.z[q] = mine[Shape::lastOffset(q)];
    dft16<false>(lane.z);
  });
}

// The mirror image, unnormalised: from frequency(t, q) to natural(t, q). Likewise for the thread's places of the last
// exchange, which transformForward leaves free; this leaves those of the outer exchange free.
template <int N, class T, class Team>
SIMSCOPE_HD inline void transformInverse(Team& team) {
  using Shape = BlockShape<N>;
  team.each([&](auto& lane) {
    dft16<true>(lane.z);
    Complex<T>* const mine = team.shared(lane) + Shape::lastBase(lane.t);
    SIMSCOPE_UNROLL
    for (int q = 0; q < 16; ++q) mine[Shape::lastOffset(q)] = lane.z[q];
  });
  if constexpr (Shape::kTwoInner) {
    team.warpBarrier();
    team.each([&](auto& lane) {
      Complex<T>* const mine = team.shared(lane) + Shape::middleBase(lane.t);
      SIMSCOPE_UNROLL
      for (int q = 0; q < 16; ++q) lane.z[q] = mine[Shape::middleOffset(q)];
      middleStage<true>(lane.z, [&](int q) { return lane.middle(q); });
      if constexpr (Shape::kOuter > 1) {
        SIMSCOPE_UNROLL
        for (int q = 0; q < 16; ++q) mine[Shape::middleOffset(q)] = lane.z[q];
      }
    });
  }
  if constexpr (Shape::kOuter > 1) {
    team.blockBarrier();
    team.each([&](auto& lane) {
      const Complex<T>* const mine = team.shared(lane) + Shape::outerBase(lane.t);
      SIMSCOPE_UNROLL
      for (int q = 0; q < 16; ++q) lane.z[q] = mine[Shape::outerOffset(q)];
      outerStage<N, true>(lane.z, [&](int q) { return lane.outer(q); });
    });
  }
}

// Tables in the order that the threads read them: entry [q·kThreads + t] is register q of thread t; the middle
// twiddles, which repeat every 16 threads, are [q·16 + t % 16]. Made on the host.
template <class T>
struct BlockTables {
  std::vector<Complex<T>> outer, middle;
  std::vector<int> frequency;  // of entry [q·kThreads + t]
};

template <int N, class T>
BlockTables<T> makeBlockTables() {
  using Shape = BlockShape<N>;
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  const auto turned = [](double turn) {
    return Complex<T>{static_cast<T>(std::cos(kTwoPi * turn)), static_cast<T>(-std::sin(kTwoPi * turn))};
  };
  BlockTables<T> tables;
  for (int q = 0; q < 16; ++q) {
    for (int t = 0; t < Shape::kThreads; ++t) {
      tables.outer.push_back(turned(Shape::outerTurn(t, q)));
      tables.frequency.push_back(Shape::frequency(t, q));
    }
    for (int t = 0; t < 16; ++t) tables.middle.push_back(turned(Shape::middleTurn(t, q)));
  }
  return tables;
}

}  // namespace simscope::compute
