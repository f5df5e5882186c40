#include "app/cli/lab_field.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/export/files.h"
#include "app/export/png.h"
#include "app/lab/lesson.h"
#include "app/lab/lessons/fourier_filters/field_filter.h"
#include "app/recording/scene_run.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/foreign/words.h"

namespace simscope::cli {
namespace {

constexpr std::int64_t kMostFieldSteps = 1'000'000'000;
constexpr int kUsualFrames = 10;

SceneArguments whatOf(const std::string& field) {
  SceneArguments what;
  what.what = field;
  const std::size_t colon = field.find(':');
  if (looksLikeFile(field) || colon == std::string::npos) return what;
  what.what = field.substr(0, colon);
  what.preset = field.substr(colon + 1);
  return what;
}

void requirePictures(const LabArguments& arguments) {
  if (!arguments.lesson || *arguments.lesson != "fourier_filters") {
    throw UsageError("--field is for the lesson fourier_filters: simscope lab fourier_filters --field WHAT");
  }
  if (arguments.json) throw UsageError("--field and --json do not go together: nothing is timed");
  std::vector<std::pair<const char*, Text>> files;
  for (const std::string& each : arguments.out) files.emplace_back("--out", each);
  requireDifferentFiles(files);
  for (const std::string& each : arguments.out) {
    if (std::filesystem::path(each).extension() != ".png") {
      throw UsageError(fmt::format("--out: {} does not end in .png; a filtered field is written as a picture",
                                   foreign::quotedFile(each)));
    }
    exporting::PendingFile probe(each, arguments.force);
  }
}

}  // namespace

void filterField(const LabArguments& arguments) {
  namespace filters = lab::fourier_filters;
  requirePictures(arguments);
  ParameterSet parameters = lab::lessonById(*arguments.lesson).defaults();
  applyChanges(arguments.set, "lab fourier_filters", parameters);
  std::vector<std::string> notes;
  Scene scene = sceneOf(whatOf(*arguments.field), notes);
  for (const std::string& each : notes) note(foreign::harmless("simscope: note: " + each + "\n"));
  const View* const view = filters::shownField(*scene.description, scene.figure.view);
  if (!view) {
    throw UsageError(fmt::format("--field: {} shows no two-dimensional field", foreign::shown(*arguments.field)));
  }
  const std::int64_t steps = arguments.steps ? readInteger("--steps", *arguments.steps, 0, kMostFieldSteps)
                                             : std::int64_t{kUsualFrames} * scene.steps_per_frame;
  applyFigure(arguments, scene);
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  requireOneDevice(choice.spec, "simscope lab");
  const compute::DevicePtr device = openDevice(choice);
  Frame frame;
  device->run([&] {
    Stepper stepper = begin(scene, device, std::nullopt, throwIfStopped);
    stepWatched(
        stepper, steps, [&](int n) { stepper.step(n); }, throwIfStopped);
    frame.sequence = 1;
    frame.wanted = {view->as<FieldView>()->channel};
    stepper.present(frame);
  });
  filters::FieldFilter filter(choice.threads);
  const filters::FilterFormula formula = filters::filterFormulaOf(parameters);
  filter.follow(*scene.description, *view, frame, formula);
  render::FigureOptions look = scene.figure;
  look.view.clear();
  if (!arguments.out.empty()) {
    const render::HeadlessContext context;
    render::Figure figure;
    figure.draw(filter.description(), filter.frame().parameters, filter.frame(), look);
    for (const std::string& each : arguments.out) {
      exporting::writePng(each, look.width, look.height, figure.read(), {}, arguments.force);
    }
  }
  const Channel& shown = *filter.frame().find(filters::kOriginal);
  print(fmt::format("{} of {} after {} steps: {} × {} cells, filtered by {} with c = {:.6g} on {}\n", view->title,
                    scene.description->title, frame.steps, shown.width, shown.height, formula.formula, formula.c,
                    device->info().name));
}

}  // namespace simscope::cli
