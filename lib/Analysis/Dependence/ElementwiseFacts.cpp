//===- ElementwiseFacts.cpp - Facts through scalar functions --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts of all operands are pulled back to the indices of the result. Where
// facts of several operands meet, the table (ScalarFacts.h) says what the result
// is; an operand of which nothing is known at a place is *unknown* there, which
// is the place less the regions of its facts.
//
// Two functions have results on regions of their own: `compare` of forms holds
// where their difference is in an interval, `select` takes over the facts of
// what is chosen.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/ValueFacts.h"

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// The only map of a set, without symbols, or null.
static const IndexingMap *getSingle(const OpIndexing &indexing, unsigned r,
                                    unsigned o) {
  const IndexingSet &set = indexing.outputToInput(r, o);
  return !set.isUnknown() && set.size() == 1 &&
                 set.getMaps()[0].getNumSymbols() == 0
             ? &set.getMaps()[0]
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

std::optional<CompareDirection>
tensoraccess::getCompareDirection(Operation *op) {
  using arith::CmpFPredicate;
  using arith::CmpIPredicate;
  auto byPredicate =
      [](CmpIPredicate predicate) -> std::optional<CompareDirection> {
    switch (predicate) {
    case CmpIPredicate::eq:
      return CompareDirection::EQ;
    case CmpIPredicate::ne:
      return CompareDirection::NE;
    case CmpIPredicate::slt:
      return CompareDirection::LT;
    case CmpIPredicate::sle:
      return CompareDirection::LE;
    case CmpIPredicate::sgt:
      return CompareDirection::GT;
    case CmpIPredicate::sge:
      return CompareDirection::GE;
    default:
      return std::nullopt;
    }
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return byPredicate(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    switch (compare.getPredicate()) {
    case CmpFPredicate::OEQ:
      return CompareDirection::EQ;
    case CmpFPredicate::UNE:
      return CompareDirection::NE;
    case CmpFPredicate::OLT:
      return CompareDirection::LT;
    case CmpFPredicate::OLE:
      return CompareDirection::LE;
    case CmpFPredicate::OGT:
      return CompareDirection::GT;
    case CmpFPredicate::OGE:
      return CompareDirection::GE;
    default:
      return std::nullopt;
    }
  }
  if (isHlo(op)) {
    auto direction = readHloDirection(op);
    if (!direction || direction->isTotalOrder)
      return std::nullopt;
    // As unsigned, a signless number may have another value.
    Type element = getElementTypeOrSelf(op->getOperand(0).getType());
    if (element.isSignlessInteger() && !element.isInteger(1) &&
        getHloKeyword(op->getAttr("compare_type")) == "UNSIGNED")
      return std::nullopt;
    return byPredicate(direction->onSigned);
  }
  StringRef name = op->getName().getStringRef();
  if (name == "tosa.greater")
    return CompareDirection::GT;
  if (name == "tosa.greater_equal")
    return CompareDirection::GE;
  if (name == "tosa.equal")
    return CompareDirection::EQ;
  return std::nullopt;
}

static bool compareNumbers(CompareDirection direction, double a, double b) {
  switch (direction) {
  case CompareDirection::EQ:
    return a == b;
  case CompareDirection::NE:
    return a != b;
  case CompareDirection::LT:
    return a < b;
  case CompareDirection::LE:
    return a <= b;
  case CompareDirection::GT:
    return a > b;
  case CompareDirection::GE:
    return a >= b;
  }
  llvm_unreachable("every direction compares");
}

/// Differences a - b for which the comparison holds.
static SmallVector<Interval, 2> getTrueDifferences(CompareDirection direction) {
  switch (direction) {
  case CompareDirection::EQ:
    return {Interval::point(0)};
  case CompareDirection::NE:
    return {Interval::atMost(-1), Interval::atLeast(1)};
  case CompareDirection::LT:
    return {Interval::atMost(-1)};
  case CompareDirection::LE:
    return {Interval::atMost(0)};
  case CompareDirection::GT:
    return {Interval::atLeast(1)};
  case CompareDirection::GE:
    return {Interval::atLeast(0)};
  }
  llvm_unreachable("every direction compares");
}

CompareDirection tensoraccess::negate(CompareDirection direction) {
  using Way = CompareDirection;
  constexpr Way kNegations[] = {Way::NE, Way::EQ, Way::GE,
                                Way::GT, Way::LE, Way::LT};
  return kNegations[unsigned(direction)];
}

CompareDirection tensoraccess::swap(CompareDirection direction) {
  using Way = CompareDirection;
  constexpr Way kSwapped[] = {Way::EQ, Way::NE, Way::GT,
                              Way::GE, Way::LT, Way::LE};
  return kSwapped[unsigned(direction)];
}

namespace {
/// A choice of one fact, or none, of each operand, where they meet.
struct Meeting {
  SmallVector<const ValueFact *, 3> facts;
  /// Its results are those of the facts' maps, one after the other.
  IndexingMap region;
  /// Where the results of a fact begin.
  SmallVector<unsigned, 3> begins;
};
} // namespace

/// All choices of which not all are none.
static void forEachMeeting(ArrayRef<FactList> lists, const IndexingMap &all,
                           function_ref<bool(const ValueFact &)> isWanted,
                           function_ref<void(const Meeting &)> visit) {
  SmallVector<Meeting> open{Meeting{{}, all, {}}};
  for (const FactList &list : lists) {
    SmallVector<Meeting> next;
    for (const Meeting &meeting : open) {
      auto push = [&](const ValueFact *fact) {
        Meeting more = meeting;
        more.facts.push_back(fact);
        more.begins.push_back(meeting.region.getNumResults());
        if (fact) {
          more.region = regions::join(meeting.region, fact->map);
          if (more.region.isUnknown() || regions::hasNoPoint(more.region))
            return;
        }
        next.push_back(std::move(more));
      };
      push(nullptr);
      for (const ValueFact &fact : list)
        if (isWanted(fact) && next.size() < 128)
          push(&fact);
    }
    open = std::move(next);
  }
  for (const Meeting &meeting : open)
    if (llvm::any_of(meeting.facts, [](const ValueFact *f) { return f; }))
      visit(meeting);
}

void ValueFacts::combineCompare(Operation *op, ArrayRef<FactList> lists,
                                ArrayRef<char> mayBeInfinite,
                                const IndexingMap &all, FactList &out) {
  std::optional<CompareDirection> direction = getCompareDirection(op);
  if (!direction || lists.size() != 2)
    return;
  const bool isFloat =
      isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType()));
  auto addSides = [&](const IndexingMap &region, const FormArena &arena,
                      const Form &difference) {
    for (bool side : {true, false})
      for (Interval interval :
           getTrueDifferences(side ? *direction : negate(*direction)))
        add(out,
            makeNumber(
                side,
                region.withConstraint(arena, difference, interval).simplify()));
  };
  forEachMeeting(
      lists, all, [](const ValueFact &) { return true; },
      [&](const Meeting &meeting) {
        const ValueFact *a = meeting.facts[0], *b = meeting.facts[1];
        const IndexingMap &region = meeting.region;
        using Kind = ValueFact::Kind;
        if (!a || !b) {
          const ValueFact &known = a ? *a : *b;
          std::optional<double> x = known.getNumber();
          if (!isFloat || !x || !std::isinf(*x) || !options.assumeFinite ||
              mayBeInfinite[a ? 1 : 0])
            return;
          // Any finite number stands for all.
          finite = true;
          const bool holds = a ? compareNumbers(*direction, *x, 0)
                               : compareNumbers(*direction, 0, *x);
          SmallVector<IndexingMap> fixed = getFixedRegions(lists[a ? 1 : 0]);
          bool isMore = false;
          auto pieces =
              regions::cutAll(regions::asIdentity(region), fixed, &isMore);
          for (const IndexingMap &piece : pieces)
            if (!isMore)
              add(out, makeNumber(holds, piece));
          return;
        }
        if (a->kind == Kind::Index && b->kind == Kind::Index) {
          FormArena arena = region.getArena();
          Form difference = arena.sub(region.getResult(0), region.getResult(1));
          if (!arena.failed())
            addSides(region, arena, difference);
          return;
        }
        if (a->kind == Kind::Copy && b->kind == Kind::Copy) {
          if (a->argument != b->argument || isFloat ||
              (*direction != CompareDirection::EQ &&
               *direction != CompareDirection::NE))
            return;
          // The same element, or two that are promised to differ.
          const unsigned rank = a->map.getNumResults();
          FormArena arena = region.getArena();
          IndexingMap same = region;
          for (unsigned i = 0; i < rank; ++i)
            same = same.withConstraint(
                arena,
                arena.sub(region.getResult(i), region.getResult(rank + i)),
                Interval::point(0));
          add(out,
              makeNumber(*direction == CompareDirection::EQ, same.simplify()));
          if (!options.different || options.different->argument != a->argument)
            return;
          for (bool isSwapped : {false, true}) {
            // Both places as one region of the index space, twice.
            IndexingMap places =
                joinPlaces(isSwapped ? options.different->second
                                     : options.different->first,
                           isSwapped ? options.different->first
                                     : options.different->second);
            // They are before or after each other.
            FormArena pair = places.getArena();
            Form distance =
                pair.sub(Form::ofAtom(rank - 1), Form::ofAtom(2 * rank - 1));
            for (Interval side : {Interval::atMost(-1), Interval::atLeast(1)})
              add(out,
                  makeNumber(*direction == CompareDirection::NE,
                             regions::keep(region, places.withConstraint(
                                                       pair, distance, side))));
          }
          return;
        }
        if (a->kind == Kind::Range || b->kind == Kind::Range) {
          // Bounds may decide.
          std::optional<Interval> x = tensoraccess::getIntegers(*a),
                                  y = tensoraccess::getIntegers(*b);
          if (isFloat || !x || !y)
            return;
          const Interval difference = *x - *y;
          for (bool side : {true, false})
            for (Interval interval :
                 getTrueDifferences(side ? *direction : negate(*direction)))
              if (interval.contains(difference))
                add(out, makeNumber(side, region));
          return;
        }
        if (!a->isFixed() || !b->isFixed())
          return;
        std::optional<double> x = a->getNumber(), y = b->getNumber();
        if (x && y &&
            (!(a->isRounded || b->isRounded) ||
             std::abs(*x - *y) > 1e-3 * (std::abs(*x) + std::abs(*y)))) {
          add(out, makeNumber(compareNumbers(*direction, *x, *y), region));
          return;
        }
        add(out, makeConstant(region));
      });
}

void ValueFacts::visitElementwise(unsigned s) {
  const FlatStep &step = program.steps[s];
  auto shape = getSizes(step.op->getResult(0).getType());
  if (!shape || step.results.size() != 1 ||
      llvm::all_of(step.reads, [&](unsigned v) { return facts[v].empty(); }))
    return;
  const OpIndexing &indexing = getIndexing(s);
  SmallVector<FactList, 3> lists;
  SmallVector<char, 3> mayBe;
  for (unsigned o = 0; o < step.numOperands; ++o) {
    const IndexingMap *map = getSingle(indexing, 0, o);
    lists.push_back(map ? pull(get(step.reads[o]), *map) : FactList());
    mayBe.push_back(map ? infinite[step.reads[o]]
                        : hasInfinities(step.reads[o]));
  }
  // A shift by 0 changes nothing.
  if (step.op->getName().getStringRef() == "tosa.mul" && lists.size() == 3 &&
      get(step.reads[2]).size() == 1 &&
      get(step.reads[2])[0].getNumber() == 0.0) {
    lists.pop_back();
    mayBe.pop_back();
  }
  set(step.results[0], combine(step.op, lists, mayBe, regions::getAll(*shape)));
}

FactList ValueFacts::combine(Operation *op, ArrayRef<FactList> lists,
                             ArrayRef<char> mayBeInfinite,
                             const IndexingMap &all) {
  StringRef name = getScalarFunction(op);
  FactList out;
  if (name == "compare") {
    combineCompare(op, lists, mayBeInfinite, all, out);
    return out;
  }
  if (name == "select" && lists.size() == 3) {
    for (const ValueFact &chosen : lists[0]) {
      std::optional<double> predicate = chosen.getNumber();
      if (!predicate)
        continue;
      IndexingMap region = regions::withoutResults(chosen.map);
      for (const ValueFact &fact : lists[*predicate != 0 ? 1 : 2]) {
        ValueFact own = fact;
        own.map = regions::join(region, fact.map);
        add(out, std::move(own));
      }
    }
    // One number on both sides.
    for (const ValueFact &a : lists[1])
      for (const ValueFact &b : lists[2])
        if (a.getNumber() && a.getNumber() == b.getNumber() && !a.isRounded &&
            !b.isRounded) {
          ValueFact own = a;
          own.hasAnySign |= b.hasAnySign;
          own.map = regions::join(regions::withoutResults(b.map), a.map);
          add(out, std::move(own));
        }
    return out;
  }
  if ((name == "convert" || name == "copy") && !lists.empty()) {
    // A copy of an integer stays one in a type that holds it.
    Type from = getElementTypeOrSelf(op->getOperand(0).getType());
    Type to = getElementTypeOrSelf(op->getResult(0).getType());
    auto a = dyn_cast<IntegerType>(from), b = dyn_cast<IntegerType>(to);
    if (from == to ||
        (a && b && a.getWidth() > 1 && b.getWidth() >= a.getWidth()))
      for (const ValueFact &fact : lists[0])
        if (fact.kind == ValueFact::Kind::Copy)
          add(out, fact);
  }
  ScalarCall call;
  call.function = name;
  call.type = getElementTypeOrSelf(op->getResult(0).getType());
  for (Value operand : op->getOperands())
    call.types.push_back(getElementTypeOrSelf(operand.getType()));
  bool usesFinite = false;
  call.usesFinite = &usesFinite;
  forEachMeeting(
      lists, all, [](const ValueFact &fact) { return fact.isFixed(); },
      [&](const Meeting &meeting) {
        call.arguments = meeting.facts;
        call.assumeFinite = options.assumeFinite;
        for (auto [mayBe, known] : llvm::zip(mayBeInfinite, meeting.facts))
          call.assumeFinite &= (known && known->getNumber()) || !mayBe;
        call.forms.clear();
        for (auto [fact, begin] :
             llvm::zip_equal(meeting.facts, meeting.begins))
          call.forms.push_back(fact && fact->kind == ValueFact::Kind::Index
                                   ? meeting.region.getResult(begin)
                                   : Form());
        // What one integer decides holds whatever the other is.
        auto decides = [&](unsigned i) {
          ScalarCall alone = call;
          alone.arguments[1 - i] = nullptr;
          return call.arguments[i] && evaluate(alone, meeting.region);
        };
        const bool isDecided = lists.size() == 2 &&
                               !isFloating(call.types[0]) &&
                               (decides(0) || decides(1));
        if (isDecided && meeting.facts[0] && meeting.facts[1])
          return;
        std::optional<ValueFact> fact = evaluate(call, meeting.region);
        if (!fact)
          return;
        // Unknown is what no fact covers.
        SmallVector<IndexingMap> fixed;
        for (auto [list, known] : llvm::zip_equal(lists, meeting.facts))
          if (!known && !isDecided)
            llvm::append_range(fixed, getFixedRegions(list));
        if (fixed.empty())
          return add(out, *fact);
        if (!fact->getNumber())
          return;
        bool isMore = false;
        auto pieces =
            regions::cutAll(regions::asIdentity(fact->map), fixed, &isMore);
        if (isMore)
          return;
        for (const IndexingMap &piece : pieces) {
          ValueFact own = makeNumber(*fact->getNumber(), piece);
          own.hasAnySign = fact->hasAnySign;
          add(out, std::move(own));
        }
      });
  finite |= usesFinite;
  return out;
}
