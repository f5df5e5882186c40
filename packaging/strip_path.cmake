# CPack runs this before packing: Debian's program finds its libraries in the system's folders.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/bin/simscope)
if(NOT programs)
  message(FATAL_ERROR "no simscope in ${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
endif()
foreach(program ${programs})
  file(RPATH_REMOVE FILE ${program})
endforeach()
