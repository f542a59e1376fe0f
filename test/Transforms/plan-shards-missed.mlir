// What can't be cut is whole on every rank, and the remark says why.
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2" --remarks-filter=tensoraccess 2>&1 | FileCheck %s

func.func @whole(%a: tensor<8x6xf32>, %n: index) -> tensor<8x6xf32> {
  %e = tensor.empty() : tensor<4x2x2x3xf32>
  // CHECK: [Missed] plan-shards {{.*}}Reason="it is not known which parts it needs", Remark="linalg.pack is whole on every rank"
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e
         : tensor<8x6xf32> -> tensor<4x2x2x3xf32>
  %f = tensor.empty() : tensor<8x6xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %f
         : tensor<4x2x2x3xf32> -> tensor<8x6xf32>
  // CHECK: [Missed] plan-shards {{.*}}Reason="its offsets are known at run time only", Remark="tensor.extract_slice is whole on every rank"
  %2 = tensor.extract_slice %1[%n, 0] [2, 3] [1, 1] : tensor<8x6xf32> to tensor<2x3xf32>
  // CHECK-NOT: tensor.insert_slice is whole
  %3 = tensor.insert_slice %2 into %1[0, 0] [2, 3] [2, 2] : tensor<2x3xf32> into tensor<8x6xf32>
  // CHECK: [Missed] plan-shards {{.*}}Reason="a dimension of a result is not one loop", Remark="linalg.generic is whole on every rank"
  %4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (7 - i, j)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%3 : tensor<8x6xf32>) outs(%f : tensor<8x6xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8x6xf32>
  return %4 : tensor<8x6xf32>
}
