//===- LinalgOps.cpp - Structured ops of linalg, point by point -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every structured op, named or generic, by its definition:
//
//   1. sizes of the loops from the actual shapes of the operands
//      (LinalgOp::getShapesToLoopsMap), checked against every operand;
//   2. results start as copies of the outputs;
//   3. for each point of the loops, in row-major order, load the operands at
//      the places their indexing maps give, run the region, store what it
//      yields.
//
// An operand whose map is linear moves by one byte step a loop, and its bounds
// are checked once, by the extreme values of each map result; any other map is
// evaluated, and checked, at each point.
//
// Step 3 is done for many points at a time where that gives the same bits, and
// operands have linear maps:
//
//   1. a body `out + x * y` (each of x and y as it is, or extended) is a
//      contraction (Core/StridedContraction.h);
//   2. any other body runs in strips (Strips.h).
//
//===----------------------------------------------------------------------===//

#include "Scalar/Strips.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// An operand as the loops see it.
struct PointOperand {
  unsigned number = 0;
  AffineMap map;
  Tensor tensor;
  /// False if the region does not read the block argument.
  bool isRead = false;
  /// Bytes from one iteration of each loop to the next; empty if the map is
  /// not linear.
  SmallVector<int64_t> steps;
  char *address = nullptr;

  bool isLinear() const { return !steps.empty(); }
};
} // namespace

/// An expression as Σ coefficients(i)·d(i) + constant; false if it is not of
/// that form.
static bool getLinearForm(AffineExpr expr,
                          MutableArrayRef<int64_t> coefficients,
                          int64_t &constant, int64_t factor = 1) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return !llvm::AddOverflow(coefficients[dim.getPosition()], factor,
                              coefficients[dim.getPosition()]);
  if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t product;
    return !llvm::MulOverflow(value.getValue(), factor, product) &&
           !llvm::AddOverflow(constant, product, constant);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return getLinearForm(binary.getLHS(), coefficients, constant, factor) &&
           getLinearForm(binary.getRHS(), coefficients, constant, factor);
  auto multiplier = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && multiplier &&
         !llvm::MulOverflow(factor, multiplier.getValue(), factor) &&
         getLinearForm(binary.getLHS(), coefficients, constant, factor);
}

static LogicalResult emitOutOfBounds(Operation *op, unsigned operand,
                                     size_t dimension, int64_t index,
                                     int64_t size) {
  return op->emitOpError("operand ")
         << operand << " is accessed at index " << index << " of dimension "
         << dimension << ", which must lie in [0, " << size << ")";
}

/// The sizes of the loops, from the shapes of all operands.
static FailureOr<SmallVector<int64_t>> getLoopSizes(linalg::LinalgOp op,
                                                    const Environment &env) {
  SmallVector<int64_t> sizes, all;
  for (Value operand : op->getOperands())
    llvm::append_range(all, env.getTensor(operand).getShape());
  AffineMap map = op.getShapesToLoopsMap();
  for (unsigned i = 0; map && i < map.getNumResults(); ++i)
    if (auto size = evaluateAffine(map.getResult(i), all, {}))
      sizes.push_back(*size);
  if (sizes.size() != op.getNumLoops())
    return op->emitOpError("has loops whose sizes its operands do not give");
  // A loop's size must be that of each dimension that it walks alone.
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap indexing = op.getMatchingIndexingMap(&operand);
    ArrayRef<int64_t> shape = env.getTensor(operand.get()).getShape();
    for (auto [d, expr] : llvm::enumerate(indexing.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && shape[d] != sizes[dim.getPosition()])
        return op->emitOpError("dimension ")
               << d << " of operand " << operand.getOperandNumber()
               << " must be " << sizes[dim.getPosition()]
               << ", the size of loop " << dim.getPosition() << ", got "
               << shape[d];
  }
  return sizes;
}

/// Fills in steps and address of an operand with a linear map. Fails, reported,
/// where some point lies outside.
static LogicalResult setUp(Operation *op, PointOperand &operand,
                           ArrayRef<int64_t> loopSizes) {
  int64_t elementSize = byteSize(operand.tensor.getElementType());
  SmallVector<int64_t> steps(loopSizes.size(), 0);
  int64_t start = 0;
  for (auto [d, expr] : llvm::enumerate(operand.map.getResults())) {
    SmallVector<int64_t> coefficients(loopSizes.size(), 0);
    int64_t constant = 0;
    if (!getLinearForm(expr, coefficients, constant))
      return success();
    // Least and greatest index, in 128 bits: every product fits there.
    __int128 least = constant, greatest = constant;
    for (auto [coefficient, size] : llvm::zip(coefficients, loopSizes)) {
      __int128 reach = __int128(coefficient) * (size - 1);
      (reach < 0 ? least : greatest) += reach;
    }
    int64_t size = operand.tensor.getDim(d);
    if (least < 0 || greatest >= size)
      return emitOutOfBounds(op, operand.number, d,
                             int64_t(least < 0 ? least : greatest), size);
    int64_t stride = operand.tensor.getStrides()[d] * elementSize;
    start += constant * stride;
    // A loop of one iteration never steps; its coefficient may be anything.
    for (size_t i = 0; i < loopSizes.size(); ++i)
      if (loopSizes[i] > 1)
        steps[i] += coefficients[i] * stride;
  }
  operand.address = static_cast<char *>(operand.tensor.getData()) + start;
  operand.steps = steps;
  if (steps.empty())
    operand.steps.push_back(0); // no loops: linear all the same
  return success();
}

/// The place in an operand with any map at this point.
static FailureOr<char *> locate(Operation *op, const PointOperand &operand,
                                ArrayRef<int64_t> point) {
  SmallVector<int64_t> index;
  for (auto [d, expr] : llvm::enumerate(operand.map.getResults())) {
    std::optional<int64_t> value = evaluateAffine(expr, point, {});
    if (!value)
      return op->emitOpError("the indexing map of operand ")
             << operand.number << " overflows or divides by a number below 1";
    if (*value < 0 || *value >= operand.tensor.getDim(d))
      return emitOutOfBounds(op, operand.number, d, *value,
                             operand.tensor.getDim(d));
    index.push_back(*value);
  }
  return static_cast<char *>(operand.tensor.getElement(index));
}

//===----------------------------------------------------------------------===//
// Many points at a time
//===----------------------------------------------------------------------===//

static bool runProduct(linalg::LinalgOp op, ArrayRef<PointOperand> operands,
                       ArrayRef<int64_t> sizes) {
  std::optional<ProductStep> step = findProductStep(*op.getBlock());
  // Contractions extend integers by their sign, and round f32 and f64 once.
  if (!step || !step->arguments || op.getNumDpsInits() != 1 ||
      llvm::any_of(step->product->getOperands(), [](Value factor) {
        return factor.getDefiningOp<arith::ExtUIOp>() != nullptr;
      }))
    return false;
  // Narrow integers are wrapped after each step.
  if (!getElementTypeOf(getElementTypeOrSelf(op.getDpsInits()[0].getType())))
    return false;
  const PointOperand &out = operands.back(),
                     &x = operands[step->arguments->first],
                     &y = operands[step->arguments->second];
  const ElementType type = x.tensor.getElementType(),
                    sumType = out.tensor.getElementType();
  if (y.tensor.getElementType() != type || !isExtension(type, sumType) ||
      ((sumType == ElementType::F32 || sumType == ElementType::F64) &&
       !step->isFused()) ||
      !haveOwnPlaces(sizes, out.steps, byteSize(sumType)))
    return false;
  StridedContraction contraction;
  contraction.type = type;
  contraction.sumType = sumType;
  for (size_t d = 0; d < sizes.size(); ++d)
    (out.steps[d] != 0 ? contraction.points : contraction.sums)
        .push_back(sizes[d]);
  auto set = [&](StridedContraction::Operand &operand,
                 const PointOperand &from) {
    operand.data = from.address;
    for (size_t d = 0; d < sizes.size(); ++d)
      (out.steps[d] != 0 ? operand.pointSteps : operand.sumSteps)
          .push_back(from.steps[d] / byteSize(from.tensor.getElementType()));
  };
  set(contraction.out, out);
  set(contraction.lhs, x);
  set(contraction.rhs, y);
  runContraction(contraction);
  return true;
}

/// Runs the loops, each of which has an iteration, by a kernel or in strips;
/// false if it can't, or something fails: results may have been written to.
static bool runFast(linalg::LinalgOp op, const ScalarProgram &program,
                    ArrayRef<PointOperand> operands, ArrayRef<int64_t> sizes) {
  if (sizes.empty() || !llvm::all_of(operands, [](const PointOperand &operand) {
        return operand.isLinear();
      }))
    return false;
  // Contractions look at no flags.
  if (!getUndefinedValues() && runProduct(op, operands, sizes))
    return true;
  const unsigned numInputs = op.getNumDpsInputs();
  SmallVector<StripOperand> all;
  for (const PointOperand &operand : operands) {
    StripOperand &strip = all.emplace_back();
    strip.address = operand.address;
    strip.steps = operand.steps;
    strip.type = operand.tensor.getElementType();
    if (operand.isRead)
      strip.read = operand.number;
    if (operand.number >= numInputs)
      strip.write = program.getOutputs()[operand.number - numInputs];
  }
  return runStrips(program, all, sizes);
}

//===----------------------------------------------------------------------===//
// Point by point
//===----------------------------------------------------------------------===//

namespace {
/// Where an operand is while the loops run; all that the innermost loop needs.
struct Cursor {
  char *address;
  /// Bytes from one iteration of each loop to the next; null if the map is
  /// not linear and the address is set anew at each point.
  const int64_t *steps;
  LoadFn load;
  StoreFn store;
  /// The register that is loaded or stored.
  uint32_t number;

  void advance(size_t loop, int64_t iterations) {
    if (steps)
      address += iterations * steps[loop];
  }
};

/// Step 3, where there is at least one point.
class LoopRunner {
public:
  LoopRunner(linalg::LinalgOp op, const ScalarProgram &program,
             ArrayRef<PointOperand> operands, ArrayRef<int64_t> sizes)
      : op(op), operands(operands), sizes(sizes),
        registers(program.createRegisters()), program(program),
        context{registers.data(), &program, {}}, point(sizes.size(), 0) {
    unsigned numInputs = op.getNumDpsInputs();
    for (const PointOperand &operand : operands) {
      ElementType type = operand.tensor.getElementType();
      Cursor cursor{operand.address,
                    operand.isLinear() ? operand.steps.data() : nullptr,
                    getLoad(type), getStore(type), operand.number};
      allLinear &= operand.isLinear();
      if (operand.isRead)
        reads.push_back(cursor);
      if (operand.number >= numInputs) {
        cursor.number = program.getOutputs()[operand.number - numInputs];
        writes.push_back(cursor);
      }
    }
  }

  LogicalResult run() {
    while (true) {
      if (failed(runPoint()))
        return failure();
      // The next point: the innermost loop that has not ended takes a step.
      size_t d = sizes.size();
      while (d-- > 0) {
        if (++point[d] < sizes[d]) {
          advance(d, 1);
          break;
        }
        advance(d, 1 - sizes[d]);
        point[d] = 0;
      }
      if (d == size_t(-1))
        return success();
    }
  }

private:
  void advance(size_t loop, int64_t iterations) {
    for (Cursor &read : reads)
      read.advance(loop, iterations);
    for (Cursor &write : writes)
      write.advance(loop, iterations);
  }

  LogicalResult runPoint() {
    if (LLVM_UNLIKELY(isCancelled()))
      return failure();
    if (LLVM_UNLIKELY(!allLinear) && failed(locateAll()))
      return failure();
    if (program.usesLoopIndices())
      for (size_t d = 0; d < point.size(); ++d)
        registers[program.getIndexRegister(d)].i = point[d];
    for (const Cursor &read : reads)
      registers[read.number] = read.load(read.address);
    if (failed(program.run(context)))
      return failure();
    for (const Cursor &write : writes)
      write.store(write.address, registers[write.number]);
    return success();
  }

  /// Sets the cursors of maps that are not linear.
  LogicalResult locateAll() {
    size_t read = 0, write = 0;
    for (const PointOperand &operand : operands) {
      bool isInput = operand.number < op.getNumDpsInputs();
      if (!operand.isLinear()) {
        FailureOr<char *> address = locate(op, operand, point);
        if (failed(address))
          return failure();
        if (operand.isRead)
          reads[read].address = *address;
        if (!isInput)
          writes[write].address = *address;
      }
      read += operand.isRead;
      write += !isInput;
    }
    return success();
  }

  linalg::LinalgOp op;
  ArrayRef<PointOperand> operands;
  ArrayRef<int64_t> sizes;
  SmallVector<ScalarRegister> registers;
  const ScalarProgram &program;
  ScalarContext context;
  SmallVector<int64_t> point;
  SmallVector<Cursor> reads, writes;
  bool allLinear = true;
};
} // namespace

FailureOr<RuntimeValues>
mlir::tensoraccess::runLinalgOp(Operation *operation, const Environment &env) {
  auto op = dyn_cast<linalg::LinalgOp>(operation);
  const bool isOnMemory = op && op.hasPureBufferSemantics();
  if (!op || (!isOnMemory && !op.hasPureTensorSemantics()))
    return emitUnsupported(operation);
  FailureOr<SmallVector<int64_t>> sizes = getLoopSizes(op, env);
  if (failed(sizes))
    return failure();
  FailureOr<ScalarProgram> program =
      ScalarProgram::compile(*op.getBlock(), op.getNumLoops(), env);
  if (failed(program))
    return failure();

  // Without a point nothing is accessed, and there are no extreme indices.
  const bool isEmpty = llvm::is_contained(*sizes, 0);
  // What can't be done fast, or fails, is done point by point from the start,
  // which what has been written to may not be.
  for (bool isFast : {true, false}) {
    if (isFast && isOnMemory)
      continue;
    SmallVector<PointOperand> operands;
    RuntimeValues results;
    for (OpOperand &opOperand : op->getOpOperands()) {
      PointOperand operand;
      operand.number = opOperand.getOperandNumber();
      operand.map = op.getMatchingIndexingMap(&opOperand);
      operand.tensor = env.getTensor(opOperand.get());
      operand.isRead = isReadByBody(opOperand);
      if (op.isDpsInit(&opOperand) && !isOnMemory) {
        FailureOr<Tensor> copy = reportAt(operation, operand.tensor.clone());
        if (failed(copy))
          return failure();
        operand.tensor = *copy;
        results.push_back(operand.tensor);
      }
      if (!isEmpty && failed(setUp(operation, operand, *sizes)))
        return failure();
      operands.push_back(std::move(operand));
    }
    if (isEmpty ||
        (isFast ? runFast(op, *program, operands, *sizes)
                : succeeded(LoopRunner(op, *program, operands, *sizes).run())))
      return results;
  }
  return failure();
}
