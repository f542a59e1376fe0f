# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear algebra and random bits of JAX's programs, against JAX and by what
factorisations mean."""

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax_linalg = jax.lax.linalg

DTYPES = ["float32", "float64", "complex64", "complex128"]


def matrices(dtype, shape, seed=0, definite=False):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    if definite:
        a = a @ a.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])
    return a.astype(dtype)


def run(f, *args):
    """Results of the compiled program, which are those of the interpreter."""
    with jax.enable_x64(True):
        module = ta.Module(jax.jit(f).lower(*args))
        got = module.compile()(*args)
        other = module.interpret()(*args)
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(other)):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        if a.dtype.kind in "fc":  # exp and log are not the same functions in both
            close(a, b, 30)
        else:
            np.testing.assert_array_equal(a, b)
    return got


def close(a, b, factor=100):
    b = np.asarray(b)
    assert a.shape == b.shape and a.dtype == b.dtype
    if b.size:
        eps = np.finfo(b.dtype).eps
        np.testing.assert_allclose(a, b, rtol=0, atol=factor * eps * max(1, np.abs(b).max()))


def same(f, *args, factor=100):
    got = run(f, *args)
    with jax.enable_x64(True):
        want = jax.jit(f)(*args)
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want)):
        b = np.asarray(b)
        if b.dtype.kind in "fc":
            close(a, b, factor)
        else:
            np.testing.assert_array_equal(a, b)
    return got


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 3, 7, 7), (0, 4, 4), (0, 0), (33, 33)])
def test_factorisations(dtype, shape):
    a = matrices(dtype, shape)
    s = matrices(dtype, shape, definite=True)
    # In one program: compiling is what takes long.
    same(lambda a, s: (
        jnp.linalg.cholesky(s), jnp.linalg.cholesky(s, upper=True), lax_linalg.lu(a),
        jnp.linalg.qr(a), jnp.linalg.qr(a[..., :-1]) if shape[-1] > 1 else (),
        jnp.linalg.solve(s, a) if shape[-1] else ()), a, s)
    if shape[-1]:
        same(lambda a: (jnp.linalg.inv(a), jnp.linalg.det(a)), a + 3 * np.eye(shape[-1], dtype=dtype), factor=10000)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("way", ["N", "T", "C"])
def test_triangular_solves(dtype, left, lower, unit, way):
    a = matrices(dtype, (2, 5, 5)) + 4 * np.eye(5, dtype=dtype)
    b = matrices(dtype, (2, 5, 3) if left else (2, 3, 5), 1)
    text = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}[way]
    mlir = {"float32": "f32", "float64": "f64", "complex64": "complex<f32>",
            "complex128": "complex<f64>"}[dtype]
    ta_, tb = f"tensor<2x5x5x{mlir}>", f"tensor<{'x'.join(map(str, b.shape))}x{mlir}>"
    flags = {True: "true", False: "false"}
    module = ta.Module(f"""func.func @main(%a: {ta_}, %b: {tb}) -> {tb} {{
      %0 = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {flags[left]}, lower = {flags[lower]},
        unit_diagonal = {flags[unit]}, transpose_a = #stablehlo<transpose {text}>}}> : ({ta_}, {tb}) -> {tb}
      return %0 : {tb} }}""")
    x = module.compile()(a, b)
    np.testing.assert_array_equal(x, module.interpret()(a, b))
    t = np.tril(a) if lower else np.triu(a)
    if unit:
        t = t - t * np.eye(5) + np.eye(5)
    op = {"N": t, "T": t.swapaxes(1, 2), "C": t.conj().swapaxes(1, 2)}[way].astype(dtype)
    close(op @ x if left else x @ op, b)
    def f(a, b):
        return lax_linalg.triangular_solve(
            a, b, left_side=left, lower=lower, unit_diagonal=unit,
            transpose_a=way != "N", conjugate_a=way == "C")
    same(f, a, b)


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64", "complex<f64>"])
@pytest.mark.parametrize("lower", [False, True])
def test_cholesky(element, lower):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
             "f64": np.float64, "complex<f64>": np.complex128}[element]
    a = matrices(np.complex128 if "complex" in element else np.float64, (3, 4, 4), definite=True)
    a[1] = -a[1]
    module = ta.Module(f"""func.func @main(%a: tensor<3x4x4x{element}>) -> tensor<3x4x4x{element}> {{
      %0 = "stablehlo.cholesky"(%a) <{{lower = {str(lower).lower()}}}> : (tensor<3x4x4x{element}>) -> tensor<3x4x4x{element}>
      return %0 : tensor<3x4x4x{element}> }}""")
    got = module.compile()(a.astype(dtype))
    assert got.tobytes() == module.interpret()(a.astype(dtype)).tobytes()
    wide = got.astype(np.complex128 if "complex" in element else np.float64)
    assert np.isnan(wide[1]).all()  # not positive definite
    for i in (0, 2):
        want = np.linalg.cholesky(a[i])
        want = want if lower else want.conj().T
        np.testing.assert_allclose(wide[i], want, rtol=0, atol={"f16": 3e-3, "bf16": 3e-2}.get(element, 1e-5))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 3), (3, 5), (2, 4, 4), (0, 3), (1, 1)])
@pytest.mark.parametrize("full", [False, True])
def test_singular_values(dtype, shape, full):
    a = matrices(dtype, shape)
    if 0 in shape:
        return
    by_qr = lax_linalg.SvdAlgorithm.QR
    qr = run(lambda a: lax_linalg.svd(a, full_matrices=full, algorithm=by_qr), a)
    close(qr[1], np.linalg.svd(a, compute_uv=False))
    least = min(shape[-2:])
    close((qr[0][..., :least] * qr[1][..., None, :]) @ qr[2][..., :least, :], a)
    alone = run(
        lambda a: lax_linalg.svd(a, compute_uv=False, algorithm=by_qr), a
    )
    close(alone[0] if isinstance(alone, (tuple, list)) else alone, qr[1])
    u, s, vh = run(lambda a: jnp.linalg.svd(a, full_matrices=full), a)
    want = np.linalg.svd(a, full_matrices=full)
    assert [x.shape for x in (u, s, vh)] == [x.shape for x in want]
    close(s, want[1])
    k = min(shape[-2:])
    close((u[..., :k] * s[..., None, :]).astype(dtype) @ vh[..., :k, :], a)
    close(run(lambda a: jnp.linalg.svd(a, compute_uv=False), a), want[1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (6, 6), (2, 3, 5, 5)])
def test_eigenvalues(dtype, shape):
    a = matrices(dtype, shape)
    s = (a + a.conj().swapaxes(-1, -2)).astype(dtype)
    w, v = run(lambda a: tuple(jnp.linalg.eigh(a)), s)
    close(w, np.linalg.eigvalsh(s))
    close(s @ v, (v * w[..., None, :]).astype(dtype), 300)
    w, v = run(lambda a: tuple(jnp.linalg.eig(a)), a)
    np.testing.assert_allclose(a @ v, v * w[..., None, :], atol=1e-3 if "64" == dtype[-2:] and dtype != "float64" or dtype == "float32" else 1e-10)
    t, z = run(lambda a: jax.scipy.linalg.schur(a), a)
    close(z @ t @ z.conj().swapaxes(-1, -2), a, 300)


@pytest.mark.parametrize("dtype", DTYPES)
def test_other_factorisations(dtype):
    a = matrices(dtype, (2, 6, 6))
    h, q = run(lambda a: jax.scipy.linalg.hessenberg(a, calc_q=True), a)
    close(q @ h @ q.conj().swapaxes(-1, -2), a, 300)
    d = matrices(dtype, (3, 5), 1)
    b = matrices(dtype, (3, 5, 2), 2)
    low, up = matrices(dtype, (3, 5), 3) / 8, matrices(dtype, (3, 5), 4) / 8
    low[:, 0], up[:, -1] = 0, 0
    same(lambda *x: lax_linalg.tridiagonal_solve(*x), low, d + 4, up, b)
    same(lambda a, b: jnp.linalg.lstsq(a, b)[0], a[0], a[1], factor=10000)
    same(lambda a: jnp.linalg.pinv(a), a[0, :4], factor=1000)
    same(lambda a: jax.scipy.linalg.expm(a), a[0] / 8, factor=1000)
    same(lambda a: jnp.linalg.slogdet(a), a)
    q, r, p = run(lambda a: jax.scipy.linalg.qr(a, pivoting=True), a[0])
    close((q @ r).astype(dtype), a[0][:, p], 300)


def test_gradients_pass_through_factorisations():
    a = matrices("float32", (5, 5), definite=True)
    same(jax.grad(lambda a: jnp.linalg.cholesky(a).sum()), a, factor=1000)
    same(jax.grad(lambda a: jnp.linalg.eigvalsh(a).max()), a, factor=1000)
    same(jax.vmap(lambda a: jnp.linalg.inv(a)), np.stack([a, 2 * a]), factor=1000)


def test_calls_that_do_not_fit_are_refused():
    text = """func.func @main(%a: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<i32>) {{
      %0:2 = "stablehlo.custom_call"(%a) <{{call_target_name = "{target}"}}> {{{more}}}
        : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<i32>)
      return %0#0, %0#1 : tensor<3x4xf32>, tensor<i32> }}"""
    for target, more, why in [
        ("tensoraccess.lapack", 'routine = "spotrf", options = "L"', "do not fit those of tensor 0"),
        ("tensoraccess.lapack", 'routine = "spotrf", options = "Q"', "must be one of LU, not Q"),
        ("tensoraccess.lapack", 'routine = "dpotrf", options = "L"', "does not have its element type"),
        ("tensoraccess.lapack", 'routine = "sgesdd", options = "A"', "1 operands and 5 results"),
        ("tensoraccess.lapack", 'routine = "sfoo", options = ""', "no routine 'sfoo'"),
        ("tensoraccess.lapack", 'routine = "srfft", options = "F1"', "1 operands and 1 results"),
        ("tensoraccess.lapack", "", "must have a 'routine'"),
        ("lapack_spotrf_ffi", "", "must have an option 'uplo', one of LU"),
        ("lapack_ffi", "", "it calls 'lapack_ffi', which is not known here"),
        ("lapack__ffi", "", "no routine|not known here"),
        ("cu_solver", "", "it calls 'cu_solver', which is not known here"),
    ]:  # fmt: skip
        module = ta.Module(text.format(target=target, more=more))
        with pytest.raises(ta.Error, match=why):
            module.compile()
        with pytest.raises(ta.Error, match=why):
            module.interpret()(np.ones((3, 4), np.float32))


@pytest.mark.parametrize("algorithm", ["DEFAULT", "THREE_FRY", "PHILOX"])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (3, 5), (4, 3), (3, 4), (1, 7, 2), (0, 3), (1000,)])
def test_random_bits_are_those_of_xla(algorithm, shape):
    way = getattr(jax.lax.RandomAlgorithm, "RNG_" + algorithm)
    with jax.enable_x64(True):
        key = np.array([2**63 + 12345, 2**64 - 2], np.uint64)
        for dtype in ("uint8", "uint16", "uint32", "uint64"):
            same(lambda k: jax.lax.rng_bit_generator(k, shape, dtype, algorithm=way), key)


@pytest.mark.parametrize("element, signed", [("i8", np.int8), ("i32", np.int32), ("f32", np.float32), ("f64", np.float64)])
def test_random_bits_of_a_long_counter(element, signed):
    """Philox4x32 with 10 rounds, by the definition."""
    def philox(x, key):
        for _ in range(10):
            p, q = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
            x = [(q >> 32) ^ x[1] ^ key[0], q % 2**32, (p >> 32) ^ x[3] ^ key[1], p % 2**32]
            key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
        return x

    module = ta.Module(f"""func.func @main(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5x{element}>) {{
      %0:2 = "stablehlo.rng_bit_generator"(%s) <{{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}}>
        : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5x{element}>)
      return %0#0, %0#1 : tensor<3xui64>, tensor<3x5x{element}> }}""")
    width = np.dtype(signed).itemsize * 8
    key, counter = 2**63 + 99, 2**64 - 2 + (7 << 64)
    words = []
    count = -(-15 // (2 if width == 64 else 4))
    for i in range(count):
        c = counter + i
        words += philox([c >> s & 0xFFFFFFFF for s in (0, 32, 64, 96)], [key & 0xFFFFFFFF, key >> 32])
    if width == 64:
        words = [a | b << 32 for a, b in zip(words[::2], words[1::2])]
    want = np.array([w % 2**width for w in words[:15]], f"uint{width}").tobytes()
    after = counter + count
    for run in (module.compile(), module.interpret()):
        state, bits = run(np.array([key, counter % 2**64, counter >> 64], np.uint64))
        assert state.tolist() == [key, after % 2**64, after >> 64]
        assert bits.dtype == signed and bits.tobytes() == want


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg", "unsafe_rbg"])
def test_keys(impl):
    def f(key):
        a, b = jax.random.split(key)
        return (jax.random.key_data(a), jax.random.bits(b, (5,)), jax.random.normal(a, (3, 4)),
                jax.random.fold_in(b, 7), jax.random.permutation(a, 9))

    key = jax.random.key(42, impl=impl)
    got, want = ta.jit(f)(key), jax.jit(f)(key)
    assert got[3].dtype == want[3].dtype
    np.testing.assert_array_equal(jax.random.key_data(got[3]), jax.random.key_data(want[3]))
    for i in (0, 1, 4):
        np.testing.assert_array_equal(got[i], want[i])
    np.testing.assert_allclose(got[2], want[2], rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("narrow, wide", [
    ("uint8", "uint16"), ("int8", "float32"), ("uint8", "float64"), ("float16", "int32"),
    ("bfloat16", "uint64"), ("float32", "float64"), ("uint32", "int64"),
])  # fmt: skip
def test_bits_of_other_widths(narrow, wide):
    ml_dtypes = pytest.importorskip("ml_dtypes")  # noqa: F841
    a, b = np.dtype(getattr(jnp, narrow)), np.dtype(getattr(jnp, wide))
    count = b.itemsize // a.itemsize
    bits = np.random.default_rng(0).integers(0, 64, (3, 2 * b.itemsize), np.uint8)
    with jax.enable_x64(True):
        x = bits.view(b)
        got = run(lambda x: jax.lax.bitcast_convert_type(x, a), x)
        assert got.shape == (3, 2, count) and got.tobytes() == x.tobytes()
        back = run(lambda x: jax.lax.bitcast_convert_type(x, b), got)
        assert back.tobytes() == x.tobytes() and back.dtype == b


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("at", [(0, 0), (2, 2), (4, 4), (3, 1)])
def test_cholesky_behind_a_nan(dtype, at):
    """LAPACK's routines differ in which elements they forget."""
    a = matrices(dtype, (5, 5), definite=True)
    a[at] = a[at[::-1]] = np.nan
    with jax.enable_x64(True):
        f = run(lambda x: lax_linalg.cholesky(x, symmetrize_input=False), a)
    first = max(at)
    rows, columns = np.tril_indices(5)
    behind = columns >= first
    assert np.isnan(f[rows[behind], columns[behind]]).all()
