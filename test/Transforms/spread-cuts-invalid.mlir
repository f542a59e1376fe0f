// What `tensoraccess-spread-cuts` refuses.
// RUN: split-file %s %t
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"9={d0: r}\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: cuts: there is no argument 9, the function has 2
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"tensor<5xf32>={d0: r}\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: cuts: no argument has the type tensor<5xf32>
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"0:d0\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: cuts: expected ARGUMENT={dN: axis}, got '0:d0'
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"1={d0: r}\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: cuts: argument 1 is not a tensor, but 'f32'
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"0={d0: c}\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: cuts: argument 0: c is not an axis of the grid r=2
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"0={partial: r}\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=PARTIAL
// PARTIAL: cuts: argument 0: an argument has no partial axes
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"0={d0: r}; 0={d1: r}\" grid=r=2})" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: cuts: argument 0 is distributed as "{d0: r}" already
// RUN: not tensoraccess-opt %t/f.mlir --pass-pipeline="builtin.module(tensoraccess-spread-cuts{grid=r=2})" 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: the function has no cut: no argument is distributed
// RUN: not tensoraccess-opt %t/f.mlir --tensoraccess-spread-cuts=function=g 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: there is no function 'g' with a body
// RUN: not tensoraccess-opt %t/f.mlir --tensoraccess-spread-cuts 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: 'tensoraccess.grid' must give the grid
// RUN: not tensoraccess-opt %t/f.mlir --tensoraccess-spread-cuts=grid=r=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: grid: axis r must have at least one rank, got 0
// RUN: not tensoraccess-opt %t/grid.mlir --tensoraccess-spread-cuts=grid=r=3 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: the function is cut for the grid r=2, not for r=3
// RUN: not tensoraccess-opt %t/grid.mlir --tensoraccess-spread-cuts 2>&1 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: tensoraccess.distribution of argument 0: c is not an axis of the grid r=2
// RUN: not tensoraccess-opt %t/blocks.mlir --tensoraccess-spread-cuts=grid=r=2 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: cuts need a function of one block

//--- f.mlir
func.func @f(%x: tensor<6x8xf32>, %s: f32) -> tensor<6x8xf32> {
  return %x : tensor<6x8xf32>
}

//--- grid.mlir
func.func @f(%x: tensor<6xf32> {tensoraccess.distribution = "{d0: c}"}) -> tensor<6xf32>
    attributes {tensoraccess.grid = "r=2"} {
  return %x : tensor<6xf32>
}

//--- blocks.mlir
func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<6xf32>
}
