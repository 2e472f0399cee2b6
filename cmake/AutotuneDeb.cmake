# CPack: one .deb a component, autotune-runtime, autotune-dev, autotune-tools.

include_guard()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME autotune)
set(CPACK_PACKAGE_CONTACT "The autotune authors <autotune@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime dev tools)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENT_DEV_DEPENDS runtime)
set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Licence and documents of autotune")
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Drop-in main, reporter and comparator: headers, libraries, CMake package")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
    "The programs bench_compare and autotune")
# Compiled against the headers of this very version.
string(REGEX MATCH "^[0-9]+\\.[0-9]+\\.[0-9]+" _version "${benchmark_VERSION}")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libbenchmark-dev (>= ${_version}), libbenchmark-dev (<< ${_version}.1~)")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS libabsl-dev)
# The programs' shared libraries, where the means to find their packages exist.
find_program(AUTOTUNE_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(AUTOTUNE_SHLIBDEPS)
if(AUTOTUNE_SHLIBDEPS)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
endif()

include(CPack)
