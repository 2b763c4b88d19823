#!/usr/bin/env python3
"""The official clients from npm against the program: both versions of the TypeScript SDK in every mode, over `stemma mcp`
and over the socket of `stemma serve`, and the inspector's command line. `$STEMMA` is the program.

`test_clients.py NAME` is the function drive_NAME alone; each of them is a test of its own for make."""
import json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "clients"), os.path.join(HERE, "../../../support")]
sys.dont_write_bytecode = True
import harness, packages
from harness import test

STEMMA = os.path.abspath(os.environ.get("STEMMA", "./stemma"))
STORY = os.path.join(HERE, "../../../../tests/data/demo.jsonl")
BELIEF = "belief:8a2770de"
GIVEN = {"ref": BELIEF, "agent": "ash", "what": "that the inspector was here",
         "since": "2 days ago"}  # to prompts
SCRATCH = tempfile.mkdtemp(prefix="clients-", dir=os.environ.get("STEMMA_TEST_DIR"))
os.environ["HOME"] = SCRATCH
os.makedirs(SCRATCH + "/.config/stemma")
with open(SCRATCH + "/.config/stemma/config.yaml", "w") as f:
    f.write("share: yes\nmcp: {tools: [all]}\n")  # the story is of agents whose names nothing grants here
os.environ["NODE_COMPILE_CACHE"] = os.path.join(SCRATCH, "compiled")  # the same modules are compiled sixty times otherwise
INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def make_store(name):
    path = os.path.join(SCRATCH, name + ".db")
    subprocess.run([STEMMA, "import", "jsonl", STORY, "--store", path], check=True, stdout=subprocess.DEVNULL)
    return path


def check_store(path):
    """Checks the store with fsck."""
    p = subprocess.run([STEMMA, "fsck", "--store", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert p.returncode == 0, p.stdout.decode(errors="replace")[-4000:]


class Serve:
    """Runs `stemma serve` on a store."""

    def __init__(self, path):
        self.process = subprocess.Popen([STEMMA, "serve", "--store", path], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE)

    def __enter__(self):
        return self.process.stdout.readline().decode().strip()

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(60) == 0, f"stemma serve ended with {self.process.returncode}"


def run_client(node, directory, program, mode, name, server):
    """Runs a client program that reports its own tests, one a line."""
    p = subprocess.run([node, f"{directory}/{program}.mjs", name, mode, *server], cwd="/", stdin=subprocess.DEVNULL)
    harness.failed |= p.returncode != 0


def drive_stdio(node, directory):
    """`auto` comes to the modern era by asking. It is also the one with leave for the tools that destroy."""
    leave = os.path.join(SCRATCH, "leave.yaml")
    with open(leave, "w") as f:
        f.write("destructive_tools: yes\nshare: yes\nmcp: {tools: [all]}\n")
    for program, mode, options in (("v1", "legacy", ()), ("v2", "legacy", ()), ("v2", "modern", ()),
                                   ("v2", "auto", ("--config", leave))):
        path = make_store(f"{program}-{mode}")
        run_client(node, directory, program, mode, f"{program} {mode} stdio", [STEMMA, "mcp", *options, "--store", path])
        test(f"{program} {mode} stdio: the store is whole", check_store, path)


def drive_sets(node, directory):
    """Each set of tools by both SDKs, in one process of node: what is listed, a call of each tool, and of one that is not
    listed. The sets are those that the program names."""
    path = make_store("sets")
    p = subprocess.run([STEMMA, "mcp", "--store", path, "--tools", "?"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    sets = p.stderr.decode().split("The sets are ")[1].rstrip(".\n").replace(" ", "")
    config = os.path.join(SCRATCH, "sets.yaml")
    with open(config, "w") as f:
        f.write("share: yes\n")
    run_client(node, directory, "sets", sets, "sets stdio", [STEMMA, "mcp", "--config", config, "--store", path])
    test("sets stdio: the store is whole", check_store, path)


def drive_socket(node, directory):
    path = make_store("socket")
    with Serve(path) as socket:
        for program, mode in (("v1", "legacy"), ("v2", "modern")):
            run_client(node, directory, program, mode, f"{program} {mode} socket", [node, f"{directory}/bridge.mjs", socket])
    test("socket: the store is whole", check_store, path)


class ServeHttp(Serve):
    """The same with HTTP: its URL and the file of its token."""

    def __init__(self, path):
        self.process = subprocess.Popen([STEMMA, "serve", "--http", "0", "--store", path], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE)

    def __enter__(self):
        return [self.process.stdout.readline().decode().strip() for _ in range(3)][1:]


def drive_http(node, directory):
    for program, mode in (("v1", "legacy"), ("v2", "legacy"), ("v2", "auto")):
        path = make_store(f"http-{program}-{mode}")
        with ServeHttp(path) as server:
            run_client(node, directory, program, mode, f"{program} {mode} http", server)
        test(f"{program} {mode} http: the store is whole", check_store, path)


class Inspector:
    """The inspector's command line, one process for each question."""

    def __init__(self, node, directory, era, path):
        self.argv = [node, f"{directory}/{INSPECTOR}", "--cli", "-q", "--protocol-era", era, STEMMA, "mcp", "--store", path]

    def run(self, method, *options):
        p = subprocess.run([*self.argv, "--method", method, "--format", "json", *options], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, cwd=SCRATCH,
                           env=dict(os.environ, HOME=SCRATCH))
        return p.returncode, p.stdout.decode(), p.stderr.decode()

    def ask(self, method, *options):
        code, out, err = self.run(method, *options)
        assert code == 0, (code, out[-2000:], err[-2000:])
        return json.loads(out)["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))

    def tools(self):
        code, out, err = self.run("tools/list", "--strict")
        assert code == 0, (code, err)
        tools = json.loads(out)["result"]["tools"]
        assert {"memory_raw", "memory_get", "log_source_attribution"} <= {t["name"] for t in tools}

    def calls(self):
        added = self.call("memory_belief", statement="the inspector was here", derived_from=[BELIEF], agent_id="inspector")
        ref = added["structuredContent"]["ref"]
        assert self.call("memory_get", ref=ref)["structuredContent"]["text"] == "the inspector was here"
        found = self.call("memory_search", query="inspector was")["structuredContent"]["memories"]
        assert any(m["ref"] == ref for m in found), found

    def failures(self):
        code, out, err = self.run("tools/call", "--tool-name", "memory_get", "--tool-args-json",
                                  '{"ref":"raw:00000000-0000-4000-8000-000000000000"}')
        said = json.loads(out)["result"]
        assert code == 5 and said["isError"] and said["structuredContent"]["error"]["code"] == "NOT_FOUND", (code, out, err)
        code, out, err = self.run("tools/call", "--tool-name", "no_such_tool")
        assert code != 0, out

    def resources(self):
        listed = self.ask("resources/list")["resources"]
        assert listed and self.ask("resources/templates/list")["resourceTemplates"]
        assert self.ask("resources/read", "--uri", listed[0]["uri"])["contents"]

    def prompts(self):
        prompt = next(p for p in self.ask("prompts/list")["prompts"] if p.get("arguments"))
        given = [f"{a['name']}={GIVEN[a['name']]}" for a in prompt["arguments"]]
        assert self.ask("prompts/get", "--prompt-name", prompt["name"], "--prompt-args", *given)["messages"]

    def load(self):
        out = self.ask("tools/call", "--tool-name", "memory_get", "--tool-args-json", json.dumps({"ref": BELIEF}),
                       "--load", "--load-concurrency", "16", "--load-requests", "500")
        assert (out["requests"], out["ok"], out["errors"], out["toolErrors"]) == (500, 500, 0, 0), out


def drive_inspector(node, directory):
    """Each question is a process and takes a second of node, so it asks once what the SDKs ask about every prompt, and of `auto`
    only how it begins."""
    every = ("tools", "calls", "failures", "resources", "prompts", "load")
    for era, names in ("legacy", every), ("auto", ("tools", "load")), ("modern", every):
        path = make_store(f"inspector-{era}")
        inspector = Inspector(node, directory, era, path)
        for name in names:
            test(f"inspector {era}: {name}", getattr(inspector, name))
        test(f"inspector {era}: the store is whole", check_store, path)


def main():
    try:
        node, directory = packages.node(), packages.clients()
    except packages.Missing as e:
        harness.report(False, "the official clients can be installed", e)
        return 1
    for name in sys.argv[1:] or ("stdio", "sets", "socket", "http", "inspector"):
        globals()[f"drive_{name}"](node, directory)
    return harness.failed


sys.exit(main())
