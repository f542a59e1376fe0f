//===- AccessToGlenside.cpp - Access patterns as Glenside programs --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of the function are visited in order; each one's value becomes the
// text of a term, made of its operands' texts. A slice, pad or concatenation of
// several dimensions or operands becomes nested terms of one, since Glenside's
// have one axis. Glenside's program is one tree, so a value that is used twice
// is written twice; the text has a limit.
//
//===----------------------------------------------------------------------===//

#include "GlensideSyntax.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Longest term, in bytes.
static constexpr size_t kMaxText = size_t(64) << 20;

/// The argument attribute that holds a tensor's name.
static constexpr StringRef kName = "tensoraccess.name";

namespace {

class Exporter {
public:
  explicit Exporter(func::FuncOp function) : function(function) {}

  LogicalResult run(raw_ostream &os);

private:
  LogicalResult declareArguments();
  LogicalResult visit(Operation *op);
  FailureOr<std::string> text(Operation *op);
  FailureOr<std::string> constant(arith::ConstantOp op);
  FailureOr<std::string> pad(PadOp op);
  FailureOr<std::string> slice(SliceOp op);
  FailureOr<std::string> compute(ComputeOp op);
  FailureOr<std::string> call(AcceleratorCallOp op);

  StringRef of(Value value) const { return terms.find(value)->second; }
  static InFlightDiagnostic refuse(Operation *op) {
    return op->emitError() << "Glenside has no term for this op: ";
  }

  func::FuncOp function;
  /// Tensors: the name, or the term of the pattern that they are made from.
  DenseMap<Value, std::string> terms;
  /// Values whose term is a tensor and not an access pattern.
  DenseSet<Value> tensors;
  std::string declarations;
};

} // namespace

static std::string list(StringRef head, ArrayRef<int64_t> numbers) {
  std::string result = ("(" + head).str();
  for (int64_t number : numbers)
    result += " " + std::to_string(number);
  return result + ")";
}

static std::string accessShape(AccessType type) {
  return "(access-shape " + list("shape", type.getAccessShape()) + " " +
         list("shape", type.getComputeShape()) + ")";
}

/// A term of words and operands.
template <typename... Parts>
static std::string term(const Parts &...parts) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '(';
  StringRef between;
  ((os << between << parts, between = " "), ...);
  os << ')';
  return result;
}

LogicalResult Exporter::declareArguments() {
  llvm::StringSet<> taken;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() || type.getEncoding())
      return function.emitError()
             << "an argument of a Glenside program is a tensor of static shape "
                "without encoding, got "
             << argument.getType();
    auto given =
        function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kName);
    std::string name =
        given ? given.str() : "t" + std::to_string(argument.getArgNumber());
    if (name.empty() || llvm::isDigit(name.front()) ||
        StringRef(name).find_first_of(" \t\r\n();:") != StringRef::npos)
      return function.emitError() << "'" << name << "' is not a tensor's name";
    if (!taken.insert(name).second)
      return function.emitError() << "two arguments are named '" << name << "'";
    std::string sizes = shapeToString(type.getShape());
    llvm::raw_string_ostream(declarations)
        << "; " << name << ": " << sizes << (sizes.empty() ? "" : "x")
        << type.getElementType() << "\n";
    terms[argument] = name;
    tensors.insert(argument);
  }
  return success();
}

FailureOr<std::string> Exporter::constant(arith::ConstantOp op) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!splat || !type) {
    refuse(op) << "a constant is a tensor of one value, got " << op.getType();
    return failure();
  }
  // The reader gives constants the element type of the program's first tensor.
  Type element = Float64Type::get(op.getContext());
  if (function.getNumArguments())
    element =
        cast<RankedTensorType>(function.getArgumentTypes()[0]).getElementType();
  if (type.getElementType() != element) {
    refuse(op) << "constants have the program's element type " << element
               << ", got " << type.getElementType();
    return failure();
  }
  SmallString<32> value;
  if (auto number = dyn_cast<FloatType>(element)) {
    APFloat v = splat.getSplatValue<APFloat>();
    if (!v.isFinite()) {
      refuse(op) << "a constant is finite";
      return failure();
    }
    v.toString(value);
  } else {
    splat.getSplatValue<APInt>().toStringSigned(value);
  }
  tensors.insert(op.getResult());
  return term("constant-tensor", value, list("shape", type.getShape()));
}

FailureOr<std::string> Exporter::pad(PadOp op) {
  if (op.getInterior() &&
      llvm::any_of(*op.getInterior(), [](int64_t n) { return n != 0; })) {
    refuse(op) << "padding inside";
    return failure();
  }
  StringRef kind;
  if (auto value = dyn_cast<FloatAttr>(op.getValue())) {
    if (value.getValue().isPosZero())
      kind = "zero-padding";
    else if (value.getValue().isLargest() && value.getValue().isNegative())
      kind = "min-padding";
  } else if (auto value = dyn_cast<IntegerAttr>(op.getValue())) {
    if (value.getValue().isZero())
      kind = "zero-padding";
    else if (value.getValue().isMinSignedValue())
      kind = "min-padding";
  }
  if (kind.empty()) {
    refuse(op) << "the value is zero or the least number, got "
               << op.getValue();
    return failure();
  }
  std::string result = of(op.getPattern()).str();
  for (auto [axis, low, high] : llvm::enumerate(op.getLow(), op.getHigh()))
    if (low != 0 || high != 0)
      result = term("access-pad", result, kind, axis, low, high);
  return result;
}

FailureOr<std::string> Exporter::slice(SliceOp op) {
  if (op.getOobAttr()) {
    refuse(op) << "a slice stays inside";
    return failure();
  }
  if (op.getStrides() &&
      llvm::any_of(*op.getStrides(), [](int64_t n) { return n != 1; })) {
    refuse(op) << "a slice has stride 1";
    return failure();
  }
  std::string result = of(op.getPattern()).str();
  SmallVector<int64_t> shape = op.getPattern().getType().getShape();
  for (auto [axis, offset, size] :
       llvm::enumerate(op.getOffsets(), op.getSizes()))
    if (offset != 0 || size != shape[axis])
      result = term("access-slice", result, axis, offset, offset + size);
  return result;
}

FailureOr<std::string> Exporter::compute(ComputeOp op) {
  if (op.getType().getElementType() !=
      op.getPattern().getType().getElementType()) {
    refuse(op) << "sums have the element type of what is summed";
    return failure();
  }
  if (op.getKind() == ComputeKind::Softmax &&
      op.getType().getComputeRank() != 1) {
    refuse(op) << "softmax takes items of one dimension, got "
               << op.getType().getComputeRank();
    return failure();
  }
  return term("compute", glenside::getWord(op.getKind()), of(op.getPattern()));
}

/// Operands first, then the configuration.
FailureOr<std::string> Exporter::call(AcceleratorCallOp op) {
  std::string result = ("(accelerator-call " + op.getTarget()).str();
  for (Value pattern : op.getPatterns())
    result += " " + of(pattern).str();
  auto config = op->getAttrOfType<ArrayAttr>("config");
  for (Attribute item : config ? config.getValue() : ArrayRef<Attribute>()) {
    if (auto word = dyn_cast<StringAttr>(item)) {
      result += " " + word.str();
    } else if (auto number = dyn_cast<IntegerAttr>(item)) {
      result += " " + std::to_string(number.getInt());
    } else if (auto numbers = dyn_cast<DenseI64ArrayAttr>(item)) {
      result += " " + list("shape", numbers.asArrayRef());
    } else {
      refuse(op) << "the configuration holds " << item;
      return failure();
    }
  }
  return result + ")";
}

FailureOr<std::string> Exporter::text(Operation *op) {
  using Text = FailureOr<std::string>;
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](arith::ConstantOp constantOp) { return constant(constantOp); })
      .Case([&](AccessOp access) -> Text {
        Value tensor = access.getTensor();
        std::string pattern = of(tensor).str();
        if (tensors.contains(tensor)) {
          pattern = term("access-tensor", pattern);
          if (static_cast<int64_t>(access.getAxis()) ==
              cast<RankedTensorType>(tensor.getType()).getRank())
            return pattern;
        }
        return term("access", pattern, access.getAxis());
      })
      .Case([&](ToTensorOp toTensor) -> Text {
        return of(toTensor.getPattern()).str();
      })
      .Case([&](TransposeOp transpose) -> Text {
        return term("access-transpose", of(transpose.getPattern()),
                    list("list", transpose.getPerm()));
      })
      .Case([&](CartProdOp product) -> Text {
        return term("access-cartesian-product", of(product.getLhs()),
                    of(product.getRhs()));
      })
      .Case([&](PairOp pair) -> Text {
        return term("access-pair", of(pair.getLhs()), of(pair.getRhs()));
      })
      .Case([&](WindowsOp windows) -> Text {
        if (llvm::any_of(windows.getDilationsOrOnes(),
                         [](int64_t d) { return d != 1; })) {
          refuse(op) << "windows have dilation 1";
          return failure();
        }
        return term("access-windows", of(windows.getPattern()),
                    list("shape", windows.getShape()),
                    list("shape", windows.getStrides()));
      })
      .Case([&](SliceOp sliceOp) { return slice(sliceOp); })
      .Case([&](ConcatOp concat) -> Text {
        std::string result = of(concat.getPatterns().front()).str();
        for (Value next : concat.getPatterns().drop_front())
          result =
              term("access-concatenate", result, of(next), concat.getAxis());
        return result;
      })
      .Case([&](SqueezeOp squeeze) -> Text {
        return term("access-squeeze", of(squeeze.getPattern()),
                    squeeze.getAxis());
      })
      .Case([&](InsertAxisOp insert) -> Text {
        return term("access-insert-axis", of(insert.getPattern()),
                    insert.getAxis());
      })
      .Case([&](BroadcastOp broadcast) -> Text {
        return term("access-broadcast", of(broadcast.getPattern()),
                    accessShape(broadcast.getType()));
      })
      .Case([&](FlattenOp flatten) -> Text {
        return term("access-flatten", of(flatten.getPattern()));
      })
      .Case([&](ReshapeOp reshape) -> Text {
        return term("access-reshape", of(reshape.getPattern()),
                    accessShape(reshape.getType()));
      })
      .Case([&](PadOp padOp) { return pad(padOp); })
      .Case([&](ShiftRightOp shift) -> Text {
        std::string result = of(shift.getPattern()).str();
        for (int64_t i = 0, e = shift.getPattern().getType().getAccessRank() -
                                shift.getType().getAccessRank();
             i < e; ++i)
          result = term("access-shift-right", result);
        return result;
      })
      // A copy has the same value.
      .Case([&](MaterializeOp copy) -> Text {
        return of(copy.getPattern()).str();
      })
      .Case([&](ComputeOp computeOp) { return compute(computeOp); })
      .Case([&](SystolicArrayOp array) -> Text {
        if (array.getWeights().getType().getAccessRank() != 0) {
          refuse(op) << "'" << op->getName() << "' with a batch of weights";
          return failure();
        }
        if (array.getAccumulator()) {
          refuse(op) << "'" << op->getName() << "' with an accumulator";
          return failure();
        }
        return term(array.getBlocked() ? "systolic-array-with-blocking"
                                       : "systolic-array",
                    array.getRows(), array.getCols(),
                    of(array.getActivations()), of(array.getWeights()));
      })
      .Case([&](AcceleratorCallOp callOp) { return call(callOp); })
      .Default([&](Operation *) -> Text {
        refuse(op) << "'" << op->getName() << "'";
        return failure();
      });
}

LogicalResult Exporter::visit(Operation *op) {
  for (Value operand : op->getOperands())
    if (!terms.count(operand))
      return op->emitError() << "operand of type " << operand.getType()
                             << " comes from outside of the function";
  FailureOr<std::string> result = text(op);
  if (failed(result))
    return failure();
  if (result->size() > kMaxText)
    return op->emitError()
           << "the program's text would be longer than " << (kMaxText >> 20)
           << " MiB: a value that is used twice is written twice";
  terms[op->getResult(0)] = std::move(*result);
  return success();
}

LogicalResult Exporter::run(raw_ostream &os) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError() << "a Glenside program is one block, got "
                                << function.getBody().getBlocks().size();
  if (failed(declareArguments()))
    return failure();
  Operation *terminator = function.getBody().front().getTerminator();
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(visit(&op)))
      return failure();
  if (terminator->getNumOperands() == 0)
    return function.emitError() << "a Glenside program has a value, this "
                                   "function returns none";
  SmallVector<std::string> results;
  for (Value value : terminator->getOperands()) {
    StringRef result = of(value);
    results.push_back(tensors.contains(value) ? term("access-tensor", result)
                                              : result.str());
  }
  os << declarations;
  if (results.size() == 1)
    os << results.front() << "\n";
  else
    os << "(construct-tuple " << llvm::join(results, " ") << ")\n";
  return success();
}

LogicalResult tensoraccess::exportGlenside(Operation *root, raw_ostream &os) {
  SmallVector<func::FuncOp> functions;
  root->walk([&](func::FuncOp function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  auto main = llvm::find_if(
      functions, [](func::FuncOp f) { return f.getName() == "main"; });
  if (main != functions.end())
    return Exporter(*main).run(os);
  if (functions.size() != 1)
    return root->emitError() << "expected a function @main or a single "
                                "function, got "
                             << functions.size() << " functions";
  return Exporter(functions.front()).run(os);
}

void tensoraccess::registerGlensideExport() {
  TranslateFromMLIRRegistration registration(
      "export-glenside", "write an access program as a Glenside program",
      [](Operation *op, raw_ostream &os) { return exportGlenside(op, os); },
      [](DialectRegistry &registry) {
        // Ops of other dialects are refused by name.
        registry.insert<TensorAccessDialect, arith::ArithDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
      });
}
