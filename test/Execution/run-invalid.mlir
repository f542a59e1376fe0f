// Everything that can be wrong with a run: exit code 1, a message with place
// and value, and no output file.
// RUN: rm -rf %t && mkdir %t

// The program.
// RUN: not tensoraccess-run %t/absent.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file '{{.*}}absent.mlir': No such file or directory
// RUN: echo "func.func @main( {" | not tensoraccess-run - 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: <stdin>:1:17: error:
// RUN: not tensoraccess-run %s --entry=conv 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: there is no function 'conv' with a body; known are main, pattern, dynamic, unknown
// RUN: not tensoraccess-run %s --entry=declared 2>&1 | FileCheck %s --check-prefix=BODY
// BODY: run-invalid.mlir:[[#]]:{{[0-9]+}}: error: there is no function 'declared' with a body; known are main, pattern, dynamic, unknown
// RUN: not tensoraccess-run %s --entry=pattern 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: run-invalid.mlir:[[#]]:{{[0-9]+}}: error: argument 0 of 'pattern' has type '!tensoraccess.access<3 | 5xf32>': it is an access pattern
// RUN: not tensoraccess-run %s --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: run-invalid.mlir:[[#]]:{{[0-9]+}}: error: 'nobody.knows' is of a dialect that is not known here, so it cannot be compiled

// The inputs.
// RUN: not tensoraccess-run %s --inputs=random:x --outputs=%t/r.npy 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: seed of --inputs must be a non-negative integer, got 'x'
// RUN: not tensoraccess-run %s --inputs=random:-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: seed of --inputs must be a non-negative integer, got '-1'
// RUN: not tensoraccess-run %s --inputs=%S/Inputs/a-3x5-f32.npy --outputs=%t/r.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: expected 2 inputs, got 1
// RUN: not tensoraccess-run %s --inputs=%S/Inputs/a-3x5-f32.npy,%S/Inputs/b-5x2-f32.npy --outputs=%t/r.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: input 1 has shape 5x2, expected 5x7
// RUN: not tensoraccess-run %s --engine=interpret --inputs=%S/Inputs/a-3x5-f32.npy,%S/Inputs/b-5x2-f32.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not tensoraccess-run %s --inputs=%t/absent.npy 2>&1 | FileCheck %s --check-prefix=NPY
// NPY: error: {{.*}}absent.npy
// RUN: not tensoraccess-run %s --inputs=zeros 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: --inputs must be random:{{SEED, random:SEED.positive, random:SEED.model}} or .npy files with commas, got 'zeros'
// RUN: head -c 90 %S/Inputs/a-3x5-f32.npy > %t/cut.npy
// RUN: not tensoraccess-run %s --inputs=%t/cut.npy 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error: {{.*}}cut.npy
// RUN: not tensoraccess-run %s --entry=dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: run-invalid.mlir:[[#]]:{{[0-9]+}}: error: {{.*}}input 0, of type 'tensor<?x5xf32>', needs a dynamic size for dimension 0 to be random; sizes given: 0
// RUN: not tensoraccess-run %s --entry=dynamic --dynamic-sizes=3,4 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: run-invalid.mlir:[[#]]:{{[0-9]+}}: error: {{.*}}has 1 dynamic dimensions, got 2 sizes for them
// RUN: not tensoraccess-run %s --entry=dynamic --dynamic-sizes=-3 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: run-invalid.mlir:[[#]]:{{[0-9]+}}: error: {{.*}}dynamic size 0 must be non-negative, got -3
// RUN: not tensoraccess-run %s --entry=dynamic --dynamic-sizes=x 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --dynamic-sizes must be integers, got 'x'
// RUN: not tensoraccess-run %s --inputs=%S/Inputs/a-3x5-f32.npy --dynamic-sizes=3 2>&1 | FileCheck %s --check-prefix=FILES
// FILES: error: --dynamic-sizes is for random inputs, got '{{.*}}a-3x5-f32.npy'
// RUN: not tensoraccess-run %s --inputs=random:1:big 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: seed of --inputs must be a non-negative integer, got '1:big'

// The outputs and the comparison.
// RUN: not tensoraccess-run %s --outputs=%t/r.npy,%t/s.npy 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// OUTPUTS: error: --outputs names 2 files, 'main' has 1 results
// RUN: not tensoraccess-run %s --outputs=%t/absent/r.npy 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE-NOT: result 0
// WRITE: error: cannot write '{{.*}}absent/r.npy': no folder '{{.*}}absent'
// RUN: not tensoraccess-run %s --outputs=%S 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot write '{{.*}}': is a directory
// RUN: not tensoraccess-run %s --compare=%S/Inputs/a-3x5-f32.npy,%S/Inputs/b-5x2-f32.npy 2>&1 | FileCheck %s --check-prefix=EXPECTED
// EXPECTED: error: '{{.*}}' gives 2 results to compare with, 'main' has 1
// RUN: not tensoraccess-run %s --compare=%S/Inputs/a-3x5-f32.npy 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: error: result 0: {{.*}}3x5
// RUN: not tensoraccess-run %s --compare=%S/Inputs/forward.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: forward.mlir: expected 1 inputs, got 2
// RUN: not tensoraccess-run %s --compare=%S/matmul.mlir 2>&1 | FileCheck %s --check-prefix=SIGNATURE
// SIGNATURE: error: {{.*}}matmul.mlir: input 1 has shape 5x7, expected 5x2
// RUN: not tensoraccess-run %s --tolerance=-1 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: error: --tolerance must be at least 0, got -1
// RUN: not tensoraccess-run %s --time --repeat=0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: --repeat must be at least 1, got 0
// RUN: not tensoraccess-run %s --engine=paper 2>&1 | FileCheck %s --check-prefix=ENGINE
// ENGINE: {{.*}}engine{{.*}}'paper'

// RUN: ls %t | FileCheck %s --check-prefix=LEFT
// LEFT-NOT: r.npy
// LEFT: cut.npy
// LEFT-NOT: npy

func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x7xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%zero : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

func.func @pattern(%x: !tensoraccess.access<3 | 5xf32>) {
  return
}

func.func @dynamic(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  return %x : tensor<?x5xf32>
}

func.func @unknown(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "nobody.knows"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func private @declared(tensor<3xf32>) -> tensor<3xf32>
