# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IndexingMap: reading, printing, looking."""

import pickle

import pytest

import tensoraccess as ta

WINDOW = (
    "(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4), "
    "domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 2]"
)


def test_text_round_trips():
    m = ta.IndexingMap(WINDOW)
    assert str(m) == WINDOW
    assert repr(m) == f"IndexingMap('{WINDOW}')"
    assert eval(repr(m), {"IndexingMap": ta.IndexingMap}) == m


def test_spaces_do_not_matter_to_equality_and_hash():
    m, n = ta.IndexingMap(WINDOW), ta.IndexingMap(WINDOW.replace(" + ", "  +  "))
    assert m == n and hash(m) == hash(n) and len({m, n}) == 1
    assert m != ta.IndexingMap(WINDOW.replace("4)", "5)"))
    assert m != WINDOW and m is not None and m != None  # noqa: E711


def test_pickle():
    m = ta.IndexingMap(WINDOW)
    assert pickle.loads(pickle.dumps(m)) == m


def test_accessors():
    m = ta.IndexingMap(
        "(d0, d1)[s0]{rt0} -> (d0 + s0, min(d1, rt0)), domain: d0 in [0, 9], "
        "d1 in [0, 4], s0 in [0, 2], rt0 in [0, 3], d0 + s0 in [0, 10]"
    )
    assert [str(v) for v in m.dims] == ["d0 in [0, 9]", "d1 in [0, 4]"]
    assert [(v.name, v.lower, v.upper) for v in m.symbols] == [("s0", 0, 2)]
    assert [v.name for v in m.runtime] == ["rt0"]
    assert m.num_results == 2 and len(m.results) == 2
    assert m.results[0] == "d0 + s0"
    assert m.constraints == ["d0 + s0 in [0, 10]"]


def test_a_missing_bound_is_none():
    (d0,) = ta.IndexingMap("(d0) -> (d0)").dims
    assert d0.lower is None and d0.upper is None


def test_evaluate():
    m = ta.IndexingMap(WINDOW)
    assert m.evaluate([7, 4], [2]) == [9, 1]
    assert m.evaluate((7, 4), symbols=(2,)) == [9, 1]
    assert m.evaluate([10, 0], [0]) is None
    r = ta.IndexingMap(
        "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 6]"
    )
    assert r.evaluate([1], runtime=[5]) == [6]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (([1],), "the map has 2 dims, got values for 1"),
        (([1, 2],), "the map has 1 symbols, got values for 0"),
        (([1, 2], [0], [3]), "the map has 0 runtime variables, got values for 1"),
    ],
)
def test_evaluate_wants_a_value_for_each_variable(arguments, message):
    with pytest.raises(ta.Error, match=message):
        ta.IndexingMap(WINDOW).evaluate(*arguments)


def test_numbers_beyond_64_bits_are_refused():
    with pytest.raises(
        ta.Error, match="integer 9223372036854775808 does not fit in 64 bits"
    ):
        ta.IndexingMap(WINDOW).evaluate([2**63, 0], [0])
    with pytest.raises(ta.Error, match=r"integer -\d+ does not fit in 64 bits"):
        ta.Box([-(2**64)], [0])
    with pytest.raises(ta.Error):
        ta.IndexingMap.identity([2**63])
    with pytest.raises(ta.Error):
        ta.Layout("f32[3,5]{1,0}").delinearize(2**63)
    # What is not an integer is still the wrong type.
    with pytest.raises(TypeError):
        ta.IndexingMap(WINDOW).evaluate([1.5, 0], [0])
    with pytest.raises(ta.Error):
        ta.IndexingMap(f"(d0) -> (d0 + {2**64}), domain: d0 in [0, 2]")


def test_identity():
    m = ta.IndexingMap.identity([3, 5])
    assert str(m) == "(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 4]"
    assert m.is_identity
    assert ta.IndexingMap.identity([]).evaluate([]) == []
    assert ta.IndexingMap.identity([3, 0]).is_empty() is True
    with pytest.raises(ta.Error, match="size 1 must not be negative, got -5"):
        ta.IndexingMap.identity([3, -5])


def test_unknown_is_an_answer():
    u = ta.IndexingMap("unknown")
    assert u == ta.IndexingMap.unknown() and str(u) == "unknown"
    assert u.is_unknown and u.unknown_reason
    assert u.is_empty() is None and u.equivalent(u) is None
    assert u.results == [] and u.constraints == [] and u.dims == []
    assert u.compose(ta.IndexingMap.identity([3])).is_unknown
    with pytest.raises(ta.Error, match="an unknown map has no values"):
        u.evaluate([0])


def test_empty_is_not_unknown():
    m = ta.IndexingMap("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 8 in [45, 49]")
    assert m.is_empty() is True
    e = m.simplify()
    assert e.is_known_empty and str(e).startswith("empty ")
    assert ta.IndexingMap(str(e)) == e and e.unknown_reason is None
    assert e.evaluate([0]) is None


def test_emptiness_by_search_and_beyond_it():
    sparse = "(d0) -> (d0), domain: d0 in [0, 999], d0 * d0 in [289, 289]"
    assert ta.IndexingMap(sparse).is_empty() is False
    none = "(d0) -> (d0), domain: d0 in [0, 999], d0 * d0 in [290, 290]"
    assert ta.IndexingMap(none).is_empty() is True
    large = none.replace("999", str(10**9))
    assert ta.IndexingMap(large).is_empty() in (True, None)


def test_equivalent_compares_sets_of_results():
    up = ta.IndexingMap("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 4], s0 in [0, 2]")
    down = ta.IndexingMap(
        "(d0)[s0] -> (d0 - s0 + 2), domain: d0 in [0, 4], s0 in [0, 2]"
    )
    assert up != down and up.equivalent(down) is True
    assert up.equivalent(ta.IndexingMap(str(up).replace("2]", "1]"))) is False
    assert up.equivalent(ta.IndexingMap.identity([5, 3])) is False


def test_compose_says_which_ranks_differ():
    with pytest.raises(
        ta.Error, match="the first map has 2 results, but the next has 1 dims"
    ):
        ta.IndexingMap.identity([3, 5]).compose(ta.IndexingMap.identity([3]))


def test_compose_puts_the_symbols_of_the_next_map_first():
    m = ta.IndexingMap("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 4], s0 in [0, 2]")
    n = ta.IndexingMap("(d0)[s0] -> (d0 * 7 + s0), domain: d0 in [0, 6], s0 in [0, 1]")
    c = m.compose(n)
    assert [v.upper for v in c.symbols] == [1, 2]
    assert c.evaluate([3], [1, 2]) == n.evaluate(m.evaluate([3], [2]), [1])


def test_reshape_there_and_back_is_the_identity():
    there = ta.IndexingMap(
        "(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) floordiv 20, "
        "(d0 * 100 + d1 * 10 + d2) mod 20), "
        "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"
    )
    back = ta.IndexingMap(
        "(d0, d1) -> ((d0 * 20 + d1) floordiv 100, "
        "((d0 * 20 + d1) mod 100) floordiv 10, (d0 * 20 + d1) mod 10), "
        "domain: d0 in [0, 49], d1 in [0, 19]"
    )
    assert there.compose(back).simplify() == ta.IndexingMap.identity([10, 10, 10])


def test_symbols():
    m = ta.IndexingMap(
        "(d0)[s0, s1] -> (d0 + s0), domain: d0 in [0, 4], s0 in [3, 12], "
        "s1 in [0, 6], s0 mod 3 in [0, 0]"
    )
    fewer = m.remove_unused_symbols()
    assert [v.name for v in fewer.symbols] == ["s0"]
    (s0,) = fewer.rescale_symbols().symbols
    assert (s0.lower, s0.upper) == (0, 3)
    assert len(m.remove_unused_vars().symbols) == 1
    dims = m.symbols_to_dims([1, 0])
    assert [(v.lower, v.upper) for v in dims.dims] == [(0, 4), (0, 6), (3, 12)]
    assert dims.evaluate([1, 5, 6]) == [7]


def test_merged_symbols():
    m = ta.IndexingMap(
        "(d0)[s0, s1] -> (d0 + s0 + s1 * 2), domain: d0 in [0, 9], "
        "s0 in [0, 2], s1 in [0, 2]"
    )
    (s0,) = m.merge_symbols().symbols
    assert (s0.lower, s0.upper) == (0, 6)


@pytest.mark.parametrize(
    "symbols, message",
    [
        ([2], r"symbol 2 must be in \[0, 1\)"),
        ([-1], r"symbol -1 must be in \[0, 1\)"),
        ([0, 0], "symbol 0 is listed twice"),
    ],
)
def test_symbols_to_dims_checks_its_list(symbols, message):
    with pytest.raises(ta.Error, match=message):
        ta.IndexingMap(WINDOW).symbols_to_dims(symbols)


def test_errors_point_into_the_text():
    with pytest.raises(ta.Error) as e:
        ta.IndexingMap("(d0) -> (d0 % 3),\n domain: d0 in [0, 3]")
    message, line, caret = str(e.value).split("\n")
    assert "'%'" in message
    assert line == "  (d0) -> (d0 % 3),"
    assert line[caret.index("^")] == "%"
    assert isinstance(e.value, ValueError)


@pytest.mark.parametrize("text", ["", "(d0", "(d0) -> (d1)", "(d0) -> (0x10)"])
def test_malformed_texts_are_errors(text):
    with pytest.raises(ta.Error):
        ta.IndexingMap(text)


def test_values_are_immutable():
    with pytest.raises(AttributeError):
        ta.IndexingMap(WINDOW).dims = []
