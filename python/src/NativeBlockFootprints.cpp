//===- NativeBlockFootprints.cpp - Blocks of ops for Python ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analysis answers; a space keeps its module alive.
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "NativeValues.h"
#include "TensorAccess/Analysis/BlockReport.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {

/// A value of an index space; `value` belongs to a context that it outlives.
struct SpaceValue {
  BlockValue value;
  std::string name, type;
};

/// An index space, and the module that its op is in.
struct Space {
  std::shared_ptr<NativeModule> module;
  BlockSpace space;
  std::string op;
  std::vector<SpaceValue> values;
};

struct SpaceFootprints : BlockFootprints {
  std::shared_ptr<Space> space;
  Box block;
};

} // namespace

static std::shared_ptr<Space> makeSpace(std::shared_ptr<NativeModule> module,
                                        std::string_view functionName,
                                        const std::optional<std::string> &op,
                                        unsigned result) {
  auto out = std::make_shared<Space>();
  out->module = module;
  module->getSession().look([&] {
    FunctionOpInterface function = module->findFunction(functionName);
    IndexingCache cache;
    std::string error;
    std::optional<BlockSpace> space;
    if (!op)
      space = getBlockSpace(function, cache, error, result);
    else if (Operation *found = findOp(function, *op, error))
      space = getBlockSpace(found, cache, error, result);
    out->space = need(std::move(space), error);
    out->op = out->space.op->getName().getStringRef().str();
    AsmState names(function);
    for (const BlockValue &value : out->space.values) {
      SpaceValue &copy = out->values.emplace_back();
      copy.value = value;
      if (value.value)
        copy.name = printName(value.value, names);
      copy.type = llvm::to_string(
          value.value ? value.value.getType()
                      : function.getResultTypes()[value.number]);
    }
  });
  return out;
}

static SpaceFootprints getFootprints(std::shared_ptr<Space> self, Box block) {
  ReleaseGil release;
  check(self->space.verify(block));
  BlockFootprints footprints = getBlockFootprints(self->space, block);
  return {std::move(footprints), std::move(self), std::move(block)};
}

static BlockGrowth getGrowthAlong(const SpaceFootprints &self, int64_t axis) {
  const BlockSpace &space = self.space->space;
  checkIndex("axis", axis, space.axes.size());
  ReleaseGil release;
  return getBlockGrowth(space, self.block, self, axis);
}

static BlockCost getCost(const SpaceFootprints &self,
                         const std::optional<CostModel> &given) {
  std::string error;
  std::optional<CostModel> model = given;
  if (!model)
    model = readCostModel("", error);
  return need(getBlockCost(self.space->space, self.block, self, *model, error),
              error);
}

/// std::nullopt if unknown.
static std::optional<ProjectionFootprint> getOf(const SpaceFootprints &self,
                                                size_t number) {
  const ProjectionFootprint &footprint = self.values[number];
  return footprint.hull ? std::optional(footprint) : std::nullopt;
}

static std::optional<ProjectionFootprint>
getByRole(const SpaceFootprints &self, BlockValue::Role role, int64_t number) {
  for (auto [v, value] : llvm::enumerate(self.space->space.values))
    if (value.role == role && value.number == number)
      return getOf(self, v);
  throw Error(describe(role) + " " + llvm::Twine(number) +
              " is not a tensor of this index space");
}

static void bindSpace(nb::module_ &m) {
  nb::class_<BlockAxis>(m, "BlockAxis", "An axis of an op's index space.")
      .def_ro("name", &BlockAxis::name)
      .def_ro("extent", &BlockAxis::extent, "None for a dynamic one.")
      .def_ro("summed", &BlockAxis::isReduction,
              "Whether results are reduced over it.")
      .def("__repr__", [](const BlockAxis &a) {
        return "<BlockAxis " + a.name + ": " +
               (a.extent ? std::to_string(*a.extent) : "?") +
               (a.isReduction ? ", summed>" : ">");
      });
  nb::class_<SpaceValue>(m, "BlockValue",
                         "A tensor, seen from an op's index space.")
      .def_prop_ro(
          "role",
          [](const SpaceValue &v) { return describe(v.value.role).str(); },
          "'operand', 'captured' (read by a region) or 'result'.")
      .def_prop_ro("number", [](const SpaceValue &v) { return v.value.number; })
      .def_ro("name", &SpaceValue::name, "As the function prints it: '%arg0'.")
      .def_ro("type", &SpaceValue::type)
      .def_prop_ro(
          "projection",
          [](const SpaceValue &v) -> std::optional<Projection> {
            const Projection *projection = v.value.getProjection();
            return projection ? std::optional(*projection) : std::nullopt;
          },
          "How points of the space touch it: columns are the axes, then the "
          "symbols of the map where these are not a box. None where it is not "
          "touched by one projection.")
      .def_prop_ro(
          "maps",
          [](const SpaceValue &v) {
            std::vector<IndexingMap> maps;
            for (const BlockMap &map : v.value.maps)
              maps.push_back(map.map);
            return maps;
          },
          "Indexing maps from the axes; none if it is not touched.")
      .def_prop_ro(
          "reason",
          [](const SpaceValue &v) -> std::optional<std::string> {
            if (v.value.reason != IndexingReason::None)
              return describe(v.value.reason).str();
            if (v.value.maps.size() == 1 && !v.value.maps[0].projection)
              return v.value.maps[0].reason;
            if (v.value.maps.size() > 1)
              return std::to_string(v.value.maps.size()) + " maps lead there";
            return std::nullopt;
          },
          "Why there is no projection; None if there is one, or it is not "
          "touched.")
      .def("__repr__", [](const SpaceValue &v) {
        return "<BlockValue " + describe(v.value.role).str() + " " +
               std::to_string(v.value.number) + ">";
      });
  nb::class_<Space>(m, "BlockSpace",
                    "The index space of an op, or of a function as one op.")
      .def_ro("op", &Space::op, "The op's name.")
      .def_prop_ro("axes", [](const Space &s) { return s.space.axes; })
      .def_ro("values", &Space::values,
              "Operands, captured values, results; tensors only.")
      .def_prop_ro(
          "whole", [](const Space &s) { return s.space.getWhole(); },
          "All of it; None where an extent is dynamic.")
      .def(
          "block_of_result",
          [](const Space &s, const Box &box, int64_t number) {
            std::string error;
            return need(s.space.getBlockOfResult(number, box, error), error);
          },
          nb::arg("box"), nb::arg("result") = 0,
          "The block that computes a box of a result.")
      .def(
          "middle_block",
          [](const Space &s, int64_t extent) {
            std::string error;
            return need(s.space.getMiddleBlock(extent, error), error);
          },
          nb::arg("extent"),
          "A block of at most `extent` indices along each axis that is not "
          "summed over, from the middle.")
      .def("footprints", &getFootprints, nb::arg("block"),
           "What a block touches.")
      .def("__repr__", [](const Space &s) {
        return "<BlockSpace of " + s.op + ", " +
               std::to_string(s.space.axes.size()) + " axes>";
      });
}

void python::bindBlockFootprints(nb::module_ &m) {
  bindSpace(m);
  nb::class_<BlockGrowth>(m, "BlockGrowth",
                          "What one more index along an axis adds to a block, "
                          "and what neighbours share.")
      .def_ro("axis", &BlockGrowth::axis)
      .def_ro("has_next", &BlockGrowth::hasNext)
      .def_ro("has_previous", &BlockGrowth::hasPrevious)
      .def_ro("points", &BlockGrowth::points, "Points that are added.")
      .def_ro("operations", &BlockGrowth::operations)
      .def_ro("bytes_in", &BlockGrowth::bytesIn)
      .def_ro("bytes_out", &BlockGrowth::bytesOut)
      .def_ro("shared_next", &BlockGrowth::sharedNext,
              "Bytes of operands that the next block of its extent reads, too.")
      .def_ro("shared_previous", &BlockGrowth::sharedPrevious)
      .def_prop_ro(
          "values",
          [](const BlockGrowth &g) {
            using Count = std::optional<uint64_t>;
            std::vector<std::tuple<Count, Count, Count>> values;
            for (const BlockGrowth::OfValue &v : g.values)
              values.emplace_back(v.added, v.sharedNext, v.sharedPrevious);
            return values;
          },
          "For each value of the space: elements that are added, shared with "
          "the next block, and with the previous one.")
      .def("__repr__", [](const BlockGrowth &g) {
        return "<BlockGrowth along axis " + std::to_string(g.axis) + ">";
      });
  nb::class_<SpaceFootprints>(m, "BlockFootprints",
                              "What a block of an op touches.")
      .def_ro("block", &SpaceFootprints::block)
      .def_ro("space", &SpaceFootprints::space)
      .def_ro("points", &SpaceFootprints::points)
      .def_ro("operations", &SpaceFootprints::operations,
              "Additions, multiplications and the like; None where not known.")
      .def_ro("bytes_in", &SpaceFootprints::bytesIn,
              "Bytes of operands, a value that is read twice in the same way "
              "once. None where not known.")
      .def_ro("bytes_out", &SpaceFootprints::bytesOut)
      .def_prop_ro(
          "values",
          [](const SpaceFootprints &f) {
            std::vector<std::optional<ProjectionFootprint>> values;
            for (size_t v = 0; v != f.values.size(); ++v)
              values.push_back(getOf(f, v));
            return values;
          },
          "One footprint for each value of the space; None if unknown.")
      .def(
          "operand",
          [](const SpaceFootprints &f, int64_t number) {
            return getByRole(f, BlockValue::Role::Operand, number);
          },
          nb::arg("number"),
          "What the block touches of an operand; None where that is not known.")
      .def(
          "result",
          [](const SpaceFootprints &f, int64_t number) {
            return getByRole(f, BlockValue::Role::Result, number);
          },
          nb::arg("number") = 0,
          "What the block touches of a result; None where that is not known.")
      .def("growth", &getGrowthAlong, nb::arg("axis"),
           "What one more index along an axis adds.")
      .def("cost", &getCost, nb::arg("model") = nb::none(),
           "What the block costs, by the rates of the op or the model.")
      .def("__repr__", [](const SpaceFootprints &f) {
        return "<BlockFootprints of " + f.space->op + ", block " +
               printBox(f.block) + ">";
      });
  m.def("block_space", &makeSpace, nb::arg("module"), nb::arg("function"),
        nb::arg("op").none(), nb::arg("result"));
}
