# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random convolutions and contractions through discover-im2col, bit for bit."""

import random
import re
import subprocess

import pytest

# 36 is a batch of groups of images of one pixel.
SEEDS = [*range(24), 36]


def by_x(*sizes):
    return "x".join(map(str, sizes))


def make_program(rng):
    """A convolution in 1, 2 or 3 dimensions: padded, strided, dilated, grouped."""
    kind, rank = rng.choice(
        [
            ("conv_1d_ncw_fcw", 1),
            ("conv_1d_nwc_wcf", 1),
            ("conv_2d_nchw_fchw", 2),
            ("conv_2d_nhwc_hwcf", 2),
            ("conv_2d_nhwc_fhwc", 2),
            ("conv_2d_ngchw_gfchw", 2),
            ("depthwise_conv_2d_nhwc_hwc", 2),
            ("depthwise_conv_2d_nchw_chw", 2),
            ("depthwise_conv_2d_nhwc_hwcm", 2),
            ("conv_3d_ndhwc_dhwcf", 3),
            ("conv_3d_ncdhw_fcdhw", 3),
        ]
    )
    strides, dilations = ([rng.randint(1, 2) for _ in range(rank)] for _ in range(2))
    kernel, out = (
        [rng.randint(1, 3) for _ in range(rank)],
        [rng.randint(2, 5) for _ in range(rank)],
    )
    g, c, f, n = (rng.randint(2, 4) for _ in range(4))
    sizes = [
        (o - 1) * s + (k - 1) * d + 1
        for o, s, k, d in zip(out, strides, kernel, dilations)
    ]
    low = [min(rng.randint(0, 2), (size - 1) // 2) for size in sizes]
    high = [min(rng.randint(0, 2), (size - 1) // 2) for size in sizes]
    inner = [size - a - b for size, a, b in zip(sizes, low, high)]
    last = kind.split("_")[-2].endswith("c")
    if "ngchw" in kind:
        before, after, weights = [n, g, c], [], [g, f, c, *kernel]
        result = [n, g, f, *out]
    elif kind.endswith("hwcm"):
        before, after, weights = [n], [c], [*kernel, c, f]
        result = [n, *out, c, f]
    elif "depthwise" in kind:
        before, after = ([n], [c]) if last else ([n, c], [])
        weights = [*kernel, c] if last else [c, *kernel]
        result = [n, *out, c] if last else [n, c, *out]
    else:
        before, after = ([n], [c]) if last else ([n, c], [])
        letters = kind.split("_")[-1]
        weights = [
            size
            for letter in letters
            for size in {"f": [f], "c": [c]}.get(letter, [letter])
        ]
        spatial = iter(kernel)
        weights = [next(spatial) if isinstance(w, str) else w for w in weights]
        result = [n, *out, f] if last else [n, f, *out]
    shape = by_x(*before, *inner, *after)
    padded = by_x(*before, *sizes, *after)
    weights, result = by_x(*weights), by_x(*result)
    lows = [0] * len(before) + low + [0] * len(after)
    highs = [0] * len(before) + high + [0] * len(after)
    indices = ", ".join(f"%i{i}: index" for i in range(len(lows)))
    return f"""
func.func @main(%x: tensor<{shape}xf32>, %w: tensor<{weights}xf32>) -> tensor<{result}xf32> {{
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low{lows} high{highs} {{
  ^bb0({indices}):
    tensor.yield %z : f32
  }} : tensor<{shape}xf32> to tensor<{padded}xf32>
  %e = tensor.empty() : tensor<{result}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{result}xf32>) -> tensor<{result}xf32>
  %0 = linalg.{kind} {{strides = dense<{strides}> : tensor<{rank}xi64>,
    dilations = dense<{dilations}> : tensor<{rank}xi64>}}
    ins(%p, %w : tensor<{padded}xf32>, tensor<{weights}xf32>)
    outs(%f : tensor<{result}xf32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}
"""


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("seed", SEEDS)
def test_same_bits(root, tmp_path, seed):
    names = ("program", "raised", "matmul", "again")
    program, raised, matmul, again = (tmp_path / f"{name}.mlir" for name in names)
    program.write_text(make_program(random.Random(seed)))
    opt = root / "build/bin/tensoraccess-opt"
    im2col = "--tensoraccess-discover-im2col"
    run(opt, program, "--tensoraccess-raise", "-o", raised)
    remarks = run(
        opt, raised, im2col, "--remarks-filter=tensoraccess.*",
        "--remark-policy=all", "-o", matmul,
    )
    assert "Remark=saturated" in remarks
    # Its products are flat, a batch of them for groups, and nothing is left to be
    # found.
    assert re.search(r"\[Passed\] im2col .* K=\d+", remarks)
    flat = r"compute dot_prod %\S+ : !tensoraccess.access<\d+(x\d+)+ \| 2x\d+xf32>"
    assert len(re.findall(flat, matmul.read_text())) == 1
    assert matmul.read_text().count("compute dot_prod") == 1
    run(opt, matmul, im2col, "-o", again)
    assert again.read_text() == matmul.read_text()
    out = run(
        root / "build/bin/tensoraccess-run",
        matmul,
        "--engine=interpret",
        f"--inputs=random:{seed}",
        f"--compare={program}",
    )
    assert "compare 0  equal, bit for bit" in out, out
