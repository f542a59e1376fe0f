//===- IndexingAnalysis.cpp - Indexing maps of a whole program ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/Support/Format.h"

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

IndexingAnalysis::IndexingAnalysis(Operation *root) {
  forEachIndexedOp(root, [&](Operation *op) {
    const OpIndexing &indexing = cache.get(op);
    for (IndexingCounts *count : {&counts[op->getName()], &total}) {
      count->maps += indexing.countMaps();
      IndexingReason reason = indexing.firstReason();
      if (reason == IndexingReason::None) {
        ++count->answered;
      } else {
        ++count->unknown;
        ++count->reasons[reason];
      }
    }
  });
}

void IndexingAnalysis::print(raw_ostream &os) const {
  SmallVector<std::pair<StringRef, const IndexingCounts *>> rows;
  for (const auto &[name, count] : counts)
    rows.emplace_back(name.getStringRef(), &count);
  llvm::sort(rows,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  rows.emplace_back("total", &total);
  size_t width = 0;
  for (const auto &row : rows)
    width = std::max(width, row.first.size());
  os << llvm::left_justify("op", width)
     << llvm::format("%8s%10s%9s%8s\n", "ops", "answered", "unknown", "maps");
  for (const auto &[name, count] : rows) {
    os << llvm::left_justify(name, width)
       << llvm::format("%8u%10u%9u%8u", count->ops(), count->answered,
                       count->unknown, count->maps);
    for (const auto &[reason, number] : count->reasons)
      os << "  " << describe(reason) << " (" << number << ")";
    os << '\n';
  }
}
