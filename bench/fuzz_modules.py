# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules that are mostly valid: our dialect, linalg, tensor, TOSA,
StableHLO in generic form, scf, memref, calls, nested modules, encodings and ops
that are unknown; sizes known and unknown, 0 and 1 among them.

A module is text. A step picks an op, takes operands of the types it needs from
the values there are, or makes them, and appends its lines (module_values.py).
"""
import random

from module_access import Access
from module_control import Control, Other
from module_hlo import StableHlo
from module_linalg import Linalg, Tensor
from module_values import Function, scalar, show, tensor


class Module:
    # Families of steps, the usual ones more often.
    FAMILIES = (Access, Access, Linalg, Tensor, StableHlo, StableHlo, Control, Other)

    def __init__(self, rng):
        self.rng = rng
        self.callable, self.globals, self.functions = [], [], 0

    def function(self, steps):
        f = Function(self.rng, self)
        for _ in range(steps):
            f.step()
        results = self.rng.sample(f.values, min(len(f.values), self.rng.randint(0, 2)))
        results += f.values[-1:] if not results else []
        if results and self.rng.random() < 0.1:
            # Two ways to the end, which takes one of two values.
            (value, kind), t = results[0], show(results[0][1])
            others = [name for name, other in f.values if other == kind]
            condition = f.some(scalar("i1"))
            f.line(f"cf.cond_br {condition}, ^end({value} : {t}), ^other")
            f.lines.append("^other:")
            f.line(f"cf.br ^end({self.rng.choice(others)} : {t})")
            f.lines.append(f"^end(%end: {t}):")
            results[0] = ("%end", kind)
        name = f"f{self.functions}"
        self.functions += 1
        private = self.rng.random() < 0.3
        head = ", ".join(f"{value}: {show(kind)}" for value, kind in f.arguments)
        kinds = ", ".join(show(kind) for _, kind in results)
        end = "  return" + (" " + ", ".join(value for value, _ in results) + " : " + kinds if results else "")
        self.callable.append((name, [kind for _, kind in f.arguments], [kind for _, kind in results]))
        return [f"func.func {'private ' if private else ''}@{name}({head}) -> ({kinds}) {{", *f.lines, end, "}"]

    def text(self, nested=False):
        rng, lines = self.rng, []
        if rng.random() < 0.15:
            kind = tensor((2, 3), rng.choice(("f32", "i32", "ui32")))
            self.globals.append(("state", kind))
            lines.append(f"ml_program.global private mutable @state(dense<1{'.0' if kind[2] == 'f32' else ''}> : "
                         f"{show(kind)}) : {show(kind)}")
        if rng.random() < 0.15:
            kind = tensor((None, 3), "f32")
            self.callable.append(("outside", [kind], [kind]))
            lines.append(f"func.func private @outside({show(kind)}) -> {show(kind)}")
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            lines += self.function(rng.randint(1, 12))
        if not nested and rng.random() < 0.1:
            lines += ["module @inner {", *("  " + line for line in Module(rng).text(True)), "}"]
        return lines


def make_module(seed):
    """A module's text, the same for the same seed."""
    return "\n".join(Module(random.Random(seed)).text()) + "\n"
