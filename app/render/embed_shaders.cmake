# cmake -DOUTPUT=file.cpp -DDIRECTORY=shaders -DFILES="a.vert,b.frag" -P embed_shaders.cmake
# Writes a C++ file with the texts of the shaders, found by name.
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(name ${files})
  file(READ "${DIRECTORY}/${name}" text)
  string(APPEND entries "    {\"${name}\", R\"glsl(${text})glsl\"},\n")
endforeach()
list(LENGTH files count)
file(WRITE "${OUTPUT}.new" "// Generated from shaders/ by app/render/embed_shaders.cmake.
#include <string>
#include <string_view>
#include <utility>

#include \"app/render/gl/shader.h\"
#include \"sims/compute/error.h\"

namespace simscope::render {

std::string_view embeddedShader(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> shaders[${count}] = {
${entries}  };
  for (const auto& [file, text] : shaders) {
    if (file == name) return text;
  }
  throw Error(\"shaders/\" + std::string(name) + \" is not embedded; app/render/CMakeLists.txt lists them.\");
}

}  // namespace simscope::render
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
