#!/usr/bin/env python3
"""The conversation that led to a memory, of a ~/.claude written here: what was said, what tools returned, and what is said
of a transcript that changed."""
import json, os, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness
from claude_home import ClaudeHome, forty

STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))


class Place:
    """A private HOME with a ~/.claude and a store."""

    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix="stemma.")
        self.root, self.store = self.dir + "/.claude", self.dir + "/s.db"
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir)

    def run(self, *args, status=0):
        p = subprocess.run([STEMMA, *args, "--store", self.store], env={**os.environ, "HOME": self.dir}, timeout=300,
                           stdin=subprocess.DEVNULL, capture_output=True)
        assert p.returncode == status, (p.returncode, p.stdout, p.stderr)
        return p.stdout.decode() + (p.stderr.decode() if status else "")

    def imports(self):
        self.run("import", "claude", self.root)
        self.memories = [json.loads(line) for line in self.run("export").splitlines()]

    def of_file(self, name):
        return next(m["ref"] for m in self.memories if m.get("source", "").endswith("/memory/" + name))

    def conversation(self, ref):
        return json.loads(self.run("show", ref, "--conversation", "--json"))


def test_forty_conversations():
    with Place() as p:
        home, known = forty(p.root)
        p.imports()
        for name, k in known.items():
            c = p.conversation(p.of_file(name))
            here = [t for t in c["turns"] if t["here"]]
            assert [t["kind"] for t in here] == ["person"] and k["text"] in here[0]["text"], (name, here)
            assert c["transcript"].endswith(k["session"] + ".jsonl")
            kinds = [t["kind"] for t in c["turns"]]
            assert kinds.count("person") >= 3 and "call" in kinds and "result" in kinds and "thought" in kinds, kinds
            assert [t["at"] for t in c["turns"]] == sorted(t["at"] for t in c["turns"])
            page = p.run("show", p.of_file(name), "--conversation")
            assert "led to this memory" in page and "From now on always do " + k["text"] in page, page


def test_a_guess_is_said():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        s.person("let somebody else note it")
        a = s.agent_session()
        a.write("project_z.md", home.memory_file("project_z.md", "Z.", "project", session=s.id))
        s.person("note this, too")
        s.write("project_y.md", home.memory_file("project_y.md", "Y.", "project", session=s.id))
        a.end(), s.end()
        p.imports()
        assert p.conversation(p.of_file("project_z.md"))["guessed"]
        assert "guessed: led to this memory" in p.run("show", p.of_file("project_z.md"), "--conversation")
        assert not p.conversation(p.of_file("project_y.md"))["guessed"]
        assert "guessed" not in p.run("show", p.of_file("project_y.md"), "--conversation")


def test_from_a_raw_entry_and_an_attribution():
    with Place() as p:
        home, known = forty(p.root)
        p.imports()
        k = known["reference_03.md"]
        c = p.conversation("attribution:" + k["evidence"][0])
        assert [t["text"] for t in c["turns"] if t["here"]] == ["found 0"]
        assert [t["kind"] for t in p.conversation("raw:" + k["cause"])["turns"] if t["here"]] == ["person"]
        p.run("add", "note", "mine")
        note = json.loads(p.run("list", "note", "--json", "--limit", "1").splitlines()[0])["ref"]
        assert "no line of a transcript led to this memory" in p.run("show", note, "--conversation", status=1)


def long_session(p, before, after):
    home = ClaudeHome(p.root)
    s = home.session()
    for n in range(before):
        s.person(f"before {n}")
        s.say(f"answer {n}")
    s.person("keep this")
    s.tool("Bash", {"command": "make"}, "one\ntwo\nthree", error=True)
    s.write("project_a.md", home.memory_file("project_a.md", "A.", "project", s.id))
    for n in range(after):
        s.person(f"after {n}")
    s.end()
    p.imports()
    return s


def test_some_turns_before_and_after():
    with Place() as p:
        long_session(p, 10, 10)
        c = p.conversation(p.of_file("project_a.md"))
        persons = [t["text"] for t in c["turns"] if t["kind"] == "person"]
        assert persons[:1] == ["before 7"] and "keep this" in persons and persons[-1] == "after 2", persons
        assert c["before"] and c["after"]
        page = p.run("show", p.of_file("project_a.md"), "--conversation")
        assert "begins before this" in page and "goes on" in page and "failed: 3 lines: one" in page, page


def test_all_words_that_led_to_a_memory_are_marked():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        s.person("main is frozen until the 13th")
        s.write("project_a.md", home.memory_file("project_a.md", "Until the 13th.", "project", s.id))
        s.person("thanks")
        s.person("it ends on the 16th")
        s.edit("project_a.md", "13th", "16th")
        s.end()
        p.imports()
        here = [t["text"] for t in p.conversation(p.of_file("project_a.md"))["turns"] if t["here"]]
        assert here == ["main is frozen until the 13th", "it ends on the 16th"], here


def test_a_changed_or_vanished_transcript_is_said():
    with Place() as p:
        s = long_session(p, 1, 1)
        ref, path = p.of_file("project_a.md"), s.path()
        whole = open(path).read()
        with open(path, "w") as f:
            f.write(whole.replace("keep this", "keep that"))
        c = p.conversation(ref)
        said = json.dumps(c["turns"])
        assert c["unread"] and "keep that" not in said and "keep this" in said and "answer 0" in said, c  # as it was imported
        os.unlink(path)
        c = p.conversation(ref)
        assert c["unread"] and [t["text"] for t in c["turns"] if t["here"]] == ["keep this"], c
        assert "answer 0" not in json.dumps(c["turns"])  # no memory: it is nowhere else
        assert "cannot be shown" in p.run("show", ref, "--conversation")


def test_control_characters_are_not_shown():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        s.person("call \x1b[31mme\x07 at +47 22 12 34 56, mail sean@example.org")
        s.write("user_a.md", home.memory_file("user_a.md", "A.", "user", s.id))
        s.end()
        p.imports()
        page = p.run("show", p.of_file("user_a.md"), "--conversation")
        assert "\x1b" not in page and "\x07" not in page, page


def test_a_branch_that_was_left_is_not_shown():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        s.person("begin")
        s.say("yes")
        at = s.parent
        s.person("call me Sam")
        s.say("Sam it is")
        s.parent = at
        s.person("call me Kim")
        s.notice("<task-notification>done</task-notification>")
        s.write("user_a.md", home.memory_file("user_a.md", "Kim.", "user", s.id))
        s.say("saved")
        s.end()
        p.imports()
        turns = p.conversation(p.of_file("user_a.md"))["turns"]
        said = [t["text"] for t in turns]
        assert "call me Kim" in said and "saved" in said and "begin" in said and "yes" in said, said
        assert "call me Sam" not in said and "Sam it is" not in said, said
        assert [t["kind"] for t in turns if "task-notification" in t["text"]] == ["notice"], turns


def test_a_session_is_read_from_its_first_words():
    with Place() as p:
        s = long_session(p, 2, 1)
        here = [t["text"] for t in p.conversation("episode:" + s.id)["turns"] if t["here"]]
        assert here == ["before 0"], here


def test_long_texts_are_folded():
    with Place() as p:
        home = ClaudeHome(p.root)
        s = home.session()
        s.person("\n".join(f"line {n}" for n in range(100)))
        s.write("user_a.md", home.memory_file("user_a.md", "A.", "user", s.id))
        s.end()
        p.imports()
        page = p.run("show", p.of_file("user_a.md"), "--conversation")
        assert "line 11" in page and "line 12" not in page and "88 lines more" in page, page


if __name__ == "__main__":
    chosen = [f for n, f in sorted(globals().items()) if n.startswith("test_") and (len(sys.argv) < 2 or n in sys.argv[1:])]
    sys.exit(harness.run(*chosen))
