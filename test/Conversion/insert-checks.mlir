// RUN: tensoraccess-opt %s --tensoraccess-insert-checks | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-insert-checks=only-shapes \
// RUN:   | FileCheck %s --check-prefix=SHAPES

// Sizes of arguments, each compared once: the sum's operands are the product's
// destination, twice.
// CHECK-LABEL: @product
// CHECK-DAG: %[[M:.+]] = tensor.dim %arg2, %c0
// CHECK-DAG: %[[N:.+]] = tensor.dim %arg2, %c1
// CHECK-DAG: %[[K:.+]] = tensor.dim %arg1, %c0
// CHECK: %[[FITS:.+]] = arith.cmpi eq, %[[K]], %[[L:.+]] : index
// CHECK: tensoraccess.assert %[[FITS]], "linalg.matmul: dimension 0 of operand 1 must be {0}, the size of loop 2, got {1}"(%[[L]], %[[K]] : index, index)
// CHECK: "linalg.matmul: dimension 0 of operand 2 must be {0}, the size of loop 0, got {1}"
// CHECK: "linalg.matmul: dimension 1 of operand 2 must be {0}, the size of loop 1, got {1}"
// CHECK-NOT: tensoraccess.assert
// CHECK: linalg.matmul
// CHECK-NOT: tensoraccess.assert
// CHECK: return
// SHAPES-LABEL: @product
// SHAPES-COUNT-3: tensoraccess.assert
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = arith.addf %0, %o : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A place that is the same in all iterations is checked before the loop, which
// may have none.
// CHECK-LABEL: @before_loop
// CHECK: %[[FITS:.+]] = arith.cmpi ult, %arg2, %c7
// CHECK: %[[EMPTY:.+]] = arith.cmpi sge, %{{.+}}, %arg1
// CHECK: %[[HOLDS:.+]] = arith.ori %[[EMPTY]], %[[FITS]]
// CHECK: tensoraccess.assert %[[HOLDS]], "tensor.extract: index {0} of dimension 1 must lie in [0, 7)"(%arg2 : index)
// CHECK: scf.for
// CHECK-NOT: tensoraccess.assert
// CHECK: return
// SHAPES-LABEL: @before_loop
// SHAPES-NOT: tensoraccess.assert
func.func @before_loop(%a: tensor<5x7xf32>, %n: index, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> f32 {
    %x = tensor.extract %a[%c1, %k] : tensor<5x7xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  return %0 : f32
}

// Not past what may fail first.
// CHECK-LABEL: @in_order
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: tensoraccess.assert
// CHECK: tensor.extract
func.func @in_order(%a: tensor<5x7xf32>, %n: index, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> f32 {
    %c = arith.cmpi ne, %i, %k : index
    cf.assert %c, "met"
    %x = tensor.extract %a[%c1, %k] : tensor<5x7xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  return %0 : f32
}

// What the loop's bounds say needs no check, nor do static shapes.
// CHECK-LABEL: @inside
// CHECK-NOT: tensoraccess.assert
// CHECK: return
func.func @inside(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>, %o: tensor<5x3xf32>) -> (f32, tensor<5x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %z) -> f32 {
    %x = tensor.extract %a[%i, %c1] : tensor<5x7xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  %1 = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x3xf32>) outs(%o : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0, %1 : f32, tensor<5x3xf32>
}

// Buffers as tensors.
// CHECK-LABEL: @buffers
// CHECK: %[[SIZE:.+]] = memref.dim %arg0
// CHECK: %[[FITS:.+]] = arith.cmpi ult, %arg1, %[[SIZE]]
// CHECK: tensoraccess.assert %[[FITS]], "memref.load: index {0} of dimension 0 must lie in [0, {1})"(%arg1, %[[SIZE]] : index, index)
// CHECK-NOT: tensoraccess.assert
// CHECK: return
func.func @buffers(%a: memref<?xf32>, %i: index) {
  %x = memref.load %a[%i] : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  return
}

// A named op whose body divides becomes a generic one, whose divisor can be
// checked.
// CHECK-LABEL: @divisions
// CHECK: linalg.generic
// CHECK: tensoraccess.assert %{{.+}}, "arith.divsi: divides {0} by zero"
// CHECK: tensoraccess.assert %{{.+}}, "arith.divsi: divides {0} by -1, which overflows"
// CHECK: arith.divsi
func.func @divisions(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = linalg.div ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%a : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// A copy has no sizes of its own to be checked.
// CHECK-LABEL: @copy
// CHECK-NEXT: bufferization.alloc_tensor() copy(%arg0)
func.func @copy(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = bufferization.alloc_tensor() copy(%x) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A place in front of a tensor, and the last one where a transfer says that it
// stays inside; not where a mask may leave it out.
// CHECK-LABEL: @transfers
// CHECK: tensoraccess.assert %{{.+}}, "vector.transfer_read: index {0} of dimension 0 must lie in [0, 5)"
// CHECK: tensoraccess.assert %{{.+}}, "vector.transfer_read: index {0} of dimension 1 must not be negative"
// CHECK: tensoraccess.assert %{{.+}}, "vector.transfer_read: index {0} of dimension 1 must lie in [0, 7)"
// CHECK: vector.transfer_read
// CHECK: tensoraccess.assert %{{.+}}, "vector.transfer_read: index {0} of dimension 1 must lie in [0, 7)"
// CHECK: vector.transfer_read
// CHECK-NOT: tensoraccess.assert
// CHECK: vector.transfer_read
func.func @transfers(%a: tensor<5x7xf32>, %i: index, %j: index, %k: index, %x: f32, %m: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %a[%i, %j], %x : tensor<5x7xf32>, vector<4xf32>
  %1 = vector.transfer_read %a[%c0, %k], %x {in_bounds = [true]} : tensor<5x7xf32>, vector<4xf32>
  %2 = vector.transfer_read %a[%c0, %i], %x, %m {in_bounds = [true]} : tensor<5x7xf32>, vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}
