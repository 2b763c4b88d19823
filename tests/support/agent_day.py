"""A recorded day of an agent: 40 calls that recall, learn, correct and trace (tests/data/agent-day.jsonl), replayed against
a memory server over standard input; and what it costs in bytes.

A line has what the agent does, the tool with its arguments, and what the reference memory server has for the same
(`reference`), if it has anything. A `$name` is the ref in the answer of the call that has it `as` its name. Both servers
begin with the memories of tests/data/demo.jsonl."""
import collections, json, os, re, subprocess

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data")
BYTES_A_TOKEN = 4
REF = re.compile(r"\b(?:raw|note|belief|episode):[0-9a-f][0-9a-f-]{7,}")

# The most bytes that the server may answer: in `tools/list`, and in the calls of each kind. What grows beyond is a
# cost for every agent, so raise a limit only for a reason; lower it when answers get shorter.
LIMITS = {"tools/list": 15500, "recall": 53000, "trace": 11800, "learn": 1150, "correct": 1500}

Call = collections.namedtuple("Call", "do tool sent answered failed")


def recorded():
    with open(os.path.join(DATA, "agent-day.jsonl")) as f:
        return [json.loads(line) for line in f]


def tokens(count):
    return count // BYTES_A_TOKEN


def reference_graph():
    """The lines of the reference server's file: the same memories and links."""
    with open(os.path.join(DATA, "demo.jsonl")) as f:
        memories = [json.loads(line) for line in f]
    memories = [m for m in memories if "text" in m and "ref" in m]
    for m in memories:
        yield {"type": "entity", "name": m["ref"], "entityType": m["ref"].split(":")[0], "observations": [m["text"]]}
    for m in memories:
        for j in m.get("justifications", []):
            for a in j.get("antecedents", []):
                yield {"type": "relation", "from": m["ref"], "to": a["ref"], "relationType": j.get("role", "derived_from")}


class Server:
    """A server on standard input and output; counts the bytes of lines both ways."""

    def __init__(self, *argv, env=None):
        self.p = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        self.count = 0
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "agent-day", "version": "1"})
        self.p.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def ask(self, method, **params):
        """The answer, its bytes, and those of the request."""
        self.count += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}, ensure_ascii=False).encode() + b"\n"
        self.p.stdin.write(line)
        self.p.stdin.flush()
        while True:
            answer = self.p.stdout.readline()
            assert answer, f"the server ended at {method}"
            said = json.loads(answer)
            if said.get("id") == self.count:
                return said, len(answer), len(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.p.stdin.close()
        self.p.stdout.close()
        self.p.wait(30)


def replay(server, reference=False):
    """Yields a Call for each line: those of the reference server that it has something for."""
    names = {}

    def fill(value):
        if isinstance(value, str):
            return names[value[1:]] if value.startswith("$") else value
        if isinstance(value, list):
            return [fill(v) for v in value]
        return {k: fill(v) for k, v in value.items()} if isinstance(value, dict) else value

    for line in recorded():
        call = line.get("reference") if reference else line
        if not call:
            continue
        said, answered, sent = server.ask("tools/call", name=call["tool"], arguments=fill(call["arguments"]))
        failed = "error" in said or said["result"].get("isError", False)
        if "as" in line and not reference:
            names[line["as"]] = REF.search(json.dumps(said["result"]))[0]
        yield Call(line["do"], call["tool"], sent, answered, failed)


def summed(calls):
    """(calls, bytes in, bytes out) by what the agent does, and of all as "day"."""
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for call in calls:
        for what in (call.do, "day"):
            for i, n in enumerate((1, call.sent, call.answered)):
                sums[what][i] += n
    return {what: tuple(of) for what, of in sums.items()}
