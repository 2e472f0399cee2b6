# Installation, the CMake package, the pkg-config file and the .deb packages.
#
# Components: `dev` (what users compile and link), `tools` (the two programs),
# `runtime` (licence and documents, which both need).

include_guard()
include(CMakePackageConfigHelpers)

# What autotune_add_benchmark and autotune_add_gate are made of is the same in a
# source tree and in an installed one.
include(AutotuneBenchmark)
include(AutotuneGate)

# The programs go by the names the installed package gives them.
set(_programs)
foreach(_program bench_compare autotune)
  if(TARGET ${_program})
    list(APPEND _programs ${_program})
    add_executable(autotune::${_program} ALIAS ${_program})
  endif()
endforeach()

if(NOT AUTOTUNE_INSTALL)
  return()
endif()

# Manual pages and completions: each program prints its own, from the tables it
# runs by.
set(_share ${PROJECT_BINARY_DIR}/share)
foreach(_program IN LISTS _programs)
  set(_printed ${_share}/${_program}.1)
  set(_commands COMMAND ${_program} manual > ${_share}/${_program}.1)
  foreach(_shell bash zsh fish)
    list(APPEND _printed ${_share}/${_program}.${_shell})
    list(APPEND _commands COMMAND ${_program} completion ${_shell} >
         ${_share}/${_program}.${_shell})
  endforeach()
  add_custom_command(
    OUTPUT ${_printed}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${_share} ${_commands}
    DEPENDS ${_program}
    COMMENT "Manual page and completions of ${_program}")
  add_custom_target(${_program}_share ALL DEPENDS ${_printed})
  install(FILES ${_share}/${_program}.1
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          COMPONENT tools)
  install(FILES ${_share}/${_program}.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${_program}
          COMPONENT tools)
  install(FILES ${_share}/${_program}.zsh
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
          RENAME _${_program}
          COMPONENT tools)
  install(FILES ${_share}/${_program}.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT tools)
endforeach()

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/autotune)
set(_include_dir ${CMAKE_INSTALL_INCLUDEDIR}/autotune)

# --- dev: the part users link
install(
  TARGETS autotune_reporter autotune_benchmark_ext autotune_benchmark_main
  EXPORT autotuneTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  INCLUDES DESTINATION ${_include_dir})
set_target_properties(autotune_reporter PROPERTIES EXPORT_NAME reporter)
set_target_properties(autotune_benchmark_ext PROPERTIES EXPORT_NAME
                                                        benchmark_ext)
set_target_properties(autotune_benchmark_main PROPERTIES EXPORT_NAME
                                                         benchmark_main)
install(TARGETS autotune_prebuilt_main
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(
  EXPORT autotuneTargets
  NAMESPACE autotune::
  DESTINATION ${_package_dir}
  COMPONENT dev)
foreach(_room reporter benchmark_ext)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/${_room}
    DESTINATION ${_include_dir}
    COMPONENT dev
    FILES_MATCHING
    PATTERN *.h)
  # For autotune_add_benchmark.
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/${_room}
    DESTINATION ${AUTOTUNE_SOURCE_DIR}
    COMPONENT dev
    FILES_MATCHING
    PATTERN *.h
    PATTERN *.cc)
endforeach()

# --- dev: the comparator, apart because it needs Abseil
if(TARGET autotune_comparator)
  install(
    TARGETS autotune_base autotune_comparator
    EXPORT autotuneComparatorTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    INCLUDES DESTINATION ${_include_dir})
  set_target_properties(autotune_base PROPERTIES EXPORT_NAME base)
  set_target_properties(autotune_comparator PROPERTIES EXPORT_NAME comparator)
  install(
    EXPORT autotuneComparatorTargets
    NAMESPACE autotune::
    DESTINATION ${_package_dir}
    COMPONENT dev)
  # What users of the library include. Everything else is our own business and
  # not installed, but for what these need to compile.
  set(_public
      comparator/evidence/evidence.h
      comparator/judge/sequential_judge.h
      comparator/policy/policy.h
      comparator/recorded/comparison.h
      comparator/results/result_file.h
      comparator/statistics/descriptive.h
      comparator/statistics/hodges_lehmann.h
      comparator/statistics/mann_whitney.h
      comparator/statistics/multiple_testing.h
      comparator/statistics/online_fdr.h
      comparator/statistics/sequential_guard.h
      comparator/statistics/sequential_test.h)
  while(_public)
    list(POP_FRONT _public _header)
    get_filename_component(_folder ${_header} DIRECTORY)
    install(
      FILES ${PROJECT_SOURCE_DIR}/${_header}
      DESTINATION ${_include_dir}/${_folder}
      COMPONENT dev)
    list(APPEND _installed ${_header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${_header} _lines
         REGEX "^#include \"(base|comparator)/")
    foreach(_line IN LISTS _lines)
      string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" _needed "${_line}")
      if(NOT _needed IN_LIST _installed AND NOT _needed IN_LIST _public)
        list(APPEND _public ${_needed})
      endif()
    endforeach()
  endwhile()
  install(
    FILES ${PROJECT_BINARY_DIR}/generated/base/version.h
    DESTINATION ${_include_dir}/base
    COMPONENT dev)
endif()

# --- tools: the programs
if(_programs)
  install(
    TARGETS ${_programs}
    EXPORT autotuneToolsTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(
    EXPORT autotuneToolsTargets
    NAMESPACE autotune::
    DESTINATION ${_package_dir}
    COMPONENT tools)
endif()

# What the programs read at run time.
if(TARGET autotune)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/recipes ${PROJECT_SOURCE_DIR}/skills
    DESTINATION ${CMAKE_INSTALL_DATADIR}/autotune
    COMPONENT tools)
endif()

# --- dev: how CMake and pkg-config find it
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/autotuneConfig.cmake.in
  ${PROJECT_BINARY_DIR}/autotuneConfig.cmake
  INSTALL_DESTINATION ${_package_dir}
  PATH_VARS AUTOTUNE_SOURCE_DIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/autotuneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/autotuneConfig.cmake
        ${PROJECT_BINARY_DIR}/autotuneConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/cmake/AutotuneBenchmark.cmake
        ${PROJECT_SOURCE_DIR}/cmake/AutotuneGate.cmake
        ${PROJECT_SOURCE_DIR}/cmake/AutotuneGateRun.cmake
  DESTINATION ${_package_dir}
  COMPONENT dev)
configure_file(${PROJECT_SOURCE_DIR}/cmake/autotune.pc.in
               ${PROJECT_BINARY_DIR}/autotune.pc @ONLY)
install(
  FILES ${PROJECT_BINARY_DIR}/autotune.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT dev)

# --- runtime: licence and documents
install(
  FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT runtime)
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/docs/
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT runtime
  FILES_MATCHING
  PATTERN *.md
  PATTERN *.schema.json
  PATTERN docs/autotune EXCLUDE)

include(AutotuneDeb)
