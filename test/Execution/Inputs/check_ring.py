"""Checks what mpi-dialect.mlir wrote: check_ring.py FOLDER RANKS."""
import pathlib
import struct
import sys


def load(path, kind):
    """The elements of a .npy file of version 1, in C order."""
    data = pathlib.Path(path).read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack(f"<{(len(data) - start) // 4}{kind}", data[start:])


folder, ranks = pathlib.Path(sys.argv[1]), int(sys.argv[2])
rings = [load(folder / f"ring.{r}.npy", "f") for r in range(ranks)]
sums = [load(folder / f"sum.{r}.npy", "f") for r in range(ranks)]
# Rank r has x + r; it gets that of its left neighbour.
x = rings[1]
for r in range(ranks):
    for got, base in zip(rings[r], x):
        assert abs(got - (base + (r - 1) % ranks)) < 1e-5, (r, rings)
    assert sums[r] == sums[0], sums
    for total, base in zip(sums[r], x):
        assert abs(total - (ranks * base + ranks * (ranks - 1) / 2)) < 1e-4
    color = [q for q in range(ranks) if q % 2 == r % 2]
    # The rank among those of one color, how many they are; an error was one of
    # a rank that there is not, the success was not one.
    expected = (color.index(r), len(color), 1, 0)
    assert load(folder / f"t.{r}.npy", "i") == expected, r
