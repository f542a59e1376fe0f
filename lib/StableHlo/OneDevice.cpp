//===- OneDevice.cpp - Programs for several devices, on one ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program runs on one device, number 0.
//
//   1. A placement tells where values are, not what they are: it is dropped. That a
//      program is for several partitions is not an obstacle, since what is
//      annotated is whole.
//   2. An exchange within groups of one device leaves each what it has; a
//      device in no group has zeros.
//   3. An exchange among several devices, and a part of what several devices
//      have, is an error: the values of the others are nowhere.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kRemedy =
    ", and it runs on one here: lower it for one device, before it is "
    "partitioned";

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

bool tensoraccess::isHloPlacement(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "sdy.mesh")
    return op->getNumOperands() == 0 && op->getNumResults() == 0;
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  const bool isKnown =
      llvm::is_contained({"sdy.reshard", "sdy.sharding_constraint"}, name) ||
      (isHlo(op, "custom_call") && target &&
       isHloPlacementCall(target.getValue()));
  // An op that is its own operand, in unreachable code, stays.
  return isKnown && op->getNumOperands() == op->getNumResults() &&
         op->getNumResults() > 0 &&
         llvm::none_of(op->getOperands(), [&](Value operand) {
           return operand.getDefiningOp() == op;
         });
}

/// Whether a region computes on the parts that each device has.
static bool isManual(Operation *op) {
  return op->getName().getStringRef() == "sdy.manual_computation" &&
         op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() &&
         !op->getRegion(0).front().empty();
}

/// The region's ops in place of the op, where a part is the whole.
static LogicalResult inlineManual(Operation *op) {
  Block &body = op->getRegion(0).front();
  Operation *last = &body.back();
  if (TypeRange(op->getOperandTypes()) != TypeRange(body.getArgumentTypes()) ||
      TypeRange(op->getResultTypes()) != TypeRange(last->getOperandTypes()))
    return op->emitError() << "'" << op->getName()
                           << "' cannot be run: it computes on parts that "
                              "several devices have"
                           << kRemedy;
  SmallVector<Value> results(last->getOperands());
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op->getOperands())) {
    std::replace(results.begin(), results.end(), Value(argument), operand);
    argument.replaceAllUsesWith(operand);
  }
  last->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

/// The number of devices that the program is for.
static int64_t countDevices(Operation *op, StringRef name) {
  auto module = op->getParentOfType<ModuleOp>();
  auto count = module->getAttrOfType<IntegerAttr>(name);
  return count ? count.getValue().getLimitedValue(INT32_MAX) : 1;
}

static std::string nameSeveral(StringRef what, int64_t count) {
  return llvm::formatv("{0} {1} devices{2}", what, count, kRemedy).str();
}

/// Whether the op's channel is one between partitions.
static bool hasChannel(Operation *op) {
  if (auto id = op->getAttrOfType<IntegerAttr>("channel_id"))
    return id.getValue().isStrictlyPositive();
  std::string error;
  auto fields = parseHloFields(getHloText(op->getAttr("channel_handle")),
                               "channel_handle", error);
  return fields && fields->number("handle") > 0;
}

/// Whether device 0 takes part in an exchange, all by itself; std::nullopt,
/// with the reason, where it is among others.
static std::optional<bool> readGroups(Operation *op, std::string &why) {
  auto fail = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  const int64_t replicas = countDevices(op, "mhlo.num_replicas"),
                partitions = countDevices(op, "mhlo.num_partitions");
  const bool isAcross = hasChannel(op);
  if (getHloName(op) == "collective_permute") {
    auto pairs = getHloIntegers(op->getAttr("source_target_pairs"));
    if (!pairs || pairs->size() % 2 != 0)
      return fail("'source_target_pairs' must be pairs of numbers");
    bool isTarget = false;
    for (size_t i = 0; i < pairs->size(); i += 2) {
      if ((*pairs)[i] != (*pairs)[i + 1])
        return fail(llvm::formatv("device {0} sends to device {1}{2}",
                                  (*pairs)[i], (*pairs)[i + 1], kRemedy)
                        .str());
      isTarget |= (*pairs)[i] == 0;
    }
    return isTarget;
  }
  Attribute attribute = op->getAttr("replica_groups");
  auto groups = dyn_cast_if_present<DenseIntElementsAttr>(attribute);
  auto numbers = groups ? getHloIntegers(groups) : std::nullopt;
  if (attribute && (!numbers || groups.getType().getRank() != 2))
    return fail("'replica_groups' must be a list of groups of devices");
  if (!numbers || numbers->empty()) {
    // All of them are one group.
    const int64_t count = isAcross ? replicas * partitions : replicas;
    if (count != 1)
      return fail(nameSeveral("it is an exchange among", count));
    return true;
  }
  // Groups of replicas, over all partitions of them.
  const bool isOfBoth =
      isAcross && !op->hasAttr("use_global_device_ids") &&
      llvm::is_contained({"all_gather", "all_reduce", "reduce_scatter"},
                         getHloName(op));
  const int64_t size = groups.getType().getDimSize(1);
  for (int64_t first = 0; first < int64_t(numbers->size()); first += size) {
    ArrayRef<int64_t> group = ArrayRef(*numbers).slice(first, size);
    // Smaller groups are filled up by -1.
    if (!llvm::is_contained(group, 0))
      continue;
    const int64_t count =
        llvm::count_if(group, [](int64_t device) { return device >= 0; }) *
        (isOfBoth ? partitions : 1);
    if (count != 1)
      return fail(nameSeveral("it is an exchange among", count));
    return true;
  }
  return false;
}

static SmallVector<Value> expandExchange(HloBuilder &h, Operation *op,
                                         std::string &why) {
  std::optional<bool> takesPart = readGroups(op, why);
  if (!takesPart)
    return {};
  StringRef name = getHloName(op);
  if (!*takesPart &&
      !llvm::is_contained({"collective_broadcast", "collective_permute"}, name))
    why = "device 0 is in none of its groups";
  auto parts = op->getAttrOfType<IntegerAttr>("split_count");
  if (parts && !parts.getValue().isOne())
    why = "its 'split_count' must be the size of its groups, 1";
  if (op->getNumOperands() == 0 || op->getNumOperands() != op->getNumResults())
    why = "it must have a result for each operand";
  SmallVector<Value> results;
  for (auto [operand, type] :
       llvm::zip(op->getOperands(), op->getResultTypes())) {
    auto from = dyn_cast<RankedTensorType>(operand.getType());
    auto to = dyn_cast<RankedTensorType>(type);
    const bool mayConvert =
        llvm::is_contained({"all_reduce", "reduce_scatter"}, name);
    if (!from || !to || from.getShape() != to.getShape() ||
        (from != to && !mayConvert))
      why = "a group of one device must leave its operands' types";
    if (!why.empty())
      return {};
    if (!*takesPart) {
      Attribute zero = h.b.getZeroAttr(to.getElementType());
      if (!zero || !to.hasStaticShape()) {
        why = "its results would be zeros of no known form";
        return {};
      }
      results.push_back(h.constant(DenseElementsAttr::get(to, zero)));
      continue;
    }
    results.push_back(h.convert(operand, to.getElementType()));
  }
  return results;
}

/// The number of this device, where there is one: 0.
static SmallVector<Value> expandDeviceId(HloBuilder &h, Operation *op,
                                         std::string &why) {
  const bool isReplica = getHloName(op) == "replica_id";
  const int64_t count =
      countDevices(op, isReplica ? "mhlo.num_replicas" : "mhlo.num_partitions");
  if (count != 1) {
    why = nameSeveral("the program is one for", count);
    return {};
  }
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || type.getRank() != 0 ||
      !isa<IntegerType>(type.getElementType())) {
    why = "its result must be an integer";
    return {};
  }
  return {h.integer(type, 0)};
}

static HloExpansion getExchange(Operation *op) {
  if (!isHlo(op))
    return nullptr;
  return llvm::StringSwitch<HloExpansion>(getHloName(op))
      .Cases({"all_gather", "all_reduce", "all_to_all", "collective_broadcast"},
             expandExchange)
      .Cases({"collective_permute", "cross-replica-sum", "reduce_scatter"},
             expandExchange)
      .Cases({"partition_id", "replica_id"}, expandDeviceId)
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

bool tensoraccess::speaksOfDevices(Operation *op) {
  return isHloPlacement(op) || isManual(op) || getExchange(op);
}

/// Why a placement cannot go: its results are others than its operands.
static LogicalResult checkPlacement(Operation *op) {
  for (auto [operand, result] :
       llvm::zip(op->getOperands(), op->getResults())) {
    if (operand.getType() == result.getType())
      continue;
    return op->emitError() << "'" << op->getName() << "' cannot be run: of "
                           << operand.getType() << " it makes "
                           << result.getType() << ", as on several devices"
                           << kRemedy;
  }
  return success();
}

LogicalResult tensoraccess::expandForOneDevice(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (speaksOfDevices(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (isManual(op)) {
      if (failed(inlineManual(op)))
        return failure();
      continue;
    }
    SmallVector<Value> values(op->getOperands());
    if (HloExpansion expand = getExchange(op)) {
      ImplicitLocOpBuilder b(locateInPlaceOf(op), op);
      HloBuilder h(b);
      std::string why;
      values = expand(h, op, why);
      if (!why.empty())
        return op->emitError()
               << "'" << op->getName() << "' cannot be run: " << why;
    } else if (!isHloPlacement(op)) {
      // Of those in a cycle the last one stays.
      continue;
    } else if (failed(checkPlacement(op))) {
      return failure();
    }
    op->replaceAllUsesWith(values);
    op->erase();
  }
  return success();
}
