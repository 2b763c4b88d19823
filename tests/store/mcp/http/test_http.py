#!/usr/bin/env python3
"""HTTP byte by byte, against the program: access, refusals, both eras, streams and sessions; and that slow, huge, deaf or
disconnected clients do not affect others. Over TCP and over the Unix socket.

Each test is a function with its own server and store, in its own process. `test_http.py NAME…` runs only those."""
import concurrent.futures, contextlib, json, os, re, select, shutil, signal, socket, sqlite3, stat, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../../../.."))
STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))
WAIT = 60  # seconds to wait for expected output
PLACES, STRANGERS = 256, 512
JSON = "Content-Type: application/json\r\n"
ACCEPT = "Accept: application/json, text/event-stream\r\n"
OLD, NEW = "2025-11-25", "2026-07-28"
UNKNOWN = "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n"
TESTS = {}


def test(f):
    TESTS[f.__name__] = f
    return f


# ---- messages ----

def message(method, params=None, id=1):
    m = {"jsonrpc": "2.0", "id": id, "method": method}
    if id is None:
        del m["id"]
    if params is not None:
        m["params"] = params
    return json.dumps(m, separators=(",", ":"))


def meta(client=None, agent=None, task=None, version=NEW):
    m = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    if client:
        m["io.modelcontextprotocol/clientInfo"] = {"name": client, "version": "1"}
    if agent:
        m["dev.stemma/agent_id"] = agent
    if task:
        m["dev.stemma/task_id"] = task
    return {"_meta": m}


def call(tool, arguments, id=1, **more):
    return message("tools/call", {"name": tool, "arguments": arguments, **more}, id)


def initialize(version=OLD, client="tester"):
    return message("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": client, "version": "9"}}, 0)


def modern(method, name=None):
    return f"MCP-Protocol-Version: {NEW}\r\nMcp-Method: {method}\r\n" + (f"Mcp-Name: {name}\r\n" if name else "")


PING = message("ping")
DISCOVER = message("server/discover", meta(), "d")
LISTEN = message("subscriptions/listen", {"notifications": {}, **meta()}, "s")
LIST = call("memory_list", {}, 5, **meta())
RAW = modern("tools/call", "memory_raw")


def note(content, id=1, **more):
    return call("memory_note", {"content": content}, id, **more)


def writes(client, **more):
    return call("memory_raw", {"blob": "x"}, **meta(client, **more))


# ---- connections ----

class Connection:
    def __init__(self, s):
        self.s, self.got = s, ""
        s.settimeout(WAIT)

    def put(self, data):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.s.sendall(data.encode("latin-1") if isinstance(data, str) else data)
        return self

    def more(self):
        try:
            data = self.s.recv(65536)
        except ConnectionResetError:
            return False
        except TimeoutError:
            raise AssertionError("nothing came after: " + self.got[:400])
        self.got += data.decode("latin-1")
        return bool(data)

    def until(self, part):
        while part not in self.got:
            assert self.more(), f"it closed before {part!r}: {self.got[:400]}"
        return self

    def take(self):
        """One complete response."""
        head = self.until("\r\n\r\n").got.index("\r\n\r\n") + 4
        length = re.search(r"Content-Length: (\d+)", self.got[:head])
        assert length, "no length: " + self.got[:400]
        whole = head + int(length[1])
        while len(self.got) < whole:
            assert self.more(), "it closed within: " + self.got[:400]
        answer, self.got = self.got[:whole], self.got[whole:]
        return answer

    def rest(self):
        """Reads until the connection closes, or is quiet for a moment after some bytes."""
        while (not self.got or select.select([self.s], [], [], 0.3)[0]) and self.more():
            pass
        return self.got

    def to_the_end(self):
        while self.more():
            pass
        return self.got

    def shut(self):
        self.s.shutdown(socket.SHUT_WR)
        return self

    def close(self):
        self.s.close()


def close_all(connections):
    for c in connections:
        c.close()


class Web:
    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="h-", dir=os.environ.get("STEMMA_TEST_DIR"))
        self.store = self.home + "/store.db"
        self.env = dict(os.environ, HOME=self.home, XDG_STATE_HOME=self.home + "/state", STEMMA=STEMMA)
        self.start()

    def start(self):
        self.p = subprocess.Popen([STEMMA, "serve", "--http", "0", "--store", self.store], env=self.env, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.DEVNULL)
        self.path, url, self.token_file = (self.p.stdout.readline().rstrip("\n") for _ in range(3))
        self.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/mcp", url)[1])
        self.read_token()

    def read_token(self):
        text = open(self.token_file).read()
        assert re.fullmatch(r"[0-9a-f]{64}\n", text), text
        self.token = text[:64]

    def stop(self):
        self.p.send_signal(signal.SIGTERM)
        assert self.p.wait() == 0
        self.p.stdout.close()

    def again(self):
        self.stop()
        self.start()

    def run(self, *words):
        return subprocess.run([STEMMA, *words, "--store", self.store], env=self.env, capture_output=True, text=True)

    def dial(self, local=False, family=socket.AF_INET):
        s = socket.socket(socket.AF_UNIX if local else family, socket.SOCK_STREAM)
        s.connect(self.path if local else ("127.0.0.1" if family == socket.AF_INET else "::1", self.port))
        return Connection(s)

    def authorized(self):
        return f"Authorization: Bearer {self.token}\r\n"

    def request(self, line, headers, body="", host="localhost"):
        return f"{line}\r\nHost: {host}\r\n{self.authorized()}{headers}\r\n{body}"

    def post(self, headers, body):
        """The bytes of a request."""
        return self.request("POST /mcp HTTP/1.1", f"{JSON}{ACCEPT}{headers}Content-Length: {len(body)}\r\n", body, f"localhost:{self.port}")

    def ask(self, headers, body, on=None):
        c = on or self.dial()
        answer = c.put(self.post(headers, body)).take()
        assert c.got == "", c.got
        if not on:
            c.close()
        return answer

    def expect(self, headers, body, *parts):
        answer = self.ask(headers, body)
        for part in parts:
            assert part in answer, f"{part!r} is not in {answer}"

    def soon(self, headers, body, part):
        """A decision is applied within a second."""
        wait(lambda: part in self.ask(headers, body), part)

    def raw(self, request, status, local=False):
        c = self.dial(local)
        line = c.put(request).take().split("\r\n")[0]
        assert status in line, f"{line} is not {status}: {request[:200]!r}"
        c.close()

    def first_line(self, request):
        """Expects these texts in all output; returns the output."""
        c = self.dial()
        got = c.put(request).rest()
        c.close()
        return got.split("\r\n")[0], got

    def label(self, version=OLD, client="tester"):
        """Starts a session; returns the header with its id."""
        answer = self.ask("", initialize(version, client))
        return re.search(r"Mcp-Session-Id: [0-9a-f]{32}\r\n", answer)[0]

    def bare(self, method, label):
        return self.request(f"{method} /mcp HTTP/1.1", ACCEPT + label)

    def stream(self, label=None):
        return self.dial().put(self.bare("GET", label or self.label())).until("text/event-stream")

    def listen(self, local=False):
        return self.dial(local).put(self.post(modern("subscriptions/listen"), LISTEN)).until("notifications/subscriptions/acknowledged")

    def metrics(self, more=None, status=" 200 "):
        c = self.dial()
        text = c.put(f"GET /metrics HTTP/1.1\r\nHost: localhost\r\n{self.authorized() if more is None else more}\r\n").take()
        c.close()
        assert status in text.split("\r\n")[0], text
        return text

    def wait_metric(self, name, value):
        wait(lambda: f"\n{name} {value}\n" in self.metrics(), f"{name} {value}")

    def resident(self):
        return int(open(f"/proc/{self.p.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def sessions(self):
        p = self.run("sessions", "--all", "--json")
        assert p.returncode == 0, p.stderr
        return [json.loads(line) for line in p.stdout.splitlines()]

    def session(self, **wanted):
        all = self.sessions()
        assert any(all_of(s, wanted) for s in all), f"none has {wanted}: {all}"

    def decide(self, option, id, said):
        """Checks the session's row as soon as it is written."""
        wait(lambda: said in self.run("sessions", option, id).stdout, said)

    def notes(self, content):
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*) FROM memory WHERE text = ?", (content,)).fetchone()[0]

    @contextlib.contextmanager
    def held(self):
        """Blocks writes meanwhile."""
        db = sqlite3.connect(self.store, timeout=WAIT, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")
        db.close()


def all_of(s, wanted):
    return all(s[k] == v for k, v in wanted.items())


def wait(condition, what):
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, f"it never came: {what}"
        time.sleep(0.02)


# ---- access ----

def sender(w, host, token, more, status):
    head = (f"Host: {host}\r\n" if host is not None else "") + (f"Authorization: {token}\r\n" if token is not None else "")
    w.raw(f"POST /mcp HTTP/1.1\r\n{head}{more}{JSON}Content-Length: {len(PING)}\r\n\r\n{PING}", f"HTTP/1.1 {status} ")


@test
def token_is_required(w):
    good = "Bearer " + w.token
    sender(w, "localhost", good, "", 200)
    for bad in good[:-1] + ("1" if good[-1] == "0" else "0"), good[:-1], "Bearer ", w.token, None:
        sender(w, "localhost", bad, "", 401)
    sender(w, "localhost", good, "Authorization: Bearer x\r\n", 401)


@test
def foreign_host_and_origin_are_refused(w):
    good = "Bearer " + w.token
    for own in "localhost", "127.0.0.1:80", "[::1]:9999", "LOCALHOST:1":
        sender(w, own, good, "", 200)
    for other in ("evil.example.com", "localhost.evil.example.com", "127.0.0.1.nip.io", "localhost:x", "localhost:", "[::1]x", "evil@localhost",
                  "0.0.0.0"):
        sender(w, other, good, "", 403)
    sender(w, "localhost", good, "Host: evil.example.com\r\n", 403)
    sender(w, "localhost", good, "Origin: http://localhost:5173\r\n", 200)
    for origin in "http://evil.example.com", "http://localhost.evil.com", "null", "file://localhost":
        sender(w, "localhost", good, f"Origin: {origin}\r\n", 403)


@test
def token_file_must_be_private(w):
    st, token = os.lstat(w.token_file), w.token
    assert stat.S_ISREG(st.st_mode) and st.st_mode & 0o7777 == 0o600 and st.st_uid == os.geteuid()
    w.again()  # clients need no new configuration
    assert w.token == token
    w.stop()
    os.chmod(w.token_file, 0o644)
    p = w.run("serve", "--http", "0")
    assert p.returncode != 0 and "not a private token file" in p.stderr, p.stderr
    os.unlink(w.token_file)
    w.start()
    assert w.token != token


@test
def an_agents_token_grants_its_name(w):
    """Whatever the request claims; a session belongs to the name that began it, and the metrics are not for agents."""
    own, general = w.home + "/ash.token", w.token
    os.makedirs(w.home + "/.config/stemma")
    with open(w.home + "/.config/stemma/config.yaml", "w") as f:
        f.write(f"agents: {{ash: {{token_file: {own}}}}}\n")
    w.again()
    w.token = "0" * 64
    w.expect("", PING, " 401 ")  # the first look makes the file
    assert os.lstat(own).st_mode & 0o777 == 0o600
    w.token = open(own).read()[:64]
    label = w.label()
    w.expect(label, note("one"), '"ref":"note:')
    w.expect(RAW, writes("c", agent="claire"), '"ref":"raw:')
    w.metrics(status=" 401 ")
    w.token = general
    w.expect(label, PING, " 404 ", "this session does not exist")
    w.expect(RAW, writes("c", agent="claire"), '"ref":"raw:')
    rows = [json.loads(line) for line in w.run("list", "all", "--json", "--reverse").stdout.splitlines()]
    assert [(r["agent_id"], r.get("detail", {}).get("claimed_agent")) for r in rows] == \
        [("ash", None), ("ash", "claire"), ("unnamed", "claire")], rows
    assert {s["actor"] for s in w.sessions()} == {"ash", "unnamed"}


@test
def token_is_valid_as_long_as_its_file(w):
    """The next request fails, of any client, and on a connection that was authorised before."""
    c, old = w.dial(), w.token
    w.ask("", PING, c)
    os.unlink(w.token_file)
    assert " 401 " in w.ask("", PING, c)
    w.read_token()
    new = w.token
    assert new != old
    w.expect("", PING, " 200 ", '"result"')
    w.token = old
    w.expect("", PING, " 401 ", "Authorization")
    w.token = new
    os.chmod(w.token_file, 0o644)  # a token that others could read is no longer valid
    w.expect("", PING, " 503 ", "the token file")
    os.chmod(w.token_file, 0o600)
    w.expect("", PING, " 200 ", '"result"')
    open(w.token_file, "w").write(old)
    w.expect("", PING, " 401 ", "Authorization")
    w.token = old
    w.expect("", PING, " 200 ", '"result"')


@test
def it_listens_only_on_the_loopback(w):
    """On both loopback addresses if the machine has them."""
    lines = [l for l in open("/proc/net/tcp") if f":{w.port:04X} " in l and " 0A " in l]
    assert len(lines) == 1 and "0100007F:" in lines[0], lines
    with contextlib.suppress(OSError):
        assert "HTTP/1.1 200 " in w.dial(family=socket.AF_INET6).put(w.post("", PING)).take()


# ---- requests ----

@test
def invalid_requests_are_refused(w):
    for line, headers, status in (
            ("POST / HTTP/1.1", JSON + "Content-Length: 0\r\n", " 404 "),
            ("POST /mcp/x HTTP/1.1", JSON + "Content-Length: 0\r\n", " 404 "),
            ("POST /MCP HTTP/1.1", JSON + "Content-Length: 0\r\n", " 404 "),
            ("PUT /mcp HTTP/1.1", JSON + "Content-Length: 0\r\n", " 405 "),
            ("OPTIONS /mcp HTTP/1.1", "", " 405 "),
            ("GET /mcp HTTP/1.1", "", " 405 "),
            ("DELETE /mcp HTTP/1.1", "", " 405 "),
            ("GET /mcp HTTP/1.1", UNKNOWN, " 404 "),
            ("DELETE /mcp HTTP/1.1", UNKNOWN, " 404 "),
            ("POST /mcp HTTP/1.1", "Content-Length: 2\r\n", " 415 "),
            ("POST /mcp HTTP/1.1", "Content-Type: text/plain\r\nContent-Length: 2\r\n", " 415 "),
            ("POST /mcp HTTP/1.1", "Content-Type: application/jsonp\r\nContent-Length: 2\r\n", " 415 "),
            ("POST /mcp HTTP/1.1", "Content-Type: application/json x\r\nContent-Length: 2\r\n", " 415 "),
            ("POST /mcp HTTP/1.1", JSON + "Content-Encoding: gzip\r\nContent-Length: 2\r\n", " 415 "),
            ("POST /mcp HTTP/1.1", JSON + "Content-Encoding: br, gzip\r\nContent-Length: 2\r\n", " 415 "),
            ("POST /mcp HTTP/1.1", JSON + "Accept: text/html\r\nContent-Length: 2\r\n", " 406 "),
            ("POST /mcp HTTP/1.1", JSON + "Content-Length: 16777217\r\n", " 413 "),
            ("POST /mcp HTTP/1.1", JSON + "Content-Length: 99999999999999999999999\r\n", " 4")):
        w.raw(w.request(line, headers), status)


@test
def content_headers_are_checked(w):
    """Headers that only describe plain JSON are accepted."""
    for headers in ("Content-Type: application/json\r\nContent-Encoding: identity\r\n",
                    "Content-Type: application/json\r\nContent-Encoding:\r\n",
                    "Content-Type: Application/JSON;charset=UTF-8\r\n",
                    'Content-Type: application/json ; a="b;c"; charset="utf-8" ;\r\n',
                    "Content-Type: application/json;\r\n"):
        w.raw(w.request("POST /mcp HTTP/1.1", headers + "Content-Length: 40\r\n", PING), " 200 ")


@test
def legacy_client_is_served(w):
    version = f"MCP-Protocol-Version: {OLD}\r\n"
    w.expect("", initialize(), " 200 ", f'"protocolVersion":"{OLD}"')
    w.expect("", PING, " 200 ", '{"jsonrpc":"2.0","id":1,"result":{}}')
    w.expect(version, PING, " 200 ", '"result":{}')
    w.expect("MCP-Protocol-Version: 1999-01-01\r\n", PING, " 400 ", "-32022",
             '"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"1999-01-01"')
    w.expect(version * 2, PING, " 400 ", "-32020")
    w.expect("", message("notifications/initialized", id=None), " 202 ", "Content-Length: 0")
    w.expect("", '{"jsonrpc":"2.0","id":4,"result":{}}', " 202 ", "Content-Length: 0")
    w.expect("", message("no/such", id=7), " 200 ", "-32601")
    w.expect("", '{\n "jsonrpc": "2.0",\r\n "id": 1, "method":\n"ping"}\n', " 200 ", '"result":{}')
    for body in '{"jsonrpc":', "", '"a\nb"':
        w.expect("", body, " 400 ", "-32700")
    w.expect("", f"[{PING},{PING}]", " 200 ", '[{"jsonrpc":"2.0","id":1,')
    w.expect(version, f"[{PING}]", " 400 ", "-32600")


@test
def address_chooses_the_sets_of_tools(w):
    def listed(query):
        body = message("tools/list")
        c = w.dial()
        answer = c.put(w.post("", body).replace("/mcp ", f"/mcp{query} ", 1)).take()
        c.close()
        return answer
    assert '"memory_search"' in listed("") and '"cot_begin"' not in listed("")
    assert '"memory_search"' not in listed("?tools=reasoning") and '"cot_begin"' in listed("?tools=reasoning")
    assert '"putMemory"' in listed("?tools=reasoning,namespaces")
    assert '"memory_history"' in listed("?tools=all")
    assert '"putMemory"' in listed("?tools=reasoning%2Cnamespaces")
    assert '"putMemory"' in listed("?tools=reasoning,%20namespaces") and '"cot_begin"' in listed("?tools=+reasoning+,")
    for wrong, why in (("?tools=memory,everything", "'everything' is not a set of tools. The sets are memory, kernle, attributions, reasoning, namespaces, review, all."),
                       ("?tools=all&tools=memory", "tools= is given twice"), ("?tools=%22%0a", "is not a set")):
        assert " 400 " in listed(wrong) and why in listed(wrong), (wrong, listed(wrong))
    os.makedirs(w.home + "/.config/stemma")
    with open(w.home + "/.config/stemma/config.yaml", "w") as f:
        f.write("mcp: {tools: [memory, review], strict: yes}\n")
    w.again()
    assert '"memory_history"' in listed("?tools=review") and '"memory_get"' not in listed("?tools=review")
    assert '"memory_history"' in listed("?tools=all") and '"memory_raw"' not in listed("?tools=all")
    for asked in "kernle", "memory,kernle":
        assert " 403 " in listed("?tools=" + asked) and "The sets that are offered here are memory, review." in listed("?tools=" + asked)


@test
def headers_of_modern_requests_must_match(w):
    calls = modern("tools/call")
    w.expect(modern("server/discover"), DISCOVER, " 200 ", '"resultType":"complete"')
    for headers in "", f"MCP-Protocol-Version: {NEW}\r\n", modern("tools/list"), f"MCP-Protocol-Version: {OLD}\r\nMcp-Method: server/discover\r\n":
        w.expect(headers, DISCOVER, " 400 ", "-32020")
    w.expect(modern("ping"), PING, " 400 ", "-32602")
    w.expect(modern("ping"), message("ping", meta()), " 404 ", "-32601")
    for name in "", "Mcp-Name: memory_get\r\n", "Mcp-Name: =?base64?bWVt!!!!?=\r\n", "Mcp-Name: =?base64?bWVtb3J5X2dldA==?=\r\n":
        w.expect(calls + name, LIST, " 400 ", "-32020")
    for name in "memory_list  ", "=?base64?bWVtb3J5X2xpc3Q=?=":
        w.expect(calls + f"Mcp-Name: {name}\r\n", LIST, " 200 ", '"resultType":"complete"')
    w.expect("MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: ping\r\n", message("ping", meta(version="2099-01-01")), " 400 ",
             f'"supported":["{NEW}"]')


@test
def chunks_pipelines_and_single_bytes_are_equal(w):
    c = w.dial()
    c.s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in w.request("POST /mcp HTTP/1.1", JSON + "Transfer-Encoding: chunked\r\n",
                          f"5\r\n{PING[:5]}\r\n{len(PING) - 5:x};x=y\r\n{PING[5:]}\r\n0\r\n\r\n"):
        c.put(byte)
    assert '"result":{}' in c.take()
    c.put("".join(w.post("", message("ping", id=i)) for i in range(100)))
    for i in range(100):
        assert f'"id":{i},' in c.take()


# ---- request smuggling ----

LENGTH, CHUNKED, WHOLE = "Content-Length: 40\r\n", "Transfer-Encoding: chunked\r\n", "28\r\n" + PING + "\r\n0\r\n\r\n"


@test
def ambiguous_requests_are_refused(w):
    """Each request is followed by another in what could be its body: that one is never carried out."""
    post = "POST /mcp HTTP/1.1"
    for line, headers, body, status in (
            (post, LENGTH, PING, None),
            (post, CHUNKED, WHOLE, None),
            (post, "Transfer-Encoding: Chunked\r\n", WHOLE, None),
            (post, "Content-Length: 4\r\n" + CHUNKED, WHOLE, " 400 "),
            (post, CHUNKED + LENGTH, WHOLE, " 400 "),
            (post, LENGTH + "Content-Length: 4\r\n", PING, " 400 "),
            (post, LENGTH + LENGTH, PING, " 400 "),
            (post, CHUNKED + CHUNKED, WHOLE, " 400 "),
            (post, "Content-Length: -1\r\n", PING, " 400 "),
            (post, "Content-Length: +40\r\n", PING, " 400 "),
            (post, "Content-Length: 0x28\r\n", PING, " 400 "),
            (post, "Content-Length: 40, 40\r\n", PING, " 400 "),
            (post, "Content-Length:\r\n", PING, " 400 "),
            (post, "Transfer-Encoding: gzip, chunked\r\n", WHOLE, " 400 "),
            (post, "Transfer-Encoding: xchunked\r\n", WHOLE, " 400 "),
            (post, "Transfer-Encoding: identity\r\n", PING, " 400 "),
            (post, "no colon\r\n" + LENGTH, PING, " 400 "),
            (post, CHUNKED, "FFFFFFFFFFFFFFFFF\r\n" + PING + "\r\n0\r\n\r\n", " 4"),
            (post, CHUNKED, "-1\r\n" + PING + "\r\n0\r\n\r\n", " 400 "),
            (post, CHUNKED, "0x28\r\n" + PING + "\r\n0\r\n\r\n", " 400 "),
            (post, CHUNKED, "g\r\n", " 400 "),
            ("POST //mcp HTTP/1.1", LENGTH, PING, " 404 "),
            ("POST /%6dcp HTTP/1.1", LENGTH, PING, " 404 "),
            ("POST /mcp%00x HTTP/1.1", LENGTH, PING, " 404 "),
            ("POST /mcp/../mcp HTTP/1.1", LENGTH, PING, " 404 "),
            ("POST /mcp HTTP/2.0", LENGTH, PING, " 505 "),
            ("POST /mcp", "", "", " 400 "),
            ("CONNECT localhost:80 HTTP/1.1", "", "", " 40"),
            ("TRACE /mcp HTTP/1.1", "", "", " 405 "),
            ("GET /metrics HTTP/1.1", "Transfer-Encoding: gzip\r\n", "", " 400 ")):
        first, got = w.first_line(w.request(line, JSON + headers, body) + (w.post("", message("ping", id="behind")) if status else ""))
        assert (status or " 200 ") in first, (line, headers, body, first)
        assert "behind" not in got if status else '"result":{}' in got, got


@test
def headers_are_compared_byte_by_byte(w):
    """Non-ASCII bytes and folded lines in the headers that decide about access."""
    for host, status in (("localhost.evil.example.com", " 403 "), ("localhost\xff", " 403 "), (" localhost", " 200 "), ("", " 403 "),
                         ("localhost\r\nX: \r\nY:z", " 200 "), ("localhost\nX: y", " 200 "),
                         # The library ends a value at NUL; the sender has the token in any case.
                         ("localhost\0.evil.example.com", " 200 "), ("\0localhost", " 403 "), ("localhost\r\nX\0: y", " 400 "),
                         ("localhost\r\nX:\0y", " 200 "), ("localhost\r\n .evil.example.com", " 400 "), ("evil.example.com\r\n\tlocalhost", " 400 ")):
        first, _ = w.first_line(w.request("POST /mcp HTTP/1.1", JSON + LENGTH, PING, host))
        assert status in first, (host, first)


# ---- limits ----

@test
def heads_are_limited(w):
    for begins, status in ("GET /", " 414 "), ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ", "HTTP/1.1 431 "):
        w.dial().put(begins + "x" * 100000).until(status)
    assert " 200 " not in w.dial().put("no http at all\r\n\r\n").to_the_end()


@test
def endless_body_is_not_stored(w):
    c = w.dial().put(w.request("POST /mcp HTTP/1.1", JSON + CHUNKED))
    for _ in range(400):
        c.put(b"10000\r\n" + b" " * 65536 + b"\r\n")
    c.put("0\r\n\r\n").until("HTTP/1.1 413 ")
    assert w.resident() < 400 << 20
    w.expect("", PING, " 200 ", '"result":{}')


@test
def endless_body_is_closed(w):
    c, began = w.dial().put(w.request("POST /mcp HTTP/1.1", JSON + CHUNKED)), time.monotonic()
    for _ in range(640):
        c.put(b"10000\r\n" + b" " * 65536 + b"\r\n")
    assert c.to_the_end() == "" and time.monotonic() - began < 40  # before the timeout


@test
def endless_bodies_are_limited_together(w):
    """Together they exceed the limit of all bodies: some are refused, small ones are served. An announced length alone
    does not count."""
    bodies = [w.dial().put(w.request("POST /mcp HTTP/1.1", JSON + "Content-Length: 16777216\r\n")) for _ in range(6)]
    w.expect("", PING, " 200 ", '"result":{}')
    for c in bodies[:4]:
        w.expect("", PING, " 200 ")
        c.put(b" " * 16777215)
    w.soon("", PING, " 503 ")
    w.expect("", PING, " 503 ", "Retry-After: 1")
    for c in bodies[4:]:
        c.put(b" " * 16777216).until("HTTP/1.1 503 ")
    close_all(bodies)
    w.wait_metric("stemma_connections", 1)
    w.expect("", PING, '"result":{}')


@test
def slow_sender_is_closed_in_time(w):
    """Even if it sends steadily. Meanwhile others are served."""
    began = time.monotonic()
    lines = [(w.dial(local).put("POST /mcp HTTP/1.1\r\nX: "), "x") for local in (False, True)]
    good = w.dial()
    while lines:
        assert time.monotonic() - began < 30, f"{len(lines)} are there still"
        assert " 200 " in w.ask("", PING, good)
        lines = [(c.put(drip), drip) for c, drip in lines if not select.select([c.s], [], [], 0)[0] or c.more()]
        time.sleep(0.5)
    assert time.monotonic() - began > 9
    assert " 200 " in w.ask("", PING, good)


@test
def tcp_connections_have_their_own_limit(w):
    """Connections of the Unix socket do not count."""
    crowd = [w.dial(True).put("POST /mcp HTTP/1.1\r\n") for _ in range(512)]
    w.wait_metric("stemma_connections", 513)
    assert w.dial(True).put(w.post("", PING)).to_the_end() == ""
    streams = [w.listen() for _ in range(PLACES)]
    close_all(crowd + streams)


@test
def slow_crowd_does_not_block_others(w):
    """More than the limit of clients, each in the middle of a head. Earlier clients are served all the time, and later ones."""
    good, local = w.dial(), w.dial(True)
    w.ask("", PING, good), w.ask("", PING, local)
    crowd = [w.dial().put("POST /mcp HTTP/1.1\r\nHost: local") for _ in range(300)]
    for c in [good] * 20 + [local]:
        assert '"result":{}' in w.ask("", PING, c)
    assert w.resident() < 400 << 20
    w.expect("", PING, " 200 ", '"result":{}')
    crowd[0].to_the_end()
    close_all(crowd + [good, local])


@test
def crowd_without_the_token_delays_nobody(w):
    """More connections than may be unauthenticated, silent, in the middle of a head, refused or without another request: the
    oldest makes room for the next, and one who sends the token is served at once. One who sent it before stays."""
    good = w.dial()
    w.ask("", PING, good)
    for sent in ("", "POST /mcp HTTP/1.1\r\nHost: local", "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        crowd = [w.dial() for _ in range(STRANGERS + 100)]
        for c in crowd:
            with contextlib.suppress(OSError):
                c.put(sent)
        began = time.monotonic()
        for c in (None, good, None):
            assert '"result":{}' in w.ask("", PING, c or w.dial())
        assert time.monotonic() - began < 1.5, time.monotonic() - began
        with contextlib.suppress(OSError):
            crowd[0].to_the_end()  # long before its ten seconds
        assert time.monotonic() - began < 5
        assert w.resident() < 400 << 20
        close_all(crowd)
    good.close()


def all_are_answered(w, local, count, later=False):
    """Connects with the request, or a moment before."""
    crowd = []
    for _ in range(count):
        crowd.append(w.dial(local))
        if not later:
            crowd[-1].put(w.post("", PING))
    for c in crowd:
        if later:
            c.put(w.post("", PING))
    for c in crowd:
        assert " 200 " in c.take()
    close_all(crowd)


@test
def crowd_at_once_is_answered(w):
    all_are_answered(w, False, 600)
    all_are_answered(w, True, 300)


@test
def crowd_with_later_requests_is_answered(w):
    all_are_answered(w, False, 300, later=True)


@test
def idle_connections_make_room(w):
    """Connections that are idle for a while are closed for others."""
    resting = [w.dial() for _ in range(PLACES)]
    for c in resting:
        w.ask("", PING, c)
    all_are_answered(w, False, PLACES // 2)
    close_all(resting)


@test
def connections_over_the_limit_wait(w):
    """A connection keeps its place until it is answered; the others are answered after that."""
    w.ask("", note("crowd"))
    with w.held():
        busy = [w.dial().put(w.post("", note("crowd"))) for _ in range(PLACES)]
        crowd = [w.dial().put(w.post("", note("crowd"))) for _ in range(PLACES // 2)]
    for c in busy + crowd:
        answer = c.take()
        assert " 200 " in answer, answer
    close_all(busy + crowd)
    streams = [w.listen() for _ in range(PLACES)]
    late = w.dial().put(w.post("", PING))
    assert not select.select([late.s], [], [], 0.3)[0]
    streams[0].close()
    assert " 200 " in late.take()
    close_all(streams + [late])


# ---- clients that do not read, do not end, or disconnect ----

@test
def client_that_does_not_read_is_not_read_from(w):
    """While answers are not read, nothing more is read from the client."""
    deaf, other = w.dial(), w.dial()
    out = "".join(w.post("", message("tools/list", id=i)) for i in range(400)).encode()

    def send(out):
        while out and select.select([], [deaf.s], [], 0)[1]:
            with contextlib.suppress(BlockingIOError):
                out = out[deaf.s.send(out, socket.MSG_DONTWAIT):]
        return out
    out = send(out)
    for _ in range(20):
        assert '"result":{}' in w.ask("", PING, other)
    assert w.resident() < 400 << 20
    for i in range(400):
        assert f'"id":{i},' in deaf.take()
        out = send(out)


@test
def disconnect_cancels_stateless_requests(w):
    """A stateless request ends with its connection; a legacy one is carried out and its answer dropped."""
    w.ask("", note("first"))
    w.wait_metric("stemma_connections", 1)
    with w.held():
        new = w.dial().put(w.post(modern("tools/call", "memory_note"), note("cancelled", **meta())))
        old = w.dial().put(w.post("", note("carried out")))
        w.wait_metric("stemma_connections", 3)
        new.s.shutdown(socket.SHUT_RDWR)
        close_all([new, old])
        w.wait_metric("stemma_connections", 2)
    wait(lambda: w.notes("carried out"), "carried out")
    w.ask("", note("last"))  # earlier requests are done when this one is
    assert [w.notes(n) for n in ("carried out", "last", "cancelled")] == [1, 1, 0]


@test
def all_requests_are_answered_after_half_close(w):
    """A client that closes its sending side after its requests, as `nc -N` does, gets all answers."""
    for local in False, True:
        for i in range(20):
            c = w.dial(local).put(w.post("", PING) * (i + 1)).shut()
            for _ in range(i + 1):
                assert '"result":{}' in c.take()
            answered = time.monotonic()
            if i == 0:
                c.to_the_end()  # and the connection is closed
            assert time.monotonic() - answered < 20
            c.close()


@test
def long_requests_are_answered(w):
    w.ask("", note("first"))
    headers = modern("tools/call", "memory_note")
    with w.held():
        asked = {id: w.dial("unix" in id).put(w.post(headers if more else "", note(id, id, **more))).shut()
                 for id, more in (("tcp", {}), ("unix", {}), ("modern unix", meta()))}
        for _ in range(3):  # by then all earlier events were handled, including the half close
            w.ask("", PING)
    for id, c in asked.items():
        assert "HTTP/1.1 200 " in c.until(f'"id":"{id}","result":').got
        assert w.notes(id) == 1


@test
def half_closed_tcp_client_counts_as_gone(w):
    """A stateless request ends with its connection, and over TCP a half close looks the same."""
    w.ask("", note("first"))
    with w.held():
        c = w.dial().put(w.post(modern("tools/call", "memory_note"), note("half", **meta()))).shut()
        assert c.to_the_end() == ""
    w.ask("", note("last"))
    assert [w.notes("last"), w.notes("half")] == [1, 0]


# ---- streams ----

@test
def progress_makes_a_stream(w):
    c = w.dial().put(w.post("", call("extract_sources", {"documents": [{"id": "d1", "content": "The door is blue."}]}, 8)))
    assert "HTTP/1.1 200 " in c.until('"id":8').got


@test
def events_of_a_response_are_server_sent(w):
    body = call("cite_sources", {"conversation_id": "c", "message_id": "m", "sources": [{"documentId": "a", "relevanceScore": 0.9}]}, 8)
    got = w.dial().put(w.post(w.label(), body)).until("0\r\n\r\n").got
    assert "Content-Type: text/event-stream" in got, got
    places = [got.index(p) for p in ("data: {", '"logger":"stemma.citations"', '"type":"source_added"', '"type":"done"', '"id":8')]
    assert places == sorted(places), got
    assert re.search(r'"type":"done"[^\n]*\}\n\n', got), got


@test
def changes_arrive_on_a_listen_stream(w):
    c = w.dial().put(w.post(modern("subscriptions/listen"), message("subscriptions/listen", {
        "notifications": {"resourceSubscriptions": ["stemma://beliefs", "stemma://raw/r1"]}, **meta()}, "s")))
    got = c.until("notifications/subscriptions/acknowledged").got
    assert "Content-Type: text/event-stream" in got and "event: message\ndata: {" in got
    w.stop()  # orderly: the final response, and the end of the stream
    assert "\r\n0\r\n" in c.until('"resultType":"complete"').to_the_end()
    w.start()


@test
def client_without_events_gets_no_stream(w):
    """It is refused at once, and its connection can be used for the next request."""
    c = w.dial().put(w.request("POST /mcp HTTP/1.1", f"{JSON}Accept: application/json\r\n{modern('subscriptions/listen')}"
                               f"Content-Length: {len(LISTEN)}\r\n", LISTEN))
    answer = c.take()
    assert "HTTP/1.1 406 " in answer and '"id":"s"' in answer and "text/event-stream" in answer
    assert " 200 " in w.ask("", PING, c)


@test
def stream_ends_with_its_token(w):
    """Orderly; clients that need no token stay."""
    local = w.listen(True)
    for how in "unlinked", "broken":
        stream, get = w.listen(), w.stream()
        if how == "unlinked":
            os.unlink(w.token_file)
        else:
            open(w.token_file, "w").write("00")
        assert '"resultType":"complete"' in stream.until("0\r\n\r\n").got
        get.until("0\r\n\r\n")
        if how == "unlinked":
            w.read_token()
    assert not select.select([local.s], [], [], 0)[0]


# ---- sessions ----

@test
def session_has_a_stream_until_it_ends(w):
    label, c = w.label(), w.dial()
    stream = w.stream(label)
    w.raw(w.bare("GET", label), " 409 ")
    ref = re.search(r"raw:([0-9a-f-]{8,36})", w.ask(label, call("memory_raw", {"blob": "seen over http"}), c))[1]
    assert '"result":{}' in w.ask(label, message("resources/subscribe", {"uri": f"stemma://raw/{ref}"}, 2), c)
    w.ask(label, call("memory_mark", {"ref": f"raw:{ref}", "mark": "starred"}, 3), c)
    stream.until("notifications/resources/updated")
    assert " 200 " in c.put(w.bare("DELETE", label)).take()
    stream.until("0\r\n\r\n")  # with the last chunk: a stream cut off before it is an error for clients
    assert " 404 " in w.ask(label, PING, c)


@test
def requests_of_one_client_are_one_session(w):
    label = w.label()
    for _ in range(3):
        w.expect(label, call("memory_raw", {"blob": "one of three"}), " 200 ", "raw:")
        w.expect(modern("tools/call", "memory_list"), LIST, " 200 ", '"resultType"')
    wait(lambda: any(s["era"] == NEW for s in w.sessions()), "its row")  # written a moment later
    w.session(client="tester")
    assert [s["transport"] for s in w.sessions()] == ["http"] * 2
    assert "loopback" in w.run("sessions", "--all").stdout  # the system does not identify the peer


@test
def unknown_session_is_refused(w):
    """A client whose session is no longer known gets an error, and starts a new one."""
    w.expect(UNKNOWN, PING, " 404 ", '"id":1,"error":{"code":-32600')
    w.expect(UNKNOWN + f"MCP-Protocol-Version: {OLD}\r\n", call("memory_raw", {"blob": "x"}), " 404 ", "this session does not exist")
    w.expect(UNKNOWN, message("notifications/initialized", id=None), " 404 ", '"error"')
    w.expect("Mcp-Session-Id:\r\n", PING, " 404 ", "this session does not exist")
    w.expect(UNKNOWN, initialize(), " 200 ", "Mcp-Session-Id: ")
    w.expect(UNKNOWN + modern("server/discover"), DISCOVER, " 200 ", '"resultType"')


@test
def session_keeps_its_revision(w):
    """Arrays belong to one revision: the session's counts, whatever a request states."""
    for own, parts in ("2025-03-26", (" 200 ", '[{"jsonrpc"')), (OLD, (" 400 ", "-32600")):
        label = w.label(own)
        for said in "", "MCP-Protocol-Version: 2025-03-26\r\n", f"MCP-Protocol-Version: {OLD}\r\n":
            w.expect(label + said, f"[{PING}]", *parts)


@test
def requests_without_session_have_their_own(w):
    one, other, history = w.dial(), w.dial(), call("getContext", {"include_history": True}, 5)
    w.ask("", call("memory_raw", {"blob": "x"}), one)
    assert '{"tool_name":"memory_raw"' in w.ask("", history, one)
    assert '"tool_history":[]' in w.ask("", history, other)
    w.expect("", history, " 200 ", '"tool_history":[]')


@test
def each_agent_of_a_client_has_a_session(w):
    """If clients are identified only by their claims. A request without agent has its own session."""
    for said in '"tool_history":[]', '"tool_history":[{"tool_name":"getContext"':
        for agent in "ash", "bob", None:
            w.expect(modern("tools/call", "getContext"), call("getContext", {"include_history": True}, 5, **meta("host", agent)), " 200 ", said)


@test
def sessions_record_who_ended_them(w):
    w.expect(RAW, writes("stays"), "raw:")
    label = w.label(client="old")
    stream = w.stream(label)
    w.dial().put(w.bare("DELETE", label)).until(" 200 ")
    stream.until("0\r\n\r\n")
    w.again()
    w.session(client="stays", ended_by="server")
    w.session(client="old", ended_by="client")


@test
def sessions_name_agent_and_task(w):
    """So that a person can choose which to end. The last task is shown."""
    for who in dict(agent="ash"), dict(agent="bob", task="T8"), dict(agent="bob", task="T9"), dict(agent="bob"), {}:
        w.expect(RAW, writes("host", **who), "raw:")
    w.again()
    w.session(id=1, claimed="ash", task=None, calls=1)
    w.session(id=2, claimed="bob", task="T9", calls=3)
    w.session(id=3, actor="unnamed", agent=None, claimed="host", calls=1)


@test
def first_request_with_unknown_method_counts(w):
    """Like any request that identifies its sender."""
    w.expect(modern("no/such"), message("no/such", meta("asks", "ash")), " 404 ")
    w.expect(RAW, writes("asks", agent="ash"), "raw:")
    w.again()
    w.session(id=1, claimed="ash", client="asks", calls=2, errors=1)


@test
def invalid_anonymous_requests_join_no_session(w):
    """They are not counted in the session of a client without a name."""
    w.expect(RAW, writes(None), "raw:")
    for body in "not JSON", '{"jsonrpc":"2.0","id":77}', "[]":
        w.expect(f"MCP-Protocol-Version: {NEW}\r\n", body, " 400 ")
    w.expect(RAW, writes(None), "raw:")
    w.again()
    w.session(id=1, client=None, era=NEW, calls=2, errors=0)


def fill_client_table(w):
    """At the limit the server forgets the longest idle client."""
    most = int(re.search(r"#define HTTP_CLIENTS_MAX\s+(\d+)", open(ROOT + "/store/mcp/http/http_state.h").read())[1])
    c = w.dial()
    for i in range(most + 1):
        assert " 200 " in w.ask(modern("server/discover"), message("server/discover", meta(f"other{i}")), c)
    c.close()


@test
def decisions_outlive_forgotten_clients(w):
    """A decision stays valid when the client was forgotten, and in another process; the session is the same."""
    def held():
        w.expect(RAW, writes("reads", agent="bob"), "a person made this session read-only")
        w.expect(RAW, writes("over"), "a person ended this session")
        w.expect(RAW, writes("reads", agent="ash"), "raw:")
    w.expect(RAW, writes("reads", agent="bob"), "raw:")
    w.expect(RAW, writes("over"), "raw:")
    w.decide("--make-read-only", "1", "is read-only now")
    w.decide("--end", "2", "was ended")
    for _ in range(2):
        held()
        fill_client_table(w)
        held()
        fill_client_table(w)
        w.again()
    assert "away, read-only" in w.run("sessions", "--all").stdout
    w.decide("--make-read-write", "1", "may write now")
    w.expect(RAW, writes("reads", agent="bob"), "raw:")
    assert w.run("fsck").returncode == 0


@test
def ended_session_id_is_unknown(w):
    """Its stream ends and its session id is no longer known, so the client sends initialize again."""
    label = w.label()
    w.expect(label, call("memory_list", {}), " 200 ")
    stream = w.stream(label)
    w.decide("--end", "1", "was ended")
    stream.until("0\r\n\r\n")
    w.expect(label, call("memory_list", {}), " 404 ")
    w.raw(w.bare("GET", label), " 404 ")
    w.expect(w.label(), call("memory_list", {}), '"memories":[]')


@test
def stateless_client_is_told_how_long_it_is_refused(w):
    """It is identified by its claims: reconnecting does not help, and the error says what does."""
    lists = modern("tools/call", "memory_list")
    first, second = (call("memory_list", {}, **meta(name)) for name in ("first", "second"))
    w.expect(lists, first, '"resultType"')
    w.decide("--end", "1", "was ended")
    w.soon(lists, first, "A new session can begin ten minutes after the end.")
    w.expect(modern("subscriptions/listen"), message("subscriptions/listen", {"notifications": {}, **meta("first")}), "a person ended this session")
    w.expect(lists, second, '"resultType"')
    w.expect(lists, first, "a person ended this session")


@test
def reconnecting_client_starts_a_new_session(w):
    """The store itself refuses the write before the server knows of the end, with the same text."""
    write, c = call("memory_raw", {"blob": "x"}), w.dial()
    w.ask("", write, c)
    w.decide("--end", "1", "was ended")
    assert "a person ended this session" in c.put(w.post("", write)).until("Reconnect if you are meant to continue.").got
    w.expect("", write, "raw:")


# ---- metrics ----

@test
def metrics_need_the_same_access(w):
    good = w.authorized()
    for more, status in (("", " 401 "), ("Authorization: Bearer 0\r\n", " 401 "), (good + "Origin: http://evil.example.com\r\n", " 403 "),
                         (good + "Host: evil.example.com\r\n", " 403 ")):
        w.metrics(more, status)
    text = w.metrics()
    assert "Content-Type: text/plain; version=0.0.4" in text and "# TYPE memory_tool_requests_total counter\n" in text
    c = w.dial(True).put("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 2)  # the system identifies the peer there
    assert "HTTP/1.1 200 " in c.take() and "HTTP/1.1 200 " in c.take()
    got = w.dial(True).put("HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").rest()
    assert "HTTP/1.1 200 " in got and "# TYPE" not in got
    got = w.dial(True).put("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").rest()
    assert "HTTP/1.1 405 " in got and "Allow: GET, HEAD\r\n" in got


@test
def calls_of_all_clients_are_counted(w):
    c, lines = w.dial(), w.dial(True)
    w.ask("", call("memory_raw", {"blob": "the vault code is 7261"}), c)
    w.ask("", call("memory_get", {"ref": "raw:vault"}), c)
    for said in (initialize(), call("memory_protect", {"ref": "raw:vault"}, 3), call("memory_raw", {"blob": 7}, 4), message("resources/list", id=5)):
        lines.got = ""
        lines.put(said + "\n").until(f'"id":{json.loads(said)["id"]},')
        lines.until("\n")
    text = w.metrics()
    for line in ('memory_tool_requests_total{tool_name="memory_raw",namespace="",status="success"} 1',
                 'memory_tool_requests_total{tool_name="memory_raw",namespace="",status="INVALID_REQUEST"} 1',
                 'memory_tool_requests_total{tool_name="memory_get",namespace="",status="NOT_FOUND"} 1',
                 'memory_tool_permission_denies_total{tool_name="memory_protect",reason="tool"} 1',
                 'memory_tool_latency_seconds_count{tool_name="memory_raw"} 2',
                 'stemma_requests_total{method="resources/list",status="success"} 1',
                 'stemma_http_responses_total{code="200"} 2', "stemma_sessions 2", "stemma_connections 3"):
        assert f"\n{line}\n" in text, f"{line}: {text}"
    assert "vault" not in text  # never the content


# ---- the Unix socket ----

@test
def socket_accepts_lines_and_http(w):
    post = "POST /mcp HTTP/1.1\r\nHost: anything\r\n" + JSON
    w.raw(post + LENGTH + "\r\n" + PING, " 200 ", local=True)
    assert w.dial(True).put(PING + "\n").until("\n").got == '{"jsonrpc":"2.0","id":1,"result":{}}\n'
    w.dial(True).put("nonsense\n").until("-32700")
    w.raw(post + "Origin: http://evil.example.com\r\n" + LENGTH + "\r\n" + PING, " 403 ", local=True)


def run_one(name):
    """Runs a test in this process."""
    w = Web()
    try:
        TESTS[name](w)
        w.stop()
    finally:
        if w.p.poll() is None:
            w.p.kill()
        # The token file is named by the store's inode, which the next store may reuse.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(w.token_file)
        shutil.rmtree(w.home, ignore_errors=True)


def run(name):
    return subprocess.run([sys.executable, __file__, "--one", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    if sys.argv[1:2] == ["--one"]:
        return run_one(sys.argv[2])
    names, failed = sys.argv[1:] or list(TESTS), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, p in zip(names, pool.map(run, names)):
            failed += p.returncode != 0
            print(f"{p.stdout}[  FAILED  ] {name}" if p.returncode else f"[       OK ] {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
