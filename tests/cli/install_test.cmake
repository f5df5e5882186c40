# The installed program runs from any folder, and its example scenes lie where they belong.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --config ${CONFIG}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cmake --install ended with ${status}:\n${output}")
endif()
file(MAKE_DIRECTORY ${PREFIX}/elsewhere)
execute_process(COMMAND ${PREFIX}/bin/simscope list WORKING_DIRECTORY ${PREFIX}/elsewhere
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT status EQUAL 0 OR NOT output MATCHES "tunneling")
  message(FATAL_ERROR "the installed program's list ended with ${status}:\n${output}\n${errors}")
endif()
execute_process(
  COMMAND ${PREFIX}/bin/simscope run ${PREFIX}/share/simscope/scenes/over_barrier.json --steps 1 --device cpu --report -
  WORKING_DIRECTORY ${PREFIX}/elsewhere RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the installed program could not run an installed scene (${status}):\n${errors}")
endif()
string(JSON steps GET "${output}" steps)
if(NOT steps EQUAL 1)
  message(FATAL_ERROR "one step was asked for, ${steps} reported")
endif()
# The Python package finds the program that was installed with it.
if(EXISTS /usr/bin/python3)
  set(script "import simscope; print(simscope.find_program(), simscope.program_version() == simscope.__version__)")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=SIMSCOPE PATH=/nowhere PYTHONDONTWRITEBYTECODE=1
    PYTHONPATH=${PREFIX}/share/simscope/python /usr/bin/python3 -c "${script}"
    WORKING_DIRECTORY ${PREFIX}/elsewhere RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT output STREQUAL "${PREFIX}/bin/simscope True\n")
    message(FATAL_ERROR "the installed package did not find the program (${status}):\n${output}\n${errors}")
  endif()
endif()
file(REMOVE_RECURSE ${PREFIX})
