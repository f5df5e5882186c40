#include "app/gui/panels/figure/view_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/gui/panels/figure/orbit.h"
#include "app/render/figure/colormap.h"
#include "app/render/figure/colour_range.h"
#include "app/render/figure/theme.h"
#include "app/session/shown_view.h"
#include "app/session/tool_views.h"

namespace simscope::gui {

namespace {

constexpr double kStops = 6;
constexpr double kSmallestPoints = 0.1, kLargestPoints = 10;

// One of them in the row, or on a line of its own in the list behind the button.
struct Control {
  float width = 0;
  std::function<void(bool listed)> draw;
};

ImVec4 toColour(render::Colour hex) {
  return {static_cast<float>(hex >> 16 & 255) / 255, static_cast<float>(hex >> 8 & 255) / 255,
          static_cast<float>(hex & 255) / 255, 1};
}

ImVec4 colourOf(const render::ThemeColours& theme, const TraceInfo& trace) {
  render::Colour hex = theme.lines[static_cast<std::size_t>(trace.colour) % render::kLineColours];
  if (trace.style == TraceStyle::PhaseFilled) hex = theme.phase[render::phaseEntry(-2.0)];
  if (trace.style == TraceStyle::Ghost) hex = theme.ghost;
  if (trace.style == TraceStyle::OwnAxis) hex = theme.area_outline;
  return toColour(hex);
}

class Controls {
 public:
  Controls(Session& session, Ui& ui) : session_(session), ui_(ui), options_(session.scene.figure) {}

  void add(const View& view) {
    if (const auto* curves = view.as<CurveView>()) addTraces(*curves);
    if (const auto* field = view.as<FieldView>()) addField(*field);
    if (const auto* points = view.as<PointView>()) addPoints(*points);
    if (const auto* points = view.as<ScatterView>()) addGlow(points->colormap, points->scale);
    addPaths(view);
  }

  void addPaths(const View& view) {
    const render::ThemeColours& theme = render::themeColours(options_.theme);
    for (const PathInfo& path : pathsOf(view)) {
      if (!matters(path)) continue;
      const render::Colour hex =
          path.ghost ? theme.ghost : theme.lines[static_cast<std::size_t>(path.colour) % render::kLineColours];
      addChannel("path:" + path.channel, path.title, toColour(hex), path.channel, path.shown, "");
    }
  }

  void addTraces(const CurveView& view) {
    const render::ThemeColours& theme = render::themeColours(options_.theme);
    for (const TraceInfo& trace : view.traces) {
      if (!matters(trace)) continue;
      const Channel* channel = session_.frame ? session_.frame->find(trace.channel) : nullptr;
      const std::string title = channel ? labelOf(trace, channel->form).title : trace.title;
      addChannel("trace:" + trace.channel, title, colourOf(theme, trace), trace.channel, trace.shown, "");
    }
  }

  // Of the whole figure.
  void addTheme() {
    const std::vector<std::string> names = {"Dark", "Light", "Slides", "Print"};
    addChoice("figure_theme", "Look",
              "The look of the figure: for screens, for projected slides, or for print. Points brighten a dark "
              "background, and darken a bright one. (The button in the corner switches dark and light.)",
              names[static_cast<std::size_t>(options_.theme)], names,
              [this](std::size_t which, const std::string&) { options_.theme = static_cast<render::Theme>(which); });
  }

  const std::vector<Control>& all() const { return all_; }

 private:
  // What does not is not drawn, unless it was asked for.
  template <class Info>
  bool matters(const Info& info) const {
    return info.relevant.holds(session_.scene.parameters) || options_.shown.contains(info.channel);
  }

  void addField(const FieldView& view) {
    const ImVec4& accent = ui_.colours().accent;
    if (view.style == FieldStyle::Scalar) {
      addColormap(view.colormap);
      addToggle("reversed", "Reversed", options_.reversed, "Reverse the colours");
      addToggle("isolines", "Contours", options_.isolines, "Lines of equal value, at the ticks of the colour bar");
    }
    if (!view.arrow_channel.empty()) {
      addToggle("arrows", "Arrows", options_.arrows,
                view.arrow.title.empty() ? std::string("The vector field, as arrows") : view.arrow.title);
    }
    if (!view.overlay_channel.empty()) {
      addChannel("outline", "Outline", accent, view.overlay_channel, true, "The outline of the overlay on the field");
    }
    if (view.style == FieldStyle::Scalar) {
      addRange(view);
      addValueScale(view.scale);
    }
  }

  void addPoints(const PointView& view) {
    addStandpoints();
    if (!view.trail_channel.empty()) {
      addChannel("trails", "Trails", ui_.colours().accent, view.trail_channel, true, "The paths of the bodies so far");
    }
    addGlow(view.colormap, view.scale);
  }

  void addGlow(const std::string& colormap, FieldScale scale) {
    addColormap(colormap);
    addSlider("exposure", "Light", "Brightness, in stops: +1 doubles the light (on bright backgrounds: the darkness)",
              fmt::format("{:+.1f}", options_.exposure), (options_.exposure + kStops) / (2 * kStops), 0.5,
              [this](double place) {
                const double stops = std::round((2 * place - 1) * kStops * 10) / 10;
                options_.exposure = std::abs(stops) < 0.15 ? 0 : stops;
              });
    const double span = std::log(kLargestPoints / kSmallestPoints);
    addSlider("point_size", "Size", "Size of the points; 1 is normal", fmt::format("{:.2g}×", options_.point_size),
              std::log(options_.point_size / kSmallestPoints) / span, 0.5, [this, span](double place) {
                const double size = kSmallestPoints * std::exp(place * span);
                options_.point_size = std::abs(std::log(size)) < 0.06 ? 1 : std::round(size * 100) / 100;
              });
    addToggle("reversed", "Reversed", options_.reversed, "Reverse the colours");
    addValueScale(scale);
  }

  void addStandpoints() {
    float width = 0;
    for (const Standpoint& each : standpoints()) {
      width += (width > 0 ? ui_.px(2) : 0) + iconButtonWidth(ui_, Icon::None, each.title);
    }
    all_.push_back({width, [this](bool) {
                      const Camera camera = options_.camera.value_or(Camera{});
                      for (int i = 0; const Standpoint& each : standpoints()) {
                        if (i > 0) ImGui::SameLine(0, ui_.px(2));
                        const bool here = standpointOf(camera) == i++;
                        const std::string help = std::string(each.help) + "  (V: the next one)";
                        if (iconButton(ui_, (std::string("standpoint:") + each.key).c_str(), Icon::None, each.title,
                                       help.c_str(), here ? Emphasis::Accent : Emphasis::Plain)) {
                          options_.camera = seenFrom(camera, each);
                        }
                      }
                    }});
  }

  void addColormap(const std::string& usual) {
    const std::string present = options_.colormap.empty() ? usual : options_.colormap;
    addChoice("colormap", "Colours", "How values become colours", present, render::colormapNames(),
              [this](std::size_t, const std::string& name) { options_.colormap = name; });
  }

  // Which values the ends of the colours mean, and how those between are spread.
  void addRange(const FieldView& view) {
    const bool symmetric = options_.symmetric.value_or(view.symmetric);
    std::string present = symmetric ? "Symmetric" : "Auto";
    if (options_.range) present = "Fixed";
    const Channel* channel = session_.frame ? session_.frame->find(view.channel) : nullptr;
    std::vector<std::string> choices = {"Auto", "Symmetric"};
    if (channel || options_.range) choices.push_back("Fixed");
    addChoice("range", "Range",
              "The range of the colours: from each frame, symmetric about 0, or fixed at the present one", present,
              choices, [this, view, channel](std::size_t which, const std::string&) {
                if (which == 2) {
                  if (channel && !options_.range) {
                    options_.range = render::colourRange(render::valueScale(view, options_), *channel, {}).limits;
                  }
                  return;
                }
                options_.range.reset();
                options_.symmetric = which == 1;
              });
  }

  void addValueScale(FieldScale usual) {
    const std::vector<std::string> names = {"Linear", "Log", "Gamma"};
    addChoice("value_scale", "Scale", "How values become colours: evenly, by their logarithm, or by their square root",
              names[static_cast<std::size_t>(options_.value_scale.value_or(usual))], names,
              [this](std::size_t which, const std::string&) { options_.value_scale = static_cast<FieldScale>(which); });
  }

  void addChoice(const std::string& id, const char* label, const std::string& help, const std::string& present,
                 const std::vector<std::string>& choices,
                 const std::function<void(std::size_t, const std::string&)>& choose) {
    float width = comboWidth(present.c_str(), label);
    for (const std::string& each : choices) width = std::max(width, comboWidth(each.c_str(), label));
    all_.push_back({width, [this, id, label, help, width, present, choices, choose](bool) {
                      ImGui::SetNextItemWidth(width);
                      const bool open = beginCombo(ui_, ("##" + id).c_str(), label, present.c_str());
                      ui_.mark(id);
                      if (!open) {
                        tooltip(ui_, help);
                        return;
                      }
                      for (std::size_t i = 0; i < choices.size(); ++i) {
                        if (ImGui::Selectable(choices[i].c_str(), choices[i] == present)) choose(i, choices[i]);
                        ui_.mark(id + ":" + choices[i]);
                      }
                      ImGui::EndCombo();
                    }});
  }

  void addToggle(const char* id, const char* label, bool& on, const std::string& help) {
    all_.push_back({chipWidth(ui_, label), [this, id, label, &on, help](bool) {
                      if (chip(ui_, id, label, ui_.colours().accent, on)) on = !on;
                      tooltip(ui_, help);
                    }});
  }

  void addChannel(const std::string& id, const std::string& label, const ImVec4& colour, const std::string& channel,
                  bool usual, const std::string& help) {
    all_.push_back({chipWidth(ui_, label), [this, id, label, colour, channel, usual, help](bool) {
                      const auto chosen = options_.shown.find(channel);
                      const bool shown = chosen == options_.shown.end() ? usual : chosen->second;
                      if (chip(ui_, id.c_str(), label, colour, shown)) options_.shown[channel] = !shown;
                      tooltip(ui_, help);
                    }});
  }

  void addSlider(const char* id, const char* label, const char* help, const std::string& shown, double place,
                 double usual, const std::function<void(double)>& set) {
    all_.push_back({labelledSliderWidth(ui_, label), [this, id, label, help, shown, place, usual, set](bool listed) {
                      double moved = std::clamp(place, 0.0, 1.0);
                      const float column = listed ? ImGui::CalcTextSize("Light").x : 0;
                      if (labelledSlider(ui_, {id, label, help, shown, column}, moved, usual)) set(moved);
                    }});
  }

  Session& session_;
  Ui& ui_;
  render::FigureOptions& options_;
  std::vector<Control> all_;
};

// Which view, where there is a choice.
void drawSelector(Session& session, Ui& ui, float right) {
  const Description& description = *session.scene.description;
  const View& view = description.view(session.scene.figure.view);
  const std::vector<View>& all = description.views;
  ImGui::Dummy({0, ImGui::GetFrameHeight()});
  ImGui::SameLine(0, 0);
  if (all.size() < 2) return;
  float longest = 0;
  for (const View& each : all) longest = std::max(longest, comboWidth(each.title.c_str(), "View"));
  // The name that is shown is not cut where the whole row is wide enough for it.
  const float room = right - ImGui::GetCursorPosX() - iconButtonWidth(ui, Icon::None, "More") - ui.px(6);
  const float present = comboWidth(view.title.c_str(), "View");
  ImGui::SetNextItemWidth(std::min(std::max(std::min(longest, 0.34f * room), present), std::max(room, ui.px(80))));
  const bool open = beginCombo(ui, "##view", "View", view.title.c_str());
  ui.mark("view");
  if (open) {
    for (const View& each : all) {
      if (ImGui::Selectable(each.title.c_str(), each.key == view.key) && each.key != view.key) {
        showView(session, each.key);
      }
      ui.mark("view:" + each.key);
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, "View: " + view.title);
  }
  ImGui::SameLine(0, ui.px(6));
}

void drawRest(Ui& ui, std::span<const Control> rest) {
  if (iconButton(ui, "more_controls", Icon::None, "More", "More settings of this view")) {
    ImGui::OpenPopup("more_controls_list");
  }
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos({low.x, high.y + ui.px(4)});
  if (!ImGui::BeginPopup("more_controls_list")) return;
  ui.popups.push_back("more");
  if (ui.escape) ImGui::CloseCurrentPopup();
  for (const Control& each : rest) each.draw(true);
  ImGui::EndPopup();
}

}  // namespace

void drawViewControls(Session& session, Ui& ui, float right) {
  const Description& description = *session.scene.description;
  drawSelector(session, ui, right);
  Controls controls(session, ui);
  const std::vector<ShownPanel> panels = description.panelsOf(description.view(session.scene.figure.view));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (i == 0) controls.add(*panels[i].view);
    if (const auto* curves = panels[i].view->as<CurveView>(); curves && i > 0) controls.addTraces(*curves);
  }
  controls.addTheme();
  const std::vector<Control>& all = controls.all();
  const float gap = ui.px(6), more = gap + iconButtonWidth(ui, Icon::None, "More");
  float wanted = -gap;
  for (const Control& each : all) wanted += gap + each.width;
  const bool fits = ImGui::GetCursorPosX() + wanted <= right;
  std::size_t drawn = 0;
  for (; drawn < all.size(); ++drawn) {
    if (!fits && ImGui::GetCursorPosX() + all[drawn].width + more > right) break;
    all[drawn].draw(false);
    ImGui::SameLine(0, gap);
  }
  if (drawn < all.size()) {
    drawRest(ui, std::span(all).subspan(drawn));
  } else {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  }
}

}  // namespace simscope::gui
