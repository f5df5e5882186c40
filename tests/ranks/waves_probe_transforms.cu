#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "sims/compute/ranks/ranks.h"
#include "sims/compute/ranks/slab_fft_rows.h"
#include "tests/ranks/waves_probe.h"

namespace simscope::ranks_test {
namespace {

using compute::Complex;
using compute::Slab;
using compute::SlabFft;

// A field that is a formula of the place, so that nobody needs it whole.
template <class T>
struct Drawn {
  SIMSCOPE_HD Complex<T> operator()(int x, int y) const {
    const auto key = static_cast<unsigned>(x) * 2654435761u ^ static_cast<unsigned>(y) * 2246822519u;
    return {static_cast<T>((key >> 8) % 1999) / 1000 - 1, static_cast<T>((key >> 5) % 1777) / 1000 - 1};
  }
};
// In the corner of a larger plane.
template <class T>
struct Cornered {
  int n;
  SIMSCOPE_HD Complex<T> operator()(int x, int y) const { return x < n ? Drawn<T>()(x, y) : Complex<T>{0, 0}; }
};
template <class T>
struct Keep {
  Complex<T>* rows;
  int length, first;
  SIMSCOPE_HD void operator()(int x, int y, Complex<T> z) const {
    rows[static_cast<std::size_t>(y - first) * length + x] = z;
  }
};
template <class T>
struct Turned {
  SIMSCOPE_HD Complex<T> operator()(int, int, Complex<T> z) const { return {-z.im, z.re}; }
};
template <class T>
struct TurnPart {
  Complex<T>* part;
  SIMSCOPE_HD void operator()(int, int, std::size_t i) const { part[i] = {-part[i].im, part[i].re}; }
};

template <class T>
struct TurnPartTo {
  const Complex<T>* part;
  Complex<T>* there;
  SIMSCOPE_HD void operator()(int, int, std::size_t i) const { there[i] = {-part[i].im, part[i].re}; }
};
template <class T>
struct RowsTo {
  const Complex<T>* piece;
  compute::RowsThere<T> there;
  SIMSCOPE_HD void operator()(int, int y, std::size_t i) const { there.of(y)[i] = piece[i]; }
};

// Rows of this rank: the whole transform's, and the field after two ways there and back, with a turn by i between; and
// after one there and back, by way of pieces that were kept, and the same from those once more. The parts of the rows,
// and the same after three ways there and back as they are, with a turn by i before each.
template <class T>
struct Made {
  std::vector<Complex<T>> spectrum, field, first, again, parts, turned, written;
  bool reaches;
};
template <class T>
Made<T> make(const compute::DevicePtr& device, int n, int padding, bool in_rounds) {
  const Slab slab = compute::slabOf(*device, n, 1);
  SlabFft<T> fft(device, slab, padding);
  fft.setInRounds(in_rounds);
  using Back = typename SlabFft<T>::Back;
  compute::Buffer<Complex<T>> rows(device, static_cast<std::size_t>(slab.count) * fft.length());
  const Keep<T> keep{rows.data(), fft.length(), slab.first};
  Made<T> made;
  fft.begin(Cornered<T>{n});
  fft.turn([&](int i) { fft.alongY(i, false); }, Back::AsItIs);
  fft.endParts(keep);
  made.spectrum = rows.toHost();
  const auto both = [&](int i) { fft.alongY(i, false), fft.alongY(i, true); };
  fft.begin(Cornered<T>{n});
  fft.turn(both, Back::Transformed);
  fft.between(Turned<T>{});
  fft.turn(both, Back::Transformed);
  fft.end(keep);
  made.field = rows.toHost();
  const std::size_t piece = static_cast<std::size_t>(fft.length()) * static_cast<std::size_t>(fft.width());
  compute::Buffer<Complex<T>> kept(device, piece * static_cast<std::size_t>(fft.pieces()));
  const auto keptOf = [&](int i) { return kept.data() + static_cast<std::size_t>(i) * piece; };
  const auto from = [&](int i) {
    device->copy(fft.piece(i), keptOf(i), piece * sizeof(Complex<T>));
    fft.alongY(i, true);
  };
  fft.begin(Cornered<T>{n});
  fft.turn(
      [&](int i) {
        fft.alongY(i, false);
        device->copy(keptOf(i), fft.piece(i), piece * sizeof(Complex<T>));
        from(i);
      },
      Back::Transformed);
  fft.end(keep);
  made.first = rows.toHost();
  fft.comeBack(from, Back::Transformed);
  fft.end(keep);
  made.again = rows.toHost();
  fft.begin(Cornered<T>{n});
  fft.endParts(keep);
  made.parts = rows.toHost();
  const auto turn = [&](int first, int count) {
    for (int rest = 0; rest < fft.rests(); ++rest) {
      Complex<T>* const part = fft.part(rest) + static_cast<std::ptrdiff_t>(first) * fft.width();
      compute::parallelFor2d(device, fft.width(), count, TurnPart<T>{part});
    }
  };
  for (int step = 0; step < 3; ++step) fft.turnTransformed(turn, both);
  fft.arrive();
  fft.endParts(keep);
  made.turned = rows.toHost();
  made.reaches = fft.reaches();
  if (!made.reaches) return made;
  fft.begin(Cornered<T>{n});
  for (int step = 0; step < 3; ++step) {
    fft.turnWritten(
        [&] {
          for (int rest = 0; rest < fft.rests(); ++rest) {
            compute::parallelFor2d(device, fft.width(), slab.count, TurnPartTo<T>{fft.part(rest), fft.partThere(rest)});
          }
        },
        [&](int i) {
          both(i);
          compute::parallelFor2d(device, fft.width(), n, RowsTo<T>{fft.piece(i), fft.rowsThere(i)});
        });
  }
  fft.endParts(keep);
  made.written = rows.toHost();
  return made;
}

template <class T>
int wrongOf(const compute::DevicePtr& shared, const compute::DevicePtr& lone, int n, int padding) {
  const Made<T> rounds = make<T>(shared, n, padding, true), at_once = make<T>(shared, n, padding, false);
  int wrong = 0;
  const auto check = [&](bool right, const char* what) {
    if (right) return;
    fmt::print(stderr, "wrong: {} of {}, padding {}, rank {}\n", what, n, padding, shared->ranks()->rank());
    ++wrong;
  };
  const auto same = [](const auto& a, const auto& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
  };
  check(same(rounds.spectrum, at_once.spectrum) && same(rounds.field, at_once.field), "rounds");
  check(same(rounds.first, at_once.first) && same(rounds.again, rounds.first) && same(at_once.again, rounds.first),
        "what comes back alone");
  check(same(rounds.parts, at_once.parts) && same(rounds.turned, at_once.turned), "rounds of parts");
  check(!rounds.reaches || same(rounds.written, rounds.turned), "what is written to others' memory");
  const std::size_t length = static_cast<std::size_t>(padding) * n;
  const Slab slab = compute::slabOf(*shared, n, 1);
  std::vector<Complex<T>> plane(length * length, {0, 0});
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x)
      plane[static_cast<std::size_t>(y) * length + static_cast<std::size_t>(x)] = Drawn<T>()(x, y);
  }
  compute::Buffer<Complex<T>> whole(lone, std::span<const Complex<T>>(plane));
  compute::Fft<T>(lone, {.dimensions = {static_cast<int>(length), static_cast<int>(length)}}).forward(whole.data());
  const std::vector<Complex<T>> spectrum = whole.toHost();
  const double scale = std::pow(static_cast<double>(length), -4);
  double of_spectrum = 0, norm = 0, of_field = 0, size = 0;
  for (int row = 0; row < slab.count; ++row) {
    for (std::size_t x = 0; x < length; ++x) {
      const std::size_t own = static_cast<std::size_t>(row) * length + x;
      const std::size_t at = static_cast<std::size_t>(slab.first + row) * length + x;
      of_spectrum += static_cast<double>(norm2(rounds.spectrum[own] - spectrum[at]));
      norm += static_cast<double>(norm2(spectrum[at]));
      const double re = static_cast<double>(rounds.field[own].re) * scale;
      const double im = static_cast<double>(rounds.field[own].im) * scale;
      of_field +=
          std::pow(re + static_cast<double>(plane[at].im), 2) + std::pow(im - static_cast<double>(plane[at].re), 2);
      size += static_cast<double>(norm2(plane[at]));
    }
  }
  double of_parts = 0, all_parts = 0;
  for (std::size_t i = 0; i < rounds.parts.size(); ++i) {
    const double grown = std::pow(static_cast<double>(length), -3);
    const double re = static_cast<double>(rounds.turned[i].re) * grown;
    const double im = static_cast<double>(rounds.turned[i].im) * grown;
    // i³ = -i
    of_parts += std::pow(re - static_cast<double>(rounds.parts[i].im), 2) +
                std::pow(im + static_cast<double>(rounds.parts[i].re), 2);
    all_parts += static_cast<double>(norm2(rounds.parts[i]));
  }
  const double tolerance = 4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::log2(length);
  check(std::sqrt(of_parts / all_parts) < 4 * tolerance, "the parts that were turned");
  check(std::sqrt(of_spectrum / norm) < tolerance, "the spectrum");
  // Padded, what is turned by i between lies in the corner, and the rest of the row is rounding.
  check(std::sqrt(of_field / size) < 4 * tolerance, "the field");
  return wrong;
}

}  // namespace

int wrongTransforms(const compute::DevicePtr& shared, const compute::DevicePtr& lone) {
  int wrong = 0;
  shared->run([&] {
    for (const int n : {64, 256}) {
      if (shared->ranks()->size() > compute::mostTransformRanks(n)) continue;
      for (const int padding : {1, 2}) {
        wrong += wrongOf<float>(shared, lone, n, padding);
        wrong += wrongOf<double>(shared, lone, n, padding);
      }
    }
  });
  return wrong;
}

}  // namespace simscope::ranks_test
