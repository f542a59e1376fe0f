"""Prints a program of one of the kinds below that has about N ops.

    growing.py KIND N
"""

import random
import sys

T = "tensor<5x7xf32>"
SCALARS = ["addf", "mulf", "subf", "maximumf"]


def function(lines, result, arguments="%v0: T, %w: T"):
    body = "\n".join("  " + line for line in lines)
    arguments = arguments.replace("T", T)
    return (f"func.func @main({arguments}) -> {T} {{\n{body}\n"
            f"  return {result} : {T}\n}}")


def chain(n, op=lambda i: f"arith.{SCALARS[i % 4]} %v{i}, %w : {T}"):
    """Each reads the one before."""
    return function([f"%v{i + 1} = {op(i)}" for i in range(n)], f"%v{n}")


def stablehlo(n):
    names = ["add", "multiply", "subtract", "maximum"]
    return chain(n, lambda i: f'"stablehlo.{names[i % 4]}"(%v{i}, %w) : '
                              f"({T}, {T}) -> {T}")


def tosa(n):
    names = ["add", "sub", "maximum"]
    return chain(n, lambda i: f"tosa.{names[i % 3]} %v{i}, %w : "
                              f"({T}, {T}) -> {T}")


def shared(n):
    """Each reads two of the eight before."""
    draw = random.Random(n)
    lines = ["%v1 = arith.negf %w : " + T]
    for i in range(2, n):
        a, b = (draw.randrange(max(0, i - 8), i) for _ in "ab")
        lines.append(f"%v{i} = arith.{SCALARS[i % 4]} %v{a}, %v{b} : {T}")
    return function(lines, f"%v{n - 1}")


def tree(n):
    """A chain, all of whose values are the leaves of a tree."""
    leaves = [f"%v{i}" for i in range(n // 2)]
    lines = [f"%v{i + 1} = arith.addf %v{i}, %w : {T}"
             for i in range(n // 2 - 1)]
    while len(leaves) > 1:
        level = []
        for a, b in zip(leaves[::2], leaves[1::2]):
            level.append(f"%t{len(lines)}")
            lines.append(f"{level[-1]} = arith.mulf {a}, {b} : {T}")
        leaves = level + leaves[len(level) * 2:]
    return function(lines, leaves[0])


def fan(n):
    """One value that all read."""
    lines = [f"%x = math.exp %w : {T}"]
    lines += [f"%v{i + 1} = arith.addf %x, %v{i} : {T}" for i in range(n)]
    return function(lines, f"%v{n}")


def matmul(n):
    """Products in a row."""
    t = "tensor<5x5xf32>"
    lines = ["%z = arith.constant 0.0 : f32"]
    for i in range(n // 3):
        lines += [f"%e{i} = tensor.empty() : {t}",
                  f"%f{i} = linalg.fill ins(%z : f32) outs(%e{i} : {t}) -> {t}",
                  f"%v{i + 1} = linalg.matmul ins(%v{i}, %w : {t}, {t}) "
                  f"outs(%f{i} : {t}) -> {t}"]
    return function(lines, f"%v{n // 3}").replace(T, t)


def transposes(n):
    """x + xᵀ in a row."""
    t = "tensor<5x5xf32>"
    lines = []
    for i in range(n // 3):
        lines += [f"%e{i} = tensor.empty() : {t}",
                  f"%t{i} = linalg.transpose ins(%v{i} : {t}) "
                  f"outs(%e{i} : {t}) permutation = [1, 0]",
                  f"%v{i + 1} = arith.addf %t{i}, %v{i} : {t}"]
    return function(lines, f"%v{n // 3}").replace(T, t)


def functions(n):
    """Functions that are called once each, from one."""
    count = n // 2
    text = [f"func.func private @f{i}(%x: {T}) -> {T} {{\n"
            f"  %0 = arith.addf %x, %x : {T}\n  return %0 : {T}\n}}"
            for i in range(count)]
    text.append(function([f"%v{i + 1} = func.call @f{i}(%v{i}) : ({T}) -> {T}"
                          for i in range(count)], f"%v{count}"))
    return "\n".join(text)


def calls(n):
    """Functions each of which calls the one before."""
    count = n // 2
    text = [f"func.func private @f0(%x: {T}) -> {T} {{\n"
            f"  %0 = arith.addf %x, %x : {T}\n  return %0 : {T}\n}}"]
    text += [f"func.func private @f{i}(%x: {T}) -> {T} {{\n"
             f"  %0 = func.call @f{i - 1}(%x) : ({T}) -> {T}\n"
             f"  %1 = arith.mulf %0, %x : {T}\n  return %1 : {T}\n}}"
             for i in range(1, count)]
    text.append(function([f"%r = func.call @f{count - 1}(%v0) : ({T}) -> {T}"],
                         "%r"))
    return "\n".join(text)


if __name__ == "__main__":
    print(globals()[sys.argv[1]](int(sys.argv[2])))
