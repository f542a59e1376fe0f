# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strided layouts beside pycute, and linear ones beside Triton's own, which are C++ as
ours: thousand operations a second of each, from Python, in turn in one process on one
core, on the same layouts, whose results are equal. Where a peer refuses a pair or answers
another one than the definition gives, the pair is counted instead. `bench/run --strided`
runs it."""
import random
import time

import tensoraccess as ta

try:
    import pycute
except ImportError:
    pycute = None

try:
    from triton._C.libtriton.linear_layout import LinearLayout as TritonLayout
except ImportError:
    TritonLayout = None

PAIRS, ROUNDS = 300, 5


def random_tree(rng, depth=0):
    if depth < 2 and rng.random() < 0.5:
        return tuple(random_tree(rng, depth + 1) for _ in range(rng.randint(1, 3)))
    return rng.choice([1, 2, 2, 3, 4, 4, 6, 8])


def random_layout(rng):
    """Dense in a random order, perhaps with gaps."""
    shape = random_tree(rng)
    leaves = []

    def collect(tree):
        if isinstance(tree, tuple):
            for t in tree:
                collect(t)
        else:
            leaves.append(tree)

    collect(shape)
    strides, following = [0] * len(leaves), 1
    for i in rng.sample(range(len(leaves)), len(leaves)):
        strides[i] = following
        following *= leaves[i] * rng.choice([1, 1, 1, 1, 2, 3])
    left = iter(strides)

    def fill(tree):
        return tuple(fill(t) for t in tree) if isinstance(tree, tuple) else next(left)

    return shape, fill(shape)


def numbers(layout):
    return [layout(i) for i in range(layout.size())]


OPERATIONS = {
    "composition": (lambda a, b: a.compose(b), lambda a, b: pycute.composition(a, b)),
    "complement": (lambda a, b: a.complement(100), lambda a, b: pycute.complement(a, 100)),
    "coalesce": (lambda a, b: a.coalesce(), lambda a, b: pycute.coalesce(a)),
    "right_inverse": (lambda a, b: a.right_inverse(), lambda a, b: pycute.right_inverse(a)),
    "left_inverse": (lambda a, b: a.left_inverse(), lambda a, b: pycute.left_inverse(a)),
    "logical_divide": (lambda a, b: a.logical_divide(b),
                       lambda a, b: pycute.logical_divide(a, b)),
    "logical_product": (lambda a, b: a.logical_product(b),
                        lambda a, b: pycute.logical_product(a, b)),
}


def attempt(function, *layouts):
    try:
        return function(*layouts)
    except Exception:  # Each refuses by an exception of its own.
        return None


def measure(title, operations, ours, theirs, differs):
    """A line for each operation: `ours` and `theirs` are tuples of operands, `theirs`
    empty without the peer."""
    print(f"thousand a second      ours{title:>8}   ratio  pairs; refused: ours, {title}; "
          f"{title} differs")
    for name, (own, other) in operations.items():
        equal, refused, refused_there, unlike = [], 0, 0, 0
        for i, operands in enumerate(ours):
            made = attempt(own, *operands)
            there = attempt(other, *theirs[i]) if theirs else made
            refused += made is None
            refused_there += there is None
            if made is None or there is None:
                continue
            if theirs and differs(made, there):
                unlike += 1
            else:
                equal.append(i)
        best = [float("inf"), float("inf")]
        for _ in range(ROUNDS):
            for side, pairs, function in ((0, ours, own), (1, theirs, other)):
                if not pairs or not equal:
                    continue
                begin = time.perf_counter()
                for i in equal:
                    function(*pairs[i])
                best[side] = min(best[side], (time.perf_counter() - begin) / len(equal))
        rate = [1e-3 / seconds for seconds in best]
        peer = f"{rate[1]:8.1f}{rate[0] / rate[1]:8.2f}" if theirs else "       -       -"
        print(f"{name:18}{rate[0]:9.1f}{peer}  {len(equal):5}  {refused:8}{refused_there:8}"
              f"{unlike:8}")


SIDES = {"register": 6, "lane": 5, "warp": 4}


def random_bases(rng, names, sizes):
    """Invertible: bases of all bits, summed up in a random way, by input."""
    bits = sum(names.values())
    words = [1 << i for i in range(bits)]
    for _ in range(4 * bits):
        i, j = rng.sample(range(bits), 2)
        words[i] ^= words[j]
    rng.shuffle(words)
    indices = []
    for word in words:
        index = []
        for size in sizes:
            index.append(word % size)
            word //= size
        indices.append(index)
    left = iter(indices)
    return {name: [next(left) for _ in range(count)] for name, count in names.items()}


def linear_differs(made, there):
    return ([(name, bases) for name, bases in zip(made.in_names, made.bases)]
            != [(name, [list(basis) for basis in bases]) for name, bases in there.bases])


LINEAR = {
    "invert": (lambda a, b: a.invert(), lambda a, b: a.invert()),
    "invert_and_compose": (lambda a, b: a.invert_and_compose(b),
                           lambda a, b: a.invert_and_compose(b)),
    "compose": (lambda a, b: a.compose(b.invert()), lambda a, b: a.compose(b.invert())),
    "is_surjective": (lambda a, b: a.is_surjective, lambda a, b: a.is_surjective()),
}


def main():
    rng = random.Random(0)
    texts = [(random_layout(rng), random_layout(rng)) for _ in range(PAIRS)]
    ours = [tuple(ta.StridedLayout(*x) for x in pair) for pair in texts]
    theirs = [tuple(pycute.Layout(*x) for x in pair) for pair in texts] if pycute else []
    measure("pycute", OPERATIONS, ours, theirs,
            lambda made, there: made.numbers() != numbers(there))

    # Of 15 bits: 128x256 elements in 64 registers of 32 lanes of 16 warps.
    sizes = [128, 256]
    pairs = [(random_bases(rng, SIDES, sizes), random_bases(rng, SIDES, sizes))
             for _ in range(PAIRS)]
    ours = [tuple(ta.LinearLayout(bases, sizes) for bases in pair) for pair in pairs]
    theirs = [tuple(TritonLayout.from_bases(list(bases.items()), ["dim0", "dim1"], sizes,
                                            True) for bases in pair)
              for pair in pairs] if TritonLayout else []
    print()
    measure("Triton", LINEAR, ours, theirs,
            lambda made, there: made is not there and not isinstance(made, bool)
            and linear_differs(made, there))


if __name__ == "__main__":
    main()
