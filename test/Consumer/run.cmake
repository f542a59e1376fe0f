# Installs the build tree into a prefix of its own, whole or the components of a
# wing, builds the consumer of it against that and, of the whole, against the build
# tree itself, with the same compiler, and runs it:
#   cmake -DBUILD=… -DSOURCE=… -DWING=… -DCC=… -DCXX=… -DLINKER_FLAGS=… -P run.cmake
cmake_policy(VERSION 3.20)
set(work ${BUILD}/test/Consumer/${WING})
set(prefix ${work}/prefix)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out
                  ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

set(expected_doors "two transposes folded\ncalled @negate\nasked my.flip\n")
set(expected_dialect "0 transposes left\n")
set(expected_ops "tensor.collapse_shape (d0) -> (d0 floordiv 6, d0 mod 6), \
domain: d0 in [0, 23]
stablehlo.transpose (d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]
my.flip (d0){n0} -> (-d0 + n0 - 1), domain: d0 in [0, n0 - 1], n0 in [1, inf]
")

file(REMOVE_RECURSE ${prefix})
set(packages ${prefix})
if(WING STREQUAL doors)
  run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
  list(APPEND packages ${BUILD})
else()
  # Those that it links, by the lines of wings.txt: each is below what it links.
  file(STRINGS ${BUILD}/wings.txt lines REGEX "^wing ")
  list(REVERSE lines)
  set(wings ${WING})
  foreach(line ${lines})
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words kind wing)
    if(wing IN_LIST wings)
      list(APPEND wings ${words})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES wings)
  foreach(component package ${wings})
    run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
        --component ${component})
  endforeach()
endif()
foreach(package ${packages})
  set(tree ${work}/build)
  file(REMOVE_RECURSE ${tree})
  run("configure" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${tree}
      -DWING=${WING} -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${CC}
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}
      -DCMAKE_PREFIX_PATH=${package})
  if(WING STREQUAL doors)
    load_cache(${tree} READ_WITH_PREFIX PACKAGE_ TENSORACCESS_TOOL)
    run("the package's tool" ${PACKAGE_TENSORACCESS_TOOL} --version)
  endif()
  run("build" ${CMAKE_COMMAND} --build ${tree})
  run("consumer" ${tree}/consumer)
  if(NOT output STREQUAL expected_${WING})
    message(FATAL_ERROR "the consumer of ${package} printed:\n${output}")
  endif()
endforeach()
