// What layouts cost, said in other notations; and what reading a tile moves.
// RUN: tensoraccess-opt %s --tensoraccess-report="sections=layouts sizes=8,128" --remarks-filter=".*" --remark-format=yaml --remarks-output-file=%t -o /dev/null
// RUN: FileCheck %s < %t
// RUN: tensoraccess-opt %s --tensoraccess-report="sections=layouts sizes=-1" --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIZES

// SIZES: sizes must not be negative, got '-1'

// CHECK-LABEL: Name: layout
// CHECK: Value: '%arg0'
// CHECK: Layout: '{1,0:T(8,128)(2,1)}'
// CHECK: Elements: '9000'
// CHECK: PaddingElements: '3288'
// CHECK: UsedBytes: '18000'
// CHECK: SizeBytes: '24576'
// CHECK: Waste: '0.267578'
// CHECK: PaddingRuns: '17'
// CHECK: LongestPadding: '424'
// CHECK: Tag: AB4a128b2a
// CHECK-LABEL: Name: tile
// CHECK: Runs: '1'
// CHECK: LongestRun: '1024'
// CHECK: Descriptors: '1'
// CHECK: BytesUsed: '2048'
// CHECK: BytesMoved: '2048'
func.func @static(%x: tensor<30x300xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>) {
  return
}

// CHECK-LABEL: Name: layout
// CHECK: SizeBytes: 'ceildiv(n0, 8) * 4096'
// CHECK: Pack: 'inner_dims_pos [0, 1], inner_tiles [8, 128], outer_dims_perm [0, 1]'
// CHECK: Tag: AB8a128b
// CHECK: Strides: '[128, 1]'
// CHECK-LABEL: Name: tile
// CHECK: sizes are not known
func.func @dynamic(%x: tensor<?x100xf32, #tensoraccess.layout<{1,0:T(8,128)}>>) {
  return
}

// A row-major array: the tile's rows are apart.
// CHECK-LABEL: Name: layout
// CHECK: Waste: '0'
// CHECK-LABEL: Name: tile
// CHECK: Runs: '8'
// CHECK: LongestRun: '128'
// CHECK: BytesMoved: '4096'
func.func @rows(%x: tensor<30x300xf32>) {
  %0 = tensoraccess.relayout %x : tensor<30x300xf32> to tensor<30x300xf32, #tensoraccess.layout<{1,0}>>
  return
}

// CHECK-LABEL: Name: layout
// CHECK: Tag: acdB16b
// CHECK-LABEL: Name: tile
// CHECK: rank 4, got 2 sizes
func.func @channels(%x: tensor<8x16x5x7xf32, #tensoraccess.layout<{1,3,2,0:T(16)}>>) {
  return
}

// CHECK-LABEL: Name: exchange
// CHECK: Way: memory
// CHECK: Memory: '{offset = [
// CHECK: StoreKind: lanes
// CHECK: StoreVector: '4'
// CHECK: StoreCycles: '8'
// CHECK: LeastStoreCycles: '8'
// CHECK: StoreInstructions: '2'
// CHECK: LoadKind: lanes
// CHECK: LoadVector: '1'
// CHECK: LoadCycles: '8'
// CHECK: LeastLoadCycles: '8'
// CHECK: LoadInstructions: '8'
// CHECK-LABEL: Name: exchange
// CHECK: Way: shuffles
#rows = #tensoraccess.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]} -> [16, 16]>
#columns = #tensoraccess.linear<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8]]} -> [16, 16]>
#swapped = #tensoraccess.linear<{register = [[0, 4], [0, 2]], lane = [[0, 1], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]} -> [16, 16]>
func.func @exchange(%x: tensor<16x16xf32, #rows>) -> (tensor<16x16xf32, #columns>, tensor<16x16xf32, #swapped>) {
  %0 = tensoraccess.relayout %x : tensor<16x16xf32, #rows> to tensor<16x16xf32, #columns>
  %1 = tensoraccess.relayout %x : tensor<16x16xf32, #rows> to tensor<16x16xf32, #swapped>
  return %0, %1 : tensor<16x16xf32, #columns>, tensor<16x16xf32, #swapped>
}
