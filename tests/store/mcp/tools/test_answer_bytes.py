#!/usr/bin/env python3
"""What an agent pays for answers: the bytes of each answer of the memory tools, on the demo store and on one whose names and
texts take the most bytes that they can. The limits are those of store/mcp/tools/README.md."""
import json, os, random, re, shutil, sqlite3, subprocess, sys, tempfile, urllib.parse, uuid

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))
ANSWER, MISTAKE = 40000, 400
TEXTS = {"plain": "The deploy to staging failed again after the certificate was renewed. ", "chinese": "证书更新之后，部署又失败了。",
         "emoji": "🚀🔥👩‍👩‍👧‍👦🧵", "quotes": '"\\"\\', "controls": "\x01\x02\x1f\x7f\u0080\u202e", "lines": "a\n\tb\r\n"}


def rows_max(limit):
    return min(2500 + max(limit - 10, 0) * 475 // 2, ANSWER)


class Server:
    def __init__(self, store, home, *options):
        env = {"HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        self.p = subprocess.Popen([STEMMA, "mcp", "--store", store, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env=env)
        self.id = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.schemas = {t["name"]: t.get("outputSchema") for t in self.ask("tools/list", {})["tools"]}

    def ask(self, method, params):
        self.id += 1
        self.p.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).encode() + b"\n")
        self.p.stdin.flush()
        while True:
            answer = json.loads(self.p.stdout.readline(), strict=False)
            if answer.get("id") == self.id:
                return answer["result"]

    def call(self, tool, **arguments):
        """The answer, and its bytes: those of the JSON, or of the text as a JSON string."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        text = self.raw = result["content"][0]["text"]
        structured = result.get("structuredContent")
        if structured is None:
            return text, len(json.dumps(text, ensure_ascii=False).encode())
        assert json.loads(text, strict=False) == structured, (tool, "the two copies differ")
        if self.schemas.get(tool) and arguments.get("detail") != "full" and not result.get("isError"):
            exactly(structured, self.schemas[tool], tool)
        return structured, len(text.encode())

    def end(self):
        self.p.stdin.close()
        self.p.wait()
        self.p.stdout.close()


def exactly(value, schema, path):
    """The schema names each member of a compact answer. `named` and `seen` find one that no answer has."""
    if schema.get("type") == "array":
        for item in value:
            exactly(item, schema["items"], path)
    elif "properties" in schema:
        named.update(f"{path}.{name}" for name in schema["properties"])
        for name, member in value.items():
            assert name in schema["properties"], f"{path} has {name}, which its schema does not name"
            seen.add(f"{path}.{name}")
            exactly(member, schema["properties"][name], f"{path}.{name}")


named, seen = set(), set()
# Members that need another configuration, another agent or a larger store.
RARE = re.compile("memory_get.todo$|memory_add.why$|[.]pending$|withheld|left|_more$|trust$|unresolved$|orphans.next$|search.next$|confidence.more$")
worst, of_demo = {}, {}
# The largest of each on the demo store, whose ages grow by a letter now and then. What grows by more than 4 % grows on
# purpose: change the number.
DEMO = {"list of 1": 477, "list of 3": 904, "list of 10": 2255, "list of 50": 8411, "list of 200": 24678, "list, full": 38789,
        "memory besides its text": 591, "memory": 689, "memory, full": 917, "whatif, text": 717, "whatif, json": 245,
        "lineage": 2114, "lineage, json": 3132, "history, text": 538, "history, json": 1377, "whatif": 717, "propagate": 171,
        "orphans of 10": 711, "orphans of 50": 711, "search of 3": 602, "search of 10": 2238, "search of 50": 8533,
        "search of 200": 19811, "search, full": 39930, "resource": 4824, "prompt": 10517, "mistake": 367, "added": 34034}


def within(what, size, limit, store):
    worst[what] = max(worst.get(what, (0, 0, "")), (size, limit, store))
    assert size <= limit, f"{what} of {store}: {size} bytes, at most {limit}"
    if store.split()[0] == "demo":
        of_demo[what] = max(of_demo.get(what, 0), size)


def lists(s, store):
    for limit in 1, 3, 10, 50, 200:
        for arguments in {}, {"order": "text"}, {"status": "all", "kind": "belief"}:
            cursor, pages = {}, 0
            while pages < 2:
                page, size = s.call("memory_list", limit=limit, **arguments, **cursor)
                rows = page["memories"]
                within(f"list of {limit}", size, rows_max(limit), store)
                assert rows or "next" not in page
                cut = [row for row in rows if "text" in row and row["text"].endswith("…") and len(row["text"]) < 120]
                for row in rows:
                    assert len(row.get("text", "")) <= 161, row
                    assert not row.get("text", "").endswith("…") or len(json.dumps(row["text"], ensure_ascii=False).encode()) >= 50, row
                # Texts are cut further only where the answer has no room.
                assert not cut or size > rows_max(limit) - 260 - 8 * len(rows), (store, limit, size, cut[0])
                cursor, pages = {"cursor": page.get("next")}, pages + 1
                if "next" not in page:
                    break
    piece, _ = s.call("memory_get", ref=rows[0]["ref"], offset=0, length=5)
    assert piece["ref"] == rows[0]["ref"] and len(piece["text"]) <= 5 <= piece["next"], piece
    page, size = s.call("memory_list", detail="full", limit=200)
    within("list, full", size, ANSWER, store)
    assert page["memories"]


def follow(s, store):
    """A list in pages has each memory once, and each ref is accepted."""
    seen, cursor = [], {}
    while True:
        page, _ = s.call("memory_list", limit=50, status="all", **cursor)
        seen += [row["ref"] for row in page["memories"]]
        if "next" not in page:
            break
        cursor = {"cursor": page["next"]}
    assert len(seen) == len(set(seen)), store
    for ref in seen[:4] + seen[4::17]:
        memory, size = s.call("memory_get", ref=ref)
        assert memory["ref"] == ref, (ref, memory)
        text = len(re.search(r'"text":"((?:[^"\\]|\\.)*)"', s.raw)[1].encode())
        within("memory besides its text", size - text, 2000, store)
        within("memory", size, ANSWER, store)
        full, size = s.call("memory_get", ref=ref, detail="full")
        within("memory, full", size, ANSWER, store)
        if "next" not in memory and "too_large" not in full:
            assert memory["text"] == full["text"]
        assert "next" not in full or size > ANSWER - 100, (ref, size)  # as much of the text as there is room for
        shown = len(memory["based_on"]) + memory.get("based_on_more", 0)
        if shown > len(memory["based_on"]):
            assert "justifications" in memory["more"] and "part justifications" in memory["todo"], memory
            assert s.call("memory_get", ref=ref, part="justifications")[0]["characters"] > 0
        for ground in memory["based_on"]:
            s.call("memory_lineage", ref=ground["ref"], depth=1)
        for form in "text", "json":
            within(f"whatif, {form}", s.call("memory_lineage", ref=ref, direction="whatif", format=form)[1], ANSWER, store)
        for direction in "ancestors", "descendants":
            text, size = s.call("memory_lineage", ref=ref, direction=direction)
            lines = text.count("\n")
            within("lineage", size, ANSWER if "not shown" in text else min(max(lines, 50) * 160, ANSWER), store)
            tree, size = s.call("memory_lineage", ref=ref, direction=direction, format="json")
            within("lineage, json", size, min(max(len(tree["nodes"]) + tree.get("nodes_more", 0), 50) * 160, ANSWER), store)
            # A memory is left out, and a text cut further, only where there is no room.
            assert "nodes_more" not in tree or size > 4000, (store, ref, tree)
            cut = [n["text"] for n in tree["nodes"] if n.get("text", "").endswith("…") and len(n["text"]) < 120]
            assert not cut or size > 7000, (store, ref, size, cut[0])
        for form in "text", "json":
            within(f"history, {form}", s.call("memory_history", ref=ref, format=form)[1], ANSWER, store)
        within("whatif", s.call("memory_whatif", refs=[ref])[1], ANSWER, store)
        within("propagate", s.call("memory_propagate_confidence", ref=ref)[1], ANSWER, store)
    last = next((r for r in seen if r.startswith("note:chain59")), None)
    if last:
        for direction, ref in ("ancestors", last), ("descendants", last.replace("chain59", "chain00")):
            text, size = s.call("memory_lineage", ref=ref, direction=direction, depth=49)
            within("lineage of 50", size, 8000, store)
            assert text.count("\n") == 51 or "memories are not shown" in text and text.count("\n") > 15, text
            tree, size = s.call("memory_lineage", ref=ref, direction=direction, depth=49, format="json")
            within("lineage of 50, json", size, 8000, store)
            assert len(tree["nodes"]) == 50 or store.startswith("long") and tree["nodes_more"] + len(tree["nodes"]) == 50, (store, size)
    for limit in 10, 50:
        problems, size = s.call("memory_orphans", limit=limit)
        within(f"orphans of {limit}", size, rows_max(limit), store)
    return seen


def search_to_the_end(s, word, store):
    """All matches are reached by the cursor, each once, whatever the limit."""
    found = {}
    for detail, limit in (("compact", 200),) + ((("compact", 10), ("full", 200)) if store == "demo" else ()):
        refs, cursor = [], {}
        while True:
            page, size = s.call("memory_search", query=word, limit=limit, detail=detail, **cursor)
            within(f"search of {limit}" if detail == "compact" else "search, full", size, ANSWER, store)
            refs += [row["ref"] for row in page["memories"]]
            assert page["more"] == ("next" in page) and (page["memories"] or not refs), page
            if not page["more"]:
                break
            cursor = {"cursor": page["next"]}
        assert len(refs) == len(set(refs)), (store, word, detail)
        found[detail, limit] = refs
    assert len({len(refs) for refs in found.values()}) == 1, (store, word)


def dense(scratch):
    """Fifty memories, each based on all of the layer below: each is shown once, and what leads to it again is named."""
    lines, below = [], []
    random.seed(1)
    for layer in range(8):
        refs = [f"{'belief' if layer else 'raw'}:{uuid.UUID(int=random.getrandbits(128), version=4)}" for _ in range(7 if layer < 7 else 1)]
        lines += [json.dumps({"ref": ref, "agent_id": "ash", "text": f"layer {layer}: " + TEXTS["plain"] * 4, "derived_from": below}) for ref in refs]
        below = refs
    top, bottom = below[0], json.loads(lines[0])["ref"]
    s = Server(store_of(scratch, "dense", "\n".join(lines) + "\n"), scratch, "--agent", "ash")
    try:
        text, size = s.call("memory_lineage", ref=top)
        within("dense lineage of 50", size, 8000, "dense")
        assert text.startswith("Ancestors:") and "not shown" not in text and "(also belief:" in text, text
        shown = [line.split(" [")[0].split()[-1] for line in text.splitlines()[1:]]
        assert len(shown) == len(set(shown)) == 50, shown
        text, size = s.call("memory_lineage", ref=bottom)
        assert text.startswith("Descendants:") and "\n  used by: belief:" in text and "effective" in text, text
        answer, size = s.call("memory_lineage", ref=top, format="json")
        within("dense lineage, json", size, 8000, "dense")
        assert len(answer["nodes"]) + answer["nodes_more"] == 50 and len(answer["nodes"]) > 25 and "offset" in answer["todo"], answer
        rest, size = s.call("memory_lineage", ref=top, format="json", offset=answer["next"])
        within("dense lineage, json", size, 8000, "dense")
        both = answer["nodes"] + rest["nodes"]
        assert len({node["ref"] for node in both}) == len(both) == 50 and "next" not in rest, rest
        assert sum(len(link["to"]) for link in answer["links"] + rest["links"]) == 6 * 49 + 7, rest
        assert "depth" in s.call("memory_lineage", ref=top, direction="whatif", depth=3)[0]["error"]["message"]
        for version in 7, 1:
            answer, size = s.call("memory_update", ref=top, text='"' * 5000, expected_version=version)
            if version == 7:
                assert "never was" in answer["error"]["message"] and answer["error"]["details"]["present"]["version"] == 1, answer
        answer, size = s.call("memory_update", ref=top, text="t" * 5000, expected_version=1)
        within("conflict", size, MISTAKE, "dense")
        details = answer["error"]["details"]
        assert answer["error"]["code"] == "CONFLICT" and [details[k]["version"] for k in ("expected", "present")] == [1, 2], answer
        assert details["expected"]["text"].startswith("layer 7") and "memory_get" in details["todo"], answer
    finally:
        s.end()


def wide(scratch):
    """Of 600 direct neighbours each is reached, once, in each form; and what a prompt shows has room in an answer."""
    hub = "raw:00000000-0000-4000-8000-000000000000"
    refs = [f"note:{uuid.UUID(int=(i + 1) << 96)}" for i in range(600)]
    lines = [json.dumps({"ref": hub, "agent_id": "ash", "text": "hub"})]
    lines += [json.dumps({"ref": ref, "agent_id": "ash", "text": f"kid {i} " + TEXTS["quotes"] * 40, "derived_from": [hub]}) for i, ref in enumerate(refs)]
    lines += [json.dumps({"ref": "belief:all", "agent_id": "ash", "text": "all of them", "derived_from": refs})]
    lines += [json.dumps({"ref": "belief:both", "agent_id": "ash", "text": "weakened", "derived_from": [ref, "raw:else"]}) for ref in refs[:1]]
    s = Server(store_of(scratch, "wide", "\n".join(lines) + "\n"), scratch, "--agent", "ash")
    try:
        for ref, direction in (hub, "descendants"), (hub, "whatif"), ("belief:all", "ancestors"):
            for form in "text", "json":
                kids, offset, pages = [], 0, 0
                while offset is not None:
                    page, size = s.call("memory_lineage", ref=ref, direction=direction, format=form, offset=offset)
                    within("page of a wide lineage", size, ANSWER, "wide")
                    if form == "text":
                        kids += re.findall(r"(?m)^(?: *[a-z_ ]+: )?(note:\w+)", page)
                        go_on = re.search(r"offset (\d+)", page)
                        offset = int(go_on[1]) if go_on else None
                    else:
                        rows = page.get("nodes") or page.get("loses_all_support", [])
                        kids += [r for r in (row if isinstance(row, str) else row["ref"] for row in rows) if r.startswith("note:")]
                        offset = page.get("next")
                        assert (offset is None) == ("todo" not in page), page
                    pages += 1
                assert len(kids) == len(set(kids)) == 600 and pages > (direction != "whatif" or form == "text"), (direction, form, len(kids), pages)
        text, _ = s.call("memory_lineage", ref=hub, direction="descendants", offset=250)
        assert "After 250 lines; the next is below raw:00000000" in text, text[:300]
        assert "No memory comes after 9000 lines" in s.call("memory_lineage", ref=hub, direction="descendants", offset=9000)[0]
        prompts(s, "wide", ["belief:all", hub])
    finally:
        s.end()


def prompts(s, store, refs):
    """So is the message of a prompt."""
    asked = [("review_agent", {"agent": "ash"}), ("what_changed", {"since": "2020-01-01"}), ("record_with_provenance", {"what": "it"})]
    for name, arguments in asked + [(name, {"ref": ref}) for name in ("why_believed", "review_belief") for ref in refs]:
        message = s.ask("prompts/get", {"name": name, "arguments": arguments})
        assert "memory_whatif" not in json.dumps(message)  # the default set does not list it
        within("prompt", len(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()), ANSWER, store)


def resources(s, store, refs):
    """A resource is as long as any answer, in the JSON string that it is."""
    for ref in refs:
        kind, id = ref.split(":", 1)
        for end in "", "/lineage", "/lineage.json":
            read = s.ask("resources/read", {"uri": f"stemma://{kind}/{urllib.parse.quote(id, safe='')}{end}"})
            text = read["contents"][0]["text"]
            within("resource", len(json.dumps(text, ensure_ascii=False).encode()), ANSWER, store)


def searches(s, store, words):
    for word in words:
        for limit in 3, 10, 50, 200:
            found, size = s.call("memory_search", query=word, limit=limit)
            within(f"search of {limit}", size, rows_max(limit), store)
            for row in found["memories"]:  # each shows what was found, however far it is cut
                assert "snippet" not in row or word.split()[0].lower() in row["snippet"].lower(), (store, word, row)
        within("search, full", s.call("memory_search", query=word, limit=200, detail="full")[1], ANSWER, store)
    search_to_the_end(s, words[0], store)


def mistakes(s, store):
    long, quoted = "x" * 5000, '"\\' * 300
    for tool, arguments in [
            ("memory_get", {}), ("memory_get", {"ref": "raw:nothing"}), ("memory_get", {"ref": long}), ("memory_get", {"ref": "belif:" + "y" * 300}),
            ("memory_get", {"ref": "raw:" + quoted[:200]}), ("memory_get", {"ref": "raw:aaaaaaaa"}), ("memory_get", {"ref": 5}),
            ("memory_get", {"reff": "raw:x"}), ("memory_get", {quoted: 1}), ("memory_get", {"ref": "raw:x", "detail": long}),
            ("memory_list", {"kind": "beliefs"}), ("memory_list", {"label": quoted}), ("memory_list", {"limit": 1e9}), ("memory_list", {"cursor": long}),
            ("memory_search", {}), ("memory_search", {"query": " "}), ("memory_add", {"kind": "thought", "text": "t"}), ("memory_add", {"kind": "note"}),
            ("memory_add", {"kind": "note", "text": "t", "derived_from": ["raw:" + long]}),
            ("memory_supersede", {"ref": "raw:nothing", "statement": "s"}), ("memory_reinforce", {"ref": "note:nothing"}),
            ("memory_mark", {"ref": "raw:nothing", "mark": long}), ("memory_update", {"ref": "raw:nothing"}), ("memory_lineage", {"ref": "raw:x", "direction": "up"}),
            ("memory_episode", {"objective": "o"}), ("memory_history", {"ref": "raw:x", "before": 0}), ("memory_orphans", {"problem": quoted})]:
        answer, size = s.call(tool, **arguments)
        assert answer["type"] == "error" and answer["error"]["details"]["todo"], (tool, arguments, answer)
        within("mistake", size, MISTAKE, f"{store} {tool}")


def make(path, name, text):
    """Memories whose ids, agents and texts take the most bytes: ids of imports have 200 bytes, agents 100."""
    random.seed(7)
    lines, refs = [], []
    long = name.startswith("long")
    agents = ["ash", ('"' * 40 + "代理人" * 20 if long else "bee")[:60]]
    for i in range(180):
        kind = ["raw", "belief", "note", "relationship", "episode"][i % 5]
        id = (f"{i:03d}" + ("名" * 65 if i % 2 else '"' * 197))[:200] if long else str(uuid.UUID(int=random.getrandbits(128), version=4))
        size = [1, 30, 400, 3000][i % 4] if i != 77 else 60000
        m = {"ref": f"{kind}:{id}", "agent_id": agents[i % 2], "text": (f"pump {i} " + text * size)[:size + 10], "created_at": 1700000000000 + i,
             "confidence": random.random(), "source": text * 100, "tags": [text[:30]]}
        if refs and i % 3:
            m["derived_from"] = random.sample(refs, min(len(refs), [1, 3, 40][i % 3]))
        lines.append(json.dumps(m))
        refs.append(m["ref"])
    lines.append(json.dumps({"ref": "belief:wide", "agent_id": "ash", "text": text * 50, "derived_from": refs}))
    chain = []
    for i in range(60):
        ref = f"note:chain{i:02d}" + ("名" * 64 if long else "")
        lines.append(json.dumps({"ref": ref, "agent_id": agents[i % 2], "text": text * 200, "derived_from": chain[-1:]}))
        chain.append(ref)
    for i in range(2):
        lines.append(json.dumps({"ref": f"raw:aaaaaaaa-0000-4000-8000-00000000000{i}", "agent_id": "ash", "text": "twin"}))
    return "\n".join(lines) + "\n"


def store_of(scratch, name, lines):
    store = f"{scratch}/{name}.db"
    env = {"HOME": scratch, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
    p = subprocess.run([STEMMA, "import", "jsonl", "-", "--store", store], input=lines.encode(), stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, env=env)
    said = p.stdout.decode(errors="replace")
    assert p.returncode == 0, said
    return store


def measure(scratch, name, lines, words):
    store = store_of(scratch, name, lines)
    s = Server(store, scratch, "--agent", "ash")
    try:
        lists(s, name)
        seen = follow(s, name)
        searches(s, name, words)
        resources(s, name, seen[:4] + seen[4::25] + ["belief:wide"] * (name != "demo"))
        prompts(s, name, seen[:2] + ["belief:wide"] * (name != "demo"))
        mistakes(s, name)
        if name == "demo":
            saves(s, seen)
        if name.startswith("long"):
            retract(s, scratch, store, name)
        for i in range(3):
            added, size = s.call("memory_add", kind="belief", text="t", derived_from=[f"context:word {k} " + "w" * 4000 for k in range(300)])
            within("added", size, ANSWER, name)
            assert added["left_out"] + len(added["annotations"]) == 300
    finally:
        s.end()
    estimates(scratch, store, name, seen, words)


def used(scratch, store, calls, **more):
    """What a session that makes these calls is counted: bytes of each tool, and those of the full form."""
    s = Server(store, scratch, "--agent", "ash")
    for tool, arguments in calls:
        s.call(tool, **arguments, **more)
    s.end()
    db = sqlite3.connect(store)
    rows = db.execute("SELECT tool, bytes, full_bytes FROM usage WHERE session = (SELECT max(session) FROM usage)").fetchall()
    db.close()
    return {tool: (size, full) for tool, size, full in rows}


def estimates(scratch, store, name, seen, words):
    """What the full form would have cost is told within a factor of 1.5."""
    calls = [("memory_list", {"limit": n, **more}) for n in (3, 10, 50) for more in ({}, {"kind": "note"}, {"kind": "belief"})]
    calls += [("memory_search", {"query": word, "limit": n}) for word in words for n in (3, 10)]
    calls += [("memory_get", {"ref": ref}) for ref in seen[::7]]
    brief, full = used(scratch, store, calls), used(scratch, store, calls, detail="full")
    for tool in "memory_list", "memory_search", "memory_get":
        told, size = brief[tool][1], full[tool][0]
        assert size / 1.5 < told < size * 1.5, (name, tool, told, size)


def retract(s, scratch, store, name):
    """Rows that do not stand say why."""
    env = {"HOME": scratch, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "USER": "名" * 30, "LOGNAME": "名" * 30}
    page, _ = s.call("memory_list", limit=50, kind="raw")
    for row in page["memories"][:8]:
        subprocess.run([STEMMA, "retract", row["ref"], "--yes", "--store", store], env=env, stdout=subprocess.DEVNULL, check=True)
    lists(s, name + ", retracted")
    ended, _ = s.call("memory_list", label="ended", limit=10)
    assert ended["memories"] and all(m["why"] for m in ended["memories"])


def saves(s, seen):
    """The full form of the same answers takes many times as much."""
    brief = [s.call("memory_list", limit=10)[1], s.call("memory_search", query="the")[1]]
    full = [s.call("memory_list", limit=10, detail="full")[1], s.call("memory_search", query="the", detail="full")[1]]
    assert sum(full) > 3 * sum(brief), (brief, full)


def demo(scratch):
    text = open(ROOT + "/tests/data/demo.jsonl").read()
    measure(scratch, "demo", text, ["the", "deploy", "zzz"])
    grown = {what: (DEMO.get(what), size) for what, size in of_demo.items() if size > DEMO.get(what, 0) * 1.04}
    missing = {name for name in named - seen if not RARE.search(name)}
    assert not missing, f"schemas name what no answer has: {sorted(missing)}"
    assert not grown and of_demo.keys() == DEMO.keys(), f"bytes before and now: {grown}\n{of_demo}"


def texts(scratch, names):
    # Short names with each text that is escaped, long ones with those of many bytes: each text at least once.
    for name in ("chinese", "emoji", "controls") if names else ("plain", "quotes", "lines", "controls"):
        text = TEXTS[name]
        measure(scratch, names + name, make(scratch, names + name, text), ["pump", "pump 7", text[:3] if name in ("chinese", "emoji") else "p"])


def shapes(scratch):
    demo(scratch)
    dense(scratch)
    wide(scratch)


# `test_answer_bytes.py NAME` is that part alone; each is a test of its own for make.
PARTS = {"shapes": shapes, "short": lambda scratch: texts(scratch, ""), "long": lambda scratch: texts(scratch, "long ")}


def costs(part):
    scratch = tempfile.mkdtemp(prefix="answer-bytes-", dir=os.environ.get("STEMMA_TEST_DIR"))
    try:
        share = scratch + "/.config/stemma"
        os.makedirs(share)
        with open(share + "/config.yaml", "w") as f:
            f.write("share: yes\nactor: sean\nmcp: {tools: [all]}\n")
        PARTS[part](scratch)
        for what, (size, limit, store) in worst.items():
            print(f"{what:28} {size:6} of {limit:6}  {store}")
    finally:
        shutil.rmtree(scratch)


def main():
    for part in sys.argv[1:] or PARTS:
        harness.test(part, costs, part)
    return harness.failed


if __name__ == "__main__":
    sys.exit(main())
