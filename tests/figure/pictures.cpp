// Writes figures of several sizes, themes, and options as PNG files, to be looked at: simscope_figure_pictures FOLDER.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <tuple>

#include "app/render/gl/gl_context.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

using namespace simscope;
using namespace simscope::render;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: simscope_figure_pictures FOLDER\n");
    return 2;
  }
  try {
    const std::string folder = argv[1];
    const HeadlessContext context;
    const GlInfo info = glInfo();
    std::printf("%s, %s\n", info.renderer.c_str(), info.version.c_str());
    const auto device = compute::Device::open("cpu");
    const Description& description = sampleDescription();
    ParameterSet defaults = description.defaults(), changed = defaults;
    changed.setText("barrier_height", "2.5");
    changed.setText("barrier_width", "2");
    Figure figure;

    const auto writeFrom = [&](const Description& from, const std::string& name, const ParameterSet& parameters,
                               const Frame& frame, const FigureOptions& options) {
      const auto start = std::chrono::steady_clock::now();
      const std::clock_t cpu_start = std::clock();
      figure.draw(from, parameters, frame, options);
      const auto rgb = figure.read();
      const double cpu = 1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
      const auto end = std::chrono::steady_clock::now();
      std::printf("%-24s %8.2f ms, %8.2f ms of all processors\n", name.c_str(),
                  std::chrono::duration<double, std::milli>(end - start).count(), cpu);
      stbi_write_png((folder + "/" + name + ".png").c_str(), options.width, options.height, 3, rgb.data(),
                     3 * options.width);
    };
    const auto write = [&](const std::string& name, const ParameterSet& parameters, const Frame& frame,
                           const FigureOptions& options) { writeFrom(description, name, parameters, frame, options); };
    const Frame frame = sampleFrame(device, 4096, tunnellingProfiles(), 1);
    FigureOptions options;
    write("dark-960", defaults, frame, options);
    write("dark-960-again", defaults, frame, options);
    options.width = 640, options.height = 360;
    write("dark-640", changed, frame, options);
    options.width = 1920, options.height = 1080, options.scale = 2;
    write("dark-1920", changed, frame, options);
    write("dark-1920-again", changed, frame, options);
    options = {};
    options.theme = Theme::Light;
    write("light-960", changed, frame, options);
    options = {};
    options.shown["real"] = true;
    options.marker_x = 21;
    write("marker", defaults, frame, options);
    options = {};
    options.x = Limits{-16, -4};
    options.y = Limits{-0.01, 0.11};
    write("zoomed", changed, frame, options);
    options = {};
    options.shown["potential"] = false;
    options.width = 480, options.height = 300;
    write("small", defaults, frame, options);
    options.width = 128, options.height = 96;
    write("thumbnail", defaults, frame, options);
    options = {};
    write("dense", defaults, sampleFrame(device, 65536, tunnellingProfiles(), 2), options);

    const Description& fields = fieldDescription();
    ParameterSet warm = fields.defaults();
    warm.setText("diffusivity", "2.5");
    const Frame coarse = sampleFields(device, {64, 64, -2, 2, -2, 2}, 3);
    const Frame fine = sampleFields(device, {512, 512, -2, 2, -2, 2}, 4);
    const Frame huge = sampleFields(device, {2048, 2048, -2, 2, -2, 2}, 5);
    const Frame wide = sampleFields(device, {600, 200, -3, 3, -1, 1}, 6);
    for (const View& view : fields.views) {
      if (!view.as<FieldView>()) continue;
      options = {};
      options.view = view.key;
      options.isolines = view.key == "signed";
      writeFrom(fields, "field-dark-960-" + view.key, warm, fine, options);
      options.theme = Theme::Light;
      writeFrom(fields, "field-light-960-" + view.key, warm, fine, options);
    }
    options = {};
    writeFrom(fields, "field-2048", fields.defaults(), huge, options);
    writeFrom(fields, "field-2048-again", fields.defaults(), huge, options);
    options.isolines = true;
    writeFrom(fields, "field-isolines", fields.defaults(), huge, options);
    options = {};
    options.marker_x = 0.7, options.marker_y = -0.5;
    writeFrom(fields, "field-coarse", fields.defaults(), coarse, options);
    writeFrom(fields, "field-wide", fields.defaults(), wide, options);
    options = {};
    options.width = 640, options.height = 360;
    writeFrom(fields, "field-640", warm, fine, options);
    options.view = "wave";
    writeFrom(fields, "field-640-wave", warm, fine, options);
    options = {};
    options.width = 1920, options.height = 1080, options.scale = 2;
    options.isolines = true;
    writeFrom(fields, "field-1920", warm, fine, options);
    options.view = "wave";
    writeFrom(fields, "field-1920-wave", warm, fine, options);
    options = {};
    options.width = 600, options.height = 640;
    options.x = Limits{-1, 0.5};
    options.y = Limits{-0.2, 1.3};
    options.colormap = "viridis";
    options.reversed = true;
    writeFrom(fields, "field-zoomed", warm, fine, options);
    for (const View& view : fields.views) {
      if (!view.as<LinkedView>()) continue;
      for (const auto& [w, h, scale] :
           {std::tuple{240, 180, 1.0}, {480, 300, 1.0}, {960, 540, 1.0}, {1920, 1080, 2.0}}) {
        options = {};
        options.view = view.key;
        options.width = w, options.height = h, options.scale = scale;
        options.arrows = true;
        writeFrom(fields, "linked-" + view.key + "-" + std::to_string(w), warm, fine, options);
      }
      options = {};
      options.view = view.key;
      options.theme = Theme::Light;
      options.marker_panel = 1, options.marker_x = 0.7, options.marker_y = -0.5;
      writeFrom(fields, "linked-" + view.key + "-light", warm, wide, options);
    }
    for (const char* map : {"inferno", "viridis", "coolwarm", "gray"}) {
      options = {};
      options.arrows = true;
      options.colormap = map;
      writeFrom(fields, std::string("arrows-") + map, warm, fine, options);
    }
    options.width = 1920, options.height = 1080, options.scale = 2, options.theme = Theme::Light;
    writeFrom(fields, "arrows-1920", warm, fine, options);
    options = {};
    options.width = 128, options.height = 96;
    writeFrom(fields, "field-thumbnail", warm, fine, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
