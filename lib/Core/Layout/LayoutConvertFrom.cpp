//===- LayoutConvertFrom.cpp - From other notations to layouts ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks become tiles by a search for the shortest list:
//   1. Neighbouring blocks of one dimension are one block; blocks of 1 are
//      dropped.
//   2. With k tiles, each block has a key of k bits: bit i is set if tile i
//      moves it. Tiles move what they take after the rest and keep orders
//      otherwise, so the blocks end up sorted by key, then by where they began:
//      dimension by dimension in outer order, outer blocks first. Keys must
//      thus not decrease along the wanted order, and increase where it goes
//      against the order of beginning. Every block moves at least once, since
//      that is what pads its dimension.
//   3. What a tile takes from a physical dimension must be its minor end.
//   4. Of all keys that pass, those with the fewest tile entries are taken; of
//      these, those whose first tile has most, since readers look at that one.
//   5. Where four tiles are not enough, the keys are palindromes: these always
//      pass.
//
// Strides become one tile that pads each dimension to the next larger stride;
// a stride of the minor dimension above 1 is a further dimension of that size.
//
//===----------------------------------------------------------------------===//

#include "Layout/BlockedForm.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Blocks to tiles
//===----------------------------------------------------------------------===//

namespace {
/// Brings blocks into their order. Blocks are known by their place in it.
class TileSearch {
public:
  TileSearch(ArrayRef<int64_t> order, ArrayRef<DimBlock> blocks);

  SmallVector<Tile, 2> getTiles();

private:
  using Key = unsigned;
  /// The blocks of a physical dimension, from major to minor.
  using Group = SmallVector<size_t, 2>;

  bool moves(size_t block, unsigned step) const {
    return keys[block] >> step & 1;
  }
  void assign(size_t block, unsigned steps);
  std::optional<SmallVector<Tile, 2>> simulate(unsigned steps) const;
  bool appendTile(SmallVector<Group> &groups,
                  llvm::function_ref<bool(size_t)> isMoved,
                  SmallVector<Tile, 2> &tiles) const;

  SmallVector<DimBlock> blocks;
  /// The physical dimensions at the beginning.
  SmallVector<Group> start;
  /// Where each block begins, in the order of beginning.
  SmallVector<size_t> rank;
  SmallVector<Key> keys;
  /// How often the blocks from each one on go against the order of beginning.
  SmallVector<unsigned> descents;
  std::optional<SmallVector<Tile, 2>> best;
  size_t bestEntries = 0;
  unsigned budget = 0;
};
} // namespace

TileSearch::TileSearch(ArrayRef<int64_t> order, ArrayRef<DimBlock> wanted) {
  for (const DimBlock &block : wanted) {
    if (block.size == 1)
      continue;
    if (!blocks.empty() && blocks.back().dim == block.dim)
      blocks.back().size *= block.size;
    else
      blocks.push_back(block);
  }
  rank.resize(blocks.size());
  keys.resize(blocks.size(), 0);
  size_t next = 0;
  for (int64_t dim : order) {
    Group &group = start.emplace_back();
    for (size_t i = 0; i < blocks.size(); ++i)
      if (blocks[i].dim == dim) {
        rank[i] = next++;
        group.push_back(i);
      }
  }
  descents.resize(blocks.size(), 0);
  for (size_t i = blocks.size(); i-- > 1;)
    descents[i - 1] = descents[i] + (rank[i] < rank[i - 1]);
}

/// The tile that moves some blocks to the end; false if these are not the minor
/// ends of physical dimensions.
bool TileSearch::appendTile(SmallVector<Group> &groups,
                            llvm::function_ref<bool(size_t)> isMoved,
                            SmallVector<Tile, 2> &tiles) const {
  SmallVector<Group> inners;
  Tile tile;
  for (Group &group : groups) {
    auto *first = llvm::find_if(group, isMoved);
    if (!std::all_of(first, group.end(), isMoved))
      return false;
    if (tile.empty() && first == group.end())
      continue;
    int64_t size = 1;
    for (auto *block = first; block != group.end(); ++block)
      size *= blocks[*block].size;
    tile.push_back(size);
    inners.push_back(Group(first, group.end()));
    group.erase(first, group.end());
  }
  llvm::append_range(groups, inners);
  if (!tile.empty())
    tiles.push_back(std::move(tile));
  return true;
}

static size_t countEntries(ArrayRef<Tile> tiles) {
  size_t entries = 0;
  for (const Tile &tile : tiles)
    entries += tile.size();
  return entries;
}

std::optional<SmallVector<Tile, 2>> TileSearch::simulate(unsigned steps) const {
  SmallVector<Group> groups = start;
  SmallVector<Tile, 2> tiles;
  for (unsigned step = 0; step < steps; ++step)
    if (!appendTile(
            groups, [&](size_t block) { return moves(block, step); }, tiles))
      return std::nullopt;
  return tiles;
}

/// Tries all keys of the blocks from `block` on.
void TileSearch::assign(size_t block, unsigned steps) {
  if (budget == 0)
    return;
  if (block == blocks.size()) {
    --budget;
    std::optional<SmallVector<Tile, 2>> tiles = simulate(steps);
    if (!tiles)
      return;
    size_t entries = countEntries(*tiles);
    if (!best || entries < bestEntries ||
        (entries == bestEntries &&
         tiles->front().size() > best->front().size())) {
      bestEntries = entries;
      best = std::move(tiles);
    }
    return;
  }
  Key least = 1;
  if (block > 0)
    least = keys[block - 1] + (rank[block] < rank[block - 1]);
  // Leave a key for each time that later blocks go against the order.
  for (Key key = least; key + descents[block] < Key(1) << steps; ++key) {
    keys[block] = key;
    assign(block + 1, steps);
  }
}

/// The number whose `bits` binary digits are those of `half` and their mirror
/// image.
static unsigned getPalindrome(unsigned half, unsigned bits) {
  unsigned value = half;
  for (unsigned bit = bits / 2; bit-- > 0;)
    value = value << 1 | (half >> ((bits + 1) / 2 - 1 - bit) & 1);
  return value;
}

SmallVector<Tile, 2> TileSearch::getTiles() {
  if (blocks.empty())
    return {};
  // Palindromes are in the same order by their first and by their last bits,
  // so what they move is always the minor end: as many steps are enough.
  unsigned enough = 1;
  while ((1u << (enough + 1) / 2) - 1 < descents.front() + 1)
    enough += 2;
  for (unsigned steps = 1; steps <= std::min(4u, enough); ++steps) {
    budget = 4000;
    assign(0, steps);
    if (best)
      return *best;
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    keys[i] = getPalindrome(1 + descents.front() - descents[i], enough);
  return *simulate(enough);
}

std::optional<Layout> mlir::tensoraccess::buildLayout(ArrayRef<int64_t> shape,
                                                      const BlockedForm &form,
                                                      XlaType type,
                                                      std::string &reason) {
  const auto &[order, blocks] = form;
  SmallVector<int64_t> product(order.size(), 1);
  for (const DimBlock &block : blocks) {
    std::optional<int64_t> next = checkedMul(product[block.dim], block.size);
    if (!next) {
      reason = "the blocks of dimension " + std::to_string(block.dim) +
               " overflow 64-bit arithmetic";
      return std::nullopt;
    }
    product[block.dim] = *next;
  }
  Layout layout;
  layout.minorToMajor.assign(order.rbegin(), order.rend());
  layout.tiles = TileSearch(order, blocks).getTiles();
  layout = layout.withShape(shape, type);
  if (std::optional<std::string> problem = layout.verify()) {
    reason = std::move(*problem);
    return std::nullopt;
  }
  return layout;
}

//===----------------------------------------------------------------------===//
// linalg.pack
//===----------------------------------------------------------------------===//

/// What is wrong with the entries of a list of dimensions, each at most once.
static std::optional<std::string>
checkDims(StringRef list, ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    std::string entry = (list + " entry " + Twine(i)).str();
    if (dim < 0 || dim >= rank)
      return entry + " must lie in [0, " + std::to_string(rank - 1) +
             "], got " + std::to_string(dim);
    if (seen[dim])
      return entry + " repeats dimension " + std::to_string(dim);
    seen.set(dim);
  }
  return std::nullopt;
}

static std::optional<std::string> checkPack(int64_t rank,
                                            const PackParameters &pack) {
  if (pack.innerDimsPos.size() != pack.innerTiles.size())
    return "inner_tiles must have one entry per entry of inner_dims_pos, " +
           std::to_string(pack.innerDimsPos.size()) + ", got " +
           std::to_string(pack.innerTiles.size());
  if (auto problem = checkDims("inner_dims_pos", pack.innerDimsPos, rank))
    return problem;
  for (auto [i, size] : llvm::enumerate(pack.innerTiles))
    if (size < 1)
      return "inner_tiles entry " + std::to_string(i) +
             " must be positive, got " + std::to_string(size);
  if (pack.outerDimsPerm.empty())
    return std::nullopt;
  if (auto problem = checkDims("outer_dims_perm", pack.outerDimsPerm, rank))
    return problem;
  if (static_cast<int64_t>(pack.outerDimsPerm.size()) != rank)
    return "outer_dims_perm must have one entry per dimension, " +
           std::to_string(rank) + ", got " +
           std::to_string(pack.outerDimsPerm.size());
  return std::nullopt;
}

static SmallVector<int64_t> getOuterOrder(int64_t rank,
                                          const PackParameters &pack) {
  if (!pack.outerDimsPerm.empty())
    return pack.outerDimsPerm;
  auto identity = llvm::seq<int64_t>(0, rank);
  return SmallVector<int64_t>(identity.begin(), identity.end());
}

std::optional<BlockedForm>
mlir::tensoraccess::getBlockedForm(int64_t rank, const PackParameters &pack,
                                   std::string &reason) {
  if (std::optional<std::string> problem = checkPack(rank, pack)) {
    reason = std::move(*problem);
    return std::nullopt;
  }
  BlockedForm form;
  form.order = getOuterOrder(rank, pack);
  for (auto [dim, size] : llvm::zip_equal(pack.innerDimsPos, pack.innerTiles))
    form.blocks.push_back({dim, size});
  return form;
}

std::optional<Layout>
mlir::tensoraccess::layoutFromPack(ArrayRef<int64_t> shape,
                                   const PackParameters &pack, XlaType type,
                                   std::string &reason) {
  std::optional<BlockedForm> form = getBlockedForm(shape.size(), pack, reason);
  return form ? buildLayout(shape, *form, type, reason) : std::nullopt;
}

std::optional<Layout>
mlir::tensoraccess::layoutFromNest(ArrayRef<int64_t> shape,
                                   ArrayRef<NestDigit> nest, XlaType type,
                                   std::string &reason) {
  std::optional<Layout> layout;
  findBlockedForm(
      shape, nest,
      [&](const BlockedForm &form) {
        layout = buildLayout(shape, form, type, reason);
        return layout.has_value();
      },
      reason);
  return layout;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// Tiles for dimensions of these sizes and strides, major to minor.
/// std::nullopt and a reason if tiles can't express it.
static std::optional<SmallVector<Tile, 2>>
padToStrides(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape,
             ArrayRef<int64_t> strides, std::string &reason) {
  auto name = [](int64_t dim) { return "dimension " + std::to_string(dim); };
  // Places of a dimension: how often its stride goes into the next larger one.
  SmallVector<int64_t> places(dims.size(), 1);
  std::optional<size_t> major;
  std::optional<size_t> firstPadded;
  int64_t last = 1;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (shape[dim] == 1)
      continue;
    last = strides[dim];
    if (major) {
      int64_t above = dims[*major], ratio = strides[above] / last;
      if (strides[above] % last != 0) {
        reason = "the stride of " + name(above) +
                 " must be a multiple of the stride of " + name(dim) + ", " +
                 std::to_string(last) + ", got " +
                 std::to_string(strides[above]);
        return std::nullopt;
      }
      if (ratio < shape[dim]) {
        reason = "element 1 of " + name(above) + " and element " +
                 std::to_string(ratio) + " of " + name(dim) + " share number " +
                 std::to_string(strides[above]);
        return std::nullopt;
      }
      places[i] = ratio;
      if (ratio != shape[dim] && !firstPadded)
        firstPadded = i;
    } else {
      places[i] = shape[dim];
    }
    major = i;
  }

  SmallVector<Tile, 2> tiles;
  if (last > 1)
    tiles.push_back({1});
  Tile tile;
  if (firstPadded)
    tile.append(places.begin() + *firstPadded, places.end());
  if (last > 1)
    tile.push_back(last);
  if (!tile.empty())
    tiles.push_back(std::move(tile));
  return tiles;
}

std::optional<Layout>
mlir::tensoraccess::layoutFromStrides(ArrayRef<int64_t> shape,
                                      const StridedForm &strided, XlaType type,
                                      std::string &reason) {
  auto refuse = [&](const Twine &why) {
    reason = why.str();
    return std::nullopt;
  };
  int64_t rank = shape.size();
  Layout layout = Layout::rowMajor(rank).withShape(shape, type);
  layout.memorySpace = strided.memorySpace;
  if (std::optional<std::string> problem = layout.verify())
    return refuse(*problem);
  if (hasDynamicSize(shape))
    return refuse("strides need a static shape");
  if (static_cast<int64_t>(strided.strides.size()) != rank)
    return refuse("strides must have one entry per dimension, " + Twine(rank) +
                  ", got " + Twine(strided.strides.size()));
  if (strided.offset != 0)
    return refuse("a layout begins at its first element: offset must be 0, "
                  "got " +
                  Twine(strided.offset));
  if (strided.elements && *strided.elements < 0)
    return refuse("elements must be non-negative, got " +
                  Twine(*strided.elements));

  // Major to minor. Equal strides stay in the order of the dimensions, and an
  // array without elements has no strides.
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (!llvm::is_contained(shape, 0)) {
    for (auto [dim, stride] : llvm::enumerate(strided.strides))
      if (shape[dim] > 1 && stride < 1)
        return refuse("the stride of dimension " + Twine(dim) +
                      " must be positive, got " + Twine(stride));
    llvm::sort(dims, [&](int64_t a, int64_t b) {
      return std::pair(strided.strides[b], a) <
             std::pair(strided.strides[a], b);
    });
    layout.minorToMajor.assign(dims.rbegin(), dims.rend());
    std::optional<SmallVector<Tile, 2>> tiles =
        padToStrides(dims, shape, strided.strides, reason);
    if (!tiles)
      return std::nullopt;
    layout.tiles = std::move(*tiles);
  }
  std::optional<int64_t> needed = layout.getPaddedElements();
  if (!needed)
    return refuse("the padded shape overflows 64-bit arithmetic");
  if (!strided.elements || *strided.elements == *needed)
    return layout;
  if (*strided.elements < *needed)
    return refuse("the padding after the last element needs " + Twine(*needed) +
                  " elements of memory, got " + Twine(*strided.elements));
  if (*needed == 0)
    return refuse("an array without elements has no padding, got " +
                  Twine(*strided.elements) + " elements of memory");
  layout.tailAlignment = *strided.elements;
  return layout;
}
