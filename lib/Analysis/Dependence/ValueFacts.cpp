//===- ValueFacts.cpp - What is known of values, and where ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps are visited once, in order. How an op treats facts follows from what it
// is: a scalar function (ElementwiseFacts.cpp), or the body of its nest (Nest.h):
//   Move      facts of what is read, pulled back along the indexing map;
//   Reduce    a number, where all elements that are read are that number;
//   Contract  zero, where of each product a factor is zero.
// "Where all" is a region less the projection of where it is not so.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/ValueFacts.h"
#include "Loops.h"
#include "Regions.h"
#include "ScalarFacts.h"

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

void ValueFacts::add(FactList &list, ValueFact fact) const {
  if (fact.map.isUnknown() || list.size() >= kMaxFacts ||
      fact.map.getNumSymbols() != 0 || regions::hasNoPoint(fact.map))
    return;
  list.push_back(std::move(fact));
}

/// The facts of a value as those of another one, which reads it along `map`.
FactList ValueFacts::pull(ArrayRef<ValueFact> list,
                          const IndexingMap &map) const {
  FactList pulled;
  if (map.isUnknown() || map.getNumSymbols() != 0 || regions::hasValues(map))
    return pulled;
  const bool isIdentity = map.isIdentity();
  for (const ValueFact &fact : list) {
    ValueFact moved = fact;
    if (!isIdentity || map.getNumDims() != fact.map.getNumDims() ||
        map.getRanges() != fact.map.getDimRanges())
      moved.map = map.then(fact.map).simplify();
    add(pulled, std::move(moved));
  }
  return pulled;
}

void ValueFacts::set(unsigned value, FactList list) {
  // Nothing follows from constants of which only that is known.
  if (closed[value])
    llvm::erase_if(list, [](const ValueFact &fact) {
      return fact.kind == ValueFact::Kind::Constant;
    });
  // Sizes of one op have no names in others.
  if (options.anySizes)
    llvm::erase_if(list, [](const ValueFact &fact) {
      return fact.map.getNumRuntime() != 0;
    });
  facts[value].append(std::make_move_iterator(list.begin()),
                      std::make_move_iterator(list.end()));
}

Type tensoraccess::getElement(Type type) {
  auto space = dyn_cast<IndexSpaceTypeInterface>(type);
  return space ? space.getElementType() : getElementTypeOrSelf(type);
}

SmallVector<IndexingMap>
mlir::tensoraccess::getZeroRegions(ArrayRef<ValueFact> list) {
  SmallVector<IndexingMap> regions;
  for (const ValueFact &fact : list)
    if (fact.kind == ValueFact::Kind::Index && !fact.isRounded)
      if (IndexingMap region =
              fact.map.withConstraint(fact.map.getResult(0), Interval::point(0))
                  .simplify();
          !regions::hasNoPoint(region))
        regions.push_back(regions::withoutResults(region));
  return regions;
}

SmallVector<IndexingMap>
mlir::tensoraccess::getFixedRegions(ArrayRef<ValueFact> list) {
  SmallVector<IndexingMap> regions;
  for (const ValueFact &fact : list)
    if (fact.isFixed())
      regions.push_back(regions::withoutResults(fact.map));
  return regions;
}

//===----------------------------------------------------------------------===//
// Moves, reductions, products
//===----------------------------------------------------------------------===//

void ValueFacts::visitMove(unsigned s, const Nest &nest) {
  const FlatStep &step = program.steps[s];
  Attribute fill = nest.fill;
  if (auto pad = dyn_cast<tensor::PadOp>(step.op))
    if (Value value = pad.getConstantPaddingValue())
      matchPattern(value, m_Constant(&fill));
  if (!fill &&
      llvm::all_of(step.reads, [&](unsigned v) { return facts[v].empty(); }))
    return;
  const OpIndexing &indexing = getIndexing(s);
  // Operands that are the place of an element are not elements.
  SmallVector<unsigned> places;
  for (const NestValue &value : nest.values)
    if (value.source)
      places.push_back(value.source->operand);
  for (unsigned r = 0; r < step.results.size(); ++r) {
    FactList out;
    SmallVector<Part> parts;
    bool isKnown = true;
    for (unsigned o = 0; o < step.numOperands; ++o) {
      const IndexingSet &set = indexing.outputToInput(r, o);
      if (llvm::is_contained(places, o))
        continue;
      isKnown &= !set.isUnknown();
      if (!set.isUnknown())
        parts.push_back({get(step.reads[o]), set.getMaps()});
    }
    if (!hulls[s]) {
      for (const Part &part : parts)
        for (const IndexingMap &map : part.reads)
          for (ValueFact &fact : pull(part.elements, map))
            add(out, std::move(fact));
    } else if (auto shape = getSizes(step.op->getResult(r).getType());
               shape && isKnown && !fill) {
      // Maps are what may be read, not what is.
      out = reduce(kAnyOf, parts, std::nullopt,
                   getElement(step.op->getResult(r).getType()),
                   regions::getAll(*shape), /*isChosenByData=*/true);
    }
    if (fill)
      addFill(s, r, fill, out);
    set(step.results[r], std::move(out));
  }
}

/// The constant, where operand 0 surely is not read.
void ValueFacts::addFill(unsigned s, unsigned r, Attribute fill,
                         FactList &out) {
  auto type = program.steps[s].op->getResult(r).getType();
  const IndexingSet &set = cache.get(program.steps[s].op).outputToInput(r, 0);
  auto shape = getSizes(type);
  if (!shape || set.isUnknown())
    return;
  SmallVector<IndexingMap> read;
  for (const IndexingMap &map : set.getMaps())
    read.push_back(forgetRuntime(map));
  if (llvm::any_of(read, [](const IndexingMap &m) { return m.isUnknown(); }))
    return;
  bool isMore = false;
  auto rest = regions::cutAll(IndexingMap::identity(*shape), read, &isMore);
  for (const ValueFact &fact :
       getConstantFacts(fill, cast<TypedAttr>(fill).getType()))
    for (const IndexingMap &piece : rest)
      if (auto number = fact.getNumber(); number && !isMore) {
        ValueFact own = makeNumber(*number, piece);
        own.hasAnySign = fact.hasAnySign;
        add(out, std::move(own));
      }
}

/// All dims of `all` from which no symbols lead to a point of `rest`; empty if
/// that is not known.
static SmallVector<IndexingMap, 2> getRest(const IndexingMap &all,
                                           ArrayRef<IndexingMap> rest) {
  SmallVector<IndexingMap> reached;
  for (const IndexingMap &map : rest) {
    auto parts = regions::projectParts(map);
    if (!parts || llvm::any_of(*parts, regions::hasValues))
      return {};
    llvm::append_range(reached, *parts);
  }
  SmallVector<IndexingMap, 2> left{regions::asIdentity(all)};
  for (const IndexingMap &region : reached) {
    SmallVector<IndexingMap, 2> next;
    for (const IndexingMap &piece : left) {
      if (region.isKnownEmpty()) {
        next.push_back(piece);
        continue;
      }
      bool isMore = false;
      SmallVector<IndexingMap, 2> pieces = regions::cut(piece, region, &isMore);
      if (isMore)
        return {};
      llvm::append_range(next, pieces);
    }
    left = std::move(next);
  }
  return left;
}

StringRef tensoraccess::getCombiner(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("tosa.reduce_"))
    return ignoresNaN(op)  ? ""
           : name == "sum" ? "add"
           : name == "max" ? "maximum"
           : name == "min" ? "minimum"
           : name == "any" ? "or"
           : name == "all" ? "and"
                           : "";
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return {};
  Block &block = op->getRegion(0).front();
  if (block.getOperations().size() != 2 ||
      block.front().getNumOperands() != 2 ||
      !llvm::is_contained(block.back().getOperands(),
                          block.front().getResult(0)))
    return {};
  return getScalarFunction(&block.front());
}

FactList ValueFacts::reduce(StringRef combiner, ArrayRef<Part> parts,
                            std::optional<double> initial, Type type,
                            const IndexingMap &all, bool isChosenByData) const {
  FactList out;
  if (initial && std::isnan(*initial))
    return out;
  std::set<double> numbers;
  for (const Part &part : parts)
    for (const ValueFact &fact : part.elements)
      if (auto number = fact.getNumber();
          number && !std::isnan(*number) && !fact.isRounded)
        numbers.insert(*number);
  auto addWhere = [&](function_ref<bool(const ValueFact &)> isIt,
                      function_ref<ValueFact(const IndexingMap &)> make) {
    bool hasAnySign = false;
    SmallVector<IndexingMap> rest;
    for (const Part &part : parts) {
      SmallVector<IndexingMap> fixed;
      for (const ValueFact &fact : part.elements)
        if (isIt(fact)) {
          fixed.push_back(regions::withoutResults(fact.map));
          hasAnySign |= fact.hasAnySign;
        }
      for (const IndexingMap &map : part.reads)
        llvm::append_range(rest, regions::cutAll(map, fixed));
    }
    for (const IndexingMap &region : getRest(all, rest)) {
      ValueFact fact = make(region);
      fact.hasAnySign = hasAnySign;
      add(out, std::move(fact));
    }
  };
  // Of no elements, only a sum is what it is of zeros.
  const bool mayBeEmpty = llvm::any_of(parts, [](const Part &part) {
    return llvm::any_of(part.reads, [](const IndexingMap &map) {
      return llvm::any_of(map.getSymbolRanges(),
                          [](Interval range) { return !range.hasUpper(); });
    });
  });
  if (mayBeEmpty && combiner != "add")
    return out;
  for (double number : numbers) {
    double result = number;
    const bool isBool = type.isInteger(1);
    if (combiner == "maximum" || (isBool && combiner == "or"))
      result = std::max(number, initial.value_or(number));
    else if (combiner == "minimum" || (isBool && combiner == "and"))
      result = std::min(number, initial.value_or(number));
    else if (combiner != kAnyOf &&
             !(combiner == "add" && number == 0 && initial.value_or(0) == 0) &&
             !(combiner == "multiply" && (number == 1 || number == 0) &&
               initial.value_or(1) == 1))
      continue;
    addWhere(
        [&](const ValueFact &fact) {
          return fact.getNumber() == number && !fact.isRounded;
        },
        [&](const IndexingMap &region) { return makeNumber(result, region); });
  }
  if (isChosenByData)
    return out;
  // Constants of unknown numbers are elsewhere: facts that meet would say less.
  SmallVector<IndexingMap> known = getFixedRegions(out);
  FactList rest;
  std::swap(out, rest);
  addWhere([](const ValueFact &fact) { return fact.isFixed(); },
           [](const IndexingMap &region) { return makeConstant(region); });
  for (const ValueFact &fact : out) {
    bool isMore = false;
    auto pieces =
        regions::cutAll(regions::asIdentity(fact.map), known, &isMore);
    for (const IndexingMap &piece : pieces)
      if (!isMore)
        add(rest, makeConstant(piece));
  }
  return rest;
}

void ValueFacts::visitReduce(unsigned s, const Nest &nest) {
  const FlatStep &step = program.steps[s];
  if (step.results.size() != 1 || facts[step.reads[0]].empty())
    return;
  StringRef combiner = getCombiner(step.op);
  const IndexingSet &set = getIndexing(s).outputToInput(0, 0);
  auto shape = getSizes(step.op->getResult(0).getType());
  if (combiner.empty() || set.isUnknown() || !shape)
    return;
  // What is combined besides: initial values.
  std::optional<double> initial;
  for (unsigned o = 1; o < step.reads.size(); ++o) {
    ArrayRef<ValueFact> list = get(step.reads[o]);
    if (o > 1 || list.size() != 1 || !list[0].getNumber() || list[0].isRounded)
      return;
    initial = list[0].getNumber();
  }
  this->set(step.results[0],
            reduce(combiner, Part{get(step.reads[0]), set.getMaps()}, initial,
                   getElementTypeOrSelf(step.op->getResult(0).getType()),
                   regions::getAll(*shape)));
}

bool tensoraccess::isPlainContraction(const FlatStep &step,
                                      const ValueFacts &facts) {
  if (isHlo(step.op))
    return step.reads.size() == 2;
  if (step.op->getName().getStringRef() != "tosa.matmul")
    return false;
  for (unsigned v : ArrayRef(step.reads).drop_front(2))
    if (facts.get(v).size() != 1 || facts.get(v)[0].getNumber() != 0.0)
      return false;
  return true;
}

void ValueFacts::visitContract(unsigned s, const Nest &nest) {
  const FlatStep &step = program.steps[s];
  if (step.results.size() != 1 || nest.writes.size() != 1 ||
      !isPlainContraction(step, *this))
    return;
  const bool isFloat =
      isFloating(getElementTypeOrSelf(step.op->getResult(0).getType()));
  auto shape = getSizes(step.op->getResult(0).getType());
  if (!shape)
    return;
  const unsigned rank = shape->size();
  FactList out;
  // A NaN among the factors makes a NaN.
  for (const NestRead &read : nest.reads)
    for (const ValueFact &fact : get(step.reads[read.value]))
      if (read.value > 1)
        continue;
      else if (auto number = fact.getNumber(); number && std::isnan(*number)) {
        IndexingMap loops =
            regions::join(getLoops(nest, nest.writes[0]),
                          regions::keep(getLoops(nest, read),
                                        regions::withoutResults(fact.map)));
        auto region = regions::project(relate(loops, rank, getExtents(*shape)));
        if (region && !regions::hasValues(*region))
          add(out, makeNumber(NAN, *region));
      }
  auto done = [&] { set(step.results[0], std::move(out)); };
  if (isFloat && !options.assumeFinite)
    return done();
  bool hasZeros = false;
  for (unsigned v : ArrayRef(step.reads).take_front(2))
    hasZeros |= llvm::any_of(
        get(v), [](const ValueFact &f) { return f.getNumber() == 0.0; });
  if (!hasZeros)
    return done();
  SmallVector<IndexingMap, 2> loops{getLoops(nest, nest.writes[0])};
  for (const NestRead &read : nest.reads) {
    SmallVector<IndexingMap> zeros;
    for (const ValueFact &fact : get(step.reads[read.value]))
      if (fact.getNumber() == 0.0)
        zeros.push_back(fact.map);
    // 0 times an infinity is NaN, not 0.
    bool areFinite = true;
    for (const NestRead &other : nest.reads)
      areFinite &= other.value == read.value || !isFloat ||
                   !hasInfinities(step.reads[other.value]);
    if (read.isRead && areFinite && read.value < 2)
      loops = cutLoops(nest, loops, read, zeros);
  }
  SmallVector<IndexingMap> rest;
  for (const IndexingMap &piece : loops)
    rest.push_back(relate(piece, rank, getExtents(*shape)));
  for (const IndexingMap &region : getRest(regions::getAll(*shape), rest)) {
    ValueFact fact = makeNumber(0, region);
    fact.hasAnySign = true;
    add(out, std::move(fact));
    finite |= isFloat;
  }
  done();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

NestRef tensoraccess::getStepNest(Operation *op) {
  NestRef nest = getNest(OpSignature(op));
  return nest && nest->hasLoops() ? nest : nullptr;
}

/// The attribute of a constant, or null.
static Attribute getConstant(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isHlo(op, "constant") || name == "arith.constant")
    return op->getAttr("value");
  if (name == "tosa.const")
    return op->getAttr("values");
  return nullptr;
}

void ValueFacts::visitSoftmax(unsigned s) {
  const FlatStep &step = program.steps[s];
  const IndexingSet &set = getIndexing(s).outputToInput(0, 0);
  auto type = cast<ShapedType>(step.op->getResult(0).getType());
  FactList lows, out;
  for (const ValueFact &fact : get(step.reads[0]))
    if (fact.getNumber() == -INFINITY && fact.map.getNumRuntime() == 0)
      lows.push_back(fact);
  if (!options.assumeFinite || lows.empty() || set.isUnknown())
    return;
  // A row of nothing else is NaN.
  SmallVector<IndexingMap> nans = getFixedRegions(
      reduce("maximum", Part{lows, set.getMaps()}, std::nullopt,
             type.getElementType(), regions::getAll(type.getShape())));
  for (const ValueFact &fact : lows)
    for (const IndexingMap &piece :
         regions::cutAll(regions::asIdentity(fact.map), nans))
      add(out, makeNumber(0, regions::withoutResults(piece)));
  finite = true;
  this->set(step.results[0], std::move(out));
}

void ValueFacts::visit(unsigned s) {
  const FlatStep &step = program.steps[s];
  Operation *op = step.op;
  const bool isClosed =
      llvm::all_of(step.reads, [&](unsigned v) { return closed[v]; });
  for (unsigned v : step.results)
    closed[v] = isClosed;
  if (step.results.empty() || (!options.anySizes && visitLoop(s)))
    return;
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (type && !type.hasStaticShape() && !(options.anySizes && type.hasRank()))
    return;
  if (Attribute value = getConstant(op))
    return set(step.results[0],
               getConstantFacts(value, op->getResult(0).getType()));
  if (isHlo(op, "iota") && type) {
    auto dim = op->getAttrOfType<IntegerAttr>("iota_dimension");
    if (!dim || dim.getInt() < 0 || dim.getInt() >= type.getRank())
      return;
    // Indices that the type does not hold wrap, or are rounded.
    Type element = type.getElementType();
    unsigned bits = 0;
    if (auto integer = dyn_cast<IntegerType>(element))
      bits = integer.getWidth() - !integer.isUnsigned();
    else if (auto floating = dyn_cast<FloatType>(element))
      bits = floating.getFPMantissaWidth();
    if (type.getDimSize(dim.getInt()) > int64_t(1) << std::min(bits, 53u))
      return;
    ValueFact fact;
    fact.kind = ValueFact::Kind::Index;
    fact.map = IndexingMap::identity(type.getShape())
                   .withResults(Form::ofAtom(dim.getInt()));
    return set(step.results[0], {fact});
  }
  if (isa<linalg::SoftmaxOp>(op))
    return visitSoftmax(s);
  if (!getScalarFunction(op).empty())
    return visitElementwise(s);
  // For others nothing is known without facts of what they read.
  const bool mayFill =
      isa<tensor::PadOp>(op) || op->hasAttr("value") || op->hasAttr("oob");
  if (!isa<linalg::LinalgOp>(op) && !mayFill &&
      llvm::all_of(step.reads, [&](unsigned v) { return facts[v].empty(); }))
    return;
  NestRef nest = getStepNest(op);
  if (!nest)
    return;
  if (!nest->function.empty())
    return visitFunction(s, *nest);
  if (isa<linalg::LinalgOp>(op) && nest->body != NestBody::Move)
    return visitBody(s, *nest);
  if (isHlo(op, "scatter"))
    return visitScatter(s);
  const bool isGather = isHlo(op, "gather") || isHlo(op, "dynamic_gather") ||
                        isHlo(op, "torch_index_select");
  switch (isGather ? NestBody::Move : nest->body) {
  case NestBody::Move:
    return visitMove(s, *nest);
  case NestBody::Reduce:
    return visitReduce(s, *nest);
  case NestBody::Contract:
    return visitContract(s, *nest);
  case NestBody::Map:
  case NestBody::Opaque:
    return;
  }
}

bool tensoraccess::isInfinity(const ValueFact &fact) {
  std::optional<double> number = fact.getNumber();
  return number && !std::isfinite(*number);
}

bool ValueFacts::hasInfinities(unsigned value) const {
  return infinite[value] || llvm::any_of(facts[value], isInfinity);
}

/// Whether a floating-point constant has elements that are not finite.
static bool hasInfinities(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return !number.getValue().isFinite();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return true;
  if (isa<ComplexType>(dense.getElementType()))
    return !isa<FloatType>(
               cast<ComplexType>(dense.getElementType()).getElementType()) ||
           llvm::any_of(dense.getValues<std::complex<APFloat>>(),
                        [](const std::complex<APFloat> &x) {
                          return !x.real().isFinite() || !x.imag().isFinite();
                        });
  if (!isa<FloatType>(dense.getElementType()))
    return false;
  if (dense.isSplat())
    return !dense.getSplatValue<APFloat>().isFinite();
  return llvm::any_of(dense.getValues<APFloat>(),
                      [](const APFloat &x) { return !x.isFinite(); });
}

/// Where infinities go that no fact covers.
void ValueFacts::spreadInfinities(unsigned s) {
  const FlatStep &step = program.steps[s];
  auto isFloat = [&](unsigned v) {
    return isFloating(getElement(program.values[v].getType()));
  };
  if (llvm::none_of(step.results, isFloat) || loops.count(s))
    return;
  auto setAll = [&] {
    for (unsigned v : step.results)
      infinite[v] = isFloat(v);
  };
  if (Attribute value = getConstant(step.op)) {
    // One number is one fact; regions that were sought may not be all.
    const unsigned v = step.results[0];
    auto dense = dyn_cast<DenseElementsAttr>(value);
    infinite[v] = ::hasInfinities(value) &&
                  (facts[v].empty() || (dense && !dense.isSplat()));
    if (!infinite[v] || facts[v].empty())
      return;
    // Unless what is left has none.
    auto type = cast<ShapedType>(step.op->getResult(0).getType());
    infinite[v] = !regions::cutAll(IndexingMap::identity(type.getShape()),
                                   getFixedRegions(facts[v]))
                       .empty();
    return;
  }
  // Bodies have been looked at.
  if (isa<linalg::LinalgOp>(step.op))
    if (NestRef nest = getStepNest(step.op);
        nest && nest->body != NestBody::Move)
      return;
  // What bodies that are not looked at write.
  if (hasInside(step.op, cache, [](Operation *inner) {
        Attribute value = getConstant(inner);
        return value && ::hasInfinities(value);
      }))
    return setAll();
  StringRef name = getScalarFunction(step.op);
  if (name == "compare" || name == "is_finite" ||
      llvm::none_of(step.reads, [&](unsigned v) { return hasInfinities(v); }))
    return;
  auto type = dyn_cast<ShapedType>(step.op->getResult(0).getType());
  if (step.results.size() != 1 || !type || !type.hasStaticShape())
    return setAll();
  const unsigned result = step.results[0];
  SmallVector<IndexingMap> known;
  for (const ValueFact &fact : facts[result])
    if (fact.getNumber())
      known.push_back(regions::withoutResults(fact.map));
  const OpIndexing &indexing = getIndexing(s);
  NestRef nest = name.empty() ? getStepNest(step.op) : nullptr;
  // A maximum of -inf and others is one of the others; where all are -inf, that
  // is a fact if it was found.
  StringRef combiner = isa<linalg::SoftmaxOp>(step.op) ? "maximum"
                       : nest && nest->body == NestBody::Reduce
                           ? getCombiner(step.op)
                           : "";
  const bool isMaximum = name == "maximum" || combiner == "maximum";
  const bool isMinimum = name == "minimum" || combiner == "minimum";
  for (auto [o, v] : llvm::enumerate(step.reads)) {
    if (!hasInfinities(v))
      continue;
    if (infinite[v] || o >= step.numOperands)
      return setAll();
    for (const ValueFact &fact : facts[v]) {
      // What holds at places that data choose is not always so.
      if (!isInfinity(fact) || fact.map.getNumRuntime() != 0)
        continue;
      const double number = *fact.getNumber();
      if ((isMaximum && number == -INFINITY) ||
          (isMinimum && number == INFINITY)) {
        if (combiner.empty())
          continue;
        // All of a row that is this number, or of several.
        if (o > 0)
          continue;
      }
      const IndexingSet &set = indexing.outputToInput(0, o);
      if (set.isUnknown())
        return setAll();
      for (const IndexingMap &map : set.getMaps()) {
        // Where the result reads it, and no fact says what becomes of it.
        IndexingMap met = regions::keep(map, regions::withoutResults(fact.map));
        if (name == "select" && o > 0) {
          // Only where it may be chosen. What data choose is assumed to lead to
          // no NaN.
          if (!closed[step.reads[0]])
            continue;
          const IndexingSet &choice = indexing.outputToInput(0, 0);
          SmallVector<IndexingMap> never;
          if (choice.size() == 1 && choice.getMaps()[0].getNumSymbols() == 0)
            for (const ValueFact &p : facts[step.reads[0]])
              if (auto chosen = p.getNumber();
                  chosen && (*chosen != 0) == (o == 2))
                never.push_back(regions::withoutResults(
                    choice.getMaps()[0].then(p.map).simplify()));
          llvm::append_range(never, known);
          if (!regions::cutAll(met, never, nullptr, regions::Side::Dims)
                   .empty())
            return setAll();
          continue;
        }
        if (regions::cutAll(met, known, nullptr, regions::Side::Dims).empty())
          continue;
        if ((isMaximum && number == -INFINITY) ||
            (isMinimum && number == INFINITY)) {
          // Rows that have another element are fine.
          SmallVector<IndexingMap> same;
          for (const ValueFact &other : facts[v])
            if (other.getNumber() == number && other.map.getNumRuntime() == 0)
              same.push_back(regions::withoutResults(other.map));
          bool isMore = false;
          SmallVector<IndexingMap> others;
          for (const IndexingMap &piece : regions::cutAll(map, same, &isMore))
            if (std::optional<IndexingMap> region = regions::project(piece))
              others.push_back(std::move(*region));
            else
              isMore = true;
          llvm::append_range(others, known);
          if (!isMore &&
              regions::cutAll(met, others, nullptr, regions::Side::Dims)
                  .empty())
            continue;
        }
        return setAll();
      }
    }
  }
}

ValueFacts::ValueFacts(const FlatProgram &program, IndexingCache &cache,
                       FactOptions given)
    : program(program), cache(cache), options(std::move(given)),
      facts(program.values.size()), closed(program.values.size()),
      hulls(program.steps.size()), infinite(program.values.size()),
      producers(program.values.size(), -1), resolved(program.steps.size()) {
  for (FactPromise &promise : options.promises)
    facts[promise.argument].push_back(promise.fact);
  for (unsigned argument : options.closed)
    closed[argument] = true;
  for (unsigned argument : options.infinite)
    infinite[argument] = true;
  for (unsigned s = 0; s < program.steps.size(); ++s) {
    for (unsigned v : program.steps[s].results)
      producers[v] = int(s);
    visit(s);
    addRanges(s);
    spreadInfinities(s);
  }
}
