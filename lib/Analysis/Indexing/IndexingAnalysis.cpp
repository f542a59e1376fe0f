//===- IndexingAnalysis.cpp - Indexing maps of a whole program ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void tensoraccess::forEachIndexedOp(Operation *root,
                                    function_ref<void(Operation *)> visit) {
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // A function inside of a function is visited by the outer walk.
      if (isa<FunctionOpInterface>(op))
        return WalkResult::skip();
      visit(op);
      bool isWhole = isa<IndexingOpInterface, IndexingMapOpInterface>(op);
      return isWhole ? WalkResult::skip() : WalkResult::advance();
    });
  });
}
