# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One way to look at things: `svg()`, `show()`, and what notebooks ask for."""
import inspect
import pathlib
import webbrowser

import pytest

import tensoraccess as ta

# A projection has a picture of a block only.
CLASSES = [c for _, c in inspect.getmembers(ta, inspect.isclass)
           if hasattr(c, "svg") and c is not ta.Projection]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda c: c.__name__)
def test_names(kind):
    assert hasattr(kind, "show")
    assert hasattr(kind, "_repr_svg_") or hasattr(kind, "_repr_html_")


@pytest.mark.parametrize("make", [
    lambda: ta.Layout("f32[3,5]{1,0:T(2,2)}"), lambda: ta.StridedLayout("(4,2):(2,1)"),
    lambda: ta.LinearLayout("{lane = [[1], [2]]} -> [4]"),
    lambda: ta.Module("docs/examples/conv.mlir").run("tensoraccess-raise"),
    lambda: ta.Module("docs/examples/conv.mlir").explore()], ids=range(5))
def test_show(make, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(pathlib.Path(__file__).parents[2])
    thing, opened = make(), []
    monkeypatch.setattr(webbrowser, "open", lambda uri: opened.append(uri) or True)
    thing.show()
    thing.show(tmp_path / "x")
    text = (tmp_path / "x").read_text()
    assert text == (thing.svg() if hasattr(thing, "svg") else thing.html)
    assert pathlib.Path(opened[0].removeprefix("file://")).read_text() == text
    assert opened[1].endswith("/x") and capsys.readouterr().out == ""
    monkeypatch.setattr(webbrowser, "open", lambda uri: False)
    thing.show(tmp_path / "y")
    assert f"no browser opens here; see {tmp_path / 'y'}" in capsys.readouterr().out


def test_long_functions_are_folded():
    """Also with an op that has no results."""
    type_ = "!tensoraccess.access<3 | 4xf32>"
    chain = "".join(f"  %{i + 1} = tensoraccess.compute relu %{i} : {type_} -> {type_}\n"
                    for i in range(120))
    picture = ta.Module(f"""func.func @f(%x: tensor<3x4xf32>) -> {type_} {{
  %0 = tensoraccess.access %x at 1 : tensor<3x4xf32> -> {type_}
{chain}  "foo.print"(%120) : ({type_}) -> ()
  return %120 : {type_}
}}""").svg()
    assert "120 ×" in picture and "foo.print" in picture and picture.count("<path") < 10
