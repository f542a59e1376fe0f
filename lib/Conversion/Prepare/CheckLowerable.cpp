//===- CheckLowerable.cpp - What upstream's passes would crash on ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedAlgebra.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CHECKLOWERABLE
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// An error at the first op of a dialect that this build neither has nor, as
/// StableHLO, knows by name: what its regions end in is unknown, and
/// upstream's inliner asks.
static LogicalResult checkRegistered(Operation *root) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (op->isRegistered() || isHlo(op))
      return WalkResult::advance();
    op->emitError() << "'" << op->getName()
                    << "' is of a dialect that is not known here, so it cannot "
                       "be compiled";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// An error at the first result that no address space holds: LLVM would try to
/// make constants of that size, and sizes in bytes would overflow.
static LogicalResult checkBytes(Operation *root) {
  constexpr int64_t kMaxBytes = int64_t(1) << 47;
  WalkResult result = root->walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped || !shaped.hasStaticShape() ||
          !shaped.getElementType().isIntOrIndexOrFloat())
        continue;
      Type element = shaped.getElementType();
      int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      std::optional<int64_t> bytes = llvm::divideCeil(bits, 8);
      for (int64_t size : shaped.getShape())
        bytes = checkedMul(bytes, size);
      if (llvm::is_contained(shaped.getShape(), 0) ||
          (bytes && *bytes <= kMaxBytes))
        continue;
      op->emitOpError("has a result of more than 2^47 bytes, ") << type;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// An error at the first op of linalg or affine with a map or a set that divides
/// by a number below 1, which crashes upstream's expansion into
/// arithmetic.
static LogicalResult checkDivisors(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (!isa_and_present<linalg::LinalgDialect, affine::AffineDialect>(
            op->getDialect()))
      return WalkResult::advance();
    std::optional<int64_t> found;
    auto look = [&](AffineExpr expr) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!binary || binary.getKind() == AffineExprKind::Add ||
          binary.getKind() == AffineExprKind::Mul)
        return;
      if (auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
          divisor && divisor.getValue() < 1)
        found = divisor.getValue();
    };
    if (Attribute properties = op->getPropertiesAsAttribute())
      properties.walk([&](Attribute attr) {
        if (auto map = dyn_cast<AffineMapAttr>(attr))
          map.getValue().walkExprs(look);
        else if (auto set = dyn_cast<IntegerSetAttr>(attr))
          set.getValue().walkExprs(look);
      });
    if (!found)
      return WalkResult::advance();
    op->emitOpError("has a map that divides by ")
        << *found << ", a number below 1";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Why no value of a type can be held; null if one can.
static StringRef whyNotHeld(Type type) {
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return "vectors of compiled code have a fixed size";
  auto buffer = dyn_cast<BaseMemRefType>(type);
  if (!buffer)
    return {};
  if (buffer.getMemorySpace() && !isa<IntegerAttr>(buffer.getMemorySpace()))
    return "memory spaces of compiled code are numbers";
  if (auto ranked = dyn_cast<MemRefType>(type); ranked && !ranked.isStrided())
    return "buffers of compiled code are strided (`--normalize-memrefs` makes "
           "them so)";
  return {};
}

/// An error at the first op that has values of such a type, or makes one.
static LogicalResult checkTypes(Operation *root) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    for (Type type : types)
      if (StringRef why = whyNotHeld(type); !why.empty()) {
        op->emitOpError("has a value of type ") << type << ", but " << why;
        return WalkResult::interrupt();
      }
    if (isa<vector::VectorScaleOp>(op)) {
      op->emitOpError("asks for the size of scalable vectors, but ")
          << whyNotHeld(VectorType::get({1}, op->getResult(0).getType(), true));
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::tensoraccess::checkLowerable(Operation *root) {
  return success(succeeded(checkRegistered(root)) &&
                 succeeded(checkRanks(root)) && succeeded(checkBytes(root)) &&
                 succeeded(checkTypes(root)) && succeeded(checkDivisors(root)));
}

LogicalResult mlir::tensoraccess::checkUpstreamPass(StringRef pass,
                                                    Operation *root) {
  auto check = [&](Operation *op) {
    // The inliner assumes that all uses of symbols are known; one of
    // these could be a symbol table.
    if (pass == "inline" && op->getNumRegions() == 1 && !op->getDialect()) {
      op->emitError() << "'" << op->getName()
                      << "' is of a dialect that is not known here, so '"
                      << pass << "' cannot run";
      return WalkResult::interrupt();
    }
    auto global = dyn_cast<ml_program::GlobalOp>(op);
    if (pass == "one-shot-bufferize" && global &&
        !isa<TensorType>(global.getType())) {
      global.emitOpError("of type ")
          << global.getType() << " is not a tensor, so '" << pass
          << "' cannot run";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  };
  return failure(root->walk<WalkOrder::PreOrder>(check).wasInterrupted());
}

namespace {
struct CheckLowerablePass
    : public tensoraccess::impl::CheckLowerableBase<CheckLowerablePass> {
  using CheckLowerableBase::CheckLowerableBase;

  void runOnOperation() override {
    if (failed(inliner ? checkUpstreamPass("inline", getOperation())
                       : checkLowerable(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
