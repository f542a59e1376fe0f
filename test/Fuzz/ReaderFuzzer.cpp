//===- ReaderFuzzer.cpp - One input for all other readers -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets, grids, distributions, cost models, calibrations, anchored
// projections, .npy files, e-graphs as JSON, attributes of StableHLO, Glenside
// programs and rules in PDL: whatever a text is to each, it is read or refused
// with a reason, and what is read and has a text reads back as itself.
//
//===----------------------------------------------------------------------===//

#include "../EGraph/ReadEGraphJson.h"
#include "Fuzzers.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/Projection.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdlib>
#include <memory>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// The checks on one text, which failures quote.
class Checker {
public:
  explicit Checker(StringRef text) : text(text) {}
  void readValues();
  void readPrograms(MLIRContext &context);

private:
  void require(bool holds, const Twine &what) {
    if (holds)
      return;
    llvm::errs() << "property violated: " << what << "\ninput: '";
    llvm::errs().write_escaped(text) << "'\n";
    std::abort();
  }
  /// A value with `parse`, `str` and equality of texts.
  template <typename ParseFn>
  auto checkText(StringRef name, ParseFn parse)
      -> decltype(parse(std::declval<StringRef>(),
                        std::declval<ParseError &>()));
  void readMachine();
  void readTensor();
  void readEGraph();
  void readHlo();

  StringRef text;
};
} // namespace

template <typename ParseFn>
auto Checker::checkText(StringRef name, ParseFn parse)
    -> decltype(parse(std::declval<StringRef>(),
                      std::declval<ParseError &>())) {
  ParseError error;
  auto value = parse(text, error);
  if (!value) {
    require(!error.message.empty(), name + ": an error has a message");
    require(error.offset <= text.size(), name + ": an error is in the text");
    return value;
  }
  std::string printed = value->str();
  auto again = parse(printed, error);
  require(again.has_value(), name + ": what is printed is read: " + printed);
  require(again->str() == printed, name + ": what is printed prints as itself");
  return value;
}

void Checker::readMachine() {
  if (auto target = checkText("target", Target::parse))
    require(!target->verify(), "a target that is read verifies");
  if (auto grid = checkText("grid", Grid::parse)) {
    // Distributions are on a grid.
    for (StringRef part : llvm::split(text, ' '))
      for (size_t rank : {0, 1, 3}) {
        ParseError error;
        if (auto cut = Distribution::parse(part, *grid, rank, error))
          require(!cut->verify(*grid), "a distribution that is read verifies");
      }
  }
  Grid grid = *[] {
    ParseError error;
    return Grid::parse("rows=2,cols=3", error);
  }();
  for (size_t rank : {0, 1, 4}) {
    ParseError error;
    if (auto cut = Distribution::parse(text, grid, rank, error)) {
      require(!cut->verify(grid), "a distribution that is read verifies");
      std::string printed = cut->str(grid);
      auto again = Distribution::parse(printed, grid, rank, error);
      require(again && *again == *cut, "a distribution reads back");
    } else {
      require(!error.message.empty(), "distribution: an error has a message");
    }
  }
  if (auto model = checkText("cost model", CostModel::parse))
    require(!model->verify(), "a cost model that is read verifies");
  (void)checkText("calibration", Calibration::parse);
  (void)checkText("anchored projection", AnchoredProjection::parse);
  ParseError error;
  if (auto rates = OpRates::parse(text, OpRates(), error))
    require(!rates->verify(), "rates that are read verify");
}

void Checker::readTensor() {
  llvm::Expected<Tensor> tensor = parseNpy(text, "input");
  if (!tensor) {
    require(!llvm::toString(tensor.takeError()).empty(),
            "npy: an error has a message");
    return;
  }
  llvm::Expected<Tensor> dense = tensor->clone();
  if (!dense)
    llvm::consumeError(dense.takeError());
}

void Checker::readEGraph() {
  std::string problem;
  std::optional<SerializedEGraph> egraph = readEGraphJson(text, problem);
  if (!egraph) {
    require(!problem.empty(), "e-graph: an error has a message");
    return;
  }
  std::string json, dot;
  llvm::raw_string_ostream os(json), picture(dot);
  writeEGraphDot(*egraph, picture);
  if (!writeEGraphJson(*egraph, os, problem))
    return;
  std::optional<SerializedEGraph> again = readEGraphJson(json, problem);
  require(again.has_value(), "an e-graph that is written is read: " + problem);
  std::string twice;
  llvm::raw_string_ostream other(twice);
  require(writeEGraphJson(*again, other, problem) && twice == json,
          "an e-graph that is read back is written as it was");
}

void Checker::readHlo() {
  std::string error;
  for (StringRef name : {"dot", "gather", "scatter"}) {
    error.clear();
    if (!parseHloFields(text, name, error))
      require(!error.empty(), "StableHLO: an error has a message");
  }
  error.clear();
  if (!parseHloConvolution(text, error))
    require(!error.empty(), "convolution: an error has a message");
}

void Checker::readValues() {
  readMachine();
  readTensor();
  readEGraph();
  readHlo();
}

void Checker::readPrograms(MLIRContext &context) {
  unsigned errors = 0;
  ScopedDiagnosticHandler count(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                             llvm::SMLoc());
  if (OwningOpRef<ModuleOp> module = importGlenside(sources, &context)) {
    require(succeeded(verify(*module)),
            "a Glenside program that is read verifies");
    std::string printed;
    llvm::raw_string_ostream os(printed);
    (void)exportGlenside(*module, os);
  } else {
    require(errors > 0, "Glenside: what is not read has an error");
  }

  // Upstream's reader of bytecode is not ours to try.
  if (text.starts_with("ML\xefR"))
    return;
  OwningOpRef<ModuleOp> module = parseRules(&context, text, "rules");
  if (!module)
    return;
  errors = 0;
  if (failed(compileRules(*module, NativeFunctions())))
    require(errors > 0, "rules that are refused have an error");
}

void mlir::tensoraccess::test::checkReaders(StringRef text) {
  constexpr unsigned inputsPerContext = 2000;
  static std::unique_ptr<MLIRContext> context;
  static unsigned count = 0;
  if (count++ % inputsPerContext == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<TensorAccessDialect, pdl::PDLDialect,
                         arith::ArithDialect, func::FuncDialect>();
  }
  Checker checker(text);
  checker.readValues();
  checker.readPrograms(*context);
}
