//===- ProjectionTranslation.cpp - --projection-to-svg --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is the projection's text; the block, the tensor and what a rank owns
// are options.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Export/Pictures.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// A list of intervals `lo:hi`, one per dimension.
static std::optional<Box> parseBox(ArrayRef<std::string> texts, StringRef what,
                                   std::string &error) {
  Box box;
  for (const std::string &text : texts) {
    auto [lo, hi] = StringRef(text).split(':');
    int64_t first, last;
    if (lo.getAsInteger(10, first) || hi.getAsInteger(10, last)) {
      error = (what + " must be intervals as 0:4, got '" + text + "'").str();
      return std::nullopt;
    }
    box.lo.push_back(first);
    box.hi.push_back(last);
  }
  return box;
}

void mlir::tensoraccess::registerProjectionTranslation() {
  static llvm::cl::OptionCategory category("Options of --projection-to-svg");
  static llvm::cl::list<std::string> block(
      "projection-block", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("the block as 0:4,2:5, an interval per axis"));
  static llvm::cl::list<int64_t> sizes(
      "projection-sizes", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("the sizes of the tensor (default: without bounds)"));
  static llvm::cl::list<std::string> owned(
      "projection-owned", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("what a rank has of the tensor, an interval each"));
  static llvm::cl::opt<unsigned> axis(
      "projection-axis", llvm::cl::cat(category),
      llvm::cl::desc(
          "the axis along which the next block follows (default: along "
          "which it shares most)"));
  TranslateRegistration registration(
      "projection-to-svg", "draw what a block touches through a projection",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
         MLIRContext *) -> LogicalResult {
        const llvm::MemoryBuffer *buffer =
            sources->getMemoryBuffer(sources->getMainFileID());
        auto fail = [&](const char *at, const Twine &message) {
          sources->PrintMessage(llvm::SMLoc::getFromPointer(at),
                                llvm::SourceMgr::DK_Error, message);
          return failure();
        };
        StringRef text = buffer->getBuffer();
        ParseError error;
        std::optional<Projection> projection =
            Projection::parse(text.rtrim(), error);
        if (!projection)
          return fail(text.data() + std::min(error.offset, text.size()),
                      error.message);
        std::string problem;
        ProjectionPictureOptions options;
        std::optional<Box> points =
            parseBox(block, "projection-block", problem);
        if (!points)
          return fail(text.data(), problem);
        if (sizes.getNumOccurrences())
          options.sizes.emplace(sizes.begin(), sizes.end());
        if (owned.getNumOccurrences()) {
          options.owned = parseBox(owned, "projection-owned", problem);
          if (!options.owned)
            return fail(text.data(), problem);
        }
        if (axis.getNumOccurrences())
          options.axis = axis;
        if (auto wrong = writeProjectionSvg(*projection, *points, os, options))
          return fail(text.data(), *wrong);
        return success();
      });
}
