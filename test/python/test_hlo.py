# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HLO text, as XLA prints it before and after optimisation."""

import subprocess
import sys

import numpy as np
import pytest

import tensoraccess as ta

DUMP = """HloModule f, entry_computation_layout={(f32[4,6]{1,0})->(f32[4]{0}, f32[6,4]{0,1})}

FileNames
1 "model.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=3 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

%fused (p: f32[4,6]) -> f32[4] {
  %p = f32[4,6]{1,0} parameter(0)
  %zero = f32[] constant(0)
  %half = f32[] constant(0.5)
  %halves = f32[4,6]{1,0} broadcast(%half), dimensions={}
  %m = f32[4,6]{1,0} multiply(%p, %halves)
  ROOT %r = f32[4]{0} reduce(%m, %zero), dimensions={1}, to_apply=%sum
}

ENTRY %main.3 (x: f32[4,6]) -> (f32[4], f32[6,4]) {
  %x = f32[4,6]{1,0} parameter(0)
  %y = f32[4]{0} fusion(%x), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/sum" stack_frame_id=1}
  %t = f32[6,4]{0,1} bitcast(%x)
  ROOT %out = (f32[4]{0}, f32[6,4]{0,1}) tuple(%y, /*index=1*/%t)
}
"""


def test_reads_and_runs():
    module = ta.Module(DUMP)
    assert [f.name for f in module.functions] == ["main", "fused"]
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    for run in (module.compile(), module.interpret()):
        sums, transposed = run(x)
        np.testing.assert_array_equal(sums, x.sum(1) / 2)
        # The same memory, by columns.
        np.testing.assert_array_equal(transposed, x.T)
    text = module.asm(locations=True)
    assert 'kind = "kLoop", opcode = "fusion"' in text
    assert 'loc("jit(f)/sum"' in text and '"model.py":7:3' in text


def test_maps_go_through_fusions():
    indexing = ta.Module(DUMP).function_indexing("main")
    (sums,) = indexing.output_to_input[0][0]
    assert str(sums).startswith("(d0)[s0] -> (d0, s0)")
    (transposed,) = indexing.output_to_input[1][0]
    assert str(transposed).startswith("(d0, d1) -> (d1, d0)")


@pytest.mark.parametrize(
    "source, result, is_view",
    [
        ("f32[16,128]{1,0:T(8,128)}", "f32[1,16,128]{2,1,0:T(8,128)}", True),
        ("f32[16,128]{1,0:T(8,128)}", "f32[2,8,128]{2,1,0:T(8,128)}", True),
        ("f32[16,128]{1,0:T(8,128)}", "f32[128,16]{0,1:T(8,128)}", True),
        ("f32[16,256]{1,0:T(8,128)}", "f32[16,256]{1,0:T(4,128)}", False),
        ("f32[16,256]{1,0:T(8,128)}", "f32[4096]{0:T(1024)}", False),
        ("f32[6,10]{0,1}", "f32[5,12]{1,0}", True),
        ("f32[6,10]{0,1}", "f32[3,2,10]{1,0,2}", True),
    ],
)
def test_bitcasts_keep_places_in_memory(source, result, is_view):
    module = ta.Module(f"HloModule m\nENTRY e {{\n  x = {source} parameter(0)\n"
                       f"  ROOT y = {result} bitcast(x)\n}}")
    assert ("mhlo.bitcast" in module.asm()) == (not is_view)
    if not is_view:
        return
    a, b = ta.Layout(source), ta.Layout(result)
    x = np.arange(np.prod(a.shape), dtype=np.float32).reshape(a.shape)
    y = module.compile()(x)
    memory = {a.linearize(i): x[i] for i in np.ndindex(*a.shape)}
    assert all(y[i] == memory[b.linearize(i)] for i in np.ndindex(*b.shape))


def test_without_a_first_line_and_marks():
    module = ta.Module("ENTRY e {\n  x = s32[3] parameter(0)\n  ROOT y = s32[3] add(x, x)\n}")
    np.testing.assert_array_equal(module.compile()(np.arange(3, dtype=np.int32)), [0, 2, 4])


def test_values_that_are_left_out_are_arguments():
    module = ta.Module(
        "HloModule m\nf {\n  c = f32[2] constant({...})\n  p = f32[2] parameter(0)\n"
        "  ROOT r = f32[2] add(p, c)\n}\nENTRY e {\n  x = f32[2] parameter(0)\n"
        "  w = f32[2] constant({...}), sharding={replicated}\n  y = f32[2] multiply(x, w)\n"
        "  ROOT z = f32[2] call(y), to_apply=f\n}"
    )
    text = module.asm()
    assert '{mhlo.sharding = "{replicated}", tensoraccess.literal = "w"}' in text
    assert 'tensoraccess.literal = "z/c"' in text
    x, w, c = (np.array(v, np.float32) for v in ([1, 2], [3, 4], [5, 6]))
    for run in (module.compile(), module.interpret()):
        np.testing.assert_array_equal(run(x, w, c), x * w + c)
        with pytest.raises(ta.Error, match="the last 2 are constants .*: w, z/c"):
            run(x)


@pytest.mark.parametrize(
    "body, message",
    [
        ("x = f32[2] parameter(0)", r"4:1: .*expected '}' after the instructions of 'e'"),
        ("x = f32[2] parameter(0)\n  ROOT y = f32[2] foo(x)\n}", r"4:19: .*no opcode 'foo'"),
        ("x = f32[2] parameter(0)\n  ROOT y = f32[2] negate(z)\n}", r"4:26: .*no instruction 'z' before"),
        ("x = q7[2] parameter(0)\n}", r"3:7: .*no element type 'q7'"),
        ("ROOT c = f32[3] constant({1, 2})\n}", r"expected 3 in this list, found 2"),
        ("ROOT c = s8[] constant(300)\n}", r"'300' does not fit 8 bits"),
        ("ROOT x = f32[2,3]{0,0} parameter(0)\n}", r"3:20: .*this layout"),
        ("x = f32[2] parameter(1)\n  ROOT y = f32[2] negate(x)\n}", r"no parameter 0"),
        ("x = f32[2] parameter(0)\n  x = f32[2] negate(x)\n}", r"a second instruction with the name 'x'"),
        ("x = f32[2] parameter(0)\n  ROOT y = f32[] reduce(x, x), dimensions={0}, to_apply=g\n}", r"no computation 'g'"),
        ("x = f32[2] parameter(0)\n  ROOT y = f32[1] slice(x), slice={[0-1]}\n}", r"expected '\[start:limit:stride\]'"),
        ("x = (f32[2], s32[]) parameter(0)\n  ROOT y = f32[2] get-tuple-element(x), index=2\n}", r"has no element 2"),
    ],
)
def test_says_what_is_wrong_and_where(body, message):
    with pytest.raises(ta.Error, match=message):
        ta.Module("HloModule m\nENTRY e {\n  " + body + ("\n" if body.endswith(")") else ""))


def test_what_a_review_found():
    """Elided constants of a loop, payloads, callers, shardings, strings, pairs."""
    loop = ta.Module(
        "HloModule m\ncond {\n  p = (s32[], s32[1]) parameter(0)\n"
        "  i = s32[] get-tuple-element(p), index=0\n  c = s32[1] constant({...})\n"
        "  l = s32[] reshape(c)\n  ROOT r = pred[] compare(i, l), direction=LT\n}\n"
        "body {\n  p = (s32[], s32[1]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
        "  x = s32[1] get-tuple-element(p), index=1\n  c = s32[1] constant({...})\n"
        "  l = s32[] reshape(c)\n  j = s32[] add(i, l)\n  y = s32[1] add(x, x)\n"
        "  ROOT r = (s32[], s32[1]) tuple(j, y)\n}\nENTRY e {\n  z = s32[] constant(0)\n"
        "  x = s32[1] parameter(0)\n  t = (s32[], s32[1]) tuple(z, x)\n"
        "  ROOT w = (s32[], s32[1]) while(t), condition=cond, body=body\n}"
    ).compile()
    one, six, two = (np.array([v], np.int32) for v in (1, 6, 2))
    i, x = loop(one, six, two)  # the limit, then the step
    assert i == 6 and x[0] == 8

    def text(body):
        return ta.Module("HloModule m\nENTRY e {\n  x = f32[2] parameter(0), sharding={replicated}\n" + body + "\n}").asm()

    bits = text("  ROOT c = f32[3] constant({nan(0x1), -nan(0x200000), -0})")
    assert "0x7F800001, 0xFFA00000, -0.000000e+00" in bits and 'mhlo.sharding = "{replicated}"' in bits
    call = text('  ROOT c = f32[2] custom-call(x), custom_call_target="f", backend_config="{\\"a\\": \\"b\\"}"')
    assert r'backend_config = "{\22a\22: \22b\22}"' in call
    assert "call @f(" in ta.Module(
        "HloModule m\nf {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] negate(x)\n}\n"
        "ENTRY e {\n  x = f32[2] parameter(0)\n"
        "  s = ((f32[2]), f32[2], u32[]) call-start(x), to_apply=f\n  ROOT d = f32[2] call-done(s)\n}"
    ).asm()
    frames = (
        "HloModule m\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"outer\"\n2 \"inner\"\n\n"
        "FileLocations\n1 {file_name_id=1 function_name_id=1 line=9 column=1}\n"
        "2 {file_name_id=1 function_name_id=2 line=3 column=2}\n\n"
        "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n2 {file_location_id=2 parent_frame_id=2}\n\n"
        "ENTRY e {\n  x = f32[2] parameter(0)\n"
        "  ROOT y = f32[2] negate(x), metadata={op_name=\"neg\" stack_frame_id=2}\n}"
    )
    located = ta.Module(frames).asm(locations=True)
    assert "loc(callsite(" in located
    assert 'loc("a.py":3:2)' in located and 'loc("a.py":9:1)' in located


def test_what_is_too_deep_or_too_much_is_refused():
    for text, message in [
        ("ENTRY e {\n  x = " + "(" * 5000 + "f32[]", "brackets are open"),
        ("ENTRY e {\n  x = f32[] " + "add(f32[] " * 5000, "brackets are open"),
        ("ENTRY e {\n  ROOT x = f32[" + "1," * 5000 + "1] parameter(0)\n}", "dimensions"),
        (
            "c0 {\n  x = f32[] parameter(0)\n  ROOT y = f32[] add(x, x)\n}\n"
            + "".join(
                f"c{i} {{\n  x = f32[] parameter(0)\n  y = f32[] call(x), to_apply=c{i - 1}\n"
                f"  ROOT z = f32[] call(y), to_apply=c{i - 1}\n}}\n"
                for i in range(1, 40)
            )
            + "ENTRY e {\n  x = f32[4] parameter(0)\n"
            "  ROOT y = f32[4] map(x), dimensions={0}, to_apply=c39\n}",
            "inlined",
        ),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.Module("HloModule m\n" + text)


def test_dumps_of_jax(root):
    pytest.importorskip("jax")
    for name in ("attention", "conv_groups", "scatter", "while", "sort", "many"):
        done = subprocess.run(
            [sys.executable, root / "bench" / "hlo_dumps.py", "--only", name],
            capture_output=True, text=True, timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.count("1 of 1 right") == 2


def test_damaged_dumps(root, tmp_path):
    (tmp_path / "f.hlo").write_text(DUMP)
    done = subprocess.run(
        [sys.executable, root / "bench" / "fuzz_hlo.py", tmp_path / "f.hlo",
         "--programs", "300", "--last", tmp_path / "last.hlo"],
        capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_constants_that_mlir_leaves_out():
    module = ta.Module("""
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense_resource<__elided__> : tensor<2x3xf32>
  %0 = stablehlo.add %x, %c : tensor<2x3xf32>
  %1 = call @g(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = call @g(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
func.func private @g(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense_resource<__elided__> : tensor<2x3xf32> loc("weights")
  %0 = stablehlo.multiply %x, %c : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}""")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    with pytest.raises(ta.Error, match="leaves out: constant.0, g/weights, g/weights"):
        module.compile()(x)
    np.testing.assert_array_equal(module.compile()(x, x, x + 1, x - 1), 2 * x * (x + 1) * (x - 1))


SHARDED = """HloModule m, num_partitions=2, buffer_donor={ (1, {}) }, frontend_attributes={fingerprint="a\\"b"}

%inner (a: f32[4]) -> f32[4] {
  %a = f32[4] parameter(0), sharding={replicated}
  ROOT %n = f32[4] negate(%a), sharding={devices=[2]<=[2]}
}

ENTRY %e {
  %t = (f32[4], (f32[4], s32[])) parameter(0), sharding={{devices=[2]<=[2]}, {replicated}, /*index=2*/{maximal device=1}}
  %u = f32[4] parameter(1), sharding={devices=[2]0,1 metadata={op_name="a, b"}}, frontend_attributes={k="v",l={1,2}}
  %g = f32[4] get-tuple-element(%t), index=0
  %h = f32[4] call(%g), to_apply=%inner, sharding={replicated}
  %p = (f32[4], s32[]) get-tuple-element(%t), index=1
  ROOT %r = (f32[4], (f32[4], s32[]), f32[4]) tuple(%h, %p, %u), sharding={{devices=[2]0,1}, {replicated}, {maximal device=1}, {devices=[2]<=[2]}}
}
"""


@pytest.mark.parametrize("root", [
    "(f32[4]{0}) tuple(%x), sharding={{replicated}}",
    "(f32[4]{0}, f32[4]{0}) tuple(%x, %x), sharding={replicated}",
    "f32[4]{0} add(%x, %x), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}",
    'token[] outfeed(%x, token[] after-all()), outfeed_shape=f32[4]{0}, sharding={{devices=[4]<=[4]}, {maximal device=0}}',
    None,
])  # fmt: skip
def test_shardings_are_those_of_xlas_importer(root):
    pytest.importorskip("jax")
    from jax._src.interpreters import mlir
    from jaxlib import _hlo, _jax
    from jaxlib.mlir import ir

    text = SHARDED if not root else (
        "HloModule m, num_partitions=4\nENTRY %e {\n  %x = f32[4]{0} parameter(0)\n  ROOT %r = " + root + "\n}")
    proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    with mlir.make_ir_context():
        theirs = str(ir.Module.parse(_jax.mlir.hlo_to_stablehlo(proto)))
    ours = ta.Module(text).asm()

    def sharded(text):
        # An outfeed is spelt otherwise.
        return sorted(line.strip() for line in text.splitlines()
                      if "mhlo.sharding" in line and "outfeed" not in line)

    assert sharded(ours) == sharded(theirs) != []
    if not root:
        assert 'mhlo.buffer_donor = "{ (1, {}) }", mhlo.frontend_attributes = {fingerprint = "a\\22b"}' in ours


def test_what_ops_have_no_room_for_is_kept():
    text = ta.Module(r"""HloModule m
f { p = f32[4] parameter(0)  ROOT n = f32[4] negate(p) }
ENTRY e {
  x = f32[4] parameter(0)
  e = f32[4] exponential(x), result_accuracy={mode=highest}, backend_config={"a":"\n","b":["c"]}
  c = f32[4] call(e), to_apply=f, backend_config="{\"d\":1}"
  ROOT y = f32[4] fusion(c), kind=kLoop, calls=f, backend_config={"k":1}
}""").asm()
    for part in (r'mhlo.backend_config = "{\22a\22:\22\\n\22,\22b\22:[\22c\22]}"', 'mhlo.result_accuracy = "{mode=highest}"',
                 r'call @f(%0) {mhlo.backend_config = "{\22d\22:1}"}',
                 r'{tensoraccess.hlo = {backend_config = "{\22k\22:1}", kind = "kLoop", opcode = "fusion"}}'):
        assert part in text, text


def test_binary_hlo_is_refused_by_its_content():
    pytest.importorskip("jax")
    from jaxlib import _hlo

    proto = _hlo.hlo_module_from_text(DUMP).as_serialized_hlo_module_proto()
    with pytest.raises(ta.Error, match="HLO is read as text, and .hlo.pb is binary"):
        ta.Module(proto)


def test_shardings_of_too_few_arrays():
    wrong = SHARDED.replace("{replicated}, {maximal device=1}, {dev", "{dev")
    with pytest.raises(ta.Error, match=r"14:75: .*shardings of 2 arrays, and the shape has 4"):
        ta.Module(wrong)


def test_instructions_and_computations_in_place():
    module = ta.Module("""
ENTRY e {
  p = pred[] parameter(1)
  x = add(f32[4] parameter(0), multiply(f32[4] parameter(2), f32[4] parameter(3)))
  c = f32[4] conditional(p, x, x), branch_computations={{
    a = f32[4] parameter(0)
    ROOT n = f32[4] negate(a) }, { a = f32[4] parameter(0)
    ROOT n = f32[4] abs(a) }}
  zero = f32[] constant(0)
  s = f32[] reduce(c, zero), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT s = f32[] add(a, b)
  }
  ROOT d = f32[] call(s), to_apply={
    a = f32[] parameter(0)
    ROOT m = add(a, multiply(a, a)) }, frontend_attributes={a="b"}
}""")
    assert 'frontend_attributes = {a = "b"}' in module.asm()
    x, y, z = np.random.default_rng(1).integers(-4, 5, (3, 4)).astype(np.float32)
    for p in (True, False):
        # True is the first of two branches.
        s = np.float32((-(x + y * z) if p else abs(x + y * z)).sum())
        for run in (module.compile(), module.interpret()):
            assert run(x, p, y, z) == s + s * s
    with pytest.raises(ta.Error, match="3:31: .*no opcode 'foo'|the shape of 'foo' must be given"):
        ta.Module("ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(foo(x))\n}")
    with pytest.raises(ta.Error, match="more than 256 brackets are open"):
        ta.Module("ENTRY e {" + "x = f32[4] call(), to_apply={" * 300)
