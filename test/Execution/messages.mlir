// What an engine cannot run is said in the user's terms.
// RUN: not tensoraccess-run %s --entry=solve --engine=interpret 2>&1 | FileCheck %s --check-prefix=SOLVE
// RUN: not tensoraccess-run %s --entry=solve 2>&1 | FileCheck %s --check-prefix=SOLVE-JIT
// RUN: tensoraccess-run %s --entry=pad --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=PAD
// RUN: not tensoraccess-run %s --entry=small 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not tensoraccess-run %s --entry=tile 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: tensoraccess-run %s --entry=scaled --inputs=%S/Inputs/factors.npy,%S/Inputs/factors.npy --compare=%S/Inputs/scaled.npy | FileCheck %s --check-prefix=SCALED
// RUN: tensoraccess-run %s --entry=globals --inputs=random:1 | FileCheck %s --check-prefix=GLOBALS

// SOLVE: messages.mlir:[[#@LINE+3]]:8: error: the interpreter cannot run 'stablehlo.custom_call': it calls 'cublas', which is not known here
// SOLVE-JIT: messages.mlir:[[#@LINE+2]]:8: error: 'stablehlo.custom_call' is not converted to linalg: it calls 'cublas', which is not known here
func.func @solve(%a: tensor<3x3xf32>, %b: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.custom_call"(%a, %b) <{call_target_name = "cublas"}> : (tensor<3x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// PAD: result 0  f32 6
// PAD: compare 0  equal, bit for bit
func.func @pad(%a: tensor<3xf32>) -> tensor<6xf32> {
  %p = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %a, %p, %z : (tensor<3xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// SMALL: messages.mlir:[[#@LINE+2]]:8: error: 'arith.bitcast' computes with type 'f8E4M3FN', which compiled code does not hold
func.func @small(%a: tensor<4xi8>) -> tensor<4xf32> {
  %b = arith.bitcast %a : tensor<4xi8> to tensor<4xf8E4M3FN>
  %n = arith.negf %b : tensor<4xf8E4M3FN>
  %c = arith.extf %n : tensor<4xf8E4M3FN> to tensor<4xf32>
  return %c : tensor<4xf32>
}

// TILE: messages.mlir:[[#@LINE+4]]:8: error: 'amx.tile_zero' computes with type '!amx.tile<16x64xi8>', which compiled code does not hold
func.func @tile() {
  %x = memref.alloc() : memref<16x64xi8>
  %c = arith.constant 0 : index
  %0 = amx.tile_zero : !amx.tile<16x64xi8>
  amx.tile_store %x[%c, %c], %0 : memref<16x64xi8>, !amx.tile<16x64xi8>
  return
}

// (a·b + 2) / 4, rounded down: the squares of -7, -3, 2, 5.
// SCALED: compare 0  equal, bit for bit: 4 of 4
func.func @scaled(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %s = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// GLOBALS: result 0  f32  value 2.5
ml_program.global private @scale(2.5 : f32) : f32
func.func @globals() -> f32 {
  %0 = ml_program.global_load_const @scale : f32
  return %0 : f32
}
