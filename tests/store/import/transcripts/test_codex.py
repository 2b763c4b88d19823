#!/usr/bin/env python3
"""Imports folders of Codex, written here: rollouts, some compressed, and the memories that are made of them."""
import json, os, random, sqlite3, subprocess, sys, uuid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
sys.dont_write_bytecode = True
from test_claude import Place, based_on, harness
from claude_home import iso


class Codex:
    def __init__(self, root, seed=1):
        self.root, self.random, self.clock = root, random.Random(seed), 1788000000000
        os.makedirs(root + "/memories/rollout_summaries")
        open(root + "/config.toml", "w").close()

    def rollout(self, words, compressed=False):
        session, lines = str(uuid.UUID(int=self.random.getrandbits(128), version=4)), []

        def add(type_, **payload):
            self.clock += 1000
            lines.append(json.dumps({"timestamp": iso(self.clock), "type": type_, "payload": payload}))
        add("session_meta", id=session, cwd="/w/loom", originator="codex_cli_rs", cli_version="0.55.0", source="cli",
            base_instructions="x" * 5000)
        add("turn_context", turn_id="1", cwd="/w/loom", model="gpt-y", effort="high")
        add("response_item", type="message", role="user", content=[{"type": "input_text", "text": "<environment_context>"}])
        for n, w in enumerate(words):
            add("response_item", type="message", role="user", content=[{"type": "input_text", "text": w}])
            add("event_msg", type="user_message", message=w)
            add("response_item", type="reasoning", summary=[{"type": "summary_text", "text": "hm"}], encrypted_content="x")
            add("response_item", type="function_call", call_id=f"c{n}", name="shell", arguments=json.dumps({"command": ["ls"]}))
            add("response_item", type="function_call_output", call_id=f"c{n}", output="a.c\n")
            add("response_item", type="message", role="assistant", content=[{"type": "output_text", "text": "done"}])
            add("event_msg", type="token_count", info={"total_token_usage": {
                "input_tokens": 100 * (n + 1), "cached_input_tokens": 7, "output_tokens": 10 * (n + 1)}})
        folder = self.root + "/sessions/2026/08/29"
        os.makedirs(folder, exist_ok=True)
        path = f"{folder}/rollout-2026-08-29T10-00-00-{session}.jsonl"
        with open(path, "w") as f:
            f.write("\n".join(lines) + "\n")
        if compressed:
            subprocess.run(["zstd", "-q", "--rm", path], check=True)
        self.lines = len(lines)
        return session

    def memory(self, name, text):
        with open(self.root + "/memories/" + name, "w") as f:
            f.write(text)


class CodexPlace(Place):
    def imports(self, *more, path=None, status=(0,)):
        out, self.said = self.run("import", "codex", path or self.root, "--json", *more, status=status)
        self.sum = json.loads(out)
        return self.sum


def named(p, end):
    return next(m for m in p.memories().values() if m.get("source", "").endswith(end))


def filled(p):
    p.root = p.dir + "/.codex"
    home = Codex(p.root)
    sessions = [home.rollout([f"words {n}", f"more words {n}"], compressed=n % 2 == 1) for n in range(4)]
    for n, s in enumerate(sessions[:3]):
        in_name = n == 0
        home.memory(f"rollout_summaries/{s if in_name else 'topic'}-{n}.md",
                    f"thread_id: {'' if in_name else s}\n\nIn this session {n} happened.\n")
    home.memory("raw_memories.md", "".join(f"## Thread `{s}`\nraw\n" for s in sessions[:2]))
    home.memory("MEMORY.md", "# Memory\nUse spaces.\n")
    home.memory("memory_summary.md", "Use spaces.\n")
    open(p.root + "/AGENTS.md", "w").write("Be brief.\n")
    return home, sessions


def test_lineage():
    with CodexPlace() as p:
        home, sessions = filled(p)
        p.imports()
        assert p.sum["unresolved"] == p.sum["not_understood"] == 0, (p.sum, p.said)
        all_ = p.memories()
        summary, memory, raw = (named(p, "/memories/" + n) for n in ("memory_summary.md", "MEMORY.md", "raw_memories.md"))
        assert based_on(summary) == [memory["ref"]] and based_on(memory) == [raw["ref"]]
        of = [named(p, f"-{n}.md") for n in range(3)]
        assert sorted(based_on(raw)) == sorted(m["ref"] for m in of[:2]), raw
        for n, m in enumerate(of):
            refs = based_on(m)
            assert refs[0] == "episode:" + sessions[n]
            assert [all_[r]["text"] for r in refs[1:]] == [f"words {n}", f"more words {n}"], refs
            assert {all_[r]["source_entity"] for r in refs[1:]} == {"human:user"}
        assert "words 0" in p.run("show", summary["ref"], "--conversation")[0]  # of the nearest that has one
        rule = named(p, "AGENTS.md")
        assert rule["protected"] and rule["source_type"] == "seed"
        e = all_["episode:" + sessions[1]]
        assert e["detail"]["usage"]["input_tokens"] == 200 and e["detail"]["usage"]["output_tokens"] == 20, e
        assert e["detail"]["model"] == "gpt-y" and e["text"] == "words 1" and e["agent_id"] == "codex"
        p.imports()
        assert p.sum["unchanged"] == p.sum["read"] and p.sum["gone"] == 0, p.sum
        assert "all is well" in p.run("fsck")[0]


def test_a_line_of_a_compressed_rollout():
    with CodexPlace() as p:
        home, sessions = filled(p)
        p.imports()
        db = sqlite3.connect(p.store)
        path, = db.execute("SELECT path FROM source_file WHERE path LIKE '%.zst' AND session = ?", [sessions[1]]).fetchone()
        ids = [str(uuid.UUID(bytes=i)) for i, in db.execute(
            "SELECT source_line.id FROM source_line JOIN source_file f ON f.id = file WHERE f.path = ? ORDER BY offset", [path])]
        assert len(ids) == home.lines
        out, err = p.run("show", "raw:" + ids[8])
        assert "done" in out and "is no memory, but a line of a transcript" in err, (out, err)
        assert "a.c" in p.run("show", "attribution:" + ids[7])[0]


def test_a_broken_archive():
    with CodexPlace() as p:
        home, sessions = filled(p)
        folder = p.root + "/sessions/2026/08/29/"
        name = next(n for n in os.listdir(folder) if n.endswith(".zst"))
        data = open(folder + name, "rb").read()
        open(folder + name, "wb").write(data[:len(data) // 2])
        other = f"rollout-x-{uuid.UUID(int=7)}.jsonl.zst"
        open(folder + other, "wb").write(b"no archive at all")
        p.imports(status=(0, 1))
        assert other in p.said and "cannot be read" in p.said, p.said
        assert len(p.memories()) > 10
        open(folder + name, "wb").write(data)
        p.imports(status=(0, 1))
        assert sqlite3.connect(p.store).execute("SELECT count(*) FROM source_line l JOIN source_file f ON f.id = l.file"
                                                " WHERE path LIKE ?", ["%" + name]).fetchone()[0] == home.lines


if __name__ == "__main__":
    chosen = [f for n, f in sorted(globals().items()) if n.startswith("test_") and (len(sys.argv) < 2 or n in sys.argv[1:])]
    sys.exit(harness.run(*chosen))
