// A padded max pooling, an elementwise op and a transpose after it.
func.func @pooled(%x: tensor<1x13x9x5xf32>) -> tensor<1x7x5x6xf32> {
  %low = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 1] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %low : f32
  } : tensor<1x13x9x5xf32> to tensor<1x15x11x6xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x7x5x6xf32>
  %init = linalg.fill ins(%low : f32) outs(%e : tensor<1x7x5x6xf32>)
            -> tensor<1x7x5x6xf32>
  %pool = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
            ins(%p, %window : tensor<1x15x11x6xf32>, tensor<3x3xf32>)
            outs(%init : tensor<1x7x5x6xf32>) -> tensor<1x7x5x6xf32>
  %o = tensor.empty() : tensor<1x7x5x6xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>,
                       affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%pool : tensor<1x7x5x6xf32>) outs(%o : tensor<1x7x5x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x7x5x6xf32>
  return %r : tensor<1x7x5x6xf32>
}

// Attention with (x - max)² for exp, so that both engines give equal bits.
func.func @attention(%q: tensor<2x5x4xf32>, %k: tensor<2x6x4xf32>,
                     %v: tensor<2x6x8xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x5x6xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x5x6xf32>)
          -> tensor<2x5x6xf32>
  %scores = linalg.generic {
      indexing_maps = [affine_map<(b, i, j, c) -> (b, i, c)>,
                       affine_map<(b, i, j, c) -> (b, j, c)>,
                       affine_map<(b, i, j, c) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x5x4xf32>, tensor<2x6x4xf32>)
      outs(%s0 : tensor<2x5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e1 = tensor.empty() : tensor<2x5xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e1 : tensor<2x5xf32>)
          -> tensor<2x5xf32>
  %max = linalg.reduce ins(%scores : tensor<2x5x6xf32>)
           outs(%m0 : tensor<2x5xf32>) dimensions = [2]
           (%a: f32, %b: f32) {
             %r = arith.maximumf %a, %b : f32
             linalg.yield %r : f32
           }
  %e2 = tensor.empty() : tensor<2x5x6xf32>
  %exp = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
                       affine_map<(b, i, j) -> (b, i)>,
                       affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<2x5x6xf32>, tensor<2x5xf32>)
      outs(%e2 : tensor<2x5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %r = arith.mulf %d, %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e3 = tensor.empty() : tensor<2x5x8xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x5x8xf32>)
          -> tensor<2x5x8xf32>
  %o = linalg.batch_matmul
         ins(%exp, %v : tensor<2x5x6xf32>, tensor<2x6x8xf32>)
         outs(%o0 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %o : tensor<2x5x8xf32>
}
