# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Module: reading, printing, running passes."""

import concurrent.futures
import pathlib
import subprocess
import sys

import pytest

import tensoraccess as ta

TEXT = """
func.func @main(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = tensor.empty() : tensor<5x3xf32>
  %1 = linalg.transpose ins(%x : tensor<3x5xf32>)
                        outs(%0 : tensor<5x3xf32>) permutation = [1, 0]
  return %1 : tensor<5x3xf32>
}
func.func private @outside(i32)
"""


class Asm:
    """What MLIR's Python bindings look like from here."""

    def __init__(self, asm):
        self.asm, self.asked = asm, None

    def get_asm(self, **flags):
        self.asked = flags
        return self.asm


class Owner:
    def __init__(self, operation):
        self.operation = operation


def test_from_text():
    mod = ta.Module(TEXT)
    assert "linalg.transpose" in str(mod)
    assert repr(mod) == "<Module of @main, @outside>"
    assert repr(ta.Module("module {}")) == "<Module>"
    assert str(ta.Module(str(mod))) == str(mod)


def test_from_bytecode_and_bytes():
    mod = ta.Module(TEXT)
    data = mod.bytecode()
    assert isinstance(data, bytes) and data.startswith(b"ML\xefR")
    for source in (data, bytearray(data), TEXT.encode()):
        assert str(ta.Module(source)) == str(mod)


@pytest.mark.parametrize("suffix", [".mlir", ".mlirbc", ".txt"])
def test_from_a_path(tmp_path, suffix):
    mod = ta.Module(TEXT)
    path = tmp_path / ("model" + suffix)
    path.write_bytes(mod.bytecode() if suffix == ".mlirbc" else TEXT.encode())
    assert str(ta.Module(path)) == str(mod)
    assert str(ta.Module(str(path))) == str(mod)
    if suffix != ".mlirbc":
        assert ta.Module(path).functions[0].location == f"{path}:2:1"


@pytest.mark.parametrize("name", ["nowhere.mlir", pathlib.Path("nowhere")])
def test_a_missing_file(name):
    with pytest.raises(ta.Error, match="cannot open '.*': no such file or directory"):
        ta.Module(name)


@pytest.mark.parametrize("kind", [pathlib.Path, str])
def test_a_directory_is_no_file(tmp_path, kind):
    with pytest.raises(ta.Error, match="cannot open '.*': is a directory"):
        ta.Module(kind(tmp_path))


def test_from_an_object_with_get_asm():
    mod = ta.Module(TEXT)
    for asm in (TEXT, TEXT.encode()):
        source = Asm(asm)
        assert str(ta.Module(source)) == str(mod)
        assert str(ta.Module(Owner(source))) == str(mod)
        assert source.asked == {"print_generic_op_form": True}
    assert str(ta.Module(mod)) == str(mod)


@pytest.mark.parametrize("source", [3, None, ["module {}"]])
def test_other_sources(source):
    with pytest.raises(ta.Error, match=f"get_asm, got {type(source).__name__}"):
        ta.Module(source)


@pytest.mark.parametrize(
    "text, message",
    [
        ("func.func @f() {\n  return %a : f32\n}", "^<text>:2:10: error: use of und"),
        ("module", "<text>:1:[0-9]+: error: expected"),
        ("func.func @f() -> f32 {\n  return\n}", "<text>:2:3: error: 'func.return'"),
        ("ML\xefR", "error"),
        ("", None),
    ],
)
def test_parse_errors_have_a_location(text, message):
    if message is None:
        assert ta.Module(text).functions == []
        return
    with pytest.raises(ta.Error, match=message):
        ta.Module(text)


def test_truncated_bytecode():
    data = ta.Module(TEXT).bytecode()
    for size in (3, 4, 20, len(data) // 2, len(data) - 1):
        with pytest.raises(ta.Error):
            ta.Module(data[:size])


def test_stablehlo_in_ordinary_form():
    text = (
        "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
        "  %0 = stablehlo.add %a, %a : tensor<3xf32>\n"
        "  return %0 : tensor<3xf32>\n}"
    )
    assert "%0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>" in str(ta.Module(text))
    with pytest.raises(ta.Error, match="<text>:2:24: error: expected ','"):
        ta.Module(text.replace("%a, %a", "%a %a"))


def test_pretty_mhlo_gets_a_hint():
    with pytest.raises(ta.Error, match="hint: .*generic form") as e:
        ta.Module(
            "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
            "  %0 = mhlo.add %a, %a : tensor<3xf32>\n"
            "  return %0 : tensor<3xf32>\n}"
        )
    assert "<text>:2:8: error" in str(e.value)
    assert "Available dialects" not in str(e.value)


def test_unregistered_dialects_in_generic_form():
    mod = ta.Module(
        "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
        '  %0 = "other.op"(%a) {x = #other.y<[b, 0, f]>} '
        ": (tensor<3xf32>) -> tensor<3xf32>\n"
        "  return %0 : tensor<3xf32>\n}"
    )
    assert '"other.op"' in str(mod) and "#other.y<[b, 0, f]>" in str(mod)


def test_functions():
    main, outside = ta.Module(TEXT).functions
    assert main == ta.Function(
        "main", ["tensor<3x5xf32>"], ["tensor<5x3xf32>"], False, "<text>:2:1"
    )
    assert outside.private and outside.inputs == ["i32"] and outside.results == []


def test_generic_form_and_locations():
    mod = ta.Module(TEXT)
    assert '"linalg.transpose"(' in mod.asm(generic=True)
    assert 'loc("<text>":3:8)' in mod.asm(locations=True)
    assert mod.get_asm(print_generic_op_form=True) == mod.asm(generic=True)


@pytest.mark.parametrize(
    "pipeline",
    [
        "linalg-generalize-named-ops,canonicalize",
        "builtin.module(func.func(linalg-generalize-named-ops),canonicalize)",
        "func.func(linalg-generalize-named-ops)",
        " builtin.module( linalg-generalize-named-ops{} ) ",
    ],
)
def test_run_makes_a_new_module(pipeline):
    mod = ta.Module(TEXT)
    if pipeline.startswith("func.func"):
        with pytest.raises(ta.Error, match="can't run 'func.func' pass manager"):
            mod.run(pipeline)
        return
    result = mod.run(pipeline)
    assert "linalg.generic" in str(result)
    assert "linalg.transpose" in str(mod)


def test_an_empty_pipeline_is_a_copy():
    mod = ta.Module(TEXT)
    assert str(mod.run("builtin.module()")) == str(mod) == str(mod.run(""))


@pytest.mark.parametrize(
    "pipeline, message",
    [
        ("nope", "'nope' does not refer to a registered pass"),
        ("builtin.module(canonicalize", "wrapped with the anchor"),
        ("builtin.module(func.func(cse)", "unbalanced parentheses"),
        ("canonicalize{nope=1}", "'canonicalize' has no option 'nope'; its options are"),
    ],
)
def test_malformed_pipelines(pipeline, message):
    with pytest.raises(ta.Error, match=message):
        ta.Module(TEXT).run(pipeline)


def test_a_pass_that_fails_without_a_word_is_named():
    folds = """func.func @f(%x: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %0 = arith.addi %c0, %x : i32
      return %0 : i32
    }"""
    with pytest.raises(ta.Error, match="'canonicalize' failed and did not say"):
        ta.Module(folds).run("builtin.module(func.func(canonicalize{"
                             "max-iterations=1 test-convergence}))")


def test_a_failing_pass_raises_and_leaves_the_module():
    mod = ta.Module(TEXT)
    before = str(mod)
    with pytest.raises(ta.Error) as e:
        mod.run("transform-interpreter{entry-point=absent}")
    assert "absent" in str(e.value)
    assert str(mod) == before


REMARK = """
module attributes {transform.with_named_sequence} {
  func.func @main(%x: i32) -> i32 { return %x : i32 }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.debug.emit_remark_at %m, "seen" : !transform.any_op
    transform.yield
  }
}
"""


def test_remarks_are_collected():
    mod = ta.Module(REMARK)
    assert mod.diagnostics == []
    result = mod.run("transform-interpreter")
    (remark,) = result.diagnostics
    assert (remark.severity, remark.message) == ("remark", "seen")
    assert remark.location == "<text>:2:1"
    assert str(remark) == "<text>:2:1: remark: seen"
    assert repr(remark) == "<Diagnostic <text>:2:1: remark: seen>"
    assert mod.diagnostics == []


def test_nothing_reaches_standard_error(capfd):
    with pytest.raises(ta.Error):
        ta.Module("func.func @f() { return %a : f32 }")
    with pytest.raises(ta.Error):
        ta.Module(TEXT).run("nope")
    ta.Module(REMARK).run("transform-interpreter")
    captured = capfd.readouterr()
    assert captured.err == "" and captured.out == ""


def test_threads():
    """Modules of one session, and sessions of their own, in many threads."""
    shared = ta.Module(TEXT)
    expected = str(shared.run("linalg-generalize-named-ops"))

    def work(own):
        return [
            str((ta.Module(TEXT) if own else shared).run("linalg-generalize-named-ops"))
            for _ in range(8)
        ]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, [True, False] * 4))
    assert results == [[expected] * 8] * 8


def test_a_module_outlives_what_it_was_made_from():
    result = ta.Module(TEXT).run("canonicalize")
    assert "linalg.transpose" in str(result)


def test_importing_does_not_import_numpy():
    code = (
        "import sys, tensoraccess as ta; ta.Module('module {}').run('cse'); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_public_names_exist_and_are_typed():
    for name in ta.__all__:
        assert getattr(ta, name).__doc__
    package = pathlib.Path(ta.__file__).parent
    assert (package / "py.typed").exists()
    stub = (package / "_native.pyi").read_text(encoding="utf-8")
    for name in ("class IndexingMap", "class Layout", "class Error(ValueError)"):
        assert name in stub


def test_sizes_of_dynamic_shapes():
    """Equal sizes are one parameter, and `sizes` says which dimensions it is."""
    module = ta.Module("""
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = arith.addf %x, %y : tensor<?xf32>
  %c = tensor.concat dim(0) %s, %y
         : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}""")
    whole = module.function_indexing("main")
    assert whole.sizes == [
        "operand 0 dim 0 = n0",
        "operand 1 dim 0 = n0",
        "result 0 dim 0 = n0 * 2",
    ]
    assert [op.sizes for op in module.indexing()["main"]][0] == [
        "operand 0 dim 0 = n0",
        "operand 1 dim 0 = n0",
        "result 0 dim 0 = n0",
    ]


EXP = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.exp %x : tensor<3xf32>
  return %y : tensor<3xf32>
}"""


@pytest.mark.parametrize(
    "pipeline, text",
    [
        ("raise", "'raise' does not refer to a registered pass or pass pipeline; did you mean "
         "'tensoraccess-raise'?\n  raise\n  ^"),
        ("cse,tensoraccess-rais", "'tensoraccess-rais' does not refer to a registered pass or "
         "pass pipeline; did you mean 'tensoraccess-raise'?\n  cse,tensoraccess-rais\n      ^"),
        ("tensoraccess-discover", "'tensoraccess-discover' does not refer to a registered pass or "
         "pass pipeline; did you mean 'tensoraccess-discover-im2col'?\n"),
        ("func.func(canonicalise)", "'canonicalise' does not refer to a registered pass or pass "
         "pipeline; did you mean 'canonicalize'?\n  func.func(canonicalise)\n            ^"),
        ("no-such-thing-at-all", "'no-such-thing-at-all' does not refer to a registered pass or "
         "pass pipeline\n"),
        ("canonicalize{nope=1}", "'canonicalize' has no option 'nope'; its options are '"),
        ("canonicalize{max-iteration=1}", "'canonicalize' has no option 'max-iteration'; did you "
         "mean 'max-iterations'? its options are '"),
        ("tensoraccess-raise,cse{a={b=1} c=2}", "'cse' has no option 'a'; it has none\n"),
        ("tensoraccess-cpu{check=true}", "'tensoraccess-cpu' has no option 'check'; did you mean "
         "'checks'? its options are '"),
        ("tensoraccess-annotate-indexing{direction=input-to-outputs}", "option 'direction' of "
         "'tensoraccess-annotate-indexing' has no value 'input-to-outputs'; did you mean "
         "'input-to-output'? its values are 'output-to-input', 'input-to-output', 'both'\n"),
        ("func.func(tensoraccess-tile{fuse=never sizes=2})", "option 'fuse' of 'tensoraccess-tile' "
         "has no value 'never'; its values are 'footprint', 'all', 'none'\n"),
    ],
)  # fmt: skip
def test_pipelines(pipeline, text):
    with pytest.raises(ta.Error) as caught:
        ta.Module(EXP).run(pipeline)
    assert str(caught.value).startswith(text)


def test_pipelines_with_other_mistakes():
    """MLIR's message, where every name is right."""
    with pytest.raises(ta.Error, match="max-iterations"):
        ta.Module(EXP).run("canonicalize{max-iterations=many}")
