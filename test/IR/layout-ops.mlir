// The ops on layouts and indices in the forms that their text has: pretty,
// bytecode and generic.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s

#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

// CHECK-LABEL: @relayout
func.func @relayout(%a: tensor<3x5xf32>, %b: tensor<?x5xf32>, %c: tensor<2x?x7xi8>) {
  // CHECK: tensoraccess.relayout %{{.*}} : tensor<3x5xf32> to tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %0 = tensoraccess.relayout %a : tensor<3x5xf32> to tensor<3x5xf32, #tiled>
  // Transposed, and rounded.
  // CHECK: tensoraccess.relayout %{{.*}} permutation = [1, 0] : tensor<3x5xf32> to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  %1 = tensoraccess.relayout %a permutation = [1, 0]
     : tensor<3x5xf32> to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  // Another rank, and attributes.
  // CHECK: tensoraccess.relayout %{{.*}} {note = 1 : i64} : tensor<3x5xf32> to tensor<15xf32, #tensoraccess.layout<{0:T(4)}>>
  %2 = tensoraccess.relayout %a {note = 1}
     : tensor<3x5xf32> to tensor<15xf32, #tensoraccess.layout<{0:T(4)}>>
  // A size that is known at run time, carried along, computed, or promised.
  // CHECK: tensoraccess.relayout %{{.*}} permutation = [1, 0] : tensor<?x5xf32> to tensor<5x?xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %3 = tensoraccess.relayout %b permutation = [1, 0]
     : tensor<?x5xf32> to tensor<5x?xf32, #tiled>
  // CHECK: tensoraccess.relayout %{{.*}} : tensor<?x5xf32> to tensor<?xf32>
  %4 = tensoraccess.relayout %b : tensor<?x5xf32> to tensor<?xf32>
  // CHECK: tensoraccess.relayout %{{.*}} : tensor<?x5xf32> to tensor<2x10xf32>
  %5 = tensoraccess.relayout %b : tensor<?x5xf32> to tensor<2x10xf32>
  // Integers by their sign.
  // CHECK: tensoraccess.relayout %{{.*}} : tensor<2x?x7xi8> to tensor<14x?xi32>
  %6 = tensoraccess.relayout %c : tensor<2x?x7xi8> to tensor<14x?xi32>
  return
}

// CHECK-LABEL: @bitcast
func.func @bitcast(%a: tensor<16x256xf32, #tensoraccess.layout<{1,0:T(8,128)}>>,
                   %b: tensor<3x5xf32, #tiled>, %c: tensor<?x5xf32>,
                   %d: tensor<?x5xf32, #tiled>) {
  // Tiles as dimensions.
  // CHECK: tensoraccess.bitcast %{{.*}} : tensor<16x256xf32, #tensoraccess.layout<{1,0:T(8,128)}>> to tensor<2x2x8x128xf32>
  %0 = tensoraccess.bitcast %a
     : tensor<16x256xf32, #tensoraccess.layout<{1,0:T(8,128)}>> to tensor<2x2x8x128xf32>
  // Bits as integers; the same padding elsewhere spelled.
  // CHECK: tensoraccess.bitcast %{{.*}} : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<3x5x1xi32, #tensoraccess.layout<{2,1,0:T(2,2,1)}>>
  %1 = tensoraccess.bitcast %b
     : tensor<3x5xf32, #tiled> to tensor<3x5x1xi32, #tensoraccess.layout<{2,1,0:T(2,2,1)}>>
  // CHECK: tensoraccess.bitcast %{{.*}} : tensor<?x5xf32> to tensor<?xi32>
  %2 = tensoraccess.bitcast %c : tensor<?x5xf32> to tensor<?xi32>
  // CHECK: tensoraccess.bitcast %{{.*}} to tensor<3x5xi32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %3 = tensoraccess.bitcast %d : tensor<?x5xf32, #tiled> to tensor<3x5xi32, #tiled>
  return
}

// CHECK-LABEL: @indices
// CHECK-SAME: %[[I:.*]]: index, %[[J:.*]]: index, %[[M:.*]]: index
func.func @indices(%i: index, %j: index, %m: index) {
  // CHECK: tensoraccess.linearize %[[I]], %[[J]] in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  %0 = tensoraccess.linearize %i, %j in #tiled of [3, 5]
  // CHECK: tensoraccess.linearize %[[I]], %[[J]] in #tensoraccess.layout<{1,0:T(2,2)}> of [%[[M]], 5]
  %1 = tensoraccess.linearize %i, %j in #tiled of [%m, 5]
  // CHECK: tensoraccess.linearize in #tensoraccess.layout<{}> of []
  %2 = tensoraccess.linearize in #tensoraccess.layout<{}> of []
  // CHECK: %{{.*}}:2, %{{.*}} = tensoraccess.delinearize %{{.*}} in #tensoraccess.layout<{1,0:T(2,2)}> of [3, %[[M]]] {note = 2 : i64}
  %3, %4, %5 = tensoraccess.delinearize %0 in #tiled of [3, %m] {note = 2}
  return
}

// CHECK-LABEL: @apply
// CHECK-SAME: %[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index
func.func @apply(%i: index, %j: index, %k: index) {
  // CHECK: tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0)[s0]{rt0} -> (d0 + s0, rt0), domain: d0 in [0, 9], s0 in [0, 2], rt0 in [0, 3]>(%[[I]])[%[[J]]]{%[[K]]}
  %0:2 = tensoraccess.apply_indexing
    #tensoraccess.indexing_map<(d0)[s0]{rt0} -> (d0 + s0, rt0), domain: d0 in [0, 9], s0 in [0, 2], rt0 in [0, 3]>(%i)[%j]{%k}
  // CHECK: tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]>(%[[I]]) {note = 3 : i64}
  %1 = tensoraccess.apply_indexing
    #tensoraccess.indexing_map<(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]>(%i) {note = 3}
  // CHECK: tensoraccess.apply_indexing #tensoraccess.indexing_map<(){rt0} -> (rt0), domain: rt0 in [0, 3]>(){%[[K]]} {note = 4 : i64}
  %2 = tensoraccess.apply_indexing
    #tensoraccess.indexing_map<(){rt0} -> (rt0), domain: rt0 in [0, 3]>(){%k} {note = 4}
  // CHECK: tensoraccess.apply_indexing #tensoraccess.indexing_map<() -> ()>()
  tensoraccess.apply_indexing #tensoraccess.indexing_map<() -> ()>()
  return
}
