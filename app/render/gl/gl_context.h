// An OpenGL 4.5 core context without a window, through EGL: the device platform if an NVIDIA driver offers it, else
// Mesa's surfaceless platform (including software GL). GlInfo describes any current context.
//
// Owner: the object owns the context; the display stays open. Thread: the thread on which it is current.
// Errors: simscope::Error naming the EGL call, its code, and what to install; OutOfMemory before a driver is loaded.
#pragma once

#include <memory>
#include <string>

namespace simscope::render {

struct GlInfo {
  std::string vendor, renderer, version;
};
GlInfo glInfo();      // of the current context
bool glIsSoftware();  // likewise: whether the CPU draws (llvmpipe, softpipe)
// Loads the GL functions for the current context; Error if it is older than 4.5 core. A window calls it, too.
void loadGl(void* (*get_proc_address)(const char*));
// Waits until the current context has finished drawing.
void finishDrawing();

// The available EGL, without a context: of the first display that opens. Error naming each display that does not.
struct EglInfo {
  std::string display, vendor, version;
};
EglInfo eglInfo();

class HeadlessContext {
 public:
  HeadlessContext();  // makes it current on the calling thread
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
