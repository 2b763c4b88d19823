#!/usr/bin/env python3
"""What `stemma export server-memory` writes, read by that server itself, from npm. `$STEMMA` is the program."""
import itertools, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../../..")
sys.path[:0] = [os.path.join(ROOT, "tests/store/mcp/server/clients"), os.path.join(ROOT, "tests/support")]
sys.dont_write_bytecode = True
import harness, packages

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
SCRATCH = tempfile.mkdtemp(prefix="server-memory-", dir=os.environ.get("STEMMA_TEST_DIR"))
os.environ["HOME"] = SCRATCH
ids = itertools.count(1)


def stemma(*words, **given):
    return subprocess.run([STEMMA, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **given)


class Server:
    """The reference memory server on a file, spoken to over stdio."""
    def __init__(self, file):
        into = os.path.join(packages.KEPT, "reference")
        packages.locked(packages.install)(os.path.join(ROOT, "tests/bench/reference"), into, "--omit=optional")
        program = os.path.join(into, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")
        self.process = subprocess.Popen([packages.node(), program], env={**os.environ, "MEMORY_FILE_PATH": file},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test", "version": "1"})

    def ask(self, method, **params):
        line = {"jsonrpc": "2.0", "id": next(ids), "method": method, "params": params}
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool, **arguments):
        result = self.ask("tools/call", name=tool, arguments=arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def test_story():
    """All that stands is there by its ref, with its text and its relations, and is still there after a change."""
    store, file = SCRATCH + "/story.db", SCRATCH + "/story.jsonl"
    stemma("import", "jsonl", os.path.join(ROOT, "tests/data/demo.jsonl"), "--store", store)
    stemma("export", "server-memory", "-o", file, "--store", store)
    memories = [json.loads(line) for line in stemma("export", "--store", store).stdout.splitlines()]
    standing = {m["ref"]: m for m in memories if m["status"] == "active"}
    server = Server(file)
    graph = server.call("read_graph")
    assert {e["name"] for e in graph["entities"]} == set(standing)
    for e in graph["entities"]:
        assert e["observations"] == [standing[e["name"]]["text"]], e
        assert e["entityType"] == e["name"].split(":")[0]
    links = {(m["ref"], a["ref"], j["role"]) for m in standing.values() for j in m.get("justifications", [])
             for a in j["antecedents"] if a["ref"] in standing}
    links |= {(m["ref"], r["to"], r["type"]) for m in standing.values() for r in m.get("relations", []) if r["to"] in standing}
    assert {(r["from"], r["to"], r["relationType"]) for r in graph["relations"]} == links and len(links) > 100
    found = server.call("search_nodes", query="exactly-once delivery")["entities"]
    assert found and all("exactly-once" in json.dumps(e) for e in found)
    belief = next(ref for ref in standing if ref.startswith("belief:8a2770de"))
    server.call("add_observations", observations=[{"entityName": belief, "contents": ["seen by the server"]}])
    opened = server.call("open_nodes", names=[belief])["entities"][0]
    assert opened["observations"] == [standing[belief]["text"], "seen by the server"]
    assert len(server.call("read_graph")["entities"]) == len(standing)
    server.end()


def test_subjects():
    """A note that beliefs are about is an entity by its name, and they are its observations; two of one name stay two."""
    store, file = SCRATCH + "/subjects.db", SCRATCH + "/subjects.jsonl"
    line = lambda ref, text, **more: json.dumps({"ref": ref, "agent_id": "ash", "text": text, "created_at": 1, **more})
    about = lambda note: {"relations": [{"type": "related_to", "to": note, "reason": "about"}]}
    lines = [line("note:1", "John_Smith", tags=["person"]), line("note:2", "John_Smith", tags=["ship"]), line("note:3", "alone"),
             line("belief:1", "Speaks \u001b fluent Spanish", **about("note:1")), line("belief:2", "Sails", **about("note:2")),
             line("belief:3", "Was retracted", status="retracted", **about("note:1")),
             line("belief:4", "On both", derived_from=["note:1", "note:2"])]
    stemma("import", "jsonl", "-", "--store", store, input="\n".join(lines).encode())
    stemma("export", "server-memory", "-o", file, "--store", store)
    server = Server(file)
    graph = server.call("read_graph")
    server.end()
    assert sorted((e["name"], e["entityType"], *e["observations"]) for e in graph["entities"]) == [
        ("John_Smith", "person", "Speaks \u001b fluent Spanish"), ("John_Smith (note:2)", "ship", "John_Smith", "Sails"),
        ("belief:4", "belief", "On both"), ("note:3", "note", "alone")], graph
    assert sorted((r["from"], r["to"], r["relationType"]) for r in graph["relations"]) == [
        ("belief:4", "John_Smith", "derived_from"), ("belief:4", "John_Smith (note:2)", "derived_from")], graph


def test_round_trip():
    """What the server wrote comes back: its entities with their observations in order, and its relations."""
    first, store, second = (SCRATCH + name for name in ("/first.jsonl", "/round.db", "/second.jsonl"))
    server = Server(first)
    entities = [{"name": "John_Smith", "entityType": "person", "observations": ["Speaks fluent Spanish", "Sails", "A [\u202e] b"]},
                {"name": "Anthropic", "entityType": "organisation", "observations": []}]
    relations = [{"from": "John_Smith", "to": "Anthropic", "relationType": "works_at"},
                 {"from": "Anthropic", "to": "John_Smith", "relationType": "about"}]
    server.call("create_entities", entities=entities)
    server.call("create_relations", relations=relations)
    before = server.call("read_graph")
    server.end()
    stemma("import", first, "--store", store)
    stemma("export", "server-memory", "-o", second, "--store", store)
    server = Server(second)
    after = server.call("read_graph")
    server.end()
    assert sorted(map(str, after["entities"])) == sorted(map(str, before["entities"]))
    assert sorted(map(str, after["relations"])) == sorted(map(str, before["relations"]))


if __name__ == "__main__":
    try:
        sys.exit(harness.run(test_story, test_subjects, test_round_trip))
    except packages.Missing as missing:
        sys.exit(str(missing))
