#!/usr/bin/env python3
"""Imports transcripts that no program should write: odd values, very many tool calls, files that are there but not listed."""
import json, os, resource, sqlite3, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
sys.dont_write_bytecode = True
from test_claude import Place, based_on, harness, small
from test_codex import CodexPlace, filled, named


def memory_call(s, **more):
    return {"type": "tool_use", "id": "odd", "name": "Write", "input": {"file_path": s.file("feedback_tabs.md"), "content": "x"},
            **more}


def odd_models(s):
    for _ in range(2):
        s.line("assistant", message={"role": "assistant", "model": 5, "content": [{"type": "text", "text": "odd"}]})
    s.end()


def odd_message_id(s):
    for _ in range(2):
        s.line("assistant", message={"role": "assistant", "id": 5, "content": [{"type": "text", "text": "odd"}],
                                     "usage": {"output_tokens": 3}})
    s.say("of another message")
    s.end()


def odd_call_id(s):
    s.assistant(memory_call(s, id=5))
    s.line("user", message={"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": 5, "content": "no", "is_error": True}]})
    s.end()


def odd_path(s):
    s.assistant(memory_call(s, input={"file_path": ["/x/memory/a.md"]}))
    s.end()
    with open(s.path()) as f:  # what looks like a path, but is no string and no JSON
        text = f.read()
    with open(s.path(), "w") as f:
        f.write(text.replace('["/x/memory/a.md"]', "[/x/memory/a.md]"))


def test_odd_values():
    for odd in odd_models, odd_message_id, odd_call_id, odd_path:
        with Place() as p:
            home, s, cause = small(p)
            other = home.session()
            other.person("before it")
            odd(other)
            p.imports()
            all_ = p.memories()
            assert "episode:" + other.id in all_ and "raw:" + cause in based_on(p.of_file("feedback_tabs.md")), odd
            assert p.imports()["updated"] == p.sum["gone"] == 0, (odd, p.sum)


def test_many_writes():
    with Place() as p:
        home, s, cause = small(p)
        for n in range(5000):
            s.write("feedback_tabs.md", f"Use tabs {n}.")
        s.end()
        p.imports()
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024  # MB, the most of any command so far
        m = p.of_file("feedback_tabs.md")
        results = [l["uuid"] for l in s.lines if isinstance(l["message"]["content"], list) and
                   l["message"]["content"][0]["type"] == "tool_result"]
        assert memory < 1000, memory  # 55 without the sanitizers, which keep what was freed
        assert based_on(m, "evidence") == ["attribution:" + r for r in results[:-1]]  # the last one follows the last write
        assert "raw:" + cause in based_on(m)


def test_writes_of_two_imports():
    """What lies above an earlier write of the same file belongs to it; another file has it, too."""
    with Place() as p:
        home, s, cause = small(p)
        first = s.tool("Bash", {"command": "a"}, "a")
        s.write("feedback_tabs.md", "Two.")
        s.end()
        p.imports()
        second = s.tool("Bash", {"command": "b"}, "b")
        s.write("feedback_tabs.md", home.memory_file("feedback_tabs.md", "Three.", session=s.id))
        s.write("feedback_more.md", home.memory_file("feedback_more.md", "More.", session=s.id))
        s.end()
        p.imports()
        for name in "feedback_tabs.md", "feedback_more.md":
            evidence = based_on(p.of_file(name), "evidence")
            assert {"attribution:" + first, "attribution:" + second} <= set(evidence), (name, evidence)
            assert len(evidence) == len(set(evidence)) == {"feedback_tabs.md": 4, "feedback_more.md": 5}[name], evidence
        uris = {m["ref"]: m["detail"]["source_uri"] for m in p.memories().values() if m["ref"].startswith("attribution:")}
        assert uris["attribution:" + first] == uris["attribution:" + second] == "tool:Bash", uris


def test_a_failure_of_a_later_import():
    with Place() as p:
        home, s, cause = small(p)
        s.assistant(memory_call(s, id="late"))
        s.end()
        p.imports()
        count = len(p.of_file("feedback_tabs.md")["history"])
        s.line("user", message={"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "late", "content": "no", "is_error": True}]})
        s.end()
        p.imports()
        calls = sqlite3.connect(p.store).execute("SELECT kind FROM source_touch WHERE call = 'late'").fetchall()
        assert calls == [(2,)] and len(p.of_file("feedback_tabs.md")["history"]) == count == 2, calls


def test_many_results_and_failures():
    """A chain of results without words leads to the words above it."""
    with Place() as p:
        home, s, _ = small(p)
        for i in range(2000):
            call = s.assistant(memory_call(s, id=f"w{i}"))
        for i in range(2000):
            s.line("user", message={"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": f"w{i}", "content": "no", "is_error": True}]})
        said = s.say("All failed.")
        s.write("feedback_tabs.md", "Use tabs.")
        s.end()
        p.imports()
        m = p.of_file("feedback_tabs.md")
        assert len(based_on(m)) == 4, based_on(m)  # the person's words, two writes and the session: none that failed
        assert len(based_on(m, "evidence")) == 2001
        assert based_on(p.memories()["raw:" + said]) == ["raw:" + call]


def gone(p):
    return sorted(os.path.basename(r[0]) for r in sqlite3.connect(p.store).execute("SELECT path FROM source_file WHERE size < 0"))


def test_one_file_says_nothing_of_others():
    with Place() as p:
        home, s, _ = small(p)
        other = home.session()
        other.person("other")
        other.end()
        p.imports()
        p.imports(path=s.path())
        assert gone(p) == [] and "no longer there" not in p.said, p.said
        os.remove(other.path())
        p.imports(path=s.path())
        assert gone(p) == [], gone(p)
        p.imports()
        assert gone(p) == [other.id + ".jsonl"] and "no longer there" in p.said, p.said


def test_a_folder_that_cannot_be_read():
    with Place() as p:
        home, s, cause = small(p)
        whole = p.imports() and p.of_file("feedback_tabs.md")
        aside = p.dir + "/aside"
        os.rename(home.project, aside)
        os.symlink(aside, home.project)  # is not followed; root reads a folder without permissions
        p.imports()
        assert gone(p) == [] and "no longer there" not in p.said, p.said
        os.remove(home.project)
        os.rename(aside, home.project)
        p.imports()
        assert based_on(p.of_file("feedback_tabs.md")) == based_on(whole) and p.sum["updated"] == 0, p.sum


def test_summaries_of_codex_are_read_once():
    with CodexPlace() as p:
        home, sessions = filled(p)
        for n in range(20):
            home.memory(f"topic_{n}.md", f"In session {sessions[n % 3]} we met topic {n}.\n")
        path = f"{p.root}/memories/rollout_summaries/broken.md"
        with open(path, "w") as f:  # each reading of it is reported
            f.truncate((16 << 20) + 1)
        p.imports(status=(1,))
        assert p.said.count("broken.md: is larger than 16 MiB") == p.sum["not_understood"] == 1, p.said
        for n in range(20):
            of = [named(p, f"-{k}.md")["ref"] for k in range(3) if k == n % 3]
            assert based_on(named(p, f"/topic_{n}.md")) == of, n


def test_a_line_of_many_calls():
    with Place() as p:
        home, s, cause = small(p)
        s.person("remember it all")
        names = [f"feedback_{n}.md" for n in range(40)]
        s.assistant(*[{"type": "tool_use", "id": f"call{n}", "name": "Write", "input": {
            "file_path": s.file(name), "content": home.memory_file(name, f"Thing {n}.", session=s.id)}} for n, name in enumerate(names)])
        s.line("user", message={"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": f"call{n}", "content": "x", "is_error": n == 39} for n in range(40)]})
        s.end()
        p.imports()
        assert [len(p.of_file(name)["history"]) for name in (names[0], names[38])] == [1, 1]
        assert not p.of_file(names[39]).get("history")


if __name__ == "__main__":
    chosen = [f for n, f in sorted(globals().items()) if n.startswith("test_") and (len(sys.argv) < 2 or n in sys.argv[1:])]
    sys.exit(harness.run(*chosen))
