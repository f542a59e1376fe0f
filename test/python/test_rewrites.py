# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rewriting access programs reaches, and what it must not reach.

Cases are those of Glenside's own rewrites: a program, and terms that its rules
find. Here they are asked of `--tensoraccess-saturate=rules=access expect=FILE`. A
pattern whose only variable is the shape that it is reshaped to at last is given
the program's own; others that have variables are no functions, and are left out.
"""

import json
import pathlib
import subprocess

import pytest

CASES = pathlib.Path(__file__).resolve().parents[1] / "Cases"


def read_cases():
    for name in ("reachability", "unsound_probes"):
        text = (CASES / f"access_rewrite_{name}.jsonl").read_text()
        for case in map(json.loads, text.splitlines()):
            for i, pattern in enumerate(case["patterns"]):
                text = pattern["pattern"]
                root = case["expect"].get("root")
                if root and text.startswith("(access-reshape"):
                    sizes = [
                        "(shape %s)" % " ".join(map(str, root[key]))
                        for key in ("shape", "item_shape")
                    ]
                    if text.endswith(" ?shape)"):
                        shape = f" (access-shape {' '.join(sizes)}))"
                        text = text[: -len(" ?shape)")] + shape
                # Elsewhere in the graph is everywhere: a view of what is there.
                of_the_root = pattern["where"] == "root" or "flatten" in text
                if "?" not in text and of_the_root:
                    yield pytest.param(case, text, id=f"{case['id']}#{i}")


@pytest.fixture
def glenside(root, tmp_path):
    """`glenside(term, shapes, name)`: the file of the program."""

    def read(term, shapes, name):
        lines = [
            f"; {tensor}: {'x'.join(map(str, [*shape, 'f64']))}"
            for tensor, shape in sorted(shapes.items())
        ]
        path = tmp_path / name
        done = subprocess.run(
            [str(root / "build/bin/tensoraccess-translate"), "--import-glenside"],
            input="\n".join([*lines, term]),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        path.write_text(done.stdout)
        return path

    return read


@pytest.mark.parametrize(("case", "pattern"), list(read_cases()))
def test_reaches(root, glenside, case, pattern):
    program = glenside(case["program"], case["shapes"], "program.mlir")
    expected = glenside(pattern, case["shapes"], "expected.mlir")
    done = subprocess.run(
        [
            str(root / "build/bin/tensoraccess-opt"),
            str(program),
            f"--tensoraccess-saturate=rules=access expect={expected}",
            "--remarks-filter=tensoraccess",
            "--remark-policy=all",
            "-o",
            "/dev/null",
        ],
        capture_output=True,
        text=True,
    )
    if not case["sound"]:
        # A program of other values: refused, and said why.
        assert done.returncode == 1
        assert "which is in another class (saturated)" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert "the results equal what is expected" in done.stderr
    # It ends by itself.
    assert "Remark=saturated" in done.stderr


def test_cases_are_there():
    assert len(list(read_cases())) == 16
