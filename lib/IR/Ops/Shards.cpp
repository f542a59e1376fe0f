//===- Shards.cpp - Which part of a tensor a rank has ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of sharded programs, read and checked.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Exchange.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

DictionaryAttr mlir::tensoraccess::getShardAttr(MLIRContext *context,
                                                ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> offsets) {
  Builder b(context);
  return b.getDictionaryAttr(
      {b.getNamedAttr("offsets", b.getDenseI64ArrayAttr(offsets)),
       b.getNamedAttr("shape", b.getDenseI64ArrayAttr(shape))});
}

/// The shard of an argument or result, which `what` names.
static FailureOr<Shard> getShard(FunctionOpInterface function, Attribute attr,
                                 Type type, const Twine &what, bool *isWhole) {
  if (isWhole)
    *isWhole = !attr;
  auto shaped = dyn_cast<RankedTensorType>(type);
  Shard shard;
  if (!attr) {
    if (shaped)
      llvm::append_range(shard.shape, shaped.getShape());
    shard.box.lo.assign(shard.shape.size(), 0);
    shard.box.hi.assign(shard.shape.begin(), shard.shape.end());
    return shard;
  }
  if (!shaped || !shaped.hasStaticShape())
    return function.emitError()
           << what << " must be a tensor of static shape to be a shard, got "
           << type;
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  DenseI64ArrayAttr shape, offsets;
  if (dictionary) {
    shape = dictionary.getAs<DenseI64ArrayAttr>("shape");
    offsets = dictionary.getAs<DenseI64ArrayAttr>("offsets");
  }
  if (!shape || !offsets || dictionary.size() != 2)
    return function.emitError()
           << kShardName << " of " << what
           << " must be {offsets = array<i64: …>, shape = array<i64: …>}, got "
           << attr;
  if (shape.size() != shaped.getRank() || offsets.size() != shaped.getRank())
    return function.emitError()
           << kShardName << " of " << what << " must have " << shaped.getRank()
           << " offsets and sizes, got " << offsets.size() << " and "
           << shape.size();
  for (int64_t d = 0; d < shaped.getRank(); ++d) {
    int64_t lo = offsets[d], size = shaped.getDimSize(d), whole = shape[d];
    if (lo < 0 || lo > whole || size > whole - lo)
      return function.emitError()
             << what << " must lie in the whole tensor, got offset " << lo
             << " and size " << size << " in dimension " << d << " of size "
             << whole;
    shard.shape.push_back(whole);
    shard.box.lo.push_back(lo);
    shard.box.hi.push_back(lo + size);
  }
  return shard;
}

FailureOr<Shard>
mlir::tensoraccess::getArgumentShard(FunctionOpInterface function,
                                     unsigned number, bool *isWhole) {
  return getShard(function, function.getArgAttr(number, kShardName),
                  function.getArgumentTypes()[number],
                  "argument " + Twine(number), isWhole);
}

FailureOr<Shard>
mlir::tensoraccess::getResultShard(FunctionOpInterface function,
                                   unsigned number, bool *isWhole) {
  return getShard(function, function.getResultAttr(number, kShardName),
                  function.getResultTypes()[number], "result " + Twine(number),
                  isWhole);
}

FailureOr<std::optional<int64_t>>
mlir::tensoraccess::getRanks(ModuleOp module) {
  Attribute attr = module->getAttr(kRanksName);
  if (!attr)
    return std::optional<int64_t>();
  auto ranks = dyn_cast<IntegerAttr>(attr);
  if (!ranks || !ranks.getType().isSignlessInteger(64) || ranks.getInt() < 1)
    return module.emitError()
           << kRanksName << " must be a positive 64-bit integer, got " << attr;
  return std::optional(ranks.getInt());
}

FailureOr<FunctionOpInterface>
mlir::tensoraccess::findProgram(ModuleOp module, StringRef program,
                                int64_t rank) {
  FunctionOpInterface found, alike;
  bool isCut = false;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto name = function->getAttrOfType<StringAttr>(kProgramName);
    if (!name) {
      if (cast<SymbolOpInterface>(*function).getName() == program)
        alike = function;
      continue;
    }
    if (name.getValue() != program)
      continue;
    isCut = true;
    auto number = function->getAttrOfType<IntegerAttr>(kRankName);
    if (!number || !number.getType().isSignlessInteger(64))
      return function.emitError()
             << "a function of a program must say which rank runs it: "
             << kRankName << " = 0 : i64";
    if (number.getInt() != rank)
      continue;
    if (found)
      return function.emitError() << "rank " << rank << " of program '"
                                  << program << "' has two functions";
    found = function;
  }
  if (!isCut)
    found = alike;
  if (!found)
    return module.emitError() << "no function for rank " << rank
                              << " of program '" << program << "'";
  if (found.isExternal())
    return found.emitError() << "program '" << program << "' has no body";
  return found;
}
