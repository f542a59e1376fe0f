//===- Contraction.cpp - Sums of products over strided operands -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Loops of one turn are dropped; two neighbouring loops that every operand
//    walks as one become one.
// 2. One loop over points is taken innermost, in blocks of lanes: one along
//    which factors stay or are contiguous, if there is any.
// 3. The sums of a block are held while the loops over terms run; the innermost
//    of these loops is a kernel, with vectors where lanes are contiguous.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Contraction.h"
#include "VectorClones.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// The terms of one run of the innermost loop, for a block of lanes.
template <typename T>
struct Terms {
  const T *lhs, *rhs;
  /// From one term to the next, and from one lane to the next.
  int64_t lhsStep, rhsStep, lhsLane, rhsLane;
  int64_t count;
};

/// How the lanes of the factors lie: steps of 1 and 0, 0 and 1, 1 and 1, or
/// others.
enum class Lanes { LhsVaries, RhsVaries, BothVary, Others };

constexpr int64_t kBytes = 64;
} // namespace

/// sums[l] += lhs·rhs for 2·kBytes of lanes.
template <typename T, Lanes lanes>
[[gnu::always_inline]] static inline void addVectors(T *sums,
                                                     const Terms<T> &terms) {
  typedef T Vector __attribute__((vector_size(kBytes)));
  constexpr int64_t width = kBytes / sizeof(T);
  Vector low, high, x, y;
  std::memcpy(&low, sums, kBytes);
  std::memcpy(&high, sums + width, kBytes);
  const T *lhs = terms.lhs, *rhs = terms.rhs;
  for (int64_t k = 0; k < terms.count; ++k) {
    if constexpr (lanes == Lanes::LhsVaries) {
      std::memcpy(&x, lhs, kBytes);
      low += x * *rhs;
      std::memcpy(&x, lhs + width, kBytes);
      high += x * *rhs;
    } else if constexpr (lanes == Lanes::RhsVaries) {
      std::memcpy(&y, rhs, kBytes);
      low += *lhs * y;
      std::memcpy(&y, rhs + width, kBytes);
      high += *lhs * y;
    } else {
      std::memcpy(&x, lhs, kBytes);
      std::memcpy(&y, rhs, kBytes);
      low += x * y;
      std::memcpy(&x, lhs + width, kBytes);
      std::memcpy(&y, rhs + width, kBytes);
      high += x * y;
    }
    lhs += terms.lhsStep;
    rhs += terms.rhsStep;
  }
  std::memcpy(sums, &low, kBytes);
  std::memcpy(sums + width, &high, kBytes);
}

template <typename T>
[[gnu::always_inline]] static inline void addAnyVectors(Lanes lanes, T *sums,
                                                        const Terms<T> &terms) {
  if (lanes == Lanes::LhsVaries)
    return addVectors<T, Lanes::LhsVaries>(sums, terms);
  if (lanes == Lanes::RhsVaries)
    return addVectors<T, Lanes::RhsVaries>(sums, terms);
  addVectors<T, Lanes::BothVary>(sums, terms);
}

// Where the compiler can, it makes a copy for each width of vectors, and the
// loader chooses; templates have no such copies.
TENSORACCESS_VECTOR_CLONES
static void addBlock(Lanes lanes, float *sums, const Terms<float> &terms) {
  addAnyVectors(lanes, sums, terms);
}
TENSORACCESS_VECTOR_CLONES
static void addBlock(Lanes lanes, double *sums, const Terms<double> &terms) {
  addAnyVectors(lanes, sums, terms);
}
TENSORACCESS_VECTOR_CLONES
static void addBlock(Lanes lanes, uint32_t *sums,
                     const Terms<uint32_t> &terms) {
  addAnyVectors(lanes, sums, terms);
}
TENSORACCESS_VECTOR_CLONES
static void addBlock(Lanes lanes, uint64_t *sums,
                     const Terms<uint64_t> &terms) {
  addAnyVectors(lanes, sums, terms);
}

/// The same for `count` lanes anywhere, by the definition.
template <typename T, typename R, int64_t count>
static void addLanes(R *sums, const Terms<T> &terms) {
  R held[count];
  for (int64_t l = 0; l < count; ++l)
    held[l] = sums[l];
  const T *lhs = terms.lhs, *rhs = terms.rhs;
  for (int64_t k = 0; k < terms.count; ++k) {
    for (int64_t l = 0; l < count; ++l)
      held[l] = Arithmetic<R>::add(
          held[l],
          Arithmetic<R>::mul(
              Arithmetic<T>::template extend<R>(lhs[l * terms.lhsLane]),
              Arithmetic<T>::template extend<R>(rhs[l * terms.rhsLane])));
    lhs += terms.lhsStep;
    rhs += terms.rhsStep;
  }
  for (int64_t l = 0; l < count; ++l)
    sums[l] = held[l];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// A loop: its size, and the steps of out, lhs and rhs.
struct Loop {
  int64_t size;
  int64_t steps[3];

  /// True where this loop round `inner` is one loop.
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

static Lanes getLanes(const Loop &loop) {
  const int64_t lhs = loop.steps[1], rhs = loop.steps[2];
  if (lhs == 1 && rhs == 0)
    return Lanes::LhsVaries;
  if (lhs == 0 && rhs == 1)
    return Lanes::RhsVaries;
  return lhs == 1 && rhs == 1 ? Lanes::BothVary : Lanes::Others;
}

/// Step 2: the loop whose lanes take least time.
static size_t chooseLanes(ArrayRef<Loop> loops) {
  size_t best = 0;
  double least = 0;
  for (auto [d, loop] : llvm::enumerate(loops)) {
    const double rest =
        static_cast<double>(loop.size % 32) / static_cast<double>(loop.size);
    double cost = getLanes(loop) == Lanes::Others || loop.size < 32
                      ? (loop.size < 8 ? 4 : 1)
                      : rest + (1 - rest) / 8;
    if (d == 0 || cost <= least) {
      best = d;
      least = cost;
    }
  }
  return best;
}

/// Step 3. T are factors and R sums; `V` is what vectors of both hold, or void.
template <typename T, typename R, typename V>
static void runLoops(const StridedContraction &contraction) {
  SmallVector<Loop> points =
      makeLoops(contraction.points, contraction.out.pointSteps,
                contraction.lhs.pointSteps, contraction.rhs.pointSteps);
  SmallVector<Loop> sums = makeLoops(
      contraction.sums, {}, contraction.lhs.sumSteps, contraction.rhs.sumSteps);
  Loop lane{1, {0, 0, 0}}, term{1, {0, 0, 0}};
  if (!points.empty()) {
    const size_t chosen = chooseLanes(points);
    lane = points[chosen];
    points.erase(points.begin() + chosen);
  }
  if (!sums.empty())
    term = sums.pop_back_val();
  const Lanes lanes = getLanes(lane);
  auto *out = static_cast<R *>(contraction.out.data);
  const auto *lhs = static_cast<const T *>(contraction.lhs.data);
  const auto *rhs = static_cast<const T *>(contraction.rhs.data);
  constexpr int64_t block = 2 * kBytes / sizeof(R);
  R held[block];
  Odometer outer(points), inner(sums);
  do {
    for (int64_t begin = 0; begin < lane.size;) {
      const int64_t left = lane.size - begin;
      const bool isVector =
          !std::is_void_v<V> && lanes != Lanes::Others && left >= block;
      const int64_t count = isVector ? block : left >= 8 ? 8 : 1;
      R *to = out + outer.offsets[0] + begin * lane.steps[0];
      const T *x = lhs + outer.offsets[1] + begin * lane.steps[1];
      const T *y = rhs + outer.offsets[2] + begin * lane.steps[2];
      for (int64_t l = 0; l < count; ++l)
        held[l] = to[l * lane.steps[0]];
      do {
        Terms<T> terms{x + inner.offsets[1],
                       y + inner.offsets[2],
                       term.steps[1],
                       term.steps[2],
                       lane.steps[1],
                       lane.steps[2],
                       term.size};
        if constexpr (!std::is_void_v<V>)
          if (isVector) {
            Terms<V> same{reinterpret_cast<const V *>(terms.lhs),
                          reinterpret_cast<const V *>(terms.rhs),
                          terms.lhsStep,
                          terms.rhsStep,
                          terms.lhsLane,
                          terms.rhsLane,
                          terms.count};
            addBlock(lanes, reinterpret_cast<V *>(held), same);
            continue;
          }
        if (count == 8)
          addLanes<T, R, 8>(held, terms);
        else
          addLanes<T, R, 1>(held, terms);
      } while (inner.advance());
      for (int64_t l = 0; l < count; ++l)
        to[l * lane.steps[0]] = held[l];
      begin += count;
    }
  } while (outer.advance());
}

void mlir::tensoraccess::runContraction(const StridedContraction &contraction) {
  if (llvm::is_contained(contraction.points, 0) ||
      llvm::is_contained(contraction.sums, 0))
    return;
  dispatchExtension(
      contraction.type, contraction.sumType, [&](auto tag, auto sumTag) {
        using T = typename decltype(tag)::type;
        using R = typename decltype(sumTag)::type;
        if constexpr (!std::is_same_v<T, R>)
          runLoops<T, R, void>(contraction);
        else if constexpr (std::is_floating_point_v<T>)
          runLoops<T, R, T>(contraction);
        else if constexpr (std::is_integral_v<T> && sizeof(T) >= 4)
          runLoops<T, R, std::make_unsigned_t<T>>(contraction);
        else
          runLoops<T, R, void>(contraction);
      });
}
