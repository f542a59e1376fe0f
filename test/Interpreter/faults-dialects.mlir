// What fails in ops of tensor, scf, vector and linalg is an error at the op.
// RUN: not tensoraccess-run %s --entry=gather --engine=interpret 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not tensoraccess-run %s --entry=scatter --engine=interpret 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not tensoraccess-run %s --entry=pad --engine=interpret 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: not tensoraccess-run %s --entry=parallel --engine=interpret 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: not tensoraccess-run %s --entry=insert --engine=interpret 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: not tensoraccess-run %s --entry=read --engine=interpret 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not tensoraccess-run %s --entry=element --engine=interpret 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not tensoraccess-run %s --entry=vector_gather --engine=interpret 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not tensoraccess-run %s --entry=scalable --engine=interpret 2>&1 | FileCheck %s --check-prefix=SCALABLE
// RUN: not tensoraccess-run %s --entry=winograd --engine=interpret 2>&1 | FileCheck %s --check-prefix=WINOGRAD
// RUN: not tensoraccess-run %s --entry=composite --engine=interpret 2>&1 | FileCheck %s --check-prefix=COMPOSITE
// RUN: not tensoraccess-run %s --entry=resource --engine=interpret 2>&1 | FileCheck %s --check-prefix=RESOURCE

// GATHER: faults-dialects.mlir:[[#@LINE+4]]:8: {{.*}}index 4 of dimension 0 must lie in [0, 4)
func.func @gather() -> tensor<1x3xi32> {
  %x = arith.constant dense<1> : tensor<4x3xi32>
  %i = arith.constant dense<4> : tensor<1x1xindex>
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x3xi32>, tensor<1x1xindex>) -> tensor<1x3xi32>
  return %0 : tensor<1x3xi32>
}

// SCATTER: faults-dialects.mlir:[[#@LINE+5]]:8: {{.*}}index -1 of dimension 1 must lie in [0, 3)
func.func @scatter() -> tensor<4x3xi32> {
  %x = arith.constant dense<1> : tensor<4x3xi32>
  %s = arith.constant dense<1> : tensor<1x4xi32>
  %i = arith.constant dense<-1> : tensor<1x1xindex>
  %0 = tensor.scatter %s into %x[%i] scatter_dims([1]) unique : (tensor<1x4xi32>, tensor<4x3xi32>, tensor<1x1xindex>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

// PAD: faults-dialects.mlir:[[#@LINE+5]]:8: {{.*}}padding of dimension 0 must leave a size of 0 to 2^63 - 1, got 3 with -2 and -2
func.func @pad() -> tensor<?xi32> {
  %x = arith.constant dense<1> : tensor<3xi32>
  %n = arith.constant -2 : index
  %c = arith.constant 0 : i32
  %0 = tensor.pad %x low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %c : i32
  } : tensor<3xi32> to tensor<?xi32>
  return %0 : tensor<?xi32>
}

// PARALLEL: faults-dialects.mlir:[[#@LINE+6]]:3: {{.*}}step 1 must be positive, got 0
func.func @parallel() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0> : tensor<1xindex>
  %s = tensor.extract %z[%c0] : tensor<1xindex>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c4, %s) {
  }
  return
}

// INSERT: faults-dialects.mlir:[[#@LINE+6]]:7: {{.*}}index 4 of dimension 0 must lie in [0, 4)
func.func @insert() -> tensor<4xi32> {
  %x = arith.constant dense<1> : tensor<4xi32>
  %s = arith.constant dense<1> : tensor<1xi32>
  %0 = scf.forall (%i) in (5) shared_outs(%o = %x) -> (tensor<4xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %0 : tensor<4xi32>
}

// READ: faults-dialects.mlir:[[#@LINE+5]]:8: {{.*}}index 4 of dimension 0 must lie in [0, 4)
func.func @read() -> tensor<3xi32> {
  %x = arith.constant dense<1> : tensor<4xi32>
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  %v = vector.transfer_read %x[%c2], %c0 {in_bounds = [true]} : tensor<4xi32>, vector<3xi32>
  %e = tensor.empty() : tensor<3xi32>
  %z = arith.constant 0 : index
  %0 = vector.transfer_write %v, %e[%z] : vector<3xi32>, tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ELEMENT: faults-dialects.mlir:[[#@LINE+4]]:8: {{.*}}index 3 of dimension 0 must lie in [0, 3)
func.func @element() -> i32 {
  %v = arith.constant dense<1> : vector<3xi32>
  %c3 = arith.constant 3 : index
  %0 = vector.extract %v[%c3] : i32 from vector<3xi32>
  return %0 : i32
}

// LANES: faults-dialects.mlir:[[#@LINE+7]]:8: {{.*}}index 9 of dimension 0 must lie in [0, 4)
func.func @vector_gather() -> i32 {
  %x = arith.constant dense<1> : tensor<4xi32>
  %c0 = arith.constant 0 : index
  %i = arith.constant dense<[0, 9]> : vector<2xi32>
  %m = arith.constant dense<true> : vector<2xi1>
  %p = arith.constant dense<0> : vector<2xi32>
  %v = vector.gather %x[%c0] [%i], %m, %p : tensor<4xi32>, vector<2xi32>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  %0 = vector.extract %v[0] : i32 from vector<2xi32>
  return %0 : i32
}

// SCALABLE: faults-dialects.mlir:[[#@LINE+3]]:8: {{.*}}makes a vector of scalable size, which the interpreter does not hold
func.func @scalable() -> i1 {
  %c1 = arith.constant 1 : index
  %m = vector.create_mask %c1 : vector<[4]xi1>
  %0 = vector.extract %m[0] : i1 from vector<[4]xi1>
  return %0 : i1
}

// WINOGRAD: faults-dialects.mlir:[[#@LINE+4]]:8: {{.*}}needs elements that are floats, got 'i32'
func.func @winograd() -> tensor<4x4x1x1xi32> {
  %g = arith.constant dense<1> : tensor<1x3x3x1xi32>
  %o = tensor.empty() : tensor<4x4x1x1xi32>
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%g : tensor<1x3x3x1xi32>) outs(%o : tensor<4x4x1x1xi32>) -> tensor<4x4x1x1xi32>
  return %0 : tensor<4x4x1x1xi32>
}

// COMPOSITE: faults-dialects.mlir:[[#@LINE+4]]:8: {{.*}}calls @outside, which has no body
func.func private @outside(tensor<2xf32>) -> tensor<2xf32>
func.func @composite() -> tensor<2xf32> {
  %a = arith.constant dense<1.0> : tensor<2xf32>
  %0 = "stablehlo.composite"(%a) <{name = "my.op", decomposition = @outside}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// RESOURCE: faults-dialects.mlir:[[#@LINE+2]]:8: {{.*}}resources of integers that are not bytes have no fixed form; write them as dense elements
func.func @resource() -> tensor<2xi4> {
  %0 = arith.constant dense_resource<few> : tensor<2xi4>
  return %0 : tensor<2xi4>
}

{-#
  dialect_resources: {
    builtin: {
      few: "0x040000000102"
    }
  }
#-}
