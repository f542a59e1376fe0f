# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Twelve models that let something through, each with the contract that it breaks.

Each function takes a size, 'small' or 'full', and gives (function, arguments, contract).
"""

import jax
import jax.numpy as jnp
import numpy as np
from layers import (
    array,
    attend,
    attention_shapes,
    block,
    block_shapes,
    causal_conv,
    causal_mask,
    distances,
    join_heads,
    self_attention,
    split_heads,
)

CAUSAL = "causal(result 0 dim 1, arg 0 dim 1)"
SIZES = {"small": (8, 2, 6), "full": (128, 4, 128)}


def _transformer(size, change, mask=None):
    """Two blocks, with `change` between them."""
    width, heads, time = SIZES[size]

    def model(x, first, second):
        allowed = (mask or causal_mask)(x.shape[1])
        return block(change(block(x, first, heads, allowed)), second, heads, allowed)

    return model, (array(2, time, width), block_shapes(width), block_shapes(width)), CAUSAL


def norm_over_time(size):
    """A norm along the wrong dimension."""

    def change(x):
        mean = jnp.mean(x, 1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(jnp.mean((x - mean) ** 2, 1, keepdims=True) + 1e-5)

    return _transformer(size, change)


def batch_norm(size):
    """Batch normalization with statistics of the batch, as in training."""

    def change(x):
        mean = jnp.mean(x, (0, 1))
        return (x - mean) * jax.lax.rsqrt(jnp.mean((x - mean) ** 2, (0, 1)) + 1e-5)

    model, args, _ = _transformer(size, change)
    return model, args, "independent(result 0 dim 0, arg 0 dim 0)"


def mean_over_time(size):
    """Channels are weighted by what they are on average."""

    def change(x):
        return x * jax.nn.sigmoid(jnp.mean(x, 1, keepdims=True))

    return _transformer(size, change)


def shift_ahead(size):
    """Half of the channels come from the next position, where the last was meant."""

    def change(x):
        half = x.shape[-1] // 2
        ahead = jnp.pad(x[:, 1:, :half], ((0, 0), (0, 1), (0, 0)))
        return jnp.concatenate([ahead, x[..., half:]], -1)

    return _transformer(size, change)


def off_by_one(size):
    """The mask's diagonal is one too high."""
    return _transformer(size, lambda x: x, lambda time: jnp.tril(jnp.ones((time, time), bool), 1))


def same_padding(size):
    """A convolution with as much padding behind as before."""
    width, levels, time = {"small": (4, 3, 12), "full": (64, 5, 256)}[size]

    def model(x, kernels):
        for i, kernel in enumerate(kernels):
            ahead = 2**i if i == levels - 1 else 0
            x = x + jax.nn.relu(causal_conv(x, kernel, 2**i, future=ahead))
        return x

    return model, (array(2, time, width), (array(3, width, width),) * levels), CAUSAL


def top_k(size):
    """Of each channel only the largest positions stay."""

    def change(x):
        least = jax.lax.top_k(x.transpose(0, 2, 1), 2)[0][..., -1]
        return jnp.where(x >= least[:, None], x, 0)

    return _transformer(size, change)


def expert_capacity(size):
    """Experts choose the tokens that score highest, among all of the sequence."""
    width, _, time = SIZES[size]
    experts, capacity = 2, time // 3

    def model(x, route, up):
        scores = jax.nn.softmax(x @ route, -1)
        least = jax.lax.top_k(scores.transpose(0, 2, 1), capacity)[0][..., -1:]
        kept = jnp.where(scores.transpose(0, 2, 1) >= least, scores.transpose(0, 2, 1), 0)
        return x + jnp.einsum("bet,btd,edf->btf", kept, x, up)

    shapes = (array(2, time, width), array(width, experts), array(experts, width, width))
    return model, shapes, CAUSAL


def wrong_broadcast(size):
    """Padding is masked by query, where keys were meant: keys stay visible."""
    width, heads, time = SIZES[size]

    def model(x, kept, weights):
        wq, wk, wv, wo = weights
        q, k, v = (split_heads(x @ w, heads) for w in (wq, wk, wv))
        return join_heads(attend(q, k, v, (kept != 0)[:, None, :, None])) @ wo

    return (
        model,
        (array(2, time, width), array(2, time, dtype=np.int32), attention_shapes(width)),
        "ignores(result 0 where arg 1 != 0, arg 0 where arg 1 == 0)",
    )


def mask_after_softmax(size):
    """Weights are masked, but their sum has seen the future."""
    width, heads, time = SIZES[size]

    def model(x, weights):
        wq, wk, wv, wo = weights
        q, k, v = (split_heads(x @ w, heads) for w in (wq, wk, wv))
        scores = jnp.einsum("bhtd,bhsd->bhts", q, k) / np.sqrt(q.shape[-1])
        weights = jnp.where(causal_mask(x.shape[1]), jax.nn.softmax(scores, -1), 0)
        return join_heads(jnp.einsum("bhts,bhsd->bhtd", weights, v)) @ wo

    return model, (array(2, time, width), attention_shapes(width)), CAUSAL


def weak_mask(size):
    """Masked scores are -10, which is not enough."""
    width, heads, time = SIZES[size]

    def model(x, weights):
        bias = jnp.where(causal_mask(x.shape[1]), 0.0, -10.0)
        return self_attention(x, weights, heads, None, bias)

    return model, (array(2, time, width), attention_shapes(width)), CAUSAL


def wide_window(size):
    """A window of 4 positions has the current one, and was meant to end 2 before."""
    width, heads, time = SIZES[size]

    def model(x, weights):
        behind = distances(x.shape[1])
        return self_attention(x, weights, heads, (behind >= 0) & (behind < 4))

    return (
        model,
        (array(2, time, width), attention_shapes(width)),
        "within(result 0 dim 1, arg 0 dim 1, 2, 0)",
    )


MODELS = [
    norm_over_time, batch_norm, mean_over_time, shift_ahead, off_by_one, same_padding, top_k,
    expert_capacity, wrong_broadcast, mask_after_softmax, weak_mask, wide_window,
]  # fmt: skip

# The op through which each lets an element in.
THROUGH = {
    "norm_over_time": "stablehlo.reduce",
    "batch_norm": "stablehlo.reduce",
    "mean_over_time": "stablehlo.reduce",
    "shift_ahead": "stablehlo.slice",
    "off_by_one": "stablehlo.dot_general",
    "same_padding": "stablehlo.convolution",
    "top_k": "chlo.top_k",
    "expert_capacity": "chlo.top_k",
    "wrong_broadcast": "stablehlo.dot_general",
    "mask_after_softmax": "stablehlo.reduce",
    "weak_mask": "stablehlo.dot_general",
    "wide_window": "stablehlo.dot_general",
}
