// A hand at the window's mouse and keyboard, in the program's own process: events go where GLFW would bring them, or to
// the X server.
// Thread: the window's. Nothing fails.
#pragma once

#include <string_view>

struct GLFWwindow;

namespace simscope::soak {

class Hand {
 public:
  explicit Hand(GLFWwindow* window) : window_(window) {}

  void move(double x, double y);  // window coordinates
  void button(int button, bool down);
  void focus();
  void scroll(double notches);
  // With Ctrl (GLFW_MOD_CONTROL) and Shift as told, pressed and released.
  void key(int key, int mods = 0);
  void type(std::string_view text);  // ASCII
  void resize(int width, int height);
  int width() const;
  int height() const;
  bool fullScreen() const;

 private:
  void send(int key, int action, int mods);
  GLFWwindow* window_;
};

}  // namespace simscope::soak
