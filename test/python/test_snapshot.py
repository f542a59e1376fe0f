# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is written down of a program, and that a difference is shown."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import snapshot  # noqa: E402

PROGRAM = """func.func @main(%x: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %t = linalg.transpose ins(%x : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) permutation = [1, 0]
  return %t : tensor<3x2xi32>
}"""


def test_describes():
    text, inputs = snapshot.make_random("linalg", 3)()
    said = snapshot.describe("linalg/3", text, inputs, ("indexing", "raised", "bits"), None)
    assert "output_to_input" in said["indexing"] and "func.func" in said["raised"]
    lines = said["bits"].splitlines()
    assert [line.split(":")[0] for line in lines] == list(snapshot.ENGINES)
    assert len({line.split(": ", 1)[1] for line in lines}) == 1
    refused = snapshot.describe("x", "func.func @f() { retur }", None, ("indexing",), None)
    assert refused["indexing"].startswith("refused: ")


def test_raised_is_the_programs():
    said = snapshot.describe("x", PROGRAM, None, ("raised", "bits"), None)
    assert set(said) == {"raised"} and "tensoraccess.transpose" in said["raised"]


def test_differences_are_shown(tmp_path, capsys):
    for name, text in (("a", "one\n"), ("b", "two\n")):
        (tmp_path / name / "bits").mkdir(parents=True)
        (tmp_path / name / "bits" / "p").write_text(text)
    assert snapshot.compare(tmp_path / "a", tmp_path / "a", 5) == 0
    assert snapshot.compare(tmp_path / "a", tmp_path / "b", 5) == 1
    said = capsys.readouterr().out
    assert "-one" in said and "+two" in said and said.count("--- bits/p") == 1
    (tmp_path / "b" / "bits" / "p").unlink()
    assert snapshot.compare(tmp_path / "a", tmp_path / "b", 5) == 1


def test_maps_may_be_said_otherwise():
    def line(*maps):
        return "%0 = op {tensoraccess.indexing = {output_to_input = [[[" + ", ".join(
            f"#tensoraccess.indexing_map<{text}>" for text in maps) + "]]]}}"

    short = "(d0) -> (d0 + 1), domain: d0 in [0, 3]"
    long = "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [1, 4], d0 - s0 in [-1, -1]"
    other = "(d0) -> (d0 + 2), domain: d0 in [0, 3]"
    assert snapshot.read_maps(line(short)) == ([[[[short]]]], "%0=op{tensoraccess.indexing={output_to_input=}}")
    for before, after, differs in (
        ([short], [short, "empty (d0) -> (d0), domain: d0 in [0, 3]"], False),
        ([long], [short], False),
        ([short], [long], True),
        ([short], [other], True),
        ([short], [short, other], True),
        ([short], ["unknown"], True),
    ):
        assert snapshot.differ("indexing/p", line(*before), line(*after)) == differs, (before, after)
    assert snapshot.differ("raised/p", line(long), line(short))
