//===- NativeSets.h - Native functions of the sets of rules -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lib/Rewrites/*.pdll call by name, one function for each set. A native
// function is one of C++ on what its arguments are: a ClassId of a value, a
// Type, an Attribute, or all that is known of an operation, a RuleValue.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_REWRITES_NATIVESETS_H
#define TENSORACCESS_LIB_REWRITES_NATIVESETS_H

#include "TensorAccess/EGraph/PdlRules.h"

namespace mlir::tensoraccess {

/// The kind of a type of C++, and how an argument becomes one.
template <typename T>
struct NativeType;
template <>
struct NativeType<ClassId> {
  static constexpr RuleValue::Kind kind = RuleValue::Kind::Value;
  static ClassId get(const RuleValue &value) { return value.id; }
};
template <>
struct NativeType<std::optional<ClassId>> : NativeType<ClassId> {};
template <>
struct NativeType<Type> {
  static constexpr RuleValue::Kind kind = RuleValue::Kind::Type;
  static Type get(const RuleValue &value) { return value.type; }
};
template <>
struct NativeType<Attribute> {
  static constexpr RuleValue::Kind kind = RuleValue::Kind::Attribute;
  static Attribute get(const RuleValue &value) { return value.attribute; }
};
template <>
struct NativeType<RuleValue> {
  static constexpr RuleValue::Kind kind = RuleValue::Kind::Operation;
  static RuleValue get(const RuleValue &value) { return value; }
};

template <typename... Args>
void addConstraint(NativeFunctions &functions, StringRef name,
                   bool (*holds)(TermGraph &, Args...)) {
  functions.declare(name, {NativeType<Args>::kind...});
  functions.constraints[name] = [holds](TermGraph &graph,
                                        ArrayRef<RuleValue> arguments,
                                        SmallVectorImpl<RuleValue> &) {
    size_t i = 0;
    return std::apply(holds,
                      std::tuple<TermGraph &, Args...>{
                          graph, NativeType<Args>::get(arguments[i++])...});
  };
}

/// What is made is a class, a type or an attribute; if it is null, the match
/// is refused.
template <typename Result, typename... Args>
void addRewrite(NativeFunctions &functions, StringRef name,
                Result (*make)(TermGraph &, std::string &problem, Args...)) {
  functions.declare(name, {NativeType<Args>::kind...},
                    {NativeType<Result>::kind});
  functions.rewrites[name] = [make](TermGraph &graph,
                                    ArrayRef<RuleValue> arguments,
                                    SmallVectorImpl<RuleValue> &results,
                                    std::string &problem) {
    size_t i = 0;
    Result made = std::apply(
        make, std::tuple<TermGraph &, std::string &, Args...>{
                  graph, problem, NativeType<Args>::get(arguments[i++])...});
    if (!made)
      return false;
    if constexpr (std::is_same_v<Result, std::optional<ClassId>>)
      results.push_back(RuleValue::value(*made));
    else
      results.push_back(made);
    return true;
  };
}

/// Of Linalg.pdll.
void addLinalgFunctions(NativeFunctions &functions);
/// Of Math.pdll.
void addMathFunctions(NativeFunctions &functions);
/// Of Relayout.pdll and Compute.pdll.
void addAccessFunctions(NativeFunctions &functions);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_REWRITES_NATIVESETS_H
