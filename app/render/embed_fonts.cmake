# Sets `simscope_fonts_source` to a C++ file that holds the fonts of fonts-dejavu-core, found where it is built.
set(simscope_fonts_source ${CMAKE_CURRENT_BINARY_DIR}/fonts.cpp)
set(files "")
foreach(name DejaVuSans DejaVuSans-Bold DejaVuSansMono)
  find_file(SIMSCOPE_FONT_${name} ${name}.ttf PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu-sans-fonts
    /usr/share/fonts/dejavu-sans-mono-fonts /usr/share/fonts/dejavu /usr/share/fonts/TTF /usr/local/share/fonts
    NO_DEFAULT_PATH)
  if(NOT SIMSCOPE_FONT_${name})
    message(FATAL_ERROR "${name}.ttf was not found: install fonts-dejavu-core (./dev build does).")
  endif()
  list(APPEND files ${SIMSCOPE_FONT_${name}})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/figure/fonts.cpp.in ${simscope_fonts_source} @ONLY)
set_source_files_properties(${simscope_fonts_source} PROPERTIES OBJECT_DEPENDS "${files}")
# Its assembler directives would be those of other sources, too.
simscope_apart(${simscope_fonts_source})
