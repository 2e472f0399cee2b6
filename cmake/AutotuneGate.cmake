# autotune_add_gate: a ctest that fails when a benchmark got slower.
#
#   autotune_add_gate(NAME
#     BENCHMARK TARGET             the benchmark program (any Google Benchmark)
#     BASELINE_PROGRAM FILE        the same program before the change
#     [BUDGET DURATION]            longest time to measure, 120s unless given
#     [POLICY FILE]                margins and rules of the gate
#     [ARGS ARGUMENT...]           for both programs, such as a filter
#     [ON_INCONCLUSIVE WORD])      what an undecided measurement comes to: neutral
#                                  and fail fail (exit 3 and 1), warn passes
#
# The test NAME (label "gate", run alone) measures both programs in turns, in
# random order, by `bench_compare gate run`, and fails unless every benchmark is
# proven unharmed. It fails too while FILE is missing: nothing measured is
# nothing proven. The target NAME_store_baseline copies today's program to FILE,
# if that is missing or today's program passes the gate against it: a loss never
# becomes the baseline.
#
#   cmake --build BUILD --target NAME_store_baseline
#
# A program that loads shared libraries of its own build loads today's: build the
# baseline in a folder of its own then, and name its program there.

include_guard()

set_property(GLOBAL PROPERTY AUTOTUNE_GATE_SCRIPT
                             ${CMAKE_CURRENT_LIST_DIR}/AutotuneGateRun.cmake)

function(autotune_add_gate name)
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
                        "BENCHMARK;BASELINE_PROGRAM;BUDGET;POLICY;ON_INCONCLUSIVE"
                        "ARGS")
  foreach(needed BENCHMARK BASELINE_PROGRAM)
    if(NOT arg_${needed})
      message(FATAL_ERROR "autotune_add_gate(${name}): ${needed} is missing")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "autotune_add_gate(${name}): unknown argument "
                        "${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET autotune::bench_compare)
    message(
      FATAL_ERROR
        "autotune_add_gate(${name}): the program bench_compare is not here: "
        "install autotune's component tools, or build with "
        "AUTOTUNE_BUILD_TOOLS=ON")
  endif()
  foreach(path BASELINE_PROGRAM POLICY)
    if(arg_${path})
      cmake_path(ABSOLUTE_PATH arg_${path} BASE_DIRECTORY
                 ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    endif()
  endforeach()
  get_property(script GLOBAL PROPERTY AUTOTUNE_GATE_SCRIPT)
  # Separated by line breaks: an argument may hold anything else.
  list(JOIN arg_ARGS "\n" arguments)
  set(gate
      ${CMAKE_COMMAND} -DNAME=${name} -DBENCHMARK=$<TARGET_FILE:${arg_BENCHMARK}>
      -DBENCH_COMPARE=$<TARGET_FILE:autotune::bench_compare>
      -DBASELINE_PROGRAM=${arg_BASELINE_PROGRAM} -DBUDGET=${arg_BUDGET}
      -DPOLICY=${arg_POLICY} -DON_INCONCLUSIVE=${arg_ON_INCONCLUSIVE}
      -DBUILD=${CMAKE_BINARY_DIR} "-DARGUMENTS=${arguments}")
  add_test(NAME ${name} COMMAND ${gate} -P ${script})
  set_tests_properties(${name} PROPERTIES LABELS gate RUN_SERIAL TRUE)
  add_custom_target(${name}_store_baseline COMMAND ${gate} -DSTORE=ON -P ${script}
                                           VERBATIM USES_TERMINAL)
  add_dependencies(${name}_store_baseline ${arg_BENCHMARK})
endfunction()
