//===- ConvertEncodings.cpp - Encodings of others, and as tiles -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutMaterializer.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/LayoutPasses.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CONVERTENCODINGS
#include "TensorAccess/Transforms/LayoutPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The meaning of the text of an encoding of IREE's, as tiles, or else as strides;
/// null and `why` where neither does.
static Attribute readIree(StringRef text, RankedTensorType type,
                          std::string &why) {
  ParseError error;
  std::optional<SmallVector<NestDigit>> nest =
      readIreeEncoding(type.getShape(), text, error);
  why = error.message;
  if (!nest)
    return {};
  if (std::optional<Layout> tiled =
          layoutFromNest(type.getShape(), *nest, *XlaType::lookup("pred"), why))
    return LayoutAttr::get(type.getContext(), tiled->withoutShape());
  std::string reason;
  if (std::optional<StridedLayout> strided =
          stridedFromNest(type.getShape(), *nest, reason))
    return StridedAttr::get(type.getContext(), *strided);
  why += "; and " + reason;
  return {};
}

/// The meaning of the text of an encoding of Triton's or IREE's; the encoding itself
/// if it is not understood here.
static FailureOr<Attribute>
readForeign(Attribute encoding, RankedTensorType type,
            function_ref<InFlightDiagnostic()> emitError) {
  std::string text, why;
  llvm::raw_string_ostream(text) << encoding;
  StringRef rest = text;
  Attribute read;
  if (rest.starts_with("#ttg.linear<")) {
    ParseError error;
    if (std::optional<LinearLayout> linear = LinearLayout::parse(rest, error))
      read = LinearAttr::get(type.getContext(), *linear);
    else
      why = (error.message + ", at '" + rest.drop_front(error.offset) + "'")
                .str();
  } else if (rest.starts_with("#iree") && rest.count("encoding_info") == 1) {
    read = readIree(rest, type, why);
  } else {
    // Among them those of several devices, and those not yet of any.
    return encoding;
  }
  if (!read)
    return emitError() << "cannot read " << encoding << ": " << why;
  if (failed(cast<VerifiableTensorEncoding>(read).verifyEncoding(
          type.getShape(), type.getElementType(), emitError)))
    return failure();
  return read;
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
    return it->second =
               type.cloneWithEncoding(toTiledEncoding(*read, type.getShape()));
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
    return convert(type);
  });
  // Constants have the type of their values.
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
  return llvm::count_if(
      converted, [](auto &entry) { return entry.first != entry.second; });
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
