//===- Painter.cpp - Pictures as SVG --------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each panel is drawn from (0, 0) on; the drawing knows its size, and is moved to its
// place in the one around it.
//
//===----------------------------------------------------------------------===//

#include "FlowLayout.h"
#include "Panel.h"
#include "Sheet.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::Twine;

static constexpr int kTitle = 16, kNumber = 10, kSmall = 9;
static constexpr size_t kLongestLine = 160;

static Sheet draw(const Panel &panel, int cellWidth = 0);

//===----------------------------------------------------------------------===//
// Text and looks
//===----------------------------------------------------------------------===//

/// Returns the y below.
static int draw(Sheet &canvas, int y, ArrayRef<TextLine> lines) {
  constexpr int kIndent = 20, kBullet = 4, kBetween = 4;
  SmallVector<int> steps;
  int bottom = y;
  for (const TextLine &line : lines) {
    if (line.isStep) {
      bottom += kBetween;
      steps.push_back(bottom + 8);
    }
    bottom += Sheet::lineHeight(line.size);
  }
  if (steps.size() > 1)
    canvas.path(kBullet, steps.front(),
                "M0 0v" + Twine(steps.back() - steps.front()),
                " stroke=\"" + color::rule + "\"");
  for (int step : steps)
    canvas.circle(kBullet, step, kBullet, " fill=\"" + color::muted + "\"");
  for (const TextLine &line : lines) {
    y += line.isStep ? kBetween : 0;
    int x = steps.empty() ? 0 : kIndent;
    for (const TextSpan &span : line.spans)
      x = canvas.text(x, y + line.size, span.text, line.size, span.ink,
                      span.isBold);
    y += Sheet::lineHeight(line.size);
  }
  return y;
}

static std::string getStroke(const Look &look) {
  if (look.stroke.empty())
    return "";
  return (" stroke=\"" + Twine(look.stroke) + "\"" +
          (look.weight == 1 ? Twine("")
                            : " stroke-width=\"" + Twine(look.weight) + "\"") +
          (look.isDashed ? " stroke-dasharray=\"3 3\"" : ""))
      .str();
}

/// What is filled with `fill`, of which the look has the opacity.
static std::string getFill(const Look &look, StringRef fill) {
  std::string text = (" fill=\"" + fill + "\"").str();
  if (look.opacity != 100)
    text += (" fill-opacity=\"0." + Twine(look.opacity < 10 ? "0" : "") +
             StringRef(std::to_string(look.opacity)).rtrim('0') + "\"")
                .str();
  return text;
}

static void drawLook(Sheet &canvas, int x, int y, int width, int height,
                     const Look &look) {
  const std::string stroke = getStroke(look);
  if (!look.fill.empty())
    canvas.rect(x, y, width, height,
                getFill(look, look.fill) + (look.isHatched ? "" : stroke));
  if (look.isHatched)
    canvas.rect(x, y, width, height,
                (look.fill.empty() ? getFill(look, "url(#padding)")
                                   : " fill=\"url(#padding)\"") +
                    stroke);
  else if (look.fill.empty() && !stroke.empty())
    canvas.rect(x, y, width, height, " fill=\"none\"" + stroke);
}

/// In the middle of a box; smaller where it has no room.
static void drawLabel(Sheet &canvas, int x, int y, int width, int height,
                      StringRef text, StringRef ink, bool isBold) {
  const int size =
      Sheet::textWidth(text, kSmallText) < width ? kSmallText : kSmall;
  canvas.text(x + (width - Sheet::textWidth(text, size)) / 2,
              y + height / 2 + 4, text, size, ink, isBold);
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

namespace {

/// A stretch in pixels, and which of its ends are not drawn.
struct Span {
  int lo, hi;
  bool isOpenLow, isOpenHigh;
  int size() const { return hi - lo; }
  int middle() const { return (lo + hi) / 2; }
};

/// One side of a plane: where its bands begin.
class Side {
public:
  Side(ArrayRef<PlaneAxis> axes, int begin, int gap) : axes(axes) {
    for (const PlaneAxis &axis : axes) {
      begins.push_back(begin);
      begin += axis.getLength() + gap;
    }
  }
  int getBegin(unsigned band) const { return begins[band]; }
  Span place(const Stretch &stretch, int least = 0) const {
    const PlaneAxis &axis = axes[stretch.band];
    const int begin = begins[stretch.band];
    auto [lo, hi] = axis.getRange(stretch);
    if (hi - lo < least && stretch.lo < stretch.hi) {
      hi = std::min(lo + least, axis.getLength());
      lo = hi - least;
    }
    return {begin + lo + stretch.inset, begin + hi - stretch.inset,
            axis.pieces.front().lo > stretch.lo,
            axis.pieces.back().hi < stretch.hi};
  }

private:
  ArrayRef<PlaneAxis> axes;
  SmallVector<int> begins;
};

class PlanePainter {
public:
  explicit PlanePainter(const Plane &plane)
      : plane(plane), rows(plane.rows, getTop(plane), plane.gap),
        columns(plane.columns, getLeft(plane), plane.gap) {}

  Sheet draw();

private:
  static int getLeft(const Plane &plane);
  static int getTop(const Plane &plane);
  void drawTicks();
  void drawGrid(unsigned row, unsigned column);
  void drawArea(const Area &area);
  void drawArrow(const Arrow &arrow);

  const Plane &plane;
  Side rows, columns;
  Sheet canvas;
};

} // namespace

int PlanePainter::getLeft(const Plane &plane) {
  int left = 0;
  for (const PlaneAxis &axis : plane.rows) {
    if (!axis.title.empty())
      left = std::max(left, Sheet::textWidth(axis.title, kTextSize) + 8);
    for (const PlaneAxis::Tick &tick : axis.ticks)
      left = std::max(left, Sheet::textWidth(tick.text, kNumber) + 6);
  }
  return left;
}

int PlanePainter::getTop(const Plane &plane) {
  int top = 0;
  if (llvm::any_of(plane.columns,
                   [](const PlaneAxis &axis) { return !axis.title.empty(); }))
    top += Sheet::lineHeight(kTextSize);
  if (llvm::any_of(plane.columns,
                   [](const PlaneAxis &axis) { return !axis.ticks.empty(); }))
    top += Sheet::lineHeight(kNumber);
  return top;
}

/// As far as there is room for them.
void PlanePainter::drawTicks() {
  const int left = columns.getBegin(0), top = rows.getBegin(0);
  for (auto [band, axis] : llvm::enumerate(plane.columns)) {
    canvas.text(columns.getBegin(band), kTextSize, axis.title, kTextSize,
                color::muted);
    int free = 0;
    for (const PlaneAxis::Tick &tick : axis.ticks) {
      const Span at = columns.place({tick.lo, tick.hi, unsigned(band)});
      int x = at.lo;
      if (tick.lo != tick.hi)
        x = at.middle() - Sheet::textWidth(tick.text, kNumber) / 2;
      if (x >= free)
        free = canvas.text(x, top - 4, tick.text, kNumber, color::muted) + 3;
    }
  }
  for (auto [band, axis] : llvm::enumerate(plane.rows)) {
    canvas.text(0, rows.getBegin(band) - 4, axis.title, kTextSize,
                color::muted);
    int free = 0;
    for (const PlaneAxis::Tick &tick : axis.ticks) {
      const Span at = rows.place({tick.lo, tick.hi, unsigned(band)});
      const int y = tick.lo == tick.hi ? at.lo + 8 : at.middle() + 4;
      if (y - kNumber < free)
        continue;
      canvas.text(left - 6 - Sheet::textWidth(tick.text, kNumber), y, tick.text,
                  kNumber, color::muted);
      free = y + 2;
    }
  }
}

/// The lines of the squares, and dots for what is left out.
void PlanePainter::drawGrid(unsigned row, unsigned column) {
  const int x = columns.getBegin(column), y = rows.getBegin(row);
  ArrayRef<PlaneAxis::Piece> down = plane.rows[row].pieces,
                             across = plane.columns[column].pieces;
  auto dots = [&](int centerX, int centerY, int stepX, int stepY) {
    for (int i = -1; i <= 1; ++i)
      canvas.circle(centerX + i * stepX, centerY + i * stepY, 1,
                    " fill=\"" + color::muted + "\"");
  };
  /// The middle of the dots before a piece, if there are any.
  auto gapBefore = [](ArrayRef<PlaneAxis::Piece> pieces, size_t i) {
    const int end = i == 0 ? 0 : pieces[i - 1].at + pieces[i - 1].length;
    return pieces[i].at > end ? (pieces[i].at + end) / 2 : 0;
  };
  for (auto [r, height] : llvm::enumerate(down))
    for (auto [c, width] : llvm::enumerate(across)) {
      std::string lines;
      for (int i = 0; i <= height.length;
           i += height.cell ? height.cell : std::max(height.length, 1))
        lines += ("M0 " + Twine(i) + "h" + Twine(width.length)).str();
      for (int i = 0; i <= width.length;
           i += width.cell ? width.cell : std::max(width.length, 1))
        lines += ("M" + Twine(i) + " 0v" + Twine(height.length)).str();
      canvas.path(x + width.at, y + height.at, lines,
                  " fill=\"none\" stroke=\"" + color::rule + "\"");
      const int gapX = gapBefore(across, c), gapY = gapBefore(down, r);
      if (gapX && r == 0)
        dots(x + gapX, y + height.at + height.length / 2, 5, 0);
      if (gapY && c == 0)
        dots(x + width.at + width.length / 2, y + gapY, 0, 5);
      if (gapX && gapY)
        dots(x + gapX, y + gapY, 4, 4);
    }
}

void PlanePainter::drawArea(const Area &area) {
  const Span down = rows.place(area.rows, plane.least),
             across = columns.place(area.columns, plane.least);
  const int x = across.lo, y = down.lo, w = across.size(), h = down.size();
  const bool isEmpty = w <= 0 || h <= 0;
  const Look &look = area.look;
  const bool isOpen = down.isOpenLow || down.isOpenHigh || across.isOpenLow ||
                      across.isOpenHigh;
  if (isEmpty) {
    // Of a bar the label is left.
  } else if (area.shape == Area::Shape::Disc) {
    canvas.circle(across.middle(), down.middle(), std::min(w, h) / 2,
                  getFill(look, look.fill) + getStroke(look));
  } else if (area.shape != Area::Shape::Box) {
    const bool isLower = area.shape == Area::Shape::Lower;
    canvas.path(x, y,
                isLower ? "M0 0v" + Twine(h) + "h" + Twine(w) + "z"
                        : "M0 0h" + Twine(w) + "v" + Twine(h) + "z",
                getFill(look, look.fill));
  } else if (isOpen && look.fill.empty() && !look.isHatched) {
    // Of a frame that reaches beyond what is drawn the sides there are open.
    std::string sides;
    if (!down.isOpenLow)
      sides += ("M0 0h" + Twine(w)).str();
    if (!down.isOpenHigh)
      sides += ("M0 " + Twine(h) + "h" + Twine(w)).str();
    if (!across.isOpenLow)
      sides += ("M0 0v" + Twine(h)).str();
    if (!across.isOpenHigh)
      sides += ("M" + Twine(w) + " 0v" + Twine(h)).str();
    canvas.path(x, y, sides,
                getStroke(look) + " stroke-linecap=\"square\" fill=\"none\"");
  } else {
    drawLook(canvas, x, y, w, h, look);
  }
  switch (area.place) {
  case Area::Place::Inside:
    if (!isEmpty)
      drawLabel(canvas, x, y, w, h, area.label, area.ink, area.isBold);
    break;
  case Area::Place::Behind:
    canvas.text(across.hi + 6, down.middle() + 4, area.label, kSmallText,
                area.ink);
    break;
  case Area::Place::Below:
    drawLabel(canvas, x - area.columns.inset, down.hi,
              w + 2 * area.columns.inset, kSmallText + 5, area.label, area.ink,
              area.isBold);
    break;
  }
}

void PlanePainter::drawArrow(const Arrow &arrow) {
  int x1 = columns.place(arrow.fromColumn).middle(),
      y1 = rows.place(arrow.fromRow).middle(),
      x2 = columns.place(arrow.toColumn).middle(),
      y2 = rows.place(arrow.toRow).middle();
  auto sign = [](int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  const int dx = sign(x2 - x1), dy = sign(y2 - y1),
            clear = dx && dy ? arrow.clear * 4 / 5 : arrow.clear;
  x1 += dx * clear + dy * arrow.shift;
  y1 += dy * clear - dx * arrow.shift;
  x2 += -dx * clear + dy * arrow.shift;
  y2 += -dy * clear - dx * arrow.shift;
  const int w = x2 - x1, h = y2 - y1;
  canvas.path(x1, y1,
              arrow.bend ? "M0 0Q" + Twine(w / 2 + dy * arrow.bend) + " " +
                               Twine(h / 2 - dx * arrow.bend) + " " + Twine(w) +
                               " " + Twine(h)
                         : "M0 0L" + Twine(w) + " " + Twine(h),
              " fill=\"none\" stroke=\"" + arrow.ink + "\"" +
                  (arrow.isDashed ? " stroke-dasharray=\"2 3\"" : "") +
                  (arrow.hasTail ? " marker-start=\"url(#arrow)\"" : "") +
                  (arrow.hasHead ? " marker-end=\"url(#arrow)\"" : ""));
}

Sheet PlanePainter::draw() {
  for (const Area &area : plane.areas)
    if (area.look.stroke.empty())
      drawArea(area);
  for (auto [row, column] : plane.grids)
    drawGrid(row, column);
  for (const Arrow &arrow : plane.arrows)
    drawArrow(arrow);
  for (const Area &area : plane.areas)
    if (!area.look.stroke.empty())
      drawArea(area);
  drawTicks();
  const int down = plane.rows.size() - 1, across = plane.columns.size() - 1;
  canvas.reserve(columns.getBegin(across) + plane.columns[across].getLength(),
                 rows.getBegin(down) + plane.rows[down].getLength());
  return std::move(canvas);
}

static Sheet draw(const Plane &plane, int) {
  return PlanePainter(plane).draw();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static constexpr int kCellHeight = 22, kDotsWidth = 14;

static int getCellWidth(const CellTable &table) {
  int width = 24;
  for (const auto &row : table.cells)
    for (const TableCell &cell : row)
      width = std::max(width, Sheet::textWidth(cell.label, kNumber) + 8);
  if (table.hasColumnLabels)
    for (int64_t column : table.columns)
      width = std::max(width,
                       Sheet::textWidth(std::to_string(column), kNumber) + 6);
  return width;
}

/// Tables below one another have the same cells.
static int getCellWidth(const Panel &panel) {
  int width = 0;
  if (const auto *table = std::get_if<CellTable>(&panel.content))
    width = getCellWidth(*table);
  else if (const auto *stack = std::get_if<Stack>(&panel.content))
    if (!stack->isAcross)
      for (const Panel &part : stack->parts)
        width = std::max(width, getCellWidth(part));
  return width;
}

/// Where the shown indices begin, those left out being narrow, and the end.
static SmallVector<int> getBegins(const ShownIndices &shown, int begin,
                                  int cell) {
  SmallVector<int> begins = {begin};
  for (int64_t index : shown)
    begins.push_back(begins.back() + (index < 0 ? kDotsWidth : cell));
  return begins;
}

static std::string spell(int64_t index) {
  return index < 0 ? "…" : std::to_string(index);
}

static Sheet draw(const CellTable &table, int cellWidth) {
  Sheet canvas;
  const int width = std::max(cellWidth, getCellWidth(table));
  int left = 18;
  if (table.hasRowLabels)
    for (int64_t row : table.rows)
      left = std::max(left, Sheet::textWidth(spell(row), kNumber) + 8);
  const SmallVector<int> xs = getBegins(table.columns, left, width),
                         ys = getBegins(table.rows, kSquare, kCellHeight);
  auto label = [&](int x, int y, int room, StringRef text, StringRef ink) {
    canvas.text(x + (room - Sheet::textWidth(text, kNumber)) / 2, y, text,
                kNumber, ink);
  };
  for (auto [c, column] : llvm::enumerate(table.columns))
    if (column < 0 || table.hasColumnLabels)
      label(xs[c], kNumber, xs[c + 1] - xs[c], spell(column), color::muted);
  for (auto [r, row] : llvm::enumerate(table.rows)) {
    if (row < 0 || table.hasRowLabels)
      canvas.text(row < 0 ? 4 : 0, ys[r + 1] - (row < 0 ? 4 : 7), spell(row),
                  kNumber, color::muted);
    for (auto [c, cell] : llvm::enumerate(table.cells[r])) {
      if (row < 0 || table.columns[c] < 0)
        continue;
      // Hatched light enough for a number on it.
      const Look look = cell.isPadding ? Look{"", 30, true, color::rule.str()}
                                       : Look::framed(cell.fill, color::rule);
      drawLook(canvas, xs[c], ys[r], width, kCellHeight, look);
      label(xs[c], ys[r + 1] - 7, width, cell.label,
            cell.isPadding ? color::muted : color::ink);
    }
  }
  // The borders are drawn over the cells.
  auto border = [&](const TableCell &a, const TableCell &b, int x, int y,
                    const Twine &line) {
    if (std::optional<size_t> level = getBorder(a.groups, b.groups))
      canvas.path(x, y, line, getStroke(Key::border(*level, "").look));
  };
  for (size_t r = 0; r < table.rows.size(); ++r)
    for (size_t c = 0; c < table.cells[r].size(); ++c) {
      const TableCell &cell = table.cells[r][c];
      if (c + 1 < table.cells[r].size())
        border(cell, table.cells[r][c + 1], xs[c + 1], ys[r],
               "M0 0v" + Twine(ys[r + 1] - ys[r]));
      if (table.hasRowBorders && r + 1 < table.rows.size() &&
          c < table.cells[r + 1].size())
        border(cell, table.cells[r + 1][c], xs[c], ys[r + 1],
               "M0 0h" + Twine(xs[c + 1] - xs[c]));
    }
  canvas.rect(left, kSquare, xs.back() - left, ys.back() - kSquare,
              " fill=\"none\"" + getStroke(Key::border(0, "").look));
  return canvas;
}

static Sheet draw(const BarTable &table, int) {
  constexpr int kRow = 17, kBetween = 14;
  Sheet canvas;
  // Where columns begin, and the pixels of a bar of 1.
  SmallVector<int> begins = {0};
  SmallVector<double> scales;
  for (auto [c, column] : llvm::enumerate(table.columns)) {
    canvas.text(begins[c], kTextSize, column.heading, kTextSize, color::ink,
                /*bold=*/true);
    int text = column.length ? 0 : Sheet::textWidth(column.heading, kTextSize);
    double longest = 0;
    for (const auto &row : table.rows) {
      text = std::max(text, Sheet::textWidth(row[c].text.text, kSmallText));
      double value = 0;
      for (const BarTable::Bar &bar : row[c].bars)
        value += bar.value;
      longest = std::max(longest, value);
    }
    scales.push_back(longest > 0 ? column.length / longest : 0);
    begins.push_back(begins.back() + column.length + text + kBetween);
  }
  int y = Sheet::lineHeight(kTextSize) + 2;
  canvas.path(0, y, "M0 0h" + Twine(begins.back()),
              " stroke=\"" + color::rule + "\"");
  y += 2;
  for (auto [r, row] : llvm::enumerate(table.rows)) {
    if (r % 2)
      canvas.rect(-4, y, begins.back() + 8, kRow,
                  " fill=\"" + color::faint + "\"");
    for (auto [c, entry] : llvm::enumerate(row)) {
      int x = begins[c];
      double value = 0;
      for (const BarTable::Bar &bar : entry.bars) {
        value += bar.value;
        const int end = begins[c] + static_cast<int>(value * scales[c]);
        const int length =
            std::max(end - x, bar.value > 0 && x == begins[c] ? 1 : 0);
        if (length > 0)
          canvas.rect(x, y + 3, length, kRow - 6, " fill=\"" + bar.fill + "\"");
        x += length;
      }
      canvas.text(x + (table.columns[c].length ? 5 : 0), y + 12,
                  entry.text.text, kSmallText, entry.text.ink,
                  entry.text.isBold);
    }
    y += kRow;
  }
  canvas.reserve(begins.back(), y);
  return canvas;
}

//===----------------------------------------------------------------------===//
// Keys, stacks, flows
//===----------------------------------------------------------------------===//

static Sheet draw(const Keys &keys, int) {
  constexpr int kSwatch = 12, kLine = 20, kBetween = 24, kMaxWidth = 1100;
  Sheet canvas;
  int x = 0, y = 0;
  for (const Key &key : keys.keys) {
    const int end = x + kSwatch + 6 + Sheet::textWidth(key.text, kTextSize);
    if (x && (keys.isDown || end > kMaxWidth)) {
      x = 0;
      y += kLine;
    }
    if (key.isLine)
      canvas.path(x, y + kSwatch / 2, "M0 0h" + Twine(kSwatch),
                  getStroke(key.look));
    else
      drawLook(canvas, x, y, kSwatch, kSwatch, key.look);
    canvas.text(x + 3, y + 10, key.letter, kSmallText, color::ink,
                /*bold=*/true);
    x = canvas.text(x + kSwatch + 6, y + 11, key.text, kTextSize, color::ink) +
        kBetween;
  }
  return canvas;
}

static Sheet draw(const Stack &stack, int cellWidth) {
  Sheet canvas;
  if (!stack.isAcross)
    for (const Panel &part : stack.parts)
      cellWidth = std::max(cellWidth, getCellWidth(part));
  std::vector<Sheet> drawn;
  int widest = 0;
  for (const Panel &part : stack.parts) {
    drawn.push_back(draw(part, cellWidth));
    widest = std::max(widest, drawn.back().getWidth());
  }
  int x = 0, y = 0;
  for (Sheet &part : drawn) {
    const int width = stack.isEven ? widest : part.getWidth();
    if (x && x + width > stack.maxWidth) {
      x = 0;
      y = canvas.getHeight() + stack.gap;
    }
    canvas.add(std::move(part), x, y);
    if (stack.isAcross)
      x += width + stack.gap;
    else
      y = canvas.getHeight() + stack.gap;
  }
  return canvas;
}

/// A frame around cards that repeat, and how often.
static void drawRepeat(Sheet &canvas, const FlowLayout &layout,
                       const Flow::Repeat &repeat, int gap) {
  int left = INT_MAX, up = INT_MAX, right = 0, down = 0;
  for (const FlowNode &node :
       ArrayRef(layout.nodes).slice(repeat.first, repeat.last - repeat.first)) {
    left = std::min(left, node.x);
    up = std::min(up, node.y);
    right = std::max(right, node.x + node.width);
    down = std::max(down, node.y + node.height);
  }
  canvas.rect(left, up, right - left + 2 * gap, down - up + 2 * gap,
              " fill=\"" + color::faint + "\" stroke=\"" + color::access +
                  "\" rx=\"10\"");
  canvas.text(right + 2 * gap + 6, up + gap + kHeadingSize,
              std::to_string(repeat.times) + " ×", kTitle, color::access,
              /*bold=*/true);
}

/// Where columns begin and end, so that the whole is about as high as wide: between
/// ranks of cards.
static SmallVector<std::pair<int, int>> cutColumns(const FlowLayout &layout,
                                                   int width, int room) {
  const int height = layout.height;
  const int wanted = std::max(
      1, static_cast<int>(std::lround(std::sqrt(height / (0.75 * width)))));
  SmallVector<std::pair<int, int>> columns;
  int begin = 0, end = 0;
  SmallVector<int> ends;
  for (const FlowNode &node : layout.nodes)
    ends.push_back(node.y + node.height);
  llvm::sort(ends);
  for (int candidate : ends) {
    const bool isFree = llvm::none_of(layout.nodes, [&](const FlowNode &node) {
      return node.y <= candidate && node.y + node.height > candidate;
    });
    if (isFree && candidate - begin >= height / wanted) {
      end = candidate + room;
      columns.push_back({begin, end});
      begin = end;
    }
  }
  if (end < height)
    columns.push_back({begin, height + room});
  return columns;
}

static Sheet draw(const Flow &flow, int) {
  constexpr int kPad = 14, kMaxWidth = 1400;
  // Room for the frames of repeats.
  const int room = flow.isLong ? 9 : 0;
  FlowLayout layout;
  std::vector<Sheet> cards;
  for (const Panel &card : flow.cards) {
    cards.push_back(draw(card));
    layout.nodes.push_back({cards.back().getWidth() + 2 * kPad,
                            cards.back().getHeight() + 2 * kPad});
  }
  for (auto [from, to] : flow.edges)
    layout.edges.push_back({from, to, ""});
  layout.place(flow.isLong ? 0 : kMaxWidth);
  Sheet canvas;
  for (const Flow::Repeat &repeat : flow.repeats)
    drawRepeat(canvas, layout, repeat, room);
  for (const FlowEdge &edge : layout.edges)
    canvas.path(room, room, edge.path,
                " fill=\"none\" stroke=\"" + color::muted +
                    "\" stroke-width=\"1.5\" marker-end=\"url(#arrow)\"");
  for (auto [node, card] : llvm::zip_equal(layout.nodes, cards)) {
    canvas.rect(room + node.x, room + node.y, node.width, node.height,
                " fill=\"white\" stroke=\"" + color::rule + "\" rx=\"8\"");
    canvas.add(std::move(card), room + node.x + kPad, room + node.y + kPad);
  }
  canvas.reserve(layout.width, layout.height);
  if (!flow.isLong)
    return canvas;
  const int width = layout.width + 2 * room + 40;
  canvas.reserve(width, 0);
  Sheet columns;
  columns.columns(canvas, 20, cutColumns(layout, width, 2 * room + 2));
  return columns;
}

static Sheet draw(const std::monostate &, int) { return {}; }

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static Sheet draw(const Panel &panel, int cellWidth) {
  Sheet canvas;
  int y = draw(canvas, 0, panel.head);
  if (!std::holds_alternative<std::monostate>(panel.content)) {
    y += panel.head.empty() ? 0 : 8;
    canvas.add(
        std::visit(
            [&](const auto &content) { return draw(content, cellWidth); },
            panel.content),
        0, y);
    y = std::max(y, canvas.getHeight()) + (panel.foot.empty() ? 0 : 8);
  }
  canvas.reserve(0, draw(canvas, y, panel.foot));
  return canvas;
}

void mlir::tensoraccess::writeSvg(const Picture &picture, raw_ostream &os) {
  Sheet canvas;
  const std::string title = Sheet::elide(picture.title, kLongestLine);
  std::vector<TextLine> head;
  if (!picture.hasOwnHeading)
    head.push_back(TextLine::heading(title, kTitle));
  for (const std::string &line : picture.summary)
    head.push_back(TextLine::note(Sheet::elide(line, kLongestLine)));
  int y = draw(canvas, 0, head) + (head.empty() ? 0 : 14);
  canvas.add(draw(picture.body), 0, y);
  if (!picture.legend.empty())
    canvas.add(draw(Keys{picture.legend}, 0), 0, canvas.getHeight() + 16);
  canvas.write(os, title,
               picture.description.empty() ? llvm::join(picture.summary, "; ")
                                           : picture.description);
}
