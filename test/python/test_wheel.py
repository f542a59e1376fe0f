# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What wheels hold, where there is no LLVM: in a root of Python and numpy alone."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile

import pytest

import tensoraccess

BUILD = pathlib.Path(tensoraccess.__file__).parents[2]
HERE = pathlib.Path(__file__).parent
LARGEST = 80 << 20


def run(*command, **environment):
    return subprocess.run(
        [str(c) for c in command], env={**os.environ, **environment}, cwd="/", check=True,
        stdout=subprocess.PIPE, text=True).stdout  # fmt: skip


def needed(*files):
    """The shared libraries that programs and libraries load."""
    found = subprocess.run(["ldd", *files], stdout=subprocess.PIPE, text=True).stdout
    return set(re.findall(r"(?:=> |^\t)(/\S+) \(0x", found, re.MULTILINE))


def link(file, target):
    """A copy, which takes no place where the file system allows that."""
    try:
        os.link(os.path.realpath(file), target)
    except OSError:
        shutil.copy(file, target)


def add(file, root):
    target = root / os.path.relpath(file, "/")
    target.parent.mkdir(parents=True, exist_ok=True)
    link(file, target)


def run_bare(root, package):
    """Runs bare_check.py in `root`, made of this Python, numpy and `package`."""
    change = ["chroot"] if os.geteuid() == 0 else ["unshare", "-r", "chroot"]
    if subprocess.run([*change, "/", "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this user may not change the root")
    python = os.path.realpath(sys.executable)
    stdlib = pathlib.Path(sysconfig.get_path("stdlib"))
    left = shutil.ignore_patterns("site-packages", "dist-packages", "test", "idlelib",
                                  "__pycache__", "*.a")  # fmt: skip
    shutil.copytree(stdlib, root / stdlib.relative_to("/"), ignore=left, copy_function=link)
    numpy = pathlib.Path(importlib.util.find_spec("numpy").origin).parent
    site = root / "site"
    left = shutil.ignore_patterns("tests", "__pycache__")
    for folder in (numpy, numpy.parent / "numpy.libs", package):
        if folder.is_dir():
            shutil.copytree(folder, site / folder.name, ignore=left, copy_function=link)
    (root / "tmp").mkdir()
    shutil.copy(HERE / "bare_check.py", root / "tmp")
    add(python, root)
    libraries = [*stdlib.rglob("*.so"), *site.rglob("*.so*")]
    for library in needed(python, *libraries):
        if not library.startswith(str(site)) and not library.startswith(str(numpy.parent)):
            add(library, root)
    return run(*change, root, python, "/tmp/bare_check.py", PYTHONPATH="/site",
               PYTHONDONTWRITEBYTECODE="1", HOME="/tmp", TMPDIR="/tmp")  # fmt: skip


def test_bare(tmp_path):
    """What the build has linked for wheels, in a root without LLVM."""
    if not list((BUILD / "python" / "wheel").glob("_native*")):
        pytest.skip("`cmake --build build --target tensoraccess-wheel` was not called")
    run("cmake", "--install", BUILD, "--component", "wheel", "--prefix", tmp_path)
    package = tmp_path / "tensoraccess"
    libraries = {pathlib.Path(f).name for f in needed(*package.glob("_native*.so"))}
    assert libraries <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2",
                         "libpthread.so.0", "ld-linux-x86-64.so.2",
                         "ld-linux-aarch64.so.1"}  # fmt: skip
    built = {f.name for f in (BUILD / "python" / "tensoraccess").iterdir() if f.is_file()}
    assert {f.name for f in package.iterdir()} == built
    assert run_bare(tmp_path / "root", package).endswith("all is well\n")


def test_wheel(tmp_path, root):
    """Builds the libraries once more, so it runs only where it is asked for."""
    if not os.environ.get("TENSORACCESS_TEST_PIP"):
        pytest.skip("scripts/test --nightly runs it, and TENSORACCESS_TEST_PIP=1 (minutes)")
    venv.create(tmp_path / "venv", with_pip=True)
    bin = tmp_path / "venv" / "bin"
    pip = (bin / "python", "-m", "pip")
    run(*pip, "wheel", "-q", "--no-deps", root, "-w", tmp_path, PYTHONPATH="")
    (wheel,) = tmp_path.glob("tensoraccess-*.whl")
    assert wheel.stat().st_size <= LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = {name.split("/", 1)[-1] for name in archive.namelist()}
    assert {"py.typed", "_native.pyi", "licenses/LICENSE",
            "licenses/python/THIRD-PARTY.txt"} <= names  # fmt: skip
    run(*pip, "install", "-q", wheel, PYTHONPATH="")
    shown = run(*pip, "show", "-f", "tensoraccess", PYTHONPATH="")
    assert f"Version: {tensoraccess.__version__}\n" in shown
    files = shown.split("Files:\n")[1].split()
    assert all(f.startswith(("tensoraccess", "../../../bin/tensoraccess-")) for f in files)
    assert "tensoraccess-raise" in run(bin / "tensoraccess-opt", "--help", PYTHONPATH="")
    (package,) = (tmp_path / "venv").rglob("site-packages/tensoraccess")
    assert run_bare(tmp_path / "root", package).endswith("all is well\n")
