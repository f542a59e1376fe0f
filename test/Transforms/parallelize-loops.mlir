// RUN: tensoraccess-opt %s --tensoraccess-parallelize-kernels=cores=2 \
// RUN:   --canonicalize --split-input-file | FileCheck %s

// Each row by itself.
// CHECK-LABEL: func.func @rows
// CHECK: scf.forall (%[[PART:.*]]) in (8)
// CHECK: %[[LOW:.*]] = arith.muli %[[PART]], %{{.*}} : index
// CHECK: %[[END:.*]] = arith.addi %[[LOW]], %{{.*}} : index
// CHECK: %[[HIGH:.*]] = arith.minsi %[[END]], %{{.*}} : index
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[HIGH]]
// CHECK: scf.for
func.func @rows(%x: memref<1023x1024xf32>, %y: memref<1023x1024xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1023 : index
  %columns = arith.constant 1024 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c1 to %columns step %c1 {
      %k = arith.subi %j, %c1 : index
      %a = memref.load %x[%i, %j] : memref<1023x1024xf32>
      %b = memref.load %y[%i, %k] : memref<1023x1024xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %y[%i, %j] : memref<1023x1024xf32>
    }
  }
  return
}

// -----

// A loop within one that is not.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: scf.forall
// CHECK: scf.for
// CHECK: scf.forall
func.func @steps(%x: memref<9x1024x1024xf32>, %y: memref<9x1024x1024xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c1024 = arith.constant 1024 : index
  scf.for %h = %c1 to %c9 step %c1 {
    %k = arith.subi %h, %c1 : index
    scf.for %i = %c0 to %c1024 step %c1 {
      scf.for %j = %c0 to %c1024 step %c1 {
        %a = memref.load %x[%h, %i, %j] : memref<9x1024x1024xf32>
        %b = memref.load %y[%k, %i, %j] : memref<9x1024x1024xf32>
        %s = arith.addf %a, %b : f32
        memref.store %s, %y[%h, %i, %j] : memref<9x1024x1024xf32>
      }
    }
  }
  return
}

// -----

// What another row has been given; a place that several share; a number that is
// carried; a buffer that may overlap; a view of it; little work.
// CHECK-LABEL: func.func @others
// CHECK-NOT: scf.forall
func.func @others(%x: memref<1024x1024xf32>, %y: memref<1024x1024xf32> {llvm.noalias},
                  %may: memref<1024x1024xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c1 to %c1024 step %c1 {
    %k = arith.subi %i, %c1 : index
    scf.for %j = %c0 to %c1024 step %c1 {
      %b = memref.load %y[%k, %j] : memref<1024x1024xf32>
      memref.store %b, %y[%i, %j] : memref<1024x1024xf32>
    }
  }
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %b = memref.load %x[%i, %j] : memref<1024x1024xf32>
      memref.store %b, %y[%i, %j] : memref<1024x1024xf32>
    }
  }
  %cell = memref.alloc() : memref<1024xf32>
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %b = memref.load %x[%i, %j] : memref<1024x1024xf32>
      memref.store %b, %cell[%c8] : memref<1024xf32>
    }
  }
  %first = memref.load %cell[%c8] : memref<1024xf32>
  memref.dealloc %cell : memref<1024xf32>
  %sum = scf.for %i = %c0 to %c1024 step %c1 iter_args(%s = %first) -> f32 {
    %t = scf.for %j = %c0 to %c1024 step %c1 iter_args(%u = %s) -> f32 {
      %b = memref.load %x[%i, %j] : memref<1024x1024xf32>
      %v = arith.addf %u, %b : f32
      scf.yield %v : f32
    }
    scf.yield %t : f32
  }
  scf.for %i = %c0 to %c1024 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %b = memref.load %x[%i, %j] : memref<1024x1024xf32>
      memref.store %b, %may[%i, %j] : memref<1024x1024xf32>
    }
  }
  %shifted = memref.subview %y[1, 0] [1023, 1024] [1, 1] : memref<1024x1024xf32> to memref<1023x1024xf32, strided<[1024, 1], offset: 1024>>
  %c1023 = arith.constant 1023 : index
  scf.for %i = %c0 to %c1023 step %c1 {
    scf.for %j = %c0 to %c1024 step %c1 {
      %b = memref.load %shifted[%i, %j] : memref<1023x1024xf32, strided<[1024, 1], offset: 1024>>
      memref.store %b, %y[%i, %j] : memref<1024x1024xf32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %b = memref.load %x[%i, %j] : memref<1024x1024xf32>
      memref.store %b, %y[%i, %j] : memref<1024x1024xf32>
    }
  }
  return %sum : f32
}
