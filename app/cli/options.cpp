#include "app/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
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

// Throws where `name` is not among `known`: "--theme: there is no theme 'drak'; did you mean 'dark'? Known: …".
void requireKnown(const std::string& option, const std::string& kind, const std::string& name,
                  const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(fmt::format("{}: there is no {} {}{} Known: {}.", option, kind, foreign::quoted(name),
                               didYouMean(name, known, "."), fmt::join(known, ", ")));
}

render::Limits readLimits(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  render::Limits range;
  if (colon == std::string::npos || !readWhole(text.substr(0, colon), range.low) ||
      !readWhole(text.substr(colon + 1), range.high) || !std::isfinite(range.low) || !std::isfinite(range.high) ||
      !(range.low < range.high)) {
    throw UsageError(fmt::format("{}: {} is not a range; write auto, symmetric, or LOW:HIGH with LOW < HIGH", option,
                                 foreign::quoted(text)));
  }
  return range;
}

// A fixed range needs no symmetry; "auto" is the frame's, also where the view is symmetric.
LookChange readRange(const std::string& option, const std::string& text) {
  if (text != "auto" && text != "symmetric") {
    return [range = readLimits(option, text)](Scene& scene) { scene.figure.range = range; };
  }
  return [symmetric = text == "symmetric"](Scene& scene) {
    scene.figure.range.reset();
    scene.figure.symmetric = symmetric;
  };
}

// "30:25", "30:25:2", or "30:25:2:0:0:1"; what is not given stays as it is.
LookChange readCamera(const std::string& option, const std::string& text) {
  struct Part {
    double Camera::*value;
    double low, high;
  };
  static constexpr std::array<Part, 6> kParts = {{{&Camera::azimuth, -kMostDegrees, kMostDegrees},
                                                  {&Camera::elevation, -90, 90},
                                                  {&Camera::zoom, kSmallestZoom, kLargestZoom},
                                                  {&Camera::x, -kFarthestTarget, kFarthestTarget},
                                                  {&Camera::y, -kFarthestTarget, kFarthestTarget},
                                                  {&Camera::z, -kFarthestTarget, kFarthestTarget}}};
  const auto count = static_cast<std::size_t>(1 + std::count(text.begin(), text.end(), ':'));
  if (count != 2 && count != 3 && count != 6) {
    throw UsageError(fmt::format("{}: {} is not a camera; write AZ:EL, AZ:EL:ZOOM, or AZ:EL:ZOOM:X:Y:Z", option,
                                 foreign::quoted(text)));
  }
  std::vector<double> values;
  for (std::size_t start = 0; values.size() < count;) {
    const Part& part = kParts[values.size()];
    const std::size_t end = std::min(text.find(':', start), text.size());
    values.push_back(readReal(option, text.substr(start, end - start), part.low, part.high));
    start = end + 1;
  }
  return [values](Scene& scene) {
    if (!scene.figure.camera) scene.figure.camera = Camera{};
    for (std::size_t i = 0; i < values.size(); ++i) (*scene.figure.camera).*kParts[i].value = values[i];
  };
}

// The scale of text and lines follows the size, unless --scale comes after it.
LookChange readSize(const std::string& option, const std::string& text) {
  const std::size_t x = text.find_first_of("xX");
  const std::string expected = fmt::format("write WIDTHxHEIGHT, each from {} to {}", kSmallestSide, kLargestSide);
  std::int64_t sides[2] = {};
  const std::string parts[2] = {text.substr(0, x), x == std::string::npos ? "" : text.substr(x + 1)};
  for (int i = 0; i < 2; ++i) {
    if (!isWhole(parts[i]))
      throw UsageError(fmt::format("{}: {} is not a size; {}", option, foreign::quoted(text), expected));
    if (!readWhole(parts[i], sides[i])) sides[i] = parts[i][0] == '-' ? INT64_MIN : INT64_MAX;
  }
  std::int64_t nearest[2];
  for (int i = 0; i < 2; ++i) nearest[i] = std::clamp<std::int64_t>(sides[i], kSmallestSide, kLargestSide);
  if (nearest[0] != sides[0] || nearest[1] != sides[1]) {
    throw UsageError(fmt::format("{}: {} is out of range; {}, nearest {}x{}", option, foreign::quoted(text), expected,
                                 nearest[0], nearest[1]));
  }
  return [width = static_cast<int>(sides[0]), height = static_cast<int>(sides[1])](Scene& scene) {
    scene.figure.width = width;
    scene.figure.height = height;
    scene.figure.scale = render::suitableScale(width, height);
  };
}

LookChange readScale(const std::string& option, const std::string& text) {
  if (text == "auto") {
    return [](Scene& scene) { scene.figure.scale = render::suitableScale(scene.figure.width, scene.figure.height); };
  }
  return [scale = readReal(option, text, kSmallestScale, kLargestScale)](Scene& scene) { scene.figure.scale = scale; };
}

// Sets one member of the figure to what `read` makes of the text.
template <class Member, class Read>
auto sets(Member render::FigureOptions::*member, Read read) {
  return [=](const std::string& option, const std::string& text) -> LookChange {
    return [member, value = read(option, text)](Scene& scene) { scene.figure.*member = value; };
  };
}

// Reads one of the names; they are in the order of the enumeration.
template <class Choice>
auto choice(const std::string& kind, const std::vector<std::string>& names) {
  return [=](const std::string& option, const std::string& text) {
    requireKnown(option, kind, text, names);
    return static_cast<Choice>(std::find(names.begin(), names.end(), text) - names.begin());
  };
}

std::string readColormap(const std::string& option, const std::string& text) {
  requireKnown(option, "colormap", text, render::colormapNames());
  return text;
}

LookChange readView(const std::string& option, const std::string& text) {
  return [=](Scene& scene) {
    requireKnown(option, "view", text, scene.description->viewKeys());
    scene.figure.view = text;
  };
}

LookChange readChannel(const std::string& option, const std::string& text) {
  return [=](Scene& scene) {
    requireKnown(option, "channel", text, scene.description->channelKeys());
    scene.figure.shown[text] = option == "--show";
  };
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

std::uint64_t readSeed(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  if (!readWhole(text, value)) {
    const std::uint64_t nearest = isWhole(text) && text[0] != '-' ? UINT64_MAX : 0;
    const std::string hint = isWhole(text) ? fmt::format(", nearest {}", nearest) : "";
    throw UsageError(fmt::format("{}: {} is not a seed: a whole number, range 0 to {}{}", option, foreign::quoted(text),
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

std::string readDevice(const std::string& option, const std::string& text) {
  std::uint32_t index = 0;
  const bool numbered = text.rfind("cuda:", 0) == 0 && text.find_first_not_of("0123456789", 5) == std::string::npos &&
                        readWhole(text.substr(5), index) && index <= 1023;
  if (text != "auto" && text != "cpu" && text != "cuda" && !numbered && !namesSeveralDevices(text)) {
    const bool several = text.find('+') != std::string::npos || text.rfind("cuda:a", 0) == 0;
    const std::vector<std::string> near = several ? std::vector<std::string>{"cpu+cpu", "cuda:0+1", "cuda:all"}
                                                  : std::vector<std::string>{"auto", "cpu", "cuda"};
    throw UsageError(
        fmt::format("{}: there is no device {}{} Devices: auto, cpu, cuda, cuda:INDEX (simscope devices lists those of "
                    "this machine); or several for one run: cuda:0+1, cuda:all, cpu+cpu.",
                    option, foreign::quoted(text), didYouMean(text, near, ".")));
  }
  return text;
}

const std::vector<LookOption>& lookOptions() {
  using Figure = render::FigureOptions;
  const auto on = [](const std::string&, const std::string&) { return true; };
  static const std::vector<LookOption> all = {
      {"--size", "WxH", "", readSize},
      {"--scale", "S", "", readScale},
      {"--theme", "THEME", R"(dark, light, slides (heavy lines, large letters), or print (black on white); points
brighten a dark background and darken the others [dark])",
       sets(&Figure::theme, choice<render::Theme>("theme", themeNames()))},
      {"--view", "KEY", "One of the simulation's views (below) [the preset's]", readView},
      {"--colormap", "NAME", "Colormap of a field [the view's]", sets(&Figure::colormap, readColormap)},
      {"--range", "RANGE", R"(Range of a field's colours: auto (the frame's), symmetric (about 0), or LOW:HIGH
[the view's])",
       readRange},
      {"--value-scale", "SCALE", "Scale of a field's colours: linear, log, or gamma (the square root) [the view's]",
       sets(&Figure::value_scale, choice<FieldScale>("scale", valueScaleNames()))},
      {"--supersampling", "N", R"(1 to 4: draws N times larger and averages; edges in a GIF are then blends, not exact
colours [1])",
       sets(&Figure::supersampling, whole<int>(1, kMostSupersampling))},
      {"--reversed", "", "Reverses the colormap", sets(&Figure::reversed, on)},
      {"--isolines", "", "Draws contours on a field", sets(&Figure::isolines, on)},
      {"--arrows", "", "Draws the arrows of a field that has them", sets(&Figure::arrows, on)},
      {"--camera", "AZ:EL[:ZOOM[:X:Y:Z]]",
       "Camera of a view of points: angles in degrees, magnification, and centre [the preset's]", readCamera},
      {"--follow", "N", "Keeps point N in the middle; -1: none [-1]", sets(&Figure::follow, whole(-1, kLastPoint))},
      {"--exposure", "STOPS", "Brightness of points; each stop doubles it [0]",
       sets(&Figure::exposure, real(-kMostStops, kMostStops))},
      {"--point-size", "F", "Size of points, as a factor [1]",
       sets(&Figure::point_size, real(kSmallestPoint, kLargestPoint))},
      {"--show", "CHANNEL", "Shows a curve or trails; may be repeated", readChannel, true},
      {"--hide", "CHANNEL", "Hides a curve or trails; may be repeated", readChannel, true},
  };
  return all;
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

SceneRequest runNamed(const std::string& what) {
  const std::size_t colon = what.find(':');
  if (colon == std::string::npos || looksLikeFile(what)) return {what, {}, {}, {}};
  return {what.substr(0, colon), what.substr(colon + 1), {}, {}};
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
void noteIrrelevant(const SceneRequest& request, const Scene& scene, std::vector<std::string>& notes) {
  const ParameterSet& parameters = scene.parameters;
  std::vector<std::size_t> told;
  for (const std::string& change : request.set) {
    const std::size_t index = parameters.find(change.substr(0, change.find('=')));
    if (parameters.matters(index) || std::find(told.begin(), told.end(), index) != told.end()) continue;
    told.push_back(index);
    const ParameterInfo& info = parameters.infos()[index];
    notes.push_back(fmt::format("{} does nothing here; it matters with {}", info.key, typedText(info.relevant)));
  }
  const Relevance& random = scene.description->random;
  if (!request.seed || random.holds(parameters)) return;
  notes.push_back(random.never()
                      ? fmt::format("the seed does nothing: nothing in {} is drawn at random", scene.description->id)
                      : fmt::format("the seed does nothing here; it matters with {}", typedText(random)));
}

}  // namespace

Scene sceneOf(const SceneRequest& request, std::vector<std::string>& notes, std::optional<State>* state,
              const compute::Ranks* ranks) {
  Scene scene;
  if (looksLikeFile(request.what)) {
    std::vector<std::string> ignored;
    if (state && isSnapshotName(request.what)) {
      Snapshot snapshot = readSnapshot(request.what, &ignored, ranks ? ReadArrays::AsNeeded : ReadArrays::AtOnce);
      if (request.preset || request.seed) {
        throw UsageError("a snapshot continues its run; --preset and --seed start a new one: leave them out");
      }
      scene = std::move(snapshot.scene);
      *state = std::move(snapshot.state);
    } else {
      scene = readScene(request.what, &ignored);
    }
    for (const std::string& each : ignored) notes.push_back(foreign::shownFile(request.what) + ": ignored " + each);
    if (request.preset) {
      const Scene fresh = Scene::fromPreset(*scene.description, *request.preset);
      scene.preset = fresh.preset;
      scene.parameters = fresh.parameters;
      scene.timeline.tracks = fresh.timeline.tracks;
      scene.frames = fresh.frames;
      scene.steps_per_frame = scene.timeline.track_interval = fresh.steps_per_frame;
    }
  } else {
    const Description& description = simulationById(request.what);
    const std::string first = description.presets.empty() ? "" : description.presets.front().key;
    scene = Scene::fromPreset(description, request.preset.value_or(first));
  }
  applyChanges(request.set, scene.description->id, scene.parameters);
  // A value that is given takes the place of keyframes.
  std::erase_if(scene.timeline.tracks, [&](const Track& track) {
    return std::any_of(request.set.begin(), request.set.end(),
                       [&](const std::string& change) { return change.rfind(track.key + "=", 0) == 0; });
  });
  if (state && *state) {
    ParameterSet changed = (*state)->parameters;
    applyChanges(request.set, scene.description->id, changed);
    if (changed.needsReset((*state)->parameters)) {
      throw UsageError("--set: a snapshot continues from its state; only parameters that apply live can be changed");
    }
    (*state)->parameters = std::move(changed);
  }
  if (request.seed) scene.seed = *request.seed;
  noteIrrelevant(request, scene, notes);
  return scene;
}

compute::DevicePtr openDevice(const DeviceChoice& choice) {
  return compute::Device::open(choice.spec, choice.threads);
}

}  // namespace simscope::cli
