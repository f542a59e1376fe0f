//===- FindTarget.cpp - The target that a text or a module names ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An option, a built-in name or a text, comes before the module's attribute,
// and that before the pass's own.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Core/Closest.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<Target> mlir::tensoraccess::findTarget(ModuleOp module,
                                                 StringRef text,
                                                 StringRef otherwise) {
  text = text.trim();
  if (text.empty()) {
    Attribute attr = module->getAttr("tensoraccess.target");
    if (!attr)
      return *Target::lookup(otherwise);
    if (auto target = dyn_cast<TargetAttr>(attr))
      return target.getValue();
    return module.emitError()
           << "attribute tensoraccess.target must be a #tensoraccess.target, "
              "got "
           << attr;
  }
  if (std::optional<Target> target = Target::lookup(text))
    return *target;
  ParseError error;
  // A name alone is not a description.
  if (text.contains(','))
    if (std::optional<Target> target = Target::parse(text, error))
      return *target;
  if (error.message.empty())
    return module.emitError()
           << describeUnknown("target", text, Target::getBuiltInNames());
  return module.emitError() << "target '" << text << "': " << error.message
                            << " at " << error.offset;
}
