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
