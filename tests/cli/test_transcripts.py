#!/usr/bin/env python3
"""Transcripts: commands and what they print, as in the tests of git and cram.

A file tests/cli/NAME.t has commands and the lines that they print, with standard error:

    # What the command shows.
    $ stemma show raw:one
    raw:one
    [1]

Lines that begin with "> " continue the command. "[N]" is an exit status other than 0. Each file runs in its own directory
with story.db, the demo's story, which is the default store. $DATA is tests/data, and Python finds live.py. Values that change
from run to run have names: times of today are NOW, ages AGE, and new ids ID1, ID2, … in order of appearance. GENERATE=1
rewrites the files; read the diff."""
import glob, os, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, ROOT + "/tests/support")
sys.dont_write_bytecode = True
import harness

STEMMA = os.path.abspath(os.environ.get("STEMMA") or os.path.join(ROOT, "stemma"))
STORY = open(os.path.join(ROOT, "tests/data/demo.jsonl")).read()
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
KNOWN = {m[:8] for m in re.findall(UUID, STORY)} | {f"{n:08d}" for n in range(20)}
AGE = re.compile(r"( *)(?<![\w.:\-@=])(?:\d+(?:s|m|h|d|w|mo|y)|now)(?![\w.:\-])")


def parse(lines):
    """Returns the lines before the first command, then (lines of the command, lines that it prints) for each."""
    head, steps = [], []
    for line in lines:
        if line.startswith("$ "):
            steps.append(([line], []))
        elif steps and line.startswith("> ") and not steps[-1][1]:
            steps[-1][0].append(line)
        else:
            (steps[-1][1] if steps else head).append(line)
    return head, steps


def settle(text, ids, given):
    """Names the values that change from run to run; ids in commands stay."""
    today = "|".join(time.strftime("%Y-%m-%d", time.gmtime(time.time() + d)) for d in (-86400, 0, 86400))
    text = re.sub(rf"(?:{today})[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?", "NOW", text)

    def name(m):
        if m[0][:8] in KNOWN or m[0] in given:
            return m[0]
        return ids.setdefault(m[0][:8], f"ID{len(ids) + 1}")
    text = re.sub(rf"(?<![0-9a-f\-]){UUID}|(?<=[a-z]:)[0-9a-f]{{8}}(?![0-9a-f\-])", name, text)
    text = re.sub(r"^.*with age.*$", lambda m: re.sub(r"\d+(\.\d+)?", "N", m[0]), text, flags=re.M)
    return AGE.sub(lambda m: " AGE" if m[1] else "AGE", text)


def run(command, cwd, env, ids, given):
    script = "\n".join(line[2:] for line in command)
    p = subprocess.run(["bash", "-c", script], cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=120)
    text = p.stdout.decode(errors="backslashreplace").replace(cwd, "DIR")
    lines = settle(text, ids, given).rstrip("\n").split("\n") if text.strip() else []
    return [line.rstrip() for line in lines] + ([f"[{p.returncode}]"] if p.returncode else [])


def transcript(path):
    """Returns the text that the file should have."""
    head, steps = parse(open(path).read().rstrip("\n").split("\n"))
    out, ids = list(head), {}
    given = set(re.findall(r"(?<![0-9a-f])[0-9]{8}(?![0-9a-f])", "\n".join(line for command, _ in steps for line in command)))
    with tempfile.TemporaryDirectory(prefix="stemma-t-") as cwd:
        env = {"HOME": cwd, "PATH": os.path.dirname(STEMMA) + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "USER": "sean",
               "LOGNAME": "sean", "DATA": os.path.join(ROOT, "tests/data"), "PYTHONPATH": HERE,
               "PYTHONDONTWRITEBYTECODE": "1", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        os.makedirs(cwd + "/.config/stemma")
        open(cwd + "/.config/stemma/config.yaml", "w").write(f"store: {cwd}/story.db\nactor: sean\n")
        subprocess.run([STEMMA, "import", "jsonl", "-"], input=STORY.encode(), cwd=cwd, env=env, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command, expected in steps:
            # A comment, and the blank line before it, belong to the next command.
            tail = []
            while expected and (expected[-1].startswith("# ") or not expected[-1]) and \
                    ("# " in expected[-1][:2] or tail or not expected[-1]):
                tail.insert(0, expected.pop())
            out += command + run(command, cwd, env, ids, given) + tail
    return "\n".join(out).rstrip("\n") + "\n"


def main():
    harness.compare(sorted(sys.argv[1:] or glob.glob(HERE + "/*.t")), transcript, os.cpu_count())
    return harness.failed


if __name__ == "__main__":
    sys.exit(main())
