# A main compiled against headers of another layout does not link with the
# installed library: the layout is part of the functions' names. INCLUDES and
# LIBRARY are another Google Benchmark's when IS_OTHER; else they are the one the
# package was built with, and its headers are copied with one member more.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# Compiles a main with the headers in `includes` and links it.
function(build includes code_variable error_variable)
  list(TRANSFORM includes PREPEND -I OUTPUT_VARIABLE flags)
  execute_process(
    COMMAND
      ${CMAKE_CXX_COMPILER} -std=c++17 ${SOURCE}/own_main.cc ${flags} -I${PREFIX}/include/autotune -L${PREFIX}/${LIBDIR}
      -lautotune_benchmark_ext -lautotune_reporter ${LIBRARY} -lpthread -o
      ${FOLDER}/bench
    ERROR_VARIABLE error
    RESULT_VARIABLE code)
  set(${code_variable} ${code} PARENT_SCOPE)
  set(${error_variable} "${error}" PARENT_SCOPE)
endfunction()

if(NOT IS_OTHER)
  build("${INCLUDES}" code error)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "does not link with its own headers:\n${error}")
  endif()
  list(GET INCLUDES 0 include)
  file(COPY ${include}/benchmark DESTINATION ${FOLDER}/include)
  file(GLOB headers ${FOLDER}/include/benchmark/*.h)
  foreach(header IN LISTS headers)
    file(READ ${header} text)
    string(REGEX REPLACE "(struct [A-Z_]*[ ]?Run {)"
                         "\\1 char of_another_layout[64];" text "${text}")
    file(WRITE ${header} "${text}")
  endforeach()
  set(INCLUDES ${FOLDER}/include)
endif()

build("${INCLUDES}" code error)
if(code EQUAL 0 OR NOT error MATCHES
                   "undefined reference to .autotune::Initialize")
  message(FATAL_ERROR "expected a link error, got ${code}:\n${error}")
endif()
