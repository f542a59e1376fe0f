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
//      that the results are what their types say; a call pushes a frame, a
//      return pops one;
//   3. a branch binds the arguments of its block and goes on there;
//   4. forget each value after the last op that reads it (itself or in its
//      regions), so that a whole model runs in the memory of its widest place;
//      not where there are several blocks.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interpreter/Interpreter.h"
#include "Environment.h"
#include "TensorAccess/Core/Support.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>
#include <deque>

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
  std::optional<ElementType> type = getElementTypeOf(elementType);
  if (!type)
    return op->emitOpError("computes with type ")
           << elementType << ", which the interpreter does not hold";
  return reportAt(op, Tensor::create(*type, shape));
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

/// True where a value is one of this type.
static bool isOfType(const RuntimeValue &value, Type type) {
  if (auto access = dyn_cast<AccessType>(type)) {
    auto *pattern = std::get_if<AccessPattern>(&value);
    return pattern &&
           getElementTypeOf(access.getElementType()) ==
               pattern->getElementType() &&
           isShapeAllowed(pattern->getAccessShape(), access.getAccessShape()) &&
           isShapeAllowed(pattern->getComputeShape(), access.getComputeShape());
  }
  auto *tensor = std::get_if<Tensor>(&value);
  if (!tensor ||
      getElementTypeOf(getElementTypeOrSelf(type)) != tensor->getElementType())
    return false;
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    return isShapeAllowed(tensor->getShape(), ranked.getShape());
  return isa<UnrankedTensorType>(type) || tensor->getRank() == 0;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

namespace {
/// A function that is being run.
struct Frame {
  FunctionOpInterface function;
  Block::iterator next;
  /// The call in the frame below; null for the entry.
  Operation *call;
  Environment env;
};

class StackMachine {
public:
  StackMachine(const InterpreterOptions &options) : options(options) {}

  FailureOr<RuntimeValues> run(FunctionOpInterface entry, RuntimeValues inputs);

private:
  /// Runs the last frame until it and those above it have returned, so that
  /// `depth` frames are left; what it returned.
  FailureOr<RuntimeValues> runDownTo(size_t depth);
  LogicalResult push(FunctionOpInterface function, Operation *call,
                     RuntimeValues arguments);
  LogicalResult pushCallee(func::CallOp call);
  FailureOr<RuntimeValues> evaluate(Operation *op, const Environment &env);
  /// Loops and branches. Their values live in the function's frame, which is
  /// as deep as the text nests them.
  FailureOr<RuntimeValues> runFor(scf::ForOp loop, Environment &env);
  FailureOr<RuntimeValues> runWhile(scf::WhileOp loop, Environment &env);
  FailureOr<RuntimeValues> runBlock(Block &block, Environment &env);
  FailureOr<RuntimeValues> runHloControl(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runNested(Operation *op, Environment &env);
  /// Goes to the block that a branch takes; failure where it is none, or one
  /// too many.
  LogicalResult runBranch(Operation *op, Frame &frame);
  LogicalResult setResults(Operation *op, RuntimeValues results,
                           Environment &env);
  /// Counts operations; failure where they are too many.
  LogicalResult spend(Operation *op, int64_t count);
  void forgetAfter(Operation *op, Frame &frame);

  /// The values that no op after this one reads.
  using LastReads = DenseMap<Operation *, SmallVector<Value>>;
  const LastReads &getLastReads(FunctionOpInterface function);

  InterpreterOptions options;
  /// Frames stay where they are while others come and go.
  std::deque<Frame> frames;
  int64_t branches = 0, operations = 0;
  SymbolTableCollection symbols;
  DenseMap<Operation *, LastReads> lastReads;
};
} // namespace

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

LogicalResult StackMachine::pushCallee(func::CallOp call) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return call.emitOpError("calls @")
           << call.getCallee() << ", which has no body";
  RuntimeValues arguments;
  for (Value operand : call.getOperands())
    arguments.push_back(frames.back().env.get(operand));
  // The callee may free what only it reads from now on.
  forgetAfter(call, frames.back());
  return push(callee, call, std::move(arguments));
}

/// affine.apply, affine.min and affine.max.
static FailureOr<RuntimeValues> runAffineOp(Operation *op,
                                            const Environment &env) {
  AffineMap map;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getAffineMap();
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    map = max.getAffineMap();
  else
    return emitUnsupported(op);
  Type index = IndexType::get(op->getContext());
  SmallVector<Attribute> operands, folded;
  for (Value operand : op->getOperands())
    operands.push_back(IntegerAttr::get(index, env.getInt(operand)));
  if (failed(map.constantFold(operands, folded)))
    return op->emitOpError("has no value for these operands");
  std::optional<int64_t> result;
  for (Attribute attr : folded) {
    int64_t value = cast<IntegerAttr>(attr).getInt();
    result = !result                        ? value
             : isa<affine::AffineMinOp>(op) ? std::min(*result, value)
                                            : std::max(*result, value);
  }
  return RuntimeValues{Tensor::scalarInt(*getElementTypeOf(index), *result)};
}

/// What running an op takes beside its elements.
static constexpr int64_t kOperationsPerOp = 512;

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
static int64_t countPoints(Operation *op, const RuntimeValues &results,
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

FailureOr<RuntimeValues> StackMachine::runFor(scf::ForOp loop,
                                              Environment &env) {
  const int64_t end = env.getInt(loop.getUpperBound());
  const int64_t step = env.getInt(loop.getStep());
  if (step <= 0)
    return loop.emitOpError("step must be positive, got ") << step;
  std::optional<ElementType> type =
      getElementTypeOf(loop.getInductionVar().getType());
  if (!type)
    return emitUnsupported(loop);
  RuntimeValues values;
  for (Value init : loop.getInits())
    values.push_back(env.get(init));
  for (int64_t i = env.getInt(loop.getLowerBound()); i < end;) {
    env.set(loop.getInductionVar(), Tensor::scalarInt(*type, i));
    for (auto [argument, value] :
         llvm::zip_equal(loop.getRegionIterArgs(), values))
      env.set(argument, std::move(value));
    FailureOr<RuntimeValues> yielded = runBlock(*loop.getBody(), env);
    if (failed(yielded))
      return failure();
    values = std::move(*yielded);
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  return values;
}

FailureOr<RuntimeValues> StackMachine::runWhile(scf::WhileOp loop,
                                                Environment &env) {
  RuntimeValues values;
  for (Value init : loop.getInits())
    values.push_back(env.get(init));
  while (true) {
    for (auto [argument, value] :
         llvm::zip_equal(loop.getBeforeArguments(), values))
      env.set(argument, std::move(value));
    // The condition comes first, then what the other region takes.
    FailureOr<RuntimeValues> ends = runBlock(*loop.getBeforeBody(), env);
    if (failed(ends))
      return failure();
    values.assign(std::next(ends->begin()), ends->end());
    if (std::get<Tensor>(ends->front()).getInt({}) == 0)
      return values;
    for (auto [argument, value] :
         llvm::zip_equal(loop.getAfterArguments(), values))
      env.set(argument, std::move(value));
    ends = runBlock(*loop.getAfterBody(), env);
    if (failed(ends))
      return failure();
    values = std::move(*ends);
  }
}

/// while: the values of the last turn, for which the first region says no.
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
      for (auto [argument, value] :
           llvm::zip_equal(region.front().getArguments(), values))
        env.set(argument, value);
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

FailureOr<RuntimeValues> StackMachine::runNested(Operation *op,
                                                 Environment &env) {
  // A call from inside a loop or a branch.
  if (auto call = dyn_cast<func::CallOp>(op)) {
    if (failed(pushCallee(call)))
      return failure();
    return runDownTo(frames.size() - 1);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runFor(loop, env);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return runWhile(loop, env);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    const int64_t index = env.getInt(choice.getArg());
    for (auto [number, region] :
         llvm::zip(choice.getCases(), choice.getCaseRegions()))
      if (number == index)
        return runBlock(region.front(), env);
    return runBlock(choice.getDefaultBlock(), env);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Block *block = env.getInt(branch.getCondition()) != 0 ? branch.thenBlock()
                                                          : branch.elseBlock();
    return block ? runBlock(*block, env)
                 : FailureOr<RuntimeValues>(RuntimeValues{});
  }
  if (isHlo(op))
    if (StringRef name = getHloName(op);
        name == "while" || name == "if" || name == "case")
      return runHloControl(op, env);
  return evaluate(op, env);
}

FailureOr<RuntimeValues> StackMachine::evaluate(Operation *op,
                                                const Environment &env) {
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
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "tensoraccess")
    return runAccessOp(op, env, options);
  if (dialect == "linalg")
    return runLinalgOp(op, env);
  if (dialect == "tensor")
    return runTensorOp(op, env);
  if (dialect == "arith" || dialect == "math")
    return runElementwiseOp(op, env);
  if (dialect == "affine")
    return runAffineOp(op, env);
  if (isHlo(op))
    return runHloOp(op, env);
  // A constant of any dialect, such as tosa's, is what it folds to.
  Attribute value;
  if (op->getNumOperands() == 0 && op->getNumResults() == 1 &&
      getElementTypeOf(getElementTypeOrSelf(op->getResult(0).getType())) &&
      matchPattern(op, m_Constant(&value)))
    if (auto typed = dyn_cast<TypedAttr>(value);
        typed && isa<DenseElementsAttr, IntegerAttr, FloatAttr>(value))
      return resultAt(op, tensorFromAttribute(typed));
  return emitUnsupported(op);
}

LogicalResult StackMachine::setResults(Operation *op, RuntimeValues results,
                                       Environment &env) {
  if (failed(spend(op, kOperationsPerOp + countPoints(op, results, env))))
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
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (failed(pushCallee(call)))
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
    if (failed(expandStableHlo(*pairs)))
      return failure();
    if (needsExpansion(*pairs))
      return entry.emitOpError("has complex numbers that are not taken apart");
    FailureOr<SmallVector<Tensor>> results =
        interpret(*pairs, entry.getName(), inputs, options);
    // What was seen is seen in the function: the ops go.
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
    values.push_back(input);
    if (isa<AccessType>(types[i]) || !isOfType(values.back(), types[i]))
      return entry.emitOpError("input ")
             << i << " must be " << types[i] << ", got " << describe(input);
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
    if (!tensor)
      return entry.emitOpError("result ")
             << i << " must be a tensor or a scalar, got "
             << describeValue(result);
    FailureOr<Tensor> dense = reportAt(entry, tensor->toDense());
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
    return module.emitError("there is no function @") << entry;
  return interpret(function, inputs, options);
}
