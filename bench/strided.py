# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strided layouts beside pycute: thousand operations a second of each, in turns in
one process on one core, on the same pairs of layouts, whose results are equal. Where
pycute (of NVIDIA's package nvidia-cutlass) refuses a pair or answers another one than
the definition gives, the pair is counted instead. `bench/run --strided` runs it."""
import random
import time

import tensoraccess as ta

try:
    import pycute
except ImportError:
    pycute = None

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


def main():
    rng = random.Random(0)
    texts = [(random_layout(rng), random_layout(rng)) for _ in range(PAIRS)]
    ours = [tuple(ta.StridedLayout(*x) for x in pair) for pair in texts]
    theirs = [tuple(pycute.Layout(*x) for x in pair) for pair in texts] if pycute else []
    print(f"thousand a second      ours  pycute   ratio  pairs; refused: ours, pycute; "
          f"pycute differs")
    for name, (own, other) in OPERATIONS.items():
        equal, refused, refused_there, differs = [], 0, 0, 0
        for i, (a, b) in enumerate(ours):
            made = attempt(own, a, b)
            there = attempt(other, *theirs[i]) if pycute else made
            refused += made is None
            refused_there += there is None
            if made is None or there is None:
                continue
            if pycute and made.numbers() != numbers(there):
                differs += 1
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
        peer = f"{rate[1]:8.1f}{rate[0] / rate[1]:8.2f}" if pycute else "       -       -"
        print(f"{name:18}{rate[0]:9.1f}{peer}  {len(equal):5}  {refused:8}{refused_there:8}"
              f"{differs:8}")


if __name__ == "__main__":
    main()
