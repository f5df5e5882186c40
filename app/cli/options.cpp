#include "app/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "app/cli/process/division.h"
#include "app/export/distinct.h"
#include "app/export/files.h"
#include "app/render/figure/colormap.h"
#include "app/scene/snapshot.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/arithmetic.h"
#include "sims/formula/quantity.h"

namespace simscope::cli {

namespace {

constexpr int kMostThreads = 4096;

template <class T>
bool readWhole(const std::string& text, T& value) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [last, error] = std::from_chars(begin, end, value);
  return error == std::errc() && last == end && begin != end;
}

// True for digits with an optional sign, however many: such a number is out of range, not misspelt.
bool isWhole(const std::string& text) {
  const std::size_t start = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  return text.size() > start && text.find_first_not_of("0123456789", start) == std::string::npos;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Throws where `name` is not among `known`: "--theme: there is no theme 'drak'; did you mean 'dark'? Known: …".
void requireKnown(const std::string& option, const std::string& kind, const std::string& name,
                  const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(fmt::format("{}: there is no {} {}{} Known: {}.", option, kind, foreign::quoted(name),
                               didYouMean(name, known, "."), joined(known)));
}

render::Limits readRange(const std::string& text) {
  const std::size_t colon = text.find(':');
  render::Limits range;
  if (colon == std::string::npos || !readWhole(text.substr(0, colon), range.low) ||
      !readWhole(text.substr(colon + 1), range.high) || !std::isfinite(range.low) || !std::isfinite(range.high) ||
      !(range.low < range.high)) {
    throw UsageError(fmt::format("--range: {} is not a range; write auto, symmetric, or LOW:HIGH with LOW < HIGH",
                                 foreign::quoted(text)));
  }
  return range;
}

// A fixed range needs no symmetry; "auto" is the frame's, also where the view is symmetric.
void applyRange(const std::string& text, render::FigureOptions& figure) {
  if (text == "auto" || text == "symmetric") {
    figure.range.reset();
    figure.symmetric = text == "symmetric";
  } else {
    figure.range = readRange(text);
  }
}

// The choice with this name; `names` are in the order of the enumeration.
template <class Choice>
Choice choiceOf(const std::string& option, const std::string& kind, const std::string& name,
                const std::vector<std::string>& names) {
  requireKnown(option, kind, name, names);
  return static_cast<Choice>(std::find(names.begin(), names.end(), name) - names.begin());
}

// "30:25", "30:25:2", or "30:25:2:0:0:1"; what is not given stays as it is.
Camera readCamera(const std::string& text, Camera camera) {
  struct Part {
    double* value;
    double low, high;
  };
  const std::array<Part, 6> parts = {{{&camera.azimuth, -kMostDegrees, kMostDegrees},
                                      {&camera.elevation, -90, 90},
                                      {&camera.zoom, kSmallestZoom, kLargestZoom},
                                      {&camera.x, -kFarthestTarget, kFarthestTarget},
                                      {&camera.y, -kFarthestTarget, kFarthestTarget},
                                      {&camera.z, -kFarthestTarget, kFarthestTarget}}};
  const auto count = static_cast<std::size_t>(1 + std::count(text.begin(), text.end(), ':'));
  if (count != 2 && count != 3 && count != 6) {
    throw UsageError(fmt::format("--camera: {} is not a camera; write AZ:EL, AZ:EL:ZOOM, or AZ:EL:ZOOM:X:Y:Z",
                                 foreign::quoted(text)));
  }
  std::size_t start = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    *parts[i].value = readReal("--camera", text.substr(start, end - start), parts[i].low, parts[i].high);
    start = end + 1;
  }
  return camera;
}

void readSize(const std::string& text, int& width, int& height) {
  const std::size_t x = text.find_first_of("xX");
  const std::string expected = fmt::format("write WIDTHxHEIGHT, each from {} to {}", kSmallestSide, kLargestSide);
  std::int64_t sides[2] = {};
  const std::string parts[2] = {text.substr(0, x), x == std::string::npos ? "" : text.substr(x + 1)};
  for (int i = 0; i < 2; ++i) {
    if (!isWhole(parts[i]))
      throw UsageError(fmt::format("--size: {} is not a size; {}", foreign::quoted(text), expected));
    if (!readWhole(parts[i], sides[i])) sides[i] = parts[i][0] == '-' ? INT64_MIN : INT64_MAX;
  }
  std::int64_t nearest[2];
  for (int i = 0; i < 2; ++i) nearest[i] = std::clamp<std::int64_t>(sides[i], kSmallestSide, kLargestSide);
  if (nearest[0] != sides[0] || nearest[1] != sides[1]) {
    throw UsageError(fmt::format("--size: {} is out of range; {}, nearest {}x{}", foreign::quoted(text), expected,
                                 nearest[0], nearest[1]));
  }
  width = static_cast<int>(sides[0]);
  height = static_cast<int>(sides[1]);
}

}  // namespace

std::int64_t readInteger(const std::string& option, const std::string& text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  if (!isWhole(text)) {
    throw UsageError(
        fmt::format("{}: {} is not a whole number; range {} to {}", option, foreign::quoted(text), low, high));
  }
  if (!readWhole(text, value)) value = text[0] == '-' ? INT64_MIN : INT64_MAX;
  if (value < low || value > high) {
    throw UsageError(fmt::format("{}: {} is out of range; range {} to {}, nearest {}", option, foreign::shown(text),
                                 low, high, std::clamp(value, low, high)));
  }
  return value;
}

namespace {

// 30000/1001, 2**0.5: as parameters take them.
bool readArithmetic(const std::string& text, double& value) {
  try {
    const std::vector<formula::Term> terms = formula::termsOf(text);
    if (terms.size() != 1 || !terms[0].unit.empty()) return false;
    value = formula::evaluate(terms[0].arithmetic);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

double readReal(const std::string& option, const std::string& text, double low, double high) {
  double value = 0;
  if ((!readWhole(text, value) && !readArithmetic(text, value)) || !std::isfinite(value)) {
    throw UsageError(fmt::format("{}: {} is not a number; range {} to {}", option, foreign::quoted(text), low, high));
  }
  if (!(value >= low && value <= high)) {
    throw UsageError(fmt::format("{}: {} is out of range; range {} to {}, nearest {}", option, foreign::shown(text),
                                 low, high, std::clamp(value, low, high)));
  }
  return value;
}

std::uint64_t readSeed(const std::string& text) {
  std::uint64_t value = 0;
  if (!readWhole(text, value)) {
    const std::uint64_t nearest = isWhole(text) && text[0] != '-' ? UINT64_MAX : 0;
    const std::string hint = isWhole(text) ? fmt::format(", nearest {}", nearest) : "";
    throw UsageError(fmt::format("--seed: {} is not a seed: a whole number, range 0 to {}{}", foreign::quoted(text),
                                 UINT64_MAX, hint));
  }
  return value;
}

std::uint64_t readBytes(const std::string& option, const std::string& text) {
  constexpr double kFewest = 1000, kMost = 1e15;
  double unit = 1;
  std::string number = text;
  if (!number.empty()) {
    const auto suffix = std::string_view("KMG").find(static_cast<char>(std::toupper(number.back())));
    if (suffix != std::string_view::npos) {
      unit = std::pow(1000.0, static_cast<double>(suffix + 1));
      number.pop_back();
    }
  }
  double value = 0;
  if (!readWhole(number, value) || std::isnan(value)) {
    throw UsageError(
        fmt::format("{}: {} is not a number of bytes such as 800K, 2.5M, or 3000000", option, foreign::quoted(text)));
  }
  if (!(value * unit >= kFewest && value * unit <= kMost)) {
    throw UsageError(fmt::format("{}: {} bytes are out of range; range 1K to 1000000G, nearest {}", option,
                                 foreign::shown(text), value * unit < kFewest ? "1K" : "1000000G"));
  }
  return static_cast<std::uint64_t>(value * unit);
}

void requireDifferentFiles(const std::vector<std::pair<const char*, Text>>& files) {
  std::vector<exporting::NamedFile> named;
  for (const auto& [option, file] : files) {
    if (file && *file != "-") named.push_back({option, *file});
  }
  exporting::requireDistinct(named);
}

bool looksLikeFile(const std::string& what) {
  for (const Description* each : simulations()) {
    if (each->id == what) return false;
  }
  std::string extension = std::filesystem::path(what).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::error_code failed;
  return extension == ".json" || extension == ".gif" || extension == ".png" || extension == ".apng" ||
         isSnapshotName(what) || what.find('/') != std::string::npos || std::filesystem::exists(what, failed);
}

void applyChanges(const std::vector<std::string>& changes, const std::string& simulation, ParameterSet& parameters) {
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--set: {} is not a change; write key=value (simscope describe {} lists the keys)",
                                   foreign::quoted(change), simulation));
    }
    const std::size_t index = parameters.find(change.substr(0, equals));
    parameters.set(index,
                   formula::readValue(parameters.infos()[index], change.substr(equals + 1), parameters.unit(index)));
  }
}

namespace {

// Notes the parameters and the seed that were set and have no effect in this scene.
void noteIrrelevant(const SceneArguments& arguments, const Scene& scene, std::vector<std::string>& notes) {
  const ParameterSet& parameters = scene.parameters;
  std::vector<std::size_t> told;
  for (const std::string& change : arguments.set) {
    const std::size_t index = parameters.find(change.substr(0, change.find('=')));
    if (parameters.matters(index) || std::find(told.begin(), told.end(), index) != told.end()) continue;
    told.push_back(index);
    const ParameterInfo& info = parameters.infos()[index];
    notes.push_back(fmt::format("{} does nothing here; it matters with {}", info.key, typedText(info.relevant)));
  }
  const Relevance& random = scene.description->random;
  if (!arguments.seed || random.holds(parameters)) return;
  notes.push_back(random.never()
                      ? fmt::format("the seed does nothing: nothing in {} is drawn at random", scene.description->id)
                      : fmt::format("the seed does nothing here; it matters with {}", typedText(random)));
}

}  // namespace

Scene sceneOf(const SceneArguments& arguments, std::vector<std::string>& notes, std::optional<State>* state,
              const compute::Ranks* ranks) {
  Scene scene;
  if (looksLikeFile(arguments.what)) {
    std::vector<std::string> ignored;
    if (state && isSnapshotName(arguments.what)) {
      Snapshot snapshot = readSnapshot(arguments.what, &ignored, ranks ? ReadArrays::AsNeeded : ReadArrays::AtOnce);
      if (arguments.preset || arguments.seed) {
        throw UsageError("a snapshot continues its run; --preset and --seed start a new one: leave them out");
      }
      scene = std::move(snapshot.scene);
      *state = std::move(snapshot.state);
    } else {
      scene = readScene(arguments.what, &ignored);
    }
    for (const std::string& each : ignored) notes.push_back(foreign::shownFile(arguments.what) + ": ignored " + each);
    if (arguments.preset) {
      const Scene fresh = Scene::fromPreset(*scene.description, *arguments.preset);
      scene.preset = fresh.preset;
      scene.parameters = fresh.parameters;
      scene.timeline.tracks = fresh.timeline.tracks;
      scene.frames = fresh.frames;
      scene.steps_per_frame = scene.timeline.track_interval = fresh.steps_per_frame;
    }
  } else {
    const Description& description = simulationById(arguments.what);
    const std::string first = description.presets.empty() ? "" : description.presets.front().key;
    scene = Scene::fromPreset(description, arguments.preset.value_or(first));
  }
  applyChanges(arguments.set, scene.description->id, scene.parameters);
  // A value that is given takes the place of keyframes.
  std::erase_if(scene.timeline.tracks, [&](const Track& track) {
    return std::any_of(arguments.set.begin(), arguments.set.end(),
                       [&](const std::string& change) { return change.rfind(track.key + "=", 0) == 0; });
  });
  if (state && *state) {
    ParameterSet changed = (*state)->parameters;
    applyChanges(arguments.set, scene.description->id, changed);
    if (changed.needsReset((*state)->parameters)) {
      throw UsageError("--set: a snapshot continues from its state; only parameters that apply live can be changed");
    }
    (*state)->parameters = std::move(changed);
  }
  if (arguments.seed) scene.seed = readSeed(*arguments.seed);
  noteIrrelevant(arguments, scene, notes);
  return scene;
}

void applyFigure(const FigureArguments& arguments, Scene& scene) {
  render::FigureOptions& figure = scene.figure;
  if (arguments.size) readSize(*arguments.size, figure.width, figure.height);
  if (arguments.theme) {
    figure.theme = choiceOf<render::Theme>("--theme", "theme", *arguments.theme, themeNames());
  }
  if (arguments.scale ? *arguments.scale == "auto" : arguments.size.has_value()) {
    figure.scale = render::suitableScale(figure.width, figure.height);
  } else if (arguments.scale) {
    figure.scale = readReal("--scale", *arguments.scale, kSmallestScale, kLargestScale);
  }
  if (arguments.supersampling) {
    figure.supersampling =
        static_cast<int>(readInteger("--supersampling", *arguments.supersampling, 1, kMostSupersampling));
  }
  if (arguments.view) {
    requireKnown("--view", "view", *arguments.view, scene.description->viewKeys());
    figure.view = *arguments.view;
  }
  if (arguments.colormap) {
    requireKnown("--colormap", "colormap", *arguments.colormap, render::colormapNames());
    figure.colormap = *arguments.colormap;
  }
  if (arguments.range) applyRange(*arguments.range, figure);
  if (arguments.value_scale) {
    figure.value_scale = choiceOf<FieldScale>("--value-scale", "scale", *arguments.value_scale, valueScaleNames());
  }
  if (arguments.reversed) figure.reversed = true;
  if (arguments.isolines) figure.isolines = true;
  if (arguments.arrows) figure.arrows = true;
  if (arguments.camera) figure.camera = readCamera(*arguments.camera, figure.camera.value_or(Camera{}));
  if (arguments.follow) figure.follow = readInteger("--follow", *arguments.follow, -1, kLastPoint);
  if (arguments.exposure) figure.exposure = readReal("--exposure", *arguments.exposure, -kMostStops, kMostStops);
  if (arguments.point_size) {
    figure.point_size = readReal("--point-size", *arguments.point_size, kSmallestPoint, kLargestPoint);
  }
  // The lab's charts have no description before they are measured.
  const std::vector<std::string> channels =
      scene.description ? scene.description->channelKeys() : std::vector<std::string>();
  const auto choose = [&](const char* option, const std::vector<std::string>& names, bool shown) {
    for (const std::string& name : names) {
      requireKnown(option, "channel", name, channels);
      figure.shown[name] = shown;
    }
  };
  choose("--show", arguments.show, true);
  choose("--hide", arguments.hide, false);
}

DeviceChoice deviceOf(const Text& device, const Text& threads) {
  DeviceChoice choice;
  std::string option = "--device";
  if (device) {
    choice.spec = *device;
  } else if (const char* environment = std::getenv("SIMSCOPE_DEVICE"); environment && *environment) {
    choice.spec = environment;
    option = "SIMSCOPE_DEVICE";
  }
  const std::string& spec = choice.spec;
  std::uint32_t index = 0;
  const bool numbered = spec.rfind("cuda:", 0) == 0 && spec.find_first_not_of("0123456789", 5) == std::string::npos &&
                        readWhole(spec.substr(5), index) && index <= 1023;
  if (spec != "auto" && spec != "cpu" && spec != "cuda" && !numbered && !namesSeveralDevices(spec)) {
    const bool several = spec.find('+') != std::string::npos || spec.rfind("cuda:a", 0) == 0;
    const std::vector<std::string> near = several ? std::vector<std::string>{"cpu+cpu", "cuda:0+1", "cuda:all"}
                                                  : std::vector<std::string>{"auto", "cpu", "cuda"};
    throw UsageError(
        fmt::format("{}: there is no device {}{} Devices: auto, cpu, cuda, cuda:INDEX (simscope devices lists those of "
                    "this machine); or several for one run: cuda:0+1, cuda:all, cpu+cpu.",
                    option, foreign::quoted(spec), didYouMean(spec, near, ".")));
  }
  if (threads) choice.threads = static_cast<int>(readInteger("--threads", *threads, 0, kMostThreads));
  return choice;
}

compute::DevicePtr openDevice(const DeviceChoice& choice) {
  return compute::Device::open(choice.spec, choice.threads);
}

}  // namespace simscope::cli
