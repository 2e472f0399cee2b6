# Runs PROGRAM and checks the visit it writes to RESULT.
cmake_minimum_required(VERSION 3.25)
file(REMOVE ${RESULT})
execute_process(COMMAND ${PROGRAM} --benchmark_out=${RESULT}
                COMMAND_ERROR_IS_FATAL ANY)
file(READ ${RESULT} json)

# expect(VALUE KEY...): what the document has there.
function(expect value)
  string(JSON found GET "${json}" ${ARGN})
  if(NOT found STREQUAL value)
    message(FATAL_ERROR "${ARGN}: expected ${value}, found ${found}")
  endif()
endfunction()

expect(BM_Count/iterations:10 benchmarks 0 name)
expect(ON autotune complete)
expect("${BUILD_TYPE}" autotune environment build_type)
