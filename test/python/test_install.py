# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package where it is installed by CMake."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import tensoraccess

BUILD = pathlib.Path(tensoraccess.__file__).parents[2]
CHECK = "import tensoraccess as ta; print(ta.__file__, ta.__version__, ta.Module('module {}').run('cse'))"


def run(*command, **environment):
    return subprocess.run(
        [str(c) for c in command],
        env={**os.environ, **environment},
        cwd="/",
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


@pytest.fixture(scope="module")
def version(root):
    return re.search(r"project\(tensoraccess VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]


def test_version(version):
    assert tensoraccess.__version__ == version


def test_cmake_install(tmp_path, version):
    if not (BUILD / "CMakeCache.txt").exists():
        pytest.skip("the package under test lies in no build directory")
    run("cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path)
    (package,) = tmp_path.rglob("tensoraccess")
    files = {f.name for f in package.iterdir()}
    assert {"__init__.py", "py.typed", "_native.pyi"} <= files
    out = run(sys.executable, "-c", CHECK, PYTHONPATH=package.parent)
    assert out.split()[:2] == [str(package / "__init__.py"), version]
