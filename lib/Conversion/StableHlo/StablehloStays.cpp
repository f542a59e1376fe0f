//===- StablehloStays.cpp - Why an op of StableHLO is not raised ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons for the ops that no reader of StablehloToAccess.cpp reads: what
// the op does that access patterns cannot express, and which operand or
// attribute it is. In a program whose sizes are operands, what
// --tensoraccess-refine-shapes reads stays, too: ops from which sizes follow, and
// functions that are bodies.
//
//===----------------------------------------------------------------------===//

#include "Raise/RaiseReaders.h"
#include "StableHlo/StablehloToLinalg.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// `operand 1`, `operands 1 to 3`.
static std::string nameOperands(unsigned first, unsigned end) {
  if (end - first == 1)
    return llvm::formatv("operand {0}", first).str();
  return llvm::formatv("operands {0} to {1}", first, end - 1).str();
}

namespace {
/// The first operand that gives a place, the end of them, and their meaning.
struct Where {
  unsigned first = 0, end = 0;
  StringRef what;
};
} // namespace

/// The operands that are read for places or sizes; none of other ops.
static Where getWhere(StringRef name, unsigned count) {
  auto where = llvm::StringSwitch<Where>(name)
                   .Case("dynamic_slice", {1, count, "where it begins"})
                   .Case("dynamic_update_slice", {2, count, "where it writes"})
                   .Case("gather", {1, 2, "which places it reads"})
                   .Case("dynamic_gather", {1, 2, "which places it reads"})
                   .Case("torch_index_select", {1, 2, "which places it reads"})
                   .Case("dynamic_pad", {2, 5, "how far it pads"})
                   .Case("dynamic_conv", {2, 3, "how far it pads"})
                   .Cases({"dynamic_reshape", "dynamic_broadcast_in_dim"},
                          {1, 2, "its shape"})
                   .Cases({"dynamic_iota", "set_dimension_size"},
                          {count > 1 ? 1u : 0u, count, "its shape"})
                   .Case("real_dynamic_slice", {1, 4, "which places it reads"})
                   .Default({});
  // An op without enough operands has no meaning.
  return where.end <= where.first || where.end > count ? Where() : where;
}

/// The reason for an op with such operands; empty for others.
static std::string whyByOperand(StringRef name, unsigned count) {
  Where where = getWhere(name, count);
  if (where.what.empty())
    return {};
  return llvm::formatv("{0} say{1} {2}, and access patterns have no places "
                       "or sizes from data",
                       nameOperands(where.first, where.end),
                       where.end - where.first == 1 ? "s" : "", where.what)
      .str();
}

std::string mlir::tensoraccess::whyHloStays(Operation *op) {
  StringRef name = getHloName(op);
  unsigned count = op->getNumOperands();
  if (std::string why = whyByOperand(name, count); !why.empty())
    return why;
  if (name == "scatter" && count >= 3)
    return llvm::formatv("operand {0} says which places it writes, and access "
                         "patterns have no places from data",
                         (count - 1) / 2)
        .str();
  if (name == "custom_call") {
    auto target = op->getAttrOfType<StringAttr>("call_target_name");
    return target ? ("it calls '" + target.getValue() +
                     "', which is not known here")
                        .str()
                  : "what it calls is not known here";
  }
  if (name == "composite") {
    auto target = op->getAttrOfType<StringAttr>("name");
    return ("its meaning" +
            (target ? " as '" + target.getValue() + "'" : Twine("")) +
            " is that of another function, which is raised by itself")
        .str();
  }
  auto reason =
      llvm::StringSwitch<StringRef>(name)
          .Case("iota",
                "its elements are their own places, which no view of an "
                "operand has")
          .Case("sort", "its comparator decides by the data where each element "
                        "goes")
          .Case("select_and_scatter", "its first region decides by the data "
                                      "where each value is added")
          .Case("while", "its regions run as often as operand 0 and what "
                         "follows it decide")
          .Cases({"if", "case"}, "operand 0 decides which of its regions runs")
          .Case("map", "its region may compute anything of its elements")
          .Cases({"all_reduce", "all_gather", "all_to_all", "reduce_scatter",
                  "collective_permute", "collective_broadcast", "partition_id",
                  "replica_id", "send", "recv", "infeed", "outfeed"},
                 "it exchanges data with other devices")
          .Cases({"rng", "rng_bit_generator"},
                 "its elements are random, not an operand's")
          .Case("bitcast_convert",
                "it reads the bits of its operand as another type, and views "
                "keep the element type")
          .Case("get_dimension_size",
                "its result is a size, not an element of its operand")
          .Cases({"tuple", "get_tuple_element"}, "it is about tuples of values")
          .Case("optimization_barrier",
                "it keeps its operands from being optimised together with "
                "others")
          .Default("");
  if (!reason.empty())
    return reason.str();
  return ("it computes " + op->getName().getStringRef() +
          ", which is not a compute kind")
      .str();
}

//===----------------------------------------------------------------------===//
// Sizes that follow from others
//===----------------------------------------------------------------------===//

bool tensoraccess::isStatic(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (shaped.hasRank() && shaped.hasStaticShape());
  });
}

bool tensoraccess::takesSizes(Operation *op) {
  StringRef name = getHloName(op);
  if (name == "custom_call")
    if (auto target = op->getAttrOfType<StringAttr>("call_target_name"))
      return target.getValue() == "shape_assertion" ||
             target.getValue().starts_with("stablehlo.dynamic_");
  return name == "real_dynamic_slice" || name == "set_dimension_size" ||
         (name.starts_with("dynamic_") && name != "dynamic_slice" &&
          name != "dynamic_update_slice");
}

bool mlir::tensoraccess::needsRefinedShapes(ModuleOp module) {
  if (hasBoundedTypes(module))
    return true;
  WalkResult found = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (!isHlo(op))
      return WalkResult::advance();
    if (takesSizes(op))
      return WalkResult::interrupt();
    // What converters take with sizes that are not known.
    const HloTraits *traits = getHloTraits(op);
    const bool runs =
        (traits && traits->kind == HloTraits::Kind::Elementwise) ||
        llvm::is_contained({"dot", "dot_general", "reduce", "slice",
                            "transpose", "get_dimension_size", "return",
                            "constant"},
                           getHloName(op));
    if (!runs &&
        !(isStatic(op->getOperandTypes()) && isStatic(op->getResultTypes())))
      return WalkResult::interrupt();
    return hasHloScalarBody(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

llvm::DenseMap<Operation *, StringRef>
mlir::tensoraccess::findRefinedHlo(Operation *root) {
  llvm::DenseMap<Operation *, StringRef> found;
  auto module = dyn_cast<ModuleOp>(root);
  if (!module)
    module = root->getParentOfType<ModuleOp>();
  if (!module || !needsRefinedShapes(module))
    return found;
  SmallVector<Operation *> worklist;
  auto follow = [&](OperandRange values) {
    for (Value value : values) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      Operation *op = value.getDefiningOp();
      if (op && type && type.getElementType().isSignlessInteger() &&
          type.getRank() <= 2 &&
          found.try_emplace(op, "sizes of other values follow from it").second)
        worklist.push_back(op);
    }
  };
  root->walk([&](Operation *op) {
    // What is called may ask for sizes in its turn.
    if (isa<CallOpInterface>(op))
      return follow(op->getOperands());
    if (!isHlo(op))
      return;
    if (getHloName(op) == "custom_call") {
      follow(op->getOperands());
      if (auto called = op->getAttrOfType<ArrayAttr>("called_computations"))
        for (auto symbol : called.getAsRange<SymbolRefAttr>())
          if (Operation *callee =
                  SymbolTable::lookupNearestSymbolFrom(op, symbol))
            callee->walk([&](Operation *inner) {
              found.try_emplace(inner, "it becomes part of another op's body");
            });
      return;
    }
    // Sizes come last.
    Where where = getWhere(getHloName(op), op->getNumOperands());
    if (!where.what.empty())
      follow(op->getOperands().drop_front(where.first));
  });
  while (!worklist.empty())
    follow(worklist.pop_back_val()->getOperands());
  return found;
}
