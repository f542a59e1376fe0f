# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO's portable artifacts, against what jaxlib reads in them."""

import subprocess
import sys

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
mlir = pytest.importorskip("jax._src.interpreters.mlir")
ir = pytest.importorskip("jaxlib.mlir.ir")
stablehlo = pytest.importorskip("jaxlib.mlir.dialects.stablehlo")
jnp = jax.numpy

#: The oldest, each version of bytecode, each op that got a new form, and jaxlib's own.
VERSIONS = ["0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.15.0", "0.20.0", "1.0.0", "1.1.0", "1.4.0",
            "1.5.0", "1.6.0", "1.9.0", "1.10.0", "1.12.0", "1.14.0",
            stablehlo.get_current_version()]

# An op of each kind whose attributes are upgraded.
PROGRAM = """
module @program attributes {mhlo.num_partitions = 1 : i32, jax.flag = true} {
  func.func public @main(%x: tensor<3x5xf32> {jax.arg_name = "x"}, %i: tensor<2x1xi32>,
                         %t: !stablehlo.token)
      -> (tensor<3x5xf32> {jax.result_info = ""}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32> loc("zero")
    %mask = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %masks = stablehlo.constant dense<[true, false, true, true, true, true, true, true, false]> : tensor<9xi1>
    %all = stablehlo.constant dense<true> : tensor<9xi1>
    %bytes = stablehlo.constant dense<[1, -2]> : tensor<2xi4>
    %c = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
    %0 = stablehlo.exponential %x : tensor<3x5xf32> loc("file.py":7:3)
    %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [1], precision = [HIGH, DEFAULT]
        : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x3xf32> loc(callsite("f" at "g"))
    %2 = "stablehlo.gather"(%x, %i) <{
        dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                              start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 5>}> : (tensor<3x5xf32>, tensor<2x1xi32>) -> tensor<2x5xf32>
    %3 = "stablehlo.scatter"(%x, %i, %2) <{
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
            inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
        unique_indices = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %b : tensor<f32>
      }) : (tensor<3x5xf32>, tensor<2x1xi32>, tensor<2x5xf32>) -> tensor<3x5xf32>
    %4 = "stablehlo.all_reduce"(%3) <{
        channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %5:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 3>,
        is_host_transfer = true}> : (!stablehlo.token) -> (tensor<3x5xf32>, !stablehlo.token)
    %6 = stablehlo.custom_call @foo(%4) {backend_config = "a", called_computations = [@half],
        api_version = 2 : i32, mhlo.frontend_attributes = {x = "y"}} : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %7 = stablehlo.slice %6 [0:3:2, 1:5] : (tensor<3x5xf32>) -> tensor<2x4xf32>
    %8 = call @half(%6) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    return %8 : tensor<3x5xf32>
  }
  func.func private @half(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %1 = stablehlo.select %0, %x, %x : tensor<3x5xi1>, tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
}
"""


def write(text, version):
    with mlir.make_ir_context() as context:
        return stablehlo.serialize_portable_artifact(ir.Module.parse(text, context), version)


def read_by_jaxlib(artifact):
    with mlir.make_ir_context() as context:
        module = stablehlo.deserialize_portable_artifact(context, artifact)
        text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    return ta.Module(text).asm(generic=True, locations=True)


@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_and_locations_are_those_of_jaxlib(version):
    artifact = write(PROGRAM, version)
    assert ta.Module(artifact).asm(generic=True, locations=True) == read_by_jaxlib(artifact)


@pytest.mark.parametrize("element", """
    i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64 i1 f16 bf16 f32 f64 tf32 complex<f32>
    complex<f64> f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E5M2 f8E4M3FNUZ
    f8E5M2FNUZ f8E4M3B11FNUZ f8E8M0FNU !quant.uniform<i8:f32,0.5:3>
    !quant.uniform<i8<-3:7>:f32:1,{0.5:1,2.0:-1}>""".split())
def test_each_type_of_elements(element):
    text = f"""func.func @main(%x: tensor<?x2x{element}>) -> tensor<?x2x{element}> {{
      return %x : tensor<?x2x{element}>
    }}"""
    with mlir.make_ir_context() as context:
        # The pass brings the dialect of quantised types.
        stablehlo.register_stablehlo_passes()
        passes = mlir.passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)")
        passes.run(ir.Module.parse("", context).operation)
        artifact = stablehlo.serialize_portable_artifact(
            ir.Module.parse(text, context), stablehlo.get_current_version())
    assert ta.Module(artifact).asm(generic=True, locations=True) == read_by_jaxlib(artifact)


def test_bounds_and_tuples():
    text = """func.func @main(%x: tensor<?x3xf32, #stablehlo.bounds<4, ?>>)
        -> tuple<tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tuple<>> {
      %0 = stablehlo.tuple : tuple<>
      %1 = stablehlo.tuple %x, %0 : tuple<tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tuple<>>
      return %1 : tuple<tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tuple<>>
    }"""
    artifact = write(text, "1.0.0")
    assert ta.Module(artifact).asm(generic=True, locations=True) == read_by_jaxlib(artifact)


def test_attributes_of_other_kinds_and_large_lines():
    text = """module attributes {a.a = 70000 : i512, a.b = array<i64: 1, 2>, a.c = [1.5 : f16, unit,
        @x::@y, dense<[true, false]> : tensor<2xi1>, affine_map<(d0) -> (d0)>, #x.y<foo>,
        strided<[1], offset: 3>, "s" : i3, memref<3xf32, 1>, vector<[4]xf32>]} {
      func.func private @f() loc("f.py":1000000:70000 to 2000000:500000)
      func.func private @g() loc(fused<"m">["f.py":1000000:70000, "a"("b"), callsite("x" at "y")])
    }"""
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        artifact = stablehlo.serialize_portable_artifact(ir.Module.parse(text, context), "1.0.0")
        module = stablehlo.deserialize_portable_artifact(context, artifact)
        wanted = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    assert (ta.Module(artifact).asm(generic=True, locations=True)
            == ta.Module(wanted).asm(generic=True, locations=True))


def test_ops_of_shardy():
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x", None))
    function = jax.jit(lambda x: jax.lax.with_sharding_constraint(x @ x, sharding),
                       in_shardings=sharding)
    exported = jax.export.export(function)(jax.ShapeDtypeStruct((4, 4), jnp.float32))
    artifact = exported.mlir_module_serialized
    got = ta.Module(artifact).asm(generic=True, locations=True)
    assert "sdy.sharding_constraint" in got
    assert got == read_by_jaxlib(artifact)


def test_an_export_needs_no_jax(tmp_path):
    exported = jax.export.export(jax.jit(lambda x: jnp.cumsum(jnp.sin(x))))(
        jax.ShapeDtypeStruct((5,), jnp.float32))
    x = np.linspace(-1, 1, 5, dtype=np.float32)
    path = tmp_path / "f.bc"
    path.write_bytes(exported.mlir_module_serialized)
    np.testing.assert_allclose(ta.Module(exported).compile()(x), exported.call(x), rtol=1e-6)
    code = f"""
import sys
sys.modules["jax"] = sys.modules["jaxlib"] = None
import tensoraccess as ta
print(ta.Module({str(path)!r}).functions[0].inputs)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['tensor<5xf32>']\n"


def test_what_is_newer_or_damaged_is_an_error():
    artifact = write(PROGRAM, "1.0.0")
    with pytest.raises(ta.Error, match=r"0:0: error: the artifact is of StableHLO_v1.21.0, but "
                                       r"versions of StableHLO are read up to 1.20"):
        ta.Module(artifact.replace(b"StableHLO_v1.0.0", b"StableHLO_v1.21.0"))
    for end in range(20, len(artifact), 7):
        with pytest.raises(ta.Error, match="at byte|is missing"):
            ta.Module(artifact[:end])
    # A list of 2**63 elements, in an attribute and in a location.
    for name in (b"\x0b", b"\x15"):
        at = artifact.index(name, 40)
        with pytest.raises(ta.Error):
            ta.Module(artifact[:at] + b"\x00" + b"\xff" * 8 + artifact[at + 1:])


@pytest.mark.parametrize("depth, error", [
    (20, None), (40, "is larger than"), (1100, "are nested deeper than 1024")])
def test_attributes_that_hold_one_twice(depth, error):
    with mlir.make_ir_context() as context:
        attribute = ir.StringAttr.get("x")
        for _ in range(depth):
            attribute = ir.ArrayAttr.get([attribute, attribute] if depth < 100 else [attribute])
        module = ir.Module.parse("module {}", context)
        module.operation.attributes["a.a"] = attribute
        artifact = stablehlo.serialize_portable_artifact(module, "1.0.0")
    if error is None:
        assert ta.Module(artifact).asm().count('"x"') == 2**depth
    else:
        with pytest.raises(ta.Error, match=error):
            ta.Module(artifact)


def test_benches(root, tmp_path):
    inputs = root / "test" / "Tools" / "Inputs"
    for command in (["vhlo_artifacts.py", inputs / "mean-0.9.0.bc", inputs / "mixed-1.17.0.bc"],
                    ["fuzz_vhlo.py", inputs / "mean-0.9.0.bc", inputs / "mixed-1.17.0.bc",
                     "--artifacts", "500", "--last", tmp_path]):
        done = subprocess.run([sys.executable, root / "bench" / command[0], *command[1:]],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
