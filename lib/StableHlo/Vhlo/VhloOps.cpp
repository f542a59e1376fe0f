//===- VhloOps.cpp - The ops of VHLO and their upgrades -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table is in the language that VhloOps.h explains.
//
//===----------------------------------------------------------------------===//

#include "VhloOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct Row {
  StringLiteral name, fields;
  unsigned numVersions = 1;
};
} // namespace

/// Ops without attributes, of which there is one version.
static constexpr StringLiteral kPlainOps =
    "abs add after_all and async_done async_start atan2 bitcast_convert case "
    "ceil clamp complex convert count_leading_zeros create_token divide "
    "dynamic_pad dynamic_reshape dynamic_update_slice floor if imag is_finite "
    "maximum minimum multiply negate not optimization_barrier or partition_id "
    "popcnt power real real_dynamic_slice remainder replica_id reshape return "
    "round_nearest_afz round_nearest_even select shift_left "
    "shift_right_arithmetic shift_right_logical sign subtract tuple "
    "uniform_dequantize uniform_quantize while xor";

/// Ops that got an accuracy.
static constexpr StringLiteral kInexactOps =
    "cbrt cosine exponential exponential_minus_one log log_plus_one logistic "
    "rsqrt sine sqrt tan tanh";

// Fields that some ops have.
static constexpr StringLiteral
    kNorm = "epsilon feature_index",
    kReduceScatter = "scatter_dimension replica_groups channel_id:channel=0 "
                     "use_global_device_ids:unit",
    kConvolution =
        "input_batch_dimension:conv input_feature_dimension:conv "
        "input_spatial_dimensions:conv kernel_input_feature_dimension:conv "
        "kernel_output_feature_dimension:conv kernel_spatial_dimensions:conv "
        "output_batch_dimension:conv output_feature_dimension:conv "
        "output_spatial_dimensions:conv feature_group_count batch_group_count "
        "precision_config=DEFAULT",
    kTransfer = "channel_id:channel_handle channel_type:channel_handle "
                "is_host_transfer=false source_target_pairs@2=[]";

static constexpr Row kRows[] = {
    {"all_gather",
     "all_gather_dim replica_groups channel_id:channel=0 "
     "use_global_device_ids:unit",
     2},
    {"all_reduce",
     "replica_groups channel_id:channel=0 use_global_device_ids:unit", 2},
    {"all_to_all",
     "split_dimension concat_dimension split_count replica_groups "
     "channel_id:channel=0",
     2},
    {"batch_norm_grad", kNorm},
    {"batch_norm_inference", kNorm},
    {"batch_norm_training", kNorm},
    {"broadcast", "broadcast_sizes:list"},
    {"broadcast_in_dim", "broadcast_dimensions:list"},
    {"call", "callee:symbol"},
    {"cholesky", "lower=false"},
    {"collective_broadcast",
     "replica_groups channel_id:channel=0 has_dynamic_root@2:unit", 2},
    {"collective_permute", "source_target_pairs channel_id:channel=0"},
    {"collective_reduce",
     "replica_groups channel_id:channel=0 use_global_device_ids:unit "
     "has_dynamic_root:unit"},
    {"compare", "comparison_direction compare_type=NOTYPE"},
    {"composite", "name composite_attributes={} decomposition:symbol version=0",
     2},
    {"concatenate", "dimension"},
    {"constant", "value"},
    {"convolution",
     "window_strides:list=1 padding=0 lhs_dilation:list=1 rhs_dilation:list=1 "
     "window_reversal:bools=0 <convolution>"},
    {"cross-replica-sum", "replica_groups"},
    {"custom_call",
     "call_target_name has_side_effect=false backend_config={} api_version=1 "
     "called_computations:symbols=[] operand_layouts result_layouts "
     "output_operand_aliases=[] result_tilings@2=[]",
     2},
    {"dot", "precision_config=DEFAULT"},
    {"dot_general",
     "lhs_batching_dimensions:dot rhs_batching_dimensions:dot "
     "lhs_contracting_dimensions:dot rhs_contracting_dimensions:dot "
     "precision_config=DEFAULT lhs_precision_type@2:dot_algorithm "
     "rhs_precision_type@2:dot_algorithm accumulation_type@2:dot_algorithm "
     "lhs_component_count@2:dot_algorithm rhs_component_count@2:dot_algorithm "
     "num_primitive_operations@2:dot_algorithm "
     "allow_imprecise_accumulation@2:dot_algorithm",
     2},
    {"dynamic_broadcast_in_dim",
     "broadcast_dimensions:list known_expanding_dimensions:list=[] "
     "known_nonexpanding_dimensions:list=[]"},
    {"dynamic_conv",
     "window_strides:list=1 padding@1 lhs_dilation:list=1 rhs_dilation:list=1 "
     "window_reversal:bools=0 <convolution>",
     2},
    {"dynamic_gather",
     "offset_dims:gather collapsed_slice_dims:gather "
     "operand_batching_dims@2:gather start_indices_batching_dims@2:gather "
     "start_index_map:gather index_vector_dim:gather indices_are_sorted=false",
     2},
    {"dynamic_iota", "iota_dimension"},
    {"dynamic_slice", "slice_sizes:list"},
    {"einsum", "einsum_config"},
    {"fft", "fft_type fft_length:list"},
    {"func",
     "sym_name function_type sym_visibility={} arg_attrs=[] res_attrs=[]"},
    {"gather",
     "offset_dims:gather collapsed_slice_dims:gather "
     "operand_batching_dims@2:gather start_indices_batching_dims@2:gather "
     "start_index_map:gather index_vector_dim:gather slice_sizes:list "
     "indices_are_sorted=false",
     2},
    {"get_dimension_size", "dimension"},
    {"get_tuple_element", "index"},
    {"infeed", "infeed_config layout=[]"},
    {"iota", "iota_dimension"},
    {"map", "dimensions:list"},
    {"outfeed", "outfeed_config"},
    {"pad",
     "edge_padding_low:list edge_padding_high:list interior_padding:list"},
    {"recv", kTransfer, 2},
    {"reduce", "dimensions:list"},
    {"reduce_precision", "exponent_bits mantissa_bits"},
    {"reduce_scatter", kReduceScatter},
    {"reduce_window",
     "window_dimensions:list window_strides:list=1 base_dilations:list=1 "
     "window_dilations:list=1 padding=0"},
    {"reverse", "dimensions:list"},
    {"rng", "rng_distribution"},
    {"rng_bit_generator", "rng_algorithm"},
    {"scatter",
     "update_window_dims:scatter inserted_window_dims:scatter "
     "input_batching_dims@2:scatter scatter_indices_batching_dims@2:scatter "
     "scatter_dims_to_operand_dims:scatter index_vector_dim:scatter "
     "indices_are_sorted=false unique_indices=false",
     2},
    {"select_and_scatter",
     "window_dimensions:list window_strides:list=1 padding=0"},
    {"send", kTransfer, 2},
    {"set_dimension_size", "dimension"},
    {"slice", "start_indices:list limit_indices:list strides:list"},
    {"sort", "dimension=-1 is_stable=false"},
    {"torch_index_select", "dim batch_dims"},
    {"transpose", "permutation:list"},
    {"triangular_solve", "left_side lower unit_diagonal transpose_a"},
    {"unary_einsum", "einsum_config"},
};

/// Ops of other dialects, whose properties are in the same order.
static constexpr Row kForeignRows[] = {
    {"chlo.broadcast_compare",
     "broadcast_dimensions? compare_type? comparison_direction"},
    {"chlo.constant", "value"},
    {"chlo.top_k", "is_stable? k"},
    {"sdy.all_gather", "gathering_axes out_sharding"},
    {"sdy.all_reduce", "out_sharding reduction_axes reduction_op?"},
    {"sdy.all_slice", "out_sharding slicing_axes"},
    {"sdy.all_to_all", "out_sharding params"},
    {"sdy.collective_permute", "out_sharding"},
    {"sdy.constant", "value"},
    {"sdy.data_flow_edge", "sharding?"},
    {"sdy.manual_computation", "in_shardings manual_axes out_shardings"},
    {"sdy.mesh", "mesh sym_name"},
    {"sdy.named_computation", "in_shardings? name out_shardings?"},
    {"sdy.propagation_barrier", "allowed_direction"},
    {"sdy.reduce_scatter", "out_sharding reduce_scatter_axes reduction_op?"},
    {"sdy.replicated_to_unreduced", "axes out_sharding"},
    {"sdy.reshard", "sharding"},
    {"sdy.sharded_to_unreduced", "axes out_sharding"},
    {"sdy.sharding_constraint", "sharding"},
    {"sdy.sharding_group", "group_id"},
};

/// Ops of CHLO that broadcast.
static constexpr StringLiteral kBroadcastingOps =
    "add and atan2 complex divide maximum minimum multiply next_after or "
    "polygamma power remainder shift_left shift_right_arithmetic "
    "shift_right_logical subtract xor zeta";

static void readFields(StringRef text, unsigned version, VhloOp &op) {
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word == "<convolution>") {
      readFields(kConvolution, version, op);
      continue;
    }
    auto [left, initial] = word.split('=');
    auto [versioned, kind] = left.split(':');
    auto [name, only] = versioned.split('@');
    const bool isOptional = name.consume_back("?");
    if ((only == "1" && version > 1) || (only == "2" && version < 2))
      continue;
    VhloField &field = op.fields.emplace_back(VhloField{name, kind});
    field.isOptional = isOptional;
    if (only == "1")
      field.kind = "dropped";
    if (word.contains('='))
      field.initial = initial;
  }
}

const VhloOp *tensoraccess::findVhloOp(StringRef name) {
  static const auto *ops = [] {
    auto *all = new llvm::StringMap<VhloOp>;
    auto addAs = [&](const Twine &key, StringRef name, StringRef fields,
                     unsigned version) {
      VhloOp &op = (*all)[key.str()];
      op.name = name;
      readFields(fields, version, op);
      op.order = llvm::to_vector(llvm::seq<unsigned>(op.fields.size()));
      llvm::sort(op.order, [&](unsigned a, unsigned b) {
        return op.fields[a].name < op.fields[b].name;
      });
    };
    auto add = [&](StringRef name, StringRef fields, unsigned numVersions) {
      for (unsigned version = 1; version <= numVersions; ++version)
        addAs(name + "_v" + Twine(version), name, fields, version);
    };
    for (StringRef name : llvm::split(kPlainOps, ' '))
      add(name, "", 1);
    for (StringRef name : llvm::split(kInexactOps, ' '))
      add(name, "result_accuracy@2=DEFAULT", 2);
    for (const Row &row : kRows)
      add(row.name, row.fields, row.numVersions);
    for (const Row &row : kForeignRows)
      addAs(row.name, row.name, row.fields, 1);
    for (StringRef name : llvm::split(kBroadcastingOps, ' '))
      addAs("chlo.broadcast_" + name, name, "broadcast_dimensions?", 1);
    return all;
  }();
  auto it = ops->find(name);
  return it == ops->end() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute tensoraccess::getStableHloAttribute(MLIRContext *context,
                                              const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, "stablehlo"), text.str(),
                         NoneType::get(context));
}

static std::optional<int64_t> getInteger(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  return integer ? integer.getValue().trySExtValue() : std::nullopt;
}

/// Whether an attribute has the value that a row gives.
static bool isInitial(Attribute attr, StringRef value) {
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return value == "false" && !flag.getValue();
  int64_t number;
  const bool isNumber = !value.getAsInteger(10, number);
  if (isa<IntegerAttr>(attr))
    return isNumber && getInteger(attr) == number;
  if (auto elements = dyn_cast<DenseIntElementsAttr>(attr))
    return isNumber
               ? elements.isSplat() &&
                     elements.getSplatValue<APInt>().trySExtValue() == number
               : value == "[]" && elements.empty();
  if (auto string = dyn_cast<StringAttr>(attr))
    return value == "{}" && string.empty();
  if (auto dictionary = dyn_cast<DictionaryAttr>(attr))
    return value == "{}" && dictionary.empty();
  if (auto array = dyn_cast<ArrayAttr>(attr))
    return value == "[]" ? array.empty()
                         : llvm::all_of(array, [&](Attribute item) {
                             return isInitial(item, value);
                           });
  auto opaque = dyn_cast<OpaqueAttr>(attr);
  if (!opaque)
    return false;
  // An enumeration; or an accuracy without tolerances.
  StringRef text = opaque.getAttrData();
  return text.rsplit(' ').second == value ||
         text == "result_accuracy<mode = #stablehlo.result_accuracy_mode<" +
                     value.str() + ">>";
}

static std::optional<SmallVector<int64_t>> getIntegers(Attribute attr) {
  auto elements = dyn_cast<DenseIntElementsAttr>(attr);
  // A splat may stand for any number of elements.
  constexpr int64_t kMaxNumbers = 1 << 16;
  if (!elements || elements.getType().getRank() != 1 ||
      !elements.getElementType().isSignlessInteger() ||
      elements.getNumElements() > kMaxNumbers)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (const APInt &value : elements.getValues<APInt>())
    numbers.push_back(value.getBitWidth() == 1 ? value.getZExtValue()
                                               : value.getSExtValue());
  return numbers;
}

static Attribute getSymbol(Attribute attr) {
  auto string = dyn_cast<StringAttr>(attr);
  return string ? FlatSymbolRefAttr::get(string) : nullptr;
}

/// What becomes of an attribute; null if it cannot be of this kind. One that is to
/// be left out is itself.
static Attribute convert(Attribute attr, StringRef kind) {
  MLIRContext *context = attr.getContext();
  if (kind == "symbol")
    return getSymbol(attr);
  if (kind == "symbols") {
    SmallVector<Attribute> symbols;
    auto array = dyn_cast<ArrayAttr>(attr);
    for (Attribute item : array ? array.getValue() : ArrayRef<Attribute>())
      if (!symbols.emplace_back(getSymbol(item)))
        return nullptr;
    return array ? ArrayAttr::get(context, symbols) : nullptr;
  }
  if (kind == "unit")
    return isa<BoolAttr>(attr) ? UnitAttr::get(context) : nullptr;
  if (kind == "channel") {
    std::optional<int64_t> id = getInteger(attr);
    return id ? getStableHloAttribute(context, "channel_handle<handle = " +
                                                   Twine(*id) + ", type = 0>")
              : nullptr;
  }
  if (kind != "list" && kind != "bools")
    return attr;
  std::optional<SmallVector<int64_t>> numbers = getIntegers(attr);
  if (!numbers)
    return nullptr;
  if (kind == "list")
    return DenseI64ArrayAttr::get(context, *numbers);
  return DenseBoolArrayAttr::get(
      context, SmallVector<bool>(numbers->begin(), numbers->end()));
}

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

namespace {
/// A structure: its attribute and, of a convolution's sides, letters.
using Parts = SmallVector<std::pair<StringRef, Attribute>>;
} // namespace

/// `[b, 0, 1, f]`; empty if dimensions are missing or occur twice.
static std::string printSide(ArrayRef<std::pair<StringRef, Attribute>> parts,
                             StringRef letters) {
  std::optional<int64_t> first = getInteger(parts[0].second),
                         second = getInteger(parts[1].second);
  auto spatial = getIntegers(parts[2].second);
  if (!first || !second || !spatial)
    return "";
  SmallVector<std::string> dims(spatial->size() + 2);
  auto place = [&](int64_t dim, std::string text) {
    if (dim < 0 || dim >= int64_t(dims.size()) || !dims[dim].empty())
      return false;
    dims[dim] = std::move(text);
    return true;
  };
  bool isValid = place(*first, letters.substr(0, 1).str()) &&
                 place(*second, letters.substr(1, 1).str());
  for (auto [i, dim] : llvm::enumerate(*spatial))
    isValid = isValid && place(dim, llvm::utostr(i));
  return isValid ? "[" + llvm::join(dims, ", ") + "]" : "";
}

static std::string printConvolution(const Parts &parts) {
  ArrayRef<std::pair<StringRef, Attribute>> all = parts;
  std::string input = printSide(all.slice(0, 3), "bf"),
              kernel = printSide(all.slice(3, 3), "io"),
              output = printSide(all.slice(6, 3), "bf");
  if (input.empty() || kernel.empty() || output.empty())
    return "";
  return "conv<" + input + "x" + kernel + "->" + output + ">";
}

/// A field of a structure as text; "" if it is left out, null if not valid.
static std::optional<std::string> printField(Attribute attr, bool isChannel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto flag = dyn_cast<BoolAttr>(attr)) {
    os << (flag.getValue() ? "true" : "false");
  } else if (std::optional<int64_t> number = getInteger(attr)) {
    if (*number || isChannel)
      os << *number;
  } else if (auto type = dyn_cast<TypeAttr>(attr)) {
    if (!isa<FloatType, IntegerType>(type.getValue()))
      return std::nullopt;
    os << type.getValue();
  } else if (auto numbers = getIntegers(attr)) {
    if (!numbers->empty()) {
      llvm::interleaveComma(*numbers, os << '[');
      os << ']';
    }
  } else {
    return std::nullopt;
  }
  return text;
}

/// `gather<offset_dims = [0], index_vector_dim = 1>`, of which zeros and empty
/// lists are left out.
static std::string printStructure(StringRef kind, const Parts &parts) {
  const bool isChannel = kind == "channel_handle",
             isFull = isChannel || kind == "dot_algorithm";
  SmallVector<std::string> fields;
  for (auto [name, attr] : parts) {
    std::optional<std::string> text = printField(attr, isFull);
    if (!text)
      return "";
    StringRef key = !isChannel             ? name
                    : name == "channel_id" ? "handle"
                                           : "type";
    if (!text->empty())
      fields.push_back((key + " = " + *text).str());
  }
  return (kind + "<" + llvm::join(fields, ", ") + ">").str();
}

/// The attribute that a structure is.
static StringRef getStructure(StringRef kind) {
  return llvm::StringSwitch<StringRef>(kind)
      .Cases({"gather", "conv"}, "dimension_numbers")
      .Case("scatter", "scatter_dimension_numbers")
      .Case("dot", "dot_dimension_numbers")
      .Case("dot_algorithm", "algorithm")
      .Case("channel_handle", "channel_handle")
      .Default("");
}

static bool isNone(Attribute attr) {
  auto type = dyn_cast<TypeAttr>(attr);
  return type && isa<NoneType>(type.getValue());
}

LogicalResult tensoraccess::upgradeAttributes(const VhloOp &op,
                                              ArrayRef<Attribute> given,
                                              MLIRContext *context,
                                              NamedAttrList &attributes,
                                              std::string &error) {
  auto fail = [&](StringRef name) {
    error = ("attribute '" + name + "' of op 'vhlo." + op.name +
             "' is not what it must be")
                .str();
    return failure();
  };
  llvm::MapVector<StringRef, Parts> structures;
  for (auto [field, attr] : llvm::zip_equal(op.fields, given)) {
    if (!getStructure(field.kind).empty()) {
      structures[field.kind].push_back({field.name, attr});
      continue;
    }
    if (field.kind == "dropped" ||
        (field.initial && isInitial(attr, *field.initial)) ||
        (field.kind == "unit" && isInitial(attr, "false")))
      continue;
    Attribute converted = convert(attr, field.kind);
    if (!converted)
      return fail(field.name);
    attributes.set(field.kind == "channel" ? "channel_handle" : field.name,
                   converted);
  }
  for (auto &[kind, parts] : structures) {
    const bool isAlgorithm = kind == "dot_algorithm";
    if (isAlgorithm &&
        llvm::all_of(parts, [](auto &part) { return isNone(part.second); }))
      continue;
    std::string text =
        kind == "conv" ? printConvolution(parts) : printStructure(kind, parts);
    if (text.empty())
      return fail(getStructure(kind));
    attributes.set(getStructure(kind), getStableHloAttribute(context, text));
  }
  // Layouts are left out together.
  Attribute operands = attributes.get("operand_layouts"),
            results = attributes.get("result_layouts");
  if (operands && results && isInitial(operands, "[]") &&
      isInitial(results, "[]")) {
    attributes.erase("operand_layouts");
    attributes.erase("result_layouts");
  }
  return success();
}
