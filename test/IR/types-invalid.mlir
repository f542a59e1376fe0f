// One ill-formed access type for each diagnostic, labelled as in
// TensorAccessTypes.td. access_type_c1 can't be written: test/IR/AttrTest.cpp.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

// access_type_c1: the text has no negative sizes.
// expected-error @+1 {{invalid dimension}}
func.func private @access_type_c1(!tensoraccess.access<3x-5 | f32>)

// -----

// access_type_c1: nor at the front of a side.
// expected-error @+1 {{access dimensions must be `?` or non-negative, got a negative size}}
func.func private @access_type_c1_front(!tensoraccess.access<-1| 3xf32>)

// -----

// access_type_c1: the other side.
// expected-error @+1 {{access dimensions must be `?` or non-negative, got a negative size}}
func.func private @access_type_c1_item(!tensoraccess.access<1 | -3xf32>)

// -----

// access_type_c2: elements are scalars.
// expected-error @+1 {{access element type must be an integer, index or float, got 'tensor<3xf32>'}}
func.func private @access_type_c2(!tensoraccess.access<3 | 5xtensor<3xf32>>)

// -----

// access_type_c2: complex numbers are not one of the three.
// expected-error @+1 {{access element type must be an integer, index or float, got 'complex<f32>'}}
func.func private @access_type_c2_complex(!tensoraccess.access<3 | 5xcomplex<f32>>)

// -----

// access_type_c3: 2^64 elements.
// expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 4294967296 | 4294967296}}
func.func private @access_type_c3(!tensoraccess.access<4294967296 | 4294967296xf32>)

// -----

// access_type_c3: none of these elements exists, but flattening would have to
// name the size of the left side.
// expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 4294967296x4294967296 | 0}}
func.func private @access_type_c3_zero(!tensoraccess.access<4294967296x4294967296 | 0xf32>)

// -----

// access_type_c3: the static sizes beside a dynamic one.
// expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: ?x9223372036854775807 | 4}}
func.func private @access_type_c3_dynamic(!tensoraccess.access<?x9223372036854775807 | 4xf32>)

// -----

// expected-error @+1 {{invalid dimension}}
func.func private @size_too_large(!tensoraccess.access<9223372036854775808 | f32>)

// -----

// expected-error @+1 {{expected '|'}}
func.func private @no_split(!tensoraccess.access<3x5>)

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
func.func private @no_element_type(!tensoraccess.access<3x5 | 7>)

// -----

// expected-error @+1 {{expected '<'}}
func.func private @no_shape(!tensoraccess.access)

// -----

// expected-error @+1 {{unknown  type `acces` in dialect `tensoraccess`}}
func.func private @no_such_type(!tensoraccess.acces<3 | 5xf32>)
