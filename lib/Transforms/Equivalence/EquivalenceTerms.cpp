//===- EquivalenceTerms.cpp - Elements of results as expressions ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Elements of arguments are variables. In program order, each op's results
//    are written out: movement by its access form, compute kinds and structured
//    ops point by point, elementwise ops element by element.
// 2. Expressions are hash-consed. Integers are simplified: constants are
//    folded, 0 and 1 vanish, and operands of commutative ops are sorted, as are
//    those of float addition, multiplication and maximum, which changes no bit.
//    Nothing else is done to floats.
// 3. A division is written out, and the condition under which it fails is that
//    of its function: the conditions of both must be the same, too. Other ops
//    that can fail are not written out.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceTerms.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Bits of a scalar type; 0 for types that expressions do not have. Integers
/// may be of widths that no tensor of the interpreter holds.
static unsigned getBits(Type type) {
  if (std::optional<ElementType> element = getElementTypeOf(type))
    return bitWidth(*element);
  return type.isSignlessInteger() ? type.getIntOrFloatBitWidth() : 0;
}

std::optional<SmallVector<int64_t>>
mlir::tensoraccess::getStaticShape(Type type) {
  if (auto access = dyn_cast<AccessType>(type)) {
    if (!access.hasStaticShape())
      return std::nullopt;
    return access.getShape();
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape())
      return std::nullopt;
    return SmallVector<int64_t>(tensor.getShape());
  }
  if (getBits(type) == 0)
    return std::nullopt;
  return SmallVector<int64_t>();
}

Type mlir::tensoraccess::getScalar(Type type) {
  if (auto access = dyn_cast<AccessType>(type))
    return access.getElementType();
  return getElementTypeOrSelf(type);
}

/// Why a value of a type has no expressions.
static std::string describeProblem(Type type) {
  if (getBits(getScalar(type)) != 0)
    return "shapes are dynamic";
  std::string text;
  llvm::raw_string_ostream(text)
      << "values of type " << type << " have no expressions";
  return text;
}

/// The bits of one element, which are those of a scalar type.
static llvm::APInt getElementBits(const Tensor &value, ArrayRef<int64_t> index,
                                  Type type) {
  uint64_t raw = 0;
  std::memcpy(&raw, value.getElement(index), byteSize(value.getElementType()));
  return llvm::APInt(64, raw).zextOrTrunc(getBits(type));
}

static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (auto [i, n] : llvm::zip_equal(index, shape))
    number = number * n + i;
  return number;
}

ScalarTerms::ScalarTerms(func::FuncOp joined, size_t firstOps, int64_t limit)
    : joined(joined), firstOps(firstOps), limit(limit) {}

unsigned ScalarTerms::intern(ScalarTerm term) {
  std::string bits;
  if (term.kind == ScalarTerm::Kind::Constant)
    bits = llvm::toString(term.bits, 16, false);
  auto [it, isNew] = numbers.try_emplace(
      {int(term.kind), term.type.getAsOpaquePointer(), term.argument,
       term.number, bits, term.name.str(), term.predicate,
       std::vector<unsigned>(term.operands.begin(), term.operands.end())},
      terms.size());
  if (isNew)
    terms.push_back(std::move(term));
  return it->second;
}

unsigned ScalarTerms::constant(Type type, const llvm::APInt &bits) {
  ScalarTerm term;
  term.type = type;
  term.bits = bits;
  return intern(std::move(term));
}

unsigned ScalarTerms::zero(Type type) {
  return constant(type, llvm::APInt::getZero(getBits(type)));
}

unsigned ScalarTerms::apply(StringRef name, Type type,
                            ArrayRef<unsigned> operands, int64_t predicate) {
  SmallVector<unsigned, 2> sorted(operands);
  if (sorted.size() == 2 && sorted[0] > sorted[1] &&
      OperationName(name, type.getContext()).hasTrait<OpTrait::IsCommutative>())
    std::swap(sorted[0], sorted[1]);
  auto bitsOf = [&](unsigned i) -> const llvm::APInt * {
    const ScalarTerm &term = terms[sorted[i]];
    return term.kind == ScalarTerm::Kind::Constant ? &term.bits : nullptr;
  };
  if (sorted.size() == 2 && !isa<FloatType>(type)) {
    const llvm::APInt *a = bitsOf(0), *b = bitsOf(1);
    if (name == "arith.addi") {
      if (a && b)
        return constant(type, *a + *b);
      if (a && a->isZero())
        return sorted[1];
      if (b && b->isZero())
        return sorted[0];
    } else if (name == "arith.muli") {
      if (a && b)
        return constant(type, *a * *b);
      for (unsigned i : {0, 1}) {
        const llvm::APInt *c = bitsOf(i);
        if (c && c->isZero())
          return sorted[i];
        if (c && c->isOne())
          return sorted[1 - i];
      }
    } else if (name == "arith.subi") {
      if (a && b)
        return constant(type, *a - *b);
      if (b && b->isZero())
        return sorted[0];
    }
  }
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::Apply;
  term.type = type;
  term.name = name;
  term.predicate = predicate;
  term.operands = std::move(sorted);
  return intern(std::move(term));
}

unsigned ScalarTerms::add(Type type, unsigned a, unsigned b) {
  return apply(isa<FloatType>(type) ? "arith.addf" : "arith.addi", type,
               {a, b});
}
unsigned ScalarTerms::mul(Type type, unsigned a, unsigned b) {
  return apply(isa<FloatType>(type) ? "arith.mulf" : "arith.muli", type,
               {a, b});
}
unsigned ScalarTerms::addProduct(Type type, unsigned sum, unsigned a,
                                 unsigned b) {
  if (type.isF32() || type.isF64())
    return apply("math.fma", type, {std::min(a, b), std::max(a, b), sum});
  return add(type, sum, mul(type, a, b));
}
unsigned ScalarTerms::max(Type type, unsigned a, unsigned b) {
  // The kernels order truth values as numbers 0 < 1, arith as 0 > -1.
  StringRef name = isa<FloatType>(type) ? "arith.maximumf"
                   : type.isInteger(1)  ? "arith.ori"
                                        : "arith.maxsi";
  return apply(name, type, {a, b});
}
unsigned ScalarTerms::extend(Type from, Type to, unsigned x) {
  if (from == to)
    return x;
  return apply(isa<FloatType>(from) ? "arith.extf" : "arith.extsi", to, {x});
}

/// A divisor must not be 0, nor, of signed numbers, -1 under the least one.
void ScalarTerms::addDivisionFailure(Type type, ArrayRef<unsigned> operands,
                                     bool isSigned) {
  Type truth = IntegerType::get(joined.getContext(), 1);
  const unsigned bits = getBits(type);
  auto equals = [&](unsigned x, const llvm::APInt &value) {
    if (terms[x].kind == ScalarTerm::Kind::Constant)
      return constant(truth, llvm::APInt(1, terms[x].bits == value));
    return apply("arith.cmpi", truth, {x, constant(type, value)},
                 static_cast<int64_t>(arith::CmpIPredicate::eq));
  };
  auto add = [&](unsigned condition) {
    const ScalarTerm &term = terms[condition];
    if (term.kind != ScalarTerm::Kind::Constant || !term.bits.isZero())
      failures[isSecond].insert(condition);
  };
  add(equals(operands[1], llvm::APInt::getZero(bits)));
  if (!isSigned)
    return;
  unsigned isLeast = equals(operands[0], llvm::APInt::getSignedMinValue(bits));
  unsigned isMinusOne = equals(operands[1], llvm::APInt::getAllOnes(bits));
  auto isKnown = [&](unsigned condition, bool value) {
    return terms[condition].kind == ScalarTerm::Kind::Constant &&
           terms[condition].bits.isOne() == value;
  };
  if (isKnown(isLeast, false) || isKnown(isMinusOne, false))
    return;
  add(isKnown(isLeast, true) ? isMinusOne
      : isKnown(isMinusOne, true)
          ? isLeast
          : apply("arith.andi", truth, {isLeast, isMinusOne}));
}

std::optional<unsigned> ScalarTerms::applyOp(Operation *op,
                                             ArrayRef<unsigned> operands) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()))
    return std::nullopt;
  Type type = getScalar(op->getResult(0).getType());
  if (getBits(type) == 0)
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (getBits(getScalar(operand.getType())) == 0)
      return std::nullopt;
  int64_t predicate = 0;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    predicate = static_cast<int64_t>(compare.getPredicate());
  else if (auto compare = dyn_cast<arith::CmpFOp>(op))
    predicate = static_cast<int64_t>(compare.getPredicate());
  else
    // Flags and modes permit more than the plain operation does.
    for (NamedAttribute attribute : op->getAttrs()) {
      if (auto flags = dyn_cast<arith::FastMathFlagsAttr>(attribute.getValue()))
        if (flags.getValue() == arith::FastMathFlags::none)
          continue;
      if (isa<arith::IntegerOverflowFlagsAttr>(attribute.getValue()))
        continue;
      return std::nullopt;
    }
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp>(op))
    addDivisionFailure(type, operands, /*isSigned=*/true);
  else if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op))
    addDivisionFailure(type, operands, /*isSigned=*/false);
  else if (canFail(op))
    return std::nullopt;
  return apply(op->getName().getStringRef(), type, operands, predicate);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool ScalarTerms::writeMovement(Operation *op) {
  Value result = op->getResult(0);
  if (!AccessForms::isStatic(result))
    return false;
  AccessForm form = getAccessForm(result);
  for (Value base : form.bases)
    if (!elements.contains(base))
      return false;
  Type type = getScalar(result.getType());
  SmallVector<unsigned> constants;
  for (TypedAttr attribute : form.constants) {
    llvm::Expected<Tensor> value = tensorFromAttribute(attribute);
    if (!value) {
      llvm::consumeError(value.takeError());
      return false;
    }
    SmallVector<int64_t> first(value->getRank(), 0);
    constants.push_back(constant(type, getElementBits(*value, first, type)));
  }
  Ids ids;
  bool ok = true;
  forEachIndex(form.access.getShape(), [&](ArrayRef<int64_t> index) {
    std::optional<AccessResult> at = form.access.evaluate(index);
    if (!at) {
      ok = false;
      return;
    }
    if (at->source.kind == SourceKind::Constant) {
      ids.push_back(constants[at->source.index]);
      return;
    }
    Value base = form.bases[at->source.index];
    std::optional<SmallVector<int64_t>> shape = getStaticShape(base.getType());
    if (!shape || shape->size() != at->index.size()) {
      ok = false;
      return;
    }
    ids.push_back(elements[base][linearize(at->index, *shape)]);
  });
  if (ok)
    elements[result] = std::move(ids);
  return ok;
}

bool ScalarTerms::writeConstant(Operation *op) {
  Attribute attribute;
  if (!matchPattern(op, m_Constant(&attribute)))
    return false;
  Type type = getScalar(op->getResult(0).getType());
  Ids ids;
  // Widths that no tensor of the interpreter holds.
  if (!getElementTypeOf(type)) {
    if (auto number = dyn_cast<IntegerAttr>(attribute))
      ids.push_back(constant(type, number.getValue()));
    else if (auto numbers = dyn_cast<DenseIntElementsAttr>(attribute))
      for (const APInt &bits : numbers.getValues<APInt>())
        ids.push_back(constant(type, bits));
    else
      return false;
    elements[op->getResult(0)] = std::move(ids);
    return true;
  }
  llvm::Expected<Tensor> value = tensorFromAttribute(attribute);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  forEachIndex(value->getShape(), [&](ArrayRef<int64_t> index) {
    ids.push_back(constant(type, getElementBits(*value, index, type)));
  });
  elements[op->getResult(0)] = std::move(ids);
  return true;
}

bool ScalarTerms::writeCompute(Operation *op) {
  auto compute = cast<ComputeOp>(op);
  AccessType pattern = compute.getPattern().getType();
  Type from = pattern.getElementType();
  Type to = cast<AccessType>(compute->getResult(0).getType()).getElementType();
  auto points = static_cast<size_t>(*elementCount(pattern.getAccessShape()));
  auto item = static_cast<size_t>(*elementCount(pattern.getComputeShape()));
  const Ids &in = elements[compute.getPattern()];
  ComputeKind kind = compute.getKind();
  const size_t tuple = isOverTuple(kind) ? pattern.getComputeShape()[0] : 1;
  const size_t rest = item / tuple;
  Ids out;
  for (size_t p = 0; p < points; ++p) {
    const unsigned *x = in.data() + p * item;
    switch (kind) {
    case ComputeKind::DotProd:
    case ComputeKind::ReduceSum: {
      Type type = getSumType(to);
      unsigned sum = zero(type);
      for (size_t s = 0; s < rest; ++s) {
        unsigned product = extend(from, type, x[s]);
        for (size_t t = 1; t + 1 < tuple; ++t)
          product = mul(type, product, extend(from, type, x[t * rest + s]));
        sum = tuple == 1
                  ? add(type, sum, product)
                  : addProduct(type, sum, product,
                               extend(from, type, x[(tuple - 1) * rest + s]));
      }
      out.push_back(type == to ? sum : apply("arith.truncf", to, {sum}));
      break;
    }
    case ComputeKind::ReduceMax: {
      unsigned most = x[0];
      for (size_t s = 1; s < item; ++s)
        most = max(to, most, x[s]);
      out.push_back(most);
      break;
    }
    case ComputeKind::ElementwiseAdd:
    case ComputeKind::ElementwiseMul:
    case ComputeKind::ElementwiseDiv:
      if (kind == ComputeKind::ElementwiseDiv && !isa<FloatType>(to))
        return false;
      for (size_t s = 0; s < rest; ++s) {
        unsigned value = x[s];
        for (size_t t = 1; t < tuple; ++t)
          value = kind == ComputeKind::ElementwiseAdd
                      ? add(to, value, x[t * rest + s])
                  : kind == ComputeKind::ElementwiseMul
                      ? mul(to, value, x[t * rest + s])
                      : apply("arith.divf", to, {value, x[t * rest + s]});
        out.push_back(value);
      }
      break;
    case ComputeKind::Relu:
      for (size_t s = 0; s < item; ++s)
        out.push_back(max(to, x[s], zero(to)));
      break;
    case ComputeKind::Negative:
      for (size_t s = 0; s < item; ++s)
        out.push_back(isa<FloatType>(to)
                          ? apply("arith.negf", to, {x[s]})
                          : apply("arith.subi", to, {zero(to), x[s]}));
      break;
    case ComputeKind::Sqrt:
      for (size_t s = 0; s < item; ++s)
        out.push_back(apply("math.sqrt", to, {x[s]}));
      break;
    case ComputeKind::ReduceMean:
    case ComputeKind::Softmax:
      return false;
    }
    if (terms.size() > limit)
      return false;
  }
  elements[op->getResult(0)] = std::move(out);
  return true;
}

bool ScalarTerms::writeElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  std::optional<int64_t> count =
      elementCount(*getStaticShape(op->getResult(0).getType()));
  Ids ids;
  for (int64_t i = 0; i < *count; ++i) {
    SmallVector<unsigned> operands;
    for (Value operand : op->getOperands()) {
      const Ids &from = elements[operand];
      // A scalar condition selects whole tensors.
      if (from.size() != size_t(*count) && from.size() != 1)
        return false;
      operands.push_back(from.size() == 1 ? from[0] : from[i]);
    }
    std::optional<unsigned> id = applyOp(op, operands);
    if (!id)
      return false;
    ids.push_back(*id);
  }
  elements[op->getResult(0)] = std::move(ids);
  return true;
}

bool ScalarTerms::writeStructured(Operation *op, std::string &problem) {
  auto structured = cast<linalg::LinalgOp>(op);
  if (!structured.hasPureTensorSemantics() || structured.hasDynamicShape())
    return false;
  SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
  SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
  Block *body = structured.getBlock();
  SmallVector<Value> operands(op->getOperands());
  SmallVector<SmallVector<int64_t>> shapes;
  for (Value operand : operands)
    shapes.push_back(*getStaticShape(operand.getType()));
  // Destinations are written point by point.
  const auto inputs = static_cast<size_t>(structured.getNumDpsInputs());
  SmallVector<Ids> state;
  for (Value operand : operands)
    state.push_back(elements[operand]);
  // Sums by their products, where the two have one rounding.
  DenseMap<Operation *, Operation *> fused;
  SmallPtrSet<Operation *, 1> products;
  for (unsigned i = 0; i < body->back().getNumOperands(); ++i)
    if (std::optional<ProductStep> step = findProductStep(*body, i);
        step && step->isFused()) {
      fused[step->sum] = step->product;
      products.insert(step->product);
    }
  // Most points make a term.
  constexpr size_t kPointsPerTerm = 64;
  std::optional<int64_t> points = checkedProduct(ranges);
  if (!points || size_t(*points) / kPointsPerTerm > limit)
    return false;
  MLIRContext *context = op->getContext();
  const bool ok = forEachIndex(ranges, [&](ArrayRef<int64_t> point) {
    if (terms.size() > limit)
      return false;
    DenseMap<Value, unsigned> local;
    SmallVector<size_t> places;
    for (auto [i, map] : llvm::enumerate(maps)) {
      SmallVector<int64_t> index;
      if (map.getNumResults() != 0)
        index.assign(map.compose(point));
      places.push_back(linearize(index, shapes[i]));
      if (i < body->getNumArguments())
        local[body->getArgument(i)] = state[i][places[i]];
    }
    auto lookup = [&](Value value) -> std::optional<unsigned> {
      if (auto found = local.find(value); found != local.end())
        return found->second;
      auto found = elements.find(value);
      if (found == elements.end() || found->second.size() != 1 ||
          isa<ShapedType>(value.getType()))
        return std::nullopt;
      return found->second[0];
    };
    for (Operation &nested : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
        local[index] = constant(IndexType::get(context),
                                llvm::APInt(64, point[index.getDim()]));
        continue;
      }
      if (nested.hasTrait<OpTrait::ConstantLike>() && writeConstant(&nested)) {
        local[nested.getResult(0)] = elements[nested.getResult(0)][0];
        continue;
      }
      if (products.contains(&nested))
        continue;
      Operation *product = fused.lookup(&nested);
      SmallVector<Value> sources(nested.getOperands());
      if (product) {
        llvm::erase(sources, product->getResult(0));
        llvm::append_range(sources, product->getOperands());
      }
      SmallVector<unsigned> values;
      for (Value operand : sources) {
        std::optional<unsigned> value = lookup(operand);
        if (!value)
          return false;
        values.push_back(*value);
      }
      std::optional<unsigned> id =
          product ? addProduct(nested.getResult(0).getType(), values[0],
                               values[1], values[2])
                  : applyOp(&nested, values);
      if (!id) {
        problem =
            ("op '" + nested.getName().getStringRef() + "' has no expression")
                .str();
        return false;
      }
      local[nested.getResult(0)] = *id;
    }
    for (auto [i, yielded] :
         llvm::enumerate(body->getTerminator()->getOperands())) {
      std::optional<unsigned> value = lookup(yielded);
      if (!value)
        return false;
      state[inputs + i][places[inputs + i]] = *value;
    }
    return true;
  });
  if (!ok)
    return false;
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    elements[result] = std::move(state[inputs + i]);
  return true;
}

/// Ops that keep elements in row-major order.
bool ScalarTerms::writeReshaped(Operation *op) {
  Ids same = elements[op->getOperand(0)];
  elements[op->getResult(0)] = std::move(same);
  return true;
}

std::optional<int64_t> ScalarTerms::count(Type type,
                                          std::string &problem) const {
  std::optional<SmallVector<int64_t>> shape = getStaticShape(type);
  std::optional<int64_t> count =
      shape ? elementCount(*shape) : std::optional<int64_t>();
  if (!count || getBits(getScalar(type)) == 0)
    problem = describeProblem(type);
  else if (size_t(*count) > limit)
    problem = "there are too many elements";
  else
    return count;
  return std::nullopt;
}

bool ScalarTerms::write(Operation *op, std::string &problem) {
  for (Type type : op->getResultTypes())
    if (!count(type, problem))
      return false;
  for (Value operand : op->getOperands())
    if (!elements.contains(operand))
      return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return writeConstant(op);
  if (isa<tensor::EmptyOp>(op)) {
    Ids ids;
    ScalarTerm term;
    term.kind = ScalarTerm::Kind::Unknown;
    term.type = getScalar(op->getResult(0).getType());
    int64_t count = *elementCount(*getStaticShape(op->getResult(0).getType()));
    for (int64_t i = 0; i < count; ++i) {
      term.number = unknowns++;
      ids.push_back(intern(term));
    }
    elements[op->getResult(0)] = std::move(ids);
    return true;
  }
  if (isMovement(op))
    return writeMovement(op);
  if (isa<MaterializeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::CastOp>(op))
    return writeReshaped(op);
  if (isa<ComputeOp>(op))
    return writeCompute(op);
  if (isa<linalg::LinalgOp>(op))
    return writeStructured(op, problem);
  return writeElementwise(op);
}

bool ScalarTerms::build(std::string &problem) {
  Block &block = joined.getBody().front();
  for (BlockArgument argument : block.getArguments()) {
    std::optional<int64_t> size = count(argument.getType(), problem);
    if (!size)
      return false;
    Ids ids;
    ScalarTerm term;
    term.kind = ScalarTerm::Kind::Input;
    term.type = getScalar(argument.getType());
    term.argument = argument.getArgNumber();
    for (term.number = 0; term.number < *size; ++term.number)
      ids.push_back(intern(term));
    elements[argument] = std::move(ids);
  }
  for (auto [i, op] : llvm::enumerate(block)) {
    isSecond = i >= firstOps;
    if (write(&op, problem))
      continue;
    if (problem.empty())
      problem =
          terms.size() > limit
              ? std::string("there are too many scalar operations")
              : ("op '" + op.getName().getStringRef() + "' has no expression")
                    .str();
    return false;
  }
  return true;
}

bool ScalarTerms::hasIntegers() const {
  return llvm::any_of(terms, [&](const ScalarTerm &term) {
    return term.kind == ScalarTerm::Kind::Apply &&
           (term.name == "arith.select" ||
            (!isa<FloatType>(term.type) &&
             llvm::none_of(term.operands, [&](unsigned id) {
               return isa<FloatType>(terms[id].type);
             })));
  });
}
