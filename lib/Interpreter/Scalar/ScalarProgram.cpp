//===- ScalarProgram.cpp - Regions of scalar ops, made ready to run -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translation of blocks to instructions, in order of the ops, and the few
// instructions that arith and math do not have: tensor.extract, affine.apply,
// cf.assert, the ops on indices, and scf.if, whose two blocks are lists of
// instructions of their own. The table of arith and math is in ScalarOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<ScalarType> mlir::tensoraccess::getScalarType(Type type) {
  std::optional<ElementType> held = getHeldTypeOf(type);
  if (!held)
    return std::nullopt;
  return type.isInteger() ? ScalarType(*held, type.getIntOrFloatBitWidth())
                          : ScalarType(*held);
}

LoadFn mlir::tensoraccess::getLoad(ElementType type) {
  return dispatch(type, [](auto tag) -> LoadFn {
    using T = typename decltype(tag)::type;
    return [](const void *address) {
      T element = *static_cast<const T *>(address);
      ScalarRegister result;
      if constexpr (std::is_same_v<T, Bit>)
        result.i = element.value;
      else if constexpr (Arithmetic<T>::isFloat)
        result.f = typename Arithmetic<T>::Wide(element);
      else
        result.i = element;
      return result;
    };
  });
}

StoreFn mlir::tensoraccess::getStore(ElementType type) {
  return dispatch(type, [](auto tag) -> StoreFn {
    using T = typename decltype(tag)::type;
    return [](void *address, ScalarRegister value) {
      if constexpr (std::is_same_v<T, Bit>)
        *static_cast<T *>(address) = Bit(value.i & 1);
      else if constexpr (Arithmetic<T>::isFloat)
        *static_cast<T *>(address) = T(value.f);
      else
        *static_cast<T *>(address) = T(value.i);
    };
  });
}

ScalarRegister mlir::tensoraccess::loadScalar(const Tensor &scalar) {
  return getLoad(scalar.getElementType())(scalar.getData());
}

std::optional<int64_t>
mlir::tensoraccess::evaluateAffine(AffineExpr expr, ArrayRef<int64_t> dims,
                                   ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = evaluateAffine(binary.getLHS(), dims, symbols);
  auto rhs = evaluateAffine(binary.getRHS(), dims, symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (llvm::AddOverflow(*lhs, *rhs, result))
      return std::nullopt;
    return result;
  case AffineExprKind::Mul:
    if (llvm::MulOverflow(*lhs, *rhs, result))
      return std::nullopt;
    return result;
  default:
    break;
  }
  if (*rhs <= 0)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*lhs, *rhs);
  default:
    return llvm::mod(*lhs, *rhs);
  }
}

/// result = tensor[indices]
static bool runExtract(const ScalarInstruction &in, ScalarContext &context) {
  const auto &access = context.program->getElementAccess(in.extra);
  SmallVector<int64_t> index;
  for (auto [d, source] : llvm::enumerate(access.indices)) {
    index.push_back(context.registers[source].i);
    if (index.back() < 0 || index.back() >= access.tensor.getDim(d)) {
      context.message =
          ("index " + Twine(index.back()) + " of dimension " + Twine(d) +
           " must lie in [0, " + Twine(access.tensor.getDim(d)) + ")")
              .str();
      return false;
    }
  }
  context.registers[in.result] =
      getLoad(in.resultType)(access.tensor.getElement(index));
  return true;
}

/// result = map(operands)
static bool runAffineApply(const ScalarInstruction &in,
                           ScalarContext &context) {
  const auto &apply = context.program->getAffineApply(in.extra);
  SmallVector<int64_t> operands;
  for (uint32_t source : apply.operands)
    operands.push_back(context.registers[source].i);
  ArrayRef<int64_t> all(operands);
  std::optional<int64_t> value = evaluateAffine(
      apply.map.getResult(0), all.take_front(apply.map.getNumDims()),
      all.drop_front(apply.map.getNumDims()));
  if (!value) {
    context.message = "overflows or divides by a number below 1";
    return false;
  }
  context.registers[in.result].i = *value;
  return true;
}

/// Fails if the first operand is false; the others are the message's values.
static bool runAssert(const ScalarInstruction &in, ScalarContext &context) {
  const auto &step = context.program->getIndexStep(in.extra);
  if (intAt(context, step.operands[0]) != 0)
    return true;
  SmallVector<int64_t> values;
  for (uint32_t source : ArrayRef(step.operands).drop_front())
    values.push_back(intAt(context, source));
  auto assertion = dyn_cast<AssertOp>(in.op);
  context.message =
      "failed: " + (assertion ? formatMessage(assertion.getMessage(), values)
                              : cast<cf::AssertOp>(in.op).getMsg().str());
  return false;
}

/// results = op(operands), of integers
static bool runIndexStep(const ScalarInstruction &in, ScalarContext &context) {
  const auto &step = context.program->getIndexStep(in.extra);
  SmallVector<int64_t> operands;
  for (uint32_t source : step.operands)
    operands.push_back(intAt(context, source));
  std::optional<SmallVector<int64_t>> values =
      evaluateIndexOp(in.op, operands, context.message);
  if (!values)
    return false;
  for (auto [result, value] : llvm::zip_equal(step.results, *values))
    intAt(context, result) = value;
  return true;
}

/// The sum and its carry, or the halves of the product.
static bool runExtended(const ScalarInstruction &in, ScalarContext &context) {
  const auto &step = context.program->getIndexStep(in.extra);
  const ScalarType type = in.operandType;
  const int64_t a = intAt(context, step.operands[0]),
                b = intAt(context, step.operands[1]);
  int64_t &low = intAt(context, step.results[0]),
          &high = intAt(context, step.results[1]);
  if (isa<arith::MulSIExtendedOp>(in.op)) {
    const __int128 product =
        __int128(signExtend(a, type)) * signExtend(b, type);
    low = wrapTo(int64_t(product), type);
    high = wrapTo(int64_t(product >> type.bits), type);
    return true;
  }
  using Wide = unsigned __int128;
  const Wide x = zeroExtend(a, type), y = zeroExtend(b, type);
  const bool isSum = isa<arith::AddUIExtendedOp>(in.op);
  const Wide whole = isSum ? x + y : x * y;
  low = wrapTo(int64_t(whole), type);
  high = wrapTo(int64_t(whole >> type.bits),
                isSum ? ScalarType(ElementType::I1) : type);
  return true;
}

bool mlir::tensoraccess::isExtendedOp(Operation *op) {
  return isa<arith::AddUIExtendedOp, arith::MulSIExtendedOp,
             arith::MulUIExtendedOp>(op);
}

/// result = operand
static bool runCopy(const ScalarInstruction &in, ScalarContext &context) {
  context.registers[in.result] = context.registers[in.operands[0]];
  return true;
}

/// Runs one of two blocks; as deep as the text nests them.
static bool runBranch(const ScalarInstruction &in, ScalarContext &context) {
  const auto &branch = context.program->getBranch(in.extra);
  bool condition = intAt(context, in.operands[0]) != 0;
  for (const ScalarInstruction &inner :
       condition ? branch.whenTrue : branch.whenFalse)
    if (!inner.handlers.run(inner, context)) {
      if (!context.faultyOp)
        context.faultyOp = inner.op;
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

class ScalarProgram::Compiler {
public:
  Compiler(ScalarProgram &program, const Environment *env)
      : program(program), instructions(&program.instructions), env(env) {}

  uint32_t addRegister(ScalarRegister start = {}) {
    program.initial.push_back(start);
    return program.initial.size() - 1;
  }
  void bind(Value value, uint32_t number) { registers[value] = number; }
  /// Computes a step with one rounding.
  void fuse(const ProductStep &step) { fused[step.sum] = step.product; }

  /// The register of a value; values from outside become constants.
  FailureOr<uint32_t> getRegister(Value value, Operation *user) {
    if (auto found = registers.find(value); found != registers.end())
      return found->second;
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    bool isScalar = isa<FloatType, IntegerType, IndexType>(value.getType()) ||
                    (tensor && tensor.getRank() == 0);
    if (!isScalar || !env || !env->contains(value))
      return user->emitOpError("reads a value of type ")
             << value.getType() << ", which is not a scalar";
    uint32_t number = addRegister(loadScalar(env->getTensor(value)));
    bind(value, number);
    return number;
  }

  LogicalResult compile(Operation *op) {
    if (isa<ub::PoisonOp>(op)) {
      std::optional<ScalarType> type =
          getScalarType(op->getResult(0).getType());
      if (!type)
        return emitUnsupported(op);
      bind(op->getResult(0), addRegister(loadScalar(Tensor::scalarInt(
                                 *type, chooseUndefined(op, 0, "is poison")))));
      return success();
    }
    if (Attribute constant; op->hasTrait<OpTrait::ConstantLike>() &&
                            !isa<ShapedType>(op->getResult(0).getType()) &&
                            matchPattern(op, m_Constant(&constant))) {
      FailureOr<Tensor> value = reportAt(op, tensorFromAttribute(constant));
      if (failed(value))
        return failure();
      bind(op->getResult(0), addRegister(loadScalar(*value)));
      return success();
    }
    if (isHlo(op, "constant") && op->getNumResults() == 1) {
      FailureOr<Tensor> value =
          reportAt(op, tensorFromAttribute(op->getAttr("value")));
      if (failed(value))
        return failure();
      if (value->getRank() != 0)
        return emitUnsupported(op);
      bind(op->getResult(0), addRegister(loadScalar(*value)));
      return success();
    }
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      bind(index, program.getIndexRegister(index.getDim()));
      program.loopIndicesUsed = true;
      return success();
    }
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      return compileDim(dim);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return compileIf(branch);
    if (isa<LinearizeOp, DelinearizeOp, ApplyIndexingOp>(op))
      return compileSteps(op, runIndexStep);
    if (isa<cf::AssertOp, AssertOp>(op))
      return compileSteps(op, runAssert);
    if (isExtendedOp(op))
      return compileSteps(op, runExtended);
    if (op->getNumResults() != 1 || op->getNumRegions() != 0)
      return emitUnsupported(op);

    Operation *product = fused.lookup(op);
    if (!product && op->hasOneUse() && fused.lookup(*op->user_begin()) == op)
      return success();
    ScalarInstruction in;
    in.op = op;
    if (failed(setTypes(op, in)))
      return failure();
    SmallVector<uint32_t> sources;
    auto operands = llvm::to_vector(op->getOperands());
    if (product) {
      // x, y and what they are added to.
      llvm::erase(operands, product->getResult(0));
      operands.insert(operands.begin(), product->operand_begin(),
                      product->operand_end());
    }
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    if (extract && !env->contains(extract.getTensor()))
      return emitUnsupported(op);
    for (Value operand : llvm::drop_begin(operands, extract ? 1 : 0)) {
      FailureOr<uint32_t> source = getRegister(operand, op);
      if (failed(source))
        return failure();
      sources.push_back(*source);
    }
    if (extract) {
      in.handlers = runExtract;
      in.extra = program.elementAccesses.size();
      program.elementAccesses.push_back(
          {env->getTensor(extract.getTensor()), sources});
    } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      in.handlers = runAffineApply;
      in.extra = program.affineApplies.size();
      program.affineApplies.push_back({apply.getAffineMap(), sources});
    } else if (product) {
      in.handlers = findScalarHandlers("math.fma");
      llvm::copy(sources, in.operands);
    } else if (sources.size() > 3 || !selectScalarOp(op, in)) {
      return emitUnsupported(op);
    } else {
      llvm::copy(sources, in.operands);
    }
    in.result = addRegister();
    bind(op->getResult(0), in.result);
    instructions->push_back(in);
    return success();
  }

  /// The element types of operands and result. A select's condition is not
  /// what it computes with.
  LogicalResult setTypes(Operation *op, ScalarInstruction &in) {
    auto set = [&](Value value, ScalarType &type) -> LogicalResult {
      Type mlirType = getElementTypeOrSelf(value.getType());
      std::optional<ScalarType> found = getScalarType(mlirType);
      if (!found)
        return op->emitOpError("computes with type ")
               << mlirType << ", which the interpreter does not hold";
      type = *found;
      return success();
    };
    if (failed(set(op->getResult(0), in.resultType)))
      return failure();
    if (op->getNumOperands() == 0 || isa<tensor::ExtractOp>(op))
      return success();
    return set(op->getOperands().back(), in.operandType);
  }

private:
  /// The instructions of a branch, then one copy for each value it yields.
  LogicalResult compileBranch(Block *block, ArrayRef<uint32_t> results,
                              std::vector<ScalarInstruction> &list) {
    if (!block)
      return success();
    llvm::SaveAndRestore restore(instructions, &list);
    for (Operation &op : block->without_terminator())
      if (failed(compile(&op)))
        return failure();
    Operation *yield = block->getTerminator();
    for (auto [value, result] :
         llvm::zip_equal(yield->getOperands(), results)) {
      FailureOr<uint32_t> source = getRegister(value, yield);
      if (failed(source))
        return failure();
      ScalarInstruction in;
      in.op = yield;
      in.handlers = runCopy;
      in.operands[0] = *source;
      in.result = result;
      list.push_back(in);
    }
    return success();
  }

  LogicalResult compileIf(scf::IfOp op) {
    FailureOr<uint32_t> condition = getRegister(op.getCondition(), op);
    if (failed(condition))
      return failure();
    SmallVector<uint32_t> results;
    for (Value result : op.getResults()) {
      results.push_back(addRegister());
      bind(result, results.back());
    }
    Branch branch;
    if (failed(compileBranch(op.thenBlock(), results, branch.whenTrue)) ||
        failed(compileBranch(op.elseBlock(), results, branch.whenFalse)))
      return failure();
    ScalarInstruction in;
    in.op = op;
    in.handlers = runBranch;
    in.operands[0] = *condition;
    in.extra = program.branches.size();
    program.branches.push_back(std::move(branch));
    instructions->push_back(in);
    return success();
  }

  /// An op on the registers of its operands and results.
  LogicalResult compileSteps(Operation *op, ScalarHandlers handlers) {
    IndexStep step;
    for (Value operand : op->getOperands()) {
      FailureOr<uint32_t> source = getRegister(operand, op);
      if (failed(source))
        return failure();
      step.operands.push_back(*source);
    }
    for (Value result : op->getResults()) {
      step.results.push_back(addRegister());
      bind(result, step.results.back());
    }
    ScalarInstruction in;
    in.op = op;
    if (isExtendedOp(op) && failed(setTypes(op, in)))
      return failure();
    in.handlers = handlers;
    in.extra = program.indexSteps.size();
    program.indexSteps.push_back(std::move(step));
    instructions->push_back(in);
    return success();
  }

  LogicalResult compileDim(tensor::DimOp dim) {
    if (!env->contains(dim.getSource()))
      return emitUnsupported(dim);
    const Tensor &source = env->getTensor(dim.getSource());
    std::optional<int64_t> number = dim.getConstantIndex();
    if (!number || *number < 0 || *number >= source.getRank())
      return emitUnsupported(dim);
    ScalarRegister size;
    size.i = source.getDim(*number);
    bind(dim, addRegister(size));
    return success();
  }

  ScalarProgram &program;
  /// Where instructions go: those of the program, or of a branch.
  std::vector<ScalarInstruction> *instructions;
  const Environment *env;
  DenseMap<Value, uint32_t> registers;
  /// Sums that have one rounding with their product.
  DenseMap<Operation *, Operation *> fused;
};

FailureOr<ScalarProgram> ScalarProgram::compile(Block &block, int64_t numLoops,
                                                const Environment &env) {
  ScalarProgram program;
  Compiler compiler(program, &env);
  program.numArguments = block.getNumArguments();
  for (BlockArgument argument : block.getArguments()) {
    compiler.bind(argument, compiler.addRegister());
    program.argumentsUsed |= !argument.use_empty();
  }
  for (int64_t i = 0; i < numLoops; ++i)
    compiler.addRegister();
  Operation *yield = &block.back();
  for (unsigned i = 0; i < yield->getNumOperands(); ++i)
    if (std::optional<ProductStep> step = findProductStep(block, i);
        step && step->isFused() && isa<linalg::LinalgOp>(block.getParentOp()))
      compiler.fuse(*step);
  // The last op may be one by name, of which MLIR knows no traits.
  for (Operation &op : llvm::drop_end(block))
    if (failed(compiler.compile(&op)))
      return failure();
  for (Value output : yield->getOperands()) {
    FailureOr<uint32_t> number = compiler.getRegister(output, yield);
    if (failed(number))
      return failure();
    program.outputs.push_back(*number);
  }
  return program;
}

FailureOr<ScalarProgram> ScalarProgram::compileOp(Operation *op) {
  ScalarProgram program;
  Compiler compiler(program, nullptr);
  ScalarInstruction in;
  in.op = op;
  if (isExtendedOp(op)) {
    program.numArguments = op->getNumOperands();
    for (Value operand : op->getOperands())
      compiler.bind(operand, compiler.addRegister());
    if (failed(compiler.compile(op)))
      return failure();
    program.outputs = program.indexSteps.back().results;
    return program;
  }
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getNumOperands() > 3)
    return emitUnsupported(op);
  if (failed(compiler.setTypes(op, in)))
    return failure();
  if (!selectScalarOp(op, in))
    return emitUnsupported(op);
  program.numArguments = op->getNumOperands();
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    in.operands[i] = compiler.addRegister();
  in.result = compiler.addRegister();
  program.outputs.push_back(in.result);
  program.instructions.push_back(in);
  return program;
}
