# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random convolutions and products on systolic arrays, against the program itself."""

import random
import subprocess

import pytest

OPS = {
    "nchw": "conv_2d_nchw_fchw",
    "nhwc": "conv_2d_nhwc_hwcf",
    "depthwise": "depthwise_conv_2d_nhwc_hwc",
    "grouped": "conv_2d_ngchw_gfchw",
    "batch_matmul": "batch_matmul",
    "matmul": "matmul",
}


def by_x(*sizes):
    return "x".join(map(str, sizes))


def make_program(rng):
    """A function of an image and weights: padded, strided, dilated, grouped."""
    kind = rng.choice(sorted(OPS))
    strides, dilations = ([rng.randint(1, 2) for _ in range(2)] for _ in range(2))
    kernel, out = (
        [rng.randint(1, 3) for _ in range(2)],
        [rng.randint(2, 6) for _ in range(2)],
    )
    c, f, n = rng.randint(2, 5), rng.randint(2, 6), rng.randint(1, 2)
    sizes = [
        (o - 1) * s + (k - 1) * d + 1
        for o, s, k, d in zip(out, strides, kernel, dilations)
    ]
    pads = [min(rng.randint(0, 2), (size - 1) // 2) for size in sizes]
    inner = [size - 2 * pad for size, pad in zip(sizes, pads)]
    attributes = (
        f"{{strides = dense<{strides}> : tensor<2xi64>, "
        f"dilations = dense<{dilations}> : tensor<2xi64>}} "
    )
    around = {"nchw": ([n, c], []), "grouped": ([n, c, 2], [])}
    before, after = around.get(kind, ([n], [c]))
    shape, padded = by_x(*before, *inner, *after), by_x(*before, *sizes, *after)
    low = [0] * len(before) + pads + [0] * len(after)
    if kind == "nchw":
        weights, result = by_x(f, c, *kernel), by_x(n, f, *out)
    elif kind == "nhwc":
        weights, result = by_x(*kernel, c, f), by_x(n, *out, f)
    elif kind == "depthwise":
        weights, result = by_x(*kernel, c), by_x(n, *out, c)
    elif kind == "grouped":
        weights, result = by_x(c, f, 2, *kernel), by_x(n, c, f, *out)
    else:
        batch = [c] if kind == "batch_matmul" else []
        depth = sizes[0]
        shape = padded = by_x(*batch, out[0], depth)
        weights, result = by_x(*batch, depth, f), by_x(*batch, out[0], f)
        attributes, low = "", None
    lines = [
        f"func.func @main(%x: tensor<{shape}xf32>, %w: tensor<{weights}xf32>)"
        f" -> tensor<{result}xf32> {{",
        "  %z = arith.constant 0.0 : f32",
    ]
    source = "%x"
    if low:
        source = "%p"
        indices = ", ".join(f"%i{i}: index" for i in range(len(low)))
        lines += [
            f"  %p = tensor.pad %x low{low} high{low} {{",
            f"  ^bb0({indices}):",
            "    tensor.yield %z : f32",
            f"  }} : tensor<{shape}xf32> to tensor<{padded}xf32>",
        ]
    lines += [
        f"  %e = tensor.empty() : tensor<{result}xf32>",
        f"  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{result}xf32>)"
        f" -> tensor<{result}xf32>",
        f"  %0 = linalg.{OPS[kind]} {attributes}ins({source}, %w : "
        f"tensor<{padded}xf32>, tensor<{weights}xf32>) "
        f"outs(%f : tensor<{result}xf32>) -> tensor<{result}xf32>",
        f"  return %0 : tensor<{result}xf32>",
        "}",
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(24))
def test_same_results(root, tmp_path, seed):
    rng = random.Random(seed)
    program, mapped = tmp_path / "program.mlir", tmp_path / "mapped.mlir"
    program.write_text(make_program(rng))
    rows, cols = rng.randint(1, 6), rng.randint(1, 6)
    one = f"rows={rows} cols={cols}"
    rewriting = rng.choice(
        [
            f"map-to-systolic={one}",
            f"block-matmul={one}",
            f"map-to-systolic=arrays={rows}x{cols},{cols}x{rows}",
        ]
    )
    done = subprocess.run(
        [
            str(root / "build/bin/tensoraccess-opt"),
            str(program),
            "--tensoraccess-raise",
            "--canonicalize",
            f"--tensoraccess-{rewriting}",
            "-o",
            str(mapped),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for engine in ("systolic", "jit"):
        done = subprocess.run(
            [
                str(root / "build/bin/tensoraccess-run"),
                str(mapped),
                f"--engine={engine}",
                f"--inputs=random:{seed}",
                f"--compare={program}",
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "compare 0  equal" in done.stdout


def test_most_of_them_are_mapped(root, tmp_path):
    count = 0
    for seed in range(24):
        program = tmp_path / f"{seed}.mlir"
        program.write_text(make_program(random.Random(seed)))
        done = subprocess.run(
            [
                str(root / "build/bin/tensoraccess-opt"),
                str(program),
                "--tensoraccess-raise",
                "--canonicalize",
                "--tensoraccess-map-to-systolic=rows=4 cols=4",
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        count += "tensoraccess.systolic_array" in done.stdout
    # Those that are left take more cycles on an array than on the host.
    assert count >= 16
