// An OpenGL 4.5 core context without a window, through EGL: the device platform where an NVIDIA driver offers it,
// else Mesa's surfaceless platform (software GL included). GlInfo describes any current context.
//
// Owner: the object owns the context; the display stays open. Thread: the thread on which it is current.
// Errors: simscope::Error naming the EGL call, its code, and what to install.
#pragma once

#include <memory>
#include <string>

namespace simscope::render {

struct GlInfo {
  std::string vendor, renderer, version;
};
GlInfo glInfo();      // of the current context
bool glIsSoftware();  // likewise: whether the processor draws (llvmpipe, softpipe)
// Loads the GL functions for the current context; Error where it is older than 4.5 core. A window calls it, too.
void loadGl(void* (*get_proc_address)(const char*));
// Waits until the current context has drawn all that it was given.
void finishDrawing();

// What EGL is there, without a context: of the first of its displays that can be had. Error naming each that cannot.
struct EglInfo {
  std::string display, vendor, version;
};
EglInfo eglInfo();

class HeadlessContext {
 public:
  HeadlessContext();  // made current on the calling thread
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
