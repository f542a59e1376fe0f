//===- OneDnn.h - oneDNN's primitives as functions --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN 3 by its C interface (the C++ one throws), on one thread. Primitives live
// as long as the process. The package index has the SYCL build alone, which runs
// primitives by an OpenCL runtime, on its thread, and so adds some microseconds to a
// call: getCallTime measures them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_BENCH_EXECUTION_ONEDNN_H
#define TENSORACCESS_BENCH_EXECUTION_ONEDNN_H

#include "TensorAccess/Core/Tensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <oneapi/dnnl/dnnl.h>
#include <sched.h>

namespace mlir::tensoraccess::onednn {

inline void check(dnnl_status_t status) {
  if (status == dnnl_success)
    return;
  llvm::errs() << "oneDNN fails: " << static_cast<int>(status) << "\n";
  std::exit(1);
}

inline dnnl_engine_t getEngine() {
  static dnnl_engine_t engine = [] {
    // Where no OpenCL runtime is registered with the system.
    setenv("OCL_ICD_FILENAMES", TENSORACCESS_DNNL_DIRECTORY "/libintelocl.so",
           /*replace=*/0);
    dnnl_engine_t made;
    check(dnnl_engine_create(&made, dnnl_cpu, 0));
    return made;
  }();
  return engine;
}

/// Keeps the process, and so oneDNN, on the processor that it is on.
inline void stayOnOneProcessor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(sched_getcpu(), &set);
  sched_setaffinity(0, sizeof(set), &set);
}

/// "3.13.0"
inline std::string getVersion() {
  const dnnl_version_t *version = dnnl_version();
  return (llvm::Twine(version->major) + "." + llvm::Twine(version->minor) +
          "." + llvm::Twine(version->patch))
      .str();
}

/// Null where oneDNN has no such type or order.
inline dnnl_memory_desc_t describe(ArrayRef<int64_t> sizes,
                                   dnnl_format_tag_t tag, ElementType element) {
  dnnl_data_type_t type = element == ElementType::F32    ? dnnl_f32
                          : element == ElementType::BF16 ? dnnl_bf16
                          : element == ElementType::I8   ? dnnl_s8
                                                         : dnnl_s32;
  dnnl_dims_t dims;
  llvm::copy(sizes, dims);
  dnnl_memory_desc_t desc = nullptr;
  dnnl_memory_desc_create_with_tag(&desc, sizes.size(), dims, type, tag);
  return desc;
}

inline dnnl_memory_t makeMemory(const_dnnl_memory_desc_t desc, void *data) {
  dnnl_memory_t memory;
  check(dnnl_memory_create(&memory, desc, getEngine(), data));
  return memory;
}

/// A call of the primitive on these arguments.
inline std::function<void()> makeCall(dnnl_primitive_desc_t desc,
                                      ArrayRef<dnnl_exec_arg_t> arguments) {
  static dnnl_stream_t stream = [] {
    dnnl_stream_t made;
    check(dnnl_stream_create(&made, getEngine(), dnnl_stream_default_flags));
    return made;
  }();
  dnnl_primitive_t primitive;
  check(dnnl_primitive_create(&primitive, desc));
  return [primitive, list = llvm::to_vector(arguments)] {
    check(dnnl_primitive_execute(primitive, stream, list.size(), list.data()));
    check(dnnl_stream_wait(stream));
  };
}

/// A copy from one order to another; empty if oneDNN has none.
inline std::function<void()> makeReorder(const_dnnl_memory_desc_t from,
                                         dnnl_memory_t source,
                                         const_dnnl_memory_desc_t to,
                                         dnnl_memory_t target) {
  dnnl_primitive_desc_t desc;
  if (dnnl_reorder_primitive_desc_create(&desc, from, getEngine(), to,
                                         getEngine(), nullptr) != dnnl_success)
    return {};
  return makeCall(desc, {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}});
}

/// Seconds that a call takes for what is not the primitive's work, by `now`.
inline double getCallTime(double (*now)()) {
  float numbers[2] = {};
  dnnl_memory_desc_t desc = describe({1}, dnnl_a, ElementType::F32);
  std::function<void()> call = makeReorder(desc, makeMemory(desc, &numbers[0]),
                                           desc, makeMemory(desc, &numbers[1]));
  double least = 1;
  for (int i = 0; i < 2000; ++i) {
    double begin = now();
    call();
    least = std::min(least, now() - begin);
  }
  return least;
}

} // namespace mlir::tensoraccess::onednn

#endif // TENSORACCESS_BENCH_EXECUTION_ONEDNN_H
