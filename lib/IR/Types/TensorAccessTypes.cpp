//===- TensorAccessTypes.cpp - The access type ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static_assert(kDynamicSize == ShapedType::kDynamic);

#define GET_TYPEDEF_CLASSES
#include "TensorAccess/IR/TensorAccessTypes.cpp.inc"

void TensorAccessDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TensorAccess/IR/TensorAccessTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

SmallVector<int64_t> AccessType::getShape() const {
  SmallVector<int64_t> shape(getAccessShape());
  llvm::append_range(shape, getComputeShape());
  return shape;
}

bool AccessType::hasStaticShape() const {
  return !hasDynamicSize(getAccessShape()) &&
         !hasDynamicSize(getComputeShape());
}

std::optional<int64_t> AccessType::getNumElements() const {
  return elementCount(getShape());
}

RankedTensorType AccessType::getTensorType() const {
  return RankedTensorType::get(getShape(), getElementType());
}

LogicalResult AccessType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> accessShape,
                                 ArrayRef<int64_t> computeShape,
                                 Type elementType) {
  // C1: every dimension is `?` or ≥ 0.
  SmallVector<int64_t> statics;
  for (int64_t size : llvm::concat<const int64_t>(accessShape, computeShape)) {
    if (size < 0 && size != ShapedType::kDynamic)
      return emitError() << "access dimensions must be `?` or non-negative, "
                            "got "
                         << size;
    if (size != ShapedType::kDynamic)
      statics.push_back(size);
  }
  // C2: integer, index or float elements.
  if (!elementType.isIntOrIndexOrFloat())
    return emitError() << "access element type must be an integer, index or "
                          "float, got "
                       << elementType;
  // C3: each side's element count fits, even beside an empty one.
  llvm::erase(statics, 0);
  if (!elementCount(statics))
    return emitError() << "the sizes of an access type multiply to more than "
                          "2^63 - 1: "
                       << shapeToString(accessShape) << " | "
                       << shapeToString(computeShape);
  return success();
}

//===----------------------------------------------------------------------===//
// Text: `<S | C x T>`, where an empty side is left out
//===----------------------------------------------------------------------===//

/// The sizes of one side. MLIR does not parse a list that begins with a minus.
static ParseResult parseSide(AsmParser &parser, SmallVectorImpl<int64_t> &shape,
                             bool withTrailingX) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalMinus()))
    return parser.emitError(loc, "access dimensions must be `?` or "
                                 "non-negative, got a negative size");
  return parser.parseDimensionList(shape, /*allowDynamic=*/true, withTrailingX);
}

Type AccessType::parse(AsmParser &parser) {
  SmallVector<int64_t> accessShape, computeShape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parseSide(parser, accessShape, /*withTrailingX=*/false))
    return {};
  if (failed(parser.parseVerticalBar()))
    return {};
  if (parseSide(parser, computeShape, /*withTrailingX=*/true) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<AccessType>(loc, parser.getContext(), accessShape,
                                       computeShape, elementType);
}

void AccessType::print(AsmPrinter &printer) const {
  printer << '<' << shapeToString(getAccessShape());
  printer << (getAccessShape().empty() ? "| " : " | ");
  printer << shapeToString(getComputeShape());
  if (!getComputeShape().empty())
    printer << 'x';
  printer << getElementType() << '>';
}
