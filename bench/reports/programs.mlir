// jax-ml/jax#39301: rolling a sharded array joined parts of wrong sizes
// after: tensoraccess-tile{sizes=2}
// f(x := np.arange(4.)) == (np.roll(x, 3), np.roll(x, -3))
// sharded("x=2", "f", x := np.arange(4.)) == (np.roll(x, 3), np.roll(x, -3))
func.func @f(%x: tensor<4xf32> {tensoraccess.distribution = "{d0: x}"})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.extract_slice %x[3] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %1 = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %2 = tensor.extract_slice %x[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %3 = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %e = tensor.empty() : tensor<4xf32>
  %4 = tensor.insert_slice %2 into %e[0] [3] [1] : tensor<3xf32> into tensor<4xf32>
  %5 = tensor.insert_slice %3 into %4[3] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %6 = tensor.insert_slice %0 into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %7 = tensor.insert_slice %1 into %6[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %5, %7 : tensor<4xf32>, tensor<4xf32>
}
