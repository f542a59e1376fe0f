// What @factor of saturate-expect.mlir is to become.
func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.addi %c, %b : i32
  %1 = arith.muli %0, %a : i32
  return %1 : i32
}
