//===- HloFormsTest.cpp - Attributes, and unverified ops ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloOracle.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class HloForms : public HloOracle {
protected:
  void expectReason(const std::string &text, IndexingReason reason) {
    Operation *op = parse(text);
    ASSERT_TRUE(op);
    OpIndexing indexing = getIndexing(op);
    EXPECT_EQ(indexing.firstReason(), reason)
        << text << describe(indexing.firstReason()).str();
  }
  void expectUnsupported(const std::string &text) {
    expectReason(text, IndexingReason::UnsupportedForm);
  }
  static std::string fieldsError(StringRef text) {
    std::string error;
    EXPECT_FALSE(parseHloFields(text, "gather", error)) << text.str();
    return error;
  }
  static std::string convolutionError(StringRef text) {
    std::string error;
    EXPECT_FALSE(parseHloConvolution(text, error)) << text.str();
    return error;
  }
};

//===----------------------------------------------------------------------===//
// The reader of attributes
//===----------------------------------------------------------------------===//

TEST_F(HloForms, Fields) {
  std::string error;
  auto fields = parseHloFields(
      "gather<offset_dims = [1,2], start_index_map=[ ], index_vector_dim = 3>",
      "gather", error);
  ASSERT_TRUE(fields) << error;
  EXPECT_EQ(fields->list("offset_dims"), ArrayRef<int64_t>({1, 2}));
  EXPECT_TRUE(fields->list("start_index_map").empty());
  EXPECT_TRUE(fields->list("absent").empty());
  EXPECT_EQ(fields->number("index_vector_dim"), 3);
  EXPECT_EQ(fields->number("absent"), 0);
  EXPECT_TRUE(parseHloFields("gather<>", "gather", error));
  // StableHLO takes a comma after the last field.
  fields = parseHloFields("gather<a = [1], b = 2, >", "gather", error);
  ASSERT_TRUE(fields) << error;
  EXPECT_EQ(fields->number("b"), 2);
}

TEST_F(HloForms, FieldErrors) {
  EXPECT_EQ(fieldsError("scatter<>"), "expected 'gather' at 'scatter<>'");
  EXPECT_EQ(fieldsError("gather"), "expected '<' at ''");
  EXPECT_EQ(fieldsError("gather<,>"), "expected a name at ',>'");
  EXPECT_EQ(fieldsError("gather<a = 1,, b = 2>"),
            "expected a name at ', b = 2>'");
  EXPECT_EQ(fieldsError("gather<a = [1,]>"), "expected an integer at ']>'");
  EXPECT_EQ(fieldsError("gather<= 1>"), "expected a name at '= 1>'");
  EXPECT_EQ(fieldsError("gather<a 1>"), "expected '=' at '1>'");
  EXPECT_EQ(fieldsError("gather<a = b>"), "expected an integer at 'b>'");
  EXPECT_EQ(fieldsError("gather<a = [1, b]>"), "expected an integer at 'b]>'");
  EXPECT_EQ(fieldsError("gather<a = [1>"), "expected ']' at '>'");
  EXPECT_EQ(fieldsError("gather<a = 1"), "expected '>' at ''");
  EXPECT_EQ(fieldsError("gather<a = 1, a = 2>"),
            "field 'a' occurs twice at '2>'");
  EXPECT_EQ(fieldsError("gather<a = 99999999999999999999>"),
            "expected an integer at '9999999999999999'");
  EXPECT_EQ(fieldsError("gather<> x"), "expected the end at 'x'");
}

TEST_F(HloForms, ConvolutionNumbers) {
  std::string error;
  auto numbers = parseHloConvolution(
      "conv<[b, 1, 0, f]x[0, 1, i, o]->[f, 0, 1, b]>", error);
  ASSERT_TRUE(numbers) << error;
  EXPECT_EQ(numbers->input.first, 0);
  EXPECT_EQ(numbers->input.second, 3);
  EXPECT_EQ(numbers->input.spatial, (SmallVector<int64_t>{2, 1}));
  EXPECT_EQ(numbers->kernel.first, 2);
  EXPECT_EQ(numbers->output.first, 3);
  EXPECT_EQ(convolutionError("conv<[b, f]x[i, o]>"), "expected '->' at '>'");
  EXPECT_EQ(convolutionError("conv<[b, b]x[i, o]->[b, f]>"),
            "dimension 'b' occurs twice at ']x[i, o]->[b, f]'");
  EXPECT_EQ(convolutionError("conv<[b, f, f]x[i, o]->[b, f]>"),
            "dimension 'f' occurs twice at ']x[i, o]->[b, f]'");
  EXPECT_EQ(convolutionError("conv<[b, 0]x[i, o]->[b, f]>"),
            "dimension 'f' is missing at 'x[i, o]->[b, f]>'");
  EXPECT_EQ(convolutionError("conv<[b, f, 1]x[i, o]->[b, f]>"),
            "spatial dimension 1 is out of range or occurs twice at "
            "'x[i, o]->[b, f]>'");
  EXPECT_EQ(convolutionError("conv<[b, f, 0]x[i, o]->[b, f]>"),
            "input, kernel and output differ in rank at ''");
  EXPECT_EQ(convolutionError("dot<>"), "expected 'conv' at 'dot<>'");
  EXPECT_EQ(convolutionError("conv<[b, x]x[i, o]->[b, f]>"),
            "expected an integer at 'x]x[i, o]->[b, f'");
}

// The other form of the same numbers, by names.
TEST_F(HloForms, RawConvolutionNumbers) {
  auto raw = [](StringRef input, StringRef spatial) {
    return ("conv<raw " + input + ", input_spatial_dimensions = " + spatial +
            ", kernel_input_feature_dimension = 2, "
            "kernel_output_feature_dimension = 3, "
            "kernel_spatial_dimensions = [0, 1], output_batch_dimension = 3, "
            "output_feature_dimension = 0, "
            "output_spatial_dimensions = [1, 2],>")
        .str();
  };
  const std::string good =
      raw("input_batch_dimension = 0, input_feature_dimension = 3", "[2, 1]");
  std::string error;
  auto numbers = parseHloConvolution(good, error);
  ASSERT_TRUE(numbers) << error;
  auto same = parseHloConvolution(
      "conv<[b, 1, 0, f]x[0, 1, i, o]->[f, 0, 1, b]>", error);
  ASSERT_TRUE(same) << error;
  for (auto side :
       {&HloConvolutionNumbers::input, &HloConvolutionNumbers::kernel,
        &HloConvolutionNumbers::output}) {
    const HloConvolutionSide &a = (*numbers).*side, &b = (*same).*side;
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.second, b.second);
    EXPECT_EQ(a.spatial, b.spatial);
  }
  EXPECT_EQ(convolutionError("conv<raw>"),
            "'input_batch_dimension', 'input_feature_dimension' and "
            "'input_spatial_dimensions' must be dimensions 0 to 1, each once "
            "at ''");
  EXPECT_EQ(
      convolutionError(raw(
          "input_batch_dimension = 0, input_feature_dimension = 1", "[2, 1]")),
      "'input_batch_dimension', 'input_feature_dimension' and "
      "'input_spatial_dimensions' must be dimensions 0 to 3, each once at ''");
  EXPECT_EQ(convolutionError(raw("input_batch_dimension = [0, 3], "
                                 "input_feature_dimension = 3",
                                 "[2, 1]")),
            "field 'input_batch_dimension' must be one dimension at ''");
}

//===----------------------------------------------------------------------===//
// Malformed ops: an answer, never a crash
//===----------------------------------------------------------------------===//

TEST_F(HloForms, Unverified) {
  std::string t = type({4, 6}), s = "tensor<f32>";
  auto hlo = [&](StringRef name, StringRef attributes,
                 const std::vector<std::string> &in,
                 const std::vector<std::string> &out) {
    expectUnsupported(opText(("stablehlo." + name).str(), attributes, in, out));
  };
  hlo("add", "", {t, type({4, 5})}, {t});
  hlo("broadcast_in_dim", "", {type({4})}, {t});
  hlo("broadcast_in_dim", "broadcast_dimensions = array<i64: 2>", {type({4})},
      {t});
  hlo("broadcast_in_dim", "broadcast_dimensions = array<i64: -1>", {type({4})},
      {t});
  hlo("broadcast_in_dim", "broadcast_dimensions = \"0\"", {type({4})}, {t});
  hlo("broadcast_in_dim", "broadcast_dimensions = array<i64: 0>", {type({3})},
      {t});
  hlo("broadcast", "", {type({4})}, {t});
  hlo("transpose", "permutation = array<i64: 0, 0>", {t}, {t});
  hlo("transpose", "permutation = array<i64: 1, 0>", {t}, {t});
  hlo("reverse", "dimensions = array<i64: 5>", {t}, {t});
  hlo("reshape", "", {t}, {type({5, 5})});
  hlo("bitcast_convert", "", {t}, {type({4, 6}, "f64")});
  hlo("slice", "limit_indices = array<i64: 4, 6>", {t}, {type({4, 5})});
  hlo("slice", "limit_indices = array<i64: 4, 6>, strides = array<i64: 0, 1>",
      {t}, {t});
  hlo("slice",
      "start_indices = array<i64: -1, 0>, limit_indices = array<i64: 3, 6>",
      {t}, {t});
  hlo("concatenate", "dimension = 2 : i64", {t}, {t});
  hlo("concatenate", "dimension = 0 : i64", {t, t}, {t});
  hlo("concatenate", "", {t}, {t});
  hlo("pad", "interior_padding = array<i64: -1, 0>", {t, s}, {t});
  hlo("pad", "edge_padding_low = array<i64: 9223372036854775807, 0>", {t, s},
      {t});
  hlo("pad", "edge_padding_low = array<i64: 1>", {t, s}, {t});
  hlo("dynamic_slice", "slice_sizes = array<i64: 5, 6>", {t, s, s},
      {type({5, 6})});
  hlo("dynamic_slice", "", {t, s}, {t});
  hlo("dynamic_update_slice", "", {t, type({5, 6}), s, s}, {t});
  hlo("reduce", "dimensions = array<i64: 2>", {t, s}, {t});
  hlo("reduce", "dimensions = array<i64: 0>", {t, s}, {t});
  hlo("reduce", "dimensions = array<i64: 0>", {t}, {type({6})});
  hlo("reduce_window", "window_dimensions = array<i64: 2, 2>", {t, s}, {t});
  hlo("reduce_window",
      "window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 0, 1>",
      {t, s}, {t});
  hlo("reduce_window",
      "window_dimensions = array<i64: 1, 1>, padding = "
      "dense<-9223372036854775808> : tensor<2x2xi64>",
      {t, s}, {type({0, 0})});
  hlo("sort", "dimension = 2 : i64", {t}, {t});
  hlo("sort", "dimension = -3 : i64", {t}, {t});
  hlo("dot_general", "", {t, t}, {t});
  hlo("dot_general",
      "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
      "[7], rhs_contracting_dimensions = [0]>",
      {t, t}, {t});
  hlo("dot_general",
      "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
      "[1], rhs_contracting_dimensions = [0]>",
      {t, t}, {t});
  hlo("dot_general", "dot_dimension_numbers = #other.dot<>", {t, t}, {t});
  hlo("convolution",
      "dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]"
      ">, feature_group_count = 0 : i64",
      {t, t}, {t});
  hlo("convolution",
      "dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>", {t, t},
      {t});
  hlo("einsum", "einsum_config = \"ab,bc->ad\"", {t, type({6, 4})}, {t});
  hlo("einsum", "einsum_config = \"ab->ab\"", {t, t}, {t});
  hlo("gather", "dimension_numbers = #stablehlo.gather<offset_dims = [5]>",
      {t, type({2, 2}, "i32")}, {t});
  hlo("gather",
      "dimension_numbers = #stablehlo.gather<start_index_map = [0], "
      "collapsed_slice_dims = [0, 1], index_vector_dim = 1>",
      {t, type({2, 2}, "i32")}, {type({2})});
  hlo("scatter", "", {t, type({2, 2}, "i32"), t}, {t});
  hlo("all_gather", "all_gather_dim = 2 : i64", {t}, {t});
  hlo("all_gather",
      "all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, "
      "2]]> : tensor<1x3xi64>",
      {t}, {type({8, 6})});
  hlo("all_to_all",
      "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 0 "
      ": i64",
      {t}, {t});
  hlo("collective_permute", "", {t}, {t});
  hlo("cholesky", "", {t}, {t});
  hlo("triangular_solve", "", {t, t}, {t});
  hlo("batch_norm_inference", "feature_index = 2 : i64", {t, s, s, s, s}, {t});
  hlo("fft", "fft_length = array<i64: 1, 2, 3>", {t}, {t});
  hlo("custom_call", "call_target_name = \"other\"", {t}, {t});
  hlo("optimization_barrier", "", {t, t}, {t});
  expectUnsupported(opText("mhlo.bitcast",
                           "source_layout = dense<[0, 0]> : tensor<2xindex>",
                           {t}, {t}));
  expectUnsupported(opText("mhlo.bitcast", "", {t}, {type({4, 6}, "f16")}));
  expectUnsupported(opText("chlo.broadcast_add", "", {t, type({5})}, {t}));
  expectUnsupported(opText("chlo.top_k", "k = 1 : i64", {t}, {t}));
  expectUnsupported(opText("mhlo.torch_index_select", "", {t, t}, {t}));
}

TEST_F(HloForms, Reasons) {
  std::string t = type({4, 6});
  expectReason(opText("stablehlo.scatter", "", {"tensor<?x6xf32>", t}, {t}),
               IndexingReason::DynamicShape);
  expectReason(opText("stablehlo.abs", "", {"tensor<*xf32>"}, {t}),
               IndexingReason::UnrankedShape);
  expectReason(opText("stablehlo.abs", "", {"tuple<f32>"}, {t}),
               IndexingReason::NotShaped);
  expectReason(opText("stablehlo.while", "", {t}, {t}),
               IndexingReason::ControlFlow);
  expectReason(opText("stablehlo.infeed", "", {t}, {t}),
               IndexingReason::SideEffects);
  expectReason(opText("stablehlo.composite", "", {t}, {t}),
               IndexingReason::UnknownCallee);
  expectReason(opText("stablehlo.real_dynamic_slice", "", {t}, {t}),
               IndexingReason::NotAffine);
  expectReason(opText("stablehlo.get_tuple_element", "", {t}, {t}),
               IndexingReason::NotShaped);
  expectReason(opText("stablehlo.never_heard_of", "", {t}, {t}),
               IndexingReason::UnregisteredOp);
}

/// Attributes count wherever they stand.
TEST_F(HloForms, DiscardableAttributes) {
  Operation *op = parse(R"((%x: tensor<2x3xf32>) {
    %r = "stablehlo.transpose"(%x) {check, permutation = [1, 0]}
           : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return
  })");
  ASSERT_TRUE(op);
  EXPECT_EQ(getIndexing(op).outputToInput(0, 0).str(),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]");
}

} // namespace
