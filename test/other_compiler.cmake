# Builds everything with another compiler, a warning is an error, and runs every
# test, in a folder of its own that is kept, so that the next time only what
# changed is compiled:
#   cmake -DSOURCE=… -DBUILD=… -DCXX=… -DMLIR_DIR=… -DPYTHON=… -P other_compiler.cmake
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} with ${CXX} failed (${code})")
  endif()
endfunction()

run("configuring" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${BUILD}
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DMLIR_DIR=${MLIR_DIR}
    -DPython_EXECUTABLE=${PYTHON})
run("building" ${CMAKE_COMMAND} --build ${BUILD}
    --target all tensoraccess-unittests)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
run("testing" ${CMAKE_CTEST_COMMAND} --test-dir ${BUILD} -j${cores}
    --output-on-failure)
