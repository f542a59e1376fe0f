# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far calls are that take long: true steps, in a bar where one looks."""
import io
import subprocess
import sys

import pytest

import tensoraccess as ta
from tensoraccess import _native, _progress

np = pytest.importorskip("numpy")


def chain(length):
    lines = ["func.func @main(%0: tensor<3x5xf32>) -> tensor<3x5xf32> {"]
    for i in range(length):
        op = ("addf", "mulf", "subf")[i % 3]
        lines.append(f"  %{i + 1} = arith.{op} %{i}, %{i // 2} : tensor<3x5xf32>")
    return "\n".join(lines + [f"  return %{length} : tensor<3x5xf32>", "}"])


@pytest.fixture
def seen():
    """What is shown of calls, however short."""
    calls = []
    _native.show_progress(lambda *shown: calls.append(shown), 0, 0)
    yield calls
    ta.show_progress()


def check(calls, name, unit, total):
    """Steps go up to at most the total, and the end is shown."""
    steps = [call for call in calls if call]
    assert calls[-1] == () and calls.count(()) == 1
    of = [call for call in steps if call[:2] == (name, unit)]
    assert of and all(call[3] == total for call in of), steps
    done = [call[2] for call in of]
    assert done == sorted(done) and 0 <= done[0] and done[-1] <= total
    return done


def test_passes(seen):
    """All levels count: 3 passes, 20 times."""
    module = ta.Module(chain(8000))
    seen.clear()
    module.run(",".join(["canonicalize{max-iterations=3}", "func.func(cse,cse)"] * 20))
    assert len(set(check(seen, "run", "passes", 60))) > 1


def test_functions(seen):
    """Of a pass on functions, each function is a part."""
    text = chain(40)
    module = ta.Module("\n".join(text.replace("@main", f"@f{i}") for i in range(500)))
    seen.clear()
    module.run("builtin.module(func.func(canonicalize,cse,canonicalize,cse,canonicalize,cse))")
    done = check(seen, "run", "passes", 6)
    assert len(set(done)) > 1, done


def test_compile(seen, root):
    """Passes of ours, then functions of LLVM's."""
    module = ta.Module(root / "test" / "Models" / "attention.linalg.mlir")
    seen.clear()
    module.compile(cache=False)
    steps = [call for call in seen if call]
    units = list(dict.fromkeys(call[1] for call in steps))
    assert units == ["passes", "functions"]
    for unit in units:
        (total,) = {call[3] for call in steps if call[1] == unit}
        check([c for c in seen if not c or c[1] == unit], "compile", unit, total)


def test_nodes(seen):
    """Of as many nodes as there may be."""
    tensor = "tensor<8x8xf32>"
    module = ta.Module(
        f"func.func @main(%a: {tensor}, %b: {tensor}) -> {tensor} {{"
        + "".join(f"%{i} = linalg.matmul ins(%{i - 1 if i else 'a'}, %b : {tensor}, "
                  f"{tensor}) outs(%a : {tensor}) -> {tensor}\n" for i in range(12))
        + f"return %11 : {tensor} }}").run("tensoraccess-raise")
    seen.clear()
    module.saturate(ta.rule_sets(), max_nodes=30_000)
    # Nodes that turn out to be equal become one.
    steps = [call for call in seen if call]
    assert {call[:2] + call[3:] for call in steps} == {("saturate", "nodes", 30_000)}
    assert all(0 <= call[2] <= 30_000 for call in steps)


def test_trials(seen):
    module = ta.Module(
        "func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
        "%0 = math.exp %x : tensor<64x64xf32>\n return %0 : tensor<64x64xf32>\n}")
    module.check_equivalence(against=module, method="test", trials=400)
    check(seen, "check_equivalence", "trials", 400)


def test_errors(seen):
    """What showing raises ends the call, which leaves the module as it was."""
    module = ta.Module(chain(2000))

    def show(*shown):
        if shown:
            raise KeyboardInterrupt
        seen.append("end")

    _native.show_progress(show, 0, 0)
    with pytest.raises(KeyboardInterrupt):
        module.run(",".join(["canonicalize", "cse"] * 100))
    _native.show_progress(None)
    assert str(module.run("canonicalize"))


class Terminal(io.StringIO):
    def __init__(self, isatty):
        super().__init__()
        self.isatty = lambda: isatty


@pytest.mark.parametrize("terminal, variable, wanted, shows", [
    (True, None, None, True), (False, None, None, False), (True, "1", None, False),
    (True, None, False, False), (False, "1", True, True)])  # fmt: skip
def test_bar(monkeypatch, terminal, variable, wanted, shows):
    """As tqdm's other bars: in a terminal, unless it is turned off."""
    pytest.importorskip("tqdm")
    err = Terminal(terminal)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    if variable:
        monkeypatch.setenv("TQDM_DISABLE", variable)
    try:
        ta.show_progress(wanted)
        if wanted is not False:
            _native.show_progress(_progress._Bars(), 0, 0)
        ta.Module(chain(2000)).run(",".join(["canonicalize", "cse"] * 20))
    finally:
        ta.show_progress()
    assert ("run:" in err.getvalue() and "/40" in err.getvalue()) is shows


def test_without_tqdm(tmp_path):
    """No bar, and no error but where one is asked for."""
    (tmp_path / "tqdm.py").write_text("raise ImportError('none')")
    done = subprocess.run(
        [sys.executable, "-c", f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import tensoraccess as ta
ta._progress._is_looked_at = lambda: True
ta._native.show_progress(ta._progress._Bars(), 0, 0)
module = ta.Module({chain(2000)!r})
module.run(",".join(["canonicalize", "cse"] * 20))
try:
    ta.show_progress(True)
except ta.Error as e:
    print(e)
"""], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (
        "progress is shown by the package 'tqdm', which is not installed\n", "")


def test_what_cannot_be_shown_ends_nothing(monkeypatch):
    monkeypatch.setattr(_progress, "_wanted", None)
    monkeypatch.setattr(sys, "stderr", object())
    bars = _progress._Bars()
    bars("compile", "passes", 1, 2)
    bars()
