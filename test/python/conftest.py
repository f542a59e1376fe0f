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

hypothesis.settings.register_profile(
    "tensoraccess", derandomize=True, deadline=None, max_examples=60, database=None
)
hypothesis.settings.load_profile("tensoraccess")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The source tree."""
    return ROOT


@pytest.fixture(scope="session")
def resnet50(root) -> pathlib.Path:
    return root / "test" / "Models" / "resnet50.linalg.mlir"
