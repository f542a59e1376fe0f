//===- SvgCanvas.h - Shapes and text as SVG -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin writer of SVG elements. All coordinates are whole pixels, so that the
// text is the same on every machine. All text is in one monospaced font, so
// that its width is known without asking a font: 0.602 of the size a character,
// the widest of the fonts named.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_SVGCANVAS_H
#define TENSORACCESS_LIB_EXPORT_SVGCANVAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

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

class SvgCanvas {
public:
  /// Pixels that `text` takes at a font size.
  static int textWidth(llvm::StringRef text, int size);
  /// Pixels from one line of text to the next.
  static int lineHeight(int size) { return size * 3 / 2; }
  /// `text`, or its beginning and `…` where it has more than `limit`
  /// characters.
  static std::string elide(llvm::StringRef text, size_t limit);

  /// Text whose base line begins at (x, y). Returns the x where it ends.
  int text(int x, int y, llvm::StringRef text, int size, llvm::StringRef fill,
           bool bold = false);
  void rect(int x, int y, int width, int height, llvm::StringRef fill,
            llvm::StringRef stroke = "none", int radius = 0);
  void line(int x1, int y1, int x2, int y2, llvm::StringRef stroke,
            bool dashed = false);
  void circle(int x, int y, int radius, llvm::StringRef fill);
  /// What `content` has, `width` pixels wide, in columns: of each where it begins and
  /// ends. A line that is cut goes on at the top of the next.
  void columns(int x, int y, int width, int gap, const SvgCanvas &content,
               llvm::ArrayRef<std::pair<int, int>> columns);
  /// Any element; `element` is what stands between `<` and `/>`.
  void raw(const llvm::Twine &element);

  /// Writes the document: a white sheet of the size given, what was drawn, and
  /// a title for readers that do not see it; if there is more to say to them, a
  /// description.
  void write(llvm::raw_ostream &os, int width, int height,
             llvm::StringRef title, llvm::StringRef description = {}) const;

private:
  std::string body;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_SVGCANVAS_H
