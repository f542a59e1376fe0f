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
// Triton's layouts: each bit of the inputs (of a register, a lane, a warp, …) has
// a *basis*, an index; an input's index is the exclusive or of the bases of the
// bits that are set in it:
//
//   {lane = [[0, 1], [1, 1]], warp = [[2, 0]]} -> [4, 2]      lane 3, warp 1:
//                                      (0,1) xor (1,1) xor (2,0) = (3,0)
//
// All sizes are powers of two. The bits of all outputs together are a word, the
// first output lowest, and so are those of all inputs: a layout is a matrix of
// bits, of which a column is one word, and all questions are Gaussian elimination
// on words.
//===----------------------------------------------------------------------===//

/// A value: inputs and outputs are free to set, as members of a StridedLayout are.
class LinearLayout {
public:
  struct Input {
    std::string name;
    /// A word each.
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

  /// At most so many bits of all inputs, and of all outputs.
  static constexpr unsigned kMaxBits = 62;

  /// Bases by input, of one number an output. Outputs are called dim0, dim1, …
  /// where they have no name, inputs in0, in1, …. std::nullopt and `error` for
  /// sizes that are not powers of two and bases beyond them.
  static std::optional<LinearLayout>
  get(llvm::ArrayRef<std::vector<std::vector<int64_t>>> bases,
      llvm::ArrayRef<int64_t> sizes, std::string &error,
      llvm::ArrayRef<std::string> inputNames = {},
      llvm::ArrayRef<std::string> outputNames = {});
  /// Reads the text above, `-> {row = 4, column = 2}` for outputs with names; what
  /// follows `->` may be left out, as in Triton's text: the smallest sizes
  /// that hold all bases.
  static std::optional<LinearLayout> parse(llvm::StringRef text,
                                           ParseError &error);
  /// index -> index of one input and output of that size.
  static LinearLayout identity(unsigned bits, llvm::StringRef input,
                               llvm::StringRef output);
  /// An input for each mode, of one number. std::nullopt and `error` if a size
  /// is not a power of two, or if adding numbers carries.
  static std::optional<LinearLayout> fromStrided(const StridedLayout &layout,
                                                 std::string &error);
  /// A mode for each input, of one output.
  std::optional<StridedLayout> toStrided(std::string &error) const;

  std::optional<std::string> verify() const;
  std::string str() const;

  unsigned getNumInputBits() const;
  unsigned getNumOutputBits() const;
  /// Numbers of an input, and an output.
  int64_t getInputSize(unsigned i) const {
    return int64_t(1) << inputs[i].bases.size();
  }
  int64_t getOutputSize(unsigned i) const {
    return int64_t(1) << outputs[i].bits;
  }
  uint64_t pack(llvm::ArrayRef<int64_t> values, bool isOutput) const;
  llvm::SmallVector<int64_t> unpack(uint64_t word, bool isOutput) const;
  /// All columns, and of a word of inputs that of outputs.
  llvm::SmallVector<uint64_t> getColumns() const;
  uint64_t applyToWord(uint64_t word) const;
  /// std::nullopt if an input is out of range.
  std::optional<llvm::SmallVector<int64_t>>
  apply(llvm::ArrayRef<int64_t> point) const;
  IndexingMap getMap() const;

  unsigned getRank() const;
  bool isInjective() const { return getRank() == getNumInputBits(); }
  bool isSurjective() const { return getRank() == getNumOutputBits(); }
  /// Words of inputs whose sums are all that give 0; in reduced form.
  llvm::SmallVector<uint64_t> getKernel() const;
  /// Words of outputs whose sums are all that are given; in reduced form.
  llvm::SmallVector<uint64_t> getImage() const;
  /// The least word of inputs that gives these outputs; std::nullopt if none
  /// does.
  std::optional<uint64_t> findInput(uint64_t outputs) const;
  /// By input, the bits that others make superfluous: of equal sums the higher.
  llvm::SmallVector<int64_t> getFreeVariables() const;
  /// How many numbers of the first input, from 0 on, go to numbers of all outputs
  /// from 0 on, in every block of that length.
  int64_t getNumConsecutive() const;

  /// First this layout, then `next`, whose inputs are by order this one's outputs
  /// and at least as large.
  std::optional<LinearLayout> compose(const LinearLayout &next,
                                      std::string &error) const;
  /// The layout c with other(c(x)) = this(x), least where there are several.
  /// std::nullopt and `error` where outputs differ, and if `other` does not
  /// reach one.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &other,
                                               std::string &error) const;
  /// From outputs to the least inputs; `error` where it is not surjective.
  std::optional<LinearLayout> invert(std::string &error) const;
  /// Inputs and outputs of the same name go on after this one's.
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
