// Masks in structured ops: linalg.index, compares and selects in their bodies.

// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// Causal attention: the mask is made in the body that scales the scores.
// CHECK: Condition="if finite", Contract="causal(result 0 dim 0, arg 0 dim 0)", Verdict=proved
#rows = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @attention(%q: tensor<5x3xf32>) -> tensor<5x3xf32>
    attributes {tensoraccess.contract = "causal(result 0 dim 0, arg 0 dim 0)"} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %e55 = tensor.empty() : tensor<5x5xf32>
  %e5 = tensor.empty() : tensor<5xf32>
  %e35 = tensor.empty() : tensor<3x5xf32>
  %e53 = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%q : tensor<5x3xf32>) outs(%e35 : tensor<3x5xf32>) permutation = [1, 0]
  %z55 = linalg.fill ins(%zero : f32) outs(%e55 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %0 = linalg.matmul ins(%q, %t : tensor<5x3xf32>, tensor<3x5xf32>) outs(%z55 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<5x5xf32>) outs(%e55 : tensor<5x5xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.cmpi sge, %i, %j : index
    %y = arith.mulf %x, %half : f32
    %r = arith.select %p, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %i5 = linalg.fill ins(%low : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %2 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%1 : tensor<5x5xf32>) outs(%i5 : tensor<5xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %m = arith.maximumf %x, %acc : f32
    linalg.yield %m : f32
  } -> tensor<5xf32>
  %3 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%1, %2 : tensor<5x5xf32>, tensor<5xf32>) outs(%e55 : tensor<5x5xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %z5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %4 = linalg.reduce ins(%3 : tensor<5x5xf32>) outs(%z5 : tensor<5xf32>) dimensions = [1]
    (%x: f32, %acc: f32) {
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
    }
  %5 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%3, %4 : tensor<5x5xf32>, tensor<5xf32>) outs(%e55 : tensor<5x5xf32>) {
  ^bb0(%x: f32, %s: f32, %out: f32):
    %r = arith.divf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<5x5xf32>
  %z53 = linalg.fill ins(%zero : f32) outs(%e53 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %6 = linalg.matmul ins(%5, %q : tensor<5x5xf32>, tensor<5x3xf32>) outs(%z53 : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %6 : tensor<5x3xf32>
}

// -----

// The same select the other way round keeps what it should mask.
// CHECK: error: contract 'ignores(arg 0 dim 0 in [2, 4])' does not hold: {{.*}} through 'linalg.generic'
// CHECK: Contract="ignores(arg 0 dim 0 in [0, 1])", Verdict=proved
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @part(%x: tensor<5xf32>) -> tensor<f32>
    attributes {tensoraccess.contract = ["ignores(arg 0 dim 0 in [2, 4])", "ignores(arg 0 dim 0 in [0, 1])"]} {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<5xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %i = linalg.index 0 : index
    %p = arith.cmpi slt, %i, %two : index
    %b = arith.select %p, %zero, %a : f32
    %s = arith.addf %acc, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Indices as narrower integers, and what is chosen by comparing numbers: never NaN.
// CHECK: Condition="if finite", Contract="causal(result 0 dim 0, arg 0 dim 0)", Verdict=proved
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
func.func @narrow(%x: tensor<5xf32>) -> tensor<5xf32>
    attributes {tensoraccess.contract = "causal(result 0 dim 0, arg 0 dim 0)"} {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%v: f32, %out: f32):
    %p = arith.cmpf ogt, %five, %zero : f32
    %r = arith.select %p, %v, %nan : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %1 = linalg.generic {indexing_maps = [#columns, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<5xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.index_cast %i : index to i64
    %b = arith.index_cast %j : index to i64
    %c = arith.trunci %a : i64 to i32
    %d = arith.trunci %b : i64 to i32
    %p = arith.cmpi sge, %c, %d : i32
    %m = arith.uitofp %p : i1 to f32
    %r = arith.mulf %v, %m : f32
    %s = arith.addf %sum, %r : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
