//===- KeptConstants.cpp - Large constants beside compiled code -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptConstants.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Constants of fewer bytes stay in the code.
static constexpr int64_t kLargeBytes = int64_t(1) << 16;
/// What bufferization aligns buffers to.
static constexpr int64_t kAlignment = 64;

/// The bytes of a constant that code need not hold; none of any other op. Integers
/// may be places and sizes, which passes ask for.
static ArrayRef<char> getLargeData(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() != 0)
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  const bool isHloConstant = isHlo(op, "constant");
  if (!type || !type.hasStaticShape() || type.getEncoding() ||
      !(isa<arith::ConstantOp, tosa::ConstOp>(op) || isHloConstant))
    return {};
  Type element = type.getElementType();
  if (!element.isSignlessInteger(8) &&
      !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return {};
  const int64_t bytes =
      type.getNumElements() * (element.getIntOrFloatBitWidth() / 8);
  Attribute value = op->getAttr(isa<tosa::ConstOp>(op) ? "values" : "value");
  ArrayRef<char> data;
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value)) {
    if (dense.getType() == type && !dense.isSplat())
      data = dense.getRawData();
  } else if (auto resource =
                 dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (blob && resource.getType() == type)
      data = blob->getData();
  }
  return bytes >= kLargeBytes && int64_t(data.size()) == bytes
             ? data
             : ArrayRef<char>();
}

void KeptConstants::take(ModuleOp module) {
  OpBuilder b(module.getContext());
  DenseMap<Attribute, memref::GlobalOp> globals;
  SmallVector<Operation *> large;
  module.walk([&](Operation *op) {
    if (!getLargeData(op).empty())
      large.push_back(op);
  });
  for (Operation *op : large) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto buffer = MemRefType::get(type.getShape(), type.getElementType());
    memref::GlobalOp &global =
        globals[op->getAttr(isa<tosa::ConstOp>(op) ? "values" : "value")];
    if (!global) {
      ArrayRef<char> data = getLargeData(op);
      std::string name =
          "tensoraccess_constant_" + std::to_string(constants.size());
      void *copy = std::aligned_alloc(kAlignment,
                                      llvm::alignTo(data.size(), kAlignment));
      std::memcpy(copy, data.data(), data.size());
      constants.emplace_back(name, copy);
      b.setInsertionPointToStart(module.getBody());
      global = memref::GlobalOp::create(
          b, op->getLoc(), name, /*sym_visibility=*/StringAttr(), buffer,
          /*initial_value=*/Attribute(), /*constant=*/true,
          b.getI64IntegerAttr(kAlignment));
    }
    b.setInsertionPoint(op);
    Value read = memref::GetGlobalOp::create(b, op->getLoc(), buffer,
                                             global.getSymName());
    op->getResult(0).replaceAllUsesWith(bufferization::ToTensorOp::create(
        b, op->getLoc(), type, read, /*restrict=*/true));
    op->erase();
  }
}

SmallVector<std::pair<std::string, void *>> KeptConstants::getSymbols() const {
  return llvm::map_to_vector(constants, [](const auto &constant) {
    return std::pair(constant.first, constant.second.get());
  });
}

void KeptConstants::drop(ArrayRef<std::string> names) {
  llvm::erase_if(constants, [&](const auto &constant) {
    return llvm::is_contained(names, constant.first);
  });
}
