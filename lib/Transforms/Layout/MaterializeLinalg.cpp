//===- MaterializeLinalg.cpp - Loop nests over physical tensors -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A loop is cut where the tensors along it are: d1 of 30 in tiles of 16
//    becomes d1o of 2 and d1i of 16, d1 = d1o * 16 + d1i. Destinations come
//    first; a tensor that does not fit (another extent, cuts that do not divide
//    each other) is laid out anew.
// 2. A dimension that is a loop becomes the loops of its digits; a window has
//    the sum in the place of the loop. So maps stay permutations of loops and
//    windows.
// 3. Iterations beyond the size compute on padding. Along parallel loops that
//    is padding of the result, and is not read as data. In a reduction each
//    yields what there was before: `select(in bounds, new, old)`.
// Loops stay in order, and with them the order of every sum.
//
//===----------------------------------------------------------------------===//

#include "MaterializeLinalg.h"
#include "LayoutModes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Where a loop is cut, from minor to major; the first is 1.
struct LoopCuts {
  SmallVector<int64_t, 2> divisors = {1};
  std::optional<int64_t> extent;
  int64_t size = 0;
  /// Of a dynamic size, the multiples that it is rounded up to, and the size.
  int64_t granule = 1;
  OpFoldResult dynamicSize;

  bool isDynamic() const { return ShapedType::isDynamic(*extent); }
  bool isPadded() const { return isDynamic() ? granule != 1 : *extent != size; }
  /// Iterations of the part that begins at divisor number i.
  int64_t getCount(unsigned i) const {
    if (i + 1 == divisors.size())
      return isDynamic() ? *extent : *extent / divisors[i];
    return divisors[i + 1] / divisors[i];
  }
};

class NestBuilder {
public:
  NestBuilder(OpBuilder &builder, linalg::LinalgOp op,
              ArrayRef<PhysicalOperand> operands, RelayoutWay way)
      : builder(builder), op(op), operands(operands), way(way),
        maps(op.getIndexingMapsArray()), iterators(op.getIteratorTypesArray()),
        cuts(op.getNumLoops()) {
    // Operands of the op may have the types of a border by now.
    for (auto [map, operand] : llvm::zip_equal(maps, operands))
      for (auto [expr, size, value] :
           llvm::zip(map.getResults(), operand.shape, operand.sizes))
        if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
          LoopCuts &cut = cuts[dim.getPosition()];
          cut.size = size;
          if (ShapedType::isDynamic(size))
            cut.dynamicSize = value;
        }
  }

  std::optional<PhysicalNest> build(std::string &reason);

private:
  // Step 1.
  bool fit(unsigned operand);
  PhysicalForm conform(unsigned operand) const;
  bool check(std::string &reason) const;
  // Step 2.
  DigitGroups cutDigits(unsigned operand, const PhysicalForm &form) const;
  void numberLoops();
  AffineMap getMap(unsigned operand, const DigitGroups &digits) const;
  // Step 3.
  void buildBody(OpBuilder &b, Location loc, ValueRange arguments);
  Value buildIndex(OpBuilder &b, Location loc, unsigned loop) const;

  std::optional<unsigned> getLoop(unsigned operand, int64_t dim) const {
    auto expr = dyn_cast<AffineDimExpr>(maps[operand].getResult(dim));
    return expr ? std::optional(expr.getPosition()) : std::nullopt;
  }

  OpBuilder &builder;
  linalg::LinalgOp op;
  ArrayRef<PhysicalOperand> operands;
  RelayoutWay way;
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<LoopCuts> cuts;
  /// New loops: the number of each old loop's minor part, counted so that major
  /// parts come first, and their kinds.
  SmallVector<unsigned> minorLoop;
  SmallVector<utils::IteratorType> newIterators;
  PhysicalNest nest;
};

} // namespace

//===----------------------------------------------------------------------===//
// Step 1: cuts
//===----------------------------------------------------------------------===//

/// Cuts loops as an operand is cut; changes nothing if it does not fit.
bool NestBuilder::fit(unsigned operand) {
  const PhysicalForm &form = operands[operand].form;
  SmallVector<LoopCuts> trial = cuts;
  for (int64_t dim : llvm::seq<int64_t>(0, form.extents.size())) {
    SmallVector<PhysicalDigit, 2> digits = form.getDigitsOf(dim);
    std::optional<unsigned> loop = getLoop(operand, dim);
    if (!loop) {
      if (digits.size() != 1 || form.isPadded(dim, operands[operand].shape))
        return false;
      continue;
    }
    LoopCuts &cut = trial[*loop];
    int64_t extent = form.extents[dim];
    // A size that is only known at run time is that of the loop.
    if (ShapedType::isDynamic(extent) != ShapedType::isDynamic(cut.size))
      return false;
    int64_t granule = form.granules[dim];
    if (cut.extent && (*cut.extent != extent || cut.granule != granule))
      return false;
    cut.extent = extent;
    cut.granule = granule;
    for (const PhysicalDigit &digit : digits)
      if (!llvm::is_contained(cut.divisors, digit.divisor))
        cut.divisors.push_back(digit.divisor);
    llvm::sort(cut.divisors);
    for (size_t i = 1; i < cut.divisors.size(); ++i)
      if (cut.divisors[i] % cut.divisors[i - 1] != 0 ||
          (cut.isDynamic() ? granule : extent) % cut.divisors[i] != 0)
        return false;
  }
  cuts = std::move(trial);
  return true;
}

/// The form of an operand that fits: its dimensions in the order they have, cut
/// as loops are.
PhysicalForm NestBuilder::conform(unsigned operand) const {
  const PhysicalOperand &given = operands[operand];
  SmallVector<PhysicalDigit> major, minor;
  for (int64_t dim : given.form.getOrder()) {
    std::optional<unsigned> loop = getLoop(operand, dim);
    if (!loop) {
      major.push_back({dim, 1, given.shape[dim]});
      continue;
    }
    const LoopCuts &cut = cuts[*loop];
    unsigned last = cut.divisors.size() - 1;
    major.push_back({dim, cut.divisors[last], cut.getCount(last)});
    for (unsigned i = last; i-- > 0;)
      minor.push_back({dim, cut.divisors[i], cut.getCount(i)});
  }
  llvm::append_range(major, minor);
  return makeForm(major, given.shape);
}

bool NestBuilder::check(std::string &reason) const {
  bool padded =
      llvm::any_of(cuts, [](const LoopCuts &c) { return c.isPadded(); });
  if (!padded)
    return true;
  if (!isHarmlessOnPadding(op)) {
    reason = "it could fail on padding";
    return false;
  }
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      for (auto [loop, cut] : llvm::enumerate(cuts))
        if (cut.isPadded() && !isa<AffineDimExpr>(expr) &&
            expr.isFunctionOfDim(loop)) {
          reason = "a window would slide over padding";
          return false;
        }
  return true;
}

//===----------------------------------------------------------------------===//
// Step 2: maps
//===----------------------------------------------------------------------===//

/// The digits of a form that fits, each the range of one new loop.
DigitGroups NestBuilder::cutDigits(unsigned operand,
                                   const PhysicalForm &form) const {
  DigitGroups result;
  for (const PhysicalDigit &digit : form.digits) {
    auto &parts = result.emplace_back();
    std::optional<unsigned> loop = getLoop(operand, digit.dim);
    int64_t size = digit.size;
    if (loop)
      for (int64_t divisor : llvm::reverse(cuts[*loop].divisors)) {
        // The topmost digit of a dynamic size is a loop of its own.
        if (divisor <= digit.divisor || ShapedType::isDynamic(size))
          continue;
        int64_t inner = divisor / digit.divisor;
        if (inner >= size)
          continue;
        parts.push_back({digit.dim, divisor, size / inner});
        size = inner;
      }
    parts.push_back({digit.dim, digit.divisor, size});
  }
  return result;
}

void NestBuilder::numberLoops() {
  for (auto [cut, type] : llvm::zip_equal(cuts, iterators)) {
    newIterators.append(cut.divisors.size(), type);
    minorLoop.push_back(newIterators.size() - 1);
  }
}

AffineMap NestBuilder::getMap(unsigned operand,
                              const DigitGroups &groups) const {
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> sums;
  for (auto [cut, minor] : llvm::zip_equal(cuts, minorLoop)) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (auto [i, divisor] : llvm::enumerate(cut.divisors))
      sum = sum + getAffineDimExpr(minor - i, context) * divisor;
    sums.push_back(sum);
  }
  SmallVector<AffineExpr> results;
  SmallVector<PhysicalDigit> digits;
  for (const auto &group : groups)
    llvm::append_range(digits, group);
  for (const PhysicalDigit &digit : digits) {
    std::optional<unsigned> loop = getLoop(operand, digit.dim);
    if (!loop) {
      results.push_back(maps[operand].getResult(digit.dim).replaceDims(sums));
      continue;
    }
    const LoopCuts &cut = cuts[*loop];
    unsigned part =
        llvm::find(cut.divisors, digit.divisor) - cut.divisors.begin();
    results.push_back(getAffineDimExpr(minorLoop[*loop] - part, context));
  }
  return AffineMap::get(newIterators.size(), 0, results, context);
}

//===----------------------------------------------------------------------===//
// Step 3: the body
//===----------------------------------------------------------------------===//

/// The index of an old loop.
Value NestBuilder::buildIndex(OpBuilder &b, Location loc, unsigned loop) const {
  Value sum;
  for (auto [i, divisor] : llvm::enumerate(cuts[loop].divisors)) {
    Value part = linalg::IndexOp::create(b, loc, minorLoop[loop] - i);
    if (divisor != 1)
      part = arith::MulIOp::create(
          b, loc, part, arith::ConstantIndexOp::create(b, loc, divisor));
    sum = sum ? Value(arith::AddIOp::create(b, loc, part, sum)) : part;
  }
  return sum;
}

void NestBuilder::buildBody(OpBuilder &b, Location loc, ValueRange arguments) {
  IRMapping mapping;
  Block *body = op.getBlock();
  mapping.map(body->getArguments(), arguments);
  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), buildIndex(b, loc, index.getDim()));
    else
      b.clone(inner, mapping);
  }
  Value inBounds;
  for (auto [loop, cut] : llvm::enumerate(cuts)) {
    if (iterators[loop] != utils::IteratorType::reduction || !cut.isPadded())
      continue;
    Value size = cut.isDynamic()
                     ? cast<Value>(cut.dynamicSize)
                     : Value(arith::ConstantIndexOp::create(b, loc, cut.size));
    Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        buildIndex(b, loc, loop), size);
    inBounds = inBounds ? Value(arith::AndIOp::create(b, loc, inBounds, below))
                        : below;
  }
  nest.masked = inBounds != nullptr;
  SmallVector<Value> yielded;
  for (auto [i, value] :
       llvm::enumerate(body->getTerminator()->getOperands())) {
    Value result = mapping.lookupOrDefault(value);
    if (inBounds)
      result = arith::SelectOp::create(b, loc, inBounds, result,
                                       arguments[op.getNumDpsInputs() + i]);
    yielded.push_back(result);
  }
  linalg::YieldOp::create(b, loc, yielded);
}

std::optional<PhysicalNest> NestBuilder::build(std::string &reason) {
  if (!op.hasPureTensorSemantics() ||
      llvm::any_of(op->getOperandTypes(), [](Type type) {
        return isa<ShapedType>(type) && !isa<RankedTensorType>(type);
      })) {
    reason = "it is not on tensors";
    return std::nullopt;
  }
  // What is filled has one value in every order, padding too.
  if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation())) {
    nest.results.push_back(linalg::FillOp::create(builder, op.getLoc(),
                                                  operands[0].value,
                                                  operands[1].value)
                               .getResult(0));
    return std::move(nest);
  }
  unsigned numInputs = op.getNumDpsInputs(), numOperands = operands.size();
  SmallVector<bool> fits(numOperands, false);
  for (unsigned i = numInputs; i < numOperands; ++i)
    fits[i] = fit(i);
  for (unsigned i = 0; i < numInputs; ++i)
    fits[i] = fit(i);
  for (LoopCuts &cut : cuts)
    if (!cut.extent)
      cut.extent = cut.size;
  if (!check(reason))
    return std::nullopt;
  for (unsigned i = 0; i < numOperands; ++i)
    if (!fits[i])
      for (auto [dim, size] : llvm::enumerate(operands[i].shape))
        if (std::optional<unsigned> loop = getLoop(i, dim);
            loop && ShapedType::isDynamic(size) != cuts[*loop].isDynamic()) {
          reason = "an operand of dynamic size does not fit the others";
          return std::nullopt;
        }
  numberLoops();
  Location loc = op.getLoc();
  SmallVector<Value> values;
  SmallVector<AffineMap> newMaps;
  for (unsigned i = 0; i < numOperands; ++i) {
    Value value = operands[i].value;
    PhysicalForm form = operands[i].form;
    if (!fits[i]) {
      PhysicalForm other = conform(i);
      value = buildRelayout(builder, loc, value, form, other, operands[i].shape,
                            operands[i].sizes, way);
      form = other;
      ++nest.relayouts;
    }
    DigitGroups digits = cutDigits(i, form);
    if (isa<RankedTensorType>(value.getType()))
      value = expandDigits(builder, loc, value, digits);
    values.push_back(value);
    newMaps.push_back(getMap(i, digits));
  }
  auto outs = ArrayRef(values).drop_front(numInputs);
  SmallVector<Type> types =
      llvm::map_to_vector(outs, [](Value value) { return value.getType(); });
  auto generic = linalg::GenericOp::create(
      builder, loc, types, ArrayRef(values).take_front(numInputs), outs,
      newMaps, newIterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        buildBody(b, loc, args);
      });
  for (auto [i, result] : llvm::enumerate(generic->getResults())) {
    unsigned operand = numInputs + i;
    PhysicalForm form =
        fits[operand] ? operands[operand].form : conform(operand);
    Value value =
        collapseDigits(builder, loc, result, cutDigits(operand, form));
    if (!fits[operand]) {
      value =
          buildRelayout(builder, loc, value, form, operands[operand].form,
                        operands[operand].shape, operands[operand].sizes, way);
      ++nest.relayouts;
    }
    nest.results.push_back(value);
  }
  return std::move(nest);
}

std::optional<PhysicalNest>
mlir::tensoraccess::materializeLinalg(OpBuilder &builder, linalg::LinalgOp op,
                                      ArrayRef<PhysicalOperand> operands,
                                      RelayoutWay way, std::string &reason) {
  return NestBuilder(builder, op, operands, way).build(reason);
}
