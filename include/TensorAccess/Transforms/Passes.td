//===- Passes.td - All passes of Transforms, for their page *- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PASSES_TD
#define TENSORACCESS_TRANSFORMS_PASSES_TD

include "TensorAccess/Transforms/AccessPasses.td"
include "TensorAccess/Transforms/BufferPasses.td"
include "TensorAccess/Transforms/ContractPasses.td"
include "TensorAccess/Transforms/FusePasses.td"
include "TensorAccess/Transforms/KernelPasses.td"
include "TensorAccess/Transforms/LayoutPasses.td"
include "TensorAccess/Transforms/LowerPasses.td"
include "TensorAccess/Transforms/SaturationPasses.td"
include "TensorAccess/Transforms/ShardPasses.td"
include "TensorAccess/Transforms/SimplifyPasses.td"

#endif // TENSORACCESS_TRANSFORMS_PASSES_TD
