#!/usr/bin/env python3
"""The examples in README.md and docs/ work as written, except for the paths."""
import glob, json, os, re, shlex, subprocess, sys, tempfile, tomllib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../support"))
sys.dont_write_bytecode = True
import harness
from harness import test

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../..")
PAGES = [ROOT + "/README.md"] + sorted(glob.glob(ROOT + "/docs/*.md"))
TEXT = "".join(open(page).read() for page in PAGES)
SCRATCH = tempfile.mkdtemp(prefix="readme-", dir=os.environ.get("STEMMA_TEST_DIR"))
HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "readme", "version": "1"}}}


def blocks(language):
    """The text of each fenced block of that language."""
    text, inside = [], None
    for line in TEXT.splitlines(True):
        if not line.startswith("```"):
            text.append(line)
        elif inside is None:
            inside, text = line[3:].strip(), []
        else:
            if inside == language:
                yield "".join(text)
            inside = None


def configurations():
    """Every server in a block: its keys as the client reads them."""
    for text in blocks("json"):
        said = json.loads(text)
        if "original_question" in said:
            continue
        assert len(said) == 1 and set(said) <= {"mcpServers", "servers"}, said
        yield from next(iter(said.values())).values()
    for text in blocks("toml"):
        yield from tomllib.loads(text)["mcp_servers"].values()
    for text in blocks(""):
        for line in re.findall(r"^claude mcp add .*$", text, re.M):
            command, *args = shlex.split(line.split(" -- ", 1)[1])
            yield {"command": command, "args": args}


def starts(server, store):
    """The server works with a nearly empty environment in /, and ends with its client."""
    assert server["command"] == "/usr/local/bin/stemma" and server.get("type", "stdio") == "stdio", server
    args = list(server["args"])
    at = args.index("--store") + 1
    assert os.path.isabs(args[at]) and args[0] == "mcp" and "--agent" in args, args
    args[at] = store
    p = subprocess.run([STEMMA, *args], input=json.dumps(HELLO).encode() + b"\n", cwd="/", timeout=120,
                       env={"HOME": SCRATCH, "PATH": os.environ["PATH"]}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode == 0, (p.returncode, p.stderr)
    answer = json.loads(p.stdout)
    assert answer["id"] == 0 and answer["result"]["serverInfo"]["name"] == "stemma", answer


def every_configuration():
    found = list(configurations())
    names = [s["args"][s["args"].index("--agent") + 1] for s in found]
    assert sorted(names) == ["codex", "cursor"], found  # JSON and TOML; `stemma mcp install` writes the others
    for i, server in enumerate(found):
        starts(server, os.path.join(SCRATCH, f"{i}.db"))


def the_help():
    """The configuration in `stemma mcp --help` works too, at any width."""
    for columns in "80", "60", "200":
        p = subprocess.run([STEMMA, "mcp", "--help"], env={**os.environ, "COLUMNS": columns}, stdout=subprocess.PIPE, check=True)
        said = re.search(r"^\{.*?\}\}\}$", p.stdout.decode(), re.M | re.S)
        assert said, p.stdout
        starts(json.loads(said[0])["mcpServers"]["stemma"], os.path.join(SCRATCH, f"help-{columns}.db"))


def every_command():
    """The commands and options in shell blocks exist."""
    lines = [line for text in blocks("") for line in text.splitlines()]
    named = [re.split(r"\s{2,}|#", line)[0] for line in lines if re.match(r"(\./)?stemma [a-z]", line)]
    assert len(named) >= 8, named
    for line in named:
        words = shlex.split(line)[1:]
        p = subprocess.run([STEMMA, words[0], "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert p.returncode == 0, (line, p.stderr)
        for option in (w for w in words if w.startswith("-")):
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", p.stdout.decode()), (line, option)


def every_example():
    """The examples of docs/commands.md work on a new demo store, one after the other."""
    store, home = os.path.join(SCRATCH, "demo.db"), os.path.join(SCRATCH, "home")
    os.mkdir(home)
    env = {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "VISUAL": "", "EDITOR": "true"}
    # The demo store is made even without a terminal for the explorer.
    subprocess.run([STEMMA, "demo", "--store", store], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(os.path.join(SCRATCH, "keys.t"), "w") as f:
        f.write("size 80x24\n> jj\n")
    # a difference, problems, no client connected, no person to confirm
    otherwise = {"check": 1, "orphans": 1, "sessions": 1, "retract": 4, "merge": 4}
    lines = next(text for text in blocks("") if "stemma whatif" in text).splitlines()
    named = [shlex.split(re.split(r"\s{2,}", line)[0])[1:] for line in lines if not line.startswith(" ")]
    told = {}
    for words in named:
        # the explorer, sources outside the demo, commands that do not end, other machines
        if words[0] in ("[STORE]", "import", "serve", "apply", "team", "push") or "/" in words[0] or words[1:2] == ["install"]:
            continue
        words = [word if word != "--follow" else "--calls" for word in words]
        p = subprocess.run([STEMMA, *words, "--store", store], env=env, cwd=SCRATCH, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        assert p.returncode == otherwise.get(words[0], 0), (words, p.returncode, p.stderr)
        told.setdefault(words[0], []).append(p.stdout.decode())
    assert len(told) >= 24, sorted(told)
    # Event 214 is the last of the story, so the changes since are those of the examples.
    assert "0.751" in told["show"][-1] and "0.6" in told["edit"][0], told["show"][-1]


def a_chain():
    """The chain in the example can be imported, and the shown output is what the program prints."""
    store = os.path.join(SCRATCH, "chain.db")
    shown = [text for text in blocks("json") if "original_question" in text]
    assert len(shown) == 1
    p = subprocess.run([STEMMA, "import", "cot", "-", "--store", store, "--json"], input=shown[0].encode(), stdout=subprocess.PIPE)
    assert p.returncode == 0 and json.loads(p.stdout)["added"] == 3, (p.returncode, p.stdout)
    story = os.path.join(ROOT, "tests/data/demo.jsonl")
    subprocess.run([STEMMA, "import", "jsonl", story, "--store", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    step = [text for text in blocks("") if "changed since" in text]
    assert len(step) == 1
    said = subprocess.run([STEMMA, "chain", "chain:c6120492", "--store", store], env={**os.environ, "COLUMNS": "80"}, stdout=subprocess.PIPE)
    assert step[0] in said.stdout.decode(), said.stdout.decode()
    for ref in re.findall(r"`(chain:[0-9a-f]{8})`", TEXT):
        subprocess.run([STEMMA, "show", ref, "--store", store], stdout=subprocess.PIPE, check=True)


def every_tool():
    """The table of tools lists each tool once, and no others, and names the arguments that repair and go on."""
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    config = os.path.join(SCRATCH, "leave.yaml")
    with open(config, "w") as f:
        f.write("destructive_tools: yes\nmcp: {tools: [all]}\n")
    p = subprocess.run([STEMMA, "mcp", "--config", config, "--store", os.path.join(SCRATCH, "tools.db")], check=True,
                       input="".join(json.dumps(m) + "\n" for m in (HELLO, ask)).encode(), stdout=subprocess.PIPE, timeout=120)
    schema = {t["name"]: t["inputSchema"]["properties"] for t in json.loads(p.stdout.splitlines()[1])["result"]["tools"]}
    offered = list(schema)
    table = re.search(r"^\| tools \|.*?\n\n", TEXT, re.M | re.S)[0]
    named = [name for row in table.split("\n\n")[0].splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(named) == sorted(offered), set(named) ^ set(offered)
    for tool, argument in (("memory_add", "tags"), ("memory_update", "derived_from"), ("memory_mark", "remove"), ("memory_search", "cursor"),
                           ("memory_lineage", "offset"), ("memory_whatif", "offset")):
        assert argument in schema[tool], (tool, argument)
        assert any(f"`{tool}`" in row and f"`{argument}`" in row for row in table.splitlines()), (tool, argument)


def every_setting():
    """The examples of config.yaml are valid."""
    shown = list(blocks("yaml"))
    assert len(shown) >= 2
    for n, text in enumerate(shown):
        config = os.path.join(SCRATCH, f"shown{n}.yaml")
        with open(config, "w") as f:
            f.write(text)
        p = subprocess.run([STEMMA, "list", "all", "--config", config, "--store", os.path.join(SCRATCH, "none.db")],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        assert b".yaml line" not in p.stderr, p.stderr


test("the pages: every configuration starts a server that answers", every_configuration)
test("the pages: the configuration in the help starts one too", the_help)
test("the pages: every example of a setting is valid", every_setting)
test("the pages: every command and option exists", every_command)
test("the pages: every example works on the demo store", every_example)
test("the pages: the example of a chain is imported", a_chain)
test("the pages: the table has every tool", every_tool)
sys.exit(harness.failed)
