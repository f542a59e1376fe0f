//===- StableHloContractions.cpp - Convolutions and einsum ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution meets its input x and its kernel w, for the output o, at
//
//   spatial   base * x + low = stride * o + dilation * w     (Windows.h)
//   feature   x = (o floordiv (O/G)) * I + i      G groups of features, kernel
//             w = (i, o)                          with I input, O output
//             features
//   batch     x = (o_feature floordiv (O/B)) * (N/B) + o_batch      B groups
//
// The input's maps are exact in all of them. The kernel's have no condition on
// places: what lies between and around the elements of the input is zeros,
// which are multiplied like elements, so that a NaN of the kernel reaches the
// output.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "Windows.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {

struct Convolution {
  HloConvolutionNumbers numbers;
  SmallVector<WindowDim> windows;
  /// Numbers of groups; one of them is 1.
  int64_t featureGroups = 1, batchGroups = 1;
  /// Features that one group reads, and all that there are of the output.
  int64_t groupFeatures = 1, outputFeatures = 1;
  int64_t inputBatch = 1, outputBatch = 1;
  SmallVector<int64_t> input, kernel, output;

  static std::optional<Convolution> get(const HloOp &op);
  IndexingMap outputToInput() const;
  IndexingMap inputToOutput() const;
  IndexingMap outputToKernel() const;
  IndexingMap kernelToOutput() const;

private:
  /// `solutions` for all spatial dimensions, with their symbols.
  SmallVector<WindowSolution> addSolutions(IndexingMapBuilder &builder,
                                           WindowDim::Variable known,
                                           WindowDim::Variable wanted) const;
};

} // namespace

std::optional<Convolution> Convolution::get(const HloOp &op) {
  std::string error;
  auto numbers =
      parseHloConvolution(getHloText(op.attribute("dimension_numbers")), error);
  if (!numbers || op.numIn() != 2 || op.numOut() != 1)
    return std::nullopt;
  Convolution c;
  c.numbers = *numbers;
  c.input = op.in[0];
  c.kernel = op.in[1];
  c.output = op.out[0];
  size_t rank = numbers->input.rank(), spatial = rank - 2;
  if (c.input.size() != rank || c.kernel.size() != rank ||
      c.output.size() != rank)
    return std::nullopt;
  auto strides = op.integers("window_strides", spatial, 1);
  auto padding = op.integers("padding", 2 * spatial, 0);
  auto bases = op.integers("lhs_dilation", spatial, 1);
  auto dilations = op.integers("rhs_dilation", spatial, 1);
  // Which way a window is read changes no set.
  if (!strides || !padding || !bases || !dilations ||
      !op.integers("window_reversal", spatial, 0))
    return std::nullopt;
  for (size_t i = 0; i < spatial; ++i) {
    WindowDim window{c.input[numbers->input.spatial[i]],
                     c.output[numbers->output.spatial[i]],
                     c.kernel[numbers->kernel.spatial[i]],
                     (*strides)[i],
                     (*dilations)[i],
                     (*bases)[i],
                     (*padding)[2 * i],
                     (*padding)[2 * i + 1]};
    if (!window.isConsistent())
      return std::nullopt;
    c.windows.push_back(window);
  }
  for (auto [name, groups] :
       {std::pair("feature_group_count", &c.featureGroups),
        std::pair("batch_group_count", &c.batchGroups)}) {
    if (!op.attribute(name))
      continue;
    auto number = op.index(name);
    if (!number || *number == 0)
      return std::nullopt;
    *groups = *number;
  }
  c.groupFeatures = c.kernel[numbers->kernel.first];
  c.outputFeatures = c.kernel[numbers->kernel.second];
  c.inputBatch = c.input[numbers->input.first];
  c.outputBatch = c.output[numbers->output.first];
  if ((c.featureGroups > 1 && c.batchGroups > 1) ||
      checkedMul(c.groupFeatures, c.featureGroups) !=
          c.input[numbers->input.second] ||
      checkedMul(c.outputBatch, c.batchGroups) != c.inputBatch ||
      c.outputFeatures != c.output[numbers->output.second] ||
      c.outputFeatures % c.featureGroups != 0 ||
      c.outputFeatures % c.batchGroups != 0)
    return std::nullopt;
  return c;
}

SmallVector<WindowSolution>
Convolution::addSolutions(IndexingMapBuilder &builder,
                          WindowDim::Variable known,
                          WindowDim::Variable wanted) const {
  SmallVector<WindowSolution> solutions;
  for (const WindowDim &window : windows) {
    solutions.emplace_back(window, known, wanted);
    solutions.back().addSymbol(builder);
  }
  return solutions;
}

IndexingMap Convolution::outputToInput() const {
  IndexingMapBuilder builder;
  SmallVector<Form> o = addLoops(builder, output), x(input.size());
  auto solutions = addSolutions(builder, WindowDim::Output, WindowDim::Input);
  Form feature = builder.addSymbol(Interval::ofExtent(groupFeatures));
  FormArena &arena = builder.arena();
  for (size_t i = 0; i < windows.size(); ++i)
    x[numbers.input.spatial[i]] =
        solutions[i].solve(builder, o[numbers.output.spatial[i]]);
  const Form &outFeature = o[numbers.output.second];
  x[numbers.input.first] = arena.addScaled(
      o[numbers.output.first],
      arena.floorDiv(outFeature, outputFeatures / batchGroups), outputBatch);
  x[numbers.input.second] = arena.addScaled(
      feature, arena.floorDiv(outFeature, outputFeatures / featureGroups),
      groupFeatures);
  addResults(builder, x);
  return builder.build().simplify().removeUnusedSymbols();
}

IndexingMap Convolution::inputToOutput() const {
  IndexingMapBuilder builder;
  SmallVector<Form> x = addLoops(builder, input), o(output.size());
  auto solutions = addSolutions(builder, WindowDim::Input, WindowDim::Output);
  int64_t block = outputFeatures / featureGroups / batchGroups;
  Form feature = builder.addSymbol(Interval::ofExtent(block));
  FormArena &arena = builder.arena();
  for (size_t i = 0; i < windows.size(); ++i)
    o[numbers.output.spatial[i]] =
        solutions[i].solve(builder, x[numbers.input.spatial[i]]);
  // One of the two is the only group, number 0.
  Form group = arena.add(arena.floorDiv(x[numbers.input.second], groupFeatures),
                         arena.floorDiv(x[numbers.input.first], outputBatch));
  o[numbers.output.first] = arena.mod(x[numbers.input.first], outputBatch);
  o[numbers.output.second] = arena.addScaled(feature, group, block);
  addResults(builder, o);
  return builder.build().simplify().removeUnusedSymbols();
}

IndexingMap Convolution::outputToKernel() const {
  IndexingMapBuilder builder;
  SmallVector<Form> o = addLoops(builder, output), w(kernel.size());
  for (auto [place, window] : llvm::zip_equal(numbers.kernel.spatial, windows))
    w[place] = builder.addSymbol(Interval::ofExtent(window.window));
  w[numbers.kernel.first] =
      builder.addSymbol(Interval::ofExtent(groupFeatures));
  w[numbers.kernel.second] = o[numbers.output.second];
  addResults(builder, w);
  return builder.build().simplify().removeUnusedSymbols();
}

IndexingMap Convolution::kernelToOutput() const {
  IndexingMapBuilder builder;
  SmallVector<Form> w = addLoops(builder, kernel), o(output.size());
  for (auto [place, window] : llvm::zip_equal(numbers.output.spatial, windows))
    o[place] = builder.addSymbol(Interval::ofExtent(window.output));
  o[numbers.output.first] = builder.addSymbol(Interval::ofExtent(outputBatch));
  o[numbers.output.second] = w[numbers.kernel.second];
  addResults(builder, o);
  return builder.build().simplify().removeUnusedSymbols();
}

static bool buildConvolution(const HloOp &op, OpIndexing &indexing) {
  auto c = Convolution::get(op);
  if (!c)
    return false;
  const size_t rank = c->output.size();
  const bool hasProducts =
      !llvm::is_contained(c->kernel, 0) && !llvm::is_contained(c->output, 0);
  if (hasProducts && !llvm::is_contained(c->input, 0))
    indexing.add(0, 0, c->outputToInput(), c->inputToOutput());
  else
    indexing.add(0, 0, emptyMap(c->output, rank), emptyMap(c->input, rank));
  // An input without elements may be padded all the same.
  if (hasProducts)
    indexing.add(0, 1, c->outputToKernel(), c->kernelToOutput());
  else
    indexing.add(0, 1, emptyMap(c->output, rank), emptyMap(c->kernel, rank));
  return true;
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// `ab,bc->ac`: a letter per dimension; letters that the result lacks are summed
/// over, repeated ones are diagonals.
static bool buildEinsum(const HloOp &op, OpIndexing &indexing) {
  auto config = op.signature.get<StringAttr>("einsum_config");
  if (!config || op.numOut() != 1)
    return false;
  auto [inputs, output] = config.getValue().split("->");
  SmallVector<StringRef> operands;
  inputs.split(operands, ',');
  if (operands.size() != op.numIn())
    return false;
  std::map<char, int64_t> sizes;
  auto readSizes = [&](StringRef letters, ArrayRef<int64_t> shape) {
    if (letters.size() != shape.size())
      return false;
    for (auto [letter, size] : llvm::zip_equal(letters, shape))
      if (!llvm::isAlpha(letter) ||
          sizes.try_emplace(letter, size).first->second != size)
        return false;
    return true;
  };
  for (auto [letters, shape] : llvm::zip_equal(operands, op.in))
    if (!readSizes(letters, shape))
      return false;
  size_t known = sizes.size();
  if (!readSizes(output, op.out[0]) || sizes.size() != known)
    return false;
  for (unsigned o = 0; o < op.numIn(); ++o) {
    HloNest nest;
    std::map<char, Form> loops;
    for (auto [letter, size] : sizes)
      loops[letter] = nest.loop(size);
    for (char letter : output)
      nest.result.push_back(loops[letter]);
    for (char letter : operands[o])
      nest.operand.push_back(loops[letter]);
    nest.emit(op, indexing, 0, o);
  }
  return true;
}

void tensoraccess::registerHloContractions(HloRegister add) {
  add("convolution", buildConvolution);
  for (StringRef name : {"einsum", "unary_einsum"})
    add(name, buildEinsum);
}
