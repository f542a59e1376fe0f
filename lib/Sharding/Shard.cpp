//===- Shard.cpp - Programs of single ranks -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of all ranks are written side by side, op by op:
//
//   1. For each op the box of its iterations on every rank: by its cut; or, for
//      one that is run where it is *needed*, backwards from what others need of
//      its results. From that the block of each operand that every rank needs.
//   2. Arguments are the blocks that their distributions give, or those that
//      are needed.
//   3. Who has which block of the operand is known. Where some rank needs what
//      it lacks, the values are exchanged (Core/Exchange.h), at the same place
//      of all programs; what was made available once is used again.
//   4. The op on its blocks. Where a reduction is cut, only the first rank of a
//      group starts from the op's init, the others from the neutral element;
//      then partial results are exchanged, stacked, and reduced in the order of
//      ranks.
//   5. Results go where the function's attributes want them, and each program
//      names the blocks that it takes and returns.
//
// An op that has no loops (Cut/Blocks.h) gets whole tensors on every rank.
//
//===----------------------------------------------------------------------===//

#include "Sharder.h"
#include "TensorAccess/IR/Exchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void setShard(func::FuncOp function, unsigned number, bool isResult,
                     Type whole, const Box &box) {
  DictionaryAttr attr = getShardAttr(
      function.getContext(), cast<RankedTensorType>(whole).getShape(), box.lo);
  if (isResult)
    function.setResultAttr(number, kShardName, attr);
  else
    function.setArgAttr(number, kShardName, attr);
}

LogicalResult Sharder::createPrograms() {
  SymbolTable table(function->getParentOp());
  std::string name = function.getName().str();
  SmallVector<Distribution> homes;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (isa<ShapedType>(type) &&
        (!tensor || !tensor.hasStaticShape() || tensor.getEncoding()))
      return function.emitError()
             << "argument " << i
             << " has a type that is not cut over ranks: " << type;
    Attribute attr = function.getArgAttr(i, kDistributionName);
    if (!attr) {
      homes.push_back(Distribution::replicated(tensor ? tensor.getRank() : 0));
      continue;
    }
    if (isNeeded(function.getArgument(i))) {
      homes.emplace_back();
      continue;
    }
    FailureOr<Distribution> read = readDistribution(
        attr, type, (kDistributionName + " of argument " + Twine(i)).str(),
        function);
    if (failed(read))
      return failure();
    homes.push_back(std::move(*read));
  }
  for (int64_t rank = 0; rank < grid.getNumRanks(); ++rank) {
    if (options.rank && *options.rank != rank)
      continue;
    SmallVector<Type> types;
    SmallVector<Box> boxes;
    for (auto [argument, home] :
         llvm::zip_equal(function.getArguments(), homes)) {
      Type type = argument.getType();
      auto tensor = dyn_cast<RankedTensorType>(type);
      boxes.push_back(isNeeded(argument) ? needs.find(argument)->second[rank]
                      : tensor ? home.getBox(grid, tensor.getShape(), rank)
                               : Box());
      types.push_back(tensor ? getBlockType(type, boxes.back()) : type);
    }
    OpBuilder b(function);
    std::string own = name + "_" + std::to_string(rank);
    if (table.lookup(own))
      return function.emitError()
             << "the program of rank " << rank << " is @" << own
             << ", but there is such a symbol already";
    auto made = func::FuncOp::create(
        b, function.getLoc(), own,
        b.getFunctionType(types, function.getResultTypes()));
    made->setAttr(kProgramName, b.getStringAttr(name));
    made->setAttr(kRankName, b.getI64IntegerAttr(rank));
    Block *body = made.addEntryBlock();
    RankProgram &program = programs.emplace_back(
        RankProgram{rank, made, OpBuilder::atBlockEnd(body), IRMapping()});
    for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
      if (DictionaryAttr attrs = function.getArgAttrDict(i)) {
        NamedAttrList kept(attrs);
        kept.erase(kDistributionName);
        made.setArgAttrs(i, kept.getDictionary(b.getContext()));
      }
      if (!isa<RankedTensorType>(argument.getType()))
        program.scalars.map(argument, body->getArgument(i));
      else if (isNeeded(argument) || !homes[i].isReplicated())
        setShard(made, i, /*isResult=*/false, argument.getType(), boxes[i]);
    }
  }
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    Blocks blocks;
    for (RankProgram &program : programs)
      blocks.push_back(program.function.getArgument(i));
    if (isNeeded(argument)) {
      Spread &spread = spreads[argument];
      spread.boxes = needs.find(argument)->second;
      spread.blocks = std::move(blocks);
    } else {
      define(argument, homes[i], std::move(blocks));
    }
  }
  return success();
}

LogicalResult Sharder::shardReturn(func::ReturnOp op) {
  SmallVector<SmallVector<Value>> results(programs.size());
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    FailureOr<Blocks> blocks = failure();
    FailureOr<std::optional<Distribution>> home = readResultHome(i);
    if (failed(home))
      return failure();
    if (type && !*home)
      *home = spreads.find(value)->second.home;
    if (type && !*home)
      *home = Distribution::replicated(type.getRank());
    std::vector<Box> boxes;
    if (type) {
      boxes = (*home)->getBoxes(grid, type.getShape());
      blocks = get(value, boxes, op);
    } else {
      blocks = getWhole(value, op);
    }
    if (failed(blocks))
      return failure();
    for (auto [n, program] : llvm::enumerate(programs)) {
      results[n].push_back((*blocks)[n]);
      NamedAttrList kept(function.getResultAttrDict(i));
      kept.erase(kDistributionName);
      if (!kept.empty())
        program.function.setResultAttrs(i, kept.getDictionary(op.getContext()));
      if (type && !(*home)->isReplicated())
        setShard(program.function, i, /*isResult=*/true, type,
                 boxes[program.rank]);
    }
  }
  for (auto [program, values] : llvm::zip_equal(programs, results)) {
    func::ReturnOp::create(program.builder, op.getLoc(), values);
    program.function.setFunctionType(
        FunctionType::get(op.getContext(), program.function.getArgumentTypes(),
                          ValueRange(values).getTypes()));
  }
  return success();
}

FailureOr<ShardReport> Sharder::run() {
  auto work = [&]() -> LogicalResult {
    if (failed(findNeeds()) || failed(createPrograms()))
      return failure();
    for (Operation &op : function.front().without_terminator())
      if (failed(shardOp(&op)))
        return failure();
    return shardReturn(cast<func::ReturnOp>(function.front().getTerminator()));
  };
  if (failed(work())) {
    for (RankProgram &program : programs)
      program.function.erase();
    return failure();
  }
  report.programs = programs.size();
  function.erase();
  return report;
}

FailureOr<ShardReport>
mlir::tensoraccess::shardFunction(func::FuncOp function,
                                  const ShardingOptions &options) {
  auto text = function->getAttrOfType<StringAttr>(kGridName);
  if (!text)
    return function.emitError()
           << "must give the grid of ranks as a string: " << kGridName;
  ParseError error;
  std::optional<Grid> grid = Grid::parse(text.getValue(), error);
  if (!grid)
    return function.emitError()
           << kGridName << ": " << error.message << " at position "
           << error.offset << " of \"" << text.getValue() << "\"";
  const int64_t ranks = grid->getNumRanks();
  if (options.ranks && *options.ranks != ranks)
    return function.emitError()
           << "is cut for " << ranks << " ranks (" << grid->str()
           << "), not for " << *options.ranks;
  if (options.rank && (*options.rank < 0 || *options.rank >= ranks))
    return function.emitError()
           << "rank must lie in [0, " << ranks << "), got " << *options.rank;
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError()
           << "must have a body of one block to be cut over ranks";
  auto module = dyn_cast<ModuleOp>(function->getParentOp());
  if (!module)
    return function.emitError() << "must be in a module";
  if (std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(function, module);
      !uses || !uses->empty())
    return function.emitError() << "is called, but is cut over ranks";
  if (auto before = module->getAttr(kRanksName);
      before && before != Builder(module.getContext()).getI64IntegerAttr(ranks))
    return function.emitError() << "is cut for " << ranks
                                << " ranks, but the module is for " << before;
  FailureOr<ShardReport> report = Sharder(function, *grid, options).run();
  if (succeeded(report))
    module->setAttr(kRanksName,
                    Builder(module.getContext()).getI64IntegerAttr(ranks));
  return report;
}
