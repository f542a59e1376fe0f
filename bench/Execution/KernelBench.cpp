//===- KernelBench.cpp - Products beside oneDNN and OpenBLAS --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table, a line for each product or convolution, on one core:
//
//   shape  ours  oneDNN  OpenBLAS  ratio  median  error
//
// GFLOP/s of each by the least processor time; `ratio` is ours over oneDNN's,
// `median` that of the ratios of the turns, in which noise hits both; `error` is
// the largest difference over the largest value. `-` where a library is not
// installed. All take turns in one run, on written buffers; oneDNN and we have
// the weights in the order that each likes, from the first call on; with
// `--no-pack` ours are as the program gives them. The last line is the geometric
// mean of the ratios. `KernelBench TEXT` runs only the lines that contain it,
// `--rounds N` sets how many turns there are, `--print` prints what each line
// compiles; `--type=bf16` sums products of bf16 in f32, `--type=i8` of i8 in i32;
// `--reassociate` lets us, too, add in any order, as oneDNN does; `--avx2` keeps
// both to AVX2.
//
// A shape is `mm:M,K,N` or `conv:H,C,K,S,F`: an image of HxHxC that is padded
// already, filters of KxK with stride S, and F of them, NHWC and HWCF.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Registration/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <malloc.h>
#include <random>
#include <time.h>

#ifdef TENSORACCESS_HAS_DNNL
#include "OneDnn.h"
#endif
#ifdef TENSORACCESS_HAS_CBLAS
#include <cblas.h>
#endif

using namespace mlir;
using namespace mlir::tensoraccess;

/// ResNet-50's convolutions that differ, and how many there are of each; an encoder's
/// products, odd ones.
static const std::pair<const char *, int> shapes[] = {
    {"conv:230,3,7,2,64", 1},     {"conv:58,64,3,1,64", 3},
    {"conv:56,64,1,1,64", 1},     {"conv:56,64,1,1,256", 4},
    {"conv:56,256,1,1,64", 2},    {"conv:56,256,1,1,128", 1},
    {"conv:58,128,3,2,128", 1},   {"conv:28,128,1,1,512", 4},
    {"conv:56,256,1,2,512", 1},   {"conv:28,512,1,1,128", 3},
    {"conv:30,128,3,1,128", 3},   {"conv:28,512,1,1,256", 1},
    {"conv:30,256,3,2,256", 1},   {"conv:14,256,1,1,1024", 6},
    {"conv:28,512,1,2,1024", 1},  {"conv:14,1024,1,1,256", 5},
    {"conv:16,256,3,1,256", 5},   {"conv:14,1024,1,1,512", 1},
    {"conv:16,512,3,2,512", 1},   {"conv:7,512,1,1,2048", 3},
    {"conv:14,1024,1,2,2048", 1}, {"conv:7,2048,1,1,512", 2},
    {"conv:9,512,3,1,512", 2},    {"mm:384,768,768", 0},
    {"mm:384,768,3072", 0},       {"mm:384,3072,768", 0},
    {"mm:384,64,384", 0},         {"mm:384,384,64", 0},
    {"mm:1024,1024,1024", 0},     {"mm:512,512,512", 0},
    {"mm:1000,1000,1000", 0},     {"mm:256,768,3072", 0},
    {"mm:127,509,1021", 0},       {"mm:31,4096,33", 0},
    {"mm:2048,64,2048", 0},       {"mm:64,2048,64", 0},
    {"mm:7,1024,1024", 0},        {"mm:1,4096,4096", 0},
    {"mm:1,1000,1000", 0}};

namespace {
struct Shape {
  bool isProduct;
  int64_t m = 0, k = 0, n = 0;                        // products
  int64_t image = 0, kernel = 1, stride = 1, out = 0; // convolutions
  SmallVector<int64_t> x, w, y;
  double flops;
};
} // namespace

static Shape parseShape(StringRef text) {
  auto [kind, rest] = text.split(':');
  SmallVector<StringRef> parts;
  rest.split(parts, ',');
  SmallVector<int64_t> n;
  for (StringRef part : parts) {
    int64_t number = 0;
    part.getAsInteger(10, number);
    n.push_back(number);
  }
  Shape shape;
  shape.isProduct = kind == "mm";
  if (shape.isProduct) {
    shape.m = n[0], shape.k = n[1], shape.n = n[2];
    shape.x = {shape.m, shape.k};
    shape.w = {shape.k, shape.n};
    shape.y = {shape.m, shape.n};
  } else {
    shape.image = n[0], shape.k = n[1], shape.kernel = n[2];
    shape.stride = n[3], shape.n = n[4];
    shape.out = (shape.image - shape.kernel) / shape.stride + 1;
    shape.x = {1, shape.image, shape.image, shape.k};
    shape.w = {shape.kernel, shape.kernel, shape.k, shape.n};
    shape.y = {1, shape.out, shape.out, shape.n};
  }
  shape.flops = 2.0 * shape.k * shape.kernel * shape.kernel;
  for (int64_t size : shape.y)
    shape.flops *= size;
  return shape;
}

/// What is multiplied, and what it is summed in.
struct Types {
  StringRef factor, sum;
  ElementType factors, sums;
};

static std::string getProgram(const Shape &shape, const Types &types) {
  auto type = [](ArrayRef<int64_t> sizes, StringRef element) {
    std::string text = "tensor<";
    for (int64_t size : sizes)
      text += std::to_string(size) + "x";
    return text + element.str() + ">";
  };
  std::string x = type(shape.x, types.factor), w = type(shape.w, types.factor),
              y = type(shape.y, types.sum), op;
  std::string sum = types.sum.str();
  std::string zero = isFloat(types.sums) ? "0.0" : "0";
  if (shape.isProduct)
    op = "linalg.matmul";
  else
    op = "linalg.conv_2d_nhwc_hwcf {strides = dense<" +
         std::to_string(shape.stride) + "> : tensor<2xi64>}";
  return "func.func @main(%x: " + x + ", %w: " + w + ") -> " + y +
         " {\n  %zero = arith.constant " + zero + " : " + sum +
         "\n  %e = tensor.empty() : " + y +
         "\n  %f = linalg.fill ins(%zero : " + sum + ") outs(%e : " + y +
         ") -> " + y + "\n  %y = " + op + " ins(%x, %w : " + x + ", " + w +
         ") outs(%f : " + y + ") -> " + y + "\n  return %y : " + y + "\n}\n";
}

/// Of this process, so that other programs count less.
static double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static Tensor makeTensor(ElementType type, ArrayRef<int64_t> shape,
                         unsigned seed) {
  Tensor tensor = llvm::cantFail(Tensor::create(type, shape));
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> numbers(-1, 1);
  const double scale = isFloat(type) ? 1 : 127;
  Tensor flat =
      Tensor::wrap(type, tensor.getNumElements(), 1, tensor.getData(), nullptr);
  for (int64_t i = 0; seed != 0 && i < tensor.getNumElements(); ++i)
    flat.setDouble(i, numbers(random) * scale);
  return tensor;
}

//===----------------------------------------------------------------------===//
// oneDNN
//===----------------------------------------------------------------------===//

#ifdef TENSORACCESS_HAS_DNNL
/// Of a call, what is not the work of the primitive.
static double getCallTime() {
  static double seconds = onednn::getCallTime(now);
  return seconds;
}

/// Writes its result to `y`.
static std::function<void()> makeDnnl(const Shape &shape, const Types &types,
                                      void *x, void *w, void *y) {
  using namespace onednn;
  dnnl_primitive_desc_t desc;
  dnnl_memory_desc_t xDesc, wDesc, yDesc;
  if (shape.isProduct) {
    xDesc = describe(shape.x, dnnl_ab, types.factors);
    wDesc = describe(shape.w, dnnl_ab, types.factors);
    yDesc = describe(shape.y, dnnl_ab, types.sums);
    check(dnnl_matmul_primitive_desc_create(
        &desc, getEngine(), xDesc,
        describe(shape.w, dnnl_format_tag_any, types.factors), nullptr, yDesc,
        nullptr));
  } else {
    xDesc = describe({1, shape.k, shape.image, shape.image}, dnnl_nhwc,
                     types.factors);
    yDesc = describe({1, shape.n, shape.out, shape.out}, dnnl_nhwc, types.sums);
    SmallVector<int64_t> filters = {shape.n, shape.k, shape.kernel,
                                    shape.kernel};
    wDesc = describe(filters, dnnl_hwio, types.factors);
    dnnl_dims_t strides = {shape.stride, shape.stride}, none = {0, 0};
    check(dnnl_convolution_forward_primitive_desc_create(
        &desc, getEngine(), dnnl_forward_inference, dnnl_convolution_direct,
        xDesc, describe(filters, dnnl_format_tag_any, types.factors), nullptr,
        yDesc, strides, none, none, none, nullptr));
  }
  // Weights in the order that the primitive asks for.
  const_dnnl_memory_desc_t weights =
      dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 0);
  dnnl_memory_t packed = makeMemory(weights, DNNL_MEMORY_ALLOCATE);
  makeReorder(wDesc, makeMemory(wDesc, w), weights, packed)();
  return makeCall(desc, {{DNNL_ARG_SRC, makeMemory(xDesc, x)},
                         {DNNL_ARG_WEIGHTS, packed},
                         {DNNL_ARG_DST, makeMemory(yDesc, y)}});
}
#else
static double getCallTime() { return 0; }
#endif

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// The least time of a few calls, at least 4 ms together.
static double measureTurn(const std::function<void()> &run) {
  double total = 0, least = 1e9;
  for (int calls = 0; total < 0.004 || calls < 3; ++calls) {
    double begin = now();
    run();
    double taken = now() - begin;
    total += taken;
    least = std::min(least, taken);
  }
  return least;
}

/// Seconds of ours and, where it is installed, of oneDNN.
struct Times {
  double ours = 0, theirs = 0;
};

struct Options {
  Types types{"f32", "f32", ElementType::F32, ElementType::F32};
  int rounds = 11;
  bool print = false, packs = true, reassociates = false;
  StringRef cpu = "host";
};

static Times measure(StringRef text, const Options &options,
                     MLIRContext &context) {
  const Types &types = options.types;
  Shape shape = parseShape(text);
  std::string program = getProgram(shape, types);
  if (options.print)
    llvm::outs() << program;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  // One core, and weights in an order of its own, as the others.
  JitOptions jit;
  jit.threads = 1;
  jit.cache = false;
  jit.reassociate = options.reassociates;
  jit.cpu = options.cpu.str();
  if (options.packs)
    jit.weights = {1};
  auto compiled = CompiledFunction::compile(*module, "main", jit);
  if (failed(compiled))
    std::exit(1);
  Tensor x = makeTensor(types.factors, shape.x, 1),
         w = makeTensor(types.factors, shape.w, 2);
  Tensor y = makeTensor(types.sums, shape.y, 0),
         theirs = makeTensor(types.sums, shape.y, 0);
  std::vector<std::pair<StringRef, std::function<void()>>> runs;
  runs.push_back(
      {"ours", [&] { y = llvm::cantFail(compiled->call({x, w}))[0]; }});
#ifdef TENSORACCESS_HAS_CBLAS
  if (shape.isProduct && types.factors == ElementType::F32)
    runs.push_back({"OpenBLAS", [&] {
                      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans,
                                  shape.m, shape.n, shape.k, 1,
                                  x.getDataAs<float>(), shape.k,
                                  w.getDataAs<float>(), shape.n, 0,
                                  theirs.getDataAs<float>(), shape.n);
                    }});
#endif
#ifdef TENSORACCESS_HAS_DNNL
  runs.push_back({"oneDNN", makeDnnl(shape, types, x.getData(), w.getData(),
                                     theirs.getData())});
#endif
  std::vector<std::vector<double>> turns(runs.size());
  for (int round = 0; round <= options.rounds; ++round)
    for (auto [times, run] : llvm::zip_equal(turns, runs)) {
      double taken = measureTurn(run.second);
      if (run.first == "oneDNN")
        taken -= getCallTime();
      if (round != 0) // the first warms up
        times.push_back(taken);
    }
  auto getTime = [&](StringRef name) {
    for (auto [times, run] : llvm::zip_equal(turns, runs))
      if (run.first == name)
        return *llvm::min_element(times);
    return 0.0;
  };
  double error = 0, most = 0;
  auto flatten = [](Tensor &tensor) {
    return Tensor::wrap(tensor.getElementType(), tensor.getNumElements(), 1,
                        tensor.getData(), nullptr);
  };
  Tensor ours = flatten(y), other = flatten(theirs);
  if (runs.size() > 1)
    for (int64_t i = 0; i < y.getNumElements(); ++i) {
      double value = other.getDouble(i);
      error = std::max(error, std::fabs(ours.getDouble(i) - value));
      most = std::max(most, std::fabs(value));
    }
  Times times{getTime("ours"), getTime("oneDNN")};
  llvm::outs() << llvm::left_justify(text, 22)
               << llvm::format("%7.1f", shape.flops / times.ours / 1e9);
  for (StringRef name : {"oneDNN", "OpenBLAS"})
    if (double taken = getTime(name))
      llvm::outs() << llvm::format("%9.1f", shape.flops / taken / 1e9);
    else
      llvm::outs() << "        -";
  if (times.theirs != 0) {
    std::vector<double> ratios;
    for (auto [own, their] : llvm::zip_equal(turns.front(), turns.back()))
      ratios.push_back(their / own);
    llvm::sort(ratios);
    llvm::outs() << llvm::format("%7.2f%8.2f%9.0e", times.theirs / times.ours,
                                 ratios[ratios.size() / 2],
                                 error / std::max(most, 1e-30));
  }
  llvm::outs() << "\n";
  llvm::outs().flush();
  return times;
}

int main(int argc, char **argv) {
  StringRef only;
  Options options;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument == "--rounds" && i + 1 < argc)
      options.rounds = std::max(1, std::atoi(argv[++i]));
    else if (argument == "--print")
      options.print = true;
    else if (argument == "--no-pack")
      options.packs = false;
    else if (argument == "--reassociate")
      options.reassociates = true;
    else if (argument == "--avx2") {
      options.cpu = "x86-64-v3";
      setenv("ONEDNN_MAX_CPU_ISA", "AVX2", /*replace=*/1);
    } else if (argument == "--type=bf16")
      options.types = {"bf16", "f32", ElementType::BF16, ElementType::F32};
    else if (argument == "--type=i8")
      options.types = {"i8", "i32", ElementType::I8, ElementType::I32};
    else
      only = argument;
  }
  // Results stay where the last ones were: all work on written buffers.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#ifdef TENSORACCESS_HAS_DNNL
  onednn::stayOnOneProcessor();
  llvm::outs() << "oneDNN " << onednn::getVersion()
               << llvm::format(", without the %.1f us of a call\n",
                               getCallTime() * 1e6);
#endif
  // OpenBLAS has read its environment when it was loaded.
  if (auto set = reinterpret_cast<void (*)(int)>(
          dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
    set(1);
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::outs() << "GFLOP/s                  ours   oneDNN OpenBLAS  ratio  "
                  "median    error\n";
  double logarithms = 0, least = 1e9;
  int64_t lines = 0;
  bool isFound = false;
  Times network;
  for (auto [shape, count] : shapes)
    if (StringRef(shape).contains(only)) {
      isFound = true;
      Times times = measure(shape, options, context);
      network.ours += count * times.ours;
      network.theirs += count * times.theirs;
      if (times.theirs == 0)
        continue;
      logarithms += std::log(times.theirs / times.ours);
      least = std::min(least, times.theirs / times.ours);
      ++lines;
    }
  // A shape that is in no list.
  if (!isFound && only.contains(':'))
    measure(only, options, context);
  if (lines != 0)
    llvm::outs() << llvm::format(
        "geometric mean of %d: %.2f of oneDNN, none below %.2f\n", int(lines),
        std::exp(logarithms / lines), least);
  if (only.empty())
    llvm::outs() << llvm::format(
        "ResNet-50's 53 convolutions one by one: %.1f ms, oneDNN %.1f ms\n",
        network.ours * 1e3, network.theirs * 1e3);
  return 0;
}
