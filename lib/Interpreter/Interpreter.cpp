//===- Interpreter.cpp - Runs programs by the reference kernels -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions run on a stack of frames, without recursion but for calls from
// inside loops and branches:
//
//   1. check the inputs against the function's type and bind the arguments;
//   2. run the ops of the body in order, each by its dialect's evaluator; check
//      that the results match their types; a call pushes a frame, a
//      return pops one;
//   3. a branch binds the arguments of its block and goes on there;
//   4. forget each value after the last op that reads it (itself or in its
//      regions), so that a whole model runs in the memory of its widest place;
//      not where there are several blocks.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interpreter/Interpreter.h"
#include "Machine.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/FloatEnvironment.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// What Environment.h declares
//===----------------------------------------------------------------------===//

SmallVector<int64_t> Environment::getInts(ArrayRef<OpFoldResult> mixed) const {
  SmallVector<int64_t> result;
  for (OpFoldResult entry : mixed)
    if (auto value = dyn_cast<Value>(entry))
      result.push_back(getInt(value));
    else
      result.push_back(*getConstantIntValue(entry));
  return result;
}

InFlightDiagnostic mlir::tensoraccess::emitUnsupported(Operation *op) {
  return op->emitError("the interpreter cannot run '")
         << op->getName().getStringRef() << "'";
}

FailureOr<Tensor> mlir::tensoraccess::createTensorAt(Operation *op,
                                                     Type elementType,
                                                     ArrayRef<int64_t> shape) {
  std::optional<ElementType> type = getHeldTypeOf(elementType);
  if (!type)
    return op->emitOpError("computes with type ")
           << elementType << ", which the interpreter does not hold";
  return reportAt(op, Tensor::create(*type, shape));
}

FailureOr<Tensor> mlir::tensoraccess::createUnsetAt(Operation *op,
                                                    Type elementType,
                                                    ArrayRef<int64_t> shape) {
  FailureOr<Tensor> result = createTensorAt(op, elementType, shape);
  if (failed(result))
    return failure();
  if (UndefinedValues *values = getUndefinedValues();
      values && values->takesOthers) {
    values->seen.try_emplace(op, "holds no values");
    fillElements(*result, Tensor::scalarInt(result->getElementType(), 1));
  }
  return result;
}

UndefinedValues *&mlir::tensoraccess::getUndefinedValues() {
  static thread_local UndefinedValues *values = nullptr;
  return values;
}

int64_t mlir::tensoraccess::chooseUndefined(Operation *op, int64_t fixed,
                                            StringRef what) {
  UndefinedValues *values = getUndefinedValues();
  if (!values || isHlo(op))
    return fixed;
  values->seen.try_emplace(op, what.str());
  return values->takesOthers ? ~fixed : fixed;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// A value as messages name it: `f32 3x5`, `f32 <3 | 5>`.
static std::string describeValue(const RuntimeValue &value) {
  if (auto *tensor = std::get_if<Tensor>(&value))
    return describe(*tensor);
  const auto &pattern = std::get<AccessPattern>(value);
  return toString(pattern.getElementType()).str() + " <" +
         shapeToString(pattern.getAccessShape()) + " | " +
         shapeToString(pattern.getComputeShape()) + ">";
}

static bool isShapeAllowed(ArrayRef<int64_t> actual, ArrayRef<int64_t> type) {
  return actual.size() == type.size() &&
         llvm::all_of(llvm::zip(actual, type), [](auto sizes) {
           auto [size, wanted] = sizes;
           return ShapedType::isDynamic(wanted) || size == wanted;
         });
}

/// True if a value is one of this type.
static bool isOfType(const RuntimeValue &value, Type type) {
  if (auto access = dyn_cast<AccessType>(type)) {
    auto *pattern = std::get_if<AccessPattern>(&value);
    return pattern &&
           getHeldTypeOf(access.getElementType()) ==
               pattern->getElementType() &&
           isShapeAllowed(pattern->getAccessShape(), access.getAccessShape()) &&
           isShapeAllowed(pattern->getComputeShape(), access.getComputeShape());
  }
  auto *tensor = std::get_if<Tensor>(&value);
  if (!tensor ||
      getHeldTypeOf(getElementTypeOrSelf(type)) != tensor->getElementType())
    return false;
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && tensor->getShape() == vector.getShape();
  if (isa<RankedTensorType, MemRefType>(type))
    return isShapeAllowed(tensor->getShape(),
                          cast<ShapedType>(type).getShape());
  return isa<UnrankedTensorType, UnrankedMemRefType>(type) ||
         tensor->getRank() == 0;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

const StackMachine::LastReads &
StackMachine::getLastReads(FunctionOpInterface function) {
  if (auto found = lastReads.find(function); found != lastReads.end())
    return found->second;
  LastReads &reads = lastReads[function];
  Block &body = function.getFunctionBody().front();
  if (!function.getFunctionBody().hasOneBlock())
    return reads;
  auto add = [&](Value value) {
    Operation *last = nullptr;
    for (Operation *user : value.getUsers()) {
      Operation *reader = body.findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(reader))
        last = reader;
    }
    if (last)
      reads[last].push_back(value);
  };
  for (Value argument : body.getArguments())
    add(argument);
  for (Operation &op : body)
    for (Value result : op.getResults())
      add(result);
  return reads;
}

void StackMachine::forgetAfter(Operation *op, Frame &frame) {
  const LastReads &reads = getLastReads(frame.function);
  if (auto found = reads.find(op); found != reads.end())
    for (Value value : found->second)
      frame.env.erase(value);
}

LogicalResult StackMachine::push(FunctionOpInterface function, Operation *call,
                                 RuntimeValues arguments) {
  if (static_cast<int64_t>(frames.size()) >= options.maxCallDepth)
    return call->emitOpError("is nested more than ")
           << options.maxCallDepth << " calls deep";
  Region &region = function.getFunctionBody();
  frames.push_back({function, region.front().begin(), call, {}});
  for (auto [argument, value] :
       llvm::zip_equal(region.front().getArguments(), arguments))
    if (!argument.use_empty())
      frames.back().env.set(argument, std::move(value));
  return success();
}

/// The function that an op calls; null for other ops.
static FlatSymbolRefAttr getCallee(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCalleeAttr();
  return isHlo(op, "composite")
             ? op->getAttrOfType<FlatSymbolRefAttr>("decomposition")
             : FlatSymbolRefAttr();
}

LogicalResult StackMachine::pushCallee(Operation *call,
                                       FlatSymbolRefAttr name) {
  auto callee =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(call, name);
  if (!callee || callee.isExternal())
    return call->emitOpError("calls @")
           << name.getValue() << ", which has no body";
  if (TypeRange(callee.getArgumentTypes()) != call->getOperandTypes() ||
      TypeRange(callee.getResultTypes()) != call->getResultTypes())
    return call->emitOpError("calls @")
           << name.getValue()
           << ", which has another type: " << callee.getFunctionType();
  RuntimeValues arguments;
  for (Value operand : call->getOperands())
    arguments.push_back(frames.back().env.get(operand));
  // The callee may free what only it reads from now on.
  forgetAfter(call, frames.back());
  return push(callee, call, std::move(arguments));
}

FailureOr<SmallVector<int64_t>>
mlir::tensoraccess::evaluateMap(Operation *op, AffineMap map,
                                ValueRange operands, const Environment &env) {
  Type index = IndexType::get(op->getContext());
  SmallVector<Attribute> numbers, folded;
  for (Value operand : operands)
    numbers.push_back(IntegerAttr::get(index, env.getInt(operand)));
  if (failed(map.constantFold(numbers, folded)))
    return op->emitOpError("has no value for these operands");
  SmallVector<int64_t> results;
  for (Attribute attr : folded)
    results.push_back(cast<IntegerAttr>(attr).getInt());
  return results;
}

template <typename OpTy>
static FailureOr<RuntimeValues> runAffineOp(OpTy op, const Environment &env) {
  auto values = evaluateMap(op, op.getAffineMap(), op->getOperands(), env);
  if (failed(values))
    return failure();
  return RuntimeValues{
      Tensor::scalarInt(ElementType::I64, isa<affine::AffineMinOp>(op)
                                              ? *llvm::min_element(*values)
                                              : *llvm::max_element(*values))};
}

void mlir::tensoraccess::addAffineEvaluators(OpEvaluators &all) {
  addEvaluator<affine::AffineApplyOp, runAffineOp>(all);
  addEvaluator<affine::AffineMaxOp, runAffineOp>(all);
  addEvaluator<affine::AffineMinOp, runAffineOp>(all);
}

LogicalResult StackMachine::spend(Operation *op, int64_t count) {
  int64_t sum = checkedAdd(operations, count)
                    .value_or(std::numeric_limits<int64_t>::max());
  if (options.operations)
    *options.operations += sum - operations;
  operations = sum;
  if (isCancelled())
    return failure();
  if (operations > options.maxOperations)
    return op->emitOpError("is one of more than ")
           << options.maxOperations << " operations";
  return success();
}

/// Elements of results; of products and reductions the points of their loops,
/// as far as these are known: of a matrix product √(mk · kn · mn).
static int64_t countWork(Operation *op, const RuntimeValues &results,
                         const Environment &env) {
  auto count = [](const RuntimeValue &value) {
    auto *tensor = std::get_if<Tensor>(&value);
    return tensor ? tensor->getNumElements() : 0;
  };
  double elements = 0, product = 1;
  for (const RuntimeValue &result : results) {
    elements += count(result);
    product *= count(result);
  }
  if (isHlo(op) && llvm::is_contained({"dot", "dot_general", "convolution"},
                                      getHloName(op))) {
    for (Value operand : op->getOperands())
      product *= count(env.get(operand));
    elements = std::max(elements, std::sqrt(product));
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    double points = 1;
    for (int64_t range : structured.getStaticLoopRanges())
      points *= ShapedType::isDynamic(range) ? 1 : range;
    elements = std::max(elements, points);
  }
  return static_cast<int64_t>(std::min(elements, 1e18));
}

FailureOr<RuntimeValues> StackMachine::runNested(Operation *op,
                                                 Environment &env) {
  // A call from inside a loop or a branch.
  if (FlatSymbolRefAttr callee = getCallee(op)) {
    if (failed(pushCallee(op, callee)))
      return failure();
    return runDownTo(frames.size() - 1);
  }
  auto control = getControl().find(isHlo(op) ? getHloName(op)
                                             : op->getName().getStringRef());
  if (control != getControl().end())
    return (this->*control->second)(op, env);
  return evaluate(op, env);
}

static const OpEvaluators &getEvaluators() {
  static const OpEvaluators evaluators = [] {
    OpEvaluators all;
    addAffineEvaluators(all);
    addBufferizationEvaluators(all);
    addElementwiseEvaluators(all);
    addLayoutEvaluators(all);
    addLinalgEvaluators(all);
    addTensorEvaluators(all);
    addVectorEvaluators(all);
    return all;
  }();
  return evaluators;
}

static const OpEvaluators &getMemoryEvaluators() {
  static const OpEvaluators evaluators = [] {
    OpEvaluators all;
    addMemoryEvaluators(all);
    return all;
  }();
  return evaluators;
}

/// Whether an op takes or makes a memref.
static bool isOnMemory(Operation *op) {
  auto isMemory = llvm::IsaPred<BaseMemRefType>;
  return llvm::any_of(op->getOperandTypes(), isMemory) ||
         llvm::any_of(op->getResultTypes(), isMemory);
}

FailureOr<RuntimeValues> StackMachine::evaluate(Operation *op,
                                                const Environment &env) {
  if (isOnMemory(op)) {
    OpEvaluator evaluator =
        getMemoryEvaluators().lookup(op->getName().getStringRef());
    return evaluator ? evaluator(op, env) : runLinalgOp(op, env);
  }
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    if (env.getInt(assertion.getArg()) == 0)
      return op->emitOpError("failed: ") << assertion.getMsg();
    return RuntimeValues{};
  }
  if (auto assertion = dyn_cast<AssertOp>(op)) {
    if (env.getInt(assertion.getCondition()) != 0)
      return RuntimeValues{};
    SmallVector<int64_t> values;
    for (Value value : assertion.getValues())
      values.push_back(env.getInt(value));
    return op->emitOpError("failed: ")
           << formatMessage(assertion.getMessage(), values);
  }
  if (OpEvaluator evaluator =
          getEvaluators().lookup(op->getName().getStringRef()))
    return evaluator(op, env);
  if (isa<linalg::LinalgOp>(op))
    return runLinalgOp(op, env);
  if (isa_and_nonnull<TensorAccessDialect>(op->getDialect()))
    return runAccessOp(op, env, options);
  if (isHlo(op))
    return runHloOp(op, env);
  // A constant of any dialect, such as tosa's, is what it folds to.
  Attribute value;
  if (op->getNumOperands() == 0 && op->getNumResults() == 1 &&
      getHeldTypeOf(getElementTypeOrSelf(op->getResult(0).getType())) &&
      matchPattern(op, m_Constant(&value)))
    if (auto typed = dyn_cast<TypedAttr>(value);
        typed && isa<DenseElementsAttr, IntegerAttr, FloatAttr>(value))
      return resultAt(op, tensorFromAttribute(typed));
  return emitUnsupported(op);
}

LogicalResult StackMachine::setResults(Operation *op, RuntimeValues results,
                                       Environment &env) {
  if (failed(spend(op, kOperationsPerOp + countWork(op, results, env))))
    return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (!isOfType(results[i], result.getType()))
      return op->emitOpError("result ")
             << i << " must be " << result.getType() << ", got "
             << describeValue(results[i]);
    if (!result.use_empty())
      env.set(result, std::move(results[i]));
  }
  return success();
}

FailureOr<RuntimeValues> StackMachine::run(FunctionOpInterface entry,
                                           RuntimeValues inputs) {
  if (failed(push(entry, entry, std::move(inputs))))
    return failure();
  return runDownTo(0);
}

LogicalResult StackMachine::runBranch(Operation *op, Frame &frame) {
  Block *block = nullptr;
  ValueRange operands;
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    block = branch.getDest();
    operands = branch.getDestOperands();
  } else if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    const bool isTrue = frame.env.getInt(branch.getCondition()) != 0;
    block = isTrue ? branch.getTrueDest() : branch.getFalseDest();
    operands =
        isTrue ? branch.getTrueDestOperands() : branch.getFalseDestOperands();
  } else if (auto branch = dyn_cast<cf::SwitchOp>(op)) {
    block = branch.getDefaultDestination();
    operands = branch.getDefaultOperands();
    const int64_t flag = frame.env.getInt(branch.getFlag());
    if (std::optional<DenseIntElementsAttr> cases = branch.getCaseValues())
      for (auto [i, value] : llvm::enumerate(cases->getValues<APInt>()))
        if (value.getSExtValue() == flag) {
          block = branch.getCaseDestinations()[i];
          operands = branch.getCaseOperands(i);
          break;
        }
  } else {
    return emitUnsupported(op);
  }
  if (++branches > options.maxBranches)
    return op->emitOpError("is one of more than ")
           << options.maxBranches << " branches";
  RuntimeValues values;
  for (Value operand : operands)
    values.push_back(frame.env.get(operand));
  for (auto [argument, value] : llvm::zip_equal(block->getArguments(), values))
    frame.env.set(argument, std::move(value));
  frame.next = block->begin();
  return success();
}

FailureOr<RuntimeValues> StackMachine::runDownTo(size_t depth) {
  while (true) {
    Frame &frame = frames.back();
    Operation *op = &*frame.next++;
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      if (!op->hasTrait<OpTrait::ReturnLike>()) {
        if (failed(runBranch(op, frame)))
          return failure();
        continue;
      }
      RuntimeValues results;
      for (Value operand : op->getOperands())
        results.push_back(frame.env.get(operand));
      Operation *call = frame.call;
      frames.pop_back();
      if (frames.size() == depth)
        return results;
      if (failed(setResults(call, std::move(results), frames.back().env)))
        return failure();
      continue;
    }
    if (FlatSymbolRefAttr callee = getCallee(op)) {
      if (failed(pushCallee(op, callee)))
        return failure();
      continue;
    }
    FailureOr<RuntimeValues> results = runNested(op, frame.env);
    if (failed(results) ||
        failed(setResults(op, std::move(*results), frame.env)))
      return failure();
    forgetAfter(op, frame);
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Tensor>>
mlir::tensoraccess::interpret(FunctionOpInterface entry,
                              ArrayRef<Tensor> inputs,
                              const InterpreterOptions &options) {
  if (entry.isExternal())
    return entry.emitOpError("has no body to run");
  if (auto module = entry->getParentOfType<ModuleOp>();
      module && entry->getParentOp() == module && needsExpansion(module)) {
    OwningOpRef<ModuleOp> pairs = module.clone();
    eraseUnreached(*pairs, entry.getName());
    if (failed(expandStableHlo(*pairs)))
      return failure();
    if (needsExpansion(*pairs))
      return entry.emitOpError("has complex numbers that are not taken apart");
    FailureOr<SmallVector<Tensor>> results =
        interpret(*pairs, entry.getName(), inputs, options);
    // The effects are in the function: the ops go.
    if (options.undefined && !options.undefined->seen.empty()) {
      std::string first = options.undefined->seen.front().second;
      options.undefined->seen.clear();
      options.undefined->seen[entry] = first;
    }
    return results;
  }
  if (failed(checkRanks(entry)))
    return failure();
  ArrayRef<Type> types = entry.getArgumentTypes();
  if (inputs.size() != types.size())
    return entry.emitOpError("takes ")
           << types.size() << " inputs, got " << inputs.size();
  RuntimeValues values;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (isa<AccessType, BaseMemRefType>(types[i]) || !isOfType(input, types[i]))
      return entry.emitOpError("input ")
             << i << " must be " << types[i] << ", got " << describe(input);
    FailureOr<Tensor> wrapped =
        reportAt(entry.getOperation(),
                 wrapElements(input, getElementTypeOrSelf(types[i])));
    if (failed(wrapped))
      return failure();
    values.push_back(std::move(*wrapped));
  }
  llvm::SaveAndRestore remember(getUndefinedValues(), options.undefined);
  FloatEnvironment floats;
  FailureOr<RuntimeValues> results =
      StackMachine(options).run(entry, std::move(values));
  if (failed(results))
    return failure();
  SmallVector<Tensor> tensors;
  for (auto [i, result] : llvm::enumerate(*results)) {
    auto *tensor = std::get_if<Tensor>(&result);
    if (!tensor || isa<BaseMemRefType>(entry.getResultTypes()[i]))
      return entry.emitOpError("result ")
             << i << " must be a tensor or a scalar, got "
             << describeValue(result);
    Type element = getElementTypeOrSelf(entry.getResultTypes()[i]);
    FailureOr<Tensor> given = reportAt(
        entry, element.isUnsignedInteger()
                   ? wrapElements(*tensor, element, /*isUnsigned=*/true)
                   : llvm::Expected<Tensor>(*tensor));
    if (failed(given))
      return failure();
    FailureOr<Tensor> dense = reportAt(entry, given->toDense());
    if (failed(dense))
      return failure();
    tensors.push_back(std::move(*dense));
  }
  return tensors;
}

FailureOr<SmallVector<Tensor>>
mlir::tensoraccess::interpret(ModuleOp module, StringRef entry,
                              ArrayRef<Tensor> inputs,
                              const InterpreterOptions &options) {
  auto function = module.lookupSymbol<FunctionOpInterface>(entry);
  if (!function)
    return module.emitError() << describeUnknownFunction(module, entry);
  return interpret(function, inputs, options);
}

std::vector<std::string> mlir::tensoraccess::listInterpretedOps() {
  MLIRContext context;
  context.loadDialect<TensorAccessDialect, linalg::LinalgDialect>();
  std::vector<std::string> names{"cf.assert"};
  for (StringRef name : listHloOps())
    names.push_back(("stablehlo." + name).str());
  for (StringRef name : StackMachine::listControl())
    names.push_back((name.contains('.') ? name : "stablehlo." + name).str());
  for (const OpEvaluators *all : {&getEvaluators(), &getMemoryEvaluators()})
    for (StringRef name : all->keys())
      names.push_back(name.str());
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<linalg::LinalgOp>() ||
        isa<TensorAccessDialect>(op.getDialect()))
      names.push_back(op.getStringRef().str());
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}
