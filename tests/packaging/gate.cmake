# A gate fails without a baseline and says how to store one; then it measures
# both programs: equal ones pass, a slower one does not.
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
  # CMake breaks the lines of its errors, and ctest numbers them.
  string(REGEX REPLACE "\n[0-9]+: " " " output "${output}")
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${name}: expected ${pattern} in\n${output}")
  endif()
endfunction()

expect_gate(same_gate "same_gate: there is no baseline program")
expect_gate(same_gate " --target same_gate_store_baseline")
expect_gate(same_gate "1/1 Test #1: same_gate [.*]+Failed")
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target same_gate_store_baseline
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_gate(same_gate "1/1 Test #1: same_gate [.]+ Passed")
expect_gate(slower_gate "slower_gate: bench_compare ended with 1")
# What is slower does not become the baseline, what is not does.
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target slower_gate_store_baseline
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(code EQUAL 0 OR NOT output MATCHES "does not become the baseline")
  message(FATAL_ERROR "a slower program became the baseline:\n${output}")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target rebuilt_gate_store_baseline
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_gate(same_gate "rounds.*1/1 Test #1: same_gate [.]+ Passed")
