// Two slices, one of them backwards, side by side, and a bias for each column.
func.func @movement(%x: tensor<8x12xf32>, %y: tensor<8x4xf32>,
                    %bias: tensor<1x9xf32>) -> tensor<4x9xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<8x12xf32> -> !tensoraccess.access<8 | 12xf32>
  %1 = tensoraccess.slice %0 offsets = [7, 2] sizes = [4, 5] strides = [-2, 1]
     : !tensoraccess.access<8 | 12xf32> -> !tensoraccess.access<4 | 5xf32>
  %2 = tensoraccess.access %y at 1
     : tensor<8x4xf32> -> !tensoraccess.access<8 | 4xf32>
  %3 = tensoraccess.slice %2 offsets = [0, 0] sizes = [4, 4]
     : !tensoraccess.access<8 | 4xf32> -> !tensoraccess.access<4 | 4xf32>
  %4 = "tensoraccess.concat"(%1, %3) {axis = 1 : i64}
     : (!tensoraccess.access<4 | 5xf32>, !tensoraccess.access<4 | 4xf32>)
    -> !tensoraccess.access<4 | 9xf32>
  %5 = tensoraccess.access %bias at 1
     : tensor<1x9xf32> -> !tensoraccess.access<1 | 9xf32>
  %6 = tensoraccess.broadcast %5
     : !tensoraccess.access<1 | 9xf32> -> !tensoraccess.access<4 | 9xf32>
  %7 = tensoraccess.pair %4, %6
     : !tensoraccess.access<4 | 9xf32>, !tensoraccess.access<4 | 9xf32>
    -> !tensoraccess.access<4 | 2x9xf32>
  %8 = tensoraccess.compute elementwise_add %7
     : !tensoraccess.access<4 | 2x9xf32> -> !tensoraccess.access<4 | 9xf32>
  %9 = tensoraccess.to_tensor %8
     : !tensoraccess.access<4 | 9xf32> -> tensor<4x9xf32>
  return %9 : tensor<4x9xf32>
}
