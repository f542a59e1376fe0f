# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls as people write them, what help says of them, and what errors say."""

import inspect
import pickle
import pydoc
import re

import numpy as np
import pytest

import tensoraccess as ta
from test_displays import CLASSES, reachable

MAP = ta.IndexingMap("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 2]")
TILED = ta.Layout("f32[3,5]{1,0:T(2,2)}")
WINDOWS = ta.Projection([[1], [0]], [-1, 0], shape=[3, 5], oob=["clamp", "forbid"])
PROGRAM = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.exp %x : tensor<3xf32>
  return %y : tensor<3xf32>
}"""


def methods(kind):
    """Names and functions that a class itself defines."""
    for name, member in vars(kind).items():
        function = getattr(member, "__func__", member)
        if not name.startswith("_") and callable(function):
            yield name, function


def functions():
    for name in ta.__all__:
        value = getattr(ta, name)
        if inspect.isclass(value):
            for method, function in methods(value):
                yield f"{name}.{method}", function
        elif callable(value):
            yield name, value


FUNCTIONS = dict(functions())


# ===------------------------------------------------------------------------===#
# Help
# ===------------------------------------------------------------------------===#


def test_all_are_walked():
    assert len(FUNCTIONS) > 250 and "IndexingMap.compose" in FUNCTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help(name):
    """A signature, and documentation, which help prints."""
    function = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters
    assert function.__doc__, name
    text = pydoc.plain(pydoc.render_doc(function))
    assert all(parameter in text for parameter in parameters), text
    assert function.__doc__.split("\n")[0].strip() in text
    assert "collections.abc" not in text


def test_signatures():
    def say(function):
        return str(inspect.signature(function))

    assert say(ta.IndexingMap.compose) == "(self, next: IndexingMap) -> IndexingMap"
    assert say(MAP.compose) == "(next: IndexingMap) -> IndexingMap"
    assert say(ta.Box) == "(lo: Sequence[int], hi: Sequence[int]) -> None"
    assert say(ta.IndexingMap.identity) == "(shape: Sequence[int]) -> IndexingMap"
    assert say(ta.count_union) == "(maps: Sequence[IndexingMap]) -> int | None"
    assert inspect.signature(ta.Layout.svg).parameters["rows"].default == 24
    # Several ways to call it: each is in the documentation.
    assert "__init__(self, text: str) -> None" in ta.Projection.__init__.__doc__


def test_directions():
    """Both orders say which one they are, and that there is another one."""
    for kind in (ta.IndexingMap, ta.LinearLayout, ta.Projection, ta.DigitMap):
        assert kind.compose.__doc__.startswith("First this")
        assert "strided layout" in kind.compose.__doc__
    assert "as CuTe has it" in ta.StridedLayout.compose.__doc__
    for kind in (ta.StridedLayout, ta.Swizzle):
        assert "other way round" in kind.compose.__doc__
        assert kind.then.__doc__.startswith("First this")


def test_help_of_package():
    text = pydoc.plain(pydoc.render_doc(ta))
    assert "Strided and linear layouts:\n" in text and "JAX:\n" in text
    for name in ta.__all__:
        assert re.search(rf"\b{name}\b", ta.__doc__), name


# ===------------------------------------------------------------------------===#
# Arguments
# ===------------------------------------------------------------------------===#


@pytest.mark.parametrize(
    "values",
    [
        ([3], [1]), ((3,), (1,)), (np.array([3]), np.array([1])), (3, 1),
        (np.int64(3), np.int32(1)), (range(3, 4), range(1, 2)),
    ],
)  # fmt: skip
def test_points(values):
    assert MAP.evaluate(*values) == [4]


def test_calls():
    assert MAP(3, 1) == MAP([3], [1]) == [4] and MAP(10, 0) is None
    two = ta.IndexingMap("(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 2]")
    assert two(1, 2) == two.evaluate(1, 2) == two((1, 2)) == [2, 1]
    runtime = ta.IndexingMap("(d0)[s0]{rt0} -> (d0 + s0 * 10 + rt0 * 100), "
                             "domain: d0 in [0, 9], s0 in [0, 9], rt0 in [0, 9]")  # fmt: skip
    assert runtime(1, 2, 3) == [321]
    assert WINDOWS(4) == WINDOWS.evaluate([4])
    assert TILED.digit_map(2, 3) == TILED.digit_map.evaluate([2, 3]) == [17]
    with pytest.raises(ta.Error, match="the map has 1 dims, got values for 3"):
        MAP(1, 2, 3)


def test_items():
    assert TILED[2, 3] == TILED[(2, 3)] == TILED[np.array([2, 3])] == 17
    assert TILED.linearize(2, 3) == TILED.linearize(np.array([2, 3])) == 17
    assert ta.Layout("f32[7]{0}")[3] == 3
    with pytest.raises(TypeError):
        iter(TILED)


def test_boxes():
    box = ta.Box([0, 0], [4, 4])
    assert ta.Box((0, 0), (4, 4)) == ta.Box(np.zeros(2, int), np.full(2, 4)) == box
    block = ta.Box([0], [4])
    expected = WINDOWS.footprint(block).hull
    assert WINDOWS.footprint([0], [4]).hull == expected
    assert WINDOWS.footprint(((0,), (4,))).hull == expected
    assert WINDOWS.footprint(block=([0], [4])).hull == expected
    assert WINDOWS.halo([0], [4], ([0, 0], [4, 5]), [8, 5]).remote == 5
    assert list(TILED.runs([0, 1], [2, 5])) == list(TILED.runs(ta.Box([0, 1], [2, 5])))
    assert ta.exact_cover(([0], [8]), [([0], [4]), ([4], [8])])
    # A list is not a box, and a second list not a budget.
    with pytest.raises(TypeError, match="'block' of Projection.footprint must be a Box"):
        WINDOWS.footprint([0])


def test_lists():
    identity = ta.IndexingMap.identity([3, 5])
    assert ta.IndexingMap.identity(3, 5) == ta.IndexingMap.identity(np.array([3, 5])) == identity
    assert ta.IndexingMap.identity(15) == ta.IndexingMap.identity([15])
    assert ta.Projection(np.array([[1], [0]]), np.array([-1, 0]), shape=(3, 5)) == (
        ta.Projection([[1], [0]], [-1, 0], shape=[3, 5]))  # fmt: skip
    linear = ta.LinearLayout([[[1], [2]], [[4]]], [8])
    assert linear.apply(3, 1) == linear(3, 1) == linear([3, 1]) == [7]
    assert identity.compose("(d0, d1) -> (d1), domain: d0 in [0, 2], d1 in [0, 4]")(1, 4) == [4]


def test_constructors():
    """A class calls what Python has put before its constructor; copies still work."""

    class Own(ta.Box):
        pass

    assert isinstance(Own((0,), (4,)), ta.Box) and Own([0], [4]) == ta.Box([0], [4])
    for value in (MAP, TILED, WINDOWS, ta.Box([0], [4])):
        assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(TypeError, match="no constructor"):
        ta.LayoutWaste()


def test_domain():
    m = ta.IndexingMap("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 2], d0 mod 2 in [0, 0]")
    assert m.domain == ["d0 in [0, 9]", "s0 in [0, 2]", "d0 mod 2 in [0, 0]"]
    assert m.constraints == m.domain[2:] and ta.IndexingMap.unknown().domain == []


# ===------------------------------------------------------------------------===#
# Composition
# ===------------------------------------------------------------------------===#


def test_then():
    n = ta.IndexingMap("(d0) -> (d0 * 2), domain: d0 in [0, 20]")
    assert MAP.then(n) == MAP.compose(n)
    assert MAP.then(n)(3, 1) == n(*MAP(3, 1))
    digits = ta.DigitMap.identity([3, 5])
    assert digits.then(digits)(2, 3) == [2, 3]
    rows, twice = ta.Projection([[1], [0]], [-1, 0], shape=[3, 5]), ta.Projection(
        [[2, 0], [0, 1]], [0, 0], shape=[1, 1])  # fmt: skip
    assert rows.then(twice) == rows.compose(twice) != twice
    a = ta.LinearLayout([[[2], [1]]], [4])
    b = ta.LinearLayout([[[3], [2]]], [4])
    assert all(a.then(b)(x) == b(a(x)) for x in range(4))


def test_then_of_strided_layouts():
    a, b = ta.StridedLayout((4, 2), (2, 1)), ta.StridedLayout(8, 3)
    assert a.then(b) == b.compose(a)
    assert [a.then(b)(i) for i in range(8)] == [b(a(i)) for i in range(8)]
    swizzle = ta.Swizzle(2, 0, 2)
    square = ta.StridedLayout((4, 4), (4, 1))
    assert square.then(swizzle) == swizzle.compose(square)
    assert [swizzle.then(square)(i) for i in range(16)] == [square(swizzle(i)) for i in range(16)]
    assert a.then("8:3") == a.then(b) and a.then(8)(3) == a(3)


# ===------------------------------------------------------------------------===#
# Errors
# ===------------------------------------------------------------------------===#


class Odd:
    def __repr__(self):
        return "<odd>"


def calls():
    """A call of each native function, method and class with what it can't take."""
    examples = reachable()
    for name in ta.__all__:
        value = getattr(ta, name)
        if getattr(value, "__module__", "") == "tensoraccess._native" and isinstance(value, type):
            if "__init__" in vars(value) and value is not ta.Error:
                yield name, value
            for method, _ in methods(value):
                if value in examples:
                    yield f"{name}.{method}", getattr(examples[value], method)
        elif getattr(value, "__module__", "") == "tensoraccess" and callable(value):
            yield name, value


def test_no_raw_errors():
    count = 0
    for name, call in calls():
        if name.endswith(".show"):
            continue
        for args, kwargs in [((Odd(),), {}), ((Odd(),) * 3, {}), ((), {"odd_name": 1})]:
            try:
                call(*args, **kwargs)
            except (TypeError, ta.Error) as e:
                text = str(e)
                assert "incompatible function arguments" not in text, (name, text)
                assert "collections.abc" not in text and "object at 0x" not in text, text
                count += 1
    assert count > 400
    assert CLASSES


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: MAP.evaluate(1.5),
         "argument 'dims' of IndexingMap.evaluate must be a list of integers, got 1.5"),
        (lambda: MAP.evaluate([1], symbol=[2]),
         "IndexingMap.evaluate has no argument 'symbol'; did you mean 'symbols'? its "
         "arguments are (dims, symbols=[], runtime=[])"),
        (lambda: MAP.evaluate(),
         "IndexingMap.evaluate needs 'dims', a list of integers; its arguments are "
         "(dims, symbols=[], runtime=[])"),
        (lambda: MAP.simplify(1), "IndexingMap.simplify takes no arguments, got 1"),
        (lambda: MAP.compose(3), "argument 'next' of IndexingMap.compose must be an IndexingMap, got 3"),
        (lambda: MAP.restrict({0: (0, 3)}),
         "argument 'ranges' of IndexingMap.restrict must be a dict from texts to tuples of "
         "an integer or None, an integer or None, got {0: (0, 3)}"),
        (lambda: TILED[2.5, 3],
         "argument 'index' of Layout.linearize must be a list of integers, got (2.5, 3)"),
        (lambda: ta.Box([0, 4]), "Box needs 'hi', a list of integers; its arguments are (lo, hi)"),
        (lambda: ta.Swizzle(1, 2), "Swizzle needs 'shift', an integer; its arguments are "
         "(bits, base, shift)"),
        (lambda: WINDOWS.halo(ta.Box([0], [4])),
         "Projection.halo needs 'owned', a Box; its arguments are (block, owned, sizes)"),
        (lambda: ta.count_union([MAP, 3]), "argument 'maps' of count_union must be a list of IndexingMaps"),
        (lambda: ta.Module(PROGRAM).run(5), "argument 'pipeline' of Module.run must be text, got 5"),
        (lambda: ta.Projection(1.5), "argument 'text' of Projection must be text, got 1.5"),
    ],
)  # fmt: skip
def test_sentences(call, text):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(text)


def test_errors_of_users_pass():
    """What a function that we call raises is its own, whatever it says."""

    def cost(term):
        raise TypeError("evaluate(): incompatible function arguments.")

    with pytest.raises(TypeError, match="^evaluate"):
        ta.Module(PROGRAM).saturate(["arith"], cost=cost)


def test_casts():
    module = ta.Module(PROGRAM)
    for function in (module.compile(), module.interpret()):
        with pytest.raises(ta.Error) as caught:
            function(np.ones(3))
        assert str(caught.value) == (
            "input 0 has element type f64, expected f32; cast it: x.astype(np.float32)")  # fmt: skip


def test_module_of_functions():
    with pytest.raises(ta.Error, match=r"ta\.Module\(jax\.jit\(f\)\.lower\(x\)\), or ta\.jit\(f\)"):
        ta.Module(lambda x: x)
    with pytest.raises(ta.Error, match="path, bytes or an object with get_asm, got float"):
        ta.Module(2.5)
    jax = pytest.importorskip("jax")
    for function in (jax.jit(lambda x: x), ta.jit(lambda x: x)):
        with pytest.raises(ta.Error, match=r"write ta\.Module\(f\.lower\(x\)\)"):
            ta.Module(function)


# ===------------------------------------------------------------------------===#
# Pictures
# ===------------------------------------------------------------------------===#


def test_map_pictures():
    svg = ta.IndexingMap(
        "(d0, d1)[s0, s1] -> (d0 + s0, d1 * 2 + s1), domain: d0 in [0, 4], d1 in [0, 6], "
        "s0 in [0, 2], s1 in [0, 1]").svg()  # fmt: skip
    assert svg.startswith("<svg ")
    assert "(2, 3) is mapped to 6 indices" in svg and "down: result 0, d0 + s0" in svg
    # One point, one result; and one without dims.
    assert "(0) is mapped to (7)" in ta.IndexingMap("(d0) -> (d0 + 7), domain: d0 in [0, 0]").svg()
    assert "() is mapped to ()" in ta.IndexingMap.identity([]).svg()
    assert MAP.svg() == MAP.svg()
    for text, reason in [
        ("unknown", "an unknown map has no picture"),
        ("(d0) -> (d0), domain: d0 in [0, inf]", "d0 has no bounds"),
        ("(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 99999]", "too many values"),
        ("(d0) -> (d0), domain: d0 in [0, -1]", "no points"),
    ]:
        with pytest.raises(ta.Error, match=reason):
            ta.IndexingMap(text).svg()


def test_show(tmp_path, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    for value in (MAP, TILED, WINDOWS):
        value.show(tmp_path / "picture.svg")
        assert (tmp_path / "picture.svg").read_text() == value.svg()
