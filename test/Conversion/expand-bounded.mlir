// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-expand-stablehlo --verify-diagnostics | FileCheck %s

// A size is a number beside the tensor; what a sum takes from outside is 0.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xi32>, %[[N:.*]]: tensor<i32>)
// CHECK: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4x2xi32>
// CHECK: %[[SIZE:.*]] = stablehlo.broadcast_in_dim %[[N]]
// CHECK: %[[INSIDE:.*]] = stablehlo.compare {{.*}}, %[[I]], %[[SIZE]]
// CHECK: %[[ALL:.*]] = stablehlo.select %[[INSIDE]], %[[X]], %{{.*}}
// CHECK: stablehlo.reduce(%[[ALL]] init: %{{.*}})
// CHECK: return %{{.*}}, %[[N]]
func.func @sum(%x: tensor<4x2xi32>, %n: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<4x2xi32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  %1 = "stablehlo.reduce"(%0, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = "stablehlo.add"(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<2xi32>
  %2 = "stablehlo.get_dimension_size"(%0) <{dimension = 0 : i64}> : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  return %1, %2 : tensor<2xi32>, tensor<i32>
}

// -----

// An older form of the same type; a result has its size at run time.
// CHECK-LABEL: func.func @cut
// CHECK-SAME: -> tensor<?xf32>
// CHECK: %[[R:.*]] = stablehlo.set_dimension_size %arg0, %arg1, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
// CHECK: return %[[R]]
func.func @cut(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>> {
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>
  return %0 : tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>
}

// -----

// A maximum that begins at 0 is not a maximum of nothing.
func.func @begins(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<f32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  // expected-error @below {{'stablehlo.reduce' cannot be run: it reduces a bounded dimension, and its initial value is not one that changes nothing}}
  %1 = "stablehlo.reduce"(%0, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = "stablehlo.maximum"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @foreign(%x: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error @below {{'test.op' cannot be run: it is not an op of StableHLO}}
  "test.op"(%x) : (tensor<?xf32, #stablehlo.bounds<4>>) -> ()
  return
}

// -----

func.func @wider(%x: tensor<5xf32>, %n: tensor<i32>) {
  // expected-error @below {{'stablehlo.set_dimension_size' cannot be run: its result must have the sizes of its operand as bounds}}
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// -----

func.func @state(%x: tensor<?xf32, #stablehlo.bounds<4>>, %c: tensor<i1>) -> tensor<?xf32> {
  // expected-error @below {{'stablehlo.while' cannot be run: what it takes and gives must have the same bounds throughout}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<?xf32, #stablehlo.bounds<4>>):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<?xf32, #stablehlo.bounds<4>>):
    "stablehlo.return"(%a) : (tensor<?xf32, #stablehlo.bounds<4>>) -> ()
  }) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
