//===- HloImporter.cpp - Functions, regions and constants -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloImporter.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Computations that call one another deeper than this are refused.
static constexpr unsigned kDeepest = 512;
/// Constants without values that a function takes as arguments.
static constexpr size_t kMostElided = 1 << 16;
/// Instructions, those of regions each time that they are inlined.
static constexpr size_t kMostImported = 1 << 22;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether a computation is what these ops call, and no region.
static bool isCall(StringRef opcode) {
  return opcode == "async-start" || opcode == "call" || opcode == "fusion" ||
         opcode == "call-start" || opcode == "fusion-start";
}

FailureOr<const std::vector<HloImporter::Elided> *>
HloImporter::findElided(const HloComputation &computation, unsigned depth) {
  if (auto it = elidedOf.find(&computation); it != elidedOf.end())
    return &it->second;
  if (depth > kDeepest)
    return fail(computation.getRoot().getPlace(),
                "computations call one another more than " + Twine(kDeepest) +
                    " deep");
  std::vector<Elided> all;
  for (const HloInstruction &instruction : computation.instructions) {
    if (instruction.opcode == "constant") {
      if (!instruction.inner.contains("..."))
        continue;
      SmallVector<Type> types;
      if (failed(getTypes(instruction.shape, types)))
        return failure();
      for (Type type : types)
        all.push_back({instruction.name.str(), type});
      continue;
    }
    // Of these nothing is imported.
    if (isKept(instruction.opcode) ||
        instruction.opcode.starts_with("custom-call"))
      continue;
    for (StringRef key : kComputations) {
      std::optional<StringRef> value = instruction.get(key);
      if (!value)
        continue;
      for (StringRef name : splitList(stripBraces(*value))) {
        const HloComputation *other = text.find(name);
        if (!other)
          continue;
        auto inner = findElided(*other, depth + 1);
        if (failed(inner))
          return failure();
        for (const Elided &constant : **inner)
          all.push_back(
              {(instruction.name + "/" + constant.name).str(), constant.type});
      }
    }
    if (all.size() > kMostElided)
      return fail(instruction.getPlace(), "more than " + Twine(kMostElided) +
                                              " constants without values");
  }
  return &elidedOf.try_emplace(&computation, std::move(all)).first->second;
}

FailureOr<const HloComputation *>
HloImporter::getComputationAt(StringRef name) {
  const HloComputation *found = text.find(name.trim());
  if (!found)
    return fail(name.data(), "no computation '" + name + "'");
  return found;
}

FailureOr<const HloComputation *>
HloImporter::getComputation(const Call &call, StringRef attribute) {
  std::optional<StringRef> name = call.instruction.get(attribute);
  if (!name)
    return fail(call, "'" + call.instruction.opcode + "' must have '" +
                          attribute + "'");
  return getComputationAt(*name);
}

LogicalResult HloImporter::importFunction(const HloComputation &computation) {
  SmallVector<Type> inputs, outputs;
  SmallVector<Location> places;
  SmallVector<const HloInstruction *> parameters;
  for (const HloInstruction &instruction : computation.instructions) {
    if (instruction.opcode != "parameter")
      continue;
    unsigned number;
    if (instruction.inner.getAsInteger(10, number) || number > (1u << 20))
      return fail(instruction.inner.data(),
                  "expected the number of a parameter, found '" +
                      instruction.inner + "'");
    if (parameters.size() <= number)
      parameters.resize(number + 1);
    if (parameters[number])
      return fail(instruction.getPlace(),
                  "a second parameter " + Twine(number));
    parameters[number] = &instruction;
  }
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    if (!parameter)
      return fail(computation.getRoot().getPlace(), "'" + computation.name +
                                                        "' has no parameter " +
                                                        Twine(number));
    if (failed(getTypes(parameter->shape, inputs)))
      return failure();
    places.resize(inputs.size(), getLocation(*parameter));
  }
  auto found = findElided(computation, 0);
  if (failed(found) || failed(getTypes(computation.getRoot().shape, outputs)))
    return failure();
  const std::vector<Elided> &constants = **found;
  const size_t numParameters = inputs.size();
  for (const Elided &constant : constants)
    inputs.push_back(constant.type);
  places.resize(inputs.size(), b.getLoc());

  std::string name = computation.isEntry ? "main" : computation.name.str();
  while (!computation.isEntry && (name == "main" || names.contains(name)))
    name += "_0";
  names.insert(name);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  Location location = reporter.getLocation(computation.getRoot().getPlace());
  auto function = func::FuncOp::create(b, location, name,
                                       b.getFunctionType(inputs, outputs));
  if (!computation.isEntry)
    function.setPrivate();
  functions[&computation] = function;
  for (auto [i, constant] : llvm::enumerate(constants))
    function.setArgAttr(numParameters + i, kElidedLiteral,
                        b.getStringAttr(constant.name));
  unsigned argument = 0;
  for (const HloInstruction *parameter : parameters) {
    Frame frame{computation, {}, {}};
    Call call{*parameter, frame, {}, {}, {}, {}};
    addOthers(call);
    auto shardings = getShardings(*parameter);
    if (failed(shardings))
      return failure();
    for (unsigned i = 0, e = parameter->shape.countLeaves(); i < e; ++i) {
      for (NamedAttribute attribute : call.others)
        function.setArgAttr(argument, attribute.getName(),
                            attribute.getName() == kMhloSharding
                                ? b.getStringAttr((*shardings)[i])
                                : attribute.getValue());
      ++argument;
    }
  }
  auto shardings = getShardings(computation.getRoot());
  if (failed(shardings))
    return failure();
  for (auto [i, sharding] : llvm::enumerate(*shardings))
    function.setResultAttr(i, kMhloSharding, b.getStringAttr(sharding));
  Block *block = function.addEntryBlock();
  for (auto [argument, place] : llvm::zip_equal(block->getArguments(), places))
    argument.setLoc(place);
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments(block->getArguments());
  // A function that is made on the way has its own.
  const ArrayRef<Value> outerElided = elided;
  const size_t outerNext = nextElided;
  const unsigned outerDepth = depth;
  depth = 0;
  elided = ArrayRef(arguments).drop_front(numParameters);
  nextElided = 0;
  FailureOr<Values> results =
      importBody(computation, ArrayRef(arguments).take_front(numParameters));
  if (succeeded(results)) {
    b.setLoc(location);
    func::ReturnOp::create(b, *results);
  }
  elided = outerElided;
  nextElided = outerNext;
  depth = outerDepth;
  return success(succeeded(results));
}

FailureOr<HloImporter::Values>
HloImporter::importBody(const HloComputation &computation,
                        ArrayRef<Value> arguments) {
  Frame frame{computation, {}, {}};
  frame.values.resize(computation.instructions.size());
  SmallVector<unsigned> counts;
  for (const HloInstruction &instruction : computation.instructions) {
    unsigned number;
    if (instruction.opcode != "parameter" ||
        instruction.inner.getAsInteger(10, number) ||
        number > computation.instructions.size())
      continue;
    if (counts.size() <= number)
      counts.resize(number + 1, 0);
    counts[number] = instruction.shape.countLeaves();
  }
  unsigned sum = 0;
  for (unsigned count : counts) {
    frame.firstArrays.push_back(sum);
    sum += count;
  }
  for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
    Values results;
    if (failed(importInstruction(instruction, frame, arguments, results)))
      return failure();
    frame.values[i] = std::move(results);
  }
  return frame.values[computation.root];
}

LogicalResult HloImporter::importInstruction(const HloInstruction &instruction,
                                             Frame &frame,
                                             ArrayRef<Value> arguments,
                                             Values &results) {
  Call call{instruction, frame, {}, {}, {}, {}};
  StringRef opcode = instruction.opcode;
  if (++numImported > kMostImported)
    return fail(instruction.getPlace(),
                "more than " + Twine(kMostImported) +
                    " instructions, computations in regions inlined");
  if (opcode == "parameter") {
    unsigned number;
    if (instruction.inner.getAsInteger(10, number) ||
        number >= frame.firstArrays.size())
      return fail(instruction.getPlace(), "'" + frame.computation.name +
                                              "' has no parameter '" +
                                              instruction.inner + "'");
    const unsigned first = frame.firstArrays[number];
    const unsigned count = instruction.shape.countLeaves();
    if (first + count > arguments.size())
      return fail(instruction.getPlace(), "'" + frame.computation.name +
                                              "' takes more than it is given");
    llvm::append_range(results, arguments.slice(first, count));
    return failed(getTypes(instruction.shape, call.types))
               ? failure()
               : checkTypes(instruction, call.types, results, "is given");
  }
  b.setLoc(getLocation(instruction));
  if (opcode == "constant") {
    addOthers(call);
    return importConstant(call, results);
  }
  for (StringRef name : instruction.operands) {
    auto it = frame.computation.numbers.find(name);
    if (it == frame.computation.numbers.end() ||
        &frame.computation.instructions[it->second] >= &instruction)
      return fail(name.data(), "no instruction '" + name + "' before this one");
    llvm::append_range(call.operands, frame.values[it->second]);
  }
  if (failed(getTypes(instruction.shape, call.types)))
    return failure();
  addOthers(call);
  if (isCall(opcode))
    return success(
        succeeded(importCall(call, results)) &&
        (opcode.ends_with("-start") ||
         succeeded(checkTypes(instruction, call.types, results, "gives"))));
  // A pair of ops is one, where it begins.
  if (opcode.consume_back("-start") && failed(beginPair(call)))
    return failure();
  if (std::string name = findElementwise(opcode); !name.empty())
    return create(call, name, results);
  if (Handler handler = findHandler(opcode))
    return success(
        succeeded((this->*handler)(call, results)) &&
        (opcode.ends_with("-update") ||
         succeeded(checkTypes(instruction, call.types, results, "gives"))));
  if (!isKept(opcode))
    return fail(opcode.data(), "no opcode '" + opcode + "'");
  // What has no op of its own keeps its attributes as text.
  for (const HloAttribute &attribute : instruction.attributes)
    if (!llvm::is_contained({"metadata", "sharding", "frontend_attributes",
                             "control-predecessors"},
                            attribute.name))
      add(call, attribute.name, b.getStringAttr(attribute.value));
  const std::string name = getOpName("mhlo", opcode);
  return create(call, name, results);
}

static Type dropEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.dropEncoding()) : type;
}

LogicalResult HloImporter::checkTypes(const HloInstruction &instruction,
                                      TypeRange types, ArrayRef<Value> values,
                                      StringRef what) {
  if (types.size() != values.size())
    return fail(instruction.getPlace(), "'" + instruction.name + "' " + what +
                                            " " + Twine(values.size()) +
                                            " arrays, and its shape has " +
                                            Twine(types.size()));
  for (auto [i, type, value] : llvm::enumerate(types, values))
    if (dropEncoding(type) != dropEncoding(value.getType()))
      return fail(instruction.getPlace(),
                  "'" + instruction.name + "' " + what + " " +
                      debugString(value.getType()) + ", and its shape is " +
                      debugString(type));
  return success();
}

LogicalResult HloImporter::importConstant(Call &call, Values &results) {
  const HloInstruction &instruction = call.instruction;
  if (instruction.inner.contains("...")) {
    const unsigned count = instruction.shape.countLeaves();
    if (nextElided + count > elided.size())
      return fail(instruction.getPlace(), "a constant without its value");
    for (Value value : elided.slice(nextElided, count)) {
      auto argument = cast<BlockArgument>(value);
      auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
      for (NamedAttribute attribute : call.others)
        function.setArgAttr(argument.getArgNumber(), attribute.getName(),
                            attribute.getValue());
      results.push_back(value);
    }
    nextElided += count;
    return success();
  }
  StringRef rest = instruction.inner;
  if (failed(importLiteral(instruction.shape, rest, results, /*isLast=*/true)))
    return failure();
  if (!rest.trim().empty())
    return fail(rest.data(), "expected the end of a literal, found '" +
                                 rest.take_front(24) + "'");
  for (Value result : results)
    for (NamedAttribute attribute : call.others)
      result.getDefiningOp()->setAttr(attribute.getName(),
                                      attribute.getValue());
  return success();
}

LogicalResult HloImporter::importLiteral(const HloShape &shape,
                                         StringRef &literal, Values &results,
                                         bool isLast) {
  if (shape.isTuple()) {
    literal = literal.ltrim();
    if (!literal.consume_front("("))
      return fail(literal.data(), "expected '(' of a tuple");
    for (auto [i, part] : llvm::enumerate(shape.parts)) {
      literal = literal.ltrim();
      if (i > 0 && !literal.consume_front(","))
        return fail(literal.data(), "expected ',' between literals of a tuple");
      if (failed(importLiteral(part, literal, results, /*isLast=*/false)))
        return failure();
    }
    literal = literal.ltrim();
    return literal.consume_front(")")
               ? success()
               : fail(literal.data(), "expected ')' of a tuple");
  }
  FailureOr<Type> type = getType(shape);
  if (failed(type))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(*type);
  if (!tensor || !tensor.hasStaticShape())
    return fail(shape.place, "a constant must be an array of known sizes");
  FailureOr<DenseElementsAttr> value = getLiteral(
      literal,
      RankedTensorType::get(tensor.getShape(), tensor.getElementType()),
      isLast);
  if (failed(value))
    return failure();
  OperationState state(b.getLoc(), "stablehlo.constant");
  state.propertiesAttr = b.getDictionaryAttr(b.getNamedAttr("value", *value));
  state.addTypes(tensor);
  results.push_back(b.create(state)->getResult(0));
  return success();
}

LogicalResult HloImporter::create(
    Call &call, StringRef name, Values &results,
    llvm::function_ref<LogicalResult(OperationState &)> addRegions) {
  OperationState state(b.getLoc(), name);
  state.addOperands(call.operands);
  state.addTypes(call.types);
  if (!call.attributes.empty())
    state.propertiesAttr = b.getDictionaryAttr(call.attributes);
  state.addAttributes(call.others);
  if (addRegions && failed(addRegions(state)))
    return failure();
  b.setLoc(state.location);
  llvm::append_range(results, b.create(state)->getResults());
  return success();
}

LogicalResult HloImporter::importRegion(OperationState &state,
                                        const HloComputation &computation,
                                        TypeRange takes,
                                        ArrayRef<Value> captured) {
  OpBuilder::InsertionGuard guard(b);
  Region *region = state.addRegion();
  Block *block = b.createBlock(region);
  for (Type type : takes)
    block->addArgument(type, state.location);
  SmallVector<Value> arguments(captured);
  llvm::append_range(arguments, block->getArguments());
  if (depth > kDeepest)
    return fail(computation.name.data(),
                "regions are more than " + Twine(kDeepest) + " deep");
  ++depth;
  FailureOr<Values> results = importBody(computation, arguments);
  --depth;
  if (failed(results))
    return failure();
  OperationState end(state.location, "stablehlo.return");
  end.addOperands(*results);
  b.create(end);
  return success();
}

LogicalResult HloImporter::importCall(Call &call, Values &results) {
  StringRef opcode = call.instruction.opcode;
  FailureOr<const HloComputation *> callee =
      getComputation(call, opcode.starts_with("call") ? "to_apply" : "calls");
  if (failed(callee))
    return failure();
  if (*callee == &call.frame.computation || (*callee)->isEntry)
    return fail(call, "'" + (*callee)->name + "' calls itself");
  // What it is besides a call.
  SmallVector<NamedAttribute> is;
  if (!opcode.starts_with("call")) {
    is.push_back(b.getNamedAttr("opcode", b.getStringAttr(opcode)));
    for (StringRef key : {"kind", "backend_config"})
      if (auto value = call.instruction.get(key))
        is.push_back(
            b.getNamedAttr(key, b.getStringAttr(getStringOrJson(*value))));
  }
  // No symbol is found from inside of an op that is not registered.
  if (depth > 0) {
    if (depth > kDeepest)
      return fail(call, "'" + (*callee)->name + "' calls itself");
    ++depth;
    Block *block = b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    FailureOr<Values> inlined = importBody(**callee, call.operands);
    --depth;
    if (failed(inlined))
      return failure();
    // The ops are marked with what they were part of.
    if (!is.empty()) {
      is.push_back(
          b.getNamedAttr("name", b.getStringAttr(call.instruction.name)));
      for (Operation &op : llvm::make_range(
               last ? std::next(last->getIterator()) : block->begin(),
               block->end()))
        op.setAttr(kHloAttribute, b.getDictionaryAttr(is));
    }
    results = std::move(*inlined);
    return success();
  }
  if (!functions.count(*callee)) {
    OpBuilder::InsertionGuard guard(b);
    Location location = b.getLoc();
    if (failed(importFunction(**callee)))
      return failure();
    b.setLoc(location);
  }
  func::FuncOp function = functions[*callee];
  // Recursion: the function is still being made.
  if (function.getBody().front().empty() ||
      !function.getBody().front().back().hasTrait<OpTrait::IsTerminator>())
    return fail(call, "'" + (*callee)->name + "' calls itself");
  Values operands(call.operands);
  const size_t wanted = function.getNumArguments();
  const size_t numOwn = wanted - elidedOf[*callee].size();
  if (operands.size() != numOwn)
    return fail(call, "it gives " + Twine(call.operands.size()) +
                          " arrays to '" + (*callee)->name + "', which takes " +
                          Twine(numOwn));
  while (operands.size() < wanted && nextElided < elided.size())
    operands.push_back(elided[nextElided++]);
  if (operands.size() != wanted)
    return fail(call, "it gives " + Twine(call.operands.size()) +
                          " arrays to '" + (*callee)->name + "', which takes " +
                          Twine(wanted));
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (operands[i].getType() == type)
      continue;
    if (!keepsLayouts ||
        dropEncoding(operands[i].getType()) != dropEncoding(type))
      return fail(call, "'" + (*callee)->name + "' takes array " + Twine(i) +
                            " as " + debugString(type) + ", not as " +
                            debugString(operands[i].getType()));
    // A layout that only one side has.
    OperationState copy(b.getLoc(), "mhlo.copy");
    copy.addOperands(operands[i]);
    copy.addTypes(type);
    operands[i] = b.create(copy)->getResult(0);
  }
  auto op = func::CallOp::create(b, function, operands);
  for (NamedAttribute attribute : call.others)
    op->setAttr(attribute.getName(), attribute.getValue());
  if (!is.empty())
    op->setAttr(kHloAttribute, b.getDictionaryAttr(is));
  llvm::append_range(results, op.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> HloImporter::import() {
  const HloComputation &entry = text.computations[text.entry];
  b.setLoc(reporter.getLocation(text.name.data()));
  OwningOpRef<ModuleOp> owner = ModuleOp::create(
      b.getLoc(), text.name.empty() ? std::nullopt : std::optional(text.name));
  module = *owner;
  auto isScheduled = llvm::find_if(text.attributes, [](const HloAttribute &a) {
    return a.name == "is_scheduled";
  });
  module->setAttr(
      kHloAttribute,
      b.getDictionaryAttr(b.getNamedAttr(
          "is_scheduled", b.getBoolAttr(isScheduled != text.attributes.end() &&
                                        isScheduled->value == "true"))));
  for (const HloAttribute &attribute : text.attributes) {
    int64_t number;
    StringRef name = attribute.name;
    if (name == "replica_count")
      name = "num_replicas";
    if ((name == "num_replicas" || name == "num_partitions") &&
        !attribute.value.getAsInteger(10, number))
      module->setAttr(("mhlo." + name).str(), b.getI32IntegerAttr(number));
    else if (name == "frontend_attributes")
      module->setAttr(kMhloFrontend, getFrontendAttributes(attribute.value));
    else if (name == "input_output_alias" || name == "buffer_donor")
      module->setAttr(("mhlo." + name).str(), b.getStringAttr(attribute.value));
  }
  if (failed(importFunction(entry)))
    return nullptr;
  return owner;
}

OwningOpRef<ModuleOp> tensoraccess::parseHloText(StringRef text, StringRef file,
                                                 MLIRContext *context,
                                                 bool keepsLayouts) {
  context->loadDialect<func::FuncDialect, TensorAccessDialect>();
  // Where they are registered, their ops print in ordinary form.
  for (StringRef dialect : {"stablehlo", "chlo"})
    context->getOrLoadDialect(dialect);
  HloReporter reporter(text, file, context);
  FailureOr<HloModuleText> module = parseHloModule(text, reporter);
  if (failed(module))
    return nullptr;
  return HloImporter(*module, reporter, context, keepsLayouts).import();
}
