# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contracts of functions of JAX and of modules, and dependence by perturbation."""

import importlib.util
import pathlib

import numpy as np
import pytest
import tensoraccess as ta

CAUSAL = "causal(result 0 dim 0, arg 0 dim 0)"
SUMS = """
func.func @main(%x: tensor<4x3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_module():
    module = ta.Module(SUMS)
    assert ta.prove(module, CAUSAL) == ta.Proof("proved")
    assert ta.prove(module, "ignores(arg 1)").verdict == "proved"
    leak = ta.prove(module, "ignores(arg 0 dim 1 in [0, 1])")
    assert (leak.verdict, leak.op, leak.result) == ("refuted", "stablehlo.reduce", 0)
    one, other = leak.witness
    changed = np.argwhere(one[0] != other[0])
    assert len(changed) and (changed[:, 1] <= 1).all() and (one[1] == other[1]).all()
    run = module.compile()
    assert run(*one)[leak.index] != run(*other)[leak.index]
    assert leak.message.startswith(f"result 0 at [{leak.index[0]}] is ")


def test_jax():
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def attend(x, unused, mask=jnp.tril):
        scores = x @ x.T
        scores = jnp.where(mask(jnp.ones(scores.shape, bool)), scores, -jnp.inf)
        return jax.nn.softmax(scores) @ x

    args = jax.ShapeDtypeStruct((5, 3), np.float32), {"a": 1.0}
    proof = ta.prove(attend, CAUSAL, *args)
    assert (proof.verdict, proof.condition) == ("proved", "if finite")
    assert ta.prove(jax.jit(attend), "ignores(arg 1)", *args) == ta.Proof("proved")
    # The derivative of a function, and not the function.
    derivative = jax.grad(lambda x, y: (x * x * y).sum())
    assert ta.prove(derivative, "ignores(arg 1)", 1.0, 2.0).verdict == "refuted"
    assert ta.prove(derivative, "independent(result 0 dim 0, arg 0 dim 0)", *(
        jax.ShapeDtypeStruct((5,), np.float32),
    ) * 2).verdict == "proved"
    leak = ta.prove(lambda x, u: attend(x, u, jnp.triu), CAUSAL, *args)
    assert leak.verdict == "refuted" and leak.index[0] < 4
    assert ta.prove(attend, CAUSAL, *args, trials=0).verdict == "proved"
    answer = ta.dependence(attend, *args)
    assert answer.condition == "if finite" and answer.pairs[0][1] == ([], True)
    reads = {
        (o, i)
        for m in answer.pairs[0][0].maps
        for o in range(5)
        for i in range(5)
        for s in range(5)
        if (r := m.evaluate([o, 0], [s, 0][: len(m.symbols)][::1])) and r[0] == i
    }
    assert all(i <= o for o, i in reads) and (4, 0) in reads
    assert ta.dependence(attend, *args, finite=False).condition == ""


def test_errors():
    module = ta.Module(SUMS)
    for contract, message in [
        ("causal(result 0 dim 0, arg 7 dim 0)", "arg 7: there are 2 arguments"),
        ("cusal(result 0 dim 0, arg 0 dim 0)", "no contract 'cusal'"),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.prove(module, contract)
    with pytest.raises(ta.Error, match=r"assume: expected 'arg N in \[A, B\]'"):
        ta.prove(module, CAUSAL, assume="|x| < 3")
    with pytest.raises(ta.Error, match="assume: arg 9: there are 2 arguments"):
        ta.prove(module, CAUSAL, assume="|arg 9| <= 3")
    with pytest.raises(ta.Error, match="takes none here"):
        ta.prove(module, CAUSAL, 3)
    with pytest.raises(ta.Error, match="expected a function of JAX or a Module, got int"):
        ta.prove(3, CAUSAL)


def test_random_programs():
    """No output changes with an input that the maps leave out."""
    path = pathlib.Path(__file__).parents[2] / "bench" / "fuzz_dependence.py"
    spec = importlib.util.spec_from_file_location("fuzz_dependence", path)
    fuzz = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzz)
    faults = [fault for seed in range(300) if (fault := fuzz.check(seed)[0])]
    assert not faults, faults[0]
