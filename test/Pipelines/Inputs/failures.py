"""Runs every pass of ours that can fail until it does, and looks for its words.

    failures.py tensoraccess-opt
"""

import re
import subprocess
import sys

MODULE = "func.func @f(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {\n" \
         "  return %x : tensor<3x5xf32>\n}\n"
ENCODED = MODULE.replace("f32>", 'f32, "e">')
STABLEHLO = MODULE.replace(
    "return %x", '%r = "stablehlo.nope"(%x) : '
    "(tensor<3x5xf32>) -> tensor<3x5xf32>\n  return %r")
ACCESS = """
func.func @f(%x: !tensoraccess.access<3 | 5xf32>) {
  "nope.use"(%x) : (!tensoraccess.access<3 | 5xf32>) -> ()
  return
}
"""
HANDLER = """
func.func @f(%c: i1) {
  cf.assert %c, "no"
  return
}
func.func private @handler(f32)
"""
LAUNCHER = """
llvm.func @tensoraccess_parallel(f32)
llvm.func @f(%n: i64) attributes {tensoraccess.task} {
  llvm.return
}
"""
BITS = "func.func private @f(tensor<4x4xf32, #tensoraccess.layout<{1,0:E(64)}>>)"
BLOCK = """
func.func @f(%x: tensor<3x5xf32>) {
  %0 = math.exp %x {tensoraccess.block = 4} : tensor<3x5xf32>
  return
}
"""
HALO = """
shard.grid @grid(shape = 2)
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, 1]
      : !shard.sharding
  %r = shard.shard %x to %s : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"""
TOSA = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.custom %x {domain_name = "d", operator_name = "o",
                       implementation_attrs = ""}
      : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""

TTG = MODULE.replace("f32>", "f32, #ttg.linear<{register = [[1]]}>>")

# By pass: options and program. None where it has no way to fail, or where all
# that fails is upstream's.
FAILURES = {
    "accelerator": ("rows=0", MODULE),
    "annotate-blocks": ("", BLOCK),
    "annotate-derivatives": None,
    "annotate-indexing": ("max-maps=0", MODULE),
    "assign-layouts": ("target=nope", MODULE),
    "bf16-to-i16": None,
    "bools-to-bytes": None,
    "canonicalize": None,
    "convert-to-llvm": None,
    "refine-shapes": ("sizes=4", MODULE),
    "block-matmul": ("rows=0", MODULE),
    "check-contracts": ("contract={causal(arg 0)}", MODULE.replace("@f", "@main")),
    "check-equivalence": ("function=f other=g", MODULE),
    "check-lowerable": ("", STABLEHLO.replace("stablehlo.", "nope.")),
    "contract-loops": None,
    "convert-encodings": ("", TTG),
    "discover-im2col": ("matmul-step=-1", MODULE),
    "block-kernels": ("target=nope", MODULE),
    "cpu": ("", STABLEHLO),
    "distributed": ("", MODULE),
    "drop-partial-windows": None,
    "eliminate-empty-tensors": None,
    "exchange-to-mpi": ("max-elements=0", MODULE),
    "expand-arrays": ("accumulators=-1", MODULE),
    "expand-bf16": None,
    "expand-copies": None,
    "expand-dynamic-shapes": None,
    "expand-math": None,
    "expand-projections": None,
    "extend-operands": None,
    "extract-op": ("op=nope function=g", MODULE),
    "foreign-to-linalg": ("", TOSA),
    "form-projections": None,
    "free-early": None,
    "free-locals": None,
    "fuse-elementwise": None,
    "fuse-relayouts": None,
    "import-shards": ("", HALO),
    "guard-folds": None,
    "insert-checks": None,
    "keep-loop-state": None,
    "limit-calls": ("depth=0", MODULE),
    "launch-tasks": ("", LAUNCHER),
    "lower-asserts": ("handler=handler", HANDLER),
    "lower-layouts": ("", BITS),
    "lower-mpi": ("implementation=nope", MODULE),
    "lower-to-linalg": ("", ACCESS),
    "map-to-systolic": ("rows=0", MODULE),
    "materialize-layouts": ("", BITS),
    "open-ops": None,
    "dot-products": ("target=nope", MODULE),
    "expand-pads": None,
    "fuse-multiply-add": None,
    "cut-sizes": None,
    "order-loops": None,
    "hoist-panels": ("target=nope", MODULE),
    "outline-kernels": None,
    "outline-tasks": None,
    "pack-weights": ("target=nope", MODULE),
    "parallelize-kernels": ("target=nope", MODULE),
    "patch-function": ("sizes=0,5", MODULE.replace("@f", "@main")),
    "plan-arena": None,
    "plan-shards": ("function=nope", MODULE),
    "prepare-functions": ("", ENCODED),
    "profile-kernels": None,
    "propagate-tiles": ("sizes=0", MODULE),
    "push-slices": None,
    "raise": ("kinds=nope", MODULE),
    "register-tile": ("target=nope", MODULE),
    "report": ("transaction-bytes=0", MODULE),
    "restrict-function": ("box=[0,4)x[0,5)", MODULE.replace("@f", "@main")),
    "saturate": ("rules=access target=nope", MODULE),
    "separate-inits": None,
    "shard": ("", MODULE),
    "simplify-indexing": None,
    "sink-moves": None,
    "spread-cuts": ("function=nope", MODULE),
    "expand-stablehlo": ("", STABLEHLO.replace("3x5xf32", "3x5xcomplex<f32>")),
    "stablehlo-to-linalg": ("strict", STABLEHLO),
    "stream-function": ("axes=0:2", MODULE.replace("@f", "@main")),
    "tile": ("sizes=-1", MODULE),
    "to-llvm": ("", STABLEHLO),
    "update-function": ("changed=0:[0,4)x[0,5)", MODULE.replace("@f", "@main")),
    "vectorize-moves": ("target=nope", MODULE),
}


def run(tool, name, options, program):
    option = f"--tensoraccess-{name}" + (f"={options}" if options else "")
    return subprocess.run([tool, option], input=program, text=True,
                          capture_output=True)


if __name__ == "__main__":
    tool = sys.argv[1]
    text = subprocess.run([tool, "--help-all"], text=True, capture_output=True)
    known = set(re.findall(r"^ +--tensoraccess-([a-z0-9-]+)", text.stdout, re.M))
    problems = [f"{name}: no entry in this list"
                for name in sorted(known - FAILURES.keys())]
    problems += [f"{name}: no such pass"
                 for name in sorted(FAILURES.keys() - known)]
    for name, failure in FAILURES.items():
        if failure is None:
            continue
        done = run(tool, name, *failure)
        errors = re.findall(r"^<stdin>:\d+:\d+: error: (.+)", done.stderr, re.M)
        if done.returncode != 1 or len(errors) == 0:
            problems.append(f"{name}: code {done.returncode}, {done.stderr!r}")
        elif any("did not say why" in error for error in errors):
            problems.append(f"{name}: {errors[0]}")
    print("\n".join(problems) or f"{len(FAILURES)} passes")
    sys.exit(bool(problems))
