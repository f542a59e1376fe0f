# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX and TensorAccess in one process."""

import subprocess
import sys

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp = jax.numpy


def conv(image, filters):
    return jax.lax.conv_general_dilated(
        image,
        filters,
        window_strides=(2, 1),
        padding="SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )


IMAGE, FILTERS = (1, 9, 7, 3), (3, 3, 3, 5)


def test_lowered_modules_are_read():
    lowered = jax.jit(conv).lower(jnp.zeros(IMAGE), jnp.zeros(FILTERS))
    module = lowered.compiler_ir("stablehlo")
    for source in (module, module.operation):
        mod = ta.Module(source)
        assert "stablehlo.convolution(" in str(mod)
        assert "[b, 0, 1, f]" in str(mod)
        (main,) = mod.functions
        assert main.inputs == ["tensor<1x9x7x3xf32>", "tensor<3x3x3x5xf32>"]


def test_every_op_of_a_lowered_module_has_an_answer_or_a_reason():
    lowered = jax.jit(lambda x, y: jnp.tanh(x @ y).T).lower(
        jnp.zeros((3, 5)), jnp.zeros((5, 7))
    )
    answers = ta.Module(lowered.compiler_ir("stablehlo")).indexing()["main"]
    assert {"stablehlo.dot_general", "stablehlo.transpose"} <= {op.name for op in answers}
    for op in answers:
        unknown = any(
            m.is_unknown for operands in op.output_to_input for maps in operands for m in maps
        )
        assert unknown == (op.reason is not None)


def test_the_ordinary_form_is_read_and_printed():
    lowered = jax.jit(lambda x: jnp.sin(x + 1)).lower(jnp.zeros(3))
    mod = ta.Module(lowered.as_text())
    assert str(mod).strip() == lowered.as_text().strip()
    assert str(ta.Module(lowered)) == str(mod)
    np.testing.assert_allclose(mod.compile()(np.zeros(3, np.float32)), np.sin(np.ones(3)), 1e-6)


def test_masks_are_read_however_their_booleans_are_written():
    mask = np.arange(16 * 16).reshape(16, 16) % 3 == 0
    lowered = jax.jit(lambda x: jnp.where(mask, x, 0)).lower(jnp.zeros((16, 16)))
    for source in (lowered, lowered.as_text()):
        mod = ta.Module(source)
        assert (mod.compile()(np.ones((16, 16), np.float32)) == mask).all()
        assert str(mod).strip() == lowered.as_text().strip()
        assert str(ta.Module(mod.asm(generic=True))) == str(mod)


MATMUL = """
func.func @main(%a: tensor<3x5x{0}>, %b: tensor<5x7x{0}>) -> tensor<3x7x{0}> {{
  %z = arith.constant 0.0 : {0}
  %e = tensor.empty() : tensor<3x7x{0}>
  %f = linalg.fill ins(%z : {0}) outs(%e : tensor<3x7x{0}>) -> tensor<3x7x{0}>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5x{0}>, tensor<5x7x{0}>)
                     outs(%f : tensor<3x7x{0}>) -> tensor<3x7x{0}>
  return %0 : tensor<3x7x{0}>
}}
"""


def test_jax_arrays_are_arguments_and_results_go_back():
    f = ta.Module(MATMUL.format("f32")).compile()
    k1, k2 = jax.random.split(jax.random.key(0))
    a, b = jax.random.normal(k1, (3, 5)), jax.random.normal(k2, (5, 7))
    r = f(a, b)
    np.testing.assert_allclose(r, jax.jit(jnp.matmul)(a, b), rtol=1e-4, atol=1e-5)
    assert float(jnp.asarray(r).sum()) == pytest.approx(float(r.sum()), rel=1e-5)


def test_bf16_arrays():
    f = ta.Module(MATMUL.format("bf16")).compile()
    a, b = jnp.ones((3, 5), jnp.bfloat16), jnp.full((5, 7), 2, jnp.bfloat16)
    r = f(a, b)
    assert r.dtype == jnp.bfloat16 and (r == 10).all()


BOTH = """
{imports}
import numpy as np
x = np.arange(15, dtype=np.float32).reshape(3, 5)
mod = ta.Module('''
func.func @main(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {{
  %0 = arith.mulf %a, %a : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}}''')
ours = mod.compile()
theirs = jax.jit(lambda x: x * x)
for _ in range(3):
    assert (ours(x) == np.asarray(theirs(x))).all()
lowered = theirs.lower(x).compiler_ir("stablehlo")
assert "stablehlo.multiply" in str(ta.Module(lowered))
try:
    ta.Module("func.func @f() {{ return %x : f32 }}")
except ta.Error:
    print("fine")
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import jax, jaxlib.mlir.ir; import tensoraccess as ta",
        "import tensoraccess as ta; ta.Module('module {}'); import jax",
    ],
)
def test_one_process_both_import_orders(imports):
    result = subprocess.run(
        [sys.executable, "-c", BOTH.format(imports=imports)],
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (0, "fine\n"), result.stderr
