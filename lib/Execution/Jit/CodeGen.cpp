//===- CodeGen.cpp - Machine code from the LLVM dialect -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. translate to LLVM IR, add the wrapper;
//   2. share the functions out to threads, which optimise and generate code under
//      LLVM's crash recovery. LLVM reports an impossibility through a handler of the
//      process, which leaves that thread by longjmp; what it held is leaked,
//      since its state is not known any more.
//   3. link the objects. Linking does not compile, so it fails by errors only.
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"
#include "ShortLoops.h"
#include "TensorAccess/Core/HostMachine.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/Core/Target.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Scalar/LoopLoadElimination.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

static void initializeTargets() {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
}

static std::unique_ptr<llvm::MCSubtargetInfo>
createSubtarget(const llvm::Triple &triple, StringRef cpu, StringRef features) {
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, cpu, features));
}

/// What LLVM knows of this processor, except for tiles that the system doesn't allow.
static llvm::StringMap<bool> getHostFeatures() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (auto &feature : features)
    if (feature.getKey().starts_with("amx-"))
      feature.second &=
          llvm::is_contained(getHostMachine().features, "amx-tile");
  return features;
}

Processor Processor::host() {
  std::string features;
  for (const auto &[feature, isThere] : getHostFeatures())
    features +=
        (Twine(features.empty() ? "" : ",") + (isThere ? "+" : "-") + feature)
            .str();
  return {"host", llvm::sys::getProcessTriple(),
          llvm::sys::getHostCPUName().str(), features};
}

llvm::Expected<Processor> Processor::find(StringRef name) {
  if (name == "host")
    return host();
  initializeTargets();
  for (const std::string &triple :
       {llvm::sys::getProcessTriple(), std::string("x86_64-linux-gnu"),
        std::string("aarch64-linux-gnu")}) {
    // LLVM prints an unknown name to stderr if it is asked for directly.
    std::unique_ptr<llvm::MCSubtargetInfo> any =
        createSubtarget(llvm::Triple(triple), "", "");
    if (any && any->isCPUStringValid(name))
      return Processor{name.str(), triple, name.str(), ""};
  }
  return llvm::createStringError(
      "'" + name +
      "' is not a processor that LLVM knows (such as host, "
      "x86-64-v3, znver4, neoverse-v2)");
}

bool Processor::hasFeature(StringRef feature) const {
  initializeTargets();
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget =
      createSubtarget(llvm::Triple(triple), cpu, features);
  return subtarget &&
         llvm::any_of(subtarget->getEnabledProcessorFeatures(),
                      [&](const auto &has) { return has.Key == feature; });
}

std::string Processor::getMissingOnHost() const {
  if (name == "host")
    return "";
  llvm::Triple here(llvm::sys::getProcessTriple()), there(triple);
  if (here.getArch() != there.getArch())
    return there.getArchName().str();
  initializeTargets();
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget =
      createSubtarget(there, cpu, features);
  llvm::StringMap<bool> features = getHostFeatures();
  if (subtarget)
    for (const auto &feature : subtarget->getEnabledProcessorFeatures())
      // What the host does not report is about tuning, not instructions.
      if (auto found = features.find(feature.Key);
          found != features.end() && !found->second)
        return feature.Key;
  return "";
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
Processor::createTargetMachine(unsigned optLevel) const {
  initializeTargets();
  std::string error;
  llvm::Triple target(triple);
  const llvm::Target *backEnd =
      llvm::TargetRegistry::lookupTarget(target, error);
  if (!backEnd)
    return llvm::createStringError(error);
  std::unique_ptr<llvm::TargetMachine> machine(backEnd->createTargetMachine(
      target, cpu, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      llvm::CodeModel::Small,
      static_cast<llvm::CodeGenOptLevel>(std::min(optLevel, 3u)),
      /*JIT=*/true));
  if (!machine)
    return llvm::createStringError("there is no code generator for " + triple);
  return std::move(machine);
}

//===----------------------------------------------------------------------===//
// Step 1: LLVM IR
//===----------------------------------------------------------------------===//

/// Adds `void wrapper(void **list)`, which calls `callee`.
static void addWrapper(llvm::Function &callee, StringRef name) {
  llvm::LLVMContext &context = callee.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *wrapper = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer},
                              /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, name, callee.getParent());
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(context, "entry", wrapper));
  unsigned next = 0;
  auto nextAddress = [&] {
    return builder.CreateLoad(
        pointer,
        builder.CreateConstGEP1_64(pointer, wrapper->getArg(0), next++));
  };
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : callee.args())
    arguments.push_back(builder.CreateLoad(argument.getType(), nextAddress()));
  llvm::CallInst *result = builder.CreateCall(&callee, arguments);
  if (!result->getType()->isVoidTy())
    builder.CreateStore(result, nextAddress());
  builder.CreateRetVoid();
  // A model has thousands of arguments, of which it may use few.
  llvm::InlineFunctionInfo info;
  if (llvm::InlineFunction(*result, info).isSuccess() && callee.use_empty())
    callee.eraseFromParent();
}

/// Loops take vectors as wide as kernels do, where LLVM prefers narrower ones.
static void preferWideVectors(llvm::Module &module,
                              const Processor &processor) {
  if (!processor.hasFeature("avx512f"))
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("prefer-vector-width", "512");
}

/// Leaves long lists of instructions as they are: a model's function is calls
/// of its loop nests, and its wrappers pass thousands of arguments. There is
/// nothing to gain, and code generation takes quadratic time in their stores.
static void keepLongLists(llvm::Module &module) {
  constexpr size_t kLong = 1000;
  for (llvm::Function &function : module) {
    if (function.size() != 1 || function.front().size() < kLong ||
        !llvm::isa<llvm::ReturnInst>(function.front().getTerminator()))
      continue;
    function.addFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::OptimizeNone);
  }
}

/// The passes that loops still gain from: their forms, invariants, what is loaded
/// twice, vectors where kernels have none of their own, unrolling. LLVM's own list for
/// this level takes three times as long, and makes nothing faster of kernels.
static constexpr StringLiteral kPasses =
    "function<eager-inv>("
    "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop(loop-idiom,indvars,loop-deletion),gvn,short-loops,loop-vectorize,"
    "small-loop-loads,"
    "instcombine<no-verify-fixpoint>,simplifycfg,keep-large-loops,"
    "loop-unroll<O2>,loop-mssa(licm),early-cse,"
    "simplifycfg,count),globaldce";

namespace {
/// Loops of so many instructions are kernels, which are unrolled as they were planned
/// and keep in registers what they read again.
constexpr size_t kLargeLoop = 64;

size_t getSize(const llvm::Loop &loop) {
  size_t size = 0;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &each : *block)
      // A fill or copy of a few bytes becomes many stores.
      size += llvm::isa<llvm::MemIntrinsic>(each) ? kLargeLoop : 1;
  return size;
}

/// Leaves large loops as they are. LLVM unrolls to what it thinks that a processor
/// keeps decoded, which of some is 512 instructions.
struct KeepLargeLoops : llvm::PassInfoMixin<KeepLargeLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses) {
    for (llvm::Loop *loop :
         analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
      if (getSize(*loop) >= kLargeLoop)
        loop->setLoopAlreadyUnrolled();
    return llvm::PreservedAnalyses::all();
  }
};

/// LLVM's pass in functions with a small loop. It compares all places that a loop
/// reads and writes.
struct SmallLoopLoads : llvm::PassInfoMixin<SmallLoopLoads> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses) {
    for (llvm::Loop *loop :
         analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
      if (loop->isInnermost() && getSize(*loop) < kLargeLoop)
        return llvm::LoopLoadEliminationPass().run(function, analyses);
    return llvm::PreservedAnalyses::all();
  }
};

/// Counts the functions that passes are done with.
struct CountFunction : llvm::PassInfoMixin<CountFunction> {
  explicit CountFunction(llvm::function_ref<void()> count) : count(count) {}
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &) {
    count();
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  llvm::function_ref<void()> count;
};

/// The same among the passes that generate code.
struct CountGenerated : llvm::FunctionPass {
  explicit CountGenerated(llvm::function_ref<void()> count)
      : FunctionPass(ID), count(count) {}
  bool runOnFunction(llvm::Function &) override {
    count();
    return false;
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }
  static char ID;
  llvm::function_ref<void()> count;
};
char CountGenerated::ID = 0;
} // namespace

static llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine,
                            unsigned optLevel,
                            llvm::function_ref<void()> count) {
  if (optLevel < 2)
    return makeOptimizingTransformer(optLevel, /*sizeLevel=*/0,
                                     &machine)(&module);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerPipelineParsingCallback(
      [&](StringRef name, llvm::FunctionPassManager &manager,
          ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name == "count")
          manager.addPass(CountFunction(count));
        else if (name == "keep-large-loops")
          manager.addPass(KeepLargeLoops());
        else if (name == "short-loops")
          manager.addPass(ShortLoops());
        else if (name == "small-loop-loads")
          manager.addPass(SmallLoopLoads());
        else
          return false;
        return true;
      });
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, kPasses))
    return error;
  passes.run(module, modules);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Step 2: what may end the process elsewhere
//===----------------------------------------------------------------------===//

/// Where a fatal error of this thread is written down; null if none is
/// expected.
static thread_local std::string *fatalMessage = nullptr;

static void onFatalError(void *, const char *message, bool) {
  llvm::CrashRecoveryContext *recovery =
      llvm::CrashRecoveryContext::GetCurrent();
  if (fatalMessage && recovery) {
    *fatalMessage = message;
    recovery->HandleExit(1);
  }
  // Another thread's, which ends the process as it would without a handler.
  llvm::errs() << "LLVM ERROR: " << message << '\n';
}

/// Runs what may meet a fatal error of LLVM's. False where it did not return;
/// then `message` is the reason, and what the code worked on must not be touched.
static bool runGuarded(std::string &message, llvm::function_ref<void()> code) {
  static std::once_flag installed;
  std::call_once(installed, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(onFatalError);
    llvm::CrashRecoveryContext::Enable();
  });
  // Long expressions take deep recursion.
  constexpr unsigned kStackBytes = 64 << 20;
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafelyOnThread(
          [&] {
            fatalMessage = &message;
            code();
          },
          kStackBytes))
    return true;
  if (message.empty())
    message = "the code generator crashed";
  return false;
}

namespace {
/// Errors of LLVM IR, which by default end the process.
struct KeepErrors : public llvm::DiagnosticHandler {
  explicit KeepErrors(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (!StringRef(errors).contains(text))
      errors += (errors.empty() ? "" : "; ") + text;
    return true;
  }
  std::string &errors;
};
} // namespace

namespace {
/// A part of a program, and what becomes of it.
struct Part {
  Part() {
    context->setDiagnosticHandler(std::make_unique<KeepErrors>(errors));
  }
  void generate(unsigned optLevel, llvm::function_ref<void()> count);

  std::string errors, message;
  std::unique_ptr<llvm::LLVMContext> context =
      std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> program;
  std::unique_ptr<llvm::TargetMachine> machine;
  SmallVector<char, 0> object;
  bool isUnsupported = false, isFinished = false;
};
} // namespace

void Part::generate(unsigned optLevel, llvm::function_ref<void()> count) {
  if (llvm::Error error = optimize(*program, *machine, optLevel, count)) {
    errors += llvm::toString(std::move(error));
    return;
  }
  keepLongLists(*program);
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  isUnsupported = machine->addPassesToEmitFile(
      passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  passes.add(new CountGenerated(count));
  if (!isUnsupported)
    passes.run(*program);
}

/// Takes the functions of the first part apart into at most so many parts of about
/// the same size, which find each other by name. Constants are in all.
static llvm::Error takeApart(std::vector<std::unique_ptr<Part>> &parts,
                             size_t most) {
  // Instructions that take longer than to read and write a part.
  constexpr size_t kLeast = 500;
  llvm::Module &program = *parts.front()->program;
  SmallVector<std::pair<size_t, std::string>> functions;
  size_t total = 0;
  for (llvm::Function &function : program)
    if (!function.isDeclaration()) {
      functions.emplace_back(function.getInstructionCount(),
                             function.getName());
      total += functions.back().first;
    }
  llvm::sort(functions, std::greater<>());
  if (functions.empty() || total - functions.front().first < kLeast || most < 2)
    return llvm::Error::success();
  SmallVector<size_t> sizes(
      std::min(most, (total - functions.front().first) / kLeast + 1));
  llvm::StringMap<size_t> places;
  for (const auto &[size, name] : functions) {
    auto smallest = llvm::min_element(sizes);
    *smallest += size;
    places[name] = smallest - sizes.begin();
  }

  for (llvm::GlobalValue &global : program.global_values()) {
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
    if (!global.hasLocalLinkage() || (variable && variable->isConstant()))
      continue;
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    global.setDSOLocal(false);
  }
  SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(program, stream);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i != 0) {
      Part &part = *parts.emplace_back(std::make_unique<Part>());
      auto read = llvm::getLazyBitcodeModule(
          {StringRef(bitcode.data(), bitcode.size()), "tensoraccess"},
          *part.context);
      if (!read)
        return read.takeError();
      part.program = std::move(*read);
      for (llvm::GlobalVariable &variable : part.program->globals())
        if (!variable.hasLocalLinkage())
          variable.setInitializer(nullptr);
    }
    for (llvm::Function &function : *parts[i]->program)
      if (auto found = places.find(function.getName());
          found != places.end() && found->second != i)
        function.deleteBody();
    if (llvm::Error error = parts[i]->program->materializeAll())
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<std::unique_ptr<llvm::MemoryBuffer>>>
mlir::tensoraccess::emitObjects(
    ModuleOp module, ArrayRef<Entry> entries, const Processor &processor,
    unsigned optLevel, unsigned threads,
    function_ref<void(function_ref<void()>)> withoutContext) {
  std::vector<std::unique_ptr<Part>> parts;
  Part &first = *parts.emplace_back(std::make_unique<Part>());
  first.program = translateModuleToLLVMIR(module, *first.context);
  if (!first.program || llvm::any_of(entries, [&](const Entry &entry) {
        return !first.program->getFunction(entry.function);
      }))
    return llvm::createStringError("it cannot be translated to LLVM IR");
  auto machine = processor.createTargetMachine(optLevel);
  if (!machine)
    return machine.takeError();
  first.machine = std::move(*machine);
  first.program->setDataLayout(first.machine->createDataLayout());
  first.program->setTargetTriple(first.machine->getTargetTriple());
  for (const Entry &entry : entries)
    addWrapper(*first.program->getFunction(entry.function), entry.wrapper);
  preferWideVectors(*first.program, processor);
  const int64_t numFunctions = llvm::count_if(
      *first.program, [](llvm::Function &f) { return !f.isDeclaration(); });

  ProgressSteps steps("functions", 2 * numFunctions);
  std::atomic<int64_t> done = 0;
  auto count = [&] { steps.set(++done); };
  auto run = [&](Part &part) {
    // On a thread of its own. Each function is optimized, then generated.
    part.isFinished =
        runGuarded(part.message, [&] { part.generate(optLevel, count); });
  };
  std::string problem;
  auto generate = [&] {
    // What LLVM does between functions, it does at levels that these passes are not.
    if (optLevel >= 2)
      if (llvm::Error error = takeApart(
              parts,
              std::min(threads,
                       llvm::hardware_concurrency().compute_thread_count()))) {
        problem = llvm::toString(std::move(error));
        return;
      }
    for (std::unique_ptr<Part> &part : llvm::drop_begin(parts)) {
      auto another = processor.createTargetMachine(optLevel);
      if (!another) {
        problem = llvm::toString(another.takeError());
        return;
      }
      part->machine = std::move(*another);
    }
    std::vector<std::thread> others;
    for (std::unique_ptr<Part> &part : llvm::drop_begin(parts))
      others.emplace_back(run, std::ref(*part));
    run(first);
    for (std::thread &other : others)
      other.join();
  };
  if (withoutContext)
    withoutContext(generate);
  else
    generate();

  SmallVector<std::unique_ptr<llvm::MemoryBuffer>> objects;
  for (std::unique_ptr<Part> &part : parts) {
    if (!problem.empty())
      break;
    if (!part->isFinished)
      problem = part->message;
    else if (part->isUnsupported)
      problem = "there is no object code for " + processor.triple;
    else
      problem = part->errors;
    objects.push_back(std::make_unique<llvm::SmallVectorMemoryBuffer>(
        std::move(part->object), "tensoraccess",
        /*RequiresNullTerminator=*/false));
  }
  if (problem.empty())
    return std::move(objects);
  // Some may be left in the middle of something.
  for (std::unique_ptr<Part> &part : parts)
    if (part->machine && !part->isFinished)
      (void)part.release();
  return llvm::createStringError(
      (processor.name == "host" ? "" : "for " + processor.name + ": ") +
      problem);
}

//===----------------------------------------------------------------------===//
// Step 3: linking
//===----------------------------------------------------------------------===//

LoadedCode::LoadedCode() = default;
LoadedCode::LoadedCode(LoadedCode &&) = default;
LoadedCode &LoadedCode::operator=(LoadedCode &&) = default;
LoadedCode::~LoadedCode() = default;

llvm::Expected<LoadedCode>
LoadedCode::load(SmallVector<std::unique_ptr<llvm::MemoryBuffer>> objects,
                 ArrayRef<std::pair<std::string, void *>> symbols,
                 ArrayRef<std::string> libraries, KeptConstants constants) {
  initializeTargets();
  llvm::orc::JITTargetMachineBuilder machine{
      llvm::Triple(llvm::sys::getProcessTriple())};
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(machine))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit.takeError();
  LoadedCode code;
  code.jit = std::move(*jit);
  code.errors = std::make_unique<std::string>();
  code.constants = std::move(constants);
  code.jit->getExecutionSession().setErrorReporter(
      [errors = code.errors.get()](llvm::Error error) {
        *errors += llvm::toString(std::move(error)) + "; ";
      });
  llvm::orc::JITDylib &main = code.jit->getMainJITDylib();

  llvm::orc::SymbolMap map;
  for (const auto &[name, address] : symbols)
    map[code.jit->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported};
  if (llvm::Error error =
          main.define(llvm::orc::absoluteSymbols(std::move(map))))
    return std::move(error);
  char prefix = code.jit->getDataLayout().getGlobalPrefix();
  for (const std::string &path : libraries) {
    // Not by LLVM's own way, which gives the symbols of libLLVM.so to all that is
    // loaded later: other libraries have one of their own inside.
    void *library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!library)
      return llvm::createStringError(dlerror());
    main.addGenerator(
        std::make_unique<llvm::orc::DynamicLibrarySearchGenerator>(
            llvm::sys::DynamicLibrary(library), prefix));
  }
  auto process =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  main.addGenerator(std::move(*process));
  for (std::unique_ptr<llvm::MemoryBuffer> &object : objects)
    if (llvm::Error error = code.jit->addObjectFile(std::move(object)))
      return std::move(error);
  return std::move(code);
}

llvm::Expected<void *> LoadedCode::lookup(StringRef name) const {
  auto address = jit->lookup(name);
  // What the session reports is more than the error that comes back.
  if (!address)
    return llvm::createStringError(std::exchange(*errors, std::string()) +
                                   llvm::toString(address.takeError()));
  return address->toPtr<void *>();
}
