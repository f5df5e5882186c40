#include "app/doctor/tried_display.h"

#include <fmt/format.h>

#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace simscope::doctor {
namespace {

std::string& said() {
  static std::string text;
  return text;
}

}  // namespace

TriedDisplay triedDisplay() {
  said().clear();
  const auto former = glfwSetErrorCallback([](int, const char* text) {
    if (said().empty()) said() = text;
  });
  TriedDisplay tried;
  if (!glfwInit()) {
    tried.found = "the display cannot be opened: " + said();
  } else {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    if (GLFWwindow* const window = glfwCreateWindow(64, 64, "simscope", nullptr, nullptr)) {
      glfwMakeContextCurrent(window);
      try {
        render::loadGl([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); });
        tried.works = true;
        tried.found = "a window can be opened, drawn by " + render::glInfo().renderer;
      } catch (const Error& error) {
        tried.found = error.what();
      }
      glfwMakeContextCurrent(nullptr);
      glfwDestroyWindow(window);
    } else {
      tried.found = "no window with OpenGL 4.5 can be opened on it: " + said();
    }
    glfwTerminate();
  }
  glfwSetErrorCallback(former);
  return tried;
}

}  // namespace simscope::doctor
