//===- TermGraphText.cpp - Terms for other tools --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A label is the name, then a constant's value or the attributes in braces. An
// attribute of a dialect, `#dialect.name<text>`, is its text.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Extraction.h"

#include "mlir/IR/AsmState.h"

#include <limits>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most elements of a constant that are written.
static constexpr int64_t kMaxElements = 16;

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  AsmState state(attribute.getContext(),
                 OpPrintingFlags().elideLargeElementsAttrs(kMaxElements));
  attribute.print(stream, state, /*elideType=*/true);
  StringRef inner = text;
  if (inner.consume_front("#") && inner.consume_back(">"))
    return inner.split('<').second.str();
  return text;
}

std::string mlir::tensoraccess::labelSymbol(const TermGraph &graph,
                                            SymbolId symbol) {
  if (graph.getKind(symbol) == TermGraph::SymbolKind::Theory)
    return graph.getTheory(symbol)->describe(symbol, /*isFull=*/true);
  std::string label = graph.describeSymbol(symbol);
  if (!graph.isOperation(symbol))
    return label;
  if (Attribute constant = graph.getConstantOf(symbol))
    return label + " " + print(constant);
  SmallVector<std::string> shown;
  for (NamedAttribute attribute : graph.getAttributes(symbol)) {
    std::string value = print(attribute.getValue());
    if (value != "none" &&
        !attribute.getName().strref().ends_with("SegmentSizes"))
      shown.push_back(attribute.getName().str() + " = " + value);
  }
  return shown.empty() ? label : label + " {" + llvm::join(shown, ", ") + "}";
}

SerializedEGraph mlir::tensoraccess::serialize(const TermGraph &graph,
                                               ArrayRef<ClassId> roots) {
  SerializationNames names;
  names.symbol = [&](SymbolId symbol) { return labelSymbol(graph, symbol); };
  names.cost = [&](NodeId node) -> double {
    const SymbolId symbol = graph.getTable().getSymbol(node);
    switch (graph.getKind(symbol)) {
    case TermGraph::SymbolKind::Theory:
      return graph.getTheory(symbol)->canBuild(symbol)
                 ? 1
                 : std::numeric_limits<double>::infinity();
    case TermGraph::SymbolKind::Operation:
      return 1;
    case TermGraph::SymbolKind::Projection:
    case TermGraph::SymbolKind::Leaf:
      break;
    }
    return 0;
  };
  names.type = [&](ClassId id) {
    std::string text;
    if (Type type = graph.getType(id))
      llvm::raw_string_ostream(text) << type;
    return text;
  };
  return serialize(graph.getTable(), roots, names);
}
