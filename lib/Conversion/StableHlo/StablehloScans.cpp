//===- StablehloScans.cpp - Running reductions to loops -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cumsum and its like are window reductions where all windows reach to one end
// of a dimension. Their n results along it take n steps:
//
//   result[x] = body(result[x - 1], input[x])     from the initial value on
//   result[x] = body(input[x], result[x + 1])     in reverse
//
// Of lines along the last dimension four take their steps in turn.
//
// Windows are full of padding, which counts as the initial value. So this holds
// where body(init, init) is init, bit for bit (a sum that is carried in a wider
// type agrees). That is known where the initial
// values are constants, as they mostly are; if not, the program asks.
//
//===----------------------------------------------------------------------===//

#include "Lower/AccessLoops.h"
#include "StablehloToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Is the initial value neutral?
//===----------------------------------------------------------------------===//

/// What each of the values is, where folding finds it.
static SmallVector<Attribute> foldConstants(Block &block, ValueRange values) {
  DenseMap<Value, Attribute> known;
  auto lookup = [&](Value value) {
    Attribute attr = known.lookup(value);
    if (!attr)
      matchPattern(value, m_Constant(&attr));
    return attr;
  };
  for (Operation &op : block) {
    auto operands = llvm::map_to_vector(op.getOperands(), lookup);
    SmallVector<OpFoldResult> results;
    if (failed(op.fold(operands, results)) || results.empty())
      continue;
    for (auto [result, folded] : llvm::zip_equal(op.getResults(), results)) {
      auto attr = dyn_cast<Attribute>(folded);
      if (Attribute value = attr ? attr : lookup(cast<Value>(folded)))
        known[result] = value;
    }
  }
  return llvm::map_to_vector(values, lookup);
}

/// body(init, init), written at the builder's insertion point.
static bool combineInits(ImplicitLocOpBuilder &b, Block &body, ValueRange inits,
                         SmallVectorImpl<Value> &results, std::string &why) {
  SmallVector<Value> operands(inits);
  llvm::append_range(operands, inits);
  return inlineHloBody(b, body, operands, results, why);
}

/// Whether body(init, init) is init; none where that is not known yet.
static std::optional<bool> isNeutral(HloConversion &c, Block &body,
                                     ValueRange tensors) {
  Region scratch;
  ImplicitLocOpBuilder b(c.op->getLoc(), c.b.getContext());
  b.setInsertionPointToStart(&scratch.emplaceBlock());
  SmallVector<Value> inits, results;
  SmallVector<Attribute> expected;
  for (Value tensor : tensors) {
    DenseElementsAttr attr;
    if (!matchPattern(tensor, m_Constant(&attr)))
      return std::nullopt;
    auto element = dyn_cast<TypedAttr>(attr.getSplatValue<Attribute>());
    if (!element) // complex
      return std::nullopt;
    if (auto integer = dyn_cast<IntegerAttr>(element)) // may be unsigned
      element =
          b.getIntegerAttr(getSignless(integer.getType()), integer.getValue());
    expected.push_back(element);
    inits.push_back(arith::ConstantOp::create(b, element));
  }
  if (!combineInits(b, body, inits, results, c.why))
    return std::nullopt;
  SmallVector<Attribute> found = foldConstants(scratch.front(), results);
  if (llvm::is_contained(found, Attribute()))
    return std::nullopt;
  return found == expected;
}

/// The same question to the program.
static Value emitIsNeutral(HloConversion &c, Block &body, ValueRange inits) {
  SmallVector<Value> results;
  if (!combineInits(c.b, body, inits, results, c.why))
    return {};
  Value all = arith::ConstantOp::create(c.b, c.b.getBoolAttr(true));
  auto bitsOf = [&](Value value) -> Value {
    Type type = value.getType();
    if (type.isInteger())
      return value;
    return arith::BitcastOp::create(
        c.b, c.b.getIntegerType(type.getIntOrFloatBitWidth()), value);
  };
  for (auto [result, init] : llvm::zip_equal(results, inits)) {
    Value same = arith::CmpIOp::create(c.b, arith::CmpIPredicate::eq,
                                       bitsOf(result), bitsOf(init));
    all = arith::AndIOp::create(c.b, all, same);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

namespace {
struct ScanLoops {
  HloConversion &c;
  HloScan scan;
  Block &body;
  /// Initial values are of the types that results are carried in.
  SmallVector<Value> inputs, inits;
  ArrayRef<int64_t> shape;
  bool ok = true;

  /// Loops over the dimensions [first, end) that carry the results; `index`
  /// grows by theirs.
  SmallVector<Value>
  overDims(ImplicitLocOpBuilder &b, int64_t first, int64_t end,
           SmallVector<Value> index, ValueRange results,
           function_ref<SmallVector<Value>(ImplicitLocOpBuilder &,
                                           SmallVector<Value>, ValueRange)>
               inner) {
    return makeHloLoops(
        b, shape.slice(first, end - first), results,
        [&](ImplicitLocOpBuilder &b, ValueRange more, ValueRange current) {
          SmallVector<Value> at(index);
          llvm::append_range(at, more);
          return inner(b, at, current);
        });
  }

  /// Elements `place` along the scan, of all lines within it; those before are
  /// at `previous`, or initial values where there is none.
  SmallVector<Value> step(ImplicitLocOpBuilder &b, ArrayRef<Value> outer,
                          Value place, Value previous, ValueRange results) {
    SmallVector<Value> index(outer);
    index.push_back(place);
    return overDims(
        b, scan.dim + 1, shape.size(), index, results,
        [&](ImplicitLocOpBuilder &b, SmallVector<Value> at,
            ValueRange current) {
          SmallVector<Value> elements, sums(inits), values, next;
          for (auto [k, input] : llvm::enumerate(inputs)) {
            elements.push_back(tensor::ExtractOp::create(b, input, at));
            if (!previous)
              continue;
            SmallVector<Value> before(at);
            before[scan.dim] = previous;
            sums[k] = tensor::ExtractOp::create(b, current[k], before);
          }
          ok &= combineHlo(b, body, sums, elements, scan.isReverse, values,
                           c.why);
          if (!ok)
            return SmallVector<Value>(current);
          for (auto [value, result] : llvm::zip_equal(values, current))
            next.push_back(tensor::InsertOp::create(b, value, result, at));
          return next;
        });
  }

  SmallVector<Value> build(ImplicitLocOpBuilder &b) {
    SmallVector<Value> results;
    for (unsigned i = 0; i < inputs.size(); ++i)
      results.push_back(tensor::EmptyOp::create(
          b, c.resultType(i).clone(inits[i].getType()), ValueRange()));
    return overDims(
        b, 0, scan.dim, {}, results,
        [&](ImplicitLocOpBuilder &b, SmallVector<Value> outer,
            ValueRange current) {
          const int64_t size = shape[scan.dim];
          auto index = [](ImplicitLocOpBuilder &b, int64_t value) -> Value {
            return arith::ConstantIndexOp::create(b, value);
          };
          Value one = index(b, 1), last = index(b, size - 1);
          SmallVector<Value> first =
              step(b, outer, scan.isReverse ? last : index(b, 0), {}, current);
          auto loop = scf::ForOp::create(
              b, one, index(b, size), one, first,
              [&](OpBuilder &nested, Location loc, Value k,
                  ValueRange carried) {
                ImplicitLocOpBuilder b(loc, nested);
                Value before = arith::SubIOp::create(b, k, one), place = k;
                if (scan.isReverse) {
                  place = arith::SubIOp::create(b, last, k);
                  before = arith::AddIOp::create(b, place, one);
                }
                scf::YieldOp::create(b, step(b, outer, place, before, carried));
              });
          return SmallVector<Value>(loop.getResults());
        });
  }
};
} // namespace

SmallVector<Value> tensoraccess::convertHloScan(
    HloConversion &c, HloScan scan, Block &body,
    function_ref<SmallVector<Value>(HloConversion &)> otherwise) {
  const unsigned count = c.op->getNumResults();
  SmallVector<Value> operands = c.operands();
  std::optional<bool> neutral =
      isNeutral(c, body, ArrayRef(operands).drop_front(count));
  if (neutral == false || !c.why.empty() ||
      c.resultType().getNumElements() == 0)
    return otherwise(c);
  ScanLoops loops{c, scan, body, {}, {}, c.resultType().getShape()};
  SmallVector<Value> inits;
  for (unsigned i = 0; i < count; ++i) {
    loops.inputs.push_back(operands[i]);
    inits.push_back(c.scalar(operands[count + i]));
    loops.inits.push_back(getHloCarriedInit(c, operands[count + i],
                                            getHloCarriedType(c, body, i)));
  }
  auto build = [&]() -> SmallVector<Value> {
    SmallVector<Value> results = loops.build(c.b);
    for (auto [i, result] : llvm::enumerate(results))
      result = roundElements(c.b, c.b.getLoc(), result,
                             c.resultType(i).getElementType());
    return loops.ok ? results : SmallVector<Value>();
  };
  if (neutral == true)
    return build();
  Value condition = emitIsNeutral(c, body, inits);
  if (!condition)
    return {};
  SmallVector<Type> types;
  for (unsigned i = 0; i < count; ++i)
    types.push_back(c.resultType(i));
  auto choice = scf::IfOp::create(c.b, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(c.b);
  for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
    c.b.setInsertionPointToStart(block);
    SmallVector<Value> results =
        block == choice.thenBlock() ? build() : otherwise(c);
    if (results.empty()) // to be erased, but valid until then
      results.assign(operands.begin(), operands.begin() + count);
    scf::YieldOp::create(c.b, results);
  }
  return c.why.empty() ? SmallVector<Value>(choice.getResults())
                       : SmallVector<Value>();
}
