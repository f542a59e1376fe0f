//===- ConvertEncodings.cpp - Encodings of others, and as tiles -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutMaterializer.h"
#include "TensorAccess/Core/LayoutAlgebra.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CONVERTENCODINGS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// What the text of an encoding of Triton's or IREE's says; itself where it says
/// nothing that is read here.
static FailureOr<Attribute>
readForeign(Attribute encoding, RankedTensorType type,
            function_ref<InFlightDiagnostic()> emitError) {
  std::string text;
  llvm::raw_string_ostream(text) << encoding;
  StringRef rest = text;
  ParseError error;
  if (rest.consume_front("#ttg.linear<") && rest.consume_back(">")) {
    std::optional<LinearLayout> linear = LinearLayout::parse(rest, error);
    if (!linear)
      return emitError() << "cannot read " << encoding << ": " << error.message
                         << ", at '" << rest.drop_front(error.offset) << "'";
    auto attr = LinearAttr::get(type.getContext(), *linear);
    if (failed(attr.verifyEncoding(type.getShape(), type.getElementType(),
                                   emitError)))
      return failure();
    return Attribute(attr);
  }
  // Several belong to several devices, none to none yet.
  if (rest.starts_with("#iree") && rest.count("encoding_info") == 1) {
    std::optional<SmallVector<NestDigit>> nest =
        readIreeEncoding(type.getShape(), rest, error);
    std::string reason;
    std::optional<Layout> tiled;
    std::optional<StridedLayout> strided;
    if (nest)
      tiled = layoutFromNest(type.getShape(), *nest, *XlaType::lookup("pred"),
                             error.message);
    if (nest && !tiled)
      strided = stridedFromNest(type.getShape(), *nest, reason);
    if (!tiled && !strided) {
      InFlightDiagnostic diagnostic = emitError();
      diagnostic << "cannot read " << encoding << ": " << error.message;
      if (!reason.empty())
        diagnostic << "; and " << reason;
      return diagnostic;
    }
    Attribute read;
    if (tiled)
      read = LayoutAttr::get(type.getContext(), tiled->withoutShape());
    else
      read = StridedAttr::get(type.getContext(), *strided);
    if (failed(cast<VerifiableTensorEncoding>(read).verifyEncoding(
            type.getShape(), type.getElementType(), emitError)))
      return failure();
    return read;
  }
  return encoding;
}

ElementsAttr mlir::tensoraccess::withType(ElementsAttr value,
                                          RankedTensorType type) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return cast<ElementsAttr>(dense.reshape(type));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return cast<ElementsAttr>(
        DenseResourceElementsAttr::get(type, resource.getRawHandle()));
  if (auto sparse = dyn_cast<SparseElementsAttr>(value))
    return cast<ElementsAttr>(SparseElementsAttr::get(
        type, sparse.getIndices(),
        sparse.getValues().reshape(RankedTensorType::get(
            sparse.getValues().getType().getShape(), type.getElementType()))));
  return {};
}

FailureOr<unsigned> mlir::tensoraccess::convertEncodings(ModuleOp module) {
  llvm::DenseMap<Type, Type> converted;
  Operation *current = module;
  bool hasFailed = false;
  auto convert = [&](RankedTensorType type) -> Type {
    Attribute encoding = type.getEncoding();
    if (!encoding || isa<LayoutAttr>(encoding))
      return type;
    auto [it, isNew] = converted.try_emplace(type, type);
    if (!isNew)
      return it->second;
    FailureOr<Attribute> read = encoding;
    if (!isa<StridedAttr, LinearAttr>(encoding))
      read = readForeign(encoding, type, [&] { return current->emitError(); });
    if (failed(read)) {
      hasFailed = true;
      return type;
    }
    return it->second = type.cloneWithEncoding(
               toTiledEncoding(*read, type.getShape()));
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<Type> { return convert(type); });
  // Values have the type of what they are the value of.
  replacer.addReplacement([&](ElementsAttr value) -> std::optional<Attribute> {
    auto type = dyn_cast<RankedTensorType>(value.getShapedType());
    auto to = type ? cast<RankedTensorType>(convert(type)) : type;
    if (to == type)
      return value;
    ElementsAttr same = withType(value, to);
    return same ? Attribute(same) : value;
  });
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    current = op;
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                               /*replaceTypes=*/true);
    return hasFailed ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (hasFailed)
    return failure();
  return llvm::count_if(converted,
                        [](auto &entry) { return entry.first != entry.second; });
}

namespace {
struct ConvertEncodingsPass
    : public tensoraccess::impl::ConvertEncodingsBase<ConvertEncodingsPass> {
  using ConvertEncodingsBase::ConvertEncodingsBase;

  void runOnOperation() override {
    FailureOr<unsigned> types = convertEncodings(getOperation());
    if (failed(types))
      return signalPassFailure();
    converted += *types;
  }
};
} // namespace
