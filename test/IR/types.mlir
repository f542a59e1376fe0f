// Access types with empty sides, dynamic and zero sizes, and every kind of
// element survive text and bytecode.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s

// CHECK-LABEL: @types
// CHECK-SAME: !tensoraccess.access<30x30 | 3x3x3xf32>
// CHECK-SAME: !tensoraccess.access<| f32>
// CHECK-SAME: !tensoraccess.access<30x30 | f32>
// CHECK-SAME: !tensoraccess.access<| 3x5xbf16>
// CHECK-SAME: !tensoraccess.access<?x3 | ?x0xi1>
// CHECK-SAME: !tensoraccess.access<| 9223372036854775807xindex>
func.func private @types(
  !tensoraccess.access<30x30 | 3x3x3xf32>,
  !tensoraccess.access<| f32>,
  !tensoraccess.access<30x30 | f32>,
  !tensoraccess.access<|3x5xbf16>,
  !tensoraccess.access<?x3|?x0xi1>,
  !tensoraccess.access<| 9223372036854775807xindex>)
