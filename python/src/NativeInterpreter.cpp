//===- NativeInterpreter.cpp - The reference interpreter for Python -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is interpreted in its module's session, without the GIL. Models of
// accelerators are functions of Python: the interpreter takes the GIL for them,
// hands over the operands as arrays and copies the array that comes back.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"
#include "TensorAccess/Core/Accelerators.h"
#include "TensorAccess/Execution/Run.h"
#include "TensorAccess/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
class NativeInterpreted {
public:
  std::vector<Parameter> getInputs() const { return describe(inputTypes); }
  std::vector<Parameter> getResults() const { return describe(resultTypes); }
  std::vector<Result> call(const std::vector<Argument> &arguments) const;

  /// Keeps the function alive.
  std::shared_ptr<NativeModule> module;
  func::FuncOp function;
  SmallVector<ValueType> inputTypes, resultTypes;
};
} // namespace

std::vector<Result>
NativeInterpreted::call(const std::vector<Argument> &arguments) const {
  SmallVector<Tensor> inputs = viewAll(arguments);
  if (llvm::Error error = checkInputs(inputTypes, inputs))
    throw Error(llvm::toString(std::move(error)));
  return toArraysOf(module->getSession(), "the function cannot be interpreted",
                    [&] { return interpretProgram(function, inputs); });
}

static std::shared_ptr<NativeInterpreted>
makeInterpreted(std::shared_ptr<NativeModule> self, std::string_view entry) {
  auto result = std::make_shared<NativeInterpreted>();
  self->getSession().attempt("the function cannot be interpreted", [&] {
    FailureOr<func::FuncOp> function = findEntry(self->getOp(), toRef(entry));
    if (failed(function))
      return false;
    auto signature = getSignature(*function);
    if (failed(signature))
      return false;
    result->module = self;
    result->function = *function;
    std::tie(result->inputTypes, result->resultTypes) = std::move(*signature);
    return true;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Functional models of accelerators
//===----------------------------------------------------------------------===//

namespace {
/// A function of Python in the hands of C++: the thread that lets go of it last
/// may not have the GIL, or the interpreter may be gone.
struct ModelDeleter {
  void operator()(nb::object *model) const {
    if (!Py_IsInitialized())
      return;
    AcquireGil acquire;
    delete model;
  }
};
} // namespace

/// Calls the wrapper's function on arrays; it returns (keep-alive, Argument).
static llvm::Expected<AccessPattern>
callModel(llvm::StringRef name, const nb::object &model,
          ArrayRef<AccessPattern> operands, const AcceleratorResult &wanted) {
  std::vector<Tensor> tensors;
  for (const AccessPattern &operand : operands) {
    llvm::Expected<Tensor> joined = operand.join();
    if (!joined)
      return joined.takeError();
    // The model may keep the array, and may write to it.
    llvm::Expected<Tensor> copy = joined->clone();
    if (!copy)
      return copy.takeError();
    tensors.push_back(std::move(*copy));
  }
  AcquireGil acquire;
  try {
    nb::list arrays;
    for (Tensor &tensor : tensors)
      arrays.append(nb::cast(toArray(std::move(tensor))));
    nb::object answer = model(arrays);
    Tensor view = viewOf(nb::cast<Argument>(answer[1]));
    int64_t rank = view.getRank();
    auto accessRank = static_cast<int64_t>(wanted.accessShape.size());
    if (rank < accessRank)
      return llvm::createStringError(
          llvm::Twine("the model of accelerator '") + name + "' returned " +
          llvm::Twine(rank) + " dimensions, expected " +
          llvm::Twine(accessRank + wanted.computeShape.size()));
    llvm::Expected<Tensor> result = view.clone();
    if (!result)
      return result.takeError();
    return AccessPattern(std::move(*result), accessRank);
  } catch (const nb::python_error &error) {
    std::string kind = nb::cast<std::string>(error.type().attr("__name__"));
    std::string text = nb::cast<std::string>(nb::str(error.value()));
    return llvm::createStringError(llvm::Twine("the model of accelerator '") +
                                   name + "' raised " + kind + ": " + text);
  } catch (const std::exception &error) {
    return llvm::createStringError(llvm::Twine("the model of accelerator '") +
                                   name + "' failed: " + error.what());
  }
}

static void registerModel(const std::string &name,
                          std::optional<nb::object> function) {
  AcceleratorModel model;
  if (function) {
    std::shared_ptr<nb::object> shared(new nb::object(std::move(*function)),
                                       ModelDeleter());
    model = [name, shared](ArrayRef<AccessPattern> operands,
                           const AcceleratorResult &wanted) {
      return callModel(name, *shared, operands, wanted);
    };
  }
  // The model that is replaced takes the GIL to go.
  ReleaseGil release;
  registerAccelerator(name, std::move(model));
}

static std::vector<std::string> listModels() {
  ReleaseGil release;
  return getAcceleratorNames();
}

static std::vector<std::string> listOps() {
  ReleaseGil release;
  return listInterpretedOps();
}

void python::bindInterpreter(nb::module_ &m) {
  nb::class_<NativeInterpreted>(
      m, "NativeInterpreted", "A function to interpret; see Module.interpret.")
      .def_prop_ro("inputs", &NativeInterpreted::getInputs)
      .def_prop_ro("results", &NativeInterpreted::getResults)
      .def("call", &NativeInterpreted::call, nb::arg("arguments"));
  m.def("interpret", &makeInterpreted, nb::arg("module"), nb::arg("entry"));
  m.def("register_accelerator", &registerModel, nb::arg("name"),
        nb::arg("model").none());
  m.def("accelerators", &listModels);
  m.def("interpreted_ops", &listOps,
        "The names of the ops that the interpreter runs, sorted.");
}
