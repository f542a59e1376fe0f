//===- LayoutMaterializer.h - Encodings become tensors in memory *- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of materializeLayouts: for each value with a layout its tensor in
// memory, its type, and, where a tile of a dynamic dimension hides them, its
// sizes without padding.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_LAYOUTMATERIALIZER_H
#define TENSORACCESS_LIB_TRANSFORMS_LAYOUTMATERIALIZER_H

#include "MaterializeLinalg.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {

/// The type if it is a tensor with a layout.
inline RankedTensorType getEncoded(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<LayoutAttr>(tensor.getEncoding())
             ? tensor
             : RankedTensorType();
}

/// The tensor at the border of a function: all dimensions of the tiled shape.
/// Requires that step 1 has let the type pass.
RankedTensorType getBorderType(RankedTensorType type);

/// The form of a type that has one.
inline PhysicalForm getForm(RankedTensorType type) {
  std::string reason;
  return *getPhysicalForm(type, reason);
}
inline bool hasForm(RankedTensorType type, std::string &reason) {
  return getPhysicalForm(type, reason).has_value();
}
inline bool hasForm(RankedTensorType type) {
  std::string reason;
  return hasForm(type, reason);
}

/// Gives functions, and values that are functions, their types at the border: what
/// they take and return by `map`.
void mapBorders(ModuleOp module, function_ref<Type(Type)> map);

/// The same elements in a type of the same shape, with another encoding; null
/// if the attribute is of an unknown kind.
ElementsAttr withType(ElementsAttr value, RankedTensorType type);

/// Tensors with strided and linear layouts become their memory; ops on indices are
/// left. Fails, with an error, where padding has no value.
LogicalResult materializePlaces(ModuleOp module);

/// Steps 1 to 5 (MaterializeLayouts.cpp); `build` and what it calls are in
/// MaterializeTwins.cpp.
class LayoutMaterializer {
public:
  LayoutMaterializer(ModuleOp module, RelayoutWay way, int64_t foldBytes)
      : module(module), way(way), foldBytes(foldBytes),
        builder(module.getContext()) {}

  FailureOr<LayoutMaterializationReport> run();

private:
  LogicalResult check();
  void enterFunction(FunctionOpInterface function);
  void runOn(Region &region);
  void visit(Operation *op);
  void wrap(Operation *op, StringRef reason);
  bool passBorder(Operation *op);
  Value retype(Value value, Type type);
  void enterBorder(Value value, RankedTensorType encoded);
  void enterPlain(Value value, RankedTensorType encoded);
  /// The twin of an op; std::nullopt with the reason.
  std::optional<SmallVector<Value>> build(Operation *op, std::string &reason);
  std::optional<SmallVector<Value>> buildRelayoutOp(RelayoutOp op);
  std::optional<SmallVector<Value>> buildBitcast(BitcastOp op);
  std::optional<SmallVector<Value>> buildLinalg(linalg::LinalgOp op,
                                                std::string &reason);
  std::optional<SmallVector<Value>> buildElementwise(Operation *op,
                                                     std::string &reason);
  std::optional<SmallVector<Value>> buildPad(tensor::PadOp op,
                                             std::string &reason);
  std::optional<SmallVector<Value>> buildSlice(tensor::ExtractSliceOp op,
                                               std::string &reason);
  std::optional<SmallVector<Value>> buildReshape(Operation *op,
                                                 std::string &reason);
  std::optional<SmallVector<Value>> buildConstant(arith::ConstantOp op);
  Value buildEmpty(tensor::EmptyOp op);
  std::optional<SmallVector<Value>> buildDim(tensor::DimOp op);
  Value move(Location loc, Value value, const PhysicalForm &from,
             const PhysicalForm &to, ArrayRef<int64_t> shape,
             ArrayRef<OpFoldResult> sizes);
  /// The same to a type, which may have no form.
  Value moveTo(Location loc, Value value, const PhysicalForm &from,
               RankedTensorType to, ArrayRef<OpFoldResult> sizes);
  /// `source` as a tensor that has a form, and the form.
  std::pair<Value, PhysicalForm> getFormed(Value source);

  /// A value as it is laid out in memory, and its type with the layout.
  Value getPhysical(Value value) const {
    auto it = physical.find(value);
    return it == physical.end() ? value : it->second;
  }
  RankedTensorType getType(Value value) const {
    auto it = types.find(value);
    return it == types.end() ? cast<RankedTensorType>(value.getType())
                             : it->second;
  }
  /// Sizes without padding: kept where memory does not have them, else read there.
  SmallVector<OpFoldResult> getLogicalSizes(Value value);
  void keepSizes(Value result, ArrayRef<OpFoldResult> sizes);
  /// The value in row-major order.
  Value getPlain(Value value);
  void setPhysical(Value value, RankedTensorType type, Value tensor) {
    types[value] = type;
    physical[value] = tensor;
  }

  ModuleOp module;
  RelayoutWay way;
  int64_t foldBytes;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> physical, plain;
  llvm::DenseMap<Value, RankedTensorType> types;
  llvm::DenseMap<Value, SmallVector<OpFoldResult>> logical;
  SmallVector<Operation *> dead;
  /// Reshapes of arguments, which read them as they are.
  llvm::DenseSet<Operation *> own;
  LayoutMaterializationReport report;
  /// An error was emitted while a twin was built.
  bool hasFailed = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_LAYOUTMATERIALIZER_H
