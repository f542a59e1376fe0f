//===- AttributeFuzzer.cpp - One input for the readers of attributes ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The properties are in Fuzzers.h. They are driven by libFuzzer (the target
// TensorAccessAttributeFuzzer) and by a plain program in every build
// (FuzzReplay.cpp).
//
//===----------------------------------------------------------------------===//

#include "Fuzzers.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>
#include <memory>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// The checks on one text, which failures quote.
class Checker {
public:
  Checker(StringRef text, MLIRContext &context)
      : text(text), context(context) {}
  void run();

private:
  void require(bool holds, StringRef what) {
    if (holds)
      return;
    llvm::errs() << "property violated: " << what << "\ninput: '";
    llvm::errs().write_escaped(text) << "'\n";
    std::abort();
  }
  template <typename ValueT, typename ParseFn>
  std::optional<ValueT> checkCore(ParseFn parse);
  void checkMLIR(StringRef keyword, bool isReadable);
  void ask(const IndexingMap &map);
  void ask(const Layout &layout);
  void ask(const Projection &projection);

  StringRef text;
  MLIRContext &context;
};
} // namespace

template <typename ValueT, typename ParseFn>
std::optional<ValueT> Checker::checkCore(ParseFn parse) {
  ParseError error;
  std::optional<ValueT> value = parse(text, error);
  if (!value) {
    require(!error.message.empty(), "an error has a message");
    require(error.offset <= text.size(), "an error is inside of the text");
    return std::nullopt;
  }
  require(!value->verify(), "what is read verifies");
  std::string printed = value->str();
  std::optional<ValueT> again = parse(printed, error);
  require(again.has_value(), "what is printed is read");
  require(*again == *value, "what is printed is read as the same value");
  require(again->str() == printed, "what is printed prints as itself");
  ask(*value);
  return value;
}

void Checker::ask(const IndexingMap &map) {
  SmallVector<int64_t> zeros(map.getNumVariables(), 0);
  SmallVector<int64_t> ends;
  for (Interval range : map.getRanges())
    ends.push_back(range.upper);
  for (ArrayRef<int64_t> point : {ArrayRef(zeros), ArrayRef(ends)})
    if (std::optional<SmallVector<int64_t>> results = map.evaluateAt(point))
      for (auto [i, result] : llvm::enumerate(*results))
        require(map.getResultRange(i).contains(result),
                "a result lies in its range");
  (void)map.toAffineMap(&context);
}

void Checker::ask(const Layout &layout) {
  std::optional<int64_t> padded = layout.getPaddedElements();
  (void)layout.getSizeBytes();
  if (!layout.shape || !padded || llvm::is_contained(*layout.shape, 0))
    return;
  SmallVector<int64_t> first(layout.getRank(), 0), last;
  for (int64_t size : *layout.shape)
    last.push_back(size - 1);
  for (ArrayRef<int64_t> index : {ArrayRef(first), ArrayRef(last)}) {
    std::optional<int64_t> number = layout.linearize(index);
    require(number && *number >= 0 && *number < *padded,
            "an element has a number");
    std::optional<SmallVector<int64_t>> back = layout.delinearize(*number);
    require(back && ArrayRef<int64_t>(*back) == index,
            "delinearize inverts linearize");
  }
}

void Checker::ask(const Projection &projection) {
  SmallVector<int64_t> zeros(projection.getNumColumns(), 0);
  (void)projection.evaluate(zeros);
  SmallVector<int64_t> place(projection.getNumRows(), -1);
  SmallVector<int64_t> sizes(projection.getNumRows(), 3);
  (void)projection.resolve(place, sizes);
}

void Checker::checkMLIR(StringRef keyword, bool isReadable) {
  // MLIR's reader ends at a zero byte, and by brackets, before ours sees it.
  std::string source = ("#tensoraccess." + keyword + "<" + text + ">").str();
  Attribute attr = parseAttribute(source, &context);
  // A text that closes the brackets may hide ours, and whatever comes, behind a
  // comment's slashes.
  if (!attr || parseAttribute(source + "?", &context))
    return;
  require(isReadable, "MLIR accepts what Core accepts");
  std::string printed;
  llvm::raw_string_ostream os(printed);
  attr.print(os);
  require(parseAttribute(printed, &context) == attr,
          "a printed attribute is read as the same one");
}

void Checker::run() {
  bool isMap = checkCore<IndexingMap>(IndexingMap::parse).has_value();
  bool isProjection = checkCore<Projection>(Projection::parse).has_value();
  (void)checkCore<Layout>([](StringRef text, ParseError &error) {
    return Layout::parse(text, error, LayoutForm::String);
  });
  bool isLayout = checkCore<Layout>([](StringRef text, ParseError &error) {
                    return Layout::parse(text, error, LayoutForm::Attribute);
                  }).has_value();

  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  checkMLIR("indexing_map", isMap);
  checkMLIR("layout", isLayout);
  checkMLIR("projection", isProjection);
}

void mlir::tensoraccess::test::checkAttributeText(StringRef text) {
  // A context keeps every attribute it ever made; a new one now and then keeps
  // memory bounded.
  constexpr unsigned inputsPerContext = 2000;
  static std::unique_ptr<MLIRContext> context;
  static unsigned count = 0;
  if (count++ % inputsPerContext == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<TensorAccessDialect>();
  }
  Checker(text, *context).run();
}
