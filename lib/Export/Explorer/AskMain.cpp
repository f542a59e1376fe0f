//===- AskMain.cpp - The main of tensoraccess-ask -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Ask.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

namespace {
struct Options {
  cl::OptionCategory category{"tensoraccess-ask options"};
  cl::opt<std::string> question{cl::Positional, cl::Required,
                                cl::desc("QUESTION"), cl::cat(category)};
  cl::opt<std::string> file{
      cl::Positional, cl::Required,
      cl::desc(
          "FILE (HLO or MLIR text, bytecode, - for stdin; or a layout's or "
          "a map's text)"),
      cl::cat(category)};
  cl::opt<std::string> op{
      "op",
      cl::desc(
          "The ops that it is about: an instruction or value, as fusion.33 "
          "or %3, or a kind, as dot_general; of 'reads' also a whole function, "
          "as @main"),
      cl::value_desc("name"), cl::cat(category)};
  cl::list<int64_t> element{
      "element", cl::CommaSeparated,
      cl::desc("Of a layout: where this element is, for 'layouts'"),
      cl::value_desc("index"), cl::cat(category)};
  cl::list<int64_t> tile{
      "tile", cl::CommaSeparated,
      cl::desc("The sizes of a tile of the result, for 'tiles' in numbers"),
      cl::value_desc("sizes"), cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("All rows, as JSON"), cl::cat(category)};
  cl::opt<unsigned> rows{"rows", cl::desc("Most rows (default: 10)"),
                         cl::value_desc("number"), cl::init(10),
                         cl::cat(category)};
};
} // namespace

/// What was given, if anything.
static std::optional<ArrayRef<int64_t>>
getGiven(const cl::list<int64_t> &list) {
  if (!list.getNumOccurrences())
    return std::nullopt;
  return ArrayRef<int64_t>(&*list.begin(), list.size());
}

static std::optional<Explanation> askFile(const Options &options,
                                          std::string &error) {
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  std::shared_ptr<llvm::SourceMgr> sources;
  if (options.element.getNumOccurrences()) {
    error = "--element is for layouts";
    return std::nullopt;
  }
  OwningOpRef<ModuleOp> module =
      openModule(options.file, context, sources, /*keepsLayouts=*/true);
  if (!module)
    return std::nullopt;
  nameBySource(*module, *sources);
  std::optional<Explanation> answer =
      ask(options.question, *module, options.op, error, getGiven(options.tile));
  if (!error.empty())
    error = options.file + ": " + error;
  // What the rows are about goes with the module.
  if (answer)
    for (ExplainSection &section : answer->sections)
      for (ExplainRow &row : section.rows)
        row.op = nullptr;
  return answer;
}

/// The answer about the text of a layout or map; std::nullopt if it is neither
/// and no error is set.
static std::optional<Explanation> askText(const Options &options,
                                          std::string &error) {
  const StringRef text = StringRef(options.file).trim();
  const bool isMap = text.starts_with("(") && text.contains("->"),
             isLinear = text.starts_with("#") ||
                        (text.starts_with("{") && text.contains('=')),
             isStrided =
                 !isMap && (text.starts_with("(") || text.starts_with("Sw<") ||
                            text.ltrim("0123456789").starts_with(":")),
             isLayout = isLinear || text.contains('[') || text.starts_with("{");
  if (llvm::sys::fs::exists(options.file) || text == "-" ||
      (!isMap && !isStrided && !isLayout))
    return std::nullopt;
  ParseError problem;
  const std::optional<ArrayRef<int64_t>> element = getGiven(options.element),
                                         tile = getGiven(options.tile);
  if (!options.op.empty())
    error = "--op is for programs";
  else if (element && isMap)
    error = "--element is for layouts";
  else if (tile && !isMap)
    error = "--tile is for programs and maps";
  if (!error.empty())
    return std::nullopt;
  if (isMap) {
    if (std::optional<IndexingMap> map = IndexingMap::parse(text, problem))
      return ask(options.question, *map, error, tile);
  } else if (isLinear) {
    if (std::optional<LinearLayout> layout = LinearLayout::parse(text, problem))
      return ask(options.question, *layout, error, element);
  } else if (isStrided) {
    if (std::optional<StridedLayout> layout =
            StridedLayout::parse(text, problem))
      return ask(options.question, *layout, error, element);
  } else if (std::optional<Layout> layout = Layout::parse(text, problem)) {
    return ask(options.question, *layout, error, element);
  }
  error = "'" + text.str() + "' is neither a file nor a " +
          (isMap ? "map: " : "layout: ") + problem.message;
  return std::nullopt;
}

static LogicalResult run(const Options &options) {
  std::string error;
  auto isQuestion = [](StringRef text) {
    return llvm::any_of(getQuestions(), [&](const Question &question) {
      return question.name == text;
    });
  };
  if (!isQuestion(options.question) && isQuestion(options.file))
    error = "the question comes first: tensoraccess-ask " + options.file + " " +
            options.question;
  if (options.json && options.rows.getNumOccurrences())
    error = "--rows is for tables, and JSON has all rows";
  std::optional<Explanation> answer;
  if (error.empty())
    answer = askText(options, error);
  // Before a file is read in vain.
  if (!answer && error.empty() && !isQuestion(options.question))
    ask(options.question, ModuleOp(), options.op, error);
  if (!answer && error.empty())
    answer = askFile(options, error);
  if (!answer) {
    if (!error.empty())
      llvm::errs() << "error: " << error << '\n';
    return failure();
  }
  if (options.json) {
    llvm::json::OStream out(llvm::outs(), 2);
    writeExplanation(out, *answer);
    llvm::outs() << '\n';
    return success();
  }
  // A row for each question, or as many as are wanted.
  const bool isAll =
      options.question == "all" && !options.rows.getNumOccurrences();
  printAnswer(llvm::outs(), *answer,
              isAll ? getQuestions().size() : options.rows.getValue());
  if (answer->next.empty())
    return success();
  auto [question, flags] = StringRef(answer->next).split(' ');
  // As it is typed in a shell.
  const bool isPlain =
      StringRef(options.file).find_first_of(" []{}()*'\"") == StringRef::npos;
  llvm::outs() << "\nnext: tensoraccess-ask " << question << ' '
               << (isPlain ? "" : "'") << options.file << (isPlain ? "" : "'")
               << (flags.empty() ? "" : " ") << flags << '\n';
  return success();
}

int tensoraccess::askMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  static std::string summary =
      "Answers one question about a program, a layout or a map, in a table, "
      "costliest first. Questions: ";
  for (const Question &question : getQuestions())
    summary += (question.name + " (" + question.summary + ")" +
                (question.name == "all" ? "." : ", "))
                   .str();
  registerHelp(argc, argv,
               {summary,
                "[options] QUESTION FILE",
                {"tensoraccess-ask fuse dump.hlo",
                 "tensoraccess-ask reads model.mlir --op=dot_general",
                 "tensoraccess-ask padding 'f32[1000,3]{1,0:T(8,128)}'",
                 "tensoraccess-ask layouts 'f32[9,3]{1,0:T(8,128)}' "
                 "--element=8,2"},
                {{"Input and output", {"hlo-layouts"}}}});
  cl::ParseCommandLineOptions(argc, argv);
  return failed(run(options));
}
