//===- ExplainText.cpp - An explanation as tables, and as JSON ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Unicode.h"

using namespace mlir;
using namespace mlir::tensoraccess;
namespace json = llvm::json;

/// `1,234,567`.
static std::string group(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3;)
    digits.insert(i -= 3, ",");
  return digits;
}

std::string Bounds::str() const {
  if (isExact())
    return group(lower);
  if (upper && lower)
    return group(lower) + " to " + group(*upper);
  if (upper)
    return "at most " + group(*upper);
  return lower ? "at least " + group(lower) : "unknown";
}

static std::string group(int64_t number) {
  return number < 0 ? "-" + group(uint64_t(0) - uint64_t(number))
                    : group(uint64_t(number));
}

std::string Difference::str() const {
  if (lower && upper)
    return *lower == *upper ? group(*lower)
                            : group(*lower) + " to " + group(*upper);
  if (upper)
    return "at most " + group(*upper);
  return lower ? "at least " + group(*lower) : "unknown";
}

static bool isText(const ExplainCell &cell) {
  return std::holds_alternative<std::string>(cell.value);
}

static std::string print(const ExplainCell &cell) {
  if (const auto *count = std::get_if<Bounds>(&cell.value))
    return count->str();
  if (const auto *difference = std::get_if<Difference>(&cell.value))
    return difference->str();
  if (const auto *text = std::get_if<std::string>(&cell.value))
    return *text;
  return llvm::formatv("{0:P1}", std::get<double>(cell.value)).str();
}

/// Columns of a terminal, or of as many bytes where that is not known.
static size_t widthOf(StringRef text) {
  const int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

namespace {
struct Column {
  std::string title;
  bool isText = false;
  std::vector<std::string> cells;
};
} // namespace

static void printTable(raw_ostream &os, ArrayRef<ExplainRow> rows) {
  llvm::MapVector<StringRef, Column> columns;
  auto add = [&](StringRef title, size_t row, StringRef text, bool isText) {
    Column &column = columns[title];
    column.title = title.str();
    column.isText = isText;
    column.cells.resize(rows.size());
    column.cells[row] = text.str();
  };
  for (auto [i, row] : llvm::enumerate(rows)) {
    add("name", i, row.name, true);
    add("kind", i, row.kind, true);
    for (const ExplainCell &cell : row.cells)
      add(cell.key, i, print(cell), isText(cell));
  }
  for (auto [i, row] : llvm::enumerate(rows)) {
    // The file's own name will do.
    std::string source = llvm::sys::path::filename(row.source).str();
    if (!row.opName.empty())
      source += (source.empty() ? "" : " ") + row.opName;
    add("source", i, source, true);
  }
  columns.remove_if([](auto &entry) {
    return llvm::all_of(entry.second.cells,
                        [](const std::string &cell) { return cell.empty(); });
  });
  SmallVector<size_t> widths;
  for (auto &[title, column] : columns) {
    size_t width = title.size();
    for (const std::string &cell : column.cells)
      width = std::max(width, widthOf(cell));
    widths.push_back(width);
  }
  auto printLine = [&](llvm::function_ref<StringRef(const Column &)> get) {
    std::string line = " ";
    for (auto [entry, width] : llvm::zip_equal(columns, widths)) {
      StringRef text = get(entry.second);
      const std::string blanks(width - widthOf(text), ' ');
      line +=
          " " +
          (entry.second.isText ? text.str() + blanks : blanks + text.str()) +
          " ";
    }
    os << StringRef(line).rtrim() << '\n';
  };
  printLine([](const Column &column) { return StringRef(column.title); });
  for (size_t i = 0; i < rows.size(); ++i) {
    printLine([&](const Column &column) { return StringRef(column.cells[i]); });
    if (!rows[i].text.empty())
      os << "      " << rows[i].text << '\n';
  }
}

static const Bounds *getTotal(const Explanation &explanation, StringRef key) {
  for (const ExplainCell &cell : explanation.totals)
    if (cell.key == key)
      return std::get_if<Bounds>(&cell.value);
  return nullptr;
}

/// `, 2.5 times that`, where both are known.
static std::string printFactor(const Bounds &all, const Bounds &least) {
  if (!all.isExact() || !least.isExact() || least.isZero() ||
      all.lower == least.lower)
    return "";
  return llvm::formatv(", {0:F2} times that", double(all.lower) / least.lower)
      .str();
}

void tensoraccess::printExplanation(raw_ostream &os,
                                    const Explanation &explanation,
                                    size_t maxRows) {
  os << explanation.program << '\n';
  const Bounds *bytes = getTotal(explanation, "bytes"),
               *least = getTotal(explanation, "leastBytes"),
               *operations = getTotal(explanation, "operations"),
               *distinct = getTotal(explanation, "leastOperations"),
               *steps = getTotal(explanation, "steps");
  if (bytes && least && operations && distinct && steps)
    os << "  steps       " << steps->str() << '\n'
       << "  bytes       " << bytes->str()
       << "; arguments and results once: " << least->str()
       << printFactor(*bytes, *least) << '\n'
       << "  operations  " << operations->str()
       << "; each of them once: " << distinct->str()
       << printFactor(*operations, *distinct) << '\n';
  if (const Bounds *round = getTotal(explanation, "roundBytes"))
    os << "  and for each round of loops whose trips are unknown: "
       << round->str() << " bytes, "
       << getTotal(explanation, "roundOperations")->str() << " operations\n";
  if (const Bounds *was = getTotal(explanation, "bytesBefore"))
    os << "  bytes before  " << was->str() << ", in "
       << plural(getTotal(explanation, "stepsBefore")->lower, "step") << "\n"
       << "  bytes after   " << getTotal(explanation, "bytesAfter")->str()
       << ", in " << plural(getTotal(explanation, "stepsAfter")->lower, "step")
       << '\n';
  for (const ExplainSection &section : explanation.sections) {
    os << '\n' << section.title;
    if (section.rows.size() > maxRows)
      os << " (" << maxRows << " of " << section.rows.size() << ")";
    if (!section.summary.empty())
      os << ": " << section.summary;
    os << '\n';
    if (!section.rows.empty())
      printTable(os, ArrayRef(section.rows).take_front(maxRows));
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void write(json::OStream &out, const Bounds &count) {
  if (count.isExact())
    return out.value(count.lower);
  out.object([&] {
    if (count.lower)
      out.attribute("at_least", count.lower);
    if (count.upper)
      out.attribute("at_most", *count.upper);
  });
}

static void write(json::OStream &out, const Difference &difference) {
  if (difference.lower && difference.lower == difference.upper)
    return out.value(*difference.lower);
  out.object([&] {
    if (difference.lower)
      out.attribute("at_least", *difference.lower);
    if (difference.upper)
      out.attribute("at_most", *difference.upper);
  });
}

static void write(json::OStream &out, ArrayRef<ExplainCell> cells) {
  for (const ExplainCell &cell : cells) {
    out.attributeBegin(cell.key);
    if (const auto *count = std::get_if<Bounds>(&cell.value))
      write(out, *count);
    else if (const auto *difference = std::get_if<Difference>(&cell.value))
      write(out, *difference);
    else if (const auto *text = std::get_if<std::string>(&cell.value))
      out.value(json::fixUTF8(*text));
    else
      out.value(std::get<double>(cell.value));
    out.attributeEnd();
  }
}

void tensoraccess::writeExplanation(
    json::OStream &out, const Explanation &explanation, size_t maxRows,
    llvm::function_ref<void(const ExplainRow &)> addTo) {
  out.object([&] {
    out.attribute("program", json::fixUTF8(explanation.program));
    out.attributeObject("totals", [&] { write(out, explanation.totals); });
    out.attributeArray("sections", [&] {
      for (const ExplainSection &section : explanation.sections)
        out.object([&] {
          out.attribute("key", section.key);
          out.attribute("title", section.title);
          if (!section.summary.empty())
            out.attribute("summary", section.summary);
          if (section.rows.size() > maxRows)
            out.attribute("of", section.rows.size());
          out.attributeArray("rows", [&] {
            for (const ExplainRow &row :
                 ArrayRef(section.rows)
                     .take_front(std::min(maxRows, section.rows.size())))
              out.object([&] {
                out.attribute("name", json::fixUTF8(row.name));
                out.attribute("kind", json::fixUTF8(row.kind));
                if (addTo)
                  addTo(row);
                if (!row.source.empty())
                  out.attribute("source", json::fixUTF8(row.source));
                if (!row.opName.empty())
                  out.attribute("op_name", json::fixUTF8(row.opName));
                write(out, row.cells);
                if (!row.text.empty())
                  out.attribute("text", json::fixUTF8(row.text));
              });
          });
        });
    });
  });
}
