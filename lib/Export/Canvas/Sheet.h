//===- Sheet.h - SVG documents ----------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All in whole pixels. No browser measures text here: a character counts as wide as in
// the widest of the fonts named.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_SHEET_H
#define TENSORACCESS_LIB_EXPORT_SHEET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// The palette. Text colours have a contrast of at least 4.5 on white.
namespace color {
constexpr llvm::StringLiteral ink = "#1f2937", muted = "#6b7280",
                              rule = "#d1d5db", faint = "#f3f4f6",
                              access = "#1d4ed8", compute = "#b45309",
                              result = "#be123c", column = "#7c3aed";
/// Of the access points that a picture follows.
constexpr llvm::StringLiteral points[] = {"#0ea5e9", "#f59e0b", "#22c55e"};
} // namespace color

/// A drawing that grows to the right and below as elements are added, and that can be
/// added to another one.
class Sheet {
public:
  /// Pixels that `text` takes at a font size.
  static int textWidth(llvm::StringRef text, int size);
  /// Pixels from one line of text to the next.
  static int lineHeight(int size) { return size * 3 / 2; }
  /// `text`, or its beginning and `…` where it has more than `limit`
  /// characters.
  static std::string elide(llvm::StringRef text, size_t limit);

  int getWidth() const { return width; }
  int getHeight() const { return height; }
  /// Makes the drawing at least so large.
  void reserve(int right, int bottom);

  /// Text whose base line begins at (x, y). Returns the x where it ends.
  int text(int x, int y, llvm::StringRef text, int size, llvm::StringRef fill,
           bool bold = false);
  /// `attributes` follow the place.
  void rect(int x, int y, int width, int height, const llvm::Twine &attributes);
  void circle(int x, int y, int radius, const llvm::Twine &attributes);
  /// `data` is SVG path data from (x, y) on.
  void path(int x, int y, const llvm::Twine &data,
            const llvm::Twine &attributes);
  void add(Sheet &&part, int x, int y);
  /// `content` in columns: of each where it begins and ends. A line that is cut goes on
  /// at the top of the next.
  void columns(const Sheet &content, int gap,
               llvm::ArrayRef<std::pair<int, int>> columns);

  /// Writes the document: a white sheet with a margin, what was drawn, and a title for
  /// readers that do not see it; and a description, if there is one.
  void write(llvm::raw_ostream &os, llvm::StringRef title,
             llvm::StringRef description) const;

private:
  /// `<tag`, the place, and what follows.
  struct Element {
    llvm::StringLiteral tag;
    int x, y;
    std::string rest;
  };
  void print(llvm::raw_ostream &os, int x, int y) const;

  std::vector<Element> elements;
  int width = 0, height = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_SHEET_H
