//===- RandomBits.cpp - Threefry and Philox -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threefry2x32 with 20 rounds and Philox4x32 with 10: Salmon, Moraes, Dror and
// Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). Which counters
// make which elements is XLA's choice: Threefry's two words are the two halves of
// a dimension, Philox's four are neighbours.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Arithmetic of unsigned vectors of one length; scalars are tensors of rank 0.
struct Words {
  HloBuilder &h;
  Type u32 = IntegerType::get(h.b.getContext(), 32, IntegerType::Unsigned);
  Type u64 = IntegerType::get(h.b.getContext(), 64, IntegerType::Unsigned);

  Value like(Value x, uint64_t bits) { return h.integer(x.getType(), bits); }
  Value plus(Value x, uint64_t bits) { return h.add(x, like(x, bits)); }
  Value exclusive(Value x, Value y) { return h.binary("stablehlo.xor", x, y); }
  Value left(Value x, uint64_t bits) {
    return h.binary("stablehlo.shift_left", x, like(x, bits));
  }
  Value right(Value x, uint64_t bits) {
    return h.binary("stablehlo.shift_right_logical", x, like(x, bits));
  }
  Value rotate(Value x, uint64_t bits) {
    return h.binary("stablehlo.or", left(x, bits), right(x, 32 - bits));
  }
  Value low(Value x) { return h.convert(x, u32); }
  Value high(Value x) { return h.convert(right(x, 32), u32); }
  Value join(Value low, Value high) {
    return h.binary("stablehlo.or", h.convert(low, u64),
                    left(h.convert(high, u64), 32));
  }
  /// Element i of a vector.
  Value element(Value x, int64_t i) {
    return h.reshape(h.slice(x, {i}, {i + 1}), {});
  }
  Value repeat(Value x, int64_t count) { return h.broadcast(x, {count}, {}); }
  /// 0, 1, …, count - 1
  Value count(int64_t count) {
    return h.iota(RankedTensorType::get({count}, u64), 0);
  }

  std::array<Value, 2> threefry(std::array<Value, 2> x, Value key0, Value key1);
  std::array<Value, 4> philox(std::array<Value, 4> x, Value key0, Value key1);
};

/// What a generator made: the elements in their order, and the next counter.
struct Bits {
  Value elements;
  SmallVector<Value> counter;
};
} // namespace

std::array<Value, 2> Words::threefry(std::array<Value, 2> x, Value key0,
                                     Value key1) {
  static constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Value keys[] = {
      key0, key1, exclusive(exclusive(like(key0, 0x1BD11BDA), key0), key1)};
  x = {h.add(x[0], keys[0]), h.add(x[1], keys[1])};
  for (unsigned group = 0; group < 5; ++group) {
    for (int bits : kRotations[group % 2]) {
      x[0] = h.add(x[0], x[1]);
      x[1] = exclusive(x[0], rotate(x[1], bits));
    }
    x[0] = h.add(x[0], keys[(group + 1) % 3]);
    x[1] = plus(h.add(x[1], keys[(group + 2) % 3]), group + 1);
  }
  return x;
}

std::array<Value, 4> Words::philox(std::array<Value, 4> x, Value key0,
                                   Value key1) {
  auto product = [&](Value x, uint64_t factor) {
    Value wide = h.convert(x, u64);
    return h.mul(wide, like(wide, factor));
  };
  for (int round = 0; round < 10; ++round) {
    Value first = product(x[0], 0xD2511F53), second = product(x[2], 0xCD9E8D57);
    x = {exclusive(exclusive(high(second), x[1]), key0), low(second),
         exclusive(exclusive(high(first), x[3]), key1), low(first)};
    key0 = plus(key0, 0x9E3779B9);
    key1 = plus(key1, 0xBB67AE85);
  }
  return x;
}

/// Words of 32 or 64 bits in a shape, of state [key, counter].
static Bits makeThreefry(Words w, Value state, ArrayRef<int64_t> shape,
                         bool isWide) {
  HloBuilder &h = w.h;
  Value key = w.element(state, 0), counter = w.element(state, 1);
  // One word of each of two numbers: halves of the first even dimension, or of
  // the longest one.
  SmallVector<int64_t> halves(shape);
  size_t split = 0;
  if (!isWide && !shape.empty()) {
    const auto *even =
        llvm::find_if(shape, [](int64_t size) { return size % 2 == 0; });
    const auto *longest = std::max_element(shape.begin(), shape.end());
    split = (even != shape.end() ? even : longest) - shape.begin();
    halves[split] = llvm::divideCeil(halves[split], 2);
  }
  const int64_t count = ShapedType::getNumElements(halves);
  Value places = h.add(w.repeat(counter, count), w.count(count));
  auto [x, y] =
      w.threefry({w.low(places), w.high(places)}, w.repeat(w.low(key), count),
                 w.repeat(w.high(key), count));
  Bits bits{Value(), {w.plus(counter, count)}};
  if (isWide) {
    bits.elements = h.reshape(w.join(x, y), shape);
  } else if (shape.empty()) {
    bits.elements = h.reshape(x, {});
  } else {
    SmallVector<int64_t> part(halves), both(halves), zeros(shape.size(), 0);
    part.insert(part.begin() + split + 1, 1);
    both[split] *= 2;
    Value all = h.reshape(
        h.concatenate({h.reshape(x, part), h.reshape(y, part)}, split + 1),
        both);
    bits.elements = ArrayRef(both) == shape ? all : h.slice(all, zeros, shape);
  }
  return bits;
}

/// Of state [key, low of the counter, high], or [high and key, low].
static Bits makePhilox(Words w, Value state, ArrayRef<int64_t> shape,
                       bool isWide) {
  HloBuilder &h = w.h;
  const bool isLong = getTensorType(state).getDimSize(0) >= 3;
  Value key = w.element(state, 0), low = w.element(state, 1);
  Value high = isLong ? w.element(state, 2) : key;
  const int64_t elements = ShapedType::getNumElements(shape);
  const int64_t perGroup = isWide ? 2 : 4;
  const int64_t count = llvm::divideCeil(elements, perGroup);
  auto advance = [&](Value lows, Value highs, Value by) {
    Value sum = h.add(lows, by);
    return std::pair{
        sum, h.select(h.compare("LT", sum, lows), w.plus(highs, 1), highs)};
  };
  auto [lows, highs] =
      advance(w.repeat(low, count), w.repeat(high, count), w.count(count));
  std::array<Value, 4> x =
      w.philox({w.low(lows), w.high(lows), w.low(highs), w.high(highs)},
               w.repeat(w.low(key), count), w.repeat(w.high(key), count));
  SmallVector<Value> words(x.begin(), x.end());
  if (isWide)
    words = {w.join(x[0], x[1]), w.join(x[2], x[3])};
  for (Value &word : words)
    word = h.reshape(word, {count, 1});
  Value all = h.reshape(h.concatenate(words, 1), {count * perGroup});
  Bits bits{h.reshape(h.slice(all, {0}, {elements}), shape), {}};
  auto [nextLow, nextHigh] = advance(low, high, w.like(low, count));
  bits.counter = {nextLow};
  if (isLong)
    bits.counter.push_back(nextHigh);
  return bits;
}

SmallVector<Value> tensoraccess::expandRngBitGenerator(HloBuilder &h,
                                                       Operation *op,
                                                       std::string &why) {
  Words w{h};
  auto fail = [&](StringRef reason) {
    why = reason;
    return SmallVector<Value>();
  };
  if (op->getNumOperands() != 1 || op->getNumResults() != 2)
    return fail("it must have one operand and two results");
  auto state = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(1).getType());
  if (!state || state.getRank() != 1 || state.getElementType() != w.u64 ||
      state.getDimSize(0) < 2 || state.getDimSize(0) > 3 ||
      op->getResult(0).getType() != state)
    return fail("its state must be a tensor of 2 or 3 ui64");
  if (!result || !result.hasStaticShape() || result.getEncoding() ||
      !result.getElementType().isIntOrFloat())
    return fail("its result must be a tensor of numbers of static shape");
  const unsigned width = result.getElementTypeBitWidth();
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, width))
    return fail("its elements must have 8, 16, 32 or 64 bits");
  StringRef algorithm = getHloKeyword(op->getAttr("rng_algorithm"));
  const bool isThreefry = algorithm == "THREE_FRY";
  if (!isThreefry && algorithm != "PHILOX" && algorithm != "DEFAULT")
    return fail("its algorithm must be DEFAULT, THREE_FRY or PHILOX");
  if (isThreefry && state.getDimSize(0) != 2)
    return fail("the state of THREE_FRY must be a tensor of 2 ui64");
  Value given = op->getOperand(0);
  Bits bits = isThreefry
                  ? makeThreefry(w, given, result.getShape(), width == 64)
                  : makePhilox(w, given, result.getShape(), width == 64);
  SmallVector<Value> next{h.slice(given, {0}, {1})};
  for (Value word : bits.counter)
    next.push_back(h.reshape(word, {1}));
  Type unsignedType =
      IntegerType::get(op->getContext(), width, IntegerType::Unsigned);
  return {h.concatenate(next, 0),
          h.bitcast(h.convert(bits.elements, unsignedType),
                    result.getElementType())};
}
