// What an earlier way of summing in vectors got wrong, or ended the process with.
// RUN: tensoraccess-run %s --entry=rows --inputs=random:1 --no-cache --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=spread --inputs=random:1 --no-cache --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=spread --inputs=random:1 --no-cache --weights=1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=pairs --inputs=random:1 --no-cache --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=cut --inputs=random:1 --no-cache --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=one --inputs=random:1 --no-cache --compare=interpret --profile | FileCheck %s
// RUN: tensoraccess-run %s --entry=divided --inputs=random:1:positive --no-cache --no-checks --weights=1 --compare=interpret | FileCheck %s
// RUN: not tensoraccess-run %s --entry=cast --inputs=random:1 --dynamic-sizes=1000,2 --no-cache --weights=1 2>&1 | FileCheck %s --check-prefix=CAST
// CHECK: equal, bit for bit
// CAST: error: {{.*}}: tensor.cast: result 0 must be 'tensor<640x640xf32>', got f32 1000x2

// Three rows of a result share what they are the largest of.
func.func @rows(%x: tensor<40x64xf32>) -> tensor<3x40xf32> {
  %low = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x40xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<3x40xf32>) -> tensor<3x40xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(r, c, k) -> (c, k)>, affine_map<(r, c, k) -> (r, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<40x64xf32>) outs(%f : tensor<3x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %b, %a : f32
    linalg.yield %m : f32
  } -> tensor<3x40xf32>
  return %r : tensor<3x40xf32>
}

// Every other row of the result stays as it was.
func.func @spread(%x: tensor<32x64xi8>, %w: tensor<64x48xi8>, %y: tensor<63x48xi32>)
    -> tensor<63x48xi32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m * 2, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xi8>, tensor<64x48xi8>) outs(%y : tensor<63x48xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %c = arith.extsi %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %p = arith.muli %c, %d : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<63x48xi32>
  return %r : tensor<63x48xi32>
}

// Panels and pairs of a program's own keep the order of sums.
func.func @pairs(%x: tensor<32x128xbf16>, %w: tensor<2x64x64x2xbf16>, %y: tensor<32x128xf32>)
    -> tensor<32x128xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k, i) -> (m, k * 2 + i)>,
                       affine_map<(m, n, k, i) -> (n floordiv 64, k, n mod 64, i)>,
                       affine_map<(m, n, k, i) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x128xbf16>, tensor<2x64x64x2xbf16>)
      outs(%y : tensor<32x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %c = arith.extf %a : bf16 to f32
    %d = arith.extf %b : bf16 to f32
    %p = arith.mulf %c, %d : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// A last panel that ends with its columns.
func.func @cut(%x: tensor<60x6xf32>, %w: tensor<1x6x40xf32>, %y: tensor<60x40xf32>)
    -> tensor<60x40xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n floordiv 48, k, n mod 48)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<60x6xf32>, tensor<1x6x40xf32>) outs(%y : tensor<60x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<60x40xf32>
  return %r : tensor<60x40xf32>
}

// Fours that are all of a sum.
func.func @one(%x: tensor<16x4xi8>, %w: tensor<16x4xi8>, %y: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(c, k) -> (c, k)>, affine_map<(c, k) -> (c, k)>,
                       affine_map<(c, k) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%x, %w : tensor<16x4xi8>, tensor<16x4xi8>) outs(%y : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %c = arith.extui %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %p = arith.muli %c, %d : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

// Nothing is divided by what fills up a panel.
func.func @divided(%x: tensor<60x64xi32>, %w: tensor<64x37xi32>, %y: tensor<60x37xi32>)
    -> tensor<60x37xi32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<60x64xi32>, tensor<64x37xi32>) outs(%y : tensor<60x37xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %p = arith.divsi %a, %b : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<60x37xi32>
  return %r : tensor<60x37xi32>
}

// What is checked is checked before anything is packed.
func.func @cast(%x: tensor<60x640xf32>, %w: tensor<?x?xf32>) -> tensor<60x640xf32> {
  %zero = arith.constant 0.0 : f32
  %v = tensor.cast %w : tensor<?x?xf32> to tensor<640x640xf32>
  %e = tensor.empty() : tensor<60x640xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<60x640xf32>) -> tensor<60x640xf32>
  %r = linalg.matmul ins(%x, %v : tensor<60x640xf32>, tensor<640x640xf32>)
       outs(%f : tensor<60x640xf32>) -> tensor<60x640xf32>
  return %r : tensor<60x640xf32>
}
