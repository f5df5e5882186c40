#include "app/lab/lesson_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/export/encoder.h"
#include "app/export/png.h"
#include "app/render/figure/exact_colours.h"
#include "sims/foreign/words.h"

namespace simscope::lab {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr double kDrawn = 1e30;  // nothing of a machine is as much; a stranger's file may say so
constexpr double kFps = 10;
constexpr int kRest = 20;  // pictures of the whole at a film's end

std::string keyOf(std::size_t curve) {
  return fmt::format("curve_{}", curve);
}

// As far as the values reach, to whole decades or a round share above.
void fit(const std::vector<std::vector<float>>& all, bool decades, double& low, double& high) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const auto& values : all) {
    for (const float each : values) {
      if (!std::isfinite(each)) continue;
      least = std::min(least, static_cast<double>(each));
      most = std::max(most, static_cast<double>(each));
    }
  }
  if (least > most) return;
  if (decades) {
    low = std::floor(least);
    high = std::max(std::ceil(most), low + 1);
  } else {
    low = std::min(0.0, least * 1.05);
    high = most > 0 ? most * 1.08 : 1;
  }
}

}  // namespace

LessonFigure::LessonFigure(const Lesson& lesson, const Result& result, const ParameterSet& parameters,
                           compute::DevicePtr device, const std::string& machine)
    : parameters_(parameters) {
  const Chart& chart = result.chart;
  CurveView view;
  view.x = chart.x;
  view.x.names = chart.names;
  view.y = chart.y;
  const bool bars = !chart.names.empty();
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve& curve = chart.curves[i];
    view.traces.push_back({.channel = keyOf(i),
                           .title = curve.title,
                           .unit = chart.y.unit,
                           .style = curve.expected ? TraceStyle::Ghost
                                    : bars         ? TraceStyle::Bars
                                                   : TraceStyle::Line,
                           .colour = curve.like >= 0 ? curve.like : static_cast<int>(i)});
    std::vector<float>& values = values_.emplace_back();
    for (const double each : curve.values) {
      const double shown = !chart.y.decades ? each : each > 0 ? std::log10(each) : std::nan("");
      values.push_back(std::abs(shown) < kDrawn ? static_cast<float>(shown) : kNone);
    }
  }
  if (!values_.empty()) places_ = static_cast<int>(values_.front().size());
  fit(values_, chart.y.decades, low_, high_);
  first_ = bars ? 0 : chart.first;
  const double apart = places_ > 1 ? (chart.last - chart.first) / (places_ - 1) : 1;
  end_ = bars ? places_ : chart.last + apart;

  description_.id = lesson.id;
  description_.title = lesson.title;
  description_.summary = lesson.text;
  description_.equation = result.finding;
  description_.parameters = lesson.parameters;
  description_.clock = {.symbol = "", .unit = machine};
  description_.views = {{.key = "chart", .title = chart.title, .kind = std::move(view)}};
  frame_.device = std::move(device);
  frame_.parameters = parameters_;
}

const Frame& LessonFigure::frame(int places) {
  if (places == shown_) return frame_;
  shown_ = places;
  ++frame_.sequence;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Channel& channel = frame_.channel(keyOf(i), places_);
    channel.x_min = first_;
    channel.x_max = end_;
    channel.low = low_;
    channel.high = high_;
    std::vector<float> values = values_[i];
    std::fill(values.begin() + std::min(places, places_), values.end(), kNone);
    channel.data.upload(values);
  }
  frame_.ready.record(*frame_.device);
  return frame_;
}

struct ChartWriter::Film {
  Film(LessonFigure& from, const std::filesystem::path& target, const exporting::GifOptions& gif)
      : chart(from), encoder(target, gif) {}
  LessonFigure& chart;
  render::Figure figure;
  exporting::Encoder encoder;
  int added = 0;
};

ChartWriter::ChartWriter(LessonFigure& chart, const render::FigureOptions& options, const std::filesystem::path& target,
                         bool overwrite)
    : options_(options) {
  if (target.extension() == ".png") {
    render::Figure figure;
    figure.draw(chart.description(), chart.parameters(), chart.frame(), options);
    exporting::writePng(target, options.width, options.height, figure.read(), {}, overwrite);
    return;
  }
  if (target.extension() != ".gif") {
    throw UsageError(fmt::format("{}: a chart is written as .png or .gif", foreign::quotedFile(target.string())));
  }
  exporting::GifOptions gif;
  gif.width = options.width;
  gif.height = options.height;
  gif.fps = kFps;
  gif.overwrite = overwrite;
  gif.expected_frames = chart.places() + kRest;
  gif.exact_colours = render::exactColours(chart.description(), options);
  film_ = std::make_unique<Film>(chart, target, gif);
}

ChartWriter::~ChartWriter() = default;

bool ChartWriter::advance() {
  if (!film_) return false;
  LessonFigure& chart = film_->chart;
  if (film_->added < chart.places() + kRest) {
    const int places = std::min(++film_->added, chart.places());
    film_->figure.draw(chart.description(), chart.parameters(), chart.frame(places), options_);
    film_->encoder.add(film_->figure.read());
    return true;
  }
  film_->encoder.finish();
  film_.reset();
  return false;
}

void writeChart(LessonFigure& chart, const render::FigureOptions& options, const std::filesystem::path& target,
                bool overwrite) {
  ChartWriter writer(chart, options, target, overwrite);
  while (writer.advance()) {
  }
}

}  // namespace simscope::lab
