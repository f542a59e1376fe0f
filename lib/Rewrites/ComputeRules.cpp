//===- ComputeRules.cpp - Rules on the forms of items ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule takes the form of what a compute reads, makes another of it by the
// functions of Core, and adds the terms that have it.
//
//===----------------------------------------------------------------------===//

#include "ComputeRulesImpl.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

std::optional<ComputeTerm> ComputeRules::getTerm(SymbolId symbol) const {
  if (!graph.isOperation(symbol) ||
      graph.getName(symbol).getStringRef() != ComputeOp::getOperationName())
    return std::nullopt;
  DictionaryAttr attributes = graph.getAttributes(symbol);
  auto kind = attributes.getAs<ComputeKindAttr>("kind");
  if (!kind)
    return std::nullopt;
  return ComputeTerm{kind.getValue(),
                     attributes.getAs<TypeAttr>("accumulator")};
}

std::optional<ClassId> ComputeRules::addCompute(const ComputeTerm &term,
                                                ClassId pattern) {
  SmallVector<NamedAttribute> attributes;
  attributes.emplace_back(StringAttr::get(getContext(), "kind"),
                          ComputeKindAttr::get(getContext(), term.kind));
  if (term.accumulator)
    attributes.emplace_back(StringAttr::get(getContext(), "accumulator"),
                            term.accumulator);
  return addOp("compute", attributes, pattern);
}

AccessForm ComputeRules::getIdentity(ClassId id) {
  AccessForm form;
  auto type = cast<AccessType>(graph.getType(id));
  form.access =
      CanonicalAccess::identity(SmallVector<int64_t>(type.getShape()), 0);
  form.bases.push_back(theory.getBase(id));
  form.split = type.getAccessRank();
  return form;
}

bool ComputeRules::merge(ClassId a, ClassId b) {
  graph.merge(a, b);
  return !graph.isFull();
}

bool ComputeRules::mergeCompute(ClassId root, const ComputeTerm &term,
                                const AccessForm &form,
                                std::optional<CanonicalAccess> access,
                                int64_t split, Type element) {
  if (!access)
    return true;
  std::optional<ClassId> pattern =
      addView(form.with(std::move(*access), split), element);
  std::optional<ClassId> result =
      pattern ? addCompute(term, *pattern) : std::nullopt;
  // The split may be elsewhere.
  if (result)
    result =
        splitAt(*result, cast<AccessType>(graph.getType(root)).getAccessRank());
  return result ? merge(root, *result) : nothing();
}

//===----------------------------------------------------------------------===//
// Movement through computes
//===----------------------------------------------------------------------===//

/// Whether a view has all elements of one base, in their order.
static bool isReshape(const CanonicalAccess &access) {
  std::optional<StridedMap> strided = access.asStrided();
  if (!strided || strided->offset != 0 ||
      elementCount(access.getShape()) !=
          elementCount(access.getSourceShape(access.getSources().front())))
    return false;
  int64_t step = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(access.getShape(), strided->strides))) {
    if (size != 1 && stride != step)
      return false;
    step *= size;
  }
  return true;
}

/// The map from (x ++ c) to (map(x) ++ c), for c in the sizes of an item.
IndexingMap mlir::tensoraccess::overItems(const IndexingMap &map,
                                          ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> item) {
  IndexingMapBuilder builder;
  SmallVector<Form> dims = builder.addDims(shape);
  builder.addDims(item);
  for (const Form &dim : dims)
    builder.addResult(dim);
  IndexingMap moved = builder.build().then(map);
  SmallVector<Form> results(moved.getResults());
  for (unsigned i = 0; i < item.size(); ++i)
    results.push_back(Form::ofAtom(shape.size() + i));
  return moved.withResults(results);
}

/// One table of bases and constants for all forms, which are numbered by it.
AccessForm mlir::tensoraccess::joinTables(ArrayRef<AccessForm *> forms) {
  AccessForm joined;
  auto place = [](auto &table, auto value) {
    auto *found = llvm::find(table, value);
    unsigned number = found - table.begin();
    if (found == table.end())
      table.push_back(value);
    return number;
  };
  for (AccessForm *form : forms) {
    SmallVector<unsigned> bases, constants;
    for (Value base : form->bases)
      bases.push_back(place(joined.bases, base));
    for (TypedAttr constant : form->constants)
      constants.push_back(place(joined.constants, constant));
    form->access =
        form->access.renumber([&](unsigned i) { return bases[i]; },
                              [&](unsigned i) { return constants[i]; });
  }
  return joined;
}

/// view(compute P, compute Q, ...) = compute(view'(P, Q, ...)), as far as the
/// options ask for it.
bool ComputeRules::moveIntoCompute(const Match &match) {
  const ClassId root = match.classes.back();
  const AccessForm &view = theory.getView(match.symbols.back());
  auto type = dyn_cast_or_null<AccessType>(graph.getType(root));
  if (!type || !hasElements(view.access))
    return true;
  // Elements of the match: the patterns, then the computes, then the view.
  const unsigned count = (match.classes.size() - 1) / 2;
  if (count == 1) {
    const ClassId compute = graph.getTable().find(match.classes[1]);
    if (isKnown.contains({match.symbols.back(), compute}))
      return true;
    // Of a product of matrices that is reshaped it is another reshape.
    if (auto flat = flatOf.find(compute); flat != flatOf.end() &&
                                          type.getComputeRank() == 0 &&
                                          isReshape(view.access))
      return mergeReshaped(root, graph.getTable().find(flat->second));
  }
  std::optional<ComputeTerm> term = getTerm(match.symbols[count]);
  if (!term)
    return true;
  if ((!isReduction(term->kind) || view.access.getBackground()) &&
      !options.isComplete)
    return true;
  return moveIntoOthers(match);
}

/// compute over <A | t, C> = compute over <A | t, |C|>: reductions take the
/// elements of an item in row-major order.
bool ComputeRules::flattenItem(ClassId root, const ComputeTerm &term,
                               ClassId pattern) {
  if (term.kind == ComputeKind::DotProd || term.kind == ComputeKind::ReduceSum)
    sums.insert(graph.getTable().find(root));
  std::optional<AccessForm> form =
      isReduction(term.kind) ? theory.getForm(pattern) : std::nullopt;
  if (!form || !hasElements(form->access))
    return true;
  const unsigned split = form->split + isOverTuple(term.kind);
  ArrayRef<int64_t> old = form->access.getShape();
  // A dot product of two is a product of matrices, whose items are flat.
  if (old.size() <= split + 1 ||
      (term.kind == ComputeKind::DotProd && old[form->split] == 2))
    return true;
  SmallVector<int64_t> shape(old.take_front(split));
  shape.push_back(*elementCount(old.drop_front(split)));
  return mergeCompute(root, term, *form,
                      reshapeAccess(form->access, shape, theory.getBudget()),
                      form->split, getElement(pattern));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// What puts results of parts of an item together.
static ComputeKind getCombination(ComputeKind kind) {
  return kind == ComputeKind::ReduceMax ? kind : ComputeKind::ReduceSum;
}

/// dot_prod over <A | t, K> = reduce_sum over <A | K/b> of dot_prod over
/// <A, K/b | t, b>, up to the order of summation; likewise reduce_sum, and
/// reduce_max, which has no order.
bool ComputeRules::splitSum(ClassId root, const ComputeTerm &term,
                            ClassId pattern) {
  if (!hasParts(term, pattern))
    return true;
  const bool hasTuple = isOverTuple(term.kind);
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || !hasElements(form->access) ||
      form->access.getRank() != form->split + 1 + hasTuple)
    return true;
  ArrayRef<int64_t> sizes = form->access.getShape();
  const int64_t depth = sizes.back();
  for (int64_t block : options.sumBlocks) {
    if (block < 1 || block >= depth || depth % block != 0)
      continue;
    SmallVector<int64_t> shape(sizes.drop_back());
    shape.push_back(depth / block);
    shape.push_back(block);
    std::optional<CanonicalAccess> access = reshapeAccess(form->access, shape);
    // <A, t, K/b, b> to <A, K/b, t, b>.
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    if (hasTuple)
      std::swap(order[form->split], order[form->split + 1]);
    access = access ? transposeAccess(*access, order) : access;
    if (!access)
      continue;
    std::optional<ClassId> blocks = addView(
        form->with(std::move(*access), form->split + 1), getElement(pattern));
    std::optional<ClassId> partial =
        blocks ? addCompute(term, *blocks) : std::nullopt;
    if (!partial)
      return nothing();
    std::optional<ClassId> together = splitAt(*partial, form->split);
    std::optional<ClassId> result =
        together
            ? addCompute({getCombination(term.kind), TypeAttr()}, *together)
            : std::nullopt;
    if (!result)
      return nothing();
    if (!merge(root, *result))
      return false;
  }
  return true;
}

/// Where the pieces of what a dot_prod reads follow one another along one
/// dimension of the item, cut at p: dot_prod(P) = reduce_sum(pair (dot_prod
/// P[.. < p]) (dot_prod P[.. >= p])), up to the order of summation; likewise
/// reduce_sum, and reduce_max. Of one element they are that element: of -0 the
/// sum is 0, which the sum of both is, too, since it starts from 0.
bool ComputeRules::cutSum(ClassId root, const ComputeTerm &term,
                          ClassId pattern) {
  if (!hasParts(term, pattern))
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || !hasElements(form->access))
    return true;
  const unsigned rank = form->access.getRank();
  for (unsigned dim = form->split + isOverTuple(term.kind); dim < rank; ++dim) {
    // A border that no piece crosses.
    const int64_t size = form->access.getShape()[dim];
    llvm::SmallSetVector<int64_t, 4> borders;
    for (const AccessPiece &piece : form->access.getPieces())
      if (int64_t low = piece.map.getDimRanges()[dim].lower; low > 0)
        borders.insert(low);
    llvm::SmallVector<int64_t> cuts = borders.takeVector();
    llvm::sort(cuts);
    for (int64_t cut : cuts) {
      if (llvm::any_of(form->access.getPieces(), [&](const AccessPiece &piece) {
            Interval range = piece.map.getDimRanges()[dim];
            return range.lower < cut && range.upper >= cut;
          }))
        continue;
      std::optional<ClassId> parts[2];
      for (int side = 0; side < 2; ++side) {
        SmallVector<int64_t> offsets(rank, 0), strides(rank, 1),
            sizes(form->access.getShape());
        offsets[dim] = side ? cut : 0;
        sizes[dim] = side ? size - cut : cut;
        std::optional<CanonicalAccess> access =
            sliceAccess(form->access, offsets, sizes, strides);
        if (!access)
          return true;
        // One element is its own sum.
        const bool isElement =
            term.kind != ComputeKind::DotProd &&
            elementCount(ArrayRef(sizes).drop_front(form->split)) == 1;
        if (isElement)
          access =
              reshapeAccess(*access, ArrayRef(sizes).take_front(form->split));
        if (!access)
          return true;
        std::optional<ClassId> part = addView(
            form->with(std::move(*access), form->split), getElement(pattern));
        parts[side] = part && !isElement ? addCompute(term, *part) : part;
        if (!parts[side])
          return nothing();
      }
      // <A | 2> of both.
      AccessForm both = getIdentity(*parts[0]);
      both.bases.push_back(theory.getBase(*parts[1]));
      const bool isSame = both.bases[0] == both.bases[1];
      CanonicalAccess second = CanonicalAccess::identity(
          SmallVector<int64_t>(both.access.getShape()), isSame ? 0 : 1);
      if (isSame)
        both.bases.pop_back();
      const CanonicalAccess *sides[] = {&both.access, &second};
      std::optional<CanonicalAccess> access =
          stackAccess(sides, both.access.getRank());
      if (!access)
        return true;
      const int64_t points = both.access.getRank();
      std::optional<ClassId> pair =
          addView(both.with(std::move(*access), points), getElement(*parts[0]));
      std::optional<ClassId> result =
          pair ? addCompute({getCombination(term.kind), TypeAttr()}, *pair)
               : std::nullopt;
      if (!result)
        return nothing();
      if (!merge(root, *result))
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The same function, which is not called twice for a match: by the names that
/// classes have now, and the symbols. Forms are costly, and merges are few.
static ApplyFunction onlyOnce(ApplyFunction apply) {
  auto done = std::make_shared<std::set<std::vector<uint32_t>>>();
  return
      [done, apply = std::move(apply)](const Match &match, NodeTable &table) {
        std::vector<uint32_t> key;
        for (ClassId id : match.classes)
          key.push_back(table.find(id));
        key.insert(key.end(), match.symbols.begin(), match.symbols.end());
        return !done->insert(std::move(key)).second || apply(match, table);
      };
}

TableRule
mlir::tensoraccess::makeComputeRule(std::string name,
                                    const tensoraccess::Pattern &pattern,
                                    ApplyFunction apply) {
  std::string problem;
  std::optional<MatchProgram> program = MatchProgram::compile(pattern, problem);
  if (!program)
    llvm::report_fatal_error("rule '" + Twine(name) + "': " + problem);
  return {std::move(name), std::move(*program), onlyOnce(std::move(apply)),
          /*isCostly=*/true};
}

std::shared_ptr<SymbolSet>
mlir::tensoraccess::makeViews(TermGraph &graph,
                              const std::shared_ptr<ComputeRules> &rules,
                              unsigned arity) {
  return std::make_shared<SymbolSet>([rules, &graph, arity](SymbolId symbol) {
    return rules->isView(symbol) && graph.getTable().getArity(symbol) == arity;
  });
}

unsigned mlir::tensoraccess::addMovedComputes(
    tensoraccess::Pattern &pattern, TermGraph &graph,
    const std::shared_ptr<ComputeRules> &rules,
    const std::shared_ptr<SymbolSet> &computes, unsigned count) {
  SmallVector<unsigned> operands, patterns;
  for (unsigned i = 0; i < count; ++i)
    patterns.push_back(pattern.addVariable());
  for (unsigned variable : patterns)
    operands.push_back(pattern.addNode(computes, {variable}));
  return pattern.addNode(makeViews(graph, rules, count), operands);
}

std::vector<TableRule>
mlir::tensoraccess::makeComputeRules(TermGraph &graph, MovementTheory &theory,
                                     const ComputeRuleOptions &options) {
  auto rules = std::make_shared<ComputeRules>(graph, theory, options);
  std::vector<TableRule> result;
  auto computes = std::make_shared<SymbolSet>(
      [rules](SymbolId symbol) { return bool(rules->getTerm(symbol)); });
  // These first: what they make spares the others work.
  using Member = bool (ComputeRules::*)(ClassId, const ComputeTerm &, ClassId);
  SmallVector<std::pair<StringRef, Member>> ofComputes = {
      {"to-matmul", &ComputeRules::makeMatmul},
      {"flatten-items", &ComputeRules::flattenItem}};
  if (options.copiesSides)
    ofComputes.push_back({"copy-sides", &ComputeRules::copySides});
  ofComputes.push_back({"cut-sum", &ComputeRules::cutSum});
  if (options.isComplete)
    ofComputes.append({{"drop-neutral", &ComputeRules::dropNeutral},
                       {"mean-is-quotient", &ComputeRules::readMean},
                       {"max-of-a-set", &ComputeRules::readSet},
                       {"one-element", &ComputeRules::takeElement},
                       {"swap-factors", &ComputeRules::swapFactors}});
  if (!options.sumBlocks.empty())
    ofComputes.push_back({"split-sum", &ComputeRules::splitSum});
  if (!options.arrays.empty())
    ofComputes.push_back({"systolic-array", &ComputeRules::makeArray});
  for (auto [name, member] : ofComputes) {
    tensoraccess::Pattern pattern;
    unsigned operand = pattern.addVariable();
    pattern.addRoot(pattern.addNode(computes, {operand}));
    result.push_back(makeComputeRule(
        name.str(), pattern,
        [rules, member = member](const Match &match, NodeTable &) {
          return (rules.get()->*member)(match.classes[1],
                                        *rules->getTerm(match.symbols[1]),
                                        match.classes[0]);
        }));
  }
  // view(compute P, ...)
  for (unsigned count = 1; count <= kMaxJoined; ++count) {
    tensoraccess::Pattern pattern;
    pattern.addRoot(addMovedComputes(pattern, graph, rules, computes, count));
    result.push_back(makeComputeRule(
        nameByCount("move-into-compute", "join-computes", count), pattern,
        [rules](const Match &match, NodeTable &) {
          return rules->moveIntoCompute(match);
        }));
  }
  {
    tensoraccess::Pattern pattern;
    unsigned activations = pattern.addVariable(),
             weights = pattern.addVariable();
    auto arrays = std::make_shared<SymbolSet>([&graph](SymbolId symbol) {
      return graph.isOperation(symbol) &&
             graph.getName(symbol).getStringRef() ==
                 SystolicArrayOp::getOperationName();
    });
    pattern.addRoot(pattern.addNode(arrays, {activations, weights}));
    result.push_back(makeComputeRule("array-is-product", pattern,
                                     [rules](const Match &match, NodeTable &) {
                                       return rules->readArray(match);
                                     }));
  }
  if (options.isComplete)
    addReductionRules(graph, rules, result);
  return result;
}
