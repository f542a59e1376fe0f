// Programs compile for processors that this machine is not, and run as generated
// for older ones with the same bits.
// RUN: tensoraccess-run %s --entry=relayout --compile-for=x86-64-v2,x86-64-v3,x86-64-v4,skylake-avx512,icelake-server,sapphirerapids,znver3,znver4,znver5,neoverse-n1,neoverse-v2 | FileCheck %s
// RUN: tensoraccess-run %s --entry=small --compile-for=x86-64-v2,x86-64-v3,x86-64-v4,skylake-avx512,icelake-server,sapphirerapids,znver3,znver4,znver5,neoverse-n1,neoverse-v2 | FileCheck %s
// RUN: tensoraccess-run %s --entry=bytes --compile-for=x86-64-v2,x86-64-v3,x86-64-v4,skylake-avx512,icelake-server,sapphirerapids,znver3,znver4,znver5,neoverse-n1,neoverse-v2 | FileCheck %s
// CHECK: code      x86-64-v2: {{[0-9]+}} bytes
// CHECK-NEXT: code      x86-64-v3: {{[0-9]+}} bytes
// CHECK-NEXT: code      x86-64-v4: {{[0-9]+}} bytes
// CHECK-NEXT: code      skylake-avx512: {{[0-9]+}} bytes
// CHECK-NEXT: code      icelake-server: {{[0-9]+}} bytes
// CHECK-NEXT: code      sapphirerapids: {{[0-9]+}} bytes
// CHECK-NEXT: code      znver3: {{[0-9]+}} bytes
// CHECK-NEXT: code      znver4: {{[0-9]+}} bytes
// CHECK-NEXT: code      znver5: {{[0-9]+}} bytes
// CHECK-NEXT: code      neoverse-n1: {{[0-9]+}} bytes
// CHECK-NEXT: code      neoverse-v2: {{[0-9]+}} bytes

// RUN: tensoraccess-run %s --entry=relayout --compare=interpret | FileCheck %s --check-prefix=SAME
// SAME: compare 0  equal, bit for bit
// RUN: rm -rf %t && mkdir %t
// RUN: tensoraccess-run %s --entry=small --outputs=%t/host.npy
// RUN: tensoraccess-run %s --entry=small --cpu=%baseline --compare=%t/host.npy | FileCheck %s --check-prefix=SAME

// What LLVM ends the process for is an error of the program.
// RUN: not tensoraccess-run %s --entry=elsewhere --compile-for=x86-64-v3 2>&1 | FileCheck %s --check-prefix=FATAL
// FATAL: processors.mlir:[[#]]:{{[0-9]+}}: error: cannot compile 'elsewhere': for x86-64-v3: {{.+}}
// RUN: not tensoraccess-run %s --entry=constraint --compile-for=neoverse-v2 2>&1 | FileCheck %s --check-prefix=ASM
// ASM: processors.mlir:[[#]]:{{[0-9]+}}: error: cannot compile 'constraint': for neoverse-v2: {{.*}}couldn't allocate output register for constraint '{ax}'
// RUN: not tensoraccess-run %s --entry=small --cpu=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: cannot compile 'small': 'z80' is not a processor that LLVM knows
// RUN: not tensoraccess-run %s --entry=small --compile-for=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tensoraccess-run %s --entry=small --cpu=%foreign 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: cannot run code for '{{.*}}' here: this machine has no '{{.*}}'
// RUN: not tensoraccess-run %s --entry=small --engine=interpret --cpu=host 2>&1 | FileCheck %s --check-prefix=ENGINE
// ENGINE: error: --cpu and --compile-for need --engine=jit
// RUN: env TENSORACCESS_CHECK_CPUS=x86-64-v3 not tensoraccess-run %s --entry=elsewhere 2>&1 | FileCheck %s --check-prefix=FATAL

// Vectors of bf16 that are only moved: no instruction of avx512bf16 takes them.
func.func @relayout(%a: tensor<6x9x1xf32>) -> tensor<1x6x9xbf16> {
  %0 = tensoraccess.relayout %a permutation = [2, 0, 1] : tensor<6x9x1xf32> to tensor<1x6x9xbf16, #tensoraccess.layout<{2,1,0:T(4)}>>
  %1 = tensoraccess.relayout %0 : tensor<1x6x9xbf16, #tensoraccess.layout<{2,1,0:T(4)}>> to tensor<1x6x9xbf16>
  return %1 : tensor<1x6x9xbf16>
}

// Arithmetic on bf16 and f16, which some processors have instructions for.
func.func @small(%a: tensor<7x33xbf16>, %b: tensor<7x33xf16>) -> tensor<7x33xbf16> {
  %0 = arith.addf %a, %a : tensor<7x33xbf16>
  %1 = math.exp %0 : tensor<7x33xbf16>
  %2 = arith.mulf %b, %b : tensor<7x33xf16>
  %3 = arith.divf %2, %b : tensor<7x33xf16>
  %4 = arith.extf %3 : tensor<7x33xf16> to tensor<7x33xf32>
  %5 = arith.truncf %4 : tensor<7x33xf32> to tensor<7x33xbf16>
  %6 = arith.subf %1, %5 : tensor<7x33xbf16>
  return %6 : tensor<7x33xbf16>
}

// An instruction that x86 has not.
func.func private @llvm.nvvm.read.ptx.sreg.tid.x() -> i32
func.func @elsewhere() -> i32 {
  %0 = call @llvm.nvvm.read.ptx.sreg.tid.x() : () -> i32
  return %0 : i32
}

func.func @constraint() -> i64 {
  %0 = llvm.inline_asm "mov $0, 1", "={ax}" : () -> i64
  return %0 : i64
}

// By tiles, dot products of four, floats or integers.
func.func @bytes(%a: tensor<40x100xi8>, %b: tensor<100x70xi8>) -> tensor<40x70xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x70xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<40x70xi32>) -> tensor<40x70xi32>
  %r = linalg.matmul ins(%a, %b : tensor<40x100xi8>, tensor<100x70xi8>)
    outs(%f : tensor<40x70xi32>) -> tensor<40x70xi32>
  return %r : tensor<40x70xi32>
}
