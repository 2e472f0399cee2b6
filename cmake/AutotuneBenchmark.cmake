# autotune_add_benchmark: a Google Benchmark program that writes visits.
#
#   autotune_add_benchmark(NAME SOURCE... [LIBRARIES TARGET...] [OWN_MAIN])
#
# Adds the executable NAME from its sources, links it to LIBRARIES, to the
# benchmark::benchmark of this build and to our main (OWN_MAIN: the sources have
# a main, which calls autotune::Initialize). Our part is compiled here, against
# the library this build links, so any Google Benchmark from 1.7.1 on will do,
# also one that is built by this project.

include_guard()

# Where our sources are: above this file in a source tree, else as installed.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../reporter/visit_reporter.cc)
  get_filename_component(_autotune_sources ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
else()
  set(_autotune_sources ${_autotune_installed_sources})
endif()
set_property(GLOBAL PROPERTY AUTOTUNE_SOURCES ${_autotune_sources})
unset(_autotune_sources)

function(_autotune_require_benchmark)
  if(NOT TARGET benchmark::benchmark)
    find_package(benchmark REQUIRED)
  endif()
  if(benchmark_VERSION AND benchmark_VERSION VERSION_LESS 1.7.1)
    message(FATAL_ERROR
            "autotune needs Google Benchmark 1.7.1 or newer; this build uses "
            "${benchmark_VERSION}")
  endif()
endfunction()

# The targets of this build that a benchmark links: with a main, and without.
# In our own tree they are built already.
function(_autotune_source_targets main_variable ext_variable)
  if(TARGET autotune_benchmark_main)
    set(${main_variable} autotune_benchmark_main PARENT_SCOPE)
    set(${ext_variable} autotune_benchmark_ext PARENT_SCOPE)
    return()
  endif()
  if(NOT TARGET autotune_from_source)
    get_property(root GLOBAL PROPERTY AUTOTUNE_SOURCES)
    file(GLOB sources ${root}/reporter/*.cc ${root}/benchmark_ext/*.cc)
    list(FILTER sources EXCLUDE REGEX "/benchmark_main\\.cc$")
    add_library(autotune_from_source STATIC EXCLUDE_FROM_ALL ${sources})
    target_compile_features(autotune_from_source PUBLIC cxx_std_17)
    set_target_properties(autotune_from_source PROPERTIES UNITY_BUILD OFF)
    target_include_directories(autotune_from_source SYSTEM PUBLIC ${root})
    target_compile_definitions(autotune_from_source
                               INTERFACE AUTOTUNE_BUILD_TYPE="$<CONFIG>")
    # The project's warnings are about its own code.
    target_compile_options(autotune_from_source PRIVATE -w)
    target_link_libraries(autotune_from_source PUBLIC benchmark::benchmark)
    add_library(autotune_main_from_source INTERFACE)
    target_sources(autotune_main_from_source
                   INTERFACE ${root}/benchmark_ext/benchmark_main.cc)
    target_link_libraries(autotune_main_from_source
                          INTERFACE autotune_from_source)
  endif()
  set(${main_variable} autotune_main_from_source PARENT_SCOPE)
  set(${ext_variable} autotune_from_source PARENT_SCOPE)
endfunction()

function(autotune_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_MAIN" "" "SOURCES;LIBRARIES")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  if(NOT sources)
    message(FATAL_ERROR "autotune_add_benchmark(${name} ...): no sources given")
  endif()
  _autotune_require_benchmark()
  _autotune_source_targets(with_main without_main)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  if(arg_OWN_MAIN)
    target_link_libraries(${name} PRIVATE ${without_main})
  else()
    target_link_libraries(${name} PRIVATE ${with_main})
  endif()
endfunction()
