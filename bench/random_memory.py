# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs on buffers, with what NumPy computes: its views share memory
just as those of memref do.

Buffers are allocated, or made of tensors, which keep what they had; they are stored
to, loaded, copied, filled, added, and read and written as vectors, through subviews,
transpositions and reshapes, in loops that may swap them, in branches, after a select
and in functions that are called. Numbers are i32 and wrap. What a program may not do
is not done: copies and sums of buffers that overlap, reads of what was never written.
"""
import random

import numpy as np


class Memory:
    """A memref's name and type. `root` tells the allocations apart; None where a
    choice at run time does. `at` is None for an offset that is not known."""

    def __init__(self, name, shape, strides, at, root):
        self.name, self.shape, self.strides, self.at, self.root = name, shape, strides, at, root

    @property
    def is_plain(self):
        return self.at == 0 and list(self.strides) == row_major(self.shape)

    @property
    def type(self):
        sizes = "".join(f"{n}x" for n in self.shape)
        if self.is_plain:
            return f"memref<{sizes}i32>"
        offset = "" if self.at == 0 else f", offset: {'?' if self.at is None else self.at}"
        return f"memref<{sizes}i32, strided<[{', '.join(map(str, self.strides))}]{offset}>>"


def row_major(shape):
    strides = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        strides[i - 1] = strides[i] * shape[i]
    return strides


class Program:
    def __init__(self, seed, ops):
        self.rng, self.names, self.indent, self.lines = random.Random(seed), 0, "  ", []
        #: What each line does to a dictionary of values; a loop's is a list of them.
        self.actions = []
        self.memories, self.scalars, self.indices, self.tensors = [], [], [], []
        self.callees, self.roots, self.ended = [], 0, []
        self.arguments = [("%a", (2, 3)), ("%b", (4,)), ("%c", (3, 2, 2))][: self.rng.randint(1, 3)]
        self.tensors += self.arguments
        for v in range(-2, 8):
            self.let(f"%k{v + 2}", f"arith.constant {v} : i32", np.int32(v))
            self.scalars.append(f"%k{v + 2}")
        for v in range(24):
            self.let(f"%i{v}", f"arith.constant {v} : index", v)
        for n, shape in self.arguments:
            places = ", ".join(["%i0"] * len(shape))
            kind = "tensor<" + "".join(f"{k}x" for k in shape) + "i32>"
            self.let(f"{n}0", f"tensor.extract {n}[{places}] : {kind}",
                     lambda env, n=n, zero=(0,) * len(shape): np.int32(env[n][zero]))
            self.scalars += [f"{n}0"] * 4
        known = len(self.scalars)
        self.new()
        self.new()
        made = 0
        while made < ops:
            made += self.step()
        for m in self.memories:
            if m.root is not None and not any(r.root == m.root for r in self.ended):
                self.ended.append(m)
                self.snapshot(m)
        self.results = [(n, f"tensor<{''.join(f'{k}x' for k in s)}i32>") for n, s in self.tensors]
        self.results += [(n, "i32") for n in self.scalars[known:]]

    # Text and meaning of one line.

    def let(self, name, text, value):
        self.do(f"{name} = {text}", lambda env: env.__setitem__(name, value(env) if callable(value) else value))

    def do(self, text, action):
        self.lines.append(self.indent + text)
        self.actions.append(action)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def inputs(self):
        rng = np.random.default_rng(len(self.lines))
        return [rng.integers(-9, 10, shape).astype(np.int32) for _, shape in self.arguments]

    def expected(self):
        env = dict(zip((n for n, _ in self.arguments), (x.copy() for x in self.inputs())))
        with np.errstate(over="ignore"):
            for action in self.actions:
                action(env)
        return [np.array(env[n]) for n, _ in self.results]

    def text(self):
        head = ", ".join(f"{n}: tensor<{''.join(f'{k}x' for k in s)}i32>" for n, s in self.arguments)
        names, types = (", ".join(x) for x in zip(*self.results))
        body = "\n".join(self.lines)
        return (f"func.func @main({head}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"
                + "".join(self.callees))

    # Choices.

    def pick(self, fits=lambda m: True):
        found = [m for m in self.memories if fits(m)]
        return self.rng.choice(found) if found else None

    def index(self, size):
        """The name and value, by environment, of an index below a size."""
        loops = [n for n, trips in self.indices if trips <= size]
        name = self.rng.choice(loops) if loops and self.rng.random() < 0.7 else f"%i{self.rng.randrange(size)}"
        return name, lambda env: env[name]

    def place(self, memory):
        chosen = [self.index(n) for n in memory.shape]
        return ", ".join(n for n, _ in chosen), lambda env: tuple(at(env) for _, at in chosen)

    def add(self, name, shape, strides, at, root):
        self.memories.append(Memory(name, tuple(shape), tuple(strides), at, root))
        return self.memories[-1]

    # Steps: each returns whether it was made.

    def step(self):
        return getattr(self, self.rng.choice(
            ["new", "buffer", "store", "store", "load", "copy", "view", "view", "turn", "shape", "sum", "vector",
             "call", "snapshot", "choose", "loop", "loop", "branch", "swap"]))()

    def new(self):
        shape = self.rng.choice([(2, 3), (4,), (3, 2, 2), (4, 4), ()])
        name, fill = self.name(), self.rng.choice(self.scalars)
        kind = self.rng.choice(["memref.alloc", "memref.alloc", "memref.alloca"])
        self.roots += 1
        memory = self.add(name, shape, row_major(shape), 0, self.roots)
        self.let(name, f"{kind}() : {memory.type}", lambda env: np.zeros(shape, np.int32))
        self.do(f"linalg.fill ins({fill} : i32) outs({name} : {memory.type})",
                lambda env: env[name].__setitem__(..., env[fill]))
        return True

    def buffer(self):
        tensor, shape = self.rng.choice(self.tensors)
        name = self.name()
        self.roots += 1
        memory = self.add(name, shape, row_major(shape), 0, self.roots)
        kind = "tensor<" + "".join(f"{n}x" for n in shape) + "i32>"
        self.let(name, f"bufferization.to_buffer {tensor} : {kind} to {memory.type}", lambda env: env[tensor].copy())
        return True

    def snapshot(self, memory=None):
        memory = memory or self.pick(lambda m: m.is_plain and m.root is not None)
        if not memory:
            return False
        # What is written later must not be seen in the tensor, nor the reverse.
        copy, name = self.name(), self.name()
        kind = "tensor<" + "".join(f"{n}x" for n in memory.shape) + "i32>"
        plain = Memory("", memory.shape, row_major(memory.shape), 0, None).type
        self.let(copy, f"memref.alloc() : {plain}", lambda env: np.zeros(memory.shape, np.int32))
        self.do(f"memref.copy {memory.name}, {copy} : {memory.type} to {plain}",
                lambda env: env[copy].__setitem__(..., env[memory.name]))
        self.let(name, f"bufferization.to_tensor {copy} restrict : {plain} to {kind}", lambda env: env[copy].copy())
        self.tensors.append((name, memory.shape))
        return True

    def store(self):
        memory, value = self.pick(), self.rng.choice(self.scalars)
        text, at = self.place(memory)
        self.do(f"memref.store {value}, {memory.name}[{text}] : {memory.type}",
                lambda env: env[memory.name].__setitem__(at(env), env[value]))
        return True

    def load(self):
        memory, name, total = self.pick(), self.name(), self.name()
        text, at = self.place(memory)
        self.let(name, f"memref.load {memory.name}[{text}] : {memory.type}",
                 lambda env: np.int32(env[memory.name][at(env)]))
        other = self.rng.choice(self.scalars)
        self.let(total, f"arith.addi {name}, {other} : i32", lambda env: np.int32(env[name] + env[other]))
        self.scalars.append(total)
        return True

    def copy(self):
        source, dest = self.pick(lambda m: m.root is not None), self.pick(lambda m: m.root is not None)
        if not source or not dest or source.shape != dest.shape or source.root == dest.root:
            return False
        self.do(f"memref.copy {source.name}, {dest.name} : {source.type} to {dest.type}",
                lambda env: env[dest.name].__setitem__(..., env[source.name]))
        return True

    def view(self):
        memory = self.pick(lambda m: m.shape)
        if not memory:
            return False
        offsets, sizes, steps, known = [], [], [], memory.at
        for n, stride in zip(memory.shape, memory.strides):
            size = self.rng.randint(1, n)
            step = self.rng.choice([1, 1, 2]) if (size - 1) * 2 < n else 1
            free = n - (size - 1) * step
            offset = self.index(free) if self.rng.random() < 0.4 else (str(k := self.rng.randrange(free)), lambda env, k=k: k)
            if offset[0].startswith("%"):
                known = None
            elif known is not None:
                known += int(offset[0]) * stride
            offsets.append(offset), sizes.append(size), steps.append(step)
        keep = [i for i, n in enumerate(sizes) if n != 1 or self.rng.random() < 0.5]
        strides = [s * t for s, t in zip(memory.strides, steps)]
        name = self.name()
        made = Memory(name, tuple(sizes[i] for i in keep), tuple(strides[i] for i in keep), known, memory.root)
        # A view's type always names its layout.
        kept = made.type if not made.is_plain else (
            f"memref<{''.join(f'{n}x' for n in made.shape)}i32, strided<[{', '.join(map(str, made.strides))}]>>")

        def value(env):
            starts = [at(env) for _, at in offsets]
            part = env[memory.name][tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(starts, sizes, steps))]
            return part[(*(slice(None) if i in keep else 0 for i in range(len(sizes))), ...)]

        viewed = self.name() if made.is_plain else name
        self.let(viewed, f"memref.subview {memory.name}[{', '.join(o for o, _ in offsets)}] "
                 f"[{', '.join(map(str, sizes))}] [{', '.join(map(str, steps))}] : {memory.type} to {kept}", value)
        if made.is_plain:
            self.let(name, f"memref.cast {viewed} : {kept} to {made.type}", lambda env: env[viewed])
        self.memories.append(made)
        return True

    def turn(self):
        memory = self.pick(lambda m: len(m.shape) == 2)
        if not memory:
            return False
        name = self.name()
        made = Memory(name, memory.shape[::-1], memory.strides[::-1], memory.at, memory.root)
        if made.is_plain:
            return False
        self.let(name, f"memref.transpose {memory.name} (i, j) -> (j, i) : {memory.type} to {made.type}",
                 lambda env: env[memory.name].T)
        self.memories.append(made)
        return True

    def shape(self):
        memory = self.pick(lambda m: m.is_plain and len(m.shape) > 1)
        if not memory:
            return False
        name, size = self.name(), int(np.prod(memory.shape))
        flat = self.add(name, (size,), (1,), 0, memory.root)
        groups = ", ".join(map(str, range(len(memory.shape))))
        self.let(name, f"memref.collapse_shape {memory.name} [[{groups}]] : {memory.type} into {flat.type}",
                 lambda env: env[memory.name].reshape(size))
        if self.rng.random() < 0.5:
            part = self.rng.choice([k for k in range(1, size + 1) if size % k == 0])
            wide = self.name()
            made = self.add(wide, (part, size // part), (size // part, 1), 0, memory.root)
            self.let(wide, f"memref.expand_shape {name} [[0, 1]] output_shape [{part}, {size // part}] : "
                     f"{flat.type} into {made.type}", lambda env: env[name].reshape(part, size // part))
        return True

    def sum(self):
        out = self.pick(lambda m: m.root is not None)
        x = self.pick(lambda m: out and m.shape == out.shape and (m is out or m.root not in (None, out.root)))
        y = self.pick(lambda m: out and m.shape == out.shape and (m is out or m.root not in (None, out.root)))
        if not (out and x and y):
            return False
        self.do(f"linalg.add ins({x.name}, {y.name} : {x.type}, {y.type}) outs({out.name} : {out.type})",
                lambda env: env[out.name].__setitem__(..., env[x.name] + env[y.name]))
        return True

    def vector(self):
        memory = self.pick(lambda m: m.shape and m.strides[-1] == 1)
        if not memory:
            return False
        size, name, changed = memory.shape[-1], self.name(), self.name()
        lead = [self.index(n) for n in memory.shape[:-1]]
        where = ", ".join([n for n, _ in lead] + ["%i0"])
        kind = f"vector<{size}xi32>"

        def row(env):
            return env[memory.name][tuple(at(env) for _, at in lead)]

        self.let(name, self.rng.choice([f"vector.load {memory.name}[{where}] : {memory.type}, {kind}",
                                        f"vector.transfer_read {memory.name}[{where}], %k0 {{in_bounds = [true]}} : {memory.type}, {kind}"]),
                 lambda env: row(env).copy())
        self.let(changed, f"arith.muli {name}, {name} : {kind}", lambda env: env[name] * env[name])
        self.do(self.rng.choice([f"vector.store {changed}, {memory.name}[{where}] : {memory.type}, {kind}",
                                 f"vector.transfer_write {changed}, {memory.name}[{where}] {{in_bounds = [true]}} : {kind}, {memory.type}"]),
                lambda env: row(env).__setitem__(..., env[changed]))
        return True

    def call(self):
        memory = self.pick(lambda m: m.shape)
        if not memory:
            return False
        text, at = self.place(memory)
        callee, result = f"@f{len(self.callees)}", self.name()
        rank = len(memory.shape)
        indices = ", ".join(f"%x{i}" for i in range(rank))
        zeros = ", ".join(["%z"] * rank)
        self.callees.append(
            f"func.func private {callee}(%m: {memory.type}, {', '.join(f'%x{i}: index' for i in range(rank))}) -> i32 {{\n"
            f"  %z = arith.constant 0 : index\n"
            f"  %p = memref.load %m[{indices}] : {memory.type}\n  %q = memref.load %m[{zeros}] : {memory.type}\n"
            f"  memref.store %q, %m[{indices}] : {memory.type}\n  memref.store %p, %m[{zeros}] : {memory.type}\n"
            f"  return %q : i32\n}}\n")

        def swap(env):
            array, here, zero = env[memory.name], at(env), (0,) * rank
            env[result] = np.int32(array[zero])
            array[here], array[zero] = np.int32(array[zero]), np.int32(array[here])

        self.do(f"{result} = func.call {callee}({memory.name}, {text}) : ({memory.type}, {', '.join(['index'] * rank)}) -> i32", swap)
        self.scalars.append(result)
        return True

    def choose(self):
        x = self.pick()
        y = self.pick(lambda m: m.type == x.type and m is not x)
        if not y:
            return False
        c, name, value = self.name(), self.name(), self.rng.choice(self.scalars)
        self.let(c, f"arith.cmpi sgt, {value}, %k2 : i32", lambda env: env[value] > 0)
        self.let(name, f"arith.select {c}, {x.name}, {y.name} : {x.type}", lambda env: env[x.name if env[c] else y.name])
        self.add(name, x.shape, x.strides, x.at, x.root if x.root == y.root else None)
        return True

    # Regions.

    def region(self, depth, count):
        """The actions of some steps inside of a region, and what they did."""
        saved = (self.actions, len(self.memories), len(self.scalars), len(self.tensors), self.indent)
        self.actions, self.indent = [], self.indent + "  "
        for _ in range(count):
            for _ in range(5):
                if self.inside(depth + 1):
                    break
        made = self.actions
        self.actions, memories, scalars, tensors, self.indent = saved
        del self.memories[memories:], self.scalars[scalars:], self.tensors[tensors:]
        return made

    def inside(self, depth):
        steps = ["store", "store", "load", "copy", "view", "sum", "vector", "call", "choose", "new"]
        if depth < 2:
            steps += ["loop", "branch"]
        return getattr(self, self.rng.choice(steps))()

    def loop(self):
        trips, name = self.rng.randint(0, 4), f"%l{len(self.lines)}"
        self.lines.append(f"{self.indent}scf.for {name} = %i0 to %i{trips} step %i1 {{")
        self.indices.append((name, max(trips, 1)))
        body = self.region(len(self.indices), self.rng.randint(1, 3))
        self.indices.pop()
        self.lines.append(f"{self.indent}}}")

        def run(env):
            for i in range(trips):
                env[name] = i
                for action in body:
                    action(env)

        self.actions.append(run)
        return True

    def branch(self):
        c, value = self.name(), self.rng.choice(self.scalars)
        self.let(c, f"arith.cmpi slt, {value}, %k3 : i32", lambda env: env[value] < 1)
        self.lines.append(f"{self.indent}scf.if {c} {{")
        then = self.region(2, self.rng.randint(1, 2))
        self.lines.append(f"{self.indent}}} else {{")
        other = self.region(2, 1)
        self.lines.append(f"{self.indent}}}")
        self.actions.append(lambda env: [action(env) for action in (then if env[c] else other)])
        return True

    def swap(self):
        """A loop that hands two buffers on crosswise."""
        x = self.pick()
        y = self.pick(lambda m: m.type == x.type and m is not x)
        if not y or not x.shape:
            return False
        trips, loop = self.rng.randint(0, 4), f"%l{len(self.lines)}"
        p, q, both, value = self.name(), self.name(), self.name(), self.rng.choice(self.scalars)
        text, at = self.place(x)
        self.lines.append(f"{self.indent}{both}:2 = scf.for {loop} = %i0 to %i{trips} step %i1 "
                          f"iter_args({p} = {x.name}, {q} = {y.name}) -> ({x.type}, {x.type}) {{")
        self.lines.append(f"{self.indent}  memref.store {value}, {p}[{text}] : {x.type}")
        self.lines.append(f"{self.indent}  scf.yield {q}, {p} : {x.type}, {x.type}")
        self.lines.append(f"{self.indent}}}")

        def run(env):
            a, b = env[x.name], env[y.name]
            for _ in range(trips):
                a[at(env)] = env[value]
                a, b = b, a
            env[f"{both}#0"], env[f"{both}#1"] = a, b

        self.actions.append(run)
        root = x.root if x.root == y.root else None
        self.add(f"{both}#0", x.shape, x.strides, x.at, root)
        self.add(f"{both}#1", x.shape, x.strides, x.at, root)
        return True

