//===- HloOps.cpp - A row for each op of StableHLO ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Kind = HloTraits::Kind;
using Work = HloTraits::Work;

// The words of the table.
static constexpr Kind Elementwise = Kind::Elementwise,
                      Broadcasting = Kind::Broadcasting, Source = Kind::Source,
                      Shape = Kind::Shape, View = Kind::View,
                      Movement = Kind::Movement,
                      Combination = Kind::Combination, Other = Kind::Other;
static constexpr Work Free = Work::Free, Each = Work::Each, Own = Work::Own;
static constexpr bool Pure = true, Impure = false;

static constexpr HloTraits kOps[] = {
    {"abs", Elementwise, Pure, Free, 1},
    {"acos", Elementwise, Pure, Own, 1, "math.acos"},
    {"acosh", Elementwise, Pure, Own, 1, "math.acosh"},
    {"add", Elementwise, Pure, Each, 2, "arith.addf", "arith.addi",
     "arith.ori"},
    {"and", Elementwise, Pure, Free, 2, "", "arith.andi"},
    {"asin", Elementwise, Pure, Own, 1, "math.asin"},
    {"asinh", Elementwise, Pure, Own, 1, "math.asinh"},
    {"atan", Elementwise, Pure, Own, 1, "math.atan"},
    {"atan2", Elementwise, Pure, Each, 2, "math.atan2"},
    {"atanh", Elementwise, Pure, Own, 1, "math.atanh"},
    {"bessel_i1e", Elementwise, Pure, Own, 1},
    {"cbrt", Elementwise, Pure, Each, 1, "math.cbrt"},
    {"ceil", Elementwise, Pure, Free, 1, "math.ceil"},
    {"clamp", Elementwise, Pure, Free, 3},
    {"compare", Elementwise, Pure, Free, 2},
    {"complex", Elementwise, Pure, Own},
    {"conj", Elementwise, Pure, Own},
    {"convert", Elementwise, Pure, Each, 1},
    {"copy", Elementwise, Impure, Own, 1},
    {"cosh", Elementwise, Pure, Own, 1, "math.cosh"},
    {"cosine", Elementwise, Pure, Each, 1, "math.cos"},
    {"count_leading_zeros", Elementwise, Pure, Own, 1, "", "math.ctlz"},
    {"digamma", Elementwise, Pure, Own, 1},
    {"divide", Elementwise, Pure, Each, 2},
    {"domain", Elementwise, Impure, Own},
    {"erf", Elementwise, Pure, Own, 1, "math.erf"},
    {"erf_inv", Elementwise, Pure, Own, 1},
    {"erfc", Elementwise, Pure, Own, 1, "math.erfc"},
    {"exponential", Elementwise, Pure, Each, 1, "math.exp"},
    {"exponential_minus_one", Elementwise, Pure, Each, 1, "math.expm1"},
    {"floor", Elementwise, Pure, Free, 1, "math.floor"},
    {"imag", Elementwise, Pure, Own},
    {"is_finite", Elementwise, Pure, Free, 1},
    {"is_inf", Elementwise, Pure, Own, 1},
    {"is_neg_inf", Elementwise, Pure, Own, 1},
    {"is_pos_inf", Elementwise, Pure, Own, 1},
    {"lgamma", Elementwise, Pure, Own, 1},
    {"log", Elementwise, Pure, Each, 1, "math.log"},
    {"log_plus_one", Elementwise, Pure, Each, 1, "math.log1p"},
    {"logistic", Elementwise, Pure, Each, 1},
    {"map", Elementwise, Pure, Own},
    {"maximum", Elementwise, Pure, Free, 2, "arith.maximumf", "arith.maxsi", "",
     "arith.maxui"},
    {"minimum", Elementwise, Pure, Free, 2, "arith.minimumf", "arith.minsi", "",
     "arith.minui"},
    {"mulhi", Elementwise, Pure, Own, 2},
    {"multiply", Elementwise, Pure, Each, 2, "arith.mulf", "arith.muli",
     "arith.andi"},
    {"negate", Elementwise, Pure, Free, 1},
    {"next_after", Elementwise, Pure, Own, 2},
    {"not", Elementwise, Pure, Free, 1},
    {"or", Elementwise, Pure, Free, 2, "", "arith.ori"},
    {"polygamma", Elementwise, Pure, Own, 2},
    {"popcnt", Elementwise, Pure, Own, 1, "", "math.ctpop"},
    {"power", Elementwise, Pure, Each, 2},
    {"real", Elementwise, Pure, Own},
    {"reduce_precision", Elementwise, Pure, Own, 1},
    {"remainder", Elementwise, Pure, Each, 2},
    {"round_nearest_afz", Elementwise, Pure, Own, 1, "math.round"},
    {"round_nearest_even", Elementwise, Pure, Own, 1, "math.roundeven"},
    {"rsqrt", Elementwise, Pure, Each, 1, "math.rsqrt"},
    {"select", Elementwise, Pure, Free, 3},
    {"shift_left", Elementwise, Pure, Own, 2},
    {"shift_right_arithmetic", Elementwise, Pure, Own, 2},
    {"shift_right_logical", Elementwise, Pure, Own, 2},
    {"sign", Elementwise, Pure, Free, 1},
    {"sine", Elementwise, Pure, Each, 1, "math.sin"},
    {"sinh", Elementwise, Pure, Own, 1, "math.sinh"},
    {"sqrt", Elementwise, Pure, Each, 1, "math.sqrt"},
    {"square", Elementwise, Pure, Each, 1},
    {"stochastic_convert", Elementwise, Impure, Own},
    {"subtract", Elementwise, Pure, Each, 2, "arith.subf", "arith.subi",
     "arith.xori"},
    {"tan", Elementwise, Pure, Each, 1, "math.tan"},
    {"tanh", Elementwise, Pure, Each, 1, "math.tanh"},
    {"uniform_dequantize", Elementwise, Pure, Own},
    {"uniform_quantize", Elementwise, Pure, Own},
    {"xor", Elementwise, Pure, Free, 2, "", "arith.xori"},
    {"zeta", Elementwise, Pure, Own, 2},
    {"broadcast_add", Broadcasting, Impure, Own},
    {"broadcast_and", Broadcasting, Impure, Own},
    {"broadcast_atan2", Broadcasting, Impure, Own},
    {"broadcast_compare", Broadcasting, Impure, Own},
    {"broadcast_complex", Broadcasting, Impure, Own},
    {"broadcast_divide", Broadcasting, Impure, Own},
    {"broadcast_maximum", Broadcasting, Impure, Own},
    {"broadcast_minimum", Broadcasting, Impure, Own},
    {"broadcast_multiply", Broadcasting, Impure, Own},
    {"broadcast_next_after", Broadcasting, Impure, Own},
    {"broadcast_or", Broadcasting, Impure, Own},
    {"broadcast_polygamma", Broadcasting, Impure, Own},
    {"broadcast_power", Broadcasting, Impure, Own},
    {"broadcast_remainder", Broadcasting, Impure, Own},
    {"broadcast_select", Broadcasting, Impure, Own},
    {"broadcast_shift_left", Broadcasting, Impure, Own},
    {"broadcast_shift_right_arithmetic", Broadcasting, Impure, Own},
    {"broadcast_shift_right_logical", Broadcasting, Impure, Own},
    {"broadcast_subtract", Broadcasting, Impure, Own},
    {"broadcast_xor", Broadcasting, Impure, Own},
    {"broadcast_zeta", Broadcasting, Impure, Own},
    {"constant", Source, Pure, Free},
    {"create_token", Source, Impure, Own},
    {"dynamic_iota", Source, Impure, Own},
    {"iota", Source, Pure, Free},
    {"partition_id", Source, Impure, Own},
    {"replica_id", Source, Impure, Own},
    {"return", Source, Impure, Free},
    {"constant_like", Shape, Impure, Own},
    {"get_dimension_size", Shape, Pure, Free},
    {"broadcast", View, Pure, Own},
    {"broadcast_in_dim", View, Pure, Free},
    {"reshape", View, Pure, Free},
    {"reverse", View, Pure, Free},
    {"slice", View, Pure, Free},
    {"transpose", View, Pure, Free},
    {"bitcast_convert", Movement, Pure, Free, 1},
    {"concatenate", Movement, Pure, Free},
    {"dynamic_slice", Movement, Pure, Free},
    {"dynamic_update_slice", Movement, Pure, Free},
    {"gather", Movement, Pure, Free},
    {"optimization_barrier", Movement, Impure, Free},
    {"pad", Movement, Pure, Free},
    {"torch_index_select", Movement, Pure, Own},
    {"convolution", Combination, Pure, Own},
    {"dot", Combination, Pure, Own},
    {"dot_general", Combination, Pure, Own},
    {"reduce", Combination, Pure, Own},
    {"reduce_window", Combination, Pure, Own},
    {"batch_norm_grad", Other, Pure, Own},
    {"batch_norm_inference", Other, Pure, Own},
    {"batch_norm_training", Other, Pure, Own},
    {"cholesky", Other, Pure, Own},
    {"fft", Other, Pure, Own},
    {"scatter", Other, Pure, Own},
    {"select_and_scatter", Other, Pure, Own},
    {"sort", Other, Pure, Own},
    {"top_k", Other, Pure, Own},
    {"triangular_solve", Other, Pure, Own},
};

const HloTraits *tensoraccess::getHloTraits(StringRef name) {
  static const auto *ops = [] {
    auto *all = new llvm::StringMap<const HloTraits *>;
    for (const HloTraits &op : kOps)
      all->try_emplace(op.name, &op);
    return all;
  }();
  return ops->lookup(name);
}

const HloTraits *tensoraccess::getHloTraits(Operation *op) {
  return isHlo(op) ? getHloTraits(getHloName(op)) : nullptr;
}

ArrayRef<HloTraits> tensoraccess::getAllHloTraits() { return kOps; }

bool tensoraccess::isPureHlo(Operation *op, bool isTop) {
  if (!isHlo(op) || op->getNumSuccessors() != 0)
    return false;
  if (getHloName(op) == "return")
    return !isTop;
  const HloTraits *traits = getHloTraits(op);
  return traits && traits->isPure;
}

bool tensoraccess::isHloPlacementCall(StringRef target) {
  return llvm::StringSwitch<bool>(target)
      .Cases({"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"}, true)
      .Cases({"xla.sdy.FuncResultSharding", "xla.sdy.GlobalToLocalShape",
              "xla.sdy.LocalToGlobalShape"},
             true)
      .Cases({"LayoutConstraint", "MoveToDevice", "MoveToHost",
              "annotate_device_placement"},
             true)
      .Default(false);
}
