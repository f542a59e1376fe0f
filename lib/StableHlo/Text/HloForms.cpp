//===- HloForms.cpp - The form of each op ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table, in the language that HloForm.h explains. Ops that are not here, or
// whose form is empty, have a generic form only.
//
//===----------------------------------------------------------------------===//

#include "HloForm.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Kind = HloElement::Kind;

namespace {
struct Row {
  StringLiteral name, form, attributes = "", results = "";
};
} // namespace

// Forms that many ops have.
static constexpr StringLiteral kUnary = "% attr-dict : same",
                               kBinary = "% , % attr-dict : same",
                               kList = "%* attr-dict : functional",
                               kArrow = "% attr-dict : arrow",
                               kArrow2 = "% , % attr-dict : arrow",
                               kBroadcasting = "% , % attr-dict : functional";
// Attributes that many ops have.
static constexpr StringLiteral
    kAccuracy = "result_accuracy = #stablehlo.result_accuracy<mode = "
                "#stablehlo.result_accuracy_mode<DEFAULT>>",
    kDims = "broadcast_dimensions";

// An op of Shardy that moves what axes of a mesh hold.
#define AXES(attribute, kind)                                                  \
  "$" attribute ":text=" kind "* % out_sharding= "                             \
  "$out_sharding:text=sharding* attr-dict : same"

static constexpr Row kRows[] = {
    {"stablehlo.abs", kUnary},
    {"stablehlo.add", kBinary},
    {"stablehlo.after_all", "%* attr-dict : same"},
    {"stablehlo.and", kBinary},
    {"stablehlo.atan2", kBinary},
    {"stablehlo.batch_norm_grad", "", "",
     "grad_operand; grad_scale; grad_offset"},
    {"stablehlo.batch_norm_training", "", "", "output; batch_mean; batch_var"},
    {"stablehlo.bitcast_convert", kList},
    {"stablehlo.broadcast",
     "% , sizes = $broadcast_sizes:list attr-dict : functional"},
    {"stablehlo.broadcast_in_dim",
     "% , dims = $broadcast_dimensions:list attr-dict : functional"},
    {"stablehlo.cbrt", kUnary, kAccuracy},
    {"stablehlo.ceil", kUnary},
    {"stablehlo.cholesky", "% (? , lower = $lower:bool ?) attr-dict : same",
     "lower = false"},
    {"stablehlo.clamp", "% , % , % attr-dict : same"},
    {"stablehlo.compare",
     "$comparison_direction:comparison_direction , % , % "
     "(? , $compare_type:comparison_type ?) attr-dict : functional"},
    {"stablehlo.complex", "%* attr-dict : complex"},
    {"stablehlo.composite", "$name:string %* <regions> attr-dict : functional",
     "composite_attributes = {}; decomposition; version = 0 : i32"},
    {"stablehlo.concatenate",
     "%*, dim = $dimension:i64 attr-dict : functional"},
    {"stablehlo.constant", "<constant>", "value", "cst"},
    {"stablehlo.convert", kUnary},
    {"stablehlo.convolution",
     "( %* ) dim_numbers = $dimension_numbers:conv , window = { <window> } "
     "attr-dict : functional",
     "window_strides; padding; lhs_dilation; rhs_dilation; window_reversal; "
     "feature_group_count; batch_group_count; precision_config"},
    {"stablehlo.cosine", kUnary, kAccuracy},
    {"stablehlo.count_leading_zeros", kUnary},
    {"stablehlo.create_token", "attr-dict : results"},
    {"stablehlo.custom_call",
     "$call_target_name:symbol ( %* ) attr-dict : functional",
     "has_side_effect = false; backend_config; api_version = 1 : i32; "
     "called_computations = []; operand_layouts; result_layouts; "
     "output_operand_aliases = []; result_tilings"},
    {"stablehlo.divide", kBinary},
    {"stablehlo.dot", "% , % <precision> attr-dict : functional",
     "precision_config"},
    {"stablehlo.dot_general",
     "% , % , $dot_dimension_numbers:dot <precision-algorithm> attr-dict : "
     "functional",
     "precision_config; algorithm"},
    {"stablehlo.dynamic_broadcast_in_dim",
     "% , % , dims = $broadcast_dimensions:list attr-dict : functional",
     "known_expanding_dimensions; known_nonexpanding_dimensions"},
    {"stablehlo.dynamic_iota",
     "% , dim = $iota_dimension:i64 attr-dict : functional"},
    {"stablehlo.dynamic_pad", kList},
    {"stablehlo.dynamic_reshape", kList},
    {"stablehlo.dynamic_slice",
     "% , %*, sizes = $slice_sizes:list attr-dict : functional"},
    {"stablehlo.dynamic_update_slice", kList},
    {"stablehlo.einsum",
     "% , % , config = $einsum_config:string attr-dict : functional"},
    {"stablehlo.exponential", kUnary, kAccuracy},
    {"stablehlo.exponential_minus_one", kUnary, kAccuracy},
    {"stablehlo.fft",
     "% , type = $fft_type:fft_type , length = $fft_length:list attr-dict : "
     "functional"},
    {"stablehlo.floor", kUnary},
    {"stablehlo.get_dimension_size",
     "% , dim = $dimension:i64 attr-dict : functional"},
    {"stablehlo.get_tuple_element", "% [ $index:i32 ] attr-dict : functional"},
    {"stablehlo.imag", kUnary},
    {"stablehlo.iota", "dim = $iota_dimension:i64 attr-dict : results"},
    {"stablehlo.is_finite", kList},
    {"stablehlo.log", kUnary, kAccuracy},
    {"stablehlo.log_plus_one", kUnary, kAccuracy},
    {"stablehlo.logistic", kUnary, kAccuracy},
    {"stablehlo.maximum", kBinary},
    {"stablehlo.minimum", kBinary},
    {"stablehlo.multiply", kBinary},
    {"stablehlo.negate", kUnary},
    {"stablehlo.not", kUnary},
    {"stablehlo.optimization_barrier", "attr-dict <barrier>"},
    {"stablehlo.or", kBinary},
    {"stablehlo.pad",
     "% , % , low = $edge_padding_low:list , high = $edge_padding_high:list , "
     "interior = $interior_padding:list attr-dict : functional"},
    {"stablehlo.partition_id", "attr-dict : results"},
    {"stablehlo.popcnt", kUnary},
    {"stablehlo.power", kBinary},
    {"stablehlo.real", kUnary},
    {"stablehlo.real_dynamic_slice", kList},
    {"stablehlo.reduce", "<reduce>", "dimensions"},
    {"stablehlo.reduce_precision", "% , format = <exponent> attr-dict : same",
     "exponent_bits; mantissa_bits"},
    {"stablehlo.remainder", kBinary},
    {"stablehlo.replica_id", "attr-dict : results"},
    {"stablehlo.reshape", kList},
    {"stablehlo.return", "%* attr-dict (? : operands ?)"},
    {"stablehlo.reverse", "% , dims = $dimensions:list attr-dict : same"},
    {"stablehlo.rng",
     "% , % , % , distribution = $rng_distribution:rng_distribution attr-dict "
     ": functional"},
    {"stablehlo.rng_bit_generator",
     "% , algorithm = $rng_algorithm:rng_algorithm attr-dict : functional", "",
     "output_state; output"},
    {"stablehlo.round_nearest_afz", kUnary},
    {"stablehlo.round_nearest_even", kUnary},
    {"stablehlo.rsqrt", kUnary, kAccuracy},
    {"stablehlo.select", "%* attr-dict : select"},
    {"stablehlo.set_dimension_size",
     "% , % , dim = $dimension:i64 attr-dict : functional"},
    {"stablehlo.shift_left", kBinary},
    {"stablehlo.shift_right_arithmetic", kBinary},
    {"stablehlo.shift_right_logical", kBinary},
    {"stablehlo.sign", kUnary},
    {"stablehlo.sine", kUnary, kAccuracy},
    {"stablehlo.slice", "% <slice> attr-dict : functional",
     "start_indices; limit_indices; strides"},
    {"stablehlo.sqrt", kUnary, kAccuracy},
    {"stablehlo.subtract", kBinary},
    {"stablehlo.tan", kUnary, kAccuracy},
    {"stablehlo.tanh", kUnary, kAccuracy},
    {"stablehlo.transpose",
     "% , dims = $permutation:list attr-dict : functional"},
    {"stablehlo.tuple", "%* attr-dict : tuple"},
    {"stablehlo.unary_einsum",
     "% , config = $einsum_config:string attr-dict : functional"},
    {"stablehlo.uniform_dequantize", kUnary},
    {"stablehlo.uniform_quantize", kUnary},
    {"stablehlo.while", "<while>"},
    {"stablehlo.xor", kBinary},

    {"chlo._asin_acos_kernel", kArrow},
    {"chlo.acos", kArrow},
    {"chlo.acosh", kArrow},
    {"chlo.asin", kArrow},
    {"chlo.asinh", kArrow},
    {"chlo.atan", kArrow},
    {"chlo.atanh", kArrow},
    {"chlo.bessel_i1e", kArrow},
    {"chlo.broadcast_add", kBroadcasting, kDims},
    {"chlo.broadcast_and", kBroadcasting, kDims},
    {"chlo.broadcast_atan2", kBroadcasting, kDims},
    {"chlo.broadcast_compare", kBroadcasting,
     "broadcast_dimensions; comparison_direction; compare_type"},
    {"chlo.broadcast_complex", kBroadcasting, kDims},
    {"chlo.broadcast_divide", kBroadcasting, kDims},
    {"chlo.broadcast_maximum", kBroadcasting, kDims},
    {"chlo.broadcast_minimum", kBroadcasting, kDims},
    {"chlo.broadcast_multiply", kBroadcasting, kDims},
    {"chlo.broadcast_next_after", kBroadcasting, kDims},
    {"chlo.broadcast_or", kBroadcasting, kDims},
    {"chlo.broadcast_polygamma", kBroadcasting, kDims},
    {"chlo.broadcast_power", kBroadcasting, kDims},
    {"chlo.broadcast_remainder", kBroadcasting, kDims},
    {"chlo.broadcast_select", "% , % , % attr-dict : functional"},
    {"chlo.broadcast_shift_left", kBroadcasting, kDims},
    {"chlo.broadcast_shift_right_arithmetic", kBroadcasting, kDims},
    {"chlo.broadcast_shift_right_logical", kBroadcasting, kDims},
    {"chlo.broadcast_subtract", kBroadcasting, kDims},
    {"chlo.broadcast_xor", kBroadcasting, kDims},
    {"chlo.broadcast_zeta", kBroadcasting, kDims},
    {"chlo.conj", kArrow},
    {"chlo.constant", "attr-dict <value>", "value"},
    {"chlo.cosh", kArrow},
    {"chlo.digamma", kArrow},
    {"chlo.erf", kArrow},
    {"chlo.erf_inv", kArrow},
    {"chlo.erfc", kArrow},
    {"chlo.is_inf", kArrow},
    {"chlo.is_neg_inf", kArrow},
    {"chlo.is_pos_inf", kArrow},
    {"chlo.lgamma", kArrow},
    {"chlo.mulhi", kArrow2},
    {"chlo.next_after", kArrow2},
    {"chlo.polygamma", kArrow2},
    {"chlo.scan", "<scan>",
     "dimension; scan_dim_size; is_reverse; is_associative; "
     "operandSegmentSizes; resultSegmentSizes"},
    {"chlo.sinh", kArrow},
    {"chlo.square", kArrow},
    {"chlo.tan", kArrow},
    {"chlo.top_k",
     "( % , k = $k:i64 (? , is_stable = $is_stable:bool ?) ) attr-dict : arrow",
     "is_stable = true", "values; indices"},
    {"chlo.zeta", kArrow2},

    {"sdy.all_gather", AXES("gathering_axes", "list_of_axis_ref_lists")},
    {"sdy.all_reduce",
     "(? $reduction_op:i32=reduction_op ?) " AXES("reduction_axes",
                                                  "axis_ref_list"),
     "reduction_op = 0 : i32"},
    {"sdy.all_slice", AXES("slicing_axes", "list_of_axis_ref_lists")},
    {"sdy.all_to_all", AXES("params", "all_to_all_param_list")},
    {"sdy.collective_permute",
     "% out_sharding= $out_sharding:text=sharding* attr-dict : same"},
    {"sdy.constant", "<constant>", "value"},
    {"sdy.data_flow_edge",
     "% (? sharding= $sharding:text=sharding* ?) attr-dict : same"},
    {"sdy.func_data_flow_edge", "% attr-dict : same"},
    {"sdy.manual_computation",
     "( %* ) in_shardings= $in_shardings:text=sharding_per_value<*> "
     "out_shardings= $out_shardings:text=sharding_per_value<*> "
     "manual_axes= $manual_axes:text=manual_axes* <body> attr-dict : "
     "functional"},
    {"sdy.mesh", "$sym_name:symbol = $mesh:text=mesh* attr-dict"},
    {"sdy.named_computation",
     "<name> ( %* ) (? in_shardings= "
     "$in_shardings:text=sharding_per_value<*> ?) (? out_shardings= "
     "$out_shardings:text=sharding_per_value<*> ?) <body> attr-dict : "
     "functional",
     "name"},
    {"sdy.propagation_barrier",
     "% allowed_direction= "
     "$allowed_direction:i32=propagation_direction attr-dict : same"},
    {"sdy.reduce_scatter",
     "(? $reduction_op:i32=reduction_op ?) " AXES("reduce_scatter_axes",
                                                  "list_of_axis_ref_lists"),
     "reduction_op = 0 : i32"},
    {"sdy.replicated_to_unreduced", AXES("axes", "axis_ref_list")},
    {"sdy.reshard", "% $sharding:text=sharding* attr-dict : same"},
    {"sdy.return", "attr-dict <results>"},
    {"sdy.sharded_to_unreduced", AXES("axes", "list_of_axis_ref_lists")},
    {"sdy.sharding_constraint", "% $sharding:text=sharding* attr-dict : same"},
    {"sdy.sharding_group", "% group_id= $group_id:i64 attr-dict : operands"},
};

//===----------------------------------------------------------------------===//
// Reading the table
//===----------------------------------------------------------------------===//

static HloElement readElement(StringRef word, bool isType) {
  if (isType)
    return {Kind::Types, word};
  if (word == "%")
    return {Kind::Operand, word};
  if (word == "%*")
    return {Kind::Operands, word};
  if (word == "%*,")
    return {Kind::OperandsThenCommas, word};
  if (word == "(?")
    return {Kind::BeginGroup, word};
  if (word == "?)")
    return {Kind::EndGroup, word};
  if (word == "attr-dict")
    return {Kind::AttrDict, word};
  if (word.starts_with('$')) {
    auto [name, kind] = word.drop_front().split(':');
    return {Kind::Attribute, name, kind};
  }
  if (word.size() > 1 && word.starts_with('<'))
    return {Kind::Custom, word.drop_front().drop_back()};
  return {Kind::Literal, word};
}

static HloForm readForm(const Row &row) {
  HloForm form;
  form.name = row.name;
  SmallVector<StringRef> words;
  row.form.split(words, ' ', -1, /*KeepEmpty=*/false);
  row.results.split(form.results, "; ", -1, /*KeepEmpty=*/false);
  StringRef last;
  for (StringRef word : words) {
    form.elements.push_back(readElement(word, /*isType=*/last == ":"));
    last = word;
  }
  SmallVector<StringRef> attributes;
  row.attributes.split(attributes, "; ", -1, /*KeepEmpty=*/false);
  for (StringRef attribute : attributes) {
    auto [name, initial] = attribute.split(" = ");
    form.attributes.push_back({name, initial});
  }
  for (const HloElement &element : form.elements)
    if (element.kind == Kind::Attribute && !form.isInherent(element.text))
      form.attributes.push_back({element.text, ""});
  return form;
}

const HloForm *tensoraccess::findHloForm(StringRef opName) {
  static const auto *forms = [] {
    auto *all = new llvm::StringMap<HloForm>;
    for (const Row &row : kRows)
      all->try_emplace(row.name, readForm(row));
    return all;
  }();
  auto it = forms->find(opName);
  return it == forms->end() ? nullptr : &it->second;
}

bool HloForm::isInherent(StringRef attribute) const {
  return llvm::any_of(attributes,
                      [&](auto entry) { return entry.first == attribute; });
}

StringRef HloForm::getDefault(StringRef attribute) const {
  for (auto [name, initial] : attributes)
    if (name == attribute)
      return initial;
  return "";
}

bool HloForm::hasCustom(ArrayRef<StringRef> customs) const {
  return llvm::any_of(elements, [&](const HloElement &element) {
    return element.kind == Kind::Custom &&
           llvm::is_contained(customs, element.text);
  });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

ArrayRef<StringRef> tensoraccess::getHloKeywords(StringRef enumeration) {
  static constexpr StringRef
      kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"},
      kTypes[] = {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
      kTransforms[] = {"FFT", "IFFT", "RFFT", "IRFFT"},
      kDistributions[] = {"UNIFORM", "NORMAL"},
      kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"},
      kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"},
      kTransposes[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE",
                       "ADJOINT"},
      kAccuracies[] = {"DEFAULT", "HIGHEST", "TOLERANCE"},
      kReductions[] = {"sum", "max", "min"},
      kPropagation[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};
  return llvm::StringSwitch<ArrayRef<StringRef>>(enumeration)
      .Case("comparison_direction", kDirections)
      .Case("comparison_type", kTypes)
      .Case("fft_type", kTransforms)
      .Case("rng_distribution", kDistributions)
      .Case("rng_algorithm", kAlgorithms)
      .Case("precision", kPrecisions)
      .Case("transpose", kTransposes)
      .Case("result_accuracy_mode", kAccuracies)
      .Case("reduction_op", kReductions)
      .Case("propagation_direction", kPropagation)
      .Default({});
}

bool tensoraccess::isHloReducer(StringRef opName, StringRef dialect) {
  return opName.consume_front(dialect) && opName.consume_front(".") &&
         dialect == "stablehlo" &&
         llvm::is_contained(
             {"add", "and", "maximum", "minimum", "multiply", "or", "xor"},
             opName);
}

Attribute tensoraccess::getHloAttribute(MLIRContext *context, StringRef opName,
                                        const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, opName.split('.').first),
                         text.str(), NoneType::get(context));
}

StringRef tensoraccess::getDialectText(Attribute attr, Operation *op) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attr);
  return opaque && isa<NoneType>(opaque.getType()) &&
                 opaque.getDialectNamespace() ==
                     op->getName().getDialectNamespace()
             ? opaque.getAttrData()
             : StringRef();
}

Type tensoraccess::getComplexParts(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  auto complex =
      shaped ? dyn_cast<ComplexType>(shaped.getElementType()) : nullptr;
  return complex ? shaped.clone(complex.getElementType()) : Type();
}

NamedAttrList tensoraccess::getSortedAttributes(Operation *op) {
  NamedAttrList all;
  for (NamedAttribute attr : getAllAttributes(op))
    all.set(attr.getName(), attr.getValue());
  return all.getDictionary(op->getContext());
}
