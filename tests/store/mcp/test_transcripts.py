#!/usr/bin/env python3
"""Transcripts of agents at work: the requests of an agent to `stemma mcp`, and the parts of the answers that matter.

transcripts/NAME.t has sections, each with its own store, configuration and servers:

    == a note is added and read
    + {"ref": "raw:a", "text": "heard"}                   a memory that a person imports; consecutive lines are one import
    | share: yes                                          the configuration from here on; consecutive lines are the whole file
    @ ash --read-only                                     from here on another agent (`stemma mcp --agent ash --read-only`);
                                                          `@` alone is one without --agent; at first it is ash, as of the memories
    $ stemma retract raw:a                                a command of a person, and the lines that it prints
    > memory_note {"content": "it is so"}                 a tool and its arguments
    {"ref": "note:ID1"}
    > resources/read {"uri": "stemma://note/ID1"}         a method and its params
    > {"jsonrpc": "2.0", "id": 1, "method": "ping"}       a literal line; each line of output is one line below
    ~ 9,000 lines                                         the answer contains this text
    = lineage                                             stands for the lines under `= lineage` before the first section
    !~ secret                                             the answer does not contain this text

The expected answer is partial: members that it does not name may have any value, and so may the rest of a text that ends
with "…". "(absent)" is a member that must not exist, "(3 items)" a list of three, {"1": …} the second element of a list,
"(any)" any value. An error is `! CODE: message {details} -> hint`, compared as far as it is written. Notifications before
the answer are `< method {params}`, if any are expected. Continuation lines begin with a blank. <<x * 300>> is 300 times x.
Values that change from run to run have names, in requests too: ids are ID1, ID2, … in order of appearance, cursors CURSOR1,
masked names HIDDEN1, and the present time is "NOW".

Each answer of a tool is also checked against the tool's schema. A call that fails or only reads must not change the store.
GENERATE=1 updates expectations that do not hold and fills in those of new steps; read the diff."""
import collections, contextlib, functools, glob, json, os, re, shutil, sqlite3, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
SHORT = r"(?<=[a-z]:)[0-9a-f]{8}(?:-[0-9a-f\-]*)?(?![\w\-])"  # a ref in a compact answer
CHANGING = re.compile(rf'(?:(?<=\[REDACTED\]_)|(?<=%5BREDACTED%5D_))(?P<HIDDEN>[A-Za-z2-7]{{13,26}})|(?P<ID>(?<![0-9a-f\-]){UUID}|{SHORT})'
                      r'|(?:(?<=ursor":")|(?<="next":")|(?<=\\"next\\":\\"))(?P<CURSOR>[\w\-.+/=]+)(?=\\?")')
NAME = re.compile(r"(?<![A-Za-z])(?:ID|CURSOR|HIDDEN)[0-9]+\b")
PROTOCOL = "2025-11-25"
WIDTH = 118


class Names:
    """Replaces values that change from run to run by stable names."""

    def __init__(self):
        self.name, self.value, self.count = {"54c5507f": "54c5507f"}, {}, collections.Counter()
        self.given = {"54c5507f"}  # literal ids; this one is in a hint

    def known(self, id):
        """The id that is known already, of which this is the beginning, or which is the beginning of this."""
        if id in self.name:
            return id
        return next((k for k in self.name if k.startswith(id) or len(k) >= 8 and k not in self.given and id.startswith(k)), id)

    def settle(self, text):
        def name(m):
            known = self.known(m[0]) if m.lastgroup == "ID" else m[0]
            if known not in self.name:
                self.count[m.lastgroup] += 1
                self.name[known] = f"{m.lastgroup}{self.count[m.lastgroup]}"
                self.value[self.name[known]] = known
            return self.name[known]
        text = re.sub(r"^stemma: this process is not confined .*\n?", "", text, flags=re.M)  # it depends on the system
        text = CHANGING.sub(name, text)
        days = "|".join(time.strftime("%Y-%m-%d", time.gmtime(time.time() + d)) for d in (-86400, 0, 86400))
        text = re.sub(rf"(?:{days})(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?", "NOW", text)
        now = time.time() * 1000
        return re.sub(r'(\\*"):(1[0-9]{12})(?=[,}])',
                      lambda m: f"{m[1]}:{m[1]}NOW{m[1]}" if abs(int(m[2]) - now) < 86400e3 else m[0], text)

    def fill(self, text):
        """Replaces names by their values; a literal id stands for itself."""
        literals = re.findall(UUID + "|" + SHORT, text)
        self.given.update(literals)
        self.name.update({literal: literal for literal in literals})
        text = re.sub(r"<<(.*?) \* (\d+)>>", lambda m: m[1] * int(m[2]), text)
        return NAME.sub(lambda m: self.value.get(m[0], m[0]), text)


def fits(schema, value, where="answer"):
    """Why the value does not match the JSON Schema, or None. Knows only the keywords that stemma's tools use."""
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None)}
    wanted = schema.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if wanted and not any(isinstance(value, types[t]) and (t == "boolean" or not isinstance(value, bool)) for t in wanted):
        return f"{where} is no {wanted}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {schema['enum']}"
    for among in ("anyOf", "oneOf"):
        if among in schema and all(fits(s, value, where) for s in schema[among]):
            return f"{where} is of none of {among}"
    if isinstance(value, dict):
        members = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                return f"{where} has no {name}"
        for name, v in value.items():
            rest = members.get(name, schema.get("additionalProperties", True))
            if rest is False:
                return f"{where} has {name}, which the schema does not know"
            why = fits(rest, v, f"{where}.{name}") if isinstance(rest, dict) else None
            if why:
                return why
    if isinstance(value, list) and "items" in schema:
        return next(filter(None, (fits(schema["items"], v, f"{where}[{i}]") for i, v in enumerate(value))), None)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            return f"{where} is {value}"
    return None


class Server:
    def __init__(self, options, env, cwd):
        named = options and not options[0].startswith("-")
        words = ["mcp"] + (["--agent"] if named else []) + list(options)
        self.p = subprocess.Popen([STEMMA, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(cwd + "/stderr", "a"),
                                  env=env, cwd=cwd)
        self.timer = threading.Timer(60, self.p.kill)
        self.timer.start()
        self.next = 1000

    def say(self, line):
        self.p.stdin.write(line.encode() + b"\n")
        self.p.stdin.flush()

    def hear(self):
        line = self.p.stdout.readline().decode(errors="replace")
        return line.rstrip("\n") or None

    def ask(self, method, params):
        """Returns the answer and the notifications before it."""
        self.next += 1
        self.say(f'{{"jsonrpc":"2.0","id":{self.next},"method":{json.dumps(method)},"params":{params}}}')
        told = []
        while (line := self.hear()) is not None and re.match(r'{"jsonrpc":"2.0","method":', line):
            told.append(line)
        return line or '{"error":{"code":0,"message":"the server ended"}}', told

    def begin(self):
        self.ask("initialize", f'{{"protocolVersion":"{PROTOCOL}","capabilities":{{}},"clientInfo":{{"name":"tester","version":"1"}}}}')
        self.say('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return self

    def end(self):
        try:
            self.p.stdin.close()
        except BrokenPipeError:
            pass
        self.p.wait()
        self.p.stdout.close()
        self.timer.cancel()


@functools.lru_cache(None)
def tools():
    """The tools by name, as the server lists them."""
    section = Section()
    section.configure(["destructive_tools: yes", "mcp: {tools: [all]}"])
    listed = json.loads(section.server().ask("tools/list", "{}")[0])["result"]["tools"]
    section.end()
    return {t["name"]: t for t in listed}


def failure(error):
    details = {k: v for k, v in (error.get("details") or error.get("data") or {}).items()}
    todo = details.pop("todo", None)
    return f"! {error['code']}: {error['message']}" + (f" {dump(details)}" if details else "") + (f" -> {todo}" if todo else "")


def dump(value):
    return json.dumps(value, ensure_ascii=False)


def show(value, indent=0):
    """Formats JSON in lines that fit."""
    line = dump(value)
    if len(line) + indent <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    parts = [dump(k) + ": " + show(v, indent + 1) for k, v in value.items()] if isinstance(value, dict) else \
        [show(v, indent + 1) for v in value]
    lines, gap = [parts[0]], "\n" + " " * (indent + 1)
    for part in parts[1:]:
        if "\n" in part or "\n" in lines[-1] or len(lines[-1]) + len(part) + indent + 3 > WIDTH:
            lines.append(part)
        else:
            lines[-1] += ", " + part
    return line[0] + ("," + gap).join(lines) + line[-1]


def holds(want, got):
    if isinstance(want, dict) and isinstance(got, dict):
        return all(k not in got if w == "(absent)" else k in got and holds(w, got[k]) for k, w in want.items())
    if isinstance(want, dict) and isinstance(got, list):
        return bool(want) and all(k.isdigit() and int(k) < len(got) and holds(w, got[int(k)]) for k, w in want.items())
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(map(holds, want, got))
    if want == "(any)" or isinstance(got, list) and want == f"({len(got)} items)":
        return True
    if isinstance(want, str) and isinstance(got, str) and want.endswith("…"):
        return got.startswith(want[:-1])
    return type(want) is type(got) and want == got


def anew(want, got):
    """The present values of the parts that were expected."""
    if holds(want, got):
        return want
    if isinstance(want, dict) and isinstance(got, dict):
        return {k: anew(w, got[k]) if k in got else "(absent)" for k, w in want.items()}
    if isinstance(want, dict) and want and isinstance(got, list):
        return {k: anew(w, got[int(k)]) for k, w in want.items() if k.isdigit() and int(k) < len(got)}
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return list(map(anew, want, got))
    if isinstance(want, str) and re.fullmatch(r"\(\d+ items\)", want) and isinstance(got, list):
        return f"({len(got)} items)"
    if isinstance(want, str) and isinstance(got, str) and want.endswith("…"):
        return got[:len(want) - 1] + "…"
    return got


def parse(text):
    """The steps: (first line with its continuation, expected lines, text before the step)."""
    steps, before = [], []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith(("== ", "= ", "+ ", "| ", "@", "$ ", "> ")):
            steps.append([[line], [], before])
            before = []
        elif not line or line.startswith("#"):
            before.append(line)
        elif line.startswith(" ") and not steps[-1][1]:
            steps[-1][0].append(line)
        else:
            steps[-1][1].append(line)
    return steps, before


def whole(lines):
    """Joins lines with their continuation lines, which begin with a blank."""
    out = []
    for line in lines:
        if line.startswith(" ") and out:
            out[-1] += line.strip() if out[-1].endswith(("[", "{")) else " " + line.strip()
        else:
            out.append(line)
    return out


class Section:
    def __init__(self):
        self.cwd = tempfile.mkdtemp(prefix="stemma-mcp-")
        self.env = {"HOME": self.cwd, "PATH": os.path.dirname(STEMMA) + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
                    "USER": "sean", "LOGNAME": "sean", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        os.makedirs(self.cwd + "/.config/stemma")
        self.names, self.servers, self.options = Names(), {}, ("ash",)
        self.configure([])

    def configure(self, lines):
        path = self.cwd + "/.config/stemma/config.yaml"
        with open(path + ".new", "w") as f:
            f.write("\n".join([f"store: {self.cwd}/memory.db", "actor: sean", *lines]) + "\n")
        os.rename(path + ".new", path)

    def server(self):
        if self.options not in self.servers:
            self.servers[self.options] = Server(self.options, self.env, self.cwd).begin()
        return self.servers[self.options]

    def shell(self, command, given=None):
        p = subprocess.run(["bash", "-c", command], cwd=self.cwd, env=self.env, input=given, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=120)
        out = self.names.settle(p.stdout.decode(errors="backslashreplace").replace(self.cwd, "DIR")).rstrip("\n")
        return ([line.rstrip() for line in out.split("\n")] if out else []) + ([f"[{p.returncode}]"] if p.returncode else [])

    def events(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.cwd}/memory.db?mode=ro", uri=True)) as db:
            return db.execute("SELECT max(seq) FROM event").fetchone()

    def ask(self, asked):
        """Returns the answer's JSON or its error, the notifications before it, and all of it as text."""
        s = self.server()
        if asked.startswith("{") or asked.startswith("["):
            s.say(asked)
            lines = []
            s.next += 1
            s.say(f'{{"jsonrpc":"2.0","id":{s.next},"method":"ping"}}')  # notifications before its answer belong to the step
            while (line := s.hear()) is not None and f'"id":{s.next},"result":{{}}' not in line:
                lines.append(self.names.settle(line))
            return [json.loads(line) for line in lines], [], "\n".join(lines)
        word, _, arguments = asked.partition(" ")
        arguments = arguments or "{}"
        if "/" in word or word in ("ping", "initialize"):
            line, told = s.ask(word, arguments)
        else:
            before = self.events()
            line, told = s.ask("tools/call", f'{{"name":"{word}","arguments":{arguments}}}')
            reads = tools().get(word, {}).get("annotations", {}).get("readOnlyHint")
            if (reads or '"isError":true' in line) and self.events() != before:
                return "! it reads or failed, and stored something", [], line
        message = json.loads(line, strict=False)
        result = message.get("result", {})
        wrong = None
        if "structuredContent" in result and not result.get("isError"):
            wrong = fits(tools().get(word, {}).get("outputSchema", {}), result["structuredContent"])
            text = [c["text"] for c in result["content"] if c["type"] == "text"]
            if not wrong and json.loads(text[0]) != result["structuredContent"]:
                wrong = "the text says something else"
        text = self.names.settle(line)
        message = json.loads(text, strict=False)
        if wrong:
            return f"! the answer is not of its schema: {wrong}", [], text
        if "error" in message:
            value = failure(message["error"])
        elif message["result"].get("isError"):
            value = failure((message["result"].get("structuredContent") or json.loads(message["result"]["content"][0]["text"]))["error"])
        else:
            result = message["result"]
            alone = result["content"][0] if [*result] == ["content"] else result  # text for reading
            value = result.get("structuredContent", alone)
        notes = [json.loads(self.names.settle(t)) for t in told]
        return value, [f"< {n['method']} {dump(n.get('params', {}))}" for n in notes], text

    def expected(self, asked, lines):
        """The lines that belong under the step; the present ones if all match."""
        value, told, text = self.ask(asked)
        want = whole(lines)
        has = [w for w in want if w.startswith(("~ ", "!~ "))]
        notes = [w for w in want if w.startswith("< ")]
        rest = [w for w in want if w not in has and w not in notes]
        plain = text.replace('\\"', '"')
        wrong = [w for w in has if (w[2:] in text or w[2:] in plain) != (w[0] == "~") and w[0] == "~" or
                 w[0] == "!" and (w[3:] in text or w[3:] in plain)]
        if notes:
            split = [n.split(" ", 2) for n in notes]
            heard = [n.split(" ", 2) for n in told]
            if len(split) != len(heard) or any(a[1] != b[1] or not holds(json.loads(a[2]), json.loads(b[2]))
                                               for a, b in zip(split, heard)):
                wrong += notes
        if isinstance(value, str):
            ok = rest and value.startswith(rest[0]) and len(rest) == 1
            now = [value]
        elif asked.startswith(("{", "[")):
            parsed = [read(r) for r in rest]
            ok = len(parsed) == len(value) and all(map(holds, parsed, value)) and bool(want or not value)
            now = [show(anew(p, v)) for p, v in zip(parsed, value)] + [show(v) for v in value[len(parsed):]]
        else:
            parsed = read(rest[0]) if len(rest) == 1 else None
            ok = not rest and has or len(rest) == 1 and parsed is not None and holds(parsed, value)
            now = [show(anew(parsed, value) if parsed is not None else value)]
        if ok and not wrong:
            return lines
        return [line for entry in ([] if ok else now) for line in entry.split("\n")] + \
            ([] if not ok else [line for line in lines if line not in has + notes]) + \
            [h if h not in wrong else f"{h}   <- it is not so" for h in has] + (told if notes else [])

    def step(self, head, lines):
        kind = head[0][0]
        if kind == "@":
            self.options = tuple(head[0][1:].split())
        elif kind == "$":
            return self.shell(self.names.fill(" ".join(line.strip() for line in head)[2:]))
        elif kind == ">":
            try:
                return self.expected(self.names.fill(whole(head)[0][2:]), lines)
            except (OSError, ValueError, KeyError, AttributeError) as e:
                return [f"! the server ended, or answers otherwise: {e!r}", *open(self.cwd + "/stderr").read().splitlines()]
        return []

    def end(self):
        for s in self.servers.values():
            s.end()
        shutil.rmtree(self.cwd)


def read(line):
    try:
        return json.loads(line)
    except ValueError:
        return None


def transcript(path):
    """The lines that the file should have."""
    steps, tail = parse(open(path).read())
    starts = [i for i, (head, _, _) in enumerate(steps) if head[0].startswith("== ")] + [len(steps)]
    out, shared = [], {}
    for head, _, before in steps[:starts[0]]:
        out += before + head
        if head[0].startswith("= "):
            shared[head[0]] = []
        else:
            shared[list(shared)[-1]].append([head, [], []])
    for begin, end in zip(starts, starts[1:]):
        section = Section()
        try:
            out += steps[begin][2] + steps[begin][0] + run(section, steps[begin + 1:end], shared)
        finally:
            section.end()
    return "\n".join(out + tail).rstrip("\n") + "\n"


def run(section, steps, shared):
    """The lines of the steps as they should be."""
    out, i = [], 0
    while i < len(steps):
        head, lines, before = steps[i]
        out += before + head
        i += 1
        if head[0][0] == "=":
            run(section, shared[head[0]], shared)
            continue
        if head[0][0] in "+|":
            rows = [head]
            while i < len(steps) and steps[i][0][0][0] == head[0][0] and not steps[i][2] and not lines:
                rows.append(steps[i][0])
                out += steps[i][0]
                i += 1
            rows = [whole(r)[0][2:] for r in rows]
            if head[0][0] == "|":
                section.configure(rows)
                continue
            given = section.names.fill("\n".join(rows)).encode()
            said = section.shell("stemma import jsonl - --agent ash --replace", given)
            if re.fullmatch(r"\[\d+\]", said[-1] if said else ""):
                out += said
            continue
        out += section.step(head, lines)
    return out


def main():
    tools()
    harness.compare(sorted(sys.argv[1:] or glob.glob(HERE + "/transcripts/*.t")), transcript, (os.cpu_count() or 1) + 1)
    return harness.failed


if __name__ == "__main__":
    sys.exit(main())
