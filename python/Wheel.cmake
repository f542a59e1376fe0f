#===- Wheel.cmake - The module with LLVM inside ---------------------------===//
#
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `pip wheel .` packs: the objects of TensorAccessPython once more, linked
# with the archives of LLVM and MLIR instead of their shared libraries, so that
# the package runs where there are none.
#
#   1. Archives are searched as one, ours and theirs, in a linker's script: no
#      CMake target of MLIR's is linked, since all of them bring libLLVM.so.
#   2. Back ends that are not asked for are left out; functions that do nothing
#      take the place of those that MLIR's GPU targets register.
#   3. Nothing is visible but the module's entry, since other packages have an
#      LLVM of their own inside, and what compiled programs may call.
#
#===----------------------------------------------------------------------===//

set(static_libs LLVMSupport MLIRIR MLIRRegisterAllPasses)
list(TRANSFORM static_libs REPLACE "(.+)" "${LLVM_LIBRARY_DIR}/lib\\1.a")
set(why "")
foreach(library ${static_libs})
  if(NOT EXISTS ${library})
    set(why "there is no ${library}")
  endif()
endforeach()
# What LLVM's support library was built with.
set(compression "")
foreach(pair "LLVM_ENABLE_ZLIB libz.a" "LLVM_ENABLE_ZSTD libzstd.a")
  separate_arguments(pair)
  list(GET pair 0 enabled)
  list(GET pair 1 file)
  if(${enabled})
    find_library(TENSORACCESS_${file} ${file})
    if(TENSORACCESS_${file})
      list(APPEND compression ${TENSORACCESS_${file}})
    else()
      set(why "there is no ${file} (Debian: zlib1g-dev, libzstd-dev)")
    endif()
  endif()
endforeach()
if(why)
  if(SKBUILD)
    message(FATAL_ERROR "${why}, which the wheel is linked with; "
      "-Cbuild.targets=tensoraccess-python -Cinstall.components=python makes one "
      "that needs this machine's libMLIR.so")
  endif()
  message(STATUS "No target tensoraccess-wheel: ${why}")
  return()
endif()

# The JIT's, see lib/Execution/Jit/CodeGen.cpp, and that of NVVM, which is small.
set(back_ends ${LLVM_NATIVE_ARCH} AArch64 NVPTX X86)
set(others ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM others ${back_ends})
set(stubs "/* Back ends that are not linked: nothing is registered. */\n")
foreach(target ${others})
  foreach(what TargetInfo Target TargetMC AsmPrinter AsmParser)
    string(APPEND stubs "void LLVMInitialize${target}${what}(void) {}\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/back_ends.c CONTENT "${stubs}")

file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
list(JOIN others "|" pattern)
list(FILTER archives EXCLUDE REGEX
     "/lib(MLIRCAPI.*|LLVM(${pattern})(Analysis|AsmParser|CodeGen|Desc|Disassembler|Info|TargetMCA|Utils))\\.a$")
get_property(rooms GLOBAL PROPERTY TENSORACCESS_LIBS)
list(APPEND rooms nanobind-static)
set(of_rooms ${rooms})
list(TRANSFORM of_rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>")
set(group ${CMAKE_CURRENT_BINARY_DIR}/wheel.ld)
file(GENERATE OUTPUT ${group}
     CONTENT "GROUP(\n$<JOIN:${of_rooms},\n>\n$<JOIN:${archives};${compression},\n>\n)\n")
set(visible ${CMAKE_CURRENT_BINARY_DIR}/wheel.map)
file(CONFIGURE OUTPUT ${visible}
     CONTENT "{
  global: PyInit__native; memrefCopy; __extendhfsf2; __trunc?fhf2; __trunc?fbf2;
  local: *;
};
")

add_library(TensorAccessPythonWheel MODULE EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:TensorAccessPython> src/WheelRuntime.c
  ${CMAKE_CURRENT_BINARY_DIR}/back_ends.c)
add_dependencies(TensorAccessPythonWheel ${rooms})
nanobind_extension(TensorAccessPythonWheel)
target_link_libraries(TensorAccessPythonWheel PRIVATE ${group} ${CMAKE_DL_LIBS})
target_link_options(TensorAccessPythonWheel PRIVATE
  -static-libstdc++ -Wl,-s -Wl,--gc-sections -Wl,--version-script=${visible})
# LLVM's own linker is the fastest, and functions that are alike become one: a
# fifth of the module.
if(EXISTS ${LLVM_TOOLS_BINARY_DIR}/ld.lld)
  target_link_options(TensorAccessPythonWheel PRIVATE
    -B${LLVM_TOOLS_BINARY_DIR} -fuse-ld=lld -Wl,--icf=all)
endif()
set_target_properties(TensorAccessPythonWheel PROPERTIES
  OUTPUT_NAME _native
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/wheel
  LINK_DEPENDS "${of_rooms};${group};${visible}"
  SKIP_BUILD_RPATH ON
  INSTALL_RPATH "")
