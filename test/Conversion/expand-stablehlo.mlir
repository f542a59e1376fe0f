// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-expand-stablehlo --verify-diagnostics | FileCheck %s

// Where values are is nothing that a program computes.
// CHECK-NOT: sdy
// CHECK-LABEL: func.func @shardings
// CHECK-NEXT: return %arg0
"sdy.mesh"() <{sym_name = "empty_mesh"}> : () -> ()
func.func @shardings(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "sdy.sharding_constraint"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// The least significant bits come first.
// CHECK-LABEL: func.func @split
// CHECK: %[[BITS:.*]] = stablehlo.bitcast_convert %arg0 : (tensor<3xf32>) -> tensor<3xui32>
// CHECK: %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[BITS]], dims = [0]
// CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<3x2xui32>
// CHECK: %[[BY:.*]] = stablehlo.multiply %[[I]]
// CHECK: stablehlo.shift_right_logical %[[ALL]], %[[BY]]
// CHECK: stablehlo.convert{{.*}} -> tensor<3x2xui16>
// CHECK: stablehlo.bitcast_convert{{.*}} -> tensor<3x2xf16>
func.func @split(%a: tensor<3xf32>) -> tensor<3x2xf16> {
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3xf32>) -> tensor<3x2xf16>
  return %0 : tensor<3x2xf16>
}

// CHECK-LABEL: func.func @join
// CHECK-COUNT-2: stablehlo.shift_left
// CHECK: stablehlo.or
// CHECK-NOT: stablehlo
func.func @join(%a: tensor<3x2xui8>) -> tensor<3xui16> {
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3x2xui8>) -> tensor<3xui16>
  return %0 : tensor<3xui16>
}

// -----

// Row after row the lower triangle is the upper one, column after column.
// CHECK-LABEL: func.func @cholesky
// CHECK: stablehlo.custom_call @tensoraccess.lapack(%arg0) {options = "U", routine = "dpotrf"} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
func.func @cholesky(%a: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xf64>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}

// A x = b is read as the transposed equation; complex numbers are pairs.
// CHECK-LABEL: func.func @solve
// CHECK: stablehlo.custom_call{{.*}}options = "RLCU", routine = "ctrsm"
// CHECK-SAME: (tensor<3x3x2xf32>, tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
func.func @solve(%a: tensor<3x3xcomplex<f32>>, %b: tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<3x3xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  return %0 : tensor<3x5xcomplex<f32>>
}

// What JAX calls: layouts become transposes around the call.
// CHECK-LABEL: func.func @lu
// CHECK: %[[A:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK: %[[R:.*]]:3 = stablehlo.custom_call {{.*}}(%[[A]]) {{.*}}routine = "sgetrf"{{.*}} -> (tensor<4x3xf32>, tensor<3xi32>, tensor<i32>)
// CHECK: stablehlo.transpose %[[R]]#0, dims = [1, 0]
func.func @lu(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0:3 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgetrf_ffi", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]}> : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @bits
// CHECK-COUNT-20: stablehlo.xor
// CHECK-NOT: rng_bit_generator
func.func @bits(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui8>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui8>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<3x4xui8>
}

// -----

func.func @state(%s: tensor<4xui64>) -> tensor<3xui8> {
  // expected-error @below {{'stablehlo.rng_bit_generator' cannot be run: its state must be a tensor of 2 or 3 ui64}}
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<4xui64>) -> (tensor<4xui64>, tensor<3xui8>)
  return %0#1 : tensor<3xui8>
}

// -----

func.func @algorithm(%s: tensor<2xui64>) -> tensor<3xui8> {
  // expected-error @below {{'stablehlo.rng_bit_generator' cannot be run: its algorithm must be DEFAULT, THREE_FRY or PHILOX}}
  %0:2 = "stablehlo.rng_bit_generator"(%s) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui8>)
  return %0#1 : tensor<3xui8>
}

// -----

func.func @width(%a: tensor<3x3xui8>) -> tensor<3xui16> {
  // expected-error @below {{'stablehlo.bitcast_convert' cannot be run: its last dimension must have as many elements as their bits}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<3x3xui8>) -> tensor<3xui16>
  return %0 : tensor<3xui16>
}

// -----

func.func @oblong(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error @below {{'stablehlo.cholesky' cannot be run: its matrices must be square}}
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @integers(%a: tensor<3x3xi32>) -> tensor<3x3xi32> {
  // expected-error @below {{'stablehlo.cholesky' cannot be run: its operand must have elements of floats or complex<f32>, complex<f64>}}
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return %0 : tensor<3x3xi32>
}

// -----

func.func @sides(%a: tensor<3x3xf32>, %b: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @below {{'stablehlo.triangular_solve' cannot be run: its operands must be batches of square matrices}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @unknown_sizes(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{'stablehlo.cholesky' cannot be run: its operand must be a tensor of static shape and rank 2 or more}}
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @routine(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @below {{'stablehlo.custom_call' cannot be run: there is no routine 'sgetri' of LAPACK here}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgetri_ffi"}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @layouts(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error @below {{'stablehlo.custom_call' cannot be run: 'operand_layouts' must say how tensor 0 of static shape is laid out}}
  %0:3 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgetrf_ffi"}> : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0 : tensor<3x4xf32>
}
