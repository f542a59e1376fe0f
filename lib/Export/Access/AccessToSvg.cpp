//===- AccessToSvg.cpp - Access programs as pictures ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each function with an op of this dialect:
//
//   1. Each op becomes a step: its name, its attributes, the type it makes.
//      Arguments and constants are steps where they are used.
//   2. A chain of ops, each the only user of the one before and with no other
//      operand, shares a card. A card has at most one picture; a cart_prod and
//      the dot product on it share theirs.
//   3. Access points that a windows picture colours keep their colours in the
//      pictures downstream, as long as the ops between keep their row-major
//      order (PointMarks).
//
// A function of more than kMostOps ops is drawn folded instead (ProgramFold): a card for
// each contraction with what belongs to it, without pictures; of cards that repeat the
// first, with how often they do.
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "Canvas/ProgramFold.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Tools/mlir-translate/Translation.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kSize = 13, kTitleSize = 17, kMaxWidth = 1400;
constexpr size_t kMaxCharacters = 56, kMostOps = 100;

/// The cards of one function and how data flows between them.
class Drawing {
public:
  explicit Drawing(FunctionOpInterface function)
      : function(function), asmState(function) {}

  void build();
  void buildFolded(IndexingCache &cache);
  /// The cards under the name of the function, and what the colours mean.
  Panel finish(bool hasLegend);
  bool isFolded() const { return flow.isLong; }

private:
  void addOp(Operation &op);
  void addReturn(Operation &op);
  void addPart(const FoldedPart &part, ArrayRef<Operation *> ops);
  std::optional<Panel> draw(Operation &op, const Panel &card);
  void followMarks(Operation &op);
  size_t cardOf(Value value);
  size_t newCard();
  bool continuesCard(Operation &op, ArrayRef<Value> operands);
  std::string nameOf(Value value);

  FunctionOpInterface function;
  AsmState asmState;
  llvm::DenseMap<Value, size_t> makers;
  /// Of a folded function.
  llvm::DenseMap<Operation *, size_t> cardOfOp;
  llvm::DenseMap<Value, PointMarks> marks;
  Flow flow;
};

} // namespace

//===----------------------------------------------------------------------===//
// Text of a step
//===----------------------------------------------------------------------===//

static std::string printed(llvm::function_ref<void(raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

static std::string listToString(ArrayRef<int64_t> values) {
  return "[" +
         llvm::join(llvm::map_range(values,
                                    [](int64_t v) { return shapeToString(v); }),
                    ", ") +
         "]";
}

/// An attribute without its type: `[3, 3, 5]`, `1`, `dot_prod`.
static std::string attributeToString(Attribute attr) {
  return printed([&](raw_ostream &os) {
    if (auto list = dyn_cast<DenseI64ArrayAttr>(attr)) {
      os << listToString(list.asArrayRef());
    } else if (auto kind = dyn_cast<ComputeKindAttr>(attr)) {
      os << stringifyComputeKind(kind.getValue());
    } else if (auto policies = dyn_cast<OutOfBoundsAttr>(attr)) {
      os << policies.getValue().str();
    } else if (auto number = dyn_cast<FloatAttr>(attr)) {
      llvm::SmallString<24> digits;
      number.getValue().toString(digits);
      os << digits;
    } else {
      attr.print(os, /*elideType=*/true);
    }
  });
}

/// The text of a step after the op's name: the attributes of our own ops, the
/// callee of a call, the padding of a tensor.pad.
static std::string describeAttributes(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return ("@" + call.getCallee()).str();
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return "low " + listToString(pad.getStaticLow()) + " high " +
           listToString(pad.getStaticHigh());
  if (!isa_and_present<TensorAccessDialect>(op.getDialect()) ||
      !op.isRegistered())
    return "";
  // As the op's own text has them.
  static constexpr StringLiteral names[] = {
      "kind",  "accumulator", "target", "axis",    "by",        "perm",
      "shape", "offsets",     "sizes",  "strides", "dilations", "low",
      "high",  "interior",    "value",  "oob",     "rows",      "cols"};
  std::string text;
  for (StringRef name : names) {
    Attribute attr = op.getInherentAttr(name).value_or(Attribute());
    if (!attr || (name == "by" && cast<IntegerAttr>(attr).getInt() == 1))
      continue;
    if (!text.empty())
      text += ' ';
    if (!isa<ComputeKindAttr>(attr) && name != "target")
      text += name.str() + " ";
    text += attributeToString(attr);
  }
  return text;
}

static std::string nameOf(Operation &op) {
  StringRef name = op.getName().getStringRef();
  name.consume_front("tensoraccess.");
  return name.str();
}

/// `S | C x T` of an access type, its sides in their colours; it is never cut, as it is
/// what the card is about. Any other type as MLIR writes it, in grey.
static TextLine makeTypeLine(Type type) {
  const std::string text = printed([&](raw_ostream &os) { type.print(os); });
  if (!isa<AccessType>(type))
    return TextLine::note(Sheet::elide(text, kMaxCharacters), kSize);
  StringRef inner = text;
  inner.consume_front("!tensoraccess.access<");
  inner.consume_back(">");
  auto [left, right] = inner.split('|');
  return {{{left.str(), color::access, /*isBold=*/true},
           {"|", color::ink},
           {right.str(), color::compute, /*isBold=*/true}},
          kSize};
}

/// Adds an op, argument or result of the function to a card: its name in bold, the rest
/// plain. A null type is not written.
static void addStep(Panel &card, StringRef name, StringRef detail, Type type) {
  TextLine title = TextLine::heading(Sheet::elide(name, kMaxCharacters), kSize);
  title.isStep = true;
  if (!detail.empty() && name.size() + 1 < kMaxCharacters)
    title.spans.push_back(
        {Sheet::elide((" " + detail).str(), kMaxCharacters - name.size())});
  card.head.push_back(std::move(title));
  if (type)
    card.head.push_back(makeTypeLine(type));
}

//===----------------------------------------------------------------------===//
// From a function to cards
//===----------------------------------------------------------------------===//

size_t Drawing::newCard() {
  flow.cards.emplace_back();
  return flow.cards.size() - 1;
}

/// An op that takes no data from elsewhere.
static bool isConstant(Operation &op) {
  return op.hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op);
}

/// The operands that are drawn: all but what foreign ops take from constants
/// and uninitialised tensors.
static SmallVector<Value> drawnOperands(Operation &op) {
  bool foreign = !isa_and_present<TensorAccessDialect>(op.getDialect());
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    Operation *maker = operand.getDefiningOp();
    if (!foreign || !maker || !isConstant(*maker))
      operands.push_back(operand);
  }
  return operands;
}

std::string Drawing::nameOf(Value value) {
  // Programs from Python and Glenside name their arguments.
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), "tensoraccess.name"))
      return name.getValue().str();
  return printed([&](raw_ostream &os) { value.printAsOperand(os, asmState); });
}

/// Arguments and constants: they are drawn anew at each user, so that no edge
/// crosses the picture for them.
static bool isSource(Value value) {
  Operation *maker = value.getDefiningOp();
  return !maker || isConstant(*maker);
}

/// The card that makes a value; a new one for a source.
size_t Drawing::cardOf(Value value) {
  if (!isSource(value))
    return makers.lookup(value);
  Operation *maker = value.getDefiningOp();
  size_t number = newCard();
  addStep(flow.cards[number], maker ? ::nameOf(*maker) : nameOf(value), "",
          value.getType());
  return number;
}

static bool hasPicture(const Panel &card) {
  return !std::holds_alternative<std::monostate>(card.content);
}

/// Whether an op may follow its operand's maker in the same card.
bool Drawing::continuesCard(Operation &op, ArrayRef<Value> operands) {
  // An accelerator is opaque, and has its own card.
  if (operands.size() != 1 || isa<AcceleratorCallOp>(op))
    return false;
  if (isSource(operands[0]))
    return true;
  Operation *maker = operands[0].getDefiningOp();
  if (!operands[0].hasOneUse() || maker->getNumResults() != 1)
    return false;
  const Panel &card = flow.cards[makers.lookup(operands[0])];
  bool wantsPicture =
      isa<WindowsOp, ComputeOp, SliceOp, ConcatOp, BroadcastOp>(op);
  bool summed = isa<CartProdOp, PairOp>(maker) && isa<ComputeOp>(op);
  return !hasPicture(card) || !wantsPicture || summed;
}

/// Marks go through ops that keep the row-major order of access points.
void Drawing::followMarks(Operation &op) {
  if (!isa<FlattenOp, ReshapeOp, MaterializeOp, SqueezeOp, InsertAxisOp,
           ComputeOp>(op))
    return;
  auto known = marks.find(op.getOperand(0));
  if (known != marks.end() && !marks.count(op.getResult(0))) {
    PointMarks copy = known->second;
    marks[op.getResult(0)] = copy;
  }
}

/// The only user of an op if it is of that kind.
template <typename UserOp>
static UserOp onlyUser(Operation *op) {
  Value result = op->getResult(0);
  return result.hasOneUse() ? dyn_cast<UserOp>(*result.getUsers().begin())
                            : UserOp();
}

/// The picture of an op, if it has one of its own in the card.
std::optional<Panel> Drawing::draw(Operation &op, const Panel &card) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return drawSlice(slice);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return drawConcat(concat);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return drawBroadcast(broadcast);
  if (auto array = dyn_cast<SystolicArrayOp>(op))
    return drawSystolic(array);
  if (!isa<WindowsOp, CartProdOp, PairOp, ComputeOp>(op))
    return std::nullopt;
  PointMarks drawn;
  std::optional<Panel> picture;
  if (auto windows = dyn_cast<WindowsOp>(op)) {
    picture = drawWindows(windows, drawn);
  } else if (auto product = dyn_cast<CartProdOp>(op)) {
    auto user = onlyUser<ComputeOp>(product);
    bool summed = user && user.getKind() == ComputeKind::DotProd;
    picture = drawProduct(product, summed, marks.lookup(product.getLhs()),
                          marks.lookup(product.getRhs()), drawn);
  } else if (auto pair = dyn_cast<PairOp>(op)) {
    drawn = marks.lookup(pair.getLhs());
    picture = drawPair(pair, onlyUser<ComputeOp>(pair), drawn);
  } else if (auto compute = dyn_cast<ComputeOp>(op)) {
    if (isa_and_present<CartProdOp, PairOp>(
            compute.getPattern().getDefiningOp()) &&
        hasPicture(card))
      return std::nullopt;
    drawn = marks.lookup(compute.getPattern());
    picture = compute.getType().getComputeShape().empty()
                  ? drawPoints(compute, drawn)
                  : drawItems(compute, drawn);
  }
  marks[op.getResult(0)] = drawn;
  return picture;
}

void Drawing::addOp(Operation &op) {
  SmallVector<Value> operands = drawnOperands(op);
  size_t number;
  if (continuesCard(op, operands)) {
    number = cardOf(operands[0]);
  } else {
    // Makers first: cards are numbered along the flow.
    SmallVector<size_t> from;
    for (Value operand : operands)
      from.push_back(cardOf(operand));
    number = newCard();
    for (size_t maker : from)
      flow.edges.push_back({maker, number});
  }
  std::string name = ::nameOf(op), detail = describeAttributes(op);
  for (Value result : op.getResults()) {
    makers[result] = number;
    addStep(flow.cards[number], name, detail, result.getType());
  }
  if (op.getNumResults() == 0)
    addStep(flow.cards[number], name, detail, Type());
  Panel &card = flow.cards[number];
  if (std::optional<Panel> picture = draw(op, card)) {
    card.content = std::move(picture->content);
    card.foot = std::move(picture->foot);
  }
  if (op.getNumResults() == 1 && op.getNumOperands() != 0)
    followMarks(op);
}

/// A result of the function is a last step, or a card where its maker has other
/// users.
void Drawing::addReturn(Operation &op) {
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    size_t number = cardOf(operand);
    if (!isSource(operand) && !operand.hasOneUse()) {
      size_t maker = number;
      number = newCard();
      flow.edges.push_back({maker, number});
    }
    std::string detail = op.getNumOperands() == 1 ? "" : std::to_string(index);
    addStep(flow.cards[number], "return", detail, Type());
  }
}

/// A part that doesn't repeat as one card, of what repeats the first copy.
void Drawing::addPart(const FoldedPart &part, ArrayRef<Operation *> ops) {
  if (part.times > 1 || (!part.parts.empty() && !part.isGroup)) {
    const size_t first = flow.cards.size();
    const bool isCopied = part.times > 1;
    for (const FoldedPart &inner :
         ArrayRef(part.parts).take_front(isCopied ? 1 : part.parts.size()))
      addPart(inner, ops);
    if (!isCopied)
      return;
    flow.repeats.push_back({first, flow.cards.size(), part.times});
    // All copies are the cards of the first.
    const size_t size = part.parts.front().size();
    for (size_t i = part.first + size; i < part.last; ++i)
      cardOfOp[ops[i]] =
          cardOfOp.lookup(ops[part.first + (i - part.first) % size]);
    return;
  }
  const size_t number = newCard();
  Operation &head = *ops[part.head];
  for (Operation *op : ops.slice(part.first, part.size()))
    cardOfOp[op] = number;
  // The result of the whole part is that of its last op.
  Operation &last = *ops[part.last - 1];
  std::string detail = describeAttributes(head);
  if (part.size() > 1)
    detail += (detail.empty() ? "+ " : " + ") + std::to_string(part.size() - 1);
  addStep(flow.cards[number], ::nameOf(head), detail,
          last.getNumResults() ? last.getResult(0).getType() : Type());
}

void Drawing::buildFolded(IndexingCache &cache) {
  flow.isLong = true;
  SmallVector<Operation *> ops;
  SmallVector<uint64_t> looks;
  Operation *terminator = nullptr;
  for (Operation &op : function.getFunctionBody().front()) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      terminator = &op;
    } else if (!isConstant(op)) {
      ops.push_back(&op);
      looks.push_back(
          getLook(printed([&](raw_ostream &os) { op.print(os, asmState); })));
    }
  }
  for (const FoldedPart &part : foldProgram(ops, looks, cache))
    addPart(part, ops);
  // Between cards in their order; what leads back from a copy to the next is not drawn.
  std::set<std::pair<size_t, size_t>> edges;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (auto maker = cardOfOp.find(operand.getDefiningOp());
          maker != cardOfOp.end())
        if (const size_t to = cardOfOp.lookup(op); maker->second < to)
          edges.insert({maker->second, to});
  for (auto [from, to] : edges)
    flow.edges.push_back({from, to});
  if (terminator)
    for (Value operand : terminator->getOperands())
      if (auto maker = cardOfOp.find(operand.getDefiningOp());
          maker != cardOfOp.end())
        addStep(flow.cards[maker->second], "return", "", Type());
}

void Drawing::build() {
  Block &block = function.getFunctionBody().front();
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      addReturn(op);
    else if (!isConstant(op))
      addOp(op);
  }
}

Panel Drawing::finish(bool hasLegend) {
  const std::string name = ("@" + function.getName()).str();
  Panel panel{
      {TextLine::heading(Sheet::elide(name, kMaxCharacters), kTitleSize)}};
  if (hasLegend)
    panel.head.push_back(
        {{{"access dimensions", color::access, /*isBold=*/true},
          {" | ", color::ink},
          {"compute dimensions x element type", color::compute, true}},
         kSize});
  panel.content = std::move(flow);
  return panel;
}

/// The functions to draw: those that hold an op of this dialect.
static SmallVector<FunctionOpInterface> findFunctions(Operation *root) {
  SmallVector<FunctionOpInterface> functions;
  root->walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    bool found =
        llvm::any_of(function.getFunctionBody().getOps(), [](Operation &op) {
          return isa_and_present<TensorAccessDialect>(op.getDialect());
        });
    if (found)
      functions.push_back(function);
  });
  return functions;
}

LogicalResult tensoraccess::exportAccessToSvg(Operation *root,
                                              raw_ostream &os) {
  SmallVector<FunctionOpInterface> functions = findFunctions(root);
  if (functions.empty())
    return root->emitError() << "no function here has an op of dialect "
                                "tensoraccess to draw";
  for (FunctionOpInterface function : functions)
    if (size_t blocks = function.getFunctionBody().getBlocks().size();
        blocks != 1)
      return function.emitError()
             << "a function must have one block to be drawn, got " << blocks;

  IndexingCache cache;
  // Beside one another below a folded function, whose callees are many.
  Stack below, callees;
  callees.isAcross = true;
  callees.maxWidth = kMaxWidth;
  bool isFolded = false;
  for (FunctionOpInterface function : functions) {
    Drawing drawing(function);
    Block &block = function.getFunctionBody().front();
    if (llvm::count_if(block, [](Operation &op) { return !isConstant(op); }) >
        static_cast<int64_t>(kMostOps))
      drawing.buildFolded(cache);
    else
      drawing.build();
    (isFolded ? callees : below)
        .parts.push_back(drawing.finish(/*hasLegend=*/!isFolded));
    isFolded |= drawing.isFolded();
  }
  if (!callees.parts.empty())
    below.parts.push_back({{}, std::move(callees), {}});
  Picture picture;
  picture.title = ("access program @" + functions.front().getName()).str();
  picture.hasOwnHeading = true;
  picture.body.content = std::move(below);
  writeSvg(picture, os);
  return success();
}

void tensoraccess::registerAccessToSvgTranslation() {
  TranslateFromMLIRRegistration registration(
      "access-to-svg", "draw access programs as a picture",
      [](Operation *op, raw_ostream &os) { return exportAccessToSvg(op, os); },
      [](DialectRegistry &registry) { registerEverything(registry); });
}
