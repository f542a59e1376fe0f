//===- FusionBench.cpp - Time to compose whole programs, by their size ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table, one line a program, ready to be plotted:
//
//   program  ops  ms  us/op  maps
//
// where ms is the median time in which a fresh cache composes a function from
// its results to all of its arguments, in both directions, and maps is the size
// of the largest set. The programs are
//
//   elementwise  a chain of layers x + exp(x): 2^n paths, one map;
//   convolution  a chain of layers pad, 3x3 convolution, x + exp(x);
//   resnet50     the first ops of ResNet-50, up to all of them.
//
// The last lines give, for each, how the time of an op changes from the
// smallest to the largest program: about 1 where time is linear in ops.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;

static std::string elementwise(int layers) {
  std::string t = "tensor<1x56x56x64xf32>";
  std::string text = "func.func @main(%x0: " + t + ") -> " + t + " {\n";
  for (int i = 0; i < layers; ++i) {
    std::string n = std::to_string(i), m = std::to_string(i + 1);
    text += "%e" + n + " = math.exp %x" + n + " : " + t + "\n%x" + m +
            " = arith.addf %x" + n + ", %e" + n + " : " + t + "\n";
  }
  return text + "return %x" + std::to_string(layers) + " : " + t + "\n}";
}

static std::string convolution(int layers) {
  std::string t = "tensor<1x56x56x64xf32>", p = "tensor<1x58x58x64xf32>",
              w = "tensor<3x3x64x64xf32>";
  std::string text = "func.func @main(%x0: " + t + ", %w: " + w + ") -> " + t +
                     " {\n%c = arith.constant 0.0 : f32\n%i = tensor.empty() "
                     ": " +
                     t + "\n";
  for (int i = 0; i < layers; ++i) {
    std::string n = std::to_string(i), m = std::to_string(i + 1);
    text += "%p" + n + " = tensor.pad %x" + n +
            " low[0, 1, 1, 0] high[0, 1, 1, 0] {\n^bb0(%a: index, %b: index, "
            "%d: index, %f: index):\n tensor.yield %c : f32\n} : " +
            t + " to " + p + "\n%v" + n + " = linalg.conv_2d_nhwc_hwcf ins(%p" +
            n + ", %w : " + p + ", " + w + ") outs(%i : " + t + ") -> " + t +
            "\n%e" + n + " = math.exp %v" + n + " : " + t + "\n%x" + m +
            " = arith.addf %v" + n + ", %e" + n + " : " + t + "\n";
  }
  return text + "return %x" + std::to_string(layers) + " : " + t + "\n}";
}

namespace {

class Bench {
public:
  void measure(StringRef program, const FusionGroup &group) {
    std::vector<double> times;
    size_t maps = 0;
    for (int i = 0; i < 7; ++i) {
      auto begin = std::chrono::steady_clock::now();
      IndexingCache cache;
      FusionIndexing fusion = getFusionIndexing(cache, group);
      times.push_back(std::chrono::duration<double, std::milli>(
                          std::chrono::steady_clock::now() - begin)
                          .count());
      for (unsigned r = 0; r < fusion.indexing.getNumResults(); ++r)
        for (unsigned o = 0; o < fusion.indexing.getNumOperands(); ++o) {
          const IndexingSet &set = fusion.indexing.outputToInput(r, o);
          maps = std::max<size_t>(maps, set.getMaps().size());
          if (set.isUnknown())
            llvm::errs() << program << ": unknown, "
                         << describe(set.getReason()) << "\n";
        }
    }
    llvm::sort(times);
    double ms = times[times.size() / 2];
    size_t ops = group.getOps().size();
    llvm::outs() << llvm::left_justify(program, 13)
                 << llvm::format("%6zu %10.3f %8.2f %5zu\n", ops, ms,
                                 1000 * ms / ops, maps);
    perOp[program.str()].push_back(ms / ops);
  }

  void printSlopes() const {
    for (const auto &[program, times] : perOp)
      llvm::outs() << llvm::left_justify(program, 13)
                   << llvm::format("time of an op, largest over smallest "
                                   "program: %.2f\n",
                                   times.back() / times.front());
  }

private:
  std::map<std::string, std::vector<double>> perOp;
};

} // namespace

int main() {
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<TensorAccessDialect>();
  Bench bench;
  llvm::outs() << "program         ops         ms    us/op  maps\n";
  auto getMain = [](ModuleOp module) {
    return cast<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, "main"));
  };
  for (auto [name, write] : {std::pair("elementwise", &elementwise),
                             std::pair("convolution", &convolution)})
    for (int layers : {25, 50, 100, 200, 400, 800}) {
      auto module = parseSourceString<ModuleOp>(write(layers), &context);
      if (!module)
        return 1;
      bench.measure(name, *FusionGroup::get(getMain(*module)));
    }

  auto module = parseSourceFile<ModuleOp>(
      TENSORACCESS_MODELS_DIR "/resnet50.linalg.mlir", &context);
  if (!module)
    return 1;
  FusionGroup whole = *FusionGroup::get(getMain(*module));
  // The longest ways to the front: what the stages of the model end with.
  for (unsigned eighths : {1, 2, 3, 4, 5, 6, 7, 8}) {
    ArrayRef<Operation *> ops = whole.getOps();
    size_t at = ops.size() * eighths / 8 - 1;
    std::optional<FusionGroup> group;
    for (; at > 0; --at) {
      group = FusionGroup::get(SmallVector<Value>(ops[at]->getResults()));
      if (group && group->getOps().size() * 10 > at * 9)
        break;
    }
    if (group)
      bench.measure("resnet50", *group);
  }
  bench.printSlopes();
  return 0;
}
