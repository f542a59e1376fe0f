//===- RuntimeValues.cpp - What a runtime variable turns out to be --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source is element `index` of this operand. `Reader` looks at how that
// element is computed:
//
//   1. Downwards, from the operand: a node is an element (a value, and an index
//      as forms over the variables of the map). Its children are the elements
//      that it is computed from; the indexing of the defining op determines it.
//      Only ops that move numbers and a few of integer arithmetic are followed.
//   2. Upwards, children first: the value of each node as a form, where there is
//      one. A constant is a number, iota is its own index; sums of forms are
//      forms. Each form must fit the node's element type, so that nothing wraps.
//   3. Where there is no form, but moves only between the operand and a function
//      argument, that is the source.
//
// Nodes are kept in a list, each before its children, and their number is
// bounded.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// How an element follows from its children.
enum class Step : uint8_t {
  Stop, ///< unknown
  Argument,
  Constant,
  Iota,
  Move,    ///< the same number, from somewhere else
  Convert, ///< the same number, if it fits
  Add,
  Subtract,
  Multiply,
  Negate,
  Minimum,
  Maximum,
  Clamp,   ///< low, value, high
  Compare, ///< 0 or 1
  Select,  ///< condition, then, else
};

struct Node {
  Value value;
  SmallVector<Form> index;
  Step step = Step::Stop;
  SmallVector<unsigned, 3> children;
};

/// Reads one element of an integer tensor, or an integer.
class Reader {
public:
  /// `index` maps the variables of an entry to an index of `root`.
  Reader(Value root, const IndexingMap &index, Block *body,
         IndexingCache &cache);

  /// The element as a map from the variables to one number, or none. Within a
  /// loop the trips' counter is one more runtime variable.
  std::optional<IndexingMap> number;
  /// The argument that holds it and the index there, or none.
  std::optional<std::pair<unsigned, IndexingMap>> origin;

private:
  static constexpr unsigned kMaxNodes = 64;

  void expand(unsigned n);
  void addChild(unsigned n, Value value, SmallVector<Form> index);
  /// The elements that the defining op reads for node n, one per operand that
  /// it reads at all; false if there is not exactly one for each.
  bool addChildren(unsigned n);
  std::optional<Form> evaluate(unsigned n);
  std::optional<Form> readConstant(const Node &node);

  IndexingMapBuilder builder;
  Block *body;
  IndexingCache &cache;
  std::optional<Form> counter;
  std::vector<Node> nodes;
  std::vector<std::optional<Form>> values;
};

} // namespace

static Step getStep(Operation *op) {
  auto [dialect, name] = op->getName().getStringRef().split('.');
  if (!llvm::is_contained(
          {"stablehlo", "mhlo", "chlo", "arith", "tensor", "index"}, dialect))
    return Step::Stop;
  if (const HloTraits *traits = getHloTraits(op);
      traits && traits->kind == HloTraits::Kind::View)
    return Step::Move;
  return llvm::StringSwitch<Step>(name)
      .Case("constant", Step::Constant)
      .Case("iota", Step::Iota)
      .Cases({"concatenate", "copy", "optimization_barrier"}, Step::Move)
      .Cases({"reshape", "collapse_shape", "expand_shape", "cast",
              "extract_slice", "extract", "from_elements", "splat", "concat",
              "bitcast"},
             Step::Move)
      .Cases({"convert", "index_cast", "extsi", "trunci", "castu", "casts"},
             Step::Convert)
      .Cases({"add", "addi"}, Step::Add)
      .Cases({"subtract", "subi", "sub"}, Step::Subtract)
      .Cases({"multiply", "muli", "mul"}, Step::Multiply)
      .Case("negate", Step::Negate)
      .Cases({"minimum", "minsi"}, Step::Minimum)
      .Cases({"maximum", "maxsi"}, Step::Maximum)
      .Case("clamp", Step::Clamp)
      .Case("compare", Step::Compare)
      .Case("select", Step::Select)
      .Default(Step::Stop);
}

/// Whether a conversion reads a negative number as a large one.
static bool dropsSign(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == "index.castu";
}

/// The numbers that an integer type holds, as StableHLO and arith's signed ops
/// read them; i1 is 0 or 1. None for other types.
static std::optional<Interval> getTypeRange(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    return Interval::all();
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() == 0 || integer.getWidth() > 64)
    return std::nullopt;
  unsigned width = integer.getWidth();
  if (integer.isUnsigned() || width == 1)
    return Interval(0, width >= 63 ? Interval::kNoUpper
                                   : (int64_t(1) << width) - 1);
  if (width == 64)
    return Interval::all();
  return Interval(-(int64_t(1) << (width - 1)),
                  (int64_t(1) << (width - 1)) - 1);
}

Reader::Reader(Value root, const IndexingMap &index, Block *body,
               IndexingCache &cache)
    : body(body), cache(cache) {
  SmallVector<Form> images;
  for (auto [i, range] : llvm::enumerate(index.getRanges())) {
    VariableKind kind = index.getVariableKind(i);
    images.push_back(kind == VariableKind::Dim ? builder.addDim(range)
                     : kind == VariableKind::Symbol
                         ? builder.addSymbol(range)
                         : builder.addRuntime(range));
  }
  if (auto counts = cache.getCounter(body))
    counter = builder.addRuntime(counts->second);
  Substitution substitute(builder.arena(), index.getArena(), images);
  Node first;
  first.value = root;
  for (const Form &form : index.getResults())
    first.index.push_back(substitute(form));
  nodes.push_back(std::move(first));
  for (unsigned n = 0; n < nodes.size(); ++n)
    expand(n);
  values.resize(nodes.size());
  for (unsigned n = nodes.size(); n-- > 0;) {
    values[n] = evaluate(n);
    if (!values[n])
      continue;
    std::optional<Interval> range = getTypeRange(nodes[n].value.getType());
    if (!range || !range->contains(builder.arena().range(*values[n])))
      values[n] = std::nullopt;
  }

  std::optional<unsigned> argument;
  if (values[0]) {
    builder.addResult(*values[0]);
  } else {
    unsigned n = 0;
    while (nodes[n].step == Step::Move || nodes[n].step == Step::Convert) {
      // A conversion keeps every number of a type that fits into the other.
      unsigned child = nodes[n].children.front();
      auto to = getTypeRange(nodes[n].value.getType());
      auto from = getTypeRange(nodes[child].value.getType());
      if (!to || !from || !to->contains(*from) || dropsSign(nodes[n].value))
        return;
      n = child;
    }
    if (nodes[n].step != Step::Argument)
      return;
    argument = cast<BlockArgument>(nodes[n].value).getArgNumber();
    for (const Form &form : nodes[n].index)
      builder.addResult(form);
  }
  for (const Constraint &constraint : index.getConstraints())
    builder.addConstraint(substitute(constraint.form), constraint.interval);
  IndexingMap map = builder.build();
  if (!map.isOrdinary())
    return;
  if (!argument) {
    number = map;
    return;
  }
  if (counter) {
    const unsigned last = map.getNumVariables() - 1;
    if (map.getUsed()[last])
      return;
    SmallVector<std::optional<Form>> forms(last + 1);
    forms[last] = Form(0);
    map = map.substitute(map.getArena(), forms);
  }
  origin.emplace(*argument, map.simplify());
}

void Reader::addChild(unsigned n, Value value, SmallVector<Form> index) {
  nodes[n].children.push_back(nodes.size());
  Node child;
  child.value = value;
  child.index = std::move(index);
  nodes.push_back(std::move(child));
}

void Reader::expand(unsigned n) {
  Value value = nodes[n].value;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == body)
      nodes[n].step = Step::Argument;
    return;
  }
  Operation *op = value.getDefiningOp();
  Step step = getStep(op);
  if (step == Step::Stop || nodes.size() + op->getNumOperands() > kMaxNodes)
    return;
  if (step != Step::Constant && step != Step::Iota) {
    if (!addChildren(n)) {
      nodes[n].children.clear();
      return;
    }
    // A move has one source; the others need all of their operands.
    unsigned needed = step == Step::Move ? 1 : op->getNumOperands();
    if (nodes[n].children.size() != needed)
      return;
  }
  nodes[n].step = step;
}

bool Reader::addChildren(unsigned n) {
  Operation *op = nodes[n].value.getDefiningOp();
  unsigned result = cast<OpResult>(nodes[n].value).getResultNumber();
  FormArena &arena = builder.arena();
  bool isExtract = op->getName().getStringRef() == "tensor.extract";
  const OpIndexing &indexing = cache.get(op);
  for (unsigned o = 0; o < op->getNumOperands(); ++o) {
    if (isExtract && o > 0)
      break;
    const IndexingSet &set = indexing.outputToInput(result, o);
    if (set.isUnknown() || set.size() > 1)
      return false;
    if (set.empty())
      continue;
    const IndexingMap &map = set.getMaps().front();
    if (!map.isOrdinary() || map.getNumSymbols() != 0 ||
        map.getNumDims() != nodes[n].index.size() ||
        map.getNumRuntime() != (isExtract ? op->getNumOperands() - 1 : 0))
      return false;
    SmallVector<Form> images = nodes[n].index;
    for (unsigned i = 0; i < map.getNumRuntime(); ++i) {
      APInt constant;
      if (!matchPattern(op->getOperand(1 + i), m_ConstantInt(&constant)) ||
          !constant.isSignedIntN(64))
        return false;
      images.push_back(Form(constant.getSExtValue()));
    }
    Substitution substitute(arena, map.getArena(), images);
    bool inside = true, outside = false;
    auto require = [&](const Form &form, Interval interval) {
      Interval range = arena.range(form);
      inside &= interval.contains(range);
      outside |= interval.intersect(range).isEmpty();
    };
    for (auto [form, range] : llvm::zip_equal(images, map.getRanges()))
      require(form, range);
    for (const Constraint &constraint : map.getConstraints())
      require(substitute(constraint.form), constraint.interval);
    if (outside)
      continue;
    if (!inside)
      return false;
    SmallVector<Form> index;
    for (const Form &form : map.getResults())
      index.push_back(substitute(form));
    addChild(n, op->getOperand(o), std::move(index));
  }
  return true;
}

static std::optional<int64_t> toNumber(const APInt &value, Interval type) {
  if (type.lower >= 0)
    return value.isIntN(63) ? std::optional<int64_t>(value.getZExtValue())
                            : std::nullopt;
  return value.getSExtValue();
}

std::optional<Form> Reader::readConstant(const Node &node) {
  Attribute attr = node.value.getDefiningOp()->getAttr("value");
  std::optional<Interval> type = getTypeRange(node.value.getType());
  if (!attr || !type)
    return std::nullopt;
  auto toForm = [](std::optional<int64_t> number) -> std::optional<Form> {
    return number ? std::optional<Form>(Form(*number)) : std::nullopt;
  };
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return toForm(toNumber(integer.getValue(), *type));
  auto dense = dyn_cast<DenseIntElementsAttr>(attr);
  if (!dense || dense.getType().getRank() != int64_t(node.index.size()))
    return std::nullopt;
  if (dense.isSplat())
    return toForm(toNumber(dense.getSplatValue<APInt>(), *type));
  // Element 0 plus a step for each dimension, if that is how it goes.
  ArrayRef<int64_t> shape = dense.getType().getShape();
  auto all = dense.getValues<APInt>();
  FormArena &arena = builder.arena();
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  if (llvm::all_of(node.index, [](const Form &f) { return f.isConstant(); })) {
    int64_t offset = 0;
    for (auto [form, stride] : llvm::zip_equal(node.index, strides))
      offset += form.constant * stride;
    if (offset < 0 || offset >= dense.getNumElements())
      return std::nullopt;
    return toForm(toNumber(all[offset], *type));
  }
  if (dense.getNumElements() > (1 << 16))
    return std::nullopt;
  auto first = toNumber(all[0], *type);
  if (!first)
    return std::nullopt;
  Form value(*first);
  SmallVector<int64_t> steps;
  for (auto [size, stride, form] :
       llvm::zip_equal(shape, strides, node.index)) {
    auto next = size > 1 ? toNumber(all[stride], *type) : first;
    auto step = next ? checkedSub(*next, *first) : std::nullopt;
    if (!step)
      return std::nullopt;
    steps.push_back(*step);
    value = arena.addScaled(value, form, *step);
  }
  for (int64_t n = 0; n < dense.getNumElements(); ++n) {
    std::optional<int64_t> expected = first;
    for (auto [size, stride, step] : llvm::zip_equal(shape, strides, steps)) {
      auto part = checkedMul(step, (n / stride) % size);
      expected = part && expected ? checkedAdd(*expected, *part) : std::nullopt;
    }
    if (!expected || toNumber(all[n], *type) != expected)
      return std::nullopt;
  }
  return value;
}

std::optional<Form> Reader::evaluate(unsigned n) {
  const Node &node = nodes[n];
  FormArena &arena = builder.arena();
  SmallVector<const Form *, 3> in;
  for (unsigned child : node.children) {
    in.push_back(values[child] ? &*values[child] : nullptr);
    // A select may do without one of its branches.
    if (!in.back() && node.step != Step::Select)
      return std::nullopt;
  }
  switch (node.step) {
  case Step::Stop:
    return std::nullopt;
  case Step::Argument:
    return counter && cache.getCounter(body)->first == node.value
               ? counter
               : std::nullopt;
  case Step::Constant:
    return readConstant(node);
  case Step::Iota: {
    auto dim = node.value.getDefiningOp()->getAttrOfType<IntegerAttr>(
        "iota_dimension");
    if (!dim || dim.getInt() < 0 || dim.getInt() >= int64_t(node.index.size()))
      return std::nullopt;
    return node.index[dim.getInt()];
  }
  case Step::Convert:
    if (dropsSign(node.value) && arena.range(*in[0]).lower < 0)
      return std::nullopt;
    return *in[0];
  case Step::Move:
    return *in[0];
  case Step::Add:
    return arena.add(*in[0], *in[1]);
  case Step::Subtract:
    return arena.sub(*in[0], *in[1]);
  case Step::Multiply:
    if (!in[0]->isConstant() && !in[1]->isConstant())
      return std::nullopt;
    return arena.mul(*in[0], *in[1]);
  case Step::Negate:
    return arena.negate(*in[0]);
  case Step::Minimum:
    return arena.min(*in[0], *in[1]);
  case Step::Maximum:
    return arena.max(*in[0], *in[1]);
  case Step::Clamp:
    return arena.min(arena.max(*in[1], *in[0]), *in[2]);
  case Step::Compare: {
    Interval d = arena.range(arena.sub(*in[0], *in[1]));
    auto decide = [&](bool always, bool never) -> std::optional<Form> {
      return always  ? std::optional<Form>(Form(1))
             : never ? std::optional<Form>(Form(0))
                     : std::nullopt;
    };
    StringRef direction = getHloKeyword(
        node.value.getDefiningOp()->getAttr("comparison_direction"));
    bool isZero = d == Interval::point(0), noZero = !d.contains(0);
    if (direction == "EQ")
      return decide(isZero, noZero);
    if (direction == "NE")
      return decide(noZero, isZero);
    if (direction == "LT")
      return decide(d.upper < 0, d.lower >= 0);
    if (direction == "LE")
      return decide(d.upper <= 0, d.lower > 0);
    if (direction == "GT")
      return decide(d.lower > 0, d.upper <= 0);
    if (direction == "GE")
      return decide(d.lower >= 0, d.upper < 0);
    return std::nullopt;
  }
  case Step::Select: {
    if (!in[0] || !in[0]->isConstant())
      return std::nullopt;
    const Form *chosen = in[0]->constant != 0 ? in[1] : in[2];
    return chosen ? std::optional<Form>(*chosen) : std::nullopt;
  }
  }
  llvm_unreachable("all steps are listed");
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// The entry with one more runtime variable, which is an argument of rank 0.
static DetailedMap addCounter(const DetailedMap &entry, unsigned argument,
                              Interval range) {
  IndexingMap joined = joinDetails(entry);
  MapDetails shape = *entry.details;
  shape.runtime.resize(joined.getNumRuntime());
  shape.runtime.push_back(RuntimeSource{argument, IndexingMap::identity({})});
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (auto [i, old] : llvm::enumerate(joined.getRanges()))
    images.push_back(builder.addVariable(joined.getVariableKind(i), old));
  builder.addRuntime(range);
  builder.addMap(joined, images);
  return splitDetails(builder.build(), entry.map.getNumResults(), shape);
}

static DetailedMap resolve(Operation *op, DetailedMap entry,
                           IndexingCache &cache) {
  Block *body = op->getBlock();
  for (unsigned i = entry.map.getNumRuntime();
       i-- > 0 && entry.details && entry.map.isOrdinary();) {
    if (i >= entry.details->runtime.size() || !entry.details->runtime[i])
      continue;
    const RuntimeSource &source = *entry.details->runtime[i];
    Reader reader(op->getOperand(source.operand), source.map, body, cache);
    if (reader.number) {
      if (auto counter = cache.getCounter(body))
        entry =
            addCounter(entry, counter->first.getArgNumber(), counter->second);
      entry = substituteRuntime(entry, i, *reader.number);
      continue;
    }
    auto details = std::make_shared<MapDetails>(*entry.details);
    if (reader.origin) {
      details->runtime[i]->operand = reader.origin->first;
      details->runtime[i]->map = reader.origin->second;
    } else {
      details->runtime[i].reset();
    }
    entry.details = std::move(details);
  }
  if (entry.details && entry.details->isTrivial())
    entry.details = nullptr;
  return entry;
}

OpIndexing tensoraccess::resolveSources(Operation *op,
                                        const OpIndexing &indexing,
                                        IndexingCache &cache) {
  OpIndexing resolved = indexing;
  auto resolveSet = [&](const IndexingSet &set) {
    SmallVector<DetailedMap> entries;
    for (unsigned i = 0; i < set.size(); ++i)
      entries.push_back(resolve(op, set.getEntry(i), cache));
    return IndexingSet::of(entries);
  };
  for (unsigned r = 0; r < indexing.getNumResults(); ++r) {
    for (unsigned o = 0; o < indexing.getNumOperands(); ++o) {
      if (const IndexingSet &set = indexing.outputToInput(r, o);
          set.hasDetails())
        resolved.setOutputToInput(r, o, resolveSet(set));
      if (const IndexingSet &set = indexing.inputToOutput(o, r);
          set.hasDetails())
        resolved.setInputToOutput(o, r, resolveSet(set));
    }
  }
  return resolved;
}
