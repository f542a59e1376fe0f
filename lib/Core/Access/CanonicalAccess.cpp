//===- CanonicalAccess.cpp - The canonical form of a view -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `select` builds all forms except the simplest:
//   1. Compose each case's movement with the pieces of its form; pieces without
//      a point are dropped.
//   2. The background becomes the least of the constants that may occur. What
//      another background covered is cut into pieces (subtractDomains).
//   3. Merge the pieces of each source (AccessMerge.cpp).
//   4. Is the background still somewhere? Not if the pieces, which are
//      disjoint, have as many points as the box. Then the least constant that
//      has pieces takes its place.
//   5. Sort.
//   6. An unknown dimension that no piece reads along is as long as the
//      dimension of a case that the movement takes it to.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Access.h"

#include "AccessMerge.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Steps of the search for a point of one piece.
static constexpr uint64_t kEmptyBudget = 1u << 8;

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// True if the domain has no point, as far as can be told.
static bool hasNoPoint(const IndexingMap &map) {
  return map.isKnownEmpty() ||
         (!isBox(map) && isEmpty(map, kEmptyBudget) == true);
}

std::optional<SmallVector<IndexingMap>>
mlir::tensoraccess::subtractDomains(const IndexingMap &map,
                                    ArrayRef<AccessPiece> pieces,
                                    const AccessBudget &budget) {
  SmallVector<IndexingMap> rest{map};
  for (const AccessPiece &piece : pieces) {
    if (piece.map.isKnownEmpty())
      continue;
    // What is below or above the first bound that a point breaks.
    SmallVector<IndexingMap> next;
    for (IndexingMap inside : rest) {
      auto breakAt = [&](const FormArena &arena, const Form &form,
                         Interval interval) {
        if (inside.isKnownEmpty())
          return;
        auto cut = [&](Interval to) {
          return inside.withConstraint(arena, form, to).simplify();
        };
        if (interval.hasLower())
          next.push_back(cut(Interval::atMost(interval.lower - 1)));
        if (interval.hasUpper())
          next.push_back(cut(Interval::atLeast(interval.upper + 1)));
        inside = cut(interval);
      };
      for (auto [v, range] : llvm::enumerate(piece.map.getRanges()))
        if (!range.contains(inside.isKnownEmpty() ? range
                                                  : inside.getRanges()[v]))
          breakAt(piece.map.getArena(), Form::ofAtom(v), range);
      for (const Constraint &c : piece.map.getConstraints())
        breakAt(piece.map.getArena(), c.form, c.interval);
    }
    llvm::erase_if(next, hasNoPoint);
    if (next.size() > budget.maxPieces ||
        llvm::any_of(next, [](const IndexingMap &m) { return m.isUnknown(); }))
      return std::nullopt;
    rest = std::move(next);
  }
  return rest;
}

static unsigned countTerms(const IndexingMap &map) {
  unsigned terms = 0;
  for (const Form &form : map.getResults())
    terms += form.terms.size();
  for (const Constraint &c : map.getConstraints())
    terms += c.form.terms.size();
  const FormArena &arena = map.getArena();
  for (AtomId id = arena.getNumVariables(); id < arena.getNumAtoms(); ++id)
    terms += 1 + arena.body(id).terms.size();
  return terms;
}

/// The map without results whose domain is the box of a shape.
static IndexingMap getBox(ArrayRef<int64_t> shape) {
  IndexingMapBuilder builder;
  for (int64_t size : shape)
    builder.addDim(Interval::ofExtent(size));
  return builder.build();
}

//===----------------------------------------------------------------------===//
// The canonical form
//===----------------------------------------------------------------------===//

namespace mlir::tensoraccess {

/// Pieces on their way to a form.
class AccessCanonicalizer {
public:
  AccessCanonicalizer(ArrayRef<int64_t> shape, const AccessBudget &budget)
      : budget(budget) {
    access.shape.assign(shape.begin(), shape.end());
    access.background = std::nullopt;
  }

  /// Step 1. False beyond the budget.
  bool add(const CanonicalAccess &operand, const IndexingMap &movement);
  /// Where unknown sizes may come from, for step 6.
  void takeExtents(const CanonicalAccess &operand, const IndexingMap &movement);
  /// Steps 2 to 6, with `otherwise` where no case holds.
  std::optional<CanonicalAccess> finish(std::optional<unsigned> otherwise);

private:
  void takeSource(const CanonicalAccess &operand, unsigned number);
  /// Step 6.
  void keepExtents();
  bool isUncovered() const;
  void mergeAll();

  struct Background {
    unsigned constant;
    /// Its domain is the region, less the pieces.
    IndexingMap region;
    SmallVector<AccessPiece, 2> pieces;
  };

  const AccessBudget budget;
  CanonicalAccess access;
  SmallVector<Background, 2> backgrounds;
  SmallVector<AccessPiece, 2> movements;
  SmallVector<CanonicalAccess::Extent, 0> extents;
};

} // namespace mlir::tensoraccess

void AccessCanonicalizer::takeSource(const CanonicalAccess &operand,
                                     unsigned number) {
  auto known = llvm::find_if(access.sources,
                             [&](const auto &s) { return s.number == number; });
  if (known == access.sources.end())
    access.sources.push_back(
        {number, SmallVector<int64_t>(operand.getSourceShape(number))});
}

void AccessCanonicalizer::takeExtents(const CanonicalAccess &operand,
                                      const IndexingMap &movement) {
  if (!hasUnknownExtent(access.shape))
    return;
  // Without elements the movement is a map of no points, as it was written.
  const IndexingMap map = access.isEmpty() ? movement : movement.simplify();
  if (map.isUnknown())
    return;
  for (auto [i, form] : llvm::enumerate(map.getResults())) {
    std::optional<AtomId> dim = form.asAtom();
    if (!dim || !map.getArena().isVariable(*dim))
      continue;
    if (std::optional<CanonicalAccess::Extent> extent = operand.findExtent(i))
      extents.push_back({*dim, extent->source, extent->sourceDim});
  }
}

void AccessCanonicalizer::keepExtents() {
  for (const CanonicalAccess::Extent &extent : extents)
    if (isUnknownExtent(access.shape[extent.dim]) &&
        !access.findExtent(extent.dim))
      access.extents.push_back(extent);
  llvm::sort(access.extents,
             [](const auto &a, const auto &b) { return a.dim < b.dim; });
}

bool AccessCanonicalizer::add(const CanonicalAccess &operand,
                              const IndexingMap &movement) {
  if (movement.isUnknown())
    return false;
  takeExtents(operand, movement);
  if (operand.isEmpty() || movement.isKnownEmpty())
    return true;
  movements.push_back({{}, movement.withResults({})});
  SmallVector<AccessPiece, 2> own;
  for (const AccessPiece &piece : operand.getPieces()) {
    IndexingMap map = movement.then(piece.map).simplify();
    if (map.isUnknown() || countTerms(map) > budget.maxTerms)
      return false;
    if (!hasNoPoint(map))
      own.push_back({piece.source, std::move(map)});
  }
  for (const AccessPiece &piece : own) {
    if (piece.source.kind == SourceKind::Operand)
      takeSource(operand, piece.source.index);
    access.pieces.push_back(piece);
  }
  if (access.pieces.size() > budget.maxPieces)
    return false;
  if (std::optional<unsigned> constant = operand.getBackground())
    backgrounds.push_back({*constant, movements.back().map, std::move(own)});
  return true;
}

/// Steps 3 and 5.
void AccessCanonicalizer::mergeAll() {
  SmallVector<AccessPiece, 2> merged;
  SmallVector<AccessPiece, 2> &pieces = access.pieces;
  while (!pieces.empty()) {
    const AccessSource source = pieces.front().source;
    SmallVector<IndexingMap> maps;
    llvm::erase_if(pieces, [&](const AccessPiece &piece) {
      if (!(piece.source == source))
        return false;
      maps.push_back(piece.map);
      return true;
    });
    ArrayRef<int64_t> sourceShape;
    if (source.kind == SourceKind::Operand)
      sourceShape = access.getSourceShape(source.index);
    for (IndexingMap &map : mergePieces(std::move(maps), sourceShape, budget))
      merged.push_back({source, std::move(map)});
  }
  llvm::sort(merged, [](const AccessPiece &a, const AccessPiece &b) {
    return domainLess(a.map, b.map);
  });
  pieces = std::move(merged);
}

bool AccessCanonicalizer::isUncovered() const {
  if (access.pieces.empty())
    return true;
  // Most often a corner decides: of the box, or of what contains a piece.
  auto isNowhere = [&](ArrayRef<int64_t> corner) {
    return llvm::none_of(access.pieces, [&](const AccessPiece &piece) {
      return piece.map.containsPoint(corner);
    });
  };
  SmallVector<int64_t> first(access.shape.size(), 0), last;
  for (int64_t size : access.shape)
    last.push_back(size - 1);
  if (isNowhere(first) || isNowhere(last))
    return true;
  for (const AccessPiece &piece : access.pieces) {
    if (piece.map.getConstraints().empty())
      continue;
    for (auto [i, range] : llvm::enumerate(piece.map.getDimRanges())) {
      first[i] = range.lower;
      last[i] = range.upper;
    }
    if (isNowhere(first) || isNowhere(last))
      return true;
  }
  std::optional<int64_t> all = elementCount(access.shape);
  uint64_t covered = 0;
  for (const AccessPiece &piece : access.pieces) {
    std::optional<uint64_t> count = countDomain(piece.map, budget);
    if (!count || !all)
      // Counting does not decide; is there nothing outside the pieces?
      return !(subtractDomains(getBox(access.shape), access.pieces, budget)
                   .value_or(SmallVector<IndexingMap>{piece.map})
                   .empty());
    covered += *count;
  }
  return covered != static_cast<uint64_t>(*all);
}

std::optional<CanonicalAccess>
AccessCanonicalizer::finish(std::optional<unsigned> otherwise) {
  if (llvm::is_contained(access.shape, 0)) {
    access.pieces.clear();
    access.sources.clear();
    keepExtents();
    return access;
  }
  // 2. One background.
  if (otherwise)
    backgrounds.push_back({*otherwise, getBox(access.shape), movements});
  std::optional<unsigned> least;
  auto consider = [&](unsigned constant) {
    least = least ? std::min(*least, constant) : constant;
  };
  for (const Background &background : backgrounds)
    consider(background.constant);
  for (const AccessPiece &piece : access.pieces)
    if (piece.source.kind == SourceKind::Constant)
      consider(piece.source.index);
  for (const Background &background : backgrounds) {
    if (background.constant == *least)
      continue;
    std::optional<SmallVector<IndexingMap>> rest =
        subtractDomains(background.region, background.pieces, budget);
    if (!rest)
      return std::nullopt;
    for (IndexingMap &map : *rest)
      access.pieces.push_back(
          {{SourceKind::Constant, background.constant}, std::move(map)});
  }
  // Which constant is left out depends on which exist.
  while (true) {
    if (least)
      llvm::erase_if(access.pieces, [&](const AccessPiece &piece) {
        return piece.source == AccessSource{SourceKind::Constant, *least};
      });
    mergeAll();
    if (access.pieces.size() > budget.maxPieces)
      return std::nullopt;
    access.background = least;
    if (!least || isUncovered())
      break;
    access.background = least = std::nullopt;
    for (const AccessPiece &piece : access.pieces)
      if (piece.source.kind == SourceKind::Constant)
        consider(piece.source.index);
    if (!least)
      break;
  }
  // Sources that are still read, by number.
  llvm::erase_if(access.sources, [&](const auto &source) {
    return llvm::none_of(access.pieces, [&](const AccessPiece &piece) {
      return piece.source == AccessSource{SourceKind::Operand, source.number};
    });
  });
  llvm::sort(access.sources,
             [](const auto &a, const auto &b) { return a.number < b.number; });
  keepExtents();
  return access;
}

std::optional<CanonicalAccess>
CanonicalAccess::select(ArrayRef<int64_t> shape, ArrayRef<Case> cases,
                        std::optional<unsigned> otherwise,
                        const AccessBudget &budget) {
  AccessCanonicalizer canonicalizer(shape, budget);
  const bool isEmpty = llvm::is_contained(shape, 0);
  for (const Case &one : cases)
    if (isEmpty)
      canonicalizer.takeExtents(*one.access, one.movement);
    else if (!canonicalizer.add(*one.access, one.movement))
      return std::nullopt;
  return canonicalizer.finish(otherwise);
}

std::optional<CanonicalAccess>
CanonicalAccess::pullBack(ArrayRef<int64_t> newShape,
                          const IndexingMap &movement,
                          const AccessBudget &budget) const {
  if (movement.isIdentity() && newShape == ArrayRef<int64_t>(shape))
    return *this;
  return select(newShape, Case{this, movement}, std::nullopt, budget);
}

CanonicalAccess CanonicalAccess::identity(ArrayRef<int64_t> shape,
                                          unsigned number) {
  CanonicalAccess access;
  access.shape.assign(shape.begin(), shape.end());
  access.background = std::nullopt;
  if (access.isEmpty()) {
    for (auto [dim, size] : llvm::enumerate(shape))
      if (isUnknownExtent(size))
        access.extents.push_back(
            {static_cast<unsigned>(dim), number, static_cast<unsigned>(dim)});
    return access;
  }
  access.pieces.push_back(
      {{SourceKind::Operand, number}, IndexingMap::identity(shape).simplify()});
  access.sources.push_back({number, SmallVector<int64_t>(shape)});
  return access;
}

CanonicalAccess CanonicalAccess::constant(ArrayRef<int64_t> shape,
                                          unsigned number) {
  CanonicalAccess access;
  access.shape.assign(shape.begin(), shape.end());
  access.background = number;
  if (access.isEmpty())
    access.background = std::nullopt;
  return access;
}

CanonicalAccess CanonicalAccess::renumber(
    llvm::function_ref<unsigned(unsigned)> source,
    llvm::function_ref<unsigned(unsigned)> constant) const {
  CanonicalAccess result = *this;
  bool hasConstants = false;
  for (AccessPiece &piece : result.pieces) {
    const bool isOperand = piece.source.kind == SourceKind::Operand;
    hasConstants |= !isOperand;
    piece.source.index = (isOperand ? source : constant)(piece.source.index);
  }
  for (Source &one : result.sources)
    one.number = source(one.number);
  for (Extent &extent : result.extents)
    extent.source = source(extent.source);
  llvm::sort(result.sources, [](const Source &a, const Source &b) {
    return a.number < b.number;
  });
  if (!result.background)
    return result;
  result.background = constant(*result.background);
  if (!hasConstants)
    return result;
  // Another constant may be the least now.
  AccessCanonicalizer canonicalizer(result.shape, {});
  if (!canonicalizer.add(result, IndexingMap::identity(result.shape)))
    return result;
  return canonicalizer.finish(std::nullopt).value_or(result);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool CanonicalAccess::isEmpty() const { return llvm::is_contained(shape, 0); }

std::optional<CanonicalAccess::Extent>
CanonicalAccess::findExtent(unsigned dim) const {
  if (!isUnknownExtent(shape[dim]))
    return std::nullopt;
  for (const Extent &extent : extents)
    if (extent.dim == dim)
      return extent;
  for (const AccessPiece &piece : pieces) {
    if (piece.source.kind != SourceKind::Operand)
      continue;
    ArrayRef<int64_t> sourceShape = getSourceShape(piece.source.index);
    for (auto [i, form] : llvm::enumerate(piece.map.getResults()))
      if (form.asAtom() == dim && isUnknownExtent(sourceShape[i]))
        return Extent{dim, piece.source.index, static_cast<unsigned>(i)};
  }
  return std::nullopt;
}

SmallVector<unsigned> CanonicalAccess::getSources() const {
  SmallVector<unsigned> numbers;
  for (const Source &source : sources)
    numbers.push_back(source.number);
  return numbers;
}

ArrayRef<int64_t> CanonicalAccess::getSourceShape(unsigned number) const {
  auto source = llvm::find_if(
      sources, [&](const Source &s) { return s.number == number; });
  assert(source != sources.end() && "only sources that are read have shapes");
  return source->shape;
}

const AccessPiece *CanonicalAccess::asSinglePiece() const {
  if (pieces.size() != 1 || background ||
      pieces[0].source.kind != SourceKind::Operand)
    return nullptr;
  return &pieces[0];
}

std::optional<StridedMap> StridedMap::get(const IndexingMap &map,
                                          ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = elementCount(shape);
  if (!count)
    return std::nullopt;
  IndexingMap number = map.then(reshapeMap(shape, {*count})).simplify();
  if (!number.isOrdinary() || number.getNumResults() != 1 ||
      number.getNumVariables() != number.getNumDims())
    return std::nullopt;
  StridedMap strided;
  strided.offset = number.getResult(0).constant;
  strided.strides.assign(number.getNumDims(), 0);
  for (const Term &term : number.getResult(0).terms) {
    if (!number.getArena().isVariable(term.atom))
      return std::nullopt;
    strided.strides[term.atom] = term.coefficient;
  }
  return strided;
}

std::optional<StridedMap> CanonicalAccess::asStrided() const {
  const AccessPiece *piece = asSinglePiece();
  return piece ? StridedMap::get(piece->map, sources[0].shape) : std::nullopt;
}

std::optional<unsigned> CanonicalAccess::asIdentity() const {
  const AccessPiece *piece = asSinglePiece();
  if (!piece || sources[0].shape != shape ||
      piece->map != IndexingMap::identity(shape).simplify())
    return std::nullopt;
  return piece->source.index;
}

std::optional<unsigned> CanonicalAccess::asConstant() const {
  return pieces.empty() ? background : std::nullopt;
}

std::optional<AccessResult>
CanonicalAccess::evaluate(ArrayRef<int64_t> index) const {
  if (index.size() != shape.size())
    return std::nullopt;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    if (i < 0 || i >= size)
      return std::nullopt;
  for (auto [number, piece] : llvm::enumerate(pieces))
    if (std::optional<SmallVector<int64_t>> at = piece.map.evaluate(index))
      return AccessResult{static_cast<unsigned>(number), piece.source,
                          std::move(*at)};
  if (!background)
    return std::nullopt;
  return AccessResult{static_cast<unsigned>(pieces.size()),
                      {SourceKind::Constant, *background},
                      {}};
}

std::string CanonicalAccess::str() const {
  std::string text =
      shape.empty() ? "scalar" : shapeToString(fromFormShape(shape));
  text += ": ";
  for (const AccessPiece &piece : pieces) {
    if (&piece != &pieces.front())
      text += "; ";
    text += piece.source.kind == SourceKind::Operand ? "source " : "constant ";
    text += std::to_string(piece.source.index) + " " + piece.map.str();
  }
  if (background)
    text += (pieces.empty() ? "constant " : "; else constant ") +
            std::to_string(*background);
  if (isEmpty())
    text += "no elements";
  for (const Extent &extent : extents)
    text += "; d" + std::to_string(extent.dim) + " as d" +
            std::to_string(extent.sourceDim) + " of source " +
            std::to_string(extent.source);
  return text;
}
