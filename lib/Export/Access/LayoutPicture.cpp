//===- LayoutPicture.cpp - A tiled layout drawn ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The picture: planes of the array on the left, memory on the right. The colour
// of a cell is that of its tile of the first level, in turn; borders of tiles
// of the first level are black, of later levels red.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlanes.h"

using namespace mlir::tensoraccess;

std::optional<std::string>
mlir::tensoraccess::writeLayoutSvg(const Layout &layout, llvm::raw_ostream &os,
                                   const LayoutPictureOptions &options) {
  std::string problem;
  std::optional<LayoutPlanes> planes =
      LayoutPlanes::make(layout, options, problem);
  if (!planes)
    return problem;
  TablePage page;
  page.title = layout.str();
  page.summary = planes->summary;
  std::string dims = "numbers in memory";
  if (planes->columnDim >= 0)
    dims += ": d" + std::to_string(planes->columnDim) + " across";
  if (planes->rowDim >= 0)
    dims += ", d" + std::to_string(planes->rowDim) + " down";
  for (CellTable &table : planes->planes)
    table.heading =
        table.heading.empty() ? dims : dims + ", " + table.heading;
  page.left = std::move(planes->planes);
  if (planes->hiddenPlanes != 0)
    page.leftNote =
        "… and " + std::to_string(planes->hiddenPlanes) + " more planes";
  if (!planes->memory.cells.empty()) {
    planes->memory.heading = "memory: indices of the elements";
    page.right.push_back(std::move(planes->memory));
  }
  if (planes->hiddenPlaces != 0)
    page.rightNote = "… and " + std::to_string(planes->hiddenPlaces) + " more";
  page.legends.push_back({"url(#padding)", 0, "padding"});
  if (planes->levels > 0)
    page.legends.push_back({"", 0, "border of a tile"});
  if (planes->levels > 1)
    page.legends.push_back({"", 1, "border of a tile inside of it"});
  page.write(os);
  return std::nullopt;
}
