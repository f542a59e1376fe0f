// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-lower-asserts

// expected-error@below {{handler of failed assertions must be a function of type '(!llvm.ptr, i64, !llvm.ptr) -> ()'}}
func.func private @tensoraccess_fail(i1)

func.func @checked(%a: i1) {
  cf.assert %a, "out of bounds"
  return
}
