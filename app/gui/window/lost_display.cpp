#include "app/gui/window/lost_display.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "app/export/unfinished.h"

namespace simscope::gui {
namespace {

std::function<void()>& lastAct() {
  static std::function<void()> act;
  return act;
}

// The types of Xlib's handler, without Xlib's headers.
using Handler = int (*)(void* display);
using SetHandler = Handler (*)(Handler);

// GLFW before 3.4 is linked with Xlib, later versions load it: Xlib is loaded by now if it is used at all.
SetHandler setHandler() {
  void* const xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return xlib ? reinterpret_cast<SetHandler>(dlsym(xlib, "XSetIOErrorHandler")) : nullptr;
}

// Must not return.
int onLost(void*) {
  try {
    if (lastAct()) lastAct()();
  } catch (const std::exception&) {
  }
  exporting::unfinished::abandonAll();
  std::fputs("simscope: the display connection was lost; the next start offers to restore the scene\n", stderr);
  _exit(1);
}

}  // namespace

LostDisplay::LostDisplay(std::function<void()> last) {
  lastAct() = std::move(last);
  if (const SetHandler set = setHandler()) set(onLost);
}

LostDisplay::~LostDisplay() {
  if (const SetHandler set = setHandler()) set(nullptr);  // Xlib's own
  lastAct() = nullptr;
}

}  // namespace simscope::gui
