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

#include "TensorAccess/Rewrites/ComputeRules.h"

#include "TensorAccess/Core/AccessMovement.h"
#include "TensorAccess/Core/Shape.h"
#include "TensorAccess/IR/TensorAccess.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most computes that join-computes takes.
static constexpr unsigned kMaxJoined = 4;

namespace {

/// The attributes of a compute.
struct ComputeTerm {
  ComputeKind kind;
  TypeAttr accumulator;

  bool operator==(const ComputeTerm &o) const {
    return kind == o.kind && accumulator == o.accumulator;
  }
};

/// Which dimensions a form depends on.
llvm::BitVector getUsedDims(const CanonicalAccess &access) {
  llvm::BitVector used(access.getRank());
  for (const AccessPiece &piece : access.getPieces()) {
    const FormArena &arena = piece.map.getArena();
    SmallVector<char> atoms(arena.getNumAtoms());
    for (const Form &result : piece.map.getResults())
      arena.markUsed(result, atoms);
    for (const Constraint &constraint : piece.map.getConstraints())
      arena.markUsed(constraint.form, atoms);
    for (unsigned i = 0; i < access.getRank(); ++i)
      if (atoms[i] || piece.map.getDimRanges()[i] !=
                          Interval::ofExtent(access.getShape()[i]))
        used.set(i);
  }
  return used;
}

bool isStatic(const CanonicalAccess &access) {
  return !access.isEmpty() &&
         llvm::none_of(access.getShape(), isUnknownExtent);
}

class Rules {
public:
  Rules(TermGraph &graph, MovementTheory &theory,
        const ComputeRuleOptions &options)
      : graph(graph), theory(theory), options(options) {}

  // What rules do to a match. False where the graph is full.
  bool moveIntoCompute(const Match &match);
  bool flattenItem(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool makeMatmul(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool splitSum(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool cutSum(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool makeArray(ClassId root, const ComputeTerm &term, ClassId pattern);

  /// Of a symbol of `compute`.
  std::optional<ComputeTerm> getTerm(SymbolId symbol) const;
  bool isView(SymbolId symbol) const { return theory.isView(symbol); }

private:
  MLIRContext *getContext() const { return graph.getContext(); }
  OperationName getName(StringRef op) const {
    return {("tensoraccess." + op).str(), getContext()};
  }
  AccessType getType(ArrayRef<int64_t> shape, int64_t split,
                     Type element) const {
    return AccessType::get(shape.take_front(split), shape.drop_front(split),
                           element);
  }
  Type getElement(ClassId id) const {
    return cast<AccessType>(graph.getType(id)).getElementType();
  }
  /// The class of a view of access patterns.
  std::optional<ClassId> addView(const AccessForm &form, Type element) {
    return theory.add(form,
                      getType(form.access.getShape(), form.split, element));
  }
  std::optional<ClassId> addCompute(const ComputeTerm &term, ClassId pattern);
  /// All of a class, to be moved about.
  AccessForm getIdentity(ClassId id);
  bool merge(ClassId a, ClassId b);
  /// What a rule answers where it made nothing.
  bool nothing() const { return !graph.isFull(); }

  TermGraph &graph;
  MovementTheory &theory;
  ComputeRuleOptions options;
};

/// A dot product of two, taken apart: the two factors, without the tuple, over
/// the same dimensions, and what each access dimension is.
struct Contraction {
  AccessForm left, right;
  SmallVector<unsigned> batch, rows, columns, unused;

  static std::optional<Contraction> get(const AccessForm &form);
  /// The factor with the listed access dimensions, in this order, and the item,
  /// each group flattened into one; the others are fixed.
  std::optional<CanonicalAccess>
  flatten(const AccessForm &factor,
          ArrayRef<ArrayRef<unsigned>> groups) const;
  int64_t count(ArrayRef<unsigned> dims) const {
    int64_t product = 1;
    for (unsigned dim : dims)
      product *= left.access.getShape()[dim];
    return product;
  }
  int64_t getDepth() const {
    return *elementCount(left.access.getShape().drop_front(left.split));
  }
};

} // namespace

std::optional<Contraction> Contraction::get(const AccessForm &form) {
  const int64_t split = form.split;
  if (!isStatic(form.access) || form.access.getRank() <= split ||
      form.access.getShape()[split] != 2)
    return std::nullopt;
  std::optional<AccessForm> left = form.fix(split, 0),
                            right = form.fix(split, 1);
  if (!left || !right)
    return std::nullopt;
  Contraction result{*left, *right, {}, {}, {}, {}};
  llvm::BitVector byLeft = getUsedDims(left->access),
                  byRight = getUsedDims(right->access);
  for (unsigned dim = 0; dim < split; ++dim)
    (byLeft[dim] ? (byRight[dim] ? result.batch : result.rows)
                 : (byRight[dim] ? result.columns : result.unused))
        .push_back(dim);
  return result;
}

std::optional<CanonicalAccess>
Contraction::flatten(const AccessForm &factor,
                     ArrayRef<ArrayRef<unsigned>> groups) const {
  std::optional<CanonicalAccess> access = factor.access;
  SmallVector<unsigned> kept;
  SmallVector<int64_t> shape;
  for (ArrayRef<unsigned> group : groups) {
    llvm::append_range(kept, group);
    shape.push_back(count(group));
  }
  for (unsigned dim = factor.access.getRank(); dim-- > factor.split;)
    kept.push_back(dim);
  std::reverse(kept.end() - (factor.access.getRank() - factor.split),
               kept.end());
  shape.push_back(getDepth());
  // Fix the others, the last first, and say where the kept ones are then.
  SmallVector<int64_t> order(kept.begin(), kept.end());
  for (unsigned dim = factor.access.getRank(); dim-- > 0 && access;)
    if (!llvm::is_contained(kept, dim)) {
      access = fixAccess(*access, dim, 0);
      for (int64_t &place : order)
        place -= place > dim;
    }
  if (access)
    access = transposeAccess(*access, order);
  return access ? reshapeAccess(*access, shape) : access;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

std::optional<ComputeTerm> Rules::getTerm(SymbolId symbol) const {
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

std::optional<ClassId> Rules::addCompute(const ComputeTerm &term,
                                         ClassId pattern) {
  SmallVector<NamedAttribute> attributes;
  attributes.emplace_back(StringAttr::get(getContext(), "kind"),
                          ComputeKindAttr::get(getContext(), term.kind));
  if (term.accumulator)
    attributes.emplace_back(StringAttr::get(getContext(), "accumulator"),
                            term.accumulator);
  return graph.add(getName("compute"),
                   DictionaryAttr::get(getContext(), attributes), {pattern},
                   std::nullopt);
}

AccessForm Rules::getIdentity(ClassId id) {
  AccessForm form;
  auto type = cast<AccessType>(graph.getType(id));
  form.access =
      CanonicalAccess::identity(SmallVector<int64_t>(type.getShape()), 0);
  form.bases.push_back(theory.getBase(id));
  form.split = type.getAccessRank();
  return form;
}

bool Rules::merge(ClassId a, ClassId b) {
  graph.merge(a, b);
  return !graph.isFull();
}

//===----------------------------------------------------------------------===//
// Movement through computes
//===----------------------------------------------------------------------===//

/// Elements in, one out; the rest go element by element.
static bool isReduction(ComputeKind kind) {
  return kind == ComputeKind::DotProd || kind == ComputeKind::ReduceSum ||
         kind == ComputeKind::ReduceMax || kind == ComputeKind::ReduceMean;
}

static bool isOverTuple(ComputeKind kind) {
  return kind == ComputeKind::DotProd ||
         kind == ComputeKind::ElementwiseAdd ||
         kind == ComputeKind::ElementwiseMul ||
         kind == ComputeKind::ElementwiseDiv;
}

/// The map from (x ++ c) to (map(x) ++ c), for c in the sizes of an item.
static IndexingMap overItems(const IndexingMap &map, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> item) {
  IndexingMapBuilder builder;
  SmallVector<Form> dims;
  for (int64_t size : shape)
    dims.push_back(builder.addDim(Interval::ofExtent(size)));
  for (int64_t size : item)
    builder.addDim(Interval::ofExtent(size));
  for (const Form &dim : dims)
    builder.addResult(dim);
  IndexingMap moved = builder.build().then(map);
  SmallVector<Form> results(moved.getResults());
  for (unsigned i = 0; i < item.size(); ++i)
    results.push_back(Form::ofAtom(shape.size() + i));
  return moved.withResults(results);
}

/// view(compute P, compute Q, ...) = compute(view'(P, Q, ...)): an item goes
/// where its result goes. For reductions all items are of one shape.
bool Rules::moveIntoCompute(const Match &match) {
  const ClassId root = match.classes.back();
  const AccessForm &view = theory.getView(match.symbols.back());
  auto type = dyn_cast_or_null<AccessType>(graph.getType(root));
  if (!type || !isStatic(view.access) || view.access.getBackground())
    return true;
  // Elements of the match: the patterns, then the computes, then the view.
  const unsigned count = (match.classes.size() - 1) / 2;
  std::optional<ComputeTerm> term = getTerm(match.symbols[count]);
  if (!term || !isReduction(term->kind))
    return true;
  std::deque<AccessForm> patterns;
  SmallVector<int64_t> item;
  for (unsigned i = 0; i < count; ++i) {
    if (!(*getTerm(match.symbols[count + i]) == *term))
      return true;
    std::optional<AccessForm> pattern = theory.getForm(match.classes[i]);
    if (!pattern || !isStatic(pattern->access))
      return true;
    ArrayRef<int64_t> shape = pattern->access.getShape();
    if (i == 0)
      item.assign(shape.begin() + pattern->split, shape.end());
    else if (shape.drop_front(pattern->split) != ArrayRef<int64_t>(item))
      return true;
    patterns.push_back(std::move(*pattern));
  }
  // One table of bases and constants for all patterns.
  AccessForm joined;
  for (AccessForm &pattern : patterns) {
    SmallVector<unsigned> bases, constants;
    auto place = [](auto &table, auto value) {
      auto *found = llvm::find(table, value);
      unsigned number = found - table.begin();
      if (found == table.end())
        table.push_back(value);
      return number;
    };
    for (Value base : pattern.bases)
      bases.push_back(place(joined.bases, base));
    for (TypedAttr constant : pattern.constants)
      constants.push_back(place(joined.constants, constant));
    pattern.access = pattern.access.renumber(
        [&](unsigned i) { return bases[i]; },
        [&](unsigned i) { return constants[i]; });
  }
  ArrayRef<int64_t> points = view.access.getShape();
  SmallVector<int64_t> shape(points);
  llvm::append_range(shape, item);
  SmallVector<CanonicalAccess::Case> cases;
  for (const AccessPiece &piece : view.access.getPieces()) {
    if (piece.source.kind != SourceKind::Operand)
      return true;
    cases.push_back({&patterns[piece.source.index].access,
                     overItems(piece.map, points, item)});
  }
  std::optional<CanonicalAccess> access =
      CanonicalAccess::select(shape, cases, std::nullopt, theory.getBudget());
  if (!access)
    return true;
  std::optional<ClassId> moved = addView(
      joined.with(std::move(*access), points.size()),
      getElement(match.classes[0]));
  std::optional<ClassId> result =
      moved ? addCompute(*term, *moved) : std::nullopt;
  if (!result)
    return nothing();
  // The split may lie elsewhere.
  if (graph.getType(*result) != type) {
    AccessForm whole = getIdentity(*result);
    whole.split = type.getAccessRank();
    result = theory.add(whole, type);
    if (!result)
      return nothing();
  }
  return merge(root, *result);
}

/// compute over <A | t, C> = compute over <A | t, |C|>: reductions take the
/// elements of an item in row-major order.
bool Rules::flattenItem(ClassId root, const ComputeTerm &term,
                        ClassId pattern) {
  std::optional<AccessForm> form =
      isReduction(term.kind) ? theory.getForm(pattern) : std::nullopt;
  if (!form || !isStatic(form->access))
    return true;
  const unsigned split = form->split + isOverTuple(term.kind);
  ArrayRef<int64_t> old = form->access.getShape();
  if (old.size() == split + 1)
    return true;
  SmallVector<int64_t> shape(old.take_front(split));
  shape.push_back(*elementCount(old.drop_front(split)));
  std::optional<CanonicalAccess> access =
      reshapeAccess(form->access, shape, theory.getBudget());
  if (!access)
    return true;
  std::optional<ClassId> flat =
      addView(form->with(std::move(*access), form->split), getElement(pattern));
  std::optional<ClassId> result = flat ? addCompute(term, *flat) : std::nullopt;
  return result ? merge(root, *result) : nothing();
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// dot_prod of two factors is a product of matrices, a batch of them where both
/// factors move:
///   result[b ++ m ++ n ++ u] = Σ_c left[b ++ m, c]·right[b ++ n, c]
/// with b, m and n numbered in row-major order, transposed and repeated along u
/// afterwards. Products and their order stay.
bool Rules::makeMatmul(ClassId root, const ComputeTerm &term,
                       ClassId pattern) {
  if (term.kind != ComputeKind::DotProd)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  std::optional<Contraction> product =
      form ? Contraction::get(*form) : std::nullopt;
  if (!product)
    return true;
  const bool hasBatch = !product->batch.empty();
  SmallVector<ArrayRef<unsigned>> leftGroups, rightGroups;
  if (hasBatch) {
    leftGroups.push_back(product->batch);
    rightGroups.push_back(product->batch);
  }
  leftGroups.push_back(product->rows);
  rightGroups.push_back(product->columns);
  std::optional<CanonicalAccess> left =
                                     product->flatten(product->left, leftGroups),
                                 right = product->flatten(product->right,
                                                          rightGroups);
  if (!left || !right)
    return true;
  // Both over [b, m, n, k], side by side.
  const int64_t m = product->count(product->rows),
                n = product->count(product->columns);
  left = insertAxisAccess(*left, hasBatch + 1, n);
  right = right ? insertAxisAccess(*right, hasBatch, m) : right;
  if (!left || !right)
    return true;
  const CanonicalAccess *both[] = {&*left, &*right};
  const unsigned split = hasBatch + 2;
  std::optional<CanonicalAccess> access = stackAccess(both, split);
  if (!access)
    return true;
  std::optional<ClassId> flat =
      addView(form->with(std::move(*access), split), getElement(pattern));
  std::optional<ClassId> result = flat ? addCompute(term, *flat) : std::nullopt;
  if (!result)
    return nothing();
  // Back to the dimensions as they were.
  AccessForm back = getIdentity(*result);
  SmallVector<unsigned> order;
  for (ArrayRef<unsigned> group :
       {ArrayRef(product->batch), ArrayRef(product->rows),
        ArrayRef(product->columns)})
    llvm::append_range(order, group);
  ArrayRef<int64_t> old = form->access.getShape();
  SmallVector<int64_t> shape, places(order.size());
  for (unsigned dim : order)
    shape.push_back(old[dim]);
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  for (auto [place, dim] : llvm::enumerate(order))
    places[llvm::find(sorted, dim) - sorted.begin()] = place;
  std::optional<CanonicalAccess> moved = reshapeAccess(back.access, shape);
  moved = moved ? transposeAccess(*moved, places) : moved;
  for (unsigned dim : product->unused)
    moved = moved ? insertAxisAccess(*moved, dim, old[dim]) : moved;
  if (!moved)
    return true;
  back.access = std::move(*moved);
  back.split = form->split;
  std::optional<ClassId> same = addView(back, getElement(*result));
  return same ? merge(root, *same) : nothing();
}

/// <M | K> by <| K x N> on an array, or <B, M | K> by <B | K x N>; with more than
/// one block of rows up to the order of summation.
bool Rules::makeArray(ClassId root, const ComputeTerm &term,
                      ClassId pattern) {
  if (term.kind != ComputeKind::DotProd || term.accumulator)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || (form->split != 2 && form->split != 3) ||
      form->access.getRank() != form->split + 2)
    return true;
  std::optional<Contraction> product = Contraction::get(*form);
  if (!product)
    return true;
  // Dimensions that nobody moves with are what they are by their place.
  const bool hasBatch = form->split == 3;
  const unsigned batch = 0, row = hasBatch, column = hasBatch + 1;
  for (unsigned dim : product->batch)
    if (!hasBatch || dim != batch)
      return true;
  for (unsigned dim : product->rows)
    if (dim != row)
      return true;
  for (unsigned dim : product->columns)
    if (dim != column)
      return true;
  ArrayRef<int64_t> sizes = form->access.getShape();
  SmallVector<ArrayRef<unsigned>> leftGroups, rightGroups;
  if (hasBatch) {
    leftGroups.push_back(batch);
    rightGroups.push_back(batch);
  }
  leftGroups.push_back(row);
  rightGroups.push_back(column);
  std::optional<CanonicalAccess> left =
                                     product->flatten(product->left, leftGroups),
                                 right = product->flatten(product->right,
                                                          rightGroups);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, hasBatch + 2));
  std::swap(order[hasBatch], order[hasBatch + 1]);
  right = right ? transposeAccess(*right, order) : right;
  if (!left || !right)
    return true;
  const Type element = getElement(pattern);
  std::optional<ClassId> activations =
      addView(form->with(std::move(*left), hasBatch + 1), element);
  std::optional<ClassId> weights =
      activations ? addView(form->with(std::move(*right), hasBatch), element)
                  : std::nullopt;
  if (!weights)
    return nothing();
  Builder b(getContext());
  for (const SystolicShape &array : options.arrays) {
    const bool isWhole = !hasBatch && array.rows == sizes.back() &&
                         array.cols == sizes[column];
    if (!options.reordersSums && array.rows < sizes.back())
      continue;
    SmallVector<NamedAttribute> attributes = {
        b.getNamedAttr("rows", b.getI64IntegerAttr(array.rows)),
        b.getNamedAttr("cols", b.getI64IntegerAttr(array.cols))};
    if (!isWhole)
      attributes.push_back(b.getNamedAttr("blocked", b.getUnitAttr()));
    std::optional<ClassId> result =
        graph.add(getName("systolic_array"), b.getDictionaryAttr(attributes),
                  {*activations, *weights}, std::nullopt);
    if (!result)
      return nothing();
    if (!merge(root, *result))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// dot_prod over <A | t, K> = reduce_sum over <A | K/b> of dot_prod over
/// <A, K/b | t, b>, up to the order of summation.
bool Rules::splitSum(ClassId root, const ComputeTerm &term, ClassId pattern) {
  if (term.kind != ComputeKind::DotProd || term.accumulator)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || !isStatic(form->access) ||
      form->access.getRank() != form->split + 2)
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
    AccessForm items = getIdentity(*partial);
    items.split = form->split;
    std::optional<ClassId> together = addView(items, getElement(*partial));
    std::optional<ClassId> result =
        together
            ? addCompute({ComputeKind::ReduceSum, TypeAttr()}, *together)
            : std::nullopt;
    if (!result)
      return nothing();
    if (!merge(root, *result))
      return false;
  }
  return true;
}

/// Where the pieces of what a dot_prod reads lie one after the other along one
/// dimension of the item, cut at p: dot_prod(P) = reduce_sum(pair (dot_prod
/// P[.. < p]) (dot_prod P[.. >= p])), up to the order of summation.
bool Rules::cutSum(ClassId root, const ComputeTerm &term, ClassId pattern) {
  if (term.kind != ComputeKind::DotProd || term.accumulator)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || !isStatic(form->access))
    return true;
  const unsigned rank = form->access.getRank();
  for (unsigned dim = form->split + 1; dim < rank; ++dim) {
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
        std::optional<ClassId> part = addView(
            form->with(std::move(*access), form->split), getElement(pattern));
        parts[side] = part ? addCompute(term, *part) : std::nullopt;
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
          pair ? addCompute({ComputeKind::ReduceSum, TypeAttr()}, *pair)
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

static TableRule makeRule(std::string name, const tensoraccess::Pattern &pattern,
                          ApplyFunction apply) {
  std::string problem;
  std::optional<MatchProgram> program = MatchProgram::compile(pattern, problem);
  if (!program)
    llvm::report_fatal_error("rule '" + Twine(name) + "': " + problem);
  return {std::move(name), std::move(*program), std::move(apply)};
}

std::vector<TableRule>
mlir::tensoraccess::makeComputeRules(TermGraph &graph, MovementTheory &theory,
                                     const ComputeRuleOptions &options) {
  auto rules = std::make_shared<Rules>(graph, theory, options);
  std::vector<TableRule> result;
  auto computes = std::make_shared<SymbolSet>(
      [rules](SymbolId symbol) { return bool(rules->getTerm(symbol)); });
  // view(compute P, ...)
  for (unsigned count = 1; count <= kMaxJoined; ++count) {
    tensoraccess::Pattern pattern;
    SmallVector<unsigned> operands, patterns;
    for (unsigned i = 0; i < count; ++i)
      patterns.push_back(pattern.addVariable());
    for (unsigned i = 0; i < count; ++i)
      operands.push_back(pattern.addNode(computes, {patterns[i]}));
    auto views = std::make_shared<SymbolSet>([rules, &graph,
                                              count](SymbolId symbol) {
      return rules->isView(symbol) &&
             graph.getTable().getArity(symbol) == count;
    });
    pattern.addRoot(pattern.addNode(views, operands));
    result.push_back(makeRule(
        count == 1 ? "move-into-compute"
                   : "join-computes-" + std::to_string(count),
        pattern, [rules](const Match &match, NodeTable &) {
          return rules->moveIntoCompute(match);
        }));
  }
  using Member = bool (Rules::*)(ClassId, const ComputeTerm &, ClassId);
  SmallVector<std::pair<StringRef, Member>> ofComputes = {
      {"flatten-items", &Rules::flattenItem},
      {"to-matmul", &Rules::makeMatmul}};
  if (options.reordersSums)
    ofComputes.push_back({"cut-sum", &Rules::cutSum});
  if (options.reordersSums && !options.sumBlocks.empty())
    ofComputes.push_back({"split-sum", &Rules::splitSum});
  if (!options.arrays.empty())
    ofComputes.push_back({"systolic-array", &Rules::makeArray});
  for (auto [name, member] : ofComputes) {
    tensoraccess::Pattern pattern;
    unsigned operand = pattern.addVariable();
    pattern.addRoot(pattern.addNode(computes, {operand}));
    result.push_back(makeRule(
        name.str(), pattern, [rules, member = member](const Match &match,
                                                      NodeTable &) {
          return (rules.get()->*member)(match.classes[1],
                                        *rules->getTerm(match.symbols[1]),
                                        match.classes[0]);
        }));
  }
  return result;
}
