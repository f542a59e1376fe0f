//===- ComputeOps.td - Arithmetic on access patterns -------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed of items, and by which units. Included by TensorAccessOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_COMPUTEOPS_TD
#define TENSORACCESS_IR_COMPUTEOPS_TD

def TensorAccess_ComputeOp : TensorAccess_PatternOp<"compute", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "applies an operator to the item at each access point";
  let description = [{
    | kind | item → item | meaning |
    |---|---|---|
    | `dot_prod` | t ++ s → () | Σ over s of the product over the tuple t |
    | `reduce_sum` | any → () | sum of all elements, from 0 |
    | `reduce_max` | any → () | greatest element; NaN if any element is |
    | `reduce_mean` | any → () | `reduce_sum` divided by the number of elements |
    | `elementwise_add` | t ++ s → s | sum over the tuple |
    | `elementwise_mul` | t ++ s → s | product over the tuple |
    | `elementwise_div` | t ++ s → s | first over second (over third …) |
    | `relu` | s → s | max(x, 0), NaN stays NaN, -0 becomes 0 |
    | `sqrt` | s → s | square root, correctly rounded; NaN below 0 |
    | `negative` | s → s | -x |
    | `softmax` | s → s | exp(x - m) / Σ exp(x - m), m the item's greatest element |

    Sums run from 0 in row-major order of the item, products and quotients from
    left to right over the tuple. Sums, and products that are summed, are f32
    for floats below f32, else of the element type; each step is rounded to
    that, and the result to the element type at the end. `elementwise_add` and
    `_mul` round each step. An `accumulator` type extends each element first
    (integers with their sign), and is the result's. Integers are two's
    complement: sums, products and negation wrap, division truncates toward
    zero, the quotient that does not fit (the least number by -1) wraps, and
    division by zero is an error at run time. `softmax` rounds each exponential,
    and their sum when it is finished; the mean divides before it rounds.

    - C1: the kinds over a tuple need at least one compute dimension, the tuple
      axis, and it must not be 0.
    - C2: `reduce_max` and `reduce_mean` need a non-empty item.
    - C3: `reduce_mean`, `sqrt` and `softmax` need floats.
    - C4: only `dot_prod` and `reduce_sum` have an accumulator.
    - C5: the accumulator is an integer type wider than the integers, or a float
      type that holds all the floats, and not the element type itself.

    ```mlir
    %3 = tensoraccess.compute dot_prod %2
       : !tensoraccess.access<3x7 | 2x5xf32> -> !tensoraccess.access<3x7 | f32>
    %5 = tensoraccess.compute dot_prod %4 accumulator = i32
       : !tensoraccess.access<3x7 | 2x5xi8> -> !tensoraccess.access<3x7 | i32>
    ```
  }];
  let arguments = (ins TensorAccess_ComputeKindAttr:$kind,
                       TensorAccess_AccessType:$pattern,
                       OptionalAttr<TypeAttr>:$accumulator);
  let assemblyFormat = [{
    custom<ComputeKind>($kind) $pattern (`accumulator` `=` $accumulator^)?
    attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::tensoraccess::ComputeKind":$kind,
                   "::mlir::Value":$pattern), [{
      build($_builder, $_state,
            ComputeKindAttr::get($_builder.getContext(), kind), pattern,
            ::mlir::TypeAttr());
    }]>
  ];
  let hasFolder = 1;
}

def TensorAccess_SystolicArrayOp : TensorAccess_PatternOp<"systolic_array", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "a weight-stationary systolic array of rows × cols cells";
  let description = [{
    `result[a ++ j |] = Σ over r of activations[a | r] · weights[| r, j]`: the
    weights, one item of rows × cols, stay in the cells; activations stream
    through, `rows` of them at each access point. The sum starts from 0 and runs
    in order of r, in f32 for floats below f32, rounded at the end. It is

        compute dot_prod (cart_prod activations, columns of weights)

    with a promise on the shapes, which the hardware needs.

    - C1: rows and cols are ≥ 1.
    - C2: both element types are equal.
    - C3: the activations have compute shape (rows).
    - C4: the weights have no access dimensions and compute shape (rows, cols).

    A `?` for rows or cols is checked at run time.

    With `blocked` the operands may be any sizes: activations of K and weights
    of (K, N) are cut into blocks of rows and of rows × cols, the last ones
    filled up with zeros, and the array is loaded ⌈K/rows⌉·⌈N/cols⌉ times. The
    partial sums of the blocks of rows are added one after the other before they
    are rounded (accumulators below the array); where K ≤ rows the result is that
    of one sum.

    Weights of a batch, `<B | K x N>`, are loaded one after the other, each for
    the activations of its batch, `<B, A | K>`: the result is
    `result[b ++ a ++ j |] = Σ over k of activations[b ++ a | k]·weights[b | k, j]`.

    - C5: `blocked` activations have one compute dimension, K, and the weights
      compute shape (K, N).
    - C6: the access dimensions of `blocked` weights are the first ones of the
      activations.

    With an `accumulator` type elements are extended to it, and all is computed
    in it, as in `dot_prod`: bytes that are summed in i32.

    - C7: the accumulator is one that `compute` could have.

    ```mlir
    %2 = tensoraccess.systolic_array %0, %1 rows = 5 cols = 7
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
      -> !tensoraccess.access<3x7 | f32>
    %3 = tensoraccess.systolic_array %0, %1 rows = 2 cols = 4 blocked
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
      -> !tensoraccess.access<3x7 | f32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$activations,
                       TensorAccess_AccessType:$weights,
                       I64Attr:$rows, I64Attr:$cols, UnitAttr:$blocked,
                       OptionalAttr<TypeAttr>:$accumulator);
  let assemblyFormat = [{
    $activations `,` $weights `rows` `=` $rows `cols` `=` $cols
    (`blocked` $blocked^)? (`accumulator` `=` $accumulator^)? attr-dict `:`
    qualified(type($activations)) `,` qualified(type($weights)) `->`
    qualified(type($result))
  }];
}

def TensorAccess_AcceleratorCallOp
    : TensorAccess_Op<"accelerator_call", [PureIfStatic,
        DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "calls an accelerator by name";
  let description = [{
    The result is what the accelerator's functional model computes from the
    operands: a pure function from access patterns to one access pattern of the
    written type. Models are registered by name (Core/Accelerators.h); a name
    without one is valid, and an error when it is run.

    - C1: the name is not empty.

    ```mlir
    %2 = tensoraccess.accelerator_call "vector-add"(%0, %1)
       : (!tensoraccess.access<| 8xf32>, !tensoraccess.access<| 8xf32>)
      -> !tensoraccess.access<| 8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$target,
                       Variadic<TensorAccess_AccessType>:$patterns);
  let results = (outs TensorAccess_AccessType:$result);
  let assemblyFormat = [{
    $target `(` $patterns `)` attr-dict `:`
    functional-type($patterns, $result)
  }];
  let hasVerifier = 1;
}

#endif // TENSORACCESS_IR_COMPUTEOPS_TD
