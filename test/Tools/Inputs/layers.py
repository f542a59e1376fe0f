"""A model of three layers, `layers.py [scopes]`: two products with elementwise
ops; with `scopes` ops have the places that JAX gives them."""
import sys

with_scopes = "scopes" in sys.argv
T = "tensor<4x4xf32>"
print(f"func.func @main(%v0: {T}, %w: {T}, %zero: {T}) -> {T} {{")
n = 0
for layer in range(3):
    for scope, kinds in ("attention", ["matmul"] + ["exp", "tanh"] * 8), ("mlp", ["matmul"] + ["exp"] * 11):
        for kind in kinds:
            n += 1
            place = f' loc("jit(f)/layer_{layer}/{scope}/{kind}"("f.py":{n}:1))' if with_scopes else ""
            op = f"linalg.matmul ins(%v{n - 1}, %w : {T}, {T}) outs(%zero : {T}) -> {T}" \
                if kind == "matmul" else f"math.{kind} %v{n - 1} : {T}"
            print(f"  %v{n} = {op}{place}")
print(f"  return %v{n} : {T}\n}}")
