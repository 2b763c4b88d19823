#!/usr/bin/env python3
"""Transcripts: what a person types and what the program answers, as git's and cram's tests have it.

A file tests/cli/NAME.t holds commands and the lines that they print, standard error among them:

    # Why this is so.
    $ stemma show raw:one
    raw:one
    [1]

A command goes on in lines that begin with "> ". "[N]" is the exit status where it is not 0. Each file has a directory of
its own, in which story.db is the story of the demo, and the store that is used where none is named; $DATA is tests/data, and Python finds live.py. What differs from
run to run stands for itself: a time of today is NOW, an age AGE, an id that the program made ID1, ID2, … in the order in
which they come. GENERATE=1 writes the files anew; read what changed."""
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
    """What stands before the first command, then (lines of the command, lines that it prints) for each."""
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
    """Without what is another each time; ids that the commands give stay."""
    today = "|".join(time.strftime("%Y-%m-%d", time.gmtime(time.time() + d)) for d in (-86400, 0, 86400))
    text = re.sub(rf"(?:{today})[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?", "NOW", text)

    def name(m):
        if m[0][:8] in KNOWN or m[0] in given:
            return m[0]
        return ids.setdefault(m[0][:8], f"ID{len(ids) + 1}")
    text = re.sub(rf"(?<![0-9a-f\-]){UUID}|(?<=[a-z]:)[0-9a-f]{{8}}(?![0-9a-f\-])", name, text)
    text = re.sub(r"^.*after decay.*$", lambda m: re.sub(r"\d+(\.\d+)?", "N", m[0]), text, flags=re.M)
    return AGE.sub(lambda m: " AGE" if m[1] else "AGE", text)


def run(command, cwd, env, ids, given):
    script = "\n".join(line[2:] for line in command)
    p = subprocess.run(["bash", "-c", script], cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=120)
    text = p.stdout.decode(errors="backslashreplace").replace(cwd, "DIR")
    lines = settle(text, ids, given).rstrip("\n").split("\n") if text.strip() else []
    return [line.rstrip() for line in lines] + ([f"[{p.returncode}]"] if p.returncode else [])


def transcript(path):
    """The lines that the file should have."""
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
