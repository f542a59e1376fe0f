//===- Pictures.h - Pictures ------------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_PICTURES_H
#define TENSORACCESS_EXPORT_PICTURES_H

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Core/BankedExchange.h"
#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LinearLayout.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Core/StridedLayout.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

//===----------------------------------------------------------------------===//
// Access programs as pictures
//===----------------------------------------------------------------------===//

namespace mlir {
class Operation;

namespace tensoraccess {

/// Writes an SVG picture of every function in or at `root` that contains an op
/// of this dialect. The text is the same for the same IR. Emits an error at
/// `root` if there is no such function, and at a function that has several
/// blocks. Nothing is written then.
LogicalResult exportAccessToSvg(Operation *root, raw_ostream &os);

/// Registers `tensoraccess-translate --access-to-svg`.
void registerAccessToSvgTranslation();

} // namespace tensoraccess
} // namespace mlir

namespace mlir::tensoraccess {

/// Style rules for an SVG document of class `tensoraccess`: its colours,
/// attributes of `drawn`, in dark mode. All pictures include them; use this for
/// pictures drawn by others.
std::string getPictureStyle(llvm::StringRef drawn);

//===----------------------------------------------------------------------===//
// Pictures of a tiled layout
//
// How the elements of an array are laid out, twice: the array, each element
// with its number in memory, and memory, each place with the index of its
// element. Tiles have borders, one kind per level; padding is hatched in the
// picture and a dot in the table.
//===----------------------------------------------------------------------===//

struct LayoutPictureOptions {
  /// The most rows and columns of a plane, and of memory, that are drawn; at
  /// least 8. For a longer axis the picture shows the beginning, the first
  /// border of a tile, and the end.
  int64_t maxRows = 24, maxColumns = 24;
  /// The most planes of an array of more than two dimensions.
  int64_t maxPlanes = 4;
  /// Characters per line of the table, at least 20; wider tables are folded:
  /// columns continue below. A single column that is wider stays whole. 0 for
  /// no limit.
  int64_t maxWidth = 0;
};

/// Writes an SVG document. The text is the same on every machine. std::nullopt,
/// or why there is no picture: the layout has no shape, a size is dynamic or
/// does not fit 63 bits, or the options are invalid. Nothing is written then.
std::optional<std::string>
writeLayoutSvg(const Layout &layout, llvm::raw_ostream &os,
               const LayoutPictureOptions &options = {});

/// The same as a table for a terminal, in UTF-8; for a layout with dynamic
/// sizes only its size, as expressions.
std::optional<std::string>
writeLayoutText(const Layout &layout, llvm::raw_ostream &os,
                const LayoutPictureOptions &options = {});

//===----------------------------------------------------------------------===//
// Pictures of strided and linear layouts
//
// A grid of elements. For shapes and strides each shows its number, and the
// colour of its bank; if registers and lanes hold them, `T5:3` is register 3 of
// lane 5, and lanes of further warps are numbered consecutively: lanes by
// colour, warps with borders. For a linear layout of memory both the array,
// with numbers, and the memory, with indices.
//===----------------------------------------------------------------------===//

/// As above; the last two dimensions are rows and columns, others planes.
/// std::nullopt, or why there is no picture.
std::optional<std::string>
writeLayoutSvg(const StridedLayout &layout, llvm::raw_ostream &os,
               const LayoutPictureOptions &options = {});
std::optional<std::string>
writeLayoutText(const StridedLayout &layout, llvm::raw_ostream &os,
                const LayoutPictureOptions &options = {});
std::optional<std::string>
writeLayoutSvg(const LinearLayout &layout, llvm::raw_ostream &os,
               const LayoutPictureOptions &options = {});
std::optional<std::string>
writeLayoutText(const LinearLayout &layout, llvm::raw_ostream &os,
                const LayoutPictureOptions &options = {});

/// An exchange found by planExchange: which lanes hold, which lanes need, and
/// between them the memory, a column per bank, once by the lane that stores and
/// once by the lane that loads. What the first access serves at once has a
/// border.
std::optional<std::string>
writeBankedExchangeSvg(const LinearLayout &from, const LinearLayout &to,
                       const BankedExchange &exchange, int64_t elementBytes,
                       const BankedMemory &banks, llvm::raw_ostream &os,
                       const LayoutPictureOptions &options = {});

/// Registers `tensoraccess-translate --layout-to-svg` and `--layout-to-text`,
/// which read layouts, one per line: tiled with their shapes, as
/// `f32[3,5]{1,0:T(2,2)}`; shapes and strides, as `Sw<2,0,2> o (4,4):(4,1)`;
/// linear ones, as `{lane = [[0, 1]], warp = [[1, 0]]}`.
void registerLayoutTranslations();

//===----------------------------------------------------------------------===//
// Pictures of what a block touches
//
// An index projection applied (Core/Projection.h): on the left a block of the
// index space and the next one along an axis; on the right the tensor with what
// both touch: the block's places, those that the next one shares, out-of-bounds
// places by what their policy maps them to, and the elements that are therefore
// needed. If a rank's owned box is given, its halo is drawn instead of the next
// block.
//===----------------------------------------------------------------------===//

struct ProjectionPictureOptions {
  /// The tensor's sizes, one per row; without them nothing is out of bounds.
  std::optional<llvm::SmallVector<int64_t, 4>> sizes;
  /// The box of the tensor that a rank owns; needs `sizes`.
  std::optional<Box> owned;
  /// The axis along which the next block follows. std::nullopt for the axis
  /// along which it shares most.
  std::optional<size_t> axis;
};

/// Writes an SVG document; the text is the same on every machine. std::nullopt,
/// or why there is no picture: ranks that differ, an axis that does not exist,
/// no dimensions, numbers beyond ±2^60. Nothing is written then.
std::optional<std::string>
writeProjectionSvg(const Projection &projection, const Box &block,
                   llvm::raw_ostream &os,
                   const ProjectionPictureOptions &options = {});

/// Registers `tensoraccess-translate --projection-to-svg`, which reads a
/// projection such as `[[2]] + [-1], shape = [3], oob = [pad(0.0)]`; the block,
/// the tensor and the owned box are options.
void registerProjectionTranslation();

//===----------------------------------------------------------------------===//
// Pictures of an indexing map
//
// On the left two dimensions of the points of its dims, three of them in
// colour: the first, the middle one and the last; on the right, two dimensions
// of the results, with what each point is mapped to, over all symbols, in its
// colour.
//===----------------------------------------------------------------------===//

/// Writes an SVG document; the text is the same on every machine. std::nullopt,
/// or why there is no picture: the map is unknown, empty or unbounded.
std::optional<std::string> writeMapSvg(const IndexingMap &map,
                                       llvm::raw_ostream &os);

//===----------------------------------------------------------------------===//
// Pictures of tensors over ranks
//
// Two pictures of a tensor distributed over a grid of ranks:
//
//   its shards    the tensor, cut; and rank by rank what it has (its colour),
//                 what else it needs (hatched, in the colour of who has it),
//                 and across which end of the tensor a halo comes
//   an exchange   who sends how many bytes to whom: a matrix of sender by
//                 receiver with sums, the ranks on their grid with arrows where
//                 there are few, and the messages
//
// Only a part of a grid of thousands of ranks is drawn, which is indicated.
//===----------------------------------------------------------------------===//

/// A tensor on a grid of ranks.
struct ShardedTensor {
  /// Its name in the title.
  std::string name;
  Grid grid;
  llvm::SmallVector<int64_t, 4> shape;
  /// The owners. std::nullopt for a tensor of which each rank holds what it
  /// needs.
  std::optional<Distribution> owned;
  /// What each rank needs, by rank; disjoint boxes in the tensor. std::nullopt
  /// to leave it out.
  std::optional<RankBoxes> needed;
  /// By dimension, whether halos wrap around the ends. Empty for none.
  llvm::SmallVector<bool, 4> wraps;
  /// Bytes of an element; 0 to count elements.
  int64_t elementBytes = 0;
};

struct ShardPictureOptions {
  /// The most ranks that are drawn individually: in [1, 64].
  int64_t maxRanks = 12;
};

/// Writes an SVG document of a tensor's shards; the text is the same on every
/// machine. std::nullopt, or why there is no picture: neither owners nor needs,
/// numbers of dimensions or ranks that differ, a place that no rank owns.
/// Nothing is written then.
std::optional<std::string>
writeShardSvg(const ShardedTensor &tensor, llvm::raw_ostream &os,
              const ShardPictureOptions &options = {});

/// Writes an SVG document of who sends what to whom, so that each rank gets
/// what it needs. As above; owners and needs are required.
std::optional<std::string>
writeExchangeSvg(const ShardedTensor &tensor, llvm::raw_ostream &os,
                 const ShardPictureOptions &options = {});

/// The same for a given exchange.
std::optional<std::string>
writeExchangeSvg(llvm::StringRef name, const Grid &grid,
                 const Exchange &exchange, int64_t elementBytes,
                 llvm::raw_ostream &os,
                 const ShardPictureOptions &options = {});

/// Registers `tensoraccess-translate --plan-to-svg`, `--shards-to-svg` and
/// `--exchange-to-svg`, which draw a plan of shards.
void registerShardTranslations();

//===----------------------------------------------------------------------===//
// One-page picture of a plan of shards
//
// Shows the attributes of a planned function (Analysis/ShardedProgram.h): for
// each op how it is cut, the time of the op and its messages, how many bytes
// are sent because of it, and how many a rank holds. The pictures of single
// tensors and exchanges come from the same attributes.
//===----------------------------------------------------------------------===//

struct PlanPictureOptions {
  /// The most rows, in [10, 1000]; beyond that, the slowest are shown
  /// individually, and those in between are combined into one row each.
  int64_t maxRows = 120;
  /// A line below the title, such as how a plan was found.
  std::string note;
};

/// Writes an SVG document; the text is the same on every machine. A row is an
/// op that reduces, begins another cut, or waits for messages, together with
/// the ops after it that do none of these. std::nullopt, or why there is no
/// picture.
std::optional<std::string> writePlanSvg(FunctionOpInterface function,
                                        const ShardedProgram &program,
                                        llvm::raw_ostream &os,
                                        const PlanPictureOptions &options = {});

/// Selects a tensor of a planned function.
struct ShardChoice {
  /// The function; the first one with a grid if empty.
  std::string function;
  /// An op such as `linalg.generic`, or `linalg.generic#2` for the third; if
  /// empty, the op that the most bytes are sent for.
  std::string op;
  /// One of its operands or results. Without either, the one that the most
  /// bytes are sent for, else result 0.
  std::optional<unsigned> operand, result;
};

/// The selected function; emits an error at `root` if there is none.
FailureOr<FunctionOpInterface> findPlanned(Operation *root, StringRef name);

/// The sharded program in a function's attributes; emits errors at the function
/// and its ops.
FailureOr<ShardedProgram> readShardedProgram(FunctionOpInterface function,
                                             const CostModel &model);

/// The tensor that is exchanged, without a name.
ShardedTensor getShardedTensor(const ShardedProgram &program,
                               const ShardExchange &exchange);

/// A tensor of a program: an operand with what its op needs of it, a result as
/// it is left, or, if its op reduces in parts, the summands and where the sums
/// are needed. std::nullopt and `error` if it does not exist.
std::optional<ShardedTensor> getShardedTensor(FunctionOpInterface function,
                                              const ShardedProgram &program,
                                              const ShardChoice &choice,
                                              std::string &error);

//===----------------------------------------------------------------------===//
// A model as a page
//
// One self-contained HTML file: the ops of each function, repeated blocks
// folded; for an op, which elements of its operands an element of its result
// needs, and vice versa, through the op or through all ops; what fusing would
// recompute; tiles, and how lanes read; layouts and their padding; for a
// planned function, what each rank has and receives from which rank; terms that
// are equal by rules; and the program after each pass, with links between lines
// and the ops that they came from.
//===----------------------------------------------------------------------===//

struct ExplorerOptions {
  std::string title;
  /// A pipeline; the program is shown after each of its passes. May be empty.
  std::string passes;
  /// The trace that `tensoraccess-run --profile` wrote for this file. Its loop
  /// nests refer to lines of the program. May be empty.
  std::string profile;
  /// Sets and files of rules, as in `tensoraccess-saturate`: for each op, shows
  /// the terms that are equal by them, and their costs. May be empty.
  std::vector<std::string> rules;
};

/// Writes the page. Emits an error at the module if no function has a body, and
/// if the passes or the trace can't be read. A pass that fails is reported on
/// the page, and by `isComplete`.
LogicalResult exportExplorer(ModuleOp module, raw_ostream &os,
                             const ExplorerOptions &options = {},
                             bool *isComplete = nullptr);

/// The mains of tensoraccess-explore, tensoraccess-explain and
/// tensoraccess-ask; they return the exit code.
int exploreMain(int argc, char **argv);
int askMain(int argc, char **argv);
int explainMain(int argc, char **argv);

//===----------------------------------------------------------------------===//
// Editors
//===----------------------------------------------------------------------===//

/// The main of tensoraccess-lsp-server: upstream's language server with hovers
/// over this dialect's attributes, in Markdown: simplified text, sizes, a small
/// table. Returns the exit code.
int languageServerMain(int argc, char **argv);

//===----------------------------------------------------------------------===//
// The tool
//===----------------------------------------------------------------------===//

/// Registers the translations that tensoraccess-translate adds to upstream's.
/// Each export has its own function, called here.
void registerTranslations();

/// The main of tensoraccess-translate; returns the exit code.
int translateMain(int argc, char **argv);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_PICTURES_H
