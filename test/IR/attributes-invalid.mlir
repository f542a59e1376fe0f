// One malformed attribute for each diagnostic of the three notations.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// The keyword and its brackets
//===----------------------------------------------------------------------===//

// expected-error @+1 {{unknown attribute `map` in dialect `tensoraccess`}}
func.func private @f() attributes {a = #tensoraccess.map<()>}

// -----

// expected-error @+1 {{expected valid keyword}}
func.func private @f() attributes {a = #tensoraccess<>}

// -----

// expected-error @+1 {{expected '<' and the text of the layout}}
func.func private @f() attributes {a = #tensoraccess.layout}

// -----

// expected-error @+1 {{expected '<' and the text of the projection}}
func.func private @f() attributes {a = #tensoraccess<projection[]>}

// -----

// expected-error @+1 {{indexing_map attribute takes no type, got 'i32'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<unknown> : i32}

// -----

//===----------------------------------------------------------------------===//
// Indexing maps: tokens
//===----------------------------------------------------------------------===//

// expected-error @+1 {{'%' is not an operator of indexing maps, write 'mod'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 % 3)>}

// -----

// expected-error @+1 {{'//' is not an operator of indexing maps, write 'floordiv'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 // 3)>}

// -----

// expected-error @+1 {{hexadecimal literal '0x1F' is not allowed}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 + 0x1F)>}

// -----

// expected-error @+1 {{malformed integer '3d'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 + 3d)>}

// -----

// expected-error @+1 {{unexpected character '&'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 & 3)>}

// -----

// expected-error @+1 {{unexpected byte 195}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 × 3)>}

// -----

// expected-error @+1 {{integer '9223372036854775808' does not fit in 64 bits}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (9223372036854775808)>}

// -----

//===----------------------------------------------------------------------===//
// Indexing maps: variables
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected an indexing map, got end of text}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<>}

// -----

// expected-error @+1 {{expected an indexing map, got '['}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<[d0] -> (d0)>}

// -----

// expected-error @+1 {{unexpected '(' after 'unknown'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<unknown (d0)>}

// -----

// expected-error @+1 {{expected an indexing map, got end of text}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<empty>}

// -----

// expected-error @+1 {{expected a variable name, got '3'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(3) -> (3)>}

// -----

// expected-error @+1 {{keyword 'mod' cannot name a variable}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(mod) -> (mod)>}

// -----

// expected-error @+1 {{variable 'd0' is declared twice}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0, d0) -> (d0)>}

// -----

// expected-error @+1 {{variable 'd0' is declared twice}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0)[d0] -> (d0)>}

// -----

// expected-error @+1 {{expected ')' after the variables, got 'd1'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0 d1) -> (d0)>}

// -----

// expected-error @+1 {{variable 'd1' is not declared}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 + d1)>}

// -----

//===----------------------------------------------------------------------===//
// Indexing maps: expressions
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected '->' before the results, got end of text}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0)>}

// -----

// expected-error @+1 {{expected '(' before the results, got 'd0'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> d0>}

// -----

// expected-error @+1 {{expected an expression, got ')'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0, )>}

// -----

// expected-error @+1 {{expected ')' to close '(', got ','}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> ((d0, 1))>}

// -----

// expected-error @+1 {{expected ')' after the results, got '1'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 1)>}

// -----

// expected-error @+1 {{expected '(' after 'min', got 'd0'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (min d0)>}

// -----

// expected-error @+1 {{expected ',' in 'max', which takes two or more operands, got ')'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (max(d0))>}

// -----

// expected-error @+1 {{expected ')' to close 'max(', got '2'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (max(d0, 1 2))>}

// -----

// expected-error @+1 {{right operand of 'floordiv' must be a constant}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0, d1) -> (d0 floordiv d1)>}

// -----

// expected-error @+1 {{right operand of 'ceildiv' must not be 0}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 ceildiv 0)>}

// -----

// expected-error @+1 {{right operand of 'mod' must be positive, got -3}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 mod -3)>}

// -----

// expected-error @+1 {{expression overflows 64-bit arithmetic}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 * 4611686018427387904 * 4)>}

// -----

//===----------------------------------------------------------------------===//
// Indexing maps: domains
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected 'domain' after the results, got 'range'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), range: d0 in [0, 1]>}

// -----

// expected-error @+1 {{expected ':' after 'domain', got 'd0'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain d0 in [0, 1]>}

// -----

// expected-error @+1 {{unexpected character '='}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 = 3>}

// -----

// expected-error @+1 {{expected 'in' after the expression, got '['}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 [0, 1]>}

// -----

// expected-error @+1 {{expected '[' after 'in', got '0'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in 0>}

// -----

// expected-error @+1 {{expected ',' between the bounds, got ']'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0]>}

// -----

// expected-error @+1 {{expected ']' after the bounds, got '2'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 1 2]>}

// -----

// expected-error @+1 {{lower bound cannot be 'inf'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [inf, 1]>}

// -----

// expected-error @+1 {{upper bound cannot be '-inf'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, -inf]>}

// -----

// expected-error @+1 {{missing range of variable 'd1'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0, d1) -> (d0), domain: d0 in [0, 1]>}

// -----

// expected-error @+1 {{expected the range of variable 'd0'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0, d1) -> (d0), domain: d1 in [0, 1], d0 in [0, 1]>}

// -----

// expected-error @+1 {{bound of 'd0' may mention only runtime variables, got 'd1'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0, d1) -> (d0), domain: d0 in [0, d1], d1 in [0, 1]>}

// -----

// expected-error @+1 {{bound of 'N' must be a constant, got 'd0'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0){N} -> (d0), domain: d0 in [0, N], N in [0, d0]>}

// -----

// expected-error @+1 {{bound of a constraint must be a constant, got 'N'}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0){N} -> (d0), domain: d0 in [0, 9], N in [1, 3], d0 in [0, N]>}

// -----

// expected-error @+1 {{unexpected 'd1' after the map}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 1] d1>}

// -----

// expected-error @+1 {{result 0 overflows 64-bit arithmetic}}
func.func private @f() attributes {a = #tensoraccess.indexing_map<(d0) -> (d0 * 4), domain: d0 in [0, 4611686018427387904]>}

// -----

//===----------------------------------------------------------------------===//
// Layouts: order
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected '{' to begin a layout, got 'f32'}}
func.func private @f() attributes {a = #tensoraccess.layout<f32[3,5]{1,0}>}

// -----

// expected-error @+1 {{expected a dimension number, got 'x'}}
func.func private @f() attributes {a = #tensoraccess.layout<{x}>}

// -----

// expected-error @+1 {{expected ',', ':' or '}' after a dimension number, got '0'}}
func.func private @f() attributes {a = #tensoraccess.layout<{1 0}>}

// -----

// expected-error @+1 {{minor_to_major entry 1 repeats dimension 1}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,1}>}

// -----

// expected-error @+1 {{minor_to_major entry 1 must lie in [0, 1], got 2}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,2}>}

// -----

// expected-error @+1 {{expected the end of the layout, got '{'}}
func.func private @f() attributes {a = #tensoraccess.layout<{0} {0}>}

// -----

//===----------------------------------------------------------------------===//
// Layouts: tiles
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected '(' after T, got '}'}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T}>}

// -----

// expected-error @+1 {{tile 0 must have at least one entry}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T()}>}

// -----

// expected-error @+1 {{expected a tile size or '*', got 'x'}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(2,x)}>}

// -----

// expected-error @+1 {{expected ',' or ')' in a tile, got '2'}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(2 2)}>}

// -----

// expected-error @+1 {{tile 1 entry 1 must be positive, got 0}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(2,2)(1,0)}>}

// -----

// expected-error @+1 {{tile 0 entry 0 must be positive, got -2}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(-2)}>}

// -----

// expected-error @+1 {{tile 0 must not end in '*'}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(2,*)}>}

// -----

// expected-error @+1 {{property T is given twice}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(2)T(3)}>}

// -----

// expected-error @+1 {{integer 99999999999999999999 does not fit in 64 bits}}
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(99999999999999999999)}>}

// -----

//===----------------------------------------------------------------------===//
// Layouts: other properties
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected a property T, L, E or S, got '}'}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:}>}

// -----

// expected-error @+1 {{expected a property T, L, E or S, got 'Q'}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:Q(1)}>}

// -----

// expected-error @+1 {{expected '(' after L, got '}'}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:L}>}

// -----

// expected-error @+1 {{expected an integer, got ')'}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:L()}>}

// -----

// expected-error @+1 {{expected ')' after the number of L, got '2'}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:L(1 2)}>}

// -----

// expected-error @+1 {{tail alignment L must be positive, got 0}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:L(0)}>}

// -----

// expected-error @+1 {{element bits E must be positive, got 0}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:E(0)}>}

// -----

// expected-error @+1 {{memory space S must be non-negative, got -1}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:S(-1)}>}

// -----

// expected-error @+1 {{SC (split configurations) is not supported in layouts}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:SC(0:3)}>}

// -----

// expected-error @+1 {{P (a physical shape) is not supported in layouts}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:P(s32[3])}>}

// -----

// expected-error @+1 {{M (a metadata prefix) is not supported in layouts}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:M(16)}>}

// -----

// expected-error @+1 {{D is read only in the string form of a layout}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:D(D)}>}

// -----

// expected-error @+1 {{# is read only in the string form of a layout}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:#(u32)}>}

// -----

// expected-error @+1 {{* is read only in the string form of a layout}}
func.func private @f() attributes {a = #tensoraccess.layout<{0:*(u32)}>}

// -----

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected '[' to begin the matrix, got end of text}}
func.func private @f() attributes {a = #tensoraccess.projection<>}

// -----

// expected-error @+1 {{expected '[' to begin a matrix row, got '1'}}
func.func private @f() attributes {a = #tensoraccess.projection<[1] + [0], shape = [1]>}

// -----

// expected-error @+1 {{expected ',' or ']' in the matrix, got '['}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1] [2]] + [0, 0], shape = [1, 1]>}

// -----

// expected-error @+1 {{expected an integer, got 'x'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[x]] + [0], shape = [1]>}

// -----

// expected-error @+1 {{expected ',' or ']' in a matrix row, got '2'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1 2]] + [0], shape = [1]>}

// -----

// expected-error @+1 {{integer 99999999999999999999 does not fit in 64 bits}}
func.func private @f() attributes {a = #tensoraccess.projection<[[99999999999999999999]] + [0], shape = [1]>}

// -----

// expected-error @+1 {{expected '+' and the offset, got ','}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]], shape = [1]>}

// -----

// expected-error @+1 {{expected '[' to begin the offset, got '0'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + 0, shape = [1]>}

// -----

// expected-error @+1 {{matrix row 1 must have 2 entries as row 0 has, got 1}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1, 2], [3]] + [0, 0], shape = [1, 1]>}

// -----

// expected-error @+1 {{offset must have one entry per matrix row, 1, got 2}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0, 0], shape = [1]>}

// -----

// expected-error @+1 {{anchor must have one entry per matrix row, 1, got 2}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], anchor = [0, 0], shape = [1]>}

// -----

// expected-error @+1 {{shape must have one entry per matrix row, 1, got 0}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = []>}

// -----

// expected-error @+1 {{shape entry 0 must be positive, got 0}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [0]>}

// -----

// expected-error @+1 {{oob must have one entry per matrix row, 1, got 2}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [wrap, wrap]>}

// -----

// expected-error @+1 {{expected forbid, wrap, negative, clamp or pad(value), got 'reflect'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [reflect]>}

// -----

// expected-error @+1 {{expected '(' and a value after pad, got ']'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [pad]>}

// -----

// expected-error @+1 {{expected a number, got 'zero'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [pad(zero)]>}

// -----

// expected-error @+1 {{'1.0.0' is not a decimal number}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [pad(1.0.0)]>}

// -----

// expected-error @+1 {{number 1.0e999 does not fit in a double}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [pad(1.0e999)]>}

// -----

// expected-error @+1 {{integer 9223372036854775808 does not fit in 64 bits}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [pad(9223372036854775808)]>}

// -----

// expected-error @+1 {{expected ')' after the pad value, got ','}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [pad(1, 2)]>}

// -----

// expected-error @+1 {{a projection must have a shape}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0]>}

// -----

// expected-error @+1 {{expected anchor, shape, oob or anchors, got 'size'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], size = [1]>}

// -----

// expected-error @+1 {{expected '=' after shape, got '['}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape [1]>}

// -----

// expected-error @+1 {{shape is given twice}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], shape = [1]>}

// -----

// expected-error @+1 {{expected ',' or the end of the projection, got 'shape'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1] shape>}

// -----

// expected-error @+1 {{expected '{' to begin the anchors, got '['}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], anchors = [1]>}

// -----

// expected-error @+1 {{expected an anchor's name, got '1'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], anchors = {1 = [0]}>}

// -----

// expected-error @+1 {{expected '=' after a, got '['}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], anchors = {a [0]}>}

// -----

// expected-error @+1 {{expected ',' or '}' in the anchors, got 'stuck'}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], anchors = {a = [0] stuck}>}

// -----

// expected-error @+1 {{anchors is given twice}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [1], anchors = {}, anchors = {}>}

// -----

// expected-error @+1 {{anchor a must lie in the region: entry 0 must be in [0, 3), got 3}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [3], anchors = {a = [3]}>}

// -----

// expected-error @+1 {{anchor b must have one entry per matrix row, 1, got 2}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [3], anchors = {a = [2], b = [0, 0]}>}

// -----

// expected-error @+1 {{anchors a and b are one place}}
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0], shape = [3], anchors = {a = [2], b = [2]}>}
// -----

//===----------------------------------------------------------------------===//
// Layouts as encodings: C1 … C4 of the attribute
//===----------------------------------------------------------------------===//

// layout_c1: rank.
// expected-error @+1 {{minor_to_major must have one entry per dimension, 3, got 2}}
func.func private @layout_c1(tensor<3x5x7xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)

// -----

// layout_c2: element type.
// expected-error @+1 {{a layout needs an integer, index, float or complex element type, got 'vector<4xf32>'}}
func.func private @layout_c2(tensor<3x5xvector<4xf32>, #tensoraccess.layout<{1,0}>>)

// -----

// layout_c3: element bits.
// expected-error @+1 {{element bits E must be at least 32 for 'f32', got 16}}
func.func private @layout_c3(tensor<3x5xf32, #tensoraccess.layout<{1,0:E(16)}>>)

// -----

// layout_c3: a complex element has two parts.
// expected-error @+1 {{element bits E must be at least 64 for 'complex<f32>', got 32}}
func.func private @layout_c3_complex(tensor<3xcomplex<f32>, #tensoraccess.layout<{0:E(32)}>>)

// -----

// layout_c4: element count; 2^62 elements fit, in tiles of three they don't.
// expected-error @+1 {{tiled shape has more than 2^63 - 1 elements: {1,0:T(3,3)} of [4294967296, 2147483647]}}
func.func private @layout_c4(tensor<2147483648x2147483648xi1, #tensoraccess.layout<{1,0:T(3,3)}>>, tensor<4294967296x2147483647xi1, #tensoraccess.layout<{1,0:T(3,3)}>>)

// -----

//===----------------------------------------------------------------------===//
// Layouts of memrefs
//===----------------------------------------------------------------------===//

// expected-error @+1 {{a memref's layout must not have '*', got {1,0:T(*,2)}}}
func.func private @memref_mark(memref<3x5xf32, #tensoraccess.layout<{1,0:T(*,2)}>>)

// -----

// expected-error @+1 {{a memref's layout must not have a tail alignment L, got {1,0:L(8)}}}
func.func private @memref_tail(memref<3x5xf32, #tensoraccess.layout<{1,0:L(8)}>>)

// -----

// expected-error @+1 {{a memref's layout must not have element bits E, got {1,0:E(64)}}}
func.func private @memref_bits(memref<3x5xf32, #tensoraccess.layout<{1,0:E(64)}>>)

// -----

// expected-error @+1 {{a memref's layout must not have a memory space S, got {1,0:S(1)}}}
func.func private @memref_space(memref<3x5xf32, #tensoraccess.layout<{1,0:S(1)}>>)

// -----

// expected-error @+1 {{minor_to_major must have one entry per dimension, 2, got 1}}
func.func private @memref_rank(memref<3x5xf32, #tensoraccess.layout<{0}>>)

// -----

// expected-error @+1 {{expected the name of a target, got ','}}
func.func private @f() attributes {a = #tensoraccess.target<, cache_line = 64>}

// -----

// expected-error @+1 {{cache_line must be a power of two, got 48}}
func.func private @f() attributes {a = #tensoraccess.target<h, cache_line = 48>}

// -----

// expected-error @+1 {{expected vector_bytes, cache_line, register_tile, memory_cost, last_cache, bytes_per_cycle, registers, caches, cores, features, matrix_units or memory_spaces, got 'lanes'}}
func.func private @f() attributes {a = #tensoraccess.target<h, lanes = 3>}

// -----

// expected-error @+1 {{bytes of memory space 'vmem' must be in [1, 2^50], got 0}}
func.func private @f() attributes {a = #tensoraccess.target<h, memory_spaces = [vmem 1 of 0 at 8]>}
