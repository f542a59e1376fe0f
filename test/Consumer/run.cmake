# Installs the build tree into a prefix of its own, builds the consumer against
# it and against the build tree itself with the same compiler, and runs it:
#   cmake -DBUILD=… -DSOURCE=… -DCC=… -DCXX=… -DLINKER_FLAGS=… -P run.cmake
set(prefix ${BUILD}/test/Consumer/prefix)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out
                  ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${prefix})
run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
foreach(package ${prefix} ${BUILD})
  set(tree ${BUILD}/test/Consumer/build)
  file(REMOVE_RECURSE ${tree})
  run("configure" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${tree}
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${CC}
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}
      -DCMAKE_PREFIX_PATH=${package})
  load_cache(${tree} READ_WITH_PREFIX PACKAGE_ TENSORACCESS_TOOL)
  run("the package's tool" ${PACKAGE_TENSORACCESS_TOOL} --version)
  run("build" ${CMAKE_COMMAND} --build ${tree})
  run("consumer" ${tree}/consumer)
  if(NOT output STREQUAL "two transposes folded\ncalled @negate\nasked my.flip\n")
    message(FATAL_ERROR "the consumer of ${package} printed:\n${output}")
  endif()
endforeach()
