#!/usr/bin/env python3
"""Makes stablehlo-programs.mlir: small functions of JAX and what XLA computes.

    python3 make_stablehlo_programs.py > stablehlo-programs.mlir

Needs jax (0.10.2 made the file). Each program is a module with @main, as JAX
lowers it, and @inputs and @results, which return constants: random inputs of a
fixed seed and the results of XLA on the CPU. Programs are separated by
`// -----`. StableHloTest.cpp runs them.
"""
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_platforms", "cpu")
rng = np.random.default_rng(0)


def f32(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def i32(*shape, lo=-8, hi=8):
    return rng.integers(lo, hi, shape).astype(np.int32)


def conv(a, k, strides, padding, lhs=None, rhs=None,
         numbers=("NHWC", "HWIO", "NHWC"), groups=1, batches=1):
    return lax.conv_general_dilated(
        a, k, strides, padding, lhs, rhs, numbers,
        feature_group_count=groups, batch_group_count=batches)


def pool(op, init, window, strides, padding, base=None, dilation=None):
    return lambda a: lax.reduce_window(a, init, op, window, strides, padding,
                                       base, dilation)


def pool_gradient(*args):
    """What each element adds to a sum of squared maxima."""
    return jax.grad(lambda a: (pool(lax.max, -inf, *args)(a) ** 2).sum())


nan, inf = np.nan, np.inf
special = np.array([nan, inf, -inf, 0., -0., 1., -1., 2.5, -2.5], np.float32)
grid = np.meshgrid(special, special)
edges = np.meshgrid(
    np.array([0, 1, -1, 2, -2, 7, -2**31, 2**31 - 1], np.int32),
    np.array([0, 1, -1, 3, 31, 32, -2**31, 2**31 - 1], np.int32))
x, y, image = f32(3, 5), f32(3, 5), f32(1, 7, 6, 3)


def norm(a, scale, shift):
    """Over the last dimension."""
    centred = a - a.mean(-1, keepdims=True)
    variance = (centred ** 2).mean(-1, keepdims=True)
    return centred * lax.rsqrt(variance + 1e-6) * scale + shift


def residual_network(a, k0, k1, k2, mean, variance, scale, w, b):
    """The parts of a ResNet: stem, pooling, a block, a classifier."""
    def batch_norm(v):
        return (v - mean) * (lax.rsqrt(variance ** 2 + 1e-5) * scale)

    a = jax.nn.relu(batch_norm(conv(a, k0, (2, 2), [(1, 2), (1, 2)])))
    a = lax.reduce_window(a, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1),
                          [(0, 0), (0, 1), (0, 1), (0, 0)])
    c = jax.nn.relu(batch_norm(conv(a, k1, (1, 1), "SAME")))
    a = jax.nn.relu(conv(c, k2, (1, 1), "SAME") + a)
    return a.mean((1, 2)) @ w + b


def depthwise_network(a, k0, k1, w):
    """The parts of a MobileNet."""
    a = jnp.minimum(jax.nn.relu(conv(a, k0, (2, 2), "SAME", groups=3)), 6.)
    a = jax.nn.relu(conv(a, k1, (1, 1), "SAME"))
    return a.mean((1, 2)) @ w


def encoder_layer(a, q, k, v, o, w0, b0, w1, scale, shift):
    """The parts of a transformer: attention and a perceptron."""
    h = norm(a, scale, shift)
    query, key, value = [jnp.einsum("btd,dhe->bthe", h, m) for m in (q, k, v)]
    scores = jnp.einsum("bqhe,bkhe->bhqk", query / np.float32(2), key)
    mixed = jnp.einsum("bhqk,bkhe->bqhe", jax.nn.softmax(scores), value)
    a = a + jnp.einsum("bqhe,hed->bqd", mixed, o)
    h = jax.nn.gelu(norm(a, scale, shift) @ w0 + b0)
    return a + h @ w1


def unsigned(f):
    """f on the same bits, read as unsigned."""
    def g(*args):
        out = f(*[lax.bitcast_convert_type(a, jnp.uint32) for a in args])
        return (lax.bitcast_convert_type(out, jnp.int32)
                if out.dtype == jnp.uint32 else out)
    return g


def each(names):
    return [getattr(lax, name) for name in names.split()]


programs = {
    # Elementwise.
    "unary": (lambda a: [f(a) for f in each(
        "abs sign floor ceil exp expm1 tanh cbrt sin cos tan logistic sinh "
        "cosh asinh atan neg square is_finite")], x),
    "positive": (lambda a: [f(a) for f in each(
        "log log1p sqrt rsqrt")] + [lax.pow(a, a), lax.erf(a)],
        np.abs(f32(3, 5)) + .1),
    "special": (lambda a: [f(a) for f in each(
        "abs sign floor ceil exp tanh sqrt neg is_finite")], special),
    "binary": (lambda a, b: [f(a, b) for f in each(
        "max min add sub mul div rem atan2")], x, y),
    "binary_special": (lambda a, b: [f(a, b) for f in each(
        "max min add mul eq ne lt le gt ge")], *grid),
    "integers": (lambda a, b: [f(a, b) for f in each(
        "max min add sub mul div rem bitwise_and bitwise_or bitwise_xor "
        "shift_left shift_right_logical shift_right_arithmetic lt ge")],
        *edges),
    "unsigned": (lambda a, b: [unsigned(f)(a, b) for f in each(
        "max min div rem shift_right_logical lt ge")], *edges),
    "integer_unary": (lambda a: [f(a) for f in each(
        "abs sign neg bitwise_not population_count clz")], edges[0]),
    "booleans": (lambda a, b: [f(a > 0, b > 0) for f in each(
        "max min bitwise_and bitwise_or bitwise_xor eq")] + [~(a > 0)], x, y),
    "convert": (lambda a: [lax.convert_element_type(a, t) for t in
                           ("int8", "int16", "int32", "bool", "float16")],
                np.array([nan, inf, -inf, .7, -.7, 300, -300, 1e10], "f")),
    "clamp_select": (lambda a, b: [
        lax.clamp(np.float32(-.5), a, np.float32(.5)), jnp.where(a > b, a, b),
        lax.select(a[0, 0] > 0, a, b)], x, y),
    "round": (lambda a: [lax.round(a, lax.RoundingMethod.TO_NEAREST_EVEN),
                         lax.round(a, lax.RoundingMethod.AWAY_FROM_ZERO)],
              special[3:]),
    # Movement.
    "broadcast": (lambda a: [lax.broadcast_in_dim(a, (2, 3, 4, 5), (1, 3)),
                             lax.broadcast_in_dim(a[:, :1], (2, 3, 5), (1, 2))],
                  x),
    "reshape": (lambda a: [a.reshape(5, 3), a.reshape(1, 3, 1, 5),
                           a.reshape(15), a[:1, :1].reshape(())], x),
    "transpose": (lambda a: [a.transpose(2, 0, 1), a.transpose(1, 2, 0)],
                  f32(2, 3, 4)),
    "reverse": (lambda a: [lax.rev(a, (0,)), lax.rev(a, (0, 1))], x),
    "slice": (lambda a: [a[1:3, ::2], a[2:, 1:4]], x),
    "pad": (lambda a: [lax.pad(a, np.float32(7), ((0, 0, 0), p)) for p in (
        (1, 2, 0), (-1, 2, 0), (1, -2, 1), (-2, -1, 2), (0, 0, 3))], x),
    "concatenate": (lambda a, b: [jnp.concatenate([a, b, a[:1]], 0),
                                  jnp.concatenate([a, b], 1)], x, y),
    "iota": (lambda a: [a + lax.broadcasted_iota(jnp.float32, (3, 5), 1),
                        lax.broadcasted_iota(jnp.int32, (3, 5), 0)], x),
    "dynamic_slice": (lambda a, i: [
        lax.dynamic_slice(a, (i, i + 1), (2, 3)),
        lax.dynamic_update_slice(a, a[:2, :2] * 3, (i, i + 3))], x,
        np.int32(2)),
    # Contractions.
    "dot": (lambda a, b: [a @ b.T, a[0] @ b[1], a @ b[0],
                          jnp.einsum("ij,kl->iljk", a, b)], x, y),
    "dot_batched": (lambda a, b: [jnp.einsum("bijk,jbkl->bil", a, b),
                                  jnp.einsum("bijk,jbkl->jlb", a, b)],
                    f32(2, 3, 4, 5), f32(4, 2, 5, 3)),
    "dot_widening": (lambda a, b: lax.dot_general(
        a, b, (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32),
        i32(3, 9, lo=-128, hi=127).astype(np.int8),
        i32(4, 9, lo=-128, hi=127).astype(np.int8)),
    "conv": (lambda a, k: [
        conv(a, k, (1, 1), "SAME"), conv(a, k, (2, 3), "VALID"),
        conv(a, k, (1, 2), [(2, -1), (0, 3)], None, (2, 1)),
        conv(a, k, (2, 1), [(-1, 2), (1, -1)], (2, 2), (1, 3))],
        image, f32(3, 2, 3, 4)),
    "conv_layouts": (lambda a, k: conv(a, k, (1, 2), "SAME", numbers=(
        "CWNH", "IHOW", "HNWC")), f32(3, 5, 2, 6), f32(3, 3, 4, 2)),
    "conv_groups": (lambda a, k: conv(a, k, (1, 1), "SAME", groups=3),
                    f32(1, 4, 5, 6), f32(3, 2, 2, 9)),
    "conv_depthwise": (lambda a, k: [
        conv(a, k[..., :3], (2, 1), "SAME", groups=3),
        conv(a, k, (2, 1), "SAME", groups=3)], image, f32(3, 2, 1, 6)),
    "conv_batches": (lambda a, k: conv(a, k, (1, 1), "SAME", batches=2),
                     f32(4, 3, 4, 3), f32(3, 2, 3, 4)),
    "conv_1d": (lambda a, k: conv(a, k, (2,), "SAME", numbers=(
        "NWC", "WIO", "NWC")), f32(2, 7, 3), f32(3, 3, 4)),
    "conv_gradients": (lambda a, k: jax.grad(
        lambda a, k: (conv(a, k, (2, 1), "SAME") ** 2).sum(), (0, 1))(a, k),
        image, f32(3, 2, 3, 2)),
    # Reductions.
    "reduce": (lambda a: [a.sum(0), a.sum(1), a.sum(), a.max(1), a.min(0),
                          a.prod(1), (a > 0).any(1), (a > -9).all()], x),
    "reduce_init": (lambda a: lax.reduce(a, np.float32(3), lax.add, (1,)), x),
    "reduce_variadic": (lambda a: [a.argmax(1), a.argmin()], x),
    "reduce_integers": (lambda a: [
        a.sum(1), a.max(0), lax.reduce(a, np.int32(-1), lax.bitwise_and,
                                       (0,))], i32(3, 5)),
    "mean": (lambda a: [a.mean(1), a.var(0)], x),
    "softmax": (lambda a: [jax.nn.softmax(a), jax.nn.softmax(a, 0),
                           jax.nn.log_softmax(a)], x),
    "max_pool": (lambda a: [
        pool(lax.max, -inf, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")(a),
        pool(lax.max, -inf, (1, 3, 2, 1), (1, 1, 2, 1), "VALID", None,
             (1, 2, 3, 1))(a)], image),
    "sum_pool": (lambda a: [
        pool(lax.add, 0., (1, 2, 2, 1), (1, 3, 1, 1),
             [(0, 0), (2, 1), (0, 3), (0, 0)], (1, 2, 3, 1))(a),
        pool(lax.add, 0., (1, 2, 3, 1), (1, 2, 3, 1), "VALID")(a) / 6,
        pool(lax.min, inf, (1, 7, 6, 1), (1, 1, 1, 1), "VALID")(a)], image),
    "cumulative": (lambda a: [jnp.cumsum(a, 1), lax.cummax(a, 1, reverse=True)],
                   x),
    # Indices known at run time.
    "gather": (lambda a, i: [jnp.take(a, i, axis=0), a[:, i],
                             jnp.take(a, i, axis=1, mode="clip"),
                             jnp.take_along_axis(
                                 a, jnp.stack([i % 5] * 3), 1)],
               x, i32(4, lo=-2, hi=5)),
    "scatter": (lambda a, i: [a.at[i].set(1.), a.at[:, i].add(a[:, :4]),
                              a.at[i, i].max(.3)], x, i32(4, lo=-2, hi=5)),
    "sort": (lambda a, b: [jnp.sort(a), *lax.sort((b, a), num_keys=1)],
             special, i32(9, lo=0, hi=3)),
    # Control flow.
    "loops": (lambda a: [
        lax.fori_loop(0, 5, lambda i, v: v * 1.1 + i, a),
        lax.while_loop(lambda v: v.sum() < 100, lambda v: v * 2 + 1, a)], x),
    "branches": (lambda a, i: [
        lax.cond(a[0, 0] > 0, lambda v: v + 1, lambda v: v * 2, a),
        lax.switch(i, [lambda v: v + 1, lambda v: -v], a)], x, np.int32(9)),
    # Whole networks, small.
    "residual_network": (residual_network, f32(1, 9, 9, 3), f32(3, 3, 3, 4),
                         f32(1, 1, 4, 4), f32(3, 3, 4, 4), f32(4), f32(4),
                         f32(4), f32(4, 5), f32(5)),
    "depthwise_network": (depthwise_network, image, f32(3, 3, 1, 3),
                          f32(1, 1, 3, 5), f32(5, 4)),
    "encoder_layer": (encoder_layer, f32(1, 5, 8), f32(8, 2, 4), f32(8, 2, 4),
                      f32(8, 2, 4), f32(2, 4, 8), f32(8, 12), f32(12),
                      f32(12, 8), f32(8), f32(8)),
    "random": (lambda: jax.random.uniform(jax.random.PRNGKey(3), (4, 5)),),
    # Elements that data chooses; ties, too.
    "pool_gradients": (lambda a, t: [
        pool_gradient((1, 3, 3, 1), (1, 2, 2, 1), "SAME")(a),
        pool_gradient((1, 2, 3, 1), (1, 3, 1, 1),
                      [(0, 0), (1, 2), (2, 0), (0, 0)])(t),
        pool_gradient((1, 7, 6, 1), (1, 1, 1, 1), "VALID")(t)],
        image, np.round(f32(2, 7, 6, 2))),
    "top_k": (lambda a, b, i: [
        *lax.top_k(a, 4), *lax.top_k(b, 9), *lax.top_k(i, 2),
        *lax.top_k(lax.bitcast_convert_type(i, jnp.uint32) >> 1, 3)[1:],
        *lax.top_k(b > 0, 5), *lax.top_k(a, 0), *lax.top_k(a[:, :1], 1)],
        np.round(f32(3, 7)), special, i32(2, 3, 5)),
}


def element(value):
    if value.dtype == np.bool_:
        return "true" if value else "false"
    if value.dtype.kind in "iu":
        return str(int(value))
    if not np.isfinite(value):
        width = value.dtype.itemsize
        bits = int.from_bytes(value.tobytes(), "little")
        return f"0x{bits:0{2 * width}X}"
    return f"{float(value):.9e}"


def dense(value):
    if value.ndim == 0:
        return element(value)
    return "[" + ", ".join(dense(part) for part in value) + "]"


def constants(name, values):
    """A function that returns them."""
    types, body = [], ""
    for i, value in enumerate(values):
        value = np.asarray(value)
        kind = {"b": "i1", "i": f"i{8 * value.dtype.itemsize}",
                "f": f"f{8 * value.dtype.itemsize}"}[value.dtype.kind]
        shape = "".join(f"{size}x" for size in value.shape)
        types.append(f"tensor<{shape}{kind}>")
        body += (f"    %{i} = arith.constant dense<{dense(value)}> : "
                 f"{types[-1]}\n")
    names = ", ".join(f"%{i}" for i in range(len(types)))
    joined = ", ".join(types)
    return (f"  func.func @{name}() -> ({joined}) {{\n{body}"
            f"    return{' ' + names if names else ''}"
            f"{' : ' + joined if names else ''}\n  }}\n")


def program(name, f, *inputs):
    inputs = [jnp.asarray(i) for i in inputs]
    results = jax.tree_util.tree_leaves(jax.jit(f)(*inputs))
    text = (jax.jit(f, keep_unused=True).lower(*inputs)
            .compiler_ir("stablehlo").operation
            .get_asm(print_generic_op_form=True))
    # Without what says nothing here.
    text = re.sub(r"arg_attrs = \[[{}, ]*\], ", "", text)
    text = re.sub(r"res_attrs = \[.*?\], sym_name", "sym_name", text)
    text = re.sub(r"(, )?precision_config = \[.*?\]", "", text)
    lines = text.rstrip().split("\n")
    body = "\n".join(lines[1:-1])
    return (f"module @{name} {{\n{body}\n{constants('inputs', inputs)}"
            f"{constants('results', results)}}}\n")


print("// Made by make_stablehlo_programs.py with jax", jax.__version__)
print("\n// -----\n".join(program(n, *p) for n, p in programs.items()), end="")
