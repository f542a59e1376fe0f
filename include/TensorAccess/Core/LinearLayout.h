//===- LinearLayout.h - Linear layouts over GF(2) ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LINEARLAYOUT_H
#define TENSORACCESS_CORE_LINEARLAYOUT_H

#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Linear layouts over GF(2)
//
// Triton's layouts: each bit of the inputs (of a register, a lane, a warp, …)
// has a *basis*, an index; the index of an input is the exclusive or of the
// bases of its set bits:
//
//   {lane = [[0, 1], [1, 1]], warp = [[2, 0]]} -> [4, 2]      lane 3, warp 1:
//                                      (0,1) xor (1,1) xor (2,0) = (3,0)
//
// All sizes are powers of two. The bits of all outputs together are a word, the
// first output lowest, and so are those of all inputs: a layout is a matrix of
// bits whose columns are words, and every question is Gaussian elimination on
// words.
//===----------------------------------------------------------------------===//

/// A value type: inputs and outputs may be set freely, like the members of a
/// StridedLayout.
class LinearLayout {
public:
  struct Input {
    std::string name;
    /// One word per bit of the input.
    llvm::SmallVector<uint64_t, 8> bases;
    bool operator==(const Input &o) const {
      return name == o.name && bases == o.bases;
    }
  };
  struct Output {
    std::string name;
    unsigned bits;
    bool operator==(const Output &o) const {
      return name == o.name && bits == o.bits;
    }
  };
  llvm::SmallVector<Input, 4> inputs;
  llvm::SmallVector<Output, 4> outputs;

  /// The most bits of all inputs together, and of all outputs.
  static constexpr unsigned kMaxBits = 62;

  /// Bases by input, each with one number per output. Outputs are called dim0,
  /// dim1, … where they have no name, inputs in0, in1, …. std::nullopt and
  /// `error` for sizes that are not powers of two and bases beyond them.
  static std::optional<LinearLayout>
  get(llvm::ArrayRef<std::vector<std::vector<int64_t>>> bases,
      llvm::ArrayRef<int64_t> sizes, std::string &error,
      llvm::ArrayRef<std::string> inputNames = {},
      llvm::ArrayRef<std::string> outputNames = {});
  /// Parses the text above, with `-> {row = 4, column = 2}` for named outputs;
  /// what follows `->` may be left out, as in Triton's text, for the smallest
  /// sizes that hold all bases.
  static std::optional<LinearLayout> parse(llvm::StringRef text,
                                           ParseError &error);
  /// The identity from one input to one output of that many bits.
  static LinearLayout identity(unsigned bits, llvm::StringRef input,
                               llvm::StringRef output);
  /// One input per mode, and the number as output. std::nullopt and `error` if
  /// a size is not a power of two, or if adding numbers carries.
  static std::optional<LinearLayout> fromStrided(const StridedLayout &layout,
                                                 std::string &error);
  /// One mode per input; there must be one output.
  std::optional<StridedLayout> toStrided(std::string &error) const;

  std::optional<std::string> verify() const;
  std::string str() const;

  unsigned getNumInputBits() const;
  unsigned getNumOutputBits() const;
  /// How many values an input has, and an output.
  int64_t getInputSize(unsigned i) const {
    return int64_t(1) << inputs[i].bases.size();
  }
  int64_t getOutputSize(unsigned i) const {
    return int64_t(1) << outputs[i].bits;
  }
  uint64_t pack(llvm::ArrayRef<int64_t> values, bool isOutput) const;
  llvm::SmallVector<int64_t> unpack(uint64_t word, bool isOutput) const;
  /// All columns; the word of outputs for a word of inputs.
  llvm::SmallVector<uint64_t> getColumns() const;
  uint64_t applyToWord(uint64_t word) const;
  /// std::nullopt if an input is out of range.
  std::optional<llvm::SmallVector<int64_t>>
  apply(llvm::ArrayRef<int64_t> point) const;
  IndexingMap getMap() const;

  unsigned getRank() const;
  bool isInjective() const { return getRank() == getNumInputBits(); }
  bool isSurjective() const { return getRank() == getNumOutputBits(); }
  /// A basis of the words of inputs that give 0, in reduced form.
  llvm::SmallVector<uint64_t> getKernel() const;
  /// A basis of the words of outputs that are reached, in reduced form.
  llvm::SmallVector<uint64_t> getImage() const;
  /// The least word of inputs that gives these outputs; std::nullopt if none
  /// does.
  std::optional<uint64_t> findInput(uint64_t outputs) const;
  /// By input, the bits that others make redundant: of equal sums, the higher.
  llvm::SmallVector<int64_t> getFreeVariables() const;
  /// How many consecutive values of the first input map to consecutive values
  /// of all outputs, in every aligned block of that length.
  int64_t getNumConsecutive() const;

  /// First this layout, then `next`, whose inputs are, in order, this one's
  /// outputs and at least as large.
  std::optional<LinearLayout> compose(const LinearLayout &next,
                                      std::string &error) const;
  /// The layout c with other(c(x)) = this(x), the least if there are several.
  /// std::nullopt and `error` if outputs differ, and if `other` does not reach
  /// one.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &other,
                                               std::string &error) const;
  /// From outputs to the least inputs; std::nullopt and `error` if not
  /// surjective.
  std::optional<LinearLayout> invert(std::string &error) const;
  /// The bits of `next`'s inputs and outputs follow those of the same name.
  std::optional<LinearLayout> multiply(const LinearLayout &next,
                                       std::string &error) const;
  /// The layout c with first.multiply(c) = this; std::nullopt if none exists.
  std::optional<LinearLayout> divideLeft(const LinearLayout &first,
                                         std::string &error) const;

  bool operator==(const LinearLayout &o) const {
    return inputs == o.inputs && outputs == o.outputs;
  }
};

llvm::hash_code hash_value(const LinearLayout &layout);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LINEARLAYOUT_H
