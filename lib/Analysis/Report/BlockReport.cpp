//===- BlockReport.cpp - The section on blocks ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All sections, and `blocks`, for each op:
//   block     the block, what it touches together, and what it costs;
//   operand, captured, result
//             what it touches of each tensor;
//   growth    for each axis along which it can grow or has neighbours: what one
//             more index adds, what neighbours share, in bytes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockReport.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

ArrayRef<ReportSection> tensoraccess::getReportSections() {
  static const auto *sections = [] {
    auto *all = new std::vector<ReportSection>(getIndexingSections());
    all->push_back({"layouts",
                    "what layouts cost, and what reading a tile of them moves",
                    reportLayouts, nullptr, "transaction_bytes,sizes"});
    all->push_back({"blocks",
                    "what a block of each op touches, costs and shares",
                    reportBlocks, checkBlockOptions, "block_extent,model"});
    all->push_back({"masked", "operations that masks make idle", reportMasked});
    return all;
  }();
  return *sections;
}

static std::string printAxes(const BlockSpace &space) {
  std::string text;
  for (auto [a, axis] : llvm::enumerate(space.axes))
    text += (a ? ", " : "") + axis.name + " " +
            (axis.extent ? std::to_string(*axis.extent) : "?") +
            (axis.isReduction ? " summed" : "");
  return text;
}

static ReportItem &labelUnlessEmpty(ReportItem &item, StringRef name,
                                    const std::string &text) {
  return text.empty() ? item : item.label(name, text);
}

/// `[0, 8) x 2 + 2k + [0, 1), k < 4`.
static std::string printRows(const ProjectionFootprint &footprint) {
  return llvm::join(
      llvm::map_range(footprint.rows,
                      [](const RowLattice &row) { return row.str(); }),
      " x ");
}

/// What a block touches of one tensor.
static void addValue(ReportContext &report, const BlockSpace &space,
                     unsigned number, const ProjectionFootprint &footprint,
                     ArrayRef<BlockGrowth> growths, Location location) {
  const BlockValue &value = space.values[number];
  StringRef op = space.op->getName().getStringRef();
  StringRef role = describe(value.role);
  std::string why;
  if (value.reason != IndexingReason::None)
    why = describe(value.reason).str();
  else if (!footprint.hull)
    why = "it has no bound";
  else if (!footprint.count)
    why = llvm::any_of(
              value.maps,
              [](const BlockMap &map) { return map.map.getNumRuntime() != 0; })
              ? "it depends on runtime variables"
          : value.needsWholeReductions ? "a reduction is cut"
                                       : "it is too large to count";
  ReportItem &item = why.empty()
                         ? report.add(role, location)
                         : report.addMissed(role, location, op + ": " + why);
  std::string title = role.str();
  title[0] = llvm::toUpper(title[0]);
  item.label("Op", op).metric(title, uint64_t(value.number));
  if (const Projection *projection = value.getProjection())
    item.label("Projection", projection->str());
  else if (value.maps.size() == 1)
    item.label("NoProjection", value.maps[0].reason);
  else if (value.maps.size() > 1)
    item.label("NoProjection", Twine(value.maps.size()) + " maps lead there");
  if (footprint.hull)
    item.label("Hull", printBox(*footprint.hull))
        .label("HullKind", describe(footprint.kind))
        .optional("HullBytes", multiplyCounts(getVolume(*footprint.hull),
                                              value.elementBytes));
  std::optional<uint64_t> strided = footprint.getStridedCount();
  item.optional("Elements", footprint.count)
      .optional("Bytes", multiplyCounts(footprint.count, value.elementBytes))
      .optional("Waste", getWaste(footprint));
  if (strided && footprint.hull)
    labelUnlessEmpty(item, "Strided", printRows(footprint))
        .optional("StridedBytes", multiplyCounts(strided, value.elementBytes))
        .optional("StridedWaste",
                  footprint.count ? std::optional(*strided - *footprint.count)
                                  : std::nullopt);
  // `d0 12, d1 0`: a number for each axis that has one.
  for (auto [name, member] :
       {std::pair("Added", &BlockGrowth::OfValue::added),
        {"SharedNext", &BlockGrowth::OfValue::sharedNext},
        {"SharedPrevious", &BlockGrowth::OfValue::sharedPrevious}}) {
    std::string text;
    for (const BlockGrowth &growth : growths)
      if (std::optional<uint64_t> places = growth.values[number].*member)
        text += (text.empty() ? "" : ", ") + space.axes[growth.axis].name +
                " " + std::to_string(*places);
    labelUnlessEmpty(item, name, text);
  }
}

void mlir::tensoraccess::addBlockItems(ReportContext &report,
                                       const BlockSpace &space,
                                       const Box &block,
                                       const CostModel *model) {
  Location location = space.op->getLoc();
  StringRef op = space.op->getName().getStringRef();
  BlockFootprints footprints = getBlockFootprints(space, block);
  std::optional<BlockCost> cost;
  std::string error;
  if (model)
    cost = getBlockCost(space, block, footprints, *model, error);
  ReportItem &item =
      model && !cost ? report.addMissed("block", location, op + ": " + error)
                     : report.add("block", location);
  item.label("Op", op)
      .label("Axes", printAxes(space))
      .label("Block", printBox(block))
      .optional("Points", footprints.points)
      .optional("Operations", footprints.operations)
      .optional("BytesIn", footprints.bytesIn)
      .optional("BytesOut", footprints.bytesOut);
  if (cost)
    item.ratio("Seconds", cost->seconds)
        .ratio("ScratchBytes", cost->scratchBytes)
        .ratio("WorkingSet", cost->workingSet)
        .ratio("Cliff", cost->cliff)
        .ratio("PanelCliff", cost->panelCliff)
        .ratio("Joules", cost->joules);
  if (footprints.points && footprints.bytesIn && footprints.bytesOut)
    item.say("a block of " + Twine(*footprints.points) + " points reads " +
             Twine(*footprints.bytesIn) + " bytes and writes " +
             Twine(*footprints.bytesOut));

  std::vector<BlockGrowth> growths;
  for (unsigned a = 0, e = space.axes.size(); a != e; ++a) {
    BlockGrowth growth = getBlockGrowth(space, block, footprints, a);
    if (growth.hasNext || growth.hasPrevious)
      growths.push_back(std::move(growth));
  }
  for (unsigned v = 0, e = space.values.size(); v != e; ++v)
    addValue(report, space, v, footprints.values[v], growths, location);

  for (const BlockGrowth &growth : growths) {
    const unsigned a = growth.axis;
    ReportItem &axis = report.add("growth", location);
    axis.label("Op", op)
        .label("Axis", space.axes[a].name)
        .optional("AddedPoints", growth.points)
        .optional("AddedOperations", growth.operations)
        .optional("AddedBytesIn", growth.bytesIn)
        .optional("AddedBytesOut", growth.bytesOut);
    if (growth.hasNext && cost) {
      Box larger = block;
      ++larger.hi[a];
      std::optional<BlockCost> more = getBlockCost(
          space, larger, getBlockFootprints(space, larger), *model, error);
      if (more)
        axis.ratio("AddedSeconds", more->seconds - cost->seconds)
            .ratio("AddedScratchBytes", more->scratchBytes - cost->scratchBytes)
            .ratio("AddedJoules", more->joules - cost->joules);
    }
    axis.optional("SharedNext", growth.sharedNext)
        .optional("SharedPrevious", growth.sharedPrevious);
  }
}

bool mlir::tensoraccess::hasBlocks(Operation *op) {
  return op->getNumOperands() != 0 &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           return isa<ShapedType, AccessType>(type);
         });
}

//===----------------------------------------------------------------------===//
// The section
//===----------------------------------------------------------------------===//

/// The option `block_extent`; std::nullopt and `error` if it is wrong.
static std::optional<int64_t> readExtent(StringRef text, std::string &error) {
  int64_t extent = 0;
  if (text.empty())
    return 0;
  if (text.getAsInteger(10, extent) || extent < 0) {
    error = ("option 'block-extent' must not be negative, got '" + text + "'")
                .str();
    return std::nullopt;
  }
  return extent;
}

std::optional<std::string>
mlir::tensoraccess::checkBlockOptions(const ReportOptions &options) {
  std::string error;
  if (!readExtent(options.get("block_extent"), error) ||
      !readCostModel(options.get("model"), error))
    return error;
  return std::nullopt;
}

void tensoraccess::reportBlocks(ReportContext &report) {
  std::string error;
  BlockQuestion question;
  question.extent =
      readExtent(report.getOption("block_extent"), error).value_or(0);
  std::optional<CostModel> model =
      readCostModel(report.getOption("model"), error);
  report.forEachOp([&](Operation *op) {
    if (!hasBlocks(op))
      return;
    std::string why;
    std::optional<Box> block;
    std::optional<BlockSpace> space = getBlockSpace(op, report.getCache(), why);
    if (space)
      block = chooseBlock(*space, question, why);
    if (!block) {
      report
          .addMissed("block", op->getLoc(),
                     op->getName().getStringRef() + ": " + why)
          .label("Op", op->getName().getStringRef());
      return;
    }
    addBlockItems(report, *space, *block, model ? &*model : nullptr);
  });
}
