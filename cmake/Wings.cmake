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
  tensoraccess_get_wings(closure ${wing})
  set(commands COMMAND ${CMAKE_COMMAND} --install ${CMAKE_CURRENT_BINARY_DIR}
      --component package)
  foreach(part ${closure})
    list(APPEND commands COMMAND ${CMAKE_COMMAND} --install
         ${CMAKE_CURRENT_BINARY_DIR} --component ${part})
  endforeach()
  add_custom_target(install-${wing} ${commands} VERBATIM
                    COMMENT "Installing ${wing} and what it links")
endforeach()

# Public headers, those that TableGen made, too: each wing's by the folder.
foreach(entry kit:Core kit:Interfaces dialect:IR ops:Models ops:StableHlo
        ops:Analysis front:Transforms front:Conversion oracle:Interpreter
        cost:Cost rewrite:EGraph rewrite:Rewrites cpu:Runtime cpu:Pipelines
        cpu:Execution ranks:Sharding view:Export doors:Registration)
  string(REPLACE ":" ";" entry ${entry})
  list(GET entry 0 wing)
  list(GET entry 1 room)
  set(roots ${CMAKE_CURRENT_SOURCE_DIR})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include/TensorAccess/${room}/CMakeLists.txt)
    list(APPEND roots ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  foreach(root ${roots})
    install(DIRECTORY ${root}/include/TensorAccess/${room}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/TensorAccess
            COMPONENT ${wing} FILES_MATCHING PATTERN "*.h" PATTERN "*.td"
            PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endforeach()
