# Builds the tools and the package with another compiler and runs them, in a
# folder of its own that is kept, so that the next time only what changed is
# compiled:
#   cmake -DSOURCE=… -DBUILD=… -DCXX=… -DMLIR_DIR=… -DPYTHON=… -P other_compiler.cmake
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} with ${CXX} failed (${code})")
  endif()
endfunction()

run("configuring" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${BUILD}
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DTENSORACCESS_ENABLE_TESTS=OFF
    -DMLIR_DIR=${MLIR_DIR} -DPython_EXECUTABLE=${PYTHON})
run("building" ${CMAKE_COMMAND} --build ${BUILD})
run("the tool" ${BUILD}/bin/tensoraccess-opt
    ${SOURCE}/docs/examples/conv.mlir --tensoraccess-raise -o ${BUILD}/raised.mlir)
run("a program" ${BUILD}/bin/tensoraccess-run
    ${SOURCE}/test/Execution/slice-policies.mlir --entry=halo --inputs=random:1
    --compare=interpret)
run("the package" ${CMAKE_COMMAND} -E env PYTHONPATH=${BUILD}/python ${PYTHON}
    -c "import tensoraccess as ta; ta.Module('module {}').run('cse')")
