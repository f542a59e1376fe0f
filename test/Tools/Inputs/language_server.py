"""A client of the language server: each check is one thing that an editor does."""
import json
import subprocess
import sys

URI = "file:///program.mlir"
PROGRAM = """\
#window = #tensoraccess.indexing_map<(d0)[s0] -> (d0 + s0, (d0 * 8) floordiv 4),
  domain: d0 in [0, 9], s0 in [0, 2], d0 + s0 in [0, 10]> // -> a comment
#tiled = #tensoraccess.layout<{1,0:T(2,2)}>
func.func private @f(tensor<3x5xf32, #tiled>) attributes {
  a = "\u00e4\U0001d504", b = #tensoraccess.projection<[[-1], [2]] + [7, 0],
    shape = [3, 4], oob = [wrap, pad(0.0)]>,
  c = tensor<4x3xf32, #tensoraccess.strided<((2,2),3):((1,6),2)>>,
  d = #tensoraccess.linear<{lane = [[0, 1]], warp = [[1, 0]]} -> [2, 2]>,
  e = memref<?x256xbf16, #tensoraccess.layout<{1,0:T(8,128)}>>,
  f = #tensoraccess.indexing_map<unknown>, g = #window_of_no_one}
"""


class Client:
    def __init__(self, server):
        self.server = subprocess.Popen(
            [server, "--log=error"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self.diagnostics = []
        self.text = ""

    def write(self, body):
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def read(self):
        size = 0
        while (line := self.server.stdout.readline().strip()) != b"":
            size = int(line.split(b":")[1])
        assert size, "the server has ended"
        message = json.loads(self.server.stdout.read(size))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics.append(message["params"])
        return message

    def call(self, method, params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while (answer := self.read()).get("id") != self.number:
            pass
        return answer

    def next_diagnostics(self, uri=URI):
        self.diagnostics.clear()
        while not self.diagnostics or self.diagnostics[-1]["uri"] != uri:
            self.read()
        return self.diagnostics[-1]["diagnostics"]

    def open(self, text, uri=URI):
        self.text = text
        self.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "mlir", "version": 1, "text": text}})
        return self.next_diagnostics(uri)

    def change(self, text, *changes):
        self.text = text
        self.send(method="textDocument/didChange", params={
            "textDocument": {"uri": URI, "version": 2},
            "contentChanges": list(changes) or [{"text": text}]})
        return self.next_diagnostics()

    def position(self, index):
        line = self.text.count("\n", 0, index)
        begin = self.text.rfind("\n", 0, index) + 1
        units = len(self.text[begin:index].encode("utf-16-le")) // 2
        return {"line": line, "character": units}

    def hover(self, what, uri=URI):
        """The Markdown over the place where a text first begins, and its range."""
        answer = self.call("textDocument/hover", {
            "textDocument": {"uri": uri},
            "position": self.position(self.text.index(what))})
        result = answer["result"]
        if not result:
            return None, None
        assert result["contents"]["kind"] == "markdown"
        return result["contents"]["value"], result["range"]

    def range(self, begin, end):
        """From where a text begins to where another one ends."""
        first = self.text.index(begin)
        return {"start": self.position(first),
                "end": self.position(self.text.index(end, first) + len(end))}


def expect(markdown, *parts):
    for part in parts:
        assert markdown and part in markdown, f"no {part!r} in:\n{markdown}"


def check_hovers(client):
    # A map over two lines: its text, its size, ranges and points.
    text, where = client.hover("s0 in")
    expect(text, "(d0)[s0] -> (d0 + s0, d0 * 2)", "29 points, 29 different",
           "| `d0` | 0 … 9 |", "| result 0: `d0 + s0` | 0 … 10 |",
           "| result 1: `d0 * 2` | within 0 … 18 |", "| (1)[2] | (3, 2) |")
    assert where == client.range("#tensoraccess.indexing_map", "[0, 10]>")
    # An alias is what it stands for, where it is defined and where it is used.
    text, where = client.hover("#window")
    expect(text, "29 points")
    assert where == client.range("#window", "#window")
    for place in ("#tiled =", "#tiled>"):
        expect(client.hover(place)[0], "`{1,0:T(2,2)}` of `3x5xf32`",
               "96 bytes", "9 of padding", "2  12  13│ 16  17│ 20   ·")
    # Behind characters of two and of four bytes.
    text, where = client.hover("[7, 0]")
    expect(text, "| 0 | `-i0 + 7` | 3 | wrap |", "| 1 | `2 * i0` | 4 | pad(0.0) |",
           "| (1) | [6, 9) x [2, 6) |")
    assert where == client.range("#tensoraccess.projection", "pad(0.0)]>")
    expect(client.hover("((1,6)")[0], "Strided layout", "4x3xf32", "48 bytes")
    expect(client.hover("warp")[0], "Linear layout", "each once")
    expect(client.hover("8,128")[0], "ceildiv(n0, 8) * 4096 bytes")
    expect(client.hover("unknown>")[0], "anything may be read")
    # What is not ours, or not there.
    assert client.hover("#window_of_no_one") == (None, None)
    assert client.hover("attributes") == (None, None)
    assert client.hover("#tiled", "file:///other.mlir") == (None, None)


def check_typing(client):
    # While the user types, errors are where they are; hovers over the rest go on.
    wrong = PROGRAM.replace("T(2,2)", "T(2,0)").replace("#window_of_no_one", "1")
    (error, *_) = client.change(wrong)
    assert error["message"] == "tile 0 entry 1 must be positive, got 0", error
    assert error["range"]["start"]["line"] == 2, error
    assert client.hover("#tiled") == (None, None)
    expect(client.hover("s0 in")[0], "29 points")
    # A change of a part, in UTF-16; and a text that ends within an attribute.
    begin = client.text.index("[7, 0]")
    place = {"start": client.position(begin), "end": client.position(begin + 2)}
    client.change(wrong.replace("[7, 0]", "[5, 0]"),
                  {"range": place, "text": "[5"})
    expect(client.hover("[5, 0]")[0], "`-i0 + 5`")
    (error, *_) = client.change("#a = #tensoraccess.indexing_map<(d0) -> (d0 +")
    assert error["range"]["start"]["line"] == 0, error
    assert client.hover("d0") == (None, None)
    client.change("")
    assert client.call("textDocument/hover", {
        "textDocument": {"uri": URI}, "position": {"line": 7, "character": 9},
    })["result"] is None


DUMP = """\
HloModule mean

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %add = f32[] add(%a, %b)
}

fused {
  p = f32[4,6]{0,1:T(2,2)} parameter(0), metadata={op_name="p /* \u00e4 */ sum"}
  zero = f32[] constant(0)
  ROOT s = f32[4] reduce(p, zero), dimensions={1}, to_apply=%sum
}

ENTRY main {
  a = f32[4,6]{0,1:T(2,2)} parameter(0) // sum
  ROOT y = f32[4] fusion(a), kind=kInput, calls=fused, metadata={source_file="m.py" source_line=3}
}
"""


def check_hlo(client, artifact):
    uri = "file:///dump.hlo"
    place = {"textDocument": {"uri": uri}}

    def ask(what, method, **more):
        return client.call("textDocument/" + method, {
            **place, "position": client.position(client.text.index(what)), **more})["result"]

    assert client.open(DUMP, uri) == []
    # What an instruction reads, as tensoraccess-ask says it.
    text, where = client.hover("y = ", uri)
    expect(text, "96 bytes", "y     fusion kInput", "(d0)[s0] -> (d0, s0)", "m.py:3")
    assert where == client.range("y = ", "y")
    # A name is that of the computation around it; shapes have their layout.
    expect(client.hover("s = ", uri)[0], "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3]")
    expect(client.hover("f32[4,6]{0,1:T(2,2)} p", uri)[0], "`f32[4,6]{0,1:T(2,2)}`", "96 bytes")
    assert client.hover("HloModule", uri) == (None, None)
    # Definitions and uses, not what only looks like them.
    for use, definition in (("%sum\n", "sum (a"), ("zero), dim", "zero ="), ("fused, meta", "fused {"),
                            ("a), kind", "a = f32[4"), ("p, zero", "p = f32[4")):
        [found] = ask(use, "definition")
        first = client.text.index(definition)
        assert found["uri"] == uri and found["range"]["start"] == client.position(first), use
    assert ask("ROOT %add = f32[] add(%a", "definition") == []
    uses = ask("sum (a", "references", context={"includeDeclaration": True})
    assert [use["range"]["start"]["line"] for use in uses] == [2, 11], uses
    uses = ask("%a = ", "references", context={"includeDeclaration": True})
    assert [use["range"]["start"]["line"] for use in uses] == [3, 5], uses
    symbols = ask("HloModule", "documentSymbol")
    assert [(s["name"], s["detail"], [c["name"] for c in s["children"]]) for s in symbols] == [
        ("sum", "", ["a", "b", "add"]), ("fused", "", ["p", "zero", "s"]), ("main", "ENTRY", ["a", "y"])]
    assert symbols[1]["children"][2]["detail"] == "f32[4] reduce"
    for method in ("completion", "codeAction", "inlayHint"):
        assert ask("HloModule", method) is None

    # Every beginning of it: an error at its place, and names are still found.
    def change(text):
        client.text = text
        client.send(method="textDocument/didChange", params={
            "textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
        return client.next_diagnostics(uri)

    [error] = change(DUMP.replace("reduce(", "reduced("))
    assert error["message"] == "no opcode 'reduced'", error
    assert error["range"] == client.range("reduced", "reduced")
    assert client.hover("y = ", uri) == (None, None)
    assert ask("zero), dim", "definition")
    [error] = change(DUMP.replace("{0,1:T(2,2)} par", "{0,1:T(2,0)} par", 1))
    assert error["range"]["start"]["line"] == 9, error
    for size in range(10, len(DUMP), 7):
        assert len(change(DUMP[:size])) <= 1
        ask("HloModule", "documentSymbol")
        client.hover("HloModule", uri)
    # What is cleared is MLIR again, and what is pasted over MLIR is HLO.
    assert change("") == []
    [error] = change("func.func @f() { foo }")
    assert "foo" in error["message"], error
    assert change(DUMP) == []
    assert client.hover("y = ", uri)[0]
    client.send(method="textDocument/didClose", params=place)
    assert client.next_diagnostics(uri) == []
    # StableHLO in its ordinary text is MLIR.
    assert client.open("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                       "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n"
                       "  return %0 : tensor<4xf32>\n}", "file:///a.mlir") == []
    # Bytecode is refused as text, and an artifact is read as a file.
    [error] = client.open("ML\ufffdR\u0006StableHLO_v1.17.0\u0000", "file:///a.bc")
    assert "tensoraccess-opt" in error["message"], error
    text = client.call("mlir/convertFromBytecode", {"uri": "file://" + artifact})
    assert "stablehlo.divide" in text["result"]["output"], text


def check_nonsense(client):
    # What is not a message has an error as its answer, and nothing ends.
    for text in b"{", b"[1]", b'{"id": 1, "method": "shutdown"}':
        client.write(text)
        while "error" not in (answer := client.read()):
            pass
        assert answer["id"] is None and answer["error"]["code"] == -32600, answer
    client.send(method="textDocument/didOpen", params={})
    client.send(method="textDocument/didChange", params={
        "textDocument": {"uri": 1}, "contentChanges": 2})
    answer = client.call("textDocument/hover", {"textDocument": {"uri": URI}})
    assert "error" in answer, answer
    client.open(PROGRAM)
    expect(client.hover("s0 in")[0], "29 points")


if __name__ == "__main__":
    client = Client(sys.argv[1])
    capabilities = client.call("initialize", {
        "processId": None, "rootUri": None, "capabilities": {}})["result"]
    assert capabilities["capabilities"]["hoverProvider"]
    (error, *_) = client.open(PROGRAM)
    assert "undefined symbol alias" in error["message"], error
    check_hovers(client)
    check_typing(client)
    check_hlo(client, sys.argv[2])
    check_nonsense(client)
    client.call("shutdown", None)
    client.send(method="exit")
    assert client.server.wait() == 0
    # An editor that goes away without a word.
    client = Client(sys.argv[1])
    client.server.stdin.close()
    assert client.server.wait() == 1
    print("hovers, typing, HLO, nonsense")
