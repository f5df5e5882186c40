// Milliseconds a frame of the GIF encoder beside Pillow's, and of processor time, on 100 pictures of 960x540: a field
// that moves everywhere, drawn through a table of 200 colours inside a still frame. The encoder is given RGB, Pillow
// the indices. Usage: gif_bench [FOLDER]; the two files are left there.
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/export/encoder.h"
#include "app/export/files.h"
#include "app/export/npy.h"

namespace {

// Of all threads, in milliseconds.
double processorTime() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace simscope::exporting;
  constexpr std::size_t kWidth = 960, kHeight = 540, kFrames = 100, kTable = 200, kLeft = 60, kTop = 40;
  const std::filesystem::path folder = argc > 1 ? argv[1] : std::filesystem::temp_directory_path();

  std::vector<std::uint32_t> table;
  for (std::size_t i = 0; i < kTable; ++i) {
    const double v = static_cast<double>(i) / (kTable - 1);
    const auto channel = [](double x) { return static_cast<std::uint32_t>(std::lround(255 * std::sqrt(x))); };
    table.push_back(channel(v) << 16 | channel(v * v) << 8 | channel(0.3 * (1 - v) + 0.1 * v));
  }
  table.push_back(0x101014);

  std::vector<std::uint8_t> indices(kFrames * kWidth * kHeight, kTable);
  for (std::size_t t = 0; t < kFrames; ++t) {
    for (std::size_t y = kTop; y < kHeight - kTop; ++y) {
      for (std::size_t x = kLeft; x < kWidth - kLeft; ++x) {
        const double u = static_cast<double>(x), v = static_cast<double>(y), phase = static_cast<double>(t);
        const double wave = std::sin(std::hypot(u - 260, v - 190) / 9 - 0.4 * phase) +
                            std::sin(std::hypot(u - 660, v - 340) / 11 - 0.35 * phase);
        indices[(t * kHeight + y) * kWidth + x] = static_cast<std::uint8_t>((wave + 2) / 4 * (kTable - 0.01));
      }
    }
  }
  const std::array<std::size_t, 3> shape{kFrames, kHeight, kWidth};
  const auto raw = folder / "gif_bench.npy";
  writeNpy(raw, "|u1", shape, std::as_bytes(std::span(indices)), true);

  double best = 1e9, least = 1e9;
  std::uint64_t bytes = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    std::vector<std::vector<std::uint8_t>> pictures(kFrames);
    for (std::size_t t = 0; t < kFrames; ++t) {
      for (std::size_t i = 0; i < kWidth * kHeight; ++i) {
        const std::uint32_t colour = table[indices[t * kWidth * kHeight + i]];
        for (const int shift : {16, 8, 0}) {
          pictures[t].push_back(static_cast<std::uint8_t>(colour >> shift));
        }
      }
    }
    GifOptions options;
    options.width = kWidth;
    options.height = kHeight;
    options.overwrite = true;
    options.exact_colours = table;
    const double work = processorTime();
    const auto start = std::chrono::steady_clock::now();
    Encoder encoder(folder / "gif_bench.gif", options);
    for (auto& picture : pictures) {
      encoder.add(std::move(picture));
    }
    encoder.finish();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    least = std::min(least, processorTime() - work);
    bytes = encoder.progress().bytes;
  }
  fmt::print("simscope: {:.2f} ms/frame ({:.2f} ms of processor time), {} bytes (RGB given, file written)\n",
             best / kFrames, least / kFrames, bytes);
  std::fflush(stdout);
  return std::system(fmt::format("/usr/bin/python3 {}/bench_pillow.py {}", EXPORT_TEST_SCRIPTS, raw.string()).c_str());
}
