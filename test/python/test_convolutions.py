# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of all kinds, of stablehlo, linalg and tosa, become products of
matrices with the values that they had."""

import re

import convolutions
import numpy as np
import pytest

import tensoraccess as ta

FLAT = (
    r"compute dot_prod %\S+ (?:accumulator = i32 )?"
    r": !tensoraccess.access<(\d+x)?(\d+)x(\d+) \| 2x\d+x[fi]\d+>"
)


def run(seed):
    """The program, what it computes, and the same as a product of matrices."""
    conv, text = convolutions.make_program(seed)
    module, inputs = ta.Module(text), convolutions.make_inputs(seed, text)
    raised = module.run("tensoraccess-raise")
    assert str(raised).count("compute dot_prod") == 1
    if "tosa" in text:
        wanted = convolutions.evaluate_tosa(conv, *inputs)
    else:
        wanted = module.interpret("main")(*inputs)
    return conv, text, raised, inputs, wanted


def is_same(conv, text, got, wanted):
    """To the last bit: nothing adds up in another order. The formula rounds once."""
    assert got.shape == wanted.shape and got.dtype == wanted.dtype
    if "tosa" in text and conv.sum == "f32":
        return np.allclose(got, wanted, 1e-4, 1e-4)
    return np.array_equal(got, wanted)


@pytest.mark.parametrize("seed", range(120))
def test_products_of_matrices(seed):
    conv, text, raised, inputs, wanted = run(seed)
    flat = raised.run("tensoraccess-discover-im2col")
    found = re.search(FLAT, str(flat))
    if conv.features * conv.batch * np.prod(conv.out()) > 1:
        assert found and str(flat).count("compute dot_prod") == 1
        assert any("[Passed] im2col" in str(one) for one in flat.diagnostics)
    assert is_same(conv, text, flat.interpret("main")(*inputs), wanted)
    again = flat.run("tensoraccess-discover-im2col")
    assert str(again) == str(flat)
