// RUN: tensoraccess-opt %s --tensoraccess-foreign-to-linalg | FileCheck %s \
// RUN:   --implicit-check-not=tosa. --implicit-check-not=linalg.softmax \
// RUN:   --implicit-check-not=linalg.pack --implicit-check-not=linalg.unpack \
// RUN:   --implicit-check-not=tensor.concat

// CHECK-LABEL: @tosa
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: tensor.extract_slice
func.func @tosa(%a: tensor<3x5xf32>, %b: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %0 = tosa.add %a, %b : (tensor<3x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  %start = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.slice %0, %start, %size : (tensor<3x5xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// CHECK-LABEL: @softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensor.empty() : tensor<3x5xf32>
  %1 = linalg.softmax dimension(1) ins(%a : tensor<3x5xf32>)
                                   outs(%0 : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// CHECK-LABEL: @pack
// CHECK: tensor.pad
// CHECK: linalg.transpose
func.func @pack(%a: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x1x4x8xf32>
  %1 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1]
      inner_tiles = [4, 8] into %0 : tensor<7x5xf32> -> tensor<2x1x4x8xf32>
  %2 = tensor.empty() : tensor<7x5xf32>
  %3 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %2
     : tensor<2x1x4x8xf32> -> tensor<7x5xf32>
  return %3 : tensor<7x5xf32>
}

// One block of a dimension that is not the last.
// CHECK-LABEL: @unpack_leading
// CHECK: linalg.transpose
// CHECK: tensor.extract_slice {{.*}} : tensor<3x1xf32> to tensor<2x1xf32>
func.func @unpack_leading(%a: tensor<1x1x3xf32>) -> tensor<2x1xf32> {
  %0 = tensor.empty() : tensor<2x1xf32>
  %1 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [3] into %0
     : tensor<1x1x3xf32> -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}

// CHECK-LABEL: @concat
// CHECK-COUNT-2: tensor.insert_slice
func.func @concat(%a: tensor<3x5xf32>, %b: tensor<3x2xf32>) -> tensor<3x7xf32> {
  %0 = tensor.concat dim(1) %a, %b
     : (tensor<3x5xf32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// Coordinates are checked, since one outside may be anywhere in memory.
// CHECK-LABEL: @gather
// CHECK: linalg.generic
// CHECK: %[[K:.*]] = tensor.extract %{{.*}}[%[[I:.*]], %{{.*}}] : tensor<?x1xi32>
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK: tensoraccess.assert %{{.*}}, "tensor.gather: index {0} of dimension 1 must lie in [0, 5)"
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[PLACE]]] : tensor<3x5xf32>
func.func @gather(%a: tensor<3x5xf32>, %i: tensor<?x1xi32>) -> tensor<?x3xf32> {
  %0 = tensor.gather %a[%i] gather_dims([1]) : (tensor<3x5xf32>, tensor<?x1xi32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @scatter
// CHECK: scf.for %{{.*}} iter_args(%[[DEST:.*]] = %{{.*}}) -> (tensor<3x5xf32>)
// CHECK: %[[ROW:.*]] = tensor.extract_slice
// CHECK: tensoraccess.assert
// CHECK: tensor.insert_slice %[[ROW]] into %[[DEST]]
func.func @scatter(%s: tensor<2x3xf32>, %a: tensor<3x5xf32>, %i: tensor<2x1xindex>) -> tensor<3x5xf32> {
  %0 = tensor.scatter %s into %a[%i] scatter_dims([1]) unique : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<2x1xindex>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Upstream's decomposition needs tiles that are known.
// CHECK-LABEL: @pack_at_run_time
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[TILE:.*]]: index,
// CHECK: linalg.generic
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %[[TILE]] : index
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: scf.if
// CHECK: tensor.extract %[[A]][%[[PLACE]]]
func.func @pack_at_run_time(%a: tensor<?xf32>, %tile: index, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [%tile] into %e : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @unpack_at_run_time
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf32>, %[[TILE:.*]]: index,
// CHECK: %[[OUTER:.*]] = arith.divui %{{.*}}, %[[TILE]] : index
// CHECK: %[[INNER:.*]] = arith.remui %{{.*}}, %[[TILE]] : index
// CHECK: tensor.extract %[[A]][%[[OUTER]], %[[INNER]]]
func.func @unpack_at_run_time(%a: tensor<?x?xf32>, %tile: index, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [%tile] into %e : tensor<?x?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @winograd
// CHECK: scf.for
// CHECK-COUNT-2: linalg.matmul
func.func @winograd(%a: tensor<2x3x3x5xf32>, %e: tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%a : tensor<2x3x3x5xf32>) outs(%e : tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32>
  return %0 : tensor<4x4x5x2xf32>
}

// CHECK-LABEL: @bitcast
// CHECK: arith.bitcast %{{.*}} : tensor<?xf32> to tensor<?xi32>
func.func @bitcast(%a: tensor<?xf32>) -> tensor<?xi32> {
  %0 = tensor.bitcast %a : tensor<?xf32> to tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: @reshape
// CHECK: %[[SHAPE:.*]] = arith.index_cast %{{.*}} : tensor<2xi32> to tensor<2xindex>
// CHECK: tensor.reshape %{{.*}}(%[[SHAPE]])
func.func @reshape(%a: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @affine_loop
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<5xf32>)
func.func @affine_loop(%a: tensor<5xf32>, %x: f32) -> tensor<5xf32> {
  %0 = affine.for %i = 0 to 5 iter_args(%t = %a) -> tensor<5xf32> {
    %1 = tensor.insert %x into %t[%i] : tensor<5xf32>
    affine.yield %1 : tensor<5xf32>
  }
  return %0 : tensor<5xf32>
}

// It carries none, but writes into one again and again.
// CHECK-LABEL: @affine_loop_around
// CHECK: scf.for
func.func @affine_loop_around(%a: tensor<5xf32>, %x: f32, %m: memref<5xf32>) {
  affine.for %i = 0 to 5 {
    %1 = tensor.insert %x into %a[%i] : tensor<5xf32>
    %2 = tensor.extract %1[%i] : tensor<5xf32>
    affine.store %2, %m[%i] : memref<5xf32>
  }
  return
}

// CHECK-LABEL: @affine_if
// CHECK: scf.if %{{.*}} -> (tensor<5xf32>)
func.func @affine_if(%a: tensor<5xf32>, %b: tensor<5xf32>, %i: index) -> tensor<5xf32> {
  %0 = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) -> tensor<5xf32> {
    affine.yield %a : tensor<5xf32>
  } else {
    affine.yield %b : tensor<5xf32>
  }
  return %0 : tensor<5xf32>
}

// Sizes that follow from TOSA's ops stay unknown to what isn't one of them.
// CHECK-LABEL: @unknown_size
// CHECK: %[[KNOWN:.*]] = tensor.expand_shape {{.*}} into tensor<1x5xf32>
// CHECK: %[[CAST:.*]] = tensor.cast %[[KNOWN]] : tensor<1x5xf32> to tensor<1x?xf32>
// CHECK: arith.negf %[[CAST]] : tensor<1x?xf32>
// CHECK: arith.addf {{.*}} : f32
func.func @unknown_size(%x: tensor<5xf32>) -> (tensor<1x?xf32>, tensor<1x5xf32>) {
  %shape = tosa.const_shape {values = dense<[1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %shape : (tensor<5xf32>, !tosa.shape<2>) -> tensor<1x?xf32>
  %1 = arith.negf %0 : tensor<1x?xf32>
  %2 = tosa.add %0, %0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<1x5xf32>
  return %1, %2 : tensor<1x?xf32>, tensor<1x5xf32>
}
