//===- StableHloText.cpp - Dialects that read and print StableHLO ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One class a namespace. The dialects have no ops: what they read is not
// registered, and its attributes and types are opaque, with the text that they
// had, as they are in a context that does not know the dialect. What MLIR asks
// ops is answered by name: what their results are called, whether they have
// effects, and whether they can be inlined.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloText.h"
#include "HloForm.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// What values are called where nothing else is asked for.
struct ValueNames : OpAsmOpInterface::FallbackModel<ValueNames> {
  void getAsmResultNames(Operation *op, OpAsmSetValueNameFn setName) const {
    const HloForm *form = findHloForm(op->getName().getStringRef());
    if (!form || form->results.size() != op->getNumResults())
      return;
    for (auto [result, name] : llvm::zip_equal(op->getResults(), form->results))
      setName(result, name == "cst" && isa<IntegerType>(getElementTypeOrSelf(
                                           result.getType()))
                          ? "c"
                          : name);
  }
  void getAsmBlockArgumentNames(Operation *op, Region &region,
                                OpAsmSetValueNameFn setName) const {
    StringRef name = op->getName().getStringRef();
    // Both regions of a while get the same names: its form has them once.
    if (name == "stablehlo.while")
      for (BlockArgument argument : region.getArguments())
        setName(argument, "iterArg");
    if (name != "chlo.scan")
      return;
    auto sizes =
        dyn_cast_or_null<DenseI32ArrayAttr>(op->getAttr("operandSegmentSizes"));
    int64_t numInputs = sizes && !sizes.empty() ? sizes[0] : 0;
    for (BlockArgument argument : region.getArguments())
      setName(argument,
              argument.getArgNumber() < numInputs ? "input" : "carry");
  }
  void getAsmBlockNames(Operation *, OpAsmSetBlockNameFn) const {}
  static StringRef getDefaultDialect() { return ""; }
};

/// Whether an op and what is in its regions have no effects.
bool isPureWithRegions(Operation *op) {
  auto isPure = [&](Operation *inner) {
    bool isKnown = inner->isRegistered() ? isMemoryEffectFree(inner)
                                         : isPureHlo(inner, inner == op);
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !op->walk(isPure).wasInterrupted();
}

/// For ops whose rows mark them as pure.
struct Effects : MemoryEffectOpInterface::FallbackModel<Effects> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) const {
    // What a region does is not known otherwise.
    if (!isPureWithRegions(op))
      effects.append({{MemoryEffects::Read::get()},
                      {MemoryEffects::Write::get()},
                      {MemoryEffects::Allocate::get()},
                      {MemoryEffects::Free::get()}});
  }
};

/// Erases pure ops without users: MLIR does not, since an op that is not
/// registered may be a terminator.
struct EraseDead : RewritePattern {
  EraseDead(MLIRContext *context, const Dialect *dialect)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        dialect(dialect) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getDialect() != dialect || !op->use_empty() || !op->getBlock() ||
        op == &op->getBlock()->back() || !isPureWithRegions(op))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

  const Dialect *dialect;
};

/// Ops may be inlined, and functions into their regions, but for an op that may
/// be the end of a function.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *, bool,
                       IRMapping &) const override {
    return op != &op->getBlock()->back() ||
           !isa_and_present<FunctionOpInterface>(op->getParentOp());
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
};

class TextDialect : public Dialect {
public:
  TextDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    addInterfaces<Inliner>();
  }

  std::optional<ParseOpHook>
  getParseOperationHook(StringRef opName) const override {
    return ParseOpHook(parseOperation);
  }
  llvm::unique_function<void(Operation *, OpAsmPrinter &)>
  getOperationPrinter(Operation *op) const override {
    const HloForm *form = findHloForm(op->getName().getStringRef());
    if (!form || form->elements.empty() || !fitsHloForm(*form, op))
      return nullptr;
    return [form](Operation *op, OpAsmPrinter &printer) {
      printHloForm(*form, op, printer);
    };
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    // One attribute, however its lines are broken.
    std::string text;
    bool isQuoted = false;
    for (char c : parser.getFullSymbolSpec()) {
      isQuoted ^= c == '"' && (text.empty() || text.back() != '\\');
      const bool isBlank = !isQuoted && (c == ' ' || c == '\n' || c == '\t');
      if (isBlank && (text.empty() || StringRef(" <[").contains(text.back())))
        continue;
      if (!isQuoted && (c == '>' || c == ']') && !text.empty() &&
          text.back() == ' ')
        text.pop_back();
      text += isBlank ? ' ' : c;
    }
    // Bounds have two notations, and a tensor's type one encoding.
    StringRef bounds = text;
    if (bounds.consume_front("type_extensions<bounds = [") &&
        bounds.consume_back("]>"))
      text = ("bounds<" + bounds + ">").str();
    return OpaqueAttr::getChecked(
        [&] { return parser.emitError(parser.getNameLoc()); },
        StringAttr::get(getContext(), getNamespace()), text,
        type ? type : NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::getChecked(
        [&] { return parser.emitError(parser.getNameLoc()); },
        StringAttr::get(getContext(), getNamespace()),
        parser.getFullSymbolSpec());
  }

  void *getRegisteredInterfaceForOp(TypeID id, OperationName name) override {
    if (id == OpAsmOpInterface::getInterfaceID())
      return &valueNames;
    if (id != MemoryEffectOpInterface::getInterfaceID())
      return nullptr;
    const HloTraits *traits = getHloTraits(name.stripDialect());
    return traits && traits->isPure ? &effects : nullptr;
  }
  void getCanonicalizationPatterns(RewritePatternSet &patterns) const override {
    patterns.add<EraseDead>(getContext(), this);
  }

private:
  static ParseResult parseOperation(OpAsmParser &parser,
                                    OperationState &result) {
    StringRef name = result.name.getStringRef();
    const HloForm *form = findHloForm(name);
    if (!form || form->elements.empty())
      return parser.emitError(parser.getNameLoc())
             << "'" << name << "' has no form of its own: expected \"" << name
             << "\"(OPERANDS) ... : TYPE";
    return parseHloForm(*form, parser, result);
  }

  ValueNames valueNames;
  Effects effects;
};

struct StableHloDialect : TextDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StableHloDialect)
  explicit StableHloDialect(MLIRContext *context)
      : TextDialect(getDialectNamespace(), context,
                    TypeID::get<StableHloDialect>()) {}
  static StringRef getDialectNamespace() { return "stablehlo"; }
};

struct ChloDialect : TextDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChloDialect)
  explicit ChloDialect(MLIRContext *context)
      : TextDialect(getDialectNamespace(), context,
                    TypeID::get<ChloDialect>()) {}
  static StringRef getDialectNamespace() { return "chlo"; }
};

struct ShardyDialect : TextDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShardyDialect)
  explicit ShardyDialect(MLIRContext *context)
      : TextDialect(getDialectNamespace(), context,
                    TypeID::get<ShardyDialect>()) {}
  static StringRef getDialectNamespace() { return "sdy"; }
};

} // namespace

template <typename T>
static void insertIfAbsent(DialectRegistry &registry) {
  if (!registry.getDialectAllocator(T::getDialectNamespace()))
    registry.insert<T>();
}

void tensoraccess::registerStableHloText(DialectRegistry &registry) {
  insertIfAbsent<StableHloDialect>(registry);
  insertIfAbsent<ChloDialect>(registry);
  insertIfAbsent<ShardyDialect>(registry);
}
