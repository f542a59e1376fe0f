# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of bench/ can be measured, all but the builds."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import tensoraccess

BUILD = pathlib.Path(tensoraccess.__file__).parents[2]
TOOLS = ("tensoraccess-opt", "tensoraccess-run")


@pytest.mark.skipif(
    not all((BUILD / "bin" / tool).exists() for tool in TOOLS) or not shutil.which("taskset"),
    reason="needs the tools of a build tree, and taskset",
)
def test_quick_figures(root, tmp_path):
    table = tmp_path / "table.txt"
    result = subprocess.run(
        [sys.executable, root / "bench" / "figures.py", "--quick"]
        + ["--source", root, "--build", BUILD, "--output", table],
        # What several of its figures run is compiled once.
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1",
                 TENSORACCESS_CACHE=str(tmp_path / "cache")),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, result.stdout
    assert table.read_text(encoding="utf-8") == result.stdout
    rows = [line.split("  ")[0] for line in result.stdout.splitlines()[3:10]]
    assert rows == [
        "start-up of tensoraccess-opt",
        "annotate-indexing of ResNet-18",
        "raise of ResNet-18",
        "raise, canonicalise, lower ResNet-18",
        "the same, a block of 8",
        "run of raised ResNet-18, one core",
        "peak of its buffers",
    ]
    # Every row has a ratio, which is a positive number.
    for line in result.stdout.splitlines()[3:10]:
        assert float(line.split()[-1]) > 0, line


@pytest.mark.skipif(
    not all((BUILD / "bin" / name).exists() for name in ("EGraphBench", "ExtractionBench")),
    reason="needs the benchmarks of a build tree",
)
def test_quick_egraph_figures(root, tmp_path):
    """The e-graph's figures, without the peers: nothing is built here."""
    tools = tmp_path / "bin"
    tools.mkdir()
    if taskset := shutil.which("taskset"):
        (tools / "taskset").symlink_to(taskset)
    output = tmp_path / "lines.txt"
    result = subprocess.run(
        [sys.executable, root / "bench" / "egraph.py", "--quick"]
        + ["--source", root, "--build", BUILD, "--output", output],
        env=dict(os.environ, PATH=str(tools), PYTHONDONTWRITEBYTECODE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, result.stdout
    lines = result.stdout.splitlines()
    assert output.read_text(encoding="utf-8").splitlines() == lines
    assert lines[:2] == [
        "egg 0.11: left out, there is no cargo",
        "egglog 3.0: left out, there is no cargo",
    ]
    starts = [line.split("  ")[0] for line in lines]
    for start in ("math, 6 iterations", "chain of 20", "local", "uniform", "cyclic", "cover"):
        assert start in starts, result.stdout
    assert lines[-1] == "extraction-gym: left out, --gym names no program of it"


QUICK = {
    "EGraphBench": ["--benchmark_filter=math/6"],
    "ExtractionBench": ["--classes", "2000"],
    "Im2ColBench": ["1"],
    "IndexingMapBench": ["--benchmark_min_time=0.001"],
    "LayoutAlgebraBench": ["--benchmark_min_time=0.001"],
    "ProjectionBench": ["--benchmark_min_time=0.001"],
    "SystolicBench": ["--benchmark_min_time=0.001"],
    "TileSizesBench": ["--quick"],
}


@pytest.mark.parametrize("name", QUICK)
def test_quick_benchmark(name):
    """Each is built only where the build was told so, and fails where its result
    is not the one that it should be."""
    program = BUILD / "bin" / name
    if not program.exists():
        pytest.skip("needs the benchmarks of a build tree")
    result = subprocess.run(
        [program, *QUICK[name]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout
    assert "ERROR OCCURRED" not in result.stdout, result.stdout
    assert result.stdout.strip(), name


def read_terms(text):
    """S-expressions as tuples."""
    stack = [[]]
    for token in re.findall(r'[()]|"[^"]*"|[^\s()"]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


OPERATORS = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "pow": "Pow", "d": "Diff"} | {
    "i": "Integral",
    "ln": "Ln",
    "sqrt": "Sqrt",
    "sin": "Sin",
    "cos": "Cos",
}


def to_egglog(term):
    if isinstance(term, tuple):
        return (OPERATORS[term[0]], *map(to_egglog, term[1:]))
    if term.startswith("?"):
        return term[1:]
    if re.fullmatch(r"-?\d+", term):
        return ("Num", term)
    return ("Var", f'"{term}"')


def test_egglog_has_the_same_rules(root):
    folder = root / "bench" / "EGraph"
    rules, terms = [], []
    for line in (folder / "math.rules").read_text().splitlines():
        if line.startswith("rule "):
            left, right = line.split(None, 2)[2].split("=>")
            rules.append(tuple(to_egglog(read_terms(side)[0]) for side in (left, right)))
        elif line.startswith("term "):
            terms.append(to_egglog(read_terms(line[5:])[0]))
    program = (folder / "peer" / "egglog" / "math.egg").read_text()
    items = read_terms(re.sub(r";.*", "", program))
    assert items[0][0] == "datatype"
    assert [item[1:] for item in items if item[0] == "rewrite"] == rules
    assert [item for item in items if item[0] not in ("rewrite", "datatype")] == terms
    assert len(rules) == 24 and len(terms) == 7
