# A gate is skipped without a baseline, passes on equal times, fails on slower
# ones.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
execute_process(
  COMMAND
    ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja -DHOW=gate
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} OUTPUT_QUIET
                        COMMAND_ERROR_IS_FATAL ANY)

# Runs the gate `name` and expects `pattern` in what ctest says.
function(expect_gate name pattern)
  execute_process(
    COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${FOLDER} -R "^${name}$" -V
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${name}: expected ${pattern} in\n${output}")
  endif()
endfunction()

expect_gate(gate "1/1 Test #1: gate [.]+[*]+Skipped")
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target gate_store_baseline
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_gate(gate "1/1 Test #1: gate [.]+ +Passed")
expect_gate(slower_gate "slower_gate: bench_compare ended with 1")
