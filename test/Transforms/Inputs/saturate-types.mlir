// Of another type.
func.func @factor(%a: i32, %b: i32) -> i32 {
  return %a : i32
}
