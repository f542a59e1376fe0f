// RUN: tensoraccess-opt %s --tensoraccess-tile=sizes=4 | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-tile=sizes=5 | FileCheck %s --check-prefix=BODY
// RUN: tensoraccess-opt %s --tensoraccess-tile=sizes=4 -o /dev/null --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// A tile of 4 is two pairs, wherever it is; one of 5 begins in the middle of one
// at every other place, and the body says where elements are in the slice.
// CHECK-DAG: #[[$PAIR:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$BACK:.*]] = affine_map<(d0) -> (-d0 + 3)>
// CHECK-LABEL: @pairs
// CHECK: %[[O:.*]] = affine.apply #[[$PAIR]](%{{.*}})
// CHECK: tensor.extract_slice %{{.*}}[%[[O]]] [2] [1] : tensor<6xf32> to tensor<2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$PAIR]], #[[$ID]]]
// BODY-DAG: #[[$PAIR:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// BODY-DAG: #[[$PLACE:.*]] = affine_map<(d0)[s0] -> ((d0 + s0) floordiv 2 - d0 floordiv 2)>
// BODY-LABEL: @pairs
// BODY: scf.for %[[I:.*]] = %{{.*}} to
// BODY: %[[O:.*]] = affine.apply #[[$PAIR]](%[[I]])
// BODY: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%[[O]]]
// BODY: linalg.generic
// BODY: %[[D:.*]] = linalg.index 0
// BODY: %[[P:.*]] = affine.apply #[[$PLACE]](%[[I]])[%[[D]]]
// BODY: tensor.extract %[[SLICE]][%[[P]]]
func.func @pairs(%x: tensor<6xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<6xf32>) outs(%e : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// The slice begins where the tile ends.
// CHECK-LABEL: @reversed
// CHECK: tensor.extract_slice %{{.*}} [4] [1] : tensor<12xf32> to tensor<4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$BACK]], #[[$ID]]]
// BODY-LABEL: @reversed
// BODY: tensor.extract %
func.func @reversed(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (-i + 11)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// A loop that only an operand of the body had the size of gets a tensor that
// has no other purpose.
// BODY-LABEL: @summed
// BODY: %[[SIZE:.*]] = tensor.empty() : tensor<3xf32>
// BODY: linalg.generic {{.*}} ins(%[[SIZE]] : tensor<3xf32>)
func.func @summed(%x: tensor<12x3xf32>, %y: tensor<12xf32>) -> tensor<12xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (-i + 11, k)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x3xf32>) outs(%y : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// A producer is fused into the slice that is read backwards.
// CHECK-LABEL: @fused
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: linalg.generic {indexing_maps = [#[[$BACK]], #[[$ID]]]
// REMARK: Function=fused | {{.*}}Remark="linalg.exp is fused", SliceIsTile={{1|true}}
func.func @fused(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %p = linalg.exp ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (-i + 11)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%p : tensor<12xf32>) outs(%e : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// Upstream forgets where in a block a tile of an unpacking begins: it is tiled as
// the quotients and remainders that it is.
// CHECK-LABEL: @unpacked
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract %
func.func @unpacked(%x: tensor<4x3xf32>) -> tensor<11xf32> {
  %e = tensor.empty() : tensor<11xf32>
  %r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [3] into %e
     : tensor<4x3xf32> -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// What no slice holds stays as it is.
// REMARK: Function=written | {{.*}}Reason="its result's dimensions are not its loops", Remark="linalg.generic is not tiled"
// CHECK-LABEL: @written
// CHECK-NOT: scf.for
func.func @written(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (-i + 11)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// Of a softmax the sum takes all elements, but upstream slices it.
// REMARK: Function=softmax | {{.*}}Reason="upstream's slice of operand 0 is not known to hold what a tile reads along dimension 0", Remark="linalg.softmax is not tiled"
// CHECK-LABEL: @softmax
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.softmax
func.func @softmax(%x: tensor<12xf32>) -> tensor<12xf32> {
  %e = tensor.empty() : tensor<12xf32>
  %r = linalg.softmax dimension(0) ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// How wide the padding is is known at run time only.
// REMARK: Function=padded | {{.*}}Reason="upstream's slice of operand 0 is not known to hold what a tile reads along dimension 0", Remark="tensor.pad is not tiled"
// CHECK-LABEL: @padded
// CHECK-NOT: scf.for
func.func @padded(%x: tensor<?xf32>, %low: index) -> tensor<12xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[%low] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<12xf32>
  return %r : tensor<12xf32>
}

// No engine runs it, so upstream's tiling of it was never compared.
// REMARK: Function=winograd | {{.*}}Reason="upstream's tiling of it is not known to be right", Remark="linalg.winograd_filter_transform is not tiled"
func.func @winograd(%x: tensor<8x3x3x5xf32>, %y: tensor<6x6x5x8xf32>) -> tensor<6x6x5x8xf32> {
  %r = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<8x3x3x5xf32>) outs(%y : tensor<6x6x5x8xf32>) -> tensor<6x6x5x8xf32>
  return %r : tensor<6x6x5x8xf32>
}
