# A program built with nothing but the compiler and pkg-config.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig)
execute_process(
  COMMAND pkg-config --define-variable=prefix=${PREFIX} --cflags --libs
          autotune
  OUTPUT_VARIABLE flags
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 ${SOURCE}/bench.cc -o
                        ${FOLDER}/bench ${flags} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/bench --benchmark_out=${FOLDER}/result.json
                        COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FOLDER}/result.json json)
string(JSON complete GET "${json}" autotune complete)
# A main that came compiled cannot know the program's flags and says nothing.
string(JSON build_type ERROR_VARIABLE unknown GET "${json}" autotune
       environment compiler)
if(NOT complete OR NOT unknown)
  message(FATAL_ERROR "unexpected visit: ${json}")
endif()
