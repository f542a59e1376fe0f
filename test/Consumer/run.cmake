# Installs the build tree into a prefix of its own, builds the consumer against
# it with the same compiler, and runs it:
#   cmake -DBUILD=… -DSOURCE=… -DCC=… -DCXX=… -DLINKER_FLAGS=… -P run.cmake
set(prefix ${BUILD}/test/Consumer/prefix)
set(tree ${BUILD}/test/Consumer/build)
file(REMOVE_RECURSE ${prefix} ${tree})

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out
                  ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run("configure" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${tree}
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${CC}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}
    -DCMAKE_PREFIX_PATH=${prefix})
run("build" ${CMAKE_COMMAND} --build ${tree})
run("consumer" ${tree}/consumer)
if(NOT output STREQUAL "two transposes folded\ncalled @negate\n")
  message(FATAL_ERROR "the consumer printed:\n${output}")
endif()
run("installed tool" ${prefix}/bin/tensoraccess-opt --version)
