// RUN: tensoraccess-opt %s "--tensoraccess-report=sections=coalescing transaction-bytes=64" --remarks-filter=tensoraccess --remark-format=emitRemark --split-input-file --verify-diagnostics
// RUN: tensoraccess-opt %s --tensoraccess-report=sections=coalescing --remarks-filter=tensoraccess --remark-policy=all --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: not tensoraccess-opt %s "--tensoraccess-report=sections=coalescing plan=fast" --remarks-filter=tensoraccess --remark-format=emitRemark --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN

// PLAN: error: unknown plan 'fast'; known are auto, output, input, columns

// 4 warps store columns of a matrix: 128 lanes, 4 of 64 bytes each.
func.func @columns(%m: memref<32x100xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    // YAML: --- !Analysis
    // YAML: Name: {{.*}}access
    // YAML: BytesUsed: '512'
    // YAML: BytesMoved: '16384'
    // expected-remark@+1 {{[Analysis] access | Category:tensoraccess:coalescing | Function=columns | Accesses=4, Buffer=%arg0, BytesMoved=8192, BytesUsed=512, Coalesced=no, Lane=thread_x, Map="(block_x, thread_x) -> (thread_x, block_x), domain: block_x in [0, 3], thread_x in [0, 31]", MinimumBytes=512, Op=memref.store, Remark="memref.store uses 512 of 8192 bytes moved", RunBytes=8192, Transactions=128, Utilization=0.0625, WorstMoved=2048, WorstUsed=128}}
    memref.store %f, %m[%tx, %bx] : memref<32x100xf32>
    gpu.terminator
  }
  return
}

// -----

// What cannot be told has a reason.
func.func @unknown(%m: memref<?x?xf32>) {
  affine.for %i = 0 to 8 {
    // expected-remark@+1 {{[Missed] access | Category:tensoraccess:coalescing | Function=unknown | Buffer=%arg0, Map="(i0) -> (i0, 0), domain: i0 in [0, 7]", Op=affine.load, Reason="affine.load: dynamic shape"}}
    %v = affine.load %m[%i, 0] : memref<?x?xf32>
  }
  return
}

// -----

// A transpose as a kernel: tile by tile, the read is in the operand's order.
// expected-remark@+2 {{[Analysis] operand | Category:tensoraccess:coalescing | Function=transposed | Accesses=32, BytesMoved=4096, BytesUsed=4096, Coalesced=yes, MinimumBytes=4096, Operand=%arg0, Plan=input, Remark="the read of %arg0 uses 4096 of 4096 bytes moved", Result=0, RunBytes=4096, Transactions=64, Utilization=1, WorstMoved=128, WorstUsed=128}}
// A thread map given on the function.
func.func @transposed(%x: tensor<64x16xf32>) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x16xf32>) outs(%e : tensor<16x64xf32>) permutation = [1, 0]
  return %t : tensor<16x64xf32>
}
// expected-remark@+1 {{[Analysis] operand | Category:tensoraccess:coalescing | Function=given | Accesses=64, BytesMoved=4096, BytesUsed=4096, Coalesced=yes, MinimumBytes=4096, Operand=%arg0, Plan=given, Remark="the read of %arg0 uses 4096 of 4096 bytes moved", Result=0, RunBytes=4096, Transactions=64, Utilization=1, WorstMoved=64, WorstUsed=64}}
func.func @given(%x: tensor<64x16xf32>) -> tensor<16x64xf32> attributes {
    tensoraccess.thread_map = #tensoraccess.indexing_map<(t, b) -> (t, b), domain: t in [0, 15], b in [0, 63]>} {
  %e = tensor.empty() : tensor<16x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x16xf32>) outs(%e : tensor<16x64xf32>) permutation = [1, 0]
  return %t : tensor<16x64xf32>
}

// -----

// expected-remark@+1 {{[Missed] kernel | Category:tensoraccess:coalescing | Function=dynamic | Reason="an argument or result is not a static tensor or a scalar"}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %e = math.exp %x : tensor<?xf32>
  return %e : tensor<?xf32>
}
