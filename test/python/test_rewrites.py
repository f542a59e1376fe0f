# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rewriting access programs reaches, and what it must not reach.

Cases are those of Glenside's own rewrites: a program, and terms that its rules
find. Here they are asked of `--tensoraccess-saturate=rules=access expect=FILE`, as
functions where they have no variables, and as patterns in PDLL all of them.
"""

import json
import pathlib
import subprocess

import pytest
from glenside_patterns import NotExpressible, to_pdll

CASES = pathlib.Path(__file__).resolve().parents[1] / "Cases"


def read_patterns():
    for name in ("reachability", "unsound_probes"):
        text = (CASES / f"access_rewrite_{name}.jsonl").read_text()
        for case in map(json.loads, text.splitlines()):
            for i, pattern in enumerate(case["patterns"]):
                yield pytest.param(case, i, pattern, id=f"{case['id']}#{i}")


def read_functions():
    """Patterns that are functions: a shape that the whole is reshaped to is the
    program's own, and a view is asked for by its own results."""
    for case, i, pattern in (param.values for param in read_patterns()):
        text = pattern["pattern"]
        root = case["expect"].get("root")
        if root and text.startswith("(access-reshape") and text.endswith(" ?shape)"):
            sizes = [
                "(shape %s)" % " ".join(map(str, root[key]))
                for key in ("shape", "item_shape")
            ]
            text = text[: -len(" ?shape)")] + f" (access-shape {' '.join(sizes)}))"
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


@pytest.fixture
def ask(root):
    """`ask(program, expected, options)`: what the pass says of it."""

    def run(program, expected, options=""):
        return subprocess.run(
            [
                str(root / "build/bin/tensoraccess-opt"),
                str(program),
                f"--tensoraccess-saturate=rules=access expect={expected} {options}",
                "--remarks-filter=tensoraccess",
                "--remark-policy=all",
                "-o",
                "/dev/null",
            ],
            capture_output=True,
            text=True,
        )

    return run


@pytest.mark.parametrize(("case", "pattern"), list(read_functions()))
def test_reaches(glenside, ask, case, pattern):
    program = glenside(case["program"], case["shapes"], "program.mlir")
    expected = glenside(pattern, case["shapes"], "expected.mlir")
    done = ask(program, expected)
    if not case["sound"]:
        # A program of other values: refused, and said why.
        assert done.returncode == 1
        assert "which is in another class (saturated)" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert "the results equal what is expected" in done.stderr
    # It ends by itself.
    assert "Remark=saturated" in done.stderr


@pytest.mark.parametrize(("case", "i", "pattern"), list(read_patterns()))
def test_patterns(glenside, ask, tmp_path, case, i, pattern):
    program = glenside(case["program"], case["shapes"], "program.mlir")
    expected = tmp_path / "expected.pdll"
    expected.write_text(to_pdll(pattern["pattern"], case["shapes"]))
    done = ask(program, expected, f"expect-at={pattern['where']}")
    if case["sound"] or "?x" in pattern["pattern"]:
        # More than Glenside finds is found: arrays may be larger than blocks. The
        # program of the probe with a variable, which made Glenside fail, is itself
        # what is asked for.
        assert done.returncode == 0, done.stderr
        assert "[Analysis] expect" in done.stderr
        if pattern["where"] == "root":
            assert "Result=0" in done.stderr
    else:
        assert done.returncode == 1
        assert "pattern 'Expected' of" in done.stderr
        assert "is in no result (saturated)" in done.stderr


def test_what_is_not_expressible():
    with pytest.raises(NotExpressible, match="a slice of a variable"):
        to_pdll("(access-slice ?x 0 1 2)", {})
    with pytest.raises(NotExpressible, match="a pad of a variable"):
        to_pdll("(access-pad ?x zero-padding 0 1 2)", {})


def test_cases_are_there():
    assert len(list(read_functions())) == 16
    assert len(list(read_patterns())) == 27
