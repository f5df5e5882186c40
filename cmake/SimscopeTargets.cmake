# simscope_library(NAME SOURCES ... DEVICE_SOURCES ...): one target a folder, linked explicitly.
# simscope_test(NAME SOURCES ... LIBRARIES ... [LABELS ...] [PARTS n] [RELEASE|BOTH] [LONG FILTER]): a GoogleTest program.
add_library(simscope_options INTERFACE)
target_compile_options(simscope_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wvla>)
# To GCC 13 and later every function that returns a reference and is given a temporary returns one into it.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(simscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
endif()
target_include_directories(simscope_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(simscope_options INTERFACE SIMSCOPE_HAVE_CUDA=$<BOOL:${SIMSCOPE_HAVE_CUDA}>)
if(SIMSCOPE_WERROR)
  target_compile_options(simscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(SIMSCOPE_PACKAGE)
  # No path of this machine, and no number that is drawn while compiling, is in what is built.
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX,C>:-ffile-prefix-map=${CMAKE_BINARY_DIR}=build;-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffile-prefix-map=${CMAKE_BINARY_DIR}=build;-Xcompiler=-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>")
endif()
if(SIMSCOPE_SANITIZE STREQUAL thread)
  # Needs tests/tsan.supp, which says why. Code that is compiled without it would hide what it does from it.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX,C>:-fsanitize=thread> $<$<COMPILE_LANGUAGE:CXX,C>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=thread)
elseif(SIMSCOPE_SANITIZE)
  # A cast of a number that the type does not hold, NaN among them, is in neither compiler's "undefined".
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX,C>:${sanitizers}>
    $<$<COMPILE_LANGUAGE:CXX,C>:-fno-sanitize-recover=undefined,float-cast-overflow>
    $<$<COMPILE_LANGUAGE:CXX,C>:-fno-omit-frame-pointer>)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(${sanitizers})
endif()

# LLVM's linker takes a fifth of the time where there are as many programs as tests.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld SIMSCOPE_HAVE_LLD)
  if(SIMSCOPE_HAVE_LLD)
    add_link_options($<$<LINK_LANGUAGE:C,CXX>:-fuse-ld=lld>)  # nvcc does not know it
  endif()
endif()

# Compiling a test takes longer than running it.
function(simscope_compile_as_test target)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()
# Where SIMSCOPE_PLAIN is set, no loop takes long: less is optimised there, and compiling takes half the time.
if(SIMSCOPE_SANITIZE AND NOT SIMSCOPE_SANITIZE STREQUAL thread)
  set(simscope_plain plain_)
endif()
function(simscope_compile_plainly target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:$<IF:$<BOOL:${simscope_plain}>,-O0,$<$<CONFIG:Release>:-O1>>>)
endfunction()

# What nearly every source reads anyway, read once for the libraries and once for the tests. Sources include all that they
# need themselves: builds without this show it. GCC's are for tests alone: it loads the whole of one each time, which takes
# longer than what a library's sources include.
if(SIMSCOPE_PRECOMPILE)
  set(kinds "")
  set(headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <memory> <optional> <span> <string> <vector>)
  set(libraries simscope_options)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND headers <condition_variable> <mutex> <thread> <fmt/format.h> <nlohmann/json.hpp>)
    list(APPEND libraries fmt::fmt nlohmann_json::nlohmann_json)
    set(kinds library ${simscope_plain}library)
    if(SIMSCOPE_CCACHE)  # with a time stamp in them no two headers are the same
      add_compile_options("SHELL:$<$<COMPILE_LANGUAGE:CXX>:-Xclang -fno-pch-timestamp>")
    endif()
  endif()
  if(BUILD_TESTING)
    find_package(GTest REQUIRED)
    list(APPEND kinds test ${simscope_plain}test)
  endif()
  list(REMOVE_DUPLICATES kinds)
  foreach(kind ${kinds})  # a compiler refuses headers that were read with other options
    add_library(simscope_precompiled_${kind} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
    target_link_libraries(simscope_precompiled_${kind} PRIVATE ${libraries})
    if(kind MATCHES test)
      target_link_libraries(simscope_precompiled_${kind} PRIVATE GTest::gmock)
      simscope_compile_as_test(simscope_precompiled_${kind})
      target_precompile_headers(simscope_precompiled_${kind} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    endif()
    if(kind MATCHES plain)
      simscope_compile_plainly(simscope_precompiled_${kind})
    endif()
    target_precompile_headers(simscope_precompiled_${kind} PRIVATE ${headers})
  endforeach()
endif()

# Several sources of a target are compiled as one, where SIMSCOPE_UNITE asks for it: the headers are then read once for all
# of them. CMake unites C++ sources without options of their own. simscope_unite_alike unites the others, device code
# among them: those of a target that have the same options.
set(SIMSCOPE_BATCH 24 CACHE STRING "How many sources SIMSCOPE_UNITE compiles as one")
function(simscope_unite target)
  if(SIMSCOPE_UNITE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SIMSCOPE_BATCH})
    # At the end of the folder, where all options of its sources are known.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL simscope_unite_alike ${target})")
  endif()
endfunction()

function(simscope_unite_alike target)
  get_target_property(sources ${target} SOURCES)
  set(kinds "")
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(apart ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(options AND NOT apart)
      get_filename_component(suffix ${source} LAST_EXT)
      string(MD5 kind "${suffix} ${options}")
      list(APPEND kinds ${kind})
      list(APPEND sources_${kind} ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  foreach(kind ${kinds})
    list(GET sources_${kind} 0 first)
    if(sources_${kind} STREQUAL first)
      continue()
    endif()
    get_filename_component(name ${first} NAME)
    set(united ${CMAKE_CURRENT_BINARY_DIR}/united/${target}/${name})
    set(text "")
    foreach(source ${sources_${kind}})
      get_filename_component(source ${source} ABSOLUTE)
      string(APPEND text "#include \"${source}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${united} CONTENT "${text}" @ONLY)
    target_sources(${target} PRIVATE ${united})
    foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS LANGUAGE SKIP_PRECOMPILE_HEADERS)
      get_source_file_property(value ${first} ${property})
      if(value)
        set_source_files_properties(${united} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
    set_source_files_properties(${sources_${kind}} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
endfunction()

# nvcc names what is in unnamed namespaces by a random number and by the whole path of the source: packages, which have the
# same bytes wherever they are built, give it the source's path in the tree.
function(simscope_seed_kernels target)
  if(SIMSCOPE_PACKAGE AND SIMSCOPE_NVCC_SEEDS)
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
      get_source_file_property(language ${source} LANGUAGE)
      if(language STREQUAL CUDA)
        get_filename_component(path ${source} ABSOLUTE)
        string(REPLACE ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/build path ${path})
        file(RELATIVE_PATH seed ${CMAKE_SOURCE_DIR} ${path})
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS
          -frandom-seed=${seed} -Xcudafe=--orig_src_path_name=${seed})
      endif()
    endforeach()
  endif()
endfunction()

# Sources of the current folder that are not united with others: they name other things alike.
function(simscope_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

function(simscope_precompile target kind)
  if(SIMSCOPE_PLAIN)
    simscope_compile_plainly(${target})
    set(kind ${simscope_plain}${kind})
  endif()
  if(TARGET simscope_precompiled_${kind})
    target_precompile_headers(${target} REUSE_FROM simscope_precompiled_${kind})
  endif()
endfunction()

# simscope_source_options(OPTIONS FILES...): compiler options of a library's sources that go beyond the library's own.
function(simscope_source_options options)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# simscope_wide_sources(TARGET OPTIONS FILE [AVX2_ONLY]): a library's kernels, compiled once for each instruction set of
# x86-64 (sims/compute/lanes/instruction_sets.h) with OPTIONS beside those of the set; nothing on other processors.
function(simscope_wide_sources target options file)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    return()
  endif()
  set(avx2 -mavx2 -mfma)
  set(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC 12 warns of its own intrinsics (its bug 105593).
    list(APPEND avx512 -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  set(sets avx2 avx512)
  if("AVX2_ONLY" IN_LIST ARGN)
    set(sets avx2)
  endif()
  string(REGEX REPLACE "\\.cpp$" "" name ${file})
  file(RELATIVE_PATH included ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  foreach(set ${sets})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_${set}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${included}\"\n")
    target_sources(${target} PRIVATE ${source})
    simscope_source_options("${options};${${set}}" ${source})
  endforeach()
endfunction()

function(simscope_device_sources)
  foreach(file ${ARGN})
    if(SIMSCOPE_HAVE_CUDA)
      # nvcc's own front end warns of host code twice; 177: unused in one of two passes; 20012/20014: defaulted __host__.
      set_source_files_properties(${file} PROPERTIES LANGUAGE CUDA
        COMPILE_OPTIONS "-Xcompiler=-Wall,-Wextra,-O3;--expt-relaxed-constexpr")
      if(NOT SIMSCOPE_PACKAGE)
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -lineinfo)  # has whole paths in it
      endif()
      # fmt 9 takes nvcc for a compiler without constexpr, and then cannot check format strings while compiling.
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS FMT_USE_CONSTEXPR=1)
    else()
      set_source_files_properties(${file} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++;-O3;-Wno-pedantic")
    endif()
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS SIMSCOPE_DEVICE_SOURCE=1)
    set_source_files_properties(${file} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

function(simscope_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEVICE_SOURCES" ${ARGN})
  simscope_device_sources(${arg_DEVICE_SOURCES})
  add_library(${name} STATIC ${arg_SOURCES} ${arg_DEVICE_SOURCES})
  target_link_libraries(${name} PRIVATE simscope_options)
  simscope_precompile(${name} library)
  simscope_unite(${name})
  cmake_language(EVAL CODE "cmake_language(DEFER CALL simscope_seed_kernels ${name})")
  if(SIMSCOPE_HAVE_CUDA)
    target_include_directories(${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  endif()
endfunction()

# Which build has a test (SIMSCOPE_TESTS):
#   by default  the sanitized one alone: a gtest program
#   RELEASE     the release build alone: what needs the program, MPI, or an optimised build to come to its end
#   BOTH        both: vector kernels and orders of sums, whose bits optimisation may change; long in the release build
# STARTS TARGETS: programs that it starts.
# LONG FILTER   these cases (a filter of GoogleTest's) take long and rarely fail: ./dev test --long
function(simscope_test name)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(arg "RELEASE;BOTH" "PARTS;LONG;LONG_PARTS" "SOURCES;DEVICE_SOURCES;LIBRARIES;LABELS;DEFINITIONS;STARTS" ${ARGN})
  if(NOT SIMSCOPE_PROGRAM_TESTS AND arg_RELEASE OR NOT SIMSCOPE_UNIT_TESTS AND NOT (arg_RELEASE OR arg_BOTH))
    return()
  endif()
  find_package(GTest REQUIRED)
  simscope_device_sources(${arg_DEVICE_SOURCES})
  add_executable(${name} ${arg_SOURCES} ${arg_DEVICE_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE simscope_options ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SIMSCOPE_SANITIZE=$<BOOL:${SIMSCOPE_SANITIZE}> ${arg_DEFINITIONS})
  if(arg_STARTS)
    add_dependencies(${name} ${arg_STARTS})
  endif()
  simscope_unite(${name})
  simscope_compile_as_test(${name})
  simscope_precompile(${name} test)
  if(SIMSCOPE_HAVE_CUDA)
    target_include_directories(${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  endif()
  # One process for many tests: six thousand starts took as long as the tests.
  if(arg_BOTH AND NOT SIMSCOPE_UNIT_TESTS)
    list(APPEND arg_LABELS long)
  endif()
  if(arg_LONG)
    simscope_test_parts(${name} "${arg_PARTS}" "" "-${arg_LONG}" "${arg_LABELS}")
    simscope_test_parts(${name} "${arg_LONG_PARTS}" ".long" "${arg_LONG}" "${arg_LABELS};long")
  else()
    simscope_test_parts(${name} "${arg_PARTS}" "" "*" "${arg_LABELS}")
  endif()
endfunction()

# The cases of a filter in so many parts, which run side by side. Each writes which tests passed (gtest/*.xml, for ./dev).
function(simscope_test_parts name parts suffix filter labels)
  if(NOT parts)
    set(parts 1)
  endif()
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    set(label ${name}${suffix})
    if(parts GREATER 1)
      set(label ${label}.${part})
    endif()
    add_test(NAME ${label} COMMAND ${name})
    set_tests_properties(${label} PROPERTIES TIMEOUT 1200 LABELS "${labels}" ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part};GTEST_FILTER=${filter};GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/gtest/${label}.xml")
  endforeach()
endfunction()
