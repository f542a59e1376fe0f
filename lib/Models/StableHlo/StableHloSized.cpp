//===- StableHloSized.cpp - StableHLO over sizes of any kind --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a dimension is `?`, its size is a parameter of the maps (OpSizes.h).
// Each builder says which sizes the op forces to be equal, then who meets in
// which loops. Dynamic ops that are not here are unknown (DynamicShape). Static
// ones come here as well, but for those that have a model of fewer constraints
// or of more forms.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "TensorAccess/Interfaces/OpSizes.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct HloSizedOp : SizedOp {
  explicit HloSizedOp(const HloOp &op) : SizedOp(op.signature), op(op) {}

  const HloOp &op;
};

using SizedBuilder = bool (*)(HloSizedOp &);

} // namespace

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

/// A dynamic operand size is 1 or the result's, unless the attribute says
/// which.
static bool buildBroadcast(HloSizedOp &d) {
  auto dims = d.op.integers("broadcast_dimensions");
  if (d.in.empty() || d.out.size() != 1 || !dims ||
      dims->size() != d.in[0].size() || !areDims(*dims, d.out[0].size()))
    return false;
  auto kept = d.op.integers("known_nonexpanding_dimensions");
  auto isKept = [&](int64_t i) { return kept && llvm::is_contained(*kept, i); };
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    auto size = d.sizes.getStatic(d.in[0][i]);
    if (((size && *size != 1) || isKept(i)) &&
        !d.equate(d.in[0][i], d.out[0][dim]))
      return false;
  }
  Loops loops(d.sizes, d.out[0]);
  SmallVector<Form> index;
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    if (d.sizes.getStatic(d.in[0][i]) == 1)
      index.push_back(Form(0));
    else if (d.sizes.resolve(d.in[0][i]) == d.sizes.resolve(d.out[0][dim]))
      index.push_back(loops[dim]);
    else {
      index.push_back(
          loops.arena().min(loops[dim], getLast(loops, d.in[0][i])));
      // A size of 0 is the result's: then there is nothing to read.
      loops.keepIfNotEmpty(d.in[0][i]);
    }
  }
  d.connect(loops, loops.get(), 0, index);
  return true;
}

static bool buildTranspose(HloSizedOp &d) {
  auto permutation = d.op.integers("permutation");
  return d.in.size() == 1 && d.out.size() == 1 && permutation &&
         d.addTranspose(*permutation);
}

static bool buildReverse(HloSizedOp &d) {
  auto dims = d.op.integers("dimensions");
  if (d.in.size() != 1 || d.out.size() != 1 || !dims ||
      !areDims(*dims, d.in[0].size()) || !d.equateAll(d.in[0], d.out[0]))
    return false;
  Loops loops(d.sizes, d.out[0]);
  SmallVector<Form> index(loops.get());
  for (int64_t dim : *dims)
    index[dim] = loops.arena().sub(getLast(loops, d.out[0][dim]), loops[dim]);
  d.connect(loops, loops.get(), 0, index);
  return true;
}

static bool buildSlice(HloSizedOp &d) {
  size_t rank = d.in.size() == 1 ? d.in[0].size() : 0;
  auto starts = d.op.integers("start_indices", rank, 0);
  auto limits = d.op.integers("limit_indices");
  auto strides = d.op.integers("strides", rank, 1);
  if (d.in.size() != 1 || d.out.size() != 1 || d.out[0].size() != rank ||
      !starts || !limits || limits->size() != rank || !strides)
    return false;
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = (*starts)[i], limit = (*limits)[i], stride = (*strides)[i];
    if (start < 0 || stride <= 0)
      return false;
    auto in = d.sizes.getStatic(d.in[0][i]),
         out = d.sizes.getStatic(d.out[0][i]);
    if (in && out &&
        (limit < start || limit > *in ||
         ceilDivPositive(limit - start, stride) != *out))
      return false;
  }
  Loops loops(d.sizes, d.out[0]);
  SmallVector<Form> index;
  for (size_t i = 0; i < rank; ++i)
    index.push_back(
        loops.arena().addScaled(Form((*starts)[i]), loops[i], (*strides)[i]));
  d.connect(loops, loops.get(), 0, index);
  return true;
}

static bool buildConcatenate(HloSizedOp &d) {
  auto dim = d.op.index("dimension");
  return d.out.size() == 1 && !d.in.empty() && dim && d.addConcat(*dim);
}

/// Only edges: with interior padding, an empty dimension has another formula.
static bool buildPad(HloSizedOp &d) {
  size_t rank = d.in.size() == 2 ? d.in[0].size() : 0;
  auto lows = d.op.integers("edge_padding_low", rank, 0);
  auto highs = d.op.integers("edge_padding_high", rank, 0);
  auto interiors = d.op.integers("interior_padding", rank, 0);
  if (d.in.size() != 2 || d.out.size() != 1 || d.out[0].size() != rank ||
      !d.in[1].empty() || !lows || !highs || !interiors)
    return false;
  for (size_t i = 0; i < rank; ++i) {
    auto edges = checkedAdd((*lows)[i], (*highs)[i]);
    if ((*interiors)[i] != 0 || !edges ||
        !d.equate(d.out[0][i],
                  d.sizes.getArena().add(d.in[0][i], Form(*edges))))
      return false;
  }
  Padding padding{d.in[0], d.out[0], {}, {}};
  padding.low.assign(lows->begin(), lows->end());
  padding.lowSources.resize(rank);
  padding.connectInside(d.sizes, d.indexing);
  padding.forEachBorder(
      d.sizes, [&](Loops &loops) { d.connect(loops, loops.get(), 1, {}); });
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

static bool buildReduce(HloSizedOp &d) {
  unsigned count = d.out.size();
  auto dims = d.op.integers("dimensions");
  if (count == 0 || d.in.size() != 2 * count || !dims ||
      !areDims(*dims, d.in[0].size()))
    return false;
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < int64_t(d.in[0].size()); ++i)
    if (!llvm::is_contained(*dims, i))
      kept.push_back(i);
  for (unsigned i = 0; i < count; ++i)
    if (!d.equateAll(d.in[i], d.in[0]) || !d.equateAll(d.out[i], d.out[0]) ||
        !d.in[count + i].empty())
      return false;
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned o = 0; o < count; ++o)
      if (!d.addProjection(kept, o, r))
        return false;
    d.addSingle(count, 2 * count, r);
  }
  return true;
}

/// Where an element of the sorted line comes from depends on the whole line, of
/// all operands.
static bool buildSort(HloSizedOp &d) {
  auto attr = d.op.signature.get<IntegerAttr>("dimension");
  int64_t rank = d.in.empty() ? 0 : d.in[0].size();
  int64_t dim = attr && attr.getValue().isSignedIntN(64)
                    ? attr.getValue().getSExtValue()
                    : -1;
  dim += dim < 0 ? rank : 0;
  if (d.in.size() != d.out.size() || dim < 0 || dim >= rank)
    return false;
  for (unsigned i = 0; i < d.in.size(); ++i)
    if (!d.equateAll(d.in[i], d.in[0]) || !d.equateAll(d.out[i], d.in[0]))
      return false;
  for (unsigned r = 0; r < d.out.size(); ++r) {
    for (unsigned o = 0; o < d.in.size(); ++o) {
      SizeList extents = d.out[r];
      extents.push_back(d.in[o][dim]);
      Loops loops(d.sizes, extents);
      SmallVector<Form> index(loops.get().drop_back());
      index[dim] = loops.get().back();
      d.connect(loops, loops.get().drop_back(), o, index, r);
    }
  }
  return true;
}

/// result[batch, lhs free, rhs free] = sum over contracted dimensions.
static bool addDot(HloSizedOp &d, ArrayRef<int64_t> lhsBatch,
                   ArrayRef<int64_t> rhsBatch, ArrayRef<int64_t> lhsContract,
                   ArrayRef<int64_t> rhsContract) {
  ArrayRef<int64_t> batch[] = {lhsBatch, rhsBatch};
  ArrayRef<int64_t> contract[] = {lhsContract, rhsContract};
  SmallVector<int64_t> free[2];
  for (unsigned o : {0u, 1u}) {
    SmallVector<int64_t> used(batch[o]);
    llvm::append_range(used, contract[o]);
    if (!areDims(used, d.in[o].size()))
      return false;
    for (int64_t i = 0; i < int64_t(d.in[o].size()); ++i)
      if (!llvm::is_contained(used, i))
        free[o].push_back(i);
  }
  if (batch[0].size() != batch[1].size() ||
      contract[0].size() != contract[1].size())
    return false;
  SizeList expected;
  for (auto [l, r] : llvm::zip_equal(batch[0], batch[1])) {
    if (!d.equate(d.in[0][l], d.in[1][r]))
      return false;
    expected.push_back(d.in[0][l]);
  }
  for (auto [l, r] : llvm::zip_equal(contract[0], contract[1]))
    if (!d.equate(d.in[0][l], d.in[1][r]))
      return false;
  for (unsigned o : {0u, 1u})
    for (int64_t dim : free[o])
      expected.push_back(d.in[o][dim]);
  if (!d.equateAll(d.out[0], expected))
    return false;
  for (unsigned o : {0u, 1u}) {
    SizeList extents = d.out[0];
    for (int64_t dim : contract[o])
      extents.push_back(d.in[o][dim]);
    Loops loops(d.sizes, extents);
    SmallVector<Form> index(d.in[o].size());
    for (auto [i, dim] : llvm::enumerate(batch[o]))
      index[dim] = loops[i];
    for (auto [i, dim] : llvm::enumerate(contract[o]))
      index[dim] = loops[d.out[0].size() + i];
    size_t next = batch[o].size() + (o == 0 ? 0 : free[0].size());
    for (int64_t dim : free[o])
      index[dim] = loops[next++];
    d.connect(loops, loops.get().take_front(d.out[0].size()), o, index);
  }
  return true;
}

static bool buildDotGeneral(HloSizedOp &d) {
  std::string error;
  auto numbers = parseHloFields(
      getHloText(d.op.attribute("dot_dimension_numbers")), "dot", error);
  return d.in.size() == 2 && d.out.size() == 1 && numbers &&
         addDot(d, numbers->list("lhs_batching_dimensions"),
                numbers->list("rhs_batching_dimensions"),
                numbers->list("lhs_contracting_dimensions"),
                numbers->list("rhs_contracting_dimensions"));
}

/// Vectors and matrices: the last dimension of the one, the first of the other.
static bool buildDot(HloSizedOp &d) {
  return d.in.size() == 2 && d.out.size() == 1 && !d.in[0].empty() &&
         !d.in[1].empty() && d.in[0].size() <= 2 && d.in[1].size() <= 2 &&
         addDot(d, {}, {}, {int64_t(d.in[0].size()) - 1}, {0});
}

/// Without base dilation: position = stride * o + dilation * w - low.
static bool buildReduceWindow(HloSizedOp &d) {
  unsigned count = d.out.size();
  size_t rank = d.in.empty() ? 0 : d.in[0].size();
  auto windows = d.op.integers("window_dimensions", rank, 1);
  auto strides = d.op.integers("window_strides", rank, 1);
  auto bases = d.op.integers("base_dilations", rank, 1);
  auto dilations = d.op.integers("window_dilations", rank, 1);
  auto padding = d.op.integers("padding", 2 * rank, 0);
  if (count == 0 || d.in.size() != 2 * count || !windows || !strides ||
      !bases || !dilations || !padding)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (!d.equateAll(d.in[i], d.in[0]) || d.out[i].size() != rank ||
        !d.equateAll(d.out[i], d.out[0]) || !d.in[count + i].empty())
      return false;
  for (size_t i = 0; i < rank; ++i) {
    if ((*windows)[i] < 0 || (*strides)[i] <= 0 || (*dilations)[i] <= 0 ||
        (*bases)[i] != 1)
      return false;
    // A dimension without windows keeps its size.
    if ((*windows)[i] == 1 && (*strides)[i] == 1 && (*padding)[2 * i] == 0 &&
        (*padding)[2 * i + 1] == 0 && !d.equate(d.in[0][i], d.out[0][i]))
      return false;
  }
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned o = 0; o < count; ++o) {
      SizeList extents = d.out[r];
      for (int64_t window : *windows)
        extents.push_back(Form(window));
      Loops loops(d.sizes, extents);
      FormArena &arena = loops.arena();
      SmallVector<Form> index;
      for (size_t i = 0; i < rank; ++i) {
        Form x = arena.scale(loops[i], (*strides)[i]);
        x = arena.addScaled(x, loops[rank + i], (*dilations)[i]);
        index.push_back(arena.sub(x, Form((*padding)[2 * i])));
        loops.keepInside(index.back(), d.in[o][i]);
      }
      d.connect(loops, loops.get().take_front(rank), o, index, r);
    }
    d.addSingle(count, 2 * count, r);
  }
  return true;
}

/// Without input dilation and groups.
static bool buildConvolution(HloSizedOp &d) {
  std::string error;
  auto numbers = parseHloConvolution(
      getHloText(d.op.attribute("dimension_numbers")), error);
  if (!numbers || d.in.size() != 2 || d.out.size() != 1)
    return false;
  size_t rank = numbers->input.rank(), spatial = rank - 2;
  auto strides = d.op.integers("window_strides", spatial, 1);
  auto padding = d.op.integers("padding", 2 * spatial, 0);
  auto bases = d.op.integers("lhs_dilation", spatial, 1);
  auto dilations = d.op.integers("rhs_dilation", spatial, 1);
  auto reversal = d.op.integers("window_reversal", spatial, 0);
  auto isOne = [&](StringRef name) {
    return !d.op.attribute(name) || d.op.index(name) == 1;
  };
  if (d.in[0].size() != rank || d.in[1].size() != rank ||
      d.out[0].size() != rank || !strides || !padding || !bases || !dilations ||
      !reversal || !isOne("feature_group_count") || !isOne("batch_group_count"))
    return false;
  for (size_t i = 0; i < spatial; ++i)
    if ((*strides)[i] <= 0 || (*dilations)[i] <= 0 || (*bases)[i] != 1)
      return false;
  if (!d.equate(d.in[0][numbers->input.first],
                d.out[0][numbers->output.first]) ||
      !d.equate(d.in[0][numbers->input.second],
                d.in[1][numbers->kernel.first]) ||
      !d.equate(d.in[1][numbers->kernel.second],
                d.out[0][numbers->output.second]))
    return false;
  for (unsigned o : {0u, 1u}) {
    // The output's loops, input features, then the window's.
    SizeList extents = d.out[0];
    extents.push_back(d.in[1][numbers->kernel.first]);
    for (int64_t dim : numbers->kernel.spatial)
      extents.push_back(d.in[1][dim]);
    Loops loops(d.sizes, extents);
    FormArena &arena = loops.arena();
    SmallVector<Form> input(rank), kernel(rank);
    input[numbers->input.first] = loops[numbers->output.first];
    input[numbers->input.second] = loops[rank];
    kernel[numbers->kernel.first] = loops[rank];
    kernel[numbers->kernel.second] = loops[numbers->output.second];
    for (size_t i = 0; i < spatial; ++i) {
      Form w = loops[rank + 1 + i];
      int64_t kernelDim = numbers->kernel.spatial[i];
      Form x =
          arena.addScaled(arena.negate(Form((*padding)[2 * i])),
                          loops[numbers->output.spatial[i]], (*strides)[i]);
      x = arena.addScaled(x, w, (*dilations)[i]);
      // Padding is multiplied by the kernel, too (StableHloContractions.cpp).
      int64_t inputDim = numbers->input.spatial[i];
      if (o == 0)
        loops.keepInside(x, d.in[0][inputDim]);
      input[inputDim] = x;
      kernel[kernelDim] =
          (*reversal)[i] ? arena.sub(getLast(loops, d.in[1][kernelDim]), w) : w;
    }
    d.connect(loops, loops.get().take_front(rank), o, o == 0 ? input : kernel);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

/// Starts are clamped, so that the slice is inside.
static bool buildDynamicSlice(HloSizedOp &d) {
  if (d.in.empty() || d.out.size() != 1)
    return false;
  size_t rank = d.in[0].size();
  if (d.out[0].size() != rank || d.in.size() != 1 + rank)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (!d.in[1 + i].empty())
      return false;
  Loops loops(d.sizes, d.out[0]);
  SmallVector<Form> index;
  for (size_t i = 0; i < rank; ++i) {
    Form start = addRuntimeStart(loops, d.sizes, d.in[0][i], d.out[0][i],
                                 {unsigned(1 + i), {}});
    index.push_back(loops.arena().add(loops[i], start));
  }
  d.connect(loops, loops.get(), 0, index);
  d.addSingle(1, 1 + rank);
  return true;
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

static bool buildNothing(HloSizedOp &) { return true; }

/// Builders by name. Those of static sizes, too, have no other.
static constexpr struct {
  StringLiteral name;
  SizedBuilder build;
  bool takesStatic = false;
} kBuilders[] = {
    {"broadcast_in_dim", buildBroadcast, true},
    {"concatenate", buildConcatenate, true},
    {"convolution", buildConvolution},
    {"dot", buildDot, true},
    {"dot_general", buildDotGeneral, true},
    {"dynamic_broadcast_in_dim", buildBroadcast, true},
    {"dynamic_iota", buildNothing},
    {"dynamic_slice", buildDynamicSlice},
    {"get_dimension_size", buildNothing},
    {"iota", buildNothing},
    {"pad", buildPad},
    {"reduce", buildReduce, true},
    {"reduce_window", buildReduceWindow},
    {"reverse", buildReverse, true},
    {"slice", buildSlice, true},
    {"sort", buildSort, true},
    {"transpose", buildTranspose, true},
};

OpIndexing tensoraccess::inferSizedHlo(const HloOp &op, StringRef name,
                                       bool isElementwise) {
  const OpSignature &signature = op.signature;
  if (isElementwise)
    return inferElementwise(signature);
  if (name == "reshape" || name == "dynamic_reshape")
    return inferReshape(signature);
  const auto *row = llvm::find_if(
      kBuilders, [&](const auto &entry) { return entry.name == name; });
  if (row == std::end(kBuilders))
    return signature.unknown(IndexingReason::DynamicShape);
  HloSizedOp sized(op);
  if (!sized.isValid)
    return sized.unknown();
  if (!row->build(sized))
    return signature.unknown(op.isStatic ? IndexingReason::UnsupportedForm
                                         : IndexingReason::DynamicShape);
  return sized.finish();
}

void tensoraccess::registerHloSized(HloRegister add) {
  for (const auto &row : kBuilders)
    if (row.takesStatic)
      add(row.name, nullptr);
}
