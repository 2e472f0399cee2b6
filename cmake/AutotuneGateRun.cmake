# What a gate's test runs; the variables are those autotune_add_gate passes.

cmake_minimum_required(VERSION 3.25)

if(NOT EXISTS ${BASELINE_PROGRAM})
  message(
    FATAL_ERROR
      "${NAME}: there is no baseline program ${BASELINE_PROGRAM}: nothing is "
      "measured, so nothing is proven. Build the version before the change "
      "and store its program: "
      "cmake --build ${BUILD} --target ${NAME}_store_baseline")
endif()

# Flags of the caller's surroundings must not choose what is measured.
foreach(flag FILTER MIN_TIME REPETITIONS OUT OUT_FORMAT FORMAT TIME_UNIT)
  unset(ENV{BENCHMARK_${flag}})
endforeach()
set(options --baseline ${BASELINE_PROGRAM} --contender ${BENCHMARK})
if(BUDGET)
  list(APPEND options --budget ${BUDGET})
endif()
if(POLICY)
  list(APPEND options --policy ${POLICY})
endif()
if(ALLOW_INCONCLUSIVE)
  list(APPEND options --allow-inconclusive)
endif()
string(REPLACE ";" "\\;" arguments "${ARGUMENTS}")
string(REPLACE "\n" ";" arguments "${arguments}")
execute_process(COMMAND ${BENCH_COMPARE} gate run ${options} -- ${arguments}
                RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${NAME}: bench_compare ended with ${code}")
endif()
