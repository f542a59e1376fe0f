//===- ShardTranslations.cpp - Pictures of planned functions --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flags of pictures of planned functions.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// On the command line
//===----------------------------------------------------------------------===//

namespace {
struct ShardOptions {
  std::string model;
  ShardChoice choice;
  int64_t ranks = 12, rows = 120;
};
enum class PictureKind { Plan, Shards, Exchange };
} // namespace

static FailureOr<CostModel> readModel(Operation *root, StringRef path) {
  if (path.empty())
    return getDefaultCostModel();
  if (path == "calibrated") {
    llvm::Expected<CostModel> costs = loadCalibratedCosts();
    if (!costs)
      return mlir::emitError(root->getLoc())
             << llvm::toString(costs.takeError());
    return *costs;
  }
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return mlir::emitError(root->getLoc())
           << "cannot read the costs '" << path
           << "': " << file.getError().message();
  ParseError error;
  std::optional<CostModel> model =
      CostModel::parse((*file)->getBuffer(), error);
  if (!model)
    return mlir::emitError(root->getLoc())
           << "the costs '" << path << "' are wrong at byte " << error.offset
           << ": " << error.message;
  return *model;
}

static LogicalResult draw(Operation *root, const ShardOptions &options,
                          PictureKind kind, raw_ostream &os) {
  FailureOr<CostModel> model = readModel(root, options.model);
  if (failed(model))
    return failure();
  FailureOr<FunctionOpInterface> function =
      findPlanned(root, options.choice.function);
  if (failed(function))
    return failure();
  FailureOr<ShardedProgram> program = readShardedProgram(*function, *model);
  if (failed(program))
    return failure();
  std::optional<std::string> problem;
  if (kind == PictureKind::Plan) {
    PlanPictureOptions picture;
    picture.maxRows = options.rows;
    problem = writePlanSvg(*function, *program, os, picture);
  } else {
    std::string error;
    std::optional<ShardedTensor> tensor =
        getShardedTensor(*function, *program, options.choice, error);
    if (!tensor)
      problem = error;
    else if (kind == PictureKind::Shards)
      problem = writeShardSvg(*tensor, os, {options.ranks});
    else if (!tensor->owned || !tensor->needed)
      problem = tensor->name + " is not exchanged";
    else
      problem = writeExchangeSvg(*tensor, os, {options.ranks});
  }
  if (problem)
    return mlir::emitError((*function)->getLoc()) << *problem;
  return success();
}

void mlir::tensoraccess::registerShardTranslations() {
  static llvm::cl::OptionCategory category(
      "Options of --plan-to-svg, --shards-to-svg and --exchange-to-svg");
  static llvm::cl::opt<std::string> function(
      "shard-function", llvm::cl::cat(category),
      llvm::cl::desc("the planned function (default: the first)"));
  static llvm::cl::opt<std::string> model(
      "shard-model", llvm::cl::cat(category),
      llvm::cl::desc("a file of costs, or calibrated (default: those of "
                     "plan-shards)"));
  static llvm::cl::opt<std::string> op(
      "shard-op", llvm::cl::cat(category),
      llvm::cl::desc("an op as linalg.generic#2, the third (default: the one "
                     "that the most bytes are sent for)"));
  static llvm::cl::opt<unsigned> operand("shard-operand",
                                         llvm::cl::cat(category),
                                         llvm::cl::desc("an operand of it"));
  static llvm::cl::opt<unsigned> result("shard-result", llvm::cl::cat(category),
                                        llvm::cl::desc("a result of it"));
  static llvm::cl::opt<int64_t> ranks(
      "shard-ranks", llvm::cl::init(12), llvm::cl::cat(category),
      llvm::cl::desc("ranks that are drawn one by one, at most"));
  static llvm::cl::opt<int64_t> rows("shard-rows", llvm::cl::init(120),
                                     llvm::cl::cat(category),
                                     llvm::cl::desc("rows of a plan, at most"));
  auto translate = [](PictureKind kind) {
    return [kind](Operation *root, raw_ostream &os) {
      ShardOptions options;
      options.model = model;
      options.choice.function = function;
      options.choice.op = op;
      if (operand.getNumOccurrences())
        options.choice.operand = operand;
      if (result.getNumOccurrences())
        options.choice.result = result;
      options.ranks = ranks;
      options.rows = rows;
      return draw(root, options, kind, os);
    };
  };
  auto dialects = [](DialectRegistry &registry) {
    registerEverything(registry);
  };
  TranslateFromMLIRRegistration plan("plan-to-svg",
                                     "draw the plan of shards of a function",
                                     translate(PictureKind::Plan), dialects);
  TranslateFromMLIRRegistration shards(
      "shards-to-svg", "draw how a plan distributes a tensor over ranks",
      translate(PictureKind::Shards), dialects);
  TranslateFromMLIRRegistration exchange(
      "exchange-to-svg", "draw the messages that exchange a tensor",
      translate(PictureKind::Exchange), dialects);
}
