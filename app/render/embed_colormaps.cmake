# cmake -DOUTPUT=file.cpp -DDIRECTORY=assets/colormaps -DNAMES="viridis,magma" -P embed_colormaps.cmake
# Writes a C++ file with the colormaps, in the order of the names.
string(REPLACE "," ";" names "${NAMES}")
set(entries "")
foreach(name ${names})
  file(STRINGS "${DIRECTORY}/${name}.txt" colours REGEX "^[0-9a-f]+$")
  list(LENGTH colours count)
  if(NOT count EQUAL 256)
    message(FATAL_ERROR "assets/colormaps/${name}.txt holds ${count} colours; it must be 256.")
  endif()
  list(TRANSFORM colours PREPEND "0x")
  list(JOIN colours ", " text)
  string(APPEND entries "    {\"${name}\", {${text}}},\n")
endforeach()
list(LENGTH names count)
file(WRITE "${OUTPUT}.new" "// Generated from assets/colormaps/ by app/render/embed_colormaps.cmake.
#include \"app/render/figure/colormap.h\"

namespace simscope::render {

std::span<const EmbeddedColormap> embeddedColormaps() {
  static constexpr EmbeddedColormap maps[${count}] = {
${entries}  };
  return maps;
}

}  // namespace simscope::render
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
