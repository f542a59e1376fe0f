//===- ExplorerData.cpp - What the explorer's page shows ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One JSON object, which the script of the page (explorer.js) reads:
//
//   maps, texts   tables of strings, named by number elsewhere; each once
//   tiles         of each map the image of a tile, or why it is not one
//   functions     name, arguments, returned values; and of each
//     folds       the ops with operands as a tree (Canvas/ProgramFold.h): a number, or
//                 the list of what is in it, with its head, the scope that it is, or how
//                 many copies it is of
//     values      type, name, producer; shape if it is static; the size of its
//                 layout in memory
//     ops         name, operands and results by value, text, nesting, location,
//                 arithmetic; for each result and operand the maps of what is read,
//                 and for each operand and result those of what is reached; for each
//                 operand what fusing its producer would compute; values that its
//                 regions use; how lanes would
//                 read; what is equal by rules; the times of the loop nests on its line
//     shards      the part of each value that a rank has, and the messages
//   pictures      layouts, drawn
//   stages        the program after each pass: lines by text, and the op that each line
//                 came from; none where it changed nothing
//
//===----------------------------------------------------------------------===//

#include "Canvas/ProgramFold.h"
#include "ExplorerFacts.h"
#include "ExplorerPage.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Core/Tile.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace json = llvm::json;

/// Characters of an op, and bytes of all stages.
static constexpr size_t kMostText = 2000;
static constexpr int64_t kMostStageBytes = 3 << 20;
/// Of some 30 kB.
static constexpr int64_t kMostPictures = 24;

namespace {
/// Those with bodies, also of modules within.
SmallVector<FunctionOpInterface> getFunctions(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  module->walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  return functions;
}

/// The program after a pass.
struct Stage {
  std::string pass;
  /// Text and op, -1 for none.
  std::vector<std::pair<int64_t, int64_t>> lines;
};

class Explorer {
public:
  Explorer(ModuleOp module, raw_ostream &os)
      : module(module), flags(getFlags()), state(module, flags), out(os) {}

  LogicalResult write(const ExplorerOptions &options);
  /// No pass failed.
  bool isComplete() const { return isWhole; }

private:
  static OpPrintingFlags getFlags() {
    return OpPrintingFlags()
        .elideLargeElementsAttrs(16)
        .elideLargeResourceString(64);
  }
  static std::string print(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }
  LogicalResult writeFunction(FunctionOpInterface function,
                              const ExplorerOptions &options);
  std::string nameOf(Value value) {
    std::string name;
    llvm::raw_string_ostream os(name);
    value.printAsOperand(os, state);
    return name;
  }
  std::string print(Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, state);
    return StringRef(text).ltrim().str();
  }
  /// An op that is shown, and what is asked of it more than once.
  struct Listed {
    Operation *op;
    SetVector<Value> captured;
    uint64_t look = 0;
  };
  void writeTree();
  void writeType(Type type);
  void writeValue(Value value);
  void writeLayout(RankedTensorType type);
  void writeOp(Listed &listed, FunctionOpInterface function);
  int64_t addMap(const IndexingMap &map);
  void writeSet(const IndexingSet &set);
  void writeReads(OpOperand &operand);
  void writeList(ValueRange list) {
    out.array([&] {
      for (Value value : list)
        out.value(numbers.values.lookup(value));
    });
  }
  LogicalResult runPasses(StringRef passes);
  LogicalResult readProfile(StringRef text);

  ModuleOp module;
  OpPrintingFlags flags;
  AsmState state;
  json::OStream out;
  FusionAnalysis analysis;
  StringTable maps, texts, pictures;
  /// Of all values, by number.
  llvm::MapVector<Type, int64_t> types;
  /// By map.
  std::vector<std::string> tiles;
  std::vector<Stage> stages;
  std::string problem;
  bool isWhole = true;
  /// Within a function.
  PageNumbers numbers;
  std::vector<Value> order;
  std::vector<Listed> listed;
  Alternatives alternatives;
  /// By place in the file, `model.mlir:12:3`.
  struct Timed {
    double microseconds = 0;
    std::string what;
  };
  llvm::StringMap<Timed> times;
  /// Of all functions.
  int64_t numOps = 0;
  llvm::DenseMap<Operation *, int64_t> allOps;
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A layout of the type's own: its text, places without an element, and its picture.
void Explorer::writeLayout(RankedTensorType type) {
  std::optional<int64_t> elements = elementCount(type.getShape()), places;
  std::string text, picture;
  llvm::raw_string_ostream os(picture);
  const LayoutPictureOptions small = {16, 16, 2, 0};
  if (auto tiled = dyn_cast_or_null<LayoutAttr>(type.getEncoding())) {
    text = tiled.getValue().str();
    if (std::optional<Layout> layout = getLayoutOf(type);
        layout && layout->hasStaticShape()) {
      places = layout->getPaddedElements();
      (void)writeLayoutSvg(*layout, os, small);
    }
  } else if (isa_and_nonnull<StridedAttr, LinearAttr>(type.getEncoding())) {
    std::string error;
    if (auto found = getPlaces(type.getEncoding(), type.getShape(), error))
      places = found->numbers;
    llvm::raw_string_ostream(text) << type.getEncoding();
    if (auto strided = dyn_cast<StridedAttr>(type.getEncoding()))
      (void)writeLayoutSvg(strided.getValue(), os, small);
    else
      (void)writeLayoutSvg(cast<LinearAttr>(type.getEncoding()).getValue(), os,
                           small);
  } else {
    return;
  }
  out.attribute("layout", text);
  if (places && elements)
    out.attribute("padding", *places - *elements);
  if (picture.empty())
    return;
  const int64_t number = pictures.get(picture);
  if (number < kMostPictures)
    out.attribute("picture", number);
}

/// What values of one type share.
void Explorer::writeType(Type type) {
  out.object([&] {
    out.attribute("type", texts.get(print(type)));
    SmallVector<int64_t> shape;
    Type element;
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && shaped.hasStaticShape()) {
      llvm::append_range(shape, shaped.getShape());
      element = shaped.getElementType();
    } else if (auto access = dyn_cast<AccessType>(type);
               access && access.hasStaticShape()) {
      llvm::append_range(shape, access.getAccessShape());
      llvm::append_range(shape, access.getComputeShape());
      element = access.getElementType();
    } else {
      return;
    }
    out.attributeArray("shape", [&] {
      for (int64_t size : shape)
        out.value(size);
    });
    if (std::optional<uint64_t> bytes = getElementBytes(element))
      out.attribute("elementBytes", static_cast<int64_t>(*bytes));
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      writeLayout(tensor);
  });
}

void Explorer::writeValue(Value value) {
  out.object([&] {
    out.attribute("name", nameOf(value));
    out.attribute("of",
                  types.insert({value.getType(), types.size()}).first->second);
    if (Operation *op = value.getDefiningOp(); op && numbers.ops.contains(op))
      out.attribute("op", numbers.ops.lookup(op));
  });
}

/// The image of a tile under a map, a line each.
static std::string printTile(const IndexingMap &map) {
  TileFailure failure;
  std::optional<SymbolicTile> tile = getSymbolicTile(map, {}, failure);
  return tile ? StringRef(tile->str()).trim().str() : failure.message;
}

int64_t Explorer::addMap(const IndexingMap &map) {
  const int64_t number = maps.get(map.str());
  if (number == static_cast<int64_t>(tiles.size()))
    tiles.push_back(printTile(map));
  return number;
}

/// A list of maps, or the reason why there is none.
void Explorer::writeSet(const IndexingSet &set) {
  if (set.isUnknown())
    return out.value(describe(set.getReason()));
  out.array([&] {
    for (const IndexingMap &map : set.getMaps())
      out.value(addMap(map));
  });
}

/// What fusing the producer would compute: reads, different ones, all there are.
void Explorer::writeReads(OpOperand &operand) {
  Operation *producer = operand.get().getDefiningOp();
  if (!producer || producer->getNumOperands() == 0 ||
      !numbers.ops.contains(producer))
    return out.value(nullptr);
  const ReadCounts counts = analysis.analyzeOperand(operand);
  if (!counts.reads || !counts.unique || !counts.elements)
    return out.value(counts.reason.empty() ? "unknown" : counts.reason);
  out.array([&] {
    for (uint64_t count : {*counts.reads, *counts.unique, *counts.elements})
      out.value(static_cast<int64_t>(count));
    // Other users, also those without a result.
    llvm::SmallPtrSet<Operation *, 4> others;
    for (Operation *user : operand.get().getUsers())
      if (user != operand.getOwner())
        others.insert(user);
    out.value(static_cast<int64_t>(others.size()));
  });
}

/// Values from outside that an op's regions use.
static SetVector<Value> getCaptured(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured;
}

void Explorer::writeOp(Listed &listed, FunctionOpInterface function) {
  Operation *op = listed.op;
  std::string text = print(op);
  listed.look = getLook(text);
  if (text.size() > kMostText) {
    text.resize(kMostText);
    text += " …";
  }
  unsigned depth = 0;
  for (Operation *parent = op->getParentOp(); parent != function;
       parent = parent->getParentOp())
    ++depth;
  const OpIndexing &indexing = analysis.getCache().get(op);
  out.object([&] {
    out.attribute("name", op->getName().getStringRef());
    out.attribute("text", texts.get(text));
    if (isContraction(op, indexing))
      out.attribute("isAnchor", true);
    if (auto name = dyn_cast<NameLoc>(op->getLoc());
        name && module->hasAttr(kHloAttribute))
      out.attribute("instruction", name.getName().getValue());
    if (std::string hint = getHint(op); !hint.empty())
      out.attribute("hint", hint);
    if (depth)
      out.attribute("depth", depth);
    if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
      const std::string line =
          (loc.getFilename().getValue() + ":" + Twine(loc.getLine())).str();
      out.attribute("loc", texts.get(line));
      auto it = times.find((line + ":" + Twine(loc.getColumn())).str());
      if (it != times.end()) {
        out.attribute("time", it->second.microseconds);
        out.attribute("timed", texts.get(it->second.what));
      }
    }
    out.attributeBegin("operands");
    writeList(op->getOperands());
    out.attributeEnd();
    out.attributeBegin("results");
    writeList(op->getResults());
    out.attributeEnd();
    if (!listed.captured.empty()) {
      out.attributeBegin("captures");
      writeList(listed.captured.getArrayRef());
      out.attributeEnd();
    }
    if (std::optional<Work> work = countOpWork(op); work && work->operations)
      out.attribute("work", work->operations);
    out.attributeArray("reads", [&] {
      for (unsigned r = 0; r < indexing.getNumResults(); ++r)
        out.array([&] {
          for (unsigned o = 0; o < indexing.getNumOperands(); ++o)
            writeSet(indexing.outputToInput(r, o));
        });
    });
    out.attributeArray("reaches", [&] {
      for (unsigned o = 0; o < indexing.getNumOperands(); ++o)
        out.array([&] {
          for (unsigned r = 0; r < indexing.getNumResults(); ++r)
            writeSet(indexing.inputToOutput(o, r));
        });
    });
    out.attributeArray("fused", [&] {
      for (OpOperand &operand : op->getOpOperands())
        writeReads(operand);
    });
    if (std::string text = getCoalescing(op, analysis.getCache());
        !text.empty())
      out.attribute("coalescing", texts.get(text));
    alternatives.write(out, op, [&](Value value) { return nameOf(value); });
  });
}

/// The tree, with the numbers that `numbers` gives to its ops.
static void writeFolds(json::OStream &out, ArrayRef<FoldedPart> parts,
                       ArrayRef<int64_t> numbers) {
  out.array([&] {
    for (const FoldedPart &part : parts) {
      if (part.parts.empty()) {
        out.value(numbers[part.first]);
        continue;
      }
      out.object([&] {
        if (part.times > 1)
          out.attribute("times", static_cast<int64_t>(part.times));
        if (part.isGroup)
          out.attribute("head", numbers[part.head]);
        if (!part.name.empty())
          out.attribute("name", json::fixUTF8(part.name));
        out.attributeBegin("parts");
        writeFolds(out, part.parts, numbers);
        out.attributeEnd();
      });
    }
  });
}

void Explorer::writeTree() {
  SmallVector<Operation *> ops;
  SmallVector<uint64_t> looks;
  SmallVector<int64_t> shown;
  for (auto [number, one] : llvm::enumerate(listed)) {
    if (one.op->getNumOperands() == 0 && one.captured.empty())
      continue;
    ops.push_back(one.op);
    looks.push_back(one.look);
    shown.push_back(number);
  }
  out.attributeBegin("folds");
  writeFolds(out,
             foldProgram(ops, looks, analysis.getCache(), /*byScope=*/true),
             shown);
  out.attributeEnd();
}

/// `@outer::@f`: the functions of modules within.
static std::string getPath(FunctionOpInterface function) {
  std::string path = function.getName().str();
  for (Operation *parent = function->getParentOp(); parent->getParentOp();
       parent = parent->getParentOp())
    if (auto name = SymbolTable::getSymbolName(parent))
      path = (name.getValue() + "::" + path).str();
  return path;
}

LogicalResult Explorer::writeFunction(FunctionOpInterface function,
                                      const ExplorerOptions &options) {
  numbers.values.clear();
  order.clear();
  numbers.ops.clear();
  auto add = [&](Value value) {
    if (numbers.values.try_emplace(value, order.size()).second)
      order.push_back(value);
  };
  listed.clear();
  forEachIndexedOp(function, [&](Operation *op) {
    if (op->getNumResults() == 0)
      return;
    numbers.ops[op] = listed.size();
    listed.push_back({op, getCaptured(op)});
  });
  Block &entry = function.getFunctionBody().front();
  for (BlockArgument argument : entry.getArguments())
    add(argument);
  for (const Listed &one : listed) {
    llvm::for_each(one.op->getOperands(), add);
    llvm::for_each(one.captured, add);
    llvm::for_each(one.op->getResults(), add);
  }
  SmallVector<Value> returned;
  for (Block &block : function.getFunctionBody())
    if (block.mightHaveTerminator() &&
        block.getTerminator()->hasTrait<OpTrait::ReturnLike>())
      llvm::append_range(returned, block.getTerminator()->getOperands());
  llvm::for_each(returned, add);
  std::string note;
  alternatives = Alternatives();
  if (failed(alternatives.make(function, options, note)))
    return failure();
  out.object([&] {
    out.attribute("name", getPath(function));
    out.attribute("first", numOps);
    out.attributeBegin("arguments");
    writeList(entry.getArguments());
    out.attributeEnd();
    out.attributeBegin("returned");
    writeList(returned);
    out.attributeEnd();
    out.attributeArray("ops", [&] {
      for (Listed &one : listed)
        writeOp(one, function);
    });
    writeTree();
    out.attributeArray("values", [&] {
      for (Value value : order)
        writeValue(value);
    });
    writeShards(out, function, numbers, note);
    if (!note.empty())
      out.attribute("note", note);
  });
  for (auto [op, number] : numbers.ops)
    allOps[op] = numOps + number;
  numOps += listed.size();
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
/// After each pass: the program's lines, and the ops that they came
/// from, by location.
class StageInstrumentation : public PassInstrumentation {
public:
  StageInstrumentation(ModuleOp module, StringTable &texts,
                       std::vector<Stage> &stages, std::string &problem,
                       const OpPrintingFlags &flags)
      : module(module), texts(texts), stages(stages), problem(problem),
        flags(flags) {}

  void note(StringRef pass) {
    std::string text;
    llvm::raw_string_ostream os(text);
    AsmState::LocationMap places;
    AsmState state(module, flags, &places);
    module->print(os, state);
    if (text == last)
      return stages.push_back({pass.str(), {}});
    if (bytes > kMostStageBytes)
      return;
    last = text;
    llvm::DenseMap<unsigned, int64_t> ops;
    for (auto [op, place] : places)
      op->getLoc()->walk([&, line = place.first](Location loc) {
        auto fused = dyn_cast<FusedLoc>(loc);
        auto number = fused ? dyn_cast_or_null<IntegerAttr>(fused.getMetadata())
                            : IntegerAttr();
        if (!number)
          return WalkResult::advance();
        ops.try_emplace(line, number.getInt());
        return WalkResult::interrupt();
      });
    Stage stage{pass.str(), {}};
    SmallVector<StringRef> lines;
    StringRef(text).rtrim().split(lines, '\n');
    for (auto [i, line] : llvm::enumerate(lines)) {
      auto it = ops.find(i + 1);
      stage.lines.push_back({texts.get(line.take_front(kMostText)),
                             it == ops.end() ? -1 : it->second});
      bytes += 12;
    }
    bytes += text.size() / 4;
    stages.push_back(std::move(stage));
  }

  void runAfterPass(Pass *pass, Operation *) override { note(getName(pass)); }
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (problem.empty())
      problem = ("the last stage is the program before " + getName(pass) +
                 ", which failed")
                    .str();
  }

private:
  static StringRef getName(Pass *pass) {
    StringRef name = pass->getArgument();
    return name.empty() ? pass->getName() : name;
  }

  ModuleOp module;
  StringTable &texts;
  std::vector<Stage> &stages;
  std::string &problem;
  OpPrintingFlags flags;
  std::string last;
  int64_t bytes = 0;
};
} // namespace

LogicalResult Explorer::runPasses(StringRef passes) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  int64_t number = 0;
  auto tag = [&](Operation *op) {
    MLIRContext *context = op->getContext();
    auto attr = IntegerAttr::get(IntegerType::get(context, 64), number++);
    op->setLoc(FusedLoc::get(context, {op->getLoc()}, attr));
  };
  for (FunctionOpInterface function : getFunctions(*copy))
    forEachIndexedOp(function, [&](Operation *op) {
      if (op->getNumResults() != 0)
        tag(op);
    });
  PassManager pm(module->getContext());
  StringRef inner = passes;
  if (inner.consume_front("builtin.module(") && !inner.consume_back(")"))
    inner = passes;
  if (failed(parsePassPipeline(inner, pm)))
    return module.emitError() << "cannot read the passes '" << passes << "'";
  auto instrumentation = std::make_unique<StageInstrumentation>(
      *copy, texts, stages, problem, getFlags());
  instrumentation->note("as given");
  pm.addInstrumentation(std::move(instrumentation));
  MLIRContext *context = module->getContext();
  const bool wasThreaded = context->isMultithreadingEnabled();
  context->disableMultithreading();
  // Where one fails, the stages before are shown.
  DiagnosticNotes notes(context);
  isWhole = succeeded(pm.run(*copy));
  if (!problem.empty() && !notes.getError().empty())
    problem += ": " + notes.getError().str();
  context->enableMultithreading(wasThreaded);
  return success();
}

LogicalResult Explorer::readProfile(StringRef text) {
  if (text.empty())
    return success();
  llvm::Expected<json::Value> trace = json::parse(text);
  if (!trace)
    return module.emitError()
           << "cannot read the profile: " << llvm::toString(trace.takeError());
  const json::Object *root = trace->getAsObject();
  const json::Array *events = root ? root->getArray("traceEvents") : nullptr;
  if (!events)
    return module.emitError()
           << "cannot read the profile: it has no traceEvents";
  for (const json::Value &value : *events) {
    const json::Object *event = value.getAsObject();
    const json::Object *args = event ? event->getObject("args") : nullptr;
    std::optional<StringRef> source =
        args ? args->getString("source") : std::nullopt;
    std::optional<double> duration =
        event ? event->getNumber("dur") : std::nullopt;
    if (!source || !duration || !std::isfinite(*duration))
      continue;
    Timed &timed = times[*source];
    timed.microseconds += *duration;
    if (!timed.what.empty())
      timed.what += "; ";
    timed.what += event->getString("name").value_or("").str();
    for (StringRef rate : {"Gop/s", "GB/s"})
      if (std::optional<double> number = args->getNumber(rate))
        timed.what += llvm::formatv(", {0:F1} {1}", *number, rate).str();
  }
  return success();
}

LogicalResult Explorer::write(const ExplorerOptions &options) {
  if (failed(readProfile(options.profile)) || failed(runPasses(options.passes)))
    return failure();
  LogicalResult isWritten = success();
  out.object([&] {
    out.attribute("title", json::fixUTF8(options.title));
    out.attributeArray("functions", [&] {
      for (FunctionOpInterface function : getFunctions(module))
        if (succeeded(isWritten))
          isWritten = writeFunction(function, options);
    });
    out.attributeArray("types", [&] {
      for (auto [type, number] : types)
        writeType(type);
    });
    out.attributeBegin("maps");
    maps.write(out);
    out.attributeEnd();
    out.attributeArray("tiles", [&] {
      for (const std::string &tile : tiles)
        out.value(tile);
    });
    out.attributeBegin("pictures");
    pictures.write(out, kMostPictures);
    out.attributeEnd();
    out.attributeArray("stages", [&] {
      for (const Stage &stage : stages)
        out.object([&] {
          out.attribute("pass", stage.pass);
          out.attributeArray("lines", [&] {
            for (auto [text, op] : stage.lines) {
              out.value(text);
              out.value(op);
            }
          });
        });
    });
    writeExplanation(out, module, analysis, getFunctions(module), allOps);
    if (!problem.empty())
      out.attribute("problem", problem);
    out.attributeBegin("texts");
    texts.write(out);
    out.attributeEnd();
  });
  return isWritten;
}

LogicalResult tensoraccess::exportExplorer(ModuleOp module, raw_ostream &os,
                                           const ExplorerOptions &options,
                                           bool *isComplete) {
  if (getFunctions(module).empty())
    return module.emitError() << "there is no function with a body to explore";
  std::string data;
  llvm::raw_string_ostream stream(data);
  Explorer explorer(module, stream);
  if (failed(explorer.write(options)))
    return failure();
  if (isComplete)
    *isComplete = explorer.isComplete();
  writeExplorerPage(os, options.title, data);
  return success();
}
