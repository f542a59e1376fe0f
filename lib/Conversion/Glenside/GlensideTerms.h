//===- GlensideTerms.h - Readers of Glenside's terms ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of a term, taken by kind, and the tables of the function
// that reads each word. Private to lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_GLENSIDETERMS_H
#define TENSORACCESS_LIB_CONVERSION_GLENSIDETERMS_H

#include "GlensideBuilder.h"

namespace mlir::tensoraccess::glenside {

/// The operands of one term, taken by kind. After the first wrong one `failed`
/// is set, the error emitted, and everything taken is empty.
class Operands {
public:
  Operands(TermBuilder &b, StringRef word, ArrayRef<TermValue> terms)
      : b(b), word(word), terms(terms) {}

  bool count(size_t wanted) {
    if (terms.size() == wanted)
      return true;
    failed = true;
    // An extra operand has a place, a missing one has none.
    b.at(wanted).error() << "'" << word << "' takes " << wanted << " operand"
                         << (wanted == 1 ? "" : "s") << ", got "
                         << terms.size();
    return false;
  }
  Value pattern(size_t i) { return take(i, TermValue::Pattern).value; }
  int64_t number(size_t i) { return take(i, TermValue::Number).number; }
  ArrayRef<int64_t> shape(size_t i) {
    return take(i, TermValue::Shape).numbers;
  }
  const TermValue &take(size_t i, TermValue::Kind kind) {
    static const TermValue nothing;
    if (terms[i].kind == kind)
      return terms[i];
    if (!failed)
      b.at(i).error() << "operand " << i << " of '" << word << "' must be "
                      << describe(kind) << ", got " << describe(terms[i].kind);
    failed = true;
    return nothing;
  }
  /// The operands, which must have these kinds, given to a function of what
  /// terms of these kinds are.
  template <TermValue::Kind... kinds, typename Fn>
  TermValue read(Fn fn) {
    if (!count(sizeof...(kinds)))
      return {};
    size_t i = 0;
    std::tuple<decltype(takeAs<kinds>(0))...> taken{takeAs<kinds>(i++)...};
    if (failed)
      return {};
    if constexpr (std::is_same_v<decltype(std::apply(fn, taken)), Value>)
      return TermValue::ofPattern(std::apply(fn, taken));
    else
      return std::apply(fn, taken);
  }

  TermBuilder &b;
  StringRef word;
  ArrayRef<TermValue> terms;
  bool failed = false;

private:
  template <TermValue::Kind kind>
  decltype(auto) takeAs(size_t i) {
    const TermValue &term = take(i, kind);
    if constexpr (kind == TermValue::Word)
      return StringRef(term.word);
    else if constexpr (kind == TermValue::Number)
      return int64_t(term.number);
    else if constexpr (kind == TermValue::Pattern || kind == TermValue::Tensor)
      return Value(term.value);
    else if constexpr (kind == TermValue::Shape || kind == TermValue::List)
      return ArrayRef<int64_t>(term.numbers);
    else
      return (term);
  }
};

/// Reads one term of a family; null if none of its words is that one.
using TermReader = TermValue (*)(TermBuilder &, Operands &);
TermReader findShapeTerm(StringRef word);
TermReader findAccessTerm(StringRef word);
TermReader findHardwareTerm(StringRef word);

/// The element type of literals: that of the program's first tensor, else f64.
Type literalType(TermBuilder &b);

} // namespace mlir::tensoraccess::glenside

#endif // TENSORACCESS_LIB_CONVERSION_GLENSIDETERMS_H
