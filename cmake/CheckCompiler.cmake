#===- CheckCompiler.cmake - Which compilers are refused -------------------===//
#
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# g++ 11 has no dispatcher for functions that are compiled for several levels of
# x86-64 (lib/Core/Support/VectorClones.h); clang 14 is the oldest that was tried. Needs
# nothing but CMake's own variables: a test runs it as a script.
#
#===----------------------------------------------------------------------===//

set(least_GNU 12)
set(least_Clang 14)
set(least ${least_${CMAKE_CXX_COMPILER_ID}})
if(least AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS least)
  message(FATAL_ERROR
    "TensorAccess needs g++ ${least_GNU} or clang++ ${least_Clang}, or newer, "
    "but ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} "
    "${CMAKE_CXX_COMPILER_VERSION}; -DCMAKE_CXX_COMPILER names another")
endif()
