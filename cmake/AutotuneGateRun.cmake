# What a gate's test (MODE=check) and its target (MODE=store) run; the variables
# are those autotune_add_gate passes.

cmake_minimum_required(VERSION 3.25)

# Makes VISITS process runs of the benchmark and lists their files in
# `files_variable`.
function(make_visits folder files_variable)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  # Flags of the caller's surroundings must not differ between the sides.
  foreach(flag FILTER MIN_TIME REPETITIONS OUT OUT_FORMAT FORMAT TIME_UNIT)
    unset(ENV{BENCHMARK_${flag}})
  endforeach()
  string(REPLACE ";" "\\;" arguments "${ARGUMENTS}")
  string(REPLACE "\n" ";" arguments "${arguments}")
  set(files)
  foreach(visit RANGE 1 ${VISITS})
    set(file ${folder}/visit-${visit}.json)
    message(STATUS "${NAME}: visit ${visit} of ${VISITS}")
    execute_process(
      COMMAND ${BENCHMARK} ${arguments} --benchmark_out=${file}
              --benchmark_out_format=json
      OUTPUT_VARIABLE output
      ERROR_VARIABLE output
      RESULT_VARIABLE code)
    if(NOT code EQUAL 0 OR NOT EXISTS ${file})
      message(FATAL_ERROR "${BENCHMARK} ended with ${code}:\n${output}")
    endif()
    list(APPEND files ${file})
  endforeach()
  set(${files_variable} ${files} PARENT_SCOPE)
endfunction()

# "--side FILE" for each file, as bench_compare takes several visits a side.
function(side_arguments side files variable)
  set(arguments)
  foreach(file IN LISTS files)
    list(APPEND arguments --${side} ${file})
  endforeach()
  set(${variable} ${arguments} PARENT_SCOPE)
endfunction()

function(check)
  file(GLOB stored ${BASELINE}/*.json)
  if(NOT stored)
    message(
      STATUS
        "autotune gate: skipped: no visits in ${BASELINE}; make them with: "
        "cmake --build ${BUILD} --target ${NAME}_store_baseline")
    return()
  endif()
  make_visits(${FOLDER} visits)
  side_arguments(baseline "${stored}" baseline)
  side_arguments(contender "${visits}" contender)
  set(options --policy-kind gate)
  if(POLICY)
    list(APPEND options --policy ${POLICY})
  endif()
  if(ALLOW_INCONCLUSIVE)
    list(APPEND options --allow-inconclusive)
  endif()
  execute_process(COMMAND ${BENCH_COMPARE} ${options} ${baseline} ${contender}
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${NAME}: bench_compare ended with ${code}")
  endif()
endfunction()

if(MODE STREQUAL "store")
  make_visits(${BASELINE} visits)
  message(STATUS "${NAME}: stored in ${BASELINE}")
else()
  check()
endif()
