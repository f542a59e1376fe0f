//===- ReadEGraphJson.h - E-graphs of text ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what `writeEGraphJson` writes, and what other tools for e-graphs do.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_READEGRAPHJSON_H
#define TENSORACCESS_TEST_EGRAPH_READEGRAPHJSON_H

#include "TensorAccess/EGraph/Extraction.h"

namespace mlir::tensoraccess {

/// Reads the JSON of Extraction.h. `children` is empty, `cost` is 1 and
/// `subsumed` false where left out, `root_eclasses` and `class_data` may be left
/// out, too. Other members are ignored. None, and `problem` with line and
/// column, for what is not JSON or not of this form, and for children and
/// classes that there aren't. Nodes are numbered as in the text, and classes as
/// their first nodes.
std::optional<SerializedEGraph> readEGraphJson(llvm::StringRef text,
                                               std::string &problem);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_EGRAPH_READEGRAPHJSON_H
