//===- ProjectionMaps.cpp - Projections and indexing maps -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To a map: start + symbol per row, then the row's policy where places leave
// the tensor. From a map: simplify, merge symbols that form one stretch, read
// coefficients.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

std::optional<IndexingMap> mlir::tensoraccess::toIndexingMap(
    const Projection &projection, const Box &block,
    std::optional<ArrayRef<int64_t>> sizes, std::string &error) {
  using Kind = OutOfBounds::Kind;
  const size_t rows = projection.getNumRows();
  const size_t columns = projection.getNumColumns();
  if (block.lo.size() != columns) {
    error = "the projection has " + std::to_string(columns) +
            " columns, got a block of rank " + std::to_string(block.lo.size());
    return std::nullopt;
  }
  if (sizes && sizes->size() != rows) {
    error = "the projection has " + std::to_string(rows) + " rows, got " +
            std::to_string(sizes->size()) + " sizes";
    return std::nullopt;
  }
  std::optional<IndexRegion> hull = projection.getHull(block);
  if (!hull) {
    error = describeOverflow(projection, block);
    return std::nullopt;
  }

  IndexingMapBuilder builder;
  SmallVector<Form, 8> dims;
  for (size_t c = 0; c != columns; ++c)
    dims.push_back(builder.addDim({block.lo[c], block.lo[c] < block.hi[c]
                                                    ? block.hi[c] - 1
                                                    : block.lo[c] - 1}));
  SmallVector<Form, 8> symbols(rows);
  for (size_t r = 0; r != rows; ++r)
    if (projection.shape[r] > 1)
      symbols[r] = builder.addSymbol({0, projection.shape[r] - 1});
  FormArena &arena = builder.arena();
  for (size_t r = 0; r != rows; ++r) {
    Form place(projection.offset[r]);
    if (projection.anchor)
      place = arena.add(place, Form((*projection.anchor)[r]));
    for (size_t c = 0; c != columns; ++c)
      arena.accumulate(place, dims[c], projection.matrix[r][c]);
    arena.accumulate(place, symbols[r]);
    const OutOfBounds policy = projection.getOutOfBounds(r);
    const std::string row = "dimension " + std::to_string(r);
    if (!sizes) {
      if (policy.kind != Kind::Forbid) {
        error = row + " has the policy " + policy.str() +
                ", which needs the tensor's sizes";
        return std::nullopt;
      }
    } else if (!block.isEmpty() &&
               (hull->lo[r] < 0 || hull->hi[r] > (*sizes)[r])) {
      const int64_t size = (*sizes)[r];
      for (int64_t end : {hull->lo[r], hull->hi[r] - 1}) {
        int64_t element = end;
        switch (resolvePlace(policy.kind, size, element)) {
        case Resolved::Kind::Element:
          continue;
        case Resolved::Kind::Forbidden:
          error = describeForbidden(policy.kind, end, row, size);
          return std::nullopt;
        case Resolved::Kind::Pad:
          error = "place " + std::to_string(end) + " of " + row +
                  " is padding, which is not an element that a map could name";
          return std::nullopt;
        }
      }
      place = policy.kind == Kind::Clamp
                  ? arena.max(arena.min(place, Form(size - 1)), Form(0))
                  : arena.mod(place, size);
    }
    builder.addResult(std::move(place));
  }
  if (block.isEmpty())
    builder.setKnownEmpty();
  IndexingMap map = builder.build();
  if (map.isUnknown()) {
    error = "the map " + describe(map.getUnknownReason()).str();
    return std::nullopt;
  }
  return map;
}

std::optional<ProjectedBlock>
mlir::tensoraccess::fromIndexingMap(const IndexingMap &given,
                                    bool symbolsAsAxes, std::string &error) {
  auto refuse = [&](std::string why) -> std::optional<ProjectedBlock> {
    error = std::move(why);
    return std::nullopt;
  };
  if (given.isUnknown())
    return refuse("the map is unknown: " +
                  describe(given.getUnknownReason()).str());
  IndexingMap map = given.simplify();
  if (!symbolsAsAxes)
    map = map.removeUnusedSymbols().mergeSymbols();
  if (map.isKnownEmpty())
    return refuse("the map is known to be empty: it has no regions");
  if (map.getNumRuntime() != 0)
    return refuse("runtime variable " +
                  map.getVariableName(map.getNumVariables() - 1) +
                  " has no place in a projection");
  if (!map.getConstraints().empty()) {
    const Constraint &constraint = map.getConstraints().front();
    return refuse("the constraint on " + map.formText(constraint.form) +
                  " has no place in a projection");
  }
  const size_t numDims = map.getNumDims();
  const size_t columns = numDims + (symbolsAsAxes ? map.getNumSymbols() : 0);
  ProjectedBlock out;
  for (size_t v = 0; v != columns; ++v) {
    const Interval range = map.getRanges()[v];
    if (!range.isFinite() || !checkedAdd(range.upper, 1))
      return refuse("variable " + map.getVariableName(v) + " has no bound");
    out.block.lo.push_back(range.lower);
    out.block.hi.push_back(range.upper + 1);
  }
  // Which result a symbol of the region is in.
  SmallVector<std::optional<size_t>, 4> seen(map.getNumSymbols());
  Projection &projection = out.projection;
  if (map.getNumResults() == 0 && columns != 0)
    return refuse("a projection without rows has no columns, got " +
                  std::to_string(columns) + " dims");
  for (size_t r = 0; r != map.getNumResults(); ++r) {
    const Form &form = map.getResult(r);
    const std::string name =
        "result " + std::to_string(r) + ", " + map.formText(form) + ", ";
    auto &row = projection.matrix.emplace_back(columns, 0);
    int64_t offset = form.constant, shape = 1;
    for (const Term &term : form.terms) {
      if (!map.getArena().isVariable(term.atom))
        return refuse(name + "is not a sum of multiples of variables");
      if (term.atom < columns) {
        row[term.atom] = term.coefficient;
        continue;
      }
      const std::string symbol = map.getVariableName(term.atom);
      std::optional<size_t> &where = seen[term.atom - numDims];
      if (where)
        return refuse("symbol " + symbol + " is in results " +
                      std::to_string(*where) + " and " + std::to_string(r) +
                      ": together they are not a box");
      where = r;
      if (magnitude(term.coefficient) != 1)
        return refuse(name + "steps by " + std::to_string(term.coefficient) +
                      " with " + symbol + ": a region has no gaps");
      const Interval range = map.getRanges()[term.atom];
      std::optional<int64_t> extent =
          range.isFinite() ? range.size() : std::nullopt;
      std::optional<int64_t> first = term.coefficient > 0
                                         ? std::optional(range.lower)
                                         : checkedSub(0, range.upper);
      std::optional<int64_t> longer =
          extent ? checkedAdd(shape, *extent - 1) : std::nullopt;
      std::optional<int64_t> moved =
          first ? checkedAdd(offset, *first) : std::nullopt;
      if (!extent)
        return refuse("variable " + symbol + " has no bound");
      if (!longer || !moved)
        return refuse("the projection overflows 64-bit arithmetic");
      shape = *longer;
      offset = *moved;
    }
    projection.offset.push_back(offset);
    projection.shape.push_back(shape);
  }
  for (size_t s = 0; !symbolsAsAxes && s != seen.size(); ++s)
    if (!seen[s])
      return refuse("symbol " + map.getVariableName(numDims + s) +
                    " is in no result");
  if (std::optional<std::string> problem = projection.verify())
    return refuse(*problem);
  return out;
}
