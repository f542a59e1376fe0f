//===- PdlRules.h - Rules from PDL ------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for a graph of terms (TermGraph.h), from `pdl.pattern` ops, to which
// PDLL is compiled:
//
//   Pattern AddIsCommutative {
//     let sum = op<arith.addi>(a: Value, b: Value) -> (t: Type);
//     replace sum with op<arith.addi>(b, a) -> (t);
//   }
//
// A rule *adds* what replaces the root and states that it is equal; nothing is
// ever erased. Matching is compiled:
//
//   1. Operations become nodes of a Pattern (Saturate.h), values its variables.
//      Names, numbers of results, constant attributes and types are checked
//      once per symbol.
//   2. The rest is checked for each match, in this order: named attributes and
//      types, where equal names must be equal; native constraints, in the order
//      in which they are written; what these return.
//   3. The rewrite is a list of steps over the handles.
//
// Native functions take attributes, types and values, which are classes; a
// handle of an operation is the node that was matched.
//
// What a rule creates is checked on creation (TermGraph.h): an operation that
// its verifier rejects, and a replacement of another type, are refused and
// counted, with the first reason. They change nothing.
//
// A pattern that can't be a rule is an error at its location, with its name.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_PDLRULES_H
#define TENSORACCESS_EGRAPH_PDLRULES_H

#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/EGraph/TermGraph.h"

namespace mlir::tensoraccess {

/// What a handle of PDL stands for in a match.
struct RuleValue {
  enum class Kind : uint8_t { None, Attribute, Type, Types, Value, Operation };
  Kind kind = Kind::None;
  Attribute attribute;
  Type type;
  /// For Types. They live as long as the graph or the caller's list.
  ArrayRef<Type> types;
  /// For Value; for Operation, the class of its results.
  ClassId id = 0;
  /// For an Operation that was matched.
  SymbolId symbol = 0;

  RuleValue() = default;
  /*implicit*/ RuleValue(Attribute attribute)
      : kind(Kind::Attribute), attribute(attribute) {}
  /*implicit*/ RuleValue(Type type) : kind(Kind::Type), type(type) {}
  /*implicit*/ RuleValue(ArrayRef<Type> types)
      : kind(Kind::Types), types(types) {}
  static RuleValue value(ClassId id) {
    RuleValue result;
    result.kind = Kind::Value;
    result.id = id;
    return result;
  }
  static RuleValue operation(SymbolId symbol, ClassId id) {
    RuleValue result = value(id);
    result.kind = Kind::Operation;
    result.symbol = symbol;
    return result;
  }
};

/// Evaluates a constraint, and appends what it returns.
using NativeConstraint = std::function<bool(TermGraph &, ArrayRef<RuleValue>,
                                            SmallVectorImpl<RuleValue> &)>;
/// Creates what a rewrite returns. False if nothing can be created: the rule
/// then does not apply, and the match counts as refused if `problem` is set.
using NativeRewrite =
    std::function<bool(TermGraph &, ArrayRef<RuleValue>,
                       SmallVectorImpl<RuleValue> &, std::string &problem)>;

/// The argument and result kinds of a native function.
struct NativeSignature {
  SmallVector<RuleValue::Kind, 3> arguments, results;
};

/// Functions that rules call by name.
struct NativeFunctions {
  llvm::StringMap<NativeConstraint> constraints;
  llvm::StringMap<NativeRewrite> rewrites;
  /// Signatures of both. A rule can't call a function without one. No attribute
  /// or type passed to a function is null.
  llvm::StringMap<NativeSignature> signatures;

  void declare(StringRef name, ArrayRef<RuleValue::Kind> arguments,
               ArrayRef<RuleValue::Kind> results = {}) {
    signatures[name] = {SmallVector<RuleValue::Kind, 3>(arguments),
                        SmallVector<RuleValue::Kind, 3>(results)};
  }
};

/// The outcomes of a rule's matches that RuleStatistics does not count.
struct RuleRefusals {
  uint64_t count = 0;
  /// Matches that were rewritten.
  uint64_t completed = 0;
  /// Why the first one was refused.
  std::string reason;
};

/// A term that matches a pattern: the class of each element, and the symbol of
/// each element that is a node.
struct PdlInstance {
  std::vector<ClassId> classes;
  std::vector<SymbolId> symbols;
};

/// What the terms of a pattern may consist of.
struct PdlMaterial {
  /// Classes that a variable may be.
  ArrayRef<ClassId> classes;
  /// Types that the first root may have; empty means all.
  ArrayRef<Type> rootTypes;
  /// The most ops and terms that are tried.
  uint64_t limit = 100000;
  /// Variables are pairwise different classes: only the most general terms.
  bool areDistinct = false;
};

/// A compiled rule, for any graph.
class PdlRule {
public:
  /// The name of the pattern, or `rule N` of its module.
  StringRef getName() const { return name; }
  Location getLoc() const { return loc; }
  unsigned getBenefit() const { return benefit; }
  /// The names of the operations, matched and made.
  ArrayRef<OperationName> getOperations() const { return operations; }

  /// The rule for one graph. It refers to the graph, to this rule, which must
  /// not move, and to `refusals`, to which it adds.
  TableRule instantiate(TermGraph &graph, RuleRefusals &refusals) const;
  /// Calls `found` with the class of the first root for each match that passes
  /// all checks, until it returns false. Nothing is replaced. If the graph's
  /// table has no snapshot, it is rebuilt and gets one.
  void match(TermGraph &graph, llvm::function_ref<bool(ClassId)> found) const;

  /// Creates the terms that match the pattern, whether or not they are in the
  /// graph: each variable is one of the given classes, an attribute that the
  /// pattern leaves open takes each value that it has on an op of that name in
  /// the graph, and a result type that can't be inferred each type of a class.
  /// Ops that their verifier rejects are not created. std::nullopt if the limit
  /// is reached or the graph full: then there may be others.
  std::optional<std::vector<PdlInstance>>
  makeInstances(TermGraph &graph, const PdlMaterial &material) const;
  /// Whether an instance passes all checks.
  bool check(TermGraph &graph, const PdlInstance &instance) const;
  /// The equalities that the rule states for an instance that passes its
  /// checks: a value that it replaces, and the replacement. The terms are
  /// added, but not merged. std::nullopt, and `problem`, if it creates nothing.
  std::optional<SmallVector<std::pair<ClassId, ClassId>, 1>>
  replace(TermGraph &graph, const PdlInstance &instance,
          std::string &problem) const;
  /// The types that the rule names.
  SmallVector<Type> getNamedTypes() const;
  /// The operations that it matches by name, each with the attributes that it
  /// leaves open.
  SmallVector<std::pair<OperationName, SmallVector<StringAttr, 2>>>
  getMatched() const;
  unsigned getNumVariables() const {
    return llvm::count_if(elements, [](const Element &element) {
      return element.kind == Element::Kind::Variable;
    });
  }
  /// Whether it comes from one of this project's sets.
  bool isBuiltIn() const { return builtIn; }
  void setBuiltIn() { builtIn = true; }
  /// The element that is the first root.
  unsigned getRoot() const { return roots.front(); }

private:
  friend class PdlInstances;
  friend class PdlCompiler;
  friend class PdlMatch;

  /// An operation, a result of one with several, or a variable.
  struct Element {
    enum class Kind : uint8_t { Variable, Operation, Result };
    Kind kind = Kind::Variable;
    SmallVector<unsigned, 3> operands;
    /// For Operation; std::nullopt matches any.
    std::optional<OperationName> name;
    std::optional<unsigned> numResults;
    SmallVector<std::pair<StringAttr, Attribute>, 2> attributes;
    /// Null matches any.
    SmallVector<Type, 1> resultTypes;
    /// For Result.
    unsigned index = 0;
  };
  /// Handles are numbered, and have a value once the step that sets it is done.
  struct Step {
    enum class Kind : uint8_t {
      // Steps that set a handle, or compare it if it is already set.
      ElementAttribute, ///< attribute `name` of element
      ElementType,      ///< type of result `index` of element
      ElementTypes,     ///< types of all results of element
      ClassType,        ///< type of the class of element
      AttributeType,    ///< type of attribute operands[0]
      // Steps after these.
      Constraint,
      // Steps of the rewrite.
      Make,    ///< an operation of operands
      Result,  ///< result `index` of operation operands[0]
      Results, ///< the only result of operation operands[0]
      Rewrite,
      Replace, ///< the results of operands[0] by the rest, or by operation
    };
    Kind kind;
    unsigned handle = 0;
    unsigned element = 0, index = 0;
    StringAttr name;
    SmallVector<unsigned, 3> operands;
    /// For Constraint and Rewrite: the handles that they set.
    SmallVector<unsigned, 1> results;
    bool isNegated = false;
    NativeConstraint constraint;
    NativeRewrite rewrite;
    NativeSignature signature;
    // Of Make.
    std::optional<OperationName> operation;
    SmallVector<std::pair<StringAttr, unsigned>, 2> attributes;
    SmallVector<unsigned, 1> types;
    /// If there are no types: those of this element, or inferred.
    std::optional<unsigned> typesOf;
    bool isInferred = false;
    /// For Replace: by an operation.
    bool byOperation = false;
  };

  explicit PdlRule(Location loc) : loc(loc) {}

  std::string name;
  Location loc;
  unsigned benefit = 0;
  bool builtIn = false;
  SmallVector<OperationName, 2> operations;
  std::vector<Element> elements;
  SmallVector<unsigned, 1> roots;
  /// Values of handles before the match: constants, else empty.
  std::vector<RuleValue> handles;
  /// Owns the lists of constant handles.
  std::vector<std::shared_ptr<SmallVector<Type, 2>>> lists;
  /// Handles that are the class, or the node, of an element.
  SmallVector<std::pair<unsigned, unsigned>> valueHandles, nodeHandles;
  std::vector<Step> checks, rewrites;

  MatchProgram compileFor(TermGraph &graph) const;
};

/// Compiles every `pdl.pattern` of a module, in order, including those of
/// nested modules. Reports an error for each that can't be a rule, also if it
/// has an invalid operation: its dialect has no op of that name, it has a wrong
/// number of operands or results, an attribute that it does not accept, or
/// lacks a required one. Operations of unregistered dialects need a context
/// that allows them. With `matchOnly`, rewrites are ignored.
FailureOr<std::vector<PdlRule>> compileRules(ModuleOp module,
                                             const NativeFunctions &functions,
                                             bool matchOnly = false);

/// Saturates a graph with rules, and folds what they made constant, until
/// neither changes anything or a limit is reached. What the rules created and
/// what was refused is in their statistics. The options must be verified;
/// limits apply to all together. `others`, which are not PDL, come after
/// `rules`.
SaturationStatistics saturate(TermGraph &graph, ArrayRef<PdlRule> rules,
                              const SaturationOptions &options,
                              std::vector<TableRule> others = {});

/// Warns, at their locations, about rules that are probably not what was meant:
/// everything that a rule created was refused, or one with an unregistered
/// operation never matched. There must be statistics for at least as many
/// rules, after all of them were applied.
void warnOfRules(ArrayRef<PdlRule> rules, ArrayRef<RuleStatistics> statistics);

/// The program that compiles PDLL, by its path or its name; std::nullopt if it
/// is not found. An empty `compiler` means the one that this was built with,
/// else the one on the path.
std::optional<std::string> findPdllCompiler(StringRef compiler = "");

/// How rules in PDLL are compiled.
struct PdllOptions {
  PdllOptions(StringRef compiler = "", ArrayRef<std::string> includes = {})
      : compiler(compiler), includes(includes) {}

  /// As in `findPdllCompiler`.
  std::string compiler;
  /// Where included files are looked for: after the folder of the including
  /// file, and before the one of MLIR's own `.td` files.
  std::vector<std::string> includes;
};

/// Reads rules from a file: PDLL if it ends in `.pdll`, which is compiled by
/// running `mlir-pdll`, otherwise PDL as MLIR's text or bytecode. Attributes
/// and types in PDLL may be those of any dialect of the context. Reports
/// errors: a missing file or program, and their own errors at the location in
/// the source.
OwningOpRef<ModuleOp> readRules(MLIRContext *context, StringRef path,
                                const PdllOptions &options = {});

/// The same for a text that is not a file; it is PDL if it contains
/// `pdl.pattern`. `name` is for messages.
OwningOpRef<ModuleOp> readRulesFromText(MLIRContext *context, StringRef text,
                                        StringRef name,
                                        const PdllOptions &options = {});

/// Parses PDL that was compiled earlier. `name` is for messages.
OwningOpRef<ModuleOp> parseRules(MLIRContext *context, StringRef text,
                                 StringRef name);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_PDLRULES_H
