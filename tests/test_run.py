#!/usr/bin/env python3
"""How tests are chosen and run: the words of T, a file as an argument, what differs, and what GENERATE=1 changed."""
import os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

PLAYER = f"""#!/bin/sh
cat "$1" && echo "[       OK ] $1" && exit
echo "[  FAILED  ] $1"; exit 1
"""
TRANSCRIPT = f"""#!/usr/bin/env python3
import sys
sys.path.insert(0, {ROOT + "/tests/support"!r})
import harness
harness.compare([sys.argv[1]], lambda path: open(path).read().replace("two", "2").replace("four", "4"), 1)
sys.exit(harness.failed)
"""
KEPT = "# The first.\n$ a\none\ntwo\n\n# The second.\n$ b\nthree\n\n# The third.\n$ c\nfour\nfive\n"


def run(program, files, **env):
    """Runs a program with each of these files through tests/run; returns its status, what it printed, and the files."""
    with tempfile.TemporaryDirectory() as cwd:
        for name, text in {"player": program, **files}.items():
            with open(f"{cwd}/{name}", "w") as file:
                file.write(text)
        os.chmod(cwd + "/player", 0o755)
        p = subprocess.run([ROOT + "/tests/run", *(f"./player:{name}" for name in files), *(["./player:no"] if not env else [])],
                           cwd=cwd, env=dict(os.environ, **env), stdout=subprocess.PIPE, text=True)
        return p.returncode, p.stdout, {name: open(f"{cwd}/{name}").read() for name in files}


def chosen(words):
    """The tests that make runs with T=words, or None."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "T", "FLAVOUR")}
    p = subprocess.run(["make", "-n", "check", "FLAVOUR=quick", f"T={words}"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert p.returncode == 0 or "no test has" in p.stderr, p.stderr
    return set(p.stdout.split("./tests/run ")[1].split()) if p.returncode == 0 else None


def each_word_chooses_tests():
    harm, live, acting = "tests/cli/test_transcripts.py:tests/cli/harm.t", "scenes:tests/tui/live.t", "scenes:tests/tui/acting.t"
    scenes = "build/quick/tests/tui/test_"
    assert chosen("tests/cli/harm") == {harm}
    assert chosen("tests/cli/harm tui/live.t test_layers") == {harm, scenes + live, "tests/test_layers.py"}
    assert {scenes + live, scenes + acting} <= chosen("tui/test_scenes") and harm not in chosen("tui/test_scenes")
    assert len(chosen("test_clients")) == 5
    assert harm in chosen("cli/test_transcripts") and {harm, scenes + live, "tests/test_run.py"} <= chosen("")
    assert chosen("tests/cli/harm no/such") is None


def a_file_is_an_argument():
    code, out, _ = run(PLAYER, {"one.t": "first\n", "two.t": "second\n"})
    assert code == 1 and "ok   player one.t  1 tests" in out and "FAIL player no  0 tests" in out, out
    assert out.endswith("2 passed, 1 failed\n") and "first" not in out, out


def a_test_in_which_a_program_ends_is_named():
    dies = "#!/bin/sh\necho '[ RUN      ] one'; echo '[       OK ] one'; echo '[ RUN      ] two'; kill -SEGV $$\n"
    _, out, _ = run(dies, {"a": ""})
    assert "\nended with status -11 in two\n" in out and "in one" not in out, out


def a_difference_has_its_lines_and_section():
    os.environ.pop("GENERATE", None)
    _, out, files = run(TRANSCRIPT, {"a.t": KEPT})
    assert files["a.t"] == KEPT
    for part in ("@@ -4 +4 @@ # The first.\n-two\n+2\n", "@@ -12 +12 @@ # The third.\n-four\n+4\n"):
        assert part in out, out
    assert "three" not in out, out


def what_is_generated_is_named():
    code, out, files = run(TRANSCRIPT, {"a.t": KEPT, "b.t": "# Same.\n$ a\none\n", "c.t": "== it\n# A word.\n> x\ntwo\n"},
                           GENERATE="1")
    assert code == 0 and files["a.t"] == KEPT.replace("two", "2").replace("four", "4"), out
    assert out.endswith("""GENERATED a.t @@ -4 +4 @@ # The first.
GENERATED a.t @@ -12 +12 @@ # The third.
GENERATED c.t @@ -4 +4 @@ == it
3 passed, 0 failed
"""), out


sys.exit(harness.run(each_word_chooses_tests, a_file_is_an_argument, a_test_in_which_a_program_ends_is_named,
                     a_difference_has_its_lines_and_section, what_is_generated_is_named))
