//===- ScalarProgram.h - Regions of scalar ops, made ready to run ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a linalg op runs millions of times, so that it is translated
// once into a list of instructions on numbered registers:
//
//   * registers 0 … n-1 are the block's arguments, the next ones the loop
//     indices (linalg.index), then constants, values from outside the region,
//     and the results of ops in order;
//   * a register is a double or an int64. A float of any type is held as the
//     double of the same value and rounded to its type after each op; for
//     +, -, *, / and sqrt of f32, f16 and bf16 that is the correctly rounded
//     result, as 53 ≥ 2p + 2. An integer is held sign-extended, i1 as 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_SCALARPROGRAM_H
#define TENSORACCESS_LIB_INTERPRETER_SCALARPROGRAM_H

#include "Environment.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

namespace mlir::tensoraccess {

/// The type of a scalar: what holds it, and the bits that it has of that.
struct ScalarType {
  constexpr ScalarType(ElementType held, unsigned bits)
      : held(held), bits(bits) {}
  ScalarType(ElementType type) : held(type), bits(bitWidth(type)) {}
  operator ElementType() const { return held; }

  ElementType held;
  uint8_t bits;
};

/// std::nullopt for types that the interpreter does not hold.
std::optional<ScalarType> getScalarType(Type type);

/// One scalar.
union ScalarRegister {
  double f;
  int64_t i;
};

struct ScalarInstruction;
class ScalarProgram;

/// What an instruction sees besides itself.
struct ScalarContext {
  ScalarRegister *registers;
  const ScalarProgram *program;
  /// Why an instruction failed.
  std::string message;
  /// The op that failed inside a branch; null outside of branches.
  Operation *faultyOp = nullptr;
};

/// Runs one instruction; false, with a message, on a fault.
using ScalarHandler = bool (*)(const ScalarInstruction &, ScalarContext &);

/// Runs one for the first `count` lanes of a strip (Strips.h), none of which
/// fails: lane l of register r is `registers[r + l]`, so the numbers in the
/// instruction are those of lanes 0.
using StripHandler = void (*)(const ScalarInstruction &instruction,
                              ScalarRegister *registers, int64_t count);

/// Two ways to the same bits. Without `strip`, lanes run one by one.
struct ScalarHandlers {
  constexpr ScalarHandlers(ScalarHandler run = nullptr,
                           StripHandler strip = nullptr)
      : run(run), strip(strip) {}

  ScalarHandler run;
  StripHandler strip;
};

struct ScalarInstruction {
  ScalarHandlers handlers;
  uint32_t result = 0;
  /// Registers of the first three operands.
  uint32_t operands[3] = {0, 0, 0};
  ScalarType operandType{ElementType::I64, 64},
      resultType{ElementType::I64, 64};
  /// A comparison's predicate, or an index into a side table of the program.
  int64_t extra = 0;
  Operation *op = nullptr;
};

/// Chooses the handlers of a scalar op of arith or math, and its predicate;
/// false if the op is not one of those.
bool selectScalarOp(Operation *op, ScalarInstruction &instruction);

/// The handlers of an op of arith or math by name; without `run` for other names.
ScalarHandlers findScalarHandlers(StringRef name);
/// True for the ops of arith that have a result for each half of a number.
bool isExtendedOp(Operation *op);

/// selectScalarOp for an op of the index dialect.
bool selectIndexOp(Operation *op, ScalarInstruction &instruction);
/// selectScalarOp for an elementwise op of StableHLO.
bool selectHloScalarOp(Operation *op, ScalarInstruction &instruction);

/// The names of the ops that the functions above know: whole ones, those of the
/// index dialect, and StableHLO's without their dialect.
SmallVector<StringRef> listScalarOps();
SmallVector<StringRef> listIndexOps();
SmallVector<StringRef> listHloScalarOps();

//===----------------------------------------------------------------------===//
// What handlers compute with
//===----------------------------------------------------------------------===//

/// A double as the nearest value of a float type.
inline double roundTo(double value, ElementType type) {
  switch (type) {
  case ElementType::F32:
    return float(value);
  case ElementType::F16:
    return float(Half(value));
  case ElementType::BF16:
    return float(BFloat16(value));
  default:
    return value;
  }
}

/// The lowest bits of an integer, zero-extended.
inline uint64_t zeroExtend(int64_t value, ScalarType type) {
  return uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(type.bits);
}

/// The key of -NaN < -inf < ... < -0 < 0 < ... < inf < NaN.
inline int64_t getTotalOrder(double value) {
  const auto bits = llvm::bit_cast<int64_t>(value);
  return bits < 0 ? int64_t(~uint64_t(bits) | (uint64_t(1) << 63)) : bits;
}

/// The lowest bits of an integer, sign-extended; i1 is 0 or -1 here.
inline int64_t signExtend(int64_t value, ScalarType type) {
  return llvm::SignExtend64(uint64_t(value), type.bits);
}

/// An integer as registers hold it: sign-extended, but i1 as 0 or 1.
inline int64_t wrapTo(int64_t value, ScalarType type) {
  return type.bits == 1 ? value & 1 : signExtend(value, type);
}

inline double &floatAt(ScalarContext &context, uint32_t number) {
  return context.registers[number].f;
}
inline int64_t &intAt(ScalarContext &context, uint32_t number) {
  return context.registers[number].i;
}

class ScalarProgram {
public:
  /// Translates a block whose arguments are scalars and whose terminator's
  /// operands are the outputs. Values from outside come from `env`, registers
  /// for `numLoops` loop indices follow the arguments. Reports what it cannot
  /// translate at its op.
  static FailureOr<ScalarProgram> compile(Block &block, int64_t numLoops,
                                          const Environment &env);
  /// Translates a single op of one result, or an extended one, applied to scalars
  /// in place of its operands.
  static FailureOr<ScalarProgram> compileOp(Operation *op);

  /// A fresh set of registers, constants filled in.
  SmallVector<ScalarRegister> createRegisters() const { return initial; }
  /// The register of a loop's index.
  uint32_t getIndexRegister(int64_t loop) const { return numArguments + loop; }
  ArrayRef<uint32_t> getOutputs() const { return outputs; }
  ArrayRef<ScalarInstruction> getInstructions() const { return instructions; }
  /// Rounds what an op computes, outside of branches, to another type.
  void setType(Operation *op, ScalarType type) {
    for (ScalarInstruction &instruction : instructions)
      if (instruction.op == op)
        instruction.resultType = type;
  }
  /// True if something reads the index of a loop, or an argument.
  bool usesLoopIndices() const { return loopIndicesUsed; }
  bool usesArguments() const { return argumentsUsed; }

  /// Runs once. On a fault, reports it at its op.
  LogicalResult run(ScalarContext &context) const {
    for (const ScalarInstruction &instruction : instructions)
      if (LLVM_UNLIKELY(!instruction.handlers.run(instruction, context)))
        return (context.faultyOp ? context.faultyOp : instruction.op)
            ->emitOpError(context.message);
    return success();
  }

  /// Side tables of tensor.extract, affine.apply, the ops on indices and the
  /// blocks of scf.if.
  struct ElementAccess {
    Tensor tensor;
    SmallVector<uint32_t> indices;
  };
  struct AffineApply {
    AffineMap map;
    SmallVector<uint32_t> operands;
  };
  struct IndexStep {
    SmallVector<uint32_t> operands, results;
  };
  /// The blocks end in copies of what they yield to the op's results.
  struct Branch {
    std::vector<ScalarInstruction> whenTrue, whenFalse;
  };
  const IndexStep &getIndexStep(int64_t i) const { return indexSteps[i]; }
  const Branch &getBranch(int64_t i) const { return branches[i]; }
  const ElementAccess &getElementAccess(int64_t i) const {
    return elementAccesses[i];
  }
  const AffineApply &getAffineApply(int64_t i) const {
    return affineApplies[i];
  }

private:
  class Compiler;

  SmallVector<ScalarRegister> initial;
  std::vector<ScalarInstruction> instructions;
  SmallVector<uint32_t> outputs;
  SmallVector<ElementAccess> elementAccesses;
  SmallVector<AffineApply> affineApplies;
  SmallVector<IndexStep> indexSteps;
  SmallVector<Branch> branches;
  uint32_t numArguments = 0;
  bool loopIndicesUsed = false, argumentsUsed = false;
};

/// Reads or writes one element.
using LoadFn = ScalarRegister (*)(const void *);
using StoreFn = void (*)(void *, ScalarRegister);
LoadFn getLoad(ElementType type);
StoreFn getStore(ElementType type);

/// The element of a scalar tensor.
ScalarRegister loadScalar(const Tensor &scalar);

/// The value of an affine expression; std::nullopt on overflow and on division
/// by zero or a negative number.
std::optional<int64_t> evaluateAffine(AffineExpr expr, ArrayRef<int64_t> dims,
                                      ArrayRef<int64_t> symbols);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_SCALARPROGRAM_H
