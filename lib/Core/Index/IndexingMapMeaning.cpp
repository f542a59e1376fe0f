//===- IndexingMapMeaning.cpp - Ranges and forms of a map that was read -===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of the reader (see IndexingMapParser.cpp): runs the postfix
// code of the expressions.
//   1. Variables get their ranges: runtime variables first, since the bounds of
//      dims and symbols may mention them; a bound over runtime variables
//      becomes the range's hull and a constraint.
//   2. Code runs on a stack of forms, counting how deep its operations nest.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapParser.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

const Instruction *Parser::findVariable(Code slice, unsigned below) const {
  for (unsigned i = slice.begin; i != slice.end; ++i)
    if (code[i].op == Op::Variable && code[i].value < int64_t(below))
      return &code[i];
  return nullptr;
}

bool Parser::run(Code slice, FormArena &arena, ArrayRef<Form> variables,
                 Form &out) {
  SmallVector<Form, 4> stack;
  SmallVector<unsigned, 4> depths; // of the values on the stack
  for (unsigned i = slice.begin; i != slice.end; ++i) {
    const Instruction &in = code[i];
    if (in.op == Op::Constant) {
      stack.emplace_back(in.value);
      depths.push_back(0);
      continue;
    }
    if (in.op == Op::Variable) {
      stack.push_back(variables[in.value]);
      depths.push_back(0);
      continue;
    }
    if (in.op == Op::Negate) {
      stack.back() = arena.negate(stack.back());
    } else {
      Form y = stack.pop_back_val();
      Form &x = stack.back();
      unsigned depth = depths.pop_back_val();
      depth = std::max(depth, depths.back());
      if (in.op != Op::Add && in.op != Op::Sub && ++depth > kMaxDepth)
        return fail("value goes through more than " + Twine(kMaxDepth) +
                        " nested operations",
                    in.offset);
      depths.back() = depth;
      switch (in.op) {
      case Op::Add:
        arena.accumulate(x, y);
        break;
      case Op::Sub:
        arena.accumulate(x, y, -1);
        break;
      case Op::Mul:
        x = arena.mul(x, y);
        break;
      case Op::Min:
        x = arena.min(x, y);
        break;
      case Op::Max:
        x = arena.max(x, y);
        break;
      default: {
        StringRef name = in.op == Op::FloorDiv  ? "floordiv"
                         : in.op == Op::CeilDiv ? "ceildiv"
                                                : "mod";
        if (!y.isConstant())
          return fail("right operand of '" + name + "' must be a constant",
                      in.offset);
        const int64_t m = y.constant;
        if (m == 0)
          return fail("right operand of '" + name + "' must not be 0",
                      in.offset);
        if (in.op == Op::Mod && m < 0)
          return fail("right operand of 'mod' must be positive, got " +
                          Twine(m),
                      in.offset);
        x = in.op == Op::FloorDiv  ? arena.floorDiv(x, m)
            : in.op == Op::CeilDiv ? arena.ceilDiv(x, m)
                                   : arena.mod(x, m);
      }
      }
    }
    if (arena.failed())
      return fail("expression " + describe(arena.failure()), in.offset);
  }
  out = std::move(stack.back());
  return true;
}

bool Parser::constantBound(const Bound &bound, bool isLower, StringRef what,
                           int64_t &out) {
  if (bound.isInfinite) {
    out = isLower ? Interval::kNoLower : Interval::kNoUpper;
    return true;
  }
  // The ends of 64 bits stand for infinity.
  auto take = [&](int64_t value) {
    if (value == (isLower ? Interval::kNoLower : Interval::kNoUpper))
      return fail("bound " + std::to_string(value) + " of " + what.str() +
                      " is out of range, '" + (isLower ? "-inf" : "inf") +
                      "' is not a bound",
                  bound.code.offset);
    out = value;
    return true;
  };
  // Almost all bounds are one number.
  if (bound.code.end - bound.code.begin == 1 &&
      code[bound.code.begin].op == Op::Constant)
    return take(code[bound.code.begin].value);
  if (const Instruction *in = findVariable(bound.code, names.size()))
    return fail("bound of " + what + " must be a constant, got '" +
                    names[in->value] + "'",
                in->offset);
  FormArena arena;
  Form value;
  if (!run(bound.code, arena, {}, value))
    return false;
  return take(value.constant);
}

bool Parser::declareRanges(MapStorage &s) {
  const unsigned n = names.size(), firstRuntime = numDims + numSymbols;
  SmallVector<Interval, 8> ranges(n, Interval::all());
  bool isSymbolic = false;
  auto hasVariable = [&](const Bound &b) {
    return !b.isInfinite && findVariable(b.code, n);
  };

  // 1. Each of the first n entries must be `variable in [...]`, in order.
  for (unsigned i = 0; hasDomain && i != n; ++i) {
    if (i == entries.size())
      return fail("missing range of variable '" + names[i] + "'",
                  nameOffsets[i]);
    const Entry &entry = entries[i];
    const Instruction &first = code[entry.expr.begin];
    if (entry.expr.end - entry.expr.begin != 1 || first.op != Op::Variable ||
        first.value != i)
      return fail("expected the range of variable '" + names[i] + "'",
                  entry.expr.offset);
    if (i >= firstRuntime ||
        (!hasVariable(entry.lower) && !hasVariable(entry.upper))) {
      std::string what = ("'" + names[i] + "'").str();
      if (!constantBound(entry.lower, true, what, ranges[i].lower) ||
          !constantBound(entry.upper, false, what, ranges[i].upper))
        return false;
    } else {
      isSymbolic = true;
    }
  }

  // 2. Bounds over runtime variables: the hull of their values is the range.
  if (isSymbolic) {
    FormArena parameters;
    SmallVector<Form, 8> variables(n);
    for (unsigned i = firstRuntime; i != n; ++i)
      variables[i] = parameters.addVariable(ranges[i]);
    for (unsigned i = 0; i != firstRuntime; ++i) {
      const Entry &entry = entries[i];
      if (!hasVariable(entry.lower) && !hasVariable(entry.upper))
        continue;
      for (bool isLower : {true, false}) {
        const Bound &bound = isLower ? entry.lower : entry.upper;
        int64_t &end = isLower ? ranges[i].lower : ranges[i].upper;
        if (bound.isInfinite)
          continue;
        if (const Instruction *in = findVariable(bound.code, firstRuntime))
          return fail("bound of '" + names[i] +
                          "' may mention only runtime variables, got '" +
                          names[in->value] + "'" +
                          (unsigned(in->value) < numDims
                               ? ""
                               : ", write {" + names[in->value].str() +
                                     "} instead of [" + names[in->value].str() +
                                     "]"),
                      in->offset);
        Form form;
        if (!run(bound.code, parameters, variables, form))
          return false;
        Interval range = parameters.range(form);
        end = isLower ? range.lower : range.upper;
      }
    }
  }

  for (unsigned i = 0; i != n; ++i) {
    VariableKind kind = i < numDims        ? VariableKind::Dim
                        : i < firstRuntime ? VariableKind::Symbol
                                           : VariableKind::Runtime;
    s.addVariable(kind, ranges[i], {});
  }

  // 3. The bounds as constraints.
  if (!isSymbolic)
    return true;
  SmallVector<Form, 8> variables;
  for (unsigned i = 0; i != n; ++i)
    variables.push_back(Form::ofAtom(i));
  for (unsigned i = 0; i != firstRuntime; ++i)
    for (bool isLower : {true, false}) {
      const Bound &bound = isLower ? entries[i].lower : entries[i].upper;
      if (!hasVariable(bound))
        continue;
      Form end;
      if (!run(bound.code, s.arena, variables, end))
        return false;
      s.constraints.push_back(
          {s.arena.sub(variables[i], end),
           isLower ? Interval::atLeast(0) : Interval::atMost(0)});
    }
  return true;
}
