//===- StreamTrees.cpp - Associative scans, step by step ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `jax.lax.associative_scan` becomes a tree of slices by two, elementwise ops, and
// columns put between each other. Column t of its result is
//
//   x[0] * x[1] * ... * x[t]
//
// with some brackets, where * combines tuples of columns. This is proved:
//
// 1. Each column of a value is a term over columns of *leaves*, which are
//    sequences that the step has columns of.
// 2. The result's column 1 is the combination of two tuples. Each longer
//    term is such a combination of two ranges of columns, side by side.
// 3. The combination is associative: both ways to combine three tuples have one
//    normal form, a polynomial, for all values of booleans.
//
// A step combines what it keeps of all columns before with its own.
//
//===----------------------------------------------------------------------===//

#include "Combination.h"
#include "Streamer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr size_t kMaxTerms = 1 << 20;
static constexpr unsigned kMaxDepth = 1000;

namespace mlir::tensoraccess {
class TreeStreamer {
public:
  TreeStreamer(Streamer &streamer, OpResult root, unsigned dim)
      : s(streamer), root(root), dim(dim),
        type(cast<RankedTensorType>(root.getType())) {}

  FailureOr<Value> run();

private:
  using Number = std::optional<unsigned>;

  unsigned add(ColumnTerm term);
  Number getTerm(Value value, int64_t column);
  Number makeTerm(Value value, int64_t column);
  Number getScalar(Value value);
  Number getElementwise(linalg::LinalgOp op, unsigned result, int64_t column);
  Number apply(Operation *op, ArrayRef<unsigned> args);
  Number getLeaf(Value value, int64_t column);

  bool isRange(unsigned leaf, unsigned term, int64_t lo, int64_t hi,
               unsigned depth = 0);
  Number generalize(unsigned term, int64_t left,
                    DenseMap<unsigned, unsigned> &known);
  bool match(unsigned pattern, unsigned term,
             std::map<unsigned, unsigned> &matched);

  FailureOr<Value> emit();
  SmallVector<Value> emitCombined(ValueRange before, ValueRange now,
                                  Value isFirst);

  bool isConstantZero(unsigned term) const {
    return terms[term].kind == ColumnTerm::Constant &&
           (matchPattern(terms[term].constant, m_AnyZeroFloat()) ||
            matchPattern(terms[term].constant, m_Zero()));
  }

  Streamer &s;
  OpResult root;
  const unsigned dim;
  RankedTensorType type;

  std::vector<ColumnTerm> terms;
  std::map<std::vector<uintptr_t>, unsigned> numbers;
  DenseMap<std::pair<Value, int64_t>, Number> columns;
  SmallVector<Value> leaves;
  Combination combination{terms, leaves};
  std::set<std::tuple<unsigned, unsigned, int64_t, int64_t>> proved;
  /// Whether ranges of more than one column are on the right.
  bool isTree = false;
  /// What is kept, what is combined with it, and what the kept begins with where
  /// that leaves the first column as it is.
  SetVector<unsigned> components, read;
  SmallVector<TypedAttr> neutral;
};
} // namespace mlir::tensoraccess

//===----------------------------------------------------------------------===//
// Columns as terms
//===----------------------------------------------------------------------===//

unsigned TreeStreamer::add(ColumnTerm term) {
  std::vector<uintptr_t> key = {
      uintptr_t(term.kind), term.leaf, uintptr_t(term.index),
      reinterpret_cast<uintptr_t>(term.constant.getAsOpaquePointer())};
  if (term.op) {
    key.push_back(
        reinterpret_cast<uintptr_t>(term.op->getName().getAsOpaquePointer()));
    key.push_back(reinterpret_cast<uintptr_t>(
        term.op->getAttrDictionary().getAsOpaquePointer()));
    key.push_back(reinterpret_cast<uintptr_t>(
        term.op->getResult(0).getType().getAsOpaquePointer()));
  }
  llvm::append_range(key, term.args);
  auto [it, isNew] = numbers.try_emplace(std::move(key), terms.size());
  if (!isNew)
    return it->second;
  if (term.kind == ColumnTerm::Leaf)
    term.lo = term.hi = term.index;
  for (unsigned arg : term.args) {
    term.lo = std::min(term.lo, terms[arg].lo);
    term.hi = std::max(term.hi, terms[arg].hi);
  }
  terms.push_back(std::move(term));
  return it->second;
}

TreeStreamer::Number TreeStreamer::apply(Operation *op,
                                         ArrayRef<unsigned> args) {
  // What is put between zeros, and added.
  if (isa<arith::AddFOp, arith::AddIOp, arith::OrIOp>(op))
    for (unsigned i : {0, 1})
      if (isConstantZero(args[i]))
        return args[1 - i];
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !isPure(op) ||
      terms.size() >= kMaxTerms)
    return std::nullopt;
  ColumnTerm term{ColumnTerm::Apply};
  term.op = op;
  term.args.assign(args.begin(), args.end());
  return add(std::move(term));
}

TreeStreamer::Number TreeStreamer::getScalar(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  if (auto elements = dyn_cast<SplatElementsAttr>(constant))
    constant = elements.getSplatValue<Attribute>();
  if (!isa<FloatAttr, IntegerAttr>(constant))
    return std::nullopt;
  ColumnTerm term{ColumnTerm::Constant};
  term.constant = constant;
  return add(std::move(term));
}

TreeStreamer::Number TreeStreamer::getElementwise(linalg::LinalgOp op,
                                                  unsigned result,
                                                  int64_t column) {
  if (!op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != type.getRank() ||
      op.getNumLoops() != type.getRank())
    return std::nullopt;
  DenseMap<Value, unsigned> known;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    const bool isAll = map.isIdentity();
    if (op.isDpsInit(&operand) && !isAll)
      return std::nullopt;
    if (argument.use_empty())
      continue;
    if (!isAll && map.getNumResults() != 0)
      return std::nullopt;
    Number term =
        isAll ? getTerm(operand.get(), column) : getScalar(operand.get());
    if (!term)
      return std::nullopt;
    known[argument] = *term;
  }
  Operation *yield = op.getBlock()->getTerminator();
  auto find = [&](Value value) -> Number {
    auto it = known.find(value);
    return it != known.end() ? Number(it->second) : getScalar(value);
  };
  for (Operation &own : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp>(own))
      return std::nullopt;
    if (own.hasTrait<OpTrait::ConstantLike>())
      continue;
    SmallVector<unsigned, 3> args;
    for (Value operand : own.getOperands()) {
      Number term = find(operand);
      if (!term)
        return std::nullopt;
      args.push_back(*term);
    }
    Number term = apply(&own, args);
    if (!term)
      return std::nullopt;
    known[own.getResult(0)] = *term;
  }
  return find(yield->getOperand(result));
}

TreeStreamer::Number TreeStreamer::getLeaf(Value value, int64_t column) {
  auto it = llvm::find(leaves, value);
  if (it == leaves.end()) {
    if (failed(s.getColumns(value, dim, 0, root.getOwner())))
      return std::nullopt;
    leaves.push_back(value);
    it = std::prev(leaves.end());
  }
  ColumnTerm term{ColumnTerm::Leaf};
  term.leaf = it - leaves.begin();
  term.index = column;
  return add(std::move(term));
}

TreeStreamer::Number TreeStreamer::getTerm(Value value, int64_t column) {
  auto key = std::make_pair(value, column);
  if (auto it = columns.find(key); it != columns.end())
    return it->second;
  Number made = makeTerm(value, column);
  columns[key] = made;
  return made;
}

TreeStreamer::Number TreeStreamer::makeTerm(Value value, int64_t column) {
  auto own = dyn_cast<RankedTensorType>(value.getType());
  if (!own || own.getRank() != type.getRank())
    return std::nullopt;
  for (unsigned d = 0; d < type.getRank(); ++d)
    if (own.isDynamicDim(d) ||
        (d != dim && own.getDimSize(d) != type.getDimSize(d)))
      return std::nullopt;
  if (Number constant = getScalar(value))
    return constant;
  if (value != root && own.getDimSize(dim) == s.length &&
      (s.depends(value) || !value.getDefiningOp<linalg::FillOp>()))
    if (Number leaf = getLeaf(value, column))
      return leaf;
  Operation *op = value.getDefiningOp();
  // Whether a slice has all of each other dimension.
  auto isAlong = [&](OffsetSizeAndStrideOpInterface slice, Value part) {
    if (cast<RankedTensorType>(part.getType()).getRank() != type.getRank() ||
        slice.isDynamicOffset(dim) || slice.isDynamicStride(dim))
      return false;
    for (unsigned d = 0; d < type.getRank(); ++d)
      if (d != dim &&
          (slice.isDynamicOffset(d) || slice.getStaticOffset(d) != 0 ||
           slice.isDynamicStride(d) || slice.getStaticStride(d) != 1))
        return false;
    return true;
  };
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op))
    return isAlong(slice, slice.getSource())
               ? getTerm(slice.getSource(),
                         slice.getStaticOffset(dim) +
                             column * slice.getStaticStride(dim))
               : std::nullopt;
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
    if (!isAlong(insert, insert.getSource()))
      return std::nullopt;
    const int64_t at = column - insert.getStaticOffset(dim),
                  stride = insert.getStaticStride(dim);
    const bool isIn = at >= 0 && at % stride == 0 &&
                      at / stride < s.getSize(insert.getSource(), dim);
    return isIn ? getTerm(insert.getSource(), at / stride)
                : getTerm(insert.getDest(), column);
  }
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op)) {
    if (ShapedType::isDynamicShape(pad.getStaticLow()))
      return std::nullopt;
    const int64_t at = column - pad.getStaticLow()[dim];
    if (at >= 0 && at < s.getSize(pad.getSource(), dim))
      return getTerm(pad.getSource(), at);
    Value with = pad.getConstantPaddingValue();
    return with ? getScalar(with) : std::nullopt;
  }
  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    return getElementwise(linalgOp, cast<OpResult>(value).getResultNumber(),
                          column);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Terms as combinations
//===----------------------------------------------------------------------===//

/// A term of columns `left` and `left + 1` as one of the tuples on both sides.
TreeStreamer::Number
TreeStreamer::generalize(unsigned number, int64_t left,
                         DenseMap<unsigned, unsigned> &known) {
  if (auto it = known.find(number); it != known.end())
    return it->second;
  ColumnTerm term = terms[number];
  if (term.kind == ColumnTerm::Leaf) {
    term.kind = ColumnTerm::Side;
    term.index -= left;
    if (term.index != 0 && term.index != 1)
      return std::nullopt;
  }
  term.lo = std::numeric_limits<int64_t>::max();
  term.hi = -1;
  for (unsigned &arg : term.args) {
    Number own = generalize(arg, left, known);
    if (!own)
      return std::nullopt;
    arg = *own;
  }
  return known[number] = add(std::move(term));
}

bool TreeStreamer::match(unsigned pattern, unsigned number,
                         std::map<unsigned, unsigned> &matched) {
  auto [it, isNew] = matched.try_emplace(pattern, number);
  if (!isNew)
    return it->second == number;
  const ColumnTerm &form = terms[pattern], &term = terms[number];
  if (form.kind == ColumnTerm::Side)
    return true;
  if (form.kind == ColumnTerm::Constant)
    return pattern == number;
  if (term.kind != ColumnTerm::Apply ||
      form.op->getName() != term.op->getName() ||
      form.op->getAttrDictionary() != term.op->getAttrDictionary() ||
      form.op->getResult(0).getType() != term.op->getResult(0).getType() ||
      form.args.size() != term.args.size())
    return false;
  for (auto [a, b] : llvm::zip_equal(form.args, term.args))
    if (!match(a, b, matched))
      return false;
  return true;
}

/// Whether a term is component `leaf` of columns [lo, hi], combined.
bool TreeStreamer::isRange(unsigned leaf, unsigned number, int64_t lo,
                           int64_t hi, unsigned depth) {
  const ColumnTerm term = terms[number];
  if (lo == hi)
    return term.kind == ColumnTerm::Leaf && term.leaf == leaf &&
           term.index == lo;
  if (depth > kMaxDepth)
    return false;
  auto key = std::make_tuple(leaf, number, lo, hi);
  if (proved.count(key))
    return true;
  if (!combination.forms.count(leaf)) {
    DenseMap<unsigned, unsigned> known;
    Number form = lo + 1 == hi ? generalize(number, lo, known) : std::nullopt;
    if (!form)
      return false;
    combination.forms[leaf] = *form;
  }
  std::map<unsigned, unsigned> matched;
  if (!match(combination.forms[leaf], number, matched))
    return false;
  // Where the left ends.
  std::optional<int64_t> middle;
  for (auto [pattern, own] : matched) {
    const ColumnTerm &side = terms[pattern];
    if (side.kind != ColumnTerm::Side)
      continue;
    const int64_t end = side.index == 0 ? terms[own].hi : terms[own].lo - 1;
    if (end < lo || end >= hi || (middle && *middle != end))
      return false;
    middle = end;
  }
  if (!middle)
    return false;
  isTree |= *middle + 1 < hi;
  for (auto [pattern, own] : matched) {
    const ColumnTerm side = terms[pattern];
    if (side.kind == ColumnTerm::Side &&
        !isRange(side.leaf, own, side.index == 0 ? lo : *middle + 1,
                 side.index == 0 ? *middle : hi, depth + 1))
      return false;
  }
  proved.insert(key);
  return true;
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

/// What is kept, combined with one column of each leaf.
SmallVector<Value> TreeStreamer::emitCombined(ValueRange before, ValueRange now,
                                              Value isFirst) {
  OpBuilder &b = s.builder;
  Location loc = root.getLoc();
  SmallVector<Value> inputs(before), outputs;
  llvm::append_range(inputs, now);
  SmallVector<Type> types;
  for (Value own : before) {
    auto ownType = cast<RankedTensorType>(own.getType());
    types.push_back(ownType);
    outputs.push_back(tensor::EmptyOp::create(b, loc, ownType.getShape(),
                                              ownType.getElementType()));
  }
  SmallVector<AffineMap> maps(inputs.size() + outputs.size(),
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, types, inputs, outputs, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        DenseMap<unsigned, Value> made;
        auto getNow = [&](unsigned leaf) {
          return args[before.size() + (llvm::find(read, leaf) - read.begin())];
        };
        auto emit = [&](auto &self, unsigned number) -> Value {
          if (Value known = made.lookup(number))
            return known;
          const ColumnTerm &term = terms[number];
          Value value;
          if (term.kind == ColumnTerm::Side) {
            value = term.index != 0 ? getNow(term.leaf)
                                    : args[llvm::find(components, term.leaf) -
                                           components.begin()];
          } else if (term.kind == ColumnTerm::Constant) {
            value = arith::ConstantOp::create(b, loc,
                                              cast<TypedAttr>(term.constant));
          } else {
            IRMapping mapping;
            for (auto [operand, arg] :
                 llvm::zip_equal(term.op->getOperands(), term.args))
              mapping.map(operand, self(self, arg));
            value = b.clone(*term.op, mapping)->getResult(0);
          }
          return made[number] = value;
        };
        SmallVector<Value> results;
        for (unsigned leaf : components) {
          Value own = emit(emit, combination.forms[leaf]);
          if (isFirst)
            own = arith::SelectOp::create(b, loc, isFirst, getNow(leaf), own);
          results.push_back(own);
        }
        linalg::YieldOp::create(b, loc, results);
      });
  return SmallVector<Value>(generic.getResults());
}

FailureOr<Value> TreeStreamer::emit() {
  OpBuilder &b = s.builder;
  Location loc = root.getLoc();
  if (neutral.empty())
    read.insert(components.begin(), components.end());
  for (unsigned leaf : components)
    combination.addSides(combination.forms[leaf], 1, read);
  SmallVector<Value> now;
  for (unsigned leaf : read) {
    FailureOr<Value> own = s.getColumns(leaves[leaf], dim, 0, root.getOwner());
    if (failed(own))
      return failure();
    now.push_back(*own);
  }
  SmallVector<Kept> states;
  SmallVector<Value> before;
  for (auto [i, leaf] : llvm::enumerate(components)) {
    auto own = cast<RankedTensorType>(leaves[leaf].getType());
    SmallVector<int64_t> shape(own.getShape());
    shape[dim] = 1;
    Kept state;
    state.value = root;
    state.dim = dim;
    state.type = RankedTensorType::get(shape, own.getElementType());
    state.isCarried = true;
    if (!neutral.empty())
      state.begin = SplatElementsAttr::get(cast<ShapedType>(state.type),
                                           Attribute(neutral[i]));
    state.before = s.stepFunction.front().addArgument(state.type, loc);
    before.push_back(state.before);
    states.push_back(state);
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  auto isFirst = [&](Value at) -> Value {
    if (!neutral.empty())
      return {};
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, at, zero);
  };
  SmallVector<Value> after;
  Value result;
  if (s.step == 1) {
    after = emitCombined(before, now, isFirst(s.position));
    result = after.front();
  } else {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = s.step;
    SmallVector<Value> carried(before);
    carried.push_back(
        tensor::EmptyOp::create(b, loc, shape, type.getElementType()));
    auto trips = scf::ForOp::create(
        b, loc, zero, arith::ConstantIndexOp::create(b, loc, s.step),
        arith::ConstantIndexOp::create(b, loc, 1), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(trips.getBody());
    Value trip = trips.getInductionVar();
    SmallVector<Value> parts;
    for (Value own : now)
      parts.push_back(s.emitMovingSlice(own, dim, trip, 1));
    Value first = isFirst(arith::AddIOp::create(b, loc, trip, s.position));
    SmallVector<Value> own = emitCombined(
        ValueRange(trips.getRegionIterArgs()).drop_back(), parts, first);
    Value all =
        s.emitInsert(own.front(), trips.getRegionIterArgs().back(), dim, trip);
    own.push_back(all);
    scf::YieldOp::create(b, loc, own);
    llvm::append_range(after, trips.getResults().drop_back());
    result = trips.getResults().back();
  }
  for (auto [state, own] : llvm::zip_equal(states, after)) {
    state.after = own;
    s.kept.push_back(state);
  }
  return result;
}

FailureOr<Value> TreeStreamer::run() {
  if (!type.hasStaticShape() || type.getDimSize(dim) != s.length)
    return failure();
  for (int64_t t = 0; t < s.length; ++t) {
    Number term = getTerm(root, t);
    if (!term)
      return failure();
    if (t == 0) {
      if (terms[*term].kind != ColumnTerm::Leaf)
        return failure();
      components.insert(terms[*term].leaf);
    }
    if (!isRange(components[0], *term, 0, t))
      return failure();
  }
  if (s.length == 1 || (isTree && !combination.isAssociative(components)))
    return failure();
  for (unsigned i = 0; i < components.size(); ++i) {
    auto it = combination.forms.find(components[i]);
    if (it == combination.forms.end())
      return failure();
    combination.addSides(it->second, 0, components);
  }
  neutral = combination.findNeutral(components);
  return emit();
}

FailureOr<Value> Streamer::cutTree(OpResult result, unsigned dim) {
  return TreeStreamer(*this, result, dim).run();
}
