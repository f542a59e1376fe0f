//===- Signature.cpp - What functions take and give -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that can be wrong about a call is found here, before any memory
// is handed to compiled code.
//
//===----------------------------------------------------------------------===//

#include "NarrowBorders.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<func::FuncOp> mlir::tensoraccess::findEntry(ModuleOp module,
                                                      StringRef entry) {
  // The only public one, where there is no main.
  if (entry.empty()) {
    SmallVector<func::FuncOp> open;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPublic())
        open.push_back(function);
    if (open.size() == 1 &&
        !SymbolTable::lookupSymbolIn(
            module, StringAttr::get(module.getContext(), "main")))
      return open.front();
    entry = "main";
  }
  auto function = dyn_cast_or_null<func::FuncOp>(SymbolTable::lookupSymbolIn(
      module, StringAttr::get(module.getContext(), entry)));
  if (function && !function.isExternal())
    return function;
  return emitError(function ? function.getLoc() : module.getLoc())
         << describeUnknownFunction(module, entry);
}

/// A type as the runtime sees it; else the reason why it cannot be passed.
static llvm::Expected<ValueType> classify(Type type, bool takesComplex,
                                          bool takesNarrow) {
  auto refuse = [](const Twine &why) { return llvm::createStringError(why); };
  if (isa<AccessType>(type))
    return refuse("an access pattern, which has no form in memory; pass the "
                  "tensor and use tensoraccess.access inside the function");
  ValueType result;
  type = getTypeWithoutBounds(type);
  if (takesNarrow)
    type = getTypeOfStorage(type);
  Type outer = getElementTypeOrSelf(type);
  if (takesComplex)
    type = getTypeOfPairs(type);
  const bool isNarrow = takesNarrow && getTypeOfBytes(type) != type;
  if (isNarrow)
    type = getTypeOfBytes(type);
  const Type passed = getPassedType(type);
  // Of those numpy has these.
  const bool isNamed =
      passed != type && (outer.isInteger(2) || outer.isInteger(4));
  type = passed;
  std::optional<Layout> layout;
  Type elementType = type;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!shaped.hasRank())
      return refuse("of unknown rank");
    elementType = shaped.getElementType();
    result.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      Attribute encoding =
          toTiledEncoding(tensor.getEncoding(), tensor.getShape());
      auto attr = dyn_cast_or_null<LayoutAttr>(encoding);
      if (isa_and_nonnull<StridedAttr, LinearAttr>(encoding)) {
        std::string error;
        std::optional<MemoryPlaces> places =
            getPlaces(encoding, tensor.getShape(), error);
        if (!places)
          return refuse(error);
        result.places =
            std::make_shared<const MemoryPlaces>(std::move(*places));
      } else if (encoding && !attr) {
        return refuse("a tensor with an encoding that is not a layout");
      }
      if (attr && !tensor.hasStaticShape())
        return refuse("a tensor of dynamic size with a layout; materialize it "
                      "first");
      if (attr)
        layout = attr.getValue();
    } else if (auto memref = dyn_cast<MemRefType>(type)) {
      result.kind = ValueType::Kind::MemRef;
      if (!memref.getLayout().isIdentity() || memref.getMemorySpace())
        return refuse("a memref with a layout or memory space of its own");
    } else {
      return refuse("neither a scalar, a tensor nor a memref");
    }
  } else {
    result.kind = ValueType::Kind::Scalar;
  }
  std::optional<ElementType> element = getElementTypeOf(elementType);
  if (!element)
    return refuse("of an element type that cannot be passed");
  result.elementType = *element;
  if (isa<ComplexType>(outer) || outer.isUnsignedInteger() || isNarrow ||
      isNamed)
    result.outerType = debugString(outer);
  if (layout) {
    // What moves is bytes; elements have whole ones.
    int64_t bytes = byteSize(*element);
    layout->elementBits.reset();
    result.layout = std::make_shared<const Layout>(layout->withShape(
        result.shape,
        *XlaType::lookup(bytes == 16 ? std::string("c128")
                                     : "u" + std::to_string(8 * bytes))));
  }
  return result;
}

SmallVector<int64_t> ValueType::getMemoryShape() const {
  if (places)
    return {places->numbers};
  if (!layout)
    return shape;
  SmallVector<int64_t> physical = *layout->getPhysicalShape();
  int64_t padded = *layout->getPaddedElements();
  if (elementCount(physical) != padded)
    physical = {padded};
  return physical;
}

/// Whether tensors of a type hold elements of the type that an attribute names:
/// pairs complex numbers, signless integers unsigned ones, bytes narrow ones.
static bool isMemoryOf(Type type, Attribute outer) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto named = dyn_cast<TypeAttr>(outer);
  if (!tensor || !named)
    return false;
  Type element = tensor.getElementType();
  if (auto complex = dyn_cast<ComplexType>(named.getValue()))
    return complex.getElementType() == element &&
           (element.isF32() || element.isF64()) && tensor.getRank() > 0 &&
           tensor.getShape().back() == 2;
  Type bytes = getTypeOfBytes(tensor.clone(named.getValue()));
  if (getElementTypeOrSelf(bytes) != named.getValue())
    return element.isInteger(8);
  return named.getValue().isUnsignedInteger() && element.isSignlessInteger() &&
         getElementTypeOf(element) == getElementTypeOf(named.getValue());
}

FailureOr<std::pair<SmallVector<ValueType>, SmallVector<ValueType>>>
mlir::tensoraccess::getSignature(func::FuncOp entry) {
  std::pair<SmallVector<ValueType>, SmallVector<ValueType>> signature;
  auto module = entry->getParentOfType<ModuleOp>();
  const bool takesComplex = module && hasComplexHlo(module);
  const bool takesNarrow =
      module && (hasNarrowHlo(module) || hasQuantizedHlo(module));
  auto classifyAll = [&](TypeRange types, StringRef what,
                         function_ref<Attribute(unsigned)> getOuter,
                         SmallVector<ValueType> &into) -> LogicalResult {
    // The elements of tuples have no such attribute.
    SmallVector<Type> flat = flattenTypes(types);
    const bool isFlat = types == TypeRange(flat);
    for (auto [i, type] : llvm::enumerate(flat)) {
      llvm::Expected<ValueType> value =
          classify(type, takesComplex, takesNarrow);
      if (!value)
        return entry.emitError()
               << what << " " << i << " of '" << entry.getName()
               << "' has type " << type << ": it is "
               << llvm::toString(value.takeError());
      if (Attribute outer = isFlat ? getOuter(i) : Attribute()) {
        if (!isMemoryOf(type, outer))
          return entry.emitError()
                 << what << " " << i << " of '" << entry.getName() << "' has '"
                 << kElementType << " = " << outer << "', but type " << type
                 << ", which does not hold them";
        value->outerType = debugString(outer);
      }
      into.push_back(*value);
    }
    return success();
  };
  auto ofInput = [&](unsigned i) { return entry.getArgAttr(i, kElementType); };
  auto ofResult = [&](unsigned i) {
    return entry.getResultAttr(i, kElementType);
  };
  if (failed(classifyAll(entry.getArgumentTypes(), "argument", ofInput,
                         signature.first)) ||
      failed(classifyAll(entry.getResultTypes(), "result", ofResult,
                         signature.second)))
    return failure();
  return signature;
}

/// `shape 3x?x7`, or `no dimensions`.
static std::string describeShape(ArrayRef<int64_t> shape) {
  return shape.empty() ? "no dimensions" : "shape " + shapeToString(shape);
}

llvm::Error mlir::tensoraccess::checkInputs(ArrayRef<ValueType> expected,
                                            ArrayRef<Tensor> inputs) {
  auto error = [](const Twine &message) {
    return llvm::createStringError(message);
  };
  if (inputs.size() != expected.size())
    return error("expected " + Twine(expected.size()) + " inputs, got " +
                 Twine(inputs.size()));
  for (auto [i, type, input] : llvm::enumerate(expected, inputs)) {
    bool fits =
        type.shape.size() == input.getShape().size() &&
        llvm::all_of(llvm::zip(type.shape, input.getShape()), [](auto sizes) {
          auto [wanted, given] = sizes;
          return wanted == kDynamicSize || wanted == given;
        });
    if (!fits)
      return error(
          "input " + Twine(i) + " has " + describeShape(input.getShape()) +
          ", expected " +
          (type.shape.empty() ? describeShape({}) : shapeToString(type.shape)));
    if (type.elementType != input.getElementType())
      return error("input " + Twine(i) + " has element type " +
                   toString(input.getElementType()) + ", expected " +
                   toString(type.elementType));
  }
  return llvm::Error::success();
}
