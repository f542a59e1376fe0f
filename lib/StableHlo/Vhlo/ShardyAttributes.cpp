//===- ShardyAttributes.cpp - Attributes of Shardy in bytecode ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact may have ops of other dialects among those of VHLO; JAX's exports
// have Shardy's. Each attribute is a name and a text, as `sharding` and
// `<@mesh, [{"x"}, {}]>`, of which larger ones are made.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "FieldReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// What is there only if it has something in it.
static std::string addPart(StringRef before, const std::string &text,
                           StringRef after) {
  return text.empty() ? "" : (before + text + after).str();
}

/// The letters of factors: i to z, then z_1.
static std::string getFactor(int64_t factor) {
  constexpr int64_t numLetters = 'z' - 'i' + 1;
  return factor < numLetters ? std::string(1, char('i' + factor))
                             : "z_" + llvm::itostr(factor - numLetters + 1);
}

static std::string readFactors(FieldReader &fields, StringRef separator) {
  return fields.join(
      [&] {
        int64_t factor = fields.readSigned();
        return fields.require(factor >= 0) ? getFactor(factor) : "";
      },
      separator);
}

/// `@mesh` or `mesh<["x"=4]>`
static std::string readMesh(FieldReader &fields) {
  Attribute attr = fields.readAttr();
  auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(attr);
  if (!symbol)
    return "mesh" + fields.getText(attr, "mesh");
  std::string text;
  llvm::raw_string_ostream(text) << symbol;
  return text;
}

static std::string readSharding(FieldReader &fields, uint64_t code) {
  std::string text = "sharding<" + readMesh(fields);
  text += ", [" + fields.readTexts("dimension_sharding") + "]";
  text += addPart(", replicated={", fields.readTexts("axis_ref"), "}");
  std::string axes = code == 6 ? "" : fields.readTexts("axis_ref");
  const int64_t reduction = code == 17 ? fields.readSigned() : 0;
  static constexpr StringRef before[] = {", unreduced={", ", unreduced=max{",
                                         ", unreduced=min{"};
  if (!fields.require(reduction >= 0 && reduction <= 2))
    return "";
  return text + addPart(before[reduction], axes, "}") + ">";
}

static std::string readRule(FieldReader &fields) {
  int64_t factor = 0;
  std::string sizes = fields.join([&] {
    return getFactor(factor++) + "=" + llvm::itostr(fields.readSigned());
  });
  std::string operands = fields.readTexts("tensor_mapping"),
              results = fields.readTexts("tensor_mapping");
  std::string text = "op_sharding_rule<(" + operands + ")->(" + results + ")" +
                     addPart(" {", sizes, "}");
  for (StringRef kind :
       {"reduction", "need_replication", "permutation", "blocked_propagation"})
    text += addPart((" " + kind + "={").str(), readFactors(fields, ", "), "}");
  return text + (fields.readBool() ? ", custom>" : ">");
}

static std::string readDimension(FieldReader &fields) {
  std::string axes = fields.readTexts("axis_ref");
  if (!fields.readBool())
    axes += axes.empty() ? "?" : ", ?";
  std::optional<uint64_t> priority = fields.readOptionalNumber();
  return "dimension_sharding{" + axes + "}" +
         (priority ? "p" + llvm::utostr(*priority) : "");
}

/// The name and the text of the attribute with this number.
static std::string readText(FieldReader &fields, uint64_t code) {
  switch (code) {
  case 0:
    return "manual_axes{" + fields.join([&] {
      auto name = fields.readAttr<StringAttr>();
      return name ? FieldReader::quote(name) : "";
    }) + "}";
  case 1: {
    std::string name = FieldReader::quote(fields.readString());
    return "mesh_axis" + name + "=" + llvm::itostr(fields.readSigned());
  }
  case 2: {
    std::string axes = fields.readTexts("mesh_axis");
    return "mesh<[" + axes + "]" +
           addPart(", device_ids=[", fields.readNumberTexts(), "]") + ">";
  }
  case 3: {
    std::string before = "(" + llvm::itostr(fields.readSigned()) + ")";
    return "sub_axis_info" + before + llvm::itostr(fields.readSigned());
  }
  case 4: {
    std::string name = FieldReader::quote(fields.readString());
    Attribute part = fields.readOptionalAttr();
    return "axis_ref" + name +
           (part ? ":" + fields.getText(part, "sub_axis_info") : "");
  }
  case 5:
    return readDimension(fields);
  case 6:
  case 15:
  case 17:
    return readSharding(fields, code);
  case 7:
  case 16:
    return "sharding_per_value<[" + fields.readTexts("sharding") + "]>";
  case 8:
    return "dim_mapping" + readFactors(fields, "");
  case 9:
    return "tensor_mapping[" + fields.readTexts("dim_mapping") + "]";
  case 10:
    return readRule(fields);
  case 11:
    return "axis_ref_list{" + fields.readTexts("axis_ref") + "}";
  case 12:
    return "list_of_axis_ref_lists[" + fields.readTexts("axis_ref_list") + "]";
  case 13: {
    std::string axes = fields.readTexts("axis_ref");
    std::string source = llvm::itostr(fields.readSigned());
    return "all_to_all_param{" + axes + "}: " + source + "->" +
           llvm::itostr(fields.readSigned());
  }
  case 14:
    return "all_to_all_param_list[" + fields.readTexts("all_to_all_param") +
           "]";
  default:
    fields.require(false);
    return "";
  }
}

Attribute tensoraccess::readShardyAttribute(DialectBytecodeReader &reader) {
  FieldReader fields(reader, "sdy");
  const uint64_t code = fields.readNumber();
  return fields.getAttr(readText(fields, code));
}
