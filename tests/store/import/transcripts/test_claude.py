#!/usr/bin/env python3
"""Imports folders of Claude Code, written here: what caused each memory file is known, and so is what is broken."""
import json, os, shutil, sqlite3, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness
from claude_home import ClaudeHome, SLUG, forty, iso

STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))


class Place:
    """A private HOME with a ~/.claude and a store."""

    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix="stemma.")
        self.root, self.store = self.dir + "/.claude", self.dir + "/s.db"
        self.env = {**os.environ, "HOME": self.dir, "XDG_STATE_HOME": self.dir}
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir)

    def run(self, *args, status=(0,)):
        p = subprocess.run([STEMMA, *args, "--store", self.store], env=self.env, stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=300)
        assert p.returncode in status, (p.returncode, p.stdout, p.stderr)
        return p.stdout.decode(), p.stderr.decode()

    def imports(self, *more, path=None, status=(0,)):
        out, err = self.run("import", "claude", path or self.root, "--json", *more, status=status)
        self.said = err
        self.sum = json.loads(out)
        return self.sum

    def memories(self):
        return {m["ref"]: m for m in map(json.loads, self.run("export")[0].splitlines())}

    def of_file(self, name):
        found = [m for m in self.memories().values() if m.get("source", "").endswith("/memory/" + name)]
        assert len(found) == 1, (name, found)
        return found[0]


def based_on(memory, role="derived_from"):
    return [a["ref"] for j in memory.get("justifications", []) if j["role"] == role for a in j["antecedents"]]


def test_forty_causes():
    with Place() as p:
        _, known = forty(p.root)
        assert p.imports()["added"] == p.sum["read"] > 300 and p.sum["not_understood"] == p.sum["unresolved"] == 0, p.sum
        all_ = p.memories()
        for name, k in known.items():
            m = p.of_file(name)
            refs = based_on(m)
            persons = [r for r in refs if all_[r].get("source_entity") == "human:user"]
            assert persons == ["raw:" + k["cause"]], (name, refs)
            assert k["text"] in all_[persons[0]]["text"]
            assert "episode:" + k["session"] in refs
            assert based_on(m, "evidence") == ["attribution:" + e for e in k["evidence"]], name
            assert all(j["recorded"] == "recorded" for j in m["justifications"])
            assert [h["operation"] for h in m["history"]] == ["Write"]  # a refused write is no event
            assert m["history"][0]["after"].endswith(f"Do {k['text']}. **Why:** told so.\n")
        assert p.imports()["unchanged"] == p.sum["read"] == 41 and p.sum["gone"] == p.sum["updated"] == 0, p.sum
        assert "all is well" in p.run("fsck")[0]


def test_a_transcript_of_another_name():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        s.person("always use tabs")
        s.write("feedback_a.md", home.memory_file("feedback_a.md", "Tabs.", "feedback", s.id))
        s.end()
        os.rename(s.path(), os.path.join(home.project, "old talk.jsonl"))
        with open(os.path.join(p.root, "history.jsonl"), "w") as f:  # Claude Code's own, no transcript
            f.write('{"display":"hello","sessionId":"%s","project":"/w"}\n' % s.id)
        p.imports()
        m = p.of_file("feedback_a.md")
        assert "episode:" + s.id in based_on(m) and any(r.startswith("raw:") for r in based_on(m)), m
        lone = os.path.join(p.dir, "talk")
        shutil.copy(os.path.join(home.project, "old talk.jsonl"), lone)
        with Place() as q:
            assert q.imports(path=lone)["kinds"]["episode"] == 1, q.sum


def test_attributions():
    with Place() as p:
        forty(p.root)
        p.imports()
        uris = {m["detail"]["source_uri"] for m in p.memories().values() if m["ref"].startswith("attribution:")}
        assert "file:/w/loom" in uris and "tool:Bash" in uris and "https://example.org/3" in uris, uris
        bash = next(m for m in p.memories().values() if m.get("detail", {}).get("source_uri") == "tool:Bash")
        assert len(bash["text"]) == 501 and bash["text"] == ("ok " * 167)[:500] + "\u2026", bash
        import hashlib
        assert bash["detail"]["full_content_hash"] == hashlib.sha256(b"ok " * 300).hexdigest()


def test_copy_keeps_whole_texts():
    with Place() as p:
        forty(p.root)
        p.imports("--copy")
        assert any(m["text"] == "ok " * 300 for m in p.memories().values())


def small(p, old=False):
    home = ClaudeHome(p.root)
    s = home.session(old)
    s.person("start")
    s.say("yes")
    cause = s.person("always use tabs")
    s.write("feedback_tabs.md", home.memory_file("feedback_tabs.md", "Use tabs.", session=s.id))
    home.index(["- [Tabs](feedback_tabs.md) — tabs"])
    s.end()
    return home, s, cause


def test_edit_in_a_later_part():
    with Place() as p:
        home, s, cause = small(p)
        p.imports()
        later = s.person("no, use four spaces")
        s.edit("feedback_tabs.md", "Use tabs.", "Use four spaces.")
        s.end()
        home.memory_file("feedback_tabs.md", "Use four spaces.", session=s.id)
        p.imports()
        m = p.of_file("feedback_tabs.md")
        assert p.sum["updated"] == 2 and p.sum["conflicts"] == 0, p.sum  # the memory and its session
        assert [r for r in based_on(m) if r in ("raw:" + cause, "raw:" + later)] == ["raw:" + cause, "raw:" + later]
        assert [(h["operation"], h.get("before"), h["after"][-17:]) for h in m["history"]][1] == \
            ("Edit", "Use tabs.", "Use four spaces."), m["history"]
        assert p.imports()["unchanged"] == 2 and p.sum["updated"] == 0
        out = p.run("history", m["ref"])[0]
        assert "Use four spaces." in out and "Use tabs." in out, out


def test_corrections_in_later_sessions():
    with Place() as p:
        home, s, cause = small(p)
        later, now = [], "Use tabs."
        for new in ("Use two spaces.", "Use three spaces."):
            t = home.session()
            later.append("raw:" + t.person("Correction: " + new))
            t.edit("feedback_tabs.md", now, new)
            t.end()
            now = new
        home.memory_file("feedback_tabs.md", now, session=s.id)
        p.imports()
        m = p.of_file("feedback_tabs.md")
        first, further = m["justifications"]
        assert "raw:" + cause in [a["ref"] for a in first["antecedents"]] and first["reading"] == "all"
        assert (further["role"], further["reading"], further["recorded"]) == ("derived_from", "any", "recorded"), m
        assert [a["ref"] for a in further["antecedents"]] == later[::-1], (m, later)
        assert [h["operation"] for h in m["history"]] == ["Write", "Edit", "Edit"]
        assert p.imports()["unchanged"] == p.sum["read"] == 2


def test_usage_counts_once():
    with Place() as p:
        home, s, _ = small(p)
        p.imports()
        messages = {l["message"]["id"] for l in s.lines if l["type"] == "assistant"}
        e = p.memories()["episode:" + s.id]
        assert e["detail"]["usage"]["output_tokens"] == 14 * len(messages) and e["detail"]["responses"] == len(messages), e
        assert e["text"] == "start" and e["detail"]["cwd"] == "/w/loom"


def test_thinking_stays_with_the_words():
    with Place() as p:
        home, s, _ = small(p)
        s.person("and remember semicolons")
        s.say("I remember semicolons.")
        s.write("feedback_semi.md", home.memory_file("feedback_semi.md", "Semicolons.", session=s.id))
        s.end()
        p.imports()
        said = [m for m in p.memories().values() if m["text"] == "I remember semicolons."]
        assert said[0]["detail"]["thinking"] == "Let me think about I remember semicolons.", said


def test_index_and_reads():
    with Place() as p:
        home, s, _ = small(p)
        home.memory_file("project_x.md", "X. See [[feedback_tabs]].", "project")
        home.memory_file("project_late.md", "Late.", "project")
        home.index(["- [Tabs](feedback_tabs.md) — tabs", "- [No](gone.md) — no"] + [f"- line {i}" for i in range(250)] +
                   ["- [Late](project_late.md) — late"])
        for _ in range(3):
            t = home.session()
            t.person("hi")
            t.tool("Read", {"file_path": t.file("feedback_tabs.md")}, "…")
            t.tool("Read", {"file_path": t.file("feedback_tabs.md")}, "…")
            t.end()
        p.imports()
        tabs, x, late, index = [p.of_file(n) for n in ("feedback_tabs.md", "project_x.md", "project_late.md", "MEMORY.md")]
        assert tabs["detail"]["opened_in_sessions"] == 3 and "unindexed" not in tabs["detail"]
        assert tabs["detail"]["tokens"] == os.path.getsize(home.memory + "/feedback_tabs.md") // 4
        assert x["detail"]["unindexed"] == "no line of MEMORY.md names it"
        assert late["detail"]["unindexed"] == "its line in MEMORY.md is beyond what is loaded"
        assert index["detail"]["dangling"] == ["gone.md"] and index["detail"]["lines_not_loaded"] == 53, index
        assert [r["to"] for r in x["relations"]] == [tabs["ref"]] and x["ref"].startswith("note:")
        assert "justifications" not in x  # nothing says where it came from


def test_links_by_name():
    with Place() as p:
        home, s, _ = small(p)
        path = home.memory + "/project_x.md"
        home.memory_file("project_x.md", "X, see [[indentation]], [[feedback_tabs]] and [[no such]], [web](https://x.org/a.md).", "project")
        tabs = open(home.memory + "/feedback_tabs.md").read()
        open(home.memory + "/feedback_tabs.md", "w").write(tabs.replace("name: feedback_tabs", "name: indentation"))
        os.makedirs(p.root + "/projects/-other/memory")  # names of another folder mean nothing here
        shutil.copy(home.memory + "/feedback_tabs.md", p.root + "/projects/-other/memory/no.md")
        p.imports()
        own = [m["ref"] for m in p.memories().values() if m.get("source") == "file:" + home.memory + "/feedback_tabs.md"]
        x = p.of_file("project_x.md")
        assert [r["to"] for r in x["relations"]] == own and x["detail"]["dangling"] == ["no such"], x
        assert p.sum["unresolved"] == 0 and p.said == "", p.said


def test_transcript_not_found():
    with Place() as p:
        home, s, _ = small(p)
        home.memory_file("user_y.md", "Y.", "user", session="00000000-1111-4222-8333-444444444444")
        p.imports()
        m = p.of_file("user_y.md")
        assert m["detail"]["transcript"] == "not found" and "justifications" not in m, m
        assert p.sum["unresolved"] == 0


def test_instructions_of_people():
    with Place() as p:
        small(p)
        os.makedirs(p.root + "/rules")
        open(p.root + "/CLAUDE.md", "w").write("Be brief.\n")
        open(p.root + "/rules/style.md", "w").write("Use C11.\n")
        p.imports()
        found = [m for m in p.memories().values() if m.get("protected")]
        assert sorted(m["text"] for m in found) == ["Be brief.\n", "Use C11.\n"], found
        assert {(m["source_type"], m["source_entity"]) for m in found} == {("seed", "human:user")}


def test_memory_folders_alone():
    with Place() as p:
        home, s, _ = small(p)
        out, _ = p.run("import", home.memory, "--json")
        m = p.of_file("feedback_tabs.md")
        assert m["agent_id"] == "claude-code" and m["detail"]["transcript"] == "not found" and m["ref"].startswith("belief:"), m
        ref, p.store = m["ref"], p.store + "x"
        p.run("import", home.memory + "/feedback_tabs.md")  # and one file, known by its originSessionId
        assert p.of_file("feedback_tabs.md")["ref"] == ref
        for old in (False, True):
            home.memory_file("feedback_tabs.md", "Use tabs.", session=s.id, old=old)
            shutil.copytree(home.memory, f"{p.dir}/notes{old}")  # as autoMemoryDirectory
            p.store += "x"
            p.run("import", f"{p.dir}/notes{old}")
            found = {m["source"].rsplit("/")[-1]: m for m in p.memories().values()}
            assert sorted(found) == ["MEMORY.md", "feedback_tabs.md"], found
            assert found["feedback_tabs.md"]["agent_id"] == "claude-code" and "unindexed" not in found["feedback_tabs.md"]["detail"]
            p.store += "x"
            os.remove(f"{p.dir}/notes{old}/MEMORY.md")
            p.run("import", f"{p.dir}/notes{old}/feedback_tabs.md")
            assert [m["agent_id"] for m in p.memories().values()] == ["claude-code"]


def test_project_with_instructions():
    with Place() as p:
        root = p.dir + "/project"
        for path, text in {"CLAUDE.md": "See @docs/style.md, and @../outside.md. Not `@docs/code.md`.\n", "CLAUDE.local.md": "Mine.\n",
                           ".claude/rules/a/deep.md": "Deep.\n", "docs/style.md": "Style: @./1.md\n", "docs/code.md": "no\n",
                           "README.md": "no\n", "src/memory/README.md": "no\n", "../outside.md": "no\n",
                           **{f"docs/{n}.md": f"{n} @{n + 1}.md @1.md\n" for n in range(1, 8)}}.items():
            os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
            open(f"{root}/{path}", "w").write(text)
        p.run("import", root)
        found = p.memories().values()
        assert {m["text"][:5] for m in found} == {"See @", "Mine.", "Deep.", "Style", "1 @2.", "2 @3.", "3 @4.", "4 @5."}, found
        assert all(m["protected"] and m["source_entity"] == "human:user" for m in found)


def test_subagent_is_guessed():
    with Place() as p:
        home, s, _ = small(p)
        cause = s.person("let somebody else note it")
        a = s.agent_session()
        a.person("note that, helper")
        a.write("project_z.md", home.memory_file("project_z.md", "Z.", "project", session=s.id))
        s.person("done?")
        a.end(), s.end()
        p.imports()
        m = p.of_file("project_z.md")
        assert "raw:" + cause in based_on(m) and m["justifications"][0]["recorded"] == "heuristic", m
        assert p.memories()["episode:" + s.id]["detail"]["subagents"] == 1
        assert p.imports()["unchanged"] == p.sum["read"]


def test_subagent_whose_result_is_recorded():
    """The parent's result names the subagent; so does that of a subagent which started another one."""
    for together in (True, False):
        with Place() as p:
            home, s, _ = small(p)
            cause = s.person("let somebody else note it")
            a = s.agent_session()
            a.person("note that, helper")
            b = a.agent_session()
            b.write("project_y.md", home.memory_file("project_y.md", "Y.", "project", session=s.id))
            a.tool("Task", {"prompt": "note"}, "noted")
            a.lines[-1]["toolUseResult"] = {"agentId": b.agent, "status": "completed"}
            a.write("project_z.md", home.memory_file("project_z.md", "Z.", "project", session=s.id))
            s.tool("Task", {"prompt": "note"}, "noted")
            s.lines[-1]["toolUseResult"] = {"status": "completed", "agentId": a.agent}
            a.end(), b.end()
            if not together:  # the session's file says it later
                lines, s.lines = s.lines, s.lines[:-2]
                s.end()
                p.imports()
                s.lines = lines
            s.person("done?")
            s.end()
            p.imports()
            for name in ("project_y.md", "project_z.md"):
                m = p.of_file(name)
                assert "raw:" + cause in based_on(m) and m["justifications"][0]["recorded"] == "recorded", m
            assert p.imports()["unchanged"] == p.sum["read"], p.sum


def test_torn_line_waits():
    with Place() as p:
        home, s, cause = small(p)
        whole = open(s.path()).read()
        cut = len(whole) - 60
        open(s.path(), "w").write(whole[:cut])
        p.imports()
        assert f"line {len(s.lines)}: is not complete" in p.said, p.said
        assert p.sum["not_understood"] == 0
        with open(s.path(), "a") as f:
            f.write(whole[cut:])
        p.imports()
        db = sqlite3.connect(p.store)
        assert db.execute("SELECT count(*), max(offset) FROM source_line").fetchone() == \
            (len(s.lines), whole.rindex('{"parentUuid"')), "each line once"
        assert db.execute("SELECT read_to FROM source_file").fetchone()[0] == len(whole)
        assert "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))


def test_without_a_last_line_feed():
    with Place() as p:
        home, s, cause = small(p)
        s.end(newline=False)
        p.imports()
        assert p.said == "" and "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))
        s.person("more")
        s.end()
        p.imports()
        assert sqlite3.connect(p.store).execute("SELECT count(*) FROM source_line").fetchone()[0] == len(s.lines)


def test_replaced_and_shortened():
    with Place() as p:
        home, s, cause = small(p)
        p.imports()
        before, episode = p.of_file("feedback_tabs.md"), p.memories()["episode:" + s.id]
        old = s.lines
        s.lines, s.parent = [], None
        s.person("another beginning")
        s.end()
        p.imports()
        assert "was shortened or replaced; what was read before is kept" in p.said
        db = sqlite3.connect(p.store)
        assert db.execute("SELECT count(*) FROM source_line").fetchone()[0] == len(old) + 1
        assert p.of_file("feedback_tabs.md") == before and "raw:" + cause in p.memories()
        s.lines, s.parent = old + old, None  # longer, and another file
        s.end()
        p.imports()
        assert "was shortened or replaced" in p.said, p.said
        assert f"{s.path()} line {len(old) + 1}: has the id of an earlier line, which counts; so have {len(old) - 1} lines behind it" \
            in p.said, p.said
        assert p.of_file("feedback_tabs.md") == before
        now = p.memories()["episode:" + s.id]
        assert [now["text"], now["created_at"], now["detail"]["usage"]] == \
            [episode["text"], episode["created_at"], episode["detail"]["usage"]], (now, episode)
        assert p.imports()["unchanged"] == p.sum["read"] and p.said == ""


def test_shortened_keeps_what_was_read():
    with Place() as p:
        home, s, cause = small(p)
        a = s.agent_session()
        a.person("note that, helper")
        a.write("project_z.md", home.memory_file("project_z.md", "Z.", "project", session=s.id))
        a.end(), s.end()
        p.imports()
        before = p.memories()
        whole = open(s.path(), "rb").read()
        for size in (500, 300):
            open(s.path(), "wb").write(whole[:size])
            p.imports()
            assert p.memories() == before or p.sum["updated"] == 1, p.sum
            for name in ("feedback_tabs.md", "project_z.md"):
                assert p.of_file(name) == next(m for m in before.values() if m.get("source", "").endswith(name))
        open(s.path(), "wb").write(whole)  # a program that wrote it anew: nothing counts twice
        p.imports()
        now = p.memories()["episode:" + s.id]
        assert now["detail"]["usage"] == before["episode:" + s.id]["detail"]["usage"] and now["text"] == "start", now
        assert based_on(p.of_file("project_z.md")) == based_on(before[p.of_file("project_z.md")["ref"]])
        more = s.person("no, spaces")
        s.edit("feedback_tabs.md", "Use tabs.", "Use spaces.")
        s.end()
        p.imports()
        assert [r for r in based_on(p.of_file("feedback_tabs.md")) if r in ("raw:" + cause, "raw:" + more)] == \
            ["raw:" + cause, "raw:" + more]
        assert "all is well" in p.run("fsck")[0]


def test_memories_come_before_large_transcripts():
    with Place() as p:
        home, s, cause = small(p)
        for n in range(24):
            s.tool("Read", {"file_path": f"/w/{n}.c"}, "x" * (1 << 20))
        s.end()
        p.imports()
        m = p.of_file("feedback_tabs.md")
        assert p.sum["updated"] == p.sum["unchanged"] == 0 and p.sum["read"] == p.sum["added"] == 5, p.sum
        assert "raw:" + cause in based_on(m) and [h["operation"] for h in m["history"]] == ["Write"]
        journal = sqlite3.connect(p.store).execute(
            "SELECT m.name, e.operation FROM event e JOIN memory m ON m.id = e.subject ORDER BY e.seq").fetchall()
        own = [i for i, (name, _) in enumerate(journal) if name == m["ref"].split(":")[1]]
        assert len(own) == 2 and own[0] < [name for name, _ in journal].index(cause), journal
        assert p.imports()["unchanged"] == 2 and p.sum["updated"] == 0, p.sum
        assert "all is well" in p.run("fsck")[0]


def test_deleted_transcript_stays():
    with Place() as p:
        home, s, cause = small(p)
        p.imports()
        before = p.of_file("feedback_tabs.md")
        os.remove(s.path())
        p.imports()
        assert "is no longer there; what was read of it stays here" in p.said
        assert p.sum["updated"] == p.sum["gone"] == 0 and p.of_file("feedback_tabs.md") == before, p.sum
        p.imports()
        assert p.said == ""
        os.remove(home.memory + "/feedback_tabs.md")
        assert p.imports()["gone"] == 1  # a memory file that was deleted is said


def test_loops_and_strange_parents():
    with Place() as p:
        home, s, cause = small(p)
        call = next(l for l in s.lines if "Write" in json.dumps(l))
        thought = s.lines[1]
        for loop in ([call], [call, thought], [call, thought, s.lines[2]]):  # each is the parent of the one before it
            for child, parent in zip(loop, loop[1:] + loop[:1]):
                child["parentUuid"] = parent["uuid"]
            s.end()
            p.store += "x"
            p.imports()
            m = p.of_file("feedback_tabs.md")
            assert m["justifications"][0]["recorded"] == "heuristic" and "raw:" + call["uuid"] in based_on(m), m
        call["parentUuid"] = "no-such-line"
        s.end()
        p.store += "x"
        p.imports()
        m = p.of_file("feedback_tabs.md")
        assert m["justifications"][0]["recorded"] == "heuristic" and "raw:" + cause in based_on(m), m


def test_compaction():
    with Place() as p:
        home, s, cause = small(p)
        last = s.parent
        for name, more in (("feedback_c.md", {"logicalParentUuid": last}), ("feedback_d.md", {})):
            s.parent = None
            s.line("system", subtype="compact_boundary", content="Conversation compacted", **more)
            s.line("user", isCompactSummary=True, message={"role": "user", "content": "This session is continued …"})
            s.write(name, home.memory_file(name, "C.", session=s.id))
        s.end()
        p.imports()
        for name, recorded in (("feedback_c.md", "recorded"), ("feedback_d.md", "heuristic")):
            m = p.of_file(name)
            assert m["justifications"][0]["recorded"] == recorded and "raw:" + cause in based_on(m), m


def test_a_resumed_session_repeats_lines():
    with Place() as p:
        home, s, cause = small(p)
        t = home.session()
        t.lines = [{**l, "sessionId": t.id} for l in s.lines]
        t.parent = s.parent
        t.person("and spaces in YAML")
        t.write("feedback_yaml.md", home.memory_file("feedback_yaml.md", "Spaces in YAML.", session=t.id))
        t.end()
        p.imports()
        assert p.sum["repeated"] == p.sum["conflicts"] == 0 and "twice" not in p.said, (p.sum, p.said)
        assert "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))
        assert [h["operation"] for h in p.of_file("feedback_tabs.md")["history"]] == ["Write"]
        assert [j["role"] for j in p.of_file("feedback_tabs.md")["justifications"]].count("derived_from") == 1


def test_broken_lines_are_reported():
    with Place() as p:
        home, s, cause = small(p)
        text = open(s.path(), "rb").read().split(b"\n")
        strange = [b"no json", b'{"type":"user"', b'[1,2]', b'{"a":1}}', b'{"uuid":"\xff\xfe","type":"user","x":"\xc3"}', b"{}", b"",
                   b'{"type":"user","message":{"content":[{"type":"tool_result","content":[1,{"text":5},null]},7,"x"]}}',
                   b'{"type":"assistant","uuid":5,"parentUuid":{},"message":[],"timestamp":"never"}',
                   b'{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Write","id":"t","input":'
                   b'{"file_path":"/x/memory/q.md","content":5}}]},"uuid":"' + b"u" * 5000 + b'"}']
        open(s.path(), "wb").write(b"\n".join(strange + text))
        p.imports(status=(1,))
        for n in (1, 2, 3, 4):
            assert f"{os.path.basename(s.path())} line {n}: is no JSON object; left out" in p.said, p.said
        assert p.sum["not_understood"] == 4, p.said
        assert "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))
        assert "all is well" in p.run("fsck")[0]


def test_broken_texts():
    with Place() as p:
        home, s, cause = small(p)
        data = open(s.path(), "rb").read().replace(b"always use tabs", b"always \xff\\u0000\\ud800 use")
        open(s.path(), "wb").write(data)
        p.imports()
        assert p.said.count("is not valid UTF-8") == 1 and f"{s.path()} line 4: is not valid UTF-8" in p.said, p.said
        m = p.memories()["raw:" + cause]
        assert m["text"].startswith("always \ufffd"), m
        assert "all is well" in p.run("fsck")[0]


def test_broken_memory_files():
    with Place() as p:
        home, s, cause = small(p)
        for name, data in (("bytes.md", b"---\ntype: feedback\n---\nbad \xff\n"),
                           ("colon.md", b"---\ndescription: Rule: one\ntype: feedback\n---\nmended\n"),
                           ("alias.md", b"---\ntype: *feedback\n---\nwhole\n")):
            open(os.path.join(home.memory, name), "wb").write(data)
        p.imports(status=(1,))
        assert "bytes.md: bytes that are no text are shown as U+FFFD" in p.said, p.said
        assert [l for l in p.said.splitlines() if "colon.md" in l][0].endswith("read with its values in quotes"), p.said
        assert [l for l in p.said.splitlines() if "alias.md" in l][0].endswith("its text is imported as it is"), p.said
        assert [p.of_file(n)["text"][:6] for n in ("bytes.md", "colon.md", "alias.md")] == ["bad \ufffd", "mended", "---\nty"]


def test_a_file_that_is_none():
    with Place() as p:
        home, s, cause = small(p)
        other = os.path.join(p.root, "other.jsonl")
        with open(other, "w") as f:
            f.write('{"parentUuid":null,"type":"user","uuid":"u"}\nno json\n')
        p.imports(path=other, status=(1,))
        assert "other.jsonl: names no session, and is no memory file" in p.said and p.sum["read"] == 0, (p.said, p.sum)


def test_long_lines():
    with Place() as p:
        home, s, cause = small(p)
        with open(s.path(), "ab") as f:
            for size in (63 << 20, 100 << 20):
                f.write(b'{"type":"user","uuid":"00000000-0000-4000-8000-00000000000%d","toolUseResult":"' % (size >> 26))
                f.write(b"x" * size + b'"}\n')
            f.write(b'{"type":"user","uuid":"00000000-0000-4000-8000-000000000009"}\n')
        p.imports(status=(1,))
        assert "is longer than 64 MiB; only its place is kept" in p.said and p.sum["not_understood"] == 1, p.said
        db = sqlite3.connect(p.store)
        assert db.execute("SELECT count(*), max(length) > 100<<20 FROM source_line").fetchone() == (len(s.lines) + 3, 1)


def test_long_lines_keep_the_chain():
    for is_first, size in ((True, 65 << 20), (False, 65 << 20), (False, (66 << 20) - 30)):
        with Place() as p:
            home, s, _ = small(p)
            cause = s.person("and remember semicolons")
            s.tool("Read", {"file_path": "/w/a"}, "LONG")
            line = s.lines[-1]
            s.write("feedback_semi.md", home.memory_file("feedback_semi.md", "Semicolons.", session=s.id))
            s.person("later words")
            if is_first:  # otherwise behind the text, as Claude Code writes it
                line["message"] = line.pop("message")
            s.end()
            text = open(s.path()).read().replace('"content":"LONG"', '"content":"' + "x" * size + '"', 1)
            open(s.path(), "w").write(text)
            p.imports(status=(1,))
            m = p.of_file("feedback_semi.md")
            assert "raw:" + cause in based_on(m) and m["justifications"][0]["recorded"] == "recorded", m
            id_ = sqlite3.connect(p.store).execute("SELECT id, parent FROM source_line WHERE length > 64<<20").fetchall()
            assert [bytes.fromhex(line[k].replace("-", "")) for k in ("uuid", "parentUuid")] == list(id_[0]), id_


def test_links_and_unreadable():
    with Place() as p:
        home, s, cause = small(p)
        os.symlink(p.root, home.project + "/loop")
        os.symlink(home.memory + "/feedback_tabs.md", home.memory + "/link.md")
        os.mkfifo(home.project + "/00000000-0000-4000-8000-000000000001.jsonl")
        os.mkdir(home.project + "/00000000-0000-4000-8000-000000000002.jsonl")
        locked = home.session()
        locked.person("secret")
        locked.end()
        os.chmod(locked.path(), 0)
        open(p.root + "/history.jsonl", "w").close()
        os.chmod(p.root + "/history.jsonl", 0)
        readable = os.access(locked.path(), os.R_OK)  # by root
        p.imports(status=(0, 1))
        assert p.said.count("is a symbolic link, which is not followed") == 2, p.said
        for path in (locked.path(), p.root + "/history.jsonl"):
            assert readable or f"{path}: cannot be read: Permission denied" in p.said, p.said
        assert "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))


def test_a_project_and_a_transcript():
    with Place() as p:
        home, s, cause = small(p)
        out, _ = p.run("import", s.path())
        assert "raw:" + cause in p.memories() and "episode:" + s.id in p.memories()
        p.run("import", home.project)
        assert "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))
        assert sqlite3.connect(p.store).execute("SELECT count(*) FROM source_file").fetchone()[0] == 1


def test_grows_while_it_is_read():
    with Place() as p:
        home, s, cause = small(p)
        for n in range(300):
            s.say(f"line {n} " + "x" * (n * 37 % 5000))
        data = "".join(json.dumps(line) + "\n" for line in s.lines).encode()
        done = threading.Event()

        def write():
            at = 0
            with open(s.path(), "wb", buffering=0) as f:
                while at < len(data):  # pieces that end anywhere
                    size = home.random.randrange(1, 20000)
                    f.write(data[at:at + size])
                    at += size
                    time.sleep(0.005)
            done.set()
        writer = threading.Thread(target=write)
        writer.start()
        while not done.is_set():
            p.imports()
            assert p.sum["not_understood"] == 0, p.said
        writer.join()
        p.imports()
        lines = sqlite3.connect(p.store).execute("SELECT offset, length FROM source_line ORDER BY offset").fetchall()
        assert [data[o:o + n] for o, n in lines] == data.splitlines()
        assert "raw:" + cause in based_on(p.of_file("feedback_tabs.md"))
        assert "all is well" in p.run("fsck")[0]


def test_a_memory_that_is_being_written():
    with Place() as p:
        home, s, _ = small(p)
        path = home.memory + "/feedback_new.md"
        for text in ("", "---\nname: n\nmetadata:\n  ty"):
            open(path, "w").write(text)
            p.imports()
            assert not any(m.get("source", "").endswith("new.md") for m in p.memories().values()), text
        os.utime(path, (1780000000, 1780000000))
        p.imports()  # nobody writes it any more
        assert p.of_file("feedback_new.md")["text"].startswith("---")


def test_follow_reads_what_is_added():
    with Place() as p:
        home, s, cause = small(p)
        follow = subprocess.Popen([STEMMA, "import", "claude", p.root, "--store", p.store, "--json", "--follow"], env=p.env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            assert json.loads(follow.stdout.readline())["added"] > 4
            known, added = len(s.lines), 0
            s.person("and sort the includes")
            s.write("feedback_sort.md", home.memory_file("feedback_sort.md", "Sort includes.", session=s.id))
            with open(s.path(), "a") as f:
                f.write("".join(json.dumps(line) + "\n" for line in s.lines[known:]))
            while added < 4:  # the words, the call, the memory and its session, whichever file is seen first
                sum_ = json.loads(follow.stdout.readline())
                added += sum_["added"] + sum_["updated"]
        finally:
            follow.terminate()
            follow.wait()
        assert any(r.startswith("raw:") for r in based_on(p.of_file("feedback_sort.md")))


def test_dry_run_writes_nothing():
    with Place() as p:
        small(p)
        assert p.imports("--dry-run")["added"] > 4
        assert not os.path.exists(p.store)


def test_who_wrote_a_user_line():
    with Place() as p:
        home = ClaudeHome(p.root)
        for n, (old, more, text, is_person) in enumerate([
                (False, {"origin": {"kind": "human"}, "promptSource": "typed"}, "words", True),
                (False, {"origin": {"kind": "coordinator"}, "promptSource": "sdk"}, "words", False),
                (False, {"promptSource": "system"}, "words", False),
                (True, {}, "words", True),
                (True, {"isMeta": True}, "words", False),
                (True, {"isCompactSummary": True}, "words", False),
                (True, {}, "<local-command-stdout>x</local-command-stdout>", False),
                (True, {}, "<command-name>/clear</command-name>", False),
                (True, {}, "<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args> </command-args>", False),
                (True, {}, "<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>tabs</command-args>", True),
                (True, {}, "Caveat: The messages below", False),
                (True, {}, "[Request interrupted by user]", False)]):
            s = home.session(old)
            first = s.person("the first words")
            second = s.line("user", message={"role": "user", "content": text}, **more)
            s.write(f"project_{n}.md", home.memory_file(f"project_{n}.md", "P.", "project", s.id))
            s.end()
            p.imports()
            raws = based_on(p.of_file(f"project_{n}.md"))
            assert ("raw:" + (second if is_person else first)) in raws, (n, raws)


def test_words_typed_while_the_agent_works():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        first = s.person("start")
        for n, (attachment, is_person) in enumerate([
                ({"type": "queued_command", "prompt": "queued words"}, True),
                ({"type": "queued_command", "commandMode": "prompt", "prompt": [{"type": "text", "text": "queued words"}]}, True),
                ({"type": "queued_command", "commandMode": "task-notification", "prompt": "a task ended"}, False),
                ({"type": "queued_command", "prompt": "x", "origin": {"kind": "task-notification"}}, False),
                ({"type": "queued_command", "prompt": "<task-notification>x"}, False),
                ({"type": "todo_reminder", "prompt": "x"}, False), ("odd", False), ([], False), ({"prompt": 5}, False)]):
            s.parent = first
            s.say("I work.")
            queued = s.line("attachment", attachment=attachment)
            s.write(f"project_{n}.md", home.memory_file(f"project_{n}.md", "P.", "project", s.id))
            s.end()
            p.imports()
            raws = based_on(p.of_file(f"project_{n}.md"))
            assert ("raw:" + (queued if is_person else first)) in raws, (n, raws)
            if is_person:
                assert p.memories()["raw:" + queued]["text"] == "queued words"
                assert p.memories()["raw:" + queued]["source_entity"] == "human:user"
        command = s.person("<command-message>x</command-message>\n<command-name>/style</command-name>\n"
                           "<command-args>tabs \"everywhere\"</command-args>")
        s.write("project_c.md", home.memory_file("project_c.md", "C.", "project", s.id))
        s.end()
        p.imports()
        assert "raw:" + command in based_on(p.of_file("project_c.md"))
        assert p.memories()["raw:" + command]["text"] == '/style tabs "everywhere"'


def test_two_imports_at_once_and_an_interrupt():
    with Place() as p:
        forty(p.root)
        runs = [subprocess.Popen([STEMMA, "import", "claude", p.root, "--store", p.store], env=p.env, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL) for _ in range(2)]
        for r in runs:
            r.wait()
        p.imports()
        assert p.sum["unchanged"] == p.sum["read"] and p.sum["gone"] == 0
        assert "all is well" in p.run("fsck")[0]


if __name__ == "__main__":
    chosen = [f for n, f in sorted(globals().items()) if n.startswith("test_") and (len(sys.argv) < 2 or n in sys.argv[1:])]
    sys.exit(harness.run(*chosen))
