//===- HloText.h - A module of XLA's HLO, as its text has it ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dump as it is written, before it is interpreted: all strings are parts of the
// text, which must live longer. Attributes are kept as text, since what they may
// be depends on the instruction (HloFields reads them).
//
//   module      = `HloModule` name (`,` attribute)* tables computation*
//   computation = [`ENTRY`] [name [`(` parameters `)` `->` shape]] `{`
//                 instruction* `}` (`,` attribute)*
//   instruction = [`ROOT`] name `=` [shape] opcode `(` operands `)`
//                 (`,` attribute)*
//   operand     = [shape] name | [shape] opcode `(` operands `)`
//   attribute   = word `=` text, up to the next comma outside of brackets; instead
//                 of a computation's name, its instructions in braces
//   tables      = (`FileNames` | `FunctionNames` | `FileLocations` |
//                 `StackFrames`) with a numbered line for each entry
//
// A `%` before a name and comments mean nothing. The first line may be missing, and
// the shape of an instruction where that is clear from its operands.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_HLO_HLOTEXT_H
#define TENSORACCESS_LIB_STABLEHLO_HLO_HLOTEXT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// A place in the text.
using HloPlace = const char *;

/// A shape: an array with its layout, or what a tuple holds.
struct HloShape {
  enum class Kind : uint8_t { Array, Tuple, Token, Opaque };
  Kind kind = Kind::Array;
  /// `f32`.
  StringRef element;
  /// kDynamic for `?`.
  SmallVector<int64_t, 4> sizes;
  /// Bounds of dynamic dimensions (`<=8`) are in `sizes`.
  SmallVector<bool, 4> isBounded;
  /// `{1,0:T(8,128)}`; empty if it is not given.
  StringRef layout;
  std::vector<HloShape> parts;
  HloPlace place = nullptr;

  bool isTuple() const { return kind == Kind::Tuple; }
  /// Arrays and tokens in it, depth-first.
  unsigned countLeaves() const;
};

/// Attributes that name computations.
inline constexpr StringLiteral kComputations[] = {
    "to_apply",           "calls",  "condition", "body",
    "true_computation",   "select", "scatter",   "false_computation",
    "branch_computations"};

struct HloAttribute {
  StringRef name, value;
};

struct HloInstruction {
  StringRef name, opcode;
  HloShape shape;
  /// Names of operands, and the place of each.
  SmallVector<StringRef, 3> operands;
  /// The text between the parentheses, for constants and parameters.
  StringRef inner;
  SmallVector<HloAttribute, 4> attributes;
  bool isRoot = false;

  /// The text of an attribute; std::nullopt if it has none.
  std::optional<StringRef> get(StringRef attribute) const;
  HloPlace getPlace() const { return opcode.data(); }
};

struct HloComputation {
  StringRef name;
  bool isEntry = false;
  std::vector<HloInstruction> instructions;
  /// By name.
  llvm::StringMap<unsigned> numbers;
  unsigned root = 0;
  /// Names of instructions that are written among operands.
  std::vector<std::shared_ptr<std::string>> made;

  const HloInstruction &getRoot() const { return instructions[root]; }
  /// An instruction that is there.
  const HloInstruction &get(StringRef instruction) const {
    return instructions[numbers.lookup(instruction)];
  }
};

struct HloModuleText {
  StringRef name;
  SmallVector<HloAttribute, 8> attributes;
  std::vector<HloComputation> computations;
  llvm::StringMap<unsigned> numbers;
  unsigned entry = 0;
  /// Names of computations that are written in place of their names.
  std::vector<std::shared_ptr<std::string>> made;
  /// The tables' lines, by number: a string, or the text in braces.
  using Table = std::map<int64_t, StringRef>;
  Table fileNames, functionNames, fileLocations, stackFrames;

  const HloComputation *find(StringRef computation) const;
};

/// Reports errors at places of a text.
class HloReporter {
public:
  HloReporter(StringRef text, StringRef file, MLIRContext *context);

  /// The line and column of a place.
  Location getLocation(HloPlace place) const;
  /// Emits an error and returns failure.
  LogicalResult fail(HloPlace place, const Twine &message) const {
    return emitError(getLocation(place)) << message;
  }

private:
  StringRef text;
  StringAttr file;
  /// Where each line begins.
  std::vector<HloPlace> lines;
};

/// `{0, 1}` without its braces.
StringRef stripBraces(StringRef value);
/// The parts of a list, split at commas outside of brackets.
SmallVector<StringRef> splitList(StringRef list);

/// A string without its quotes.
inline StringRef unquote(StringRef string) {
  string.consume_front("\"");
  string.consume_back("\"");
  return string;
}

/// What a string between quotes means: `\"`, `\n`, `\101`.
std::string unescapeHlo(StringRef string);

/// A string without its quotes and escapes, or the text of `{"key":1}`.
inline std::string getStringOrJson(StringRef value) {
  return value.starts_with("\"") ? unescapeHlo(unquote(value)) : value.str();
}

/// `f32[8,128]{1,0:T(8,128)}`.
std::string getLayoutText(const HloShape &shape);

/// Whether a word is what shapes begin with: `f32`, `token`.
bool isElementType(StringRef word);

/// Reads a whole module; an error gives the place where the text is not one.
FailureOr<HloModuleText> parseHloModule(StringRef text,
                                        const HloReporter &reporter);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_HLO_HLOTEXT_H
