//===- ScalarStrips.cpp - What models compute most, strip by strip --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers for many lanes, for the scalar ops that the bodies of real models
// are made of. Each computes, lane by lane, what the handler of ScalarOps.cpp
// with that name does, by which it is found, in loops that compilers turn into
// vectors.
//
//===----------------------------------------------------------------------===//

#include "Strips.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct Add {
  static double run(double a, double b) { return a + b; }
};
struct Sub {
  static double run(double a, double b) { return a - b; }
};
struct Mul {
  static double run(double a, double b) { return a * b; }
};
struct Div {
  static double run(double a, double b) { return a / b; }
};
struct Max {
  static double run(double a, double b) {
    return Arithmetic<double>::max(a, b);
  }
};
struct Min {
  static double run(double a, double b) {
    return -Arithmetic<double>::max(-a, -b);
  }
};
struct AddInt {
  static uint64_t run(uint64_t a, uint64_t b) { return a + b; }
};
struct SubInt {
  static uint64_t run(uint64_t a, uint64_t b) { return a - b; }
};
struct MulInt {
  static uint64_t run(uint64_t a, uint64_t b) { return a * b; }
};
} // namespace

template <typename Fn>
static void runFloats(const ScalarInstruction &in, ScalarRegister *registers,
                      int64_t count) {
  const ScalarRegister *a = registers + in.operands[0],
                       *b = registers + in.operands[1];
  ScalarRegister *result = registers + in.result;
  switch (in.resultType) {
  case ElementType::F32:
    for (int64_t l = 0; l < count; ++l)
      result[l].f = static_cast<float>(Fn::run(a[l].f, b[l].f));
    return;
  case ElementType::F64:
    for (int64_t l = 0; l < count; ++l)
      result[l].f = Fn::run(a[l].f, b[l].f);
    return;
  default:
    for (int64_t l = 0; l < count; ++l)
      result[l].f = roundTo(Fn::run(a[l].f, b[l].f), in.resultType);
  }
}

/// Extends and truncates.
static void runSame(const ScalarInstruction &in, ScalarRegister *registers,
                    int64_t count) {
  const ScalarRegister *a = registers + in.operands[0];
  ScalarRegister *result = registers + in.result;
  for (int64_t l = 0; l < count; ++l)
    result[l].f = roundTo(a[l].f, in.resultType);
}

static void runNegation(const ScalarInstruction &in, ScalarRegister *registers,
                        int64_t count) {
  const ScalarRegister *a = registers + in.operands[0];
  ScalarRegister *result = registers + in.result;
  for (int64_t l = 0; l < count; ++l)
    result[l].f = roundTo(-a[l].f, in.resultType);
}

static void runRoot(const ScalarInstruction &in, ScalarRegister *registers,
                    int64_t count) {
  const ScalarRegister *a = registers + in.operands[0];
  ScalarRegister *result = registers + in.result;
  for (int64_t l = 0; l < count; ++l)
    result[l].f = roundTo(std::sqrt(a[l].f), in.resultType);
}

static void runChoice(const ScalarInstruction &in, ScalarRegister *registers,
                      int64_t count) {
  const ScalarRegister *condition = registers + in.operands[0],
                       *a = registers + in.operands[1],
                       *b = registers + in.operands[2];
  ScalarRegister *result = registers + in.result;
  for (int64_t l = 0; l < count; ++l)
    result[l].i = condition[l].i != 0 ? a[l].i : b[l].i;
}

/// Sums and products wrap alike in all widths.
template <typename Fn>
static void runInts(const ScalarInstruction &in, ScalarRegister *registers,
                    int64_t count) {
  const ScalarRegister *a = registers + in.operands[0],
                       *b = registers + in.operands[1];
  ScalarRegister *result = registers + in.result;
  const ElementType type = in.resultType;
  for (int64_t l = 0; l < count; ++l)
    result[l].i = static_cast<int64_t>(Fn::run(a[l].i, b[l].i));
  if (type == ElementType::I1) {
    for (int64_t l = 0; l < count; ++l)
      result[l].i &= 1;
  } else if (const unsigned unused = 64 - bitWidth(type)) {
    for (int64_t l = 0; l < count; ++l)
      result[l].i =
          static_cast<int64_t>(static_cast<uint64_t>(result[l].i) << unused) >>
          unused;
  }
}

/// Comparisons that are false for NaN, or true.
static void runComparison(const ScalarInstruction &in,
                          ScalarRegister *registers, int64_t count) {
  const ScalarRegister *a = registers + in.operands[0],
                       *b = registers + in.operands[1];
  ScalarRegister *result = registers + in.result;
  auto forAll = [&](auto compare) {
    for (int64_t l = 0; l < count; ++l)
      result[l].i = compare(a[l].f, b[l].f);
  };
  using P = arith::CmpFPredicate;
  switch (static_cast<P>(in.extra)) {
  case P::OEQ:
    return forAll([](double x, double y) { return x == y; });
  case P::OGT:
    return forAll([](double x, double y) { return x > y; });
  case P::OGE:
    return forAll([](double x, double y) { return x >= y; });
  case P::OLT:
    return forAll([](double x, double y) { return x < y; });
  case P::OLE:
    return forAll([](double x, double y) { return x <= y; });
  case P::UNE:
    return forAll([](double x, double y) { return x != y; });
  case P::UGT:
    return forAll([](double x, double y) { return !(x <= y); });
  case P::UGE:
    return forAll([](double x, double y) { return !(x < y); });
  case P::ULT:
    return forAll([](double x, double y) { return !(x >= y); });
  case P::ULE:
    return forAll([](double x, double y) { return !(x > y); });
  default:
    break;
  }
  ScalarContext context{registers, nullptr, {}};
  for (int64_t l = 0; l < count; ++l, ++context.registers)
    in.handler(in, context);
}

StripHandler
mlir::tensoraccess::findStripHandler(const ScalarInstruction &instruction) {
  static const auto table = [] {
    const std::pair<StringRef, StripHandler> named[] = {
        {"arith.addf", runFloats<Add>},
        {"arith.subf", runFloats<Sub>},
        {"arith.mulf", runFloats<Mul>},
        {"arith.divf", runFloats<Div>},
        {"arith.maximumf", runFloats<Max>},
        {"arith.minimumf", runFloats<Min>},
        {"arith.negf", runNegation},
        {"math.sqrt", runRoot},
        {"arith.extf", runSame},
        {"arith.truncf", runSame},
        {"arith.select", runChoice},
        {"arith.cmpf", runComparison},
        {"arith.addi", runInts<AddInt>},
        {"arith.subi", runInts<SubInt>},
        {"arith.muli", runInts<MulInt>}};
    llvm::DenseMap<void *, StripHandler> byHandler;
    for (auto [name, handler] : named)
      byHandler[reinterpret_cast<void *>(findScalarHandler(name))] = handler;
    return byHandler;
  }();
  return table.lookup(reinterpret_cast<void *>(instruction.handler));
}
