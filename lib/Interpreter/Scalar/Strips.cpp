//===- Strips.cpp - Many points of a loop nest at a time ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Neighbouring loops that all operands walk as one become one, unless the
//    program reads indices.
// 2. A loop is taken innermost: one that moves all that is written, to places
//    that no other iteration of it writes. The others keep their order. Of
//    several, the one that is long and contiguous.
// 3. Registers have a lane for each point of a strip. Operands are loaded, each
//    instruction runs on all lanes, results are stored. An instruction without
//    a handler for strips runs lane by lane, as it is: its registers are
//    numbered by lanes 0, and the context's begin at its lane.
//
//===----------------------------------------------------------------------===//

#include "Strips.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Points of a strip.
static constexpr int64_t kLanes = 128;

bool mlir::tensoraccess::haveOwnPlaces(ArrayRef<int64_t> sizes,
                                       ArrayRef<int64_t> steps,
                                       int64_t elementSize) {
  SmallVector<std::pair<int64_t, int64_t>> loops;
  for (auto [size, step] : llvm::zip_equal(sizes, steps))
    if (step != 0 && size > 1)
      loops.push_back({std::abs(step), size});
  llvm::sort(loops);
  __int128 reach = elementSize;
  for (auto [step, size] : loops) {
    if (step < reach)
      return false;
    reach += __int128(step) * (size - 1);
  }
  return true;
}

/// True for instructions that do more than turn registers into a register.
static bool hasSideTable(Operation *op) {
  return isa<tensor::ExtractOp, affine::AffineApplyOp, cf::AssertOp, AssertOp,
             scf::IfOp, scf::YieldOp, LinearizeOp, DelinearizeOp,
             ApplyIndexingOp>(op) ||
         isExtendedOp(op);
}

//===----------------------------------------------------------------------===//
// Loading and storing
//===----------------------------------------------------------------------===//

/// `lanes[l]` = the element at address + l·step.
static void load(ElementType type, const char *address, int64_t step,
                 ScalarRegister *lanes, int64_t count) {
  if (step == 0) {
    std::fill_n(lanes, count, getLoad(type)(address));
    return;
  }
  dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto loadAll = [&](auto at) {
      for (int64_t l = 0; l < count; ++l) {
        const T element = *at(l);
        if constexpr (std::is_same_v<T, Bit>)
          lanes[l].i = element.value;
        else if constexpr (Arithmetic<T>::isFloat)
          lanes[l].f = typename Arithmetic<T>::Wide(element);
        else
          lanes[l].i = element;
      }
    };
    if (step == sizeof(T))
      loadAll(
          [&](int64_t l) { return reinterpret_cast<const T *>(address) + l; });
    else
      loadAll([&](int64_t l) {
        return reinterpret_cast<const T *>(address + l * step);
      });
  });
}

static void store(ElementType type, char *address, int64_t step,
                  const ScalarRegister *lanes, int64_t count) {
  dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto storeAll = [&](auto at) {
      for (int64_t l = 0; l < count; ++l) {
        if constexpr (std::is_same_v<T, Bit>)
          *at(l) = Bit(lanes[l].i & 1);
        else if constexpr (Arithmetic<T>::isFloat)
          *at(l) = T(lanes[l].f);
        else
          *at(l) = T(lanes[l].i);
      }
    };
    if (step == sizeof(T))
      storeAll([&](int64_t l) { return reinterpret_cast<T *>(address) + l; });
    else
      storeAll(
          [&](int64_t l) { return reinterpret_cast<T *>(address + l * step); });
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
class StripRunner {
public:
  StripRunner(const ScalarProgram &program, ArrayRef<StripOperand> operands,
              ArrayRef<int64_t> sizes)
      : program(program), operands(operands), sizes(sizes) {}

  bool run();

private:
  void mergeLoops();
  std::optional<size_t> chooseLoop() const;
  bool compile();
  bool runStrip(int64_t begin, int64_t count);

  const ScalarProgram &program;
  SmallVector<StripOperand> operands;
  SmallVector<int64_t> sizes, point;
  size_t inner = 0;
  /// With the registers' lanes 0.
  std::vector<ScalarInstruction> instructions;
  std::vector<ScalarRegister> registers;
};
} // namespace

void StripRunner::mergeLoops() {
  for (size_t d = sizes.size(); d-- > 1;) {
    auto isOne = [&](const StripOperand &operand) {
      return sizes[d - 1] == 1 ||
             operand.steps[d - 1] == operand.steps[d] * sizes[d];
    };
    if (!llvm::all_of(operands, isOne))
      continue;
    sizes[d - 1] *= sizes[d];
    sizes.erase(sizes.begin() + d);
    for (StripOperand &operand : operands)
      operand.steps.erase(operand.steps.begin() + (d - 1));
  }
}

std::optional<size_t> StripRunner::chooseLoop() const {
  for (const StripOperand &operand : operands)
    if (operand.write &&
        !haveOwnPlaces(sizes, operand.steps, byteSize(operand.type)))
      return std::nullopt;
  std::optional<size_t> best;
  double least = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    bool isContiguous = true, isFree = true;
    for (const StripOperand &operand : operands) {
      isFree &= !operand.write || operand.steps[d] != 0;
      isContiguous &=
          operand.steps[d] == 0 || operand.steps[d] == byteSize(operand.type);
    }
    const double cost =
        (isContiguous ? 1 : 2) * (1 + 16 / static_cast<double>(sizes[d]));
    if (isFree && (!best || cost <= least)) {
      best = d;
      least = cost;
    }
  }
  return best;
}

bool StripRunner::compile() {
  for (const ScalarInstruction &instruction : program.getInstructions()) {
    if (hasSideTable(instruction.op))
      return false;
    ScalarInstruction scaled = instruction;
    scaled.result *= kLanes;
    for (uint32_t &operand : scaled.operands)
      operand *= kLanes;
    instructions.push_back(scaled);
  }
  SmallVector<ScalarRegister> start = program.createRegisters();
  registers.resize(start.size() * kLanes);
  for (auto [number, value] : llvm::enumerate(start))
    std::fill_n(registers.begin() + number * kLanes, kLanes, value);
  return true;
}

bool StripRunner::runStrip(int64_t begin, int64_t count) {
  if (program.usesLoopIndices())
    for (size_t d = 0; d < sizes.size(); ++d) {
      ScalarRegister *lanes =
          registers.data() + program.getIndexRegister(d) * kLanes;
      for (int64_t l = 0; l < count; ++l)
        lanes[l].i = d == inner ? begin + l : point[d];
    }
  for (const StripOperand &operand : operands)
    if (operand.read)
      load(operand.type, operand.address + begin * operand.steps[inner],
           operand.steps[inner], registers.data() + *operand.read * kLanes,
           count);
  for (const ScalarInstruction &instruction : instructions) {
    if (instruction.handlers.strip) {
      instruction.handlers.strip(instruction, registers.data(), count);
      continue;
    }
    ScalarContext context{registers.data(), &program, {}};
    for (int64_t l = 0; l < count; ++l, ++context.registers)
      if (!instruction.handlers.run(instruction, context))
        return false;
  }
  for (const StripOperand &operand : operands)
    if (operand.write)
      store(operand.type, operand.address + begin * operand.steps[inner],
            operand.steps[inner], registers.data() + *operand.write * kLanes,
            count);
  return true;
}

bool StripRunner::run() {
  if (!program.usesLoopIndices())
    mergeLoops();
  std::optional<size_t> chosen = chooseLoop();
  if (!chosen || !compile())
    return false;
  inner = *chosen;
  point.assign(sizes.size(), 0);
  while (true) {
    if (isCancelled())
      return false;
    for (int64_t begin = 0; begin < sizes[inner]; begin += kLanes)
      if (!runStrip(begin, std::min(kLanes, sizes[inner] - begin)))
        return false;
    size_t d = sizes.size();
    while (d-- > 0) {
      if (d == inner)
        continue;
      const bool isNext = ++point[d] < sizes[d];
      for (StripOperand &operand : operands)
        operand.address += operand.steps[d] * (isNext ? 1 : 1 - sizes[d]);
      if (isNext)
        break;
      point[d] = 0;
    }
    if (d == size_t(-1))
      return true;
  }
}

bool mlir::tensoraccess::runStrips(const ScalarProgram &program,
                                   ArrayRef<StripOperand> operands,
                                   ArrayRef<int64_t> sizes) {
  return !sizes.empty() && StripRunner(program, operands, sizes).run();
}
