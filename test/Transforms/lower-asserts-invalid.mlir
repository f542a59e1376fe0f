// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-lower-asserts

// expected-error@below {{handler of failed assertions must be a function of type '(!llvm.ptr, i64, !llvm.ptr) -> ()'}}
func.func private @tensoraccess_fail(i1)

func.func @checked(%a: i1) {
  cf.assert %a, "out of bounds"
  return
}

// -----

func.func @unknown(%a: i1) {
  "some.op"() ({
    // expected-error@below {{it is unknown whether an op around it is a symbol table, where a handler would be declared}}
    cf.assert %a, "out of bounds"
  }) : () -> ()
  return
}
