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
constexpr const char* kPicture = "picture";
constexpr double kDrawn = 1e30;  // larger than any measurement; a file may contain anything
constexpr double kFps = 10;
constexpr int kRest = 20;          // pictures of the whole at a film's end
constexpr int kLongestFilm = 100;  // pictures before them: curves of many places grow by more at a time

std::string keyOf(std::size_t curve) {
  return fmt::format("curve_{}", curve);
}

// Bars of one place are side by side: each has its own slot, and an empty one is between two places, half of it
// before the first. Expected values are lines across all bars of a place.
struct Bars {
  std::vector<int> slot;  // of each curve; -1: all
  int count = 1, lead = 0;
  explicit Bars(const Chart& chart) {
    int bars = 0;
    for (const Curve& each : chart.curves) slot.push_back(each.expected ? -1 : bars++);
    if (slot.size() == 1) return;
    count = bars + 1;
    lead = 1;
  }
  std::vector<float> of(const std::vector<float>& values, std::size_t curve) const {
    const auto wide = static_cast<std::size_t>(count);
    std::vector<float> all(values.size() * wide + static_cast<std::size_t>(lead), kNone);
    for (std::size_t i = 0; i < values.size(); ++i) {
      float* const place = all.data() + lead + i * wide;
      if (slot[curve] < 0) {
        std::fill_n(place, wide, values[i]);
      } else {
        place[slot[curve]] = values[i];
      }
    }
    return all;
  }
};

// A sample of a curve is drawn at the beginning of its part of the axis. With this many samples the empty part after
// the last one is invisible.
constexpr int kSamples = 60;

// The places of a curve, and on the straight lines between them.
std::vector<float> drawnFinely(const std::vector<float>& places, int each) {
  std::vector<float> all;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    all.push_back(places[i]);
    for (int k = 1; k < each; ++k) {
      const float share = static_cast<float>(k) / static_cast<float>(each);
      all.push_back(places[i] + (places[i + 1] - places[i]) * share);
    }
  }
  if (!places.empty()) all.push_back(places.back());
  return all;
}

// As far as the values reach, and a round share beyond; in decades the shortest bar is seen, too.
void fit(const std::vector<std::vector<float>>& all, bool decades, bool bars, double& low, double& high) {
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
    const double beyond = std::max(0.04 * (most - least), 0.15);
    low = least - beyond;
    high = most + beyond;
    if (bars) {
      low = std::floor(least > 0.2 ? least - 0.2 : least);
      high = std::max(std::ceil(most), low + 1);
    }
  } else {
    low = std::min(0.0, least * 1.05);
    high = most > 0 ? most * 1.08 : 1;
  }
}

// Curves of a group look alike, and are named once.
void gather(const std::vector<Curve>& curves, std::vector<TraceInfo>& traces) {
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].group.empty()) continue;
    const auto known = std::find(groups.begin(), groups.end(), curves[i].group);
    traces[i].title = curves[i].group;
    traces[i].colour = static_cast<int>(known - groups.begin());
    if (known == groups.end()) groups.push_back(curves[i].group);
  }
}

}  // namespace

LessonFigure::LessonFigure(const Lesson& lesson, const Result& result, const ParameterSet& parameters,
                           compute::DevicePtr device, const std::string& machine)
    : parameters_(parameters) {
  description_.id = lesson.id;
  description_.title = lesson.title;
  description_.summary = lesson.text;
  description_.equation = result.finding;
  description_.parameters = lesson.parameters;
  description_.clock = {.symbol = "", .unit = machine};
  frame_.device = std::move(device);
  frame_.parameters = parameters_;
  if (result.chart.picture.width > 0) {
    planPicture(result.chart);
  } else {
    planCurves(result.chart);
  }
}

void LessonFigure::planPicture(const Chart& chart) {
  FieldView view{.x = chart.x, .y = chart.y, .value = {.title = "brightness"}, .channel = kPicture};
  view.x.decades = view.y.decades = false;
  view.colormap = "gray";
  description_.views = {{.key = "chart", .title = chart.title, .kind = std::move(view)}};
  places_ = 1;
  const Picture& picture = chart.picture;
  Channel& channel = frame_.channel(kPicture, picture.width, picture.height);
  channel.x_max = picture.width;
  channel.y_max = picture.height;
  channel.data.upload(picture.values);
}

void LessonFigure::planCurves(const Chart& chart) {
  CurveView view;
  view.x = chart.x;
  view.x.names = chart.names;
  view.y = chart.y;
  const bool bars = !chart.names.empty();
  const Bars slots(chart);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve& curve = chart.curves[i];
    const TraceStyle style = bars ? TraceStyle::Bars : TraceStyle::Line;
    view.traces.push_back({.channel = keyOf(i),
                           .title = curve.title,
                           .unit = chart.y.unit,
                           .style = curve.expected ? TraceStyle::Ghost : style,
                           .colour = curve.like >= 0 ? curve.like : static_cast<int>(i)});
    std::vector<float> values;
    for (const double each : curve.values) {
      const double shown = chart.y.decades ? std::log10(each) : each;  // infinite or NaN below: not drawn
      values.push_back(std::abs(shown) < kDrawn ? static_cast<float>(shown) : kNone);
    }
    places_ = static_cast<int>(values.size());
    values_.push_back(std::move(values));
  }
  per_place_ = places_ > 1 ? (kSamples + places_ - 2) / (places_ - 1) : 1;
  if (bars) per_place_ = slots.count;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = bars ? slots.of(values_[i], i) : drawnFinely(values_[i], per_place_);
  }
  gather(chart.curves, view.traces);
  bars_ = bars;
  if (bars) lead_ = slots.lead;
  fit(values_, chart.y.decades, bars, low_, high_);
  first_ = bars ? 0 : chart.first;
  const double apart = places_ > 1 ? (chart.last - chart.first) / (places_ - 1) : 1;
  end_ = bars ? places_ : chart.last + apart / per_place_;
  if (lead_ > 0) {
    first_ -= 0.5 / per_place_;
    end_ += 0.5 / per_place_;
  }
  description_.views = {{.key = "chart", .title = chart.title, .kind = std::move(view)}};
}

int LessonFigure::samplesOf(int places) const {
  if (bars_ || places < 1) return lead_ + places * per_place_;
  return (places - 1) * per_place_ + 1;
}

const Frame& LessonFigure::frame(int places) {
  if (places == shown_) return frame_;
  shown_ = places;
  ++frame_.sequence;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Channel& channel = frame_.channel(keyOf(i), samplesOf(places_));
    channel.x_min = first_;
    channel.x_max = end_;
    channel.low = low_;
    channel.high = high_;
    std::vector<float> values = values_[i];
    std::fill(values.begin() + samplesOf(std::min(places, places_)), values.end(), kNone);
    channel.data.upload(values);
  }
  frame_.ready.record(*frame_.device);
  return frame_;
}

// Places that join with each picture.
static int stepOf(const LessonFigure& chart) {
  return chart.places() / kLongestFilm + 1;
}

struct ChartWriter::Film {
  Film(LessonFigure& from, const std::filesystem::path& target, const exporting::GifOptions& gif)
      : chart(from), encoder(target, gif) {}
  LessonFigure& chart;
  render::Figure figure;
  exporting::Encoder encoder;
  int places = 0, rested = 0;
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
  gif.expected_frames = chart.places() / stepOf(chart) + kRest;
  gif.exact_colours = render::exactColours(chart.description(), options);
  film_ = std::make_unique<Film>(chart, target, gif);
}

ChartWriter::~ChartWriter() = default;

bool ChartWriter::advance() {
  if (!film_) return false;
  LessonFigure& chart = film_->chart;
  if (film_->places < chart.places() || film_->rested < kRest) {
    if (film_->places == chart.places()) ++film_->rested;
    film_->places = std::min(film_->places + stepOf(chart), chart.places());
    film_->figure.draw(chart.description(), chart.parameters(), chart.frame(film_->places), options_);
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
