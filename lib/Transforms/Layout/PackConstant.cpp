//===- PackConstant.cpp - Constants packed at compile time ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zeros, then a copy of each element, as a relayout plan has them.
//
//===----------------------------------------------------------------------===//

#include "PackConstant.h"
#include "TensorAccess/Core/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

static void copyByPlan(const RelayoutPlan &plan, ArrayRef<char> source,
                       MutableArrayRef<char> result, size_t bytes) {
  plan.forEach([&](int64_t from, int64_t to) {
    std::memcpy(result.data() + to * bytes, source.data() + from * bytes,
                bytes);
  });
}

Value mlir::tensoraccess::packConstant(OpBuilder &builder, Location loc,
                                       Value value, const RelayoutSide &from,
                                       const RelayoutSide &to,
                                       ArrayRef<int64_t> shape,
                                       int64_t maxBytes) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!constant || !type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat())
    return {};
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  std::optional<int64_t> elements = to.getPaddedElements(),
                         present = from.getPaddedElements();
  if (!elements || !present || bits % 8 != 0 ||
      llvm::is_contained(to.getShape(), 0))
    return {};
  std::optional<int64_t> bytes = checkedMul(*elements, int64_t(bits / 8));
  if (!bytes || *bytes > maxBytes)
    return {};
  ArrayRef<char> raw;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (dense && !dense.isSplat()) {
    raw = dense.getRawData();
  } else if (resource) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      raw = blob->getData();
  }
  if (static_cast<int64_t>(raw.size()) != *present * int64_t(bits / 8))
    return {};
  std::string error;
  std::optional<RelayoutPlan> plan = RelayoutPlan::get(from, to, {}, error);
  if (!plan)
    return {};
  auto result = RankedTensorType::get(shape, type.getElementType());
  TypedAttr packed;
  if (dense) {
    std::vector<char> data(*bytes, 0);
    copyByPlan(*plan, raw, data, bits / 8);
    packed = DenseElementsAttr::getFromRawBuffer(result, data);
  } else {
    AsmResourceBlob data = HeapAsmResourceBlob::allocate(*bytes, /*align=*/64);
    MutableArrayRef<char> room = data.getMutableData();
    std::memset(room.data(), 0, room.size());
    copyByPlan(*plan, raw, room, bits / 8);
    packed = DenseResourceElementsAttr::get(
        result, resource.getRawHandle().getKey(), std::move(data));
  }
  return arith::ConstantOp::create(builder, loc, packed);
}
