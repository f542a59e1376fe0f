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
// 2. What the result has in column 1 says how two tuples are combined. Each longer
//    term is such a combination of two ranges of columns, side by side.
// 3. The combination is associative: both ways to combine three tuples have one
//    normal form, a polynomial, for all values of booleans.
//
// A step combines what it keeps of all columns before with its own.
//
//===----------------------------------------------------------------------===//

#include "Streamer.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Cut/Blocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// A column, or an element of it, as it is computed. Terms are equal if their numbers
/// are.
struct Column {
  enum Kind { Leaf, Constant, Apply, Side } kind;
  /// A leaf, and the index of its column; or whether it is of the right tuple.
  unsigned leaf = 0;
  int64_t index = 0;
  Attribute constant;
  /// One that computes it.
  Operation *op = nullptr;
  SmallVector<unsigned, 3> args;
  /// The columns of leaves that it is made of.
  int64_t lo = std::numeric_limits<int64_t>::max(), hi = -1;
};

/// By numbers of atoms, in order, their factors.
using Polynomial = std::map<std::vector<unsigned>, int64_t>;

/// What a term is for some values of the booleans.
struct NormalForm {
  std::optional<bool> boolean;
  Polynomial polynomial;
  bool operator==(const NormalForm &other) const {
    return boolean == other.boolean && polynomial == other.polynomial;
  }
};
/// By component.
using Tuple = std::map<unsigned, NormalForm>;

constexpr size_t kMaxTerms = 1 << 20, kMaxMonomials = 256;
constexpr unsigned kMaxBooleans = 12, kMaxDepth = 1000;
} // namespace

namespace mlir::tensoraccess {
class TreeStreamer {
public:
  TreeStreamer(Streamer &streamer, OpResult root, unsigned dim)
      : s(streamer), root(root), dim(dim),
        type(cast<RankedTensorType>(root.getType())) {}

  FailureOr<Value> run();

private:
  using Number = std::optional<unsigned>;

  unsigned add(Column term);
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

  void addSides(unsigned pattern, int64_t side, SetVector<unsigned> &found);
  std::optional<NormalForm> getForm(unsigned term, const Tuple &left,
                                    const Tuple &right,
                                    DenseMap<unsigned, NormalForm> &known);
  std::optional<Tuple> combine(ArrayRef<unsigned> all, const Tuple &left,
                               const Tuple &right);
  bool holds(ArrayRef<unsigned> all, function_ref<bool(ArrayRef<Tuple>)> check);
  bool isAssociative();
  void findNeutral();
  std::optional<NormalForm> getAtom(Operation *op, ArrayRef<NormalForm> args);
  std::optional<std::pair<unsigned, unsigned>> readLogAddExp(unsigned term);

  FailureOr<Value> emit();
  SmallVector<Value> emitCombined(ValueRange before, ValueRange now,
                                  Value isFirst);

  bool isConstantZero(unsigned term) const {
    return terms[term].kind == Column::Constant &&
           (matchPattern(terms[term].constant, m_AnyZeroFloat()) ||
            matchPattern(terms[term].constant, m_Zero()));
  }

  Streamer &s;
  OpResult root;
  const unsigned dim;
  RankedTensorType type;

  std::vector<Column> terms;
  std::map<std::vector<uintptr_t>, unsigned> numbers;
  DenseMap<std::pair<Value, int64_t>, Number> columns;
  SmallVector<Value> leaves;
  /// How each component of two tuples is combined.
  DenseMap<unsigned, unsigned> combined;
  std::set<std::tuple<unsigned, unsigned, int64_t, int64_t>> proved;
  /// Whether ranges of more than one column are on the right.
  bool isTree = false;
  /// What is kept, what is combined with it, and what the kept begins with where
  /// that leaves the first column as it is.
  SetVector<unsigned> components, read;
  SmallVector<TypedAttr> neutral;
  std::map<std::tuple<const void *, const void *, std::vector<Polynomial>>,
           unsigned>
      atoms;
  /// Atoms of ops that are associative and commutative, and their arguments.
  DenseMap<unsigned, std::pair<const void *, std::vector<Polynomial>>>
      unordered;
  unsigned numAtoms = 0;
};
} // namespace mlir::tensoraccess

//===----------------------------------------------------------------------===//
// Columns as terms
//===----------------------------------------------------------------------===//

unsigned TreeStreamer::add(Column term) {
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
  if (term.kind == Column::Leaf)
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
  Column term{Column::Apply};
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
  Column term{Column::Constant};
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
  Column term{Column::Leaf};
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
  Column term = terms[number];
  if (term.kind == Column::Leaf) {
    term.kind = Column::Side;
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
  const Column &form = terms[pattern], &term = terms[number];
  if (form.kind == Column::Side)
    return true;
  if (form.kind == Column::Constant)
    return pattern == number;
  if (term.kind != Column::Apply || form.op->getName() != term.op->getName() ||
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
  const Column term = terms[number];
  if (lo == hi)
    return term.kind == Column::Leaf && term.leaf == leaf && term.index == lo;
  if (depth > kMaxDepth)
    return false;
  auto key = std::make_tuple(leaf, number, lo, hi);
  if (proved.count(key))
    return true;
  if (!combined.count(leaf)) {
    DenseMap<unsigned, unsigned> known;
    Number form = lo + 1 == hi ? generalize(number, lo, known) : std::nullopt;
    if (!form)
      return false;
    combined[leaf] = *form;
  }
  std::map<unsigned, unsigned> matched;
  if (!match(combined[leaf], number, matched))
    return false;
  // Where the left ends.
  std::optional<int64_t> middle;
  for (auto [pattern, own] : matched) {
    const Column &side = terms[pattern];
    if (side.kind != Column::Side)
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
    const Column side = terms[pattern];
    if (side.kind == Column::Side &&
        !isRange(side.leaf, own, side.index == 0 ? lo : *middle + 1,
                 side.index == 0 ? *middle : hi, depth + 1))
      return false;
  }
  proved.insert(key);
  return true;
}

/// The components of one side that a combination reads.
void TreeStreamer::addSides(unsigned pattern, int64_t side,
                            SetVector<unsigned> &found) {
  SetVector<unsigned> parts;
  parts.insert(pattern);
  for (unsigned i = 0; i < parts.size(); ++i) {
    const Column &term = terms[parts[i]];
    if (term.kind == Column::Side && term.index == side)
      found.insert(term.leaf);
    parts.insert(term.args.begin(), term.args.end());
  }
}

//===----------------------------------------------------------------------===//
// Associativity
//===----------------------------------------------------------------------===//

static NormalForm getVariable(unsigned atom) {
  NormalForm form;
  form.polynomial[{atom}] = 1;
  return form;
}

static NormalForm getNumber(int64_t value) {
  NormalForm form;
  if (value != 0)
    form.polynomial[{}] = value;
  return form;
}

/// Adds `factor` times the product of two; false if that is too large.
static bool addProduct(Polynomial &to, const Polynomial &a, const Polynomial &b,
                       int64_t factor) {
  for (const auto &[x, m] : a)
    for (const auto &[y, n] : b) {
      std::vector<unsigned> monomial(x);
      monomial.insert(monomial.end(), y.begin(), y.end());
      llvm::sort(monomial);
      int64_t &sum = to[monomial];
      std::optional<int64_t> own = checkedMul(m, n);
      if (own)
        own = checkedMul(*own, factor);
      if (own)
        own = checkedAdd(*own, sum);
      if (!own || to.size() > kMaxMonomials)
        return false;
      sum = *own;
      if (sum == 0)
        to.erase(monomial);
    }
  return true;
}

static bool isUnordered(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp>(op);
}

/// What is no polynomial: a function of polynomials. Maxima and their like are sets.
/// Without an op: the logarithm of a sum of exponentials.
std::optional<NormalForm> TreeStreamer::getAtom(Operation *op,
                                                ArrayRef<NormalForm> args) {
  static const char kLogAddExp = 0;
  const void *name = op ? op->getName().getAsOpaquePointer() : &kLogAddExp;
  std::vector<Polynomial> polynomials;
  for (const NormalForm &arg : args) {
    Polynomial own =
        arg.boolean ? getNumber(*arg.boolean).polynomial : arg.polynomial;
    const bool isAtom = own.size() == 1 && own.begin()->first.size() == 1 &&
                        own.begin()->second == 1;
    auto it =
        isAtom ? unordered.find(own.begin()->first.front()) : unordered.end();
    if (it != unordered.end() && it->second.first == name)
      llvm::append_range(polynomials, it->second.second);
    else
      polynomials.push_back(std::move(own));
  }
  const bool isSet = !op || isUnordered(op);
  if (isSet)
    llvm::sort(polynomials);
  if (op && isSet)
    polynomials.erase(llvm::unique(polynomials), polynomials.end());
  if (op && isSet && polynomials.size() == 1) {
    NormalForm form;
    form.polynomial = polynomials.front();
    return form;
  }
  // Attributes, such as predicates, are part of the function.
  const void *attrs =
      isSet ? nullptr : op->getAttrDictionary().getAsOpaquePointer();
  auto [it, isNew] = atoms.try_emplace({name, attrs, polynomials}, numAtoms);
  if (isNew)
    ++numAtoms;
  if (isSet)
    unordered[it->second] = {name, polynomials};
  return getVariable(it->second);
}

/// select(d != d, x + y, max(x, y) + log1p(exp(-|d|))) with d = x - y: x and y.
std::optional<std::pair<unsigned, unsigned>>
TreeStreamer::readLogAddExp(unsigned number) {
  auto get = [&](unsigned term, auto kind) -> const Column * {
    const Column &own = terms[term];
    return own.kind == Column::Apply && isa<decltype(kind)>(own.op) ? &own
                                                                    : nullptr;
  };
  const Column *choice = get(number, arith::SelectOp());
  if (!choice)
    return std::nullopt;
  const Column *isNan = get(choice->args[0], arith::CmpFOp()),
               *sum = get(choice->args[1], arith::AddFOp()),
               *result = get(choice->args[2], arith::AddFOp());
  if (!isNan || !sum || !result || isNan->args[0] != isNan->args[1] ||
      cast<arith::CmpFOp>(isNan->op).getPredicate() !=
          arith::CmpFPredicate::UNE)
    return std::nullopt;
  const Column *difference = get(isNan->args[0], arith::SubFOp()),
               *most = get(result->args[0], arith::MaximumFOp()),
               *log = get(result->args[1], math::Log1pOp()), *at = log;
  if (!difference || !most || !log || difference->args != sum->args ||
      most->args != sum->args)
    return std::nullopt;
  if (!(at = get(at->args[0], math::ExpOp())) ||
      !(at = get(at->args[0], arith::NegFOp())) ||
      !(at = get(at->args[0], math::AbsFOp())) || at->args[0] != isNan->args[0])
    return std::nullopt;
  return std::make_pair(sum->args[0], sum->args[1]);
}

std::optional<NormalForm>
TreeStreamer::getForm(unsigned number, const Tuple &left, const Tuple &right,
                      DenseMap<unsigned, NormalForm> &known) {
  if (auto it = known.find(number); it != known.end())
    return it->second;
  const Column term = terms[number];
  std::optional<NormalForm> made;
  if (term.kind == Column::Side) {
    const Tuple &side = term.index == 0 ? left : right;
    auto it = side.find(term.leaf);
    if (it != side.end())
      made = it->second;
  } else if (term.kind == Column::Constant) {
    made = getNumber(0);
    if (auto integer = dyn_cast<IntegerAttr>(term.constant)) {
      if (integer.getType().isInteger(1))
        made->boolean = !integer.getValue().isZero();
      else if (integer.getValue().getSignificantBits() <= 32)
        made = getNumber(integer.getValue().getSExtValue());
      else
        return std::nullopt;
    } else {
      APFloat value = cast<FloatAttr>(term.constant).getValue();
      llvm::APSInt whole(/*BitWidth=*/32, /*isUnsigned=*/false);
      bool isExact = false;
      if (!value.isFinite())
        return std::nullopt;
      (void)value.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
      if (isExact) {
        made = getNumber(whole.getSExtValue());
      } else {
        auto [it, isNew] = atoms.try_emplace(
            {term.constant.getAsOpaquePointer(), nullptr, {}}, numAtoms);
        numAtoms += isNew;
        made = getVariable(it->second);
      }
    }
  } else if (auto logs = readLogAddExp(number)) {
    auto x = getForm(logs->first, left, right, known),
         y = getForm(logs->second, left, right, known);
    if (x && y)
      made = getAtom(nullptr, {*x, *y});
  } else {
    SmallVector<NormalForm> args;
    bool areBooleans = true;
    for (unsigned arg : term.args) {
      std::optional<NormalForm> own = getForm(arg, left, right, known);
      if (!own)
        return std::nullopt;
      areBooleans &= own->boolean.has_value();
      args.push_back(std::move(*own));
    }
    auto sum = [&](int64_t sign) {
      NormalForm form = args[0];
      const Polynomial one = getNumber(1).polynomial;
      if (addProduct(form.polynomial, args[1].polynomial, one, sign))
        made = std::move(form);
    };
    auto setBoolean = [&](bool value) {
      made = NormalForm();
      made->boolean = value;
    };
    if (areBooleans && isa<arith::AndIOp>(term.op))
      setBoolean(*args[0].boolean && *args[1].boolean);
    else if (areBooleans && isa<arith::OrIOp>(term.op))
      setBoolean(*args[0].boolean || *args[1].boolean);
    else if (areBooleans && isa<arith::XOrIOp>(term.op))
      setBoolean(*args[0].boolean != *args[1].boolean);
    else if (isa<arith::ExtFOp, arith::TruncFOp>(term.op))
      made = args[0];
    else if (isa<arith::SelectOp>(term.op) && args[0].boolean)
      made = *args[0].boolean ? args[1] : args[2];
    else if (llvm::any_of(args,
                          [](const NormalForm &own) { return own.boolean; }))
      made = getAtom(term.op, args);
    else if (isa<arith::AddFOp, arith::AddIOp>(term.op))
      sum(1);
    else if (isa<arith::SubFOp, arith::SubIOp>(term.op))
      sum(-1);
    else if (isa<arith::NegFOp>(term.op)) {
      args.insert(args.begin(), getNumber(0));
      sum(-1);
    } else if (isa<arith::MulFOp, arith::MulIOp>(term.op)) {
      NormalForm form;
      if (addProduct(form.polynomial, args[0].polynomial, args[1].polynomial,
                     1))
        made = std::move(form);
    } else {
      made = getAtom(term.op, args);
    }
  }
  if (made)
    known[number] = *made;
  return made;
}

std::optional<Tuple> TreeStreamer::combine(ArrayRef<unsigned> all,
                                           const Tuple &left,
                                           const Tuple &right) {
  Tuple result;
  DenseMap<unsigned, NormalForm> known;
  for (unsigned leaf : all) {
    std::optional<NormalForm> own = getForm(combined[leaf], left, right, known);
    if (!own)
      return std::nullopt;
    result[leaf] = std::move(*own);
  }
  return result;
}

/// Whether something is true of any three tuples.
bool TreeStreamer::holds(ArrayRef<unsigned> all,
                         function_ref<bool(ArrayRef<Tuple>)> check) {
  SmallVector<Tuple> tuples(3);
  SmallVector<NormalForm *> booleans;
  for (Tuple &tuple : tuples)
    for (unsigned leaf : all) {
      tuple[leaf] = getVariable(numAtoms++);
      if (getElementTypeOrSelf(leaves[leaf].getType()).isInteger(1))
        booleans.push_back(&tuple[leaf]);
    }
  if (booleans.size() > kMaxBooleans)
    return false;
  for (unsigned bits = 0; bits < 1u << booleans.size(); ++bits) {
    for (auto [i, own] : llvm::enumerate(booleans))
      *own = NormalForm{bool(bits >> i & 1), {}};
    if (!check(tuples))
      return false;
  }
  return true;
}

bool TreeStreamer::isAssociative() {
  // The components that the result is made of.
  SetVector<unsigned> all(components.begin(), components.end());
  for (unsigned i = 0; i < all.size(); ++i) {
    auto it = combined.find(all[i]);
    if (it == combined.end())
      return false;
    addSides(it->second, 0, all);
    addSides(it->second, 1, all);
  }
  ArrayRef<unsigned> parts = all.getArrayRef();
  return holds(parts, [&](ArrayRef<Tuple> tuples) {
    std::optional<Tuple> first = combine(parts, tuples[0], tuples[1]),
                         last = combine(parts, tuples[1], tuples[2]);
    if (!first || !last)
      return false;
    std::optional<Tuple> fromLeft = combine(parts, *first, tuples[2]),
                         fromRight = combine(parts, tuples[0], *last);
    return fromLeft && fromRight && *fromLeft == *fromRight;
  });
}

/// The constants that may stand for a component left of the first column: the least
/// one for maxima, the greatest for minima, zeros and ones for what is a polynomial.
void TreeStreamer::findNeutral() {
  SetVector<unsigned> all(components.begin(), components.end());
  for (unsigned leaf : components)
    addSides(combined[leaf], 1, all);
  Tuple left;
  SmallVector<unsigned> open;
  SmallVector<TypedAttr> found(components.size());
  auto set = [&](unsigned i, int64_t value) {
    Type element = getElementTypeOrSelf(leaves[components[i]].getType());
    found[i] = isa<FloatType>(element)
                   ? TypedAttr(FloatAttr::get(element, double(value)))
                   : TypedAttr(IntegerAttr::get(element, value));
    left[components[i]] =
        element.isInteger(1) ? NormalForm{value != 0, {}} : getNumber(value);
  };
  for (auto [i, leaf] : llvm::enumerate(components)) {
    const Column &term = terms[combined[leaf]];
    auto element =
        dyn_cast<FloatType>(getElementTypeOrSelf(leaves[leaf].getType()));
    std::optional<std::pair<unsigned, unsigned>> args =
        readLogAddExp(combined[leaf]);
    const bool isLeast =
        args || (term.op && isa<arith::MaximumFOp, arith::MaxNumFOp>(term.op));
    if (!args && term.op && term.args.size() == 2 &&
        (isLeast || isa<arith::MinimumFOp, arith::MinNumFOp>(term.op)))
      args = std::make_pair(term.args[0], term.args[1]);
    auto isSide = [&, leaf = leaf](unsigned own) {
      return terms[own].kind == Column::Side && terms[own].leaf == leaf;
    };
    if (!args || !element || !isSide(args->first) || !isSide(args->second) ||
        args->first == args->second) {
      open.push_back(i);
      continue;
    }
    found[i] = FloatAttr::get(
        element, APFloat::getInf(element.getFloatSemantics(), isLeast));
  }
  if (open.size() > kMaxBooleans)
    return;
  ArrayRef<unsigned> parts = all.getArrayRef();
  for (unsigned bits = 0; bits < 1u << open.size(); ++bits) {
    for (auto [b, i] : llvm::enumerate(open))
      set(i, bits >> b & 1);
    if (holds(parts, [&](ArrayRef<Tuple> tuples) {
          DenseMap<unsigned, NormalForm> known;
          return llvm::all_of(open, [&](unsigned i) {
            return getForm(combined[components[i]], left, tuples[0], known) ==
                   tuples[0].at(components[i]);
          });
        })) {
      neutral = std::move(found);
      return;
    }
  }
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
          const Column &term = terms[number];
          Value value;
          if (term.kind == Column::Side) {
            value = term.index != 0 ? getNow(term.leaf)
                                    : args[llvm::find(components, term.leaf) -
                                           components.begin()];
          } else if (term.kind == Column::Constant) {
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
          Value own = emit(emit, combined[leaf]);
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
    addSides(combined[leaf], 1, read);
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
      if (terms[*term].kind != Column::Leaf)
        return failure();
      components.insert(terms[*term].leaf);
    }
    if (!isRange(components[0], *term, 0, t))
      return failure();
  }
  if (s.length == 1 || (isTree && !isAssociative()))
    return failure();
  for (unsigned i = 0; i < components.size(); ++i) {
    auto it = combined.find(components[i]);
    if (it == combined.end())
      return failure();
    addSides(it->second, 0, components);
  }
  findNeutral();
  return emit();
}

FailureOr<Value> Streamer::cutTree(OpResult result, unsigned dim) {
  return TreeStreamer(*this, result, dim).run();
}
