#include "app/render/figure/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "app/render/figure/colormap.h"
#include "app/render/figure/limits.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/layers/kinds.h"
#include "sims/compute/error.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

void checkLimits(const std::optional<Limits>& limits, const char* what) {
  if (!limits) return;
  if (!(limits->high > limits->low) || !std::isfinite(limits->high - limits->low)) {
    throw UsageError(
        fmt::format("The limits of the {} are {} to {}: they must be two finite numbers, the lower "
                    "first",
                    what, limits->low, limits->high));
  }
}

void checkCamera(const Camera& camera) {
  const bool placed = std::isfinite(camera.azimuth) && std::isfinite(camera.x) && std::isfinite(camera.y) &&
                      std::isfinite(camera.z) && std::abs(camera.elevation) <= 90;
  if (!placed || !(camera.zoom > 0 && std::isfinite(camera.zoom))) {
    throw UsageError(
        fmt::format("camera: azimuth {}, elevation {}, zoom {}, target {}, {}, {}: all must be finite, the "
                    "elevation from -90 to 90, the zoom above 0",
                    camera.azimuth, camera.elevation, camera.zoom, camera.x, camera.y, camera.z));
  }
}

bool isFollowed(const Frame& frame, std::size_t index) {
  return std::binary_search(frame.followed.begin(), frame.followed.end(), index);
}

// Of a number that is not 0, for a unit that takes a prefix: 5e-7 counts in 10⁻⁹.
int prefixExponent(double number) {
  return 3 * static_cast<int>(std::floor(std::log10(std::abs(number)) / 3 + 1e-9));
}

// Of a parameter that stands: with the digits that were typed, and 500 nm rather than 5e-07.
std::string standingText(const ParameterInfo& info, const Value& value, const std::string& unit) {
  if (!std::holds_alternative<double>(value) || !takesPrefix(unit) || std::get<double>(value) == 0) {
    return shownText(info, value);
  }
  const double number = std::get<double>(value);
  const int exponent = prefixExponent(number);
  if (std::abs(exponent) > 24) return shownText(info, value) + " " + unit;
  return fmt::format("{:.12g} {}", number / std::pow(10, exponent), scaledUnit(unit, exponent));
}

// Of a parameter that keyframes move: with as many digits at every time, so that it does not jump.
std::string movingText(const Value& value, std::string unit) {
  constexpr int kDigits = 3;
  if (!std::holds_alternative<double>(value)) return toText(value) + (unit.empty() ? "" : " " + unit);
  double number = std::get<double>(value);
  if (takesPrefix(unit) && number != 0) {
    // Rounded first: 999.7 mm are 1.00 m.
    const int exponent = prefixExponent(rounded(number, kDigits));
    number /= std::pow(10, exponent);
    unit = scaledUnit(unit, exponent);
  }
  std::string text = fmt::format("{:#.{}g}", number, kDigits);
  if (text.back() == '.') text.pop_back();
  if (text.front() == '-') text.replace(0, 1, "−");
  return unit.empty() ? text : text + " " + unit;
}

// Whether the run is the preset's. What follows keyframes may be anywhere, and what does not matter, too.
bool isPreset(const Description& description, const Preset& preset, const ParameterSet& parameters,
              const Frame& frame) {
  const std::vector<std::size_t> changed = parameters.changed(description.preset(preset.key));
  return std::all_of(changed.begin(), changed.end(),
                     [&](std::size_t index) { return isFollowed(frame, index) || !parameters.matters(index); });
}

// Those of `indices` that matter.
std::vector<std::size_t> relevantOf(std::vector<std::size_t> indices, const ParameterSet& parameters) {
  std::erase_if(indices, [&](std::size_t index) { return !parameters.matters(index); });
  return indices;
}

// The user's choice counts over what matters.
FigureOptions withRelevantTraces(FigureOptions options, const Description& description,
                                 const ParameterSet& parameters) {
  for (const View& view : description.views) {
    const auto hide = [&](const auto& infos) {
      for (const auto& info : infos) {
        if (!info.relevant.holds(parameters)) options.shown.emplace(info.channel, false);
      }
    };
    if (const auto* curves = view.as<CurveView>()) hide(curves->traces);
    hide(pathsOf(view));
  }
  return options;
}

void planTexts(FigurePlan& plan, const Description& description, const ParameterSet& parameters, const Frame& frame,
               const std::string& view_title) {
  plan.title = description.title;
  plan.subtitle = view_title;
  for (const Preset& preset : description.presets) {
    if (isPreset(description, preset, parameters, frame)) {
      plan.subtitle = preset.title;
      break;
    }
  }
  plan.time = plan.clock = clockText(description.clock, frame.time, frame.time_step);
  // Before the time stands what moves with it; below, everything that is not at its default.
  constexpr std::size_t kMostMoving = 2;
  const std::vector<std::size_t> followed = relevantOf(frame.followed, parameters);
  const auto moving = [&](std::size_t index) { return movingText(parameters[index], parameters.unit(index)); };
  for (std::size_t i = std::min(followed.size(), kMostMoving); i-- > 0;) {
    plan.time = parameters.title(followed[i]) + " = " + moving(followed[i]) + "   " + plan.time;
  }
  const std::vector<std::size_t> changed = relevantOf(parameters.changed(), parameters);
  std::vector<std::size_t> told;
  std::set_union(changed.begin(), changed.end(), followed.begin(), followed.end(), std::back_inserter(told));
  for (const std::size_t i : told) {
    const ParameterInfo& info = parameters.infos()[i];
    if (!plan.parameters.empty()) plan.parameters += "   ·   ";
    std::string value = isFollowed(frame, i) ? moving(i) : standingText(info, parameters[i], parameters.unit(i));
    if ((info.kind == Kind::Integer || info.kind == Kind::Real) && value.starts_with('-')) value.replace(0, 1, "−");
    plan.parameters += parameters.title(i) + " = " + value;
  }
  // What has no presets is not known by its parameters.
  const bool known = !description.presets.empty();
  if (plan.parameters.empty() && known) plan.parameters = "all parameters at their defaults";
  plan.equation = description.equationOf(parameters);
}

// Panels are described for figures that are wider than high; in others what is side by side comes one above the other.
Room partOf(const Room& all, Panel share) {
  if (all.height() > all.width()) {
    std::swap(share.left, share.top);
    std::swap(share.width, share.height);
  }
  const double left = all.left + share.left * all.width(), top = all.top + share.top * all.height();
  return {left, top, left + share.width * all.width(), top + share.height * all.height()};
}

// Whether the plots of two panels should begin at the same place: those with labels at their left, one above the other.
bool lineUp(const PanelPlan& a, const PanelPlan& b) {
  const auto labelled = [](const PanelPlan& panel) { return !panel.inSpace() && panel.texts >= Texts::Labels; };
  return labelled(a) && labelled(b) && std::abs(a.room.left - b.room.left) < 1;
}

// What a legend below the caption takes.
double legendLine(const PanelPlan& panel, const Canvas& canvas) {
  return panel.legend_below ? canvas.lineHeight(Font::Normal) + 2 * panel.scale : 0;
}

// Between the figure's title and its last line.
Room roomBetweenTexts(const FigurePlan& plan, const Canvas& canvas) {
  const double w = plan.width, h = plan.height, s = plan.scale;
  if (!plan.texts) return {0, 0, w, h};
  const double pad = Spacing(s).pad;
  return {0, pad * 0.75 + canvas.lineHeight(Font::Title), w, h - (6 * s + canvas.lineHeight(Font::Small) + pad * 0.65)};
}

}  // namespace

Limits withExtent(std::optional<Limits> limits) {
  Limits l = limits.value_or(Limits{0, 1});
  if (!(l.high > l.low)) {
    const double margin = l.low == 0 ? 1 : std::abs(l.low) / 2;
    l = {l.low - margin, l.low + margin};
  }
  return l;
}

AxisTicks ticksOn(const AxisInfo& axis, const Limits& limits, int most) {
  if (!axis.names.empty()) return namedTicks(axis.names, limits.low, limits.high);
  return axis.decades ? decadeTicks(limits.low, limits.high, most) : axisTicks(limits.low, limits.high, most);
}

std::string readingOn(const AxisInfo& axis, double place) {
  if (!axis.names.empty() && place >= 0 && place < static_cast<double>(axis.names.size())) {
    return axis.names[static_cast<std::size_t>(place)];
  }
  return numberText(axis.decades ? std::pow(10, place) : place, 4);
}

std::string axisTitle(const Label& label, const AxisTicks& ticks) {
  const std::string bracket = scaledUnit(label.unit, ticks.exponent);
  if (label.title.empty()) return bracket;
  return bracket.empty() ? label.title : label.title + "  [" + bracket + "]";
}

std::string fittedTitle(const Canvas& canvas, const std::string& title, double width) {
  if (canvas.textWidth(Font::Normal, title) <= width) return title;
  if (const std::size_t words = title.rfind("  ["); words != std::string::npos) {
    const std::string unit = title.substr(words);
    const std::string cut =
        canvas.elided(Font::Normal, title.substr(0, words), width - canvas.textWidth(Font::Normal, unit));
    if (!cut.empty()) return cut + unit;
  }
  return canvas.elided(Font::Normal, title, width);
}

double widest(const Canvas& canvas, const AxisTicks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.labels) width = std::max(width, canvas.textWidth(Font::Small, label));
  return width;
}

double labelRoom(const Canvas& canvas, const AxisTicks& ticks, double scale) {
  return std::ceil(std::max(widest(canvas, ticks), 18 * scale) / (8 * scale)) * 8 * scale;
}

int tickCount(const PanelPlan& panel, double pixels, double each, int most) {
  const int count = std::clamp(static_cast<int>(pixels / each), 2, most);
  // Small panels have theirs closer together: two may be one, which measures nothing.
  return !panel.caption.empty() && pixels >= 1.2 * each ? std::max(count, 3) : count;
}

// Names that have no room are cut.
AxisTicks fittedNames(AxisTicks ticks, const PanelPlan& panel, const Canvas& canvas) {
  const double room = panel.area.width / (panel.area.x.high - panel.area.x.low) - 6 * panel.scale;
  for (std::string& label : ticks.labels) label = canvas.elided(Canvas::Font::Small, label, room);
  return ticks;
}

AxisTicks ticksBelow(const PanelPlan& panel, double each, const Canvas& canvas) {
  const PlotArea& area = panel.area;
  const AxisInfo& axis = xAxisOf(*panel.view);
  if (!axis.names.empty()) return fittedNames(ticksOn(axis, area.x, 0), panel, canvas);
  const int count = tickCount(panel, area.width, each);
  AxisTicks ticks = ticksOn(axis, area.x, count);
  const double apart = ticks.step / (area.x.high - area.x.low) * area.width;
  if (count == 3 && widest(canvas, ticks) + 8 * panel.scale > apart) ticks = ticksOn(axis, area.x, 2);
  // Of the smallest plots even two may meet.
  double free = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ticks.major.size(); ++i) {
    const double middle = (ticks.major[i] - area.x.low) / (area.x.high - area.x.low) * area.width;
    const double half = canvas.textWidth(Font::Small, ticks.labels[i]) / 2;
    if (middle - half < free) {
      ticks.labels[i].clear();
    } else {
      free = middle + half + 3 * panel.scale;
    }
  }
  return ticks;
}

void leaveRoom(AxisTicks& ticks, const Limits& limits, double pixels, const Canvas& canvas) {
  leaveRoom(ticks, pixels, canvas, [&](double value) { return (value - limits.low) / (limits.high - limits.low); });
}

Texts textsFor(const Room& room, double scale) {
  const auto holds = [&](double width, double height) {
    return room.width() >= width * scale && room.height() >= height * scale;
  };
  return holds(250, 160) ? Texts::All : holds(190, 130) ? Texts::Labels : holds(90, 56) ? Texts::Caption : Texts::None;
}

double headRoom(const PanelPlan& panel, const Canvas& canvas) {
  const double s = panel.scale;
  if (!panel.caption.empty()) return 8 * s + canvas.lineHeight(Font::Normal) + 7 * s + legendLine(panel, canvas);
  return panel.legend ? 6 * s + canvas.lineHeight(Font::Normal) + 10 * s : 14 * s;
}

double footRoom(const PanelPlan& panel, const Canvas& canvas) {
  const Spacing d(panel.scale);
  if (panel.texts == Texts::Caption) return d.gap;
  const double labels = d.tick + d.gap + canvas.lineHeight(Font::Small) + d.gap;
  return panel.texts == Texts::All ? labels + canvas.lineHeight(Font::Normal) : labels;
}

std::string shownCaption(const PanelPlan& panel, const Canvas& canvas) {
  return canvas.elided(Font::Normal, panel.caption, panel.room.width() - 1.2 * Spacing(panel.scale).pad);
}

double captionLeft(const PanelPlan& panel, const Canvas& canvas) {
  // At the plot's left edge, or as far before it as its width demands.
  const double right = panel.room.right - 0.6 * Spacing(panel.scale).pad;
  return std::min(panel.area.left, right - canvas.textWidth(Font::Normal, shownCaption(panel, canvas)));
}

double captionTop(const PanelPlan& panel, const Canvas& canvas) {
  if (panel.caption.empty() && panel.overLine()) return std::round(panel.room.top + 6 * panel.scale);
  const double above = (panel.caption.empty() ? 10 : 7) * panel.scale + canvas.lineHeight(Font::Normal);
  return std::round(panel.area.top - above - legendLine(panel, canvas));
}

double legendLeft(const PanelPlan& panel, const Canvas& canvas) {
  if (panel.legend_below) return captionLeft(panel, canvas);
  if (!panel.caption.empty()) {
    const double caption = canvas.textWidth(Font::Normal, shownCaption(panel, canvas));
    return captionLeft(panel, canvas) + caption + 20 * panel.scale;
  }
  return panel.overLine() ? panel.room.left + Spacing(panel.scale).pad : panel.area.left;
}

double legendTop(const PanelPlan& panel, const Canvas& canvas) {
  return std::round(captionTop(panel, canvas) + legendLine(panel, canvas));
}

void captionUnits(PanelPlan& panel, const Label& x, const Label& y) {
  if (panel.texts != Texts::Labels || panel.caption.empty()) return;
  std::vector<std::string> units;
  const auto add = [&](const Label& label, const AxisTicks& ticks) {
    const std::string unit = scaledUnit(label.unit, ticks.exponent);
    if (ticks.exponent != 0 && std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
  };
  add(x, panel.x_ticks);
  add(y, panel.y_ticks);
  if (!units.empty()) panel.caption += fmt::format("  [{}]", fmt::join(units, ", "));
}

void fillRoom(PanelPlan& panel) {
  const Room& room = panel.room;
  const double margin = std::round(std::min(6 * panel.scale, std::min(room.width(), room.height()) / 8));
  panel.area.left = std::round(room.left + margin);
  panel.area.top = std::round(room.top + margin);
  panel.area.width = std::round(room.right - margin) - panel.area.left;
  panel.area.height = std::round(room.bottom - margin) - panel.area.top;
}

std::vector<std::string> neededChannels(const Description& description, const FigureOptions& options) {
  std::vector<std::string> all;
  for (const ShownPanel& panel : description.panelsOf(description.view(options.view))) {
    for (const std::string& key : kindOf(*panel.view).neededChannels(*panel.view, options)) {
      if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
    }
  }
  return all;
}

FigureOptions panelOptions(const FigureOptions& options, std::size_t panel) {
  FigureOptions own = options;
  if (panel == 0) return own;
  own.x = own.y = own.range = std::nullopt;
  own.colormap.clear();
  own.reversed = own.isolines = own.arrows = false;
  own.value_scale.reset();
  own.symmetric.reset();
  return own;
}

void checkOptions(const FigureOptions& options) {
  const auto within = [&](int side) { return side >= kSmallestSide && side <= kLargestSide; };
  if (!within(options.width) || !within(options.height)) {
    throw UsageError(fmt::format("size: {}x{} is out of range; {} to {} pixels each way are possible (nearest: {}x{})",
                                 options.width, options.height, kSmallestSide, kLargestSide,
                                 std::clamp(options.width, kSmallestSide, kLargestSide),
                                 std::clamp(options.height, kSmallestSide, kLargestSide)));
  }
  const int samples = std::min(kMostSupersampling, kLargestDrawn / std::max(options.width, options.height));
  if (options.supersampling < 1 || options.supersampling > samples) {
    throw UsageError(fmt::format(
        "supersampling: {} is out of range; 1 to {} are possible at {}x{} pixels (nearest: {})", options.supersampling,
        samples, options.width, options.height, std::clamp(options.supersampling, 1, samples)));
  }
  const auto require = [](const char* name, double value, double least, double most) {
    if (value >= least && value <= most) return;
    throw UsageError(fmt::format("{}: {} is out of range; {} to {} are possible", name, value, least, most));
  };
  require("scale", options.scale, kSmallestScale, kLargestScale);
  checkLimits(options.x, "x axis");
  checkLimits(options.y, "y axis");
  checkLimits(options.range, "colour range");
  if (options.camera) checkCamera(*options.camera);
  require("exposure", options.exposure, -kMostStops, kMostStops);
  require("point size", options.point_size, kSmallestPoint, kLargestPoint);
  if (!options.colormap.empty()) colormap(options.colormap);
}

double figureScale(const FigureOptions& options) {
  return options.scale * themeColours(options.theme).size;
}

FigurePlan planFigure(const Description& description, const ParameterSet& parameters, const Frame& frame,
                      const FigureOptions& chosen_options, const Canvas& canvas) {
  const FigureOptions options = withRelevantTraces(chosen_options, description, parameters);
  FigurePlan plan;
  plan.width = options.width;
  plan.height = options.height;
  plan.scale = figureScale(options);
  plan.texts = plan.width >= 240 * plan.scale && plan.height >= 180 * plan.scale;
  const View& view = description.view(options.view);
  const std::vector<ShownPanel> shown = description.panelsOf(view);
  planTexts(plan, description, parameters, frame, view.title);
  const Room all = roomBetweenTexts(plan, canvas);
  const bool linked = shown.size() > 1;
  const auto planned = [&](std::size_t index, double margin) {
    PanelPlan panel;
    panel.index = index;
    panel.view = shown[index].view;
    panel.scale = plan.scale;
    panel.lines = themeColours(options.theme).line_width;
    panel.room = partOf(all, shown[index].place);
    panel.margin = margin;
    panel.texts = !plan.texts ? Texts::None : linked ? textsFor(panel.room, panel.scale) : Texts::All;
    if (linked && panel.texts != Texts::None) panel.caption = panel.view->title;
    kindOf(*panel.view).plan(panel, frame, panelOptions(options, index), canvas);
    return panel;
  };
  for (std::size_t i = 0; i < shown.size(); ++i) plan.panels.push_back(planned(i, 0));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    double left = plan.panels[i].area.left;
    for (const PanelPlan& other : plan.panels) {
      if (lineUp(plan.panels[i], other)) left = std::max(left, other.area.left);
    }
    if (left > plan.panels[i].area.left) plan.panels[i] = planned(i, left - plan.panels[i].room.left);
  }
  return plan;
}

}  // namespace simscope::render
