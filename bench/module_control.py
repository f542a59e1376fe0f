# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random steps: scf, affine, memref, vector, calls and unknown ops.

Each is a function of a body (module_values.py); what it can't make it leaves."""
from module_linalg import arithmetic, computable
from module_values import LAYOUTS, scalar, show, tensor


def nested(f, opening, closing, steps):
    """Steps inside of a region, whose values end with it."""
    f.line(opening)
    values, f.depth = list(f.values), f.depth + 1
    for _ in range(steps):
        f.step()
    inner, f.values, f.depth = f.values, values, f.depth - 1
    for text in closing(inner):
        f.line(text)


def scf_if(f):
    if f.depth > 2:
        return
    condition = f.some(scalar("i1"))
    name, kind = f.any_tensor()
    result, t = f.name(), show(kind)

    def end(inner):
        same = [value for value, other in inner if other == kind]
        return [f"  scf.yield {same[-1]} : {t}", "} else {", f"  scf.yield {name} : {t}", "}"]
    nested(f, f"{result} = scf.if {condition} -> ({t}) {{", end, f.rng.randint(0, 3))
    f.values.append((result, kind))


def scf_for(f):
    if f.depth > 2:
        return
    low, high, step = f.index(0), f.index(), f.index(1)
    name, kind = f.any_tensor()
    result, t = f.name(), show(kind)
    iv, carried = f"%i{f.names}", f"%c{f.names}"
    before = list(f.values)
    f.values += [(iv, scalar("index")), (carried, kind)]

    def end(inner):
        same = [value for value, other in inner if other == kind]
        return [f"  scf.yield {same[-1]} : {t}", "}"]
    nested(f, f"{result} = scf.for {iv} = {low} to {high} step {step} iter_args({carried} = {name}) -> ({t}) {{",
           end, f.rng.randint(0, 3))
    f.values = before + [(result, kind)]


def scf_parallel(f):
    if f.depth > 2:
        return
    low, high, step = f.index(0), f.index(), f.index(1)
    before, iv = list(f.values), f"%j{f.names}"
    f.values.append((iv, scalar("index")))
    nested(f, f"scf.parallel ({iv}) = ({low}) to ({high}) step ({step}) {{", lambda inner: ["  scf.reduce", "}"],
           f.rng.randint(0, 2))
    f.values = before


def buffers(f):
    kind = ("memref", f.shape(), f.rng.choice(("f32", "i32", "i8")))
    name = f.some(kind)
    places = ", ".join([f.index() for _ in kind[1]])
    value = f.define(scalar(kind[2]), f"memref.load {name}[{places}] : {show(kind)}")
    f.line(f"memref.store {value}, {name}[{places}] : {show(kind)}")
    if f.rng.random() < 0.3:
        f.line(f"memref.copy {name}, {f.some(kind)} : {show(kind)} to {show(kind)}")


def check(f):
    condition = f.some(scalar("i1"))
    f.line(f'cf.assert {condition}, "no"' if f.rng.random() < 0.5 else
           f'tensoraccess.assert {condition}, "size {{0}}"({f.index()} : index)')


def call(f):
    callee = f.rng.choice(f.module.callable) if f.module.callable else None
    if not callee:
        return
    name, kinds, results = callee
    operands = ", ".join([f.some(kind) for kind in kinds])
    text = f"func.call @{name}({operands}) : ({', '.join(map(show, kinds))}) -> ({', '.join(map(show, results))})"
    if len(results) == 1:
        f.define(results[0], text)
    elif not results:
        f.line(text)


def scf_while(f):
    name, kind = f.any_tensor()
    condition, t = f.some(scalar("i1")), show(kind)
    result, n = f.name(), f.names
    f.line(f"{result} = scf.while (%l{n} = {name}) : ({t}) -> {t} {{")
    f.line(f"  scf.condition({condition}) %l{n} : {t}")
    f.line("} do {")
    f.line(f"^bb0(%k{n}: {t}):")
    f.line(f"  scf.yield %k{n} : {t}")
    f.line("}")
    f.values.append((result, kind))


def forall(f):
    name, kind = f.any_tensor(lambda kind: kind[1] and computable(kind))
    result, n, t = f.name(), f.names, show(kind)
    zeros, ones = ", ".join(["0"] * len(kind[1])), ", ".join(["1"] * len(kind[1]))
    part = tensor((1,) * len(kind[1]), kind[2])
    source = f.some(part)
    f.line(f"{result} = scf.forall (%q{n}) in (2) shared_outs(%r{n} = {name}) -> ({t}) {{")
    f.line("  scf.forall.in_parallel {")
    f.line(f"    tensor.parallel_insert_slice {source} into %r{n}[{zeros}] [{ones}] [{ones}] : {show(part)} into {t}")
    f.line("  }")
    f.line("}")
    f.values.append((result, kind))


def affine_loop(f):
    kind = ("memref", (f.rng.choice((1, 4, 8, None)),), "f32")
    name, n = f.some(kind), f.name()[2:]
    end = f.rng.choice((0, 1, 4))
    f.line(f"affine.for %b{n} = 0 to {end} {{")
    f.line(f"  %bl{n} = affine.load {name}[%b{n}] : {show(kind)}")
    f.line(f"  affine.store %bl{n}, {name}[%b{n}] : {show(kind)}")
    f.line("}")


def subview(f):
    kind = ("memref", (4, 8), "f32")
    name = f.some(kind)
    view = f.name()
    f.line(f"{view} = memref.subview {name}[{f.index()}, 2] [2, 3] [1, 2] : {show(kind)} to "
           "memref<2x3xf32, strided<[8, 2], offset: ?>>")
    f.line(f"memref.copy {view}, {view} : memref<2x3xf32, strided<[8, 2], offset: ?>> to "
           "memref<2x3xf32, strided<[8, 2], offset: ?>>")


def vectors(f):
    kind = ("memref", (f.rng.choice((4, 8, None)),), "f32")
    name, n = f.some(kind), f.name()[2:]
    place, value = f.index(), f.some(scalar("f32"))
    f.line(f"%vt{n} = vector.transfer_read {name}[{place}], {value} : {show(kind)}, vector<4xf32>")
    f.line(f"%vs{n} = arith.addf %vt{n}, %vt{n} : vector<4xf32>")
    f.line(f"vector.transfer_write %vs{n}, {name}[{place}] : vector<4xf32>, {show(kind)}")


Control = (scf_while, forall, affine_loop, subview, vectors, scf_if, scf_for, scf_parallel, buffers, check, call, call)


def unknown(f):
    name, kind = f.any_tensor()
    if f.rng.random() < 0.3 and f.depth < 2:
        f.define(kind, f'"some.region"({name}) ({{')
        f.line(f"^bb0(%u: {show(kind)}):")
        f.line(f'  "some.end"(%u) : ({show(kind)}) -> ()')
        f.line(f"}}) : ({show(kind)}) -> {show(kind)}")
    else:
        f.define(kind, f'"some.op"({name}) {{note = #tensoraccess.layout<{{1,0}}>}} : ({show(kind)}) -> {show(kind)}')


def arith_op(f):
    name, kind = f.any_tensor(computable)
    other = f.some(kind)
    if kind[2] == "index" or kind[2] == "i1":
        return
    f.define(kind, f"{arithmetic(f, kind[2])} {name}, {other} : {show(kind)}")


def global_load(f):
    if f.module.globals:
        name, kind = f.rng.choice(f.module.globals)
        f.define(kind, f"ml_program.global_load @{name} : {show(kind)}")


def encoded(f):
    kind = tensor(f.shape(2), "f32", f", #tensoraccess.layout<{f.rng.choice(LAYOUTS)}>")
    name = f.some(kind)
    if f.rng.random() < 0.5:
        f.define(kind, f"math.exp {name} : {show(kind)}")


Other = (unknown, arith_op, arith_op, global_load, encoded)
