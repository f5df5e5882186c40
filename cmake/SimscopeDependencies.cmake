# The system's libraries (Debian packages; ./dev installs them). Targets are named simscope_dep::*.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(glfw3 REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
find_package(Freetype REQUIRED)
pkg_check_modules(FFTW3 REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(FFTW3F REQUIRED IMPORTED_TARGET fftw3f)

function(simscope_dependency name header library package)
  find_path(SIMSCOPE_${name}_INCLUDE ${header} PATH_SUFFIXES imgui stb)
  if(NOT SIMSCOPE_${name}_INCLUDE)
    message(FATAL_ERROR "${header} was not found: install ${package} (./dev build does).")
  endif()
  add_library(simscope_dep_${name} INTERFACE)
  target_include_directories(simscope_dep_${name} SYSTEM INTERFACE ${SIMSCOPE_${name}_INCLUDE})
  if(library)
    find_library(SIMSCOPE_${name}_LIBRARY ${library})
    if(NOT SIMSCOPE_${name}_LIBRARY)
      message(FATAL_ERROR "lib${library} was not found: install ${package} (./dev build does).")
    endif()
    target_link_libraries(simscope_dep_${name} INTERFACE ${SIMSCOPE_${name}_LIBRARY})
  endif()
  add_library(simscope_dep::${name} ALIAS simscope_dep_${name})
endfunction()

simscope_dependency(imgui imgui.h imgui libimgui-dev)
target_link_libraries(simscope_dep_imgui INTERFACE Freetype::Freetype glfw OpenGL::OpenGL ${CMAKE_DL_LIBS})
# Debian's libimgui.a leaves the glyph rasteriser to libstb; elsewhere it is built in.
find_library(SIMSCOPE_STB_LIBRARY stb)
if(SIMSCOPE_STB_LIBRARY)
  target_link_libraries(simscope_dep_imgui INTERFACE ${SIMSCOPE_STB_LIBRARY})
endif()
simscope_dependency(gif gif_lib.h gif libgif-dev)
simscope_dependency(stb stb_image_write.h "" libstb-dev)
simscope_dependency(random123 Random123/philox.h "" librandom123-dev)
simscope_dependency(muparser muParser.h muparser libmuparser-dev)
find_library(SIMSCOPE_FFTW3_THREADS fftw3_threads REQUIRED)
find_library(SIMSCOPE_FFTW3F_THREADS fftw3f_threads REQUIRED)
add_library(simscope_dep_fftw INTERFACE)
target_link_libraries(simscope_dep_fftw INTERFACE ${SIMSCOPE_FFTW3_THREADS} ${SIMSCOPE_FFTW3F_THREADS}
  PkgConfig::FFTW3 PkgConfig::FFTW3F Threads::Threads)
add_library(simscope_dep::fftw ALIAS simscope_dep_fftw)

# OpenGL 4.5 core's loader, generated from the specifications that python3-glad carries.
find_program(SIMSCOPE_GLAD glad HINTS /usr/bin REQUIRED)
set(glad_dir ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMAND ${SIMSCOPE_GLAD} --quiet --reproducible --out-path ${glad_dir} --api gl:core=4.5
    --extensions GL_KHR_debug,GL_EXT_texture_filter_anisotropic c
  COMMENT "Generating the OpenGL loader"
  VERBATIM)
enable_language(C)
add_library(simscope_glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(simscope_glad SYSTEM PUBLIC ${glad_dir}/include)
target_link_libraries(simscope_glad PUBLIC ${CMAKE_DL_LIBS})
add_library(simscope_dep::glad ALIAS simscope_glad)
