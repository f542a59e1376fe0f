//===- StridedLayout.h - Layouts of strides and of bits ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_STRIDEDLAYOUT_H
#define TENSORACCESS_CORE_STRIDEDLAYOUT_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Shapes and strides, nested
//
// CuTe's layouts: a *mode* is a size and a stride, or a list of modes. From a
// coordinate, a number or a list for each list of modes, to a number:
//
//   (4,(2,2)):(1,(16,4))       (1,(0,1)) -> 1*1 + 0*16 + 1*4 = 5
//
// A number in the place of a list of modes stands for the coordinate of that
// place in colexicographic order, the first mode fastest; beyond the size, the
// last mode goes on. So layouts are functions on numbers, and compose:
//
//   compose(a, b)(x) = a(b(x)),    in the shape of b
//
// This is an access map: the number b(x), cut by the sizes of a, is a sum of
// digits, which the forms engine simplifies. Where each digit is one of a single
// mode of b, the composition has a shape and strides again, and is given so;
// where it is not (CuTe refuses, or is wrong), the map is the answer, and the
// layout says why. Nothing is approximated.
//
// A *swizzle* after the strides exchanges bits of the number, which spreads
// columns over the banks of a memory:
//
//   Sw<B,M,S>(n) = n xor ((n >> S) and (2^B - 1)·2^M)
//   Sw<B,M,-S>(n) = n xor ((n and (2^B - 1)·2^M) << S)
//===----------------------------------------------------------------------===//

/// B bits from bit M on, and those |S| higher: the lower ones are xored by the
/// higher ones, and the other way for S < 0. B and M are not negative, |S| ≥ B.
struct Swizzle {
  int64_t bits = 0, base = 0, shift = 0;

  /// None, or what is wrong.
  std::optional<std::string> verify() const;
  /// Of a number that is not negative.
  int64_t apply(int64_t number) const;
  /// `Sw<3,4,3>`.
  std::string str() const;
  bool operator==(const Swizzle &o) const {
    return bits == o.bits && base == o.base && shift == o.shift;
  }
};

/// The swizzled form: exclusive or of bits is their sum, modulo 2.
Form addSwizzle(FormArena &arena, const Form &n, const Swizzle &swizzle);

/// A size and a stride, or a list of modes.
struct StridedMode {
  int64_t size = 1, stride = 0;
  bool isList = false;
  std::vector<StridedMode> modes;
  /// The dim of the layout's map, where it has one instead of strides.
  unsigned dim = 0;

  /// The product of all sizes; they must fit (StridedLayout::verify).
  int64_t getSize() const;
  /// Strides count where there are such.
  bool operator==(const StridedMode &o) const;
};

/// A value. `verify` tells whether the members fit together, and every other
/// function but `str` requires that they do.
class StridedLayout {
public:
  StridedMode root;
  std::optional<Swizzle> swizzle;
  /// Instead of strides, from the coordinates of all modes to a number; and why
  /// there are no strides.
  std::optional<IndexingMap> map;
  std::string whyNoStrides;

  StridedLayout() = default;
  StridedLayout(int64_t size, int64_t stride) : root{size, stride, false, {}, 0} {}
  /// The modes one after the other; their numbers are added.
  static std::optional<StridedLayout>
  list(llvm::ArrayRef<StridedLayout> layouts, std::string &error);
  /// Reads `(4,(2,2)):(1,(16,4))`, `8:1`, `Sw<3,3,3> o (8,64):(64,1)`.
  static std::optional<StridedLayout> parse(llvm::StringRef text,
                                            ParseError &error);
  /// Each dimension of a tiled layout is a mode, a list where tiles cut it. None
  /// and `error` without a static shape and where padding or `*` makes it no such
  /// layout.
  static std::optional<StridedLayout> fromLayout(const Layout &layout,
                                                 std::string &error);

  std::optional<std::string> verify() const;
  bool hasStrides() const { return !map && !swizzle; }
  std::string str() const;

  /// The modes of the root's list; 1 where it is none.
  unsigned getRank() const { return root.isList ? root.modes.size() : 1; }
  StridedLayout getMode(unsigned i) const;
  /// The modes that are no lists, in order.
  llvm::SmallVector<StridedMode> getLeaves() const;
  int64_t getSize() const { return root.getSize(); }
  /// Where all numbers lie: the smallest interval for strides.
  Interval getRange() const;
  /// How many numbers there are in it; none where a map does not say.
  std::optional<int64_t> getCosize() const;
  /// Of a colexicographic number; none if it is negative and on overflow.
  std::optional<int64_t> evaluate(int64_t number) const;
  /// Of the coordinates of all leaves.
  std::optional<int64_t> evaluateLeaves(llvm::ArrayRef<int64_t> point) const;
  /// Coordinates of all leaves -> number. Exact.
  IndexingMap getMap() const;

  bool operator==(const StridedLayout &o) const;
};

llvm::hash_code hash_value(const StridedLayout &layout);

namespace strided {

/// Fewest modes, as a list where there is not one: modes of size 1 are left out,
/// neighbours that go on are one. Requires strides.
StridedLayout coalesce(const StridedLayout &layout);
/// The same in each mode of the root's list.
StridedLayout coalesceModes(const StridedLayout &layout);
/// Coalesced, without modes of stride 0.
StridedLayout filter(const StridedLayout &layout);

/// What `layout` leaves out of the numbers below `cotarget`, in ascending order:
/// each of these is one number of `layout` and one of the complement. None and
/// `error` where sizes and strides do not nest.
std::optional<StridedLayout> complement(const StridedLayout &layout,
                                        int64_t cotarget, std::string &error);
/// a(b(x)). Where no number of b is positive, a(-n) is -a(n), as in CuTe's C++. None
/// and `error` if some are and some are negative, and on overflow.
std::optional<StridedLayout> compose(const StridedLayout &a,
                                     const StridedLayout &b,
                                     std::string &error);
/// layout(r(n)) = n for all n below the size of r, as many as modes that follow
/// one another give. Of a swizzled layout, as many of these as the swizzle permutes.
std::optional<StridedLayout> rightInverse(const StridedLayout &layout,
                                          std::string &error);
/// l(layout(x)) = x for all x below the layout's size. None and `error` where strides
/// do not divide one another, or modes meet.
std::optional<StridedLayout> leftInverse(const StridedLayout &layout,
                                         std::string &error);
/// The layout in tiles: (b, complement(b)) composed with a.
std::optional<StridedLayout> logicalDivide(const StridedLayout &a,
                                           const StridedLayout &b,
                                           std::string &error);
/// Mode by mode, a's modes with those of b; what b lacks stays as it is.
std::optional<StridedLayout> composeModes(const StridedLayout &a,
                                          llvm::ArrayRef<StridedLayout> b,
                                          std::string &error);
/// How modes that were divided one by one, into tiles T and what is left R, follow
/// one another.
enum class TileOrder : uint8_t {
  Logical, ///< ((T0,R0),(T1,R1),…)
  Zipped,  ///< ((T0,T1),(R0,R1,…))
  Tiled,   ///< ((T0,T1),R0,R1,…)
  Flat,    ///< (T0,T1,R0,R1,…)
};
std::optional<StridedLayout> divide(const StridedLayout &a,
                                    llvm::ArrayRef<StridedLayout> tiles,
                                    TileOrder order, std::string &error);
/// a for each number of b: (a, complement(a) composed with b); where a has no
/// complement, copies follow where it ends.
std::optional<StridedLayout> logicalProduct(const StridedLayout &a,
                                            const StridedLayout &b,
                                            std::string &error);
/// Mode i is (a's, b's), or (b's, a's) where `isRaked`.
std::optional<StridedLayout> blockedProduct(const StridedLayout &a,
                                            const StridedLayout &b,
                                            bool isRaked, std::string &error);
/// Of two layouts of numbers, the longest vector from 0 on that both have side by
/// side: its numbers in the order of memory.
std::optional<StridedLayout> maxCommonLayout(const StridedLayout &a,
                                             const StridedLayout &b,
                                             std::string &error);

/// `Sw` after the layout, whose numbers may not be negative.
std::optional<StridedLayout> compose(const Swizzle &swizzle,
                                     const StridedLayout &layout,
                                     std::string &error);

} // namespace strided

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

/// A value; as above.
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
  /// where they have no name, inputs in0, in1, …. None and `error` for sizes that
  /// are no powers of two and bases beyond them.
  static std::optional<LinearLayout>
  get(llvm::ArrayRef<std::vector<std::vector<int64_t>>> bases,
      llvm::ArrayRef<int64_t> sizes, std::string &error,
      llvm::ArrayRef<std::string> inputNames = {},
      llvm::ArrayRef<std::string> outputNames = {});
  /// Reads the text above, `-> {row = 4, column = 2}` for outputs with names; what
  /// stands after `->` may be left out, as in Triton's text: the smallest sizes
  /// that hold all bases.
  static std::optional<LinearLayout> parse(llvm::StringRef text,
                                           ParseError &error);
  /// index -> index of one input and output of that size.
  static LinearLayout identity(unsigned bits, llvm::StringRef input,
                               llvm::StringRef output);
  /// An input for each mode, of one number. None and `error` where a size is no
  /// power of two, or where adding numbers carries.
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
  /// None where an input is out of range.
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
  /// The least word of inputs that gives these outputs; none where none does.
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
  /// The layout c with other(c(x)) = this(x), least where there are several. None
  /// and `error` where outputs differ, and if `other` does not reach one.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &other,
                                               std::string &error) const;
  /// From outputs to the least inputs; `error` where it is not surjective.
  std::optional<LinearLayout> invert(std::string &error) const;
  /// Inputs and outputs of the same name go on behind this one's.
  std::optional<LinearLayout> multiply(const LinearLayout &next,
                                       std::string &error) const;
  /// The layout c with first.multiply(c) = this; none where there is none.
  std::optional<LinearLayout> divideLeft(const LinearLayout &first,
                                         std::string &error) const;

  bool operator==(const LinearLayout &o) const {
    return inputs == o.inputs && outputs == o.outputs;
  }
};

llvm::hash_code hash_value(const LinearLayout &layout);

//===----------------------------------------------------------------------===//
// Exchanges through a memory of banks
//
// Two layouts say who holds an element and who wants it: inputs `register`, `lane`
// and `warp`. What stays with its lane is moved in registers, what stays in its warp
// by shuffles, all else by a memory that all share, in which the lanes of an access
// meet in banks. The layout of that memory is computed, not searched:
//
//   1. *Units*, 16 bytes: what the registers of one side hold, of which the other has
//      a part; or rows of matrices, whose words go to four lanes.
//   2. One access serves a span of elements, A when storing and B when loading: a
//      unit, and the lanes at once. Two elements of one bank and not of one word
//      conflict: those whose sum is in the span R of the *rows* of memory. A and B
//      have a common complement: what is outside of both, and the sums a_i + b_i of
//      what is in one of them only. R is taken from there, and no linear memory with
//      these units has fewer conflicts; where R is larger than that, the least that
//      must conflict follows.
//   3. Of the few ways to choose units, that with the fewest cycles and then the
//      fewest instructions.
//===----------------------------------------------------------------------===//

struct BankedMemory {
  /// Banks, the bytes of a word of each, and the most bytes of an access of a lane;
  /// powers of two.
  int64_t banks = 32, bankBytes = 4, vectorBytes = 16;
  /// Whether a warp of 32 lanes loads and stores matrices of eight rows of 16 bytes
  /// (ldmatrix, stmatrix).
  bool loadsMatrices = true, storesMatrices = true;
};

/// How the lanes of a warp meet the memory.
struct BankedAccess {
  enum class Kind : uint8_t {
    Lanes, ///< each lane a vector of its own
    /// Matrices: word w of row r, which is lane bits 2 to 4, belongs to lane w of the
    /// four with these bits.
    Rows,
    /// Matrices of elements of two bytes, transposed: element e of row r is that of
    /// lane bits 2 to 4, register bit 0 and lane bits 0 and 1 are the row.
    Columns,
  };
  Kind kind = Kind::Lanes;
  /// Elements side by side, of a lane or of a row.
  int64_t vector = 1;
  /// Of the memory, for all elements and counted access by access; how many there
  /// would be without conflicts; and the warps' instructions, of up to four matrices.
  int64_t cycles = 0, leastCycles = 0, instructions = 0;

  int64_t getConflicts() const { return cycles - leastCycles; }
};

struct BankedExchange {
  enum class Way : uint8_t { Registers, Shuffles, Memory };
  Way way = Way::Memory;
  /// `offset`, in elements -> index.
  LinearLayout memory;
  BankedAccess store, load;
};

/// `registers`, …; `lanes`, `rows`, `columns`.
llvm::StringRef describe(BankedExchange::Way way);
llvm::StringRef describe(BankedAccess::Kind kind);

/// None and `error` where indices differ in size, an input has another name, some
/// element is not held, or elements are larger than a vector.
std::optional<BankedExchange> planExchange(const LinearLayout &from,
                                           const LinearLayout &to,
                                           int64_t elementBytes,
                                           const BankedMemory &banks,
                                           std::string &error);

/// All accesses of a layout to a memory. None and `error` where its registers hold no
/// such vectors, or its lanes no such matrices.
std::optional<BankedAccess>
countCycles(const LinearLayout &layout, const LinearLayout &memory,
            int64_t elementBytes, BankedAccess::Kind kind, int64_t vector,
            const BankedMemory &banks, std::string &error);

//===----------------------------------------------------------------------===//
// As layouts of memory
//===----------------------------------------------------------------------===//

/// Where the elements of an array lie: each has a number of its own.
struct MemoryPlaces {
  /// index -> number, and number -> index for all numbers below `numbers`.
  IndexingMap toNumber, toIndex;
  int64_t numbers = 0;
  /// Numbers of no element, or not the element's: toIndex does not go back.
  bool hasPadding = false;
  /// Numbers from a multiple of `run` on, so many, are elements side by side along
  /// `runDim`, or all padding; a power of two, or 1.
  int64_t run = 1;
  unsigned runDim = 0;

  /// toIndex, with padding outside of its domain.
  IndexingMap getElements() const;
};

/// A mode for each dimension. None and `error` where modes are not of these sizes,
/// or strides don't nest.
std::optional<MemoryPlaces> getPlaces(const StridedLayout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      std::string &error);
/// An output for each dimension; the bits of all inputs are the number. None and
/// `error` where outputs are not of these sizes, or some element has no number.
std::optional<MemoryPlaces> getPlaces(const LinearLayout &layout,
                                      llvm::ArrayRef<int64_t> shape,
                                      std::string &error);

/// The same memory in another notation. A linear one as strides where each bit of an
/// index is one of the number, or as they carry nothing; a strided one by its digits
/// (getNest), with padding in its gaps, and by tiles. None and `reason` where that
/// can't be said: swizzles, strides that don't divide one another. Tiles end with a
/// whole row: they may have more numbers, all padding, behind the last element.
std::optional<StridedLayout> toStridedPlaces(const LinearLayout &layout,
                                             std::string &reason);
std::optional<llvm::SmallVector<NestDigit>>
getNest(const StridedLayout &layout, std::string &reason);
std::optional<Layout> toLayout(const StridedLayout &layout, XlaType type,
                               std::string &reason);
/// Digits as strides, a mode for each dimension. None and `reason` where dimensions are
/// dynamic or no multiple of their digits, and with padding behind the last element.
std::optional<StridedLayout> stridedFromNest(llvm::ArrayRef<int64_t> shape,
                                             llvm::ArrayRef<NestDigit> nest,
                                             std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_STRIDEDLAYOUT_H
