#include "tests/soak/hand_actions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include "sims/core/registry.h"

namespace simscope::soak {

namespace {

// What leaves the window, the test's folder, or the session.
bool forbidden(const std::string& control) {
  for (const char* part : {"quit", "file:", "file_up", "file_path", "restore", "folder", "clipboard", "browse"}) {
    if (control.find(part) != std::string::npos) return true;
  }
  return false;
}

struct Place {
  std::string name;
  double x, y;
};

// A place on a control that is seen now; empty: there is none whose name begins so.
Place somewhere(World& w, const std::string& beginning = {}) {
  std::vector<std::pair<std::string, gui::Rect>> found;
  for (const auto& [name, rect] : w.ui.probes) {
    if (!name.starts_with(beginning) || forbidden(name) || rect.width <= 0 || rect.height <= 0) continue;
    found.emplace_back(name, rect);
  }
  const double x = w.random.share(), y = w.random.share();
  const std::size_t which = static_cast<std::size_t>(w.random.bits() >> 1);
  if (found.empty()) return {"", 0, 0};
  const auto& [name, rect] = found[which % found.size()];
  return {name, rect.x + x * rect.width, rect.y + y * rect.height};
}

void click(World& w, double x, double y, int button = GLFW_MOUSE_BUTTON_LEFT) {
  Hand& hand = w.hand;
  w.script.push_back([&hand, x, y] { hand.move(x, y); });
  w.script.push_back([&hand, button] { hand.button(button, true); });
  w.script.push_back([&hand, button] { hand.button(button, false); });
}

void press(World& w, int key, int mods = 0) {
  w.script.push_back([&hand = w.hand, key, mods] { hand.key(key, mods); });
}

std::string clickAnywhere(World& w) {
  const Place place = somewhere(w);
  if (place.name.empty()) return "nothing to click";
  click(w, place.x, place.y, w.random.chance(0.1) ? GLFW_MOUSE_BUTTON_RIGHT : GLFW_MOUSE_BUTTON_LEFT);
  if (w.random.chance(0.15)) click(w, place.x, place.y);
  return place.name;
}

std::string dragAnywhere(World& w) {
  const Place from = somewhere(w), to = somewhere(w);
  if (from.name.empty() || to.name.empty()) return "nothing to drag";
  Hand& hand = w.hand;
  w.script.push_back([&hand, from] { hand.move(from.x, from.y); });
  w.script.push_back([&hand] { hand.button(GLFW_MOUSE_BUTTON_LEFT, true); });
  for (const double share : {0.1, 0.4, 1.0}) {
    w.script.push_back(
        [&hand, from, to, share] { hand.move(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)); });
  }
  w.script.push_back([&hand] { hand.button(GLFW_MOUSE_BUTTON_LEFT, false); });
  return from.name + " to " + to.name;
}

// A tool of the mouse, over the figure.
std::string stroke(World& w) {
  const int tool = w.random.from(0, 4);
  press(w, GLFW_KEY_0 + tool);
  const Place place = somewhere(w, "figure");
  if (place.name.empty()) return "no figure";
  const double reach = 120 * w.random.share(), angle = 2 * std::numbers::pi * w.random.share();
  const int events = w.random.from(1, 12);
  Hand& hand = w.hand;
  w.script.push_back([&hand, place] { hand.move(place.x, place.y); });
  w.script.push_back([&hand] { hand.button(GLFW_MOUSE_BUTTON_LEFT, true); });
  for (int i = 1; i <= events; ++i) {
    const double far = reach * i / events;
    w.script.push_back(
        [&hand, place, far, angle] { hand.move(place.x + far * std::cos(angle), place.y + far * std::sin(angle)); });
  }
  w.script.push_back([&hand] { hand.button(GLFW_MOUSE_BUTTON_LEFT, false); });
  if (w.random.chance(0.3)) press(w, GLFW_KEY_0);
  return fmt::format("tool {}, {} events", tool, events);
}

std::string scroll(World& w) {
  const Place place = somewhere(w, w.random.chance(0.7) ? "figure" : "");
  const double notches = w.random.from(-5, 5);
  Hand& hand = w.hand;
  w.script.push_back([&hand, place] { hand.move(place.x, place.y); });
  w.script.push_back([&hand, notches] { hand.scroll(notches); });
  return fmt::format("{} by {}", place.name, notches);
}

std::string typeValue(World& w) {
  const Place place = somewhere(w, w.random.chance(0.8) ? "value:" : "seed");
  if (place.name.empty()) return "no field";
  const std::string text = typed(w.random);
  click(w, place.x, place.y);
  press(w, GLFW_KEY_A, GLFW_MOD_CONTROL);
  w.script.push_back([&hand = w.hand, text] { hand.type(text); });
  press(w, w.random.of(std::vector{GLFW_KEY_ENTER, GLFW_KEY_ENTER, GLFW_KEY_TAB, GLFW_KEY_ESCAPE}));
  return place.name + " '" + text.substr(0, 20) + "'";
}

std::string palette(World& w) {
  std::vector<std::string> words = {"theme", "scale", "fit", "zzz", "play", "panel", "step", "gallery"};
  for (const Description* each : simulations()) words.push_back(each->title);
  for (const Preset& each : w.session.scene.description->presets) words.push_back(each.title);
  for (const ParameterInfo& each : w.session.scene.parameters.infos()) words.push_back(each.key + " 0.5");
  std::string text = w.random.of(words);
  std::erase_if(text, [](char c) { return c <= 0; });
  press(w, GLFW_KEY_P, GLFW_MOD_CONTROL);
  w.script.push_back([&hand = w.hand, text] { hand.type(text); });
  // The first of what is found might be the end of the program.
  press(w, w.random.chance(0.6) && text != "zzz" ? GLFW_KEY_ENTER : GLFW_KEY_ESCAPE);
  press(w, GLFW_KEY_ESCAPE);
  return text;
}

std::string keys(World& w) {
  struct Stroke {
    int key, mods;
    const char* name;
  };
  constexpr int kControl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT;
  static const std::vector<Stroke> all = {{GLFW_KEY_F1, 0, "F1"},
                                          {GLFW_KEY_F2, 0, "F2"},
                                          {GLFW_KEY_F3, 0, "F3"},
                                          {GLFW_KEY_F5, 0, "F5"},
                                          {GLFW_KEY_F6, 0, "F6"},
                                          {GLFW_KEY_TAB, 0, "Tab"},
                                          {GLFW_KEY_TAB, kShift, "Tab-"},
                                          {GLFW_KEY_TAB, 0, "Tab"},
                                          {GLFW_KEY_ENTER, 0, "Enter"},
                                          {GLFW_KEY_SPACE, 0, "Space"},
                                          {GLFW_KEY_LEFT, 0, "Left"},
                                          {GLFW_KEY_RIGHT, 0, "Right"},
                                          {GLFW_KEY_UP, 0, "Up"},
                                          {GLFW_KEY_DOWN, 0, "Down"},
                                          {GLFW_KEY_PAGE_UP, 0, "PageUp"},
                                          {GLFW_KEY_V, 0, "V"},
                                          {GLFW_KEY_F, 0, "F"},
                                          {GLFW_KEY_P, 0, "P"},
                                          {GLFW_KEY_ESCAPE, 0, "Esc"},
                                          {GLFW_KEY_ESCAPE, 0, "Esc"},
                                          {GLFW_KEY_T, kControl, "Ctrl+T"},
                                          {GLFW_KEY_1, kControl, "Ctrl+1"},
                                          {GLFW_KEY_2, kControl, "Ctrl+2"},
                                          {GLFW_KEY_3, kControl, "Ctrl+3"},
                                          {GLFW_KEY_G, kControl, "Ctrl+G"},
                                          {GLFW_KEY_G, kControl, "Ctrl+G"},
                                          {GLFW_KEY_R, kControl, "Ctrl+R"},
                                          {GLFW_KEY_F, kControl, "Ctrl+F"},
                                          {GLFW_KEY_O, kControl, "Ctrl+O"},
                                          {GLFW_KEY_EQUAL, kControl, "Ctrl+="},
                                          {GLFW_KEY_MINUS, kControl, "Ctrl+-"},
                                          {GLFW_KEY_0, kControl, "Ctrl+0"},
                                          {GLFW_KEY_ENTER, kControl, "Ctrl+Enter"},
                                          {GLFW_KEY_HOME, 0, "Home"},
                                          {GLFW_KEY_END, 0, "End"},
                                          {GLFW_KEY_DELETE, 0, "Delete"}};
  std::string names;
  for (int i = w.random.from(1, 4); i > 0; --i) {
    const Stroke& each = w.random.of(all);
    press(w, each.key, each.mods);
    names += std::string(names.empty() ? "" : " ") + each.name;
  }
  return names;
}

std::string resize(World& w) {
  constexpr std::array<std::array<int, 2>, 9> kSizes = {
      {{640, 480}, {640, 480}, {1, 1}, {1280, 800}, {1000, 700}, {200, 900}, {1440, 120}, {800, 600}, {1440, 900}}};
  const auto [width, height] = kSizes[w.random.below(kSizes.size())];
  const int times = w.random.chance(0.2) ? 3 : 1;
  for (int i = 0; i < times; ++i) {
    w.script.push_back(
        [&hand = w.hand, size = kSizes[w.random.below(kSizes.size())]] { hand.resize(size[0], size[1]); });
  }
  const int last_width = width, last_height = height;
  w.script.push_back([&hand = w.hand, last_width, last_height] { hand.resize(last_width, last_height); });
  return fmt::format("{}x{}", width, height);
}

}  // namespace

std::vector<Action> handActions() {
  return {{"click", 16, clickAnywhere}, {"drag", 5, dragAnywhere}, {"stroke", 8, stroke}, {"scroll", 4, scroll},
          {"typed", 6, typeValue},      {"palette", 3, palette},   {"keys", 10, keys},    {"resize", 5, resize}};
}

}  // namespace simscope::soak
