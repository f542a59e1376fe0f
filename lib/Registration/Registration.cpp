//===- Registration.cpp - What every tool registers --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Registration/Registration.h"
#include "OptionEntries.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Pipelines/Accelerator.h"
#include "TensorAccess/Pipelines/Cpu.h"
#include "TensorAccess/Pipelines/Distributed.h"
#include "TensorAccess/StableHlo/StableHloText.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/ContractPasses.h"
#include "TensorAccess/Transforms/EquivalencePasses.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/LayoutPasses.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/Messages.h"
#include "TensorAccess/Transforms/Reduction.h"
#include "TensorAccess/Transforms/SaturationPasses.h"
#include "TensorAccess/Transforms/ShardPasses.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct LowerLayoutsOptions : PassPipelineOptions<LowerLayoutsOptions> {
  Option<RelayoutWay> way{
      *this, "way", llvm::cl::desc("the ops that a relayout becomes"),
      llvm::cl::init(RelayoutWay::Pack),
      llvm::cl::values(
          clEnumValN(RelayoutWay::Pack, "pack", "linalg.pack where it matches"),
          clEnumValN(RelayoutWay::Steps, "steps", "always single steps"),
          clEnumValN(RelayoutWay::Pack, "loops", "the same as pack"))};
};
} // namespace

/// Calls `visit` with each pipeline's name, description, builder and options.
template <typename Visit>
static void forEachPipeline(Visit visit) {
  visit(
      "tensoraccess-lower-layouts",
      "the name that materialize-layouts had for relayouts and indices",
      [](OpPassManager &pm, const LowerLayoutsOptions &options) {
        MaterializeLayoutsOptions materialize;
        materialize.way = options.way;
        pm.addPass(createMaterializeLayouts(materialize));
      },
      LowerLayoutsOptions());
  visit("tensoraccess-to-llvm",
        "lowers access patterns and linalg on tensors to the LLVM dialect",
        buildCpuPipeline, ToLLVMOptions());
  visit("tensoraccess-cpu",
        "lowers models to the LLVM dialect, for all cores of this machine",
        buildCpuPipeline, CpuOptions());
  visit("tensoraccess-accelerator",
        "raises models and maps their products to systolic arrays",
        buildAcceleratorPipeline, AcceleratorOptions());
  visit("tensoraccess-distributed",
        "plans how a model is cut over ranks, and writes one function a rank",
        buildDistributedPipeline, DistributedOptions());
}

static void registerPipelines() {
  forEachPipeline([](StringRef name, StringRef description, auto builder,
                     const auto &options) {
    using Options = std::decay_t<decltype(options)>;
    PassPipelineRegistration<Options>(name, description, builder);
  });
}

std::string tensoraccess::getPipelineValues(StringRef name) {
  std::string values;
  llvm::raw_string_ostream os(values);
  forEachPipeline(
      [&](StringRef known, StringRef, const auto &, const auto &options) {
        if (known == name)
          options.print(os);
      });
  return values;
}

std::vector<std::string> tensoraccess::getPipelineNames() {
  std::vector<std::string> names;
  forEachPipeline([&](StringRef name, StringRef, const auto &, const auto &) {
    names.push_back(name.str());
  });
  return names;
}

std::map<std::string, std::vector<std::string>>
tensoraccess::getPipelineOptions(StringRef name) {
  OptionWords words;
  forEachPipeline(
      [&](StringRef known, StringRef, const auto &, const auto &options) {
        if (known == name)
          // A base that the class does not show.
          words = listOptions((const llvm::cl::SubCommand &)options);
      });
  return words;
}

void tensoraccess::registerTensorAccess(DialectRegistry &registry) {
  registry.insert<TensorAccessDialect>();
  registerIndexingModels(registry);
  registerDistributedModels(registry);
  registerReduction(registry);
}

void tensoraccess::registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTensorAccess(registry);
  registerStableHloText(registry);
}

void tensoraccess::registerTensorAccessPasses() {
  registerAccessPasses();
  registerBufferPasses();
  registerFusePasses();
  registerKernelPasses();
  registerLowerPasses();
  registerLayoutPasses();
  registerSaturationPasses();
  registerShardPasses();
  registerContractPasses();
  registerEquivalencePasses();
  registerSimplifyPasses();
  registerConversionPasses();
  registerPipelines();
}

void tensoraccess::registerAllPassesAndPipelines() {
  registerAllPasses();
  registerTensorAccessPasses();
}
