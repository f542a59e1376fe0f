// A sum of 14 terms in a loop, and x + y - y around it.
func.func @f(%m: memref<?xi32>, %n: index, %a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32, %a6: i32, %a7: i32, %a8: i32, %a9: i32, %a10: i32, %a11: i32, %a12: i32, %a13: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %1 = arith.addi %a0, %a1 : i32
    %2 = arith.addi %1, %a2 : i32
    %3 = arith.addi %2, %a3 : i32
    %4 = arith.addi %3, %a4 : i32
    %5 = arith.addi %4, %a5 : i32
    %6 = arith.addi %5, %a6 : i32
    %7 = arith.addi %6, %a7 : i32
    %8 = arith.addi %7, %a8 : i32
    %9 = arith.addi %8, %a9 : i32
    %10 = arith.addi %9, %a10 : i32
    %11 = arith.addi %10, %a11 : i32
    %12 = arith.addi %11, %a12 : i32
    %13 = arith.addi %12, %a13 : i32
    memref.store %13, %m[%i] : memref<?xi32>
  }
  %x = arith.addi %a0, %a1 : i32
  %y = arith.subi %x, %a1 : i32
  return %y : i32
}
