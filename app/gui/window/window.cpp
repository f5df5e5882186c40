#include "app/gui/window/window.h"

#include <fmt/format.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"

namespace simscope::gui {
namespace {

constexpr double kDoubleClickSeconds = 0.4;
constexpr double kDoubleClickReach = 6;  // at a scale of 1

// GLFW reports through a C callback without a user pointer; all calls come from the main thread.
std::vector<std::string>& errors() {
  static std::vector<std::string> list;
  return list;
}

void onError(int code, const char* text) {
  // Wayland has no window positions; nothing depends on them. Before 3.4 GLFW has no code of its own for that.
  constexpr int kFeatureUnavailable = 0x0001000C;  // GLFW_FEATURE_UNAVAILABLE
  const std::string_view words = text ? text : "";
  const bool not_there = words.starts_with("Wayland: ") && words.ends_with(" not supported");
  if (code == kFeatureUnavailable || (code == GLFW_PLATFORM_ERROR && not_there)) return;
  const std::string message = fmt::format("GLFW: {} (code {:#x})", text ? text : "no description", code);
  if (std::find(errors().begin(), errors().end(), message) == errors().end()) errors().push_back(message);
}

std::string joinedErrors() {
  std::string all;
  for (const std::string& each : Window::takeErrors()) all += (all.empty() ? "" : "; ") + each;
  return all.empty() ? "GLFW reported no reason" : all;
}

float forcedScale() {
  const char* text = std::getenv("SIMSCOPE_SCALE");
  if (!text) return 0;
  const float value = std::strtof(text, nullptr);
  return value >= 0.5f && value <= 4.0f ? value : 0.0f;
}

char letterOf(int key, int scancode) {
  const char* name = glfwGetKeyName(key, scancode);
  if (name && name[0] && !name[1]) {
    if ((name[0] >= 'a' && name[0] <= 'z') || name[0] == ',' || name[0] == '.') return name[0];
    if (name[0] >= 'A' && name[0] <= 'Z') return static_cast<char>(name[0] - 'A' + 'a');
    if (name[0] == '+' || name[0] == '-' || name[0] == '=') return name[0];
  }
  // Layouts without Latin letters: the key's place.
  return key >= GLFW_KEY_A && key <= GLFW_KEY_Z ? static_cast<char>('a' + (key - GLFW_KEY_A)) : '\0';
}

// What this display offers where it is not OpenGL 4.5.
std::string foundOpenGl() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* const any = glfwCreateWindow(64, 64, "simscope", nullptr, nullptr);
  (void)Window::takeErrors();
  if (!any) return "this display has no OpenGL";
  glfwMakeContextCurrent(any);
  using GetString = const unsigned char* (*)(unsigned);
  const auto get = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"));
  const auto text = [&](unsigned name) {
    const auto* value = get ? reinterpret_cast<const char*>(get(name)) : nullptr;
    return std::string(value ? value : "unknown");
  };
  constexpr unsigned kRenderer = 0x1F01, kVersion = 0x1F02;  // GL_RENDERER, GL_VERSION
  const std::string found = fmt::format("found OpenGL {} on {}", text(kVersion), text(kRenderer));
  glfwMakeContextCurrent(nullptr);
  glfwDestroyWindow(any);
  return found;
}

struct Library {
  Library() {
    errors().clear();
    glfwSetErrorCallback(onError);
    if (!glfwInit()) {
      throw Error(
          fmt::format("no display is available ({}). Without a display, 'simscope render SIM --out FILE.gif' draws the "
                      "same figure into a file, and 'simscope run SIM --steps N' computes without figures.",
                      joinedErrors()));
    }
  }
  ~Library() {
    if (owned) glfwTerminate();
  }
  bool owned = true;
};

}  // namespace

struct Window::Callbacks {
  static Window& of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }
  static void touch(GLFWwindow* window) { of(window).last_event_ = glfwGetTime(); }

  static void onKey(GLFWwindow* handle, int key, int scancode, int action, int mods) {
    touch(handle);
    Window& w = of(handle);
    if (action != GLFW_RELEASE) {
      w.keys_.push_back({key, letterOf(key, scancode), (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0,
                         action == GLFW_REPEAT});
    }
    if (key == GLFW_KEY_TAB && !w.tab_completes_)
      return;  // Focus goes from control to control; Dear ImGui goes between fields alone
    // Before 1.87 Dear ImGui knows how keys stand, not what came of them: one that is let go in the frame of its press
    // would not have been pressed. Since then it has all in their order, and Backspace twice in a frame is two.
    constexpr bool kHolds = IMGUI_VERSION_NUM < 18700;
    w.pressed_ = w.pressed_ || action == GLFW_PRESS;
    if (kHolds && action == GLFW_RELEASE && w.pressed_) {
      w.released_.push_back({key, scancode, mods});
    } else {
      w.forward_(handle, key, scancode, action, mods);
    }
  }

  static void onButton(GLFWwindow* handle, int button, int action, int) {
    touch(handle);
    Window& w = of(handle);
    if (button != GLFW_MOUSE_BUTTON_LEFT || action != GLFW_PRESS) return;
    Press press{glfwGetTime()};
    glfwGetCursorPos(handle, &press.x, &press.y);
    const Press last = std::exchange(w.last_press_, press);
    const bool near = std::hypot(press.x - last.x, press.y - last.y) < kDoubleClickReach * w.scale();
    if (last.time >= 0 && press.time - last.time < kDoubleClickSeconds && near) {
      w.double_clicked_ = true;
      w.last_press_ = {};  // a third press begins anew
    }
  }

  static void install(GLFWwindow* window) {
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { touch(w); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { touch(w); });
    glfwSetMouseButtonCallback(window, onButton);
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { touch(w); });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { touch(w); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { touch(w); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { touch(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { touch(w); });
    glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { touch(w); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float x, float) {
      touch(w);
      of(w).content_scale_.setMonitor(x);
    });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
      touch(w);
      for (int i = 0; i < count; ++i) of(w).dropped_.emplace_back(paths[i]);
    });
  }
};

Window::Window(const std::string& title, const Opening& opening) {
  constexpr float kWidth = 1440, kHeight = 900;
  Library library;
  const float forced = forcedScale();
  float monitor_scale = 1;
  int area_width = 0, area_height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    float y = 1;
    glfwGetMonitorContentScale(monitor, &monitor_scale, &y);
    glfwGetMonitorWorkarea(monitor, nullptr, nullptr, &area_width, &area_height);
  }
  const float size_scale = forced > 0 ? forced : std::max(monitor_scale, 1.0f);
  const bool sized = opening.width > 0 && opening.height > 0;
  int wanted_width = sized ? opening.width : static_cast<int>(std::lround(kWidth * size_scale));
  int wanted_height = sized ? opening.height : static_cast<int>(std::lround(kHeight * size_scale));
  if (area_width > 0) wanted_width = std::min(wanted_width, area_width);
  if (area_height > 0) wanted_height = std::min(wanted_height, area_height);

  glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
  // By this name desktops find its icon (packaging/simscope.desktop).
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "simscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "simscope");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "simscope");
#endif
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_MAXIMIZED, opening.maximised ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(wanted_width, wanted_height, title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string why = joinedErrors();
    throw Error(fmt::format(
        "no window with OpenGL 4.5 core could be opened: {} ({}). Update the graphics driver, set "
        "LIBGL_ALWAYS_SOFTWARE=1 for software drawing (package libgl1-mesa-dri), or use 'simscope render SIM "
        "--out FILE.gif'.",
        foundOpenGl(), why));
  }
  try {
    glfwSetWindowUserPointer(window_, this);
    glfwSetWindowSizeLimits(window_, std::min(wanted_width, 640), std::min(wanted_height, 400), GLFW_DONT_CARE,
                            GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    render::loadGl([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); });
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    content_scale_ = ContentScale(forced, x);
    Callbacks::install(window_);
    last_event_ = glfwGetTime();
  } catch (...) {
    glfwDestroyWindow(window_);
    throw;
  }
  library.owned = false;
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::shouldClose() const {
  return glfwWindowShouldClose(window_) != 0;
}
void Window::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void Window::wait(double seconds) {
  if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
}

void Window::forwardKeys(KeyForward forward) {
  forward_ = forward;
  glfwSetKeyCallback(window_, Callbacks::onKey);
}

void Window::releaseKeys() {
  pressed_ = false;
  for (const HeldKey& stroke : std::exchange(released_, {})) {
    forward_(window_, stroke.key, stroke.scancode, GLFW_RELEASE, stroke.mods);
  }
}

void Window::present() {
  glfwSwapBuffers(window_);
}

float Window::pixelRatio() const {
  const auto size = [this] {
    WindowSize extent;
    glfwGetWindowSize(window_, &extent.width, &extent.height);
    return extent;
  };
  const WindowSize before = size();
  const Rectangle pixels = framebuffer();
  if (const auto ratio = pixelRatioOf(before, {pixels.width, pixels.height}, size())) pixel_ratio_ = *ratio;
  return pixel_ratio_;
}

bool Window::maximised() const {
  return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
}

bool Window::visible() const {
  const Rectangle pixels = framebuffer();
  return pixels.width > 0 && pixels.height > 0 && glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == 0;
}

void Window::setFullScreen(bool on) {
  if (on == full_screen_) return;
  if (!on) {
    full_screen_ = false;
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width, windowed_.height, GLFW_DONT_CARE);
    return;
  }
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  const Rectangle here = place();
  GLFWmonitor* best = nullptr;
  long most = -1;
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0;
    glfwGetMonitorPos(monitors[i], &x, &y);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (!mode) continue;
    const long across = std::min(here.x + here.width, x + mode->width) - std::max(here.x, x);
    const long down = std::min(here.y + here.height, y + mode->height) - std::max(here.y, y);
    const long shared = std::max(across, 0L) * std::max(down, 0L);
    if (shared > most) {
      most = shared;
      best = monitors[i];
    }
  }
  const GLFWvidmode* mode = best ? glfwGetVideoMode(best) : nullptr;
  if (!mode) return;
  windowed_ = here;
  full_screen_ = true;
  glfwSetWindowMonitor(window_, best, 0, 0, mode->width, mode->height, mode->refreshRate);
}

Window::Rectangle Window::place() const {
  Rectangle r;
  glfwGetWindowPos(window_, &r.x, &r.y);
  glfwGetWindowSize(window_, &r.width, &r.height);
  return r;
}

Window::Rectangle Window::framebuffer() const {
  Rectangle r;
  glfwGetFramebufferSize(window_, &r.width, &r.height);
  return r;
}

double Window::now() const {
  return glfwGetTime();
}
std::vector<Key> Window::takeKeys(Typed typed) {
  const auto ends = [&](const Key& each) {
    const bool entered = each.key == GLFW_KEY_ENTER || each.key == GLFW_KEY_KP_ENTER || each.key == GLFW_KEY_ESCAPE;
    return each.key == GLFW_KEY_TAB ? typed.waits || typed.comes : entered && typed.waits;
  };
  std::vector<Key> taken = std::exchange(keys_, {});
  const auto first = std::find_if(taken.begin(), taken.end(), ends);
  keys_.assign(first, taken.end());
  taken.erase(first, taken.end());
  return taken;
}
bool Window::takeDoubleClick() {
  return std::exchange(double_clicked_, false);
}
std::vector<std::filesystem::path> Window::takeDroppedFiles() {
  return std::exchange(dropped_, {});
}
std::vector<std::string> Window::takeErrors() {
  return std::exchange(errors(), {});
}

}  // namespace simscope::gui
