//===- ops.cpp - A compiler that embeds the wing ops ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks what the ops of a program read: of dialects that are loaded, of StableHLO,
// which is not, and of an op of its own.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/OpSizes.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static const char program[] = R"(
  func.func @f(%x: tensor<4x6xf32>, %y: tensor<?xf32>)
      -> (tensor<24xf32>, tensor<6x4xf32>, tensor<?xf32>) {
    %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
    %1 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}>
       : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %2 = "my.flip"(%y) : (tensor<?xf32>) -> tensor<?xf32>
    return %0, %1, %2 : tensor<24xf32>, tensor<6x4xf32>, tensor<?xf32>
  })";

/// my.flip reverses a vector: result[i] = x[n - 1 - i].
static Nest inferFlip(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.in[0].size() != 1 || !op.equateAll(op.in[0], op.out[0]))
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, nest.arena().sub(nest.last(op.in[0][0]), nest[0]));
  return nest;
}

int main() {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, tensor::TensorDialect>();
  registerIndexingModels(registry);
  registry.addExtension(+[](MLIRContext *, BuiltinDialect *dialect) {
    addIndexingModel(dialect, "my.flip", inferFlip);
  });
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return 1;
  module->walk([](Operation *op) {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1)
      return;
    OpIndexing indexing = getIndexing(op);
    for (const IndexingMap &map : indexing.outputToInput(0, 0).getMaps())
      llvm::outs() << op->getName() << ' ' << map.str() << '\n';
  });
  return 0;
}
