"""What an agent waits for, asked first: processor time of `stemma mcp` over stdio, in a named session that may read all,
for questions that were never asked before. A process answers one group; the first answer of a session stands apart.

The reference memory server of the protocol (npm) gets the memories of the same store as entities, where it can hold
them: it reads its whole file for every question.
"""
import itertools, json, os, random, re, shutil, sqlite3, subprocess, time
import made

HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}
PEER = "@modelcontextprotocol/server-memory@2026.8.31"
KINDS, AGENTS = ("raw", "episode", "note", "belief"), ("ash", "claire", "sam", "robin")
ids = itertools.count(1)


def line(message):
    return json.dumps(message).encode() + b"\n"


def call(tool, **arguments):
    return line({"jsonrpc": "2.0", "id": next(ids), "method": "tools/call", "params": {"name": tool, "arguments": arguments}})


class Agent:
    """A process that speaks MCP over stdio, from its start."""
    def __init__(self, argv, env):
        self.start = time.monotonic()
        self.bytes = 0
        self.process = subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ask([line(HELLO)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def worked(self):
        """Ms of the processor that all its threads took, also those that ended: CLOCK_PROCESS_CPUTIME_ID of the process."""
        return time.clock_gettime((~self.process.pid << 3) | 2) * 1e3

    def ask(self, lines, in_flight=1):
        """The ms of the processor that each answer took, or with several in flight all of them by one list."""
        took, sent = [], 0
        while sent < len(lines):
            before, more = self.worked(), lines[sent:sent + in_flight]
            self.process.stdin.write(b"".join(more))
            self.process.stdin.flush()
            for asked in more:
                answer = self.process.stdout.readline()
                self.bytes += len(answer)
                if b'"isError":true' in answer or b'"error":{"code"' in answer[:100] or not answer:
                    raise SystemExit(f"{asked[:200]}: {answer[:400]}")
            took.append(self.worked() - before)
            sent += len(more)
        return took


def median(values):
    return sorted(values)[len(values) // 2]


def memories(db, where="", *values):
    """Refs and texts. The end of an id of made.days() is its number, which decides its kind."""
    for name, text in db.execute(f"SELECT name, text FROM memory WHERE status < 7 {where}", values):
        yield f"{made.KINDS[int(name[-12:], 16) % 20]}:{name}", text


def sample(path):
    """Refs of some memories of a store with their texts, and its words, the rarest first."""
    db, dice = sqlite3.connect(f"file:{path}?mode=ro", uri=True), random.Random(1)
    last = db.execute("SELECT max(id) FROM memory").fetchone()[0]
    rows = [row for _ in range(3000) for row in memories(db, "AND id = ?", dice.randint(1, last))]
    db.close()
    words = {}
    for _, text in rows:
        for word in re.findall(r"(?<= )[a-z]{4,}", text) if len(text) < 1000 else ():
            words[word] = words.get(word, 0) + 1
    return rows, sorted(words, key=words.get)


def filters():
    return [{}] + [{"kind": k} for k in KINDS] + [{"agent_id": a} for a in AGENTS] + [
        {"kind": k, "agent_id": a} for k in KINDS for a in AGENTS]


def groups(refs, words):
    """Name, questions, and the bars of the median, the first and the largest answer in ms, at 1,000,000 memories."""
    rare, common = words[:30], words[-30:]

    def lists(limit=10, **more):
        return [call("memory_list", limit=limit, **more, **f) for f in filters()]
    yield "get", [call("memory_get", ref=r) for r in refs[:200]], (0.15, 1, 1)
    for order in ("recorded", "created", "updated", "text"):
        yield f"list of 10 by {order}", lists(order=order), (1, 5, 5)
    yield "list of 50 with filters", [call("memory_list", limit=50, kind=k, agent_id=a, status="active", order=o)
                                      for k in KINDS for a in AGENTS for o in ("recorded", "created", "text")], (3, 8, 10)
    yield "list of 10 by label", [call("memory_list", limit=10, label=label, **f) for f in filters()[:5] for label in
                                  ("supported", "weakened", "unsupported", "circular", "unsourced")], (1, 650, 5)
    yield "list of 10 by effective confidence", lists(order="confidence"), (1, 650, 5)
    yield "list of 10 by trust", lists(order="trust"), (None, None, None)
    yield "list of 10 by retrieval time", lists(order="retrieved"), (None, None, None)
    yield "search, a rare word", [call("memory_search", query=w) for w in rare], (1, 5, 5)
    yield "search, a common word", [call("memory_search", query=w) for w in common], (1, 5, 5)
    yield "search, two words", [call("memory_search", query=f"{a} {b}") for a, b in zip(common, common[1:])], (1, 5, 5)
    yield "search, a part of words", [call("memory_search", query=w[1:]) for w in rare], (None, None, None)
    yield "lineage, ancestors to depth 2", [call("memory_lineage", ref=r, direction="ancestors", depth=2) for r in refs], (0.3, 1, 5)
    yield "lineage, descendants to depth 2", [call("memory_lineage", ref=r, direction="descendants", depth=2)
                                              for r in refs], (0.3, 1, 5)
    yield "what if without it", [call("memory_whatif", refs=[r]) for r in refs[:60]], (None, None, None)
    yield "orphans", [call("memory_orphans") for _ in range(5)], (0.1, 650, None)


def command(stemma, path, home, *agent):
    config = f"{home}/asked.yaml"
    with open(config, "w") as f:
        f.write("share: yes\n")
    return [stemma, "mcp", "--store", path, "--config", config, *agent]


def bench_asked(stemma, path, size, home, env, report):
    rows, words = sample(path)
    refs, bars = [ref for ref, _ in rows[:200]], size == 1000000
    argv = command(stemma, path, home, "--agent", "ash")
    for name, lines, (usual, first, largest) in groups(refs, words):
        with Agent(argv, env) as agent:
            took = agent.ask(lines)
        report(f"{name} ({agent.bytes // len(lines)} B): {len(lines)} different, median", usual if bars else None, median(took[1:]), "ms")
        report("  the first of a session", first if bars else None, took[0], "ms")
        report("  the largest after it", largest if bars else None, max(took[1:]), "ms")
    bench_flight(argv, env, [call("memory_get", ref=ref) for ref, _ in rows], report)
    bench_guard(argv, command(stemma, path, home), env, refs, report)


def bench_flight(argv, env, lines, report):
    with Agent(argv, env) as agent:
        agent.ask(lines[:1])
        start = time.monotonic()
        worked = sum(agent.ask(lines[1:], 64))
        took = time.monotonic() - start
    report("64 gets in flight, a second", None, (len(lines) - 1) / took, "/s")
    report("  a second of the server's processor", 15000, (len(lines) - 1) / worked * 1e3, "/s", least=True)


def bench_guard(named, unnamed, env, refs, report):
    """A named session that may see all and an unnamed one take turns: the medians of what each took and of the shares."""
    took = []
    for _ in range(15):
        took.append([])
        for argv in (named, unnamed):
            with Agent(argv, env) as agent:
                took[-1].append(median(agent.ask([call("memory_get", ref=ref) for ref in refs])))
    report("a get in a named session", None, median([named for named, _ in took]), "ms")
    report("  more than in an unnamed one", 10, median([named / unnamed - 1 for named, unnamed in took]) * 100, "%")


# ---- the start ----

def bench_start(stemma, path, home, env, report):
    """From exec to the answer of `initialize`, beside the whole life of /bin/true: processor time and the clock, in turns."""
    ours, true = [], []
    for _ in range(21):
        with Agent(command(stemma, path, home, "--agent", "ash"), env) as agent:
            ours.append((agent.worked(), (time.monotonic() - agent.start) * 1e3))
        start = time.monotonic()
        p = subprocess.Popen(["/bin/true"], env=env)
        used = os.wait4(p.pid, 0)[2]
        p.returncode = 0
        true.append(((used.ru_utime + used.ru_stime) * 1e3, (time.monotonic() - start) * 1e3))
    for i, what in enumerate(("processor time", "by the clock")):
        report(f"exec of `stemma mcp` to its first answer, {what}", None, median([t[i] for t in ours]), "ms")
        report("  times that of /bin/true", 3, median([t[i] for t in ours]) / median([t[i] for t in true]), "×")


def calls_of(profile):
    """Instructions of each function with all that it calls, and of each pair of a caller and one that it calls."""
    argv = ["callgrind_annotate", "--inclusive=yes", "--tree=calling", "--auto=no", "--threshold=100", profile]
    text = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
    of, caller = {}, None
    for count, mark, name in re.findall(r"^ *([\d,]+) \([^)]*\) +([*>]) +\S*:(\(below main\)|[\w@.']+)", text, re.M):
        name, count = re.split(r"\.|@|'", name)[0], int(count.replace(",", ""))
        caller = name if mark == "*" else caller
        pair = name if mark == "*" else (caller, name)
        of[pair] = max(of.get(pair, 0), count)
    return of


def bench_phases(stemma, path, home, env, report):
    """Where the start goes: instructions until the first answer, those of the kernel not counted, which add up. Needs valgrind."""
    profile = f"{home}/start"
    argv = command(stemma, path, home, "--agent", "ash")
    if not shutil.which("valgrind"):
        print("valgrind is not there")
        return
    with Agent(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *argv], env) as agent:
        subprocess.run(["callgrind_control", "-d", str(agent.process.pid)], env=env, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
    of = calls_of(profile + ".1")
    first = of["try_state", "db_open"]
    phases = {"the loader": of["_dl_start"],
              "the store's connection and its schema": first,
              "the store's state and the head of its journal": of["store_open"] - first,
              "the session and the answer": of["serving_run"]}
    whole = of["_dl_start"] + of["(below main)"]
    for name, count in {**phases, "configuration, rules of masking, the rest": whole - sum(phases.values()), "all of it": whole,
                        "meanwhile the writer's thread": of.get("writer_main", 0)}.items():
        report(f"the start: {name}", None, count / 1e6, "M instructions")


# ---- the reference server ----

def bench_peer(path, kept, env, report):
    """None without npm. Its file is written as it writes it: an entity for each memory, with its text."""
    folder = f"{kept}/peer"
    program = f"{folder}/node_modules/@modelcontextprotocol/server-memory/dist/index.js"
    if not os.path.exists(program) and (not shutil.which("npm") or subprocess.run(
            ["npm", "install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", PEER],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode):
        print("the reference server is not there: npm cannot install it", flush=True)
        return
    rows, words = sample(path)
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    with open(f"{kept}/peer.jsonl", "w") as f:
        for ref, text in memories(db):
            f.write(json.dumps({"type": "entity", "name": ref, "entityType": "memory", "observations": [text]}) + "\n")
    db.close()
    argv = ["node", program]
    with Agent(argv, {**env, "MEMORY_FILE_PATH": os.path.abspath(f"{kept}/peer.jsonl")}) as agent:
        report("reference server: exec to its first answer", None, agent.worked(), "ms")
        for name, lines in (("a memory by its name", [call("open_nodes", names=[ref]) for ref, _ in rows[:20]]),
                            ("search, a rare word", [call("search_nodes", query=w) for w in words[:20]]),
                            ("search, a common word", [call("search_nodes", query=w) for w in words[-5:]])):
            took = agent.ask(lines)
            report(f"  {name}, median", None, median(took), "ms")
    os.remove(f"{kept}/peer.jsonl")
