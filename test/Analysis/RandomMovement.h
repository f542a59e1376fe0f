//===- RandomMovement.h - Random programs of movement ops -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of movement ops on small access patterns, drawn with a fixed seed, and
// ways to do nothing in several steps.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_ANALYSIS_RANDOMMOVEMENT_H
#define TENSORACCESS_TEST_ANALYSIS_RANDOMMOVEMENT_H

#include "../Interpreter/Run.h"
#include "TensorAccess/Core/Checked.h"

#include <numeric>
#include <random>

namespace mlir::tensoraccess {

class RandomMovement {
public:
  RandomMovement(OpBuilder &b, unsigned seed) : b(b), engine(seed) {}

  int64_t pick(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(engine() % (hi - lo + 1));
  }
  SmallVector<int64_t> shape(unsigned rank, int64_t hi) {
    SmallVector<int64_t> result;
    for (unsigned i = 0; i < rank; ++i)
      result.push_back(pick(1, hi));
    return result;
  }
  SmallVector<int64_t> permutation(unsigned rank) {
    SmallVector<int64_t> result(rank);
    std::iota(result.begin(), result.end(), 0);
    for (unsigned i = rank; i > 1; --i)
      std::swap(result[i - 1], result[pick(0, i - 1)]);
    return result;
  }
  /// A random factorisation of n into at most three factors, none for 1.
  SmallVector<int64_t> factors(int64_t n) {
    SmallVector<int64_t> result;
    while (n > 1 && result.size() < 2) {
      SmallVector<int64_t> divisors;
      for (int64_t f = 2; f <= n; ++f)
        if (n % f == 0)
          divisors.push_back(f);
      result.push_back(divisors[pick(0, divisors.size() - 1)]);
      n /= result.back();
    }
    if (n > 1 || pick(0, 3) == 0)
      result.push_back(n);
    return result;
  }

  Value access(Value tensor, int64_t axis) {
    return AccessOp::create(b, loc(), tensor, axis);
  }
  Value toTensor(Value pattern) {
    return ToTensorOp::create(b, loc(), pattern);
  }
  Value reshape(Value p, ArrayRef<int64_t> access, ArrayRef<int64_t> compute) {
    return ReshapeOp::create(
        b, loc(), AccessType::get(access, compute, typeOf(p).getElementType()),
        p);
  }
  Value slice(Value p, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides) {
    return SliceOp::create(b, loc(), p, b.getDenseI64ArrayAttr(offsets),
                           b.getDenseI64ArrayAttr(sizes),
                           b.getDenseI64ArrayAttr(strides));
  }
  /// A slice in one dimension.
  Value cut(Value p, int64_t axis, int64_t offset, int64_t size,
            int64_t stride = 1) {
    SmallVector<int64_t> sizes = typeOf(p).getShape(), offsets(sizes.size(), 0),
                         strides(sizes.size(), 1);
    offsets[axis] = offset;
    sizes[axis] = size;
    strides[axis] = stride;
    return slice(p, offsets, sizes, strides);
  }
  Value pad(Value p, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            ArrayRef<int64_t> interior, double value) {
    return PadOp::create(b, loc(), p, b.getDenseI64ArrayAttr(low),
                         b.getDenseI64ArrayAttr(high),
                         b.getFloatAttr(typeOf(p).getElementType(), value),
                         b.getDenseI64ArrayAttr(interior));
  }
  Value concat(ValueRange patterns, int64_t axis) {
    return ConcatOp::create(b, loc(), patterns, axis);
  }
  Value transpose(Value p, ArrayRef<int64_t> perm) {
    return TransposeOp::create(b, loc(), p, b.getDenseI64ArrayAttr(perm));
  }

  /// One random movement.
  Value step(Value p) {
    AccessType type = typeOf(p);
    const int64_t rank = type.getRank(), size = *type.getNumElements();
    SmallVector<int64_t> sizes = type.getShape();
    switch (pick(0, 12)) {
    case 0:
      return transpose(p, permutation(rank));
    case 1: {
      SmallVector<int64_t> offsets, taken, strides;
      for (int64_t n : sizes) {
        int64_t stride = pick(0, 2) == 0 ? pick(-2, 2) : 1;
        stride = stride == 0 ? -1 : stride;
        taken.push_back(pick(0, 1) == 0
                            ? (n - 1) / std::abs(stride) + 1
                            : pick(1, (n - 1) / std::abs(stride) + 1));
        const int64_t length = (taken.back() - 1) * std::abs(stride) + 1;
        const int64_t begin = pick(0, n - length);
        offsets.push_back(stride < 0 ? begin + length - 1 : begin);
        strides.push_back(stride);
      }
      return slice(p, offsets, taken, strides);
    }
    case 2: {
      SmallVector<int64_t> window, strides, dilations;
      int64_t grown = size;
      for (int64_t n : type.getComputeShape()) {
        window.push_back(pick(1, std::min<int64_t>(n, 3)));
        strides.push_back(pick(1, 2));
        dilations.push_back(n >= 2 * window.back() - 1 ? pick(1, 2) : 1);
        grown *= window.back();
      }
      if (grown > 500 || rank > 5)
        return p;
      return WindowsOp::create(b, loc(), p, b.getDenseI64ArrayAttr(window),
                               b.getDenseI64ArrayAttr(strides),
                               b.getDenseI64ArrayAttr(dilations));
    }
    case 3:
      return FlattenOp::create(b, loc(), p);
    case 4: {
      auto side = [&](ArrayRef<int64_t> dims) {
        return factors(*elementCount(dims));
      };
      return reshape(p, side(type.getAccessShape()),
                     side(type.getComputeShape()));
    }
    case 5:
      if (rank > 5)
        return p;
      return InsertAxisOp::create(b, loc(), p, pick(0, rank));
    case 6:
      for (int64_t i = 0; i < rank; ++i)
        if (sizes[i] == 1)
          return SqueezeOp::create(b, loc(), p, i);
      return p;
    case 7: {
      bool grows = false;
      for (int64_t &n : sizes)
        if (n == 1 && size < 200) {
          n = pick(1, 3);
          grows |= n != 1;
        }
      if (!grows || *elementCount(sizes) > 500)
        return p;
      ArrayRef<int64_t> all(sizes);
      return BroadcastOp::create(
          b, loc(),
          AccessType::get(all.take_front(type.getAccessRank()),
                          all.drop_front(type.getAccessRank()),
                          type.getElementType()),
          p);
    }
    case 8:
      if (type.getAccessRank() == 0)
        return p;
      return ShiftRightOp::create(b, loc(), p, pick(0, type.getAccessRank()));
    case 9:
      return access(toTensor(p), pick(0, rank));
    case 10: {
      SmallVector<int64_t> low, high, interior;
      int64_t grown = 1;
      for (int64_t n : sizes) {
        low.push_back(pick(0, 2) == 0 ? 1 : 0);
        high.push_back(pick(0, 2) == 0 ? pick(1, 2) : 0);
        interior.push_back(pick(0, 7) == 0 ? 1 : 0);
        grown *= 2 * n + 3;
      }
      if (grown > 4000)
        return p;
      return pad(p, low, high, interior, pick(0, 3) == 0 ? -7.0 : 0.0);
    }
    case 11:
      if (rank == 0 || size > 150)
        return p;
      return concat({p, p}, pick(0, rank - 1));
    default:
      if (rank > 5 || size > 150)
        return p;
      return PairOp::create(b, loc(), p, p);
    }
  }

  /// The same pattern, in a roundabout way.
  Value roundTrip(Value p) {
    AccessType type = typeOf(p);
    const int64_t rank = type.getRank();
    SmallVector<int64_t> sizes = type.getShape(), zeros(rank, 0);
    if (rank == 0)
      return access(toTensor(p), 0);
    const int64_t axis = pick(0, rank - 1), n = sizes[axis];
    switch (pick(0, 6)) {
    case 0: {
      SmallVector<int64_t> perm = permutation(rank), inverse(rank);
      for (int64_t i = 0; i < rank; ++i)
        inverse[perm[i]] = i;
      return transpose(transpose(p, perm), inverse);
    }
    case 1:
      return reshape(FlattenOp::create(b, loc(), p), type.getAccessShape(),
                     type.getComputeShape());
    case 2:
      if (n < 2)
        return p;
      return concat({cut(p, axis, 0, 1), cut(p, axis, 1, n - 1)}, axis);
    case 3: {
      SmallVector<int64_t> low, ones(rank, 1);
      for (int64_t i = 0; i < rank; ++i)
        low.push_back(pick(0, 1));
      if (*elementCount(sizes) > 100)
        return p;
      return slice(pad(p, low, ones, zeros, 0.0), low, sizes, ones);
    }
    case 4:
      return cut(cut(p, axis, n - 1, n, -1), axis, n - 1, n, -1);
    case 5:
      return SqueezeOp::create(b, loc(),
                               InsertAxisOp::create(b, loc(), p, axis), axis);
    default:
      return access(access_(toTensor(p)), type.getAccessRank());
    }
  }

  OpBuilder &getBuilder() { return b; }

private:
  /// A detour over another split.
  Value access_(Value tensor) { return toTensor(access(tensor, 0)); }
  static AccessType typeOf(Value p) { return cast<AccessType>(p.getType()); }
  Location loc() { return b.getUnknownLoc(); }

  OpBuilder &b;
  std::mt19937 engine;
};

/// Functions @main that a test builds op by op.
class BuildTest : public RunTest {
protected:
  /// A function from one tensor to the tensor that `body` computes of it.
  void build(ArrayRef<int64_t> shape,
             function_ref<Value(OpBuilder &, Value)> body) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder b(&context);
    b.setInsertionPointToStart(module->getBody());
    auto type = RankedTensorType::get(shape, b.getF32Type());
    auto function = func::FuncOp::create(b, b.getUnknownLoc(), "main",
                                         b.getFunctionType(type, {}));
    b.setInsertionPointToStart(function.addEntryBlock());
    Value result = body(b, function.getArgument(0));
    if (isa<AccessType>(result.getType()))
      result = ToTensorOp::create(b, b.getUnknownLoc(), result);
    func::ReturnOp::create(b, b.getUnknownLoc(), result);
    function.setFunctionType(b.getFunctionType(type, result.getType()));
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }
  Tensor runModule(ArrayRef<Tensor> inputs) {
    FailureOr<SmallVector<Tensor>> results = interpret(*module, "main", inputs);
    EXPECT_TRUE(succeeded(results)) << messages << print();
    return succeeded(results) ? results->front() : Tensor();
  }
  /// The operand of the function's return.
  Value getResult() {
    Value result;
    module->walk([&](func::ReturnOp op) { result = op.getOperand(0); });
    return result;
  }
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_ANALYSIS_RANDOMMOVEMENT_H
