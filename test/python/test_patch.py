# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions computed patch by patch, against the whole."""

import itertools
import os
import re
import subprocess

import numpy as np
import pytest
import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax

from test_restrict import (  # noqa: E402
    PROGRAMS,
    block,
    block_arguments,
    conv,
    normal,
    operations,
    random_program,
    two_convs,
)


def check(module, args, **options):
    """A patched program has the same results, bit by bit, and its own figures."""
    patched = ta.patch(module, **options)
    if "lapack" not in str(patched.module):
        whole, got = module.interpret()(*args), patched.module.interpret()(*args)
        for ours, theirs in zip(*map(jax.tree.leaves, (got, whole))):
            np.testing.assert_array_equal(ours, theirs, strict=True)
    return patched


def random_sizes(rng, shape):
    return [int(rng.integers(1, n + 1)) for n in shape]


def module_of(f, *args):
    return ta.Module(jax.jit(f, keep_unused=True).lower(*args))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    f, shapes = PROGRAMS[name]
    rng = np.random.default_rng(len(name))
    args = [normal(rng, *shape) for shape in shapes]
    module = module_of(f, *args)
    for number, result in enumerate(jax.tree.leaves(jax.eval_shape(f, *args))):
        sizes = random_sizes(rng, result.shape)
        patched = check(module, args, result=number, sizes=sizes)
        assert patched.count == np.prod(
            [-(-n // size) for n, size in zip(result.shape, sizes)]
        )


@pytest.mark.parametrize("seed", range(15))
def test_random_programs(seed):
    rng = np.random.default_rng(seed)
    f = random_program(rng, 8)
    args = [normal(rng, *shape) for shape in rng.integers(2, 8, (2, 2))]
    module = module_of(f, *args)
    for number, result in enumerate(jax.tree.leaves(jax.eval_shape(f, *args))):
        for sizes in [[1, 1], random_sizes(rng, result.shape)]:
            check(module, args, result=number, sizes=sizes)
    check(module, args, recompute=2)


def depthwise(x, w, **options):
    return conv(x, w, feature_group_count=x.shape[1], **options)


def network(x, first, deep, wide, back, dense):
    """Strides, padding, a residual, and what needs the whole image."""
    x = jax.nn.relu(conv(x, first, window_strides=(2, 2)))
    y = jax.nn.relu(conv(depthwise(x, deep), wide))
    x = x + conv(y, back, padding=((1, 1), (1, 1)))
    x = lax.reduce_window(x, -np.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    return jax.nn.softmax(x.mean((2, 3)) @ dense)


def network_arguments(rng, size=21):
    shapes = [(1, 3, size, size), (8, 3, 3, 3), (8, 1, 5, 5), (16, 8, 1, 1),
              (8, 16, 3, 3), (8, 5)]
    return [normal(rng, *shape) / 3 for shape in shapes]


# Up to the sum of the residual: patches that do not divide it, of one element, rows,
# and all.
@pytest.mark.parametrize("sizes", [(1, 8, 4, 3), (1, 8, 1, 1), (1, 3, 1, 11), (1, 8, 11, 11)])
def test_network(sizes):
    rng = np.random.default_rng(1)
    args = network_arguments(rng)
    module = module_of(network, *args)
    patched = check(module, args, op="stablehlo.add", sizes=sizes)
    assert (patched.count == 1) == (sizes == (1, 8, 11, 11))
    assert (patched.peak_bytes[1] < patched.peak_bytes[0]) == (patched.count > 1)


def test_compiled():
    args = network_arguments(np.random.default_rng(6))
    patched = ta.patch(network, *args, op="stablehlo.add", sizes=(1, 8, 4, 4))
    np.testing.assert_allclose(
        patched(*args), jax.jit(network)(*args), rtol=1e-4, atol=1e-5
    )


def test_block():
    """Heads, causal masks and norms: patches of tokens share keys and values."""
    args = block_arguments(np.random.default_rng(2))
    patched = check(module_of(block, *args), args, sizes=(1, 5, 8))
    told = [x.message for x in patched.module.diagnostics]
    assert any("is computed once: all patches read all of it" in x for x in told)
    assert 1 < patched.recomputation < 1.5


def test_operations():
    """Those of the programs of all patches."""
    rng = np.random.default_rng(3)
    args = [normal(rng, *s) for s in [(1, 3, 18, 15), (8, 3, 3, 3), (4, 8, 3, 3)]]
    patched = ta.patch(two_convs, *args, sizes=(1, 4, 5, 4))
    parts = [
        ta.restrict(two_convs, *args, box=([0, 0, a, b], [1, 4, min(a + 5, 18), min(b + 4, 15)]))
        for a, b in itertools.product(range(0, 18, 5), range(0, 15, 4))
    ]
    assert patched.count == len(parts)
    assert patched.operations[1] == sum(operations(part.module) for part in parts)
    whole = ta.restrict(two_convs, *args, box=([0] * 4, [1, 4, 18, 15]))
    assert patched.operations[0] == operations(whole.module)


def test_choice():
    rng = np.random.default_rng(4)
    args = network_arguments(rng, 32)
    module = module_of(network, *args)
    least = check(module, args, recompute=1.3)
    assert least.recomputation <= 1.3
    assert least.peak_bytes[1] < 0.6 * least.peak_bytes[0]
    more = check(module, args, recompute=4)
    assert more.peak_bytes[1] < least.peak_bytes[1]
    # The fewest operations in given memory.
    bound = check(module, args, memory=least.peak_bytes[1])
    assert bound.peak_bytes[1] <= least.peak_bytes[1]
    assert bound.operations[1] <= least.operations[1]
    # Where patches end is given.
    one = check(module, args, op="stablehlo.convolution#2", recompute=1.3)
    assert one.peak_bytes[1] >= least.peak_bytes[1]
    assert "no patches need" in check(module, args, memory=1 << 30).module.diagnostics[0].message


def measure(root, module, path):
    """The most bytes in buffers, as the compiled program allocates them."""
    path.write_text(str(module))
    build = os.environ.get("TENSORACCESS_BUILD_DIR", root / "build")
    tool = os.path.join(build, "bin", "tensoraccess-run")
    if not os.path.exists(tool):
        pytest.skip("tensoraccess-run is not built")
    command = [tool, str(path), "--plain", "--time", "--repeat=1", "--inputs=random:1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(re.search(r"memory +(\d+) bytes", done.stdout)[1])


def test_memory(tmp_path, root):
    """Compiled programs allocate about what was counted."""
    # Buffers of loops that are larger than those that are kept from trip to trip.
    args = network_arguments(np.random.default_rng(5), 320)
    module = module_of(network, *args)
    patched = ta.patch(module, op="stablehlo.add", sizes=(1, 8, 40, 40))
    whole = measure(root, module, tmp_path / "whole.mlir")
    parts = measure(root, patched.module, tmp_path / "patched.mlir")
    assert parts < 0.7 * whole
    for counted, measured in zip(patched.peak_bytes, (whole, parts)):
        assert 0.8 < measured / counted < 1.25


def test_trees():
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    g = ta.patch(lambda x: {"a": x + 1, "b": (x.sum(),)}, x, sizes=(3, 2))
    got = g(x)
    np.testing.assert_array_equal(got["a"], x + 1)
    assert got["b"][0] == x.sum()
    assert repr(g).startswith("<Patched: 4 of 3x2, ")


def test_errors():
    x = np.zeros((4, 3), np.float32)
    for message, options in [
        ("size 0 of a patch is not among", {"sizes": (0, 3)}),
        ("result 0 has 3 elements in dimension 1, size 4", {"sizes": (4, 4)}),
        ("has rank 2, but there are 1 sizes", {"sizes": (4,)}),
        ("there is no result 1, the function has 1", {"result": 1}),
        ("no op 'stablehlo.nope'", {"op": "stablehlo.nope"}),
        ("recompute must be at least 1, got 0.50", {"recompute": 0.5}),
        ("memory must be at least 0 bytes, got -1", {"memory": -1}),
        ("no patches need at most 1 bytes, the best 48", {"memory": 1}),
        ("a size must be an integer, got 'a'", {"sizes": ("a", 1)}),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.patch(lambda x: x + 1, x, **options)
