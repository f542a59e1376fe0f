//===- EveryOpTest.cpp - Every op is in every list ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Extending.md names the places where an op is told. Here each op of the
// dialect, and each row of the table of StableHLO's ops, is looked up in all of
// them, by a sample: an op that is in none of the samples fails the test by its
// name, and one that a list lacks by its name and the list's. What is meant to be
// absent is said beside the sample. CoverageTest.cpp does the same for the models
// of upstream's dialects.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// An op in a function of its own.
struct Sample {
  StringRef name;
  /// The function's arguments, and the op, whose results the function returns.
  std::string arguments, text;
  /// The lists that it is not in.
  std::vector<std::string> absent = {};
};

class EveryOp : public OracleTest {
protected:
  EveryOp() {
    context.loadAllAvailableDialects();
    static const bool areRegistered = (registerTensorAccessPasses(), true);
    (void)areRegistered;
  }

  /// The sample's op, whose results are returned as tensors; null, with a failure.
  Operation *read(const Sample &sample) {
    std::string source = "func.func @f(" + sample.arguments + ") {\n" +
                         sample.text + "\nreturn\n}";
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module) {
      ADD_FAILURE() << sample.name.str() << ": no sample is " << source;
      return nullptr;
    }
    auto function = *module->getOps<func::FuncOp>().begin();
    Operation *end = function.front().getTerminator();
    Operation *op = end->getPrevNode();
    OpBuilder b(end);
    SmallVector<Value> results(op->getResults());
    for (Value &result : results)
      if (isa<AccessType>(result.getType()))
        result = ToTensorOp::create(b, op->getLoc(), result);
    end->setOperands(results);
    function.setFunctionType(
        b.getFunctionType(function.getArgumentTypes(), end->getOperandTypes()));
    return op;
  }

  /// Whether a pipeline leaves no op of a dialect.
  bool isConverted(StringRef pipeline, StringRef dialect) {
    OwningOpRef<ModuleOp> copy = module->clone();
    PassManager manager(&context);
    if (failed(parsePassPipeline(pipeline, manager)) ||
        failed(manager.run(*copy)))
      return false;
    return !copy->walk([&](Operation *op) {
                  return op->getName().getDialectNamespace() == dialect
                             ? WalkResult::interrupt()
                             : WalkResult::advance();
                })
                .wasInterrupted();
  }

  bool isInterpreted() {
    auto function = *module->getOps<func::FuncOp>().begin();
    auto inputs =
        randomInputs(function, /*seed=*/0, RandomRange::Symmetric, {});
    return succeeded(inputs) && succeeded(interpret(*module, "f", *inputs));
  }

  static bool isIndexed(Operation *op) {
    OpIndexing indexing = getIndexing(OpSignature(op));
    for (unsigned r = 0; r < op->getNumResults(); ++r)
      for (unsigned o = 0; o < op->getNumOperands(); ++o)
        if (indexing.outputToInput(r, o).isUnknown() ||
            indexing.inputToOutput(o, r).isUnknown())
          return false;
    return true;
  }

  /// Whether the sizes of all results follow.
  static bool hasSizes(Operation *op) {
    return llvm::equal(inferSizes(op), op->getResultTypes(),
                       [](ArrayRef<int64_t> shape, Type type) {
                         return shape == cast<ShapedType>(type).getShape();
                       });
  }

  /// The lists of a sample, each with whether the op is in it.
  using Lists = std::vector<std::pair<std::string, bool>>;

  /// Compares them with those it is meant to be in.
  static void compare(const Sample &sample, const Lists &lists) {
    for (const auto &[list, isIn] : lists)
      EXPECT_EQ(isIn, !llvm::is_contained(sample.absent, list))
          << sample.name.str() << (isIn ? " is in " : " is missing in ")
          << list;
  }

  static std::string readFile(StringRef path) {
    auto buffer =
        llvm::MemoryBuffer::getFile(TENSORACCESS_TEST_DIR "/../" + path);
    EXPECT_TRUE(bool(buffer)) << path.str();
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  /// Errors are the lists' answers.
  ScopedDiagnosticHandler quiet{&context,
                                [](Diagnostic &) { return success(); }};
};

//===----------------------------------------------------------------------===//
// Access patterns
//===----------------------------------------------------------------------===//

std::string substitute(StringRef text,
                       const std::map<char, std::string> &words) {
  std::string all;
  for (char c : text)
    if (auto it = words.find(c); it != words.end())
      all += it->second;
    else
      all += c;
  return all;
}

/// A sample on %p, a view of the tensor %x: `@` is its type, `&` that of %x and
/// `$` is `!tensoraccess.access`.
Sample makeAccessSample(StringRef name, StringRef shape, StringRef text,
                        std::vector<std::string> absent = {}) {
  auto [access, item] = shape.split('|');
  SmallVector<StringRef> sizes;
  for (StringRef part : {access, item})
    part.trim().split(sizes, 'x', -1, /*KeepEmpty=*/false);
  size_t rank = access.trim().empty() ? 0 : access.count('x') + 1;
  std::string tensor = "tensor<" + llvm::join(sizes, "x") + "xf32>";
  std::string view = ("!tensoraccess.access<" + shape + "xf32>").str();
  std::string body = "%p = tensoraccess.access %x at " + std::to_string(rank) +
                     " : & -> @\n%r = tensoraccess." + name.str() + " " +
                     text.str();
  return {
      name, "%x: " + tensor,
      substitute(body,
                 {{'&', tensor}, {'@', view}, {'$', "!tensoraccess.access"}}),
      std::move(absent)};
}

TEST_F(EveryOp, AccessPatterns) {
  // No functions of patterns; their tests are test/IR/layout-ops.mlir, assert.mlir
  // and exchange.mlir.
  std::set<std::string> left = {"apply_indexing", "assert",   "bitcast",
                                "delinearize",    "exchange", "linearize",
                                "relayout"};
  // Those that compute are no views.
  const std::vector<std::string> computes = {"views"};
  const Sample samples[] = {
      makeAccessSample("access", "6 | 10", "%x at 2 : & -> $<6x10 | f32>"),
      makeAccessSample("to_tensor", "6 | 10", "%p : @ -> &"),
      makeAccessSample("transpose", "6 | 10",
                       "%p perm = [1, 0] : @ -> $<10 | 6xf32>"),
      makeAccessSample("squeeze", "1 | 10", "%p axis 0 : @ -> $<| 10xf32>"),
      makeAccessSample("insert_axis", "6 | 10",
                       "%p axis 1 : @ -> $<6x1 | 10xf32>"),
      makeAccessSample("broadcast", "1 | 10", "%p : @ -> $<6 | 10xf32>"),
      makeAccessSample("shift_right", "6 | 10", "%p : @ -> $<| 6x10xf32>"),
      makeAccessSample("flatten", "6x2 | 5", "%p : @ -> $<12 | 5xf32>"),
      makeAccessSample("reshape", "6 | 10", "%p : @ -> $<2x3 | 10xf32>"),
      makeAccessSample("windows", "6 | 10",
                       "%p shape = [3] strides = [2] : @ -> $<6x4 | 3xf32>"),
      makeAccessSample("slice", "6 | 10",
                       "%p offsets = [5, 1] sizes = [3, 4] strides = [-2, 2] "
                       ": @ -> $<3 | 4xf32>"),
      makeAccessSample("pad", "6 | 10",
                       "%p low = [0, 1] high = [2, 0] value = 2.0 : f32 : "
                       "@ -> $<8 | 11xf32>"),
      makeAccessSample("project", "| 5x7",
                       "%p by #tensoraccess.projection<[[1, 0], [1, 1]] + [0, "
                       "0], shape = [1, 1]> over [3, 4] : @ -> $<3x4 | "
                       "1x1xf32>",
                       {"Glenside.md"}),
      makeAccessSample("concat", "6 | 10",
                       "%p, %p axis 1 : @, @ -> $<6 | 20xf32>"),
      makeAccessSample("pair", "6 | 10", "%p, %p : @, @ -> $<6 | 2x10xf32>"),
      makeAccessSample("cart_prod", "6 | 10",
                       "%p, %p : @, @ -> $<6x6 | 2x10xf32>"),
      makeAccessSample("materialize", "6 | 10", "%p : @ -> @", computes),
      makeAccessSample("compute", "6 | 10", "reduce_sum %p : @ -> $<6 | f32>",
                       computes),
      {"systolic_array", "%x: tensor<5x5xf32>",
       R"(%p = tensoraccess.access %x at 1
             : tensor<5x5xf32> -> !tensoraccess.access<5 | 5xf32>
          %q = tensoraccess.access %x at 0
             : tensor<5x5xf32> -> !tensoraccess.access<| 5x5xf32>
          %r = tensoraccess.systolic_array %p, %q rows = 5 cols = 5
             : !tensoraccess.access<5 | 5xf32>, !tensoraccess.access<| 5x5xf32>
            -> !tensoraccess.access<5x5 | f32>)",
       computes},
      // Known only where an accelerator of that name is registered.
      makeAccessSample(
          "accelerator_call", "6 | 10", "\"none\"(%p) : (@) -> @",
          {"indexing", "work", "views", "the interpreter", "lowering"}),
  };
  const std::string python = readFile("python/tensoraccess/_access.py");
  const std::string page = readFile("docs/AccessPatterns.md"),
                    pythonPage = readFile("docs/Python.md"),
                    glensidePage = readFile("docs/Glenside.md");
  auto isNamed = [](StringRef page, StringRef name) {
    return page.contains(("`" + name + "`").str()) ||
           page.contains((name + "(").str());
  };
  for (const Sample &sample : samples) {
    left.insert(sample.name.str());
    Operation *op = read(sample);
    if (!op)
      continue;
    Value result = op->getResult(0);
    AccessForm form = getAccessForm(result);
    compare(sample,
            {{"indexing", isIndexed(op)},
             {"work", countOpWork(op).has_value()},
             {"views", isMovement(op) && !is_contained(form.bases, result)},
             {"the interpreter", isInterpreted()},
             {"lowering",
              isConverted("tensoraccess-lower-to-linalg", "tensoraccess")},
             {"_access.py",
              StringRef(python).contains(("def " + sample.name + "(").str())},
             {"AccessPatterns.md",
              StringRef(page).contains(("`" + sample.name + " ").str())},
             {"Python.md", isNamed(pythonPage, sample.name)},
             {"Glenside.md", isNamed(glensidePage, sample.name)}});
  }
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (isa<TensorAccessDialect>(name.getDialect()))
      EXPECT_EQ(left.count(name.stripDialect().str()), 1u)
          << name.getStringRef().str() << " has no sample in EveryOpTest.cpp";
}

//===----------------------------------------------------------------------===//
// StableHLO
//===----------------------------------------------------------------------===//

/// Samples of rows that need attributes, or operands that are not all alike. "`" is
/// a tensor, ";" a complex one, "@" a number, "&" one that says where; "+", "?" and
/// "~" are bodies.
const Sample *findHloSample(StringRef name) {
  static const Sample samples[] = {
      {"bitcast_convert", "%x: `",
       "%r = stablehlo.bitcast_convert %x : (`) -> tensor<6x10xi32>"},
      {"compare", "%x: `",
       "%r = stablehlo.compare LT, %x, %x : (`, `) -> tensor<6x10xi1>"},
      {"complex", "%x: `", "%r = stablehlo.complex %x, %x : ;"},
      {"conj", "%x: ;", "%r = chlo.conj %x : ; -> ;"},
      {"domain",
       "%x: `",
       "%r = \"mhlo.domain\"(%x) : (`) -> `",
       {"the interpreter"}},
      {"imag", "%x: ;", "%r = stablehlo.imag %x : (;) -> `"},
      {"real", "%x: ;", "%r = stablehlo.real %x : (;) -> `"},
      {"is_finite", "%x: `",
       "%r = stablehlo.is_finite %x : (`) -> tensor<6x10xi1>"},
      {"is_inf", "%x: `", "%r = chlo.is_inf %x : ` -> tensor<6x10xi1>"},
      {"is_neg_inf", "%x: `", "%r = chlo.is_neg_inf %x : ` -> tensor<6x10xi1>"},
      {"is_pos_inf", "%x: `", "%r = chlo.is_pos_inf %x : ` -> tensor<6x10xi1>"},
      {"map", "%x: `",
       "%r = \"stablehlo.map\"(%x, %x) <{dimensions = array<i64: 0, 1>}> + : "
       "(`, `) -> `"},
      {"reduce_precision", "%x: `",
       "%r = stablehlo.reduce_precision %x, format = e5m2 : `"},
      {"select", "%p: tensor<6x10xi1>, %x: `",
       "%r = stablehlo.select %p, %x, %x : tensor<6x10xi1>, `"},
      {"broadcast_select", "%p: tensor<6x10xi1>, %x: `",
       "%r = chlo.broadcast_select %p, %x, %x : (tensor<6x10xi1>, `, `) -> `"},
      {"broadcast_compare", "%x: `",
       "%r = \"chlo.broadcast_compare\"(%x, %x) <{comparison_direction = "
       "#chlo<comparison_direction LT>}> : (`, `) -> tensor<6x10xi1>"},
      {"broadcast_complex", "%x: `",
       "%r = chlo.broadcast_complex %x, %x : (`, `) -> ;"},
      {"stochastic_convert",
       "%x: `, %y: tensor<6x10xui32>",
       "%r = \"stablehlo.stochastic_convert\"(%x, %y) : (`, "
       "tensor<6x10xui32>) -> tensor<6x10xbf16>",
       {"the interpreter", "conversion"}},
      {"uniform_quantize", "%x: `",
       "%r = stablehlo.uniform_quantize %x : (`) -> "
       "tensor<6x10x!quant.uniform<i8:f32, 0.5>>"},
      {"uniform_dequantize", "%x: tensor<6x10x!quant.uniform<i8:f32, 0.5>>",
       "%r = stablehlo.uniform_dequantize %x : "
       "(tensor<6x10x!quant.uniform<i8:f32, 0.5>>) -> `"},
      {"concatenate", "%x: `",
       "%r = stablehlo.concatenate %x, %x, dim = 1 : (`, `) -> "
       "tensor<6x20xf32>"},
      {"constant", "", "%r = stablehlo.constant dense<1.0> : `", {"sizes"}},
      {"constant_like", "%x: `",
       "%r = \"chlo.constant_like\"(%x) <{value = 1.0 : f32}> : (`) -> `"},
      {"iota", "", "%r = stablehlo.iota dim = 0 : `", {"sizes"}},
      {"broadcast",
       "%x: `",
       "%r = stablehlo.broadcast %x, sizes = [2] : (`) -> tensor<2x6x10xf32>",
       {"the interpreter"}},
      {"broadcast_in_dim",
       "%x: `",
       "%r = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (`) -> "
       "tensor<6x2x10xf32>",
       {"sizes"}},
      {"reshape", "%x: `", "%r = stablehlo.reshape %x : (`) -> tensor<60xf32>"},
      {"reverse", "%x: `", "%r = stablehlo.reverse %x, dims = [0] : `"},
      {"slice", "%x: `",
       "%r = stablehlo.slice %x [0:4:2, 1:6] : (`) -> tensor<2x5xf32>"},
      {"transpose", "%x: `",
       "%r = stablehlo.transpose %x, dims = [1, 0] : (`) -> tensor<10x6xf32>"},
      {"get_dimension_size", "%x: `",
       "%r = stablehlo.get_dimension_size %x, dim = 1 : (`) -> tensor<i32>"},
      {"dynamic_slice", "%x: `, %i: &",
       "%r = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (`, &, &) "
       "-> tensor<2x3xf32>"},
      {"dynamic_update_slice", "%x: `, %y: tensor<2x3xf32>, %i: &",
       "%r = stablehlo.dynamic_update_slice %x, %y, %i, %i : (`, "
       "tensor<2x3xf32>, &, &) -> `"},
      {"gather", "%x: `, %i: tensor<3xi32>",
       "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = "
       "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
       "start_index_map = [0], index_vector_dim = 1>, slice_sizes = "
       "array<i64: 1, 10>}> : (`, tensor<3xi32>) -> tensor<3x10xf32>"},
      {"optimization_barrier", "%x: `",
       "%r = stablehlo.optimization_barrier %x : `"},
      {"pad", "%x: `, %z: @",
       "%r = stablehlo.pad %x, %z, low = [0, 1], high = [2, -1], interior = "
       "[0, 1] : (`, @) -> tensor<8x19xf32>"},
      {"torch_index_select",
       "%x: `, %i: tensor<3xi32>",
       "%r = \"stablehlo.torch_index_select\"(%x, %i) <{dim = 0 : i64, "
       "batch_dims = 0 : i64}> : (`, tensor<3xi32>) -> tensor<3x10xf32>",
       {"the interpreter", "conversion"}},
      {"convolution", "%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>",
       "%r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, "
       "i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, "
       "feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, "
       "tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>"},
      {"dot", "%x: `, %y: tensor<10x3xf32>",
       "%r = stablehlo.dot %x, %y : (`, tensor<10x3xf32>) -> "
       "tensor<6x3xf32>"},
      {"dot_general", "%x: `",
       "%r = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : "
       "(`, `) -> tensor<10x10xf32>"},
      {"reduce", "%x: `, %z: @",
       "%r = \"stablehlo.reduce\"(%x, %z) <{dimensions = array<i64: 1>}> + : "
       "(`, @) -> tensor<6xf32>"},
      {"reduce_window", "%x: `, %z: @",
       "%r = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = "
       "array<i64: 2, 5>, window_strides = array<i64: 2, 5>}> + : (`, @) -> "
       "tensor<3x2xf32>"},
      {"scatter", "%x: `, %i: tensor<3x1xi32>, %y: tensor<3x10xf32>",
       "%r = \"stablehlo.scatter\"(%x, %i, %y) <{scatter_dimension_numbers = "
       "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = "
       "[0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> + : "
       "(`, tensor<3x1xi32>, tensor<3x10xf32>) -> `"},
      {"select_and_scatter", "%x: `, %y: tensor<3x2xf32>, %z: @",
       "%r = \"stablehlo.select_and_scatter\"(%x, %y, %z) "
       "<{window_dimensions = array<i64: 2, 5>, window_strides = array<i64: "
       "2, 5>}> ~ : (`, tensor<3x2xf32>, @) -> `"},
      {"sort", "%x: `",
       "%r = \"stablehlo.sort\"(%x) <{dimension = 0 : i64, is_stable = true}> "
       "? : (`) -> `"},
      {"top_k", "%x: `",
       "%r:2 = chlo.top_k(%x, k = 2) : ` -> (tensor<6x2xf32>, "
       "tensor<6x2xi32>)"},
      {"cholesky", "%x: tensor<3x3xf32>",
       "%r = stablehlo.cholesky %x, lower = true : tensor<3x3xf32>"},
      {"triangular_solve", "%x: tensor<3x3xf32>",
       "%r = \"stablehlo.triangular_solve\"(%x, %x) <{left_side = true, lower "
       "= true, unit_diagonal = true, transpose_a = #stablehlo<transpose "
       "NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> "
       "tensor<3x3xf32>"},
      {"fft", "%x: ;",
       "%r = stablehlo.fft %x, type = FFT, length = [10] : (;) -> ;"},
      {"batch_norm_inference", "%x: `, %y: tensor<10xf32>",
       "%r = \"stablehlo.batch_norm_inference\"(%x, %y, %y, %y, %y) "
       "<{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (`, "
       "tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) -> `"},
      {"batch_norm_training", "%x: `, %y: tensor<10xf32>",
       "%r:3 = \"stablehlo.batch_norm_training\"(%x, %y, %y) <{epsilon = 1.0 "
       ": f32, feature_index = 1 : i64}> : (`, tensor<10xf32>, "
       "tensor<10xf32>) -> (`, tensor<10xf32>, tensor<10xf32>)"},
      {"batch_norm_grad", "%x: `, %y: tensor<10xf32>",
       "%r:3 = \"stablehlo.batch_norm_grad\"(%x, %y, %y, %y, %x) <{epsilon = "
       "1.0 : f32, feature_index = 1 : i64}> : (`, tensor<10xf32>, "
       "tensor<10xf32>, tensor<10xf32>, `) -> (`, tensor<10xf32>, "
       "tensor<10xf32>)"},
  };
  for (const Sample &sample : samples)
    if (sample.name == name)
      return &sample;
  return nullptr;
}

/// The sample of an op whose operands and result are tensors of these elements.
Sample makeHloSample(StringRef name, unsigned arity, StringRef element) {
  std::string type = ("tensor<6x10x" + element + ">").str(), values, types;
  for (unsigned i = 0; i < arity; ++i) {
    values += i == 0 ? "%x" : ", %x";
    types += (i == 0 ? "" : ", ") + type;
  }
  return {name, "%x: " + type,
          "%r = \"stablehlo." + name.str() + "\"(" + values + ") : (" + types +
              ") -> " + type};
}

TEST_F(EveryOp, StableHlo) {
  // No functions of tensors alone.
  const std::set<StringRef> others = {"create_token", "dynamic_iota",
                                      "partition_id", "replica_id", "return"};
  std::string add = "{\n^bb0(%a: @, %b: @):\n%s = stablehlo.add %a, %b : @\n"
                    "stablehlo.return %s : @\n}";
  std::string less = "{\n^bb0(%a: @, %b: @):\n%s = stablehlo.compare LT, %a, "
                     "%b : (@, @) -> tensor<i1>\nstablehlo.return %s : "
                     "tensor<i1>\n}";
  auto expand = [&](StringRef text) {
    std::string all = substitute(text, {{'+', "(" + add + ")"},
                                        {'?', "(" + less + ")"},
                                        {'~', "(" + less + ", " + add + ")"}});
    return substitute(all, {{'`', "tensor<6x10xf32>"},
                            {';', "tensor<6x10xcomplex<f32>>"},
                            {'@', "tensor<f32>"},
                            {'&', "tensor<i32>"}});
  };
  auto ask = [&](const Sample &sample) -> Lists {
    Operation *op = read(sample);
    if (!op)
      return {};
    const HloTraits *traits = getHloTraits(sample.name);
    return {
        {"indexing", isIndexed(op)},
        {"sizes", hasSizes(op)},
        {"work",
         traits->work == HloTraits::Work::Own || countOpWork(op).has_value()},
        {"the interpreter", isInterpreted()},
        {"conversion",
         isConverted(
             "tensoraccess-expand-stablehlo,tensoraccess-stablehlo-to-linalg",
             "stablehlo")}};
  };
  for (const HloTraits &traits : getAllHloTraits()) {
    if (const Sample *found = findHloSample(traits.name)) {
      Sample sample = *found;
      sample.arguments = expand(sample.arguments);
      sample.text = expand(sample.text);
      compare(sample, ask(sample));
      continue;
    }
    unsigned arity = traits.arity;
    if (traits.kind == HloTraits::Kind::Broadcasting)
      arity = traits.name == "broadcast_select" ? 3 : 2;
    if (arity == 0) {
      if (others.count(traits.name))
        continue;
      ADD_FAILURE() << traits.name.str() << " has no sample in EveryOpTest.cpp";
      continue;
    }
    // Elements of one type at least are in all lists.
    std::vector<std::pair<Sample, Lists>> tried;
    auto countLists = [](const Lists &lists) {
      return llvm::count_if(lists,
                            [](const auto &list) { return list.second; });
    };
    for (StringRef element : {"f32", "i32", "i1", "ui32"}) {
      Sample sample = makeHloSample(traits.name, arity, element);
      Lists lists = ask(sample);
      if (tried.empty() || countLists(lists) > countLists(tried[0].second))
        tried.assign(1, {sample, lists});
    }
    compare(tried[0].first, tried[0].second);
  }
}

} // namespace
