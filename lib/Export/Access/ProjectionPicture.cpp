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

#include "Canvas/ShardDrawing.h"
#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Export/Pictures.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kCell = 17, kGap = 70;
constexpr int64_t kMaxSquares = 28, kMaxNumber = int64_t(1) << 60;
constexpr uint64_t kBudget = 1 << 14;
constexpr StringLiteral kBlock = "#9ad1f2", kNext = "#fbe3c0",
                        kNeeded = "#e6b3cf", kForbidden = "#fca5a5",
                        kOwned = "#047857";

/// The stretch of a dimension or an axis that is drawn, in squares.
struct View {
  int dim = -1; ///< -1: there is none; one square.
  int64_t begin = 0, end = 1, scale = 1;

  /// Around [lo, hi), and all of [0, size) if it fits.
  static View make(int dim, int64_t lo, int64_t hi,
                   std::optional<int64_t> size);
  int count() const { return static_cast<int>((end - begin) / scale); }
  /// The places of a square.
  std::pair<int64_t, int64_t> square(int i) const {
    return {begin + i * scale, begin + (i + 1) * scale};
  }
  int position(int64_t place) const {
    return static_cast<int>((std::clamp(place, begin, end) - begin) * kCell /
                            scale);
  }
};

class Picture {
public:
  Picture(const Projection &projection, const Box &block,
          const ProjectionPictureOptions &options,
          const ProjectionFootprint &footprint)
      : projection(projection), block(block), options(options),
        footprint(footprint) {}
  std::optional<std::string> prepare();
  void write(llvm::raw_ostream &os);

private:
  void chooseNext();
  void chooseViews();
  void describe();
  bool touches(const Box &square, const Box &points) const;
  /// What the policies map a square out of bounds to; 0 inside.
  char policyOf(const Box &square) const;
  bool isNeeded(const Box &square) const;
  bool isOwned(const Box &square) const;
  Box squareAt(int r, int c) const;
  void drawIndexSpace(int x, int y);
  void drawTensor(int x, int y);
  void drawSquare(int x, int y, StringRef fill, bool isHatched, char letter);
  void drawTicks(int x, int y, const View &down, const View &across);
  int drawLines(int x, int y, ArrayRef<std::string> lines);
  int drawLegend(int y);

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
  std::string letters;
  bool hasNeeded = false, hasNext = false, hasShared = false;
  SvgCanvas canvas;
  int width = 0;
};

} // namespace

View View::make(int dim, int64_t lo, int64_t hi, std::optional<int64_t> size) {
  View view;
  view.dim = dim;
  hi = std::max(hi, lo + 1);
  const int64_t low = size ? std::min<int64_t>(lo, 0) : lo;
  const int64_t high = size ? std::max(hi, *size) : hi;
  if (high - low <= kMaxSquares) {
    view.begin = low;
    view.end = high;
    return view;
  }
  if (hi - lo <= kMaxSquares) {
    // What is touched, with as much around as there is room.
    view.begin =
        std::max(low, lo - std::min<int64_t>(2, kMaxSquares - (hi - lo)));
    view.end = std::min(high, view.begin + kMaxSquares);
    view.begin = std::max(low, view.end - kMaxSquares);
    return view;
  }
  while ((hi - lo + view.scale - 1) / view.scale >= kMaxSquares)
    view.scale *= 2;
  const int64_t k = view.scale;
  view.begin = (lo >= 0 ? lo / k : -((-lo + k - 1) / k)) * k;
  view.end = view.begin + (hi - view.begin + k - 1) / k * k;
  return view;
}

/// The axis along which a block shares most with the next one, and that one.
void Picture::chooseNext() {
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

std::optional<std::string> Picture::prepare() {
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

void Picture::chooseViews() {
  const int rank = static_cast<int>(projection.getNumRows());
  Box hull = *footprint.hull;
  if (next)
    hull =
        *getBoundingBox({hull, *getFootprint(projection, *next, kBudget).hull});
  auto moves = [&](int d) {
    return llvm::any_of(projection.matrix[d], [](int64_t m) { return m != 0; });
  };
  auto order = llvm::to_vector<4>(llvm::seq<int>(0, rank));
  llvm::sort(order, [&](int a, int b) {
    auto key = [&](int d) {
      return std::tuple(!moves(d), hull.lo[d] - hull.hi[d], d);
    };
    return key(a) < key(b);
  });
  order.resize(std::min(rank, 2));
  llvm::sort(order);
  auto view = [&](int d) {
    std::optional<int64_t> size;
    if (options.sizes)
      size = (*options.sizes)[d];
    return View::make(d, hull.lo[d], hull.hi[d], size);
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
  auto axes = llvm::to_vector<4>(llvm::seq<int>(0, projection.getNumColumns()));
  llvm::sort(axes, [&](int a, int b) {
    auto key = [&](int x) {
      const bool isMoving = llvm::any_of(
          sub.matrix, [&](const auto &row) { return row[x] != 0; });
      return std::tuple(!(axis && size_t(x) == *axis), !isMoving,
                        block.lo[x] - block.hi[x], x);
    };
    return key(a) < key(b);
  });
  axes.resize(std::min<size_t>(axes.size(), 2));
  llvm::sort(axes);
  auto indexView = [&](int a) {
    return View::make(a, block.lo[a], next ? next->hi[a] : block.hi[a],
                      std::nullopt);
  };
  if (!axes.empty())
    indexColumns = indexView(axes.back());
  if (axes.size() == 2)
    indexRows = indexView(axes.front());
}

void Picture::describe() {
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
    tensorLines.push_back(SvgCanvas::elide(text, 80));
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
Box Picture::squareAt(int r, int c) const {
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

bool Picture::touches(const Box &square, const Box &points) const {
  Footprint preimage =
      getPreimage(sub, square, points, /*contained=*/false, kBudget);
  if (preimage.count)
    return *preimage.count != 0;
  return preimage.hull && !preimage.hull->isEmpty();
}

char Picture::policyOf(const Box &square) const {
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

bool Picture::isNeeded(const Box &square) const {
  return region && llvm::any_of(region->boxes, [&](const Box &box) {
           return meets(square, box, rows, columns);
         });
}

bool Picture::isOwned(const Box &square) const {
  return options.owned && meets(square, *options.owned, rows, columns);
}

static std::string spell(char letter) {
  return letter == 'f' ? std::string("×") : std::string(1, letter);
}

void Picture::drawSquare(int x, int y, StringRef fill, bool isHatched,
                         char letter) {
  canvas.rect(x, y, kCell, kCell, fill, color::rule);
  if (isHatched)
    canvas.rect(x, y, kCell, kCell, "url(#padding)");
  if (!letter)
    return;
  canvas.text(x + kCell / 2 - 3, y + kCell / 2 + 4, spell(letter), 11,
              color::ink,
              /*bold=*/true);
}

void Picture::drawTicks(int x, int y, const View &down, const View &across) {
  int free = 0;
  if (across.dim >= 0)
    for (int c = 0; c < across.count(); ++c) {
      const std::string text = std::to_string(across.square(c).first);
      const int left = x + c * kCell + 1;
      if (left < free)
        continue;
      free = canvas.text(left, y - 4, text, 9, color::muted) + 4;
      width = std::max(width, free + kSheetMargin);
    }
  if (down.dim >= 0)
    for (int r = 0; r < down.count(); ++r) {
      const std::string text = std::to_string(down.square(r).first);
      canvas.text(x - 5 - SvgCanvas::textWidth(text, 9),
                  y + r * kCell + kCell / 2 + 3, text, 9, color::muted);
    }
}

void Picture::drawIndexSpace(int x, int y) {
  auto inside = [&](const Box &box, int r, int c) {
    if (box.isEmpty())
      return false;
    for (auto [view, i] : {std::pair(&indexRows, r), {&indexColumns, c}}) {
      if (view->dim < 0)
        continue;
      auto [lo, hi] = view->square(i);
      if (lo >= box.hi[view->dim] || hi <= box.lo[view->dim])
        return false;
    }
    return true;
  };
  for (int r = 0; r < indexRows.count(); ++r)
    for (int c = 0; c < indexColumns.count(); ++c) {
      const bool isBlock = inside(block, r, c);
      const bool isNext = next && inside(*next, r, c);
      drawSquare(x + c * kCell, y + r * kCell,
                 isBlock  ? StringRef(kBlock)
                 : isNext ? StringRef(kNext)
                          : StringRef(color::faint),
                 false, 0);
    }
  drawTicks(x, y, indexRows, indexColumns);
}

void Picture::drawTensor(int x, int y) {
  for (int r = 0; r < rows.count(); ++r)
    for (int c = 0; c < columns.count(); ++c) {
      const Box square = squareAt(r, c);
      const bool isTouched = touches(square, block);
      const bool isNext = next && touches(square, *next);
      char letter = policyOf(square);
      const int left = x + c * kCell, top = y + r * kCell;
      if (letter) {
        // Out of bounds: only what is touched is of interest.
        if (isTouched || isNext) {
          const StringRef fill = letter == 'f' ? StringRef(kForbidden)
                                 : isTouched   ? StringRef(kBlock)
                                               : StringRef(kNext);
          drawSquare(left, top, fill, isTouched && isNext, letter);
          if (letters.find(letter) == std::string::npos)
            letters += letter;
          hasShared |= isTouched && isNext;
        }
        continue;
      }
      const bool isBehind = !isTouched && isNeeded(square);
      const bool isRemote =
          options.owned && (isTouched || isBehind) && !isOwned(square);
      hasNeeded |= isBehind;
      hasNext |= isNext && !isTouched && !isBehind;
      hasShared |= isRemote || (isTouched && isNext);
      drawSquare(left, top,
                 isTouched  ? StringRef(kBlock)
                 : isBehind ? StringRef(kNeeded)
                 : isNext   ? StringRef(kNext)
                            : StringRef(color::faint),
                 isRemote || (isTouched && isNext), 0);
    }
  // The tensor's frame and what is owned, as far as they are drawn.
  auto frame = [&](auto lo, auto hi, StringRef stroke, int grow) {
    auto ends = [&](const View &view) {
      if (view.dim < 0)
        return std::pair(0, kCell);
      return std::pair(view.position(lo(view.dim)),
                       view.position(hi(view.dim)));
    };
    auto [top, bottom] = ends(rows);
    auto [left, right] = ends(columns);
    if (top == bottom || left == right)
      return;
    // Sides beyond what is drawn stay open.
    auto side = [&](const View &view, auto end, int x1, int y1, int x2,
                    int y2) {
      if (view.dim >= 0 &&
          (end(view.dim) < view.begin || end(view.dim) > view.end))
        return;
      canvas.raw("path d=\"M" + Twine(x + x1) + " " + Twine(y + y1) + "L" +
                 Twine(x + x2) + " " + Twine(y + y2) + "\" stroke=\"" + stroke +
                 "\" stroke-width=\"2\" stroke-linecap=\"square\"");
    };
    top += grow;
    left += grow;
    bottom -= grow;
    right -= grow;
    side(rows, lo, left, top, right, top);
    side(rows, hi, left, bottom, right, bottom);
    side(columns, lo, left, top, left, bottom);
    side(columns, hi, right, top, right, bottom);
  };
  if (options.sizes)
    frame([](int) -> int64_t { return 0; },
          [&](int d) { return (*options.sizes)[d]; }, color::ink, 0);
  if (options.owned)
    frame([&](int d) { return options.owned->lo[d]; },
          [&](int d) { return options.owned->hi[d]; }, kOwned, 2);
  drawTicks(x, y, rows, columns);
}

int Picture::drawLines(int x, int y, ArrayRef<std::string> lines) {
  for (const std::string &line : lines) {
    const int end = canvas.text(x, y + kSheetText, SvgCanvas::elide(line, 90),
                                kSheetText, color::muted);
    width = std::max(width, end + kSheetMargin);
    y += SvgCanvas::lineHeight(kSheetText);
  }
  return y;
}

int Picture::drawLegend(int y) {
  int x = kSheetMargin, keyX = x;
  auto key = [&](StringRef fill, StringRef label, bool isHatched = false) {
    if (x > 700) {
      x = kSheetMargin;
      y += 20;
    }
    keyX = x;
    x = drawKey(canvas, x, y, fill, label, isHatched);
    width = std::max(width, x + kSheetMargin);
  };
  key(kBlock, "the block");
  if (next)
    key(kNext, "the next block");
  if (hasShared)
    key(kBlock, options.owned ? "needed, not owned" : "touched by both", true);
  if (hasNeeded)
    key(kNeeded, "needed through a policy");
  for (auto [letter, label] : {std::pair('w', "wraps to the other end"),
                               {'n', "counts from the end"},
                               {'c', "the nearest element instead"},
                               {'p', "padding"},
                               {'f', "forbidden"}}) {
    if (letters.find(letter) == std::string::npos)
      continue;
    key(letter == 'f' ? kForbidden : kBlock, label);
    canvas.text(keyX + 3, y + 10, spell(letter), 11, color::ink,
                /*bold=*/true);
  }
  if (options.owned) {
    key("none", "owned");
    canvas.rect(keyX, y, 12, 12, "none", kOwned);
    canvas.rect(keyX + 1, y + 1, 10, 10, "none", kOwned);
  }
  return y + 12 + kSheetMargin;
}

void Picture::write(llvm::raw_ostream &os) {
  const std::string title = SvgCanvas::elide(projection.str(), 110);
  int y = drawHead(canvas, title, {}, width);
  auto label = [](const View &view) {
    if (view.dim < 0)
      return 0;
    return std::max(SvgCanvas::textWidth(std::to_string(view.begin), 9),
                    SvgCanvas::textWidth(std::to_string(view.end), 9)) +
           8;
  };
  auto panel = [&](int x, StringRef heading, const View &down,
                   const View &across, ArrayRef<std::string> lines, auto draw) {
    canvas.text(x, y + kSheetHeading, heading, kSheetHeading, color::ink,
                /*bold=*/true);
    const int top = y + SvgCanvas::lineHeight(kSheetHeading) + 16;
    draw(x + label(down), top);
    int right = x + label(down) + across.count() * kCell;
    right = std::max(right, x + SvgCanvas::textWidth(heading, kSheetHeading));
    width = std::max(width, right + kSheetMargin);
    const int bottom = drawLines(x, top + down.count() * kCell + 8, lines);
    for (const std::string &line : lines)
      right = std::max(right, x + SvgCanvas::textWidth(
                                      SvgCanvas::elide(line, 90), kSheetText));
    return std::pair(right, bottom);
  };
  auto [right, left] =
      panel(kSheetMargin, "index space", indexRows, indexColumns, indexLines,
            [&](int x, int top) { drawIndexSpace(x, top); });
  auto [end, bottom] = panel(right + kGap, "tensor", rows, columns, tensorLines,
                             [&](int x, int top) { drawTensor(x, top); });
  y = drawLegend(std::max(left, bottom) + 14);
  std::string description = llvm::join(indexLines, "; ");
  description += "; " + llvm::join(tensorLines, "; ");
  canvas.write(os, width, y, title, description);
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
  Picture picture(projection, block, options, footprint);
  if (std::optional<std::string> problem = picture.prepare())
    return problem;
  picture.write(os);
  return std::nullopt;
}
