//===- Jit.cpp - Functions compiled for this machine ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation, on a clone of the module:
//   1. keep the entry and what it refers to; everything else is erased, so that
//      a function that is not called need not be lowerable. Callees become
//      internal.
//   2. make the entry the one public function, whose tensor arguments the
//      pipeline leaves unwritten; give a tensor that is returned twice a copy
//      for each place, so that every result is a buffer of its own.
//   3. lower to the LLVM dialect, generate code (CodeGen.h), and look up the
//      packed wrapper `void f(void **)`, whose list points at each LLVM
//      argument and then at room for the results (Call.cpp).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Jit.h"
#include "CodeCache.h"
#include "CodeGen.h"
#include "Invocation.h"
#include "KeptWeights.h"
#include "NarrowBorders.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/FloatEnvironment.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Pipelines/Cpu.h"
#include "TensorAccess/Pipelines/PassManagers.h"
#include "TensorAccess/Runtime/Runtime.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "TensorAccess/Transforms/Fusion.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::tensoraccess;

static_assert(sizeof(void *) == 8, "descriptors are laid out for 64 bits");

/// The name of the entry in compiled code: one that no C function has.
static constexpr StringLiteral kEntryName = "tensoraccess_entry";
/// What it calls if it has types that cannot be passed (NarrowBorders.h).
static constexpr StringLiteral kNarrowName = "tensoraccess_narrow";
/// What it is called through.
static constexpr StringLiteral kWrapperName = "tensoraccess_entry_packed";
/// The function that packs its weights, if there is one (PackWeights).
static constexpr StringLiteral kPackName = "pack_tensoraccess_entry";
static constexpr StringLiteral kPackWrapperName =
    "pack_tensoraccess_entry_packed";

//===----------------------------------------------------------------------===//
// Preparing the module
//===----------------------------------------------------------------------===//

/// Renames a function, its uses included.
static void rename(ModuleOp module, func::FuncOp function, const Twine &name) {
  std::string newTarget = name.str();
  module.walk([&](AcceleratorCallOp call) {
    if (call.getTarget() == function.getName())
      call.setTarget(newTarget);
  });
  auto newName = StringAttr::get(module.getContext(), name);
  (void)SymbolTable::replaceAllSymbolUses(function, newName, module);
  function.setSymNameAttr(newName);
}

static void makeInternal(func::FuncOp function) {
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(function.getContext(),
                                           LLVM::linkage::Linkage::Internal));
}

/// A symbol, and all that it reaches.
static llvm::SetVector<Operation *> getReached(const SymbolTable &table,
                                               Operation *entry) {
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i) {
    // An accelerator's function is named, but not as a symbol.
    reached[i]->walk([&](AcceleratorCallOp call) {
      if (Operation *function = table.lookup(call.getTarget()))
        reached.insert(function);
    });
    // Not through SymbolTable::getSymbolUses, which knows nothing of what ops
    // without a dialect have in their regions.
    reached[i]->walk([&](Operation *op) {
      auto reach = [&](SymbolRefAttr reference) {
        if (Operation *symbol = table.lookup(reference.getRootReference()))
          reached.insert(symbol);
      };
      op->getAttrDictionary().walk(reach);
      if (Attribute properties = op->getPropertiesAsAttribute())
        properties.walk(reach);
    });
  }
  return reached;
}

/// Erases all functions and globals that the entry does not reach, and makes
/// the others internal, with names that lowering does not use: it may call
/// `malloc` or `expf`, which must not be a function of the program's.
static void isolate(ModuleOp module, func::FuncOp entry) {
  SymbolTable table(module);
  llvm::SetVector<Operation *> reached = getReached(table, entry);
  for (Operation &op :
       llvm::make_early_inc_range(module.getBody()->getOperations())) {
    if (!isa<SymbolOpInterface>(op) || &op == entry.getOperation())
      continue;
    if (!reached.contains(&op)) {
      op.erase();
    } else if (auto function = dyn_cast<func::FuncOp>(op)) {
      function.setPrivate();
      if (function.isExternal())
        continue;
      makeInternal(function);
      if (llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(
              function.getName().str()))
        rename(module, function, "tensoraccess_" + function.getName());
    }
  }
}

/// Drops the attributes of arguments and results, such as names,
/// parts of tensors, weights: LLVM has no use for it and would warn.
static void dropArgumentAttributes(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attr :
           llvm::to_vector(cast<FunctionOpInterface>(*function).getArgAttrs(i)))
        if (attr.getName().strref().starts_with("tensoraccess."))
          function.removeArgAttr(i, attr.getName());
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attr : llvm::to_vector(
               cast<FunctionOpInterface>(*function).getResultAttrs(i)))
        if (attr.getName().strref().starts_with("tensoraccess."))
          function.removeResultAttr(i, attr.getName());
}

/// Whether the time of a function depends on nothing but the shapes of its
/// arguments, in a module of what it reaches: not data, by the trip counts of
/// loops, by sizes that the types don't have, by recursion.
static bool isTimedByShape(ModuleOp module, func::FuncOp entry) {
  bool isDynamic = false,
       readsSizes = llvm::any_of(entry.getArgumentTypes(),
                                 [](Type type) { return type.isIntOrIndex(); });
  // Bounds that are constant, or are cut off by a constant: the lower ones from
  // below (Limit: arith.maxsi), the upper ones from above (arith.minsi).
  auto isLimited = [](std::optional<SmallVector<OpFoldResult>> bounds,
                      auto limit) {
    return bounds && llvm::all_of(*bounds, [](OpFoldResult bound) {
             if (getConstantIntValue(bound))
               return true;
             auto value = dyn_cast<Value>(bound);
             auto cut =
                 value ? value.getDefiningOp<decltype(limit)>() : nullptr;
             return cut && llvm::any_of(cut->getOperands(), [](Value operand) {
                      return getConstantIntValue(operand).has_value();
                    });
           });
  };
  WalkResult loops = module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    for (Type type : op->getResultTypes()) {
      auto shaped = dyn_cast<ShapedType>(type);
      isDynamic |= shaped && (!shaped.hasRank() || !shaped.hasStaticShape());
    }
    const bool isOfTensors =
        op->getNumOperands() != 0 &&
        isa<RankedTensorType, MemRefType>(op->getOperand(0).getType());
    readsSizes |=
        isa<arith::IndexCastOp, arith::IndexCastUIOp, tensor::ReshapeOp>(op) ||
        name.contains("stablehlo.") ||
        (isOfTensors && !isa<tensor::DimOp>(op) && op->getNumResults() == 1 &&
         op->getResult(0).getType().isIntOrIndex());
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    bool isFree =
        name.contains("while") ||
        (loop && !(isLimited(loop.getLoopLowerBounds(), arith::MaxSIOp()) &&
                   isLimited(loop.getLoopUpperBounds(), arith::MinSIOp())));
    for (Region &region : op->getRegions())
      isFree |= !region.empty() && !region.hasOneBlock();
    return isFree ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !loops.wasInterrupted() && !(isDynamic && readsSizes) &&
         !hasRecursion(module);
}

/// Gives the entry the conventions that the file comment describes.
static void prepareEntry(ModuleOp module, func::FuncOp entry) {
  OpBuilder builder(module.getContext());
  for (Block &block : entry.getBody()) {
    auto ret = dyn_cast<func::ReturnOp>(block.getTerminator());
    if (!ret)
      continue;
    builder.setInsertionPoint(ret);
    llvm::SmallPtrSet<Value, 4> seen;
    for (OpOperand &operand : ret->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || seen.insert(operand.get()).second)
        continue;
      operand.set(bufferization::AllocTensorOp::create(
          builder, ret.getLoc(), type, ValueRange(), operand.get()));
    }
  }
  rename(module, entry, kEntryName);
  entry.setPublic();
}

/// An error at the first op that has no form in LLVM, about the op that it came from.
static LogicalResult checkLowered(ModuleOp module, const SourceOps &source) {
  // Conversions of types that are held are beside what is not lowered, and are
  // an error of their own only if that is all.
  bool takesCasts = false;
  auto check = [&](Operation *op) {
    if (op == module || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    StringAttr name = op->getName().getIdentifier();
    if (!source.names.contains(name))
      if (StringAttr made = findSourceOp(source, op->getLoc()))
        name = made;
    auto isHeld = [](Type type) {
      return type.isIndex() || isa<BaseMemRefType>(type) ||
             LLVM::isCompatibleType(type);
    };
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (!isHeld(type)) {
          op->emitError() << "'" << name.strref() << "' computes with type "
                          << type << ", which compiled code does not hold";
          return WalkResult::interrupt();
        }
    if (isa<UnrealizedConversionCastOp>(op) && !takesCasts)
      return WalkResult::advance();
    op->emitError() << "'" << name.strref() << "' has no lowering to LLVM";
    return WalkResult::interrupt();
  };
  if (module.walk(check).wasInterrupted())
    return failure();
  takesCasts = true;
  return failure(module.walk(check).wasInterrupted());
}

/// Loads what compiling needs into the context, once.
static void prepareContext(MLIRContext *context) {
  context->loadDialect<LLVM::LLVMDialect, func::FuncDialect,
                       bufferization::BufferizationDialect>();
  if (context->getLoadedDialect<LLVM::LLVMDialect>()
          ->getRegisteredInterface<LLVMTranslationDialectInterface>())
    return;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<TensorAccessDialect>();
  registerIndexingModels(registry);
  registerDistributedModels(registry);
  registerAllToLLVMIRTranslations(registry);
  context->appendDialectRegistry(registry);
}

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

/// The path of one of MLIR's runtime libraries, which are installed beside
/// libMLIR.so. Where it does not: of the library that MLIR is in, which in a
/// wheel has all of it.
static std::string findRuntimeLibrary(StringRef stem) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&makeOptimizingTransformer), &info) ||
      !info.dli_fname)
    return {};
  StringRef library = info.dli_fname;
  SmallString<128> path(llvm::sys::path::parent_path(library));
  // libMLIR.so.22.1 has the version that the runtime's file name ends in.
  StringRef version = llvm::sys::path::filename(library);
  version = version.substr(version.find(".so"));
  llvm::sys::path::append(path, stem + version);
  return llvm::sys::fs::exists(path) ? std::string(path) : library.str();
}

/// The runtime libraries that the lowered module needs: copies between strided
/// buffers, and conversions of small floats the host has no instruction for.
static SmallVector<std::string> runtimeLibraries(ModuleOp module) {
  SmallVector<std::string> paths;
  bool smallFloats = module
                         .walk([](Operation *op) {
                           auto small = [](Type type) {
                             return type.isF16() || type.isBF16();
                           };
                           return llvm::any_of(op->getResultTypes(), small)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  if (module.lookupSymbol("memrefCopy"))
    paths.push_back(findRuntimeLibrary("libmlir_c_runner_utils"));
  if (smallFloats)
    paths.push_back(findRuntimeLibrary("libmlir_float16_utils"));
  llvm::erase_if(paths, [](const std::string &path) { return path.empty(); });
  return paths;
}

/// The processors that all code is generated for as well, without being run:
/// for tests of what this machine cannot show.
static llvm::Expected<SmallVector<Processor>> getCheckedProcessors() {
  SmallVector<Processor> processors;
  if (const char *names = std::getenv("TENSORACCESS_CHECK_CPUS"))
    for (StringRef name : llvm::split(names, ','))
      if (!name.empty()) {
        llvm::Expected<Processor> processor = Processor::find(name);
        if (!processor)
          return processor.takeError();
        processors.push_back(std::move(*processor));
      }
  return processors;
}

/// The target that kernels for a processor are planned for: of the built-in ones
/// that of its name, or that with its vectors.
static Target getTarget(const Processor &processor) {
  if (std::optional<Target> target = Target::lookup(processor.name))
    return *target;
  if (llvm::Triple(processor.triple).isAArch64())
    return *Target::lookup("aarch64-neon");
  for (auto [feature, name] :
       {std::pair("avx512f", "x86-64-v4"), std::pair("avx2", "x86-64-v3")})
    if (processor.hasFeature(feature))
      return *Target::lookup(name);
  Target narrow = *Target::lookup("generic");
  narrow.vectorBytes = 16;
  return narrow;
}

/// Fails where the module's target has instructions that the processor, which
/// code is generated for, has not.
static LogicalResult checkTarget(ModuleOp module, const Processor &processor) {
  auto attr = module->getAttrOfType<TargetAttr>("tensoraccess.target");
  if (!attr)
    return success();
  for (const std::string &feature : attr.getValue().features)
    if (!processor.hasFeature(feature))
      return module.emitError()
             << "target '" << attr.getValue().name << "' has '" << feature
             << "', which processor '" << processor.name << "' does not have";
  return success();
}

/// The inputs that options and attributes of a function say are the same in every
/// call, in order; none if weights are not packed.
static SmallVector<unsigned> findWeights(func::FuncOp entry,
                                         const JitOptions &options) {
  SmallVector<unsigned> numbers;
  if (!options.packWeights)
    return numbers;
  numbers = options.weights;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (entry.getArgAttr(i, kConstant))
      numbers.push_back(i);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

/// How many threads calls use.
static int64_t getNumThreads(const JitOptions &options) {
  return options.threads > 0 ? options.threads : tensoraccess_threads();
}

/// A clone of the module with the entry, under kEntryName, and what it reaches;
/// its large constants are taken out.
static FailureOr<OwningOpRef<ModuleOp>>
cloneEntry(ModuleOp module, StringRef entry, const JitOptions &options,
           const Processor &processor, KeptConstants &constants) {
  prepareContext(module.getContext());
  OwningOpRef<ModuleOp> clone = module.clone();
  func::FuncOp function = *findEntry(*clone, entry);
  isolate(*clone, function);
  if (failed(expandStableHlo(*clone)) || failed(checkLowerable(*clone)))
    return failure();
  if (failed(checkTarget(*clone, processor)))
    return failure();
  if (func::FuncOp wrapper = wrapNarrowIntegers(function);
      wrapper != function) {
    makeInternal(function);
    rename(*clone, function, kNarrowName);
    function = wrapper;
  }
  if (!(*clone)->hasAttr("tensoraccess.target")) {
    Target target = getTarget(processor);
    target.cores = getNumThreads(options);
    (*clone)->setAttr("tensoraccess.target",
                      TargetAttr::get(module.getContext(), target));
  }
  SmallVector<unsigned> weights =
      findWeights(*findEntry(module, entry), options);
  dropArgumentAttributes(*clone);
  for (unsigned number : weights) {
    if (number >= function.getNumArguments() ||
        !isa<RankedTensorType>(function.getArgument(number).getType()))
      return function.emitError()
             << "input " << number << " of '" << entry
             << "' is not a tensor that could be kept packed";
    function.setArgAttr(number, kConstant, UnitAttr::get(module.getContext()));
  }
  prepareEntry(*clone, function);
  constants.take(*clone);
  return clone;
}

/// Lowers such a clone to the LLVM dialect. `panels` are the buffers that its
/// function for weights fills.
static LogicalResult lowerEntry(ModuleOp clone, StringRef entry,
                                const JitOptions &options,
                                SmallVectorImpl<SmallVector<int64_t>> &panels) {
  Location loc = clone.lookupSymbol(kEntryName)->getLoc();
  const unsigned numArguments =
      clone.lookupSymbol<func::FuncOp>(kEntryName).getNumArguments();
  PassManager early(clone.getContext()), late(clone.getContext());
  std::shared_ptr<const SourceOps> source = getSourceOps(clone);
  reportFailures(early, source);
  reportFailures(late, source);
  addToKernelsPasses(early, options);
  addKernelsToLLVMPasses(late, options);
  // Each verification takes as long as a pass: what both make is verified once.
  early.enableVerifier(false);
  late.enableVerifier(false);
  const int64_t numEarly = countPasses(early);
  ProgressSteps progress("passes", numEarly + countPasses(late));
  reportProgress(early, progress);
  reportProgress(late, progress, numEarly);
  bool isLowered = succeeded(early.run(clone)) && succeeded(verify(clone));
  if (isLowered) {
    dropArgumentAttributes(clone);
    if (auto pack = clone.lookupSymbol<func::FuncOp>(kPackName))
      for (Type type : pack.getArgumentTypes().take_back(
               clone.lookupSymbol<func::FuncOp>(kEntryName).getNumArguments() -
               numArguments)) {
        auto buffer = cast<MemRefType>(type);
        panels.emplace_back(buffer.getShape());
        panels.back().push_back(
            llvm::divideCeil(buffer.getElementTypeBitWidth(), 8));
      }
    isLowered = succeeded(late.run(clone)) && succeeded(verify(clone)) &&
                succeeded(checkLowered(clone, *source));
  }
  if (!isLowered)
    return emitError(loc) << "cannot lower '" << entry << "' to LLVM";
  // Called through the packed wrapper, never through that for C.
  for (StringRef name : {kEntryName, kPackName})
    if (Operation *wrapper = clone.lookupSymbol(("_mlir_ciface_" + name).str()))
      wrapper->erase();
  return success();
}

/// The constants beside the code that its function for weights reads, and the entry
/// does not.
static SmallVector<std::string> getPackedConstants(ModuleOp lowered) {
  SymbolTable table(lowered);
  llvm::SetVector<Operation *> byEntry =
      getReached(table, table.lookup(kEntryName));
  SmallVector<std::string> names;
  for (Operation *op : getReached(table, table.lookup(kPackName)))
    if (auto global = dyn_cast<LLVM::GlobalOp>(op);
        global && !global.getValueOrNull() && !global.getInitializerBlock() &&
        !byEntry.contains(op))
      names.push_back(global.getSymName().str());
  return names;
}

/// What code is generated for.
static SmallVector<Entry> getEntries(ModuleOp lowered) {
  SmallVector<Entry> entries = {{kEntryName, kWrapperName}};
  if (lowered.lookupSymbol(kPackName))
    entries.push_back({kPackName, kPackWrapperName});
  return entries;
}

static InFlightDiagnostic emitFailure(Location loc, StringRef what,
                                      StringRef entry, llvm::Error error) {
  return emitError(loc) << "cannot " << what << " '" << entry
                        << "': " << llvm::toString(std::move(error));
}

/// Compiles a clone for a processor, unless that has been done before.
static FailureOr<CachedCode> compileEntry(ModuleOp clone, StringRef entry,
                                          const JitOptions &options,
                                          const Processor &processor) {
  auto checked = getCheckedProcessors();
  if (!checked)
    return emitFailure(clone.getLoc(), "compile", entry, checked.takeError());
  CodeCache cache = CodeCache::get();
  std::string key;
  if (options.cache && !options.profile && checked->empty()) {
    std::string how;
    llvm::raw_string_ostream os(how);
    os << processor.cpu << ' ' << processor.features << ' ' << processor.triple
       << ' ' << options.optLevel << ' ';
    options.print(os);
    key = cache.getKey(clone, how);
  }
  if (std::optional<CachedCode> found = cache.find(key))
    return std::move(*found);

  Location loc = clone.lookupSymbol(kEntryName)->getLoc();
  for (const Processor &other : *checked) {
    OwningOpRef<ModuleOp> copy = clone.clone();
    (*copy)->setAttr("tensoraccess.target",
                     TargetAttr::get(clone.getContext(), getTarget(other)));
    SmallVector<SmallVector<int64_t>> panels;
    if (failed(lowerEntry(*copy, entry, options, panels)))
      return failure();
    auto objects = emitObjects(*copy, getEntries(*copy), other,
                               options.optLevel, getNumThreads(options));
    if (!objects)
      return emitFailure(loc, "compile", entry, objects.takeError());
  }
  SmallVector<SmallVector<int64_t>> panels;
  if (failed(lowerEntry(clone, entry, options, panels)))
    return failure();
  function_ref<void(function_ref<void()>)> withoutContext = nullptr;
  if (options.withoutContext)
    withoutContext = options.withoutContext;
  auto objects =
      emitObjects(clone, getEntries(clone), processor, options.optLevel,
                  getNumThreads(options), withoutContext);
  if (!objects)
    return emitFailure(loc, "compile", entry, objects.takeError());
  CachedCode code{std::move(*objects), runtimeLibraries(clone)};
  code.panels = std::move(panels);
  if (!code.panels.empty())
    code.packedConstants = getPackedConstants(clone);
  cache.add(key, code);
  return code;
}

JitOptions::JitOptions() {
  packWeights = true;
  assertHandler = kAssertHandler.str();
}

FailureOr<CompiledFunction>
CompiledFunction::compile(ModuleOp module, StringRef entry,
                          const JitOptions &options) {
  FloatEnvironment floats; // for constants
  FailureOr<func::FuncOp> found = findEntry(module, entry);
  if (failed(found))
    return failure();
  auto signature = getSignature(*found);
  if (failed(signature))
    return failure();
  Location loc = found->getLoc();
  llvm::Expected<Processor> processor = Processor::find(options.cpu);
  if (!processor)
    return emitFailure(loc, "compile", entry, processor.takeError());
  if (std::string missing = processor->getMissingOnHost(); !missing.empty())
    return emitError(loc) << "cannot run code for '" << options.cpu
                          << "' here: this machine has no '" << missing << "'";
  KeptConstants constants;
  FailureOr<OwningOpRef<ModuleOp>> clone =
      cloneEntry(module, entry, options, *processor, constants);
  if (failed(clone))
    return failure();
  const bool isTimed =
      isTimedByShape(**clone, (*clone)->lookupSymbol<func::FuncOp>(kEntryName));
  FailureOr<CachedCode> object =
      compileEntry(**clone, entry, options, *processor);
  if (failed(object))
    return failure();

  SmallVector<std::pair<std::string, void *>> symbols = getRuntimeSymbols();
  llvm::append_range(symbols, options.symbols);
  llvm::append_range(symbols, constants.getSymbols());
  auto code = LoadedCode::load(std::move(object->objects), symbols,
                               object->libraries, std::move(constants));
  if (!code)
    return emitFailure(loc, "link", entry, code.takeError());
  llvm::Expected<void *> function = code->lookup(kWrapperName);
  if (!function)
    return emitFailure(loc, "link", entry, function.takeError());

  CompiledFunction result;
  result.weightNumbers = findWeights(*found, options);
  if (!object->panels.empty()) {
    llvm::Expected<void *> pack = code->lookup(kPackWrapperName);
    if (!pack)
      return emitFailure(loc, "link", entry, pack.takeError());
    result.weights = std::make_unique<KeptWeights>(
        reinterpret_cast<void (*)(void **)>(*pack), result.weightNumbers,
        object->panels);
  }
  std::tie(result.inputTypes, result.resultTypes) = std::move(*signature);
  result.code = std::make_unique<LoadedCode>(std::move(*code));
  result.pool = std::make_shared<BufferPool>();
  if (auto kernels = (**clone)->getAttrOfType<ArrayAttr>(kProfiledKernels))
    for (auto kernel : kernels.getAsRange<DictionaryAttr>())
      result.kernels.push_back(
          {kernel.getAs<StringAttr>("name").str(),
           kernel.getAs<StringAttr>("location").str(),
           kernel.getAs<IntegerAttr>("operations").getInt(),
           kernel.getAs<IntegerAttr>("bytes").getInt()});
  result.fromCache = object->isFound;
  result.timedByShapes = isTimed;
  result.threads = options.parallelize ? options.threads : 1;
  result.function = reinterpret_cast<void (*)(void **)>(*function);
  // Constants are packed now, and only their panels are kept.
  if (result.weights && result.weightNumbers.empty()) {
    auto panels = result.weights->get({}, nullptr, result.pool, result.threads);
    if (!panels)
      return emitFailure(loc, "pack the constants of", entry,
                         panels.takeError());
    result.code->dropConstants(object->packedConstants);
  }
  return result;
}

FailureOr<SmallVector<size_t>>
CompiledFunction::compileFor(ModuleOp module, StringRef entry,
                             ArrayRef<std::string> cpus,
                             const JitOptions &options) {
  FailureOr<func::FuncOp> found = findEntry(module, entry);
  if (failed(found) || failed(getSignature(*found)))
    return failure();
  Location loc = found->getLoc();
  SmallVector<Processor> processors;
  for (StringRef cpu : cpus) {
    llvm::Expected<Processor> processor = Processor::find(cpu);
    if (!processor)
      return emitFailure(loc, "compile", entry, processor.takeError());
    processors.push_back(std::move(*processor));
  }
  SmallVector<size_t> sizes;
  // Each is planned for by its own vectors.
  for (const Processor &processor : processors) {
    KeptConstants constants;
    FailureOr<OwningOpRef<ModuleOp>> clone =
        cloneEntry(module, entry, options, processor, constants);
    SmallVector<SmallVector<int64_t>> panels;
    if (failed(clone) || failed(lowerEntry(**clone, entry, options, panels)))
      return failure();
    auto objects =
        emitObjects(**clone, getEntries(**clone), processor, options.optLevel,
                    /*threads=*/1);
    if (!objects)
      return emitFailure(loc, "compile", entry, objects.takeError());
    sizes.push_back(objects->front()->getBufferSize());
  }
  return sizes;
}
