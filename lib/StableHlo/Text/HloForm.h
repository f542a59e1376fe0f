//===- HloForm.h - How an op is written -------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ordinary form of an op is a line of text in a table (HloForms.cpp), which
// one parser and one printer follow:
//
//   "% , dims = $broadcast_dimensions:list attr-dict : functional"
//
//   word  word=  , : = ( ) [ ] { }   itself
//   %                an operand
//   %*               all operands that are left
//   %*,              the same with a comma after each
//   $NAME:KIND       an attribute: i32, i64, bool, list, string, symbol, conv,
//                    dot, an enumeration (`LT` of `#stablehlo<ENUM LT>`; its
//                    number with i32=ENUM), or, with text=BEFORE*AFTER, what
//                    the attribute's text has in brackets between these two
//   (? ... ?)        a part that is there if its attribute is, or, without an
//                    attribute, if there are operands
//   attr-dict        all other attributes
//   : TYPES          same, functional, results, operands, arrow, select,
//                    complex, tuple
//   <NAME>           what needs code of its own
//
// An op's own attributes are those that its form names and those of the second
// column, `NAME` or `NAME = DEFAULT`, separated by semicolons. They are
// inherent: read text has them in `<{...}>`, but for those that name symbols.
// One that equals its default is not printed. The third column names results.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_TEXT_HLOFORM_H
#define TENSORACCESS_LIB_STABLEHLO_TEXT_HLOFORM_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::tensoraccess {

struct HloElement {
  enum class Kind : uint8_t {
    Literal,
    Operand,
    Operands,
    OperandsThenCommas,
    Attribute,
    BeginGroup,
    EndGroup,
    AttrDict,
    Types,
    Custom
  };
  Kind kind;
  /// The literal, the attribute's name, or that of types and code.
  StringRef text;
  /// The kind of an attribute.
  StringRef attribute = "";
};

struct HloForm {
  StringRef name;
  SmallVector<HloElement, 12> elements;
  /// All inherent attributes with their defaults, as text; "" if none.
  SmallVector<std::pair<StringRef, StringRef>, 4> attributes;

  /// What results are called where nothing else is asked for.
  SmallVector<StringRef, 3> results;

  bool isInherent(StringRef attribute) const;
  StringRef getDefault(StringRef attribute) const;
  /// Whether it has code of one of these names.
  bool hasCustom(ArrayRef<StringRef> customs) const;
};

/// Null for an op without a row. One whose elements are empty has no ordinary
/// form.
const HloForm *findHloForm(StringRef opName);

/// The keywords of an enumeration; empty if none of that name exists.
ArrayRef<StringRef> getHloKeywords(StringRef enumeration);

/// Whether reduce may be written as `applies` this op: a commutative one.
bool isHloReducer(StringRef opName, StringRef dialect);

/// The type of the parts of a tensor's complex elements; null for other types.
Type getComplexParts(Type type);

/// An attribute of the op's dialect, by its text after `#stablehlo`.
Attribute getHloAttribute(MLIRContext *context, StringRef opName,
                          const Twine &text);
/// That text; "" if the attribute is not one of the op's dialect.
StringRef getDialectText(Attribute attr, Operation *op);

/// What is in `{…}` and in `<{…}>`, by name.
NamedAttrList getSortedAttributes(Operation *op);

/// `[1, 2]`
ParseResult parseHloNumbers(OpAsmParser &parser,
                            SmallVectorImpl<int64_t> &numbers);
/// Dimension numbers of dot_general and of convolutions, as attributes have them.
ParseResult parseHloDotText(OpAsmParser &parser, std::string &text);
ParseResult parseHloConvolutionText(OpAsmParser &parser, std::string &text);
/// A bracket and what it holds, up to the one that closes it.
ParseResult parseHloBrackets(OpAsmParser &parser, std::string &text);
/// A constant's value with its type.
ParseResult parseHloElements(OpAsmParser &parser, Attribute &attr);

ParseResult parseHloForm(const HloForm &form, OpAsmParser &parser,
                         OperationState &result);
/// Whether the printed form would be read as this op again.
bool fitsHloForm(const HloForm &form, Operation *op);
void printHloForm(const HloForm &form, Operation *op, OpAsmPrinter &printer);

/// Forms with regions: reduce, while and scan, wholly written by code. The
/// parser returns inherent attributes apart.
ParseResult parseHloReduce(OpAsmParser &parser, OperationState &result,
                           NamedAttrList &inherent);
bool fitsHloReduce(Operation *op);
void printHloReduce(Operation *op, OpAsmPrinter &printer);
ParseResult parseHloWhile(OpAsmParser &parser, OperationState &result);
bool fitsHloWhile(Operation *op);
void printHloWhile(Operation *op, OpAsmPrinter &printer);
ParseResult parseHloScan(OpAsmParser &parser, OperationState &result,
                         NamedAttrList &inherent);
bool fitsHloScan(Operation *op);
void printHloScan(Operation *op, OpAsmPrinter &printer);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_TEXT_HLOFORM_H
