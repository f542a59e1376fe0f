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
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Reads the fields of one attribute. After the first that is not valid, all are
/// empty.
class FieldReader {
public:
  explicit FieldReader(DialectBytecodeReader &reader) : reader(reader) {}

  bool hasFailed() const { return failed; }
  void fail() { failed = true; }

  int64_t readNumber() {
    int64_t number = 0;
    check(reader.readSignedVarInt(number));
    return failed ? 0 : number;
  }
  bool readBool() {
    bool flag = false;
    check(reader.readBool(flag));
    return flag;
  }
  std::optional<uint64_t> readOptionalNumber() {
    uint64_t number = 0;
    bool isGiven = false;
    check(reader.readVarIntWithFlag(number, isGiven));
    return isGiven && !failed ? std::optional(number) : std::nullopt;
  }
  std::string readQuoted() {
    StringRef string;
    check(reader.readString(string));
    return quoteHlo(failed ? "" : string);
  }
  /// The text of an attribute of this name.
  std::string readText(StringRef name) {
    Attribute attr;
    check(reader.readAttribute(attr));
    return failed ? "" : getText(attr, name);
  }
  std::string readOptionalText(StringRef name) {
    Attribute attr;
    check(reader.readOptionalAttribute(attr));
    return failed || !attr ? "" : getText(attr, name);
  }
  /// Items with `, ` between them.
  std::string readTexts(StringRef name, StringRef separator = ", ") {
    return join(separator, [&] { return readText(name); });
  }
  std::string readNumbers() {
    return join(", ", [&] { return llvm::itostr(readNumber()); });
  }
  std::string readStrings() {
    return join(", ", [&] {
      StringAttr string;
      check(reader.readAttribute(string));
      return failed ? "" : quoteHlo(string);
    });
  }
  /// `@mesh` or `mesh<["x"=4]>`
  std::string readMesh() {
    Attribute attr;
    check(reader.readAttribute(attr));
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!failed && isa<FlatSymbolRefAttr>(attr))
      os << attr;
    else if (!failed)
      os << "mesh" << getText(attr, "mesh");
    return text;
  }
  /// The letters of factors: i to z, then z_1.
  std::string readFactors(StringRef separator) {
    return join(separator, [&] { return getFactor(readNumber()); });
  }
  /// `{i=8, j=4}`
  std::string readSizes() {
    int64_t factor = 0;
    return join(", ", [&] {
      return getFactor(factor++) + "=" + llvm::itostr(readNumber());
    });
  }

private:
  void check(LogicalResult result) { failed |= result.failed(); }

  std::string getText(Attribute attr, StringRef name) {
    auto opaque = dyn_cast<OpaqueAttr>(attr);
    StringRef text = opaque ? opaque.getAttrData() : "";
    if (opaque && opaque.getDialectNamespace() == "sdy" &&
        text.consume_front(name) && !text.starts_with("_"))
      return text.str();
    failed = true;
    return "";
  }
  std::string getFactor(int64_t factor) {
    if (factor < 0)
      failed = true;
    constexpr int64_t numLetters = 'z' - 'i' + 1;
    return factor < numLetters ? std::string(1, char('i' + factor))
                               : "z_" + llvm::itostr(factor - numLetters + 1);
  }
  std::string join(StringRef separator, function_ref<std::string()> readItem) {
    uint64_t count = 0;
    check(reader.readVarInt(count));
    std::string text;
    for (uint64_t i = 0; i < count && !failed; ++i)
      text += (i ? separator.str() : "") + readItem();
    return text;
  }

  DialectBytecodeReader &reader;
  bool failed = false;
};

} // namespace

/// What is there only if it has something in it.
static std::string addPart(StringRef before, const std::string &text,
                           StringRef after) {
  return text.empty() ? "" : (before + text + after).str();
}

static std::string readSharding(FieldReader &fields, uint64_t code) {
  std::string text = "sharding<" + fields.readMesh() + ", [" +
                     fields.readTexts("dimension_sharding") + "]";
  text += addPart(", replicated={", fields.readTexts("axis_ref"), "}");
  std::string axes = code == 6 ? "" : fields.readTexts("axis_ref");
  const int64_t reduction = code == 17 ? fields.readNumber() : 0;
  if (reduction < 0 || reduction > 2)
    fields.fail();
  StringRef before = reduction == 0   ? ", unreduced={"
                     : reduction == 1 ? ", unreduced=max{"
                                      : ", unreduced=min{";
  return text + addPart(before, axes, "}") + ">";
}

static std::string readRule(FieldReader &fields) {
  std::string sizes = fields.readSizes();
  std::string operands = fields.readTexts("tensor_mapping"),
              results = fields.readTexts("tensor_mapping");
  std::string text = "op_sharding_rule<(" + operands + ")->(" + results + ")" +
                     addPart(" {", sizes, "}");
  for (StringRef kind :
       {"reduction", "need_replication", "permutation", "blocked_propagation"})
    text += addPart((" " + kind + "={").str(), fields.readFactors(", "), "}");
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
    return "manual_axes{" + fields.readStrings() + "}";
  case 1: {
    std::string name = fields.readQuoted();
    return "mesh_axis" + name + "=" + llvm::itostr(fields.readNumber());
  }
  case 2: {
    std::string axes = fields.readTexts("mesh_axis");
    return "mesh<[" + axes + "]" +
           addPart(", device_ids=[", fields.readNumbers(), "]") + ">";
  }
  case 3: {
    std::string before = "(" + llvm::itostr(fields.readNumber()) + ")";
    return "sub_axis_info" + before + llvm::itostr(fields.readNumber());
  }
  case 4: {
    std::string name = fields.readQuoted();
    return "axis_ref" + name +
           addPart(":", fields.readOptionalText("sub_axis_info"), "");
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
    return "dim_mapping" + fields.readFactors("");
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
    std::string source = llvm::itostr(fields.readNumber());
    return "all_to_all_param{" + axes + "}: " + source + "->" +
           llvm::itostr(fields.readNumber());
  }
  case 14:
    return "all_to_all_param_list[" + fields.readTexts("all_to_all_param") +
           "]";
  default:
    fields.fail();
    return "";
  }
}

Attribute tensoraccess::readShardyAttribute(DialectBytecodeReader &reader) {
  uint64_t code;
  if (failed(reader.readVarInt(code)))
    return nullptr;
  FieldReader fields(reader);
  std::string text = readText(fields, code);
  if (fields.hasFailed())
    return reader.emitError("not an attribute of Shardy"), nullptr;
  MLIRContext *context = reader.getContext();
  return OpaqueAttr::get(StringAttr::get(context, "sdy"), text,
                         NoneType::get(context));
}
