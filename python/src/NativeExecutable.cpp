//===- NativeExecutable.cpp - Compiled functions for Python ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a compiled function on arrays where they lie:
//
//   1. the wrapper describes each argument as (element type, address, shape,
//      strides in elements) and keeps it alive during the call;
//   2. the function runs without the GIL;
//   3. each result becomes an array over the function's own buffer, which a
//      capsule keeps alive.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
class NativeExecutable {
public:
  explicit NativeExecutable(CompiledFunction compiled)
      : function(std::move(compiled)) {
    auto isAsItIs = [](const ValueType &type) {
      return type.outerType.empty() && type.elementType != ElementType::BF16 &&
             !llvm::is_contained(type.shape, kDynamicSize);
    };
    isPlain =
        function.isTimedByShapes() &&
        llvm::all_of(function.getInputTypes(),
                     [&](const ValueType &type) {
                       return type.kind != ValueType::Kind::Scalar &&
                              isAsItIs(type);
                     }) &&
        llvm::all_of(function.getResultTypes(), [&](const ValueType &type) {
          return type.kind == ValueType::Kind::Tensor && isAsItIs(type);
        });
  }

  std::vector<Parameter> getInputs() const {
    return describe(function.getInputTypes());
  }
  std::vector<Parameter> getResults() const {
    return describe(function.getResultTypes());
  }
  /// The arrays of inputs by number: they live as long as what is packed of them.
  /// An Argument or a HeldInput each.
  using Arguments = std::vector<nb::object>;
  bool isTimedByShapes() const { return function.isTimedByShapes(); }
  std::vector<unsigned> getWeights() const {
    return {function.getWeights().begin(), function.getWeights().end()};
  }
  size_t getPackedBytes() const { return function.getPackedBytes(); }
  void forgetWeights() const { function.forgetWeights(); }
  std::vector<Result> call(const Arguments &arguments) const;
  /// The results, or NotImplemented where an input is no array that is read in
  /// place, or a type is not as numpy has it.
  nb::object callPlain(const nb::args &arrays) const;
  /// Name, source, operations, bytes, begin and end of each loop nest.
  std::vector<
      std::tuple<std::string, std::string, int64_t, int64_t, int64_t, int64_t>>
  profile(const Arguments &arguments) const;

private:
  CompiledFunction function;
  /// Whether inputs and results have static shapes, and types of numpy's own.
  bool isPlain = false;
};
} // namespace

/// An input that is the same in many calls, and owns a Python object.
struct HeldInput {
  Tensor tensor;
};

static HeldInput hold(const Argument &argument, const nb::object &owner) {
  Tensor view = viewOf(argument);
  std::shared_ptr<nb::object> held(new nb::object(owner),
                                   [](nb::object *object) {
                                     AcquireGil acquire;
                                     delete object;
                                   });
  return {Tensor::wrap(view.getElementType(), view.getShape(),
                       view.getStrides(), view.getData(), std::move(held))};
}

static SmallVector<Tensor>
viewAllOf(const NativeExecutable::Arguments &arguments) {
  return llvm::map_to_vector(arguments, [](const nb::object &argument) {
    HeldInput *held = nullptr;
    if (nb::try_cast(argument, held))
      return held->tensor;
    return viewOf(nb::cast<Argument>(argument));
  });
}

std::vector<Result> NativeExecutable::call(const Arguments &arguments) const {
  SmallVector<Tensor> inputs = viewAllOf(arguments), outputs;
  {
    ReleaseGil release;
    outputs = need(function.call(inputs));
  }
  return toArrays(std::move(outputs));
}

nb::object NativeExecutable::callPlain(const nb::args &arrays) const {
  nb::object no = nb::borrow(Py_NotImplemented);
  ArrayRef<ValueType> types = function.getInputTypes();
  if (!isPlain || arrays.size() != types.size())
    return no;
  SmallVector<Tensor> inputs, outputs;
  // What keeps the memory alive.
  SmallVector<nb::object> capsules;
  for (auto [i, type] : llvm::enumerate(types)) {
    auto find = [](nb::handle object, const char *name) {
      return nb::getattr(object, name, /*def=*/nb::handle());
    };
    const bool isWritten = type.kind == ValueType::Kind::MemRef;
    if (HeldInput *held = nullptr; nb::try_cast(arrays[i], held)) {
      if (isWritten)
        return no;
      inputs.push_back(held->tensor);
      continue;
    }
    nb::object capsule = find(arrays[i], "__array_struct__");
    if (!capsule.is_valid() && !isWritten)
      if (nb::object make = find(arrays[i], "__array__"); make.is_valid())
        capsule = find(make(), "__array_struct__");
    std::optional<Tensor> input;
    if (capsule.is_valid())
      input = viewOfStruct(capsule, type.elementType, isWritten);
    if (!input)
      return no;
    capsules.push_back(std::move(capsule));
    inputs.push_back(std::move(*input));
  }
  {
    ReleaseGil release;
    outputs = need(function.call(inputs));
  }
  if (outputs.empty())
    return nb::none();
  if (outputs.size() == 1)
    return nb::cast(toArray(std::move(outputs[0])).second);
  nb::object results = nb::steal(PyTuple_New(outputs.size()));
  for (auto [i, output] : llvm::enumerate(outputs))
    PyTuple_SET_ITEM(
        results.ptr(), i,
        nb::cast(toArray(std::move(output)).second).release().ptr());
  return results;
}

std::vector<
    std::tuple<std::string, std::string, int64_t, int64_t, int64_t, int64_t>>
NativeExecutable::profile(const Arguments &arguments) const {
  SmallVector<Tensor> inputs = viewAllOf(arguments);
  CallReport report;
  {
    ReleaseGil release;
    (void)need(function.call(inputs, &report));
  }
  std::vector<
      std::tuple<std::string, std::string, int64_t, int64_t, int64_t, int64_t>>
      rows;
  for (const KernelSpan &span : report.spans) {
    const KernelInfo &kernel = function.getKernels()[span.kernel];
    rows.emplace_back(kernel.name, kernel.location, kernel.operations,
                      kernel.bytes, span.begin, span.end);
  }
  return rows;
}

static std::shared_ptr<NativeExecutable>
compile(NativeModule &self, std::string_view entry, unsigned optLevel,
        const std::string &cpu, bool checks, int64_t threads, bool plain,
        const std::vector<unsigned> &weights, bool reassociate, bool cache,
        bool profile) {
  std::shared_ptr<NativeExecutable> result;
  self.getSession().attempt("the function cannot be compiled", [&] {
    JitOptions options;
    options.optLevel = optLevel;
    options.cpu = cpu;
    options.checks = checks;
    options.threads = threads;
    if (plain)
      options.setPlain();
    options.weights.assign(weights.begin(), weights.end());
    options.reassociate = reassociate;
    options.cache = cache;
    options.profile = profile;
    options.withoutContext = [&](llvm::function_ref<void()> generate) {
      self.getSession().withoutContext(generate);
    };
    FailureOr<CompiledFunction> function =
        CompiledFunction::compile(self.getOp(), toRef(entry), options);
    if (succeeded(function))
      result = std::make_shared<NativeExecutable>(std::move(*function));
    return succeeded(function);
  });
  return result;
}

void python::bindExecutable(nb::module_ &m) {
  nb::class_<HeldInput>(m, "HeldInput",
                        "An input that is the same in many calls.");
  m.def("hold", &hold, nb::arg("argument"), nb::arg("owner"),
        "What stands for an input of native code and keeps its memory alive.");
  nb::class_<NativeExecutable>(m, "NativeExecutable",
                               "Machine code; see tensoraccess.Executable.")
      .def_prop_ro("inputs", &NativeExecutable::getInputs)
      .def_prop_ro("results", &NativeExecutable::getResults)
      .def("call", &NativeExecutable::call, nb::arg("arguments"))
      .def("call_here", &NativeExecutable::call, nb::arg("arguments"),
           "As call, on this thread, where nothing interrupts it.")
      .def("call_plain", &NativeExecutable::callPlain,
           nb::sig("def call_plain(self, *arrays: object) -> object"),
           "The results for arrays that are read in place, on this thread, or "
           "NotImplemented.")
      .def_prop_ro("is_timed_by_shapes", &NativeExecutable::isTimedByShapes)
      .def_prop_ro("weights", &NativeExecutable::getWeights)
      .def_prop_ro("packed_bytes", &NativeExecutable::getPackedBytes)
      .def("forget_weights", &NativeExecutable::forgetWeights,
           "To be called after a weight was written to.")
      .def("profile", &NativeExecutable::profile, nb::arg("arguments"));
  m.def("compile", &compile, nb::arg("module"), nb::arg("entry"),
        nb::arg("opt_level"), nb::arg("cpu"), nb::arg("checks"),
        nb::arg("threads"), nb::arg("plain"), nb::arg("weights"),
        nb::arg("reassociate"), nb::arg("cache"), nb::arg("profile"));
}
