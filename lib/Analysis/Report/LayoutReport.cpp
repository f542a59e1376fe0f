//===- LayoutReport.cpp - The section on layouts --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section `layouts`, for each value whose type has a layout:
//   layout    its padding, what it costs, and the layout in other notations;
//   tile      with the option sizes, the tile of these sizes at the origin:
//             its runs in memory, and the bytes that reading them moves;
//   exchange  a relayout between two linear layouts, of registers, lanes and warps:
//             whether elements change lanes or warps, and through which shared memory,
//             of 32 banks of 4 bytes.
// Options of the section: sizes, transaction_bytes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Core/BankedExchange.h"
#include "TensorAccess/Core/Coalescing.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/MemoryRuns.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<XlaType> mlir::tensoraccess::getStoredType(Type element) {
  if (isa<IndexType>(element))
    return XlaType::lookup("u64");
  std::optional<int64_t> bits = getValueBits(element);
  if (!bits)
    return std::nullopt;
  if (*bits == 1)
    return XlaType::lookup("pred");
  return XlaType::lookup((isa<ComplexType>(element) ? "c" : "u") +
                         std::to_string(*bits));
}

static std::string join(ArrayRef<int64_t> numbers) {
  return llvm::interleaved_array(numbers).str();
}

/// The layout as a pack, as a tag and as strides, where it is one.
static void addNotations(ReportItem &item, const Layout &layout) {
  std::string reason;
  if (std::optional<PackParameters> pack = toPack(layout, reason))
    item.label("Pack", "inner_dims_pos " + join(pack->innerDimsPos) +
                           ", inner_tiles " + join(pack->innerTiles) +
                           ", outer_dims_perm " + join(pack->outerDimsPerm));
  if (std::optional<std::string> tag = toBlockedTag(layout, reason))
    item.label("Tag", *tag);
  if (std::optional<SymbolicStrides> strided =
          toSymbolicStrides(layout, reason))
    item.label("Strides", strided->str());
}

static void addLayout(ReportContext &report, Value value, Location loc,
                      const Layout &layout) {
  std::string name = report.nameOf(value);
  std::optional<LayoutSizes> sizes = getSizes(layout);
  if (!sizes) {
    report.addMissed("layout", loc,
                     name + " has more bytes than 64 bits can count");
    return;
  }
  ReportItem &item = report.add("layout", loc);
  item.label("Value", name).label("Layout", layout.layoutStr());
  if (std::optional<LayoutWaste> waste = getWaste(layout)) {
    item.metric("Elements", waste->elements)
        .metric("PaddingElements", waste->getPaddingElements())
        .metric("UsedBytes", waste->usedBytes)
        .metric("SizeBytes", waste->sizeBytes)
        .ratio("Waste", waste->getRatio());
    if (std::optional<MemoryRuns> runs = getPadding(layout))
      item.metric("PaddingRuns", runs->getSummary().runs)
          .metric("LongestPadding", runs->getSummary().maxLength);
    item.say(name + " uses " + Twine(waste->usedBytes) + " of " +
             Twine(waste->sizeBytes) + " bytes");
  } else {
    item.label("SizeBytes", sizes->sizeBytes.str());
    std::optional<bool> isBijective = tensoraccess::isBijective(layout);
    item.say(name + " takes " + sizes->sizeBytes.str() + " bytes" +
             (isBijective == true    ? ", none of them padding"
              : isBijective == false ? ", some of them padding"
                                     : ""));
  }
  addNotations(item, layout);
}

static void addTile(ReportContext &report, Value value, Location loc,
                    const Layout &layout, ArrayRef<int64_t> sizes,
                    int64_t transactionBytes) {
  std::string name = report.nameOf(value);
  auto miss = [&](const Twine &reason) {
    report.addMissed("tile", loc, name + ": " + reason);
  };
  if (!layout.hasStaticShape())
    return miss("its sizes are not known");
  if (sizes.size() != layout.shape->size())
    return miss("it has rank " + Twine(layout.shape->size()) + ", got " +
                Twine(sizes.size()) + " sizes");
  SmallVector<int64_t> clipped;
  for (auto [size, extent] : llvm::zip_equal(sizes, *layout.shape))
    clipped.push_back(std::min(size, extent));
  std::string error;
  std::optional<TileBandwidth> bandwidth =
      getTileBandwidth(layout, clipped, SmallVector<int64_t>(sizes.size(), 1),
                       transactionBytes, error);
  if (!bandwidth)
    return miss(error);
  std::optional<MemoryRuns> runs = getRuns(layout, getWholeBox(clipped));
  if (!runs)
    return miss("its runs are too many to count");
  const RunSummary &summary = runs->getSummary();
  ReportItem &item = report.add("tile", loc);
  item.label("Value", name)
      .label("Sizes", join(clipped))
      .metric("Runs", summary.runs)
      .metric("ShortestRun", summary.minLength)
      .metric("LongestRun", summary.maxLength);
  if (std::optional<RunDescriptors> parts = runs->describe())
    item.metric("Descriptors", parts->parts.size());
  item.metric("BytesUsed", bandwidth->bytesUsed)
      .metric("BytesMoved", bandwidth->bytesMoved)
      .ratio("Utilization", bandwidth->getUtilization())
      .say("a tile of " + name + " is in " + Twine(summary.runs) +
           (summary.runs == 1 ? " run" : " runs") + " and uses " +
           Twine(bandwidth->bytesUsed) + " of " + Twine(bandwidth->bytesMoved) +
           " bytes moved");
}

static void addExchange(ReportContext &report, RelayoutOp op) {
  RankedTensorType from = op.getSource().getType(), to = op.getType();
  auto source = dyn_cast_or_null<LinearAttr>(from.getEncoding()),
       target = dyn_cast_or_null<LinearAttr>(to.getEncoding());
  std::optional<int64_t> bits = getValueBits(to.getElementType());
  if (!source || !target || !bits)
    return;
  if (from.getShape() != to.getShape() ||
      op.getPermutationOrIdentity() !=
          llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()))) {
    report.addMissed("exchange", op.getLoc(),
                     "indices change between the layouts");
    return;
  }
  std::string error;
  std::optional<BankedExchange> exchange =
      planExchange(source.getValue(), target.getValue(),
                   llvm::divideCeil(*bits, 8), BankedMemory(), error);
  if (!exchange) {
    report.addMissed("exchange", op.getLoc(), error);
    return;
  }
  ReportItem &item = report.add("exchange", op.getLoc());
  item.label("Way", describe(exchange->way))
      .label("Memory", exchange->memory.str());
  std::string accesses;
  auto add = [&](StringRef name, StringRef verb, const BankedAccess &access) {
    item.label((name + "Kind").str(), describe(access.kind))
        .metric((name + "Vector").str(), access.vector)
        .metric((name + "Cycles").str(), access.cycles)
        .metric(("Least" + name + "Cycles").str(), access.leastCycles)
        .metric((name + "Instructions").str(), access.instructions);
    accesses += (accesses.empty() ? "" : ", ") +
                (Twine(access.cycles) + " cycles to " + verb + " them, of " +
                 Twine(access.leastCycles) + " without conflicts, in " +
                 Twine(access.instructions) +
                 (access.kind == BankedAccess::Kind::Lanes ? " instructions"
                                                           : " of matrices"))
                    .str();
  };
  add("Store", "store", exchange->store);
  add("Load", "load", exchange->load);
  if (exchange->way == BankedExchange::Way::Memory)
    item.say("elements change warps: " + accesses);
  else
    item.say("elements stay in their warps, by " + describe(exchange->way));
}

void tensoraccess::reportLayouts(ReportContext &report) {
  int64_t transactionBytes = 128;
  (void)report.getOption("transaction_bytes")
      .getAsInteger(10, transactionBytes);
  SmallVector<int64_t> sizes;
  SmallVector<StringRef> texts;
  report.getOption("sizes").split(texts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : texts)
    if (text.getAsInteger(10, sizes.emplace_back()) || sizes.back() < 0) {
      report.addMissed("options", report.getFunction().getLoc(),
                       "sizes must not be negative, got '" + text + "'");
      return;
    }
  auto visit = [&](Value value, Location loc) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    auto attr =
        type ? dyn_cast_or_null<LayoutAttr>(type.getEncoding()) : LayoutAttr();
    if (!attr)
      return;
    std::optional<XlaType> stored = getStoredType(type.getElementType());
    if (!stored) {
      report.addMissed("layout", loc,
                       report.nameOf(value) +
                           " has elements of unknown size in memory");
      return;
    }
    Layout layout = attr.getValue().withShape(type.getShape(), *stored);
    addLayout(report, value, loc, layout);
    if (!sizes.empty())
      addTile(report, value, loc, layout, sizes, transactionBytes);
  };
  FunctionOpInterface function = report.getFunction();
  for (BlockArgument argument : function.getArguments())
    visit(argument, argument.getLoc());
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      visit(result, op->getLoc());
    if (auto relayout = dyn_cast<RelayoutOp>(op))
      addExchange(report, relayout);
  });
}
