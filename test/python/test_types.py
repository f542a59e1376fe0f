# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package's types: mypy accepts the package, and says of calls what they give."""

import pathlib
import re
import subprocess
import sys
import types

import pytest

import tensoraccess

PACKAGE = pathlib.Path(tensoraccess.__file__).parents[1]

# Each revealed type is that of the comment, without the modules' names.
PROGRAM = '''
import numpy as np

import tensoraccess as ta

m = ta.IndexingMap("(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]")
reveal_type(m.evaluate([3]))  # list[int] | None
reveal_type(m.restrict({"d0": (0, 3)}).image().hull)  # Box | None
reveal_type(m.evaluate(3))  # list[int] | None
reveal_type(m(3))  # list[int] | None
reveal_type(m.then(m))  # IndexingMap
tiled = ta.Layout("f32[3,5]{1,0:T(2,2)}")
reveal_type(tiled.linearize(2, 3) + tiled[2, 3])  # int
reveal_type(tiled.physical_shape)  # list[int | SizeExpr]
reveal_type(tiled.pack(np.ones((3, 5), np.float32)).nbytes)  # int
lanes = ta.LinearLayout({"lane": [[1], [2]]}, [4])
reveal_type(lanes.apply({"lane": 3}))  # dict[str, int]
reveal_type(lanes.apply([3]))  # list[int]
reveal_type(ta.StridedLayout((4, (2, 2)), (1, (16, 4)))(1, (0, 1)))  # int
reveal_type(ta.Grid("rows=2,cols=3").axes)  # list[tuple[str, int]]
pattern = ta.input((3, 5)).access(1)
reveal_type(pattern[1:, None])  # Access
reveal_type(pattern.to_tensor())  # Tensor
reveal_type(ta.program(pattern).run("cse"))  # Module
reveal_type(ta.program(pattern).saturate("access").gap)  # float
'''

# A comment says what is wrong; mypy complains of one that it has no use for.
WRONG = '''
import tensoraccess as ta

def never() -> None:
    ta.Grid(2.5)  # type: ignore[arg-type]
    ta.IndexingMap("unknown").restrict({0: (0, 3)})  # type: ignore[dict-item]
    ta.StridedLayout((4, 2.5))  # type: ignore[arg-type]
    ta.LinearLayout("{} -> [1]").apply(2.5)  # type: ignore[call-overload]
    ta.Distribution("{}", 4, 8)  # type: ignore[arg-type]
    ta.input((3, 5)).slice([0], [1])  # type: ignore[attr-defined]
'''


@pytest.fixture(scope="module")
def mypy(root, tmp_path_factory):
    pytest.importorskip("mypy", reason="there is no mypy")
    cache = tmp_path_factory.mktemp("mypy")

    def run(*arguments):
        # From the package's folder, so that it is found as source.
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache,
             "--config-file", root / "pyproject.toml", *arguments],
            cwd=PACKAGE, stdout=subprocess.PIPE, text=True)  # fmt: skip

    return run


def test_package(mypy):
    done = mypy("-p", "tensoraccess")
    assert done.returncode == 0, done.stdout


def test_revealed_types(mypy, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = mypy(path)
    assert done.returncode == 0, done.stdout
    revealed = re.findall(r'Revealed type is "(.*)"', done.stdout)
    revealed = [re.sub(r"\b(?:\w+\.)+(?=\w)", "", text) for text in revealed]
    assert revealed == re.findall(r"# (.*)", PROGRAM)
    assert len(revealed) >= 10
    # The calls are exactly those that can be made.
    exec(PROGRAM, {"reveal_type": lambda value: None})


def test_mappings():
    """What the types call a mapping need not be a dict."""
    m = tensoraccess.IndexingMap("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 2]")
    for method, values in [
        (m.rename, {"d0": "i"}),
        (m.restrict, {"d0": (0, 3)}),
        (m.substitute, {"s0": 1}),
        (tensoraccess.LinearLayout({"lane": [[1], [2]]}, {"x": 4}).apply, {"lane": 3}),
    ]:
        assert method(types.MappingProxyType(values)) == method(values)
        with pytest.raises((TypeError, tensoraccess.Error)):
            method([("d0", "i")])
    bases = types.MappingProxyType({"lane": [[1], [2]]})
    sizes = types.MappingProxyType({"x": 4})
    assert tensoraccess.LinearLayout(bases, sizes) == tensoraccess.LinearLayout(dict(bases), dict(sizes))


def test_wrong_calls(mypy, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    done = mypy(path)
    assert done.returncode == 0, done.stdout
