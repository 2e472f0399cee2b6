# autotune_add_gate: a ctest that fails when a benchmark got slower.
#
#   autotune_add_gate(NAME
#     BENCHMARK TARGET             the benchmark program (any Google Benchmark)
#     BASELINE FOLDER              stored visits, in the source tree
#     [VISITS N]                   process runs a side, 10 unless given
#     [POLICY FILE]                margins and rules of the gate
#     [ARGS ARGUMENT...]           for the benchmark program, such as a filter
#     [ALLOW_INCONCLUSIVE])        an undecided comparison passes
#
# The test NAME (label "gate", run alone) makes N visits and compares them with
# the stored ones by `bench_compare --policy-kind gate`. It is skipped while
# FOLDER has no visits. The target NAME_store_baseline makes and stores them:
#
#   cmake --build BUILD --target NAME_store_baseline

include_guard()

set_property(GLOBAL PROPERTY AUTOTUNE_GATE_SCRIPT
                             ${CMAKE_CURRENT_LIST_DIR}/AutotuneGateRun.cmake)

function(autotune_add_gate name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALLOW_INCONCLUSIVE"
                        "BENCHMARK;BASELINE;VISITS;POLICY" "ARGS")
  foreach(needed BENCHMARK BASELINE)
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
  if(NOT arg_VISITS)
    set(arg_VISITS 10)
  endif()
  foreach(path BASELINE POLICY)
    if(arg_${path})
      cmake_path(ABSOLUTE_PATH arg_${path} BASE_DIRECTORY
                 ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    endif()
  endforeach()
  get_property(script GLOBAL PROPERTY AUTOTUNE_GATE_SCRIPT)
  # Separated by line breaks: an argument may hold anything else.
  list(JOIN arg_ARGS "\n" arguments)
  set(command
      ${CMAKE_COMMAND}
      -DNAME=${name}
      -DBENCHMARK=$<TARGET_FILE:${arg_BENCHMARK}>
      -DBENCH_COMPARE=$<TARGET_FILE:autotune::bench_compare>
      -DBASELINE=${arg_BASELINE}
      -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/${name}.visits
      -DVISITS=${arg_VISITS}
      -DPOLICY=${arg_POLICY}
      -DALLOW_INCONCLUSIVE=${arg_ALLOW_INCONCLUSIVE}
      -DBUILD=${CMAKE_BINARY_DIR}
      -DARGUMENTS=${arguments})
  add_test(NAME ${name} COMMAND ${command} -DMODE=check -P ${script})
  set_tests_properties(
    ${name} PROPERTIES LABELS gate RUN_SERIAL TRUE SKIP_REGULAR_EXPRESSION
                                                   "autotune gate: skipped")
  add_custom_target(
    ${name}_store_baseline
    COMMAND ${command} -DMODE=store -P ${script}
    DEPENDS ${arg_BENCHMARK}
    USES_TERMINAL VERBATIM)
endfunction()
