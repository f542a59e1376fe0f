# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of any shape on arrays of any size: batches, transposed operands, bytes
summed in i32, arrays larger than the product, of one cell, prime to everything."""

import random
import re
import subprocess

import convolutions
import numpy as np
import pytest

import tensoraccess as ta


def make_product(rng):
    """A dot_general: dimensions of each operand in any order."""
    element, total = rng.choice([("f32", "f32"), ("i32", "i32"), ("i8", "i32"), ("i8", "i32")])
    names = {"b": rng.choice([0, 0, 1, 2]), "m": rng.choice([0, 1, 1, 2]),
             "n": rng.choice([0, 1, 1, 2]), "k": rng.choice([1, 1, 2])}
    dims = {kind: [f"{kind}{i}" for i in range(count)] for kind, count in names.items()}
    size = {name: rng.randint(1, 9 if kind in "mnk" else 3)
            for kind, group in dims.items() for name in group}
    left = dims["b"] + dims["m"] + dims["k"]
    right = dims["b"] + dims["n"] + dims["k"]
    rng.shuffle(left)
    rng.shuffle(right)
    # Free dimensions stay in the order that their operand has them in.
    out = dims["b"] + [name for name in left if name[0] == "m"]
    out += [name for name in right if name[0] == "n"]

    def at(kind, order):
        return "[" + ", ".join(str(order.index(name)) for name in dims[kind]) + "]"

    types = [convolutions.tensor([size[name] for name in order], of)
             for order, of in ((left, element), (right, element), (out, total))]
    numbers = (f"lhs_batching_dimensions = {at('b', left)}, "
               f"rhs_batching_dimensions = {at('b', right)}, "
               f"lhs_contracting_dimensions = {at('k', left)}, "
               f"rhs_contracting_dimensions = {at('k', right)}")
    return f"""
func.func @main(%x: {types[0]}, %w: {types[1]}) -> {types[2]} {{
  %0 = "stablehlo.dot_general"(%x, %w) <{{dot_dimension_numbers = #stablehlo.dot<{numbers}>}}>
     : ({types[0]}, {types[1]}) -> {types[2]}
  return %0 : {types[2]}
}}
"""


def draw(seed):
    rng = random.Random(seed)
    text = make_product(rng) if seed % 2 else convolutions.make_program(seed)[1]
    sizes = [1, 2, 3, 4, 5, 7, 16, 64]
    return text, rng.choice(sizes), rng.choice(sizes)


def check(seed, rewriting):
    text, rows, cols = draw(seed)
    module, inputs = ta.Module(text), convolutions.make_inputs(seed, text)
    raised = module.run("tensoraccess-raise,canonicalize")
    wanted = raised.interpret("main")(*inputs)
    mapped = raised.run(f"tensoraccess-{rewriting}{{rows={rows} cols={cols}}}")
    got = mapped.interpret("main")(*inputs)
    assert got.shape == wanted.shape and got.dtype == wanted.dtype
    if got.dtype.kind == "i":
        assert np.array_equal(got, wanted)
    else:
        assert np.allclose(got, wanted, 1e-4, 1e-4)
    return raised, mapped, rows, cols


@pytest.mark.parametrize("seed", range(40))
def test_arrays(seed):
    _, mapped, _, _ = check(seed, "map-to-systolic")
    remarks = "\n".join(map(str, mapped.diagnostics))
    # What is left on the host has a reason.
    products = str(mapped).count("compute dot_prod")
    assert remarks.count("[Missed] systolic") == products
    assert products + str(mapped).count("systolic_array") == 1


@pytest.mark.parametrize("seed", range(16))
def test_blocks(seed):
    check(seed, "block-matmul")


@pytest.mark.parametrize("seed", range(0, 80, 20))
def test_counts(root, tmp_path, seed):
    """The simulator, which moves registers, counts what the pass says."""
    _, mapped, rows, cols = check(seed, "map-to-systolic")
    remark = next(str(one) for one in mapped.diagnostics if "[Analysis] systolic" in str(one))
    said = [int(re.search(rf"{name}=(\d+)", remark)[1]) for name in ("Invocations", "Cycles")]
    program = tmp_path / "mapped.mlir"
    program.write_text(str(mapped))
    done = subprocess.run(
        [root / "build/bin/tensoraccess-run", program, "--engine=systolic",
         "--inputs=random:1", "--compare=interpret"],
        capture_output=True, text=True)
    assert done.returncode == 0 and "equal, bit for bit" in done.stdout, done.stdout
    counted = re.search(r"array +(\d+)x(\d+): 1 op, (\d+) loads?, (\d+) cycles", done.stdout)
    if counted:
        assert (int(counted[1]), int(counted[2])) == (rows, cols)
        assert [int(counted[3]), int(counted[4])] == said


def test_bytes_are_summed_in_i32():
    """A quantised product keeps its bytes: the array extends what it multiplies."""
    x = ta.input((6, 20), "i8", name="x").access(1)
    w = ta.input((20, 9), "i8", name="w").access(0)
    product = x.systolic_array(w, 8, 8, blocked=True, accumulator="i32")
    module = product.to_tensor().module()
    text = str(module)
    assert "blocked accumulator = i32" in text and "9xi8" in text
    a = np.full((6, 20), 127, np.int8)
    b = np.full((20, 9), -128, np.int8)
    for program in (module, module.run("tensoraccess-expand-arrays")):
        for call in (program.interpret, program.compile):
            out = call(program.functions[0].name)(a, b)
            assert out.dtype == np.int32 and (out == 20 * 127 * -128).all()
