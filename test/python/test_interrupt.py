# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C ends every call that takes long, at once, and breaks nothing.

Each kind of call would take long. A thread sends the signal after 50 ms,
which it only can if the call has released the GIL; KeyboardInterrupt arrives in
a fraction of a second (the bound is generous, machines are busy), and what was
worked on answers as before.
"""

import signal
import subprocess
import sys
import textwrap

import pytest

np = pytest.importorskip("numpy")

# What all scripts begin with: `interrupted` runs a call and says how long the
# exception took, after the signal.
HEAD = """
import os, signal, sys, threading, time
import numpy as np
import tensoraccess as ta

# A shell's background jobs begin with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupted(call):
    sent = []
    def send():
        time.sleep(0.05)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        call()
    except KeyboardInterrupt:
        took = time.monotonic() - sent[0]
        sender.join()
        print(f"took {took:.3f}", flush=True)
        assert took < 2, took
        return
    sys.exit("the call ended by itself")

LOOP = '''func.func @main(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  %0 = scf.for %i = %zero to %many step %one iter_args(%a = %x) -> f32 {
    %b = arith.mulf %a, %x : f32
    %c = arith.addf %b, %x : f32
    scf.yield %c : f32
  }
  return %0 : f32
}
func.func @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}'''

MATMULS = '''func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
''' + "".join(f'''
  %{i + 1} = linalg.matmul ins(%{i if i else "a"}, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>''' for i in range(12)) + '''
  return %12 : tensor<8x8xf32>
}'''

def chain(length):
    lines = ["func.func @main(%0: tensor<3x5xf32>) -> tensor<3x5xf32> {"]
    for i in range(length):
        op = ("addf", "mulf", "subf")[i % 3]
        lines.append(f"  %{i + 1} = arith.{op} %{i}, %{i // 2} : tensor<3x5xf32>")
    return "\\n".join(lines + [f"  return %{length} : tensor<3x5xf32>", "}"])

def check(module):
    assert module.compile("twice")(np.float32(3)) == 6
    assert module.interpret("twice")(np.float32(3)) == 6
"""

KINDS = {
    # Passes: nothing of the pipeline is left to run.
    "run": """
        module = ta.Module(chain(3000))
        text = str(module)
        interrupted(lambda: module.run(",".join(["canonicalize", "cse"] * 200)))
        assert str(module) == text
        assert str(module.run("canonicalize"))
    """,
    "interpret": """
        module = ta.Module(LOOP)
        interrupted(lambda: module.interpret()(np.float32(0.5)))
        check(module)
    """,
    # Code that runs cannot be stopped; it is left, and the module is free.
    "execute": """
        module = ta.Module(LOOP)
        function = module.compile()
        interrupted(lambda: function(np.float32(0.5)))
        check(module)
    """,
    # The same in a product of the interpreter, a single op.
    "kernel": """
        module = ta.Module('''func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %0 = linalg.generic {
            indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                             affine_map<(i, j, k) -> (i, j)>],
            iterator_types = ["parallel", "parallel", "reduction"]
          } ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) {
          ^bb0(%x: f32, %y: f32, %z: f32):
            %p = arith.subf %x, %y : f32
            %q = math.absf %p : f32
            %r = arith.maximumf %q, %z : f32
            linalg.yield %r : f32
          } -> tensor<?x?xf32>
          return %0 : tensor<?x?xf32>
        }''')
        function = module.interpret()
        x = np.ones((6000, 6000), np.float32)
        interrupted(lambda: function(x, x))
        np.testing.assert_array_equal(function(x[:2, :2], x[:2, :2]), x[:2, :2])
    """,
    "compile": """
        ops = "\\n".join(
            f'''  %t{i} = linalg.generic {{
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>],
            iterator_types = ["parallel", "parallel"]
          }} ins(%x{i} : tensor<{i + 3}x7xf32>) outs(%y{i} : tensor<7x{i + 3}xf32>) {{
          ^bb0(%p: f32, %q: f32):
            %e = math.exp %p : f32
            %s = arith.divf %e, %q : f32
            linalg.yield %s : f32
          }} -> tensor<7x{i + 3}xf32>'''
            for i in range(1500))
        arguments = ", ".join(
            f"%x{i}: tensor<{i + 3}x7xf32>, %y{i}: tensor<7x{i + 3}xf32>" for i in range(1500))
        types = ", ".join(f"tensor<7x{i + 3}xf32>" for i in range(1500))
        results = ", ".join(f"%t{i}" for i in range(1500))
        module = ta.Module(
            f"func.func @main({arguments}) -> ({types}) {{\\n{ops}\\n  return {results} : {types}\\n}}\\n"
            + LOOP[LOOP.index("func.func @twice"):])
        interrupted(module.compile)
        check(module)
    """,
    "saturate": """
        module = ta.Module(MATMULS).run("tensoraccess-raise")
        text = str(module)
        interrupted(lambda: [module.saturate(ta.rule_sets(), max_seconds=1000, max_nodes=10**8,
                                             max_iterations=10**6)
                             for _ in range(10**6)])
        assert str(module) == text
    """,
    "egraph": """
        module = ta.Module(MATMULS).run("tensoraccess-raise")
        interrupted(lambda: module.egraph(ta.rule_sets(), max_seconds=1000, max_nodes=10**8,
                                          max_iterations=10**6))
        assert module.egraph("access").nodes
    """,
    # Memory that is still written to lives on.
    "pack": """
        layout = ta.Layout("f32[4096,4096]{1,0:T(8,128)(2,1)}")
        buffer = layout.pack(np.ones((4096, 4096), np.float32))
        def move():
            while True:
                layout.pack(layout.unpack(buffer))
        for _ in range(3):
            interrupted(move)
        assert (layout.unpack(buffer) == 1).all()
    """,
    "picture": """
        tiled, strided = ta.Layout("f32[1024,1024]{1,0:T(8,128)}"), ta.StridedLayout("(1024,1024):(1024,1)")
        def draw():
            while True:
                tiled.svg(rows=1024, columns=1024)
                strided.svg(rows=1024, columns=1024)
        interrupted(draw)
        assert tiled.svg() and strided.svg()
    """,
    # What waits for a call that was left, which still works on the module.
    "wait": """
        module = ta.Module(chain(100000))
        interrupted(lambda: module.run("cse"))
        interrupted(lambda: [module.interpret() for _ in range(10**6)])
    """,
    # Questions to values, which any number of calls ask.
    "maps": """
        m = ta.IndexingMap("(d0, d1)[s0, s1] -> (d0 * 7 + s0 * 3, d1 * 5 + s1 floordiv 3),"
                           " domain: d0 in [0, 99], d1 in [0, 99], s0 in [0, 9], s1 in [0, 9]")
        def ask():
            while True:
                m.simplify().is_injective()
                m.count_image()
        interrupted(ask)
        assert m.simplify() == m.simplify()
    """,
}


def run(script):
    return subprocess.run(
        [sys.executable, "-c", HEAD + textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_interrupt(kind):
    result = run(KINDS[kind] + "\n        print('whole')\n        sys.exit(7)")
    assert "whole" in result.stdout, result.stdout + result.stderr
    # Ended as asked, not by what was left running.
    assert result.returncode == 7, result.stderr
    assert "leaked" not in result.stderr


def test_uncaught():
    """Python ends as by any Ctrl-C, though the code still runs."""
    result = run(
        """
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        ta.Module(LOOP).compile()(np.float32(0.5))
        """
    )
    assert result.returncode in (-signal.SIGINT, 130), result
    assert "KeyboardInterrupt" in result.stderr


def test_threads_run():
    """Other threads of Python run meanwhile, and calls from them are calls."""
    result = run(
        """
        module = ta.Module(LOOP)
        counts, sums = [0], []
        def count():
            while counts[0] < 1000:
                counts[0] += 1
                time.sleep(0)
            sums.append(float(module.interpret("twice")(np.float32(4))))
        thread = threading.Thread(target=count)
        function = module.compile()
        thread.start()
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            function(np.float32(0.5))
        except KeyboardInterrupt:
            pass
        thread.join()
        print(counts[0], sums)
        """
    )
    assert result.stdout.split() == ["1000", "[8.0]"], result


def test_handlers():
    """A handler that does not raise lets the call end by itself."""
    result = run(
        """
        got = []
        signal.signal(signal.SIGINT, lambda *_: got.append(1))
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        module = ta.Module(LOOP.replace("1000000000000", "400000000"))
        value = module.compile()(np.float32(0.5))
        print(len(got), value)
        """
    )
    assert result.stdout.split() == ["1", "1.0"], result


def test_fork():
    """After a fork there are no workers, and calls find new ones."""
    result = run(
        """
        module = ta.Module(LOOP)
        assert module.compile("twice")(np.float32(3)) == 6
        child = os.fork()
        if child == 0:
            ok = module.interpret("twice")(np.float32(5)) == 10
            os._exit(0 if ok else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert result.stdout.split() == ["0"], result
