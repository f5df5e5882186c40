#include "sims/schrodinger2d/present/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/rows.h"
#include "sims/compute/ranks/sum_on_first.h"
#include "sims/core/slab_picture.h"
#include "sims/schrodinger2d/present/display.h"

namespace simscope::schrodinger2d {
namespace functors {

using compute::Boxes;

template <class T>
struct Wave {
  Boxes boxes;
  Slab slab;
  const Complex<T>* psi;
  float* wave;  // pairs
  float* density;

  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    float re = 0, im = 0, sum = 0;
    boxes.each(column, row, [&](std::size_t place) {
      const std::size_t point = slab.local(place);
      const float a = static_cast<float>(psi[point].re), b = static_cast<float>(psi[point].im);
      re += a;
      im += b;
      sum += a * a + b * b;
    });
    const float mean = sum / static_cast<float>(boxes.count(column, row));
    if (density) density[i] = mean;
    if (!wave) return;
    if (boxes.factor > 1) {
      // The mean's phase with the root of the mean density, so that waves finer than a box do not fade.
      const float length = std::sqrt(re * re + im * im);
      const float scale = length > 0 ? std::sqrt(mean) / length : 0.0f;
      re *= scale;
      im *= scale;
    }
    wave[2 * i] = re;
    wave[2 * i + 1] = im;
  }
};

// V and its outline: the solid share of a box, or the share of the rise from below the packet's energy to above it.
template <class T>
struct Landscape {
  Boxes boxes;
  Slab slab;
  const T* potential;
  const float* walls;
  double wall_height;
  double solid;          // V of the solid part in potentials with jumps; 0 in smooth ones
  double level, spread;  // smooth ones cross one half at `level`, over `spread`
  float* landscape;
  float* outline;

  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    double v = 0, wall = 0;
    boxes.each(column, row, [&](std::size_t place) {
      const std::size_t point = slab.local(place);
      v += static_cast<double>(potential[point]);
      if (walls) wall += static_cast<double>(walls[point]);
    });
    const double cells = boxes.count(column, row);
    v /= cells;
    wall /= cells;
    if (landscape) landscape[i] = static_cast<float>(v + wall_height * wall);
    if (!outline) return;
    double share = 0.0;
    if (solid != 0.0) {
      share = v / solid;
    } else if (spread > 0.0) {
      share = 0.5 + (v - level) / spread;
    }
    outline[i] = static_cast<float>(std::fmax(std::fmin(share, 1.0), std::fmin(wall, 1.0)));
  }
};

// |φ|² around k = 0; of a rank, its part of it.
template <class T>
struct Momentum {
  Boxes boxes;  // of the momenta that are shown
  Grid grid;
  Momenta<T> momenta;
  double scale;
  float* out;

  // The place in FFT order of shown element i.
  SIMSCOPE_HD int place(int i) const { return (i - boxes.n / 2) & (grid.points - 1); }
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    double sum = 0;
    for (int y = boxes.begin(row); y < boxes.end(row); ++y) {
      for (int x = boxes.begin(column); x < boxes.end(column); ++x) {
        const int kx = place(x);
        if (!momenta.has(kx)) continue;
        sum += static_cast<double>(norm2(momenta.phi[momenta.at(kx, place(y), grid.points)]));
      }
    }
    out[i] = static_cast<float>(scale * sum);
  }
};

// j = Im(ψ* ∇ψ) by differences of fourth order, the mean over some points of each box.
template <class T>
struct Current {
  Boxes boxes;
  Slab slab;
  const Complex<T>* psi;
  float per_spacing;  // 1/(12 dx)
  float* out;         // pairs

  SIMSCOPE_HD Complex<float> value(int x, int y) const {
    const int last = boxes.n - 1;
    const Complex<T> z = psi[slab.at(x & last, slab.joined(y))];
    return {static_cast<float>(z.re), static_cast<float>(z.im)};
  }
  SIMSCOPE_HD float along(int x, int y, int by_x, int by_y) const {
    const Complex<float> here = value(x, y);
    const auto difference = [&](int step) {
      return value(x + step * by_x, y + step * by_y) - value(x - step * by_x, y - step * by_y);
    };
    const Complex<float> slope = 8.0f * difference(1) - difference(2);
    return per_spacing * (here.re * slope.im - here.im * slope.re);
  }
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const int hop = boxes.factor > 4 ? boxes.factor / 4 : 1;
    float j_x = 0, j_y = 0;
    int count = 0;
    for (int y = boxes.begin(row) + hop / 2; y < boxes.end(row); y += hop) {
      for (int x = boxes.begin(column) + hop / 2; x < boxes.end(column); x += hop, ++count) {
        j_x += along(x, y, 1, 0);
        j_y += along(x, y, 0, 1);
      }
    }
    out[2 * i] = j_x / static_cast<float>(count);
    out[2 * i + 1] = j_y / static_cast<float>(count);
  }
};

}  // namespace functors

namespace {

// A channel over the plane, one element a box; each sample is the middle of its cell. Null if not wanted, also below.
Channel* planeChannel(Frame& frame, const char* key, const Grid& grid, const SlabPicture& picture, Range range,
                      int components = 1) {
  if (!frame.wants(key)) return nullptr;
  Channel& channel = picture.channel(frame, key, components);
  channel.x_min = channel.y_min = -0.5 * grid.length - 0.5 * grid.dx;
  channel.x_max = channel.y_max = channel.x_min + grid.length;
  channel.low = range.lowest;
  channel.high = range.highest;
  return &channel;
}
float* dataOf(Channel* channel) {
  return channel ? channel->data.data() : nullptr;
}

// The drawn range of V: with a margin above, and never empty.
Range drawnRange(const Range& v) {
  if (!(v.highest > v.lowest)) return {std::min(0.0, v.lowest), std::max(1.0, v.lowest + 1.0)};
  return {v.lowest, v.highest};
}

// The packet's momenta, including the potential's possible contribution.
template <class T>
void presentMomenta(Frame& frame, const Presented<T>& what, const Grid& grid) {
  if (!frame.wants("momentum")) return;
  const double spread = what.packets.momentumWidth();
  const double largest = std::sqrt(2.0 * std::max(0.0, what.energy - what.range.lowest)) + 3.0 * spread;
  const compute::Boxes coarse = compute::boxesFor(momentaShown(grid, largest), kPresentedMomentum);
  const double momentum_peak = what.packets.momentumPeak();
  const double dk = 2.0 * kPi / grid.length;
  Channel& momentum = frame.channel("momentum", coarse.side(), coarse.side());
  momentum.x_min = momentum.y_min = -0.5 * (coarse.n + 1) * dk;
  momentum.x_max = momentum.y_max = momentum.x_min + coarse.n * dk;
  momentum.low = 1e-6 * momentum_peak;
  momentum.high = momentum_peak;
  const double each = grid.dx * grid.dx / (2.0 * kPi * coarse.factor);
  compute::parallelFor2d(*frame.device, coarse.side(), coarse.side(),
                         functors::Momentum<T>{coarse, grid, what.momenta, each * each, momentum.data.data()});
  compute::sumOnFirst(*frame.device, momentum.data.data(), momentum.data.size());
}

}  // namespace

PresentScratch::PresentScratch(const compute::DevicePtr& device, const Slab& slab)
    : bands_(device, static_cast<std::size_t>(bandsOf(*device, slab).count) * static_cast<std::size_t>(slab.n)),
      parts_(device, 2 * kParts) {}

namespace {

template <class T>
void presentWave(Frame& frame, const Numbers& p, const Presented<T>& what, const Grid& grid) {
  compute::Device& device = *frame.device;
  const double peak = what.packets.peak();
  const SlabPicture fine(device, grid.points, kPresented), coarse(device, grid.points, kPresentedCurrent);
  Channel* const wave = planeChannel(frame, "wave", grid, fine, {0, brightestAmplitude(p, what.packets)}, 2);
  Channel* const density = planeChannel(frame, "density", grid, fine, {0, peak});
  const double strongest = 0.1 * peak * what.packets.fastest();
  Channel* const current = planeChannel(frame, "current", grid, coarse, {0, strongest}, 2);
  const int depth = current ? haloOf(grid.points) : wave || density ? fine.boxes.factor - 1 : 0;
  if (depth > 0) compute::exchangeHalo(device, what.slab, what.psi, sizeof *what.psi, depth, true);
  if (wave || density) {
    compute::forRows(device, fine.boxes.side(), fine.own.first, fine.own.count,
                     functors::Wave<T>{fine.boxes, what.slab, what.psi, dataOf(wave), dataOf(density)});
    fine.gather(device, wave);
    fine.gather(device, density);
  }
  if (current) {
    const auto per_spacing = static_cast<float>(1.0 / (12.0 * grid.dx));
    compute::forRows(device, coarse.boxes.side(), coarse.own.first, coarse.own.count,
                     functors::Current<T>{coarse.boxes, what.slab, what.psi, per_spacing, dataOf(current)});
    coarse.gather(device, current);
  }
}

template <class T>
void presentLandscape(Frame& frame, const Numbers& p, const Presented<T>& what, const Grid& grid, const Range& drawn) {
  compute::Device& device = *frame.device;
  const SlabPicture picture(device, grid.points, kPresented);
  Channel* const landscape = planeChannel(frame, "potential", grid, picture, drawn);
  Channel* const outline = planeChannel(frame, "outline", grid, picture, {0, 1});
  if (!landscape && !outline) return;
  const int depth = picture.boxes.factor - 1;
  if (depth > 0) {
    compute::exchangeHalo(device, what.slab, what.potential, sizeof *what.potential, depth, false);
    if (what.walls) compute::exchangeHalo(device, what.slab, what.walls, sizeof *what.walls, depth, false);
  }
  const double solid = !hasJumps(p)                             ? 0.0
                       : p.potential == Potential::CircularWell ? -p.barrier_height
                                                                : p.barrier_height;
  // Where the packet turns; without a turning point, half way up.
  const bool turns = what.energy > what.range.lowest && what.energy < what.range.highest;
  const double level = turns ? what.energy : 0.5 * (what.range.lowest + what.range.highest);
  const bool flat = p.potential == Potential::None || p.potential == Potential::Drawn;
  compute::forRows(
      device, picture.boxes.side(), picture.own.first, picture.own.count,
      functors::Landscape<T>{picture.boxes, what.slab, what.potential, what.walls, p.barrier_height, solid, level,
                             flat ? 0.0 : what.range.highest - what.range.lowest, dataOf(landscape), dataOf(outline)});
  picture.gather(device, landscape);
  picture.gather(device, outline);
}

}  // namespace

template <class T>
void presentPlane(Frame& frame, const Numbers& p, const Presented<T>& what, PresentScratch& scratch) {
  const Grid grid = gridOf(p);
  const Range drawn = drawnRange(what.range);
  presentWave(frame, p, what, grid);
  presentLandscape(frame, p, what, grid, drawn);
  presentMomenta(frame, what, grid);
  presentCurves(frame, p, what, drawn, scratch);
}

template void presentPlane(Frame&, const Numbers&, const Presented<float>&, PresentScratch&);
template void presentPlane(Frame&, const Numbers&, const Presented<double>&, PresentScratch&);

}  // namespace simscope::schrodinger2d
