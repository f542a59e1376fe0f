//===- TermScratch.h - Ops that are in no program ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a graph makes an op to ask its verifier or its folder, and where it
// keeps the ops with regions that its symbols stand for.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_TERMSCRATCH_H
#define TENSORACCESS_LIB_EGRAPH_TERMSCRATCH_H

#include "TensorAccess/EGraph/TermGraph.h"

namespace mlir::tensoraccess {

class TermGraph::Scratch {
public:
  explicit Scratch(MLIRContext *context)
      : module(ModuleOp::create(UnknownLoc::get(context))), builder(context) {
    builder.setInsertionPointToEnd(module->getBody());
  }

  /// Empties the block when it ends.
  struct Scope {
    Scratch &scratch;
    ~Scope() { scratch.clear(); }
  };
  Scope enter() {
    clear();
    return {*this};
  }

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return builder.getUnknownLoc(); }
  Value addArgument(Type type) {
    return module->getBody()->addArgument(type, getLoc());
  }
  /// A block that stays.
  Block *addBlock() {
    auto *block = new Block();
    module->getBodyRegion().push_back(block);
    return block;
  }

private:
  void clear() {
    Block *block = module->getBody();
    while (!block->empty())
      block->back().erase();
    block->eraseArguments(0, block->getNumArguments());
  }

  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EGRAPH_TERMSCRATCH_H
