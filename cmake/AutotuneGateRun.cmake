# What a gate's test runs, and with STORE what stores today's program as the
# baseline; the variables are those autotune_add_gate passes.

cmake_minimum_required(VERSION 3.25)

if(NOT EXISTS ${BASELINE_PROGRAM} AND NOT STORE)
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
if(STORE)
  # What is not proven is no baseline, whatever it is to the test.
  list(APPEND options --on-inconclusive neutral)
elseif(ON_INCONCLUSIVE)
  list(APPEND options --on-inconclusive ${ON_INCONCLUSIVE})
endif()
string(REPLACE ";" "\\;" arguments "${ARGUMENTS}")
string(REPLACE "\n" ";" arguments "${arguments}")
set(code 0)
if(EXISTS ${BASELINE_PROGRAM})
  execute_process(COMMAND ${BENCH_COMPARE} gate run ${options} -- ${arguments}
                  RESULT_VARIABLE code)
endif()
if(STORE AND code EQUAL 0)
  cmake_path(GET BASELINE_PROGRAM PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  file(COPY_FILE ${BENCHMARK} ${BASELINE_PROGRAM})
elseif(STORE)
  message(
    FATAL_ERROR
      "${NAME}: today's program is not proven unharmed (bench_compare ended "
      "with ${code}), so it does not become the baseline. To accept its loss, "
      "remove ${BASELINE_PROGRAM} and store anew")
elseif(NOT code EQUAL 0)
  message(FATAL_ERROR "${NAME}: bench_compare ended with ${code}")
endif()
