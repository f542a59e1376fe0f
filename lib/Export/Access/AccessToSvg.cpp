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
//   4. The cards are placed (FlowLayout) and drawn.
//
// A function of more than kMostOps ops is drawn folded instead (ProgramFold): a card for
// each contraction with what belongs to it, without pictures; of cards that repeat the
// first, with how often they do.
//
//===----------------------------------------------------------------------===//

#include "AccessPictures.h"
#include "Canvas/FlowLayout.h"
#include "Canvas/ProgramFold.h"
#include "Canvas/SvgCanvas.h"
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

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kOpSize = 13, kTypeSize = 13, kTitleSize = 17;
constexpr int kStepHeight = 42, kBareStepHeight = 24, kRail = 20, kPad = 14,
              kMargin = 20;
constexpr int kHeader = 46, kMaxWidth = 1400, kRepeatGap = 9;
constexpr size_t kMaxCharacters = 56, kMostOps = 100;

/// One op, argument or result of the function within a card; null types are
/// not written.
struct Step {
  std::string name, detail;
  Type type;

  int getHeight() const { return type ? kStepHeight : kBareStepHeight; }
};

struct Card {
  std::vector<Step> steps;
  std::unique_ptr<Picture> picture;

  int getWidth() const;
  int getHeight() const;
  /// Draws at least as wide as getWidth() says.
  void draw(SvgCanvas &canvas, int x, int y, int width) const;
};

/// The cards of one function and how data flows between them.
class Drawing {
public:
  explicit Drawing(FunctionOpInterface function)
      : function(function), asmState(function) {}

  void build();
  void buildFolded(IndexingCache &cache);
  /// Draws below y = `top`, from `left` on; returns where it ends on the right, and the
  /// height taken.
  std::pair<int, int> draw(SvgCanvas &canvas, int left, int top);
  bool isFolded = false;
  /// Whether it is said what the colours mean.
  bool hasLegend = true;

private:
  /// Cards [first, last), drawn once for so many times.
  struct Repeat {
    size_t first, last, times;
  };
  void drawRepeat(SvgCanvas &canvas, const Repeat &repeat, int x, int top);
  void drawFlow(SvgCanvas &canvas, int x, int y);
  SmallVector<std::pair<int, int>> cutColumns(int width) const;
  void addOp(Operation &op);
  void addReturn(Operation &op);
  void addPart(const FoldedPart &part, ArrayRef<Operation *> ops);
  void addPicture(Operation &op, Card &card);
  void followMarks(Operation &op);
  size_t cardOf(Value value);
  size_t newCard();
  bool continuesCard(Operation &op, ArrayRef<Value> operands);
  std::string nameOf(Value value);

  FunctionOpInterface function;
  AsmState asmState;
  std::vector<Card> cards;
  llvm::DenseMap<Value, size_t> makers;
  /// Of a folded function.
  llvm::DenseMap<Operation *, size_t> cardOfOp;
  llvm::DenseMap<Value, PointMarks> marks;
  FlowLayout layout;
  std::vector<Repeat> repeats;
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

/// What a step says after the op's name: the attributes of our own ops, the
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

/// `S | C x T` of an access type, which is never cut: it is what the card is
/// about. Any other type as MLIR writes it.
static std::string typeText(Type type) {
  std::string text = printed([&](raw_ostream &os) { type.print(os); });
  if (isa<AccessType>(type)) {
    StringRef inner = text;
    inner.consume_front("!tensoraccess.access<");
    inner.consume_back(">");
    return inner.str();
  }
  return SvgCanvas::elide(text, kMaxCharacters);
}

/// The two sides of an access type in their colours, any other type in grey.
static void drawType(SvgCanvas &canvas, int x, int y, Type type) {
  auto access = dyn_cast<AccessType>(type);
  if (!access) {
    canvas.text(x, y, typeText(type), kTypeSize, color::muted);
    return;
  }
  std::string text = typeText(type);
  auto [left, right] = StringRef(text).split('|');
  x = canvas.text(x, y, left, kTypeSize, color::access, /*bold=*/true);
  x = canvas.text(x, y, "|", kTypeSize, color::ink);
  canvas.text(x, y, right, kTypeSize, color::compute, /*bold=*/true);
}

//===----------------------------------------------------------------------===//
// Cards
//===----------------------------------------------------------------------===//

static std::string titleOf(const Step &step) {
  return step.detail.empty() ? step.name : step.name + " " + step.detail;
}

int Card::getWidth() const {
  int width = picture ? picture->getWidth() : 0;
  for (const Step &step : steps) {
    std::string title = SvgCanvas::elide(titleOf(step), kMaxCharacters);
    width = std::max(width, kRail + SvgCanvas::textWidth(title, kOpSize));
    if (step.type)
      width = std::max(
          width, kRail + SvgCanvas::textWidth(typeText(step.type), kTypeSize));
  }
  return width + 2 * kPad;
}

int Card::getHeight() const {
  int height = kPad;
  for (const Step &step : steps)
    height += step.getHeight();
  return picture ? height + picture->getHeight() + kPad : height;
}

void Card::draw(SvgCanvas &canvas, int x, int y, int width) const {
  canvas.rect(x, y, width, getHeight(), "white", color::rule, 8);
  x += kPad;
  y += kPad;
  int rail = -steps.back().getHeight();
  for (const Step &step : steps)
    rail += step.getHeight();
  if (rail)
    canvas.line(x + 4, y + 8, x + 4, y + 8 + rail, color::rule);
  for (const Step &step : steps) {
    canvas.circle(x + 4, y + 8, 4, color::muted);
    std::string title = SvgCanvas::elide(titleOf(step), kMaxCharacters);
    // The name in bold, the rest plain; elision may have cut into the name.
    StringRef name = StringRef(title).take_front(step.name.size());
    if (title.size() < step.name.size() || name != step.name)
      name = title;
    int end = canvas.text(x + kRail, y + kOpSize, name, kOpSize, color::ink,
                          /*bold=*/true);
    if (StringRef rest = StringRef(title).drop_front(name.size());
        !rest.empty())
      canvas.text(end, y + kOpSize, rest, kOpSize, color::ink);
    if (step.type)
      drawType(canvas, x + kRail, y + kOpSize + 18, step.type);
    y += step.getHeight();
  }
  if (picture)
    picture->draw(canvas, x, y + kPad / 2);
}

//===----------------------------------------------------------------------===//
// From a function to cards
//===----------------------------------------------------------------------===//

size_t Drawing::newCard() {
  cards.emplace_back();
  layout.nodes.emplace_back();
  return cards.size() - 1;
}

/// An op that holds no data from elsewhere.
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
  cards[number].steps.push_back(
      {maker ? ::nameOf(*maker) : nameOf(value), "", value.getType()});
  return number;
}

/// Whether an op may follow its operand's maker in the same card.
bool Drawing::continuesCard(Operation &op, ArrayRef<Value> operands) {
  // What an accelerator does is its own affair, and so is its card.
  if (operands.size() != 1 || isa<AcceleratorCallOp>(op))
    return false;
  if (isSource(operands[0]))
    return true;
  Operation *maker = operands[0].getDefiningOp();
  if (!operands[0].hasOneUse() || maker->getNumResults() != 1)
    return false;
  const Card &card = cards[makers.lookup(operands[0])];
  bool wantsPicture =
      isa<WindowsOp, ComputeOp, SliceOp, ConcatOp, BroadcastOp>(op);
  bool summed = isa<CartProdOp, PairOp>(maker) && isa<ComputeOp>(op);
  return !card.picture || !wantsPicture || summed;
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

/// The only user of an op where it is of that kind.
template <typename UserOp>
static UserOp onlyUser(Operation *op) {
  Value result = op->getResult(0);
  return result.hasOneUse() ? dyn_cast<UserOp>(*result.getUsers().begin())
                            : UserOp();
}

void Drawing::addPicture(Operation &op, Card &card) {
  PointMarks drawn;
  if (auto windows = dyn_cast<WindowsOp>(op)) {
    card.picture = makeWindowsPicture(windows, drawn);
    marks[windows.getResult()] = drawn;
  } else if (auto product = dyn_cast<CartProdOp>(op)) {
    Value result = product.getResult();
    auto user = onlyUser<ComputeOp>(product);
    bool summed = user && user.getKind() == ComputeKind::DotProd;
    card.picture =
        makeProductPicture(product, summed, marks.lookup(product.getLhs()),
                           marks.lookup(product.getRhs()), drawn);
    marks[result] = drawn;
  } else if (auto pair = dyn_cast<PairOp>(op)) {
    drawn = marks.lookup(pair.getLhs());
    card.picture = makePairPicture(pair, onlyUser<ComputeOp>(pair), drawn);
    marks[pair.getResult()] = drawn;
  } else if (auto compute = dyn_cast<ComputeOp>(op)) {
    Operation *maker = compute.getPattern().getDefiningOp();
    if (isa_and_present<CartProdOp, PairOp>(maker) && card.picture)
      return;
    drawn = marks.lookup(compute.getPattern());
    card.picture = compute.getType().getComputeShape().empty()
                       ? makePointsPicture(compute, drawn)
                       : makeItemsPicture(compute, drawn);
    marks[compute.getResult()] = drawn;
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    card.picture = makeSlicePicture(slice);
  } else if (auto concat = dyn_cast<ConcatOp>(op)) {
    card.picture = makeConcatPicture(concat);
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    card.picture = makeBroadcastPicture(broadcast);
  } else if (auto array = dyn_cast<SystolicArrayOp>(op)) {
    card.picture = makeSystolicPicture(array);
  }
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
      layout.edges.push_back({maker, number, ""});
  }
  std::string name = ::nameOf(op), detail = describeAttributes(op);
  for (Value result : op.getResults()) {
    makers[result] = number;
    cards[number].steps.push_back({name, detail, result.getType()});
  }
  if (op.getNumResults() == 0)
    cards[number].steps.push_back({name, detail, Type()});
  addPicture(op, cards[number]);
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
      layout.edges.push_back({maker, number, ""});
    }
    std::string detail = op.getNumOperands() == 1 ? "" : std::to_string(index);
    cards[number].steps.push_back({"return", detail, Type()});
  }
}

/// A part that doesn't repeat as one card, of what repeats the first copy.
void Drawing::addPart(const FoldedPart &part, ArrayRef<Operation *> ops) {
  if (part.times > 1 || (!part.parts.empty() && !part.isGroup)) {
    const size_t first = cards.size();
    const bool isCopied = part.times > 1;
    for (const FoldedPart &inner :
         ArrayRef(part.parts).take_front(isCopied ? 1 : part.parts.size()))
      addPart(inner, ops);
    if (!isCopied)
      return;
    repeats.push_back({first, cards.size(), part.times});
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
  // What the whole part gives, which is the last op's.
  Operation &last = *ops[part.last - 1];
  std::string detail = describeAttributes(head);
  if (part.size() > 1)
    detail += (detail.empty() ? "+ " : " + ") + std::to_string(part.size() - 1);
  cards[number].steps.push_back(
      {::nameOf(head), detail,
       last.getNumResults() ? last.getResult(0).getType() : Type()});
}

void Drawing::buildFolded(IndexingCache &cache) {
  isFolded = true;
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
    layout.edges.push_back({from, to, ""});
  if (terminator)
    for (Value operand : terminator->getOperands())
      if (auto maker = cardOfOp.find(operand.getDefiningOp());
          maker != cardOfOp.end())
        cards[maker->second].steps.push_back({"return", "", Type()});
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

//===----------------------------------------------------------------------===//
// From cards to SVG
//===----------------------------------------------------------------------===//

/// The name of the function and what the colours mean.
static int drawHeader(SvgCanvas &canvas, int left, int top, StringRef name,
                      bool hasLegend) {
  int y = top + kMargin + kTitleSize;
  int x = canvas.text(left, y, name, kTitleSize, color::ink, /*bold=*/true);
  if (!hasLegend)
    return x;
  x = canvas.text(x + 28, y, "access dimensions", kTypeSize, color::access,
                  /*bold=*/true);
  x = canvas.text(x + 8, y, "|", kTypeSize, color::ink);
  return canvas.text(x + 8, y, "compute dimensions x element type", kTypeSize,
                     color::compute, /*bold=*/true);
}

/// A frame around the cards, and how often they are there.
void Drawing::drawRepeat(SvgCanvas &canvas, const Repeat &repeat, int x,
                         int top) {
  int left = INT_MAX, up = INT_MAX, right = 0, down = 0;
  for (const FlowNode &node :
       ArrayRef(layout.nodes).slice(repeat.first, repeat.last - repeat.first)) {
    left = std::min(left, node.x);
    up = std::min(up, node.y);
    right = std::max(right, node.x + node.width);
    down = std::max(down, node.y + node.height);
  }
  canvas.rect(x + left - kRepeatGap, top + up - kRepeatGap,
              right - left + 2 * kRepeatGap, down - up + 2 * kRepeatGap,
              color::faint, color::access, 10);
  canvas.text(x + right + kRepeatGap + 6, top + up + kTypeSize,
              std::to_string(repeat.times) + " ×", kTitleSize, color::access,
              /*bold=*/true);
}

/// Where columns begin and end, so that the whole is about as high as wide: between
/// ranks of cards.
SmallVector<std::pair<int, int>> Drawing::cutColumns(int width) const {
  const int height = layout.height;
  const int wanted = std::max(
      1, static_cast<int>(std::lround(std::sqrt(height / (0.75 * width)))));
  SmallVector<std::pair<int, int>> columns;
  int begin = 0, end = 0;
  SmallVector<int> ends;
  for (const FlowNode &node : layout.nodes)
    ends.push_back(node.y + node.height);
  llvm::sort(ends);
  for (int candidate : ends) {
    const bool isFree = llvm::none_of(layout.nodes, [&](const FlowNode &node) {
      return node.y <= candidate && node.y + node.height > candidate;
    });
    if (isFree && candidate - begin >= height / wanted) {
      end = candidate + 2 * kRepeatGap + 2;
      columns.push_back({begin, end});
      begin = end;
    }
  }
  if (end < height)
    columns.push_back({begin, height + 2 * kRepeatGap + 2});
  return columns;
}

void Drawing::drawFlow(SvgCanvas &canvas, int x, int y) {
  for (const Repeat &repeat : repeats)
    drawRepeat(canvas, repeat, x, y);
  for (const FlowEdge &edge : layout.edges)
    canvas.raw("path transform=\"translate(" + Twine(x) + " " + Twine(y) +
               ")\" d=\"" + edge.path + "\" fill=\"none\" stroke=\"" +
               color::muted +
               "\" stroke-width=\"1.5\" marker-end=\"url(#arrow)\"");
  for (auto [node, card] : llvm::zip(layout.nodes, cards))
    card.draw(canvas, x + node.x, y + node.y, node.width);
}

std::pair<int, int> Drawing::draw(SvgCanvas &canvas, int left, int top) {
  for (auto [node, card] : llvm::zip(layout.nodes, cards)) {
    node.width = card.getWidth();
    node.height = card.getHeight();
  }
  layout.place(isFolded ? 0 : kMaxWidth);
  std::string name =
      SvgCanvas::elide(("@" + function.getName()).str(), kMaxCharacters);
  int headerEnd = drawHeader(canvas, left, top, name, hasLegend);
  int y = top + kMargin + kHeader;
  if (!isFolded) {
    drawFlow(canvas, left, y);
    return {std::max(headerEnd, left + layout.width) + kMargin,
            kMargin + kHeader + layout.height};
  }
  // Room for frames, and how often they are there.
  const int width = layout.width + 2 * kRepeatGap + 40;
  SvgCanvas flow;
  drawFlow(flow, kRepeatGap, kRepeatGap);
  SmallVector<std::pair<int, int>> columns = cutColumns(width);
  canvas.columns(left, y - kRepeatGap, width, kMargin, flow, columns);
  int height = 0;
  for (auto [begin, end] : columns)
    height = std::max(height, end - begin);
  return {std::max<int>(headerEnd, left + columns.size() * (width + kMargin)) +
              kMargin,
          kMargin + kHeader + height};
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

  SvgCanvas canvas;
  IndexingCache cache;
  int width = 0, height = 0;
  // Beside a folded function its callees are many: they stand in rows.
  int left = kMargin, rowHeight = 0;
  bool isFolded = false;
  for (FunctionOpInterface function : functions) {
    Drawing drawing(function);
    Block &block = function.getFunctionBody().front();
    if (llvm::count_if(block, [](Operation &op) { return !isConstant(op); }) >
        static_cast<int64_t>(kMostOps))
      drawing.buildFolded(cache);
    else
      drawing.build();
    drawing.hasLegend = !isFolded;
    SvgCanvas scratch;
    if (!isFolded || drawing.draw(scratch, left, 0).first > width) {
      height += rowHeight;
      left = kMargin;
      rowHeight = 0;
    }
    auto [right, drawnHeight] = drawing.draw(canvas, left, height);
    width = std::max(width, right);
    rowHeight = std::max(rowHeight, drawnHeight);
    left = right;
    isFolded |= drawing.isFolded;
  }
  height += rowHeight;
  canvas.write(os, width, height + kMargin,
               ("access program @" + functions.front().getName()).str());
  return success();
}

void tensoraccess::registerAccessToSvgTranslation() {
  TranslateFromMLIRRegistration registration(
      "access-to-svg", "draw access programs as a picture",
      [](Operation *op, raw_ostream &os) { return exportAccessToSvg(op, os); },
      [](DialectRegistry &registry) { registerEverything(registry); });
}
