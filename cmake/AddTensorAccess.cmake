#===- AddTensorAccess.cmake - how a room becomes a library ----------------===//
#
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//

include(CMakePackageConfigHelpers)

# Compile options of everything but the Python module, which needs exceptions.
set(TENSORACCESS_CXX_FLAGS -fno-exceptions -Wall -Wextra -Wno-unused-parameter
    -Wno-missing-field-initializers -fvisibility-inlines-hidden)

# The precompiled header is built once, by a target of its own, and reused.
if(TENSORACCESS_ENABLE_PCH)
  add_library(TensorAccessPCH OBJECT ${CMAKE_CURRENT_LIST_DIR}/pch.cpp)
  target_compile_options(TensorAccessPCH PRIVATE ${TENSORACCESS_CXX_FLAGS})
  target_precompile_headers(TensorAccessPCH PRIVATE
                            ${CMAKE_CURRENT_LIST_DIR}/pch.h)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(TensorAccessPCH PRIVATE
                           "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()

function(tensoraccess_compile_options target)
  target_compile_options(${target} PRIVATE ${TENSORACCESS_CXX_FLAGS})
  if(TENSORACCESS_ENABLE_PCH)
    target_precompile_headers(${target} REUSE_FROM TensorAccessPCH)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      target_compile_options(${target} PRIVATE
                             "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
endfunction()

# add_tensoraccess_library(TensorAccessCore
#   SRCS a.cpp … [DEPENDS IncGen …] [LINK_LIBS TensorAccess… …])
#
# A static library of one room. It carries libMLIR.so and libLLVM.so along and
# is part of the exported package.
function(add_tensoraccess_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  tensoraccess_compile_options(${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${TENSORACCESS_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${TENSORACCESS_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY TENSORACCESS_LIBS ${name})
  install(TARGETS ${name} EXPORT TensorAccessTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endfunction()

# add_tensoraccess_tool(tensoraccess-opt main.cpp LINK_LIBS …)
function(add_tensoraccess_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tensoraccess_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  install(TARGETS ${name} EXPORT TensorAccessTargets
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endfunction()

# Installs headers, generated headers and the package files that make
# find_package(TensorAccess) work from an installed prefix.
function(tensoraccess_export_package)
  set(dir ${CMAKE_INSTALL_LIBDIR}/cmake/TensorAccess)
  configure_package_config_file(
    ${TENSORACCESS_SOURCE_DIR}/cmake/TensorAccessConfig.cmake.in
    ${TENSORACCESS_BINARY_DIR}/TensorAccessConfig.cmake
    INSTALL_DESTINATION ${dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR)
  write_basic_package_version_file(
    ${TENSORACCESS_BINARY_DIR}/TensorAccessConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(EXPORT TensorAccessTargets NAMESPACE TensorAccess::
          DESTINATION ${dir} COMPONENT development)
  install(FILES ${TENSORACCESS_BINARY_DIR}/TensorAccessConfig.cmake
                ${TENSORACCESS_BINARY_DIR}/TensorAccessConfigVersion.cmake
          DESTINATION ${dir} COMPONENT development)
  foreach(root ${TENSORACCESS_SOURCE_DIR} ${TENSORACCESS_BINARY_DIR})
    install(DIRECTORY ${root}/include/TensorAccess
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
            FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
            PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endfunction()

# add_tensoraccess_unittest(TensorAccessCoreTests SRCS … LINK_LIBS …)
#
# A gtest program under build/bin that ctest runs. TENSORACCESS_TEST_DIR is the
# folder test/, for the files in Cases and Models. As in LLVM, the programs are
# not part of `all`: the target tensoraccess-unittests builds them.
function(add_tensoraccess_unittest name)
  cmake_parse_arguments(ARG "" "" "SRCS;LINK_LIBS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SRCS})
  add_dependencies(tensoraccess-unittests ${name})
  tensoraccess_compile_options(${name})
  target_compile_definitions(${name} PRIVATE
    TENSORACCESS_TEST_DIR="${TENSORACCESS_SOURCE_DIR}/test")
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::GTest
                        GTest::Main MLIR LLVM)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
