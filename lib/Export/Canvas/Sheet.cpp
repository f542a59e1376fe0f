//===- Sheet.cpp - SVG documents ------------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sheet.h"
#include "TensorAccess/Export/Pictures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <set>

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

int Sheet::textWidth(StringRef text, int size) {
  int characters = llvm::count_if(text, [](char c) { return !continues(c); });
  return (characters * size * 602 + 999) / 1000;
}

std::string Sheet::elide(StringRef text, size_t limit) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i]))
      continue;
    if (++characters == limit && textWidth(text.drop_front(i), 1) > 1)
      return (text.take_front(i) + "…").str();
  }
  return text.str();
}

void Sheet::reserve(int right, int bottom) {
  width = std::max(width, right);
  height = std::max(height, bottom);
}

int Sheet::text(int x, int y, StringRef text, int size, StringRef fill,
                bool bold) {
  if (text.empty())
    return x;
  elements.push_back(
      {"text", x, y,
       ("font-size=\"" + Twine(size) + "\" fill=\"" + fill + "\"" +
        (bold ? " font-weight=\"600\"" : "") + ">" + escape(text) + "</text>")
           .str()});
  const int end = x + Sheet::textWidth(text, size);
  reserve(end, y + size / 3);
  return end;
}

void Sheet::rect(int x, int y, int width, int height, const Twine &attributes) {
  elements.push_back({"rect", x, y,
                      ("width=\"" + Twine(width) + "\" height=\"" +
                       Twine(height) + "\"" + attributes + "/>")
                          .str()});
  reserve(x + width, y + height);
}

void Sheet::circle(int x, int y, int radius, const Twine &attributes) {
  elements.push_back(
      {"circle", x, y,
       ("r=\"" + Twine(radius) + "\"" + attributes + "/>").str()});
  reserve(x + radius, y + radius);
}

void Sheet::path(int x, int y, const Twine &data, const Twine &attributes) {
  elements.push_back(
      {"path", x, y, ("d=\"" + data + "\"" + attributes + "/>").str()});
}

void Sheet::add(Sheet &&part, int x, int y) {
  reserve(x + part.width, y + part.height);
  for (Element &element : part.elements) {
    element.x += x;
    element.y += y;
    elements.push_back(std::move(element));
  }
}

void Sheet::columns(const Sheet &content, int gap,
                    llvm::ArrayRef<std::pair<int, int>> columns) {
  std::string body;
  llvm::raw_string_ostream os(body);
  content.print(os, 0, 0);
  // Of several pictures on a page each finds its own.
  const std::string id = "c" + llvm::utohexstr(llvm::xxh3_64bits(body));
  std::string defs = "<defs><g class=\"tensoraccess\" id=\"" + id + "\">\n" +
                     body + "</g></defs>";
  int x = 0;
  for (auto [begin, end] : columns) {
    elements.push_back({"svg", x, 0,
                        ("width=\"" + Twine(content.width) + "\" height=\"" +
                         Twine(end - begin) + "\" viewBox=\"0 " + Twine(begin) +
                         " " + Twine(content.width) + " " + Twine(end - begin) +
                         "\">" + defs + "<use href=\"#" + id + "\"/></svg>")
                            .str()});
    defs.clear();
    reserve(x + content.width, end - begin);
    x += content.width + gap;
  }
}

void Sheet::print(llvm::raw_ostream &os, int x, int y) const {
  for (const Element &element : elements) {
    const int left = x + element.x, top = y + element.y;
    os << '<' << element.tag;
    if (element.tag == "circle")
      os << " cx=\"" << left << "\" cy=\"" << top << "\" ";
    else if (element.tag == "path")
      os << " transform=\"translate(" << left << ' ' << top << ")\" ";
    else
      os << " x=\"" << left << "\" y=\"" << top << "\" ";
    os << element.rest << '\n';
  }
}

/// Colours on a dark sheet. Text that is white stands on the darkest of a scale, which is
/// the lightest here.
static constexpr std::pair<StringRef, StringRef> kDark[] = {
    {"white", "#111827"},       {"#ffffff", "#111827"},
    {color::ink, "#e5e7eb"},    {color::muted, "#9ca3af"},
    {color::rule, "#374151"},   {color::faint, "#1f2937"},
    {color::access, "#7dd3fc"}, {color::compute, "#fbbf24"},
    {color::result, "#fb7185"}, {color::column, "#c4b5fd"},
    {"#047857", "#34d399"},     {"#dbeafe", "#172554"},
    {"#a8cdfb", "#1e3a8a"},     {"#6aa5f0", "#2f62c0"},
    {"#2563eb", "#93c5fd"},     {"#1e3a8a", "#dbeafe"}};

/// Any other is what something is filled with that has text on it, and gets darker;
/// points stay.
static std::string darken(StringRef light) {
  for (auto [known, dark] : kDark)
    if (known == light)
      return dark.str();
  unsigned rgb;
  if (llvm::is_contained(color::points, light) || !light.consume_front("#") ||
      light.getAsInteger(16, rgb))
    return {};
  std::string dark = "#";
  for (unsigned shift : {16, 8, 0}) {
    const unsigned part = (rgb >> shift & 255) * 9 / 25;
    dark += llvm::hexdigit(part / 16, /*LowerCase=*/true);
    dark += llvm::hexdigit(part % 16, /*LowerCase=*/true);
  }
  return dark;
}

std::string mlir::tensoraccess::getPictureStyle(StringRef drawn) {
  std::string style = ".tensoraccess text { white-space: pre; }\n"
                      "@media (prefers-color-scheme: dark) {\n";
  std::set<std::pair<StringRef, StringRef>> used;
  for (StringRef key : {"fill", "stroke"}) {
    const std::string mark = (" " + key + "=\"").str();
    for (StringRef rest = drawn; !rest.empty();) {
      rest = rest.split(mark).second;
      used.insert({key, rest.take_until([](char c) { return c == '"'; })});
    }
  }
  for (auto [key, light] : used)
    if (std::string dark = darken(light); !dark.empty())
      style += (".tensoraccess [" + key + "=\"" + light + "\"] { " + key +
                ": " + dark + "; }\n")
                   .str();
  return style + "}\n";
}

void Sheet::write(llvm::raw_ostream &os, StringRef title,
                  StringRef description) const {
  constexpr int kMargin = 20;
  const int right = width + 2 * kMargin, bottom = height + 2 * kMargin;
  std::string drawn;
  llvm::raw_string_ostream all(drawn);
  all << "<defs>\n"
      << "<pattern id=\"padding\" width=\"6\" height=\"6\" "
         "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
         "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\""
      << color::muted << "\" stroke-width=\"2\"/></pattern>\n"
      << "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
         "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">"
         "<path d=\"M0 0L8 4L0 8z\" fill=\""
      << color::muted << "\"/></marker>\n"
      << "</defs>\n"
      << "<rect width=\"" << right << "\" height=\"" << bottom
      << "\" fill=\"white\"/>\n";
  print(all, kMargin, kMargin);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << right
     << "\" height=\"" << bottom << "\" viewBox=\"0 0 " << right << ' '
     << bottom
     << "\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu "
        "Sans Mono',monospace\" class=\"tensoraccess\" "
        "xml:space=\"preserve\">\n"
     << "<title>" << escape(title) << "</title>\n";
  if (!description.empty())
    os << "<desc>" << escape(description) << "</desc>\n";
  // As wide as a page or a notebook allows.
  os << "<style>\nsvg.tensoraccess { max-width: 100%; height: auto; }\n"
     << getPictureStyle(drawn) << "</style>\n"
     << drawn << "</svg>\n";
}
