#include "app/cli/bench/scaling_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/lab/lesson_figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

void requireChartName(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".png") return;
  throw UsageError(fmt::format("--chart: {} does not end in .png", foreign::quotedFile(file)));
}

void writeScalingChart(const std::vector<ScalingCurve>& curves, const std::string& device, const std::string& file,
                       bool overwrite) {
  std::size_t places = 2;
  for (const ScalingCurve& each : curves) places = std::max(places, each.speed_up.size());
  lab::Lesson lesson;
  lesson.id = "scaling";
  lesson.title = "Many devices, computed";
  lesson.parameters = std::make_shared<const std::vector<ParameterInfo>>();
  lab::Result result;
  lab::Chart& chart = result.chart;
  chart.title = "Speed-up over one device, computed from a fitted model";
  chart.x = {.title = "devices", .decades = true};
  chart.y = {.title = "speed-up", .decades = true};
  chart.first = 0;
  chart.last = std::log10(2.0) * static_cast<double>(places - 1);
  std::vector<double> ideal;
  for (std::size_t i = 0; i < places; ++i) ideal.push_back(std::exp2(static_cast<double>(i)));
  for (const ScalingCurve& each : curves) {
    std::vector<double> values = each.speed_up;
    values.resize(places, std::numeric_limits<double>::quiet_NaN());
    chart.curves.push_back({.title = each.name, .values = std::move(values)});
  }
  chart.curves.push_back({.title = "ideal", .values = std::move(ideal), .expected = true});
  const render::HeadlessContext context;
  const compute::DevicePtr cpu = compute::Device::open("cpu", 1);
  lab::LessonFigure figure(lesson, result, lesson.defaults(), cpu, device);
  // Wide enough for the names of six curves.
  render::FigureOptions look;
  look.width = 1280;
  look.height = 640;
  cpu->run([&] { lab::writeChart(figure, look, file, overwrite); });
}

}  // namespace simscope::cli
