//===- PackConstant.cpp - Constants packed at compile time ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digits act on each dimension on its own: where an element lies is a sum of
// what the index in each dimension adds.
//   1. For each dimension and both forms, a table of what its indices add.
//   2. Zeros, then one copy an element, in the order of the source.
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

/// For each dimension, what index i adds to the number of an element.
static SmallVector<std::vector<int64_t>> getPlaces(const PhysicalForm &form,
                                                   ArrayRef<int64_t> shape) {
  SmallVector<std::vector<int64_t>> places;
  for (int64_t size : shape)
    places.emplace_back(size, 0);
  int64_t stride = 1;
  for (const PhysicalDigit &digit : llvm::reverse(form.digits)) {
    std::vector<int64_t> &table = places[digit.dim];
    for (auto [i, place] : llvm::enumerate(table))
      place += int64_t(i) / digit.divisor % digit.size * stride;
    stride *= digit.size;
  }
  return places;
}

/// Step 2.
static void copyBits(ArrayRef<char> source, MutableArrayRef<char> result,
                     size_t bytes, const PhysicalForm &from,
                     const PhysicalForm &to, ArrayRef<int64_t> shape) {
  auto read = getPlaces(from, shape), write = getPlaces(to, shape);
  SmallVector<int64_t> index(shape.size(), 0);
  for (bool more = true; more;) {
    int64_t at = 0, put = 0;
    for (auto [dim, i] : llvm::enumerate(index)) {
      at += read[dim][i];
      put += write[dim][i];
    }
    std::memcpy(result.data() + put * bytes, source.data() + at * bytes, bytes);
    more = false;
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim]) {
        more = true;
        break;
      }
      index[dim] = 0;
    }
  }
}

Value mlir::tensoraccess::packConstant(OpBuilder &builder, Location loc,
                                       Value value, const PhysicalForm &from,
                                       const PhysicalForm &to,
                                       ArrayRef<int64_t> shape,
                                       int64_t maxBytes) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!constant || !type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat())
    return {};
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  std::optional<int64_t> elements = to.getElements(),
                         present = from.getElements();
  if (!elements || !present || bits % 8 != 0 || llvm::is_contained(shape, 0))
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
  auto result = RankedTensorType::get(to.getShape(), type.getElementType());
  TypedAttr packed;
  if (dense) {
    std::vector<char> data(*bytes, 0);
    copyBits(raw, data, bits / 8, from, to, shape);
    packed = DenseElementsAttr::getFromRawBuffer(result, data);
  } else {
    AsmResourceBlob data = HeapAsmResourceBlob::allocate(*bytes, /*align=*/64);
    MutableArrayRef<char> room = data.getMutableData();
    std::memset(room.data(), 0, room.size());
    copyBits(raw, room, bits / 8, from, to, shape);
    packed = DenseResourceElementsAttr::get(
        result, resource.getRawHandle().getKey(), std::move(data));
  }
  return arith::ConstantOp::create(builder, loc, packed);
}
