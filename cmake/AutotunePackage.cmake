# Installation and the CMake package; see cmake/autotuneConfig.cmake.in.
include_guard()
