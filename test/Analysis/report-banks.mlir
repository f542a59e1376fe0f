// RUN: tensoraccess-opt %s --tensoraccess-report=sections=coalescing --remarks-filter=tensoraccess --remark-policy=all --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s --input-file=%t.yaml

// A column of 32 words in one bank of 32; with a pitch of 33 each has its own.
// CHECK: Op: {{.*}}memref.load
// CHECK: Space: {{.*}}workgroup
// CHECK-NEXT: BankCycles: '32'
// CHECK-NEXT: BankMinimumCycles: '1'
// CHECK-NEXT: BankConflicts: '31'
// CHECK-NEXT: BankWorst: '32'
// CHECK: Op: {{.*}}memref.store
// CHECK: Space: {{.*}}workgroup
// CHECK-NEXT: BankCycles: '1'
// CHECK: Op: {{.*}}memref.store
// CHECK-NOT: Bank
// CHECK: ...
gpu.module @kernels {
  gpu.func @columns(%m: memref<32x32xf32, #gpu.address_space<workgroup>>,
                    %p: memref<32x33xf32, #gpu.address_space<workgroup>>,
                    %g: memref<32x32xf32, #gpu.address_space<global>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %0 = memref.load %m[%t, %c0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    memref.store %0, %p[%t, %c0] : memref<32x33xf32, #gpu.address_space<workgroup>>
    memref.store %0, %g[%t, %c0] : memref<32x32xf32, #gpu.address_space<global>>
    gpu.return
  }
}

// The same column in a swizzled memory, in tiles, and by bits.
#banks = #tensoraccess.strided<Sw<5,0,5> o (32,32):(32,1)>
#tiles = #tensoraccess.layout<{1,0:T(8,4)}>
#bits = #tensoraccess.linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 1], [2, 2], [4, 4], [8, 8], [16, 16]]} -> [32, 32]>
// CHECK: Op: {{.*}}memref.load
// CHECK: BankCycles: '1'
// CHECK: Op: {{.*}}memref.load
// CHECK: BankCycles: '4'
// CHECK: Op: {{.*}}memref.load
// CHECK: BankCycles: '1'
gpu.module @swizzled {
  gpu.func @columns(%m: memref<32x32xf32, #banks, #gpu.address_space<workgroup>>,
                    %p: memref<32x32xf32, #tiles, #gpu.address_space<workgroup>>,
                    %g: memref<32x32xf32, #bits, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %0 = memref.load %m[%t, %c0] : memref<32x32xf32, #banks, #gpu.address_space<workgroup>>
    %1 = memref.load %p[%t, %c0] : memref<32x32xf32, #tiles, #gpu.address_space<workgroup>>
    %2 = memref.load %g[%t, %c0] : memref<32x32xf32, #bits, #gpu.address_space<workgroup>>
    gpu.return
  }
}
