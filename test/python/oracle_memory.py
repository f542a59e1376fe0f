# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on buffers, with what NumPy computes, for test_oracle.py: what is
written to a memref is seen by its views, and by nothing else."""

import numpy as np

#: By subject: a text, inputs and results.
CASES = {}

X = np.arange(15, dtype=np.int32).reshape(3, 5) * 7 - 40
V = np.array([3, -1, 4, 1, -5, 9, 2, 6], np.int32)
M = np.array([1, 0, 0, 1, 1, 0, 1, 0], bool)


def case(name, text, inputs, *results):
    CASES[name] = (f"// {name}\n{text}", inputs, [np.asarray(r) for r in results])


written = X.copy()
written[1, 2], written[2, 0], written[0, 4] = X[2, 4], 7, X[2, 4] + 1
case("memory: elements", """func.func @main(%a: tensor<3x5xi32>) -> (tensor<3x5xi32>, tensor<3x5xi32>, index, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %m = bufferization.to_buffer %a : tensor<3x5xi32> to memref<3x5xi32>
  %before = memref.load %m[%c1, %c2] : memref<3x5xi32>
  %x = affine.load %m[%c2, symbol(%c2) + 2] : memref<3x5xi32>
  memref.store %x, %m[%c1, %c2] : memref<3x5xi32>
  affine.store %seven, %m[%c2 floordiv 1, 0] : memref<3x5xi32>
  %cell = memref.alloca() : memref<i32>
  %same = memref.assume_alignment %cell, 4 : memref<i32>
  %next = arith.addi %x, %one : i32
  memref.store %next, %same[] : memref<i32>
  %back = memref.load %cell[] : memref<i32>
  memref.store %back, %m[%c0, %c4] : memref<3x5xi32>
  %u = memref.cast %m : memref<3x5xi32> to memref<?x5xi32>
  %s = memref.memory_space_cast %u : memref<?x5xi32> to memref<?x5xi32, 1>
  %t = memref.memory_space_cast %s : memref<?x5xi32, 1> to memref<?x5xi32>
  %d = memref.dim %t, %c0 : memref<?x5xi32>
  %r = memref.rank %t : memref<?x5xi32>
  %copy = memref.alloc(%d) : memref<?x5xi32>
  memref.copy %t, %copy : memref<?x5xi32> to memref<?x5xi32>
  memref.store %one, %copy[%c0, %c0] : memref<?x5xi32>
  %o = bufferization.to_tensor %m restrict : memref<3x5xi32> to tensor<3x5xi32>
  memref.dealloc %copy : memref<?x5xi32>
  return %o, %a, %d, %r, %before : tensor<3x5xi32>, tensor<3x5xi32>, index, index, i32
}
""", [X], written, X, np.int64(3), np.int64(2), X[1, 2])

views = np.zeros((4, 6), np.int32)
views[0, 1::2], views[2, 1::2] = [1, 2, 3], [4, 5, 6]
views[3, :] = np.arange(6) + 10
views[1, 2] = 99
case("memory: views", """func.func @main(%a: tensor<2x3xi32>, %b: tensor<6xi32>) -> (tensor<4x6xi32>, tensor<6x4xi32>, tensor<2x12xi32>, tensor<2x2x6xi32>) {
  %z = arith.constant 0 : i32
  %nn = arith.constant 99 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<4x6xi32>
  linalg.fill ins(%z : i32) outs(%m : memref<4x6xi32>)
  %s = memref.subview %m[0, %c1] [2, 3] [2, 2] : memref<4x6xi32> to memref<2x3xi32, strided<[12, 2], offset: ?>>
  %ma = bufferization.to_buffer %a : tensor<2x3xi32> to memref<2x3xi32>
  memref.copy %ma, %s : memref<2x3xi32> to memref<2x3xi32, strided<[12, 2], offset: ?>>
  %row = memref.subview %m[3, 0] [1, 6] [1, 1] : memref<4x6xi32> to memref<6xi32, strided<[1], offset: 18>>
  %mb = bufferization.to_buffer %b : tensor<6xi32> to memref<6xi32>
  linalg.copy ins(%mb : memref<6xi32>) outs(%row : memref<6xi32, strided<[1], offset: 18>>)
  %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xi32> to memref<6x4xi32, strided<[1, 6]>>
  memref.store %nn, %t[%c2, %c1] : memref<6x4xi32, strided<[1, 6]>>
  %flat = memref.collapse_shape %m [[0, 1]] : memref<4x6xi32> into memref<24xi32>
  %wide = memref.expand_shape %flat [[0, 1]] output_shape [2, 12] : memref<24xi32> into memref<2x12xi32>
  %deep = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xi32> into memref<2x2x6xi32>
  %o0 = bufferization.to_tensor %m restrict : memref<4x6xi32> to tensor<4x6xi32>
  %ct = bufferization.clone %t : memref<6x4xi32, strided<[1, 6]>> to memref<6x4xi32>
  %o1 = bufferization.to_tensor %ct restrict : memref<6x4xi32> to tensor<6x4xi32>
  %o2 = bufferization.to_tensor %wide restrict : memref<2x12xi32> to tensor<2x12xi32>
  %o3 = bufferization.to_tensor %deep restrict : memref<2x2x6xi32> to tensor<2x2x6xi32>
  return %o0, %o1, %o2, %o3 : tensor<4x6xi32>, tensor<6x4xi32>, tensor<2x12xi32>, tensor<2x2x6xi32>
}
""", [np.arange(1, 7, dtype=np.int32).reshape(2, 3), np.arange(6, dtype=np.int32) + 10],
     views, views.T, views.reshape(2, 12), views.reshape(2, 2, 6))

packed = np.full(8, -7, np.int32)
packed[1:5] = V[M]
spread = V.copy()
spread[M] = [40, 50, 60, 70]
scattered = V.copy()
scattered[[7, 2, 5, 1]] = [40, 60, 70, 50]
case("memory: vectors", """func.func @main(%v: tensor<8xi32>, %m: tensor<8xi1>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<4xi32>, tensor<2x2xi32>, tensor<3x5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %false = arith.constant false
  %z = arith.constant 0 : i32
  %minus = arith.constant -7 : i32
  %pass = arith.constant dense<-7> : vector<8xi32>
  %four = arith.constant dense<[40, 50, 60, 70]> : vector<4xi32>
  %mem = bufferization.to_buffer %v : tensor<8xi32> to memref<8xi32>
  %mask = vector.transfer_read %m[%c0], %false {in_bounds = [true]} : tensor<8xi1>, vector<8xi1>
  %all = vector.load %mem[%c0] : memref<8xi32>, vector<8xi32>
  // Behind one another.
  %p = memref.alloc() : memref<8xi32>
  linalg.fill ins(%minus : i32) outs(%p : memref<8xi32>)
  vector.compressstore %p[%c1], %mask, %all : memref<8xi32>, vector<8xi1>, vector<8xi32>
  %o0 = bufferization.to_tensor %p restrict : memref<8xi32> to tensor<8xi32>
  %small = memref.alloc() : memref<4xi32>
  vector.store %four, %small[%c0] : memref<4xi32>, vector<4xi32>
  %e = vector.expandload %small[%c0], %mask, %all : memref<4xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  %q = memref.alloc() : memref<8xi32>
  vector.store %e, %q[%c0] : memref<8xi32>, vector<8xi32>
  %o1 = bufferization.to_tensor %q restrict : memref<8xi32> to tensor<8xi32>
  // Under a mask.
  %w = bufferization.to_buffer %v : tensor<8xi32> to memref<8xi32>
  vector.maskedstore %w[%c0], %mask, %pass : memref<8xi32>, vector<8xi1>, vector<8xi32>
  %o2 = bufferization.to_tensor %w restrict : memref<8xi32> to tensor<8xi32>
  %x3 = vector.maskedload %mem[%c0], %mask, %pass : memref<8xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  %x4 = vector.transfer_read %mem[%c4], %z : memref<8xi32>, vector<8xi32>
  // By places.
  %places = arith.constant dense<[5, 0, -1, 3]> : vector<4xi32>
  %some = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %s = bufferization.to_buffer %v : tensor<8xi32> to memref<8xi32>
  %to = arith.constant dense<[5, -1, 0, 3]> : vector<4xi32>
  %yes = arith.constant dense<true> : vector<4xi1>
  vector.scatter %s[%c2] [%to], %yes, %four : memref<8xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>
  %o5 = bufferization.to_tensor %s restrict : memref<8xi32> to tensor<8xi32>
  %x6 = vector.gather %mem[%c2] [%places], %some, %four : memref<8xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  // Two dimensions.
  %grid = memref.expand_shape %mem [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  %x7 = vector.load %grid[%c0, %c2] : memref<2x4xi32>, vector<2x2xi32>
  %big = memref.alloc() : memref<3x5xi32>
  linalg.fill ins(%minus : i32) outs(%big : memref<3x5xi32>)
  vector.transfer_write %x7, %big[%c2, %c1] : vector<2x2xi32>, memref<3x5xi32>
  %o8 = bufferization.to_tensor %big restrict : memref<3x5xi32> to tensor<3x5xi32>
  %e3 = tensor.empty() : tensor<8xi32>
  %o3 = vector.transfer_write %x3, %e3[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  %e4 = tensor.empty() : tensor<8xi32>
  %o4 = vector.transfer_write %x4, %e4[%c0] {in_bounds = [true]} : vector<8xi32>, tensor<8xi32>
  %e6 = tensor.empty() : tensor<4xi32>
  %o6 = vector.transfer_write %x6, %e6[%c0] {in_bounds = [true]} : vector<4xi32>, tensor<4xi32>
  %e7 = tensor.empty() : tensor<2x2xi32>
  %o7 = vector.transfer_write %x7, %e7[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xi32>, tensor<2x2xi32>
  return %o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7, %o8 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<4xi32>, tensor<2x2xi32>, tensor<3x5xi32>
}
""", [V, M], packed, spread, np.where(M, -7, V), np.where(M, V, -7), np.append(V[4:], [0] * 4), scattered,
     [V[7], 50, V[1], V[5]], V.reshape(2, 4)[:, 2:], np.pad(V.reshape(2, 4)[:1, 2:], ((2, 0), (1, 2)), constant_values=-7))

case("memory: tensors", """func.func @main(%a: tensor<3x5xi32>) -> (tensor<3x5xi32>, tensor<3x5xi32>, tensor<3x5xi32>) {
  %n = arith.constant 3 : index
  %z = arith.constant 2 : i32
  %e = bufferization.alloc_tensor(%n) : tensor<?x5xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<?x5xi32>) -> tensor<?x5xi32>
  %s = tensor.cast %f : tensor<?x5xi32> to tensor<3x5xi32>
  %c = bufferization.alloc_tensor() copy(%a) : tensor<3x5xi32>
  %m = bufferization.materialize_in_destination %c in %s : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi32>
  %buffer = memref.alloc() : memref<3x5xi32>
  bufferization.materialize_in_destination %s in restrict writable %buffer : (tensor<3x5xi32>, memref<3x5xi32>) -> ()
  %t = bufferization.to_tensor %buffer restrict : memref<3x5xi32> to tensor<3x5xi32>
  return %s, %m, %t : tensor<3x5xi32>, tensor<3x5xi32>, tensor<3x5xi32>
}
""", [X], np.full((3, 5), 2, np.int32), X, np.full((3, 5), 2, np.int32))

case("memory: freed", """func.func @main(%a: tensor<3x5xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c = bufferization.alloc_tensor() copy(%a) : tensor<3x5xi32>
  %x = tensor.extract %c[%c0, %c0] : tensor<3x5xi32>
  bufferization.dealloc_tensor %c : tensor<3x5xi32>
  return %x : i32
}
""", [X], X[0, 0])

sums = np.cumsum(X, axis=0, dtype=np.int32)
case("memory: loops", """memref.global "private" constant @weights : memref<5xi32> = dense<[1, 2, 3, 4, 5]>
func.func @main(%a: tensor<3x5xi32>) -> (tensor<3x5xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %m = bufferization.to_buffer %a : tensor<3x5xi32> to memref<3x5xi32>
  scf.for %i = %c1 to %c3 step %c1 {
    %before = arith.subi %i, %c1 : index
    %from = memref.subview %m[%before, 0] [1, 5] [1, 1] : memref<3x5xi32> to memref<5xi32, strided<[1], offset: ?>>
    %to = memref.subview %m[%i, 0] [1, 5] [1, 1] : memref<3x5xi32> to memref<5xi32, strided<[1], offset: ?>>
    linalg.add ins(%from, %to : memref<5xi32, strided<[1], offset: ?>>, memref<5xi32, strided<[1], offset: ?>>)
      outs(%to : memref<5xi32, strided<[1], offset: ?>>)
  }
  %w = memref.get_global @weights : memref<5xi32>
  %r = memref.alloc() : memref<i32>
  memref.store %zero, %r[] : memref<i32>
  scf.parallel (%j) = (%c0) to (%c5) step (%c1) {
    %x = memref.load %w[%j] : memref<5xi32>
    %y = func.call @times(%m, %j, %x) : (memref<3x5xi32>, index, i32) -> i32
    %old = memref.load %r[] : memref<i32>
    %new = arith.addi %old, %y : i32
    memref.store %new, %r[] : memref<i32>
  }
  %sum = memref.load %r[] : memref<i32>
  %t = bufferization.to_tensor %m restrict : memref<3x5xi32> to tensor<3x5xi32>
  return %t, %sum : tensor<3x5xi32>, i32
}
func.func private @times(%m: memref<3x5xi32>, %j: index, %x: i32) -> i32 {
  %c2 = arith.constant 2 : index
  %e = memref.load %m[%c2, %j] : memref<3x5xi32>
  %p = arith.muli %e, %x : i32
  return %p : i32
}
""", [X], sums, np.int32(sums[2] @ np.arange(1, 6)))
