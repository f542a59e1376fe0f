//===- LowerAsserts.cpp - Failed assertions call a function ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Without a handler, tensoraccess.assert becomes cf.assert, whose message
//    has no numbers, and nothing else is done.
// 2. Declare the handler in each symbol table (a module, or one inside of it)
//    that has assertions, unless it is there with the right type.
// 3. For each assertion: a global with the message (one for equal messages of a
//    table) and a call under scf.if. Values are stored in a list on the stack.
//    The message of a tensoraccess.assert begins with its location.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LOWERASSERTS
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The condition of an assertion.
static Value getCondition(Operation *op) {
  auto assertion = dyn_cast<AssertOp>(op);
  return assertion ? assertion.getCondition() : cast<cf::AssertOp>(op).getArg();
}

/// Its text, which names its values if it has some.
static std::string getMessage(Operation *op) {
  auto assertion = dyn_cast<AssertOp>(op);
  if (!assertion)
    return cast<cf::AssertOp>(op).getMsg().str();
  std::string location = describeLocation(op->getLoc());
  if (assertion.getValues().empty())
    return location + formatMessage(assertion.getMessage(), {});
  return escapeMessage(location) + assertion.getMessage().str();
}

/// Step 1. A value is `?` in the message.
static void dropValues(AssertOp op) {
  OpBuilder builder(op);
  std::string text =
      describeLocation(op->getLoc()) + formatMessage(op.getMessage(), {});
  for (size_t i = 0; i < op.getValues().size(); ++i) {
    std::string name = "{" + std::to_string(i) + "}";
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), "?");
  }
  cf::AssertOp::create(builder, op.getLoc(), op.getCondition(), text);
  op.erase();
}

/// Step 2.
static FailureOr<func::FuncOp> getHandler(SymbolTable &table, StringRef name) {
  Operation *owner = table.getOp();
  OpBuilder builder(owner->getContext());
  Type pointer = LLVM::LLVMPointerType::get(owner->getContext());
  auto type =
      builder.getFunctionType({pointer, builder.getI64Type(), pointer}, {});
  if (Operation *symbol = table.lookup(name)) {
    auto function = dyn_cast<func::FuncOp>(symbol);
    if (!function || function.getFunctionType() != type)
      return symbol->emitError()
             << "handler of failed assertions must be a function of type "
             << type;
    return function;
  }
  auto function = func::FuncOp::create(owner->getLoc(), name, type);
  function.setPrivate();
  table.insert(function);
  return function;
}

/// The values of an assertion as 64-bit integers in memory, and their number.
static std::pair<Value, Value> storeValues(OpBuilder &b, Operation *op) {
  Location loc = op->getLoc();
  Type word = b.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto assertion = dyn_cast<AssertOp>(op);
  ValueRange values =
      assertion ? ValueRange(assertion.getValues()) : ValueRange();
  Value count = arith::ConstantIntOp::create(b, loc, values.size(), 64);
  if (values.empty())
    return {count, LLVM::ZeroOp::create(b, loc, pointer)};
  Value list = LLVM::AllocaOp::create(b, loc, pointer, word, count);
  for (auto [i, value] : llvm::enumerate(values)) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(b, loc, word, value);
    else if (value.getType().getIntOrFloatBitWidth() < 64)
      value = arith::ExtSIOp::create(b, loc, word, value);
    else if (value.getType().getIntOrFloatBitWidth() > 64)
      value = arith::TruncIOp::create(b, loc, word, value);
    Value place =
        LLVM::GEPOp::create(b, loc, pointer, word, list,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, loc, value, place);
  }
  return {count, list};
}

namespace {
/// What assertions of one symbol table share.
struct Declarations {
  explicit Declarations(Operation *owner) : table(owner) {}

  SymbolTable table;
  func::FuncOp handler;
  llvm::StringMap<LLVM::GlobalOp> messages;
};
} // namespace

LogicalResult mlir::tensoraccess::lowerAsserts(ModuleOp module,
                                               StringRef handler) {
  SmallVector<Operation *> asserts;
  module.walk([&](Operation *op) {
    if (isa<AssertOp, cf::AssertOp>(op))
      asserts.push_back(op);
  });
  if (handler.empty()) {
    for (Operation *op : asserts)
      if (auto assertion = dyn_cast<AssertOp>(op))
        dropValues(assertion);
    return success();
  }
  OpBuilder builder(module.getContext());
  llvm::DenseMap<Operation *, std::unique_ptr<Declarations>> declarations;
  for (Operation *op : asserts) {
    Operation *owner = SymbolTable::getNearestSymbolTable(op);
    if (!owner)
      return op->emitError("it is unknown whether an op around it is a symbol "
                           "table, where a handler would be declared");
    std::unique_ptr<Declarations> &own = declarations[owner];
    if (!own) {
      own = std::make_unique<Declarations>(owner);
      FailureOr<func::FuncOp> function = getHandler(own->table, handler);
      if (failed(function))
        return failure();
      own->handler = *function;
    }
    Location loc = op->getLoc();
    std::string message = getMessage(op);
    LLVM::GlobalOp &global = own->messages[message];
    if (!global) {
      message.push_back('\0');
      builder.setInsertionPointToStart(&owner->getRegion(0).front());
      global = LLVM::GlobalOp::create(
          builder, loc,
          LLVM::LLVMArrayType::get(builder.getI8Type(), message.size()),
          /*isConstant=*/true, LLVM::Linkage::Internal, "tensoraccess_message",
          builder.getStringAttr(message));
      own->table.insert(global);
    }
    builder.setInsertionPoint(op);
    Value one = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
    Value fails = arith::XOrIOp::create(builder, loc, getCondition(op), one);
    auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value text = LLVM::AddressOfOp::create(builder, loc, global);
    auto [count, values] = storeValues(builder, op);
    func::CallOp::create(builder, loc, own->handler,
                         ValueRange{text, count, values});
    op->erase();
  }
  return success();
}

namespace {
struct LowerAssertsPass
    : public tensoraccess::impl::LowerAssertsBase<LowerAssertsPass> {
  using LowerAssertsBase::LowerAssertsBase;
  void runOnOperation() override {
    if (failed(lowerAsserts(getOperation(), handler)))
      signalPassFailure();
  }
};
} // namespace
