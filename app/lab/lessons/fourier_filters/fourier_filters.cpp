#include "app/lab/lessons/fourier_filters/fourier_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson_text.h"
#include "app/lab/lessons/fourier_filters/field_filter.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timing.h"

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
  PictureFilter filter;
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
  const Window& windowOf(std::size_t reach) const {
    return *std::find_if(windows.begin(), windows.end(),
                         [&](const Window& each) { return each.reach == static_cast<int>(reach); });
  }
  std::size_t pixelOf(int sample) const {
    return (static_cast<std::size_t>(sample) * 2'654'435'761u + 1) % picture.values.size();
  }
};

// With windows of some reach: by sums over the window, and by transform. The place and the scene outlive the ways.
void addWays(std::vector<Way>& ways, Place& place, const Scene& scene) {
  const auto direct = [&place, &scene](std::size_t reach) {
    const Window& window = scene.windowOf(reach);
    place.filter.direct_of(window);
    const auto check = [&place, &scene, &window] {
      const std::vector<float> sums = place.filter.result();
      place.filter.transformed_of(window);
      place.filter.transformed();
      const std::vector<float> there = place.filter.result();
      const double most = scene.mostOf(window.weights);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const double apart = std::abs(static_cast<double>(sums[i] - there[i])) / most;
        place.distance = std::max(place.distance, apart);
      }
      requireValue(place.title + ", the transform against the convolution", place.distance, 0, kTolerance);
    };
    return Task{.run = place.filter.direct, .check = check};
  };
  const auto transformed = [&place, &scene](std::size_t reach) {
    const Window& window = scene.windowOf(reach);
    place.filter.transformed_of(window);
    const auto check = [&place, &scene, &window] {
      const std::vector<float> there = place.filter.result();
      const double most = scene.mostOf(window.weights);
      for (int s = 0; s < kPixelsByWindow; ++s) {
        const std::size_t i = scene.pixelOf(s);
        const double wanted = convolvedAt(scene.picture, window, i) / most;
        requireValue(place.title + ", by transform", static_cast<double>(there[i]) / most, wanted, kTolerance);
      }
    };
    return Task{.run = place.filter.transformed, .check = check};
  };
  ways.push_back({.title = place.title + ", directly", .device = place.device, .prepare = direct, .longest = kLongest});
  ways.push_back({.title = place.title + ", by transform", .device = place.device, .prepare = transformed});
}

void measureWhole(Place& place, const Bench& bench, Scene& scene) {
  place.filter.transformed_of(wholeOf(scene.filter));
  place.filter.transformed();
  scene.filtered = place.filter.result();
  const double most = scene.mostOf(scene.filter.kernel);
  for (int s = 0; s < kPixelsByWhole; ++s) {
    const std::size_t i = scene.pixelOf(s);
    const double wanted = convolvedAt(scene.picture, scene.filter.kernel, i) / most;
    const double got = static_cast<double>(scene.filtered[i]) / most;
    requireValue(place.title + ", the whole filter", got, wanted, kTolerance);
    place.whole_distance = std::max(place.whole_distance, std::abs(got - wanted));
  }
  place.whole = secondsOf(*place.device, bench.check, place.filter.transformed);
}

std::string findingOf(const std::vector<Place>& places, const Sweep& sweep) {
  std::string text;
  double distance = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Place& place = places[k];
    const Way &direct = sweep.ways[2 * k], &transformed = sweep.ways[2 * k + 1];
    distance = std::max({distance, place.distance, place.whole_distance});
    const auto timed = [&](const std::vector<double>& all) { return std::span(all).first(direct.last() + 1); };
    const auto from = crossing(timed(sweep.sizes), timed(transformed.seconds), timed(direct.seconds));
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
  Sweep sweep{.sizes = {}, .power = 2};
  for (int reach = 1; reach <= std::min(kWidestReach, p.largest / 2 - 1); reach *= 2) {
    bench.check();
    scene.windows.push_back(windowOf(scene.filter, reach));
    sweep.sizes.push_back(reach);
  }
  std::vector<Place> places;
  places.push_back({"CPU", bench.cpu, onDevice(bench.cpu, scene.picture)});
  if (p.source == Source::Field) {
    result.notes.push_back(
        "The running simulation's field is filtered in the window, and by simscope lab fourier_filters --field; the "
        "times here are those of the picture.");
  }
  result.noteLackOfCuda(bench, "so its filters are not compared");
  if (bench.cuda) {
    usable(result.notes, "The GPU is not compared", [&] {
      places.push_back({"GPU", bench.cuda, onDevice(bench.cuda, scene.picture)});
    });
  }
  for (Place& place : places) addWays(sweep.ways, place, scene);
  sweep.time(bench);
  for (Place& place : places) place.device->run([&] { measureWhole(place, bench, scene); });

  const double pixels = static_cast<double>(scene.picture.values.size());
  result.columns = {
      {"Reach", "px"}, {"Time", "s"}, {"Rate", "pixels/s"}, limitShare("Share of the limit"), {"Difference"}};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Place& place = places[k];
    const Way &direct = sweep.ways[2 * k], &transformed = sweep.ways[2 * k + 1];
    const auto row = [&](const std::string& title, double reach, double seconds, double distance) {
      const double rate = pixels / seconds;
      result.rows.push_back({.name = title,
                             .values = {reach, seconds, rate, bench.memoryShare(place.device, kBytes * rate), distance},
                             .headroom = headroomOf(place.device, kBytes * pixels)});
    };
    const std::size_t last = direct.last();
    row(direct.title, sweep.sizes.front(), direct.atSmallest(), place.distance);
    if (last > 0) row(direct.title, sweep.sizes[last], direct.atLargest(), place.distance);
    row(transformed.title, sweep.sizes[last], transformed.seconds[last], place.distance);
    row(place.title + ", the whole filter by transform", std::nan(""), place.whole, place.whole_distance);
  }
  if (p.show == Show::Spectrum) {
    drawSpectra(result.chart, scene.picture, scene.filter, scene.filtered);
  } else {
    sweep.drawTimes(result.chart, "Time of a filter over its kernel's reach",
                    {.title = "reach of the kernel", .unit = "px"});
    if (p.show == Show::Picture) drawPictures(result.chart, scene.picture, scene.filtered);
  }
  result.finding = findingOf(places, sweep);
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
