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

/// Writes an SVG picture of every function in or at `root` that holds an op of
/// this dialect. The text is the same for the same IR. Fails with an error at
/// `root` where there is no such function, and with an error at the function
/// where one has several blocks. Nothing is written then.
LogicalResult exportAccessToSvg(Operation *root, raw_ostream &os);

/// Registers `tensoraccess-translate --access-to-svg`.
void registerAccessToSvgTranslation();

} // namespace tensoraccess
} // namespace mlir

namespace mlir::tensoraccess {

/// Rules of style for an SVG document of class `tensoraccess`: its colours, attributes of
/// `drawn`, in the dark. All pictures have them; it is for those that others drew.
std::string getPictureStyle(llvm::StringRef drawn);

//===----------------------------------------------------------------------===//
// A tiled layout drawn
//
// How the elements of an array are laid out, twice: the array, each element
// with its number in memory, and memory, each place with the index of its
// element. Tiles have borders, one kind a level; padding is hatched in the
// picture and a dot in the table.
//===----------------------------------------------------------------------===//

struct LayoutPictureOptions {
  /// Rows and columns of a plane, and of memory, that are drawn at most; at
  /// least 8. Of a longer axis the picture shows the beginning, the first
  /// border of a tile, and the end.
  int64_t maxRows = 24, maxColumns = 24;
  /// Planes of an array of more than two dimensions.
  int64_t maxPlanes = 4;
  /// Characters of a line of the table, at least 20; wider tables are folded:
  /// columns go on below. A single column that is wider stays whole. 0 for no
  /// limit.
  int64_t maxWidth = 0;
};

/// Writes an SVG document. The text is the same on every machine. std::nullopt,
/// or why there is no picture: the layout has no shape, a size is dynamic or
/// does not fit 63 bits, or the options make no sense. Nothing is written then.
std::optional<std::string>
writeLayoutSvg(const Layout &layout, llvm::raw_ostream &os,
               const LayoutPictureOptions &options = {});

/// The same as a table for a terminal, in UTF-8; of a layout with dynamic sizes
/// only how large it is, as expressions.
std::optional<std::string>
writeLayoutText(const Layout &layout, llvm::raw_ostream &os,
                const LayoutPictureOptions &options = {});

//===----------------------------------------------------------------------===//
// Layouts of strides and of bits, drawn
//
// A grid of elements. Of shapes and strides each has its number, and the colour of
// its bank; where registers and lanes hold them, `T5:3` is register 3 of lane 5, lanes
// of further warps go on counting: lanes by colour, warps with borders. Of a linear
// memory both the array, with numbers, and the memory, with indices.
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

/// An exchange that planExchange has found: who holds, who needs, and between
/// them the memory, a column for each bank, once by who stores and once by who
/// loads. What the first access serves at once has a border.
std::optional<std::string>
writeBankedExchangeSvg(const LinearLayout &from, const LinearLayout &to,
                       const BankedExchange &exchange, int64_t elementBytes,
                       const BankedMemory &banks, llvm::raw_ostream &os,
                       const LayoutPictureOptions &options = {});

/// Registers `tensoraccess-translate --layout-to-svg` and `--layout-to-text`, which
/// read layouts, one a line: tiled with their shapes, as `f32[3,5]{1,0:T(2,2)}`;
/// shapes and strides, as `Sw<2,0,2> o (4,4):(4,1)`; linear ones, as
/// `{lane = [[0, 1]], warp = [[1, 0]]}`.
void registerLayoutTranslations();

//===----------------------------------------------------------------------===//
// What a block touches, drawn
//
// An index projection applied (Core/Projection.h): on the left a block of the
// index space and the next one along an axis; on the right the tensor with what
// both touch: the block's places, those that the next one shares, places out of
// bounds by what their policy maps them to, and the elements that are needed
// because of it. With the box that a rank owns, its halo instead of the next
// block.
//===----------------------------------------------------------------------===//

struct ProjectionPictureOptions {
  /// The tensor's, one per row; without them nothing is out of bounds.
  std::optional<llvm::SmallVector<int64_t, 4>> sizes;
  /// What a rank has of the tensor; needs `sizes`.
  std::optional<Box> owned;
  /// The axis along which the next block follows. std::nullopt for the one
  /// along which it shares most.
  std::optional<size_t> axis;
};

/// Writes an SVG document; the text is the same on every machine. std::nullopt,
/// or why there is no picture: another rank, an axis that there is not, no
/// dimension, numbers beyond ±2^60. Nothing is written then.
std::optional<std::string>
writeProjectionSvg(const Projection &projection, const Box &block,
                   llvm::raw_ostream &os,
                   const ProjectionPictureOptions &options = {});

/// Registers `tensoraccess-translate --projection-to-svg`, which reads a
/// projection as `[[2]] + [-1], shape = [3], oob = [pad(0.0)]`; the block, the
/// tensor and what is owned are options.
void registerProjectionTranslation();

//===----------------------------------------------------------------------===//
// An indexing map, drawn
//
// On the left two dimensions of the points of its dims, three of them in colour:
// the first, the one in the middle and the last; on the right, two dimensions of
// the results, in each colour what that point is mapped to, over all symbols.
//===----------------------------------------------------------------------===//

/// Writes an SVG document; the text is the same on every machine. std::nullopt, or
/// why there is no picture: the map is unknown, has no points or no bounds.
std::optional<std::string> writeMapSvg(const IndexingMap &map,
                                       llvm::raw_ostream &os);

//===----------------------------------------------------------------------===//
// Tensors over ranks, drawn
//
// Two pictures of a tensor that is distributed over a grid of ranks:
//
//   its shards    the tensor, cut; and rank by rank what it has (its colour),
//                 what it needs beside (hatched, in the colour of who has it),
//                 and across which end of the tensor a halo comes
//   an exchange   who sends how many bytes to whom: a matrix of sender by
//                 receiver with sums, the ranks on their grid with arrows where
//                 there are few, and the messages
//
// A grid of thousands of ranks is drawn in part, and the picture says so.
//===----------------------------------------------------------------------===//

/// A tensor on a grid of ranks.
struct ShardedTensor {
  /// What it is called in the title.
  std::string name;
  Grid grid;
  llvm::SmallVector<int64_t, 4> shape;
  /// Who owns what. std::nullopt for a tensor of which each rank holds what it
  /// needs.
  std::optional<Distribution> owned;
  /// What each rank needs, by rank; disjoint boxes in the tensor. std::nullopt
  /// if it is not asked for.
  std::optional<RankBoxes> needed;
  /// By dimension, whether halos come across the ends. Empty for nowhere.
  llvm::SmallVector<bool, 4> wraps;
  /// Bytes of an element; 0 to count elements.
  int64_t elementBytes = 0;
};

struct ShardPictureOptions {
  /// Ranks that are drawn one by one, at most: in [1, 64].
  int64_t maxRanks = 12;
};

/// Writes an SVG document of a tensor's shards; the text is the same on every
/// machine. std::nullopt, or why there is no picture: neither owners nor needs,
/// counts of dimensions or of ranks that differ, a place that no rank owns.
/// Nothing is written then.
std::optional<std::string>
writeShardSvg(const ShardedTensor &tensor, llvm::raw_ostream &os,
              const ShardPictureOptions &options = {});

/// Writes an SVG document of who sends what to whom, so that each rank gets
/// what it needs. As above; owners and needs must be there.
std::optional<std::string>
writeExchangeSvg(const ShardedTensor &tensor, llvm::raw_ostream &os,
                 const ShardPictureOptions &options = {});

/// The same of an exchange that is given.
std::optional<std::string>
writeExchangeSvg(llvm::StringRef name, const Grid &grid,
                 const Exchange &exchange, int64_t elementBytes,
                 llvm::raw_ostream &os,
                 const ShardPictureOptions &options = {});

/// Registers `tensoraccess-translate --plan-to-svg`, `--shards-to-svg` and
/// `--exchange-to-svg`, which draw what a plan of shards says.
void registerShardTranslations();

//===----------------------------------------------------------------------===//
// A plan of shards on one page
//
// What the attributes of a planned function (Analysis/ShardedProgram.h) mean:
// op after op how it is cut, what it and its messages take, how many bytes are
// sent because of it, and how many a rank holds. From the same attributes come
// the pictures of single tensors and exchanges.
//===----------------------------------------------------------------------===//

struct PlanPictureOptions {
  /// Rows at most, in [10, 1000]; of more those that take longest are shown one
  /// by one, and what is between in one row each.
  int64_t maxRows = 120;
  /// A line below the title, as how a plan was found.
  std::string note;
};

/// Writes an SVG document; the text is the same on every machine. A row is an
/// op that reduces, or begins another cut, or waits for messages, with the ops
/// after it that do none of this. std::nullopt, or why there is no picture.
std::optional<std::string> writePlanSvg(FunctionOpInterface function,
                                        const ShardedProgram &program,
                                        llvm::raw_ostream &os,
                                        const PlanPictureOptions &options = {});

/// Which tensor of a planned function is meant.
struct ShardChoice {
  /// The function; the first one with a grid where empty.
  std::string function;
  /// An op as `linalg.generic`, or `linalg.generic#2` for the third; where
  /// empty, the op that the most bytes are sent for.
  std::string op;
  /// An operand of it, or else a result. Without either, what the most bytes
  /// are sent for, else result 0.
  std::optional<unsigned> operand, result;
};

/// The function that is meant; an error at `root` where there is none.
FailureOr<FunctionOpInterface> findPlanned(Operation *root, StringRef name);

/// What the attributes of a function mean; errors at the function and its ops.
FailureOr<ShardedProgram> readShardedProgram(FunctionOpInterface function,
                                             const CostModel &model);

/// The tensor that is exchanged, without a name.
ShardedTensor getShardedTensor(const ShardedProgram &program,
                               const ShardExchange &exchange);

/// A tensor of a program: an operand with what its op needs of it, a result as
/// it is left, or, if its op reduces in parts, the summands and where the sums
/// are needed. std::nullopt and `error` for what there is not.
std::optional<ShardedTensor> getShardedTensor(FunctionOpInterface function,
                                              const ShardedProgram &program,
                                              const ShardChoice &choice,
                                              std::string &error);

//===----------------------------------------------------------------------===//
// A model as a page
//
// One file of HTML, which needs no network: the ops of each function, repeated blocks
// folded; of an op which elements of its operands an element of its result needs, and
// the other way round, through it or through all ops; what fusing would compute again;
// tiles, and how lanes read; layouts and their padding; of a function that is planned,
// what each rank has and gets from whom; terms that are equal by rules; and the program
// after each pass, with links between lines and the ops that they came from.
//===----------------------------------------------------------------------===//

struct ExplorerOptions {
  std::string title;
  /// A pipeline, after each pass of which the program is shown; or none.
  std::string passes;
  /// The trace that `tensoraccess-run --profile` wrote of this file; or none. Its loop
  /// nests say which line of the program they are of.
  std::string profile;
  /// Sets and files of rules, as in `tensoraccess-saturate`: of each op, terms that
  /// are equal by them, and what these cost; or none.
  std::vector<std::string> rules;
};

/// Writes the page. Fails, with an error at the module, where no function has a body
/// and where the passes or the trace can't be read. A pass that fails is said on the
/// page, and by `isComplete`.
LogicalResult exportExplorer(ModuleOp module, raw_ostream &os,
                             const ExplorerOptions &options = {},
                             bool *isComplete = nullptr);

/// The mains of tensoraccess-explore, tensoraccess-explain and tensoraccess-ask;
/// they return the exit code.
int exploreMain(int argc, char **argv);
int askMain(int argc, char **argv);
int explainMain(int argc, char **argv);

//===----------------------------------------------------------------------===//
// Editors
//===----------------------------------------------------------------------===//

/// The main of tensoraccess-lsp-server: upstream's language server with hovers over
/// this dialect's attributes, in Markdown: simplified text, sizes, a small table.
/// Returns the exit code.
int languageServerMain(int argc, char **argv);

//===----------------------------------------------------------------------===//
// The tool
//===----------------------------------------------------------------------===//

/// Registers what tensoraccess-translate offers beside upstream's translations.
/// Each export has a function of its own, called here.
void registerTranslations();

/// The main of tensoraccess-translate; returns the exit code.
int translateMain(int argc, char **argv);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_PICTURES_H
