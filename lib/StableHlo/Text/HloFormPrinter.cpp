//===- HloFormPrinter.cpp - Printing an op by its form --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op is printed by its form only if reading that gives the op again: with
// its attributes in the dictionary or in `<{...}>`, where they are looked for in
// both. Spaces are those that MLIR's declarative formats print.
//
//===----------------------------------------------------------------------===//

#include "HloForm.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Kind = HloElement::Kind;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static bool isInteger(Attribute attr, unsigned width) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attr);
  return integer && integer.getType().isSignlessInteger(width);
}

/// The word of an enumeration's attribute, or, after `i32=`, of its number; "" if
/// it is another's.
static StringRef getKeyword(Attribute attr, StringRef kind, Operation *op) {
  if (kind.consume_front("i32=")) {
    ArrayRef<StringRef> keywords = getHloKeywords(kind);
    if (!isInteger(attr, 32))
      return "";
    APInt number = cast<IntegerAttr>(attr).getValue();
    return number.ult(keywords.size()) ? keywords[number.getZExtValue()] : "";
  }
  StringRef text = getDialectText(attr, op);
  return text.consume_front(kind) && text.consume_front(" ") &&
                 llvm::is_contained(getHloKeywords(kind), text)
             ? text
             : "";
}

/// Whether a text is one pair of brackets with what the parser takes in between.
static bool isInBrackets(StringRef text) {
  SmallVector<char> open;
  for (size_t i = 0; i != text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      do
        i += text[i] == '\\' ? 2 : 1;
      while (i < text.size() && text[i] != '"');
      if (i >= text.size())
        return false;
    } else if (StringRef("<[{(").contains(c)) {
      open.push_back(c == '<' ? '>' : c == '[' ? ']' : c == '{' ? '}' : ')');
    } else if (text.substr(i).starts_with("->")) {
      ++i;
    } else if (StringRef(">]})").contains(c)) {
      if (open.empty() || open.pop_back_val() != c)
        return false;
      if (open.empty())
        return i + 1 == text.size();
    } else if (!llvm::isAlnum(c) && !StringRef("_,:=?@- \n\t").contains(c)) {
      return false;
    }
    if (open.empty())
      return false;
  }
  return false;
}

/// What `text=BEFORE*AFTER` prints: a bracket and what it holds, up to the end.
static StringRef getBrackets(Attribute attr, StringRef kind, Operation *op) {
  kind.consume_front("text=");
  auto [before, after] = kind.split('*');
  StringRef text = getDialectText(attr, op);
  return text.consume_front(before) && text.consume_back(after) &&
                 isInBrackets(text)
             ? text
             : "";
}

static std::optional<HloFields> getDims(Attribute attr, Operation *op) {
  std::string error;
  std::optional<HloFields> fields =
      parseHloFields(getDialectText(attr, op), "dot", error);
  if (fields)
    for (StringRef key : fields->fields.keys())
      if (!llvm::is_contained(
              {"lhs_batching_dimensions", "rhs_batching_dimensions",
               "lhs_contracting_dimensions", "rhs_contracting_dimensions"},
              key))
        return std::nullopt;
  return fields;
}

static std::optional<HloConvolutionNumbers> getConvolution(Attribute attr,
                                                           Operation *op) {
  std::string error;
  return parseHloConvolution(getDialectText(attr, op), error);
}

static bool fitsAttribute(Attribute attr, StringRef kind, Operation *op) {
  if (!attr)
    return false;
  if (kind == "i64")
    return isInteger(attr, 64);
  if (kind == "i32")
    return isInteger(attr, 32);
  if (kind == "bool")
    return isa<BoolAttr>(attr);
  if (kind == "list")
    return isa<DenseI64ArrayAttr>(attr);
  if (kind == "string" || kind == "symbol") {
    auto string = dyn_cast<StringAttr>(attr);
    return string && isa<NoneType>(string.getType());
  }
  if (kind == "dot")
    return getDims(attr, op).has_value();
  if (kind == "conv")
    return getConvolution(attr, op).has_value();
  if (kind.starts_with("text="))
    return !getBrackets(attr, kind, op).empty();
  return !getKeyword(attr, kind, op).empty();
}

static void printList(ArrayRef<int64_t> list, OpAsmPrinter &printer) {
  llvm::interleaveComma(list, printer << '[');
  printer << ']';
}

static void printDims(const HloFields &fields, OpAsmPrinter &printer) {
  auto printPair = [&](StringRef name, StringRef lhs, StringRef rhs) {
    printer << name << " = ";
    printList(fields.list(lhs), printer);
    printer << " x ";
    printList(fields.list(rhs), printer);
  };
  constexpr StringLiteral lhs = "lhs_batching_dimensions",
                          rhs = "rhs_batching_dimensions";
  if (!fields.list(lhs).empty() || !fields.list(rhs).empty()) {
    printPair("batching_dims", lhs, rhs);
    printer << ", ";
  }
  printPair("contracting_dims", "lhs_contracting_dimensions",
            "rhs_contracting_dimensions");
}

static void printSide(const HloConvolutionSide &side, StringRef first,
                      StringRef second, OpAsmPrinter &printer) {
  SmallVector<std::string> dims(side.rank());
  dims[side.first] = first;
  dims[side.second] = second;
  for (auto [i, dim] : llvm::enumerate(side.spatial))
    dims[dim] = llvm::utostr(i);
  printer << '[' << llvm::join(dims, ", ") << ']';
}

static void printAttribute(Attribute attr, StringRef kind, Operation *op,
                           OpAsmPrinter &printer) {
  if (kind == "list") {
    printList(cast<DenseI64ArrayAttr>(attr), printer);
  } else if (kind == "symbol") {
    printer.printSymbolName(cast<StringAttr>(attr));
  } else if (kind == "dot") {
    printDims(*getDims(attr, op), printer);
  } else if (kind == "conv") {
    HloConvolutionNumbers numbers = *getConvolution(attr, op);
    printSide(numbers.input, "b", "f", printer);
    printer << 'x';
    printSide(numbers.kernel, "i", "o", printer);
    printer << "->";
    printSide(numbers.output, "b", "f", printer);
  } else if (kind.starts_with("text=")) {
    printer << getBrackets(attr, kind, op);
  } else if (llvm::is_contained({"i32", "i64", "bool", "string"}, kind)) {
    printer.printAttributeWithoutType(attr);
  } else {
    printer << getKeyword(attr, kind, op);
  }
}

//===----------------------------------------------------------------------===//
// The printer
//===----------------------------------------------------------------------===//

namespace {
class FormPrinter {
public:
  FormPrinter(const HloForm &form, Operation *op) : form(form), op(op) {
    for (NamedAttribute attr : getSortedAttributes(op))
      if (!form.isInherent(attr.getName()) || !isDefault(attr))
        attributes.push_back(attr);
  }

  bool fits() const;
  void print(OpAsmPrinter &printer);

private:
  Attribute get(StringRef name) const { return attributes.get(name); }
  bool isDefault(NamedAttribute attr) const;
  bool fitsOperands() const;
  bool fitsAttributes() const;
  bool fitsTypes(StringRef kind) const;
  bool fitsCustom(StringRef name) const;
  bool fitsPrecision(StringRef name) const;
  bool fitsWindow() const;
  bool fitsSlice() const;

  /// Whether the group that begins at an element is printed.
  bool hasGroup(size_t begin) const;
  /// Those that the dictionary doesn't have.
  SmallVector<StringRef> getWritten() const;
  void printLiteral(StringRef literal, OpAsmPrinter &printer);
  void printTypes(StringRef kind, OpAsmPrinter &printer) const;
  void printCustom(StringRef name, OpAsmPrinter &printer);
  void printPrecision(OpAsmPrinter &printer) const;
  void printWindow(OpAsmPrinter &printer) const;

  const HloForm &form;
  Operation *op;
  /// Without those that are their defaults.
  NamedAttrList attributes;
  unsigned nextOperand = 0;
  /// As declarative formats have it.
  bool needsSpace = true, isAfterPunctuation = false;
};
} // namespace

bool FormPrinter::isDefault(NamedAttribute attr) const {
  StringRef initial = form.getDefault(attr.getName());
  if (initial.empty())
    return false;
  std::string text;
  llvm::raw_string_ostream(text) << attr.getValue();
  return text == initial;
}

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

bool FormPrinter::fitsOperands() const {
  unsigned count = 0;
  bool isFixed =
      !form.hasCustom({"barrier", "results", "reduce", "while", "scan"});
  for (const HloElement &element : form.elements) {
    count += element.kind == Kind::Operand;
    isFixed &= element.kind != Kind::Operands &&
               element.kind != Kind::OperandsThenCommas;
  }
  return isFixed ? op->getNumOperands() == count
                 : op->getNumOperands() >= count;
}

bool FormPrinter::fitsAttributes() const {
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!properties)
    return !op->getPropertiesAsAttribute();
  return llvm::all_of(properties, [&](NamedAttribute attr) {
    return form.isInherent(attr.getName()) &&
           !op->getDiscardableAttr(attr.getName());
  });
}

bool FormPrinter::hasGroup(size_t begin) const {
  for (size_t i = begin; form.elements[i].kind != Kind::EndGroup; ++i)
    if (form.elements[i].kind == Kind::Attribute)
      return bool(get(form.elements[i].text));
  return op->getNumOperands() != 0;
}

bool FormPrinter::fits() const {
  if (op->getNumSuccessors() != 0 || !fitsOperands() || !fitsAttributes())
    return false;
  if (op->getNumRegions() != 0 &&
      !form.hasCustom({"regions", "body", "reduce", "while", "scan"}))
    return false;
  bool isOptional = false, hasTypes = op->getNumResults() == 0;
  for (const HloElement &element : form.elements) {
    hasTypes |= element.kind == Kind::Types || element.kind == Kind::Custom;
    if (element.kind == Kind::BeginGroup || element.kind == Kind::EndGroup)
      isOptional = element.kind == Kind::BeginGroup;
    else if (element.kind == Kind::Attribute) {
      Attribute attr = get(element.text);
      if ((attr || !isOptional) && !fitsAttribute(attr, element.attribute, op))
        return false;
    } else if (element.kind == Kind::Types && !fitsTypes(element.text)) {
      return false;
    } else if (element.kind == Kind::Custom && !fitsCustom(element.text)) {
      return false;
    }
  }
  return hasTypes;
}

bool FormPrinter::fitsTypes(StringRef kind) const {
  if (kind == "functional")
    return true;
  if (kind == "operands")
    return op->getNumResults() == 0;
  if (kind == "arrow")
    return op->getNumResults() != 0 &&
           llvm::none_of(op->getOperandTypes(), llvm::IsaPred<FunctionType>);
  if (op->getNumResults() != 1 || isa<FunctionType>(op->getResult(0).getType()))
    return false;
  if (kind == "tuple") {
    auto tuple = dyn_cast<TupleType>(op->getResult(0).getType());
    return tuple && llvm::equal(tuple.getTypes(), op->getOperandTypes());
  }
  if (kind == "select")
    return op->getNumOperands() == 3;
  return true;
}

bool FormPrinter::fitsPrecision(StringRef name) const {
  if (Attribute attr = get("precision_config")) {
    auto array = dyn_cast<ArrayAttr>(attr);
    if (!array || !llvm::all_of(array, [&](Attribute attr) {
          return fitsAttribute(attr, "precision", op);
        }))
      return false;
  }
  Attribute algorithm = get("algorithm");
  return name == "precision" || !algorithm ||
         !getBrackets(algorithm, "text=dot_algorithm*", op).empty();
}

bool FormPrinter::fitsWindow() const {
  for (StringRef name : {"window_strides", "lhs_dilation", "rhs_dilation"})
    if (Attribute attr = get(name); attr && !isa<DenseI64ArrayAttr>(attr))
      return false;
  Attribute reversal = get("window_reversal");
  if (reversal && !isa<DenseBoolArrayAttr>(reversal))
    return false;
  Attribute padding = get("padding");
  if (!padding)
    return true;
  auto dense = dyn_cast<DenseIntElementsAttr>(padding);
  return dense && isa<RankedTensorType>(dense.getType()) &&
         dense.getElementType().isSignlessInteger(64) &&
         dense.getType().getRank() == 2 && dense.getType().getDimSize(1) == 2;
}

bool FormPrinter::fitsSlice() const {
  auto starts = dyn_cast_or_null<DenseI64ArrayAttr>(get("start_indices"));
  auto limits = dyn_cast_or_null<DenseI64ArrayAttr>(get("limit_indices"));
  auto strides = dyn_cast_or_null<DenseI64ArrayAttr>(get("strides"));
  return starts && limits && strides && starts.size() == limits.size() &&
         starts.size() == strides.size();
}

static bool isNatural(Attribute attr) {
  return isInteger(attr, 32) &&
         !cast<IntegerAttr>(attr).getValue().isNegative();
}

bool FormPrinter::fitsCustom(StringRef name) const {
  if (name == "precision" || name == "precision-algorithm")
    return fitsPrecision(name);
  if (name == "window")
    return fitsWindow();
  if (name == "slice")
    return fitsSlice();
  if (name == "exponent")
    return isNatural(get("exponent_bits")) && isNatural(get("mantissa_bits"));
  if (name == "regions")
    return true;
  if (name == "name")
    return fitsAttribute(get("name"), "string", op);
  if (name == "body")
    return op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() &&
           !op->getRegion(0).front().empty();
  if (name == "results")
    return op->getNumResults() == 0;
  if (name == "barrier")
    return llvm::equal(op->getOperandTypes(), op->getResultTypes());
  if (name == "constant")
    return op->getNumResults() == 1 &&
           isa_and_nonnull<ElementsAttr>(get("value"));
  if (name == "value") {
    auto value = dyn_cast_or_null<ElementsAttr>(get("value"));
    return value && op->getNumResults() == 1 &&
           value.getType() == op->getResult(0).getType();
  }
  if (name == "reduce")
    return fitsHloReduce(op);
  return name == "while" ? fitsHloWhile(op) : fitsHloScan(op);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

SmallVector<StringRef> FormPrinter::getWritten() const {
  SmallVector<StringRef> written;
  for (const HloElement &element : form.elements)
    if (element.kind == Kind::Attribute)
      written.push_back(element.text);
  auto add = [&](StringRef custom, ArrayRef<StringRef> names) {
    if (form.hasCustom(custom))
      written.append(names.begin(), names.end());
  };
  add("slice", {"start_indices", "limit_indices", "strides"});
  add("precision", {"precision_config"});
  add("precision-algorithm", {"precision_config", "algorithm"});
  add("window", {"window_strides", "padding", "lhs_dilation", "rhs_dilation",
                 "window_reversal"});
  add("exponent", {"exponent_bits", "mantissa_bits"});
  add("name", {"name"});
  add("constant", {"value"});
  add("value", {"value"});
  return written;
}

void FormPrinter::printLiteral(StringRef literal, OpAsmPrinter &printer) {
  const char first = literal.front();
  auto isOneOf = [&](StringRef characters) {
    return literal.size() == 1 && characters.contains(first);
  };
  if (needsSpace && !isOneOf(isAfterPunctuation ? ">)}]," : "<>(){}[],"))
    printer << ' ';
  printer << literal;
  bool isGlued = literal.size() > 1 && literal.ends_with("=");
  needsSpace = !isGlued && !isOneOf("<({[");
  isAfterPunctuation = isGlued || !llvm::isAlpha(first);
}

void FormPrinter::print(OpAsmPrinter &printer) {
  for (size_t i = 0; i != form.elements.size(); ++i) {
    const HloElement &element = form.elements[i];
    // What prints its own spaces.
    switch (element.kind) {
    case Kind::Literal:
      printLiteral(element.text, printer);
      continue;
    case Kind::BeginGroup:
      if (!hasGroup(i))
        while (form.elements[i].kind != Kind::EndGroup)
          ++i;
      continue;
    case Kind::EndGroup:
      continue;
    case Kind::AttrDict:
      printer.printOptionalAttrDict(attributes, getWritten());
      isAfterPunctuation = false;
      continue;
    case Kind::Custom:
      printCustom(element.text, printer);
      continue;
    default:
      break;
    }
    if (element.kind == Kind::OperandsThenCommas &&
        nextOperand == op->getNumOperands())
      continue;
    if (needsSpace || !isAfterPunctuation)
      printer << ' ';
    needsSpace = true;
    isAfterPunctuation = false;
    if (element.kind == Kind::Operand) {
      printer << op->getOperand(nextOperand++);
    } else if (element.kind == Kind::Attribute) {
      printAttribute(get(element.text), element.attribute, op, printer);
    } else if (element.kind == Kind::Types) {
      printTypes(element.text, printer);
    } else {
      llvm::interleaveComma(op->getOperands().drop_front(nextOperand), printer);
      if (element.kind == Kind::OperandsThenCommas)
        printer << ',';
      nextOperand = op->getNumOperands();
    }
  }
}

void FormPrinter::printTypes(StringRef kind, OpAsmPrinter &printer) const {
  TypeRange operands = op->getOperandTypes();
  if (kind == "functional")
    return printer.printFunctionalType(op);
  if (kind == "operands")
    return llvm::interleaveComma(operands, printer);
  if (kind == "arrow") {
    llvm::interleaveComma(operands, printer);
    return printer.printArrowTypeList(op->getResultTypes());
  }
  Type result = op->getResult(0).getType();
  auto all = [](TypeRange types, Type type) {
    return llvm::all_of(types, [&](Type other) { return other == type; });
  };
  if (kind == "select" && all(operands.drop_front(), result)) {
    printer << operands.front() << ", " << result;
    return;
  }
  bool isShort = kind == "results" || kind == "tuple" ||
                 (kind == "same" && all(operands, result)) ||
                 (kind == "complex" && all(operands, getComplexParts(result)));
  isShort ? printer.printType(result) : printer.printFunctionalType(op);
}

void FormPrinter::printPrecision(OpAsmPrinter &printer) const {
  if (auto precisions = dyn_cast_or_null<ArrayAttr>(get("precision_config"))) {
    printer << ", precision = [";
    llvm::interleaveComma(precisions, printer, [&](Attribute attr) {
      printer << getKeyword(attr, "precision", op);
    });
    printer << ']';
  }
  if (Attribute algorithm =
          form.isInherent("algorithm") ? get("algorithm") : Attribute()) {
    printer << ", algorithm = "
            << getBrackets(algorithm, "text=dot_algorithm*", op);
  }
}

void FormPrinter::printWindow(OpAsmPrinter &printer) const {
  bool isFirst = true;
  auto begin = [&](StringRef name) {
    printer << (isFirst ? "" : ", ") << name << " = [";
    isFirst = false;
  };
  auto printNumbers = [&](StringRef name, StringRef attribute) {
    auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(get(attribute));
    if (!numbers)
      return;
    begin(name);
    llvm::interleaveComma(numbers.asArrayRef(), printer);
    printer << ']';
  };
  printNumbers("stride", "window_strides");
  if (auto padding = dyn_cast_or_null<DenseIntElementsAttr>(get("padding"))) {
    begin("pad");
    auto values = llvm::to_vector(padding.getValues<int64_t>());
    for (size_t i = 0; i != values.size(); i += 2)
      printer << (i == 0 ? "[" : ", [") << values[i] << ", " << values[i + 1]
              << ']';
    printer << ']';
  }
  printNumbers("lhs_dilate", "lhs_dilation");
  printNumbers("rhs_dilate", "rhs_dilation");
  if (auto reversal =
          dyn_cast_or_null<DenseBoolArrayAttr>(get("window_reversal"))) {
    begin("reverse");
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool isReversed) {
      printer << (isReversed ? "true" : "false");
    });
    printer << ']';
  }
}

/// The elements of a constant. Booleans in hexadecimal digits have a byte each, as
/// the parser and versions of MLIR after 22 have it.
static void printValue(Attribute value, OpAsmPrinter &printer) {
  auto elements = dyn_cast<DenseIntElementsAttr>(value);
  std::string text;
  if (elements && !elements.isSplat() && elements.getElementType().isInteger(1))
    llvm::raw_string_ostream(text) << value;
  if (!StringRef(text).starts_with("dense<\"0x"))
    return printer.printAttribute(value);
  printer << "dense<\"0x";
  for (bool element : elements.getValues<bool>())
    printer << (element ? "01" : "00");
  printer << "\"> : " << elements.getType();
}

void FormPrinter::printCustom(StringRef name, OpAsmPrinter &printer) {
  if (name == "precision" || name == "precision-algorithm") {
    printPrecision(printer);
  } else if (name == "window") {
    printWindow(printer);
    needsSpace = true;
  } else if (name == "slice") {
    auto starts = cast<DenseI64ArrayAttr>(get("start_indices"));
    auto limits = cast<DenseI64ArrayAttr>(get("limit_indices"));
    auto strides = cast<DenseI64ArrayAttr>(get("strides"));
    printer << " [";
    for (int64_t i = 0; i != starts.size(); ++i) {
      printer << (i == 0 ? "" : ", ") << starts[i] << ':' << limits[i];
      if (strides[i] != 1)
        printer << ':' << strides[i];
    }
    printer << ']';
  } else if (name == "exponent") {
    printer << " e" << cast<IntegerAttr>(get("exponent_bits")).getInt() << 'm'
            << cast<IntegerAttr>(get("mantissa_bits")).getInt();
  } else if (name == "regions") {
    if (op->getNumRegions() != 0) {
      printer << " (";
      llvm::interleaveComma(op->getRegions(), printer, [&](Region &region) {
        printer.printRegion(region);
      });
      printer << ')';
    }
  } else if (name == "name") {
    printer << '<' << get("name") << '>';
  } else if (name == "body") {
    Region &region = op->getRegion(0);
    printer << " (";
    llvm::interleaveComma(
        region.getArguments(), printer,
        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  } else if (name == "barrier" || name == "results") {
    if (op->getNumOperands() == 0) {
      printer << (name == "barrier" ? "()" : "");
    } else {
      printer << ' ' << op->getOperands() << " : ";
      llvm::interleaveComma(op->getOperandTypes(), printer);
    }
  } else if (name == "constant" && cast<ElementsAttr>(get("value")).getType() !=
                                       op->getResult(0).getType()) {
    printer.printGenericOp(op, /*printOpName=*/false);
  } else if (name == "constant" || name == "value") {
    if (name == "constant")
      printer.printOptionalAttrDict(attributes, getWritten());
    printer << ' ';
    printValue(get("value"), printer);
  } else if (name == "reduce") {
    printHloReduce(op, printer);
  } else if (name == "while") {
    printHloWhile(op, printer);
  } else {
    printHloScan(op, printer);
  }
  isAfterPunctuation = false;
}

bool tensoraccess::fitsHloForm(const HloForm &form, Operation *op) {
  return FormPrinter(form, op).fits();
}

void tensoraccess::printHloForm(const HloForm &form, Operation *op,
                                OpAsmPrinter &printer) {
  FormPrinter(form, op).print(printer);
}
