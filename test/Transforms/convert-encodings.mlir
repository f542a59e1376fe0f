// RUN: tensoraccess-opt %s --allow-unregistered-dialect --tensoraccess-convert-encodings | FileCheck %s

// Each number of this memory is that of the tiles; or it is not tiles, or has
// fewer numbers after the last element.
#rows = #tensoraccess.strided<(4,(4,2)):(4,(1,16))>
#bits = #tensoraccess.linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 4]]} -> [4, 8]>
#swizzle = #tensoraccess.strided<Sw<1,0,2> o (4,8):(8,1)>
#short = #tensoraccess.strided<(4,8):(10,1)>
// CHECK-LABEL: func.func @strided(
// CHECK-SAME:    tensor<4x8xf32, #tensoraccess.layout<{0,1:T(4,1)}>>,
// CHECK-SAME:    tensor<4x8xf32, #tensoraccess.layout<{0,1:T(4,1)}>>,
// CHECK-SAME:    tensor<4x8xf32, #tensoraccess.strided<Sw<1,0,2> o (4,8):(8,1)>>,
// CHECK-SAME:    tensor<4x8xf32, #tensoraccess.strided<(4,8):(10,1)>>)
// CHECK-SAME:    -> tensor<4x8xf32, #tensoraccess.layout<{0,1:T(4,1)}>>
// CHECK:         arith.constant dense<1.000000e+00> : tensor<4x8xf32, #tensoraccess.layout<{0,1:T(4,1)}>>
// CHECK:         arith.addf {{.*}} : tensor<4x8xf32, #tensoraccess.layout<{0,1:T(4,1)}>>
func.func @strided(%a: tensor<4x8xf32, #rows>, %b: tensor<4x8xf32, #bits>,
                   %c: tensor<4x8xf32, #swizzle>, %d: tensor<4x8xf32, #short>)
    -> tensor<4x8xf32, #rows> {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32, #rows>
  %1 = arith.addf %a, %0 : tensor<4x8xf32, #rows>
  return %1 : tensor<4x8xf32, #rows>
}

#held = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0]], warp = [], block = []}>
#memory = #ttg.linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 1]]}>
// CHECK-LABEL: func.func @triton(
// CHECK-SAME:    tensor<4x8xf16, #tensoraccess.layout<{1,0}>>,
// CHECK-SAME:    tensor<4x8xf16, #tensoraccess.linear<{offset = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 1]]} -> [4, 8]>>
func.func @triton(%a: tensor<4x8xf16, #held>, %b: tensor<4x8xf16, #memory>) {
  return
}

#packed = #iree_encoding.layout<[#iree_cpu.cpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [4, 2], outerDimsPerm = [0, 1]}}>]>
#cut = #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [4, 4], outerDimsPerm = [1, 0], swizzle = {expandShape = [[["CrossThread", 2 : i16], ["Internal", 2 : i16]], [["Internal", 4 : i16]]], permutation = [0, 2, 1]}}}>
#turned = #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [4, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["CrossThread", 2 : i16], ["Internal", 2 : i16]], [["Internal", 4 : i16]]], permutation = [1, 2, 0]}}}>
#open = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32]>
// CHECK-LABEL: func.func @iree(
// CHECK-SAME:    tensor<5x7xf32, #tensoraccess.layout<{1,0:T(4,2)}>>
// CHECK-SAME:    tensor<?x7xf32, #tensoraccess.layout<{1,0:T(4,2)}>>
// CHECK-SAME:    tensor<8x8xf32, #tensoraccess.layout<{0,1:T(4,4)(4,2)}>>
// CHECK-SAME:    tensor<8x8xf32, #tensoraccess.strided<((2,2,2),(4,2)):((8,1,32),(2,16))>>
// CHECK-SAME:    tensor<5x7xf32, #iree_encoding.encoding<
func.func @iree(%a: tensor<5x7xf32, #packed>, %b: tensor<?x7xf32, #packed>,
                %c: tensor<8x8xf32, #cut>, %d: tensor<8x8xf32, #turned>,
                %e: tensor<5x7xf32, #open>) {
  return
}
