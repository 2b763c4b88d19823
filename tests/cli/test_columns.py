#!/usr/bin/env python3
"""Whatever a column of a store holds, no command and no tool writes a record that was forged in it, or a control character."""
import json, os, re, shutil, sqlite3, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))
FORGED = '"}}],"forged":1}\n{"forged":1}\n{"a":{"b":["\x1b]0;title\x07\x1b]52;c;AAAA\x07\x9b2J\x7f'
CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")

# Columns that are written together, and those that hold JSON: each of these alone.
TOGETHER = [
    "memory.text memory.source memory.source_entity memory.context use.excerpt use.section use.label use.title",
    "use.version_hash history.reason history.evidence_source history.operation history.actor history.origin",
    "mark.mark mark.actor mark.value mark.reason attribution.type",
    "agent.name source_type.name", "memory.name", "namespace.name entry.key",
    "origin.kind origin.identity origin.path origin.summary event.actor event.operation event.correlation call.tool",
    "session.uuid session.actor session.agent session.task session.client session.client_version session.era"
    " session.transport session.ended_by session.latency",
    "usage.tool failure.arguments failure.error",
]
JSON = ["memory.tags", "memory.annotations", "memory.detail", "event.canonical", "event.patch", "call.times", "call.canonical",
        "call.guard"]
COMMANDS = [
    "list all --json", "list chain", "export", "log --json --limit 100", "log", "search pump --json", "orphans --json",
    "fsck --json", "sessions --all --json", "namespaces --json", "metrics --json", "retrievals --json", "sessions 1", "log --calls --json",
] + [f"{c} @{kind}" for kind in ("belief", "chain", "step", "attribution", "entry", "document")
     for c in ("show --json --trace", "history --json")] + ["chain --json @chain", "sources --json @chain", "document --json @document"]
TOOLS = ["memory_get", "memory_lineage", "memory_history"]


def unforged(pairs):
    keys = [key for key, _ in pairs]
    assert "forged" not in keys and len(set(keys)) == len(keys), keys
    return dict(pairs)


def read(line):
    return json.loads(line, object_pairs_hook=unforged)


def call(number, tool, **arguments):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def stemma(cwd, *words, given=None):
    os.makedirs(cwd + "/.config/stemma", exist_ok=True)
    with open(cwd + "/.config/stemma/config.yaml", "w") as config:
        config.write("share: yes\n")
    env = {"HOME": cwd, "LC_ALL": "C.UTF-8", "USER": "sean", "STEMMA_STORE": cwd + "/s.db",
           "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
    p = subprocess.run([STEMMA, *words], input=given, cwd=cwd, env=env, capture_output=True, timeout=120)
    assert p.returncode in (0, 1, 3, 4, 5), (words, p.returncode, p.stderr)
    return p.stdout, p.stderr


def talk(cwd, calls):
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}
    lines = "".join(json.dumps(one) + "\n" for one in [hello, *calls])
    return stemma(cwd, "mcp", "--agent", "claire", given=lines.encode())


def make(cwd):
    """A store with every kind of row. Returns a ref of each kind."""
    with open(ROOT + "/tests/data/demo.jsonl", "rb") as story:
        stemma(cwd, "import", "jsonl", "-", given=story.read())
    talk(cwd, [call(1, "putMemory", namespace="agent.a", key="k", value={"a": [1]}), call(2, "memory_list", kind="belief"), call(3, "memory_get")])
    refs = {}
    for line in stemma(cwd, "list", "all", "--json")[0].splitlines():
        ref = read(line)["ref"]
        refs.setdefault(ref.split(":")[0], ref)
    return refs


def check(cwd, refs, damage):
    db = sqlite3.connect(cwd + "/s.db")
    for column, value in damage:
        table, name = column.split(".")
        db.execute(f"UPDATE OR IGNORE {table} SET {name} = {value} WHERE {name} IS NOT NULL", [FORGED][:value.count("?")])
    db.commit()
    db.close()
    for command in COMMANDS:
        words = [refs.get(word[1:], "belief:b") if word[0] == "@" else word for word in command.split()]
        out, errors = stemma(cwd, *words)
        assert not CONTROL.search(out + errors), (command, CONTROL.search(out + errors))
        for line in out.splitlines() if "--json" in words or command == "export" else []:
            read(line)
    calls = [call(i, tool, ref=ref) for i, (tool, ref) in enumerate([(t, r) for t in TOOLS for r in refs.values()], 1)]
    calls += [call(900, "memory_list", kind="belief"), call(906, "cot_get", chain=refs["chain"]), call(907, "cot_sources", chain=refs["chain"]), call(901, "getMemory", namespace="agent.a", key="k"),
              call(902, "memory_search", query="queue"),
              call(903, "get_source_attributions", agent_id="claire"), call(904, "memory_orphans"), call(905, "listMemory", namespace="agent.a")]
    out, errors = talk(cwd, calls)
    assert not CONTROL.search(out + errors), CONTROL.search(out + errors)
    for answer in map(read, out.splitlines()):
        for text in answer.get("result", {}).get("content", []):
            if text["text"].startswith("{"):
                read(text["text"])


# Each is a test of its own: together they take minutes.
CASES = {
    "together": [(group, [(column, "?" if "name" not in column and "identity" not in column else "? || rowid")
                          for column in group.split()]) for group in TOGETHER],
    "json": [(column, [(column, "?")]) for column in JSON],
    "broken": [(column + ", with a line break", [(column, f"replace({column.split('.')[1]}, '\":', '\":' || char(10))")])
               for column in JSON],
}


def main():
    with tempfile.TemporaryDirectory(prefix="stemma-c-") as base:
        refs = make(base)
        for name, damage in [case for part in sys.argv[1:] or CASES for case in CASES[part]]:
            with tempfile.TemporaryDirectory(prefix="stemma-c-") as cwd:
                shutil.copy(base + "/s.db", cwd)
                harness.test(name, check, cwd, refs, damage)
    return harness.failed


if __name__ == "__main__":
    sys.exit(main())
