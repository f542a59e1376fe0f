//===- Dependence.h - What a function's results depend on -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_DEPENDENCE_H
#define TENSORACCESS_ANALYSIS_DEPENDENCE_H

#include "TensorAccess/Analysis/ValueFacts.h"

#include <map>
#include <set>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a function's results depend on
//
// For each result and argument of a function: which pairs (output element,
// input element) can matter. The function's indexing (Models/Indexing.h)
// describes what is *read*; this is less, because values rule some of it out
// (ValueFacts.h):
//
//   - an element that is known to be a number depends on nothing;
//   - an operand of a select is read only where it may be chosen;
//   - a factor of a product is not needed where the other one is zero.
//
//   IndexingCache cache;
//   auto dependence = Dependence::get(function, cache, {.assumeFinite = true});
//   dependence->get(0, 0).str()
//        causal attention: (d0, d1, d2)[s0, s1] -> (d0, s0, s1),
//                          ... d1 - s0 in [0, 5]
//
// The union of the maps contains all pairs that can matter. It is exactly what
// is read after these exclusions, unless a pattern is marked as a hull.
//===----------------------------------------------------------------------===//

/// A way in which the elements of a result depend on those of a value.
struct DependencePattern {
  /// From the result's indices to the value's.
  MapPool::Id map = 0;
  /// Contains more than what is read, because of an unknown index or op.
  bool isHull = false;
  /// Is contained in another pattern, which represents it.
  bool isAbsorbed = false;
  /// How it arose: the step that reads the value, which of its reads that is,
  /// and the pattern of which result; no step for a result itself.
  int step = -1;
  unsigned read = 0, fromValue = 0, fromPattern = 0;
  /// The op whose reads are unknown, if that makes it a hull.
  Operation *culprit = nullptr;
};

/// All patterns between a result and a value.
using DependenceList = std::vector<DependencePattern>;

/// Adds a pattern unless it is contained in another; patterns contained in it
/// are absorbed. If there are too many, they are replaced by one that contains
/// them.
void insertPattern(MapPool &pool, DependenceList &list,
                   DependencePattern pattern);

class Dependence {
public:
  /// std::nullopt if the function has no body of one block.
  static std::unique_ptr<Dependence> get(FunctionOpInterface function,
                                         IndexingCache &cache,
                                         FactOptions options = {});

  /// Finds the patterns of all results, if that was left to do.
  void findPatterns();
  /// The patterns between a result and a value, arguments first.
  const DependenceList &getPatterns(unsigned result, unsigned value) const {
    return lists[result][value];
  }
  /// The maps of a result and an argument: a union, none contained in another.
  SmallVector<IndexingMap> getMaps(unsigned result, unsigned argument) const;
  /// The same of all results and arguments, both ways; std::nullopt if some are
  /// not known.
  std::optional<OpIndexing> getIndexing() const;
  /// Whether the maps are exactly what ops read, and no number was given up that
  /// might rule some of it out. What cancels, as in x - x, counts as read.
  bool isExact(unsigned result, unsigned argument) const;
  /// The maps of one step, from its result to what it reads, less what facts
  /// rule out. `isHull`, if given, is set if they may contain more.
  SmallVector<IndexingMap> getStep(unsigned step, unsigned result,
                                   unsigned read, bool *isHull = nullptr);
  /// The patterns between value `start` and those that lead to it, by number. The
  /// way begins in `region`, if that is given, and ends at values up to number
  /// `stop`. `lost` is set as `getLost` says.
  std::vector<DependenceList> trace(unsigned start, int stop, Operation *&lost,
                                    const IndexingMap *region = nullptr);
  /// Whether it holds only if all computed values are finite.
  bool usesFinite() const { return finite || facts.usesFinite(); }
  /// A value whose elements have no indices, through which the result gets
  /// elements that cannot be located; or null.
  Operation *getLost(unsigned result) const { return lost[result]; }

  const FlatProgram &getProgram() const { return program; }
  const ValueFacts &getFacts() const { return facts; }
  IndexingCache &getCache() const { return cache; }

private:
  struct StepMap {
    MapPool::Id id;
    bool isHull;
    Operation *culprit;
  };

  Dependence(FlatProgram given, IndexingCache &cache, FactOptions options);
  /// What a loop reads that is one step; null where it has no facts.
  const ControlIndexing *getLoopReads(unsigned step);
  const SmallVector<StepMap, 1> &getStepMaps(unsigned step, unsigned result,
                                             unsigned read);
  SmallVector<StepMap, 1> makeStepMaps(unsigned step, unsigned result,
                                       unsigned read);
  SmallVector<IndexingMap> getIdlePairs(unsigned step, unsigned read);
  bool addBodyMaps(unsigned step, unsigned result, unsigned read,
                   SmallVector<StepMap, 1> &maps);
  bool addContractMaps(unsigned step, unsigned read,
                       SmallVector<StepMap, 1> &maps);
  /// What `read` gives at each piece of the loops; false if one is unknown.
  bool addPieces(const IndexingMap &read, ArrayRef<IndexingMap> pieces,
                 ShapedType type, SmallVector<StepMap, 1> &maps);
  bool hidesNumbers(unsigned step) const;
  const SmallVector<MapPool::Id, 2> &restrict(MapPool::Id map, unsigned value);

  IndexingCache &cache;
  MapPool &pool;
  FlatProgram program;
  FactOptions options;
  ValueFacts facts;
  bool finite = false;
  /// Of values: what facts there are may be less than could be known.
  std::vector<char> vague;
  /// [result][value].
  std::vector<std::vector<DependenceList>> lists;
  std::vector<Operation *> lost;
  /// The regions of each value that is fixed in places.
  DenseMap<unsigned, SmallVector<IndexingMap>> fixed;
  std::map<std::tuple<unsigned, unsigned, unsigned>, SmallVector<StepMap, 1>>
      stepMaps;
  std::map<unsigned, std::optional<ControlIndexing>> loopReads;
  std::map<std::pair<MapPool::Id, unsigned>, SmallVector<MapPool::Id, 2>>
      restricted;
  /// Of these the ones that could not be cut as they should.
  std::set<std::pair<MapPool::Id, unsigned>> widened;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_DEPENDENCE_H
