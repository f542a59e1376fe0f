#===- Wings.cmake - the parts of the house that one can take --------------===//
#
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A wing is a component of the package: find_package(TensorAccess COMPONENTS ops)
# defines TensorAccess::ops, and -DTENSORACCESS_WINGS="ops;rewrite" builds those
# wings and what they link. A wing links only wings above it in this table, which
# test/wings.py keeps true (docs/Rationale.md).
#
#===----------------------------------------------------------------------===//

set(TENSORACCESS_ALL_WINGS kit layout dialect ops front oracle cost rewrite cpu
    ranks view doors)
set(TENSORACCESS_kit_LINKS "")              # forms, maps, counts, tiles, nests
set(TENSORACCESS_layout_LINKS kit)          # tiled, strided and linear layouts
set(TENSORACCESS_dialect_LINKS layout)      # the dialect, its reference kernels
set(TENSORACCESS_ops_LINKS layout)          # nests of other dialects' ops
set(TENSORACCESS_front_LINKS ops dialect)   # StableHLO made plain; raising
set(TENSORACCESS_oracle_LINKS front)        # the interpreter
set(TENSORACCESS_cost_LINKS front)          # blocks, costs, reports, tiling
set(TENSORACCESS_rewrite_LINKS oracle cost) # e-graphs, rules, equivalence
set(TENSORACCESS_cpu_LINKS oracle cost)     # lowering, kernels, runtime, JIT
set(TENSORACCESS_ranks_LINKS cpu)           # sharding and MPI
set(TENSORACCESS_view_LINKS rewrite ranks)  # pictures
set(TENSORACCESS_doors_LINKS view)          # registration and the tools' mains

set(TENSORACCESS_WINGS ${TENSORACCESS_ALL_WINGS} CACHE STRING
    "Wings to build, with those that they link")

# The wings that `wing` links, directly or not, and itself, from above to below.
function(tensoraccess_get_wings result)
  set(wanted "")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest wing)
    if(NOT wing IN_LIST TENSORACCESS_ALL_WINGS)
      list(JOIN TENSORACCESS_ALL_WINGS ", " all)
      message(FATAL_ERROR "no wing '${wing}', there are ${all}")
    endif()
    list(APPEND wanted ${wing})
    list(APPEND rest ${TENSORACCESS_${wing}_LINKS})
  endwhile()
  set(wings "")
  foreach(wing ${TENSORACCESS_ALL_WINGS})
    if(wing IN_LIST wanted)
      list(APPEND wings ${wing})
    endif()
  endforeach()
  set(${result} ${wings} PARENT_SCOPE)
endfunction()

tensoraccess_get_wings(TENSORACCESS_BUILT_WINGS ${TENSORACCESS_WINGS})

# One target a wing. Installing it installs those that it links, too:
# `ninja install-ops` into CMAKE_INSTALL_PREFIX.
foreach(wing ${TENSORACCESS_BUILT_WINGS})
  add_library(tensoraccess-${wing} INTERFACE)
  set_target_properties(tensoraccess-${wing} PROPERTIES EXPORT_NAME ${wing})
  foreach(above ${TENSORACCESS_${wing}_LINKS})
    target_link_libraries(tensoraccess-${wing} INTERFACE tensoraccess-${above})
  endforeach()
  install(TARGETS tensoraccess-${wing} EXPORT TensorAccess-${wing})
  set(install ${CMAKE_COMMAND} --install ${CMAKE_CURRENT_BINARY_DIR} --component)
  add_custom_target(install-${wing} COMMAND ${install} package
                    COMMAND ${install} ${wing} VERBATIM
                    COMMENT "Installing ${wing}")
  foreach(above ${TENSORACCESS_${wing}_LINKS})
    add_dependencies(install-${wing} install-${above})
  endforeach()
endforeach()

# Public headers, those that TableGen made, too: wing, room, and which of its headers.
# test/wings.py checks that those of a wing include only those of wings that it links.
foreach(entry
    "kit Core ." "kit Interfaces ."
    "dialect IR ." "dialect Transforms (Canonicalize|Loops|SimplifyPasses)"
    "ops Models ." "ops StableHlo StableHloReader" "ops Analysis (Contracts|Dependence|Derivatives|IndexingAnalysis|Masks|ValueFacts|ZeroSlices)"
    "front StableHlo StableHloText" "front StableHlo (H|Vh)loModule"
    "front Analysis (MemoryCoalescing|Report)" "front Conversion ."
    "front Transforms (AccessPasses|Indexing|Passes|Tiles)" "front Runtime ."
    "oracle Interpreter ."
    "cost Cost ." "cost Cut ." "cost Analysis (Ask|Block|Explain|OpCosts|Sharded|Tile|Work)"
    "cost Transforms (ExtractOp|FindTarget|Reduction)"
    "rewrite EGraph ." "rewrite Rewrites ." "rewrite Pipelines (Accelerator|Pass)"
    "rewrite Transforms (Contract|Equivalence|Saturat)"
    "cpu Pipelines Cpu" "cpu Execution (Calibrate|Jit|Relayout)"
    "cpu Transforms (Buffer|Fus|Kernel|Layout|Lower|Messages|Reshape)"
    "ranks Sharding ." "ranks Pipelines Distributed" "ranks Transforms ShardPasses"
    "view Export ." "doors Registration ." "doors Execution Run")
  separate_arguments(entry)
  list(POP_FRONT entry wing room names)
  if(NOT wing IN_LIST TENSORACCESS_BUILT_WINGS)
    continue()
  endif()
  file(GLOB headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/include
       ${CMAKE_CURRENT_SOURCE_DIR}/include/TensorAccess/${room}/*.h)
  list(FILTER headers INCLUDE REGEX "/${names}[^/]*$")
  foreach(header ${headers})
    set_property(GLOBAL APPEND_STRING PROPERTY TENSORACCESS_WINGS_OF_HEADERS
                 "header ${header} ${wing}\n")
  endforeach()
  set(roots ${CMAKE_CURRENT_SOURCE_DIR})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include/TensorAccess/${room}/CMakeLists.txt)
    list(APPEND roots ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  foreach(root ${roots})
    install(DIRECTORY ${root}/include/TensorAccess/${room}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/TensorAccess
            COMPONENT ${wing} FILES_MATCHING
            REGEX "/${names}[^/]*\\.(h|td|inc)$" PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endforeach()
