# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A few random programs in our engines, by upstream's lowering and by NumPy; that a
difference is found; and what upstream is known to do wrongly."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tensoraccess as ta

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import fuzz_upstream  # noqa: E402
import random_linalg  # noqa: E402
import random_memory  # noqa: E402
import upstream  # noqa: E402

needs_upstream = pytest.mark.skipif(not upstream.is_there(), reason="no mlir-opt of LLVM 22")


def count_right(root, *arguments):
    """How many programs each engine ran; none of them may be wrong."""
    done = subprocess.run(
        [sys.executable, root / "bench" / "fuzz_upstream.py", *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(pathlib.Path(ta.__file__).parents[1]), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return {row[0]: int(row[1]) for row in rows if row and row[0] in ("upstream", *fuzz_upstream.ENGINES)}


@needs_upstream
def test_random_programs(root):
    right = count_right(root, "--programs=15", "--seed=500")
    assert right["upstream"] >= 10 and right["interpret"] == 15


def test_random_programs_on_buffers(root):
    assert count_right(root, "--memory", "--programs=15", "--seed=500") == dict.fromkeys(fuzz_upstream.ENGINES, 15)


@pytest.mark.parametrize(
    "make, words",
    [
        (
            random_linalg.Program,
            "linalg.map,linalg.generic,scf.for ,scf.parallel,index.,tensor.insert_slice,?x",
        ),
        (
            random_memory.Program,
            "memref.subview,memref.copy,vector.transfer_write,linalg.,scf.for ,scf.if,arith.select,call @,strided",
        ),
    ],
    ids=["linalg", "memory"],
)
def test_programs_differ_and_repeat(make, words):
    texts = [make(seed, 16).text() for seed in range(40)]
    assert texts == [make(seed, 16).text() for seed in range(40)]
    for word in words.split(","):
        assert any(word in text for text in texts), word


def test_what_differs_is_found():
    right = np.array([[1, 2], [3, 4]], np.int32)
    wrong = right.copy()
    wrong[1, 0] = 9
    assert fuzz_upstream.describe(0, right, right) == ""
    assert "at (1, 0) is 9, not 3" in fuzz_upstream.describe(0, wrong, right)
    assert "(1, 4)" in fuzz_upstream.describe(0, right.reshape(1, 4), right)


@needs_upstream
@pytest.mark.parametrize("fault", upstream.FAULTS, ids=lambda fault: fault.name)
def test_known_faults(fault):
    """Right with the passes that go around it, and in our engines. Where this fails
    because upstream alone is right, too, it is mended: the fault goes, and with it
    what `tensoraccess-foreign-to-linalg` (of linalg.map) or
    `tensoraccess-prepare-functions` (of vectors and switches) does about it."""

    def is_right(results):
        results = results if isinstance(results, (list, tuple)) else [results]
        return all(map(np.array_equal, results, fault.right))

    if fault.around is not None:
        assert is_right(upstream.run(fault.program, fault.inputs))
    assert not is_right(upstream.run(fault.program, fault.inputs, first=""))
    module = ta.Module(fault.program)
    assert is_right(module.interpret()(*fault.inputs))
    assert is_right(module.compile()(*fault.inputs))
