# CPack runs it before it packs: Debian's program finds its libraries where the system has them.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/bin/simscope)
if(NOT programs)
  message(FATAL_ERROR "no simscope in ${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
endif()
foreach(program ${programs})
  file(RPATH_REMOVE FILE ${program})
endforeach()
