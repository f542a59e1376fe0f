//===- StableHloReductions.cpp - Reductions, windows, whole lines ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variadic ops take several inputs together: every result depends on every
// input, and on every initial value, as in XLA's indexing analysis.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The number of inputs of an op with as many initial values, all scalars; 0 if
/// it is not of that form. Inputs have one shape, and so have results, one for
/// each.
static unsigned getNumInputs(HloOp &op) {
  const unsigned count = op.out.size();
  if (op.in.size() != 2 * count || !op.areScalars(count, 2 * count))
    return 0;
  for (unsigned i = 1; i < count; ++i)
    if (!op.equateAll(op.in[i], op.in[0]) ||
        !op.equateAll(op.out[i], op.out[0]))
      return 0;
  return count;
}

static std::optional<Nest> buildReduce(HloOp &op) {
  auto dims = op.integers("dimensions");
  const unsigned count = getNumInputs(op);
  if (count == 0 || !dims || !areDims(*dims, op.in[0].size()))
    return std::nullopt;
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < int64_t(op.in[0].size()); ++i)
    if (!llvm::is_contained(*dims, i))
      kept.push_back(i);
  std::optional<Nest> nest = op.makeProjection(kept, count);
  if (nest)
    nest->readSingle(count, 2 * count);
  return nest;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static std::optional<Nest> buildReduceWindow(HloOp &op) {
  const unsigned count = getNumInputs(op);
  const size_t rank = count ? op.in[0].size() : 0;
  auto sizes = op.integers("window_dimensions", rank, 1);
  auto windows = getHloWindows(op, rank, "base_dilations", "window_dilations");
  if (count == 0 || !sizes || !windows || op.out[0].size() != rank)
    return std::nullopt;
  for (auto [i, window] : llvm::enumerate(*windows)) {
    const int64_t size = (*sizes)[i];
    if (!window.equate(op, op.in[0][i], op.out[0][i], Form(size)))
      return std::nullopt;
    // A dimension without windows keeps its size.
    if (size == 1 && window.stride == 1 && window.base == 1 &&
        window.low == 0 && window.high == 0 &&
        !op.equate(op.in[0][i], op.out[0][i]))
      return std::nullopt;
  }
  SizeList extents = op.out[0];
  for (int64_t size : *sizes)
    extents.push_back(Form(size));
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Reduce;
  for (unsigned r = 0; r < count; ++r)
    nest.write(r, nest.getAxes().take_front(rank));
  NestRead read;
  for (auto [i, window] : llvm::enumerate(*windows))
    read.index.push_back(
        window.getInput(nest, nest[i], nest[rank + i], op.in[0][i], i, read));
  for (unsigned o = 0; o < count; ++o) {
    read.value = o;
    nest.reads.push_back(read);
  }
  nest.readSingle(count, 2 * count);
  return nest;
}

/// (operand, source, init): each window of the operand chooses one of its
/// elements, which takes the source's element for that window. Which one is
/// known only at run time, so each element of a window may depend on all.
static std::optional<Nest> buildSelectAndScatter(HloOp &op) {
  if (op.in.size() != 3 || op.out.size() != 1 ||
      !op.equateAll(op.in[0], op.out[0]) || !op.isStatic() || !op.isScalar(2))
    return std::nullopt;
  const size_t rank = op.in[0].size();
  auto sizes = op.integers("window_dimensions", rank, 1);
  auto windows = getHloWindows(op, rank, "base_dilations", "window_dilations");
  if (!sizes || !windows || op.in[1].size() != rank)
    return std::nullopt;
  // The source, the element that is hit, another one of its window; all of the
  // result.
  SizeList extents = op.in[1];
  for (unsigned twice : {0, 1}) {
    (void)twice;
    for (int64_t size : *sizes)
      extents.push_back(Form(size));
  }
  llvm::append_range(extents, op.out[0]);
  for (auto [i, window] : llvm::enumerate(*windows))
    if (window.base != 1 ||
        !window.equate(op, op.in[0][i], op.in[1][i], Form((*sizes)[i])))
      return std::nullopt;
  Nest nest = op.makeNest(extents);
  NestAccess hit;
  NestRead other;
  for (auto [i, window] : llvm::enumerate(*windows)) {
    const Form &size = op.in[0][i];
    hit.index.push_back(
        window.getInput(nest, nest[i], nest[rank + i], size, i, hit));
    other.index.push_back(
        window.getInput(nest, nest[i], nest[2 * rank + i], size, i, other));
  }
  other.write = 0;
  nest.writes.push_back(std::move(hit));
  nest.write(0, nest.getAxes().take_back(rank));
  nest.reads.push_back(std::move(other));
  nest.read(1, nest.getAxes().take_front(rank)).write = 0;
  nest.read(2, {}).write = 1;
  return nest;
}

//===----------------------------------------------------------------------===//
// Whole lines
//===----------------------------------------------------------------------===//

/// Each result reads all elements of each operand that differ from its index
/// only in these dimensions. Results have one shape.
static Nest makeLines(const HloOp &op, ArrayRef<int64_t> dims) {
  SizeList extents = op.out[0];
  for (int64_t dim : dims)
    extents.push_back(op.in[0][dim]);
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> out = nest.getAxes().take_front(op.out[0].size());
  SmallVector<Form> index(out);
  for (auto [i, dim] : llvm::enumerate(dims))
    index[dim] = nest[out.size() + i];
  for (unsigned r = 0; r < op.out.size(); ++r)
    nest.write(r, out);
  for (unsigned o = 0; o < op.in.size(); ++o)
    nest.read(o, index);
  return nest;
}

/// Where an element of the sorted line comes from depends on the whole line, of
/// all operands.
static std::optional<Nest> buildSort(HloOp &op) {
  auto attr = op.signature.get<IntegerAttr>("dimension");
  int64_t rank = op.in.empty() ? 0 : op.in[0].size();
  int64_t dim = attr && attr.getValue().isSignedIntN(64)
                    ? attr.getValue().getSExtValue()
                    : -1;
  dim += dim < 0 ? rank : 0;
  if (op.in.size() != op.out.size() || dim < 0 || dim >= rank ||
      !op.areAlike(op.in.size()))
    return std::nullopt;
  return makeLines(op, dim);
}

/// The greatest elements of the last dimension, and where they are.
static std::optional<Nest> buildTopK(HloOp &op) {
  if (op.in.size() != 1 || op.out.size() != 2 || op.in[0].empty())
    return std::nullopt;
  SizeList sizes = op.in[0];
  auto count = op.index("k");
  sizes.back() = count ? Form(*count) : op.out[0].back();
  if (!op.equateAll(op.out[0], sizes) || !op.equateAll(op.out[1], sizes) ||
      !op.isStatic())
    return std::nullopt;
  return makeLines(op, int64_t(op.in[0].size()) - 1);
}

/// The last dimensions, as many as fft_length has, are transformed as a whole.
static std::optional<Nest> buildFft(HloOp &op) {
  auto lengths = op.integers("fft_length");
  size_t rank = op.in.size() == 1 ? op.in[0].size() : 0;
  if (op.in.size() != 1 || op.out.size() != 1 || !lengths || lengths->empty() ||
      lengths->size() > rank)
    return std::nullopt;
  SizeList sizes = op.in[0];
  StringRef kind = getHloKeyword(op.attribute("fft_type"));
  if (kind == "RFFT")
    sizes.back() = Form(lengths->back() / 2 + 1);
  else if (kind == "IRFFT")
    sizes.back() = Form(lengths->back());
  if (!op.equateAll(op.out[0], sizes) || !op.isStatic())
    return std::nullopt;
  return makeLines(
      op, llvm::to_vector(llvm::seq<int64_t>(rank - lengths->size(), rank)));
}

void tensoraccess::registerHloReductions(HloRegister add) {
  add("reduce", buildReduce);
  add("reduce_window", buildReduceWindow);
  add("select_and_scatter", buildSelectAndScatter);
  add("sort", buildSort);
  for (StringRef name : {"top_k", "topk"})
    add(name, buildTopK);
  add("fft", buildFft);
}
