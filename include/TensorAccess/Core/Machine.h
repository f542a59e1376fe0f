//===- Machine.h - Targets and what they move -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_MACHINE_H
#define TENSORACCESS_CORE_MACHINE_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What machine this is
//
// By what a calibration is told apart from those of other machines and other
// compilers, and where the machine keeps its caches and its energy counters.
//===----------------------------------------------------------------------===//

struct Machine {
  /// `AMD EPYC 7763 64-Core Processor`; LLVM's name where the system has none.
  std::string cpu;
  int64_t cores = 0;
  /// Bytes of the data caches of a core, the nearest first, and their ways.
  llvm::SmallVector<int64_t, 4> caches, cacheWays;
  /// `tensoraccess 0.1.0, LLVM 22.1.8`: who compiles what runs on it.
  std::string build;
  /// Instructions that kernels may use, by LLVM's names, sorted.
  std::vector<std::string> features;

  bool operator==(const Machine &o) const;
  /// None if equal, else the first difference: `cpu 'a', here 'b'`.
  std::optional<std::string> describeDifference(const Machine &here) const;
  /// Letters, digits and `-`: a name for messages and files; machines that
  /// differ have different ones, but for collisions of 32 bits.
  std::string getName() const;
};

/// The machine that this process runs on. Caches are those that the system
/// tells of, perhaps none.
const Machine &getHostMachine();

/// What the processor packages have used so far, by the counters that Linux has
/// under `folder` (/sys/class/powercap). A counter may wrap around.
struct EnergyReading {
  struct Counter {
    std::string path;
    int64_t microjoules = 0, range = 0;
  };
  std::vector<Counter> counters;

  /// Joules from `this` to `later`; none where there are no counters, or
  /// others. A counter that is lower has wrapped once.
  std::optional<double> getJoulesUntil(const EnergyReading &later) const;
};

/// None, and the reason in `error`, where there are no counters that may be
/// read.
std::optional<EnergyReading> readEnergy(llvm::StringRef folder,
                                        std::string &error);

//===----------------------------------------------------------------------===//
// What a weight-stationary array takes
//
// A systolic array of R rows and C columns holds R x C weights, one a cell, and
// multiplies a stream of items of R activations by them. A product of M x K by
// K x N takes *passes*, one for each block of K, of N, and of M where the
// accumulators don't hold all of it:
//
//   load     R cycles: the weights move in from above, a row a cycle;
//   stream   M cycles: an item enters each cycle, element r of it r cycles
//            later than element 0, as the sums move down a row a cycle;
//   fill     R - 1 cycles until the first sum is complete;
//   drain    C - 1 cycles in which the last item crosses the columns.
//
// Thus a pass takes R + (M + R + C - 2) cycles. With two sets of weights in each
// cell the next load happens meanwhile, and only the first one counts. Sums
// leave below and are added up in accumulators, one for each item and column.
//
// The simulator (Execution/Run.h) moves the registers and counts
// the same. Source: Kung, "Why Systolic Architectures?", 1982; the array is the
// one of seed 002, "Mapping matMul to Accelerators".
//===----------------------------------------------------------------------===//

/// A weight-stationary array.
struct SystolicArray {
  /// Cells; both positive.
  int64_t rows = 1, cols = 1;
  /// Items whose sums a column keeps below the array; 0 if that is no limit.
  int64_t accumulators = 0;
  /// Whether the next weights are loaded while the present ones are used.
  bool isDoubleBuffered = false;

  /// None, or what is wrong: `rows must be positive, got 0`.
  std::optional<std::string> verify() const;
};

/// What a product of M x K by K x N takes. Elements are counted when they cross
/// the border of the array (and its accumulators).
struct SystolicCost {
  /// Passes: loads of weights.
  int64_t invocations = 0;
  /// Cycles. `load` is what is not hidden behind a stream.
  int64_t load = 0, stream = 0, fill = 0, drain = 0;
  /// Multiplications of two elements that are no padding: M·N·K.
  int64_t products = 0;
  /// Weights and activations in, results out; the padding of blocks is made in
  /// the array.
  int64_t weights = 0, activations = 0, results = 0;

  int64_t getCycles() const { return load + stream + fill + drain; }
  /// Products over what the cells could have made; 0 where there are no cycles.
  double getUtilization(const SystolicArray &array) const;
  /// All of it, once after the other. False, and nothing done, past 2^63 - 1.
  [[nodiscard]] bool add(const SystolicCost &other);
  /// `9 loads, 512 cycles (…), 1000 products, 24.5 % of the cells in use`
  std::string str(const SystolicArray &array) const;

  bool operator==(const SystolicCost &o) const {
    return invocations == o.invocations && load == o.load &&
           stream == o.stream && fill == o.fill && drain == o.drain &&
           products == o.products && weights == o.weights &&
           activations == o.activations && results == o.results;
  }
};

/// In closed form; the array must be verified, sizes not negative. A product
/// without results or without depth takes nothing. None past 2^63 - 1.
std::optional<SystolicCost> getSystolicCost(const SystolicArray &array,
                                            int64_t m, int64_t k, int64_t n);

//===----------------------------------------------------------------------===//
// What a machine looks like to layouts
//===----------------------------------------------------------------------===//

/// A unit that multiplies `rows` x `rows` by `rows` x `cols`.
struct MatrixUnit {
  int64_t rows = 0, cols = 0;
  /// Of one such product.
  int64_t cycles = 0;
  /// Items whose sums a column keeps; 0 if that is no limit.
  int64_t accumulators = 0;
  /// Whether the next weights are loaded while the present ones are used.
  bool isDoubleBuffered = false;

  bool operator==(const MatrixUnit &o) const {
    return rows == o.rows && cols == o.cols && cycles == o.cycles &&
           accumulators == o.accumulators &&
           isDoubleBuffered == o.isDoubleBuffered;
  }
  friend llvm::hash_code hash_value(const MatrixUnit &unit) {
    return llvm::hash_combine(unit.rows, unit.cols, unit.cycles,
                              unit.accumulators, unit.isDoubleBuffered);
  }
  /// The unit as an array.
  SystolicArray getArray() const {
    return {rows, cols, accumulators, isDoubleBuffered};
  }
  /// How many times as long a cycle of the array takes: `cycles` over those of
  /// an array that an item enters each cycle, 2·rows + cols - 2.
  double getSlowness() const;
  /// Cycles of a product of m x k by k x n, whole tiles; none past 2^63 - 1.
  std::optional<int64_t> getCycles(int64_t m, int64_t n, int64_t k) const;
};

/// A data cache of a core, or a core's share of one.
struct Cache {
  int64_t bytes = 0;
  /// Lines that begin at the same place of a page and fit in; 0 if unknown.
  int64_t ways = 0;

  bool operator==(const Cache &o) const {
    return bytes == o.bytes && ways == o.ways;
  }
  friend llvm::hash_code hash_value(const Cache &cache) {
    return llvm::hash_combine(cache.bytes, cache.ways);
  }
};

/// A memory besides main memory. `bytes` and `speed` are as above.
struct MemorySpace {
  std::string name;
  int64_t number = 0, bytes = 0, speed = 1;
  /// Banks, and the bytes of a word of each; 0 where it is not cut into banks.
  int64_t banks = 0, bankBytes = 0;

  bool operator==(const MemorySpace &o) const {
    return name == o.name && number == o.number && bytes == o.bytes &&
           speed == o.speed && banks == o.banks && bankBytes == o.bankBytes;
  }
  friend llvm::hash_code hash_value(const MemorySpace &space) {
    return llvm::hash_combine(space.name, space.number, space.bytes,
                              space.speed, space.banks, space.bankBytes);
  }
};

/// A value; what each member means is said at the top of this file.
struct Target {
  std::string name;
  int64_t vectorBytes = 32;
  int64_t cacheLine = 64;
  int64_t tileRows = 6, tileVectors = 2;
  /// Vector registers.
  int64_t registers = 16;
  int64_t memoryCost = 8;
  int64_t lastCache = int64_t(32) << 20;
  /// 0 where it is left out.
  int64_t bytesPerCycle = 0;
  /// The nearest first; none where they aren't known.
  llvm::SmallVector<Cache, 3> caches;
  int64_t cores = 1;
  /// Instructions, by LLVM's names, sorted: `avx512vnni`, `fma`.
  std::vector<std::string> features;
  llvm::SmallVector<MatrixUnit, 1> matrixUnits;
  /// By ascending number.
  std::vector<MemorySpace> memorySpaces;

  /// Reads a text and verifies it; none and `error` if it is wrong. What a text
  /// leaves out is as above.
  static std::optional<Target> parse(llvm::StringRef text, ParseError &error);
  /// The built-in target of that name; none if there is none. `host` is the
  /// machine that this process runs on, by the features of its processor.
  static std::optional<Target> lookup(llvm::StringRef name);
  /// The names `lookup` knows, sorted; `systolic-RxC` stands for a family.
  static std::vector<std::string> getBuiltInNames();

  /// None if the members fit together, else what does not.
  std::optional<std::string> verify() const;
  /// The canonical text: every member, in the order above.
  std::string str() const;

  /// Elements of that many bits in a vector, at least 1.
  int64_t getLanes(int64_t elementBits) const;
  /// Bytes between main memory and registers in a cycle.
  double getBytesPerCycle() const {
    return bytesPerCycle != 0 ? double(bytesPerCycle)
                              : double(vectorBytes) / double(memoryCost);
  }
  bool hasFeature(llvm::StringRef feature) const {
    return std::binary_search(features.begin(), features.end(), feature);
  }
  /// The unit of that size, or null.
  const MatrixUnit *findUnit(int64_t rows, int64_t cols) const;
  /// Width of a panel, in elements: `tileVectors` vectors, and whole lines.
  int64_t getPanelWidth(int64_t elementBits) const;
  /// The unit with the fewest cycles for a product; null without units. Of
  /// equals, the first.
  const MatrixUnit *chooseUnit(int64_t m, int64_t n, int64_t k) const;
  /// The space of that number or name; null if it is not listed.
  const MemorySpace *findSpace(int64_t number) const;
  const MemorySpace *findSpace(llvm::StringRef name) const;

  bool operator==(const Target &o) const;
  bool operator!=(const Target &o) const { return !(*this == o); }
};

llvm::hash_code hash_value(const Target &target);

//===----------------------------------------------------------------------===//
// Functional models of accelerators
//===----------------------------------------------------------------------===//

/// The type of result that a call is written with; sizes may be dynamic.
struct AcceleratorResult {
  ElementType elementType;
  llvm::SmallVector<int64_t> accessShape, computeShape;
};

/// A functional model. Its result must be of the wanted type; the interpreter
/// checks that. An error is reported at the call.
using AcceleratorModel = std::function<llvm::Expected<AccessPattern>(
    llvm::ArrayRef<AccessPattern> operands, const AcceleratorResult &wanted)>;

/// Makes a model known to the whole process; one of the same name is replaced,
/// and an empty one takes the name away. Safe from several threads.
void registerAccelerator(llvm::StringRef name, AcceleratorModel model);

/// The names that have a model, sorted.
std::vector<std::string> getAcceleratorNames();

namespace kernels {
/// Runs the model of that name. Fails where there is none.
llvm::Expected<AccessPattern>
acceleratorCall(llvm::StringRef name, llvm::ArrayRef<AccessPattern> operands,
                const AcceleratorResult &wanted);
} // namespace kernels

//===----------------------------------------------------------------------===//
// Bytes moved for the bytes used
//
// Memory is moved in *transactions* of a fixed size. When the lanes of a warp
// read neighbouring elements, one transaction serves many of them.
//
//   (d0, d1)[s0] -> (d1 * 256 + d0 * 4 + s0)      lane d0, vector s0
//
// is a map from a lane, and whatever else, to the number of an element. An
// *access* is what one group of `lanes` consecutive values of the lane reads at
// once, with all values of the vector variables, for one value of each other
// variable; lanes that the domain leaves out are masked. Groups begin at
// multiples of `lanes`. The element of number 0 begins a transaction.
//
//   bytesUsed    sum over accesses of the distinct bytes touched
//   bytesMoved   sum over accesses of the distinct transactions touched, times
//                their size
//
// Both are exact over all accesses: every warp, every iteration. They are
// counted without walking through all of them:
//
//   1. The lane is written as lanes·g + l, so that g is one more variable.
//   2. A variable under a division by m is periodic: adding a multiple P of its
//      period moves the offset by a constant. It is written as P·q + r.
//   3. A variable that is in no division only moves an access. Where it is in a
//      constraint (a mask), its range is cut: inside, the constraint holds for
//      all lanes; at the few values of the border it is fixed.
//   4. Now an access depends on the few remaining variables, which are walked
//      through, and is moved by a sum of multiples, of which only the residue
//      modulo a transaction matters: how often each residue occurs is counted
//      in closed form.
//
// A budget bounds 3 and 4; beyond it the answer is unknown, never a sample.
//===----------------------------------------------------------------------===//

struct CoalescingOptions {
  /// The variable that numbers the lanes, a dim or symbol; none where each
  /// point (with its vector) is an access of its own.
  std::optional<unsigned> lane;
  /// Lanes of one access, at least 1.
  int64_t lanes = 32;
  /// Dims or symbols all of whose values belong to one access.
  llvm::SmallVector<unsigned, 2> vector;
  /// Runtime variables that are the same for all lanes of an access. Others
  /// may differ from lane to lane: a map that depends on one is unknown.
  llvm::SmallVector<unsigned, 2> uniform;
  /// Bits of an element, at least 1; elements of less than a byte are packed.
  int64_t elementBits = 32;
  /// Bytes of a transaction, at least 1.
  int64_t transactionBytes = 64;
  /// Points that are evaluated, and boxes that the domain is cut into.
  uint64_t maxPoints = 1u << 22;
  uint64_t maxBoxes = 1u << 14;
};

/// Sums over all accesses.
struct Coalescing {
  int64_t accesses = 0;
  int64_t transactions = 0;
  int64_t bytesUsed = 0;
  int64_t bytesMoved = 0;
  /// What would be moved if each access's bytes lay together from the beginning
  /// of a transaction on.
  int64_t minimumBytes = 0;
  /// Maximal stretches of neighbouring bytes, and what would be moved if each
  /// began a transaction and shared none with another: a measure that doesn't
  /// depend on where arrays begin.
  int64_t runs = 0;
  int64_t runBytes = 0;
  /// Of the access that uses least of what it moves.
  int64_t worstUsed = 0, worstMoved = 0;

  /// bytesUsed / bytesMoved; 1 where nothing is moved.
  double getUtilization() const;
  /// Whether minimumBytes > threshold · runBytes. True where nothing is accessed:
  /// there is no access that is not coalesced.
  bool isCoalesced(double threshold = 0.9) const;

  bool operator==(const Coalescing &o) const;
};

/// Why there is no count.
enum class CoalescingReason : uint8_t {
  None,
  UnknownMap, ///< the map is unknown
  Runtime,    ///< it depends on a runtime variable
  Unbounded,  ///< a variable has no end
  Budget,     ///< a limit was reached
  Overflow,   ///< a number does not fit 64 bits
};

/// `the map is unknown`, ...
llvm::StringRef describe(CoalescingReason reason);

struct CoalescingResult {
  /// None if and only if there is a reason.
  std::optional<Coalescing> value;
  CoalescingReason reason = CoalescingReason::None;
};

/// None if the options make sense for `map`, else what does not. The map must
/// have one result.
std::optional<std::string> verify(const CoalescingOptions &options,
                                  const IndexingMap &map);

/// What the accesses of `map`, whose one result is the number of an element,
/// use and move. `options` must be verified.
CoalescingResult getCoalescing(const IndexingMap &map,
                               const CoalescingOptions &options);

/// From the index that `map` gives to the number of the element in memory.
/// Points outside of the layout's shape access nothing. Unknown (RankMismatch)
/// if the ranks differ, and (DynamicShape) if dynamic sizes are part of a
/// stride; `layout` must have a shape.
IndexingMap toElementNumbers(const IndexingMap &map, const Layout &layout);
/// The same for a row-major array. Without a shape, it is the smallest that
/// holds every result; unknown (DynamicShape) where there is none.
IndexingMap
toElementNumbers(const IndexingMap &map,
                 std::optional<llvm::ArrayRef<int64_t>> shape = std::nullopt);

/// How much of what is moved a tile uses, when each stretch of neighbouring
/// bytes is fetched by transactions of its own. The tile lies at the origin;
/// what of it lies outside of the shape is not read.
struct TileBandwidth {
  int64_t bytesUsed = 0, bytesMoved = 0;
  /// 1 where nothing is moved.
  double getUtilization() const;
};

/// None and `error` for a layout without a shape, a wrong number of sizes or
/// strides, a size below 0, and a tiled layout with a tile of more than
/// `maxElements` elements. A stride may be zero or negative: then the tile
/// repeats or runs backwards, which reads the same elements.
std::optional<TileBandwidth>
getTileBandwidth(const Layout &layout, llvm::ArrayRef<int64_t> tileSizes,
                 llvm::ArrayRef<int64_t> tileStrides, int64_t transactionBytes,
                 std::string &error, uint64_t maxElements = 1u << 22);

//===----------------------------------------------------------------------===//
// Accesses that meet in a memory bank
//
// The shared memory of a GPU, and the scratch memory of many accelerators, is
// cut into *banks*: byte b lies in word ⌊b / width⌋, and word w in bank
// w mod banks. In a cycle, each bank gives one of its words to all lanes that
// ask for it. An access therefore takes
//
//   cycles           max over banks of the distinct words asked of that bank
//   minimum cycles   ⌈distinct words / banks⌉
//
// and the difference is what conflicts cost. Accesses are those of
// `lanes` consecutive values of the lane at once, with all values
// of the vector variables. Hardware that serves wide elements in parts (8 lanes
// of 16 bytes at a time, say) is asked with that number of lanes.
//
// The sums over all accesses are exact; how they come about without walking
// through all of them is told above.
//===----------------------------------------------------------------------===//

struct BankOptions {
  /// What an access is; its transaction plays no part.
  CoalescingOptions access;
  /// At least 1.
  int64_t banks = 32;
  /// Bytes of a word, at least 1.
  int64_t bankBytes = 4;
};

/// Sums over all accesses.
struct BankConflicts {
  int64_t accesses = 0;
  /// Distinct words that are touched.
  int64_t words = 0;
  int64_t cycles = 0;
  int64_t minimumCycles = 0;
  /// Cycles of the access that takes most.
  int64_t worst = 0;

  /// Cycles beyond the minimum.
  int64_t getConflicts() const { return cycles - minimumCycles; }
  bool operator==(const BankConflicts &o) const {
    return accesses == o.accesses && words == o.words && cycles == o.cycles &&
           minimumCycles == o.minimumCycles && worst == o.worst;
  }
};

struct BankConflictsResult {
  /// None if and only if there is a reason.
  std::optional<BankConflicts> value;
  CoalescingReason reason = CoalescingReason::None;
};

/// None if the options make sense for `map`, else what does not. The map must
/// have one result, the number of an element.
std::optional<std::string> verify(const BankOptions &options,
                                  const IndexingMap &map);

/// The cycles of the accesses of `map`; element 0 begins bank 0. `options` must
/// be verified.
BankConflictsResult getBankConflicts(const IndexingMap &map,
                                     const BankOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_MACHINE_H
