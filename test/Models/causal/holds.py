# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Twelve models that hold what they promise, each with its own contract.

Each function takes a size, 'small' or 'full', and gives (function, arguments, contract).
"""

import jax
import jax.numpy as jnp
import numpy as np
from layers import (
    array,
    attend,
    block,
    block_shapes,
    causal_conv,
    causal_mask,
    distances,
    join_heads,
    layer_norm,
    rms_norm,
    rotate,
    split_heads,
)

CAUSAL = "causal(result 0 dim 1, arg 0 dim 1)"


def gpt2(size):
    """GPT-2: learnt positions, norms before, the embedding tied to the output."""
    layers, width, heads, time, words = {
        "small": (2, 8, 2, 6, 11),
        "full": (12, 768, 12, 1024, 50257),
    }[size]

    def model(ids, tokens, places, blocks, gain, bias):
        x = tokens[ids] + places[: ids.shape[1]]
        for weights in blocks:
            x = block(x, weights, heads, causal_mask(ids.shape[1]))
        return layer_norm(x, gain, bias) @ tokens.T

    return (
        model,
        (
            array(2, time, dtype=np.int32),
            array(words, width),
            array(time, width),
            (block_shapes(width),) * layers,
            array(width),
            array(width),
        ),
        CAUSAL,
    )


def llama(size):
    """Rotary positions, grouped queries, gated units, root mean squares."""
    layers, width, heads, groups, time = {
        "small": (2, 16, 4, 2, 6),
        "full": (16, 2048, 32, 8, 2048),
    }[size]
    head = width // heads

    def layer(x, weights):
        wq, wk, wv, wo, gate, up, down, g1, g2 = weights
        y = rms_norm(x, g1)
        q = rotate(split_heads(y @ wq, heads))
        k, v = rotate(split_heads(y @ wk, groups)), split_heads(y @ wv, groups)
        k, v = (jnp.repeat(z, heads // groups, axis=1) for z in (k, v))
        x = x + join_heads(attend(q, k, v, causal_mask(x.shape[1]))) @ wo
        y = rms_norm(x, g2)
        return x + (jax.nn.silu(y @ gate) * (y @ up)) @ down

    def model(x, blocks):
        for weights in blocks:
            x = layer(x, weights)
        return x

    narrow = array(width, groups * head)
    weights = (
        array(width, width), narrow, narrow, array(width, width),
        array(width, 2 * width), array(width, 2 * width), array(2 * width, width),
        array(width), array(width),
    )  # fmt: skip
    return model, (array(2, time, width), (weights,) * layers), CAUSAL


def sliding_window(size):
    """Attention to the last few positions, in two layers: their windows add up."""
    width, heads, time, window = {"small": (8, 2, 9, 3), "full": (512, 8, 2048, 256)}[size]

    def model(x, blocks):
        behind = distances(x.shape[1])
        for weights in blocks:
            x = block(x, weights, heads, (behind >= 0) & (behind < window))
        return x

    return (
        model,
        (array(2, time, width), (block_shapes(width),) * 2),
        f"within(result 0 dim 1, arg 0 dim 1, {2 * (window - 1)}, 0)",
    )


def alibi(size):
    """Biases that fall with the distance, one slope a head."""
    width, heads, time = {"small": (8, 2, 6), "full": (512, 8, 1024)}[size]

    def model(x, blocks):
        slopes = 2.0 ** -(8 * (jnp.arange(heads) + 1) / heads)
        bias = -slopes[:, None, None] * distances(x.shape[1])
        for weights in blocks:
            x = block(x, weights, heads, causal_mask(x.shape[1]), bias)
        return x

    return model, (array(2, time, width), (block_shapes(width),) * 2), CAUSAL


def t5(size):
    """T5's decoder: a learnt bias for each bucket of distances, and a mask that is
    added."""
    width, heads, time, buckets = {"small": (8, 2, 6, 8), "full": (512, 8, 512, 32)}[size]

    def model(x, table, blocks):
        behind = jnp.maximum(distances(x.shape[1]), 0)
        exact = buckets // 2
        far = exact + (
            jnp.log(jnp.maximum(behind, 1) / exact) / np.log(128 / exact) * (buckets - exact)
        ).astype(jnp.int32)
        bucket = jnp.where(behind < exact, behind, jnp.minimum(far, buckets - 1))
        bias = table[bucket].transpose(2, 0, 1)
        bias = bias + jnp.where(causal_mask(x.shape[1]), 0, -jnp.inf)
        for weights in blocks:
            x = block(x, weights, heads, None, bias)
        return x

    return (
        model,
        (array(2, time, width), array(buckets, heads), (block_shapes(width),) * 2),
        CAUSAL,
    )


def tcn(size):
    """Dilated convolutions with padding before, and residuals."""
    width, levels, time = {"small": (4, 2, 16), "full": (128, 7, 1024)}[size]

    def model(x, kernels):
        for i, (a, b) in enumerate(kernels):
            y = jax.nn.relu(causal_conv(x, a, 2**i))
            x = x + jax.nn.relu(causal_conv(y, b, 2**i))
        return x

    reach = sum(2 * 2 * 2**i for i in range(levels))
    return (
        model,
        (array(2, time, width), ((array(3, width, width),) * 2,) * levels),
        f"within(result 0 dim 1, arg 0 dim 1, {reach}, 0)",
    )


def wavenet(size):
    """Gated convolutions, with sums of skips."""
    width, levels, time = {"small": (4, 3, 10), "full": (64, 10, 2048)}[size]

    def model(x, kernels, mix):
        skips = 0
        for i, (a, b, c, d) in enumerate(kernels):
            y = jnp.tanh(causal_conv(x, a, 2**i)) * jax.nn.sigmoid(causal_conv(x, b, 2**i))
            skips = skips + y @ c
            x = x + y @ d
        return jax.nn.relu(skips) @ mix

    pair, square = array(2, width, width), array(width, width)
    kernels = ((pair, pair, square, square),) * levels
    return model, (array(2, time, width), kernels, square), CAUSAL


def conformer(size):
    """Attention to some steps before and a few ahead, and a convolution of both sides."""
    width, heads, time, past, future = {
        "small": (8, 2, 12, 3, 1),
        "full": (256, 4, 512, 64, 4),
    }[size]

    def model(x, blocks, kernel):
        ahead = -distances(x.shape[1])
        x = block(x, blocks[0], heads, (ahead >= -past) & (ahead <= future))
        x = x + jax.nn.silu(causal_conv(x, kernel, 1, future=1))
        return x

    return (
        model,
        (array(2, time, width), (block_shapes(width),), array(3, width, width)),
        f"within(result 0 dim 1, arg 0 dim 1, {past + 1}, {future + 1})",
    )


def rnn(size):
    """A gated recurrent unit over time."""
    width, time = {"small": (4, 6), "full": (256, 256)}[size]

    def model(x, wz, wh, uz, uh):
        def step(h, x):
            z = jax.nn.sigmoid(x @ wz + h @ uz)
            h = (1 - z) * h + z * jnp.tanh(x @ wh + h @ uh)
            return h, h

        first = jnp.zeros((x.shape[0], wz.shape[1]))
        return jax.lax.scan(step, first, x.transpose(1, 0, 2))[1].transpose(1, 0, 2)

    return model, (array(2, time, width), *(array(width, width),) * 4), CAUSAL


def mamba(size):
    """A selective scan: decay and input depend on the token; in parallel over time."""
    width, time = {"small": (3, 6), "full": (256, 256)}[size]

    def model(x, wd, wb, kernel):
        x = x + causal_conv(x, kernel)
        decay = jnp.exp(-jax.nn.softplus(x @ wd))

        def combine(left, right):
            return left[0] * right[0], right[0] * left[1] + right[1]

        return jax.lax.associative_scan(combine, (decay, x @ wb), axis=1)[1]

    square = array(width, width)
    return model, (array(2, time, width), square, square, array(4, width, width)), CAUSAL


def prefix_lm(size):
    """The prefix is seen as a whole, the rest causally."""
    width, heads, time, prefix = {"small": (8, 2, 8, 3), "full": (512, 8, 1024, 128)}[size]

    def model(x, blocks):
        places = jnp.arange(x.shape[1])
        mask = causal_mask(x.shape[1]) | (places[None, :] < prefix)
        for weights in blocks:
            x = block(x, weights, heads, mask)
        return x

    last, most = time - 1, width - 1
    return (
        model,
        (array(2, time, width), (block_shapes(width),) * 2),
        "(d0, d1, d2)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 1], "
        f"d1 in [0, {last}], d2 in [0, {most}], s0 in [0, {last}], s1 in [0, {most}], "
        f"s0 - max(d1, {prefix - 1}) in [-{last}, 0]",
    )


def packed(size):
    """Several sequences in a row, told apart by their numbers."""
    width, heads, time = {"small": (8, 2, 6), "full": (512, 8, 1024)}[size]

    def model(x, ids, blocks):
        same = ids[:, :, None] == ids[:, None, :]
        mask = same & causal_mask(x.shape[1])
        for weights in blocks:
            x = block(x, weights, heads, mask[:, None])
        return x

    return (
        model,
        (array(2, time, width), array(2, time, dtype=np.int32), (block_shapes(width),) * 2),
        "segments(arg 1)",
    )


MODELS = [
    gpt2, llama, sliding_window, alibi, t5, tcn, wavenet, conformer, rnn, mamba, prefix_lm,
    packed,
]  # fmt: skip
