//===- StableHloReductions.cpp - Windows, top_k, fft ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variadic ops take several inputs together: every result depends on every
// input, and on every initial value (seed 000).
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "Windows.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Number of inputs of an op with as many initial values, all of rank 0; 0 if it
/// is not of that form. One result for each, all of one shape.
static unsigned getNumInputs(const HloOp &op) {
  unsigned count = op.numOut();
  if (count == 0 || op.numIn() != 2 * count)
    return 0;
  for (unsigned i = 0; i < count; ++i)
    if (op.in[i] != op.in[0] || !op.in[count + i].empty() ||
        op.out[i] != op.out[0])
      return 0;
  return count;
}

/// All results read all initial values.
static void addInits(const HloOp &op, OpIndexing &indexing, unsigned count) {
  for (unsigned r = 0; r < count; ++r)
    for (unsigned o = count; o < 2 * count; ++o)
      addAll(op, indexing, r, o);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The attributes of reduce_window and select_and_scatter.
static std::optional<SmallVector<WindowDim>>
getWindows(const HloOp &op, ArrayRef<int64_t> input, ArrayRef<int64_t> output) {
  size_t rank = input.size();
  auto sizes = op.integers("window_dimensions", rank, 1);
  auto strides = op.integers("window_strides", rank, 1);
  auto bases = op.integers("base_dilations", rank, 1);
  auto dilations = op.integers("window_dilations", rank, 1);
  auto padding = op.integers("padding", 2 * rank, 0);
  if (!sizes || !strides || !bases || !dilations || !padding ||
      output.size() != rank)
    return std::nullopt;
  SmallVector<WindowDim> windows;
  for (size_t i = 0; i < rank; ++i) {
    WindowDim window{
        input[i],        output[i],   (*sizes)[i],       (*strides)[i],
        (*dilations)[i], (*bases)[i], (*padding)[2 * i], (*padding)[2 * i + 1]};
    if (!window.isConsistent())
      return std::nullopt;
    windows.push_back(window);
  }
  return windows;
}

/// The map between input and output of window dimensions.
static IndexingMap getWindowMap(ArrayRef<WindowDim> windows,
                                WindowDim::Variable known,
                                WindowDim::Variable wanted) {
  IndexingMapBuilder builder;
  SmallVector<Form> x;
  SmallVector<WindowSolution> solutions;
  bool isEmpty = false;
  for (const WindowDim &window : windows) {
    x.push_back(builder.addDim(Interval::ofExtent(window.getSize(known))));
    solutions.emplace_back(window, known, wanted);
    isEmpty |= window.input == 0 || window.output == 0 || window.window == 0;
  }
  if (isEmpty) {
    for (size_t i = 0; i < windows.size(); ++i)
      builder.addResult(Form(0));
    builder.setKnownEmpty();
    return builder.build();
  }
  for (WindowSolution &solution : solutions)
    solution.addSymbol(builder);
  for (auto [solution, form] : llvm::zip_equal(solutions, x))
    builder.addResult(solution.solve(builder, form));
  return builder.build().simplify().removeUnusedSymbols();
}

static bool buildReduceWindow(const HloOp &op, OpIndexing &indexing) {
  unsigned count = getNumInputs(op);
  if (count == 0)
    return false;
  auto windows = getWindows(op, op.in[0], op.out[0]);
  if (!windows)
    return false;
  IndexingMap down =
      getWindowMap(*windows, WindowDim::Output, WindowDim::Input);
  IndexingMap up = getWindowMap(*windows, WindowDim::Input, WindowDim::Output);
  for (unsigned r = 0; r < count; ++r)
    for (unsigned o = 0; o < count; ++o)
      indexing.add(r, o, down, up);
  addInits(op, indexing, count);
  return true;
}

/// (operand, source, init): each window of the operand chooses one of its
/// elements, which takes the source's element for that window. Which one is
/// known only at run time, so each element of a window may depend on all.
static bool buildSelectAndScatter(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 3 || op.numOut() != 1 || op.in[0] != op.out[0] ||
      !op.in[2].empty())
    return false;
  auto windows = getWindows(op, op.in[0], op.in[1]);
  if (!windows || llvm::any_of(*windows, [](const WindowDim &window) {
        return window.base != 1;
      }))
    return false;
  indexing.add(0, 1,
               getWindowMap(*windows, WindowDim::Input, WindowDim::Output),
               getWindowMap(*windows, WindowDim::Output, WindowDim::Input));
  HloNest nest;
  SmallVector<Form> source = nest.loops(op.in[1]);
  SmallVector<std::pair<Form, Form>> offsets;
  for (const WindowDim &window : *windows) {
    Form first = nest.loop(window.window), second = nest.loop(window.window);
    offsets.emplace_back(first, second);
  }
  for (auto [window, x, pair] : llvm::zip_equal(*windows, source, offsets)) {
    Form begin = nest.add(nest.scale(x, window.stride), Form(-window.low));
    Form index = nest.add(begin, nest.scale(pair.first, window.dilation));
    Form other = nest.add(begin, nest.scale(pair.second, window.dilation));
    nest.require(index, Interval::ofExtent(window.input));
    nest.require(other, Interval::ofExtent(window.input));
    nest.result.push_back(index);
    nest.operand.push_back(other);
  }
  nest.emit(op, indexing, 0, 0);
  addAll(op, indexing, 0, 2);
  return true;
}

//===----------------------------------------------------------------------===//
// Whole lines
//===----------------------------------------------------------------------===//

/// Result r reads all elements of operand o that differ from its index only in
/// the given dimensions.
static void addLines(const HloOp &op, OpIndexing &indexing, unsigned r,
                     unsigned o, ArrayRef<int64_t> dims) {
  HloNest nest;
  nest.operand = nest.result = nest.loops(op.out[r]);
  for (int64_t dim : dims)
    nest.operand[dim] = nest.loop(op.in[o][dim]);
  nest.emit(op, indexing, r, o);
}

/// The greatest elements of the last dimension, and where they are.
static bool buildTopK(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 1 || op.numOut() != 2 || op.in[0].empty() ||
      op.out[0] != op.out[1] || op.out[0].size() != op.in[0].size() ||
      ArrayRef(op.out[0]).drop_back() != ArrayRef(op.in[0]).drop_back())
    return false;
  for (unsigned r = 0; r < 2; ++r)
    addLines(op, indexing, r, 0, {int64_t(op.in[0].size()) - 1});
  return true;
}

/// The last dimensions, as many as fft_length has, are transformed as a whole.
static bool buildFft(const HloOp &op, OpIndexing &indexing) {
  auto lengths = op.integers("fft_length");
  size_t rank = op.numIn() > 0 ? op.in[0].size() : 0;
  if (op.numIn() != 1 || op.numOut() != 1 || !lengths ||
      op.out[0].size() != rank || lengths->size() > rank ||
      ArrayRef(op.in[0]).drop_back(lengths->size()) !=
          ArrayRef(op.out[0]).drop_back(lengths->size()))
    return false;
  SmallVector<int64_t> dims;
  for (size_t i = rank - lengths->size(); i < rank; ++i)
    dims.push_back(i);
  addLines(op, indexing, 0, 0, dims);
  return true;
}

void tensoraccess::registerHloReductions(HloRegister add) {
  add("reduce_window", buildReduceWindow);
  add("select_and_scatter", buildSelectAndScatter);
  for (StringRef name : {"top_k", "topk"})
    add(name, buildTopK);
  add("fft", buildFft);
}
