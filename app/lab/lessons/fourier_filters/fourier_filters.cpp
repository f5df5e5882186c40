#include "app/lab/lessons/fourier_filters/fourier_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson_text.h"
#include "app/lab/lessons/fourier_filters/field_filter.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timing.h"
#include "sims/compute/device_lost.h"

namespace simscope::lab::fourier_filters {
namespace {

constexpr int kWidestReach = 32;
constexpr double kLongest = 0.1;  // wider kernels that would take longer are left out: about nine calls are made
constexpr double kBytes = 2 * sizeof(float);  // a pixel read, one written, at least
constexpr int kPixelsByWindow = 200, kPixelsByWhole = 12;
constexpr double kTolerance = 2e-5;  // of the largest value that weights of these sizes allow

enum class Kernel { Low, High, Gauss, Edge, Own };
enum class Show { Time, Spectrum, Picture };
enum class Source { Picture, Field };

struct Parameters {
  int largest = 512;
  Source source = Source::Picture;
  std::string picture;
  Kernel filter = Kernel::Gauss;
  double c = 0.05;
  std::string kernel = "exp(-((k - c)/0.02)^2)";
  Show show = Show::Time;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::largest<Parameters>({.title = "Side of the picture",
                                  .unit = "px",
                                  .minimum = 64,
                                  .maximum = 4096,
                                  .help = "Pixels; a picture from a file is cut to a square and scaled to this size",
                                  .power_of_two = true})
          .choice(
              &Parameters::source, "source",
              {.title = "What is filtered",
               .help = "A picture, with times; or in the window the field of the running simulation, while it runs"},
              {{"picture", "A picture"}, {"field", "The running simulation's field"}})
          .text(&Parameters::picture, "picture",
                {.title = "Picture",
                 .help = "A file; empty for a test picture",
                 .text_use = TextUse::ImageFile,
                 .relevant = when("source", {"picture"})})
          .choice(&Parameters::filter, "filter", {.title = "Filter", .help = "Factor for each wave"},
                  {{"low_pass", "Low pass"},
                   {"high_pass", "High pass"},
                   {"gaussian", "Gaussian"},
                   {"edge", "Edges"},
                   {"own", "One's own"}})
          .real(&Parameters::c, "c",
                {.title = "Cutoff c",
                 .unit = "1/px",
                 .minimum = 0.001,
                 .maximum = 0.7,
                 .scale = Scale::Log,
                 .help = "Cycles a pixel; the shortest wave along an axis has a half"})
          .text(&Parameters::kernel, "kernel",
                {.title = "One's own filter",
                 .help = "A formula of k, kx, ky (cycles a pixel), and c: (k < c) ? 1 : 0",
                 .text_use = TextUse::Formula,
                 .relevant = when("filter", {"own"})})
          .choice(&Parameters::show, "show",
                  {.title = "Chart", .help = "Quantity in the chart", .relevant = when("source", {"picture"})},
                  {{"time", "Time"}, {"spectrum", "Spectra"}, {"picture", "Pictures"}});
  return all;
}

std::string formulaOf(const Parameters& p) {
  switch (p.filter) {
    case Kernel::Low:
      return "(k < c) ? 1 : 0";
    case Kernel::High:
      return "(k < c) ? 0 : 1";
    case Kernel::Gauss:
      return "exp(-k^2/(2*c^2))";
    case Kernel::Edge:
      return "(k/c)^2*exp(-k^2/(2*c^2))";
    case Kernel::Own:
      break;
  }
  return p.kernel;
}

struct Place {
  std::string title;
  compute::DevicePtr device;
  Way way;
  std::vector<double> direct = {}, transformed = {};  // seconds at each reach
  double whole = 0, whole_distance = 0, distance = 0;
};

struct Scene {
  Grey picture;
  Filter filter;
  std::vector<Window> windows;
  double brightest = 0;
  std::vector<float> filtered;

  // The largest possible sum with these weights.
  template <class Weights>
  double mostOf(const Weights& weights) const {
    double sum = 0;
    for (const float each : weights) sum += std::abs(static_cast<double>(each));
    return std::max(sum * brightest, 1e-30);
  }
  std::size_t pixelOf(int sample) const {
    return (static_cast<std::size_t>(sample) * 2'654'435'761u + 1) % picture.values.size();
  }
};

void measureWindow(Place& place, const Bench& bench, const Scene& scene, const Window& window) {
  compute::Device& device = *place.device;
  const double most = scene.mostOf(window.weights);
  place.way.direct_of(window);
  place.way.transformed_of(window);
  place.way.transformed();
  const std::vector<float> there = place.way.result();
  place.transformed.push_back(secondsOf(device, bench.check, place.way.transformed));
  for (int s = 0; s < kPixelsByWindow; ++s) {
    const std::size_t i = scene.pixelOf(s);
    const double wanted = convolvedAt(scene.picture, window, i) / most;
    requireValue(place.title + ", by transform", static_cast<double>(there[i]) / most, wanted, kTolerance);
  }
  const double weights = static_cast<double>(window.weights.size());
  if (!place.direct.empty()) {
    const double before = std::pow(window.reach + 1.0, 2);  // half the reach: (reach + 1)² weights
    if (std::isnan(place.direct.back()) || place.direct.back() * weights / before > kLongest) {
      place.direct.push_back(std::nan(""));
      return;
    }
  }
  place.way.direct();
  const std::vector<float> direct = place.way.result();
  for (std::size_t i = 0; i < direct.size(); ++i) {
    place.distance = std::max(place.distance, std::abs(static_cast<double>(direct[i] - there[i])) / most);
  }
  requireValue(place.title + ", the transform against the convolution", place.distance, 0, kTolerance);
  place.direct.push_back(secondsOf(device, bench.check, place.way.direct));
}

void measureWhole(Place& place, const Bench& bench, Scene& scene) {
  place.way.transformed_of(wholeOf(scene.filter));
  place.way.transformed();
  scene.filtered = place.way.result();
  const double most = scene.mostOf(scene.filter.kernel);
  for (int s = 0; s < kPixelsByWhole; ++s) {
    const std::size_t i = scene.pixelOf(s);
    const double wanted = convolvedAt(scene.picture, scene.filter.kernel, i) / most;
    const double got = static_cast<double>(scene.filtered[i]) / most;
    requireValue(place.title + ", the whole filter", got, wanted, kTolerance);
    place.whole_distance = std::max(place.whole_distance, std::abs(got - wanted));
  }
  place.whole = secondsOf(*place.device, bench.check, place.way.transformed);
}

void drawTime(Chart& chart, const std::vector<Place>& places, const Scene& scene) {
  for (const Place& place : places) {
    chart.curves.push_back({place.title + ", directly", place.direct});
    chart.curves.push_back({place.title + ", by transform", place.transformed});
  }
  chart.title = "Time of a filter over its kernel's reach";
  chart.x = {.title = "reach of the kernel", .unit = "px", .decades = true};
  chart.y = {.title = "time", .unit = "s", .decades = true};
  chart.first = 0;
  chart.last = std::log10(scene.windows.back().reach);
}

std::string findingOf(const std::vector<Place>& places, const std::vector<double>& reaches) {
  std::string text;
  double distance = 0;
  for (const Place& place : places) {
    distance = std::max({distance, place.distance, place.whole_distance});
    std::vector<double> x, a, b;
    for (std::size_t k = 0; k < reaches.size(); ++k) {
      if (std::isnan(place.direct[k])) break;
      x.push_back(reaches[k]);
      a.push_back(place.transformed[k]);
      b.push_back(place.direct[k]);
    }
    const auto from = crossing(x, a, b);
    const std::string where = (text.empty() ? "On this machine's " : "; on its ") + place.title;
    text += from ? fmt::format("{} a filter by transform pays from a reach of {} pixels on", where, roundText(*from))
                 : fmt::format("{} direct convolution is faster at all timed reaches", where);
  }
  return text + fmt::format(
                    ", where a filter by transform takes {} for any reach; the two ways differ by {} of the largest "
                    "value that the weights allow.",
                    valueText(rounded(places.back().whole), "s"), roundText(distance));
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  bench.check();
  Result result;
  Scene scene{p.picture.empty() ? testPicture(p.largest) : pictureOf(p.picture, p.largest),
              filterOf(formulaOf(p), p.c, p.largest),
              {},
              0,
              {}};
  for (const float each : scene.picture.values) scene.brightest = std::max(scene.brightest, std::abs(double{each}));
  std::vector<double> reaches;
  for (int reach = 1; reach <= std::min(kWidestReach, p.largest / 2 - 1); reach *= 2) {
    bench.check();
    scene.windows.push_back(windowOf(scene.filter, reach));
    reaches.push_back(reach);
  }
  std::vector<Place> places;
  places.push_back({"CPU", bench.cpu, onDevice(bench.cpu, scene.picture)});
  if (p.source == Source::Field) {
    result.notes.push_back(
        "The running simulation's field is filtered in the window, and by simscope lab fourier_filters --field; the "
        "times here are those of the picture.");
  }
  if (!bench.cuda) {
    result.notes.push_back("No CUDA device, so its filters are not compared: " + bench.no_cuda);
  } else {
    try {
      places.push_back({"GPU", bench.cuda, onDevice(bench.cuda, scene.picture)});
    } catch (const compute::DeviceLost&) {
      throw;
    } catch (const Error& error) {
      result.notes.push_back(fmt::format("The GPU is not compared: {}", error.what()));
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place& place = places[i];
    place.device->run([&] {
      for (const Window& window : scene.windows) {
        bench.check();
        measureWindow(place, bench, scene, window);
      }
      measureWhole(place, bench, scene);
    });
    bench.progress(static_cast<double>(i + 1) / static_cast<double>(places.size()));
  }

  const double pixels = static_cast<double>(scene.picture.values.size());
  result.columns = {
      {"Reach", "px"}, {"Time", "s"}, {"Rate", "pixels/s"}, {"Share of the limit", "%", true}, {"Difference"}};
  for (const Place& place : places) {
    const double limit = bench.limitsOf(place.device).bytes_per_second;
    const auto row = [&](const std::string& what, double reach, double seconds, double distance) {
      const double rate = pixels / seconds;
      result.rows.push_back({place.title + ", " + what, {reach, seconds, rate, kBytes * rate / limit, distance}});
      result.rows.back().headroom = headroomOf(place.device, kBytes * pixels);
    };
    std::size_t last = place.direct.size() - 1;
    while (std::isnan(place.direct[last])) --last;
    row("directly", reaches.front(), place.direct.front(), place.distance);
    if (last > 0) row("directly", reaches[last], place.direct[last], place.distance);
    row("by transform", reaches[last], place.transformed[last], place.distance);
    row("the whole filter by transform", std::nan(""), place.whole, place.whole_distance);
  }
  if (p.show == Show::Spectrum) {
    drawSpectra(result.chart, scene.picture, scene.filter, scene.filtered);
  } else {
    drawTime(result.chart, places, scene);
    if (p.show == Show::Picture) drawPictures(result.chart, scene.picture, scene.filtered);
  }
  result.finding = findingOf(places, reaches);
  return result;
}

}  // namespace

FilterFormula filterFormulaOf(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  return {formulaOf(p), p.c};
}

bool filtersField(const ParameterSet& parameters) {
  return binding().read(parameters).source == Source::Field;
}

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "fourier_filters",
      .title = "Filters by Fourier transform",
      .text =
          "A filter that computes each pixel from its neighbours, with the same weights everywhere, multiplies each "
          "wave of the picture by one factor. There are two ways to apply it. One adds up the neighbours and takes as "
          "many operations a pixel as there are weights. The other transforms the picture, multiplies it by the "
          "filter's factors, and transforms it back, in the same time for any filter. The factors are a formula of the "
          "wavenumber k: small factors at large k blur the picture, small factors at small k leave the edges. The "
          "picture is periodic: opposite edges are joined.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::fourier_filters
