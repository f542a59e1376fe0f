# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of flax and equinox by tensoraccess.jit and by jax.jit, in turn.

    taskset -c 0 python3 bench/jax_models.py [--only REGEX] [--calls N]

A row is a model, the median time of a call by each of us, their ratio (1: as fast as
XLA; more: faster), the time of the first call, and the largest difference of any array,
in units of the last place (f32) of its largest element, or of 0.001 where that is
smaller: some gradients are 0 but for rounding. Arguments and results are
JAX's arrays for both. A step of training is forward, backward and the update.
"""

import argparse
import re
import time

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import tensoraccess as ta


class Block(nn.Module):
    width: int
    heads: int

    @nn.compact
    def __call__(self, x):
        y = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(self.heads)(y, y)
        y = nn.gelu(nn.Dense(4 * self.width)(nn.LayerNorm()(x)))
        return x + nn.Dense(self.width)(y)


class Transformer(nn.Module):
    layers: int = 4
    width: int = 128
    words: int = 1000

    @nn.compact
    def __call__(self, tokens):
        places = self.param("places", nn.initializers.normal(0.02), (tokens.shape[1], self.width))
        x = nn.Embed(self.words, self.width)(tokens) + places
        for _ in range(self.layers):
            x = Block(self.width, 4)(x)
        return nn.Dense(self.words)(nn.LayerNorm()(x))


class ResNet(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        def conv(x, features, stride=1, size=3):
            x = nn.Conv(features, (size, size), (stride, stride), use_bias=False)(x)
            return nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)

        x = nn.relu(conv(x, 16))
        for features, stride in ((16, 1), (32, 2), (64, 2)):
            y = conv(nn.relu(conv(x, features, stride)), features)
            x = nn.relu(y + (x if x.shape == y.shape else conv(x, features, stride, 1)))
        return nn.Dense(10)(x.mean((1, 2)))


def transformer():
    model, key = Transformer(), jax.random.key(0)
    tokens = jax.random.randint(key, (4, 64), 0, model.words)
    params = model.init(key, tokens)
    rule = optax.sgd(0.1, 0.9)

    def step(params, state, tokens):
        def loss(params):
            scores = model.apply(params, tokens)[:, :-1]
            return optax.softmax_cross_entropy_with_integer_labels(scores, tokens[:, 1:]).mean()

        value, gradient = jax.value_and_grad(loss)(params)
        updates, state = rule.update(gradient, state, params)
        return optax.apply_updates(params, updates), state, value

    yield "flax transformer", model.apply, (params, tokens)
    yield "flax transformer, a step", step, (params, rule.init(params), tokens)


def resnet():
    model, key = ResNet(), jax.random.key(0)
    images = jax.random.normal(key, (8, 32, 32, 3))
    labels = jnp.arange(8)
    variables = model.init(key, images)
    rule = optax.sgd(0.1, 0.9)

    def step(variables, state, images, labels):
        def loss(params):
            scores, changed = model.apply(
                {**variables, "params": params}, images, mutable=["batch_stats"])
            return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean(), changed

        (value, changed), gradient = jax.value_and_grad(loss, has_aux=True)(variables["params"])
        updates, state = rule.update(gradient, state)
        return {"params": optax.apply_updates(variables["params"], updates), **changed}, state, value

    yield "flax ResNet", lambda v, x: model.apply(v, x, train=False), (variables, images)
    yield "flax ResNet, a step", step, (variables, rule.init(variables["params"]), images, labels)


def mlp():
    key = jax.random.key(0)
    model = eqx.nn.MLP(64, 10, 256, 3, key=key)
    params, static = eqx.partition(model, eqx.is_array)
    x, y = jax.random.normal(key, (128, 64)), jnp.zeros((128, 10))

    def step(params, x, y):
        def loss(params):
            return jnp.mean((jax.vmap(eqx.combine(params, static))(x) - y) ** 2)

        value, gradient = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), value

    yield "equinox MLP, a step", step, (params, x, y)


def distance(ours, theirs):
    """In ulps of f32 of the largest element of each array, or of 0.001."""
    worst = 0.0
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        largest = max(np.abs(b).max(initial=0), 1e-3)
        worst = max(worst, np.abs(a - b).max(initial=0) / largest / np.finfo(np.float32).eps)
    return worst


def call(f, arguments):
    begin = time.perf_counter()
    result = jax.block_until_ready(f(*arguments))
    return result, time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="rows whose names match")
    parser.add_argument("--calls", type=int, default=100)
    options = parser.parse_args()
    print(f"{'model':26}{'ours':>9}{'XLA':>9}{'ratio':>7}{'first call, s':>16}{'ulps':>8}")
    for rows in (transformer, resnet, mlp):
        for name, f, arguments in rows():
            if not re.search(options.only, name):
                continue
            ours, theirs = ta.jit(f, cache=False), jax.jit(f)
            (a, first), (b, other) = call(ours, arguments), call(theirs, arguments)
            times = [(call(ours, arguments)[1], call(theirs, arguments)[1])
                     for _ in range(options.calls)]
            x, y = np.median(times, 0) * 1e3
            print(f"{name:26}{x:9.2f}{y:9.2f}{y / x:7.2f}{first:9.2f}{other:7.2f}"
                  f"{distance(a, b):8.0f}", flush=True)


if __name__ == "__main__":
    main()
