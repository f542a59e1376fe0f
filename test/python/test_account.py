# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/run prints: each figure is counted again, in the programs that
the steps wrote, as text and without the tools' remarks."""

import math
import pathlib
import re
import subprocess
import sys

import pytest

import tensoraccess

BUILD = pathlib.Path(tensoraccess.__file__).parents[2]
CONVOLUTION = r"linalg\.(?:depthwise_)?conv_\w+|\"stablehlo\.convolution\"|tosa\.conv2d"
BYTES = {"f32": 4, "bf16": 2, "i8": 1}


def account(root, out, *model):
    done = subprocess.run(
        [sys.executable, root / "scripts" / "account.py", root, BUILD, *model, *out],
        capture_output=True,
        text=True,
        # The account says where its programs are, from here.
        cwd=out[0] if out else None,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def count(pattern, text):
    return len(re.findall(pattern, text))


def materialized(line):
    """The bytes of an access pattern that is copied."""
    sizes, element = re.search(r"access<([\d x|]*?)x?([a-z]+\d+)> ->", line).groups()
    return math.prod(map(int, re.findall(r"\d+", sizes))) * BYTES[element]


@pytest.mark.parametrize(
    "model",
    [
        "resnet50.linalg",
        "mobilenet.linalg",
        "mobilenet.stablehlo-generic",
        "encoder2.stablehlo-generic",
        "small_onnx.tosa",
    ],
)
def test_account(root, tmp_path, model):
    source = root / "test" / "Models" / f"{model}.mlir"
    said = account(root, [tmp_path], source)
    lines = said.splitlines()
    text = " ".join(said.split())

    def figure(pattern):
        found = re.findall(pattern, text)
        assert len(found) == 1, (pattern, text)
        return int(found[0])

    def written(step):
        return next(tmp_path.glob(f"{step}-*.mlir")).read_text()

    # A screen, read once.
    assert len(lines) <= 38 and max(map(len, lines)) <= 80, said

    # 1. Maps.
    maps = written(1)
    assert figure(r"(\d+) ops answered") == count(r"tensoraccess\.indexing = ", maps)
    assert figure(r"with (\d+) indexing maps") == count(r"indexing_map<", maps)
    assert figure(r"; (\d+) unknown") == count(r"indexing_map<unknown>", maps) == 0

    # 2. What was raised is gone; what stays is there, and said once a reason.
    access = written(2)
    raised = count(CONVOLUTION, source.read_text()) - count(CONVOLUTION, access)
    kinds = dict(re.findall(r"(\w+) (\d+)", re.search(r"Access patterns now: (.*?)\.", text)[1]))
    assert int(kinds.get("convolutions", 0)) == raised
    products = count(r"compute dot_prod ", access)
    assert products == raised + int(kinds.get("contractions", 0))
    left = re.findall(r"Left: (\d+) (\S+) \(it computes (\S+),", text)
    assert len(set(left)) == len(left)
    for number, _, scalar in left:
        assert int(number) == count(re.escape(scalar) + r"\b", access)
    foreign = count(r"(?:linalg|tosa)\.(?!yield\b)\w+ |\bstablehlo\.(?!return)\w+[\" (]", access)
    assert sum(int(number) for number, *_ in left) == foreign

    # 3. Matmuls: patterns of matrices; a copy is a pattern that is materialised.
    matmuls = written(3)
    assert figure(r"of (\d+) dot products") == products
    flat = count(r"compute dot_prod .* -> !tensoraccess\.access<(?:\d+x){1,2}\d+ \| \w+>", matmuls)
    made = figure(r"(\d+) of \d+ dot products")
    assert made <= flat <= products
    written_so = re.search(r"patterns, (\d+) (?:is one|are)\b", text)
    matrices = r"compute dot_prod %\S+ : !tensoraccess\.access<\d+x\d+ \| 2x\d+x\w+>"
    assert int(written_so[1] if written_so else 0) <= count(matrices, access)
    dots = sum(int(n) for n in re.findall(r"Left: (\d+) (?:dot_prod|tensoraccess\.compute) ", text))
    assert made + int(written_so[1] if written_so else 0) + dots == products
    copies = [materialized(line) for line in matmuls.splitlines() if ".materialize " in line]
    assert figure(r"(\d+) with an im2col copy") == len(copies)
    assert figure(r"(\d+) without a copy") == made - len(copies)
    if copies:
        shown = re.search(r"copy, ([\d.]+) (\w)iB in all\. The largest: .* spread over ([\d.]+) (\w)iB", text)
        for figures, total in ((shown.groups()[:2], sum(copies)), (shown.groups()[2:], max(copies))):
            scale = 2 ** {"K": 10, "M": 20}[figures[1]]
            assert float(figures[0]) == round(total / scale, 1)

    # 4. What it becomes, and the layers that run.
    lowered = count(r"linalg\.matmul ", written(4))
    assert f"lowers to {lowered or 'no'} linalg.matmul and" in text
    assert figure(r"(\d+) lines of LLVM") == written(5).count("\n")
    layers = count(r"read in place: ", text)
    assert layers == (0 if "tosa" in model else 2)
    assert count(r"matmul, [a-z ]+: equal", text) >= layers
    for compared in ("interpreter", "layer as it was"):
        assert count(rf"matmul, [a-z ]*{compared}[a-z ]*: equal", text) == layers
    copied = len(list(tmp_path.glob("layer*.copy.mlir")))
    assert count("of which the im2col copy", text) == copied
    assert ("needs no copy" in text) <= bool(copied)


def test_a_model_that_is_not_there(root, tmp_path):
    with pytest.raises(AssertionError, match="absent.mlir.*No such file"):
        account(root, [tmp_path], tmp_path / "absent.mlir")
