#include "tests/soak/hand.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <X11/Xlib.h>

// GLFW/glfw3native.h wants headers of X extensions that nothing here needs.
extern "C" {
Display* glfwGetX11Display(void);
Window glfwGetX11Window(GLFWwindow* window);
}

namespace simscope::soak {

namespace {

// What GLFW calls now: it tells only by being given another.
template <class Set>
auto installed(GLFWwindow* window, const Set& set) {
  const auto callback = set(window, nullptr);
  set(window, callback);
  return callback;
}

}  // namespace

void Hand::move(double x, double y) {
  glfwSetCursorPos(window_, x, y);  // for those who ask where it is
  if (const auto moved = installed(window_, glfwSetCursorPosCallback)) moved(window_, x, y);
}

// By the X server, for Dear ImGui asks GLFW whether a button is still down.
void Hand::button(int button, bool down) {
  Display* const display = glfwGetX11Display();
  XEvent event{};
  event.xbutton.type = down ? ButtonPress : ButtonRelease;
  event.xbutton.display = display;
  event.xbutton.window = glfwGetX11Window(window_);
  event.xbutton.root = DefaultRootWindow(display);
  event.xbutton.same_screen = True;
  double x = 0, y = 0;
  glfwGetCursorPos(window_, &x, &y);
  event.xbutton.x = static_cast<int>(x);
  event.xbutton.y = static_cast<int>(y);
  // X counts the wheel's button before the right one.
  event.xbutton.button = button == GLFW_MOUSE_BUTTON_RIGHT  ? Button3
                         : button == GLFW_MOUSE_BUTTON_LEFT ? Button1
                                                            : Button2;
  XSendEvent(display, event.xbutton.window, True, down ? ButtonPressMask : ButtonReleaseMask, &event);
  XFlush(display);
}

void Hand::focus() {
  glfwFocusWindow(window_);
}

void Hand::scroll(double notches) {
  if (const auto scrolled = installed(window_, glfwSetScrollCallback)) scrolled(window_, 0, notches);
}

void Hand::send(int key, int action, int mods) {
  const auto pressed = installed(window_, glfwSetKeyCallback);
  if (pressed) pressed(window_, key, glfwGetKeyScancode(key), action, mods);
}

void Hand::key(int key, int mods) {
  if (mods & GLFW_MOD_CONTROL) send(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS, mods);
  if (mods & GLFW_MOD_SHIFT) send(GLFW_KEY_LEFT_SHIFT, GLFW_PRESS, mods);
  send(key, GLFW_PRESS, mods);
  send(key, GLFW_RELEASE, mods);
  if (mods & GLFW_MOD_SHIFT) send(GLFW_KEY_LEFT_SHIFT, GLFW_RELEASE, 0);
  if (mods & GLFW_MOD_CONTROL) send(GLFW_KEY_LEFT_CONTROL, GLFW_RELEASE, 0);
}

void Hand::type(std::string_view text) {
  const auto typed = installed(window_, glfwSetCharCallback);
  if (!typed) return;
  for (const char c : text) typed(window_, static_cast<unsigned char>(c));
}

void Hand::resize(int width, int height) {
  glfwSetWindowSize(window_, width, height);
}

int Hand::width() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return width;
}

int Hand::height() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return height;
}

bool Hand::fullScreen() const {
  return glfwGetWindowMonitor(window_) != nullptr;
}

}  // namespace simscope::soak
