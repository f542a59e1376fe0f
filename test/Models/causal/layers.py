# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that the models of this folder share, in JAX."""

import jax
import jax.numpy as jnp
import numpy as np


def array(*shape, dtype=np.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def linear_shapes(*sizes):
    """Weights from each size to the next."""
    return tuple(array(a, b) for a, b in zip(sizes, sizes[1:]))


def layer_norm(x, gain, bias):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, -1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gain + bias


def rms_norm(x, gain):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * gain


def split_heads(x, heads):
    batch, time, size = x.shape
    return x.reshape(batch, time, heads, size // heads).transpose(0, 2, 1, 3)


def join_heads(x):
    batch, heads, time, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, heads * size)


def attend(q, k, v, mask, bias=None):
    """Attention of (batch, heads, time, size); scores outside of the mask are -inf."""
    scores = jnp.einsum("bhtd,bhsd->bhts", q, k) / np.sqrt(q.shape[-1])
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return jnp.einsum("bhts,bhsd->bhtd", jax.nn.softmax(scores, -1), v)


def causal_mask(time):
    return jnp.tril(jnp.ones((time, time), bool))


def distances(time):
    """How far key s lies behind query t, at [t, s]."""
    places = jnp.arange(time)
    return places[:, None] - places[None, :]


def attention_shapes(size):
    return (array(size, size),) * 4


def self_attention(x, weights, heads, mask, bias=None):
    wq, wk, wv, wo = weights
    q, k, v = (split_heads(x @ w, heads) for w in (wq, wk, wv))
    return join_heads(attend(q, k, v, mask, bias)) @ wo


def block_shapes(size, hidden=None):
    hidden = hidden or 4 * size
    vectors = (array(size),) * 4
    return (attention_shapes(size), linear_shapes(size, hidden, size), vectors)


def block(x, weights, heads, mask, bias=None):
    """A block of a transformer, with norms before."""
    attention, (up, down), (g1, b1, g2, b2) = weights
    x = x + self_attention(layer_norm(x, g1, b1), attention, heads, mask, bias)
    return x + jax.nn.gelu(layer_norm(x, g2, b2) @ up) @ down


def causal_conv(x, kernel, dilation=1, future=0):
    """A convolution of (batch, time, size) that sees `future` steps ahead."""
    past = (kernel.shape[0] - 1) * dilation - future
    return jax.lax.conv_general_dilated(
        x, kernel, (1,), [(past, future)], rhs_dilation=(dilation,),
        dimension_numbers=("NWC", "WIO", "NWC"),
    )  # fmt: skip


def rotate(x):
    """Rotary position embedding of (batch, heads, time, size)."""
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[2])[:, None] / 10000 ** (jnp.arange(half) / half)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)
