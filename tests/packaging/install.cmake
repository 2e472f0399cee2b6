# Installs each component into PREFIX and checks that each has what it should.
cmake_minimum_required(VERSION 3.25)

function(install_component component)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component ${component}
            --prefix ${PREFIX}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${PREFIX}/${file})
      message(FATAL_ERROR "component ${component}: ${file} is missing")
    endif()
  endforeach()
endfunction()

file(REMOVE_RECURSE ${PREFIX})
set(package ${LIBDIR}/cmake/autotune)
set(dev
    include/autotune/benchmark_ext/main.h
    include/autotune/reporter/visit_reporter.h
    ${LIBDIR}/libautotune_benchmark_main.a
    ${LIBDIR}/pkgconfig/autotune.pc
    ${package}/autotuneConfig.cmake
    ${package}/autotuneConfigVersion.cmake
    share/autotune/source/reporter/visit_reporter.cc)
if(HAS_COMPARATOR)
  list(APPEND dev include/autotune/comparator/results/result_file.h
       include/autotune/base/version.h ${package}/autotuneComparatorTargets.cmake)
endif()
install_component(dev ${dev})
install_component(runtime share/doc/autotune/LICENSE
                  share/doc/autotune/architecture.md)
# The comparator's own business is no promise to anybody.
foreach(internal comparator/results/json_scanner.h comparator/judge/tracks.h
                 base/status_macros.h)
  if(EXISTS ${PREFIX}/include/autotune/${internal})
    message(FATAL_ERROR "component dev: ${internal} is internal")
  endif()
endforeach()
if(EXISTS ${PREFIX}/bin)
  message(FATAL_ERROR "programs belong to the component tools alone")
endif()
if(HAS_TOOLS)
  install_component(tools bin/bench_compare share/man/man1/bench_compare.1
                    share/bash-completion/completions/autotune
                    share/zsh/vendor-completions/_autotune
                    share/fish/vendor_completions.d/bench_compare.fish
                    ${package}/autotuneToolsTargets.cmake)
endif()
