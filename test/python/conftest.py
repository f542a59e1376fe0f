# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixed seeds and small sizes: the same tests on every machine."""

import os
import pathlib

import hypothesis
import pytest

# Nothing is found that an earlier run has compiled.
os.environ.setdefault("TENSORACCESS_CACHE", "")
# XLA, whose programs run once, compiles them in half the time.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

hypothesis.settings.register_profile(
    "tensoraccess", derandomize=True, deadline=None, max_examples=60, database=None
)
hypothesis.settings.load_profile("tensoraccess")

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted(path.name for path in pathlib.Path(__file__).parent.glob("test_*.py"))


def pytest_addoption(parser):
    parser.addoption("--part", metavar="I/N", help="of N parts of the files, the I-th")


def pytest_ignore_collect(collection_path, config):
    part = config.getoption("--part")
    if not part or collection_path.name not in FILES:
        return None
    number, parts = map(int, part.split("/"))
    return FILES.index(collection_path.name) % parts != number - 1 or None


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The source tree."""
    return ROOT


@pytest.fixture(scope="session")
def resnet50(root) -> pathlib.Path:
    return root / "test" / "Models" / "resnet50.linalg.mlir"


def skip_without(program, **options):
    """Skips where saturation says that a program that it calls is missing: a
    wheel has neither mlir-pdll nor CBC."""
    import tensoraccess as ta
    module = ta.Module("func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 return %0 : i32 }")
    try:
        module.saturate(**options)
    except ta.Error as error:
        if program not in str(error):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def pdll():
    """For tests of rules in PDLL."""
    skip_without("mlir-pdll", rules=(
        "Pattern Swap { let p = op<arith.addi>(x: Value, y: Value) -> (t: Type);"
        " replace p with op<arith.addi>(y, x) -> (t); }"))


@pytest.fixture(scope="session")
def cbc():
    """For tests of exact extraction."""
    skip_without("CBC", rules=["arith"], extraction="exact")
