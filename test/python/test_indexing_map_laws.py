# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Laws of IndexingMap, against evaluate over every point."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

import tensoraccess as ta


@st.composite
def forms(draw, names):
    """A form over the variables, as text."""
    terms = []
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3)):
        k = draw(st.integers(-4, 4))
        terms.append(f"({name} * {k})")
    text = " + ".join(terms) + f" + {draw(st.integers(0, 5))}"
    op = draw(st.sampled_from(["", " floordiv ", " mod ", " ceildiv "]))
    return f"({text}){op}{draw(st.integers(1, 6))}" if op else text


@st.composite
def maps(draw, dims=None, symbols=None):
    """A map with small ranges; `dims` fixes the sizes of its dims."""
    if dims is None:
        dims = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    if symbols is None:
        symbols = draw(st.lists(st.integers(1, 3), max_size=2))
    ds = [f"d{i}" for i in range(len(dims))]
    ss = [f"s{i}" for i in range(len(symbols))]
    results = draw(st.lists(forms(ds + ss), min_size=1, max_size=3))
    domain = [f"{n} in [0, {e - 1}]" for n, e in zip(ds + ss, dims + symbols)]
    for form in draw(st.lists(forms(ds + ss), max_size=2)):
        lo = draw(st.integers(-6, 6))
        domain.append(f"{form} in [{lo}, {lo + draw(st.integers(0, 8))}]")
    text = f"({', '.join(ds)})"
    text += f"[{', '.join(ss)}]" if ss else ""
    return ta.IndexingMap(f"{text} -> ({', '.join(results)}), domain: {', '.join(domain)}")


def values(variables):
    return itertools.product(*(range(v.lower, v.upper + 1) for v in variables))


def points(m):
    """{(dims, symbols): results} of every point of the domain."""
    table = {}
    for d in values(m.dims):
        for s in values(m.symbols):
            r = m.evaluate(d, s)
            if r is not None:
                table[d, s] = r
    return table


def relation(m):
    """{dims: set of results}."""
    sets = {}
    for (d, _), r in points(m).items():
        sets.setdefault(d, set()).add(tuple(r))
    return sets


@given(maps())
def test_printing_and_reading(m):
    again = ta.IndexingMap(str(m))
    assert again == m and hash(again) == hash(m)


@given(maps())
def test_simplify_keeps_the_meaning(m):
    s = m.simplify()
    assert relation(s) == relation(m)
    assert s.simplify() == s
    assert m.equivalent(s) is not False


@given(maps())
def test_is_empty_means_no_points(m):
    assert m.is_empty() is (not points(m))


@given(maps(), maps())
def test_equivalent_means_the_same_relation(m, n):
    if len(m.dims) == len(n.dims) and m.num_results == n.num_results:
        assert m.equivalent(n) is (relation(m) == relation(n))


@given(st.data())
def test_compose_is_evaluation_in_turn(data):
    m = data.draw(maps())
    sizes = [data.draw(st.integers(1, 6)) for _ in range(m.num_results)]
    n = data.draw(maps(dims=sizes))
    c = m.compose(n)
    expected = {}
    for (d, s), r in points(m).items():
        for t in values(n.symbols):
            end = n.evaluate(r, t)
            if end is not None:
                expected[d, t + s] = end
    assert points(c) == expected


@given(st.data())
def test_compose_is_associative(data):
    a = data.draw(maps(symbols=[2]))
    b = data.draw(maps(dims=[4] * a.num_results, symbols=[]))
    c = data.draw(maps(dims=[4] * b.num_results, symbols=[2]))
    assert points(a.compose(b).compose(c)) == points(a.compose(b.compose(c)))


@given(maps())
def test_identity_is_neutral(m):
    shape = [v.upper + 1 for v in m.dims]
    assert points(ta.IndexingMap.identity(shape).compose(m)) == points(m)


@given(maps())
def test_symbol_laws(m):
    assert relation(m.rescale_symbols()) == relation(m)
    assert relation(m.remove_unused_symbols()) == relation(m)
    all_dims = m.symbols_to_dims(range(len(m.symbols)))
    assert {d: r for (d, _), r in points(all_dims).items()} == {
        d + s: r for (d, s), r in points(m).items()
    }
