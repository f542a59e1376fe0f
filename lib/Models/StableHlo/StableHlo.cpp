//===- StableHlo.cpp - What StableHLO's ops read, by name -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of all families, and what their builders share. Ops about which
// nothing can be said have a reason: control flow, side effects, calls, types
// that are no tensors.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool HloOp::loadShapes(IndexingReason &reason) {
  reason = IndexingReason::UnsupportedForm;
  auto load = [&](ArrayRef<Type> types, auto &shapes) {
    for (Type type : types) {
      auto shape = getIndexSpace(type, reason);
      if (!shape)
        return false;
      shapes.push_back(std::move(*shape));
    }
    return true;
  };
  isStatic =
      load(signature.operandTypes, in) && load(signature.resultTypes, out);
  return isStatic;
}

std::optional<SmallVector<int64_t>> HloOp::integers(StringRef name) const {
  return getHloIntegers(attribute(name));
}

std::optional<SmallVector<int64_t>>
HloOp::integers(StringRef name, size_t count, int64_t otherwise) const {
  if (!attribute(name))
    return SmallVector<int64_t>(count, otherwise);
  auto numbers = integers(name);
  if (!numbers || numbers->size() != count)
    return std::nullopt;
  return numbers;
}

std::optional<int64_t> HloOp::index(StringRef name) const {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute(name));
  if (!number || !number.getValue().isSignedIntN(64) ||
      number.getValue().isNegative())
    return std::nullopt;
  return number.getValue().getSExtValue();
}

bool HloOp::flag(StringRef name, bool otherwise) const {
  auto value = dyn_cast_or_null<BoolAttr>(attribute(name));
  return value ? value.getValue() : otherwise;
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

Form HloNest::runtime(Interval range, unsigned operand, Interval clamp) {
  shape.runtime.push_back(
      RuntimeSource{operand, IndexingMap::identity({}), clamp});
  sources.emplace_back();
  return builder.addRuntime(range);
}

Form HloNest::unknown(Interval range) {
  shape.runtime.push_back(std::nullopt);
  sources.emplace_back();
  return builder.addRuntime(range);
}

/// A map of which only the number of results matters.
static IndexingMap makeShape(size_t numResults) {
  return IndexingMap::identity(SmallVector<int64_t>(numResults, 1));
}

void HloNest::emit(const HloOp &op, OpIndexing &indexing, unsigned r,
                   unsigned o) {
  addResults(builder, result);
  addResults(builder, operand);
  for (auto [source, index] : llvm::zip_equal(shape.runtime, sources)) {
    if (!source)
      continue;
    addResults(builder, index);
    source->map = makeShape(index.size());
  }
  if (replica) {
    builder.addResult(*replica);
    shape.replica = makeShape(1);
    shape.groups = groups;
  }
  addRelation(indexing, r, o, op.out[r], op.in[o], builder.build(), shape);
}

bool tensoraccess::addIdentity(const HloOp &op, OpIndexing &indexing,
                               unsigned r, unsigned o) {
  if (op.out[r] != op.in[o])
    return false;
  IndexingMap identity = IndexingMap::identity(op.out[r]).simplify();
  indexing.add(r, o, identity, identity);
  return true;
}

void tensoraccess::addAll(const HloOp &op, OpIndexing &indexing, unsigned r,
                          unsigned o) {
  HloNest nest;
  nest.result = nest.loops(op.out[r]);
  nest.operand = nest.loops(op.in[o]);
  nest.emit(op, indexing, r, o);
}

void tensoraccess::addOutside(
    const HloOp &op, OpIndexing &indexing, unsigned r, unsigned o,
    ArrayRef<int64_t> counts, ArrayRef<int64_t> strides,
    function_ref<SmallVector<Form>(HloNest &)> makeLows) {
  ArrayRef<int64_t> shape = op.out[r];
  bool isScalar = op.in[o].empty();
  if (llvm::is_contained(counts, 0)) {
    // Everything is outside.
    HloNest nest;
    nest.result = nest.loops(shape);
    if (!isScalar)
      nest.operand = nest.result;
    return nest.emit(op, indexing, r, o);
  }
  // The first dimension k in which the index leaves the box is below it, above
  // it, or between its strides.
  enum Where { Below, Above, Between };
  for (size_t k = 0; k < shape.size(); ++k) {
    for (Where where : {Below, Above, Between}) {
      if (where == Between && strides[k] == 1)
        continue;
      HloNest nest;
      nest.result = nest.loops(shape);
      if (!isScalar)
        nest.operand = nest.result;
      SmallVector<Form> lows = makeLows(nest);
      auto inside = [&](size_t i) {
        return Interval::ofExtent(counts[i]).scaled(strides[i]);
      };
      for (size_t i = 0; i < k; ++i) {
        Form y = nest.sub(nest.result[i], lows[i]);
        nest.require(y, inside(i));
        if (strides[i] > 1)
          nest.require(nest.arena().mod(y, strides[i]), Interval::point(0));
      }
      Form y = nest.sub(nest.result[k], lows[k]);
      Interval reach = nest.arena().range(y), part = inside(k);
      if (where == Below)
        part = Interval(reach.lower, -1);
      else if (where == Above)
        part = Interval(part.upper + 1, reach.upper);
      else
        nest.require(nest.arena().mod(y, strides[k]),
                     Interval(1, strides[k] - 1));
      if (part.isEmpty() || reach.intersect(part).isEmpty())
        continue;
      nest.require(y, part);
      // Pieces without points say nothing.
      OpIndexing piece(1, 1);
      HloOp only(op.signature);
      only.out = {op.out[r]};
      only.in = {op.in[o]};
      nest.emit(only, piece, 0, 0);
      if (piece.outputToInput(0, 0).isUnknown()) {
        indexing.setUnknown(r, o, piece.firstReason());
        return;
      }
      const IndexingSet &down = piece.outputToInput(0, 0);
      const IndexingSet &up = piece.inputToOutput(0, 0);
      if (down.size() == 1 && up.size() == 1 &&
          !down.getMaps().front().isKnownEmpty() &&
          !up.getMaps().front().isKnownEmpty())
        indexing.add(r, o, down.getEntry(0), up.getEntry(0));
    }
  }
}

//===----------------------------------------------------------------------===//
// Ops that have a reason instead
//===----------------------------------------------------------------------===//

static constexpr struct {
  StringLiteral name;
  IndexingReason reason;
} kReasons[] = {
    {"while", IndexingReason::ControlFlow},
    {"if", IndexingReason::ControlFlow},
    {"case", IndexingReason::ControlFlow},
    {"infeed", IndexingReason::SideEffects},
    {"outfeed", IndexingReason::SideEffects},
    {"send", IndexingReason::SideEffects},
    {"recv", IndexingReason::SideEffects},
    {"after_all", IndexingReason::SideEffects},
    {"create_token", IndexingReason::SideEffects},
    {"composite", IndexingReason::UnknownCallee},
    {"async_start", IndexingReason::UnknownCallee},
    {"async_update", IndexingReason::UnknownCallee},
    {"async_done", IndexingReason::UnknownCallee},
    {"fusion", IndexingReason::UnknownCallee},
    {"tuple", IndexingReason::NotShaped},
    {"get_tuple_element", IndexingReason::NotShaped},
    {"dynamic_conv", IndexingReason::NotAffine},
    {"dynamic_pad", IndexingReason::NotAffine},
    {"real_dynamic_slice", IndexingReason::NotAffine},
};

static void addModels(MLIRContext *, TensorAccessDialect *dialect) {
  auto addToAll = [&](StringRef name, const IndexingModel &model) {
    for (StringRef hlo : {"stablehlo.", "mhlo.", "chlo."})
      addIndexingModel(dialect, (hlo + name).str(), model);
  };
  auto add = [&](StringRef name, HloBuilder builder) {
    addToAll(name, [builder, name = name.str()](const OpSignature &signature) {
      HloOp op(signature);
      IndexingReason reason;
      if (!op.loadShapes(reason) && reason != IndexingReason::DynamicShape)
        return signature.unknown(reason);
      if (!builder || !op.isStatic)
        return inferSizedHlo(op, name, isElementwise(builder));
      OpIndexing indexing = signature.nothingRead();
      if (!builder(op, indexing))
        return signature.unknown(IndexingReason::UnsupportedForm);
      return indexing;
    });
  };
  registerHloElementwise(add);
  registerHloMovement(add);
  registerHloSlicing(add);
  registerHloReductions(add);
  registerHloContractions(add);
  registerHloGathers(add);
  registerHloCollectives(add);
  registerHloLinearAlgebra(add);
  registerHloSized(add);
  for (const auto &entry : kReasons)
    addToAll(entry.name, [reason = entry.reason](const OpSignature &signature) {
      return signature.unknown(reason);
    });
}

void tensoraccess::registerStableHloModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, TensorAccessDialect *dialect) {
        addModels(context, dialect);
      });
}
