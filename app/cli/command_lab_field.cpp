// lab fourier_filters --field.
#include <fmt/format.h>

#include "app/cli/command_lab.h"
#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/export/png.h"
#include "app/lab/lesson.h"
#include "app/lab/lessons/fourier_filters/field_filter.h"
#include "app/recording/scene_run.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/foreign/words.h"

namespace simscope::cli {
namespace {

constexpr int kUsualFrames = 10;

}  // namespace

void filterField(const LabRequest& request, const DeviceChoice& choice) {
  namespace filters = lab::fourier_filters;
  if (!request.lesson || *request.lesson != "fourier_filters") {
    throw UsageError("--field is for the lesson fourier_filters: simscope lab fourier_filters --field WHAT");
  }
  if (request.json) throw UsageError("--field and --json do not go together: nothing is timed");
  requireOutputs(request, {".png"}, ".png; a filtered field is written as a picture");
  ParameterSet parameters = lab::lessonById(*request.lesson).defaults();
  applyChanges(request.set, "lab fourier_filters", parameters);
  std::vector<std::string> notes;
  Scene scene = sceneOf(*request.field, notes);
  noteAll(notes);
  const View* const view = filters::shownField(*scene.description, scene.figure.view);
  if (!view) {
    throw UsageError(fmt::format("--field: {} shows no two-dimensional field", foreign::shown(request.field_typed)));
  }
  const std::int64_t steps = request.steps.value_or(std::int64_t{kUsualFrames} * scene.steps_per_frame);
  applyLook(request.look, scene);
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
  if (!request.out.empty()) {
    const render::HeadlessContext context;
    render::Figure figure;
    figure.draw(filter.description(), filter.frame().parameters, filter.frame(), look);
    for (const std::string& each : request.out) {
      exporting::writePng(each, look.width, look.height, figure.read(), {}, request.force);
    }
  }
  const Channel& shown = *filter.frame().find(filters::kOriginal);
  print(fmt::format("{} of {} after {} steps: {} × {} cells, filtered by {} with c = {:.6g} on {}\n", view->title,
                    scene.description->title, frame.steps, shown.width, shown.height, formula.formula, formula.c,
                    device->info().name));
}

}  // namespace simscope::cli
