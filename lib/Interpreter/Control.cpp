//===- Control.cpp - Loops and branches -----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops with regions that run in the frame of their function: those of scf and
// affine, and StableHLO's. Iterations of parallel loops run one
// after the other.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static void setAll(ValueRange arguments, RuntimeValues values,
                   Environment &env) {
  for (auto [argument, value] : llvm::zip_equal(arguments, values))
    env.set(argument, std::move(value));
}

FailureOr<RuntimeValues> StackMachine::runBlock(Block &block,
                                                Environment &env) {
  if (failed(spend(block.getParentOp(), kOperationsPerOp)))
    return failure();
  // The last op may be one by name, of which MLIR knows no traits.
  for (Operation &op : llvm::drop_end(block)) {
    FailureOr<RuntimeValues> results = runNested(&op, env);
    if (failed(results) || failed(setResults(&op, std::move(*results), env)))
      return failure();
  }
  RuntimeValues yielded;
  for (Value operand : block.back().getOperands())
    yielded.push_back(env.get(operand));
  return yielded;
}

FailureOr<RuntimeValues> StackMachine::runFor(Operation *op, Environment &env) {
  auto loop = cast<scf::ForOp>(op);
  Type mlirType = loop.getInductionVar().getType();
  std::optional<ElementType> type = getHeldTypeOf(mlirType);
  if (!type)
    return emitUnsupported(loop);
  // Unsigned bounds are compared without their sign.
  const bool isUnsigned = loop.getUnsignedCmp();
  const unsigned width =
      mlirType.isIndex() ? 64 : mlirType.getIntOrFloatBitWidth();
  auto read = [&](Value bound) {
    int64_t value = env.getInt(bound);
    return isUnsigned ? __int128(uint64_t(value) &
                                 llvm::maskTrailingOnes<uint64_t>(width))
                      : __int128(value);
  };
  const __int128 end = read(loop.getUpperBound()), step = read(loop.getStep());
  if (step <= 0)
    return loop.emitOpError("step must be positive, got ") << int64_t(step);
  RuntimeValues values;
  for (Value init : loop.getInits())
    values.push_back(env.get(init));
  for (__int128 i = read(loop.getLowerBound()); i < end; i += step) {
    env.set(loop.getInductionVar(), Tensor::scalarInt(*type, int64_t(i)));
    setAll(loop.getRegionIterArgs(), std::move(values), env);
    FailureOr<RuntimeValues> yielded = runBlock(*loop.getBody(), env);
    if (failed(yielded))
      return failure();
    values = std::move(*yielded);
  }
  return values;
}

/// Calls `fn` with the indices of each iteration of a nest of loops, in order,
/// the last one fastest; it fails to stop.
static LogicalResult
forEachIteration(Operation *loops, ArrayRef<int64_t> low,
                 ArrayRef<int64_t> high, ArrayRef<int64_t> step,
                 function_ref<LogicalResult(ArrayRef<int64_t>)> fn) {
  SmallVector<int64_t> trips;
  for (auto [d, from, to, by] : llvm::enumerate(low, high, step)) {
    if (by <= 0)
      return loops->emitOpError("step ")
             << d << " must be positive, got " << by;
    const __int128 count = (__int128(to) - from + by - 1) / by;
    trips.push_back(int64_t(std::clamp<__int128>(count, 0, INT64_MAX)));
  }
  bool isRun = forEachIndex(trips, [&](ArrayRef<int64_t> iteration) {
    SmallVector<int64_t> indices;
    for (auto [from, by, number] : llvm::zip_equal(low, step, iteration))
      indices.push_back(from + by * number);
    return succeeded(fn(indices));
  });
  return success(isRun);
}

static void setIndices(ValueRange arguments, ArrayRef<int64_t> indices,
                       Environment &env) {
  for (auto [argument, index] : llvm::zip_equal(arguments, indices))
    env.set(argument, Tensor::scalarInt(ElementType::I64, index));
}

/// Every iteration sees the outputs as they were, and puts its slices into what
/// comes out.
FailureOr<RuntimeValues> StackMachine::runForall(Operation *op,
                                                 Environment &env) {
  auto loop = cast<scf::ForallOp>(op);
  RuntimeValues results;
  for (auto [init, argument] :
       llvm::zip_equal(loop.getOutputs(), loop.getRegionOutArgs())) {
    FailureOr<Tensor> copy =
        reportAt(loop.getOperation(), env.getTensor(init).clone());
    if (failed(copy))
      return failure();
    results.push_back(std::move(*copy));
    env.set(argument, env.get(init));
  }
  LogicalResult isRun = forEachIteration(
      loop, env.getInts(loop.getMixedLowerBound()),
      env.getInts(loop.getMixedUpperBound()), env.getInts(loop.getMixedStep()),
      [&](ArrayRef<int64_t> indices) -> LogicalResult {
        setIndices(loop.getInductionVars(), indices, env);
        if (failed(runBlock(*loop.getBody(), env)))
          return failure();
        for (Operation &op : loop.getTerminator().getYieldingOps()) {
          auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
          if (!insert)
            return emitUnsupported(&op);
          unsigned number =
              cast<BlockArgument>(insert.getDest()).getArgNumber() -
              loop.getRank();
          if (failed(insertSliceInto(insert, std::get<Tensor>(results[number]),
                                     env)))
            return failure();
        }
        return success();
      });
  if (failed(isRun))
    return failure();
  return results;
}

/// The trips one after the other; what each gives is combined with what there
/// is, which comes first.
FailureOr<RuntimeValues> StackMachine::runParallel(Operation *op,
                                                   Environment &env) {
  auto loop = cast<scf::ParallelOp>(op);
  auto read = [&](ValueRange values) {
    return env.getInts(getAsOpFoldResult(values));
  };
  RuntimeValues results;
  for (Value init : loop.getInitVals())
    results.push_back(env.get(init));
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  LogicalResult isRun = forEachIteration(
      loop, read(loop.getLowerBound()), read(loop.getUpperBound()),
      read(loop.getStep()), [&](ArrayRef<int64_t> indices) -> LogicalResult {
        setIndices(loop.getInductionVars(), indices, env);
        FailureOr<RuntimeValues> given = runBlock(*loop.getBody(), env);
        if (failed(given))
          return failure();
        for (auto [region, result, value] :
             llvm::zip_equal(reduce.getReductions(), results, *given)) {
          Block &combiner = region.front();
          setAll(combiner.getArguments(), {std::move(result), std::move(value)},
                 env);
          FailureOr<RuntimeValues> combined = runBlock(combiner, env);
          if (failed(combined))
            return failure();
          result = std::move(combined->front());
        }
        return success();
      });
  if (failed(isRun))
    return failure();
  return results;
}

FailureOr<RuntimeValues> StackMachine::runAffineFor(Operation *op,
                                                    Environment &env) {
  auto loop = cast<affine::AffineForOp>(op);
  auto low = evaluateMap(loop, loop.getLowerBoundMap(),
                         loop.getLowerBoundOperands(), env);
  auto high = evaluateMap(loop, loop.getUpperBoundMap(),
                          loop.getUpperBoundOperands(), env);
  if (failed(low) || failed(high))
    return failure();
  RuntimeValues values;
  for (Value init : loop.getInits())
    values.push_back(env.get(init));
  LogicalResult isRun = forEachIteration(
      loop, *llvm::max_element(*low), *llvm::min_element(*high),
      loop.getStepAsInt(), [&](ArrayRef<int64_t> index) -> LogicalResult {
        setIndices(loop.getInductionVar(), index, env);
        setAll(loop.getRegionIterArgs(), std::move(values), env);
        FailureOr<RuntimeValues> yielded = runBlock(*loop.getBody(), env);
        if (failed(yielded))
          return failure();
        values = std::move(*yielded);
        return success();
      });
  if (failed(isRun))
    return failure();
  return values;
}

FailureOr<RuntimeValues> StackMachine::runWhile(Operation *op,
                                                Environment &env) {
  auto loop = cast<scf::WhileOp>(op);
  RuntimeValues values;
  for (Value init : loop.getInits())
    values.push_back(env.get(init));
  while (true) {
    setAll(loop.getBeforeArguments(), std::move(values), env);
    // The condition comes first, then what the other region takes.
    FailureOr<RuntimeValues> ends = runBlock(*loop.getBeforeBody(), env);
    if (failed(ends))
      return failure();
    values.assign(std::next(ends->begin()), ends->end());
    if (std::get<Tensor>(ends->front()).getInt({}) == 0)
      return values;
    setAll(loop.getAfterArguments(), values, env);
    ends = runBlock(*loop.getAfterBody(), env);
    if (failed(ends))
      return failure();
    values = std::move(*ends);
  }
}

/// while: the values of the last iteration, for which the first region returns false.
/// if, case: region 0 where the scalar is true; region i for the index i, the
/// last one for an index outside.
FailureOr<RuntimeValues> StackMachine::runHloControl(Operation *op,
                                                     Environment &env) {
  StringRef name = getHloName(op);
  for (Region &region : op->getRegions())
    if (!region.hasOneBlock() || region.front().empty() ||
        !isHlo(&region.front().back()))
      return emitUnsupported(op);
  auto isScalar = [](const RuntimeValue &value) {
    auto *tensor = std::get_if<Tensor>(&value);
    return tensor && tensor->getRank() == 0;
  };
  if (name != "while") {
    if (op->getNumOperands() != 1 || op->getNumRegions() == 0 ||
        (name == "if" && op->getNumRegions() != 2) ||
        !isScalar(env.get(op->getOperand(0))))
      return emitUnsupported(op);
    int64_t index = env.getInt(op->getOperand(0));
    int64_t last = op->getNumRegions() - 1;
    if (name == "if")
      index = index != 0 ? 0 : 1;
    else if (index < 0 || index > last)
      index = last;
    Block &block = op->getRegion(index).front();
    if (block.getNumArguments() != 0)
      return emitUnsupported(op);
    FailureOr<RuntimeValues> values = runBlock(block, env);
    if (succeeded(values) && values->size() != op->getNumResults())
      return emitUnsupported(op);
    return values;
  }
  unsigned count = op->getNumResults();
  if (op->getNumRegions() != 2 || op->getNumOperands() != count)
    return emitUnsupported(op);
  for (Region &region : op->getRegions())
    if (region.front().getNumArguments() != count)
      return emitUnsupported(op);
  RuntimeValues values;
  for (Value operand : op->getOperands())
    values.push_back(env.get(operand));
  while (true) {
    for (Region &region : op->getRegions()) {
      setAll(region.front().getArguments(), values, env);
      FailureOr<RuntimeValues> ends = runBlock(region.front(), env);
      if (failed(ends))
        return failure();
      if (&region == &op->getRegion(1)) {
        if (ends->size() != count)
          return emitUnsupported(op);
        values = std::move(*ends);
      } else if (ends->size() != 1 || !isScalar(ends->front())) {
        return emitUnsupported(op);
      } else if (std::get<Tensor>(ends->front()).getInt({}) == 0) {
        return values;
      }
    }
  }
}

FailureOr<RuntimeValues> StackMachine::runChosen(Block *block,
                                                 Environment &env) {
  return block ? runBlock(*block, env)
               : FailureOr<RuntimeValues>(RuntimeValues{});
}

FailureOr<RuntimeValues> StackMachine::runIf(Operation *op, Environment &env) {
  auto branch = cast<scf::IfOp>(op);
  return runChosen(env.getInt(branch.getCondition()) != 0 ? branch.thenBlock()
                                                          : branch.elseBlock(),
                   env);
}

FailureOr<RuntimeValues> StackMachine::runSwitch(Operation *op,
                                                 Environment &env) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  const int64_t index = env.getInt(choice.getArg());
  for (auto [number, region] :
       llvm::zip(choice.getCases(), choice.getCaseRegions()))
    if (number == index)
      return runBlock(region.front(), env);
  return runBlock(choice.getDefaultBlock(), env);
}

FailureOr<RuntimeValues> StackMachine::runRegion(Operation *op,
                                                 Environment &env) {
  Region &region = op->getRegion(0);
  if (!region.hasOneBlock())
    return emitUnsupported(op);
  return runBlock(region.front(), env);
}

FailureOr<RuntimeValues> StackMachine::runAffineIf(Operation *op,
                                                   Environment &env) {
  auto branch = cast<affine::AffineIfOp>(op);
  IntegerSet set = branch.getIntegerSet();
  auto sides =
      evaluateMap(op,
                  AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), op->getContext()),
                  op->getOperands(), env);
  if (failed(sides))
    return failure();
  bool holds = true;
  for (auto [i, side] : llvm::enumerate(*sides))
    holds &= set.isEq(i) ? side == 0 : side >= 0;
  Block *other = branch.hasElse() ? branch.getElseBlock() : nullptr;
  return runChosen(holds ? branch.getThenBlock() : other, env);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const llvm::StringMap<StackMachine::Control> &StackMachine::getControl() {
  static const llvm::StringMap<Control> table = {
      {"affine.for", &StackMachine::runAffineFor},
      {"affine.if", &StackMachine::runAffineIf},
      {"scf.execute_region", &StackMachine::runRegion},
      {"scf.for", &StackMachine::runFor},
      {"scf.forall", &StackMachine::runForall},
      {"scf.if", &StackMachine::runIf},
      {"scf.index_switch", &StackMachine::runSwitch},
      {"scf.parallel", &StackMachine::runParallel},
      {"scf.while", &StackMachine::runWhile},
      {"case", &StackMachine::runHloControl},
      {"if", &StackMachine::runHloControl},
      {"while", &StackMachine::runHloControl},
  };
  return table;
}
