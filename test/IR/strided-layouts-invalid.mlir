// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{sizes must be positive, got 0}}
func.func private @zero(tensor<4xf32, #tensoraccess.strided<0:1>>)

// -----

// expected-error@+1 {{strides must be nested as sizes are}}
func.func private @nesting(tensor<4x2xf32, #tensoraccess.strided<(4,2):(1,(4))>>)

// -----

// expected-error@+1 {{must have one mode per dimension, 1, got 2}}
func.func private @rank(tensor<8xf32, #tensoraccess.strided<(4,2):(1,4)>>)

// -----

// expected-error@+1 {{mode 1 must have the size of dimension 1, 3, got 2}}
func.func private @size(tensor<4x3xf32, #tensoraccess.strided<(4,2):(1,4)>>)

// -----

// expected-error@+1 {{mode 0 must have the size of dimension 0, ?, got 4}}
func.func private @dynamic(tensor<?xf32, #tensoraccess.strided<4:1>>)

// -----

// expected-error@+1 {{strides of memory must be positive, got -1}}
func.func private @negative(tensor<4xf32, #tensoraccess.strided<4:-1>>)

// -----

// expected-error@+1 {{strides of memory must be positive, got 0}}
func.func private @broadcast(tensor<4x2xf32, #tensoraccess.strided<(4,2):(1,0)>>)

// -----

// expected-error@+1 {{strides of memory must nest: stride 2 is not beyond 3, the last number of modes of smaller strides}}
func.func private @overlap(tensor<4x2xf32, #tensoraccess.strided<(4,2):(1,2)>>)

// -----

// expected-error@+1 {{basis 0 of lane must be in [0, 2), got 2}}
func.func private @basis(tensor<2xf32, #tensoraccess.linear<{lane = [[2]]} -> [2]>>)

// -----

// expected-error@+1 {{size 0 must be a power of two, got 3}}
func.func private @power(tensor<3xf32, #tensoraccess.linear<{lane = [[1]]} -> [3]>>)

// -----

// expected-error@+1 {{every element must be held, got}}
func.func private @held(tensor<4xf32, #tensoraccess.linear<{lane = [[1]]} -> [4]>>)

// -----

// expected-error@+1 {{a layout needs an integer, index, float or complex element type, got 'vector<2xf32>'}}
func.func private @element(tensor<4xvector<2xf32>, #tensoraccess.strided<4:1>>)

// -----

func.func @sizes(%i: index, %n: index) -> index {
  // expected-error@+1 {{mode 0 must have the size of dimension 0, ?, got 4}}
  %0 = tensoraccess.linearize %i in #tensoraccess.strided<4:1> of [%n]
  return %0 : index
}

// -----

func.func @indices(%i: index) -> index {
  // expected-error@+1 {{must have one index per dimension of the layout, 2, got 1}}
  %0 = tensoraccess.linearize %i in #tensoraccess.strided<(4,2):(1,4)> of [4, 2]
  return %0 : index
}

// -----

func.func @bits(%x: tensor<4xf32, #tensoraccess.strided<4:1>>) -> tensor<4xf32> {
  // expected-error@+1 {{source must have a layout as its encoding, got #tensoraccess.strided<4:1>}}
  %0 = tensoraccess.bitcast %x : tensor<4xf32, #tensoraccess.strided<4:1>> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
