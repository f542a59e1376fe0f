//===- TestRule.cpp - Does a rewrite rule keep results? -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule is tested on the terms that its pattern stands for:
//
//   1. Its variables are arguments, all different, of small types: those that
//      the rule names, small ones of the program, scalars, then vectors and
//      matrices, each list of types in a graph of its own. Attributes that it
//      leaves open have their defaults, and values of the program's ops.
//   2. Each term that passes the rule's checks becomes a function, and what the
//      rule replaces it by another one of the same arguments.
//   3. Both run on the same inputs (EquivalenceTests.cpp). Where the term's fast
//      math flags exclude NaNs and infinities, there are none. What fails may
//      become anything.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/EGraph/PdlRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most terms of a rule that are tested for each list of types, and most steps
/// to find them.
static constexpr int64_t kMaxTerms = 16;
static constexpr uint64_t kMaxSteps = 20000;
/// Most elements of a type of the program that is taken for a small one.
static constexpr int64_t kMaxElements = 64;

namespace {
class RuleTester {
public:
  RuleTester(const PdlRule &rule, ModuleOp program,
             llvm::function_ref<void(TermGraph &)> prepare)
      : rule(rule), program(program), prepare(prepare),
        context(program.getContext()), loc(rule.getLoc()) {}

  RuleAnswer run();

private:
  std::vector<SmallVector<Type>> listTypes() const;
  /// False: a counterexample is found.
  bool testOn(ArrayRef<Type> types);
  void addAttributes(TermGraph &graph, ArrayRef<Type> types);
  /// A function of `inputs` that returns the classes; null, and the answer's
  /// message, if no ops exist for them.
  OwningOpRef<ModuleOp> write(TermGraph &graph, Block &scratch, StringRef name,
                              ArrayRef<Value> inputs,
                              ArrayRef<ClassId> results);
  bool test(TermGraph &graph, Block &scratch, const PdlInstance &instance);

  const PdlRule &rule;
  ModuleOp program;
  llvm::function_ref<void(TermGraph &)> prepare;
  MLIRContext *context;
  Location loc;
  RuleAnswer answer;
};
} // namespace

static bool isSmall(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped ||
         (shaped.hasStaticShape() && shaped.getNumElements() <= kMaxElements);
}

std::vector<SmallVector<Type>> RuleTester::listTypes() const {
  Builder builder(context);
  const Type i1 = builder.getI1Type(), i8 = builder.getI8Type(),
             i32 = builder.getI32Type(), i64 = builder.getI64Type(),
             index = builder.getIndexType(), f32 = builder.getF32Type(),
             f64 = builder.getF64Type();
  auto tensor = [](ArrayRef<int64_t> shape, Type element) -> Type {
    return RankedTensorType::get(shape, element);
  };
  llvm::SetVector<Type> own;
  own.insert_range(rule.getNamedTypes());
  ModuleOp(program).walk([&](Operation *op) {
    if (llvm::none_of(rule.getOperations(), [&](OperationName name) {
          return name == op->getName();
        }))
      return;
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      own.insert_range(llvm::make_filter_range(types, isSmall));
  });
  std::vector<SmallVector<Type>> lists;
  if (!own.empty())
    lists.emplace_back(own.begin(), own.end());
  for (Type scalar : {i32, f32, i1, i8, i64, index, f64})
    lists.push_back({scalar});
  lists.push_back({i1, i8, i32, i64, index, f32, f64});
  for (Type element : {f32, i32}) {
    lists.push_back({tensor({3}, element)});
    lists.push_back({tensor({2, 2}, element)});
    lists.push_back({tensor({3}, i1), tensor({3}, element)});
    lists.push_back({tensor({2, 3}, element), tensor({3, 4}, element),
                     tensor({2, 4}, element), tensor({3, 2}, element)});
    lists.push_back({tensor({}, element), tensor({3}, element)});
  }
  return lists;
}

/// Makes symbols whose attributes the terms may have.
void RuleTester::addAttributes(TermGraph &graph, ArrayRef<Type> types) {
  Builder builder(context);
  for (const auto &matched : rule.getMatched()) {
    const OperationName name = matched.first;
    if (matched.second.empty())
      continue;
    for (Type type : types) {
      SmallVector<DictionaryAttr> values = {builder.getDictionaryAttr({})};
      auto add = [&](Attribute value) {
        values.push_back(builder.getDictionaryAttr(
            builder.getNamedAttr(matched.second.front(), value)));
      };
      if (name.getStringRef() == arith::ConstantOp::getOperationName()) {
        for (int64_t number : {0, 1, 2, -1}) {
          Type element = getElementTypeOrSelf(type);
          auto scalar =
              isa<FloatType>(element)
                  ? TypedAttr(builder.getFloatAttr(element, double(number)))
                  : TypedAttr(builder.getIntegerAttr(element, number));
          auto shaped = dyn_cast<ShapedType>(type);
          add(shaped ? Attribute(DenseElementsAttr::get(shaped, scalar))
                     : Attribute(scalar));
        }
      } else if (name.getStringRef() == arith::CmpIOp::getOperationName()) {
        for (int64_t i = 0; i <= int64_t(arith::CmpIPredicate::uge); ++i)
          add(builder.getI64IntegerAttr(i));
      } else if (name.getStringRef() == arith::CmpFOp::getOperationName()) {
        for (int64_t i = 0; i <= int64_t(arith::CmpFPredicate::AlwaysTrue); ++i)
          add(builder.getI64IntegerAttr(i));
      }
      for (DictionaryAttr attributes : values)
        for (unsigned operands = 0; operands <= 3; ++operands)
          for (bool isInferred : {true, false})
            (void)graph.getSymbol(
                name, attributes, SmallVector<Type>(operands, type),
                isInferred ? std::nullopt
                           : std::optional<ArrayRef<Type>>(ArrayRef(type)));
    }
  }
  ModuleOp(program).walk([&](Operation *op) {
    for (const auto &matched : rule.getMatched())
      if (matched.first == op->getName())
        (void)graph.getSymbol(op);
  });
}

OwningOpRef<ModuleOp> RuleTester::write(TermGraph &graph, Block &scratch,
                                        StringRef name, ArrayRef<Value> inputs,
                                        ArrayRef<ClassId> results) {
  const NodeTable &table = graph.getTable();
  ExtractionGraph nodes(table);
  std::vector<double> costs(nodes.getNumNodes(), 1);
  SmallVector<uint32_t> roots;
  for (ClassId id : results)
    roots.push_back(nodes.findClass(table.find(id)));
  std::optional<Extraction> chosen =
      extractTree(nodes, costs, roots, answer.message);
  if (!chosen)
    return {};
  TermBuilder terms(graph, [&](ClassId id) -> std::optional<NodeId> {
    const uint32_t node = chosen->choice[nodes.findClass(table.find(id))];
    if (node == ExtractionGraph::kNone)
      return std::nullopt;
    return nodes.getTableNode(node);
  });
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&scratch);
  SmallVector<Value> values;
  for (ClassId id : results) {
    auto made = terms.build(builder, loc, id, answer.message);
    if (!made)
      return {};
    llvm::append_range(values, *made);
  }
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(TypeRange(ValueRange(inputs)),
                              TypeRange(ValueRange(values))));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(ValueRange(inputs), function.getArguments());
  for (Operation &op : scratch)
    builder.clone(op, mapping);
  func::ReturnOp::create(builder, loc,
                         llvm::map_to_vector(values, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  while (!scratch.empty())
    scratch.back().erase();
  return module;
}

/// Whether the flags of an op of the function exclude NaNs and infinities.
static bool isFinite(func::FuncOp function) {
  return function
      ->walk([](arith::ArithFastMathInterface op) {
        const arith::FastMathFlags flags =
            op.getFastMathFlagsAttr() ? op.getFastMathFlagsAttr().getValue()
                                      : arith::FastMathFlags::none;
        return bitEnumContainsAll(flags, arith::FastMathFlags::nnan |
                                             arith::FastMathFlags::ninf)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool RuleTester::test(TermGraph &graph, Block &scratch,
                      const PdlInstance &instance) {
  std::string problem;
  auto equal = rule.replace(graph, instance, problem);
  if (!equal) {
    if (!problem.empty())
      answer.message = std::move(problem);
    return true;
  }
  graph.getTable().rebuild();
  SmallVector<ClassId> roots, replacements;
  for (auto [root, replacement] : *equal) {
    if (graph.getTypes(root) != graph.getTypes(replacement)) {
      answer.message = "the replacement has another type";
      return true;
    }
    roots.push_back(root);
    replacements.push_back(replacement);
  }
  SmallVector<Value> inputs;
  for (Value argument : scratch.getArguments()) {
    std::optional<ClassId> id =
        graph.getTable().lookup(graph.getLeafSymbol(argument), {});
    if (id && llvm::any_of(instance.classes, [&](ClassId used) {
          return graph.getTable().find(used) == graph.getTable().find(*id);
        }))
      inputs.push_back(argument);
  }
  OwningOpRef<ModuleOp> before = write(graph, scratch, "before", inputs, roots);
  OwningOpRef<ModuleOp> after;
  if (before)
    after = write(graph, scratch, "after", inputs, replacements);
  while (!scratch.empty())
    scratch.back().erase();
  if (!after)
    return true;
  auto first = *before->getOps<func::FuncOp>().begin(),
       second = *after->getOps<func::FuncOp>().begin();
  EquivalenceOptions options;
  options.method = EquivalenceMethod::Test;
  options.specialValues = !isFinite(first);
  // What fails has no value, which a rule may then choose.
  options.refines = true;
  options.maxOperations = 1 << 20;
  FailureOr<EquivalenceAnswer> found = checkEquivalence(first, second, options);
  if (failed(found))
    return true;
  if (found->verdict == EquivalenceVerdict::Unknown) {
    answer.message = std::move(found->message);
    return true;
  }
  ++answer.terms;
  answer.inputs += found->inputs;
  answer.verdict = found->verdict;
  if (found->verdict != EquivalenceVerdict::Refuted)
    return true;
  answer.counterexample = std::move(found->counterexample);
  for (auto [function, text] :
       {std::pair(first, &answer.before), std::pair(second, &answer.after)})
    llvm::raw_string_ostream(*text) << function;
  return false;
}

bool RuleTester::testOn(ArrayRef<Type> types) {
  TermGraph graph(context);
  prepare(graph);
  Block scratch;
  SmallVector<ClassId> classes;
  for (Type type : types)
    for (unsigned i = 0; i != rule.getNumVariables(); ++i)
      if (std::optional<ClassId> id =
              graph.addLeaf(scratch.addArgument(type, loc)))
        classes.push_back(*id);
  addAttributes(graph, types);
  PdlMaterial material;
  material.classes = classes;
  material.rootTypes = types;
  material.areDistinct = true;
  material.limit = kMaxSteps;
  auto instances = rule.makeInstances(graph, material);
  if (!instances) {
    answer.message = "its pattern stands for too many terms";
    return true;
  }
  graph.getTable().rebuild();
  int64_t left = kMaxTerms;
  for (const PdlInstance &instance : *instances)
    if (rule.check(graph, instance) && left-- > 0 &&
        !test(graph, scratch, instance))
      return false;
  return true;
}

RuleAnswer RuleTester::run() {
  // What is refused on the way is not the program's fault.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  for (ArrayRef<Type> types : listTypes())
    if (!testOn(types))
      return std::move(answer);
  if (answer.terms == 0 && answer.message.empty())
    answer.message = "no small term matches it";
  return std::move(answer);
}

RuleAnswer
mlir::tensoraccess::testRule(const PdlRule &rule, ModuleOp program,
                             llvm::function_ref<void(TermGraph &)> prepare) {
  return RuleTester(rule, program, prepare).run();
}
