#include "app/icon/icon.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "app/export/png.h"
#include "app/recording/scene_run.h"
#include "app/scene/scene.h"
#include "sims/compute/device.h"
#include "sims/compute/error.h"
#include "sims/core/registry.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace simscope::icon {
namespace {

constexpr int kSmallest = 8, kLargest = 4096;
constexpr std::int64_t kSteps = 2950;     // the packet's middle is at the barrier
constexpr double kLow = -13, kHigh = 13;  // of x, in the simulation's unit of length

using Colour = std::array<double, 3>;  // linear light, 0 to 1

struct Point {
  double x = 0, y = 0;  // 0 to 1, from the left and from the top
};

// sRGB, as web pages write it.
Colour colour(unsigned hex) {
  Colour out{};
  for (int i = 0; i < 3; ++i) {
    const double value = ((hex >> (16 - 8 * i)) & 255u) / 255.0;
    out[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return out;
}

std::uint8_t byteOf(double light) {
  const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

Colour mixed(const Colour& a, const Colour& b, double share) {
  Colour out{};
  for (int i = 0; i < 3; ++i) out[i] = a[i] + share * (b[i] - a[i]);
  return out;
}

Scene tunnelling() {
  Scene scene = Scene::fromPreset(simulationById("tunneling"), "tunnelling");
  scene.parameters.setText("packet_width", "3");
  scene.parameters.setText("barrier_height", "2.2");
  scene.parameters.setText("barrier_width", "1.4");
  scene.parameters.setText("precision", "float64");
  scene.steps_per_frame = static_cast<int>(kSteps);
  scene.frames = 2;
  return scene;
}

// |ψ|² over x from kLow to kHigh, in units of its largest value there.
struct Density {
  std::vector<double> values;

  Density() {
    const Scene scene = tunnelling();
    const compute::DevicePtr device = compute::Device::open("cpu", 1);
    State state;
    device->run([&] {
      Stepper stepper = begin(scene, device);
      stepWatched(
          stepper, kSteps, [&](int n) { stepper.step(n); }, [] {});
      state = stepper.save();
    });
    const StateArray* const psi = state.find("psi");
    if (psi == nullptr || psi->dtype != "<c16") throw Error("tunneling has no state psi of complex doubles to draw");
    const auto wave = valuesOf<std::complex<double>>(*psi);
    const double length = std::get<double>(scene.parameters[scene.parameters.find("domain_length")]);
    const double per_length = static_cast<double>(wave.size()) / length;
    const auto first = static_cast<std::size_t>((kLow + length / 2) * per_length);
    const auto count = static_cast<std::size_t>((kHigh - kLow) * per_length);
    for (std::size_t i = first; i <= first + count && i < wave.size(); ++i) values.push_back(std::norm(wave[i]));
    const double largest = *std::max_element(values.begin(), values.end());
    for (double& each : values) each /= largest;
  }

  // `share`: 0 at kLow, 1 at kHigh.
  double at(double share) const {
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), values.size() - 2);
    return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
  }
};

// What is seen at a place of the unit square; `line`: how thick lines are.
struct Picture {
  const Density& density;
  double line;
  Colour top = colour(0x1b2a44), bottom = colour(0x0a0f1a), wall = colour(0xf2a13c), floor = colour(0x4f6688);
  Colour in = colour(0x2f7de1), out = colour(0x35d0ba), crest = colour(0xeaf6ff);

  // False: beyond the rounded corners.
  bool inside(Point p) const {
    constexpr double kMargin = 0.03, kRadius = 0.2;
    const double half = 0.5 - kMargin - kRadius;
    const double dx = std::max(std::abs(p.x - 0.5) - half, 0.0), dy = std::max(std::abs(p.y - 0.5) - half, 0.0);
    return dx * dx + dy * dy <= kRadius * kRadius;
  }

  Colour at(Point p) const {
    constexpr double kGround = 0.80, kHeight = 0.58, kBarrier = 0.44;
    Colour seen = mixed(top, bottom, p.y);
    const double width = 1.4 / (kHigh - kLow), from = -kLow / (kHigh - kLow) - width / 2;
    const bool in_wall = p.x > from && p.x < from + width;
    const double edge = std::min(std::abs(p.x - from), std::abs(p.x - from - width));
    if (p.y < kGround && p.y > kGround - kBarrier && (in_wall || edge < line / 3)) {
      seen = mixed(seen, wall, in_wall && edge > line / 3 ? 0.45 : 0.95);
    }
    const double surface = kGround - kHeight * density.at(p.x);
    if (p.y < kGround && p.y >= surface) {
      const Colour side = mixed(in, out, std::clamp((p.x - from) / width, 0.0, 1.0));
      seen = mixed(seen, mixed(side, crest, 0.35 * (kGround - p.y) / kHeight), in_wall ? 0.7 : 0.9);
    }
    if (onCurve(p, kGround, kHeight)) seen = crest;
    if (std::abs(p.y - kGround) < line / 3) seen = floor;
    return seen;
  }

  // Within half a line's thickness of the curve.
  bool onCurve(Point p, double ground, double height) const {
    constexpr int kTried = 12;
    for (int i = -kTried; i <= kTried; ++i) {
      const double dx = line / 2 * i / kTried, dy = ground - height * density.at(p.x + dx) - p.y;
      if (dx * dx + dy * dy <= line * line / 4) return true;
    }
    return false;
  }
};

}  // namespace

std::vector<std::uint8_t> drawn(int size) {
  if (size < kSmallest || size > kLargest) {
    throw UsageError(fmt::format("an icon of {} pixels cannot be drawn: range {} to {}, nearest {}", size, kSmallest,
                                 kLargest, std::clamp(size, kSmallest, kLargest)));
  }
  static const Density density;
  // A line of one pixel at least; every pixel is the mean of its samples, in linear light.
  const Picture picture{density, std::max(0.022, 1.1 / size)};
  const int samples = size <= 64 ? 12 : 5;
  std::vector<std::uint8_t> rgba;
  rgba.reserve(std::size_t{4} * size * size);
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      Colour sum{};
      int covered = 0;
      for (int i = 0; i < samples * samples; ++i) {
        const Point p{(column + (i % samples + 0.5) / samples) / size, (row + (i / samples + 0.5) / samples) / size};
        if (!picture.inside(p)) continue;
        ++covered;
        const Colour seen = picture.at(p);
        for (int c = 0; c < 3; ++c) sum[c] += seen[c];
      }
      for (const double each : sum) rgba.push_back(byteOf(covered > 0 ? each / covered : 0.0));
      rgba.push_back(static_cast<std::uint8_t>(std::lround(255.0 * covered / (samples * samples))));
    }
  }
  return rgba;
}

std::string scene() {
  return toJson(tunnelling());
}

std::vector<std::uint8_t> pngFile(int size) {
  const std::vector<std::uint8_t> rgba = drawn(size);
  int bytes = 0;
  unsigned char* const made = stbi_write_png_to_mem(rgba.data(), 4 * size, size, size, 4, &bytes);
  if (made == nullptr) throw Error("out of memory for the icon's file");
  std::vector<std::uint8_t> file(made, made + bytes);
  STBIW_FREE(made);
  // Before the pixels, as in every picture of the program.
  constexpr std::ptrdiff_t kHead = 8 + 12 + 13;  // signature and IHDR
  const std::string chunk = exporting::pngSceneChunk(scene());
  file.insert(file.begin() + kHead, chunk.begin(), chunk.end());
  return file;
}

}  // namespace simscope::icon
