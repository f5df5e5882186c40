# A folder that runs at any place: the installed program, and the libraries that are not on every machine.
#
#   cmake -DBUILD=build/package -DFOLDER=simscope-0.2.0-linux-x86_64 -P folder.cmake
#
# Not in the folder: the C library, libstdc++ and libgcc (the drivers of OpenGL load the machine's own, and two versions in
# one process conflict; any machine with this C library has them as new); OpenGL, EGL, X11, xcb and Wayland (they must fit
# the machine's drivers and display); NVIDIA's driver and CUDA's libraries (they must fit the driver, are larger than all
# other libraries together, and are loaded only if there is a GPU).
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER} --strip
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(machines "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|stdc\\+\\+|gcc_s)\\.so"
  "^lib(GL|GLX|EGL|OpenGL|GLdispatch|gbm|drm|xcb|X[A-Za-z0-9]*|wayland-[a-z]*|cuda|nv.*)([.-].*)?\\.so")
# The program loads these by name (sims/compute/lapack.h).
set(loaded "")
foreach(name liblapacke.so.3 libopenblas.so.0)
  file(GLOB places /usr/lib/*-linux-gnu/${name} /usr/lib64/${name} /usr/lib/${name})
  if(NOT places)
    message(FATAL_ERROR "not found on this machine: ${name}")
  endif()
  list(GET places 0 place)
  list(APPEND loaded ${place})
endforeach()
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${FOLDER}/bin/simscope LIBRARIES ${loaded}
  PRE_EXCLUDE_REGEXES ${machines} POST_EXCLUDE_REGEXES "linux-vdso"
  RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing)
if(missing)
  message(FATAL_ERROR "not found on this machine: ${missing}")
endif()
list(APPEND found ${loaded})
list(REMOVE_DUPLICATES found)
find_program(STRIP strip REQUIRED)
find_program(DPKG_QUERY dpkg-query)
list(SORT found)
foreach(library ${found})
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} whole)
  file(INSTALL ${whole} DESTINATION ${FOLDER}/lib)
  get_filename_component(whole_name ${whole} NAME)
  if(NOT whole_name STREQUAL name)
    file(RENAME ${FOLDER}/lib/${whole_name} ${FOLDER}/lib/${name})
  endif()
  execute_process(COMMAND ${STRIP} --strip-unneeded ${FOLDER}/lib/${name} COMMAND_ERROR_IS_FATAL ANY)
  # Its licence, by the package that it came with.
  if(DPKG_QUERY)
    set(package "")
    foreach(path ${whole} ${library})
      string(REGEX REPLACE "^/usr" "" short ${path})
      execute_process(COMMAND ${DPKG_QUERY} -S ${path} ${short} OUTPUT_VARIABLE owner ERROR_QUIET)
      if(NOT package AND owner MATCHES "^([a-z0-9.+-]+)")
        set(package ${CMAKE_MATCH_1})
      endif()
    endforeach()
    if(NOT package OR NOT EXISTS /usr/share/doc/${package}/copyright)
      message(FATAL_ERROR "${library}: no package with a licence has it")
    endif()
    file(REAL_PATH /usr/share/doc/${package}/copyright licence)
    file(INSTALL ${licence} DESTINATION ${FOLDER}/share/doc/simscope/libraries RENAME ${package})
  endif()
endforeach()
