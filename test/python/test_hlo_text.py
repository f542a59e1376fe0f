# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO's ordinary text against jaxlib's parser and printers."""
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def convolve(x, w):
    y = lax.conv_general_dilated(x, w, (2, 1), "SAME", rhs_dilation=(1, 2),
                                 dimension_numbers=("NHWC", "HWIO", "NHWC"))  # fmt: skip
    return lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def attend(q, k):
    scores = jnp.einsum("bqd,bkd->bqk", q, k, precision="high")
    return jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((16, 16), bool)), scores, -1e9))


def loop(x):
    return lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * s[0]), (0, x))


def move(x, i):
    y = lax.dynamic_slice(x, (i, i), (2, 3))
    return lax.pad(y, 0.0, ((1, 2, 0), (0, -1, 1))), x[::2, 1:3], x.at[i].add(1.0), x[::-1]


def choose(x):
    return jnp.argmax(x, 1), jnp.sort(x), lax.top_k(x, 2), jnp.prod(x), jnp.cumsum(x, 0)


def convert(x):
    return (lax.bitcast_convert_type(x, jnp.int32), lax.reduce_precision(x, 8, 7),
            lax.complex(x, x), lax.erf_inv(x), jnp.fft.rfft(x))  # fmt: skip


FUNCTIONS = {
    "convolve": (convolve, f32(1, 8, 8, 3), f32(3, 3, 3, 4)),
    "attend": (attend, f32(2, 16, 8), f32(2, 16, 8)),
    "loop": (loop, f32(4)),
    "move": (move, f32(8, 8), jax.ShapeDtypeStruct((), jnp.int32)),
    "choose": (choose, f32(4, 8)),
    "convert": (convert, f32(8)),
    "solve": (jnp.linalg.solve, f32(4, 4), f32(4)),
    "mesh": (lambda x: jax.debug.callback(lambda _: None, x), f32(4)),
}

OTHERS = {
    "accuracy": """func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
  %1 = stablehlo.cholesky %m, lower = true : tensor<2x2xf32>
  %2 = stablehlo.reduce_precision %0, format = e5m2 {a, mhlo.sharding = "x"} : tensor<3xf32>
  return %2 : tensor<3xf32>
}""".replace("(%x: tensor<3xf32>)", "(%x: tensor<3xf32>, %m: tensor<2x2xf32>)"),
    "calls": """func.func @f(%x: tensor<3xf32>, %t: !stablehlo.token) -> tensor<3xf32> {
  %0:2 = stablehlo.custom_call @g(%x) {api_version = 4 : i32, backend_config = {k = 1}, has_side_effect = true} : (tensor<3xf32>) -> (tensor<3xf32>, !stablehlo.token)
  %1 = stablehlo.after_all %t, %0#1 : !stablehlo.token
  %2 = stablehlo.tuple %x, %1 : tuple<tensor<3xf32>, !stablehlo.token>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<3xf32>, !stablehlo.token>) -> tensor<3xf32>
  %4:2 = stablehlo.optimization_barrier %x, %3 : tensor<3xf32>, tensor<3xf32>
  return %4#0 : tensor<3xf32>
}""",
    "dynamic": """func.func @f(%x: tensor<?x3xf32>, %s: tensor<2xi64>, %n: tensor<i32>) -> tensor<?x3xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %1 = stablehlo.dynamic_reshape %x, %s : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %2 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x3xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %4 = chlo.broadcast_compare %2, %3 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
  %5 = stablehlo.select %4, %1, %3 : tensor<?x3xi1>, tensor<?x3xf32>
  return %5 : tensor<?x3xf32>
}""",
    "booleans": """func.func @f() -> tensor<2x52xi1> {
  %c = stablehlo.constant dense<"0x HEX"> : tensor<2x52xi1>
  return %c : tensor<2x52xi1>
}""".replace(" HEX", "0001" * 52),
}


def get_text(name):
    if name in OTHERS:
        return OTHERS[name]
    function, *arguments = FUNCTIONS[name]
    return jax.jit(function).lower(*arguments).as_text()


@pytest.mark.parametrize("name", [*FUNCTIONS, *OTHERS])
def test_text_is_read_and_printed_as_jaxlib_does(name):
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        operation = ir.Module.parse(get_text(name)).operation
        ordinary = operation.get_asm()
        generic = operation.get_asm(print_generic_op_form=True)
    module = ta.Module(get_text(name))
    assert str(module).strip() == ordinary.strip()
    if name == "booleans":  # MLIR of another version prints their bits otherwise
        return
    assert module.asm(generic=True).strip() == generic.strip()
    assert str(ta.Module(generic)).strip() == ordinary.strip()
