//===- Relayout.cpp - Moving arrays between layouts in memory -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Sizes are checked once, when a relayout is made; memory against them
//      before the first byte is touched.
//   2. Elements of whole bytes: each nest of the plan by the runtime; what
//      has no nests element by element.
//   3. Elements of fewer bits: where all runs are whole bytes, as bytes. Else
//      each side gets an array with a byte or more per element beside it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Relayout.h"
#include "RelayoutConvert.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <memory>
#include <new>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::relayout;
using tensoraccess_runtime::kLine;
using tensoraccess_runtime::Move;
using MoveBox = tensoraccess_runtime::Box;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// Memory that begins at a cache line, not initialised.
struct AlignedDelete {
  void operator()(uint8_t *bytes) const {
    ::operator delete(bytes, std::align_val_t(kLine));
  }
};
using Buffer = std::unique_ptr<uint8_t, AlignedDelete>;
} // namespace

static Buffer allocate(int64_t bytes) {
  return Buffer(static_cast<uint8_t *>(
      ::operator new(std::max<int64_t>(bytes, 1), std::align_val_t(kLine))));
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getBytes(int64_t elements, int64_t bits) {
  std::optional<int64_t> all = checkedMul(elements, bits);
  if (!all)
    return std::nullopt;
  return ceilDivPositive(*all, 8);
}

static int64_t getStoredBits(const Layout &layout) {
  return layout.elementBits.value_or(layout.elementType->getBits());
}

std::optional<Relayout> Relayout::make(const RelayoutSide &source, XlaType from,
                                       int64_t fromBits, const Layout &target,
                                       ArrayRef<int64_t> permutation,
                                       std::string &error) {
  XlaType to = *target.elementType;
  int64_t toBits = getStoredBits(target);
  if (!canConvert(from, to)) {
    error = "no conversion from " + from.getName().str() + " to " +
            to.getName().str();
    return std::nullopt;
  }
  for (auto [type, bits] :
       {std::make_pair(from, fromBits), std::make_pair(to, toBits)})
    if (bits < type.getValueBits() || bits > 128 ||
        (bits > 64 && bits != 128)) {
      error = "elements of " + type.getName().str() + " can't be moved in " +
              std::to_string(bits) + " bits";
      return std::nullopt;
    }
  std::optional<RelayoutPlan> plan =
      RelayoutPlan::get(source, RelayoutSide::get(target), permutation, error);
  if (!plan)
    return std::nullopt;
  auto [begin, end] = plan->getSourceRange();
  std::optional<int64_t> size = checkedSub(end, begin);
  // Also with every element in its holder.
  std::optional<int64_t> sourceBytes =
      size ? getBytes(*size, fromBits) : std::nullopt;
  std::optional<int64_t> targetBytes =
      getBytes(plan->getTargetElements(), toBits);
  if (!sourceBytes || !targetBytes || !getBytes(*size, 128) ||
      !getBytes(plan->getTargetElements(), 128)) {
    error = "the size in bytes does not fit 63 bits";
    return std::nullopt;
  }
  Relayout result(std::move(*plan), from, fromBits, to, toBits);
  result.sourceBytes = *sourceBytes;
  result.targetBytes = *targetBytes;
  return result;
}

std::optional<Relayout> Relayout::get(const Layout &source,
                                      const Layout &target,
                                      ArrayRef<int64_t> permutation,
                                      std::string &error) {
  for (const Layout &layout : {source, target})
    if (!layout.shape) {
      error = "layout '" + layout.str() + "' has no shape";
      return std::nullopt;
    }
  return make(RelayoutSide::get(source), *source.elementType,
              getStoredBits(source), target, permutation, error);
}

std::optional<Relayout> Relayout::getStrided(ArrayRef<int64_t> shape,
                                             ArrayRef<int64_t> strides,
                                             XlaType type, const Layout &target,
                                             ArrayRef<int64_t> permutation,
                                             std::string &error) {
  if (!target.shape) {
    error = "layout '" + target.str() + "' has no shape";
    return std::nullopt;
  }
  // Strides are in elements of whole bytes.
  return make(RelayoutSide::strided(shape, strides), type,
              8 * getHolder(type.getBits()), target, permutation, error);
}

bool Relayout::isIdentity() const {
  return from == to && fromBits == toBits && plan.isIdentity();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Element by element, in the order of the plan.
template <int64_t Bytes>
static void moveEach(const RelayoutPlan &plan, const uint8_t *source,
                     uint8_t *target) {
  plan.forEach([&](int64_t a, int64_t b) {
    std::memcpy(target + b * Bytes, source + a * Bytes, Bytes);
  });
}

static void moveAll(const RelayoutPlan &plan, const Move &context) {
  if (context.convert) {
    plan.forEach([&](int64_t a, int64_t b) {
      context.convert(context.target + b * context.targetBytes,
                      context.source + a * context.sourceBytes, 1);
    });
    return;
  }
  switch (context.targetBytes) {
  case 1:
    return moveEach<1>(plan, context.source, context.target);
  case 2:
    return moveEach<2>(plan, context.source, context.target);
  case 4:
    return moveEach<4>(plan, context.source, context.target);
  case 8:
    return moveEach<8>(plan, context.source, context.target);
  default:
    return moveEach<16>(plan, context.source, context.target);
  }
}

/// The boxes of a plan as the runtime has them.
static std::vector<MoveBox> getBoxes(ArrayRef<RelayoutBox> boxes) {
  std::vector<MoveBox> result;
  for (const RelayoutBox &box : boxes) {
    MoveBox &copy = result.emplace_back();
    copy.source = box.source;
    copy.target = box.target;
    for (const RelayoutLoop &loop : box.loops)
      copy.loops.push_back(
          {loop.extent, loop.valid, loop.sourceStride, loop.targetStride});
  }
  return result;
}

void Relayout::runBytes(const uint8_t *source, int64_t fromBytes,
                        uint8_t *target, int64_t toBytes,
                        const RelayoutOptions &options) const {
  Move move;
  move.source = source - plan.getSourceRange().first * fromBytes;
  move.target = target;
  auto [begin, end] = plan.getSourceRange();
  move.sourceBegin = source;
  move.sourceEnd = source + (end - begin) * fromBytes;
  move.sourceBytes = fromBytes;
  move.targetBytes = toBytes;
  move.portable = options.portable;
  move.convert = getConversion(from, fromBytes, to, toBytes, options.portable);
  int64_t bytes = plan.getTargetElements() * toBytes;
  move.streams = bytes >= options.streamBytes;
  // Boxes transpose converted elements whole, of up to 8 bytes.
  bool hasBoxes = plan.getKind() == RelayoutPlan::Kind::Boxes &&
                  !(move.convert && toBytes > 8);
  if (plan.needsZeros() || !hasBoxes)
    std::memset(target, 0, bytes);
  else
    std::memset(target + plan.getTailBegin() * toBytes, 0,
                (plan.getTargetElements() - plan.getTailBegin()) * toBytes);
  if (!hasBoxes)
    return moveAll(plan, move);
  std::vector<MoveBox> boxes = getBoxes(plan.getBoxes());
  move.boxes = boxes;
  tensoraccess_runtime::run(move);
}

/// A nest of elements, `factor` to a byte, as a nest of bytes.
static std::optional<RelayoutBox> scaleBox(RelayoutBox box, int64_t factor) {
  if (box.loops.empty())
    return std::nullopt;
  RelayoutLoop &run = box.loops.back();
  if (run.sourceStride != 1 || run.targetStride != 1 ||
      run.extent % factor != 0 || run.valid % factor != 0 ||
      box.source % factor != 0 || box.target % factor != 0)
    return std::nullopt;
  box.source /= factor;
  box.target /= factor;
  run.extent /= factor;
  run.valid /= factor;
  for (RelayoutLoop &loop : llvm::MutableArrayRef(box.loops).drop_back()) {
    if (loop.sourceStride % factor != 0 || loop.targetStride % factor != 0)
      return std::nullopt;
    loop.sourceStride /= factor;
    loop.targetStride /= factor;
  }
  return box;
}

/// Elements of 1, 2 or 4 bits as bytes; false if some begin within a byte.
bool Relayout::runPacked(const uint8_t *source, uint8_t *target,
                         const RelayoutOptions &options) const {
  if (fromBits != toBits || 8 % fromBits != 0 || fromBits == 8 ||
      !(from == to) || plan.getKind() != RelayoutPlan::Kind::Boxes ||
      plan.getTargetElements() != plan.getTailBegin() ||
      plan.getSourceRange().first != 0)
    return false;
  int64_t factor = 8 / fromBits;
  SmallVector<RelayoutBox, 2> boxes;
  for (const RelayoutBox &box : plan.getBoxes()) {
    std::optional<RelayoutBox> scaled = scaleBox(box, factor);
    if (!scaled)
      return false;
    boxes.push_back(std::move(*scaled));
  }
  if (plan.needsZeros())
    std::memset(target, 0, targetBytes);
  std::vector<MoveBox> bytes = getBoxes(boxes);
  Move move;
  move.boxes = bytes;
  move.source = move.sourceBegin = source;
  move.sourceEnd = source + sourceBytes;
  move.target = target;
  move.streams = targetBytes >= options.streamBytes;
  move.portable = options.portable;
  tensoraccess_runtime::run(move);
  return true;
}

std::optional<std::string> Relayout::run(const void *source, int64_t sourceSize,
                                         void *target, int64_t targetSize,
                                         const RelayoutOptions &options) const {
  if (sourceSize < sourceBytes)
    return "the source needs " + std::to_string(sourceBytes) + " bytes, got " +
           std::to_string(sourceSize);
  if (targetSize < targetBytes)
    return "the target needs " + std::to_string(targetBytes) + " bytes, got " +
           std::to_string(targetSize);
  const auto *src = static_cast<const uint8_t *>(source);
  auto *dst = static_cast<uint8_t *>(target);
  auto a = reinterpret_cast<uintptr_t>(src);
  auto b = reinterpret_cast<uintptr_t>(dst);
  if (sourceBytes > 0 && targetBytes > 0 &&
      a < b + static_cast<uint64_t>(targetBytes) &&
      b < a + static_cast<uint64_t>(sourceBytes))
    return std::string("source and target overlap in memory");
  if (targetBytes == 0)
    return std::nullopt;

  int64_t fromHolder = getHolder(fromBits), toHolder = getHolder(toBits);
  bool fromPacked = fromBits != 8 * fromHolder,
       toPacked = toBits != 8 * toHolder;
  if (!fromPacked && !toPacked) {
    runBytes(src, fromHolder, dst, toHolder, options);
    return std::nullopt;
  }
  if (runPacked(src, dst, options))
    return std::nullopt;
  Buffer wideSource, wideTarget;
  auto [begin, end] = plan.getSourceRange();
  if (fromPacked) {
    wideSource = allocate((end - begin) * fromHolder);
    unpackBits(wideSource.get(), fromHolder, src, end - begin, fromBits,
               from.getName().starts_with("s"));
    src = wideSource.get();
  }
  uint8_t *out = dst;
  if (toPacked) {
    wideTarget = allocate(plan.getTargetElements() * toHolder);
    out = wideTarget.get();
  }
  runBytes(src, fromHolder, out, toHolder, options);
  if (toPacked)
    packBits(dst, out, toHolder, plan.getTargetElements(), toBits);
  return std::nullopt;
}
