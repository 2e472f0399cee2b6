# Helpers that give every target of ours the same language level, warnings and
# sanitizers, without leaking any of them to users' targets.

include_guard()

function(autotune_configure_target target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  # A parent project's unity build would join files with the same local names.
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion
                         -Wno-sign-conversion -Wnon-virtual-dtor
                         $<$<BOOL:${AUTOTUNE_WARNINGS_AS_ERRORS}>:-Werror>)
  if(AUTOTUNE_BUILD_FUZZERS)
    # Coverage of what is fuzzed, which libFuzzer follows; for all alike, since
    # precompiled headers need equal options.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(AUTOTUNE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# autotune_add_library(NAME SOURCES... LIBRARIES...): one room of the tools half.
function(autotune_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_library(${name} STATIC ${arg_SOURCES})
  autotune_configure_target(${name})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(
    ${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${name} PUBLIC ${arg_LIBRARIES})
  target_precompile_headers(${name} REUSE_FROM autotune_headers)
endfunction()

# autotune_add_test(NAME SOURCES... LIBRARIES...): one gtest program a room; every
# TEST is listed by ctest on its own.
function(autotune_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "TIMEOUT"
                        "SOURCES;LIBRARIES;LABELS")
  if(NOT arg_SERIAL)
    set(arg_SERIAL FALSE)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  autotune_configure_target(${name})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock
                        GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM autotune_test_headers)
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                                  RUN_SERIAL ${arg_SERIAL})
endfunction()
