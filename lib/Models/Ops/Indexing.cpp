//===- Indexing.cpp - The indexing of any operation -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dispatch described in Indexing.h, and the memo of answers by signature:
// two ops with the same name, attributes, types and (for structured ops) the
// same use of block arguments have the same indexing.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Indexing.h"
#include "Captured.h"
#include "Function/FunctionSizes.h"
#include "Function/Models.h"
#include "Function/RuntimeValues.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/Models/Control.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// The models by name of one context, held by its builtin dialect.
class NamedModels : public DialectInterface::Base<NamedModels> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NamedModels)
  NamedModels(Dialect *dialect) : Base(dialect) {}

  llvm::StringMap<IndexingModel> models;
};

} // namespace

void tensoraccess::addIndexingModel(Dialect *dialect, StringRef opName,
                                    IndexingModel model) {
  auto *holder = dialect->getContext()->getLoadedDialect<BuiltinDialect>();
  auto *named = holder->getRegisteredInterface<NamedModels>();
  if (!named) {
    holder->addInterfaces<NamedModels>();
    named = holder->getRegisteredInterface<NamedModels>();
  }
  named->models[opName] = std::move(model);
}

static const IndexingModel *findNamedModel(OperationName name) {
  auto *holder = name.getContext()->getLoadedDialect<BuiltinDialect>();
  auto *named = holder->getRegisteredInterface<NamedModels>();
  if (!named)
    return nullptr;
  auto it = named->models.find(name.getStringRef());
  return it == named->models.end() ? nullptr : &it->second;
}

/// Why there is no answer.
static IndexingReason explain(const OpSignature &signature) {
  if (!signature.name.isRegistered())
    return IndexingReason::UnregisteredOp;
  if (Operation *op = signature.operation) {
    if (isa<RegionBranchOpInterface, BranchOpInterface,
            RegionBranchTerminatorOpInterface>(op))
      return IndexingReason::ControlFlow;
    if (isa<CallOpInterface>(op))
      return IndexingReason::UnknownCallee;
    if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
      if (!effects.hasNoEffect())
        return IndexingReason::SideEffects;
  }
  return IndexingReason::NoModel;
}

NestRef tensoraccess::getNest(const OpSignature &signature) {
  if (auto *model = signature.name.getInterface<IndexingOpInterface>()) {
    NestRef nest = model->inferNest(signature);
    return nest ? nest : share(model->inferIndexing(signature));
  }
  if (signature.operation)
    if (auto op = dyn_cast<IndexingMapOpInterface>(signature.operation))
      return share(inferFromIndexingMaps(op));
  if (const IndexingModel *model = findNamedModel(signature.name))
    return share((*model)(signature));
  if (signature.operandTypes.empty() || signature.resultTypes.empty())
    return share(signature.nothingRead());
  if (signature.name.hasTrait<OpTrait::Elementwise>())
    return share(inferElementwise(signature));
  return share(signature.unknown(explain(signature)));
}

std::optional<SmallVector<SmallVector<int64_t>>>
tensoraccess::inferResultSizes(const OpSignature &signature) {
  NestRef nest = getNest(signature);
  if (!nest->hasLoops() || !nest->getDestinations().empty())
    return std::nullopt;
  SmallVector<SmallVector<int64_t>> all;
  for (const SizeList &list : nest->getResults())
    all.push_back(llvm::map_to_vector(list, [&](const Form &size) {
      return nest->getSizes().getStatic(size).value_or(ShapedType::kDynamic);
    }));
  return all;
}

OpIndexing tensoraccess::getIndexing(const OpSignature &signature) {
  return getNest(signature)->getIndexing();
}

OpIndexing tensoraccess::getIndexing(Operation *op) {
  return IndexingCache().getLocal(op);
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

/// The bytes that decide an op's indexing. Pointers are those of uniqued
/// objects; they are compared, never ordered or printed.
static SmallVector<char> getKey(const OpSignature &signature) {
  SmallVector<char> key;
  auto append = [&](const void *pointer) {
    const char *bytes = reinterpret_cast<const char *>(&pointer);
    key.append(bytes, bytes + sizeof(pointer));
  };
  append(signature.name.getAsOpaquePointer());
  for (NamedAttribute attr : signature.attributes) {
    StringRef name = attr.getName().strref();
    // What analyses wrote, and what linalg's accessors leave behind.
    if ((name.starts_with("tensoraccess.") && name != kWholeWindows) ||
        name == "linalg.memoized_indexing_maps")
      continue;
    append(attr.getName().getAsOpaquePointer());
    append(attr.getValue().getAsOpaquePointer());
  }
  append(nullptr);
  for (auto [i, type] : llvm::enumerate(signature.operandTypes)) {
    append(type.getAsOpaquePointer());
    // TOSA's shapes, its one type, are not data: an op's form may depend on the
    // numbers in them.
    Attribute shape;
    if (signature.operation && type.getDialect().getNamespace() == "tosa" &&
        matchPattern(signature.operation->getOperand(i), m_Constant(&shape)))
      append(shape.getAsOpaquePointer());
  }
  append(nullptr);
  for (Type type : signature.resultTypes)
    append(type.getAsOpaquePointer());
  return key;
}

const OpIndexing &IndexingCache::get(Operation *op) {
  if (auto it = byOp.find(op); it != byOp.end())
    return *it->second;
  const OpIndexing &own = getLocal(op);
  if (own.getSizes().empty())
    return own;
  const FunctionSizes *sizes = getSizes(op);
  if (!sizes && !op->getParentOfType<FunctionOpInterface>())
    return own;
  auto renamed = std::make_unique<OpIndexing>(
      sizes ? sizes->rename(op, own)
            : OpIndexing::unknown(op->getNumResults(), op->getNumOperands(),
                                  IndexingReason::Recursion));
  return *(byOp[op] = std::move(renamed));
}

/// Whether some value that the op reads or makes has a size that is not a
/// number.
static bool hasDynamicSizes(Operation *op) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    auto vector = dyn_cast<VectorType>(type);
    return shaped && shaped.hasRank() &&
           (!shaped.hasStaticShape() || (vector && vector.isScalable()));
  };
  return llvm::any_of(op->getOperandTypes(), isDynamic) ||
         llvm::any_of(op->getResultTypes(), isDynamic);
}

const FunctionSizes *IndexingCache::getSizes(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return nullptr;
  auto [it, inserted] = sizesByFunction.try_emplace(function);
  if (!inserted)
    return it->second.get();
  // What calls imply about sizes is part of the callees' answers.
  function->walk([&](CallOpInterface call) {
    FunctionOpInterface callee = getCallee(call);
    if (callee && hasDynamicSizes(call) && !byFunction.contains(callee))
      computeFunction(callee);
  });
  auto sizes = std::make_shared<FunctionSizes>(
      function, [&](Operation *inner) -> const OpIndexing * {
        return hasDynamicSizes(inner) ? &getLocal(inner) : nullptr;
      });
  return (sizesByFunction[function] = std::move(sizes)).get();
}

const std::vector<CapturedRead> &IndexingCache::getCaptured(Operation *op) {
  if (const ControlIndexing *read = getControl(op))
    return read->captured;
  auto [it, inserted] = captured.try_emplace(op);
  if (!inserted)
    return *it->second;
  std::vector<CapturedRead> reads = getCapturedReads(op);
  // Sources name operands of the op; here they name arguments.
  for (CapturedRead &read : reads) {
    if (!read.outputToInput.hasDetails() && !read.inputToOutput.hasDetails())
      continue;
    OpIndexing own(1, 1);
    own.setOutputToInput(0, 0, std::move(read.outputToInput));
    own.setInputToOutput(0, 0, std::move(read.inputToOutput));
    own = resolveSources(op, own, *this);
    read.outputToInput = own.outputToInput(0, 0);
    read.inputToOutput = own.inputToOutput(0, 0);
  }
  if (!reads.empty() && !getLocal(op).getSizes().empty()) {
    const FunctionSizes *sizes = getSizes(op);
    for (CapturedRead &read : reads) {
      auto rename = [&](const IndexingSet &set) {
        return sizes ? sizes->rename(op, set)
                     : IndexingSet::unknown(IndexingReason::Recursion);
      };
      read.outputToInput = rename(read.outputToInput);
      read.inputToOutput = rename(read.inputToOutput);
    }
  }
  auto owned = std::make_unique<std::vector<CapturedRead>>(std::move(reads));
  return *(captured[op] = std::move(owned));
}

IndexingMap IndexingCache::getIdentity(Value value, IndexingReason &reason) {
  if (auto shape = getIndexSpace(value.getType(), reason))
    return IndexingMap::identity(*shape).simplify();
  if (reason == IndexingReason::DynamicShape &&
      isa<ShapedType>(value.getType()))
    if (const FunctionSizes *sizes = getSizes(&value.getParentBlock()->front()))
      return sizes->getIdentity(value);
  return IndexingMap::unknown(toUnknownReason(reason));
}

void IndexingCache::addSizes(FunctionOpInterface function,
                             OpIndexing &indexing) {
  Operation &terminator = function.getFunctionBody().front().back();
  auto add = [&](ValueRange values, bool areResults) {
    for (auto [i, value] : llvm::enumerate(values)) {
      auto shaped = dyn_cast<ShapedType>(value.getType());
      if (!shaped || !shaped.hasRank() || shaped.hasStaticShape())
        continue;
      const FunctionSizes *sizes = getSizes(&terminator);
      if (!sizes)
        continue;
      for (auto [d, size] : llvm::enumerate(sizes->getSizes(value)))
        if (shaped.isDynamicDim(d))
          indexing.addSize({areResults, static_cast<unsigned>(i),
                            static_cast<unsigned>(d), size});
    }
  };
  add(function.getArguments(), /*areResults=*/false);
  add(terminator.getOperands(), /*areResults=*/true);
}

const OpIndexing &IndexingCache::getLocal(Operation *op) {
  if (isa<CallOpInterface>(op) && !isa<IndexingOpInterface>(op)) {
    auto fail = [&](IndexingReason reason) -> const OpIndexing & {
      return *others.emplace_back(
          std::make_unique<OpIndexing>(OpIndexing::unknown(
              op->getNumResults(), op->getNumOperands(), reason)));
    };
    FunctionOpInterface callee = getCallee(op);
    if (!callee || op->getOperandTypes() != callee.getArgumentTypes() ||
        op->getResultTypes() != callee.getResultTypes())
      return fail(IndexingReason::UnknownCallee);
    auto it = byFunction.find(callee);
    if (it != byFunction.end() && !it->second)
      return fail(IndexingReason::Recursion);
    return getFunction(callee);
  }

  if (const ControlIndexing *read = getControl(op))
    return read->indexing;

  OpSignature signature(op);
  SmallVector<char> key = getKey(signature);
  // Two structured ops may differ in which block arguments they use; anything
  // else with a region is answered anew.
  if (op->getNumRegions() != 0) {
    if (!isa<IndexingMapOpInterface>(op))
      return *others.emplace_back(
          std::make_unique<OpIndexing>(getIndexing(signature)));
    const llvm::BitVector reads = getPayloadReads(op);
    for (uintptr_t word : reads.getData())
      key.append(reinterpret_cast<const char *>(&word),
                 reinterpret_cast<const char *>(&word + 1));
  }
  auto [it, inserted] =
      bySignature.try_emplace(StringRef(key.data(), key.size()));
  if (inserted)
    it->second = std::make_unique<OpIndexing>(getIndexing(signature));
  return *it->second;
}

const ControlIndexing *IndexingCache::getControl(Operation *op) {
  if (op->getNumRegions() == 0)
    return nullptr;
  if (auto it = control.find(op); it != control.end())
    return it->second.get();
  std::shared_ptr<ControlIndexing> read;
  if (auto found = getControlIndexing(op, *this))
    read = std::make_shared<ControlIndexing>(std::move(*found));
  return (control[op] = std::move(read)).get();
}

FunctionOpInterface IndexingCache::getCallee(Operation *call) {
  auto callOp = dyn_cast<CallOpInterface>(call);
  if (!callOp)
    return {};
  auto symbol = dyn_cast<SymbolRefAttr>(callOp.getCallableForCallee());
  if (!symbol)
    return {};
  return dyn_cast_or_null<FunctionOpInterface>(
      symbolTables.lookupNearestSymbolFrom(call, symbol));
}

void tensoraccess::registerIndexingModels(DialectRegistry &registry) {
  registerLinalgModels(registry);
  registerStableHloModels(registry);
  registerTensorModels(registry);
  registerTosaModels(registry);
  registerVectorModels(registry);
}
