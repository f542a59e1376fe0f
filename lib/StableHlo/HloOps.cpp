//===- HloOps.cpp - A row for each op of StableHLO ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloReader.h"

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
    {"abs", Elementwise, Pure, Free},
    {"acos", Elementwise, Pure, Own},
    {"acosh", Elementwise, Pure, Own},
    {"add", Elementwise, Pure, Each},
    {"and", Elementwise, Pure, Free},
    {"asin", Elementwise, Pure, Own},
    {"asinh", Elementwise, Pure, Own},
    {"atan", Elementwise, Pure, Own},
    {"atan2", Elementwise, Pure, Each},
    {"atanh", Elementwise, Pure, Own},
    {"bessel_i1e", Elementwise, Pure, Own},
    {"cbrt", Elementwise, Pure, Each},
    {"ceil", Elementwise, Pure, Free},
    {"clamp", Elementwise, Pure, Free},
    {"compare", Elementwise, Pure, Free},
    {"complex", Elementwise, Pure, Own},
    {"conj", Elementwise, Pure, Own},
    {"convert", Elementwise, Pure, Each},
    {"copy", Elementwise, Impure, Own},
    {"cosh", Elementwise, Pure, Own},
    {"cosine", Elementwise, Pure, Each},
    {"count_leading_zeros", Elementwise, Pure, Own},
    {"digamma", Elementwise, Pure, Own},
    {"divide", Elementwise, Pure, Each},
    {"domain", Elementwise, Impure, Own},
    {"erf", Elementwise, Pure, Own},
    {"erf_inv", Elementwise, Pure, Own},
    {"erfc", Elementwise, Pure, Own},
    {"exponential", Elementwise, Pure, Each},
    {"exponential_minus_one", Elementwise, Pure, Each},
    {"floor", Elementwise, Pure, Free},
    {"imag", Elementwise, Pure, Own},
    {"is_finite", Elementwise, Pure, Free},
    {"is_inf", Elementwise, Pure, Own},
    {"is_neg_inf", Elementwise, Pure, Own},
    {"is_pos_inf", Elementwise, Pure, Own},
    {"lgamma", Elementwise, Pure, Own},
    {"log", Elementwise, Pure, Each},
    {"log_plus_one", Elementwise, Pure, Each},
    {"logistic", Elementwise, Pure, Each},
    {"map", Elementwise, Pure, Own},
    {"maximum", Elementwise, Pure, Free},
    {"minimum", Elementwise, Pure, Free},
    {"mulhi", Elementwise, Pure, Own},
    {"multiply", Elementwise, Pure, Each},
    {"negate", Elementwise, Pure, Free},
    {"next_after", Elementwise, Pure, Own},
    {"not", Elementwise, Pure, Free},
    {"or", Elementwise, Pure, Free},
    {"polygamma", Elementwise, Pure, Own},
    {"popcnt", Elementwise, Pure, Own},
    {"power", Elementwise, Pure, Each},
    {"real", Elementwise, Pure, Own},
    {"reduce_precision", Elementwise, Pure, Own},
    {"remainder", Elementwise, Pure, Each},
    {"round_nearest_afz", Elementwise, Pure, Own},
    {"round_nearest_even", Elementwise, Pure, Own},
    {"rsqrt", Elementwise, Pure, Each},
    {"select", Elementwise, Pure, Free},
    {"shift_left", Elementwise, Pure, Own},
    {"shift_right_arithmetic", Elementwise, Pure, Own},
    {"shift_right_logical", Elementwise, Pure, Own},
    {"sign", Elementwise, Pure, Free},
    {"sine", Elementwise, Pure, Each},
    {"sinh", Elementwise, Pure, Own},
    {"sqrt", Elementwise, Pure, Each},
    {"square", Elementwise, Pure, Each},
    {"stochastic_convert", Elementwise, Impure, Own},
    {"subtract", Elementwise, Pure, Each},
    {"tan", Elementwise, Pure, Each},
    {"tanh", Elementwise, Pure, Each},
    {"uniform_dequantize", Elementwise, Pure, Own},
    {"uniform_quantize", Elementwise, Pure, Own},
    {"xor", Elementwise, Pure, Free},
    {"zeta", Elementwise, Pure, Own},
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
    {"bitcast_convert", Movement, Pure, Free},
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
