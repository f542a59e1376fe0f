// The three notations of the dialect survive text, bytecode, the generic form
// and every place that an attribute can stand in.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic --emit-bytecode | tensoraccess-opt | FileCheck %s

// Aliases are read; the dialect prints attributes in place.
#window = #tensoraccess.indexing_map<(d0, d1)[s0]{rt0} -> (d0 + s0, d1 floordiv 4), domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 2], rt0 in [0, 3], d0 + s0 in [0, 10]>
#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

// Dims, symbols, runtime variables and a constraint, by an alias.
// CHECK-LABEL: @map_of_every_kind
// CHECK-SAME: a = #tensoraccess.indexing_map<(d0, d1)[s0]{rt0} -> (d0 + s0, d1 floordiv 4), domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 2], rt0 in [0, 3], d0 + s0 in [0, 10]>
func.func private @map_of_every_kind() attributes {a = #window}

// No map at all, a map of no point, a map without variables or results.
// CHECK-LABEL: @map_states
// CHECK-SAME: a = #tensoraccess.indexing_map<unknown>
// CHECK-SAME: b = #tensoraccess.indexing_map<empty (d0) -> (d0), domain: d0 in [0, 9]>
// CHECK-SAME: c = #tensoraccess.indexing_map<() -> ()>
func.func private @map_states() attributes {
  a = #tensoraccess.indexing_map<unknown>,
  b = #tensoraccess.indexing_map<empty (d0) -> (d0), domain: d0 in [0, 9]>,
  c = #tensoraccess.indexing_map<() -> ()>
}

// `/` is read as floordiv; white space and line ends are free.
// CHECK-LABEL: @map_spelling
// CHECK-SAME: a = #tensoraccess.indexing_map<(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 63]>
func.func private @map_spelling() attributes {
  a = #tensoraccess.indexing_map<
    (d0) -> (d0 / 8,
             d0   mod 8), domain:
    d0 in [0, 63]>
}

// Names of the user's own, bounds over a parameter, max and min.
// CHECK-LABEL: @map_names
// CHECK-SAME: a = #tensoraccess.indexing_map<(row){N} -> (row), domain: row in [0, N - 1], N in [1, 64]>
// CHECK-SAME: b = #tensoraccess.indexing_map<(d0) -> (max(
func.func private @map_names() attributes {
  a = #tensoraccess.indexing_map<(row){N} -> (row), domain: row in [0, N - 1], N in [1, 64]>,
  b = #tensoraccess.indexing_map<(d0) -> (max(d0 - 3, 0)), domain: d0 in [0, 9]>
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

// As the encoding of a tensor, by an alias and by itself.
// CHECK-LABEL: @layout_as_encoding
// CHECK-SAME: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
// CHECK-SAME: tensor<?x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
// CHECK-SAME: tensor<complex<f32>, #tensoraccess.layout<{:T(128)}>>
func.func private @layout_as_encoding(
  tensor<3x5xf32, #tiled>,
  tensor<?x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>,
  tensor<complex<f32>, #tensoraccess.layout<{:T(128)}>>)

// Tiles of fewer and of more entries than dimensions, marks, all properties in
// any order; defaults are not printed.
// CHECK-LABEL: @layout_text
// CHECK-SAME: a = #tensoraccess.layout<{}>
// CHECK-SAME: b = #tensoraccess.layout<{4,3,2,1,0:T(*,*,2,*,3)}>
// CHECK-SAME: c = #tensoraccess.layout<{0,2,1:T(8,128)(2,1)L(8)E(4)S(5)}>
// CHECK-SAME: d = #tensoraccess.layout<{1,0}>
func.func private @layout_text() attributes {
  a = #tensoraccess.layout<{}>,
  b = #tensoraccess.layout<{4,3,2,1,0:T(*,*,2,*,3)}>,
  c = #tensoraccess.layout< { 0, 2, 1 : S(5) E(4) T(8,128) (2,1) L(8) } >,
  d = #tensoraccess.layout<{1,0:L(1)S(0)}>
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

// Points of the regions by name; none at all is not text.
// CHECK-LABEL: @projection_anchors
// CHECK-SAME: a = #tensoraccess.projection<{{\[\[}}2]] + [-1], shape = [3], anchors = {center = [1], first = [0] fixed}>
// CHECK-SAME: b = #tensoraccess.projection<{{\[\[}}2]] + [-1], shape = [3]>
func.func private @projection_anchors() attributes {
  a = #tensoraccess.projection<[[2]] + [-1], anchors = {center=[1], first = [0] fixed}, shape = [3]>,
  b = #tensoraccess.projection<[[2]] + [-1], shape = [3], anchors = {}>
}

// CHECK-LABEL: @projection_text
// CHECK-SAME: a = #tensoraccess.projection<{{\[\[}}-1, 0], [0, 1]] + [7, 0], anchor = [-1, -1], shape = [3, 3], oob = [wrap, pad(0.0)]>
// CHECK-SAME: b = #tensoraccess.projection<{{\[\[}}0, 0, 0]] + [5], shape = [7]>
// CHECK-SAME: c = #tensoraccess.projection<[] + [], shape = []>
// CHECK-SAME: d = #tensoraccess.projection<{{\[\[}}1], [2], [3]] + [0, 0, 0], shape = [1, 1, 1], oob = [clamp, negative, pad(-inf)]>
func.func private @projection_text() attributes {
  a = #tensoraccess.projection<[[-1, 0], [0, 1]] + [7, 0], anchor = [-1, -1], shape = [3, 3], oob = [wrap, pad(0.0)]>,
  // A fixed view; policies that are the default are not printed.
  b = #tensoraccess.projection<[[0, 0, 0]] + [5], shape = [7], oob = [forbid]>,
  c = #tensoraccess.projection<[] + [], shape = []>,
  d = #tensoraccess.projection<[[1], [2], [3]] + [0, 0, 0], oob = [clamp, negative, pad(-inf)], shape = [1, 1, 1]>
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// In arrays and dictionaries, as `annotate-indexing` nests them, on an op, and
// without the dot.
// CHECK-LABEL: @nested
// CHECK-SAME: tensoraccess.indexing = {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 2]>]], [#tensoraccess.indexing_map<unknown>]]}
func.func @nested(%arg0: tensor<3xf32>) -> tensor<3xf32> attributes {
  tensoraccess.indexing = {output_to_input = [
    [[#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 2]>]],
    [#tensoraccess<indexing_map<unknown>>]]}
} {
  // CHECK: arith.constant {tensoraccess.at = [#tensoraccess.layout<{0}>, {p = #tensoraccess.projection<[] + [], shape = []>}]}
  %0 = arith.constant {tensoraccess.at = [
    #tensoraccess<layout<{0}>>,
    {p = #tensoraccess.projection<[] + [], shape = []>}]} 1 : i32
  return %arg0 : tensor<3xf32>
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

// An attribute in a memref's layout place that does not say it is a layout is
// silently the memory space. Ours says so: the layout is followed by an actual
// memory space here.
// CHECK-LABEL: @layout_of_memref
// CHECK-SAME: memref<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>, 1>
// CHECK-SAME: memref<3x5xf32, #tensoraccess.layout<{0,1}>>
func.func private @layout_of_memref(
  memref<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>, 1>,
  memref<3x5xf32, #tensoraccess.layout<{0,1}>>)

// A projection is not a layout: this is memory space "projection", as for any
// attribute of any dialect.
// CHECK-LABEL: @projection_is_a_memory_space
// CHECK-SAME: memref<3xf32, strided<[2]>, #tensoraccess.projection<[] + [], shape = []>>
func.func private @projection_is_a_memory_space(
  memref<3xf32, strided<[2]>, #tensoraccess.projection<[] + [], shape = []>>)

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

// What is left out is as in `host`; all is printed.
// CHECK-LABEL: @targets
// CHECK-SAME: a = #tensoraccess.target<generic, vector_bytes = 32, cache_line = 64, register_tile = 6x2, memory_cost = 8, last_cache = 33554432>
// CHECK-SAME: b = #tensoraccess.target<tpu-4.x, vector_bytes = 64, cache_line = 64, register_tile = 14x2, memory_cost = 8, last_cache = 33554432, matrix_units = [128x128 in 382, 8x8 in 22]>
// CHECK-SAME: c = #tensoraccess.target<gpu, vector_bytes = 32, cache_line = 64, register_tile = 6x2, memory_cost = 8, last_cache = 0, memory_spaces = [vmem 1 of 16777216 at 8, shared 3 of 49152 at 16 banks 32x4]>
func.func private @targets() attributes {
  a = #tensoraccess.target<generic>,
  c = #tensoraccess.target<gpu, memory_spaces = [shared 3 of 49152 at 16 banks 32x4,
                           vmem 1 of 16777216 at 8], last_cache = 0>,
  b = #tensoraccess.target<tpu-4.x, matrix_units = [128x128 in 382, 8x8 in 22],
                           register_tile = 14x2, vector_bytes = 64>
}
