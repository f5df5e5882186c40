// The program's window: GLFW, an OpenGL 4.5 core context, input events, and the monitor's content scale.
//
// Owner: the GLFW library and the one window. Thread: the main thread, on which the context is current.
// Errors: simscope::Error if there is no display or no OpenGL 4.5; later GLFW errors are collected and returned by
// takeErrors().
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/window/content_scale.h"

struct GLFWwindow;

namespace simscope::gui {

struct Key {
  int key = 0;  // GLFW_KEY_*
  // 'a' to 'z', '+', '-', '=', comma, or full stop, as the user's keyboard layout prints it; 0 for other keys.
  char letter = 0;
  bool control = false;
  bool shift = false;
  bool repeated = false;  // the key is held down
};

class Window {
 public:
  // The initial size: width × height in window coordinates, else (0) 1440 × 900 at a content scale of 1; limited to the
  // monitor.
  struct Opening {
    int width = 0, height = 0;
    bool maximised = false;
  };
  Window(const std::string& title, const Opening& opening);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const noexcept { return window_; }
  bool shouldClose() const;
  void close();
  // Handles pending events; waits up to `seconds` for one.
  void wait(double seconds);
  void present();

  // Sends key events on to `forward` (Dear ImGui's backend) from now on. After a key press, releases are held back
  // until releaseKeys(), called at the end of each frame: Dear ImGui before 1.87 reads the keys once a frame and would
  // miss a shorter key stroke, or see it without its Ctrl.
  using KeyForward = void (*)(GLFWwindow*, int key, int scancode, int action, int mods);
  void forwardKeys(KeyForward forward);
  void releaseKeys();

  // Whether Tab completes the text in a field; elsewhere Tab moves to the next control.
  void setTabCompletes(bool completes) noexcept { tab_completes_ = completes; }
  // The size of text and controls in window coordinates relative to 100 %, and framebuffer pixels per window coordinate
  // (1 on X11; the last value while the window changes its size).
  float scale() const { return content_scale_.scale(pixelRatio()); }
  float pixelRatio() const;
  // The user's own scale, 0.5 to 4; 0: SIMSCOPE_SCALE, or the monitor's.
  void setScale(float scale) noexcept { content_scale_.choose(scale); }
  // Whether the environment sets the scale (SIMSCOPE_SCALE).
  bool scaleIsForced() const noexcept { return content_scale_.isForced(); }

  // Full screen on the monitor that shows most of the window; afterwards its place and size are restored.
  void setFullScreen(bool on);
  bool fullScreen() const noexcept { return full_screen_; }
  bool maximised() const;
  // Whether any part of it is visible: it is not minimised, and has pixels.
  bool visible() const;
  struct Rectangle {
    int x = 0, y = 0, width = 0, height = 0;
  };
  Rectangle place() const;        // on the screen
  Rectangle framebuffer() const;  // pixels

  double now() const;  // seconds
  double lastEvent() const noexcept { return last_event_; }
  // The text typed before a key that ends typing, as seen from the frame being drawn.
  struct Typed {
    bool waits = false;  // Dear ImGui has not received all of it: the key, and what follows, comes with a later call
    bool comes =
        false;  // a field takes some in this frame: Tab, which Dear ImGui does not know of, comes with the next
  };
  std::vector<Key> takeKeys(Typed typed);
  bool keysWait() const noexcept { return !keys_.empty(); }
  // Whether the left button was pressed twice at one place since the last call. Dear ImGui checks once a frame, and
  // takes two presses in a slow frame for one.
  bool takeDoubleClick();
  std::vector<std::filesystem::path> takeDroppedFiles();
  static std::vector<std::string> takeErrors();

 private:
  struct Callbacks;
  GLFWwindow* window_ = nullptr;
  double last_event_ = 0;
  ContentScale content_scale_;
  mutable float pixel_ratio_ = 1;  // the last known value
  bool full_screen_ = false;
  bool tab_completes_ = false;
  Rectangle windowed_;  // before full screen
  std::vector<Key> keys_;
  bool double_clicked_ = false;
  struct Press {
    double time = -1, x = 0, y = 0;
  };
  Press last_press_;  // of the left button
  KeyForward forward_ = nullptr;
  struct HeldKey {
    int key, scancode, mods;
  };
  bool pressed_ = false;           // any key, since the last frame
  std::vector<HeldKey> released_;  // since then, held back
  std::vector<std::filesystem::path> dropped_;
};

}  // namespace simscope::gui
