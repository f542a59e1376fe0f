//===- CalibrationKernels.cpp - Programs that are timed -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes are chosen for what they tell, not for what models have: extents of 3
// and 17 along vectors, columns of 10 to 10,000 steps, images from a few pixels
// to some that leave every cache.
//
//===----------------------------------------------------------------------===//

#include "CalibrationKernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::formatv;
using Shape = SmallVector<int64_t, 4>;

static std::string typeOf(ArrayRef<int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f32>";
}

/// `%a0: T0, %a1: T1` and `%a0, %a1` and `T0, T1`.
namespace {
struct Operands {
  explicit Operands(ArrayRef<Shape> shapes) {
    for (auto [i, shape] : llvm::enumerate(shapes)) {
      const std::string comma = i == 0 ? "" : ", ";
      const std::string name = "%a" + std::to_string(i);
      declared += comma + name + ": " + typeOf(shape);
      names += comma + name;
      types += comma + typeOf(shape);
    }
  }
  std::string declared, names, types;
};
} // namespace

/// A function around an op on its arguments and a filled destination.
static std::string wrap(const Operands &operands, ArrayRef<int64_t> out,
                        const std::string &op, const std::string &attributes,
                        const std::string &body, bool isFilled) {
  const std::string type = typeOf(out);
  std::string text = formatv("func.func @main({0}) -> {1} {{\n"
                             "  %e = tensor.empty() : {1}\n",
                             operands.declared, type)
                         .str();
  if (isFilled)
    text += formatv("  %zero = arith.constant 0.0 : f32\n"
                    "  %z = linalg.fill ins(%zero : f32) outs(%e : {0}) -> "
                    "{0}\n",
                    type)
                .str();
  text += formatv("  %r = {0} {1} ins({2} : {3}) outs({4} : {5}){6} -> {5}\n"
                  "  return %r : {5}\n}\n",
                  op, attributes, operands.names, operands.types,
                  isFilled ? "%z" : "%e", type, body)
              .str();
  return text;
}

namespace {
class KernelList {
public:
  explicit KernelList(bool isQuick) : isQuick(isQuick) {}

  void addProducts();
  void addConvolutions();
  void addPools();
  void addSums();
  void addMaps(ArrayRef<int64_t> caches);
  void addMoves();
  void addSteps();

  std::vector<CalibrationKernel> kernels;

private:
  /// Whether a block of so many points is one of a quick run.
  bool isTaken(int64_t points, int64_t quickMost = 40000) const {
    return !isQuick || points <= quickMost;
  }
  void addNamed(const std::string &op, const std::string &attributes,
                ArrayRef<Shape> inputs, const Shape &out) {
    kernels.push_back(
        {op, wrap(Operands(inputs), out, op, attributes, "", true), op});
  }
  /// `loops` is `p` and `r` for each loop; `maps` one affine map an operand and
  /// one for the result.
  static std::string generic(ArrayRef<Shape> inputs, const Shape &out,
                             StringRef loops, ArrayRef<StringRef> maps,
                             StringRef body);
  void addGeneric(ArrayRef<Shape> inputs, const Shape &out, StringRef loops,
                  ArrayRef<StringRef> maps, StringRef body) {
    kernels.push_back(
        {"*", generic(inputs, out, loops, maps, body), "linalg.generic"});
  }
  void addConvolution(bool isChannelsLast, int64_t h, int64_t w, int64_t f,
                      int64_t k, int64_t c, int64_t stride);

  bool isQuick;
};
} // namespace

std::string KernelList::generic(ArrayRef<Shape> inputs, const Shape &out,
                                StringRef loops, ArrayRef<StringRef> maps,
                                StringRef body) {
  std::string dims, iterators, all, arguments;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    dims += (i ? ", d" : "d") + std::to_string(i);
    iterators += (i ? ", " : "") +
                 std::string(loop == 'r' ? "\"reduction\"" : "\"parallel\"");
  }
  for (auto [i, map] : llvm::enumerate(maps))
    all += (i ? ", " : "") +
           formatv("affine_map<({0}) -> ({1})>", dims, map).str();
  for (size_t i = 0; i != inputs.size(); ++i)
    arguments += "%x" + std::to_string(i) + ": f32, ";
  return wrap(
      Operands(inputs), out, "linalg.generic",
      formatv("{{indexing_maps = [{0}], iterator_types = [{1}]}", all,
              iterators)
          .str(),
      formatv(" {{\n  ^bb0({0}%o: f32):\n{1}  }", arguments, body).str(),
      loops.contains('r'));
}

static constexpr StringLiteral kProduct = "    %m = arith.mulf %x0, %x1 : f32\n"
                                          "    %s = arith.addf %o, %m : f32\n"
                                          "    linalg.yield %s : f32\n";
static constexpr StringLiteral kSum = "    %s = arith.addf %o, %x0 : f32\n"
                                      "    linalg.yield %s : f32\n";
static constexpr StringLiteral kAdd = "    %s = arith.addf %x0, %x1 : f32\n"
                                      "    linalg.yield %s : f32\n";
static constexpr StringLiteral kCopy = "    linalg.yield %x0 : f32\n";

void KernelList::addProducts() {
  const int64_t sizes[][3] = {
      {4, 4, 4},       {16, 16, 16},     {24, 40, 30},    {150, 3, 80},
      {60, 17, 60},    {64, 64, 64},     {1, 400, 300},   {90, 110, 50},
      {100, 130, 800}, {200, 200, 200},  {300, 256, 600}, {6, 600, 1500},
      {90, 90, 6000},  {400, 1000, 500}, {8, 1500, 1500}, {350, 64, 12000},
      {90, 256, 350},  {80, 512, 1000},  {40, 1024, 700}, {60, 2048, 260},
      {500, 128, 600}};
  for (auto [m, n, k] : sizes) {
    if (!isTaken(m * n * k))
      continue;
    addNamed("linalg.matmul", "", {{m, k}, {k, n}}, {m, n});
    addGeneric({{m, k}, {k, n}}, {m, n}, "ppr", {"d0, d2", "d2, d1", "d0, d1"},
               kProduct);
    if (m * n * k < 20000000)
      addGeneric({{m, k}, {n, k}}, {m, n}, "ppr",
                 {"d0, d2", "d1, d2", "d0, d1"}, kProduct);
  }
  const int64_t batches[][4] = {{3, 8, 8, 8},      {6, 20, 20, 40},
                                {4, 12, 70, 30},   {8, 64, 64, 48},
                                {2, 150, 90, 700}, {12, 80, 200, 64}};
  for (auto [b, m, n, k] : batches)
    if (isTaken(b * m * n * k)) {
      addNamed("linalg.batch_matmul", "", {{b, m, k}, {b, k, n}}, {b, m, n});
      addGeneric({{b, m, k}, {b, n, k}}, {b, m, n}, "pppr",
                 {"d0, d1, d3", "d0, d2, d3", "d0, d1, d2"}, kProduct);
    }
}

void KernelList::addConvolution(bool isChannelsLast, int64_t h, int64_t w,
                                int64_t f, int64_t k, int64_t c,
                                int64_t stride) {
  const int64_t inH = (h - 1) * stride + k, inW = (w - 1) * stride + k;
  const std::string attributes =
      formatv("{{dilations = dense<1> : tensor<2xi64>, strides = dense<{0}> : "
              "tensor<2xi64>}",
              stride)
          .str();
  if (isChannelsLast)
    addNamed("linalg.conv_2d_nhwc_hwcf", attributes,
             {{1, inH, inW, c}, {k, k, c, f}}, {1, h, w, f});
  else
    addNamed("linalg.conv_2d_nchw_fchw", attributes,
             {{1, c, inH, inW}, {f, c, k, k}}, {1, f, h, w});
}

void KernelList::addConvolutions() {
  // Rows, columns, filters, window, channels, stride.
  const int64_t sizes[][6] = {
      {4, 4, 8, 3, 4, 1},       {9, 9, 12, 3, 8, 1},
      {20, 20, 24, 1, 40, 1},   {16, 18, 3, 3, 24, 1},
      {30, 30, 17, 3, 12, 1},   {60, 50, 32, 7, 3, 2},
      {40, 40, 32, 3, 32, 1},   {60, 60, 64, 1, 96, 1},
      {24, 24, 96, 3, 96, 1},   {20, 20, 256, 1, 160, 2},
      {12, 12, 192, 3, 192, 1}, {10, 10, 300, 1, 600, 1},
      {6, 6, 320, 3, 400, 1},   {7, 8, 900, 1, 800, 1},
      {18, 18, 128, 3, 160, 1}, {10, 12, 256, 3, 200, 1},
      {6, 6, 512, 3, 300, 1},   {10, 9, 1024, 1, 400, 1},
      {20, 20, 64, 3, 128, 1}};
  for (auto [h, w, f, k, c, stride] : sizes) {
    const int64_t points = h * w * f * k * k * c;
    if (!isTaken(points))
      continue;
    addConvolution(true, h, w, f, k, c, stride);
    if (points < 12000000)
      addConvolution(false, h, w, f, k, c, stride);
  }
  const int64_t depths[][5] = {{6, 6, 16, 3, 1},    {14, 14, 40, 3, 1},
                               {20, 20, 7, 3, 2},   {28, 28, 96, 3, 1},
                               {30, 30, 200, 3, 2}, {60, 60, 64, 5, 1},
                               {14, 14, 500, 3, 1}};
  for (auto [h, w, c, k, stride] : depths)
    if (isTaken(h * w * c * k * k))
      addNamed("linalg.depthwise_conv_2d_nhwc_hwc",
               formatv("{{dilations = dense<1> : tensor<2xi64>, strides = "
                       "dense<{0}> : tensor<2xi64>}",
                       stride)
                   .str(),
               {{1, (h - 1) * stride + k, (w - 1) * stride + k, c}, {k, k, c}},
               {1, h, w, c});
}

void KernelList::addPools() {
  const int64_t sizes[][5] = {{5, 5, 16, 2, 2},   {12, 12, 24, 3, 2},
                              {20, 20, 5, 3, 1},  {28, 28, 64, 3, 2},
                              {50, 50, 48, 3, 2}, {1, 1, 600, 8, 1}};
  for (auto [h, w, c, k, stride] : sizes)
    for (const char *op :
         {"linalg.pooling_nhwc_max", "linalg.pooling_nhwc_sum"})
      if (isTaken(h * w * c * k * k))
        addNamed(op,
                 formatv("{{dilations = dense<1> : tensor<2xi64>, strides = "
                         "dense<{0}> : tensor<2xi64>}",
                         stride)
                     .str(),
                 {{1, (h - 1) * stride + k, (w - 1) * stride + k, c}, {k, k}},
                 {1, h, w, c});
}

void KernelList::addSums() {
  const int64_t sizes[][2] = {{7, 12},    {60, 40},   {300, 100},
                              {50, 2000}, {900, 900}, {3000, 500}};
  for (auto [rows, columns] : sizes)
    if (isTaken(rows * columns)) {
      addGeneric({{rows, columns}}, {columns}, "rp", {"d0, d1", "d1"}, kSum);
      addGeneric({{rows, columns}}, {rows}, "pr", {"d0, d1", "d0"}, kSum);
    }
}

void KernelList::addMaps(ArrayRef<int64_t> caches) {
  const int64_t rows[] = {1, 5, 20, 70, 300, 1200, 5000};
  for (int64_t n : rows) {
    if (!isTaken(n * 400))
      continue;
    addGeneric({{n, 400}}, {n, 400}, "pp", {"d0, d1", "d0, d1"},
               "    %s = arith.addf %x0, %x0 : f32\n"
               "    linalg.yield %s : f32\n");
    addGeneric({{n, 400}, {400}}, {n, 400}, "pp", {"d0, d1", "d1", "d0, d1"},
               kAdd);
  }
  // Working sets of a third and of two thirds of each cache, and past the last.
  SmallVector<int64_t, 8> sets;
  int64_t last = 0;
  for (int64_t cache : caches) {
    sets.push_back(last + (cache - last) / 3);
    sets.push_back(last + (cache - last) * 2 / 3);
    last = cache;
  }
  sets.push_back(last * 2);
  sets.push_back(last * 3);
  for (int64_t bytes : sets) {
    const int64_t elements = bytes / 12;
    if (elements < 64 || bytes > (int64_t(1) << 28) ||
        (isQuick && bytes > (1 << 20)))
      continue;
    addGeneric({{elements}, {elements}}, {elements}, "p", {"d0", "d0", "d0"},
               kAdd);
    kernels.back().isStream = true;
  }
}

void KernelList::addMoves() {
  const int64_t sizes[][3] = {{3, 5, 7},     {6, 40, 30},   {10, 100, 60},
                              {4, 300, 200}, {8, 500, 400}, {3, 1100, 900}};
  for (auto [a, b, c] : sizes) {
    if (!isTaken(a * b * c))
      continue;
    addGeneric({{a, b, c}}, {a, c, b}, "ppp", {"d0, d2, d1", "d0, d1, d2"},
               kCopy);
    addGeneric({{b, c}}, {a, b, c}, "ppp", {"d1, d2", "d0, d1, d2"}, kCopy);
    const std::string type = typeOf({a, b, c});
    kernels.push_back(
        {"tensor.pad",
         formatv("func.func @main(%a: {0}) -> {1} {{\n"
                 "  %zero = arith.constant 0.0 : f32\n"
                 "  %r = tensor.pad %a low[1, 1, 0] high[1, 1, 0] {{\n"
                 "  ^bb0(%i: index, %j: index, %k: index):\n"
                 "    tensor.yield %zero : f32\n"
                 "  } : {0} to {1}\n  return %r : {1}\n}\n",
                 type, typeOf({a + 2, b + 2, c}))
             .str(),
         "tensor.pad"});
    kernels.push_back(
        {"tensor.concat",
         formatv("func.func @main(%a: {0}, %b: {0}) -> {1} {{\n"
                 "  %r = tensor.concat dim(1) %a, %b : ({0}, {0}) -> {1}\n"
                 "  return %r : {1}\n}\n",
                 type, typeOf({a, 2 * b, c}))
             .str(),
         "tensor.concat"});
    // Views are free if nothing writes to them: more than the same without.
    const std::string flat = typeOf({a * b, c}), half = typeOf({a, b / 2, c});
    auto sumOf = [&](const std::string &from, const std::string &move,
                     const std::string &to) {
      return formatv("func.func @main(%a: {0}) -> {2} {{\n{1}"
                     "  %r = arith.addf %v, %v : {2}\n"
                     "  return %r : {2}\n}\n",
                     from, move, to)
          .str();
    };
    auto sumAlone = [&](const std::string &of) {
      return sumOf(of, "  %v = tensor.cast %a : " + of + " to " + of + "\n",
                   of);
    };
    kernels.push_back(
        {"tensor.collapse_shape",
         sumOf(type,
               "  %v = tensor.collapse_shape %a [[0, 1], [2]] : " + type +
                   " into " + flat + "\n",
               flat),
         "tensor.collapse_shape", sumAlone(flat)});
    kernels.push_back(
        {"tensor.expand_shape",
         sumOf(flat,
               formatv("  %v = tensor.expand_shape %a [[0, 1], [2]] "
                       "output_shape [{2}, {3}, {4}] : {0} into {1}\n",
                       flat, type, a, b, c)
                   .str(),
               type),
         "tensor.expand_shape", sumAlone(type)});
    kernels.push_back(
        {"tensor.extract_slice",
         sumOf(type,
               formatv("  %v = tensor.extract_slice %a[0, 0, 0] [{0}, {1}, {2}]"
                       " [1, 1, 1] : {3} to {4}\n",
                       a, b / 2, c, type, half)
                   .str(),
               half),
         "tensor.extract_slice", sumAlone(half)});
  }
}

void KernelList::addSteps() {
  const std::pair<const char *, const char *> steps[] = {
      {"arith.divf", "%x0, %x0"},    {"math.exp", "%x0"},
      {"math.log", "%x0"},           {"math.tanh", "%x0"},
      {"math.sqrt", "%x0"},          {"math.rsqrt", "%x0"},
      {"math.erf", "%x0"},           {"math.sin", "%x0"},
      {"math.cos", "%x0"},           {"math.powf", "%x0, %x0"},
      {"arith.maximumf", "%x0, %x0"}};
  for (int64_t n : {2000, 9000}) {
    const std::string plain =
        generic({{n}}, {n}, "p", {"d0", "d0"},
                "    %s = arith.negf %x0 : f32\n    linalg.yield %s : f32\n");
    for (auto [name, operands] : steps) {
      if (isQuick && n > 2000)
        continue;
      CalibrationKernel kernel;
      kernel.group = name;
      kernel.program =
          generic({{n}}, {n}, "p", {"d0", "d0"},
                  formatv("    %s = {0} {1} : f32\n    linalg.yield %s : f32\n",
                          name, operands)
                      .str());
      kernel.root = "linalg.generic";
      kernel.baseline = plain;
      kernel.isStep = true;
      kernels.push_back(std::move(kernel));
    }
  }
}

std::vector<CalibrationKernel>
mlir::tensoraccess::getCalibrationKernels(bool quick,
                                          ArrayRef<int64_t> caches) {
  KernelList list(quick);
  list.addMaps(caches);
  list.addProducts();
  list.addConvolutions();
  list.addPools();
  list.addSums();
  list.addMoves();
  list.addSteps();
  return std::move(list.kernels);
}
