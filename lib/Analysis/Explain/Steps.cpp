//===- Steps.cpp - What a compiled program does, one by one ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Whether elements lie in memory in the order of their indices.
static bool isRowMajor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding();
}

/// Whether a transpose leaves each element at its place in memory.
static bool keepsPlaces(Operation *op) {
  std::optional<Layout> source = getLayoutInMemory(op->getOperand(0)),
                        result = getLayoutInMemory(op->getResult(0));
  auto permutation = getHloIntegers(op->getAttr("permutation"));
  if (!source || !result || !permutation ||
      permutation->size() != result->minorToMajor.size() ||
      !areDims(*permutation, permutation->size()))
    return false;
  for (int64_t &dim : result->minorToMajor)
    dim = (*permutation)[dim];
  return source->layoutStr() == result->layoutStr();
}

bool tensoraccess::isView(Operation *op) {
  const StringRef name = op->getName().getStringRef();
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return false;
  if (getHloField(op, "opcode") == "bitcast" || name == "mhlo.bitcast" ||
      name == "mhlo.add_dependency" || name == "sdy.sharding_constraint")
    return true;
  if (isHlo(op, "optimization_barrier"))
    return true;
  if (isHlo(op, "transpose"))
    return keepsPlaces(op);
  return (isHlo(op, "reshape") || name == "tensor.collapse_shape" ||
          name == "tensor.expand_shape") &&
         isRowMajor(op->getOperand(0).getType()) &&
         isRowMajor(op->getResult(0).getType());
}

/// What stands for a value in memory without being computed.
static bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isHlo(op, "constant") ||
         op->getName().getStringRef() == "tensor.empty";
}

/// What runs its regions as steps of their own.
static bool hasSteps(Operation *op) {
  return isHlo(op, "while") || isHlo(op, "case") || isHlo(op, "if") ||
         isa<scf::ForOp, scf::IfOp>(op);
}

bool ProgramStep::isOpaque() const {
  return isHlo(op(), "custom_call") || isHlo(op(), "infeed") ||
         (op()->getName().getDialectNamespace() == "mhlo" && !isMove);
}

Bounds ProgramStep::getBytesRead() const {
  Bounds sum;
  for (const Read &read : reads)
    sum += read.bytes;
  return sum;
}

Bounds ProgramStep::getBytesWritten() const {
  Bounds sum;
  for (const Bounds &bytes : written)
    sum += bytes;
  return sum;
}

const ProgramStep::Read *ProgramStep::find(Value value) const {
  const Read *it =
      llvm::find_if(reads, [&](const Read &r) { return r.value == value; });
  return it == reads.end() ? nullptr : it;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

std::unique_ptr<ProgramSteps>
ProgramSteps::get(ModuleOp module, std::string &error, FusionAnalysis *fusion) {
  std::unique_ptr<ProgramSteps> program(new ProgramSteps(module, fusion));
  program->isHloText = module->hasAttr(kHloAttribute);
  SmallVector<FunctionOpInterface> open;
  module->walk([&](FunctionOpInterface function) {
    if (function.isExternal() || !function.isPublic())
      return;
    if (function.getName() == "main")
      program->entry = function;
    open.push_back(function);
  });
  if (!program->entry && open.size() == 1)
    program->entry = open.front();
  if (!program->entry) {
    error = open.empty()
                ? "there is no function with a body"
                : "there is no function 'main', and " +
                      std::to_string(open.size()) + " others are public";
    return nullptr;
  }
  program->addBlocks(program->entry);
  for (const auto &[block, runs] : program->blocks)
    program->addSteps(*block, runs);
  for (ProgramStep &step : program->steps)
    program->addCosts(step);
  return program;
}

namespace {
/// A block, and how often it runs for each run of another.
struct Inner {
  Block *block;
  Bounds times;
  bool isOpen = false;
};
} // namespace

/// The blocks whose ops are steps that an op runs.
static SmallVector<Inner> getInner(Operation *op, IndexingCache &cache) {
  SmallVector<Inner> inner;
  auto add = [&](Region &region, Bounds times, bool isOpen = false) {
    if (region.hasOneBlock())
      inner.push_back({&region.front(), times, isOpen});
  };
  if (isHlo(op, "while") && op->getNumRegions() == 2) {
    std::optional<int64_t> trips = getTripCount(op);
    if (auto is = op->getAttrOfType<DictionaryAttr>(kHloAttribute);
        is && !trips)
      if (auto number = is.getAs<IntegerAttr>("trips"))
        trips = number.getInt();
    add(op->getRegion(0), Bounds::exactly(trips ? *trips + 1 : 1), !trips);
    add(op->getRegion(1), Bounds::exactly(trips.value_or(1)), !trips);
  } else if (isa<scf::ForOp>(op)) {
    std::optional<int64_t> trips = getTripCount(op);
    add(op->getRegion(0), Bounds::exactly(trips.value_or(1)), !trips);
  } else if (hasSteps(op)) {
    for (Region &region : op->getRegions())
      add(region,
          op->getNumRegions() == 1 ? Bounds::exactly(1) : Bounds::atMost(1));
  } else if (isa<CallOpInterface>(op) &&
             getHloField(op, "opcode") != "fusion") {
    FunctionOpInterface callee = cache.getCallee(op);
    if (callee && !callee.isExternal())
      add(callee.getFunctionBody(), Bounds::exactly(1));
  }
  return inner;
}

void ProgramSteps::addBlocks(FunctionOpInterface function) {
  // In postorder, each block once; then, callers first, how often each runs.
  llvm::DenseMap<Block *, SmallVector<Inner>> inner;
  SmallVector<Block *> order;
  struct Visit {
    Block *block;
    size_t next;
  };
  SmallVector<Visit> stack;
  auto open = [&](Block *block) {
    auto [it, isNew] = inner.try_emplace(block);
    if (!isNew)
      return;
    SmallVector<Inner> all;
    for (Operation &op : *block) {
      SmallVector<Inner> own = getInner(&op, fusion.getCache());
      if (!own.empty() && isa<CallOpInterface>(op)) {
        Operation *callee = own.front().block->getParentOp();
        callsOf[callee].push_back(&op);
        calleeOf[&op] = callee;
      }
      llvm::append_range(all, own);
    }
    inner[block] = std::move(all);
    stack.push_back({block, 0});
  };
  if (function.getFunctionBody().hasOneBlock())
    open(&function.getFunctionBody().front());
  while (!stack.empty()) {
    Visit &visit = stack.back();
    const SmallVector<Inner> &all = inner[visit.block];
    if (visit.next < all.size()) {
      Block *next = all[visit.next++].block;
      open(next);
      continue;
    }
    order.push_back(visit.block);
    stack.pop_back();
  }
  for (Block *block : llvm::reverse(order))
    blocks[block] = Runs();
  if (!order.empty())
    blocks[order.back()].times = Bounds::exactly(1);
  for (const auto &[block, runs] : blocks)
    for (const Inner &next : inner[block]) {
      Runs &all = blocks[next.block];
      all.times += runs.times.times(next.times);
      all.isOpen |= runs.isOpen || next.isOpen;
    }
}

/// `dot_general`, `linalg.matmul`.
static std::string getOpcode(Operation *op) {
  const bool isOfXla =
      isHlo(op) || op->getName().getDialectNamespace() == "mhlo";
  return (isOfXla ? op->getName().stripDialect() : op->getName().getStringRef())
      .str();
}

void ProgramSteps::addSteps(Block &block, const Runs &runs) {
  const size_t first = steps.size();
  for (Operation &op : block) {
    const bool isPartOfFusion = getHloField(&op, "opcode") == "fusion" &&
                                !getHloField(&op, "name").empty();
    if (!isPartOfFusion &&
        (isView(&op) || isConstant(&op) || hasSteps(&op) ||
         op.hasTrait<OpTrait::IsTerminator>() || isHlo(&op, "return") ||
         isHlo(&op, "after_all") || !getInner(&op, fusion.getCache()).empty()))
      continue;
    if (isPartOfFusion) {
      const StringRef name = getHloField(&op, "name");
      if (steps.size() > first && steps.back().isFusion() &&
          !steps.back().callee && steps.back().name == name) {
        steps.back().ops.push_back(&op);
        stepOf[&op] = steps.size() - 1;
        continue;
      }
    }
    ProgramStep &step = steps.emplace_back();
    step.ops.push_back(&op);
    step.times = runs.times;
    step.isOpen = runs.isOpen;
    stepOf[&op] = steps.size() - 1;
    step.opcode = getHloField(&op, "opcode").str();
    step.kind = getHloField(&op, "kind").str();
    if (isPartOfFusion) {
      step.name = getHloField(&op, "name").str();
      continue;
    }
    step.name = getName(&op);
    if (step.opcode == "fusion")
      step.callee = fusion.getCache().getCallee(&op);
    if (step.opcode.empty())
      step.opcode = getOpcode(&op);
  }
  // What others use.
  for (ProgramStep &step : llvm::drop_begin(steps, first))
    for (Operation *op : step.ops)
      for (Value result : op->getResults())
        if (step.ops.size() == 1 ||
            llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !llvm::is_contained(step.ops, user);
            }))
          step.results.push_back(result);
}

ProgramStep ProgramSteps::makeStep(Operation *op) {
  ProgramStep step;
  step.ops.push_back(op);
  step.name = getName(op);
  step.opcode = getOpcode(op);
  llvm::append_range(step.results, op->getResults());
  addCosts(step);
  return step;
}

const ProgramStep *ProgramSteps::getProducer(Value value) const {
  Operation *op = value.getDefiningOp();
  auto it = op ? stepOf.find(op) : stepOf.end();
  return it == stepOf.end() ? nullptr : &steps[it->second];
}

/// The operand that a result of a view shows.
static Value getViewed(Operation *op, Value result) {
  return op->getOperand(op->getNumOperands() == op->getNumResults()
                            ? cast<OpResult>(result).getResultNumber()
                            : 0);
}

Value ProgramSteps::getThroughCall(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto it = callsOf.find(argument.getOwner()->getParentOp());
    // What several calls give is an array of its own.
    return it != callsOf.end() && it->second.size() == 1 &&
                   argument.getOwner()->isEntryBlock()
               ? it->second.front()->getOperand(argument.getArgNumber())
               : Value();
  }
  Operation *callee = calleeOf.lookup(value.getDefiningOp());
  return callee ? callee->getRegion(0).front().back().getOperand(
                      cast<OpResult>(value).getResultNumber())
                : Value();
}

Value ProgramSteps::getArray(Value value) const {
  auto isFree = [&](Operation *op) { return op && !isStep(op) && isView(op); };
  for (unsigned i = 0; i < 64; ++i) {
    while (isFree(value.getDefiningOp()))
      value = getViewed(value.getDefiningOp(), value);
    Value other = getThroughCall(value);
    if (!other)
      break;
    value = other;
    if (isFree(value.getDefiningOp()))
      break;
  }
  return value;
}

SmallVector<ProgramSteps::Reader, 4>
ProgramSteps::getReaders(Value value, bool &isKept) const {
  SmallVector<std::pair<unsigned, Value>> found;
  SmallVector<Value> open{value};
  llvm::SmallPtrSet<Value, 8> seen;
  isKept = false;
  while (!open.empty()) {
    const Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      // An op in a region of a step reads for it.
      Operation *user = use.getOwner(), *around = user;
      while (around && !stepOf.contains(around))
        around = around->getParentOp();
      const unsigned number = use.getOperandNumber();
      if (around) {
        found.emplace_back(stepOf.lookup(around), getArray(next));
      } else if (isView(user)) {
        llvm::copy_if(
            user->getResults(), std::back_inserter(open),
            [&](Value result) { return getViewed(user, result) == next; });
      } else if (auto it = callsOf.find(user->getParentOp());
                 it != callsOf.end() &&
                 user->hasTrait<OpTrait::IsTerminator>()) {
        for (Operation *call : it->second)
          open.push_back(call->getResult(number));
      } else if (Operation *callee = calleeOf.lookup(user)) {
        open.push_back(callee->getRegion(0).getArgument(number));
      } else {
        isKept = true;
      }
    }
  }
  llvm::sort(found, [](auto &a, auto &b) { return a.first < b.first; });
  SmallVector<Reader, 4> readers;
  for (auto [number, array] : found)
    if (readers.empty() || readers.back().step != &steps[number])
      readers.push_back({&steps[number], steps[number].find(array)});
    else if (!readers.back().read)
      readers.back().read = steps[number].find(array);
  return readers;
}

//===----------------------------------------------------------------------===//
// Names and places
//===----------------------------------------------------------------------===//

/// The text before an op's name, or from an argument's on, where its location points
/// into `sources`; std::nullopt otherwise.
static std::optional<StringRef>
findText(Location location, llvm::SourceMgr &sources, bool isBefore) {
  auto file = dyn_cast<FileLineColLoc>(location);
  const unsigned main = sources.getMainFileID();
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(main);
  if (!file || file.getFilename().getValue() != buffer->getBufferIdentifier())
    return std::nullopt;
  const llvm::SMLoc place =
      sources.FindLocForLineAndColumn(main, file.getLine(), file.getColumn());
  if (!place.isValid())
    return std::nullopt;
  const size_t at = place.getPointer() - buffer->getBufferStart();
  return isBefore ? buffer->getBuffer().take_front(at)
                  : buffer->getBuffer().drop_front(at);
}

static bool isOfName(char c) {
  return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
}

/// `%a, %b:2` of a text that ends in `%a, %b:2 = `, or empty.
static StringRef takeResults(StringRef text) {
  text = text.rtrim();
  if (!text.consume_back("="))
    return {};
  const StringRef all = text = text.rtrim();
  for (;;) {
    StringRef rest = text.rtrim("0123456789");
    if (rest.size() < text.size() && rest.consume_back(":"))
      text = rest.rtrim();
    while (!text.empty() && isOfName(text.back()))
      text = text.drop_back();
    if (!text.consume_back("%"))
      return {};
    StringRef before = text.rtrim();
    if (!before.consume_back(","))
      return all.drop_front(text.size());
    text = before.rtrim();
  }
}

void tensoraccess::nameBySource(ModuleOp module, llvm::SourceMgr &sources) {
  // Names of the text and of AsmState must not be mixed.
  SmallVector<std::pair<BlockArgument, StringRef>> arguments;
  SmallVector<std::pair<Operation *, StringRef>> ops;
  WalkResult walked = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() > 0) {
      std::optional<StringRef> text =
          findText(op->getLoc(), sources, /*isBefore=*/true);
      StringRef results = text ? takeResults(*text) : StringRef();
      if (results.empty())
        return WalkResult::interrupt();
      ops.emplace_back(op, results);
    }
    if (!isa<ModuleOp, FunctionOpInterface, RegionBranchOpInterface>(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments()) {
        std::optional<StringRef> text =
            findText(argument.getLoc(), sources, /*isBefore=*/false);
        if (!text || !text->consume_front("%"))
          return WalkResult::interrupt();
        arguments.emplace_back(argument, text->take_while(isOfName));
      }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return;
  Builder builder(module.getContext());
  for (auto [op, results] : ops)
    op->setLoc(NameLoc::get(builder.getStringAttr(results), op->getLoc()));
  for (auto [argument, name] : arguments)
    argument.setLoc(
        NameLoc::get(builder.getStringAttr("%" + name), argument.getLoc()));
}

/// What nameBySource has added, or null.
static NameLoc getSourceNames(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name && name.getName().getValue().starts_with("%") ? name : NameLoc();
}

/// The name of a value in the text that it was parsed from, or empty.
static std::string getSourceName(Value value) {
  if (isa<BlockArgument>(value)) {
    NameLoc name = getSourceNames(value.getLoc());
    return name ? name.getName().str() : "";
  }
  auto result = cast<OpResult>(value);
  NameLoc names = getSourceNames(result.getOwner()->getLoc());
  if (!names)
    return "";
  unsigned number = result.getResultNumber();
  for (StringRef group : llvm::split(names.getName().getValue(), ',')) {
    auto [name, times] = group.trim().split(':');
    unsigned count = 1;
    if (times.empty() ? number == 0 : times.getAsInteger(10, count))
      return name.str();
    if (number < count)
      return (name + "#" + Twine(number)).str();
    number -= count;
  }
  return "";
}

/// Whether locations give all arguments names that differ.
static bool areNamed(ArrayRef<BlockArgument> arguments) {
  llvm::SmallDenseSet<StringRef> seen;
  return llvm::all_of(arguments, [&](BlockArgument argument) {
    auto name = dyn_cast<NameLoc>(argument.getLoc());
    return name && !name.getName().empty() &&
           llvm::isAlpha(name.getName().getValue().front()) &&
           llvm::all_of(name.getName().getValue(), isOfName) &&
           seen.insert(name.getName().getValue()).second;
  });
}

std::string ProgramSteps::getName(Value value) const {
  if (isHloText)
    if (auto name = dyn_cast<NameLoc>(value.getLoc()))
      return name.getName().str();
  if (!names) {
    names = std::make_unique<AsmState>(module);
    FunctionOpInterface function = entry;
    areArgumentsNamed = areNamed(function.getArguments());
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  // Values of functions that are called have the same names.
  Operation *around = value.getParentRegion()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(around);
  if (!function)
    function = around->getParentOfType<FunctionOpInterface>();
  if (function && function != entry)
    os << function.getName() << '/';
  auto argument = dyn_cast<BlockArgument>(value);
  if (std::string name = getSourceName(value); !name.empty())
    os << name;
  else if (areArgumentsNamed && argument && around == entry &&
           argument.getOwner()->isEntryBlock())
    os << '%' << cast<NameLoc>(argument.getLoc()).getName().getValue();
  else
    value.printAsOperand(os, *names);
  return text;
}

std::string ProgramSteps::getName(Operation *op) const {
  if (isHloText)
    if (auto name = dyn_cast<NameLoc>(op->getLoc()))
      return name.getName().str();
  return op->getNumResults() ? getName(op->getResult(0))
                             : op->getName().getStringRef().str();
}

void ProgramSteps::locate(Location location, ExplainRow &row) const {
  if (auto name = dyn_cast<NameLoc>(location);
      name && (isHloText || getSourceNames(location)))
    location = name.getChildLoc();
  if (auto name = dyn_cast<NameLoc>(location))
    row.opName = name.getName().str();
  // The innermost frame that is a file: `<string>` is none.
  FileLineColLoc file;
  location->walk([&](Location part) {
    auto frame = dyn_cast<FileLineColLoc>(part);
    const bool isFile =
        frame && !frame.getFilename().getValue().starts_with("<");
    if (frame && (!file || isFile))
      file = frame;
    return isFile ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!file)
    return;
  row.source =
      (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
  // An instruction without metadata is where it stands.
  auto dump = module->getLoc()->findInstanceOf<FileLineColLoc>();
  if (isHloText && dump && dump.getFilename() == file.getFilename())
    row.source += " (dump)";
}

void ProgramSteps::locate(Operation *op, ExplainRow &row) const {
  locate(op->getLoc(), row);
}

std::string tensoraccess::plural(uint64_t count, StringRef noun) {
  return Bounds::exactly(count).str() + " " + noun.str() +
         (count == 1 ? "" : "s");
}

std::string tensoraccess::joinNames(ArrayRef<ProgramSteps::Reader> readers,
                                    StringRef last) {
  constexpr size_t kMost = 3;
  SmallVector<std::string> names;
  for (const ProgramSteps::Reader &reader : readers.take_front(kMost))
    names.push_back(reader.step->name);
  if (!last.empty())
    names.push_back(last.str());
  return llvm::join(names, ", ") +
         (readers.size() > kMost
              ? " and " + std::to_string(readers.size() - kMost) + " more"
              : "");
}

ExplainRow tensoraccess::makeRow(const ProgramSteps &program,
                                 const ProgramStep &step) {
  ExplainRow row;
  row.op = step.op();
  row.name = step.name;
  row.kind = step.opcode;
  if (!step.kind.empty())
    row.kind += " " + step.kind;
  // The last op of a fusion gives the result.
  program.locate(step.ops.back(), row);
  return row;
}

void tensoraccess::sortRows(ExplainSection &section, StringRef key) {
  using Rank = std::pair<int64_t, int64_t>;
  auto getRank = [&](const ExplainRow &row) {
    for (const ExplainCell &cell : row.cells) {
      if (cell.key != key)
        continue;
      if (const auto *saves = std::get_if<Difference>(&cell.value))
        return Rank(saves->lower.value_or(INT64_MIN),
                    saves->upper.value_or(INT64_MAX));
      if (const auto *cost = std::get_if<Bounds>(&cell.value))
        return Rank(0, std::min<uint64_t>(cost->getMost(), INT64_MAX));
    }
    return Rank(0, 0);
  };
  std::vector<ExplainRow> &rows = section.rows;
  std::vector<std::pair<Rank, size_t>> order;
  for (auto [i, row] : llvm::enumerate(rows))
    order.emplace_back(getRank(row), rows.size() - i);
  llvm::sort(order, std::greater<>());
  std::vector<ExplainRow> sorted;
  for (auto [rank, left] : order)
    sorted.push_back(std::move(rows[rows.size() - left]));
  rows = std::move(sorted);
}
