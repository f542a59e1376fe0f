//===- doors.cpp - A compiler that embeds TensorAccess --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses an access program, runs a pass pipeline on it, calls a function of it,
// and says what an op of its own reads. Exits with 0 only where all of that gave
// what it should.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static const char program[] = R"(
  func.func @twice(%x: !tensoraccess.access<3 | 5xf32>)
      -> !tensoraccess.access<3 | 5xf32> {
    %0 = tensoraccess.transpose %x perm = [1, 0]
       : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
    %1 = tensoraccess.transpose %0 perm = [1, 0]
       : !tensoraccess.access<5 | 3xf32> -> !tensoraccess.access<3 | 5xf32>
    return %1 : !tensoraccess.access<3 | 5xf32>
  }
  func.func @negate(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = arith.negf %x : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @flip(%x: tensor<7xf32>) -> tensor<7xf32> {
    %0 = "my.flip"(%x) : (tensor<7xf32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  })";

/// my.flip reverses a vector: result[i] = x[n - 1 - i].
static tensoraccess::Nest
inferFlip(const tensoraccess::OpSignature &signature) {
  using namespace tensoraccess;
  SizedOp op(signature);
  if (!op.isValid || op.in[0].size() != 1 || !op.equateAll(op.in[0], op.out[0]))
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, nest.arena().sub(nest.last(op.in[0][0]), nest[0]));
  return nest;
}

static void addFlip(MLIRContext *, BuiltinDialect *dialect) {
  tensoraccess::addIndexingModel(dialect, "my.flip", inferFlip);
}

/// Complains and returns the exit code of a failure.
static int fail(const llvm::Twine &message) {
  llvm::errs() << "consumer: " << message << '\n';
  return 1;
}

int main() {
  DialectRegistry registry;
  tensoraccess::registerEverything(registry);
  tensoraccess::registerAllPassesAndPipelines();
  registry.addExtension(addFlip);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(program, ParserConfig(&context));
  if (!module)
    return fail("the program does not parse");

  FailureOr<OpPassManager> pipeline =
      parsePassPipeline("builtin.module(canonicalize)");
  if (failed(pipeline))
    return fail("the pipeline does not parse");
  PassManager manager(&context);
  static_cast<OpPassManager &>(manager) = *pipeline;
  if (failed(manager.run(*module)))
    return fail("the pipeline fails");
  if (!(*module)
           ->walk([](tensoraccess::TransposeOp) {
             return WalkResult::interrupt();
           })
           .wasInterrupted())
    llvm::outs() << "two transposes folded\n";
  else
    return fail("a transpose is left");

  auto compiled = tensoraccess::CompiledFunction::compile(*module, "negate");
  if (failed(compiled))
    return fail("@negate does not compile");
  auto input = tensoraccess::Tensor::random(tensoraccess::ElementType::F32,
                                            {3, 5}, /*seed=*/7);
  if (!input)
    return fail(llvm::toString(input.takeError()));
  auto results = compiled->call(*input);
  if (!results)
    return fail(llvm::toString(results.takeError()));
  if (results->front().getDouble({2, 4}) != -input->getDouble({2, 4}))
    return fail("@negate gives a wrong element");
  llvm::outs() << "called @negate\n";

  // Element 2 of the result is element 4 of the operand.
  tensoraccess::IndexingCache cache;
  auto flip = module->lookupSymbol<FunctionOpInterface>("flip");
  auto maps = cache.getFunction(flip).outputToInput(0, 0).getMaps();
  if (maps.size() != 1 || maps[0].evaluate({2}, {}) != SmallVector<int64_t>{4})
    return fail("my.flip reads other elements");
  llvm::outs() << "asked my.flip\n";
  return 0;
}
