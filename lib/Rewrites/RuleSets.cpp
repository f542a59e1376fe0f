//===- RuleSets.cpp - The rules that come with the project ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts are made by the build: `mlir-pdll -x=mlir`, then a literal of C++.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Core/Closest.h"

#include "NativeSets.h"

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr RuleSet kSets[] = {
    {
        "arith",
        "the laws of rings on arith.addi, subi and muli",
#include "Arith.pdl.inc"
    },
    {
        "compute",
        "laws of the kinds of tensoraccess.compute",
#include "Compute.pdl.inc"
    },
    {
        "linalg",
        "products of matrices: associative, distributive, transposed, scaled; "
        "floats up to rounding",
#include "Linalg.pdl.inc"
    },
    {
        "math",
        "arith on floats, exactly and under fastmath flags, and lattices of "
        "integers",
#include "Math.pdl.inc"
    },
    {
        "relayout",
        "relayouts of relayouts, through elementwise ops, of transposes",
#include "Relayout.pdl.inc"
    },
};

ArrayRef<RuleSet> mlir::tensoraccess::getRuleSets() { return kSets; }

const RuleSet *mlir::tensoraccess::findRuleSet(StringRef name) {
  for (const RuleSet &set : kSets)
    if (set.name == name)
      return &set;
  return nullptr;
}

/// `IsArgument(value, number)`: whether a value equals that argument of the
/// block.
static bool isArgument(TermGraph &graph, ClassId value, Attribute which) {
  auto number = dyn_cast_or_null<IntegerAttr>(which);
  const NodeTable &table = graph.getTable();
  // Leaves have symbols of their own.
  for (SymbolId symbol = 0; number && symbol != table.getNumSymbols();
       ++symbol) {
    if (graph.getKind(symbol) != TermGraph::SymbolKind::Leaf)
      continue;
    auto argument = dyn_cast<BlockArgument>(graph.getLeaf(symbol));
    if (!argument || number.getValue() != argument.getArgNumber())
      continue;
    std::optional<ClassId> id = table.lookup(symbol, {});
    if (id && *id == table.find(value))
      return true;
  }
  return false;
}

static NativeFunctions makeNativeFunctions() {
  NativeFunctions functions;
  // The flags of an operation that promises nothing about overflow.
  addConstraint(
      functions, "WrapsAround", +[](TermGraph &, Attribute value) {
        auto flags = dyn_cast_or_null<arith::IntegerOverflowFlagsAttr>(value);
        return flags && flags.getValue() == arith::IntegerOverflowFlags::none;
      });
  addConstraint(functions, "IsArgument", isArgument);
  addLinalgFunctions(functions);
  addMathFunctions(functions);
  addAccessFunctions(functions);
  return functions;
}

const NativeFunctions &mlir::tensoraccess::getNativeFunctions() {
  static const NativeFunctions functions = makeNativeFunctions();
  return functions;
}

void mlir::tensoraccess::prepareGraph(TermGraph &graph) {
  graph.setCompletion("linalg", [](OpBuilder &, OperationState &state) {
    auto *dialect =
        state.getContext()->getLoadedDialect<linalg::LinalgDialect>();
    auto fill = dialect ? dialect->getRegionBuilder(state.name.getStringRef())
                        : linalg::LinalgDialect::RegionBuilderFunType();
    if (!fill)
      return;
    Region *region = state.addRegion();
    Block &block = region->emplaceBlock();
    for (Value operand : state.operands)
      block.addArgument(getElementTypeOrSelf(operand.getType()),
                        state.location);
    ImplicitLocOpBuilder builder(state.location, state.getContext());
    builder.setInsertionPointToStart(&block);
    fill(builder, block, state.attributes.getAttrs(),
         [&] { return emitError(state.location); });
  });
}

/// Adds the operations that patterns match to those that are known, and reports
/// an error for each that is made and unknown: neither a dialect nor
/// a rule that matches it.
static LogicalResult checkMade(ModuleOp module, llvm::StringSet<> &known) {
  auto isMade = [](pdl::OperationOp op) {
    return isa<pdl::RewriteOp>(op->getParentOp());
  };
  module.walk([&](pdl::OperationOp op) {
    if (op.getOpName() && !isMade(op))
      known.insert(*op.getOpName());
  });
  bool isBroken = false;
  module.walk(
      [&](pdl::OperationOp op) {
        if (!op.getOpName() || !isMade(op) || known.contains(*op.getOpName()) ||
            OperationName(*op.getOpName(), op.getContext()).isRegistered())
          return;
        auto rule = op->getParentOfType<pdl::PatternOp>();
        emitError(op.getLoc())
            << "rule '" << rule.getSymName().value_or("") << "': '"
            << *op.getOpName()
            << "', which it makes, is not registered, and no rule "
               "matches it";
        isBroken = true;
      });
  return failure(isBroken);
}

FailureOr<std::vector<PdlRule>>
mlir::tensoraccess::loadRules(MLIRContext *context, ArrayRef<std::string> names,
                              const PdllOptions &pdll) {
  // What the sets make.
  context
      ->loadDialect<arith::ArithDialect, linalg::LinalgDialect, pdl::PDLDialect,
                    tensor::TensorDialect, TensorAccessDialect>();
  std::vector<PdlRule> rules;
  llvm::StringSet<> known;
  for (StringRef name : names) {
    OwningOpRef<ModuleOp> module;
    const RuleSet *set = findRuleSet(name);
    if (set) {
      module = parseRules(context, set->text, set->name);
    } else if (name.find_first_of("\n{") != StringRef::npos) {
      module = readRulesFromText(context, name, "<rules>", pdll);
    } else if (name.find_first_of("./\\") == StringRef::npos) {
      // Those of access are not PDL; callers that have them take them out of the
      // names.
      SmallVector<StringRef> known{"access"};
      for (const RuleSet &set : getRuleSets())
        known.push_back(set.name);
      return emitError(UnknownLoc::get(context))
             << describeUnknown("rules", name, known)
             << ", anything else is a file";
    } else {
      module = readRules(context, name, pdll);
    }
    if (!module)
      return failure();
    FailureOr<std::vector<PdlRule>> compiled =
        compileRules(*module, getNativeFunctions());
    if (failed(compiled))
      return failure();
    if (failed(checkMade(*module, known)))
      return failure();
    if (compiled->empty())
      return emitError(module->getLoc()) << "it has no rules";
    if (set)
      for (PdlRule &rule : *compiled)
        rule.setBuiltIn();
    std::move(compiled->begin(), compiled->end(), std::back_inserter(rules));
  }
  return std::move(rules);
}
