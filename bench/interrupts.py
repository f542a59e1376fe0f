#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How soon Ctrl-C ends calls from Python that take long, and whether other threads
run meanwhile.

    PYTHONPATH=build/python bench/interrupts.py [REGEX] [--most SECONDS]

Each call runs in a process of its own; after 50 ms a thread sends the signal. A line
a call: milliseconds until KeyboardInterrupt (`ended` if the call was over before) and
the longest time that another thread of Python had to wait. Fails where one of them
is more than `--most`, 0.1, or a call was over.
"""
import argparse
import itertools
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import time

import numpy as np
import tensoraccess as ta

MODELS = pathlib.Path(__file__).parents[1] / "test" / "Models"


def chain(length):
    lines = ["func.func @main(%0: tensor<3x5xf32>) -> tensor<3x5xf32> {"]
    for i in range(length):
        op = ("addf", "mulf", "subf")[i % 3]
        lines.append(f"  %{i + 1} = arith.{op} %{i}, %{i // 2} : tensor<3x5xf32>")
    return "\n".join(lines + [f"  return %{length} : tensor<3x5xf32>", "}"])


def again(call):
    """For calls that are short, but of which there may be many."""
    return lambda: [call() for _ in itertools.repeat(None)]


def calls():
    text = chain(200_000)
    big = ta.Module(text)
    bytecode = big.bytecode()
    yield "Module(text)", lambda: ta.Module(text)
    yield "Module(bytecode)", lambda: ta.Module(bytecode)
    yield "str", again(lambda: str(big))
    yield "bytecode", again(big.bytecode)
    yield "functions", again(lambda: big.functions)
    yield "run", again(lambda: big.run("canonicalize,cse"))
    yield "indexing", again(big.indexing)
    yield "report", again(big.report)
    yield "zero_regions", again(big.zero_regions)
    yield "memory_accesses", again(big.memory_accesses)
    yield "explore", again(big.explore)
    yield "interpret, made", again(big.interpret)

    model = ta.Module(MODELS / "resnet50.linalg.mlir").run("inline")
    raised = model.run("tensoraccess-raise")
    yield "function_indexing", again(model.function_indexing)
    yield "fusion", again(model.fusion)
    yield "read_coalescing", again(model.read_coalescing)
    yield "access_forms", again(raised.access_forms)
    yield "compile", again(lambda: model.compile(cache=False))
    yield "saturate", again(lambda: raised.saturate(ta.rule_sets()))
    yield "egraph", again(lambda: raised.egraph(ta.rule_sets()))
    yield "check_equivalence", again(lambda: model.check_equivalence(against=raised))
    yield "Module.svg", again(raised.svg)
    yield "plan_shards", again(lambda: model.plan_shards(ranks=16))
    plan = model.plan_shards(ranks=16, max_seconds=2)
    yield "shard", again(plan.shard)
    yield "Plan.svg", again(plan.svg)
    inputs = [np.ones(t.shape, t.dtype) for t in model.interpret().inputs]
    yield "interpret", lambda: model.interpret()(*inputs)
    yield "run_sharded", lambda: plan.run(*inputs)
    with tempfile.TemporaryDirectory() as folder:
        costs = os.path.join(folder, "costs")
        yield "calibrate", lambda: ta.CostModel.calibrate(costs)

    product = ta.Module("""
    func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
        -> tensor<?x?xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
             outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }""")
    x = np.ones((3000, 3000), np.float32)
    compiled, profiled = product.compile(), product.compile(profile=True)
    yield "call", again(lambda: compiled(x, x, x))
    yield "profile", again(lambda: profiled.profile(x, x, x))

    tiled = ta.Layout("f32[4096,4096]{1,0:T(8,128)(2,1)}")
    array = np.ones((4096, 4096), np.float32)
    buffer = tiled.pack(array)
    other = ta.Layout("f32[4096,4096]{0,1:T(8,128)}")
    yield "pack", again(lambda: tiled.pack(array))
    yield "unpack", again(lambda: tiled.unpack(buffer))
    yield "relayout", again(lambda: ta.relayout(buffer, tiled, other))
    yield "linearize_all", again(tiled.linearize_all)
    yield "Layout.svg", again(lambda: tiled.svg(rows=1024, columns=1024))
    yield "Layout.to_text", again(lambda: tiled.to_text(rows=1024, columns=1024))
    strided = ta.StridedLayout("(1024,1024):(1024,1)")
    yield "StridedLayout.svg", again(lambda: strided.svg(rows=1024, columns=1024))
    yield "numbers", again(strided.numbers)

    m = ta.IndexingMap(
        "(d0, d1)[s0, s1] -> (d0 * 7 + s0 * 3, d1 * 5 + s1 floordiv 3), domain: "
        "d0 in [0, 999], d1 in [0, 999], s0 in [0, 9], s1 in [0, 9]")
    for name in ("evaluate_all", "image", "count_image", "is_injective", "inverse",
                 "simplify", "tile"):
        yield f"IndexingMap.{name}", again(getattr(m, name))
    yield "coalescing", again(lambda: m.coalescing(
        element_bytes=4, lane="d0", lanes=32, shape=[8000, 6000]))
    domain = ta.Box([0, 0], [2000, 2000])
    parts = [b for row in domain.split(0, 10) for b in row.split(1, 10)]
    yield "exact_cover", again(lambda: ta.exact_cover(domain, parts))


def probe(name, call, most):
    """Whether a call ends in time."""
    sent, ticks, stop = [], [time.monotonic()], threading.Event()

    def send():
        time.sleep(0.05)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    threads = [threading.Thread(target=target) for target in (tick, send)]
    took = None
    try:
        for thread in threads:
            thread.start()
        call()
        threads[1].join()
        time.sleep(0.05)
    except KeyboardInterrupt:
        took = time.monotonic() - sent[0]
    stop.set()
    threads[0].join()
    wait = max(after - before for before, after in zip(ticks, ticks[1:]))
    took = "ended" if took is None else took
    good = took != "ended" and max(took, wait) <= most
    shown = took if took == "ended" else f"{took * 1e3:.0f}"
    print(f"{name:24}  {shown:>5}  {wait * 1e3:6.1f}{'' if good else '  too long'}",
          flush=True)
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("regex", nargs="?", default="")
    parser.add_argument("--most", type=float, default=0.1)
    arguments = parser.parse_args()
    # A shell's background jobs begin with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(f"{'call':24}     ms  others")
    failures = 0
    for name, call in calls():
        if not re.search(arguments.regex, name):
            continue
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = int(not probe(name, call, arguments.most))
            except BaseException as e:  # Of the call itself, or after it.
                print(f"{name:24}  {e!r}", flush=True)
            os._exit(status)
        failures += os.waitpid(child, 0)[1] != 0
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
