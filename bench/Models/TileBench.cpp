//===- TileBench.cpp - Time to propagate tiles through whole models -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table, two lines a model:
//
//   model  direction  ops  ms  tiles  hulls  missed  longest
//
// where ms is the median time, with a fresh cache, in which a tile of result 0
// reaches all arguments, or one of argument 0 all results; tiles counts the
// operands (results) on the way, hulls those of them that are only covered,
// missed those without a tile, and longest is the length of the longest text.
// Models are the arguments, or those beside the tests. Fails where something is
// missed or takes more than 2 s.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/TilePropagation.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace mlir::tensoraccess;

/// False if the model misses the limits.
static bool measure(StringRef name, FunctionOpInterface function,
                    bool toInput) {
  std::vector<double> times;
  std::optional<TilePropagation> result;
  std::string error;
  for (int i = 0; i < 7; ++i) {
    auto begin = std::chrono::steady_clock::now();
    IndexingCache cache;
    result = propagateTile(function, 0, toInput, {}, cache, error);
    times.push_back(std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - begin)
                        .count());
  }
  if (!result) {
    llvm::errs() << name << ": " << error << "\n";
    return false;
  }
  llvm::sort(times);
  size_t tiles = 0, hulls = 0, missed = 0, longest = 0;
  auto count = [&](const ValueTiles &value) {
    missed += value.reason != IndexingReason::None;
    for (const PropagatedTile &way : value.tiles) {
      missed += !way.tile;
      tiles += way.tile.has_value();
      hulls += way.tile && way.tile->isHull();
      if (way.tile)
        longest = std::max(longest, way.tile->str().size());
    }
  };
  for (const OpTiles &op : result->ops)
    for (const ValueTiles &value : op.values)
      count(value);
  for (const ValueTiles &value : result->ends)
    count(value);
  const double ms = times[times.size() / 2];
  llvm::outs() << llvm::left_justify(name, 28)
               << (toInput ? "output-to-input" : "input-to-output")
               << llvm::format("%6zu %8.1f %6zu %6zu %7zu %8zu\n",
                               result->ops.size(), ms, tiles, hulls, missed,
                               longest);
  return missed == 0 && ms < 2000;
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<TensorAccessDialect>();
  context.allowUnregisteredDialects();
  std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty())
    for (const char *name :
         {"mobilenet.stablehlo-generic.mlir", "resnet50.linalg.mlir"})
      files.push_back(std::string(TENSORACCESS_MODELS_DIR) + "/" + name);
  llvm::outs() << "model                       direction         ops       ms  "
                  "tiles  hulls  missed  longest\n";
  bool isGood = true;
  for (const std::string &file : files) {
    auto module = parseSourceFile<ModuleOp>(file, &context);
    if (!module)
      return 1;
    FunctionOpInterface function;
    for (auto f : module->getOps<FunctionOpInterface>())
      if (!function || f.getName() == "main")
        function = f;
    if (!function)
      return 1;
    StringRef name = llvm::sys::path::stem(file);
    for (bool toInput : {true, false})
      isGood &= measure(name, function, toInput);
  }
  return isGood ? 0 : 1;
}
