//===- Tensor.cpp - What the tensor dialect's ops read --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model writes down the loops in which result and operand meet, and lets
// Core's `relate` solve them in both directions. Offsets and indices that are
// values become runtime variables, bounded by what keeps the access inside.
//
// Sizes that are values are dynamic shapes; the answer is then unknown.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "TensorAccess/Core/Relation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A rectangular, strided part of a tensor (extract_slice, insert_slice; insert
/// and extract of one element have size 1 everywhere).
struct Slice {
  /// One entry per dimension of the tensor; a dynamic offset is kDynamic.
  SmallVector<int64_t> tensor, offsets, sizes, strides;
  /// Dimensions of the tensor that the slice, of smaller rank, still has.
  SmallVector<unsigned> kept;
  /// The operand that is the first dynamic offset; the others follow it.
  unsigned firstOffset = 0;

  /// From the attributes of op; `tensorType` is the big one.
  static std::optional<Slice> get(const OpSignature &signature,
                                  Type tensorType, Type sliceType,
                                  IndexingReason &reason);
  /// The offsets as forms; dynamic ones are runtime variables of `loops`,
  /// which must have its other variables already.
  SmallVector<Form> addOffsets(IndexingMapBuilder &loops) const;
  /// Where the runtime variables of `addOffsets` come from.
  MapDetails getSources() const;
  /// The loops over slice indices; slice index first or tensor index first.
  IndexingMap getLoops(bool sliceFirst) const;
  /// Adds to the pair (result, operand) of two tensors of the big shape every
  /// index outside of the slice, as disjoint maps.
  void addComplement(OpIndexing &indexing, unsigned result,
                     unsigned operand) const;
};

} // namespace

std::optional<Slice> Slice::get(const OpSignature &signature, Type tensorType,
                                Type sliceType, IndexingReason &reason) {
  reason = IndexingReason::UnsupportedForm;
  auto offsets = signature.get<DenseI64ArrayAttr>("static_offsets");
  auto sizes = signature.get<DenseI64ArrayAttr>("static_sizes");
  auto strides = signature.get<DenseI64ArrayAttr>("static_strides");
  auto tensor = getIndexSpace(tensorType, reason);
  auto slice = getIndexSpace(sliceType, reason);
  if (!offsets || !sizes || !strides || !tensor || !slice)
    return std::nullopt;
  if (ShapedType::isDynamicShape(sizes.asArrayRef())) {
    reason = IndexingReason::DynamicShape;
    return std::nullopt;
  }
  if (ShapedType::isDynamicShape(strides.asArrayRef()) ||
      llvm::any_of(strides.asArrayRef(), [](int64_t s) { return s <= 0; }))
    return std::nullopt;
  auto dropped = computeRankReductionMask(sizes.asArrayRef(), *slice);
  if (!dropped)
    return std::nullopt;
  Slice result{*tensor, SmallVector<int64_t>(offsets.asArrayRef()),
               SmallVector<int64_t>(sizes.asArrayRef()),
               SmallVector<int64_t>(strides.asArrayRef()),
               {},
               0};
  for (unsigned i = 0; i < tensor->size(); ++i)
    if (!dropped->contains(i))
      result.kept.push_back(i);
  return result;
}

SmallVector<Form> Slice::addOffsets(IndexingMapBuilder &loops) const {
  SmallVector<Form> forms;
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (!ShapedType::isDynamic(offsets[i])) {
      forms.push_back(Form(offsets[i]));
      continue;
    }
    int64_t reach = std::max<int64_t>(sizes[i] - 1, 0);
    std::optional<int64_t> span = checkedMul(reach, strides[i]);
    Interval range = span ? Interval(0, tensor[i] - 1 - *span)
                          : Interval(0, tensor[i] - 1);
    forms.push_back(loops.addRuntime(range));
  }
  return forms;
}

MapDetails Slice::getSources() const {
  MapDetails details;
  for (int64_t offset : offsets)
    if (ShapedType::isDynamic(offset))
      details.runtime.push_back(
          RuntimeSource{unsigned(firstOffset + details.runtime.size()),
                        IndexingMap::identity({}), Interval::all()});
  return details;
}

IndexingMap Slice::getLoops(bool sliceFirst) const {
  IndexingMapBuilder loops;
  SmallVector<Form> x = addLoops(loops, sizes), slice, big;
  SmallVector<Form> first = addOffsets(loops);
  for (unsigned i : kept)
    slice.push_back(x[i]);
  for (size_t i = 0; i < tensor.size(); ++i)
    big.push_back(loops.arena().addScaled(first[i], x[i], strides[i]));
  addResults(loops, sliceFirst ? slice : big);
  addResults(loops, sliceFirst ? big : slice);
  return loops.build();
}

/// With y_i = x_i - offset_i: the first dimension k in which x leaves the slice
/// is below it, above it, or between its strides.
void Slice::addComplement(OpIndexing &indexing, unsigned result,
                          unsigned operand) const {
  enum Where { Below, Above, Between };
  if (llvm::is_contained(sizes, 0)) {
    IndexingMap identity = IndexingMap::identity(tensor).simplify();
    return indexing.add(result, operand, identity, identity);
  }
  bool any = false;
  for (size_t k = 0; k < tensor.size(); ++k) {
    for (Where where : {Below, Above, Between}) {
      IndexingMapBuilder loops;
      SmallVector<Form> x = addLoops(loops, tensor);
      SmallVector<Form> offset = addOffsets(loops);
      FormArena &arena = loops.arena();
      auto inside = [&](size_t i) {
        return Interval(0, (sizes[i] - 1) * strides[i]);
      };
      for (size_t i = 0; i < k; ++i) {
        Form y = arena.sub(x[i], offset[i]);
        loops.addConstraint(y, inside(i));
        if (strides[i] > 1)
          loops.addConstraint(arena.mod(y, strides[i]), Interval::point(0));
      }
      Form y = arena.sub(x[k], offset[k]);
      Interval reach = arena.range(y), part = inside(k);
      if (where == Below)
        part = Interval(reach.lower, -1);
      else if (where == Above)
        part = Interval(part.upper + 1, reach.upper);
      else
        loops.addConstraint(arena.mod(y, strides[k]),
                            Interval(1, strides[k] - 1));
      if (part.isEmpty() || (where == Between && strides[k] == 1))
        continue;
      loops.addConstraint(y, part);
      addResults(loops, x);
      addResults(loops, x);
      IndexingMap map = loops.build();
      if (map.simplify().isKnownEmpty())
        continue;
      addRelation(indexing, result, operand, tensor, tensor, map, getSources());
      any = true;
    }
  }
  if (!any)
    indexing.add(result, operand, emptyMap(tensor, tensor.size()),
                 emptyMap(tensor, tensor.size()));
}

/// Operands from `first` on are scalars that say where: read for every element.
static void addScalars(OpIndexing &indexing, const OpSignature &signature,
                       unsigned first) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto out = getIndexSpace(signature.resultTypes[0], reason);
  for (unsigned o = first; o < signature.operandTypes.size(); ++o) {
    if (out)
      addRelation(indexing, 0, o, *out, {}, IndexingMap::identity(*out));
    else
      indexing.setUnknown(0, o, reason);
  }
}

static OpIndexing inferExtractSlice(const OpSignature &signature) {
  IndexingReason reason;
  auto slice = Slice::get(signature, signature.operandTypes[0],
                          signature.resultTypes[0], reason);
  if (!slice)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  slice->firstOffset = 1;
  SmallVector<int64_t> sizes;
  for (unsigned i : slice->kept)
    sizes.push_back(slice->sizes[i]);
  addRelation(indexing, 0, 0, sizes, slice->tensor, slice->getLoops(true),
              slice->getSources());
  addScalars(indexing, signature, 1);
  return indexing;
}

static OpIndexing inferInsertSlice(const OpSignature &signature) {
  IndexingReason reason;
  auto slice = Slice::get(signature, signature.operandTypes[1],
                          signature.operandTypes[0], reason);
  if (!slice || signature.resultTypes.size() != 1)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  slice->firstOffset = 2;
  SmallVector<int64_t> sizes;
  for (unsigned i : slice->kept)
    sizes.push_back(slice->sizes[i]);
  addRelation(indexing, 0, 0, slice->tensor, sizes, slice->getLoops(false),
              slice->getSources());
  slice->addComplement(indexing, 0, 1);
  addScalars(indexing, signature, 2);
  return indexing;
}

/// The single element at runtime indices of a tensor of this type.
static std::optional<Slice> getElement(Type tensorType,
                                       IndexingReason &reason) {
  reason = IndexingReason::UnsupportedForm;
  auto tensor = getIndexSpace(tensorType, reason);
  if (!tensor)
    return std::nullopt;
  size_t rank = tensor->size();
  return Slice{*tensor, SmallVector<int64_t>(rank, ShapedType::kDynamic),
               SmallVector<int64_t>(rank, 1), SmallVector<int64_t>(rank, 1),
               {}, 0};
}

static OpIndexing inferExtract(const OpSignature &signature) {
  IndexingReason reason;
  auto element = getElement(signature.operandTypes[0], reason);
  if (!element || !getIndexSpace(signature.resultTypes[0], reason))
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  element->firstOffset = 1;
  addRelation(indexing, 0, 0, {}, element->tensor, element->getLoops(true),
              element->getSources());
  addScalars(indexing, signature, 1);
  return indexing;
}

static OpIndexing inferInsert(const OpSignature &signature) {
  IndexingReason reason;
  auto element = getElement(signature.operandTypes[1], reason);
  if (!element || !getIndexSpace(signature.operandTypes[0], reason))
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  element->firstOffset = 2;
  addRelation(indexing, 0, 0, element->tensor, {}, element->getLoops(false),
              element->getSources());
  element->addComplement(indexing, 0, 1);
  addScalars(indexing, signature, 2);
  return indexing;
}

/// result[x] = source[x - low] where that is inside. What lies outside comes
/// from the region.
static OpIndexing inferPad(const OpSignature &signature) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto low = signature.get<DenseI64ArrayAttr>("static_low");
  auto in = getIndexSpace(signature.operandTypes[0], reason);
  auto out = getIndexSpace(signature.resultTypes[0], reason);
  if (!low || !in || !out)
    return signature.unknown(reason);
  if (ShapedType::isDynamicShape(low.asArrayRef()))
    return signature.unknown(IndexingReason::DynamicShape);
  IndexingMapBuilder loops;
  SmallVector<Form> x = addLoops(loops, *in);
  for (auto [form, shift] : llvm::zip_equal(x, low.asArrayRef()))
    loops.addResult(loops.arena().add(form, Form(shift)));
  addResults(loops, x);
  // Negative padding cuts off.
  IndexingMap map = loops.build();
  for (auto [i, size] : llvm::enumerate(*out))
    map = map.withConstraint(map.getResult(i), Interval::ofExtent(size));
  OpIndexing indexing = signature.nothingRead();
  addRelation(indexing, 0, 0, *out, *in, map);
  addScalars(indexing, signature, 1);
  return indexing;
}

static OpIndexing inferConcat(const OpSignature &signature) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto dim = signature.get<IntegerAttr>("dim");
  auto out = getIndexSpace(signature.resultTypes[0], reason);
  if (!dim || !out)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  int64_t offset = 0;
  for (auto [o, type] : llvm::enumerate(signature.operandTypes)) {
    auto in = getIndexSpace(type, reason);
    if (!in) // the offsets of all that follow are unknown, too
      return signature.unknown(reason);
    IndexingMapBuilder loops;
    SmallVector<Form> x = addLoops(loops, *in), y = x;
    y[dim.getInt()] = loops.arena().add(x[dim.getInt()], Form(offset));
    addResults(loops, y);
    addResults(loops, x);
    addRelation(indexing, 0, o, *out, *in, loops.build());
    offset += (*in)[dim.getInt()];
  }
  return indexing;
}

/// The element of row-major number i is operand i.
static OpIndexing inferFromElements(const OpSignature &signature) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto out = getIndexSpace(signature.resultTypes[0], reason);
  if (!out)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  for (auto [o, type] : llvm::enumerate(signature.operandTypes)) {
    if (!getIndexSpace(type, reason)) {
      indexing.setUnknown(0, o, reason);
      continue;
    }
    IndexingMapBuilder loops;
    int64_t number = o;
    SmallVector<Form> index;
    for (int64_t size : llvm::reverse(*out)) {
      index.push_back(Form(number % size));
      number /= size;
    }
    addResults(loops, llvm::to_vector(llvm::reverse(index)));
    addRelation(indexing, 0, o, *out, {}, loops.build());
  }
  return indexing;
}

static OpIndexing inferSplat(const OpSignature &signature) {
  OpIndexing indexing = signature.nothingRead();
  addScalars(indexing, signature, 0);
  return indexing;
}

/// Only the shape is asked for; operands from 1 on are scalars.
static OpIndexing inferShapeOnly(const OpSignature &signature) {
  OpIndexing indexing = signature.nothingRead();
  addScalars(indexing, signature, 1);
  return indexing;
}

static OpIndexing inferNothing(const OpSignature &signature) {
  return signature.nothingRead();
}

static OpIndexing inferFromData(const OpSignature &signature) {
  return signature.unknown(IndexingReason::NotAffine);
}

/// Elements stay where they are; shapes may differ in what is known of them.
static OpIndexing inferCast(const OpSignature &signature) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto in = getIndexSpace(signature.operandTypes[0], reason);
  auto out = getIndexSpace(signature.resultTypes[0], reason);
  // A static side says what the dynamic one is.
  if (!in && !out)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  IndexingMap identity = IndexingMap::identity(in ? *in : *out).simplify();
  indexing.add(0, 0, identity, identity);
  return indexing;
}

void tensoraccess::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachModel<tensor::BitcastOp, inferCast>(context);
    attachModel<tensor::CastOp, inferCast>(context);
    attachModel<tensor::CollapseShapeOp, inferReshape>(context);
    attachModel<tensor::ConcatOp, inferConcat>(context);
    attachModel<tensor::DimOp, inferShapeOnly>(context);
    attachModel<tensor::EmptyOp, inferNothing>(context);
    attachModel<tensor::ExpandShapeOp, inferReshape>(context);
    attachModel<tensor::ExtractOp, inferExtract>(context);
    attachModel<tensor::ExtractSliceOp, inferExtractSlice>(context);
    attachModel<tensor::FromElementsOp, inferFromElements>(context);
    attachModel<tensor::GatherOp, inferFromData>(context);
    attachModel<tensor::GenerateOp, inferNothing>(context);
    attachModel<tensor::InsertOp, inferInsert>(context);
    attachModel<tensor::InsertSliceOp, inferInsertSlice>(context);
    attachModel<tensor::PadOp, inferPad>(context);
    attachModel<tensor::RankOp, inferShapeOnly>(context);
    attachModel<tensor::ReshapeOp, inferReshape>(context);
    attachModel<tensor::ScatterOp, inferFromData>(context);
    attachModel<tensor::SplatOp, inferSplat>(context);
  });
}
