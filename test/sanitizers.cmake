# Builds with sanitizers, in a folder of its own that is kept, and runs what is
# made for them. SANITIZER=address: every reader of text against libFuzzer's
# inputs, and every pass on random modules and on those of the tests, for SECONDS
# each. SANITIZER=thread: several contexts at once.
#   cmake -DSOURCE=… -DBUILD=… -DC=… -DCXX=… -DPYTHON=… -DMLIR_DIR=…
#         -DSANITIZER=… [-DSECONDS=60] -P sanitizers.cmake
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} under the ${SANITIZER} sanitizer failed "
                        "(${code})")
  endif()
endfunction()

if(SANITIZER STREQUAL address)
  set(options -DTENSORACCESS_ENABLE_SANITIZERS=ON -DTENSORACCESS_ENABLE_FUZZ=ON)
  set(targets TensorAccessAttributeFuzzer TensorAccessReaderFuzzer
      tensoraccess-opt)
else()
  set(options -DTENSORACCESS_ENABLE_TSAN=ON)
  set(targets TensorAccessThreadsTests)
endif()
if(NOT SECONDS)
  set(SECONDS 60)
endif()
run("configuring" ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${BUILD}
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -g1"
    -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX}
    -DTENSORACCESS_ENABLE_PYTHON=OFF -DMLIR_DIR=${MLIR_DIR} ${options})
run("building" ${CMAKE_COMMAND} --build ${BUILD} --target ${targets})

# libMLIR.so has no sanitizers: see test/Fuzz/CMakeLists.txt.
set(ENV{ASAN_OPTIONS} detect_container_overflow=0:allow_user_poisoning=0)
set(ENV{UBSAN_OPTIONS} halt_on_error=1:print_stacktrace=1)
set(ENV{TSAN_OPTIONS} halt_on_error=1)
if(SANITIZER STREQUAL address)
  foreach(kind Attribute Reader)
    string(TOLOWER ${kind}s corpus)
    file(MAKE_DIRECTORY ${BUILD}/corpus/${corpus})
    run("the fuzzer of ${corpus}" ${BUILD}/bin/TensorAccess${kind}Fuzzer
        -max_total_time=${SECONDS} -timeout=10 -rss_limit_mb=4096
        -print_final_stats=1 ${BUILD}/corpus/${corpus}
        ${SOURCE}/test/Fuzz/corpus/${corpus})
  endforeach()
  set(ENV{PYTHONDONTWRITEBYTECODE} 1)
  set(fuzz_passes ${PYTHON} ${SOURCE}/bench/fuzz_passes.py --build ${BUILD}
      --seconds ${SECONDS})
  run("passes on random modules" ${fuzz_passes} --seed 4)
  run("passes on the tests' modules" ${fuzz_passes} --seed 5
      --corpus ${SOURCE}/test)
else()
  run("several contexts" ${BUILD}/bin/TensorAccessThreadsTests)
endif()
