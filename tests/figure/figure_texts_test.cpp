// The texts of every simulation's figures at sizes from a tile of a sweep to a screen: none is cut, none lies on
// another.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"
#include "tests/figure/written_texts.h"

namespace simscope::render {
namespace {

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{180, 135}, {200, 190}, {240, 160}, {320, 180}, {320, 240}, {360, 480},
                           {420, 300}, {480, 270}, {520, 300}, {640, 480}, {700, 700}, {960, 540}};

class FigureTextsTest : public testing::TestWithParam<std::string> {};

TEST_P(FigureTextsTest, AreWholeAndApartAtEverySize) {
  const HeadlessContext context;
  const Description& description = simulationById(GetParam());
  FigureTexts texts;
  std::uint64_t sequence = 0;
  for (const Preset& preset : description.presets) {
    const ParameterSet parameters = description.preset(preset.key);
    if (description.memory && description.memory(parameters, compute::Backend::Cpu) > 64e6) continue;
    Stepper stepper(description, compute::Device::open("cpu", 2), parameters, 1);
    stepper.step(3);
    Frame frame;
    frame.sequence = ++sequence;
    stepper.present(frame);
    for (const View& view : description.views) {
      for (const Theme theme : {Theme::Dark, Theme::Slides}) {
        for (const Size& size : kSizes) {
          FigureOptions options;
          options.width = size.width;
          options.height = size.height;
          options.scale = suitableScale(size.width, size.height);
          options.theme = theme;
          options.view = view.key;
          options.camera = preset.camera;
          options.arrows = true;
          for (const std::string& fault : faultsOf(texts.of(description, parameters, frame, options), options)) {
            ADD_FAILURE() << preset.key << ", " << view.key << " at " << size.width << "x" << size.height
                          << (theme == Theme::Slides ? " for slides" : "") << ": " << fault;
          }
        }
      }
    }
  }
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const Description* each : simulations()) all.push_back(each->id);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Simulations, FigureTextsTest, testing::ValuesIn(ids()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace simscope::render
