#===- AddTensorAccess.cmake - how a room becomes a library ----------------===//
#
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//

include(CMakePackageConfigHelpers)

# What LLVM turns off for g++, too: guesses about memory that are wrong where
# LLVM's headers are inlined, and about `return std::move(error)` of an
# llvm::Error as an llvm::Expected, which C++17 wants. Vectors that inlined
# functions return have no ABI to tell of.
set(TENSORACCESS_WARNINGS -Wall)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND TENSORACCESS_WARNINGS -Wno-array-bounds -Wno-class-memaccess
       -Wno-dangling-reference -Wno-maybe-uninitialized -Wno-nonnull
       -Wno-psabi -Wno-redundant-move -Wno-stringop-overread)
endif()

# Compile options of everything but the Python module, which needs exceptions.
set(TENSORACCESS_CXX_FLAGS -fno-exceptions ${TENSORACCESS_WARNINGS} -Wextra
    -Wno-unused-parameter -Wno-missing-field-initializers
    -fvisibility-inlines-hidden)
# g++ optimises LLVM's containers by types that their storage is not read with:
# elements that an llvm::Expected moved into an llvm::SmallVector were freed.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND TENSORACCESS_CXX_FLAGS -fno-strict-aliasing)
endif()

# Compile options of the tests: what they do themselves is checking.
set(TENSORACCESS_TEST_FLAGS -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU) # gtest's macros are an if with an else
  list(APPEND TENSORACCESS_TEST_FLAGS -Wno-dangling-else)
endif()

set(TENSORACCESS_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# tensoraccess_add_pch(TensorAccessPCH pch.h [flags …])
#
# A precompiled header is built once, by a target of its own, and reused.
function(tensoraccess_add_pch name header)
  if(NOT TENSORACCESS_ENABLE_PCH)
    return()
  endif()
  add_library(${name} OBJECT ${TENSORACCESS_CMAKE_DIR}/pch.cpp)
  target_compile_options(${name} PRIVATE ${TENSORACCESS_CXX_FLAGS} ${ARGN})
  target_precompile_headers(${name} PRIVATE ${TENSORACCESS_CMAKE_DIR}/${header})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# Where a header of ours is in it, the generated ones must be there first.
tensoraccess_add_pch(TensorAccessPCH pch.h)
if(dialect IN_LIST TENSORACCESS_BUILT_WINGS)
  tensoraccess_add_pch(TensorAccessIRPCH pch-ir.h)
endif()
if(TARGET TensorAccessIRPCH)
  add_dependencies(TensorAccessIRPCH TensorAccessIRIncGen
                   TensorAccessInterfacesIncGen)
endif()

# tensoraccess_compile_options(target [PCH] [flags …])
#
# The options of a room, with the precompiled header of the target PCH (default:
# TensorAccessPCH), which was made with the same flags.
function(tensoraccess_compile_options target)
  set(pch TensorAccessPCH)
  if(ARGN)
    list(POP_FRONT ARGN pch)
  endif()
  target_compile_options(${target} PRIVATE ${TENSORACCESS_CXX_FLAGS} ${ARGN})
  if(TENSORACCESS_ENABLE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${pch})
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      target_compile_options(${target} PRIVATE
                             "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
endfunction()

# add_tensoraccess_library(TensorAccessCore WING kit [ABOVE_IR | WITHOUT_MLIR]
#   SRCS a.cpp … [FLAGS -f…] [DEPENDS IncGen …] [LINK_LIBS TensorAccess… …])
#
# A static library: the sources of one room, in folders, that belong to one wing
# (Wings.cmake). It carries libMLIR.so and libLLVM.so along and is part of the
# exported package. A library ABOVE_IR sees none of our ops.
function(add_tensoraccess_library name)
  cmake_parse_arguments(ARG "ABOVE_IR;WITHOUT_MLIR" "WING"
                        "SRCS;FLAGS;DEPENDS;LINK_LIBS" ${ARGN})
  if(NOT ARG_WING IN_LIST TENSORACCESS_ALL_WINGS)
    message(FATAL_ERROR "${name}: no wing '${ARG_WING}'")
  endif()
  if(NOT ARG_WING IN_LIST TENSORACCESS_BUILT_WINGS)
    return()
  endif()
  add_library(${name} STATIC ${ARG_SRCS})
  if(ARG_WITHOUT_MLIR)
    target_compile_options(${name} PRIVATE ${TENSORACCESS_CXX_FLAGS})
  elseif(ARG_ABOVE_IR)
    tensoraccess_compile_options(${name})
  else()
    tensoraccess_compile_options(${name} TensorAccessIRPCH)
  endif()
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${TENSORACCESS_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${TENSORACCESS_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # What is private is named by its floor: "Form/FormFacts.h".
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${ARG_FLAGS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_WITHOUT_MLIR)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(tensoraccess-${ARG_WING} INTERFACE ${name})
  add_dependencies(install-${ARG_WING} ${name})
  set_property(GLOBAL APPEND PROPERTY TENSORACCESS_LIBS ${name})
  set_property(GLOBAL APPEND_STRING PROPERTY TENSORACCESS_WINGS_OF_LIBS
               "library ${name} ${ARG_WING}\n")
  install(TARGETS ${name} EXPORT TensorAccess-${ARG_WING}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${ARG_WING})
endfunction()

# tensoraccess_compile_rules(TensorAccessRules A.pdll …)
#
# Compiles rules to PDL, each to a literal of C++ `A.pdl.inc` in the binary
# directory. Locations are the names of the files.
function(tensoraccess_compile_rules name)
  find_program(TENSORACCESS_MLIR_PDLL mlir-pdll HINTS ${LLVM_TOOLS_BINARY_DIR}
               REQUIRED)
  set(outputs "")
  foreach(file ${ARGN})
    get_filename_component(base ${file} NAME_WE)
    set(pdl ${CMAKE_CURRENT_BINARY_DIR}/${base}.pdl.mlir)
    set(literal ${CMAKE_CURRENT_BINARY_DIR}/${base}.pdl.inc)
    add_custom_command(OUTPUT ${literal} BYPRODUCTS ${pdl}
      COMMAND ${CMAKE_COMMAND} -DCOMPILER=${TENSORACCESS_MLIR_PDLL}
              -DINPUT=${CMAKE_CURRENT_SOURCE_DIR}/${file}
              -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/rules -DOUTPUT=${pdl}
              -P ${TENSORACCESS_CMAKE_DIR}/CompileRules.cmake
      COMMAND ${CMAKE_COMMAND} -DINPUT=${pdl} -DOUTPUT=${literal}
              -P ${TENSORACCESS_CMAKE_DIR}/EmbedText.cmake
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file}
              ${TENSORACCESS_CMAKE_DIR}/CompileRules.cmake
              ${TENSORACCESS_CMAKE_DIR}/EmbedText.cmake
      COMMENT "Compiling rules ${file}")
    list(APPEND outputs ${literal})
  endforeach()
  add_custom_target(${name} DEPENDS ${outputs})
endfunction()

# add_tensoraccess_tool(tensoraccess-opt [WITHOUT_MANUAL] main.cpp LINK_LIBS …)
#
# A tool, its manual page, which it writes itself, and what completes its command
# line in bash; where the wings are built that it links.
function(add_tensoraccess_tool name)
  cmake_parse_arguments(ARG "WITHOUT_MANUAL" "" "LINK_LIBS" ${ARGN})
  foreach(library ${ARG_LINK_LIBS})
    if(NOT TARGET ${library})
      return()
    endif()
  endforeach()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tensoraccess_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  install(TARGETS ${name}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(FILES ${TENSORACCESS_SOURCE_DIR}/tools/completion/tensoraccess.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${name} COMPONENT tools)
  if(ARG_WITHOUT_MANUAL OR TENSORACCESS_ENABLE_SANITIZERS
     OR TENSORACCESS_ENABLE_TSAN)
    return()
  endif()
  set(folder ${TENSORACCESS_BINARY_DIR}/share/man/man1)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${name}.1
    COMMAND ${name} --help-man > ${folder}/${name}.1
    DEPENDS ${name} VERBATIM COMMENT "Writing the manual of ${name}")
  add_custom_target(${name}-manual ALL DEPENDS ${folder}/${name}.1)
  install(FILES ${folder}/${name}.1
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
endfunction()

# Installs the package files that make find_package(TensorAccess COMPONENTS ops) work:
# from an installed prefix, and from the build tree, where they lie in
# lib/cmake/TensorAccess, too.
function(tensoraccess_export_package)
  set(template ${TENSORACCESS_SOURCE_DIR}/cmake/TensorAccessConfig.cmake.in)
  set(dir ${CMAKE_INSTALL_LIBDIR}/cmake/TensorAccess)
  set(installed ${TENSORACCESS_BINARY_DIR}/CMakeFiles/TensorAccess)
  set(built ${TENSORACCESS_BINARY_DIR}/lib/cmake/TensorAccess)
  set(LINKS "")
  foreach(wing ${TENSORACCESS_ALL_WINGS})
    string(APPEND LINKS
           "set(TensorAccess_${wing}_LINKS \"${TENSORACCESS_${wing}_LINKS}\")\n")
  endforeach()
  set(INCLUDE_DIRS ${CMAKE_INSTALL_INCLUDEDIR})
  set(TOOLS_DIR ${CMAKE_INSTALL_BINDIR})
  configure_package_config_file(${template}
    ${installed}/TensorAccessConfig.cmake INSTALL_DESTINATION ${dir}
    PATH_VARS INCLUDE_DIRS TOOLS_DIR)
  set(INCLUDE_DIRS ${TENSORACCESS_SOURCE_DIR}/include
                   ${TENSORACCESS_BINARY_DIR}/include)
  set(TOOLS_DIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  configure_package_config_file(${template}
    ${built}/TensorAccessConfig.cmake INSTALL_DESTINATION ${built}
    INSTALL_PREFIX ${TENSORACCESS_BINARY_DIR} PATH_VARS INCLUDE_DIRS TOOLS_DIR)
  # Those of wings that an earlier configuration built.
  file(GLOB stale ${built}/TensorAccess-*.cmake)
  if(stale)
    file(REMOVE ${stale})
  endif()
  foreach(wing ${TENSORACCESS_BUILT_WINGS})
    install(EXPORT TensorAccess-${wing} NAMESPACE TensorAccess::
            DESTINATION ${dir} COMPONENT ${wing})
    export(EXPORT TensorAccess-${wing} NAMESPACE TensorAccess::
           FILE ${built}/TensorAccess-${wing}.cmake)
  endforeach()
  write_basic_package_version_file(${built}/TensorAccessConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${installed}/TensorAccessConfig.cmake
                ${built}/TensorAccessConfigVersion.cmake
          DESTINATION ${dir} COMPONENT package)

  # For test/wings.py: what links what, and where headers and libraries belong.
  get_property(libraries GLOBAL PROPERTY TENSORACCESS_WINGS_OF_LIBS)
  get_property(headers GLOBAL PROPERTY TENSORACCESS_WINGS_OF_HEADERS)
  set(text "")
  foreach(wing ${TENSORACCESS_ALL_WINGS})
    list(JOIN TENSORACCESS_${wing}_LINKS " " links)
    string(APPEND text "wing ${wing} ${links}\n")
  endforeach()
  file(WRITE ${TENSORACCESS_BINARY_DIR}/wings.txt
       "${text}${libraries}${headers}")
endfunction()

# add_tensoraccess_nightly_test(NAME COMMAND …)
#
# A test that takes many minutes, with the label `nightly`: only `scripts/test
# --nightly` runs it, and `ctest -C Nightly`.
function(add_tensoraccess_nightly_test name)
  add_test(NAME ${name} CONFIGURATIONS Nightly COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS nightly TIMEOUT 14400)
endfunction()

# add_tensoraccess_unittest(TensorAccessCoreTests SRCS … APART … LINK_LIBS …)
#
# A gtest program under build/bin that ctest runs. Sources are compiled eight at a
# time, those APART alone: they have local names of others. TENSORACCESS_TEST_DIR is the
# folder test/, for the files in Cases and Models. As in LLVM, the programs are
# not part of `all`: the target tensoraccess-unittests builds them.
function(add_tensoraccess_unittest name)
  cmake_parse_arguments(ARG "" "" "SRCS;APART;LINK_LIBS" ${ARGN})
  find_package(GTest REQUIRED)
  if(TENSORACCESS_ENABLE_PCH AND NOT TARGET TensorAccessTestPCH)
    tensoraccess_add_pch(TensorAccessTestPCH pch-test.h
                         ${TENSORACCESS_TEST_FLAGS})
    set_target_properties(TensorAccessTestPCH PROPERTIES EXCLUDE_FROM_ALL ON)
    target_link_libraries(TensorAccessTestPCH PRIVATE GTest::GTest)
    add_dependencies(TensorAccessTestPCH TensorAccessIRIncGen
                     TensorAccessInterfacesIncGen)
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SRCS} ${ARG_APART})
  # Templates of MLIR's and gtest's, which every file has, are half of the time.
  set_source_files_properties(${ARG_APART} PROPERTIES
                              SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON
                        UNITY_BUILD_BATCH_SIZE 8)
  add_dependencies(tensoraccess-unittests ${name})
  tensoraccess_compile_options(${name} TensorAccessTestPCH
                               ${TENSORACCESS_TEST_FLAGS})
  target_compile_definitions(${name} PRIVATE
    TENSORACCESS_TEST_DIR="${TENSORACCESS_SOURCE_DIR}/test")
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::GTest
                        GTest::Main MLIR LLVM)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
