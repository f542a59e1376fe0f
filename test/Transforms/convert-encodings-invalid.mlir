// RUN: tensoraccess-opt %s --allow-unregistered-dialect --tensoraccess-convert-encodings --split-input-file --verify-diagnostics

// expected-error @+1 {{output 0 must have the size of dimension 0, 8, got 2}}
func.func private @sizes(tensor<8x8xf32, #ttg.linear<{offset = [[0, 1], [1, 0]]}>>)

// -----

// expected-error @+1 {{cannot read #ttg.linear<{offset = [[0, x]]}>: }}
func.func private @text(tensor<8x8xf32, #ttg.linear<{offset = [[0, x]]}>>)

// -----

// expected-error @+1 {{innerDimsPos}}
func.func private @info(tensor<8x8xf32, #iree_cpu.x<encoding_info = {innerDimsPos = [0, 2], innerTileSizes = [4, 4], outerDimsPerm = [0, 1]}>>)

// -----

// expected-error @+1 {{dimension 0 of size 7 is not a multiple of its digits}}
func.func private @padded(tensor<7x8xf32, #iree_gpu.x<encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [4, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["CrossThread", 2], ["Internal", 2]], [["Internal", 4]]], permutation = [1, 2, 0]}}>>)

// -----

// expected-error @+1 {{permutation must have each of 3 factors once, got 0}}
func.func private @permutation(tensor<8x8xf32, #iree_gpu.x<encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [4, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["CrossThread", 2], ["Internal", 2]], [["Internal", 4]]], permutation = [0, 0, 1]}}>>)
