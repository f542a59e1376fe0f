// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-expand-stablehlo --verify-diagnostics | FileCheck %s

// What is annotated is whole, whatever the number of partitions.
// CHECK-LABEL: func.func @placed
// CHECK-NEXT: return %arg0, %arg1
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @placed(%a: tensor<3xf32>, %b: tensor<3xi8>) -> (tensor<3xf32>, tensor<3xi8>) {
    %0 = "stablehlo.custom_call"(%a) <{call_target_name = "Sharding"}> {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<3xf32>) -> tensor<3xf32>
    %1:2 = "stablehlo.custom_call"(%0, %b) <{call_target_name = "xla.sdy.LocalToGlobalShape"}> : (tensor<3xf32>, tensor<3xi8>) -> (tensor<3xf32>, tensor<3xi8>)
    return %1#0, %1#1 : tensor<3xf32>, tensor<3xi8>
  }
}

// -----

// A sum over one device is a conversion at most.
// CHECK-LABEL: func.func @alone
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<3xf32>) -> tensor<3xf64>
// CHECK-NEXT: %[[ID:.*]] = stablehlo.constant dense<0> : tensor<ui32>
// CHECK-NEXT: return %[[WIDE]], %[[ID]]
func.func @alone(%a: tensor<3xf32>) -> (tensor<3xf64>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    "stablehlo.return"(%s) : (tensor<f64>) -> ()
  }) : (tensor<3xf32>) -> tensor<3xf64>
  %1 = "stablehlo.partition_id"() : () -> tensor<ui32>
  return %0, %1 : tensor<3xf64>, tensor<ui32>
}

// -----

// Parts that are whole are computed in place.
// CHECK-LABEL: func.func @manual
// CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: return %[[R]]
func.func @manual(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "sdy.manual_computation"(%a) ({
  ^bb0(%x: tensor<3xf32>):
    %1 = "stablehlo.add"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "sdy.return"(%1) : (tensor<3xf32>) -> ()
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @parts(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{'sdy.manual_computation' cannot be run: it computes on parts that several devices have, and it runs on one here: lower it for one device, before it is partitioned}}
  %0 = "sdy.manual_computation"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    "sdy.return"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @cut(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{'stablehlo.custom_call' cannot be run: of 'tensor<4xf32>' it makes 'tensor<2xf32>', as on several devices, and it runs on one here}}
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "SPMDFullToShardShape"}> : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @pair(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.collective_permute' cannot be run: device 0 sends to device 1, and it runs on one here: lower it for one device, before it is partitioned}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @groups(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.collective_broadcast' cannot be run: 'replica_groups' must be a list of groups of devices}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<0> : tensor<1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @types(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.all_gather' cannot be run: a group of one device must leave its operands' types}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @number() -> tensor<ui32> {
    // expected-error @below {{'stablehlo.replica_id' cannot be run: the program is one for 2 devices, and it runs on one here}}
    %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
    return %0 : tensor<ui32>
  }
}
