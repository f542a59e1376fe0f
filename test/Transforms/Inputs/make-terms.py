# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of many terms: `sum N`, `chain N` and `calls N`."""
import sys


def make_sum(count):
    arguments = ", ".join(f"%a{i}: i32" for i in range(count))
    yield f"func.func @f({arguments}) -> i32 {{"
    for i in range(1, count):
        left = f"%{i - 1}" if i > 1 else "%a0"
        yield f"  %{i} = arith.addi {left}, %a{i} : i32"
    yield f"  return %{count - 1} : i32"
    yield "}"


def make_chain(count):
    flat, square = "tensor<24xf32>", "tensor<4x6xf32>"
    yield f"func.func @f(%a: {flat}, %b: {flat}) -> {flat} {{"
    for i in range(count):
        last = f"%{i - 1}" if i else "%a"
        yield f"  %{i} = " + (
            f"arith.addf {last}, %b : {flat}",
            f"tensor.expand_shape {last} [[0, 1]] output_shape [4, 6] : "
            f"{flat} into {square}",
            f"arith.mulf {last}, {last} : {square}",
            f"tensor.collapse_shape {last} [[0, 1]] : {square} into {flat}",
        )[i % 4]
    yield f"  return %{count - 1} : {flat}"
    yield "}"


def make_calls(count):
    yield "func.func private @g(i32)"
    yield "func.func @f(%a: i32, %b: i32) {"
    last = "%a"
    for i in range(count):
        yield f"  %s{i} = arith.addi {last}, %b : i32"
        yield f"  %d{i} = arith.divsi %s{i}, %a : i32"
        yield f"  call @g(%s{i}) : (i32) -> ()"
        yield f"  call @g(%d{i}) : (i32) -> ()"
        yield f"  %t{i} = arith.subi %s{i}, %d{i} : i32"
        yield f"  %u{i} = arith.addi %t{i}, %d{i} : i32"
        last = f"%u{i}"
    yield "  return"
    yield "}"


MAKERS = {"sum": make_sum, "chain": make_chain, "calls": make_calls}
print("\n".join(MAKERS[sys.argv[1]](int(sys.argv[2]))))
