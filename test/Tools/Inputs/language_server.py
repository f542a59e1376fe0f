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

    def next_diagnostics(self):
        self.diagnostics.clear()
        while not self.diagnostics:
            self.read()
        return self.diagnostics[0]["diagnostics"]

    def open(self, text, uri=URI):
        self.text = text
        self.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "mlir", "version": 1, "text": text}})
        return self.next_diagnostics()

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
    check_nonsense(client)
    client.call("shutdown", None)
    client.send(method="exit")
    assert client.server.wait() == 0
    # An editor that goes away without a word.
    client = Client(sys.argv[1])
    client.server.stdin.close()
    assert client.server.wait() == 1
    print("hovers, typing, nonsense")
