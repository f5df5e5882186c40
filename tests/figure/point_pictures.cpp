// Writes figures of points as PNG files, to be looked at, and says how long they took: simscope_point_pictures FOLDER.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "tests/figure/point_sample.h"

using namespace simscope;
using namespace simscope::render;

namespace {

// As a GIF shows it: every pixel takes the nearest colour of the palette.
void reduceToPalette(std::vector<std::uint8_t>& rgb, const std::vector<std::uint32_t>& palette) {
  for (std::size_t i = 0; i < rgb.size(); i += 3) {
    int best = 1 << 30;
    std::uint32_t found = 0;
    for (const std::uint32_t c : palette) {
      const int r = static_cast<int>(c >> 16) - rgb[i], g = static_cast<int>(c >> 8 & 0xff) - rgb[i + 1],
                b = static_cast<int>(c & 0xff) - rgb[i + 2];
      if (const int away = r * r + g * g + b * b; away < best) best = away, found = c;
    }
    for (int k = 0; k < 3; ++k) rgb[i + static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(found >> (16 - 8 * k));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: simscope_point_pictures FOLDER\n");
    return 2;
  }
  try {
    const HeadlessContext context;
    std::printf("%s\n", glInfo().renderer.c_str());
    const auto device = compute::Device::open("cpu");
    Figure figure;
    std::uint64_t sequence = 0;
    const auto write = [&](const std::string& name, Frame frame, const FigureOptions& options, bool as_gif = false) {
      frame.sequence = ++sequence;
      std::vector<std::uint8_t> rgb;
      double best = 1e9;
      for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        figure.draw(pointDescription(), pointDescription().defaults(), frame, options);
        rgb = figure.read();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      }
      std::printf("%-28s %8.2f ms\n", name.c_str(), best);
      if (as_gif) reduceToPalette(rgb, exactColours(pointDescription(), options));
      const std::string path = std::string(argv[1]) + "/" + name + ".png";
      stbi_write_png(path.c_str(), options.width, options.height, 3, rgb.data(), options.width * 3);
    };
    const auto discs = [&](int count) { return pointFrame(device, twoDiscs(count), 3, 0, 1.2); };
    const auto sphere = [&](int count) { return pointFrame(device, plummerSphere(count), 4, 0, 1.4); };
    const FigureOptions usual;
    for (const int count : {100, 1000, 8192, 65'536, 1'000'000}) {
      write("sphere-" + std::to_string(count), sphere(count), usual);
      write("discs-" + std::to_string(count), discs(count), usual);
    }
    write("discs-gif", discs(65'536), usual, true);
    FigureOptions options;
    options.theme = Theme::Light;
    write("discs-light", discs(65'536), options);
    write("three-light", threeBodies(device), options);
    write("three", threeBodies(device), usual);
    write("three-gif", threeBodies(device), usual, true);
    options = {};
    options.camera = Camera{.azimuth = 0, .elevation = 90};
    write("three-above", threeBodies(device), options);
    options.camera = Camera{.azimuth = 200, .elevation = -15};
    options.colormap = "viridis";
    write("discs-below", discs(65'536), options);
    options = {};
    options.camera = Camera{.zoom = 10};
    options.follow = 0;
    write("discs-followed", discs(65'536), options);
    write("sphere-inside", sphere(8192), options);
    write("discs-inside-1000000", discs(1'000'000), options);
    options.follow = 1;
    options.camera = Camera{.zoom = 1.5};
    write("three-followed", threeBodies(device), options);
    options = {};
    options.width = 1920, options.height = 1080, options.scale = 2;
    write("three-1920", threeBodies(device), options);
    write("discs-1920", discs(20'000), options);
    options = {};
    options.view = "plain";
    write("plain", sphere(2000), options);
    write("two", pointFrame(device, {{.x = -0.5, .value = 0.2}, {.x = 0.5, .size = 0.6, .value = 0.8}}), usual);
    options = {};
    options.width = 320, options.height = 240;
    write("small", discs(8192), options);
    options.width = 128, options.height = 96;
    write("thumbnail", discs(8192), options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
