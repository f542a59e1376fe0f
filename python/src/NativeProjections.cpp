//===- NativeProjections.cpp - Projections for Python ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Projection with what is asked of it: footprints, composition,
// preimages, halos, and the way to indexing maps and back. A wrong question is
// an error with Core's reason; what the budget does not suffice to tell is
// None.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

//===----------------------------------------------------------------------===//
// Projections as values
//===----------------------------------------------------------------------===//

/// Reads one policy, as the text form of a projection has it.
static OutOfBounds parsePolicy(std::string_view text) {
  ParseError error;
  std::string prefix = "[[0]] + [0], shape = [1], oob = [";
  std::optional<Projection> p =
      Projection::parse(prefix + std::string(text) + "]", error);
  if (!p)
    throw Error("oob: " + error.message);
  return p->getOutOfBounds(0);
}

static std::vector<Integers> readMatrix(nb::handle matrix) {
  if (!PySequence_Check(matrix.ptr()) || nb::isinstance<nb::str>(matrix))
    throw Error(llvm::Twine("matrix must be a list of rows, got ") +
                nb::repr(matrix).c_str());
  std::vector<Integers> rows;
  for (nb::handle row : matrix)
    rows.push_back(
        readIntegers(row, "matrix row " + std::to_string(rows.size())));
  return rows;
}

static Projection
makeProjection(const std::vector<Integers> &matrix, const Integers &offset,
               const Integers &shape, const std::optional<Integers> &anchor,
               const std::optional<std::vector<std::string>> &oob) {
  Projection p;
  for (const Integers &row : matrix)
    p.matrix.emplace_back(row.begin(), row.end());
  p.offset.assign(offset.begin(), offset.end());
  p.shape.assign(shape.begin(), shape.end());
  if (anchor)
    p.anchor.emplace(anchor->begin(), anchor->end());
  if (oob)
    for (const std::string &policy : *oob)
      p.outOfBounds.push_back(parsePolicy(policy));
  check(p.verify());
  // The canonical form: equal projections are equal values.
  return parseAs<Projection>(p.str());
}

static void checkColumns(const Projection &self, size_t got,
                         llvm::StringRef what) {
  if (self.getNumColumns() != got)
    throw Error("the projection has " + llvm::Twine(self.getNumColumns()) +
                " columns, got " + what + " of rank " + llvm::Twine(got));
}

static std::optional<Integers> resolveIndex(const Projection &self,
                                            const Integers &index,
                                            const Integers &sizes) {
  if (index.size() != self.getNumRows() || sizes.size() != self.getNumRows())
    throw Error("the projection has " + llvm::Twine(self.getNumRows()) +
                " rows, got " + llvm::Twine(index.size()) + " indices and " +
                llvm::Twine(sizes.size()) + " sizes");
  Resolved resolved = self.resolve(index, sizes);
  switch (resolved.kind) {
  case Resolved::Kind::Element:
    return toVector(resolved.index);
  case Resolved::Kind::Pad:
    return std::nullopt;
  case Resolved::Kind::Forbidden:
    break;
  }
  size_t d = resolved.dimension;
  throw Error("index " + llvm::Twine(index[d]) + " of dimension " +
              llvm::Twine(d) + " is forbidden outside of [0, " +
              llvm::Twine(sizes[d]) + ")");
}

/// The members and what they say of points.
void python::bindProjectionValues(nb::module_ &m) {
  nb::class_<Projection> type(
      m, "Projection",
      "The box of a tensor that each point i touches: it starts at "
      "matrix * i + offset + anchor and has a constant shape.");
  bindValue(type, "Projection");
  bindText(type, "Reads the text form.");
  type.def(
          "__init__",
          [](Projection *self, nb::object matrix, nb::object offset,
             nb::object shape, nb::object anchor,
             const std::optional<std::vector<std::string>> &oob) {
            std::optional<Integers> place;
            if (!anchor.is_none())
              place = readIntegers(anchor, "anchor");
            new (self) Projection(makeProjection(
                readMatrix(matrix), readIntegers(offset, "offset"),
                readIntegers(shape, "shape"), place, oob));
          },
          nb::arg("matrix"), nb::arg("offset"), nb::arg("shape"),
          nb::arg("anchor") = nb::none(), nb::arg("oob") = nb::none(),
          nb::sig("def __init__(self, matrix: "
                  "collections.abc.Sequence[collections.abc.Sequence[int]], "
                  "offset: "
                  "collections.abc.Sequence[int], shape: "
                  "collections.abc.Sequence[int], anchor: "
                  "collections.abc.Sequence[int] | "
                  "None = None, oob: collections.abc.Sequence[str] | None = "
                  "None) -> None"),
          "One row per dimension of the tensor. `oob` has a policy per row: "
          "'forbid', 'wrap', 'negative', 'clamp' or 'pad(value)'.")
      .def_ro("matrix", &Projection::matrix)
      .def_ro("offset", &Projection::offset)
      .def_ro("shape", &Projection::shape)
      .def_ro("anchor", &Projection::anchor)
      .def_prop_ro("oob",
                   [](const Projection &self) {
                     std::vector<std::string> policies;
                     for (size_t i = 0; i < self.getNumRows(); ++i)
                       policies.push_back(self.getOutOfBounds(i).str());
                     return policies;
                   })
      .def(
          "evaluate",
          [](const Projection &self, const Integers &index) {
            checkColumns(self, index.size(), "an index");
            std::optional<IndexRegion> region = self.evaluate(index);
            if (!region)
              throw Error(describeOverflow(self, llvm::ArrayRef(index)));
            return *region;
          },
          nb::arg("index"), "The region of one point.")
      .def(
          "hull",
          [](const Projection &self, const IndexRegion &block) {
            checkColumns(self, block.lo.size(), "a block");
            std::optional<IndexRegion> region = self.getHull(block);
            if (!region)
              throw Error(describeOverflow(self, block));
            return *region;
          },
          nb::arg("block"),
          "The smallest box that contains the regions of all points of a box.")
      .def("resolve", &resolveIndex, nb::arg("index"), nb::arg("sizes"),
           "The element after the out-of-bounds policies; None for padding, an "
           "error where it is forbidden.");
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static std::string reprFootprint(const ProjectionFootprint &f) {
  std::string text = "<ProjectionFootprint " + describe(f.kind).str() + " " +
                     printBox(*f.hull);
  if (f.count)
    text += ", " + std::to_string(*f.count) + " elements";
  return text + ">";
}

static ProjectionFootprint footprintOf(const Projection &self,
                                       const Box &block) {
  checkColumns(self, block.lo.size(), "a block");
  ProjectionFootprint footprint = getFootprint(self, block);
  if (!footprint.hull)
    throw Error(describeOverflow(self, block));
  return footprint;
}

static size_t checkAxis(const Projection &self, int64_t axis) {
  return checkIndex("axis", axis, self.getNumColumns());
}

static size_t checkDimension(const Projection &self, int64_t dimension) {
  return checkIndex("dimension", dimension, self.getNumRows());
}

static Footprint preimageOfBox(const Projection &self, const Box &box,
                               const Box &domain, bool contained) {
  checkColumns(self, domain.lo.size(), "a domain");
  if (box.lo.size() != self.getNumRows())
    throw Error("the projection has " + llvm::Twine(self.getNumRows()) +
                " rows, got a box of rank " + llvm::Twine(box.lo.size()));
  Footprint footprint = getPreimage(self, box, domain, contained);
  if (!footprint.hull)
    throw Error(describeOverflow(self, domain));
  return footprint;
}

static Footprint overlapOf(const Projection &self, int64_t axis) {
  Footprint footprint = getOverlap(self, checkAxis(self, axis));
  if (!footprint.hull)
    throw Error("the region overflows 64-bit arithmetic");
  return footprint;
}

static IndexingMap toMap(const Projection &self, const Box &block,
                         const std::optional<Integers> &sizes) {
  std::string error;
  std::optional<llvm::ArrayRef<int64_t>> given;
  if (sizes)
    given = *sizes;
  return need(toIndexingMap(self, block, given, error), error);
}

/// One number for all axes, or one for each.
static int64_t entryOf(const std::optional<Integers> &list, size_t axis,
                       int64_t missing) {
  return list ? (*list)[axis] : missing;
}

static Projection
makeWindows(const Integers &window, const std::optional<Integers> &stride,
            const std::optional<Integers> &dilation,
            const std::optional<Integers> &padLow,
            const std::optional<std::vector<std::string>> &oob) {
  auto check = [&](const char *what, size_t size) {
    if (size != window.size())
      throw Error(llvm::Twine(what) + " must have one entry per window, " +
                  llvm::Twine(window.size()) + ", got " + llvm::Twine(size));
  };
  check("stride", stride ? stride->size() : window.size());
  check("dilation", dilation ? dilation->size() : window.size());
  check("pad_low", padLow ? padLow->size() : window.size());
  check("oob", oob ? oob->size() : window.size());
  std::vector<WindowAxis> axes;
  for (size_t i = 0; i != window.size(); ++i)
    axes.push_back({window[i], entryOf(stride, i, 1), entryOf(dilation, i, 1),
                    entryOf(padLow, i, 0),
                    oob ? parsePolicy((*oob)[i]) : OutOfBounds()});
  std::string error;
  return need(getWindowProjection(axes, error), error);
}

static Projection composeProjections(const Projection &first,
                                     const Projection &next) {
  std::string error;
  return need(compose(first, next, error), error).projection;
}

static void bindQuestions(nb::class_<Projection> &type) {
  type.def("footprint", &footprintOf, nb::call_guard<ReleaseGil>(),
           nb::arg("block"),
           "The places that a block touches: the smallest box, how many, and "
           "how they lie.")
      .def("compose", &composeProjections, nb::arg("next"),
           "First this projection, then `next` at every place of its region, "
           "as `then` does; a strided layout composes the other way round.")
      .def("then", &composeProjections, nb::arg("next"),
           "First this projection, then `next` at every place of its region.")
      .def(
          "composes_exactly",
          [](const Projection &self, const Projection &next) {
            std::string error;
            return need(compose(self, next, error), error).isExact;
          },
          nb::arg("next"),
          "Whether the regions of compose(next) are what is touched; else they "
          "are hulls.")
      .def("preimage", &preimageOfBox, nb::call_guard<ReleaseGil>(),
           nb::arg("box"), nb::arg("domain"), nb::arg("contained") = false,
           "The points of the domain whose regions touch a box, or lie in it.")
      .def("overlap", &overlapOf, nb::call_guard<ReleaseGil>(), nb::arg("axis"),
           "What a region shares with the next one along an axis. The hull's "
           "extents are max(0, shape - |stride|).")
      .def(
          "stride",
          [](const Projection &self, int64_t axis) {
            return getStride(self, checkAxis(self, axis));
          },
          nb::arg("axis"), "How far the region moves with an axis.")
      .def(
          "growth",
          [](const Projection &self, const Box &block, int64_t axis) {
            checkColumns(self, block.lo.size(), "a block");
            return getGrowth(self, block, checkAxis(self, axis));
          },
          nb::arg("block"), nb::arg("axis"),
          "What one more index along an axis adds to a block.")
      .def(
          "split",
          [](const Projection &self, const Box &block, int64_t axis,
             int64_t at) {
            checkColumns(self, block.lo.size(), "a block");
            std::string error;
            return need(
                splitBlock(self, block, checkAxis(self, axis), at, error),
                error);
          },
          nb::arg("block"), nb::arg("axis"), nb::arg("at"),
          "A block cut in two, what both touch and what they share.")
      .def(
          "reverse_axis",
          [](const Projection &self, int64_t axis, int64_t extent) {
            std::string error;
            return need(reverseAxis(self, checkAxis(self, axis), extent, error),
                        error);
          },
          nb::arg("axis"), nb::arg("extent"),
          "The same regions, index i of the axis being extent - 1 - i.")
      .def(
          "reverse_dimension",
          [](const Projection &self, int64_t dimension, int64_t size) {
            std::string error;
            return need(reverseDimension(self, checkDimension(self, dimension),
                                         size, error),
                        error);
          },
          nb::arg("dimension"), nb::arg("size"),
          "The same elements, element x of the dimension being size - 1 - x.")
      .def(
          "with_anchor",
          [](const Projection &self, const Integers &anchor) {
            std::string error;
            return need(withAnchor(self, anchor, error), error);
          },
          nb::arg("anchor"), "The same regions drawn around another point.")
      .def_prop_ro("coherence", &getCoherence,
                   "Whether a block keeps the tensor's dimensions, their order "
                   "and their direction.")
      .def(
          "is_injective",
          [](const Projection &self, const Box &block) {
            checkColumns(self, block.lo.size(), "a block");
            return isInjectiveOnStarts(self, block);
          },
          nb::call_guard<ReleaseGil>(), nb::arg("block"),
          "Whether different points have different starts; None where unknown.")
      .def(
          "is_disjoint",
          [](const Projection &self, const Box &block) {
            checkColumns(self, block.lo.size(), "a block");
            return areRegionsDisjoint(self, block);
          },
          nb::call_guard<ReleaseGil>(), nb::arg("block"),
          "Whether regions of different points share nothing: what an output "
          "needs. None where unknown.")
      .def(
          "elements",
          [](const Projection &self, const Box &block, const Integers &sizes) {
            std::string error;
            return need(getOutOfBoundsRegion(self, block, sizes, error), error);
          },
          nb::call_guard<ReleaseGil>(), nb::arg("block"), nb::arg("sizes"),
          "The elements of a tensor that a block needs, after the policies.")
      .def(
          "halo",
          [](const Projection &self, const Box &block, const Box &owned,
             const Integers &sizes) {
            std::string error;
            return need(getHalo(self, block, owned, sizes, error), error);
          },
          nb::call_guard<ReleaseGil>(), nb::arg("block"), nb::arg("owned"),
          nb::arg("sizes"), "What a block needs beyond the box that is owned.")
      .def("to_map", &toMap, nb::arg("block"), nb::arg("sizes") = nb::none(),
           "The indexing map over a block; policies need the tensor's sizes.")
      .def_static(
          "from_map",
          [](const IndexingMap &map, bool symbolsAsAxes) {
            std::string error;
            ProjectedBlock found =
                need(fromIndexingMap(map, symbolsAsAxes, error), error);
            return std::pair(found.projection, found.block);
          },
          nb::arg("map"), nb::arg("symbols_as_axes") = false,
          "The projection and the block that an indexing map is.")
      .def_static("windows", &makeWindows, nb::arg("window"),
                  nb::arg("stride") = nb::none(),
                  nb::arg("dilation") = nb::none(),
                  nb::arg("pad_low") = nb::none(), nb::arg("oob") = nb::none(),
                  "Windows along each dimension. The taps of a dilated window "
                  "are an axis of their own, after the others.");
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static std::optional<uint64_t>
getStridedWaste(const ProjectionFootprint &footprint) {
  std::optional<uint64_t> strided = footprint.getStridedCount();
  if (!strided || !footprint.count)
    return std::nullopt;
  return *strided - *footprint.count;
}

static void bindAnswers(nb::module_ &m) {
  nb::class_<RowLattice> row(
      m, "RowLattice",
      "What a block touches in one dimension: `count` runs of `run` places, "
      "the "
      "first at `first`, each `stride` after the one before.");
  bindEquality(row);
  row.def_ro("first", &RowLattice::first)
      .def_ro("run", &RowLattice::run)
      .def_ro("stride", &RowLattice::stride)
      .def_ro("count", &RowLattice::count)
      .def_ro("is_exact", &RowLattice::isExact,
              "True if these are the places; else there are fewer within.")
      .def_prop_ro("is_dense", &RowLattice::isDense)
      .def("__str__", &RowLattice::str)
      .def("__repr__", [](const RowLattice &self) {
        return "<RowLattice " + self.str() + ">";
      });

  nb::class_<ProjectionFootprint, Footprint>(
      m, "ProjectionFootprint",
      "The places that a block touches: the hull is the smallest box.")
      .def_ro("lattice", &ProjectionFootprint::rows,
              "One RowLattice per dimension; none for an empty block.")
      .def_ro("is_product", &ProjectionFootprint::isProduct,
              "Whether the set is the product of its lattice.")
      .def_prop_ro("strided_count", &ProjectionFootprint::getStridedCount,
                   "Places of a tensor that is strided beforehand.")
      .def_prop_ro("strided_waste", &getStridedWaste,
                   "Those of them that are not touched.")
      .def("__repr__", &reprFootprint);

  nb::class_<GrowthCost>(m, "GrowthCost",
                         "What one more index adds to a block.")
      .def_ro("count", &GrowthCost::count, "Places that the block has.")
      .def_ro("added", &GrowthCost::added, "Places that come in.")
      .def_ro("shared", &GrowthCost::shared,
              "Places shared with the next block of the same extents.");

  nb::class_<BlockSplit>(m, "BlockSplit",
                         "A block cut in two, with what both parts touch.")
      .def_ro("lo", &BlockSplit::lo)
      .def_ro("hi", &BlockSplit::hi)
      .def_ro("lo_footprint", &BlockSplit::loImage)
      .def_ro("hi_footprint", &BlockSplit::hiImage)
      .def_ro("shared", &BlockSplit::shared, "What both touch.");

  nb::class_<Coherence>(m, "Coherence",
                        "Whether blocks keep the layout that they are cut of.")
      .def_ro("dimensions", &Coherence::keepsDimensions)
      .def_ro("order", &Coherence::keepsOrder)
      .def_ro("direction", &Coherence::keepsDirection)
      .def_ro("reason", &Coherence::reason,
              "What fails first; empty if nothing does.")
      .def("__bool__", [](const Coherence &self) { return bool(self); })
      .def("__repr__", [](const Coherence &self) {
        return "<Coherence " + (self ? std::string("kept") : self.reason) + ">";
      });

  nb::class_<OutOfBoundsRegion>(
      m, "OutOfBoundsRegion",
      "The elements of a tensor that a block needs, after the policies.")
      .def_ro("elements", &OutOfBoundsRegion::elements)
      .def_ro("padded", &OutOfBoundsRegion::padded,
              "Different places that are padding; None where unknown.")
      .def_ro("boxes", &OutOfBoundsRegion::boxes,
              "Disjoint boxes that contain the elements.")
      .def_ro("boxes_exact", &OutOfBoundsRegion::areBoxesExact,
              "Whether the boxes are the elements.");

  nb::class_<Halo>(m, "Halo", "What a block needs beyond what is owned.")
      .def_prop_ro(
          "touched",
          [](const Halo &self) { return self.touched.elements.count; },
          "How many elements are needed; None where unknown.")
      .def_ro("remote", &Halo::remote,
              "How many of them are not owned; None where unknown.")
      .def_ro("lo", &Halo::lo,
              "How far the hull reaches below what is owned, per dimension.")
      .def_ro("hi", &Halo::hi, "How far it reaches above.")
      .def_ro("region", &Halo::touched, "The elements that are needed.")
      .def_ro("remote_boxes", &Halo::remoteBoxes,
              "Disjoint boxes that contain the elements that are not owned.")
      .def("__repr__", [](const Halo &self) {
        auto text = [](std::optional<uint64_t> count) {
          return count ? std::to_string(*count) : std::string("unknown");
        };
        return "<Halo lo " + print(self.lo) + " hi " + print(self.hi) +
               ", touched " + text(self.touched.elements.count) + ", remote " +
               text(self.remote) + ">";
      });
}

//===----------------------------------------------------------------------===//
// Named anchors
//===----------------------------------------------------------------------===//

using Anchors = nb::typed<nb::mapping, std::string, Integers>;

static AnchoredProjection makeAnchored(const Projection &projection,
                                       const Anchors &anchors,
                                       const std::vector<std::string> &fixed) {
  AnchoredProjection out{projection, {}};
  for (auto [name, place] : toDict(anchors)) {
    NamedAnchor anchor;
    anchor.name = nb::cast<std::string>(name);
    for (int64_t x : nb::cast<Integers>(place))
      anchor.place.push_back(x);
    anchor.isMirrored = !llvm::is_contained(fixed, anchor.name);
    out.anchors.push_back(std::move(anchor));
  }
  for (const std::string &name : fixed)
    if (!out.find(name))
      throw Error("there is no anchor '" + name + "'");
  check(out.verify());
  return out;
}

static void bindAnchored(nb::module_ &m) {
  nb::class_<AnchoredProjection> type(
      m, "AnchoredProjection",
      "A projection with named points of its regions, each given relative to "
      "where a region begins.");
  bindValue(type, "AnchoredProjection");
  type.def(
      "__init__",
      [](AnchoredProjection *self, const Projection &projection,
         const Anchors &anchors, const std::vector<std::string> &fixed) {
        new (self) AnchoredProjection(makeAnchored(projection, anchors, fixed));
      },
      nb::arg("projection"), nb::arg("anchors"),
      nb::arg("fixed") = std::vector<std::string>(),
      "Anchors listed in `fixed` stay where they are when a dimension is "
      "reversed; the others are mirrored.");
  bindText(type, "Reads the text form.");
  type.def_prop_ro("fixed",
                   [](const AnchoredProjection &self) {
                     std::vector<std::string> fixed;
                     for (const NamedAnchor &anchor : self.anchors)
                       if (!anchor.isMirrored)
                         fixed.push_back(anchor.name);
                     return fixed;
                   })
      .def_ro("projection", &AnchoredProjection::projection)
      .def_prop_ro("anchors",
                   [](const AnchoredProjection &self) {
                     nb::typed<nb::dict, std::string, Integers> anchors;
                     for (const NamedAnchor &anchor : self.anchors)
                       anchors[anchor.name.c_str()] = anchor.place;
                     return anchors;
                   })
      .def(
          "place",
          [](const AnchoredProjection &self, const std::string &name,
             const Integers &index) {
            if (!self.find(name))
              throw Error("there is no anchor '" + name + "'");
            checkColumns(self.projection, index.size(), "an index");
            return need(self.getPlace(name, index),
                        "the region overflows 64-bit arithmetic");
          },
          nb::arg("name"), nb::arg("index"),
          "Where the anchor of a point's region lies.")
      .def(
          "drawn_around",
          [](const AnchoredProjection &self, const std::string &name) {
            std::string error;
            return need(self.drawnAround(name, error), error);
          },
          nb::arg("name"), "The projection drawn around an anchor.")
      .def(
          "reverse_dimension",
          [](const AnchoredProjection &self, int64_t dimension, int64_t size) {
            std::string error;
            return need(
                self.reversedDimension(
                    checkDimension(self.projection, dimension), size, error),
                error);
          },
          nb::arg("dimension"), nb::arg("size"),
          "The same elements of a tensor whose dimension runs the other way.");
}

void python::bindProjections(nb::module_ &m) {
  bindAnswers(m);
  bindAnchored(m);
  auto type = nb::borrow<nb::class_<Projection>>(nb::type<Projection>());
  bindQuestions(type);
}
