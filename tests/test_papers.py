#!/usr/bin/env python3
"""What the papers name exists: each path, and each function, struct or macro in `back quotes`. The tables of signs match
`stemma help signs`.

    test_papers.py            checks the checkout, and that errors are found
    test_papers.py --report   prints each error on a line
"""
import os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# A name with an underscore is a function, struct, table or tool.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\(\))?")
PATH = re.compile(r"(?:model|store|tui|tests|docs|themes)(?:/[A-Za-z0-9_.{},-]+)+/?")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def files(root, *patterns):
    return subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", *patterns], capture_output=True, text=True,
                          check=True).stdout.split()


def exists(root, path):
    full = os.path.join(root, path)
    return os.path.exists(full) or any(os.path.exists(full + end) for end in (".c", ".h", ".py"))


def find_wrong(root):
    """Returns (paper, line, name) of everything that does not exist."""
    known = set()
    for path in files(root):
        if not path.endswith((".md", ".png", ".db")) and os.path.isfile(os.path.join(root, path)):
            known.update(WORD.findall(open(os.path.join(root, path), errors="replace").read()))
            known.add(os.path.splitext(os.path.basename(path))[0])
    wrong = []
    for paper in files(root, "*.md"):
        for number, line in enumerate(open(os.path.join(root, paper)), 1):
            for link in LINK.findall(line):
                if not os.path.exists(os.path.join(root, os.path.dirname(paper), link)):
                    wrong.append((paper, number, link))
            for quoted in re.findall(r"`([^`]+)`", line):
                if PATH.fullmatch(quoted):
                    if not exists(root, quoted) and not exists(root, os.path.join(os.path.dirname(paper), quoted)):
                        wrong.append((paper, number, quoted))
                elif NAME.fullmatch(quoted) and quoted.rstrip("()") not in known:
                    wrong.append((paper, number, quoted))
    return wrong


def signs(language):
    """(sign, word, meaning) of each line of `stemma help signs`."""
    env = dict(os.environ, LC_ALL="", LANG=language)
    out = subprocess.run([os.environ["STEMMA"], "help", "signs"], capture_output=True, text=True, env=env, check=True).stdout
    return [re.match(r"  (\S*) +(\S.*?)  +(.+)", line).groups() for line in out.splitlines()[1:]]


def check_signs():
    """Each row of the legend stands in docs/explorer.md; that of a label also in README.md and in the glossary."""
    explorer, readme, glossary = (open(os.path.join(ROOT, path)).read() for path in ("docs/explorer.md", "README.md", "docs/glossary.md"))
    legend = list(zip(signs("C.UTF-8"), signs("de_DE.ISO-8859-1")))
    assert len(legend) >= 13
    for i, ((sign, word, meaning), (ascii, _, _)) in enumerate(legend):
        assert f"| `{sign}` | `{ascii}` | {word} | {meaning} |\n".replace("``", "") in explorer, f"docs/explorer.md: {word}"
        if i < 6:
            assert f"| `{sign}` | {word} | {meaning} |\n" in readme, f"README.md: {word}"
            assert f"| {word} | {meaning} |\n" in glossary, f"docs/glossary.md: {word}"


def check_queries():
    """docs/commands.md has each field of a query, as `stemma help query` lists it."""
    out = subprocess.run([os.environ["STEMMA"], "help", "query"], capture_output=True, text=True, check=True).stdout
    fields = re.findall(r"^  (\S+) +(.*)$", out[out.index("Fields of"):], re.M)
    paper = open(os.path.join(ROOT, "docs/commands.md")).read()
    assert len(fields) > 20
    for term, about in fields:
        assert f"| `{term}` | {about} |\n" in paper, f"docs/commands.md: {term}"


def check_tools():
    """The table of docs/mcp.md names each tool once, and nothing else. `putMemory` is put_memory in the list."""
    tools = open(os.path.join(ROOT, "store/mcp/tools/tools.h")).read().split("#define EACH_TOOL(X)")[1].split("#define")[0]
    table = open(os.path.join(ROOT, "docs/mcp.md")).read().split("| tools | set | |\n|---|---|---|\n")[1].split("\n\n")[0]
    named = [re.sub("[A-Z]", lambda m: "_" + m[0].lower(), name)
             for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(named) == sorted(re.findall(r"X\((\w+)\)", tools)), f"docs/mcp.md: {named}"


TESTED = re.compile(r'`(tests/[^`]+)`\s+\(((?:`[^`]+`|"[^"]+")(?:,\s+(?:`[^`]+`|"[^"]+"))*)\)')


def find_untested(root, paper):
    """Returns what is wrong about the numbered promises of SECURITY.md: one without a test, or with one that does not exist."""
    wrong = []
    promised = paper.split("## What is promised\n")[1].split("\n## ")[0]
    promises = re.split(r"^\d+\. ", promised, flags=re.M)[1:]
    for number, promise in enumerate(promises, 1):
        named = TESTED.findall(promise)
        if not named:
            wrong.append(f"promise {number} names no test")
        for path, tests in named:
            full = os.path.join(root, path)
            text = " ".join(open(full).read().split()) if os.path.isfile(full) else ""
            for name in re.findall(r'`([^`]+)`|"([^"]+)"', tests):
                # A function that is defined there, or words of the line that heads a section.
                name = " ".join((name[0] or name[1]).split())
                if not re.search(rf"(?:void |def |TEST\(){re.escape(name)}[()]", text) and not (" " in name and name in text):
                    wrong.append(f"promise {number}: {path} has no {name}")
    assert len(promises) >= 9
    return wrong


def check_promises():
    """Each promise of SECURITY.md names tests that exist; one that does not is found."""
    paper = open(os.path.join(ROOT, "SECURITY.md")).read()
    wrong = find_untested(ROOT, paper)
    assert not wrong, "SECURITY.md: " + "; ".join(wrong)
    broken = paper.replace("`no_secret_is_left`", "`no_such_test`").replace("`tests/store/txn/test_kill.c`", "`tests/gone.c`")
    broken = re.sub(r"(4\. \*\*[^`]*)`[^`]*`", r"\1it", broken, count=1)
    assert find_untested(ROOT, broken) == [
        "promise 3: tests/gone.c has no nothing_acknowledged_is_lost", "promise 4 names no test",
        "promise 6: tests/store/ops/test_purge.c has no no_such_test"], find_untested(ROOT, broken)


def long_sentences(text):
    """Sentences of more than 25 words, outside code, tables and headings."""
    text = re.sub(r"```.*?```", "\n\n", text, flags=re.S)
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", text) if not p.startswith(("|", "#", "!["))]
    sentences = [s for p in paragraphs for s in re.split(r"(?<=[.!?])\s+", re.sub(r"\]\([^)]*\)", "]", p))]
    return [s for s in sentences if len(re.findall(r"\w\S*", s)) > 25]


def commands(text):
    """The lines of the code blocks that run stemma, without those that need a terminal or somebody's own store."""
    lines = [line.split("  #")[0].strip() for block in re.findall(r"```\n(.*?)```", text, re.S) for line in block.splitlines()]
    return [line for line in lines if line.startswith("./stemma ") and not re.match(r"\./stemma (demo|~)", line)]


def fails(line, env):
    """Whether the command is wrong: 2 is wrong usage, 3 a store that cannot be read. It may have to be confirmed (4)."""
    try:
        return subprocess.run(line.replace("./stemma", env["STEMMA"], 1), shell=True, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=3 if "--follow" in line else 60).returncode not in (0, 1, 4)
    except subprocess.TimeoutExpired:
        return "--follow" not in line


def check_readme():
    """README.md is short, its sentences are short, and its commands work on the demo store, as copied."""
    text = open(os.path.join(ROOT, "README.md")).read()
    assert len(text.splitlines()) < 200 and not long_sentences(text), long_sentences(text)
    assert long_sentences("A. " + "word " * 26 + ". B.") and not long_sentences("word " * 25 + ".")
    with tempfile.TemporaryDirectory() as home:
        store = home + "/.local/state/stemma/demo.db"
        env = dict(os.environ, HOME=home, XDG_STATE_HOME=home + "/.local/state", STEMMA=os.path.abspath(os.environ["STEMMA"]),
                   STEMMA_STORE=store)
        subprocess.run([env["STEMMA"], "demo"], env=env, stdin=subprocess.DEVNULL, capture_output=True)
        lines = commands(text)
        assert os.path.exists(store) and len(lines) >= 8
        for line in lines:
            assert not fails(line, env), "README.md: " + line
        assert fails("./stemma list beliefs --nothing", env) and fails("./stemma list beliefs --store /nowhere", env)


# What the program writes of itself, with the topic of `stemma help` that writes it.
GENERATED = {"man": "docs/man/stemma.1", "man-config": "docs/man/stemma-config.5", "man-tutorial": "docs/man/stemma-tutorial.7",
             "bash": "completions/stemma", "zsh": "completions/_stemma", "fish": "completions/stemma.fish"}


def check_generated():
    """The manual pages and the completion scripts are those of this program. GENERATE=1 writes them anew."""
    for topic, path in GENERATED.items():
        text = subprocess.run([os.environ["STEMMA"], "help", topic], capture_output=True, text=True, check=True).stdout
        full = os.path.join(ROOT, path)
        if os.environ.get("GENERATE"):
            os.makedirs(os.path.dirname(full), exist_ok=True)
            open(full, "w").write(text)
        assert open(full).read() == text, f"{path} is not what `stemma help {topic}` writes: GENERATE=1 make quick T=test_papers"


def check_tutorial():
    """Each command of the tutorial works on the demo store."""
    lines = [l.strip() for l in open(os.path.join(ROOT, "docs/tutorial.txt")) if l.startswith("    stemma ")]
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, HOME=home, XDG_STATE_HOME=home + "/.local/state", STEMMA=os.path.abspath(os.environ["STEMMA"]),
                   STEMMA_STORE=home + "/.local/state/stemma/demo.db")
        subprocess.run([env["STEMMA"], "demo"], env=env, stdin=subprocess.DEVNULL, capture_output=True)
        assert len(lines) > 12
        for line in lines:
            own = "claude" in line or line.endswith(" demo")  # what is on the machine
            ends = own or subprocess.run(line.replace("stemma", env["STEMMA"], 1) + (" --yes" if "retract" in line else ""),
                                         shell=True, env=env, stdin=subprocess.DEVNULL, capture_output=True).returncode
            assert own or ends == ("check" in line), f"docs/tutorial.txt: {line}: {ends}"


def check_that_it_fails():
    """A paper that names what is not there is found; one that names what is there is not."""
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["git", "init", "-q", root], check=True)
        os.makedirs(root + "/store")
        open(root + "/store/a.c", "w").write("int known_function(void);\n")
        open(root + "/A.md", "w").write("`store/a.c` `known_function` [a](store/a.c)\n"
                                        "`store/b.c`\n`lost_function`\n[b](store/b.md)\n")
        found = [(number, what) for _, number, what in find_wrong(root)]
        assert found == [(2, "store/b.c"), (3, "lost_function"), (4, "store/b.md")], found


def main():
    wrong = find_wrong(ROOT)
    for paper, number, what in wrong:
        print(f"{paper}:{number}: there is no {what}")
    if sys.argv[1:] == ["--report"]:
        return 0
    check_that_it_fails()
    check_signs()
    check_queries()
    check_tools()
    check_promises()
    check_readme()
    check_generated()
    check_tutorial()
    print("[       OK ] manual pages, completion scripts and the tutorial are of this program")
    print("[       OK ] README.md is short, and its commands work")
    print("[       OK ] each promise of SECURITY.md names its tests")
    print("[       OK ] docs/commands.md has the fields of queries")
    print("[       OK ] docs/mcp.md names the tools")
    print("[       OK ] the tables of signs are the legend")
    print("[       OK ] a paper that names what is not there is found")
    print(f"[  FAILED  ] papers name what is there" if wrong else "[       OK ] papers name what is there")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
