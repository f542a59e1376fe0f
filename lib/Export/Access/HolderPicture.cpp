//===- HolderPicture.cpp - Who holds what, and in which bank --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPicture.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Of words of four bytes.
static constexpr int64_t kBanks = 32;

/// A hue for each four lanes or banks, in which they get paler. Ink on any of them has
/// a contrast of at least 5.
static std::string getFill(int64_t number) {
  // Paul Tol's light scheme, told apart by the colour blind, too.
  static constexpr uint32_t kHues[] = {0x77aadd, 0xee8866, 0xeedd88, 0xffaabb,
                                       0x99ddff, 0x44bb99, 0xbbcc33, 0xaaaa00};
  static constexpr uint32_t kParts[] = {100, 74, 52, 34};
  const uint32_t hue = kHues[number / 4 % 8], part = kParts[number % 4];
  uint32_t mixed = 0;
  for (unsigned shift : {16, 8, 0}) {
    const uint32_t channel = hue >> shift & 0xff;
    mixed |= (255 - (255 - channel) * part / 100) << shift;
  }
  return llvm::formatv("#{0:x-6}", mixed).str();
}

static std::string join(ArrayRef<int64_t> values) {
  std::string text;
  for (auto [i, value] : llvm::enumerate(values))
    text += (i ? "," : "") + std::to_string(value);
  return text;
}

static std::string count(uint64_t number, StringRef what) {
  return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
}

/// The hues of the first `most` lanes or banks.
static std::vector<Key> getHues(int64_t most, StringRef what) {
  std::vector<Key> legends;
  for (int64_t first = 0; first < most; first += 4) {
    std::string range = std::to_string(first);
    if (const int64_t last = std::min(most, first + 4) - 1; last > first)
      range += "-" + std::to_string(last);
    legends.push_back(
        Key::swatch(getFill(first), (first ? "" : what.str()) + range));
  }
  return legends;
}

/// Tables of a whole array over its last two dimensions.
static Panel
makeTables(ArrayRef<int64_t> shape, const LayoutPictureOptions &options,
           const std::string &heading,
           llvm::function_ref<TableCell(ArrayRef<int64_t>)> makeCell) {
  const int rank = shape.size(), column = rank - 1,
            row = rank > 1 ? rank - 2 : -1;
  return makePlanes(
      shape, row, column,
      chooseIndices(row < 0 ? 1 : shape[row], 0, options.maxRows),
      chooseIndices(column < 0 ? 1 : shape[column], 0, options.maxColumns),
      options.maxPlanes, heading, makeCell);
}

/// Panels beside one another.
static Panel makeColumns(std::vector<Panel> columns) {
  Stack stack;
  stack.parts = std::move(columns);
  stack.isAcross = true;
  stack.gap = 44;
  return {{}, std::move(stack), {}};
}

namespace {
/// The inputs of a linear layout that are registers, lanes and warps; else numbers.
class Holders {
public:
  explicit Holders(const LinearLayout &layout) : layout(layout) {
    for (auto [i, input] : llvm::enumerate(layout.inputs))
      for (auto [name, place] :
           {std::pair("register", &reg), std::pair("lane", &lane),
            std::pair("warp", &warp), std::pair("block", &block)})
        if (input.name == name)
          *place = i;
  }

  bool areThreads() const { return reg || lane; }
  int64_t getSize(std::optional<size_t> input) const {
    return input ? layout.getInputSize(*input) : 1;
  }
  SmallVector<int64_t> getShape() const {
    SmallVector<int64_t> shape;
    for (size_t i = 0; i < layout.outputs.size(); ++i)
      shape.push_back(layout.getOutputSize(i));
    return shape;
  }
  TableCell getCell(ArrayRef<int64_t> index) const;
  std::vector<std::string> summarize() const;
  std::vector<Key> getLegends() const;

private:
  const LinearLayout &layout;
  std::optional<size_t> reg, lane, warp, block;
};
} // namespace

TableCell Holders::getCell(ArrayRef<int64_t> index) const {
  std::optional<uint64_t> word =
      layout.findInput(layout.pack(index, /*isOutput=*/true));
  TableCell cell;
  if (!word) {
    cell.isPadding = true;
    return cell;
  }
  const SmallVector<int64_t> values = layout.unpack(*word, /*isOutput=*/false);
  auto get = [&](std::optional<size_t> input) {
    return input ? values[*input] : 0;
  };
  if (!areThreads()) {
    cell.label = join(values);
    cell.fill = getFill(values.empty() ? 0 : values.front() % kBanks);
    return cell;
  }
  if (getSize(block) > 1)
    cell.label = "B" + std::to_string(get(block));
  cell.label += "T" + std::to_string(get(lane) + getSize(lane) * get(warp)) +
                ":" + std::to_string(get(reg));
  cell.fill = getFill(get(lane));
  cell.groups.push_back(get(warp) + getSize(warp) * get(block));
  return cell;
}

std::vector<std::string> Holders::summarize() const {
  std::vector<std::string> lines;
  const unsigned rank = layout.getRank(), held = layout.getNumInputBits(),
                 all = layout.getNumOutputBits();
  if (areThreads()) {
    std::string line = llvm::join(llvm::map_range(getShape(),
                                                  [](int64_t size) {
                                                    return std::to_string(size);
                                                  }),
                                  "x") +
                       " elements; " + count(getSize(warp), "warp") + " of " +
                       count(getSize(lane), "lane") + " with " +
                       count(getSize(reg), "register");
    if (getSize(block) > 1)
      line = line + ", in " + count(getSize(block), "block");
    lines.push_back(line);
  }
  if (rank < all)
    lines.push_back(
        count((uint64_t(1) << all) - (uint64_t(1) << rank), "element") +
        " not held");
  if (rank < held)
    lines.push_back("each element has " +
                    std::to_string(uint64_t(1) << (held - rank)) +
                    " holders, of which the first is shown");
  return lines;
}

std::vector<Key> Holders::getLegends() const {
  std::vector<Key> legends =
      areThreads() ? getHues(std::min<int64_t>(getSize(lane), 32), "lanes ")
                   : getHues(kBanks, "banks ");
  if (getSize(warp) > 1)
    legends.push_back(Key::border(0, "border of a warp"));
  return legends;
}

static std::string getHeading(const Holders &holders) {
  return holders.areThreads() ? "T thread:register" : "numbers";
}

/// The holders of the elements; of a memory also its places, with their indices.
static Picture drawLayout(const LinearLayout &layout,
                          const LayoutPictureOptions &options) {
  const Holders holders(layout);
  std::vector<Panel> columns = {makeTables(
      holders.getShape(), options, getHeading(holders),
      [&](ArrayRef<int64_t> index) { return holders.getCell(index); })};
  if (!holders.areThreads() && layout.inputs.size() == 1) {
    const int64_t numbers = layout.getInputSize(0),
                  width = std::min(
                      {numbers, kBanks,
                       int64_t(1) << llvm::Log2_64(options.maxColumns)});
    CellTable memory;
    llvm::append_range(memory.columns, llvm::seq<int64_t>(0, width));
    for (int64_t row : chooseIndices(numbers / width, 0, options.maxRows)) {
      memory.rows.push_back(row < 0 ? row : row * width);
      auto &cells = memory.cells.emplace_back(width);
      for (int64_t column = 0; row >= 0 && column < width; ++column) {
        SmallVector<int64_t> index = *layout.apply({row * width + column});
        cells[column].label = join(index);
        cells[column].fill = getFill(index.empty() ? 0 : index.back() % kBanks);
      }
    }
    columns.push_back(
        {{TextLine::heading("memory: indices")}, std::move(memory), {}});
  }
  return {layout.str(), "", holders.summarize(),
          makeColumns(std::move(columns)), holders.getLegends()};
}

/// A grid of numbers; borders are where the first mode of a list ends.
static Picture drawLayout(const StridedLayout &layout,
                          const LayoutPictureOptions &options) {
  SmallVector<int64_t> shape, steps;
  for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
    const StridedLayout mode = layout.getMode(dim);
    shape.push_back(mode.getSize());
    steps.push_back(mode.root.isList ? mode.getMode(0).getSize()
                                     : mode.getSize());
  }
  std::string summary = "size " + std::to_string(layout.getSize());
  if (std::optional<int64_t> cosize = layout.getCosize())
    summary += ", cosize " + std::to_string(*cosize);
  auto makeCell = [&](ArrayRef<int64_t> index) {
    int64_t number = 0, scale = 1, group = 0;
    for (auto [x, size, step] : llvm::zip_equal(index, shape, steps)) {
      number += x * scale;
      scale *= size;
      // Rows and columns of one plane are told apart by this.
      group = (group % (int64_t(1) << 31) << 31) + x / step;
    }
    TableCell cell;
    cell.groups = {group};
    std::optional<int64_t> value = layout.evaluate(number);
    cell.label = value ? std::to_string(*value) : "overflow";
    cell.fill = getFill(value ? (*value % kBanks + kBanks) % kBanks : 0);
    return cell;
  };
  return {layout.str(),
          "",
          {summary},
          makeTables(shape, options, "numbers", makeCell),
          getHues(kBanks, "banks ")};
}

std::optional<std::string>
tensoraccess::writeLayoutSvg(const StridedLayout &layout, raw_ostream &os,
                             const LayoutPictureOptions &options) {
  if (std::optional<std::string> wrong = checkOptions(options))
    return wrong;
  writeSvg(drawLayout(layout, options), os);
  return std::nullopt;
}

std::optional<std::string>
tensoraccess::writeLayoutText(const StridedLayout &layout, raw_ostream &os,
                              const LayoutPictureOptions &options) {
  if (std::optional<std::string> wrong = checkOptions(options))
    return wrong;
  print(drawLayout(layout, options), os, options.maxWidth);
  return std::nullopt;
}

std::optional<std::string>
tensoraccess::writeLayoutSvg(const LinearLayout &layout, raw_ostream &os,
                             const LayoutPictureOptions &options) {
  if (std::optional<std::string> wrong = checkOptions(options))
    return wrong;
  writeSvg(drawLayout(layout, options), os);
  return std::nullopt;
}

std::optional<std::string>
tensoraccess::writeLayoutText(const LinearLayout &layout, raw_ostream &os,
                              const LayoutPictureOptions &options) {
  if (std::optional<std::string> wrong = checkOptions(options))
    return wrong;
  print(drawLayout(layout, options), os, options.maxWidth);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

/// The offsets of what the first access of warp 0 names and is served at once.
static SmallVector<int64_t> getFirstAccess(const LinearLayout &layout,
                                           const BankedExchange &exchange,
                                           const BankedAccess &access,
                                           int64_t elementBytes,
                                           const BankedMemory &banks) {
  constexpr int64_t kRows = 8;
  const bool isMatrix = access.kind != BankedAccess::Kind::Lanes;
  const int64_t served =
      isMatrix ? kRows
               : std::max<int64_t>(1, banks.banks * banks.bankBytes /
                                          std::max(access.vector * elementBytes,
                                                   banks.bankBytes));
  SmallVector<int64_t> offsets;
  for (int64_t i = 0; i < served; ++i) {
    SmallVector<int64_t> point;
    bool exists = true;
    for (auto [number, input] : llvm::enumerate(layout.inputs)) {
      int64_t value = 0;
      if (access.kind == BankedAccess::Kind::Columns)
        value = input.name == "register" ? i & 1
                : input.name == "lane"   ? i >> 1
                                         : 0;
      else if (input.name == "lane")
        value = isMatrix ? i << 2 : i;
      exists &= value < layout.getInputSize(number);
      point.push_back(value);
    }
    if (!exists)
      break;
    const uint64_t element =
        layout.pack(*layout.apply(point), /*isOutput=*/true);
    if (std::optional<uint64_t> offset = exchange.memory.findInput(element))
      offsets.push_back(*offset);
  }
  return offsets;
}

std::optional<std::string> tensoraccess::writeBankedExchangeSvg(
    const LinearLayout &from, const LinearLayout &to,
    const BankedExchange &exchange, int64_t elementBytes,
    const BankedMemory &banks, raw_ostream &os,
    const LayoutPictureOptions &options) {
  if (std::optional<std::string> wrong = checkOptions(options))
    return wrong;
  // A cell is what both sides take at once, a word at least.
  const int64_t line = banks.banks * banks.bankBytes / elementBytes,
                all = exchange.memory.getInputSize(0),
                unit = std::min(
                    {std::max(
                         {std::min(exchange.store.vector, exchange.load.vector),
                          banks.bankBytes / elementBytes, int64_t(1)}),
                     line, all}),
                width = std::min(line, all) / unit;
  std::vector<Key> legend = Holders(from).getLegends();
  legend.push_back(
      Key::border(0, "in memory: what the first access serves at once"));
  const std::string way =
      exchange.way == BankedExchange::Way::Memory
          ? "through memory"
          : "by " + describe(exchange.way).str() + "; in memory it would be";
  Stack sides, memories;
  sides.gap = memories.gap = 14;
  for (auto [layout, access, isStore] :
       {std::tuple(&from, &exchange.store, true),
        std::tuple(&to, &exchange.load, false)}) {
    const Holders holders(*layout);
    sides.parts.push_back(makeTables(
        holders.getShape(), options,
        (isStore ? "who holds it: " : "who needs it: ") + getHeading(holders),
        [&](ArrayRef<int64_t> index) { return holders.getCell(index); }));
    llvm::DenseSet<int64_t> first;
    for (int64_t offset :
         getFirstAccess(*layout, exchange, *access, elementBytes, banks))
      first.insert(offset / unit);
    CellTable memory;
    for (int64_t column = 0; column < width; ++column)
      memory.columns.push_back(column * unit * elementBytes / banks.bankBytes);
    for (int64_t row :
         chooseIndices(llvm::divideCeil(all, line), 0, options.maxRows)) {
      memory.rows.push_back(row);
      auto &cells = memory.cells.emplace_back(width);
      for (int64_t column = 0; row >= 0 && column < width; ++column) {
        const int64_t number = row * width + column;
        cells[column] =
            holders.getCell(*exchange.memory.apply({number * unit}));
        cells[column].groups = {first.contains(number)};
      }
    }
    const std::string heading =
        llvm::formatv("banks, by who {0}: {1} of {2}, {3}, {4}",
                      isStore ? "stores" : "loads", describe(access->kind),
                      count(access->vector, "element"),
                      count(access->cycles, "cycle"),
                      count(access->getConflicts(), "conflict"))
            .str();
    memories.parts.push_back(
        {{TextLine::heading(heading)}, std::move(memory), {}});
  }
  writeSvg(
      {"from " + from.str(),
       "",
       {"to " + to.str(), way + ": elements of " + count(elementBytes, "byte") +
                              ", " + count(banks.banks, "bank") + " of " +
                              count(banks.bankBytes, "byte")},
       makeColumns({{{}, std::move(sides), {}}, {{}, std::move(memories), {}}}),
       std::move(legend)},
      os);
  return std::nullopt;
}
