# The .deb packages install their files and remove every one of them again. As
# root with dpkg itself, into a root of its own; otherwise the contents only.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${code}:\n${output}")
  endif()
endfunction()

# The regular files below ROOT that belong to packages.
function(installed_files root variable)
  file(GLOB_RECURSE files RELATIVE ${root} ${root}/usr/*)
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
set(root ${FOLDER}/root)
file(MAKE_DIRECTORY ${root}/var/lib/dpkg/updates ${root}/var/lib/dpkg/info
     ${root}/var/lib/dpkg/triggers)
file(WRITE ${root}/var/lib/dpkg/status "")
file(WRITE ${root}/var/lib/dpkg/available "")
run(${CPACK} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${FOLDER})
file(GLOB packages ${FOLDER}/*.deb)
list(LENGTH packages count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "expected runtime, dev and tools, got ${packages}")
endif()

execute_process(COMMAND id -u OUTPUT_VARIABLE user
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(user EQUAL 0)
  set(dpkg ${DPKG} --root=${root} --force-depends --log=/dev/null)
  run(${dpkg} --install ${packages})
else()
  foreach(package IN LISTS packages)
    run(dpkg-deb --extract ${package} ${root})
  endforeach()
endif()
foreach(file bin/bench_compare bin/autotune include/autotune/reporter/fact.h
             share/doc/autotune/LICENSE)
  if(NOT EXISTS ${root}/usr/${file})
    message(FATAL_ERROR "no package installs ${file}")
  endif()
endforeach()
if(user EQUAL 0)
  run(${dpkg} --purge autotune-tools autotune-dev autotune-runtime)
  installed_files(${root} left)
  if(left)
    message(FATAL_ERROR "left behind: ${left}")
  endif()
endif()
