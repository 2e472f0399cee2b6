# One source compiled three ways: with sections TIMED, with sections DISABLED
# and WITHOUT any. The last two are the same instructions and symbols; the first
# is not, or this test would show nothing.
cmake_minimum_required(VERSION 3.25)

# The disassembly and the symbols of an object file without its name.
function(contents file variable)
  execute_process(COMMAND ${OBJDUMP} -d -r -t ${file} OUTPUT_VARIABLE text
                          COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "${file}" "FILE" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

contents(${TIMED} on)
contents(${DISABLED} off)
contents(${WITHOUT} without)
if(NOT off STREQUAL without)
  message(FATAL_ERROR "disabled sections leave something:\n${off}\n"
                      "without sections:\n${without}")
endif()
if(on STREQUAL without OR NOT on MATCHES "thread_sections")
  message(FATAL_ERROR "sections that are on leave nothing:\n${on}")
endif()
