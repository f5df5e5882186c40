#include "app/render/gl/gl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>

#include "app/render/gl/gl_objects.h"
#include "sims/compute/error.h"
#include "sims/compute/host_info.h"

namespace simscope::render {
namespace {

#ifdef NDEBUG
constexpr bool kDebugContext = false;
#else
constexpr bool kDebugContext = true;
#endif

// The first complaint of the driver since the last checkGl. A callback must not throw through the driver's frames.
thread_local std::string complaint;

void GLAPIENTRY onDebugMessage(GLenum, GLenum type, GLuint, GLenum, GLsizei length, const GLchar* message,
                               const void*) {
  if (type != GL_DEBUG_TYPE_ERROR || !complaint.empty()) return;
  complaint = length < 0 ? std::string(message) : std::string(message, static_cast<std::size_t>(length));
}

const char* glErrorName(GLenum code) {
  switch (code) {
    case GL_INVALID_ENUM:
      return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
      return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
      return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
      return "GL_OUT_OF_MEMORY (a smaller figure needs less)";
    default:
      return "an unknown error";
  }
}

const char* eglErrorName(EGLint code) {
  switch (code) {
    case EGL_NOT_INITIALIZED:
      return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS:
      return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC:
      return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE:
      return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG:
      return "EGL_BAD_CONFIG";
    case EGL_BAD_CONTEXT:
      return "EGL_BAD_CONTEXT";
    case EGL_BAD_DISPLAY:
      return "EGL_BAD_DISPLAY";
    case EGL_BAD_MATCH:
      return "EGL_BAD_MATCH";
    case EGL_BAD_PARAMETER:
      return "EGL_BAD_PARAMETER";
    case EGL_CONTEXT_LOST:
      return "EGL_CONTEXT_LOST";
    default:
      return "no EGL error code";
  }
}

std::string eglFailure(std::string_view call) {
  const EGLint code = eglGetError();
  return fmt::format("{}: {} (0x{:04x})", call, eglErrorName(code), static_cast<unsigned>(code));
}

// Extension names are separated by spaces, and some begin like others: compare whole words.
bool hasExtension(const char* list, std::string_view name) {
  if (!list) return false;
  std::string_view rest(list);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

template <class Function>
Function eglFunction(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

struct Candidate {
  std::string name;
  EGLDisplay display = EGL_NO_DISPLAY;
};

// Where a context may come from, best first: NVIDIA's devices (in CUDA's order, so that interop finds device 0),
// then Mesa without a surface (hardware or software, as it finds), then any other device.
std::vector<Candidate> candidates() {
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto platform_display = eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  const auto query_devices = eglFunction<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto device_string = eglFunction<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const auto device_attribute = eglFunction<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");

  std::vector<std::pair<EGLAttrib, Candidate>> cuda;
  std::vector<Candidate> others;
  if (platform_display && query_devices && hasExtension(client, "EGL_EXT_platform_device")) {
    EGLint count = 0;
    query_devices(0, nullptr, &count);
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0) query_devices(count, devices.data(), &count);
    for (EGLint i = 0; i < count; ++i) {
      EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
      const char* extensions = device_string ? device_string(device, EGL_EXTENSIONS) : nullptr;
      Candidate candidate{fmt::format("EGL device {}", i), platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr)};
      EGLAttrib ordinal = 0;
      if (hasExtension(extensions, "EGL_NV_device_cuda") && device_attribute &&
          device_attribute(device, EGL_CUDA_DEVICE_NV, &ordinal)) {
        candidate.name += fmt::format(" (CUDA device {})", ordinal);
        cuda.emplace_back(ordinal, std::move(candidate));
      } else {
        others.push_back(std::move(candidate));
      }
    }
  }
  std::stable_sort(cuda.begin(), cuda.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<Candidate> all;
  for (auto& [ordinal, candidate] : cuda) all.push_back(std::move(candidate));
  if (platform_display && hasExtension(client, "EGL_MESA_platform_surfaceless")) {
    all.push_back(
        {"Mesa's surfaceless platform", platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)});
  }
  for (auto& candidate : others) all.push_back(std::move(candidate));
  eglGetError();  // a platform that is not there leaves an error behind
  return all;
}

}  // namespace

void checkGl(std::string_view where) {
  std::string text;
  for (GLenum code = glGetError(); code != GL_NO_ERROR; code = glGetError()) {
    if (!text.empty()) text += ", ";
    text += glErrorName(code);
    if (text.size() > 400 || code == GL_CONTEXT_LOST) break;
  }
  const std::string said = std::exchange(complaint, {});
  if (text.empty() && said.empty()) return;
  if (!said.empty()) text += (text.empty() ? "" : ": ") + said;
  throw Error(fmt::format("OpenGL, {}: {} (renderer: {})", where, text, glInfo().renderer));
}

void waitFor(GlSync& fence, std::string_view where) {
  constexpr GLuint64 patience = 60'000'000'000;  // nanoseconds; software renderers on a busy machine are slow, not hung
  const GLenum waited = glClientWaitSync(fence.get(), GL_SYNC_FLUSH_COMMANDS_BIT, patience);
  if (waited != GL_ALREADY_SIGNALED && waited != GL_CONDITION_SATISFIED) {
    checkGl(where);
    throw Error(
        "OpenGL did not finish a picture within a minute; the driver seems to hang. Start again, or render "
        "with LIBGL_ALWAYS_SOFTWARE=1.");
  }
  fence.reset();
}

void finishDrawing() {
  glFinish();
}

GlInfo glInfo() {
  const auto text = [](GLenum name) {
    const auto* value = reinterpret_cast<const char*>(glGetString(name));
    return std::string(value ? value : "unknown");
  };
  return {text(GL_VENDOR), text(GL_RENDERER), text(GL_VERSION)};
}

bool glIsSoftware() {
  const std::string renderer = glInfo().renderer;
  return renderer.find("llvmpipe") != std::string::npos || renderer.find("softpipe") != std::string::npos;
}

void loadGl(void* (*get_proc_address)(const char*)) {
  const auto load = [](void* user, const char* name) {
    const auto get = *static_cast<void* (**)(const char*)>(user);
    return reinterpret_cast<GLADapiproc>(get(name));
  };
  const int version = gladLoadGLUserPtr(load, &get_proc_address);
  if (version == 0) {
    throw Error(
        "OpenGL's functions could not be loaded: no context is current, or the driver is broken. Install "
        "libgl1 and libgl1-mesa-dri, or the driver of the graphics card.");
  }
  if (version < GLAD_MAKE_VERSION(4, 5)) {
    throw Error(
        fmt::format("OpenGL 4.5 is needed, but {} offers only {}.{}. Install a newer driver, or use Mesa's software "
                    "renderer (libgl1-mesa-dri, LIBGL_ALWAYS_SOFTWARE=1).",
                    glInfo().renderer, GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version)));
  }
  if (kDebugContext && GLAD_GL_KHR_debug) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(onDebugMessage, nullptr);
  }
  complaint.clear();
}

EglInfo eglInfo() {
  std::string failures;
  for (const Candidate& candidate : candidates()) {
    if (candidate.display != EGL_NO_DISPLAY && eglInitialize(candidate.display, nullptr, nullptr)) {
      const auto text = [&](EGLint name) {
        const char* const value = eglQueryString(candidate.display, name);
        return std::string(value ? value : "unknown");
      };
      return {candidate.name, text(EGL_VENDOR), text(EGL_VERSION)};
    }
    failures += (failures.empty() ? "" : "; ") + candidate.name + ": " + eglFailure("eglInitialize");
  }
  throw Error(failures.empty() ? "EGL offers neither devices nor Mesa's surfaceless platform: it has no driver"
                               : failures);
}

struct HeadlessContext::Impl {
  // Not ours to terminate: EGL gives one display for equal arguments, and ending it would end every context on it.
  // Initialising it again is free, and the driver stays loaded until the program ends.
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLSurface surface = EGL_NO_SURFACE;
  EGLContext context = EGL_NO_CONTEXT;

  ~Impl() { close(); }

  void close() noexcept {
    if (display == EGL_NO_DISPLAY) return;
    if (eglGetCurrentContext() == context) {
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    if (surface != EGL_NO_SURFACE) eglDestroySurface(display, surface);
    display = EGL_NO_DISPLAY;
    surface = EGL_NO_SURFACE;
    context = EGL_NO_CONTEXT;
  }

  // Empty where a context is current afterwards, else what failed.
  std::string open(const Candidate& candidate) {
    if (candidate.display == EGL_NO_DISPLAY) return "eglGetPlatformDisplayEXT gave no display";
    if (!eglInitialize(candidate.display, nullptr, nullptr)) return eglFailure("eglInitialize");
    display = candidate.display;
    const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (!eglBindAPI(EGL_OPENGL_API)) return eglFailure("eglBindAPI(EGL_OPENGL_API)");

    // A context needs neither a framebuffer format nor a surface, since figures bring their own target.
    const bool surfaceless = hasExtension(extensions, "EGL_KHR_surfaceless_context");
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (!surfaceless || !hasExtension(extensions, "EGL_KHR_no_config_context")) {
      const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaceless ? EGL_DONT_CARE : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                               EGL_OPENGL_BIT, EGL_NONE};
      EGLint found = 0;
      if (!eglChooseConfig(display, wanted, &config, 1, &found) || found < 1) return eglFailure("eglChooseConfig");
    }
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 4,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 5,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 kDebugContext ? EGL_TRUE : EGL_FALSE,
                                 EGL_NONE};
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) return eglFailure("eglCreateContext(OpenGL 4.5 core)");
    if (!surfaceless) {
      const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
      surface = eglCreatePbufferSurface(display, config, size);
      if (surface == EGL_NO_SURFACE) return eglFailure("eglCreatePbufferSurface");
    }
    if (!eglMakeCurrent(display, surface, surface, context)) return eglFailure("eglMakeCurrent");
    return {};
  }
};

HeadlessContext::HeadlessContext() : impl_(std::make_unique<Impl>()) {
  // Mesa with LLVM takes 310 MiB for a picture of 320 × 240 and 340 for one of 960 × 540, and crashes where it finds
  // less.
  constexpr std::size_t kMiB = 384, kDriver = kMiB << 20;
  static std::atomic<bool> loaded{false};
  if (!loaded && !compute::mayTake(kDriver)) {
    throw OutOfMemory(
        fmt::format("drawing needs {} MiB of memory for the OpenGL driver, which this process may not take: "
                    "raise its limit (ulimit -v)",
                    kMiB),
        kDriver);
  }
  loaded = true;
  std::string failures;
  for (const Candidate& candidate : candidates()) {
    std::string failure = impl_->open(candidate);
    if (failure.empty()) {
      try {
        loadGl([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
        return;
      } catch (const Error& error) {
        failure = error.what();
      }
    }
    impl_->close();
    failures += fmt::format("\n  {}: {}", candidate.name, failure);
  }
  if (failures.empty()) failures = "\n  EGL offers neither devices nor Mesa's surfaceless platform: it has no driver.";
  throw Error("No OpenGL 4.5 context could be made without a window:" + failures +
              "\nInstall libegl1 and libgl1-mesa-dri (software rendering works everywhere), or the full NVIDIA "
              "driver with its EGL library (libnvidia-gl, libnvidia-egl).");
}

HeadlessContext::~HeadlessContext() = default;

}  // namespace simscope::render
