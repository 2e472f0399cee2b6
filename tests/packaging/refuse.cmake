# Configuring the consumer with OPTIONS fails since the Google Benchmark there is
# none the package was BUILT_WITH: it FOUND another. The message says both and
# the way out.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
separate_arguments(OPTIONS UNIX_COMMAND "${OPTIONS}")
execute_process(
  COMMAND
    ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX}
    ${OPTIONS}
  OUTPUT_VARIABLE output
  ERROR_VARIABLE error
  RESULT_VARIABLE code)
if(code EQUAL 0)
  message(FATAL_ERROR "configuring succeeded:\n${output}")
endif()
# CMake folds the message at its own width.
string(REGEX REPLACE "[ \n]+" " " error "${error}")
string(
  CONCAT
    expected
    "this autotune was built with Google Benchmark ${BUILT_WITH}, but the one "
    "here ${FOUND}: objects of different versions crash in one "
    "program. Way out: find_package(autotune COMPONENTS source) and "
    "autotune_add_benchmark(), which compiles our part with yours.")
string(FIND "${error}" "${expected}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "expected\n${expected}\nin\n${error}")
endif()
