//===- TensorAccessChecks.td - What is checked at run time -*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering leaves to run time what the sizes of a program do not say: one op,
// which is not an op on access patterns.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_CHECKS_TD
#define TENSORACCESS_IR_CHECKS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "TensorAccess/IR/TensorAccessDialect.td"

def TensorAccess_AssertOp : TensorAccess_Op<"assert", [
    MemoryEffects<[MemWrite]>]> {
  let summary = "a condition whose failure is an error with numbers";
  let description = [{
    Does nothing where the condition is true; where it is false the program ends
    with an error at the op's location. In the message `{i}` stands for value i,
    and `{{` for a brace. `cf.assert` is the same without values.

    - C1: every `{` of the message begins `{{` or names one of the values.

    ```mlir
    tensoraccess.assert %inside,
        "place 6 must lie in [0, {0})"(%size : index)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message,
                       Variadic<AnySignlessIntegerOrIndex>:$values);
  let assemblyFormat = [{
    $condition `,` $message (`(` $values^ `:` type($values) `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TENSORACCESS_IR_CHECKS_TD
