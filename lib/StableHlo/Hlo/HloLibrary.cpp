//===- HloLibrary.cpp - Control, calls, collectives -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloImporter.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

LogicalResult HloImporter::importWhile(Call &call, Values &results) {
  FailureOr<const HloComputation *> condition =
      getComputation(call, "condition");
  FailureOr<const HloComputation *> body = getComputation(call, "body");
  if (failed(condition) || failed(body))
    return failure();
  // What XLA knows of it: `"known_trip_count":{"n":"5"}`.
  int64_t trips;
  StringRef known = call.instruction.get("backend_config").value_or("");
  if (size_t at = known.find("\"known_trip_count\""); at != StringRef::npos) {
    StringRef number = known.substr(at).split("\"n\"").second.ltrim(" :\"");
    if (!number.consumeInteger(10, trips) && trips >= 0)
      call.others.push_back(
          getHlo("while", b.getNamedAttr("trips", b.getI64IntegerAttr(trips))));
  }
  return create(call, "stablehlo.while", results, [&](OperationState &state) {
    return success(succeeded(importRegion(state, **condition, call.types)) &&
                   succeeded(importRegion(state, **body, call.types)));
  });
}

LogicalResult HloImporter::importConditional(Call &call, Values &results) {
  SmallVector<const HloComputation *> branches;
  SmallVector<StringRef> names;
  if (auto list = call.instruction.get("branch_computations"))
    names = splitList(stripBraces(*list));
  else
    for (StringRef key : {"true_computation", "false_computation"})
      names.push_back(call.instruction.get(key).value_or(""));
  if (names.empty() || llvm::is_contained(names, StringRef()))
    return fail(call, "'conditional' must have 'branch_computations', or "
                      "'true_computation' and 'false_computation'");
  for (StringRef name : names) {
    FailureOr<const HloComputation *> branch = getComputationAt(name);
    if (failed(branch))
      return failure();
    branches.push_back(*branch);
  }
  if (call.instruction.operands.size() != branches.size() + 1 ||
      branches.empty())
    return fail(call, "'conditional' must have an operand for each of its " +
                          Twine(branches.size()) +
                          " branches, and one to "
                          "choose by");
  // What each branch reads is its own operand.
  SmallVector<Values> read;
  for (StringRef name : ArrayRef(call.instruction.operands).drop_front())
    read.push_back(call.frame.get(name));
  call.operands = call.frame.get(call.instruction.operands[0]);
  if (failed(expectOperands(call, 1)))
    return failure();
  const bool isPredicate =
      getElementTypeOrSelf(call.operands[0].getType()).isInteger(1);
  if (isPredicate && branches.size() != 2)
    return fail(call, "a 'conditional' by pred must have two branches");
  return create(call, isPredicate ? "stablehlo.if" : "stablehlo.case", results,
                [&](OperationState &state) {
                  for (auto [branch, values] : llvm::zip_equal(branches, read))
                    if (failed(importRegion(state, *branch, {}, values)))
                      return failure();
                  return success();
                });
}

LogicalResult HloImporter::importCustomCall(Call &call, Values &results) {
  std::optional<StringRef> target = call.instruction.get("custom_call_target");
  if (!target)
    return fail(call, "'custom-call' must have 'custom_call_target'");
  FailureOr<bool> effects = getFlag(call, "custom_call_has_side_effect", false);
  if (failed(effects))
    return failure();
  // What XLA calls for chlo.top_k.
  if (target->trim('"') == "TopK" && call.operands.size() == 1 &&
      call.types.size() == 2) {
    auto type = dyn_cast<RankedTensorType>(call.types[0]);
    if (type && type.getRank() > 0 && type.hasStaticShape()) {
      add(call, "k", b.getI64IntegerAttr(type.getShape().back()));
      return create(call, "chlo.top_k", results);
    }
  }
  add(call, "call_target_name",
      b.getStringAttr(unescapeHlo(target->trim('"'))));
  if (*effects)
    add(call, "has_side_effect", b.getBoolAttr(true));
  const int32_t version = llvm::StringSwitch<int32_t>(
                              call.instruction.get("api_version").value_or(""))
                              .Case("API_VERSION_STATUS_RETURNING", 2)
                              .Case("API_VERSION_STATUS_RETURNING_UNIFIED", 3)
                              .Case("API_VERSION_TYPED_FFI", 4)
                              .Default(1);
  if (version != 1)
    add(call, "api_version", b.getI32IntegerAttr(version));
  if (auto config = call.instruction.get("backend_config")) {
    const std::string text = getStringOrJson(*config);
    // A typed call has its fields as attributes.
    Attribute fields;
    if (version == 4) {
      ScopedDiagnosticHandler quiet(b.getContext(),
                                    [](Diagnostic &) { return success(); });
      fields = parseAttribute(text, b.getContext());
    }
    add(call, "backend_config",
        isa_and_nonnull<DictionaryAttr>(fields) ? fields
                                                : b.getStringAttr(text));
  }
  return create(call, "stablehlo.custom_call", results);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

LogicalResult HloImporter::importFft(Call &call, Values &results) {
  std::optional<StringRef> type = call.instruction.get("fft_type");
  if (!type)
    return fail(call, "'fft' must have 'fft_type'");
  addOwn(call, "fft_type", "fft_type " + *type);
  return success(succeeded(addNumbers(call, "fft_length", "fft_length")) &&
                 succeeded(create(call, "stablehlo.fft", results)));
}

LogicalResult HloImporter::importCholesky(Call &call, Values &results) {
  return success(succeeded(addFlag(call, "lower")) &&
                 succeeded(create(call, "stablehlo.cholesky", results)));
}

LogicalResult HloImporter::importTriangularSolve(Call &call, Values &results) {
  for (StringRef key : {"left_side", "lower", "unit_diagonal"})
    if (failed(addFlag(call, key)))
      return failure();
  addOwn(call, "transpose_a",
         "transpose " +
             call.instruction.get("transpose_a").value_or("NO_TRANSPOSE"));
  return create(call, "stablehlo.triangular_solve", results);
}

LogicalResult HloImporter::importBatchNorm(Call &call, Values &results) {
  std::optional<StringRef> text = call.instruction.get("epsilon");
  double epsilon;
  if (failed(addNumber(call, "feature_index", "feature_index")))
    return failure();
  if (!text || text->getAsDouble(epsilon))
    return fail(call, "'" + call.instruction.opcode +
                          "' must have a number as 'epsilon'");
  add(call, "epsilon", b.getF32FloatAttr(epsilon));
  const std::string name = getOpName("stablehlo", call.instruction.opcode);
  return create(call, name, results);
}

LogicalResult HloImporter::importRng(Call &call, Values &results) {
  StringRef distribution =
      call.instruction.get("distribution").value_or("rng_uniform");
  distribution.consume_front("rng_");
  auto type = call.types.size() == 1 ? dyn_cast<RankedTensorType>(call.types[0])
                                     : RankedTensorType();
  // Its shape may be repeated.
  if (call.operands.size() > 2)
    call.operands.truncate(2);
  if (failed(expectOperands(call, 2)))
    return failure();
  if (!type || !type.hasStaticShape())
    return fail(call, "'rng' must have an array of known sizes");
  OperationState shape(b.getLoc(), "stablehlo.constant");
  Attribute sizes = b.getI64TensorAttr(type.getShape());
  shape.propertiesAttr = b.getDictionaryAttr(b.getNamedAttr("value", sizes));
  shape.addTypes(cast<TypedAttr>(sizes).getType());
  call.operands.push_back(b.create(shape)->getResult(0));
  addOwn(call, "rng_distribution", "rng_distribution " + distribution.upper());
  return create(call, "stablehlo.rng", results);
}

LogicalResult HloImporter::importRngBits(Call &call, Values &results) {
  StringRef algorithm =
      call.instruction.get("algorithm").value_or("rng_default");
  algorithm.consume_front("rng_");
  addOwn(call, "rng_algorithm", "rng_algorithm " + algorithm.upper());
  return create(call, "stablehlo.rng_bit_generator", results);
}

LogicalResult HloImporter::importTopK(Call &call, Values &results) {
  FailureOr<int64_t> k = getNumber(call, "k");
  FailureOr<bool> largest = getFlag(call, "largest", true);
  if (failed(k) || failed(largest))
    return failure();
  if (!*largest)
    return fail(call, "'topk' of the least elements is not StableHLO's");
  add(call, "k", b.getI64IntegerAttr(*k));
  return create(call, "chlo.top_k", results);
}

LogicalResult HloImporter::importReducePrecision(Call &call, Values &results) {
  for (StringRef key : {"exponent_bits", "mantissa_bits"}) {
    FailureOr<int64_t> bits = getNumber(call, key);
    if (failed(bits))
      return failure();
    add(call, key, b.getI32IntegerAttr(*bits));
  }
  return create(call, "stablehlo.reduce_precision", results);
}

LogicalResult HloImporter::importCollective(Call &call, Values &results) {
  StringRef opcode = call.instruction.opcode;
  opcode.consume_back("-start");
  const bool isPermute = opcode == "collective-permute";
  FailureOr<Attribute> groups =
      getGroups(call, isPermute ? "source_target_pairs" : "replica_groups");
  if (failed(groups) || failed(addChannel(call)))
    return failure();
  add(call, isPermute ? "source_target_pairs" : "replica_groups", *groups);
  const std::string name = getOpName("stablehlo", opcode);
  if (auto flag = call.instruction.get("use_global_device_ids");
      flag && *flag == "true")
    add(call, "use_global_device_ids", b.getUnitAttr());
  if ((opcode == "all-gather" || opcode == "reduce-scatter") &&
      failed(addNumber(call, "dimensions",
                       opcode == "all-gather" ? "all_gather_dim"
                                              : "scatter_dimension")))
    return failure();
  if (opcode == "all-to-all") {
    // Without a dimension it exchanges whole arrays, which StableHLO's does not.
    if (!call.instruction.get("dimensions"))
      return create(call, "mhlo.all_to_all", results);
    FailureOr<int64_t> dim = getNumber(call, "dimensions");
    if (failed(dim))
      return failure();
    const int64_t count =
        cast<ShapedType>(cast<DenseElementsAttr>(*groups).getType())
            .getDimSize(1);
    // All devices, whose number is not given.
    if (count <= 0)
      return create(call, "mhlo.all_to_all", results);
    add(call, "split_dimension", b.getI64IntegerAttr(*dim));
    add(call, "concat_dimension", b.getI64IntegerAttr(*dim));
    add(call, "split_count", b.getI64IntegerAttr(count));
  }
  if (opcode != "all-reduce" && opcode != "reduce-scatter")
    return create(call, name, results);
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body))
    return failure();
  const SmallVector<Type> takes(2, getScalar(call.operands.empty()
                                                 ? Type(b.getF32Type())
                                                 : call.operands[0].getType()));
  return createWithRegions(call, name, *body, takes, results);
}

LogicalResult HloImporter::beginPair(Call &call) {
  StringRef opcode = call.instruction.opcode;
  // The types of the start are operands, results and what the pair needs.
  const HloShape &shape = call.instruction.shape;
  if (opcode != "all-reduce-start" && shape.isTuple() &&
      shape.parts.size() >= 2) {
    call.types.clear();
    if (failed(
            getTypes(shape.parts[opcode == "copy-start" ? 0 : 1], call.types)))
      return failure();
  }
  call.others.push_back(getHlo(opcode));
  return success();
}

LogicalResult HloImporter::importEndOfPair(Call &call, Values &results) {
  const bool isLast = call.instruction.opcode.ends_with("-done");
  if (isLast && call.operands.size() < call.types.size())
    return fail(call, "its operand has " + Twine(call.operands.size()) +
                          " arrays, and it gives " + Twine(call.types.size()));
  results = call.operands;
  if (isLast)
    results.truncate(call.types.size());
  return success();
}
