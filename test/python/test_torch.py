# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules by from_torch, against PyTorch's numbers."""

import numpy as np
import pytest

import tensoraccess as ta

torch = pytest.importorskip("torch", reason="the package torch is not installed")
pytest.importorskip("torch_mlir", reason="the package torch-mlir is not installed")
nn = torch.nn


def mlp():
    return nn.Sequential(nn.Linear(20, 33), nn.GELU(), nn.Linear(33, 5), nn.Softmax(-1))


def convolutions():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(),
        nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, groups=8, bias=False),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 7),
    )  # fmt: skip


def encoder():
    return nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)


MODELS = {
    "mlp": (mlp, (3, 20)),
    "convolutions": (convolutions, (2, 3, 17, 15)),
    "encoder": (encoder, (2, 5, 16)),
}


def largest_error(got, want):
    want = want.detach().numpy()
    assert got.shape == want.shape and got.dtype == want.dtype
    return np.abs(got.astype(np.float64) - want).max() / np.spacing(np.abs(want).max())


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("output", [None, "stablehlo", "tosa"])
def test_model(name, output):
    torch.manual_seed(1)
    make, shape = MODELS[name]
    module, x = make().eval(), torch.randn(shape)
    program = ta.from_torch(module, (x,), output=output)
    want = module(x)
    assert largest_error(program.compile()(x.numpy()), want) <= 32
    assert largest_error(program.interpret()(x.numpy()), want) <= 32


def test_exported_and_dynamic():
    module, x = mlp().eval(), torch.randn(4, 20)
    exported = torch.export.export(
        module, (x,), dynamic_shapes=({0: torch.export.Dim("n", min=1, max=99)},)
    )
    compiled = ta.from_torch(exported, name="predict").compile("predict")
    for n in (1, 2, 7):
        x = torch.randn(n, 20)
        assert largest_error(compiled(x.numpy()), module(x)) <= 32


def test_weights_stay_where_they_are():
    module = nn.Linear(64, 64)
    program = ta.from_torch(module, (torch.randn(2, 64),))
    assert "dense_resource<weight_" in program.asm(generic=True)
    del module
    assert np.isfinite(program.compile()(np.ones((2, 64), np.float32))).all()


def test_refused():
    with pytest.raises(ta.Error, match="output must be one of .* got 'llvm'"):
        ta.from_torch(mlp(), (torch.randn(1, 20),), output="llvm")
    exported = torch.export.export(mlp(), (torch.randn(1, 20),))
    with pytest.raises(ta.Error, match="has its arguments' shapes already"):
        ta.from_torch(exported, (torch.randn(1, 20),))


class Function(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f

    def forward(self, x):
        return self.f(x)


@pytest.mark.parametrize("f", [
    lambda x: torch.topk(x, 3)[0], lambda x: torch.sort(x, 1)[0], lambda x: torch.cumsum(x, 1),
    lambda x: torch.roll(x, 2, 1), lambda x: x[torch.arange(4), torch.tensor([1, 2, 3, 4])],
    lambda x: torch.tril(x), lambda x: nn.functional.pad(x, (1, 2)), lambda x: torch.logsumexp(x, 1),
], ids=["topk", "sort", "cumsum", "roll", "index", "tril", "pad", "logsumexp"])  # fmt: skip
def test_by_stablehlo(f):
    """Sizes as operands, which torch-mlir writes although they are constants."""
    x = torch.randn(4, 9)
    program = ta.from_torch(Function(f).eval(), (x,), output="stablehlo")
    for run in (program.compile(), program.interpret()):
        assert largest_error(run(x.numpy()), f(x)) <= 8
