# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of bench/ that judge answers: what they see, and that nothing
stops them."""

import json
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("jaxlib")


@pytest.fixture(scope="module")
def judging(root):
    sys.path.insert(0, str(root / "bench"))
    try:
        import judging
    finally:
        sys.path.pop(0)
    return judging


def run(root, script, *arguments):
    return subprocess.run(
        [sys.executable, root / "bench" / script, *map(str, arguments)],
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize(
    "dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64], ids=str
)
def test_ulps_are_steps(judging, dtype):
    steps = np.array([0, 1, 2, 5], f"i{np.dtype(dtype).itemsize}")
    one = np.ones(4, dtype)
    moved = (one.view(steps.dtype) + steps).view(dtype)
    assert judging.count_ulps(moved, one).tolist() == [0, 1, 2, 5]
    assert judging.count_ulps(one, moved).tolist() == [0, 1, 2, 5]
    assert judging.count_ulps(moved[3], one[3]).shape == ()
    tiny = steps.view(dtype)
    assert judging.count_ulps(-tiny, tiny).tolist() == [0, 2, 4, 10]
    nan, inf = dtype(np.nan), dtype(np.inf)
    pairs = [(nan, nan), (inf, inf), (nan, inf), (-inf, inf), (one[0], nan)]
    actual, expected = (np.array(side, dtype) for side in zip(*pairs))
    assert judging.count_ulps(actual, expected).tolist() == [0, 0] + 3 * [np.inf]


def test_integers_are_equal_or_not(judging):
    a = np.array([1, 2], np.int64)
    assert judging.count_ulps(a, np.array([1, 3])).tolist() == [0, np.inf]


MORTAL = """
import json, os, sys, time
for line in sys.stdin:
    job = json.loads(line)
    reply = {"verdict": "right", "job": job}
    if job == "pid":
        reply |= {"pid": os.getpid(), "spent": True}
    if job == "die":
        os.abort()
    if job == "hang":
        time.sleep(60)
    print(json.dumps(reply), flush=True)
"""


def test_a_dead_worker_costs_one_job(judging):
    jobs = ["a", "die", "b", "hang", "c", "die"]
    command = [sys.executable, "-c", MORTAL]
    replies = list(judging.ask_all(command, jobs, 2, seconds=2))
    assert [job for job, _ in replies] == jobs
    verdicts = [answer["verdict"] for _, answer in replies]
    assert verdicts == ["right", "crash", "right", "timeout", "right", "crash"]
    assert replies[1][1]["why"].startswith("SIGABRT")


def test_a_spent_worker_is_replaced(judging):
    replies = judging.ask_all([sys.executable, "-c", MORTAL], ["pid"] * 3, 1, seconds=9)
    answers = [answer for _, answer in replies]
    assert len({answer["pid"] for answer in answers}) == 3
    assert all("spent" not in answer for answer in answers)


def test_a_terminated_run_reports_what_it_has(judging):
    code = f"""
import judging
jobs = ["a", "b", "hang", "c"]
replies = judging.ask_all({[sys.executable, "-c", MORTAL]!r}, jobs, 1, seconds=60)
answers, finished = judging.collect([("jit", job) for job in jobs], replies)
print([program for _, program, _ in answers], finished)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=os.path.dirname(judging.__file__),
        stdout=subprocess.PIPE, text=True,
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=3)
    process.terminate()
    assert process.communicate(timeout=30)[0].splitlines() == [
        "interrupted after 2 of 4", "['a', 'b'] False"]


# A program as StableHLO's are: x, what is computed of it, what is expected.
PROGRAM = """
module @jit_main {{
  func.func public @main() -> tensor<3x{type}> {{
    %0 = call @inputs() : () -> tensor<3x{type}>
    %1 = call @expected() : () -> tensor<3x{type}>
    %2 = stablehlo.{op} %0 : tensor<3x{type}>
    stablehlo.custom_call @check.{check}(%2, %1) {{has_side_effect = true}} :
      (tensor<3x{type}>, tensor<3x{type}>) -> ()
    return %2 : tensor<3x{type}>
  }}
  func.func private @inputs() -> tensor<3x{type}> {{
    %cst = stablehlo.constant dense<{x}> : tensor<3x{type}>
    return %cst : tensor<3x{type}>
  }}
  func.func private @expected() -> tensor<3x{type}> {{
    %cst = stablehlo.constant dense<{y}> : tensor<3x{type}>
    return %cst : tensor<3x{type}>
  }}
}}
"""


@pytest.fixture
def programs(tmp_path):
    folder = tmp_path / "testdata"
    folder.mkdir()

    def write(name, **fields):
        (folder / f"{name}.mlir").write_text(PROGRAM.format(**fields))

    write("right", op="popcnt", check="expect_eq", type="ui8",
          x="[1, 2, 255]", y="[1, 1, 8]")
    # 0x3FB504F5 is 2 ulps above the root of 2: an expect_close allows 3.
    root = dict(op="sqrt", check="expect_close", type="f32", x="[4.0, 2.0, 1.0]")
    write("near", **root, y="[2.0, 0x3FB504F5, 1.0]")
    # Sharp dots and several lines, as in StableHLO's own tests.
    (folder / "plain.mlir").write_text("""
func.func @plain() {
  %x = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf64>
  %y = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %z = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %0 = stablehlo.sqrt %x : tensor<2xf64>
  %1 = stablehlo.sqrt %z : tensor<f64>
  check.expect_eq %0, %y : tensor<2xf64>
  check.expect_close %0, %y, max_ulp_difference = 1, min_ulp_difference = 0
      : tensor<2xf64>, tensor<2xf64>
  check.expect_almost_eq_const %0,
      dense<[1.0,
             2.0]> : tensor<2xf64>
  check.expect_eq_const %1, dense<0x7FF0000000000000> : tensor<f64>
  return
}
""")
    write("hex", op="negate", check="expect_eq", type="bf16",
          x='"0x803F0040C07F"', y='"0x80BF00C0C07F"')
    write("complex", op="negate", check="expect_eq", type="complex<f32>",
          x="(1.0, 2.0)", y="(-1.0, -2.0)")
    # No op of StableHLO's.
    write("unread", op="negated", check="expect_eq", type="f32", x="1.0", y="-1.0")
    (folder / "unchecked.mlir").write_text("module {}")
    return folder, lambda **fields: write("wrong", **root, **fields)


def test_conformance_counts(root, programs, tmp_path):
    folder, _ = programs
    verdicts = tmp_path / "verdicts.json"
    result = run(root, "conformance.py", folder, "--jobs", 1, "--json", verdicts,
                 "--engine", "interpret", "--engine", "raise")
    assert result.returncode == 0, result.stdout
    found = {(v["engine"], v["program"]): v for v in json.loads(verdicts.read_text())}
    assert len(found) == 12
    for engine in ("interpret", "raise"):
        kinds = [found[engine, p]["verdict"]
                 for p in ("right", "near", "hex", "plain", "complex", "unread")]
        assert kinds == 5 * ["right"] + ["refused"], result.stdout
        assert found[engine, "near"]["ulps"] == 2
        assert found[engine, "hex"]["ulps"] == 0
    assert found["raise", "near"]["engaged"]
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines()[1:3]}
    assert rows["interpret"] == "6 0 5 4 0 1 0 0 0 0 1 0".split()


def test_conformance_fails_where_one_is_wrong(root, programs):
    folder, write_wrong = programs
    write_wrong(y="[2.0, 0x3FB504F7, 1.0]")
    result = run(root, "conformance.py", folder, "--jobs", 1, "--filter", "wrong|near",
                 "--engine", "jit")
    assert result.returncode == 1, result.stdout
    assert "wrong: wrong in jit: check 0 (expect_close): 1 of 3 elements" in result.stdout
    assert "(4 ulps)" in result.stdout


def test_conformance_takes_a_sample(root, programs):
    folder, _ = programs
    first, second = (
        run(root, "conformance.py", folder, "--jobs", 1, "--limit", 2, "--seed", 3,
            "--engine", "interpret").stdout
        for _ in range(2)
    )
    assert first == second and first.splitlines()[1].split()[1] == "2"
    empty = run(root, "conformance.py", folder, "--filter", "nobody")
    assert empty.returncode == 2 and "no program is left" in empty.stdout


def test_jax_functions_are_judged(root, tmp_path):
    pytest.importorskip("jax")
    verdicts = tmp_path / "verdicts.json"
    names = r"^(grad of )?(jnp\.square\(x\)|jnp\.cumsum\(x, 0\)) at (float32|bfloat16) (7|3x5)$"
    result = run(root, "jax_functions.py", "--jobs", 1, "--filter", names, "--json", verdicts)
    assert result.returncode == 0, result.stdout
    found = json.loads(verdicts.read_text())
    assert len(found) == 2 * 10
    assert {v["verdict"] for v in found} == {"right"}, result.stdout
    assert result.stdout.startswith("10 expressions, types and shapes; 10 are programs")


def test_jax_functions_see_what_is_wrong(root):
    """Three ulps of f32 where XLA is exact; of a sum, of its largest number."""
    pytest.importorskip("jax")
    code = """
import numpy as np, jax_functions as j
program = j.Program("jnp.square(x) at float32 7")
print(j.judge(program, program.expected)["verdict"])
off = np.nextafter(program.expected[0], np.inf, dtype=np.float32)
print(j.judge(program, [off])["verdict"])
for _ in range(3):
    off = np.nextafter(off, np.inf, dtype=np.float32)
print(j.judge(program, [off])["verdict"], j.judge(program, [off[:3]])["verdict"])
program = j.Program("jnp.sum(x) at float32 7")
large = np.abs(program.inputs[0]).max()
for part in (1e-7, 1e-5):
    print(j.judge(program, [program.expected[0] + np.float32(part) * large])["verdict"])
print(j.Program("jnp.argmax(x) at bfloat16 3x5").truth() is not None)
# What would be 0 but for roundings, which are not XLA's.
program = j.Program("grad of nn.softmax(x) at float32 3x5")
for part in (0, 1e-4):
    print(j.judge(program, [0 * e + np.float32(part) for e in program.expected])["verdict"])
# Where XLA's error is 0 by luck: erfc of a rounded argument is 10 ulps off.
program = j.Program("nn.gelu(x, approximate=False) at int32 3x5")
rounded, at = program.rounded()[0], np.unravel_index(4, (3, 5))
off = rounded.copy()
off[at] *= 1 - 3e-6
print(j.judge(program, [rounded])["verdict"], j.judge(program, [off])["verdict"])
# A softmax of 1 - 2^-24, converted to an integer, is 1 in XLA.
attention = "nn.dot_product_attention(x[None, :, None], y[None, :, None], x[None, :, None])"
program = j.Program(f"vmap of {attention} at int8 4x3x5")
rounded = program.rounded()[0]
print((rounded != program.expected[0]).any(), *(
    j.judge(program, [part])["verdict"] for part in (rounded, rounded + np.int8(1))))
program = j.Program("jnp.expm1(jnp.cos(x)) at bfloat16 edges")
print((program.rounded()[0].view(np.int16) == program.expected[0].view(np.int16)).mean() > 0.9)
try:
    j.run_xla(lambda: __import__("time").sleep(60), seconds=0.1)
except TimeoutError:
    print(len(j.BUSY))
try:
    j.Program("jnp.bitwise_not(x) at float32 7")
except j.NoProgram:
    print("none")
"""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root / "bench", capture_output=True, text=True,
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"), timeout=300,
    )
    assert result.stdout.split() == (
        "right right wrong wrong right wrong True right wrong right wrong True right wrong True 1 none").split(), result.stderr


def write_reports(folder, *checks):
    """Reports of one program, which subtracts its argument from 1."""
    parts = (
        f"// a/b#{i}: what went wrong\n//   elsewhere\n"
        + "".join(f"// {line}\n" for line in check.splitlines())
        + """\
func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
  %one = arith.constant dense<1> : tensor<3xi8>
  %0 = arith.subi %one, %x : tensor<3xi8>
  return %0 : tensor<3xi8>
}
"""
        for i, check in enumerate(checks)
    )
    file = folder / "reports.mlir"
    file.write_text("// -----\n".join(parts))
    return file


def test_reports_are_right_or_not(root, tmp_path):
    file = write_reports(
        tmp_path,
        "after: canonicalize\nf(x := np.array([0, 1, 2])) == 1 - x",
        "f([0, 1, 2]) == [1, 0, -2]",
        "f([0, 1, 2]) == [1, 0]",
        'f([0, 1]) == refused("expected 3")',
        'f([0, 1]) == refused("something else")',
        "f([0, 1, 2]) == refused(\"expected 3\")",
        "f([0, 1, 2, 3]) == [1, 0, -1, -2]",
        "f([0, 1, 200]) == [1, 0, 56]",
        'equivalence("f", "f") == "proved"',
        "engines: jit\nf([0, 1, 2]) == near([1, 0, -1], 1)",
    )
    verdicts = tmp_path / "verdicts.json"
    result = run(root, "reports.py", file, "--jobs", 1, "--engine", "interpret",
                 "--engine", "jit", "--json", verdicts)
    assert result.returncode == 1, result.stdout
    lines = [line.split(maxsplit=2) for line in result.stdout.splitlines()[3:13]]
    assert [signs for _, signs, _ in lines] == [
        "...-", "XX--", "XX--", "..--", "RR--", "XX--", "RR--", "BB--", "---.", "-.--"
    ], result.stdout
    assert lines[0] == ["a/b#0", "...-", "what went wrong elsewhere"]
    assert ("result 0: 1 of 3 elements, first at [2]: -1, not -2"
            in result.stdout), result.stdout
    found = {(v["engine"], v["program"]) for v in json.loads(verdicts.read_text())}
    assert ("jit after canonicalize", "a/b#0") in found
    assert run(root, "reports.py", file, "--filter", "#[09]:").returncode == 0


def test_reports_that_say_nothing(root, tmp_path):
    for check, message in [
        ("engines: jit", "checks nothing"),
        ("engines: jet\nf(1) == 2", "no engine jet"),
        ("f(1) < 2", "not of the form call == value"),
        ("f(1) == ", "invalid syntax"),
    ]:
        result = run(root, "reports.py", write_reports(tmp_path, check))
        assert result.returncode == 2 and message in result.stdout, result.stdout
    empty = run(root, "reports.py", write_reports(tmp_path, "f(1) == 2"), "--filter", "x#")
    assert empty.returncode == 2 and "no report is left" in empty.stdout
