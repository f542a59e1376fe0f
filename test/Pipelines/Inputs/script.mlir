module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.apply_registered_pass "tensoraccess-assign-layouts" with options = { "target" = "avx512" } to %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "tensoraccess-materialize-layouts" with options = { "way" = "steps" } to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @wrong(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.apply_registered_pass "tensoraccess-assign-layouts" with options = { "target" = "moon" } to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
