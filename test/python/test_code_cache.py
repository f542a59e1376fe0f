# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs are kept on disk, and found again only where nothing that they
follow from has changed."""

import os
import signal
import subprocess

import pytest

PROGRAM = """
func.func @main(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = arith.addf %x, %x : tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
"""


@pytest.fixture(name="run")
def fixture_run(tmp_path, root):
    build = os.environ.get("TENSORACCESS_BUILD_DIR", root / "build")
    tool = os.path.join(build, "bin", "tensoraccess-run")
    if not os.path.exists(tool):
        pytest.skip("tensoraccess-run is not built")

    def run(text=PROGRAM, *options, cache=tmp_path / "cache", check=True):
        path = tmp_path / "program.mlir"
        path.write_text(text)
        found = subprocess.run(
            [tool, str(path), "--time", "--compare=interpret", *options],
            capture_output=True, text=True, check=False,
            env=os.environ | {"TENSORACCESS_CACHE": str(cache)})
        if check:
            assert found.returncode == 0, found.stderr
        return found.stdout

    run.cache = tmp_path / "cache"
    return run


def files(run):
    return sorted(run.cache.glob("llvmcache-*")) if run.cache.exists() else []


def test_found_again(run):
    assert "from the cache" not in run()
    assert len(files(run)) == 1
    assert "from the cache" in run()
    assert len(files(run)) == 1


def test_several_objects(run, root):
    # Large enough for a file from each thread.
    text = (root / "test" / "Models" / "mobilenet.linalg.mlir").read_text()
    first = run(text).splitlines()[-2:]
    assert len(files(run)) == 1
    again = run(text)
    assert "from the cache" in again
    assert again.splitlines()[-2:] == first


def test_what_it_follows_from(run):
    run()
    for text, options in [
        (PROGRAM.replace("addf", "mulf"), []),
        (PROGRAM.replace("4x5", "5x4"), []),
        (PROGRAM, ["--plain"]),
        (PROGRAM, ["--no-checks"]),
        (PROGRAM, ["--cpu=x86-64"] if os.uname().machine == "x86_64"
         else ["--no-runtime"]),
        ("module attributes {tensoraccess.target = #tensoraccess.target<x86-64-v3>} {"
         + PROGRAM + "}", []),
    ]:
        out = run(text, *options, check=False)
        assert "from the cache" not in out, (text, options)
    # Functions that the entry does not call, and comments, are not part of it.
    assert "from the cache" in run(
        PROGRAM + "func.func @other(%x: f32) -> f32 { return %x : f32 }")


def test_not_asked_for(run):
    run(PROGRAM, "--no-cache")
    assert not files(run)
    run(cache="")
    assert not files(run)
    run()
    assert "from the cache" not in run(PROGRAM, "--no-cache")


@pytest.mark.parametrize("harm", ["short", "changed", "empty", "foreign"])
def test_harmed_files(run, harm):
    run()
    (path,) = files(run)
    good = path.read_bytes()
    path.write_bytes({
        "short": good[:-100],
        "changed": good[:-50] + bytes([good[-50] ^ 1]) + good[-49:],
        "empty": b"",
        "foreign": b"something else\n" + good}[harm])
    assert "from the cache" not in run()
    assert "from the cache" in run()


def test_no_place(run, tmp_path):
    (tmp_path / "file").write_text("")
    assert "from the cache" not in run(cache=tmp_path / "file")
    assert "from the cache" not in run(cache=tmp_path / "file" / "below")


def test_full_disk(run, tmp_path, root):
    """What cannot be written whole is not a file, and no error."""
    resource = pytest.importorskip("resource")

    def limit():
        # LLVM takes this signal for a crash, in this process, too.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    build = os.environ.get("TENSORACCESS_BUILD_DIR", root / "build")
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    command = [os.path.join(build, "bin", "tensoraccess-run"), str(path),
               "--compare=interpret"]
    found = subprocess.run(
        command, check=False, capture_output=True, text=True, restore_signals=False,
        env=os.environ | {"TENSORACCESS_CACHE": str(run.cache)},
        preexec_fn=limit)
    assert found.returncode == 0, found.stderr
    assert not [p for p in files(run) if "timestamp" not in p.name]
    assert "from the cache" not in run()
    assert "from the cache" in run()


def test_many_processes(run, tmp_path, root):
    build = os.environ.get("TENSORACCESS_BUILD_DIR", root / "build")
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    tool = os.path.join(build, "bin", "tensoraccess-run")
    jobs = [subprocess.Popen(
        [tool, str(path), "--compare=interpret"], stdout=subprocess.DEVNULL,
        env=os.environ | {"TENSORACCESS_CACHE": str(run.cache)}) for _ in range(8)]
    assert [job.wait() for job in jobs] == [0] * 8
    assert "from the cache" in run()
