//===- Loops.cpp - Loops less what facts make idle ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Regions.h"

using namespace mlir;
using namespace mlir::tensoraccess;

IndexingMap tensoraccess::getLoops(const Nest &nest, const NestAccess &access) {
  return nest.getMap(access);
}

SmallVector<IndexingMap, 2>
tensoraccess::cutLoops(const Nest &nest, ArrayRef<IndexingMap> loops,
                       const NestRead &read, ArrayRef<IndexingMap> regions) {
  SmallVector<IndexingMap, 2> left(loops.begin(), loops.end());
  if (regions.empty() || !read.outside.empty() || !nest.values.empty())
    return left;
  // The axes where it is touched and its index is in the region.
  IndexingMap touched = getLoops(nest, read);
  if (touched.isUnknown())
    return left;
  SmallVector<IndexingMap> idle;
  for (const IndexingMap &region : regions) {
    IndexingMap axes = regions::keep(touched, regions::withoutResults(region));
    if (!axes.isUnknown() && axes.getNumSymbols() == 0)
      idle.push_back(regions::withoutResults(axes));
  }
  SmallVector<IndexingMap, 2> next;
  for (const IndexingMap &piece : left)
    llvm::append_range(
        next, regions::cutAll(piece, idle, nullptr, regions::Side::Dims));
  left = std::move(next);
  return left;
}

IndexingMap tensoraccess::joinPlaces(const IndexingMap &first,
                                     const IndexingMap &second) {
  // (p), (q) as a region: d0 - p in [0, 0], d1 - q in [0, 0].
  const IndexingMap *maps[] = {&first, &second};
  IndexingMapBuilder builder;
  SmallVector<Form> dims;
  for (const IndexingMap *map : maps)
    for (unsigned i = 0; i < map->getNumResults(); ++i)
      dims.push_back(builder.addDim(Interval::all()));
  std::map<std::string, Form> parameters;
  SmallVector<Form> images[2];
  for (auto [k, map] : llvm::enumerate(maps))
    for (unsigned v = 0; v < map->getNumVariables(); ++v)
      images[k].push_back(regions::addParameter(builder, parameters, *map, v));
  unsigned dim = 0;
  for (auto [k, map] : llvm::enumerate(maps)) {
    builder.addDomain(*map, images[k]);
    Substitution place(builder.arena(), map->getArena(), images[k]);
    for (const Form &form : map->getResults())
      builder.addConstraint(builder.arena().sub(dims[dim++], place(form)),
                            Interval::point(0));
  }
  return builder.build();
}
