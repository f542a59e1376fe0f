//===- Panel.h - What pictures are made of ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A picture describes what is shown, not where: a title, a panel, a legend. A panel is
// lines of text above and below its content, which is one of
//
//   Plane      areas and arrows over two axes of elements
//   CellTable  cells with labels, fills and borders
//   BarTable   rows of text and bars
//   Keys       what looks mean
//   Stack      panels below or beside one another
//   Flow       framed panels with edges between them
//
// writeSvg is the one painter of pictures, print that of their text form.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_PANEL_H
#define TENSORACCESS_LIB_EXPORT_PANEL_H

#include "PlaneAxis.h"
#include "Sheet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <variant>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

constexpr int kTextSize = 12, kSmallText = 11, kHeadingSize = 13;

/// Part of a line, in one colour.
struct TextSpan {
  std::string text;
  llvm::StringRef ink = color::ink;
  bool isBold = false;
};

struct TextLine {
  std::vector<TextSpan> spans;
  int size = kTextSize;
  /// Begins a step of a chain; steps of a panel are joined by a line.
  bool isStep = false;

  /// A caption, in grey.
  static TextLine note(llvm::StringRef text, int size = kTextSize) {
    return {{{text.str(), color::muted}}, size};
  }
  /// A heading, in bold.
  static TextLine heading(llvm::StringRef text, int size = kHeadingSize) {
    return {{{text.str(), color::ink, /*isBold=*/true}}, size};
  }
};
/// Each text as a caption.
std::vector<TextLine> makeNotes(llvm::ArrayRef<std::string> texts);

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

/// How an area looks; an empty fill or stroke is not drawn.
struct Look {
  std::string fill;
  /// Of the fill, in percent.
  int opacity = 100;
  bool isHatched = false;
  std::string stroke;
  int weight = 1;
  bool isDashed = false;

  static Look framed(llvm::StringRef fill, llvm::StringRef stroke,
                     bool isHatched = false) {
    return {fill.str(), 100, isHatched, stroke.str()};
  }
  static Look frame(llvm::StringRef stroke, int weight = 1,
                    bool isDashed = false) {
    return {"", 100, false, stroke.str(), weight, isDashed};
  }
  static Look hatch(llvm::StringRef fill, llvm::StringRef stroke) {
    return {fill.str(), 100, true, stroke.str(), 1, /*isDashed=*/true};
  }
};

struct Area {
  enum class Shape : uint8_t { Box, Lower, Upper, Disc };
  enum class Place : uint8_t { Inside, Behind, Below };

  Stretch rows, columns;
  Look look;
  std::string label;
  Place place = Place::Inside;
  llvm::StringRef ink = color::ink;
  bool isBold = false;
  Shape shape = Shape::Box;
};

/// From the middle of one spot to that of another.
struct Arrow {
  Stretch fromRow, fromColumn, toRow, toColumn;
  llvm::StringRef ink = color::muted;
  bool isDashed = false, hasHead = false, hasTail = false;
  /// Pixels left free at both ends, moved to the left of the direction, and of the
  /// bend to the left.
  int clear = 0, shift = 0, bend = 0;
};

/// Areas over rows and columns of elements. Those without a stroke are below the grid's
/// lines, others above.
struct Plane {
  /// Axes along a side, one behind the other, with a gap between.
  std::vector<PlaneAxis> rows, columns;
  int gap = 16;
  /// The bands (row, column) of which the squares have lines.
  std::vector<std::pair<unsigned, unsigned>> grids;
  std::vector<Area> areas;
  std::vector<Arrow> arrows;
  /// Pixels that an area has at least.
  int least = 0;
};

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Some of the indices of an axis: -1 stands for those left out.
using ShownIndices = std::vector<int64_t>;

/// All indices of a short axis; else the beginning, what is round `border`, and
/// the end.
ShownIndices chooseIndices(int64_t extent, int64_t border, int64_t most);

struct TableCell {
  std::string label, fill;
  bool isPadding = false;
  /// What it belongs to, level by level; neighbours have a border where they differ.
  llvm::SmallVector<int64_t, 2> groups;
};

/// The first level at which two neighbours belong to different groups.
std::optional<size_t> getBorder(llvm::ArrayRef<int64_t> a,
                                llvm::ArrayRef<int64_t> b);

/// A plane of an array, cell by cell. Of a longer axis some indices are shown.
struct CellTable {
  /// What rows and columns are labelled; -1 for what is left out.
  ShownIndices rows, columns;
  bool hasRowLabels = true, hasColumnLabels = true;
  /// Whether rows are neighbours, as they are not where they follow one another.
  bool hasRowBorders = true;
  /// By rows; the last one may be shorter. What is left out is not looked at.
  std::vector<std::vector<TableCell>> cells;
};

/// Rows of text, and of bars on one scale a column.
struct BarTable {
  struct Bar {
    double value;
    llvm::StringRef fill;
  };
  struct Entry {
    TextSpan text;
    /// One behind the other, before the text.
    std::vector<Bar> bars;
  };
  struct Column {
    std::string heading;
    /// Pixels of the longest bar.
    int length = 0;
  };
  std::vector<Column> columns;
  std::vector<std::vector<Entry>> rows;
};

//===----------------------------------------------------------------------===//
// Other content
//===----------------------------------------------------------------------===//

struct Key {
  Look look;
  std::string text;
  /// The text on the swatch, or nothing.
  std::string letter;
  /// A line, not a swatch.
  bool isLine = false;

  static Key swatch(llvm::StringRef fill, llvm::StringRef text,
                    bool isHatched = false) {
    return {Look::framed(fill, color::muted, isHatched), text.str()};
  }
  /// The border between groups of a level.
  static Key border(size_t level, llvm::StringRef text);
};

struct Keys {
  std::vector<Key> keys;
  /// One below the other.
  bool isDown = false;
};

struct Panel;

struct Stack {
  std::vector<Panel> parts;
  bool isAcross = false;
  /// Panels across are all as wide as the widest.
  bool isEven = false;
  int gap = 24;
  /// Panels across that reach further begin another row.
  int maxWidth = 1 << 20;
};

struct Flow {
  /// Cards [first, last), shown once for so many times.
  struct Repeat {
    size_t first, last, times;
  };
  std::vector<Panel> cards;
  /// From cards to later ones.
  std::vector<std::pair<size_t, size_t>> edges;
  std::vector<Repeat> repeats;
  /// A long program: from above to below, in columns about as high as wide.
  bool isLong = false;
};

struct Panel {
  std::vector<TextLine> head;
  std::variant<std::monostate, Plane, CellTable, BarTable, Keys, Stack, Flow>
      content;
  std::vector<TextLine> foot;
};

struct Picture {
  std::string title;
  /// The text for readers who do not see it; in full, if there is no description,
  /// the summary.
  std::string description;
  std::vector<std::string> summary;
  Panel body;
  std::vector<Key> legend;
  /// The title is not drawn, as the body has headings of its own.
  bool hasOwnHeading = false;
};

/// Tables of all planes of an array, over its dimensions `rowDim` and `columnDim` (-1
/// for none), below one another; at most `maxPlanes`, the others are counted.
Panel makePlanes(
    llvm::ArrayRef<int64_t> shape, int rowDim, int columnDim,
    const ShownIndices &rows, const ShownIndices &columns, int64_t maxPlanes,
    llvm::StringRef heading,
    llvm::function_ref<TableCell(llvm::ArrayRef<int64_t>)> makeCell);

/// Writes an SVG document; the text is the same on every machine.
void writeSvg(const Picture &picture, llvm::raw_ostream &os);

/// The tables of a picture for a terminal, at most `maxWidth` characters wide unless
/// that is 0.
void print(const Picture &picture, llvm::raw_ostream &os, int64_t maxWidth);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_PANEL_H
