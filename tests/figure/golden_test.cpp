// Pictures of the simulations against stored ones, on Mesa's software renderer: changes that no other test looks for
// show here. `./dev goldens` draws the stored ones anew. Where a picture differs, what was drawn and an image of the
// differences lie in SIMSCOPE_GOLDEN_RESULTS.
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <gtest/gtest.h>
#include <imgui.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::render {
namespace {

// Rounding of another processor, and of another compiler of shaders, may move an edge a little; nothing more.
constexpr int kLargestDifference = 48;         // of a channel
constexpr int kVisible = 2;                    // differences up to here do not count
constexpr double kVisibleFraction = 2e-3;      // of the pixels, that differ by more
constexpr const char* kRenderer = "llvmpipe";  // that the stored pictures were drawn with, and
constexpr int kRasteriser = 18600;             // the version of Dear ImGui that drew their letters

struct Golden {
  const char* name;
  const char* simulation;
  const char* preset;
  std::vector<std::pair<const char*, const char*>> changes;
  int steps;
  FigureOptions options;
};
std::ostream& operator<<(std::ostream& out, const Golden& golden) {
  return out << golden.name;
}

FigureOptions look(Theme theme, const char* view = "") {
  FigureOptions options;
  options.width = 480;
  options.height = 270;
  options.scale = suitableScale(options.width, options.height);
  options.theme = theme;
  options.view = view;
  return options;
}
template <class Change>
FigureOptions look(Theme theme, const char* view, const Change& change) {
  FigureOptions options = look(theme, view);
  change(options);
  return options;
}

std::vector<Golden> goldens() {
  const auto grid = [](const char* points) { return std::pair{"grid_points", points}; };
  return {
      {"tunneling-dark", "tunneling", "tunnelling", {grid("1024")}, 2900, look(Theme::Dark)},
      {"tunneling-slides",
       "tunneling",
       "step",
       {grid("1024")},
       2800,
       look(Theme::Slides, "", [](FigureOptions& o) { o.shown["re"] = true; })},
      {"heat-print",
       "heat",
       "two_spots",
       {grid("128"), {"spot_size", "10"}},
       60,
       look(Theme::Print, "",
            [](auto& o) {
              o.isolines = o.arrows = true;
              o.colormap = "gray";
              o.reversed = true;
            })},
      {"heat-light",
       "heat",
       "stripes",
       {grid("128"), {"spot_size", "16"}},
       20,
       look(Theme::Light, "",
            [](auto& o) {
              o.symmetric = true;
              o.value_scale = FieldScale::Gamma;
              o.colormap = "coolwarm";
              o.supersampling = 2;
            })},
      {"heat-flux-dark", "heat", "gaussian", {grid("128"), {"spot_size", "16"}}, 20, look(Theme::Dark, "flux")},
      {"nbody-dark", "nbody", "ring", {{"bodies", "600"}}, 20, look(Theme::Dark)},
      {"nbody-slides", "nbody", "figure_eight", {}, 300, look(Theme::Slides)},
      {"nbody-panels-light", "nbody", "plummer", {{"bodies", "500"}}, 5, look(Theme::Light, "bodies_and_profile")},
      {"diffraction-panels-dark", "diffraction", "double_slit", {grid("256")}, 0, look(Theme::Dark)},
      {"diffraction-print", "diffraction", "airy", {grid("256")}, 0, look(Theme::Print, "cut")},
      {"schrodinger2d-panels-dark", "schrodinger2d", "double_slit", {grid("128")}, 100, look(Theme::Dark, "overview")},
      {"schrodinger2d-print",
       "schrodinger2d",
       "coherent_state",
       {grid("64")},
       40,
       look(Theme::Print, "wave", [](auto& o) { o.arrows = true; })},
  };
}

struct Free {
  void operator()(unsigned char* pixels) const { stbi_image_free(pixels); }
};

void write(const std::filesystem::path& file, const FigureOptions& options, const std::vector<std::uint8_t>& rgb) {
  std::filesystem::create_directories(file.parent_path());
  stbi_write_png_compression_level = 24;
  ASSERT_TRUE(stbi_write_png(file.c_str(), options.width, options.height, 3, rgb.data(), 3 * options.width)) << file;
}

class GoldenTest : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, PictureIsAsStored) {
  const Golden& golden = GetParam();
  const bool renew = std::getenv("SIMSCOPE_RENEW_GOLDENS") != nullptr;
  const HeadlessContext context;
  const std::string renderer = glInfo().renderer;
  if (renderer.find(kRenderer) == std::string::npos || IMGUI_VERSION_NUM != kRasteriser) {
    GTEST_SKIP() << "stored pictures are of " << kRenderer << " and Dear ImGui " << kRasteriser << "; here are "
                 << renderer << " and " << IMGUI_VERSION_NUM;
  }
  const Description& description = simulationById(golden.simulation);
  ParameterSet parameters = description.preset(golden.preset);
  for (const auto& [key, value] : golden.changes) parameters.setText(key, value);
  FigureOptions options = golden.options;
  if (options.view.empty()) options.view = description.presetInfo(golden.preset).view;
  options.camera = description.presetInfo(golden.preset).camera;
  Stepper stepper(description, compute::Device::open("cpu", 2), parameters, 1);
  stepper.step(golden.steps);
  Frame frame;
  frame.sequence = 1;
  stepper.present(frame);
  Figure figure;
  figure.draw(description, parameters, frame, options);
  const std::vector<std::uint8_t> drawn = figure.read();

  const std::filesystem::path stored = std::filesystem::path(SIMSCOPE_GOLDENS) / (std::string(golden.name) + ".png");
  if (renew) return write(stored, options, drawn);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<unsigned char, Free> expected(stbi_load(stored.c_str(), &width, &height, &channels, 3));
  ASSERT_TRUE(expected) << stored << " cannot be read; ./dev goldens draws it";
  ASSERT_EQ(width, options.width);
  ASSERT_EQ(height, options.height);

  std::vector<std::uint8_t> differences(drawn.size());
  int largest = 0;
  std::size_t visible = 0;
  for (std::size_t i = 0; i < drawn.size(); i += 3) {
    int most = 0;
    for (std::size_t k = i; k < i + 3; ++k) {
      const int difference = std::abs(drawn[k] - expected.get()[k]);
      differences[k] = static_cast<std::uint8_t>(std::min(255, 8 * difference));
      most = std::max(most, difference);
    }
    largest = std::max(largest, most);
    visible += most > kVisible;
  }
  const double fraction = 3 * static_cast<double>(visible) / static_cast<double>(drawn.size());
  const std::filesystem::path results = SIMSCOPE_GOLDEN_RESULTS;
  if (largest > kLargestDifference || fraction > kVisibleFraction) {
    write(results / (std::string(golden.name) + ".png"), options, drawn);
    write(results / (std::string(golden.name) + "-difference.png"), options, differences);
    ADD_FAILURE() << golden.name << ": the largest difference is " << largest << " (of " << kLargestDifference << "), "
                  << 100 * fraction << " % of the pixels differ (of " << 100 * kVisibleFraction << " %); see "
                  << results << ". If it should look like this: ./dev goldens";
  }
}

INSTANTIATE_TEST_SUITE_P(Figures, GoldenTest, testing::ValuesIn(goldens()), [](const auto& test) {
  std::string name = test.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace simscope::render
