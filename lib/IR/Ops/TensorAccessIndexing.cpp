//===- TensorAccessIndexing.cpp - What the dialect's ops read -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nests of access patterns. The index space of a pattern is its access
// dimensions followed by its compute dimensions. Each op is written straight from
// the formula in its description (a access, c compute, t tuple, w window, k
// kernel indices).
//
//===----------------------------------------------------------------------===//

#include "Ops/StaticOp.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/TensorAccess.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<StaticOp> StaticOp::get(const OpSignature &signature,
                                      IndexingReason &reason) {
  StaticOp op{signature, {}, {}, {}, {}, {}};
  auto load = [](Type type, std::vector<SmallVector<int64_t>> &shapes,
                 std::vector<SizeList> &sizes) {
    IndexingReason why = IndexingReason::DynamicShape;
    std::optional<SmallVector<int64_t>> shape = getIndexSpace(type, why);
    SizeList &list = sizes.emplace_back();
    for (int64_t size : shape.value_or(SmallVector<int64_t>()))
      list.push_back(Form(size));
    shapes.push_back(shape.value_or(SmallVector<int64_t>()));
    return shape ? IndexingReason::None : why;
  };
  for (Type type : signature.resultTypes)
    if ((reason = load(type, op.out, op.results)) != IndexingReason::None)
      return std::nullopt;
  bool isAnyKnown = signature.operandTypes.empty();
  for (Type type : signature.operandTypes) {
    op.reasons.push_back(load(type, op.in, op.operands));
    isAnyKnown |= op.reasons.back() == IndexingReason::None;
  }
  if (isAnyKnown)
    return op;
  reason = op.reasons.front();
  return std::nullopt;
}

Nest StaticOp::makeNest(ArrayRef<int64_t> extents, NestBody body) const {
  SizeList list;
  for (int64_t extent : extents)
    list.push_back(Form(extent));
  Nest nest(OpSizes(signature), operands, results, list);
  nest.body = body;
  return nest;
}

Nest StaticOp::makeResultNest(NestBody body) const {
  Nest nest = makeNest(out[0], body);
  nest.write(0, nest.getAxes());
  return nest;
}

/// The nest that `make` gives an op whose sizes are known.
template <typename Fn>
static NestRef inferStatic(const OpSignature &signature, Fn make) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  std::optional<StaticOp> op = StaticOp::get(signature, reason);
  if (!op)
    return share(signature.unknown(reason));
  std::optional<Nest> nest = make(*op);
  if (!nest)
    return share(signature.unknown(IndexingReason::UnsupportedForm));
  for (NestRead &read : nest->reads)
    if (!op->isKnown(read.value))
      read.reason = op->reasons[read.value];
  return share(std::move(*nest));
}

/// The nest that `make` says of an op, which may have sizes that are known only
/// at run time along dimensions that it leaves alone.
template <typename Fn>
static NestRef inferSized(const OpSignature &signature, Fn make) {
  SizedOp op(signature);
  if (!op.isValid)
    return share(op.unknown());
  if (std::optional<Nest> nest = make(op))
    return share(std::move(*nest));
  const bool isStatic = llvm::all_of(
      llvm::concat<const SizeList>(op.in, op.out), [&](const SizeList &list) {
        return llvm::all_of(
            list, [&](const Form &size) { return size.isConstant(); });
      });
  return share(signature.unknown(isStatic ? IndexingReason::UnsupportedForm
                                          : IndexingReason::DynamicShape));
}

/// Ops that keep the row-major number of each element. Reshapes keep it for
/// access and compute dimensions separately, hence for both together.
static NestRef inferSameNumber(const OpSignature &signature) {
  return share(inferReshape(signature));
}

NestRef AccessOp::inferNest(const OpSignature &s) { return inferSameNumber(s); }
NestRef ToTensorOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}
NestRef SqueezeOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}
NestRef InsertAxisOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}
NestRef FlattenOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}
NestRef ReshapeOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}
NestRef ShiftRightOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}
NestRef MaterializeOp::inferNest(const OpSignature &s) {
  return inferSameNumber(s);
}

/// result[x(perm[0]), x(perm[1]), …] = pattern[x]
NestRef TransposeOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    auto perm = s.get<DenseI64ArrayAttr>("perm");
    if (!perm)
      return std::nullopt;
    for (auto [size, dim] : llvm::zip_equal(op.out[0], perm.asArrayRef()))
      op.equate(size, op.in[0][dim]);
    Nest nest = op.makeNest(op.in[0]);
    nest.body = NestBody::Move;
    SmallVector<Form> index;
    for (int64_t dim : perm.asArrayRef())
      index.push_back(nest[dim]);
    nest.write(0, index);
    nest.read(0, nest.getAxes());
    return nest;
  });
}

/// The axes with `number` in place `at`: a position in a tuple.
static SmallVector<Form> insertAt(ArrayRef<Form> axes, size_t at,
                                  int64_t number) {
  SmallVector<Form> index(axes);
  index.insert(index.begin() + at, Form(number));
  return index;
}

/// result[a ++ b | 0, c] = lhs[a | c], result[a ++ b | 1, c] = rhs[b | c]
NestRef CartProdOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    const size_t a = cast<AccessType>(s.operandTypes[0]).getAccessRank();
    const size_t b = cast<AccessType>(s.operandTypes[1]).getAccessRank();
    SizeList sizes(ArrayRef(op.out[0]).take_front(a + b));
    llvm::append_range(sizes, ArrayRef(op.out[0]).drop_front(a + b + 1));
    SizeList both(ArrayRef(op.in[0]).take_front(a));
    llvm::append_range(both, ArrayRef(op.in[1]).take_front(b));
    llvm::append_range(both, ArrayRef(op.in[0]).drop_front(a));
    if (!op.equateAll(sizes, both) ||
        !op.equateAll(ArrayRef(op.in[0]).drop_front(a),
                      ArrayRef(op.in[1]).drop_front(b)))
      return std::nullopt;
    Nest nest = op.makeNest(sizes);
    nest.body = NestBody::Move;
    ArrayRef<Form> x = nest.getAxes(), c = x.drop_front(a + b);
    for (unsigned o : {0, 1}) {
      nest.write(0, insertAt(x, a + b, o));
      SmallVector<Form> index(o == 0 ? x.take_front(a) : x.slice(a, b));
      llvm::append_range(index, c);
      nest.read(o, index).write = o;
    }
    return nest;
  });
}

/// result[a | 0, c] = lhs[a | c], result[a | 1, c] = rhs[a | c]
NestRef PairOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    const size_t access = cast<AccessType>(s.operandTypes[0]).getAccessRank();
    SizeList sizes(op.out[0]);
    sizes.erase(sizes.begin() + access);
    if (!op.equateAll(op.in[0], op.in[1]) || !op.equateAll(op.in[0], sizes))
      return std::nullopt;
    Nest nest = op.makeNest(op.in[0]);
    nest.body = NestBody::Move;
    for (unsigned o : {0, 1}) {
      nest.write(0, insertAt(nest.getAxes(), access, o));
      nest.read(o, nest.getAxes()).write = o;
    }
    return nest;
  });
}

/// result[x] = pattern[x - k] where that is inside, with k along the axis the
/// sizes of the operands before.
NestRef ConcatOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    auto axis = s.get<IntegerAttr>("axis");
    return axis ? op.makeConcat(axis.getInt()) : std::nullopt;
  });
}

Form mlir::tensoraccess::resolveForm(Nest &nest, NestRead &read, Form place,
                                     int64_t size, OutOfBounds::Kind policy) {
  FormArena &arena = nest.arena();
  if (size == 0) {
    read.require(Form(0), Interval::point(1));
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
    read.require(place, Interval::ofExtent(size));
    return place;
  }
  llvm_unreachable("every policy is listed");
}

/// result[x] = pattern[offsets + x·strides]
NestRef SliceOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    auto offsets = s.get<DenseI64ArrayAttr>("offsets");
    auto strides = s.get<DenseI64ArrayAttr>("strides");
    auto oob = s.get<OutOfBoundsAttr>("oob");
    if (!offsets)
      return std::nullopt;
    auto getPolicy = [&](unsigned d) {
      return oob ? oob.getValue().entries[d].kind : OutOfBounds::Kind::Forbid;
    };
    SmallVector<std::optional<int64_t>> sizes;
    for (auto [d, size] : llvm::enumerate(op.in[0])) {
      sizes.push_back(op.sizes.getStatic(size));
      if (sizes.back())
        continue;
      if (getPolicy(d) != OutOfBounds::Kind::Forbid)
        return std::nullopt;
      // The whole, or a part of known size.
      if (!op.out[0][d].isConstant() &&
          (offsets[d] != 0 || (strides && strides[d] != 1) ||
           !op.equate(op.out[0][d], size)))
        return std::nullopt;
    }
    Nest nest = op.makeResultNest(NestBody::Move);
    FormArena &arena = nest.arena();
    NestRead read;
    for (auto [d, form] : llvm::enumerate(nest.getAxes())) {
      Form place = arena.add(arena.scale(form, strides ? strides[d] : 1),
                             Form(offsets[d]));
      read.index.push_back(
          sizes[d] ? resolveForm(nest, read, place, *sizes[d], getPolicy(d))
                   : place);
    }
    nest.reads.push_back(std::move(read));
    // Zeros where it pads with nothing else.
    auto isOther = [&](const OutOfBounds &policy) {
      return policy.kind == OutOfBounds::Kind::Pad &&
             !(*policy.value == PadValue(0.0)) &&
             !(*policy.value == PadValue(int64_t(0)));
    };
    if (oob && llvm::none_of(oob.getValue().entries, isOther) &&
        !llvm::is_contained(sizes, 0))
      nest.fill =
          Builder(s.resultTypes[0].getContext())
              .getZeroAttr(cast<AccessType>(s.resultTypes[0]).getElementType());
    return nest;
  });
}

/// result[x] = pattern[y], y(i) = 0 where the pattern has size 1
NestRef BroadcastOp::inferNest(const OpSignature &s) {
  return inferSized(s, [](SizedOp &op) -> std::optional<Nest> {
    for (auto [in, out] : llvm::zip_equal(op.in[0], op.out[0]))
      if (in != Form(1) && !op.equate(in, out))
        return std::nullopt;
    Nest nest = op.makeResultNest(NestBody::Move);
    SmallVector<Form> index;
    for (auto [size, form] : llvm::zip_equal(op.in[0], nest.getAxes()))
      index.push_back(size == Form(1) ? Form(0) : form);
    nest.read(0, index);
    return nest;
  });
}

/// result[a ++ w | k] = pattern[a | w·strides + k·dilations]
NestRef WindowsOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    auto shape = s.get<DenseI64ArrayAttr>("shape");
    auto strides = s.get<DenseI64ArrayAttr>("strides");
    auto dilations = s.get<DenseI64ArrayAttr>("dilations");
    if (!shape || !strides)
      return std::nullopt;
    const size_t window = shape.size(), access = op.in[0].size() - window;
    if (!op.equateAll(ArrayRef(op.in[0]).take_front(access),
                      ArrayRef(op.out[0]).take_front(access)) ||
        !llvm::all_of(ArrayRef(op.in[0]).drop_front(access),
                      [](const Form &size) { return size.isConstant(); }))
      return std::nullopt;
    Nest nest = op.makeResultNest(NestBody::Move);
    FormArena &arena = nest.arena();
    ArrayRef<Form> x = nest.getAxes();
    SmallVector<Form> index(x.take_front(access));
    for (size_t i = 0; i < window; ++i)
      index.push_back(arena.add(
          arena.scale(x[access + i], strides[i]),
          arena.scale(x[access + window + i], dilations ? dilations[i] : 1)));
    nest.read(0, index);
    return nest;
  });
}

/// result[low + y·(interior + 1)] = pattern[y]
NestRef PadOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    auto low = s.get<DenseI64ArrayAttr>("low");
    auto high = s.get<DenseI64ArrayAttr>("high");
    auto interior = s.get<DenseI64ArrayAttr>("interior");
    if (!low || !high)
      return std::nullopt;
    SmallVector<std::optional<int64_t>> sizes;
    for (auto [d, size] : llvm::enumerate(op.in[0])) {
      sizes.push_back(op.sizes.getStatic(size));
      if (!sizes.back() &&
          (low[d] != 0 || high[d] != 0 || (interior && interior[d] != 0) ||
           !op.equate(size, op.out[0][d])))
        return std::nullopt;
    }
    Nest nest = op.makeResultNest(NestBody::Move);
    FormArena &arena = nest.arena();
    NestRead read;
    for (auto [d, form] : llvm::enumerate(nest.getAxes())) {
      if (!sizes[d]) {
        read.index.push_back(form);
        continue;
      }
      const int64_t size = *sizes[d];
      const int64_t stride = interior && size > 1 ? interior[d] + 1 : 1;
      Form y = arena.sub(form, Form(low[d]));
      if (stride > 1) {
        read.require(arena.mod(y, stride), Interval::point(0));
        y = arena.floorDiv(y, stride);
      }
      read.require(y, Interval::ofExtent(size));
      read.index.push_back(y);
    }
    nest.reads.push_back(std::move(read));
    nest.fill = s.get<TypedAttr>("value");
    if (!interior)
      return nest;
    // From the pattern's places the maps are shorter.
    Nest spread = op.makeNest(op.in[0]);
    spread.body = NestBody::Move;
    SmallVector<Form> out;
    for (auto [d, form] : llvm::enumerate(spread.getAxes()))
      out.push_back(spread.arena().addScaled(
          Form(low[d]), form, sizes[d].value_or(0) > 1 ? interior[d] + 1 : 1));
    spread.write(0, out);
    spread.read(0, spread.getAxes());
    nest.setMapsFrom(spread);
    return nest;
  });
}

/// The name of StableHLO, if it has one.
static StringRef getFunction(ComputeKind kind) {
  switch (kind) {
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ReduceSum:
    return "add";
  case ComputeKind::ElementwiseMul:
  case ComputeKind::DotProd:
    return "multiply";
  case ComputeKind::ElementwiseDiv:
    return "divide";
  case ComputeKind::ReduceMax:
    return "maximum";
  case ComputeKind::ReduceMean:
    return "mean";
  case ComputeKind::Relu:
    return "relu";
  case ComputeKind::Sqrt:
    return "sqrt";
  case ComputeKind::Negative:
    return "negate";
  case ComputeKind::Softmax:
    return "softmax";
  }
  llvm_unreachable("every kind is listed");
}

/// result[a | …] depends on pattern[a | …]: on all of the item (reductions), on
/// all of the tuple at the same place (elementwise over a tuple), on all of the
/// item wherever in it (softmax), or on the same element (the other kinds).
NestRef ComputeOp::inferNest(const OpSignature &s) {
  return inferSized(s, [&](SizedOp &op) -> std::optional<Nest> {
    auto kind = s.get<ComputeKindAttr>("kind");
    if (!kind)
      return std::nullopt;
    const size_t access = cast<AccessType>(s.operandTypes[0]).getAccessRank();
    ArrayRef<Form> in = op.in[0], out = op.out[0];
    const size_t rank = in.size(), kept = out.size() - access;
    if (!op.equateAll(in.take_front(access), out.take_front(access)) ||
        !op.equateAll(in.take_back(kept), out.take_back(kept)))
      return std::nullopt;
    const bool isWhole = kind.getValue() == ComputeKind::Softmax;
    SizeList extents(in);
    if (isWhole)
      llvm::append_range(extents, in.drop_front(access));
    Nest nest = op.makeNest(extents);
    ArrayRef<Form> x = nest.getAxes().take_front(rank);
    // The item's last dimensions are those that the result still has.
    SmallVector<Form> index(x.take_front(access));
    llvm::append_range(index, isWhole ? nest.getAxes().drop_front(rank)
                                      : x.take_back(kept));
    nest.write(0, index);
    nest.read(0, x);
    nest.function = getFunction(kind.getValue());
    if (!isWhole)
      nest.body = kind.getValue() == ComputeKind::DotProd ? NestBody::Contract
                  : index.size() == rank                  ? NestBody::Map
                                                          : NestBody::Reduce;
    return nest;
  });
}

/// result[a ++ j |] = Σ over r of activations[a | r]·weights[| r, j], in blocks
/// or not
NestRef SystolicArrayOp::inferNest(const OpSignature &s) {
  return inferStatic(s, [&](const StaticOp &op) -> std::optional<Nest> {
    auto rows = s.get<IntegerAttr>("rows");
    const bool isBlocked = bool(s.get<UnitAttr>("blocked"));
    if (!rows)
      return std::nullopt;
    SmallVector<int64_t> extents = op.out[0]; // a ++ j
    // The operand's rows: the first dimension of an item, the last or only one.
    extents.push_back(!isBlocked      ? rows.getInt()
                      : op.isKnown(0) ? op.in[0].back()
                                      : op.in[1][op.in[1].size() - 2]);
    Nest nest = op.makeNest(extents, NestBody::Contract);
    const Form &r = nest.getAxes().back();
    ArrayRef<Form> x = nest.getAxes().drop_back();
    nest.write(0, x);
    SmallVector<Form> index(x.drop_back());
    index.push_back(r);
    nest.read(0, index);
    const size_t batch = cast<AccessType>(s.operandTypes[1]).getRank() - 2;
    index.assign(x.begin(), x.begin() + batch);
    index.push_back(r);
    index.push_back(x.back());
    nest.read(1, index);
    return nest;
  });
}

/// What an accelerator reads for an element of its result is not known.
NestRef AcceleratorCallOp::inferNest(const OpSignature &s) {
  return share(s.unknown(IndexingReason::NoModel));
}
