// What the interpreter cannot run is an error at the op, with the reason.
// RUN: not tensoraccess-run %s --entry=custom --engine=interpret 2>&1 | FileCheck %s --check-prefix=CUSTOM
// RUN: not tensoraccess-run %s --entry=sizes --engine=interpret 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tensoraccess-run %s --entry=body --engine=interpret 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not tensoraccess-run %s --entry=branches --engine=interpret 2>&1 | FileCheck %s --check-prefix=BRANCHES
// RUN: not tensoraccess-run %s --entry=choice --engine=interpret 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not tensoraccess-run %s --entry=custom 2>&1 | FileCheck %s --check-prefix=COMPILED

// CUSTOM: stablehlo-faults.mlir:[[#@LINE+3]]:8: error: the interpreter cannot run 'stablehlo.custom_call'
// COMPILED: stablehlo-faults.mlir:[[#@LINE+2]]:8: error: 'stablehlo.custom_call' is not converted to linalg: it calls 'f', which is not known here
func.func @custom(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "f"}> : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// SIZES: error: the interpreter cannot run 'stablehlo.slice': dimension 0 is not sliced inside
func.func @sizes(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.slice"(%a) <{limit_indices = array<i64: 4>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// BODY: error: the interpreter cannot run 'stablehlo.reduce': its body must take 2 values, got 1
func.func @body(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// BRANCHES: error: the interpreter cannot run 'stablehlo.if'
func.func @branches(%c: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%c) ({
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHOICE: error: the interpreter cannot run 'stablehlo.select_and_scatter': its choice must be an i1
func.func @choice(%a: tensor<5xf32>, %b: tensor<2xf32>, %z: tensor<f32>) -> tensor<5xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<5xf32>, tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
