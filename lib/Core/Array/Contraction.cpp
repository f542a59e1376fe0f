//===- Contraction.cpp - Sums of products over strided operands -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Loops of one iteration are dropped; two neighbouring loops that every
//    operand walks as one become one.
// 2. One loop over points is cut into blocks of lanes: the one of which most
//    lanes are used, and along which least is copied.
// 3. Terms are cut into chunks. Of a chunk, what a factor has for a block of
//    lanes is copied to a *panel*, converted, term by term, and used by all
//    points that do not move it; a factor that is the same for all lanes
//    gives a row. So a kernel reads memory in the order of addresses, whatever
//    the strides are, and the sums of a block are its vectors.
//
//===----------------------------------------------------------------------===//

#include "Support/VectorClones.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

// How sums are kept, and what a step does to a vector of them.

namespace {
constexpr int64_t kBytes = 64;

template <typename T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kBytes)));
};

/// Sums in the type itself; integers wrap.
template <typename T>
struct Plain {
  using Value = T;
  using Vector = typename VectorOf<T>::type;
  [[gnu::always_inline]] static Vector step(Vector sum, Vector x, Vector y) {
    return sum + x * y;
  }
};

/// With one rounding a step.
template <typename T>
struct Fused : Plain<T> {
  using Vector = typename Plain<T>::Vector;
  [[gnu::always_inline]] static Vector step(Vector sum, Vector x, Vector y) {
#if __has_builtin(__builtin_elementwise_fma)
    return __builtin_elementwise_fma(x, y, sum);
#else
    for (size_t i = 0; i < sizeof(Vector) / sizeof(T); ++i)
      sum[i] = Arithmetic<T>::addProduct(sum[i], x[i], y[i]);
    return sum;
#endif
  }
};

/// i1: addition is exclusive or.
struct Parity : Plain<uint8_t> {
  [[gnu::always_inline]] static Vector step(Vector sum, Vector x, Vector y) {
    return sum ^ (x & y);
  }
};

using Floats = VectorOf<float>::type;
using Bits = VectorOf<uint32_t>::type;

template <typename To, typename From>
[[gnu::always_inline]] static inline To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// To the nearest bf16, even on ties.
struct ToBFloat16 {
  [[gnu::always_inline]] static Floats round(Floats value) {
    const Bits bits = bitsAs<Bits>(value);
    const Bits rounded = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
    return value == value ? bitsAs<Floats>(rounded) : value;
  }
};

/// To the nearest f16, even on ties.
struct ToHalf {
  [[gnu::always_inline]] static Floats round(Floats value) {
    const Bits bits = bitsAs<Bits>(value);
    const Bits magnitude = bits & 0x7fffffff;
    // Below 2^-14, steps are those of floats from 0.5 to 1.
    const Floats small = (bitsAs<Floats>(magnitude) + 0.5f) - 0.5f;
    const Bits normal =
        (magnitude + 0xfff + ((magnitude >> 13) & 1)) & 0xffffe000;
    const Bits infinity = (bits & 0) + 0x7f800000;
    Bits rounded = normal >= 0x47800000 ? infinity : normal;
    rounded = magnitude < 0x38800000 ? bitsAs<Bits>(small) : rounded;
    rounded |= bits & 0x80000000;
    return value == value ? bitsAs<Floats>(rounded) : value;
  }
};

/// Sums of a small float, as floats, which hold its products exactly, and its
/// sums as closely as rounding once asks for.
template <typename Type>
struct Rounded : Plain<float> {
  [[gnu::always_inline]] static Vector step(Vector sum, Vector x, Vector y) {
    return Type::round(sum + Type::round(x * y));
  }
};

/// The rule of sums of a storage type, and how its values are kept.
template <typename R>
struct RuleOf : Plain<R> {};
template <>
struct RuleOf<float> : Fused<float> {};
template <>
struct RuleOf<double> : Fused<double> {};
template <>
struct RuleOf<int8_t> : Plain<uint8_t> {};
template <>
struct RuleOf<int16_t> : Plain<uint16_t> {};
template <>
struct RuleOf<int32_t> : Plain<uint32_t> {};
template <>
struct RuleOf<int64_t> : Plain<uint64_t> {};
template <>
struct RuleOf<Half> : Rounded<ToHalf> {};
template <>
struct RuleOf<BFloat16> : Rounded<ToBFloat16> {};
template <>
struct RuleOf<Bit> : Parity {};
} // namespace

/// An element as the rule of sums of type R keeps it.
template <typename R, typename T>
static typename RuleOf<R>::Value keep(T element) {
  if constexpr (std::is_same_v<R, Bit>)
    return element.value & 1;
  else
    return static_cast<typename RuleOf<R>::Value>(
        Arithmetic<T>::template extend<R>(element));
}

template <typename R>
static R unkeep(typename RuleOf<R>::Value value) {
  if constexpr (std::is_same_v<R, Bit>)
    return Bit(value != 0);
  else
    return R(value);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// The lanes of a block.
template <typename R>
constexpr int64_t kLanes = 2 * kBytes / sizeof(typename RuleOf<R>::Value);

/// Which factors have a value for each lane; the others have one for all.
enum class Varies { None, Lhs, Rhs, Both };
} // namespace

/// sums[l] = … (sums[l] + lhs·rhs of term 0) + … for all lanes of a block. A
/// factor that varies is a panel, a block of values a term; any other is a row.
template <typename R, Varies varies>
[[gnu::always_inline]] static inline void
addTerms(typename RuleOf<R>::Value *sums, const typename RuleOf<R>::Value *lhs,
         const typename RuleOf<R>::Value *rhs, int64_t count) {
  using Rule = RuleOf<R>;
  using Vector = typename Rule::Vector;
  constexpr int64_t half = kLanes<R> / 2;
  constexpr bool lhsVaries = varies == Varies::Lhs || varies == Varies::Both;
  constexpr bool rhsVaries = varies == Varies::Rhs || varies == Varies::Both;
  Vector low, high, x[2], y[2];
  std::memcpy(&low, sums, kBytes);
  std::memcpy(&high, sums + half, kBytes);
  for (int64_t k = 0; k < count; ++k) {
    if constexpr (lhsVaries)
      std::memcpy(x, lhs + 2 * half * k, 2 * kBytes);
    else
      x[0] = x[1] = lhs[k] - Vector{};
    if constexpr (rhsVaries)
      std::memcpy(y, rhs + 2 * half * k, 2 * kBytes);
    else
      y[0] = y[1] = rhs[k] - Vector{};
    low = Rule::step(low, x[0], y[0]);
    high = Rule::step(high, x[1], y[1]);
  }
  std::memcpy(sums, &low, kBytes);
  std::memcpy(sums + half, &high, kBytes);
}

template <typename R>
[[gnu::always_inline]] static inline void
addAnyTerms(Varies varies, typename RuleOf<R>::Value *sums,
            const typename RuleOf<R>::Value *lhs,
            const typename RuleOf<R>::Value *rhs, int64_t count) {
  if (varies == Varies::Lhs)
    return addTerms<R, Varies::Lhs>(sums, lhs, rhs, count);
  if (varies == Varies::Rhs)
    return addTerms<R, Varies::Rhs>(sums, lhs, rhs, count);
  if (varies == Varies::Both)
    return addTerms<R, Varies::Both>(sums, lhs, rhs, count);
  addTerms<R, Varies::None>(sums, lhs, rhs, count);
}

// Where the compiler can, it makes a copy for each width of vectors, and the
// loader chooses; templates have no such copies.
#define TENSORACCESS_KERNEL(R, V)                                              \
  TENSORACCESS_VECTOR_CLONES                                                   \
  static void addBlock(TypeTag<R>, Varies varies, V *sums, const V *lhs,       \
                       const V *rhs, int64_t count) {                          \
    addAnyTerms<R>(varies, sums, lhs, rhs, count);                             \
  }
TENSORACCESS_KERNEL(Bit, uint8_t)
TENSORACCESS_KERNEL(int8_t, uint8_t)
TENSORACCESS_KERNEL(int16_t, uint16_t)
TENSORACCESS_KERNEL(int32_t, uint32_t)
TENSORACCESS_KERNEL(int64_t, uint64_t)
TENSORACCESS_KERNEL(Half, float)
TENSORACCESS_KERNEL(BFloat16, float)
TENSORACCESS_KERNEL(float, float)
TENSORACCESS_KERNEL(double, double)
#undef TENSORACCESS_KERNEL

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// A loop: its size, and the steps of out, lhs and rhs.
struct Loop {
  int64_t size;
  int64_t steps[3];

  /// True if this loop around `inner` is one loop.
  bool continues(const Loop &inner) const {
    for (int i = 0; i < 3; ++i)
      if (steps[i] != inner.steps[i] * inner.size)
        return false;
    return true;
  }
};

/// Counts through loops, the last one fastest, and keeps where operands are.
struct Odometer {
  explicit Odometer(ArrayRef<Loop> loops) : loops(loops), at(loops.size(), 0) {}

  /// The next point; false at the end, with all offsets 0 again.
  bool advance() {
    for (size_t d = loops.size(); d-- > 0;) {
      const Loop &loop = loops[d];
      if (++at[d] < loop.size) {
        for (int i = 0; i < 3; ++i)
          offsets[i] += loop.steps[i];
        return true;
      }
      at[d] = 0;
      for (int i = 0; i < 3; ++i)
        offsets[i] -= (loop.size - 1) * loop.steps[i];
    }
    return false;
  }

  ArrayRef<Loop> loops;
  SmallVector<int64_t> at;
  int64_t offsets[3] = {0, 0, 0};
};
} // namespace

/// Step 1.
static SmallVector<Loop> makeLoops(ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> out, ArrayRef<int64_t> lhs,
                                   ArrayRef<int64_t> rhs) {
  SmallVector<Loop> loops;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    Loop loop{size, {out.empty() ? 0 : out[d], lhs[d], rhs[d]}};
    if (!loops.empty() && loops.back().continues(loop)) {
      loop.size *= loops.back().size;
      loops.back() = loop;
    } else {
      loops.push_back(loop);
    }
  }
  return loops;
}

/// Step 2: the loop along which a block of lanes costs least, counted in steps
/// of its vectors: those of unused lanes, and those for copying a
/// panel, which is shared by all points that do not move the factor.
static size_t chooseLanes(ArrayRef<Loop> loops, int64_t lanes) {
  size_t best = 0;
  double least = 0;
  for (auto [d, loop] : llvm::enumerate(loops)) {
    double cost = 1;
    for (int i : {1, 2}) {
      double sharing = loop.steps[i] == 0 ? lanes : 1;
      for (auto [e, other] : llvm::enumerate(loops))
        if (e != d && loop.steps[i] != 0 && other.steps[i] == 0)
          sharing *= other.size;
      cost += lanes / sharing;
    }
    cost *= static_cast<double>(llvm::alignTo(loop.size, lanes)) / loop.size;
    if (d == 0 || cost <= least) {
      best = d;
      least = cost;
    }
  }
  return best;
}

namespace {
/// Step 3. T are factors and R sums.
template <typename T, typename R>
class Runner {
  using Value = typename RuleOf<R>::Value;
  static constexpr int64_t lanes = kLanes<R>;
  /// The terms of a chunk: their panel stays in a cache.
  static constexpr int64_t chunk = 1024;

public:
  explicit Runner(const StridedContraction &contraction)
      : out(static_cast<R *>(contraction.out.data)),
        data{static_cast<const T *>(contraction.lhs.data),
             static_cast<const T *>(contraction.rhs.data)},
        sums(makeLoops(contraction.sums, {}, contraction.lhs.sumSteps,
                       contraction.rhs.sumSteps)) {
    SmallVector<Loop> points =
        makeLoops(contraction.points, contraction.out.pointSteps,
                  contraction.lhs.pointSteps, contraction.rhs.pointSteps);
    if (!points.empty()) {
      const size_t chosen = chooseLanes(points, lanes);
      lane = points[chosen];
      points.erase(points.begin() + chosen);
    }
    for (const Loop &loop : points) {
      const bool moves = (varies(0) && loop.steps[1] != 0) ||
                         (varies(1) && loop.steps[2] != 0);
      (moves ? moving : staying).push_back(loop);
    }
  }

  void run() {
    Odometer terms(sums);
    bool isLast = false;
    while (!isLast) {
      count = 0;
      do {
        for (int f : {0, 1})
          places[f][count] = terms.offsets[1 + f];
        isLast = !terms.advance();
      } while (++count < chunk && !isLast);
      for (int64_t begin = 0; begin < lane.size; begin += lanes) {
        Odometer outer(moving);
        do
          runBlock(begin, outer.offsets);
        while (outer.advance());
      }
    }
  }

private:
  bool varies(int factor) const { return lane.steps[1 + factor] != 0; }

  /// A block of lanes at all points that share its panels.
  void runBlock(int64_t begin, const int64_t *offsets) {
    const int64_t width = std::min(lanes, lane.size - begin);
    for (int f : {0, 1})
      if (varies(f))
        copy(f, begin, width, offsets[1 + f]);
    const Varies which = varies(0) ? (varies(1) ? Varies::Both : Varies::Lhs)
                                   : (varies(1) ? Varies::Rhs : Varies::None);
    Odometer inner(staying);
    // Where the row of a factor is, if it was copied.
    std::optional<int64_t> rows[2];
    do {
      for (int f : {0, 1}) {
        const int64_t row = offsets[1 + f] + inner.offsets[1 + f];
        if (!varies(f) && rows[f] != row) {
          copy(f, 0, 1, row);
          rows[f] = row;
        }
      }
      R *to = out + offsets[0] + inner.offsets[0] + begin * lane.steps[0];
      alignas(kBytes) Value held[lanes] = {};
      for (int64_t l = 0; l < width; ++l)
        held[l] = keep<R>(to[l * lane.steps[0]]);
      addBlock(TypeTag<R>(), which, held, copies[0].data(), copies[1].data(),
               count);
      for (int64_t l = 0; l < width; ++l)
        to[l * lane.steps[0]] = unkeep<R>(held[l]);
    } while (inner.advance());
  }

  /// The terms of a factor from `offset` on: a panel, or a row.
  void copy(int factor, int64_t begin, int64_t width, int64_t offset) {
    const int64_t step = lane.steps[1 + factor];
    const T *from = data[factor] + offset + begin * step;
    const int64_t pitch = varies(factor) ? lanes : 1;
    std::vector<Value> &to = copies[factor];
    to.resize(pitch * chunk);
    for (int64_t k = 0; k < count; ++k)
      for (int64_t l = 0; l < width; ++l)
        to[k * pitch + l] = keep<R>(from[places[factor][k] + l * step]);
  }

  R *out;
  const T *data[2];
  SmallVector<Loop> sums, moving, staying;
  Loop lane{1, {0, 0, 0}};
  int64_t count = 0, places[2][chunk];
  std::vector<Value> copies[2];
};
} // namespace

ElementType mlir::tensoraccess::getSumType(ElementType type) {
  return isFloat(type) && bitWidth(type) < 32 ? ElementType::F32 : type;
}

void mlir::tensoraccess::runContraction(const StridedContraction &contraction) {
  if (llvm::is_contained(contraction.points, 0) ||
      llvm::is_contained(contraction.sums, 0))
    return;
  dispatchExtension(contraction.type, contraction.sumType,
                    [&](auto tag, auto sumTag) {
                      using T = typename decltype(tag)::type;
                      using R = typename decltype(sumTag)::type;
                      Runner<T, R>(contraction).run();
                    });
}
