// Equal to nothing.
func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %0, %c : i32
  return %1 : i32
}
