//===- Accelerators.cpp - Functional models of accelerators ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Accelerators.h"

#include <map>
#include <mutex>

using namespace mlir::tensoraccess;

namespace {
/// The models of this process, by name.
struct Registry {
  std::mutex mutex;
  std::map<std::string, AcceleratorModel> models;
};
} // namespace

static Registry &getRegistry() {
  static Registry registry;
  return registry;
}

void mlir::tensoraccess::registerAccelerator(llvm::StringRef name,
                                             AcceleratorModel model) {
  Registry &registry = getRegistry();
  std::lock_guard lock(registry.mutex);
  if (model)
    registry.models[name.str()] = std::move(model);
  else
    registry.models.erase(name.str());
}

std::vector<std::string> mlir::tensoraccess::getAcceleratorNames() {
  Registry &registry = getRegistry();
  std::lock_guard lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto &entry : registry.models)
    names.push_back(entry.first);
  return names;
}

llvm::Expected<AccessPattern>
kernels::acceleratorCall(llvm::StringRef name,
                         llvm::ArrayRef<AccessPattern> operands,
                         const AcceleratorResult &wanted) {
  AcceleratorModel model;
  {
    // A copy: the model may itself call or register accelerators.
    Registry &registry = getRegistry();
    std::lock_guard lock(registry.mutex);
    auto found = registry.models.find(name.str());
    if (found != registry.models.end())
      model = found->second;
  }
  if (!model)
    return llvm::createStringError("there is no functional model of "
                                   "accelerator '" +
                                   name.str() + "'");
  return model(operands, wanted);
}
