//===- ProjectionPicture.cpp - What a block touches, drawn ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Two dimensions of the tensor are drawn, those with the longest hull, and
//      the two axes of the index space that move them. A square is a place, or
//      a box of them where there are too many.
//   2. A square is touched if the projection's drawn rows send a point of the
//      block there: the preimage of the square is not empty.
//   3. Squares out of bounds get the letter of their policy; elements in bounds
//      that are needed but not touched are needed through a policy.
//
//===----------------------------------------------------------------------===//

#include "Canvas/Figures.h"
#include "Canvas/Panel.h"
#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Export/Pictures.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kGap = 70;
constexpr int64_t kMaxSquares = 28, kMaxNumber = int64_t(1) << 60;
constexpr uint64_t kBudget = 1 << 14;
constexpr StringLiteral kBlock = "#9ad1f2", kNext = "#fbe3c0",
                        kNeeded = "#e6b3cf", kForbidden = "#fca5a5",
                        kOwned = "#047857";

class Drawing {
public:
  Drawing(const Projection &projection, const Box &block,
          const ProjectionPictureOptions &options,
          const ProjectionFootprint &footprint)
      : projection(projection), block(block), options(options),
        footprint(footprint) {}
  std::optional<std::string> prepare();
  Picture finish();

private:
  void chooseNext();
  void chooseViews();
  void describe();
  bool touches(const Box &square, const Box &points) const;
  /// What the policies map a square out of bounds to; 0 inside.
  char policyOf(const Box &square) const;
  Plane drawIndexSpace() const;
  Plane drawTensor();
  std::vector<Key> makeLegend() const;

  const Projection &projection;
  const Box &block;
  const ProjectionPictureOptions &options;
  const ProjectionFootprint &footprint;
  std::optional<size_t> axis;
  std::optional<Box> next;
  /// The drawn rows alone.
  Projection sub;
  View rows, columns, indexRows, indexColumns;
  std::optional<OutOfBoundsRegion> region;
  std::string problem;
  SmallVector<std::string> indexLines, tensorLines;
  /// What occurs in the tensor.
  std::string letters;
  bool hasNeeded = false, hasShared = false;
};

} // namespace

/// The axis along which a block shares most with the next one, and that one.
void Drawing::chooseNext() {
  if (options.owned || block.isEmpty())
    return;
  axis = options.axis;
  if (!axis) {
    uint64_t most = 0;
    for (size_t a = 0; a < projection.getNumColumns(); ++a) {
      const bool moves = llvm::any_of(
          projection.matrix, [&](const auto &row) { return row[a] != 0; });
      GrowthCost growth = getGrowth(projection, block, a, kBudget);
      const uint64_t shared = growth.shared.value_or(0);
      if (moves && (!axis || shared > most)) {
        axis = a;
        most = shared;
      }
    }
  }
  if (!axis)
    return;
  next = block;
  next->lo[*axis] = block.hi[*axis];
  next->hi[*axis] = block.hi[*axis] + (block.hi[*axis] - block.lo[*axis]);
}

std::optional<std::string> Drawing::prepare() {
  auto isFar = [](const Box &box) {
    return llvm::any_of(
        llvm::concat<const int64_t>(box.lo, box.hi),
        [](int64_t x) { return x > kMaxNumber || x < -kMaxNumber; });
  };
  if (isFar(block) || isFar(*footprint.hull) ||
      (options.sizes && isFar({{},
                               SmallVector<int64_t>(options.sizes->begin(),
                                                    options.sizes->end())})))
    return std::string("numbers beyond 2^60 are not drawn");
  chooseNext();
  if (next) {
    ProjectionFootprint beside = getFootprint(projection, *next, kBudget);
    if (!beside.hull || isFar(*beside.hull))
      next.reset();
  }
  if (options.sizes)
    region = getOutOfBoundsRegion(projection, block, *options.sizes, problem,
                                  kBudget);
  chooseViews();
  describe();
  return std::nullopt;
}

void Drawing::chooseViews() {
  Box hull = *footprint.hull;
  if (next)
    hull =
        *getBoundingBox({hull, *getFootprint(projection, *next, kBudget).hull});
  auto moves = [&](int d) {
    return llvm::any_of(projection.matrix[d], [](int64_t m) { return m != 0; });
  };
  const SmallVector<int, 2> order =
      chooseTwo(projection.getNumRows(), [&](int d) {
        return std::pair(!moves(d), hull.lo[d] - hull.hi[d]);
      });
  auto view = [&](int d) {
    std::optional<int64_t> size;
    if (options.sizes)
      size = (*options.sizes)[d];
    return View::around(d, hull.lo[d], hull.hi[d], size, kMaxSquares);
  };
  columns = view(order.back());
  if (order.size() == 2)
    rows = view(order.front());
  for (int d : order) {
    sub.matrix.push_back(projection.matrix[d]);
    sub.offset.push_back(projection.offset[d]);
    sub.shape.push_back(projection.shape[d]);
  }
  if (projection.anchor) {
    sub.anchor.emplace();
    for (int d : order)
      sub.anchor->push_back((*projection.anchor)[d]);
  }
  // Axes: those that move what is drawn first, then the longest.
  const SmallVector<int, 2> axes =
      chooseTwo(projection.getNumColumns(), [&](int x) {
        const bool isMoving = llvm::any_of(
            sub.matrix, [&](const auto &row) { return row[x] != 0; });
        return std::tuple(!(axis && size_t(x) == *axis), !isMoving,
                          block.lo[x] - block.hi[x]);
      });
  auto indexView = [&](int a) {
    return View::around(a, block.lo[a], next ? next->hi[a] : block.hi[a],
                        std::nullopt, kMaxSquares);
  };
  if (!axes.empty())
    indexColumns = indexView(axes.back());
  if (axes.size() == 2)
    indexRows = indexView(axes.front());
}

void Drawing::describe() {
  indexLines.push_back("block " + printBox(block));
  if (next)
    indexLines.push_back("next along axis " + std::to_string(*axis) + ": " +
                         printBox(*next));
  auto drawn = [](const View &view, StringRef what, StringRef name,
                  SmallVectorImpl<std::string> &lines) {
    if (view.dim < 0)
      return;
    std::string line = (what + ": " + name + " " + Twine(view.dim)).str() +
                       ", " + std::to_string(view.begin) + " to " +
                       std::to_string(view.end - 1);
    if (view.scale > 1)
      line += ", " + std::to_string(view.scale) + " a square";
    lines.push_back(line);
  };
  drawn(indexRows, "down", "axis", indexLines);
  drawn(indexColumns, "across", "axis", indexLines);

  std::string count = "hull " + printBox(*footprint.hull);
  tensorLines.push_back(count);
  count = footprint.count ? printCount(*footprint.count) : "unknown";
  if (std::optional<uint64_t> volume = getVolume(*footprint.hull))
    count = footprint.count == volume
                ? "all its " + count
                : count + " of its " + printCount(*volume);
  tensorLines.push_back(count + " places are touched");
  if (!llvm::all_of(footprint.rows,
                    [](const RowLattice &row) { return row.isDense(); })) {
    std::string text;
    for (auto [d, row] : llvm::enumerate(footprint.rows))
      text += (d ? "; d" : "d") + std::to_string(d) + ": " + row.str();
    tensorLines.push_back(Sheet::elide(text, 80));
  }
  if (next) {
    GrowthCost growth = getGrowth(projection, block, *axis, kBudget);
    if (growth.shared)
      tensorLines.push_back(
          printCount(*growth.shared) + " shared with the next block" +
          (growth.added ? "; one more index adds " + printCount(*growth.added)
                        : std::string()));
  }
  if (!problem.empty())
    tensorLines.push_back(problem);
  if (region && region->elements.count) {
    std::string text = printCount(*region->elements.count) +
                       " elements are needed of " + printShape(*options.sizes);
    if (region->padded && *region->padded)
      text += ", " + printCount(*region->padded) + " places are padding";
    tensorLines.push_back(text);
  }
  if (options.owned) {
    tensorLines.push_back("owned " + printBox(*options.owned));
    std::string error;
    if (auto halo = getHalo(projection, block, *options.owned, *options.sizes,
                            error, kBudget)) {
      auto list = [](ArrayRef<int64_t> values) {
        std::string text;
        for (int64_t value : values)
          text += (text.empty() ? "" : ", ") + std::to_string(value);
        return text;
      };
      tensorLines.push_back(
          "halo below " + list(halo->lo) + ", above " + list(halo->hi) +
          (halo->remote
               ? "; " + printCount(*halo->remote) + " elements of others"
               : std::string()));
    }
  }
  drawn(rows, "down", "dimension", tensorLines);
  drawn(columns, "across", "dimension", tensorLines);
  std::string others;
  for (int d = 0; d < int(projection.getNumRows()); ++d)
    if (d != rows.dim && d != columns.dim)
      others += (others.empty() ? "" : ", ") + std::to_string(d);
  if (!others.empty())
    tensorLines.push_back("not drawn: dimension " + others);
}

//===----------------------------------------------------------------------===//
// Squares
//===----------------------------------------------------------------------===//

/// The box of the drawn dimensions that a square stands for.
static Box getSquare(const View &rows, const View &columns, int r, int c) {
  Box box;
  for (auto [view, i] : {std::pair(&rows, r), {&columns, c}}) {
    if (view->dim < 0)
      continue;
    auto [lo, hi] = view->square(i);
    box.lo.push_back(lo);
    box.hi.push_back(hi);
  }
  return box;
}

bool Drawing::touches(const Box &square, const Box &points) const {
  Footprint preimage =
      getPreimage(sub, square, points, /*contained=*/false, kBudget);
  if (preimage.count)
    return *preimage.count != 0;
  return preimage.hull && !preimage.hull->isEmpty();
}

char Drawing::policyOf(const Box &square) const {
  if (!options.sizes)
    return 0;
  char letter = 0;
  size_t i = 0;
  for (const View *view : {&rows, &columns}) {
    if (view->dim < 0)
      continue;
    const int64_t size = (*options.sizes)[view->dim];
    const int64_t lo = square.lo[i], hi = square.hi[i];
    ++i;
    if (hi > 0 && lo < size)
      continue;
    OutOfBounds::Kind kind = projection.getOutOfBounds(view->dim).kind;
    int64_t place = hi <= 0 ? hi - 1 : lo;
    Resolved::Kind resolved = resolvePlace(kind, size, place);
    if (resolved == Resolved::Kind::Forbidden)
      return 'f';
    if (resolved == Resolved::Kind::Pad)
      letter = 'p';
    else if (letter == 0)
      letter = kind == OutOfBounds::Kind::Wrap       ? 'w'
               : kind == OutOfBounds::Kind::Negative ? 'n'
                                                     : 'c';
  }
  return letter;
}

static bool meets(const Box &square, const Box &box, const View &rows,
                  const View &columns) {
  if (box.isEmpty())
    return false;
  size_t i = 0;
  for (const View *view : {&rows, &columns}) {
    if (view->dim < 0)
      continue;
    if (square.lo[i] >= box.hi[view->dim] || square.hi[i] <= box.lo[view->dim])
      return false;
    ++i;
  }
  return true;
}

static std::string spell(char letter) {
  return letter == 'f' ? std::string("×") : std::string(1, letter);
}

static Area makeSquare(std::pair<int64_t, int64_t> rows,
                       std::pair<int64_t, int64_t> columns, StringRef fill,
                       bool isHatched = false) {
  return {{rows.first, rows.second},
          {columns.first, columns.second},
          Look::framed(fill, color::rule, isHatched)};
}

Plane Drawing::drawIndexSpace() const {
  Plane plane;
  plane.rows = {indexRows.makeAxis(/*hasTicks=*/true)};
  plane.columns = {indexColumns.makeAxis(/*hasTicks=*/true)};
  auto isInside = [&](const Box &box, int r, int c) {
    return meets(getSquare(indexRows, indexColumns, r, c), box, indexRows,
                 indexColumns);
  };
  for (int r = 0; r < indexRows.count(); ++r)
    for (int c = 0; c < indexColumns.count(); ++c)
      plane.areas.push_back(makeSquare(
          indexRows.square(r), indexColumns.square(c),
          isInside(block, r, c)           ? StringRef(kBlock)
          : next && isInside(*next, r, c) ? StringRef(kNext)
                                          : StringRef(color::faint)));
  return plane;
}

Plane Drawing::drawTensor() {
  Plane plane;
  plane.rows = {rows.makeAxis(/*hasTicks=*/true)};
  plane.columns = {columns.makeAxis(/*hasTicks=*/true)};
  for (int r = 0; r < rows.count(); ++r)
    for (int c = 0; c < columns.count(); ++c) {
      const Box square = getSquare(rows, columns, r, c);
      const bool isTouched = touches(square, block);
      const bool isNext = next && touches(square, *next);
      auto add = [&](StringRef fill, bool isHatched) -> Area & {
        hasShared |= isHatched;
        plane.areas.push_back(
            makeSquare(rows.square(r), columns.square(c), fill, isHatched));
        return plane.areas.back();
      };
      if (const char letter = policyOf(square)) {
        // Out of bounds: only what is touched is of interest.
        if (!isTouched && !isNext)
          continue;
        Area &area = add(letter == 'f' ? StringRef(kForbidden)
                         : isTouched   ? StringRef(kBlock)
                                       : StringRef(kNext),
                         isTouched && isNext);
        area.label = spell(letter);
        area.isBold = true;
        if (letters.find(letter) == std::string::npos)
          letters += letter;
        continue;
      }
      auto isIn = [&](const Box &box) {
        return meets(square, box, rows, columns);
      };
      const bool isBehind =
          !isTouched && region && llvm::any_of(region->boxes, isIn);
      const bool isRemote =
          options.owned && (isTouched || isBehind) && !isIn(*options.owned);
      hasNeeded |= isBehind;
      add(isTouched  ? StringRef(kBlock)
          : isBehind ? StringRef(kNeeded)
          : isNext   ? StringRef(kNext)
                     : StringRef(color::faint),
          isRemote || (isTouched && isNext));
    }
  // The tensor's frame and what is owned.
  auto frame = [&](const Box &box, StringRef stroke, int inset) {
    auto stretch = [&](const View &view) -> Stretch {
      if (view.dim < 0)
        return {0, 1, 0, inset};
      return {box.lo[view.dim], box.hi[view.dim], 0, inset};
    };
    plane.areas.push_back(
        {stretch(rows), stretch(columns), Look::frame(stroke, 2)});
  };
  if (options.sizes)
    frame(getWholeBox(*options.sizes), color::ink, 0);
  if (options.owned)
    frame(*options.owned, kOwned, 2);
  return plane;
}

std::vector<Key> Drawing::makeLegend() const {
  std::vector<Key> keys;
  auto add = [&](StringRef fill, StringRef text, bool isHatched = false) {
    keys.push_back(Key::swatch(fill, text, isHatched));
  };
  add(kBlock, "the block");
  if (next)
    add(kNext, "the next block");
  if (hasShared)
    add(kBlock, options.owned ? "needed, not owned" : "touched by both", true);
  if (hasNeeded)
    add(kNeeded, "needed through a policy");
  for (auto [letter, text] : {std::pair('w', "wraps to the other end"),
                              {'n', "counts from the end"},
                              {'c', "the nearest element instead"},
                              {'p', "padding"},
                              {'f', "forbidden"}}) {
    if (letters.find(letter) == std::string::npos)
      continue;
    add(letter == 'f' ? kForbidden : kBlock, text);
    keys.back().letter = spell(letter);
  }
  if (options.owned)
    keys.push_back({Look::frame(kOwned, 2), "owned"});
  return keys;
}

Picture Drawing::finish() {
  auto panel = [](StringRef heading, Plane plane,
                  ArrayRef<std::string> lines) -> Panel {
    std::vector<TextLine> notes;
    for (const std::string &line : lines)
      notes.push_back(TextLine::note(Sheet::elide(line, 90)));
    return {{TextLine::heading(heading)}, std::move(plane), std::move(notes)};
  };
  Stack panels;
  panels.isAcross = true;
  panels.gap = kGap;
  panels.parts = {panel("index space", drawIndexSpace(), indexLines),
                  panel("tensor", drawTensor(), tensorLines)};
  Picture picture;
  picture.title = Sheet::elide(projection.str(), 110);
  picture.description =
      llvm::join(indexLines, "; ") + "; " + llvm::join(tensorLines, "; ");
  picture.body.content = std::move(panels);
  picture.legend = makeLegend();
  return picture;
}

std::optional<std::string> mlir::tensoraccess::writeProjectionSvg(
    const Projection &projection, const Box &block, llvm::raw_ostream &os,
    const ProjectionPictureOptions &options) {
  if (std::optional<std::string> problem = projection.verify())
    return problem;
  if (projection.getNumRows() == 0)
    return std::string("a projection without dimensions has no picture");
  if (std::optional<std::string> problem = verifyBox(block))
    return problem;
  if (block.lo.size() != projection.getNumColumns())
    return "the projection has " + std::to_string(projection.getNumColumns()) +
           " columns, got a block of rank " + std::to_string(block.lo.size());
  if (options.axis && *options.axis >= projection.getNumColumns())
    return "axis " + std::to_string(*options.axis) + " must be in [0, " +
           std::to_string(projection.getNumColumns()) + ")";
  if (options.axis && options.owned)
    return std::string("give an axis or what is owned, not both");
  if (options.sizes) {
    if (options.sizes->size() != projection.getNumRows())
      return "the projection has " + std::to_string(projection.getNumRows()) +
             " rows, got " + std::to_string(options.sizes->size()) + " sizes";
    for (auto [d, size] : llvm::enumerate(*options.sizes))
      if (size < 0)
        return "size " + std::to_string(d) + " must not be negative, got " +
               std::to_string(size);
  }
  if (options.owned) {
    if (!options.sizes)
      return std::string("what is owned needs the sizes of the tensor");
    // Says what is wrong with the box; what policies forbid is drawn.
    if (options.owned->lo.size() != projection.getNumRows())
      return "the projection has " + std::to_string(projection.getNumRows()) +
             " rows, but what is owned has rank " +
             std::to_string(options.owned->lo.size());
    if (std::optional<std::string> problem = verifyBox(*options.owned))
      return problem;
    Box inside = intersectBoxes(*options.owned, getWholeBox(*options.sizes));
    if (!options.owned->isEmpty() && !(inside == *options.owned))
      return "what is owned, " + printBox(*options.owned) +
             ", must lie in the tensor " +
             printBox(getWholeBox(*options.sizes));
  }
  ProjectionFootprint footprint = getFootprint(projection, block);
  if (!footprint.hull)
    return describeOverflow(projection, block);
  Drawing drawing(projection, block, options, footprint);
  if (std::optional<std::string> problem = drawing.prepare())
    return problem;
  writeSvg(drawing.finish(), os);
  return std::nullopt;
}
