// Elements and reads that masks make idle, by op and in all, as tensoraccess-ask
// masked tells them; and what of reads and of bytes moved matters.
// RUN: tensoraccess-opt %s --tensoraccess-report=sections=utilization,coalescing,masked --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

// Scores of a causal mask: 10 of 16 matter, with 3 products each. A row of queries
// is read 4 times, and 2.5 times where it matters.
// CHECK: operand | Category:tensoraccess:utilization | Function=causal | {{.*}}Holds=always, Multiplicity=4, MultiplicityThatMatters=2.5, Op=stablehlo.dot_general, Operand=0, {{.*}}Reads=48, ReadsThatMatter=30, {{.*}}Unique=12, UniqueThatMatter=12
// CHECK: operand | Category:tensoraccess:coalescing | Function=causal | {{.*}}BytesThatMatter=40, BytesUsed=64, {{.*}}Holds=always, {{.*}}Operand=%arg2
// CHECK: op | Category:tensoraccess:masked | Function=causal | Elements=16, ElementsThatMatter=10, Holds=always, Op=stablehlo.dot_general, Operations=96, OperationsMasked=36, Reads=48, ReadsThatMatter=30
// CHECK: op | Category:tensoraccess:masked | Function=causal | Elements=16, ElementsThatMatter=10, Holds=always, Op=stablehlo.add, Operations=16, OperationsMasked=6, Reads=16, ReadsThatMatter=10
// CHECK: function | Category:tensoraccess:masked | Function=causal | Holds=always, Operations=112, OperationsMasked=42, Remark="masks make idle 42 of 112 operations"
func.func @causal(%q: tensor<4x3xf32>, %k: tensor<4x3xf32>, %bias: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %j = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %mask = stablehlo.compare GE, %i, %j : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<4x4xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  %t = stablehlo.add %s, %bias : tensor<4x4xf32>
  %r = stablehlo.select %mask, %t, %low : tensor<4x4xi1>, tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A factor of zero: 0 times x is zero if x is finite. In the body of a structured op.
// CHECK: op | Category:tensoraccess:masked | Function=lower | Elements=5, ElementsThatMatter=5, Holds="if all values are finite", Op=linalg.matvec, Operations=50, OperationsMasked=20, Reads=25, ReadsThatMatter=15
// CHECK: function | Category:tensoraccess:masked | Function=lower | Holds="if all values are finite", {{.*}}OperationsMasked=20, Remark="masks make idle 20 of {{[0-9]+}} operations, if all is finite"
func.func @lower(%x: tensor<5xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<5x5xf32>
  %m = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %v = arith.select %c, %one, %zero : f32
    linalg.yield %v : f32
  } -> tensor<5x5xf32>
  %f = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.matvec ins(%m, %x : tensor<5x5xf32>, tensor<5xf32>) outs(%init : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// What an op with effects is given matters.
// CHECK: function | Category:tensoraccess:masked | Function=printed | Holds=always, {{.*}}OperationsMasked=0,
func.func @printed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.custom_call @print(%0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// Without it, it does not.
// CHECK: op | Category:tensoraccess:masked | Function=unused | Elements=4, ElementsThatMatter=0, Holds=always, Op=stablehlo.exponential, Operations=4, OperationsMasked=4
func.func @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %x : tensor<4xf32>
}

// Masks that only the run decides, and sizes that are not known.
// CHECK: op | Category:tensoraccess:masked | Function=given | Op=stablehlo.select, Reason="the mask is known only at run time"
// CHECK: function | Category:tensoraccess:masked | Function=given | Holds=always, Operations=unknown, OperationsMasked=0
func.func @given(%m: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.select %m, %x, %zero : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.negate %y : tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// Nothing is masked of nothing.
// CHECK: function | Category:tensoraccess:masked | Function=empty | Holds=always, Operations=0, OperationsMasked=0
func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = stablehlo.exponential %x : tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
