//===- TensorAccessIndexing.cpp - What the dialect's ops read -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IndexingOpInterface for access patterns. The index space of a pattern is its
// access dimensions followed by its compute dimensions. Each op is written as
// the loops in which result and operand meet, straight from the formula in its
// description (a access, c compute, t tuple, w window, k kernel indices);
// Core's `relate` gives both directions.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "Types/OpHelpers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The sizes of a pattern or tensor.
static std::optional<SmallVector<int64_t>> getSpace(Type type,
                                                    IndexingReason &reason) {
  auto access = dyn_cast<AccessType>(type);
  if (!access)
    return getIndexSpace(type, reason);
  if (access.hasStaticShape())
    return access.getShape();
  reason = IndexingReason::DynamicShape;
  return std::nullopt;
}

/// Calls `relateOperand(loops, result, operand)` for the operand's shape with a
/// builder to be filled with loops and with the results: first those that index
/// the op's result, then those that index the operand.
template <typename Fn>
static OpIndexing inferLoops(const OpSignature &signature, Fn relateOperand) {
  OpIndexing indexing = signature.nothingRead();
  for (unsigned o = 0; o < signature.operandTypes.size(); ++o) {
    IndexingReason reason = IndexingReason::UnsupportedForm;
    auto in = getSpace(signature.operandTypes[o], reason);
    auto out = getSpace(signature.resultTypes[0], reason);
    IndexingMapBuilder loops;
    if (!in || !out || !relateOperand(loops, ArrayRef(*in), ArrayRef(*out), o))
      indexing.setUnknown(0, o, reason);
    else
      addRelation(indexing, 0, o, *out, *in, loops.build());
  }
  return indexing;
}

static void addResults(IndexingMapBuilder &loops, ArrayRef<Form> forms) {
  for (const Form &form : forms)
    loops.addResult(form);
}

/// Ops that keep the row-major number of each element. Reshapes keep it for
/// access and compute dimensions separately, hence for both together.
static OpIndexing inferSameNumber(const OpSignature &signature) {
  OpIndexing indexing = signature.nothingRead();
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto in = getSpace(signature.operandTypes[0], reason);
  auto out = getSpace(signature.resultTypes[0], reason);
  if (!in || !out)
    indexing.setUnknown(0, 0, reason);
  else
    indexing.add(0, 0, reshapeMap(*out, *in), reshapeMap(*in, *out));
  return indexing;
}

OpIndexing AccessOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing ToTensorOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing SqueezeOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing InsertAxisOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing FlattenOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing ReshapeOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing ShiftRightOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}
OpIndexing MaterializeOp::inferIndexing(const OpSignature &s) {
  return inferSameNumber(s);
}

/// result[x(perm[0]), x(perm[1]), …] = pattern[x]
OpIndexing TransposeOp::inferIndexing(const OpSignature &s) {
  auto perm = s.get<DenseI64ArrayAttr>("perm");
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned) {
    if (!perm)
      return false;
    SmallVector<Form> x = loops.addDims(in);
    for (int64_t dim : perm.asArrayRef())
      loops.addResult(x[dim]);
    addResults(loops, x);
    return true;
  });
}

/// result[a ++ b | 0, c] = lhs[a | c], result[a ++ b | 1, c] = rhs[b | c]
OpIndexing CartProdOp::inferIndexing(const OpSignature &s) {
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned operand) {
    int64_t a = cast<AccessType>(s.operandTypes[0]).getAccessRank();
    int64_t b = cast<AccessType>(s.operandTypes[1]).getAccessRank();
    SmallVector<int64_t> sizes(out.take_front(a + b));
    llvm::append_range(sizes, out.drop_front(a + b + 1));
    SmallVector<Form> x = loops.addDims(sizes);
    ArrayRef<Form> ab = ArrayRef(x).take_front(a + b);
    ArrayRef<Form> c = ArrayRef(x).drop_front(a + b);
    addResults(loops, ab);
    loops.addResult(Form(operand));
    addResults(loops, c);
    addResults(loops, operand == 0 ? ab.take_front(a) : ab.drop_front(a));
    addResults(loops, c);
    return true;
  });
}

/// result[a | 0, c] = lhs[a | c], result[a | 1, c] = rhs[a | c]
OpIndexing PairOp::inferIndexing(const OpSignature &s) {
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned operand) {
    size_t access = cast<AccessType>(s.operandTypes[0]).getAccessRank();
    SmallVector<Form> x = loops.addDims(in);
    addResults(loops, ArrayRef(x).take_front(access));
    loops.addResult(Form(operand));
    addResults(loops, ArrayRef(x).drop_front(access));
    addResults(loops, x);
    return true;
  });
}

/// result[x + k] = pattern[x], with k along the axis the sizes of the operands
/// before.
OpIndexing ConcatOp::inferIndexing(const OpSignature &s) {
  auto axis = s.get<IntegerAttr>("axis");
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned operand) {
    if (!axis)
      return false;
    int64_t dim = axis.getInt(), before = 0;
    for (unsigned o = 0; o < operand; ++o) {
      int64_t size = cast<AccessType>(s.operandTypes[o]).getShape()[dim];
      if (size == kDynamicSize)
        return false;
      before += size;
    }
    SmallVector<Form> x = loops.addDims(in);
    for (auto [d, form] : llvm::enumerate(x))
      loops.addResult(static_cast<int64_t>(d) == dim
                          ? loops.arena().add(form, Form(before))
                          : form);
    addResults(loops, x);
    return true;
  });
}

Form mlir::tensoraccess::resolveForm(IndexingMapBuilder &loops, Form place,
                                     int64_t size, OutOfBounds::Kind policy) {
  FormArena &arena = loops.arena();
  if (size == 0) {
    loops.setKnownEmpty();
    return place;
  }
  switch (policy) {
  case OutOfBounds::Kind::Forbid:
    return place;
  case OutOfBounds::Kind::Wrap:
  case OutOfBounds::Kind::Negative: // places are in [-size, size)
    return arena.mod(place, size);
  case OutOfBounds::Kind::Clamp:
    return arena.max(arena.min(place, Form(size - 1)), Form(0));
  case OutOfBounds::Kind::Pad:
    loops.addConstraint(place, Interval::ofExtent(size));
    return place;
  }
  llvm_unreachable("every policy is listed");
}

/// result[x] = pattern[offsets + x·strides]
OpIndexing SliceOp::inferIndexing(const OpSignature &s) {
  auto offsets = s.get<DenseI64ArrayAttr>("offsets");
  auto strides = s.get<DenseI64ArrayAttr>("strides");
  auto oob = s.get<OutOfBoundsAttr>("oob");
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned) {
    if (!offsets)
      return false;
    SmallVector<Form> x = loops.addDims(out);
    addResults(loops, x);
    FormArena &arena = loops.arena();
    for (auto [d, form] : llvm::enumerate(x)) {
      Form place = arena.add(arena.scale(form, strides ? strides[d] : 1),
                             Form(offsets[d]));
      loops.addResult(resolveForm(loops, place, in[d],
                                  oob ? oob.getValue().entries[d].kind
                                      : OutOfBounds::Kind::Forbid));
    }
    return true;
  });
}

/// result[x] = pattern[y], y(i) = 0 where the pattern has size 1
OpIndexing BroadcastOp::inferIndexing(const OpSignature &s) {
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned) {
    SmallVector<Form> x = loops.addDims(out);
    addResults(loops, x);
    for (auto [size, form] : llvm::zip_equal(in, x))
      loops.addResult(size == 1 ? Form(0) : form);
    return true;
  });
}

/// result[a ++ w | k] = pattern[a | w·strides + k·dilations]
OpIndexing WindowsOp::inferIndexing(const OpSignature &s) {
  auto shape = s.get<DenseI64ArrayAttr>("shape");
  auto strides = s.get<DenseI64ArrayAttr>("strides");
  auto dilations = s.get<DenseI64ArrayAttr>("dilations");
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned) {
    if (!shape || !strides)
      return false;
    size_t window = shape.size(), access = in.size() - window;
    SmallVector<Form> x = loops.addDims(out);
    addResults(loops, x);
    addResults(loops, ArrayRef(x).take_front(access));
    FormArena &arena = loops.arena();
    for (size_t i = 0; i < window; ++i)
      loops.addResult(arena.add(
          arena.scale(x[access + i], strides[i]),
          arena.scale(x[access + window + i], dilations ? dilations[i] : 1)));
    return true;
  });
}

/// result[low + y·(interior + 1)] = pattern[y]
OpIndexing PadOp::inferIndexing(const OpSignature &s) {
  auto low = s.get<DenseI64ArrayAttr>("low");
  auto interior = s.get<DenseI64ArrayAttr>("interior");
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned) {
    if (!low)
      return false;
    SmallVector<Form> x = loops.addDims(in);
    FormArena &arena = loops.arena();
    for (auto [d, form] : llvm::enumerate(x))
      loops.addResult(arena.add(
          arena.scale(form, interior && in[d] > 1 ? interior[d] + 1 : 1),
          Form(low[d])));
    addResults(loops, x);
    return true;
  });
}

/// result[a | …] depends on pattern[a | …]: on all of the item (reductions), on
/// all of the tuple at the same place (elementwise over a tuple), on all of the
/// item wherever in it (softmax), or on the same element (the other kinds).
OpIndexing ComputeOp::inferIndexing(const OpSignature &s) {
  auto kind = s.get<ComputeKindAttr>("kind");
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned) {
    if (!kind)
      return false;
    SmallVector<Form> x = loops.addDims(in);
    size_t access = cast<AccessType>(s.operandTypes[0]).getAccessRank();
    addResults(loops, ArrayRef(x).take_front(access));
    // The item's last dimensions are those that the result still has.
    if (kind.getValue() == ComputeKind::Softmax)
      addResults(loops, loops.addDims(in.drop_front(access)));
    else
      addResults(loops, ArrayRef(x).take_back(out.size() - access));
    addResults(loops, x);
    return true;
  });
}

/// result[a ++ j |] = Σ over r of activations[a | r]·weights[| r, j], in blocks
/// or not
OpIndexing SystolicArrayOp::inferIndexing(const OpSignature &s) {
  auto rows = s.get<IntegerAttr>("rows");
  bool isBlocked = bool(s.get<UnitAttr>("blocked"));
  return inferLoops(s, [&](IndexingMapBuilder &loops, ArrayRef<int64_t> in,
                           ArrayRef<int64_t> out, unsigned operand) {
    if (!rows)
      return false;
    SmallVector<Form> x = loops.addDims(out); // a ++ j
    // The operand's rows: the first dimension of an item, the last or only one.
    int64_t depth =
        isBlocked ? in[in.size() - (operand == 0 ? 1 : 2)] : rows.getInt();
    SmallVector<Form> r = loops.addDims({depth});
    addResults(loops, x);
    if (operand == 0) {
      addResults(loops, ArrayRef(x).drop_back());
      loops.addResult(r[0]);
    } else {
      addResults(loops, ArrayRef(x).take_front(in.size() - 2)); // the batch
      loops.addResult(r[0]);
      loops.addResult(x.back());
    }
    return true;
  });
}

/// Nobody knows what an accelerator reads for an element of its result.
OpIndexing AcceleratorCallOp::inferIndexing(const OpSignature &s) {
  return s.unknown(IndexingReason::NoModel);
}
