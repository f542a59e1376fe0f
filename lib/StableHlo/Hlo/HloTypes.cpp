//===- HloTypes.cpp - Shapes as types, metadata as locations --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloImporter.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Frames of a call stack that are kept.
static constexpr size_t kMostFrames = 512;

static Type getElementType(StringRef word, MLIRContext *context) {
  Builder b(context);
  if (word == "pred")
    return b.getI1Type();
  unsigned bits;
  // A signed bit is no pred.
  if (word == "s1")
    return Type();
  if ((word[0] == 's' || word[0] == 'u') &&
      !word.drop_front().getAsInteger(10, bits) &&
      llvm::is_contained({1u, 2u, 4u, 8u, 16u, 32u, 64u}, bits))
    return word[0] == 's' ? b.getIntegerType(bits)
                          : b.getIntegerType(bits, /*isSigned=*/false);
  return llvm::StringSwitch<Type>(word)
      .Case("bf16", b.getBF16Type())
      .Case("f16", b.getF16Type())
      .Case("f32", b.getF32Type())
      .Case("f64", b.getF64Type())
      .Case("c64", ComplexType::get(b.getF32Type()))
      .Case("c128", ComplexType::get(b.getF64Type()))
      .Case("f8e5m2", Float8E5M2Type::get(context))
      .Case("f8e4m3", Float8E4M3Type::get(context))
      .Case("f8e4m3fn", Float8E4M3FNType::get(context))
      .Case("f8e4m3b11fnuz", Float8E4M3B11FNUZType::get(context))
      .Case("f8e4m3fnuz", Float8E4M3FNUZType::get(context))
      .Case("f8e5m2fnuz", Float8E5M2FNUZType::get(context))
      .Case("f8e3m4", Float8E3M4Type::get(context))
      .Case("f8e8m0fnu", Float8E8M0FNUType::get(context))
      .Case("f4e2m1fn", Float4E2M1FNType::get(context))
      .Default(Type());
}

std::string tensoraccess::getLayoutText(const HloShape &shape) {
  std::string text = shape.element.str() + "[";
  for (auto [i, size] : llvm::enumerate(shape.sizes))
    text += (i ? "," : "") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return text + "]" + shape.layout.str();
}

FailureOr<Type> HloImporter::getType(const HloShape &shape) {
  MLIRContext *context = b.getContext();
  if (shape.kind != HloShape::Kind::Array)
    return OpaqueType::get(b.getStringAttr("stablehlo"), "token");
  Type element = getElementType(shape.element, context);
  if (!element)
    return fail(shape.place, "no element type '" + shape.element + "'");
  SmallVector<int64_t, 4> sizes(shape.sizes);
  Attribute encoding;
  if (llvm::is_contained(shape.isBounded, true)) {
    std::string bounds = "bounds<";
    for (auto [d, isBounded] : llvm::enumerate(shape.isBounded)) {
      bounds += d ? ", " : "";
      bounds += isBounded ? std::to_string(sizes[d]) : "?";
      if (isBounded)
        sizes[d] = ShapedType::kDynamic;
    }
    encoding = OpaqueAttr::get(b.getStringAttr("stablehlo"), bounds + ">",
                               b.getNoneType());
  }
  if (!shape.layout.empty()) {
    // Read whether it is kept or not: what is wrong is an error.
    ParseError error;
    std::optional<Layout> layout = Layout::parse(getLayoutText(shape), error);
    if (!layout)
      return fail(shape.layout.data(),
                  "this layout of " + shape.element +
                      "[...] means nothing: " + error.message);
    if (keepsLayouts && !encoding &&
        layout->layoutStr() != Layout::rowMajor(sizes.size()).layoutStr())
      encoding = LayoutAttr::get(context, layout->withoutShape());
  }
  return Type(RankedTensorType::get(sizes, element, encoding));
}

LogicalResult HloImporter::getTypes(const HloShape &shape,
                                    SmallVectorImpl<Type> &types) {
  if (!shape.isTuple()) {
    FailureOr<Type> type = getType(shape);
    if (failed(type))
      return failure();
    types.push_back(*type);
    return success();
  }
  for (const HloShape &part : shape.parts)
    if (failed(getTypes(part, types)))
      return failure();
  return success();
}

/// The text of a key in `{key="..." key=1}`; std::nullopt if absent.
static std::optional<StringRef> findKey(StringRef fields, StringRef key) {
  fields.consume_front("{");
  while (!fields.empty()) {
    auto [name, rest] = fields.ltrim(" ,\n").split('=');
    StringRef value;
    if (rest.consume_front("\"")) {
      size_t end = 0;
      while (end < rest.size() && rest[end] != '"')
        end += rest[end] == '\\' ? 2 : 1;
      value = rest.take_front(end);
      fields = rest.drop_front(std::min(end + 1, rest.size()));
    } else if (rest.starts_with("{")) {
      size_t depth = 0, end = 0;
      do {
        depth += rest[end] == '{';
        depth -= rest[end] == '}';
      } while (++end < rest.size() && depth > 0);
      value = rest.take_front(end);
      fields = rest.drop_front(end);
    } else {
      value = rest.take_until(
          [](char c) { return c == ' ' || c == '}' || c == ','; });
      fields = rest.drop_front(value.size());
      fields.consume_front("}");
    }
    if (name.trim() == key)
      return value;
  }
  return std::nullopt;
}

static int64_t getNumber(std::optional<StringRef> value) {
  int64_t number = 0;
  return value && !value->getAsInteger(10, number) ? number : 0;
}

/// The entry of a table, or nothing.
static StringRef lookUp(const HloModuleText::Table &table, int64_t number) {
  auto it = table.find(number);
  return it == table.end() ? StringRef() : it->second;
}

Location HloImporter::getFrame(int64_t number) {
  // From the innermost frame out. XLA writes the number of the parent plus one.
  SmallVector<int64_t> chain;
  while (number > 0 && !frames.count(number) && chain.size() < kMostFrames &&
         !llvm::is_contained(chain, number)) {
    StringRef frame = lookUp(text.stackFrames, number);
    if (frame.empty())
      break;
    chain.push_back(number);
    number = ::getNumber(findKey(frame, "parent_frame_id")) - 1;
  }
  auto known = frames.find(number);
  std::optional<Location> caller;
  if (known != frames.end())
    caller = known->second;
  MLIRContext *context = b.getContext();
  for (int64_t inner : llvm::reverse(chain)) {
    StringRef at = lookUp(text.fileLocations,
                          ::getNumber(findKey(lookUp(text.stackFrames, inner),
                                              "file_location_id")));
    if (at.empty())
      continue;
    auto getString = [&](const HloModuleText::Table &table, StringRef key) {
      return unescapeHlo(unquote(lookUp(table, ::getNumber(findKey(at, key)))));
    };
    Location location = FileLineColLoc::get(
        context, getString(text.fileNames, "file_name_id"),
        ::getNumber(findKey(at, "line")), ::getNumber(findKey(at, "column")));
    std::string function = getString(text.functionNames, "function_name_id");
    if (!function.empty())
      location = NameLoc::get(b.getStringAttr(function), location);
    if (caller)
      location = CallSiteLoc::get(location, *caller);
    caller = location;
    frames.try_emplace(inner, location);
  }
  return caller.value_or(UnknownLoc::get(context));
}

Location HloImporter::getLocation(const HloInstruction &instruction) {
  Location location = reporter.getLocation(instruction.getPlace());
  if (std::optional<StringRef> metadata = instruction.get("metadata")) {
    if (auto frame = findKey(*metadata, "stack_frame_id")) {
      Location at = getFrame(::getNumber(frame));
      if (!isa<UnknownLoc>(at))
        location = at;
    } else if (auto file = findKey(*metadata, "source_file")) {
      location =
          FileLineColLoc::get(b.getContext(), unescapeHlo(*file),
                              ::getNumber(findKey(*metadata, "source_line")),
                              /*column=*/0);
    }
    if (auto name = findKey(*metadata, "op_name"))
      location = NameLoc::get(b.getStringAttr(unescapeHlo(*name)), location);
  }
  return NameLoc::get(b.getStringAttr(instruction.name), location);
}
