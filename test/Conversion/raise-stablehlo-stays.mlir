// The account of ops of StableHLO that no access pattern stands for: which op,
// and what about it.
// RUN: tensoraccess-opt %s --tensoraccess-raise --remarks-filter="tensoraccess.*" \
// RUN:   --remark-policy=all -o %t 2>&1 | FileCheck %s

// CHECK: Function=places {{.*}}Reason="operands 1 to 2 say where it begins, and access patterns have no places or sizes from data", Remark="stablehlo.dynamic_slice is not raised"
// CHECK: Reason="operand 1 says which places it reads, and access patterns have no places or sizes from data", Remark="stablehlo.gather is not raised"
// CHECK: Reason="operands 2 to 3 say where it writes, and access patterns have no places or sizes from data", Remark="stablehlo.dynamic_update_slice is not raised"
// CHECK: Reason="operand 1 says which places it writes, and access patterns have no places from data", Remark="stablehlo.scatter is not raised"
// CHECK: Reason="operand 1 says its shape, and access patterns have no places or sizes from data", Remark="stablehlo.dynamic_reshape is not raised"
// CHECK: Reason="its comparator decides by the data where each element goes", Remark="stablehlo.sort is not raised"
// CHECK: Reason="its elements are their own places, which no view of an operand has", Remark="stablehlo.iota is not raised"
func.func @places(%x: tensor<3x5xf32>, %i: tensor<i32>, %at: tensor<7x1xi32>,
                  %u: tensor<1x5xf32>, %shape: tensor<1xi32>)
    -> (tensor<1x5xf32>, tensor<7x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>,
        tensor<?xf32>, tensor<3x5xf32>, tensor<3xi32>) {
  %0 = "stablehlo.dynamic_slice"(%x, %i, %i) <{slice_sizes = array<i64: 1, 5>}> : (tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
  %1 = "stablehlo.gather"(%x, %at) : (tensor<3x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  %2 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %i) : (tensor<3x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32>
  %3 = "stablehlo.scatter"(%x, %at, %u) : (tensor<3x5xf32>, tensor<7x1xi32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  %4 = "stablehlo.dynamic_reshape"(%x, %shape) : (tensor<3x5xf32>, tensor<1xi32>) -> tensor<?xf32>
  %5 = "stablehlo.sort"(%x) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %6 = "stablehlo.iota"() : () -> tensor<3xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x5xf32>, tensor<7x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<?xf32>, tensor<3x5xf32>, tensor<3xi32>
}

// CHECK: Function=calls {{.*}}Reason="it calls 'f', which is not known here", Remark="stablehlo.custom_call is not raised"
// CHECK: Reason="its meaning as 'my.gelu' is that of another function, which is raised by itself", Remark="stablehlo.composite is not raised"
// CHECK: Reason="operand 0 decides which of its regions runs", Remark="stablehlo.case is not raised"
// CHECK: Reason="it exchanges data with other devices", Remark="stablehlo.all_gather is not raised"
// CHECK: Reason="it computes stablehlo.compare, which is not a compute kind", Remark="stablehlo.compare is not raised"
// CHECK: Reason="it computes chlo.erf, which is not a compute kind", Remark="chlo.erf is not raised"
// CHECK: Reason="it converts f32 to bf16, and no view changes the element type", Remark="stablehlo.convert is not raised"
func.func @calls(%x: tensor<3xf32>, %i: tensor<i32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<6xf32>,
        tensor<3xi1>, tensor<3xf32>, tensor<3xbf16>) {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f"}> : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "stablehlo.composite"(%x) <{name = "my.gelu"}> : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%x) : (tensor<3xf32>) -> ()
  }) : (tensor<i32>) -> tensor<3xf32>
  %3 = "stablehlo.all_gather"(%x) : (tensor<3xf32>) -> tensor<6xf32>
  %4 = "stablehlo.compare"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %5 = "chlo.erf"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %6 = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xbf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<6xf32>, tensor<3xi1>, tensor<3xf32>, tensor<3xbf16>
}

// CHECK: Function=reduces {{.*}}Reason="operand 1, its initial value, is not known to be the least of its type", Remark="stablehlo.reduce is not raised"
// CHECK: Reason="its body is not a single op on its arguments", Remark="stablehlo.reduce is not raised"
// CHECK: Reason="it divides integers: by 0 it has a result, elementwise_div an error", Remark="stablehlo.divide is not raised"
func.func @reduces(%x: tensor<3x5xf32>, %i: tensor<f32>, %n: tensor<3xi32>)
    -> (tensor<5xf32>, tensor<5xf32>, tensor<3xi32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = "stablehlo.abs"(%b) : (tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.add"(%a, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
  %2 = "stablehlo.divide"(%n, %n) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0, %1, %2 : tensor<5xf32>, tensor<5xf32>, tensor<3xi32>
}

// CHECK: Function=runs {{.*}}Reason="its windows reach to one end of dimension 1: loops run along it once, windows once an element", Remark="stablehlo.reduce_window is not raised"
func.func @runs(%x: tensor<3x5xf32>, %i: tensor<f32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
