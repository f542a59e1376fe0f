//===- RefineTypes.cpp - Sizes of results ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op whose operands have become static has static results, too. Those of
// StableHLO's ops follow by its nest; those of what a program is raised to, and of
// what was there beside StableHLO:
//
// 1. `tensor.dim` is a number, and a cast that changes nothing its operand;
// 2. destinations, and ops with a rule of their own, determine their results' types;
// 3. the sizes of other results follow by their nest. Access patterns with sizes
//    that are not known have none: broadcast and reshape are read here.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The sizes of one side of a reshape, of which one may be unknown.
static SmallVector<int64_t> resolve(ArrayRef<int64_t> from,
                                    ArrayRef<int64_t> to) {
  SmallVector<int64_t> sizes(to), known;
  for (int64_t size : to)
    if (!ShapedType::isDynamic(size))
      known.push_back(size);
  std::optional<int64_t> count = elementCount(from), part = elementCount(known);
  if (!ShapedType::isDynamicShape(from) && known.size() + 1 == to.size() &&
      count && part && *part != 0 && *count % *part == 0)
    llvm::replace(sizes, ShapedType::kDynamic, *count / *part);
  return sizes;
}

/// The result types by the op's own rule; empty if it has none.
static SmallVector<Type> inferTypes(Operation *op) {
  SmallVector<Type> types;
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    AccessType type = broadcast.getType();
    SmallVector<int64_t> shape = type.getShape();
    for (auto [size, from] :
         llvm::zip_equal(shape, broadcast.getPattern().getType().getShape()))
      if (ShapedType::isDynamic(size))
        size = from;
    ArrayRef<int64_t> sizes = shape;
    const int64_t split = type.getAccessRank();
    types.push_back(AccessType::get(sizes.take_front(split),
                                    sizes.drop_front(split),
                                    type.getElementType()));
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    AccessType from = reshape.getPattern().getType(), to = reshape.getType();
    types.push_back(
        AccessType::get(resolve(from.getAccessShape(), to.getAccessShape()),
                        resolve(from.getComputeShape(), to.getComputeShape()),
                        to.getElementType()));
  } else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    for (OpResult result : op->getResults())
      types.push_back(destination.getTiedOpOperand(result)->get().getType());
  } else if (auto inference = dyn_cast<InferTypeOpInterface>(op)) {
    if (failed(inference.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return {};
  } else if (auto sizes = inferResultSizes(OpSignature(op))) {
    for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), *sizes))
      types.push_back(
          isa<ShapedType>(type) ? cast<ShapedType>(type).clone(shape) : type);
  }
  return types;
}

FailureOr<Operation *> mlir::tensoraccess::refineResultTypes(OpBuilder &b,
                                                             Operation *op) {
  b.setInsertionPoint(op);
  auto replaceBy = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return static_cast<Operation *>(nullptr);
  };
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    std::optional<int64_t> place = dim.getConstantIndex();
    if (type && place && *place >= 0 && *place < type.getRank() &&
        !type.isDynamicDim(*place))
      return replaceBy(arith::ConstantIndexOp::create(b, op->getLoc(),
                                                      type.getDimSize(*place)));
    return op;
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
    for (OpFoldResult &size : sizes)
      if (std::optional<int64_t> number = getConstantIntValue(size))
        size = b.getIndexAttr(*number);
    return replaceBy(tensor::EmptyOp::create(b, op->getLoc(), sizes,
                                             empty.getType().getElementType(),
                                             empty.getType().getEncoding()));
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto from = dyn_cast<RankedTensorType>(cast.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(cast.getType());
    if (!from || !to)
      return op;
    if (!agree(from.getShape(), to.getShape()))
      return op->emitError("a value of type ")
             << from << " has to be one of type " << to;
    return from.hasStaticShape() && from.getEncoding() == to.getEncoding()
               ? replaceBy(cast.getSource())
               : op;
  }
  if (isStatic(op->getResultTypes()) &&
      llvm::none_of(op->getResultTypes(),
                    [](Type type) { return isa<AccessType>(type); }))
    return op;
  for (auto [result, type] : llvm::zip(op->getResults(), inferTypes(op)))
    result.setType(type);
  return op;
}

//===----------------------------------------------------------------------===//
// StableHLO
//===----------------------------------------------------------------------===//

/// What is wrong with an op that has no nest, if its reader tells.
static std::string explain(Operation *op) {
  std::string why;
  HloReader reader(op, why);
  StringRef name = getHloName(op);
  if (name == "pad")
    HloPad::read(reader);
  else if (name == "transpose")
    readHloTranspose(reader);
  else if (name == "concatenate")
    readHloConcatenate(reader);
  else if (name == "reduce")
    HloReduce::read(reader);
  else if (name == "dot" || name == "dot_general")
    HloDot::read(reader);
  return why;
}

LogicalResult mlir::tensoraccess::refineHloResults(Operation *op) {
  OpSignature signature(op);
  auto sizes = inferResultSizes(signature);
  if (!sizes) {
    // The types may not be what operands and attributes make.
    for (Type &type : signature.resultTypes)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        type = tensor.clone(
            SmallVector<int64_t>(tensor.getRank(), ShapedType::kDynamic));
    sizes = inferResultSizes(signature);
  }
  auto error = [&] {
    return op->emitError("'") << getOriginalName(op) << "': ";
  };
  if (!sizes) {
    std::string why = explain(op);
    return why.empty() ? success() : LogicalResult(error() << why);
  }
  for (auto [result, shape] : llvm::zip_equal(op->getResults(), *sizes)) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    if (!agree(shape, type.getShape()) || llvm::any_of(shape, [](int64_t size) {
          return size < 0 && !ShapedType::isDynamic(size);
        }))
      return error() << "result " << result.getResultNumber() << " is of type "
                     << type << ", and operands make it one of sizes "
                     << llvm::formatv(
                            "{0:$[x]}",
                            llvm::make_range(shape.begin(), shape.end()))
                            .str();
    for (auto [d, size] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(size))
        size = type.getDimSize(d);
    result.setType(RankedTensorType::get(shape, type.getElementType()));
  }
  return success();
}
