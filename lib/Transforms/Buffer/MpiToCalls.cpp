//===- MpiToCalls.cpp - The mpi dialect becomes calls of a library --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Check every op, so that nothing changes where one cannot be lowered:
//    buffers are contiguous, elements have an MPI type, reductions exist.
// 2. Declare the functions of the library that are called.
// 3. Convert: communicators and requests become handles (a pointer for Open
//    MPI, an integer for MPICH), error codes integers; each op becomes a call
//    on the pointer and the number of elements of its buffer. A call whose
//    error code the program does not ask for is followed by one of a function
//    that asserts that it is zero: with assertions in place, a program of
//    hundreds of messages would take long to compile. A number of elements that
//    is only known at run time is asserted to fit in 32 bits.
//
// Upstream's conversion is not used: it knows nine of the ops, takes the size
// of the first dimension for the number of elements, and drops error codes.
//
//===----------------------------------------------------------------------===//

#include "MpiLowering.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LOWERMPI
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isMpi(Operation *op) {
  return op->getName().getDialectNamespace() ==
         mpi::MPIDialect::getDialectNamespace();
}

//===----------------------------------------------------------------------===//
// Step 1
//===----------------------------------------------------------------------===//

/// Fails if a buffer cannot be a message.
static LogicalResult checkBuffer(Operation *op, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!isMessageType(type.getElementType()))
    return op->emitError() << "element type " << type.getElementType()
                           << " has no MPI type";
  if (!isContiguous(type))
    return op->emitError()
           << "buffer must be contiguous and in row-major order, got " << type;
  if (type.hasStaticShape()) {
    int64_t count = 1;
    for (int64_t size : type.getShape())
      if (llvm::MulOverflow(count, size, count))
        count = std::numeric_limits<int64_t>::max();
    if (count > std::numeric_limits<int32_t>::max())
      return op->emitError()
             << "a message must have at most 2147483647 elements, got " << type;
  }
  return success();
}

static LogicalResult checkAllReduce(mpi::AllReduceOp op) {
  auto from = cast<MemRefType>(op.getSendbuf().getType());
  auto to = cast<MemRefType>(op.getRecvbuf().getType());
  Type element = from.getElementType();
  if (element != to.getElementType() || failed(verifyCompatibleShape(from, to)))
    return op.emitError() << "buffers of a reduction must have one type, got "
                          << from << " and " << to;
  if (!getReduction(op.getOp(), element))
    return op.emitError() << "MPI has no "
                          << mpi::stringifyMPI_ReductionOpEnum(op.getOp())
                          << " of elements of type " << element;
  return success();
}

static LogicalResult check(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        failed(checkBuffer(op, operand)))
      return failure();
  if (auto reduction = dyn_cast<mpi::AllReduceOp>(op))
    return checkAllReduce(reduction);
  return success();
}

//===----------------------------------------------------------------------===//
// Step 2
//===----------------------------------------------------------------------===//

namespace {
/// What the patterns share.
struct Library {
  MpiImplementation implementation;
  ModuleOp module;

  MLIRContext *getContext() const { return module->getContext(); }
  Type getPointer() const { return LLVM::LLVMPointerType::get(getContext()); }
  Type getInt() const { return IntegerType::get(getContext(), 32); }
  Type getHandle() const {
    return implementation == MpiImplementation::OpenMpi ? getPointer()
                                                        : getInt();
  }
  LogicalResult declare(StringRef name, ArrayRef<Type> inputs);
  LogicalResult declareGlobal(const MpiHandle &handle);
  LogicalResult declareAll(Operation *op);
  void declareCheck(Operation *op);
};

/// How the error code of an op's call is checked: by a function that gets the
/// place in the program, if it is known, the rank that the call is about, if
/// there is one, and the code.
struct Check {
  std::string function;
  std::optional<std::pair<int64_t, int64_t>> place;
  bool hasRank = false;
};
} // namespace

LogicalResult Library::declare(StringRef name, ArrayRef<Type> inputs) {
  auto type = FunctionType::get(getContext(), inputs, getInt());
  if (Operation *symbol = module.lookupSymbol(name)) {
    auto function = dyn_cast<func::FuncOp>(symbol);
    if (!function || function.getFunctionType() != type)
      return symbol->emitError()
             << "'" << name << "' is a function of MPI and must have type "
             << type;
    return success();
  }
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  func::FuncOp::create(builder, module.getLoc(), name, type).setPrivate();
  return success();
}

LogicalResult Library::declareGlobal(const MpiHandle &handle) {
  if (implementation == MpiImplementation::Mpich ||
      module.lookupSymbol<LLVM::GlobalOp>(handle.symbol))
    return success();
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(), builder.getI8Type(),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         handle.symbol, Attribute());
  return success();
}

/// The function that an op calls, or nothing.
static StringRef getFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<mpi::InitOp>([](auto) { return "MPI_Init"; })
      .Case<mpi::FinalizeOp>([](auto) { return "MPI_Finalize"; })
      .Case<mpi::CommRankOp>([](auto) { return "MPI_Comm_rank"; })
      .Case<mpi::CommSizeOp>([](auto) { return "MPI_Comm_size"; })
      .Case<mpi::CommSplitOp>([](auto) { return "MPI_Comm_split"; })
      .Case<mpi::SendOp>([](auto) { return "MPI_Send"; })
      .Case<mpi::ISendOp>([](auto) { return "MPI_Isend"; })
      .Case<mpi::RecvOp>([](auto) { return "MPI_Recv"; })
      .Case<mpi::IRecvOp>([](auto) { return "MPI_Irecv"; })
      .Case<mpi::AllReduceOp>([](auto) { return "MPI_Allreduce"; })
      .Case<mpi::Barrier>([](auto) { return "MPI_Barrier"; })
      .Case<mpi::Wait>([](auto) { return "MPI_Wait"; })
      .Case<mpi::RetvalCheckOp, mpi::ErrorClassOp>(
          [](auto) { return "MPI_Error_class"; })
      .Default(StringRef());
}

static Check getCheck(Operation *op) {
  Check check;
  check.hasRank = isa<mpi::SendOp, mpi::ISendOp, mpi::RecvOp, mpi::IRecvOp>(op);
  check.function = ("tensoraccess_check_" + getFunction(op)).str();
  if (auto file = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
    check.place = std::pair(file.getLine(), file.getColumn());
    check.function += "_at";
  }
  return check;
}

/// The function that checks an op's code, once per module.
void Library::declareCheck(Operation *op) {
  Check check = getCheck(op);
  if (module.lookupSymbol<func::FuncOp>(check.function))
    return;
  auto b = OpBuilder::atBlockBegin(module.getBody());
  Location loc = b.getUnknownLoc();
  size_t count = (check.place ? 2 : 0) + (check.hasRank ? 1 : 0) + 1;
  auto function = func::FuncOp::create(
      b, loc, check.function,
      b.getFunctionType(SmallVector<Type>(count, getInt()), {}));
  function.setPrivate();
  function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
  b.setInsertionPointToStart(function.addEntryBlock());
  size_t used = 0;
  auto name = [&] { return "{" + std::to_string(used++) + "}"; };
  std::string text;
  if (check.place) {
    text = "line " + name();
    text += ", column " + name() + ": ";
  }
  text += getFunction(op).str();
  if (check.hasRank)
    text += " of rank " + name();
  text += " failed with error " + name();
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value good = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                     function.getArguments().back(), zero);
  AssertOp::create(b, loc, good, text, function.getArguments());
  func::ReturnOp::create(b, loc);
}

LogicalResult Library::declareAll(Operation *op) {
  Type p = getPointer(), i = getInt(), h = getHandle();
  StringRef name = getFunction(op);
  auto buffer = [&](unsigned number) {
    return cast<MemRefType>(op->getOperand(number).getType()).getElementType();
  };
  if (isa<mpi::CommWorldOp>(op))
    return declareGlobal(kCommWorld);
  if (isa<mpi::InitOp>(op))
    return success(succeeded(declare(name, {p, p})) &&
                   succeeded(declare("MPI_Comm_set_errhandler", {h, h})) &&
                   succeeded(declareGlobal(kCommWorld)) &&
                   succeeded(declareGlobal(kErrorsReturn)));
  if (isa<mpi::FinalizeOp>(op))
    return declare(name, {});
  if (isa<mpi::CommRankOp, mpi::CommSizeOp>(op))
    return declare(name, {h, p});
  if (isa<mpi::CommSplitOp>(op))
    return declare(name, {h, i, i, p});
  if (isa<mpi::SendOp>(op))
    return success(succeeded(declare(name, {p, i, h, i, i, h})) &&
                   succeeded(declareGlobal(*getDatatype(buffer(0)))));
  if (isa<mpi::RecvOp, mpi::ISendOp, mpi::IRecvOp>(op))
    return success(succeeded(declare(name, {p, i, h, i, i, h, p})) &&
                   succeeded(declareGlobal(*getDatatype(buffer(0)))));
  if (auto reduction = dyn_cast<mpi::AllReduceOp>(op))
    return success(
        succeeded(declare(name, {p, p, i, h, h, h})) &&
        succeeded(declareGlobal(*getDatatype(buffer(0)))) &&
        succeeded(declareGlobal(*getReduction(reduction.getOp(), buffer(0)))));
  if (isa<mpi::Barrier>(op))
    return declare(name, {h});
  if (isa<mpi::Wait>(op))
    return declare(name, {p, p});
  if (isa<mpi::RetvalCheckOp, mpi::ErrorClassOp>(op))
    return declare(name, {i, p});
  return op->emitError() << "'" << op->getName() << "' has no lowering";
}

//===----------------------------------------------------------------------===//
// Step 3
//===----------------------------------------------------------------------===//

namespace {
/// Builds what one op becomes.
struct Emitter {
  const Library &library;
  ConversionPatternRewriter &b;
  Operation *op;
  Location loc = op->getLoc();

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  }
  Value address(int64_t value) {
    if (value == 0)
      return LLVM::ZeroOp::create(b, loc, library.getPointer());
    Value word = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    return LLVM::IntToPtrOp::create(b, loc, library.getPointer(), word);
  }
  Value handle(const MpiHandle &handle) {
    if (library.implementation == MpiImplementation::Mpich)
      return arith::ConstantIntOp::create(
          b, loc, static_cast<int32_t>(handle.number), 32);
    return LLVM::AddressOfOp::create(b, loc, library.getPointer(),
                                     handle.symbol);
  }
  Value statusIgnore() {
    return address(getStatusIgnore(library.implementation));
  }

  /// Memory for a value that MPI writes, once per function.
  Value slot(Type type) {
    OpBuilder::InsertionGuard guard(b);
    auto function = op->getParentOfType<FunctionOpInterface>();
    b.setInsertionPointToStart(&function.getFunctionBody().front());
    Value one = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
    return LLVM::AllocaOp::create(b, loc, library.getPointer(), type, one);
  }
  Value load(Type type, Value slot) {
    return LLVM::LoadOp::create(b, loc, type, slot);
  }

  /// Where the elements of a buffer begin.
  Value pointer(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    Value start =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    if (!type.getLayout().isIdentity()) {
      auto data = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
      int64_t bytes = (getElementBits(type.getElementType()) + 7) / 8;
      Value width = arith::ConstantIndexOp::create(b, loc, bytes);
      Value skip = arith::MulIOp::create(b, loc, data.getOffset(), width);
      start = arith::AddIOp::create(b, loc, start, skip);
    }
    Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), start);
    return LLVM::IntToPtrOp::create(b, loc, library.getPointer(), word);
  }
  static int64_t getElementBits(Type type) {
    return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  }

  /// How many elements a buffer has.
  Value count(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.hasStaticShape())
      return constant(type.getNumElements());
    Value total = arith::ConstantIndexOp::create(b, loc, 1);
    for (int64_t d = 0; d < type.getRank(); ++d)
      total = arith::MulIOp::create(b, loc, total,
                                    memref::DimOp::create(b, loc, buffer, d));
    Value most = arith::ConstantIndexOp::create(
        b, loc, std::numeric_limits<int32_t>::max());
    Value fits =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, total, most);
    AssertOp::create(b, loc, fits,
                     "a message must have at most 2147483647 elements, got {0}",
                     total);
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), total);
  }

  /// Calls a function and returns its error code.
  Value call(StringRef name, ValueRange operands) {
    return func::CallOp::create(b, loc, name, library.getInt(), operands)
        .getResult(0);
  }
  /// Ends the program where a call failed; `rank` is its peer.
  void verify(Value code, Value rank = Value()) {
    Check check = getCheck(op);
    SmallVector<Value> values;
    if (check.place)
      values = {constant(check.place->first), constant(check.place->second)};
    if (check.hasRank)
      values.push_back(rank);
    values.push_back(code);
    func::CallOp::create(b, loc, check.function, TypeRange(), values);
  }
  /// Replaces the op by its error code, if the program asks for it, and by
  /// other values.
  void finish(Value code, ValueRange others = {}, Value rank = Value()) {
    SmallVector<Value> values;
    if (op->getNumResults() > others.size())
      values.push_back(code);
    else
      verify(code, rank);
    llvm::append_range(values, others);
    b.replaceOp(op, values);
  }
};

/// Any op of the dialect.
struct MpiPattern : public ConversionPattern {
  MpiPattern(const TypeConverter &converter, const Library &library)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          library.getContext()),
        library(library) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isMpi(op))
      return failure();
    Emitter e{library, rewriter, op};
    if (isa<mpi::RetvalCheckOp, mpi::ErrorClassOp>(op))
      lowerErrorClass(e, operands.front());
    else if (isa<mpi::InitOp, mpi::FinalizeOp, mpi::CommWorldOp,
                 mpi::CommRankOp, mpi::CommSizeOp, mpi::CommSplitOp,
                 mpi::Barrier>(op))
      lowerEnvironment(e, operands);
    else
      lowerMessage(e, operands);
    return success();
  }

private:
  const Library &library;

  void lowerEnvironment(Emitter &e, ArrayRef<Value> operands) const {
    StringRef name = getFunction(e.op);
    if (isa<mpi::CommWorldOp>(e.op))
      return e.b.replaceOp(e.op, e.handle(kCommWorld));
    if (isa<mpi::InitOp>(e.op)) {
      // Errors must be returned: the calls' assertions report them.
      Value code = e.call(name, {e.address(0), e.address(0)});
      Value handler = e.call("MPI_Comm_set_errhandler",
                             {e.handle(kCommWorld), e.handle(kErrorsReturn)});
      return e.finish(arith::OrIOp::create(e.b, e.loc, code, handler));
    }
    if (isa<mpi::FinalizeOp>(e.op))
      return e.finish(e.call(name, {}));
    if (isa<mpi::Barrier>(e.op))
      return e.finish(e.call(name, operands));
    Type type =
        isa<mpi::CommSplitOp>(e.op) ? library.getHandle() : library.getInt();
    Value slot = e.slot(type);
    SmallVector<Value> arguments(operands);
    arguments.push_back(slot);
    Value code = e.call(name, arguments);
    e.finish(code, e.load(type, slot));
  }

  void lowerErrorClass(Emitter &e, Value code) const {
    Value slot = e.slot(library.getInt());
    e.verify(e.call("MPI_Error_class", {code, slot}));
    Value found = e.load(library.getInt(), slot);
    auto check = dyn_cast<mpi::RetvalCheckOp>(e.op);
    if (!check)
      return e.b.replaceOp(e.op, found);
    std::optional<int32_t> number =
        getErrorClass(check.getErrclass(), library.implementation);
    if (!number)
      return e.b.replaceOp(
          e.op,
          arith::ConstantIntOp::create(e.b, e.loc, 0, /*width=*/1).getResult());
    e.b.replaceOp(e.op,
                  arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                        found, e.constant(*number))
                      .getResult());
  }

  void lowerMessage(Emitter &e, ArrayRef<Value> operands) const {
    StringRef name = getFunction(e.op);
    if (isa<mpi::Wait>(e.op)) {
      Value slot = e.slot(library.getHandle());
      LLVM::StoreOp::create(e.b, e.loc, operands[0], slot);
      return e.finish(e.call(name, {slot, e.statusIgnore()}));
    }
    Type element =
        cast<MemRefType>(e.op->getOperand(0).getType()).getElementType();
    Value type = e.handle(*getDatatype(element));
    if (auto reduction = dyn_cast<mpi::AllReduceOp>(e.op)) {
      Value from = reduction.getSendbuf() == reduction.getRecvbuf()
                       ? e.address(getInPlace(library.implementation))
                       : e.pointer(operands[0]);
      Value operation = e.handle(*getReduction(reduction.getOp(), element));
      return e.finish(
          e.call(name, {from, e.pointer(operands[1]), e.count(operands[1]),
                        type, operation, operands[2]}));
    }
    // The dialect has tag before rank, MPI rank before tag.
    Value tag = operands[1], rank = operands[2], comm = operands[3];
    SmallVector<Value> arguments = {
        e.pointer(operands[0]), e.count(operands[0]), type, rank, tag, comm};
    if (isa<mpi::SendOp>(e.op))
      return e.finish(e.call(name, arguments), {}, rank);
    if (isa<mpi::RecvOp>(e.op)) {
      arguments.push_back(e.statusIgnore());
      return e.finish(e.call(name, arguments), {}, rank);
    }
    Value slot = e.slot(library.getHandle());
    arguments.push_back(slot);
    Value code = e.call(name, arguments);
    e.finish(code, e.load(library.getHandle(), slot), rank);
  }
};
} // namespace

LogicalResult
mlir::tensoraccess::lowerMpi(ModuleOp module,
                             std::optional<MpiImplementation> implementation) {
  FailureOr<std::optional<MpiImplementation>> said =
      getMpiImplementation(module);
  if (failed(said))
    return failure();
  if (implementation && *said && **said != *implementation)
    return module.emitError()
           << "module is for " << stringifyMpiImplementation(**said)
           << ", asked to lower it for "
           << stringifyMpiImplementation(*implementation);
  if (!implementation)
    implementation = said->value_or(MpiImplementation::OpenMpi);
  // Steps 1 and 2
  Library library{*implementation, module};
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isMpi(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return success();
  for (Operation *op : ops)
    if (failed(check(op)))
      return failure();
  for (Operation *op : ops)
    if (failed(library.declareAll(op)))
      return failure();
    else if (!isa<mpi::CommWorldOp>(op))
      library.declareCheck(op);

  // Step 3
  MLIRContext *context = module.getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [&](mpi::RetvalType) -> Type { return library.getInt(); });
  converter.addConversion(
      [&](mpi::CommType) -> Type { return library.getHandle(); });
  converter.addConversion(
      [&](mpi::RequestType) -> Type { return library.getHandle(); });
  ConversionTarget target(*context);
  target.addIllegalDialect<mpi::MPIDialect>();
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  RewritePatternSet patterns(context);
  patterns.add<MpiPattern>(converter, library);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  populateBranchOpInterfaceTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  return applyPartialConversion(module, target, std::move(patterns));
}

namespace {
struct LowerMpiPass : public tensoraccess::impl::LowerMpiBase<LowerMpiPass> {
  using LowerMpiBase::LowerMpiBase;

  void runOnOperation() override {
    std::optional<MpiImplementation> chosen;
    if (!implementation.empty()) {
      chosen = symbolizeMpiImplementation(implementation);
      if (!chosen) {
        getOperation().emitError() << describeUnknown(
            "implementation", implementation, {"openmpi", "mpich"});
        return signalPassFailure();
      }
    }
    if (failed(lowerMpi(getOperation(), chosen)))
      signalPassFailure();
  }
};
} // namespace
