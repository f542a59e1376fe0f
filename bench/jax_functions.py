# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's own functions, lowered by JAX, run by us and by XLA.

    python3 bench/jax_functions.py --limit 500 --json verdicts.json

A program is an expression of jax.numpy (jnp), lax, nn or image in x and y, an
element type, a shape, and whether it is taken as it is, differentiated or mapped:
`grad of jnp.tanh(x) at bfloat16 3x5`. Its inputs are drawn from its name; `edges`
is the shape of a vector with zeros, infinities, NaNs and the like.

What is right: integers and booleans are XLA's, or, where floats decide them, those
of JAX's operations computed in f64 and rounded. Floats are compared with the same
expression in f64 (x and y being what they are): each element may be as far from it,
in ulps of its type, as twice the error of XLA's and 2 more, or be XLA's. Where two of
XLA's errors cancel, that says little: then the error counts that JAX's operations
have if each is computed in f64 and rounded. Sums are taken in orders of their own, so
where there is one, an ulp is that of the largest number among inputs and results. XLA
is told to round every bf16, as programs say. A program that XLA itself does not end is not
included.

Exits with 1 if an element is wrong, or a program crashes or hangs. `--show NAME`
prints the StableHLO of a program, in the form that our tools read.
"""
import os
import sys
import threading
import zlib

# Before JAX is imported: no wider bf16 inside of fusions, and one thread.
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false "
                      "--xla_cpu_multi_thread_eigen=false")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np  # noqa: E402

import judging  # noqa: E402

FLOATS = ("float32", "bfloat16", "float16")
TYPES = (*FLOATS, "int8", "int32", "bool")

# ---------------------------------------------------------------------------
# The functions
# ---------------------------------------------------------------------------

UNARY = """
jnp.abs jnp.negative jnp.positive jnp.sign jnp.square jnp.sqrt jnp.cbrt
jnp.reciprocal jnp.exp jnp.exp2 jnp.expm1 jnp.log jnp.log2 jnp.log10 jnp.log1p
jnp.sin jnp.cos jnp.tan jnp.arcsin jnp.arccos jnp.arctan jnp.sinh jnp.cosh jnp.tanh
jnp.arcsinh jnp.arccosh jnp.arctanh jnp.sinc jnp.deg2rad jnp.rad2deg jnp.floor
jnp.ceil jnp.trunc jnp.rint jnp.round jnp.fix jnp.isnan jnp.isinf jnp.isfinite
jnp.isposinf jnp.isneginf jnp.signbit jnp.nan_to_num jnp.logical_not jnp.bitwise_not
jnp.bitwise_count jnp.i0 jnp.frexp jnp.modf jnp.spacing jnp.real jnp.imag jnp.conj
lax.abs lax.erf lax.erfc lax.erf_inv lax.lgamma lax.digamma lax.rsqrt lax.logistic
lax.cbrt lax.population_count lax.clz lax.bessel_i0e lax.bessel_i1e lax.not_
lax.is_finite lax.round lax.tan lax.square lax.neg lax.sign
nn.relu nn.relu6 nn.sigmoid nn.softplus nn.sparse_plus nn.soft_sign nn.silu
nn.log_sigmoid nn.leaky_relu nn.hard_sigmoid nn.hard_silu nn.hard_tanh nn.elu nn.celu
nn.selu nn.gelu nn.squareplus nn.mish nn.identity nn.sparse_sigmoid
""".split()
UNARY = [f"{name}(x)" for name in UNARY] + """
nn.gelu(x, approximate=False)|nn.elu(x, 0.5)|nn.leaky_relu(x, 0.3)|jnp.round(x, 1)
lax.integer_pow(x, 3)|lax.integer_pow(x, -2)|lax.reduce_precision(x, 5, 3)
jnp.clip(x, 1, 3)|lax.clamp(x, x + x, x)|jnp.where(x > 0, x, 2 * x)|x.astype("int8")
x.astype("float32")|x.astype("bfloat16")|x.astype("bool")|x.astype("uint8")
jnp.select([x > 1, x > 0], [x, x + x], x - x)|jnp.piecewise(x, [x < 0], [-1, 1])
x.astype("float16")|x.astype("int32")|x.astype("uint32")|lax.bitcast_convert_type(x, x.dtype)
jnp.polyval(jnp.array([1, 2, 3], x.dtype), x)|jnp.power(x, 2)|x ** 3|1 / x|2 - x|x // 2|x % 3
""".replace("\n", "|").strip("|").split("|")

BINARY = """
jnp.add jnp.subtract jnp.multiply jnp.divide jnp.floor_divide jnp.mod jnp.fmod
jnp.remainder jnp.divmod jnp.power jnp.float_power jnp.maximum jnp.minimum jnp.fmax
jnp.fmin jnp.arctan2 jnp.hypot jnp.logaddexp jnp.logaddexp2 jnp.copysign
jnp.nextafter jnp.heaviside jnp.ldexp jnp.gcd jnp.lcm jnp.equal jnp.not_equal
jnp.less jnp.less_equal jnp.greater jnp.greater_equal jnp.isclose jnp.logical_and
jnp.logical_or jnp.logical_xor jnp.bitwise_and jnp.bitwise_or jnp.bitwise_xor
jnp.left_shift jnp.right_shift lax.shift_right_logical lax.shift_left lax.pow lax.rem
lax.div lax.atan2 lax.nextafter lax.igamma lax.igammac lax.zeta lax.polygamma
lax.random_gamma_grad lax.complex
""".split()
BINARY = [f"{name}(x, y)" for name in BINARY]

#: Orders of sums are free in these.
REDUCTIONS = """
jnp.sum(x)|jnp.sum(x, 0)|jnp.sum(x, -1, keepdims=True)|jnp.prod(x)|jnp.prod(x, 0)
jnp.mean(x)|jnp.mean(x, -1)|jnp.var(x)|jnp.var(x, 0, ddof=1)|jnp.std(x, -1)
jnp.nansum(x)|jnp.nanmean(x, 0)|jnp.nanprod(x)|jnp.nanvar(x)|jnp.average(x, 0)
jnp.average(x, weights=jnp.abs(y) + 1)|jnp.linalg.norm(x)|jnp.linalg.norm(x, 1, 0)
jnp.cumsum(x)|jnp.cumsum(x, 0)|jnp.cumsum(x, -1)|jnp.cumprod(x, -1)|jnp.nancumsum(x)
lax.cumsum(x, 0, reverse=True)|lax.cumlogsumexp(x, 0)|lax.cumprod(x, 0)
lax.associative_scan(jnp.add, x)|lax.associative_scan(jnp.add, x, reverse=True)
nn.softmax(x)|nn.softmax(x, 0)|nn.log_softmax(x)|nn.logsumexp(x, 0)|nn.standardize(x)
nn.glu(jnp.concatenate([x, y], -1))|nn.logmeanexp(x)|jnp.trace(x)|jnp.trapezoid(x)
jnp.dot(x, y.T)|jnp.matmul(x, y.T)|x.T @ y|jnp.inner(x, y)|jnp.vdot(x, y)
jnp.tensordot(x, y, 1)|jnp.tensordot(x, y.T, 1)|jnp.einsum("ij,ij->i", x, y)
jnp.einsum("ij,kj->ik", x, y)|jnp.einsum("ij,ij->", x, y)|jnp.einsum("ij->j", x)
jnp.kron(x, y)|jnp.outer(x, y)|jnp.cross(x[..., :3], y[..., :3])|jnp.cov(x)
jnp.convolve(x.ravel(), y.ravel())|jnp.convolve(x.ravel(), y.ravel()[:2], "same")
jnp.correlate(x.ravel(), y.ravel()[:3], "valid")|jnp.linalg.matrix_power(x.T @ y, 2)
jnp.linalg.multi_dot([x, y.T, x])|jnp.vander(x.ravel(), 4)|jnp.gradient(x.ravel())
jnp.interp(x.ravel(), jnp.arange(5.0), jnp.arange(5.0) ** 2)|jnp.corrcoef(x)
lax.reduce_window(x, 0 * x.sum(), lax.add, (2,) * x.ndim, (1,) * x.ndim, "SAME")
nn.dot_product_attention(x[None, :, None], y[None, :, None], x[None, :, None])
lax.conv(x[None, None], y[None, None, :2, :2], (1, 1), "SAME")
lax.conv(x[None, None], y[None, None, :2, :3], (2, 1), "VALID")
lax.conv_transpose(x[None, ..., None], y[:2, :2, None, None], (2, 2), "SAME")
lax.conv_general_dilated(x[None, None], y[None, None, :2, :2], (1, 1), [(2, 1), (0, 3)], (2, 1), (1, 2))
lax.conv_general_dilated(x[None, :, None], y[:, None, None, :2], (1, 1), "SAME", feature_group_count=x.shape[0])
image.resize(x, (5, 8), "linear")|image.resize(x, (2, 3), "linear")|image.resize(x, (7, 4), "cubic")
image.resize(x, (4, 9), "lanczos3")|image.resize(x, (4, 9), "lanczos5")
image.resize(x, (2, 3), "cubic", antialias=False)
image.scale_and_translate(x, (4, 6), (0, 1), jnp.array([1.5, 0.5]), jnp.array([0.3, 1.0]), "linear")
x.at[jnp.array([0, 0])].add(y[:2])|x.at[jnp.array([1, 0, 1])].mul(2)|jnp.bincount(jnp.abs(x).astype(int).ravel(), length=4)
nn.scaled_matmul(x[None], y[None], x[None], y[None])|jnp.histogram(x, 4, (-3, 3))
lax.scan(lambda c, v: (c + v, c * v), 0 * x[0], x)|lax.map(lambda r: r * r.sum(), x)
lax.fori_loop(0, 3, lambda i, v: v * v - i, x)|jnp.apply_along_axis(jnp.cumsum, 0, x)
lax.reduce(x, 0 * x.sum().astype(x.dtype), lax.add, (0,))
""".strip().replace("\n", "|").split("|")

EXACT = """
jnp.max(x)|jnp.max(x, 0)|jnp.min(x, -1)|jnp.ptp(x, 0)|jnp.nanmax(x)|jnp.nanmin(x, 0)
jnp.any(x)|jnp.all(x, 0)|jnp.count_nonzero(x)|jnp.argmax(x)|jnp.argmin(x, 0)
jnp.argmax(x, -1)|jnp.nanargmax(x)|jnp.median(x)|jnp.median(x, 0)|jnp.sort(x)
jnp.sort(x, 0)|jnp.sort(x, descending=True)|jnp.argsort(x)|jnp.argsort(x, 0)
jnp.lexsort((x, y))|jnp.partition(x, 1)|jnp.quantile(x, 0.3)|jnp.percentile(x, 70, 0)
lax.sort((x, y), num_keys=2)|lax.top_k(x, 2)|jnp.searchsorted(jnp.sort(x.ravel()), y)
jnp.digitize(x, jnp.arange(3))|lax.cummax(x, 0)|lax.cummin(x, 0, reverse=True)
jnp.maximum.accumulate(x)|jnp.reshape(x, -1)|jnp.ravel(x, order="F")|jnp.transpose(x)
jnp.swapaxes(x, 0, -1)|jnp.moveaxis(x, 0, -1)|jnp.rollaxis(x, 1)|jnp.flip(x)
jnp.flip(x, 0)|jnp.roll(x, 2)|jnp.roll(x, -1, 0)|jnp.rot90(x)|jnp.tile(x, (2, 3))
jnp.repeat(x, 2)|jnp.repeat(x, 3, 0)|jnp.concatenate([x, y], 0)|jnp.stack([x, y], -1)
jnp.hstack([x, y])|jnp.vstack([x, y])|jnp.dstack([x, y])|jnp.column_stack([x, y])
jnp.split(x, x.shape[0])|jnp.array_split(x, 2)|jnp.append(x, y)|jnp.insert(x, 1, 2)
jnp.delete(x, 0)|jnp.squeeze(x[None])|jnp.expand_dims(x, 1)|jnp.atleast_3d(x)
jnp.broadcast_to(x, (2, *x.shape))|jnp.triu(x)|jnp.tril(x, -1)|jnp.diag(x)
jnp.diagonal(x)|jnp.diagflat(x)|jnp.fill_diagonal(x, 3, inplace=False)|jnp.tri(3) * x[0, 0]
jnp.take(x, jnp.array([0, 2, 1]))|jnp.take(x, jnp.array([1, 0]), axis=0)
jnp.take(x, jnp.array([9, -1]), mode="clip")|jnp.take(x, jnp.array([7, -9]), mode="wrap")
jnp.take(x, jnp.array([99, 0]), mode="fill", fill_value=5)|jnp.compress(jnp.array([True, False]), x, 0)
jnp.take_along_axis(x, jnp.argsort(x, 0), 0)|jnp.choose(jnp.array([0, 1]), [x[0, :2], y[0, :2]])
jnp.diff(x)|jnp.diff(x, 2, 0)|jnp.ediff1d(x)|jnp.resize(x, (3, 4))|jnp.unwrap(x)
jnp.pad(x, 1)|jnp.pad(x, 2, "edge")|jnp.pad(x, 1, "reflect")|jnp.pad(x, 2, "symmetric")
jnp.pad(x, 3, "wrap")|jnp.pad(x, 1, "mean")|jnp.pad(x, 1, "maximum")|jnp.pad(x, 2, "linear_ramp")
lax.pad(x, x.sum().astype(x.dtype), [(1, -1, 2)] * x.ndim)|lax.rev(x, (0,))|x[::2]|x[::-1]
x[..., None]|x[-1]|x[1:, :-1]|x[jnp.array([0, 1])]|x[:, jnp.array([1, 0])]|jnp.where(x > y, x, y)
x.at[0].set(7)|x.at[jnp.array([1, 9])].set(3)|x.at[:, 1].max(y[:, 0])|x.at[::2].min(0)
lax.dynamic_slice(x, (1, 9), (1, 2))|lax.dynamic_update_slice(x, y[:1, :1], (9, 1))
lax.dynamic_index_in_dim(x, -1)|lax.slice_in_dim(x, 0, 2, 2)|lax.expand_dims(x, (0,))
lax.cond(x.sum() > 0, lambda a: a, lambda a: -a, x)|lax.switch(1, [jnp.negative, jnp.abs], x)
lax.while_loop(lambda v: (v < 3).any(), lambda v: v + 1, jnp.clip(x, 0, 4))
lax.reduce_window(x, 0, lax.max, (2,) * x.ndim, (1,) * x.ndim, "SAME")
lax.reduce_window(x, 9, lax.min, (3,) * x.ndim, (2,) * x.ndim, "SAME")
lax.reduce_or(x, (0,))|lax.reduce_and(x, (0,))|lax.reduce_xor(x, (0,))|lax.broadcasted_iota(x.dtype, (3, 4), 1)
nn.one_hot(x.ravel().astype(int), 4)|image.resize(x, (5, 8), "nearest")|jnp.arange(5).astype(x.dtype) + x.ravel()[:1]
jnp.meshgrid(x[0], y[0])|jnp.ix_(x[0] > 0)|jnp.isin(x, y)|jnp.array_equal(x, y)|jnp.unravel_index(3, x.shape)
jnp.packbits(x)|jnp.unpackbits(x)|jnp.trim_zeros(x[0])|jnp.nonzero(x, size=3)|jnp.flatnonzero(x, size=2)
jnp.unique(x, size=3)|jnp.union1d(x, y, size=4)|jnp.intersect1d(x, y, size=3)|jnp.setdiff1d(x, y, size=3)
""".strip().replace("\n", "|").split("|")

#: Differentiated these have sums of windows, scatters and the like.
POOLING = """
lax.reduce_window(x, -jnp.inf, lax.max, (2,) * x.ndim, (1,) * x.ndim, "SAME")
""".strip().split("\n")

SHAPES = {"": (), "1": (1,), "7": (7,), "3x5": (3, 5), "0": (0,), "2x0": (2, 0),
          "4x1x3": (4, 1, 3)}
EDGES = {
    "f": [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -0.5, 2.0, 1e-3, -1e-3,
          1e-7, -1e-7, 10.0, -10.0, 88.0, -88.0, 1e4, -1e4, 3.0, 0.99, 1.01, np.pi],
    "i": [0, 1, -1, 2, -2, 7, -7, 127, -128, 100, 3, -3],
    "b": [False, True],
}


def list_programs():
    """The names of all programs."""
    for expression in UNARY + BINARY:
        for dtype in TYPES:
            for shape in ("3x5", "edges", "", "0"):
                yield f"{expression} at {dtype} {shape}"
            if dtype in FLOATS:
                yield f"grad of {expression} at {dtype} 7"
            yield f"vmap of {expression} at {dtype} 3x5"
    for expression in REDUCTIONS + EXACT + POOLING:
        for dtype in TYPES:
            for shape in ("3x5", "7", "1", "2x0", "4x1x3", ""):
                # Of a scalar's window XLA leaves out the initial value.
                if shape or not expression.startswith("lax.reduce_window("):
                    yield f"{expression} at {dtype} {shape}"
            if dtype in FLOATS:
                yield f"grad of {expression} at {dtype} 3x5"
            yield f"vmap of {expression} at {dtype} 4x3x5"


def draw(name, shape, dtype):
    """The inputs x and y of a program."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    kind = "b" if dtype == "bool" else "i" if dtype.startswith("int") else "f"
    if shape == "edges":
        x = np.array(EDGES[kind])
        return [x.astype(dtype), rng.permutation(x).astype(dtype)]
    shape = SHAPES.get(shape) or tuple(int(n) for n in shape.split("x") if n)
    if kind == "f":
        return [(rng.standard_normal(shape) * 2).astype(dtype) for _ in "xy"]
    high = {"b": 2, "i": 9}[kind]
    return [rng.integers(0 if kind == "b" else -9, high, shape).astype(dtype)
            for _ in "xy"]


class NoProgram(Exception):
    """JAX has no such program."""


BUSY = []  # threads that XLA has not left


def run_xla(function, seconds=25):
    """What a function returns that calls XLA, which nothing can interrupt: where it
    takes too long its thread goes on."""
    results, errors = [], []

    def run():
        try:
            results.append(function())
        except Exception as error:  # pylint: disable=broad-except
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        BUSY.append(thread)
        raise TimeoutError(f"XLA does not end in {seconds} s")
    if errors:
        raise errors[0]
    return results[0]


#: Operations that call functions of JAX, and those on the bits of floats.
CALLS = {"jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call"}
BITWISE = {"bitcast_convert_type", "nextafter"}


def round_steps(jaxpr, constants, inputs):
    """The results where each operation is computed in f64, and rounded."""
    import jax
    from jax._src.lax import special
    from jax.extend import core

    def widen(x):
        return np.float64 if judging.is_float(np.dtype(x)) else x

    values = dict(zip(jaxpr.constvars + jaxpr.invars, [*constants, *inputs]))
    for step in jaxpr.eqns:
        operands = [np.asarray(v.val if isinstance(v, core.Literal) else values[v])
                    for v in step.invars]
        name, parameters = step.primitive.name, dict(step.params)
        called = parameters.get("jaxpr") or parameters.get("call_jaxpr")
        if written := getattr(special, f"{name}_impl", None):  # of other operations
            name, called = "jit", jax.make_jaxpr(written)(*operands)
        if name in CALLS and called:
            results = round_steps(called.jaxpr, called.consts, operands)
        elif called or any("jaxpr" in key for key in parameters):
            raise NotImplementedError(name)
        else:
            if name not in BITWISE:
                operands = [x.astype(widen(x.dtype)) for x in operands]
                parameters.update((k, widen(v)) for k, v in parameters.items()
                                  if k.endswith("dtype") or k.endswith("element_type")
                                  if v is not None)
            results = step.primitive.bind(*operands, **parameters)
            if not step.primitive.multiple_results:
                results = [results]
        for variable, result in zip(step.outvars, results, strict=True):
            values[variable] = np.asarray(result).astype(variable.aval.dtype)
    return [np.asarray(v.val if isinstance(v, core.Literal) else values[v])
            for v in jaxpr.outvars]


class Program:
    """A function of JAX with its inputs."""

    def __init__(self, name):
        import jax
        import ml_dtypes
        from jax import image, lax, nn
        from jax import numpy as jnp

        whole, at = name.rsplit(" at ", 1)
        dtype, shape = at.split(" ", 1) if " " in at else (at, "")
        dtype = getattr(ml_dtypes, dtype) if dtype == "bfloat16" else dtype
        mode, _, expression = whole.rpartition(" of ")
        scope = {"jnp": jnp, "lax": lax, "nn": nn, "image": image}
        code = compile(expression, "<expression>", "eval")

        def evaluate(x, y):
            result = eval(code, scope | {"x": x, "y": y})  # pylint: disable=eval-used
            return [jnp.asarray(r) for r in jax.tree.leaves(result)]

        def total(x, y):
            return sum(jnp.sum(r) for r in evaluate(x, y)
                       if jnp.issubdtype(r.dtype, jnp.floating))

        self.jax = jax
        self.function = {"": evaluate, "vmap": jax.vmap(evaluate),
                         "grad": lambda x, y: jax.tree.leaves(
                             jax.grad(total, (0, 1))(x, y))}[mode]
        self.inputs = draw(name, shape.strip(), dtype if isinstance(dtype, str)
                           else np.dtype(dtype).name)
        self.has_sums = mode == "grad" or expression in REDUCTIONS
        try:
            self.jitted = jax.jit(self.function, keep_unused=True)
            self.lowered = self.jitted.lower(*self.inputs)
            self.expected = run_xla(
                lambda: [np.asarray(r) for r in self.jitted(*self.inputs)])
        except Exception as error:  # whatever JAX has to say against it
            raise NoProgram(f"{type(error).__name__}: {error}") from error
        if not self.expected:
            raise NoProgram("it has no results")

    def text(self):
        module = self.lowered.compiler_ir("stablehlo")
        return module.operation.get_asm(print_generic_op_form=True)

    def in_f64(self, function):
        with self.jax.enable_x64(True):
            return function()

    def scale(self, truth):
        """The largest number among the inputs and a result, where there are sums."""
        if not self.has_sums or not judging.is_float(truth.dtype):
            return None
        known = [np.abs(a.astype(np.float64)) for a in [*self.inputs, truth]]
        return max((float(a[np.isfinite(a)].max(initial=0)) for a in known),
                   default=0) or 1.0

    def rounded(self):
        """The results under the program's own roundings; None where it has
        loops or branches."""
        try:
            closed = self.jax.make_jaxpr(self.function)(*self.inputs)
            return run_xla(lambda: self.in_f64(
                lambda: round_steps(closed.jaxpr, closed.consts, self.inputs)))
        except Exception:  # pylint: disable=broad-except
            return None

    def truth(self):
        """The results in f64; None where JAX has none."""
        def widen(x, kinds):
            if judging.is_float(x.dtype):
                return x.astype(np.float64)
            return x.astype(np.int64) if x.dtype.kind in kinds else x

        # Integers decide how wide the floats are that JAX converts them to. Those
        # that wrap mean something else if they are wider.
        for kinds in ("i", ""):
            wide = [widen(x, kinds) for x in self.inputs]
            try:
                results = run_xla(lambda wide=wide: self.in_f64(
                    lambda: [np.asarray(r)
                             for r in self.jax.jit(self.function)(*wide)]))
            except Exception:  # pylint: disable=broad-except
                return None
            if all(r.shape == e.shape and is_about(e, r, self.scale(r))
                   for r, e in zip(results, self.expected, strict=True)):
                return results
        return None


def is_about(found, wide, largest):
    """Whether floats are near enough for those that are wider to be the truth of
    them: to half of the digits, of the largest number where there are sums, but for
    a few."""
    if not judging.is_float(found.dtype) or wide.dtype.kind != "f":
        return True
    digits = np.finfo(np.float32).nmant if found.dtype.itemsize > 2 else 7
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(wide), 1e-3 * np.nanmax(
            np.abs(np.where(np.isfinite(wide), wide, 0)), initial=0))
        scale = np.maximum(scale, largest or 0)
        near = np.abs(found.astype(float) - wide) <= scale * 2.0 ** -(digits // 2)
    return np.mean(near | ~np.isfinite(wide)) > 0.75 if found.size else True


def count_errors(result, truth, scale):
    """How far a result is from the truth: in its ulps, or, with a scale, in
    those of a number as large."""
    with np.errstate(all="ignore"):
        near = judging.count_ulps(result, truth.astype(result.dtype))
        if scale is None:
            return near
        import ml_dtypes

        info = ml_dtypes.finfo(result.dtype)
        distance = np.abs(result.astype(np.float64) - truth)
        scaled = distance / (float(info.eps) * scale / 2)
        return np.fmin(near, np.where(np.isnan(scaled), np.inf, scaled))


def judge(program, results):
    """The answer for the results of a run."""
    truths = program.truth()
    worst = 0.0
    if len(results) != len(program.expected):
        return {"verdict": "wrong", "why": f"{len(results)} results", "ulps": np.inf}
    for i, want in enumerate(program.expected):
        result = np.asarray(results[i])
        if result.shape != want.shape:
            return {"verdict": "wrong", "ulps": np.inf,
                    "why": f"result {i}: shape {result.shape}, not {want.shape}"}
        if result.dtype != want.dtype:
            result = result.view(want.dtype)
        if want.size == 0:
            continue
        steps = judging.count_ulps(result, want)
        fine = steps == 0
        errors = theirs = np.full(want.shape, np.nan)
        if judging.is_float(want.dtype) and truths is not None:
            truth = truths[i].astype(np.float64)
            scale = program.scale(truth)
            errors = count_errors(result, truth, scale)
            theirs = count_errors(want, truth, scale)
            fine = fine | (errors <= 2 * theirs + 2)
            if not fine.all() and (rounded := program.rounded()):
                own = count_errors(rounded[i], truth, scale)
                fine = fine | (errors <= 2 * np.fmax(theirs, own) + 2)
        elif not judging.is_float(want.dtype) and not fine.all() and (
                rounded := program.rounded()):
            fine = fine | (result == rounded[i])
            steps = np.where(steps == 0, 0, np.fmin(errors, steps))
        elif judging.is_float(want.dtype):
            fine = steps <= 2
        worst = max(worst, float(steps.max()))
        if not fine.all():
            at = tuple(map(int, np.argwhere(~fine)[0]))
            ours = [f"{a.ravel()[min(np.ravel_multi_index(at, want.shape), a.size - 1)]}"
                    if want.ndim else str(a.ravel()[:1]) for a in program.inputs if a.size]
            return {"verdict": "wrong", "ulps": worst,
                    "why": f"result {i}, {np.count_nonzero(~fine)} of {want.size} "
                           f"elements, first at {list(at)}: {result[at]}, by XLA "
                           f"{want[at]}" +
                           (f", in f64 {truths[i][at]}" if truths else "") +
                           f" (off by {errors[at]:.3g} and {theirs[at]:.3g} ulps), "
                           f"inputs there {', '.join(ours)}"}
    return {"verdict": "right", "ulps": worst}


LAST = {}  # the program that a worker has run last, for its other engines


def answer(job):
    reply = run_program(*job)
    return reply | {"spent": True} if BUSY else reply


def run_program(name, engine):
    import tensoraccess as ta

    try:
        if name not in LAST:
            LAST.clear()
            LAST[name] = Program(name)
        program = LAST[name]
        module, ours = judging.lower_for(ta.Module(program.text()), engine)
        results = judging.run_module(module, engine, program.inputs)
        return judge(program, results) | {"engaged": ours}
    except NoProgram as error:
        return {"verdict": "none", "why": str(error)}
    except ta.Error as error:
        return {"verdict": "refused", "why": str(error)}
    except Exception as error:  # pylint: disable=broad-except
        return {"verdict": "broken", "why": f"{type(error).__name__}: {error}"}


def main():
    parser = judging.make_parser(__doc__)
    parser.add_argument("--show", help="print the StableHLO of a program")
    arguments = parser.parse_args()
    if arguments.worker:
        return judging.serve(answer, lambda: answer(("jnp.abs(x) at bool 7", "jit")))
    if arguments.show:
        print(Program(arguments.show).text())
        return 0
    engines = arguments.engine or ["interpret", "jit"]
    names = judging.choose(list_programs(), arguments)
    if not names:
        parser.error("no program is left")
    keys = [(engine, name) for name in names for engine in engines]
    command = [sys.executable, os.path.abspath(__file__), "--worker"]
    replies = judging.ask_all(command, [(name, engine) for engine, name in keys],
                              arguments.jobs, arguments.timeout)
    answers, finished = judging.collect(keys, replies)
    if arguments.json:
        judging.write_json(arguments.json, answers)
    programs = [a for a in answers if a[2]["verdict"] != "none"]
    print(f"{len(names)} expressions, types and shapes; "
          f"{len(set(a[1] for a in programs))} are programs of JAX")
    return 0 if judging.report(programs, engines) and finished else 1


if __name__ == "__main__":
    sys.exit(main())
