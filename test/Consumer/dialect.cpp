//===- dialect.cpp - A compiler that embeds the wing dialect --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses an access program and folds its movement.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static const char program[] = R"(
  func.func @twice(%x: !tensoraccess.access<3 | 5xf32>)
      -> !tensoraccess.access<3 | 5xf32> {
    %0 = tensoraccess.transpose %x perm = [1, 0]
       : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
    %1 = tensoraccess.transpose %0 perm = [1, 0]
       : !tensoraccess.access<5 | 3xf32> -> !tensoraccess.access<3 | 5xf32>
    return %1 : !tensoraccess.access<3 | 5xf32>
  })";

int main() {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, TensorAccessDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return 1;
  RewritePatternSet patterns(&context);
  for (RegisteredOperationName op : context.getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, &context);
  if (failed(applyPatternsGreedily(*module, std::move(patterns))))
    return 1;
  unsigned left = 0;
  module->walk([&](TransposeOp) { ++left; });
  llvm::outs() << left << " transposes left\n";
  return 0;
}
