// A run-time check that fails comes before every write whose bounds it keeps,
// and the program ends with its error alone.
// RUN: not tensoraccess-run %s --entry=rows --inputs=random:1 --dynamic-sizes=6,3 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: tensoraccess-run %s --entry=rows --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-run %s --entry=first --inputs=random:1 --dynamic-sizes=4000 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: tensoraccess-run %s --entry=first --inputs=random:1 --dynamic-sizes=2 --compare=interpret | FileCheck %s --check-prefix=EQUAL

// EQUAL: compare 0  equal, bit for bit

// The slice is computed before it is known whether the whole fits.
// ROWS-NOT: error
// ROWS: error: {{.*}}check-before-write.mlir:[[#@LINE+8]]:{{[0-9]+}}: tensoraccess.concat: dimension 0 of all concat operands must be equal, got 6 and 2
// ROWS-NOT: {{error|malloc|corrupted|PLEASE}}
func.func @rows(%x: tensor<?x?xbf16>) -> tensor<2x?xbf16> {
  %0 = tensoraccess.access %x at 1
     : tensor<?x?xbf16> -> !tensoraccess.access<? | ?xbf16>
  %1 = tensoraccess.slice %0 offsets = [1, -1] sizes = [2, -1]
       strides = [-2, -1] oob = [negative, negative]
     : !tensoraccess.access<? | ?xbf16> -> !tensoraccess.access<2 | ?xbf16>
  %2 = tensoraccess.concat %0, %0, %1 axis 1
     : !tensoraccess.access<? | ?xbf16>, !tensoraccess.access<? | ?xbf16>,
       !tensoraccess.access<2 | ?xbf16> -> !tensoraccess.access<2 | ?xbf16>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<2 | ?xbf16> -> tensor<2x?xbf16>
  return %3 : tensor<2x?xbf16>
}

// The computed operand is the one of the wrong size.
// FIRST-NOT: error
// FIRST: error: {{.*}}tensoraccess.concat: dimension 0 of all concat operands must be equal, got 2 and 4000
// FIRST-NOT: {{error|malloc|corrupted|PLEASE}}
func.func @first(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %0 = tensoraccess.access %y at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %1 = tensoraccess.access %x at 1
     : tensor<?x3xf32> -> !tensoraccess.access<? | 3xf32>
  %2 = tensoraccess.compute relu %1
     : !tensoraccess.access<? | 3xf32> -> !tensoraccess.access<? | 3xf32>
  %3 = tensoraccess.concat %0, %2 axis 1
     : !tensoraccess.access<2 | 3xf32>, !tensoraccess.access<? | 3xf32>
     -> !tensoraccess.access<2 | 6xf32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<2 | 6xf32> -> tensor<2x6xf32>
  return %4 : tensor<2x6xf32>
}
