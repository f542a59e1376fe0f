//===- Tile.cpp - Symbolic tiles ------------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine's forms become results of one indexing map over offsets, sizes and
// runtime variables; expressions and conditions refer to them by number. Text
// and evaluation are then the map's.
//
//===----------------------------------------------------------------------===//

#include "TileEngine.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace mlir::tensoraccess {

/// Collects forms, each once.
class SymbolicTileBuilder {
public:
  static std::optional<SymbolicTile> build(const IndexingMap &map,
                                           ArrayRef<int64_t> strides,
                                           TileFailure &failure,
                                           ArrayRef<unsigned> unitDims);

  unsigned add(const Form &form) {
    auto it = llvm::find(forms, form);
    if (it != forms.end())
      return it - forms.begin();
    forms.push_back(form);
    return forms.size() - 1;
  }
  TileExpr add(const ExprForms &expr);
  TileCondition add(const ConditionForms &condition);
  /// The tile with what was added as its forms.
  std::optional<SymbolicTile> finish(IndexingMapBuilder &builder,
                                     SymbolicTile tile, TileFailure &failure);

private:
  SmallVector<Form> forms;
};

} // namespace mlir::tensoraccess

TileExpr SymbolicTileBuilder::add(const ExprForms &expr) {
  TileExpr out;
  for (const ExprForms::Case &c : expr.cases) {
    const unsigned guard = add(c.guard);
    out.cases.push_back({guard, add(c.value)});
  }
  out.otherwise = add(expr.otherwise);
  return out;
}

TileCondition SymbolicTileBuilder::add(const ConditionForms &condition) {
  TileCondition out;
  for (const ClauseForms &clause : condition.clauses) {
    auto &compares = out.clauses.emplace_back();
    for (const CompareForms &c : clause)
      compares.push_back({add(c.form), c.interval});
  }
  for (const RunTerm &t : condition.run)
    out.run.push_back({t.coefficient, add(t.size)});
  out.hasFixedStep = condition.hasFixedStep;
  return out;
}

std::optional<SymbolicTile>
SymbolicTileBuilder::finish(IndexingMapBuilder &builder, SymbolicTile tile,
                            TileFailure &failure) {
  for (const Form &form : forms)
    builder.addResult(form);
  tile.forms = builder.build();
  if (!tile.forms.isUnknown())
    return tile;
  failure.message =
      "the tile's forms: " + describe(tile.forms.getUnknownReason()).str();
  return std::nullopt;
}

/// Adds the offsets, then the sizes, of tiles inside of the ranges; returns both
/// for each dim. A single value becomes a number.
static SmallVector<std::pair<Form, Form>, 4>
addParameters(IndexingMapBuilder &builder, ArrayRef<Interval> ranges,
              ArrayRef<int64_t> strides) {
  SmallVector<std::pair<Form, Form>, 4> parameters;
  for (auto [d, range] : llvm::enumerate(ranges)) {
    Form offset = builder.addDim(range, "o" + std::to_string(d));
    if (range.isPoint())
      offset = Form(range.lower);
    parameters.push_back({std::move(offset), Form()});
  }
  for (auto [d, range] : llvm::enumerate(ranges)) {
    Interval sizes = Interval::atLeast(1);
    std::optional<int64_t> extent = range.size();
    if (range.isFinite() && extent && *extent > 0)
      sizes.upper = (*extent - 1) / int64_t(magnitude(strides[d])) + 1;
    Form size = builder.addDim(sizes, "t" + std::to_string(d));
    parameters[d].second = sizes.isPoint() ? Form(1) : std::move(size);
  }
  return parameters;
}

std::optional<SymbolicTile>
SymbolicTileBuilder::build(const IndexingMap &source, ArrayRef<int64_t> given,
                           TileFailure &failure, ArrayRef<unsigned> unitDims) {
  failure = TileFailure();
  auto fail = [&](const llvm::Twine &message) {
    failure.message = message.str();
    return std::nullopt;
  };
  // Without divisions there is nothing to simplify, but ranges to narrow.
  const FormArena &arena = source.getArena();
  const bool isLinear = arena.getNumAtoms() == arena.getNumVariables();
  IndexingMap map = isLinear ? source : source.simplify();
  if (map.isUnknown())
    return fail("the map is unknown: " + describe(map.getUnknownReason()));
  const unsigned numDims = map.getNumDims();
  SmallVector<int64_t, 4> strides(given);
  if (given.empty())
    strides.assign(numDims, 1);
  if (strides.size() != numDims)
    return fail("the map has " + llvm::Twine(numDims) + " dims, got " +
                llvm::Twine(strides.size()) + " strides");
  for (auto [i, stride] : llvm::enumerate(strides))
    if (stride == 0 || stride == Interval::kNoLower)
      return fail("stride " + llvm::Twine(i) + " must not be 0, got " +
                  llvm::Twine(stride));

  SymbolicTile tile;
  tile.strides = strides;
  // Simplifying may narrow ranges; tiles may use the ones that were given.
  ArrayRef<Interval> ranges = source.getDimRanges();
  tile.ranges.assign(ranges.begin(), ranges.end());
  IndexingMapBuilder builder;
  TileEngine engine(map, builder.arena(), /*isSymbolic=*/true);
  SmallVector<SourceDim, 4> dims;
  for (auto [d, parameters] :
       llvm::enumerate(addParameters(builder, ranges, strides))) {
    auto [offset, size] = parameters;
    if (llvm::is_contained(unitDims, d)) {
      if (!size.isConstant())
        engine.conditions.push_back(
            {{{{size, Interval::point(1)}}}, {}, false});
      size = Form(1);
    }
    dims.push_back({offset, size, strides[d]});
  }
  SmallVector<Form, 2> runtime;
  for (unsigned i = 0; i != map.getNumRuntime(); ++i)
    runtime.push_back(builder.addRuntime(
        source.getRuntimeRanges()[i],
        map.getVariableName(numDims + map.getNumSymbols() + i)));

  SymbolicTileBuilder out;
  for (auto [v, range] : llvm::enumerate(map.getRanges()))
    if (map.getVariableKind(v) != VariableKind::Symbol &&
        !range.contains(source.getRanges()[v]))
      engine.narrowed.push_back({unsigned(v), range});
  const bool isEmpty = map.isKnownEmpty();
  if (!isEmpty && !engine.run(dims, runtime)) {
    failure = engine.failure;
    return std::nullopt;
  }
  tile.isNothing = isEmpty || engine.isEmpty;
  tile.isRightOverEdges =
      isEmpty || (!engine.isEmpty && engine.reachesOverEdges);
  if (tile.isNothing) {
    ResultForms nothing;
    nothing.size.otherwise = Form(0);
    nothing.stride.otherwise = Form(1);
    engine.results.assign(map.getNumResults(), nothing);
  }
  for (const ResultForms &r : engine.results) {
    SymbolicTile::Result &result = tile.results.emplace_back();
    ExprForms offset;
    offset.otherwise = r.offset;
    result.offset = out.add(offset);
    result.size = out.add(r.size);
    result.stride = out.add(r.stride);
    if (r.lower)
      result.lower = out.add(*r.lower);
    if (r.upper)
      result.upper = out.add(*r.upper);
  }
  for (const ConditionForms &condition : engine.conditions)
    tile.conditions.push_back(out.add(condition));
  return out.finish(builder, std::move(tile), failure);
}

std::optional<SymbolicTile>
tensoraccess::getSymbolicTile(const IndexingMap &map, ArrayRef<int64_t> strides,
                              TileFailure &failure,
                              ArrayRef<unsigned> unitDims) {
  return SymbolicTileBuilder::build(map, strides, failure, unitDims);
}

std::optional<SymbolicTile>
TileBox::getSymbolicTile(TileFailure &failure) const {
  failure = TileFailure();
  SymbolicTile tile;
  tile.strides = strides;
  tile.ranges = ranges;
  tile.hullReason = reason;
  IndexingMapBuilder builder;
  FormArena &to = builder.arena();
  SmallVector<Form, 8> images;
  for (auto [dim, parameters] :
       llvm::enumerate(addParameters(builder, ranges, strides))) {
    auto [offset, size] = parameters;
    images.push_back(offset);
    images.push_back(to.addScaled(offset, to.sub(size, Form(1)), strides[dim]));
  }
  Substitution move(to, arena, images);
  SymbolicTileBuilder out;
  // The bound that depends on the tile first; of the others one is left.
  auto getMain = [](ArrayRef<Form> list) -> size_t {
    auto it =
        llvm::find_if(list, [](const Form &f) { return !f.isConstant(); });
    return it == list.end() ? 0 : it - list.begin();
  };
  for (auto [r, dim] : llvm::enumerate(dims)) {
    if (dim.lower.empty() || dim.upper.empty()) {
      failure.result = r;
      failure.message =
          "result " + std::to_string(r) + ": the indices read have no bound";
      return std::nullopt;
    }
    const size_t low = getMain(dim.lower), high = getMain(dim.upper);
    SymbolicTile::Result &result = tile.results.emplace_back();
    Form offset = move(dim.lower[low]);
    Form size =
        to.add(to.floorDiv(to.sub(move(dim.upper[high]), offset), dim.stride),
               Form(1));
    result.offset.otherwise = out.add(offset);
    result.size.otherwise = out.add(size);
    result.stride.otherwise = out.add(Form(dim.stride));
    std::optional<Form> lower, upper;
    for (auto [i, form] : llvm::enumerate(dim.lower))
      if (i != low)
        lower = lower ? to.max(*lower, move(form)) : move(form);
    for (auto [i, form] : llvm::enumerate(dim.upper))
      if (i != high)
        upper = upper ? to.min(*upper, move(form)) : move(form);
    if (lower)
      result.lower = out.add(*lower);
    if (upper)
      result.upper = out.add(*upper);
  }
  return out.finish(builder, std::move(tile), failure);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string SymbolicTile::formText(unsigned form) const {
  // Products of products without parentheses.
  const FormArena &arena = forms.getArena();
  const Form &f = forms.getResult(form);
  auto isProduct = [&](AtomId id) {
    return arena.getAtom(id).kind == AtomKind::Product;
  };
  if (!f.asAtom() || !isProduct(*f.asAtom()))
    return forms.formText(f);
  SmallVector<AtomId, 8> open = {*f.asAtom()};
  std::string s;
  while (!open.empty()) {
    const AtomId id = open.pop_back_val();
    if (isProduct(id)) {
      for (const Term &t : llvm::reverse(arena.body(id).terms))
        open.push_back(t.atom);
      continue;
    }
    std::string factor = forms.formText(Form::ofAtom(id));
    const bool isPlain = arena.isVariable(id);
    s += (s.empty() ? "" : " * ") + (isPlain ? factor : "(" + factor + ")");
  }
  return s;
}

std::string SymbolicTile::str(const TileExpr &expr) const {
  std::string s;
  for (const TileExpr::Case &c : expr.cases)
    s += formText(c.value) + " if " + formText(c.guard) + " > 1 else ";
  return s + formText(expr.otherwise);
}

std::string SymbolicTile::str(const TileCondition &condition) const {
  if (!condition.run.empty()) {
    std::string s = "run(";
    // Outermost first, as dims are written.
    for (const TileCondition::Term &t : llvm::reverse(condition.run)) {
      s += s.size() > 4 ? ", " : "";
      s += std::to_string(t.coefficient) + " x " + formText(t.size);
    }
    if (condition.hasFixedStep)
      s += ", step " + std::to_string(condition.run.front().coefficient);
    return s + ")";
  }
  auto text = [&](const TileCondition::Compare &c) {
    // Sizes are at least 1: `t0 <= 1` is `t0 = 1`.
    Interval meant = forms.getResultRange(c.form).intersect(c.interval);
    Interval interval = meant.isPoint() ? meant : c.interval;
    // Constants go to the other side.
    Form moved = forms.getResult(c.form);
    Interval shifted = interval + -moved.constant;
    if (moved.constant != Interval::kNoLower &&
        shifted.hasLower() == interval.hasLower() &&
        shifted.hasUpper() == interval.hasUpper()) {
      moved.constant = 0;
      interval = shifted;
    }
    std::string form = forms.formText(moved);
    if (interval.isPoint())
      return form + " = " + std::to_string(interval.lower);
    if (!interval.hasLower())
      return form + " <= " + std::to_string(interval.upper);
    if (!interval.hasUpper())
      return form + " >= " + std::to_string(interval.lower);
    return form + " in [" + std::to_string(interval.lower) + ", " +
           std::to_string(interval.upper) + "]";
  };
  std::string s;
  for (const auto &clause : condition.clauses) {
    std::string part;
    for (const TileCondition::Compare &c : clause)
      part += (part.empty() ? "" : " and ") + text(c);
    if (clause.size() > 1 && condition.clauses.size() > 1)
      part = "(" + part + ")";
    s += (s.empty() ? "" : " or ") + part;
  }
  return s;
}

std::string SymbolicTile::str() const {
  std::string s;
  for (unsigned r = 0; r != results.size(); ++r) {
    const Result &result = results[r];
    s += "result " + std::to_string(r) + ": offset " + str(result.offset) +
         ", size " + str(result.size) + ", stride " + str(result.stride);
    if (result.lower || result.upper)
      s += ", within [" + (result.lower ? formText(*result.lower) : "-inf") +
           ", " + (result.upper ? formText(*result.upper) : "inf") + "]";
    s += "\n";
  }
  for (const TileCondition &condition : conditions)
    s += "where " + str(condition) + "\n";
  if (isHull())
    s += "hull: " + hullReason + "\n";
  return s;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

bool SymbolicTile::holds(ArrayRef<int64_t> values) const {
  return llvm::all_of(conditions, [&](const TileCondition &condition) {
    if (!condition.run.empty()) {
      SmallVector<std::pair<int64_t, int64_t>, 8> terms;
      for (const TileCondition::Term &t : condition.run)
        terms.push_back({t.coefficient, values[t.size]});
      return isProgression(terms, condition.hasFixedStep
                                      ? condition.run.front().coefficient
                                      : 0);
    }
    return llvm::any_of(condition.clauses, [&](const auto &clause) {
      return llvm::all_of(clause, [&](const TileCondition::Compare &c) {
        return c.interval.contains(values[c.form]);
      });
    });
  });
}

std::optional<StridedTile>
SymbolicTile::instantiate(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                          ArrayRef<int64_t> runtime) const {
  const unsigned numDims = getNumDims();
  if (offsets.size() != numDims || sizes.size() != numDims ||
      runtime.size() != forms.getNumRuntime())
    return std::nullopt;
  for (unsigned d = 0; d != numDims; ++d) {
    if (sizes[d] < 1)
      return std::nullopt;
    std::optional<int64_t> span = checkedMul(sizes[d] - 1, strides[d]);
    std::optional<int64_t> last =
        span ? checkedAdd(offsets[d], *span) : std::nullopt;
    if (!last || !ranges[d].contains(offsets[d]) || !ranges[d].contains(*last))
      return std::nullopt;
  }
  SmallVector<int64_t, 12> point(offsets);
  point.append(sizes.begin(), sizes.end());
  point.append(runtime.begin(), runtime.end());
  auto values = forms.evaluateAt(point);
  if (!values || !holds(*values))
    return std::nullopt;
  auto evaluate = [&](const TileExpr &expr) {
    for (const TileExpr::Case &c : expr.cases)
      if ((*values)[c.guard] > 1)
        return (*values)[c.value];
    return (*values)[expr.otherwise];
  };
  StridedTile tile;
  tile.isEmpty = isNothing;
  tile.isExact = !isHull();
  for (const Result &r : results) {
    TileDim dim{evaluate(r.offset), evaluate(r.size), evaluate(r.stride)};
    if (dim.size <= 1)
      dim.stride = 1;
    tile.isEmpty |= dim.size <= 0;
    tile.dims.push_back(dim);
  }
  if (tile.isEmpty)
    for (TileDim &dim : tile.dims)
      dim = {0, 0, 1};
  return tile;
}
