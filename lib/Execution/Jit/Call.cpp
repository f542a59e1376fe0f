//===- Call.cpp - Compiled functions, called on tensors -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memref is passed as the fields of its descriptor: allocated pointer,
// aligned pointer, offset, sizes, strides, each pointer and integer 8 bytes.
// Results are one struct of descriptors and scalars, each at its natural
// alignment.
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"
#include "Invocation.h"
#include "KeptWeights.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/MapEvaluator.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Execution/Relayout.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

CompiledFunction::CompiledFunction() = default;
CompiledFunction::CompiledFunction(CompiledFunction &&) = default;
CompiledFunction &CompiledFunction::operator=(CompiledFunction &&) = default;
CompiledFunction::~CompiledFunction() = default;

size_t CompiledFunction::getPackedBytes() const {
  return weights ? weights->getBytes() : 0;
}

void CompiledFunction::forgetWeights() const {
  // Constants that are packed may be gone.
  if (weights && !weightNumbers.empty())
    weights->forget();
}

/// The bytes and the alignment of a value in the struct of results.
static std::pair<size_t, size_t> resultLayout(const ValueType &type) {
  if (type.kind == ValueType::Kind::Scalar) {
    size_t size = byteSize(type.elementType);
    return {size, size};
  }
  return {24 + 16 * type.getMemoryShape().size(), 8};
}

/// Reads the descriptor of a result. `taken` holds the buffers that already
/// have an owner: the inputs' and earlier results'. A result in one of
/// them, or in none, is copied; any other goes back to the pool after use.
static llvm::Expected<Tensor>
adoptResult(const ValueType &type, const char *descriptor,
            llvm::SmallPtrSetImpl<void *> &taken,
            const llvm::DenseMap<void *, size_t> &sizesLeft,
            const std::shared_ptr<BufferPool> &pool) {
  void *allocated, *aligned;
  int64_t offset;
  std::memcpy(&allocated, descriptor, 8);
  std::memcpy(&aligned, descriptor + 8, 8);
  std::memcpy(&offset, descriptor + 16, 8);
  size_t rank = type.getMemoryShape().size();
  SmallVector<int64_t> sizes(rank), strides(rank);
  std::memcpy(sizes.data(), descriptor + 24, 8 * rank);
  std::memcpy(strides.data(), descriptor + 24 + 8 * rank, 8 * rank);

  char *data =
      static_cast<char *>(aligned) + offset * byteSize(type.elementType);
  if (taken.insert(allocated).second) {
    size_t size = sizesLeft.lookup(allocated);
    return Tensor::wrap(
        type.elementType, sizes, strides, data,
        std::shared_ptr<void>(allocated, [pool, size](void *buffer) {
          pool->give(buffer, size);
        }));
  }
  return Tensor::wrap(type.elementType, sizes, strides, data, nullptr).clone();
}

/// A dense tensor that is laid out by `from`, as a tensor of `shape` laid out
/// by `to`.
static llvm::Expected<Tensor> moveTensor(const Tensor &tensor,
                                         const Layout &from, const Layout &to,
                                         ArrayRef<int64_t> shape) {
  std::string problem;
  std::optional<Relayout> relayout = Relayout::get(from, to, {}, problem);
  if (!relayout)
    return llvm::createStringError(problem);
  llvm::Expected<Tensor> moved = Tensor::create(tensor.getElementType(), shape);
  if (!moved)
    return moved.takeError();
  if (auto error = relayout->run(tensor.getData(), relayout->getSourceBytes(),
                                 moved->getData(), relayout->getTargetBytes()))
    return llvm::createStringError(*error);
  return moved;
}

/// Element n of a tensor of `shape` is element map(n) of a dense one; 0 where n is
/// outside of the map's domain.
static llvm::Expected<Tensor>
gather(const Tensor &tensor, const IndexingMap &map, ArrayRef<int64_t> shape) {
  llvm::Expected<Tensor> moved = Tensor::create(tensor.getElementType(), shape);
  if (!moved)
    return moved.takeError();
  MapEvaluator evaluator(map);
  std::optional<Box> box = evaluator.getBox();
  const int64_t count = *elementCount(shape);
  std::vector<int64_t> numbers(count);
  std::vector<uint8_t> inside(count);
  if (!box || evaluator.evaluate(*box, {numbers.data()}, inside.data()) !=
                  EnumerateStatus::Ok)
    return llvm::createStringError("the places of its elements overflow");
  const size_t bytes = byteSize(tensor.getElementType());
  const char *from = static_cast<const char *>(tensor.getData());
  char *to = static_cast<char *>(moved->getData());
  for (int64_t i = 0; i < count; ++i, to += bytes)
    if (inside[i])
      std::memcpy(to, from + numbers[i] * bytes, bytes);
    else
      std::memset(to, 0, bytes);
  return moved;
}

/// From numbers of memory to the row-major numbers of their elements.
static IndexingMap getRowMajorNumbers(const MemoryPlaces &places,
                                      ArrayRef<int64_t> shape) {
  return places.getElements()
      .then(DigitMap::rowMajor(shape)->toIndexingMap())
      .simplify();
}

/// What is laid out by `layout`, in row-major order.
static Layout getRowMajor(const Layout &layout) {
  return Layout::rowMajor(layout.getRank())
      .withShape(*layout.shape, *layout.elementType);
}

llvm::Expected<SmallVector<Tensor>>
CompiledFunction::call(ArrayRef<Tensor> inputs, CallReport *report) const {
  if (llvm::Error error = checkInputs(inputTypes, inputs))
    return std::move(error);

  // 1. Every LLVM argument, as the 8 bytes that a pointer or integer takes;
  // a scalar is read in place.
  SmallVector<Tensor> dense;
  SmallVector<uint64_t> fields;
  SmallVector<std::pair<void *, size_t>> arguments; // scalar, or first field
  SmallVector<size_t> firsts;                       // by input
  llvm::SmallPtrSet<void *, 8> taken;
  // What lowering puts in the descriptor of a global, which must not be freed.
  taken.insert(reinterpret_cast<void *>(0xdeadbeef));
  for (auto [i, type, input] : llvm::enumerate(inputTypes, inputs)) {
    firsts.push_back(arguments.size());
    bool inPlace =
        input.isDense() && reinterpret_cast<uintptr_t>(input.getData()) %
                                   byteSize(type.elementType) ==
                               0;
    if (!inPlace && type.kind == ValueType::Kind::MemRef)
      return llvm::createStringError(
          "input " + Twine(i) +
          " is not dense, but a memref is passed as it is");
    llvm::Expected<Tensor> packed = inPlace ? Tensor(input) : input.clone();
    if (packed && type.layout)
      packed = moveTensor(*packed, getRowMajor(*type.layout), *type.layout,
                          type.getMemoryShape());
    if (packed && type.places)
      packed = gather(*packed, getRowMajorNumbers(*type.places, type.shape),
                      type.getMemoryShape());
    if (!packed)
      return packed.takeError();
    SmallVector<int64_t> shape(packed->getShape());
    void *data = packed->getData();
    dense.push_back(std::move(*packed));
    if (type.kind == ValueType::Kind::Scalar) {
      arguments.push_back({data, 0});
      continue;
    }
    taken.insert(data);
    size_t first = fields.size();
    fields.append(2, reinterpret_cast<uintptr_t>(data));
    fields.push_back(0);
    fields.append(shape.begin(), shape.end());
    llvm::append_range(fields, rowMajorStrides(shape));
    for (size_t field = first; field < fields.size(); ++field)
      arguments.push_back({nullptr, field});
  }
  SmallVector<void *> pointers;
  for (auto [scalar, field] : arguments)
    pointers.push_back(scalar ? scalar : &fields[field]);
  firsts.push_back(pointers.size());
  std::shared_ptr<KeptWeights::Panels> panels;
  if (weights) {
    auto kept = weights->get(
        inputs,
        [&](unsigned i) {
          return ArrayRef(pointers).slice(firsts[i], firsts[i + 1] - firsts[i]);
        },
        pool, threads);
    if (!kept)
      return kept.takeError();
    panels = std::move(*kept);
    for (uint64_t &field : panels->fields)
      pointers.push_back(&field);
    taken.insert_range(panels->buffers);
  }

  // 2. Room for the results.
  size_t size = 0;
  SmallVector<size_t> offsets;
  for (const ValueType &type : resultTypes) {
    auto [bytes, alignment] = resultLayout(type);
    size = llvm::alignTo(size, alignment);
    offsets.push_back(size);
    size += bytes;
  }
  SmallVector<uint64_t> room(llvm::divideCeil(size, 8) + 1);
  char *base = reinterpret_cast<char *>(room.data());
  pointers.push_back(base);

  auto sizesLeft = invoke(function, pointers.data(), *pool, threads, report);
  if (!sizesLeft)
    return sizesLeft.takeError();

  // 3. Results take over their buffers.
  SmallVector<Tensor> results;
  llvm::Error failure = llvm::Error::success();
  for (auto [type, offset] : llvm::zip(resultTypes, offsets)) {
    if (type.kind == ValueType::Kind::Scalar) {
      Tensor scalar = Tensor::scalarInt(type.elementType, 0);
      std::memcpy(scalar.getData(), base + offset, byteSize(type.elementType));
      results.push_back(scalar);
      continue;
    }
    llvm::Expected<Tensor> result =
        adoptResult(type, base + offset, taken, *sizesLeft, pool);
    if (result && type.layout) {
      if (!result->isDense())
        result = result->clone();
      if (result)
        result = moveTensor(*result, *type.layout, getRowMajor(*type.layout),
                            type.shape);
    }
    if (result && type.places) {
      if (!result->isDense())
        result = result->clone();
      if (result)
        result = gather(*result, type.places->toNumber, type.shape);
    }
    if (result)
      results.push_back(std::move(*result));
    else
      failure = llvm::joinErrors(std::move(failure), result.takeError());
  }
  if (failure)
    return std::move(failure);
  return results;
}
