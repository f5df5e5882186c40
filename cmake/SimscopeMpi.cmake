# Decides whether runs on several machines are built (SIMSCOPE_HAVE_MPI): a module that the program loads when it was
# started by mpirun or srun, so that other users do not need MPI's libraries.
set(SIMSCOPE_HAVE_MPI OFF)
if(NOT SIMSCOPE_MPI STREQUAL OFF)
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(SIMSCOPE_HAVE_MPI ON)
    message(STATUS "simscope: ranks by MPI ${MPI_C_VERSION}")
  elseif(SIMSCOPE_MPI STREQUAL ON)
    message(FATAL_ERROR "SIMSCOPE_MPI is ON, but no MPI was found: install libopenmpi-dev and openmpi-bin, or choose "
      "SIMSCOPE_MPI=OFF.")
  endif()
endif()
