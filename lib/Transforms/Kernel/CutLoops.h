//===- CutLoops.h - Parts of linalg ops on buffers --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_KERNEL_CUTLOOPS_H
#define TENSORACCESS_LIB_TRANSFORMS_KERNEL_CUTLOOPS_H

#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <array>

namespace mlir::tensoraccess {

/// The buffer that a memref is a view of.
Value getRoot(Value memref);

/// True for a buffer that nothing but its views can overlap.
bool isAllocation(Value root);

/// True for a buffer that existed before every allocation of its function.
bool isOlder(Value root);

/// True for an argument of a function that is marked as no other one
/// (`llvm.noalias`).
bool isUnaliasedArgument(Value value);

/// Whether an op is, or is in, a function of the module that is compiled, not of
/// one inside of it, such as a device's.
bool isInHostFunction(Operation *op);

/// Of a function that runs rarely, LLVM's attribute `cold`: its size counts, not
/// its speed. Whether an op is in such a function.
void setCold(func::FuncOp function);
bool isInColdFunction(Operation *op);

/// A structured op and its nest, which is asked for once.
struct NestOp {
  linalg::LinalgOp op;
  NestRef nest;

  explicit NestOp(linalg::LinalgOp op)
      : op(op), nest(getNest(OpSignature(op))) {}
  const NestRead &get(OpOperand &operand) const {
    return *nest->findRead(operand.getOperandNumber());
  }
};

/// A sum and what goes with it.
struct KernelGroup {
  linalg::FillOp fill;
  linalg::LinalgOp op;
  linalg::GenericOp epilogue;
  /// The buffer between the sum and the epilogue, if nothing else has it.
  memref::AllocOp local;
};

/// The fill that a sum begins with and the elementwise op that takes its result,
/// which may run where the sum does: what that needs is moved before the sum.
/// (OutlineKernels.cpp)
KernelGroup findGroup(linalg::LinalgOp op);

/// The iterations of most parts that CutSizes makes of the op's only loop of unknown
/// size, once it is on buffers; 0: it makes none. (CutSizes.cpp)
int64_t getPartOfUnknown(linalg::LinalgOp op);

/// Whether an op on buffers has known sizes and indices and a body that does
/// nothing but compute, read, and perhaps fail.
bool isCuttable(const NestOp &op);

/// Whether the body has assertions.
bool mayFail(linalg::LinalgOp op);

/// Where an operand is read at places that move along with the loop, as a sum of
/// loops of known sizes or in panels, the iterations that parts of it must be
/// multiples of.
std::optional<int64_t> getSliceUnit(const NestOp &op, OpOperand &operand,
                                    unsigned loop);

/// Elements of the result in a vector.
int64_t getLanes(linalg::LinalgOp op, const Target &target);

/// Cycles of one core for an op of known sizes.
double getCycles(const NestOp &op, const Target &target);

/// Of a buffer of known sizes, else 0.
int64_t getBytes(Value value);

/// Cycles of work that justify waking up another core.
inline constexpr double kLeastWork = 40000;

/// Cuts `scf.for` loops of much work for several cores where no two iterations
/// write to the same place; returns how many.
int64_t parallelizeLoops(RewriterBase &rewriter, ModuleOp module,
                         const Target &target,
                         function_ref<bool(Operation *)> mayBeCut);

/// A loop in parts: all of `size` but the last one.
struct Parts {
  int64_t count, size, last;
};

/// A buffer for a part of a group's own, of that size along a dimension.
Value allocatePart(OpBuilder &b, Location loc, memref::AllocOp local,
                   unsigned dim, int64_t size);

/// Erases the own buffer of a group that is gone, and what frees it.
void eraseLocal(RewriterBase &b, memref::AllocOp local);

/// Parts of operands, each made once: what is written and what is read back are
/// one buffer.
class Slicer {
public:
  Slicer(OpBuilder &b, Location loc, Value offset, int64_t size)
      : b(b), loc(loc), offset(offset), size(size) {}

  /// What stands for a buffer in this part.
  void set(Value operand, Value part) { given[operand] = part; }
  /// The operands of the op that `size` iterations of a loop from `offset` on
  /// reach, and the op on them.
  SmallVector<Value> get(const NestOp &op, unsigned loop);
  void clone(linalg::LinalgOp op, unsigned loop, ArrayRef<Value> operands);

private:
  Value get(const NestOp &op, OpOperand &operand, unsigned loop);

  struct Slice {
    Value operand;
    /// By dimension: how far it moves with so many iterations, and its size.
    SmallVector<std::array<int64_t, 3>> dims;
    Value result;
  };

  OpBuilder &b;
  Location loc;
  Value offset;
  int64_t size;
  llvm::SmallDenseMap<Value, Value> given;
  SmallVector<Slice> slices;
};

/// A loop over parts, parallel or not, with `body` for an offset and a size: once,
/// or once more for a last part of another size.
void emitParts(OpBuilder &b, Location loc, const Parts &parts, bool isParallel,
               function_ref<void(OpBuilder &, Value, int64_t)> body);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_KERNEL_CUTLOOPS_H
