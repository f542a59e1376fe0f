// Read by check-equivalence-invalid.mlir as another file.
func.func private @twice(%a: i8) -> i8 {
  %0 = arith.addi %a, %a : i8
  return %0 : i8
}
func.func private @step(%a: i8) -> i8 {
  %c = arith.constant 2 : i8
  %0 = arith.addi %a, %c : i8
  return %0 : i8
}
func.func @doubled(%a: i8) -> i8 {
  %0 = call @twice(%a) : (i8) -> i8
  return %0 : i8
}
func.func @stepped(%a: i8) -> i8 {
  %0 = call @step(%a) : (i8) -> i8
  return %0 : i8
}
