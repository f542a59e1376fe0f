//===- TensorAccessEnums.td - Enumerations -----------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_ENUMS_TD
#define TENSORACCESS_IR_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "TensorAccess/IR/TensorAccessDialect.td"

def TensorAccess_DotProd : I32EnumAttrCase<"DotProd", 0, "dot_prod">;
def TensorAccess_ReduceSum : I32EnumAttrCase<"ReduceSum", 1, "reduce_sum">;
def TensorAccess_ReduceMax : I32EnumAttrCase<"ReduceMax", 2, "reduce_max">;
def TensorAccess_ElementwiseAdd
    : I32EnumAttrCase<"ElementwiseAdd", 3, "elementwise_add">;
def TensorAccess_ElementwiseMul
    : I32EnumAttrCase<"ElementwiseMul", 4, "elementwise_mul">;
def TensorAccess_Relu : I32EnumAttrCase<"Relu", 5, "relu">;
def TensorAccess_ReduceMean : I32EnumAttrCase<"ReduceMean", 6, "reduce_mean">;
def TensorAccess_ElementwiseDiv
    : I32EnumAttrCase<"ElementwiseDiv", 7, "elementwise_div">;
def TensorAccess_Sqrt : I32EnumAttrCase<"Sqrt", 8, "sqrt">;
def TensorAccess_Negative : I32EnumAttrCase<"Negative", 9, "negative">;
def TensorAccess_Softmax : I32EnumAttrCase<"Softmax", 10, "softmax">;

def TensorAccess_ComputeKind : I32EnumAttr<"ComputeKind",
    "what a compute op does with the item at each access point", [
      TensorAccess_DotProd, TensorAccess_ReduceSum, TensorAccess_ReduceMax,
      TensorAccess_ElementwiseAdd, TensorAccess_ElementwiseMul,
      TensorAccess_Relu, TensorAccess_ReduceMean, TensorAccess_ElementwiseDiv,
      TensorAccess_Sqrt, TensorAccess_Negative, TensorAccess_Softmax]> {
  let cppNamespace = "::mlir::tensoraccess";
  let genSpecializedAttr = 0;
}

def TensorAccess_ComputeKindAttr
    : EnumAttr<TensorAccess_Dialect, TensorAccess_ComputeKind, "compute_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // TENSORACCESS_IR_ENUMS_TD
