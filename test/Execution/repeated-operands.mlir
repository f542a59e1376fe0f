// Ops after a sum that read it twice: as what they take, and as what they write to.
// RUN: tensoraccess-run %s --entry=matvec --inputs=random:2 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=matmul --inputs=random:3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=matmul --inputs=random:3 --plain --compare=interpret | FileCheck %s
// CHECK: compare 0  equal

#id = affine_map<(i) -> (i)>
func.func @matvec(%a: tensor<3x2xi32>, %b: tensor<2xi32>) -> tensor<3xi32> {
  %c = arith.constant dense<3> : tensor<3xi32>
  %v = linalg.matvec ins(%a, %b : tensor<3x2xi32>, tensor<2xi32>) outs(%c : tensor<3xi32>) -> tensor<3xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<3xi32>) outs(%v : tensor<3xi32>) {
  ^bb0(%x: i32, %o: i32):
    %m = arith.muli %o, %x : i32
    linalg.yield %m : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

#both = affine_map<(i, j) -> (i, j)>
func.func @matmul(%a: tensor<9x17xf32>, %b: tensor<17x21xf32>, %c: tensor<9x21xf32>) -> tensor<9x21xf32> {
  %v = linalg.matmul ins(%a, %b : tensor<9x17xf32>, tensor<17x21xf32>) outs(%c : tensor<9x21xf32>) -> tensor<9x21xf32>
  %r = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<9x21xf32>) outs(%v : tensor<9x21xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.mulf %o, %x : f32
    linalg.yield %m : f32
  } -> tensor<9x21xf32>
  return %r : tensor<9x21xf32>
}
