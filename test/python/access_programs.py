# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of access programs share."""

import numpy as np
import pytest

import tensoraccess as ta

RNG = np.random.default_rng(5)


def random(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


def fails(text, call, *args, **kwargs):
    with pytest.raises(ta.Error) as e:
        call(*args, **kwargs)
    assert str(e.value) == text


def matmul(m=3, k=5, n=7, dtype="f32"):
    a, b = ta.input((m, k), dtype, name="a"), ta.input((k, n), dtype, name="b")
    return a.access(1).cart_prod(b.access(1).transpose([1, 0])).compute("dot_prod")
