// GLSL programs from the files in shaders/, which are embedded in the binary. Debug builds read the source tree
// instead, and again when a file there changes; if a file does not compile, the last good program stays in use.
//
// Owner: the Program owns the GL object. Thread: the GL context's. Errors: simscope::Error with the compiler's log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/render/figure/tile.h"
#include "app/render/gl/gl_objects.h"

namespace simscope::render {

// The embedded text of shaders/<name>; Error if there is none. (Generated at build time.)
std::string_view embeddedShader(std::string_view name);

class Program {
 public:
  struct Stage {
    GLenum kind;               // GL_VERTEX_SHADER, ...
    std::string file;          // below shaders/
    std::string choices = {};  // #define lines inserted before it
  };
  // Every stage is preceded by shaders/common.glsl.
  explicit Program(std::vector<Stage> stages);

  // The GL name; debug builds first look for changed files.
  GLuint get();

 private:
  std::vector<Stage> stages_;
  GlProgram program_;
  std::string seen_;  // the text of all files of the present program, in debug builds
};

// A uniform vec3 of 0xRRGGBB.
void setColour(GLuint program, GLint location, std::uint32_t colour);
// A uniform vec4 of 0xRRGGBB and an opacity.
void setColour(GLuint program, GLint location, std::uint32_t colour, double opacity);
// The uniform `tile` of a program.
void setTile(GLuint program, GLint location, const Tile& tile);

// Runs the compute program in use with this many groups. Its writes wait for every earlier read, also of an earlier
// picture: GL orders shaders' writes only across barriers (OpenGL 4.6, section 7.13.2). `readers`: how the results are
// read, as bits of glMemoryBarrier.
void dispatch(GLuint x, GLuint y, GLbitfield readers);

}  // namespace simscope::render
