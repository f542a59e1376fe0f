//===- SimplifyIndexing.cpp - Simplify all indexing maps ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/AccessPasses.h"
#include "TensorAccess/Transforms/Indexing.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_SIMPLIFYINDEXING
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

int64_t tensoraccess::simplifyIndexing(Operation *root) {
  int64_t changed = 0;
  // The replacer remembers what became of each attribute.
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](IndexingMapAttr attr) {
    auto simplified = IndexingMapAttr::get(
        attr.getContext(), attr.getValue().simplify().removeUnusedSymbols());
    changed += simplified != attr;
    return simplified;
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return changed;
}

namespace {
struct SimplifyIndexingPass
    : public tensoraccess::impl::SimplifyIndexingBase<SimplifyIndexingPass> {
  using SimplifyIndexingBase::SimplifyIndexingBase;

  void runOnOperation() override {
    simplified += simplifyIndexing(getOperation());
  }
};
} // namespace
