//===- ProjectionPicture.h - What a block touches, drawn --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index projection at work (Core/Projection.h): on the left a block of the
// index space and the next one along an axis; on the right the tensor with what
// both touch: the block's places, those that the next one shares, places out of
// bounds by what their policy makes of them, and the elements that are needed
// because of it. With the box that a rank owns, its halo instead of the next
// block.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_PROJECTIONPICTURE_H
#define TENSORACCESS_EXPORT_PROJECTIONPICTURE_H

#include "TensorAccess/Core/OutOfBoundsRegion.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tensoraccess {

struct ProjectionPictureOptions {
  /// The tensor's, one per row; without them nothing is out of bounds.
  std::optional<llvm::SmallVector<int64_t, 4>> sizes;
  /// What a rank has of the tensor; needs `sizes`.
  std::optional<Box> owned;
  /// Which axis the next block lies along. None for the one along which it
  /// shares most.
  std::optional<size_t> axis;
};

/// Writes an SVG document; the text is the same on every machine. None, or why
/// there is no picture: another rank, an axis that there is not, no dimension,
/// numbers beyond ±2^60. Nothing is written then.
std::optional<std::string>
writeProjectionSvg(const Projection &projection, const Box &block,
                   llvm::raw_ostream &os,
                   const ProjectionPictureOptions &options = {});

/// Registers `tensoraccess-translate --projection-to-svg`, which reads a
/// projection as `[[2]] + [-1], shape = [3], oob = [pad(0.0)]`; the block, the
/// tensor and what is owned are options.
void registerProjectionTranslation();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_PROJECTIONPICTURE_H
