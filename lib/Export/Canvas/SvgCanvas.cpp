//===- SvgCanvas.cpp - Shapes and text as SVG -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SvgCanvas.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

using namespace mlir::tensoraccess;
using llvm::StringRef;
using llvm::Twine;

/// Whether a byte continues a character of UTF-8.
static bool continues(char byte) { return (byte & 0xC0) == 0x80; }

/// Text as it may stand in XML: valid UTF-8, no control characters, and the
/// characters with a meaning written as entities.
static std::string escape(StringRef text) {
  std::string valid =
      llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string escaped;
  for (char byte : valid) {
    switch (byte) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += static_cast<unsigned char>(byte) < 0x20 ? ' ' : byte;
    }
  }
  return escaped;
}

int SvgCanvas::textWidth(StringRef text, int size) {
  int characters = llvm::count_if(text, [](char c) { return !continues(c); });
  return (characters * size * 602 + 999) / 1000;
}

std::string SvgCanvas::elide(StringRef text, size_t limit) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i]))
      continue;
    if (++characters == limit && textWidth(text.drop_front(i), 1) > 1)
      return (text.take_front(i) + "…").str();
  }
  return text.str();
}

int SvgCanvas::text(int x, int y, StringRef text, int size, StringRef fill,
                    bool bold) {
  if (text.empty())
    return x;
  llvm::raw_string_ostream os(body);
  os << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size
     << "\" fill=\"" << fill << '"' << (bold ? " font-weight=\"600\"" : "")
     << '>' << escape(text) << "</text>\n";
  return x + textWidth(text, size);
}

void SvgCanvas::rect(int x, int y, int width, int height, StringRef fill,
                     StringRef stroke, int radius) {
  llvm::raw_string_ostream os(body);
  os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width
     << "\" height=\"" << height << "\" fill=\"" << fill << '"';
  if (stroke != "none")
    os << " stroke=\"" << stroke << '"';
  if (radius)
    os << " rx=\"" << radius << '"';
  os << "/>\n";
}

void SvgCanvas::line(int x1, int y1, int x2, int y2, StringRef stroke,
                     bool dashed) {
  raw("line x1=\"" + Twine(x1) + "\" y1=\"" + Twine(y1) + "\" x2=\"" +
      Twine(x2) + "\" y2=\"" + Twine(y2) + "\" stroke=\"" + stroke + "\"" +
      (dashed ? " stroke-dasharray=\"2 3\"" : ""));
}

void SvgCanvas::circle(int x, int y, int radius, StringRef fill) {
  raw("circle cx=\"" + Twine(x) + "\" cy=\"" + Twine(y) + "\" r=\"" +
      Twine(radius) + "\" fill=\"" + fill + "\"");
}

void SvgCanvas::raw(const Twine &element) {
  body += ("<" + element + "/>\n").str();
}

void SvgCanvas::write(llvm::raw_ostream &os, int width, int height,
                      StringRef title, StringRef description) const {
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
     << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' '
     << height
     << "\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu "
        "Sans Mono',monospace\" xml:space=\"preserve\">\n"
     << "<title>" << escape(title) << "</title>\n";
  if (!description.empty())
    os << "<desc>" << escape(description) << "</desc>\n";
  os << "<defs>\n"
     << "<pattern id=\"padding\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
        "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\""
     << color::muted << "\" stroke-width=\"2\"/></pattern>\n"
     << "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
        "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">"
        "<path d=\"M0 0L8 4L0 8z\" fill=\""
     << color::muted << "\"/></marker>\n"
     << "</defs>\n"
     << "<rect width=\"" << width << "\" height=\"" << height
     << "\" fill=\"white\"/>\n"
     << body << "</svg>\n";
}
