// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-raise \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-raise=kinds=convolution,movement \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KINDS
// RUN: not tensoraccess-opt %s --tensoraccess-raise=kinds=scan 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BAD

// BAD: unknown kind 'scan'; known are contraction, convolution, pooling, reduction, elementwise, softmax, movement

// CHECK: remark: [Missed] raise {{.*}}Function=buffers {{.*}}Reason="it works on buffers", Remark="linalg.matmul is not raised"
// CHECK: linalg.matmul
func.func @buffers(%p: memref<3x5xf32>, %q: memref<5x7xf32>,
                   %i: memref<3x7xf32>) {
  linalg.matmul ins(%p, %q : memref<3x5xf32>, memref<5x7xf32>)
      outs(%i : memref<3x7xf32>)
  return
}

// -----

// The account of a function: what was raised, with its kind, and what was not.
// CHECK: remark: [Passed] raise {{.*}}Function=account {{.*}}Kind=contraction, Remark="linalg.matmul is raised"
// CHECK: remark: [Missed] raise {{.*}}Reason="it computes math.exp, which is not a compute kind", Remark="linalg.exp is not raised"
// CHECK: remark: [Analysis] raise {{.*}}Function=account {{.*}}Contractions=1, Convolutions=0, Elementwise=0, Missed=1, Movements=0, Poolings=0, Reductions=0, Softmaxes=0
// KINDS: remark: [Missed] raise {{.*}}Reason="kind `contraction` is not asked for", Remark="linalg.matmul is not raised"
func.func @account(%p: tensor<3x5xf32>, %q: tensor<5x7xf32>)
    -> tensor<3x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7xf32>)
      -> tensor<3x7xf32>
  %0 = linalg.matmul ins(%p, %q : tensor<3x5xf32>, tensor<5x7xf32>)
      outs(%i : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.exp ins(%0 : tensor<3x7xf32>) outs(%e : tensor<3x7xf32>)
      -> tensor<3x7xf32>
  return %1 : tensor<3x7xf32>
}

// -----

// CHECK: Reason="it reduces by arith.maxnumf, which ignores NaN; reduce_max keeps it"
// CHECK: linalg.reduce
func.func @without_nan(%x: tensor<3x5xf32>, %i: tensor<3xf32>)
    -> tensor<3xf32> {
  %0 = linalg.reduce { arith.maxnumf } ins(%x : tensor<3x5xf32>)
      outs(%i : tensor<3xf32>) dimensions = [1]
  return %0 : tensor<3xf32>
}

// -----

// A reduction that could be empty has a maximum only in linalg.
// CHECK: Reason="it reduces ? elements, possibly none"
func.func @maybe_empty(%x: tensor<3x?xf32>, %i: tensor<3xf32>)
    -> tensor<3xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<3x?xf32>)
      outs(%i : tensor<3xf32>) dimensions = [1]
  return %0 : tensor<3xf32>
}

// -----

// CHECK: Reason="an operand is repeated a number of times that is unknown at compile time"
func.func @unknown_repetition(%x: tensor<f32>) -> tensor<?x5xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64>}>
      : (tensor<f32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

// Of two unknown sizes either may be 1, and then that operand is repeated.
// CHECK: Reason="dimension 0 of operand 0 has a size unknown at compile time, and is repeated if it is 1"
func.func @either_repeated(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>)
    -> tensor<?x5xf32> {
  %0 = tosa.add %x, %y
      : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

// CHECK: Reason="dimension 0 of operand 1 has a size unknown at compile time, and is repeated if it is 1"
func.func @one_repeated(%x: tensor<4x3xf32>, %y: tensor<?x3xf32>)
    -> tensor<4x3xf32> {
  %0 = tosa.add %x, %y
      : (tensor<4x3xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK: Reason="its bias has a size unknown at compile time, and is repeated if it is 1"
func.func @bias_repeated(%x: tensor<1x4x4x2xf32>, %w: tensor<3x1x1x2xf32>,
                         %b: tensor<?xf32>) -> tensor<1x4x4x3xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {
      acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
      stride = array<i64: 1, 1>}
      : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>, tensor<?xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

// CHECK: Reason="dimension 0 of its operand has a size unknown at compile time, and is repeated if it is 1"
func.func @hlo_repeated(%x: tensor<?xf32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0>}>
      : (tensor<?xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Without rows the op reads nothing, and a slice would read row 2.
// CHECK: Reason="dimension 0 is read at places that it need not have where a loop is empty, and its size is unknown at compile time"
func.func @read_by_nobody(%x: tensor<?x3xf32>, %i: tensor<?x3xf32>)
    -> tensor<?x3xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (2, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%i : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// CHECK: Reason="a window slides over dimension 0, whose size is unknown at compile time"
func.func @unknown_places(%x: tensor<?xf32>, %w: tensor<3xf32>,
                          %i: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<3xf32>)
      outs(%i : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK: Reason="an operand is indexed by loop 0 twice"
func.func @diagonal(%x: tensor<3x3xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<3x3xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: Reason="its arithmetic is on elements of type i1"
func.func @bits(%x: tensor<3xi1>, %y: tensor<3xi1>) -> tensor<3xi1> {
  %0 = arith.addi %x, %y : tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

// CHECK: Reason="the sizes of its access pattern multiply to more than 2^63 - 1"
func.func @huge(%x: tensor<4194304x2097152xi8>, %y: tensor<2097152x4194304xi8>,
                %i: tensor<4194304x4194304xi8>) -> tensor<4194304x4194304xi8> {
  %0 = linalg.matmul
      ins(%x, %y : tensor<4194304x2097152xi8>, tensor<2097152x4194304xi8>)
      outs(%i : tensor<4194304x4194304xi8>) -> tensor<4194304x4194304xi8>
  return %0 : tensor<4194304x4194304xi8>
}

// -----

// The least boolean is false: true is the greater one of any two.
// CHECK: Reason="its arithmetic is on elements of type i1"
func.func @greatest_boolean(%x: tensor<4xi1>) -> tensor<4xi1> {
  %true = "stablehlo.constant"() {value = dense<true> : tensor<4xi1>} : () -> tensor<4xi1>
  %0 = "stablehlo.maximum"(%x, %true) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// A map that divides by a number below 1: of numbers, that is.
// CHECK: remark: [Passed] raise {{.*}}Function=divisor {{.*}}Kind=movement, Remark="linalg.generic is raised"
// CHECK-LABEL: func @divisor
// CHECK: return %arg0
func.func @divisor(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (-(d0 floordiv -1))>,
                       affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
