# A main compiled against another Google Benchmark's headers does not link with
# the installed library: the layout is part of the function's name.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(
  COMMAND
    ${CMAKE_CXX_COMPILER} -std=c++17 ${SOURCE}/bench.cc ${SOURCE}/own_main.cc
    -I${OTHER}/include -I${PREFIX}/include/autotune -L${OTHER}/lib
    -L${PREFIX}/${LIBDIR} -lautotune_benchmark_ext -lautotune_reporter
    -lbenchmark -lpthread -o ${FOLDER}/bench
  ERROR_VARIABLE error
  RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT error MATCHES
                   "undefined reference to .autotune::Initialize")
  message(FATAL_ERROR "expected a link error, got ${code}:\n${error}")
endif()
