# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of matrices: what saturation chooses, and the textbook's answer.

The least number of products of numbers is found by dynamic programming over
intervals of the chain. `--tensoraccess-saturate=rules=linalg cost=flops` does not
know that there are intervals.
"""

import random
import re
import subprocess

import pytest


def count_least(sizes):
    """Products of numbers of the cheapest parentheses; sizes are one more than
    the matrices."""
    count = len(sizes) - 1
    best = [[0] * count for _ in range(count)]
    for length in range(2, count + 1):
        for i in range(count - length + 1):
            j = i + length - 1
            best[i][j] = min(
                best[i][k] + best[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                for k in range(i, j)
            )
    return best[0][-1]


def write_chain(sizes, splits):
    """A function that multiplies, in parentheses that `splits` chooses."""
    count = len(sizes) - 1
    matrix = lambda i, j: f"tensor<{sizes[i]}x{sizes[j]}xf32>"
    lines = ["%z = arith.constant 0.0 : f32"]

    def multiply(i, j):
        if j == i + 1:
            return f"%a{i}"
        k = splits(i + 1, j - 1)
        left, right, name = multiply(i, k), multiply(k, j), f"{i}_{j}"
        out = matrix(i, j)
        lines.append(f"%e{name} = tensor.empty() : {out}")
        lines.append(
            f"%i{name} = linalg.fill ins(%z : f32) outs(%e{name} : {out}) -> {out}"
        )
        lines.append(
            f"%p{name} = linalg.matmul ins({left}, {right} : {matrix(i, k)}, "
            f"{matrix(k, j)}) outs(%i{name} : {out}) -> {out}"
        )
        return f"%p{name}"

    result = multiply(0, count)
    arguments = ", ".join(f"%a{i}: {matrix(i, i + 1)}" for i in range(count))
    body = "\n  ".join(lines)
    return (
        f"func.func @f({arguments}) -> {matrix(0, count)} {{\n  {body}\n"
        f"  return {result} : {matrix(0, count)}\n}}\n"
    )


def count_products(text):
    """Products of numbers in all matmuls of a program."""
    total = 0
    for m, k, n in re.findall(
        r"linalg\.matmul ins\(.*?: tensor<(\d+)x(\d+)xf32>, tensor<\d+x(\d+)xf32>\)",
        text,
    ):
        total += int(m) * int(k) * int(n)
    return total


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 21, 30, 40])
def test_is_the_textbooks(root, tmp_path, count):
    rng = random.Random(count)
    for trial in range(3 if count < 20 else 1):
        sizes = [rng.randint(1, 30) for _ in range(count + 1)]
        path = tmp_path / f"chain{trial}.mlir"
        path.write_text(write_chain(sizes, rng.randint))
        done = subprocess.run(
            [
                str(root / "build/bin/tensoraccess-opt"),
                str(path),
                "--tensoraccess-saturate=rules=linalg cost=flops scheduler=eager",
                "--remarks-filter=tensoraccess",
                "--remark-policy=all",
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "Remark=saturated" in done.stderr
        assert count_products(done.stdout) == count_least(sizes)


def test_counts():
    # 10x100, 100x5, 5x50: (A B) C.
    assert count_least([10, 100, 5, 50]) == 7500
    assert count_products(write_chain([10, 100, 5, 50], max)) == 7500
    assert count_products(write_chain([10, 100, 5, 50], min)) == 75000
